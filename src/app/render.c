#include "app/bench/machine.h"
#include "app/cli/console.h"
#include "app/cli/format.h"
#include "app/cli/frame_range.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_pattern.h"
#include "app/cli/picture_size.h"
#include "app/cli/progress.h"
#include "app/commands.h"
#include "app/dry_run.h"
#include "app/painter.h"
#include "app/run_stats.h"
#include "brume/brume.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

typedef struct RenderSettings {
    BrumeFrameRange frames;
    const char *output;
    int threads; ///< 0: chosen
    BrumeTextList overrides;
    BrumePictureSize size; ///< not given: the scene's
    int samples;           ///< 0: the scene's
    bool overwrite, quiet, dry_run;
    int verbosity;
    const char *log, *stats;
} RenderSettings;

/** A render under way. */
typedef struct Run {
    const RenderSettings *settings;
    BrumeFrameRange frames;
    BrumeOutputPattern pattern;
    BrumeRunFacts facts;
    BrumeScene *scene;
    BrumeSim *sim;
    BrumePainter *painter;
    BrumeRunStats stats;
    BrumeConsole console;
    BrumeProgress progress;
    double sim_seconds, cell_steps; ///< so far
    double stats_written;           ///< when [s]
} Run;

// --size and --samples are checked as the scene's own values are
static BrumeStatus load_scene(BrumeScene **scene, const char *path, const RenderSettings *settings, BrumeError *error)
{
    char texts[3][48];
    int count = 0;
    BrumeTextList overrides = settings->overrides;
    if (settings->size.width > 0) {
        (void)snprintf(texts[count++], sizeof texts[0], "image.width=%d", settings->size.width);
        (void)snprintf(texts[count++], sizeof texts[0], "image.height=%d", settings->size.height);
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

static BrumeStatus check_memory(const BrumeScene *scene, BrumeError *error)
{
    const BrumeGrid grid = brume_scene_largest_grid(scene);
    const size_t needed = brume_scene_bytes_needed(scene);
    const size_t memory = brume_physical_memory();
    if (memory > 0 && needed > memory) {
        return brume_fail(error, BRUME_FAILED,
                          "%d x %d x %d cells need %s of memory, the machine has %s (lower solver.resolution)", grid.nx,
                          grid.ny, grid.nz, brume_format_bytes((double)needed).text,
                          brume_format_bytes((double)memory).text);
    }
    return BRUME_OK;
}

static BrumeStatus check_output(Run *run, BrumeError *error)
{
    const RenderSettings *settings = run->settings;
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
    return brume_run_stats_write(&run->stats, &run->facts, run->settings->stats, error);
}

static BrumeStatus start(Run *run, BrumeError *error)
{
    const RenderSettings *settings = run->settings;
    BrumeStatus status = brume_sim_create(&run->sim, &run->scene->sim, error);
    if (status != BRUME_OK) {
        return status;
    }
    run->facts.bytes = brume_sim_bytes(run->sim);
    status = brume_run_stats_create(&run->stats, run->frames.last, error);
    if (status != BRUME_OK) {
        return status;
    }
    // cores that the simulation leaves idle draw
    const int idle = brume_physical_cores() - run->facts.threads;
    status = brume_painter_create(&run->painter, run->scene, idle > 0 ? idle : 0, &run->stats, error);
    if (status != BRUME_OK) {
        return status;
    }
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, run->frames.first, path);
    status = brume_file_make_folder(path, error);
    if (status == BRUME_OK && settings->stats) {
        status = brume_file_make_folder(settings->stats, error);
    }
    if (status == BRUME_OK && settings->stats) {
        status = write_stats(run, error); // a disk that says no says so before the work
    }
    if (status == BRUME_OK) {
        status = brume_console_open(&run->console, settings->quiet, settings->verbosity, settings->log, error);
    }
    return status;
}

static void say_start(Run *run)
{
    const BrumeSimDef *def = &run->scene->sim;
    const BrumeMachine machine = brume_machine();
    brume_console_say(&run->console, BRUME_DEBUG, "brume %s, %s, %s, %s", brume_version(), machine.compiler,
                      machine.cpu, machine.os);
    brume_console_say(&run->console, BRUME_DETAIL,
                      "%s: %d x %d x %d cells, %s, threads: %d, %s; frames %d to %d, %d x %d pixels", run->scene->name,
                      def->nx, def->ny, def->nz, brume_format_bytes((double)run->facts.bytes).text, run->facts.threads,
                      def->pressure, run->frames.first, run->frames.last, run->scene->width, run->scene->height);
}

static void say_frame(Run *run, const BrumeFrameStats *sim)
{
    char stages[256] = "";
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const size_t used = strlen(stages);
        (void)snprintf(stages + used, sizeof stages - used, ", %s %.1f", brume_stage_name((BrumeStage)stage),
                       sim->ms[stage]);
    }
    brume_console_say(&run->console, BRUME_DETAIL, "frame %d: %d steps, %d iterations, residual %.1e; %.1f ms%s",
                      sim->frame, sim->steps, sim->iterations, sim->residual, sim->total_ms, stages);
    if (!sim->converged) {
        brume_console_say(&run->console, BRUME_DETAIL,
                          "frame %d: pressure did not converge (residual %.1e, asked for %.1e)", sim->frame,
                          sim->residual, (double)brume_sim_settings(run->sim)->tolerance);
    }
}

static BrumeStatus simulate(Run *run, BrumeError *error)
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
    say_frame(run, &sim);
    if (brume_frames_contain(&run->frames, sim.frame)) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&run->pattern, sim.frame, path);
        if (brume_painter_paint(run->painter, run->sim, sim.frame, path, error) != BRUME_OK) {
            return error->status;
        }
    }
    brume_progress_count(&run->progress, brume_seconds(), cell_steps, 1e-3 * sim.total_ms);
    char line[256];
    brume_progress_line(&run->progress, line, sizeof line);
    brume_console_progress(&run->console, line);
    return BRUME_OK;
}

static BrumeStatus fail_interrupted(const Run *run, int done, BrumeError *error)
{
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
        "interrupted after frame %d of %d (for the rest: --frames %d:%d%s, which simulates from the start)", done,
        run->frames.last, next, run->frames.last, stride);
}

static BrumeStatus simulate_all(Run *run, BrumeError *error)
{
    brume_progress_start(&run->progress, run->frames.last, brume_seconds());
    for (int frame = 1; frame <= run->frames.last; frame++) {
        BrumeStatus status = simulate(run, error);
        if (status == BRUME_OK && run->settings->stats && brume_seconds() - run->stats_written > 1.0) {
            status = write_stats(run, error);
        }
        if (status == BRUME_OK && frame < run->frames.last && brume_interrupt_requested()) {
            status = fail_interrupted(run, frame, error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

static void say_end(Run *run, BrumeStatus status)
{
    double residual;
    const int unconverged = brume_run_stats_unconverged(&run->stats, &residual);
    if (unconverged > 0) {
        brume_console_warn(&run->console,
                           "pressure did not converge in %d of %d frames (worst residual %.1e, asked for %.1e)",
                           unconverged, run->stats.frames, residual, (double)run->scene->sim.tolerance);
    }
    if (status != BRUME_OK) {
        return;
    }
    const BrumeWholeFrames whole = brume_run_stats_whole(&run->stats);
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, whole.first, first);
    brume_pattern_path(&run->pattern, whole.last, last);
    brume_console_say(&run->console, BRUME_SAY, "%d %s in %s: %s%s%s", whole.count,
                      whole.count == 1 ? "frame" : "frames",
                      brume_format_duration(brume_seconds() - run->progress.started).text, first,
                      whole.count > 1 ? " to " : "", whole.count > 1 ? last : "");
    brume_console_say(&run->console, BRUME_SAY, "simulation %s (%.1f Mcells/s), a picture %.0f ms",
                      brume_format_duration(run->sim_seconds).text,
                      run->sim_seconds > 0.0 ? 1e-6 * run->cell_steps / run->sim_seconds : 0.0,
                      brume_run_stats_mean_ms(&run->stats, BRUME_PICTURE_LOAD) +
                          brume_run_stats_mean_ms(&run->stats, BRUME_PICTURE_LIGHT) +
                          brume_run_stats_mean_ms(&run->stats, BRUME_PICTURE_DRAW));
}

// what is left on the disk is part of every failure's line
static void add_whole_frames(Run *run, BrumeError *error)
{
    const BrumeWholeFrames whole = brume_run_stats_whole(&run->stats);
    const size_t used = strlen(error->text);
    char text[64] = "; no frame is whole";
    if (whole.count == 1) {
        (void)snprintf(text, sizeof text, "; frame %d is whole", whole.first);
    } else if (whole.count > 1) {
        (void)snprintf(text, sizeof text, "; %d frames are whole, %d to %d", whole.count, whole.first, whole.last);
    }
    // a long text gives way to it
    const size_t room = sizeof error->text - 1 - strlen(text);
    (void)snprintf(error->text + (used < room ? used : room), strlen(text) + 1, "%s", text);
}

static BrumeStatus render(Run *run, BrumeError *error)
{
    BrumeStatus status = start(run, error);
    if (status != BRUME_OK) {
        return status;
    }
    say_start(run);
    status = simulate_all(run, error);
    // pictures under way are finished whatever happened
    BrumeError writing;
    const BrumeStatus written = brume_painter_finish(run->painter, &writing);
    if (written != BRUME_OK && (status == BRUME_OK || status == BRUME_INTERRUPTED)) {
        status = written;
        *error = writing;
    }
    if (run->settings->stats) {
        const BrumeStatus saved = write_stats(run, &writing);
        if (saved != BRUME_OK && status == BRUME_OK) {
            status = saved;
            *error = writing;
        }
    }
    if (status != BRUME_OK) {
        add_whole_frames(run, error);
    }
    say_end(run, status);
    return status;
}

static int run_render(const BrumeCommand *command, int argc, char **argv)
{
    static RenderSettings settings;
    static Run run;
    run.settings = &settings;
    BrumeError error;
    BrumeStatus status =
        brume_args_parse(command, brume_commands, argc, argv, &run.facts.scene_path, &settings, &error);
    if (status == BRUME_OK) {
        status = load_scene(&run.scene, run.facts.scene_path, &settings, &error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    run.facts.scene = run.scene;
    run.frames = settings.frames;
    status = brume_frames_resolve(&run.frames, run.scene->frames, &error);
    if (status == BRUME_OK) {
        status = check_output(&run, &error);
    }
    if (status == BRUME_OK) {
        status = check_memory(run.scene, &error);
    }
    if (status == BRUME_OK) {
        status = brume_interrupt_start(&error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    run.facts.threads = brume_choose_threads(settings.threads);
    brume_set_threads(run.facts.threads);
    status = settings.dry_run ? brume_dry_run(run.scene, &run.frames, settings.output, &error) : render(&run, &error);
cleanup:
    if (status != BRUME_OK) {
        brume_console_error(&run.console, &error);
    }
    BrumeError log_error;
    if (brume_console_close(&run.console, &log_error) != BRUME_OK) {
        brume_print_error(&log_error);
        status = status == BRUME_OK ? log_error.status : status;
    }
    brume_painter_destroy(run.painter);
    brume_run_stats_destroy(&run.stats);
    brume_sim_destroy(run.sim);
    brume_scene_destroy(run.scene);
    return (int)status;
}

#define MEMBER(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(RenderSettings, member)

static const BrumeOption options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PATTERN",
     MEMBER(TEXT, output),
     .help = "where the frames go, as out/plume.####.png or out/plume.%04d.png;\nfolders are made, the extension picks "
             "the format (png)"},
    {.name = "frames",
     .value = "A:B[:S]",
     MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .help = "draw frames A to B, every S-th (default: all of the scene);\nthose before A are simulated"},
    {.name = "frame", .value = "N", MEMBER(CUSTOM, frames), .parse = brume_parse_frame, .help = "draw frame N only"},
    {.name = "threads",
     .letter = 't',
     .value = "N",
     MEMBER(INT, threads),
     .least = 1,
     .most = 1024,
     .help =
         "threads that simulate (default: OMP_NUM_THREADS, else the\nphysical cores); cores left over draw meanwhile"},
    {.name = "define",
     .letter = 'D',
     .value = "KEY=VALUE",
     MEMBER(LIST, overrides),
     .help = "override a scene value, as -D solver.resolution=128; repeatable"},
    {.name = "size",
     .value = "WxH",
     MEMBER(CUSTOM, size),
     .parse = brume_parse_size,
     .help = "pixels of the picture, as 960x540 (default: the scene's)"},
    {.name = "samples",
     .value = "N",
     MEMBER(INT, samples),
     .least = 1,
     .most = 1 << 20,
     .help = "rays a pixel (default: the scene's)"},
    {.name = "overwrite", MEMBER(FLAG, overwrite), .help = "replace frames that exist; without it they are an error"},
    {.name = "dry-run",
     MEMBER(FLAG, dry_run),
     .help = "write nothing; print cells, memory, disk, steps and a time\nestimate from a short probe"},
    {.name = "stats",
     .value = "FILE",
     MEMBER(TEXT, stats),
     .help = "write what every frame did as JSON: steps, iterations, residual,\nms of every stage, state hash"},
    {.name = "log", .value = "FILE", MEMBER(TEXT, log), .help = "write all messages to a file, with times"},
    {.name = "quiet", .letter = 'q', MEMBER(FLAG, quiet), .help = "print errors and warnings only"},
    {.name = "verbose",
     .letter = 'v',
     MEMBER(COUNT, verbosity),
     .help = "tell more: every frame's numbers; twice: the machine"},
};

const BrumeCommand brume_render_command = {
    .name = "render",
    .summary = "simulate a scene and draw it as an image sequence",
    .details = "Simulates a scene on all cores and draws its frames. Frames appear whole or not at\n"
               "all. Ctrl-C stops after the present frame, a second one at once.",
    .usage = "SCENE -o PATTERN [options]",
    .operand = "SCENE",
    .operand_needed = true,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run_render,
};
