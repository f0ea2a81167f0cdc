/*
 * What an open side breathes in. Air that enters the box has come from the ambient air, which has no more energy than
 * the wind's: by Bernoulli's law the pressure beyond the side is (wind^2 - u^2) / 2 below 0 where it enters with more.
 * With pressure 0 there, every eddy at the side feeds itself, and a plume between open sides gains speed without end
 * (the backflow instability: M. Esmaily Moghadam et al., A comparison of outlet boundary treatments for prevention of
 * backflow divergence, Computational Mechanics 48, 2011).
 */
#include "sim/sim_internal.h"

// the velocity into the box after a step in which that pressure acts; the wind's own stays as it is
static float slowed(float inward, float wind, float dt_per_dx)
{
    const float entering = wind > 0.0f ? wind : 0.0f;
    if (!(inward > entering)) {
        return inward;
    }
    const float half = 0.5f * dt_per_dx;
    return (inward + half * entering * entering) / (1.0f + half * inward); // implicit in one factor: never reversed
}

static void slow_side(BrumeSim *sim, int axis, bool upper, float dt_per_dx)
{
    BrumeField *normal = &sim->fields[axis];
    const int inner = axis == 0 ? 1 : 0;
    const int outer = axis == 2 ? 1 : 2;
    const ptrdiff_t inner_stride = brume_stride(normal, inner);
    const ptrdiff_t outer_stride = brume_stride(normal, outer);
    const int inner_count = brume_cells_along(normal->grid, inner);
    const int outer_count = brume_cells_along(normal->grid, outer);
    const float sign = upper ? -1.0f : 1.0f;
    const float wind = sign * brume_component(sim->def.wind, axis);
    float *side = normal->data + brume_stride(normal, axis) * (upper ? brume_cells_along(normal->grid, axis) + 1 : 1);
#pragma omp parallel for schedule(static)
    for (int b = 1; b <= outer_count; b++) {
        for (int a = 1; a <= inner_count; a++) {
            float *u = side + inner_stride * a + outer_stride * b;
            *u = sign * slowed(sign * *u, wind, dt_per_dx);
        }
    }
}

/** Lets the pressure beyond the open sides act over `dt` [s] on the air that they let in. */
void brume_stabilise_backflow(BrumeSim *sim, float dt)
{
    const float dt_per_dx = dt / sim->def.dx;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        if (sim->geometry->cells.open[side]) {
            slow_side(sim, side / 2, side % 2 == 1, dt_per_dx);
        }
    }
}
