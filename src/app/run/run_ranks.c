#include "app/run/run_ranks.h"

#include "app/cli/interrupt.h"
#include "app/cli/launcher.h"
#include "app/cli/standard_streams.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "mpi/mpi_library.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double default_silence = 60.0; // [s]

// Ranks that fail with the same error do so at about the same time. One that fails alone waits so long for others,
// which wait for it in turn [s].
static const double patience_of_failure = 5.0;

enum { STATUS_BITS = 0xff, INTERRUPTED = 0x100 }; // of the value that ranks agree on

static void end_without(int rank, const char *host, double silence)
{
    BrumeError error;
    (void)brume_fail(&error, BRUME_FAILED,
                     "no sign of life from rank %d on %s for %.3g s: its machine or network has failed (go on with "
                     "--resume)",
                     rank, host, silence);
    brume_print_error(&error);
    _exit(BRUME_FAILED);
}

// ends all processes after an error that the other ranks cannot learn of, because they wait for something else
static void fail_alone(const BrumeRunRanks *ranks, const BrumeError *error)
{
    brume_print_error(error);
    ranks->mpi->abort(&ranks->team, (int)error->status);
}

static BrumeStatus join_ranks(BrumeSceneRun *run, const BrumeLaunch *launch, BrumeError *error)
{
    BrumeRunRanks *ranks = &run->ranks;
    if (brume_is_standard_stream(run->info.scene_path)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s has started %ld processes, of which only one can read a scene from standard input (name "
                          "its file)",
                          launch->launcher, launch->processes);
    }
    const BrumeMpiFunctions *mpi;
    BrumeError missing;
    if (brume_mpi_load(&mpi, &missing) != BRUME_OK) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s has started %ld processes: %s", launch->launcher,
                          launch->processes, missing.text);
    }
    const double silence = run->settings->rank_timeout > 0.0 ? run->settings->rank_timeout : default_silence;
    BrumeStatus status = mpi->start(&ranks->team, &(BrumeMpiDef){.silence = silence, .lost = end_without}, error);
    ranks->mpi = mpi;
    ranks->values = status == BRUME_OK ? brume_alloc((size_t)ranks->team.ranks, sizeof *ranks->values) : NULL;
    ranks->speeds = status == BRUME_OK ? brume_alloc((size_t)ranks->team.ranks, sizeof *ranks->speeds) : NULL;
    if (status == BRUME_OK && !(ranks->values && ranks->speeds)) {
        status = brume_out_of_memory(error, "the ranks of a simulation");
    }
    if (status != BRUME_OK) {
        fail_alone(ranks, error);
    }
    return ranks->team.ranks == launch->processes
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "%s has started %ld processes, which MPI does not connect: each would simulate the whole "
                            "scene (start them with the mpirun of Open MPI, or with srun --mpi=pmix)",
                            launch->launcher, launch->processes);
}

BrumeStatus brume_ranks_start(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeLaunch launch = brume_launch();
    run->messages.silent = launch.rank > 0;
    if (launch.processes == 1) {
        return BRUME_OK;
    }
    const BrumeStatus status = join_ranks(run, &launch, error);
    run->info.ranks = run->ranks.team.ranks;
    return status;
}

int brume_ranks_threads(const BrumeSceneRun *run, int threads)
{
    const BrumeRunRanks *ranks = &run->ranks;
    if (!ranks->mpi || run->settings->common.threads > 0 || getenv("OMP_NUM_THREADS")) {
        return threads;
    }
    return brume_max_int(threads / ranks->mpi->sharing_processors(&ranks->team), 1);
}

bool brume_ranks_follow(const BrumeSceneRun *run) { return run->ranks.mpi && run->ranks.team.rank > 0; }

void brume_ranks_announce(const BrumeSceneRun *run, BrumeAnnouncement *announcement)
{
    if (run->ranks.mpi) {
        run->ranks.mpi->broadcast(&run->ranks.team, announcement, sizeof *announcement, 0);
    }
}

void brume_ranks_share_bytes(const BrumeSceneRun *run, uint8_t **bytes, size_t *size)
{
    const BrumeRunRanks *ranks = &run->ranks;
    if (!ranks->mpi) {
        return;
    }
    ranks->mpi->broadcast(&ranks->team, size, sizeof *size, 0);
    if (ranks->team.rank > 0) {
        *bytes = brume_alloc_untouched(*size, 1);
    }
    if (!*bytes) {
        BrumeError error;
        (void)brume_out_of_memory(&error, "a checkpoint of %zu bytes", *size);
        fail_alone(ranks, &error);
    }
    ranks->mpi->broadcast(&ranks->team, *bytes, *size, 0);
}

// all have the error of rank `from`, whose text names the rank
static BrumeStatus share_error(const BrumeRunRanks *ranks, int from, BrumeError *error)
{
    BrumeError failure = *error;
    ranks->mpi->broadcast(&ranks->team, &failure, sizeof failure, from);
    *error = failure;
    return from == 0 ? failure.status : brume_fail(error, failure.status, "rank %d: %s", from, failure.text);
}

BrumeStatus brume_ranks_agree(BrumeSceneRun *run, BrumeStatus status, BrumeError *error)
{
    BrumeRunRanks *ranks = &run->ranks;
    if (!ranks->mpi) {
        return status;
    }
    const int64_t value = (int64_t)status | (brume_interrupt_requested() ? INTERRUPTED : 0);
    const double patience = status == BRUME_OK ? INFINITY : patience_of_failure;
    if (!ranks->mpi->agree(&ranks->team, value, ranks->values, patience)) {
        fail_alone(ranks, error);
    }
    for (int r = 0; r < ranks->team.ranks; r++) {
        ranks->interrupted = ranks->interrupted || (ranks->values[r] & INTERRUPTED);
    }
    for (int r = 0; r < ranks->team.ranks; r++) {
        if ((ranks->values[r] & STATUS_BITS) != BRUME_OK) {
            return share_error(ranks, r, error);
        }
    }
    return BRUME_OK;
}

static int64_t sum_over_ranks(const BrumeRunRanks *ranks, int64_t value)
{
    int64_t sum = 0;
    (void)ranks->mpi->agree(&ranks->team, value, ranks->values, INFINITY);
    for (int r = 0; r < ranks->team.ranks; r++) {
        sum += ranks->values[r];
    }
    return sum;
}

void brume_ranks_count_traffic(BrumeSceneRun *run, const BrumeTraffic *before)
{
    BrumeRunRanks *ranks = &run->ranks;
    if (ranks->mpi) {
        const BrumeTraffic *now = &ranks->team.traffic;
        ranks->frame.messages = sum_over_ranks(ranks, now->messages - before->messages);
        ranks->frame.bytes = sum_over_ranks(ranks, now->bytes - before->bytes);
    }
}

bool brume_ranks_interrupted(const BrumeSceneRun *run) { return brume_interrupt_requested() || run->ranks.interrupted; }

void brume_ranks_end(BrumeSceneRun *run)
{
    if (run->ranks.mpi) {
        run->ranks.mpi->end(&run->ranks.team);
        brume_free(run->ranks.values);
        brume_free(run->ranks.speeds);
        run->ranks = (BrumeRunRanks){0};
    }
}
