#include "sim/pressure/pressure.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/pressure/pressure_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ENTRY(method) &brume_pressure_##method,
static const BrumePressureMethod *const methods[] = {BRUME_PRESSURE_METHODS(ENTRY)};

enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

// After a solve that left more than this share of the true residual, the residual is as small as single precision
// allows.
#define STAGNATION_RATE 0.9

// The fastest method for a box. It depends on the box only, not on timings, and is the same on every machine.
static const BrumePressureMethod *choose_fastest(bool bodies, bool all_periodic)
{
    if (bodies) {
        return &brume_pressure_mgpcg;
    }
    return all_periodic ? &brume_pressure_fft : &brume_pressure_dct;
}

const BrumePressureMethod brume_pressure_auto = {.name = "auto", .choose = choose_fastest};

struct BrumePressure {
    BrumePressureDef def;
    const BrumePressureMethod *method;
    void *state;     ///< of the method
    double rounding; ///< error of an entry of b (brume_pressure_set_rounding)
    BrumePoisson poisson;
    BrumeComponents components;
};

const char *brume_pressure_name(int index)
{
    return index >= 0 && index < (int)METHOD_COUNT ? methods[index]->name : NULL;
}

static const BrumePressureMethod *find_method(const char *name)
{
    for (int n = 0; name && n < (int)METHOD_COUNT; n++) {
        if (strcmp(methods[n]->name, name) == 0) {
            return methods[n];
        }
    }
    return NULL;
}

const char *brume_pressure_unmet_need(const char *name, bool bodies, bool all_periodic)
{
    const BrumePressureMethod *method = find_method(name);
    if (method && method->only_air && bodies) {
        return "needs a box without bodies";
    }
    if (method && method->only_periodic && !all_periodic) {
        return "needs a box with periodic sides";
    }
    return NULL;
}

const char *brume_pressure_resolve(const char *name, bool bodies, bool all_periodic)
{
    const BrumePressureMethod *method = find_method(name);
    return method && method->choose ? method->choose(bodies, all_periodic)->name : name;
}

static BrumeStatus choose_method(const BrumePressureMethod **method, const char *name, const BrumeCells *cells,
                                 BrumeError *error)
{
    *method = find_method(name);
    if (!*method) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown pressure solver '%s'", name ? name : "");
    }
    const bool all_periodic = cells->periodic[0] && cells->periodic[1] && cells->periodic[2];
    const char *unmet_need = brume_pressure_unmet_need(name, cells->bodies, all_periodic);
    if (unmet_need) {
        return brume_fail(error, BRUME_BAD_INPUT, "pressure solver '%s' %s ('auto' picks one that fits)", name,
                          unmet_need);
    }
    if (cells->fractions && (*method)->only_whole) {
        return brume_fail(error, BRUME_BAD_INPUT, "pressure solver '%s' needs whole cells ('auto' picks one that fits)",
                          name);
    }
    if ((*method)->choose) {
        *method = (*method)->choose(cells->bodies, all_periodic);
    }
    return BRUME_OK;
}

BrumeStatus brume_pressure_create(BrumePressure **pressure, const BrumePressureDef *def, const BrumeCells *cells,
                                  BrumeError *error)
{
    *pressure = NULL;
    const BrumePressureMethod *method;
    BrumeStatus status = choose_method(&method, def->method, cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumePressure *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    created->def = *def;
    created->method = method;
    status = brume_poisson_create(&created->poisson, cells, error);
    if (status == BRUME_OK) {
        status = brume_components_create(&created->components, cells, error);
    }
    if (status == BRUME_OK && method->create) {
        status =
            method->create(&created->state, &created->def, &created->poisson, created->components.count > 0, error);
    }
    if (status != BRUME_OK) {
        brume_pressure_destroy(created);
        return status;
    }
    *pressure = created;
    return BRUME_OK;
}

void brume_pressure_destroy(BrumePressure *pressure)
{
    if (!pressure) {
        return;
    }
    if (pressure->method->destroy) {
        pressure->method->destroy(pressure->state);
    }
    brume_components_destroy(&pressure->components);
    brume_poisson_destroy(&pressure->poisson);
    brume_free(pressure);
}

const char *brume_pressure_method(const BrumePressure *pressure) { return pressure->method->name; }

const BrumeSpectral *brume_pressure_spectral(const BrumePressure *pressure)
{
    return pressure->method == &brume_pressure_fft ? pressure->state : NULL;
}

size_t brume_pressure_bytes(const BrumePressure *pressure)
{
    return sizeof *pressure + brume_poisson_bytes(&pressure->poisson) + brume_components_bytes(&pressure->components) +
           (pressure->method->bytes ? pressure->method->bytes(pressure->state) : 0);
}

static void remove_mean(const BrumePressure *pressure, BrumeField *field)
{
    brume_components_remove_mean(&pressure->components, field->data, field->sy, field->sz, pressure->poisson.parallel);
}

// A right-hand side of a smaller norm is treated as 0: if it was constant, only rounding errors remain after its mean
// is removed; and division by a norm of denormal numbers is inaccurate.
static double negligible_norm(const BrumePoisson *poisson, double given_norm)
{
    const double smallest = FLT_MIN * sqrt((double)brume_grid_cells(poisson->cells->grid));
    return brume_fmax(smallest, FLT_EPSILON * given_norm);
}

static bool is_zero_plane(const BrumeField *field, int k)
{
    const float *plane = field->data + field->sz * k;
    for (ptrdiff_t n = 0; n < field->sz; n++) {
        if (plane[n] != 0.0f) {
            return false;
        }
    }
    return true;
}

// whether all cells are 0; ends a plane at its first other value
static bool is_zero(const BrumePoisson *poisson, const BrumeField *field)
{
    bool zero = true;
#pragma omp parallel for schedule(static) reduction(&& : zero) if (poisson->parallel)
    for (int k = brume_first_plane(field->grid); k <= brume_last_plane(field->grid); k++) {
        zero = zero && is_zero_plane(field, k);
    }
    int32_t nonzero = !zero;
    brume_largest_of_ranks(field->grid, &nonzero, 1);
    return nonzero == 0;
}

// sets all entries to 0, with a team of threads only on grids that need one
static void clear(const BrumePoisson *poisson, BrumeField *field)
{
    const size_t bytes = (size_t)field->sz * sizeof *field->data;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_lowest_plane(field->grid); k <= brume_highest_plane(field->grid); k++) {
        memset(field->data + field->sz * k, 0, bytes);
    }
}

// p = 0, also in the planes of other ranks that a solve leaves up to date
static void clear_solution(const BrumePoisson *poisson, BrumeField *p)
{
    clear(poisson, p);
    brume_exchange_field(p, 1);
}

static void copy_cells(const BrumePoisson *poisson, BrumeField *to, const BrumeField *from)
{
    const BrumeGrid grid = from->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(from, 1, j, k);
            memcpy(to->data + start, from->data + start, (size_t)grid.nx * sizeof *to->data);
        }
    }
}

// Chooses the start, the present p or p = 0, whichever has the smaller residual; r = b - Ap. Returns |r|_2.
static double choose_start(const BrumePressure *pressure, BrumePressureWork *work, double b_norm, bool from_zero)
{
    const BrumePoisson *poisson = &pressure->poisson;
    if (!from_zero && !is_zero(poisson, work->p)) {
        brume_poisson_clear_inactive(poisson, work->p);
        brume_poisson_fill_ghosts(poisson, work->p);
        const double norm = sqrt(brume_poisson_residual(poisson, work->r, work->b, work->p));
        if (norm < b_norm) {
            return norm;
        }
    }
    if (pressure->method->direct && pressure->def.max_iterations > 0) {
        work->no_start = true;
        return b_norm;
    }
    clear(poisson, work->p);
    copy_cells(poisson, work->r, work->b);
    return b_norm;
}

void brume_pressure_set_rounding(BrumePressure *pressure, double error) { pressure->rounding = error; }

double brume_pressure_reference(const BrumePressure *pressure, double b_norm)
{
    const double rounding = pressure->rounding * sqrt((double)brume_grid_cells(pressure->poisson.cells->grid));
    return brume_fmax(b_norm, rounding / (double)pressure->def.tolerance);
}

void brume_pressure_fill_ghosts(const BrumePressure *pressure, BrumeField *p)
{
    brume_poisson_fill_ghosts(&pressure->poisson, p);
    brume_poisson_fill_thin_ghosts(&pressure->poisson, p);
}

static BrumePressureResult solve(BrumePressure *pressure, BrumeField *p, BrumeField scratch[BRUME_PRESSURE_SCRATCH],
                                 bool from_zero)
{
    const BrumePoisson *poisson = &pressure->poisson;
    const BrumePressureDef *def = &pressure->def;
    BrumePressureWork work = {
        .poisson = poisson,
        .components = &pressure->components,
        .def = def,
        .p = p,
        .b = &scratch[0],
        .r = &scratch[1],
        .z = &scratch[2],
        .s = &scratch[3],
    };
    brume_poisson_clear_inactive(poisson, work.b);
    const double given_norm = sqrt(brume_poisson_dot(poisson, work.b, work.b));
    remove_mean(pressure, work.b);
    const bool nonsingular = pressure->components.count == 0;
    const double b_norm = nonsingular ? given_norm : sqrt(brume_poisson_dot(poisson, work.b, work.b));
    if (!isfinite(b_norm)) {
        clear_solution(poisson, p);
        return (BrumePressureResult){.residual = INFINITY};
    }
    if (b_norm <= negligible_norm(poisson, given_norm)) {
        clear_solution(poisson, p);
        return (BrumePressureResult){.converged = true};
    }

    const double reference = brume_pressure_reference(pressure, b_norm);
    work.goal = def->tolerance * reference;
    if (b_norm <= work.goal) { // rounding errors alone
        clear_solution(poisson, p);
        return (BrumePressureResult){.residual = b_norm / reference, .converged = true};
    }
    BrumePressureResult result = {0};
    double norm = choose_start(pressure, &work, b_norm, from_zero);
    while (norm > work.goal && result.iterations < def->max_iterations) {
        work.norm = norm;
        work.budget = def->max_iterations - result.iterations;
        const int iterations = pressure->method->solve(pressure->state, &work);
        result.iterations += iterations;
        work.no_start = false;
        // the residual that methods update differs from the true one by accumulated rounding errors
        brume_poisson_fill_ghosts(poisson, p);
        norm = sqrt(brume_poisson_residual(poisson, work.r, work.b, p));
        if (iterations == 0 || norm > STAGNATION_RATE * work.norm) {
            break;
        }
    }
    brume_poisson_clear_inactive(poisson, p); // they may hold -0
    remove_mean(pressure, p);
    brume_pressure_fill_ghosts(pressure, p);
    result.residual = norm / reference;
    result.converged = norm <= work.goal;
    return result;
}

BrumePressureResult brume_pressure_solve(BrumePressure *pressure, BrumeField *p,
                                         BrumeField scratch[BRUME_PRESSURE_SCRATCH])
{
    return solve(pressure, p, scratch, false);
}

BrumePressureResult brume_pressure_solve_from_zero(BrumePressure *pressure, BrumeField *p,
                                                   BrumeField scratch[BRUME_PRESSURE_SCRATCH])
{
    return solve(pressure, p, scratch, true);
}

const BrumeSpectral *brume_pressure_transforms(const BrumePressure *pressure)
{
    return pressure->method->direct ? pressure->state : NULL;
}

const BrumePoisson *brume_pressure_operator(const BrumePressure *pressure) { return &pressure->poisson; }

const BrumeComponents *brume_pressure_components(const BrumePressure *pressure) { return &pressure->components; }

bool brume_pressure_is_singular(const BrumePressure *pressure) { return pressure->components.count > 0; }

bool brume_pressure_is_negligible(const BrumePressure *pressure, double norm, double given_norm)
{
    return norm <= negligible_norm(&pressure->poisson, given_norm);
}
