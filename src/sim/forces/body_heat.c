/*
 * Heat from the surfaces of bodies with a `heat_flux`. The faces between air and solid cells have more area than the
 * surface: along each axis they have the projection of the surface, |n_axis| times its area. So a face counts |n_axis|
 * of its area, by which the faces together have that of the surface: the sum of n_axis^2 is 1. The normal n is that of
 * the distance to the body, in the center of the cell of air.
 */
#include "sim/forces/body_heat.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/sums.h"

static bool emits_heat(const BrumeBodyDef *body)
{
    return brume_body_is_solid(body) && !body->fixed_temperature && body->heat_flux != 0.0f;
}

// the heat that the cell of air c gets from the bodies at its faces [K m/s, of a whole face]
static double flux_into(const BrumeSim *sim, const BrumeSimDef *placed, const int index[3], ptrdiff_t c)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    BrumeVec3 normal = {0.0f, 0.0f, 0.0f};
    int id = 0; // of the body that has the normal
    double flux = 0.0;
    for (int face = 0; face < 6; face++) {
        const int owner = cells->body_ids[c + (face % 2 == 0 ? -strides[face / 2] : strides[face / 2])];
        const BrumeBodyDef *body = owner > 0 ? &placed->bodies[owner - 1] : NULL;
        if (!body || !emits_heat(body)) {
            continue;
        }
        if (owner != id) {
            normal = brume_shape_direction(&body->shape, brume_cell_center(placed, index[0], index[1], index[2]),
                                           0.25f * placed->dx);
            id = owner;
        }
        flux += (double)fabsf(brume_component(normal, face / 2)) * (double)body->heat_flux;
    }
    return flux;
}

static bool has_heat_flux(const BrumeSim *sim)
{
    bool found = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        found = found || emits_heat(&sim->def.bodies[n]);
    }
    return found && sim->geometry->cells.bodies;
}

double brume_add_body_heat(const BrumeSim *sim, BrumeField *x, double dt)
{
    if (!has_heat_flux(sim)) {
        return 0.0;
    }
    const BrumeSimDef present = brume_deformed_settings(sim->deformed, &sim->def, sim->deformed_time.now);
    const BrumeSimDef placed = brume_placed_bodies(&present);
    const double rise_by_flux = dt / (double)sim->def.dx;
    const uint8_t *flags = sim->geometry->cells.flags;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= x->grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= x->grid.ny; j++) {
            for (int i = 1; i <= x->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(x, i, j, k);
                // a cell with six open faces has no body beside it
                if ((flags[c] & BRUME_CELL_FLUID) && (flags[c] & BRUME_CELL_FACES) != BRUME_CELL_FACES) {
                    const double rise = flux_into(sim, &placed, (const int[]){i, j, k}, c) * rise_by_flux; // [K]
                    x->data[c] += (float)rise;
                    sum += rise;
                }
            }
        }
        sim->planes[k] = sum;
    }
    return brume_sum_planes(sim->planes, x->grid.nz);
}
