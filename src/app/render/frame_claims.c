#include "app/render/frame_claims.h"

#include "core/memory.h"

static BrumeStatus reserve(BrumeFrameClaims *claims, BrumeError *error)
{
    if (claims->count < claims->capacity) {
        return BRUME_OK;
    }
    const int capacity = claims->capacity > 0 ? 2 * claims->capacity : 8;
    BrumeClaimedFrame *frames =
        brume_realloc(claims->frames, (size_t)claims->capacity * sizeof *frames, (size_t)capacity * sizeof *frames);
    if (!frames) {
        return brume_out_of_memory(error, "the claimed frames");
    }
    claims->frames = frames;
    claims->capacity = capacity;
    return BRUME_OK;
}

BrumeStatus brume_frame_claims_take(BrumeFrameClaims *claims, int frame, const char *path, double timeout,
                                    BrumeClaimResult *result, BrumeError *error)
{
    BrumeStatus status = reserve(claims, error);
    BrumeFrameClaim claim;
    if (status == BRUME_OK) {
        status = brume_frame_claim_take(&claim, path, timeout, result, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    claims->busy += *result == BRUME_CLAIM_BUSY;
    if (*result == BRUME_CLAIM_TAKEN) {
        claims->frames[claims->count++] = (BrumeClaimedFrame){.frame = frame, .claim = claim};
    }
    return BRUME_OK;
}

void brume_frame_claims_release_written(BrumeFrameClaims *claims, BrumeRunStats *stats)
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

void brume_frame_claims_destroy(BrumeFrameClaims *claims)
{
    for (int n = 0; n < claims->count; n++) {
        brume_frame_claim_release(&claims->frames[n].claim);
    }
    brume_free(claims->frames);
    *claims = (BrumeFrameClaims){0};
}
