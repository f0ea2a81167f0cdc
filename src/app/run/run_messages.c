#include "app/run/run_messages.h"

#include "app/bench/machine.h"
#include "app/cli/format.h"
#include "brume/brume.h"
#include "core/parallel/clock.h"
#include "sim/lifecycle/ranks.h"
#include "sim/measures/sealed_inflow.h"

#include <stdio.h>
#include <string.h>

void brume_run_print_start(BrumeSceneRun *run)
{
    const BrumeSimDef *def = &run->scene->sim;
    const BrumeMachine machine = brume_machine();
    if (run->source) {
        brume_print_notes(&run->source->notes, &run->messages);
    }
    brume_print_notes(&run->notes, &run->messages);
    brume_messages_scene_warnings(&run->messages, run->scene);
    brume_picture_output_warn(&run->pictures, run->scene, &run->messages);
    if (run->source) {
        if (run->settings->look) {
            brume_volume_look_warn_of_bodies(run->scene, run->settings->look, &run->source->present, &run->messages);
        }
        return;
    }
    brume_messages_print(&run->messages, BRUME_PRINT_MACHINE, "brume %s, %s, %s, %s", brume_version(), machine.compiler,
                         machine.cpu, machine.os);
    char ranks[64] = "";
    if (run->info.ranks > 1) {
        int least;
        int most;
        brume_sim_slabs(run->sim, &least, &most);
        (void)snprintf(ranks, sizeof ranks, "ranks: %d of %d to %d planes, ", run->info.ranks, least, most);
    }
    char pixels[64] = "";
    if (run->draws) {
        (void)snprintf(pixels, sizeof pixels, ", %d x %d pixels", run->scene->width, run->scene->height);
    }
    brume_messages_print(&run->messages, BRUME_PRINT_DETAILS,
                         "%s: %d x %d x %d cells, %s, %sthreads: %d, %s; frames %d to %d%s", run->scene->name, def->nx,
                         def->ny, def->nz, brume_format_bytes((double)run->info.bytes).text, ranks, run->info.threads,
                         def->pressure, brume_run_number(run, run->frames.first),
                         brume_run_number(run, run->frames.last), pixels);
    if (run->resumed > 0) {
        char path[BRUME_MAX_PATH];
        brume_checkpoint_path(&run->checkpoints, run->resumed, path);
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "going on after frame %d (%s)",
                             brume_run_number(run, run->resumed), path);
    } else if (brume_run_resumes(run) && !run->settings->skip_existing) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "%s has no checkpoint of an earlier frame: starting at frame %d", run->checkpoints.path,
                             brume_run_number(run, 1));
    }
}

void brume_run_print_frame(BrumeSceneRun *run, const BrumeFrameStats *sim)
{
    char stages[256] = "";
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const size_t used = strlen(stages);
        (void)snprintf(stages + used, sizeof stages - used, ", %s %.1f", brume_stage_name((BrumeStage)stage),
                       sim->ms[stage]);
    }
    char sent[96] = "";
    if (run->info.ranks > 1) {
        (void)snprintf(sent, sizeof sent, "; %lld messages, %lld bytes between ranks", run->ranks.frame.messages,
                       run->ranks.frame.bytes);
    }
    brume_messages_print(
        &run->messages, BRUME_PRINT_DETAILS, "frame %d: %d steps, %d iterations, residual %.1e; %.1f ms%s%s",
        brume_run_number(run, sim->frame), sim->steps, sim->iterations, sim->residual, sim->total_ms, stages, sent);
    if (!sim->converged) {
        brume_messages_print(
            &run->messages, BRUME_PRINT_DETAILS, "frame %d: pressure did not converge (residual %.1e, tolerance %.1e)",
            brume_run_number(run, sim->frame), sim->residual, (double)brume_sim_settings(run->sim)->tolerance);
    }
}

void brume_run_warn_of_sealed_inflow(BrumeSceneRun *run)
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
                           "%.3g] to [%.3g, %.3g, %.3g] m, which walls and bodies enclose; its flow and pressure "
                           "are wrong (open a side or the gap between bodies, or remove the inflow)",
                           brume_run_number(run, brume_sim_frames(run->sim)), brume_face_name(inflow.face), inflow.flux,
                           (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
}

static void print_steadiness(BrumeSceneRun *run)
{
    const BrumeSteadiness *steadiness = &run->steadiness;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "steady after frame %d: velocity changes by %.2g, temperature by %.2g of the largest value in a "
                   "second (tolerance %.2g)",
                   brume_run_number(run, brume_sim_frames(run->sim)), steadiness->velocity_change,
                   steadiness->temperature_change, run->settings->until_steady);
    if (run->steady) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%s", text);
    } else {
        brume_messages_warning(&run->messages, "not %s", text);
    }
}

// returns the noun for the files of the run
static const char *noun(const BrumeSceneRun *run, int count)
{
    static const char *const nouns[2][2] = {{"frame", "frames"}, {"picture", "pictures"}};
    return nouns[run->settings->turntable > 0][count != 1];
}

static BrumeFrameCount written_files(BrumeSceneRun *run)
{
    return brume_run_stats_written(brume_run_file_stats(run), brume_run_first_file(run));
}

void brume_run_append_written(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeOutputPattern *pattern = &run->pattern;
    const BrumeFrameCount written = written_files(run);
    const size_t used = strlen(error->text);
    const int first = brume_pattern_number(pattern, written.first);
    const int last = brume_pattern_number(pattern, written.last);
    char text[256];
    (void)snprintf(text, sizeof text, "; no %s is written", noun(run, 1));
    if (pattern->video && written.count > 0 && !run->images.complete) {
        (void)snprintf(text, sizeof text, "; no video is written");
    } else if (pattern->video && written.count > 0) {
        (void)snprintf(text, sizeof text, "; %.128s has %d %s, %d to %d", pattern->text, written.count,
                       noun(run, written.count), first, last);
    } else if (written.count == 1) {
        (void)snprintf(text, sizeof text, "; %s %d is written", noun(run, 1), first);
    } else if (written.count > 1) {
        (void)snprintf(text, sizeof text, "; %d %s are written, %d to %d", written.count, noun(run, written.count),
                       first, last);
    }
    // a long text is cut
    const size_t room = sizeof error->text - 1 - strlen(text);
    (void)snprintf(error->text + (used < room ? used : room), strlen(text) + 1, "%s", text);
}

// such as "12 frames in 3.1 s: out/a.0001.png to out/a.0012.png", with `more` behind them unless it is NULL
static void print_written(BrumeSceneRun *run, const char *more)
{
    const BrumeFrameCount written = written_files(run);
    const BrumeShortText time = brume_format_duration(brume_seconds() - run->progress.started);
    if (written.count == 0) { // the run has ended before its first frame, or other workers have drawn all
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "no %s is written, in %s", noun(run, 1), time.text);
        return;
    }
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, written.first, first);
    brume_pattern_path(&run->pattern, written.last, last);
    const bool has_two = strcmp(first, last) != 0; // not of one frame, nor of a video
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%d %s in %s: %s%s%s%s%s", written.count,
                         noun(run, written.count), time.text, first, has_two ? " to " : "", has_two ? last : "",
                         more ? "; " : "", more ? more : "");
}

enum { IMAGES_TEXT = 128 };

// mean time of an image, and the light paths of the path tracer
static void describe_images(BrumeSceneRun *run, char text[IMAGES_TEXT])
{
    BrumeRunStats *const images = brume_run_file_stats(run);
    const BrumeTraceText traced = brume_run_stats_all_traced(images, brume_run_first_file(run));
    (void)snprintf(text, IMAGES_TEXT, "%.0f ms per image%s%s",
                   brume_run_stats_mean_ms(images, BRUME_IMAGE_LOAD) +
                       brume_run_stats_mean_ms(images, BRUME_IMAGE_LIGHT) +
                       brume_run_stats_mean_ms(images, BRUME_IMAGE_DRAW),
                   traced.text[0] ? ", " : "", traced.text);
}

void brume_run_print_end(BrumeSceneRun *run, BrumeStatus status)
{
    double residual;
    const int unconverged = brume_run_stats_unconverged(&run->stats, &residual);
    if (unconverged > 0) {
        brume_messages_warning(&run->messages,
                               "pressure did not converge in %d of %d frames (largest residual %.1e, tolerance %.1e)",
                               unconverged, run->stats.frames, residual, (double)run->scene->sim.tolerance);
    }
    int particles = 0;
    if (run->sim) {
        (void)brume_sim_particles(run->sim, &particles);
    }
    if (particles > 0 && particles >= brume_sim_settings(run->sim)->most_particles) {
        brume_messages_warning(
            &run->messages, "there are %d particles, the 'most' of the scene: births beyond are left out", particles);
    }
    if (status != BRUME_OK) {
        return;
    }
    if (run->settings->until_steady > 0.0) {
        print_steadiness(run);
    }
    const double rate = run->sim_seconds > 0.0 ? 1e-6 * run->cell_steps / run->sim_seconds : 0.0;
    const BrumeShortText simulation = brume_format_duration(run->sim_seconds);
    if (!run->has_frame_files) {
        const BrumeShortText elapsed = brume_format_duration(brume_seconds() - run->progress.started);
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "%d %s in %s; simulation %s (%.1f Mcells/s)",
                             run->stats.frames, run->stats.frames == 1 ? "frame" : "frames", elapsed.text,
                             simulation.text, rate);
        return;
    }
    char images[IMAGES_TEXT];
    describe_images(run, images);
    print_written(run, run->source ? images : NULL);
    if (run->claims.busy > 0) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                             "%d %s left to other workers; the same command again draws what a killed one leaves",
                             run->claims.busy, run->claims.busy == 1 ? "frame is" : "frames are");
    }
    if (!run->draws) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "simulation %s (%.1f Mcells/s), %.0f ms per file",
                             simulation.text, rate, brume_run_stats_mean_ms(&run->stats, BRUME_IMAGE_WRITE));
    } else if (!run->source) {
        brume_messages_print(&run->messages, BRUME_PRINT_RESULTS, "simulation %s (%.1f Mcells/s), %s", simulation.text,
                             rate, images);
    }
}
