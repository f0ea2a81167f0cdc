/**
 * @file scattering.h
 * How smoke scatters light: the phase function, and light that is scattered once or in almost the same direction.
 *
 * Scattered light of a light source has three parts: light that reaches a point directly, scattered by the phase
 * function P of anisotropy g; light that was scattered forwards on its way, which the similarity relation (van de
 * Hulst, "Multiple Light Scattering", 1980, chapter 14) counts as going straight on; and all other light, of which
 * scattered_light.h has the moments. With tau the optical depth towards the light, the first two parts are, per
 * irradiance,
 *
 *     albedo * (P(cosine) exp(-tau) + F(cosine) (exp(-tau (1 - albedo g)) - exp(-tau))).
 *
 * The relation divides P into the share 1 - g of isotropic light and the share g of forward light, whose Legendre
 * moments are thus 1, 1, g, g^2...; scattered once more by P, of moments g^l, it has the moments 1, g, g^3, g^5... of
 * F:
 *
 *     F(cosine) = 1 / (4 pi) + (P(cosine, g^2) - 1 / (4 pi)) / g.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SCATTERING_H
#define BRUME_RAYMARCH_LIGHT_SCATTERING_H

#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <math.h>

/**
 * Light volumes store the eighth root of the transmittance, exp(-tau / BRUME_TRANSMITTANCE_ROOT), which is smooth
 * enough to be interpolated and far above 0 in dense smoke.
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

/** The optical depth of which a light volume stores `root`; about 700 where `root` is 0. */
static inline float brume_depth_of_root(float root) { return -BRUME_TRANSMITTANCE_ROOT * brume_fast_ln(root); }

/** Transmittance of the reduced medium, exp(-depth (1 - albedo g)), for each color. */
static inline BrumeVec3 brume_reduced_transmittance(BrumeVec3 albedo, float g, float depth)
{
    const float red = brume_fast_exp(-depth * (1.0f - g * albedo.x));
    if (albedo.y == albedo.x && albedo.z == albedo.x) {
        return brume_vec3(red, red, red);
    }
    return brume_vec3(red, brume_fast_exp(-depth * (1.0f - g * albedo.y)),
                      brume_fast_exp(-depth * (1.0f - g * albedo.z)));
}

/** The mean transmittance from the start of a path of this optical depth to its points. */
static inline float brume_mean_transmittance(float depth)
{
    return depth > 0.01f ? (1.0f - brume_fast_exp(-depth)) / depth : 1.0f - 0.5f * depth;
}

/** The phase functions of direct and of forward-scattered light at one scattering angle [1/sr]. */
typedef struct BrumePhases {
    float direct, forward;
} BrumePhases;

/** F of forward-scattered light, from the mean cosine `g` of the phase function (see above). */
static inline float brume_forward_phase(float cosine, float g)
{
    const float isotropic = 1.0f / (4.0f * BRUME_PI);
    return fabsf(g) < 0.01f ? isotropic * (1.0f + 3.0f * g * cosine)
                            : isotropic + (brume_phase_hg(cosine, g * g) - isotropic) / g;
}

/** Scattered radiance per irradiance [1/sr] for each color; `root` is exp(-tau / BRUME_TRANSMITTANCE_ROOT). */
static inline BrumeVec3 brume_scattered_once(BrumePhases phases, float root, BrumeVec3 albedo, float g)
{
    const float squared = root * root;
    const float fourth = squared * squared;
    const float transmittance = fourth * fourth;
    const BrumeVec3 reduced = brume_reduced_transmittance(albedo, g, brume_depth_of_root(root));
    const float direct = (phases.direct - phases.forward) * transmittance;
    return brume_vec3(albedo.x * (direct + phases.forward * reduced.x),
                      albedo.y * (direct + phases.forward * reduced.y),
                      albedo.z * (direct + phases.forward * reduced.z));
}

#endif
