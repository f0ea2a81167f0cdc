#include "app/video/image_output.h"

#include "app/cli/interrupt.h"
#include "core/error.h"
#include "io/exr_write.h"
#include "video/video_format.h"
#include "video/video_library.h"

#include <stddef.h>

static BrumeStatus add_to_video(void *context, const BrumeSequencePicture *picture, BrumeError *error)
{
    BrumeImageOutput *output = context;
    const BrumeStatus status = output->video->add(output->encoder, picture->pixels, error);
    output->begun = true;
    output->failed = output->failed || status != BRUME_OK;
    return status;
}

static BrumeStatus load_encoder(const BrumeImageOutputDef *def, const BrumeVideoFunctions **video, BrumeError *error)
{
    const BrumeStatus status = brume_video_check(def->width, def->height, def->fps, error);
    return status == BRUME_OK ? brume_video_load(video, error) : status;
}

BrumeImageOutputDef brume_scene_images(const BrumeScene *scene, bool overwrite)
{
    return (BrumeImageOutputDef){
        .width = scene->width, .height = scene->height, .fps = (double)scene->sim.fps, .overwrite = overwrite};
}

BrumeStatus brume_image_output_check(const BrumeOutputPattern *pattern, const BrumeImageOutputDef *def,
                                     BrumeError *error)
{
    const BrumeVideoFunctions *video;
#ifndef BRUME_HAS_OPENEXR
    if (brume_pattern_is_exr(pattern)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--output: EXR images need OpenEXR, which this program was built without (install "
                          "libopenexr-dev and build it again)");
    }
#endif
    return pattern->video ? load_encoder(def, &video, error) : BRUME_OK;
}

static BrumeImageSink file_sink(const BrumeOutputPattern *pattern, bool overwrite)
{
#ifdef BRUME_HAS_OPENEXR
    if (brume_pattern_is_exr(pattern)) {
        return brume_exr_file_sink(overwrite);
    }
#else
    (void)pattern; // brume_image_output_check refuses them
#endif
    return brume_image_file_sink(overwrite);
}

BrumeStatus brume_image_output_open(BrumeImageOutput *output, const BrumeOutputPattern *pattern,
                                    const BrumeImageOutputDef *def, BrumeError *error)
{
    *output = (BrumeImageOutput){.sink = file_sink(pattern, def->overwrite)};
    if (!pattern->video) {
        return BRUME_OK;
    }
    BrumeStatus status = load_encoder(def, &output->video, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeVideoDef video = {.path = pattern->text,
                                 .width = def->width,
                                 .height = def->height,
                                 .fps = def->fps,
                                 .overwrite = def->overwrite};
    brume_interrupt_block(); // no file without its entry
    status = output->video->create(&output->encoder, &video, error);
    if (status == BRUME_OK) {
        brume_interrupt_set_partial_file(output->video->temporary(output->encoder));
        output->sink = (BrumeImageSink){.add = add_to_video, .context = output};
    }
    brume_interrupt_unblock();
    return status;
}

BrumeStatus brume_image_output_finish(BrumeImageOutput *output, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (output->encoder && output->begun && !output->failed) {
        brume_interrupt_block();
        status = output->video->finish(output->encoder, error);
        output->complete = status == BRUME_OK;
        brume_interrupt_unblock();
    }
    brume_image_output_close(output);
    return status;
}

void brume_image_output_close(BrumeImageOutput *output)
{
    if (output->encoder) {
        brume_interrupt_block();
        output->video->destroy(output->encoder);
        output->encoder = NULL;
        brume_interrupt_set_partial_file(NULL);
        brume_interrupt_unblock();
    }
}
