/*
 * Where the air comes from and where it goes: Runge-Kutta traces through the velocity of this step, second order
 * (midpoint) or third (Ralston 1962; Bridson 2015, A.2). One trace a cell, from its center, serves the cell's scalars,
 * and the means of neighbouring traces serve its faces.
 */
#include "sim/sim_internal.h"
#include "sim/stencil.h"

typedef struct Trace {
    BrumePlace places[3];
    const float *velocity[3];
    float *travel[3];
    ptrdiff_t sy, sz;
    float cells_per_mps; // < 0 backward, > 0 forward
    int order;
    float *farthest; // of each block the longest travel along an axis, or NULL
} Trace;

// a piece of a row of vectors
typedef struct Vectors {
    _Alignas(32) float along[3][BRUME_STRETCH];
} Vectors;

// eight positions along an axis, split in both ways: for the component on its faces, and for the two beside them
typedef struct Split {
    BrumeInt8 on, beside;
    BrumeFloat8 on_share, beside_share;
} Split;

BRUME_INLINE void split_twice(const BrumePlace places[3], bool wraps, int axis, int at, const float *along, float scale,
                              Split *split)
{
    BrumeFloat8 center;
    BrumeFloat8 offset;
    brume_ramp8(&center, axis, at);
    brume_load8(&offset, along);
    brume_scale8(&offset, scale);
    const BrumeFloat8 on = (center + 0.5f) + offset;
    const BrumeFloat8 beside = center + offset;
    brume_split8(&places[axis], wraps, axis, &on, &split->on, &split->on_share);
    brume_split8(&places[axis == 0 ? 1 : 0], wraps, axis, &beside, &split->beside, &split->beside_share);
}

// the stencils of u, v, w at eight centers from (i, j, k), each displaced by `scale` times its entry of `along`
BRUME_INLINE void trace_stencils8(const BrumePlace places[3], bool wraps, BrumeStencil stencils[3], int n,
                                  const Vectors *along, float scale, int i, int j, int k)
{
    Split x;
    Split y;
    Split z;
    split_twice(places, wraps, 0, i, &along->along[0][n], scale, &x);
    split_twice(places, wraps, 1, j, &along->along[1][n], scale, &y);
    split_twice(places, wraps, 2, k, &along->along[2][n], scale, &z);
    brume_offsets8(&stencils[0], n, &places[0], &x.on, &y.beside, &z.beside);
    brume_store8(&stencils[0].share[0][n], &x.on_share);
    brume_store8(&stencils[0].share[1][n], &y.beside_share);
    brume_store8(&stencils[0].share[2][n], &z.beside_share);
    brume_offsets8(&stencils[1], n, &places[1], &x.beside, &y.on, &z.beside);
    brume_store8(&stencils[1].share[0][n], &x.beside_share);
    brume_store8(&stencils[1].share[1][n], &y.on_share);
    brume_store8(&stencils[1].share[2][n], &z.beside_share);
    brume_offsets8(&stencils[2], n, &places[2], &x.beside, &y.beside, &z.on);
    brume_store8(&stencils[2].share[0][n], &x.beside_share);
    brume_store8(&stencils[2].share[1][n], &y.beside_share);
    brume_store8(&stencils[2].share[2][n], &z.on_share);
}

// the velocity at centers displaced by `scale` times `along`
BRUME_INLINE void velocity_at(const Trace *trace, const BrumePlace places[3], bool wraps, int i, int j, int k,
                              int count, const Vectors *along, float scale, Vectors *velocity)
{
    BrumeStencil stencils[3];
    for (int n = 0; n < count; n += BRUME_LANES) {
        trace_stencils8(places, wraps, stencils, n, along, scale, i + brume_eight_at(n, count), j, k);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            BrumeFloat8 value;
            brume_sample8(&places[axis], trace->velocity[axis], &stencils[axis], n, &value);
            brume_store8(&velocity->along[axis][n], &value);
        }
    }
}

BRUME_INLINE float trace_entries(const Trace *trace, bool wraps, ptrdiff_t c, int i, int j, int k, int count)
{
    const BrumePlace places[3] = {trace->places[0], trace->places[1], trace->places[2]};
    const ptrdiff_t strides[3] = {1, trace->sy, trace->sz};
    const float step = trace->cells_per_mps;
    Vectors first; // at the centers themselves
    Vectors second;
    Vectors third;
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            const float *velocity = trace->velocity[axis] + c + brume_eight_at(n, count);
            BrumeFloat8 lower;
            BrumeFloat8 upper;
            brume_load8(&lower, velocity);
            brume_load8(&upper, velocity + strides[axis]);
            lower = 0.5f * (lower + upper);
            brume_store8(&first.along[axis][n], &lower);
        }
    }
    velocity_at(trace, places, wraps, i, j, k, count, &first, 0.5f * step, &second);
    if (trace->order == 3) {
        velocity_at(trace, places, wraps, i, j, k, count, &second, 0.75f * step, &third);
    }
    BrumeFloat8 longest = {0.0f};
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            BrumeFloat8 travel;
            brume_load8(&travel, &second.along[axis][n]);
            if (trace->order == 3) {
                BrumeFloat8 a;
                BrumeFloat8 c3;
                brume_load8(&a, &first.along[axis][n]);
                brume_load8(&c3, &third.along[axis][n]);
                travel = (2.0f * a + 3.0f * travel) + 4.0f * c3;
            }
            brume_scale8(&travel, trace->order == 3 ? step / 9.0f : step);
            brume_store8(trace->travel[axis] + c + brume_eight_at(n, count), &travel);
            const BrumeFloat8 length = (BrumeFloat8)((BrumeInt8)travel & 0x7fffffff);
            brume_greater8(&longest, &length);
        }
    }
    float max = longest[0];
    for (int lane = 1; lane < BRUME_LANES; lane++) {
        max = brume_greater(longest[lane], max);
    }
    return max;
}

BRUME_KERNEL static float trace_row(const Trace *trace, ptrdiff_t c, int i, int j, int k, int count)
{
    if (trace->places[0].wraps) {
        return trace_entries(trace, true, c, i, j, k, count);
    }
    return trace_entries(trace, false, c, i, j, k, count);
}

static void trace_piece(const void *context, const BrumePiece *piece)
{
    const Trace *trace = context;
    const ptrdiff_t c = piece->i + trace->sy * piece->j + trace->sz * piece->k;
    const float travel = trace_row(trace, c, piece->i, piece->j, piece->k, piece->count);
    if (trace->farthest) { // the pieces of a block come to one thread, the lowest first
        const bool first = (piece->j - 1) % BRUME_TILE == 0 && (piece->k - 1) % BRUME_TILE == 0;
        float *farthest = &trace->farthest[piece->block];
        *farthest = first ? travel : brume_greater(travel, *farthest);
    }
}

static void trace_all(const BrumeSim *sim, BrumeTravel *travel, float cells_per_mps, float *farthest)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    Trace trace = {
        .sy = u->sy,
        .sz = u->sz,
        .cells_per_mps = cells_per_mps,
        .order = sim->def.trace_order,
        .farthest = farthest,
    };
    for (int axis = 0; axis < 3; axis++) {
        trace.places[axis] = brume_place(sim, axis);
        trace.velocity[axis] = sim->fields[axis].data;
        trace.travel[axis] = travel->along[axis].data;
    }
    brume_walk(u->grid, trace_piece, &trace);
    for (int axis = 0; axis < 3; axis++) {
        brume_continue_sides(sim, &travel->along[axis]);
    }
}

/** Finds the travel of all centers over `dt` [s] through the velocity, whose boundary is set. */
void brume_trace(BrumeSim *sim, float dt)
{
    const float cells_per_mps = dt / sim->def.dx; // [m/s] -> [cells/step]
    trace_all(sim, &sim->back, -cells_per_mps, sim->farthest);
    if (sim->advection->needs_forth) {
        trace_all(sim, &sim->forth, cells_per_mps, NULL);
    }
}
