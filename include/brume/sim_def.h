/**
 * @file sim_def.h
 * The settings of a simulation in SI units. brume_default_sim_def fills them with defaults, brume_sim_create checks
 * them.
 */
#ifndef BRUME_SIM_DEF_H
#define BRUME_SIM_DEF_H

#include "brume/export.h"
#include "brume/initial.h"
#include "brume/particle.h"
#include "brume/shape.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

/** Kinds of smoke: 0 is `density`, the plain smoke; 1 to 3 are the color densities. */
enum { BRUME_SMOKE_KINDS = 4, BRUME_MAX_EMITTERS = 64, BRUME_MAX_BODIES = 64, BRUME_BODY_NAME_SIZE = 32 };

/** The faces of the box, in the order of BrumeSimDef.faces. The sources of the solver call them sides. */
typedef enum BrumeFace {
    BRUME_FACE_X_MIN,
    BRUME_FACE_X_MAX,
    BRUME_FACE_Y_MIN, ///< the floor
    BRUME_FACE_Y_MAX, ///< the ceiling
    BRUME_FACE_Z_MIN,
    BRUME_FACE_Z_MAX,
    BRUME_FACE_COUNT,
} BrumeFace;

/** The kind of a boundary condition. */
typedef enum BrumeFaceKind {
    BRUME_WALL,     ///< no flow through it; free slip or no slip
    BRUME_OPEN,     ///< pressure 0; air that flows in has ambient temperature, no smoke and the wind's velocity
    BRUME_INFLOW,   ///< prescribed velocity, temperature and smoke
    BRUME_PERIODIC, ///< joined to the opposite face, which must be periodic too
} BrumeFaceKind;

/** How the velocity of an inflow varies over its opening. The mean over the opening is the velocity of the face. */
typedef enum BrumeInflowProfile {
    BRUME_INFLOW_UNIFORM,   ///< the same everywhere
    BRUME_INFLOW_PARABOLIC, ///< 1 - (r/R)^2 in a round opening; the product of 1 - (a/A)^2 along both sides of others
    BRUME_INFLOW_TANH,      ///< boundary layers: tanh(d / thickness), d the distance to the edge, a product as above
} BrumeInflowProfile;

/** The part of an inflow face through which air enters; the rest of the face is an insulating wall at rest. */
typedef enum BrumeOpeningKind {
    BRUME_OPENING_FACE,      ///< the whole face
    BRUME_OPENING_ROUND,     ///< a disc
    BRUME_OPENING_RECTANGLE, ///< a rectangle with sides along the axes
} BrumeOpeningKind;

/** The opening of an inflow face. Components along the normal of the face are ignored. */
typedef struct BrumeOpening {
    BrumeOpeningKind kind;
    BrumeVec3 center; ///< [m]
    float radius;     ///< of a disc [m]
    BrumeVec3 size;   ///< sides of a rectangle [m]
} BrumeOpening;

/** The boundary condition of one face of the box. Members for other kinds are ignored. */
typedef struct BrumeFaceDef {
    BrumeFaceKind kind;
    bool no_slip;                   ///< wall: the air has the tangential velocity of the wall; otherwise free slip
    bool fixed_temperature;         ///< wall: it has `temperature` (Dirichlet); otherwise it has `heat_flux` (Neumann)
    BrumeVec3 velocity;             ///< wall (tangential, no-slip) or inflow (all components) [m/s]
    float temperature;              ///< wall with fixed_temperature, or inflow [K above ambient]
    float smoke[BRUME_SMOKE_KINDS]; ///< inflow: density of each kind of smoke
    float heat_flux; ///< wall without fixed_temperature: kinematic heat flux into the air, q / (rho c_p) [K m/s]
    BrumeInflowProfile profile; ///< inflow
    float thickness;            ///< inflow with BRUME_INFLOW_TANH [m], above 0
    BrumeOpening opening;       ///< inflow
} BrumeFaceDef;

/** The physical properties of a kind of smoke. Its optical properties are in BrumeRenderSettings. */
typedef struct BrumeSmokeDef {
    float weight; ///< relative mass that a density of 1 adds to air [1]: acceleration is gravity * weight * density
    float dissipation; ///< rate of exponential decay [1/s]
    float diffusivity; ///< [m^2/s]
} BrumeSmokeDef;

/** The effect of an emitter on one quantity inside its shape. */
typedef enum BrumeSourceMode {
    BRUME_SOURCE_NONE, ///< no effect
    BRUME_SOURCE_RATE, ///< adds `value` per second
    BRUME_SOURCE_SET,  ///< sets the quantity to `value`
} BrumeSourceMode;

/** A source of a scalar quantity. */
typedef struct BrumeSource {
    BrumeSourceMode mode;
    float value; ///< in the unit of the quantity (SET) or this unit per second (RATE)
} BrumeSource;

/** A source of velocity. */
typedef struct BrumeVectorSource {
    BrumeSourceMode mode;
    BrumeVec3 value; ///< [m/s] (SET) or [m/s^2] (RATE)
} BrumeVectorSource;

/** The numbers that hold temperature, smoke and fuel between steps. */
typedef enum BrumeStorage {
    BRUME_STORAGE_FLOAT, ///< 32 bits
    BRUME_STORAGE_HALF,  ///< 16 bits: 11 significant ones, up to 65504; rounded at random without bias
} BrumeStorage;

/** Passes of the advection of the integrator "practical". */
typedef enum BrumeAccounting {
    BRUME_ACCOUNTING_FORWARD_REVERSE, ///< cells move what they have, then take, each over half of the step
    BRUME_ACCOUNTING_FORWARD,         ///< cells move what they have
} BrumeAccounting;

/** How fuel burns. */
typedef enum BrumeFireModel {
    BRUME_FIRE_NONE,     ///< there is no fuel
    BRUME_FIRE_MIXING,   ///< as fast as fuel and air mix in the cell (McGrattan et al., FDS Technical Reference)
    BRUME_FIRE_IGNITION, ///< at `rate`, where the gas is as hot as `ignition` (Nguyen, Fedkiw, Jensen 2002)
} BrumeFireModel;

/** The fuel and how it burns. */
typedef struct BrumeFireDef {
    BrumeFireModel model;
    float heat;          ///< of combustion [kJ/kg], above 0
    float air;           ///< mass of air that burns a mass of fuel [1], above 0
    float radiated;      ///< part of the heat that the flame radiates as the fuel burns, 0 to 1
    float absorption;    ///< absorption coefficient of burned gas without excess air, which radiates [1/m]
    float heat_capacity; ///< of gas over that of air, less 1, for the part of its mass that is fuel, burned or not [1]
    float soot;          ///< density of smoke for a mass of burned fuel as of ambient air in the same volume [1]
    int soot_kind;       ///< the kind of smoke that soot is
    float ignition;      ///< of BRUME_FIRE_IGNITION [K above ambient]
    float rate;          ///< of BRUME_FIRE_IGNITION [1/s]
} BrumeFireDef;

/** Water vapor and liquid water, as kinds of smoke in kg per kg of dry air. */
typedef struct BrumeVaporDef {
    int kind;          ///< the kind of smoke that vapor is, plus 1; 0: no vapor
    int liquid;        ///< the kind of smoke that liquid water is, another one
    float temperature; ///< of the ambient air at the height 0, absolute [K], above 0
    float pressure;    ///< of the ambient air at the height 0 [Pa], above 0
    float ambient;     ///< vapor of the ambient air [kg/kg], which the kind of smoke does not contain
} BrumeVaporDef;

/** Where an emitter acts. */
typedef enum BrumeEmitFrom {
    BRUME_EMIT_VOLUME,   ///< inside its shape
    BRUME_EMIT_SURFACE,  ///< outside, up to `thickness` from the surface; of a mesh without an inside on both sides
    BRUME_EMIT_VERTICES, ///< in the balls of the radius `thickness` around the vertices of its mesh
} BrumeEmitFrom;

/** How a force acts on the air, in proportion to the part of a cell that its shape covers. */
typedef enum BrumeForceKind {
    BRUME_FORCE_NONE,
    BRUME_FORCE_WIND,       ///< the velocity relaxes to `velocity` at `rate`
    BRUME_FORCE_DRAG,       ///< the velocity relaxes to 0 at `rate`
    BRUME_FORCE_VORTEX,     ///< the velocity relaxes at `rate` to the rotation `spin` about the pivot of the shape
    BRUME_FORCE_FLOW,       ///< the velocity relaxes at `rate` to that of `samples`, where they have values
    BRUME_FORCE_TURBULENCE, ///< a random acceleration that follows the air, of root mean square `strength`
    /**
     * Smoke is drawn to the surface of the shape from outside: `strength` times s times (1 - (d / range)^2)^2 at the
     * distance d, where s is the density of all kinds over `density`, at most 1; and its velocity there, and inside,
     * relaxes to 0 at `rate` times these factors. Pressure would balance a force on uniform air; not this one.
     */
    BRUME_FORCE_ATTRACTION,
} BrumeForceKind;

/** A force on the air in the shape of an emitter. Members for other kinds are ignored. */
typedef struct BrumeForceDef {
    BrumeForceKind kind;
    BrumeVec3 velocity; ///< [m/s]
    BrumeVec3 spin;     ///< angular velocity, along the axis by the right hand rule [radians/s]
    float rate;         ///< [1/s]
    float strength;     ///< [m/s^2]
    float scale;        ///< of turbulence: size of its eddies [m], above 0
    float speed;        ///< of turbulence: rate at which its eddies change [1/s]
    float range;        ///< of attraction: distance from the shape up to which it acts [m], above 0
    float density;      ///< of attraction: density of smoke from which on it has its full strength, above 0
    /** Of a flow: the components x, y and z of the velocity in the own frame of the shape [m/s], by positions there. */
    const BrumeSamples *samples[3];
} BrumeForceDef;

/** A source of smoke, heat and motion inside a shape or around it, from `start` to `end`. */
typedef struct BrumeEmitterDef {
    BrumeShape shape;
    int body;    ///< 1 + the index of a body whose shape and motion it has in place of its own; 0: none
    int parent;  ///< as in BrumeBodyDef: its shape is in the frame of this body
    float start; ///< [s]
    float end;   ///< [s], INFINITY for no end
    BrumeSource smoke[BRUME_SMOKE_KINDS]; ///< density of each kind [1], [1/s]
    BrumeSource temperature;              ///< [K above ambient], [K/s]
    BrumeSource fuel;  ///< mass of fuel as a part of the mass of the gas [1], [kg/s in the whole shape]
    BrumeSource power; ///< fuel by the heat that it releases when it burns: as a rate [kW in the whole shape]
    BrumeVectorSource velocity;
    float particles[BRUME_PARTICLE_KINDS]; ///< births of each kind in the whole shape [1/s]
    BrumeEmitFrom from;
    float thickness;       ///< of the shell of BRUME_EMIT_SURFACE, radius of BRUME_EMIT_VERTICES [m], above 0
    float source_velocity; ///< share of the velocity of its surface that is added to an imposed velocity
    float normal_velocity; ///< velocity along the normal of its surface that is added to an imposed velocity [m/s]
    /** Smoke is multiplied by the color of the nearest point, or vertex, of its mesh: kinds 1 to 3 by red, green and
     * blue, kind 0 by the luminance. */
    bool mesh_color;
    float softness; ///< width [m] over which the source grows from 0 at the surface of the shape to its value inside
    float noise;    ///< amplitude, 0 to 1: smoke and heat are multiplied by 1 - noise + 2 noise n, n random in [0, 1)
    float noise_scale; ///< wavelength of the noise [m], above 0
    float noise_speed; ///< rate at which the noise changes [1/s]
    BrumeForceDef force;
} BrumeEmitterDef;

/** How air moves along a body. */
typedef enum BrumeSlip {
    BRUME_SLIP_AUTO, ///< as BRUME_SLIP_NO if the air is viscous, otherwise as BRUME_SLIP_FREE
    BRUME_SLIP_FREE, ///< without friction
    BRUME_SLIP_NO,   ///< the air at the surface has the velocity of the body
} BrumeSlip;

/**
 * A solid, at rest unless moved by brume_sim_move. No air flows through it; it pushes smoke and heat aside.
 *
 * With a parent, `shape` is in the frame of that body: its origin is the pivot of the parent, its axes turn and scale
 * with the parent, whose factors of scale must be equal. The body follows its parent, which may have a parent itself;
 * brume_body_shape has it in the world.
 */
typedef struct BrumeBodyDef {
    BrumeShape shape;
    char name[BRUME_BODY_NAME_SIZE]; ///< for lists and messages; empty: none
    int parent;                      ///< 1 + the index of the body that it follows; 0: none
    BrumeSlip slip;
    bool
        fixed_temperature; ///< its surface has `temperature`, which needs a thermal diffusivity; otherwise it insulates
    float temperature;     ///< with fixed_temperature [K above ambient]
    float heat_flux;       ///< without fixed_temperature: kinematic heat flux into the air, q / (rho c_p) [K m/s]
    bool passable;         ///< air and smoke pass through it: no cell is solid because of it
    bool disabled;         ///< it is not there: no cell is solid because of it
} BrumeBodyDef;

/** The settings of a simulation. Positions are in world space, where the lower corner of the box is `origin`. */
typedef struct BrumeSimDef {
    // the box
    int nx, ny, nz;   ///< cells along each side, 8 to 4096 each; or 1 along y or z, if it is periodic
    float dx;         ///< side of a (cubic) cell [m]
    BrumeVec3 origin; ///< lower corner of the box [m]
    /** 2 or 4: the box is solved in cells so many times as large, and only a window around the smoke, which follows it,
     * in cells of dx. nx, ny and nz are multiples of it then. 1: all in cells of dx. */
    int far_factor;
    BrumeFaceDef faces[BRUME_FACE_COUNT];
    int body_count;
    BrumeBodyDef bodies[BRUME_MAX_BODIES];

    // the state at time 0, added up; brume_sim_change ignores it
    int initial_count;
    BrumeInitialDef initial[BRUME_MAX_INITIAL];

    // sources and forces
    int emitter_count;
    BrumeEmitterDef emitters[BRUME_MAX_EMITTERS];
    BrumeVec3 gravity;           ///< [m/s^2]
    float thermal_expansion;     ///< [1/K]: acceleration is -gravity * thermal_expansion * temperature
    float vorticity_confinement; ///< strength epsilon of Fedkiw, Stam, Jensen 2001 [1/s]
    BrumeVec3 wind;              ///< velocity of the ambient air [m/s]: the initial velocity, and the target of drag
    // deceleration of air of the speed v relative to the wind: quadratic_drag v^2 + drag v + dry_friction
    float drag;           ///< [1/s]
    float quadratic_drag; ///< [1/m]
    float dry_friction;   ///< [m/s^2]

    // the air and the smoke
    float viscosity;           ///< kinematic [m^2/s]
    float thermal_diffusivity; ///< [m^2/s]
    float cooling;             ///< rate of exponential decay of the temperature [1/s]
    int color_count;           ///< color densities in use, 0 to 3: kinds 1..color_count exist
    BrumeSmokeDef smoke[BRUME_SMOKE_KINDS];

    BrumeFireDef fire;
    BrumeVaporDef vapor;
    BrumeParticleDef particles[BRUME_PARTICLE_KINDS];
    int most_particles; ///< at a time; births beyond are left out

    // time
    float fps;     ///< frames per second [1/s]
    float cfl;     ///< maximum displacement of the air in a step [cells] (CFL number)
    int min_steps; ///< minimum number of steps in a frame
    int max_steps; ///< maximum number of steps in a frame; takes precedence over cfl: longer steps stay stable

    // the solver
    const char *kernels;    ///< "fast", or "reference" for the textbook loops of src/sim/reference: the same bits
    const char *integrator; ///< a name of brume_integrator_name, such as "second-order" or "classic"
    float reversal_time; ///< of "prescribed" [s]: the initial velocity times cos(pi t / reversal_time); 0 for a steady
                         ///< one
    int fraction_bits;   ///< of "collocated": fractional bits of its numbers, 4 to 20; 0: it computes with floats
    BrumeAccounting accounting; ///< of "practical"
    float wave_speed;           ///< of "practical" [m/s]: at which changes of the density of the air spread
    const char *advection; ///< scheme of velocity, a name of brume_advection_name: "maccormack" or "semi-lagrangian"
    bool active_blocks;    ///< whether velocity is carried only where it has vorticity, buoyancy or sources
    const char *transport; ///< scheme of temperature and smoke, a name of brume_transport_name such as "ppm"
    BrumeStorage storage;  ///< of temperature, smoke and fuel after each step, in saved states too
    int trace_order;       ///< Runge-Kutta order of the backward trace: 2 or 3
    const char *solids;    ///< how bodies bound the air, a name of brume_solids_name: "cells" or "cut"
    const char *pressure;  ///< a name of brume_pressure_name, such as "mgpcg", "multigrid", "dct" or "auto"
    float tolerance;       ///< relative residual |b - Ap| / |b| at which the pressure solve stops
    int max_iterations;    ///< of the pressure solve
    float over_relaxation; ///< of "relaxation", in (0, 2)
    uint32_t seed;         ///< of the emitters' noise and of the rounding to 16 bits
    /** Time after which each of two layers of texture coordinates starts again [s], for BrumeDetail; 0: there are none.
     * Smoke and air do not depend on it. */
    float texture_period;

    struct BrumeTeam *team; ///< the processes that compute the simulation together; NULL: this one alone
} BrumeSimDef;

/** A box of 1 m^3 and 64^3 cells with walls and an open top, without emitters and bodies. */
BRUME_API BrumeSimDef brume_default_sim_def(void);

/** An emitter without effect: a sphere of radius 0 at the origin, without end, sources or noise. */
BRUME_API BrumeEmitterDef brume_default_emitter_def(void);

/** Whether all six faces of the box are periodic. */
BRUME_API bool brume_all_periodic(const BrumeSimDef *def);

/** Whether there is fuel. */
BRUME_API bool brume_has_fuel(const BrumeSimDef *def);

/** Whether vapor condenses in a simulation. */
BRUME_API bool brume_has_vapor(const BrumeSimDef *def);

/** Whether there is a body that air does not pass through. */
BRUME_API bool brume_has_bodies(const BrumeSimDef *def);

/** Whether a body is there and air does not pass through it. */
BRUME_API bool brume_body_is_solid(const BrumeBodyDef *body);

/** The shape of a body, or of an emitter, in the world: that of the settings, in the frame of its parent if it has one,
 * or that of the body of an emitter. The settings must be valid (brume_sim_create). */
BRUME_API BrumeShape brume_body_shape(const BrumeSimDef *def, int body);
BRUME_API BrumeShape brume_emitter_shape(const BrumeSimDef *def, int emitter);

/** The name of a kind of force in scenes: "wind". */
BRUME_API const char *brume_force_name(BrumeForceKind kind);

/** The name of the `index`-th time integrator, counted from 0; NULL past the last. The first is the default. */
BRUME_API const char *brume_integrator_name(int index);

/**
 * A speed [m/s] for which the integrator of `def`, which exists, chooses steps that are short enough, whatever that of
 * the air is; 0 where it needs none.
 */
BRUME_API double brume_integrator_speed(const BrumeSimDef *def);

/** The name of the `index`-th advection scheme (of velocity), counted from 0; NULL past the last. The first is the
 * default. */
BRUME_API const char *brume_advection_name(int index);

/** The name of the `index`-th transport scheme, counted from 0; NULL past the last. The first is the default. */
BRUME_API const char *brume_transport_name(int index);

/**
 * The name of the `index`-th way in which bodies bound the air, counted from 0; NULL past the last: "cells", the
 * default, in whole cells, and "cut" along their true surface.
 */
BRUME_API const char *brume_solids_name(int index);

/**
 * The name of the `index`-th set of kernels, counted from 0; NULL past the last. All sets give the same bits: "fast",
 * the default, is vectorized, and "reference" consists of plain loops to read.
 */
BRUME_API const char *brume_kernels_name(int index);

/** The name of the `index`-th pressure solver, counted from 0; NULL past the last. */
BRUME_API const char *brume_pressure_name(int index);

/**
 * The requirement of a pressure solver that a box does not meet, as in "needs a box without bodies"; NULL if the
 * solver can be used. `all_periodic` says whether all six faces are periodic. NULL for unknown names.
 */
BRUME_API const char *brume_pressure_unmet_need(const char *name, bool bodies, bool all_periodic);

/** The pressure solver that a name selects in such a box: for "auto" the solver that it chooses, otherwise `name`. */
BRUME_API const char *brume_pressure_resolve(const char *name, bool bodies, bool all_periodic);

BRUME_END_DECLS

#endif
