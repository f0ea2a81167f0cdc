#include "app/run/run_farm.h"

#include "app/cli/launcher.h"
#include "core/memory.h"

BrumeStatus brume_run_share_frames(BrumeRunSettings *settings, BrumeError *error)
{
    const BrumeLaunch launch = brume_launch();
    if (launch.processes == 1) {
        return BRUME_OK;
    }
    if (settings->overwrite || (settings->output && brume_video_format_of(settings->output))) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s has started %ld processes, each of which would write %s (start one%s)", launch.launcher,
                          launch.processes, settings->overwrite ? "all images" : "the whole video",
                          settings->overwrite ? ", or leave out --overwrite" : "");
    }
    settings->skip_existing = true;
    settings->quiet = settings->quiet || launch.rank > 0;
    return BRUME_OK;
}

BrumeStatus brume_run_check_farm_options(const BrumeRunSettings *settings, BrumeError *error)
{
    if (settings->skip_existing && settings->overwrite) {
        return brume_fail(error, BRUME_BAD_INPUT, "--skip-existing and --overwrite exclude each other (give one)");
    }
    if (settings->lock_timeout > 0.0 && !settings->skip_existing) {
        return brume_fail(error, BRUME_BAD_INPUT, "--lock-timeout has no effect without --skip-existing (give both)");
    }
    if (settings->turntable > 0 && (settings->until_steady > 0.0 || settings->watch)) {
        return brume_fail(error, BRUME_BAD_INPUT, "--turntable and %s exclude each other (give one)",
                          settings->watch ? "--watch" : "--until-steady");
    }
    const bool is_worker = settings->chunk.count > 0 || settings->skip_existing;
    if (is_worker && settings->output && brume_video_format_of(settings->output)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' is a video, which one run writes (draw images, as out/plume.####.png, and make a "
                          "video of them with brume convert)",
                          settings->chunk.count > 0 ? "--chunk" : "--skip-existing", settings->output);
    }
    return BRUME_OK;
}

BrumeStatus brume_run_select_frames(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    BrumeFrameRange *part = &run->frames;
    if (settings->turntable > 0) {
        const int frames = brume_frames_count(&run->whole_range);
        if (frames != 1) {
            return brume_fail(error, BRUME_BAD_INPUT, "--turntable draws one frame, not %d (give --frame N)", frames);
        }
        run->frames = run->whole_range;
        run->whole_range = (BrumeFrameRange){1, settings->turntable, 1};
        part = &run->turns;
    }
    *part = run->whole_range;
    run->frames_in_chunk = settings->chunk.count == 0 || brume_frames_chunk(&run->whole_range, &settings->chunk, part);
    return BRUME_OK;
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

static double lock_timeout(const BrumeRunSettings *settings)
{
    return settings->lock_timeout > 0.0 ? settings->lock_timeout : BRUME_DEFAULT_LOCK_TIMEOUT;
}

void brume_run_remove_abandoned_claims(const BrumeSceneRun *run)
{
    const BrumeFrameRange *files = brume_run_files(run);
    for (int n = 0; run->settings->skip_existing && n < brume_frames_count(files); n++) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&run->pattern, brume_frames_at(files, n), path);
        brume_frame_claim_remove_abandoned(path, lock_timeout(run->settings));
    }
}

static BrumeStatus reserve(BrumeFrameClaims *claims, BrumeError *error)
{
    BrumeClaimedFrame *frames = brume_make_room(claims->frames, claims->count, &claims->capacity, sizeof *frames);
    if (!frames) {
        return brume_out_of_memory(error, "the claimed frames");
    }
    claims->frames = frames;
    return BRUME_OK;
}

// claims a frame unless another worker has it or its image exists
static BrumeStatus take_claim(BrumeSceneRun *run, int frame, const char *path, bool *taken, BrumeError *error)
{
    BrumeFrameClaims *claims = &run->claims;
    BrumeFrameClaim claim;
    BrumeClaimResult result;
    BrumeStatus status = reserve(claims, error);
    if (status == BRUME_OK) {
        status = brume_frame_claim_take(&claim, path, lock_timeout(run->settings), &result, error);
    }
    *taken = status == BRUME_OK && result == BRUME_CLAIM_TAKEN;
    claims->busy += status == BRUME_OK && result == BRUME_CLAIM_BUSY;
    if (*taken) {
        claims->frames[claims->count++] = (BrumeClaimedFrame){.frame = frame, .claim = claim};
    }
    return status;
}

// releases the claims of frames whose images are written
static void release_written(BrumeFrameClaims *claims, BrumeRunStats *stats)
{
    int left = 0;
    for (int n = 0; n < claims->count; n++) {
        if (brume_run_stats_has_image(stats, claims->frames[n].frame)) {
            brume_frame_claim_release(&claims->frames[n].claim);
        } else {
            claims->frames[left++] = claims->frames[n];
        }
    }
    claims->count = left;
}

void brume_run_release_claims(BrumeSceneRun *run)
{
    for (int n = 0; n < run->claims.count; n++) {
        brume_frame_claim_release(&run->claims.frames[n].claim);
    }
    brume_free(run->claims.frames);
    run->claims = (BrumeFrameClaims){0};
}

BrumeStatus brume_run_claim_frame(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], bool *writes,
                                  BrumeError *error)
{
    release_written(&run->claims, brume_run_file_stats(run));
    *writes = run->has_frame_files && brume_frames_contain(brume_run_files(run), frame) &&
              !brume_run_has_frame_file(run, frame);
    if (!*writes) {
        return BRUME_OK;
    }
    brume_pattern_path(&run->pattern, frame, path);
    return run->settings->skip_existing ? take_claim(run, frame, path, writes, error) : BRUME_OK;
}

void brume_run_leave_checkpoints(BrumeSceneRun *run)
{
    run->checkpoint_writer.interval = (BrumeCheckpointInterval){.given = true};
    brume_messages_print(&run->messages, BRUME_PRINT_RESULTS,
                         "no checkpoints: another worker uses %s (give each worker a --chunk or its own --checkpoints)",
                         run->checkpoints.path);
}
