#include "core/input_file.h"

#include "core/descriptor.h"
#include "core/path.h"
#include "core/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// the point before the extension of a name, or its end
static const char *extension_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? dot : name + strlen(name);
}

static void copy_stem(const char *name, char stem[NAME_MAX + 1])
{
    (void)snprintf(stem, NAME_MAX + 1, "%.*s", (int)(extension_of(name) - name), name);
}

/**
 * The name of the file in the folder of `path` that has its extension and the closest stem; false where none is close.
 * `*folder` is the length of the folder in `path`, with its slash.
 */
static bool find_similar(const char *path, int *folder, char found[NAME_MAX + 1])
{
    const char *name = brume_path_name(path);
    *folder = (int)(name - path);
    char folder_path[PATH_MAX];
    char stem[NAME_MAX + 1];
    char stems[2][NAME_MAX + 1]; // of the closest name and of the name that is tried
    (void)brume_path_folder(path, folder_path, sizeof folder_path);
    copy_stem(name, stem);
    BrumeSuggestion suggestion = {.word = stem};
    DIR *entries = stem[0] ? opendir(folder_path) : NULL;
    int tried = 0;
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strcmp(extension_of(entry->d_name), extension_of(name)) == 0) {
            copy_stem(entry->d_name, stems[tried]);
            brume_suggest(&suggestion, stems[tried]);
        }
        if (suggestion.name == stems[tried]) {
            (void)snprintf(found, NAME_MAX + 1, "%s", entry->d_name);
            tried = 1 - tried;
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    return suggestion.name != NULL;
}

// whether a file could not be opened because of the path that was given, rather than by a lack of resources
static bool is_wrong_path(int reason)
{
    return reason == ENOENT || reason == ENOTDIR || reason == EACCES || reason == ELOOP || reason == ENAMETOOLONG ||
           reason == EISDIR;
}

BrumeStatus brume_open_input(int *file, const char *path, BrumeError *error)
{
    *file = brume_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // O_NONBLOCK: a pipe without a writer would block
    if (*file >= 0) {
        return BRUME_OK;
    }
    const int reason = errno;
    int folder;
    char similar[NAME_MAX + 1];
    if (reason == ENOENT && find_similar(path, &folder, similar)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: cannot open: %s (did you mean '%.*s%s'?)", path,
                          strerror(reason), folder, path, similar);
    }
    return brume_fail(error, is_wrong_path(reason) ? BRUME_BAD_INPUT : BRUME_FAILED, "%s: cannot open: %s", path,
                      strerror(reason));
}
