/**
 * @file blackbody.h
 * The radiance of a black body in linear sRGB, by its temperature.
 *
 * Planck's law is integrated over the visible range with the color matching functions of the CIE 1931 standard observer
 * in the analytic form of Wyman, Sloan and Shirley, "Simple Analytic Approximations to the CIE XYZ Color Matching
 * Functions", Journal of Computer Graphics Techniques 2(2), 2013 (the multi-lobe fit), and converted to the primaries
 * of sRGB. Components outside of its gamut, as the blue of temperatures below 1900 K, are set to 0.
 *
 * Units: white light of 1 W/(m^2 sr) has the luminance 179 cd/m^2, as in Radiance (Ward, "The RADIANCE Lighting
 * Simulation and Rendering System", SIGGRAPH 1994). As 1 W/(m^2 sr) at 555 nm has 683 cd/m^2, the integrals over the
 * color matching functions are multiplied by 683/179.
 */
#ifndef BRUME_RAYMARCH_BLACKBODY_H
#define BRUME_RAYMARCH_BLACKBODY_H

#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

enum { BRUME_BLACKBODY_ENTRIES = 256 };

/** The range of the table [K]. Colder bodies do not glow visibly, hotter ones count as of the upper end. */
#define BRUME_BLACKBODY_COLDEST 500.0f
#define BRUME_BLACKBODY_HOTTEST 15000.0f

/**
 * The fourth root of the radiance times the intensity and the curve of the settings. The entries are equally spaced in
 * the reciprocal of the temperature, in which the logarithm of the radiance is almost linear: interpolated radiance is
 * within 0.3 % of the exact one, relative to its largest component. The first entry is 0.
 */
typedef struct BrumeBlackbodyTable {
    BrumeEmission emission; ///< for which the entries are
    BrumeVec3 root[BRUME_BLACKBODY_ENTRIES];
} BrumeBlackbodyTable;

/** Planck's law: spectral radiance [W/(m^2 sr) per m] at a wavelength [m] and a temperature [K], both above 0. */
double brume_planck(double wavelength, double temperature);

/** The radiance of a black body in the XYZ color space of 1931 [W/(m^2 sr)], not multiplied by 683/179. */
void brume_blackbody_xyz(double temperature, double xyz[3]);

/** The radiance of a black body, linear sRGB [W/(m^2 sr)], exact up to the integration. */
BrumeVec3 brume_blackbody_radiance(double temperature);

/** Computes the entries for these settings; does nothing where they are already. */
void brume_blackbody_table_fill(BrumeBlackbodyTable *table, const BrumeEmission *emission);

/** Factor of the index of an entry over the difference of reciprocal temperatures [K]. */
#define BRUME_BLACKBODY_SPACING                                                                                        \
    ((float)(BRUME_BLACKBODY_ENTRIES - 1) / (1.0f / BRUME_BLACKBODY_COLDEST - 1.0f / BRUME_BLACKBODY_HOTTEST))

/** The interpolated radiance times the intensity at an absolute temperature [K]; NaN counts as cold. */
static inline BrumeVec3 brume_blackbody_at(const BrumeBlackbodyTable *table, float temperature)
{
    const float kelvin = brume_clamp(temperature, BRUME_BLACKBODY_COLDEST, BRUME_BLACKBODY_HOTTEST);
    const float place = (1.0f / BRUME_BLACKBODY_COLDEST - 1.0f / kelvin) * BRUME_BLACKBODY_SPACING;
    const int index = place < (float)(BRUME_BLACKBODY_ENTRIES - 2) ? (int)place : BRUME_BLACKBODY_ENTRIES - 2;
    const float part = brume_min(place - (float)index, 1.0f);
    const BrumeVec3 below = table->root[index];
    const BrumeVec3 root = brume_add(below, brume_scale(brume_sub(table->root[index + 1], below), part));
    const BrumeVec3 square = brume_mul(root, root);
    return brume_mul(square, square);
}

#endif
