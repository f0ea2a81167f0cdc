#include "mpi/mpi_functions.h"

#include "brume/base.h"
#include "core/memory.h"
#include "mpi/mpi_watch.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// what BrumeTeam.context points to
typedef struct Ranks {
    MPI_Comm steps; // of the messages within a step
    // Of the messages between frames. It is a communicator of its own, so that those of a rank whose frame has failed
    // do not match those of a step.
    MPI_Comm frames;
    size_t most_bytes; // of a message
    MPI_Request *requests;
    size_t capacity;
    int *numbers;         // (2 x ranks) of a gather
    int sharing;          // ranks that may run on the same processors, with this one
    int on_machine;       // ranks on this machine
    BrumeMpiWatch *watch; // NULL: MPI does not allow calls from several threads
} Ranks;

// the last part of a long message is what is left
static int part(size_t left, size_t most) { return (int)(left < most ? left : most); }

static size_t part_count(const BrumeMessage *messages, int count, size_t most)
{
    size_t parts = 0;
    for (int n = 0; n < count; n++) {
        parts += (messages[n].bytes + most - 1) / most;
    }
    return parts;
}

// room for so many requests; ends all processes without memory, because the others wait for this one
static MPI_Request *reserve(Ranks *ranks, size_t count)
{
    if (count > ranks->capacity) {
        brume_free(ranks->requests);
        ranks->requests = brume_alloc(count, sizeof(MPI_Request));
        ranks->capacity = count;
        if (!ranks->requests) {
            (void)MPI_Abort(MPI_COMM_WORLD, BRUME_FAILED);
        }
    }
    return ranks->requests;
}

static void transfer(void *context, const BrumeMessage *sends, int send_count, const BrumeMessage *receives,
                     int receive_count)
{
    Ranks *ranks = context;
    const size_t most = ranks->most_bytes;
    const size_t parts = part_count(sends, send_count, most) + part_count(receives, receive_count, most);
    MPI_Request *requests = reserve(ranks, parts);
    int posted = 0;
    for (int n = 0; n < receive_count; n++) {
        for (size_t at = 0; at < receives[n].bytes; at += most) {
            (void)MPI_Irecv((char *)receives[n].data + at, part(receives[n].bytes - at, most), MPI_BYTE,
                            receives[n].rank, 0, ranks->steps, &requests[posted++]);
        }
    }
    for (int n = 0; n < send_count; n++) {
        for (size_t at = 0; at < sends[n].bytes; at += most) {
            (void)MPI_Isend((const char *)sends[n].data + at, part(sends[n].bytes - at, most), MPI_BYTE, sends[n].rank,
                            0, ranks->steps, &requests[posted++]);
        }
    }
    (void)MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
}

// the numbers of MPI_Allgatherv are ints: the parts of larger arrays are broadcast by their ranks
static void gather_large(const Ranks *ranks, int count, char *data, const size_t *starts)
{
    for (int r = 0; r < count; r++) {
        for (size_t at = starts[r]; at < starts[r + 1]; at += ranks->most_bytes) {
            (void)MPI_Bcast(data + at, part(starts[r + 1] - at, ranks->most_bytes), MPI_BYTE, r, ranks->steps);
        }
    }
}

static void gather(void *context, void *data, const size_t *starts)
{
    const Ranks *ranks = context;
    int count;
    (void)MPI_Comm_size(ranks->steps, &count);
    if (starts[count] > ranks->most_bytes) {
        gather_large(ranks, count, data, starts);
        return;
    }
    int *numbers = ranks->numbers;
    for (int r = 0; r < count; r++) {
        numbers[r] = (int)(starts[r + 1] - starts[r]);
        numbers[count + r] = (int)starts[r];
    }
    (void)MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, numbers, numbers + count, MPI_BYTE, ranks->steps);
}

// Waits for what other ranks do after a frame, as writing a file, without the processor time of MPI_Wait, which another
// rank may need. False: not complete within `patience` [s].
static bool wait_asleep(MPI_Request *request, double patience)
{
    const double start = MPI_Wtime();
    const long most = 2000000;
    struct timespec pause = {.tv_nsec = 10000}; // [ns]
    int complete = 0;
    while (MPI_Test(request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && !complete) {
        if (MPI_Wtime() - start > patience) {
            return false;
        }
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < most ? 2 * pause.tv_nsec : most;
    }
    return true;
}

static void broadcast(const BrumeTeam *team, void *data, size_t bytes, int from)
{
    const Ranks *ranks = team->context;
    for (size_t at = 0; at < bytes; at += ranks->most_bytes) {
        MPI_Request request;
        (void)MPI_Ibcast((char *)data + at, part(bytes - at, ranks->most_bytes), MPI_BYTE, from, ranks->frames,
                         &request);
        (void)wait_asleep(&request, INFINITY);
    }
}

static bool agree(const BrumeTeam *team, int64_t value, int64_t *values, double patience)
{
    const Ranks *ranks = team->context;
    MPI_Request request;
    values[team->rank] = value;
    (void)MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT64_T, ranks->frames, &request);
    return wait_asleep(&request, patience);
}

static void end_all(const BrumeTeam *team, int status)
{
    (void)team;
    (void)MPI_Abort(MPI_COMM_WORLD, status);
    exit(status); // not reached
}

static int sharing_processors(const BrumeTeam *team)
{
    const Ranks *ranks = team->context;
    return ranks->sharing;
}

static bool has_several_machines(const BrumeTeam *team)
{
    const Ranks *ranks = team->context;
    return ranks->on_machine < team->ranks;
}

static BrumeStatus count_near_ranks(Ranks *ranks, BrumeError *error)
{
    MPI_Comm machine;
    int rank;
    int count;
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    (void)MPI_Comm_rank(machine, &rank);
    (void)MPI_Comm_size(machine, &count);
    cpu_set_t *allowed = brume_alloc((size_t)count, sizeof *allowed);
    if (!allowed) {
        return brume_out_of_memory(error, "the processors of %d ranks", count);
    }
    (void)sched_getaffinity(0, sizeof *allowed, &allowed[rank]);
    (void)MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, allowed, sizeof *allowed, MPI_BYTE, machine);
    ranks->on_machine = count;
    for (int r = 0; r < count; r++) {
        ranks->sharing += memcmp(&allowed[r], &allowed[rank], sizeof *allowed) == 0;
    }
    brume_free(allowed);
    (void)MPI_Comm_free(&machine);
    return BRUME_OK;
}

// Where a machine has more ranks than processors, those that wait let others compute, unless the user has chosen.
// Open MPI reads the variable when it starts.
static void choose_waiting(void)
{
    const char *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (local && strtol(local, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN)) {
        (void)setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    }
}

static BrumeStatus start(BrumeTeam *team, const BrumeMpiDef *def, BrumeError *error)
{
    int threads;
    choose_waiting();
    (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &threads);
    *team = (BrumeTeam){.transfer = transfer, .gather = gather};
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &team->ranks);
    Ranks *ranks = brume_alloc(1, sizeof *ranks);
    int *numbers = brume_alloc(2 * (size_t)team->ranks, sizeof *numbers);
    if (!ranks || !numbers) {
        return brume_out_of_memory(error, "the ranks of a simulation");
    }
    team->context = ranks;
    ranks->numbers = numbers;
    ranks->most_bytes = def->most_bytes > 0 ? def->most_bytes : (size_t)1 << 30;
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &ranks->steps);
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &ranks->frames);
    const BrumeStatus status = count_near_ranks(ranks, error);
    return status == BRUME_OK && threads >= MPI_THREAD_MULTIPLE && team->ranks > 1
               ? brume_mpi_watch_start(&ranks->watch, team, def, error)
               : status;
}

static void end(BrumeTeam *team)
{
    Ranks *ranks = team->context;
    brume_team_clear(team);
    if (ranks) {
        brume_mpi_watch_end(ranks->watch);
        (void)MPI_Comm_free(&ranks->steps);
        (void)MPI_Comm_free(&ranks->frames);
        brume_free(ranks->requests);
        brume_free(ranks->numbers);
        brume_free(ranks);
    }
    (void)MPI_Finalize();
    *team = (BrumeTeam){0};
}

__attribute__((visibility("default"))) const BrumeMpiFunctions brume_mpi_functions = {
    .version = BRUME_VERSION_STRING,
    .start = start,
    .sharing_processors = sharing_processors,
    .has_several_machines = has_several_machines,
    .broadcast = broadcast,
    .agree = agree,
    .abort = end_all,
    .end = end,
};
