/**
 * @file heat.h
 * The heat of a gas of low Mach number. At the pressure of the ambient air, density times temperature is the same
 * everywhere, rho T = rho0 T0. With t = (T - T0) / T0, the gas has the heat capacity
 *
 *     c_p = c_p0 (1 + S t) (1 + r Z),   S = 0.055,
 *
 * of which the first factor is that of air from 300 to 1800 K within 1.2 % (Incropera and DeWitt, Fundamentals of Heat
 * and Mass Transfer, table A.4), Z is the part of its mass that is fuel or was fuel, and r = `fire.heat_capacity`. With
 * the mass M = Z rho / rho0 of the mixture, the enthalpy of a volume above that of ambient air is rho0 c_p0 T0 phi with
 *
 *     phi = (t + S t^2 / 2) (1 / (1 + t) + r M),
 *     d phi / dt + div (phi u) = q / (rho0 c_p0 T0),   div u = q / (rho c_p T) = (q / (rho0 c_p0 T0)) e,
 *     e = 1 / ((1 + S t) (1 + (1 + t) r M)),
 *
 * for a heating q [W/m^3] (McGrattan et al., FDS Technical Reference Guide, chapter 3). phi is conserved where nothing
 * heats the gas, so the flux form carries it in place of temperature: the field of temperature holds T0 phi [K],
 * "heat", between brume_hold_heat and brume_hold_temperature. Of small temperatures above ambient it is the
 * temperature. Where gases of different temperature mix, div u leaves out the expansion because c_p varies, up to 4.5 %
 * of the volume for equal volumes of 1500 and 300 K.
 *
 * The heat that the gas gets in a step over rho0 c_p0 T0 is kept (BRUME_FIELD_HEATING). The projection gives the
 * velocity the divergence that belongs to it, and the transport of the next step along this velocity adds it to phi.
 */
#ifndef BRUME_SIM_STATE_HEAT_H
#define BRUME_SIM_STATE_HEAT_H

#include "core/minmax.h"
#include "sim/state/state.h"

#include <math.h>

/** The ambient temperature T0 [K]: that of the default thermal expansion, 1 / T0. */
#define BRUME_AMBIENT_TEMPERATURE 300.0f

/** The density of ambient air rho0 at one atmosphere [kg/m^3]. */
#define BRUME_AMBIENT_DENSITY 1.1766f

/** rho0 c_p0 T0 = gamma / (gamma - 1) p0 with gamma = 1.4, at one atmosphere [kJ/m^3]. */
#define BRUME_AMBIENT_ENTHALPY 354.64f

/** How the heat capacity of air grows with the temperature, S. */
#define BRUME_CAPACITY_SLOPE 0.055f

/** The largest temperature above ambient [K]. */
#define BRUME_LARGEST_TEMPERATURE 11700.0f

/** The temperature above ambient [K] below which emitters do not cool, and the density does not grow. */
#define BRUME_LEAST_TEMPERATURE (-250.0f)

/** The density over that of ambient air, at a temperature above ambient [K]. */
static inline float brume_relative_density(float temperature)
{
    return BRUME_AMBIENT_TEMPERATURE / (BRUME_AMBIENT_TEMPERATURE + brume_fmaxf(temperature, BRUME_LEAST_TEMPERATURE));
}

/** What the mixture adds to the heat capacity of a volume, r M. */
static inline float brume_rich(float heat_capacity, float mixture)
{
    return heat_capacity * brume_fmaxf(mixture, 0.0f);
}

/** The same of cell c. */
static inline float brume_rich_at(const BrumeSim *sim, ptrdiff_t c)
{
    return brume_rich(sim->def.fire.heat_capacity, sim->fields[BRUME_FIELD_MIXTURE].data[c]);
}

/** The heat [K] of a temperature above ambient [K] in gas with r M = `rich`. */
static inline float brume_heat_of(float temperature, float rich)
{
    const float t = temperature / BRUME_AMBIENT_TEMPERATURE;
    return temperature * (1.0f + 0.5f * BRUME_CAPACITY_SLOPE * t) * (brume_relative_density(temperature) + rich);
}

/** The expansion by a heating over that of ambient air, e. */
static inline float brume_expansion_of(float temperature, float rich)
{
    const float t = temperature / BRUME_AMBIENT_TEMPERATURE;
    return 1.0f / ((1.0f + BRUME_CAPACITY_SLOPE * t) * (1.0f + (1.0f + t) * rich));
}

/**
 * The temperature that has a heat, by Newton's method for the cubic equation of t from the root of its terms up to the
 * second; where they have none, from their minimum. Below the least temperature the equation is of second order.
 */
static inline float brume_temperature_of(float heat, float rich)
{
    enum { ITERATIONS = 3 };
    const float half = 0.5f * BRUME_CAPACITY_SLOPE;
    const float phi = heat / BRUME_AMBIENT_TEMPERATURE;
    // ((a t + b) t + c) t = phi
    const float a = half * rich;
    const float b = rich + half * (1.0f + rich);
    const float c = 1.0f + rich - phi;
    const float square = c * c + 4.0f * b * phi;
    float t = 2.0f * phi / (c + sqrtf(square > 0.0f ? square : 0.0f));
    for (int n = 0; n < ITERATIONS; n++) {
        t -= (((a * t + b) * t + c) * t - phi) / ((3.0f * a * t + 2.0f * b) * t + c);
    }
    const float mass = brume_relative_density(BRUME_LEAST_TEMPERATURE) + rich;
    const float cold_square = 1.0f + 4.0f * half * phi / mass; // (half t + 1) t = phi / mass
    const float cold = 2.0f * phi / (mass * (1.0f + sqrtf(cold_square > 0.0f ? cold_square : 0.0f)));
    return heat < brume_heat_of(BRUME_LEAST_TEMPERATURE, rich) ? BRUME_AMBIENT_TEMPERATURE * cold
                                                               : BRUME_AMBIENT_TEMPERATURE * t;
}

/**
 * The mass of fuel that raises `fuel` to `target`, if it is less, as far as the gas has air that it can replace; all
 * over the mass of ambient air. The mixture grows by the same mass.
 */
static inline float brume_fuel_to_add(float target, float fuel, float mixture, float density)
{
    return brume_fmaxf(brume_fminf(target - fuel, density - mixture), 0.0f);
}

/** A temperature of the settings in the form that the field of temperature has at present, of air without fuel. */
static inline float brume_held_temperature(const BrumeSim *sim, float temperature)
{
    return sim->holds_heat ? brume_heat_of(temperature, 0.0f) : temperature;
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
 * Adds the heat that the gas got during `dt` [s] to the field, which must hold heat, after a transport along the
 * velocity that has its expansion. What is left of it, where the steps differ in length, stays. Without fuel it does
 * nothing.
 */
void brume_expand(BrumeSim *sim, double dt);

/**
 * Subtracts `scale` times the expansion by that heat from `count` divergences from entry c on. The field must hold
 * temperature. Without fuel it does nothing.
 */
void brume_subtract_expansion(const BrumeSim *sim, float *divergence, ptrdiff_t c, int count, float scale);

/** The velocity difference across a cell that an expansion of 1 needs in the latest step: dx / dt [m/s]. */
static inline float brume_expansion_speed(const BrumeSim *sim)
{
    return sim->previous_dt > 0.0 ? (float)((double)sim->def.dx / sim->previous_dt) : 0.0f;
}

#endif
