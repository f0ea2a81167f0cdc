#include "core/noise.h"

#include "core/random.h"

#include <math.h>
#include <stddef.h>

// n moved into 0..period - 1
static int wrap(int n, int period)
{
    const int rest = n % period;
    return rest < 0 ? rest + period : rest;
}

float brume_lattice_noise(const float at[4], const int period[4], uint32_t seed)
{
    int cell[4];
    float weight_up[4];
    for (int axis = 0; axis < 4; axis++) {
        const float lower = floorf(at[axis]);
        const float t = at[axis] - lower;
        cell[axis] = (int)lower;
        weight_up[axis] = t * t * (3.0f - 2.0f * t);
    }
    float sum = 0.0f;
    for (int corner = 0; corner < 16; corner++) {
        float product = 1.0f;
        uint32_t hash = seed;
        for (int axis = 0; axis < 4; axis++) {
            const int up = corner >> axis & 1;
            const int n = cell[axis] + up;
            product *= up ? weight_up[axis] : 1.0f - weight_up[axis];
            hash = brume_hash_u32(hash ^ (uint32_t)(period && period[axis] > 0 ? wrap(n, period[axis]) : n));
        }
        sum += product * brume_unit_float(hash);
    }
    return sum;
}
