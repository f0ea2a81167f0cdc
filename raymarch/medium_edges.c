#include "raymarch/medium_edges.h"

#include "core/elementary.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <stdbool.h>
#include <string.h>

// the weight in [0, 1] by which the n-th cell (1 to `cells`) along one axis fades; `fade` is the width [cells]
static float axis_weight(uint32_t faces, int axis, int n, int cells, float fade)
{
    float weight = 1.0f;
    for (int end = 0; end < 2; end++) {
        if (faces >> (2 * axis + end) & 1) {
            const float distance = end == 0 ? (float)n - 0.5f : (float)(cells - n) + 0.5f;
            const float t = brume_min(distance / fade, 1.0f);
            weight *= t * t * (3.0f - 2.0f * t);
        }
    }
    return weight;
}

static const float DEPTH = 3.0f; // of smoke that fades [widths of the fade]

/*
 * The factor of an extinction. Dense smoke stays opaque until little of it is left: the smoothstep `share` applies to
 * the opacity 1 - exp(-depth) of smoke that is DEPTH times as deep as the fade is wide, so that smoke of any density
 * fades over that width. For thin smoke the factor is the share itself.
 */
static float fading_factor(float share, float depth)
{
    if (share <= 0.0f || depth < 1e-3f) {
        return share;
    }
    const double opacity = 1.0 - brume_exp(-(double)depth);
    return (float)(-brume_ln(1.0 - (double)share * opacity) / (double)depth);
}

static void scale_cell(const BrumeMediumCells *medium, ptrdiff_t cell, float weight)
{
    medium->extinction->data[cell] *= weight;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS && medium->kinds != NULL; kind++) {
        medium->kinds[BRUME_VOLUME_KINDS * cell + kind] *= weight;
    }
}

// the fading faces that are sides of the medium too, to a few cells: where a box is rounded to whole cells, its sides
// differ by less, and windows end at a side of the box or farther away (sim/far)
static uint32_t faces_of_medium(const BrumeMediumCells *medium, const BrumeRenderSettings *settings)
{
    const float tolerance = 6.0f * medium->dx;
    uint32_t faces = settings->fading_faces;
    for (int axis = 0; axis < 3; axis++) {
        const float box[2] = {brume_component(settings->box_lower, axis), brume_component(settings->box_upper, axis)};
        const float lower = brume_component(medium->origin, axis);
        const float side[2] = {lower, lower + medium->dx * (float)brume_cells_along(medium->extinction->grid, axis)};
        for (int upper = 0; upper < 2 && box[1] > box[0]; upper++) {
            const bool ends_there = fabsf(side[upper] - box[upper]) <= tolerance;
            faces &= ends_there ? ~0U : ~(1U << (2 * axis + upper));
        }
    }
    return faces;
}

void brume_fade_edges(const BrumeMediumCells *medium, const BrumeRenderSettings *settings)
{
    const uint32_t faces = faces_of_medium(medium, settings);
    const float fade = settings->edge_fade / medium->dx;
    if (faces == 0 || !(fade > 0.0f)) {
        return;
    }
    const BrumeGrid grid = medium->extinction->grid;
    const BrumeCellBox *box = &medium->box;
#pragma omp parallel for schedule(static)
    for (int k = box->lower[2] + 1; k <= box->upper[2]; k++) {
        const float of_plane = axis_weight(faces, 2, k, grid.nz, fade);
        for (int j = box->lower[1] + 1; j <= box->upper[1]; j++) {
            const float of_row = of_plane * axis_weight(faces, 1, j, grid.ny, fade);
            const ptrdiff_t row = brume_field_index(medium->extinction, 0, j, k);
            for (int i = box->lower[0] + 1; i <= box->upper[0]; i++) {
                const float extinction = medium->extinction->data[row + i];
                if (extinction > 0.0f) { // few cells have smoke
                    const float share = of_row * axis_weight(faces, 0, i, grid.nx, fade);
                    if (share < 1.0f) {
                        scale_cell(medium, row + i, fading_factor(share, extinction * DEPTH * fade));
                    }
                }
            }
        }
    }
}

static BrumeVec3 cell_center(const BrumeMediumCells *medium, int i, int j, int k)
{
    const BrumeVec3 cells = brume_vec3((float)i - 0.5f, (float)j - 0.5f, (float)k - 0.5f);
    return brume_add(medium->origin, brume_scale(cells, medium->dx));
}

static uint8_t *inside_row(const BrumeMediumCells *medium, int j, int k)
{
    const BrumeGrid grid = medium->extinction->grid;
    return medium->inside + brume_inside_row_bytes(grid) * ((size_t)(k - 1) * (size_t)grid.ny + (size_t)(j - 1));
}

static bool is_inside(const BrumeMediumCells *medium, int i, int j, int k)
{
    return (inside_row(medium, j, k)[(i - 1) / 8] >> (i - 1) % 8 & 1) != 0;
}

// Sets a cell inside a solid to the mean of its neighbors outside all solids. A cell inside is only written and one
// outside only read, so the order of the cells has no effect.
static void extend_into_cell(const BrumeMediumCells *medium, int i, int j, int k)
{
    const BrumeGrid grid = medium->extinction->grid;
    float sum = 0.0f;
    float kinds[BRUME_VOLUME_KINDS] = {0.0f};
    int count = 0;
    for (int n = 0; n < 27; n++) {
        const int x = i + n % 3 - 1;
        const int y = j + n / 3 % 3 - 1;
        const int z = k + n / 9 - 1;
        if (x < 1 || y < 1 || z < 1 || x > grid.nx || y > grid.ny || z > grid.nz || is_inside(medium, x, y, z)) {
            continue;
        }
        const ptrdiff_t cell = brume_field_index(medium->extinction, x, y, z);
        sum += medium->extinction->data[cell];
        for (int kind = 0; kind < BRUME_VOLUME_KINDS && medium->kinds != NULL; kind++) {
            kinds[kind] += medium->kinds[BRUME_VOLUME_KINDS * cell + kind];
        }
        count++;
    }
    const ptrdiff_t cell = brume_field_index(medium->extinction, i, j, k);
    if (count == 0 || (!medium->replaces && sum <= (float)count * medium->extinction->data[cell])) {
        return;
    }
    medium->extinction->data[cell] = sum / (float)count;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS && medium->kinds != NULL; kind++) {
        medium->kinds[BRUME_VOLUME_KINDS * cell + kind] = kinds[kind] / (float)count;
    }
}

// the cells whose centers may be inside a shape
typedef struct NearbyCells {
    int first[3], last[3];
} NearbyCells;

// the cells of a box whose centers may be inside a shape
static NearbyCells cells_of(const BrumeMediumCells *medium, const BrumeShape *shape, const BrumeCellBox *box)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    lower = brume_scale(brume_sub(lower, medium->origin), 1.0f / medium->dx);
    upper = brume_scale(brume_sub(upper, medium->origin), 1.0f / medium->dx);
    NearbyCells range;
    for (int axis = 0; axis < 3; axis++) {
        const float cells = (float)brume_cells_along(medium->extinction->grid, axis);
        const int first = (int)brume_clamp(brume_component(lower, axis), 0.0f, cells) + 1;
        const int last = (int)brume_clamp(brume_component(upper, axis) + 1.0f, 0.0f, cells);
        range.first[axis] = brume_max_int(first, box->lower[axis] + 1);
        range.last[axis] = brume_min_int(last, box->upper[axis]);
    }
    return range;
}

// the cells of a row that are processed at once
enum { PART = 64 };

static void mark_inside(const BrumeMediumCells *medium, const BrumeShape *shape, const BrumeCellBox *box)
{
    const NearbyCells range = cells_of(medium, shape, box);
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = range.first[2]; k <= range.last[2]; k++) {
        for (int j = range.first[1]; j <= range.last[1]; j++) {
            uint8_t *row = inside_row(medium, j, k);
            for (int first = range.first[0]; first <= range.last[0]; first += PART) {
                BrumeVec3 centers[PART];
                bool inside[PART];
                const int count = brume_min_int(PART, range.last[0] - first + 1);
                for (int n = 0; n < count; n++) {
                    centers[n] = cell_center(medium, first + n, j, k);
                }
                brume_shape_contains(shape, centers, count, inside);
                for (int n = 0; n < count; n++) {
                    const int i = first + n - 1;
                    row[i / 8] = (uint8_t)(row[i / 8] | (inside[n] ? 1 << i % 8 : 0));
                }
            }
        }
    }
}

// Fills the cells of a solid that have neighbors outside. A cell may be inside because another solid, which is a
// volume, contains it.
static void extend_into_solid(const BrumeMediumCells *medium, const BrumeShape *shape, bool with_volumes)
{
    const NearbyCells range = cells_of(medium, shape, &medium->box);
#pragma omp parallel for schedule(static)
    for (int k = range.first[2]; k <= range.last[2]; k++) {
        for (int j = range.first[1]; j <= range.last[1]; j++) {
            for (int i = range.first[0]; i <= range.last[0]; i++) {
                if (is_inside(medium, i, j, k) &&
                    (!with_volumes || brume_shape_distance_within(shape, cell_center(medium, i, j, k), 0.0f) < 0.0f)) {
                    extend_into_cell(medium, i, j, k);
                }
            }
        }
    }
}

void brume_extend_into_solids(const BrumeMediumCells *medium, const BrumeRenderSettings *settings)
{
    if (settings->surface_count == 0 || brume_box_is_empty(medium->box)) {
        return;
    }
    bool with_volumes = false;
    const BrumeCellBox near = brume_widened_box(medium->box, 1, medium->extinction->grid); // of neighbors too
    for (int k = near.lower[2] + 1; k <= near.upper[2]; k++) {
        memset(inside_row(medium, near.lower[1] + 1, k), 0,
               brume_inside_row_bytes(medium->extinction->grid) * (size_t)(near.upper[1] - near.lower[1]));
    }
    for (int n = 0; n < settings->surface_count; n++) {
        mark_inside(medium, &settings->surfaces[n].shape, &near);
        with_volumes = with_volumes || settings->surfaces[n].shape.kind == BRUME_SHAPE_VOLUME;
    }
    for (int n = 0; n < settings->surface_count; n++) {
        if (medium->replaces || settings->surfaces[n].shape.kind != BRUME_SHAPE_VOLUME) {
            extend_into_solid(medium, &settings->surfaces[n].shape, with_volumes);
        }
    }
}
