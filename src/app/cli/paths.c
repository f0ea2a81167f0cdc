#include "app/cli/paths.h"
#include "app/cli/output_files.h"
#include "core/error.h"
#include "core/path.h"
#include "core/program_path.h"
#include "core/text.h"
#include "io/file.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DIGITS = 20 };

const char *const brume_image_extensions[] = {"png", "exr", NULL};

static BrumeStatus check_extension(const char *text, const char *name, const BrumePatternDef *def, BrumeError *error)
{
    const char *dot = strrchr(name, '.');
    if (name[0] == '\0' || !dot || dot == name || dot[1] == '\0') {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' has no extension (give one such as out/plume.####.%s)",
                          def->option, text, def->extensions[0]);
    }
    if (def->videos && brume_video_format_of(name)) {
        return BRUME_OK;
    }
    BrumeText list = {0};
    for (const char *const *known = def->extensions; *known; known++) {
        if (strcasecmp(dot + 1, *known) == 0) {
            brume_text_destroy(&list);
            return BRUME_OK;
        }
        brume_text_add(&list, "%s%s", list.size > 0 ? ", " : "", *known);
    }
    for (const BrumeVideoFormat *format = brume_video_formats; def->videos && format->extension; format++) {
        brume_text_add(&list, ", %s", format->extension);
    }
    (void)brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' has the unknown format '%s' (known: %s)", def->option, text,
                     dot + 1, list.size > 0 ? list.data : def->extensions[0]);
    brume_text_destroy(&list);
    return BRUME_BAD_INPUT;
}

// returns the length of the conversion %d or %0Nd at `text`, and its N in `width`; 0 if there is none
static int match_conversion(const char *text, int *width)
{
    const char *end = text + 1;
    *width = 0;
    while (isdigit((unsigned char)*end) && *width <= MAX_DIGITS) {
        *width = 10 * *width + (*end++ - '0');
    }
    return *text == '%' && *end == 'd' && *width <= MAX_DIGITS ? (int)(end + 1 - text) : 0;
}

// sets the position of the frame number; returns the number of frame numbers in the name
static int find_numbers(BrumeOutputPattern *pattern, const char *name)
{
    int numbers = 0;
    int runs_of_hashes = 0;
    for (const char *c = name; *c;) {
        int width;
        int length = match_conversion(c, &width);
        if (length > 0) {
            numbers++;
        } else if (*c == '#') {
            length = width = (int)strspn(c, "#");
            numbers += runs_of_hashes == 0; // the last run is the number
            runs_of_hashes++;
        }
        if (length > 0) {
            pattern->before = (int)(c - pattern->text);
            pattern->after = pattern->before + length;
            pattern->width = width;
        }
        c += length > 0 ? length : 1;
    }
    return numbers;
}

BrumeStatus brume_pattern_parse(BrumeOutputPattern *pattern, const char *text, const char *role, BrumeError *error)
{
    const int length = (int)strnlen(text, BRUME_MAX_PATH);
    *pattern = (BrumeOutputPattern){.text = text, .before = length, .after = length, .width = -1};
    if (length + MAX_DIGITS >= BRUME_MAX_PATH) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the path is too long (more than %d bytes)", role,
                          BRUME_MAX_PATH - MAX_DIGITS - 1);
    }
    if (find_numbers(pattern, brume_path_name(text)) > 1) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' has two frame numbers", role, text);
    }
    return BRUME_OK;
}

BrumeStatus brume_pattern_check_number(const BrumeOutputPattern *pattern, int frames, const char *role,
                                       BrumeError *error)
{
    const char *text = pattern->text;
    if (pattern->video && pattern->width >= 0) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' has a frame number, but a video has all frames (give one such as out/plume.%s)",
                          role, text, pattern->video->extension);
    }
    if (!pattern->video && pattern->width < 0 && frames > 1) {
        const int stem = (int)(strrchr(text, '.') - text);
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' has no frame number for %d frames (did you mean '%.*s.####%s'?)", role, text,
                          frames, stem, text, text + stem);
    }
    return BRUME_OK;
}

BrumeStatus brume_pattern_read(BrumeOutputPattern *pattern, const char *text, const BrumePatternDef *def, int frames,
                               BrumeError *error)
{
    BrumeStatus status = brume_pattern_parse(pattern, text, def->option, error);
    if (status == BRUME_OK) {
        status = check_extension(text, brume_path_name(text), def, error);
    }
    if (status == BRUME_OK && def->videos) {
        pattern->video = brume_video_format_of(text);
    }
    return status == BRUME_OK ? brume_pattern_check_number(pattern, frames, def->option, error) : status;
}

bool brume_pattern_match(const BrumeOutputPattern *pattern, const char *name, int *number)
{
    const char *pattern_name = brume_path_name(pattern->text);
    const size_t before = (size_t)(pattern->text + pattern->before - pattern_name);
    if (pattern->width < 0 || strncmp(name, pattern_name, before) != 0 ||
        !isdigit((unsigned char)name[before + (name[before] == '-')])) {
        return false;
    }
    const long value = strtol(name + before, NULL, 10);
    char path[BRUME_MAX_PATH];
    if (value > INT_MAX / 4 || value < -INT_MAX / 4) {
        return false;
    }
    *number = (int)value;
    brume_pattern_path(pattern, *number, path); // with exactly these digits
    return strcmp(brume_path_name(path), name) == 0;
}

bool brume_pattern_is_exr(const BrumeOutputPattern *pattern)
{
    const char *dot = strrchr(pattern->text, '.');
    return dot && strcasecmp(dot, ".exr") == 0;
}

int brume_pattern_number(const BrumeOutputPattern *pattern, int frame)
{
    return pattern->turns ? frame - 1 : frame + pattern->offset;
}

BrumeShortText brume_tile_name(const BrumeChunk *tile)
{
    BrumeShortText name = {""};
    if (tile->count > 0) {
        (void)snprintf(name.text, sizeof name.text, ".tile-%d-of-%d", tile->index, tile->count);
    }
    return name;
}

// inserts the name of a tile before the extension
static void insert_tile_name(const BrumeOutputPattern *pattern, char path[BRUME_MAX_PATH])
{
    char *dot = strrchr(path, '.');
    char extension[16];
    if (pattern->tile.count > 0 && dot && strlen(dot) < sizeof extension) {
        memcpy(extension, dot, strlen(dot) + 1);
        (void)snprintf(dot, (size_t)(path + BRUME_MAX_PATH - dot), "%s%s", brume_tile_name(&pattern->tile).text,
                       extension);
    }
}

void brume_pattern_path(const BrumeOutputPattern *pattern, int frame, char path[BRUME_MAX_PATH])
{
    if (pattern->width < 0) {
        (void)snprintf(path, BRUME_MAX_PATH, "%s", pattern->text);
    } else {
        (void)snprintf(path, BRUME_MAX_PATH, "%.*s%0*d%s", pattern->before, pattern->text, pattern->width,
                       brume_pattern_number(pattern, frame), pattern->text + pattern->after);
    }
    insert_tile_name(pattern, path);
}

BrumeStatus brume_pattern_check_scene(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                      const char *scene_path, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    const BrumeOutputFile image = {.path = path, .option = "--output"};
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < brume_frames_count(range) && status == BRUME_OK; n++) {
        brume_pattern_path(pattern, brume_frames_at(range, n), path);
        status = brume_check_output_file(&image, scene_path, error);
    }
    return status;
}

BrumeStatus brume_pattern_check_free(const BrumeOutputPattern *pattern, const BrumeFrameRange *range, BrumeError *error)
{
    char first[BRUME_MAX_PATH] = "";
    int taken = 0;
    const int files = pattern->width < 0 ? 1 : brume_frames_count(range);
    for (int n = 0; n < files; n++) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(pattern, brume_frames_at(range, n), path);
        struct stat existing; // a link whose target does not exist counts too
        if (lstat(path, &existing) == 0 && taken++ == 0) {
            memcpy(first, path, sizeof first);
        }
    }
    if (taken == 0) {
        return BRUME_OK;
    }
    char more[64] = "";
    if (taken > 1) {
        (void)snprintf(more, sizeof more, " and %d more of the frames exist", taken - 1);
    } else {
        (void)snprintf(more, sizeof more, " exists");
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s%s (give --overwrite to replace %s, or another --output)", first, more,
                      files == 1 ? "it" : "them");
}

BrumeStatus brume_pattern_prepare(const BrumeOutputPattern *pattern, int frame, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    char end[BRUME_MAX_PATH];
    (void)snprintf(path, sizeof path, "%.*s", pattern->before, pattern->text);
    (void)snprintf(end, sizeof end, "%s", pattern->text + pattern->after);
    insert_tile_name(pattern, pattern->width < 0 ? path : end);
    brume_file_remove_abandoned(path, end);
    brume_pattern_path(pattern, frame, path);
    return brume_file_check_writable(path, error);
}

BrumeStatus brume_check_free_path(const char *path, const char *option, BrumeError *error)
{
    struct stat existing;
    if (stat(path, &existing) == 0 && S_ISREG(existing.st_mode)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s exists (give --overwrite to replace it, or another %s)", path,
                          option);
    }
    return BRUME_OK;
}

// relative to the folder of the program: in a build tree, and installed
static const char *const scene_folders[] = {"../../scenes/", "../share/brume/scenes/", NULL};

BrumeStatus brume_find_scene(const char *name, char path[BRUME_MAX_PATH], BrumeError *error)
{
    (void)snprintf(path, BRUME_MAX_PATH, "scenes/%s", name);
    if (access(path, R_OK) == 0) {
        return BRUME_OK;
    }
    char found[PATH_MAX];
    char resolved[PATH_MAX]; // without "..", because messages and the viewer show it
    if (brume_find_beside_program(found, scene_folders, name) && realpath(found, resolved) &&
        snprintf(path, BRUME_MAX_PATH, "%s", resolved) < BRUME_MAX_PATH) {
        return BRUME_OK;
    }
    (void)snprintf(path, BRUME_MAX_PATH, BRUME_DATA_DIR "/scenes/%s", name);
    if (access(path, R_OK) == 0) {
        return BRUME_OK;
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "scenes/%s is neither in the working folder nor beside the program nor installed (give a SCENE)",
                      name);
}
