/**
 * @file lit_medium.h
 * A medium together with the light inside it: the input of ray marching on the CPU, and the data that the OpenGL
 * renderer uploads. The light of a loaded volume is computed once and stored in light volumes: the transmittance
 * towards each light, and the moments of all other light on a coarse grid. Camera rays interpolate them.
 */
#ifndef BRUME_RAYMARCH_LIGHT_LIT_MEDIUM_H
#define BRUME_RAYMARCH_LIGHT_LIT_MEDIUM_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "brume/renderer.h"
#include "brume/volume.h"
#include "core/field.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/area_light.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/phase.h"
#include "raymarch/light/point_light.h"
#include "raymarch/light/scattered_light.h"
#include "raymarch/light/skylight.h"
#include "raymarch/light/transmittance_sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRUME_LONGEST_SMALL_SIDE = 48 }; ///< of volumes whose light volumes have two entries a side of a cell [cells]

/** Samples of the extinction that rays of brume_march take. */
typedef struct BrumeMarchCounts {
    int64_t samples;
    int64_t in_smoke; ///< steps with an extinction above 0, at which light is sampled too
} BrumeMarchCounts;

/** Which parts of a lit medium are up to date. */
typedef enum BrumeLitState {
    BRUME_LIT_EMPTY,  ///< no volume was loaded since the settings were set
    BRUME_LIT_LOADED, ///< the medium is loaded, the light volumes are out of date
    BRUME_LIT_READY,  ///< the light volumes belong to the present medium
} BrumeLitState;

/** The image of a daylight sky. */
typedef struct BrumeDaylight {
    float *radiance;         ///< BRUME_DAYLIGHT_ROWS x BRUME_DAYLIGHT_COLUMNS x 3; NULL where there is none
    float turbidity, height; ///< of the sun: sine of its elevation
} BrumeDaylight;

/** The triangles of a surface that deforms, which are referenced. All zero: it does not. */
typedef struct BrumeDeformedSurface {
    const BrumeMesh *deforming, *mesh; ///< that of the settings given, and at its frame
    double frame;
} BrumeDeformedSurface;

/** A medium and its light volumes. Not thread-safe: changed by one thread at a time. */
typedef struct BrumeLitMedium {
    /** Meshes of surfaces are those of the frame. Directions of lights are of unit length, a daylight sky is replaced
     * by its image, and lights with `daylight` have the color of sunlight, others with a temperature a black body's. */
    BrumeRenderSettings settings;
    BrumeDeformedSurface deformed[BRUME_MAX_SURFACES]; ///< of the surfaces
    BrumeLightSource sources[BRUME_MAX_LIGHTS];        ///< by index of the light
    BrumeDaylight daylight;
    BrumeGrid capacity; ///< largest volume that can be loaded [cells]
    BrumeLitState state;
    int light_per_cell; ///< rays of suns and point lights along a side of a cell: 2 in small volumes at rest, else 1
    BrumeGridMedium medium;  ///< that camera rays see
    BrumeGridMedium shading; ///< with the particles, between which light passes; without cells where there are none
    BrumeField transposed;   ///< scratch: the extinction with x and z exchanged, for sweeps along x
    BrumeTransmittanceSweep directional[BRUME_MAX_LIGHTS]; ///< by index of the light; zeroed for point lights
    BrumeTransmittanceSweep disc;                          ///< scratch: one direction of the disc of a light
    BrumePointLightVolume point[BRUME_MAX_LIGHTS]; ///< of lights with a position, by index; scratch of a rectangle
    BrumeAreaLightVolume area[BRUME_MAX_LIGHTS];   ///< of rectangles, by index
    BrumeSkylight sky;
    BrumeScatteredLight scattered;
    BrumePhaseLobes phase;    ///< of the settings
    BrumeMarchCounts *counts; ///< to which brume_march adds; NULL, the default: nothing is counted
    int march_lanes; ///< of brume_march_packet: 0, by the processor; 1, ray by ray with brume_march; 4, 8 or 16
} BrumeLitMedium;

/** Allocates for volumes of up to `capacity`. Fails as brume_renderer_create does; `lit` must be destroyed then too. */
BrumeStatus brume_lit_medium_create(BrumeLitMedium *lit, BrumeGrid capacity, const BrumeRenderSettings *settings,
                                    BrumeError *error);

void brume_lit_medium_destroy(BrumeLitMedium *lit);

/** Releases the triangles. */
void brume_deformed_surface_release(BrumeDeformedSurface *surface);

/** As brume_renderer_set_settings. */
BrumeStatus brume_lit_medium_set_settings(BrumeLitMedium *lit, const BrumeRenderSettings *settings, BrumeError *error);

/** As brume_renderer_load. */
BrumeStatus brume_lit_medium_load(BrumeLitMedium *lit, const BrumeVolume *volume, BrumeError *error);

/**
 * Fills the light volumes. The state must not be BRUME_LIT_EMPTY; it becomes BRUME_LIT_READY. In motion, scattered
 * light is less accurate (scattered_light.h), and a sun with a small disc lights the smoke from its middle.
 */
void brume_lit_medium_light(BrumeLitMedium *lit, BrumeLightQuality quality);

/** The medium that light passes through before it is scattered towards the camera. */
static inline const BrumeGridMedium *brume_lit_medium_shading(const BrumeLitMedium *lit)
{
    return lit->shading.grid.nx > 0 ? &lit->shading : &lit->medium;
}

/** As brume_renderer_bytes_needed, without the renderer itself. */
size_t brume_lit_medium_bytes_needed(BrumeGrid capacity, const BrumeRenderSettings *settings, int kinds);

/** Bytes allocated. */
size_t brume_lit_medium_bytes(const BrumeLitMedium *lit);

/** Whether there is a ground that blocks all light of `light` to points above it. */
bool brume_ground_blocks_light(const BrumeRenderSettings *settings, const BrumeLight *light);

/** Whether a light is a sun whose disc is so small that pictures in motion show the light from its middle. */
bool brume_is_small_disc(const BrumeLight *light);

/** Whether a light is a sun whose rays, or those of its disc, are swept along x. */
bool brume_is_swept_along_x(const BrumeLight *light);

/** The color of a light: its own or, with a temperature, a black body's, with the luminance 1, linear sRGB. */
BrumeVec3 brume_light_color(const BrumeLight *light);

/** The eighth root of the transmittance between the n-th light, which has a position, and a `point` [cells]. */
float brume_placed_light_at(const BrumeLitMedium *lit, int n, BrumeVec3 point);

/** The lit medium of a CPU renderer, for a second renderer of the same volume. Valid as long as the renderer. */
const BrumeLitMedium *brume_renderer_lit_medium(const BrumeRenderer *renderer);

#endif
