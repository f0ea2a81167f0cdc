/*
 * A state on another grid. Values are joined trilinearly between their own places. A finer grid reads that at its own
 * places; a coarser one takes its mean over each cell, which keeps the amount of smoke to rounding where the boxes
 * agree: the integral of the trilinear function is the sum over the cells. Across a face, along its normal, velocity is
 * read at the face itself, so that the flow through a coarse face is that through the finer ones in it.
 */
#include "core/error.h"
#include "core/memory.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

static const double SLACK = 1e-3; // how far outside the old box still counts as in it [cells]

// which entries along an axis make up each new one, and with what weights; none outside the old box
typedef struct Taps {
    int most;       // taps that an entry can have
    int *first;     // (n + 2)
    int *count;     // (n + 2)
    float *weights; // (n + 2 x most)
} Taps;

static void free_taps(Taps *taps)
{
    brume_free(taps->first);
    brume_free(taps->count);
    brume_free(taps->weights);
    *taps = (Taps){0};
}

// the integral from -infinity to x of the tent of height 1 over (-1, 1)
static double tent_below(double x)
{
    if (x <= 0.0) {
        return x <= -1.0 ? 0.0 : 0.5 * (x + 1.0) * (x + 1.0);
    }
    return x >= 1.0 ? 1.0 : 1.0 - 0.5 * (1.0 - x) * (1.0 - x);
}

// the integral from a to b of the function that is 1 at entry n, 0 at its neighbors, and goes on beyond the ends
static double share_within(int n, int last, double a, double b)
{
    double share = tent_below(b - n) - tent_below(a - n);
    if (n == 1) { // in place of the half of the tent that is outside
        const double upto = fmin(b, 1.0);
        const double since = fmin(a, 1.0);
        share += (upto - since) - (tent_below(upto - 1) - tent_below(since - 1));
    }
    if (n == last) {
        const double upto = fmax(b, last);
        const double since = fmax(a, last);
        share += (upto - since) - (tent_below(upto - last) - tent_below(since - last));
    }
    return share;
}

// the mean over `width` around `at`, or the value there where width is 0
static void set_entry(Taps *taps, int entry, int last, double at, double width)
{
    const int lowest = (int)fmax(floor(at - 0.5 * width), 1.0);
    const int highest = (int)fmin(ceil(at + 0.5 * width), last);
    const int first = lowest < last ? lowest : last;
    float *weights = taps->weights + (ptrdiff_t)entry * taps->most;
    taps->first[entry] = first;
    taps->count[entry] = 0;
    for (int n = first; n <= (highest > first ? highest : first); n++) {
        const double held = fmin(fmax(at, 1.0), last);
        const double weight = width > 0.0 ? share_within(n, last, at - 0.5 * width, at + 0.5 * width) / width
                                          : fmax(1.0 - fabs(held - n), 0.0);
        weights[taps->count[entry]++] = (float)weight;
    }
}

static BrumeStatus make_taps(Taps *taps, const BrumeSim *to, const BrumeSim *from, int axis, bool normal)
{
    const BrumeSimDef *def = &from->def;
    const double ratio = (double)to->def.dx / (double)def->dx; // a new cell [old cells]
    const double shift =
        ((double)brume_component(to->def.origin, axis) - (double)brume_component(def->origin, axis)) / (double)def->dx;
    const int entries = brume_cells_along(to->geometry->cells.grid, axis) + normal;
    const int last = brume_cells_along(from->geometry->cells.grid, axis) + normal;
    const double width = !normal && ratio > 1.0 ? ratio : 0.0;
    *taps = (Taps){.most = (int)fmin(ceil(width) + 3.0, last)};
    const size_t rows = (size_t)entries + 2;
    taps->first = brume_alloc(rows, sizeof *taps->first);
    taps->count = brume_alloc(rows, sizeof *taps->count);
    taps->weights = brume_alloc(rows * (size_t)taps->most, sizeof *taps->weights);
    if (!taps->first || !taps->count || !taps->weights) {
        free_taps(taps);
        return BRUME_FAILED;
    }
    const double middle = normal ? 1.0 : 0.5; // of entry 1, short of the index
    for (int entry = 1; entry <= entries; entry++) {
        const double at = (entry - middle) * ratio + shift + middle; // [old entries]
        if (at >= 1.0 - (1.0 - middle) - SLACK && at <= last + (1.0 - middle) + SLACK) {
            set_entry(taps, entry, last, at, width);
        }
    }
    return BRUME_OK;
}

static float gather(const BrumeField *field, const Taps taps[3], int i, int j, int k)
{
    const float *x = taps[0].weights + (ptrdiff_t)i * taps[0].most;
    const float *y = taps[1].weights + (ptrdiff_t)j * taps[1].most;
    const float *z = taps[2].weights + (ptrdiff_t)k * taps[2].most;
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

static void fill_field(BrumeField *field, int location, const BrumeField *source, const Taps taps[3], float ambient)
{
    const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + (location == 2); k++) {
        for (int j = 1; j <= grid.ny + (location == 1); j++) {
            for (int i = 1; i <= grid.nx + (location == 0); i++) {
                const bool outside = taps[0].count[i] == 0 || taps[1].count[j] == 0 || taps[2].count[k] == 0;
                field->data[brume_field_index(field, i, j, k)] = outside ? ambient : gather(source, taps, i, j, k);
            }
        }
    }
}

/**
 * Fills the state of `to` from that of `from`, on whatever grid: outside its box the air moves with the wind and is
 * clean. Cells that are solid in `from` count as the air around them, two layers deep. `from` keeps its state; its
 * scratch is used. BRUME_FAILED without memory or where the state is not finite.
 */
BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, BrumeError *error)
{
    Taps centers[3] = {0};
    Taps faces[3] = {0};
    BrumeStatus status = BRUME_OK;
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        status = make_taps(&centers[axis], to, from, axis, false);
        if (status == BRUME_OK) {
            status = make_taps(&faces[axis], to, from, axis, true);
        }
    }
    if (status != BRUME_OK) {
        brume_fail(error, status, "out of memory for another resolution");
        goto cleanup;
    }
    for (int n = 0; n < BRUME_FIELD_COUNT; n++) {
        const BrumeFieldId id = (BrumeFieldId)n;
        if (!to->fields[id].data || !from->fields[id].data) {
            continue;
        }
        BrumeField *source = &from->scratch[0];
        memcpy(source->data, from->fields[id].data, brume_grid_entries(source->grid) * sizeof *source->data);
        if (id != BRUME_FIELD_PRESSURE) {
            brume_set_boundary(from, id, source);
        }
        const int location = brume_location(id);
        const Taps taps[3] = {location == 0 ? faces[0] : centers[0], location == 1 ? faces[1] : centers[1],
                              location == 2 ? faces[2] : centers[2]};
        const float ambient = location == BRUME_AT_CENTER ? 0.0f : brume_component(to->def.wind, location);
        fill_field(&to->fields[id], location, source, taps, ambient);
    }
    brume_clean_boundary(to);
    (void)brume_measure_flow(to);
    status = brume_check_finite(to, error);

cleanup:
    for (int axis = 0; axis < 3; axis++) {
        free_taps(&centers[axis]);
        free_taps(&faces[axis]);
    }
    return status;
}
