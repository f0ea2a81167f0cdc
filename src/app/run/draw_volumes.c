#include "app/run/draw_volumes.h"

#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/messages.h"
#include "app/cli/output_files.h"
#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/render/frame_pipeline.h"
#include "app/render/frame_space.h"
#include "app/render/run_memory.h"
#include "app/run/worker.h"
#include "app/run/written_frames.h"
#include "app/video/image_output.h"
#include "app/volumes/volume_frame.h"
#include "app/volumes/volume_look.h"
#include "app/volumes/volume_reader.h"
#include "brume/brume.h"
#include "core/parallel/clock.h"
#include "exchange/volume_format.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {.tv_nsec = 200000000}; // between two looks for an awaited volume

/** The state of the command. */
typedef struct VolumeRun {
    const BrumeRunSettings *settings;
    BrumeMessages messages;
    bool messages_open;
    BrumeOutputPattern volumes, images; // `images` can be a video
    BrumeSequence sequence;
    BrumeFrameRange whole_range; // the frames that are wanted, or the pictures of a turntable, from 1 on
    BrumeFrameRange frames;      // of this run: a part of them with --chunk
    int offset;                  // of the number of a file to its frame; `frames` count from 1
    bool turns;                  // the pictures are those of a turntable around the file of the number `turned`
    int turned;
    bool frames_in_chunk;    // false: the part has none
    BrumeFrameClaims claims; // with --skip-existing
    BrumeScene *scene;       // the look
    BrumeSimDef def;         // those of `scene`, with the obstacles at their positions in the present frame
    BrumeDrawnVolumes drawn; // how the files are read
    BrumeMadeLook made;      // of volumes without a scene
    BrumeText notes;         // on the first volume
    BrumeFrameGrids present; // what is drawn
    BrumeVolumeReader next;
    BrumePictureOutput pictures;
    BrumeImageOutput output;
    BrumeFramePipeline *pipeline;
    BrumeFrameSpace space;
    BrumeRunStats stats;
    BrumeProgress progress;
    bool told_of_temperature; // that is missing
    bool told_of_texture;
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
    brume_pattern_path(&run->volumes, run->turns ? run->turned : frame, path);
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

// waits for the first of the wanted volumes, or for any
static BrumeStatus await_first(VolumeRun *run, BrumeError *error)
{
    BrumeSequence found = {0};
    bool told = false;
    if (run->whole_range.stride > 0) {
        return await_volume(run, run->whole_range.first, error);
    }
    for (;;) {
        const BrumeStatus status = brume_sequence_find(&found, &run->volumes, 1, error);
        const bool exists = found.count > 0;
        brume_sequence_destroy(&found);
        if (status != BRUME_OK || exists) {
            return status;
        }
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted while waiting for %s", run->volumes.text);
        }
        if (!told) {
            brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "waiting for %s", run->volumes.text);
            told = true;
        }
        (void)nanosleep(&poll_interval, NULL);
    }
}

// `volume` is the path of the first one, or their pattern
static BrumeStatus check_files(const BrumeRunSettings *settings, const char *volume, BrumeError *error)
{
    const BrumeOutputFile files[] = {
        {brume_video_format_of(settings->output) ? settings->output : NULL, "--output", BRUME_OUTPUT_ANY},
        {settings->log, "--log", settings->overwrite ? BRUME_OUTPUT_ANY : BRUME_OUTPUT_LOG},
    };
    return brume_check_output_files(files, 2, settings->look ? settings->look : volume, error);
}

// does nothing if they are open
static BrumeStatus open_messages(VolumeRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const bool resumes = brume_worker_resume_mode(settings) != BRUME_RESUME_OFF;
    BrumeStatus status = BRUME_OK;
    if (!run->messages_open) {
        status =
            brume_messages_open(&run->messages, settings->quiet, settings->verbosity, settings->log, resumes, error);
        run->messages_open = status == BRUME_OK;
    }
    return status;
}

// reads a volume that is given without a pattern; its frame is that which it has, or its name, otherwise 1
static BrumeStatus read_single_volume(VolumeRun *run, BrumeError *error)
{
    const BrumeStatus status = brume_drawn_volume_read(&run->present, run->volumes.text, &run->drawn, error);
    if (status == BRUME_OK) {
        run->sequence.frames[0] = brume_volume_frame(&run->present, run->volumes.text);
    }
    return status;
}

// the frames that are wanted, of those that exist; with --watch also those that do not exist yet
static BrumeStatus find_frames(VolumeRun *run, const char *text, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const BrumePatternDef def = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    if (brume_pattern_read(&run->volumes, text, &def, 1, error) != BRUME_OK) {
        return error->status;
    }
    run->whole_range = settings->frames;
    if (settings->watch) {
        if (check_files(settings, text, error) != BRUME_OK || open_messages(run, error) != BRUME_OK ||
            await_first(run, error) != BRUME_OK) {
            return error->status;
        }
    }
    if (brume_sequence_find(&run->sequence, &run->volumes, 1, error) != BRUME_OK) {
        return error->status;
    }
    if (run->sequence.count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", text);
    }
    if (run->volumes.width < 0 && read_single_volume(run, error) != BRUME_OK) {
        return error->status;
    }
    if (run->whole_range.stride == 0) {
        run->whole_range = (BrumeFrameRange){run->sequence.frames[0], run->sequence.frames[run->sequence.count - 1],
                                             brume_sequence_stride(&run->sequence)};
    }
    for (int n = 0; n < brume_frames_count(&run->whole_range) && !settings->watch; n++) {
        const int frame = brume_frames_at(&run->whole_range, n);
        if (!brume_sequence_has(&run->sequence, frame)) {
            char path[BRUME_MAX_PATH];
            volume_path(run, frame, path);
            if (run->volumes.width < 0) {
                return brume_fail(error, BRUME_BAD_INPUT, "%s: it is the volume of frame %d, not %d", path,
                                  run->sequence.frames[0], frame);
            }
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the volume of frame %d is missing (give --frames with those that exist, %d to %d)",
                              path, frame, run->sequence.frames[0], run->sequence.frames[run->sequence.count - 1]);
        }
    }
    if (settings->turntable > 0) {
        run->turns = true;
        run->turned = run->whole_range.first;
        if (brume_worker_check_turned_frame(&run->whole_range, error) != BRUME_OK) {
            return error->status;
        }
        run->whole_range = (BrumeFrameRange){1, settings->turntable, 1};
    }
    return BRUME_OK;
}

// counts the frames of the range from 1 on
static void count_from_one(VolumeRun *run)
{
    run->offset = run->turns ? 0 : run->whole_range.first - 1;
    run->volumes.offset = run->offset;
    run->whole_range.first -= run->offset;
    run->whole_range.last -= run->offset;
}

// the look, with the options of the command line
static BrumeStatus load_look(VolumeRun *run, const char *path, BrumeError *error)
{
    BrumeRunOverrides overrides;
    if (brume_run_overrides(&overrides, run->settings, error) != BRUME_OK) {
        return error->status;
    }
    const BrumeVolumeLookDef def = {
        .look = run->settings->look,
        .path = path,
        .overrides = overrides.list.texts,
        .override_count = overrides.list.count,
        .last_frame = run->turns ? run->turned : run->whole_range.last,
        .pattern = &run->volumes,
        .sequence = &run->sequence,
    };
    BrumeStatus status = brume_volume_look_load(&run->scene, &run->present, &def, &run->drawn, &run->made, error);
    if (status == BRUME_OK) {
        brume_volume_look_list_notes(run->scene, &run->present, &def, &run->drawn, &run->made, &run->notes);
        status = brume_run_set_noise(run->settings, run->scene, error);
    }
    if (status == BRUME_OK) {
        run->def = run->scene->sim;
    }
    return status;
}

// whether files of an earlier run stay; a video cannot be continued
static bool keeps_images(const VolumeRun *run)
{
    return brume_worker_resume_mode(run->settings) != BRUME_RESUME_OFF && !run->settings->overwrite &&
           !run->images.video;
}

static BrumeStatus check_images(VolumeRun *run, const char *volume, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const BrumePatternDef def = {.option = "--output", .extensions = brume_image_extensions, .videos = true};
    BrumeStatus status =
        brume_pattern_read(&run->images, settings->output, &def, brume_frames_count(&run->whole_range), error);
    run->images.turns = run->turns;
    run->images.offset = run->offset;
    run->images.tile = settings->pictures.tile;
    if (status == BRUME_OK && settings->look) {
        status = brume_pattern_check_scene(&run->images, &run->frames, settings->look, error);
    }
    if (status == BRUME_OK) {
        BrumePictureOptions options = settings->pictures;
        options.no_velocity = !brume_frame_grids_volume(&run->present).velocity[0];
        status = brume_picture_output_resolve(&run->pictures, run->scene, &run->images, &options, error);
        run->scene->render_settings.motion_vectors = run->pictures.layers & BRUME_LAYER_MOTION;
    }
    if (status == BRUME_OK) {
        const BrumeImageOutputDef output = brume_scene_images(run->scene, settings->overwrite);
        status = brume_image_output_check(&run->images, &output, error);
    }
    if (status == BRUME_OK) {
        status = check_files(settings, volume, error);
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
        .sky = brume_run_sky_bytes(run->scene),
        .images = brume_picture_buffer_bytes(&run->pictures, run->scene) +
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

// checks the options, reads the first volume, and finds the look and the frames of this run
static BrumeStatus prepare(VolumeRun *run, const char *text, char path[BRUME_MAX_PATH], BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    int threads;
    if (check_options(settings, error) != BRUME_OK || brume_worker_check_options(settings, error) != BRUME_OK ||
        brume_threads_resolve(settings->common.threads, &threads, error) != BRUME_OK) {
        return error->status;
    }
    brume_set_threads(threads);
    if (brume_interrupt_start("stopping after this frame", error) != BRUME_OK ||
        find_frames(run, text, error) != BRUME_OK) {
        return error->status;
    }
    const bool watches_all = settings->watch && settings->frames.stride == 0; // from the first one that exists
    volume_path(run, watches_all ? run->sequence.frames[0] : run->whole_range.first,
                path); // all workers have the look that fits this volume
    const bool is_read = run->volumes.width < 0;
    if ((!is_read && brume_drawn_volume_read(&run->present, path, &run->drawn, error) != BRUME_OK) ||
        load_look(run, path, error) != BRUME_OK) {
        return error->status;
    }
    if (watches_all && !is_read) {
        const int first = run->scene->first_frame;
        run->whole_range = (BrumeFrameRange){first, first + run->scene->frames - 1, 1};
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "draws frames %d to %d of the scene (--frames A:B for fewer)", first,
                             run->whole_range.last);
    }
    count_from_one(run);
    run->frames_in_chunk = brume_worker_part(settings, &run->whole_range, &run->frames);
    return BRUME_OK;
}

// the space for all images; fails, or prints a warning, as brume_disk_check does
static BrumeStatus check_disk(VolumeRun *run, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->images, run->frames.first, path);
    BrumeDiskNeed need = {.path = path};
    run->space = brume_picture_space(&run->images, &run->pictures);
    for (int n = 0; n < brume_frames_count(&run->frames); n++) {
        const int frame = brume_frames_at(&run->frames, n);
        if (!has_image(run, frame)) {
            brume_frame_space_add(&run->space, frame, &need);
        }
    }
    return brume_disk_check(&need, 1, &run->messages, error);
}

// stops the run before the disk is full, so that no write fails
static BrumeStatus check_next_images(VolumeRun *run, int done, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->images, done, path);
    const double next = brume_frame_space_next(&run->space, &run->stats, 1);
    const BrumeDiskNeed need = {.path = path, .least = next + BRUME_DISK_SLACK};
    BrumeDiskShortage shortage;
    if (!brume_disk_falls_short(&need, 1, false, &shortage)) {
        return BRUME_OK;
    }
    BrumeError why;
    (void)brume_fail_disk_shortage(&why, &shortage, "the next frames need");
    return brume_fail_disk_full(&run->images, &run->frames, done, &why, error);
}

// checks all that can be checked before an image is drawn, and opens the output; `volume` is the path of the first one
static BrumeStatus start(VolumeRun *run, const char *volume, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (check_images(run, volume, error) != BRUME_OK || check_memory(run, error) != BRUME_OK ||
        open_messages(run, error) != BRUME_OK || check_disk(run, error) != BRUME_OK ||
        start_stats(run, error) != BRUME_OK) {
        return error->status;
    }
    brume_print_notes(&run->notes, &run->messages);
    brume_messages_scene_warnings(&run->messages, run->scene);
    brume_picture_output_warn(&run->pictures, run->scene, &run->messages);
    if (settings->look) {
        brume_volume_look_warn_of_obstacles(run->scene, settings->look, &run->present, &run->messages);
    }
    brume_worker_remove_abandoned_claims(settings, &run->images, &run->frames);
    BrumeStatus status = brume_pattern_prepare(&run->images, run->frames.first, error);
    if (status == BRUME_OK) {
        const BrumeImageOutputDef output = brume_scene_images(run->scene, brume_worker_replaces_images(settings));
        status = brume_image_output_open(&run->output, &run->images, &output, error);
    }
    return status == BRUME_OK
               ? brume_frame_pipeline_create(&run->pipeline, run->scene, &run->pictures, run->present.cells, 0,
                                             &run->output.sink, &run->stats, error)
               : status;
}

static BrumeStatus draw_present(VolumeRun *run, int frame, BrumeError *error)
{
    const int shown = run->turns ? run->turned : frame + run->offset;
    const int first = run->turns ? 1 : frame; // picture of this frame
    const int number = run->present.has_frame ? run->present.frame : shown;
    const bool has_obstacles = brume_volume_look_place_obstacles(&run->def, &run->present);
    BrumeDrawnState state = {
        .volume = brume_frame_grids_volume(&run->present),
        .look = has_obstacles ? brume_scene_render_settings(run->scene, &run->def) : run->scene->render_settings,
        .time = run->present.time,
        .frame = frame,
        .seed = (uint32_t)(number - run->scene->first_frame + 1) + (uint32_t)(frame - first),
        .simulated_frame = shown,
        .frame_seconds = 1.0 / (double)run->scene->sim.fps,
        .turn = run->turns ? brume_turn_angle(frame, run->settings->turntable) : 0.0,
        .same = run->turns && run->space.submitted > 0,
    };
    (void)brume_animation_apply_look(&run->scene->animation, state.time, run->scene->surface_of, &state.look);
    state.volume.texture_period = (double)run->def.texture_period;
    const bool blurs = state.look.shutter > 0.0f;
    if ((blurs || state.look.motion_vectors) && !state.volume.velocity[0]) {
        char path[BRUME_MAX_PATH];
        volume_path(run, frame, path);
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: %s the grid '" BRUME_GRID_VELOCITY
                          "' (write it with --fields smoke,temperature,velocity, or %s)",
                          path, blurs ? "motion blur needs" : "--layers motion needs",
                          blurs ? "give -D camera.shutter=0" : "leave that layer out");
    }
    char path[BRUME_MAX_PATH];
    if (state.look.emission.intensity > 0.0f && !state.volume.temperature && !run->told_of_temperature) {
        volume_path(run, frame, path);
        brume_messages_warning(
            &run->messages,
            "%s: it has no grid '" BRUME_GRID_TEMPERATURE "', so its smoke does not glow ('render.emission')", path);
        run->told_of_temperature = true;
    }
    if (state.look.detail.factor > 1 && state.look.detail.strength > 0.0f && run->def.texture_period > 0.0f &&
        !state.volume.texture[0][0] && !run->told_of_texture) {
        volume_path(run, frame, path);
        brume_messages_warning(&run->messages,
                               "%s: it has no grids '" BRUME_GRID_TEXTURE "1' and '" BRUME_GRID_TEXTURE
                               "2', so the detail stays in place while the smoke moves ('render.detail')",
                               path);
        run->told_of_texture = true;
    }
    brume_pattern_path(&run->images, frame, path);
    run->space.submitted++;
    return brume_frame_pipeline_submit(run->pipeline, &state, path, error);
}

// claims the next frame that this run draws, from `frame` on; 0 after the last one
static BrumeStatus claim_next(VolumeRun *run, int frame, int *next, BrumeError *error)
{
    *next = 0;
    brume_frame_claims_release_written(&run->claims, &run->stats);
    for (; frame <= run->frames.last && *next == 0; frame += run->frames.stride) {
        if (has_image(run, frame)) {
            continue;
        }
        char path[BRUME_MAX_PATH];
        bool draws;
        brume_pattern_path(&run->images, frame, path);
        if (brume_worker_claim(&run->claims, run->settings, frame, path, &draws, error) != BRUME_OK) {
            return error->status;
        }
        *next = draws ? frame : 0;
    }
    return BRUME_OK;
}

// the number of frames before `frame`; of all where it is 0
static int frames_before(const VolumeRun *run, int frame)
{
    return frame > 0 ? (frame - run->frames.first) / run->frames.stride : brume_frames_count(&run->frames);
}

static void count_progress(VolumeRun *run, int next)
{
    while (run->progress.done < frames_before(run, next)) { // with those that exist or that other workers draw
        brume_progress_count(&run->progress, brume_seconds(), 0.0, 0.0);
    }
    (void)snprintf(run->progress.note, sizeof run->progress.note, "%s", brume_run_stats_last_traced(&run->stats).text);
    brume_messages_progress(&run->messages, &run->progress);
}

static BrumeStatus start_reading(VolumeRun *run, int frame, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    const BrumeStatus status = run->settings->watch ? await_volume(run, frame, error) : BRUME_OK;
    if (status == BRUME_OK && !run->turns) { // that of a turntable is present
        volume_path(run, frame, path);
        brume_volume_reader_start(&run->next, path, &run->drawn);
    }
    return status;
}

static BrumeStatus draw_all(VolumeRun *run, BrumeError *error)
{
    brume_frame_pipeline_report(run->pipeline, &run->messages, &run->progress);
    int next;
    BrumeStatus status = claim_next(run, run->frames.first, &next, error);
    brume_progress_start(&run->progress, frames_before(run, next), brume_frames_count(&run->frames), brume_seconds());
    run->progress.unit = run->turns ? "picture" : NULL;
    if (status == BRUME_OK && next > 0) {
        status = start_reading(run, next, error);
    }
    while (status == BRUME_OK && next > 0) {
        const int frame = next;
        status = run->turns ? BRUME_OK : brume_volume_reader_take(&run->next, &run->present, error);
        if (status == BRUME_OK) {
            status = claim_next(run, frame + run->frames.stride, &next, error);
        }
        const bool stops = brume_interrupt_requested();
        if (status == BRUME_OK && next > 0 && !run->settings->watch && !stops) {
            status = start_reading(run, next, error);
        }
        if (status == BRUME_OK) {
            status = draw_present(run, frame, error);
        }
        if (status == BRUME_OK) {
            count_progress(run, next);
        }
        if (status == BRUME_OK && next > 0 && (stops || brume_interrupt_requested())) {
            return brume_fail_interrupted(&run->images, &run->frames, frame, error);
        }
        if (status == BRUME_OK && next > 0) {
            status = check_next_images(run, frame, error);
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
    const double seconds = brume_seconds() - run->progress.started;
    const BrumeWrittenText text = brume_describe_written(&run->images, &written, seconds);
    if (written.count > 0) {
        const BrumeTraceText traced = brume_run_stats_all_traced(&run->stats, 1);
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%s; %.0f ms per image%s%s", text.text,
                             brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LOAD) +
                                 brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LIGHT) +
                                 brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_DRAW),
                             traced.text[0] ? ", " : "", traced.text);
    } else if (run->claims.busy > 0) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%s", text.text);
    } else {
        brume_print_nothing_to_do(&run->messages);
    }
    brume_worker_print_busy_frames(&run->claims, &run->messages);
}

// draws all volumes and completes the output, also after an error
static BrumeStatus draw(VolumeRun *run, const char *first, BrumeError *error)
{
    BrumeStatus status = start(run, first, error);
    if (status != BRUME_OK) {
        return status;
    }
    status = draw_all(run, error);
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
    } else {
        print_end(run);
    }
    return status;
}

static void destroy(VolumeRun *run)
{
    brume_volume_reader_destroy(&run->next);
    brume_frame_pipeline_destroy(run->pipeline);
    brume_image_output_close(&run->output);
    brume_frame_claims_destroy(&run->claims);
    brume_frame_grids_destroy(&run->present);
    brume_text_destroy(&run->notes);
    brume_run_stats_destroy(&run->stats);
    brume_sequence_destroy(&run->sequence);
    brume_scene_destroy(run->scene);
}

int brume_draw_volumes(const BrumeRunSettings *settings, const char *volumes)
{
    static VolumeRun run;
    run.settings = settings;
    BrumeError error;
    char first[BRUME_MAX_PATH];
    memcpy(run.drawn.density, settings->density_grid, sizeof run.drawn.density);
    BrumeStatus status = prepare(&run, volumes, first, &error);
    if (status == BRUME_OK && !run.frames_in_chunk) {
        status = open_messages(&run, &error);
        if (status == BRUME_OK) {
            brume_worker_print_empty_part(settings, &run.whole_range, &run.messages);
        }
    } else if (status == BRUME_OK) {
        status = draw(&run, first, &error);
    }
    if (status != BRUME_OK) {
        brume_messages_error(&run.messages, &error);
    }
    status = brume_messages_end(&run.messages, status);
    destroy(&run);
    return (int)status;
}
