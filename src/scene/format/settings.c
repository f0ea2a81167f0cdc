#include "scene/format/settings.h"

#include "brume/scene.h"
#include "scene/format/parsed_scene.h"

// clang-format off
#define PARSED(member) offsetof(BrumeParsedScene, member)

const BrumeSetting brume_scene_setting_table[BRUME_SCENE_SETTING_COUNT] = {
    [BRUME_SCENE_NAME] = {
        .path = "name", .type = BRUME_VALUE_TEXT, .offset = PARSED(scene.name), .min = 0,
        .max = sizeof((BrumeScene *)0)->name - 1, .fallback = "the name of the file", .fixed = true,
        .doc = "A short title.",
    },
    [BRUME_SCENE_DESCRIPTION] = {
        .path = "description", .type = BRUME_VALUE_TEXT, .offset = PARSED(scene.description), .min = 0,
        .max = sizeof((BrumeScene *)0)->description - 1, .fallback = "none", .fixed = true,
        .doc = "One sentence about the scene.",
    },
    [BRUME_SCENE_SIZE] = {
        .path = "domain.size", .type = BRUME_VALUE_LENGTHS, .offset = PARSED(size), .unit = "m", .min = 0.01,
        .max = 1e4, .standard = {1, 1, 1},
        .doc = "Sides of the box along x, y (up) and z, or one number for a cube. Sides are rounded to whole cells.",
    },
    [BRUME_SCENE_FRAMES] = {
        .path = "time.frames", .type = BRUME_VALUE_INT, .offset = PARSED(scene.frames), .unit = "1", .min = 1,
        .max = 1000000, .standard = {120}, .fixed = true,
        .doc = "Frames of the whole scene.",
    },
    [BRUME_SCENE_WIDTH] = {
        .path = "image.width", .type = BRUME_VALUE_INT, .offset = PARSED(scene.width), .unit = "pixels", .min = 1,
        .max = 16384, .standard = {960}, .fixed = true,
        .doc = "Width of the picture.",
    },
    [BRUME_SCENE_HEIGHT] = {
        .path = "image.height", .type = BRUME_VALUE_INT, .offset = PARSED(scene.height), .unit = "pixels", .min = 1,
        .max = 16384, .standard = {540}, .fixed = true,
        .doc = "Height of the picture.",
    },
    [BRUME_SCENE_SAMPLES] = {
        .path = "image.samples", .type = BRUME_VALUE_INT, .offset = PARSED(scene.samples), .unit = "1", .min = 1,
        .max = 4096, .standard = {4}, .fixed = true,
        .doc = "Rays through each pixel.",
    },
};

const BrumeSetting brume_scene_obstacle_setting_table[BRUME_SCENE_OBSTACLE_SETTING_COUNT] = {
    [BRUME_SCENE_OBSTACLE_VISIBLE] = {
        .path = "obstacles[].visible", .type = BRUME_VALUE_BOOL, .offset = offsetof(BrumeParsedObstacle, visible),
        .standard = {1}, .fixed = true,
        .doc = "Whether it is drawn.",
    },
};

const BrumeSetting brume_scene_light_setting_table[BRUME_SCENE_LIGHT_SETTING_COUNT] = {
    [BRUME_SCENE_LIGHT_AZIMUTH] = {
        .path = "lights[].azimuth", .label = "azimuth", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeParsedLight, azimuth), .unit = "degrees", .min = -360, .max = 360,
        .slider = {-180, 180, false}, .standard = {-103}, .fixed = true,
        .doc = "Of a sun: its azimuth, from +z (0) to +x (90).",
    },
    [BRUME_SCENE_LIGHT_ELEVATION] = {
        .path = "lights[].elevation", .label = "elevation", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeParsedLight, elevation), .unit = "degrees", .min = -90, .max = 90,
        .slider = {-10, 89, false}, .standard = {39}, .fixed = true,
        .doc = "Of a sun: its angle above the horizon.",
    },
};

const BrumeSetting brume_scene_camera_key_setting_table[BRUME_SCENE_CAMERA_KEY_SETTING_COUNT] = {
    [BRUME_SCENE_CAMERA_KEY_TIME] = {
        .path = "camera.keys[].time", .type = BRUME_VALUE_DOUBLE, .offset = offsetof(BrumeCameraKey, time),
        .unit = "s", .min = 0, .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "Simulated time of the key; times increase from key to key.",
    },
};

const BrumeSetting brume_scene_change_setting_table[BRUME_SCENE_CHANGE_SETTING_COUNT] = {
    [BRUME_SCENE_CHANGE_FRAME] = {
        .path = "timeline[].frame", .type = BRUME_VALUE_INT, .offset = offsetof(BrumeParsedChange, frame),
        .unit = "1", .min = 0, .max = 1000000, .fallback = "required", .fixed = true,
        .doc = "Number of finished frames after which the change is applied, 0 for before the first; it increases "
               "from change to change.",
    },
};
// clang-format on
