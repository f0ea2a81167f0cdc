/**
 * @file packet_shadows.h
 * Shadow rays of the ground that a packet of camera rays hits.
 */
#ifndef BRUME_RAYMARCH_CPU_PACKET_SHADOWS_H
#define BRUME_RAYMARCH_CPU_PACKET_SHADOWS_H

#include "brume/render_settings.h"
#include "raymarch/cpu/ray_packet.h"
#include "raymarch/light/lit_medium.h"

/**
 * Sets, in `smoke`, the transmittance of the smoke between each point of the ground that a packet hits and the lights
 * that have only one shadow ray (brume_has_single_shadow_ray). The other entries are unchanged.
 */
void brume_packet_shadows(const BrumeLitMedium *lit, const BrumeMarchPacket *packet,
                          float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS]);

#endif
