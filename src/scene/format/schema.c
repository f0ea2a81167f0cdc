/*
 * Which key of a scene file sets which member of BrumeParsedScene. Names, limits, defaults and document texts of the
 * values are given by their settings.
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
/** The settings of the indices `first` to `last` in `table`, which describes the struct at `at`. */
#define RUN(table, first, last, at)                                                                                    \
    {                                                                                                                  \
        .kind = BRUME_KEY_SETTINGS, .setting = &(table)[first], .max_count = (last) - (first) + 1, .offset = (at)      \
    }
#define MAP(key, section_, at, text)                                                                                   \
    {                                                                                                                  \
        .kind = BRUME_KEY_MAP, .name = (key), .section = (section_), .offset = (at), .doc = (text)                     \
    }
#define FIXED_MAP(key, section_, text)                                                                                 \
    {                                                                                                                  \
        .kind = BRUME_KEY_MAP, .name = (key), .section = (section_), .doc = (text), .fixed = true                      \
    }
#define ARRAY(key, section_, type, array, count, text)                                                                 \
    .kind = BRUME_KEY_LIST, .name = (key), .section = (section_), .offset = offsetof(type, array),                     \
    .count_offset = offsetof(type, count), .stride = sizeof((type *)0)->array[0],                                      \
    .max_count = COUNT(((type *)0)->array), .doc = (text)
#define LIST(key, section_, member, text) ARRAY(key, section_, BrumeParsedScene, member##s, member##_count, text)
#define ITEMS(key, section_, at, count, text)                                                                          \
    {                                                                                                                  \
        .kind = BRUME_KEY_ITEMS, .name = (key), .section = (section_), .offset = (at), .max_count = (count),           \
        .doc = (text), .fixed = true                                                                                   \
    }

#define FACE(first, last) RUN(brume_face_setting_table, BRUME_FACE_##first, BRUME_FACE_##last, 0)
static const BrumeKey opening_keys[] = {
    FACE(OPENING_CENTER, OPENING_SIZE),
};
static const BrumeSection opening_section = {"opening", "domain.boundaries.x_min.opening", opening_keys,
                                             COUNT(opening_keys), NULL};

static const BrumeKey face_keys[] = {
    FACE(KIND, THICKNESS),
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

#define SCENE(first, last) RUN(brume_scene_setting_table, BRUME_SCENE_##first, BRUME_SCENE_##last, 0)
#define SIM(first, last) RUN(brume_sim_setting_table, BRUME_SIM_##first, BRUME_SIM_##last, PARSED(scene.sim))
static const BrumeKey far_keys[] = {
    SIM(FAR_FACTOR, FAR_FACTOR),
};
static const BrumeSection far_section = {"far", "domain.far", far_keys, COUNT(far_keys), NULL};

static const BrumeKey domain_keys[] = {
    SCENE(SIZE, SIZE),
    SIM(ORIGIN, ORIGIN),
    MAP("far", &far_section, 0, "A coarse grid for the air far from the smoke."),
    MAP("boundaries", &boundary_section, 0, "The six faces of the box. Each is a word, or a map with more keys."),
};
static const BrumeSection domain_section = {"domain", "domain", domain_keys, COUNT(domain_keys), NULL};

static const BrumeKey solver_keys[] = {
    VALUE(brume_sim_setting_table, BRUME_SIM_RESOLUTION, PARSED(resolution)),
    SIM(INTEGRATOR, KERNELS),
};
static const BrumeSection solver_section = {"solver", "solver", solver_keys, COUNT(solver_keys), NULL};

static const BrumeKey air_keys[] = {
    SIM(VISCOSITY, DRY_FRICTION),
};
static const BrumeSection air_section = {"air", "air", air_keys, COUNT(air_keys), NULL};

static const BrumeKey fire_keys[] = {
    SIM(FIRE_MODEL, FIRE_RATE),
};
static const BrumeSection fire_section = {"fire", "fire", fire_keys, COUNT(fire_keys), NULL};

static const BrumeKey vapor_keys[] = {
    SIM(VAPOR_KIND, VAPOR_AMBIENT),
};
static const BrumeSection vapor_section = {"vapor", "vapor", vapor_keys, COUNT(vapor_keys), NULL};

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
         .doc = "Two or more control points. The factor is constant before the first and after the last one.",         \
         .fixed = true},                                                                                               \
    };                                                                                                                 \
    static const BrumeSection prefix##_section = {"curve", path_, prefix##_keys, COUNT(prefix##_keys), NULL}
CURVE_SECTION(density_curve, "smoke.density.curve", brume_density_curve_setting_table);
CURVE_SECTION(emission_curve, "render.emission.curve", brume_emission_curve_setting_table);

#define SMOKE(member) offsetof(BrumeParsedSmoke, member)
static const BrumeKey smoke_kind_keys[] = {
    RUN(brume_smoke_setting_table, BRUME_SMOKE_WEIGHT, BRUME_SMOKE_DIFFUSIVITY, SMOKE(flow)),
    RUN(brume_medium_setting_table, BRUME_MEDIUM_EXTINCTION, BRUME_MEDIUM_ALBEDO, SMOKE(medium)),
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
        "Smoke of the first color. A color that is not in use takes no memory or time."),
    MAP("color_2", &smoke_kind_section, PARSED(smoke[2]), "Smoke of the second color."),
    MAP("color_3", &smoke_kind_section, PARSED(smoke[3]), "Smoke of the third color."),
};
static const BrumeSection smoke_section = {"smoke", "smoke", smoke_keys, COUNT(smoke_keys), NULL};

static const BrumeKey particle_kind_keys[] = {
    RUN(brume_particle_setting_table, BRUME_PARTICLE_SHAPE, BRUME_PARTICLE_REACTS, offsetof(BrumeParsedParticle, flow)),
    RUN(brume_particle_look_setting_table, BRUME_PARTICLE_LOOK_ALBEDO, BRUME_PARTICLE_LOOK_INTENSITY,
        offsetof(BrumeParsedParticle, look)),
};
static const BrumeSection particle_kind_section = {"particles", "particles.dust", particle_kind_keys,
                                                   COUNT(particle_kind_keys), NULL};

#define PARTICLES(kind) PARSED(particles[BRUME_PARTICLE_##kind])
static const BrumeKey particle_keys[] = {
    MAP("dust", &particle_kind_section, PARTICLES(DUST), "Tracers of 0.2 mm, unless their keys say otherwise."),
    MAP("embers", &particle_kind_section, PARTICLES(EMBERS), "Glowing, light spheres of 3 mm that live for 3 s."),
    MAP("leaves", &particle_kind_section, PARTICLES(LEAVES), "Plates of 5 cm."),
    MAP("flakes", &particle_kind_section, PARTICLES(FLAKES), "Plates of 5 mm, as of ash, snow or paper."),
    SIM(MOST_PARTICLES, MOST_PARTICLES),
};
static const BrumeSection particles_section = {"particles", "particles", particle_keys, COUNT(particle_keys), NULL};

// `volume` is the offset of a BrumeParsedVolume
#define VOLUME_KEYS(volume)                                                                                            \
    RUN(brume_scene_volume_setting_table, BRUME_SCENE_VOLUME_FILE, BRUME_SCENE_VOLUME_HASH, volume)

#define SHAPE(id, type, member) VALUE(brume_shape_setting_table, id, offsetof(type, shape.member))
#define SHAPE_KEYS(type)                                                                                               \
    SHAPE(BRUME_SHAPE_KIND, type, kind), SHAPE(BRUME_SHAPE_CENTER, type, center),                                      \
        SHAPE(BRUME_SHAPE_RADIUS, type, radius), SHAPE(BRUME_SHAPE_SIZE, type, size),                                  \
        SHAPE(BRUME_SHAPE_FROM, type, from), SHAPE(BRUME_SHAPE_TO, type, to),                                          \
        SHAPE(BRUME_SHAPE_RADIUS_TO, type, radius_to), SHAPE(BRUME_SHAPE_TUBE_RADIUS, type, tube_radius),              \
        VALUE(brume_scene_shape_setting_table, BRUME_SCENE_SHAPE_AXIS, offsetof(type, shape.axis)),                    \
        VOLUME_KEYS(offsetof(type, shape.volume)), SHAPE(BRUME_SHAPE_THRESHOLD, type, threshold),                      \
        RUN(brume_scene_mesh_setting_table, BRUME_SCENE_MESH_UNIT, BRUME_SCENE_MESH_ANIMATION,                         \
            offsetof(type, shape.read)),                                                                               \
        SHAPE(BRUME_SHAPE_POSITION, type, position), SHAPE(BRUME_SHAPE_ROTATION, type, rotation),                      \
        SHAPE(BRUME_SHAPE_SCALE, type, scale), SHAPE(BRUME_SHAPE_PIVOT, type, pivot),                                  \
        VALUE(brume_scene_shape_setting_table, BRUME_SCENE_SHAPE_PARENT, offsetof(type, shape.parent))

#define EMITTER(first, last)                                                                                           \
    RUN(brume_emitter_setting_table, BRUME_EMITTER_##first, BRUME_EMITTER_##last, offsetof(BrumeParsedEmitter, def))
static const BrumeKey noise_keys[] = {
    EMITTER(NOISE, NOISE_SPEED),
};
static const BrumeSection noise_section = {"noise", "emitters[].noise", noise_keys, COUNT(noise_keys), NULL};

static const BrumeKey force_keys[] = {
    EMITTER(FORCE_KIND, FORCE_DENSITY),
    VOLUME_KEYS(offsetof(BrumeParsedEmitter, flow)),
};
static const BrumeSection force_section = {"force", "emitters[].force", force_keys, COUNT(force_keys), NULL};

static const BrumeKey emitter_keys[] = {
    SHAPE_KEYS(BrumeParsedEmitter),
    VALUE(brume_scene_emitter_body_setting_table, 0, offsetof(BrumeParsedEmitter, body)),
    EMITTER(START, MESH_COLOR),
    MAP("noise", &noise_section, 0, "Noise in space and time that scales smoke and heat."),
    MAP("force", &force_section, 0, "A force on the air in its shape."),
};
static const BrumeSection emitter_section = {"emitter", "emitters[]", emitter_keys, COUNT(emitter_keys), NULL};

#define INITIAL(first, last)                                                                                           \
    RUN(brume_initial_setting_table, BRUME_INITIAL_SETTING_##first, BRUME_INITIAL_SETTING_##last,                      \
        offsetof(BrumeParsedInitial, def))
static const BrumeKey initial_keys[] = {
    INITIAL(KIND, FORMULA),
    VOLUME_KEYS(offsetof(BrumeParsedInitial, volume)),
    INITIAL(FACTOR, PARTICLES),
};
static const BrumeSection initial_section = {"initial field", "initial[]", initial_keys, COUNT(initial_keys), NULL};

static const BrumeKey body_keys[] = {
    RUN(brume_body_setting_table, BRUME_BODY_NAME, BRUME_BODY_NAME, offsetof(BrumeParsedBody, def)),
    SHAPE_KEYS(BrumeParsedBody),
    RUN(brume_body_setting_table, BRUME_BODY_SLIP, BRUME_BODY_HEAT_FLUX, offsetof(BrumeParsedBody, def)),
    {.kind = BRUME_KEY_VALUE,
     .setting = &brume_surface_setting_table[BRUME_SURFACE_ALBEDO],
     .offset = offsetof(BrumeParsedBody, albedo),
     .former_name = "color"},
    RUN(brume_scene_body_setting_table, BRUME_SCENE_BODY_TEXTURE, BRUME_SCENE_BODY_COLLIDE, 0),
};
static const BrumeSection body_section = {"body", "bodies[]", body_keys, COUNT(body_keys), NULL};

static const BrumeKey time_keys[] = {
    SIM(FPS, FPS),
    SCENE(FRAMES, FIRST_FRAME),
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
    RUN(brume_camera_setting_table, BRUME_CAMERA_POSITION, BRUME_CAMERA_FOCUS, PARSED(camera.camera)),
    RUN(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_FOCUS_ON, BRUME_SCENE_CAMERA_F_NUMBER, PARSED(camera)),
    SCENE(SHUTTER, TURNTABLE),
    {LIST("keys", &camera_key_section, camera_key, "Keyframes of a moving camera, connected by a smooth path.")},
};
static const BrumeSection camera_section = {"camera", "camera", camera_keys, COUNT(camera_keys), NULL};

#define LIGHT(first, last)                                                                                             \
    RUN(brume_light_setting_table, BRUME_LIGHT_##first, BRUME_LIGHT_##last, offsetof(BrumeParsedLight, light))
static const BrumeKey light_keys[] = {
    LIGHT(KIND, KIND),
    RUN(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_AZIMUTH, BRUME_SCENE_LIGHT_ELEVATION, 0),
    LIGHT(DIRECTION, POSITION),
    RUN(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_TARGET, BRUME_SCENE_LIGHT_TARGET, 0),
    LIGHT(COLOR, DAYLIGHT),
};
static const BrumeSection light_section = {"light", "lights[]", light_keys, COUNT(light_keys), NULL};

#define RENDER(first, last)                                                                                            \
    RUN(brume_render_setting_table, BRUME_RENDER_##first, BRUME_RENDER_##last, PARSED(scene.render_settings))
static const BrumeKey ground_image_keys[] = {
    VALUE(brume_scene_ground_setting_table, 0, PARSED(ground_file)),
    RENDER(GROUND_IMAGE_SIZE, GROUND_IMAGE_REPEAT),
};
static const BrumeSection ground_image_section = {"image", "render.ground.image", ground_image_keys,
                                                  COUNT(ground_image_keys), "file"};

static const BrumeKey ground_keys[] = {
    RENDER(GROUND, GROUND_CATCHER),
    MAP("image", &ground_image_section, 0,
        "A picture on the ground, instead of a pattern: a file, or a map with more keys."),
};
static const BrumeSection ground_section = {"ground", "render.ground", ground_keys, COUNT(ground_keys), NULL};

static const BrumeKey wall_keys[] = {
    RENDER(WALLS, WALL_ALBEDO),
};
static const BrumeSection wall_section = {"walls", "render.walls", wall_keys, COUNT(wall_keys), NULL};
static const BrumeKey lobes_keys[] = {
    RENDER(LOBES_FORWARD, LOBES_SHARE),
};
static const BrumeSection lobes_section = {"lobes", "render.lobes", lobes_keys, COUNT(lobes_keys), NULL};

static const BrumeKey emission_keys[] = {
    RENDER(EMISSION_INTENSITY, EMISSION_SCALE),
    {.kind = BRUME_KEY_MAP,
     .name = "curve",
     .section = &emission_curve_section,
     .offset = PARSED(scene.render_settings.emission.curve),
     .fallback = "1 everywhere",
     .doc = "A factor of the glow by the temperature.",
     .fixed = true},
};
static const BrumeSection emission_section = {"emission", "render.emission", emission_keys, COUNT(emission_keys), NULL};

static const BrumeKey sky_keys[] = {
    RENDER(SKY_KIND, SKY_TURBIDITY),
    RUN(brume_scene_sky_setting_table, BRUME_SCENE_SKY_SUN_AZIMUTH, BRUME_SCENE_SKY_FILE, PARSED(sky)),
    RENDER(SKY_ROTATION, SKY_INTENSITY),
};
static const BrumeSection sky_section = {"sky", "render.sky", sky_keys, COUNT(sky_keys), "kind"};

static const BrumeKey detail_keys[] = {
    RENDER(DETAIL_FACTOR, DETAIL_SCALE),
};
static const BrumeSection detail_section = {"detail", "render.detail", detail_keys, COUNT(detail_keys), NULL};

static const BrumeKey surface_color_keys[] = {
    RENDER(SURFACE_QUANTITY, SURFACE_UPPER),
};
static const BrumeSection surface_color_section = {"surface_color", "render.surface_color", surface_color_keys,
                                                   COUNT(surface_color_keys), "quantity"};

static const BrumeKey rake_keys[] = {
    RUN(brume_rake_setting_table, BRUME_RAKE_FROM, BRUME_RAKE_UPPER, 0),
};
static const BrumeSection rake_section = {"streamlines", "render.streamlines[]", rake_keys, COUNT(rake_keys), NULL};

static const BrumeKey render_keys[] = {
    RENDER(ANISOTROPY, PHASE),
    MAP("lobes", &lobes_section, 0, "Of the phase function `two_lobes`: its lobes."),
    RENDER(DROPLET_DIAMETER, SKY_HORIZON),
    MAP("sky", &sky_section, 0, "What the radiance of the sky is given by: a word, or a map with more keys."),
    MAP("ground", &ground_section, 0, "An infinite ground plane."),
    MAP("walls", &wall_section, 0, "The walls of the box."),
    MAP("emission", &emission_section, 0, "Thermal radiation of hot smoke."),
    MAP("detail", &detail_section, 0, "Detail of the smoke below the size of cells."),
    {ARRAY("streamlines", &rake_section, BrumeParsedScene, scene.render_settings.rakes,
           scene.render_settings.rake_count, "Streamlines of the air, each item from the points of a line (a rake)."),
     .fixed = true},
    MAP("surface_color", &surface_color_section, 0, "What the colors of bodies show: a word, or a map with more keys."),
    RENDER(REFERENCE_SPEED, REFERENCE_SPEED),
};
static const BrumeSection render_section = {"render", "render", render_keys, COUNT(render_keys), NULL};

static const BrumeKey image_keys[] = {
    SCENE(WIDTH, BACKGROUND),
};
static const BrumeSection image_section = {"image", "image", image_keys, COUNT(image_keys), NULL};

static const BrumeKey stroke_keys[] = {
    RUN(brume_stroke_setting_table, 0, BRUME_STROKE_SETTING_COUNT - 1, 0),
};
const BrumeSection brume_stroke_section = {"stroke", "timeline[].strokes[]", stroke_keys, COUNT(stroke_keys), NULL};

static const BrumeKey move_keys[] = {
    {.kind = BRUME_KEY_VALUE, .setting = &brume_move_setting_table[BRUME_MOVE_BODY], .former_name = "obstacle"},
    RUN(brume_move_setting_table, BRUME_MOVE_BODY + 1, BRUME_MOVE_SETTING_COUNT - 1, 0),
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
    ITEMS("moves", &brume_move_section, CHANGE(move), BRUME_MAX_BODIES, "Bodies that move during the coming frame."),
};
const BrumeSection brume_change_section = {"change", "timeline[]", change_keys, COUNT(change_keys), NULL};

static const BrumeKey probe_point_keys[] = {VALUE(brume_scene_probe_point_setting_table, 0, 0)};
static const BrumeSection probe_point_section = {"point", "probes[].points[]", probe_point_keys,
                                                 COUNT(probe_point_keys), "at"};

static const BrumeKey probe_quantity_keys[] = {VALUE(brume_scene_probe_quantity_setting_table, 0, 0)};
static const BrumeSection probe_quantity_section = {"quantity", "probes[].quantities[]", probe_quantity_keys,
                                                    COUNT(probe_quantity_keys), "name"};

#define PROBE(first, last) RUN(brume_scene_probe_setting_table, BRUME_SCENE_PROBE_##first, BRUME_SCENE_PROBE_##last, 0)
static const BrumeKey probe_keys[] = {
    PROBE(NAME, KIND),
    {ARRAY("quantities", &probe_quantity_section, BrumeParsedProbe, quantities, quantity_count, "What is measured."),
     .fallback = "velocity, pressure, temperature, density"},
    {ARRAY("points", &probe_point_section, BrumeParsedProbe, def.points, def.point_count,
           "The positions of `points`.")},
    PROBE(FROM, FRAMES),
};
static const BrumeSection probe_section = {"probe", "probes[]", probe_keys, COUNT(probe_keys), NULL};

static const BrumeKey value_key_keys[] = {
    RUN(brume_scene_value_key_setting_table, BRUME_SCENE_VALUE_KEY_TIME, BRUME_SCENE_VALUE_KEY_TIME, 0),
    {.kind = BRUME_KEY_VALUE,
     .setting = &brume_scene_value_key_setting_table[BRUME_SCENE_VALUE_KEY_VALUE],
     .offset = offsetof(BrumeValueKey, value),
     .list_hint = ": each component has a 'path' and 'keys' of its own, as 'bodies.0.rotation.1'"},
};
static const BrumeSection value_key_section = {"key", "animation[].keys[]", value_key_keys, COUNT(value_key_keys),
                                               NULL};

static const BrumeKey animation_keys[] = {
    RUN(brume_scene_animation_setting_table, 0, BRUME_SCENE_ANIMATION_SETTING_COUNT - 1, 0),
    {ARRAY("keys", &value_key_section, BrumeAnimatedValue, keys, key_count,
           "One or more keyframes. Before the first and after the last the value is constant."),
     .fixed = true},
};
static const BrumeSection animation_section = {"animated value", "animation[]", animation_keys, COUNT(animation_keys),
                                               NULL};

static const BrumeKey scene_keys[] = {
    SCENE(NAME, DESCRIPTION),
    MAP("domain", &domain_section, 0, "The box that is simulated."),
    MAP("solver", &solver_section, 0, "Resolution, numerical methods and their accuracy."),
    MAP("time", &time_section, 0, "Frames."),
    MAP("air", &air_section, 0, "Properties of the air, and the forces on it."),
    MAP("fire", &fire_section, 0, "The fuel of emitters and strokes, and how it burns."),
    MAP("vapor", &vapor_section, 0, "Water vapor, which condenses to liquid water and evaporates."),
    MAP("smoke", &smoke_section, 0, "Properties of each kind of smoke, in the flow and in the picture."),
    {LIST("initial", &initial_section, initial, "Fields that are added up to the state at time 0."), .fixed = true},
    MAP("particles", &particles_section, 0, "What the particles of emitters and strokes are."),
    {LIST("emitters", &emitter_section, emitter, "Sources of smoke, heat and velocity.")},
    {ARRAY("bodies", &body_section, BrumeParsedScene, bodies, body_count, "Solids that air flows around."),
     .former_name = "obstacles"},
    FIXED_MAP("camera", &camera_section, "Position and direction of the camera."),
    {LIST("lights", &light_section, light, "Lights besides the sky."), .fixed = true, .fallback = "one sun"},
    {.kind = BRUME_KEY_MAP,
     .name = "render",
     .former_name = "look",
     .section = &render_section,
     .doc = "Scattering, sky, ground and exposure.",
     .fixed = true},
    FIXED_MAP("image", &image_section, "Size and quality of the picture."),
    {LIST("probes", &probe_section, probe, "Positions whose values `brume sim` and `brume render` write to CSV files."),
     .fixed = true},
    {ARRAY("animation", &animation_section, BrumeParsedScene, scene.animation.values, scene.animation.count,
           "Values that change with time by keyframes."),
     .fixed = true},
    ITEMS("timeline", &brume_change_section, PARSED(change), BRUME_MAX_CHANGES,
          "Changes while the simulation runs: settings, strokes and moving bodies."),
};
const BrumeSection brume_scene_section = {"the scene", "", scene_keys, COUNT(scene_keys), NULL};
