/**
 * @file snapshot.h
 * A state as the solver left it, copied, so that it can be looked at while the solver goes on.
 */
#ifndef BRUME_VIEWER_THREADS_SNAPSHOT_H
#define BRUME_VIEWER_THREADS_SNAPSHOT_H

#include "brume/sim.h"
#include "brume/volume.h"
#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>
#include <stdint.h>

enum { BRUME_MAX_SIDES = 2 };

/** One simulation's part of a snapshot. */
typedef struct BrumeSnapshotSide {
    BrumeSimDef settings;                 ///< with obstacles where they are now
    BrumeField fields[BRUME_FIELD_COUNT]; ///< copies; colors not in use have no data, and none has without memory
    BrumeFrameStats stats;                ///< of its newest frame
    size_t sim_bytes;                     ///< that the simulation holds
} BrumeSnapshotSide;

/** One simulation, or two side by side, after the same number of frames. */
typedef struct BrumeSnapshot {
    int sides; ///< 1 or 2
    BrumeSnapshotSide side[BRUME_MAX_SIDES];
    int frame;       ///< frames finished since the start
    double time;     ///< simulated [s]
    uint64_t serial; ///< another one for every snapshot, rising
    int epoch;       ///< another one after every reset and every scene
    double frame_ms; ///< wall time of the newest frame, both sides together [ms]
    int threads;     ///< of the solver's team
    bool running;
    BrumeError error; ///< of the newest change that was refused or frame that failed; empty text: none
} BrumeSnapshot;

/**
 * Copies a simulation's state into a side; `stats` are of its newest frame. Memory is taken anew where the grid or the
 * colors in use are others. Parallel. Without memory for the copies it fails with BRUME_FAILED, and the fields have no
 * data; the settings are told nevertheless.
 */
BrumeStatus brume_snapshot_take(BrumeSnapshotSide *side, const BrumeSim *sim, const BrumeFrameStats *stats,
                                BrumeError *error);

/** Makes a side the same as another. Fails as brume_snapshot_take does. */
BrumeStatus brume_snapshot_copy(BrumeSnapshotSide *side, const BrumeSnapshotSide *from, BrumeError *error);

/** Frees the fields of both sides; a zeroed snapshot is fine. */
void brume_snapshot_destroy(BrumeSnapshot *snapshot);

/** Whether a side has its fields. */
static inline bool brume_snapshot_is_whole(const BrumeSnapshotSide *side)
{
    return side->fields[BRUME_FIELD_DENSITY].data != NULL;
}

/** What the renderers draw of a side's smoke: windows into its fields. */
BrumeVolume brume_snapshot_smoke(const BrumeSnapshotSide *side);

#endif
