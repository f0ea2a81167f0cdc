#include "mpi/mpi_watch.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/worker.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

enum { SIGN_OF_LIFE, LAST_SIGN };        // tags
static const double most_interval = 1.0; // between signs of life [s]
static const int least_intervals = 8;    // before a process counts as lost

typedef struct Peer {
    int rank;
    MPI_Request send, receive;
    int silent; // intervals without a sign of life
} Peer;

struct BrumeMpiWatch {
    BrumeMpiDef def;
    double interval; // [s]
    MPI_Comm world;
    char (*hosts)[MPI_MAX_PROCESSOR_NAME]; // of all ranks
    pthread_t thread;
    BrumeMonitor monitor; // of `ends`
    bool ends;
    int count;
    Peer peers[];
};

static void expect_sign(const BrumeMpiWatch *watch, Peer *peer)
{
    (void)MPI_Irecv(NULL, 0, MPI_BYTE, peer->rank, MPI_ANY_TAG, watch->world, &peer->receive);
}

static void watch_peer(BrumeMpiWatch *watch, Peer *peer)
{
    int complete = 0;
    (void)MPI_Test(&peer->send, &complete, MPI_STATUS_IGNORE);
    if (complete) {
        (void)MPI_Isend(NULL, 0, MPI_BYTE, peer->rank, SIGN_OF_LIFE, watch->world, &peer->send);
    }
    peer->silent++;
    MPI_Status status;
    while (peer->receive != MPI_REQUEST_NULL && MPI_Test(&peer->receive, &complete, &status) == MPI_SUCCESS &&
           complete) {
        peer->silent = 0;
        if (status.MPI_TAG == SIGN_OF_LIFE) {
            expect_sign(watch, peer);
        }
    }
    if (peer->receive != MPI_REQUEST_NULL && peer->silent * watch->interval > watch->def.silence) {
        watch->def.lost(peer->rank, watch->hosts[peer->rank], watch->def.silence);
    }
}

// waits for an interval, or until the watch ends; returns whether it ends
static bool wait_for_end(BrumeMpiWatch *watch)
{
    const double until = brume_seconds() + watch->interval;
    brume_monitor_lock(&watch->monitor);
    while (!watch->ends && brume_seconds() < until) {
        brume_monitor_wait(&watch->monitor, until);
    }
    const bool ends = watch->ends;
    brume_monitor_unlock(&watch->monitor);
    return ends;
}

static void *watch_peers(void *argument)
{
    BrumeMpiWatch *watch = argument;
    do {
        for (int n = 0; n < watch->count; n++) {
            watch_peer(watch, &watch->peers[n]);
        }
    } while (!wait_for_end(watch));
    return NULL;
}

// starts the thread with all signals blocked: another thread waits for them
static int start_thread(BrumeMpiWatch *watch)
{
    sigset_t all;
    sigset_t former;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &former);
    const int failure = pthread_create(&watch->thread, NULL, watch_peers, watch);
    (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
    return failure;
}

BrumeStatus brume_mpi_watch_start(BrumeMpiWatch **watch, const BrumeTeam *team, const BrumeMpiDef *def,
                                  BrumeError *error)
{
    const int count = team->rank == 0 ? team->ranks - 1 : 1;
    BrumeMpiWatch *created = brume_alloc(1, sizeof *created + (size_t)count * sizeof created->peers[0]);
    char(*hosts)[MPI_MAX_PROCESSOR_NAME] = brume_alloc((size_t)team->ranks, sizeof *hosts);
    *watch = created;
    if (!created || !hosts) {
        brume_free(created);
        brume_free(hosts);
        *watch = NULL;
        return brume_out_of_memory(error, "the watch of processes");
    }
    created->def = *def;
    created->interval = def->silence / least_intervals < most_interval ? def->silence / least_intervals : most_interval;
    created->hosts = hosts;
    created->count = count;
    int length;
    (void)MPI_Get_processor_name(hosts[team->rank], &length);
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &created->world);
    (void)MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, hosts, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, created->world);
    for (int n = 0; n < count; n++) {
        created->peers[n] = (Peer){.rank = team->rank == 0 ? n + 1 : 0, .send = MPI_REQUEST_NULL};
        expect_sign(created, &created->peers[n]);
    }
    brume_monitor_init(&created->monitor);
    const int failure = start_thread(created);
    return failure == 0 ? BRUME_OK : brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
}

void brume_mpi_watch_end(BrumeMpiWatch *watch)
{
    if (!watch) {
        return;
    }
    brume_monitor_lock(&watch->monitor);
    watch->ends = true;
    brume_monitor_signal_and_unlock(&watch->monitor);
    (void)pthread_join(watch->thread, NULL);
    brume_monitor_destroy(&watch->monitor);
    for (int n = 0; n < watch->count; n++) {
        Peer *peer = &watch->peers[n];
        (void)MPI_Wait(&peer->send, MPI_STATUS_IGNORE);
        (void)MPI_Isend(NULL, 0, MPI_BYTE, peer->rank, LAST_SIGN, watch->world, &peer->send);
    }
    for (int n = 0; n < watch->count; n++) {
        Peer *peer = &watch->peers[n];
        MPI_Status status;
        while (peer->receive != MPI_REQUEST_NULL && MPI_Wait(&peer->receive, &status) == MPI_SUCCESS) {
            if (status.MPI_TAG == SIGN_OF_LIFE) {
                expect_sign(watch, peer);
            }
        }
        (void)MPI_Wait(&peer->send, MPI_STATUS_IGNORE);
    }
    (void)MPI_Comm_free(&watch->world);
    brume_free(watch->hosts);
    brume_free(watch);
}
