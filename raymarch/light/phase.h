/**
 * @file phase.h
 * The phase functions of the settings, all as a sum of two lobes: one of Henyey and Greenstein (scattering.h), and one
 * of Draine, "Scattering by Interstellar Dust Grains. I. Optical and Ultraviolet", Astrophysical Journal 598, 2003,
 *
 *     D(mu) = (1 - g^2) / (4 pi (1 + g^2 - 2 g mu)^(3/2)) * (1 + alpha mu^2) / (1 + alpha (1 + 2 g^2) / 3),
 *
 * which for alpha = 0 is the function of Henyey and Greenstein.
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

/**
 * The mean of D, about, over light from a cap of directions of this `height`, above 0 (1 - the cosine of its angular
 * radius); `cosine` is of the angle from the middle of the cap. Its mean cosine is the product of the mean cosines of D
 * and the cap, as in convolutions of Henyey and Greenstein's functions. A lobe of this mean cosine is too narrow where
 * D is narrower than the cap, so within the cap its mean over the cap takes its place: smoke is not brighter than the
 * light that is seen through it, and the integral over the sphere stays 1. The edge of the cap is smoothed.
 */
static inline float brume_phase_draine_of_cap(float cosine, float g, float alpha, float height)
{
    const float blurred = g * (1.0f - 0.5f * height);
    const float lobe = brume_phase_draine(cosine, blurred, alpha);
    const float apart = 1.0f - blurred;
    const float edge = sqrtf(apart * apart + 2.0f * blurred * height);
    // the integral of Henyey and Greenstein's function over the cap, divided by its solid angle 2 pi height
    const float henyey = (1.0f - blurred * blurred) / (2.0f * BRUME_PI * apart * edge * (edge + apart));
    const float mean =
        henyey * (1.0f + alpha * cosine * cosine) / (1.0f + alpha * (1.0f + 2.0f * blurred * blurred) / 3.0f);
    const float inside = brume_fminf(brume_fmaxf(1.5f - (1.0f - cosine) / height, 0.0f), 1.0f);
    return lobe + inside * (mean - lobe);
}

/** As brume_phases, for light from a cap of directions; a height of 0 is a single direction. */
static inline BrumePhases brume_phases_of_cap(const BrumePhaseLobes *phase, float cosine, float height)
{
    if (!(height > 0.0f)) {
        return brume_phases(phase, cosine);
    }
    const float first = brume_phase_draine_of_cap(cosine, phase->g, 0.0f, height);
    const float second =
        phase->weight > 0.0f ? brume_phase_draine_of_cap(cosine, phase->draine_g, phase->alpha, height) : 0.0f;
    const float forward = brume_forward_phase(cosine, phase->mean_cosine * (1.0f - 0.5f * height));
    return (BrumePhases){first + phase->weight * (second - first), forward};
}

/** The cosine of an angle that is distributed as brume_phase_at, from a number `u` in [0, 1). */
float brume_phase_sample(const BrumePhaseLobes *phase, float u);

#endif
