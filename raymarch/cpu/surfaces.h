/**
 * @file surfaces.h
 * The radiance of what lies behind the smoke: solids, ground and sky.
 */
#ifndef BRUME_RAYMARCH_CPU_SURFACES_H
#define BRUME_RAYMARCH_CPU_SURFACES_H

#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/ray_parts.h"

/** Radiance that leaves the surface (or sky) that a ray [m] hits, towards the ray's origin; smoke before it
 * disregarded. The shadow rays to lights that have a size depend on the `jitter` of the sample, in [0, 1). */
BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter);

/**
 * As brume_surface_radiance, and sets the radiance of `parts` by the source of its light. With `transparent` also its
 * alpha; the sky then has no radiance, and a ground that catches shadows neither.
 */
BrumeVec3 brume_surface_parts(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                              bool transparent, BrumeRayParts *parts);

/**
 * The fraction of its light that a point of the ground [m] with this unit normal lacks, where `received` is the
 * irradiance / pi that reaches it, by luminance. Below 0 where it receives more than without smoke and solids.
 */
float brume_ground_shadow(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 received);

#endif
