/*
 * The practical integrator: the method of Mick West's Practical Fluid Dynamics (Game Developer Magazine, 2008, parts 1
 * and 2). The air has a density of its own, which moves with it and may change; its differences accelerate the air.
 * There is no system of equations. A step is
 *
 *     sources and forces, with friction (forces/drag.c)                         u += dt f
 *     one pass of smoothing, of velocity, density of the air, heat and smoke    x += a (sum of the neighbors - 6 x)
 *     the response of the pressure p = c^2 (rho - 1)                            u -= dt grad p
 *     advection with accounting of all of these, forward, then in reverse
 *
 * with velocity at the centers of the cells, rho relative to air at rest, and c the speed of the waves (wave_speed).
 * Forward, a cell moves what it has to the cells around the end of its path. In reverse, it takes shares of the cells
 * around the start of its path, scaled where more than all of a cell is taken; the rest stays. The sums of density,
 * heat and smoke change by rounding alone. Velocity is moved in the same way, where the articles do not scale what is
 * taken of it. Each of the two passes takes half of the step, so that all moves by dt u; `accounting: forward` does all
 * in the first.
 *
 * Velocity towards a wall is reversed in the cells at it (the articles' reflecting edges); the path of no cell leaves
 * the box, and what does not move stays where it is.
 *
 * The gradient is explicit: waves move by at most LARGEST_WAVE cells in a step. The step is chosen so; where it is
 * longer, as max_steps requires, waves are as slow as that. The pressure of the state holds rho.
 */
#include "sim/integrators/centers.h"
#include "sim/integrators/stages.h"

#include "core/field.h"
#include "core/minmax.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/particles/particles.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 8, // fields that are moved together
    MAX_QUANTITIES = 4 + BRUME_SCALAR_COUNT,
    CORNERS = 8,
};

// fields of the scratch
enum {
    MOVED = 0,             // BATCH fields after the forward pass
    TAKEN = MOVED + BATCH, // the sum of the shares that are taken of each cell
};

static const float LARGEST_WAVE = 0.5f;              // displacement of waves in a step [cells]
static const float LARGEST_SMOOTHING = 1.0f / 12.0f; // share of a neighbor in a step: half of that of the mean of all

typedef struct Quantity {
    BrumeField *field;
    float diffusivity; // [m^2/s]
} Quantity;

// velocity at the centers, the density of the air, heat and smoke
static int list_quantities(BrumeSim *sim, Quantity quantities[MAX_QUANTITIES])
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        quantities[count++] = (Quantity){&sim->previous[axis], sim->def.viscosity};
    }
    quantities[count++] = (Quantity){&sim->fields[BRUME_FIELD_PRESSURE], sim->def.viscosity};
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (brume_has_scalar(sim, scalar)) {
            const BrumeFieldId id = brume_scalar_id(scalar);
            quantities[count++] = (Quantity){&sim->fields[id], brume_scalar_diffusivity(&sim->def, id)};
        }
    }
    return count;
}

static BrumeStatus add_sources(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    brume_find_centers(sim);
    if (!brume_holds(sim, BRUME_VALID_PRESSURE)) { // air at rest
        brume_field_fill(&sim->fields[BRUME_FIELD_PRESSURE], 0.0f);
        brume_establish(sim, BRUME_VALID_PRESSURE);
    }
    brume_move_particles(sim, sim->fields, step->dt);
    return brume_stage_sources(step);
}

static BrumeStatus smooth(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    Quantity quantities[MAX_QUANTITIES];
    const int count = list_quantities(sim, quantities);
    brume_centers_take_changes(sim);
    for (int n = 0; n < count; n++) {
        BrumeField *x = quantities[n].field;
        BrumeField *result = &sim->scratch[0];
        const float a = brume_min_float(quantities[n].diffusivity * (float)step->dt / (sim->def.dx * sim->def.dx),
                                        LARGEST_SMOOTHING);
        if (!(a > 0.0f)) {
            continue;
        }
        brume_set_center_ghosts(sim, x);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= x->grid.nz; k++) {
            for (int j = 1; j <= x->grid.ny; j++) {
                for (int i = 1; i <= x->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(x, i, j, k);
                    const float *v = x->data + c;
                    const float sum = ((v[-1] + v[1]) + (v[-x->sy] + v[x->sy])) + (v[-x->sz] + v[x->sz]);
                    result->data[c] = v[0] + a * (sum - 6.0f * v[0]);
                }
            }
        }
        brume_field_swap(x, result);
    }
    return BRUME_OK;
}

// accelerates the air by the differences of its density
static BrumeStatus respond(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeField *p = &sim->fields[BRUME_FIELD_PRESSURE];
    const float dt = (float)step->dt;
    const float wave = sim->def.wave_speed * dt / sim->def.dx; // [cells]
    const float part = wave > LARGEST_WAVE ? (LARGEST_WAVE / wave) * (LARGEST_WAVE / wave) : 1.0f;
    const float factor = 0.5f * part * dt / sim->def.dx;
    brume_set_center_ghosts(sim, p);
    for (int axis = 0; axis < 3; axis++) {
        float *u = sim->previous[axis].data;
        const ptrdiff_t next = brume_stride(p, axis);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= p->grid.nz; k++) {
            for (int j = 1; j <= p->grid.ny; j++) {
                for (int i = 1; i <= p->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(p, i, j, k);
                    u[c] -= factor * (p->data[c + next] - p->data[c - next]);
                }
            }
        }
    }
    return BRUME_OK;
}

// sets the displacement [cells] in `seconds` [s] at the velocity of the centers
static void find_displacements(BrumeSim *sim, double seconds)
{
    const float cells_per_mps = (float)seconds / sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *to = &sim->advection->backward.along[axis];
        const float *u = sim->previous[axis].data;
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= to->grid.nz; k++) {
            for (int j = 1; j <= to->grid.ny; j++) {
                for (int i = 1; i <= to->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(to, i, j, k);
                    to->data[c] = cells_per_mps * u[c];
                }
            }
        }
    }
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT);
}

// the paths of a pass
typedef struct Paths {
    const float *displacement[3];
    float sign; // 1 forward, -1 to where the air comes from
    ptrdiff_t stride[3];
    int cells[3];
    bool periodic[3];
} Paths;

// the cells that the end of a path lies between, and their trilinear weights
typedef struct CellShares {
    ptrdiff_t entry[CORNERS];
    float share[CORNERS];
} CellShares;

static Paths paths_of(const BrumeSim *sim, float sign)
{
    Paths paths = {.sign = sign};
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *along = &sim->advection->backward.along[axis];
        paths.displacement[axis] = along->data;
        paths.stride[axis] = brume_stride(along, axis);
        paths.cells[axis] = brume_cells_along(along->grid, axis);
        paths.periodic[axis] = sim->def.faces[2 * axis].kind == BRUME_PERIODIC;
    }
    return paths;
}

// a position among the centers along an axis: not beyond the outermost, or wrapped; the first where it is NaN
static float confine(float position, int cells, bool periodic)
{
    const float n = (float)cells;
    if (periodic) {
        position -= position < 1.0f || position >= n + 1.0f ? n * floorf((position - 1.0f) / n) : 0.0f;
        return position >= 1.0f && position < n + 1.0f ? position : 1.0f;
    }
    return position > 1.0f ? brume_min_float(position, n) : 1.0f;
}

// the shares at the end of the path from the center of cell (i, j, k), which is entry c
static inline CellShares find_shares(const Paths *paths, int i, int j, int k, ptrdiff_t c)
{
    const int index[3] = {i, j, k};
    ptrdiff_t entry[3][2];
    float weight[3][2];
    for (int axis = 0; axis < 3; axis++) {
        const float at = confine((float)index[axis] + paths->sign * paths->displacement[axis][c], paths->cells[axis],
                                 paths->periodic[axis]);
        const int lower = (int)at;
        const int upper = lower < paths->cells[axis] ? lower + 1 : paths->periodic[axis] ? 1 : lower;
        entry[axis][0] = paths->stride[axis] * lower;
        entry[axis][1] = paths->stride[axis] * upper;
        weight[axis][1] = at - (float)lower;
        weight[axis][0] = 1.0f - weight[axis][1];
    }
    CellShares shares;
    for (int n = 0; n < CORNERS; n++) {
        shares.entry[n] = entry[0][n & 1] + entry[1][n >> 1 & 1] + entry[2][n >> 2];
        shares.share[n] = weight[0][n & 1] * weight[1][n >> 1 & 1] * weight[2][n >> 2];
    }
    return shares;
}

static void clear(BrumeField *field) { memset(field->data, 0, brume_grid_entries(field->grid) * sizeof(float)); }

// Moves what each cell has to the ends of the paths. Cells add to others, in the order of the grid: on one thread.
static void move_forward(BrumeSim *sim, const Quantity *quantities, int count)
{
    const Paths paths = paths_of(sim, 1.0f);
    BrumeField *to = &sim->scratch[MOVED];
    const BrumeGrid grid = to->grid;
    for (int n = 0; n < count; n++) {
        clear(&to[n]);
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(to, i, j, k);
                const CellShares shares = find_shares(&paths, i, j, k, c);
                for (int n = 0; n < count; n++) {
                    const float value = quantities[n].field->data[c];
                    for (int m = 0; m < CORNERS; m++) {
                        to[n].data[shares.entry[m]] += shares.share[m] * value;
                    }
                }
            }
        }
    }
}

// the sum of the shares that are taken of each cell; on one thread, likewise
static void add_taken(BrumeSim *sim)
{
    const Paths paths = paths_of(sim, -1.0f);
    BrumeField *taken = &sim->scratch[TAKEN];
    const BrumeGrid grid = taken->grid;
    clear(taken);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const CellShares shares = find_shares(&paths, i, j, k, brume_field_index(taken, i, j, k));
                for (int m = 0; m < CORNERS; m++) {
                    taken->data[shares.entry[m]] += shares.share[m];
                }
            }
        }
    }
}

// each cell takes its shares of what was moved forward, and has what is not taken of it
static void take_in_reverse(BrumeSim *sim, const Quantity *quantities, int count)
{
    const Paths paths = paths_of(sim, -1.0f);
    const BrumeField *from = &sim->scratch[MOVED];
    const BrumeField *taken = &sim->scratch[TAKEN];
    const BrumeGrid grid = taken->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(taken, i, j, k);
                const CellShares shares = find_shares(&paths, i, j, k, c);
                const float rest = brume_max_float(1.0f - taken->data[c], 0.0f);
                float parts[CORNERS];
                for (int m = 0; m < CORNERS; m++) {
                    parts[m] = shares.share[m] / brume_max_float(taken->data[shares.entry[m]], 1.0f);
                }
                for (int n = 0; n < count; n++) {
                    float sum = rest * from[n].data[c];
                    for (int m = 0; m < CORNERS; m++) {
                        sum += parts[m] * from[n].data[shares.entry[m]];
                    }
                    quantities[n].field->data[c] = sum;
                }
            }
        }
    }
}

// x = factor x + offset in all entries
static void convert(BrumeField *x, float factor, float offset)
{
    const ptrdiff_t count = (ptrdiff_t)brume_grid_entries(x->grid);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t c = 0; c < count; c++) {
        x->data[c] = factor * x->data[c] + offset;
    }
}

static void decay(BrumeSim *sim, double dt)
{
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeFieldId id = brume_scalar_id(scalar);
        const float factor = brume_decay_factor(&sim->def, id, dt);
        if (brume_has_scalar(sim, scalar) && factor < 1.0f) {
            convert(&sim->fields[id], factor, 0.0f);
        }
    }
    brume_budget_decayed(sim, dt);
}

static BrumeStatus advect(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    Quantity quantities[MAX_QUANTITIES];
    const int count = list_quantities(sim, quantities);
    const bool reverse = sim->def.accounting == BRUME_ACCOUNTING_FORWARD_REVERSE;
    const float square = sim->def.wave_speed * sim->def.wave_speed;
    find_displacements(sim, reverse ? 0.5 * step->dt : step->dt);
    convert(&sim->fields[BRUME_FIELD_PRESSURE], 1.0f / square, 1.0f); // to the density of the air
    if (reverse) {
        add_taken(sim);
    }
    for (int first = 0; first < count; first += BATCH) {
        const int batch = brume_min_int(BATCH, count - first);
        move_forward(sim, quantities + first, batch);
        if (reverse) {
            take_in_reverse(sim, quantities + first, batch);
        }
        for (int n = 0; !reverse && n < batch; n++) {
            brume_field_swap(quantities[first + n].field, &sim->scratch[MOVED + n]);
        }
    }
    convert(&sim->fields[BRUME_FIELD_PRESSURE], square, -square);
    decay(sim, step->dt);
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    brume_set_scalar_ghosts(sim);
    return BRUME_OK;
}

// reverses velocity towards a wall in the cells at it
static void reflect(BrumeSim *sim)
{
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const int axis = side / 2;
        BrumeField *u = &sim->previous[axis];
        if (sim->def.faces[side].kind != BRUME_WALL) {
            continue;
        }
        int inner;
        int outer;
        brume_other_axes(axis, &inner, &outer);
        const bool upper = side % 2 == 1;
        const ptrdiff_t first = brume_stride(u, axis) * (upper ? brume_cells_along(u->grid, axis) : 1);
        for (int b = 1; b <= brume_cells_along(u->grid, outer); b++) {
            for (int a = 1; a <= brume_cells_along(u->grid, inner); a++) {
                float *value = u->data + first + brume_stride(u, inner) * a + brume_stride(u, outer) * b;
                *value = upper ? -fabsf(*value) : fabsf(*value);
            }
        }
    }
}

static BrumeStatus finish(BrumeStep *step)
{
    reflect(step->sim);
    brume_centers_to_faces(step->sim);
    const BrumePressureResult none = {.converged = true};
    return brume_finish_projection(step, none);
}

// the length of a step follows from the displacement of waves too
static double least_speed(const BrumeSimDef *def)
{
    return (double)def->wave_speed * (double)def->cfl / (double)LARGEST_WAVE;
}

// what is not used, but for the projection of the initial velocity
static void replace_settings(BrumeSimDef *def)
{
    def->advection = "semi-lagrangian";
    def->transport = "accounting";
}

const BrumeIntegrator brume_integrator_practical = {
    .name = "practical",
    .stages =
        {
            {BRUME_STAGE_EMIT, add_sources},
            {BRUME_STAGE_FORCES, brume_stage_forces},
            {BRUME_STAGE_DIFFUSION, smooth},
            {BRUME_STAGE_PROJECTION, respond},
            {BRUME_STAGE_ADVECT_SCALARS, advect}, // velocity too
            {BRUME_STAGE_PROJECTION, finish},
        },
    .stage_count = 6,
    .replace_settings = replace_settings,
    .least_speed = least_speed,
};
