/**
 * @file probe.h
 * Values of a simulation at given positions: points, lines, planes and the cells of a box.
 */
#ifndef BRUME_PROBE_H
#define BRUME_PROBE_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/sim.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/** Quantities of a probe, in the order of their columns. */
typedef enum BrumeProbeQuantity {
    BRUME_PROBE_VELOCITY,    ///< three columns [m/s]
    BRUME_PROBE_PRESSURE,    ///< kinematic [m^2/s^2]
    BRUME_PROBE_TEMPERATURE, ///< [K above ambient]
    BRUME_PROBE_DENSITY,     ///< plain smoke [1]
    BRUME_PROBE_COLOR_1,     ///< [1]; 0 where the color is not in use
    BRUME_PROBE_COLOR_2,
    BRUME_PROBE_COLOR_3,
    BRUME_PROBE_FUEL,      ///< [1]; 0 where there is no fuel
    BRUME_PROBE_MIXTURE,   ///< likewise
    BRUME_PROBE_VORTICITY, ///< three columns [1/s]
    BRUME_PROBE_QUANTITY_COUNT,
} BrumeProbeQuantity;

/** The columns of all quantities. */
enum { BRUME_PROBE_COLUMNS = BRUME_PROBE_QUANTITY_COUNT + 4 };

/** Names of all columns, in the order of BrumeProbeSample.values: "velocity_x", ..., "pressure", ... NULL past the
 * last. */
BRUME_API const char *brume_probe_column_name(int column);

/** The quantity of a column, 0 to BRUME_PROBE_COLUMNS - 1. */
BRUME_API BrumeProbeQuantity brume_probe_column_quantity(int column);

/** The name of a quantity: "velocity", "pressure", ... NULL past the last. */
BRUME_API const char *brume_probe_quantity_name(int quantity);

/** A position, and the values there. */
typedef struct BrumeProbeSample {
    double position[3];                 ///< in world space [m]
    double values[BRUME_PROBE_COLUMNS]; ///< of the quantities that were asked for; the others are 0
} BrumeProbeSample;

/**
 * Sets the values of `count` samples from their positions. `quantities` has bit 1 << q for each quantity q. Each value
 * is interpolated trilinearly from the places where it is stored: velocity from the faces, vorticity from the edges,
 * the others from the centers of the cells. At such a place, up to the rounding of the position, the value is the one
 * that is stored. Near the sides of the box, the values that the boundary conditions prescribe beyond them are used;
 * pressure is extended unchanged. Cells in bodies do not count: their weights are divided among the others; inside
 * a body the value is 0. Positions outside the box are moved to its side. The team of the calling thread shares
 * the work. The simulation is not const for the same reason as in brume_sim_measure.
 */
BRUME_API void brume_sim_sample(BrumeSim *sim, unsigned quantities, BrumeProbeSample *samples, size_t count);

/** The kind of a probe, which decides the members that are used. */
typedef enum BrumeProbeKind {
    BRUME_PROBE_POINTS, ///< `points`
    BRUME_PROBE_LINE,   ///< `counts[0]` positions from `from` to `to`, both included
    BRUME_PROBE_PLANE,  ///< at `position` across `axis`; `counts` and the rectangle from `from` to `to`
    BRUME_PROBE_BOX,    ///< the cells whose centers are within `from` and `to`
} BrumeProbeKind;

enum { BRUME_MAX_PROBES = 64, BRUME_MAX_PROBE_POINTS = 64 };

/** A probe. */
typedef struct BrumeProbe {
    char name[64]; ///< of its file, without folder and extension
    BrumeProbeKind kind;
    unsigned quantities; ///< bits 1 << BrumeProbeQuantity
    int every;           ///< measures every so many frames, from frame 0 on; at least 1
    bool last;           ///< measures the last frame only
    int point_count;
    BrumeVec3 points[BRUME_MAX_PROBE_POINTS]; ///< [m]
    BrumeVec3 from, to;                       ///< [m]
    bool whole;                               ///< plane: spans the box, `from` and `to` are not used; box: all cells
    int axis;                                 ///< plane: 0 x, 1 y, 2 z
    float position;                           ///< plane: along its axis [m]
    int counts[3]; ///< positions along x, y, z, of a line in the first; plane: 0 for one at each center of a cell
} BrumeProbe;

/** The number of positions of a probe in a box of these settings. */
BRUME_API size_t brume_probe_size(const BrumeProbe *probe, const BrumeSimDef *def);

/** Sets the positions of brume_probe_size samples, x fastest; their values are set to 0. */
BRUME_API void brume_probe_positions(const BrumeProbe *probe, const BrumeSimDef *def, BrumeProbeSample *samples);

BRUME_END_DECLS

#endif
