#include "thread_team.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Sent {
    const BrumeMessage *messages;
    int count;
    uint8_t *data; // of a gather
} Sent;

typedef struct Shared {
    pthread_barrier_t barrier;
    Sent *sent; // by each rank
    int ranks;
} Shared;

typedef struct Rank {
    BrumeTeam team;
    Shared *shared;
    void (*run)(void *context, BrumeTeam *team);
    void *context;
} Rank;

static void transfer(void *context, const BrumeMessage *sends, int send_count, const BrumeMessage *receives,
                     int receive_count)
{
    const Rank *rank = context;
    Shared *shared = rank->shared;
    shared->sent[rank->team.rank] = (Sent){.messages = sends, .count = send_count};
    (void)pthread_barrier_wait(&shared->barrier);
    int *next = calloc((size_t)shared->ranks, sizeof *next);
    for (int n = 0; n < receive_count; n++) {
        const BrumeMessage *receive = &receives[n];
        const Sent *sent = &shared->sent[receive->rank];
        int *m = &next[receive->rank];
        while (*m < sent->count && sent->messages[*m].rank != rank->team.rank) {
            (*m)++;
        }
        assert(*m < sent->count && sent->messages[*m].bytes == receive->bytes);
        memcpy(receive->data, sent->messages[*m].data, receive->bytes);
        (*m)++;
    }
    free(next);
    (void)pthread_barrier_wait(&shared->barrier);
}

static void gather(void *context, void *data, const size_t *starts)
{
    const Rank *rank = context;
    Shared *shared = rank->shared;
    shared->sent[rank->team.rank] = (Sent){.data = data};
    (void)pthread_barrier_wait(&shared->barrier);
    for (int r = 0; r < shared->ranks; r++) {
        if (r != rank->team.rank) {
            memcpy((uint8_t *)data + starts[r], shared->sent[r].data + starts[r], starts[r + 1] - starts[r]);
        }
    }
    (void)pthread_barrier_wait(&shared->barrier);
}

static void *run_rank(void *argument)
{
    Rank *rank = argument;
    omp_set_num_threads(1);
    rank->run(rank->context, &rank->team);
    return NULL;
}

void run_as_ranks(int ranks, void (*run)(void *context, BrumeTeam *team), void *context)
{
    Shared shared = {.ranks = ranks, .sent = calloc((size_t)ranks, sizeof *shared.sent)};
    Rank *all = calloc((size_t)ranks, sizeof *all);
    pthread_t *threads = calloc((size_t)ranks, sizeof *threads);
    (void)pthread_barrier_init(&shared.barrier, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++) {
        all[r] = (Rank){.team = {.rank = r,
                                 .ranks = ranks,
                                 .context = &all[r],
                                 .transfer = transfer,
                                 .gather = gather,
                                 .poisons = true},
                        .shared = &shared,
                        .run = run,
                        .context = context};
        (void)pthread_create(&threads[r], NULL, run_rank, &all[r]);
    }
    for (int r = 0; r < ranks; r++) {
        (void)pthread_join(threads[r], NULL);
    }
    (void)pthread_barrier_destroy(&shared.barrier);
    free(threads);
    free(all);
    free(shared.sent);
}
