/*
 * Hard limits are limits beyond which the solver is not stable or a value has no meaning; slider ranges span useful
 * values. Members are in the order of docs/scene.md.
 */
#include "sim/settings/settings.h"

#include "brume/sim_def.h"
#include "brume/stroke.h"
#include "brume/timeline.h"
#include "sim/initial/initial_settings.h"

#include <math.h>

// clang-format off
#define SIM(member) offsetof(BrumeSimDef, member)
#define FIRE(member, kinds_) .offset = SIM(fire.member), .kind_offset = SIM(fire.model), .kinds = (kinds_)
#define VAPOR(member) .offset = SIM(vapor.member), .kind_offset = SIM(vapor.kind), .kinds = ~1u
#define BURNS (1u << BRUME_FIRE_MIXING | 1u << BRUME_FIRE_IGNITION)
static const char *const fire_models[] = {"none", "mixing", "ignition", NULL};
static const char *const accounting_words[] = {"forward-reverse", "forward", NULL};
static const char *const storage_words[] = {"float", "half", NULL};
static const char *const smoke_words[] = {"density", "color_1", "color_2", "color_3", NULL};
static const char *const vapor_words[] = {"none", "density", "color_1", "color_2", "color_3", NULL};
const BrumeSetting brume_sim_setting_table[] = {
    [BRUME_SIM_RESOLUTION] = {
        .path = "solver.resolution", .label = "resolution", .type = BRUME_VALUE_COUNTS, .offset = SIM(nx),
        .unit = "cells", .min = 8, .max = 4096, .slider = {16, 512, true}, .defaults = {64, 64, 64},
        .one_allowed = true,
        .doc = "Cells along the longest side of the box. Cells are cubes, and each side has at least 8. Or a list "
               "of the cells along x, y and z, whose ratios must equal those of the sides where `size` is given. In a "
               "list, 1 along y or z makes the box one cell thick there, for a flow in two dimensions: its faces must "
               "be periodic, and `size` is ignored along it.",
    },
    [BRUME_SIM_CELL_SIZE] = {
        .path = "dx", .type = BRUME_VALUE_FLOAT, .offset = SIM(dx), .unit = "m", .min = 1e-6, .max = 1e6,
        .defaults = {1.0 / 64.0},
        .doc = "Side of a cell.",
    },
    [BRUME_SIM_ORIGIN] = {
        .path = "domain.origin", .type = BRUME_VALUE_VECTOR, .offset = SIM(origin), .unit = "m", .min = -1e4,
        .max = 1e4, .defaults = {-0.5, 0.0, -0.5}, .fallback = "centered in x and z, the floor at 0",
        .doc = "Lower corner of the box.",
    },
    [BRUME_SIM_FAR_FACTOR] = {
        .path = "domain.far.factor", .type = BRUME_VALUE_INT, .offset = SIM(far_factor), .unit = "1", .min = 1,
        .max = 4, .defaults = {1},
        .doc = "2 or 4: the box is solved in cells so many times as large, and only a window around smoke, heat, "
               "vorticity, emitters and bodies, which follows them, in cells of the resolution. 1: all in such cells.",
    },
    [BRUME_SIM_KERNELS] = {
        .path = "solver.kernels", .type = BRUME_VALUE_NAME, .offset = SIM(kernels), .name_at = brume_kernels_name,
        .default_name = "fast",
        .doc = "Implementation of the inner loops: `fast`, or `reference` for the plain loops that they are tested "
               "against. Both give the same bits.",
    },
    [BRUME_SIM_INTEGRATOR] = {
        .path = "solver.integrator", .label = "integrator", .type = BRUME_VALUE_NAME, .offset = SIM(integrator),
        .name_at = brume_integrator_name, .default_name = "second-order",
        .doc = "Time integration. `second-order`: of second order in time, with little dissipation. `split`: of first "
               "order; it loses more of the energy of the flow. `classic`: Stam's method of 1999 and 2003, with its "
               "semi-Lagrangian advection and 20 Gauss-Seidel sweeps; it replaces the settings of advection and "
               "pressure. `collocated`: Stam's code of 2003 as it is, with velocity at the centers of cells. "
               "`practical`: West's method, in which the air has a density and no system of equations is "
               "solved. Both need a box without bodies; `collocated` walls on all sides. `prescribed`: the initial velocity does not change, only temperature and smoke do.",
    },
    [BRUME_SIM_REVERSAL_TIME] = {
        .path = "solver.reversal_time", .type = BRUME_VALUE_FLOAT, .offset = SIM(reversal_time), .unit = "s", .min = 0,
        .max = 1e6, .defaults = {0},
        .doc = "Of the integrator `prescribed`: the initial velocity is multiplied by cos(pi t / reversal_time), which "
               "moves everything back to its start at that time. 0 leaves it steady.",
    },
    [BRUME_SIM_FRACTION_BITS] = {
        .path = "solver.fraction_bits", .label = "fraction bits", .type = BRUME_VALUE_INT,
        .offset = SIM(fraction_bits), .unit = "1", .min = 0, .max = 20, .slider = {0, 20, false}, .defaults = {0},
        .doc = "Of the integrator `collocated`: 4 to 20 make it compute with integers of 32 bits of which so many are "
               "fractional, 9 as in Stam's text, in units of cells and steps, kelvin and densities. 0: with floats.",
    },
    [BRUME_SIM_ACCOUNTING] = {
        .path = "solver.accounting", .label = "accounting", .type = BRUME_VALUE_WORD, .offset = SIM(accounting),
        .words = accounting_words,
        .doc = "Of the integrator `practical`: `forward-reverse` moves what a cell has forward over half of a step, then "
               "lets cells take from where their air comes from over the other half. `forward`: the first over all of "
               "it, which is faster and more diffusive.",
    },
    [BRUME_SIM_WAVE_SPEED] = {
        .path = "solver.wave_speed", .label = "wave speed", .type = BRUME_VALUE_FLOAT, .offset = SIM(wave_speed),
        .unit = "m/s", .min = 0.01, .max = 1e4, .slider = {0.1, 100, true}, .defaults = {5},
        .doc = "Of the integrator `practical`: speed at which changes of the density of the air spread, which should be "
               "some times that of the air. A step lets them move by half a cell; where that is shorter than `max_steps` "
               "allows, they are slower.",
    },
    [BRUME_SIM_ADVECTION] = {
        .path = "solver.advection", .label = "advection", .type = BRUME_VALUE_NAME, .offset = SIM(advection),
        .name_at = brume_advection_name, .default_name = "maccormack",
        .doc = "Advection scheme of velocity: `maccormack` is of second order, `semi-lagrangian` of first order, faster "
               "and more diffusive.",
    },
    [BRUME_SIM_ACTIVE_BLOCKS] = {
        .path = "solver.active_blocks", .label = "active blocks", .type = BRUME_VALUE_BOOL,
        .offset = SIM(active_blocks), .defaults = {1},
        .doc = "Whether the velocity is carried only in blocks of 8 x 8 x 8 cells with vorticity, buoyancy or sources and "
               "around them; elsewhere it is extrapolated in time. Faster where most of the box is at rest; the smoke "
               "differs less than by another CFL number. Only the integrator `second-order` with `transport: ppm` does "
               "so, in air without viscosity and drag and with bodies at rest.",
    },
    [BRUME_SIM_TRANSPORT] = {
        .path = "solver.transport", .label = "transport", .type = BRUME_VALUE_NAME, .offset = SIM(transport),
        .name_at = brume_transport_name, .default_name = "ppm",
        .doc = "Transport scheme of temperature and smoke: `ppm` conserves both and makes no new extrema; "
               "docs/transport.md compares it with the others.",
    },
    [BRUME_SIM_STORAGE] = {
        .path = "solver.storage", .label = "storage", .type = BRUME_VALUE_WORD, .offset = SIM(storage),
        .words = storage_words,
        .doc = "Numbers of temperature, smoke and fuel from step to step. `float`: 32 bits. `half`: 16 bits, to which "
               "they are rounded at the end of each step, at random and without bias; saved states are smaller, and "
               "volumes with `--half` lose nothing (docs/performance.md has what it changes).",
    },
    [BRUME_SIM_TRACE_ORDER] = {
        .path = "solver.trace_order", .label = "trace order", .type = BRUME_VALUE_INT, .offset = SIM(trace_order),
        .unit = "1", .min = 2, .max = 3, .defaults = {2},
        .doc = "Order of the Runge-Kutta method that traces paths backward for advection.",
    },
    [BRUME_SIM_SOLIDS] = {
        .path = "solver.solids", .label = "solids", .type = BRUME_VALUE_NAME, .offset = SIM(solids),
        .name_at = brume_solids_name, .default_name = "cells",
        .doc = "How bodies bound the air. `cells`: a cell whose center is inside a body is solid as a whole. `cut`: the "
               "faces of cells are open as far as the true surface leaves them, so that a surface has no steps; parts "
               "that are thinner than a cell close whole cells.",
    },
    [BRUME_SIM_PRESSURE] = {
        .path = "solver.pressure", .label = "pressure", .type = BRUME_VALUE_NAME, .offset = SIM(pressure),
        .name_at = brume_pressure_name, .default_name = "auto",
        .doc = "Solver of the Poisson equation for pressure, which makes the velocity free of divergence. `auto` "
               "selects the fastest solver for the box; `dct` and `fft` need a box without bodies.",
    },
    [BRUME_SIM_TOLERANCE] = {
        .path = "solver.tolerance", .label = "tolerance", .type = BRUME_VALUE_FLOAT, .offset = SIM(tolerance),
        .unit = "1", .min = 1e-7, .max = 0.5, .slider = {1e-6, 0.1, true}, .defaults = {1e-4},
        .doc = "Relative residual at which the pressure solve stops.",
    },
    [BRUME_SIM_MAX_ITERATIONS] = {
        .path = "solver.max_iterations", .label = "max iterations", .type = BRUME_VALUE_INT,
        .offset = SIM(max_iterations), .unit = "1", .min = 1, .max = 1000000, .slider = {1, 1000, true},
        .defaults = {200},
        .doc = "Maximum iterations of a pressure solve.",
    },
    [BRUME_SIM_OVER_RELAXATION] = {
        .path = "solver.over_relaxation", .label = "over-relaxation", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(over_relaxation), .unit = "1", .min = 0.05, .max = 1.999, .slider = {1, 1.99, false},
        .defaults = {1.9},
        .doc = "Factor of successive over-relaxation; only the pressure solver `relaxation` uses it.",
    },
    [BRUME_SIM_CFL] = {
        .path = "solver.cfl", .label = "CFL", .type = BRUME_VALUE_FLOAT, .offset = SIM(cfl), .unit = "cells",
        .min = 0.01, .max = 1000, .slider = {0.25, 10, true}, .defaults = {2},
        .doc = "Maximum displacement of a step, in cells (CFL number). 1 to 5 is sensible: smaller is sharper and "
               "slower.",
    },
    [BRUME_SIM_MIN_STEPS] = {
        .path = "solver.min_steps", .label = "min steps", .type = BRUME_VALUE_INT, .offset = SIM(min_steps),
        .unit = "1", .min = 1, .max = 100000, .slider = {1, 16, false}, .defaults = {1},
        .doc = "Minimum steps of a frame.",
    },
    [BRUME_SIM_MAX_STEPS] = {
        .path = "solver.max_steps", .label = "max steps", .type = BRUME_VALUE_INT, .offset = SIM(max_steps),
        .unit = "1", .min = 1, .max = 100000, .slider = {1, 64, true}, .defaults = {16},
        .doc = "Maximum steps of a frame. Where they do not suffice, the displacement of a step exceeds `cfl`; the "
               "solver remains stable.",
    },
    [BRUME_SIM_SEED] = {
        .path = "solver.seed", .type = BRUME_VALUE_UINT32, .offset = SIM(seed), .unit = "1", .min = 0,
        .max = 4294967295.0, .defaults = {0},
        .doc = "Seed of the noise of the emitters, and of the rounding of `storage: half`.",
    },
    [BRUME_SIM_TEXTURE_PERIOD] = {
        .path = "solver.texture_period", .label = "texture period", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(texture_period), .unit = "s", .min = 0, .max = 1e4, .slider = {0, 10, false}, .defaults = {0},
        .doc = "Above 0, the flow also carries texture coordinates, which `render.detail` follows, in two layers that "
               "fade into each other and start again alternately after this time: about that in which an eddy of a few "
               "cells turns once. Smoke and air do not depend on it. 0: none.",
    },
    [BRUME_SIM_FPS] = {
        .path = "time.fps", .label = "frame", .type = BRUME_VALUE_FLOAT, .offset = SIM(fps), .unit = "1/s",
        .min = 0.001, .max = 1e6, .slider = {5, 1000, true}, .defaults = {24},
        .doc = "Frames per second of simulated time. One frame is one picture of a recording.",
    },
    [BRUME_SIM_VISCOSITY] = {
        .path = "air.viscosity", .label = "viscosity", .type = BRUME_VALUE_FLOAT, .offset = SIM(viscosity),
        .unit = "m^2/s", .min = 0, .max = 1e6, .slider = {0, 1, true}, .defaults = {0}, .animated = true,
        .doc = "Kinematic viscosity. Real air has 1.5e-5.",
    },
    [BRUME_SIM_THERMAL_DIFFUSIVITY] = {
        .path = "air.thermal_diffusivity", .label = "heat diffusivity", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(thermal_diffusivity), .unit = "m^2/s", .min = 0, .max = 1e6, .slider = {0, 1, true},
        .defaults = {0}, .animated = true,
        .doc = "Diffusivity of temperature. Real air has 2.1e-5.",
    },
    [BRUME_SIM_THERMAL_EXPANSION] = {
        .path = "air.thermal_expansion", .label = "buoyancy", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(thermal_expansion), .unit = "1/K", .min = 0, .max = 1000, .slider = {0, 0.02, false},
        .physical = 1.0 / 300.0, .defaults = {1.0 / 300.0}, .animated = true,
        .doc = "Buoyancy of warm air: it accelerates by -gravity x expansion x temperature. Real air has 1 / 300.",
    },
    [BRUME_SIM_COOLING] = {
        .path = "air.cooling", .label = "cooling", .type = BRUME_VALUE_FLOAT, .offset = SIM(cooling), .unit = "1/s",
        .min = 0, .max = 1e6, .slider = {0, 10, true}, .defaults = {0}, .animated = true,
        .doc = "Rate at which temperature decays to ambient.",
    },
    [BRUME_SIM_VORTICITY_CONFINEMENT] = {
        .path = "air.vorticity_confinement", .label = "vorticity", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(vorticity_confinement), .unit = "1/s", .min = 0, .max = 1e6, .slider = {0, 3, false},
        .defaults = {0}, .animated = true,
        .doc = "Strength of vorticity confinement, a force that amplifies small vortices which the grid would damp. "
               "0.1 to 1 is visible.",
    },
    [BRUME_SIM_GRAVITY] = {
        .path = "air.gravity", .label = "gravity", .type = BRUME_VALUE_VECTOR, .offset = SIM(gravity),
        .unit = "m/s^2", .min = -1000, .max = 1000, .slider = {-30, 30, false}, .defaults = {0.0, -9.81, 0.0},
        .animated = true,
        .doc = "Acceleration of gravity (x, y, z).",
    },
    [BRUME_SIM_WIND] = {
        .path = "air.wind", .label = "wind", .type = BRUME_VALUE_VECTOR, .offset = SIM(wind), .unit = "m/s",
        .min = -1e6, .max = 1e6, .slider = {-10, 10, false}, .defaults = {0}, .animated = true,
        .doc = "Velocity of the ambient air (x, y, z): the initial velocity of the box, and the velocity that drag "
               "relaxes to.",
    },
    [BRUME_SIM_DRAG] = {
        .path = "air.drag", .label = "drag", .type = BRUME_VALUE_FLOAT, .offset = SIM(drag), .unit = "1/s", .min = 0,
        .max = 1e6, .slider = {0, 10, true}, .defaults = {0}, .animated = true,
        .doc = "Rate at which velocity relaxes to the wind.",
    },
    [BRUME_SIM_QUADRATIC_DRAG] = {
        .path = "air.quadratic_drag", .label = "quadratic drag", .type = BRUME_VALUE_FLOAT,
        .offset = SIM(quadratic_drag), .unit = "1/m", .min = 0, .max = 1e6, .slider = {0, 10, true}, .defaults = {0},
        .animated = true,
        .doc = "Deceleration relative to the wind, over the square of the speed.",
    },
    [BRUME_SIM_DRY_FRICTION] = {
        .path = "air.dry_friction", .label = "dry friction", .type = BRUME_VALUE_FLOAT, .offset = SIM(dry_friction),
        .unit = "m/s^2", .min = 0, .max = 1e6, .slider = {0, 10, true}, .defaults = {0}, .animated = true,
        .doc = "Deceleration relative to the wind whatever the speed, down to that of the wind.",
    },
    [BRUME_SIM_FIRE_MODEL] = {
        .path = "fire.model", .label = "fire", .type = BRUME_VALUE_WORD, .offset = SIM(fire.model),
        .words = fire_models,
        .doc = "How fuel burns. `none`: there is no fuel. `mixing`: as fast as fuel and air mix. `ignition`: at `rate`, "
               "where the gas is as hot as `ignition`.",
    },
    [BRUME_SIM_FIRE_HEAT] = {
        .path = "fire.heat", .label = "heat", .type = BRUME_VALUE_FLOAT, FIRE(heat, BURNS), .unit = "kJ/kg", .min = 1,
        .max = 1e6, .slider = {1000, 100000, true}, .physical = 50000, .defaults = {50000},
        .doc = "Heat of combustion of the fuel. Methane has 50000, propane 46300, wax 43000, wood 16000.",
    },
    [BRUME_SIM_FIRE_AIR] = {
        .path = "fire.air", .label = "air", .type = BRUME_VALUE_FLOAT, FIRE(air, BURNS), .unit = "1", .min = 0.01,
        .max = 1000, .slider = {1, 30, false}, .physical = 17.2, .defaults = {17.2},
        .doc = "Mass of air that burns a mass of fuel. Methane needs 17.2, propane 15.7, wax 14.9, wood 5.7.",
    },
    [BRUME_SIM_FIRE_RADIATED] = {
        .path = "fire.radiated", .label = "radiated", .type = BRUME_VALUE_FLOAT, FIRE(radiated, BURNS), .unit = "1",
        .min = 0, .max = 1, .slider = {0, 1, false}, .physical = 0.3, .defaults = {0.2},
        .doc = "Part of the heat that the flame radiates as the fuel burns; the rest heats the gas. Methane has 0.2, wood 0.3.",
    },
    [BRUME_SIM_FIRE_ABSORPTION] = {
        .path = "fire.absorption", .label = "burned gas", .type = BRUME_VALUE_FLOAT, FIRE(absorption, BURNS), .unit = "1/m",
        .min = 0, .max = 1000, .slider = {0, 10, false}, .defaults = {0},
        .doc = "Absorption coefficient of burned gas without excess air, by which it also radiates: the fourth power of its "
               "temperature, less that of the ambient air, times 4 sigma. Air is transparent: it falls as air dilutes the gas. "
               "The products of methane have 2.8 at 1170 K.",
    },
    [BRUME_SIM_FIRE_HEAT_CAPACITY] = {
        .path = "fire.heat_capacity", .label = "heat capacity", .type = BRUME_VALUE_FLOAT, FIRE(heat_capacity, BURNS),
        .unit = "1", .min = 0, .max = 100, .slider = {0, 5, false}, .physical = 2.8, .defaults = {2.8},
        .doc = "How much more heat the gas takes than air: where a part Z of its mass is fuel, burned or not, 1 + Z times "
               "this as much for the same temperature. Methane has 2.8, propane 2.2, wax 1.9, wood 0.8.",
    },
    [BRUME_SIM_FIRE_SOOT] = {
        .path = "fire.soot", .label = "soot", .type = BRUME_VALUE_FLOAT, FIRE(soot, BURNS), .unit = "1", .min = 0,
        .max = 1e5, .slider = {0, 100, false}, .defaults = {10},
        .doc = "Smoke that burning makes: its density where fuel of the mass of ambient air has burned.",
    },
    [BRUME_SIM_FIRE_SOOT_KIND] = {
        .path = "fire.soot_kind", .type = BRUME_VALUE_WORD, FIRE(soot_kind, BURNS), .words = smoke_words,
        .doc = "The kind of smoke that soot is: `density`, or `color_1` to `color_3`, which another smoke then need not be.",
    },
    [BRUME_SIM_FIRE_IGNITION] = {
        .path = "fire.ignition", .label = "ignition", .type = BRUME_VALUE_FLOAT,
        FIRE(ignition, 1u << BRUME_FIRE_IGNITION), .unit = "K", .min = -250, .max = 10000, .slider = {0, 1000, false},
        .defaults = {300},
        .doc = "Of the model `ignition`: temperature above ambient from which on fuel burns.",
    },
    [BRUME_SIM_FIRE_RATE] = {
        .path = "fire.rate", .label = "rate", .type = BRUME_VALUE_FLOAT, FIRE(rate, 1u << BRUME_FIRE_IGNITION),
        .unit = "1/s", .min = 0, .max = 1e5, .slider = {0.1, 100, true}, .defaults = {10},
        .doc = "Of the model `ignition`: the rate at which fuel, and the air for it, burn.",
    },
    [BRUME_SIM_VAPOR_KIND] = {
        .path = "vapor.kind", .label = "vapor", .type = BRUME_VALUE_WORD, .offset = SIM(vapor.kind),
        .words = vapor_words,
        .doc = "The kind of smoke that is water vapor, in kg per kg of dry air. It condenses where the air is saturated.",
    },
    [BRUME_SIM_VAPOR_LIQUID] = {
        .path = "vapor.liquid", .label = "liquid", .type = BRUME_VALUE_WORD, VAPOR(liquid), .words = smoke_words,
        .doc = "The kind of smoke that is liquid water, in kg per kg of dry air: the droplets of steam and clouds.",
    },
    [BRUME_SIM_VAPOR_TEMPERATURE] = {
        .path = "vapor.temperature", .label = "air", .type = BRUME_VALUE_FLOAT, VAPOR(temperature), .unit = "K",
        .min = 200, .max = 400, .slider = {250, 320, false}, .defaults = {293.15},
        .doc = "Absolute temperature of the ambient air at the height 0. It falls by g / c_p with the height, and so does "
               "that of rising air; the temperature of a scene is that of air brought to the height 0, above this one.",
    },
    [BRUME_SIM_VAPOR_PRESSURE] = {
        .path = "vapor.pressure", .label = "pressure", .type = BRUME_VALUE_FLOAT, VAPOR(pressure), .unit = "Pa",
        .min = 1e4, .max = 1e6, .slider = {50000, 110000, false}, .physical = 101325, .defaults = {101325},
        .doc = "Pressure of the ambient air at the height 0.",
    },
    [BRUME_SIM_VAPOR_AMBIENT] = {
        .path = "vapor.ambient", .label = "humidity", .type = BRUME_VALUE_FLOAT, VAPOR(ambient), .unit = "1", .min = 0,
        .max = 0.1, .slider = {0, 0.02, false}, .defaults = {0},
        .doc = "Vapor of the ambient air in kg per kg of dry air, which is everywhere and which the kind of smoke does not "
               "contain: steam evaporates more slowly in humid air. This vapor itself does not condense.",
    },
    [BRUME_SIM_MOST_PARTICLES] = {
        .path = "particles.most", .type = BRUME_VALUE_INT, .offset = SIM(most_particles), .unit = "1", .min = 0,
        .max = BRUME_MAX_PARTICLES, .defaults = {1000000},
        .doc = "The most particles of all kinds at a time; births beyond are left out. A particle takes 160 bytes.",
    },
    {.type = BRUME_VALUE_INT, .offset = SIM(color_count), .max = BRUME_SMOKE_KINDS - 1},
};

static const char *const face_kinds[] = {"wall", "open", "inflow", "periodic", NULL};
static const char *const slip_words[] = {"free", "no", NULL};
static const char *const profile_words[] = {"uniform", "parabolic", "tanh", NULL};
static const char *const opening_kinds[] = {"face", "round", "rectangle", NULL};

#define FACE(member) offsetof(BrumeFaceDef, member)
#define FACE_COLOR(n, ordinal)                                                                                        \
    [BRUME_FACE_DENSITY + (n)] = {                                                                                    \
        .path = "domain.boundaries.x_min.color_" #n, .type = BRUME_VALUE_FLOAT, .offset = FACE(smoke[n]), .unit = "1",\
        .min = 0, .max = 1000, .defaults = {0},                                                                       \
        .doc = "The same for smoke of the " ordinal " color.",                                                       \
    }
const BrumeSetting brume_face_setting_table[] = {
    [BRUME_FACE_KIND] = {
        .path = "domain.boundaries.x_min.kind", .type = BRUME_VALUE_WORD, .offset = FACE(kind), .words = face_kinds,
        .doc = "`wall`: no flow through it. `open`: air flows in and out, and the air that flows in is ambient, "
               "without smoke. `inflow`: air enters with the velocity, temperature and smoke given here. "
               "`periodic`: what leaves here enters at the opposite face, which must be periodic too.",
    },
    [BRUME_FACE_SLIP] = {
        .path = "domain.boundaries.x_min.slip", .type = BRUME_VALUE_BOOL, .offset = FACE(no_slip),
        .words = slip_words,
        .doc = "Of a wall, and of the wall around an `opening`: `free` lets air slip along it, `no` gives the air at "
               "it the velocity of the wall.",
    },
    [BRUME_FACE_VELOCITY] = {
        .path = "domain.boundaries.x_min.velocity", .type = BRUME_VALUE_VECTOR, .offset = FACE(velocity),
        .unit = "m/s", .min = -1e6, .max = 1e6, .fallback = "required at an inflow, [0, 0, 0] at a wall",
        .doc = "Of an inflow: velocity of the air that enters, as the mean over its opening. Of a wall with "
               "`slip: no`: velocity of the wall, which must be tangential.",
    },
    [BRUME_FACE_TEMPERATURE] = {
        .path = "domain.boundaries.x_min.temperature", .type = BRUME_VALUE_FLOAT, .offset = FACE(temperature),
        .unit = "K", .min = -250, .max = 10000, .fallback = "0 at an inflow, none at a wall",
        .doc = "Of an inflow: temperature of the air that enters. Of a wall: its fixed temperature, from which heat "
               "diffuses at the rate of `air.thermal_diffusivity`; a wall without one has a `heat_flux`.",
    },
    [BRUME_FACE_DENSITY] = {
        .path = "domain.boundaries.x_min.density", .type = BRUME_VALUE_FLOAT, .offset = FACE(smoke[0]), .unit = "1",
        .min = 0, .max = 1000, .defaults = {0},
        .doc = "Of an inflow: density of plain smoke in the air that enters.",
    },
    FACE_COLOR(1, "first"), FACE_COLOR(2, "second"), FACE_COLOR(3, "third"),
    [BRUME_FACE_HEAT_FLUX] = {
        .path = "domain.boundaries.x_min.heat_flux", .type = BRUME_VALUE_FLOAT, .offset = FACE(heat_flux),
        .unit = "K m/s", .min = -1e6, .max = 1e6, .defaults = {0},
        .doc = "Of a wall without a `temperature`: kinematic heat flux from it into the air, that is the heat flux "
               "[W/m^2] divided by density and heat capacity of the air; 1 K m/s is about 1200 W/m^2. 0 insulates.",
    },
    [BRUME_FACE_PROFILE] = {
        .path = "domain.boundaries.x_min.profile", .type = BRUME_VALUE_WORD, .offset = FACE(profile),
        .words = profile_words,
        .doc = "Of an inflow: distribution of the velocity over its opening. `uniform`; `parabolic`, 0 at the edge, as "
               "in a long pipe or between plates; `tanh`, boundary layers of the given `thickness` at the edge. "
               "There is no edge along a periodic axis. The mean is `velocity`.",
    },
    [BRUME_FACE_THICKNESS] = {
        .path = "domain.boundaries.x_min.thickness", .type = BRUME_VALUE_FLOAT, .offset = FACE(thickness),
        .unit = "m", .min = 1e-6, .max = 1e6, .fallback = "required with `profile: tanh`",
        .doc = "Of a profile `tanh`: distance from the edge at which the velocity has reached 76 % of that far away.",
    },
    [BRUME_FACE_OPENING_CENTER] = {
        .path = "domain.boundaries.x_min.opening.center", .type = BRUME_VALUE_VECTOR, .offset = FACE(opening.center),
        .unit = "m", .min = -1e5, .max = 1e5, .fallback = "required",
        .doc = "Center of the opening. The component along the normal of the face is ignored.",
    },
    [BRUME_FACE_OPENING_RADIUS] = {
        .path = "domain.boundaries.x_min.opening.radius", .type = BRUME_VALUE_FLOAT, .offset = FACE(opening.radius),
        .unit = "m", .min = 1e-6, .max = 1e4, .fallback = "required without `size`",
        .doc = "Radius of a round opening.",
    },
    [BRUME_FACE_OPENING_SIZE] = {
        .path = "domain.boundaries.x_min.opening.size", .type = BRUME_VALUE_COLOR, .offset = FACE(opening.size),
        .unit = "m", .min = 0, .max = 1e4, .fallback = "required without `radius`",
        .doc = "Sides of a rectangular opening. The component along the normal of the face is ignored.",
    },
    {.type = BRUME_VALUE_BOOL, .offset = FACE(fixed_temperature)},
    {.type = BRUME_VALUE_WORD, .offset = FACE(opening.kind), .words = opening_kinds},
};

static const char *const body_slip_words[] = {"auto", "free", "no", NULL};

#define BODY(member) offsetof(BrumeBodyDef, member)
const BrumeSetting brume_body_setting_table[] = {
    [BRUME_BODY_NAME] = {
        .path = "bodies[].name", .type = BRUME_VALUE_TEXT, .offset = BODY(name), .min = 0,
        .max = BRUME_BODY_NAME_SIZE - 1, .fallback = "none", .fixed = true,
        .doc = "A name, by which `parent` can refer to it. It has a letter.",
    },
    [BRUME_BODY_SLIP] = {
        .path = "bodies[].slip", .type = BRUME_VALUE_WORD, .offset = BODY(slip), .words = body_slip_words,
        .fixed = true,
        .doc = "`free` lets air slip along the body, `no` gives the air at its surface the velocity of the "
               "body. `auto` is `no` where `air.viscosity` is above 0, otherwise `free`.",
    },
    [BRUME_BODY_TEMPERATURE] = {
        .path = "bodies[].temperature", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        .offset = BODY(temperature), .unit = "K", .min = -250, .max = 10000, .slider = {0, 500, false}, .fallback = "none", .fixed = true,
        .animated = true,
        .doc = "Temperature of its surface, from which heat diffuses into the air; needs an "
               "`air.thermal_diffusivity`. A body without one has a `heat_flux`.",
    },
    [BRUME_BODY_HEAT_FLUX] = {
        .path = "bodies[].heat_flux", .label = "heat flux", .type = BRUME_VALUE_FLOAT, .offset = BODY(heat_flux),
        .unit = "K m/s", .min = -1e6, .max = 1e6, .slider = {-1, 1, false}, .defaults = {0}, .fixed = true, .animated = true,
        .doc = "Of a body without a `temperature`: kinematic heat flux from its surface into the air, as that of walls. 0 "
               "insulates.",
    },
    {.type = BRUME_VALUE_INT, .offset = BODY(parent), .max = BRUME_MAX_BODIES},
    {.type = BRUME_VALUE_BOOL, .offset = BODY(fixed_temperature)},
    {.type = BRUME_VALUE_BOOL, .offset = BODY(passable)},
    {.type = BRUME_VALUE_BOOL, .offset = BODY(disabled)},
};

static const char *const particle_shapes[] = {"tracer", "sphere", "plate", NULL};
#define PARTICLE(member) .offset = offsetof(BrumeParticleDef, member)
#define OF_SHAPE(member, kinds_)                                                                                      \
    PARTICLE(member), .kind_offset = offsetof(BrumeParticleDef, shape), .kinds = (kinds_)
#define HEAVY (1u << BRUME_PARTICLE_SPHERE | 1u << BRUME_PARTICLE_PLATE)
const BrumeSetting brume_particle_setting_table[BRUME_PARTICLE_SETTING_COUNT] = {
    [BRUME_PARTICLE_SHAPE] = {
        .path = "particles.dust.shape", .label = "shape", .type = BRUME_VALUE_WORD, PARTICLE(shape),
        .words = particle_shapes,
        .doc = "`tracer`: it has the velocity of the air. `sphere`: it has weight and drag. `plate`: a round plate, which "
               "also turns. Embers are spheres, leaves and flakes are plates, unless this says otherwise.",
    },
    [BRUME_PARTICLE_DIAMETER] = {
        .path = "particles.dust.diameter", .label = "diameter", .type = BRUME_VALUE_FLOAT, PARTICLE(diameter),
        .unit = "m", .min = 1e-7, .max = 1000, .slider = {1e-5, 0.1, true}, .defaults = {1e-4}, .fallback = "by the kind",
        .doc = "Diameter.",
    },
    [BRUME_PARTICLE_SPREAD] = {
        .path = "particles.dust.spread", .label = "spread", .type = BRUME_VALUE_FLOAT, PARTICLE(spread), .unit = "1",
        .min = 0, .max = 0.99, .slider = {0, 0.99, false}, .fallback = "by the kind",
        .doc = "Diameters are from (1 - spread) to (1 + spread) times the diameter, all of them equally likely.",
    },
    [BRUME_PARTICLE_THICKNESS] = {
        .path = "particles.dust.thickness", .label = "thickness", .type = BRUME_VALUE_FLOAT,
        OF_SHAPE(thickness, 1u << BRUME_PARTICLE_PLATE), .unit = "m", .min = 1e-7, .max = 10,
        .slider = {1e-5, 0.01, true}, .defaults = {1e-4}, .fallback = "by the kind",
        .doc = "Thickness of plates.",
    },
    [BRUME_PARTICLE_DENSITY] = {
        .path = "particles.dust.density", .label = "density", .type = BRUME_VALUE_FLOAT, OF_SHAPE(density, HEAVY),
        .unit = "kg/m^3", .min = 1e-3, .max = 1e5, .slider = {1, 10000, true}, .defaults = {1000},
        .fallback = "by the kind",
        .doc = "Density of their material: sand has 2650, wood 500, charcoal 300, a dry leaf 400, paper 800.",
    },
    [BRUME_PARTICLE_LIFE] = {
        .path = "particles.dust.life", .label = "life", .type = BRUME_VALUE_FLOAT, PARTICLE(life), .unit = "s",
        .min = 0, .max = 1e6, .slider = {0, 100, true}, .fallback = "by the kind",
        .doc = "Mean time after which a particle vanishes; that of each is from half to one and a half of it. 0: never.",
    },
    [BRUME_PARTICLE_BOUNCE] = {
        .path = "particles.dust.bounce", .label = "bounce", .type = BRUME_VALUE_FLOAT, OF_SHAPE(bounce, HEAVY),
        .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false}, .fallback = "by the kind",
        .doc = "Speed after an impact over the speed before it.",
    },
    [BRUME_PARTICLE_FRICTION] = {
        .path = "particles.dust.friction", .label = "friction", .type = BRUME_VALUE_FLOAT, OF_SHAPE(friction, HEAVY),
        .unit = "1", .min = 0, .max = 100, .slider = {0, 2, false}, .defaults = {0.5}, .fallback = "by the kind",
        .doc = "Coefficient of friction on surfaces.",
    },
    [BRUME_PARTICLE_REACTS] = {
        .path = "particles.dust.reacts", .label = "acts on air", .type = BRUME_VALUE_BOOL, OF_SHAPE(reacts, HEAVY),
        .doc = "Whether the air gets the opposite of the force that it has on them.",
    },
};

#define SMOKE(member) offsetof(BrumeSmokeDef, member)
const BrumeSetting brume_smoke_setting_table[BRUME_SMOKE_SETTING_COUNT] = {
    [BRUME_SMOKE_WEIGHT] = {
        .path = "smoke.density.weight", .label = "weight", .type = BRUME_VALUE_FLOAT, .offset = SMOKE(weight),
        .unit = "1", .min = -10, .max = 10, .slider = {-1, 1, false}, .defaults = {0}, .animated = true,
        .doc = "Fraction by which a density of 1 makes air heavier: it accelerates by gravity x weight x density. "
               "Negative weights make smoke rise.",
    },
    [BRUME_SMOKE_DISSIPATION] = {
        .path = "smoke.density.dissipation", .label = "dissipation", .type = BRUME_VALUE_FLOAT,
        .offset = SMOKE(dissipation), .unit = "1/s", .min = -100, .max = 1e6, .slider = {0, 10, true}, .defaults = {0},
        .animated = true,
        .doc = "Rate at which the smoke decays. Below 0 it grows, by rate x density x (1 - density): up to a density of 1.",
    },
    [BRUME_SMOKE_DIFFUSIVITY] = {
        .path = "smoke.density.diffusivity", .label = "diffusivity", .type = BRUME_VALUE_FLOAT,
        .offset = SMOKE(diffusivity), .unit = "m^2/s", .min = 0, .max = 1e6, .slider = {0, 1, true}, .defaults = {0},
        .animated = true,
        .doc = "Diffusivity of the smoke.",
    },
};

static const char *const shape_kinds[] = {"sphere", "box",   "cylinder", "capsule", "volume",
                                          "cone",   "torus", "plane",    "mesh",    NULL};

#define SHAPE(member) offsetof(BrumeShape, member)
#define OF(kind) (1u << BRUME_SHAPE_##kind)
const BrumeSetting brume_shape_setting_table[] = {
    [BRUME_SHAPE_KIND] = {
        .path = "emitters[].shape", .type = BRUME_VALUE_WORD, .offset = SHAPE(kind), .words = shape_kinds,
        .fallback = "required",
        .doc = "The kind of shape.",
    },
    [BRUME_SHAPE_CENTER] = {
        .path = "emitters[].center", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(a), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = OF(SPHERE) | OF(TORUS) | OF(PLANE) | OF(MESH),
        .doc = "Center of a sphere, a box, a torus, or the box of a volume; a point of a plane; of a mesh, where the origin of "
               "its file is, [0, 0, 0] if absent.",
    },
    [BRUME_SHAPE_RADIUS] = {
        .path = "emitters[].radius", .type = BRUME_VALUE_FLOAT, .offset = SHAPE(radius), .unit = "m", .min = 1e-4,
        .max = 1e4, .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = OF(SPHERE) | OF(CYLINDER) | OF(CAPSULE) | OF(CONE) | OF(TORUS),
        .doc = "Radius of a sphere, cylinder or capsule, of a cone at `from`, of the ring of a torus.",
    },
    [BRUME_SHAPE_SIZE] = {
        .path = "emitters[].size", .type = BRUME_VALUE_COLOR, .offset = SHAPE(b), .unit = "m", .min = 1e-4,
        .max = 1e4, .fallback = "depends on the shape",
        .doc = "Sides of a box with a `center`; of a volume or a mesh, of one number: the longest side, with the proportions of the file.",
    },
    [BRUME_SHAPE_FROM] = {
        .path = "emitters[].from", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(a), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = ~(OF(SPHERE) | OF(TORUS) | OF(PLANE) | OF(MESH)),
        .doc = "One end of the axis of a cylinder, capsule or cone, or one corner of a box or a volume without a `center`.",
    },
    [BRUME_SHAPE_TO] = {
        .path = "emitters[].to", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(b), .unit = "m", .min = -1e5, .max = 1e5,
        .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = ~(OF(SPHERE) | OF(TORUS) | OF(PLANE) | OF(MESH)),
        .doc = "The other end of the axis, or the opposite corner.",
    },
    [BRUME_SHAPE_RADIUS_TO] = {
        .path = "emitters[].radius_to", .type = BRUME_VALUE_FLOAT, .offset = SHAPE(second_radius), .unit = "m",
        .min = 0, .max = 1e4, .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = OF(CONE),
        .doc = "Radius of a cone at `to`; 0 for a tip.",
    },
    [BRUME_SHAPE_TUBE_RADIUS] = {
        .path = "emitters[].tube_radius", .type = BRUME_VALUE_FLOAT, .offset = SHAPE(second_radius), .unit = "m",
        .min = 1e-4, .max = 1e4, .fallback = "depends on the shape", .animated = true,
        .kind_offset = SHAPE(kind), .kinds = OF(TORUS),
        .doc = "Radius of the tube of a torus.",
    },
    [BRUME_SHAPE_THRESHOLD] = {
        .path = "emitters[].threshold", .type = BRUME_VALUE_FLOAT, .offset = SHAPE(threshold),
        .unit = "unit of the grid", .min = -1e6, .max = 1e6, .defaults = {0.5},
        .kind_offset = SHAPE(kind), .kinds = OF(VOLUME),
        .doc = "Of a volume: a body is solid where the values of the grid are above it; an emitter has its full "
               "strength there, and in proportion to the values below it. Above 0 for an emitter.",
    },
    [BRUME_SHAPE_POSITION] = {
        .path = "emitters[].position", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(position), .unit = "m",
        .min = -1e5, .max = 1e5, .animated = true,
        .doc = "By how much it is moved from where its other keys place it.",
    },
    [BRUME_SHAPE_ROTATION] = {
        .path = "emitters[].rotation", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(rotation), .unit = "degrees",
        .min = -1e6, .max = 1e6, .animated = true,
        .doc = "Angles by which it is turned about its pivot: about x, then about y, then about z (Euler angles XYZ).",
    },
    [BRUME_SHAPE_SCALE] = {
        .path = "emitters[].scale", .type = BRUME_VALUE_COLOR, .offset = SHAPE(scale), .unit = "1", .min = 1e-6,
        .max = 1e6, .defaults = {1, 1, 1}, .animated = true,
        .doc = "Factors of its size along its own axes x, y and z, about its pivot, before it is turned.",
    },
    [BRUME_SHAPE_PIVOT] = {
        .path = "emitters[].pivot", .type = BRUME_VALUE_VECTOR, .offset = SHAPE(pivot), .unit = "m", .min = -1e5,
        .max = 1e5,
        .doc = "Position of its pivot from its center, before it is scaled and turned.",
    },
    {.type = BRUME_VALUE_POINTER, .offset = SHAPE(samples)},
    {.type = BRUME_VALUE_POINTER, .offset = SHAPE(mesh)},
};

#define STROKE(member) offsetof(BrumeStroke, member)
#define STROKE_COLOR(n, ordinal)                                                                                      \
    [BRUME_STROKE_DENSITY + (n)] = {                                                                                  \
        .path = "timeline[].strokes[].color_" #n, .type = BRUME_VALUE_FLOAT, .offset = STROKE(smoke[n]), .unit = "1", \
        .min = 0, .max = 1000, .fallback = "0", .fixed = true,                                                        \
        .doc = "The same for smoke of the " ordinal " color.",                                                       \
    }
#define STROKE_PARTICLES(n, name)                                                                                     \
    [BRUME_STROKE_DUST + (n)] = {                                                                                     \
        .path = "timeline[].strokes[]." name, .type = BRUME_VALUE_FLOAT, .offset = STROKE(particles[n]),              \
        .unit = "1/s", .min = 0, .max = 1e8, .fallback = "0", .fixed = true,                                          \
        .doc = "Number of " name " that are born per second within the radius.",                                      \
    }
const BrumeSetting brume_stroke_setting_table[BRUME_STROKE_SETTING_COUNT] = {
    [BRUME_STROKE_START] = {
        .path = "timeline[].strokes[].start", .type = BRUME_VALUE_DOUBLE, .offset = STROKE(start), .unit = "s",
        .min = 0, .max = 1e7, .fallback = "the end of the previous segment", .fixed = true,
        .doc = "Simulated time at which the tip is at `from`.",
    },
    [BRUME_STROKE_END] = {
        .path = "timeline[].strokes[].end", .type = BRUME_VALUE_DOUBLE, .offset = STROKE(end), .unit = "s", .min = 0,
        .max = 1e7, .fallback = "required", .fixed = true,
        .doc = "Simulated time at which the tip is at `to`.",
    },
    [BRUME_STROKE_FROM] = {
        .path = "timeline[].strokes[].from", .type = BRUME_VALUE_VECTOR, .offset = STROKE(from), .unit = "m",
        .min = -1e6, .max = 1e6, .fallback = "`to` of the previous segment", .fixed = true,
        .doc = "Position at the start.",
    },
    [BRUME_STROKE_TO] = {
        .path = "timeline[].strokes[].to", .type = BRUME_VALUE_VECTOR, .offset = STROKE(to), .unit = "m", .min = -1e6,
        .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "Position at the end.",
    },
    [BRUME_STROKE_FROM_SLOPE] = {
        .path = "timeline[].strokes[].from_slope", .type = BRUME_VALUE_VECTOR, .offset = STROKE(from_slope),
        .unit = "m", .min = -1e6, .max = 1e6,
        .fallback = "`to_slope` of the previous segment; of the first: straight", .fixed = true,
        .doc = "Derivative of the position at the start, per duration of the segment. The tip follows the cubic "
               "Hermite curve of both positions and derivatives.",
    },
    [BRUME_STROKE_TO_SLOPE] = {
        .path = "timeline[].strokes[].to_slope", .type = BRUME_VALUE_VECTOR, .offset = STROKE(to_slope), .unit = "m",
        .min = -1e6, .max = 1e6, .fallback = "straight", .fixed = true,
        .doc = "The same at the end.",
    },
    [BRUME_STROKE_RADIUS] = {
        .path = "timeline[].strokes[].radius", .type = BRUME_VALUE_FLOAT, .offset = STROKE(radius), .unit = "m",
        .min = 1e-6, .max = 1e6, .fallback = "required", .fixed = true,
        .doc = "Distance from the curve at which the effect has decreased to 0.",
    },
    [BRUME_STROKE_DENSITY] = {
        .path = "timeline[].strokes[].density", .type = BRUME_VALUE_FLOAT, .offset = STROKE(smoke[0]), .unit = "1",
        .min = 0, .max = 1000, .fallback = "0", .fixed = true,
        .doc = "The density of plain smoke is raised to at least this value.",
    },
    STROKE_COLOR(1, "first"), STROKE_COLOR(2, "second"), STROKE_COLOR(3, "third"),
    [BRUME_STROKE_TEMPERATURE] = {
        .path = "timeline[].strokes[].temperature", .type = BRUME_VALUE_FLOAT, .offset = STROKE(temperature),
        .unit = "K", .min = -250, .max = 10000, .fallback = "0", .fixed = true,
        .doc = "The temperature is raised to at least this value; below 0 it is lowered to at most this value.",
    },
    STROKE_PARTICLES(BRUME_PARTICLE_DUST, "dust"), STROKE_PARTICLES(BRUME_PARTICLE_EMBERS, "embers"),
    STROKE_PARTICLES(BRUME_PARTICLE_LEAVES, "leaves"), STROKE_PARTICLES(BRUME_PARTICLE_FLAKES, "flakes"),
    [BRUME_STROKE_FUEL] = {
        .path = "timeline[].strokes[].fuel", .type = BRUME_VALUE_FLOAT, .offset = STROKE(fuel), .unit = "1", .min = 0,
        .max = 1000, .fallback = "0", .fixed = true,
        .doc = "The mass of fuel is raised to at least this part of that of ambient air.",
    },
    [BRUME_STROKE_ERASE] = {
        .path = "timeline[].strokes[].erase", .type = BRUME_VALUE_FLOAT, .offset = STROKE(erase), .unit = "1",
        .min = 0, .max = 1000, .fallback = "0", .fixed = true,
        .doc = "Above 0, smoke is removed before it is added: where the strength of the effect is f, all smoke together "
               "is lowered to at most erase (1 - f) / f, in proportion, and the temperature by the same factor.",
    },
    [BRUME_STROKE_PUSH] = {
        .path = "timeline[].strokes[].push", .type = BRUME_VALUE_FLOAT, .offset = STROKE(push), .unit = "1/s",
        .min = 0, .max = 1e6, .fallback = "0", .fixed = true,
        .doc = "Rate at which the velocity of the air relaxes to the sum of `velocity` and the flows of `suck` and "
               "`twist`.",
    },
    [BRUME_STROKE_VELOCITY] = {
        .path = "timeline[].strokes[].velocity", .type = BRUME_VALUE_VECTOR, .offset = STROKE(velocity),
        .unit = "m/s", .min = -1e6, .max = 1e6, .fallback = "[0, 0, 0]", .fixed = true,
        .doc = "Uniform velocity that `push` relaxes the air to.",
    },
    [BRUME_STROKE_SUCK] = {
        .path = "timeline[].strokes[].suck", .type = BRUME_VALUE_FLOAT, .offset = STROKE(suck), .unit = "m/s",
        .min = -1e5, .max = 1e5, .fallback = "0", .fixed = true,
        .doc = "Largest speed towards the axis of the flow that `push` relaxes the air to; the air leaves along the axis "
               "at up to twice this speed. Below 0 it is blown away from the axis.",
    },
    [BRUME_STROKE_TWIST] = {
        .path = "timeline[].strokes[].twist", .type = BRUME_VALUE_FLOAT, .offset = STROKE(twist), .unit = "rad/s",
        .min = -1e5, .max = 1e5, .fallback = "0", .fixed = true,
        .doc = "Angular velocity about the axis that `push` relaxes the air to, by the right hand rule.",
    },
    [BRUME_STROKE_AXIS] = {
        .path = "timeline[].strokes[].axis", .type = BRUME_VALUE_VECTOR, .offset = STROKE(axis), .unit = "1",
        .min = -1e6, .max = 1e6, .fallback = "[0, 0, 0]; required with `suck` or `twist`", .fixed = true,
        .doc = "Direction of the axis of `suck` and `twist`, which goes through the tip; of any length.",
    },
};

const BrumeSetting brume_move_setting_table[BRUME_MOVE_SETTING_COUNT] = {
    [BRUME_MOVE_BODY] = {
        .path = "timeline[].moves[].body", .type = BRUME_VALUE_INT, .offset = offsetof(BrumeMove, body),
        .unit = "1", .min = 0, .max = BRUME_MAX_BODIES - 1, .fallback = "required", .fixed = true,
        .doc = "Index of the body, counted from 0.",
    },
    [BRUME_MOVE_VELOCITY] = {
        .path = "timeline[].moves[].velocity", .type = BRUME_VALUE_VECTOR, .offset = offsetof(BrumeMove, velocity),
        .unit = "m/s", .min = -1e6, .max = 1e6, .fallback = "required without a `rotation_rate`", .fixed = true,
        .doc = "Velocity during the coming frame; the body is at rest after it.",
    },
    [BRUME_MOVE_ROTATION_RATE] = {
        .path = "timeline[].moves[].rotation_rate", .type = BRUME_VALUE_VECTOR,
        .offset = offsetof(BrumeMove, rotation_rate), .unit = "degrees/s", .min = -1e6, .max = 1e6, .fixed = true,
        .doc = "Change of its `rotation` per second during the coming frame.",
    },
};
// clang-format on

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define SETTINGS(table) .setting_count = COUNT(table), .settings = (table)
#define ARRAYS(table) .array_count = COUNT(table), .arrays = (table)
const BrumeMembers brume_face_members = {SETTINGS(brume_face_setting_table)};
const BrumeMembers brume_shape_members = {SETTINGS(brume_shape_setting_table)};
const BrumeMembers brume_stroke_members = {SETTINGS(brume_stroke_setting_table)};
static const BrumeMembers smoke_members = {SETTINGS(brume_smoke_setting_table)};
static const BrumeMembers particle_members = {SETTINGS(brume_particle_setting_table)};

static const BrumeMemberArray body_shape[] = {{.items = &brume_shape_members, .offset = BODY(shape), .length = 1}};
const BrumeMembers brume_body_members = {SETTINGS(brume_body_setting_table), ARRAYS(body_shape)};

static const BrumeMemberArray sim_arrays[] = {
    {&brume_face_members, SIM(faces), sizeof(BrumeFaceDef), BRUME_FACE_COUNT, false, 0},
    {&brume_body_members, SIM(bodies), sizeof(BrumeBodyDef), BRUME_MAX_BODIES, true, SIM(body_count)},
    {&brume_initial_members, SIM(initial), sizeof(BrumeInitialDef), BRUME_MAX_INITIAL, true, SIM(initial_count)},
    {&brume_emitter_members, SIM(emitters), sizeof(BrumeEmitterDef), BRUME_MAX_EMITTERS, true, SIM(emitter_count)},
    {&smoke_members, SIM(smoke), sizeof(BrumeSmokeDef), BRUME_SMOKE_KINDS, false, 0},
    {&particle_members, SIM(particles), sizeof(BrumeParticleDef), BRUME_PARTICLE_KINDS, false, 0},
};
const BrumeMembers brume_sim_members = {SETTINGS(brume_sim_setting_table), ARRAYS(sim_arrays)};
