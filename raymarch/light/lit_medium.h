/**
 * @file lit_medium.h
 * A medium together with the light inside it: all that the CPU renderer marches through and that the OpenGL renderer
 * uploads. Light is computed once for a loaded volume, by sweeps of the transmittance; rays then look it up.
 */
#ifndef BRUME_RAYMARCH_LIGHT_LIT_MEDIUM_H
#define BRUME_RAYMARCH_LIGHT_LIT_MEDIUM_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "brume/renderer.h"
#include "brume/volume.h"
#include "core/field.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/point_light.h"
#include "raymarch/light/skylight.h"
#include "raymarch/light/transmittance_sweep.h"

#include <stdbool.h>
#include <stddef.h>

/** How far a lit medium has been computed. */
typedef enum BrumeLitState {
    BRUME_LIT_EMPTY,  ///< no volume since the settings were set
    BRUME_LIT_LOADED, ///< the medium is loaded, the light volumes are out of date
    BRUME_LIT_READY,  ///< medium and light volumes belong together
} BrumeLitState;

typedef struct BrumeLitMedium {
    BrumeRenderSettings settings; ///< directions of lights are of unit length
    BrumeGrid capacity;
    BrumeLitState state;
    BrumeGridMedium medium;
    BrumeField transposed; ///< scratch: the extinction with x and z exchanged, for sweeps along x
    BrumeTransmittanceSweep directional[BRUME_MAX_LIGHTS]; ///< by index of the light; those of point lights are zeroed
    BrumePointLightVolume point[BRUME_MAX_LIGHTS];         ///< by index of the light; those of others are zeroed
    BrumeSkylight sky;
} BrumeLitMedium;

/** Allocates for volumes of up to `capacity`. Fails as brume_renderer_create does; to be destroyed in any case. */
BrumeStatus brume_lit_medium_create(BrumeLitMedium *lit, BrumeGrid capacity, const BrumeRenderSettings *settings,
                                    BrumeError *error);

void brume_lit_medium_destroy(BrumeLitMedium *lit);

/** As brume_renderer_set_settings. */
BrumeStatus brume_lit_medium_set_settings(BrumeLitMedium *lit, const BrumeRenderSettings *settings, BrumeError *error);

/** As brume_renderer_load. */
BrumeStatus brume_lit_medium_load(BrumeLitMedium *lit, const BrumeVolume *volume, BrumeError *error);

/** Fills the light volumes. The state must not be BRUME_LIT_EMPTY; it becomes BRUME_LIT_READY. */
void brume_lit_medium_light(BrumeLitMedium *lit);

/** Bytes allocated. */
size_t brume_lit_medium_bytes(const BrumeLitMedium *lit);

/** Whether the ground lies between a light and everything above the ground. */
bool brume_ground_blocks_light(const BrumeRenderSettings *settings, const BrumeLight *light);

/** The lit medium of a CPU renderer, for a second renderer of the same volume. It lives as long as the renderer. */
const BrumeLitMedium *brume_renderer_lit_medium(const BrumeRenderer *renderer);

#endif
