#include "sim/grid/blocks.h"

// marks bit 1 of the entries within `reach` of one with bit 0, in a line of `count` entries at distances of `stride`
static void spread_line(uint8_t *line, size_t stride, int count, int reach, bool periodic)
{
    for (int n = 0; n < count; n++) {
        if (!(line[stride * (size_t)n] & 1)) {
            continue;
        }
        const int from = periodic ? n - reach : brume_max_int(n - reach, 0);
        const int to = periodic ? n + reach : brume_min_int(n + reach, count - 1);
        for (int m = from; m <= to; m++) {
            line[stride * (size_t)(brume_wrap_any_index(m + 1, count) - 1)] |= 2;
        }
    }
    for (int n = 0; n < count; n++) {
        line[stride * (size_t)n] >>= 1;
    }
}

void brume_dilate_marks(BrumeGrid cells, const bool periodic[3], int first_axis, const int distance[3], uint8_t *marks)
{
    enum { SIDE = BRUME_ACTIVE_SIDE };
    const BrumeGrid blocks = brume_active_grid(cells);
    size_t count = 1;
    for (int axis = first_axis; axis < 3; axis++) {
        count *= (size_t)brume_cells_along(blocks, axis);
    }
    size_t stride = 1;
    for (int axis = first_axis; axis < 3; axis++) {
        const int along = brume_cells_along(blocks, axis);
        // across a periodic side the last block, which may be smaller, counts as one more
        const bool partial = periodic[axis] && brume_cells_along(cells, axis) % SIDE;
        const int whole = (brume_min_int(distance[axis], along * SIDE) + SIDE - 1) / SIDE;
        for (size_t line = 0; line < count / (size_t)along; line++) {
            uint8_t *first = marks + line / stride * stride * (size_t)along + line % stride;
            spread_line(first, stride, along, brume_min_int(whole + partial, along), periodic[axis]);
        }
        stride *= (size_t)along;
    }
}
