#include "raymarch/texture_noise.h"

#include "core/random.h"
#include "core/texture_layers.h"
#include "raymarch/grid_medium.h"

#include <math.h>

BrumeTextureNoise brume_texture_noise(const BrumeWaveletNoise *noise, const float *const layers[BRUME_TEXTURE_LAYERS],
                                      const BrumeTextureNoiseDef *def)
{
    BrumeTextureNoise self = {
        .noise = noise, .octaves = 1, .per_cell = 4.0f / def->scale, .octave_ratio = def->octave_ratio};
    // the shortest waves have at least two fine cells
    while (self.per_cell * (float)(2 << self.octaves) <= 2.0f * (float)def->factor && self.octaves < 4) {
        self.octaves++;
    }
    const bool flows = def->period > 0.0;
    self.weights[0] = 1.0f;
    if (flows) {
        brume_texture_noise_weights(def->time, def->period, self.weights);
    }
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        const int generation = flows ? brume_texture_generation(def->time, def->period, n) : 0;
        float offset[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            offset[axis] =
                (float)BRUME_NOISE_SIDE * brume_unit_float(brume_hash3((uint32_t)generation, (uint32_t)n, axis));
        }
        self.offsets[n] = brume_vec3(offset[0], offset[1], offset[2]);
        self.layers[n] = layers[n];
    }
    return self;
}

// the squares of the derivatives of the coordinates add up to 3 where nothing is deformed
void brume_store_texture_amplitude(float *layer, const BrumeField *amplitude)
{
    const BrumeGrid grid = amplitude->grid;
    const ptrdiff_t strides[3] = {4, 4 * amplitude->sy, 4 * amplitude->sz};
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(amplitude, i, j, k);
                float *cell = layer + 4 * at;
                float squares = 0.0f;
                for (int along = 0; along < 3; along++) {
                    for (int axis = 0; axis < 3; axis++) {
                        const float derivative = 0.5f * (cell[strides[along] + axis] - cell[axis - strides[along]]) +
                                                 (along == axis ? 1.0f : 0.0f);
                        squares += derivative * derivative;
                    }
                }
                cell[3] = amplitude->data[at] * sqrtf(3.0f / brume_max(squares, 3.0f));
            }
        }
    }
    brume_replicate_edges(layer, grid, 4);
}
