#include "sim/measures/sealed_inflow.h"

#include "core/elementary.h"
#include "core/field.h"
#include "core/memory.h"
#include "sim/boundary/geometry.h"
#include "sim/pressure/poisson/components.h"
#include "sim/state/state.h"

#include <math.h>

/** The flux through inflows into one component of the air without an open face. */
typedef struct EnclosedFlux {
    double net, gross; ///< [m^3/s]
    BrumeFace face;    ///< the first inflow
} EnclosedFlux;

// adds the flux through the cells of one inflow face
static void add_face(const BrumeSim *sim, const BrumeComponents *components, BrumeFace face, EnclosedFlux *fluxes)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const int axis = (int)face / 2;
    const bool is_upper = face % 2 != 0;
    const int size[3] = {cells->grid.nx, cells->grid.ny, cells->grid.nz};
    int from[3] = {1, 1, 1};
    int to[3] = {size[0], size[1], size[2]};
    from[axis] = to[axis] = is_upper ? size[axis] : 1;
    const double area = (double)sim->def.dx * (double)sim->def.dx;
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            for (int i = from[0]; i <= to[0]; i++) {
                const int component = brume_components_find(components, i, j, k);
                if (component < 0) {
                    continue;
                }
                const int entry[3] = {i + (is_upper && axis == 0), j + (is_upper && axis == 1),
                                      k + (is_upper && axis == 2)};
                const ptrdiff_t c = brume_field_index(&sim->fields[axis], entry[0], entry[1], entry[2]);
                const double velocity = (double)sim->fields[axis].data[c] * (double)brume_open_fraction(cells, axis, c);
                EnclosedFlux *flux = &fluxes[component];
                flux->face = flux->gross > 0.0 ? flux->face : face;
                flux->net += (is_upper ? -velocity : velocity) * area;
                flux->gross += fabs(velocity) * area;
            }
        }
    }
}

static void fill_description(const BrumeSim *sim, const BrumeComponents *components, int component,
                             BrumeSealedInflow *found)
{
    int first[3] = {sim->def.nx, sim->def.ny, sim->def.nz};
    int last[3] = {0, 0, 0};
    double cells = 0.0;
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        if (run->component != component) {
            continue;
        }
        cells += run->last - run->first + 1;
        const int from[3] = {run->first, run->j, run->k};
        const int to[3] = {run->last, run->j, run->k};
        for (int axis = 0; axis < 3; axis++) {
            first[axis] = from[axis] < first[axis] ? from[axis] : first[axis];
            last[axis] = to[axis] > last[axis] ? to[axis] : last[axis];
        }
    }
    const float dx = sim->def.dx;
    const BrumeVec3 origin = sim->def.origin;
    found->volume = cells * brume_pow((double)dx, 3.0);
    found->lower = (BrumeVec3){origin.x + (float)(first[0] - 1) * dx, origin.y + (float)(first[1] - 1) * dx,
                               origin.z + (float)(first[2] - 1) * dx};
    found->upper =
        (BrumeVec3){origin.x + (float)last[0] * dx, origin.y + (float)last[1] * dx, origin.z + (float)last[2] * dx};
}

bool brume_find_sealed_inflow(const BrumeSim *sim, BrumeSealedInflow *found)
{
    const BrumeComponents *components = brume_pressure_components(sim->geometry->pressure);
    EnclosedFlux *fluxes = components->count > 0 ? brume_alloc((size_t)components->count, sizeof *fluxes) : NULL;
    if (!fluxes) {
        return false;
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (sim->def.faces[face].kind == BRUME_INFLOW) {
            add_face(sim, components, (BrumeFace)face, fluxes);
        }
    }
    bool is_found = false;
    for (int n = 0; n < components->count && !is_found; n++) {
        is_found = fabs(fluxes[n].net) > 1e-3 * fluxes[n].gross; // rounding of profiles is smaller
        if (is_found) {
            *found = (BrumeSealedInflow){.face = fluxes[n].face, .flux = fluxes[n].net};
            fill_description(sim, components, n, found);
        }
    }
    brume_free(fluxes);
    return is_found;
}
