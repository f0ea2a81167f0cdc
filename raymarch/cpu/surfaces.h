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
 * disregarded. */
BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit);

/** As brume_surface_radiance, and sets the radiance of `parts`, unless that is NULL, by the source of its light. */
BrumeVec3 brume_surface_parts(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit,
                              BrumeRayParts *parts);

#endif
