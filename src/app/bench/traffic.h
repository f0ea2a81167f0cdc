/**
 * @file traffic.h
 * The minimum memory traffic of a step: each field that a stage must read counts as read once, and each field that it
 * must write as written once, in single precision, as if caches were perfect within a stage and empty between stages
 * (the compulsory traffic of the roofline model; S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful
 * Visual Performance Model for Multicore Architectures", 2009). The actual traffic is larger, so a fraction of the
 * triad's bandwidth that is computed from it is a lower bound. docs/benchmarks.md derives the numbers.
 */
#ifndef BRUME_APP_BENCH_TRAFFIC_H
#define BRUME_APP_BENCH_TRAFFIC_H

#include "brume/sim.h"
#include "brume/sim_def.h"

/** Minimum traffic of a stage of one step [bytes/cell]; `iterations`: number of its pressure iterations. */
double brume_min_traffic(const BrumeSimDef *def, BrumeStage stage, double iterations);

#endif
