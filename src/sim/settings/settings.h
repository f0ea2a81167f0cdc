/**
 * @file settings.h
 * The tables of settings of a simulation: one for each struct of sim_def.h, stroke.h and timeline.h whose values a
 * scene can set. The enumerators are the indices of the settings in their tables. Members that no key of a scene sets
 * follow behind the settings.
 */
#ifndef BRUME_SIM_SETTINGS_SETTINGS_H
#define BRUME_SIM_SETTINGS_SETTINGS_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "core/members.h"
#include "core/setting.h"

/** Settings of BrumeSimDef. */
enum {
    BRUME_SIM_RESOLUTION, ///< nx, ny, nz
    BRUME_SIM_CELL_SIZE,  ///< not a key of a scene, which gives the size of the box instead
    BRUME_SIM_ORIGIN,
    BRUME_SIM_FAR_FACTOR,
    BRUME_SIM_INTEGRATOR,
    BRUME_SIM_REVERSAL_TIME,
    BRUME_SIM_FRACTION_BITS,
    BRUME_SIM_ACCOUNTING,
    BRUME_SIM_WAVE_SPEED,
    BRUME_SIM_ADVECTION,
    BRUME_SIM_ACTIVE_BLOCKS,
    BRUME_SIM_TRANSPORT,
    BRUME_SIM_STORAGE,
    BRUME_SIM_TRACE_ORDER,
    BRUME_SIM_SOLIDS,
    BRUME_SIM_PRESSURE,
    BRUME_SIM_TOLERANCE,
    BRUME_SIM_MAX_ITERATIONS,
    BRUME_SIM_OVER_RELAXATION,
    BRUME_SIM_CFL,
    BRUME_SIM_MIN_STEPS,
    BRUME_SIM_MAX_STEPS,
    BRUME_SIM_SEED,
    BRUME_SIM_TEXTURE_PERIOD,
    BRUME_SIM_KERNELS,
    BRUME_SIM_FPS,
    BRUME_SIM_VISCOSITY,
    BRUME_SIM_THERMAL_DIFFUSIVITY,
    BRUME_SIM_THERMAL_EXPANSION,
    BRUME_SIM_COOLING,
    BRUME_SIM_VORTICITY_CONFINEMENT,
    BRUME_SIM_GRAVITY,
    BRUME_SIM_WIND,
    BRUME_SIM_DRAG,
    BRUME_SIM_QUADRATIC_DRAG,
    BRUME_SIM_DRY_FRICTION,
    BRUME_SIM_FIRE_MODEL,
    BRUME_SIM_FIRE_HEAT,
    BRUME_SIM_FIRE_AIR,
    BRUME_SIM_FIRE_RADIATED,
    BRUME_SIM_FIRE_ABSORPTION,
    BRUME_SIM_FIRE_HEAT_CAPACITY,
    BRUME_SIM_FIRE_SOOT,
    BRUME_SIM_FIRE_SOOT_KIND,
    BRUME_SIM_FIRE_IGNITION,
    BRUME_SIM_FIRE_RATE,
    BRUME_SIM_VAPOR_KIND,
    BRUME_SIM_VAPOR_LIQUID,
    BRUME_SIM_VAPOR_TEMPERATURE,
    BRUME_SIM_VAPOR_PRESSURE,
    BRUME_SIM_VAPOR_AMBIENT,
    BRUME_SIM_MOST_PARTICLES,
    BRUME_SIM_SETTING_COUNT,
};
extern const BrumeSetting brume_sim_setting_table[];

/** Settings of BrumeFaceDef. */
enum {
    BRUME_FACE_KIND,
    BRUME_FACE_SLIP,
    BRUME_FACE_VELOCITY,
    BRUME_FACE_TEMPERATURE,
    BRUME_FACE_DENSITY, ///< the first of BRUME_SMOKE_KINDS
    BRUME_FACE_HEAT_FLUX = BRUME_FACE_DENSITY + 4,
    BRUME_FACE_PROFILE,
    BRUME_FACE_THICKNESS,
    BRUME_FACE_OPENING_CENTER,
    BRUME_FACE_OPENING_RADIUS,
    BRUME_FACE_OPENING_SIZE,
    BRUME_FACE_SETTING_COUNT,
};
extern const BrumeSetting brume_face_setting_table[];

/** Settings of BrumeBodyDef, without its shape. */
enum {
    BRUME_BODY_NAME,
    BRUME_BODY_SLIP,
    BRUME_BODY_TEMPERATURE,
    BRUME_BODY_HEAT_FLUX,
    BRUME_BODY_SETTING_COUNT,
};
extern const BrumeSetting brume_body_setting_table[];

/** Settings of BrumeSmokeDef. */
enum {
    BRUME_SMOKE_WEIGHT,
    BRUME_SMOKE_DISSIPATION,
    BRUME_SMOKE_DIFFUSIVITY,
    BRUME_SMOKE_SETTING_COUNT,
};
extern const BrumeSetting brume_smoke_setting_table[BRUME_SMOKE_SETTING_COUNT];

/** Settings of BrumeParticleDef. */
enum {
    BRUME_PARTICLE_SHAPE,
    BRUME_PARTICLE_DIAMETER,
    BRUME_PARTICLE_SPREAD,
    BRUME_PARTICLE_THICKNESS,
    BRUME_PARTICLE_DENSITY,
    BRUME_PARTICLE_LIFE,
    BRUME_PARTICLE_BOUNCE,
    BRUME_PARTICLE_FRICTION,
    BRUME_PARTICLE_REACTS,
    BRUME_PARTICLE_SETTING_COUNT,
};
extern const BrumeSetting brume_particle_setting_table[BRUME_PARTICLE_SETTING_COUNT];

/** Keys of a shape. Their members are in BrumeShape: `a` for `center` and `from`, `b` for `size` and `to`,
 * `second_radius` for `radius_to` and `tube_radius`. */
enum {
    BRUME_SHAPE_KIND,
    BRUME_SHAPE_CENTER,
    BRUME_SHAPE_RADIUS,
    BRUME_SHAPE_SIZE,
    BRUME_SHAPE_FROM,
    BRUME_SHAPE_TO,
    BRUME_SHAPE_RADIUS_TO,
    BRUME_SHAPE_TUBE_RADIUS,
    BRUME_SHAPE_THRESHOLD,
    BRUME_SHAPE_POSITION,
    BRUME_SHAPE_ROTATION,
    BRUME_SHAPE_SCALE,
    BRUME_SHAPE_PIVOT,
    BRUME_SHAPE_SETTING_COUNT,
};
extern const BrumeSetting brume_shape_setting_table[];

/**
 * Settings of BrumeEmitterDef. A source has two settings with the same member, of which its mode selects one: the value
 * that it imposes, and its rate.
 */
enum {
    BRUME_EMITTER_START,
    BRUME_EMITTER_END,
    BRUME_EMITTER_DENSITY, ///< the first of BRUME_SMOKE_KINDS
    BRUME_EMITTER_TEMPERATURE = BRUME_EMITTER_DENSITY + 4,
    BRUME_EMITTER_FUEL,
    BRUME_EMITTER_VELOCITY,
    BRUME_EMITTER_DENSITY_RATE, ///< the first of BRUME_SMOKE_KINDS
    BRUME_EMITTER_TEMPERATURE_RATE = BRUME_EMITTER_DENSITY_RATE + 4,
    BRUME_EMITTER_FUEL_RATE,
    BRUME_EMITTER_POWER,
    BRUME_EMITTER_ACCELERATION,
    BRUME_EMITTER_DUST, ///< the first of BRUME_PARTICLE_KINDS
    BRUME_EMITTER_EMBERS,
    BRUME_EMITTER_LEAVES,
    BRUME_EMITTER_FLAKES,
    BRUME_EMITTER_SOFTNESS,
    BRUME_EMITTER_FROM,
    BRUME_EMITTER_THICKNESS,
    BRUME_EMITTER_SOURCE_VELOCITY,
    BRUME_EMITTER_NORMAL_VELOCITY,
    BRUME_EMITTER_MESH_COLOR,
    BRUME_EMITTER_NOISE,
    BRUME_EMITTER_NOISE_SCALE,
    BRUME_EMITTER_NOISE_SPEED,
    BRUME_EMITTER_FORCE_KIND,
    BRUME_EMITTER_FORCE_VELOCITY,
    BRUME_EMITTER_FORCE_SPIN,
    BRUME_EMITTER_FORCE_RATE,
    BRUME_EMITTER_FORCE_STRENGTH,
    BRUME_EMITTER_FORCE_SCALE,
    BRUME_EMITTER_FORCE_SPEED,
    BRUME_EMITTER_FORCE_RANGE,
    BRUME_EMITTER_FORCE_DENSITY,
    BRUME_EMITTER_SETTING_COUNT,
};
extern const BrumeSetting brume_emitter_setting_table[];

/** Settings of BrumeStroke. */
enum {
    BRUME_STROKE_START,
    BRUME_STROKE_END,
    BRUME_STROKE_FROM,
    BRUME_STROKE_TO,
    BRUME_STROKE_FROM_SLOPE,
    BRUME_STROKE_TO_SLOPE,
    BRUME_STROKE_RADIUS,
    BRUME_STROKE_DENSITY, ///< the first of BRUME_SMOKE_KINDS
    BRUME_STROKE_TEMPERATURE = BRUME_STROKE_DENSITY + 4,
    BRUME_STROKE_FUEL,
    BRUME_STROKE_DUST, ///< the first of BRUME_PARTICLE_KINDS
    BRUME_STROKE_FLAKES = BRUME_STROKE_DUST + 3,
    BRUME_STROKE_ERASE,
    BRUME_STROKE_PUSH,
    BRUME_STROKE_VELOCITY,
    BRUME_STROKE_SUCK,
    BRUME_STROKE_TWIST,
    BRUME_STROKE_AXIS,
    BRUME_STROKE_SETTING_COUNT,
};
extern const BrumeSetting brume_stroke_setting_table[BRUME_STROKE_SETTING_COUNT];

/** Settings of BrumeMove. */
enum {
    BRUME_MOVE_BODY,
    BRUME_MOVE_VELOCITY,
    BRUME_MOVE_ROTATION_RATE,
    BRUME_MOVE_SETTING_COUNT,
};
extern const BrumeSetting brume_move_setting_table[BRUME_MOVE_SETTING_COUNT];

/** All members of each struct. */
extern const BrumeMembers brume_sim_members, brume_face_members, brume_body_members, brume_emitter_members,
    brume_shape_members, brume_stroke_members;

/** In the world, a shape in the frame of the body at `parent` - 1; of parent 0, the shape. */
BrumeShape brume_placed_shape(const BrumeBodyDef *bodies, int parent, const BrumeShape *shape);

/** Whether the parents of a body lead back to it; they exist. */
bool brume_body_follows_itself(const BrumeSimDef *def, int body);

/** Whether an emitter, an inflow or an initial field has this kind of smoke, or fire makes it. */
bool brume_emits_smoke(const BrumeSimDef *def, int kind);

/** Why fuel cannot burn with these settings, as in "needs ..."; NULL where it can. */
const char *brume_fire_fault(const BrumeSimDef *def);

/** Likewise of the vapor of settings that have it. */
const char *brume_vapor_fault(const BrumeSimDef *def);

/** Whether an emitter has fuel; and the first one that has, -1 if there is none. */
bool brume_emits_fuel(const BrumeEmitterDef *emitter);
int brume_first_fueled_emitter(const BrumeSimDef *def);

/** Whether an emitter has a source of smoke, heat or fuel; and whether it has any source, a velocity or a force. */
bool brume_emitter_has_scalars(const BrumeEmitterDef *emitter);
bool brume_emits_particles(const BrumeEmitterDef *emitter);
bool brume_emitter_has_source(const BrumeEmitterDef *emitter);

/** How far an emitter acts outside its shape [m]. */
float brume_emitter_reach(const BrumeEmitterDef *emitter);

/** What does not fit together in an emitter; NULL where all does. Its `body` exists. */
const char *brume_emitter_fault(const BrumeEmitterDef *emitter, const BrumeBodyDef *bodies);

/** Whether a place is in the box or on its sides. */
bool brume_box_contains(const BrumeSimDef *def, BrumeVec3 place);

/**
 * Checks all values against their hard limits and against each other. BRUME_BAD_INPUT names the first setting that is
 * refused.
 */
BrumeStatus brume_sim_check(const BrumeSimDef *def, BrumeError *error);

/** Checks that the integrator can compute with the other settings, and that it has `fraction_bits` if these are set. */
BrumeStatus brume_sim_check_integrator(const BrumeSimDef *def, BrumeError *error);

/**
 * Checks a box that is one cell thick: along y or z alone, and across periodic faces. The fast kernels need rows of at
 * least BRUME_LANES cells along x. BRUME_BAD_INPUT names the mistake.
 */
BrumeStatus brume_sim_check_thin_axis(const BrumeSimDef *def, BrumeError *error);

#endif
