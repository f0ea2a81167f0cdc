// Prints error, order, drift and cost of all transport schemes in prescribed flows: Zalesak's disc (Zalesak 1979), one
// turn and ten, and the deformation of LeVeque 1996 in three dimensions, of which T = 3 brings the scalar back.
//     bench_transport [--quick] [scheme ...]
// Runs OMP_NUM_THREADS threads, or one per physical core if that is not set. The steps have a CFL number of 2. The cost
// covers the scalar alone: the trace that the schemes with displacements need is shared with velocity. It is the time
// of the fastest steps, which other load on the machine disturbs least.
#include "app/bench/case.h"
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "sim/boundary/boundary.h"
#include "sim/integrators/stages.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 8192, DEPTH = 8 };

static const double pi = 3.14159265358979323846;
static const double cfl = 2.0;

// a prescribed flow, periodic in time
typedef struct Flow {
    const char *name;
    double largest;                                             // velocity [m/s]
    double duration;                                            // of one turn [s]
    bool reverses;                                              // velocity is multiplied by cos(pi t / duration)
    BrumeFaceKind kind;                                         // of the sides
    double (*velocity)(int axis, double x, double y, double z); // [m/s]
    double (*scalar)(double x, double y, double z);             // at the start and after each turn
} Flow;

static double rotation_velocity(int axis, double x, double y, double z)
{
    (void)z;
    return axis == 0 ? 2.0 * pi * (0.5 - y) : axis == 1 ? 2.0 * pi * (x - 0.5) : 0.0;
}

static double slotted_disc(double x, double y, double z)
{
    (void)z;
    const bool slot = fabs(x - 0.5) < 0.025 && y < 0.85; // slot of .05 x .25 from the lower end of the disc
    return hypot(x - 0.5, y - 0.75) < 0.15 && !slot ? 1.0 : 0.0;
}

static double smooth_disc(double x, double y, double z)
{
    (void)z;
    const double r = hypot(x - 0.5, y - 0.75) / 0.2;
    return r < 1.0 ? pow(cos(0.5 * pi * r), 4.0) : 0.0;
}

static double deformation_velocity(int axis, double x, double y, double z)
{
    const double s[3] = {sin(2.0 * pi * x), sin(2.0 * pi * y), sin(2.0 * pi * z)};
    const double at[3] = {x, y, z};
    const double along = sin(pi * at[axis]);
    return (axis == 0 ? 2.0 : -1.0) * along * along * s[(axis + 1) % 3] * s[(axis + 2) % 3];
}

static double distance_to_start(double x, double y, double z)
{
    return sqrt((x - 0.35) * (x - 0.35) + (y - 0.35) * (y - 0.35) + (z - 0.35) * (z - 0.35));
}

static double sphere(double x, double y, double z) { return distance_to_start(x, y, z) < 0.15 ? 1.0 : 0.0; }

static double smooth_blob(double x, double y, double z)
{
    const double r = distance_to_start(x, y, z) / 0.3;
    return r < 1.0 ? pow(cos(0.5 * pi * r), 4.0) : 0.0;
}

static const Flow disc = {"Zalesak's disc", pi, 1.0, false, BRUME_OPEN, rotation_velocity, slotted_disc};
static const Flow smooth = {"smooth disc", pi, 1.0, false, BRUME_OPEN, rotation_velocity, smooth_disc};
static const Flow blob = {"deformation, smooth blob", 2.0, 3.0, true, BRUME_WALL, deformation_velocity, smooth_blob};
static const Flow ball = {"deformation, sphere", 2.0, 3.0, true, BRUME_WALL, deformation_velocity, sphere};

typedef struct Result {
    double error; // sum |q - q0| / sum |q0|
    double drift; // sum q / sum q0 - 1
    double low, high;
    double ns; // per cell, twentieth part of the steps is faster
} Result;

static void fill_field(BrumeSim *sim, BrumeField *field, int location, const Flow *flow)
{
    const double dx = (double)sim->def.dx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= field->grid.nz + (location == 2); k++) {
        for (int j = 1; j <= field->grid.ny + (location == 1); j++) {
            for (int i = 1; i <= field->grid.nx + (location == 0); i++) {
                const double x = (i - (location == 0 ? 1.0 : 0.5)) * dx;
                const double y = (j - (location == 1 ? 1.0 : 0.5)) * dx;
                const double z = (k - (location == 2 ? 1.0 : 0.5)) * dx;
                field->data[brume_field_index(field, i, j, k)] =
                    (float)(location == BRUME_AT_CENTER ? flow->scalar(x, y, z) : flow->velocity(location, x, y, z));
            }
        }
    }
}

// sets the velocity of the state to `factor` times the prescribed one
static void set_velocity(BrumeSim *sim, const BrumeField base[3], double factor)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const size_t entries = brume_grid_entries(base[axis].grid);
        for (size_t n = 0; n < entries; n++) {
            sim->fields[axis].data[n] = (float)factor * base[axis].data[n];
            largest = fmax(largest, fabs((double)sim->fields[axis].data[n]));
        }
    }
    brume_set_velocity_boundary(sim);
    sim->max_speed = largest;
    brume_establish(sim, BRUME_VALID_MAX_SPEED);
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void measure(BrumeSim *sim, const BrumeField *start, Result *result)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_DENSITY];
    double initial_sum = 0.0;
    double final_sum = 0.0;
    double error = 0.0;
    *result = (Result){.low = INFINITY, .high = -INFINITY, .ns = result->ns};
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            for (int i = 1; i <= field->grid.nx; i++) {
                const double q = (double)brume_field_at(field, i, j, k);
                const double q0 = (double)brume_field_at(start, i, j, k);
                initial_sum += q0;
                final_sum += q;
                error += fabs(q - q0);
                result->low = fmin(result->low, q);
                result->high = fmax(result->high, q);
            }
        }
    }
    result->error = error / initial_sum;
    result->drift = final_sum / initial_sum - 1.0;
}

static BrumeStatus run(const Flow *flow, const char *scheme, int size, bool flat, int turns, Result *result,
                       BrumeError *error)
{
    static double ms[MOST_STEPS];
    BrumeSimDef def = brume_default_sim_def();
    def.nx = size;
    def.ny = size;
    def.nz = flat ? DEPTH : size;
    def.dx = 1.0f / (float)size;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    def.transport = scheme;
    def.trace_order = 3;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face].kind = flat && face >= BRUME_FACE_Z_MIN ? BRUME_PERIODIC : flow->kind;
    }
    BrumeSim *sim = NULL;
    BrumeStatus status = brume_sim_create(&sim, &def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeField base[3] = {0};
    BrumeField start = {0};
    status = brume_field_create(&start, sim->fields[0].grid, error);
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        status = brume_field_create(&base[axis], sim->fields[0].grid, error);
    }
    if (status == BRUME_OK) {
        for (int axis = 0; axis < 3; axis++) {
            fill_field(sim, &base[axis], axis, flow);
        }
        fill_field(sim, &start, BRUME_AT_CENTER, flow);
        fill_field(sim, &sim->fields[BRUME_FIELD_DENSITY], BRUME_AT_CENTER, flow);
        const int per_turn = (int)ceil(flow->duration * flow->largest * size / cfl);
        const double dt = flow->duration / per_turn;
        const int steps = per_turn * turns;
        for (int n = 0; n < steps; n++) {
            const double middle = (n + 0.5) * dt;
            set_velocity(sim, base, flow->reverses ? cos(pi * middle / flow->duration) : 1.0);
            (void)brume_stage_advect_velocity(&(BrumeStep){.sim = sim, .dt = dt});
            const double start_seconds = brume_seconds();
            brume_transport_scalars(sim, sim->scratch + BRUME_SCRATCH_RESULTS, dt);
            ms[n % MOST_STEPS] = 1e3 * (brume_seconds() - start_seconds);
            sim->steps++;
        }
        const int timed = steps < MOST_STEPS ? steps : MOST_STEPS;
        qsort(ms, (size_t)timed, sizeof ms[0], compare);
        result->ns = 1e6 * ms[timed / 2] / ((double)size * size * def.nz);
        measure(sim, &start, result);
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&base[axis]);
    }
    brume_field_destroy(&start);
    brume_sim_destroy(sim);
    return status;
}

// time per cell and scalar of temperature and two kinds of smoke that fill a box, in the deforming flow
static BrumeStatus run_dense(const char *scheme, int size, double *ns, BrumeError *error)
{
    enum { STEPS = 24 };
    double ms[STEPS];
    BrumeSimDef def = brume_default_sim_def();
    def.nx = size;
    def.ny = size;
    def.nz = size;
    def.dx = 1.0f / (float)size;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    def.transport = scheme;
    BrumeSim *sim = NULL;
    BrumeStatus status = brume_sim_create(&sim, &def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeField base[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        if (brume_field_create(&base[axis], sim->fields[0].grid, error) != BRUME_OK) {
            status = BRUME_FAILED;
        }
    }
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        fill_field(sim, &base[axis], axis, &blob);
    }
    for (int n = 0; n < STEPS && status == BRUME_OK; n++) {
        set_velocity(sim, base, 1.0);
        for (int id = BRUME_FIELD_TEMPERATURE; n == 0 && id <= BRUME_FIELD_DENSITY; id++) {
            BrumeField *field = &sim->fields[id];
            fill_field(sim, field, BRUME_AT_CENTER, &blob);
            for (size_t c = 0; c < brume_grid_entries(field->grid); c++) {
                field->data[c] += 1.0f;
            }
        }
        (void)brume_stage_advect_velocity(&(BrumeStep){.sim = sim, .dt = (float)(cfl / blob.largest) * def.dx});
        const double start_seconds = brume_seconds();
        brume_transport_scalars(sim, sim->scratch + BRUME_SCRATCH_RESULTS, cfl / blob.largest * (double)def.dx);
        ms[n] = 1e3 * (brume_seconds() - start_seconds);
        sim->steps++;
    }
    qsort(ms, STEPS, sizeof ms[0], compare);
    *ns = 1e6 * ms[STEPS / 2] / ((double)size * size * size * 2.0);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&base[axis]);
    }
    brume_sim_destroy(sim);
    return status;
}

static BrumeStatus print_flow(const Flow *flow, const char *scheme, const int sizes[2], bool flat, int turns,
                              BrumeError *error)
{
    double coarse = 0.0;
    for (int n = 0; n < 2; n++) {
        Result result = {0};
        const BrumeStatus status = run(flow, scheme, sizes[n], flat, turns, &result, error);
        if (status != BRUME_OK) {
            return status;
        }
        char order[32] = "";
        if (n == 1) {
            (void)snprintf(order, sizeof order, "%.2f", log2(coarse / result.error));
        }
        (void)printf("| %s, %d turn%s | %d%s | %s | %.4f | %s | %+.1e | %.4f to %.4f | %.1f |\n", flow->name, turns,
                     turns == 1 ? "" : "s", sizes[n], flat ? "²" : "³", scheme, result.error, order, result.drift,
                     result.low, result.high, result.ns);
        (void)fflush(stdout);
        coarse = result.error;
    }
    return BRUME_OK;
}

static BrumeStatus print_scheme(const char *scheme, bool quick, BrumeError *error)
{
    const int flat[2] = {100, 200};
    const int full[2] = {quick ? 32 : 64, quick ? 64 : 128};
    BrumeStatus status = print_flow(&disc, scheme, flat, true, 1, error);
    if (status == BRUME_OK && !quick) {
        status = print_flow(&disc, scheme, flat, true, 10, error);
    }
    if (status == BRUME_OK) {
        status = print_flow(&smooth, scheme, flat, true, 1, error);
    }
    if (status == BRUME_OK) {
        status = print_flow(&blob, scheme, full, false, 1, error);
    }
    if (status == BRUME_OK) {
        status = print_flow(&ball, scheme, full, false, 1, error);
    }
    return status;
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const bool dense = argc > 1 && strcmp(argv[1], "--dense") == 0;
    const int first = quick || dense ? 2 : 1;
    BrumeError error;
    BrumeStatus status = BRUME_OK;
    brume_set_threads(brume_choose_threads(0));
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, load %.2f before the run; CFL number 2\n\n", machine.cpu, brume_get_threads(),
                 machine.compiler, brume_machine_load());
    if (!dense) {
        (void)printf("| flow | cells | scheme | L1 error | order | drift | range | ns a cell |\n");
        (void)printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    }
    for (int n = 0; !dense && status == BRUME_OK && brume_transport_name(n); n++) {
        bool chosen = argc <= first;
        for (int m = first; m < argc; m++) {
            chosen = chosen || strcmp(argv[m], brume_transport_name(n)) == 0;
        }
        if (chosen) {
            status = print_scheme(brume_transport_name(n), quick, &error);
        }
    }
    (void)printf("\n| scheme | ns a cell and scalar, two scalars that fill 128³ |\n| --- | --- |\n");
    for (int n = 0; status == BRUME_OK && brume_transport_name(n); n++) {
        double ns = 0.0;
        status = run_dense(brume_transport_name(n), 128, &ns, &error);
        (void)printf("| %s | %.2f |\n", brume_transport_name(n), ns);
    }
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "bench_transport: %s\n", error.text);
    }
    return (int)status;
}
