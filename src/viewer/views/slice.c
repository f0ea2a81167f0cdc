#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/overlay_geometry.h"

#include <assert.h>

// returns the opacity at a position of the scale, smallest at its transparent position
static uint8_t alpha_at(const BrumeColorScale *scale, float position)
{
    const float distance = scale->is_signed ? fabsf(2.0f * position - 1.0f) : position;
    return (uint8_t)(110.0f + 135.0f * fminf(4.0f * distance, 1.0f) + 0.5f);
}

BrumeStatus brume_build_slice(BrumeOverlayGeometry *geometry, const BrumeField *values, const BrumeColorScale *scale,
                              int axis, float at, float dx, BrumeVec3 origin, BrumeError *error)
{
    assert(axis >= 0 && axis < 3);
    const BrumeGrid grid = values->grid;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const int width = brume_cells_along(grid, u);
    const int height = brume_cells_along(grid, v);
    const int texels = width * height;
    if (texels > geometry->slice_capacity) {
        uint8_t *slice = brume_alloc_untouched((size_t)texels, 4);
        if (slice == NULL) {
            return brume_out_of_memory(error, "a slice of %d x %d", width, height);
        }
        brume_free(geometry->slice);
        geometry->slice = slice;
        geometry->slice_capacity = texels;
    }

    // the plane of cell centers below the slice and the fraction to the next one, clamped to the first and the last
    const int cells = brume_cells_along(grid, axis);
    const float clamped = fminf(fmaxf(at, 0.0f), 1.0f);
    const float index = fminf(fmaxf(clamped * (float)cells + 0.5f, 1.0f), (float)cells);
    const int plane = (int)index < cells ? (int)index : cells - 1 > 0 ? cells - 1 : 1;
    const float fraction = cells > 1 ? index - (float)plane : 0.0f;
    const ptrdiff_t to_next_plane = cells > 1 ? brume_stride(values, axis) : 0;
    const ptrdiff_t su = brume_stride(values, u);
    const ptrdiff_t sv = brume_stride(values, v);
    const float *first = values->data + brume_stride(values, axis) * plane + su + sv;

    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
    brume_color_scale_table(scale->is_signed, colors);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < height; n++) {
        uint8_t *texel = geometry->slice + 4 * (size_t)n * (size_t)width;
        const float *row = first + sv * n;
        for (int m = 0; m < width; m++, texel += 4) {
            const float lower = row[su * m];
            const float value = lower + fraction * (row[su * m + to_next_plane] - lower);
            const float position = brume_color_scale_position(scale, value);
            const uint8_t *color = colors[(int)(position * (BRUME_COLOR_TABLE_SIZE - 1) + 0.5f)];
            texel[0] = color[0];
            texel[1] = color[1];
            texel[2] = color[2];
            texel[3] = alpha_at(scale, position);
        }
    }
    geometry->slice_width = width;
    geometry->slice_height = height;
    geometry->slice_corner = brume_add(origin, brume_along(axis, clamped * (float)cells * dx));
    geometry->slice_u = brume_along(u, (float)width * dx);
    geometry->slice_v = brume_along(v, (float)height * dx);
    geometry->has_slice = true;
    return BRUME_OK;
}
