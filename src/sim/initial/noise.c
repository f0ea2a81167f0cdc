#include "sim/initial/noise.h"

#include "core/minmax.h"
#include "core/noise.h"

double brume_initial_noise(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point,
                           uint32_t seed)
{
    float at[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int period[4] = {0, 0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        const double scales = box->sides[axis] / (double)def->scale; // along the box
        if (box->cells[axis] > 1 && box->periodic[axis]) {
            period[axis] = scales < 1.5 ? 1 : (int)brume_fmin(floor(scales + 0.5), 1e6);
        }
        const double count = box->cells[axis] == 1 ? 0.0 : period[axis] > 0 ? period[axis] : scales;
        at[axis] = (float)(point->fraction[axis] * count);
    }
    double noise = (double)brume_lattice_noise(at, period, seed) * (2.0 / 3.0);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] *= 2.0f;
        period[axis] *= 2;
    }
    noise += (double)brume_lattice_noise(at, period, seed + 1) * (1.0 / 3.0);
    return 2.0 * noise - 1.0;
}
