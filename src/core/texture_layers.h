/**
 * @file texture_layers.h
 * The times of two layers of texture coordinates that start again alternately, and the weights with which they fade
 * into each other (Max and Becker 1995; Neyret 2003, "Advected textures").
 *
 * With a period T the phase of layer n is t / T + n / 2. It starts again where the phase passes a whole number; there
 * its weight is 0, and the weight of the other layer, which is half a period old, is 1.
 */
#ifndef BRUME_CORE_TEXTURE_LAYERS_H
#define BRUME_CORE_TEXTURE_LAYERS_H

#include "brume/volume.h"
#include "core/elementary.h"

#include <math.h>

/** How often layer `n` has started again at `time` [s]. `period` [s] is above 0. */
static inline int brume_texture_generation(double time, double period, int n)
{
    const double phase = time / period + (double)n / BRUME_TEXTURE_LAYERS;
    return (int)fmod(floor(phase + 1e-6), 1e9); // times that are sums of steps may fall short of the end of a frame
}

/** The weight of layer `n` in [0, 1] at `time` [s]: sin^2(pi phase). The weights of both layers add up to 1. */
static inline double brume_texture_weight(double time, double period, int n)
{
    const double phase = time / period + (double)n / BRUME_TEXTURE_LAYERS;
    const double within = phase - brume_texture_generation(time, period, n);
    return within > 0.0 ? 0.5 - 0.5 * brume_cos(2.0 * 3.14159265358979323846 * within) : 0.0;
}

/** The weights of both layers over the root of the sum of their squares: the variance of independent noise stays. */
static inline void brume_texture_noise_weights(double time, double period, float weights[BRUME_TEXTURE_LAYERS])
{
    double values[BRUME_TEXTURE_LAYERS];
    double sum = 0.0;
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        values[n] = brume_texture_weight(time, period, n);
        sum += values[n] * values[n];
    }
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        weights[n] = (float)(values[n] / sqrt(sum));
    }
}

#endif
