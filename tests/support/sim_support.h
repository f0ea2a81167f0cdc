/*
 * Helpers of the solver's tests: boxes, fields from formulas, and assertions that print value, expected and tolerance.
 */
#ifndef BRUME_TESTS_SUPPORT_SIM_SUPPORT_H
#define BRUME_TESTS_SUPPORT_SIM_SUPPORT_H

#include "brume/brume.h"
#include "core/vec3.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/integrators/stages.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_near(value, expected, tolerance) near_at(value, expected, tolerance, #value, __FILE__, __LINE__)
#define assert_at_most(value, limit) at_most_at(value, limit, #value, __FILE__, __LINE__)
#define assert_at_least(value, limit) at_most_at(-(value), -(limit), "-(" #value ")", __FILE__, __LINE__)

static inline void near_at(double value, double expected, double tolerance, const char *what, const char *file,
                           int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%s:%d: %s is %.9g, expected %.9g within %.3g\n", file, line, what, value, expected, tolerance);
        fail();
    }
}

static inline void at_most_at(double value, double limit, const char *what, const char *file, int line)
{
    if (!(value <= limit)) {
        print_error("%s:%d: %s is %.9g, expected at most %.9g\n", file, line, what, value, limit);
        fail();
    }
}

/* A box of n x m x l cells of side dx with all sides of one kind. */
static inline BrumeSimDef box_def(int nx, int ny, int nz, float dx, BrumeFaceKind kind)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = nx;
    def.ny = ny;
    def.nz = nz;
    def.dx = dx;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face].kind = kind;
    }
    return def;
}

/* Whether an integrator needs a closed box without bodies; gives it such a box then. */
static inline bool close_box_for_integrator(BrumeSimDef *def)
{
    const bool needed = strcmp(def->integrator, "collocated") == 0 || strcmp(def->integrator, "practical") == 0;
    for (int face = 0; needed && face < BRUME_FACE_COUNT; face++) {
        def->faces[face] = (BrumeFaceDef){.kind = BRUME_WALL};
    }
    def->body_count = needed ? 0 : def->body_count;
    return needed;
}

static inline BrumeSim *create(const BrumeSimDef *def)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    if (brume_sim_create(&sim, def, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
    return sim;
}

static inline void step(BrumeSim *sim, double dt, BrumeStepStats *stats)
{
    BrumeError error = {0};
    if (brume_sim_step(sim, dt, stats, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

/* The simulation that a saved state of `sim` makes, in place of it. */
static inline BrumeSim *reload(BrumeSim *sim)
{
    BrumeError error = {0};
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    brume_sim_destroy(sim);
    assert_int_equal(brume_sim_create_saved(&sim, bytes, size, &error), BRUME_OK);
    free(bytes);
    return sim;
}

static inline void expect_refusal(const BrumeSimDef *def, const char *text)
{
    BrumeSim *sim = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(brume_sim_create(&sim, def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
}

/* A value at a point of the box [m]. */
typedef double Formula(double x, double y, double z, const void *context);

/* The number at `context`, everywhere. */
static inline double same_value(double x, double y, double z, const void *context)
{
    (void)x;
    (void)y;
    (void)z;
    return *(const double *)context;
}

/* Sets the entries of a quantity, without ghosts, from a formula at their locations. */
static inline void set_entries(const BrumeSim *sim, BrumeFieldId id, BrumeField *field, Formula *formula,
                               const void *context)
{
    const int at = brume_location(id);
    const BrumeGrid grid = field->grid;
    const double dx = (double)sim->def.dx;
    for (int k = 1; k <= grid.nz + (at == 2); k++) {
        for (int j = 1; j <= grid.ny + (at == 1); j++) {
            for (int i = 1; i <= grid.nx + (at == 0); i++) {
                field->data[brume_field_index(field, i, j, k)] =
                    (float)formula((i - (at == 0 ? 1.0 : 0.5)) * dx, (j - (at == 1 ? 1.0 : 0.5)) * dx,
                                   (k - (at == 2 ? 1.0 : 0.5)) * dx, context);
            }
        }
    }
}

/* The same, and the ghosts. */
static inline void fill(BrumeSim *sim, BrumeFieldId id, Formula *formula, const void *context)
{
    BrumeField *field = &sim->fields[id];
    set_entries(sim, id, field, formula, context);
    if (id != BRUME_FIELD_PRESSURE) {
        brume_set_boundary(sim, id, field);
    }
}

static inline double sum_of(const BrumeField *field)
{
    double sum = 0.0;
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            for (int i = 1; i <= field->grid.nx; i++) {
                sum += (double)brume_field_at(field, i, j, k);
            }
        }
    }
    return sum;
}

/* Largest |value| of the cells, or of the faces through them. */
static inline double max_abs(const BrumeField *field)
{
    double max = 0.0;
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            for (int i = 1; i <= field->grid.nx; i++) {
                max = fmax(max, fabs((double)brume_field_at(field, i, j, k)));
            }
        }
    }
    return max;
}

static inline void range_of(const BrumeField *field, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            for (int i = 1; i <= field->grid.nx; i++) {
                const double value = (double)brume_field_at(field, i, j, k);
                *low = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
    }
}

/** Advects the velocity of the state along itself over `dt` [s]. */
static inline void advect_own_velocity(BrumeSim *sim, double dt)
{
    (void)brume_stage_advect_velocity(&(BrumeStep){.sim = sim, .dt = dt});
}

#endif
