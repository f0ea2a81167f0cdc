/**
 * @file settings.h
 * The tables of settings of a picture: one for each struct of render_settings.h and camera.h whose values a scene can
 * set. The enumerators are the indices of the settings in their tables.
 */
#ifndef BRUME_RAYMARCH_SETTINGS_H
#define BRUME_RAYMARCH_SETTINGS_H

#include "core/setting.h"

/** Settings of BrumeRenderSettings. */
enum {
    BRUME_RENDER_ANISOTROPY,
    BRUME_RENDER_INTERPOLATION,
    BRUME_RENDER_PHASE,
    BRUME_RENDER_DROPLET_DIAMETER,
    BRUME_RENDER_EXPOSURE,
    BRUME_RENDER_TONE,
    BRUME_RENDER_STEP,
    BRUME_RENDER_EDGE_FADE,
    BRUME_RENDER_SKY_ZENITH,
    BRUME_RENDER_SKY_HORIZON,
    BRUME_RENDER_GROUND,
    BRUME_RENDER_GROUND_HEIGHT,
    BRUME_RENDER_GROUND_ALBEDO,
    BRUME_RENDER_GROUND_PATTERN,
    BRUME_RENDER_GROUND_ALBEDO_2,
    BRUME_RENDER_GROUND_SCALE,
    BRUME_RENDER_GROUND_CATCHER,
    BRUME_RENDER_GROUND_IMAGE_SIZE,
    BRUME_RENDER_GROUND_IMAGE_X,
    BRUME_RENDER_GROUND_IMAGE_Z,
    BRUME_RENDER_GROUND_IMAGE_REPEAT,
    BRUME_RENDER_WALLS,
    BRUME_RENDER_WALL_ALBEDO,
    BRUME_RENDER_LOBES_FORWARD,
    BRUME_RENDER_LOBES_BACKWARD,
    BRUME_RENDER_LOBES_SHARE,
    BRUME_RENDER_EMISSION_INTENSITY,
    BRUME_RENDER_EMISSION_AMBIENT,
    BRUME_RENDER_EMISSION_SCALE,
    BRUME_RENDER_SKY_KIND,
    BRUME_RENDER_SKY_RADIANCE,
    BRUME_RENDER_SKY_TURBIDITY,
    BRUME_RENDER_SKY_ROTATION,
    BRUME_RENDER_SKY_INTENSITY,
    BRUME_RENDER_DETAIL_FACTOR,
    BRUME_RENDER_DETAIL_STRENGTH,
    BRUME_RENDER_DETAIL_SCALE,
    BRUME_RENDER_SETTING_COUNT,
};
extern const BrumeSetting brume_render_setting_table[BRUME_RENDER_SETTING_COUNT];

/** Settings of BrumeSmokeMedium. */
enum {
    BRUME_MEDIUM_EXTINCTION,
    BRUME_MEDIUM_ALBEDO,
    BRUME_MEDIUM_SETTING_COUNT,
};
extern const BrumeSetting brume_medium_setting_table[BRUME_MEDIUM_SETTING_COUNT];

/** Settings of BrumeCurve and of its points: for a curve over the density, and for one over the temperature. */
enum {
    BRUME_CURVE_KIND,
    BRUME_CURVE_POINT_AT,
    BRUME_CURVE_POINT_VALUE,
    BRUME_CURVE_SETTING_COUNT,
};
extern const BrumeSetting brume_density_curve_setting_table[BRUME_CURVE_SETTING_COUNT];
extern const BrumeSetting brume_emission_curve_setting_table[BRUME_CURVE_SETTING_COUNT];

/** Settings of BrumeLight. The defaults describe the default sun. */
enum {
    BRUME_LIGHT_KIND,
    BRUME_LIGHT_DIRECTION,
    BRUME_LIGHT_POSITION,
    BRUME_LIGHT_COLOR,
    BRUME_LIGHT_TEMPERATURE,
    BRUME_LIGHT_INTENSITY,
    BRUME_LIGHT_ANGLE,
    BRUME_LIGHT_BLEND,
    BRUME_LIGHT_WIDTH,
    BRUME_LIGHT_HEIGHT,
    BRUME_LIGHT_UP,
    BRUME_LIGHT_DAYLIGHT,
    BRUME_LIGHT_SETTING_COUNT,
};
extern const BrumeSetting brume_light_setting_table[BRUME_LIGHT_SETTING_COUNT];

/** Settings of BrumeSurface. */
enum {
    BRUME_SURFACE_ALBEDO,
    BRUME_SURFACE_SETTING_COUNT,
};
extern const BrumeSetting brume_surface_setting_table[BRUME_SURFACE_SETTING_COUNT];

/** Settings of BrumeCamera. */
enum {
    BRUME_CAMERA_POSITION,
    BRUME_CAMERA_TARGET,
    BRUME_CAMERA_FIELD_OF_VIEW,
    BRUME_CAMERA_PROJECTION,
    BRUME_CAMERA_HEIGHT,
    BRUME_CAMERA_LENS_RADIUS,
    BRUME_CAMERA_FOCUS,
    BRUME_CAMERA_SETTING_COUNT,
};
extern const BrumeSetting brume_camera_setting_table[BRUME_CAMERA_SETTING_COUNT];

#endif
