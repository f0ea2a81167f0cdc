/**
 * @file air.h
 * The air as particles see it: its velocity at any place.
 */
#ifndef BRUME_SIM_PARTICLES_AIR_H
#define BRUME_SIM_PARTICLES_AIR_H

#include "core/vec3.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

/** A velocity on the faces of the cells, and how a place in the world lies among them. */
typedef struct BrumeAir {
    const BrumeField *velocity; ///< three fields, with ghosts
    BrumeVec3 origin;
    float per_dx; ///< [1/m]
    int cells[3]; ///< along each axis
    bool periodic[3];
    bool plain; ///< brume_air_velocities calls its plain twin
} BrumeAir;

static inline BrumeAir brume_air(const BrumeSim *sim, const BrumeField velocity[3])
{
    const BrumeCells *cells = &sim->geometry->cells;
    return (BrumeAir){velocity,
                      sim->def.origin,
                      1.0f / sim->def.dx,
                      {cells->grid.nx, cells->grid.ny, cells->grid.nz},
                      {cells->periodic[0], cells->periodic[1], cells->periodic[2]},
                      strcmp(sim->def.kernels, "reference") == 0};
}

/** The place [cells] along an axis, from the lower side. */
static inline float brume_air_place(const BrumeAir *air, BrumeVec3 point, int axis)
{
    return (brume_component(point, axis) - brume_component(air->origin, axis)) * air->per_dx;
}

/** The plane of cells, 1 to nz, that has a point; the nearest one of points outside. */
static inline int brume_air_plane(const BrumeAir *air, BrumeVec3 point)
{
    float place = brume_air_place(air, point, 2);
    const float length = (float)air->cells[2];
    place -= air->periodic[2] ? length * floorf(place / length) : 0.0f;
    return 1 + (place > 0.0f ? (place < length ? (int)place : air->cells[2] - 1) : 0);
}

/** The lower one of two entries and the weight of the upper one. */
typedef struct BrumeAirEntry {
    int lower;
    float weight;
} BrumeAirEntry;

/** Between which entries a place [cells] is: of values on the faces across an axis, or at the centers along it. */
static inline BrumeAirEntry brume_air_entry(float place, int cells, bool periodic, bool on_faces)
{
    const float length = (float)cells;
    if (periodic) {
        place -= length * floorf(place / length);
    } else {
        place = place > 0.0f ? (place < length ? place : length) : 0.0f;
    }
    const float index = place + (on_faces ? 1.0f : 0.5f);
    const int lower = (int)index < cells ? (int)index : cells;
    return (BrumeAirEntry){lower, index - (float)lower};
}

enum { BRUME_AIR_POINTS = 64 }; ///< whose velocities are sampled at once

/** Components of `BRUME_AIR_POINTS` places or velocities. */
typedef struct BrumeAirVectors {
    _Alignas(64) float component[3][BRUME_AIR_POINTS];
} BrumeAirVectors;

/** brume_air_velocity at all points, with the same bits. */
void brume_air_velocities(const BrumeAir *air, const BrumeAirVectors *points, BrumeAirVectors *velocities);

/**
 * The trilinear velocity of the air at a point [m/s]; outside of the box, that at the nearest point. The plain twin of
 * brume_air_velocities, which `solver.kernels: reference` selects.
 */
static inline BrumeVec3 brume_air_velocity(const BrumeAir *air, BrumeVec3 point)
{
    BrumeAirEntry faces[3];
    BrumeAirEntry centers[3];
    for (int axis = 0; axis < 3; axis++) {
        const float place = brume_air_place(air, point, axis);
        faces[axis] = brume_air_entry(place, air->cells[axis], air->periodic[axis], true);
        centers[axis] = brume_air_entry(place, air->cells[axis], air->periodic[axis], false);
    }
    float values[3];
    for (int n = 0; n < 3; n++) {
        const BrumeField *field = &air->velocity[n];
        const BrumeAirEntry x = n == 0 ? faces[0] : centers[0];
        const BrumeAirEntry y = n == 1 ? faces[1] : centers[1];
        const BrumeAirEntry z = n == 2 ? faces[2] : centers[2];
        const float *a = field->data + brume_field_index(field, x.lower, y.lower, z.lower);
        float planes[2];
        for (int k = 0; k < 2; k++, a += field->sz) {
            const float lower = a[0] + x.weight * (a[1] - a[0]);
            const float upper = a[field->sy] + x.weight * (a[field->sy + 1] - a[field->sy]);
            planes[k] = lower + y.weight * (upper - lower);
        }
        values[n] = planes[0] + z.weight * (planes[1] - planes[0]);
    }
    return brume_vec3(values[0], values[1], values[2]);
}

#endif
