/**
 * @file renderer_internal.h
 * The CPU renderer's members and its radiance along one ray, for tests.
 */
#ifndef BRUME_RAYMARCH_CPU_RENDERER_INTERNAL_H
#define BRUME_RAYMARCH_CPU_RENDERER_INTERNAL_H

#include "brume/renderer.h"
#include "core/particle_copy.h"
#include "raymarch/cpu/march.h"
#include "raymarch/detail.h"
#include "raymarch/flow_view.h"
#include "raymarch/light/lit_medium.h"

struct BrumeRenderer {
    BrumeLitMedium lit; ///< of the finer cells, where the settings enable detail
    BrumeGrid volumes;  ///< largest volume that can be loaded [cells]
    BrumeDetailMemory detail;
    BrumeFlowView flow;          ///< of the loaded volume
    BrumeParticleCopy particles; ///< of the loaded volume
    void *user_data;             ///< of the embedding program
};

/** Radiance that arrives at the origin of a ray [m]: of the smoke, and of the surface or sky behind it. */
BrumeVec3 brume_ray_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeMarchSteps steps);

/** Sets `*pixels` to the pixels to draw: the crop of `def`, or the whole picture. False where there are none. */
bool brume_drawn_pixels(const BrumeDrawDef *def, BrumePictureCrop *pixels);

/** BrumePictureLayers.depth of a ray [m]. The medium need not be lit. */
float brume_ray_depth(const BrumeLitMedium *lit, const BrumeRay *ray);

#endif
