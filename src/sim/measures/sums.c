#include "sim/measures/sums.h"
#include "core/domain.h"
#include "sim/boundary/geometry.h"
#include "sim/state/heat.h"

enum { CHUNK = 256 };

BRUME_KERNEL static double masked_sum_row(const float *values, const uint8_t *flags, int count)
{
    double sum = 0.0;
    for (int first = 0; first < count; first += CHUNK) {
        double chunk[CHUNK];
        const int size = count - first < CHUNK ? count - first : CHUNK;
        for (int i = 0; i < size; i++) {
            chunk[i] = flags[first + i] & BRUME_CELL_FLUID ? (double)values[first + i] : 0.0;
        }
        sum += brume_sum_row(chunk, size);
    }
    return sum;
}

// the heat of fluid cells, and outside of the transport with the expansion that is still to come
static double heat_sum_row(const BrumeSim *sim, ptrdiff_t c, int count)
{
    const float *temperature = sim->fields[BRUME_FIELD_TEMPERATURE].data + c;
    const float *heating = sim->fields[BRUME_FIELD_HEATING].data + c;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const double heat = sim->holds_heat ? (double)temperature[i]
                                            : (double)brume_heat_of(temperature[i], brume_rich_at(sim, c + i)) +
                                                  (double)(BRUME_AMBIENT_TEMPERATURE * heating[i]);
        sum += sim->geometry->cells.flags[c + i] & BRUME_CELL_FLUID ? heat : 0.0;
    }
    return sum;
}

double brume_total(const BrumeSim *sim, BrumeFieldId id)
{
    const BrumeField *field = &sim->fields[id];
    const BrumeGrid grid = field->grid;
    const bool is_heat = id == BRUME_FIELD_TEMPERATURE && brume_has_fuel(&sim->def);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(field, 1, j, k);
            *brume_sum_of_block(&sum, j) +=
                is_heat ? heat_sum_row(sim, c, grid.nx)
                        : masked_sum_row(field->data + c, sim->geometry->cells.flags + c, grid.nx);
        }
        sim->planes[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(grid, sim->planes) * brume_cell_volume(sim);
}

// a side of the box and what is summed over it
typedef struct Side {
    const BrumeSim *sim;
    const BrumeField *field, *normal;
    int axis;
    bool upper, open;
} Side;

static void add_sums(BrumeSideSums *sums, BrumeSideSums more)
{
    sums->faces += more.faces;
    sums->outflow += more.outflow;
    sums->advected += more.advected;
    sums->difference += more.difference;
}

// at the first row of a block: adds the sums of the block before it to those of all blocks
static void start_row(int j, BrumeSideSums *block, BrumeSideSums *sums)
{
    if (j % BRUME_SUM_ROWS == 1) {
        add_sums(sums, *block);
        *block = (BrumeSideSums){0};
    }
}

// the sums over a row of the side, at index b along the outer one of the other axes
static BrumeSideSums sum_row(const Side *side, int b)
{
    const BrumeField *field = side->field;
    const BrumeCells *cells = &side->sim->geometry->cells;
    const int n = brume_cells_along(field->grid, side->axis);
    int inner;
    int outer;
    brume_other_axes(side->axis, &inner, &outer);
    const ptrdiff_t stride = brume_stride(field, side->axis);
    BrumeSideSums sums = {0};
    BrumeSideSums row = {0};
    for (int a = 1; a <= brume_cells_along(field->grid, inner); a++) {
        if (inner == 1) {
            start_row(a, &row, &sums);
        }
        const ptrdiff_t line = brume_stride(field, inner) * a + brume_stride(field, outer) * b;
        const ptrdiff_t inside = line + stride * (side->upper ? n : 1);
        const ptrdiff_t ghost = line + stride * (side->upper ? n + 1 : 0);
        if (!(cells->flags[inside] & BRUME_CELL_FLUID)) {
            continue;
        }
        const ptrdiff_t side_face = line + stride * (side->upper ? n + 1 : 1);
        const double area = (double)brume_open_fraction(cells, side->axis, side_face);
        const double along = area * (double)side->normal->data[side_face];
        const double outward = side->upper ? along : -along;
        const double entering = side->open ? 0.0 : (double)field->data[ghost];
        row.faces += area;
        row.outflow += outward;
        row.advected += outward * (outward > 0.0 ? (double)field->data[inside] : entering);
        row.difference += area * ((double)field->data[inside] - (double)field->data[ghost]);
    }
    add_sums(&sums, row);
    return sums;
}

_Static_assert(sizeof(BrumeSideSums) <= BRUME_PLANE_VALUES * sizeof(double),
               "sim->planes holds the sums of all planes");

BrumeSideSums brume_sum_side(const BrumeSim *sim, BrumeFace face, const BrumeField *field, const BrumeField *normal)
{
    const BrumeGrid grid = field->grid;
    const Side side = {
        .sim = sim,
        .field = field,
        .normal = normal,
        .axis = (int)face / 2,
        .upper = face % 2 == 1,
        .open = sim->def.faces[face].kind == BRUME_OPEN,
    };
    BrumeSideSums *planes = (BrumeSideSums *)sim->planes;
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        planes[k] = side.axis < 2 ? sum_row(&side, k) : (BrumeSideSums){0};
        BrumeSideSums block = {0};
        for (int j = 1; side.axis == 2 && k == (side.upper ? grid.nz : 1) && j <= grid.ny; j++) {
            start_row(j, &block, &planes[k]);
            add_sums(&block, sum_row(&side, j));
        }
        add_sums(&planes[k], block);
    }
    brume_gather_planes(grid, planes, sizeof *planes);
    BrumeSideSums sums = {0};
    for (int k = 1; k <= grid.nz; k++) {
        add_sums(&sums, planes[k]);
    }
    return sums;
}
