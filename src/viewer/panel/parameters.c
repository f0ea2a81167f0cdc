#include "viewer/panel/parameters.h"

#include "raymarch/settings.h"
#include "sim/settings/settings.h"
#include "viewer/controls/controls.h"

#include <stdio.h>
#include <string.h>

#define SIM(kind, id)                                                                                                  \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_sim_setting_table[BRUME_SIM_##id], NULL                                         \
    }
static const BrumeParameter time_parameters[] = {
    SIM(PERIOD, FPS),
    SIM(INT, MIN_STEPS),
    SIM(INT, MAX_STEPS),
    SIM(FLOAT, CFL),
};

static const BrumeParameter air_parameters[] = {
    SIM(FLOAT, THERMAL_EXPANSION),
    SIM(FLOAT, VORTICITY_CONFINEMENT),
    SIM(FLOAT, VISCOSITY),
    SIM(FLOAT, THERMAL_DIFFUSIVITY),
    SIM(FLOAT, COOLING),
    SIM(VECTOR, WIND),
    SIM(FLOAT, DRAG),
    SIM(VECTOR, GRAVITY),
};

static const BrumeParameter solver_parameters[] = {
    SIM(NAME, INTEGRATOR),    SIM(NAME, ADVECTION),        SIM(NAME, TRANSPORT),
    SIM(CHOICE, TRACE_ORDER), SIM(NAME, PRESSURE),         SIM(FLOAT, TOLERANCE),
    SIM(INT, MAX_ITERATIONS), SIM(FLOAT, OVER_RELAXATION), SIM(FLOAT, TEXTURE_PERIOD),
};

#define SMOKE(kind, id)                                                                                                \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_smoke_setting_table[BRUME_SMOKE_##id], NULL                                     \
    }
static const BrumeParameter smoke_parameters[] = {
    SMOKE(FLOAT, WEIGHT),
    SMOKE(FLOAT, DISSIPATION),
    SMOKE(FLOAT, DIFFUSIVITY),
};

static const BrumeParameter medium_parameters[] = {
    {BRUME_PARAMETER_FLOAT, &brume_medium_setting_table[BRUME_MEDIUM_EXTINCTION], NULL},
    {BRUME_PARAMETER_COLOR, &brume_medium_setting_table[BRUME_MEDIUM_ALBEDO], NULL},
};

#define SOURCE(kind, value, rate)                                                                                      \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_emitter_setting_table[value], &brume_emitter_setting_table[rate]                \
    }
static const BrumeParameter emitter_parameters[] = {
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY, BRUME_EMITTER_DENSITY_RATE),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 1, BRUME_EMITTER_DENSITY_RATE + 1),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 2, BRUME_EMITTER_DENSITY_RATE + 2),
    SOURCE(SOURCE, BRUME_EMITTER_DENSITY + 3, BRUME_EMITTER_DENSITY_RATE + 3),
    SOURCE(SOURCE, BRUME_EMITTER_TEMPERATURE, BRUME_EMITTER_TEMPERATURE_RATE),
    SOURCE(VECTOR_SOURCE, BRUME_EMITTER_VELOCITY, BRUME_EMITTER_ACCELERATION),
    {BRUME_PARAMETER_FLOAT, &brume_emitter_setting_table[BRUME_EMITTER_SOFTNESS], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_emitter_setting_table[BRUME_EMITTER_NOISE], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_emitter_setting_table[BRUME_EMITTER_NOISE_SCALE], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_emitter_setting_table[BRUME_EMITTER_NOISE_SPEED], NULL},
};

static const BrumeParameter light_parameters[] = {
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_INTENSITY], NULL},
    {BRUME_PARAMETER_COLOR, &brume_light_setting_table[BRUME_LIGHT_COLOR], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_TEMPERATURE], NULL},
};

static const BrumeParameter sun_parameters[] = {
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_ANGLE], NULL},
};

static const BrumeParameter point_light_parameters[] = {
    {BRUME_PARAMETER_VECTOR, &brume_light_setting_table[BRUME_LIGHT_POSITION], NULL},
};

static const BrumeParameter spot_parameters[] = {
    {BRUME_PARAMETER_VECTOR, &brume_light_setting_table[BRUME_LIGHT_DIRECTION], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_ANGLE], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_BLEND], NULL},
};

static const BrumeParameter rectangle_parameters[] = {
    {BRUME_PARAMETER_VECTOR, &brume_light_setting_table[BRUME_LIGHT_DIRECTION], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_WIDTH], NULL},
    {BRUME_PARAMETER_FLOAT, &brume_light_setting_table[BRUME_LIGHT_HEIGHT], NULL},
};

#define RENDER(kind, id)                                                                                               \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_render_setting_table[BRUME_RENDER_##id], NULL                                   \
    }
static const BrumeParameter render_parameters[] = {
    RENDER(FLOAT, EXPOSURE),        RENDER(CHOICE, TONE),
    RENDER(FLOAT, ANISOTROPY),      RENDER(FLOAT, STEP),
    RENDER(FLOAT, EDGE_FADE),       RENDER(COLOR, SKY_ZENITH),
    RENDER(COLOR, SKY_HORIZON),     RENDER(SWITCH, GROUND),
    RENDER(COLOR, GROUND_ALBEDO),   RENDER(CHOICE, GROUND_PATTERN),
    RENDER(COLOR, GROUND_ALBEDO_2), RENDER(FLOAT, GROUND_SCALE),
    RENDER(CHOICE, WALLS),          RENDER(COLOR, WALL_ALBEDO),
    RENDER(CHOICE, SKY_KIND),       RENDER(COLOR, SKY_RADIANCE),
    RENDER(FLOAT, SKY_TURBIDITY),   RENDER(FLOAT, SKY_ROTATION),
    RENDER(FLOAT, SKY_INTENSITY),
};
static const BrumeParameter medium_sampling_parameters[] = {RENDER(CHOICE, INTERPOLATION)};
static const BrumeParameter phase_parameters[] = {RENDER(CHOICE, PHASE)};
static const BrumeParameter lobes_parameters[] = {
    RENDER(FLOAT, LOBES_FORWARD),
    RENDER(FLOAT, LOBES_BACKWARD),
    RENDER(FLOAT, LOBES_SHARE),
};
static const BrumeParameter droplets_parameters[] = {RENDER(FLOAT, DROPLET_DIAMETER)};
static const BrumeParameter emission_parameters[] = {
    RENDER(FLOAT, EMISSION_INTENSITY),
    RENDER(FLOAT, EMISSION_AMBIENT),
    RENDER(FLOAT, EMISSION_SCALE),
};

#define CAMERA(kind, id)                                                                                               \
    {                                                                                                                  \
        BRUME_PARAMETER_##kind, &brume_camera_setting_table[BRUME_CAMERA_##id], NULL                                   \
    }
static const BrumeParameter perspective_parameters[] = {CAMERA(FLOAT, FIELD_OF_VIEW)};
static const BrumeParameter orthographic_parameters[] = {CAMERA(FLOAT, HEIGHT)};
static const BrumeParameter lens_parameters[] = {CAMERA(FLOAT, LENS_RADIUS)};
static const BrumeParameter focus_parameters[] = {CAMERA(FLOAT, FOCUS)};
static const BrumeParameter detail_parameters[] = {
    RENDER(CHOICE, DETAIL_FACTOR),
    RENDER(FLOAT, DETAIL_STRENGTH),
    RENDER(FLOAT, DETAIL_SCALE),
};

// the brush belongs to the viewer: no scene sets it
// clang-format off
static const BrumeSetting brush_settings[] = {
    {
        .path = "brush.radius", .label = "radius", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, radius),
        .unit = "m", .min = 1e-6, .max = 1e6, .slider = {0.005, 10, true}, .standard = {0.05},
        .doc = "Radius of the brush; also + and -, or Shift + wheel.",
    }, {
        .path = "brush.density", .label = "density", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeBrush, density), .unit = "1", .min = 0, .max = 1000, .slider = {0, 5, false},
        .standard = {1},
        .doc = "Brush smoke: least density of the smoke in the middle of a stroke.",
    }, {
        .path = "brush.heat", .label = "smoke heat", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, heat),
        .unit = "K", .min = 0, .max = 10000, .slider = {0, 500, false}, .standard = {40},
        .doc = "Brush smoke: least temperature above ambient of the smoke; 0 adds none.",
    }, {
        .path = "brush.temperature", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeBrush, temperature), .unit = "K", .min = -250, .max = 10000,
        .slider = {-200, 500, false}, .standard = {60},
        .doc = "Brush heat: temperature above ambient to which the air is heated; below 0 it is cooled.",
    }, {
        .path = "brush.suck", .label = "suck speed", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, suck),
        .unit = "m/s", .min = -1e5, .max = 1e5, .slider = {-5, 5, false}, .standard = {0.5},
        .doc = "Brush suck: largest speed towards the axis from the camera through the pointer, along which the air leaves; "
               "below 0 the air is blown away from it.",
    }, {
        .path = "brush.twist", .label = "twist speed", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, twist),
        .unit = "rad/s", .min = -1e5, .max = 1e5, .slider = {-60, 60, false}, .standard = {10},
        .doc = "Brush twist: angular velocity about the axis from the camera through the pointer; above 0 "
               "counterclockwise.",
    }, {
        .path = "brush.push", .label = "rate", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, push),
        .unit = "1/s", .min = 0, .max = 1e6, .slider = {0.1, 100, true}, .standard = {10},
        .doc = "Brushes push, suck and twist, and Ctrl: rate at which the velocity of the air relaxes to that of the brush.",
    }, {
        .path = "brush.erase", .label = "erase to", .type = BRUME_VALUE_FLOAT, .offset = offsetof(BrumeBrush, erase),
        .unit = "1", .min = 1e-6, .max = 1000, .slider = {0.001, 5, true}, .standard = {0.1},
        .doc = "Brush erase: density that is left at most at half its strength; in its middle none is left.",
    },
};
// clang-format on
#define BRUSH(id)                                                                                                      \
    {                                                                                                                  \
        BRUME_PARAMETER_FLOAT, &brush_settings[id], NULL                                                               \
    }
static const BrumeParameter brush_parameters[] = {
    [BRUME_BRUSH_RADIUS] = BRUSH(0),      [BRUME_BRUSH_DENSITY] = BRUSH(1),    [BRUME_BRUSH_HEAT_OF_SMOKE] = BRUSH(2),
    [BRUME_BRUSH_TEMPERATURE] = BRUSH(3), [BRUME_BRUSH_SUCK_SPEED] = BRUSH(4), [BRUME_BRUSH_TWIST_SPEED] = BRUSH(5),
    [BRUME_BRUSH_RATE] = BRUSH(6),        [BRUME_BRUSH_ERASE_TO] = BRUSH(7),
};

#define TABLE(title, parameters)                                                                                       \
    {                                                                                                                  \
        title, (int)(sizeof(parameters) / sizeof(parameters)[0]), parameters                                           \
    }
const BrumeParameterTable brume_parameters[BRUME_PARAMETERS_COUNT] = {
    [BRUME_PARAMETERS_TIME] = TABLE("Time", time_parameters),
    [BRUME_PARAMETERS_BRUSH] = TABLE("Brush", brush_parameters),
    [BRUME_PARAMETERS_AIR] = TABLE("Air", air_parameters),
    [BRUME_PARAMETERS_SMOKE] = TABLE("Smoke: flow", smoke_parameters),
    [BRUME_PARAMETERS_MEDIUM] = TABLE("Smoke: medium", medium_parameters),
    [BRUME_PARAMETERS_EMITTER] = TABLE("Emitters", emitter_parameters),
    [BRUME_PARAMETERS_SOLVER] = TABLE("Solver", solver_parameters),
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

BrumeSliderRange brume_parameter_range(const BrumeParameter *parameter, const BrumeSetting *setting)
{
    const BrumeSliderRange range = setting->slider;
    return parameter->kind == BRUME_PARAMETER_PERIOD
               ? (BrumeSliderRange){1000.0 / range.max, 1000.0 / range.min, range.logarithmic}
               : range;
}

void brume_parameter_unit(const BrumeParameter *parameter, const BrumeSetting *setting, char unit[BRUME_PARAMETER_TEXT])
{
    static const char *const symbols[][2] = {{"^2", "²"}, {"degrees", "°"}};
    const char *from = setting->unit && strcmp(setting->unit, "1") != 0 ? setting->unit : "";
    from = parameter->kind == BRUME_PARAMETER_PERIOD ? "ms" : from;
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
    const char *const at_a = (const char *)a + brume_parameter_offset(parameter);
    const char *const at_b = (const char *)b + brume_parameter_offset(parameter);
    if (parameter->kind == BRUME_PARAMETER_NAME) {
        const char *name_a;
        const char *name_b;
        memcpy(&name_a, at_a, sizeof name_a);
        memcpy(&name_b, at_b, sizeof name_b);
        return strcmp(name_a, name_b) == 0;
    }
    return memcmp(at_a, at_b, member_size(parameter)) == 0;
}

void brume_parameter_copy(const BrumeParameter *parameter, void *to, const void *from)
{
    const size_t offset = brume_parameter_offset(parameter);
    memcpy((char *)to + offset, (const char *)from + offset, member_size(parameter));
}
