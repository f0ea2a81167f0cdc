/**
 * @file packed_sizes.h
 * Sizes of structs without padding, to tell whether a list has all of their members.
 */
#ifndef BRUME_TESTS_SCENE_PACKED_SIZES_H
#define BRUME_TESTS_SCENE_PACKED_SIZES_H

#include <stddef.h>

typedef struct BrumePackedSizes {
    size_t sim_def, stroke, move, render_settings, camera;
} BrumePackedSizes;

extern const BrumePackedSizes packed_sizes;

#endif
