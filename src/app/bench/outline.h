/**
 * @file outline.h
 * What a scene amounts to, in numbers and in lines of "label  value".
 */
#ifndef BRUME_APP_BENCH_OUTLINE_H
#define BRUME_APP_BENCH_OUTLINE_H

#include "brume/scene.h"

#include <math.h>

/** Prints "label  value" on standard output, the values aligned; an empty label continues the last one. */
void brume_print_fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints box, cells, memory of the simulation, and time. */
void brume_print_outline(const BrumeScene *scene);

/**
 * An upper estimate of the air's speed [m/s]: the fastest of wind, inflows, moving walls and emitters, and the free
 * rise sqrt(2 g expansion T h) of the hottest air that the scene sets through the height of the box. Rates are taken
 * as acting for a second.
 */
double brume_likely_speed(const BrumeSimDef *def);

/** Steps that a frame takes at that speed [m/s], within the scene's limits. */
int brume_steps_at_speed(const BrumeSimDef *def, double speed);

#endif
