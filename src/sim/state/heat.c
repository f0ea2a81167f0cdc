#include "sim/state/heat.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"

#include <assert.h>

BRUME_KERNEL static void fire_heat_row(float *restrict row, const float *mixture, float capacity, int count)
{
    for (int i = 0; i < count; i++) {
        row[i] = brume_heat_of(row[i], brume_rich(capacity, mixture[i]));
    }
}

BRUME_KERNEL static void fire_temperature_row(float *restrict row, const float *mixture, float capacity, int count)
{
    for (int i = 0; i < count; i++) {
        const float temperature = brume_temperature_of(row[i], brume_rich(capacity, mixture[i]));
        row[i] = brume_fminf(temperature, BRUME_LARGEST_TEMPERATURE);
    }
}

// Heat beyond that of the largest temperature is kept as heat that the gas will get: it expands to the cells around.
BRUME_KERNEL static void fire_rest_row(const float *restrict heat, const float *mixture, float capacity,
                                       float *restrict heating, int count)
{
    for (int i = 0; i < count; i++) {
        const float largest = brume_heat_of(BRUME_LARGEST_TEMPERATURE, brume_rich(capacity, mixture[i]));
        heating[i] += brume_fmaxf(heat[i] - largest, 0.0f) / BRUME_AMBIENT_TEMPERATURE;
    }
}

static void convert(BrumeSim *sim, bool to_heat)
{
    assert(sim->holds_heat != to_heat);
    sim->holds_heat = to_heat;
    BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE];
    BrumeField *heating = &sim->fields[BRUME_FIELD_HEATING];
    const int first = brume_first_plane(field->grid);
    const int last = brume_last_plane(field->grid);
#pragma omp parallel for schedule(static)
    for (int k = brume_lowest_plane(field->grid); k <= brume_highest_plane(field->grid); k++) {
        for (int j = 0; j <= field->grid.ny + 1; j++) {
            float *row = field->data + brume_field_index(field, 0, j, k);
            if (brume_any_bits(row, field->grid.nx + 2) == 0) {
                continue;
            }
            const float *mixture = sim->fields[BRUME_FIELD_MIXTURE].data + brume_field_index(field, 0, j, k);
            const float capacity = sim->def.fire.heat_capacity;
            const bool inside = j >= 1 && j <= field->grid.ny && k >= first && k <= last;
            if (!to_heat && inside) {
                fire_rest_row(row + 1, mixture + 1, capacity, heating->data + brume_field_index(heating, 1, j, k),
                              field->grid.nx);
            }
            (to_heat ? fire_heat_row : fire_temperature_row)(row, mixture, capacity, field->grid.nx + 2);
        }
    }
    if (brume_holds(sim, BRUME_VALID_SCALAR_GHOSTS)) {
        brume_exchange_field(field, BRUME_HALO);
    }
}

void brume_hold_heat(BrumeSim *sim)
{
    if (brume_has_fuel(&sim->def)) {
        convert(sim, true);
    }
}

void brume_hold_temperature(BrumeSim *sim)
{
    if (brume_has_fuel(&sim->def)) {
        convert(sim, false);
    }
}

BRUME_KERNEL static void fire_expand_row(float *restrict heat, float *restrict heating, float share, int count)
{
    for (int i = 0; i < count; i++) {
        const float now = share * heating[i];
        heat[i] += BRUME_AMBIENT_TEMPERATURE * now;
        heating[i] -= now;
    }
}

void brume_expand(BrumeSim *sim, double dt)
{
    if (!brume_has_fuel(&sim->def) || !(sim->previous_dt > 0.0)) {
        return;
    }
    assert(sim->holds_heat);
    BrumeField *heat = &sim->fields[BRUME_FIELD_TEMPERATURE];
    BrumeField *heating = &sim->fields[BRUME_FIELD_HEATING];
    const float share = (float)(dt / sim->previous_dt);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(heat->grid); k <= brume_last_plane(heat->grid); k++) {
        for (int j = 1; j <= heat->grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(heat, 1, j, k);
            if (brume_any_bits(heating->data + c, heat->grid.nx) == 0) {
                continue;
            }
            fire_expand_row(heat->data + c, heating->data + c, share, heat->grid.nx);
        }
    }
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
}

BRUME_KERNEL static void fire_subtract_row(float *restrict divergence, const float *gained, const float *temperature,
                                           const float *mixture, float capacity, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float rich = brume_rich(capacity, mixture[i]);
        divergence[i] -= scale * gained[i] * brume_expansion_of(temperature[i], rich);
    }
}

void brume_subtract_expansion(const BrumeSim *sim, float *divergence, ptrdiff_t c, int count, float scale)
{
    if (sim->fields[BRUME_FIELD_HEATING].data) {
        assert(!sim->holds_heat);
        fire_subtract_row(divergence, sim->fields[BRUME_FIELD_HEATING].data + c,
                          sim->fields[BRUME_FIELD_TEMPERATURE].data + c, sim->fields[BRUME_FIELD_MIXTURE].data + c,
                          sim->def.fire.heat_capacity, scale * brume_expansion_speed(sim), count);
    }
}
