/*
 * Semi-Lagrangian transport with accounting (West 2007, "Practical Fluid Dynamics", Game Developer Magazine; Lentine,
 * Gretarsson, Fedkiw 2011 state it as weights): each cell takes shares of the eight cells around its departure point. A
 * cell of which more than all is taken gives each taker less, so that its shares add up to 1; the remainder of a cell
 * of which less is taken moves to the eight cells around its arrival point. Sums are conserved between walls and
 * periodic sides. First order.
 *
 * Cells add to the sums of others, in the order of the grid: these loops run on one thread.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/transport/path_ends.h"
#include "sim/transport/transport.h"

#include <string.h>

enum { CORNERS = 8 };

// entries that a path's end lies between, and their shares
typedef struct Shares {
    ptrdiff_t entry[CORNERS];
    int plane[CORNERS];
    float share[CORNERS];
} Shares;

BRUME_KERNEL static void forward_row(float *restrict forward, const float *backward, const float *velocity,
                                     ptrdiff_t step, float cells_per_mps, int count)
{
    for (int n = 0; n < count; n++) { // twice the mean of two faces is their sum
        forward[n] = cells_per_mps * (velocity[n] + velocity[n + step]) + backward[n];
    }
}

/*
 * Displacements to arrival points from displacements to departure points, in fields without ghosts: the expansion of
 * both for a time step is
 *     forward = dt u + dt^2/2 (u . grad) u + O(dt^3),   backward = -dt u + dt^2/2 (u . grad) u + O(dt^3).
 */
static BrumeDisplacement find_forward(const BrumeSim *sim, const BrumeField velocity[3], double dt,
                                      const BrumeField forward[3])
{
    const float cells_per_mps = (float)dt / sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *backward = &sim->advection->backward.along[axis];
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(backward->grid); k <= brume_last_plane(backward->grid); k++) {
            for (int j = 1; j <= backward->grid.ny; j++) {
                const ptrdiff_t c = brume_field_index(backward, 1, j, k);
                forward_row(forward[axis].data + c, backward->data + c, velocity[axis].data + c,
                            brume_stride(backward, axis), cells_per_mps, backward->grid.nx);
            }
        }
    }
    return (BrumeDisplacement){{forward[0], forward[1], forward[2]}};
}

static int cell_of(const BrumeSamplingDomain *domain, int axis, int entry)
{
    return domain->period[axis] > 0.0f ? brume_wrap_index(entry, domain->last[axis]) : entry;
}

static Shares find_shares(const BrumeField *field, const BrumeSamplingDomain *domain, const BrumeDisplacement *paths,
                          int i, int j, int k)
{
    const BrumePathEnd end = brume_path_end(domain, paths, i, j, k);
    Shares shares;
    for (int n = 0; n < CORNERS; n++) {
        int cell[3];
        float share = 1.0f;
        for (int axis = 0; axis < 3; axis++) {
            const int upper = n >> axis & 1;
            cell[axis] = cell_of(domain, axis, end.entry[axis] + upper);
            share *= upper ? end.weight[axis] : 1.0f - end.weight[axis];
        }
        shares.entry[n] = brume_field_index(field, cell[0], cell[1], cell[2]);
        shares.plane[n] = cell[2];
        shares.share[n] = share;
    }
    return shares;
}

// paths may end between a wall and the centers next to it: the wall's ghosts stand for the adjacent cells
static BrumeSamplingDomain domain_of(const BrumeSim *sim)
{
    BrumeSamplingDomain domain = brume_sampling_domain(sim, BRUME_AT_CENTER);
    for (int axis = 0; axis < 3; axis++) {
        const bool periodic = domain.period[axis] > 0.0f;
        if (!periodic && sim->def.faces[2 * axis].kind == BRUME_WALL) {
            domain.lowest[axis] = 1.0f;
        }
        if (!periodic && sim->def.faces[2 * axis + 1].kind == BRUME_WALL) {
            domain.highest[axis] = (float)domain.last[axis];
        }
    }
    return domain;
}

// the entries of the planes of this rank
static float *own_entries(const BrumeField *field, ptrdiff_t *count)
{
    const int lowest = brume_lowest_plane(field->grid);
    *count = field->sz * (brume_highest_plane(field->grid) - lowest + 1);
    return field->data + field->sz * lowest;
}

// the sum of shares of each cell of this rank, in units of its content; no path along z is longer than `depth` planes
static void add_taken(const BrumeSim *sim, const BrumeSamplingDomain *domain, int depth, BrumeField *taken)
{
    const BrumeGrid grid = taken->grid;
    const uint8_t *flags = sim->geometry->cells.flags;
    ptrdiff_t count;
    float *own = own_entries(taken, &count);
    memset(own, 0, (size_t)count * sizeof *own);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; brume_is_near_plane(grid, k, depth) && j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if (flags[brume_field_index(taken, i, j, k)] & BRUME_CELL_FLUID) {
                    const Shares shares = find_shares(taken, domain, &sim->advection->backward, i, j, k);
                    for (int n = 0; n < CORNERS; n++) {
                        if (brume_has_plane(grid, shares.plane[n])) {
                            taken->data[shares.entry[n]] += shares.share[n];
                        }
                    }
                }
            }
        }
    }
}

static bool is_solid(const BrumeSim *sim, ptrdiff_t c) { return sim->geometry->cells.flags[c] & BRUME_CELL_SOLID; }

// result = the amount that each cell takes; ghosts have any amount to give, solid cells have none
static void gather_taken(const BrumeSim *sim, const BrumeSamplingDomain *domain, const BrumeField *field,
                         const BrumeField *taken, BrumeField *result)
{
    const BrumeGrid grid = field->grid;
    const uint8_t *flags = sim->geometry->cells.flags;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const Shares shares = find_shares(field, domain, &sim->advection->backward, i, j, k);
                float sum = 0.0f;
                for (int n = 0; n < CORNERS; n++) {
                    const ptrdiff_t c = shares.entry[n];
                    const bool shared = (flags[c] & BRUME_CELL_FLUID) && taken->data[c] > 1.0f;
                    const float share = shared ? shares.share[n] / taken->data[c] : shares.share[n];
                    sum += is_solid(sim, c) ? 0.0f : share * field->data[c];
                }
                result->data[brume_field_index(result, i, j, k)] = sum;
            }
        }
    }
}

// Adds the amounts that were not taken at the arrival points; at a solid cell it stays where it is. No path along z is
// longer than `depth` planes.
static void scatter_remainder(const BrumeSim *sim, const BrumeSamplingDomain *domain, int depth,
                              const BrumeField *field, const BrumeField *taken, const BrumeDisplacement *forward,
                              BrumeField *result)
{
    const BrumeGrid grid = field->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; brume_is_near_plane(grid, k, depth) && j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t own = brume_field_index(field, i, j, k);
                const float rest = (1.0f - taken->data[own]) * field->data[own];
                if (is_solid(sim, own) || !(taken->data[own] < 1.0f) || rest == 0.0f) {
                    continue;
                }
                const Shares shares = find_shares(field, domain, forward, i, j, k);
                for (int n = 0; n < CORNERS; n++) {
                    const bool stays = is_solid(sim, shares.entry[n]);
                    if (brume_has_plane(grid, stays ? k : shares.plane[n])) {
                        result->data[stays ? own : shares.entry[n]] += shares.share[n] * rest;
                    }
                }
            }
        }
    }
}

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    (void)exchange;
    const BrumeSamplingDomain domain = domain_of(sim);
    enum { TAKEN, RESULT, FORWARD }; // fields of sim->scratch; displacements have three
    BrumeField *taken = &sim->scratch[TAKEN];
    BrumeField *result = &sim->scratch[RESULT];
    const BrumeGrid grid = taken->grid;
    BrumeField *backward = sim->advection->backward.along;
    brume_exchange_field(&velocity[2], 1);
    BrumeDisplacement forward = find_forward(sim, velocity, dt, &sim->scratch[FORWARD]);
    const int to_departure = brume_path_depth(grid, brume_longest_path(&backward[2], sim->planes));
    const int to_arrival = brume_path_depth(grid, brume_longest_path(&forward.along[2], sim->planes));
    const int depth = brume_max_int(to_departure, to_arrival);
    brume_exchange_fields(backward, 3, to_departure);
    brume_exchange_fields(forward.along, 3, to_arrival);
    add_taken(sim, &domain, to_departure, taken);
    brume_exchange_field(taken, depth);
    for (int n = 0; n < count; n++) {
        BrumeField *field = &sim->fields[ids[n]];
        brume_set_boundary(sim, ids[n], field);
        brume_exchange_field(field, depth);
        gather_taken(sim, &domain, field, taken, result);
        scatter_remainder(sim, &domain, to_arrival, field, taken, &forward, result);
        brume_field_swap(field, result);
        ptrdiff_t entries;
        float *own = own_entries(field, &entries);
        for (ptrdiff_t c = 0; decay[n] != 1.0f && c < entries; c++) {
            own[c] *= decay[n];
        }
    }
}

const BrumeTransportScheme brume_transport_accounting = {
    .name = "accounting",
    .conserves = false,
    .needs_displacement = true,
    .advance = advance,
};
