#include "viewer/files/recent_files.h"

#include "core/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool brume_absolute_path(const char *path, char absolute[BRUME_RECENT_PATH])
{
    char resolved[PATH_MAX];
    int length = -1;
    if (realpath(path, resolved)) {
        length = snprintf(absolute, BRUME_RECENT_PATH, "%s", resolved);
    } else {
        const char *name = brume_path_name(path);
        char folder[BRUME_RECENT_PATH];
        (void)brume_path_folder(path, folder, sizeof folder);
        if (realpath(folder, resolved)) {
            length = snprintf(absolute, BRUME_RECENT_PATH, "%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, name);
        }
    }
    return length > 0 && length < BRUME_RECENT_PATH;
}

static void remove_at(BrumeRecentFiles *recent, int n)
{
    recent->count--;
    memmove(recent->paths[n], recent->paths[n + 1], (size_t)(recent->count - n) * sizeof recent->paths[0]);
}

void brume_recent_files_add(BrumeRecentFiles *recent, const char *path)
{
    char absolute[BRUME_RECENT_PATH];
    if (!brume_absolute_path(path, absolute)) {
        return;
    }
    for (int n = recent->count - 1; n >= 0; n--) {
        if (strcmp(recent->paths[n], absolute) == 0) {
            remove_at(recent, n);
        }
    }
    if (recent->count == BRUME_RECENT_FILES) {
        recent->count--;
    }
    memmove(recent->paths[1], recent->paths[0], (size_t)recent->count * sizeof recent->paths[0]);
    memcpy(recent->paths[0], absolute, sizeof absolute);
    recent->count++;
}

void brume_recent_files_drop_missing(BrumeRecentFiles *recent)
{
    for (int n = recent->count - 1; n >= 0; n--) {
        const char *path = recent->paths[n];
        char folder[BRUME_RECENT_PATH];
        const char *slash = strrchr(path, '/');
        (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
        const bool is_pattern = slash && strpbrk(slash, "#%");
        if (access(path, F_OK) != 0 && !(is_pattern && access(folder, F_OK) == 0)) {
            remove_at(recent, n);
        }
    }
}
