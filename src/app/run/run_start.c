#include "app/run/run_start.h"

#include "app/cli/standard_streams.h"
#include "app/run/run_calls.h"
#include "app/run/run_disk.h"
#include "app/run/run_farm.h"
#include "brume/brume.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/path.h"
#include "core/text.h"
#include "io/file.h"
#include "scene/compare.h"

#include <stdio.h>
#include <string.h>

static BrumeStatus start_images(BrumeSceneRun *run, BrumeError *error)
{
    // the drawing thread has the cores that the simulation does not use
    const int idle = run->source ? 0 : brume_physical_cores() - run->info.threads;
    // with --skip-existing, a frame that another worker has drawn too is replaced by the same image
    const bool replaces = run->settings->overwrite || run->settings->skip_existing;
    const BrumeImageOutputDef def = brume_scene_images(run->scene, replaces);
    const BrumeStatus status = brume_image_output_open(&run->images, &run->pattern, &def, error);
    return status == BRUME_OK
               ? brume_frame_pipeline_create(&run->pipeline, run->scene, &run->pictures, brume_run_largest_grid(run),
                                             idle > 0 ? idle : 0, &run->images.sink, brume_run_file_stats(run), error)
               : status;
}

static BrumeStatus start_volumes(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeVolumeWriterDef def = {
        .format = brume_volume_format_of(run->settings->output),
        .write = {.half = run->settings->half, .overwrite = run->settings->overwrite},
        .fields = brume_run_volume_fields(run),
        .first_frame = run->scene->first_frame,
        .scene_text = run->scene_text,
        .threads = run->info.threads,
        .stats = &run->stats,
    };
    return brume_volume_writer_create(&run->volumes, &def, error);
}

// prepares the files of the frames, and starts the writers
static BrumeStatus start_frame_files(BrumeSceneRun *run, BrumeError *error)
{
    if (brume_pattern_prepare(&run->pattern, brume_run_files(run)->first, error) != BRUME_OK) {
        return error->status;
    }
    return run->draws ? start_images(run, error) : start_volumes(run, error);
}

// the folder "out/plume.checkpoints" for the files "out/plume.####.png"; without such files it is named as a table or
// the scene
static void default_checkpoint_folder(const BrumeSceneRun *run, char folder[BRUME_MAX_PATH])
{
    const BrumeRunSettings *settings = run->settings;
    const bool has_measures = settings->measures && !brume_is_standard_stream(settings->measures);
    const bool has_stats = settings->stats && !brume_is_standard_stream(settings->stats);
    const char *path = run->has_frame_files ? settings->output
                       : has_measures       ? settings->measures
                       : has_stats          ? settings->stats
                                            : run->scene->name;
    const char *name = brume_path_name(path);
    const size_t number = run->has_frame_files && run->pattern.width >= 0 ? (size_t)run->pattern.before : strlen(path);
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name && path + number > dot ? (size_t)(dot - path) : number;
    while (length > (size_t)(name - path) && strchr("._-", path[length - 1])) { // between name and number
        length--;
    }
    char part[32] = "";
    if (settings->chunk.count > 0) {
        (void)snprintf(part, sizeof part, ".chunk-%d-of-%d", settings->chunk.index, settings->chunk.count);
    }
    char ending[96];
    (void)snprintf(ending, sizeof ending, "%s%s.checkpoints", part, brume_tile_name(&settings->pictures.tile).text);
    // without a name before the dot, which would hide the folder, it is left out
    (void)snprintf(folder, BRUME_MAX_PATH, "%.*s%s", (int)length, path, path + length > name ? ending : ending + 1);
}

// Whether a part of the frames is made again, from the states that a complete run has kept: with --overwrite --frames.
// `*latest` is the last of these states; 0: none was kept.
static bool makes_part_again(const BrumeSceneRun *run, int *latest)
{
    const BrumeCheckpointFolder *folder = &run->checkpoints;
    *latest = 0;
    for (int n = 0; n < folder->protected; n++) {
        *latest = folder->frames[n] > *latest ? folder->frames[n] : *latest;
    }
    return run->has_frame_files && *latest > 0 && run->settings->overwrite && !brume_run_resumes(run) &&
           run->frames.first > 1;
}

static BrumeStatus start_checkpoints(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeCheckpointOptions *options = &run->settings->checkpoints;
    char folder[BRUME_MAX_PATH];
    if (!options->folder) {
        default_checkpoint_folder(run, folder);
    }
    BrumeStatus status =
        brume_checkpoint_folder_open(&run->checkpoints, options->folder ? options->folder : folder, error);
    // several workers may share a sequence, but not a folder of checkpoints
    const bool leaves = run->checkpoints.busy && run->settings->skip_existing && !options->folder;
    if (status == BRUME_OK || leaves) {
        status = brume_scene_write(run->scene, NULL, &run->scene_text, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    int latest;
    if (makes_part_again(run, &latest)) {
        run->resume = BRUME_RESUME_KEPT;
    }
    run->repeats_frames = brume_run_resumes(run) && latest >= run->frames.last;
    brume_checkpoint_writer_start(&run->checkpoint_writer, options, &run->checkpoints, brume_seconds());
    if (leaves) {
        brume_run_leave_checkpoints(run);
    }
    if (run->checkpoints.count > 0 && !brume_run_resumes(run)) {
        if (!run->settings->overwrite) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s holds checkpoints of an earlier run (give --resume to go on from frame %d, or "
                              "--overwrite to start again)",
                              run->checkpoints.path,
                              brume_run_number(run, run->checkpoints.frames[run->checkpoints.count - 1]));
        }
        brume_checkpoint_folder_clear(&run->checkpoints, true);
    }
    return BRUME_OK;
}

enum { MAX_DIFFERENCES = 240 }; // bytes of the text of an error that list keys

// returns the latest frame up to `last` with a checkpoint in the folder; 0: none
static int latest_frame(const BrumeCheckpointFolder *folder, int last)
{
    int latest = 0;
    for (int n = 0; n < folder->count; n++) {
        const int frame = folder->frames[n];
        latest = frame <= last && frame > latest ? frame : latest;
    }
    return latest;
}

// reads the latest checkpoint that is not damaged; its frame is 0 where there is none
static BrumeStatus read_latest(BrumeCheckpoint *checkpoint, const BrumeCheckpointFolder *folder, int last_frame,
                               BrumeMessages *messages, BrumeError *error)
{
    *checkpoint = (BrumeCheckpoint){0};
    for (int frame = last_frame; (frame = latest_frame(folder, frame)) > 0; frame--) {
        char path[BRUME_MAX_PATH];
        brume_checkpoint_path(folder, frame, path);
        BrumeStatus status = brume_checkpoint_read(checkpoint, path, error);
        if (status == BRUME_OK && checkpoint->frame != frame) {
            status = brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint is of frame %d", path, checkpoint->frame);
        }
        if (status != BRUME_BAD_INPUT) {
            return status;
        }
        brume_messages_warning(messages, "%s; going on from an earlier one", error->text);
        brume_checkpoint_free(checkpoint);
    }
    return BRUME_OK;
}

// appends the keys of the scene that differ from the checkpoint's
static BrumeStatus compare_scene(const BrumeCheckpoint *checkpoint, const BrumeScene *scene, BrumeText *differences,
                                 BrumeError *error)
{
    BrumeScene *saved = NULL;
    BrumeStatus status = brume_scene_parse_written(&saved, checkpoint->scene_text, "checkpoint", NULL, 0,
                                                   BRUME_SCENE_FILES_NONE, NULL, error);
    if (status == BRUME_OK) {
        status = brume_scene_compare(saved, scene, checkpoint->frame, differences, error);
    }
    brume_scene_destroy(saved);
    return status;
}

static BrumeStatus check_origin(const BrumeCheckpoint *checkpoint, const BrumeScene *scene, BrumeResumeMode mode,
                                BrumeError *error)
{
    const char *restart = mode == BRUME_RESUME_KEPT ? "another --checkpoints to simulate from the first frame"
                                                    : "--overwrite to start again";
    if (strcmp(checkpoint->version, brume_version()) != 0) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "--resume: the checkpoint of frame %d is from version %s, this is %s, which may compute other "
            "bits (give --resume=force to go on nevertheless, or %s)",
            checkpoint->frame + scene->first_frame - 1, brume_quote(checkpoint->version).text, brume_version(),
            restart);
    }
    BrumeText differences = {0};
    BrumeStatus status = compare_scene(checkpoint, scene, &differences, error);
    if (status == BRUME_OK && differences.size > 0) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "--resume: the scene has changed since frame %d: %.*s%s (change it back, give "
                            "--resume=force to go on with the new values, or %s)",
                            checkpoint->frame + scene->first_frame - 1, MAX_DIFFERENCES, differences.data,
                            differences.size > MAX_DIFFERENCES ? "..." : "", restart);
    }
    brume_text_destroy(&differences);
    return status;
}

// Restores the latest checkpoint of a frame up to `last_frame`; a damaged one is skipped with a warning. There is no
// simulation afterwards where there is none. BRUME_BAD_INPUT where it is of another scene or version of the program and
// the run does not have BRUME_RESUME_FORCE (the text names the keys that differ).
static BrumeStatus resume(BrumeSceneRun *run, int last_frame, BrumeError *error)
{
    BrumeCheckpoint *checkpoint = &run->checkpoint;
    BrumeStatus status = read_latest(checkpoint, &run->checkpoints, last_frame, &run->messages, error);
    const bool found = checkpoint->frame > 0;
    if (status == BRUME_OK && found && run->resume != BRUME_RESUME_FORCE) {
        status = check_origin(checkpoint, run->scene, run->resume, error);
    }
    if (status == BRUME_OK && found) {
        return brume_run_call(run, BRUME_RUN_RESTORE, error);
    }
    brume_checkpoint_free(checkpoint);
    return status;
}

// creates the simulation, or restores it from the latest checkpoint before the first missing frame
static BrumeStatus start_simulation(BrumeSceneRun *run, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (brume_run_resumes(run)) {
        const bool frame_has_file = run->has_frame_files && run->settings->turntable == 0;
        const int last = frame_has_file ? brume_run_first_missing_file(run) - 1 : run->frames.last;
        status = resume(run, last < run->frames.last ? last : run->frames.last, error);
    }
    if (status == BRUME_OK && !run->sim) {
        brume_progress_start(&run->progress, 0, brume_max_int(run->frames.last, 1), brume_seconds());
        (void)snprintf(run->progress.note, sizeof run->progress.note, "initial state");
        brume_messages_progress_within(&run->messages, &run->progress);
        status = brume_run_call(run, BRUME_RUN_CREATE, error);
    }
    return status;
}

// opens the tables of measures and probes, so that an unwritable path fails before the simulation
static BrumeStatus start_tables(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeProbeEnds *ends = &run->probe_ends;
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = BRUME_OK;
    const bool replaces = settings->overwrite || brume_run_resumes(run);
    if (settings->measures) {
        status = brume_measure_log_open(&run->measures, settings->measures, replaces, error);
    }
    if (status == BRUME_OK && run->resumed > 0 && !run->repeats_frames && ends->count < run->scene->probe_count) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "--resume: the files of %d probes were written so far, the scene has %d (start again with "
                            "--overwrite)",
                            ends->count, run->scene->probe_count);
    }
    char folder[BRUME_MAX_PATH];
    if (status == BRUME_OK && !run->repeats_frames) { // the earlier run has written the files of the probes
        status = brume_probe_files_create(&run->probes, run->scene, brume_run_probes_folder(run, folder),
                                          run->resumed > 0 ? ends->bytes : NULL, replaces, error);
    }
    if (settings->until_steady > 0.0) {
        brume_steadiness_start(&run->steadiness, run->scene);
    }
    return status;
}

BrumeStatus brume_run_start(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = brume_run_open_messages(run, error);
    if (status == BRUME_OK && !run->source) {
        status = start_checkpoints(run, error);
    }
    if (status == BRUME_OK) {
        status = brume_run_check_disk(run, error);
    }
    if (status == BRUME_OK) {
        status = brume_run_stats_create(&run->stats, run->frames.last, error);
    }
    if (status == BRUME_OK && settings->turntable > 0) {
        status = brume_run_stats_create(&run->turn_stats, settings->turntable, error);
        run->info.turns = &run->turn_stats;
        run->info.turn_count = settings->turntable;
    }
    if (status == BRUME_OK && brume_run_measures(run)) {
        status = brume_measure_log_create(&run->measures, run->scene, run->frames.last, error);
        run->info.measures = &run->measures;
    }
    if (status == BRUME_OK && !run->source) {
        status = start_simulation(run, error);
    }
    if (status == BRUME_OK && run->has_frame_files) {
        status = start_frame_files(run, error);
    }
    if (status == BRUME_OK) {
        status = start_tables(run, error);
    }
    if (status == BRUME_OK && settings->stats) {
        status = brume_is_standard_stream(settings->stats) ? BRUME_OK : brume_file_make_folder(settings->stats, error);
    }
    if (status == BRUME_OK && settings->stats) {
        status = brume_run_write_stats(run, false, error); // so that an unwritable path fails before the simulation
    }
    return status;
}
