/**
 * @file phase.h
 * How smoke spreads light over directions: the phase function of Henyey and Greenstein, "Diffuse radiation in the
 * galaxy", Astrophysical Journal 93, 1941.
 */
#ifndef BRUME_RAYMARCH_PHASE_H
#define BRUME_RAYMARCH_PHASE_H

#include <math.h>

#define BRUME_PI 3.14159265358979f

/**
 * Share of scattered light per steradian [1/sr] at an angle of `cosine` between the ways the light travels before
 * and after. Its integral over the sphere is 1 and its mean cosine is `g`, in (-1, 1).
 */
static inline float brume_phase_hg(float cosine, float g)
{
    const float base = 1.0f + g * g - 2.0f * g * cosine;
    return (1.0f - g * g) / (4.0f * BRUME_PI * base * sqrtf(base));
}

#endif
