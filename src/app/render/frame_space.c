#include "app/render/frame_space.h"

#include "core/minmax.h"
#include "video/video_format.h"

#include <sys/stat.h>

static const double growth = 1.5; // by which the next file may exceed the largest one so far
enum { FRAMES_IN_ENCODER = 64 };  // frames of a video that its encoder may hold back: more than its lookahead
enum { BYTES_IN_BLOCK = 512 };    // of stat.st_blocks

BrumeFrameSpace brume_picture_space(const BrumeOutputPattern *pattern, const BrumePictureOutput *pictures)
{
    const BrumeVideoFormat *video = pattern->video;
    return (BrumeFrameSpace){
        .pattern = pattern,
        .least = video ? 0.0 : brume_least_image_bytes(pictures),
        .most =
            video ? brume_video_size(video, pictures->width, pictures->height, 1) : brume_most_image_bytes(pictures),
    };
}

void brume_frame_space_add(const BrumeFrameSpace *space, int frame, BrumeDiskNeed *need)
{
    char path[BRUME_MAX_PATH];
    struct stat replaced;
    brume_pattern_path(space->pattern, frame, path);
    // a video is replaced when the new one is complete
    const bool replaces = !space->pattern->video && stat(path, &replaced) == 0;
    const double freed = replaces ? (double)BYTES_IN_BLOCK * (double)replaced.st_blocks : 0.0;
    need->least += brume_fmax(space->least - freed, 0.0);
    need->most += brume_fmax(space->most - freed, 0.0);
}

double brume_frame_space_next(BrumeFrameSpace *space, BrumeRunStats *stats, int first)
{
    const BrumeFrameCount written = brume_run_stats_written(stats, first);
    const int in_progress = space->submitted - written.count;
    if (space->pattern->video) {
        return (in_progress + 1 + FRAMES_IN_ENCODER) * space->most;
    }
    char path[BRUME_MAX_PATH];
    struct stat about;
    if (written.count > 0) {
        brume_pattern_path(space->pattern, written.last, path);
        if (stat(path, &about) == 0) {
            space->largest = brume_fmax(space->largest, (double)about.st_size);
        }
    }
    return (in_progress + 1) * growth * space->largest;
}
