/*
 * Which key of a scene file sets which member of BrumeParsedScene. Names, limits, defaults and document texts of the
 * values are those of their settings.
 */
#include "scene/format/schema.h"

#include "raymarch/settings.h"
#include "scene/format/parsed_scene.h"
#include "scene/format/settings.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define PARSED(member) offsetof(BrumeParsedScene, member)

/** A value: the setting of index `id` in `table`, and its member in the struct of the section. */
#define VALUE(table, id, at)                                                                                           \
    {                                                                                                                  \
        .kind = BRUME_KEY_VALUE, .setting = &(table)[id], .offset = (at)                                               \
    }
#define MAP(key, section_, at, text)                                                                                   \
    {                                                                                                                  \
        .kind = BRUME_KEY_MAP, .name = (key), .section = (section_), .offset = (at), .doc = (text)                     \
    }
#define FIXED_MAP(key, section_, text)                                                                                 \
    {                                                                                                                  \
        .kind = BRUME_KEY_MAP, .name = (key), .section = (section_), .doc = (text), .fixed = true                      \
    }
#define LIST(key, section_, member, count, text)                                                                       \
    .kind = BRUME_KEY_LIST, .name = (key), .section = (section_), .offset = PARSED(member##s),                         \
    .count_offset = PARSED(member##_count), .stride = sizeof((BrumeParsedScene *)0)->member##s[0],                     \
    .max_count = (count), .doc = (text)
#define ITEMS(key, section_, at, count, text)                                                                          \
    {                                                                                                                  \
        .kind = BRUME_KEY_ITEMS, .name = (key), .section = (section_), .offset = (at), .max_count = (count),           \
        .doc = (text), .fixed = true                                                                                   \
    }

#define FACE(id, member) VALUE(brume_face_setting_table, id, offsetof(BrumeParsedFace, member))
static const BrumeKey opening_keys[] = {
    FACE(BRUME_FACE_OPENING_CENTER, opening.center),
    FACE(BRUME_FACE_OPENING_RADIUS, opening.radius),
    FACE(BRUME_FACE_OPENING_SIZE, opening.size),
};
static const BrumeSection opening_section = {"opening", "domain.boundaries.x_min.opening", opening_keys,
                                             COUNT(opening_keys), NULL};

static const BrumeKey face_keys[] = {
    FACE(BRUME_FACE_KIND, kind),
    FACE(BRUME_FACE_SLIP, no_slip),
    FACE(BRUME_FACE_VELOCITY, velocity),
    FACE(BRUME_FACE_TEMPERATURE, temperature),
    FACE(BRUME_FACE_DENSITY, smoke[0]),
    FACE(BRUME_FACE_DENSITY + 1, smoke[1]),
    FACE(BRUME_FACE_DENSITY + 2, smoke[2]),
    FACE(BRUME_FACE_DENSITY + 3, smoke[3]),
    FACE(BRUME_FACE_HEAT_FLUX, heat_flux),
    FACE(BRUME_FACE_PROFILE, profile),
    FACE(BRUME_FACE_THICKNESS, thickness),
    MAP("opening", &opening_section, 0,
        "Of an inflow: the part of the face through which air enters. The rest is an insulating wall at rest."),
};
static const BrumeSection face_section = {"face", "domain.boundaries.x_min", face_keys, COUNT(face_keys), "kind"};

#define BOUNDARY(key, index, otherwise, text)                                                                          \
    {                                                                                                                  \
        .kind = BRUME_KEY_MAP, .name = (key), .section = &face_section, .offset = PARSED(boundaries[index]),           \
        .fallback = (otherwise), .doc = (text)                                                                         \
    }
static const BrumeKey boundary_keys[] = {
    BOUNDARY("all", BRUME_BOUNDARY_ALL, "as below", "All six faces."),
    BOUNDARY("x", BRUME_BOUNDARY_AXES, "as `all`", "Both faces across x."),
    BOUNDARY("y", BRUME_BOUNDARY_AXES + 1, "as `all`", "Floor and ceiling."),
    BOUNDARY("z", BRUME_BOUNDARY_AXES + 2, "as `all`", "Both faces across z."),
    BOUNDARY("x_min", BRUME_BOUNDARY_FACES, "as `x`, else wall", "The left face."),
    BOUNDARY("x_max", BRUME_BOUNDARY_FACES + 1, "as `x`, else wall", "The right face."),
    BOUNDARY("y_min", BRUME_BOUNDARY_FACES + 2, "as `y`, else wall", "The floor."),
    BOUNDARY("y_max", BRUME_BOUNDARY_FACES + 3, "as `y`, else open", "The ceiling."),
    BOUNDARY("z_min", BRUME_BOUNDARY_FACES + 4, "as `z`, else wall", "The far face."),
    BOUNDARY("z_max", BRUME_BOUNDARY_FACES + 5, "as `z`, else wall", "The near face."),
};
static const BrumeSection boundary_section = {"boundaries", "domain.boundaries", boundary_keys, COUNT(boundary_keys),
                                              NULL};

#define SCENE(id, at) VALUE(brume_scene_setting_table, id, PARSED(at))
#define SIM(id, member) VALUE(brume_sim_setting_table, id, PARSED(scene.sim.member))
static const BrumeKey domain_keys[] = {
    SCENE(BRUME_SCENE_SIZE, size),
    SIM(BRUME_SIM_ORIGIN, origin),
    MAP("boundaries", &boundary_section, 0, "The six faces of the box. Each is a word, or a map with more keys."),
};
static const BrumeSection domain_section = {"domain", "domain", domain_keys, COUNT(domain_keys), NULL};

static const BrumeKey solver_keys[] = {
    VALUE(brume_sim_setting_table, BRUME_SIM_RESOLUTION, PARSED(resolution)),
    SIM(BRUME_SIM_INTEGRATOR, integrator),
    SIM(BRUME_SIM_REVERSAL_TIME, reversal_time),
    SIM(BRUME_SIM_ADVECTION, advection),
    SIM(BRUME_SIM_ACTIVE_BLOCKS, active_blocks),
    SIM(BRUME_SIM_TRANSPORT, transport),
    SIM(BRUME_SIM_TRACE_ORDER, trace_order),
    SIM(BRUME_SIM_PRESSURE, pressure),
    SIM(BRUME_SIM_TOLERANCE, tolerance),
    SIM(BRUME_SIM_MAX_ITERATIONS, max_iterations),
    SIM(BRUME_SIM_OVER_RELAXATION, over_relaxation),
    SIM(BRUME_SIM_CFL, cfl),
    SIM(BRUME_SIM_MIN_STEPS, min_steps),
    SIM(BRUME_SIM_MAX_STEPS, max_steps),
    SIM(BRUME_SIM_SEED, seed),
    SIM(BRUME_SIM_TEXTURE_PERIOD, texture_period),
    SIM(BRUME_SIM_KERNELS, kernels),
};
static const BrumeSection solver_section = {"solver", "solver", solver_keys, COUNT(solver_keys), NULL};

static const BrumeKey air_keys[] = {
    SIM(BRUME_SIM_VISCOSITY, viscosity),
    SIM(BRUME_SIM_THERMAL_DIFFUSIVITY, thermal_diffusivity),
    SIM(BRUME_SIM_THERMAL_EXPANSION, thermal_expansion),
    SIM(BRUME_SIM_COOLING, cooling),
    SIM(BRUME_SIM_VORTICITY_CONFINEMENT, vorticity_confinement),
    SIM(BRUME_SIM_GRAVITY, gravity),
    SIM(BRUME_SIM_WIND, wind),
    SIM(BRUME_SIM_DRAG, drag),
};
static const BrumeSection air_section = {"air", "air", air_keys, COUNT(air_keys), NULL};

// the keys of a BrumeCurve; `table` has the names and limits of its points
#define CURVE_SECTION(prefix, path_, table)                                                                            \
    static const BrumeKey prefix##_point_keys[] = {                                                                    \
        VALUE(table, BRUME_CURVE_POINT_AT, offsetof(BrumeCurvePoint, at)),                                             \
        VALUE(table, BRUME_CURVE_POINT_VALUE, offsetof(BrumeCurvePoint, value)),                                       \
    };                                                                                                                 \
    static const BrumeSection prefix##_point_section = {"point", path_ ".points[]", prefix##_point_keys,               \
                                                        COUNT(prefix##_point_keys), NULL};                             \
    static const BrumeKey prefix##_keys[] = {                                                                          \
        VALUE(table, BRUME_CURVE_KIND, offsetof(BrumeCurve, kind)),                                                    \
        {.kind = BRUME_KEY_LIST,                                                                                       \
         .name = "points",                                                                                             \
         .section = &prefix##_point_section,                                                                           \
         .offset = offsetof(BrumeCurve, points),                                                                       \
         .count_offset = offsetof(BrumeCurve, count),                                                                  \
         .stride = sizeof(BrumeCurvePoint),                                                                            \
         .max_count = BRUME_MAX_CURVE_POINTS,                                                                          \
         .doc = "Two or more control points. Before the first and after the last one, the factor is that of the "      \
                "point.",                                                                                              \
         .fixed = true},                                                                                               \
    };                                                                                                                 \
    static const BrumeSection prefix##_section = {"curve", path_, prefix##_keys, COUNT(prefix##_keys), NULL}
CURVE_SECTION(density_curve, "smoke.density.curve", brume_density_curve_setting_table);
CURVE_SECTION(emission_curve, "render.emission.curve", brume_emission_curve_setting_table);

#define SMOKE(member) offsetof(BrumeParsedSmoke, member)
static const BrumeKey smoke_kind_keys[] = {
    VALUE(brume_smoke_setting_table, BRUME_SMOKE_WEIGHT, SMOKE(flow.weight)),
    VALUE(brume_smoke_setting_table, BRUME_SMOKE_DISSIPATION, SMOKE(flow.dissipation)),
    VALUE(brume_smoke_setting_table, BRUME_SMOKE_DIFFUSIVITY, SMOKE(flow.diffusivity)),
    VALUE(brume_medium_setting_table, BRUME_MEDIUM_EXTINCTION, SMOKE(medium.extinction)),
    VALUE(brume_medium_setting_table, BRUME_MEDIUM_ALBEDO, SMOKE(medium.albedo)),
    {.kind = BRUME_KEY_MAP,
     .name = "curve",
     .section = &density_curve_section,
     .offset = SMOKE(curve),
     .fallback = "the density itself",
     .doc = "Extinction by the density, in place of the proportion of both.",
     .fixed = true},
};
static const BrumeSection smoke_kind_section = {"smoke", "smoke.density", smoke_kind_keys, COUNT(smoke_kind_keys),
                                                NULL};

static const BrumeKey smoke_keys[] = {
    MAP("density", &smoke_kind_section, PARSED(smoke[0]), "Plain smoke."),
    MAP("color_1", &smoke_kind_section, PARSED(smoke[1]),
        "Smoke of the first colour. A colour that is not in use takes no memory or time."),
    MAP("color_2", &smoke_kind_section, PARSED(smoke[2]), "Smoke of the second colour."),
    MAP("color_3", &smoke_kind_section, PARSED(smoke[3]), "Smoke of the third colour."),
};
static const BrumeSection smoke_section = {"smoke", "smoke", smoke_keys, COUNT(smoke_keys), NULL};

// `volume` is the offset of a BrumeParsedVolume
#define VOLUME(id, volume, member)                                                                                     \
    VALUE(brume_scene_volume_setting_table, id, (volume) + offsetof(BrumeParsedVolume, member))
#define VOLUME_KEYS(volume)                                                                                            \
    VOLUME(BRUME_SCENE_VOLUME_FILE, volume, file), VOLUME(BRUME_SCENE_VOLUME_GRID, volume, grid),                      \
        VOLUME(BRUME_SCENE_VOLUME_HASH, volume, hash)

#define SHAPE(id, type, member) VALUE(brume_shape_setting_table, id, offsetof(type, shape.member))
#define SHAPE_KEYS(type)                                                                                               \
    SHAPE(BRUME_SHAPE_KIND, type, kind), SHAPE(BRUME_SHAPE_CENTER, type, center),                                      \
        SHAPE(BRUME_SHAPE_RADIUS, type, radius), SHAPE(BRUME_SHAPE_SIZE, type, size),                                  \
        SHAPE(BRUME_SHAPE_FROM, type, from), SHAPE(BRUME_SHAPE_TO, type, to),                                          \
        VOLUME_KEYS(offsetof(type, shape.volume)), SHAPE(BRUME_SHAPE_THRESHOLD, type, threshold)

#define EMITTER(id, member) VALUE(brume_emitter_setting_table, id, offsetof(BrumeParsedEmitter, member))
static const BrumeKey noise_keys[] = {
    EMITTER(BRUME_EMITTER_NOISE, def.noise),
    EMITTER(BRUME_EMITTER_NOISE_SCALE, def.noise_scale),
    EMITTER(BRUME_EMITTER_NOISE_SPEED, def.noise_speed),
};
static const BrumeSection noise_section = {"noise", "emitters[].noise", noise_keys, COUNT(noise_keys), NULL};

static const BrumeKey emitter_keys[] = {
    SHAPE_KEYS(BrumeParsedEmitter),
    EMITTER(BRUME_EMITTER_START, def.start),
    EMITTER(BRUME_EMITTER_END, def.end),
    EMITTER(BRUME_EMITTER_DENSITY, smoke[0]),
    EMITTER(BRUME_EMITTER_DENSITY + 1, smoke[1]),
    EMITTER(BRUME_EMITTER_DENSITY + 2, smoke[2]),
    EMITTER(BRUME_EMITTER_DENSITY + 3, smoke[3]),
    EMITTER(BRUME_EMITTER_TEMPERATURE, temperature),
    EMITTER(BRUME_EMITTER_VELOCITY, velocity),
    EMITTER(BRUME_EMITTER_DENSITY_RATE, smoke_rate[0]),
    EMITTER(BRUME_EMITTER_DENSITY_RATE + 1, smoke_rate[1]),
    EMITTER(BRUME_EMITTER_DENSITY_RATE + 2, smoke_rate[2]),
    EMITTER(BRUME_EMITTER_DENSITY_RATE + 3, smoke_rate[3]),
    EMITTER(BRUME_EMITTER_TEMPERATURE_RATE, temperature_rate),
    EMITTER(BRUME_EMITTER_ACCELERATION, acceleration),
    EMITTER(BRUME_EMITTER_SOFTNESS, def.softness),
    MAP("noise", &noise_section, 0, "Noise in space and time that scales smoke and heat."),
};
static const BrumeSection emitter_section = {"emitter", "emitters[]", emitter_keys, COUNT(emitter_keys), NULL};

#define INITIAL(id, member) VALUE(brume_initial_setting_table, id, offsetof(BrumeParsedInitial, def.member))
static const BrumeKey initial_keys[] = {
    INITIAL(BRUME_INITIAL_SETTING_KIND, kind),
    INITIAL(BRUME_INITIAL_SETTING_QUANTITY, quantity),
    INITIAL(BRUME_INITIAL_SETTING_PROFILE, profile),
    INITIAL(BRUME_INITIAL_SETTING_AXIS, axis),
    INITIAL(BRUME_INITIAL_SETTING_ALONG, along),
    INITIAL(BRUME_INITIAL_SETTING_ACROSS, across),
    INITIAL(BRUME_INITIAL_SETTING_CENTER, center),
    INITIAL(BRUME_INITIAL_SETTING_DIRECTION, direction),
    INITIAL(BRUME_INITIAL_SETTING_VELOCITY, velocity),
    INITIAL(BRUME_INITIAL_SETTING_SPEED, speed),
    INITIAL(BRUME_INITIAL_SETTING_VALUE, value),
    INITIAL(BRUME_INITIAL_SETTING_LOWER, lower),
    INITIAL(BRUME_INITIAL_SETTING_UPPER, upper),
    INITIAL(BRUME_INITIAL_SETTING_RADIUS, radius),
    INITIAL(BRUME_INITIAL_SETTING_THICKNESS, thickness),
    INITIAL(BRUME_INITIAL_SETTING_WIDTH, width),
    INITIAL(BRUME_INITIAL_SETTING_PERTURBATION, perturbation),
    INITIAL(BRUME_INITIAL_SETTING_SPREAD, spread),
    INITIAL(BRUME_INITIAL_SETTING_CIRCULATION, circulation),
    INITIAL(BRUME_INITIAL_SETTING_RATE, rate),
    INITIAL(BRUME_INITIAL_SETTING_SLOT_WIDTH, slot_width),
    INITIAL(BRUME_INITIAL_SETTING_SLOT_DEPTH, slot_depth),
    INITIAL(BRUME_INITIAL_SETTING_WAVES, waves),
    INITIAL(BRUME_INITIAL_SETTING_PHASE, phase),
    INITIAL(BRUME_INITIAL_SETTING_SCALE, scale),
    INITIAL(BRUME_INITIAL_SETTING_SEED, seed),
    INITIAL(BRUME_INITIAL_SETTING_FORMULA, formula),
    VOLUME_KEYS(offsetof(BrumeParsedInitial, volume)),
    INITIAL(BRUME_INITIAL_SETTING_FACTOR, factor),
    INITIAL(BRUME_INITIAL_SETTING_SIZE, size),
};
static const BrumeSection initial_section = {"initial field", "initial[]", initial_keys, COUNT(initial_keys), NULL};

static const BrumeKey obstacle_keys[] = {
    SHAPE_KEYS(BrumeParsedObstacle),
    VALUE(brume_obstacle_setting_table, BRUME_OBSTACLE_SLIP, offsetof(BrumeParsedObstacle, slip)),
    VALUE(brume_obstacle_setting_table, BRUME_OBSTACLE_TEMPERATURE, offsetof(BrumeParsedObstacle, temperature)),
    VALUE(brume_surface_setting_table, BRUME_SURFACE_ALBEDO, offsetof(BrumeParsedObstacle, albedo)),
    VALUE(brume_scene_obstacle_setting_table, BRUME_SCENE_OBSTACLE_VISIBLE, offsetof(BrumeParsedObstacle, visible)),
    VALUE(brume_scene_obstacle_setting_table, BRUME_SCENE_OBSTACLE_ENABLED, offsetof(BrumeParsedObstacle, enabled)),
};
static const BrumeSection obstacle_section = {"obstacle", "obstacles[]", obstacle_keys, COUNT(obstacle_keys), NULL};

static const BrumeKey time_keys[] = {
    SIM(BRUME_SIM_FPS, fps),
    SCENE(BRUME_SCENE_FRAMES, scene.frames),
    SCENE(BRUME_SCENE_FIRST_FRAME, scene.first_frame),
};
static const BrumeSection time_section = {"time", "time", time_keys, COUNT(time_keys), NULL};

#define CAMERA_KEY(member) offsetof(BrumeParsedCamera, member)
static const BrumeKey camera_key_keys[] = {
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_KEY_TIME, CAMERA_KEY(time)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_POSITION, CAMERA_KEY(camera.position)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_TARGET, CAMERA_KEY(camera.target)),
    {.kind = BRUME_KEY_VALUE,
     .setting = &brume_camera_setting_table[BRUME_CAMERA_FIELD_OF_VIEW],
     .offset = CAMERA_KEY(camera.field_of_view),
     .fallback = "as in the previous key; of the first: 40"},
    VALUE(brume_camera_setting_table, BRUME_CAMERA_HEIGHT, CAMERA_KEY(camera.height)),
    {.kind = BRUME_KEY_VALUE,
     .setting = &brume_camera_setting_table[BRUME_CAMERA_LENS_RADIUS],
     .offset = CAMERA_KEY(camera.lens_radius),
     .fallback = "as in the previous key; of the first: 0"},
    VALUE(brume_camera_setting_table, BRUME_CAMERA_FOCUS, CAMERA_KEY(camera.focus)),
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_FOCUS_ON, CAMERA_KEY(focus_on)),
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_FOCAL_LENGTH, CAMERA_KEY(focal_length)),
    {.kind = BRUME_KEY_VALUE,
     .setting = &brume_scene_camera_key_setting_table[BRUME_SCENE_CAMERA_F_NUMBER],
     .offset = CAMERA_KEY(f_number),
     .fallback = "as in the previous key; of the first: none"},
};
static const BrumeSection camera_key_section = {"camera key", "camera.keys[]", camera_key_keys, COUNT(camera_key_keys),
                                                NULL};

static const BrumeKey camera_keys[] = {
    VALUE(brume_camera_setting_table, BRUME_CAMERA_POSITION, PARSED(camera.camera.position)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_TARGET, PARSED(camera.camera.target)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_FIELD_OF_VIEW, PARSED(camera.camera.field_of_view)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_PROJECTION, PARSED(projection)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_HEIGHT, PARSED(camera.camera.height)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_LENS_RADIUS, PARSED(camera.camera.lens_radius)),
    VALUE(brume_camera_setting_table, BRUME_CAMERA_FOCUS, PARSED(camera.camera.focus)),
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_FOCUS_ON, PARSED(camera.focus_on)),
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_FOCAL_LENGTH, PARSED(camera.focal_length)),
    VALUE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_F_NUMBER, PARSED(camera.f_number)),
    SCENE(BRUME_SCENE_SHUTTER, scene.shutter),
    SCENE(BRUME_SCENE_TURNTABLE, scene.turntable),
    {LIST("keys", &camera_key_section, camera_key, BRUME_MAX_CAMERA_KEYS,
          "Keyframes of a moving camera, connected by a smooth path.")},
};
static const BrumeSection camera_section = {"camera", "camera", camera_keys, COUNT(camera_keys), NULL};

#define LIGHT(id, member) VALUE(brume_light_setting_table, id, offsetof(BrumeParsedLight, member))
static const BrumeKey light_keys[] = {
    LIGHT(BRUME_LIGHT_KIND, kind),
    VALUE(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_AZIMUTH, offsetof(BrumeParsedLight, azimuth)),
    VALUE(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_ELEVATION, offsetof(BrumeParsedLight, elevation)),
    LIGHT(BRUME_LIGHT_DIRECTION, light.direction),
    LIGHT(BRUME_LIGHT_POSITION, light.position),
    VALUE(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_TARGET, offsetof(BrumeParsedLight, target)),
    LIGHT(BRUME_LIGHT_COLOR, light.color),
    LIGHT(BRUME_LIGHT_TEMPERATURE, light.temperature),
    LIGHT(BRUME_LIGHT_INTENSITY, light.intensity),
    LIGHT(BRUME_LIGHT_ANGLE, light.angle),
    LIGHT(BRUME_LIGHT_BLEND, light.blend),
    LIGHT(BRUME_LIGHT_WIDTH, light.width),
    LIGHT(BRUME_LIGHT_HEIGHT, light.height),
    LIGHT(BRUME_LIGHT_UP, light.up),
    LIGHT(BRUME_LIGHT_DAYLIGHT, light.daylight),
};
static const BrumeSection light_section = {"light", "lights[]", light_keys, COUNT(light_keys), NULL};

#define RENDER(id, member) VALUE(brume_render_setting_table, id, PARSED(scene.render_settings.member))
static const BrumeKey ground_image_keys[] = {
    VALUE(brume_scene_ground_setting_table, 0, PARSED(ground_file)),
    RENDER(BRUME_RENDER_GROUND_IMAGE_SIZE, ground_image.size),
    RENDER(BRUME_RENDER_GROUND_IMAGE_X, ground_image.x),
    RENDER(BRUME_RENDER_GROUND_IMAGE_Z, ground_image.z),
    RENDER(BRUME_RENDER_GROUND_IMAGE_REPEAT, ground_image.repeat),
};
static const BrumeSection ground_image_section = {"image", "render.ground.image", ground_image_keys,
                                                  COUNT(ground_image_keys), "file"};

static const BrumeKey ground_keys[] = {
    RENDER(BRUME_RENDER_GROUND, ground),
    RENDER(BRUME_RENDER_GROUND_HEIGHT, ground_height),
    RENDER(BRUME_RENDER_GROUND_ALBEDO, ground_albedo),
    RENDER(BRUME_RENDER_GROUND_PATTERN, ground_pattern),
    RENDER(BRUME_RENDER_GROUND_ALBEDO_2, ground_albedo_2),
    RENDER(BRUME_RENDER_GROUND_SCALE, ground_scale),
    RENDER(BRUME_RENDER_GROUND_CATCHER, ground_catcher),
    MAP("image", &ground_image_section, 0,
        "A picture on the ground, instead of a pattern: a file, or a map with more keys."),
};
static const BrumeSection ground_section = {"ground", "render.ground", ground_keys, COUNT(ground_keys), NULL};

static const BrumeKey wall_keys[] = {
    RENDER(BRUME_RENDER_WALLS, walls),
    RENDER(BRUME_RENDER_WALL_ALBEDO, wall_albedo),
};
static const BrumeSection wall_section = {"walls", "render.walls", wall_keys, COUNT(wall_keys), NULL};
static const BrumeKey lobes_keys[] = {
    RENDER(BRUME_RENDER_LOBES_FORWARD, phase.forward),
    RENDER(BRUME_RENDER_LOBES_BACKWARD, phase.backward),
    RENDER(BRUME_RENDER_LOBES_SHARE, phase.forward_share),
};
static const BrumeSection lobes_section = {"lobes", "render.lobes", lobes_keys, COUNT(lobes_keys), NULL};

static const BrumeKey emission_keys[] = {
    RENDER(BRUME_RENDER_EMISSION_INTENSITY, emission.intensity),
    RENDER(BRUME_RENDER_EMISSION_AMBIENT, emission.ambient),
    RENDER(BRUME_RENDER_EMISSION_SCALE, emission.temperature_scale),
    {.kind = BRUME_KEY_MAP,
     .name = "curve",
     .section = &emission_curve_section,
     .offset = PARSED(scene.render_settings.emission.curve),
     .fallback = "1 everywhere",
     .doc = "A factor of the glow by the temperature.",
     .fixed = true},
};
static const BrumeSection emission_section = {"emission", "render.emission", emission_keys, COUNT(emission_keys), NULL};

#define SKY(id, member) VALUE(brume_scene_sky_setting_table, id, PARSED(sky.member))
static const BrumeKey sky_keys[] = {
    VALUE(brume_render_setting_table, BRUME_RENDER_SKY_KIND, PARSED(sky.kind)),
    RENDER(BRUME_RENDER_SKY_RADIANCE, sky.radiance),
    RENDER(BRUME_RENDER_SKY_TURBIDITY, sky.turbidity),
    SKY(BRUME_SCENE_SKY_SUN_AZIMUTH, sun_azimuth),
    SKY(BRUME_SCENE_SKY_SUN_ELEVATION, sun_elevation),
    SKY(BRUME_SCENE_SKY_FILE, file),
    RENDER(BRUME_RENDER_SKY_ROTATION, sky.rotation),
    RENDER(BRUME_RENDER_SKY_INTENSITY, sky.intensity),
};
static const BrumeSection sky_section = {"sky", "render.sky", sky_keys, COUNT(sky_keys), "kind"};

static const BrumeKey detail_keys[] = {
    RENDER(BRUME_RENDER_DETAIL_FACTOR, detail.factor),
    RENDER(BRUME_RENDER_DETAIL_STRENGTH, detail.strength),
    RENDER(BRUME_RENDER_DETAIL_SCALE, detail.scale),
};
static const BrumeSection detail_section = {"detail", "render.detail", detail_keys, COUNT(detail_keys), NULL};

static const BrumeKey render_keys[] = {
    RENDER(BRUME_RENDER_ANISOTROPY, anisotropy),
    RENDER(BRUME_RENDER_INTERPOLATION, interpolation),
    VALUE(brume_render_setting_table, BRUME_RENDER_PHASE, PARSED(phase)),
    MAP("lobes", &lobes_section, 0, "Of the phase function `two_lobes`: its lobes."),
    RENDER(BRUME_RENDER_DROPLET_DIAMETER, phase.droplet_diameter),
    RENDER(BRUME_RENDER_EXPOSURE, exposure),
    VALUE(brume_render_setting_table, BRUME_RENDER_TONE, PARSED(tone)),
    RENDER(BRUME_RENDER_STEP, step),
    RENDER(BRUME_RENDER_EDGE_FADE, edge_fade),
    RENDER(BRUME_RENDER_SKY_ZENITH, sky_zenith),
    RENDER(BRUME_RENDER_SKY_HORIZON, sky_horizon),
    MAP("sky", &sky_section, 0, "What the radiance of the sky is given by: a word, or a map with more keys."),
    MAP("ground", &ground_section, 0, "An infinite ground plane."),
    MAP("walls", &wall_section, 0, "The walls of the box."),
    MAP("emission", &emission_section, 0, "Thermal radiation of hot smoke."),
    MAP("detail", &detail_section, 0, "Detail of the smoke below the size of cells."),
};
static const BrumeSection render_section = {"render", "render", render_keys, COUNT(render_keys), NULL};

static const BrumeKey image_keys[] = {
    SCENE(BRUME_SCENE_WIDTH, scene.width),
    SCENE(BRUME_SCENE_HEIGHT, scene.height),
    SCENE(BRUME_SCENE_INTEGRATOR, scene.integrator),
    SCENE(BRUME_SCENE_SAMPLES, scene.samples),
    SCENE(BRUME_SCENE_NOISE, scene.noise),
    SCENE(BRUME_SCENE_DENOISE, scene.denoise),
    SCENE(BRUME_SCENE_BOUNCES, scene.bounces),
    SCENE(BRUME_SCENE_BITS, scene.bits),
    SCENE(BRUME_SCENE_BACKGROUND, scene.transparent),
};
static const BrumeSection image_section = {"image", "image", image_keys, COUNT(image_keys), NULL};

#define STROKE(id, member) VALUE(brume_stroke_setting_table, id, offsetof(BrumeStroke, member))
static const BrumeKey stroke_keys[] = {
    STROKE(BRUME_STROKE_START, start),
    STROKE(BRUME_STROKE_END, end),
    STROKE(BRUME_STROKE_FROM, from),
    STROKE(BRUME_STROKE_TO, to),
    STROKE(BRUME_STROKE_FROM_SLOPE, from_slope),
    STROKE(BRUME_STROKE_TO_SLOPE, to_slope),
    STROKE(BRUME_STROKE_RADIUS, radius),
    STROKE(BRUME_STROKE_DENSITY, smoke[0]),
    STROKE(BRUME_STROKE_DENSITY + 1, smoke[1]),
    STROKE(BRUME_STROKE_DENSITY + 2, smoke[2]),
    STROKE(BRUME_STROKE_DENSITY + 3, smoke[3]),
    STROKE(BRUME_STROKE_TEMPERATURE, temperature),
    STROKE(BRUME_STROKE_ERASE, erase),
    STROKE(BRUME_STROKE_PUSH, push),
    STROKE(BRUME_STROKE_VELOCITY, velocity),
    STROKE(BRUME_STROKE_SUCK, suck),
    STROKE(BRUME_STROKE_TWIST, twist),
    STROKE(BRUME_STROKE_AXIS, axis),
};
const BrumeSection brume_stroke_section = {"stroke", "timeline[].strokes[]", stroke_keys, COUNT(stroke_keys), NULL};

static const BrumeKey move_keys[] = {
    VALUE(brume_move_setting_table, BRUME_MOVE_OBSTACLE, offsetof(BrumeMove, obstacle)),
    VALUE(brume_move_setting_table, BRUME_MOVE_VELOCITY, offsetof(BrumeMove, velocity)),
};
const BrumeSection brume_move_section = {"move", "timeline[].moves[]", move_keys, COUNT(move_keys), NULL};

#define CHANGE(member) offsetof(BrumeParsedChange, member)
static const BrumeKey change_keys[] = {
    VALUE(brume_scene_change_setting_table, BRUME_SCENE_CHANGE_FRAME, CHANGE(frame)),
    {.kind = BRUME_KEY_PATHS,
     .name = "set",
     .doc = "New values of settings by their dotted paths, as `air.drag: 0.5`. They hold from this change on."},
    ITEMS("strokes", &brume_stroke_section, CHANGE(stroke), BRUME_MAX_STROKES,
          "Segments of strokes, applied during the coming frame."),
    ITEMS("moves", &brume_move_section, CHANGE(move), BRUME_MAX_OBSTACLES,
          "Obstacles that move during the coming frame."),
};
const BrumeSection brume_change_section = {"change", "timeline[]", change_keys, COUNT(change_keys), NULL};

static const BrumeKey probe_point_keys[] = {VALUE(brume_scene_probe_point_setting_table, 0, 0)};
static const BrumeSection probe_point_section = {"point", "probes[].points[]", probe_point_keys,
                                                 COUNT(probe_point_keys), "at"};

static const BrumeKey probe_quantity_keys[] = {VALUE(brume_scene_probe_quantity_setting_table, 0, 0)};
static const BrumeSection probe_quantity_section = {"quantity", "probes[].quantities[]", probe_quantity_keys,
                                                    COUNT(probe_quantity_keys), "name"};

#define PROBE(id, member) VALUE(brume_scene_probe_setting_table, id, offsetof(BrumeParsedProbe, member))
static const BrumeKey probe_keys[] = {
    PROBE(BRUME_SCENE_PROBE_NAME, def.name),
    PROBE(BRUME_SCENE_PROBE_KIND, kind),
    {.kind = BRUME_KEY_LIST,
     .name = "quantities",
     .section = &probe_quantity_section,
     .offset = offsetof(BrumeParsedProbe, quantities),
     .count_offset = offsetof(BrumeParsedProbe, quantity_count),
     .stride = sizeof(int),
     .max_count = BRUME_PROBE_QUANTITY_COUNT,
     .fallback = "velocity, pressure, temperature, density",
     .doc = "What is measured."},
    {.kind = BRUME_KEY_LIST,
     .name = "points",
     .section = &probe_point_section,
     .offset = offsetof(BrumeParsedProbe, def.points),
     .count_offset = offsetof(BrumeParsedProbe, def.point_count),
     .stride = sizeof(BrumeVec3),
     .max_count = BRUME_MAX_PROBE_POINTS,
     .doc = "The positions of `points`."},
    PROBE(BRUME_SCENE_PROBE_FROM, def.from),
    PROBE(BRUME_SCENE_PROBE_TO, def.to),
    PROBE(BRUME_SCENE_PROBE_AXIS, def.axis),
    PROBE(BRUME_SCENE_PROBE_POSITION, def.position),
    PROBE(BRUME_SCENE_PROBE_COUNTS, def.counts),
    PROBE(BRUME_SCENE_PROBE_EVERY, def.every),
    PROBE(BRUME_SCENE_PROBE_FRAMES, def.last),
};
static const BrumeSection probe_section = {"probe", "probes[]", probe_keys, COUNT(probe_keys), NULL};

static const BrumeKey value_key_keys[] = {
    VALUE(brume_scene_value_key_setting_table, BRUME_SCENE_VALUE_KEY_TIME, offsetof(BrumeValueKey, time)),
    VALUE(brume_scene_value_key_setting_table, BRUME_SCENE_VALUE_KEY_VALUE, offsetof(BrumeValueKey, value)),
};
static const BrumeSection value_key_section = {"key", "animation[].keys[]", value_key_keys, COUNT(value_key_keys),
                                               NULL};

static const BrumeKey animation_keys[] = {
    VALUE(brume_scene_animation_setting_table, BRUME_SCENE_ANIMATION_PATH_SETTING, offsetof(BrumeAnimatedValue, path)),
    VALUE(brume_scene_animation_setting_table, BRUME_SCENE_ANIMATION_INTERPOLATION,
          offsetof(BrumeAnimatedValue, interpolation)),
    {.kind = BRUME_KEY_LIST,
     .name = "keys",
     .section = &value_key_section,
     .offset = offsetof(BrumeAnimatedValue, keys),
     .count_offset = offsetof(BrumeAnimatedValue, key_count),
     .stride = sizeof(BrumeValueKey),
     .max_count = BRUME_MAX_VALUE_KEYS,
     .doc = "One or more keyframes. Before the first and after the last the value is constant.",
     .fixed = true},
};
static const BrumeSection animation_section = {"animated value", "animation[]", animation_keys, COUNT(animation_keys),
                                               NULL};

static const BrumeKey scene_keys[] = {
    SCENE(BRUME_SCENE_NAME, scene.name),
    SCENE(BRUME_SCENE_DESCRIPTION, scene.description),
    MAP("domain", &domain_section, 0, "The box that is simulated."),
    MAP("solver", &solver_section, 0, "Resolution, numerical methods and their accuracy."),
    MAP("time", &time_section, 0, "Frames."),
    MAP("air", &air_section, 0, "Properties of the air, and the forces on it."),
    MAP("smoke", &smoke_section, 0, "Properties of each kind of smoke, in the flow and in the picture."),
    {LIST("initial", &initial_section, initial, BRUME_MAX_INITIAL, "Fields that are added up to the state at time 0."),
     .fixed = true},
    {LIST("emitters", &emitter_section, emitter, BRUME_MAX_EMITTERS, "Sources of smoke, heat and velocity.")},
    {LIST("obstacles", &obstacle_section, obstacle, BRUME_MAX_OBSTACLES, "Solids that air flows around.")},
    FIXED_MAP("camera", &camera_section, "Position and direction of the camera."),
    {LIST("lights", &light_section, light, BRUME_MAX_LIGHTS, "Lights besides the sky."), .fixed = true,
     .fallback = "one sun"},
    {.kind = BRUME_KEY_MAP,
     .name = "render",
     .former_name = "look",
     .section = &render_section,
     .doc = "Scattering, sky, ground and exposure.",
     .fixed = true},
    FIXED_MAP("image", &image_section, "Size and quality of the picture."),
    {LIST("probes", &probe_section, probe, BRUME_MAX_PROBES,
          "Positions whose values `brume sim` and `brume render` write to CSV files."),
     .fixed = true},
    {.kind = BRUME_KEY_LIST,
     .name = "animation",
     .section = &animation_section,
     .offset = PARSED(scene.animation.values),
     .count_offset = PARSED(scene.animation.count),
     .stride = sizeof(BrumeAnimatedValue),
     .max_count = BRUME_MAX_ANIMATED_VALUES,
     .doc = "Values that change with time by keyframes.",
     .fixed = true},
    ITEMS("timeline", &brume_change_section, PARSED(change), BRUME_MAX_CHANGES,
          "Changes while the simulation runs: settings, strokes and moving obstacles."),
};
const BrumeSection brume_scene_section = {"the scene", "", scene_keys, COUNT(scene_keys), NULL};
