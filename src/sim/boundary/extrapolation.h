/**
 * @file extrapolation.h
 * Values inside bodies. In the state they are 0. Before a stage interpolates a field, the entries in the two
 * outermost layers of each body are extrapolated from the air, so that interpolation near a surface does not read
 * zeros.
 */
#ifndef BRUME_SIM_BOUNDARY_EXTRAPOLATION_H
#define BRUME_SIM_BOUNDARY_EXTRAPOLATION_H

#include "core/error.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BRUME_EXTRAPOLATION_LAYERS = 2,
    BRUME_LOCATION_COUNT = 4, ///< x, y, z faces and centers
};

/** An entry inside a body, and the neighbors from which its value follows. */
typedef struct BrumeExtrapolationEntry {
    int32_t index;      ///< offset in the field
    int32_t sources[6]; ///< offsets of the neighbors in the layer outside
    uint8_t count;      ///< of the sources, 1 to 6
    uint8_t linear; ///< bit n: source n is followed by two entries of the air on a line with it, on a face of cut cells
} BrumeExtrapolationEntry;

/** The entries of one layer in ascending order, which reads only air and the layers outside it. */
typedef struct BrumeExtrapolationLayer {
    BrumeExtrapolationEntry *entries;
    ptrdiff_t count;
} BrumeExtrapolationLayer;

enum { BRUME_SLIP_SOURCES = 4 }; ///< entries of each other component around a face

/** A face in one of the layers of a body that cuts cells, for brume_set_slip_faces. */
typedef struct BrumeSlipFace {
    int32_t entry;   ///< offset in the field
    float normal[3]; ///< of the surface, out of the body; 0 where it is not known
    float velocity;  ///< [m/s], of brume_set_slip_faces
    uint8_t
        known[3]; ///< by component other than its own: bit n is set where entry - (n % 2) strides along its own axis
                  ///< + (n / 2) strides along the axis of the component is in the air or in a layer
    uint8_t body;
} BrumeSlipFace;

/** The layers of each location, outermost first; locations 0 to 2 are the x, y, z faces, BRUME_AT_CENTER the centers.
 */
typedef struct BrumeExtrapolation {
    BrumeExtrapolationLayer layers[BRUME_LOCATION_COUNT][BRUME_EXTRAPOLATION_LAYERS];
    BrumeExtrapolationLayer narrow[3]; ///< narrow faces of each component beside wider ones, where a mesh cuts cells
    BrumeSlipFace *slip[3];            ///< the entries of the layers of each component, with cut cells
    ptrdiff_t slip_count[3];           ///< of `slip`
    bool at_sides; ///< whether a body is at a side of the box, whose ghosts are then values of entries in it
} BrumeExtrapolation;

/** Lists the layers of all bodies. BRUME_FAILED if memory runs out; `*extrapolation` is empty then. */
BrumeStatus brume_extrapolation_create(BrumeExtrapolation *extrapolation, const BrumeCells *cells, BrumeError *error);

void brume_extrapolation_destroy(BrumeExtrapolation *extrapolation);

/** Bytes allocated. */
size_t brume_extrapolation_bytes(const BrumeExtrapolation *extrapolation);

/** Entries of a layer from `from` to before `end`. */
typedef struct BrumeExtrapolationRange {
    ptrdiff_t from, end;
} BrumeExtrapolationRange;

/** The entries of a layer in the planes of a field that this rank computes. */
BrumeExtrapolationRange brume_own_extrapolation(const BrumeExtrapolationLayer *layer, const BrumeField *field);

/** How far from an entry brume_extrapolate reads, in each direction: the depth of the exchange before it. */
int brume_extrapolation_reach(const BrumeCells *cells);

/**
 * Sets a layer of a field, from the outermost, 0, on, to the mean of the neighbors in the air or in the layer outside.
 * With cut cells, the values of a velocity continue linearly through a neighbor, with the smaller of the two
 * differences behind it, where both have the same sign: constant values would take a shear along the surface from the
 * air. Entries of the bodies n for which `held[n]` is true keep their values; NULL for none.
 */
void brume_extrapolate(const BrumeExtrapolation *extrapolation, int layer, const BrumeCells *cells, int location,
                       BrumeField *field, const bool held[BRUME_MAX_BODIES]);

/**
 * Sets the narrow faces of component `axis`, of which less than half is open, to the mean of the wider faces beside
 * them, where there are any. Only where a mesh cuts cells. Reads the planes next to those of this rank.
 */
void brume_extrapolate_to_narrow_faces(const BrumeExtrapolation *extrapolation, const BrumeCells *cells, int axis,
                                       BrumeField *field, const bool held[BRUME_MAX_BODIES]);

/** Sets every entry inside bodies, and every face on their surfaces, to 0, in the planes of this rank. */
void brume_clear_solids(const BrumeCells *cells, int location, BrumeField *field);

/** As brume_clear_solids for row (j, k), entries 1..nx+1, on the calling thread alone. */
void brume_clear_solids_row(const BrumeCells *cells, int location, BrumeField *field, int j, int k);

#endif
