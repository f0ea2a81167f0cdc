#include "sim/measures/sums.h"
#include "core/domain.h"
#include "sim/boundary/geometry.h"

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

double brume_total(const BrumeSim *sim, BrumeFieldId id)
{
    const BrumeField *field = &sim->fields[id];
    const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(field, 1, j, k);
            sum += masked_sum_row(field->data + c, sim->geometry->cells.flags + c, grid.nx);
        }
        sim->planes[k] = sum;
    }
    return brume_sum_planes(grid, sim->planes) * brume_cell_volume(sim);
}

BrumeSideSums brume_sum_side(const BrumeSim *sim, BrumeFace side, const BrumeField *field, const BrumeField *normal)
{
    const int axis = (int)side / 2;
    const bool upper = side % 2 == 1;
    const int n = brume_cells_along(field->grid, axis);
    const bool open = sim->def.faces[side].kind == BRUME_OPEN;
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t stride = brume_stride(field, axis);
    BrumeSideSums sums = {0};
    for (int b = 1; b <= brume_cells_along(field->grid, outer); b++) {
        BrumeSideSums row = {0};
        for (int a = 1; a <= brume_cells_along(field->grid, inner); a++) {
            const ptrdiff_t line = brume_stride(field, inner) * a + brume_stride(field, outer) * b;
            const ptrdiff_t inside = line + stride * (upper ? n : 1);
            const ptrdiff_t ghost = line + stride * (upper ? n + 1 : 0);
            if (!(sim->geometry->cells.flags[inside] & BRUME_CELL_FLUID)) {
                continue;
            }
            const ptrdiff_t side_face = line + stride * (upper ? n + 1 : 1);
            const double area = (double)brume_open_fraction(&sim->geometry->cells, axis, side_face);
            const double along = area * (double)normal->data[side_face];
            const double outward = upper ? along : -along;
            const double entering = open ? 0.0 : (double)field->data[ghost];
            row.faces += area;
            row.outflow += outward;
            row.advected += outward * (outward > 0.0 ? (double)field->data[inside] : entering);
            row.difference += area * ((double)field->data[inside] - (double)field->data[ghost]);
        }
        sums.faces += row.faces;
        sums.outflow += row.outflow;
        sums.advected += row.advected;
        sums.difference += row.difference;
    }
    return sums;
}
