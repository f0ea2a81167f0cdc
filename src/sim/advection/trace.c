/*
 * The trace: Runge-Kutta integration of the paths of the air in the transport velocity, of second order (midpoint)
 * or third order (Ralston 1962; Bridson 2015, appendix A.2). One path per cell, from its center, serves the scalars of
 * the cell; the mean displacement of two adjacent centers serves the face between them.
 *
 * The plain equivalent of this file is src/sim/reference/trace.c. This trace processes eight paths at a time and does
 * not clamp in interior rows. The kernels of a scheme process the faces one plane behind the trace (wavefront.h), while
 * all of the plane's data are in the caches: a face needs only the displacements of the two adjacent centers, so the
 * result does not depend on when it is processed.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/threads.h"
#include "sim/advection/advection.h"
#include "sim/advection/fast_kernels.h"
#include "sim/advection/trilinear.h"
#include "sim/advection/trilinear_wide.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/wavefront.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

typedef struct TraceKernel {
    BrumeSamplingDomain domains[3];
    const float *velocity[3];
    float *displacement[3];
    ptrdiff_t sy, sz;
    float cells_per_mps; // < 0 backward in time
    int order;
    ptrdiff_t shift;           // from the index of a center to the index of its displacement
    float *strip_displacement; // one per strip: largest displacement component; or NULL
} TraceKernel;

// one vector quantity at the entries of a row segment
typedef struct SegmentVectors {
    _Alignas(32) float along[3][BRUME_SEGMENT];
} SegmentVectors;

// Eight positions along an axis, each split twice into entry and weight: for the velocity component across the axis,
// which is located on faces (`at_face`), and for the other two components, which are located at centers along it
// (`at_center`).
typedef struct SplitPositions {
    BrumeInt8 at_face, at_center;
    BrumeFloat8 face_weight, center_weight;
} SplitPositions;

BRUME_INLINE void split_positions(const BrumeSamplingDomain domains[3], bool periodic, bool interior, int axis, int at,
                                  const float *along, float scale, SplitPositions *split)
{
    BrumeFloat8 center;
    BrumeFloat8 offset;
    brume_coordinates8(&center, axis, at);
    brume_load8(&offset, along);
    brume_scale8(&offset, scale);
    const BrumeFloat8 at_face = (center + 0.5f) + offset;
    const BrumeFloat8 at_center = center + offset;
    brume_split8(&domains[axis], periodic, interior, axis, &at_face, &split->at_face, &split->face_weight, NULL);
    brume_split8(&domains[axis == 0 ? 1 : 0], periodic, interior, axis, &at_center, &split->at_center,
                 &split->center_weight, NULL);
}

// the weights of u, v, w at eight adjacent cell centers from (i, j, k), each displaced by `scale` times its `along`
BRUME_INLINE void velocity_weights8(const BrumeSamplingDomain domains[3], bool periodic, bool interior,
                                    BrumeTrilinearWeights weights[3], int n, const SegmentVectors *along, float scale,
                                    int i, int j, int k)
{
    SplitPositions x;
    SplitPositions y;
    SplitPositions z;
    split_positions(domains, periodic, false, 0, i, &along->along[0][n], scale, &x);
    split_positions(domains, periodic, interior, 1, j, &along->along[1][n], scale, &y);
    split_positions(domains, periodic, interior, 2, k, &along->along[2][n], scale, &z);
    brume_store_offsets8(&weights[0], n, &domains[0], &x.at_face, &y.at_center, &z.at_center);
    brume_store8(&weights[0].weight[0][n], &x.face_weight);
    brume_store8(&weights[0].weight[1][n], &y.center_weight);
    brume_store8(&weights[0].weight[2][n], &z.center_weight);
    brume_store_offsets8(&weights[1], n, &domains[1], &x.at_center, &y.at_face, &z.at_center);
    brume_store8(&weights[1].weight[0][n], &x.center_weight);
    brume_store8(&weights[1].weight[1][n], &y.face_weight);
    brume_store8(&weights[1].weight[2][n], &z.center_weight);
    brume_store_offsets8(&weights[2], n, &domains[2], &x.at_center, &y.at_center, &z.at_face);
    brume_store8(&weights[2].weight[0][n], &x.center_weight);
    brume_store8(&weights[2].weight[1][n], &y.center_weight);
    brume_store8(&weights[2].weight[2][n], &z.face_weight);
}

// the velocity at cell centers that are displaced by `scale` times `along`
BRUME_INLINE void velocity_at(const TraceKernel *trace, const BrumeSamplingDomain domains[3], bool periodic,
                              bool interior, int i, int j, int k, int count, const SegmentVectors *along, float scale,
                              SegmentVectors *velocity)
{
    BrumeTrilinearWeights weights[3];
    for (int n = 0; n < count; n += BRUME_LANES) {
        velocity_weights8(domains, periodic, interior, weights, n, along, scale, i + brume_vector_start(n, count), j,
                          k);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            BrumeFloat8 value;
            brume_interpolate8(&domains[axis], trace->velocity[axis], &weights[axis], n, &value);
            brume_store8(&velocity->along[axis][n], &value);
        }
    }
}

BRUME_INLINE float trace_entries(const TraceKernel *trace, bool periodic, bool interior, ptrdiff_t c, int i, int j,
                                 int k, int count)
{
    const BrumeSamplingDomain domains[3] = {trace->domains[0], trace->domains[1], trace->domains[2]};
    const ptrdiff_t strides[3] = {1, trace->sy, trace->sz};
    const float step = trace->cells_per_mps;
    SegmentVectors first; // the velocity at the cell centers, and at the second and third evaluation point
    SegmentVectors second;
    SegmentVectors third;
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            const float *velocity = trace->velocity[axis] + c + brume_vector_start(n, count);
            BrumeFloat8 lower;
            BrumeFloat8 upper;
            brume_load8(&lower, velocity);
            brume_load8(&upper, velocity + strides[axis]);
            lower = 0.5f * (lower + upper);
            brume_store8(&first.along[axis][n], &lower);
        }
    }
    velocity_at(trace, domains, periodic, interior, i, j, k, count, &first, 0.5f * step, &second);
    if (trace->order == 3) {
        velocity_at(trace, domains, periodic, interior, i, j, k, count, &second, 0.75f * step, &third);
    }
    BrumeFloat8 largest = {0.0f};
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n += BRUME_LANES) {
            BrumeFloat8 displacement;
            brume_load8(&displacement, &second.along[axis][n]);
            if (trace->order == 3) {
                BrumeFloat8 a;
                BrumeFloat8 c3;
                brume_load8(&a, &first.along[axis][n]);
                brume_load8(&c3, &third.along[axis][n]);
                displacement = (2.0f * a + 3.0f * displacement) + 4.0f * c3;
            }
            brume_scale8(&displacement, trace->order == 3 ? step / 9.0f : step);
            brume_store8(trace->displacement[axis] + trace->shift + c + brume_vector_start(n, count), &displacement);
            const BrumeFloat8 size = (BrumeFloat8)((BrumeInt8)displacement & 0x7fffffff);
            brume_max8(&largest, &size);
        }
    }
    float max = largest[0];
    for (int lane = 1; lane < BRUME_LANES; lane++) {
        max = brume_max_float(largest[lane], max);
    }
    return max;
}

BRUME_KERNEL static float trace_row(const TraceKernel *trace, ptrdiff_t c, int i, int j, int k, int count)
{
    if (brume_is_interior_row(&trace->domains[0], j, k)) {
        return trace_entries(trace, trace->domains[0].periodic, true, c, i, j, k, count);
    }
    if (trace->domains[0].periodic) {
        return trace_entries(trace, true, false, c, i, j, k, count);
    }
    return trace_entries(trace, false, false, c, i, j, k, count);
}

// sixteen values of a vector quantity
typedef struct WideVector {
    BrumeFloat16 along[3];
} WideVector;

// the positions of SplitPositions, for the vectors of a segment
typedef struct WidePositions {
    BrumeWideAxis at_face[3], at_center[3];
} WidePositions;

BRUME_WIDE_INLINE void split_wide(const BrumeSamplingDomain domains[3], bool periodic, bool interior,
                                  const int entry[3], const WideVector *along, float scale, int count,
                                  WidePositions *split)
{
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        const bool inside = interior && axis > 0;
        int32_t face = 0;
        int32_t center = 0;
        for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
            const int v = n / BRUME_WIDE_LANES;
            const int origin = axis == 0 ? entry[0] + brume_wide_start(n, count) : 0;
            const BrumeFloat16 start = brume_coordinates16(axis, axis == 0 ? origin : entry[axis]);
            const BrumeFloat16 offset = scale * along[v].along[axis];
            brume_split16(&split->at_face[axis], v, &domains[axis], periodic, inside, axis, origin,
                          (start + 0.5f) + offset, &face);
            brume_split16(&split->at_center[axis], v, &domains[axis == 0 ? 1 : 0], periodic, inside, axis, origin,
                          start + offset, &center);
        }
    }
}

// as velocity_at for vector `v`; whether its corners can be loaded
BRUME_WIDE_INLINE bool velocity_wide(const TraceKernel *trace, const BrumeSamplingDomain domains[3],
                                     const WidePositions *split, int v, WideVector *velocity)
{
    ptrdiff_t first[3];
    const BrumeWideAxis *axes[3][3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        axes[n][0] = n == 0 ? &split->at_face[0] : &split->at_center[0];
        axes[n][1] = n == 1 ? &split->at_face[1] : &split->at_center[1];
        axes[n][2] = n == 2 ? &split->at_face[2] : &split->at_center[2];
        first[n] = brume_first_entry16(&domains[n], axes[n][0], axes[n][1], axes[n][2], v);
    }
    if (first[0] < 0 || first[1] < 0 || first[2] < 0) {
        return false;
    }
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const float *component = trace->velocity[n] + first[n];
        brume_prefetch_next_row16(&domains[n], component);
        velocity->along[n] = brume_interpolate16(&domains[n], component, axes[n][0], axes[n][1], axes[n][2], v);
    }
    return true;
}

// as trace_entries for at least 16 entries, in vectors of 16
BRUME_WIDE_INLINE float trace_entries_wide(const TraceKernel *trace, bool periodic, bool interior, ptrdiff_t c, int i,
                                           int j, int k, int count)
{
    const BrumeSamplingDomain domains[3] = {trace->domains[0], trace->domains[1], trace->domains[2]};
    const ptrdiff_t strides[3] = {1, trace->sy, trace->sz};
    const float step = trace->cells_per_mps;
    const bool third_order = trace->order == 3;
    const int entry[3] = {i, j, k};
    WideVector first[BRUME_WIDE_VECTORS];
    WideVector second[BRUME_WIDE_VECTORS];
    WideVector third[BRUME_WIDE_VECTORS];
    bool found[BRUME_WIDE_VECTORS]; // whether the velocities of a vector could be loaded
    WidePositions split;
    for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
        for (int axis = 0; axis < 3; axis++) {
            const float *velocity = trace->velocity[axis] + c + brume_wide_start(n, count);
            first[n / BRUME_WIDE_LANES].along[axis] =
                0.5f * (brume_load16(velocity) + brume_load16(velocity + strides[axis]));
        }
    }
    split_wide(domains, periodic, interior, entry, first, 0.5f * step, count, &split);
    for (int v = 0; v < (count + BRUME_WIDE_LANES - 1) / BRUME_WIDE_LANES; v++) {
        found[v] = velocity_wide(trace, domains, &split, v, &second[v]);
    }
    if (third_order) {
        split_wide(domains, periodic, interior, entry, second, 0.75f * step, count, &split);
        for (int v = 0; v < (count + BRUME_WIDE_LANES - 1) / BRUME_WIDE_LANES; v++) {
            found[v] = found[v] && velocity_wide(trace, domains, &split, v, &third[v]);
        }
    }
    BrumeFloat16 largest = {0.0f};
    float max = 0.0f;
    for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
        const int v = n / BRUME_WIDE_LANES;
        const int at = brume_wide_start(n, count);
        if (!found[v]) {
            max = brume_max_float(trace_row(trace, c + at, i + at, j, k, BRUME_WIDE_LANES), max);
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            BrumeFloat16 displacement = second[v].along[axis];
            if (third_order) {
                displacement = (2.0f * first[v].along[axis] + 3.0f * displacement) + 4.0f * third[v].along[axis];
            }
            displacement *= third_order ? step / 9.0f : step;
            float *to = trace->displacement[axis] + trace->shift + c + at;
            __builtin_prefetch(to + trace->sy, 1);
            brume_store16(to, displacement);
            largest = brume_max16(largest, (BrumeFloat16)((BrumeInt16)displacement & 0x7fffffff));
        }
    }
    for (int lane = 0; lane < BRUME_WIDE_LANES; lane++) {
        max = brume_max_float(largest[lane], max);
    }
    return max;
}

BRUME_WIDE_KERNEL static float trace_wide(const TraceKernel *trace, ptrdiff_t c, int i, int j, int k, int count)
{
    if (trace->domains[0].periodic) {
        return trace_entries_wide(trace, true, false, c, i, j, k, count);
    }
    if (!brume_is_interior_row(&trace->domains[0], j, k)) {
        return trace_entries_wide(trace, false, false, c, i, j, k, count);
    }
    if (count < BRUME_SEGMENT) {
        return trace_entries_wide(trace, false, true, c, i, j, k, count);
    }
    return trace_entries_wide(trace, false, true, c, i, j, k, BRUME_SEGMENT); // a constant number of vectors
}

static void trace_segment(const void *context, const BrumeRowSegment *segment)
{
    const TraceKernel *trace = context;
    const ptrdiff_t c = segment->i + trace->sy * segment->j + trace->sz * segment->k;
    const bool wide = segment->count >= BRUME_WIDE_LANES && brume_has_wide_vectors();
    const float displacement =
        (wide ? trace_wide : trace_row)(trace, c, segment->i, segment->j, segment->k, segment->count);
    if (!trace->strip_displacement) {
        return;
    }
    // one thread processes the rows of a strip, in ascending order
    float *strip_displacement = &trace->strip_displacement[segment->strip];
    *strip_displacement =
        (segment->j - 1) % BRUME_BLOCK_ROWS == 0 ? displacement : brume_max_float(displacement, *strip_displacement);
}

// a trace and the kernels that use it
typedef struct TracePass {
    TraceKernel trace;
    BrumeGrid grid;
    BrumeRegion region;
    BrumeGrid advected[4];
    bool periodic[3];
    const BrumePathKernels *kernels;
} TracePass;

static BrumeRegion region_of(const BrumeSim *sim)
{
    const BrumeCells *cells = &sim->geometry->cells;
    return (BrumeRegion){
        .blocks = sim->advection->region,
        .cells = cells->grid,
        .periodic = {cells->periodic[0], cells->periodic[1], cells->periodic[2]},
    };
}

static void copy_row(const TracePass *pass, int to_j, int to_k, int from_j, int from_k)
{
    const TraceKernel *trace = &pass->trace;
    for (int axis = 0; axis < 3; axis++) {
        float *displacement = trace->displacement[axis];
        memcpy(displacement + trace->shift + trace->sy * to_j + trace->sz * to_k,
               displacement + trace->shift + trace->sy * from_j + trace->sz * from_k,
               (size_t)trace->sy * sizeof *displacement);
    }
}

static void set_ghost_ends(const TracePass *pass, int j, int k)
{
    const int n = pass->grid.nx;
    const bool periodic = pass->periodic[0];
    for (int axis = 0; axis < 3; axis++) {
        float *row = pass->trace.displacement[axis] + pass->trace.shift + pass->trace.sy * j + pass->trace.sz * k;
        row[0] = row[periodic ? n : 1];
        row[n + 1] = row[periodic ? 1 : n];
    }
}

// traces a plane and sets its ghosts: equal to the adjacent center, or periodic
static void trace_rows(const TracePass *pass, int k)
{
    const int ny = pass->grid.ny;
    for (int j = 1; j <= ny; j++) {
        brume_for_each_segment_next_to_active(&pass->region, j, k, trace_segment, &pass->trace);
        set_ghost_ends(pass, j, k);
    }
    copy_row(pass, 0, k, pass->periodic[1] ? ny : 1, k);
    copy_row(pass, ny + 1, k, pass->periodic[1] ? 1 : ny, k);
}

// the plane whose displacements plane k has: its own, or the adjacent plane for the ghosts 0 and nz + 1
static int traced_plane(const TracePass *pass, int k)
{
    const int nz = pass->grid.nz;
    const int inside = pass->periodic[2] ? (k < 1 ? nz : 1) : (k < 1 ? 1 : nz);
    return k >= 1 && k <= nz ? k : inside;
}

// traces the plane that has the displacements of plane k into plane `to`
static void trace_into(TracePass *pass, int k, int to)
{
    const int traced = traced_plane(pass, k);
    pass->trace.shift = pass->trace.sz * (to - traced);
    trace_rows(pass, traced);
}

// traces a plane and sets the adjacent ghosts
static void trace_plane(const TracePass *pass, int k)
{
    const int ny = pass->grid.ny;
    const int nz = pass->grid.nz;
    if (k < brume_first_plane(pass->grid)) { // of another rank, or ghosts of a periodic z
        TracePass below = *pass;
        below.trace.strip_displacement = NULL;
        trace_into(&below, k, k);
        return;
    }
    trace_rows(pass, k);
    for (int j = 0; j <= ny + 1 && !pass->periodic[2]; j++) {
        if (k == 1) {
            copy_row(pass, j, 0, j, 1);
        }
        if (k == nz) {
            copy_row(pass, j, nz + 1, j, nz);
        }
    }
}

// Processes the entries of plane k, all locations row by row, while the displacements of the row are in the L1 cache.
static void process_plane(const TracePass *pass, int k)
{
    for (int j = 1; j <= pass->grid.ny + 1; j++) {
        for (int location = 0; location <= BRUME_AT_CENTER; location++) {
            const BrumeGrid advected = pass->advected[location];
            if (pass->kernels->contexts[location] && j <= advected.ny && k <= advected.nz) {
                brume_for_each_active_segment_of_row(&pass->region, advected, j, k, pass->kernels->kernel,
                                                     pass->kernels->contexts[location]);
            }
        }
    }
}

// the lowest plane that is traced: the one below the first plane of this rank, for the faces in between
static int lowest_traced(const TracePass *pass)
{
    const int first = brume_first_plane(pass->grid);
    return first > 1 || pass->periodic[2] ? first - 1 : first;
}

// stage 0 traces the n-th plane of this rank, stage 1 processes its entries; planes are visited as a whole
static void visit(void *context, int stage, int n, int from, int to)
{
    const TracePass *pass = context;
    const int k = lowest_traced(pass) + n - 1;
    (void)from;
    (void)to;
    if (stage == 0) {
        trace_plane(pass, k);
        return;
    }
    if (k >= brume_first_plane(pass->grid)) {
        process_plane(pass, k);
    }
    if (k == pass->grid.nz) { // the faces on the upper side of the box
        process_plane(pass, k + 1);
    }
}

static TracePass make_pass(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps,
                           const BrumePathKernels *kernels)
{
    const BrumeField *u = &transport[0];
    TracePass pass = {
        .grid = u->grid,
        .kernels = kernels,
        .region = region_of(sim),
        .trace = {.sy = u->sy, .sz = u->sz, .cells_per_mps = cells_per_mps, .order = sim->def.trace_order},
    };
    for (int axis = 0; axis < 3; axis++) {
        pass.trace.domains[axis] = brume_sampling_domain(sim, axis);
        pass.trace.velocity[axis] = transport[axis].data;
        pass.advected[axis] = brume_advected_entries(sim, axis);
        pass.periodic[axis] = sim->geometry->cells.periodic[axis];
    }
    pass.advected[BRUME_AT_CENTER] = pass.grid;
    return pass;
}

void brume_trace(BrumeSim *sim, const BrumeField transport[3], float cells_per_mps, const BrumePathKernels *faces)
{
    TracePass pass = make_pass(sim, transport, -cells_per_mps, faces);
    pass.trace.strip_displacement = sim->advection->strip_displacement;
    for (int axis = 0; axis < 3; axis++) {
        pass.trace.displacement[axis] = sim->advection->backward.along[axis].data;
    }
    const int last = brume_last_plane(pass.grid);
    const BrumeWavefront wavefront = {
        .context = &pass,
        .grid = brume_grid(pass.grid.nx, pass.grid.ny, last - lowest_traced(&pass) + 1),
        .stages = 2,
        .parallel = true,
        .whole_planes = true,
        .visit = visit,
    };
    if (brume_first_plane(pass.grid) <= last) {
        brume_wavefront_run(&wavefront);
    }
}

static void move_window(const TracePass *pass)
{
    const ptrdiff_t plane = pass->trace.sz;
    for (int axis = 0; axis < 3; axis++) {
        float *window = pass->trace.displacement[axis];
        memcpy(window, window + plane, (size_t)plane * sizeof *window);
    }
}

void brume_trace_forward(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps,
                         const BrumePathKernels *kernels)
{
    const TracePass shared = make_pass(sim, transport, cells_per_mps, kernels);
    const bool with_faces = kernels->contexts[0] != NULL;
    const int first = brume_first_plane(shared.grid);
    const int last = brume_planes_to(shared.grid, shared.advected[with_faces ? 2 : BRUME_AT_CENTER].nz);
    const ptrdiff_t entries = brume_window_entries(shared.grid);
#pragma omp parallel num_threads(brume_min_int(brume_get_threads(), sim->advection->window_count))
    {
        TracePass pass = shared;
        for (int axis = 0; axis < 3; axis++) {
            pass.trace.displacement[axis] = sim->advection->windows + (3 * omp_get_thread_num() + axis) * entries;
        }
        int traced = INT_MIN; // the plane in plane 1 of the window
#pragma omp for schedule(static)
        for (int k = first; k <= last; k++) {
            if (traced == k - 1) {
                move_window(&pass);
            } else if (with_faces) {
                trace_into(&pass, k - 1, 0);
            }
            trace_into(&pass, k, 1);
            traced = k;
            process_plane(&pass, k);
        }
    }
}
