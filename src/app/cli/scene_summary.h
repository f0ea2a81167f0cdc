/**
 * @file scene_summary.h
 * The size of a scene's simulation: cells, memory, frames, and an estimate of the steps per frame.
 */
#ifndef BRUME_APP_CLI_SCENE_SUMMARY_H
#define BRUME_APP_CLI_SCENE_SUMMARY_H

#include "brume/scene.h"

/** Prints name, box, cells, memory, duration and estimated steps of a scene as labeled lines on standard output. */
void brume_print_scene_summary(const BrumeScene *scene);

/**
 * An upper estimate of the speed [m/s] in a scene with the settings `def`: that of its bodies
 * (brume_scene_body_speed), or of the air: the largest of the velocities of wind, inflows, moving walls and emitters,
 * and the free ascent sqrt(2 g beta T h) of the largest temperature T that the scene sets through the height h of the
 * box, with gravity g and thermal expansion beta. Rates of emitters count as acting for one second.
 */
double brume_estimate_scene_speed(const BrumeScene *scene, const BrumeSimDef *def);

/** The number of steps per frame at the speed `speed` [m/s], from the CFL number and within the limits of the scene. */
int brume_estimate_steps(const BrumeSimDef *def, double speed);

#endif
