// PNG images, of this program or another, to a video.
#include "app/cli/interrupt.h"
#include "app/convert/convert_target.h"
#include "app/convert/frame_files.h"
#include "app/video/image_output.h"
#include "app/video/image_read.h"
#include "core/parallel/clock.h"

#include <string.h>
#include <strings.h>

static const double default_fps = 24.0; // the default of scenes

static void list_extensions(BrumeText *list)
{
    for (const BrumeVideoFormat *format = brume_video_formats; format->extension; format++) {
        brume_text_add(list, "%s%s", list->size > 0 ? ", " : "", format->extension);
    }
}

static bool accepts(const char *output) { return brume_video_format_of(output) != NULL; }

static unsigned options_of(const char *output)
{
    (void)output;
    return BRUME_CONVERT_FPS;
}

/** The video during the conversion. */
typedef struct Video {
    BrumeOutputPattern path;
    BrumeImageOutputDef def;
    BrumeImageOutput output;
} Video;

static BrumeStatus check_input(const char *input, BrumeError *error)
{
    const char *dot = strrchr(input, '.');
    return dot && strcasecmp(dot, ".png") == 0
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "INPUT: '%s' is not the path of PNG images, of which a video is made (give images such as "
                            "out/plume.####.png; brume render makes a video of a scene or of volumes)",
                            input);
}

static BrumeStatus check_complete(const BrumeFrameFiles *files, BrumeError *error)
{
    return files->missing_count == 0
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "%s: %d %s missing, and a video has no gaps: %.256s (draw them, or give another range by "
                            "--frames)",
                            files->pattern.text, files->missing_count,
                            files->missing_count == 1 ? "image is" : "images are", files->missing.data);
}

// begins a video of the size of its first image
static BrumeStatus open_video(Video *video, const BrumeImage *first, BrumeError *error)
{
    video->def.width = first->width;
    video->def.height = first->height;
    BrumeStatus status = brume_image_output_check(&video->path, &video->def, error);
    if (status == BRUME_OK) {
        status = brume_pattern_prepare(&video->path, 0, error);
    }
    return status == BRUME_OK ? brume_image_output_open(&video->output, &video->path, &video->def, error) : status;
}

static BrumeStatus add_image(Video *video, const char *path, BrumeError *error)
{
    BrumeImage image;
    BrumeStatus status = brume_image_read(&image, path, error);
    if (status == BRUME_OK && !video->output.encoder) {
        status = open_video(video, &image, error);
    }
    if (status == BRUME_OK && (image.width != video->def.width || image.height != video->def.height)) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s has %d x %d pixels, the images before it have %d x %d (a video has one size)", path,
                            image.width, image.height, video->def.width, video->def.height);
    }
    if (status == BRUME_OK) {
        const BrumeSequencePicture picture = {
            .pixels = image.rgb, .format = brume_rgb8, .width = image.width, .height = image.height, .path = path};
        status = video->output.sink.add(video->output.sink.context, &picture, error);
    }
    brume_image_destroy(&image);
    return status;
}

static BrumeStatus add_images(Video *video, const BrumeFrameFiles *files, BrumeMessages *messages, BrumeError *error)
{
    BrumeProgress progress;
    brume_progress_start(&progress, 0, files->found.count, brume_seconds());
    for (int n = 0; n < files->found.count; n++) {
        char path[BRUME_MAX_PATH];
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted after image %d of %d; no video is written", n,
                              files->found.count);
        }
        brume_pattern_path(&files->pattern, files->found.frames[n], path);
        if (add_image(video, path, error) != BRUME_OK) {
            return error->status;
        }
        brume_progress_count(&progress, brume_seconds(), 0.0, 0.0);
        brume_messages_progress(messages, &progress);
    }
    return BRUME_OK;
}

static BrumeStatus convert(const BrumeConvertDef *def, BrumeMessages *messages, BrumeError *error)
{
    BrumeFrameFiles files = {0};
    Video video = {.def = {.fps = def->fps > 0.0 ? def->fps : default_fps, .overwrite = def->overwrite}};
    BrumeStatus status = check_input(def->input, error);
    status = status == BRUME_OK ? brume_frame_files_find(&files, def->input, &def->frames, error) : status;
    if (status == BRUME_OK) {
        status = brume_frame_files_check_outputs(&files, &files.found, &video.path, def->output, def->overwrite, error);
    }
    status = status == BRUME_OK ? check_complete(&files, error) : status;
    status = status == BRUME_OK ? brume_interrupt_start("stopping without a video", error) : status;
    status = status == BRUME_OK ? add_images(&video, &files, messages, error) : status;
    status = status == BRUME_OK ? brume_image_output_finish(&video.output, error) : status;
    if (status == BRUME_OK) {
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "%d %s, %.6g per second: %s", files.found.count,
                             files.found.count == 1 ? "frame" : "frames", video.def.fps, def->output);
    }
    brume_image_output_close(&video.output);
    brume_frame_files_destroy(&files);
    return status;
}

const BrumeConvertTarget brume_video_target = {
    .list_extensions = list_extensions,
    .accepts = accepts,
    .options = options_of,
    .convert = convert,
};
