/**
 * @file monitor.h
 * Measurements of the state that steps depend on: largest speed, divergence, values that are not finite.
 */
#ifndef BRUME_SIM_MEASURES_MONITOR_H
#define BRUME_SIM_MEASURES_MONITOR_H

#include "sim/state/state.h"

/**
 * Sets max_speed and `divergence`, and returns the latter: the largest |div u| of a fluid cell [1/s]. If the velocity
 * on a face of a fluid cell is not finite, max_speed is NaN and the divergence is not finite.
 */
double brume_measure_flow(BrumeSim *sim);

/**
 * Fails with BRUME_FAILED if a value of the state is not finite or exceeds 2^125 in magnitude; the text names field,
 * cell, frame and step, the same one on all ranks. Velocity is searched only if max_speed is too large. The fields are
 * checked in the order of cause and effect: temperature and smoke, then velocity, then pressure.
 */
BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error);

/** Sets max_speed, as brume_measure_flow but without the divergence. */
void brume_measure_speed(BrumeSim *sim);

#endif
