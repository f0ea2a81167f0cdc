/**
 * @file medium_motion.h
 * The motion of smoke while the shutter is open (Eulerian motion blur): a ray at the time t after the middle of the
 * opening sees at a point x the smoke of x - v(x) t, where v is the velocity of the volume.
 */
#ifndef BRUME_RAYMARCH_MEDIUM_MOTION_H
#define BRUME_RAYMARCH_MEDIUM_MOTION_H

#include "brume/render_settings.h"
#include "brume/volume.h"
#include "raymarch/grid_medium.h"

/**
 * Copies the velocities of a volume into the medium, whose extinction and majorants are loaded, and extends the
 * majorants to the macro-cells that smoke reaches while the shutter is open. Changes nothing where the settings have no
 * shutter or the volume has no velocity. Velocities that are not finite count as 0.
 */
void brume_load_motion(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume);

#endif
