/**
 * @file measures.h
 * Integrals, extrema, fluxes, forces and budgets of a simulation. docs/measures.md defines each of them.
 */
#ifndef BRUME_MEASURES_H
#define BRUME_MEASURES_H

#include "brume/export.h"
#include "brume/sim.h"

#include <stdbool.h>

BRUME_BEGIN_DECLS

/** Scalars of a state: 0 temperature [K above ambient], 1 density, 2 to 4 the color densities [1], 5 fuel, 6 mixture
 * [1].
 */
enum { BRUME_SCALAR_COUNT = 1 + BRUME_SMOKE_KINDS + 2 };

/** The name of a scalar, 0 to BRUME_SCALAR_COUNT - 1: "temperature", "density", "color_1" ... The text is static. */
BRUME_API const char *brume_scalar_name(int scalar);

/** The name of a face of the box: "x_min", "x_max", "y_min" ... The text is static. */
BRUME_API const char *brume_face_name(BrumeFace face);

/**
 * The budget of a scalar since brume_sim_set_budgets [unit of the scalar times m^3]:
 *
 *     total = initial + emitted - dissipated - sum of left - sum of diffused - bodies + changed + unaccounted
 *
 * With a transport scheme in flux form, `left` is the sum of its fluxes, and `unaccounted` is rounding error. Other
 * schemes have no fluxes: `left` is then estimated from the upwind values at the faces at the start of each step, and
 * `unaccounted` is the amount that the scheme added (positive) or lost (negative), with the error of that estimate.
 */
typedef struct BrumeBudget {
    double initial;                    ///< total when the budgets were switched on
    double emitted;                    ///< added by emitters, strokes and hooks, less the amount that strokes erase
    double dissipated;                 ///< removed by exponential decay
    double left[BRUME_FACE_COUNT];     ///< advected out of the box through each face
    double diffused[BRUME_FACE_COUNT]; ///< diffused out of the box through each face
    double bodies;                     ///< removed by bodies: content of covered cells less content of uncovered cells
    double changed;     ///< added by brume_sim_change: bodies that appear, resampling; and by rounding to 16 bits
    double unaccounted; ///< total less the sum of the others; only in BrumeMeasures
} BrumeBudget;

/**
 * Integral and extrema of a scalar over the cells outside bodies. With fuel, the amounts of temperature are those of
 * heat over the heat capacity of a volume of ambient air: the total is the integral of T0 (T - T0) / T and of T0 times
 * the expansion that is still to come.
 */
typedef struct BrumeScalarMeasures {
    bool in_use;        ///< the others are 0 where it is not
    double total;       ///< [unit m^3]
    double min, max;    ///< [unit]
    BrumeBudget budget; ///< all zero where the budgets are off
} BrumeScalarMeasures;

/** The heat of combustion since brume_sim_set_budgets, which have to be on [kJ]. */
typedef struct BrumeFireMeasures {
    double released; ///< by the fuel that has burned
    double radiated; ///< of that, by flames and hot gas
} BrumeFireMeasures;

/** Fluxes through one face of the box; all of them are positive out of the box. */
typedef struct BrumeFaceMeasures {
    double volume_flux;   ///< [m^3/s]
    double advected_heat; ///< with the temperature upwind of the face [K m^3/s]
    double diffused_heat; ///< thermal diffusivity times the temperature gradient on the face [K m^3/s]
    /**
     * For two opposite walls that are held at different temperatures: mean diffused heat per area over the heat of pure
     * conduction between them, diffusivity times temperature difference over their distance [1]; positive where heat
     * flows from the warmer to the colder wall. NaN for other faces and without thermal diffusivity.
     */
    double nusselt;
} BrumeFaceMeasures;

/**
 * The force of the air on a body, divided by the density of the air [m^4/s^2], and its torque about the pivot of the
 * body's shape, likewise [m^5/s^2].
 */
typedef struct BrumeBodyForce {
    double pressure[3]; ///< of the kinematic pressure of the cells at its surface
    double viscous[3];  ///< momentum that the discrete viscous term transports into its surface; 0 without viscosity
    double pressure_torque[3];
    double viscous_torque[3]; ///< of the whole viscous stress, which acts on the surface of a turning body too
} BrumeBodyForce;

/**
 * Measures of one state. Kinetic energy and momentum give each face of a cell half of the cell's volume, enstrophy
 * gives each edge of a cell a quarter, so that the parts of faces and edges in bodies and beyond the box do not
 * count. All densities of mass are 1: energies and forces are per density of the air.
 */
typedef struct BrumeMeasures {
    int frame;     ///< number of finished frames
    double time;   ///< [s]
    double volume; ///< of the cells outside bodies [m^3]

    BrumeScalarMeasures scalars[BRUME_SCALAR_COUNT];

    double kinetic_energy;          ///< integral of |u|^2 / 2 [m^5/s^2]
    double kinetic_energy_along[3]; ///< the part of each velocity component
    double mean_kinetic_energy;     ///< kinetic energy over volume [m^2/s^2]
    /**
     * Integral of |omega|^2 / 2 with the vorticity on the edges of the cells, from differences of the adjacent faces
     * [m^3/s^2]. In a box of periodic sides and walls at rest, without bodies, 2 viscosity * enstrophy is the rate
     * at which the discrete viscous term dissipates the kinetic energy of a velocity that is free of divergence.
     */
    double enstrophy;
    double max_speed;      ///< largest |u| of a cell, from the means of its faces [m/s]
    double max_divergence; ///< largest |div u| of a cell [1/s]
    double momentum[3];    ///< integral of u [m^4/s]

    BrumeFireMeasures fire;
    BrumeFaceMeasures faces[BRUME_FACE_COUNT];
    int body_count;
    BrumeBodyForce bodies[BRUME_MAX_BODIES];
} BrumeMeasures;

/**
 * Measures the present state. All sums are in double precision and of fixed order, one partial sum for each z-plane, so
 * that the digits do not depend on the number of threads. Nothing is allocated.
 *
 * The simulation is not const, because the ghosts of fields that the program has written are set first, and because its
 * work memory is used; the next steps compute the same bits as without the call. Not from inside a hook.
 */
BRUME_API void brume_sim_measure(BrumeSim *sim, BrumeMeasures *measures);

/**
 * Switches the budgets on, which sets all of them to zero and `initial` to the present totals, or off (the default).
 * While they are on, a step takes some percent longer, most of it for sums of the quantities that decay. They are part
 * of the saved state, and do not change the results of steps. Values that the program writes between steps with
 * brume_sim_write_field is not booked and appears in `unaccounted`; the hooks are booked as emitted.
 */
BRUME_API void brume_sim_set_budgets(BrumeSim *sim, bool on);

BRUME_END_DECLS

#endif
