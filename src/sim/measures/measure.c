/*
 * Integrals and extrema of a state. A cell has half of the volume around each face and a quarter of the volume around
 * each edge, so that sums over the fluid cells count faces and edges by the part of their volume in the air.
 *
 * Enstrophy: for a velocity u that is free of divergence, -u . lap u summed over the faces equals |curl u|^2 summed
 * over the edges, because the discrete Laplacian is grad div - curl curl. At a wall at rest the ghost is the mirrored
 * value, so that the vorticity on the wall is 2 u / dx and the weight of its edge 1/2: both sides of the equation hold
 * there.
 */
#include "brume/measures.h"
#include "core/domain.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/budget.h"
#include "sim/measures/measures_internal.h"
#include "sim/measures/sums.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 };

// the results of one plane, in the order of their rows in sim->planes: sums, then extrema
enum {
    CELLS,
    ENERGY,
    MOMENTUM = ENERGY + 3,
    ENSTROPHY = MOMENTUM + 3,
    TOTAL,
    SUM_COUNT = TOTAL + BRUME_SCALAR_COUNT,
    SQUARED_SPEED = SUM_COUNT,
    DIVERGENCE,
    LEAST,
    LARGEST = LEAST + BRUME_SCALAR_COUNT,
    VALUE_COUNT = LARGEST + BRUME_SCALAR_COUNT,
};
_Static_assert((int)VALUE_COUNT <= (int)BRUME_PLANE_VALUES, "sim->planes holds the results of all planes");

static int smaller(int a, int b) { return a < b ? a : b; }

static inline bool is_fluid(uint8_t flags) { return (flags & BRUME_CELL_FLUID) != 0; }

// the values of `count` cells of a row are added to `values` of the plane; `u` points to their lower faces
BRUME_KERNEL static void measure_component_row(double *values, int axis, const float *u, ptrdiff_t stride,
                                               const uint8_t *flags, int count)
{
    double energy[CHUNK];
    double momentum[CHUNK];
    for (int i = 0; i < count; i++) {
        const double lower = (double)u[i];
        const double upper = (double)u[i + stride];
        energy[i] = is_fluid(flags[i]) ? 0.25 * (lower * lower + upper * upper) : 0.0;
        momentum[i] = is_fluid(flags[i]) ? 0.5 * (lower + upper) : 0.0;
    }
    values[ENERGY + axis] += brume_sum_row(energy, count);
    values[MOMENTUM + axis] += brume_sum_row(momentum, count);
}

// the square of the difference of circulation around the edge at the lower corner of a cell, times dx^2
static inline double squared_curl(const float *b, const float *d, ptrdiff_t sb, ptrdiff_t sd)
{
    const double curl = ((double)d[0] - (double)d[-sb]) - ((double)b[0] - (double)b[-sd]);
    return curl * curl;
}

// the edges across two axes, of strides sb and sd, along which the components b and d lie; in cyclic order x, y, z
BRUME_KERNEL static double measure_enstrophy_row(const float *b, const float *d, ptrdiff_t sb, ptrdiff_t sd,
                                                 const uint8_t *flags, int count)
{
    double cells[CHUNK];
    for (int i = 0; i < count; i++) {
        const double low = squared_curl(b + i, d + i, sb, sd) + squared_curl(b + i + sb, d + i + sb, sb, sd);
        const double high =
            squared_curl(b + i + sd, d + i + sd, sb, sd) + squared_curl(b + i + sb + sd, d + i + sb + sd, sb, sd);
        cells[i] = is_fluid(flags[i]) ? 0.125 * (low + high) : 0.0;
    }
    return brume_sum_row(cells, count);
}

static inline double square(double a) { return a * a; }

BRUME_KERNEL static void measure_extrema_row(double *values, const float *u, const float *v, const float *w,
                                             ptrdiff_t sy, ptrdiff_t sz, const uint8_t *flags, int count)
{
    double speed = values[SQUARED_SPEED];
    double divergence = values[DIVERGENCE];
    for (int i = 0; i < count; i++) {
        const double u0 = (double)u[i];
        const double u1 = (double)u[i + 1];
        const double v0 = (double)v[i];
        const double v1 = (double)v[i + sy];
        const double w0 = (double)w[i];
        const double w1 = (double)w[i + sz];
        const double here = 0.25 * (square(u0 + u1) + square(v0 + v1) + square(w0 + w1));
        const double sum = fabs((u1 - u0) + (v1 - v0) + (w1 - w0));
        speed = is_fluid(flags[i]) && here > speed ? here : speed;
        divergence = is_fluid(flags[i]) && sum > divergence ? sum : divergence;
    }
    values[SQUARED_SPEED] = speed;
    values[DIVERGENCE] = divergence;
}

BRUME_KERNEL static void measure_scalar_row(double *values, int scalar, const float *s, const uint8_t *flags, int count)
{
    double cells[CHUNK];
    float least = (float)values[LEAST + scalar];
    float largest = (float)values[LARGEST + scalar];
    for (int i = 0; i < count; i++) {
        const bool fluid = is_fluid(flags[i]);
        cells[i] = fluid ? (double)s[i] : 0.0;
        least = fluid && s[i] < least ? s[i] : least;
        largest = fluid && s[i] > largest ? s[i] : largest;
    }
    values[TOTAL + scalar] += brume_sum_row(cells, count);
    values[LEAST + scalar] = (double)least;
    values[LARGEST + scalar] = (double)largest;
}

BRUME_KERNEL static double count_fluid_row(const uint8_t *flags, int count)
{
    int cells = 0;
    for (int i = 0; i < count; i++) {
        cells += is_fluid(flags[i]);
    }
    return cells;
}

static void measure_chunk(const BrumeSim *sim, double *values, ptrdiff_t c, int count)
{
    const BrumeField *velocity = sim->fields;
    const uint8_t *flags = sim->geometry->cells.flags + c;
    values[CELLS] += count_fluid_row(flags, count);
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const int last = (axis + 2) % 3;
        measure_component_row(values, axis, velocity[axis].data + c, brume_stride(&velocity[axis], axis), flags, count);
        values[ENSTROPHY] +=
            measure_enstrophy_row(velocity[next].data + c, velocity[last].data + c, brume_stride(velocity, next),
                                  brume_stride(velocity, last), flags, count);
    }
    measure_extrema_row(values, velocity[0].data + c, velocity[1].data + c, velocity[2].data + c, velocity->sy,
                        velocity->sz, flags, count);
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        measure_scalar_row(values, scalar, sim->fields[brume_scalar_id(scalar)].data + c, flags, count);
    }
}

static double largest_cut_divergence(const BrumeSim *sim, int j, int k)
{
    double largest = 0.0;
    for (int i = 1; i <= sim->fields[0].grid.nx; i++) {
        largest = brume_fmax((double)fabsf(brume_cut_divergence(sim, i, j, k)), largest);
    }
    return largest;
}

static void measure_plane(const BrumeSim *sim, int k)
{
    const BrumeGrid grid = sim->fields[0].grid;
    double values[VALUE_COUNT] = {0.0}; // the sums are those of the present block of rows
    double sums[SUM_COUNT] = {0.0};
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        values[LEAST + scalar] = (double)INFINITY;
        values[LARGEST + scalar] = -(double)INFINITY;
    }
    for (int j = 1; j <= grid.ny; j++) {
        if (j % BRUME_SUM_ROWS == 1) {
            brume_move_sums(values, sums, SUM_COUNT);
        }
        const double divergence = values[DIVERGENCE];
        for (int first = 1; first <= grid.nx; first += CHUNK) {
            const int count = smaller(grid.nx - first + 1, CHUNK);
            measure_chunk(sim, values, brume_field_index(&sim->fields[0], first, j, k), count);
        }
        if (brume_cells_row_is_cut(&sim->geometry->cells, j, k)) {
            values[DIVERGENCE] = brume_fmax(largest_cut_divergence(sim, j, k), divergence);
        }
    }
    brume_move_sums(values, sums, SUM_COUNT);
    for (int n = 0; n < VALUE_COUNT; n++) {
        sim->planes[n * (grid.nz + 2) + k] = n < SUM_COUNT ? sums[n] : values[n];
    }
}

static double *plane_values(const BrumeSim *sim, int n) { return sim->planes + n * (sim->def.nz + 2); }

static double sum_of(const BrumeSim *sim, int n) { return brume_sum_planes(sim->fields[0].grid, plane_values(sim, n)); }

static double max_of(const BrumeSim *sim, int n) { return brume_max_planes(sim->fields[0].grid, plane_values(sim, n)); }

static double min_of(const BrumeSim *sim, int n)
{
    double *planes = plane_values(sim, n);
    brume_gather_planes(sim->fields[0].grid, planes, sizeof *planes);
    double min = planes[1];
    for (int k = 2; k <= sim->def.nz; k++) {
        min = planes[k] < min ? planes[k] : min;
    }
    return min;
}

static void measure_cells(const BrumeSim *sim, BrumeMeasures *measures)
{
    const double dx = (double)sim->def.dx;
    const double volume = brume_cell_volume(sim);
    const BrumeGrid grid = sim->fields[0].grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        measure_plane(sim, k);
    }
    measures->volume = sum_of(sim, CELLS) * volume;
    for (int axis = 0; axis < 3; axis++) {
        measures->kinetic_energy_along[axis] = sum_of(sim, ENERGY + axis) * volume;
        measures->kinetic_energy += measures->kinetic_energy_along[axis];
        measures->momentum[axis] = sum_of(sim, MOMENTUM + axis) * volume;
    }
    const bool has_air = measures->volume > 0.0;
    measures->mean_kinetic_energy = has_air ? measures->kinetic_energy / measures->volume : 0.0;
    measures->enstrophy = sum_of(sim, ENSTROPHY) / (dx * dx) * volume;
    measures->max_speed = sqrt(max_of(sim, SQUARED_SPEED));
    measures->max_divergence = max_of(sim, DIVERGENCE) / dx;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        BrumeScalarMeasures *own = &measures->scalars[scalar];
        own->in_use = brume_has_scalar(sim, scalar);
        if (!own->in_use) {
            continue;
        }
        own->total = sum_of(sim, TOTAL + scalar) * volume;
        own->min = has_air ? min_of(sim, LEAST + scalar) : 0.0;
        own->max = has_air ? max_of(sim, LARGEST + scalar) : 0.0;
        own->budget = brume_budget_of(sim, scalar, own->total);
    }
    measures->fire = sim->fire;
    if (brume_has_fuel(&sim->def)) { // sim->planes has served above
        BrumeScalarMeasures *heat = &measures->scalars[0];
        heat->total = brume_total(sim, BRUME_FIELD_TEMPERATURE);
        heat->budget = brume_budget_of(sim, 0, heat->total);
    }
}

void brume_set_measured_ghosts(BrumeSim *sim)
{
    if (!brume_holds(sim, BRUME_VALID_VELOCITY)) {
        brume_set_velocity_boundary(sim);
    }
    if (!brume_holds(sim, BRUME_VALID_SCALAR_GHOSTS)) {
        brume_set_scalar_ghosts(sim);
    }
}

void brume_sim_measure(BrumeSim *sim, BrumeMeasures *measures)
{
    memset(measures, 0, sizeof *measures); // padding too: equal measures have equal bytes
    measures->frame = sim->frames;
    measures->time = sim->time;
    brume_set_measured_ghosts(sim);
    measure_cells(sim, measures);
    brume_measure_faces(sim, measures);
    brume_measure_bodies(sim, measures);
}

const char *brume_scalar_name(int scalar)
{
    static const char *const names[BRUME_SCALAR_COUNT] = {"temperature", "density", "color_1", "color_2",
                                                          "color_3",     "fuel",    "mixture"};
    return names[scalar];
}
