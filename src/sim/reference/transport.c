/*
 * Transport in flux form along one axis after the other, by the piecewise parabolic method (Colella, Woodward 1984) in
 * flux-form semi-Lagrangian shape (Leonard, Lock, MacVean 1995; Lin, Rood 1996).
 *
 * Velocity is free of divergence, but its derivative along one axis is not 0: a pass along x changes the volume of the
 * air that was in a cell. Each cell therefore has a volume weight V, 1 at the start of a substep. With the displacement
 * c at the faces [cells], a pass maps
 *
 *     V' = V - (c[i+1] - c[i]),      q' = (V q - (F[i+1] - F[i])) / V',
 *
 * where F[i] is the amount in the volume |c[i]| upstream of face i, counted along the line in units of V: as many whole
 * cells as it contains, and a part of the next one. So a constant stays constant, and q' is the mean of the content of
 * an interval of volume V', which is a weighted mean of values between the extrema of the line. After all passes V' is
 * 1 - dt div u, which is 1 up to the tolerance of the pressure solve; the amount is then taken as the value. Sums
 * change by the rounding of the cells alone, because both cells at a face use the same F. Where the pressure solve has
 * not reached its tolerance, the amount is divided by V' in the last pass too: values stay within their bounds, and
 * sums change.
 *
 * Within a cell the scalar is a parabola through the limited values at its two faces, with the mean q. A cell that is
 * an extremum is constant; elsewhere the parabola is monotone. Substeps keep V' positive (courant.c).
 */
#include "sim/reference/kernels.h"

#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/state/heat.h"
#include "sim/transport/strip.h"

#include <float.h>
#include <math.h>
#include <omp.h>

// a line of cells along the axis of a pass; entries 1..cells are in the box, others lie beyond its ends
typedef struct Line {
    int cells;
    int from, to;          // the cells that this rank computes
    int j, k;              // of the row or column; 0 along its own axis
    ptrdiff_t start, step; // entry 0 of the line in a field, and from a cell to the next
    float *q;              // cell averages [unit]
    float *courant;        // displacement at the lower faces [cells]
    float *volume;         // of the cells [cells]
    float *edge;           // values at the lower faces [unit]
    float *flux;           // amounts through the lower faces [unit cells]
    int32_t *solid;        // whether a cell is solid
} Line;

// a pass along `axis`; `index` counts from 0
typedef struct LinePass {
    BrumeSim *sim;
    const BrumeFluxSubstep *substep;
    int index, axis;
    bool first, last;
} LinePass;

// displacements, volumes and solid cells of a line
static void load_flow(const LinePass *pass, const Line *line)
{
    const BrumeFluxSubstep *substep = pass->substep;
    const BrumeCells *cells = &pass->sim->geometry->cells;
    const float scale = substep->cells_per_mps;
    for (int n = 1; n <= line->cells + 1; n++) {
        line->courant[n] = scale * substep->velocity[pass->axis].data[line->start + line->step * n];
    }
    for (int n = 1 - BRUME_STRIP_PAD; n <= line->cells + BRUME_STRIP_PAD; n++) {
        const bool outside = n < 1 || n > line->cells;
        const ptrdiff_t c = line->start + line->step * brume_wrap_any_index(n, line->cells);
        line->volume[n] = 1.0f;
        line->solid[n] = (!outside || cells->periodic[pass->axis]) && (cells->flags[c] & BRUME_CELL_SOLID);
        if (line->solid[n] || (outside && !cells->periodic[pass->axis])) {
            continue;
        }
        for (int earlier = 0; earlier < pass->index; earlier++) {
            const int axis = substep->axes[earlier];
            const float *velocity = substep->velocity[axis].data + c;
            line->volume[n] -= scale * velocity[brume_stride(&substep->velocity[axis], axis)] - scale * velocity[0];
        }
    }
}

// the value beyond an end of a line that is not periodic
static float value_beyond(const LinePass *pass, const Line *line, BrumeFieldId id, bool upper)
{
    const BrumeFaceDef *face = &pass->sim->def.faces[2 * pass->axis + upper];
    const float adjacent = line->q[upper ? line->cells : 1];
    const float courant = line->courant[upper ? line->cells + 1 : 1];
    if (face->kind == BRUME_INFLOW && courant != 0.0f) { // it is 0 outside of an opening
        return brume_side_scalar(pass->sim, face, id);
    }
    const float inwards = courant * (upper ? -1.0f : 1.0f);
    return face->kind == BRUME_OPEN && inwards > 0.0f ? 0.0f : adjacent; // air that enters is clean
}

static void load_values(const LinePass *pass, const Line *line, const BrumeField *source, BrumeFieldId id)
{
    for (int n = 1; n <= line->cells; n++) {
        line->q[n] = source->data[line->start + line->step * n];
    }
    for (int n = 1; n <= BRUME_STRIP_PAD; n++) {
        const int lower = 1 - n;
        const int upper = line->cells + n;
        const bool periodic = pass->sim->geometry->cells.periodic[pass->axis];
        line->q[lower] =
            periodic ? line->q[brume_wrap_any_index(lower, line->cells)] : value_beyond(pass, line, id, false);
        line->q[upper] =
            periodic ? line->q[brume_wrap_any_index(upper, line->cells)] : value_beyond(pass, line, id, true);
    }
}

/*
 * Values at the faces: the cubic through the integrals of four cells, limited to the range of the two cells at the
 * face. In place of a solid cell the formula uses the cell of air before it. A wall whose temperature diffuses into the
 * air has its own.
 */
static void find_edges(const LinePass *pass, const Line *line, BrumeFieldId id)
{
    const float *q = line->q;
    for (int n = 3 - BRUME_STRIP_PAD; n <= line->cells + BRUME_STRIP_PAD - 1; n++) {
        const float below = line->solid[n - 2] ? q[n - 1] : q[n - 2];
        const float above = line->solid[n + 1] ? q[n] : q[n + 1];
        const float value = (7.0f / 12.0f) * (q[n - 1] + q[n]) - (1.0f / 12.0f) * (below + above);
        const float low = brume_min_float(q[n - 1], q[n]);
        const float high = brume_max_float(q[n - 1], q[n]);
        line->edge[n] = brume_min_float(brume_max_float(value, low), high);
    }
    for (int upper = 0; upper < 2; upper++) {
        const BrumeFaceDef *face = &pass->sim->def.faces[2 * pass->axis + upper];
        if (face->kind == BRUME_WALL && face->fixed_temperature && id == BRUME_FIELD_TEMPERATURE &&
            pass->sim->def.thermal_diffusivity > 0.0f) {
            line->edge[upper ? line->cells + 1 : 1] = brume_side_scalar(pass->sim, face, id);
        }
    }
}

// `a`, if it has the sign of `b` and is at most twice as large; 2 b if it is larger; 0 if the signs differ
static float limited(float a, float b)
{
    if ((a > 0.0f) != (b > 0.0f)) {
        return 0.0f;
    }
    return a > 0.0f ? brume_min_float(a, b + b) : brume_max_float(a, b + b);
}

/*
 * The amount in the volume |c| upstream of a face. The parabola of a cell has the mean q and the values q + near at the
 * face that it leaves through and q - far at the other one; its mean over the fraction x at the first face is
 *     q + near - x ((2 near - far) + x (far - near)).
 * Limited to |near| <= 2 |far| and |far| <= 2 |near| with equal signs it is monotone (Colella, Woodward, eq. 1.10).
 */
static float upstream_amount(const Line *line, int face)
{
    const bool upwards = line->courant[face] > 0.0f;
    float amount = 0.0f;
    float rest = fabsf(line->courant[face]);
    float last = line->q[upwards ? face : face - 1]; // from the surface of a moving body on: the value of the air
    bool beyond = false;
    for (int level = 0; rest > 0.0f && level < BRUME_LARGEST_REACH; level++) {
        const int n = upwards ? face - 1 - level : face + level;
        float near = 0.0f;
        float far = 0.0f;
        beyond = beyond || line->solid[n];
        if (!beyond) {
            const float to_lower = line->solid[n - 1] ? 0.0f : line->q[n] - line->edge[n];
            const float to_upper = line->solid[n + 1] ? 0.0f : line->edge[n + 1] - line->q[n];
            near = upwards ? limited(to_upper, to_lower) : -limited(to_lower, to_upper);
            far = upwards ? limited(to_lower, to_upper) : -limited(to_upper, to_lower);
            last = line->q[n];
        }
        const float taken = brume_min_float(rest, line->volume[n]);
        const float fraction = taken * (1.0f / line->volume[n]);
        const float mean = (last + near) - fraction * (((near + near) - far) + fraction * (far - near));
        amount += taken * mean;
        rest -= taken;
    }
    return upwards ? amount : -amount;
}

// the amounts through the boundary at cell n of a line
static double *amounts_at(const LinePass *pass, const Line *line, int slot, int n)
{
    return pass->axis == 2
               ? brume_passed_along_z(pass->sim, pass->substep, slot, line->j, n)
               : brume_passed_in_plane(pass->sim, pass->substep, slot, pass->axis == 1 ? n : line->j, line->k);
}

// adds the fluxes through the sides of the box and the surfaces of moving bodies, at the cells of air there
static void add_amounts(const LinePass *pass, const Line *line, int slot)
{
    if (line->from == 1 && !line->solid[1] && !line->solid[0]) { // beyond a periodic side there may be a solid
        amounts_at(pass, line, slot, 1)[2 * pass->axis] -= (double)line->flux[1];
    }
    if (line->to == line->cells && !line->solid[line->cells] && !line->solid[line->cells + 1]) {
        amounts_at(pass, line, slot, line->cells)[2 * pass->axis + 1] += (double)line->flux[line->cells + 1];
    }
    const bool periodic = pass->sim->geometry->cells.periodic[pass->axis];
    const int first = brume_max_int(line->from, periodic ? 1 : 2);
    const int last = brume_min_int(line->to + 1, line->cells + periodic);
    for (int n = first; pass->sim->bodies_move && n <= last; n++) {
        const bool below = line->solid[n - 1];
        const int air = below ? n : n - 1;
        if (below != line->solid[n] && air >= line->from && air <= line->to) {
            const int id = pass->sim->geometry->cells.body_ids[line->start + line->step * (below ? n - 1 : n)];
            const bool gives = (line->courant[n] > 0.0f) == below;
            const double entered = (double)(below ? line->flux[n] : -line->flux[n]);
            double *amounts = amounts_at(pass, line, slot, air) + 2 * (id - 1);
            amounts[gives ? BRUME_GIVEN : BRUME_TAKEN] += gives ? entered : -entered;
        }
    }
}

static void process_line(const LinePass *pass, const Line *line, int slot)
{
    const BrumeFieldId id = pass->substep->ids[slot];
    const BrumeField *source = pass->first ? &pass->sim->fields[id] : &pass->sim->scratch[slot];
    BrumeField *target = pass->last ? &pass->sim->fields[id] : &pass->sim->scratch[slot];
    const float lowest = id == BRUME_FIELD_TEMPERATURE ? -FLT_MAX : 0.0f; // smoke: only rounding goes below 0
    load_values(pass, line, source, id);
    find_edges(pass, line, id);
    for (int n = line->from; n <= line->to + 1; n++) {
        line->flux[n] = upstream_amount(line, n);
    }
    add_amounts(pass, line, slot);
    for (int n = line->from; n <= line->to; n++) {
        const float next_volume = line->solid[n] ? 1.0f : line->volume[n] - (line->courant[n + 1] - line->courant[n]);
        float value = line->q[n] * line->volume[n] - (line->flux[n + 1] - line->flux[n]);
        const bool divides = !pass->last || pass->substep->bounded;
        value = brume_max_float(divides ? value * (1.0f / next_volume) : value, lowest);
        value = pass->last ? value * pass->substep->decay[slot] : value;
        target->data[line->start + line->step * n] = fabsf(value) < 0x1p-60f ? 0.0f : value; // no denormal numbers
    }
}

// the work arrays of a thread
static Line line_of(const BrumeTransport *transport, int thread)
{
    float *arrays[6];
    for (size_t n = 0; n < 6; n++) {
        arrays[n] =
            transport->strips + ((size_t)thread * BRUME_STRIP_ARRAYS + n) * transport->strip_entries + BRUME_STRIP_PAD;
    }
    return (Line){.q = arrays[0],
                  .courant = arrays[1],
                  .volume = arrays[2],
                  .edge = arrays[3],
                  .flux = arrays[4],
                  .solid = (int32_t *)arrays[5]};
}

// the lines of plane `at`, or of row `at` across all planes where they run along z
static void process_slice(const LinePass *pass, int at)
{
    const BrumeField *field = &pass->sim->fields[pass->substep->ids[0]];
    const BrumeGrid grid = field->grid;
    Line line = line_of(pass->sim->scalar_transport, omp_get_thread_num());
    line.cells = brume_cells_along(grid, pass->axis);
    line.from = pass->axis == 2 ? brume_first_plane(grid) : 1;
    line.to = pass->axis == 2 ? brume_last_plane(grid) : line.cells;
    line.step = brume_stride(field, pass->axis);
    const int lines = pass->axis == 0 ? grid.ny : grid.nx;
    for (int n = 1; n <= lines; n++) {
        line.j = pass->axis == 0 ? n : pass->axis == 1 ? 0 : at;
        line.k = pass->axis == 2 ? 0 : at;
        line.start = brume_field_index(field, pass->axis == 0 ? 0 : n, line.j, line.k);
        load_flow(pass, &line);
        for (int slot = 0; slot < pass->substep->count; slot++) {
            process_line(pass, &line, slot);
        }
    }
}

void brume_flux_substep_reference(BrumeSim *sim, const BrumeFluxSubstep *substep)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int first = brume_first_plane(grid);
    const int last = brume_last_plane(grid);
    for (int n = 0; n < substep->passes; n++) {
        const LinePass pass = {sim, substep, n, substep->axes[n], n == 0, n == substep->passes - 1};
        const bool rows = pass.axis == 2 && first <= last;
        if (pass.axis == 2) { // values of the lines that this does not copy are undefined, and not used
            brume_exchange_pass_sources(sim, substep, pass.first);
        }
#pragma omp parallel for schedule(static)                                                                              \
    num_threads(brume_min_int(sim->scalar_transport->threads, omp_get_max_threads()))
        for (int at = rows ? 1 : first; at <= (rows ? grid.ny : last); at++) {
            process_slice(&pass, at);
        }
        brume_exchange_passed(sim, substep, pass.axis == 2);
    }
}
