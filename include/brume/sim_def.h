/**
 * @file sim_def.h
 * Everything that a simulation can be told before it starts: plain settings in SI units, filled with defaults by
 * brume_default_sim_def, checked by brume_sim_create.
 */
#ifndef BRUME_SIM_DEF_H
#define BRUME_SIM_DEF_H

#include "brume/export.h"
#include "brume/shape.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

/** Kinds of smoke: entry 0 is `density`, the plain smoke; 1 to 3 are the color densities. */
enum { BRUME_SMOKE_KINDS = 4, BRUME_MAX_EMITTERS = 64, BRUME_MAX_OBSTACLES = 64 };

/** The faces of the box, in the order of BrumeSimDef.faces. */
typedef enum BrumeFace {
    BRUME_FACE_X_MIN,
    BRUME_FACE_X_MAX,
    BRUME_FACE_Y_MIN, ///< the floor
    BRUME_FACE_Y_MAX, ///< the ceiling
    BRUME_FACE_Z_MIN,
    BRUME_FACE_Z_MAX,
    BRUME_FACE_COUNT,
} BrumeFace;

typedef enum BrumeFaceKind {
    BRUME_WALL,     ///< no flow through it; slips freely or not at all
    BRUME_OPEN,     ///< pressure 0; what flows in is clean, ambient air
    BRUME_INFLOW,   ///< a given velocity, temperature and smoke
    BRUME_PERIODIC, ///< what leaves here enters at the opposite face, which must be periodic too
} BrumeFaceKind;

/** What one face of the box does. Members of other kinds are ignored. */
typedef struct BrumeFaceDef {
    BrumeFaceKind kind;
    bool no_slip;                   ///< wall: air at it moves with it; otherwise it slips freely
    bool fixed_temperature;         ///< wall: it is held at `temperature`; otherwise it insulates
    BrumeVec3 velocity;             ///< wall (tangential, no-slip) or inflow (all components) [m/s]
    float temperature;              ///< wall with fixed_temperature, or inflow [K above ambient]
    float smoke[BRUME_SMOKE_KINDS]; ///< inflow: density of each kind of smoke
} BrumeFaceDef;

/** How a kind of smoke behaves in the flow; how it looks is the renderer's matter. */
typedef struct BrumeSmokeDef {
    float weight; ///< share by which a density of 1 makes air heavier [1]; acceleration is gravity * weight * density
    float dissipation; ///< rate at which it vanishes [1/s]
    float diffusivity; ///< [m^2/s]
} BrumeSmokeDef;

/** What an emitter does to one quantity inside its shape. */
typedef enum BrumeSourceMode {
    BRUME_SOURCE_NONE, ///< leaves it alone
    BRUME_SOURCE_RATE, ///< adds `value` a second
    BRUME_SOURCE_SET,  ///< imposes `value`
} BrumeSourceMode;

typedef struct BrumeSource {
    BrumeSourceMode mode;
    float value; ///< in the quantity's unit (SET) or unit a second (RATE)
} BrumeSource;

typedef struct BrumeVectorSource {
    BrumeSourceMode mode;
    BrumeVec3 value; ///< [m/s] (SET) or [m/s^2] (RATE)
} BrumeVectorSource;

/** A region that makes smoke, heat and motion from `start` to `end`. */
typedef struct BrumeEmitterDef {
    BrumeShape shape;
    float start;                          ///< [s]
    float end;                            ///< [s], INFINITY for ever
    BrumeSource smoke[BRUME_SMOKE_KINDS]; ///< density of each kind [1], [1/s]
    BrumeSource temperature;              ///< [K above ambient], [K/s]
    BrumeVectorSource velocity;
    float noise;       ///< how uneven smoke and heat come out, 0 to 1: scaled by 1 - noise + 2 noise n, n in [0, 1)
    float noise_scale; ///< size of its features [m]
    float noise_speed; ///< how often a second it changes [1/s]
} BrumeEmitterDef;

/** A solid, at rest unless it is moved (brume_sim_move). No air flows through it and no smoke is inside. */
typedef struct BrumeObstacleDef {
    BrumeShape shape;
} BrumeObstacleDef;

/** Settings of a simulation. All lengths and velocities are in world units: the lower corner of the box is `origin`. */
typedef struct BrumeSimDef {
    // the box
    int nx, ny, nz;   ///< cells along each side, 8 to 4096 each
    float dx;         ///< side of a (cubic) cell [m]
    BrumeVec3 origin; ///< lower corner of the box [m]
    BrumeFaceDef faces[BRUME_FACE_COUNT];
    int obstacle_count;
    BrumeObstacleDef obstacles[BRUME_MAX_OBSTACLES];

    // what drives the flow
    int emitter_count;
    BrumeEmitterDef emitters[BRUME_MAX_EMITTERS];
    BrumeVec3 gravity;           ///< [m/s^2]
    float thermal_expansion;     ///< lift by heat: acceleration is -gravity * expansion * temperature [1/K]
    float vorticity_confinement; ///< strength epsilon of Fedkiw, Stam, Jensen 2001 [1/s]
    BrumeVec3 wind;              ///< velocity of the ambient air [m/s]: where the box starts and what drag pulls to
    float drag;                  ///< rate at which velocity relaxes to the wind [1/s]

    // what the air and its load are like
    float viscosity;           ///< kinematic [m^2/s]
    float thermal_diffusivity; ///< [m^2/s]
    float cooling;             ///< rate at which temperature falls to ambient [1/s]
    int color_count;           ///< color densities in use, 0 to 3: kinds 1..color_count exist
    BrumeSmokeDef smoke[BRUME_SMOKE_KINDS];

    // time
    float fps;     ///< frames a second [1/s]
    float cfl;     ///< most cells of travel in a step
    int min_steps; ///< least steps in a frame
    int max_steps; ///< most steps in a frame; where they do not suffice, steps grow longer and stay stable

    // the solver
    const char *kernels;   ///< "fast", or "reference" for the plain twins in src/sim/reference: the same bits, slowly
    const char *advection; ///< a name of brume_advection_name: "maccormack" or "semi-lagrangian"
    int trace_order;       ///< Runge-Kutta order of the backward trace: 2 or 3
    const char
        *pressure; ///< a name of brume_pressure_name: "mgpcg", "multigrid", "cg", "relaxation", "dct", "fft" or "auto"
    float tolerance;       ///< relative residual |b - Ap| / |b| at which the pressure solve stops
    int max_iterations;    ///< of the pressure solve
    float over_relaxation; ///< of "relaxation", in (0, 2)
    uint32_t seed;         ///< of the emitters' noise
} BrumeSimDef;

/** A closed unit box of 64^3 cells with an open top and the default air; nothing emits. */
BRUME_API BrumeSimDef brume_default_sim_def(void);

/** An emitter of nothing: a shape of radius 0 at the origin, for ever, with noise off. */
BRUME_API BrumeEmitterDef brume_default_emitter_def(void);

/** Whether all six faces of the box are periodic. */
BRUME_API bool brume_all_periodic(const BrumeSimDef *def);

/** The name of the `index`-th advection scheme, NULL past the last; the first is the default. */
BRUME_API const char *brume_advection_name(int index);

/** The name of the `index`-th set of inner loops, "fast" or "reference", NULL past the last; the first is the default. */
BRUME_API const char *brume_kernels_name(int index);

/** The name of the `index`-th pressure solver, NULL past the last. */
BRUME_API const char *brume_pressure_name(int index);

/**
 * What a pressure solver needs that a box does not have, as in "needs a box without obstacles"; NULL where the solver
 * fits. `all_periodic` says whether all six sides are periodic. Names that are unknown fit.
 */
BRUME_API const char *brume_pressure_unmet_need(const char *name, bool obstacles, bool all_periodic);

/** The pressure solver that a name comes to in such a box: what "auto" picks, else the name itself. */
BRUME_API const char *brume_pressure_resolve(const char *name, bool obstacles, bool all_periodic);

BRUME_END_DECLS

#endif
