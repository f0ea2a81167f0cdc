/**
 * @file run_memory.h
 * The memory that a run needs, from its scene alone, so that a run that does not fit is refused before it allocates.
 */
#ifndef BRUME_APP_RENDER_RUN_MEMORY_H
#define BRUME_APP_RENDER_RUN_MEMORY_H

#include "app/render/picture_output.h"
#include "brume/scene.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Estimates of the parts [bytes]. */
typedef struct BrumeRunMemory {
    size_t simulation; ///< brume_scene_bytes_needed
    size_t renderer;   ///< volume and light volumes; 0 without images
    size_t sky; ///< images of the sky and the ground, and the directions of the path tracer towards the sky; 0 without
                ///< images
    size_t images;     ///< radiance, pictures in the queue and the encoder; 0 without images
    size_t volumes;    ///< a copy of the grids, and the file that is composed; 0 without volumes
    size_t checkpoint; ///< a copy of the state
    size_t tables;     ///< statistics and measures of all frames
} BrumeRunMemory;

/** The largest number of kinds of smoke in use, over all settings of the scene. */
int brume_run_smoke_kinds(const BrumeScene *scene);

/** The memory of a run of `frames` frames, without volumes. `pictures`: the form of images, NULL without; `measures`:
 * with --measures or --stats. */
BrumeRunMemory brume_run_memory(const BrumeScene *scene, const BrumePictureOutput *pictures, bool measures, int frames);

/** BrumeRunMemory.sky of a scene. */
size_t brume_run_sky_bytes(const BrumeScene *scene);

/** The sum of the parts. */
size_t brume_run_memory_total(const BrumeRunMemory *memory);

/**
 * Fails with BRUME_FAILED if the memory is more than the machine has, or than `limit` (--max-memory; 0 for none). The
 * text names the cells, the pixels of the scene, the parts and the setting to lower.
 */
BrumeStatus brume_run_memory_check(const BrumeRunMemory *memory, BrumeGrid cells, const BrumeScene *scene, size_t limit,
                                   BrumeError *error);

#endif
