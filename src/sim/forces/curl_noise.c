#include "sim/forces/curl_noise.h"

#include "core/elementary.h"
#include "core/parallel/simd.h"
#include "core/random.h"

#include <math.h>

enum { SIDE = BRUME_CURL_NOISE_SIDE, MASK = SIDE - 1 };

_Static_assert((SIDE & MASK) == 0, "indices are wrapped by a mask");

static float random_node(uint32_t seed, int index, int64_t time)
{
    return 2.0f * brume_unit_float(brume_hash_u32(brume_hash_u32(seed ^ (uint32_t)index) ^ (uint32_t)time)) - 1.0f;
}

// Between two whole times a and b of independent values, cos and sin weights keep the variance.
void brume_curl_noise_set(BrumeCurlNoise *noise, double time, uint32_t seed)
{
    const double whole = floor(time);
    const double angle = 0.5 * 3.14159265358979323846 * (time - whole);
    const float weights[2] = {(float)brume_cos(angle), (float)brume_sin(angle)};
    const int64_t present = (int64_t)fmod(whole, 4294967296.0);
    for (int n = 0; n < BRUME_CURL_NOISE_NODES; n++) {
        noise->nodes[n] = (BrumeFloat4){0.0f, 0.0f, 0.0f, 0.0f};
        for (int component = 0; component < 3; component++) {
            const uint32_t own_seed = brume_hash_u32(seed + (uint32_t)component);
            noise->nodes[n][component] =
                weights[0] * random_node(own_seed, n, present) + weights[1] * random_node(own_seed, n, present + 1);
        }
    }
}

// the three nodes with a weight along an axis; of each of them the weights for the components of the potential
typedef struct Spline {
    int nodes[3];
    BrumeFloat4 weights[3];
} Spline;

// `slope_of` is the component whose derivative along this axis is needed, -1 for none
BRUME_INLINE Spline spline_at(float at, int slope_of)
{
    const float shifted = at + 0.5f;
    const int toward_zero = (int)shifted;
    const int node = toward_zero - ((float)toward_zero > shifted); // the nearest one
    const float t = at - (float)node;                              // -1/2 to 1/2
    const float value[3] = {0.5f * (0.5f - t) * (0.5f - t), 0.75f - t * t, 0.5f * (0.5f + t) * (0.5f + t)};
    const float slope[3] = {t - 0.5f, -2.0f * t, t + 0.5f};
    Spline spline;
    for (int n = 0; n < 3; n++) {
        spline.nodes[n] = (node + n - 1) & MASK;
        spline.weights[n] = (BrumeFloat4){slope_of == 0 ? slope[n] : value[n], slope_of == 1 ? slope[n] : value[n],
                                          slope_of == 2 ? slope[n] : value[n], 0.0f};
    }
    return spline;
}

// The mean squares of the weights over a spacing are 11/20 of the value and 1 of the slope, the variance of a node is
// 1/3, and a component of the curl is a difference of two independent derivatives.
BRUME_INLINE float component_at(const BrumeCurlNoise *noise, BrumeVec3 point, int axis)
{
    static const float of_unit_length = 1.28564869f; // 1 / sqrt(3 * 2 * (11/20)^2 / 3)
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    const float at[3] = {point.x, point.y, point.z};
    Spline splines[3];
    for (int n = 0; n < 3; n++) {
        splines[n] = spline_at(at[n], n == axis ? -1 : 3 - axis - n);
    }
    BrumeFloat4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            const BrumeFloat4 *row = noise->nodes + SIDE * (SIDE * splines[2].nodes[k] + splines[1].nodes[j]);
            const BrumeFloat4 of_row = splines[0].weights[0] * row[splines[0].nodes[0]] +
                                       splines[0].weights[1] * row[splines[0].nodes[1]] +
                                       splines[0].weights[2] * row[splines[0].nodes[2]];
            sum += splines[2].weights[k] * splines[1].weights[j] * of_row;
        }
    }
    return of_unit_length * (sum[last] - sum[next]);
}

float brume_curl_noise_at(const BrumeCurlNoise *noise, BrumeVec3 point, int axis)
{
    return axis == 0   ? component_at(noise, point, 0) // with the axis as a constant
           : axis == 1 ? component_at(noise, point, 1)
                       : component_at(noise, point, 2);
}
