#include "raymarch/light/ordinates.h"

#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/grid_medium.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define VERTEX (25.0f / 840.0f) // of the icosahedron
#define FACE (27.0f / 840.0f)   // of the dodecahedron

static const BrumeOrdinate downward[BRUME_DOWNWARD_ORDINATES] = {
    {{-0.221870659f, -0.956835602f, -0.187720648f}, VERTEX}, {{0.407800703f, -0.909712007f, -0.078247369f}, FACE},
    {{-0.087018308f, -0.895824907f, 0.435804487f}, FACE},    {{0.095397868f, -0.717190990f, -0.690316109f}, FACE},
    {{-0.705236108f, -0.694721189f, 0.141437266f}, FACE},    {{0.513972861f, -0.687273668f, 0.513309656f}, VERTEX},
    {{-0.592496712f, -0.584319358f, -0.554543537f}, FACE},   {{0.680079754f, -0.524610875f, -0.512127873f}, VERTEX},
    {{-0.499550664f, -0.491504535f, 0.713352946f}, VERTEX},  {{0.903490532f, -0.421161991f, 0.079545186f}, FACE},
    {{0.102856555f, -0.398692190f, 0.911298561f}, FACE},     {{-0.230784067f, -0.228310607f, -0.945839829f}, VERTEX},
    {{-0.959835759f, -0.207849764f, -0.188451030f}, VERTEX}, {{0.398012127f, -0.109656442f, -0.910802839f}, FACE},
    {{0.715024684f, -0.105334375f, 0.691118204f}, FACE},     {{-0.897440859f, -0.073299541f, 0.435002392f}, FACE},
};

BrumeOrdinate brume_ordinate(int n)
{
    BrumeOrdinate ordinate = downward[n % BRUME_DOWNWARD_ORDINATES];
    if (n >= BRUME_DOWNWARD_ORDINATES) {
        ordinate.direction = brume_scale(ordinate.direction, -1.0f);
    }
    return ordinate;
}

int brume_ordinate_axis(BrumeVec3 direction, BrumeVec3 cell)
{
    const float x = fabsf(direction.x) / cell.x;
    const float y = fabsf(direction.y) / cell.y;
    const float z = fabsf(direction.z) / cell.z;
    if (y >= x && y >= z) {
        return 1;
    }
    return z >= x ? 2 : 0;
}

// entries of a plane across y or z, with a margin: rows along x
static size_t plane_entries(BrumeGrid grid)
{
    const int rows = grid.ny > grid.nz ? grid.ny : grid.nz;
    return (size_t)(grid.nx + 2) * (size_t)(rows + 2);
}

size_t brume_ordinate_scratch(BrumeGrid grid)
{
    const size_t entries = plane_entries(grid);
    const size_t transposed = plane_entries(brume_grid(grid.nz, grid.ny, grid.nx));
    return 2 * (entries > transposed ? entries : transposed);
}

// bilinear weights of the entries (0, 0), (1, 0), (0, 1), (1, 1)
typedef struct Bilinear {
    float a0, a1, b0, b1;
} Bilinear;

// Computes a row of radiance from the plane before it, as brume_ordinate_sweep describes. `upstream_radiance`,
// `extinction_a` and `source_a` point to the first entries to interpolate there; rows of the radiance are `row` entries
// apart, rows of the fields `field_row`.
BRUME_INLINE void transport(float *restrict radiance, const float *restrict upstream_radiance, ptrdiff_t row,
                            const float *restrict extinction_a, const float *restrict source_a, ptrdiff_t field_row,
                            const float *restrict extinction, const float *restrict source, const Bilinear *at,
                            float half_length, float ramp, float thick_ramp, bool by_extinction, int count)
{
    const float a0 = at->a0;
    const float a1 = at->a1;
    const float b0 = at->b0;
    const float b1 = at->b1;
    const float *upstream_radiance_b = upstream_radiance + row;
    const float *extinction_b = extinction_a + field_row;
    const float *source_b = source_a + field_row;
    for (int i = 0; i < count; i++) {
        const float incoming = (a0 * upstream_radiance[i] + a1 * upstream_radiance[i + 1]) +
                               (b0 * upstream_radiance_b[i] + b1 * upstream_radiance_b[i + 1]);
        const float upstream_extinction =
            (a0 * extinction_a[i] + a1 * extinction_a[i + 1]) + (b0 * extinction_b[i] + b1 * extinction_b[i + 1]);
        const float upstream_source =
            by_extinction ? ((a0 * extinction_a[i] * source_a[i] + a1 * extinction_a[i + 1] * source_a[i + 1]) +
                             (b0 * extinction_b[i] * source_b[i] + b1 * extinction_b[i + 1] * source_b[i + 1])) /
                                brume_max(upstream_extinction, 1e-30f)
                          : (a0 * source_a[i] + a1 * source_a[i + 1]) + (b0 * source_b[i] + b1 * source_b[i + 1]);
        const float depth = half_length * (upstream_extinction + extinction[i]);
        const float transmittance = brume_fast_exp(-depth);
        // mean transmittance to the end of the step
        const float series = 1.0f - depth * (0.5f - depth * (1.0f / 6.0f));
        const float quotient = (1.0f - transmittance) / brume_max(depth, 0.01f);
        const float mean = depth < 0.01f ? series : quotient;
        // the light of each end's source counts by the extinction close to it
        const float mix = brume_max(ramp, thick_ramp - mean); // mean: nearly 1 / depth
        const float of_upstream = (mean - transmittance) * (upstream_extinction + mix * extinction[i]);
        const float of_here = (1.0f - mean) * (mix * upstream_extinction + extinction[i]);
        const float both =
            (of_upstream * upstream_source + of_here * source[i]) / brume_max(of_upstream + of_here, 1e-30f);
        radiance[i] = incoming * transmittance + both * (1.0f - transmittance);
    }
}

// transport with a source that is interpolated linearly between cells
BRUME_KERNEL static void transport_row(float *restrict radiance, const float *restrict upstream_radiance, ptrdiff_t row,
                                       const float *restrict extinction_a, const float *restrict source_a,
                                       ptrdiff_t field_row, const float *restrict extinction,
                                       const float *restrict source, const Bilinear *at, float half_length, float ramp,
                                       float thick_ramp, int count)
{
    transport(radiance, upstream_radiance, row, extinction_a, source_a, field_row, extinction, source, at, half_length,
              ramp, thick_ramp, false, count);
}

// transport with a source whose mean between cells is weighted by extinction
BRUME_KERNEL static void transport_emission_row(float *restrict radiance, const float *restrict upstream_radiance,
                                                ptrdiff_t row, const float *restrict extinction_a,
                                                const float *restrict source_a, ptrdiff_t field_row,
                                                const float *restrict extinction, const float *restrict source,
                                                const Bilinear *at, float half_length, float ramp, float thick_ramp,
                                                int count)
{
    transport(radiance, upstream_radiance, row, extinction_a, source_a, field_row, extinction, source, at, half_length,
              ramp, thick_ramp, true, count);
}

BRUME_KERNEL static void add_weighted_row(float *restrict sum, const float *restrict row, float weight, int count)
{
    for (int i = 0; i < count; i++) {
        sum[i] += weight * row[i];
    }
}

// the lower of the two entries between which a point at the distance -shear from an entry lies, as an offset
static int lower_entry(float shear, float *fraction)
{
    const int lower = shear > 0.0f ? -1 : 0;
    *fraction = -shear - (float)lower;
    return lower;
}

// The order in which a sweep passes the cells of its fields, and where it interpolates between the cells of the plane
// before.
typedef struct SweepOrder {
    bool along_y; // or along z
    int columns, rows, planes;
    ptrdiff_t row_stride, plane_stride;
    float length;    // between two planes
    int du, dv;      // the first column and row to interpolate, relative to the own ones
    float fu, fv;    // the offset from them
    int step, first; // from plane to plane, and the first plane
} SweepOrder;

// the planes of a sweep in the order in which light crosses them, and where light arrives from on the plane before
static SweepOrder sweep_order(const BrumeOrdinateSweep *sweep)
{
    const BrumeField *field = sweep->extinction;
    const int axis = brume_ordinate_axis(sweep->direction, sweep->cell);
    assert(axis != 0);
    const bool along_y = axis == 1;
    const float along = along_y ? sweep->direction.y : sweep->direction.z;
    SweepOrder order = {
        .along_y = along_y,
        .columns = field->grid.nx,
        .rows = along_y ? field->grid.nz : field->grid.ny,
        .planes = along_y ? field->grid.ny : field->grid.nz,
        .row_stride = along_y ? field->sz : field->sy,
        .plane_stride = along_y ? field->sy : field->sz,
        .length = (along_y ? sweep->cell.y : sweep->cell.z) / fabsf(along),
    };
    order.step = along > 0.0f ? 1 : -1;
    order.first = along > 0.0f ? 1 : order.planes;
    const float row_shear =
        along_y ? sweep->direction.z * order.length / sweep->cell.z : sweep->direction.y * order.length / sweep->cell.y;
    order.du = lower_entry(sweep->direction.x * order.length / sweep->cell.x, &order.fu);
    order.dv = lower_entry(row_shear, &order.fv);
    return order;
}

// the margins of a plane from which rays enter the next one
static int upstream_row(const SweepOrder *order) { return order->dv < 0 ? 0 : order->rows + 1; }

static int upstream_column(const SweepOrder *order) { return order->du < 0 ? 0 : order->columns + 1; }

// the center of an entry
static BrumeVec3 entry_center(const BrumeOrdinateSweep *sweep, const SweepOrder *order, int column, int row, int plane)
{
    const float x = (float)column - 0.5f;
    const float v = (float)row - 0.5f;
    const float w = (float)plane - 0.5f;
    return brume_mul(sweep->cell, order->along_y ? brume_vec3(x, w, v) : brume_vec3(x, v, w));
}

size_t brume_ordinate_boundary_entries(BrumeGrid grid)
{
    const size_t side = (size_t)brume_grid_longest_side(grid) + 2;
    return side * side + side * 2 * side; // the plane before the first, and a row and a column of each plane
}

// A boundary has the plane before the first, then for each plane its upstream row and column.
void brume_ordinate_boundary(const BrumeOrdinateSweep *sweep, BrumeBoundaryRadiance radiance, const void *context,
                             float *const colors[3])
{
    const SweepOrder order = sweep_order(sweep);
    ptrdiff_t entry = 0;
    for (int n = -1; n < order.planes; n++) {
        const int plane = order.first + n * order.step;
        const int first_row = n < 0 ? 0 : upstream_row(&order);
        const int last_row = n < 0 ? order.rows + 1 : first_row;
        const int column = upstream_column(&order);
        for (int v = first_row; v <= last_row; v++) {
            for (int u = 0; u < order.columns + 2; u++, entry++) {
                const BrumeVec3 light = radiance(context, entry_center(sweep, &order, u, v, plane));
                colors[0][entry] = light.x;
                colors[1][entry] = light.y;
                colors[2][entry] = light.z;
            }
        }
        for (int v = 0; n >= 0 && v < order.rows + 2; v++, entry++) {
            const BrumeVec3 light = radiance(context, entry_center(sweep, &order, column, v, plane));
            colors[0][entry] = light.x;
            colors[1][entry] = light.y;
            colors[2][entry] = light.z;
        }
    }
}

void brume_ordinate_sweep(const BrumeOrdinateSweep *sweep, int count, float *const sums[], const float weights[],
                          float *scratch)
{
    const BrumeField *field = sweep->extinction;
    const SweepOrder order = sweep_order(sweep);
    const float fu = order.fu;
    const float fv = order.fv;
    const Bilinear at = {(1.0f - fv) * (1.0f - fu), (1.0f - fv) * fu, fv * (1.0f - fu), fv * fu};
    const ptrdiff_t row = order.columns + 2;
    const ptrdiff_t entries = row * (order.rows + 2);
    float *upstream_radiance = scratch;
    float *plane_radiance = scratch + entries;
    for (ptrdiff_t n = 0; n < 2 * entries; n++) {
        scratch[n] = sweep->inflow; // of the plane before the first, and of the margins
    }
    const float *boundary = sweep->boundary;
    if (boundary != NULL) {
        memcpy(upstream_radiance, boundary, (size_t)entries * sizeof *upstream_radiance);
        boundary += entries;
    }
    int plane = order.first;
    for (int n = 0; n < order.planes; n++, plane += order.step) {
        for (int v = 1; v <= order.rows; v++) {
            const ptrdiff_t own = order.plane_stride * plane + order.row_stride * v + 1;
            const ptrdiff_t upstream = own + order.du + order.row_stride * order.dv - order.step * order.plane_stride;
            float *to = plane_radiance + row * v + 1;
            void (*const along_row)(float *restrict, const float *restrict, ptrdiff_t, const float *restrict,
                                    const float *restrict, ptrdiff_t, const float *restrict, const float *restrict,
                                    const Bilinear *, float, float, float, int) =
                sweep->by_extinction ? transport_emission_row : transport_row;
            along_row(to, upstream_radiance + row * (v + order.dv) + 1 + order.du, row, field->data + upstream,
                      sweep->source->data + upstream, order.row_stride, field->data + own, sweep->source->data + own,
                      &at, 0.5f * order.length, sweep->ramp, sweep->thick_ramp, order.columns);
            for (int m = 0; m < count; m++) {
                add_weighted_row(sums[m] + own, to, weights[m], order.columns);
            }
        }
        if (boundary != NULL) {
            memcpy(plane_radiance + row * upstream_row(&order), boundary, (size_t)row * sizeof *plane_radiance);
            boundary += row;
            for (int v = 0; v < order.rows + 2; v++) {
                plane_radiance[row * v + upstream_column(&order)] = *boundary++;
            }
        }
        float *swap = upstream_radiance;
        upstream_radiance = plane_radiance;
        plane_radiance = swap;
    }
}
