/*
 * Resampling of a state onto another grid. Temperature and smoke are resampled so that their totals are preserved
 * (resample_scalar.c). Velocity and pressure are interpolated trilinearly between their own locations. On a finer grid,
 * the new value is the interpolant at the new location; on a coarser grid, its mean over the new cell. Along the normal
 * of a face, velocity is taken at the face itself, so that the flow through a coarse face is the sum of the flows
 * through the fine faces within it.
 */
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/lifecycle/ranks.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-3; // positions this far outside the old box count as inside [old cells]

// the filter taps along an axis: new entry i is the sum over t < count[i] of weights[i][t] * old entry first[i] + t;
// entries outside the old box have no taps
typedef struct Taps {
    int capacity;   // most taps of an entry
    int *first;     // (n + 2)
    int *count;     // (n + 2)
    float *weights; // (n + 2 x capacity)
} Taps;

static void free_taps(Taps *taps)
{
    brume_free(taps->first);
    brume_free(taps->count);
    brume_free(taps->weights);
    *taps = (Taps){0};
}

// the integral from -infinity to x of the hat function max(0, 1 - |x|)
static double hat_integral(double x)
{
    if (x <= 0.0) {
        return x <= -1.0 ? 0.0 : 0.5 * (x + 1.0) * (x + 1.0);
    }
    return x >= 1.0 ? 1.0 : 1.0 - 0.5 * (1.0 - x) * (1.0 - x);
}

// the integral from a to b of the hat function of entry n; the first and last function stay 1 beyond the ends
static double hat_integral_within(int n, int last, double a, double b)
{
    double integral = hat_integral(b - n) - hat_integral(a - n);
    if (n == 1) { // 1 instead of the hat function below 1
        const double upper = brume_fmin(b, 1.0);
        const double lower = brume_fmin(a, 1.0);
        integral += (upper - lower) - (hat_integral(upper - 1) - hat_integral(lower - 1));
    }
    if (n == last) {
        const double upper = brume_fmax(b, last);
        const double lower = brume_fmax(a, last);
        integral += (upper - lower) - (hat_integral(upper - last) - hat_integral(lower - last));
    }
    return integral;
}

// sets the taps of an entry at the old position `at`: of the mean over `width`, or of the value there if width is 0
static void set_entry(Taps *taps, int entry, int last, double at, double width)
{
    const int lowest = (int)brume_fmax(floor(at - 0.5 * width), 1.0);
    const int highest = (int)brume_fmin(ceil(at + 0.5 * width), last);
    const int first = lowest < last ? lowest : last;
    float *weights = taps->weights + (ptrdiff_t)entry * taps->capacity;
    taps->first[entry] = first;
    taps->count[entry] = 0;
    for (int n = first; n <= (highest > first ? highest : first); n++) {
        const double clamped = brume_fmin(brume_fmax(at, 1.0), last);
        const double weight = width > 0.0 ? hat_integral_within(n, last, at - 0.5 * width, at + 0.5 * width) / width
                                          : brume_fmax(1.0 - fabs(clamped - n), 0.0);
        weights[taps->count[entry]++] = (float)weight;
    }
}

static BrumeStatus make_taps(Taps *taps, const BrumeSim *to, const BrumeSim *from, int axis, bool normal)
{
    const BrumeSimDef *def = &from->def;
    const double ratio = (double)to->def.dx / (double)def->dx; // side of a new cell [old cells]
    const double shift =
        ((double)brume_component(to->def.origin, axis) - (double)brume_component(def->origin, axis)) / (double)def->dx;
    const int entries = brume_cells_along(to->geometry->cells.grid, axis) + normal;
    const int last = brume_cells_along(from->geometry->cells.grid, axis) + normal;
    const double width = !normal && ratio > 1.0 ? ratio : 0.0;
    *taps = (Taps){.capacity = (int)brume_fmin(ceil(width) + 3.0, last)};
    const size_t rows = (size_t)entries + 2;
    taps->first = brume_alloc(rows, sizeof *taps->first);
    taps->count = brume_alloc(rows, sizeof *taps->count);
    taps->weights = brume_alloc(rows * (size_t)taps->capacity, sizeof *taps->weights);
    if (!taps->first || !taps->count || !taps->weights) {
        free_taps(taps);
        return BRUME_FAILED;
    }
    const double offset = normal ? 1.0 : 0.5; // entry i lies i - offset cells from the lower side
    for (int entry = 1; entry <= entries; entry++) {
        const double at = (entry - offset) * ratio + shift + offset; // [old entries]
        if (at >= 1.0 - (1.0 - offset) - TOLERANCE && at <= last + (1.0 - offset) + TOLERANCE) {
            set_entry(taps, entry, last, at, width);
        }
    }
    return BRUME_OK;
}

static float interpolate_taps(const BrumeField *field, const Taps taps[3], int i, int j, int k)
{
    const float *x = taps[0].weights + (ptrdiff_t)i * taps[0].capacity;
    const float *y = taps[1].weights + (ptrdiff_t)j * taps[1].capacity;
    const float *z = taps[2].weights + (ptrdiff_t)k * taps[2].capacity;
    float sum = 0.0f;
    for (int c = 0; c < taps[2].count[k]; c++) {
        float plane = 0.0f;
        for (int b = 0; b < taps[1].count[j]; b++) {
            const float *row =
                field->data + brume_field_index(field, taps[0].first[i], taps[1].first[j] + b, taps[2].first[k] + c);
            float line = 0.0f;
            for (int a = 0; a < taps[0].count[i]; a++) {
                line += x[a] * row[a];
            }
            plane += y[b] * line;
        }
        sum += z[c] * plane;
    }
    return sum;
}

// outside of the old box entries become `ambient`, or stay where it is NULL
static void fill_field(BrumeField *field, int location, const BrumeField *source, const Taps taps[3],
                       const float *ambient)
{
    const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + (location == 2); k++) {
        for (int j = 1; j <= grid.ny + (location == 1); j++) {
            for (int i = 1; i <= grid.nx + (location == 0); i++) {
                const bool outside = taps[0].count[i] == 0 || taps[1].count[j] == 0 || taps[2].count[k] == 0;
                float *value = &field->data[brume_field_index(field, i, j, k)];
                if (!outside || ambient) {
                    *value = outside ? *ambient : interpolate_taps(source, taps, i, j, k);
                }
            }
        }
    }
}

BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, bool keeps_outside, BrumeError *error)
{
    Taps centers[3] = {0};
    Taps faces[3] = {0};
    BrumeStatus status = BRUME_OK;
    brume_compute_whole(from);
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        status = make_taps(&centers[axis], to, from, axis, false);
        if (status == BRUME_OK) {
            status = make_taps(&faces[axis], to, from, axis, true);
        }
    }
    if (status != BRUME_OK) {
        brume_out_of_memory(error, "another resolution");
        goto cleanup;
    }
    for (int n = 0; n < BRUME_FIELD_COUNT; n++) {
        const BrumeFieldId id = (BrumeFieldId)n;
        if (!to->fields[id].data || !from->fields[id].data) {
            continue;
        }
        if (id >= BRUME_FIELD_TEMPERATURE) {
            status = brume_resample_scalar(to, from, id, error);
            if (status != BRUME_OK) {
                goto cleanup;
            }
            continue;
        }
        BrumeField *source = &from->scratch[0];
        memcpy(source->data, from->fields[id].data, brume_grid_entries(source->grid) * sizeof *source->data);
        if (id <= BRUME_FIELD_W) {
            brume_set_boundary(from, id, source);
        }
        const int location = brume_location(id);
        const Taps taps[3] = {location == 0 ? faces[0] : centers[0], location == 1 ? faces[1] : centers[1],
                              location == 2 ? faces[2] : centers[2]};
        const float ambient = location == BRUME_AT_CENTER ? 0.0f : brume_component(to->def.wind, location);
        fill_field(&to->fields[id], location, source, taps, keeps_outside ? NULL : &ambient);
    }
    brume_set_velocity_boundary(to);
    brume_set_scalar_ghosts(to);
    (void)brume_measure_flow(to);
    brume_invalidate(to, BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS);
    to->valid |= from->valid & BRUME_VALID_PRESSURE;
    to->pressure_residual = from->pressure_residual;
    status = brume_check_finite(to, error);

cleanup:
    brume_compute_own(from);
    for (int axis = 0; axis < 3; axis++) {
        free_taps(&centers[axis]);
        free_taps(&faces[axis]);
    }
    return status;
}
