/*
 * Texture coordinates that follow the flow, for detail that is added to pictures (raymarch/detail.c). Each of two
 * layers has a field d [m], which leads from a point to where its air was when the layer started. Semi-Lagrangian
 * advection:
 *
 *     d(x, t + dt) = b + d(x + b, t)
 *
 * with b the backward displacement of the step by the midpoint rule. The displacement is stored, not the coordinate x +
 * d, because it is continuous across periodic sides and because equal values beyond an inflow are then the values of
 * air that came with the same velocity: a coordinate would be the same for all air that enters at a point.
 *
 * Where the flow deforms the air, the coordinates are deformed more and more; each layer therefore starts again from d
 * = 0 after a period (core/texture_layers.h). Linear interpolation suffices: d is smooth, and used for one period only.
 */
#include "sim/transport/texture.h"

#include "brume/sim.h"
#include "core/field.h"
#include "core/texture_layers.h"
#include "sim/boundary/geometry.h"
#include "sim/transport/path_ends.h"

#include <math.h>
#include <string.h>

// first of three scratch fields each: a layer that is advected; backward displacement by the velocity at the centers
enum { RESULTS = 0, DISPLACEMENTS = 3 };

void brume_restart_texture(BrumeSim *sim, double time)
{
    for (int n = 0; n < BRUME_TEXTURE_LAYERS && sim->def.texture_period > 0.0f; n++) {
        sim->texture_generation[n] = brume_texture_generation(time, (double)sim->def.texture_period, n);
    }
}

// the index of the cell that the ghost at index 0 or n + 1 repeats
static int inner_index(int index, int n, bool periodic)
{
    if (index >= 1 && index <= n) {
        return index;
    }
    const int adjacent = index < 1 ? 1 : n;
    return periodic ? n + 1 - adjacent : adjacent;
}

// sets the ghosts of plane k, 1 to nz
static void set_ghosts_of_plane(const BrumeSim *sim, BrumeField *field, int k)
{
    const bool *periodic = sim->geometry->cells.periodic;
    const BrumeGrid grid = field->grid;
    for (int j = 0; j < grid.ny + 2; j++) {
        const int stride = j == 0 || j == grid.ny + 1 ? 1 : grid.nx + 1; // all entries, or the two ends
        for (int i = 0; i < grid.nx + 2; i += stride) {
            field->data[brume_field_index(field, i, j, k)] = field->data[brume_field_index(
                field, inner_index(i, grid.nx, periodic[0]), inner_index(j, grid.ny, periodic[1]), k)];
        }
    }
}

// Makes three fields readable as far as `depth` planes beyond those of this rank. The ghosts beyond the sides along z
// are set where they are read, from planes that are there then.
static void set_ghosts(const BrumeSim *sim, BrumeField fields[3], int depth)
{
    const BrumeGrid grid = fields[0].grid;
    for (int n = 0; n < 3; n++) {
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            set_ghosts_of_plane(sim, &fields[n], k);
        }
    }
    brume_exchange_fields(fields, 3, depth);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k <= grid.nz + 1; k += grid.nz + 1) {
            const int inner = inner_index(k, grid.nz, sim->geometry->cells.periodic[2]);
            if (brume_is_near_plane(grid, k, depth) && brume_is_near_plane(grid, inner, depth)) {
                memcpy(fields[n].data + fields[n].sz * k, fields[n].data + fields[n].sz * inner,
                       (size_t)fields[n].sz * sizeof *fields[n].data);
            }
        }
    }
}

// a position among the entries of an axis: wrapped, or clamped to the outermost centers; NaN becomes the first
static float confine(float position, int n, bool periodic)
{
    const float length = (float)n;
    if (periodic) {
        position -= length * floorf((position - 0.5f) / length);
    }
    const float lower = periodic ? 0.5f : 1.0f;
    const float upper = periodic ? length + 0.5f : length;
    return position > lower ? (position < upper ? position : upper) : lower;
}

// trilinear values of three fields of one shape at a position among their entries
static void sample(const BrumeSim *sim, const BrumeField fields[3], const float at[3], float values[3])
{
    const bool *periodic = sim->geometry->cells.periodic;
    const BrumeField *shape = &fields[0];
    const float x = confine(at[0], shape->grid.nx, periodic[0]);
    const float y = confine(at[1], shape->grid.ny, periodic[1]);
    const float z = confine(at[2], shape->grid.nz, periodic[2]);
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const float fx = x - (float)i;
    const float fy = y - (float)j;
    const float fz = z - (float)k;
    // at the last center along an axis the next entry is a ghost
    const ptrdiff_t first = brume_field_index(shape, i, j, k);
    for (int n = 0; n < 3; n++) {
        const float *a = fields[n].data + first;
        float planes[2];
        for (int dk = 0; dk < 2; dk++, a += shape->sz) {
            const float lower = a[0] + fx * (a[1] - a[0]);
            const float upper = a[shape->sy] + fx * (a[shape->sy + 1] - a[shape->sy]);
            planes[dk] = lower + fy * (upper - lower);
        }
        values[n] = planes[0] + fz * (planes[1] - planes[0]);
    }
}

// Finds the displacement [cells] of a step against the velocity at the centers. Returns the largest one along z.
static double set_displacements(const BrumeSim *sim, const BrumeField velocity[3], float cells_per_mps,
                                BrumeField results[3])
{
    const BrumeGrid grid = results[0].grid;
    brume_exchange_field(&velocity[2], 1);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int n = 0; n < 3; n++) {
                const ptrdiff_t row = brume_field_index(&velocity[n], 1, j, k);
                const ptrdiff_t next = brume_stride(&velocity[n], n);
                const float *from = velocity[n].data + row;
                float *to = results[n].data + row;
                for (int i = 0; i < grid.nx; i++) {
                    to[i] = -0.5f * cells_per_mps * (from[i] + from[i + next]);
                }
            }
        }
    }
    const double longest = brume_longest_path(&results[2], sim->planes);
    set_ghosts(sim, results, brume_path_depth(grid, 0.5 * longest)); // they are read half a displacement away
    return longest;
}

// no path along z is longer than `longest` [cells]
static void advect_layer(BrumeSim *sim, BrumeField layer[3], const BrumeField displacements[3], double longest,
                         BrumeField results[3])
{
    const BrumeGrid grid = layer[0].grid;
    const float dx = sim->def.dx;
    set_ghosts(sim, layer, brume_path_depth(grid, longest));
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t cell = brume_field_index(&layer[0], i, j, k);
                const float center[3] = {(float)i, (float)j, (float)k};
                float at[3];
                float back[3];
                float coordinates[3];
                for (int n = 0; n < 3; n++) {
                    at[n] = center[n] + 0.5f * displacements[n].data[cell];
                }
                sample(sim, displacements, at, back);
                for (int n = 0; n < 3; n++) {
                    at[n] = center[n] + back[n];
                }
                sample(sim, layer, at, coordinates);
                for (int n = 0; n < 3; n++) {
                    results[n].data[cell] = dx * back[n] + coordinates[n];
                }
            }
        }
    }
    for (int n = 0; n < 3; n++) {
        brume_field_swap(&layer[n], &results[n]);
    }
}

static void restart_layer(BrumeField layer[3])
{
    for (int n = 0; n < 3; n++) {
        const int lowest = brume_lowest_plane(layer[n].grid);
        const int planes = brume_highest_plane(layer[n].grid) - lowest + 1;
        memset(layer[n].data + layer[n].sz * lowest, 0, (size_t)(layer[n].sz * planes) * sizeof(float));
    }
}

void brume_advect_texture(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    if (!(sim->def.texture_period > 0.0f)) {
        return;
    }
    BrumeField *displacements = &sim->scratch[DISPLACEMENTS];
    const double longest = set_displacements(sim, velocity, (float)dt / sim->def.dx, displacements);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        const int generation = brume_texture_generation(sim->time + dt, (double)sim->def.texture_period, n);
        if (generation != sim->texture_generation[n]) {
            restart_layer(sim->texture[n]);
            sim->texture_generation[n] = generation;
        } else {
            advect_layer(sim, sim->texture[n], displacements, longest, &sim->scratch[RESULTS]);
        }
    }
}
