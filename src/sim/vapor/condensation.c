/*
 * Water in air (Rogers and Yau 1989, chapters 2 and 3; for pictures Miyazaki, Dobashi, Nishita 2002). Vapor and liquid
 * water are two kinds of smoke, in kg per kg of dry air. The field of temperature holds the potential temperature above
 * that of the ambient air, T0, which air keeps as it rises. At a height h in an atmosphere that is mixed,
 *
 *     Pi = 1 - g h / (c_p T0),   T = Pi (T0 + theta),   p = p0 Pi^(c_p / R) = p0 Pi^(7/2),
 *
 * so that rising air cools by g / c_p, 9.8 K per km. Saturated air has the vapor (Bolton 1980, eq. 10)
 *
 *     q_s = 0.622 e / (p - e),   e = 611.2 Pa exp(17.67 (T - 273.15 K) / (T - 29.65 K)).
 *
 * A mass dq that condenses heats the air by L dq / c_p. Its equilibrium q - dq = q_s(T + L dq / c_p) is found by
 * Newton's method: q_s is convex, so that from the second step on the iterates approach the root from one side. Drops
 * are small and move with the air; there is neither rain nor ice.
 */
#include "sim/vapor/condensation.h"

#include "core/domain.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/budget.h"

#include <math.h>

static const float HEAT_CAPACITY = 1005.0f;     // c_p of dry air [J/(kg K)]
static const float LATENT = 2.501e6f / 1005.0f; // L / c_p at 0 degrees Celsius [K]
static const float LEAST_EXNER = 0.1f;          // above it the formula has no pressure
enum { NEWTON_STEPS = 4 };

// what a step needs of the settings
typedef struct MoistAir {
    float ambient_temperature;
    float ambient_pressure;
    float ambient_vapor;
    float exner;           // at the index (0, 0, 0)
    BrumeVec3 exner_slope; // by the index
} MoistAir;

// the water and the potential temperature above ambient of a cell
typedef struct Moisture {
    float *vapor;
    float *liquid;
    float *temperature;
} Moisture;

float brume_saturation(float temperature, float pressure, float *slope)
{
    const float above = brume_fmaxf(temperature, 150.0f) - 29.65f;
    const float vapor = 611.2f * brume_expf(17.67f * (above + 29.65f - 273.15f) / above);
    const float dry = brume_fmaxf(pressure - vapor, 0.01f * pressure); // boiling water has no equilibrium with air
    const float saturated = 0.622f * vapor / dry;
    if (slope) {
        *slope = saturated * (pressure / dry) * (17.67f * 243.5f) / (above * above);
    }
    return saturated;
}

// the mass that condenses in air of this Exner function; evaporates, where negative
static float condensed(const MoistAir *air, float exner, float vapor, float liquid, float temperature)
{
    const float pressure = air->ambient_pressure * exner * exner * exner * sqrtf(exner);
    const float before = exner * (air->ambient_temperature + temperature);
    float mass = 0.0f;
    for (int n = 0; n < NEWTON_STEPS; n++) {
        float slope;
        const float saturated = brume_saturation(before + LATENT * mass, pressure, &slope);
        const float excess = (vapor + air->ambient_vapor - mass) - saturated;
        if (excess <= 0.0f && mass <= -liquid) { // all has evaporated
            break;
        }
        mass = brume_fmaxf(mass + excess / (1.0f + LATENT * slope), -liquid);
    }
    return brume_fminf(mass, vapor);
}

static void condense_row(const MoistAir *air, float exner, Moisture row, int count)
{
    for (int i = 0; i < count; i++, exner += air->exner_slope.x) {
        if (row.vapor[i] > 0.0f || row.liquid[i] > 0.0f) {
            const float here = brume_fmaxf(exner, LEAST_EXNER);
            const float mass = condensed(air, here, row.vapor[i], row.liquid[i], row.temperature[i]);
            row.vapor[i] -= mass;
            row.liquid[i] += mass;
            row.temperature[i] += LATENT / here * mass;
        }
    }
}

static MoistAir prepare(const BrumeSim *sim)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeVec3 slope = brume_scale(def->gravity, 1.0f / (HEAT_CAPACITY * def->vapor.temperature)); // [1/m]
    const BrumeVec3 first = brume_sub(def->origin, brume_vec3(0.5f * def->dx, 0.5f * def->dx, 0.5f * def->dx));
    return (MoistAir){
        .ambient_temperature = def->vapor.temperature,
        .ambient_pressure = def->vapor.pressure,
        .ambient_vapor = def->vapor.ambient,
        .exner = 1.0f + brume_dot(slope, first),
        .exner_slope = brume_scale(slope, def->dx),
    };
}

void brume_condense(BrumeSim *sim)
{
    if (!brume_has_vapor(&sim->def)) {
        return;
    }
    const BrumeTotals totals_before = brume_budget_totals(sim);
    const MoistAir air = prepare(sim);
    float *vapor = sim->fields[brume_smoke_id(sim->def.vapor.kind - 1)].data;
    float *liquid = sim->fields[brume_smoke_id(sim->def.vapor.liquid)].data;
    float *temperature = sim->fields[BRUME_FIELD_TEMPERATURE].data;
    const BrumeGrid grid = sim->geometry->cells.grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(&sim->fields[BRUME_FIELD_TEMPERATURE], 1, j, k);
            if (brume_any_bits(vapor + c, grid.nx) != 0 || brume_any_bits(liquid + c, grid.nx) != 0) {
                const float exner =
                    air.exner + air.exner_slope.x + air.exner_slope.y * (float)j + air.exner_slope.z * (float)k;
                condense_row(&air, exner, (Moisture){vapor + c, liquid + c, temperature + c}, grid.nx);
            }
        }
    }
    brume_set_scalar_ghosts(sim);
    brume_budget_emitted_since(sim, &totals_before);
}
