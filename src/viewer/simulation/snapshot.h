/**
 * @file snapshot.h
 * A copy of a simulation's state, which other threads read while the simulation continues.
 */
#ifndef BRUME_VIEWER_SIMULATION_SNAPSHOT_H
#define BRUME_VIEWER_SIMULATION_SNAPSHOT_H

#include "brume/sim.h"
#include "brume/volume.h"
#include "core/error.h"
#include "core/field.h"
#include "core/particle_copy.h"

#include <stdbool.h>
#include <stdint.h>

/** Variants of a scene that are compared side by side: the same scene with different settings. */
enum { BRUME_MAX_VARIANTS = 2 };

/** The state of one variant. */
enum {
    BRUME_SNAPSHOT_TEXTURE = BRUME_FIELD_COUNT,
    BRUME_SNAPSHOT_TEXTURES = 3 * BRUME_TEXTURE_LAYERS,
    BRUME_SNAPSHOT_FIELDS = BRUME_SNAPSHOT_TEXTURE + BRUME_SNAPSHOT_TEXTURES,
};

typedef struct BrumeSnapshotVariant {
    BrumeSimDef settings; ///< with the bodies at their current positions
    /**
     * Copies of the fields, followed by copies of the components of all texture layers (brume_sim_texture) from index
     * BRUME_SNAPSHOT_TEXTURE on. `data` is NULL for unused colors, for fields that a file lacks, and for all after a
     * failed copy.
     */
    BrumeField fields[BRUME_SNAPSHOT_FIELDS];
    BrumeParticleCopy particles;
    BrumeVec3 origin;      ///< lower corner of the fields, which are a window of the box with a far field [m]
    double texture_time;   ///< simulated time [s]
    BrumeFrameStats stats; ///< of the latest frame
    bool has_forces;       ///< the forces on the bodies are known
    BrumeVec3 forces[BRUME_MAX_BODIES]; ///< of the air on each body, over the density of the air [m^4/s^2]
    size_t sim_bytes;                   ///< memory of the simulation [bytes]
} BrumeSnapshotVariant;

/** The state of all variants after the same number of frames. */
typedef struct BrumeSnapshot {
    int variant_count; ///< 1 or 2
    BrumeSnapshotVariant variants[BRUME_MAX_VARIANTS];
    int frame;       ///< frames finished since the last restart; of a sequence of files: the number of the file
    uint32_t seed;   ///< of the random numbers of the picture
    double time;     ///< simulated time [s]
    uint64_t serial; ///< increases by one with every snapshot
    int epoch;       ///< increases by one with every restart and every scene
    int revision;    ///< increases when another state replaces the published state of a frame
    double frame_ms; ///< wall time of the latest frame, all variants together [ms]
    int threads;     ///< size of the solver's team
    bool running;
    bool late;           ///< frames are computed more slowly than they should be shown
    bool frame_by_frame; ///< the source waits after every frame until it is permitted to go on
    bool waits;          ///< the source waits now: this snapshot is the latest until then
    BrumeError error;    ///< of the latest rejected change or failed frame; empty text: none
} BrumeSnapshot;

/**
 * Copies the state of a simulation; `stats` belong to its latest frame. Reallocates where the grid or the colors in use
 * differ from the previous copy. Parallel over z-planes. BRUME_FAILED without memory: then no field has data, and
 * `settings`, `stats` and `sim_bytes` are valid nevertheless.
 */
BrumeStatus brume_snapshot_capture(BrumeSnapshotVariant *variant, const BrumeSim *sim, const BrumeFrameStats *stats,
                                   BrumeError *error);

/** Measures the forces on the bodies of the captured state, which a snapshot has not otherwise. */
void brume_snapshot_measure_forces(BrumeSnapshotVariant *variant, const BrumeSim *sim);

/** Copies one variant to another. Fails as brume_snapshot_capture does. */
BrumeStatus brume_snapshot_copy(BrumeSnapshotVariant *variant, const BrumeSnapshotVariant *from, BrumeError *error);

/** Frees the fields of a variant, or of all variants; zeroed ones are allowed. */
void brume_snapshot_free_fields(BrumeSnapshotVariant *variant);
void brume_snapshot_destroy(BrumeSnapshot *snapshot);

/** Memory of the fields [bytes]. */
size_t brume_snapshot_bytes(const BrumeSnapshotVariant *variant);

/** Whether the fields of a variant were copied. */
static inline bool brume_snapshot_has_fields(const BrumeSnapshotVariant *variant)
{
    return variant->fields[BRUME_FIELD_DENSITY].data != NULL;
}

/** The smoke, temperature and velocity of a variant as a volume that the renderers load; its arrays point into the
 * fields. */
BrumeVolume brume_snapshot_volume(const BrumeSnapshotVariant *variant);

#endif
