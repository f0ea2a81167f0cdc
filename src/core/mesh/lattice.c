// Each triangle is projected along each axis; the lines of the lattice along that axis are points there. All changes of
// the bits and sums are of integers, so that their order does not matter.
#include "core/mesh/lattice.h"

#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/minmax.h"

#include <math.h>

static const double UNITS = 65536.0;    // of a coordinate in 1
static const double FARTHEST = 8191.0;  // for which products of differences fit into 64 bits
static const double ROUNDING = 0x1p-13; // distance at which the surface touches a point

static void in_lattice(const BrumeMeshLattice *lattice, BrumeVec3 p, double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = lattice->origin[axis] + lattice->axes[0][axis] * (double)p.x + lattice->axes[1][axis] * (double)p.y +
                   lattice->axes[2][axis] * (double)p.z;
    }
}

bool brume_mesh_fits_lattice(const BrumeMesh *mesh, const BrumeMeshLattice *lattice)
{
    const BrumeMeshInfo *info = &mesh->info;
    bool fits = true;
    for (int n = 0; n < 8; n++) {
        double at[3];
        in_lattice(lattice,
                   (BrumeVec3){n & 1 ? info->upper.x : info->lower.x, n & 2 ? info->upper.y : info->lower.y,
                               n & 4 ? info->upper.z : info->lower.z},
                   at);
        fits = fits && fabs(at[0]) < FARTHEST && fabs(at[1]) < FARTHEST && fabs(at[2]) < FARTHEST;
    }
    return fits;
}

// the points and sums that triangles change
typedef struct Crossings {
    const int *count; // of the points along each axis
    uint8_t *bits;
    int *sums; // crossings inwards less those outwards between a point and the one before along x
} Crossings;

static void set_bit(const Crossings *crossings, ptrdiff_t line, ptrdiff_t stride, int axis, int n, int bit)
{
    if (n >= 0 && n < crossings->count[axis]) {
        uint8_t *const bits = &crossings->bits[line + stride * n];
#pragma omp atomic
        *bits |= (uint8_t)bit;
    }
}

// a crossing of the line at `line` along an axis, outwards in its direction or inwards
static void add_crossing(const Crossings *crossings, ptrdiff_t line, int axis, double at, bool outwards)
{
    const int *count = crossings->count;
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? count[0] : (ptrdiff_t)count[0] * count[1];
    const int below = (int)floor(at);
    const double share = at - below;
    set_bit(crossings, line, stride, axis, below, BRUME_LATTICE_X << axis);
    if (share < ROUNDING) {
        set_bit(crossings, line, stride, axis, below - 1, BRUME_LATTICE_X << axis);
        set_bit(crossings, line, stride, axis, below, BRUME_LATTICE_TOUCHED);
    } else if (share > 1.0 - ROUNDING) {
        set_bit(crossings, line, stride, axis, below + 1, BRUME_LATTICE_X << axis);
        set_bit(crossings, line, stride, axis, below + 1, BRUME_LATTICE_TOUCHED);
    }
    if (axis == 0 && below + 1 < count[0]) {
        int *const sum = &crossings->sums[line + brume_max_int(below + 1, 0)];
#pragma omp atomic
        *sum += outwards ? -1 : 1;
    }
}

// Twice the area of the triangle of points a, b and p, of which `positive` is the sign; where it is 0, the sign beside
// p, at an infinitesimal distance d along the first axis and d^2 along the second one.
static int64_t area_with(const int64_t a[2], const int64_t b[2], const int64_t p[2], bool *positive)
{
    const int64_t side[2] = {b[0] - a[0], b[1] - a[1]};
    const int64_t area = side[0] * (p[1] - a[1]) - side[1] * (p[0] - a[0]);
    *positive = area != 0 ? area > 0 : side[1] != 0 ? side[1] < 0 : side[0] > 0;
    return area;
}

// the first and the last of `count` points between the least and the largest coordinate
static void find_points(const int64_t a, const int64_t b, const int64_t c, int count, int *first, int *last)
{
    const int64_t least = a < b ? (a < c ? a : c) : (b < c ? b : c);
    const int64_t most = a > b ? (a > c ? a : c) : (b > c ? b : c);
    const double from = ceil((double)least / UNITS);
    const double to = floor((double)most / UNITS);
    *first = from > 0.0 ? (int)from : 0;
    *last = to < count - 1 ? (int)to : count - 1;
}

static void cross_lines(const Crossings *crossings, int32_t (*const corners[3])[3], int axis)
{
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    int64_t flat[3][2];
    double height[3];
    for (int n = 0; n < 3; n++) {
        flat[n][0] = (*corners[n])[u];
        flat[n][1] = (*corners[n])[v];
        height[n] = (double)(*corners[n])[axis] / UNITS;
    }
    int from[2];
    int to[2];
    find_points(flat[0][0], flat[1][0], flat[2][0], crossings->count[u], &from[0], &to[0]);
    find_points(flat[0][1], flat[1][1], flat[2][1], crossings->count[v], &from[1], &to[1]);
    const ptrdiff_t strides[3] = {1, crossings->count[0], (ptrdiff_t)crossings->count[0] * crossings->count[1]};
    for (int b = from[1]; b <= to[1]; b++) {
        for (int a = from[0]; a <= to[0]; a++) {
            const int64_t p[2] = {(int64_t)a << 16, (int64_t)b << 16};
            bool positive[3]; // opposite to each corner
            int64_t areas[3];
            for (int n = 0; n < 3; n++) {
                areas[n] = area_with(flat[(n + 1) % 3], flat[(n + 2) % 3], p, &positive[n]);
            }
            if (positive[0] != positive[1] || positive[0] != positive[2]) {
                continue;
            }
            const double sum = (double)areas[0] + (double)areas[1] + (double)areas[2];
            const double at =
                height[0] +
                ((double)areas[1] * (height[1] - height[0]) + (double)areas[2] * (height[2] - height[0])) / sum;
            add_crossing(crossings, strides[u] * a + strides[v] * b, axis, at, positive[0]);
        }
    }
}

// marks the points inside
static void sum_crossings(const Crossings *crossings)
{
    const int *count = crossings->count;
#pragma omp parallel for schedule(static)
    for (int line = 0; line < count[1] * count[2]; line++) {
        const int *sums = crossings->sums + (ptrdiff_t)line * count[0];
        uint8_t *bits = crossings->bits + (ptrdiff_t)line * count[0];
        int sum = 0;
        for (int i = 0; i < count[0]; i++) {
            sum += sums[i];
            bits[i] = (uint8_t)(bits[i] | (sum > 0 ? BRUME_LATTICE_INSIDE : 0));
        }
    }
}

bool brume_mesh_cross_lattice(const BrumeMesh *mesh, const BrumeMeshLattice *lattice, uint8_t *bits)
{
    const BrumeMeshVertices *welded = &mesh->welded;
    const size_t points = (size_t)lattice->count[0] * (size_t)lattice->count[1] * (size_t)lattice->count[2];
    int32_t(*vertices)[3] = brume_alloc_untouched((size_t)welded->vertex_count, sizeof *vertices);
    const Crossings crossings = {lattice->count, bits, brume_alloc(points, sizeof *crossings.sums)};
    const bool done = vertices && crossings.sums;
    if (done) {
#pragma omp parallel for schedule(static)
        for (int n = 0; n < welded->vertex_count; n++) {
            double at[3];
            in_lattice(lattice, welded->positions[n], at);
            for (int axis = 0; axis < 3; axis++) {
                vertices[n][axis] = (int32_t)floor(at[axis] * UNITS + 0.5);
            }
        }
#pragma omp parallel for schedule(static)
        for (ptrdiff_t n = 0; n < (ptrdiff_t)points; n++) {
            bits[n] = 0;
        }
#pragma omp parallel for schedule(static)
        for (int n = 0; n < welded->triangle_count; n++) {
            const int *v = welded->corners + 3 * (size_t)n;
            int32_t(*const corners[3])[3] = {&vertices[v[0]], &vertices[v[1]], &vertices[v[2]]};
            for (int axis = 0; axis < 3; axis++) {
                cross_lines(&crossings, corners, axis);
            }
        }
        sum_crossings(&crossings);
    }
    brume_free(vertices);
    brume_free(crossings.sums);
    return done;
}
