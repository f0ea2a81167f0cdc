/**
 * @file domain.h
 * A grid that several ranks share (processes of MPI, or threads of a test). Each rank computes a slab of z-planes. All
 * ranks have arrays for the whole grid, with global indices, of which a rank writes and reads its own planes and those
 * near them: memory of the other planes is reserved but not used. A loop over planes runs from brume_first_plane to
 * brume_last_plane (with ghosts or upper faces: brume_lowest_plane, brume_highest_plane); before a stage reads planes
 * of other ranks, brume_exchange copies them.
 *
 * A grid without a domain is computed in whole by the process that has it, and the functions below then do nothing
 * beyond the planes of the process. All ranks call the functions that communicate in the same order, outside of
 * parallel regions.
 */
#ifndef BRUME_CORE_DOMAIN_H
#define BRUME_CORE_DOMAIN_H

#include "brume/field.h"
#include "core/minmax.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes from or to another rank. Messages between two ranks match in their order. */
typedef struct BrumeMessage {
    int rank;
    void *data;
    size_t bytes;
} BrumeMessage;

typedef struct BrumeDomain BrumeDomain;

/** What a rank has sent so far. */
typedef struct BrumeTraffic {
    long long exchanges; ///< calls that send messages to some ranks and wait for theirs
    long long messages;
    long long bytes; ///< of the messages
    long long gathers;
    long long gathered_bytes; ///< of the parts of all ranks
} BrumeTraffic;

/** The ranks, and how they communicate. */
typedef struct BrumeTeam {
    int rank, ranks;
    void *context;
    /** Sends and receives messages of other ranks; returns when all are complete. */
    void (*transfer)(void *context, const BrumeMessage *sends, int send_count, const BrumeMessage *receives,
                     int receive_count);
    /** Completes `data`: rank r has filled the bytes from starts[r] to before starts[r + 1]. */
    void (*gather)(void *context, void *data, const size_t *starts);

    /** Each rank computes whole grids as if it was alone. Their planes must be the same on all ranks. */
    bool replicated;
    BrumeDomain *domains; ///< all that were made for it
    const double *speeds; ///< (ranks) sizes of slabs are in proportion to these; NULL: equal

    BrumeTraffic traffic; ///< of this rank
    int deepest;          ///< the largest depth of an exchange so far

    /**
     * (ranks) This process alone computes all planes, in the order of work of so many ranks. Nothing is sent; what each
     * rank would send is counted here. NULL: the ranks are real.
     */
    BrumeTraffic *modeled;

    // for tests
    bool poisons;            ///< planes of other ranks that an exchange has not copied are NaN, also in new fields
    long long exchanges;     ///< exchanges of planes so far, from 1
    long long thin_exchange; ///< the number of an exchange that copies one plane less than it should; 0: none
} BrumeTeam;

/** The planes of a grid by ranks. */
struct BrumeDomain {
    BrumeTeam *team;
    int nz;
    bool periodic;           ///< along z
    const BrumeDomain *fine; ///< of which it is brume_coarse_domain; NULL: it is brume_team_domain
    BrumeDomain *next;       ///< in the list of the team
    int starts[];            ///< (ranks + 1) rank r has the planes from starts[r] to before starts[r + 1]; maybe none
};

/** Slabs start at 1 + a multiple of this number of planes, so that none divides a block of cells (sim/grid/blocks.h).
 */
enum { BRUME_SLAB_UNIT = 8 };

/**
 * The division of `nz` planes among the ranks of a team into slabs of sizes in proportion to their speeds. Ranks that
 * are left have none. The team owns it; NULL without memory.
 */
const BrumeDomain *brume_team_domain(BrumeTeam *team, int nz, bool periodic);

/** The same slabs of a grid with half of the planes, `nz`, where all slabs start at 1 + a multiple of 2. */
const BrumeDomain *brume_coarse_domain(const BrumeDomain *fine, int nz);

/** Frees the divisions that were made for a team, which nothing uses any more. */
void brume_team_clear(BrumeTeam *team);

/** Whether the planes of a grid are computed by several ranks at present. */
static inline bool brume_is_shared(BrumeGrid grid) { return grid.domain && !grid.domain->team->replicated; }

/** Whether this process computes some of the planes alone. */
static inline bool brume_is_divided(BrumeGrid grid) { return brume_is_shared(grid) && !grid.domain->team->modeled; }

/** The first plane of cells that this rank computes. */
static inline int brume_first_plane(BrumeGrid grid)
{
    return brume_is_divided(grid) ? grid.domain->starts[grid.domain->team->rank] : 1;
}

/** The last plane of cells that this rank computes; less than the first one where it has none. */
static inline int brume_last_plane(BrumeGrid grid)
{
    return brume_is_divided(grid) ? grid.domain->starts[grid.domain->team->rank + 1] - 1 : grid.nz;
}

/** The first plane of this rank with the ghosts: 0 instead of 1. */
static inline int brume_lowest_plane(BrumeGrid grid)
{
    const int first = brume_first_plane(grid);
    return first == 1 && brume_last_plane(grid) >= 1 ? 0 : first;
}

/** The last plane of this rank with the ghosts and the upper faces: nz + 1 instead of nz. */
static inline int brume_highest_plane(BrumeGrid grid)
{
    const int last = brume_last_plane(grid);
    return last == grid.nz && brume_first_plane(grid) <= last ? last + 1 : last;
}

/** Whether this rank computes plane k, 0 to nz + 1. */
static inline bool brume_has_plane(BrumeGrid grid, int k)
{
    return k >= brume_lowest_plane(grid) && k <= brume_highest_plane(grid);
}

/** The larger of `from` and the first plane of this rank with the ghosts: the start of a loop over some planes. */
static inline int brume_planes_from(BrumeGrid grid, int from) { return brume_max_int(from, brume_lowest_plane(grid)); }

/** The smaller of `to` and the last plane of this rank with the ghosts: the end of a loop over some planes. */
static inline int brume_planes_to(BrumeGrid grid, int to) { return brume_min_int(to, brume_highest_plane(grid)); }

/**
 * The first layer that this rank computes. Layers are `thickness` planes of cells, counted from 0; the last one may be
 * thinner. The thickness divides BRUME_SLAB_UNIT, so that each layer has one rank.
 */
static inline int brume_first_layer(BrumeGrid grid, int thickness)
{
    return (brume_first_plane(grid) + thickness - 2) / thickness;
}

/** The last layer that this rank computes; less than the first one where it has none. */
static inline int brume_last_layer(BrumeGrid grid, int thickness) { return (brume_last_plane(grid) - 1) / thickness; }

/**
 * Copies from their ranks the planes that are within `depth` of those of this rank, the ghosts of a side included
 * where they are near; across a periodic side to the planes that have these indices. The planes of fields, all of the
 * same grid, whose planes of other ranks change alone; NULL and fields without data are skipped.
 */
void brume_exchange(const BrumeField *const *fields, int count, int depth);

/** The same for fields that follow each other in an array, as the components of a vector. */
void brume_exchange_fields(const BrumeField *fields, int count, int depth);

/** The same for two vectors, three fields each, which may be the same. */
void brume_exchange_vectors(const BrumeField a[3], const BrumeField b[3], int depth);

/** The same for one field. */
static inline void brume_exchange_field(const BrumeField *field, int depth) { brume_exchange_fields(field, 1, depth); }

/** For tests (BrumeTeam.poisons): a new field has NaN in the planes of other ranks. */
void brume_poison_new_field(const BrumeField *field);

/** Copies all planes of a field to rank 0. */
void brume_collect_field(const BrumeField *field);

/** The same for an array with `plane_bytes` for each of the planes 0 to nz + 1. */
void brume_exchange_planes(BrumeGrid grid, void *data, size_t plane_bytes, int depth);

/** Whether this rank has plane k, 0 to nz + 1, or has its values after an exchange of this depth. */
bool brume_is_near_plane(BrumeGrid grid, int k, int depth);

/** The first of the rows along x, 1 to ny, whose entries in all planes rank r has after brume_exchange_rows. */
static inline int brume_rows_start(BrumeGrid grid, int r)
{
    return 1 + (int)((int64_t)grid.ny * r / grid.domain->team->ranks);
}

/** The first row that this rank has in all planes; the rows of the ranks are of about equal numbers. */
static inline int brume_first_row(BrumeGrid grid)
{
    return brume_is_divided(grid) ? brume_rows_start(grid, grid.domain->team->rank) : 1;
}

/** The last row that this rank has in all planes; less than the first one where it has none. */
static inline int brume_last_row(BrumeGrid grid)
{
    return brume_is_divided(grid) ? brume_rows_start(grid, grid.domain->team->rank + 1) - 1 : grid.ny;
}

/**
 * Transposes a field, for work on lines along z: copies the rows of this rank in the planes of cells of other ranks
 * from these. All other entries in planes of other ranks are undefined afterwards.
 */
void brume_exchange_rows(const BrumeField *field);

/**
 * The transpose back: copies the rows of other ranks in the planes of cells of this rank from the ranks that have
 * changed them. The planes of other ranks are undefined afterwards.
 */
void brume_return_rows(const BrumeField *field);

/** Copies all planes, 0 to nz + 1, from the ranks that have them, `plane_bytes` each. */
void brume_gather_planes(BrumeGrid grid, void *data, size_t plane_bytes);

/**
 * The same for an array with `layer_bytes` for each layer of cells (brume_first_layer), from the first one on, and with
 * `upper` one more layer of the rank that has the last cells.
 */
void brume_gather_layers(BrumeGrid grid, int thickness, bool upper, void *data, size_t layer_bytes);

/** brume_gather_planes of a field. */
void brume_gather_field(const BrumeField *field);

/** The values of a field at `entries`, offsets in ascending order, from the ranks that have them. */
void brume_gather_entries(const BrumeField *field, const int32_t *entries, ptrdiff_t count, float *values);

/** Copies all elements of an array, of which plane k, 1 to nz, has those from starts[k] to before starts[k + 1]. */
void brume_gather_elements(BrumeGrid grid, void *data, size_t element_bytes, const int *starts);

/** The sum of `partials[1..nz]`, added in ascending order; this rank has set those of its planes. */
double brume_sum_planes(BrumeGrid grid, double *partials);

/** The maximum of `partials[1..nz]`; NaN if one of them is NaN. This rank has set those of its planes. */
double brume_max_planes(BrumeGrid grid, double *partials);

/** The maximum of `partials[1..nz + 1]`, likewise. */
double brume_max_planes_with_upper_faces(BrumeGrid grid, double *partials);

/** Replaces each of `values` by the largest of all ranks. */
void brume_largest_of_ranks(BrumeGrid grid, int32_t *values, size_t count);

/** The sum of `value` of all ranks. */
int64_t brume_sum_of_ranks(BrumeGrid grid, int64_t value);

/** Replaces each of `values` by its sum over all ranks. */
void brume_sum_values_of_ranks(BrumeGrid grid, int64_t *values, size_t count);

#endif
