/**
 * @file traffic.h
 * The least memory traffic that a step can cost: each field that a stage must read is read once and each that it must
 * write is written once, float32, as if caches were perfect within a stage and empty between stages. What a step
 * really moves is more; the share of a triad that follows is a lower bound. docs/benchmarks.md derives the numbers.
 */
#ifndef BRUME_APP_BENCH_TRAFFIC_H
#define BRUME_APP_BENCH_TRAFFIC_H

#include "brume/sim.h"
#include "brume/sim_def.h"

/** Least traffic of a stage of one step [bytes/cell]; `iterations` are those of its pressure solve. */
double brume_least_traffic(const BrumeSimDef *def, BrumeStage stage, double iterations);

#endif
