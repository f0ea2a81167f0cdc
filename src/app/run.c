#include "app/run.h"

#include "app/bench/machine.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/commands.h"
#include "app/render/dry_run.h"
#include "app/render/frame_pipeline.h"
#include "app/render/measure_log.h"
#include "app/render/probe_files.h"
#include "app/render/run_memory.h"
#include "app/render/run_stats.h"
#include "app/render/steadiness.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/parallel/clock.h"
#include "io/file.h"
#include "sim/measures/sealed_inflow.h"

#include <stdio.h>
#include <string.h>

/** The state of a run of the command. */
typedef struct Run {
    const BrumeRunSettings *settings;
    bool draws; ///< whether images are drawn; without them all frames are in `frames`
    BrumeFrameRange frames;
    BrumeOutputPattern pattern;
    BrumeRunInfo info;
    BrumeScene *scene;
    BrumeSim *sim;
    BrumeFramePipeline *pipeline;
    BrumeRunStats stats;
    BrumeMeasureLog measures; ///< with --measures or --stats
    BrumeProbeFiles probes;
    BrumeSteadiness steadiness; ///< with --until-steady
    bool sealed;                ///< an inflow into an enclosed region is told
    bool steady;                ///< the run has ended before its last frame
    BrumeMessages messages;
    BrumeProgress progress;
    double sim_seconds, cell_steps; ///< totals of the frames so far
    double stats_written;           ///< when the statistics were last written [s]
} Run;

// --size and --samples become overrides, so that they are checked as the values of the scene are
static BrumeStatus load_scene(BrumeScene **scene, const char *path, const BrumeRunSettings *settings, BrumeError *error)
{
    char texts[3][48];
    int count = 0;
    BrumeTextList overrides = settings->common.overrides;
    const BrumeImageSize size = settings->common.size;
    if (size.width > 0) {
        (void)snprintf(texts[count++], sizeof texts[0], "image.width=%d", size.width);
        (void)snprintf(texts[count++], sizeof texts[0], "image.height=%d", size.height);
    }
    if (settings->samples > 0) {
        (void)snprintf(texts[count++], sizeof texts[0], "image.samples=%d", settings->samples);
    }
    for (int n = 0; n < count; n++) {
        if (overrides.count == BRUME_MAX_LIST) {
            return brume_fail(error, BRUME_BAD_INPUT, "--define is given more than %d times", BRUME_MAX_LIST - count);
        }
        overrides.texts[overrides.count++] = texts[n];
    }
    return brume_scene_load(scene, path, overrides.texts, overrides.count, error);
}

static bool measures_states(const Run *run) { return run->settings->measures || run->settings->stats; }

// the folder of the files of the probes
static const char *probes_folder(const Run *run, char folder[BRUME_MAX_PATH])
{
    const BrumeRunSettings *settings = run->settings;
    const char *slash = settings->output ? strrchr(settings->output, '/') : NULL;
    if (settings->probes_dir || !slash) {
        return settings->probes_dir ? settings->probes_dir : ".";
    }
    (void)snprintf(folder, BRUME_MAX_PATH, "%.*s", slash > settings->output ? (int)(slash - settings->output) : 1,
                   settings->output);
    return folder;
}

static BrumeStatus check_memory(const Run *run, BrumeError *error)
{
    const BrumeRunMemory memory = brume_run_memory(run->scene, run->draws, measures_states(run), run->frames.last);
    return brume_run_memory_check(&memory, run->scene, run->settings->max_memory, error);
}

static BrumeStatus check_tables(const Run *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (settings->overwrite || settings->dry_run) {
        return BRUME_OK;
    }
    BrumeStatus status = BRUME_OK;
    if (settings->measures) {
        status = brume_check_free_path(settings->measures, "--measures", error);
    }
    char folder[BRUME_MAX_PATH];
    return status == BRUME_OK ? brume_probe_files_check_free(run->scene, probes_folder(run, folder), error) : status;
}

static BrumeStatus check_output(Run *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (!run->draws) {
        const bool has_output =
            settings->measures || settings->stats || run->scene->probe_count > 0 || settings->until_steady > 0.0;
        return has_output ? BRUME_OK
                          : brume_fail(error, BRUME_BAD_INPUT,
                                       "no output (give --measures FILE or --stats FILE, or add probes to the scene)");
    }
    if (!settings->output) {
        if (settings->dry_run) {
            return BRUME_OK;
        }
        return brume_fail(error, BRUME_BAD_INPUT, "no output (give -o PATTERN, for example -o out/plume.####.png)");
    }
    const BrumeStatus status =
        brume_pattern_read(&run->pattern, settings->output, brume_frames_count(&run->frames), error);
    if (status != BRUME_OK || settings->overwrite || settings->dry_run) {
        return status;
    }
    return brume_pattern_check_free(&run->pattern, &run->frames, error);
}

static BrumeStatus write_stats(Run *run, BrumeError *error)
{
    run->stats_written = brume_seconds();
    return brume_run_stats_write(&run->stats, &run->info, run->settings->stats, error);
}

static BrumeStatus start_images(Run *run, BrumeError *error)
{
    // the drawing thread has the cores that the simulation does not use
    const int idle = brume_physical_cores() - run->info.threads;
    const BrumeStatus status =
        brume_frame_pipeline_create(&run->pipeline, run->scene, idle > 0 ? idle : 0, &run->stats, error);
    if (status != BRUME_OK) {
        return status;
    }
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, run->frames.first, path);
    return brume_file_make_folder(path, error);
}

// opens the tables of measures and probes, so that an unwritable path fails before the simulation
static BrumeStatus start_tables(Run *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = BRUME_OK;
    if (measures_states(run)) {
        brume_sim_set_budgets(run->sim, true);
        status = brume_measure_log_create(&run->measures, run->scene, run->frames.last, settings->measures, error);
        run->info.measures = &run->measures;
    }
    char folder[BRUME_MAX_PATH];
    if (status == BRUME_OK) {
        status = brume_probe_files_create(&run->probes, run->scene, probes_folder(run, folder), error);
    }
    if (settings->until_steady > 0.0) {
        brume_steadiness_start(&run->steadiness, run->scene);
    }
    return status;
}

// measures the present state and compares it with the previous one
static BrumeStatus measure_state(Run *run, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (measures_states(run)) {
        status = brume_measure_log_add(&run->measures, run->sim, error);
    }
    if (status == BRUME_OK) {
        status = brume_probe_files_add(&run->probes, run->sim, false, error);
    }
    if (status == BRUME_OK && run->settings->until_steady > 0.0) {
        status = brume_steadiness_compare(&run->steadiness, run->sim, run->settings->until_steady, &run->steady, error);
    }
    return status;
}

static BrumeStatus close_tables(Run *run, BrumeError *error)
{
    const BrumeStatus status = brume_measure_log_close(&run->measures, error);
    BrumeError probe_error;
    const BrumeStatus closed = brume_probe_files_close(&run->probes, &probe_error);
    if (status == BRUME_OK && closed != BRUME_OK) {
        *error = probe_error;
    }
    return status == BRUME_OK ? closed : status;
}

static BrumeStatus start(Run *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = brume_sim_create(&run->sim, &run->scene->sim, error);
    if (status != BRUME_OK) {
        return status;
    }
    run->info.bytes = brume_sim_bytes(run->sim);
    status = brume_run_stats_create(&run->stats, run->frames.last, error);
    if (status == BRUME_OK && run->draws) {
        status = start_images(run, error);
    }
    if (status == BRUME_OK) {
        status = start_tables(run, error);
    }
    if (status == BRUME_OK && settings->stats) {
        status = brume_file_make_folder(settings->stats, error);
    }
    if (status == BRUME_OK && settings->stats) {
        status = write_stats(run, error); // so that an unwritable path fails before the simulation
    }
    if (status == BRUME_OK) {
        status = brume_messages_open(&run->messages, settings->quiet, settings->verbosity, settings->log, error);
    }
    return status;
}

static void print_start(Run *run)
{
    const BrumeSimDef *def = &run->scene->sim;
    const BrumeMachine machine = brume_machine();
    brume_messages_scene_warnings(&run->messages, run->scene);
    brume_messages_print(&run->messages, BRUME_PRINT_MACHINE, "brume %s, %s, %s, %s", brume_version(), machine.compiler,
                         machine.cpu, machine.os);
    char pixels[64] = "";
    if (run->draws) {
        (void)snprintf(pixels, sizeof pixels, ", %d x %d pixels", run->scene->width, run->scene->height);
    }
    brume_messages_print(&run->messages, BRUME_PRINT_DETAILS,
                         "%s: %d x %d x %d cells, %s, threads: %d, %s; frames %d to %d%s", run->scene->name, def->nx,
                         def->ny, def->nz, brume_format_bytes((double)run->info.bytes).text, run->info.threads,
                         def->pressure, run->frames.first, run->frames.last, pixels);
}

static void print_frame(Run *run, const BrumeFrameStats *sim)
{
    char stages[256] = "";
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const size_t used = strlen(stages);
        (void)snprintf(stages + used, sizeof stages - used, ", %s %.1f", brume_stage_name((BrumeStage)stage),
                       sim->ms[stage]);
    }
    brume_messages_print(&run->messages, BRUME_PRINT_DETAILS,
                         "frame %d: %d steps, %d iterations, residual %.1e; %.1f ms%s", sim->frame, sim->steps,
                         sim->iterations, sim->residual, sim->total_ms, stages);
    if (!sim->converged) {
        brume_messages_print(&run->messages, BRUME_PRINT_DETAILS,
                             "frame %d: pressure did not converge (residual %.1e, tolerance %.1e)", sim->frame,
                             sim->residual, (double)brume_sim_settings(run->sim)->tolerance);
    }
}

static void warn_of_sealed_inflow(Run *run)
{
    BrumeSealedInflow inflow;
    if (run->sealed || !brume_find_sealed_inflow(run->sim, &inflow)) {
        return;
    }
    run->sealed = true;
    const BrumeVec3 a = inflow.lower;
    const BrumeVec3 b = inflow.upper;
    brume_messages_warning(&run->messages,
                           "frame %d: the air from the inflow '%s' (%.3g m^3/s) cannot leave the region [%.3g, %.3g, "
                           "%.3g] to [%.3g, %.3g, %.3g] m, which walls and obstacles enclose; its flow and pressure "
                           "are wrong (open a side or the gap between obstacles, or remove the inflow)",
                           brume_sim_frames(run->sim), brume_face_name(inflow.face), inflow.flux, (double)a.x,
                           (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
}

static BrumeStatus simulate_frame(Run *run, BrumeError *error)
{
    BrumeFrameStats sim;
    const BrumeStatus status = brume_scene_frame(run->scene, run->sim, &sim, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_run_stats_add(&run->stats, &sim, run->settings->stats ? brume_sim_hash(run->sim) : 0);
    const BrumeSimDef *def = brume_sim_settings(run->sim);
    const double cell_steps = (double)def->nx * def->ny * def->nz * sim.steps;
    run->cell_steps += cell_steps;
    run->sim_seconds += 1e-3 * sim.total_ms;
    warn_of_sealed_inflow(run);
    print_frame(run, &sim);
    if (measure_state(run, error) != BRUME_OK) {
        return error->status;
    }
    if (run->draws && brume_frames_contain(&run->frames, sim.frame)) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&run->pattern, sim.frame, path);
        if (brume_frame_pipeline_submit(run->pipeline, run->sim, sim.frame, path, error) != BRUME_OK) {
            return error->status;
        }
    }
    brume_progress_count(&run->progress, brume_seconds(), cell_steps, 1e-3 * sim.total_ms);
    brume_messages_progress(&run->messages, &run->progress);
    return BRUME_OK;
}

static BrumeStatus fail_interrupted(const Run *run, int done, BrumeError *error)
{
    if (!run->draws) {
        return brume_fail(error, BRUME_INTERRUPTED, "interrupted after frame %d of %d", done, run->frames.last);
    }
    int next = run->frames.first;
    while (next <= done) {
        next += run->frames.stride;
    }
    char stride[16] = "";
    if (run->frames.stride > 1) {
        (void)snprintf(stride, sizeof stride, ":%d", run->frames.stride);
    }
    return brume_fail(
        error, BRUME_INTERRUPTED,
        "interrupted after frame %d of %d (render the rest with --frames %d:%d%s; it simulates from the start)", done,
        run->frames.last, next, run->frames.last, stride);
}

static BrumeStatus simulate_all(Run *run, BrumeError *error)
{
    brume_progress_start(&run->progress, run->frames.last, brume_seconds());
    BrumeStatus status = measure_state(run, error); // the initial one
    for (int frame = 1; status == BRUME_OK && frame <= run->frames.last && !run->steady; frame++) {
        status = simulate_frame(run, error);
        if (status == BRUME_OK && run->settings->stats && brume_seconds() - run->stats_written > 1.0) {
            status = write_stats(run, error);
        }
        if (status == BRUME_OK && frame < run->frames.last && !run->steady && brume_interrupt_requested()) {
            status = fail_interrupted(run, frame, error);
        }
    }
    return status == BRUME_OK ? brume_probe_files_add(&run->probes, run->sim, true, error) : status;
}

static void print_steadiness(Run *run)
{
    const BrumeSteadiness *steadiness = &run->steadiness;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "steady after frame %d: velocity changes by %.2g, temperature by %.2g of the largest value in a "
                   "second (tolerance %.2g)",
                   brume_sim_frames(run->sim), steadiness->velocity_change, steadiness->temperature_change,
                   run->settings->until_steady);
    if (run->steady) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%s", text);
    } else {
        brume_messages_warning(&run->messages, "not %s", text);
    }
}

static void print_images(Run *run)
{
    const BrumeFrameCount written = brume_run_stats_written(&run->stats);
    const BrumeShortText elapsed = brume_format_duration(brume_seconds() - run->progress.started);
    if (written.count == 0) { // the run has ended before the first frame to draw
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "no frame is drawn, in %s", elapsed.text);
        return;
    }
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, written.first, first);
    brume_pattern_path(&run->pattern, written.last, last);
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%d %s in %s: %s%s%s", written.count,
                         written.count == 1 ? "frame" : "frames", elapsed.text, first, written.count > 1 ? " to " : "",
                         written.count > 1 ? last : "");
}

static void print_end(Run *run, BrumeStatus status)
{
    double residual;
    const int unconverged = brume_run_stats_unconverged(&run->stats, &residual);
    if (unconverged > 0) {
        brume_messages_warning(&run->messages,
                               "pressure did not converge in %d of %d frames (largest residual %.1e, tolerance %.1e)",
                               unconverged, run->stats.frames, residual, (double)run->scene->sim.tolerance);
    }
    if (status != BRUME_OK) {
        return;
    }
    if (run->settings->until_steady > 0.0) {
        print_steadiness(run);
    }
    const double rate = run->sim_seconds > 0.0 ? 1e-6 * run->cell_steps / run->sim_seconds : 0.0;
    const BrumeShortText simulation = brume_format_duration(run->sim_seconds);
    if (!run->draws) {
        const BrumeShortText elapsed = brume_format_duration(brume_seconds() - run->progress.started);
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%d %s in %s; simulation %s (%.1f Mcells/s)",
                             run->stats.frames, run->stats.frames == 1 ? "frame" : "frames", elapsed.text,
                             simulation.text, rate);
        return;
    }
    print_images(run);
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "simulation %s (%.1f Mcells/s), %.0f ms per image",
                         simulation.text, rate,
                         brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LOAD) +
                             brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_LIGHT) +
                             brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_DRAW));
}

// appends the frames that are on the disk to the text of an error
static void append_written_frames(Run *run, BrumeError *error)
{
    const BrumeFrameCount written = brume_run_stats_written(&run->stats);
    const size_t used = strlen(error->text);
    char text[64] = "; no frame is written";
    if (written.count == 1) {
        (void)snprintf(text, sizeof text, "; frame %d is written", written.first);
    } else if (written.count > 1) {
        (void)snprintf(text, sizeof text, "; %d frames are written, %d to %d", written.count, written.first,
                       written.last);
    }
    // a long text is cut
    const size_t room = sizeof error->text - 1 - strlen(text);
    (void)snprintf(error->text + (used < room ? used : room), strlen(text) + 1, "%s", text);
}

static BrumeStatus run_frames(Run *run, BrumeError *error)
{
    BrumeStatus status = start(run, error);
    if (status != BRUME_OK) {
        return status;
    }
    print_start(run);
    warn_of_sealed_inflow(run);
    status = simulate_all(run, error);
    // also after an error, so that all submitted images and lines are written
    BrumeError write_error;
    const BrumeStatus closed = close_tables(run, &write_error);
    if (closed != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = closed;
        *error = write_error;
    }
    const BrumeStatus written = run->draws ? brume_frame_pipeline_finish(run->pipeline, &write_error) : BRUME_OK;
    if (written != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = written;
        *error = write_error;
    }
    if (run->settings->stats) {
        const BrumeStatus saved = write_stats(run, &write_error);
        if (saved != BRUME_OK && status == BRUME_OK) {
            status = saved;
            *error = write_error;
        }
    }
    if (status != BRUME_OK && run->draws) {
        append_written_frames(run, error);
    }
    print_end(run, status);
    return status;
}

int brume_run_scene(const BrumeCommand *command, bool draws, int argc, char **argv)
{
    static BrumeRunSettings settings;
    static Run run;
    run.settings = &settings;
    run.draws = draws;
    BrumeError error;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &run.info.scene_path, &settings, &error);
    if (status == BRUME_OK) {
        status = load_scene(&run.scene, run.info.scene_path, &settings, &error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    run.info.scene = run.scene;
    run.frames = settings.frames;
    status = brume_frames_resolve(&run.frames, run.scene->frames, &error);
    if (status == BRUME_OK) {
        status = check_output(&run, &error);
    }
    if (status == BRUME_OK) {
        status = check_tables(&run, &error);
    }
    if (status == BRUME_OK) {
        status = check_memory(&run, &error);
    }
    if (status == BRUME_OK) {
        status = brume_interrupt_start(&error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    run.info.threads = brume_choose_threads(settings.common.threads);
    brume_set_threads(run.info.threads);
    if (settings.dry_run) {
        brume_messages_scene_warnings(&run.messages, run.scene);
    }
    status =
        settings.dry_run ? brume_dry_run(run.scene, &run.frames, settings.output, &error) : run_frames(&run, &error);
cleanup:
    if (status != BRUME_OK) {
        brume_messages_error(&run.messages, &error);
    }
    BrumeError log_error;
    if (brume_messages_close(&run.messages, &log_error) != BRUME_OK) {
        brume_print_error(&log_error);
        status = status == BRUME_OK ? log_error.status : status;
    }
    brume_frame_pipeline_destroy(run.pipeline);
    brume_run_stats_destroy(&run.stats);
    brume_measure_log_destroy(&run.measures);
    brume_probe_files_destroy(&run.probes);
    brume_steadiness_destroy(&run.steadiness);
    brume_sim_destroy(run.sim);
    brume_scene_destroy(run.scene);
    return (int)status;
}
