/**
 * @file gl_half.h
 * Conversion of arrays of 32-bit floats to the 16-bit floats of textures (IEEE 754 binary16, "halves").
 */
#ifndef BRUME_RAYMARCH_GL_GL_HALF_H
#define BRUME_RAYMARCH_GL_GL_HALF_H

#include <stddef.h>
#include <stdint.h>

/** An array (nz x ny x nx x channels), possibly a window into a larger one. */
typedef struct BrumeGlArrayView {
    const float *data;
    int nx, ny, nz;
    int channels;
    ptrdiff_t sy, sz; ///< floats from row to row and from plane to plane
    float scale;      ///< factor of every entry
} BrumeGlArrayView;

/**
 * The half nearest to a value. Values of a size below the smallest normal half (2^-14) and NaN become 0; the size of
 * others is at most the error of the largest half, 65504.
 */
uint16_t brume_half(float value);

/** The power of two that scales values up to `largest` >= 0 into the upper range of halves. */
float brume_half_scale(float largest);

/**
 * Multiplies entries by their scale and packs them into (nz x ny x nx x channels) halves. With a factor above 1, blocks
 * of factor^3 entries (cut at the upper ends) are replaced by their mean; the sides are divided by the factor and
 * rounded up. Parallel over planes.
 */
void brume_pack_halves(uint16_t *packed, const BrumeGlArrayView *entries, int factor);

#endif
