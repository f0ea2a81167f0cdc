/**
 * @file forces.h
 * The terms of the equations other than advection, in the order of a step. The head of each file has the equation. A
 * function with `blocks` changes the entries in these blocks alone; NULL stands for all blocks.
 */
#ifndef BRUME_SIM_FORCES_FORCES_H
#define BRUME_SIM_FORCES_FORCES_H

#include "sim/grid/blocks.h"
#include "sim/state/state.h"

/**
 * Applies the strokes over the next `dt` [s], inside bodies too. The boundaries of the quantities that they write
 * are not current afterwards.
 */
void brume_apply_strokes(BrumeSim *sim, double dt);

/**
 * Applies the emitters that are active within the next `dt` [s]. The ghosts of temperature and smoke are current
 * afterwards; the boundary of velocity is not, if an emitter writes velocity. Fails where an emitter has a body that
 * deforms, as brume_mesh_create_at.
 */
BrumeStatus brume_emit(BrumeSim *sim, double dt, BrumeError *error);

/** Gives the air at time 0 the temperature and the smoke that emitters impose; the ghosts of both are then current.
 * Fails as brume_read_emitter_samples, with the air unchanged. */
BrumeStatus brume_emit_initially(BrumeSim *sim, BrumeError *error);

/**
 * Adds `share` of vorticity confinement over `dt` [s], computed from `velocity` (3 fields), to `onto` (3 fields, which
 * may be the same). `max_speed` [m/s] is the largest velocity component. Reads the ghosts of `velocity` as they are;
 * the boundary of `onto` is not current afterwards. `work` is 4 fields of scratch that are neither. With `blocks`,
 * `around` is the blocks within two cells of them; `velocity` is read there and one cell beyond.
 */
void brume_add_vorticity_confinement(BrumeSim *sim, const BrumeField velocity[3], BrumeField onto[3],
                                     BrumeField work[4], double dt, double max_speed, float share,
                                     const BrumeBlockSet *blocks, const BrumeBlockSet *around);

/** Accelerates `onto` (3 fields) by buoyancy over `dt` [s]; its boundary is not current afterwards. */
void brume_add_buoyancy(BrumeSim *sim, BrumeField onto[3], float dt, const BrumeBlockSet *blocks);

/** Whether drag or friction acts. */
bool brume_has_drag(const BrumeSimDef *def);

/**
 * Decelerates the air relative to the wind over `dt` [s]; its boundary is not current afterwards. Uses the first three
 * scratch fields.
 */
void brume_add_drag(BrumeSim *sim, double dt);

/** Whether a kind of smoke has a negative dissipation. */
bool brume_smoke_grows(const BrumeSimDef *def);

/** Lets smoke of a negative dissipation grow over `dt` [s], and sets the ghosts of all scalars. */
void brume_grow_smoke(BrumeSim *sim, double dt);

// diffusion.c

/** The result of brume_diffuse: the amount that has entered the air by diffusion, as a sum of values times volumes. */
typedef struct BrumeDiffusionResult {
    int iterations;                   ///< of the conjugate gradients, 0 for a small step, which is explicit
    double entered[BRUME_FACE_COUNT]; ///< through each side of the box [K m^3], or [m^3] for smoke; not of velocity
    double entered_from_bodies;       ///< through the surfaces of bodies, likewise
} BrumeDiffusionResult;

/**
 * Diffuses quantity `id` of the state by `diffusivity` [m^2/s] over `dt` [s], of second order in time while
 * `diffusivity` dt / dx^2 is below about 1/3, and without new extrema at any dt. Also adds the heat that walls and
 * bodies with a `heat_flux` emit, which does not need a diffusivity. The boundary values of the quantity must be set,
 * and are set again. Overwrites four scratch fields.
 */
BrumeDiffusionResult brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);

/**
 * Sets the boundary of a field of quantity `id` by the rules of diffusion: as brume_set_boundary, but with the ghosts
 * of brume_set_diffusion_sides, and with the temperatures of bodies inside them. brume_diffuse and the functions
 * below do this themselves; it is for other solvers of the diffusion equation.
 */
void brume_set_diffusion_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/**
 * The explicit part of the theta method: onto += factor lap from, with `factor` the diffusivity times a duration [m^2],
 * for fields of quantity `id`. Faces on the sides of the box and on bodies are unchanged. The boundary of `from`
 * must be set as by brume_set_boundary, and is set again; the ghosts of `onto` are not current afterwards.
 */
void brume_add_diffusion(BrumeSim *sim, BrumeField *from, BrumeField *onto, BrumeFieldId id, float factor);

/**
 * The implicit part: replaces `x`, a field of quantity `id` whose boundary is set, by the solution of
 * (I - factor lap) x' = x to a relative 1e-5, and sets its boundary. Returns the number of iterations of the conjugate
 * gradients; 0 for a small factor, for which the series of the inverse takes at most five terms.
 * The faces of cut cells next to walls, on which the explicit part does not act, are diffused by `whole_factor`, that
 * of the whole step. Overwrites the first four scratch fields, of which `x` must not be one.
 */
int brume_solve_diffusion(BrumeSim *sim, BrumeFieldId id, BrumeField *x, float factor, float whole_factor);

/**
 * The implicit weight theta, from 1/2 to 1, with which a step of `dt` [s] makes no new extrema: the explicit part of
 * the step has the factor (1 - theta) diffusivity dt, the implicit part theta diffusivity dt.
 */
float brume_diffusion_weight(const BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);

/** Diffuses temperature and smoke by the diffusivities of the settings over `dt` [s]; as brume_diffuse. */
void brume_diffuse_scalars(BrumeSim *sim, float dt);

// projection.c

/**
 * onto = from - seconds grad p with the state's pressure, on all faces (3 fields each, which may be the same). Closed
 * faces and ghosts of `onto` are not current afterwards.
 */
void brume_add_pressure_gradient(const BrumeSim *sim, const BrumeField from[3], BrumeField onto[3], float seconds,
                                 const BrumeBlockSet *blocks);

/**
 * Adds the part of the acceleration by the state's pressure over `seconds` that the gradient of the density causes
 * (baroclinic.c) to `onto` (3 fields), beside brume_add_pressure_gradient; boundaries as there. Without fuel it does
 * nothing.
 */
void brume_add_baroclinic(const BrumeSim *sim, BrumeField onto[3], float seconds, const BrumeBlockSet *blocks);

/**
 * Makes the velocity free of divergence over a step of `dt` [s], to the tolerance of the settings. On entry, the closed
 * faces of the velocity must hold their values (BRUME_VALID_CLOSED_FACES), sim->geometry must match the bodies'
 * present positions, and the pressure field is the start of an iterative solve. On return it is the new pressure, the
 * boundary values of the velocity are set, and max_speed and `divergence` are measured (measures/monitor.h).
 */
BrumePressureResult brume_project(BrumeSim *sim, float dt);

/**
 * As brume_project for a velocity on which the gradient of `share` times the pressure field has acted already: solves
 * for the difference phi from phi = 0, and the pressure becomes share p + phi. Uses BRUME_PRESSURE_SCRATCH + 1 scratch
 * fields.
 */
BrumePressureResult brume_project_increment(BrumeSim *sim, float dt, float share);

/**
 * Projects a velocity that the program or a change of settings has written, without changing the pressure; does nothing
 * where BRUME_VALID_DIVERGENCE_FREE holds. As brume_project otherwise.
 */
void brume_make_divergence_free(BrumeSim *sim);

#endif
