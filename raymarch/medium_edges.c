#include "raymarch/medium_edges.h"

#include "core/elementary.h"
#include "core/field.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <stdbool.h>

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

void brume_fade_edges(const BrumeMediumCells *medium, const BrumeRenderSettings *settings)
{
    const uint32_t faces = settings->fading_faces;
    const float fade = settings->edge_fade / medium->dx;
    if (faces == 0 || !(fade > 0.0f)) {
        return;
    }
    const BrumeGrid grid = medium->extinction->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        const float of_plane = axis_weight(faces, 2, k, grid.nz, fade);
        for (int j = 1; j <= grid.ny; j++) {
            const float of_row = of_plane * axis_weight(faces, 1, j, grid.ny, fade);
            const ptrdiff_t row = brume_field_index(medium->extinction, 0, j, k);
            for (int i = 1; i <= grid.nx; i++) {
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

static bool is_inside_solid(const BrumeRenderSettings *settings, BrumeVec3 point)
{
    for (int n = 0; n < settings->surface_count; n++) {
        if (brume_shape_distance_within(&settings->surfaces[n].shape, point, 0.0f) < 0.0f) {
            return true;
        }
    }
    return false;
}

// Sets a cell inside a solid to the mean of its neighbors outside all solids. A cell inside is only written and one
// outside only read, so the order of the cells has no effect.
static void extend_into_cell(const BrumeMediumCells *medium, const BrumeRenderSettings *settings, int i, int j, int k)
{
    const BrumeGrid grid = medium->extinction->grid;
    float sum = 0.0f;
    float kinds[BRUME_VOLUME_KINDS] = {0.0f};
    int count = 0;
    for (int n = 0; n < 27; n++) {
        const int x = i + n % 3 - 1;
        const int y = j + n / 3 % 3 - 1;
        const int z = k + n / 9 - 1;
        if (x < 1 || y < 1 || z < 1 || x > grid.nx || y > grid.ny || z > grid.nz ||
            is_inside_solid(settings, cell_center(medium, x, y, z))) {
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

// the first and last cell along one axis whose center may lie between two coordinates [cells]
static void clip_cells(float lower, float upper, int cells, int *first, int *last)
{
    *first = (int)brume_clamp(lower, 0.0f, (float)cells) + 1;
    *last = (int)brume_clamp(upper + 1.0f, 0.0f, (float)cells);
}

// fills the cells of a solid whose neighbors may lie outside it
static void extend_into_solid(const BrumeMediumCells *medium, const BrumeRenderSettings *settings,
                              const BrumeShape *shape)
{
    const float depth = -1.7320508f * medium->dx; // of the deepest cell that has a neighbor outside
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    lower = brume_scale(brume_sub(lower, medium->origin), 1.0f / medium->dx);
    upper = brume_scale(brume_sub(upper, medium->origin), 1.0f / medium->dx);
    const BrumeGrid grid = medium->extinction->grid;
    int first[3];
    int last[3];
    clip_cells(lower.x, upper.x, grid.nx, &first[0], &last[0]);
    clip_cells(lower.y, upper.y, grid.ny, &first[1], &last[1]);
    clip_cells(lower.z, upper.z, grid.nz, &first[2], &last[2]);
#pragma omp parallel for schedule(static)
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            for (int i = first[0]; i <= last[0]; i++) {
                const float distance = brume_shape_distance_within(shape, cell_center(medium, i, j, k), -1.01f * depth);
                // of a volume only the sign of the distance is known
                if (distance < 0.0f && (distance >= depth || shape->kind == BRUME_SHAPE_VOLUME)) {
                    extend_into_cell(medium, settings, i, j, k);
                }
            }
        }
    }
}

void brume_extend_into_solids(const BrumeMediumCells *medium, const BrumeRenderSettings *settings)
{
    for (int n = 0; n < settings->surface_count; n++) {
        // of a volume only the sign of the distance is known
        if (settings->surfaces[n].shape.kind != BRUME_SHAPE_VOLUME) {
            extend_into_solid(medium, settings, &settings->surfaces[n].shape);
        }
    }
}

void brume_continue_into_solids(BrumeField *field, float dx, BrumeVec3 origin, const BrumeRenderSettings *settings)
{
    const BrumeMediumCells cells = {.extinction = field, .dx = dx, .origin = origin, .replaces = true};
    for (int n = 0; n < settings->surface_count; n++) {
        extend_into_solid(&cells, settings, &settings->surfaces[n].shape);
    }
}
