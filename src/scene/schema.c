#include "scene/schema.h"
#include "scene/draft.h"

#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define KEY(key, kind, unit_, low, high, at, text)                                                                     \
    .name = (key), .type = BRUME_KEY_##kind, .unit = (unit_), .min = (low), .max = (high), .offset = (at), .doc = (text)
#define MAP(key, section_, at, text)                                                                                   \
    {                                                                                                                  \
        .name = (key), .type = BRUME_KEY_MAP, .section = (section_), .offset = (at), .doc = (text)                     \
    }
#define SIDE(key, at, otherwise, text)                                                                                 \
    {                                                                                                                  \
        .name = (key), .type = BRUME_KEY_MAP, .section = &face_section, .offset = (at), .fallback = (otherwise),       \
        .doc = (text)                                                                                                  \
    }
#define LIST_KEY(key, section_, member, most, text)                                                                    \
    .name = (key), .type = BRUME_KEY_LIST, .section = (section_), .offset = DRAFT(member##s),                          \
    .count_offset = DRAFT(member##_count), .stride = sizeof((BrumeSceneDraft *)0)->member##s[0], .max = (most),        \
    .doc = (text)
#define LIST(key, section_, member, most, text)                                                                        \
    {                                                                                                                  \
        LIST_KEY(key, section_, member, most, text)                                                                    \
    }
#define FIXED(key, kind, unit_, low, high, at, text) KEY(key, kind, unit_, low, high, at, text), .fixed = true
#define FIXED_MAP(key, section_, text)                                                                                 \
    {                                                                                                                  \
        .name = (key), .type = BRUME_KEY_MAP, .section = (section_), .doc = (text), .fixed = true                      \
    }
#define ITEMS(key, section_, at, most, text)                                                                           \
    {                                                                                                                  \
        .name = (key), .type = BRUME_KEY_ITEMS, .section = (section_), .offset = (at), .max = (most), .doc = (text),   \
        .fixed = true                                                                                                  \
    }

#define DRAFT(member) offsetof(BrumeSceneDraft, member)
#define SIM(member) offsetof(BrumeSceneDraft, scene.sim.member)
#define LOOK(member) offsetof(BrumeSceneDraft, scene.look.member)

static const char *const shape_words[] = {"sphere", "box", "cylinder", "capsule", NULL};
static const char *const face_words[] = {"wall", "open", "inflow", "periodic", NULL};
static const char *const slip_words[] = {"free", "no", NULL};
static const char *const light_words[] = {"sun", "point", NULL};
static const char *const tone_words[] = {"filmic", "linear", NULL};

#define FACE(member) offsetof(BrumeFaceDraft, member)
static const BrumeKey face_keys[] = {
    {KEY("kind", WORD, NULL, 0, 0, FACE(kind),
         "`wall`: nothing passes. `open`: air comes and goes, and what comes is clean and ambient. `inflow`: air "
         "enters as told here. `periodic`: what leaves here enters at the opposite face, which must be periodic too."),
     .words = face_words},
    {KEY("slip", WORD, NULL, 0, 0, FACE(slip), "Of a wall: whether air glides along it or sticks to it."),
     .words = slip_words},
    {KEY("velocity", VECTOR, "m/s", -1000, 1000, FACE(velocity),
         "Of an inflow: of the air that enters. Of a wall with `slip: no`: of the wall itself, along itself."),
     .fallback = "required at an inflow, [0, 0, 0] at a wall"},
    {KEY("temperature", NUMBER, "K above ambient", -250, 10000, FACE(temperature),
         "Of an inflow: of the air that enters. Of a wall: what it is held at; without it the wall insulates."),
     .fallback = "0 at an inflow, none at a wall"},
    {KEY("density", NUMBER, "1", 0, 1000, FACE(smoke[0]), "Of an inflow: plain smoke in the air that enters.")},
    {KEY("color_1", NUMBER, "1", 0, 1000, FACE(smoke[1]), "The same for smoke of the first color.")},
    {KEY("color_2", NUMBER, "1", 0, 1000, FACE(smoke[2]), "The same for smoke of the second color.")},
    {KEY("color_3", NUMBER, "1", 0, 1000, FACE(smoke[3]), "The same for smoke of the third color.")},
};
static const BrumeSection face_section = {"face", "domain.boundaries.x_min", face_keys, COUNT(face_keys), "kind"};

static const BrumeKey boundary_keys[] = {
    SIDE("all", DRAFT(sides[BRUME_SIDE_ALL]), "as below", "All six faces."),
    SIDE("x", DRAFT(sides[BRUME_SIDE_AXES]), "as `all`", "Both faces across x."),
    SIDE("y", DRAFT(sides[BRUME_SIDE_AXES + 1]), "as `all`", "Floor and ceiling."),
    SIDE("z", DRAFT(sides[BRUME_SIDE_AXES + 2]), "as `all`", "Both faces across z."),
    SIDE("x_min", DRAFT(sides[BRUME_SIDE_FACES]), "as `x`, else wall", "The left face."),
    SIDE("x_max", DRAFT(sides[BRUME_SIDE_FACES + 1]), "as `x`, else wall", "The right face."),
    SIDE("y_min", DRAFT(sides[BRUME_SIDE_FACES + 2]), "as `y`, else wall", "The floor."),
    SIDE("y_max", DRAFT(sides[BRUME_SIDE_FACES + 3]), "as `y`, else open", "The ceiling."),
    SIDE("z_min", DRAFT(sides[BRUME_SIDE_FACES + 4]), "as `z`, else wall", "The far face."),
    SIDE("z_max", DRAFT(sides[BRUME_SIDE_FACES + 5]), "as `z`, else wall", "The near face."),
};
static const BrumeSection boundary_section = {"boundaries", "domain.boundaries", boundary_keys, COUNT(boundary_keys),
                                              NULL};

static const BrumeKey domain_keys[] = {
    {KEY("size", SIDES, "m", 0.01, 1e4, DRAFT(size),
         "Sides of the box along x, y (up) and z, or one number for a cube. Sides are rounded to whole cells.")},
    {KEY("origin", VECTOR, "m", -1e4, 1e4, SIM(origin), "Lower corner of the box."),
     .fallback = "centered in x and z, the floor at 0"},
    MAP("boundaries", &boundary_section, 0, "What the six faces of the box do. A face is a word, or a map with more."),
};
static const BrumeSection domain_section = {"domain", "domain", domain_keys, COUNT(domain_keys), NULL};

static const BrumeKey solver_keys[] = {
    {KEY(
        "resolution", COUNTS, "cells", 8, 4096, DRAFT(resolution),
        "Cells along the longest side; cells are cubes, and each side has at least 8. Or cells along x, y and z, which "
        "must be in the ratio of the sides where `size` is given.")},
    {KEY("advection", NAME, NULL, 0, 0, SIM(advection), "How the flow carries itself and its load."),
     .name_at = brume_advection_name},
    {KEY("trace_order", WHOLE, "1", 2, 3, SIM(trace_order), "Runge-Kutta order of the paths that advection follows.")},
    {KEY("pressure", NAME, NULL, 0, 0, SIM(pressure), "How the flow is kept free of divergence."),
     .name_at = brume_pressure_name},
    {KEY("tolerance", NUMBER, "1", 1e-7, 0.5, SIM(tolerance), "Relative residual at which the pressure solve stops.")},
    {KEY("max_iterations", WHOLE, "1", 1, 100000, SIM(max_iterations), "Most iterations of a pressure solve.")},
    {KEY("over_relaxation", NUMBER, "1", 0.1, 1.99, SIM(over_relaxation), "Factor of `pressure: relaxation`.")},
    {KEY("cfl", NUMBER, "cells", 0.1, 20, SIM(cfl), "Most that anything travels in a step; 1 to 5 is sensible.")},
    {KEY("min_steps", WHOLE, "1", 1, 1000, SIM(min_steps), "Least steps in a frame.")},
    {KEY("max_steps", WHOLE, "1", 1, 1000, SIM(max_steps),
         "Most steps in a frame; where they do not suffice, steps grow beyond `cfl` and stay stable.")},
    {KEY("seed", SEED, "1", 0, 4294967295.0, SIM(seed), "Picks the noise of the emitters.")},
};
static const BrumeSection solver_section = {"solver", "solver", solver_keys, COUNT(solver_keys), NULL};

static const BrumeKey air_keys[] = {
    {KEY("viscosity", NUMBER, "m^2/s", 0, 100, SIM(viscosity), "Kinematic viscosity; real air has 1.5e-5.")},
    {KEY("thermal_diffusivity", NUMBER, "m^2/s", 0, 100, SIM(thermal_diffusivity),
         "How fast heat spreads by itself; real air has 2.1e-5.")},
    {KEY("thermal_expansion", NUMBER, "1/K", 0, 1, SIM(thermal_expansion),
         "Lift by heat: air rises with gravity x expansion x temperature. Real air has 1 / 300.")},
    {KEY("cooling", NUMBER, "1/s", 0, 1000, SIM(cooling), "Rate at which temperature falls back to ambient.")},
    {KEY("vorticity_confinement", NUMBER, "1/s", 0, 100, SIM(vorticity_confinement),
         "Strength of a force that feeds small vortices; 0.1 to 1 shows.")},
    {KEY("gravity", VECTOR, "m/s^2", -1000, 1000, SIM(gravity), "Gravity.")},
    {KEY("wind", VECTOR, "m/s", -1000, 1000, SIM(wind), "What the air does at the start, and what drag pulls it to.")},
    {KEY("drag", NUMBER, "1/s", 0, 1000, SIM(drag), "Rate at which velocity relaxes to the wind.")},
};
static const BrumeSection air_section = {"air", "air", air_keys, COUNT(air_keys), NULL};

#define SMOKE(member) offsetof(BrumeSmokeDraft, member)
static const BrumeKey smoke_kind_keys[] = {
    {KEY("weight", NUMBER, "1", -10, 10, SMOKE(flow.weight),
         "Share by which a density of 1 makes air heavier: it sinks with gravity x weight x density.")},
    {KEY("dissipation", NUMBER, "1/s", 0, 1000, SMOKE(flow.dissipation), "Rate at which it vanishes.")},
    {KEY("diffusivity", NUMBER, "m^2/s", 0, 100, SMOKE(flow.diffusivity), "How fast it spreads by itself.")},
    {FIXED("extinction", NUMBER, "1/m", 0, 1e4, SMOKE(look.extinction), "How much light a density of 1 takes up.")},
    {FIXED("albedo", SPLAT, "1", 0, 1, SMOKE(look.albedo),
           "Share of that light which it scatters, linear RGB: its color."),
     .fallback = "near white; orange, blue and green for the colors"},
};
static const BrumeSection smoke_kind_section = {"smoke", "smoke.density", smoke_kind_keys, COUNT(smoke_kind_keys),
                                                NULL};

static const BrumeKey smoke_keys[] = {
    MAP("density", &smoke_kind_section, DRAFT(smoke[0]), "The plain smoke."),
    MAP("color_1", &smoke_kind_section, DRAFT(smoke[1]),
        "Smoke of the first color. Colors that nothing uses cost nothing."),
    MAP("color_2", &smoke_kind_section, DRAFT(smoke[2]), "Smoke of the second color."),
    MAP("color_3", &smoke_kind_section, DRAFT(smoke[3]), "Smoke of the third color."),
};
static const BrumeSection smoke_section = {"smoke", "smoke", smoke_keys, COUNT(smoke_keys), NULL};

#define SHAPE_KEYS(draft)                                                                                              \
    {KEY("shape", WORD, NULL, 0, 0, offsetof(draft, shape.kind), "What it is."), .words = shape_words,                 \
     .fallback = "by shape"},                                                                                          \
        {KEY("center", VECTOR, "m", -1e5, 1e5, offsetof(draft, shape.center), "Of a sphere or box: its middle."),      \
         .fallback = "by shape"},                                                                                      \
        {KEY("radius", NUMBER, "m", 1e-4, 1e4, offsetof(draft, shape.radius), "Of a sphere, cylinder or capsule."),    \
         .fallback = "by shape"},                                                                                      \
        {KEY("size", SPLAT, "m", 1e-4, 1e4, offsetof(draft, shape.size), "Of a box with a `center`: its sides."),      \
         .fallback = "by shape"},                                                                                      \
        {KEY("from", VECTOR, "m", -1e5, 1e5, offsetof(draft, shape.from),                                              \
             "Of a cylinder or capsule: one end of its axis. Of a box without a `center`: a corner."),                 \
         .fallback = "by shape"},                                                                                      \
    {                                                                                                                  \
        KEY("to", VECTOR, "m", -1e5, 1e5, offsetof(draft, shape.to), "The other end, or the opposite corner."),        \
            .fallback = "by shape"                                                                                     \
    }

#define EMITTER(member) offsetof(BrumeEmitterDraft, member)
static const BrumeKey noise_keys[] = {
    {KEY("amount", NUMBER, "1", 0, 1, EMITTER(def.noise),
         "0: even. 1: smoke and heat vary between nothing and double.")},
    {KEY("scale", NUMBER, "m", 1e-3, 1e4, EMITTER(def.noise_scale), "Size of its features.")},
    {KEY("speed", NUMBER, "1/s", 0, 1000, EMITTER(def.noise_speed), "How often a second it changes.")},
};
static const BrumeSection noise_section = {"noise", "emitters[].noise", noise_keys, COUNT(noise_keys), NULL};

static const BrumeKey emitter_keys[] = {
    SHAPE_KEYS(BrumeEmitterDraft),
    {KEY("start", NUMBER, "s", 0, 1e6, EMITTER(def.start), "When it begins.")},
    {KEY("end", NUMBER, "s", 0, 1e6, EMITTER(def.end), "When it stops."), .fallback = "never"},
    {KEY("density", NUMBER, "1", 0, 1000, EMITTER(smoke[0]), "Plain smoke that it keeps in its shape."),
     .fallback = "untouched"},
    {KEY("color_1", NUMBER, "1", 0, 1000, EMITTER(smoke[1]), "The same for smoke of the first color."),
     .fallback = "untouched"},
    {KEY("color_2", NUMBER, "1", 0, 1000, EMITTER(smoke[2]), "The same for smoke of the second color."),
     .fallback = "untouched"},
    {KEY("color_3", NUMBER, "1", 0, 1000, EMITTER(smoke[3]), "The same for smoke of the third color."),
     .fallback = "untouched"},
    {KEY("temperature", NUMBER, "K above ambient", -250, 10000, EMITTER(temperature),
         "Temperature that it keeps in its shape."),
     .fallback = "untouched"},
    {KEY("velocity", VECTOR, "m/s", -1000, 1000, EMITTER(velocity), "Velocity that it keeps in its shape."),
     .fallback = "untouched"},
    {KEY("density_rate", NUMBER, "1/s", 0, 1e5, EMITTER(smoke_rate[0]),
         "Plain smoke that it adds a second; excludes `density`, and so on below."),
     .fallback = "untouched"},
    {KEY("color_1_rate", NUMBER, "1/s", 0, 1e5, EMITTER(smoke_rate[1]), "The same for smoke of the first color."),
     .fallback = "untouched"},
    {KEY("color_2_rate", NUMBER, "1/s", 0, 1e5, EMITTER(smoke_rate[2]), "The same for smoke of the second color."),
     .fallback = "untouched"},
    {KEY("color_3_rate", NUMBER, "1/s", 0, 1e5, EMITTER(smoke_rate[3]), "The same for smoke of the third color."),
     .fallback = "untouched"},
    {KEY("temperature_rate", NUMBER, "K/s", -1e5, 1e5, EMITTER(temperature_rate), "Heat that it adds a second."),
     .fallback = "untouched"},
    {KEY("acceleration", VECTOR, "m/s^2", -1e5, 1e5, EMITTER(acceleration), "Velocity that it adds a second."),
     .fallback = "untouched"},
    MAP("noise", &noise_section, 0, "How unevenly it gives smoke and heat."),
};
static const BrumeSection emitter_section = {"emitter", "emitters[]", emitter_keys, COUNT(emitter_keys), NULL};

static const BrumeKey obstacle_keys[] = {
    SHAPE_KEYS(BrumeObstacleDraft),
    {KEY("albedo", SPLAT, "1", 0, 1, offsetof(BrumeObstacleDraft, albedo), "Color of its surface, linear RGB.")},
    {KEY("visible", FLAG, NULL, 0, 0, offsetof(BrumeObstacleDraft, visible), "Whether it is drawn.")},
};
static const BrumeSection obstacle_section = {"obstacle", "obstacles[]", obstacle_keys, COUNT(obstacle_keys), NULL};

static const BrumeKey time_keys[] = {
    {KEY("fps", NUMBER, "1/s", 0.1, 10000, SIM(fps), "Frames a second.")},
    {FIXED("frames", WHOLE, "1", 1, 1000000, DRAFT(scene.frames), "Frames of the whole scene.")},
};
static const BrumeSection time_section = {"time", "time", time_keys, COUNT(time_keys), NULL};

#define CAMERA_KEYS(position_, target_)                                                                                \
    {KEY("position", VECTOR, "m", -1e5, 1e5, position_, "Where the camera stands."), .fallback = "frames the box"},    \
    {                                                                                                                  \
        KEY("target", VECTOR, "m", -1e5, 1e5, target_, "The point in the middle of the picture."),                     \
            .fallback = "the middle of the box"                                                                        \
    }

#define CAMERA_KEY(member) offsetof(BrumeCameraKeyDraft, member)
static const BrumeKey camera_key_keys[] = {
    {KEY("time", DOUBLE, "s", 0, 1e6, CAMERA_KEY(time), "When the camera is there; keys come in rising time."),
     .fallback = "required"},
    CAMERA_KEYS(CAMERA_KEY(camera.position), CAMERA_KEY(camera.target)),
    {KEY("field_of_view", NUMBER, "degrees", 1, 170, CAMERA_KEY(camera.field_of_view), "Vertical angle of view."),
     .fallback = "40"},
};
static const BrumeSection camera_key_section = {"camera key", "camera.keys[]", camera_key_keys, COUNT(camera_key_keys),
                                                NULL};

static const BrumeKey camera_keys[] = {
    CAMERA_KEYS(DRAFT(camera.position), DRAFT(camera.target)),
    {KEY("field_of_view", NUMBER, "degrees", 1, 170, DRAFT(camera.field_of_view), "Vertical angle of view.")},
    LIST("keys", &camera_key_section, camera_key, BRUME_MAX_CAMERA_KEYS,
         "A flight instead of a camera at rest: a smooth path through these keys."),
};
static const BrumeSection camera_section = {"camera", "camera", camera_keys, COUNT(camera_keys), NULL};

#define LIGHT(member) offsetof(BrumeLightDraft, member)
static const BrumeKey light_keys[] = {
    {KEY("kind", WORD, NULL, 0, 0, LIGHT(kind), "`sun`: parallel light. `point`: a lamp."), .words = light_words},
    {KEY("azimuth", NUMBER, "degrees", -360, 360, LIGHT(azimuth),
         "Of a sun: where it stands, from +z (0) to +x (90).")},
    {KEY("elevation", NUMBER, "degrees", -90, 90, LIGHT(elevation), "Of a sun: its height above the horizon.")},
    {KEY("direction", VECTOR, "1", -1e5, 1e5, LIGHT(light.direction),
         "Of a sun, instead of azimuth and elevation: the way its light travels; any length."),
     .fallback = "from the angles"},
    {KEY("position", VECTOR, "m", -1e5, 1e5, LIGHT(light.position), "Of a lamp: where it is."), .fallback = "required"},
    {KEY("color", SPLAT, "1", 0, 100, LIGHT(light.color), "Linear RGB, scaled by the intensity.")},
    {KEY("intensity", NUMBER, "W/m^2 or W/sr", 0, 1e6, LIGHT(light.intensity),
         "Of a sun: its irradiance. Of a lamp: its radiant intensity.")},
};
static const BrumeSection light_section = {"light", "lights[]", light_keys, COUNT(light_keys), NULL};

static const BrumeKey ground_keys[] = {
    {KEY("visible", FLAG, NULL, 0, 0, LOOK(ground), "Whether there is a ground.")},
    {KEY("height", NUMBER, "m", -1e5, 1e5, LOOK(ground_height), "Its y."), .fallback = "the floor of the box"},
    {KEY("albedo", SPLAT, "1", 0, 1, LOOK(ground_albedo), "Its color, linear RGB.")},
};
static const BrumeSection ground_section = {"ground", "look.ground", ground_keys, COUNT(ground_keys), NULL};

static const BrumeKey look_keys[] = {
    {KEY("anisotropy", NUMBER, "1", -0.99, 0.99, LOOK(anisotropy),
         "How smoke scatters light: above 0 forward, 0 evenly, below 0 back (g of Henyey and Greenstein).")},
    {KEY("exposure", NUMBER, "stops", -20, 20, LOOK(exposure), "Brightness: one more doubles it.")},
    {KEY("tone", WORD, NULL, 0, 0, DRAFT(tone), "`filmic` lets highlights roll off, `linear` cuts them."),
     .words = tone_words},
    {KEY("step", NUMBER, "cells", 0.05, 10, LOOK(step), "How far apart rays look at the smoke.")},
    {KEY("sky_zenith", SPLAT, "W/(m^2 sr)", 0, 1e4, LOOK(sky_zenith), "Radiance of the sky straight up, linear RGB.")},
    {KEY("sky_horizon", SPLAT, "W/(m^2 sr)", 0, 1e4, LOOK(sky_horizon), "Radiance at and below the horizon.")},
    MAP("ground", &ground_section, 0, "An endless plane that smoke casts its shadow on."),
};
static const BrumeSection look_section = {"look", "look", look_keys, COUNT(look_keys), NULL};

static const BrumeKey image_keys[] = {
    {KEY("width", WHOLE, "pixels", 1, 16384, DRAFT(scene.width), "Width of the picture.")},
    {KEY("height", WHOLE, "pixels", 1, 16384, DRAFT(scene.height), "Height of the picture.")},
    {KEY("samples", WHOLE, "1", 1, 4096, DRAFT(scene.samples), "Rays through each pixel.")},
};
static const BrumeSection image_section = {"image", "image", image_keys, COUNT(image_keys), NULL};

#define STROKE(member) offsetof(BrumeStroke, member)
static const BrumeKey stroke_keys[] = {
    {KEY("start", DOUBLE, "s", 0, 1e7, STROKE(start), "When the tip sets out."),
     .fallback = "the end of the piece before"},
    {KEY("end", DOUBLE, "s", 0, 1e7, STROKE(end), "When it arrives."), .fallback = "required"},
    {KEY("from", VECTOR, "m", -1e6, 1e6, STROKE(from), "Where it sets out."), .fallback = "`to` of the piece before"},
    {KEY("to", VECTOR, "m", -1e6, 1e6, STROKE(to), "Where it arrives."), .fallback = "required"},
    {KEY("from_slope", VECTOR, "m", -1e6, 1e6, STROKE(from_slope),
         "Of the curve where it sets out: the way that it would go in the whole time. The tip follows the cubic "
         "Hermite "
         "curve of both slopes."),
     .fallback = "`to_slope` of the piece before; of the first: straight"},
    {KEY("to_slope", VECTOR, "m", -1e6, 1e6, STROKE(to_slope), "The same where it arrives."), .fallback = "straight"},
    {KEY("radius", NUMBER, "m", 1e-6, 1e6, STROKE(radius), "How far from the curve it acts, less and less."),
     .fallback = "required"},
    {KEY("density", NUMBER, "1", 0, 1000, STROKE(smoke[0]), "Plain smoke is raised to at least this."),
     .fallback = "0"},
    {KEY("color_1", NUMBER, "1", 0, 1000, STROKE(smoke[1]), "The same for smoke of the first color."), .fallback = "0"},
    {KEY("color_2", NUMBER, "1", 0, 1000, STROKE(smoke[2]), "The same for smoke of the second color."),
     .fallback = "0"},
    {KEY("color_3", NUMBER, "1", 0, 1000, STROKE(smoke[3]), "The same for smoke of the third color."), .fallback = "0"},
    {KEY("temperature", NUMBER, "K above ambient", 0, 10000, STROKE(temperature),
         "Temperature is raised to at least this."),
     .fallback = "0"},
    {KEY("push", NUMBER, "1/s", 0, 1e6, STROKE(push), "Rate at which the air takes on `velocity`."), .fallback = "0"},
    {KEY("velocity", VECTOR, "m/s", -1e6, 1e6, STROKE(velocity), "Of a push."), .fallback = "[0, 0, 0]"},
};
const BrumeSection brume_stroke_section = {"stroke", "timeline[].strokes[]", stroke_keys, COUNT(stroke_keys), NULL};

static const BrumeKey move_keys[] = {
    {KEY("obstacle", WHOLE, "1", 0, BRUME_MAX_OBSTACLES - 1, offsetof(BrumeMove, obstacle),
         "Which one, counted from 0."),
     .fallback = "required"},
    {KEY("velocity", VECTOR, "m/s", -1e6, 1e6, offsetof(BrumeMove, velocity),
         "How it travels during the coming frame, after which it rests."),
     .fallback = "required"},
};
const BrumeSection brume_move_section = {"move", "timeline[].moves[]", move_keys, COUNT(move_keys), NULL};

#define CHANGE(member) offsetof(BrumeChangeDraft, member)
static const BrumeKey change_keys[] = {
    {KEY("frame", WHOLE, "1", 0, 1000000, CHANGE(frame),
         "Frames that are finished when it is done, 0 for before the first; changes come in rising order."),
     .fallback = "required"},
    {.name = "set",
     .type = BRUME_KEY_PATHS,
     .doc = "Values that hold from here on, by their dotted paths, as `air.drag: 0.5`: all that the flow is computed "
            "from."},
    ITEMS("strokes", &brume_stroke_section, CHANGE(stroke), BRUME_MAX_STROKES,
          "Pieces of strokes that stir the air during the coming frame."),
    ITEMS("moves", &brume_move_section, CHANGE(move), BRUME_MAX_OBSTACLES,
          "Obstacles that travel during the coming frame."),
};
const BrumeSection brume_change_section = {"change", "timeline[]", change_keys, COUNT(change_keys), NULL};

static const BrumeKey scene_keys[] = {
    {FIXED("name", TEXT, NULL, 0, sizeof((BrumeScene *)0)->name - 1, DRAFT(scene.name), "A short title."),
     .fallback = "the name of the file"},
    {FIXED("description", TEXT, NULL, 0, sizeof((BrumeScene *)0)->description - 1, DRAFT(scene.description),
           "One sentence on what there is to see."),
     .fallback = "none"},
    MAP("domain", &domain_section, 0, "The box."),
    MAP("solver", &solver_section, 0, "How finely and how exactly it is computed."),
    MAP("time", &time_section, 0, "Frames."),
    MAP("air", &air_section, 0, "What the air is like and what drives it."),
    MAP("smoke", &smoke_section, 0, "The kinds of smoke: how they behave and look."),
    LIST("emitters", &emitter_section, emitter, BRUME_MAX_EMITTERS, "What makes smoke, heat and motion."),
    {LIST_KEY("obstacles", &obstacle_section, obstacle, BRUME_MAX_OBSTACLES, "Solids that air flows around."),
     .fixed = true},
    FIXED_MAP("camera", &camera_section, "Where the picture is taken from."),
    {LIST_KEY("lights", &light_section, light, BRUME_MAX_LIGHTS, "What lights the smoke besides the sky."),
     .fixed = true, .fallback = "one sun"},
    FIXED_MAP("look", &look_section, "Light, sky, ground and exposure."),
    FIXED_MAP("image", &image_section, "The picture."),
    ITEMS("timeline", &brume_change_section, DRAFT(change), BRUME_MOST_CHANGES, "What is done to it while it runs."),
};
const BrumeSection brume_scene_section = {"the scene", "", scene_keys, COUNT(scene_keys), NULL};
