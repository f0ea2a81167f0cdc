/*
 * Watching the state: how free of divergence it is, how fast it moves, whether it is still finite.
 *
 * Advection can hide what is not finite: a NaN is neither above nor below the values that a result is held between, and
 * of a cell that no trace reads nothing is left. All is therefore checked before it is carried. What passes is so far
 * below the largest float that no interpolation of it overflows, so that the step's end is finite as well.
 */
#include "core/error.h"
#include "core/reductions.h"
#include "core/simd.h"
#include "sim/sim_internal.h"

#include <math.h>

enum { CHUNK = 256 };

static const float LARGEST = 0x1p125f; // the differences of six faces add up to a float, if none is beyond

// what rows of velocity have come to
typedef struct Flow {
    int32_t divergence; // bits of the largest size [m/s]
    int32_t speed;      // and of that of a component [m/s]
} Flow;

BRUME_KERNEL static void flow_row(Flow *flow, const float *u, const float *v, const float *w, const uint8_t *flags,
                                  ptrdiff_t sy, ptrdiff_t sz, int count)
{
    float sums[CHUNK];
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        sums[i] = flags[i] & BRUME_CELL_FLUID ? sum : 0.0f;
    }
    flow->divergence = brume_max_bits_row(sums, count, flow->divergence);
    flow->speed = brume_max_bits_row(u, count, flow->speed);
    flow->speed = brume_max_bits_row(v, count, flow->speed);
    flow->speed = brume_max_bits_row(w, count, flow->speed);
}

/**
 * Measures the largest velocity component, and returns the largest |div u| of a cell of air [1/s]. Both are not finite
 * where any face of the air is not.
 */
double brume_measure_flow(BrumeSim *sim)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    const BrumeGrid grid = u->grid;
    double *divergences = sim->planes;
    double *speeds = sim->planes + grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        Flow flow = {0};
        for (int j = 1; j <= grid.ny; j++) {
            for (int first = 1; first <= grid.nx; first += CHUNK) {
                const int count = grid.nx - first + 1 < CHUNK ? grid.nx - first + 1 : CHUNK;
                const ptrdiff_t c = brume_field_index(u, first, j, k);
                flow_row(&flow, u->data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                         sim->geometry->cells.flags + c, u->sy, u->sz, count);
            }
        }
        divergences[k] = (double)brume_float_of_bits(flow.divergence);
        speeds[k] = (double)brume_float_of_bits(flow.speed);
    }
    const double divergence = brume_max_planes(divergences, grid.nz);
    sim->max_speed = isfinite(divergence) ? brume_max_planes(speeds, grid.nz) : (double)NAN;
    return divergence / (double)sim->def.dx;
}

BRUME_KERNEL static int32_t max_bits_row(const float *a, int count, int32_t max)
{
    return brume_max_bits_row(a, count, max);
}

// the bits of the largest size in plane k, of a velocity with the faces on the upper sides
static int32_t largest_in_plane(const BrumeField *field, int upper, int k)
{
    int32_t max = 0;
    for (int j = 1; j <= field->grid.ny + upper; j++) {
        max = max_bits_row(field->data + brume_field_index(field, 1, j, k), field->grid.nx + upper, max);
    }
    return max;
}

static bool is_too_large(double size) { return !(size <= (double)LARGEST); }

// the first entry that is not finite in plane k, for the message
static BrumeStatus fail_at_cell(const BrumeSim *sim, BrumeFieldId id, int k, BrumeError *error)
{
    static const char *const names[BRUME_FIELD_COUNT] = {"u",       "v",       "w",       "pressure", "temperature",
                                                         "density", "color_1", "color_2", "color_3"};
    const BrumeField *field = &sim->fields[id];
    for (int j = 1; j <= field->grid.ny + 1; j++) {
        for (int i = 1; i <= field->grid.nx + 1; i++) {
            if (is_too_large(fabs((double)brume_field_at(field, i, j, k)))) {
                return brume_fail(error, BRUME_FAILED,
                                  "%s is no longer finite at cell (%d, %d, %d) in frame %d, step %d (a rate or a "
                                  "strength of the scene is out of all bounds)",
                                  names[id], i, j, k, sim->frames + 1, sim->steps + 1);
            }
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_field(const BrumeSim *sim, BrumeFieldId id, BrumeError *error)
{
    const BrumeField *field = &sim->fields[id];
    const int upper = id <= BRUME_FIELD_W;
    const int planes = field->grid.nz + upper;
    double *largest = sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= planes; k++) {
        largest[k] = (double)brume_float_of_bits(largest_in_plane(field, upper, k));
    }
    for (int k = 1; k <= planes; k++) {
        if (is_too_large(largest[k])) {
            return fail_at_cell(sim, id, k, error);
        }
    }
    return BRUME_OK;
}

/**
 * Fails where any value of the state is not finite, or so large that it will not long be. The flow must have been
 * measured: only where that was not finite is the velocity searched. Causes come first: what is carried, then what it
 * moves, then the pressure that follows.
 */
BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; status == BRUME_OK && n < BRUME_FIELD_COUNT; n++) {
        const BrumeFieldId id = (BrumeFieldId)((BRUME_FIELD_TEMPERATURE + n) % BRUME_FIELD_COUNT);
        if (sim->fields[id].data && (id > BRUME_FIELD_W || is_too_large(sim->max_speed))) {
            status = check_field(sim, id, error);
        }
    }
    return status;
}

/** Measures the largest velocity component alone. */
void brume_measure_speed(BrumeSim *sim)
{
    double *speeds = sim->planes;
    sim->max_speed = 0.0;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        const BrumeField *field = &sim->fields[id];
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= field->grid.nz; k++) {
            speeds[k] = (double)brume_float_of_bits(largest_in_plane(field, 0, k));
        }
        sim->max_speed = fmax(sim->max_speed, brume_max_planes(speeds, field->grid.nz));
    }
}
