/**
 * @file heat.h
 * The heat of a gas of low Mach number. At the pressure of the ambient air, density times temperature is the same
 * everywhere, rho T = rho0 T0, and the enthalpy of a volume above that of ambient air is rho0 c_p T0 phi with
 *
 *     phi = 1 - T0 / T = (rho0 - rho) / rho0,   d phi / dt + div (phi u) = div u = q / (rho0 c_p T0),
 *
 * for a heating q [W/m^3] (McGrattan et al., FDS Technical Reference Guide, chapter 3). phi is conserved where nothing
 * heats the gas, so the flux form carries it in place of temperature: the field of temperature holds T0 phi [K],
 * "heat", between brume_hold_heat and brume_hold_temperature. Of small temperatures above ambient it is the
 * temperature.
 *
 * Heat that the gas gets in a step is kept as the expansion that it causes (BRUME_FIELD_EXPANSION). The projection
 * gives the velocity that divergence, and the transport of the next step along it adds the expansion to phi. The
 * density 1 - phi then is carried as mass, and stays positive whatever the heat.
 */
#ifndef BRUME_SIM_STATE_HEAT_H
#define BRUME_SIM_STATE_HEAT_H

#include "core/minmax.h"
#include "sim/state/state.h"

/** The ambient temperature T0 [K]: that of the default thermal expansion, 1 / T0. */
#define BRUME_AMBIENT_TEMPERATURE 300.0f

/** The density of ambient air rho0 at one atmosphere [kg/m^3]. */
#define BRUME_AMBIENT_DENSITY 1.1766f

/** rho0 c_p T0 = gamma / (gamma - 1) p0 with gamma = 1.4, at one atmosphere [kJ/m^3]. */
#define BRUME_AMBIENT_ENTHALPY 354.64f

/** The largest heat that has a temperature [K]; of about 12000 K. */
#define BRUME_LARGEST_HEAT (0.975f * BRUME_AMBIENT_TEMPERATURE)

/** The density over that of ambient air, at a temperature above ambient [K]; below 50 K it does not grow further. */
static inline float brume_relative_density(float temperature)
{
    const float absolute = BRUME_AMBIENT_TEMPERATURE + temperature;
    return BRUME_AMBIENT_TEMPERATURE / (absolute > 50.0f ? absolute : 50.0f);
}

/** The heat [K] of a temperature above ambient [K], and the other way around. */
static inline float brume_heat_of(float temperature) { return temperature * brume_relative_density(temperature); }

static inline float brume_temperature_of(float heat)
{
    const float least = heat < BRUME_LARGEST_HEAT ? heat : BRUME_LARGEST_HEAT;
    return BRUME_AMBIENT_TEMPERATURE * least / (BRUME_AMBIENT_TEMPERATURE - least);
}

/**
 * The mass of fuel that raises `fuel` to `target`, if it is less, as far as the gas has air that it can replace; all
 * over the mass of ambient air. The mixture grows by the same mass.
 */
static inline float brume_fuel_to_add(float target, float fuel, float mixture, float density)
{
    return brume_fmaxf(brume_fminf(target - fuel, density - mixture), 0.0f);
}

/** A temperature of the settings in the form that the field of temperature has at present. */
static inline float brume_held_temperature(const BrumeSim *sim, float temperature)
{
    return sim->holds_heat ? brume_heat_of(temperature) : temperature;
}

/** The value of a scalar beyond a side of the box where the side prescribes one, in the form of the field. */
static inline float brume_side_scalar(const BrumeSim *sim, const BrumeFaceDef *face, BrumeFieldId id)
{
    return id == BRUME_FIELD_TEMPERATURE ? brume_held_temperature(sim, face->temperature)
           : id >= BRUME_FIELD_FUEL      ? 0.0f
                                         : face->smoke[id - BRUME_FIELD_DENSITY];
}

/** Converts the field of temperature, ghosts included; without fuel they do nothing. */
void brume_hold_heat(BrumeSim *sim);
void brume_hold_temperature(BrumeSim *sim);

/**
 * Adds the expansion during `dt` [s] to the heat, which the field must hold, after a transport along the velocity that
 * has it. What is left of it, where the steps differ in length, stays. Without fuel it does nothing.
 */
void brume_expand(BrumeSim *sim, double dt);

/** Subtracts `scale` times the expansion from `count` divergences from entry c on; without fuel it does nothing. */
void brume_subtract_expansion(const BrumeSim *sim, float *divergence, ptrdiff_t c, int count, float scale);

/** The velocity difference across a cell that an expansion of 1 needs in the latest step: dx / dt [m/s]. */
static inline float brume_expansion_speed(const BrumeSim *sim)
{
    return sim->previous_dt > 0.0 ? (float)((double)sim->def.dx / sim->previous_dt) : 0.0f;
}

#endif
