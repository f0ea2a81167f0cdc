#include "app/convert/frame_files.h"

#include "app/cli/sequence.h"
#include "core/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_numbers(const void *a, const void *b)
{
    const int one = *(const int *)a;
    const int other = *(const int *)b;
    return (one > other) - (one < other);
}

static BrumeStatus add_frame(BrumeFrameFiles *files, int *capacity, int frame, BrumeError *error)
{
    if (files->count == *capacity) {
        const int grown = 2 * *capacity + 256;
        int *frames = brume_realloc(files->frames, (size_t)*capacity * sizeof *frames, (size_t)grown * sizeof *frames);
        if (!frames) {
            return brume_out_of_memory(error, "a list of files");
        }
        files->frames = frames;
        *capacity = grown;
    }
    files->frames[files->count++] = frame;
    return BRUME_OK;
}

// adds the frames of all files in the folder of the pattern that match it and are in the range
static BrumeStatus read_folder(BrumeFrameFiles *files, const BrumeFrameRange *range, BrumeError *error)
{
    const char *text = files->pattern.text;
    const char *slash = strrchr(text, '/');
    char path[BRUME_MAX_PATH] = ".";
    if (slash) {
        const size_t length = slash == text ? 1 : (size_t)(slash - text);
        memcpy(path, text, length);
        path[length] = '\0';
    }
    DIR *folder = opendir(path);
    if (!folder) {
        const BrumeStatus status = errno == ENOENT || errno == ENOTDIR ? BRUME_BAD_INPUT : BRUME_FAILED;
        return brume_fail(error, status, "%s: cannot open: %s", path, strerror(errno));
    }
    BrumeStatus status = BRUME_OK;
    int capacity = 0;
    for (const struct dirent *entry; status == BRUME_OK && (entry = readdir(folder)) != NULL;) {
        const int frame = brume_pattern_match(&files->pattern, entry->d_name);
        if (frame >= 0 && (range->stride == 0 || brume_frames_contain(range, frame))) {
            status = add_frame(files, &capacity, frame, error);
        }
    }
    (void)closedir(folder);
    if (files->count > 0) {
        qsort(files->frames, (size_t)files->count, sizeof *files->frames, compare_numbers);
    }
    return status;
}

// the distance of the frames of a sequence: the largest that divides all distances between found ones
static BrumeFrameRange found_range(const BrumeFrameFiles *files)
{
    const BrumeSequence sequence = {files->count, files->frames};
    return (BrumeFrameRange){files->frames[0], files->frames[files->count - 1], brume_sequence_stride(&sequence)};
}

// appends `count` missing frames from `first` on
static void add_missing(BrumeFrameFiles *files, int first, int count, int stride)
{
    if (count <= 0) {
        return;
    }
    files->missing_count += count;
    if (files->missing.size > 200) { // one line, also for many gaps
        if (files->missing.data[files->missing.size - 1] != '.') {
            brume_text_add(&files->missing, ", ...");
        }
        return;
    }
    brume_text_add(&files->missing, files->missing.size > 0 ? ", %d" : "%d", first);
    if (count > 1) {
        brume_text_add(&files->missing, stride > 1 ? ":%d:%d" : "-%d", first + (count - 1) * stride, stride);
    }
}

static void list_missing(BrumeFrameFiles *files, const BrumeFrameRange *range)
{
    int expected = range->first;
    for (int n = 0; n < files->count; n++) {
        add_missing(files, expected, (files->frames[n] - expected) / range->stride, range->stride);
        expected = files->frames[n] + range->stride;
    }
    if (expected <= range->last) {
        add_missing(files, expected, (range->last - expected) / range->stride + 1, range->stride);
    }
}

BrumeStatus brume_frame_files_find(BrumeFrameFiles *files, const char *text, const BrumeFrameRange *range,
                                   BrumeError *error)
{
    *files = (BrumeFrameFiles){.count = 0};
    BrumeStatus status = brume_pattern_parse(&files->pattern, text, "INPUT", error);
    if (status == BRUME_OK && files->pattern.width < 0) {
        int capacity = 0;
        if (range->stride > 0) {
            return brume_fail(error, BRUME_BAD_INPUT, "--frames: '%s' has no frame number", text);
        }
        return add_frame(files, &capacity, 0, error);
    }
    status = status == BRUME_OK ? read_folder(files, range, error) : status;
    if (status != BRUME_OK) {
        return status;
    }
    if (files->count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no file of this pattern%s", text,
                          range->stride > 0 ? " in the range of --frames" : "");
    }
    const BrumeFrameRange expected = range->stride > 0 ? *range : found_range(files);
    list_missing(files, &expected);
    return files->missing.failed ? brume_out_of_memory(error, "a list of files") : BRUME_OK;
}

void brume_frame_files_destroy(BrumeFrameFiles *files)
{
    brume_free(files->frames);
    brume_text_destroy(&files->missing);
    *files = (BrumeFrameFiles){.count = 0};
}

// the input that an existing file is, in `path`; false: none
static bool find_input(const BrumeFrameFiles *files, const struct stat *inputs, const struct stat *output,
                       char path[BRUME_MAX_PATH])
{
    for (int n = 0; n < files->count; n++) {
        if (inputs[n].st_ino == output->st_ino && inputs[n].st_dev == output->st_dev) {
            brume_pattern_path(&files->pattern, files->frames[n], path);
            return true;
        }
    }
    return false;
}

static BrumeStatus check_existing(const BrumeFrameFiles *files, const struct stat *inputs,
                                  const BrumeOutputPattern *outputs, bool overwrite, BrumeError *error)
{
    char first[BRUME_MAX_PATH] = "";
    int taken = 0;
    const int count = outputs->video ? 1 : files->count;
    for (int n = 0; n < count; n++) {
        char path[BRUME_MAX_PATH];
        char input[BRUME_MAX_PATH];
        struct stat existing;
        brume_pattern_path(outputs, files->frames[n], path);
        if (stat(path, &existing) == 0 && find_input(files, inputs, &existing, input)) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s is the input %s (give another OUTPUT)", path, input);
        }
        if (lstat(path, &existing) == 0 && taken++ == 0) { // a link whose target does not exist counts too
            memcpy(first, path, sizeof first);
        }
    }
    if (taken == 0 || overwrite) {
        return BRUME_OK;
    }
    if (taken == 1) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s exists (give --overwrite to replace it, or another OUTPUT)",
                          first);
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "%s and %d more of the outputs exist (give --overwrite to replace them, or another OUTPUT)",
                      first, taken - 1);
}

BrumeStatus brume_frame_files_check_outputs(const BrumeFrameFiles *files, BrumeOutputPattern *outputs, const char *text,
                                            bool overwrite, BrumeError *error)
{
    BrumeStatus status = brume_pattern_parse(outputs, text, "OUTPUT", error);
    outputs->video = brume_video_format_of(text);
    status = status == BRUME_OK ? brume_pattern_check_number(outputs, files->count, "OUTPUT", error) : status;
    if (status != BRUME_OK) {
        return status;
    }
    if (files->pattern.width < 0 && outputs->width >= 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "OUTPUT: '%s' has a frame number, and the input '%s' has none", text,
                          files->pattern.text);
    }
    struct stat *inputs = brume_alloc((size_t)files->count, sizeof *inputs);
    if (!inputs) {
        return brume_out_of_memory(error, "a list of files");
    }
    for (int n = 0; n < files->count && status == BRUME_OK; n++) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&files->pattern, files->frames[n], path);
        if (stat(path, &inputs[n]) != 0) {
            status = brume_fail(error, errno == ENOENT || errno == ENOTDIR ? BRUME_BAD_INPUT : BRUME_FAILED,
                                "%s: cannot open: %s", path, strerror(errno));
        }
    }
    status = status == BRUME_OK ? check_existing(files, inputs, outputs, overwrite, error) : status;
    brume_free(inputs);
    return status;
}
