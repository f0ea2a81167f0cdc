/**
 * @file scatter.h
 * Light that smoke scatters more than once, which is what makes bright smoke look soft. Both forms here are cheap
 * stand-ins for following that light; with an albedo of 0 both vanish.
 *
 * Lights: the octaves of Wrenninge, Kulla and Lundqvist, "Oz: The Great and Volumetric", SIGGRAPH 2013 talks. Octave n
 * stands for light scattered n times before: it reaches deeper (optical depth times 1/2^n), carries less
 * (contribution 1/2^n, and one more factor of albedo) and remembers less of where it came from (anisotropy g/2^n).
 * With P the phase function and tau the optical depth towards the light, the scattered radiance per irradiance is
 *
 *     sum over n of  albedo^(n+1) * 1/2^n * P(cosine, g/2^n) * exp(-tau/2^n).
 *
 * Sky: light that comes from everywhere fades in a scattering medium by diffusion, not by extinction. Its optical
 * depth is multiplied by sqrt((1 - albedo) (1 - albedo g)), the similarity relation of van de Hulst, "Multiple Light
 * Scattering", 1980, chapter 14: nothing is lost at an albedo of 1, everything that is met at an albedo of 0.
 */
#ifndef BRUME_RAYMARCH_SCATTER_H
#define BRUME_RAYMARCH_SCATTER_H

#include "core/vec3.h"
#include "raymarch/phase.h"

enum { BRUME_OCTAVES = 4 };

/** exp(-tau / BRUME_DEEPEST) is what the last octave needs; each one before it is the square of the next. */
#define BRUME_DEEPEST 8.0f

/** Contribution times phase of every octave [1/sr] at one scattering angle; see brume_phase_hg for the arguments. */
static inline void brume_octave_phases(float cosine, float g, float phases[BRUME_OCTAVES])
{
    float scale = 1.0f;
    for (int n = 0; n < BRUME_OCTAVES; n++) {
        phases[n] = scale * brume_phase_hg(cosine, scale * g);
        scale *= 0.5f;
    }
}

/**
 * Scattered radiance per irradiance [1/sr], for each color, where `deepest` is exp(-tau / BRUME_DEEPEST) and `phases`
 * come from brume_octave_phases.
 */
static inline BrumeVec3 brume_octave_sum(const float phases[BRUME_OCTAVES], float deepest, BrumeVec3 albedo)
{
    const float e3 = deepest;
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

/** What the optical depth towards the sky is multiplied by, for one color's albedo. */
static inline float brume_diffuse_share(float albedo, float g)
{
    return sqrtf(fmaxf(0.0f, (1.0f - albedo) * (1.0f - albedo * g)));
}

#endif
