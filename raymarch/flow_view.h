/**
 * @file flow_view.h
 * What a renderer shows of the flow besides its smoke: streamlines from rakes, and the pressure on solids as colors.
 */
#ifndef BRUME_RAYMARCH_FLOW_VIEW_H
#define BRUME_RAYMARCH_FLOW_VIEW_H

#include "brume/error.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/intersect.h"

/**
 * Replaces the flow by that of a valid volume, as the settings show it. Without velocity there are no streamlines;
 * without the quantity of their colors, streamlines and solids have their own. BRUME_FAILED without memory; there is no
 * flow then. Parallel over lines and z-planes.
 */
BrumeStatus brume_flow_view_load(BrumeFlowView *flow, const BrumeRenderSettings *settings, const BrumeVolume *volume,
                                 BrumeError *error);

/** Frees what the flow holds; it is none then. */
void brume_flow_view_destroy(BrumeFlowView *flow);

/** Bytes allocated. */
size_t brume_flow_view_bytes(const BrumeFlowView *flow);

/** The pressure coefficient of the air at a point [m] of a solid with this unit normal on the side of the air. */
float brume_pressure_at_surface(const BrumeFlowView *flow, BrumeVec3 point, BrumeVec3 normal);

#endif
