/**
 * @file packet_state.h
 * The state of the march of a packet, and trilinear interpolation of many points: internal to march_packet.c and
 * packet_light.h.
 */
#ifndef BRUME_RAYMARCH_CPU_PACKET_STATE_H
#define BRUME_RAYMARCH_CPU_PACKET_STATE_H

#include "core/parallel/simd.h"
#include "core/parallel/trilinear8.h"
#include "raymarch/cpu/ray_packet.h"
#include "raymarch/light/lit_medium.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RAYS = BRUME_PACKET_RAYS,
    SAMPLES = 512, // of the list
    LANES = 16,    // of the widest vectors: counts in loops are multiples of it
};

// The rays that are still on their way, in any order. Padding up to a multiple of LANES repeats valid rays.
typedef struct ActiveRays {
    _Alignas(64) float origin_x[RAYS];
    float origin_y[RAYS], origin_z[RAYS];
    float direction_x[RAYS], direction_y[RAYS], direction_z[RAYS];
    float inverse_x[RAYS], inverse_y[RAYS], inverse_z[RAYS];
    float length[RAYS], before_entry[RAYS];
    float transmittance[RAYS]; // of shadow rays the optical depth
    int32_t step[RAYS], end[RAYS];
    int32_t ray[RAYS]; // in the packet
    int count;
} ActiveRays;

// the sample of each active ray at its step
typedef struct StepSamples {
    _Alignas(64) float x[RAYS]; // in the padded field
    float y[RAYS], z[RAYS];
    float distance[RAYS], length[RAYS];
    int32_t occupied[RAYS]; // whether the step is in a macro-cell that is not empty
    float extinction[RAYS], weight[RAYS];
} StepSamples;

// samples in smoke whose light is to be evaluated
typedef struct SmokeSamples {
    _Alignas(64) float x[SAMPLES]; // in the padded field
    float y[SAMPLES], z[SAMPLES];
    float shift_x[SAMPLES], shift_y[SAMPLES], shift_z[SAMPLES]; // by which a moving medium moved the point
    float distance[SAMPLES], weight[SAMPLES];
    int32_t ray[SAMPLES];
    float albedo[3][SAMPLES], source[3][SAMPLES], scattered[3][SAMPLES];
    int count;
} SmokeSamples;

// per ray of the packet, for the evaluation of light
typedef struct PacketRays {
    _Alignas(64) float direction_x[RAYS];
    float direction_y[RAYS], direction_z[RAYS];
    float origin_x[RAYS], origin_y[RAYS], origin_z[RAYS];
} PacketRays;

// a directional light on each ray of the packet
typedef struct DirectionalLightOnRays {
    _Alignas(64) float u[RAYS];
    float v[RAYS], n[RAYS], du[RAYS], dv[RAYS], dn[RAYS], direct[RAYS], forward[RAYS];
} DirectionalLightOnRays;

// lattice cells of an array of less than 2^31 entries: index of the lowest entry, and offsets in [0, 1]
typedef struct LatticePoints {
    _Alignas(64) int32_t entry[SAMPLES];
    float f1[SAMPLES], f2[SAMPLES], f3[SAMPLES], value[SAMPLES];
} LatticePoints;

// the march of a packet in progress
typedef struct PacketMarch {
    const BrumeLitMedium *lit;
    const BrumeGridMedium *medium; // that the rays see
    BrumeMarchPacket *packet;
    bool blocked[BRUME_MAX_LIGHTS]; // by the ground
    bool prepared;                  // the lights on the rays
    bool shadows;                   // only the transmittance is wanted
    PacketRays rays;
    ActiveRays active;
    StepSamples at;
    LatticePoints points;
    _Alignas(16) float moments[3][SAMPLES][BRUME_LIGHT_MOMENTS]; // of the light at the samples of the list
    SmokeSamples list;
    DirectionalLightOnRays lights[BRUME_MAX_LIGHTS];
    BrumeMarchCounts counts;
} PacketMarch;

static inline int padded(int count) { return (count + LANES - 1) / LANES * LANES; }

// brume_trilinear at eight points from the n-th on, into `value`
BRUME_INLINE void interpolate8(LatticePoints *at, int n, const float *data, ptrdiff_t s2, ptrdiff_t s3)
{
    brume_trilinear8(at->value + n, data, s2, s3, at->entry + n, at->f1 + n, at->f2 + n, at->f3 + n);
}

#endif
