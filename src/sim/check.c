/*
 * The ranges of the settings. Whoever fills BrumeSimDef by hand hears here what is wrong with it; scene files are held
 * to the same or narrower ranges with line and column.
 */
#include "core/error.h"
#include "sim/kernels.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MIN_CELLS = 8, MAX_CELLS = 4096 };

typedef struct Range {
    const char *name;
    size_t offset; // of a float in BrumeSimDef
    float min, max;
    const char *unit;
} Range;

#define RANGE(member, min, max, unit)                                                                                  \
    {                                                                                                                  \
#member, offsetof(BrumeSimDef, member), min, max, unit                                                         \
    }

static const Range ranges[] = {
    RANGE(dx, 1e-6f, 1e6f, "m"),
    RANGE(thermal_expansion, 0.0f, 1e3f, "1/K"),
    RANGE(vorticity_confinement, 0.0f, 1e6f, "1/s"),
    RANGE(drag, 0.0f, 1e6f, "1/s"),
    RANGE(viscosity, 0.0f, 1e6f, "m^2/s"),
    RANGE(thermal_diffusivity, 0.0f, 1e6f, "m^2/s"),
    RANGE(cooling, 0.0f, 1e6f, "1/s"),
    RANGE(fps, 1e-3f, 1e6f, "1/s"),
    RANGE(cfl, 0.01f, 1e3f, "cells"),
    RANGE(tolerance, 1e-7f, 0.5f, "1"),
    RANGE(over_relaxation, 0.05f, 1.999f, "1"),
};

static BrumeStatus check_ranges(const BrumeSimDef *def, BrumeError *error)
{
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++) {
        const Range *range = &ranges[n];
        float value;
        memcpy(&value, (const char *)def + range->offset, sizeof value);
        if (!(value >= range->min && value <= range->max)) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s is %g %s, outside %g to %g", range->name, (double)value,
                              range->unit, (double)range->min, (double)range->max);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_counts(const BrumeSimDef *def, BrumeError *error)
{
    const struct {
        const char *name;
        int value, min, max;
    } counts[] = {
        {"nx", def->nx, MIN_CELLS, MAX_CELLS},
        {"ny", def->ny, MIN_CELLS, MAX_CELLS},
        {"nz", def->nz, MIN_CELLS, MAX_CELLS},
        {"obstacle_count", def->obstacle_count, 0, BRUME_MAX_OBSTACLES},
        {"emitter_count", def->emitter_count, 0, BRUME_MAX_EMITTERS},
        {"color_count", def->color_count, 0, BRUME_SMOKE_KINDS - 1},
        {"min_steps", def->min_steps, 1, 100000},
        {"max_steps", def->max_steps, def->min_steps, 100000},
        {"trace_order", def->trace_order, 2, 3},
        {"max_iterations", def->max_iterations, 1, 1000000},
    };
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        if (counts[n].value < counts[n].min || counts[n].value > counts[n].max) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s is %d, outside %d to %d", counts[n].name, counts[n].value,
                              counts[n].min, counts[n].max);
        }
    }
    // offsets into a field are 32-bit where traces store them
    if (brume_grid_entries((BrumeGrid){def->nx, def->ny, def->nz}) > INT32_MAX) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d x %d x %d cells are more than 2^31 (lower the resolution)",
                          def->nx, def->ny, def->nz);
    }
    return BRUME_OK;
}

static bool is_finite_vector(BrumeVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static BrumeStatus check_faces(const BrumeSimDef *def, BrumeError *error)
{
    static const char *const names[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int n = 0; n < BRUME_FACE_COUNT; n++) {
        const BrumeFaceDef *face = &def->faces[n];
        if ((face->kind == BRUME_PERIODIC) != (def->faces[n ^ 1].kind == BRUME_PERIODIC)) {
            return brume_fail(error, BRUME_BAD_INPUT, "face %s is %speriodic but %s is%s: both of a pair are, or none",
                              names[n], face->kind == BRUME_PERIODIC ? "" : "not ", names[n ^ 1],
                              face->kind == BRUME_PERIODIC ? " not" : "");
        }
        bool finite = is_finite_vector(face->velocity) && isfinite(face->temperature);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            finite = finite && isfinite(face->smoke[kind]);
        }
        if (!finite) {
            return brume_fail(error, BRUME_BAD_INPUT, "face %s has a value that is not finite", names[n]);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_emitters(const BrumeSimDef *def, BrumeError *error)
{
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeEmitterDef *emitter = &def->emitters[n];
        bool finite = isfinite(emitter->temperature.value) && is_finite_vector(emitter->velocity.value);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            finite = finite && isfinite(emitter->smoke[kind].value);
            if (kind > def->color_count && emitter->smoke[kind].mode != BRUME_SOURCE_NONE) {
                return brume_fail(error, BRUME_BAD_INPUT, "emitter %d gives color_%d but color_count is %d", n, kind,
                                  def->color_count);
            }
        }
        if (!finite) {
            return brume_fail(error, BRUME_BAD_INPUT, "emitter %d has a value that is not finite", n);
        }
        if (!(emitter->noise >= 0.0f && emitter->noise <= 1.0f) || !(emitter->noise_scale > 0.0f) ||
            !(emitter->noise_speed >= 0.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "emitter %d needs noise 0 to 1, noise_scale above 0 and noise_speed from 0", n);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_smoke(const BrumeSimDef *def, BrumeError *error)
{
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        const BrumeSmokeDef *smoke = &def->smoke[kind];
        if (!isfinite(smoke->weight) || !(smoke->dissipation >= 0.0f && smoke->dissipation <= 1e6f) ||
            !(smoke->diffusivity >= 0.0f && smoke->diffusivity <= 1e6f)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "smoke %d needs a finite weight, dissipation 0 to 1e6 1/s and diffusivity 0 to 1e6 m^2/s",
                              kind);
        }
    }
    return is_finite_vector(def->gravity) && is_finite_vector(def->wind) && is_finite_vector(def->origin)
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "gravity, wind and origin must be finite");
}

// a method that is unknown is refused where its solver is made
static BrumeStatus check_pressure(const BrumeSimDef *def, BrumeError *error)
{
    const char *misfit = brume_pressure_unmet_need(def->pressure, def->obstacle_count > 0, brume_all_periodic(def));
    return misfit ? brume_fail(error, BRUME_BAD_INPUT, "pressure solver '%s' %s ('auto' picks one that fits)",
                               def->pressure, misfit)
                  : BRUME_OK;
}

/** Whether settings are within their ranges; BRUME_BAD_INPUT names the first that is not. */
BrumeStatus brume_sim_check(const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus (*const checks[])(const BrumeSimDef *, BrumeError *) = {
        check_counts, check_ranges, check_faces, check_emitters, check_smoke, check_pressure,
    };
    for (size_t n = 0; n < sizeof checks / sizeof checks[0]; n++) {
        const BrumeStatus status = checks[n](def, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    if (!brume_advection_find(def->advection)) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown advection scheme '%s'",
                          def->advection ? def->advection : "(none)");
    }
    if (!brume_kernels_find(def->kernels)) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown kernels '%s'", def->kernels ? def->kernels : "(none)");
    }
    return BRUME_OK;
}
