#include "app/run/worker.h"

#include <stdio.h>

BrumeStatus brume_worker_check_options(const BrumeRunSettings *settings, BrumeError *error)
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

BrumeStatus brume_worker_check_turned_frame(const BrumeFrameRange *frames, BrumeError *error)
{
    return brume_frames_count(frames) == 1
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "--turntable draws one frame, not %d (give --frame N)",
                            brume_frames_count(frames));
}

BrumeResumeMode brume_worker_resume_mode(const BrumeRunSettings *settings)
{
    const BrumeResumeMode given = settings->checkpoints.resume;
    return given == BRUME_RESUME_OFF && settings->skip_existing ? BRUME_RESUME_SAME : given;
}

bool brume_worker_replaces_images(const BrumeRunSettings *settings)
{
    return settings->overwrite || settings->skip_existing;
}

bool brume_worker_part(const BrumeRunSettings *settings, const BrumeFrameRange *whole, BrumeFrameRange *part)
{
    *part = *whole;
    return settings->chunk.count == 0 || brume_frames_chunk(whole, &settings->chunk, part);
}

void brume_worker_print_empty_part(const BrumeRunSettings *settings, const BrumeFrameRange *whole,
                                   BrumeMessages *messages)
{
    const int frames = brume_frames_count(whole);
    brume_messages_print(messages, BRUME_PRINT_RESULTS, "nothing to do: part %d of %d has none of %d %s",
                         settings->chunk.index, settings->chunk.count, frames, frames == 1 ? "frame" : "frames");
}

BrumeShortText brume_worker_chunk_name(const BrumeRunSettings *settings)
{
    BrumeShortText name = {""};
    const BrumeChunk *chunk = &settings->chunk;
    if (chunk->count > 0) {
        (void)snprintf(name.text, sizeof name.text, ".chunk-%d-of-%d", chunk->index, chunk->count);
    }
    return name;
}

static double lock_timeout(const BrumeRunSettings *settings)
{
    return settings->lock_timeout > 0.0 ? settings->lock_timeout : BRUME_DEFAULT_LOCK_TIMEOUT;
}

void brume_worker_remove_abandoned_claims(const BrumeRunSettings *settings, const BrumeOutputPattern *images,
                                          const BrumeFrameRange *frames)
{
    for (int n = 0; settings->skip_existing && n < brume_frames_count(frames); n++) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(images, brume_frames_at(frames, n), path);
        brume_frame_claim_remove_abandoned(path, lock_timeout(settings));
    }
}

BrumeStatus brume_worker_claim(BrumeFrameClaims *claims, const BrumeRunSettings *settings, int frame, const char *path,
                               bool *draws, BrumeError *error)
{
    *draws = true;
    if (!settings->skip_existing) {
        return BRUME_OK;
    }
    BrumeClaimResult result;
    const BrumeStatus status = brume_frame_claims_take(claims, frame, path, lock_timeout(settings), &result, error);
    *draws = status == BRUME_OK && result == BRUME_CLAIM_TAKEN;
    return status;
}

void brume_worker_print_busy_frames(const BrumeFrameClaims *claims, BrumeMessages *messages)
{
    if (claims->busy > 0) {
        brume_messages_print(messages, BRUME_PRINT_RESULTS,
                             "%d %s left to other workers; the same command again draws what a killed one leaves",
                             claims->busy, claims->busy == 1 ? "frame is" : "frames are");
    }
}
