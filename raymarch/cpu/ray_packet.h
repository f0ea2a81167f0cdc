/**
 * @file ray_packet.h
 * A packet of camera rays that are marched together, and their results.
 */
#ifndef BRUME_RAYMARCH_CPU_RAY_PACKET_H
#define BRUME_RAYMARCH_CPU_RAY_PACKET_H

#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/intersect.h"
#include "raymarch/ray_parts.h"

#include <stdint.h>

enum { BRUME_PACKET_RAYS = 64 };

/** Rays to march, and the results. */
typedef struct BrumeMarchPacket {
    int count;                                       ///< of rays, up to BRUME_PACKET_RAYS
    float step;                                      ///< BrumeMarchSteps.length of all of them [cells]
    _Alignas(64) float origin[3][BRUME_PACKET_RAYS]; ///< x, y and z [m]
    float direction[3][BRUME_PACKET_RAYS];           ///< x, y and z of the unit vectors
    float limits[BRUME_PACKET_RAYS];                 ///< [m]
    int32_t surfaces[BRUME_PACKET_RAYS];             ///< BrumeSurfaceHit.surface; marching does not read it
    BrumeMeshPlace places[BRUME_PACKET_RAYS];        ///< BrumeSurfaceHit.place, where a surface is a solid
    float jitters[BRUME_PACKET_RAYS];                ///< BrumeMarchSteps.jitter
    float times[BRUME_PACKET_RAYS];                  ///< BrumeMarchSteps.time
    BrumeRayParts *parts; ///< of each ray, to which the radiance is added by the source of its light; or NULL
    BrumeMarchResult results[BRUME_PACKET_RAYS];
} BrumeMarchPacket;

/** The n-th ray [m] of a packet. */
static inline BrumeRay brume_packet_ray(const BrumeMarchPacket *packet, int n)
{
    return (BrumeRay){brume_vec3(packet->origin[0][n], packet->origin[1][n], packet->origin[2][n]),
                      brume_vec3(packet->direction[0][n], packet->direction[1][n], packet->direction[2][n])};
}

/** The surface that the n-th ray hits. */
static inline BrumeSurfaceHit brume_packet_hit(const BrumeMarchPacket *packet, int n)
{
    BrumeSurfaceHit hit = {.distance = packet->limits[n], .surface = packet->surfaces[n], .time = packet->times[n]};
    if (hit.surface >= 0) {
        hit.place = packet->places[n];
    }
    return hit;
}

static inline void brume_set_packet_ray(BrumeMarchPacket *packet, int n, BrumeRay ray)
{
    packet->origin[0][n] = ray.origin.x;
    packet->origin[1][n] = ray.origin.y;
    packet->origin[2][n] = ray.origin.z;
    packet->direction[0][n] = ray.direction.x;
    packet->direction[1][n] = ray.direction.y;
    packet->direction[2][n] = ray.direction.z;
}

#endif
