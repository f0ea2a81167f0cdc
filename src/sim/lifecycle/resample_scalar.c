/*
 * Resampling of a scalar onto another grid. In each cell the scalar is a linear function along each axis, whose slope
 * is limited so that it exceeds no adjacent value (van Leer 1977, monotonized central differences). A new cell receives
 * the mean of these functions over its volume, one axis after the other. The total of the old cells within the new box
 * is kept, to rounding error; no value leaves the range of the old ones; new cells outside of the old box receive 0.
 */
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/boundary/geometry.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/state/state.h"

#include <math.h>

static const double SNAP = 1e-6; // a side of a new cell this close to one of an old cell counts as the same [old cells]

// values at cells 1..count along a line
typedef struct ResampledLine {
    float *first;
    ptrdiff_t stride;
    int count;
} ResampledLine;

// where the new cells are: new cell i covers shift + ratio (i - 1) to shift + ratio i, old cell n from n - 1 to n
typedef struct Placement {
    double ratio, shift; // [old cells]
} Placement;

static double value_at(const ResampledLine *line, int n) { return (double)line->first[line->stride * (n - 1)]; }

static double monotone_slope(const ResampledLine *line, int n)
{
    if (n == 1 || n == line->count) {
        return 0.0;
    }
    const double below = value_at(line, n) - value_at(line, n - 1);
    const double above = value_at(line, n + 1) - value_at(line, n);
    if (below * above <= 0.0) {
        return 0.0;
    }
    const double size = brume_fmin(0.5 * fabs(below + above), 2.0 * brume_fmin(fabs(below), fabs(above)));
    return below > 0.0 ? size : -size;
}

static double source_side(const Placement *placement, int i)
{
    const double side = placement->shift + placement->ratio * i;
    const double nearest = round(side);
    return fabs(side - nearest) < SNAP ? nearest : side;
}

// the integral of the linear function of old cell n from `lower` to `upper`, both within the cell
static double integral(const ResampledLine *line, int n, double lower, double upper)
{
    const double a = lower - (n - 0.5);
    const double b = upper - (n - 0.5);
    return (b - a) * value_at(line, n) + 0.5 * (b * b - a * a) * monotone_slope(line, n);
}

static void resample_line(const ResampledLine *to, const ResampledLine *from, const Placement *placement)
{
    for (int i = 1; i <= to->count; i++) {
        const double sides[2] = {source_side(placement, i - 1), source_side(placement, i)};
        const double lower = brume_fmax(sides[0], 0.0);
        const double upper = brume_fmin(sides[1], from->count);
        double sum = 0.0;
        for (int n = (int)lower + 1; n <= from->count && n - 1 < upper; n++) {
            sum += integral(from, n, brume_fmax(lower, n - 1), brume_fmin(upper, n));
        }
        to->first[to->stride * (i - 1)] = upper > lower ? (float)(sum / (sides[1] - sides[0])) : 0.0f;
    }
}

// values at the cells of a box, without ghosts
typedef struct ResampledBlock {
    float *data;
    ptrdiff_t stride[3];
    int count[3];
} ResampledBlock;

static void resample_axis(const ResampledBlock *to, const ResampledBlock *from, int axis, const Placement *placement)
{
    const int inner = axis == 0 ? 1 : 0;
    const int outer = axis == 2 ? 1 : 2;
#pragma omp parallel for schedule(static)
    for (int b = 0; b < to->count[outer]; b++) {
        for (int a = 0; a < to->count[inner]; a++) {
            const ResampledLine target = {to->data + to->stride[inner] * a + to->stride[outer] * b, to->stride[axis],
                                          to->count[axis]};
            const ResampledLine source = {from->data + from->stride[inner] * a + from->stride[outer] * b,
                                          from->stride[axis], from->count[axis]};
            resample_line(&target, &source, placement);
        }
    }
}

static ResampledBlock field_block(const BrumeField *field)
{
    return (ResampledBlock){
        .data = field->data + brume_field_index(field, 1, 1, 1),
        .stride = {1, field->sy, field->sz},
        .count = {field->grid.nx, field->grid.ny, field->grid.nz},
    };
}

static bool create_block(ResampledBlock *block, int nx, int ny, int nz)
{
    *block = (ResampledBlock){.stride = {1, nx, (ptrdiff_t)nx * ny}, .count = {nx, ny, nz}};
    block->data = brume_alloc((size_t)nx * (size_t)ny * (size_t)nz, sizeof *block->data);
    return block->data != NULL;
}

BrumeStatus brume_resample_scalar(const BrumeSim *to, const BrumeSim *from, BrumeFieldId id, BrumeError *error)
{
    const BrumeGrid old = from->geometry->cells.grid;
    const BrumeGrid grid = to->geometry->cells.grid;
    Placement placements[3];
    for (int axis = 0; axis < 3; axis++) {
        if (brume_cells_along(old, axis) == 1 && brume_cells_along(grid, axis) == 1) { // a flow in two dimensions
            placements[axis] = (Placement){1.0, 0.0};
            continue;
        }
        const double dx = (double)from->def.dx;
        placements[axis] = (Placement){
            .ratio = (double)to->def.dx / dx,
            .shift =
                ((double)brume_component(to->def.origin, axis) - (double)brume_component(from->def.origin, axis)) / dx,
        };
    }
    ResampledBlock after_x = {0};
    ResampledBlock after_y = {0};
    BrumeStatus status = BRUME_OK;
    if (create_block(&after_x, grid.nx, old.ny, old.nz) && create_block(&after_y, grid.nx, grid.ny, old.nz)) {
        const ResampledBlock source = field_block(&from->fields[id]);
        const ResampledBlock target = field_block(&to->fields[id]);
        resample_axis(&after_x, &source, 0, &placements[0]);
        resample_axis(&after_y, &after_x, 1, &placements[1]);
        resample_axis(&target, &after_y, 2, &placements[2]);
    } else {
        status = brume_out_of_memory(error, "another resolution");
    }
    brume_free(after_x.data);
    brume_free(after_y.data);
    return status;
}
