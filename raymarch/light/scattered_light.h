/**
 * @file scattered_light.h
 * Light that was scattered more than once, and light of the sky and the ground, inside the medium: the solution of the
 * radiative transfer equation by discrete ordinates on a coarse grid.
 *
 * The medium is reduced by the similarity relation (van de Hulst, "Multiple Light Scattering", 1980, chapter 14): light
 * that is scattered by the anisotropy g counts as going straight on. Extinction becomes sigma (1 - albedo g), and the
 * rest is scattered isotropically with the albedo (1 - g) albedo / (1 - albedo g). The mean radiance phi over all
 * directions is the solution of
 *
 *     phi = mean over directions of the sweep of the source  albedo (phi + mean radiance of direct light) + glow
 *
 * with the sky and the ground, in the shadow of the smoke, at the faces of the box. It is solved on two grids: the
 * residual of a sweep through the first is reduced by GMRES (Saad and Schultz 1986) on a second one of cells twice as
 * wide. Every sum has a fixed order.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SCATTERED_LIGHT_H
#define BRUME_RAYMARCH_LIGHT_SCATTERED_LIGHT_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/ordinates.h"
#include "raymarch/light/solid_cells.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BRUME_SCATTERED_CELLS = 40, ///< maximum cells of the coarse grid along a side
    BRUME_MOVING_CELLS = 20,    ///< the same for pictures in motion
    BRUME_LIGHT_MOMENTS = 4,    ///< of the radiance: its mean, and the means of radiance times direction (x, y, z)
    BRUME_GROUND_MAP = 64,      ///< points along each side of the map of the ground's irradiance
    BRUME_KRYLOV = 12,          ///< largest number of iterations of GMRES
    BRUME_STEPS = 8,            ///< corrections that are kept where the smoke is thick
};

/** How far in front of the surface of a solid the moments are interpolated that light it [coarse cells]. */
#define BRUME_BEFORE_SURFACE 1.0f

/** How accurate the light of a medium is. */
typedef enum BrumeLightQuality {
    BRUME_LIGHT_FULL,
    BRUME_LIGHT_IN_MOTION, ///< for pictures of smoke or cameras in motion: in a fraction of the time
} BrumeLightQuality;

/** The moments of the radiance, for each color. */
typedef struct BrumeLightMoments {
    BrumeFloat4 color[3];
} BrumeLightMoments;

/**
 * Direct light of the n-th light at a `point` [cells] of the box: its irradiance [W/m^2], and in `*optical_depth` the
 * optical depth towards it; solids make it at least 80.
 */
typedef BrumeVec3 (*BrumeDirectLight)(const void *context, int n, BrumeVec3 point, float *optical_depth);

/** Irradiance / pi of a point of the ground [m] by the light of all lights that smoke and solids leave. */
typedef BrumeVec3 (*BrumeGroundLight)(const void *context, BrumeVec3 point);

/** Irradiance / pi of a surface at a `point` [cells] with this unit normal by the light of all lights that is left. */
typedef BrumeVec3 (*BrumeSurfaceLight)(const void *context, BrumeVec3 point, BrumeVec3 normal);

/** Where light comes from. */
typedef struct BrumeIncidentLight {
    int light_count;
    BrumeDirectLight direct_light;
    BrumeGroundLight ground_light; ///< NULL where there is no ground
    BrumeSurfaceLight surface_light;
    const void *context;               ///< of the three functions
    BrumeVec3 ground_albedo;           ///< mean
    float mean_cosine;                 ///< of the phase function
    BrumeVec3 inflow[BRUME_ORDINATES]; ///< radiance that enters the box, by direction of travel
    BrumeVec3 ground_irradiance;       ///< / pi, of the ground without smoke, light from all directions only
} BrumeIncidentLight;

/** The reduced medium on one grid. All arrays have ghosts; arrays with an index are of one color. */
typedef struct BrumeTransportGrid {
    BrumeVec3 cell;                      ///< sides of a cell [cells of the medium]
    BrumeField extinction[3];            ///< reduced [1/cell of the medium]; 0 in the ghosts
    BrumeField albedo[3];                ///< reduced
    BrumeField source[3];                ///< scratch
    BrumeField transposed_extinction[3]; ///< with x and z exchanged
    BrumeField transposed_source[3];     ///< scratch
    BrumeField direct[3];                ///< mean radiance of direct light
    BrumeField glow[3];                  ///< emission of the smoke, over the reduced extinction
    BrumeField phi[3];                   ///< mean radiance of all other light
    BrumeField next[3];                  ///< scratch
    BrumeSolidCells solids;
} BrumeTransportGrid;

/** Scattered light in one medium. */
typedef struct BrumeScatteredLight {
    BrumeLightQuality quality;             ///< of the last solution
    BrumeTransportGrid grids[2];           ///< the coarse grid of the moments, and one of cells twice as wide
    BrumeField basis[3][BRUME_KRYLOV + 1]; ///< scratch of GMRES, of the second grid
    BrumeField solution[3], residual[3];   ///< scratch where the smoke is thick, of the first grid, as the next two
    BrumeField steps[3][BRUME_STEPS], images[3][BRUME_STEPS];
    float *sums;             ///< scratch: sums over some of the directions
    float *planes;           ///< scratch of sweeps
    size_t plane_entries;    ///< of one thread
    float *ground_radiance;  ///< of the ground, as it lights the smoke (BRUME_GROUND_MAP^2 x 4)
    float *boundary;         ///< scratch: of sweeps upwards (3 x 16 ordinates x boundary_entries)
    size_t boundary_entries; ///< of one sweep
    /** Of all light but the light from in and around the glow, then of that light (2 x 3 x nz+2 x ny+2 x nx+2 x
     * BRUME_LIGHT_MOMENTS); the second half is undefined where nothing glows. */
    float *moments;
    float *ground;                        ///< irradiance / pi from all directions (BRUME_GROUND_MAP^2 x 4)
    BrumeVec3 ground_lower, ground_upper; ///< corners of that map [m]
    BrumeVec3 ground_irradiance;          ///< / pi, outside of the map
    BrumeLightMoments unoccluded;         ///< moments where there is no smoke
    int iterations;                       ///< of the last solution
    bool glows;                           ///< whether there is any glow
    BrumeVec3 glow_middle;                ///< of the light from in and around the glow [m]; only above a ground
    double change;                        ///< relative, of phi in the last of them
} BrumeScatteredLight;

/** Allocates for volumes of up to `capacity`. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_scattered_light_create(BrumeScatteredLight *light, BrumeGrid capacity, BrumeError *error);

void brume_scattered_light_destroy(BrumeScatteredLight *light);

/** Bytes allocated for volumes of up to `capacity`. */
size_t brume_scattered_light_bytes(BrumeGrid capacity);

/**
 * Computes moments and the map of the ground for a loaded medium. The same bits at any number of threads. In motion,
 * the cells of the coarse grid are wider, the iteration ends earlier, and the map of the ground has fewer points,
 * between which it is interpolated.
 */
void brume_scattered_light_fill(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                                const BrumeRenderSettings *settings, const BrumeIncidentLight *sources,
                                BrumeLightQuality quality);

/** BRUME_BEFORE_SURFACE in cells of the medium. */
static inline float brume_distance_before_surface(const BrumeScatteredLight *light)
{
    const BrumeVec3 cell = light->grids[0].cell;
    return BRUME_BEFORE_SURFACE * (cell.x + cell.y + cell.z) / 3.0f;
}

/**
 * By how much a black solid of this shape, under a uniform sky, makes the irradiance that follows from the moments at
 * BRUME_BEFORE_SURFACE too large, relative to the true one.
 */
float brume_convexity_excess(const BrumeScatteredLight *light, const BrumeGridMedium *medium, const BrumeShape *shape);

/** Moments at a `point` [cells] of the box, without the light from in and around the glow. */
BrumeLightMoments brume_scattered_light_at(const BrumeScatteredLight *light, BrumeVec3 point);

/** Moments of the light from in and around the glow, at a `point` [cells] of the box; only where smoke glows. */
BrumeLightMoments brume_glow_light_at(const BrumeScatteredLight *light, BrumeVec3 point);

/** Irradiance / pi of the ground from all directions at a point of it [m]. */
BrumeVec3 brume_scattered_light_ground(const BrumeScatteredLight *light, BrumeVec3 point);

#endif
