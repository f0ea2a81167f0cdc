/*
 * The sequence of a run: check, start, then frame by frame simulate, measure, draw and save, or read volumes and draw
 * them, then finish all outputs.
 */
#include "app/run/run.h"

#include "app/cli/interrupt.h"
#include "app/render/dry_run.h"
#include "app/run/rank_speeds.h"
#include "app/run/run_calls.h"
#include "app/run/run_checks.h"
#include "app/run/run_disk.h"
#include "app/run/run_farm.h"
#include "app/run/run_messages.h"
#include "app/run/run_ranks.h"
#include "app/run/run_start.h"
#include "app/run/run_state.h"
#include "app/run/volume_source.h"
#include "brume/brume.h"
#include "core/memory.h"
#include "core/parallel/clock.h"

#include <stdio.h>
#include <string.h>

static BrumeStatus close_tables(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeStatus status = brume_measure_log_close(&run->measures, error);
    BrumeError probe_error;
    const BrumeStatus closed = brume_probe_files_close(&run->probes, &probe_error);
    if (status == BRUME_OK && closed != BRUME_OK) {
        *error = probe_error;
    }
    return status == BRUME_OK ? closed : status;
}

// draws the present state, or writes it as a volume, unless its file exists or another worker draws it
static BrumeStatus submit_frame(BrumeSceneRun *run, int frame, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    bool writes = false;
    const bool has_file = run->settings->turntable == 0;
    BrumeStatus status = has_file ? brume_run_claim_frame(run, frame, path, &writes, error) : BRUME_OK;
    if (status == BRUME_OK && writes) {
        status = brume_run_call(run, BRUME_RUN_COLLECT_VOLUME, error);
    }
    if (status != BRUME_OK || !writes) {
        return status;
    }
    run->frame_space.submitted++;
    if (run->draws) {
        const BrumeDrawnState state = brume_drawn_state(run->scene, run->sim);
        return brume_frame_pipeline_submit(run->pipeline, &state, path, error);
    }
    return brume_volume_writer_submit(run->volumes, run->sim, frame, path, error);
}

static BrumeStatus finish_frame_files(BrumeSceneRun *run, BrumeError *error)
{
    if (!run->has_frame_files) {
        return BRUME_OK;
    }
    if (!run->draws) {
        return brume_volume_writer_finish(run->volumes, error);
    }
    const BrumeStatus status = brume_frame_pipeline_finish(run->pipeline, error);
    return status == BRUME_OK ? brume_image_output_finish(&run->images, error) : status;
}

static void print_progress(BrumeSceneRun *run)
{
    const BrumeTraceText traced = brume_run_stats_last_traced(brume_run_file_stats(run));
    (void)snprintf(run->progress.note, sizeof run->progress.note, "%s", traced.text);
    brume_messages_progress(&run->messages, &run->progress);
}

// progress function of the simulation, on the main thread
static bool report_step(void *context, double fraction, BrumeStage stage)
{
    BrumeSceneRun *run = context;
    (void)stage;
    const double now = brume_seconds();
    if (now - run->told >= 1.0) {
        run->told = now;
        BrumeProgress progress = run->progress;
        progress.ends[progress.done % (BRUME_PROGRESS_WINDOW + 1)] = now; // for the elapsed time
        (void)snprintf(progress.note, sizeof progress.note, "%d%% of a frame", (int)(100.0 * fraction));
        brume_messages_progress_within(&run->messages, &progress);
    }
    return true;
}

static BrumeStatus simulate_frame(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeFrameStats *sim = &run->frame;
    const BrumeStatus status = brume_run_call(run, BRUME_RUN_STEP, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_run_stats_add(&run->stats, sim, run->frame_hash);
    const BrumeSimDef *def = brume_sim_settings(run->sim);
    const double cell_steps = (double)def->nx * def->ny * def->nz * sim->steps;
    run->cell_steps += cell_steps;
    run->sim_seconds += 1e-3 * sim->total_ms;
    if (brume_run_call(run, BRUME_RUN_CHECK_INFLOW, error) != BRUME_OK) {
        return error->status;
    }
    brume_run_print_frame(run, sim);
    if (brume_run_call(run, BRUME_RUN_MEASURE, error) != BRUME_OK) {
        return error->status;
    }
    if (submit_frame(run, sim->frame, error) != BRUME_OK) {
        return error->status;
    }
    brume_progress_count(&run->progress, brume_seconds(), cell_steps, 1e-3 * sim->total_ms);
    print_progress(run);
    return BRUME_OK;
}

// writes a checkpoint; the run continues after a failure
static BrumeStatus write_checkpoint(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunRecord record = brume_run_record(run);
    const BrumeStatus status = brume_run_call(run, BRUME_RUN_COLLECT_STATE, error);
    return status != BRUME_OK
               ? status
               : brume_checkpoint_write(&run->checkpoint_writer, &record, run->sim, brume_seconds(), error);
}

// writes a checkpoint that is due, not after the last frame, where finish_checkpoints writes one
static void write_due_checkpoint(BrumeSceneRun *run)
{
    BrumeError error;
    if (brume_sim_frames(run->sim) == run->frames.last || run->steady ||
        !brume_checkpoint_due(&run->checkpoint_writer, brume_sim_frames(run->sim), brume_seconds()) ||
        write_checkpoint(run, &error) == BRUME_OK) {
        return;
    }
    if (run->checkpoints.busy && run->settings->skip_existing) {
        brume_run_leave_checkpoints(run);
    } else {
        brume_messages_warning(&run->messages, "no checkpoint: %s", error.text);
    }
}

// writes a checkpoint of the present state unless there is one, and waits until it is written
static BrumeStatus save_state(BrumeSceneRun *run, BrumeError *error)
{
    BrumeStatus status =
        run->checkpoint_writer.frame == brume_sim_frames(run->sim) ? BRUME_OK : write_checkpoint(run, error);
    if (status == BRUME_OK) {
        status = brume_checkpoint_writer_finish(&run->checkpoint_writer, error);
    }
    if (status != BRUME_OK && run->checkpoints.count == 0) {
        brume_checkpoint_folder_clear(&run->checkpoints, false); // no empty folder is left
    }
    return status;
}

// returns "frame 3 of 12", for frames or the pictures of a turntable
static BrumeShortText position(const BrumeSceneRun *run, const BrumeFrameRange *files, int done)
{
    const int before = files == &run->turns ? 0 : run->offset;
    BrumeShortText text;
    (void)snprintf(text.text, sizeof text.text, "%s %d of %d", files == &run->turns ? "picture" : "frame",
                   done + before, files->last + before);
    return text;
}

// returns the option that continues a run that was stopped after frame `done`
static const char *how_to_go_on(const BrumeSceneRun *run, const BrumeFrameRange *files, int done)
{
    const bool has_video = run->pattern.video && done >= files->first;
    return has_video ? "--resume cannot continue a video: start again with --overwrite" : "go on with --resume";
}

static BrumeStatus fail_interrupted(BrumeSceneRun *run, const BrumeFrameRange *files, int done, BrumeError *error)
{
    BrumeError why;
    const BrumeShortText where = position(run, files, done);
    if (!run->source && save_state(run, &why) != BRUME_OK) {
        return brume_fail(error, BRUME_INTERRUPTED, "interrupted after %s, without a checkpoint: %s", where.text,
                          why.text);
    }
    return brume_fail(error, BRUME_INTERRUPTED, "interrupted after %s (%s)", where.text,
                      how_to_go_on(run, files, done));
}

// stops the run before the disk is full, so that no write fails and the state is saved
static BrumeStatus stop_before_disk_is_full(BrumeSceneRun *run, const BrumeFrameRange *files, int done,
                                            BrumeError *error)
{
    BrumeError why;
    BrumeError not_saved;
    if (brume_run_check_next_frames(run, &why) == BRUME_OK) {
        return BRUME_OK;
    }
    (void)finish_frame_files(run, &not_saved); // before the checkpoint; the end of the run reports one that failed
    const BrumeShortText where = position(run, files, done);
    if (!run->source && save_state(run, &not_saved) != BRUME_OK) {
        return brume_fail(error, BRUME_FAILED, "%s: stopped after %s, without a checkpoint (free some space)", why.text,
                          where.text);
    }
    return brume_fail(error, BRUME_FAILED, "%s: stopped after %s (free some space, %s)", why.text, where.text,
                      how_to_go_on(run, files, done));
}

// waits for the latest checkpoint; with --keep-checkpoints the final state is one
static BrumeStatus finish_checkpoints(BrumeSceneRun *run, BrumeStatus status, BrumeError *error)
{
    const bool keeps = status == BRUME_OK && run->settings->checkpoints.keep > 0;
    if (keeps && run->checkpoint_writer.frame != brume_sim_frames(run->sim) &&
        write_checkpoint(run, error) != BRUME_OK) {
        return error->status;
    }
    return brume_checkpoint_writer_finish(&run->checkpoint_writer, error);
}

// adds the statistics of a drawn volume, and of earlier ones, which other workers may draw
static void add_file_stats(BrumeRunStats *stats, int file)
{
    while (stats->frames < file) {
        const BrumeFrameStats none = {.frame = stats->frames + 1, .converged = true};
        brume_run_stats_add(stats, &none, 0);
    }
}

// submits a picture of the present state from one side, unless its file exists or another worker draws it
static BrumeStatus submit_turn(BrumeSceneRun *run, int picture, bool *loaded, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    bool writes;
    add_file_stats(&run->turn_stats, picture);
    BrumeStatus status = brume_run_claim_frame(run, picture, path, &writes, error);
    if (status != BRUME_OK || !writes) {
        return status;
    }
    BrumeDrawnState state;
    if (run->source) {
        status = brume_volume_source_state(run, run->frames.last, &state, error);
    } else {
        state = brume_drawn_state(run->scene, run->sim);
    }
    if (status != BRUME_OK) {
        return status;
    }
    run->frame_space.submitted++;
    state.frame = picture;
    state.seed += (uint32_t)(picture - 1);
    state.turn = brume_turn_angle(picture, run->settings->turntable);
    state.same = *loaded;
    *loaded = true;
    return brume_frame_pipeline_submit(run->pipeline, &state, path, error);
}

// draws the present state from all sides
static BrumeStatus draw_turntable(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeFrameRange *turns = &run->turns;
    const int count = brume_frames_count(turns);
    bool loaded = false;
    BrumeStatus status = BRUME_OK;
    brume_progress_start(&run->progress, 0, count, brume_seconds());
    run->progress.unit = "picture";
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        const int picture = brume_frames_at(turns, n);
        if (brume_interrupt_requested()) {
            return fail_interrupted(run, turns, picture - 1, error);
        }
        status = n > 0 ? stop_before_disk_is_full(run, turns, picture - 1, error) : BRUME_OK;
        if (status == BRUME_OK) {
            status = submit_turn(run, picture, &loaded, error);
        }
        if (status == BRUME_OK) {
            brume_progress_count(&run->progress, brume_seconds(), 0.0, 0.0);
            print_progress(run);
        }
    }
    return status;
}

static BrumeStatus simulate_all(BrumeSceneRun *run, BrumeError *error)
{
    brume_run_skip_last_frames(run, run->resumed);
    brume_progress_start(&run->progress, run->resumed, run->frames.last, brume_seconds());
    const BrumeSimHooks hooks = {.context = run, .progress = report_step};
    brume_sim_set_hooks(run->sim, &hooks);
    BrumeStatus status = brume_run_call(run, BRUME_RUN_MEASURE, error);
    if (status == BRUME_OK && run->resumed == 0) {
        status = submit_frame(run, 0, error); // the initial state
    }
    for (int frame = run->resumed + 1; status == BRUME_OK && frame <= run->frames.last && !run->steady; frame++) {
        status = simulate_frame(run, error);
        if (status == BRUME_OK && run->settings->stats && brume_seconds() - run->stats_written > 1.0) {
            status = brume_run_write_stats(run, false, error);
        }
        if (status == BRUME_OK) {
            write_due_checkpoint(run);
            brume_run_skip_last_frames(run, frame);
        }
        if (status == BRUME_OK && frame < run->frames.last && !run->steady && brume_ranks_interrupted(run)) {
            status = fail_interrupted(run, &run->frames, frame, error);
        }
        if (status == BRUME_OK && frame < run->frames.last && !run->steady) {
            status = stop_before_disk_is_full(run, &run->frames, frame, error);
        }
    }
    return status == BRUME_OK ? brume_run_call(run, BRUME_RUN_MEASURE_LAST, error) : status;
}

// finds the next frame from `frame` on that this run draws, and claims its `path`; 0 after the last one
static BrumeStatus claim_next_volume(BrumeSceneRun *run, int frame, int *next, char path[BRUME_MAX_PATH],
                                     BrumeError *error)
{
    *next = 0;
    for (; frame <= run->frames.last && *next == 0; frame += run->frames.stride) {
        bool draws;
        add_file_stats(&run->stats, frame);
        if (brume_run_claim_frame(run, frame, path, &draws, error) != BRUME_OK) {
            return error->status;
        }
        *next = draws ? frame : 0;
    }
    return BRUME_OK;
}

// returns the number of frames before `frame`, of all frames where it is 0
static int frames_before(const BrumeSceneRun *run, int frame)
{
    return frame > 0 ? (frame - run->frames.first) / run->frames.stride : brume_frames_count(&run->frames);
}

// draws the volume that is being read while the next one is read
static BrumeStatus draw_volume(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], int *next, BrumeError *error)
{
    char drawn[BRUME_MAX_PATH];
    (void)snprintf(drawn, sizeof drawn, "%s", path);
    if (brume_volume_source_take(run->source, error) != BRUME_OK ||
        claim_next_volume(run, frame + run->frames.stride, next, path, error) != BRUME_OK) {
        return error->status;
    }
    const bool stops = brume_interrupt_requested();
    const bool waits = run->settings->watch; // for the next volume, when this one is drawn
    BrumeStatus status = *next > 0 && !waits && !stops ? brume_volume_source_start(run, *next, error) : BRUME_OK;
    BrumeDrawnState state;
    if (status == BRUME_OK) {
        status = brume_volume_source_state(run, frame, &state, error);
    }
    if (status == BRUME_OK) {
        run->frame_space.submitted++;
        status = brume_frame_pipeline_submit(run->pipeline, &state, drawn, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    while (run->progress.done < frames_before(run, *next)) { // also existing frames, or drawn by other workers
        brume_progress_count(&run->progress, brume_seconds(), 0.0, 0.0);
    }
    print_progress(run);
    if (*next == 0) {
        return BRUME_OK;
    }
    if (stops || brume_interrupt_requested()) {
        return fail_interrupted(run, &run->frames, frame, error);
    }
    status = stop_before_disk_is_full(run, &run->frames, frame, error);
    return status == BRUME_OK && waits ? brume_volume_source_start(run, *next, error) : status;
}

static BrumeStatus draw_all_volumes(BrumeSceneRun *run, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    int next;
    BrumeStatus status = claim_next_volume(run, run->frames.first, &next, path, error);
    brume_progress_start(&run->progress, frames_before(run, next), brume_frames_count(&run->frames), brume_seconds());
    if (status == BRUME_OK && next > 0) {
        status = brume_volume_source_start(run, next, error);
    }
    while (status == BRUME_OK && next > 0) {
        status = draw_volume(run, next, path, &next, error);
    }
    return status;
}

static BrumeStatus run_frames(BrumeSceneRun *run, BrumeError *error)
{
    BrumeStatus status = brume_run_start(run, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_run_print_start(run);
    if (run->draws) {
        brume_frame_pipeline_report(run->pipeline, &run->messages, &run->progress);
    }
    const bool turns = run->has_frame_files && run->settings->turntable > 0;
    if (!run->source) {
        status = brume_run_call(run, BRUME_RUN_CHECK_INFLOW, error);
        status = status == BRUME_OK ? simulate_all(run, error) : status;
    } else if (!turns) {
        status = draw_all_volumes(run, error);
    }
    if (status == BRUME_OK && turns) {
        status = draw_turntable(run, error);
    }
    // also after an error, so that all submitted images and lines are written
    BrumeError write_error;
    if (!run->source && finish_checkpoints(run, status, &write_error) != BRUME_OK) {
        brume_messages_warning(&run->messages, "no checkpoint: %s", write_error.text);
    }
    const BrumeStatus closed = close_tables(run, &write_error);
    if (closed != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = closed;
        *error = write_error;
    }
    const BrumeStatus written = finish_frame_files(run, &write_error);
    if (written != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = written;
        *error = write_error;
    }
    if (run->settings->stats) {
        const BrumeStatus saved = brume_run_write_stats(run, true, &write_error);
        if (saved != BRUME_OK && status == BRUME_OK) {
            status = saved;
            *error = write_error;
        }
    }
    if (status != BRUME_OK && run->has_frame_files) {
        brume_run_append_written(run, error);
    }
    if (status == BRUME_OK && !run->source && run->settings->checkpoints.keep == 0) {
        brume_checkpoint_folder_clear(&run->checkpoints, false);
    }
    brume_run_print_end(run, status);
    return status;
}

// whether an earlier run has left nothing to do
static bool is_complete(const BrumeSceneRun *run)
{
    return run->has_frame_files && brume_run_resumes(run) && !brume_run_has_tables(run) &&
           brume_run_first_missing_file(run) > brume_run_files(run)->last;
}

// prints the reason why a run has nothing to do
static BrumeStatus print_complete(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeChunk *chunk = &run->settings->chunk;
    const BrumeStatus status = brume_run_open_messages(run, error);
    if (status == BRUME_OK && !run->frames_in_chunk) {
        const int frames = brume_frames_count(&run->whole_range);
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "nothing to do: part %d of %d has none of %d %s",
                             chunk->index, chunk->count, frames, frames == 1 ? "frame" : "frames");
    } else if (status == BRUME_OK) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "nothing to do: all files exist (give --overwrite to make them again)");
    }
    return status;
}

static BrumeStatus catch_signals(const BrumeSceneRun *run, BrumeError *error)
{
    return brume_interrupt_start(brume_ranks_follow(run) ? NULL : "stopping after this frame", error);
}

// opens the scene of the run, and finds the requested frames
static BrumeStatus open_source(BrumeSceneRun *run, BrumeError *error)
{
    if (!run->source) {
        return brume_run_load_scene(run, error);
    }
    const BrumeStatus status = catch_signals(run, error); // while it waits for volumes
    return status == BRUME_OK ? brume_run_open_volumes(run, error) : status;
}

// makes all checks before the run allocates memory for its simulation
static BrumeStatus prepare(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = brume_run_check_farm_options(settings, error);
    if (status == BRUME_OK) {
        status = brume_threads_resolve(settings->common.threads, &run->info.threads, error);
    }
    if (status == BRUME_OK) {
        run->info.threads = brume_ranks_threads(run, run->info.threads);
        brume_set_threads(run->info.threads); // the memory depends on it
        status = open_source(run, error);
    }
    if (status == BRUME_OK) {
        status = brume_run_select_frames(run, error);
    }
    if (status == BRUME_OK && !run->frames_in_chunk) {
        return BRUME_OK;
    }
    if (status == BRUME_OK && !brume_ranks_follow(run)) {
        status = brume_run_check_outputs(run, error);
    }
    if (status == BRUME_OK) {
        status = brume_run_check_memory(run, error);
    }
    if (status == BRUME_OK && brume_ranks_follow(run)) {
        status = brume_run_prepare_to_follow(run, error);
    }
    return status == BRUME_OK && !run->source ? catch_signals(run, error) : status;
}

static void destroy(BrumeSceneRun *run)
{
    brume_frame_pipeline_destroy(run->pipeline);
    brume_image_output_close(&run->images);
    brume_volume_writer_destroy(run->volumes);
    brume_run_release_claims(run);
    brume_run_stats_destroy(&run->stats);
    brume_run_stats_destroy(&run->turn_stats);
    brume_measure_log_destroy(&run->measures);
    brume_probe_files_destroy(&run->probes);
    brume_steadiness_destroy(&run->steadiness);
    brume_checkpoint_writer_end(&run->checkpoint_writer);
    brume_checkpoint_folder_close(&run->checkpoints);
    if (run->source) {
        brume_volume_source_destroy(run->source);
    }
    brume_free(run->scene_text);
    brume_sim_destroy(run->sim);
    brume_scene_destroy(run->scene);
    brume_text_destroy(&run->notes);
}

int brume_run_scene(const BrumeRunSettings *settings, const char *path, bool draws)
{
    static BrumeSceneRun run;
    static BrumeVolumeSource volumes;
    run.source = draws && brume_names_volumes(path) ? &volumes : NULL;
    run.settings = settings;
    run.draws = draws;
    run.info.scene_path = path;
    run.info.ranks = 1;
    bool follows = false; // the other ranks, which wait for calls
    BrumeError error;
    run.resume = settings->checkpoints.resume;
    if (run.resume == BRUME_RESUME_OFF && settings->skip_existing) {
        run.resume = BRUME_RESUME_SAME;
    }
    BrumeStatus status = draws ? BRUME_OK : brume_ranks_start(&run, &error);
    if (status == BRUME_OK) {
        status = brume_ranks_agree(&run, prepare(&run, &error), &error);
        follows = status == BRUME_OK;
    }
    if (status == BRUME_OK) {
        brume_ranks_measure_speeds(&run);
    }
    if (status == BRUME_OK && brume_ranks_follow(&run)) {
        status = brume_run_follow(&run, &error);
    } else if (status == BRUME_OK && !run.frames_in_chunk) {
        status = print_complete(&run, &error);
    } else if (status == BRUME_OK && settings->dry_run) {
        brume_messages_scene_warnings(&run.messages, run.scene);
        const int turns = settings->turntable > 0 ? brume_frames_count(&run.turns) : 0;
        status = brume_dry_run(run.scene, &run.pictures, &run.frames, turns, settings->output, &error);
    } else if (status == BRUME_OK) {
        brume_run_remove_abandoned_claims(&run);
        status = is_complete(&run) ? print_complete(&run, &error) : run_frames(&run, &error);
    }
    if (status != BRUME_OK) {
        brume_messages_error(&run.messages, &error);
    }
    status = brume_messages_end(&run.messages, status);
    if (follows && !brume_ranks_follow(&run)) {
        brume_run_end_followers(&run, status);
    }
    destroy(&run);
    brume_ranks_end(&run);
    return (int)status;
}
