/*
 * Settings that change within a frame: between steps they have their values at the present time, and during a step
 * their means over the step. Emitters, whose shapes are swept along their paths, are also known at both its ends.
 */
#include "sim/boundary/boundary.h"
#include "sim/integrators/hooks.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/measures/monitor.h"

#include <string.h>

void brume_sim_set_animation(BrumeSim *sim, BrumeSettingsMean *animate, const void *animation)
{
    sim->animate = animate;
    sim->animation = animation;
}

void brume_animate_settings(BrumeSim *sim, double from, double to)
{
    if (!sim->animate) {
        return;
    }
    const bool viscous = sim->def.viscosity > 0.0f;
    sim->animate(sim->animation, from, to, &sim->def);
    if ((sim->def.viscosity > 0.0f) != viscous) { // air may slip along other bodies than before
        brume_set_velocity_boundary(sim);
        (void)brume_measure_flow(sim);
        brume_invalidate(sim, BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS);
    }
}

void brume_animate_step(BrumeSim *sim, double dt)
{
    if (!sim->animate) {
        return;
    }
    const double times[2] = {sim->time, sim->time + dt};
    for (int end = 0; end < 2; end++) {
        sim->animate(sim->animation, times[end], times[end], &sim->def);
        memcpy(sim->emitters_at[end], sim->def.emitters, sizeof sim->def.emitters);
    }
    brume_animate_settings(sim, times[0], times[1]);
}
