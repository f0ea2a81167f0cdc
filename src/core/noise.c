#include "core/noise.h"

#include "core/random.h"

#include <math.h>

// n moved into 0..period - 1
static int wrap(int n, int period)
{
    const int rest = n % period;
    return rest < 0 ? rest + period : rest;
}

// The sum over the 16 corners of a cell in their order, the first axis fastest. Corners share the hash of the axes that
// they have in common; the corners of an axis on whose lattice plane the point lies have no weight.
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
