/**
 * @file curl_noise.h
 * Random vectors without divergence: the curl of a random vector potential (Bridson, Hourihan and Nordenstam 2007,
 * "Curl-noise for procedural fluid flow").
 *
 * The potential has random values at the nodes of a lattice of spacing 1 that repeats after BRUME_CURL_NOISE_SIDE
 * nodes, and is the quadratic B-spline with these coefficients, so that its curl is continuous and exact.
 */
#ifndef BRUME_SIM_FORCES_CURL_NOISE_H
#define BRUME_SIM_FORCES_CURL_NOISE_H

#include "brume/vec3.h"
#include "core/parallel/simd.h"

#include <stdint.h>

enum {
    BRUME_CURL_NOISE_SIDE = 16,
    BRUME_CURL_NOISE_NODES = BRUME_CURL_NOISE_SIDE * BRUME_CURL_NOISE_SIDE * BRUME_CURL_NOISE_SIDE,
};

/** The potential at one time. */
typedef struct BrumeCurlNoise {
    BrumeFloat4 nodes[BRUME_CURL_NOISE_NODES]; ///< (side x side x side), of which the fourth component is 0
} BrumeCurlNoise;

/** Sets the potential of `time`, which changes over a time of about 1. It is the same for the same seed and time. */
void brume_curl_noise_set(BrumeCurlNoise *noise, double time, uint32_t seed);

/** The component along `axis` of the vector at a point in spacings of the lattice, whose coordinates are below 2^30.
 * The root mean square of the length of the vector is 1 over all seeds and points. */
float brume_curl_noise_at(const BrumeCurlNoise *noise, BrumeVec3 point, int axis);

#endif
