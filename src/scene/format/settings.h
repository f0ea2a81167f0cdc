/**
 * @file settings.h
 * The tables of settings that neither a simulation nor a picture has: title, frames, image, and the forms in which a
 * scene gives the box and the position of the sun. The structs are in parsed_scene.h.
 */
#ifndef BRUME_SCENE_FORMAT_SETTINGS_H
#define BRUME_SCENE_FORMAT_SETTINGS_H

#include "core/setting.h"

/** Settings of BrumeParsedScene. */
enum {
    BRUME_SCENE_NAME,
    BRUME_SCENE_DESCRIPTION,
    BRUME_SCENE_SIZE,
    BRUME_SCENE_FRAMES,
    BRUME_SCENE_FIRST_FRAME,
    BRUME_SCENE_WIDTH,
    BRUME_SCENE_HEIGHT,
    BRUME_SCENE_INTEGRATOR,
    BRUME_SCENE_SAMPLES,
    BRUME_SCENE_NOISE,
    BRUME_SCENE_DENOISE,
    BRUME_SCENE_BOUNCES,
    BRUME_SCENE_BITS,
    BRUME_SCENE_BACKGROUND,
    BRUME_SCENE_SHUTTER,
    BRUME_SCENE_TURNTABLE,
    BRUME_SCENE_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_setting_table[BRUME_SCENE_SETTING_COUNT];

/** Settings of BrumeParsedBody. */
enum {
    BRUME_SCENE_BODY_TEXTURE,
    BRUME_SCENE_BODY_VISIBLE,
    BRUME_SCENE_BODY_ENABLED,
    BRUME_SCENE_BODY_COLLIDE,
    BRUME_SCENE_BODY_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_body_setting_table[BRUME_SCENE_BODY_SETTING_COUNT];

/** Settings of BrumeParsedVolume. */
enum {
    BRUME_SCENE_VOLUME_FILE,
    BRUME_SCENE_VOLUME_GRID,
    BRUME_SCENE_VOLUME_HASH,
    BRUME_SCENE_VOLUME_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_volume_setting_table[BRUME_SCENE_VOLUME_SETTING_COUNT];

/** Settings of BrumeParsedShape that are no members of BrumeShape. */
enum {
    BRUME_SCENE_SHAPE_AXIS,
    BRUME_SCENE_SHAPE_PARENT,
    BRUME_SCENE_SHAPE_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_shape_setting_table[BRUME_SCENE_SHAPE_SETTING_COUNT];

/** The body of BrumeParsedEmitter. */
extern const BrumeSetting brume_scene_emitter_body_setting_table[1];

/** Settings of BrumeMeshReadDef. */
enum {
    BRUME_SCENE_MESH_UNIT,
    BRUME_SCENE_MESH_UP,
    BRUME_SCENE_MESH_FLIP,
    BRUME_SCENE_MESH_ANIMATION,
    BRUME_SCENE_MESH_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_mesh_setting_table[BRUME_SCENE_MESH_SETTING_COUNT];

/** Settings of BrumeParsedLight. */
enum {
    BRUME_SCENE_LIGHT_AZIMUTH,
    BRUME_SCENE_LIGHT_ELEVATION,
    BRUME_SCENE_LIGHT_TARGET,
    BRUME_SCENE_LIGHT_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_light_setting_table[BRUME_SCENE_LIGHT_SETTING_COUNT];

/** Settings of BrumeParsedSky. */
enum {
    BRUME_SCENE_SKY_SUN_AZIMUTH,
    BRUME_SCENE_SKY_SUN_ELEVATION,
    BRUME_SCENE_SKY_FILE,
    BRUME_SCENE_SKY_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_sky_setting_table[BRUME_SCENE_SKY_SETTING_COUNT];

/** The file of the image of the ground. */
extern const BrumeSetting brume_scene_ground_setting_table[1];

/** Settings of BrumeParsedCamera. */
enum {
    BRUME_SCENE_CAMERA_KEY_TIME,
    BRUME_SCENE_CAMERA_FOCUS_ON,
    BRUME_SCENE_CAMERA_FOCAL_LENGTH,
    BRUME_SCENE_CAMERA_F_NUMBER,
    BRUME_SCENE_CAMERA_KEY_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_camera_key_setting_table[BRUME_SCENE_CAMERA_KEY_SETTING_COUNT];

/** Settings of BrumeAnimatedValue, and of its BrumeValueKey. */
enum {
    BRUME_SCENE_ANIMATION_PATH_SETTING,
    BRUME_SCENE_ANIMATION_INTERPOLATION,
    BRUME_SCENE_ANIMATION_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_animation_setting_table[BRUME_SCENE_ANIMATION_SETTING_COUNT];
enum {
    BRUME_SCENE_VALUE_KEY_TIME,
    BRUME_SCENE_VALUE_KEY_VALUE,
    BRUME_SCENE_VALUE_KEY_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_value_key_setting_table[BRUME_SCENE_VALUE_KEY_SETTING_COUNT];

/** Settings of BrumeParsedProbe. */
enum {
    BRUME_SCENE_PROBE_NAME,
    BRUME_SCENE_PROBE_KIND,
    BRUME_SCENE_PROBE_FROM,
    BRUME_SCENE_PROBE_TO,
    BRUME_SCENE_PROBE_AXIS,
    BRUME_SCENE_PROBE_POSITION,
    BRUME_SCENE_PROBE_COUNTS,
    BRUME_SCENE_PROBE_EVERY,
    BRUME_SCENE_PROBE_FRAMES,
    BRUME_SCENE_PROBE_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_probe_setting_table[BRUME_SCENE_PROBE_SETTING_COUNT];

/** The only settings of an item of `points`, a BrumeVec3, and of `quantities`, an int. */
extern const BrumeSetting brume_scene_probe_point_setting_table[1];
extern const BrumeSetting brume_scene_probe_quantity_setting_table[1];

/** Settings of BrumeParsedChange. */
enum {
    BRUME_SCENE_CHANGE_FRAME,
    BRUME_SCENE_CHANGE_SETTING_COUNT,
};
extern const BrumeSetting brume_scene_change_setting_table[BRUME_SCENE_CHANGE_SETTING_COUNT];

#endif
