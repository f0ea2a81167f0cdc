#include "app/run/run_calls.h"

#include "app/cli/interrupt.h"
#include "app/run/run_messages.h"
#include "app/run/run_ranks.h"
#include "app/volumes/capture.h"
#include "sim/lifecycle/ranks.h"

#include <stddef.h>

static void note_start(BrumeSceneRun *run)
{
    run->resumed = brume_sim_frames(run->sim);
    run->info.bytes = brume_sim_bytes(run->sim);
}

static BrumeStatus create(BrumeSceneRun *run, BrumeError *error)
{
    BrumeSimDef def = run->scene->sim;
    def.team = run->ranks.mpi ? &run->ranks.team : NULL;
    const BrumeStatus status = brume_sim_create(&run->sim, &def, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (brume_run_measures(run)) {
        brume_sim_set_budgets(run->sim, true);
    }
    note_start(run);
    return BRUME_OK;
}

// sets the settings of a restored simulation to the scene's after its frame, without moving bodies
static BrumeStatus apply_scene(const BrumeScene *scene, BrumeSim *sim, BrumeError *error)
{
    const BrumeSimDef *settings = &scene->sim;
    const BrumeTimeline *timeline = &scene->timeline;
    for (int n = 0; n < timeline->count && timeline->changes[n].frame < brume_sim_frames(sim); n++) {
        settings = timeline->changes[n].settings ? timeline->changes[n].settings : settings;
    }
    const BrumeChange change = {.frame = brume_sim_frames(sim), .settings = settings};
    return brume_change_apply(&change, sim, error);
}

static BrumeStatus restore(BrumeSceneRun *run, BrumeError *error)
{
    BrumeCheckpoint *checkpoint = &run->checkpoint;
    BrumeRunRecord record = brume_run_record(run);
    BrumeStatus status = BRUME_OK;
    brume_ranks_share_bytes(run, &checkpoint->bytes, &checkpoint->size);
    if (brume_ranks_follow(run)) {
        status = brume_checkpoint_open(checkpoint, checkpoint->bytes, checkpoint->size, "the checkpoint", error);
    }
    if (status == BRUME_OK) {
        struct BrumeTeam *team = run->ranks.mpi ? &run->ranks.team : NULL;
        status = brume_checkpoint_restore(checkpoint, &record, &run->probe_ends, team, &run->sim, error);
    }
    brume_checkpoint_free(checkpoint);
    if (status == BRUME_OK) {
        status = brume_scene_restore_meshes(run->scene, run->sim, error);
    }
    if (status == BRUME_OK && run->resume == BRUME_RESUME_FORCE) {
        status = apply_scene(run->scene, run->sim, error);
    }
    if (status == BRUME_OK) {
        note_start(run);
    }
    return status;
}

static BrumeStatus step(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeStatus status = brume_scene_frame(run->scene, run->sim, &run->frame, error);
    if (status == BRUME_OK && run->settings->stats) {
        run->frame_hash = brume_sim_hash(run->sim);
    }
    return status;
}

static BrumeStatus measure(BrumeSceneRun *run, BrumeError *error)
{
    // the measures of a restored state are known; steadiness compares the next state with it
    const bool known = run->resumed > 0 && brume_sim_frames(run->sim) == run->resumed;
    BrumeStatus status = BRUME_OK;
    if (brume_run_measures(run) && !known) {
        status = brume_measure_log_add(&run->measures, run->sim, error);
    }
    if (status == BRUME_OK && !known) {
        status = brume_probe_files_add(&run->probes, run->sim, false, error);
    }
    if (status == BRUME_OK && run->settings->until_steady > 0.0) {
        status = brume_steadiness_compare(&run->steadiness, run->sim, run->settings->until_steady, &run->steady, error);
    }
    return status;
}

static BrumeStatus measure_last(BrumeSceneRun *run, BrumeError *error)
{
    return brume_probe_files_add(&run->probes, run->sim, true, error);
}

static BrumeStatus check_inflow(BrumeSceneRun *run, BrumeError *error)
{
    (void)error;
    brume_run_warn_of_sealed_inflow(run);
    return BRUME_OK;
}

static BrumeStatus collect_volume(BrumeSceneRun *run, BrumeError *error)
{
    (void)error;
    brume_collect_state(run->sim, brume_capture_reads(brume_run_volume_fields(run)));
    return BRUME_OK;
}

static BrumeStatus collect_state(BrumeSceneRun *run, BrumeError *error)
{
    (void)error;
    brume_collect_state(run->sim, ~0u);
    return BRUME_OK;
}

static BrumeStatus (*const calls[])(BrumeSceneRun *run, BrumeError *error) = {
    [BRUME_RUN_CREATE] = create,
    [BRUME_RUN_RESTORE] = restore,
    [BRUME_RUN_STEP] = step,
    [BRUME_RUN_MEASURE] = measure,
    [BRUME_RUN_MEASURE_LAST] = measure_last,
    [BRUME_RUN_CHECK_INFLOW] = check_inflow,
    [BRUME_RUN_COLLECT_VOLUME] = collect_volume,
    [BRUME_RUN_COLLECT_STATE] = collect_state,
};

static const int end_of_run = -1;

static BrumeStatus make_call(BrumeSceneRun *run, BrumeRunCall call, BrumeError *error)
{
    const BrumeTraffic before = run->ranks.team.traffic;
    const BrumeStatus status = brume_ranks_agree(run, calls[call](run, error), error);
    if (status == BRUME_OK && call == BRUME_RUN_STEP) {
        brume_ranks_count_traffic(run, &before);
    }
    return status;
}

BrumeStatus brume_run_call(BrumeSceneRun *run, BrumeRunCall call, BrumeError *error)
{
    brume_ranks_announce(run, &(BrumeAnnouncement){.call = (int)call, .probes = run->probes.count});
    return make_call(run, call, error);
}

BrumeStatus brume_run_prepare_to_follow(BrumeSceneRun *run, BrumeError *error)
{
    BrumeStatus status = brume_run_stats_create(&run->stats, run->frames.last, error);
    if (status == BRUME_OK && brume_run_measures(run)) {
        status = brume_measure_log_create(&run->measures, run->scene, run->frames.last, error);
    }
    run->probes = (BrumeProbeFiles){.scene = run->scene};
    if (run->settings->until_steady > 0.0) {
        brume_steadiness_start(&run->steadiness, run->scene);
    }
    return status;
}

BrumeStatus brume_run_follow(BrumeSceneRun *run, BrumeError *error)
{
    BrumeAnnouncement next;
    for (brume_ranks_announce(run, &next); next.call != end_of_run; brume_ranks_announce(run, &next)) {
        run->probes.count = next.probes;
        // after a failure rank 0 ends the run
        (void)make_call(run, (BrumeRunCall)next.call, error);
    }
    return (BrumeStatus)next.status;
}

void brume_run_end_followers(BrumeSceneRun *run, BrumeStatus status)
{
    // mpirun sends SIGTERM to rank 0 where another rank ends first with the status of a failure
    brume_interrupt_silence();
    brume_ranks_announce(run, &(BrumeAnnouncement){.call = end_of_run, .status = (int)status});
}
