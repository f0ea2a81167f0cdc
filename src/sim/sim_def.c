#include "brume/sim_def.h"

#include <math.h>

BrumeSimDef brume_default_sim_def(void)
{
    BrumeSimDef def = {
        .nx = 64,
        .ny = 64,
        .nz = 64,
        .dx = 1.0f / 64.0f,
        .origin = {-0.5f, 0.0f, -0.5f},
        .gravity = {0.0f, -9.81f, 0.0f},
        .thermal_expansion = 1.0f / 300.0f,
        .fps = 24.0f,
        .cfl = 2.0f,
        .min_steps = 1,
        .max_steps = 16,
        .kernels = "fast",
        .advection = brume_advection_name(0),
        .trace_order = 2,
        .pressure = "auto",
        .tolerance = 1e-4f,
        .max_iterations = 200,
        .over_relaxation = 1.9f,
    };
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    return def;
}

bool brume_all_periodic(const BrumeSimDef *def)
{
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (def->faces[face].kind != BRUME_PERIODIC) {
            return false;
        }
    }
    return true;
}

BrumeEmitterDef brume_default_emitter_def(void) { return (BrumeEmitterDef){.end = INFINITY, .noise_scale = 0.1f}; }
