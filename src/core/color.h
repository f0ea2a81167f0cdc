/**
 * @file color.h
 * Linear RGB colors.
 */
#ifndef BRUME_CORE_COLOR_H
#define BRUME_CORE_COLOR_H

#include "core/vec3.h"

/** The luminance of a color (ITU-R BT.709). */
static inline float brume_luminance(BrumeVec3 color)
{
    return 0.2126f * color.x + 0.7152f * color.y + 0.0722f * color.z;
}

#endif
