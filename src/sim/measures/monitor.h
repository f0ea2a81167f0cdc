/**
 * @file monitor.h
 * Measurements of the state that steps depend on: largest speed, divergence, values that are not finite.
 */
#ifndef BRUME_SIM_MEASURES_MONITOR_H
#define BRUME_SIM_MEASURES_MONITOR_H

#include "sim/state/state.h"

double brume_measure_flow(BrumeSim *sim);
BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error);
void brume_measure_speed(BrumeSim *sim);

#endif
