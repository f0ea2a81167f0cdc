/**
 * @file march_packet.h
 * Marching of many camera rays at once, with the bits of brume_march. The rays of a small block of pixels advance
 * together, each at its own step, in loops over arrays that the compiler turns into vectors: of sixteen floats where
 * the processor has AVX-512, of eight with AVX2, and otherwise of those of the baseline instruction set.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_PACKET_H
#define BRUME_RAYMARCH_CPU_MARCH_PACKET_H

#include "raymarch/cpu/march.h"
#include "raymarch/light/lit_medium.h"
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

static inline void brume_set_packet_ray(BrumeMarchPacket *packet, int n, BrumeRay ray)
{
    packet->origin[0][n] = ray.origin.x;
    packet->origin[1][n] = ray.origin.y;
    packet->origin[2][n] = ray.origin.z;
    packet->direction[0][n] = ray.direction.x;
    packet->direction[1][n] = ray.direction.y;
    packet->direction[2][n] = ray.direction.z;
}

/**
 * Marches through a lit medium along all rays of a packet: sets the results, which are those of brume_march_parts. All
 * BRUME_PACKET_RAYS entries of rays, limits and jitters are read and must be initialised.
 */
void brume_march_packet(const BrumeLitMedium *lit, BrumeMarchPacket *packet);

/** Sets the transmittances of the results to those of brume_march_transmittance, for shadow rays; and step and jitters.
 */
void brume_packet_transmittance(const BrumeLitMedium *lit, BrumeMarchPacket *packet);

/** Lanes of the vectors with which brume_march_packet works: lit->march_lanes, or by the processor where that is 0. */
int brume_march_lanes(const BrumeLitMedium *lit);

#endif
