#include "shared_frames.h"

#include "thread_team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_RANKS = 16 };

typedef struct RanksRun {
    const SharedFrames *frames;
    int different[MOST_RANKS]; // the first different frame of each rank
} RanksRun;

// the hashes of all states
static void compute(const SharedFrames *frames, BrumeTeam *team, uint64_t hashes[MOST_FRAMES + 1])
{
    BrumeSimDef def = *frames->def;
    def.team = team;
    if (team) {
        team->speeds = frames->speeds;
    }
    BrumeSim *sim;
    BrumeError error;
    if (brume_sim_create(&sim, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
        return;
    }
    hashes[0] = brume_sim_hash(sim);
    for (int frame = 1; frame <= frames->frames; frame++) {
        const BrumeStatus status =
            frames->scene ? brume_scene_frame(frames->scene, sim, NULL, &error) : brume_sim_frame(sim, NULL, &error);
        if (status != BRUME_OK) {
            fail_msg("frame %d: %s", frame, error.text);
        }
        hashes[frame] = brume_sim_hash(sim);
    }
    brume_sim_destroy(sim);
}

void compute_frames_alone(SharedFrames *frames)
{
    assert_in_range(frames->frames, 0, MOST_FRAMES);
    compute(frames, NULL, frames->hashes);
}

static void compare_rank(void *context, BrumeTeam *team)
{
    RanksRun *run = context;
    uint64_t hashes[MOST_FRAMES + 1];
    compute(run->frames, team, hashes);
    int frame = 0;
    while (frame <= run->frames->frames && hashes[frame] == run->frames->hashes[frame]) {
        frame++;
    }
    run->different[team->rank] = frame;
}

int first_different_frame(const SharedFrames *frames, int ranks)
{
    assert_in_range(ranks, 1, MOST_RANKS);
    RanksRun run = {.frames = frames};
    run_as_ranks(ranks, compare_rank, &run);
    int first = frames->frames + 1;
    for (int r = 0; r < ranks; r++) {
        first = brume_min_int(first, run.different[r]);
    }
    return first <= frames->frames ? first : -1;
}

void expect_same_frames(const char *name, SharedFrames frames, const int *ranks, int count)
{
    compute_frames_alone(&frames);
    for (int n = 0; n < count; n++) {
        const int frame = first_different_frame(&frames, ranks[n]);
        if (frame >= 0) {
            fail_msg("%s: frame %d differs with %d ranks", name, frame, ranks[n]);
        }
    }
}
