#include "brume/stroke.h"
#include "core/vec3.h"

BrumeVec3 brume_stroke_at(const BrumeStroke *stroke, float s)
{
    // the cubic Hermite basis
    const float t = 1.0f - s;
    const BrumeVec3 places = brume_add(brume_scale(stroke->from, t * t * (1.0f + 2.0f * s)),
                                       brume_scale(stroke->to, s * s * (1.0f + 2.0f * t)));
    const BrumeVec3 slopes =
        brume_sub(brume_scale(stroke->from_slope, s * t * t), brume_scale(stroke->to_slope, s * s * t));
    return brume_add(places, slopes);
}
