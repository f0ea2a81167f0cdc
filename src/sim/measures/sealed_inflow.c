#include "sim/measures/sealed_inflow.h"

#include "core/domain.h"
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

// the cells at a face of the box
static BrumeIndexBox cells_at(BrumeGrid grid, BrumeFace face)
{
    BrumeIndexBox box = {{1, 1, 1}, {grid.nx, grid.ny, grid.nz}};
    const int axis = (int)face / 2;
    box.from[axis] = box.to[axis] = face % 2 != 0 ? brume_cells_along(grid, axis) : 1;
    return box;
}

// the velocities on a face of the box, cell by cell; NULL without memory
static float *velocities_on(const BrumeSim *sim, BrumeFace face)
{
    const BrumeField *field = &sim->fields[(int)face / 2];
    const BrumeIndexBox box = cells_at(field->grid, face);
    const size_t most = brume_grid_cells(field->grid) / (size_t)brume_cells_along(field->grid, (int)face / 2);
    int32_t *entries = brume_alloc(most, sizeof *entries);
    float *velocities = brume_alloc(most, sizeof *velocities);
    const ptrdiff_t to_face = face % 2 != 0 ? brume_stride(field, (int)face / 2) : 0;
    ptrdiff_t count = 0;
    for (int k = box.from[2]; entries && velocities && k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                entries[count++] = (int32_t)(brume_field_index(field, i, j, k) + to_face);
            }
        }
    }
    if (count > 0) {
        brume_gather_entries(field, entries, count, velocities);
    }
    brume_free(entries);
    return velocities;
}

// adds the flux through the cells of one inflow face
static void add_face(const BrumeSim *sim, const BrumeComponents *components, BrumeFace face, EnclosedFlux *fluxes)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const int axis = (int)face / 2;
    const bool is_upper = face % 2 != 0;
    const BrumeIndexBox box = cells_at(cells->grid, face);
    const double area = (double)sim->def.dx * (double)sim->def.dx;
    float *velocities = velocities_on(sim, face);
    ptrdiff_t n = 0;
    for (int k = box.from[2]; velocities && k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++, n++) {
                const int component = brume_components_find(components, i, j, k);
                if (component < 0) {
                    continue;
                }
                const ptrdiff_t c = brume_field_index(&sim->fields[axis], i, j, k) +
                                    (is_upper ? brume_stride(&sim->fields[axis], axis) : 0);
                const double velocity = (double)velocities[n] * (double)brume_open_fraction(cells, axis, c);
                EnclosedFlux *flux = &fluxes[component];
                flux->face = flux->gross > 0.0 ? flux->face : face;
                flux->net += (is_upper ? -velocity : velocity) * area;
                flux->gross += fabs(velocity) * area;
            }
        }
    }
    brume_free(velocities);
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
