#include "viewer/panel/parameters.h"

#include "viewer/controls/controls.h"

#include <string.h>

static const char *tone_name(int n) { return n == 0 ? "filmic" : n == 1 ? "linear" : NULL; }

static const char *order_name(int n) { return n == 0 ? "2" : n == 1 ? "3" : NULL; }

#define SIM(member) offsetof(BrumeSimDef, member)
static const BrumeParameter time_knobs[] = {
    {BRUME_PARAMETER_PERIOD, true, "frame", "ms", SIM(fps), 1.0f, 200.0f, NULL,
     "Simulated time of a frame; one frame is one picture of a recording."},
    {BRUME_PARAMETER_INT, false, "min steps", "", SIM(min_steps), 1.0f, 16.0f, NULL,
     "Least steps that a frame is cut into."},
    {BRUME_PARAMETER_INT, true, "max steps", "", SIM(max_steps), 1.0f, 64.0f, NULL,
     "Most steps of a frame; where they do not suffice, steps grow longer and stay stable."},
    {BRUME_PARAMETER_FLOAT, true, "CFL", "cells", SIM(cfl), 0.25f, 10.0f, NULL,
     "Most that anything travels in a step: smaller is sharper and slower."},
};

static const BrumeParameter air_knobs[] = {
    {BRUME_PARAMETER_FLOAT, false, "buoyancy", "1/K", SIM(thermal_expansion), 0.0f, 0.02f, NULL,
     "Thermal expansion: how strongly warm air rises. Real air has 1/300."},
    {BRUME_PARAMETER_FLOAT, false, "vorticity", "1/s", SIM(vorticity_confinement), 0.0f, 3.0f, NULL,
     "Vorticity confinement: feeds small vortices that the grid would lose."},
    {BRUME_PARAMETER_FLOAT, true, "viscosity", "m²/s", SIM(viscosity), 0.0f, 1.0f, NULL,
     "Kinematic viscosity: how sticky air is. Real air has 1.5e-5."},
    {BRUME_PARAMETER_FLOAT, true, "heat diffusion", "m²/s", SIM(thermal_diffusivity), 0.0f, 1.0f, NULL,
     "How fast heat spreads by itself. Real air has 2.1e-5."},
    {BRUME_PARAMETER_FLOAT, true, "cooling", "1/s", SIM(cooling), 0.0f, 10.0f, NULL,
     "Rate at which heat falls back to the ambient temperature."},
    {BRUME_PARAMETER_VECTOR, false, "wind", "m/s", SIM(wind), -10.0f, 10.0f, NULL,
     "Velocity of the ambient air (x, y, z), which drag pulls to."},
    {BRUME_PARAMETER_FLOAT, true, "drag", "1/s", SIM(drag), 0.0f, 10.0f, NULL,
     "Rate at which the air takes on the wind's velocity."},
    {BRUME_PARAMETER_VECTOR, false, "gravity", "m/s²", SIM(gravity), -30.0f, 30.0f, NULL, "Gravity (x, y, z)."},
};

static const BrumeParameter solver_knobs[] = {
    {BRUME_PARAMETER_NAME, false, "advection", "", SIM(advection), 0.0f, 0.0f, brume_advection_name,
     "How the flow carries itself: maccormack keeps detail, semi-lagrangian is faster and blurs."},
    {BRUME_PARAMETER_CHOICE, false, "trace order", "", SIM(trace_order), 2.0f, 3.0f, order_name,
     "Runge-Kutta order of the paths that advection follows."},
    {BRUME_PARAMETER_NAME, false, "pressure", "", SIM(pressure), 0.0f, 0.0f, brume_pressure_name,
     "Solver that keeps the flow free of divergence: auto picks the fastest for the box, dct and fft need one without "
     "obstacles."},
    {BRUME_PARAMETER_FLOAT, true, "tolerance", "", SIM(tolerance), 1e-6f, 0.1f, NULL,
     "Relative residual at which the pressure solve stops."},
    {BRUME_PARAMETER_INT, true, "max iterations", "", SIM(max_iterations), 1.0f, 1000.0f, NULL,
     "Most iterations of a pressure solve."},
    {BRUME_PARAMETER_FLOAT, false, "over-relaxation", "", SIM(over_relaxation), 1.0f, 1.99f, NULL,
     "Factor of the pressure solver 'relaxation'; the others do not use it."},
};

static const BrumeParameter smoke_knobs[] = {
    {BRUME_PARAMETER_FLOAT, false, "weight", "", offsetof(BrumeSmokeDef, weight), -1.0f, 1.0f, NULL,
     "Share by which a density of 1 makes air heavier: above 0 the smoke sinks, below 0 it rises."},
    {BRUME_PARAMETER_FLOAT, true, "dissipation", "1/s", offsetof(BrumeSmokeDef, dissipation), 0.0f, 10.0f, NULL,
     "Rate at which the smoke vanishes."},
    {BRUME_PARAMETER_FLOAT, true, "diffusivity", "m²/s", offsetof(BrumeSmokeDef, diffusivity), 0.0f, 1.0f, NULL,
     "How fast the smoke spreads by itself."},
};

static const BrumeParameter smoke_look_knobs[] = {
    {BRUME_PARAMETER_FLOAT, true, "extinction", "1/m", offsetof(BrumeSmokeMedium, extinction), 0.1f, 1000.0f, NULL,
     "How thick a density of 1 looks: the light that it takes up in a meter."},
    {BRUME_PARAMETER_COLOR, false, "albedo", "", offsetof(BrumeSmokeMedium, albedo), 0.0f, 1.0f, NULL,
     "Color of the smoke: the share of that light which it scatters."},
};

#define EMITTER(member) offsetof(BrumeEmitterDef, member)
static const BrumeParameter emitter_knobs[] = {
    {BRUME_PARAMETER_SOURCE, false, "density", "", EMITTER(smoke[0]), 0.0f, 10.0f, NULL, "Plain smoke that it gives."},
    {BRUME_PARAMETER_SOURCE, false, "color 1", "", EMITTER(smoke[1]), 0.0f, 10.0f, NULL,
     "Smoke of the first color that it gives."},
    {BRUME_PARAMETER_SOURCE, false, "color 2", "", EMITTER(smoke[2]), 0.0f, 10.0f, NULL,
     "Smoke of the second color that it gives."},
    {BRUME_PARAMETER_SOURCE, false, "color 3", "", EMITTER(smoke[3]), 0.0f, 10.0f, NULL,
     "Smoke of the third color that it gives."},
    {BRUME_PARAMETER_SOURCE, false, "temperature", "K", EMITTER(temperature), -100.0f, 1000.0f, NULL,
     "Temperature above ambient that it gives."},
    {BRUME_PARAMETER_VECTOR_SOURCE, false, "velocity", "m/s", EMITTER(velocity), -20.0f, 20.0f, NULL,
     "Velocity (x, y, z) that it gives."},
    {BRUME_PARAMETER_FLOAT, false, "unevenness", "", EMITTER(noise), 0.0f, 1.0f, NULL,
     "How unevenly smoke and heat come out."},
    {BRUME_PARAMETER_FLOAT, true, "noise size", "m", EMITTER(noise_scale), 0.01f, 10.0f, NULL,
     "Size of its uneven spots."},
    {BRUME_PARAMETER_FLOAT, true, "noise speed", "1/s", EMITTER(noise_speed), 0.0f, 50.0f, NULL,
     "How often a second they change."},
};

static const BrumeParameter light_knobs[] = {
    {BRUME_PARAMETER_FLOAT, true, "intensity", "", offsetof(BrumeLight, intensity), 0.0f, 1000.0f, NULL,
     "Of a sun: irradiance [W/m²]. Of a lamp: radiant intensity [W/sr]."},
    {BRUME_PARAMETER_COLOR, false, "color", "", offsetof(BrumeLight, color), 0.0f, 1.0f, NULL, "Color of the light."},
};

#define LOOK(member) offsetof(BrumeRenderSettings, member)
static const BrumeParameter look_knobs[] = {
    {BRUME_PARAMETER_FLOAT, false, "exposure", "stops", LOOK(exposure), -6.0f, 6.0f, NULL,
     "Brightness of the picture: one more doubles it."},
    {BRUME_PARAMETER_CHOICE, false, "tone curve", "", LOOK(tone), 0.0f, 1.0f, tone_name,
     "filmic lets highlights roll off, linear cuts them."},
    {BRUME_PARAMETER_FLOAT, false, "phase g", "", LOOK(anisotropy), -0.95f, 0.95f, NULL,
     "How smoke scatters light: above 0 forward, 0 evenly, below 0 back."},
    {BRUME_PARAMETER_FLOAT, true, "march step", "cells", LOOK(step), 0.25f, 4.0f, NULL,
     "How far apart rays look at the smoke: smaller is finer and slower."},
    {BRUME_PARAMETER_COLOR, false, "sky above", "", LOOK(sky_zenith), 0.0f, 1.0f, NULL,
     "Radiance of the sky straight up."},
    {BRUME_PARAMETER_COLOR, false, "horizon", "", LOOK(sky_horizon), 0.0f, 1.0f, NULL,
     "Radiance of the sky at the horizon and below."},
    {BRUME_PARAMETER_SWITCH, false, "ground", "", LOOK(ground), 0.0f, 1.0f, NULL,
     "An endless plane that smoke casts its shadow on."},
    {BRUME_PARAMETER_COLOR, false, "ground color", "", LOOK(ground_albedo), 0.0f, 1.0f, NULL, "Color of the ground."},
};

static const BrumeParameter brush_knobs[] = {
    {BRUME_PARAMETER_FLOAT, true, "radius", "m", offsetof(BrumeBrush, radius), 0.005f, 10.0f, NULL,
     "How far a stroke reaches; + and - or Shift + wheel too."},
    {BRUME_PARAMETER_FLOAT, false, "density", "", offsetof(BrumeBrush, density), 0.0f, 5.0f, NULL,
     "Density of the smoke that a stroke leaves."},
    {BRUME_PARAMETER_FLOAT, false, "heat", "K", offsetof(BrumeBrush, heat), 0.0f, 500.0f, NULL,
     "Temperature above ambient that a stroke leaves."},
    {BRUME_PARAMETER_FLOAT, true, "push", "1/s", offsetof(BrumeBrush, push), 0.1f, 100.0f, NULL,
     "With Ctrl: rate at which air takes on the pointer's velocity."},
};

#define GROUP(title, knobs)                                                                                            \
    {                                                                                                                  \
        title, (int)(sizeof(knobs) / sizeof(knobs)[0]), knobs                                                          \
    }
const BrumeParameterGroups brume_parameters[BRUME_PARAMETERS_COUNT] = {
    [BRUME_PARAMETERS_TIME] = GROUP("Time", time_knobs),
    [BRUME_PARAMETERS_BRUSH] = GROUP("Brush", brush_knobs),
    [BRUME_PARAMETERS_AIR] = GROUP("Air", air_knobs),
    [BRUME_PARAMETERS_SMOKE] = GROUP("Smoke: behavior", smoke_knobs),
    [BRUME_PARAMETERS_SMOKE_LOOK] = GROUP("Smoke: look", smoke_look_knobs),
    [BRUME_PARAMETERS_EMITTER] = GROUP("Emitters", emitter_knobs),
    [BRUME_PARAMETERS_SOLVER] = GROUP("Solver", solver_knobs),
    [BRUME_PARAMETERS_LIGHT] = GROUP("Lights", light_knobs),
    [BRUME_PARAMETERS_LOOK] = GROUP("Picture", look_knobs),
};

static size_t size_of(BrumeParameterKind kind)
{
    switch (kind) {
    case BRUME_PARAMETER_FLOAT:
    case BRUME_PARAMETER_PERIOD:
        return sizeof(float);
    case BRUME_PARAMETER_INT:
    case BRUME_PARAMETER_CHOICE:
        return sizeof(int);
    case BRUME_PARAMETER_SWITCH:
        return sizeof(bool);
    case BRUME_PARAMETER_VECTOR:
    case BRUME_PARAMETER_COLOR:
        return sizeof(BrumeVec3);
    case BRUME_PARAMETER_NAME:
        return sizeof(const char *);
    case BRUME_PARAMETER_SOURCE:
        return sizeof(BrumeSource);
    case BRUME_PARAMETER_VECTOR_SOURCE:
        return sizeof(BrumeVectorSource);
    }
    return 0;
}

bool brume_parameter_is_equal(const BrumeParameter *knob, const void *a, const void *b)
{
    const char *const at_a = (const char *)a + knob->offset;
    const char *const at_b = (const char *)b + knob->offset;
    if (knob->kind == BRUME_PARAMETER_NAME) {
        const char *name_a;
        const char *name_b;
        memcpy(&name_a, at_a, sizeof name_a);
        memcpy(&name_b, at_b, sizeof name_b);
        return strcmp(name_a, name_b) == 0;
    }
    return memcmp(at_a, at_b, size_of(knob->kind)) == 0;
}

void brume_parameter_copy(const BrumeParameter *knob, void *to, const void *from)
{
    memcpy((char *)to + knob->offset, (const char *)from + knob->offset, size_of(knob->kind));
}
