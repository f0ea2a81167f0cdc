/**
 * @file lit_renderer.h
 * A renderer of a volume, with its light.
 */
#ifndef BRUME_TESTS_SUPPORT_LIT_RENDERER_H
#define BRUME_TESTS_SUPPORT_LIT_RENDERER_H

#include "brume/renderer.h"

#include "raymarch_check.h"

/** Creates a renderer, loads the volume and computes its light. Fails the test with the reason where that fails. */
static inline BrumeRenderer *create_lit(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    if (brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error) != BRUME_OK ||
        brume_renderer_load(renderer, volume, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_renderer_light(renderer, NULL);
    return renderer;
}

#endif
