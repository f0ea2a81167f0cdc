#include "app/volumes/volume_pattern.h"

#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "exchange/volume_format.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_volume(const char *path)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    return format && format->read;
}

bool brume_may_be_volumes(const char *path) { return is_volume(path) || is_folder(path); }

static int is_volume_entry(const struct dirent *entry) { return entry->d_name[0] != '.' && is_volume(entry->d_name); }

// the first volume file of a folder
static BrumeStatus find_first(const char *folder, char file[BRUME_MAX_PATH], BrumeError *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_volume_entry, alphasort);
    const int length = count > 0 ? snprintf(file, BRUME_MAX_PATH, "%s/%s", folder, entries[0]->d_name) : 0;
    for (int n = 0; n < count; n++) {
        free(entries[n]);
    }
    if (count >= 0) {
        free(entries);
    }
    return length > 0 && length < BRUME_MAX_PATH
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "%s: there is no volume in this folder", folder);
}

// replaces the number before the extension by one # for each digit; false where there is none or no room
static bool replace_number(const char *file, char *pattern, size_t size)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *end = strrchr(name, '.');
    const char *first = end;
    while (first && first > name && isdigit((unsigned char)first[-1])) {
        first--;
    }
    if (!first || first == end || snprintf(pattern, size, "%s", file) >= (int)size) {
        return false;
    }
    memset(pattern + (first - file), '#', (size_t)(end - first));
    return true;
}

// reads the first volume of a pattern
static BrumeStatus check_first(const char *text, BrumeError *error)
{
    BrumeOutputPattern pattern;
    BrumeSequence found = {0};
    const BrumePatternDef def = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    BrumeStatus status = brume_pattern_read(&pattern, text, &def, 1, error);
    if (status == BRUME_OK) {
        status = brume_sequence_find(&found, &pattern, 1, error);
    }
    if (status == BRUME_OK && found.count == 0) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", text);
    }
    if (status == BRUME_OK) {
        char path[BRUME_MAX_PATH];
        BrumeFrameGrids grids = {0};
        brume_pattern_path(&pattern, found.frames[0], path);
        status = brume_volume_file_read(&grids, path, error);
        brume_frame_grids_destroy(&grids);
    }
    brume_sequence_destroy(&found);
    return status;
}

BrumeStatus brume_volume_pattern_find(const char *path, char *pattern, size_t size, BrumeError *error)
{
    char file[BRUME_MAX_PATH];
    if (is_folder(path)) {
        if (find_first(path, file, error) != BRUME_OK) {
            return error->status;
        }
    } else if (snprintf(file, sizeof file, "%s", path) >= (int)sizeof file) {
        return brume_fail(error, BRUME_BAD_INPUT, "%.100s...: the path is too long", path);
    }
    const bool is_pattern = strpbrk(file, "#%") != NULL;
    if ((is_pattern || !replace_number(file, pattern, size)) && snprintf(pattern, size, "%s", file) >= (int)size) {
        return brume_fail(error, BRUME_BAD_INPUT, "%.100s...: the path is too long", path);
    }
    return check_first(pattern, error);
}
