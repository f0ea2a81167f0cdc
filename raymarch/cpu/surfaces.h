/**
 * @file surfaces.h
 * The radiance of what lies behind the smoke: solids, ground and sky.
 */
#ifndef BRUME_RAYMARCH_CPU_SURFACES_H
#define BRUME_RAYMARCH_CPU_SURFACES_H

#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lit_medium.h"

/** Radiance that leaves the surface (or sky) that a ray [m] hits, towards the ray's origin; smoke before it
 * disregarded. The shadow rays to lights that have a size depend on the `jitter` of the sample, in [0, 1). */
BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter);

#endif
