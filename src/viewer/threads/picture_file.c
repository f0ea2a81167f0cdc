#include "viewer/threads/picture_file.h"

#include "brume/brume.h"
#include "core/half.h"
#include "io/exr_write.h"
#include "io/image_internal.h"

#include <stdio.h>

static BrumeStatus write_exr(const BrumePictureFile *picture, const char *path, BrumeError *error)
{
#ifdef BRUME_HAS_OPENEXR
    BrumeExrHeader header = {
        .whole_width = picture->width,
        .whole_height = picture->height,
        .channel_count = 4,
        .metadata = {.software = "Brume " BRUME_VERSION_STRING,
                     .frame = picture->frame,
                     .time = picture->time,
                     .fps = picture->fps,
                     .camera = picture->camera},
    };
    for (int n = 0; n < 4; n++) {
        (void)snprintf(header.channels[n].name, sizeof header.channels[n].name, "%c", "RGBA"[n]);
        header.channels[n].single = picture->single;
    }
    return brume_exr_write(path, picture->width, picture->height, &header, picture->pixels, false, error);
#else
    (void)picture;
    return brume_fail(error, BRUME_FAILED,
                      "%s: EXR images need OpenEXR, which this program was built without (choose PNG)", path);
#endif
}

BrumeStatus brume_picture_file_write(const BrumePictureFile *picture, const char *path, BrumeError *error)
{
    return picture->format.planes > 0 ? write_exr(picture, path, error)
                                      : brume_image_write_pixels(path, picture->width, picture->height, picture->pixels,
                                                                 picture->format, false, error);
}

size_t brume_linear_pixel_bytes(bool single) { return 4 * (single ? sizeof(float) : sizeof(uint16_t)); }

void brume_linear_planes(const float *radiance, const float *alpha, size_t pixels, bool single, void *planes)
{
    const float largest_half = 65504.0f;
    for (size_t c = 0; c < 4; c++) {
        float *floats = (float *)planes + c * pixels;
        uint16_t *halves = (uint16_t *)planes + c * pixels;
#pragma omp parallel for schedule(static)
        for (size_t n = 0; n < pixels; n++) {
            const float value = c < 3 ? radiance[3 * n + c] : alpha ? alpha[n] : 1.0f;
            if (single) {
                floats[n] = value < 1e10f ? value : 1e10f; // as in files of `brume render`
            } else {
                halves[n] = brume_half_of_float(value < largest_half ? value : largest_half);
            }
        }
    }
}

BrumeStatus brume_recorded_video_add(BrumeRecordedVideo *video, const char *path, double fps,
                                     const BrumePictureFile *picture, BrumeError *error)
{
    if (!video->video) {
        const BrumeStatus status =
            video->writers->open_video(&video->video, path, picture->width, picture->height, fps, error);
        if (status != BRUME_OK) {
            video->video = NULL;
            return status;
        }
        video->width = picture->width;
        video->height = picture->height;
    }
    if (picture->width != video->width || picture->height != video->height) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: a video has one size, but the pictures changed from %d x %d to "
                          "%d x %d (give pictures a size of their own)",
                          path, video->width, video->height, picture->width, picture->height);
    }
    return video->writers->add_to_video(video->video, picture->pixels, error);
}

BrumeStatus brume_recorded_video_finish(BrumeRecordedVideo *video, BrumeError *error)
{
    void *opened = video->video;
    video->video = NULL;
    return opened ? video->writers->finish_video(opened, error) : BRUME_OK;
}

void brume_recorded_video_abandon(BrumeRecordedVideo *video)
{
    if (video->video) {
        video->writers->abandon_video(video->video);
        video->video = NULL;
    }
}
