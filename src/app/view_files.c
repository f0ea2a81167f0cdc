#include "app/view_files.h"

#include "app/cli/interrupt.h"
#include "app/volumes/capture.h"
#include "core/memory.h"
#include "exchange/volume_format.h"
#include "video/video_format.h"
#include "video/video_library.h"

#include <stdio.h>

/** A video that is written. */
typedef struct ViewedVideo {
    const BrumeVideoFunctions *functions;
    BrumeVideoEncoder *encoder;
} ViewedVideo;

static bool can_write(const char *extension)
{
    char name[32];
    (void)snprintf(name, sizeof name, "frame%s", extension);
    const BrumeVolumeFormat *format = brume_volume_format_of(name);
    return brume_video_format_of(name) || (format && format->write);
}

static BrumeStatus write_volume(const BrumeSnapshotVariant *state, int frame, double time, const char *scene_text,
                                const char *path, BrumeError *error)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    if (!format || !format->write) {
        return brume_fail(error, BRUME_FAILED, "%s: this program does not write such files", path);
    }
    BrumeCaptureState captured = {
        .settings = &state->settings,
        .particles = state->particles.items,
        .particle_count = state->particles.count,
        .frame = frame,
        .time = time,
    };
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        captured.fields[id] = state->fields[id].data ? &state->fields[id] : NULL;
    }
    for (int n = 0; n < BRUME_SNAPSHOT_TEXTURES; n++) {
        const BrumeField *field = &state->fields[BRUME_SNAPSHOT_TEXTURE + n];
        captured.texture[n / 3][n % 3] = field->data ? field : NULL;
    }
    const unsigned fields = BRUME_VOLUME_SMOKE | BRUME_VOLUME_TEMPERATURE | BRUME_VOLUME_VELOCITY |
                            BRUME_VOLUME_PRESSURE | BRUME_VOLUME_TEXTURE |
                            (state->particles.count > 0 ? BRUME_VOLUME_PARTICLES : 0);
    BrumeFrameGrids grids = {0};
    BrumeStatus status = brume_capture_state(&grids, &captured, fields, scene_text, error);
    if (status == BRUME_OK) {
        const BrumeVolumeWriteDef def = {0};
        brume_interrupt_block(); // a second signal waits until the file is complete
        status = brume_volume_file_write(&grids, path, &def, error);
        brume_interrupt_unblock();
    }
    brume_frame_grids_destroy(&grids);
    return status;
}

static BrumeStatus check_video(int width, int height, double fps, BrumeError *error)
{
    const BrumeVideoFunctions *functions;
    const BrumeStatus status = brume_video_check(width, height, fps, error);
    return status == BRUME_OK ? brume_video_load(&functions, error) : status;
}

static BrumeStatus open_video(void **video, const char *path, int width, int height, double fps, BrumeError *error)
{
    *video = NULL;
    BrumeStatus status = check_video(width, height, fps, error);
    ViewedVideo *opened = status == BRUME_OK ? brume_alloc(1, sizeof *opened) : NULL;
    if (!opened) {
        return status == BRUME_OK ? brume_out_of_memory(error, "%s", path) : status;
    }
    const BrumeVideoDef def = {.path = path, .width = width, .height = height, .fps = fps};
    status = brume_video_load(&opened->functions, error);
    brume_interrupt_block(); // no file without its entry
    if (status == BRUME_OK) {
        status = opened->functions->create(&opened->encoder, &def, error);
    }
    if (status == BRUME_OK) {
        brume_interrupt_set_partial_file(opened->functions->temporary(opened->encoder));
        *video = opened;
    } else {
        brume_free(opened);
    }
    brume_interrupt_unblock();
    return status;
}

static BrumeStatus add_to_video(void *video, const uint8_t *rgb, BrumeError *error)
{
    const ViewedVideo *opened = video;
    return opened->functions->add(opened->encoder, rgb, error);
}

static void abandon_video(void *video)
{
    ViewedVideo *opened = video;
    if (opened) {
        brume_interrupt_block();
        opened->functions->destroy(opened->encoder);
        brume_interrupt_set_partial_file(NULL);
        brume_interrupt_unblock();
        brume_free(opened);
    }
}

static BrumeStatus finish_video(void *video, BrumeError *error)
{
    const ViewedVideo *opened = video;
    brume_interrupt_block();
    const BrumeStatus status = opened->functions->finish(opened->encoder, error);
    brume_interrupt_unblock();
    abandon_video(video);
    return status;
}

const BrumeFileWriters brume_view_writers = {
    .can_write = can_write,
    .write_volume = write_volume,
    .check_video = check_video,
    .open_video = open_video,
    .add_to_video = add_to_video,
    .finish_video = finish_video,
    .abandon_video = abandon_video,
};
