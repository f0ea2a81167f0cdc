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

/** Whether the velocity of a volume is used: for motion blur or for motion vectors. */
static inline bool brume_needs_velocity(const BrumeRenderSettings *settings)
{
    return settings->shutter > 0.0f || settings->motion_vectors;
}

/**
 * Copies the velocities of a volume into the medium, whose extinction and majorants are loaded, and with a shutter
 * extends the majorants to the macro-cells that smoke reaches while it is open. Changes nothing where the settings do
 * not need the velocity or the volume has none. Velocities that are not finite count as 0.
 */
void brume_load_motion(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume);

#endif
