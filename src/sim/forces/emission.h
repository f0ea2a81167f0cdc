/**
 * @file emission.h
 * The parts of emitters.c: an emitter at a position of its path, and what it emits there.
 */
#ifndef BRUME_SIM_FORCES_EMISSION_H
#define BRUME_SIM_FORCES_EMISSION_H

#include "core/shape.h"
#include "sim/forces/source_cover.h"
#include "sim/state/state.h"

/** An emitter at a position of its path. */
typedef struct BrumeExposure {
    BrumeEmitterDef emitter;   ///< as it is there
    BrumeSourceMode mode;      ///< its sources of this mode act
    double time;               ///< [s]
    float seconds;             ///< for which rates act
    float age;                 ///< time up to the end of the step [s]
    BrumeShapeFrame frame;     ///< of the shape, where its velocity counts
    BrumeShapeFrame frames[2]; ///< the same around this time, where its velocity counts
    float between;             ///< time from one to the other [s]; 0: its velocity does not count
} BrumeExposure;

/**
 * The points of at most BRUME_SEGMENT entries of a row from `first` to `last`, or where the air there was `age` [s]
 * ago, with the parts of them in which an emitter acts. Returns their number, or 0 where all parts are 0.
 */
int brume_cover_entries(const BrumeSim *sim, const BrumeSourceCover *covering, int location, const int first[3],
                        int last, float age, BrumeVec3 points[BRUME_SEGMENT], float parts[BRUME_SEGMENT]);

/** Emits smoke, heat and fuel, and books their amounts; ghosts are not current afterwards. */
void brume_emit_scalars(BrumeSim *sim, const BrumeExposure *exposure);

#endif
