/**
 * @file flow_view.h
 * What a renderer shows of the flow besides its smoke: streamlines from rakes, and the pressure on solids as colors.
 */
#ifndef BRUME_RAYMARCH_FLOW_VIEW_H
#define BRUME_RAYMARCH_FLOW_VIEW_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/field.h"

/** The flow of a loaded volume. All zero: none. */
typedef struct BrumeFlowView {
    BrumeSurface lines;  ///< the streamlines as tubes; its mesh is NULL where there are none
    BrumeField pressure; ///< pressure coefficient in the air, continued into solids; without data where it has no use
    float dx;            ///< side of its cells [m]
    BrumeVec3 origin;    ///< lower corner of its box [m]
} BrumeFlowView;

/** Whether the settings show the velocity, the pressure or the temperature of a volume by streamlines or colors. */
bool brume_flow_needs_velocity(const BrumeRenderSettings *settings);
bool brume_flow_needs_pressure(const BrumeRenderSettings *settings);
bool brume_flow_needs_temperature(const BrumeRenderSettings *settings);

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

/** The pressure coefficient of the air at a point [m] of a solid with this unit normal on the side of the air. */
float brume_pressure_at_surface(const BrumeFlowView *flow, BrumeVec3 point, BrumeVec3 normal);

/** The albedo of the n-th drawn solid at one of its points [m], seen from the side of `normal`. */
BrumeVec3 brume_solid_albedo(const BrumeRenderSettings *settings, int n, BrumeVec3 point, BrumeVec3 normal);

#endif
