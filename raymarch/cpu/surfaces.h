/**
 * @file surfaces.h
 * The radiance of the surfaces behind the smoke: solids, ground and sky.
 */
#ifndef BRUME_RAYMARCH_CPU_SURFACES_H
#define BRUME_RAYMARCH_CPU_SURFACES_H

#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/ray_parts.h"

/** The surface that a camera ray [m] hits at a time (BrumeSurfaceHit). */
BrumeSurfaceHit brume_visible_surface(const BrumeLitMedium *lit, const BrumeRay *ray, float time);

/** brume_visible_surface of `count` rays, which takes less time than one after the other. */
void brume_visible_surfaces(const BrumeLitMedium *lit, const BrumeRay *rays, const float *times, int count,
                            BrumeSurfaceHit *hits);

/** Radiance that leaves the surface (or sky) that a ray [m] hits, towards the ray's origin; smoke before it
 * disregarded. The shadow rays to lights that have a size depend on the `jitter` of the sample, in [0, 1). */
BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter);

/**
 * As brume_surface_radiance, and sets the radiance of `parts` by the source of its light. With `transparent` also its
 * alpha; the sky then has no radiance, and a ground that catches shadows neither. Without, `parts` may be NULL. `smoke`
 * is, by index of the light, the transmittance of the smoke on the shadow ray of a point of the ground to each light
 * that has only one; NULL where it is to be marched.
 */
BrumeVec3 brume_surface_parts(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                              bool transparent, const float *smoke, BrumeRayParts *parts);

/*
 * The parts of brume_surface_radiance: albedo x received light + background. Light and background change slowly over a
 * surface, the albedo does not.
 */

/**
 * Irradiance / pi of the surface that a ray [m] hits, with shadows of smoke and solids, and its unit normal on the
 * ray's side; the light of the ground times the fraction that has not faded into the horizon. 0 for the sky. `jitter`
 * and `smoke` are as in brume_surface_parts.
 */
BrumeVec3 brume_surface_light(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                              const float *smoke, BrumeVec3 *normal);

/** The radiance of the sky or, where a ray [m] hits the ground, of the fraction of the horizon that it fades into. */
BrumeVec3 brume_surface_background(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit);

/** The share of the ground's own radiance at a `distance` [m] along a ray; the rest is the radiance of the horizon. */
float brume_ground_share(const BrumeLitMedium *lit, float distance);

/** The albedo of a wall; 0 for other surfaces. */
BrumeVec3 brume_plane_albedo(const BrumeLitMedium *lit, int surface);

/** The albedo of the surface that a ray [m] hits, which is not the ground; 0 for the sky. */
BrumeVec3 brume_hit_albedo(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit);

/** Unit normal, on the ray's side, of the solid that a ray [m] hits. */
BrumeVec3 brume_solid_normal(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit);

/** Whether all shadow rays to a light have the same direction, and the ground does not block all of its light. */
bool brume_has_single_shadow_ray(const BrumeLitMedium *lit, int light);

/** Where the shadow rays of the point of the ground at a `distance` [m] along a ray start [m]. */
BrumeVec3 brume_ground_shadow_start(const BrumeLitMedium *lit, const BrumeRay *ray, float distance);

/**
 * The fraction of its light that a point of the ground [m] with this unit normal lacks, where `received` is the
 * irradiance / pi that reaches it, by luminance. Below 0 where it receives more than without smoke and solids.
 */
float brume_ground_shadow(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 received);

#endif
