/*
 * Where the air comes from and where it goes: Runge-Kutta traces through the velocity of this step, second order
 * (midpoint) or third (Ralston 1962; Bridson 2015, A.2). One trace a cell, from its center, serves the cell's scalars,
 * and the means of neighbouring traces serve its faces. What a scheme does with the velocity at the faces follows the
 * trace one plane behind (wave.h), while all of it is in the caches.
 */
#include "sim/advection/advection.h"
#include "sim/advection/trilinear.h"
#include "sim/wavefront.h"

#include <string.h>

typedef struct Trace {
    BrumePlace places[3];
    const float *velocity[3];
    float *travel[3];
    ptrdiff_t sy, sz;
    float cells_per_mps; // < 0 backward, > 0 forward
    int order;
    float *farthest; // of each strip the longest travel along an axis, or NULL
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

BRUME_INLINE void split_twice(const BrumePlace places[3], bool wraps, bool inside, int axis, int at, const float *along,
                              float scale, Split *split)
{
    BrumeFloat8 center;
    BrumeFloat8 offset;
    brume_ramp8(&center, axis, at);
    brume_load8(&offset, along);
    brume_scale8(&offset, scale);
    const BrumeFloat8 on = (center + 0.5f) + offset;
    const BrumeFloat8 beside = center + offset;
    brume_split8(&places[axis], wraps, inside, axis, &on, &split->on, &split->on_share);
    brume_split8(&places[axis == 0 ? 1 : 0], wraps, inside, axis, &beside, &split->beside, &split->beside_share);
}

// the stencils of u, v, w at eight centers from (i, j, k), each displaced by `scale` times its entry of `along`
BRUME_INLINE void trace_stencils8(const BrumePlace places[3], bool wraps, bool inside, BrumeStencil stencils[3], int n,
                                  const Vectors *along, float scale, int i, int j, int k)
{
    Split x;
    Split y;
    Split z;
    split_twice(places, wraps, false, 0, i, &along->along[0][n], scale, &x);
    split_twice(places, wraps, inside, 1, j, &along->along[1][n], scale, &y);
    split_twice(places, wraps, inside, 2, k, &along->along[2][n], scale, &z);
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
BRUME_INLINE void velocity_at(const Trace *trace, const BrumePlace places[3], bool wraps, bool inside, int i, int j,
                              int k, int count, const Vectors *along, float scale, Vectors *velocity)
{
    BrumeStencil stencils[3];
    for (int n = 0; n < count; n += BRUME_LANES) {
        trace_stencils8(places, wraps, inside, stencils, n, along, scale, i + brume_eight_at(n, count), j, k);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            BrumeFloat8 value;
            brume_sample8(&places[axis], trace->velocity[axis], &stencils[axis], n, &value);
            brume_store8(&velocity->along[axis][n], &value);
        }
    }
}

BRUME_INLINE float trace_entries(const Trace *trace, bool wraps, bool inside, ptrdiff_t c, int i, int j, int k,
                                 int count)
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
    velocity_at(trace, places, wraps, inside, i, j, k, count, &first, 0.5f * step, &second);
    if (trace->order == 3) {
        velocity_at(trace, places, wraps, inside, i, j, k, count, &second, 0.75f * step, &third);
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
    if (brume_inside(&trace->places[0], j, k)) {
        return trace_entries(trace, trace->places[0].wraps, true, c, i, j, k, count);
    }
    if (trace->places[0].wraps) {
        return trace_entries(trace, true, false, c, i, j, k, count);
    }
    return trace_entries(trace, false, false, c, i, j, k, count);
}

static void trace_piece(const void *context, const BrumePiece *piece)
{
    const Trace *trace = context;
    const ptrdiff_t c = piece->i + trace->sy * piece->j + trace->sz * piece->k;
    const float travel = trace_row(trace, c, piece->i, piece->j, piece->k, piece->count);
    if (trace->farthest) { // the rows of a strip come to one thread, the lowest first
        float *farthest = &trace->farthest[piece->strip];
        *farthest = (piece->j - 1) % BRUME_TILE == 0 ? travel : brume_greater(travel, *farthest);
    }
}

// a trace and the work on the faces that follows it
typedef struct TraceWave {
    Trace trace;
    BrumeGrid grid;
    BrumeGrid carried[3];
    bool periodic[3];
    const BrumeFaceWork *faces;
} TraceWave;

static void copy_row(const TraceWave *wave, int to_j, int to_k, int from_j, int from_k)
{
    const Trace *trace = &wave->trace;
    for (int axis = 0; axis < 3; axis++) {
        float *travel = trace->travel[axis];
        memcpy(travel + trace->sy * to_j + trace->sz * to_k, travel + trace->sy * from_j + trace->sz * from_k,
               (size_t)trace->sy * sizeof *travel);
    }
}

static void continue_ends(const TraceWave *wave, int j, int k)
{
    const int n = wave->grid.nx;
    const bool periodic = wave->periodic[0];
    for (int axis = 0; axis < 3; axis++) {
        float *row = wave->trace.travel[axis] + wave->trace.sy * j + wave->trace.sz * k;
        row[0] = row[periodic ? n : 1];
        row[n + 1] = row[periodic ? 1 : n];
    }
}

// a plane with the ghosts beside it, as brume_continue_sides has them
static void trace_plane(const TraceWave *wave, int k)
{
    const int ny = wave->grid.ny;
    const int nz = wave->grid.nz;
    for (int j = 1; j <= ny; j++) {
        brume_walk_row(wave->grid, j, k, trace_piece, &wave->trace);
        continue_ends(wave, j, k);
    }
    copy_row(wave, 0, k, wave->periodic[1] ? ny : 1, k);
    copy_row(wave, ny + 1, k, wave->periodic[1] ? 1 : ny, k);
    for (int j = 0; j <= ny + 1 && !wave->periodic[2]; j++) {
        if (k == 1) {
            copy_row(wave, j, 0, j, 1);
        }
        if (k == nz) {
            copy_row(wave, j, nz + 1, j, nz);
        }
    }
}

static void work_on_plane(const TraceWave *wave, int axis, int k)
{
    const BrumeGrid carried = wave->carried[axis];
    for (int j = 1; j <= carried.ny; j++) {
        brume_walk_row(carried, j, k, wave->faces->work, wave->faces->contexts[axis]);
    }
}

// planes are visited whole
static void visit(void *context, int stage, int k, int from, int to)
{
    const TraceWave *wave = context;
    (void)from;
    (void)to;
    if (stage == 0) {
        trace_plane(wave, k);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        work_on_plane(wave, axis, k);
        if (k == wave->grid.nz && wave->carried[axis].nz > k) { // the faces on the upper side
            work_on_plane(wave, axis, k + 1);
        }
    }
}

static void wrap_planes(void *context)
{
    const TraceWave *wave = context;
    for (int j = 0; j <= wave->grid.ny + 1; j++) {
        copy_row(wave, j, 0, j, wave->grid.nz);
        copy_row(wave, j, wave->grid.nz + 1, j, 1);
    }
}

void brume_trace(BrumeSim *sim, BrumeDisplacement *travel, float cells_per_mps, const BrumeFaceWork *faces)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    TraceWave wave = {
        .grid = u->grid,
        .faces = faces,
        .trace =
            {
                .sy = u->sy,
                .sz = u->sz,
                .cells_per_mps = cells_per_mps,
                .order = sim->def.trace_order,
                .farthest = travel == &sim->back ? sim->farthest : NULL,
            },
    };
    for (int axis = 0; axis < 3; axis++) {
        wave.trace.places[axis] = brume_place(sim, axis);
        wave.trace.velocity[axis] = sim->fields[axis].data;
        wave.trace.travel[axis] = travel->along[axis].data;
        wave.carried[axis] = brume_carried(sim, axis);
        wave.periodic[axis] = sim->geometry->cells.periodic[axis];
    }
    const BrumeWavefront walk = {
        .context = &wave,
        .grid = wave.grid,
        .stages = 2,
        .parallel = true,
        .whole_planes = true,
        .visit = visit,
        .wrap = wave.periodic[2] ? wrap_planes : NULL,
    };
    brume_wavefront_run(&walk);
}
