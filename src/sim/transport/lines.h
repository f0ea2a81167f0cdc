/**
 * @file lines.h
 * The lines of a pass in flux form and what is copied of them into a strip (strip.h): displacements, volumes, solid
 * cells and the values of a scalar. flux_form.c chooses the lines and the cells of them to process.
 */
#ifndef BRUME_SIM_TRANSPORT_LINES_H
#define BRUME_SIM_TRANSPORT_LINES_H

#include "core/field.h"
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

/** Cells from..to of the lines of a strip; none if to < from. */
typedef struct BrumeCellRange {
    int from, to;
} BrumeCellRange;

/** The lines of a strip: `lanes` columns from entry (i, j, k), or one row along x. */
typedef struct BrumeLines {
    int i, j, k;
    int lanes;           ///< 1 along x
    int cells;           ///< of each line
    BrumeCellRange own;  ///< cells that this rank computes: along z those of its planes, otherwise all
    BrumeCellRange near; ///< cells whose values and marks it has; across a periodic side below 1, above cells
    ptrdiff_t step;      ///< from a cell to the next in the field
    ptrdiff_t start;     ///< entry 0 of the first line in the field
    uint64_t columns;    ///< marks of the segments of the lines
    int reach;           ///< no face receives air from farther away [cells]
} BrumeLines;

/** The marks of row (1, k) of a scalar, a bit for each segment; those of the next row follow. */
static inline uint64_t *brume_marks_in_plane(const BrumeSim *sim, int slot, int k)
{
    return sim->scalar_transport->occupied + (ptrdiff_t)sim->def.ny * (BRUME_FLUX_SCALARS * k + slot);
}

/** The cell at index n of the lines, which may be beyond a periodic side. */
static inline int brume_cell_of_line(const BrumeLines *lines, int n)
{
    return n >= 1 && n <= lines->cells ? n : brume_wrap_any_index(n, lines->cells);
}

/** The marks of the row of the cell at index n of the lines. */
static inline uint64_t *brume_marks_at(const BrumeLinePass *pass, const BrumeLines *lines, int slot, int n)
{
    const int cell = brume_cell_of_line(lines, n);
    const int j = pass->axis == 1 ? cell : lines->j;
    return brume_marks_in_plane(pass->sim, slot, pass->axis == 2 ? cell : lines->k) + j - 1;
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
