#include "app/run/written_frames.h"

#include "app/cli/format.h"

#include <stdio.h>
#include <string.h>

// what a file of this pattern is called
static const char *noun(const BrumeOutputPattern *pattern, int count)
{
    static const char *const nouns[2][2] = {{"frame", "frames"}, {"picture", "pictures"}};
    return nouns[pattern->turns][count != 1];
}

BrumeWrittenText brume_describe_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written,
                                        double seconds)
{
    BrumeWrittenText text;
    if (written->count == 0) { // the run has ended before its first frame, or other workers have drawn all
        (void)snprintf(text.text, sizeof text.text, "no %s is written, in %s", noun(pattern, 1),
                       brume_format_duration(seconds).text);
        return text;
    }
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(pattern, written->first, first);
    brume_pattern_path(pattern, written->last, last);
    const bool has_two = strcmp(first, last) != 0; // not of one frame, nor of a video
    (void)snprintf(text.text, sizeof text.text, "%d %s in %s: %s%s%s", written->count, noun(pattern, written->count),
                   brume_format_duration(seconds).text, first, has_two ? " to " : "", has_two ? last : "");
    return text;
}

void brume_print_nothing_to_do(BrumeMessages *messages)
{
    brume_messages_print(messages, BRUME_PRINT_RESULTS,
                         "nothing to do: all files exist (give --overwrite to make them again)");
}

void brume_append_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written, bool video_complete,
                          BrumeError *error)
{
    const size_t used = strlen(error->text);
    const int first = brume_pattern_number(pattern, written->first);
    const int last = brume_pattern_number(pattern, written->last);
    char text[256];
    (void)snprintf(text, sizeof text, "; no %s is written", noun(pattern, 1));
    if (pattern->video && written->count > 0 && !video_complete) {
        (void)snprintf(text, sizeof text, "; no video is written");
    } else if (pattern->video && written->count > 0) {
        (void)snprintf(text, sizeof text, "; %.128s has %d %s, %d to %d", pattern->text, written->count,
                       noun(pattern, written->count), first, last);
    } else if (written->count == 1) {
        (void)snprintf(text, sizeof text, "; %s %d is written", noun(pattern, 1), first);
    } else if (written->count > 1) {
        (void)snprintf(text, sizeof text, "; %d %s are written, %d to %d", written->count,
                       noun(pattern, written->count), first, last);
    }
    // a long text is cut
    const size_t room = sizeof error->text - 1 - strlen(text);
    (void)snprintf(error->text + (used < room ? used : room), strlen(text) + 1, "%s", text);
}

// what continues a run that was stopped after frame `done`
static const char *how_to_go_on(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done)
{
    const bool has_video = pattern->video && done >= frames->first;
    return has_video ? "--resume cannot continue a video: start again with --overwrite" : "go on with --resume";
}

// the number of a frame in messages; pictures are counted
static int shown(const BrumeOutputPattern *pattern, int frame)
{
    return pattern->turns ? frame : brume_pattern_number(pattern, frame);
}

BrumeStatus brume_fail_interrupted(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done,
                                   BrumeError *error)
{
    return brume_fail(error, BRUME_INTERRUPTED, "interrupted after %s %d of %d (%s)", noun(pattern, 1),
                      shown(pattern, done), shown(pattern, frames->last), how_to_go_on(pattern, frames, done));
}

BrumeStatus brume_fail_disk_full(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done,
                                 const BrumeError *shortage, BrumeError *error)
{
    return brume_fail(error, BRUME_FAILED, "%s: stopped after %s %d of %d (free some space, %s)", shortage->text,
                      noun(pattern, 1), shown(pattern, done), shown(pattern, frames->last),
                      how_to_go_on(pattern, frames, done));
}
