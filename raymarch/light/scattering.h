/**
 * @file scattering.h
 * How smoke scatters light: the phase function, and two approximations of multiple scattering that need no simulation
 * of light paths. With an albedo of 0 both approximations vanish.
 *
 * Lights: the octaves of Wrenninge, Kulla and Lundqvist, "Oz: The Great and Volumetric", SIGGRAPH 2013 talks. Octave n
 * stands for light that was scattered n times before: its optical depth is multiplied by 1/2^n, its contribution by
 * 1/2^n and by another factor of the albedo, and its anisotropy is g/2^n. With P the phase function and tau the optical
 * depth towards the light, the scattered radiance per irradiance is
 *
 *     sum over n of  albedo^(n+1) * 1/2^n * P(cosine, g/2^n) * exp(-tau/2^n).
 *
 * Sky: light that arrives from all directions decays in a scattering medium by diffusion and not by extinction. Its
 * optical depth is multiplied by sqrt((1 - albedo) (1 - albedo g)), the similarity relation of van de Hulst, "Multiple
 * Light Scattering", 1980, chapter 14: no decay at an albedo of 1, Beer-Lambert decay at an albedo of 0.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SCATTERING_H
#define BRUME_RAYMARCH_LIGHT_SCATTERING_H

#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <math.h>

enum { BRUME_OCTAVES = 4 };

/**
 * Light volumes store the eighth root of the transmittance, exp(-tau / BRUME_TRANSMITTANCE_ROOT): the last octave needs
 * exactly that, each octave before it the square of the one after, and the root is smooth enough to be interpolated.
 */
#define BRUME_TRANSMITTANCE_ROOT 8.0f

/**
 * The phase function of Henyey and Greenstein, "Diffuse radiation in the galaxy", Astrophysical Journal 93, 1941:
 * scattered share per steradian [1/sr] at an angle of `cosine` between the directions in which the light travels before
 * and after. Its integral over the sphere is 1 and its mean cosine is `g`, in (-1, 1).
 */
static inline float brume_phase_hg(float cosine, float g)
{
    const float base = 1.0f + g * g - 2.0f * g * cosine;
    return (1.0f - g * g) / (4.0f * BRUME_PI * base * sqrtf(base));
}

/** The cosine of an angle that is distributed as brume_phase_hg, from a number `u` in [0, 1). */
static inline float brume_sample_hg(float g, float u)
{
    if (fabsf(g) < 1e-3f) { // the inverse below loses its digits; this is exact at 0 and of second order in g
        const float cosine = 2.0f * u - 1.0f;
        return cosine + 1.5f * g * (1.0f - cosine * cosine);
    }
    const float base = (1.0f - g * g) / (1.0f - g + 2.0f * g * u);
    return brume_fminf(brume_fmaxf((1.0f + g * g - base * base) / (2.0f * g), -1.0f), 1.0f);
}

/** Contribution times phase function of every octave [1/sr] at one scattering angle; arguments as brume_phase_hg. */
static inline void brume_octave_phases(float cosine, float g, float phases[BRUME_OCTAVES])
{
    float scale = 1.0f;
    for (int n = 0; n < BRUME_OCTAVES; n++) {
        phases[n] = scale * brume_phase_hg(cosine, scale * g);
        scale *= 0.5f;
    }
}

/**
 * Scattered radiance per irradiance [1/sr] for each color: the sum over the octaves, where `root` is
 * exp(-tau / BRUME_TRANSMITTANCE_ROOT) and `phases` come from brume_octave_phases.
 */
static inline BrumeVec3 brume_octave_sum(const float phases[BRUME_OCTAVES], float root, BrumeVec3 albedo)
{
    const float e3 = root;
    const float e2 = e3 * e3;
    const float e1 = e2 * e2;
    const float e0 = e1 * e1;
    const float p0 = phases[0] * e0;
    const float p1 = phases[1] * e1;
    const float p2 = phases[2] * e2;
    const float p3 = phases[3] * e3;
    return brume_vec3(albedo.x * (p0 + albedo.x * (p1 + albedo.x * (p2 + albedo.x * p3))),
                      albedo.y * (p0 + albedo.y * (p1 + albedo.y * (p2 + albedo.y * p3))),
                      albedo.z * (p0 + albedo.z * (p1 + albedo.z * (p2 + albedo.z * p3))));
}

/** Factor of the optical depth for light from all directions, for one color's albedo. */
static inline float brume_diffusion_scale(float albedo, float g)
{
    return sqrtf(brume_fmaxf(0.0f, (1.0f - albedo) * (1.0f - albedo * g)));
}

#endif
