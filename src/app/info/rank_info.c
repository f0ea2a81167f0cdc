#include "app/info/rank_info.h"

#include "app/cli/format.h"
#include "brume/sim.h"
#include "brume/threads.h"
#include "core/domain.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/lifecycle/ranks.h"

// The frames of a simulation by a number of ranks; all but the planes and the memory are means of a frame.
typedef struct Model {
    int ranks, planes;    // of the largest slab
    size_t bytes;         // of the rank with the largest slab
    BrumeTraffic busiest; // of the rank that sends most
    double ms;            // in this process
} Model;

static BrumeTraffic sum_of_ranks(const BrumeTeam *team)
{
    BrumeTraffic sum = {0};
    for (int r = 0; r < team->ranks; r++) {
        sum.messages += team->modeled[r].messages;
        sum.bytes += team->modeled[r].bytes;
    }
    return sum;
}

static BrumeTraffic busiest_rank(const BrumeTeam *team)
{
    const BrumeTraffic *busiest = &team->modeled[0];
    for (int r = 1; r < team->ranks; r++) {
        busiest = team->modeled[r].bytes > busiest->bytes ? &team->modeled[r] : busiest;
    }
    return *busiest;
}

// fields of the slab and of the planes around it, and what each rank has in whole
static size_t rank_bytes(const BrumeSim *sim, int planes)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const int touched = brume_min_int(planes + 2 * def->team->deepest, def->nz);
    const size_t divided = brume_sim_divided_bytes(sim);
    return brume_sim_bytes(sim) - divided + divided / (size_t)def->nz * (size_t)touched;
}

static BrumeStatus simulate(Model *model, const BrumeScene *scene, BrumeTeam *team, int frames, bool prints,
                            BrumeError *error)
{
    BrumeSimDef def = scene->sim;
    BrumeSim *sim;
    def.team = team;
    BrumeStatus status = brume_sim_create(&sim, &def, error);
    if (status != BRUME_OK) {
        return status;
    }
    for (int r = 0; r < team->ranks; r++) {
        team->modeled[r] = (BrumeTraffic){0}; // without the initial state
    }
    BrumeTraffic before = {0};
    BrumeFrameStats frame;
    for (int n = 1; n <= frames && status == BRUME_OK; n++) {
        status = brume_scene_frame(scene, sim, &frame, error);
        const BrumeTraffic sent = sum_of_ranks(team);
        if (prints && status == BRUME_OK) {
            brume_print_labeled(n == 1 ? "messages" : "", "frame %d: %lld messages, %lld bytes between %d ranks", n,
                                sent.messages - before.messages, sent.bytes - before.bytes, team->ranks);
        }
        before = sent;
        model->ms += frame.total_ms / frames;
    }
    model->ranks = team->ranks;
    int least;
    brume_sim_slabs(sim, &least, &model->planes);
    model->bytes = rank_bytes(sim, model->planes);
    model->busiest = busiest_rank(team);
    brume_sim_destroy(sim);
    return status;
}

static BrumeStatus run_model(Model *model, const BrumeScene *scene, int ranks, int frames, bool prints,
                             BrumeError *error)
{
    *model = (Model){0};
    BrumeTeam team = {.ranks = ranks, .modeled = brume_alloc((size_t)ranks, sizeof *team.modeled)};
    const BrumeStatus status = team.modeled ? simulate(model, scene, &team, frames, prints, error)
                                            : brume_out_of_memory(error, "a model of %d ranks", ranks);
    brume_team_clear(&team);
    brume_free(team.modeled);
    return status;
}

// The time of a frame [ms] where one rank needs `alone` ms: the slab with the planes that both neighbors compute in the
// passes of the pressure solve, and the messages. A gather takes as many steps as ranks can be halved.
static double model_ms(const Model *model, const BrumeRankInfoDef *def, int nz, double alone)
{
    const BrumeTraffic *sent = &model->busiest;
    const double us = 1.0 / def->bandwidth; // [us/byte]: 1 MB/s is 1 byte/us
    const double others = (model->ranks - 1.0) / model->ranks;
    const double compute = alone * (model->planes + brume_min_int(model->ranks - 1, 2)) / nz;
    const double exchanges = (double)sent->exchanges * def->latency + (double)sent->bytes * us;
    int halvings = 0;
    for (int ranks = 1; ranks < model->ranks; ranks *= 2) {
        halvings++;
    }
    const double gathers = (double)sent->gathers * halvings * def->latency + (double)sent->gathered_bytes * others * us;
    return (model->ranks == 1 ? alone : compute) + 1e-3 * (exchanges + gathers) / def->frames;
}

static void print_row(const Model *model, double frames, double ms, double efficiency)
{
    const BrumeTraffic *sent = &model->busiest;
    brume_print_labeled("", "%5d %7d %9s %9.0f %9.2f %9.0f %11.1f %10.0f%%", model->ranks, model->planes,
                        brume_format_bytes((double)model->bytes).text, (double)sent->messages / frames,
                        1e-6 * (double)sent->bytes / frames, (double)sent->gathers / frames, ms, 100.0 * efficiency);
}

static void print_table(const Model *models, int count, const BrumeRankInfoDef *def, int nz)
{
    double alone = models[0].ms;
    for (int n = 1; n < count; n++) {
        alone = brume_fmin(alone, models[n].ms); // all compute the same
    }
    double least = alone;
    int fastest = 1;
    int efficient = 1;
    brume_print_labeled("a frame", "%5s %7s %9s %9s %9s %9s %11s %11s", "ranks", "planes", "memory", "messages", "MB",
                        "gathers", "modeled ms", "efficiency");
    for (int n = 0; n < count; n++) {
        const double ms = model_ms(&models[n], def, nz, alone);
        const double efficiency = alone / (ms * models[n].ranks);
        print_row(&models[n], def->frames, ms, efficiency);
        efficient = efficiency >= 0.5 ? models[n].ranks : efficient;
        fastest = ms < least ? models[n].ranks : fastest;
        least = brume_fmin(ms, least);
    }
    brume_print_labeled("scaling", "%.3g times as fast with %d %s, the fastest here; an efficiency of 50%% up to %d",
                        alone / least, fastest, fastest == 1 ? "rank" : "ranks", efficient);
    brume_print_labeled("network", "%g us, %g MB/s in each direction (--latency, --bandwidth); %d threads a rank",
                        def->latency, def->bandwidth, brume_get_threads());
}

// the next power of 2, or `asked` before it
static int next_ranks(int ranks, int asked)
{
    int next = 1;
    while (next <= ranks) {
        next *= 2;
    }
    return asked > ranks && asked < next ? asked : next;
}

BrumeStatus brume_print_rank_info(const BrumeScene *scene, const BrumeRankInfoDef *def, BrumeError *error)
{
    enum { MOST_MODELS = 33 };
    Model models[MOST_MODELS] = {{0}};
    const int nz = scene->sim.nz;
    const int most = (nz + BRUME_SLAB_UNIT - 1) / BRUME_SLAB_UNIT;
    int count = 0;
    brume_print_labeled("ranks", "up to %d, of at least %d planes each", most, BRUME_SLAB_UNIT);
    for (int ranks = 1; ranks <= brume_max_int(most, def->ranks); ranks = next_ranks(ranks, def->ranks)) {
        const BrumeStatus status = run_model(&models[count++], scene, ranks, def->frames, ranks == def->ranks, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    print_table(models, count, def, nz);
    return BRUME_OK;
}
