#include "raymarch/light/disc_light.h"

#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/parallel/trilinear8.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/lattice_fit.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/scattering.h"

#include <assert.h>

// The n-th of `count` directions in which light travels: squares around the center of the disc, each turned against the
// one inside it. The disc has the same means of first and second order.
static BrumeVec3 disc_direction(const BrumeLight *light, int n, int count)
{
    const int square = n / 4;
    const int squares = count / 4;
    const float u = ((float)square + 0.5f) / (float)squares;
    const float turns = 0.25f * ((float)(n % 4) + 0.618033989f * (float)square);
    return brume_normalize(brume_cap_direction(light->direction, brume_cap_height(light->angle), u, turns));
}

// how many directions stand for a disc: two for each cell of the width of its penumbra behind the whole box
static int direction_count(const BrumeLight *light, BrumeGrid grid)
{
    const float width = light->angle * (BRUME_PI / 180.0f) * (float)brume_grid_longest_side(grid); // [cells]
    int count = BRUME_DISC_FEWEST;
    while (count < BRUME_DISC_MOST && (float)count < 2.0f * width) {
        count *= 2;
    }
    return count;
}

size_t brume_disc_light_entries(const BrumeLight *light, BrumeGrid grid, int per_cell)
{
    size_t largest = 0;
    for (int count = BRUME_DISC_FEWEST; count <= BRUME_DISC_MOST; count *= 2) {
        for (int n = 0; n < count; n++) {
            const size_t entries = brume_sweep_entries(disc_direction(light, n, count), grid, per_cell);
            largest = entries > largest ? entries : largest;
        }
    }
    return largest;
}

bool brume_disc_light_along_x(const BrumeLight *light)
{
    bool along_x = false;
    for (int count = BRUME_DISC_FEWEST; count <= BRUME_DISC_MOST; count *= 2) {
        for (int n = 0; n < count; n++) {
            along_x |= brume_sweep_axis(disc_direction(light, n, count)) == 0;
        }
    }
    return along_x;
}

static inline float eighth_power(float x)
{
    x *= x;
    x *= x;
    return x * x;
}

static float eighth_root(float x) { return sqrtf(sqrtf(sqrtf(x))); }

// the rays of all directions, against those of the lattice of the center; false where that has no bound
static bool find_spread(BrumeSweepSpread *spread, const BrumeTransmittanceSweep *sweep, const BrumeLight *light,
                        int count)
{
    const float slowest = 0.1f; // [planes per cell]; slower rays are nearly parallel to the planes
    *spread = (BrumeSweepSpread){.any = true};
    for (int n = 0; n < count; n++) {
        const BrumeVec3 direction = disc_direction(light, n, count);
        const float planes = brume_dot(sweep->n.slope, direction);
        const float moved[2] = {brume_dot(sweep->u.slope, direction) / planes,
                                brume_dot(sweep->v.slope, direction) / planes};
        if (!(planes > slowest)) {
            return false;
        }
        for (int axis = 0; axis < 2; axis++) {
            spread->lower[axis] = brume_fminf(spread->lower[axis], moved[axis]);
            spread->upper[axis] = brume_fmaxf(spread->upper[axis], moved[axis]);
        }
    }
    return true;
}

// Limits a row of entries, from `first` to `last`, to those at which light of another direction may not be 1: where one
// coordinate of its lattice, which has these values at the first and the last entry of the row, is in the stored part.
static void limit_row(const BrumeTransmittanceSweep *from, int axis, float at_first, float at_last, int row, int *first,
                      int *last)
{
    const float slack = 6.0f * (float)from->per_cell + 2.0f; // points near the box are moved to its faces
    const int lowest = from->stored.first[axis];
    const int end = lowest + from->stored.count[axis];
    const bool along_rays = axis == 1; // behind the smoke, the light stays as it is
    const float lower = along_rays && lowest == 0 ? -INFINITY : (float)lowest - slack;
    const float upper = along_rays ? INFINITY : (float)end + slack;
    const float step = (at_last - at_first) / (float)row;
    if (fabsf(step) < 1e-4f) {
        const bool inside = brume_fmaxf(at_first, at_last) >= lower && brume_fminf(at_first, at_last) <= upper;
        *last = inside ? *last : -1;
        return;
    }
    const float a = (lower - at_first) / step;
    const float b = (upper - at_first) / step;
    *first = brume_max_int(*first, (int)brume_clamp(floorf(brume_fminf(a, b)), 0.0f, (float)row + 1.0f));
    *last = brume_min_int(*last, (int)brume_clamp(ceilf(brume_fmaxf(a, b)), -1.0f, (float)row));
}

// The point [cells] where an entry gets its light. Interpolation inside the box reads entries of up to a cell outside
// of it, which are fitted to their neighbors: near the box they get the light at its faces.
static inline BrumeVec3 lit_point(BrumeVec3 entry, BrumeVec3 upper)
{
    const float near = 2.5f; // [cells]
    const bool is_near = entry.x > -near && entry.y > -near && entry.z > -near && entry.x < upper.x + near &&
                         entry.y < upper.y + near && entry.z < upper.z + near;
    return brume_vec3(is_near ? brume_clamp(entry.x, 0.0f, upper.x) : entry.x,
                      is_near ? brume_clamp(entry.y, 0.0f, upper.y) : entry.y,
                      is_near ? brume_clamp(entry.z, 0.0f, upper.z) : entry.z);
}

/** Entries of a row of rays on one plane of a sweep. */
typedef struct EntryRow {
    const BrumeTransmittanceSweep *sweep;
    BrumeVec3 extent; // of the box [cells]
    int iv, plane;
} EntryRow;

// adds the light of another direction to `count` entries from the ray `iu` on
static void add_entries(float *sum, const EntryRow *row, const BrumeTransmittanceSweep *from, int iu, int count)
{
    for (int n = 0; n < count; n++) {
        const BrumeVec3 entry = brume_sweep_point(row->sweep, iu + n, row->iv, row->plane);
        sum[n] += eighth_power(brume_sweep_at_any_point(from, lit_point(entry, row->extent)));
    }
}

enum { PART = 64 }; // entries that are computed at once

// The coordinate along rays or planes of points, limited to the entries of a lattice; sets the stored entry below each
// and the offset from it as brume_sweep_place does, and marks points outside of the lattice.
BRUME_INLINE void find_places(int32_t *restrict index, float *restrict offset, const float *restrict coordinate,
                              int32_t entries, int32_t first, int32_t count, int points)
{
    const float last = (float)(entries - 1);
#pragma omp simd
    for (int m = 0; m < points; m++) {
        const float at = brume_clamp(coordinate[m], 0.0f, last);
        int32_t n = (int32_t)at;
        n = n < entries - 2 ? n : entries - 2;
        offset[m] = at - (float)n;
        n -= first;
        n = n < count - 2 ? n : count - 2;
        index[m] = n > 0 ? n : 0;
    }
}

// add_entries for up to PART entries, in vectors and with the same bits; indices of stored entries fit into 32 bits
BRUME_KERNEL static void add_few_entries(float *restrict sum, const EntryRow *row, const BrumeTransmittanceSweep *from,
                                         int iu, int count)
{
    const BrumeTransmittanceSweep *sweep = row->sweep;
    const BrumeLatticeWindow *stored = &from->stored;
    const int32_t sn = stored->count[0];
    const int32_t sv = sn * stored->count[1];
    const int points = (count + BRUME_LANES - 1) / BRUME_LANES * BRUME_LANES;
    float at[3][PART];  // the points
    float ray[3][PART]; // their coordinates along u, n and v
    int32_t place[3][PART];
    float offset[3][PART];
    float light[PART];
    const BrumeVec3 first = brume_sweep_point(sweep, iu, row->iv, row->plane);
    const int along = sweep->axis == 0 ? 2 : 0; // the axis of successive rays
    const float shift = sweep->shear_u * (float)row->plane;
    const float spacing = sweep->spacing;
    for (int axis = 0; axis < 3; axis++) {
        const float same = brume_component(first, axis);
        for (int m = 0; m < points; m++) {
            at[axis][m] = same;
        }
    }
    for (int m = 0; m < points; m++) {
        at[along][m] = (sweep->u_min + (float)(iu + m) + shift) * spacing;
    }
    const BrumeVec3 extent = row->extent;
    const BrumeAffineCoordinate coordinates[3] = {from->u, from->n, from->v};
#pragma omp simd
    for (int m = 0; m < points; m++) {
        const BrumeVec3 point = lit_point(brume_vec3(at[0][m], at[1][m], at[2][m]), extent);
        ray[0][m] = brume_affine_at(coordinates[0], point);
        ray[1][m] = brume_affine_at(coordinates[1], point);
        ray[2][m] = brume_affine_at(coordinates[2], point);
    }
    find_places(place[0], offset[0], ray[0], from->nu, stored->first[0], stored->count[0], points);
    find_places(place[1], offset[1], ray[1], from->planes, stored->first[1], stored->count[1], points);
    find_places(place[2], offset[2], ray[2], from->nv, stored->first[2], stored->count[2], points);
    for (int m = 0; m < points; m++) {
        place[0][m] += sn * place[1][m] + sv * place[2][m];
    }
    for (int m = 0; m < points; m += BRUME_LANES) {
        brume_trilinear8(light + m, from->transmittance, sn, sv, place[0] + m, offset[0] + m, offset[1] + m,
                         offset[2] + m);
    }
    const float last_u = (float)(from->nu - 1);
    const float last_v = (float)(from->nv - 1);
    for (int m = 0; m < count; m++) {
        // brume_sweep_at_any_point: 1 outside of the lattice
        const bool inside = (ray[0][m] >= 0.0f) & (ray[0][m] <= last_u) & (ray[2][m] >= 0.0f) & (ray[2][m] <= last_v);
        sum[m] += inside ? eighth_power(light[m]) : 1.0f;
    }
}

// adds the transmittance of one direction to the entries of a row of rays
static void add_row(const BrumeTransmittanceSweep *sweep, const BrumeTransmittanceSweep *from, BrumeGrid grid, int row)
{
    const BrumeLatticeWindow *stored = &sweep->stored;
    const int count = stored->count[0];
    const bool fits = brume_sweep_stored(from) <= INT32_MAX;
    EntryRow entries = {.sweep = sweep, .extent = brume_grid_extent(grid), .iv = stored->first[2] + row};
    float *sum = sweep->transmittance + (ptrdiff_t)row * count * stored->count[1];
    for (int n = 0; n < stored->count[1]; n++, sum += count) {
        entries.plane = stored->first[1] + n;
        const BrumeVec3 left = brume_sweep_point(sweep, stored->first[0], entries.iv, entries.plane);
        const BrumeVec3 right = brume_sweep_point(sweep, stored->first[0] + count - 1, entries.iv, entries.plane);
        int first = 0;
        int last = count - 1;
        limit_row(from, 0, brume_affine_at(from->u, left), brume_affine_at(from->u, right), count - 1, &first, &last);
        limit_row(from, 1, brume_affine_at(from->n, left), brume_affine_at(from->n, right), count - 1, &first, &last);
        limit_row(from, 2, brume_affine_at(from->v, left), brume_affine_at(from->v, right), count - 1, &first, &last);
        first = brume_min_int(first, last + 1);
        for (int iu = 0; iu < first; iu++) {
            sum[iu] += 1.0f;
        }
        for (int iu = first; iu <= last; iu += PART) {
            const int part = brume_min_int(last + 1 - iu, PART);
            (fits ? add_few_entries : add_entries)(sum + iu, &entries, from, stored->first[0] + iu, part);
        }
        for (int iu = last + 1; iu < count; iu++) {
            sum[iu] += 1.0f;
        }
    }
}

void brume_disc_light_fill(BrumeTransmittanceSweep *sweep, BrumeTransmittanceSweep *scratch, const BrumeLight *light,
                           const BrumeGridMedium *medium, const BrumeField *transposed,
                           const BrumeRenderSettings *settings, int per_cell, int most)
{
    assert(BRUME_TRANSMITTANCE_ROOT == 8.0f);
    const int count = brume_min_int(direction_count(light, medium->grid), most);
    const float weight = 1.0f / (float)count;
    BrumeSweepSpread spread;
    brume_sweep_set_lattice(sweep, light->direction, medium->grid, per_cell);
    if (find_spread(&spread, sweep, light, count)) {
        brume_sweep_restrict(sweep, medium, settings, &spread);
    }
    assert((size_t)brume_sweep_stored(sweep) <= sweep->entries);
    const int rows = sweep->stored.count[2];
    const ptrdiff_t row = brume_sweep_stored(sweep) / rows;
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < row * rows; n++) {
        sweep->transmittance[n] = 0.0f;
    }
    for (int n = 0; n < count; n++) {
        const BrumeVec3 direction = disc_direction(light, n, count);
        if (settings->ground && direction.y >= 0.0f) {
            continue;
        }
        brume_sweep_fill(scratch, direction, medium, transposed, settings, per_cell, 1.0f / BRUME_TRANSMITTANCE_ROOT);
#pragma omp parallel for schedule(dynamic)
        for (int iv = 0; iv < rows; iv++) {
            add_row(sweep, scratch, medium->grid, iv);
        }
    }
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < row * rows; n++) {
        sweep->transmittance[n] = eighth_root(weight * sweep->transmittance[n]);
    }
    brume_fit_lattice(sweep->transmittance, sweep->stored.count[0], sweep->stored.count[1], rows);
}
