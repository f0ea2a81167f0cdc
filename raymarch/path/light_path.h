/**
 * @file light_path.h
 * The radiance along a ray by one random light path: an unbiased estimate of the solution of the radiative transfer
 * equation with all orders of scattering, for the definitions of render_settings.h (pbrt-v4, section 14.2).
 */
#ifndef BRUME_RAYMARCH_PATH_LIGHT_PATH_H
#define BRUME_RAYMARCH_PATH_LIGHT_PATH_H

#include "brume/render_settings.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/phase.h"
#include "raymarch/path/sky_distribution.h"
#include "raymarch/path_sampler.h"
#include "raymarch/ray_parts.h"

/** Shared by all paths of a picture. */
typedef struct BrumePathScene {
    const BrumeGridMedium *medium;       ///< that camera rays see
    const BrumeGridMedium *shading;      ///< of all other rays: brume_path_scene sets the same
    const BrumeRenderSettings *settings; ///< directions of lights are of unit length
    BrumeLightSource sources[BRUME_MAX_LIGHTS];
    const BrumeSkyDistribution *sky; ///< of the settings
    BrumePhaseLobes phase;
    bool samples_sky; ///< vertices sample the sky too: directions of scattering alone would miss its bright places
    int bounces;      ///< scatterings and reflections after the first one, at most
    BrumeVec3 lower, upper; ///< corners of the box [m]
    float side;             ///< longest side of the box [m]
    float near_light;       ///< closer to a point light or a spot [m], its irradiance is taken at this distance
} BrumePathScene;

BrumePathScene brume_path_scene(const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                                const BrumeSkyDistribution *sky, int bounces);

/** An estimate of the radiance that arrives at the origin of a camera ray [m]. */
BrumeVec3 brume_path_radiance(const BrumePathScene *scene, const BrumeRay *camera_ray, BrumePathSampler *sampler);

/** The first vertex of a path from the camera, in a picture without sky. */
typedef struct BrumeFirstVertex {
    float alpha;  ///< coverage by smoke and surfaces: 0 for the sky
    bool catches; ///< a ground that catches shadows: the result is the irradiance / pi of the ground, not its radiance
} BrumeFirstVertex;

/**
 * As brume_path_radiance, and sets the radiance of `parts`, unless that is NULL, by the source of its light. With
 * `first`, not NULL, a camera ray sees no sky, and `*first` is set.
 */
BrumeVec3 brume_path_parts(const BrumePathScene *scene, const BrumeRay *camera_ray, BrumePathSampler *sampler,
                           BrumeFirstVertex *first, BrumeRayParts *parts);

#endif
