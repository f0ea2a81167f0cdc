/*
 * Copies the lines of a strip from the fields: the layouts of rows along x and of columns along y and z, the ghosts
 * beyond their ends, and zeros in place of segments without marks.
 */
#include "sim/transport/lines.h"

#include "core/field.h"
#include "core/minmax.h"
#include "sim/grid/cells.h"

#include <string.h>

static void copy_floats(float *to, const float *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

static void clear_floats(float *to, int count) { memset(to, 0, (size_t)count * sizeof *to); }

// copies cells beyond the ends of a row along x, as far as a range reads them
static void extend_periodic(float *row, const BrumeLines *lines, BrumeCellRange read)
{
    for (int n = read.from; n <= 0; n++) {
        row[n] = row[brume_wrap_any_index(n, lines->cells)];
    }
    for (int n = lines->cells + 1; n <= read.to; n++) {
        row[n] = row[brume_wrap_any_index(n, lines->cells)];
    }
}

static void fill_floats(float *array, const BrumeLines *lines, BrumeCellRange cells, float value)
{
    for (ptrdiff_t n = (ptrdiff_t)lines->lanes * cells.from; n < (ptrdiff_t)lines->lanes * (cells.to + 1); n++) {
        array[n] = value;
    }
}

static BrumeCellRange cells_within(BrumeCellRange range, const BrumeLines *lines)
{
    return (BrumeCellRange){brume_max_int(range.from, 1), brume_min_int(range.to, lines->cells)};
}

// the cells of a range that are copied from a field: columns also beyond a periodic side
static BrumeCellRange cells_in_field(const BrumeLinePass *pass, BrumeCellRange range, const BrumeLines *lines)
{
    const bool wraps = pass->sim->geometry->cells.periodic[pass->axis] && pass->axis != 0;
    return wraps ? range : cells_within(range, lines);
}

// the entry of the cell at index n of the first line
static ptrdiff_t entry_of(const BrumeLines *lines, int n)
{
    return lines->start + lines->step * brume_cell_of_line(lines, n);
}

// whether rows with solid cells are among those that lines cross
static bool may_be_solid(const BrumeLinePass *pass, const BrumeLines *lines)
{
    const BrumeCells *cells = &pass->sim->geometry->cells;
    const BrumeIndexBox *touched = &cells->touched;
    const int at[3] = {lines->i, lines->j, lines->k};
    bool within = cells->bodies;
    for (int axis = 1; axis < 3; axis++) {
        within = within && (axis == pass->axis || (at[axis] >= touched->from[axis] && at[axis] <= touched->to[axis]));
    }
    return within;
}

// the flags of cells beyond an end of the lines
static bool load_solids_beyond(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                               BrumeCellRange beyond)
{
    const BrumeCells *cells = &pass->sim->geometry->cells;
    bool any = false;
    for (int n = beyond.from; n <= beyond.to; n++) {
        int32_t *solid = strip->solid + (ptrdiff_t)lines->lanes * n;
        if (cells->periodic[pass->axis]) {
            any |= brume_strip_solids(solid, cells->flags + entry_of(lines, n), lines->lanes);
        } else {
            memset(solid, 0, (size_t)lines->lanes * sizeof *solid);
        }
    }
    return any;
}

// copies the flags of solid cells; returns whether there are any
static bool load_solids(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                        BrumeCellRange read)
{
    if (!may_be_solid(pass, lines)) {
        return false;
    }
    const uint8_t *flags = pass->sim->geometry->cells.flags + lines->start;
    const BrumeCellRange inside = cells_within(read, lines);
    const BrumeLineRows rows = brume_rows_of(lines, inside.to - inside.from + 1);
    bool any = load_solids_beyond(pass, lines, strip, (BrumeCellRange){read.from, 0});
    for (int row = 0; row < rows.count; row++) {
        const int n = inside.from + row;
        any |= brume_strip_solids(strip->solid + (ptrdiff_t)lines->lanes * n, flags + lines->step * n, rows.length);
    }
    any |= load_solids_beyond(pass, lines, strip, (BrumeCellRange){lines->cells + 1, read.to});
    return any;
}

static void set_where_solid(float *array, const BrumeStrip *strip, const BrumeLines *lines, BrumeCellRange range,
                            float value)
{
    for (ptrdiff_t n = (ptrdiff_t)range.from * lines->lanes; n < (ptrdiff_t)(range.to + 1) * lines->lanes; n++) {
        array[n] = strip->solid[n] ? value : array[n];
    }
}

// the volumes of the cells before the pass, and their reciprocals
static void load_volumes(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                         BrumeCellRange read, bool masked)
{
    const BrumeFluxSubstep *substep = pass->substep;
    const bool periodic = pass->sim->geometry->cells.periodic[pass->axis];
    const BrumeCellRange copied = cells_in_field(pass, read, lines);
    const BrumeLineRows rows = brume_rows_of(lines, copied.to - copied.from + 1);
    for (int row = 0; row < rows.count; row++) {
        const int n = copied.from + row;
        for (int earlier = 0; earlier < pass->index; earlier++) {
            const BrumeField *velocity = &substep->velocity[substep->axes[earlier]];
            brume_strip_volume(strip->volume + (ptrdiff_t)lines->lanes * n, velocity->data + entry_of(lines, n),
                               brume_stride(velocity, substep->axes[earlier]), substep->cells_per_mps, earlier == 0,
                               rows.length);
        }
    }
    if (periodic && pass->axis == 0) {
        extend_periodic(strip->volume, lines, read);
    } else if (!periodic) {
        fill_floats(strip->volume, lines, (BrumeCellRange){read.from, 0}, 1.0f);
        fill_floats(strip->volume, lines, (BrumeCellRange){lines->cells + 1, read.to}, 1.0f);
    }
    if (masked) {
        set_where_solid(strip->volume, strip, lines, read, 1.0f);
    }
    brume_strip_reciprocals(strip, (ptrdiff_t)lines->lanes * read.from, (ptrdiff_t)lines->lanes * (read.to + 1));
}

float brume_load_courant(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                         BrumeCellRange range)
{
    float largest = 0.0f;
    const float *velocity = pass->substep->velocity[pass->axis].data + lines->start;
    const BrumeLineRows rows = brume_rows_of(lines, range.to - range.from + 2);
    for (int row = 0; row < rows.count; row++) {
        const int n = range.from + row;
        const float own = brume_strip_courant(strip->courant + (ptrdiff_t)lines->lanes * n, velocity + lines->step * n,
                                              pass->substep->cells_per_mps, rows.length);
        largest = brume_fmaxf(largest, own);
    }
    return largest;
}

bool brume_load_flow(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, BrumeCellRange range)
{
    const BrumeCellRange read = {range.from - lines->reach, range.to + lines->reach};
    const bool masked = load_solids(pass, lines, strip, (BrumeCellRange){read.from - 2, read.to + 2});
    if (!pass->first) {
        load_volumes(pass, lines, strip, read, masked);
    }
    if (pass->divides) {
        brume_strip_next_reciprocals(strip, lines->lanes, (ptrdiff_t)lines->lanes * range.from,
                                     (ptrdiff_t)lines->lanes * (range.to + 1), pass->first);
        if (masked) {
            set_where_solid(strip->per_next, strip, lines, range, 1.0f);
        }
    }
    return masked;
}

// ghosts beyond one end of lines that are not periodic: cell `end` is the adjacent one, face `face` is on the side
static void set_ghosts(const BrumeLinePass *pass, const BrumeStrip *strip, const BrumeLines *lines, BrumeEndRule rule,
                       BrumeCellRange ghosts, int end, int face, float inward)
{
    const float *velocity = pass->substep->velocity[pass->axis].data + lines->start + lines->step * face;
    for (int n = ghosts.from; n <= ghosts.to; n++) {
        for (int lane = 0; lane < lines->lanes; lane++) {
            const float courant = pass->substep->cells_per_mps * velocity[lane];
            const bool enters = rule.open && courant * inward > 0.0f;
            const bool inflow = rule.inflow && courant != 0.0f; // it is 0 outside of an opening
            const float adjacent = strip->q[lines->lanes * end + lane];
            strip->q[lines->lanes * n + lane] = inflow ? rule.value : enters ? 0.0f : adjacent;
        }
    }
}

// copies the entries from..to of a row in marked segments, and clears the others
static void copy_marked(const BrumeLinePass *pass, float *to_row, const float *from_row, int from, int to,
                        uint64_t marks)
{
    const uint64_t own = brume_marks_of(pass, from, to);
    if ((marks & own) == own) {
        copy_floats(to_row, from_row, to - from + 1);
        return;
    }
    for (int first = from; first <= to;) {
        const int segment = (first - 1) / pass->segment;
        const int last = brume_min_int((segment + 1) * pass->segment, to);
        if (marks >> segment & 1) {
            copy_floats(to_row + first - from, from_row + first - from, last - first + 1);
        } else {
            clear_floats(to_row + first - from, last - first + 1);
        }
        first = last + 1;
    }
}

void brume_load_values(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                       BrumeCellRange range)
{
    const float *source = brume_pass_source(pass, slot)->data;
    const int margin = lines->reach + BRUME_PARABOLA_CELLS;
    const BrumeCellRange read = {range.from - margin, range.to + margin};
    const BrumeCellRange copied = cells_in_field(pass, read, lines);
    const BrumeLineRows rows = brume_rows_of(lines, copied.to - copied.from + 1);
    for (int row = 0; row < rows.count; row++) {
        const int n = copied.from + row;
        const int first = pass->axis == 0 ? n : lines->i;
        copy_marked(pass, strip->q + (ptrdiff_t)lines->lanes * n, source + entry_of(lines, n), first,
                    first + rows.length - 1, *brume_marks_at(pass, lines, slot, n));
    }
    if (pass->sim->geometry->cells.periodic[pass->axis]) {
        if (pass->axis == 0) {
            extend_periodic(strip->q, lines, read);
        }
        return;
    }
    const BrumeCellRange lower = {read.from, 0};
    const BrumeCellRange upper = {lines->cells + 1, read.to};
    if (range.from == lines->own.from) {
        set_ghosts(pass, strip, lines, pass->rules[slot][0], lower, 1, 1, 1.0f);
    } else { // no value reaches the first cell, nor comes from beyond it
        fill_floats(strip->q, lines, lower, 0.0f);
    }
    if (range.to == lines->own.to) {
        set_ghosts(pass, strip, lines, pass->rules[slot][1], upper, lines->cells, lines->cells + 1, -1.0f);
    } else {
        fill_floats(strip->q, lines, upper, 0.0f);
    }
}
