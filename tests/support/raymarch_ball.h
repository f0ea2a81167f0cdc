/**
 * @file raymarch_ball.h
 * A ball of smoke.
 */
#ifndef BRUME_TESTS_SUPPORT_RAYMARCH_BALL_H
#define BRUME_TESTS_SUPPORT_RAYMARCH_BALL_H

#include "core/vec3.h"
#include "raymarch/fast_math.h"

/** Sets the density of side³ cells of a cube to the density of a ball in its middle: 1 inside, 0 beyond `radius`, in
 * units of the cube's side, and linear over 0.08 between them. */
static inline void set_ball(float *density, int side, float radius)
{
    for (int k = 0; k < side; k++) {
        for (int j = 0; j < side; j++) {
            for (int i = 0; i < side; i++) {
                const BrumeVec3 center = brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f);
                const BrumeVec3 at = brume_scale(center, 1.0f / (float)side);
                const float distance = brume_length(brume_sub(at, brume_vec3(0.5f, 0.5f, 0.5f)));
                *density++ = brume_clamp((radius - distance) / 0.08f, 0.0f, 1.0f);
            }
        }
    }
}

#endif
