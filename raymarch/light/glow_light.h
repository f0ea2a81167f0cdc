/**
 * @file glow_light.h
 * The light whose moments are stored, where smoke glows. A flame, or the ground that it lights, is seen in one
 * direction, for which two moments of the phase function are too few. Of the radiance the mean phi and the flux F, the
 * mean of radiance times direction, are known; s = |F| / phi is the mean cosine of the angles to the direction of F.
 * The share b = s^3 of the light counts as coming from the direction of F, and two moments are used of the rest, with
 * the flux |F| - b phi. The second moment is then b, too: light from a uniform cone has s (2 s - 1), and light spread
 * by Henyey and Greenstein's function s^2.
 */
#ifndef BRUME_RAYMARCH_LIGHT_GLOW_LIGHT_H
#define BRUME_RAYMARCH_LIGHT_GLOW_LIGHT_H

#include "core/vec3.h"
#include "raymarch/light/lit_medium.h"

/** Light with given moments, divided into a beam and the rest. */
typedef struct BrumeBeamAndRest {
    BrumeVec3 direction; ///< of both, in which the light travels; of unit length, or 0
    float beam;          ///< mean radiance of the beam over all directions
    float mean, flux;    ///< of the rest
} BrumeBeamAndRest;

/** Divides light of one color, which has these moments, into a beam and the rest. */
static inline BrumeBeamAndRest brume_beam_and_rest(BrumeFloat4 moments)
{
    const BrumeVec3 flux = brume_vec3(moments[1], moments[2], moments[3]);
    const float length = brume_length(flux);
    if (!(moments[0] > 0.0f && length > 0.0f)) {
        return (BrumeBeamAndRest){.mean = brume_max(moments[0], 0.0f)};
    }
    const float s = brume_min(length / moments[0], 1.0f);
    const float share = s * s * s;
    return (BrumeBeamAndRest){.direction = brume_scale(flux, 1.0f / length),
                              .beam = share * moments[0],
                              .mean = (1.0f - share) * moments[0],
                              .flux = (s - share) * moments[0]};
}

/** Radiance of light with these moments that is scattered into a view ray along `direction`, per albedo. */
static inline float brume_beam_source(const BrumePhaseLobes *phase, BrumeFloat4 moments, BrumeVec3 direction)
{
    const BrumeBeamAndRest light = brume_beam_and_rest(moments);
    const float cosine = -brume_dot(light.direction, direction);
    const float rest = light.mean + 3.0f * phase->mean_cosine * light.flux * cosine;
    const float beam = light.beam > 0.0f ? 4.0f * BRUME_PI * light.beam * brume_phase_at(phase, cosine) : 0.0f;
    return brume_max(rest + beam, 0.0f);
}

/** Radiance scattered into a view ray along `direction`, per albedo, at a `point` [cells]: all light with moments. */
static inline BrumeVec3 brume_glow_source(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 direction)
{
    const BrumeLightMoments other = brume_scattered_light_at(&lit->scattered, point);
    const BrumeLightMoments glow = brume_glow_light_at(&lit->scattered, point);
    float source[3];
    for (int c = 0; c < 3; c++) {
        source[c] = brume_beam_source(&lit->phase, other.color[c], direction) +
                    brume_beam_source(&lit->phase, glow.color[c], direction);
    }
    return brume_vec3(source[0], source[1], source[2]);
}

/**
 * Irradiance / pi of a surface with this unit `normal` at a `point` [cells] of the box, by the light from in and around
 * the glow.
 */
static inline BrumeVec3 brume_glow_irradiance(const BrumeScatteredLight *light, BrumeVec3 point, BrumeVec3 normal)
{
    const BrumeLightMoments glow = brume_glow_light_at(light, point);
    float irradiance[3];
    for (int c = 0; c < 3; c++) {
        const BrumeBeamAndRest parts = brume_beam_and_rest(glow.color[c]);
        const float cosine = -brume_dot(parts.direction, normal);
        irradiance[c] =
            brume_max(parts.mean + 2.0f * parts.flux * cosine, 0.0f) + 4.0f * parts.beam * brume_max(cosine, 0.0f);
    }
    return brume_vec3(irradiance[0], irradiance[1], irradiance[2]);
}

#endif
