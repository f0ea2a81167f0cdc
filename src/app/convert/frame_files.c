#include "app/convert/frame_files.h"

#include "core/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// removes the frames outside the range, which is zeroed where all frames are used
static void select_frames(BrumeSequence *found, const BrumeFrameRange *range)
{
    int count = 0;
    for (int n = 0; n < found->count; n++) {
        if (range->stride == 0 || brume_frames_contain(range, found->frames[n])) {
            found->frames[count++] = found->frames[n];
        }
    }
    found->count = count;
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
    for (int n = 0; n < files->found.count; n++) {
        add_missing(files, expected, (files->found.frames[n] - expected) / range->stride, range->stride);
        expected = files->found.frames[n] + range->stride;
    }
    if (expected <= range->last) {
        add_missing(files, expected, (range->last - expected) / range->stride + 1, range->stride);
    }
}

// fails with the reason that errno has
static BrumeStatus fail_open(const char *path, BrumeError *error)
{
    return brume_fail(error, errno == ENOENT || errno == ENOTDIR ? BRUME_BAD_INPUT : BRUME_FAILED,
                      "%s: cannot open: %s", path, strerror(errno));
}

BrumeStatus brume_frame_files_find(BrumeFrameFiles *files, const char *text, const BrumeFrameRange *range,
                                   BrumeError *error)
{
    *files = (BrumeFrameFiles){0};
    BrumeSequence *found = &files->found;
    if (brume_pattern_parse(&files->pattern, text, "INPUT", error) != BRUME_OK) {
        return error->status;
    }
    const bool single = files->pattern.width < 0;
    if (single && range->stride > 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--frames: '%s' has no frame number", text);
    }
    if (single && access(files->pattern.text, F_OK) != 0) {
        return fail_open(files->pattern.text, error);
    }
    if (brume_sequence_find(found, &files->pattern, 0, error) != BRUME_OK) {
        return error->status;
    }
    select_frames(found, range);
    if (found->count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no file of this pattern%s", text,
                          range->stride > 0 ? " in the range of --frames" : "");
    }
    const BrumeFrameRange whole = {found->frames[0], found->frames[found->count - 1], brume_sequence_stride(found)};
    list_missing(files, range->stride > 0 ? range : &whole);
    return files->missing.failed ? brume_out_of_memory(error, "a list of files") : BRUME_OK;
}

void brume_frame_files_destroy(BrumeFrameFiles *files)
{
    brume_sequence_destroy(&files->found);
    brume_text_destroy(&files->missing);
    *files = (BrumeFrameFiles){0};
}

// whether an existing file is an input, whose path is written to `path`
static bool find_input(const BrumeFrameFiles *files, const struct stat *inputs, const struct stat *output,
                       char path[BRUME_MAX_PATH])
{
    for (int n = 0; n < files->found.count; n++) {
        if (inputs[n].st_ino == output->st_ino && inputs[n].st_dev == output->st_dev) {
            brume_pattern_path(&files->pattern, files->found.frames[n], path);
            return true;
        }
    }
    return false;
}

static BrumeStatus check_existing(const BrumeFrameFiles *files, const struct stat *inputs, const BrumeSequence *written,
                                  const BrumeOutputPattern *outputs, bool overwrite, BrumeError *error)
{
    char first[BRUME_MAX_PATH] = "";
    int taken = 0;
    const int count = outputs->video ? 1 : written->count;
    for (int n = 0; n < count; n++) {
        char path[BRUME_MAX_PATH];
        char input[BRUME_MAX_PATH];
        struct stat existing;
        brume_pattern_path(outputs, written->frames[n], path);
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

BrumeStatus brume_frame_files_check_outputs(const BrumeFrameFiles *files, const BrumeSequence *written,
                                            BrumeOutputPattern *outputs, const char *text, bool overwrite,
                                            BrumeError *error)
{
    BrumeStatus status = brume_pattern_parse(outputs, text, "OUTPUT", error);
    outputs->video = brume_video_format_of(text);
    status = status == BRUME_OK ? brume_pattern_check_number(outputs, written->count, "OUTPUT", error) : status;
    if (status != BRUME_OK) {
        return status;
    }
    if (files->pattern.width < 0 && outputs->width >= 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "OUTPUT: '%s' has a frame number, and the input '%s' has none", text,
                          files->pattern.text);
    }
    struct stat *inputs = brume_alloc((size_t)files->found.count, sizeof *inputs);
    if (!inputs) {
        return brume_out_of_memory(error, "a list of files");
    }
    for (int n = 0; n < files->found.count && status == BRUME_OK; n++) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&files->pattern, files->found.frames[n], path);
        if (stat(path, &inputs[n]) != 0) {
            status = fail_open(path, error);
        }
    }
    status = status == BRUME_OK ? check_existing(files, inputs, written, outputs, overwrite, error) : status;
    brume_free(inputs);
    return status;
}
