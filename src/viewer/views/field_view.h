/**
 * @file field_view.h
 * The views of a snapshot, and the scalar quantity of each.
 */
#ifndef BRUME_VIEWER_VIEWS_FIELD_VIEW_H
#define BRUME_VIEWER_VIEWS_FIELD_VIEW_H

#include "viewer/simulation/snapshot.h"
#include "viewer/views/color_scale.h"

/** The views, in the order of the keys 1 to 6. */
typedef enum BrumeViewKind {
    BRUME_VIEW_SMOKE,
    BRUME_VIEW_TEMPERATURE, ///< above ambient [K]
    BRUME_VIEW_VELOCITY,    ///< arrows or streamlines [m/s]
    BRUME_VIEW_VORTICITY,   ///< magnitude of the curl [1/s]
    BRUME_VIEW_PRESSURE,    ///< divided by the density of air, signed [m^2/s^2]
    BRUME_VIEW_ISOSURFACE,  ///< isosurface of the smoke's density
    BRUME_VIEW_COUNT,
} BrumeViewKind;

/** The name of a view in the panel and the HUD. */
const char *brume_view_name(BrumeViewKind view);

/**
 * Returns the quantity that a view needs and a variant (from a file) lacks: "velocity", "temperature" or "pressure";
 * NULL where the view can be drawn. The variant has the density.
 */
const char *brume_view_missing_quantity(BrumeViewKind view, const BrumeSnapshotVariant *variant);

/**
 * Computes the quantity of a view at the cell centers of a variant: for the velocity its magnitude, for smoke and
 * isosurface the sum of all densities. The variant has the fields (brume_view_missing_quantity). `values` is a field of
 * the variant's grid. Returns the color scale: its ends are 1, 2 or 5 times a power of ten and exclude one in 2000 of
 * the values. The scale of the temperature has 0 in its middle where there is air below ambient. `previous` is the
 * scale of the previous picture (of any view), NULL for the first: with it the ends shrink only after a clear change,
 * so that the colors do not change with every frame. Parallel over z-planes.
 */
BrumeColorScale brume_evaluate_view(BrumeViewKind view, const BrumeSnapshotVariant *variant,
                                    const BrumeColorScale *previous, BrumeField *values);

#endif
