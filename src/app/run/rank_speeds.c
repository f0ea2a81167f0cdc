#include "app/run/rank_speeds.h"

#include "core/vec3.h"

#include <math.h>
#include <string.h>

enum { BOX_CELLS = 64, BOX_FRAMES = 4 };

static const double least_ratio = 1.25; // of speeds of machines that are not taken as equal

// the shortest time of a frame of a box that is half full of hot smoke [ns]; the largest number where it fails
static int64_t time_frame(void)
{
    BrumeSimDef def = brume_default_sim_def();
    BrumeSim *sim;
    BrumeFrameStats frame = {0};
    int64_t least = INT64_MAX;
    def.nx = def.ny = def.nz = BOX_CELLS;
    def.min_steps = def.max_steps = 1;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = def.origin};
    def.emitters[0].shape.b = brume_add(def.origin, brume_scale(brume_vec3(1.0f, 0.5f, 1.0f), BOX_CELLS * def.dx));
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    BrumeStatus status = brume_sim_create(&sim, &def, NULL);
    for (int n = 0; n < BOX_FRAMES && status == BRUME_OK; n++) {
        status = brume_sim_frame(sim, &frame, NULL);
        const int64_t ns = (int64_t)(1e6 * frame.total_ms) + 1;
        least = status == BRUME_OK && ns < least ? ns : least;
    }
    brume_sim_destroy(sim);
    return least;
}

void brume_ranks_measure_speeds(BrumeSceneRun *run)
{
    BrumeRunRanks *ranks = &run->ranks;
    BrumeTeam *team = &ranks->team;
    const BrumeSlabs slabs = run->settings->slabs;
    if (!ranks->mpi || slabs == BRUME_SLABS_EQUAL ||
        (slabs == BRUME_SLABS_AUTO && !ranks->mpi->has_several_machines(team))) {
        return;
    }
    (void)ranks->mpi->agree(team, time_frame(), ranks->values, INFINITY);
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (int r = 0; r < team->ranks; r++) {
        least = ranks->values[r] < least ? ranks->values[r] : least;
        most = ranks->values[r] > most ? ranks->values[r] : most;
        ranks->speeds[r] = 1e9 / (double)ranks->values[r];
    }
    team->speeds = (double)most > least_ratio * (double)least ? ranks->speeds : NULL;
}

BrumeStatus brume_parse_slabs(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {[BRUME_SLABS_EQUAL] = "equal", [BRUME_SLABS_MEASURED] = "measured"};
    for (int n = BRUME_SLABS_EQUAL; n <= BRUME_SLABS_MEASURED; n++) {
        if (strcmp(value, words[n]) == 0) {
            *(BrumeSlabs *)member = (BrumeSlabs)n;
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is unknown (known: equal, measured)", option, value);
}
