#include "sim/sample.h"

#include "core/lanes.h"
#include "core/simd.h"

#include <string.h>

BrumePlace brume_place(const BrumeSim *sim, int location)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_PRESSURE];
    BrumePlace place = {.sy = field->sy, .sz = field->sz};
    for (int axis = 0; axis < 3; axis++) {
        const float n = (float)brume_cells_along(field->grid, axis);
        const bool normal = location == axis;
        const bool periodic = sim->geometry->cells.periodic[axis];
        // walls stop a trace; through other sides it comes to the ghosts, which hold what is beyond
        const bool stops_lower = periodic || sim->def.faces[2 * axis].kind == BRUME_WALL;
        const bool stops_upper = periodic || sim->def.faces[2 * axis + 1].kind == BRUME_WALL;
        place.shift[axis] = normal ? 0.5f : 0.0f;
        place.from[axis] = normal ? 1.0f : stops_lower ? 0.5f : 0.0f;
        place.to[axis] = normal ? n + 1.0f : stops_upper ? n + 0.5f : n + 1.0f;
        place.last[axis] = n;
        place.period[axis] = periodic ? n : 0.0f;
        place.per_period[axis] = periodic ? 1.0f / n : 0.0f;
    }
    return place;
}

// one axis: the position held in the box, split into entry and share
BRUME_KERNEL static void split_row(const float *displacement, float start, float step, float from, float to, float last,
                                   float period, float per_period, float *restrict entry, float *restrict share,
                                   float *restrict inside, int count)
{
    for (int n = 0; n < count; n++) {
        const float wanted = start + step * (float)n + displacement[n];
        const float wrapped = wanted - period * floorf((wanted - from) * per_period);
        const float raised = wrapped > from ? wrapped : from;
        const float position = raised < to ? raised : to;
        const float whole = (float)(int)position;
        const float lower = whole < last ? whole : last;
        entry[n] = lower;
        share[n] = position - lower;
        inside[n] = position == wrapped ? inside[n] : 0.0f;
    }
}

BRUME_KERNEL static void offset_row(const float *restrict x, const float *restrict y, const float *restrict z, int sy,
                                    int sz, int32_t *restrict base, int count)
{
    for (int n = 0; n < count; n++) {
        base[n] = (int)x[n] + sy * (int)y[n] + sz * (int)z[n];
    }
}

void brume_stencil_at(BrumeStencil *stencil, const BrumePlace *place, const float shift[3], int i, int j, int k,
                      const float *x, const float *y, const float *z, int count)
{
    const float start[3] = {(float)i + shift[0], (float)j + shift[1], (float)k + shift[2]};
    const float *const displacement[3] = {x, y, z};
    float *const share[3] = {stencil->x, stencil->y, stencil->z};
    float entry[3][BRUME_STRETCH];
    for (int n = 0; n < count; n++) {
        stencil->inside[n] = 1.0f;
    }
    for (int axis = 0; axis < 3; axis++) {
        split_row(displacement[axis], start[axis], axis == 0 ? 1.0f : 0.0f, place->from[axis], place->to[axis],
                  place->last[axis], place->period[axis], place->per_period[axis], entry[axis], share[axis],
                  stencil->inside, count);
    }
    offset_row(entry[0], entry[1], entry[2], (int)place->sy, (int)place->sz, stencil->base, count);
    for (int n = count; n % BRUME_LANES != 0; n++) { // the last lanes of a stretch, whose values nobody uses
        stencil->base[n] = 0;
        stencil->x[n] = stencil->y[n] = stencil->z[n] = 0.0f;
    }
}

// the values at the eight corners around each of eight positions: lower and upper along x in rows (y, z) = 00, 10, 01,
// 11
static inline __attribute__((always_inline)) void load_corners(const float *data, const int32_t *base, ptrdiff_t sy,
                                                               ptrdiff_t sz, BrumeFloat8 lower[4], BrumeFloat8 upper[4])
{
    brume_load_pairs(data, base, &lower[0], &upper[0]);
    brume_load_pairs(data + sy, base, &lower[1], &upper[1]);
    brume_load_pairs(data + sz, base, &lower[2], &upper[2]);
    brume_load_pairs(data + sz + sy, base, &lower[3], &upper[3]);
}

BRUME_KERNEL static void sample_row(const float *data, const int32_t *base, const float *x, const float *y,
                                    const float *z, ptrdiff_t sy, ptrdiff_t sz, float *out, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        BrumeFloat8 lower[4];
        BrumeFloat8 upper[4];
        BrumeFloat8 share[3];
        memcpy(&share[0], x + n, sizeof share[0]);
        memcpy(&share[1], y + n, sizeof share[1]);
        memcpy(&share[2], z + n, sizeof share[2]);
        load_corners(data, base + n, sy, sz, lower, upper);
        for (int row = 0; row < 4; row++) {
            lower[row] += share[0] * (upper[row] - lower[row]);
        }
        const BrumeFloat8 low = lower[0] + share[1] * (lower[1] - lower[0]);
        const BrumeFloat8 high = lower[2] + share[1] * (lower[3] - lower[2]);
        const BrumeFloat8 value = low + share[2] * (high - low);
        memcpy(out + n, &value, sizeof value);
    }
}

void brume_sample(const BrumeStencil *stencil, const BrumePlace *place, const float *data, float *out, int count)
{
    sample_row(data, stencil->base, stencil->x, stencil->y, stencil->z, place->sy, place->sz, out, count);
}

static inline float lesser(float a, float b) { return a < b ? a : b; }

static inline float greater(float a, float b) { return a > b ? a : b; }

BRUME_KERNEL static void range_row(const float *data, const int32_t *base, ptrdiff_t sy, ptrdiff_t sz,
                                   float *restrict low, float *restrict high, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        BrumeFloat8 lower[4];
        BrumeFloat8 upper[4];
        load_corners(data, base + n, sy, sz, lower, upper);
        float a[4][BRUME_LANES];
        float b[4][BRUME_LANES];
        memcpy(a, lower, sizeof a);
        memcpy(b, upper, sizeof b);
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            low[n + lane] = lesser(lesser(lesser(a[0][lane], b[0][lane]), lesser(a[1][lane], b[1][lane])),
                                   lesser(lesser(a[2][lane], b[2][lane]), lesser(a[3][lane], b[3][lane])));
            high[n + lane] = greater(greater(greater(a[0][lane], b[0][lane]), greater(a[1][lane], b[1][lane])),
                                     greater(greater(a[2][lane], b[2][lane]), greater(a[3][lane], b[3][lane])));
        }
    }
}

void brume_sample_range(const BrumeStencil *stencil, const BrumePlace *place, const float *data, float *low,
                        float *high, int count)
{
    range_row(data, stencil->base, place->sy, place->sz, low, high, count);
}

BRUME_KERNEL static void mean_row(float *restrict out, const float *at, const float *below, int count)
{
    for (int n = 0; n < count; n++) {
        out[n] = 0.5f * (at[n] + below[n]);
    }
}

void brume_travel_at(const BrumeTravel *travel, int location, ptrdiff_t offset, float *x, float *y, float *z, int count)
{
    const ptrdiff_t below = location == BRUME_AT_CENTER ? 0 : brume_stride(&travel->along[0], location);
    float *const rows[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        const float *at = travel->along[axis].data + offset;
        mean_row(rows[axis], at, at - below, count);
    }
}

BrumeGrid brume_carried(const BrumeSim *sim, int location)
{
    BrumeGrid carried = sim->geometry->cells.grid;
    carried.nx += location == 0 && sim->geometry->cells.open[BRUME_FACE_X_MAX];
    carried.ny += location == 1 && sim->geometry->cells.open[BRUME_FACE_Y_MAX];
    carried.nz += location == 2 && sim->geometry->cells.open[BRUME_FACE_Z_MAX];
    return carried;
}
