/**
 * @file texture_noise.h
 * Octaves of wavelet noise without divergence at texture coordinates that the flow carries: two layers of coordinates
 * that start again alternately and fade into each other (core/texture_layers.h, docs/rendering.md).
 *
 * Lengths are in cells and points in cells from the lower corner of the box. The values of a layer are an array (nz+2 x
 * ny+2 x nx+2 x 4) with ghosts: from each cell along x, y and z to where its air was when the layer started [cells],
 * and the amplitude of the first octave.
 */
#ifndef BRUME_RAYMARCH_TEXTURE_NOISE_H
#define BRUME_RAYMARCH_TEXTURE_NOISE_H

#include "brume/volume.h"
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/wavelet_noise.h"

/** The noise of one frame. */
typedef struct BrumeTextureNoise {
    const BrumeWaveletNoise *noise;
    const float *layers[BRUME_TEXTURE_LAYERS];
    float weights[BRUME_TEXTURE_LAYERS];     ///< whose squares add up to 1
    BrumeVec3 offsets[BRUME_TEXTURE_LAYERS]; ///< another part of the noise for every start of a layer
    int octaves;
    float per_cell;     ///< lattice points of the first octave
    float octave_ratio; ///< of the amplitudes of an octave and the one before
} BrumeTextureNoise;

/** The settings of the noise of a frame. */
typedef struct BrumeTextureNoiseDef {
    int factor;         ///< cells of the finer grid along a cell; the shortest waves have at least two of them
    float scale;        ///< longest wavelength [cells]
    float octave_ratio; ///< BrumeTextureNoise
    double time;        ///< simulated time [s]
    double period;      ///< of the layers [s]; 0: there is one layer, which never starts again
} BrumeTextureNoiseDef;

/** The octaves of the noise, and each layer's weight and offset. */
BrumeTextureNoise brume_texture_noise(const BrumeWaveletNoise *noise, const float *const layers[BRUME_TEXTURE_LAYERS],
                                      const BrumeTextureNoiseDef *def);

/**
 * Sets the amplitudes of a layer, less where the flow has compressed the coordinates and so has shortened the waves.
 * Ghosts of the layer must be set. Parallel over z-planes.
 */
void brume_store_texture_amplitude(float *layer, const BrumeField *amplitude);

/** Splits a coordinate [cells] into the entry before it, from 0 to n of the padded field, and the rest in [0, 1]. */
BRUME_INLINE int brume_split_position(float position, int n, float *rest)
{
    const float limited_position = brume_clamp(position, 0.0f, (float)n);
    const int index = (int)brume_min(limited_position + 0.5f, (float)n);
    *rest = limited_position + 0.5f - (float)index;
    return index;
}

/** The noise at a point; `shape` is a field of the grid of the layers. */
BRUME_INLINE BrumeVec3 brume_texture_noise_at(const BrumeTextureNoise *noise, const BrumeField *shape, BrumeVec3 point)
{
    BrumeVec3 f;
    const int i = brume_split_position(point.x, shape->grid.nx, &f.x);
    const int j = brume_split_position(point.y, shape->grid.ny, &f.y);
    const int k = brume_split_position(point.z, shape->grid.nz, &f.z);
    BrumeVec3 sum = {0};
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        if (!(noise->weights[n] > 0.0f)) {
            continue;
        }
        const float *a = noise->layers[n] + 4 * brume_field_index(shape, i, j, k);
        const BrumeFloat4 texture = brume_trilinear4(a, 4, 4 * shape->sy, 4 * shape->sz, f.x, f.y, f.z);
        float amplitude = noise->weights[n] * texture[3];
        if (!(amplitude > 0.0f)) {
            continue;
        }
        const BrumeVec3 at = brume_add(point, brume_vec3(texture[0], texture[1], texture[2]));
        float per_cell = noise->per_cell;
        for (int octave = 0; octave < noise->octaves; octave++) {
            const BrumeVec3 lattice = brume_add(brume_scale(at, per_cell), noise->offsets[n]);
            sum = brume_add(sum, brume_scale(brume_wavelet_noise_near(noise->noise, lattice), amplitude));
            per_cell *= 2.0f;
            amplitude *= noise->octave_ratio;
        }
    }
    return sum;
}

#endif
