/**
 * @file turbulence.h
 * Turbulence below the size of cells, of a velocity on these cells: Kim, Thuerey, James, Gross 2008, "Wavelet
 * turbulence for fluid simulation" (turbulence.c, docs/volumes.md).
 */
#ifndef BRUME_REFINE_TURBULENCE_H
#define BRUME_REFINE_TURBULENCE_H

#include "raymarch/texture_noise.h"
#include "refine/vector_grid.h"

/** The strength and the scale of the turbulence. */
typedef struct BrumeTurbulenceDef {
    int factor;      ///< fine cells along a cell
    float strength;  ///< factor of the turbulent velocity; 1 continues the spectrum
    float scale;     ///< longest wavelength [cells]
    double time;     ///< of the texture coordinates [s]
    double period;   ///< of the texture coordinates [s]; 0: there is one layer
    double interval; ///< between two frames [s]
} BrumeTurbulenceDef;

/**
 * Sets the fourth value of the texture coordinates of each layer to the root mean square displacement by the first
 * octave of the turbulence in an interval [cells], of the velocity [m/s] on cells of side `dx` [m], and returns the
 * noise, whose unit is that of the amplitudes; it refers to `wavelets` and `layers`. BRUME_FAILED without memory.
 */
BrumeStatus brume_turbulence(BrumeTextureNoise *turbulence, const BrumeWaveletNoise *wavelets,
                             BrumeVectorGrid layers[BRUME_TEXTURE_LAYERS], const BrumeVectorGrid *velocity, double dx,
                             const BrumeTurbulenceDef *def, BrumeError *error);

#endif
