/*
 * The vectorized substep in flux form: for each pass, lines along its axis are copied into the strips of a thread
 * (lines.c), processed and written back. It gives the bits of the plain loops in src/sim/reference/transport.c and
 * differs in that
 * - the x and y passes of a plane follow each other while the plane is in the cache;
 * - the volume weights of a strip are computed once for all scalars;
 * - only the cells that smoke can reach are processed. Row segments are marked where any bit of a scalar may be set; a
 *   pass processes the lines through marked segments, from the first marked cell to the last and as far beyond as the
 *   air there is displaced. In all others the value is +0 before and after the pass;
 * - strips without solid cells use loops without masks, which would change nothing.
 *
 * The first pass reads the scalar and writes a scratch field, the last one writes the scalar.
 */
#include "sim/transport/lines.h"

#include "core/field.h"
#include "core/minmax.h"
#include "sim/grid/blocks.h"
#include "sim/state/heat.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    SEGMENT = 16,        // least cells of a mark
    BLOCK_ENTRIES = 256, // that the kernels of a pass process after each other
};

static BrumeEndRule end_rule(const BrumeSim *sim, int axis, BrumeFieldId id, int upper)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeFaceDef *face = &def->faces[2 * axis + upper];
    const bool heat = id == BRUME_FIELD_TEMPERATURE;
    return (BrumeEndRule){
        .periodic = face->kind == BRUME_PERIODIC,
        .open = face->kind == BRUME_OPEN,
        .inflow = face->kind == BRUME_INFLOW,
        .fixed = face->kind == BRUME_WALL && face->fixed_temperature && heat && def->thermal_diffusivity > 0.0f,
        .value = brume_side_scalar(sim, face, id),
    };
}

static bool enters(BrumeEndRule rule) { return rule.inflow && rule.value != 0.0f; }

static BrumeField *target_of(const BrumeLinePass *pass, int slot)
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

// the cells with marks
static BrumeCellRange find_occupied(const BrumeLinePass *pass, const BrumeLines *lines, int slot)
{
    BrumeCellRange range = {lines->cells + 1, 0};
    if (pass->axis == 0) {
        const uint64_t marks = *brume_marks_at(pass, lines, slot, 1);
        if (marks) {
            range.from = __builtin_ctzll(marks) * pass->segment + 1;
            range.to = brume_min_int((64 - __builtin_clzll(marks)) * pass->segment, lines->cells);
        }
        return range;
    }
    for (int n = lines->near.from; n <= lines->near.to; n++) {
        if (*brume_marks_at(pass, lines, slot, n) & lines->columns) {
            range.from = brume_min_int(range.from, n);
            range.to = n;
        }
    }
    return range;
}

static BrumeCellRange united(BrumeCellRange a, BrumeCellRange b)
{
    return b.to < b.from ? a : (BrumeCellRange){brume_min_int(a.from, b.from), brume_max_int(a.to, b.to)};
}

// the cells to process: those that values reach which are displaced by up to so many cells, along x in whole segments
static BrumeCellRange extend(const BrumeLinePass *pass, const BrumeLines *lines, int slot, BrumeCellRange occupied,
                             int down, int up)
{
    const BrumeEndRule lower = pass->rules[slot][0];
    const BrumeEndRule upper = pass->rules[slot][1];
    if (occupied.to < occupied.from && !enters(lower) && !enters(upper)) {
        return occupied;
    }
    BrumeCellRange range = {
        enters(lower) || lower.periodic ? 1 : brume_max_int(occupied.from - down, 1),
        enters(upper) || upper.periodic ? lines->cells : brume_min_int(occupied.to + up, lines->cells),
    };
    if (pass->axis == 0 && range.to >= range.from) {
        range.from = (range.from - 1) / pass->segment * pass->segment + 1;
        range.to = brume_min_int(((range.to - 1) / pass->segment + 1) * pass->segment, lines->cells);
    }
    return (BrumeCellRange){brume_max_int(range.from, lines->own.from), brume_min_int(range.to, lines->own.to)};
}

static int cells_upstream(const BrumeLinePass *pass, float displacement)
{
    return brume_cells_upstream(pass->substep, pass->first, displacement);
}

// the same for the largest displacement through faces from..to of `cells` in a direction, 1 or -1
static int cells_reached(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip,
                         BrumeCellRange cells, int from, int to, float direction)
{
    const int lowest = brume_max_int(from, cells.from);
    const int highest = brume_min_int(to, cells.to + 1);
    const float *first = strip->courant + (ptrdiff_t)lines->lanes * lowest;
    const int count = lines->lanes * (highest - lowest + 1);
    return count > 0 ? cells_upstream(pass, brume_strip_largest(first, direction, count)) : 0;
}

// walls of fixed temperature are values that are there
static void set_wall_edges(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                           BrumeCellRange range)
{
    for (int upper = 0; upper < 2; upper++) {
        const BrumeEndRule rule = pass->rules[slot][upper];
        const int face = upper ? lines->cells + 1 : 1;
        for (int lane = 0; rule.fixed && face >= range.from && face <= range.to && lane < lines->lanes; lane++) {
            strip->edge[lines->lanes * face + lane] = rule.value;
        }
    }
}

// the amounts through the boundary at cell n of the lines
static double *amounts_at(const BrumeLinePass *pass, const BrumeLines *lines, int slot, int n)
{
    return pass->axis == 2
               ? brume_passed_along_z(pass->sim, pass->substep, slot, lines->j, n)
               : brume_passed_in_plane(pass->sim, pass->substep, slot, pass->axis == 1 ? n : lines->j, lines->k);
}

// adds the fluxes through the sides of the box
static void add_at_sides(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                         BrumeCellRange range, bool masked)
{
    double *lower_amount = &amounts_at(pass, lines, slot, 1)[2 * pass->axis];
    double *upper_amount = &amounts_at(pass, lines, slot, lines->cells)[2 * pass->axis + 1];
    for (int lane = 0; lane < lines->lanes; lane++) {
        const ptrdiff_t lower = (ptrdiff_t)lines->lanes + lane;
        const ptrdiff_t upper = (ptrdiff_t)lines->lanes * (lines->cells + 1) + lane;
        if (range.from == 1 && !(masked && (strip->solid[lower] | strip->solid[lower - lines->lanes]))) {
            *lower_amount -= (double)strip->flux[lower];
        }
        if (range.to == lines->cells && !(masked && (strip->solid[upper - lines->lanes] | strip->solid[upper]))) {
            *upper_amount += (double)strip->flux[upper];
        }
    }
}

// Adds the fluxes through the surfaces of bodies, of the cells of air there. The order of additions does not depend on
// how segments are joined to strips.
static void add_at_bodies(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                          BrumeCellRange range)
{
    const bool periodic = pass->sim->geometry->cells.periodic[pass->axis];
    const int from = brume_max_int(range.from, periodic ? 1 : 2);
    const int to = brume_min_int(range.to + 1, lines->cells + periodic);
    const uint8_t *ids = pass->sim->geometry->cells.body_ids + lines->start;
    for (int first = 0; first < lines->lanes; first += pass->segment) {
        const int count = brume_min_int(pass->segment, lines->lanes - first);
        for (int n = from; n <= to; n++) {
            const ptrdiff_t face = (ptrdiff_t)lines->lanes * n + first;
            const int32_t *above = strip->solid + face;
            const int32_t *below = above - lines->lanes;
            if (count > 1 && memcmp(above, below, (size_t)count * sizeof *above) == 0) {
                continue;
            }
            for (int lane = 0; lane < count; lane++) {
                const int air = below[lane] ? n : n - 1;
                if (below[lane] == above[lane] || air < range.from || air > range.to) {
                    continue;
                }
                const int id = ids[lines->step * (2 * n - 1 - air) + first + lane];
                const bool gives = (strip->courant[face + lane] > 0.0f) == (below[lane] != 0);
                const double entered = (double)(below[lane] ? strip->flux[face + lane] : -strip->flux[face + lane]);
                double *amounts = amounts_at(pass, lines, slot, air) + 2 * (id - 1);
                amounts[gives ? BRUME_GIVEN : BRUME_TAKEN] += gives ? entered : -entered;
            }
        }
    }
}

// marks the cells that were written
static void mark_results(const BrumeLinePass *pass, const BrumeLines *lines, int slot, BrumeCellRange range)
{
    if (pass->axis == 0) {
        *brume_marks_at(pass, lines, slot, 1) |= brume_marks_of(pass, range.from, range.to);
        return;
    }
    for (int n = range.from; n <= range.to; n++) {
        *brume_marks_at(pass, lines, slot, n) |= lines->columns;
    }
}

static void process_scalar(const BrumeLinePass *pass, const BrumeLines *lines, const BrumeStrip *strip, int slot,
                           BrumeCellRange range, bool masked)
{
    const ptrdiff_t lanes = lines->lanes;
    const int reach = lines->reach;
    const BrumeUpdate update = {
        .first = pass->first,
        .divides = pass->divides,
        .lowest = pass->substep->ids[slot] == BRUME_FIELD_TEMPERATURE ? -FLT_MAX : 0.0f,
        .decay = pass->last ? pass->substep->decay[slot] : 1.0f,
    };
    brume_load_values(pass, lines, strip, slot, range);
    // in blocks of cells along the lines, so that the output of a kernel is in the L1 cache when the next one reads it
    BrumeCellRange edges = {range.from - reach, 0};
    BrumeCellRange limited = edges;
    BrumeCellRange faces = {range.from, 0};
    const int side = brume_max_int(BLOCK_ENTRIES / lines->lanes, 1);
    for (BrumeCellRange cells = {range.from, 0}; cells.from <= range.to; cells.from = cells.to + 1) {
        cells.to = brume_min_int(cells.from + side - 1, range.to);
        edges.to = cells.to + reach + 1;
        limited.to = cells.to + reach;
        faces.to = cells.to + 1;
        brume_strip_edges(strip, lanes, lanes * edges.from, lanes * (edges.to + 1), masked);
        set_wall_edges(pass, lines, strip, slot, edges);
        brume_strip_limit(strip, lanes, lanes * limited.from, lanes * (limited.to + 1), masked);
        brume_strip_fluxes(strip, lanes, lanes * faces.from, lanes * (faces.to + 1), pass->first, masked);
        const BrumeLineRows rows = brume_rows_of(lines, cells.to - cells.from + 1);
        brume_strip_update(strip, lanes, lanes * cells.from, rows.count, rows.length, &update,
                           target_of(pass, slot)->data + lines->start + lines->step * cells.from, lines->step);
        edges.from = edges.to + 1;
        limited.from = limited.to + 1;
        faces.from = faces.to + 1;
    }
    add_at_sides(pass, lines, strip, slot, range, masked);
    if (masked && pass->sim->bodies_move) {
        add_at_bodies(pass, lines, strip, slot, range);
    }
    mark_results(pass, lines, slot, range);
}

static void process_lines(const BrumeLinePass *pass, BrumeLines *lines, const BrumeStrip *strip)
{
    const BrumeFluxSubstep *substep = pass->substep;
    BrumeCellRange occupied[BRUME_FLUX_SCALARS] = {{0, 0}};
    BrumeCellRange reachable = {lines->cells + 1, 0};
    for (int slot = 0; slot < substep->count; slot++) {
        occupied[slot] = find_occupied(pass, lines, slot);
        reachable = united(reachable, extend(pass, lines, slot, occupied[slot], substep->reach, substep->reach));
    }
    if (reachable.to < reachable.from) {
        return;
    }
    lines->reach = brume_max_int(cells_upstream(pass, brume_load_courant(pass, lines, strip, reachable)), 1);
    assert(pass->axis != 2 || lines->reach + BRUME_PARABOLA_CELLS <= brume_pass_depth(substep, pass->first));
    BrumeCellRange ranges[BRUME_FLUX_SCALARS] = {{0, 0}};
    BrumeCellRange all = {lines->cells + 1, 0};
    for (int slot = 0; slot < substep->count; slot++) {
        const BrumeCellRange own = occupied[slot];
        const int from = brume_max_int(own.from - substep->reach + 1, 1);
        const int to = brume_min_int(own.to + substep->reach, lines->cells + 1);
        ranges[slot] =
            extend(pass, lines, slot, own, cells_reached(pass, lines, strip, reachable, from, own.from, -1.0f),
                   cells_reached(pass, lines, strip, reachable, own.to + 1, to, 1.0f));
        all = united(all, ranges[slot]);
    }
    if (all.to < all.from) {
        return;
    }
    const bool masked = brume_load_flow(pass, lines, strip, all);
    for (int slot = 0; slot < substep->count; slot++) {
        if (ranges[slot].to >= ranges[slot].from) {
            process_scalar(pass, lines, strip, slot, ranges[slot], masked);
        }
    }
}

// the segments with lines to process
static uint64_t find_columns(const BrumeLinePass *pass, const BrumeLines *lines)
{
    uint64_t columns = pass->enters ? UINT64_MAX : 0;
    for (int slot = 0; slot < pass->substep->count; slot++) {
        for (int n = lines->near.from; n <= (pass->axis == 0 ? 1 : lines->near.to); n++) {
            columns |= *brume_marks_at(pass, lines, slot, n);
        }
    }
    return columns;
}

// the x pass of plane `at`
static void process_rows(const BrumeLinePass *pass, int at, int thread)
{
    const BrumeField *field = &pass->sim->fields[pass->substep->ids[0]];
    const BrumeGrid grid = field->grid;
    const BrumeStrip strip = strip_of(pass->sim->scalar_transport, thread, 1);
    for (int j = 1; j <= grid.ny; j++) {
        BrumeLines lines = {
            .i = 1,
            .j = j,
            .k = at,
            .lanes = 1,
            .cells = grid.nx,
            .own = {1, grid.nx},
            .near = {1, grid.nx},
            .step = 1,
            .start = brume_field_index(field, 0, j, at),
        };
        if (find_columns(pass, &lines)) {
            process_lines(pass, &lines, &strip);
        }
    }
}

// the cells of columns along z whose values this rank has
static BrumeCellRange planes_near(const BrumeLinePass *pass, BrumeCellRange own)
{
    const BrumeCells *cells = &pass->sim->geometry->cells;
    const int depth = brume_pass_depth(pass->substep, pass->first);
    const BrumeCellRange near = {own.from - depth, own.to + depth};
    const int nz = cells->grid.nz;
    if (cells->periodic[2]) {
        return near.to - near.from + 1 < nz ? near : (BrumeCellRange){1, nz};
    }
    return (BrumeCellRange){brume_max_int(near.from, 1), brume_min_int(near.to, nz)};
}

// the y pass of plane `at`, or the z pass of the columns above row `at`, in strips of adjacent marked segments
static void process_columns(const BrumeLinePass *pass, int at, int thread)
{
    const BrumeField *field = &pass->sim->fields[pass->substep->ids[0]];
    const BrumeGrid grid = field->grid;
    const bool along_y = pass->axis == 1;
    BrumeLines lines = {
        .j = along_y ? 0 : at,
        .k = along_y ? at : 0,
        .cells = brume_cells_along(grid, pass->axis),
        .own = {along_y ? 1 : brume_first_plane(grid), along_y ? grid.ny : brume_last_plane(grid)},
        .step = brume_stride(field, pass->axis),
    };
    lines.near = along_y ? lines.own : planes_near(pass, lines.own);
    const uint64_t columns = find_columns(pass, &lines);
    const int most = BRUME_STRIP_LANES / pass->segment;
    for (int from = 0; pass->segment * from < grid.nx;) {
        int to = from;
        while (to < from + most && pass->segment * to < grid.nx && (columns >> to & 1)) {
            to++;
        }
        if (to == from) {
            from++;
            continue;
        }
        lines.i = pass->segment * from + 1;
        lines.lanes = brume_min_int(pass->segment * to, grid.nx) - lines.i + 1;
        lines.columns = brume_marks_of(pass, lines.i, lines.i + lines.lanes - 1);
        lines.start = brume_field_index(field, lines.i, lines.j, lines.k);
        const BrumeStrip strip = strip_of(pass->sim->scalar_transport, thread, lines.lanes);
        process_lines(pass, &lines, &strip);
        from = to;
    }
}

// the cells of a mark: 64 marks are enough for a row of at most 4096
static int segment_cells(int row) { return SEGMENT * ((row - 1) / (64 * SEGMENT) + 1); }

// marks the segments in which a bit of a scalar is set
static void mark_occupied(const BrumeSim *sim, const BrumeFluxSubstep *substep)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    for (int slot = 0; slot < substep->count; slot++) {
        const BrumeField *field = &sim->fields[substep->ids[slot]];
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            uint64_t *marks = brume_marks_in_plane(sim, slot, k);
            for (int j = 1; j <= grid.ny; j++) {
                const bool empty = substep->rows && !substep->rows[brume_block_row(grid, j, k)];
                const float *row = field->data + brume_field_index(field, 1, j, k);
                marks[j - 1] = empty ? 0 : brume_strip_marks(row, grid.nx, segment_cells(grid.nx));
            }
        }
    }
}

static BrumeLinePass make_pass(BrumeSim *sim, const BrumeFluxSubstep *substep, int index)
{
    const bool last = index == substep->passes - 1;
    BrumeLinePass pass = {
        .sim = sim,
        .substep = substep,
        .index = index,
        .axis = substep->axes[index],
        .first = index == 0,
        .last = last,
        .divides = !last || substep->bounded,
        .segment = segment_cells(sim->def.nx),
    };
    for (int slot = 0; slot < substep->count; slot++) {
        for (int upper = 0; upper < 2; upper++) {
            pass.rules[slot][upper] = end_rule(sim, pass.axis, substep->ids[slot], upper);
            pass.enters = pass.enters || enters(pass.rules[slot][upper]);
        }
    }
    return pass;
}

// the planes of other ranks that a pass along z reads
static void exchange_planes(const BrumeLinePass *pass)
{
    BrumeSim *sim = pass->sim;
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int depth = brume_pass_depth(pass->substep, pass->first);
    brume_exchange_pass_sources(sim, pass->substep, pass->first);
    brume_exchange_planes(grid, sim->scalar_transport->occupied,
                          (size_t)BRUME_FLUX_SCALARS * (size_t)grid.ny * sizeof *sim->scalar_transport->occupied,
                          depth);
}

void brume_flux_substep_fast(BrumeSim *sim, const BrumeFluxSubstep *substep)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const BrumeCellRange own = {brume_first_plane(grid), brume_last_plane(grid)};
    mark_occupied(sim, substep);
    BrumeLinePass passes[3];
    for (int n = 0; n < substep->passes; n++) {
        passes[n] = make_pass(sim, substep, n);
    }
    for (int n = 0; n < substep->passes;) {
        // consecutive passes along x and y run plane by plane
        const bool planes = substep->axes[n] != 2;
        int end = n + 1;
        while (planes && end < substep->passes && substep->axes[end] != 2) {
            end++;
        }
        if (!planes) {
            exchange_planes(&passes[n]);
        }
        const BrumeCellRange slices = planes || own.to < own.from ? own : (BrumeCellRange){1, grid.ny};
#pragma omp parallel for schedule(static)                                                                              \
    num_threads(brume_min_int(sim->scalar_transport->threads, omp_get_max_threads()))
        for (int at = slices.from; at <= slices.to; at++) {
            for (int m = n; m < end; m++) {
                (passes[m].axis == 0 ? process_rows : process_columns)(&passes[m], at, omp_get_thread_num());
            }
        }
        brume_exchange_passed(sim, substep, !planes);
        n = end;
    }
}
