#include "viewer/panel/parameters.h"

#include "core/members.h"
#include "raymarch/intersect.h"
#include "raymarch/settings.h"
#include "sim/settings/settings.h"
#include "viewer/controls/controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Defines a function that returns the reason why a value has no effect; its row is not drawn then. `settings` is the
// struct.
#define IDLE_UNLESS(name, type, condition, reason)                                                                     \
    static const char *name(const void *values)                                                                        \
    {                                                                                                                  \
        const type *const settings = values;                                                                           \
        return (condition) ? NULL : (reason);                                                                          \
    }

static bool integrates_by(const BrumeSimDef *sim, const char *integrator)
{
    return strcmp(sim->integrator, integrator) == 0;
}

// whether the integrator leaves the choice of the transport scheme to the settings
static bool chooses_transport(const BrumeSimDef *sim)
{
    return !integrates_by(sim, "classic") && !integrates_by(sim, "collocated") && !integrates_by(sim, "practical");
}

// whether the integrator leaves the choice of the advection scheme to the settings
static bool chooses_scheme(const BrumeSimDef *sim)
{
    return chooses_transport(sim) && !integrates_by(sim, "prescribed");
}

// whether there is a fire, also one of emitters that the settings refuse
static bool burns(const BrumeSimDef *sim) { return brume_has_fuel(sim) || brume_first_fueled_emitter(sim) >= 0; }

static bool has_daylight(const BrumeRenderSettings *look)
{
    bool found = look->sky.kind == BRUME_SKY_DAYLIGHT;
    for (int n = 0; n < look->light_count; n++) {
        found = found || look->lights[n].daylight;
    }
    return found;
}

// whether the ground has two albedos
static bool has_pattern(const BrumeRenderSettings *look)
{
    return look->ground && (look->ground_pattern == BRUME_GROUND_CHECKER || look->ground_pattern == BRUME_GROUND_NOISE);
}

IDLE_UNLESS(of_forces, BrumeSimDef, !integrates_by(settings, "prescribed"),
            "The integrator `prescribed` does not change the velocity.")
IDLE_UNLESS(of_fire, BrumeSimDef, burns(settings), "The scene has no fuel.")
IDLE_UNLESS(of_vapor, BrumeSimDef, brume_has_vapor(settings), "The scene has no vapor.")
IDLE_UNLESS(of_ignition, BrumeSimDef, settings->fire.model == BRUME_FIRE_IGNITION,
            "Only the model `ignition` of fire has it.")
IDLE_UNLESS(of_scheme, BrumeSimDef, chooses_scheme(settings),
            "The integrators `classic`, `collocated`, `practical` and `prescribed` do not use it.")
IDLE_UNLESS(of_transport, BrumeSimDef, chooses_transport(settings), "The integrator has its own scheme.")
IDLE_UNLESS(of_collocated, BrumeSimDef, integrates_by(settings, "collocated"),
            "Only the integrator `collocated` has it.")
IDLE_UNLESS(of_practical, BrumeSimDef, integrates_by(settings, "practical"), "Only the integrator `practical` has it.")
IDLE_UNLESS(of_relaxation, BrumeSimDef, chooses_scheme(settings) && strcmp(settings->pressure, "relaxation") == 0,
            "Only the pressure solver `relaxation` uses it.")
IDLE_UNLESS(of_gradient, BrumeRenderSettings, settings->sky.kind == BRUME_SKY_GRADIENT,
            "Only the sky `gradient` has it.")
IDLE_UNLESS(of_constant, BrumeRenderSettings, settings->sky.kind == BRUME_SKY_CONSTANT,
            "Only the sky `constant` has it.")
IDLE_UNLESS(of_image, BrumeRenderSettings, settings->sky.kind == BRUME_SKY_IMAGE, "Only the sky `image` has it.")
IDLE_UNLESS(of_daylight, BrumeRenderSettings, has_daylight(settings), "Only the sky `daylight` has it.")
IDLE_UNLESS(of_intensity, BrumeRenderSettings, settings->sky.kind == BRUME_SKY_IMAGE || has_daylight(settings),
            "Only the skies `daylight` and `image` have it.")
IDLE_UNLESS(of_ground, BrumeRenderSettings, settings->ground, "There is no ground.")
IDLE_UNLESS(of_surface_colors, BrumeRenderSettings, settings->surface_colors.quantity != BRUME_FLOW_NONE,
            "Bodies have their own color.")
IDLE_UNLESS(of_flow, BrumeRenderSettings,
            settings->surface_colors.quantity != BRUME_FLOW_NONE || settings->rake_count > 0,
            "No colors show the flow.")
IDLE_UNLESS(of_plain_rake, BrumeRake, settings->colors.quantity == BRUME_FLOW_NONE, "The colors show a quantity.")
IDLE_UNLESS(of_colored_rake, BrumeRake, settings->colors.quantity != BRUME_FLOW_NONE, "The colors show no quantity.")
IDLE_UNLESS(of_pattern, BrumeRenderSettings, has_pattern(settings), "The ground has no pattern of two albedos.")
IDLE_UNLESS(of_walls, BrumeRenderSettings, brume_visible_walls(settings) != 0, "No walls are drawn.")
IDLE_UNLESS(of_open_faces, BrumeRenderSettings, settings->fading_faces != 0, "The box has no open faces.")
IDLE_UNLESS(of_one_lobe, BrumeRenderSettings, settings->phase.kind == BRUME_PHASE_HENYEY_GREENSTEIN,
            "Only the phase function `henyey_greenstein` has it.")
IDLE_UNLESS(of_two_lobes, BrumeRenderSettings, settings->phase.kind == BRUME_PHASE_TWO_LOBES,
            "Only the phase function `two_lobes` has it.")
IDLE_UNLESS(of_droplets, BrumeRenderSettings, settings->phase.kind == BRUME_PHASE_DROPLETS,
            "Only the phase function `droplets` has it.")
IDLE_UNLESS(of_glow, BrumeRenderSettings, settings->emission.intensity > 0.0f, "The smoke does not glow.")
IDLE_UNLESS(of_detail, BrumeRenderSettings, settings->detail.factor > 1, "There is no detail below the size of cells.")
IDLE_UNLESS(of_noise, BrumeEmitterDef, settings->noise > 0.0f, "The emitter has no noise.")
IDLE_UNLESS(of_edge, BrumeEmitterDef,
            settings->shape.kind != BRUME_SHAPE_VOLUME && settings->from == BRUME_EMIT_VOLUME &&
                (settings->force.kind != BRUME_FORCE_ATTRACTION || brume_emitter_has_scalars(settings)),
            "A volume has its edge in its values, a shell none, and an attraction its range.")
IDLE_UNLESS(of_scalars, BrumeEmitterDef, brume_emitter_has_scalars(settings), "The emitter has neither smoke nor heat.")
IDLE_UNLESS(of_shell, BrumeEmitterDef, settings->from != BRUME_EMIT_VOLUME, "It emits from all of its shape.")

#define ROW_IF(idle, kind, setting)                                                                                    \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &(setting), NULL, idle                                                                 \
    }
#define ROW(kind, setting) ROW_IF(NULL, kind, setting)

#define SIM_IF(idle, kind, id) ROW_IF(idle, kind, brume_sim_setting_table[BRUME_SIM_##id])
#define SIM(kind, id) SIM_IF(NULL, kind, id)
static const BrumeParameter time_parameters[] = {
    SIM(PERIOD, FPS),
};

static const BrumeParameter air_parameters[] = {
    SIM_IF(of_forces, FACTOR, THERMAL_EXPANSION),
    SIM_IF(of_forces, FLOAT, VORTICITY_CONFINEMENT),
    SIM_IF(of_forces, FLOAT, VISCOSITY),
    SIM(FLOAT, THERMAL_DIFFUSIVITY),
    SIM(FLOAT, COOLING),
    SIM(VECTOR, WIND),
    SIM_IF(of_forces, FLOAT, DRAG),
    SIM_IF(of_forces, FLOAT, QUADRATIC_DRAG),
    SIM_IF(of_forces, FLOAT, DRY_FRICTION),
    SIM_IF(of_forces, VECTOR, GRAVITY),
};

static const BrumeParameter fire_parameters[] = {
    SIM_IF(of_fire, CHOICE, FIRE_MODEL),     SIM_IF(of_fire, FLOAT, FIRE_HEAT),
    SIM_IF(of_fire, FLOAT, FIRE_AIR),        SIM_IF(of_fire, FLOAT, FIRE_RADIATED),
    SIM_IF(of_fire, FLOAT, FIRE_ABSORPTION), SIM_IF(of_fire, FLOAT, FIRE_HEAT_CAPACITY),
    SIM_IF(of_fire, FLOAT, FIRE_SOOT),       SIM_IF(of_ignition, FLOAT, FIRE_IGNITION),
    SIM_IF(of_ignition, FLOAT, FIRE_RATE),
};

static const BrumeParameter vapor_parameters[] = {
    SIM_IF(of_vapor, FLOAT, VAPOR_TEMPERATURE),
    SIM_IF(of_vapor, FACTOR, VAPOR_PRESSURE),
    SIM_IF(of_vapor, FLOAT, VAPOR_AMBIENT),
};

static const BrumeParameter solver_parameters[] = {
    SIM(FLOAT, TEXTURE_PERIOD),
};

static const BrumeParameter solver_details[] = {
    SIM(NAME, INTEGRATOR),
    SIM_IF(of_scheme, NAME, ADVECTION),
    SIM_IF(of_transport, NAME, TRANSPORT),
    SIM(CHOICE, STORAGE),
    SIM(CHOICE, TRACE_ORDER),
    SIM_IF(of_scheme, NAME, PRESSURE),
    SIM_IF(of_scheme, FLOAT, TOLERANCE),
    SIM_IF(of_scheme, INT, MAX_ITERATIONS),
    SIM_IF(of_relaxation, FLOAT, OVER_RELAXATION),
    SIM(FLOAT, CFL),
    SIM(INT, MIN_STEPS),
    SIM(INT, MAX_STEPS),
    SIM_IF(of_collocated, INT, FRACTION_BITS),
    SIM_IF(of_practical, CHOICE, ACCOUNTING),
    SIM_IF(of_practical, FLOAT, WAVE_SPEED),
};

#define SMOKE(kind, id) ROW(kind, brume_smoke_setting_table[BRUME_SMOKE_##id])
static const BrumeParameter smoke_parameters[] = {
    SMOKE(FLOAT, WEIGHT),
    SMOKE(FLOAT, DISSIPATION),
    SMOKE(FLOAT, DIFFUSIVITY),
};

static const BrumeParameter medium_parameters[] = {
    ROW(FLOAT, brume_medium_setting_table[BRUME_MEDIUM_EXTINCTION]),
    ROW(COLOR, brume_medium_setting_table[BRUME_MEDIUM_ALBEDO]),
};

#define PARTICLE(kind, id) ROW(kind, brume_particle_setting_table[BRUME_PARTICLE_##id])
static const BrumeParameter particle_parameters[] = {
    PARTICLE(CHOICE, SHAPE),    PARTICLE(FLOAT, DIAMETER), PARTICLE(FLOAT, SPREAD),
    PARTICLE(FLOAT, THICKNESS), PARTICLE(FLOAT, DENSITY),  PARTICLE(FLOAT, LIFE),
    PARTICLE(FLOAT, BOUNCE),    PARTICLE(FLOAT, FRICTION), PARTICLE(SWITCH, REACTS),
};

#define PARTICLE_LOOK(kind, id) ROW(kind, brume_particle_look_setting_table[BRUME_PARTICLE_LOOK_##id])
static const BrumeParameter particle_look_parameters[] = {
    PARTICLE_LOOK(COLOR, ALBEDO),       PARTICLE_LOOK(FLOAT, VARIATION), PARTICLE_LOOK(CHOICE, OUTLINE),
    PARTICLE_LOOK(FLOAT, TRANSLUCENCY), PARTICLE_LOOK(FLOAT, GLOW),      PARTICLE_LOOK(FLOAT, COOLING),
    PARTICLE_LOOK(FLOAT, INTENSITY),
};

#define EMITTER_IF(idle, kind, id) ROW_IF(idle, kind, brume_emitter_setting_table[BRUME_EMITTER_##id])
#define SOURCE(kind, value, rate)                                                                                      \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_emitter_setting_table[value], &brume_emitter_setting_table[rate], NULL          \
    }
static const BrumeParameter emitter_parameters[] = {
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY, BRUME_EMITTER_DENSITY_RATE),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 1, BRUME_EMITTER_DENSITY_RATE + 1),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 2, BRUME_EMITTER_DENSITY_RATE + 2),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 3, BRUME_EMITTER_DENSITY_RATE + 3),
    SOURCE(SOURCE, BRUME_EMITTER_TEMPERATURE, BRUME_EMITTER_TEMPERATURE_RATE),
    SOURCE(SOURCE, BRUME_EMITTER_FUEL, BRUME_EMITTER_FUEL_RATE),
    SOURCE(SOURCE, BRUME_EMITTER_POWER, BRUME_EMITTER_POWER),
    SOURCE(VECTOR_SOURCE, BRUME_EMITTER_VELOCITY, BRUME_EMITTER_ACCELERATION),
    EMITTER_IF(NULL, FLOAT, DUST),
    EMITTER_IF(NULL, FLOAT, EMBERS),
    EMITTER_IF(NULL, FLOAT, LEAVES),
    EMITTER_IF(NULL, FLOAT, FLAKES),
    EMITTER_IF(of_edge, FLOAT, SOFTNESS),
    EMITTER_IF(of_shell, FLOAT, THICKNESS),
    EMITTER_IF(of_scalars, FLOAT, NOISE),
    EMITTER_IF(of_noise, FLOAT, NOISE_SCALE),
    EMITTER_IF(of_noise, FLOAT, NOISE_SPEED),
    EMITTER_IF(NULL, VECTOR, FORCE_VELOCITY),
    EMITTER_IF(NULL, VECTOR, FORCE_SPIN),
    EMITTER_IF(NULL, FLOAT, FORCE_RATE),
    EMITTER_IF(NULL, FLOAT, FORCE_STRENGTH),
    EMITTER_IF(NULL, FLOAT, FORCE_SCALE),
    EMITTER_IF(NULL, FLOAT, FORCE_SPEED),
    EMITTER_IF(NULL, FLOAT, FORCE_RANGE),
    EMITTER_IF(NULL, FLOAT, FORCE_DENSITY),
};

#define LIGHT(kind, id) ROW(kind, brume_light_setting_table[BRUME_LIGHT_##id])
static const BrumeParameter light_parameters[] = {
    LIGHT(FLOAT, INTENSITY),
    LIGHT(COLOR, COLOR),
    LIGHT(FLOAT, TEMPERATURE),
};
static const BrumeParameter sun_parameters[] = {LIGHT(FLOAT, ANGLE)};
static const BrumeParameter point_light_parameters[] = {LIGHT(VECTOR, POSITION)};
static const BrumeParameter spot_parameters[] = {LIGHT(VECTOR, DIRECTION), LIGHT(FLOAT, ANGLE), LIGHT(FLOAT, BLEND)};
static const BrumeParameter rectangle_parameters[] = {
    LIGHT(VECTOR, DIRECTION),
    LIGHT(FLOAT, WIDTH),
    LIGHT(FLOAT, HEIGHT),
};

#define RENDER_IF(idle, kind, id) ROW_IF(idle, kind, brume_render_setting_table[BRUME_RENDER_##id])
#define RENDER(kind, id) RENDER_IF(NULL, kind, id)
static const BrumeParameter render_parameters[] = {
    RENDER(FLOAT, EXPOSURE),
    RENDER(CHOICE, TONE),
    RENDER_IF(of_one_lobe, FLOAT, ANISOTROPY),
    RENDER(FLOAT, STEP),
    RENDER_IF(of_open_faces, FLOAT, EDGE_FADE),
    RENDER(SWITCH, GROUND),
    RENDER_IF(of_ground, COLOR, GROUND_ALBEDO),
    RENDER_IF(of_ground, CHOICE, GROUND_PATTERN),
    RENDER_IF(of_pattern, COLOR, GROUND_ALBEDO_2),
    RENDER_IF(of_pattern, FLOAT, GROUND_SCALE),
    RENDER(CHOICE, WALLS),
    RENDER_IF(of_walls, COLOR, WALL_ALBEDO),
    RENDER(CHOICE, SKY_KIND),
    RENDER_IF(of_gradient, COLOR, SKY_ZENITH),
    RENDER_IF(of_gradient, COLOR, SKY_HORIZON),
    RENDER_IF(of_constant, COLOR, SKY_RADIANCE),
    RENDER_IF(of_daylight, FLOAT, SKY_TURBIDITY),
    RENDER_IF(of_image, FLOAT, SKY_ROTATION),
    RENDER_IF(of_intensity, FLOAT, SKY_INTENSITY),
};
static const BrumeParameter medium_sampling_parameters[] = {RENDER(CHOICE, INTERPOLATION)};
static const BrumeParameter phase_parameters[] = {RENDER(CHOICE, PHASE)};
static const BrumeParameter lobes_parameters[] = {
    RENDER_IF(of_two_lobes, FLOAT, LOBES_FORWARD),
    RENDER_IF(of_two_lobes, FLOAT, LOBES_BACKWARD),
    RENDER_IF(of_two_lobes, FLOAT, LOBES_SHARE),
};
static const BrumeParameter droplets_parameters[] = {RENDER_IF(of_droplets, FLOAT, DROPLET_DIAMETER)};
static const BrumeParameter emission_parameters[] = {
    RENDER(FLOAT, EMISSION_INTENSITY),
    RENDER_IF(of_glow, FLOAT, EMISSION_AMBIENT),
    RENDER_IF(of_glow, FLOAT, EMISSION_SCALE),
};
static const BrumeParameter detail_parameters[] = {
    RENDER(CHOICE, DETAIL_FACTOR),
    RENDER_IF(of_detail, FLOAT, DETAIL_STRENGTH),
    RENDER_IF(of_detail, FLOAT, DETAIL_SCALE),
};

static const BrumeParameter flow_parameters[] = {
    RENDER(CHOICE, SURFACE_QUANTITY),
    RENDER_IF(of_surface_colors, CHOICE, SURFACE_MAP),
    RENDER_IF(of_surface_colors, FLOAT, SURFACE_LOWER),
    RENDER_IF(of_surface_colors, FLOAT, SURFACE_UPPER),
    RENDER_IF(of_flow, FLOAT, REFERENCE_SPEED),
};

#define RAKE_IF(idle, kind, id) ROW_IF(idle, kind, brume_rake_setting_table[BRUME_RAKE_##id])
#define RAKE(kind, id) RAKE_IF(NULL, kind, id)
static const BrumeParameter rake_parameters[] = {
    RAKE(VECTOR, FROM),
    RAKE(VECTOR, TO),
    RAKE(INT, COUNT),
    RAKE(FLOAT, LENGTH),
    RAKE(FLOAT, RADIUS),
    RAKE(CHOICE, QUANTITY),
    RAKE_IF(of_plain_rake, COLOR, COLOR),
    RAKE_IF(of_colored_rake, CHOICE, MAP),
    RAKE_IF(of_colored_rake, FLOAT, LOWER),
    RAKE_IF(of_colored_rake, FLOAT, UPPER),
};

#define CAMERA(kind, id) ROW(kind, brume_camera_setting_table[BRUME_CAMERA_##id])
static const BrumeParameter perspective_parameters[] = {CAMERA(FLOAT, FIELD_OF_VIEW)};
static const BrumeParameter orthographic_parameters[] = {CAMERA(FLOAT, HEIGHT)};
static const BrumeParameter lens_parameters[] = {CAMERA(FLOAT, LENS_RADIUS)};
static const BrumeParameter focus_parameters[] = {CAMERA(FLOAT, FOCUS)};

// the brush is not part of a scene
// clang-format off
static const BrumeSetting brush_settings[] = {
    {
        .path = "brush.radius", .label = "radius", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, radius),
        .unit = "m", .min = 1e-6, .max = 1e6, .slider = {0.005, 10, true}, .defaults = {0.05},
        .doc = "Radius of the brush; also + and -, or Shift + wheel.",
    }, {
        .path = "brush.density", .label = "density", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeBrush, density), .unit = "1", .min = 0, .max = 1000, .slider = {0, 5, false},
        .defaults = {1},
        .doc = "Brush smoke: least density of the smoke in the middle of a stroke.",
    }, {
        .path = "brush.heat", .label = "smoke heat", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, heat),
        .unit = "K", .min = 0, .max = 10000, .slider = {0, 500, false}, .defaults = {40},
        .doc = "Brush smoke: least temperature above ambient of the smoke; 0 adds none.",
    }, {
        .path = "brush.temperature", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeBrush, temperature), .unit = "K", .min = -250, .max = 10000,
        .slider = {-200, 500, false}, .defaults = {60},
        .doc = "Brushes heat and fuel: temperature above ambient to which the air is heated; below 0 it is cooled.",
    }, {
        .path = "brush.fuel", .label = "fuel", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, fuel),
        .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false}, .defaults = {0.2},
        .doc = "Brush fuel: least mass of fuel, as a part of that of ambient air, in the middle of a stroke.",
    }, {
        .path = "brush.particles", .label = "births", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeBrush, births), .unit = "1/s", .min = 0, .max = 1e6, .slider = {1, 100000, true},
        .defaults = {500},
        .doc = "Brush particles: how many are born per second.",
    }, {
        .path = "brush.suck", .label = "suck speed", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, suck),
        .unit = "m/s", .min = -1e5, .max = 1e5, .slider = {-5, 5, false}, .defaults = {0.5},
        .doc = "Brush suck: largest speed towards the axis from the camera through the pointer, along which the air leaves; "
               "below 0 the air is blown away from it.",
    }, {
        .path = "brush.twist", .label = "twist speed", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, twist),
        .unit = "rad/s", .min = -1e5, .max = 1e5, .slider = {-60, 60, false}, .defaults = {10},
        .doc = "Brush twist: angular velocity about the axis from the camera through the pointer; above 0 "
               "counterclockwise.",
    }, {
        .path = "brush.push", .label = "rate", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, push),
        .unit = "1/s", .min = 0, .max = 1e6, .slider = {0.1, 100, true}, .defaults = {10},
        .doc = "Brushes push, suck and twist, and Ctrl: rate at which the velocity of the air relaxes to that of the brush.",
    }, {
        .path = "brush.erase", .label = "erase to", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, erase),
        .unit = "1", .min = 1e-6, .max = 1000, .slider = {0.001, 5, true}, .defaults = {0.1},
        .doc = "Brush erase: density that is left at most at half its strength; in its middle none is left.",
    },
};
// clang-format on
#define BRUSH(id) ROW(FLOAT, brush_settings[id])
static const BrumeParameter brush_parameters[] = {
    [BRUME_BRUSH_RADIUS] = BRUSH(0),      [BRUME_BRUSH_DENSITY] = BRUSH(1),     [BRUME_BRUSH_HEAT_OF_SMOKE] = BRUSH(2),
    [BRUME_BRUSH_TEMPERATURE] = BRUSH(3), [BRUME_BRUSH_FUEL_PART] = BRUSH(4),   [BRUME_BRUSH_BIRTHS] = BRUSH(5),
    [BRUME_BRUSH_SUCK_SPEED] = BRUSH(6),  [BRUME_BRUSH_TWIST_SPEED] = BRUSH(7), [BRUME_BRUSH_RATE] = BRUSH(8),
    [BRUME_BRUSH_ERASE_TO] = BRUSH(9),
};

#define TABLE(title, parameters)                                                                                       \
    {                                                                                                                  \
        title, (int)(sizeof(parameters) / sizeof(parameters)[0]), parameters                                           \
    }
const BrumeParameterTable brume_parameters[BRUME_PARAMETERS_COUNT] = {
    [BRUME_PARAMETERS_TIME] = TABLE("Time", time_parameters),
    [BRUME_PARAMETERS_BRUSH] = TABLE("Brush", brush_parameters),
    [BRUME_PARAMETERS_AIR] = TABLE("Air", air_parameters),
    [BRUME_PARAMETERS_FIRE] = TABLE("Fire", fire_parameters),
    [BRUME_PARAMETERS_VAPOR] = TABLE("Vapor", vapor_parameters),
    [BRUME_PARAMETERS_SMOKE] = TABLE("Smoke: flow", smoke_parameters),
    [BRUME_PARAMETERS_MEDIUM] = TABLE("Smoke: medium", medium_parameters),
    [BRUME_PARAMETERS_PARTICLE] = TABLE("Particles: flow", particle_parameters),
    [BRUME_PARAMETERS_PARTICLE_LOOK] = TABLE("Particles: look", particle_look_parameters),
    [BRUME_PARAMETERS_EMITTER] = TABLE("Emitters", emitter_parameters),
    [BRUME_PARAMETERS_SOLVER] = TABLE("Solver", solver_parameters),
    [BRUME_PARAMETERS_SOLVER_DETAILS] = TABLE("Solver details", solver_details),
    [BRUME_PARAMETERS_LIGHT] = TABLE("Lights", light_parameters),
    [BRUME_PARAMETERS_SUN] = TABLE("Suns", sun_parameters),
    [BRUME_PARAMETERS_POINT_LIGHT] = TABLE("Point lights", point_light_parameters),
    [BRUME_PARAMETERS_SPOT] = TABLE("Spots", spot_parameters),
    [BRUME_PARAMETERS_RECTANGLE] = TABLE("Rectangles", rectangle_parameters),
    [BRUME_PARAMETERS_RENDER] = TABLE("Picture", render_parameters),
    [BRUME_PARAMETERS_MEDIUM_SAMPLING] = TABLE("Sampling", medium_sampling_parameters),
    [BRUME_PARAMETERS_PHASE] = TABLE("Phase function", phase_parameters),
    [BRUME_PARAMETERS_LOBES] = TABLE("Phase: two lobes", lobes_parameters),
    [BRUME_PARAMETERS_DROPLETS] = TABLE("Phase: droplets", droplets_parameters),
    [BRUME_PARAMETERS_EMISSION] = TABLE("Glow", emission_parameters),
    [BRUME_PARAMETERS_FLOW] = TABLE("View", flow_parameters),
    [BRUME_PARAMETERS_RAKE] = TABLE("Streamlines", rake_parameters),
    [BRUME_PARAMETERS_PERSPECTIVE] = TABLE("Camera: perspective", perspective_parameters),
    [BRUME_PARAMETERS_ORTHOGRAPHIC] = TABLE("Camera: orthographic", orthographic_parameters),
    [BRUME_PARAMETERS_LENS] = TABLE("Camera: lens", lens_parameters),
    [BRUME_PARAMETERS_FOCUS] = TABLE("Camera: focus", focus_parameters),
    [BRUME_PARAMETERS_DETAIL] = TABLE("Detail", detail_parameters),
};

size_t brume_parameter_offset(const BrumeParameter *parameter)
{
    const size_t offset = parameter->setting->offset;
    return parameter->kind == BRUME_PARAMETER_SOURCE          ? offset - offsetof(BrumeSource, value)
           : parameter->kind == BRUME_PARAMETER_VECTOR_SOURCE ? offset - offsetof(BrumeVectorSource, value)
                                                              : offset;
}

static size_t member_size(const BrumeParameter *parameter)
{
    return parameter->kind == BRUME_PARAMETER_SOURCE          ? sizeof(BrumeSource)
           : parameter->kind == BRUME_PARAMETER_VECTOR_SOURCE ? sizeof(BrumeVectorSource)
                                                              : brume_setting_size(parameter->setting);
}

const BrumeSetting *brume_parameter_setting(const BrumeParameter *parameter, const void *values)
{
    if (!parameter->rate) {
        return parameter->setting;
    }
    BrumeSourceMode mode; // the first member of both kinds of sources
    memcpy(&mode, (const char *)values + brume_parameter_offset(parameter), sizeof mode);
    return mode == BRUME_SOURCE_RATE ? parameter->rate : parameter->setting;
}

const char *brume_parameter_idle(const BrumeParameter *parameter, const void *values)
{
    return parameter->idle ? parameter->idle(values) : NULL;
}

bool brume_parameter_is_used(const BrumeParameter *parameter, const void *values)
{
    return parameter->idle || brume_setting_is_used(parameter->setting, values);
}

float brume_parameter_shown(const BrumeParameter *parameter, const BrumeSetting *setting, float value)
{
    return parameter->kind == BRUME_PARAMETER_PERIOD   ? 1000.0f / value
           : parameter->kind == BRUME_PARAMETER_FACTOR ? (float)((double)value / setting->physical)
                                                       : value;
}

float brume_parameter_stored(const BrumeParameter *parameter, const BrumeSetting *setting, float shown)
{
    return parameter->kind == BRUME_PARAMETER_PERIOD   ? 1000.0f / shown
           : parameter->kind == BRUME_PARAMETER_FACTOR ? (float)((double)shown * setting->physical)
                                                       : shown;
}

BrumeSliderRange brume_parameter_range(const BrumeParameter *parameter, const BrumeSetting *setting)
{
    const BrumeSliderRange range = setting->slider;
    if (parameter->kind == BRUME_PARAMETER_PERIOD) {
        return (BrumeSliderRange){1000.0 / range.max, 1000.0 / range.min, range.logarithmic};
    }
    const double unit = parameter->kind == BRUME_PARAMETER_FACTOR ? setting->physical : 1.0;
    return (BrumeSliderRange){range.min / unit, range.max / unit, range.logarithmic};
}

void brume_parameter_unit(const BrumeParameter *parameter, const BrumeSetting *setting, char unit[BRUME_PARAMETER_TEXT])
{
    static const char *const symbols[][2] = {{"^2", "²"}, {"degrees", "°"}};
    const char *from = setting->unit && strcmp(setting->unit, "1") != 0 ? setting->unit : "";
    from = parameter->kind == BRUME_PARAMETER_PERIOD   ? "ms"
           : parameter->kind == BRUME_PARAMETER_FACTOR ? "× physical"
                                                       : from;
    size_t size = 0;
    while (*from && size + 4 < BRUME_PARAMETER_TEXT) {
        const char *symbol = NULL;
        for (size_t n = 0; n < sizeof symbols / sizeof symbols[0] && !symbol; n++) {
            const size_t length = strlen(symbols[n][0]);
            if (strncmp(from, symbols[n][0], length) == 0) {
                symbol = symbols[n][1];
                from += length;
            }
        }
        const size_t length = symbol ? strlen(symbol) : 1;
        memcpy(unit + size, symbol ? symbol : from, length);
        size += length;
        from += symbol ? 0 : 1;
    }
    unit[size] = '\0';
}

void brume_unit_of_number(const char *unit, double number, char text[BRUME_PARAMETER_TEXT])
{
    const size_t length = strlen(unit);
    const bool is_plural = length > 2 && unit[length - 1] == 's' && !strchr(unit, '/');
    const bool is_one = fabs(fabs(number) - 1.0) < 1e-6;
    (void)snprintf(text, BRUME_PARAMETER_TEXT, "%.*s", (int)(is_plural && is_one ? length - 1 : length), unit);
}

void brume_choice_label(const char *choice, char text[BRUME_PARAMETER_TEXT])
{
    static const char *const labels[][2] = {
        {"henyey_greenstein", "Henyey-Greenstein"},
        {"maccormack", "MacCormack"},
        {"ppm", "PPM"},
        {"dct", "DCT"},
        {"fft", "FFT"},
        {"cg", "CG"},
        {"mgpcg", "MGPCG"},
    };
    (void)snprintf(text, BRUME_PARAMETER_TEXT, "%s", choice);
    for (char *at = text; *at; at++) {
        *at = (char)(*at == '_' ? ' ' : *at);
    }
    for (size_t n = 0; n < sizeof labels / sizeof labels[0]; n++) {
        if (strcmp(choice, labels[n][0]) == 0) {
            (void)snprintf(text, BRUME_PARAMETER_TEXT, "%s", labels[n][1]);
        }
    }
}

bool brume_parameter_choice(const BrumeParameter *parameter, int n, char text[BRUME_PARAMETER_TEXT])
{
    const BrumeSetting *const setting = parameter->setting;
    if (setting->type == BRUME_VALUE_INT) {
        (void)snprintf(text, BRUME_PARAMETER_TEXT, "%d", (int)setting->min + n);
        return (int)setting->min + n <= (int)setting->max;
    }
    const char *const word = brume_setting_word(setting, n);
    (void)snprintf(text, BRUME_PARAMETER_TEXT, "%s", word ? word : "");
    return word != NULL;
}

int brume_parameter_chosen(const BrumeParameter *parameter, const void *values)
{
    char value[BRUME_PARAMETER_TEXT];
    char choice[BRUME_PARAMETER_TEXT];
    brume_setting_value(parameter->setting, (const char *)values + parameter->setting->offset, value, sizeof value);
    for (int n = 0; brume_parameter_choice(parameter, n, choice); n++) {
        if (strcmp(choice, value) == 0) {
            return n;
        }
    }
    return -1;
}

void brume_parameter_choose(const BrumeParameter *parameter, void *values, int n)
{
    const BrumeSetting *const setting = parameter->setting;
    char *const member = (char *)values + setting->offset;
    if (setting->type == BRUME_VALUE_NAME) {
        const char *const name = brume_setting_word(setting, n);
        memcpy(member, &name, sizeof name);
    } else {
        const int value = n + (setting->type == BRUME_VALUE_INT ? (int)setting->min : 0);
        memcpy(member, &value, sizeof value);
    }
}

bool brume_parameter_is_equal(const BrumeParameter *parameter, const void *a, const void *b)
{
    const size_t offset = brume_parameter_offset(parameter);
    return parameter->rate ? memcmp((const char *)a + offset, (const char *)b + offset, member_size(parameter)) == 0
                           : brume_setting_equal(parameter->setting, a, b);
}

void brume_parameter_copy(const BrumeParameter *parameter, void *to, const void *from)
{
    const size_t offset = brume_parameter_offset(parameter);
    memcpy((char *)to + offset, (const char *)from + offset, member_size(parameter));
}
