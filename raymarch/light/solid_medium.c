// Solids on a coarse grid: which cells they fill, and the medium there.
#include "core/elementary.h"
#include "raymarch/light/scattered_light_internal.h"
#include "raymarch/light/solid_surface.h"

#include <math.h>
#include <string.h>

enum {
    INNER_LAYERS = 2, // of cells behind surface cells
    PROBE_STEPS = 3,  // furthest open cell in front of a surface
    WALL_STEPS = 3,   // furthest surface cell behind that of a wall
};

static const float deepest = 6.0f;         // optical depth of a cell inside a solid
static const float deepest_of_wall = 8.0f; // of a cell at the surface of a thin wall, which nothing shines through

// optical depth -factor ln(1 - blocked), at most `most`, of a cell of which solids fill or shadow the fraction
// `blocked`
static float depth_of(float factor, float most, float blocked)
{
    return blocked > 0.98f ? most : brume_min(-factor * brume_lnf(1.0f - blocked), most);
}

// 1 / (sum over the ordinates of weight times cosine of the angle of incidence on a surface)
static float inverse_cosine_sum(BrumeVec3 normal)
{
    float sum = 0.0f;
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        const BrumeOrdinate ordinate = brume_ordinate(n);
        sum += ordinate.weight * brume_max(-brume_dot(ordinate.direction, normal), 0.0f);
    }
    return 1.0f / sum;
}

static BrumeVec3 load_color(const BrumeField fields[3], ptrdiff_t n)
{
    return brume_vec3(fields[0].data[n], fields[1].data[n], fields[2].data[n]);
}

static void set_color(BrumeField fields[3], ptrdiff_t n, BrumeVec3 color)
{
    fields[0].data[n] = color.x;
    fields[1].data[n] = color.y;
    fields[2].data[n] = color.z;
}

static BrumeVec3 divide_colors(BrumeVec3 a, BrumeVec3 b)
{
    return brume_vec3(b.x > 0.0f ? a.x / b.x : 0.0f, b.y > 0.0f ? a.y / b.y : 0.0f, b.z > 0.0f ? a.z / b.z : 0.0f);
}

// adds a solid of this extinction to the smoke of a surface cell
static void add_to_medium(BrumeTransportGrid *grid, BrumeSurfaceCell *surface, float extinction)
{
    const ptrdiff_t n = surface->cell;
    const BrumeVec3 solid = {extinction, extinction, extinction};
    const BrumeVec3 smoke = load_color(grid->extinction, n);
    const BrumeVec3 total = brume_add(smoke, solid);
    const BrumeVec3 smoke_scattering = brume_mul(smoke, load_color(grid->albedo, n));
    const BrumeVec3 solid_scattering = brume_mul(solid, surface->albedo);
    const BrumeVec3 scattering = brume_add(smoke_scattering, solid_scattering);
    const BrumeVec3 direct = brume_add(brume_mul(smoke_scattering, load_color(grid->direct, n)),
                                       brume_mul(solid_scattering, surface->direct));
    set_color(grid->direct, n, divide_colors(direct, scattering));
    set_color(grid->glow, n, divide_colors(brume_mul(smoke, load_color(grid->glow, n)), total));
    set_color(grid->albedo, n, divide_colors(scattering, total));
    set_color(grid->extinction, n, total);
    surface->share = divide_colors(solid, total);
}

static void fill_with_solid(BrumeTransportGrid *grid, ptrdiff_t n, float extinction, BrumeVec3 albedo, BrumeVec3 direct)
{
    set_color(grid->extinction, n, brume_vec3(extinction, extinction, extinction));
    set_color(grid->albedo, n, albedo);
    set_color(grid->direct, n, direct);
    set_color(grid->glow, n, brume_vec3(0.0f, 0.0f, 0.0f));
}

static bool is_in_grid(BrumeGrid cells, const int at[3])
{
    return at[0] >= 1 && at[1] >= 1 && at[2] >= 1 && at[0] <= cells.nx && at[1] <= cells.ny && at[2] <= cells.nz;
}

// the cell a number of steps of one cell from another one, along the largest component of a direction; false outside
static bool step_along(BrumeGrid cells, const int from[3], BrumeVec3 direction, int steps, int to[3])
{
    const float largest = brume_max(fabsf(direction.x), brume_max(fabsf(direction.y), fabsf(direction.z)));
    const float length = (float)steps / largest;
    to[0] = from[0] + (int)floorf(direction.x * length + 0.5f);
    to[1] = from[1] + (int)floorf(direction.y * length + 0.5f);
    to[2] = from[2] + (int)floorf(direction.z * length + 0.5f);
    return is_in_grid(cells, to);
}

// The open cell before a side of the surface, from the `filled` of all cells, or BRUME_OUTSIDE_BOX. False where there
// is none.
static bool find_probe(BrumeSurfaceCell *surface, int side, const BrumeTransportGrid *grid, const BrumeField *filled)
{
    int at[3];
    brume_entry_indices(surface->cell, filled->sy, filled->sz, at);
    const BrumeVec3 n = brume_scale(surface->normal, side == 0 ? 1.0f : -1.0f);
    for (int step = 1; step <= PROBE_STEPS; step++) {
        int probe[3];
        if (!step_along(filled->grid, at, n, step, probe)) {
            surface->probe[side][0] = BRUME_OUTSIDE_BOX;
            surface->probe[side][1] = BRUME_OUTSIDE_BOX;
            return true;
        }
        const ptrdiff_t index = brume_field_index(filled, probe[0], probe[1], probe[2]);
        if (filled->data[index] < 0.3f) {
            surface->probe[side][0] = (int)index;
            surface->probe[side][1] =
                (int)brume_field_index(&grid->transposed_extinction[0], probe[2], probe[1], probe[0]);
            return true;
        }
    }
    return false;
}

// Sets probes and open neighbors; sides without a probe receive no light.
static void find_surroundings(BrumeSurfaceCell *surface, const BrumeTransportGrid *grid, const BrumeField *filled)
{
    int at[3];
    brume_entry_indices(surface->cell, filled->sy, filled->sz, at);
    for (int n = 0; n < 27; n++) {
        const int near[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        const bool open =
            is_in_grid(filled->grid, near) && filled->data[brume_field_index(filled, near[0], near[1], near[2])] < 0.1f;
        surface->open |= open ? UINT32_C(1) << n : 0;
    }
    for (int side = 0; side < 2; side++) {
        if (!(surface->weight[side] > 0.0f) || !find_probe(surface, side, grid, filled)) {
            surface->weight[side] = 0.0f;
        }
    }
}

static bool are_opposite(BrumeVec3 a, BrumeVec3 b) { return brume_dot(a, b) < -0.5f; }

// Whether the surface on the other side of a wall is at most three cells behind a surface cell; `nearest` as in
// add_inner_layer.
static bool is_of_thin_wall(const BrumeSolidCells *solids, const BrumeSurfaceCell *surface, const BrumeField *nearest)
{
    int at[3];
    brume_entry_indices(surface->cell, nearest->sy, nearest->sz, at);
    const BrumeVec3 inward = brume_scale(surface->normal, -1.0f);
    int behind[3];
    for (int step = 1; step <= WALL_STEPS && step_along(nearest->grid, at, inward, step, behind); step++) {
        const int entry = (int)nearest->data[brume_field_index(nearest, behind[0], behind[1], behind[2])];
        if (entry > 0 && are_opposite(surface->normal, solids->surface[entry - 1].normal)) {
            return true;
        }
    }
    return false;
}

// Lists cells inside solids next to the cells in `nearest`, which is the index of a surface cell, plus 1, or
// 0. Of several neighbors, the one whose surface faces away from the cell is taken; of surfaces on both sides of a
// wall, the one that hides the cell less: the other side is not to see its light.
static void add_inner_layer(BrumeSolidCells *solids, const BrumeField *filled, BrumeField *nearest)
{
    const BrumeGrid cells = filled->grid;
    const int first = solids->inner_count;
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t cell = brume_field_index(filled, i, j, k);
                if (filled->data[cell] < 1.0f || nearest->data[cell] > 0.0f) {
                    continue;
                }
                float best = -INFINITY;
                int surface = -1;
                bool is_between = false;
                for (int n = 0; n < 27; n++) {
                    const int near[3] = {i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1};
                    const float entry = nearest->data[brume_field_index(nearest, near[0], near[1], near[2])];
                    if (!is_in_grid(cells, near) || !(entry > 0.0f)) {
                        continue;
                    }
                    const BrumeVec3 offset =
                        brume_normalize(brume_vec3((float)(near[0] - i), (float)(near[1] - j), (float)(near[2] - k)));
                    const BrumeSurfaceCell *found = &solids->surface[(int)entry - 1];
                    const float cosine = brume_dot(offset, found->normal);
                    is_between = is_between || (cosine > 0.5f && best > 0.5f &&
                                                are_opposite(found->normal, solids->surface[surface].normal));
                    if (is_between ? cosine > 0.5f && found->filled < solids->surface[surface].filled : cosine > best) {
                        best = cosine;
                        surface = (int)entry - 1;
                    }
                }
                if (surface >= 0 && solids->inner_count < solids->capacity) {
                    solids->inner[solids->inner_count++] = (BrumeInnerCell){(int)cell, surface, is_between};
                }
            }
        }
    }
    for (int n = first; n < solids->inner_count; n++) {
        nearest->data[solids->inner[n].cell] = (float)(solids->inner[n].surface + 1);
    }
}

// Sets the filled fraction of all cells: 1 inside solids, 0 outside, and 1/4 or 3/4 where a surface may cross the cell,
// by the side of its center. Lists the cells that surfaces may cross.
static void classify(BrumeSolidCells *solids, const BrumeSolidGrid *geometry, BrumeField *filled)
{
    const float crossed[2] = {0.25f, 0.75f}; // by whether the center is inside
    const BrumeGrid cells = filled->grid;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            for (int i = 0; i < cells.nx; i++) {
                bool inside;
                const BrumeVec3 center = brume_solid_grid_center(geometry, i, j, k);
                const BrumeSolidCellKind kind = brume_solid_cell_kind(geometry, center, &inside);
                filled->data[brume_field_index(filled, i + 1, j + 1, k + 1)] = kind == BRUME_CELL_INSIDE ? 1.0f
                                                                               : kind == BRUME_CELL_CROSSED
                                                                                   ? crossed[inside ? 1 : 0]
                                                                                   : 0.0f;
            }
        }
    }
    solids->surface_count = 0;
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(filled, i, j, k);
                if (filled->data[n] == 0.0f || filled->data[n] == 1.0f) {
                    continue;
                }
                if (solids->surface_count < solids->capacity) {
                    solids->surface[solids->surface_count++].cell = (int)n;
                } else {
                    filled->data[n] = filled->data[n] > 0.5f ? 1.0f : 0.0f; // more surface than can be listed
                }
            }
        }
    }
}

// fills the n-th surface cell but for its surroundings; cells without a surface have the area 0
static void measure_surface(BrumeSurfaceCell *surface, const BrumeSolidGrid *geometry,
                            const BrumeIncidentLight *sources, const BrumeField *shape)
{
    int at[3];
    brume_entry_indices(surface->cell, shape->sy, shape->sz, at);
    const BrumeCellSurface found =
        brume_surface_in_cell(geometry, sources, brume_solid_grid_center(geometry, at[0] - 1, at[1] - 1, at[2] - 1));
    const float thin = brume_max(found.thin[0], brume_max(found.thin[1], found.thin[2]));
    *surface = (BrumeSurfaceCell){.cell = surface->cell};
    surface->filled = brume_min(brume_max(found.inside, thin), 0.999f); // cells without a surface have 1
    // sweeps interpolate the extinction between cells, which widens solids: with a factor of 2, half of the light of
    // one side would be left in the middle of a cell that is half full, but spheres be wider by half a cell
    surface->depth = brume_max(depth_of(0.4f, deepest, found.inside), depth_of(2.0f, deepest, thin));
    const bool exchanged = found.back.area > found.front.area;
    const BrumeSurfaceSide front = exchanged ? found.back : found.front;
    const BrumeSurfaceSide back = exchanged ? found.front : found.back;
    const float area = front.area + back.area;
    const BrumeVec3 sum = brume_sub(front.normal, back.normal);
    const float length = brume_length(sum);
    if (!(length > 0.0f)) {
        return; // nothing crosses it, so no light falls onto it
    }
    surface->normal = brume_scale(sum, 1.0f / length);
    surface->per_cosine = inverse_cosine_sum(surface->normal);
    surface->weight[0] = front.area / area;
    surface->weight[1] = back.area / area;
    surface->albedo = brume_scale(brume_add(front.albedo, back.albedo), 1.0f / area);
    // both sides of a thin plate reflect the mean of their light: sunlight would shine through
    const float one_sided = surface->weight[0] - surface->weight[1];
    surface->direct = brume_scale(brume_add(front.direct, back.direct), one_sided / area);
}

void brume_add_solids(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                      const BrumeIncidentLight *sources)
{
    BrumeSolidCells *solids = &grid->solids;
    solids->surface_count = 0;
    solids->inner_count = 0;
    if (settings->surface_count == 0) {
        return;
    }
    BrumeField *filled = &grid->next[0]; // scratch before the first sweep
    BrumeField *nearest = &grid->next[1];
    const BrumeSolidGrid geometry = brume_solid_grid(grid, medium, settings);
    const float per_depth = 3.0f / (grid->cell.x + grid->cell.y + grid->cell.z);
    classify(solids, &geometry, filled);
#pragma omp parallel for schedule(dynamic, 16)
    for (int n = 0; n < solids->surface_count; n++) {
        measure_surface(&solids->surface[n], &geometry, sources, filled);
    }
    int count = 0;
    for (int n = 0; n < solids->surface_count; n++) {
        const BrumeSurfaceCell surface = solids->surface[n];
        const bool crossed = surface.weight[0] > 0.0f; // otherwise it is wholly inside or outside
        const bool present = crossed && surface.filled > 1e-3f;
        filled->data[surface.cell] = present ? surface.filled : !crossed && surface.filled > 0.5f ? 1.0f : 0.0f;
        if (present) {
            solids->surface[count++] = surface;
        }
    }
    solids->surface_count = count;
    memset(nearest->data, 0, brume_grid_entries(nearest->grid) * sizeof(float));
    for (int n = 0; n < solids->surface_count; n++) {
        nearest->data[solids->surface[n].cell] = (float)(n + 1);
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < solids->surface_count; n++) {
        BrumeSurfaceCell *surface = &solids->surface[n];
        find_surroundings(surface, grid, filled);
        // not where smoke glows, whose light has its moments in the surface cells themselves
        if (!medium->glows && is_of_thin_wall(solids, surface, nearest)) {
            surface->depth = depth_of(8.0f, deepest_of_wall, surface->filled);
        }
        add_to_medium(grid, surface, per_depth * surface->depth);
    }
    const BrumeGrid cells = filled->grid;
    const BrumeVec3 dark = {0};
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(filled, i, j, k);
                if (filled->data[n] == 1.0f) {
                    fill_with_solid(grid, n, deepest * per_depth, dark, dark);
                }
            }
        }
    }
    for (int layer = 0; layer < INNER_LAYERS; layer++) {
        add_inner_layer(solids, filled, nearest);
    }
    for (int n = 0; n < solids->inner_count; n++) {
        const BrumeSurfaceCell *surface = &solids->surface[solids->inner[n].surface];
        fill_with_solid(grid, solids->inner[n].cell, deepest * per_depth, surface->albedo,
                        solids->inner[n].is_between ? dark : surface->direct);
    }
}
