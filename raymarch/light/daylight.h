/**
 * @file daylight.h
 * The light of a clear sky and of the sun through it: scattering of sunlight by molecules and haze and absorption by
 * ozone in a spherical atmosphere, integrated numerically; once scattered light exactly, light scattered more often as
 * if every further order were isotropic.
 *
 * Sources: Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", Computer Graphics Forum
 * 39(4), 2020 (coefficients, multiple scattering); Bruneton and Neyret, "Precomputed Atmospheric Scattering", Computer
 * Graphics Forum 27(4), 2008 (the table of transmittance); Preetham, Shirley and Smits, "A Practical Analytic Model for
 * Daylight", SIGGRAPH 1999 (haze by turbidity).
 */
#ifndef BRUME_RAYMARCH_LIGHT_DAYLIGHT_H
#define BRUME_RAYMARCH_LIGHT_DAYLIGHT_H

#include "core/error.h"
#include "core/vec3.h"

enum { BRUME_DAYLIGHT_COLUMNS = 256, BRUME_DAYLIGHT_ROWS = 256 };

/** Irradiance of the sun outside the atmosphere, equal in all colors [W/m^2]. */
#define BRUME_DAYLIGHT_IRRADIANCE 8.0f

/** Irradiance [W/m^2] across the direction of the sun, `height` being the sine of its elevation, at sea level. */
BrumeVec3 brume_sunlight(float turbidity, float height);

/**
 * Fills an image of the sky (BRUME_DAYLIGHT_ROWS x BRUME_DAYLIGHT_COLUMNS x 3), as of BrumeSkyImage, with the sun in
 * the direction of its left edge. Below the horizon, it is the radiance of the horizon. BRUME_FAILED without memory.
 */
BrumeStatus brume_daylight_fill(float *radiance, float turbidity, float height, BrumeError *error);

#endif
