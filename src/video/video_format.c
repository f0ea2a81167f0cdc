/*
 * The settings of the encoders. Both keep the quality constant (crf) and let the size vary; docs/video.md has the
 * sizes, and the visible loss.
 *
 * A video must not depend on the machine. With several threads, the decisions of libx264 depend on their number, so it
 * has one. `cpu-independent` keeps it from choosing algorithms by the instruction set.
 */
#include "video/video_format.h"

#include <string.h>
#include <strings.h>

const BrumeVideoFormat brume_video_formats[] = {
    {.extension = "mp4",
     .container = "mp4",
     .encoder = "libx264",
     .options = "preset=slow profile=high crf=16 aq-mode=3 x264-params=cpu-independent=1",
     .bits_per_pixel = 0.1,
     .memory_per_pixel = 220},
    {.extension = "webm",
     .container = "webm",
     .encoder = "libvpx-vp9",
     .options = "b=0 crf=18 deadline=good cpu-used=2 lag-in-frames=25 auto-alt-ref=1 row-mt=0",
     .bits_per_pixel = 0.05,
     .memory_per_pixel = 150},
    {0},
};

enum { LEAST_SIDE = 16, MOST_SIDE = 16384 };
static const double least_fps = 0.1;
static const double most_fps = 240.0;

const BrumeVideoFormat *brume_video_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (const BrumeVideoFormat *format = brume_video_formats; dot && format->extension; format++) {
        if (strcasecmp(dot + 1, format->extension) == 0) {
            return format;
        }
    }
    return NULL;
}

BrumeStatus brume_video_check(int width, int height, double fps, BrumeError *error)
{
    if (width < LEAST_SIDE || height < LEAST_SIDE || width > MOST_SIDE || height > MOST_SIDE) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video of %d x %d pixels is not possible (give a size from %d to %d)", width, height,
                          LEAST_SIDE, MOST_SIDE);
    }
    if (width % 2 != 0 || height % 2 != 0) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video needs an even width and height, not %d x %d (give %d x %d, or write images)", width,
                          height, width + width % 2, height + height % 2);
    }
    if (!(fps >= least_fps && fps <= most_fps)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video of %.6g frames per second is not possible (give %.6g to %.6g, or write images)", fps,
                          least_fps, most_fps);
    }
    return BRUME_OK;
}

double brume_video_size(const BrumeVideoFormat *format, int width, int height, int frames)
{
    return format->bits_per_pixel / 8.0 * width * height * frames;
}

size_t brume_video_memory(const BrumeVideoFormat *format, int width, int height)
{
    return (size_t)format->memory_per_pixel * (size_t)width * (size_t)height;
}
