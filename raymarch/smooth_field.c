#include "raymarch/smooth_field.h"

static int clamp_index(int index, int last) { return index < 1 ? 1 : index < last ? index : last; }

void brume_smooth_field(BrumeField *field, BrumeField *scratch, int reach)
{
    const BrumeGrid grid = field->grid;
    for (int axis = 0; axis < 3; axis++) {
        const int last = brume_cells_along(grid, axis);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    int lower[3] = {i, j, k};
                    int upper[3] = {i, j, k};
                    lower[axis] = clamp_index(lower[axis] - reach, last);
                    upper[axis] = clamp_index(upper[axis] + reach, last);
                    const ptrdiff_t at = brume_field_index(field, i, j, k);
                    scratch->data[at] = 0.5f * field->data[at] +
                                        0.25f * (field->data[brume_field_index(field, lower[0], lower[1], lower[2])] +
                                                 field->data[brume_field_index(field, upper[0], upper[1], upper[2])]);
                }
            }
        }
        brume_field_swap(field, scratch);
    }
}
