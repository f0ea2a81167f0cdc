/*
 * What the tests of the public interface share. They include <brume/brume.h> and nothing else of Brume.
 */
#ifndef BRUME_TESTS_LIBRARY_LIBRARY_SUPPORT_H
#define BRUME_TESTS_LIBRARY_LIBRARY_SUPPORT_H

#include <brume/brume.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Fails the test with the error's text where `status` is another than expected. */
#define assert_status(status, expected, error)                                                                         \
    do {                                                                                                               \
        const BrumeStatus status_ = (status);                                                                          \
        if (status_ != (expected)) {                                                                                   \
            print_error("%s:%d: status %d, expected %d: %s\n", __FILE__, __LINE__, (int)status_, (int)(expected),      \
                        status_ == BRUME_OK ? "" : (error)->text);                                                     \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* A warm emitter below a sphere, in a box that is open above, three to five steps a frame. */
static inline BrumeSimDef plume_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = 24;
    def.ny = 32;
    def.nz = 20;
    def.dx = 1.0f / 24.0f;
    def.min_steps = 3;
    def.vorticity_confinement = 0.5f;
    def.color_count = 1;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.8f, -0.1f}, .radius = 0.12f};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.25f, -0.1f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_RATE, 2.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 150.0f};
    def.emitters[0].noise = 0.5f;
    return def;
}

static inline BrumeSim *create_sim(const BrumeSimDef *def)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_status(brume_sim_create(&sim, def, &error), BRUME_OK, &error);
    return sim;
}

static inline void run_frames(BrumeSim *sim, int frames)
{
    BrumeError error = {0};
    for (int frame = 0; frame < frames; frame++) {
        assert_status(brume_sim_frame(sim, NULL, &error), BRUME_OK, &error);
    }
}

#endif
