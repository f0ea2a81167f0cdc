/*
 * Active blocks: blocks in which the velocity has vorticity, or in which temperature or smoke make a force, and blocks
 * that air from them reaches. A component of the vorticity belongs to an edge of a cell, where it is the circulation
 * around the edge through the four faces at it, over the area of a cell face.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/advection/sampling.h"
#include "sim/boundary/extrapolation.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/inflow.h"
#include "sim/settings/settings.h"
#include "sim/state/emitter_samples.h"

#include <math.h>
#include <string.h>

enum { SIDE = BRUME_ACTIVE_SIDE, MOST_SCALARS = BRUME_FIELD_COUNT - BRUME_FIELD_TEMPERATURE };

// sets `dilated` to the blocks with an entry within `bounds` and `more` entries of an entry of a block of `active`
static void dilate_blocks(const BrumeSim *sim, const uint8_t *active, const int bounds[3], int more, uint8_t *dilated)
{
    const int distance[3] = {bounds[0] + more, bounds[1] + more, bounds[2] + more};
    const BrumeCells *cells = &sim->geometry->cells;
    const size_t count = brume_grid_cells(brume_active_grid(cells->grid));
    for (size_t n = 0; n < count; n++) {
        dilated[n] = active[n] != 0;
    }
    brume_dilate_marks(cells->grid, cells->periodic, 0, distance, dilated);
}

// a row of cells: its entries of the velocity and the scalars
typedef struct SearchRow {
    const float *u, *v, *w;
    ptrdiff_t sy, sz;
    const float *scalars[MOST_SCALARS]; // of those that make a force
    float scalar_limits[MOST_SCALARS];
    int scalar_count;
    float limit;  // of the vorticity times dx [m/s]
    int faces[3]; // of each component that count for its largest value
} SearchRow;

// whether any of `count` cells from `first` on has a value above its limit: the vorticity at its lower edges, a scalar
BRUME_INLINE bool is_active(const SearchRow *row, int first, int count)
{
    int32_t any = 0;
    for (int i = first; i < first + count; i++) {
        const float x = (row->w[i] - row->w[i - row->sy]) - (row->v[i] - row->v[i - row->sz]);
        const float y = (row->u[i] - row->u[i - row->sz]) - (row->w[i] - row->w[i - 1]);
        const float z = (row->v[i] - row->v[i - 1]) - (row->u[i] - row->u[i - row->sy]);
        any |= fabsf(x) > row->limit || fabsf(y) > row->limit || fabsf(z) > row->limit;
    }
    for (int n = 0; n < row->scalar_count; n++) {
        for (int i = first; i < first + count; i++) {
            any |= fabsf(row->scalars[n][i]) > row->scalar_limits[n];
        }
    }
    return any != 0;
}

// marks blocks of a row of `count` cells; `largest`: the bits of the largest absolute values of the components so far
BRUME_KERNEL static void search_row(uint8_t *restrict active, int32_t largest[3], const SearchRow *row, int count)
{
    largest[0] = brume_max_bits_row(row->u, row->faces[0], largest[0]);
    largest[1] = brume_max_bits_row(row->v, row->faces[1], largest[1]);
    largest[2] = brume_max_bits_row(row->w, row->faces[2], largest[2]);
    const int blocks = (count + SIDE - 1) / SIDE;
    for (int a = 0; a < blocks; a++) {
        const int first = SIDE * a;
        if (!active[a]) {
            active[a] = count - first >= SIDE ? is_active(row, first, SIDE) : is_active(row, first, count - first);
        }
    }
}

// marks the blocks of the cells of a box and as far as `around` cells, and those next to them
static void mark_cells(BrumeGrid cells, const BrumeIndexBox *box, int around, uint8_t *marks)
{
    int from[3];
    int to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = brume_block_along(box->from[axis] - around - SIDE, brume_cells_along(cells, axis));
        to[axis] = brume_block_along(box->to[axis] + around + SIDE, brume_cells_along(cells, axis));
    }
    const BrumeGrid blocks = brume_active_grid(cells);
    for (int c = from[2]; c <= to[2]; c++) {
        for (int b = from[1]; b <= to[1]; b++) {
            for (int a = from[0]; a <= to[0]; a++) {
                marks[(size_t)a + (size_t)blocks.nx * ((size_t)b + (size_t)blocks.ny * (size_t)c)] = 1;
            }
        }
    }
}

// the sources of a step act at its end, before they are found
static void mark_sources(const BrumeSim *sim, uint8_t *marks)
{
    const BrumeGrid cells = sim->geometry->cells.grid;
    for (int n = 0; n < sim->def.emitter_count; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n];
        for (int end = 0; end < 2 && sim->time <= (double)emitter->end; end++) {
            BrumeShape shape = brume_emitter_shape(&sim->def, n);
            brume_set_shape_samples(sim, n, end == 1, &shape);
            const BrumeIndexBox box = brume_cells_overlapping(&sim->def, &shape);
            mark_cells(cells, &box, (int)ceilf(brume_emitter_reach(emitter) / sim->def.dx), marks);
        }
    }
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        if (brume_inflow_brings_scalars(&sim->def.faces[side])) {
            BrumeIndexBox box = {{1, 1, 1}, {cells.nx, cells.ny, cells.nz}};
            *(side % 2 ? &box.from[side / 2] : &box.to[side / 2]) = side % 2 ? box.to[side / 2] : 1;
            mark_cells(cells, &box, 0, marks);
        }
    }
}

// the buoyancy of a unit of a scalar [m/s^2]
static float force_of(const BrumeSim *sim, BrumeFieldId id)
{
    const float gravity = brume_length(sim->def.gravity);
    return id == BRUME_FIELD_TEMPERATURE ? gravity * fabsf(sim->def.thermal_expansion)
           : id >= BRUME_FIELD_FUEL
               ? 0.0f
               : gravity * fabsf(brume_smoke_weight(&sim->def, (int)id - (int)BRUME_FIELD_DENSITY));
}

void brume_search_active_blocks(BrumeSim *sim, float limit, float acceleration, double speeds[3])
{
    const BrumeGrid cells = sim->geometry->cells.grid;
    uint8_t *found = sim->advection->found;
    const BrumeGrid blocks = brume_active_grid(cells);
    memset(found, 0, brume_grid_cells(blocks));
    mark_sources(sim, found);
    int32_t largest[3] = {0};
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int c = brume_first_layer(cells, SIDE); c <= brume_last_layer(cells, SIDE); c++) {
        // the last block along an axis has the edges on the upper side of the box too
        const int to_k = c == blocks.nz - 1 ? cells.nz + 1 : SIDE * (c + 1);
        for (int k = SIDE * c + 1; k <= to_k; k++) {
            for (int j = 1; j <= cells.ny + 1; j++) {
                const ptrdiff_t at = brume_field_index(&sim->fields[0], 1, j, k);
                SearchRow row = {
                    .u = sim->fields[BRUME_FIELD_U].data + at,
                    .v = sim->fields[BRUME_FIELD_V].data + at,
                    .w = sim->fields[BRUME_FIELD_W].data + at,
                    .sy = sim->fields[0].sy,
                    .sz = sim->fields[0].sz,
                    .limit = limit,
                    .faces = {j <= cells.ny && k <= cells.nz ? cells.nx + 1 : 0, k <= cells.nz ? cells.nx : 0,
                              j <= cells.ny ? cells.nx : 0},
                };
                for (int id = BRUME_FIELD_TEMPERATURE; j <= cells.ny && k <= cells.nz && id < BRUME_FIELD_COUNT; id++) {
                    const float force = force_of(sim, (BrumeFieldId)id);
                    if (sim->fields[id].data && force > 0.0f) {
                        row.scalar_limits[row.scalar_count] = acceleration / force;
                        row.scalars[row.scalar_count++] = sim->fields[id].data + at;
                    }
                }
                search_row(found + brume_active_block(cells, 1, j, k), largest, &row, cells.nx);
            }
        }
    }
    brume_gather_layers(cells, SIDE, false, found, (size_t)blocks.nx * (size_t)blocks.ny);
    brume_largest_of_ranks(cells, largest, 3);
    for (int axis = 0; axis < 3; axis++) {
        speeds[axis] = (double)brume_float_of_bits(largest[axis]);
    }
}

void brume_level_blocks(BrumeSim *sim, const double speeds[3], double cells_per_mps)
{
    BrumeAdvection *advection = sim->advection;
    const BrumeGrid blocks = brume_active_grid(sim->geometry->cells.grid);
    const size_t count = brume_grid_cells(blocks);
    int bounds[3];
    for (int axis = 0; axis < 3; axis++) {
        bounds[axis] = brume_displacement_bound(speeds[axis] * cells_per_mps);
    }
    uint8_t *around = advection->fresh;
    dilate_blocks(sim, advection->found, bounds, 1, advection->active);
    // arrival points, the entries around them, and the layers that entries inside bodies are extrapolated from
    dilate_blocks(sim, advection->active, bounds, 1 + BRUME_EXTRAPOLATION_LAYERS, advection->margin);
    dilate_blocks(sim, advection->margin, bounds, 2 + BRUME_EXTRAPOLATION_LAYERS, around);
    memset(advection->highest, BRUME_LEVEL_IDLE, count / (size_t)blocks.nx);
    for (size_t n = 0; n < count; n++) {
        const uint8_t level = (uint8_t)(around[n] + advection->margin[n] + advection->active[n]);
        uint8_t *highest = &advection->highest[n / (size_t)blocks.nx];
        advection->levels[n] = level;
        *highest = level > *highest ? level : *highest;
    }
}

BrumeBlockSet brume_blocks_of_levels(const BrumeSim *sim, int least, int most)
{
    return (BrumeBlockSet){sim->advection->levels, sim->advection->highest, (uint8_t)least, (uint8_t)most};
}
