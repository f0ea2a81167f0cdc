/*
 * Fluxes through the faces of the box. The heat that diffuses through a face follows from the discrete diffusion: the
 * difference between a cell and its ghost by the rules of diffusion, over dx, times the diffusivity. At a held wall
 * that ghost is the mirrored value, so that this is the one-sided difference between the wall and the center of the
 * cell.
 */
#include "core/field.h"
#include "sim/boundary/boundary.h"
#include "sim/grid/cells.h"
#include "sim/measures/measures_internal.h"
#include "sim/measures/sums.h"

#include <math.h>

const char *brume_face_name(BrumeFace face)
{
    static const char *const names[BRUME_FACE_COUNT] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    return names[face];
}

static bool is_held(const BrumeFaceDef *face) { return face->kind == BRUME_WALL && face->fixed_temperature; }

// `outward` is the mean flux out of the box per area [K m/s]
static double nusselt_number(const BrumeSimDef *def, int face, double outward)
{
    const BrumeGrid grid = brume_settings_grid(def);
    const BrumeFaceDef *here = &def->faces[face];
    const BrumeFaceDef *opposite = &def->faces[face ^ 1];
    const double difference = (double)opposite->temperature - (double)here->temperature;
    if (!is_held(here) || !is_held(opposite) || difference == 0.0 || !(def->thermal_diffusivity > 0.0f)) {
        return (double)NAN;
    }
    const double distance = (double)def->dx * brume_cells_along(grid, face / 2);
    // heat leaves through the colder wall
    return outward * distance / ((double)def->thermal_diffusivity * difference);
}

static void measure_flow(const BrumeSim *sim, int face, BrumeFaceMeasures *own)
{
    const double area = (double)sim->def.dx * (double)sim->def.dx; // of the face of a cell
    const BrumeSideSums sums =
        brume_sum_side(sim, (BrumeFace)face, &sim->fields[BRUME_FIELD_TEMPERATURE], &sim->fields[face / 2]);
    own->volume_flux = sums.outflow * area;
    own->advected_heat = sums.advected * area;
}

// `temperature` has the ghosts of diffusion
static void measure_diffusion(const BrumeSim *sim, int face, const BrumeField *temperature, BrumeFaceMeasures *own)
{
    const double dx = (double)sim->def.dx;
    const BrumeFaceDef *def = &sim->def.faces[face];
    const BrumeSideSums sums = brume_sum_side(sim, (BrumeFace)face, temperature, &sim->fields[face / 2]);
    const bool given = def->kind == BRUME_WALL && !def->fixed_temperature;
    const double flux = given ? -(double)def->heat_flux * sums.faces
                              : (double)sim->def.thermal_diffusivity * sums.difference / dx; // [K m/s], summed
    own->diffused_heat = flux * dx * dx;
    own->nusselt = nusselt_number(&sim->def, face, sums.faces > 0.0 ? flux / sums.faces : 0.0);
}

// The ghosts of diffusion are set in a copy: the state's ghosts at open sides depend on the velocity before the last
// projection, so that they could not be restored.
void brume_measure_faces(BrumeSim *sim, BrumeMeasures *measures)
{
    BrumeField *temperature = &sim->scratch[0];
    brume_field_copy(temperature, &sim->fields[BRUME_FIELD_TEMPERATURE]);
    brume_set_diffusion_sides(sim, BRUME_FIELD_TEMPERATURE, temperature);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        measure_flow(sim, face, &measures->faces[face]);
        measure_diffusion(sim, face, temperature, &measures->faces[face]);
    }
}
