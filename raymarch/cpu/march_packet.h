/**
 * @file march_packet.h
 * Marching of many camera rays at once, with the bits of brume_march. The rays of a small block of pixels advance
 * together, each at its own step, in loops over arrays that the compiler turns into vectors: of sixteen floats where
 * the processor has AVX-512, of eight with AVX2, and otherwise of the lanes of the baseline instruction set.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_PACKET_H
#define BRUME_RAYMARCH_CPU_MARCH_PACKET_H

#include "raymarch/cpu/ray_packet.h"
#include "raymarch/light/lit_medium.h"

/**
 * Marches through a lit medium along all rays of a packet: sets the results, which equal the results of
 * brume_march_parts. All BRUME_PACKET_RAYS entries of rays, limits and jitters are read and must be initialized.
 */
void brume_march_packet(const BrumeLitMedium *lit, BrumeMarchPacket *packet);

/** Sets the transmittances, equal to brume_shadow_transmittance's, for shadow rays; and step and jitters. */
void brume_packet_transmittance(const BrumeLitMedium *lit, BrumeMarchPacket *packet);

/** Lanes of the vectors with which brume_march_packet works: lit->march_lanes, or by the processor where that is 0. */
int brume_march_lanes(const BrumeLitMedium *lit);

#endif
