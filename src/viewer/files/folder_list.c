#include "viewer/files/folder_list.h"

#include "core/memory.h"
#include "viewer/files/file_choice.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// folders first, then by name without regard to case
static int compare(const void *a, const void *b)
{
    const BrumeFolderEntry *first = a;
    const BrumeFolderEntry *second = b;
    const int folders = (int)second->is_folder - (int)first->is_folder;
    const int names = strcasecmp(first->name, second->name);
    return folders != 0 ? folders : names != 0 ? names : strcmp(first->name, second->name);
}

static bool is_folder(const char *folder, const char *name)
{
    char path[BRUME_CHOSEN_PATH];
    struct stat status;
    return brume_join_path(folder, name, path, sizeof path) && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static BrumeStatus add(BrumeFolderList *list, int *capacity, const BrumeFolderEntry *entry, BrumeError *error)
{
    BrumeFolderEntry *entries = brume_make_room(list->entries, list->count, capacity, sizeof *entries);
    if (!entries) {
        return brume_out_of_memory(error, "a list of files");
    }
    list->entries = entries;
    list->entries[list->count++] = *entry;
    return BRUME_OK;
}

BrumeStatus brume_folder_list_read(BrumeFolderList *list, const char *folder, const char *extensions, BrumeError *error)
{
    DIR *stream = opendir(folder);
    if (!stream) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot be read: %s", folder, strerror(errno));
    }
    BrumeFolderList sorted = {0};
    int capacity = 0;
    BrumeStatus status = BRUME_OK;
    for (const struct dirent *found; status == BRUME_OK && (found = readdir(stream)) != NULL;) {
        BrumeFolderEntry entry;
        const int length = snprintf(entry.name, sizeof entry.name, "%s", found->d_name);
        entry.is_folder = is_folder(folder, found->d_name);
        const bool shown = entry.name[0] != '.' && length < (int)sizeof entry.name &&
                           (entry.is_folder || brume_has_extension(entry.name, extensions));
        status = shown ? add(&sorted, &capacity, &entry, error) : BRUME_OK;
    }
    (void)closedir(stream);
    if (status != BRUME_OK) {
        brume_folder_list_destroy(&sorted);
        return status;
    }
    if (sorted.count > 0) {
        qsort(sorted.entries, (size_t)sorted.count, sizeof *sorted.entries, compare);
    }
    brume_folder_list_destroy(list);
    *list = sorted;
    return BRUME_OK;
}

void brume_folder_list_destroy(BrumeFolderList *list)
{
    brume_free(list->entries);
    *list = (BrumeFolderList){0};
}

bool brume_join_path(const char *folder, const char *name, char *path, int size)
{
    int length;
    if (strcmp(name, "..") == 0) {
        const char *slash = strrchr(folder, '/');
        length = snprintf(path, (size_t)size, "%.*s", slash && slash > folder ? (int)(slash - folder) : 1,
                          slash ? folder : ".");
    } else if (name[0] == '/') {
        length = snprintf(path, (size_t)size, "%s", name);
    } else {
        const size_t used = strlen(folder);
        length = snprintf(path, (size_t)size, "%s%s%s", folder, used > 0 && folder[used - 1] == '/' ? "" : "/", name);
    }
    return length > 0 && length < size;
}
