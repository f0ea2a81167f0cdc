#include "app/bench/traffic.h"

#include <stdbool.h>
#include <string.h>

static const double field = sizeof(float); // one field, read or written once [bytes/cell]

static bool is_second_order(const BrumeSimDef *def) { return strcmp(def->integrator, "second-order") == 0; }

// returns the traffic [bytes/cell] of forces at one end of the paths along which velocity is advected
static double forces_traffic(const BrumeSimDef *def, int kinds)
{
    double fields = 3 + 3;                  // velocity in and out
    fields += 1 + kinds;                    // buoyancy: temperature and smoke
    fields += is_second_order(def) ? 1 : 0; // the pressure whose gradient is added
    if (def->vorticity_confinement > 0.0f) {
        fields += 1 + 1; // magnitude of the vorticity, written and read
    }
    return field * fields;
}

// returns the traffic of the diffusion of scalars: each field is read and written at least once
static double scalar_diffusion_traffic(const BrumeSimDef *def, int kinds)
{
    double fields = def->thermal_diffusivity > 0.0f ? 2 : 0;
    for (int kind = 0; kind < kinds; kind++) {
        fields += def->smoke[kind].diffusivity > 0.0f ? 2 : 0;
    }
    return field * fields;
}

static double velocity_diffusion_traffic(const BrumeSimDef *def) { return def->viscosity > 0.0f ? field * 6 : 0.0; }

// returns the traffic of a pressure iteration; docs/benchmarks.md derives the numbers
static double iteration_traffic(const BrumeSimDef *def)
{
    static const struct {
        const char *method;
        double bytes;
    } iterations[] = {{"mgpcg", 60.0},      {"multigrid", 26.0}, {"cg", 34.0},
                      {"relaxation", 13.0}, {"dct", 24.0},       {"fft", 24.0}};
    const char *method = brume_pressure_resolve(def->pressure, brume_has_bodies(def), brume_all_periodic(def));
    for (size_t n = 0; n < sizeof iterations / sizeof iterations[0]; n++) {
        if (strcmp(method, iterations[n].method) == 0) {
            return iterations[n].bytes;
        }
    }
    return 0.0;
}

// returns the traffic of a projection: divergence, the first residual, iterations and the gradient
static double projection_traffic(const BrumeSimDef *def, double iterations)
{
    const double divergence = field * (3 + 1);
    const double first_residual = field * (1 + 1 + 1) + 1; // p, b, r and the cell's byte
    const double gradient = field * (1 + 3 + 3);
    const double pressure = is_second_order(def) ? field * (1 + 1) : 0.0; // the increment is added to it
    return divergence + first_residual + gradient + pressure + iterations * iteration_traffic(def);
}

// MacCormack reads the field, writes the predicted value, reads both, and writes the corrected value; the velocity is
// read for the forward and the backward trace. Semi-Lagrangian reads the field and writes the result.
static double advection_traffic(const char *scheme, int fields)
{
    return strcmp(scheme, "maccormack") == 0 ? field * (5 * fields + 2 * 3) : field * (2 * fields + 3);
}

// with the second-order scheme, also the extrapolation of the velocity of the paths and the forces at their start
static double velocity_traffic(const BrumeSimDef *def, int kinds)
{
    const double before = is_second_order(def) ? field * (3 + 3 + 3) + forces_traffic(def, kinds) : 0.0;
    return before + advection_traffic(def->advection, 3);
}

// The flux form reads and writes each scalar twice: for the passes along x and y of a plane, and for the pass along z.
// It reads a velocity component for its own pass and for the volumes of later passes.
static double transport_traffic(const BrumeSimDef *def, int fields)
{
    const bool flux_form = strcmp(def->transport, "ppm") == 0;
    return flux_form ? field * (4 * fields + 5) : advection_traffic(def->transport, fields);
}

double brume_min_traffic(const BrumeSimDef *def, BrumeStage stage, double iterations)
{
    const int kinds = 1 + def->color_count;
    switch (stage) {
    case BRUME_STAGE_EMIT: // only the cells of the emitters
        return 0.0;
    case BRUME_STAGE_FORCES: // `second-order` diffuses the scalars before the forces
        return forces_traffic(def, kinds) + (is_second_order(def) ? scalar_diffusion_traffic(def, kinds) : 0.0);
    case BRUME_STAGE_DIFFUSION:
        return velocity_diffusion_traffic(def) + (is_second_order(def) ? 0.0 : scalar_diffusion_traffic(def, kinds));
    case BRUME_STAGE_PROJECTION:
        return projection_traffic(def, iterations);
    case BRUME_STAGE_ADVECT_VELOCITY:
        return velocity_traffic(def, kinds);
    case BRUME_STAGE_ADVECT_SCALARS:
        return transport_traffic(def, 1 + kinds);
    case BRUME_STAGE_COUNT:
        break;
    }
    return 0.0;
}
