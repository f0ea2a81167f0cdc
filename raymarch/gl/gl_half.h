/**
 * @file gl_half.h
 * Fields of 32-bit floats to 16-bit ones (IEEE 754 binary16), as textures hold them.
 */
#ifndef BRUME_RAYMARCH_GL_GL_HALF_H
#define BRUME_RAYMARCH_GL_GL_HALF_H

#include <stddef.h>
#include <stdint.h>

/** The entries of an array (nz x ny x nx x channels) that may be a window into a larger one. */
typedef struct BrumeGlEntries {
    const float *data;
    int nx, ny, nz;
    int channels;
    ptrdiff_t sy, sz; ///< floats from row to row and plane to plane
    float scale;      ///< what each is multiplied by
} BrumeGlEntries;

/**
 * The half nearest to value >= 0. What is too small for a normal half (2^-14), or NaN, becomes 0; what is too large
 * becomes the largest, 65504.
 */
uint16_t brume_half(float value);

/** A power of two by which values up to `largest` >= 0 may be multiplied to use the upper range of halves. */
float brume_half_scale(float largest);

/**
 * Packs entries, scaled, into (nz x ny x nx x channels) halves. With a factor above 1, blocks of factor^3 entries (or
 * what there is of them at the upper ends) become their mean, so that sides are divided by it and rounded up. Parallel
 * over planes.
 */
void brume_pack_halves(uint16_t *packed, const BrumeGlEntries *entries, int factor);

#endif
