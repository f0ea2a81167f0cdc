#include "sim/initial/initial_settings.h"

#include "core/vec3.h"
#include "sim/initial/formula.h"

#include <stdio.h>

static const char *const kind_words[] = {"uniform",     "taylor-green", "shear",  "vortex", "vortex-ring", "rotation",
                                         "deformation", "blob",         "disc",   "layer",  "mode",        "noise",
                                         "formula",     "volume",       "points", NULL};
static const char *const quantity_words[] = {"velocity", "potential", "temperature", "density",
                                             "color_1",  "color_2",   "color_3",     NULL};
static const char *const profile_words[] = {"rankine", "lamb", "taylor", "gaussian", "cosine",
                                            "sharp",   "tanh", "linear", NULL};
const char *const brume_particle_kind_words[BRUME_PARTICLE_KINDS + 1] = {"dust", "embers", "leaves", "flakes", NULL};
static const char *const axis_words[] = {"x", "y", "z", NULL};

// clang-format off
#define INITIAL(member) offsetof(BrumeInitialDef, member)
const BrumeSetting brume_initial_setting_table[] = {
    [BRUME_INITIAL_SETTING_KIND] = {
        .path = "initial[].kind", .type = BRUME_VALUE_WORD, .offset = INITIAL(kind), .words = kind_words,
        .fallback = "required", .fixed = true,
        .doc = "The field that is added, see below.",
    },
    [BRUME_INITIAL_SETTING_QUANTITY] = {
        .path = "initial[].quantity", .type = BRUME_VALUE_WORD, .offset = INITIAL(quantity), .words = quantity_words,
        .fallback = "`velocity` of flows, `density` of others", .fixed = true,
        .doc = "What it is added to. `potential` is the vector potential of a velocity.",
    },
    [BRUME_INITIAL_SETTING_PROFILE] = {
        .path = "initial[].profile", .type = BRUME_VALUE_WORD, .offset = INITIAL(profile), .words = profile_words,
        .fallback = "`rankine`, `gaussian` or `tanh`", .fixed = true,
        .doc = "Of a vortex: `rankine`, `lamb` or `taylor`; of a blob: `gaussian`, `cosine` or `sharp`; of a layer: "
               "`tanh` or `linear`.",
    },
    [BRUME_INITIAL_SETTING_AXIS] = {
        .path = "initial[].axis", .type = BRUME_VALUE_WORD, .offset = INITIAL(axis), .words = axis_words,
        .defaults = {2}, .fixed = true,
        .doc = "Axis that a vortex or a rotation turns about, that a disc extends along, and along which the velocity "
               "of Taylor-Green vortices is 0.",
    },
    [BRUME_INITIAL_SETTING_ALONG] = {
        .path = "initial[].along", .type = BRUME_VALUE_WORD, .offset = INITIAL(along), .words = axis_words,
        .defaults = {0}, .fixed = true,
        .doc = "Direction of the flow of a shear layer.",
    },
    [BRUME_INITIAL_SETTING_ACROSS] = {
        .path = "initial[].across", .type = BRUME_VALUE_WORD, .offset = INITIAL(across), .words = axis_words,
        .defaults = {1}, .fixed = true,
        .doc = "Direction along which a shear layer or a layer varies.",
    },
    [BRUME_INITIAL_SETTING_CENTER] = {
        .path = "initial[].center", .type = BRUME_VALUE_VECTOR, .offset = INITIAL(center), .unit = "m", .min = -1e4,
        .max = 1e4, .defaults = {0.0, 0.5, 0.0}, .fallback = "the center of the box", .fixed = true,
        .doc = "Center of the field, or a point of its axis or plane. A volume has its own position by default.",
    },
    [BRUME_INITIAL_SETTING_DIRECTION] = {
        .path = "initial[].direction", .type = BRUME_VALUE_VECTOR, .offset = INITIAL(direction), .unit = "1",
        .min = -1e6, .max = 1e6, .defaults = {0.0, 1.0, 0.0}, .fixed = true,
        .doc = "Direction in which a vortex ring moves, of any length.",
    },
    [BRUME_INITIAL_SETTING_VELOCITY] = {
        .path = "initial[].velocity", .type = BRUME_VALUE_VECTOR, .offset = INITIAL(velocity), .unit = "m/s",
        .min = -1e6, .max = 1e6, .defaults = {0.0, 0.0, 0.0}, .fixed = true,
        .doc = "A uniform velocity.",
    },
    [BRUME_INITIAL_SETTING_SPEED] = {
        .path = "initial[].speed", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(speed), .unit = "m/s", .min = -1e6,
        .max = 1e6, .defaults = {1}, .fixed = true,
        .doc = "Greatest speed of a flow, speed of a vortex at its `radius`, order of magnitude of noise.",
    },
    [BRUME_INITIAL_SETTING_VALUE] = {
        .path = "initial[].value", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(value), .unit = "K or 1",
        .min = -10000, .max = 10000, .defaults = {1}, .fixed = true,
        .doc = "Amplitude of a temperature or a density.",
    },
    [BRUME_INITIAL_SETTING_LOWER] = {
        .path = "initial[].lower", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(lower), .unit = "K or 1",
        .min = -10000, .max = 10000, .defaults = {0}, .fixed = true,
        .doc = "Value below a layer, at smaller coordinates.",
    },
    [BRUME_INITIAL_SETTING_UPPER] = {
        .path = "initial[].upper", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(upper), .unit = "K or 1",
        .min = -10000, .max = 10000, .defaults = {0}, .fixed = true,
        .doc = "Value above a layer.",
    },
    [BRUME_INITIAL_SETTING_RADIUS] = {
        .path = "initial[].radius", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(radius), .unit = "m", .min = 1e-6,
        .max = 1e4, .defaults = {0.1}, .fallback = "required", .fixed = true,
        .doc = "Radius of a vortex, a ring, a blob or a disc.",
    },
    [BRUME_INITIAL_SETTING_THICKNESS] = {
        .path = "initial[].thickness", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(thickness), .unit = "m",
        .min = 1e-6, .max = 1e4, .defaults = {0.1}, .fallback = "required", .fixed = true,
        .doc = "Thickness of a layer: the argument of tanh is the distance over it, and a linear profile is as long. "
               "Of a ring: radius of its core, at which the vorticity has fallen to 1/e.",
    },
    [BRUME_INITIAL_SETTING_WIDTH] = {
        .path = "initial[].width", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(width), .unit = "m", .min = 0,
        .max = 1e4, .defaults = {0}, .fixed = true,
        .doc = "Distance of two opposite shear layers with `center` between them; 0 for one layer.",
    },
    [BRUME_INITIAL_SETTING_PERTURBATION] = {
        .path = "initial[].perturbation", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(perturbation), .unit = "m/s",
        .min = -1e6, .max = 1e6, .defaults = {0}, .fixed = true,
        .doc = "Amplitude of a sinusoidal velocity across a shear layer, with as many wavelengths in the box as "
               "`waves` has along the flow.",
    },
    [BRUME_INITIAL_SETTING_SPREAD] = {
        .path = "initial[].spread", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(spread), .unit = "m", .min = 0,
        .max = 1e4, .defaults = {0}, .fixed = true,
        .doc = "Distance from `center` at which the perturbation, or noise, has fallen to 1/e; 0 where it does not decay.",
    },
    [BRUME_INITIAL_SETTING_CIRCULATION] = {
        .path = "initial[].circulation", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(circulation), .unit = "m^2/s",
        .min = -1e6, .max = 1e6, .defaults = {1}, .fallback = "required", .fixed = true,
        .doc = "Circulation of a vortex ring.",
    },
    [BRUME_INITIAL_SETTING_RATE] = {
        .path = "initial[].rate", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(rate), .unit = "rad/s", .min = -1e6,
        .max = 1e6, .defaults = {1}, .fallback = "required", .fixed = true,
        .doc = "Angular speed of a rigid rotation.",
    },
    [BRUME_INITIAL_SETTING_SLOT_WIDTH] = {
        .path = "initial[].slot_width", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(slot_width), .unit = "m",
        .min = 0, .max = 1e4, .defaults = {0}, .fixed = true,
        .doc = "Width of the slot of a disc; 0 for no slot.",
    },
    [BRUME_INITIAL_SETTING_SLOT_DEPTH] = {
        .path = "initial[].slot_depth", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(slot_depth), .unit = "m",
        .min = 0, .max = 1e4, .defaults = {0}, .fixed = true,
        .doc = "Length of the slot from the lowest point of the rim.",
    },
    [BRUME_INITIAL_SETTING_WAVES] = {
        .path = "initial[].waves", .type = BRUME_VALUE_VECTOR, .offset = INITIAL(waves), .unit = "1", .min = -4096,
        .max = 4096, .defaults = {1, 1, 1}, .fixed = true,
        .doc = "Wavelengths in the box along x, y and z. An axis of one cell has 0.",
    },
    [BRUME_INITIAL_SETTING_PHASE] = {
        .path = "initial[].phase", .type = BRUME_VALUE_VECTOR, .offset = INITIAL(phase), .unit = "wavelengths",
        .min = -1, .max = 1, .defaults = {0, 0, 0}, .fixed = true,
        .doc = "Of a mode: phase of each cosine; -0.25 makes it a sine.",
    },
    [BRUME_INITIAL_SETTING_SCALE] = {
        .path = "initial[].scale", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(scale), .unit = "m", .min = 1e-3,
        .max = 1e4, .defaults = {0.1}, .fallback = "required", .fixed = true,
        .doc = "Wavelength of noise. Along periodic axes it is rounded to a fraction of the side.",
    },
    [BRUME_INITIAL_SETTING_SEED] = {
        .path = "initial[].seed", .type = BRUME_VALUE_UINT32, .offset = INITIAL(seed), .unit = "1", .min = 0,
        .max = 4294967295.0, .defaults = {0}, .fixed = true,
        .doc = "Seed of noise.",
    },
    [BRUME_INITIAL_SETTING_FORMULA] = {
        .path = "initial[].formula", .type = BRUME_VALUE_TEXTS, .offset = INITIAL(formula), .min = 0,
        .max = BRUME_MAX_FORMULA, .fallback = "required", .fixed = true,
        .doc = "A formula in x, y and z, or a list of three for a velocity or a potential.",
    },
    [BRUME_INITIAL_SETTING_FACTOR] = {
        .path = "initial[].factor", .type = BRUME_VALUE_FLOAT, .offset = INITIAL(factor), .unit = "1", .min = -1e6,
        .max = 1e6, .defaults = {1}, .fixed = true,
        .doc = "Of a volume: factor of the values of the file.",
    },
    [BRUME_INITIAL_SETTING_SIZE] = {
        .path = "initial[].size", .type = BRUME_VALUE_COLOR, .offset = INITIAL(size), .unit = "m", .min = 1e-4,
        .max = 1e4, .defaults = {1, 1, 1}, .fallback = "the sides of the file", .fixed = true,
        .doc = "Of a volume: sides of the box that the box of the file is stretched to; of one number, the longest side "
               "has this length, and proportions are kept.",
    },
    [BRUME_INITIAL_SETTING_PARTICLES] = {
        .path = "initial[].particles", .type = BRUME_VALUE_WORD, .offset = INITIAL(particles),
        .words = brume_particle_kind_words, .fallback = "required", .fixed = true,
        .doc = "Of points: the kind of the particles.",
    },
    {.type = BRUME_VALUE_BOOL, .offset = INITIAL(placed)},
    {.type = BRUME_VALUE_POINTER, .offset = INITIAL(samples[0])},
    {.type = BRUME_VALUE_POINTER, .offset = INITIAL(samples[1])},
    {.type = BRUME_VALUE_POINTER, .offset = INITIAL(samples[2])},
};
// clang-format on

const BrumeMembers brume_initial_members = {
    .setting_count = sizeof brume_initial_setting_table / sizeof brume_initial_setting_table[0],
    .settings = brume_initial_setting_table,
};

enum { USED_KEYS = 8 };

// the settings of a kind, in lists that a 0 ends
typedef struct KindUse {
    int default_quantity;
    BrumeInitialProfile first_profile, last_profile;
    int required[USED_KEYS];
    int optional[USED_KEYS];
} KindUse;

#define USE(name) BRUME_INITIAL_SETTING_##name
static const KindUse uses[BRUME_INITIAL_KIND_COUNT] = {
    [BRUME_INITIAL_UNIFORM] = {BRUME_INITIAL_VELOCITY, 0, 0, {0}, {USE(QUANTITY)}},
    [BRUME_INITIAL_TAYLOR_GREEN] = {BRUME_INITIAL_VELOCITY, 0, 0, {0}, {USE(SPEED), USE(AXIS), USE(WAVES)}},
    [BRUME_INITIAL_SHEAR] = {BRUME_INITIAL_VELOCITY,
                             0,
                             0,
                             {USE(THICKNESS)},
                             {USE(SPEED), USE(ALONG), USE(ACROSS), USE(CENTER), USE(WIDTH), USE(PERTURBATION),
                              USE(SPREAD), USE(WAVES)}},
    [BRUME_INITIAL_VORTEX] = {BRUME_INITIAL_VELOCITY,
                              BRUME_INITIAL_RANKINE,
                              BRUME_INITIAL_TAYLOR,
                              {USE(RADIUS)},
                              {USE(SPEED), USE(PROFILE), USE(CENTER), USE(AXIS)}},
    [BRUME_INITIAL_VORTEX_RING] =
        {BRUME_INITIAL_VELOCITY, 0, 0, {USE(CIRCULATION), USE(RADIUS), USE(THICKNESS)}, {USE(CENTER), USE(DIRECTION)}},
    [BRUME_INITIAL_ROTATION] = {BRUME_INITIAL_VELOCITY, 0, 0, {USE(RATE)}, {USE(CENTER), USE(AXIS)}},
    [BRUME_INITIAL_DEFORMATION] = {BRUME_INITIAL_VELOCITY, 0, 0, {0}, {USE(SPEED)}},
    [BRUME_INITIAL_BLOB] = {BRUME_INITIAL_DENSITY,
                            BRUME_INITIAL_GAUSSIAN,
                            BRUME_INITIAL_SHARP,
                            {USE(RADIUS)},
                            {USE(QUANTITY), USE(VALUE), USE(PROFILE), USE(CENTER)}},
    [BRUME_INITIAL_DISC] = {BRUME_INITIAL_DENSITY,
                            0,
                            0,
                            {USE(RADIUS)},
                            {USE(QUANTITY), USE(VALUE), USE(CENTER), USE(AXIS), USE(SLOT_WIDTH), USE(SLOT_DEPTH)}},
    [BRUME_INITIAL_LAYER] = {BRUME_INITIAL_DENSITY,
                             BRUME_INITIAL_TANH,
                             BRUME_INITIAL_LINEAR,
                             {USE(THICKNESS)},
                             {USE(QUANTITY), USE(LOWER), USE(UPPER), USE(PROFILE), USE(ACROSS), USE(CENTER)}},
    [BRUME_INITIAL_MODE] = {BRUME_INITIAL_DENSITY, 0, 0, {0}, {USE(QUANTITY), USE(VALUE), USE(WAVES), USE(PHASE)}},
    [BRUME_INITIAL_NOISE] =
        {BRUME_INITIAL_VELOCITY, 0, 0, {USE(SCALE)}, {USE(QUANTITY), USE(SEED), USE(CENTER), USE(SPREAD)}},
    [BRUME_INITIAL_FORMULA] = {BRUME_INITIAL_VELOCITY, 0, 0, {USE(FORMULA), USE(QUANTITY)}, {0}},
    [BRUME_INITIAL_VOLUME] = {BRUME_INITIAL_DENSITY, 0, 0, {0}, {USE(QUANTITY), USE(FACTOR), USE(CENTER), USE(SIZE)}},
    [BRUME_INITIAL_POINTS] = {BRUME_INITIAL_VELOCITY, 0, 0, {USE(PARTICLES)}, {0}},
};

bool brume_initial_has_components(int quantity)
{
    return quantity == BRUME_INITIAL_VELOCITY || quantity == BRUME_INITIAL_POTENTIAL;
}

static bool contains_setting(const int settings[USED_KEYS], int setting)
{
    for (int n = 0; n < USED_KEYS && settings[n] != 0; n++) {
        if (settings[n] == setting) {
            return true;
        }
    }
    return false;
}

BrumeInitialUse brume_initial_use(BrumeInitialKind kind, int quantity, int setting)
{
    if (setting == BRUME_INITIAL_SETTING_KIND) {
        return BRUME_INITIAL_REQUIRED;
    }
    const bool flow = brume_initial_has_components(quantity);
    if (kind == BRUME_INITIAL_UNIFORM && setting == (flow ? USE(VELOCITY) : USE(VALUE))) {
        return BRUME_INITIAL_REQUIRED;
    }
    if (kind == BRUME_INITIAL_NOISE && setting == (flow ? USE(SPEED) : USE(VALUE))) {
        return BRUME_INITIAL_OPTIONAL;
    }
    return contains_setting(uses[kind].required, setting)   ? BRUME_INITIAL_REQUIRED
           : contains_setting(uses[kind].optional, setting) ? BRUME_INITIAL_OPTIONAL
                                                            : BRUME_INITIAL_UNUSED;
}

int brume_initial_default_quantity(BrumeInitialKind kind) { return uses[kind].default_quantity; }

BrumeInitialProfile brume_initial_default_profile(BrumeInitialKind kind) { return uses[kind].first_profile; }

static BrumeStatus fail_words(int setting, const BrumeInitialDef *def, const char *owner, BrumeInitialFault *fault,
                              BrumeError *error)
{
    const BrumeSetting *const table = brume_initial_setting_table;
    const int word = setting == USE(PROFILE) ? (int)def->profile : def->quantity;
    fault->setting = setting;
    return brume_fail(error, BRUME_BAD_INPUT, "'%s' in %s is '%s', which does not fit the kind '%s'",
                      brume_setting_name(&table[setting]), owner, table[setting].words[word], kind_words[def->kind]);
}

// whether a kind can be added to a quantity
static bool fits(BrumeInitialKind kind, int quantity)
{
    if (kind == BRUME_INITIAL_FORMULA) {
        return true;
    }
    if (quantity == BRUME_INITIAL_POTENTIAL) {
        return false;
    }
    const bool either = kind == BRUME_INITIAL_UNIFORM || kind == BRUME_INITIAL_NOISE || kind == BRUME_INITIAL_VOLUME ||
                        kind == BRUME_INITIAL_POINTS;
    return either || (quantity == BRUME_INITIAL_VELOCITY) == (kind < BRUME_INITIAL_BLOB);
}

static BrumeStatus check_formulas(const BrumeInitialDef *def, const char *owner, BrumeInitialFault *fault,
                                  BrumeError *error)
{
    const int count = brume_initial_has_components(def->quantity) ? 3 : 1;
    const bool has_three = def->formula[1][0] != '\0' || def->formula[2][0] != '\0';
    *fault = (BrumeInitialFault){.setting = USE(FORMULA)};
    if (has_three != (count == 3)) {
        return brume_fail(error, BRUME_BAD_INPUT, "'formula' in %s must be %s, because '%s' has %s", owner,
                          count == 3 ? "a list of three" : "one text", quantity_words[def->quantity],
                          count == 3 ? "three components" : "one value");
    }
    BrumeFormula formula;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        *fault = (BrumeInitialFault){.setting = USE(FORMULA), .component = n};
        status = brume_formula_parse(&formula, def->formula[n], &fault->column, error);
    }
    return status;
}

BrumeStatus brume_initial_check(const BrumeInitialDef *def, const BrumeSimDef *sim, const char *owner,
                                BrumeInitialFault *fault, BrumeError *error)
{
    for (int n = 0; n < BRUME_INITIAL_SETTING_COUNT; n++) {
        *fault = (BrumeInitialFault){.setting = n};
        const bool before_use = n <= BRUME_INITIAL_SETTING_QUANTITY; // the use of the others depends on these
        if (before_use || brume_initial_use(def->kind, def->quantity, n) != BRUME_INITIAL_UNUSED) {
            const BrumeStatus status = brume_setting_check(&brume_initial_setting_table[n], def, owner, error);
            if (status != BRUME_OK) {
                return status;
            }
        }
    }
    if (!fits(def->kind, def->quantity)) {
        return fail_words(USE(QUANTITY), def, owner, fault, error);
    }
    if (brume_initial_use(def->kind, def->quantity, USE(PROFILE)) != BRUME_INITIAL_UNUSED &&
        (def->profile < uses[def->kind].first_profile || def->profile > uses[def->kind].last_profile)) {
        return fail_words(USE(PROFILE), def, owner, fault, error);
    }
    *fault = (BrumeInitialFault){.setting = BRUME_INITIAL_SETTING_COUNT};
    if (def->quantity > BRUME_INITIAL_DENSITY + sim->color_count) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s adds %s, but color_count is %d", owner,
                          quantity_words[def->quantity], sim->color_count);
    }
    if (def->kind == BRUME_INITIAL_SHEAR && def->along == def->across) {
        fault->setting = USE(ACROSS);
        return brume_fail(error, BRUME_BAD_INPUT, "'across' and 'along' in %s are both %s, but must differ", owner,
                          axis_words[def->along]);
    }
    if (def->kind == BRUME_INITIAL_VORTEX_RING && !(brume_length(def->direction) > 0.0f)) {
        fault->setting = USE(DIRECTION);
        return brume_fail(error, BRUME_BAD_INPUT, "'direction' in %s has no length", owner);
    }
    return def->kind == BRUME_INITIAL_FORMULA ? check_formulas(def, owner, fault, error) : BRUME_OK;
}

BrumeInitialDef brume_default_initial_def(void)
{
    BrumeInitialDef def = {.kind = BRUME_INITIAL_UNIFORM};
    brume_settings_set_defaults(brume_initial_setting_table, BRUME_INITIAL_SETTING_COUNT, &def);
    return def;
}
