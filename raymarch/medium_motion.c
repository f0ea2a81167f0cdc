#include "raymarch/medium_motion.h"

#include "core/field.h"
#include "core/minmax.h"

#include <assert.h>
#include <math.h>

static float finite_or_zero(float value) { return isfinite(value) ? value : 0.0f; }

// fills one row of cells with velocities, and returns the largest component [cells/s]
static float load_row(BrumeGridMedium *medium, const BrumeVolume *volume, int j, int k)
{
    const float per_meter = 1.0f / volume->dx;
    const ptrdiff_t to_next[3] = {volume->velocity_sx, volume->velocity_sy, volume->velocity_sz};
    float *to = medium->velocity + 4 * brume_field_index(&medium->extinction, 1, j + 1, k + 1);
    float fastest = 0.0f;
    for (int i = 0; i < volume->nx; i++, to += 4) {
        const ptrdiff_t at = i * volume->velocity_sx + j * volume->velocity_sy + k * volume->velocity_sz;
        for (int axis = 0; axis < 3; axis++) {
            const float *from = volume->velocity[axis] + at;
            const float value = volume->velocity_on_faces ? 0.5f * (from[0] + from[to_next[axis]]) : from[0];
            to[axis] = per_meter * finite_or_zero(value);
            fastest = brume_fmaxf(fastest, fabsf(to[axis]));
        }
        to[3] = 0.0f;
    }
    return fastest;
}

// Each macro-cell gets the largest majorant along one axis within `reach` macro-cells; `line` holds one line of them.
static void extend_line(float *majorant, ptrdiff_t stride, int count, int reach, float *line)
{
    for (int n = 0; n < count; n++) {
        line[n] = majorant[n * stride];
    }
    for (int n = 0; n < count; n++) {
        const int first = n > reach ? n - reach : 0;
        const int last = n + reach < count - 1 ? n + reach : count - 1;
        float largest = 0.0f;
        for (int m = first; m <= last; m++) {
            largest = brume_fmaxf(largest, line[m]);
        }
        majorant[n * stride] = largest;
    }
}

// Each macro-cell gets the largest majorant within `reach` macro-cells along all axes: smoke may move that far.
static void extend_majorants(BrumeGridMedium *medium, int reach)
{
    enum { LONGEST = 16384 / BRUME_MACRO_CELL_SIDE + 1 };
    const BrumeGrid macro = medium->macro_cells;
    const ptrdiff_t sy = macro.nx;
    const ptrdiff_t sz = sy * macro.ny;
    float line[LONGEST];
    assert(macro.nx <= LONGEST && macro.ny <= LONGEST && macro.nz <= LONGEST);
    for (int k = 0; k < macro.nz; k++) {
        for (int j = 0; j < macro.ny; j++) {
            extend_line(medium->majorant + k * sz + j * sy, 1, macro.nx, reach, line);
        }
        for (int i = 0; i < macro.nx; i++) {
            extend_line(medium->majorant + k * sz + i, sy, macro.ny, reach, line);
        }
    }
    for (ptrdiff_t n = 0; n < sz; n++) {
        extend_line(medium->majorant + n, sz, macro.nz, reach, line);
    }
}

void brume_load_motion(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    if (!brume_needs_velocity(settings) || volume->velocity[0] == NULL) {
        return;
    }
    assert(medium->velocity != NULL);
    float fastest = 0.0f;
#pragma omp parallel for schedule(static) reduction(max : fastest)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            fastest = brume_fmaxf(fastest, load_row(medium, volume, j, k));
        }
    }
    brume_replicate_edges(medium->velocity, medium->grid, 4);
    medium->has_velocity = true;
    if (!(settings->shutter > 0.0f)) {
        return;
    }
    // one cell more covers rounding
    const float reach = ceilf((0.5f * settings->shutter * fastest + 1.0f) / BRUME_MACRO_CELL_SIDE);
    extend_majorants(medium, (int)brume_fminf(reach, 16384.0f));
    brume_grid_medium_find_occupied(medium);
    medium->moving = true;
}
