#include "sim/particles/air.h"

#include "core/parallel/simd.h"
#include "core/parallel/trilinear8.h"

#include <stdint.h>

enum { POINTS = BRUME_AIR_POINTS, FACES = 0, CENTERS = 1 };

// brume_air_entry of all points along an axis
typedef struct Entries {
    _Alignas(64) int32_t lower[POINTS];
    float weight[POINTS];
} Entries;

BRUME_INLINE void find_entries(const BrumeAir *air, int axis, const float *points, int kind, Entries *entries)
{
    const float origin = brume_component(air->origin, axis);
    for (int n = 0; n < POINTS; n++) {
        const float place = (points[n] - origin) * air->per_dx;
        const BrumeAirEntry entry = brume_air_entry(place, air->cells[axis], air->periodic[axis], kind == FACES);
        entries->lower[n] = entry.lower;
        entries->weight[n] = entry.weight;
    }
}

BRUME_KERNEL static void sample_air(const BrumeAir *air, const BrumeAirVectors *points, BrumeAirVectors *velocities)
{
    Entries entries[3][2];
    for (int axis = 0; axis < 3; axis++) {
        find_entries(air, axis, points->component[axis], FACES, &entries[axis][FACES]);
        find_entries(air, axis, points->component[axis], CENTERS, &entries[axis][CENTERS]);
    }
    for (int component = 0; component < 3; component++) {
        const BrumeField *field = &air->velocity[component];
        const Entries *x = &entries[0][component == 0 ? FACES : CENTERS];
        const Entries *y = &entries[1][component == 1 ? FACES : CENTERS];
        const Entries *z = &entries[2][component == 2 ? FACES : CENTERS];
        _Alignas(64) int32_t at[POINTS];
        for (int n = 0; n < POINTS; n++) {
            at[n] = x->lower[n] + (int32_t)field->sy * y->lower[n] + (int32_t)field->sz * z->lower[n];
        }
        for (int n = 0; n < POINTS; n += BRUME_LANES) {
            brume_trilinear8(velocities->component[component] + n, field->data, field->sy, field->sz, at + n,
                             x->weight + n, y->weight + n, z->weight + n);
        }
    }
}

void brume_air_velocities(const BrumeAir *air, const BrumeAirVectors *points, BrumeAirVectors *velocities)
{
    const BrumeField *field = &air->velocity[0];
    if (!air->plain && (int64_t)field->sz * (air->cells[2] + 3) < INT32_MAX) {
        sample_air(air, points, velocities);
        return;
    }
    for (int n = 0; n < POINTS; n++) {
        const BrumeVec3 velocity = brume_air_velocity(
            air, brume_vec3(points->component[0][n], points->component[1][n], points->component[2][n]));
        velocities->component[0][n] = velocity.x;
        velocities->component[1][n] = velocity.y;
        velocities->component[2][n] = velocity.z;
    }
}
