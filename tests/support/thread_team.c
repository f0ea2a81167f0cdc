#include "thread_team.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

    int thin;                 // number of the tested exchange that copies one plane less, 0: none
    long long before, tested; // exchanges before the tested ones, and of these
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
    brume_team_clear(&rank->team);
    return NULL;
}

// as run_as_ranks; returns the number of tested exchanges
static int run_with_thin_exchange(int ranks, int thin, void (*run)(void *context, BrumeTeam *team), void *context)
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
                        .context = context,
                        .thin = thin};
        (void)pthread_create(&threads[r], NULL, run_rank, &all[r]);
    }
    for (int r = 0; r < ranks; r++) {
        (void)pthread_join(threads[r], NULL);
    }
    const int tested = (int)all[0].tested;
    (void)pthread_barrier_destroy(&shared.barrier);
    free(threads);
    free(all);
    free(shared.sent);
    return tested;
}

void run_as_ranks(int ranks, void (*run)(void *context, BrumeTeam *team), void *context)
{
    (void)run_with_thin_exchange(ranks, 0, run, context);
}

typedef struct Computation {
    RankFunction *compute;
    void *context;
    uint64_t *results; // of each rank
} Computation;

static void compute_result(void *context, BrumeTeam *team)
{
    const Computation *computation = context;
    computation->results[team->rank] = computation->compute(computation->context, team);
}

// all_ranks_return with a thin exchange; sets the number of tested exchanges
static bool all_return(uint64_t expected, int ranks, int thin, RankFunction *compute, void *context, int *tested)
{
    Computation computation = {compute, context, calloc((size_t)ranks, sizeof *computation.results)};
    *tested = run_with_thin_exchange(ranks, thin, compute_result, &computation);
    bool same = true;
    for (int r = 0; r < ranks; r++) {
        same = same && computation.results[r] == expected;
    }
    free(computation.results);
    return same;
}

bool all_ranks_return(uint64_t expected, int ranks, RankFunction *compute, void *context)
{
    int tested;
    return all_return(expected, ranks, 0, compute, context, &tested);
}

void start_tested_exchanges(BrumeTeam *team)
{
    if (team) {
        Rank *rank = team->context;
        rank->before = team->exchanges;
        team->thin_exchange = rank->thin > 0 ? rank->before + rank->thin : 0;
    }
}

void end_tested_exchanges(BrumeTeam *team)
{
    if (team) {
        Rank *rank = team->context;
        rank->tested = team->exchanges - rank->before;
    }
}

void find_needed_exchanges(NeededExchanges *found, uint64_t expected, int ranks, RankFunction *compute, void *context)
{
    if (!all_return(expected, ranks, 0, compute, context, &found->count)) {
        fail_msg("other bits with %d ranks", ranks);
    }
    assert_in_range(found->count, 0, MOST_TESTED_EXCHANGES);
    for (int thin = 1; thin <= found->count; thin++) {
        int ignored;
        if (!found->is_needed[thin] && !all_return(expected, ranks, thin, compute, context, &ignored)) {
            found->is_needed[thin] = true;
            found->needed++;
        }
    }
}
