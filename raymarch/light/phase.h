/**
 * @file phase.h
 * The phase functions of the settings, all as a sum of two lobes: one of Henyey and Greenstein (scattering.h), and one
 * of Draine, "Scattering by Interstellar Dust Grains. I. Optical and Ultraviolet", Astrophysical Journal 598, 2003,
 *
 *     D(mu) = (1 - g^2) / (4 pi (1 + g^2 - 2 g mu)^(3/2)) * (1 + alpha mu^2) / (1 + alpha (1 + 2 g^2) / 3),
 *
 * which is that of Henyey and Greenstein for alpha = 0.
 *
 * Water droplets: the fit of Jendersie and d'Eon, "An Approximate Mie Scattering Function for Fog and Cloud Rendering",
 * SIGGRAPH 2023 talks, to Mie theory for diameters of 5 to 50 um.
 */
#ifndef BRUME_RAYMARCH_LIGHT_PHASE_H
#define BRUME_RAYMARCH_LIGHT_PHASE_H

#include "brume/render_settings.h"
#include "raymarch/light/scattering.h"

/** A phase function: (1 - weight) HG(g) + weight D(draine_g, alpha). */
typedef struct BrumePhaseLobes {
    float g;
    float draine_g, alpha;
    float weight;      ///< of the second lobe, in [0, 1]; 0: only the first
    float mean_cosine; ///< of the whole: the g of every approximation that needs a single one
} BrumePhaseLobes;

/** The phase function of the settings. */
BrumePhaseLobes brume_phase_lobes(const BrumeRenderSettings *settings);

/** D(cosine) [1/sr]; precise also in the narrow forward peak of g close to 1. */
static inline float brume_phase_draine(float cosine, float g, float alpha)
{
    const float base = (1.0f - g) * (1.0f - g) + 2.0f * g * (1.0f - cosine);
    const float lobe = (1.0f - g * g) / (4.0f * BRUME_PI * base * sqrtf(base));
    return lobe * (1.0f + alpha * cosine * cosine) / (1.0f + alpha * (1.0f + 2.0f * g * g) / 3.0f);
}

/** The scattered share [1/sr] at an angle of `cosine` between the directions of travel before and after. */
static inline float brume_phase_at(const BrumePhaseLobes *phase, float cosine)
{
    if (!(phase->weight > 0.0f)) {
        return brume_phase_hg(cosine, phase->g);
    }
    return (1.0f - phase->weight) * brume_phase_draine(cosine, phase->g, 0.0f) +
           phase->weight * brume_phase_draine(cosine, phase->draine_g, phase->alpha);
}

/** The phase functions of direct light, and of forward-scattered light: a lobe of the same mean cosine. */
static inline BrumePhases brume_phases(const BrumePhaseLobes *phase, float cosine)
{
    return (BrumePhases){brume_phase_at(phase, cosine), brume_forward_phase(cosine, phase->mean_cosine)};
}

/** The cosine of an angle that is distributed as brume_phase_at, from a number `u` in [0, 1). */
float brume_phase_sample(const BrumePhaseLobes *phase, float u);

#endif
