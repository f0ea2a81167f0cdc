/**
 * @file rank_info.h
 * What several ranks would take for a scene: memory, messages and time, for `brume info --ranks`.
 *
 * This process simulates the first frames once for each number of ranks, in the order of work of so many, and counts
 * the messages that they would send (BrumeTeam.modeled). The time is that of this machine, divided by planes, and that
 * of the messages on a network of given latency and bandwidth (docs/scaling.md).
 */
#ifndef BRUME_APP_INFO_RANK_INFO_H
#define BRUME_APP_INFO_RANK_INFO_H

#include "brume/scene.h"
#include "core/error.h"

typedef struct BrumeRankInfoDef {
    int ranks;        ///< a row of the table; rows of powers of 2 follow from the planes
    int frames;       ///< simulated from the first one on
    double latency;   ///< of a message [us]
    double bandwidth; ///< of a rank, in each direction [MB/s]
} BrumeRankInfoDef;

/** Simulates and prints on standard output. Fails as brume_sim_create and brume_scene_frame do. */
BrumeStatus brume_print_rank_info(const BrumeScene *scene, const BrumeRankInfoDef *def, BrumeError *error);

#endif
