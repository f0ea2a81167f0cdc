/*
 * The vectorized substep in flux form: for each pass, lines along its axis are copied into the strips of a thread
 * (strip.h), processed and written back. It gives the bits of the plain loops in src/sim/reference/transport.c and
 * differs in that
 * - the x and y passes of a plane follow each other while the plane is in the cache;
 * - the volume weights of a strip are computed once for all scalars;
 * - only the cells that smoke can reach are processed. Row segments of 64 cells are marked where any bit of a scalar is
 *   set; a pass processes the cells of a line from the first marked one to the last and as far beyond as its reach. In
 *   all others the value is +0 before and after the pass;
 * - strips without solid cells use loops without masks, which would change nothing.
 *
 * The first pass reads the scalar and writes a scratch field, the last one writes the scalar.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/blocks.h"
#include "sim/transport/strip.h"
#include "sim/transport/transport.h"

#include <float.h>
#include <omp.h>
#include <string.h>

enum {
    WAS = 1,             // mark of a row segment: a bit of the scalar was set before the substep
    IS = 2,              // a bit may be set after the latest pass
    BLOCK_ENTRIES = 256, // that the kernels of a pass process after each other
};

// a pass over the box
typedef struct StripPass {
    BrumeSim *sim;
    const BrumeFluxSubstep *substep;
    int index; // 0 for the first pass
    int axis;
    bool first, last;
    bool divides; // amounts by the volume after the pass, which otherwise is 1
} StripPass;

// the lines of a strip: `lanes` columns from entry (i, j, k), or one row along x
typedef struct Lines {
    int i, j, k;
    int lanes;                       // 1 along x
    int cells;                       // of each line
    ptrdiff_t step;                  // from a cell to the next in the field
    ptrdiff_t start;                 // entry 0 of the first line in the field
    int line;                        // index of the partial sums: k in planes, j across them
    ptrdiff_t first_mark, mark_step; // marks of the cells, or of the segments along x
} Lines;

// cells from..to of the lines of a strip; none if to < from
typedef struct CellRange {
    int from, to;
} CellRange;

static int segment_count(const StripPass *pass)
{
    return (pass->sim->geometry->cells.grid.nx + BRUME_STRIP_LANES - 1) / BRUME_STRIP_LANES;
}

// whether row (j, k) of the box may have values other than +0
static bool may_have_values(const StripPass *pass, int j, int k)
{
    const uint8_t *rows = pass->substep->rows;
    return !rows || rows[brume_block_row(pass->sim->geometry->cells.grid, j, k)];
}

// the mark of cell n of the lines; along x, of segment n, counted from 1
static uint8_t *mark_at(const StripPass *pass, const Lines *lines, int slot, int n)
{
    return pass->sim->scalar_transport->occupied[slot] + lines->first_mark + lines->mark_step * (n - 1);
}

static const BrumeField *source_of(const StripPass *pass, int slot)
{
    return pass->first ? &pass->sim->fields[pass->substep->ids[slot]] : &pass->sim->scratch[slot];
}

static BrumeField *target_of(const StripPass *pass, int slot)
{
    return pass->last ? &pass->sim->fields[pass->substep->ids[slot]] : &pass->sim->scratch[slot];
}

static BrumeStrip strip_of(const BrumeTransport *transport, int thread, int lanes)
{
    float *arrays[BRUME_STRIP_ARRAYS];
    for (size_t n = 0; n < BRUME_STRIP_ARRAYS; n++) {
        arrays[n] = transport->strips + ((size_t)thread * BRUME_STRIP_ARRAYS + n) * transport->strip_entries +
                    (size_t)BRUME_STRIP_PAD * (size_t)lanes;
    }
    return (BrumeStrip){arrays[0], arrays[1], arrays[2], arrays[3], arrays[4],
                        arrays[5], arrays[6], arrays[7], arrays[8], (int32_t *)arrays[9]};
}

// rows of a strip in memory: along x, the cells of a range are one row
typedef struct Rows {
    int count, length;
} Rows;

static Rows rows_of(const Lines *lines, int cells)
{
    return lines->step == 1 ? (Rows){1, cells} : (Rows){cells, lines->lanes};
}

static void copy_floats(float *to, const float *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

static void clear_floats(float *to, int count) { memset(to, 0, (size_t)count * sizeof *to); }

// the values of a scalar in the ghosts of a line
typedef struct EndRule {
    bool periodic, open, inflow, fixed;
    float value; // of an inflow or of a wall of fixed temperature [unit]
} EndRule;

static EndRule end_rule(const StripPass *pass, BrumeFieldId id, int upper)
{
    const BrumeFaceDef *face = &pass->sim->def.faces[2 * pass->axis + upper];
    const bool heat = id == BRUME_FIELD_TEMPERATURE;
    return (EndRule){
        .periodic = face->kind == BRUME_PERIODIC,
        .open = face->kind == BRUME_OPEN,
        .inflow = face->kind == BRUME_INFLOW,
        .fixed =
            face->kind == BRUME_WALL && face->fixed_temperature && heat && pass->sim->def.thermal_diffusivity > 0.0f,
        .value = heat ? face->temperature : face->smoke[id - BRUME_FIELD_DENSITY],
    };
}

// the cells of segment n of a row, counted from 1
static CellRange segment_cells(int n, int cells)
{
    return (CellRange){(n - 1) * BRUME_STRIP_LANES + 1, brume_min_int(n * BRUME_STRIP_LANES, cells)};
}

// number of marks along the lines: of segments along x, otherwise of cells
static int mark_count(const StripPass *pass, const Lines *lines)
{
    return pass->axis == 0 ? segment_count(pass) : lines->cells;
}

// the cells that mark n covers
static CellRange marked_cells(const StripPass *pass, const Lines *lines, int n)
{
    return pass->axis == 0 ? segment_cells(n, lines->cells) : (CellRange){n, n};
}

static void mark_occupied(const StripPass *pass, const Lines *lines, int slot)
{
    const float *source = source_of(pass, slot)->data + lines->start;
    for (int n = 1; n <= mark_count(pass, lines); n++) {
        const CellRange cells = marked_cells(pass, lines, n);
        const int length = rows_of(lines, cells.to - cells.from + 1).length;
        if (pass->axis != 0 && !may_have_values(pass, pass->axis == 1 ? n : lines->j, pass->axis == 2 ? n : lines->k)) {
            *mark_at(pass, lines, slot, n) = 0;
            continue;
        }
        *mark_at(pass, lines, slot, n) = brume_strip_any(source + lines->step * cells.from, length) ? WAS | IS : 0;
    }
}

// the cells to process: the cells that a value other than +0 can reach
static CellRange find_range(const StripPass *pass, const Lines *lines, int slot)
{
    const int count = mark_count(pass, lines);
    const EndRule lower = end_rule(pass, pass->substep->ids[slot], 0);
    const EndRule upper = end_rule(pass, pass->substep->ids[slot], 1);
    CellRange range = {lines->cells + 1, 0};
    for (int n = 1; n <= count; n++) {
        if (*mark_at(pass, lines, slot, n) & IS) {
            const CellRange cells = marked_cells(pass, lines, n);
            range.from = brume_min_int(range.from, cells.from);
            range.to = cells.to;
        }
    }
    const bool enters_lower = lower.inflow && lower.value != 0.0f;
    const bool enters_upper = upper.inflow && upper.value != 0.0f;
    if (range.to < range.from && !enters_lower && !enters_upper) {
        return range;
    }
    // a range from the first or to the last cell where the cells that it reads include ghosts
    const int margin = pass->substep->reach + 2;
    range.from = enters_lower || lower.periodic || range.from - 2 * margin < 1 ? 1 : range.from - margin;
    range.to =
        enters_upper || upper.periodic || range.to + 2 * margin > lines->cells ? lines->cells : range.to + margin;
    if (pass->axis == 0) { // whole segments
        range.from = segment_cells((range.from - 1) / BRUME_STRIP_LANES + 1, lines->cells).from;
        range.to = segment_cells((range.to - 1) / BRUME_STRIP_LANES + 1, lines->cells).to;
        range.from = range.from - margin < 1 ? 1 : range.from;
        range.to = range.to + margin > lines->cells ? lines->cells : range.to;
    }
    return range;
}

// copies or repeats cells beyond the ends of the lines, as far as a range reads them
static void extend_periodic(float *array, const Lines *lines, CellRange read)
{
    for (int n = read.from; n <= 0; n++) {
        copy_floats(array + lines->lanes * n, array + lines->lanes * brume_wrap_any_index(n, lines->cells),
                    lines->lanes);
    }
    for (int n = lines->cells + 1; n <= read.to; n++) {
        copy_floats(array + lines->lanes * n, array + lines->lanes * brume_wrap_any_index(n, lines->cells),
                    lines->lanes);
    }
}

static void fill_floats(float *array, const Lines *lines, CellRange cells, float value)
{
    for (ptrdiff_t n = (ptrdiff_t)lines->lanes * cells.from; n < (ptrdiff_t)lines->lanes * (cells.to + 1); n++) {
        array[n] = value;
    }
}

static CellRange cells_within(CellRange range, const Lines *lines)
{
    return (CellRange){brume_max_int(range.from, 1), brume_min_int(range.to, lines->cells)};
}

// copies the flags of solid cells; returns whether there are any
static bool load_solids(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, CellRange read)
{
    const BrumeCells *cells = &pass->sim->geometry->cells;
    if (!cells->bodies) {
        return false;
    }
    const bool periodic = cells->periodic[pass->axis];
    int32_t any = 0;
    for (int n = read.from; n <= read.to; n++) {
        const bool outside = n < 1 || n > lines->cells;
        const int cell = outside ? brume_wrap_any_index(n, lines->cells) : n;
        const uint8_t *flags = cells->flags + lines->start + lines->step * cell;
        int32_t *solid = strip->solid + lines->lanes * n;
        for (int lane = 0; lane < lines->lanes; lane++) {
            solid[lane] = (flags[lane] & BRUME_CELL_SOLID) && (!outside || periodic) ? -1 : 0;
            any |= solid[lane];
        }
    }
    return any != 0;
}

static void set_where_solid(float *array, const BrumeStrip *strip, const Lines *lines, CellRange range, float value)
{
    for (ptrdiff_t n = (ptrdiff_t)range.from * lines->lanes; n < (ptrdiff_t)(range.to + 1) * lines->lanes; n++) {
        array[n] = strip->solid[n] ? value : array[n];
    }
}

// the volumes of the cells before the pass, and their reciprocals
static void load_volumes(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, CellRange read,
                         bool masked)
{
    const BrumeFluxSubstep *substep = pass->substep;
    const CellRange inside = cells_within(read, lines);
    const Rows rows = rows_of(lines, inside.to - inside.from + 1);
    for (int row = 0; row < rows.count; row++) {
        const int n = inside.from + row;
        for (int earlier = 0; earlier < pass->index; earlier++) {
            const BrumeField *velocity = &substep->velocity[substep->axes[earlier]];
            brume_strip_volume(
                strip->volume + (ptrdiff_t)lines->lanes * n, velocity->data + lines->start + lines->step * n,
                brume_stride(velocity, substep->axes[earlier]), substep->cells_per_mps, earlier == 0, rows.length);
        }
    }
    if (pass->sim->geometry->cells.periodic[pass->axis]) {
        extend_periodic(strip->volume, lines, read);
    } else {
        fill_floats(strip->volume, lines, (CellRange){read.from, 0}, 1.0f);
        fill_floats(strip->volume, lines, (CellRange){lines->cells + 1, read.to}, 1.0f);
    }
    if (masked) {
        set_where_solid(strip->volume, strip, lines, read, 1.0f);
    }
    brume_strip_reciprocals(strip, (ptrdiff_t)lines->lanes * read.from, (ptrdiff_t)lines->lanes * (read.to + 1));
}

// everything of a strip that all scalars share, for results in `range`; returns whether it has solid cells
static bool load_flow(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, CellRange range)
{
    const BrumeFluxSubstep *substep = pass->substep;
    const CellRange read = {range.from - substep->reach, range.to + substep->reach};
    const bool masked = load_solids(pass, lines, strip, (CellRange){read.from - 2, read.to + 2});
    const float *velocity = substep->velocity[pass->axis].data + lines->start;
    const Rows rows = rows_of(lines, range.to - range.from + 2);
    for (int row = 0; row < rows.count; row++) {
        const int n = range.from + row;
        brume_strip_courant(strip->courant + (ptrdiff_t)lines->lanes * n, velocity + lines->step * n,
                            substep->cells_per_mps, rows.length);
    }
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
static void set_ghosts(const BrumeStrip *strip, const Lines *lines, EndRule rule, CellRange ghosts, int end, int face,
                       float inward)
{
    for (int n = ghosts.from; n <= ghosts.to; n++) {
        for (int lane = 0; lane < lines->lanes; lane++) {
            const float courant = strip->courant[lines->lanes * face + lane];
            const bool enters = rule.open && courant * inward > 0.0f;
            const bool inflow = rule.inflow && courant != 0.0f; // it is 0 outside of an opening
            const float adjacent = strip->q[lines->lanes * end + lane];
            strip->q[lines->lanes * n + lane] = inflow ? rule.value : enters ? 0.0f : adjacent;
        }
    }
}

// the values of a scalar in the cells that results in `range` depend on
static void load_values(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, int slot, CellRange range)
{
    const float *source = source_of(pass, slot)->data + lines->start;
    const int margin = pass->substep->reach + 2;
    const CellRange read = {range.from - margin, range.to + margin};
    for (int n = 1; n <= mark_count(pass, lines); n++) {
        const CellRange cells = marked_cells(pass, lines, n);
        const CellRange loaded = {brume_max_int(cells.from, read.from), brume_min_int(cells.to, read.to)};
        if (loaded.to < loaded.from) {
            continue;
        }
        float *q = strip->q + (ptrdiff_t)lines->lanes * loaded.from;
        const int length = rows_of(lines, loaded.to - loaded.from + 1).length;
        if (*mark_at(pass, lines, slot, n) & IS) {
            copy_floats(q, source + lines->step * loaded.from, length);
        } else {
            clear_floats(q, length);
        }
    }
    if (pass->sim->geometry->cells.periodic[pass->axis]) {
        extend_periodic(strip->q, lines, read);
        return;
    }
    const BrumeFieldId id = pass->substep->ids[slot];
    set_ghosts(strip, lines, end_rule(pass, id, 0), (CellRange){read.from, 0}, 1, 1, 1.0f);
    set_ghosts(strip, lines, end_rule(pass, id, 1), (CellRange){lines->cells + 1, read.to}, lines->cells,
               lines->cells + 1, -1.0f);
}

// walls of fixed temperature are values that are there
static void set_wall_edges(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, int slot,
                           CellRange range)
{
    for (int upper = 0; upper < 2; upper++) {
        const EndRule rule = end_rule(pass, pass->substep->ids[slot], upper);
        const int face = upper ? lines->cells + 1 : 1;
        for (int lane = 0; rule.fixed && face >= range.from && face <= range.to && lane < lines->lanes; lane++) {
            strip->edge[lines->lanes * face + lane] = rule.value;
        }
    }
}

static double *amounts_of(const StripPass *pass, int slot, int line)
{
    const BrumeGrid grid = pass->sim->geometry->cells.grid;
    const int lines = brume_max_int(grid.ny, grid.nz) + 1;
    return pass->sim->scalar_transport->passed + ((ptrdiff_t)slot * lines + line) * BRUME_AMOUNTS;
}

// adds the fluxes through the sides of the box and the surfaces of bodies
static void add_amounts(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, int slot, CellRange range,
                        bool masked)
{
    double *amounts = amounts_of(pass, slot, lines->line);
    const int last = lines->cells + 1;
    for (int lane = 0; lane < lines->lanes; lane++) {
        const ptrdiff_t lower = (ptrdiff_t)lines->lanes + lane;
        const ptrdiff_t upper = (ptrdiff_t)lines->lanes * last + lane;
        if (range.from == 1 && !(masked && (strip->solid[lower] | strip->solid[lower - lines->lanes]))) {
            amounts[2 * pass->axis] -= (double)strip->flux[lower];
        }
        if (range.to == lines->cells && !(masked && (strip->solid[upper - lines->lanes] | strip->solid[upper]))) {
            amounts[2 * pass->axis + 1] += (double)strip->flux[upper];
        }
    }
    if (!masked || !pass->sim->bodies_move) {
        return;
    }
    const bool periodic = pass->sim->geometry->cells.periodic[pass->axis];
    const int from = brume_max_int(range.from, periodic ? 1 : 2);
    const int to = brume_min_int(range.to + 1, lines->cells); // face n+1 of periodic lines is face 1
    const uint8_t *ids = pass->sim->geometry->cells.body_ids + lines->start;
    for (int n = from; n <= to; n++) {
        for (int lane = 0; lane < lines->lanes; lane++) {
            const ptrdiff_t face = (ptrdiff_t)lines->lanes * n + lane;
            const int32_t below = strip->solid[face - lines->lanes];
            const int32_t above = strip->solid[face];
            if (below != above) {
                const int id = ids[lines->step * (below ? n - 1 : n) + lane];
                const bool gives = (strip->courant[face] > 0.0f) == (below != 0);
                const double entered = (double)(below ? strip->flux[face] : -strip->flux[face]);
                amounts[gives ? BRUME_GIVEN + id - 1 : BRUME_TAKEN + id - 1] += gives ? entered : -entered;
            }
        }
    }
}

// marks the cells that were written, and clears others that were occupied before the substep after the last pass
static void mark_results(const StripPass *pass, const Lines *lines, int slot, CellRange range)
{
    float *target = target_of(pass, slot)->data + lines->start;
    for (int n = 1; n <= mark_count(pass, lines); n++) {
        const CellRange cells = marked_cells(pass, lines, n);
        uint8_t *mark = mark_at(pass, lines, slot, n);
        if (cells.from >= range.from && cells.to <= range.to) {
            *mark |= IS;
        } else {
            if (pass->last && (*mark & WAS)) {
                clear_floats(target + lines->step * cells.from, rows_of(lines, cells.to - cells.from + 1).length);
            }
            *mark &= (uint8_t)~IS;
        }
    }
}

static void process_scalar(const StripPass *pass, const Lines *lines, const BrumeStrip *strip, int slot,
                           CellRange range, bool masked)
{
    const ptrdiff_t lanes = lines->lanes;
    const int reach = pass->substep->reach;
    const BrumeUpdate update = {
        .first = pass->first,
        .divides = pass->divides,
        .lowest = pass->substep->ids[slot] == BRUME_FIELD_TEMPERATURE ? -FLT_MAX : 0.0f,
        .decay = pass->last ? pass->substep->decay[slot] : 1.0f,
    };
    load_values(pass, lines, strip, slot, range);
    // in blocks of cells along the lines, so that the output of a kernel is in the L1 cache when the next one reads it
    CellRange edges = {range.from - reach, 0};
    CellRange limited = edges;
    CellRange faces = {range.from, 0};
    const int side = brume_max_int(BLOCK_ENTRIES / lines->lanes, 1);
    for (CellRange cells = {range.from, 0}; cells.from <= range.to; cells.from = cells.to + 1) {
        cells.to = brume_min_int(cells.from + side - 1, range.to);
        edges.to = cells.to + reach + 1;
        limited.to = cells.to + reach;
        faces.to = cells.to + 1;
        brume_strip_edges(strip, lanes, lanes * edges.from, lanes * (edges.to + 1), masked);
        set_wall_edges(pass, lines, strip, slot, edges);
        brume_strip_limit(strip, lanes, lanes * limited.from, lanes * (limited.to + 1), masked);
        brume_strip_fluxes(strip, lanes, lanes * faces.from, lanes * (faces.to + 1), pass->first, masked);
        const Rows rows = rows_of(lines, cells.to - cells.from + 1);
        brume_strip_update(strip, lanes, lanes * cells.from, rows.count, rows.length, &update,
                           target_of(pass, slot)->data + lines->start + lines->step * cells.from, lines->step);
        edges.from = edges.to + 1;
        limited.from = limited.to + 1;
        faces.from = faces.to + 1;
    }
    add_amounts(pass, lines, strip, slot, range, masked);
    mark_results(pass, lines, slot, range);
}

static void find_marks(const StripPass *pass, Lines *lines)
{
    const ptrdiff_t segments = segment_count(pass);
    const ptrdiff_t rows = pass->sim->geometry->cells.grid.ny;
    const int j = brume_max_int(lines->j - 1, 0);
    const int k = brume_max_int(lines->k - 1, 0);
    lines->first_mark = (rows * k + j) * segments + (lines->i - 1) / BRUME_STRIP_LANES;
    lines->mark_step = pass->axis == 0 ? 1 : pass->axis == 1 ? segments : rows * segments;
}

static void process_lines(const StripPass *pass, Lines *lines, const BrumeStrip *strip)
{
    find_marks(pass, lines);
    CellRange ranges[BRUME_FLUX_SCALARS] = {{0, 0}};
    CellRange all = {lines->cells + 1, 0};
    for (int slot = 0; slot < pass->substep->count; slot++) {
        if (pass->first) {
            mark_occupied(pass, lines, slot);
        }
        ranges[slot] = find_range(pass, lines, slot);
        if (ranges[slot].to >= ranges[slot].from) {
            all.from = brume_min_int(all.from, ranges[slot].from);
            all.to = brume_max_int(all.to, ranges[slot].to);
        }
    }
    const bool masked = all.to >= all.from && load_flow(pass, lines, strip, all);
    for (int slot = 0; slot < pass->substep->count; slot++) {
        if (ranges[slot].to >= ranges[slot].from) {
            process_scalar(pass, lines, strip, slot, ranges[slot], masked);
        } else {
            mark_results(pass, lines, slot, (CellRange){lines->cells + 1, lines->cells});
        }
    }
}

// whether plane `at` may have values, or for the z pass, the rows `at` of all planes
static bool slice_may_have_values(const StripPass *pass, int at)
{
    const BrumeGrid grid = pass->sim->geometry->cells.grid;
    const int count = pass->axis == 1 ? grid.ny : grid.nz;
    for (int n = 1; n <= count; n += BRUME_ACTIVE_SIDE) {
        if (pass->axis == 1 ? may_have_values(pass, n, at) : may_have_values(pass, at, n)) {
            return true;
        }
    }
    return false;
}

// the x or y pass of plane `at`, or the z pass of the columns above row `at`
static void process_slice(const StripPass *pass, int at, int thread)
{
    const BrumeField *field = &pass->sim->fields[pass->substep->ids[0]];
    const BrumeGrid grid = field->grid;
    Lines lines = {.cells = brume_cells_along(grid, pass->axis), .step = brume_stride(field, pass->axis), .line = at};
    if (pass->axis == 0) {
        lines.lanes = 1;
        lines.i = 1;
        lines.k = at;
        const BrumeStrip strip = strip_of(pass->sim->scalar_transport, thread, 1);
        for (lines.j = 1; lines.j <= grid.ny; lines.j++) {
            if (!may_have_values(pass, lines.j, at)) {
                continue;
            }
            lines.start = brume_field_index(field, 0, lines.j, lines.k);
            process_lines(pass, &lines, &strip);
        }
        return;
    }
    if (!slice_may_have_values(pass, at)) {
        return;
    }
    for (int segment = 1; segment <= segment_count(pass); segment++) {
        const CellRange columns = segment_cells(segment, grid.nx);
        lines.i = columns.from;
        lines.lanes = columns.to - columns.from + 1;
        lines.j = pass->axis == 1 ? 0 : at;
        lines.k = pass->axis == 1 ? at : 0;
        lines.start = brume_field_index(field, lines.i, lines.j, lines.k);
        const BrumeStrip strip = strip_of(pass->sim->scalar_transport, thread, lines.lanes);
        process_lines(pass, &lines, &strip);
    }
}

// adds the partial sums of `lines` planes or rows in ascending order
static void sum_amounts(const StripPass *pass, int lines)
{
    for (int slot = 0; slot < pass->substep->count; slot++) {
        BrumeScalarExchange *exchange = &pass->substep->exchange[slot];
        for (int line = 1; line <= lines; line++) {
            brume_exchange_add(exchange, amounts_of(pass, slot, line), pass->sim->bodies_move);
        }
    }
}

void brume_flux_substep_fast(BrumeSim *sim, const BrumeFluxSubstep *substep)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    if (substep->rows) { // the passes omit rows, whose marks the other passes read
        const size_t marks =
            (size_t)((grid.nx + BRUME_STRIP_LANES - 1) / BRUME_STRIP_LANES) * (size_t)grid.ny * (size_t)grid.nz;
        memset(sim->scalar_transport->occupied[0], 0, BRUME_FLUX_SCALARS * marks);
    }
    StripPass passes[3];
    for (int n = 0; n < substep->passes; n++) {
        const bool last = n == substep->passes - 1;
        passes[n] = (StripPass){sim, substep, n, substep->axes[n], n == 0, last, !last || substep->bounded};
    }
    for (int n = 0; n < substep->passes;) {
        // consecutive passes along x and y run plane by plane
        const bool planes = substep->axes[n] != 2;
        int end = n + 1;
        while (planes && end < substep->passes && substep->axes[end] != 2) {
            end++;
        }
        const int slices = planes ? grid.nz : grid.ny;
#pragma omp parallel for schedule(static)                                                                              \
    num_threads(brume_min_int(sim->scalar_transport->threads, omp_get_max_threads()))
        for (int at = 1; at <= slices; at++) {
            for (int m = n; m < end; m++) {
                process_slice(&passes[m], at, omp_get_thread_num());
            }
        }
        sum_amounts(&passes[n], slices);
        n = end;
    }
}
