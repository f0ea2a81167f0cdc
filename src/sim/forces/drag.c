/*
 * Drag and friction relative to the ambient wind: air of the speed v, less the wind, is decelerated by
 *
 *     a v^2 + b v + c,     a = quadratic_drag, b = drag, c = dry_friction
 *
 * (the friction of West, Practical Fluid Dynamics, 2008). The three terms act one after the other, each exactly over
 * the step, and none reverses the velocity:
 *
 *     v exp(-b dt),     v / (1 + a v dt),     max(v - c dt, 0).
 *
 * The speed at a face has the other two components from the means of their four faces around it.
 */
#include "core/domain.h"
#include "core/elementary.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <math.h>

BRUME_KERNEL static void relax_row(float *restrict velocity, float wind, float decay, int count)
{
    for (int i = 0; i < count; i++) {
        velocity[i] = wind + decay * (velocity[i] - wind);
    }
}

static void add_linear(BrumeSim *sim, double dt)
{
    const float decay = (float)brume_exp(-(double)sim->def.drag * dt);
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &sim->fields[axis];
        const BrumeGrid grid = velocity->grid;
        const float wind = brume_component(sim->def.wind, axis);
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                relax_row(velocity->data + brume_field_index(velocity, 1, j, k), wind, decay, grid.nx + 1);
            }
        }
    }
}

// the mean of the four faces across another axis around a face across `axis`, less the wind
static inline float mean_of_four(const float *other, ptrdiff_t back, ptrdiff_t next, float wind)
{
    return 0.25f * ((other[0] + other[next]) + (other[-back] + other[next - back])) - wind;
}

// the quadratic and the constant term of one component, from the velocity `u` into `result`
static void add_friction(const BrumeSim *sim, const BrumeField u[3], int axis, float dt, BrumeField *result)
{
    const BrumeGrid grid = result->grid;
    const int a = (axis + 1) % 3;
    const int b = (axis + 2) % 3;
    const float wind[3] = {sim->def.wind.x, sim->def.wind.y, sim->def.wind.z};
    const float quadratic = sim->def.quadratic_drag * dt;
    const float dry = sim->def.dry_friction * dt;
    const ptrdiff_t back = brume_stride(result, axis);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, 1); k <= brume_planes_to(grid, grid.nz + (axis == 2)); k++) {
        for (int j = 1; j <= grid.ny + (axis == 1); j++) {
            for (int i = 1; i <= grid.nx + (axis == 0); i++) {
                const ptrdiff_t c = brume_field_index(result, i, j, k);
                const float along = u[axis].data[c] - wind[axis];
                const float across_a = mean_of_four(u[a].data + c, back, brume_stride(result, a), wind[a]);
                const float across_b = mean_of_four(u[b].data + c, back, brume_stride(result, b), wind[b]);
                const float speed = sqrtf(along * along + across_a * across_a + across_b * across_b);
                const float slower = brume_max_float(speed / (1.0f + quadratic * speed) - dry, 0.0f);
                result->data[c] = speed > 0.0f ? wind[axis] + along * (slower / speed) : u[axis].data[c];
            }
        }
    }
}

bool brume_has_drag(const BrumeSimDef *def)
{
    return def->drag > 0.0f || def->quadratic_drag > 0.0f || def->dry_friction > 0.0f;
}

void brume_add_drag(BrumeSim *sim, double dt)
{
    if (sim->def.drag > 0.0f) {
        add_linear(sim, dt);
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    }
    if (sim->def.quadratic_drag > 0.0f || sim->def.dry_friction > 0.0f) {
        brume_set_velocity_boundary(sim);
        for (int axis = 0; axis < 3; axis++) {
            add_friction(sim, sim->fields, axis, (float)dt, &sim->scratch[axis]);
        }
        for (int axis = 0; axis < 3; axis++) {
            brume_field_swap(&sim->fields[axis], &sim->scratch[axis]);
        }
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    }
}
