#include "core/domain.h"

#include "core/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct PlaneRange {
    int from, to;
} PlaneRange;

typedef struct Array {
    void *data;
    size_t plane_bytes;
} Array;

static BrumeDomain *find(const BrumeTeam *team, const BrumeDomain *fine, int nz, bool periodic)
{
    BrumeDomain *found = team->domains;
    while (found && (found->fine != fine || found->nz != nz || found->periodic != periodic)) {
        found = found->next;
    }
    return found;
}

static BrumeDomain *add(BrumeTeam *team, const BrumeDomain *fine, int nz, bool periodic)
{
    BrumeDomain *domain = brume_alloc(1, sizeof *domain + ((size_t)team->ranks + 1) * sizeof domain->starts[0]);
    if (domain) {
        *domain = (BrumeDomain){.team = team, .nz = nz, .periodic = periodic, .fine = fine, .next = team->domains};
        team->domains = domain;
    }
    return domain;
}

static double sum_of_speeds(const BrumeTeam *team, int ranks)
{
    double sum = 0.0;
    for (int r = 0; r < ranks; r++) {
        sum += team->speeds ? team->speeds[r] : 1.0;
    }
    return sum;
}

const BrumeDomain *brume_team_domain(BrumeTeam *team, int nz, bool periodic)
{
    BrumeDomain *domain = find(team, NULL, nz, periodic);
    if (domain) {
        return domain;
    }
    domain = add(team, NULL, nz, periodic);
    const int units = (nz + BRUME_SLAB_UNIT - 1) / BRUME_SLAB_UNIT;
    int before = -1; // units of the ranks before r; each has at least one, while there are any
    for (int r = 0; domain && r <= team->ranks; r++) {
        const int share = (int)(units * sum_of_speeds(team, r) / sum_of_speeds(team, team->ranks) + 0.5);
        const int most = brume_max_int(units - (team->ranks - r), brume_min_int(r, units));
        before = brume_min_int(brume_max_int(share, before + 1), most);
        domain->starts[r] = brume_min_int(1 + before * BRUME_SLAB_UNIT, nz + 1);
    }
    return domain;
}

const BrumeDomain *brume_coarse_domain(const BrumeDomain *fine, int nz)
{
    BrumeDomain *domain = find(fine->team, fine, nz, fine->periodic);
    if (domain) {
        return domain;
    }
    domain = add(fine->team, fine, nz, fine->periodic);
    for (int r = 0; domain && r <= fine->team->ranks; r++) {
        domain->starts[r] = fine->starts[r] > fine->nz ? nz + 1 : 1 + (fine->starts[r] - 1) / 2;
    }
    return domain;
}

void brume_team_clear(BrumeTeam *team)
{
    while (team->domains) {
        BrumeDomain *next = team->domains->next;
        brume_free(team->domains);
        team->domains = next;
    }
}

// the planes that rank r has, with the ghosts of the sides
static PlaneRange own_planes(const BrumeDomain *domain, int r)
{
    const int first = domain->starts[r];
    const int last = domain->starts[r + 1] - 1;
    return (PlaneRange){first == 1 && last >= 1 ? 0 : first, last == domain->nz && first <= last ? last + 1 : last};
}

// whether an exchange copies plane p, of another rank, to rank r
static bool is_read(const BrumeDomain *domain, int r, int p, int depth)
{
    const int first = domain->starts[r];
    const int last = domain->starts[r + 1] - 1;
    if (first > last) {
        return false;
    }
    const int nz = domain->nz;
    const bool is_near = p >= first - depth && p <= last + depth;
    // a plane beyond a periodic side is read together with the ghosts there, between which values are interpolated
    return is_near || (domain->periodic && (p - nz - 1 >= first - 1 - depth || p + nz + 1 <= last + 1 + depth));
}

// the other one of two ranks
static int peer_of(const BrumeTeam *team, int a, int b) { return a == team->rank ? b : a; }

// Messages for the runs of planes of rank `of` that rank `to` reads; returns their number.
static int list_runs(const BrumeDomain *domain, int of, int to, int depth, const Array *array, BrumeMessage *messages)
{
    const PlaneRange own = own_planes(domain, of);
    int count = 0;
    int run = 0; // planes before p that are in the last message
    for (int p = own.from; p <= own.to; p++) {
        if (!is_read(domain, to, p, depth)) {
            run = 0;
            continue;
        }
        if (run++ == 0) {
            messages[count++] = (BrumeMessage){.rank = peer_of(domain->team, of, to),
                                               .data = (uint8_t *)array->data + array->plane_bytes * (size_t)p};
        }
        messages[count - 1].bytes += array->plane_bytes;
    }
    return count;
}

// after an exchange for a test: all planes of other ranks that were not copied are NaN
static void poison_planes(const BrumeField *field, int depth)
{
    const BrumeDomain *domain = field->grid.domain;
    const PlaneRange own = own_planes(domain, domain->team->rank);
    for (int k = 0; k <= field->grid.nz + 1; k++) {
        if ((k < own.from || k > own.to) && !is_read(domain, domain->team->rank, k, depth)) {
            memset(field->data + field->sz * k, 0xff, (size_t)field->sz * sizeof *field->data);
        }
    }
}

void brume_poison_new_field(const BrumeField *field)
{
    if (brume_is_shared(field->grid) && field->grid.domain->team->poisons) {
        poison_planes(field, 0);
    }
}

enum { MOST_ARRAYS = 16, MOST_RUNS = 3 };

static void count_sends(BrumeTraffic *traffic, const BrumeMessage *sends, int count)
{
    traffic->exchanges += count > 0;
    traffic->messages += count;
    for (int n = 0; n < count; n++) {
        traffic->bytes += (long long)sends[n].bytes;
    }
}

static void transfer(BrumeTeam *team, const BrumeMessage *sends, int send_count, const BrumeMessage *receives,
                     int receive_count)
{
    count_sends(&team->traffic, sends, send_count);
    team->transfer(team->context, sends, send_count, receives, receive_count);
}

// messages for the planes of arrays that rank `from` sends to the others
static int list_sends(const BrumeDomain *domain, int from, const Array *arrays, int count, int depth,
                      BrumeMessage *sends)
{
    int listed = 0;
    for (int r = 0; r < domain->team->ranks; r++) {
        for (int n = 0; n < count && r != from; n++) {
            listed += list_runs(domain, from, r, depth, &arrays[n], sends + listed);
        }
    }
    return listed;
}

static int exchange_arrays(BrumeGrid grid, const Array *arrays, int count, int depth)
{
    const BrumeDomain *domain = grid.domain;
    BrumeTeam *team = domain->team;
    const int least = ++team->exchanges == team->thin_exchange ? depth - 1 : depth;
    const size_t most = (size_t)team->ranks * (size_t)count * MOST_RUNS;
    BrumeMessage *sends = brume_alloc(2 * most, sizeof *sends);
    BrumeMessage *receives = sends + most;
    assert(sends); // a few hundred bytes
    team->deepest = brume_max_int(team->deepest, depth);
    for (int r = 0; r < team->ranks && team->modeled; r++) {
        count_sends(&team->modeled[r], sends, list_sends(domain, r, arrays, count, least, sends));
    }
    if (!team->modeled) {
        int receive_count = 0;
        for (int r = 0; r < team->ranks; r++) {
            for (int n = 0; n < count && r != team->rank; n++) {
                receive_count += list_runs(domain, r, team->rank, least, &arrays[n], receives + receive_count);
            }
        }
        transfer(team, sends, list_sends(domain, team->rank, arrays, count, least, sends), receives, receive_count);
    }
    brume_free(sends);
    return least;
}

void brume_exchange(const BrumeField *const *fields, int count, int depth)
{
    Array arrays[MOST_ARRAYS];
    const BrumeField *exchanged[MOST_ARRAYS];
    int used = 0;
    for (int n = 0; n < count && brume_is_shared(fields[0]->grid); n++) {
        if (fields[n] && fields[n]->data) {
            assert(used < MOST_ARRAYS);
            exchanged[used] = fields[n];
            arrays[used++] = (Array){fields[n]->data, (size_t)fields[n]->sz * sizeof *fields[n]->data};
        }
    }
    if (used == 0) {
        return;
    }
    const int copied = exchange_arrays(exchanged[0]->grid, arrays, used, depth);
    for (int n = 0; n < used && exchanged[0]->grid.domain->team->poisons; n++) {
        poison_planes(exchanged[n], copied);
    }
}

void brume_exchange_fields(const BrumeField *fields, int count, int depth)
{
    const BrumeField *all[MOST_ARRAYS];
    assert(count <= MOST_ARRAYS);
    for (int n = 0; n < count; n++) {
        all[n] = &fields[n];
    }
    brume_exchange(all, count, depth);
}

void brume_exchange_vectors(const BrumeField a[3], const BrumeField b[3], int depth)
{
    const BrumeField *const fields[6] = {&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]};
    brume_exchange(fields, a == b ? 3 : 6, depth);
}

void brume_collect_field(const BrumeField *field)
{
    if (!brume_is_divided(field->grid)) {
        return;
    }
    const BrumeDomain *domain = field->grid.domain;
    BrumeTeam *team = domain->team;
    BrumeMessage *messages = brume_alloc((size_t)team->ranks, sizeof *messages);
    assert(messages);
    int count = 0;
    for (int r = 1; r < team->ranks; r++) {
        const PlaneRange own = own_planes(domain, r);
        if (own.from <= own.to && (team->rank == 0 || team->rank == r)) {
            messages[count++] = (BrumeMessage){.rank = team->rank == 0 ? r : 0,
                                               .data = field->data + field->sz * own.from,
                                               .bytes = (size_t)(field->sz * (own.to - own.from + 1)) * sizeof(float)};
        }
    }
    if (team->rank == 0) {
        transfer(team, NULL, 0, messages, count);
    } else {
        transfer(team, messages, count, NULL, 0);
    }
    brume_free(messages);
}

void brume_exchange_planes(BrumeGrid grid, void *data, size_t plane_bytes, int depth)
{
    if (brume_is_shared(grid) && data) {
        (void)exchange_arrays(grid, &(Array){data, plane_bytes}, 1, depth);
    }
}

bool brume_is_near_plane(BrumeGrid grid, int k, int depth)
{
    return brume_has_plane(grid, k) || is_read(grid.domain, grid.domain->team->rank, k, depth);
}

// Messages for the rows that rank `rows_of` has, in the planes of cells of rank `planes_of`; returns their number.
static int list_rows(const BrumeField *field, int planes_of, int rows_of, BrumeMessage *messages)
{
    const BrumeDomain *domain = field->grid.domain;
    const int first = brume_rows_start(field->grid, rows_of);
    const int rows = brume_rows_start(field->grid, rows_of + 1) - first;
    int count = 0;
    for (int k = domain->starts[planes_of]; rows > 0 && k < domain->starts[planes_of + 1]; k++) {
        messages[count++] = (BrumeMessage){.rank = peer_of(domain->team, planes_of, rows_of),
                                           .data = field->data + brume_field_index(field, 0, first, k),
                                           .bytes = (size_t)field->sy * (size_t)rows * sizeof *field->data};
    }
    return count;
}

// after a transpose for a test: entries of other ranks that were not copied are NaN
static void poison_rows(const BrumeField *field)
{
    const BrumeGrid grid = field->grid;
    const int first = brume_first_row(grid);
    const int last = brume_last_row(grid);
    for (int k = 0; k <= grid.nz + 1; k++) {
        for (int j = 0; j <= grid.ny + 1 && !brume_has_plane(grid, k); j++) {
            if (j < first || j > last) {
                memset(field->data + brume_field_index(field, 0, j, k), 0xff, (size_t)field->sy * sizeof *field->data);
            }
        }
    }
}

// Messages for the rows of other ranks in the planes of rank `r`, or for its rows in the planes of others.
static int list_parts(const BrumeField *field, int r, bool in_planes, BrumeMessage *messages)
{
    int count = 0;
    for (int other = 0; other < field->grid.domain->team->ranks; other++) {
        if (other != r) {
            count += list_rows(field, in_planes ? r : other, in_planes ? other : r, messages + count);
        }
    }
    return count;
}

// exchanges the rows of other ranks in the planes of this rank with the rows of this rank in the planes of others
static void transpose(const BrumeField *field, bool to_rows)
{
    const BrumeDomain *domain = field->grid.domain;
    BrumeTeam *team = domain->team;
    const size_t most = (size_t)team->ranks * (size_t)domain->nz;
    BrumeMessage *sends = brume_alloc(2 * most, sizeof *sends);
    BrumeMessage *receives = sends + most;
    assert(sends);
    for (int r = 0; r < team->ranks && team->modeled; r++) {
        count_sends(&team->modeled[r], sends, list_parts(field, r, to_rows, sends));
    }
    if (!team->modeled) {
        const int receive_count = list_parts(field, team->rank, !to_rows, receives);
        transfer(team, sends, list_parts(field, team->rank, to_rows, sends), receives, receive_count);
    }
    brume_free(sends);
}

void brume_exchange_rows(const BrumeField *field)
{
    if (brume_is_shared(field->grid)) {
        transpose(field, true);
        if (field->grid.domain->team->poisons) {
            poison_rows(field);
        }
    }
}

void brume_return_rows(const BrumeField *field)
{
    if (brume_is_shared(field->grid)) {
        transpose(field, false);
        if (field->grid.domain->team->poisons) {
            poison_planes(field, 0);
        }
    }
}

// where the parts of the ranks start in an array that gather_parts completes; the first one starts at 0
static size_t *create_starts(const BrumeTeam *team)
{
    size_t *starts = brume_alloc((size_t)team->ranks + 1, sizeof *starts);
    assert(starts);
    return starts;
}

static void count_gather(BrumeTraffic *traffic, size_t bytes)
{
    traffic->gathers++;
    traffic->gathered_bytes += (long long)bytes;
}

// completes an array, and frees `starts`
static void gather_parts(BrumeTeam *team, void *data, size_t *starts)
{
    for (int r = 0; r < team->ranks && team->modeled; r++) {
        count_gather(&team->modeled[r], starts[team->ranks]);
    }
    if (!team->modeled) {
        count_gather(&team->traffic, starts[team->ranks]);
        team->gather(team->context, data, starts);
    }
    brume_free(starts);
}

// Completes an array with a plane for each `factor` planes of cells, `lower` before them and `upper` after them.
static void gather(const BrumeDomain *domain, void *data, size_t plane_bytes, int factor, int lower, int upper)
{
    size_t *starts = create_starts(domain->team);
    for (int r = 0; r < domain->team->ranks; r++) {
        const int cells = domain->starts[r + 1] - 1; // of this rank and those before it
        const int planes = (cells + factor - 1) / factor + lower + (cells == domain->nz ? upper : 0);
        starts[r + 1] = plane_bytes * (size_t)planes;
    }
    gather_parts(domain->team, data, starts);
}

void brume_gather_planes(BrumeGrid grid, void *data, size_t plane_bytes)
{
    if (brume_is_shared(grid) && data) {
        gather(grid.domain, data, plane_bytes, 1, 1, 1);
    }
}

void brume_gather_layers(BrumeGrid grid, int thickness, bool upper, void *data, size_t layer_bytes)
{
    if (brume_is_shared(grid) && data) {
        gather(grid.domain, data, layer_bytes, thickness, 0, upper);
    }
}

void brume_gather_field(const BrumeField *field)
{
    brume_gather_planes(field->grid, field->data, (size_t)field->sz * sizeof *field->data);
}

void brume_gather_elements(BrumeGrid grid, void *data, size_t element_bytes, const int *starts)
{
    if (!brume_is_shared(grid)) {
        return;
    }
    size_t *bytes = create_starts(grid.domain->team);
    for (int r = 0; r <= grid.domain->team->ranks; r++) {
        bytes[r] = element_bytes * (size_t)starts[grid.domain->starts[r]];
    }
    gather_parts(grid.domain->team, data, bytes);
}

double brume_sum_planes(BrumeGrid grid, double *partials)
{
    brume_gather_planes(grid, partials, sizeof *partials);
    double sum = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        sum += partials[k];
    }
    return sum;
}

void brume_gather_entries(const BrumeField *field, const int32_t *entries, ptrdiff_t count, float *values)
{
    const ptrdiff_t own_from = field->sz * brume_lowest_plane(field->grid);
    const ptrdiff_t own_end = field->sz * (brume_highest_plane(field->grid) + 1);
    for (ptrdiff_t n = 0; n < count; n++) {
        if (entries[n] >= own_from && entries[n] < own_end) {
            values[n] = field->data[entries[n]];
        }
    }
    if (!brume_is_shared(field->grid)) {
        return;
    }
    const BrumeDomain *domain = field->grid.domain;
    size_t *starts = create_starts(domain->team);
    ptrdiff_t before = 0; // entries of the ranks so far
    for (int r = 0; r < domain->team->ranks; r++) {
        const ptrdiff_t end = field->sz * (own_planes(domain, r).to + 1);
        while (before < count && entries[before] < end) {
            before++;
        }
        starts[r + 1] = (size_t)before * sizeof *values;
    }
    gather_parts(domain->team, values, starts);
}

static double max_between(const double *partials, int from, int to)
{
    double max = partials[from];
    for (int k = from + 1; k <= to; k++) {
        max = partials[k] > max || isnan(partials[k]) ? partials[k] : max;
    }
    return max;
}

double brume_max_planes(BrumeGrid grid, double *partials)
{
    brume_gather_planes(grid, partials, sizeof *partials);
    return max_between(partials, 1, grid.nz);
}

double brume_max_planes_with_upper_faces(BrumeGrid grid, double *partials)
{
    brume_gather_planes(grid, partials, sizeof *partials);
    return max_between(partials, 1, grid.nz + 1);
}

// the `values` of each rank, one rank after the other; the caller frees them
static void *values_of_ranks(BrumeTeam *team, const void *values, size_t bytes)
{
    uint8_t *all = brume_alloc((size_t)team->ranks, bytes);
    size_t *starts = create_starts(team);
    assert(all);
    for (int r = 0; r <= team->ranks; r++) {
        starts[r] = (size_t)r * bytes;
    }
    memcpy(all + (size_t)team->rank * bytes, values, bytes);
    gather_parts(team, all, starts);
    return all;
}

// the ranks that have values of their own: one in a model
static int processes_of(const BrumeTeam *team) { return team->modeled ? 1 : team->ranks; }

void brume_largest_of_ranks(BrumeGrid grid, int32_t *values, size_t count)
{
    if (!brume_is_shared(grid)) {
        return;
    }
    BrumeTeam *team = grid.domain->team;
    int32_t *all = values_of_ranks(team, values, count * sizeof *all);
    for (size_t n = 0; n < count; n++) {
        for (int r = 0; r < processes_of(team); r++) {
            values[n] = brume_max_int(values[n], all[(size_t)r * count + n]);
        }
    }
    brume_free(all);
}

void brume_sum_values_of_ranks(BrumeGrid grid, int64_t *values, size_t count)
{
    if (!brume_is_shared(grid)) {
        return;
    }
    BrumeTeam *team = grid.domain->team;
    int64_t *all = values_of_ranks(team, values, count * sizeof *all);
    for (size_t n = 0; n < count; n++) {
        values[n] = 0;
        for (int r = 0; r < processes_of(team); r++) {
            values[n] += all[(size_t)r * count + n];
        }
    }
    brume_free(all);
}

int64_t brume_sum_of_ranks(BrumeGrid grid, int64_t value)
{
    brume_sum_values_of_ranks(grid, &value, 1);
    return value;
}
