/**
 * @file lines.h
 * The lines of a pass in flux form and what is copied of them into a strip (strip.h): displacements, volumes, solid
 * cells and the values of a scalar. flux_form.c chooses the lines and the cells of them to process.
 */
#ifndef BRUME_SIM_TRANSPORT_LINES_H
#define BRUME_SIM_TRANSPORT_LINES_H

#include "sim/boundary/geometry.h"
#include "sim/transport/strip.h"
#include "sim/transport/transport.h"

/** The values of a scalar in the ghosts of a line. */
typedef struct BrumeEndRule {
    bool periodic, open, inflow, fixed;
    float value; ///< of an inflow or of a wall of fixed temperature [unit]
} BrumeEndRule;

/** A pass over the box. */
typedef struct BrumeLinePass {
    BrumeSim *sim;
    const BrumeFluxSubstep *substep;
    int index; ///< 0 for the first pass
    int axis;
    bool first, last;
    bool divides; ///< amounts by the volume after the pass, which otherwise is 1
    int segment;  ///< cells of a mark
    BrumeEndRule rules[BRUME_FLUX_SCALARS][2];
    bool enters; ///< an inflow has values
} BrumeLinePass;

/** The lines of a strip: `lanes` columns from entry (i, j, k), or one row along x. */
typedef struct BrumeLines {
    int i, j, k;
    int lanes;                     ///< 1 along x
    int cells;                     ///< of each line
    ptrdiff_t step;                ///< from a cell to the next in the field
    ptrdiff_t start;               ///< entry 0 of the first line in the field
    int line;                      ///< index of the partial sums: k in planes, j across them
    uint64_t columns;              ///< marks of the segments of the lines
    int reach;                     ///< no face receives air from farther away [cells]
    ptrdiff_t first_row, row_step; ///< rows of the cells, y fastest
} BrumeLines;

/** Cells from..to of the lines of a strip; none if to < from. */
typedef struct BrumeCellRange {
    int from, to;
} BrumeCellRange;

/** The marks of the row of cell n of the lines, a bit for each segment. */
static inline uint64_t *brume_marks_at(const BrumeLinePass *pass, const BrumeLines *lines, int slot, int n)
{
    return pass->sim->scalar_transport->occupied[slot] + lines->first_row + lines->row_step * (n - 1);
}

/** The marks of the segments of entries from..to of a row. */
static inline uint64_t brume_marks_of(const BrumeLinePass *pass, int from, int to)
{
    return (UINT64_MAX << ((from - 1) / pass->segment)) & (UINT64_MAX >> (63 - (to - 1) / pass->segment));
}

/** Rows of a strip in memory: along x, the cells of a range are one row. */
typedef struct BrumeLineRows {
    int count, length;
} BrumeLineRows;

static inline BrumeLineRows brume_rows_of(const BrumeLines *lines, int cells)
{
    return lines->step == 1 ? (BrumeLineRows){1, cells} : (BrumeLineRows){cells, lines->lanes};
}

/** The field that a pass reads, of a scalar of the substep. */
static inline const BrumeField *brume_pass_source(const BrumeLinePass *pass, int slot)
{
    return pass->first ? &pass->sim->fields[pass->substep->ids[slot]] : &pass->sim->scratch[slot];
}

/** Loads the displacements at the faces of the cells of a range; returns the largest absolute value [cells]. */
float brume_load_courant(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                         BrumeCellRange range);

/** Loads what else all scalars share, for results in `range`; returns whether the strip has solid cells. */
bool brume_load_flow(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, BrumeCellRange range);

/** Loads the values of a scalar in the cells that results in `range` depend on; displacements must be loaded. */
void brume_load_values(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                       BrumeCellRange range);

#endif
