#include "raymarch/volume_samples.h"

#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

// the entries below and above a place on one axis
typedef struct AxisEntries {
    ptrdiff_t lower; // offset of the entry
    ptrdiff_t upper; // offset of the next entry from it; 0 where the axis has one entry
    float share;     // of the upper one
} AxisEntries;

static AxisEntries bracket(float place, int count, ptrdiff_t stride)
{
    const float inside = brume_clamp(place, 0.0f, (float)(count - 1));
    const int lower = brume_min_int((int)inside, brume_max_int(count - 2, 0));
    return (AxisEntries){lower * stride, count > 1 ? stride : 0, inside - (float)lower};
}

static float interpolate(const float *data, const AxisEntries at[3])
{
    const float *a = data + at[0].lower + at[1].lower + at[2].lower;
    return brume_trilinear(a, at[0].upper, at[1].upper, at[2].upper, at[0].share, at[1].share, at[2].share);
}

// the place of a point from the lower corner of the box [cells]
static BrumeVec3 place_in_cells(const BrumeVolume *volume, BrumeVec3 point)
{
    const BrumeVec3 from_corner = brume_sub(point, volume->origin);
    return brume_vec3(from_corner.x / volume->dx, from_corner.y / volume->dx, from_corner.z / volume->dx);
}

BrumeVec3 brume_volume_velocity(const BrumeVolume *volume, BrumeVec3 point)
{
    const BrumeVec3 cells = place_in_cells(volume, point);
    const int counts[3] = {volume->nx, volume->ny, volume->nz};
    const ptrdiff_t strides[3] = {volume->velocity_sx, volume->velocity_sy, volume->velocity_sz};
    float values[3];
    for (int component = 0; component < 3; component++) {
        AxisEntries at[3];
        for (int axis = 0; axis < 3; axis++) {
            const bool on_faces = volume->velocity_on_faces && axis == component;
            const float place = brume_component(cells, axis) - (on_faces ? 0.0f : 0.5f);
            at[axis] = bracket(place, counts[axis] + (on_faces ? 1 : 0), strides[axis]);
        }
        values[component] = interpolate(volume->velocity[component], at);
    }
    return brume_vec3(values[0], values[1], values[2]);
}

float brume_volume_value(const BrumeVolume *volume, const float *values, BrumeVec3 point)
{
    const BrumeVec3 cells = place_in_cells(volume, point);
    const AxisEntries at[3] = {bracket(cells.x - 0.5f, volume->nx, 1), bracket(cells.y - 0.5f, volume->ny, volume->sy),
                               bracket(cells.z - 0.5f, volume->nz, volume->sz)};
    return interpolate(values, at);
}
