#include "viewer/files/kept_files.h"

#include "io/file.h"
#include "viewer/files/folder_list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_IN_A_SECOND = 100 };

BrumeStatus brume_kept_files_add(const char *folder, const char *stem, time_t now, char *path, BrumeError *error)
{
    struct tm local;
    char date[32] = "";
    char new_folder[BRUME_RECENT_PATH];
    path[0] = '\0';
    if (localtime_r(&now, &local)) {
        (void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    }
    int failure = EEXIST;
    for (int n = 1; n <= MOST_IN_A_SECOND && failure == EEXIST; n++) {
        char suffix[16] = "";
        if (n > 1) { // there is a folder of the same second already
            (void)snprintf(suffix, sizeof suffix, "-%d", n);
        }
        const int length = snprintf(new_folder, sizeof new_folder, "%s/%s%s", folder, date, suffix);
        if (length < 0 || (size_t)length >= sizeof new_folder) {
            return brume_fail(error, BRUME_FAILED, "%.64s...: the name is too long", folder);
        }
        const BrumeStatus status = brume_file_make_folder(new_folder, error); // the parent folder
        if (status != BRUME_OK) {
            return status;
        }
        failure = mkdir(new_folder, 0777) == 0 ? 0 : errno;
    }
    if (failure != 0) {
        return brume_fail_write(error, new_folder, failure);
    }
    const int length = snprintf(path, BRUME_RECENT_PATH, "%s/%s.yaml", new_folder, stem);
    if (length < 0 || length >= BRUME_RECENT_PATH) {
        path[0] = '\0';
        return brume_fail(error, BRUME_FAILED, "%.64s...: the name is too long", new_folder);
    }
    return BRUME_OK;
}

// reads the last frame of a scene from its first line; "" where it has none
static void describe_frame(const char *path, char text[32])
{
    int frame;
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (file && fscanf(file, "# Written by brume view after frame %d ", &frame) == 1) {
        (void)snprintf(text, 32, ", frame %d", frame);
    }
    if (file) {
        (void)fclose(file);
    }
}

// writes the path of the scene in a folder, and its label; false where there is none
static bool find_file(const char *folder, const char *name, BrumeKeptFile *file)
{
    struct tm date = {0};
    char inner[BRUME_RECENT_PATH];
    BrumeFolderList list = {0};
    if (sscanf(name, "%4d%2d%2d-%2d%2d%2d", &date.tm_year, &date.tm_mon, &date.tm_mday, &date.tm_hour, &date.tm_min,
               &date.tm_sec) != 6 ||
        !brume_join_path(folder, name, inner, sizeof inner) ||
        brume_folder_list_read(&list, inner, "yaml", NULL) != BRUME_OK) {
        return false;
    }
    const BrumeFolderEntry *last = list.count > 0 ? &list.entries[list.count - 1] : NULL; // files follow folders
    const bool found = last && !last->is_folder && brume_join_path(inner, last->name, file->path, sizeof file->path);
    if (found) {
        char frame[32];
        describe_frame(file->path, frame);
        (void)snprintf(file->label, sizeof file->label, "%.*s%s, %04d-%02d-%02d %02d:%02d:%02d",
                       (int)strcspn(last->name, "."), last->name, frame, date.tm_year, date.tm_mon, date.tm_mday,
                       date.tm_hour, date.tm_min, date.tm_sec);
    }
    brume_folder_list_destroy(&list);
    return found;
}

// lists the latest scenes except `except` and the first `skipped`
static void list_files(BrumeKeptFiles *kept, const char *folder, const char *except, int skipped)
{
    BrumeFolderList list = {0};
    kept->count = 0;
    if (brume_folder_list_read(&list, folder, "", NULL) != BRUME_OK) {
        return;
    }
    for (int n = list.count - 1; n >= 0 && kept->count < BRUME_KEPT_FILES; n--) { // names are dates
        BrumeKeptFile *file = &kept->files[kept->count];
        const bool counts = find_file(folder, list.entries[n].name, file) && strcmp(file->path, except) != 0;
        kept->count += counts && skipped-- <= 0;
    }
    brume_folder_list_destroy(&list);
}

void brume_kept_files_list(BrumeKeptFiles *kept, const char *folder, const char *except)
{
    list_files(kept, folder, except, 0);
}

void brume_kept_files_prune(const char *folder)
{
    BrumeKeptFiles old;
    list_files(&old, folder, "", BRUME_KEPT_FILES);
    for (int n = 0; n < old.count; n++) {
        (void)unlink(old.files[n].path);
        brume_kept_files_drop(old.files[n].path);
    }
}

void brume_kept_files_drop(const char *path)
{
    char folder[BRUME_RECENT_PATH];
    if (brume_join_path(path, "..", folder, sizeof folder)) {
        (void)rmdir(folder); // fails unless it is empty
    }
}
