#include "app/run/run_farm.h"

#include "app/run/worker.h"

BrumeStatus brume_run_select_frames(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeStatus status = BRUME_OK;
    if (settings->turntable > 0) {
        status = brume_worker_check_turned_frame(&run->whole_range, error);
        run->frames = run->whole_range;
        run->whole_range = (BrumeFrameRange){1, settings->turntable, 1};
    }
    run->frames_in_chunk =
        status == BRUME_OK &&
        brume_worker_part(settings, &run->whole_range, settings->turntable > 0 ? &run->turns : &run->frames);
    return status;
}

void brume_run_skip_last_frames(BrumeSceneRun *run, int done)
{
    const BrumeRunSettings *settings = run->settings;
    const bool needs_all = brume_run_has_tables(run) || settings->until_steady > 0.0 || settings->checkpoints.keep > 0;
    if (!settings->skip_existing || needs_all || settings->turntable > 0) {
        return;
    }
    while (run->frames.last > done && run->frames.last > run->frames.first &&
           brume_run_has_frame_file(run, run->frames.last)) {
        run->frames.last -= run->frames.stride;
    }
}

BrumeStatus brume_run_claim_frame(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], bool *writes,
                                  BrumeError *error)
{
    brume_frame_claims_release_written(&run->claims, brume_run_file_stats(run));
    *writes = run->has_frame_files && brume_frames_contain(brume_run_files(run), frame) &&
              !brume_run_has_frame_file(run, frame);
    if (!*writes) {
        return BRUME_OK;
    }
    brume_pattern_path(&run->pattern, frame, path);
    return brume_worker_claim(&run->claims, run->settings, frame, path, writes, error);
}

void brume_run_leave_checkpoints(BrumeSceneRun *run)
{
    run->checkpoint_writer.interval = (BrumeCheckpointInterval){.given = true};
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                         "no checkpoints: another worker uses %s (give each worker a --chunk or its own --checkpoints)",
                         run->checkpoints.path);
}
