/**
 * @file capture.h
 * Copies the state of a simulation into grids that the writers of volume files take.
 */
#ifndef BRUME_APP_VOLUMES_CAPTURE_H
#define BRUME_APP_VOLUMES_CAPTURE_H

#include "brume/sim.h"
#include "core/error.h"
#include "exchange/frame_grids.h"

/** Bits that select the copied fields. */
typedef enum BrumeVolumeFields {
    BRUME_VOLUME_SMOKE = 1,       ///< plain smoke, and the colors in use
    BRUME_VOLUME_TEMPERATURE = 2, ///< above ambient
    BRUME_VOLUME_VELOCITY = 4,    ///< at the centers: means of the faces
    BRUME_VOLUME_FACES = 8,       ///< velocity components on their faces
    BRUME_VOLUME_PRESSURE = 16,   ///< kinematic, at the centers
    BRUME_VOLUME_FUEL = 32,       ///< fuel, mixture and the heating, where the simulation has them
    BRUME_VOLUME_PARTICLES = 64,
    BRUME_VOLUME_TEXTURE = 128, ///< texture coordinates, where the simulation has them
} BrumeVolumeFields;

enum { BRUME_DEFAULT_VOLUME_FIELDS = BRUME_VOLUME_SMOKE | BRUME_VOLUME_TEMPERATURE | BRUME_VOLUME_PARTICLES };

/** The fields of a state, of a simulation or copies. */
typedef struct BrumeCaptureState {
    const BrumeSimDef *settings;                        ///< with the bodies at their present positions
    const BrumeField *fields[BRUME_FIELD_COUNT];        ///< NULL for missing fields
    const BrumeField *texture[BRUME_TEXTURE_LAYERS][3]; ///< as brume_sim_texture
    const BrumeParticle *particles;                     ///< copied with BRUME_VOLUME_PARTICLES
    int particle_count;
    int frame;
    double time; ///< simulated time [s]
} BrumeCaptureState;

/** As brume_capture, for a state whose fields are given. Grids of missing fields are omitted. */
BrumeStatus brume_capture_state(BrumeFrameGrids *frame, const BrumeCaptureState *state, unsigned fields,
                                const char *scene_text, BrumeError *error);

/**
 * Copies the present state into `frame`, which is all zero or holds an earlier state of the same simulation; memory is
 * allocated only where the cells or the colors in use have changed, and for more particles. `scene_text` is copied.
 * Parallel over z-planes. BRUME_FAILED without memory; `frame` is all zero then.
 */
BrumeStatus brume_capture(BrumeFrameGrids *frame, const BrumeSim *sim, unsigned fields, const char *scene_text,
                          BrumeError *error);

/** The fields of a simulation that brume_capture reads, as brume_collect_state takes them. */
unsigned brume_capture_reads(unsigned fields);

/** Bytes of the grids that brume_capture makes for a simulation of these cells and `smoke_kinds` kinds of smoke. */
size_t brume_capture_bytes(BrumeGrid cells, int smoke_kinds, unsigned fields);

#endif
