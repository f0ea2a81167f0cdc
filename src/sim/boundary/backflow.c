/*
 * Backflow stabilization at open sides (M. Esmaily Moghadam et al., A comparison of outlet boundary treatments for
 * prevention of backflow divergence, Computational Mechanics 48, 2011). Air that enters through an open side comes from
 * the ambient air, which moves with the wind. By Bernoulli's law, air that enters with normal velocity u faster than
 * the wind has the pressure (wind^2 - u^2) / 2, which is below the 0 that the projection prescribes. If pressure 0
 * acted on it, each eddy that crosses the side would gain energy, and the speed of a plume between open sides would
 * grow without bound.
 */
#include "core/domain.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

// the velocity into the box after that pressure has acted for a step; not changed up to the wind's own velocity
static float stabilized(float inward, float wind, float dt_per_dx)
{
    const float entering = wind > 0.0f ? wind : 0.0f;
    if (!(inward > entering)) {
        return inward;
    }
    const float half = 0.5f * dt_per_dx;
    return (inward + half * entering * entering) / (1.0f + half * inward); // semi-implicit in u: the sign cannot change
}

static void stabilize_side(BrumeSim *sim, int axis, bool upper, float dt_per_dx, const BrumeBlockSet *blocks)
{
    BrumeField *normal = &sim->fields[axis];
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t inner_stride = brume_stride(normal, inner);
    const ptrdiff_t outer_stride = brume_stride(normal, outer);
    const int inner_count = brume_cells_along(normal->grid, inner);
    const int on_side = upper ? brume_cells_along(normal->grid, axis) + 1 : 1;
    int from = 1;
    int to = brume_cells_along(normal->grid, outer);
    if (axis < 2) { // the outer lines are planes along z
        from = brume_planes_from(normal->grid, from);
        to = brume_planes_to(normal->grid, to);
    } else if (!brume_has_plane(normal->grid, on_side)) {
        return;
    }
    const float sign = upper ? -1.0f : 1.0f;
    const float wind = sign * brume_component(sim->def.wind, axis);
    float *side = normal->data + brume_stride(normal, axis) * on_side;
#pragma omp parallel for schedule(static)
    for (int b = from; b <= to; b++) {
        int index[3] = {0};
        index[axis] = on_side;
        for (int a = 1; a <= inner_count; a++) {
            index[inner] = a;
            index[outer] = b;
            if (!brume_is_in_blocks(blocks, normal->grid, index)) {
                continue;
            }
            float *u = side + inner_stride * a + outer_stride * b;
            *u = sign * stabilized(sign * *u, wind, dt_per_dx);
        }
    }
}

void brume_stabilize_backflow(BrumeSim *sim, float dt, const BrumeBlockSet *blocks)
{
    const float dt_per_dx = dt / sim->def.dx;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        if (sim->geometry->cells.open[side]) {
            brume_invalidate(sim, BRUME_VALID_VELOCITY_GHOSTS | BRUME_VALID_MAX_SPEED);
            stabilize_side(sim, side / 2, side % 2 == 1, dt_per_dx, blocks);
        }
    }
}
