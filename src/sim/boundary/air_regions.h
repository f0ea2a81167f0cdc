/**
 * @file air_regions.h
 * Regions of air that walls and bodies enclose: what is in them stays there while bodies move.
 */
#ifndef BRUME_SIM_BOUNDARY_AIR_REGIONS_H
#define BRUME_SIM_BOUNDARY_AIR_REGIONS_H

#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

/**
 * The regions before bodies move. Region 0 is all air that reaches an open side, and what exceeds BRUME_MOST_REGIONS.
 * The regions after the motion belong to those of which they have most cells.
 */
typedef struct BrumeAirRegions {
    bool divided;    ///< whether there are several; else nothing below has a meaning
    uint8_t *before; ///< region of each cell before the motion, BRUME_NO_REGION of a solid one; scratch field 1
    uint8_t *after;  ///< the same after the motion; scratch field 2
    int open;        ///< the region to which region 0 belongs after the motion
    double amounts[BRUME_SCALAR_COUNT][BRUME_MOST_REGIONS]; ///< lost by a region so far [unit cells]
} BrumeAirRegions;

enum { BRUME_NO_REGION = 255 };

/**
 * Books in sim->region_gains what a transport adds to each region: called before it, and after it with the factor by
 * which values have decayed in it. Nothing is booked where no body moves or the air is one region.
 */
void brume_regions_before_transport(BrumeSim *sim);
void brume_regions_after_transport(BrumeSim *sim, double dt);

/** Numbers the regions before the motion. The cells of the simulation are those before it. */
void brume_regions_begin(BrumeAirRegions *regions, BrumeSim *sim, const BrumeGeometry *next);

/**
 * Finds the regions after the motion. A cell that is air before and after it, in regions that do not belong together,
 * was passed by a surface and becomes solid in the cells of the simulation, which are those before the motion; `body`
 * is its body. Adds the contents of all cells that are covered to `amounts`.
 */
void brume_regions_cover(BrumeAirRegions *regions, BrumeSim *sim, int body);

/**
 * Subtracts the contents that uncovered cells were filled with; `old_cells` are those before the motion. A region all
 * of which was solid before it is empty.
 */
void brume_regions_fill(BrumeAirRegions *regions, BrumeSim *sim, const BrumeCells *old_cells);

/**
 * Returns the amounts to the air of each region, after a transport in flux form: near the bodies that move, as far as
 * its values stay between its least and its largest one, then by a common factor of all its values, at most 2. A
 * remainder is lost. `from_bodies` are the amounts that all bodies gave to the air in the transport, less those that
 * they took, by scalar [unit cells]. Ghosts are not current afterwards. Uses the first scratch field.
 */
void brume_regions_return(BrumeAirRegions *regions, BrumeSim *sim, const double from_bodies[BRUME_SCALAR_COUNT]);

#endif
