#include "scene/format/settings.h"

#include "brume/scene.h"
#include "scene/format/parsed_scene.h"

static const char *const integrator_words[] = {"march", "path", NULL};
static const char *const background_words[] = {"sky", "transparent", NULL};
static const char *const bits_words[] = {"auto", "8", "16", "32", NULL};

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
        .max = 1e4, .defaults = {1, 1, 1},
        .doc = "Sides of the box along x, y (up) and z, or one number for a cube. Sides are rounded to whole cells.",
    },
    [BRUME_SCENE_FRAMES] = {
        .path = "time.frames", .type = BRUME_VALUE_INT, .offset = PARSED(scene.frames), .unit = "1", .min = 1,
        .max = 1000000, .defaults = {120}, .fixed = true,
        .doc = "Frames of the whole scene.",
    },
    [BRUME_SCENE_FIRST_FRAME] = {
        .path = "time.first_frame", .type = BRUME_VALUE_INT, .offset = PARSED(scene.first_frame), .unit = "1",
        .min = -100000000, .max = 100000000, .defaults = {1}, .fixed = true,
        .doc = "Number of the first frame in names of files, metadata, tables, messages and options; the initial state "
               "has the number before it. The simulation does not depend on it, but for sequences of mesh and volume files, which have such numbers.",
    },
    [BRUME_SCENE_WIDTH] = {
        .path = "image.width", .type = BRUME_VALUE_INT, .offset = PARSED(scene.width), .unit = "pixels", .min = 1,
        .max = 16384, .defaults = {960}, .fixed = true,
        .doc = "Width of the picture.",
    },
    [BRUME_SCENE_HEIGHT] = {
        .path = "image.height", .type = BRUME_VALUE_INT, .offset = PARSED(scene.height), .unit = "pixels", .min = 1,
        .max = 16384, .defaults = {540}, .fixed = true,
        .doc = "Height of the picture.",
    },
    [BRUME_SCENE_INTEGRATOR] = {
        .path = "image.integrator", .type = BRUME_VALUE_WORD, .offset = PARSED(scene.integrator),
        .words = integrator_words, .defaults = {BRUME_INTEGRATOR_MARCH}, .fixed = true,
        .doc = "`march`: ray marching, fast, with approximate multiple scattering. `path`: path tracing, slow and "
               "without approximations, as a reference (docs/rendering.md). The viewer always marches.",
    },
    [BRUME_SCENE_SAMPLES] = {
        .path = "image.samples", .type = BRUME_VALUE_INT, .offset = PARSED(scene.samples), .unit = "1", .min = 1,
        .max = 65536, .fallback = "4; of `path` 256", .fixed = true,
        .doc = "Rays through each pixel; of `path` the largest number of light paths through each pixel.",
    },
    [BRUME_SCENE_NOISE] = {
        .path = "image.noise", .type = BRUME_VALUE_FLOAT, .offset = PARSED(scene.noise), .unit = "1", .min = 0,
        .max = 1, .defaults = {0}, .fixed = true,
        .doc = "Of `path`: a picture is complete when its estimated root mean square error over its mean is at most "
               "this; with 0 when it has all `samples`.",
    },
    [BRUME_SCENE_DENOISE] = {
        .path = "image.denoise", .type = BRUME_VALUE_BOOL, .offset = PARSED(scene.denoise), .defaults = {0},
        .fixed = true,
        .doc = "Of `path`: whether the noise of pictures is removed when they are complete, guided by ray marching "
               "(docs/rendering.md).",
    },
    [BRUME_SCENE_BOUNCES] = {
        .path = "image.bounces", .type = BRUME_VALUE_INT, .offset = PARSED(scene.bounces), .unit = "1", .min = 0,
        .max = 100000, .defaults = {1000}, .fixed = true,
        .doc = "Of `path`: scatterings and reflections of a light path after the first one, at most; 0 is single "
               "scattering.",
    },
    [BRUME_SCENE_BITS] = {
        .path = "image.bits", .type = BRUME_VALUE_WORD, .offset = PARSED(scene.bits), .words = bits_words,
        .defaults = {BRUME_IMAGE_BITS_AUTO}, .fixed = true,
        .doc = "Bits of the numbers in image files: 8 or 16 of PNG, 16 or 32 of EXR (half and single precision); `auto` "
               "is 8 of PNG and 16 of EXR. Videos have 8; the viewer does not use it.",
    },
    [BRUME_SCENE_BACKGROUND] = {
        .path = "image.background", .type = BRUME_VALUE_BOOL, .offset = PARSED(scene.transparent),
        .words = background_words, .defaults = {0}, .fixed = true,
        .doc = "`sky`, or `transparent`: image files have alpha instead of the sky, which lights the smoke as always "
               "(docs/rendering.md). The viewer draws the sky.",
    },
    [BRUME_SCENE_SHUTTER] = {
        .path = "camera.shutter", .type = BRUME_VALUE_FLOAT, .offset = PARSED(scene.shutter), .unit = "frames",
        .min = 0, .max = 1, .defaults = {0}, .fixed = true,
        .doc = "Part of a frame's duration for which the shutter is open, for motion blur of smoke, bodies and camera: 0.5 is a "
               "shutter of 180 degrees. 0 is none.",
    },
    [BRUME_SCENE_TURNTABLE] = {
        .path = "camera.turntable", .type = BRUME_VALUE_FLOAT, .offset = PARSED(scene.turntable), .unit = "s",
        .min = -1e6, .max = 1e6, .defaults = {0}, .fixed = true,
        .doc = "Time in which the camera turns once around the vertical axis through its target, from +z towards +x; "
               "below 0 the other way. 0: it does not turn.",
    },
};

const BrumeSetting brume_scene_body_setting_table[BRUME_SCENE_BODY_SETTING_COUNT] = {
    [BRUME_SCENE_BODY_TEXTURE] = {
        .path = "bodies[].texture", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeParsedBody, texture), .min = 0,
        .max = sizeof((BrumeParsedBody *)0)->texture - 1, .fallback = "none", .fixed = true,
        .doc = "Path of a picture on its surface, from the folder of the scene, or with a number, as `smoke.####.png`, of "
               "a sequence that repeats. Its colors are multiplied by `albedo`. Not of a volume.",
    },
    [BRUME_SCENE_BODY_VISIBLE] = {
        .path = "bodies[].visible", .type = BRUME_VALUE_BOOL, .offset = offsetof(BrumeParsedBody, visible),
        .defaults = {1}, .fixed = true,
        .doc = "Whether it is drawn.",
    },
    [BRUME_SCENE_BODY_ENABLED] = {
        .path = "bodies[].enabled", .type = BRUME_VALUE_BOOL, .offset = offsetof(BrumeParsedBody, enabled),
        .defaults = {1},
        .doc = "Whether it is there: air flows, and is drawn, where a body is not enabled. A `set` of the timeline "
               "lets it come and go.",
    },
    [BRUME_SCENE_BODY_COLLIDE] = {
        .path = "bodies[].collide", .type = BRUME_VALUE_BOOL, .offset = offsetof(BrumeParsedBody, collide),
        .defaults = {1},
        .doc = "Whether air flows around it. With `false` air and smoke pass through it; it is drawn, and emitters and "
               "bodies can follow it.",
    },
};

#define VOLUME(member) offsetof(BrumeParsedVolume, member)

const BrumeSetting brume_scene_volume_setting_table[BRUME_SCENE_VOLUME_SETTING_COUNT] = {
    [BRUME_SCENE_VOLUME_FILE] = {
        .path = "emitters[].file", .type = BRUME_VALUE_TEXT, .offset = VOLUME(file), .min = 0,
        .max = sizeof((BrumeParsedVolume *)0)->file - 1, .fallback = "required for a volume",
        .doc = "Of a volume: path of the volume file or picture, from the folder of the scene; of an emitter or a flow also a sequence of files, as `smoke.####.vdb`. A shape `mesh` needs that of a mesh file.",
    },
    [BRUME_SCENE_VOLUME_GRID] = {
        .path = "emitters[].grid", .type = BRUME_VALUE_TEXT, .offset = VOLUME(grid), .min = 0,
        .max = sizeof((BrumeParsedVolume *)0)->grid - 1,
        .fallback = "the name of the quantity; of a shape `density`",
        .doc = "Of a volume: name of the grid in the file.",
    },
    [BRUME_SCENE_VOLUME_HASH] = {
        .path = "emitters[].hash", .type = BRUME_VALUE_TEXT, .offset = VOLUME(hash), .min = 0,
        .max = sizeof((BrumeParsedVolume *)0)->hash - 1, .fallback = "not checked",
        .doc = "Hash of the values of a volume or the triangles of a mesh, of a sequence those of its first file; a file with others is refused. Scenes that Brume writes have it.",
    },
};

const BrumeSetting brume_scene_shape_setting_table[BRUME_SCENE_SHAPE_SETTING_COUNT] = {
    [BRUME_SCENE_SHAPE_AXIS] = {
        .path = "emitters[].axis", .type = BRUME_VALUE_VECTOR, .offset = offsetof(BrumeParsedShape, axis),
        .unit = "1", .min = -1e5, .max = 1e5, .fallback = "[0, 1, 0]",
        .doc = "Direction of the axis of a torus; normal of a plane, which points into the air. Instead of `rotation`.",
    },
    [BRUME_SCENE_SHAPE_PARENT] = {
        .path = "emitters[].parent", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeParsedShape, parent), .min = 0,
        .max = BRUME_BODY_NAME_SIZE - 1, .fallback = "`none`",
        .doc = "Name or number, from 0, of a body that it follows: its other keys are in the frame of this body, whose "
               "origin is the body's pivot and whose axes turn and scale with it.",
    },
};

const BrumeSetting brume_scene_emitter_body_setting_table[1] = {
    {
        .path = "emitters[].body", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeParsedEmitter, body), .min = 0,
        .max = BRUME_BODY_NAME_SIZE - 1, .fallback = "none",
        .doc = "Name or number of a body whose shape and motion it has, instead of `shape` and the keys of one.",
    },
};

static const char *const up_words[] = {"auto", "y", "z", NULL};

const BrumeSetting brume_scene_mesh_setting_table[BRUME_SCENE_MESH_SETTING_COUNT] = {
    [BRUME_SCENE_MESH_UNIT] = {
        .path = "emitters[].unit", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeMeshReadDef, unit), .unit = "m",
        .min = 1e-6, .max = 1e6, .fallback = "that of the file, else 1",
        .doc = "Of a mesh: length of one unit of its file.",
    },
    [BRUME_SCENE_MESH_UP] = {
        .path = "emitters[].up", .type = BRUME_VALUE_WORD, .offset = offsetof(BrumeMeshReadDef, up), .words = up_words,
        .doc = "Of a mesh: axis of its file that points up. `auto`: that of the file, else y.",
    },
    [BRUME_SCENE_MESH_FLIP] = {
        .path = "emitters[].flip", .type = BRUME_VALUE_BOOL, .offset = offsetof(BrumeMeshReadDef, flip), .defaults = {0},
        .doc = "Of a mesh: whether its triangles are reversed, because its file gives them inside out.",
    },
    [BRUME_SCENE_MESH_ANIMATION] = {
        .path = "emitters[].file_animation", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeMeshReadDef, animation),
        .min = 0, .max = BRUME_MESH_ANIMATION_NAME - 1, .fallback = "the first",
        .doc = "Of the mesh of a body: name or number, from 1, of the animation in its file that is played; `none` for none. "
               "Emitters play none of their own.",
    },
};

const BrumeSetting brume_scene_light_setting_table[BRUME_SCENE_LIGHT_SETTING_COUNT] = {
    [BRUME_SCENE_LIGHT_AZIMUTH] = {
        .path = "lights[].azimuth", .label = "azimuth", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeParsedLight, azimuth), .unit = "degrees", .min = -360, .max = 360,
        .slider = {-180, 180, false}, .defaults = {-103}, .fixed = true,
        .doc = "Of a sun: its azimuth, from +z (0) to +x (90).",
    },
    [BRUME_SCENE_LIGHT_ELEVATION] = {
        .path = "lights[].elevation", .label = "elevation", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeParsedLight, elevation), .unit = "degrees", .min = -90, .max = 90,
        .slider = {-10, 89, false}, .defaults = {39}, .fixed = true,
        .doc = "Of a sun: its angle above the horizon.",
    },
    [BRUME_SCENE_LIGHT_TARGET] = {
        .path = "lights[].target", .type = BRUME_VALUE_VECTOR, .offset = offsetof(BrumeParsedLight, target),
        .unit = "m", .min = -1e5, .max = 1e5, .fallback = "none", .fixed = true,
        .doc = "Of a spot or a rectangle, instead of its direction: a point that it is aimed at.",
    },
};

const BrumeSetting brume_scene_sky_setting_table[BRUME_SCENE_SKY_SETTING_COUNT] = {
    [BRUME_SCENE_SKY_FILE] = {
        .path = "render.sky.file", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeParsedSky, file), .min = 0,
        .max = sizeof((BrumeParsedSky *)0)->file - 1, .fallback = "required for an image", .fixed = true,
        .doc = "Of an image: path of a picture of all directions by longitude and latitude, Radiance (.hdr) or OpenEXR "
               "(.exr), from the folder of the scene.",
    },
    [BRUME_SCENE_SKY_SUN_AZIMUTH] = {
        .path = "render.sky.sun_azimuth", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeParsedSky, sun_azimuth),
        .unit = "degrees", .min = -360, .max = 360, .fallback = "that of the first sun in `lights`; with `sun_elevation` 0",
        .fixed = true,
        .doc = "Of daylight: azimuth of the sun, from +z (0) to +x (90).",
    },
    [BRUME_SCENE_SKY_SUN_ELEVATION] = {
        .path = "render.sky.sun_elevation", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeParsedSky, sun_elevation), .unit = "degrees", .min = -90, .max = 90,
        .fallback = "that of the first sun in `lights`", .fixed = true,
        .doc = "Of daylight: angle of the sun above the horizon.",
    },
};

const BrumeSetting brume_scene_ground_setting_table[1] = {
    {
        .path = "render.ground.image.file", .type = BRUME_VALUE_TEXT, .offset = PARSED(ground_file), .min = 0,
        .max = sizeof((BrumeParsedScene *)0)->ground_file - 1, .fallback = "required", .fixed = true,
        .doc = "Path of the image, from the folder of the scene: PNG or JPEG, whose numbers are sRGB, or Radiance (.hdr) "
               "or OpenEXR (.exr), which are linear. Its values are albedos; those above 1 count as 1.",
    },
};

const BrumeSetting brume_scene_camera_key_setting_table[BRUME_SCENE_CAMERA_KEY_SETTING_COUNT] = {
    [BRUME_SCENE_CAMERA_KEY_TIME] = {
        .path = "camera.keys[].time", .type = BRUME_VALUE_DOUBLE, .offset = offsetof(BrumeParsedCamera, time),
        .unit = "s", .min = 0, .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "Simulated time of the key; times increase from key to key.",
    },
    [BRUME_SCENE_CAMERA_FOCUS_ON] = {
        .path = "camera.focus_on", .type = BRUME_VALUE_VECTOR, .offset = offsetof(BrumeParsedCamera, focus_on),
        .unit = "m", .min = -1e5, .max = 1e5, .fallback = "the target", .fixed = true,
        .doc = "Instead of `focus_distance`: a point that is in focus, with the plane through it.",
    },
    [BRUME_SCENE_CAMERA_FOCAL_LENGTH] = {
        .path = "camera.focal_length", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeParsedCamera, focal_length),
        .unit = "mm", .min = 1.1, .max = 1375, .fallback = "that of `field_of_view`", .fixed = true,
        .doc = "Instead of `field_of_view`, of a perspective camera: the focal length with a sensor of 36 mm x 24 mm.",
    },
    [BRUME_SCENE_CAMERA_F_NUMBER] = {
        .path = "camera.f_number", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeParsedCamera, f_number),
        .unit = "1", .min = 0.01, .max = 1000, .fallback = "none", .fixed = true,
        .doc = "Instead of `lens_radius`, of a perspective camera: the focal length over the diameter of the lens, as 2.8.",
    },
};

static const char *const interpolation_words[] = {"smooth", "linear", "hold", NULL};

const BrumeSetting brume_scene_animation_setting_table[BRUME_SCENE_ANIMATION_SETTING_COUNT] = {
    [BRUME_SCENE_ANIMATION_PATH_SETTING] = {
        .path = "animation[].path", .type = BRUME_VALUE_TEXT, .offset = offsetof(BrumeAnimatedValue, path), .min = 0,
        .max = BRUME_ANIMATION_PATH - 1, .fallback = "required", .fixed = true,
        .doc = "Dotted path of a number, as `emitters.0.density`, or of a component of a vector or color, as "
               "`air.wind.1`.",
    },
    [BRUME_SCENE_ANIMATION_INTERPOLATION] = {
        .path = "animation[].interpolation", .type = BRUME_VALUE_WORD,
        .offset = offsetof(BrumeAnimatedValue, interpolation), .words = interpolation_words,
        .defaults = {BRUME_KEYS_SMOOTH}, .fixed = true,
        .doc = "How the value changes between keys: `smooth` follows a Catmull-Rom spline, as the camera, and may "
               "exceed its keys; `linear`; `hold` stays until the next key.",
    },
};

const BrumeSetting brume_scene_value_key_setting_table[BRUME_SCENE_VALUE_KEY_SETTING_COUNT] = {
    [BRUME_SCENE_VALUE_KEY_TIME] = {
        .path = "animation[].keys[].time", .type = BRUME_VALUE_DOUBLE, .offset = offsetof(BrumeValueKey, time),
        .unit = "s", .min = 0, .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "Simulated time of the key; times increase from key to key.",
    },
    [BRUME_SCENE_VALUE_KEY_VALUE] = {
        .path = "animation[].keys[].value", .type = BRUME_VALUE_DOUBLE, .offset = offsetof(BrumeValueKey, value),
        .unit = "that of the path", .min = -1e6, .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "The value, in the unit and within the range of the setting.",
    },
};

static const char *const probe_kind_words[] = {"points", "line", "plane", "box", NULL};
static const char *const axis_words[] = {"x", "y", "z", NULL};
static const char *const probe_frames_words[] = {"all", "last", NULL};
static const char *const quantity_words[] = {"velocity", "pressure", "temperature", "density", "color_1", "color_2",
                                             "color_3", "fuel", "mixture", "vorticity", NULL};

#define PROBE(member) offsetof(BrumeParsedProbe, member)

const BrumeSetting brume_scene_probe_setting_table[BRUME_SCENE_PROBE_SETTING_COUNT] = {
    [BRUME_SCENE_PROBE_NAME] = {
        .path = "probes[].name", .type = BRUME_VALUE_TEXT, .offset = PROBE(def.name), .min = 0,
        .max = sizeof((BrumeProbe *)0)->name - 1, .fallback = "required", .fixed = true,
        .doc = "Name of its file without `.csv`: letters, digits, `_`, `-` and `.`.",
    },
    [BRUME_SCENE_PROBE_KIND] = {
        .path = "probes[].kind", .type = BRUME_VALUE_WORD, .offset = PROBE(kind), .words = probe_kind_words,
        .fallback = "required", .fixed = true,
        .doc = "Given points, points on a line, a plane, or the cells of a box.",
    },
    [BRUME_SCENE_PROBE_FROM] = {
        .path = "probes[].from", .type = BRUME_VALUE_VECTOR, .offset = PROBE(def.from), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "the lower corner of the box", .fixed = true,
        .doc = "First point of a line (required); lower corner of a plane or a box.",
    },
    [BRUME_SCENE_PROBE_TO] = {
        .path = "probes[].to", .type = BRUME_VALUE_VECTOR, .offset = PROBE(def.to), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "the upper corner of the box", .fixed = true,
        .doc = "Last point of a line (required); upper corner of a plane or a box.",
    },
    [BRUME_SCENE_PROBE_AXIS] = {
        .path = "probes[].axis", .type = BRUME_VALUE_WORD, .offset = PROBE(def.axis), .words = axis_words,
        .fallback = "required for a plane", .fixed = true,
        .doc = "The axis that a plane is perpendicular to.",
    },
    [BRUME_SCENE_PROBE_POSITION] = {
        .path = "probes[].position", .type = BRUME_VALUE_FLOAT, .offset = PROBE(def.position), .unit = "m",
        .min = -1e5, .max = 1e5, .fallback = "required for a plane", .fixed = true,
        .doc = "Coordinate of a plane along its axis.",
    },
    [BRUME_SCENE_PROBE_COUNTS] = {
        .path = "probes[].counts", .type = BRUME_VALUE_COUNTS, .offset = PROBE(def.counts), .unit = "1", .min = 1,
        .max = 100000, .fallback = "of a plane: the centers of the cells", .fixed = true,
        .doc = "Number of points of a line (required), evenly spaced from `from` to `to`; of a plane: along each of its "
               "axes, or three numbers along x, y and z, of which that along its axis is 1.",
    },
    [BRUME_SCENE_PROBE_EVERY] = {
        .path = "probes[].every", .type = BRUME_VALUE_INT, .offset = PROBE(def.every), .unit = "1", .min = 1,
        .max = 1000000, .defaults = {1}, .fixed = true,
        .doc = "Measures frames 0, `every`, 2 `every`, ...",
    },
    [BRUME_SCENE_PROBE_FRAMES] = {
        .path = "probes[].frames", .type = BRUME_VALUE_BOOL, .offset = PROBE(def.last), .words = probe_frames_words,
        .fixed = true,
        .doc = "`last` measures the last frame of the run only.",
    },
};

const BrumeSetting brume_scene_probe_point_setting_table[1] = {
    {
        .path = "probes[].points[].at", .type = BRUME_VALUE_VECTOR, .offset = 0, .unit = "m", .min = -1e5, .max = 1e5,
        .fallback = "required", .fixed = true,
        .doc = "A point. The list `[x, y, z]` alone means the same.",
    },
};

const BrumeSetting brume_scene_probe_quantity_setting_table[1] = {
    {
        .path = "probes[].quantities[].name", .type = BRUME_VALUE_WORD, .offset = 0, .words = quantity_words,
        .fallback = "required", .fixed = true,
        .doc = "A quantity. The word alone means the same.",
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
