/*
 * A box for tests that compare bits.
 */
#ifndef BRUME_TESTS_SUPPORT_BUSY_BOX_H
#define BRUME_TESTS_SUPPORT_BUSY_BOX_H

#include "sim_support.h"

/* A box with every term of the equations, whose numbers of cells have no common factor. */
static inline BrumeSimDef busy_box(void)
{
    BrumeSimDef def = box_def(30, 41, 23, 0.04f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.5f, 0.0f, 0.1f}, .smoke = {0.1f}};
    def.vorticity_confinement = 2.0f;
    def.viscosity = 1e-3f;
    def.thermal_diffusivity = 1e-3f;
    def.cooling = 0.2f;
    def.drag = 0.1f;
    def.color_count = 2;
    def.smoke[0] = (BrumeSmokeDef){.weight = 0.05f, .dissipation = 0.1f, .diffusivity = 1e-4f};
    def.body_count = 2;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.9f, 0.46f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.bodies[1].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.6f, 0.2f}, .b = {0.4f, 0.64f, 0.7f}, .radius = 0.0f};
    def.emitter_count = 2;
    for (int n = 0; n < 2; n++) {
        BrumeEmitterDef *emitter = &def.emitters[n];
        *emitter = brume_default_emitter_def();
        emitter->shape = (BrumeShape){
            .kind = BRUME_SHAPE_SPHERE, .a = {0.4f + 0.4f * (float)n, 0.2f, 0.46f}, .b = {0, 0, 0}, .radius = 0.12f};
        emitter->smoke[n] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        emitter->smoke[2] = (BrumeSource){BRUME_SOURCE_RATE, 0.5f};
        emitter->temperature = (BrumeSource){BRUME_SOURCE_RATE, 200.0f};
        emitter->noise = 0.7f;
        emitter->noise_speed = 4.0f;
    }
    return def;
}

/* Takes from the box what its pressure solver does not support. */
static inline void busy_box_for_solver(BrumeSimDef *def)
{
    if (!brume_pressure_unmet_need(def->pressure, def->body_count > 0, brume_all_periodic(def))) {
        return;
    }
    def->body_count = 0;
    for (int face = 0; strcmp(def->pressure, "fft") == 0 && face < BRUME_FACE_COUNT; face++) {
        def->faces[face] = (BrumeFaceDef){.kind = BRUME_PERIODIC};
    }
}

#endif
