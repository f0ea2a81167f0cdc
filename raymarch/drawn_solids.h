/**
 * @file drawn_solids.h
 * The solids that rays hit: the surfaces of the settings, and the streamlines of a renderer.
 */
#ifndef BRUME_RAYMARCH_DRAWN_SOLIDS_H
#define BRUME_RAYMARCH_DRAWN_SOLIDS_H

#include "brume/render_settings.h"

/** The flow of a loaded volume. All zero: none. */
typedef struct BrumeFlowView {
    BrumeSurface lines;           ///< the streamlines as tubes; its mesh is NULL where there are none
    const BrumeSamples *pressure; ///< pressure coefficient in the box, continued into solids; NULL where it has no use
} BrumeFlowView;

/** The number of solids that are drawn: surfaces of the settings, and behind them the streamlines, if there are any. */
static inline int brume_drawn_solid_count(const BrumeRenderSettings *settings)
{
    return settings->surface_count + (settings->flow != NULL && settings->flow->lines.shape.mesh != NULL ? 1 : 0);
}

/** The n-th of them. */
static inline const BrumeSurface *brume_drawn_solid(const BrumeRenderSettings *settings, int n)
{
    return n < settings->surface_count ? &settings->surfaces[n] : &settings->flow->lines;
}

#endif
