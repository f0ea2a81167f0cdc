#include "core/noise.h"

#include "core/minmax.h"
#include "core/random.h"

#include <math.h>
#include <stdbool.h>

// n moved into 0..period - 1
static int wrap(int n, int period)
{
    const int rest = n % period;
    return rest < 0 ? rest + period : rest;
}

// The sum over the 16 corners of a cell in their order, the first axis fastest. LatticeCorners share the hash of the
// axes that they have in common; the corners of an axis on whose lattice plane the point lies have no weight.
float brume_lattice_noise(const float at[4], const int period[4], uint32_t seed)
{
    float products[16] = {1.0f};
    uint32_t hashes[16] = {seed};
    int corners = 1;
    for (int axis = 0; axis < 4; axis++) {
        const float lower = floorf(at[axis]);
        const float t = at[axis] - lower;
        const float weight = t * t * (3.0f - 2.0f * t);
        const int cell = (int)lower;
        const int wraps = period && period[axis] > 0 ? period[axis] : 0;
        const uint32_t index = (uint32_t)(wraps ? wrap(cell, wraps) : cell);
        if (weight > 0.0f) {
            const uint32_t next = (uint32_t)(wraps ? wrap(cell + 1, wraps) : cell + 1);
            for (int n = 0; n < corners; n++) {
                products[corners + n] = products[n] * weight;
                hashes[corners + n] = brume_hash_u32(hashes[n] ^ next);
            }
        }
        for (int n = 0; n < corners; n++) {
            products[n] *= 1.0f - weight;
            hashes[n] = brume_hash_u32(hashes[n] ^ index);
        }
        corners *= weight > 0.0f ? 2 : 1;
    }
    float sum = 0.0f;
    for (int n = 0; n < corners; n++) {
        sum += products[n] * brume_unit_float(hashes[n]);
    }
    return sum;
}

// a lattice cell around a position along an axis, and the weight of its upper side
typedef struct LatticeSide {
    uint32_t index[2];
    float weight;
} LatticeSide;

static LatticeSide side_at(float at, int period)
{
    const float lower = floorf(at);
    const float t = at - lower;
    const int cell = (int)lower;
    return (LatticeSide){
        .index = {(uint32_t)(period > 0 ? wrap(cell, period) : cell),
                  (uint32_t)(period > 0 ? wrap(cell + 1, period) : cell + 1)},
        .weight = t * t * (3.0f - 2.0f * t),
    };
}

enum { RUN = 64, CORNERS = 8 };

// the corners across x that have a weight: the factor of each axis, and the values at both ends along x
typedef struct LatticeCorners {
    int count;
    float factors[CORNERS][3];
    float values[CORNERS][2];
} LatticeCorners;

// adds the corners in the order of brume_lattice_noise: those without weight would add +0
static void add_corners(const LatticeCorners *corners, const float *weights, int count, float *sums)
{
    for (int i = 0; i < count; i++) {
        sums[i] = 0.0f;
    }
    for (int n = 0; n < corners->count; n++) {
        const float *f = corners->factors[n];
        const float *v = corners->values[n];
        for (int i = 0; i < count; i++) {
            sums[i] += (1.0f - weights[i]) * f[0] * f[1] * f[2] * v[0];
            sums[i] += weights[i] * f[0] * f[1] * f[2] * v[1];
        }
    }
}

void brume_lattice_noise_row(const float *x, int count, const float across[3], const int period[4], uint32_t seed,
                             float *values)
{
    LatticeSide sides[3];
    LatticeCorners corners = {0};
    int chosen[CORNERS];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = side_at(across[axis], period ? period[axis + 1] : 0);
    }
    for (int corner = 0; corner < CORNERS; corner++) {
        bool has_weight = true;
        for (int axis = 0; axis < 3; axis++) {
            const float weight = sides[axis].weight;
            const bool upper = corner >> axis & 1;
            has_weight = has_weight && !(upper && !(weight > 0.0f));
            corners.factors[corners.count][axis] = upper ? weight : 1.0f - weight;
        }
        chosen[corners.count] = corner;
        corners.count += has_weight;
    }
    int end = 0;
    for (int first = 0; first < count; first = end) { // points between the same two planes of the lattice
        const float cell = floorf(x[first]);
        float weights[RUN];
        for (end = first; end < brume_min_int(first + RUN, count) && floorf(x[end]) == cell; end++) {
            const float t = x[end] - cell;
            weights[end - first] = t * t * (3.0f - 2.0f * t);
        }
        const LatticeSide side = side_at(cell, period ? period[0] : 0);
        for (int n = 0; n < 2 * corners.count; n++) {
            uint32_t hash = brume_hash_u32(seed ^ side.index[n % 2]);
            for (int axis = 0; axis < 3; axis++) {
                hash = brume_hash_u32(hash ^ sides[axis].index[chosen[n / 2] >> axis & 1]);
            }
            corners.values[n / 2][n % 2] = brume_unit_float(hash);
        }
        add_corners(&corners, weights, end - first, values + first);
    }
}
