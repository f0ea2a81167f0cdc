/*
 * The one-dimensional pass on a strip: the piecewise parabolic method (Colella, Woodward 1984, "The Piecewise Parabolic
 * Method for gas-dynamical simulations") in flux-form semi-Lagrangian shape (Leonard, Lock, MacVean 1995; Lin, Rood
 * 1996). src/sim/reference/transport.c derives it in plain loops. The loops below perform the same operations on each
 * cell; they run over whole strips, and the loop over upstream cells ends where no face of a chunk is left to fill: for
 * the other faces of the chunk its terms are 0.
 */
#include "sim/transport/strip.h"

#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/grid/cells.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 64 };

static const float NEGLIGIBLE = 0x1p-60f; // smaller values become 0, before they become denormal numbers

BRUME_INLINE void find_edges(float *restrict edge, const float *q, const int32_t *solid, ptrdiff_t stride, ptrdiff_t n,
                             bool masked)
{
    for (ptrdiff_t e = 0; e < n; e++) {
        const float lower = q[e - stride];
        const float upper = q[e];
        float below = q[e - 2 * stride];
        float above = q[e + stride];
        if (masked) { // the nearest value that is there
            below = solid[e - 2 * stride] ? lower : below;
            above = solid[e + stride] ? upper : above;
        }
        const float value = (7.0f / 12.0f) * (lower + upper) - (1.0f / 12.0f) * (below + above);
        const float low = brume_min_float(lower, upper);
        const float high = brume_max_float(lower, upper);
        edge[e] = brume_min_float(brume_max_float(value, low), high);
    }
}

BRUME_STREAM_KERNEL static void transport_edges(float *edge, const float *q, const int32_t *solid, ptrdiff_t stride,
                                                ptrdiff_t n, bool masked)
{
    if (masked) {
        find_edges(edge, q, solid, stride, n, true);
    } else {
        find_edges(edge, q, solid, stride, n, false);
    }
}

void brume_strip_edges(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool masked)
{
    transport_edges(strip->edge + from, strip->q + from, strip->solid + from, stride, to - from, masked);
}

// a where it has the sign of b and is at most twice as large, 2 b where it is larger, 0 where the signs differ
BRUME_INLINE float limit_slope(float a, float b)
{
    const float twice = b + b;
    return brume_max_float(brume_min_float(a, twice), 0.0f) + brume_min_float(brume_max_float(a, twice), 0.0f);
}

BRUME_INLINE void limit_edges(float *restrict below, float *restrict above, const float *q, const float *edge,
                              const int32_t *solid, ptrdiff_t stride, ptrdiff_t n, bool masked)
{
    for (ptrdiff_t c = 0; c < n; c++) {
        float to_lower = q[c] - edge[c];
        float to_upper = edge[c + stride] - q[c];
        if (masked) {
            to_lower = solid[c - stride] ? 0.0f : to_lower;
            to_upper = solid[c + stride] ? 0.0f : to_upper;
        }
        below[c] = limit_slope(to_lower, to_upper);
        above[c] = limit_slope(to_upper, to_lower);
    }
}

BRUME_STREAM_KERNEL static void transport_limit(float *below, float *above, const float *q, const float *edge,
                                                const int32_t *solid, ptrdiff_t stride, ptrdiff_t n, bool masked)
{
    if (masked) {
        limit_edges(below, above, q, edge, solid, stride, n, true);
    } else {
        limit_edges(below, above, q, edge, solid, stride, n, false);
    }
}

void brume_strip_limit(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool masked)
{
    transport_limit(strip->below + from, strip->above + from, strip->q + from, strip->edge + from, strip->solid + from,
                    stride, to - from, masked);
}

// the sign of the displacements of a chunk of faces: where it is uniform, half of the loads are not needed
typedef enum Direction { UPWARDS, DOWNWARDS, MIXED } Direction;

// amounts through a chunk of faces
typedef struct FaceChunk {
    _Alignas(64) float amount[CHUNK]; // collected so far [unit cells]
    _Alignas(64) float rest[CHUNK];   // volume that is not collected yet [cells]
    // where the strip has solid cells: value of the last cell of air upstream, and whether a solid cell has been met
    _Alignas(64) float last[CHUNK];
    _Alignas(64) int32_t beyond[CHUNK];
} FaceChunk;

// adds the contribution of the cells at distance `level` upstream of each face
BRUME_INLINE void add_level(FaceChunk *restrict chunk, const BrumeStrip *strip, ptrdiff_t at, ptrdiff_t stride,
                            ptrdiff_t level, int count, Direction direction, bool first, bool masked)
{
    const float *courant = strip->courant + at;
    const ptrdiff_t lower = at - (level + 1) * stride;
    const ptrdiff_t upper = at + level * stride;
    const float *q = strip->q;
    const float *below = strip->below;
    const float *above = strip->above;
    const float *volume = strip->volume;
    const float *per_volume = strip->per_volume;
    const int32_t *solid = strip->solid;
    for (int n = 0; n < count; n++) {
        const bool upwards = direction == UPWARDS || (direction == MIXED && courant[n] > 0.0f);
        const float q_lower = q[lower + n];
        const float q_upper = q[upper + n];
        const float above_lower = above[lower + n];
        const float below_lower = below[lower + n];
        const float above_upper = above[upper + n];
        const float below_upper = below[upper + n];
        float value = upwards ? q_lower : q_upper;
        float near = upwards ? above_lower : -below_upper;
        float far = upwards ? below_lower : -above_upper;
        if (masked) {
            const int32_t solid_lower = solid[lower + n];
            const int32_t solid_upper = solid[upper + n];
            const int32_t inside = (upwards ? solid_lower : solid_upper) | chunk->beyond[n];
            value = inside ? chunk->last[n] : value;
            near = inside ? 0.0f : near;
            far = inside ? 0.0f : far;
            chunk->last[n] = value;
            chunk->beyond[n] = inside;
        }
        float taken;
        float fraction;
        if (first) {
            taken = brume_min_float(chunk->rest[n], 1.0f);
            fraction = taken;
        } else {
            const float volume_lower = volume[lower + n];
            const float volume_upper = volume[upper + n];
            const float per_lower = per_volume[lower + n];
            const float per_upper = per_volume[upper + n];
            taken = brume_min_float(chunk->rest[n], upwards ? volume_lower : volume_upper);
            fraction = taken * (upwards ? per_lower : per_upper);
        }
        const float mean = (value + near) - fraction * (((near + near) - far) + fraction * (far - near));
        chunk->amount[n] += taken * mean;
        chunk->rest[n] -= taken;
    }
}

BRUME_INLINE void find_fluxes(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t at, int count, bool first,
                              bool masked)
{
    FaceChunk chunk;
    const float *courant = strip->courant + at;
    for (int n = 0; n < count; n++) {
        chunk.amount[n] = 0.0f;
        chunk.rest[n] = fabsf(courant[n]);
    }
    if (masked) { // downstream, where the cell upstream may be solid
        for (int n = 0; n < count; n++) {
            const float q_lower = strip->q[at + n - stride];
            const float q_upper = strip->q[at + n];
            chunk.last[n] = courant[n] > 0.0f ? q_upper : q_lower;
            chunk.beyond[n] = 0;
        }
    }
    int32_t up = 0;
    int32_t down = 0;
    for (int n = 0; n < count; n++) {
        up |= courant[n] > 0.0f;
        down |= courant[n] < 0.0f;
    }
    int32_t left = 1;
    for (ptrdiff_t level = 0; left && level < BRUME_LARGEST_REACH; level++) {
        if (!down) {
            add_level(&chunk, strip, at, stride, level, count, UPWARDS, first, masked);
        } else if (!up) {
            add_level(&chunk, strip, at, stride, level, count, DOWNWARDS, first, masked);
        } else {
            add_level(&chunk, strip, at, stride, level, count, MIXED, first, masked);
        }
        left = 0;
        for (int n = 0; n < count; n++) {
            left |= chunk.rest[n] > 0.0f;
        }
    }
    float *restrict flux = strip->flux + at;
    for (int n = 0; n < count; n++) {
        flux[n] = courant[n] > 0.0f ? chunk.amount[n] : -chunk.amount[n];
    }
}

BRUME_STREAM_KERNEL static void transport_fluxes(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from,
                                                 ptrdiff_t to, bool first, bool masked)
{
    const BrumeStrip local = *strip; // a copy, which stores to the arrays cannot alias
    for (ptrdiff_t at = from; at < to; at += CHUNK) {
        const int count = to - at < CHUNK ? (int)(to - at) : CHUNK;
        if (masked && first) {
            find_fluxes(&local, stride, at, count, true, true);
        } else if (masked) {
            find_fluxes(&local, stride, at, count, false, true);
        } else if (first) {
            find_fluxes(&local, stride, at, count, true, false);
        } else {
            find_fluxes(&local, stride, at, count, false, false);
        }
    }
}

void brume_strip_fluxes(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool first,
                        bool masked)
{
    transport_fluxes(strip, stride, from, to, first, masked);
}

BRUME_INLINE void update_cells(float *restrict result, const float *q, const float *flux, const float *volume,
                               const float *per_next, ptrdiff_t stride, ptrdiff_t n, const BrumeUpdate *update,
                               bool first, bool divides)
{
    const float lowest = update->lowest;
    const float decay = update->decay;
    for (ptrdiff_t c = 0; c < n; c++) {
        const float content = first ? q[c] : q[c] * volume[c];
        const float amount = content - (flux[c + stride] - flux[c]);
        const float value = brume_max_float(divides ? amount * per_next[c] : amount, lowest);
        const float decayed = value * decay;
        result[c] = fabsf(decayed) < NEGLIGIBLE ? 0.0f : decayed;
    }
}

BRUME_STREAM_KERNEL static void transport_update(float *result, const float *q, const float *flux, const float *volume,
                                                 const float *per_next, ptrdiff_t stride, ptrdiff_t n,
                                                 const BrumeUpdate *update)
{
    if (update->first && update->divides) {
        update_cells(result, q, flux, volume, per_next, stride, n, update, true, true);
    } else if (update->first) {
        update_cells(result, q, flux, volume, per_next, stride, n, update, true, false);
    } else if (update->divides) {
        update_cells(result, q, flux, volume, per_next, stride, n, update, false, true);
    } else {
        update_cells(result, q, flux, volume, per_next, stride, n, update, false, false);
    }
}

void brume_strip_update(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, int rows, int length,
                        const BrumeUpdate *update, float *result, ptrdiff_t step)
{
    for (int row = 0; row < rows; row++) {
        const ptrdiff_t c = from + (ptrdiff_t)row * length;
        transport_update(result + step * row, strip->q + c, strip->flux + c, strip->volume + c, strip->per_next + c,
                         stride, length, update);
    }
}

BRUME_STREAM_KERNEL static int32_t transport_courant(float *restrict courant, const float *velocity, float scale,
                                                     int count)
{
    for (int n = 0; n < count; n++) {
        courant[n] = scale * velocity[n];
    }
    return brume_max_bits_row(courant, count, 0);
}

float brume_strip_courant(float *courant, const float *velocity, float scale, int count)
{
    return brume_float_of_bits(transport_courant(courant, velocity, scale, count));
}

BRUME_STREAM_KERNEL static void transport_volume(float *restrict volume, const float *velocity, ptrdiff_t step,
                                                 float scale, bool start, int count)
{
    if (start) {
        for (int n = 0; n < count; n++) {
            volume[n] = 1.0f - (scale * velocity[n + step] - scale * velocity[n]);
        }
    } else {
        for (int n = 0; n < count; n++) {
            volume[n] -= scale * velocity[n + step] - scale * velocity[n];
        }
    }
}

void brume_strip_volume(float *volume, const float *velocity, ptrdiff_t step, float scale, bool start, int count)
{
    transport_volume(volume, velocity, step, scale, start, count);
}

BRUME_STREAM_KERNEL static void transport_reciprocals(float *restrict result, const float *volume, ptrdiff_t n)
{
    for (ptrdiff_t c = 0; c < n; c++) {
        result[c] = 1.0f / volume[c];
    }
}

void brume_strip_reciprocals(const BrumeStrip *strip, ptrdiff_t from, ptrdiff_t to)
{
    transport_reciprocals(strip->per_volume + from, strip->volume + from, to - from);
}

BRUME_STREAM_KERNEL static void transport_next(float *restrict result, const float *volume, const float *courant,
                                               ptrdiff_t stride, ptrdiff_t n, bool first)
{
    if (first) {
        for (ptrdiff_t c = 0; c < n; c++) {
            result[c] = 1.0f / (1.0f - (courant[c + stride] - courant[c]));
        }
    } else {
        for (ptrdiff_t c = 0; c < n; c++) {
            result[c] = 1.0f / (volume[c] - (courant[c + stride] - courant[c]));
        }
    }
}

void brume_strip_next_reciprocals(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool first)
{
    transport_next(strip->per_next + from, strip->volume + from, strip->courant + from, stride, to - from, first);
}

BRUME_STREAM_KERNEL static int32_t transport_solids(int32_t *restrict solid, const uint8_t *flags, int count)
{
    int32_t any = 0;
    for (int n = 0; n < count; n++) {
        solid[n] = flags[n] & BRUME_CELL_SOLID ? -1 : 0;
        any |= solid[n];
    }
    return any;
}

bool brume_strip_solids(int32_t *solid, const uint8_t *flags, int count)
{
    return transport_solids(solid, flags, count) != 0;
}

BRUME_STREAM_KERNEL static uint64_t transport_marks(const float *row, int count, int segment)
{
    uint64_t marks = 0;
    for (int n = 0; segment * n < count; n++) {
        const float *first = row + (ptrdiff_t)segment * n;
        const int rest = count - segment * n;
        const uint64_t any = brume_any_bits_row(first, rest < segment ? rest : segment) != 0;
        marks |= any << n;
    }
    return marks;
}

uint64_t brume_strip_marks(const float *row, int count, int segment) { return transport_marks(row, count, segment); }

BRUME_STREAM_KERNEL static float transport_largest(const float *courant, float direction, int count)
{
    int32_t largest = 0; // the bits of floats that are not negative are ordered as the floats are
    for (int n = 0; n < count; n++) {
        const float value = direction * courant[n];
        int32_t bits;
        memcpy(&bits, &value, sizeof bits);
        largest = bits > largest ? bits : largest;
    }
    return brume_float_of_bits(largest);
}

float brume_strip_largest(const float *courant, float direction, int count)
{
    return transport_largest(courant, direction, count);
}
