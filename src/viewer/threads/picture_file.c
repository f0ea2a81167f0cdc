// The files to which the pictures of requests are written: a PNG or EXR file each, or a video of all frames of a
// recording.
#include "viewer/threads/picture_thread_internal.h"

#include "brume/brume.h"
#include "io/exr_write.h"
#include "io/image_internal.h"

#include <stdio.h>

static BrumeStatus write_exr(const BrumePictureRequest *request, const void *planes, BrumeError *error)
{
#ifdef BRUME_HAS_OPENEXR
    const BrumePictureLook *look = &request->look;
    BrumeExrHeader header = {
        .whole_width = look->width,
        .whole_height = look->height,
        .channel_count = 4,
        .metadata = {.software = "Brume " BRUME_VERSION_STRING,
                     .frame = request->snapshot.frame,
                     .time = request->snapshot.time,
                     .fps = request->snapshot.variants[0].settings.fps,
                     .camera = look->camera},
    };
    for (int n = 0; n < 4; n++) {
        (void)snprintf(header.channels[n].name, sizeof header.channels[n].name, "%c", "RGBA"[n]);
        header.channels[n].single = look->single;
    }
    return brume_exr_write(request->path, look->width, look->height, &header, planes, false, error);
#else
    (void)planes;
    return brume_fail(error, BRUME_FAILED,
                      "%s: EXR images need OpenEXR, which this program was built without (choose PNG)", request->path);
#endif
}

BrumeStatus brume_picture_file_write(const BrumePictureRequest *request, const void *pixels, BrumePixelFormat format,
                                     BrumeError *error)
{
    return format.planes > 0 ? write_exr(request, pixels, error)
                             : brume_image_write_pixels(request->path, request->look.width, request->look.height,
                                                        pixels, format, false, error);
}

BrumeStatus brume_video_file_add(BrumeVideoFile *file, const BrumePictureRequest *request, double fps,
                                 const void *pixels, BrumeError *error)
{
    const int width = request->look.width;
    const int height = request->look.height;
    if (!file->video) {
        const BrumeStatus status = file->writers->open_video(&file->video, request->path, width, height, fps, error);
        if (status != BRUME_OK) {
            file->video = NULL;
            return status;
        }
        file->width = width;
        file->height = height;
    }
    if (width != file->width || height != file->height) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: a video has one size, but the pictures changed from %d x %d to "
                          "%d x %d (give pictures a size of their own)",
                          request->path, file->width, file->height, width, height);
    }
    return file->writers->add_to_video(file->video, pixels, error);
}

BrumeStatus brume_video_file_finish(BrumeVideoFile *file, BrumeError *error)
{
    void *opened = file->video;
    file->video = NULL;
    return opened ? file->writers->finish_video(opened, error) : BRUME_OK;
}

void brume_video_file_abandon(BrumeVideoFile *file)
{
    if (file->video) {
        file->writers->abandon_video(file->video);
        file->video = NULL;
    }
}
