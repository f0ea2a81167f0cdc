/**
 * @file field_view.h
 * Quantities made visible. A scalar field becomes smoke of four kinds whose albedos are the knots of a color scale, so
 * that every renderer draws it as it draws smoke.
 */
#ifndef BRUME_VIEWER_VIEWS_FIELD_VIEW_H
#define BRUME_VIEWER_VIEWS_FIELD_VIEW_H

#include "brume/render_settings.h"
#include "viewer/threads/snapshot.h"

/** What is shown, in the order of the keys 1 to 6. */
typedef enum BrumeViewKind {
    BRUME_VIEW_SMOKE,
    BRUME_VIEW_TEMPERATURE, ///< [K above ambient]
    BRUME_VIEW_VELOCITY,    ///< [m/s], arrows or streamlines
    BRUME_VIEW_VORTICITY,   ///< magnitude [1/s]
    BRUME_VIEW_PRESSURE,    ///< [m^2/s^2], signed
    BRUME_VIEW_ISOSURFACE,  ///< of the density
    BRUME_VIEW_COUNT,
} BrumeViewKind;

/** A scale of values in colors. */
typedef struct BrumeScale {
    float lower, upper; ///< values at its ends
    const char *name;   ///< "temperature"
    const char *unit;   ///< "K"
    bool is_signed;     ///< 0 in its middle, which is clear
} BrumeScale;

/** Name of a view as the panel and the HUD print it. */
const char *brume_view_name(BrumeViewKind view);

/** Linear RGB of a scale at the share `s`, 0 to 1: dark to bright, or blue over white to red where signed. */
BrumeVec3 brume_scale_color(bool is_signed, float s);

enum { BRUME_SCALE_ENTRIES = 256 };

/** A scale's colors as sRGB bytes, for the shares n / (BRUME_SCALE_ENTRIES - 1). */
void brume_scale_table(bool is_signed, uint8_t table[BRUME_SCALE_ENTRIES][3]);

/** A value's place on a scale, held to 0 at its lower end and 1 at its upper; what is not a number is as 0. */
static inline float brume_scale_share(const BrumeScale *scale, float value)
{
    const float known = value == value ? value : 0.0f;
    const float share = (known - scale->lower) / (scale->upper - scale->lower);
    return share > 0.0f ? (share < 1.0f ? share : 1.0f) : 0.0f;
}

/** Optical depth of a box full of values at a scale's end, seen through all of it. */
#define BRUME_VIEW_DEPTH 60.0f

/** Share of a scale, from its clear end, that is not seen at all. */
#define BRUME_VIEW_CLEAR 0.04f

/**
 * Writes the quantity of a view at the cell centers of a side into `values` (of its grid; made by the caller) and
 * tells its scale: ends of 1, 2 or 5 times a power of ten that hold still while the field changes a little, beyond all
 * but one in 2000 of the values. `before` is the scale of the picture before, of any view, NULL for the first. Of
 * velocity: the speed. Of smoke and isosurface: the sum of all densities. Parallel.
 */
BrumeScale brume_view_field(BrumeViewKind view, const BrumeSnapshotSide *side, const BrumeScale *before,
                            BrumeField *values);

/**
 * Splits values into four fields of density (`kinds`, of their grid), the further from the scale's clear end the
 * denser and nothing next to it, and fills the albedos and extinctions of `look` that make them the scale's colors; the
 * rest of the look is kept. A ray through all of a box with sides of `side` [m] at the scale's end is nearly opaque.
 * Parallel.
 */
void brume_view_as_smoke(const BrumeField *values, const BrumeScale *scale, float side, BrumeField kinds[4],
                         BrumeRenderSettings *look);

#endif
