/*
 * The range of frames and the pattern of `--frames` and `--output`: the first line of the input is the range, the
 * second the pattern. Every frame of an accepted range has a path of its own.
 */
#include "fuzz_target.h"

#include "app/cli/paths.h"

#include <stdlib.h>
#include <string.h>

/** Requires that the paths of two frames differ and fit into their arrays. */
static void require_paths(const BrumeOutputPattern *pattern, const BrumeFrameRange *range)
{
    const int count = brume_frames_count(range);
    const int first = brume_frames_at(range, 0);
    const int last = brume_frames_at(range, count - 1);
    FUZZ_REQUIRE(count >= 1 && first == range->first && last == range->last, pattern->text);
    FUZZ_REQUIRE(brume_frames_contain(range, first) && brume_frames_contain(range, last), pattern->text);
    char paths[2][BRUME_MAX_PATH];
    brume_pattern_path(pattern, first, paths[0]);
    brume_pattern_path(pattern, last, paths[1]);
    FUZZ_REQUIRE(strlen(paths[0]) < BRUME_MAX_PATH - 1 && strlen(paths[1]) < BRUME_MAX_PATH - 1, pattern->text);
    FUZZ_REQUIRE((strcmp(paths[0], paths[1]) == 0) == (first == last), pattern->text);
    const char *const extension = strrchr(pattern->text, '.');
    FUZZ_REQUIRE(strcmp(strrchr(paths[1], '.'), extension) == 0, pattern->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = fuzz_text(data, size);
    char *const pattern_text = text + strcspn(text, "\n");
    const char *const pattern_start = *pattern_text ? pattern_text + 1 : pattern_text;
    *pattern_text = '\0';
    BrumeError error = {0};
    BrumeFrameRange range = {0};
    BrumeStatus status = brume_parse_frames(&range, "--frames", text, &error);
    if (status != BRUME_OK) {
        status = brume_parse_frame(&range, "--frame", text, &error);
    }
    fuzz_require_status(status, &error);
    if (status == BRUME_OK) {
        status = brume_frames_resolve(&range, 1 << 20, 1, &error);
        fuzz_require_status(status, &error);
    }
    if (status != BRUME_OK) {
        range = (BrumeFrameRange){.first = 1, .last = 24, .stride = 1};
    }
    BrumeOutputPattern pattern;
    const BrumePatternDef def = {.option = "--output", .extensions = brume_image_extensions};
    status = brume_pattern_read(&pattern, pattern_start, &def, brume_frames_count(&range), &error);
    fuzz_require_status(status, &error);
    if (status == BRUME_OK) {
        require_paths(&pattern, &range);
    }
    free(text);
    return 0;
}
