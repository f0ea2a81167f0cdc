#include "app/run/written_frames.h"

#include "app/cli/format.h"

#include <stdio.h>
#include <string.h>

BrumeWrittenText brume_describe_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written,
                                        double seconds)
{
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(pattern, written->first, first);
    brume_pattern_path(pattern, written->last, last);
    const bool has_two = strcmp(first, last) != 0; // not of one frame, nor of a video
    BrumeWrittenText text;
    (void)snprintf(text.text, sizeof text.text, "%d %s in %s: %s%s%s", written->count,
                   written->count == 1 ? "frame" : "frames", brume_format_duration(seconds).text, first,
                   has_two ? " to " : "", has_two ? last : "");
    return text;
}

void brume_append_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written, bool video_complete,
                          BrumeError *error)
{
    const size_t used = strlen(error->text);
    char text[256] = "; no frame is written";
    if (pattern->video && written->count > 0 && !video_complete) {
        (void)snprintf(text, sizeof text, "; no video is written");
    } else if (pattern->video && written->count > 0) {
        (void)snprintf(text, sizeof text, "; %.128s has %d %s, %d to %d", pattern->text, written->count,
                       written->count == 1 ? "frame" : "frames", written->first, written->last);
    } else if (written->count == 1) {
        (void)snprintf(text, sizeof text, "; frame %d is written", written->first);
    } else if (written->count > 1) {
        (void)snprintf(text, sizeof text, "; %d frames are written, %d to %d", written->count, written->first,
                       written->last);
    }
    // a long text is cut
    const size_t room = sizeof error->text - 1 - strlen(text);
    (void)snprintf(error->text + (used < room ? used : room), strlen(text) + 1, "%s", text);
}

BrumeStatus brume_fail_interrupted(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done,
                                   BrumeError *error)
{
    const bool has_video = pattern->video && done >= frames->first;
    return brume_fail(error, BRUME_INTERRUPTED, "interrupted after frame %d of %d (%s)", done, frames->last,
                      has_video ? "--resume cannot continue a video: start again with --overwrite"
                                : "go on with --resume");
}
