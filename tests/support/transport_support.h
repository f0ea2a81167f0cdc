/*
 * Prescribed velocities for the tests and benchmarks of transport.
 */
#ifndef BRUME_TESTS_SUPPORT_TRANSPORT_SUPPORT_H
#define BRUME_TESTS_SUPPORT_TRANSPORT_SUPPORT_H

#include "core/random.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <math.h>

/* Component `axis` of a vector potential at a point, in units of the box [m^2/s]. */
typedef double Potential(int axis, const double at[3], const void *context);

/*
 * Sets the state's velocity to the curl of a potential, as differences of its values at the edges of the cells: free of
 * divergence to rounding. Sides and bodies are not changed.
 */
static inline void set_curl(BrumeSim *sim, Potential *potential, const void *context)
{
    const BrumeGrid grid = sim->fields[0].grid;
    const double dx = (double)sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3;
        const int c = (axis + 2) % 3;
        for (int k = 1; k <= grid.nz + (axis == 2); k++) {
            for (int j = 1; j <= grid.ny + (axis == 1); j++) {
                for (int i = 1; i <= grid.nx + (axis == 0); i++) {
                    const int index[3] = {i, j, k};
                    double face[3]; // center of the face [m]
                    for (int n = 0; n < 3; n++) {
                        face[n] = (index[n] - (n == axis ? 1.0 : 0.5)) * dx;
                    }
                    double circulation = 0.0; // per dx
                    for (int side = -1; side <= 1; side += 2) {
                        double edge[3] = {face[0], face[1], face[2]};
                        edge[b] += 0.5 * side * dx;
                        circulation += side * potential(c, edge, context);
                        edge[b] = face[b];
                        edge[c] += 0.5 * side * dx;
                        circulation -= side * potential(b, edge, context);
                    }
                    sim->fields[axis].data[brume_field_index(&sim->fields[axis], i, j, k)] = (float)(circulation / dx);
                }
            }
        }
        brume_set_boundary(sim, (BrumeFieldId)axis, &sim->fields[axis]);
    }
    brume_establish(sim, BRUME_VALID_VELOCITY);
}

static const double transport_pi = 3.14159265358979323846;

/* Random modes that vanish on the sides of a box, for a flow between walls; the context is a seed. */
static inline double random_potential(int axis, const double at[3], const void *context)
{
    const uint32_t seed = *(const uint32_t *)context;
    double sum = 0.0;
    for (uint32_t mode = 0; mode < 3; mode++) {
        double product = 1.0;
        for (uint32_t n = 0; n < 3; n++) {
            const uint32_t key = (seed * 3 + (uint32_t)axis) * 9 + mode * 3 + n;
            product *= sin(transport_pi * (1.0 + (double)(key * 2654435761u >> 30)) * at[n]);
        }
        sum += product;
    }
    return sum;
}

/* Scales the velocity so that its largest component moves by `cells` in a step of `dt` [s]. */
static inline void scale_velocity(BrumeSim *sim, double cells, double dt)
{
    const BrumeCourantBounds bounds = brume_measure_courant(sim, sim->fields, NULL);
    const float scale = (float)(cells * (double)sim->def.dx / (dt * (double)bounds.speed));
    for (int axis = 0; axis < 3; axis++) {
        const size_t entries = brume_grid_entries(sim->fields[axis].grid);
        for (size_t n = 0; n < entries; n++) {
            sim->fields[axis].data[n] *= scale;
        }
    }
}

/* One step of transport along the state's velocity, which stays as it is. */
static inline void transport_step(BrumeSim *sim, double dt)
{
    brume_transport_scalars(sim, sim->fields, dt);
    sim->steps++;
}

#endif
