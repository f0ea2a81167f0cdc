// Times a projection, with its boundary values and the measurement of the velocity, and the solve in it.
//     bench_projection CELLS closed|open-top|open|periodic METHOD THREADS REPEATS
// The velocity consists of rising columns and vortices and is the same before each projection. Prints a line of CSV:
// medians of REPEATS projections and of as many solves from 0, alternating.
#include "brume/brume.h"
#include "core/field.h"
#include "core/parallel/clock.h"
#include "core/quantile.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 101 };

static const float DT = 0.02f; // [s]

static void set_sides(BrumeSimDef *def, const char *box)
{
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const bool ground = face == BRUME_FACE_Y_MIN;
        const bool open =
            (strcmp(box, "open") == 0 && !ground) || (strcmp(box, "open-top") == 0 && face == BRUME_FACE_Y_MAX);
        def->faces[face].kind = strcmp(box, "periodic") == 0 ? BRUME_PERIODIC : open ? BRUME_OPEN : BRUME_WALL;
    }
}

// component `axis` of the velocity at a point of the unit box [m/s]
static float velocity_at(int axis, float x, float y, float z)
{
    const float column = expf(-40.0f * ((x - 0.5f) * (x - 0.5f) + (z - 0.4f) * (z - 0.4f))) * (1.0f + sinf(25.0f * y));
    return (axis == 1 ? column : 0.0f) + 0.1f * sinf(12.0f * (x + 2.0f * y) + 17.0f * z + 2.0f * (float)axis);
}

static void set_velocity(BrumeSim *sim)
{
    const BrumeGrid grid = sim->fields[0].grid;
    const float dx = sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *field = &sim->fields[axis];
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz + 1; k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (int i = 1; i <= grid.nx + 1; i++) {
                    field->data[brume_field_index(field, i, j, k)] =
                        velocity_at(axis, (float)i * dx, (float)j * dx, (float)k * dx);
                }
            }
        }
    }
    brume_set_velocity_boundary(sim);
}

static void copy_velocity(BrumeField *to, const BrumeField *from)
{
    for (int axis = 0; axis < 3; axis++) {
        memcpy(to[axis].data, from[axis].data, brume_grid_entries(from[axis].grid) * sizeof(float));
    }
}

static double time_projection(BrumeSim *sim, BrumePressureResult *result)
{
    const double start = brume_seconds();
    *result = brume_project_increment(sim, DT, 1.0f);
    return 1e3 * (brume_seconds() - start);
}

// time of a solve for the divergence of the present velocity
static double time_solve(BrumeSim *sim)
{
    BrumeField *b = &sim->scratch[0];
    const BrumeField *u = sim->fields;
    const BrumeGrid grid = b->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(b, i, j, k);
                b->data[c] = -((u[0].data[c + 1] - u[0].data[c]) + (u[1].data[c + b->sy] - u[1].data[c]) +
                               (u[2].data[c + b->sz] - u[2].data[c]));
            }
        }
    }
    brume_field_fill(&sim->fields[BRUME_FIELD_PRESSURE], 0.0f);
    const double start = brume_seconds();
    (void)brume_pressure_solve(sim->geometry->pressure, &sim->fields[BRUME_FIELD_PRESSURE], sim->scratch);
    return 1e3 * (brume_seconds() - start);
}

static void measure(BrumeSim *sim, BrumeField initial[3], const char *const *words, int repeats)
{
    double projections[MAX_REPEATS];
    double solves[MAX_REPEATS];
    BrumePressureResult result = {0};
    set_velocity(sim);
    copy_velocity(initial, sim->fields);
    for (int n = -1; n < repeats; n++) {
        copy_velocity(sim->fields, initial);
        const double solve = time_solve(sim);
        brume_field_fill(&sim->fields[BRUME_FIELD_PRESSURE], 0.0f);
        projections[n < 0 ? 0 : n] = time_projection(sim, &result);
        solves[n < 0 ? 0 : n] = solve;
    }
    const double projection = brume_median(projections, repeats);
    const double solve = brume_median(solves, repeats);
    (void)printf("cells,box,method,threads,iterations,residual,projection_ms,solve_ms,ratio\n");
    (void)printf("%d,%s,%s,%d,%d,%.3g,%.3f,%.3f,%.2f\n", sim->def.nx, words[2],
                 brume_pressure_method(sim->geometry->pressure), brume_get_threads(), result.iterations,
                 result.residual, projection, solve, projection / solve);
}

int main(int argc, char **argv)
{
    if (argc != 6 || atoi(argv[1]) < 8 || atoi(argv[4]) < 1 || atoi(argv[5]) < 1 || atoi(argv[5]) > MAX_REPEATS) {
        (void)fprintf(stderr, "usage: bench_projection CELLS closed|open-top|open|periodic METHOD THREADS REPEATS\n");
        return BRUME_BAD_INPUT;
    }
    brume_set_threads(atoi(argv[4]));
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = atoi(argv[1]);
    def.dx = 1.0f / (float)def.nx;
    def.origin = (BrumeVec3){0.0f, 0.0f, 0.0f};
    def.pressure = argv[3];
    set_sides(&def, argv[2]);
    BrumeSim *sim = NULL;
    BrumeField initial[3];
    memset(initial, 0, sizeof initial);
    BrumeError error;
    BrumeStatus status = brume_sim_create(&sim, &def, &error);
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        status = brume_field_create(&initial[axis], sim->fields[axis].grid, &error);
    }
    if (status == BRUME_OK) {
        measure(sim, initial, (const char *const *)argv, atoi(argv[5]));
    } else {
        (void)fprintf(stderr, "bench_projection: %s\n", error.text);
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&initial[axis]);
    }
    brume_sim_destroy(sim);
    return (int)status;
}
