#include "app/run/draw_volumes.h"

#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/messages.h"
#include "app/cli/output_files.h"
#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/render/frame_pipeline.h"
#include "app/render/run_memory.h"
#include "app/run/written_frames.h"
#include "app/video/image_output.h"
#include "app/volumes/default_look.h"
#include "app/volumes/volume_reader.h"
#include "brume/brume.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/text.h"
#include "exchange/volume_format.h"
#include "scene/compare.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {.tv_nsec = 200000000}; // between two looks for an awaited volume

/** The state of the command. */
typedef struct VolumeRun {
    const BrumeRunSettings *settings;
    BrumeMessages messages;
    BrumeOutputPattern volumes, images; // `images` can be a video
    BrumeSequence sequence;
    BrumeFrameRange frames;
    BrumeScene *scene;       // the look
    BrumeSimDef def;         // the scene's, with the obstacles at their positions in the present frame
    BrumeFrameGrids present; // what is drawn
    BrumeVolumeReader next;
    BrumeImageOutput output;
    BrumeFramePipeline *pipeline;
    BrumeRunStats stats;
    BrumeProgress progress;
    int kept; // images of an earlier run
} VolumeRun;

bool brume_names_volumes(const char *operand)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(operand);
    return format && format->read;
}

// options that need a simulation
static BrumeStatus check_options(const BrumeRunSettings *settings, BrumeError *error)
{
    const BrumeCheckpointOptions *checkpoints = &settings->checkpoints;
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"--dry-run", settings->dry_run},
        {"--measures", settings->measures != NULL},
        {"--probes-dir", settings->probes_dir != NULL},
        {"--until-steady", settings->until_steady > 0.0},
        {"--stats", settings->stats != NULL},
        {"--checkpoints", checkpoints->folder != NULL},
        {"--checkpoint-every", checkpoints->interval.given},
        {"--keep-checkpoints", checkpoints->keep != 0},
        {"--resume=force", checkpoints->resume == BRUME_RESUME_FORCE},
    };
    for (size_t n = 0; n < sizeof options / sizeof options[0]; n++) {
        if (options[n].given) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s needs a simulation, but volumes are only drawn (give a SCENE)", options[n].name);
        }
    }
    return settings->output
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "no output (give -o PATTERN, for example -o out/plume.####.png)");
}

static void volume_path(const VolumeRun *run, int frame, char path[BRUME_MAX_PATH])
{
    brume_pattern_path(&run->volumes, frame, path);
}

// waits until the volume of a frame exists; BRUME_INTERRUPTED after a signal
static BrumeStatus await_volume(VolumeRun *run, int frame, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    volume_path(run, frame, path);
    bool told = false;
    while (access(path, F_OK) != 0) {
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted while waiting for %s", path);
        }
        if (!told) {
            brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "waiting for %s", path);
            told = true;
        }
        (void)nanosleep(&poll_interval, NULL);
    }
    return BRUME_OK;
}

// the frames that are wanted, of those that exist; with --watch also those that do not exist yet
static BrumeStatus find_frames(VolumeRun *run, const char *text, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const BrumePatternDef def = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    if (brume_pattern_read(&run->volumes, text, &def, 1, error) != BRUME_OK) {
        return error->status;
    }
    run->frames = settings->frames;
    if (settings->watch) {
        const BrumeStatus status = await_volume(run, run->frames.stride > 0 ? run->frames.first : 1, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    if (brume_sequence_find(&run->sequence, &run->volumes, error) != BRUME_OK) {
        return error->status;
    }
    if (run->sequence.count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", text);
    }
    if (run->frames.stride == 0) {
        run->frames = (BrumeFrameRange){run->sequence.frames[0], run->sequence.frames[run->sequence.count - 1],
                                        brume_sequence_stride(&run->sequence)};
    }
    for (int n = 0; n < brume_frames_count(&run->frames) && !settings->watch; n++) {
        const int frame = brume_frames_at(&run->frames, n);
        if (!brume_sequence_has(&run->sequence, frame)) {
            char path[BRUME_MAX_PATH];
            volume_path(run, frame, path);
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the volume of frame %d is missing (give --frames with those that exist, %d to %d)",
                              path, frame, run->sequence.frames[0], run->sequence.frames[run->sequence.count - 1]);
        }
    }
    return BRUME_OK;
}

// an override of what the volumes already hold would have no effect
static BrumeStatus check_overrides(const VolumeRun *run, const char *path, BrumeError *error)
{
    BrumeScene *without = NULL;
    BrumeText differences = {0};
    BrumeStatus status = brume_scene_parse(&without, run->present.scene_text, path, NULL, 0, error);
    if (status == BRUME_OK) {
        status = brume_scene_compare(without, run->scene, run->frames.last, &differences, error);
    }
    if (status == BRUME_OK && differences.size > 0) {
        status =
            brume_fail(error, BRUME_BAD_INPUT,
                       "--define changes what was simulated, but volumes are only drawn: %.200s (simulate the scene "
                       "again)",
                       differences.data);
    }
    brume_text_destroy(&differences);
    brume_scene_destroy(without);
    return status;
}

// the look: that of --look, of the scene that the volume was simulated from, or one that fits the volume
static BrumeStatus load_look(VolumeRun *run, const char *path, BrumeError *error)
{
    BrumeRunOverrides overrides;
    if (brume_run_overrides(&overrides, run->settings, error) != BRUME_OK) {
        return error->status;
    }
    const BrumeTextList *list = &overrides.list;
    if (run->settings->look) {
        return brume_scene_load(&run->scene, run->settings->look, list->texts, list->count, error);
    }
    BrumeStatus status = BRUME_OK;
    if (!run->present.scene_text) {
        const char *slash = strrchr(path, '/');
        status = brume_default_look(&run->present, slash ? slash + 1 : path, &run->present.scene_text, error);
    }
    if (status == BRUME_OK) {
        status = brume_scene_parse(&run->scene, run->present.scene_text, path, list->texts, list->count, error);
    }
    return status == BRUME_OK ? check_overrides(run, path, error) : status;
}

// whether files of an earlier run stay; a video cannot be continued
static bool keeps_images(const VolumeRun *run)
{
    return run->settings->checkpoints.resume != BRUME_RESUME_OFF && !run->settings->overwrite && !run->images.video;
}

static BrumeStatus check_images(VolumeRun *run, const char *volume, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const BrumePatternDef def = {.option = "--output", .extensions = brume_image_extensions, .videos = true};
    BrumeStatus status =
        brume_pattern_read(&run->images, settings->output, &def, brume_frames_count(&run->frames), error);
    if (status == BRUME_OK && settings->look) {
        status = brume_pattern_check_scene(&run->images, &run->frames, settings->look, error);
    }
    if (status == BRUME_OK) {
        const BrumeImageOutputDef output = brume_scene_images(run->scene, settings->overwrite);
        status = brume_image_output_check(&run->images, &output, error);
    }
    const BrumeOutputFile files[] = {
        {run->images.video ? settings->output : NULL, "--output", BRUME_OUTPUT_ANY},
        {settings->log, "--log", settings->overwrite ? BRUME_OUTPUT_ANY : BRUME_OUTPUT_LOG},
    };
    if (status == BRUME_OK) {
        status = brume_check_output_files(files, 2, settings->look ? settings->look : volume, error);
    }
    if (status == BRUME_OK && !settings->overwrite && !keeps_images(run)) {
        status = brume_pattern_check_free(&run->images, &run->frames, error);
    }
    return status;
}

static BrumeStatus check_memory(const VolumeRun *run, BrumeError *error)
{
    const BrumeGrid cells = run->present.cells;
    size_t values = 0;
    for (int n = 0; n < run->present.count; n++) {
        values += brume_frame_grid_values(cells, &run->present.grids[n]);
    }
    const BrumeVideoFormat *video = run->images.video;
    const BrumeRunMemory memory = {
        .renderer =
            brume_renderer_bytes_needed(cells.nx, cells.ny, cells.nz, &run->scene->render_settings, BRUME_VOLUME_KINDS),
        .images = brume_image_buffer_bytes((size_t)run->scene->width * (size_t)run->scene->height) +
                  (video ? brume_video_memory(video, run->scene->width, run->scene->height) : 0),
        .volumes = 2 * values * sizeof(float),
    };
    return brume_run_memory_check(&memory, cells, run->scene, run->settings->max_memory, error);
}

static bool has_image(const VolumeRun *run, int frame)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->images, frame, path);
    return keeps_images(run) && access(path, F_OK) == 0;
}

// statistics of frames that nothing simulates
static BrumeStatus start_stats(VolumeRun *run, BrumeError *error)
{
    const BrumeStatus status = brume_run_stats_create(&run->stats, run->frames.last, error);
    for (int frame = 1; status == BRUME_OK && frame <= run->frames.last; frame++) {
        const BrumeFrameStats none = {.frame = frame, .converged = true};
        brume_run_stats_add(&run->stats, &none, 0);
    }
    return status;
}

// reads the first volume and checks all that can be checked before an image is drawn
static BrumeStatus start(VolumeRun *run, const char *text, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const bool resumes = settings->checkpoints.resume != BRUME_RESUME_OFF;
    int threads;
    char path[BRUME_MAX_PATH];
    if (check_options(settings, error) != BRUME_OK ||
        brume_threads_resolve(settings->common.threads, &threads, error) != BRUME_OK) {
        return error->status;
    }
    brume_set_threads(threads);
    if (brume_interrupt_start("stopping after this frame", error) != BRUME_OK ||
        find_frames(run, text, error) != BRUME_OK) {
        return error->status;
    }
    volume_path(run, run->frames.first, path);
    if (brume_volume_file_read(&run->present, path, error) != BRUME_OK || load_look(run, path, error) != BRUME_OK) {
        return error->status;
    }
    if (settings->watch && settings->frames.stride == 0) {
        run->frames = (BrumeFrameRange){1, run->scene->frames, 1};
    }
    if (check_images(run, path, error) != BRUME_OK || check_memory(run, error) != BRUME_OK ||
        brume_messages_open(&run->messages, settings->quiet, settings->verbosity, settings->log, resumes, error) !=
            BRUME_OK ||
        start_stats(run, error) != BRUME_OK) {
        return error->status;
    }
    brume_messages_scene_warnings(&run->messages, run->scene);
    BrumeStatus status = brume_pattern_prepare(&run->images, run->frames.first, error);
    if (status == BRUME_OK) {
        const BrumeImageOutputDef output = brume_scene_images(run->scene, settings->overwrite);
        status = brume_image_output_open(&run->output, &run->images, &output, error);
    }
    return status == BRUME_OK ? brume_frame_pipeline_create(&run->pipeline, run->scene, run->present.cells, 0,
                                                            &run->output.sink, &run->stats, error)
                              : status;
}

static BrumeStatus draw_present(VolumeRun *run, int frame, BrumeError *error)
{
    run->def.obstacle_count = run->present.obstacle_count;
    for (int n = 0; n < run->present.obstacle_count; n++) {
        run->def.obstacles[n].shape = run->present.obstacles[n];
    }
    const bool has_obstacles = run->present.obstacle_count == run->scene->sim.obstacle_count;
    const BrumeDrawnState state = {
        .volume = brume_frame_grids_volume(&run->present),
        .look = has_obstacles ? brume_scene_render_settings(run->scene, &run->def) : run->scene->render_settings,
        .time = run->present.time,
        .frame = frame,
        .seed = (uint32_t)(run->present.frame > 0 ? run->present.frame : frame),
    };
    if (!state.volume.density[0]) {
        char path[BRUME_MAX_PATH];
        volume_path(run, frame, path);
        return brume_fail(error, BRUME_BAD_INPUT, "%s: it has no grid '" BRUME_GRID_DENSITY "'", path);
    }
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->images, frame, path);
    return brume_frame_pipeline_submit(run->pipeline, &state, path, error);
}

// the next frame without an image, from `frame` on; 0 after the last one
static int frame_without_image(const VolumeRun *run, int frame)
{
    while (frame <= run->frames.last && has_image(run, frame)) {
        frame += run->frames.stride;
    }
    return frame <= run->frames.last ? frame : 0;
}

static BrumeStatus start_reading(VolumeRun *run, int frame, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    const BrumeStatus status = run->settings->watch ? await_volume(run, frame, error) : BRUME_OK;
    if (status == BRUME_OK) {
        volume_path(run, frame, path);
        brume_volume_reader_start(&run->next, path);
    }
    return status;
}

static BrumeStatus draw_all(VolumeRun *run, BrumeError *error)
{
    const int count = brume_frames_count(&run->frames);
    for (int n = 0; n < count; n++) {
        run->kept += has_image(run, brume_frames_at(&run->frames, n));
    }
    brume_progress_start(&run->progress, run->kept, count, brume_seconds());
    BrumeStatus status = BRUME_OK;
    int next = frame_without_image(run, run->frames.first);
    if (next > 0) {
        status = start_reading(run, next, error);
    }
    while (status == BRUME_OK && next > 0) {
        const int frame = next;
        status = brume_volume_reader_take(&run->next, &run->present, error);
        next = frame_without_image(run, frame + run->frames.stride);
        const bool stops = brume_interrupt_requested();
        if (status == BRUME_OK && next > 0 && !run->settings->watch && !stops) {
            status = start_reading(run, next, error);
        }
        if (status == BRUME_OK) {
            status = draw_present(run, frame, error);
        }
        if (status == BRUME_OK) {
            brume_progress_count(&run->progress, brume_seconds(), 0.0, 0.0);
            brume_messages_progress(&run->messages, &run->progress);
        }
        if (status == BRUME_OK && next > 0 && (stops || brume_interrupt_requested())) {
            return brume_fail_interrupted(&run->images, &run->frames, frame, error);
        }
        if (status == BRUME_OK && next > 0 && run->settings->watch) {
            status = start_reading(run, next, error);
        }
    }
    return status;
}

static void print_end(VolumeRun *run)
{
    const BrumeFrameCount written = brume_run_stats_written(&run->stats, 1);
    if (written.count == 0) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "nothing to do: all files exist (give --overwrite to make them again)");
        return;
    }
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%s; %.0f ms per image",
                         brume_describe_written(&run->images, &written, brume_seconds() - run->progress.started).text,
                         brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LOAD) +
                             brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LIGHT) +
                             brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_DRAW));
}

// draws all volumes and completes the output, also after an error
static BrumeStatus run_frames(VolumeRun *run, BrumeError *error)
{
    BrumeStatus status = draw_all(run, error);
    BrumeError write_error;
    BrumeStatus written = brume_frame_pipeline_finish(run->pipeline, &write_error);
    if (written == BRUME_OK) {
        written = brume_image_output_finish(&run->output, &write_error);
    }
    if (written != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = written;
        *error = write_error;
    }
    if (status != BRUME_OK) {
        const BrumeFrameCount frames = brume_run_stats_written(&run->stats, 1);
        brume_append_written(&run->images, &frames, run->output.complete, error);
    }
    return status;
}

static void destroy(VolumeRun *run)
{
    brume_volume_reader_destroy(&run->next);
    brume_frame_pipeline_destroy(run->pipeline);
    brume_image_output_close(&run->output);
    brume_frame_grids_destroy(&run->present);
    brume_run_stats_destroy(&run->stats);
    brume_sequence_destroy(&run->sequence);
    brume_scene_destroy(run->scene);
}

int brume_draw_volumes(const BrumeRunSettings *settings, const char *volumes)
{
    static VolumeRun run;
    run.settings = settings;
    BrumeError error;
    BrumeStatus status = start(&run, volumes, &error);
    if (status == BRUME_OK) {
        status = run_frames(&run, &error);
    }
    if (status == BRUME_OK) {
        print_end(&run);
    } else {
        brume_messages_error(&run.messages, &error);
    }
    status = brume_messages_end(&run.messages, status);
    destroy(&run);
    return (int)status;
}
