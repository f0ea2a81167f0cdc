#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/drawing.h"

#include <assert.h>

static int component(int axis, int on) { return axis == on; }

static BrumeVec3 along(int axis, float length)
{
    return brume_vec3(length * (float)component(axis, 0), length * (float)component(axis, 1),
                      length * (float)component(axis, 2));
}

static ptrdiff_t stride_along(const BrumeField *field, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? field->sy : field->sz;
}

// the clear end is seen through, all else hardly
static uint8_t alpha_at(const BrumeScale *scale, float share)
{
    const float away = scale->is_signed ? fabsf(2.0f * share - 1.0f) : share;
    return (uint8_t)(110.0f + 135.0f * fminf(4.0f * away, 1.0f) + 0.5f);
}

BrumeStatus brume_slice(BrumeDrawing *drawing, const BrumeField *values, const BrumeScale *scale, int axis, float at,
                        float dx, BrumeVec3 origin, BrumeError *error)
{
    assert(axis >= 0 && axis < 3);
    const BrumeGrid grid = values->grid;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const int width = brume_cells_along(grid, u);
    const int height = brume_cells_along(grid, v);
    const int texels = width * height;
    if (texels > drawing->slice_capacity) {
        uint8_t *slice = brume_alloc_untouched((size_t)texels, 4);
        if (slice == NULL) {
            return brume_out_of_memory(error, "a slice of %d x %d", width, height);
        }
        brume_free(drawing->slice);
        drawing->slice = slice;
        drawing->slice_capacity = texels;
    }

    // the planes of centers on both sides, held at the first and the last
    const int cells = brume_cells_along(grid, axis);
    const float share = fminf(fmaxf(at, 0.0f), 1.0f);
    const float place = fminf(fmaxf(share * (float)cells + 0.5f, 1.0f), (float)cells);
    const int below = (int)place < cells ? (int)place : cells - 1 > 0 ? cells - 1 : 1;
    const float beyond = cells > 1 ? place - (float)below : 0.0f;
    const ptrdiff_t across = cells > 1 ? stride_along(values, axis) : 0;
    const ptrdiff_t su = stride_along(values, u);
    const ptrdiff_t sv = stride_along(values, v);
    const float *first = values->data + stride_along(values, axis) * below + su + sv;

    uint8_t colors[BRUME_SCALE_ENTRIES][3];
    brume_scale_table(scale->is_signed, colors);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < height; n++) {
        uint8_t *texel = drawing->slice + 4 * (size_t)n * (size_t)width;
        const float *row = first + sv * n;
        for (int m = 0; m < width; m++, texel += 4) {
            const float lower = row[su * m];
            const float value = lower + beyond * (row[su * m + across] - lower);
            const float s = brume_scale_share(scale, value);
            const uint8_t *color = colors[(int)(s * (BRUME_SCALE_ENTRIES - 1) + 0.5f)];
            texel[0] = color[0];
            texel[1] = color[1];
            texel[2] = color[2];
            texel[3] = alpha_at(scale, s);
        }
    }
    drawing->slice_width = width;
    drawing->slice_height = height;
    drawing->slice_corner = brume_add(origin, along(axis, share * (float)cells * dx));
    drawing->slice_u = along(u, (float)width * dx);
    drawing->slice_v = along(v, (float)height * dx);
    drawing->has_slice = true;
    return BRUME_OK;
}
