// The settings of emitters and of their forces; limits and order as in settings.c.
#include "sim/settings/settings.h"

#include "brume/sim_def.h"

#include <math.h>

// clang-format off
static const char *const emit_from_words[] = {"volume", "surface", "vertices", NULL};
static const char *const force_words[] = {"none", "wind", "drag", "vortex", "flow", "turbulence", "attraction", NULL};
static const char *const source_modes[] = {"none", "rate", "set", NULL};

#define EMITTER(member) offsetof(BrumeEmitterDef, member)
// both kinds of sources have the mode as their first member, and the value at the same place behind it
#define SOURCE(source, mode_)                                                                                         \
    .offset = EMITTER(source) + offsetof(BrumeSource, value), .kind_offset = EMITTER(source),                         \
    .kinds = 1u << BRUME_SOURCE_##mode_
#define FORCES_WITH_RATE                                                                                              \
    (1u << BRUME_FORCE_WIND | 1u << BRUME_FORCE_DRAG | 1u << BRUME_FORCE_VORTEX | 1u << BRUME_FORCE_FLOW |            \
     1u << BRUME_FORCE_ATTRACTION)
#define FORCE(member, kinds_) .offset = EMITTER(force.member), .kind_offset = EMITTER(force.kind), .kinds = (kinds_)
#define MODE(source) {.type = BRUME_VALUE_WORD, .offset = EMITTER(source), .words = source_modes}
#define EMITTER_COLOR(n, ordinal)                                                                                     \
    [BRUME_EMITTER_DENSITY + (n)] = {                                                                                 \
        .path = "emitters[].color_" #n, .label = "color " #n, .type = BRUME_VALUE_FLOAT,                              \
        SOURCE(smoke[n], SET), .unit = "1", .min = 0, .max = 1000, .slider = {0, 10, false},                          \
        .fallback = "none", .animated = true,                                                                         \
        .doc = "Density of smoke of the " ordinal " color that it imposes inside its shape.",                        \
    }
#define EMITTER_COLOR_RATE(n, ordinal)                                                                                \
    [BRUME_EMITTER_DENSITY_RATE + (n)] = {                                                                            \
        .path = "emitters[].color_" #n "_rate", .label = "color " #n, .type = BRUME_VALUE_FLOAT,                      \
        SOURCE(smoke[n], RATE), .unit = "1/s", .min = 0, .max = 1e5, .slider = {0, 10, false},                        \
        .fallback = "none", .animated = true,                                                                         \
        .doc = "Density of smoke of the " ordinal " color that it adds per second.",                                 \
    }
#define EMITTER_PARTICLES(n, name)                                                                                    \
    [BRUME_EMITTER_DUST + (n)] = {                                                                                    \
        .path = "emitters[]." name, .label = (name), .type = BRUME_VALUE_FLOAT, .offset = EMITTER(particles[n]),      \
        .unit = "1/s", .min = 0, .max = 1e8, .slider = {0, 100000, true}, .animated = true,          \
        .doc = "Number of " name " that are born per second in its whole shape, or on its surface. `particles` says "  \
               "what they are.",                                                                                      \
    }
const BrumeSetting brume_emitter_setting_table[] = {
    [BRUME_EMITTER_START] = {
        .path = "emitters[].start", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(start), .unit = "s", .min = 0,
        .max = 1e6, .defaults = {0},
        .doc = "Simulated time at which it starts.",
    },
    [BRUME_EMITTER_END] = {
        .path = "emitters[].end", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(end), .unit = "s", .min = 0,
        .max = 1e6, .defaults = {INFINITY}, .infinity_allowed = true, .fallback = "never",
        .doc = "Simulated time at which it stops.",
    },
    [BRUME_EMITTER_DENSITY] = {
        .path = "emitters[].density", .label = "density", .type = BRUME_VALUE_FLOAT,
        SOURCE(smoke[0], SET), .unit = "1", .min = 0, .max = 1000, .slider = {0, 10, false},
        .fallback = "none", .animated = true,
        .doc = "Density of plain smoke that it imposes inside its shape.",
    },
    EMITTER_COLOR(1, "first"), EMITTER_COLOR(2, "second"), EMITTER_COLOR(3, "third"),
    [BRUME_EMITTER_TEMPERATURE] = {
        .path = "emitters[].temperature", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        SOURCE(temperature, SET), .unit = "K", .min = -250, .max = 10000, .slider = {-100, 1000, false},
        .fallback = "none", .animated = true,
        .doc = "Temperature above ambient that it imposes inside its shape.",
    },
    [BRUME_EMITTER_FUEL] = {
        .path = "emitters[].fuel", .label = "fuel", .type = BRUME_VALUE_FLOAT, SOURCE(fuel, SET), .unit = "1", .min = 0,
        .max = 1, .slider = {0, 1, false}, .fallback = "none", .animated = true,
        .doc = "Part of the mass of the gas inside its shape that it makes fuel. `fire.model` says how it burns.",
    },
    [BRUME_EMITTER_VELOCITY] = {
        .path = "emitters[].velocity", .label = "velocity", .type = BRUME_VALUE_VECTOR,
        SOURCE(velocity, SET), .unit = "m/s", .min = -1e6, .max = 1e6, .slider = {-20, 20, false},
        .fallback = "none", .animated = true,
        .doc = "Velocity (x, y, z) that it imposes inside its shape.",
    },
    [BRUME_EMITTER_DENSITY_RATE] = {
        .path = "emitters[].density_rate", .label = "density", .type = BRUME_VALUE_FLOAT,
        SOURCE(smoke[0], RATE), .unit = "1/s", .min = 0, .max = 1e5, .slider = {0, 10, false},
        .fallback = "none", .animated = true,
        .doc = "Density of plain smoke that it adds per second. It excludes `density`; so do the other rates with "
               "their values.",
    },
    EMITTER_COLOR_RATE(1, "first"), EMITTER_COLOR_RATE(2, "second"), EMITTER_COLOR_RATE(3, "third"),
    [BRUME_EMITTER_TEMPERATURE_RATE] = {
        .path = "emitters[].temperature_rate", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        SOURCE(temperature, RATE), .unit = "K/s", .min = -1e5, .max = 1e5, .slider = {-100, 1000, false},
        .fallback = "none", .animated = true,
        .doc = "Temperature that it adds per second.",
    },
    [BRUME_EMITTER_FUEL_RATE] = {
        .path = "emitters[].fuel_rate", .label = "fuel", .type = BRUME_VALUE_FLOAT, SOURCE(fuel, RATE), .unit = "kg/s",
        .min = 0, .max = 1e6, .slider = {1e-5, 10, true}, .fallback = "none", .animated = true,
        .doc = "Mass of fuel that it emits per second in its whole shape, at ambient temperature, in addition to the gas there.",
    },
    [BRUME_EMITTER_POWER] = {
        .path = "emitters[].power", .label = "power", .type = BRUME_VALUE_FLOAT, SOURCE(power, RATE), .unit = "kW",
        .min = 0, .max = 1e9, .slider = {0.01, 10000, true}, .fallback = "none", .animated = true,
        .doc = "Fuel that it emits, as the heat that it releases when it burns. A candle has 0.08 kW, a campfire 50.",
    },
    [BRUME_EMITTER_ACCELERATION] = {
        .path = "emitters[].acceleration", .label = "acceleration", .type = BRUME_VALUE_VECTOR,
        SOURCE(velocity, RATE), .unit = "m/s^2", .min = -1e6, .max = 1e6, .slider = {-20, 20, false},
        .fallback = "none", .animated = true,
        .doc = "Acceleration (x, y, z) inside its shape.",
    },
    EMITTER_PARTICLES(BRUME_PARTICLE_DUST, "dust"), EMITTER_PARTICLES(BRUME_PARTICLE_EMBERS, "embers"),
    EMITTER_PARTICLES(BRUME_PARTICLE_LEAVES, "leaves"), EMITTER_PARTICLES(BRUME_PARTICLE_FLAKES, "flakes"),
    [BRUME_EMITTER_SOFTNESS] = {
        .path = "emitters[].softness", .label = "softness", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(softness),
        .unit = "m", .min = 0, .max = 1e4, .slider = {0, 1, false}, .defaults = {0}, .animated = true,
        .doc = "Width of the edge, inside the shape, over which the source grows smoothly from nothing to its full "
               "value; smoke and heat that are there already stay. 0 is a sharp edge. Not of a volume, whose values are its edge.",
    },
    [BRUME_EMITTER_FROM] = {
        .path = "emitters[].emit_from", .type = BRUME_VALUE_WORD, .offset = EMITTER(from), .words = emit_from_words,
        .doc = "`volume`: inside its shape. `surface`: around it, from its surface to the `thickness` outside; of a mesh "
               "without an inside on both sides. `vertices`: in a ball of the radius `thickness` around each vertex of a mesh.",
    },
    [BRUME_EMITTER_THICKNESS] = {
        .path = "emitters[].thickness", .label = "thickness", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(thickness),
        .unit = "m", .min = 1e-4, .max = 1e4, .slider = {0.001, 1, true}, .fallback = "required for a surface and vertices",
        .animated = true, .kind_offset = EMITTER(from), .kinds = 1u << BRUME_EMIT_SURFACE | 1u << BRUME_EMIT_VERTICES,
        .doc = "Of a surface: width of the shell that emits. Of vertices: radius around each.",
    },
    [BRUME_EMITTER_SOURCE_VELOCITY] = {
        .path = "emitters[].source_velocity", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(source_velocity),
        .unit = "1", .min = -100, .max = 100, .defaults = {0}, .animated = true,
        .doc = "Share of the velocity with which its surface moves that the air gets, in addition to `velocity`.",
    },
    [BRUME_EMITTER_NORMAL_VELOCITY] = {
        .path = "emitters[].normal_velocity", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(normal_velocity),
        .unit = "m/s", .min = -1e6, .max = 1e6, .defaults = {0}, .animated = true,
        .doc = "Velocity along the normal of its surface, to the outside, that the air gets in addition to `velocity`.",
    },
    [BRUME_EMITTER_MESH_COLOR] = {
        .path = "emitters[].mesh_color", .type = BRUME_VALUE_BOOL, .offset = EMITTER(mesh_color), .defaults = {0},
        .doc = "Of a mesh: whether smoke is multiplied by the color of the nearest point of its surface: `color_1` to `color_3` "
               "by red, green and blue, `density` by the luminance.",
    },
    [BRUME_EMITTER_NOISE] = {
        .path = "emitters[].noise.amount", .label = "noise", .type = BRUME_VALUE_FLOAT, .offset = EMITTER(noise),
        .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false}, .defaults = {0}, .animated = true,
        .doc = "Amplitude of the noise that scales smoke and heat. 0 is uniform; 1 varies between nothing and "
               "double the value.",
    },
    [BRUME_EMITTER_NOISE_SCALE] = {
        .path = "emitters[].noise.scale", .label = "noise scale", .type = BRUME_VALUE_FLOAT,
        .offset = EMITTER(noise_scale), .unit = "m", .min = 1e-3, .max = 1e4, .slider = {0.01, 10, true},
        .defaults = {0.1}, .animated = true,
        .doc = "Size of the features of the noise.",
    },
    [BRUME_EMITTER_NOISE_SPEED] = {
        .path = "emitters[].noise.speed", .label = "noise speed", .type = BRUME_VALUE_FLOAT,
        .offset = EMITTER(noise_speed), .unit = "1/s", .min = 0, .max = 1000, .slider = {0, 50, true},
        .defaults = {0}, .animated = true,
        .doc = "Frequency at which the noise changes.",
    },
    [BRUME_EMITTER_FORCE_KIND] = {
        .path = "emitters[].force.kind", .type = BRUME_VALUE_WORD, .offset = EMITTER(force.kind),
        .words = force_words,
        .doc = "`wind`: the velocity of the air relaxes to `velocity`; `drag`: to 0; `vortex`: to a rotation about the "
               "pivot of the shape; `flow`: to the velocity of a volume file. `turbulence`: a random acceleration that "
               "moves with the air. `attraction`: smoke is drawn to the shape from around it.",
    },
    [BRUME_EMITTER_FORCE_VELOCITY] = {
        .path = "emitters[].force.velocity", .label = "wind", .type = BRUME_VALUE_VECTOR, FORCE(velocity, 1u << BRUME_FORCE_WIND),
        .unit = "m/s", .min = -1e6, .max = 1e6, .slider = {-20, 20, false}, .defaults = {0, 0, 0}, .animated = true,
        .doc = "Of a wind: the velocity (x, y, z) that the air relaxes to.",
    },
    [BRUME_EMITTER_FORCE_SPIN] = {
        .path = "emitters[].force.spin", .label = "spin", .type = BRUME_VALUE_VECTOR, FORCE(spin, 1u << BRUME_FORCE_VORTEX),
        .unit = "rad/s", .min = -1e6, .max = 1e6, .slider = {-50, 50, false}, .defaults = {0, 10, 0}, .animated = true,
        .doc = "Of a vortex: the angular velocity (x, y, z), along the axis by the right hand rule.",
    },
    [BRUME_EMITTER_FORCE_RATE] = {
        .path = "emitters[].force.rate", .label = "rate", .type = BRUME_VALUE_FLOAT, FORCE(rate, FORCES_WITH_RATE),
        .unit = "1/s", .min = 0, .max = 1e6, .slider = {0.01, 100, true}, .defaults = {2}, .animated = true,
        .doc = "Rate at which the velocity of the air relaxes; of an attraction, that of smoke relaxes to 0, without which "
               "it would oscillate.",
    },
    [BRUME_EMITTER_FORCE_STRENGTH] = {
        .path = "emitters[].force.strength", .label = "strength", .type = BRUME_VALUE_FLOAT,
        FORCE(strength, 1u << BRUME_FORCE_TURBULENCE | 1u << BRUME_FORCE_ATTRACTION), .unit = "m/s^2", .min = -1e6,
        .max = 1e6, .slider = {0.01, 100, true}, .defaults = {2}, .animated = true,
        .doc = "Of turbulence: root mean square of the acceleration. Of an attraction: the acceleration of smoke at "
               "the shape; below 0 it is repelled.",
    },
    [BRUME_EMITTER_FORCE_SCALE] = {
        .path = "emitters[].force.scale", .label = "scale", .type = BRUME_VALUE_FLOAT,
        FORCE(scale, 1u << BRUME_FORCE_TURBULENCE), .unit = "m", .min = 1e-3, .max = 1e4, .slider = {0.01, 10, true},
        .defaults = {0.1}, .animated = true,
        .doc = "Of turbulence: size of the eddies; a pattern of 16 repeats. Below 2 cells they are lost.",
    },
    [BRUME_EMITTER_FORCE_SPEED] = {
        .path = "emitters[].force.speed", .label = "speed", .type = BRUME_VALUE_FLOAT,
        FORCE(speed, 1u << BRUME_FORCE_TURBULENCE), .unit = "1/s", .min = 0, .max = 1000, .slider = {0, 50, true},
        .defaults = {1}, .animated = true,
        .doc = "Of turbulence: frequency at which the eddies change.",
    },
    [BRUME_EMITTER_FORCE_RANGE] = {
        .path = "emitters[].force.range", .label = "range", .type = BRUME_VALUE_FLOAT,
        FORCE(range, 1u << BRUME_FORCE_ATTRACTION), .unit = "m", .min = 1e-4, .max = 1e4, .slider = {0.01, 10, true},
        .defaults = {0.5}, .animated = true,
        .doc = "Of an attraction: distance from the shape at which it ends.",
    },
    [BRUME_EMITTER_FORCE_DENSITY] = {
        .path = "emitters[].force.density", .label = "full density", .type = BRUME_VALUE_FLOAT,
        FORCE(density, 1u << BRUME_FORCE_ATTRACTION), .unit = "1", .min = 1e-3, .max = 1000, .slider = {0.01, 10, true},
        .defaults = {0.25}, .animated = true,
        .doc = "Of an attraction: density of smoke, of all kinds, from which on it has its full strength; below, in proportion.",
    },
    {.type = BRUME_VALUE_POINTER, .offset = EMITTER(force.samples[0])},
    {.type = BRUME_VALUE_POINTER, .offset = EMITTER(force.samples[1])},
    {.type = BRUME_VALUE_POINTER, .offset = EMITTER(force.samples[2])},
    {.type = BRUME_VALUE_INT, .offset = EMITTER(body), .max = BRUME_MAX_BODIES},
    {.type = BRUME_VALUE_INT, .offset = EMITTER(parent), .max = BRUME_MAX_BODIES},
    MODE(smoke[0]), MODE(smoke[1]), MODE(smoke[2]), MODE(smoke[3]), MODE(temperature), MODE(fuel),
    MODE(power), MODE(velocity),
};
// clang-format on

static const BrumeMemberArray shape[] = {{.items = &brume_shape_members, .offset = EMITTER(shape), .length = 1}};
const BrumeMembers brume_emitter_members = {
    .setting_count = (int)(sizeof brume_emitter_setting_table / sizeof brume_emitter_setting_table[0]),
    .settings = brume_emitter_setting_table,
    .array_count = 1,
    .arrays = shape,
};
