/**
 * @file packet_rays.h
 * The camera rays of a packet, and the surfaces that they hit.
 */
#ifndef BRUME_RAYMARCH_CPU_PACKET_RAYS_H
#define BRUME_RAYMARCH_CPU_PACKET_RAYS_H

#include "brume/renderer.h"
#include "raymarch/cpu/ray_packet.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/picture_rays.h"

/**
 * Sets the count, rays, jitters and times of a packet: the rays of one sample through the pixels of a `block` of up to
 * BRUME_PACKET_RAYS pixels, row by row.
 *
 * The samples of a pixel lie on a golden-ratio (rank-1) lattice, evenly spread with their mean at the pixel's center.
 * It is the same in every pixel, so that edges are antialiased evenly. The jitter of the march follows a second
 * irrational from a hashed start. The path tracer has the same points on the lens.
 */
void brume_packet_rays(BrumeMarchPacket *packet, const BrumePictureRays *rays, const BrumeDrawDef *def,
                       const BrumePictureCrop *block, int sample);

/** Sets the limits and surfaces of a packet with rays: the surfaces that camera rays hit. */
void brume_packet_hits(BrumeMarchPacket *packet, const BrumeLitMedium *lit);

#endif
