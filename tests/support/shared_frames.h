/*
 * Frames of a simulation, computed alone and by several ranks, which are threads: the same states.
 */
#ifndef BRUME_TESTS_SUPPORT_SHARED_FRAMES_H
#define BRUME_TESTS_SUPPORT_SHARED_FRAMES_H

#include "brume/brume.h"

enum { MOST_FRAMES = 20 };

typedef struct SharedFrames {
    const BrumeSimDef *def;
    const BrumeScene *scene; // whose timeline and animation act on the frames; NULL: none
    const double *speeds;    // BrumeTeam.speeds; NULL: equal ones
    int frames;
    uint64_t hashes[MOST_FRAMES + 1]; // of the states that one process computes: the initial one and that of each frame
} SharedFrames;

/* Computes the frames alone, which sets the hashes. */
void compute_frames_alone(SharedFrames *frames);

/* The first frame after which the state differs from that of one process on any of the ranks; -1: none. */
int first_different_frame(const SharedFrames *frames, int ranks);

/* Fails the test unless `count` numbers of ranks compute the states of one process; ignores frames.hashes. */
void expect_same_frames(const char *name, SharedFrames frames, const int *ranks, int count);

#endif
