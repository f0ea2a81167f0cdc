/**
 * @file scattered_light_internal.h
 * The parts of the solution for scattered light: the reduced medium (reduced_medium.c), transport along all ordinates
 * (ordinate_transport.c), the iteration (scattering_solver.c) and the map of the ground (ground_light.c).
 */
#ifndef BRUME_RAYMARCH_LIGHT_SCATTERED_LIGHT_INTERNAL_H
#define BRUME_RAYMARCH_LIGHT_SCATTERED_LIGHT_INTERNAL_H

#include "raymarch/light/scattered_light.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BRUME_TRANSPORT_FIELDS = 9 * 3, ///< of a transport grid
};

static inline float brume_channel(BrumeVec3 color, int c) { return c == 0 ? color.x : c == 1 ? color.y : color.z; }

static inline BrumeVec3 brume_exchange_xz(BrumeVec3 a) { return brume_vec3(a.z, a.y, a.x); }

static inline BrumeGrid brume_half_grid(BrumeGrid grid)
{
    return brume_grid((grid.nx + 1) / 2, (grid.ny + 1) / 2, (grid.nz + 1) / 2);
}

/** The n-th of the fields of a transport grid, in the order of its members. */
static inline BrumeField *brume_transport_field(BrumeTransportGrid *grid, int n)
{
    BrumeField *const fields[] = {grid->extinction,
                                  grid->albedo,
                                  grid->source,
                                  grid->transposed_extinction,
                                  grid->transposed_source,
                                  grid->direct,
                                  grid->phi,
                                  grid->next,
                                  grid->glow};
    return &fields[n / 3][n % 3];
}

// --- the reduced medium ---

/**
 * Shapes a grid of up to `most_cells` along a side for a loaded medium and sets extinction and albedo, reduced by the
 * phase function's mean cosine.
 */
void brume_reduce_medium(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                         float mean_cosine, int most_cells);

/**
 * Sets the direct light of a reduced medium: at one point of an empty coarse cell; elsewhere the mean over up to two
 * points along each side, weighted by their scattering.
 */
void brume_add_direct_light(BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, const BrumeIncidentLight *sources);

/**
 * Limits the optical depth of the cells of a reduced medium, with what they scatter of the direct light and emit
 * unchanged: thicker ones look the same, and their equations are nearly singular.
 */
void brume_limit_extinction(BrumeTransportGrid *grid);

/**
 * Sets the reduced medium and its direct light on cells twice as wide; albedo and direct light are means weighted by
 * extinction and scattering.
 */
void brume_coarsen_medium(BrumeTransportGrid *coarse, const BrumeTransportGrid *fine);

/** Adds the emission of the smoke of a loaded medium to the reduced medium, whose glow is 0 before. */
void brume_add_glow(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings);

/** Adds the solids to the reduced medium of a grid with direct light and glow, and lists their cells. */
void brume_add_solids(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                      const BrumeIncidentLight *sources);

void brume_transpose_extinction(BrumeTransportGrid *grid);

// --- transport along all ordinates ---

/** One batch of sweeps. */
typedef struct BrumeSweepBatch {
    BrumeScatteredLight *light;
    BrumeTransportGrid *grid;
    const BrumeIncidentLight *sources; ///< NULL: no light enters the box
} BrumeSweepBatch;

/** The light besides phi that a source contains. */
typedef enum BrumeSourceLight {
    BRUME_PHI_ONLY,
    BRUME_ALL_LIGHT, ///< with direct light and with emission of the smoke
} BrumeSourceLight;

/** Sets source = albedo * (phi + direct light) + glow, or albedo * phi, with its ghosts, and its transposed field. */
void brume_set_source(BrumeTransportGrid *grid, const BrumeField phi[3], BrumeSourceLight light);

/** The sweep of the n-th ordinate for color c; `*exchanged`: of the fields with x and z exchanged. */
BrumeOrdinateSweep brume_sweep_of(const BrumeSweepBatch *transport, int c, int n, bool *exchanged);

/** The boundary of the sweep upwards along the n-th ordinate for color c. */
static inline float *brume_ground_boundary(const BrumeScatteredLight *light, int c, int n)
{
    const int upwards = c * BRUME_DOWNWARD_ORDINATES + n - BRUME_DOWNWARD_ORDINATES;
    return light->boundary + light->boundary_entries * (size_t)upwards;
}

/** The n-th of the arrays for sums over ordinates. */
static inline float *brume_sweep_sum(const BrumeSweepBatch *transport, int n)
{
    return transport->light->sums + brume_grid_entries(transport->grid->albedo[0].grid) * (size_t)n;
}

/**
 * out[out_stride * n] = the total of the sums of BRUME_SWEEP_TASKS tasks, two for each axis, which are arrays `stride`
 * apart from the `first` on; ordinates of axis x are transposed.
 */
void brume_add_sweep_sums(const BrumeSweepBatch *transport, int first, int stride, float *out, int out_stride);

/** `to` = the mean radiance that the source and, with `sources`, the inflow cause. */
void brume_transport_mean(const BrumeSweepBatch *transport, BrumeField to[3]);

/** Sets the moments that the source and the inflow cause. */
void brume_transport_moments(const BrumeSweepBatch *transport);

/**
 * Sets the moments of the light that smoke in and around the glow emits and scatters, and the source to the source of
 * all other smoke.
 */
void brume_transport_glow(const BrumeSweepBatch *transport);

// --- light on solids ---

/** Sets the sums of one task (of sweeps) over light on solids to 0. */
void brume_clear_surface_light(const BrumeSolidCells *solids, int c, int task);

/**
 * Adds the light of an ordinate on solids. `sum` is its task's sum over weight times radiance, with the present
 * ordinate and all before it since the sums were cleared; of axis x, with x and z exchanged. `inflow` is its radiance
 * outside the box.
 */
void brume_add_surface_light(const BrumeSolidCells *solids, int c, int task, const BrumeOrdinate *ordinate,
                             const float *sum, bool exchanged, float inflow);

/** Adds the sums of all tasks. With `phi`, the sum of solids becomes their irradiance / pi from all directions. */
void brume_set_surface_light(BrumeSolidCells *solids, int c, float *phi);

/** Sets the moments in cells with solids to the moments at their surface. */
void brume_set_surface_moments(const BrumeSolidCells *solids, int c, const BrumeField *shape, float *moments);

// --- the iteration ---

/**
 * Solves for phi on the first grid and sets the moments. The ground lights the smoke with the light that direct light,
 * and the solution on the second grid, leave of its irradiance.
 */
void brume_solve_scattering(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, const BrumeIncidentLight *sources);

// --- the light of the ground ---

/** Sets the corners of the map, which extends beyond the footprint of the box by the box's longest side. */
void brume_place_ground_map(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings);

/** Sets the map to the irradiance without smoke. */
void brume_clear_ground(BrumeScatteredLight *light, const BrumeIncidentLight *sources);

/** Fills the map from the solution on one of the grids, and sets its source. */
void brume_light_ground(BrumeScatteredLight *light, BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                        const BrumeRenderSettings *settings, const BrumeIncidentLight *sources);

enum { BRUME_GLOW_LIGHTS = 128 }; ///< most

/** A block of cells that glow, or scatter the light of glowing ones. */
typedef struct BrumeGlowLight {
    BrumeVec3 middle;     ///< [cells of the medium], weighted by the cells' emission
    BrumeVec3 intensity;  ///< radiant intensity without absorption, of radiance per square of a cell of the medium
    BrumeVec3 extinction; ///< mean [1/cell of the medium]
    float side;           ///< mean side [cells of the medium]
} BrumeGlowLight;

typedef struct BrumeGlowLights {
    BrumeGlowLight lights[BRUME_GLOW_LIGHTS];
    int count;
} BrumeGlowLights;

/** Sets the entries of `mask` to 1 in cells that glow or have such cells around them, and to 0 in others. */
void brume_mark_glow(const BrumeTransportGrid *grid, BrumeField *mask);

/** Makes lights of the source of a grid in and around glowing cells, and sets the source to 0 there. */
void brume_take_glow_lights(BrumeGlowLights *lights, BrumeTransportGrid *grid);

/** The mean position of lights, weighted by their emission [cells of the medium]; 0 where there are none. */
BrumeVec3 brume_glow_lights_middle(const BrumeGlowLights *lights);

/** Adds the light of glowing smoke to the map. */
void brume_add_glow_on_ground(BrumeScatteredLight *light, const BrumeGlowLights *lights, const BrumeTransportGrid *grid,
                              const BrumeGridMedium *medium, const BrumeRenderSettings *settings);

/** The point of the map in column ix and row iz [m]. */
static inline BrumeVec3 brume_ground_map_point(const BrumeScatteredLight *light, int ix, int iz)
{
    const BrumeVec3 size = brume_sub(light->ground_upper, light->ground_lower);
    const float x = (float)ix / (BRUME_GROUND_MAP - 1);
    const float z = (float)iz / (BRUME_GROUND_MAP - 1);
    return brume_add(light->ground_lower, brume_vec3(x * size.x, 0.0f, z * size.z));
}

/** Sets the radiance of the ground from the map and from direct light, and the boundaries of sweeps through a grid. */
void brume_light_from_ground(BrumeScatteredLight *light, BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                             const BrumeIncidentLight *sources);

#endif
