/**
 * @file field_view.h
 * Quantities made visible. A scalar field becomes smoke of four kinds whose albedos are the knots of a color scale, so
 * that every renderer draws it as it draws smoke.
 */
#ifndef BRUME_VIEWER_FIELD_VIEW_H
#define BRUME_VIEWER_FIELD_VIEW_H

#include "raymarch/look.h"
#include "viewer/snapshot.h"

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

/**
 * Writes the quantity of a view at the cell centers of a side into `values` (of its grid; made by the caller) and
 * tells its scale: rounded ends that hold still while the field changes a little. `before` is the scale of the picture
 * before, NULL for the first. Of velocity: the speed. Of smoke and isosurface: the sum of all densities. Parallel.
 */
BrumeScale brume_view_field(BrumeViewKind view, const BrumeSnapshotSide *side, const BrumeScale *before,
                            BrumeField *values);

/**
 * Splits values into four fields of density (`kinds`, of their grid), the further from the scale's clear end the
 * denser, and fills the albedos and extinctions of `look` that make them the scale's colors; the rest of the look is
 * kept. A ray through all of a box with sides of `side` [m] at the scale's end is nearly opaque. Parallel.
 */
void brume_view_as_smoke(const BrumeField *values, const BrumeScale *scale, float side, BrumeField kinds[4],
                         BrumeLook *look);

#endif
