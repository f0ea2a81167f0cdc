/**
 * @file render_settings.h
 * The look of a picture: how smoke takes up and scatters light, the lights, sky, ground and solids, the exposure and
 * tone curve. One set of definitions that every renderer follows.
 */
#ifndef BRUME_RENDER_SETTINGS_H
#define BRUME_RENDER_SETTINGS_H

#include "brume/export.h"
#include "brume/shape.h"
#include "brume/vec3.h"
#include "brume/volume.h"

#include <stdbool.h>

BRUME_BEGIN_DECLS

enum { BRUME_MAX_LIGHTS = 8, BRUME_MAX_SURFACES = 64 };

typedef enum BrumeLightKind {
    BRUME_LIGHT_DIRECTIONAL, ///< a sun
    BRUME_LIGHT_POINT,       ///< a lamp, falling off with the square of the distance
} BrumeLightKind;

typedef struct BrumeLight {
    BrumeLightKind kind;
    BrumeVec3 direction; ///< directional: the way its light travels, unit length
    BrumeVec3 position;  ///< point [m]
    BrumeVec3 color;     ///< linear RGB, scaled by `intensity`
    float intensity;     ///< directional: irradiance [W/m^2]; point: radiant intensity [W/sr]
} BrumeLight;

/** How one kind of smoke looks. */
typedef struct BrumeSmokeMedium {
    float extinction; ///< of a density of 1 [1/m]
    BrumeVec3 albedo; ///< share of the taken-up light that is scattered, linear RGB in [0, 1]
} BrumeSmokeMedium;

/** A solid that is drawn and receives shadow. */
typedef struct BrumeSurface {
    BrumeShape shape;
    BrumeVec3 albedo; ///< linear RGB, Lambertian
} BrumeSurface;

typedef enum BrumeToneCurve {
    BRUME_TONE_FILMIC, ///< highlights roll off, shadows deepen
    BRUME_TONE_LINEAR, ///< clipped at 1
} BrumeToneCurve;

typedef struct BrumeRenderSettings {
    BrumeSmokeMedium smoke[BRUME_VOLUME_KINDS];
    float anisotropy; ///< g of Henyey-Greenstein, in (-1, 1): 0 even, above 0 forward
    int light_count;
    BrumeLight lights[BRUME_MAX_LIGHTS];
    BrumeVec3 sky_zenith;  ///< radiance straight up, linear RGB [W/(m^2 sr)]
    BrumeVec3 sky_horizon; ///< radiance at and below the horizon
    bool ground;           ///< an infinite plane, drawn and shadowed
    float ground_height;   ///< y of the plane [m]
    BrumeVec3 ground_albedo;
    int surface_count;
    BrumeSurface surfaces[BRUME_MAX_SURFACES];
    float exposure; ///< in stops: radiance is scaled by 2^exposure before the tone curve
    BrumeToneCurve tone;
    float step; ///< length of a marching step [cells]; the picture converges fast in it
} BrumeRenderSettings;

/** White smoke under a sun and a blue sky, on a grey ground at y = 0. */
BRUME_API BrumeRenderSettings brume_default_render_settings(void);

BRUME_END_DECLS

#endif
