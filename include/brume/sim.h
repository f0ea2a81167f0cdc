/**
 * @file sim.h
 * The simulation: create it from settings, step it by frames or by seconds, read its fields.
 */
#ifndef BRUME_SIM_H
#define BRUME_SIM_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/field.h"
#include "brume/sim_def.h"
#include "brume/stroke.h"
#include "brume/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * A simulation: its settings, its state and the memory of its steps. Created by brume_sim_create, freed by
 * brume_sim_destroy. Used by one thread at a time; functions that take a `const BrumeSim *` may run concurrently. Work
 * inside a call is shared by the OpenMP team of the calling thread (brume_set_threads).
 */
typedef struct BrumeSim BrumeSim;

/** The stages of a step, in the order of the integrators `second-order` and `split`. */
typedef enum BrumeStage {
    BRUME_STAGE_ADVECT_VELOCITY, ///< advection of the velocity, with half of the forces where they act before it
    BRUME_STAGE_ADVECT_SCALARS,  ///< advection and decay of temperature and smoke
    BRUME_STAGE_EMIT,            ///< moves bodies; applies strokes, emitters and the hook `sources`
    BRUME_STAGE_FORCES,          ///< vorticity confinement, buoyancy, drag and the hook `forces`
    BRUME_STAGE_DIFFUSION,       ///< diffusion of velocity, temperature and smoke
    BRUME_STAGE_PROJECTION,      ///< pressure solve; makes the velocity free of divergence
    BRUME_STAGE_COUNT,
} BrumeStage;

/** Statistics of a step. A pressure solve that did not converge is reported here and is not an error. */
typedef struct BrumeStepStats {
    double dt;                    ///< length of the step [s]
    double displacement;          ///< dt times the largest velocity component at the end of the step [cells]
    int iterations;               ///< of the pressure solve
    double residual;              ///< relative residual |b - Ap| / |b| at the end of the pressure solve
    bool converged;               ///< whether the residual is within the tolerance of the settings
    double divergence;            ///< largest |div u| of a cell after projection [1/s]
    double ms[BRUME_STAGE_COUNT]; ///< wall time of each stage [ms]
} BrumeStepStats;

/** Statistics of a frame. */
typedef struct BrumeFrameStats {
    int frame;                    ///< number of the frame, from 1
    double time;                  ///< simulated time at its end [s]
    int steps;                    ///< taken by this call
    int iterations;               ///< of all its pressure solves
    int max_iterations;           ///< largest number of one pressure solve
    double residual;              ///< largest relative residual of its pressure solves
    bool converged;               ///< whether every solve converged
    double divergence;            ///< largest |div u| of a cell after a projection [1/s]
    double ms[BRUME_STAGE_COUNT]; ///< wall time of each stage, summed over the steps [ms]
    double total_ms;              ///< wall time of the frame [ms]
} BrumeFrameStats;

/** The fields of a state. */
typedef enum BrumeFieldId {
    BRUME_FIELD_U,        ///< velocity along x on the lower x faces [m/s]
    BRUME_FIELD_V,        ///< velocity along y on the lower y faces [m/s]
    BRUME_FIELD_W,        ///< velocity along z on the lower z faces [m/s]
    BRUME_FIELD_HEATING,  ///< with fuel: heat that the gas got in the last step over rho0 c_p0 T0, at the centers [1]
    BRUME_FIELD_PRESSURE, ///< kinematic pressure at the centers [m^2/s^2]
    BRUME_FIELD_TEMPERATURE, ///< temperature at the centers [K above ambient]
    BRUME_FIELD_DENSITY,     ///< plain smoke at the centers [1]
    BRUME_FIELD_COLOR_1,     ///< first color density at the centers [1]
    BRUME_FIELD_COLOR_2,     ///< second color density
    BRUME_FIELD_COLOR_3,     ///< third color density
    BRUME_FIELD_FUEL,        ///< with fuel: its mass per volume, over the density of ambient air, at the centers [1]
    BRUME_FIELD_MIXTURE,     ///< with fuel: likewise the mass of what was fuel, burned or not [1]
    BRUME_FIELD_COUNT,
} BrumeFieldId;

/**
 * Creates a simulation at time 0: the air moves with the wind, temperature and smoke are 0. The settings and their
 * names are copied. All memory of later steps is allocated here, except in steps in which a body moves. Fails with
 * BRUME_BAD_INPUT if a setting is out of its range (the text names it) and with BRUME_FAILED without memory; `*sim` is
 * NULL then. Memory pages are first written by the team of the calling thread (brume_set_threads).
 */
BRUME_API BrumeStatus brume_sim_create(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error);

/** Frees a simulation; NULL is allowed. */
BRUME_API void brume_sim_destroy(BrumeSim *sim);

/**
 * Stores a pointer of the program with the simulation, which does not use it. NULL at first; it stays after
 * brume_sim_change and brume_sim_load, and is not part of a saved state.
 */
BRUME_API void brume_sim_set_user_data(BrumeSim *sim, void *user_data);

/** The pointer of brume_sim_set_user_data. */
BRUME_API void *brume_sim_user_data(const BrumeSim *sim);

/**
 * Advances the simulation by one step of `dt` [s], which must be above 0 and finite in single precision. The limits
 * cfl, min_steps and max_steps of the settings do not apply; they only determine how brume_sim_frame divides a frame
 * into steps. `stats` may be NULL; it is filled on success.
 *
 * Fails with BRUME_BAD_INPUT if `dt` is outside this range; the simulation is then unchanged. Fails with BRUME_FAILED
 * if memory for a moving body runs out; the simulation is then unchanged. Fails with BRUME_FAILED if a value is not
 * finite any more (the text names field, cell, frame and step); the time is then the time before the step, the fields
 * and moving bodies are at the positions of the unfinished step, and further steps fail likewise.
 */
BRUME_API BrumeStatus brume_sim_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error);

/**
 * Advances the simulation to the end of its next frame, in steps of at most `cfl` cells of displacement, no fewer than
 * min_steps and no more than max_steps of them. The length of each step is an equal share of the remaining time. Frame
 * n ends at n / fps seconds; steps of brume_sim_step that lie within the frame count as part of it. If such steps have
 * passed the frame's end, frames count from the present time: the frame then lasts 1 / fps. `stats` may be NULL.
 *
 * Fails as brume_sim_step does. The simulation then is within the frame, after the steps that succeeded, which `stats`
 * sums up; after a failure for lack of memory another call continues the frame with the same result as without it. The
 * same holds for BRUME_INTERRUPTED, which is returned where the progress hook stopped the frame.
 */
BRUME_API BrumeStatus brume_sim_frame(BrumeSim *sim, BrumeFrameStats *stats, BrumeError *error);

enum { BRUME_MAX_STROKES = 64 }; ///< of a simulation at a time

/**
 * Changes settings of a running simulation from its next step on; time and fields are kept. If the grid differs, the
 * fields are resampled onto it: total smoke and heat are preserved up to the error of trilinear interpolation, and the
 * projection of the next step makes the velocity free of divergence. The handle stays valid; pointers to fields and
 * volumes of the simulation do not. Cells that a body uncovers are set to the mean of the air around them. With a
 * new `fps`, the next frames are counted from the end of the latest frame. Fails as brume_sim_create does; the
 * simulation is then as it was before the call. During the call, the memory of two simulations may be in use.
 */
BRUME_API BrumeStatus brume_sim_change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error);

/**
 * Replaces the strokes of the simulation by a copy of `count` strokes, 0 to BRUME_MAX_STROKES. Each acts during its own
 * interval of simulated time, in steps of brume_sim_step as in frames. All strokes are removed when brume_sim_frame
 * ends a frame.
 */
BRUME_API void brume_sim_set_strokes(BrumeSim *sim, const BrumeStroke *strokes, int count);

/**
 * Moves a body, given by its index in the settings, at a constant `velocity` [m/s], which must be finite; this
 * replaces its previous motion, and velocity 0 stops it. The motion starts at the present time. It ends when
 * brume_sim_frame ends a frame; with brume_sim_step alone it ends after the duration of a frame, 1 / fps, also if this
 * is within a step. Until then the body is displaced by `velocity` times the time since the start, and
 * brume_sim_settings returns its present position.
 *
 * The air at the surface has the body's velocity along the normal. Cells that the body uncovers are set to the
 * mean of the air around them.
 */
BRUME_API void brume_sim_move(BrumeSim *sim, int body, BrumeVec3 velocity);

/**
 * As brume_sim_move, and turns the body about its pivot: its rotation (shape.h) changes at `rotation_rate` [degrees/s],
 * which must be finite. The air at the surface has the velocity of the surface along its normal there, and along the
 * surface too where the body has no slip. A body may turn by many turns in a frame; after 1e6 degrees its rotation is
 * the same angle within a turn.
 */
BRUME_API void brume_sim_move_and_turn(BrumeSim *sim, int body, BrumeVec3 velocity, BrumeVec3 rotation_rate);

/**
 * A field of the state, for reading in place; NULL for a color that is not in use. The values are valid until the next
 * step, change or load. The values of ghosts and of entries inside bodies are undefined.
 */
BRUME_API const BrumeField *brume_sim_field(const BrumeSim *sim, BrumeFieldId id);

/**
 * A field of the state to be written by the caller, in place; NULL for a color that is not in use and for an invalid
 * `id`. Read and write entries 1..n along each axis (brume/field.h), for a velocity component 1..n+1 along its own
 * axis. Ghosts, faces on walls, inflows and bodies, and entries inside bodies need not be written: the next step
 * or frame, or the end of the hook that wrote, sets them, and measures the largest speed. The velocity need not be free
 * of divergence; the next projection makes it so. Values that are not finite make the next step fail. The pressure is
 * the initial value of the next pressure solve.
 *
 * The pointer is valid until the next step or change; after that, this function must be called again before anything is
 * written. Writing several entries from several threads at once is allowed.
 */
BRUME_API BrumeField *brume_sim_write_field(BrumeSim *sim, BrumeFieldId id);

/**
 * Functions of the embedding program that a step calls. Any may be NULL. All are called by the thread that called
 * brume_sim_step or brume_sim_frame, outside parallel regions. They may read the simulation and, except `progress`,
 * write its fields (brume_sim_write_field); they must not step, change, load or destroy it.
 */
typedef struct BrumeSimHooks {
    void *context; ///< passed to each function
    /**
     * Adds sources: called at the end of the emit stage of each step, after the emitters. `dt` is the length of the
     * step [s]; brume_sim_time is the time at its start.
     */
    void (*sources)(void *context, BrumeSim *sim, double dt);
    /** Adds forces, as acceleration times `dt` [s] to the velocity fields: called in the force stage, after the drag.
     */
    void (*forces)(void *context, BrumeSim *sim, double dt);
    /**
     * Reports that a stage of a step begins. `fraction` is the finished part of the present frame, 0 to 1. Where it
     * returns false, the frame stops before its next step; brume_sim_step finishes its step.
     */
    bool (*progress)(void *context, double fraction, BrumeStage stage);
} BrumeSimHooks;

/**
 * Sets the functions that later steps call. `hooks` is copied and stays in effect after brume_sim_change and
 * brume_sim_load. NULL removes all functions.
 */
BRUME_API void brume_sim_set_hooks(BrumeSim *sim, const BrumeSimHooks *hooks);

/** Bytes that brume_sim_save writes: about 4 bytes for each entry of each field in use. */
BRUME_API size_t brume_sim_saved_size(const BrumeSim *sim);

/**
 * Writes the whole state, settings included, into the `size` bytes at `bytes`. A simulation that is created or loaded
 * from them computes the same steps, bit for bit, also in the middle of a frame and with another number of threads.
 * Hooks are not saved, nor are frames of meshes that deform (brume_scene_restore_meshes); brume_sim_load takes them
 * from the simulation into which the state is loaded. The bytes can be loaded by the same minor version of the library,
 * on machines of the same byte order. Fails with BRUME_BAD_INPUT where `size` is less than brume_sim_saved_size;
 * nothing is written then.
 */
BRUME_API BrumeStatus brume_sim_save(const BrumeSim *sim, void *bytes, size_t size, BrumeError *error);

/**
 * Creates a simulation from the bytes that brume_sim_save wrote. Fails with BRUME_BAD_INPUT where the bytes are not
 * such a state, are cut off or damaged (a hash of all bytes is checked), or are of another version, and with
 * BRUME_FAILED without memory; `*sim` is NULL then. Settings, times, strokes and motions are checked in addition to the
 * hash, and the memory that is used is in proportion to `size`. The caller frees the simulation with brume_sim_destroy.
 */
BRUME_API BrumeStatus brume_sim_create_saved(BrumeSim **sim, const void *bytes, size_t size, BrumeError *error);

/**
 * Replaces the state and the settings of a simulation by saved ones; its hooks stay. Pointers to its fields and volumes
 * are no longer valid. Fails as brume_sim_create_saved does; the simulation is then as it was before the call. During
 * the call, the memory of two simulations is in use.
 */
BRUME_API BrumeStatus brume_sim_load(BrumeSim *sim, const void *bytes, size_t size, BrumeError *error);

/** The densities of the state as a volume for a renderer, without copying; valid until the next step, change or load.
 */
BRUME_API BrumeVolume brume_sim_volume(const BrumeSim *sim);

/** The particles in an order that changes at times, `*count` of them; valid until the simulation changes. */
BRUME_API const BrumeParticle *brume_sim_particles(const BrumeSim *sim, int *count);

/**
 * Adds particles behind the others; their `id` is set. BRUME_BAD_INPUT where one is not finite, has no kind or no
 * diameter, or is outside of the box, or where there would be more than `most_particles`.
 */
BRUME_API BrumeStatus brume_sim_add_particles(BrumeSim *sim, const BrumeParticle *particles, int count,
                                              BrumeError *error);

/**
 * Texture coordinates along `axis` (0 x, 1 y, 2 z) of one of the BRUME_TEXTURE_LAYERS layers, as in BrumeVolume [m];
 * ghosts are undefined. NULL where the settings have no `texture_period`.
 */
BRUME_API const BrumeField *brume_sim_texture(const BrumeSim *sim, int layer, int axis);

/** The present settings, with bodies at their present positions. Valid until the simulation is destroyed. */
BRUME_API const BrumeSimDef *brume_sim_settings(const BrumeSim *sim);

/**
 * The same with the cells and the origin of the fields: with a far field those of the window in the box, which may be
 * others after each frame, otherwise those of the box.
 */
BRUME_API const BrumeSimDef *brume_sim_window(const BrumeSim *sim);

/** Simulated time [s]. */
BRUME_API double brume_sim_time(const BrumeSim *sim);

/** The number of finished frames. */
BRUME_API int brume_sim_frames(const BrumeSim *sim);

/** Bytes that the simulation has allocated, itself included. */
BRUME_API size_t brume_sim_bytes(const BrumeSim *sim);

/**
 * Sets `bytes` to an estimate of the memory that brume_sim_create allocates for these settings. Fails with
 * BRUME_BAD_INPUT for settings that brume_sim_create refuses; `bytes` is unchanged then.
 */
BRUME_API BrumeStatus brume_sim_bytes_needed(const BrumeSimDef *def, size_t *bytes, BrumeError *error);

/** 64-bit hash of the time and of all fields. Equal states have equal hashes with any number of threads. */
BRUME_API uint64_t brume_sim_hash(const BrumeSim *sim);

/** The name of a stage for messages and tables: "emit", "forces", "advect velocity", ... The text is static. */
BRUME_API const char *brume_stage_name(BrumeStage stage);

BRUME_END_DECLS

#endif
