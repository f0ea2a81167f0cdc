/*
 * Combustion of one fuel in one step, with the mass of fuel F, of what was fuel M (the mixture fraction times the
 * density) and of all gas m = T0 / T in a cell, each over the mass of ambient air. One mass of fuel burns with `air`
 * masses of air, so that of the air m - M the part air (M - F) is used, and the mass of fuel that the rest of the air
 * can burn is
 *
 *     B = min(F, (m - M - air (M - F)) / air).
 *
 * The scarcer of both decays exponentially, dB = B (1 - exp(-dt / tau)). With `ignition`, tau is 1 / rate in gas that
 * is hot enough. With `mixing`, it is the time in which the cell mixes (McGrattan et al., FDS Technical Reference
 * Guide, 5.2: the least of the times of diffusion, of subgrid turbulence and of acceleration by buoyancy, of which the
 * first does not matter in cells above a millimeter):
 *
 *     1 / tau = max(sqrt(2 k / 3) / (C_u dx), sqrt(g / (2 dx))),   C_u = 0.4,
 *
 * with the subgrid kinetic energy k = (nu_t / (C_nu dx))^2, C_nu = 0.1, of the eddy viscosity nu_t = (C_s dx)^2 |S| of
 * Smagorinsky with C_s = 0.2, at the rate of strain |S| at the start of the step.
 *
 * In a step no more burns than expands the gas by LARGEST_EXPANSION, so that the transport of the next step leaves gas
 * in the cell.
 *
 * Of the released heat, h dB per mass, flames radiate a stated part, and burned gas that is optically thin radiates
 * 4 kappa sigma (T^4 - T0^4) per volume. Air is transparent: kappa is in proportion to the share of the burned fuel,
 * M - F, in the gas, up to m / (1 + air), where no air is left. The rest heats the gas (heat.h).
 */
#include "sim/fire/combustion.h"

#include "core/domain.h"
#include "core/elementary.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/state/heat.h"

#include <math.h>
#include <string.h>

static const float STEFAN_BOLTZMANN = 5.670374e-11f; // [kW/(m^2 K^4)]
static const float TURBULENT_MIXING = 0.8165f;       // sqrt(2/3) C_s^2 / (C_nu C_u)
static const float LARGEST_EXPANSION = 0.3f;         // of a volume of gas in a step

enum { BURNED, RADIATED, SOOT, SUMS }; // of the fluid cells: masses, and heats as expansions

// what a step needs of the settings
typedef struct Burning {
    const BrumeFireDef *fire;
    float seconds;
    float expansion; // by burning a mass of fuel as of the ambient air
    float buoyant;   // sqrt(g / (2 dx)) [1/s]
    float per_dx;    // [1/m]
    float radiation; // 4 kappa sigma over the enthalpy, times the duration [1/K^4]
} Burning;

// |S| = sqrt(2 S_ij S_ij) in cell c, from the differences of the faces and of the centers around it [1/s]
static float strain_rate(const BrumeField velocity[3], ptrdiff_t c, float per_dx)
{
    float sum = 0.0f;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const ptrdiff_t along = brume_stride(velocity, a);
        const ptrdiff_t across = brume_stride(velocity, b);
        const float *u = velocity[a].data + c;
        const float *v = velocity[b].data + c;
        const float stretch = u[along] - u[0];
        // means of two differences over two cells each
        const float du = (u[across] + u[across + along]) - (u[-across] + u[along - across]);
        const float dv = (v[along] + v[along + across]) - (v[-along] + v[across - along]);
        const float shear = 0.25f * (du + dv);
        sum += 2.0f * stretch * stretch + shear * shear;
    }
    return sqrtf(sum) * per_dx;
}

// the part of the scarcer of fuel and air that burns in a cell
static float burned_part(const BrumeSim *sim, const Burning *burning, ptrdiff_t c, float temperature)
{
    const BrumeFireDef *fire = burning->fire;
    float rate = fire->rate;
    if (fire->model == BRUME_FIRE_MIXING) {
        const float turbulent = TURBULENT_MIXING * strain_rate(sim->previous, c, burning->per_dx);
        rate = brume_fmaxf(turbulent, burning->buoyant);
    } else if (!(temperature >= fire->ignition)) {
        return 0.0f;
    }
    return 1.0f - brume_expf(-rate * burning->seconds);
}

// burns in cell c, and adds to the sums
static void burn_cell(BrumeSim *sim, const Burning *burning, ptrdiff_t c, double sums[SUMS])
{
    const BrumeFireDef *fire = burning->fire;
    const float temperature = sim->fields[BRUME_FIELD_TEMPERATURE].data[c];
    float *fuel = &sim->fields[BRUME_FIELD_FUEL].data[c];
    float *heating = &sim->fields[BRUME_FIELD_HEATING].data[c];
    if (*fuel > 0.0f) {
        const float mixture = sim->fields[BRUME_FIELD_MIXTURE].data[c];
        const float density = brume_relative_density(temperature);
        const float air = density - mixture - fire->air * (mixture - *fuel);
        const float scarcer = brume_fmaxf(brume_fminf(*fuel, air / fire->air), 0.0f);
        const float most = LARGEST_EXPANSION * density / burning->expansion;
        const float burned =
            scarcer > 0.0f ? brume_fminf(scarcer * burned_part(sim, burning, c, temperature), most) : 0.0f;
        const float rest = *fuel - burned;
        const float soot = fire->soot * burned;
        const float heat = burning->expansion * burned;
        sums[BURNED] += (double)*fuel - (double)rest;
        sums[RADIATED] += (double)(fire->radiated * heat);
        sums[SOOT] += (double)soot;
        *fuel = rest;
        *heating += (1.0f - fire->radiated) * heat;
        sim->fields[brume_smoke_id(fire->soot_kind)].data[c] += soot;
    }
    const float burned = sim->fields[BRUME_FIELD_MIXTURE].data[c] - *fuel;
    if (burning->radiation > 0.0f && temperature > 0.0f && burned > 0.0f) {
        // d phi / dt = -(T^4 - T0^4) = -phi rate, which decays by the rate of its start
        const float ambient = BRUME_AMBIENT_TEMPERATURE;
        const float absolute = ambient + temperature;
        const float heat = brume_heat_of(temperature, brume_rich_at(sim, c)) / ambient;
        const float rate = temperature / heat * (absolute + ambient) * (absolute * absolute + ambient * ambient);
        const float richness = brume_fminf(burned * (1.0f + fire->air) / brume_relative_density(temperature), 1.0f);
        const float lost = heat * (1.0f - brume_expf(-burning->radiation * richness * rate)); // as an expansion below 0
        *heating -= lost;
        sums[RADIATED] += (double)lost;
    }
}

static Burning prepare(const BrumeSim *sim, double dt)
{
    const BrumeFireDef *fire = &sim->def.fire;
    return (Burning){
        .fire = fire,
        .seconds = (float)dt,
        .expansion = BRUME_AMBIENT_DENSITY * fire->heat / BRUME_AMBIENT_ENTHALPY,
        .buoyant = sqrtf(brume_length(sim->def.gravity) / (2.0f * sim->def.dx)),
        .per_dx = 1.0f / sim->def.dx,
        .radiation = 4.0f * fire->absorption * STEFAN_BOLTZMANN * (float)dt / BRUME_AMBIENT_ENTHALPY,
    };
}

static void book(BrumeSim *sim, const Burning *burning, const double sums[SUMS])
{
    const double volume = brume_cell_volume(sim);
    const double released = (double)burning->expansion * sums[BURNED];
    const double kelvins = (double)BRUME_AMBIENT_TEMPERATURE * volume;
    brume_budget_add_emitted(sim, BRUME_FIELD_TEMPERATURE, released * kelvins);
    brume_budget_add_dissipated(sim, BRUME_FIELD_TEMPERATURE, sums[RADIATED] * kelvins);
    brume_budget_add_dissipated(sim, BRUME_FIELD_FUEL, sums[BURNED] * volume);
    brume_budget_add_emitted(sim, brume_smoke_id(sim->def.fire.soot_kind), sums[SOOT] * volume);
    sim->fire.released += released * (double)BRUME_AMBIENT_ENTHALPY * volume;
    sim->fire.radiated += sums[RADIATED] * (double)BRUME_AMBIENT_ENTHALPY * volume;
}

void brume_burn(BrumeSim *sim, double dt)
{
    if (!brume_has_fuel(&sim->def)) {
        return;
    }
    const Burning burning = prepare(sim, dt);
    const BrumeGrid grid = sim->geometry->cells.grid;
    const uint8_t *flags = sim->geometry->cells.flags;
    brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[BRUME_FIELD_HEATING]);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        double *plane = sim->planes + BRUME_PLANE_VALUES * k;
        double block[SUMS] = {0.0};
        memset(plane, 0, sizeof block);
        for (int j = 1; j <= grid.ny; j++) {
            if (j % BRUME_SUM_ROWS == 1) {
                brume_move_sums(block, plane, SUMS);
            }
            const ptrdiff_t row = brume_field_index(&sim->fields[0], 0, j, k);
            for (int i = 1; i <= grid.nx; i++) {
                if (flags[row + i] & BRUME_CELL_FLUID) {
                    burn_cell(sim, &burning, row + i, block);
                }
            }
        }
        brume_move_sums(block, plane, SUMS);
    }
    brume_set_scalar_ghosts(sim);
    if (!sim->budgets_on) {
        return;
    }
    double sums[SUMS] = {0.0};
    brume_gather_planes(grid, sim->planes, BRUME_PLANE_VALUES * sizeof *sim->planes);
    for (int k = 1; k <= grid.nz; k++) {
        brume_move_sums(sim->planes + BRUME_PLANE_VALUES * k, sums, SUMS);
    }
    book(sim, &burning, sums);
}
