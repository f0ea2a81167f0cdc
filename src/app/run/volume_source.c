#include "app/run/volume_source.h"

#include "app/cli/interrupt.h"
#include "app/run/run_checks.h"
#include "brume/brume.h"
#include "core/path.h"
#include "exchange/mesh_file.h"
#include "exchange/particles_ply.h"
#include "exchange/volume_format.h"

#include <ctype.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {.tv_nsec = 200000000}; // between two looks for an awaited volume

// whether the first file of a path is one of points
static bool names_points(const char *path)
{
    BrumeError error;
    BrumeOutputPattern pattern;
    BrumeSequence found = {0};
    bool are_points = false;
    if (brume_pattern_parse(&pattern, path, path, &error) == BRUME_OK &&
        brume_sequence_find(&found, &pattern, 0, &error) == BRUME_OK && found.count > 0) {
        char first[BRUME_MAX_PATH];
        brume_pattern_path(&pattern, found.frames[0], first);
        are_points = brume_particles_ply_is(first);
    }
    brume_sequence_destroy(&found);
    return are_points;
}

bool brume_names_volumes(const char *operand)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(operand);
    return format && format->read && (!brume_is_mesh_path(operand) || names_points(operand));
}

// fails for an option that needs a simulation
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
    return settings->output ? BRUME_OK : brume_fail_no_images(error);
}

// waits until the file of `frame` exists, or any file of the sequence if it is NULL
static BrumeStatus await_volume(BrumeSceneRun *run, const int *frame, BrumeError *error)
{
    const BrumeOutputPattern *pattern = &run->source->pattern;
    char path[BRUME_MAX_PATH];
    if (frame) {
        brume_pattern_path(pattern, *frame, path);
    }
    const char *awaited = frame ? path : pattern->text;
    for (bool told = false;; told = true) {
        BrumeSequence found = {0};
        const BrumeStatus status = frame ? BRUME_OK : brume_sequence_find(&found, pattern, 1, error);
        const bool exists = frame ? access(path, F_OK) == 0 : found.count > 0;
        brume_sequence_destroy(&found);
        if (status != BRUME_OK || exists) {
            return status;
        }
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted while waiting for %s", awaited);
        }
        if (!told) {
            brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "waiting for %s", awaited);
        }
        (void)nanosleep(&poll_interval, NULL);
    }
}

// fails where a file of the range is missing
static BrumeStatus check_sequence(const BrumeSceneRun *run, BrumeError *error)
{
    const BrumeVolumeSource *source = run->source;
    const BrumeSequence *sequence = &source->sequence;
    for (int n = 0; n < brume_frames_count(&run->whole_range); n++) {
        const int frame = brume_frames_at(&run->whole_range, n);
        if (brume_sequence_has(sequence, frame)) {
            continue;
        }
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&source->pattern, frame, path);
        return source->pattern.width < 0
                   ? brume_fail(error, BRUME_BAD_INPUT, "%s: it is the volume of frame %d, not %d", path,
                                sequence->frames[0], frame)
                   : brume_fail(error, BRUME_BAD_INPUT,
                                "%s: the volume of frame %d is missing (give --frames with those that exist, %d to %d)",
                                path, frame, sequence->frames[0], sequence->frames[sequence->count - 1]);
    }
    return BRUME_OK;
}

// whether a file name has a number before its extension that may be a frame's
static bool find_number(const char *path, int *number)
{
    enum { MAX_DIGITS = 5 }; // more are a date
    const char *name = brume_path_name(path);
    const char *end = strrchr(name, '.');
    const char *first = end ? end : name;
    while (first > name && isdigit((unsigned char)first[-1])) {
        first--;
    }
    if (!end || first == end || end - first > MAX_DIGITS) {
        return false;
    }
    *number = 0;
    for (; first < end; first++) {
        *number = 10 * *number + (*first - '0');
    }
    return true;
}

// returns the frame of a volume, otherwise the number before the extension of its path; 1 where both are no frame
static int frame_of(const BrumeFrameGrids *volume, const char *path)
{
    int number;
    return volume->has_frame ? volume->frame : find_number(path, &number) ? number : 1;
}

// finds the requested frames that exist; with --watch also frames that do not exist yet
static BrumeStatus find_frames(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeVolumeSource *source = run->source;
    BrumeSequence *sequence = &source->sequence;
    BrumeFrameRange *range = &run->whole_range;
    const bool given = settings->frames.stride > 0;
    *range = settings->frames;
    if (settings->watch &&
        (brume_run_check_tables(run, error) != BRUME_OK || brume_run_open_messages(run, error) != BRUME_OK ||
         await_volume(run, given ? &range->first : NULL, error) != BRUME_OK)) {
        return error->status;
    }
    if (brume_sequence_find(sequence, &source->pattern, 1, error) != BRUME_OK) {
        return error->status;
    }
    if (sequence->count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", source->pattern.text);
    }
    if (source->pattern.width < 0) { // its frame is that which it has, or its name, otherwise 1
        if (brume_drawn_volume_read(&source->present, source->pattern.text, &source->drawn, error) != BRUME_OK) {
            return error->status;
        }
        sequence->frames[0] = frame_of(&source->present, source->pattern.text);
    }
    if (!given) {
        *range = (BrumeFrameRange){sequence->frames[0], sequence->frames[sequence->count - 1],
                                   brume_sequence_stride(sequence)};
    }
    return settings->watch ? BRUME_OK : check_sequence(run, error);
}

// the scene of the run, with the options of the command line
static BrumeStatus load_look(BrumeSceneRun *run, BrumeError *error)
{
    BrumeVolumeSource *source = run->source;
    BrumeRunOverrides overrides;
    if (brume_run_overrides(&overrides, run->settings, error) != BRUME_OK) {
        return error->status;
    }
    const BrumeVolumeLookDef def = {
        .look = run->settings->look,
        .path = source->first,
        .overrides = overrides.list.texts,
        .override_count = overrides.list.count,
        .last_frame = run->whole_range.last,
        .pattern = &source->pattern,
        .sequence = &source->sequence,
    };
    const BrumeStatus status =
        brume_volume_look_load(&run->scene, &source->present, &def, &source->drawn, &source->made, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_volume_look_list_notes(run->scene, &source->present, &def, &source->drawn, &source->made, &source->notes);
    run->scene->probe_count = 0; // nothing is measured
    source->def = run->scene->sim;
    return brume_run_set_noise(run->settings, run->scene, error);
}

BrumeStatus brume_run_open_volumes(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeVolumeSource *source = run->source;
    const BrumePatternDef def = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    const char *volumes = run->info.scene_path;
    memcpy(source->drawn.density, settings->density_grid, sizeof source->drawn.density);
    run->info.scene_path = settings->look ? settings->look : volumes;
    if (check_options(settings, error) != BRUME_OK ||
        brume_pattern_read(&source->pattern, volumes, &def, 1, error) != BRUME_OK ||
        find_frames(run, error) != BRUME_OK) {
        return error->status;
    }
    const bool watches_all = settings->watch && settings->frames.stride == 0; // from the first one that exists
    const bool is_read = source->pattern.width < 0;
    brume_pattern_path(&source->pattern, watches_all ? source->sequence.frames[0] : run->whole_range.first,
                       source->first);
    if ((!is_read && brume_drawn_volume_read(&source->present, source->first, &source->drawn, error) != BRUME_OK) ||
        load_look(run, error) != BRUME_OK) {
        return error->status;
    }
    run->info.scene_path = settings->look ? settings->look : source->first;
    if (watches_all && !is_read) {
        const int first = run->scene->first_frame;
        run->whole_range = (BrumeFrameRange){first, first + run->scene->frames - 1, 1};
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "draws frames %d to %d of the scene (--frames A:B for fewer)", first,
                             run->whole_range.last);
    }
    run->offset = run->whole_range.first - 1;
    run->whole_range.first = 1;
    run->whole_range.last -= run->offset;
    source->pattern.offset = run->offset;
    return BRUME_OK;
}

static BrumeStatus read_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeVolumeSource *source = context;
    BrumeDrawnVolumes drawn = source->drawn; // a density found in this file does not apply to the next ones
    return brume_drawn_volume_read(&source->next, source->next_path, &drawn, error);
}

BrumeStatus brume_volume_source_start(BrumeSceneRun *run, int frame, BrumeError *error)
{
    BrumeVolumeSource *source = run->source;
    const BrumeStatus status = run->settings->watch ? await_volume(run, &frame, error) : BRUME_OK;
    if (status != BRUME_OK) {
        return status;
    }
    if (!source->files.initialized) {
        brume_job_queue_init(&source->files, &(BrumeJobQueueDef){.slots = 1, .run = read_file, .context = source});
    }
    brume_pattern_path(&source->pattern, frame, source->next_path);
    brume_job_queue_submit(&source->files);
    return BRUME_OK;
}

BrumeStatus brume_volume_source_take(BrumeVolumeSource *source, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_take_result(&source->files, error);
    brume_frame_grids_destroy(&source->present);
    source->present = source->next;
    source->next = (BrumeFrameGrids){0};
    return status;
}

// fails without the velocity that the look needs; warns of other grids that are missing
static BrumeStatus check_grids(BrumeSceneRun *run, int frame, const BrumeDrawnState *state, BrumeError *error)
{
    BrumeVolumeSource *source = run->source;
    const BrumeVolume *volume = &state->volume;
    const BrumeRenderSettings *look = &state->look;
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&source->pattern, frame, path);
    // particles have their own velocity
    const bool blurs = look->shutter > 0.0f && !brume_drawn_volume_has_only_particles(&source->present);
    if ((blurs || look->motion_vectors) && !volume->velocity[0]) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: %s the grid '" BRUME_GRID_VELOCITY
                          "' (write it with --fields smoke,temperature,particles,velocity, or %s)",
                          path, blurs ? "motion blur needs" : "--layers motion needs",
                          blurs ? "give -D camera.shutter=0" : "leave that layer out");
    }
    const bool lacks_velocity = brume_draws_streamlines(look) && !volume->velocity[0];
    if (lacks_velocity || (brume_draws_pressure(look) && !volume->pressure)) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "%s: %s the grid '%s' (write it with --fields smoke,temperature,particles,velocity,pressure, or give -D "
            "%s)",
            path, lacks_velocity ? "'render.streamlines' need" : "colors by the pressure need",
            lacks_velocity ? BRUME_GRID_VELOCITY : BRUME_GRID_PRESSURE,
            lacks_velocity ? "render.streamlines=null" : "render.surface_color=albedo");
    }
    if (look->emission.intensity > 0.0f && !volume->temperature && !source->told_of_temperature) {
        brume_messages_warning(
            &run->messages,
            "%s: it has no grid '" BRUME_GRID_TEMPERATURE "', so its smoke does not glow ('render.emission')", path);
        source->told_of_temperature = true;
    }
    if (look->detail.factor > 1 && look->detail.strength > 0.0f && source->def.texture_period > 0.0f &&
        !volume->texture[0][0] && !source->told_of_texture) {
        brume_messages_warning(&run->messages,
                               "%s: it has no grids '" BRUME_GRID_TEXTURE "1' and '" BRUME_GRID_TEXTURE
                               "2', so the detail stays in place while the smoke moves ('render.detail')",
                               path);
        source->told_of_texture = true;
    }
    return BRUME_OK;
}

BrumeStatus brume_volume_source_state(BrumeSceneRun *run, int frame, BrumeDrawnState *state, BrumeError *error)
{
    BrumeVolumeSource *source = run->source;
    const BrumeScene *scene = run->scene;
    BrumeFrameGrids *present = &source->present;
    const int shown = brume_run_number(run, frame);
    const int number = present->has_frame ? present->frame : shown;
    brume_drawn_volume_complete_particles(present, &source->def);
    const bool has_bodies = brume_volume_look_place_bodies(&source->def, present);
    *state = (BrumeDrawnState){
        .volume = brume_frame_grids_volume(present),
        .look = has_bodies ? brume_scene_render_settings(scene, &source->def) : scene->render_settings,
        .time = present->time,
        .frame = frame,
        .seed = (uint32_t)(number - scene->first_frame + 1),
        .simulated_frame = shown,
        .frame_seconds = 1.0 / (double)scene->sim.fps,
    };
    (void)brume_animation_apply_look(&scene->animation, state->time, scene->surface_of, &state->look);
    state->look.frame = (float)(int)state->seed;
    if (has_bodies) {
        brume_scene_move_surfaces(scene, &source->def, (int)state->seed, state->time, &state->look);
    }
    state->volume.texture_period = (double)source->def.texture_period;
    return check_grids(run, frame, state, error);
}

void brume_volume_source_destroy(BrumeVolumeSource *source)
{
    brume_job_queue_destroy(&source->files);
    brume_frame_grids_destroy(&source->next);
    brume_frame_grids_destroy(&source->present);
    brume_text_destroy(&source->notes);
    brume_sequence_destroy(&source->sequence);
}
