/**
 * @file march_steps.h
 * The steps of a ray through the box of a medium, and the empty macro-cells between them: shared by the march of one
 * ray and the march of many rays at once (march_packet.c). Nothing here branches in a way that depends on the lane of a
 * vector, so that loops over rays vectorize with the bits of scalar code.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_STEPS_H
#define BRUME_RAYMARCH_CPU_MARCH_STEPS_H

#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"

#include <math.h>

enum { MACRO_SHIFT = 3 };
_Static_assert(1 << MACRO_SHIFT == BRUME_MACRO_CELL_SIDE, "the index of a macro-cell is computed by a shift");

// a march ends where the transmittance is below this
static const float opaque = 1e-4f;

// a shadow ray ends where the optical depth is not below this
static const float deepest = 16.0f;

// The steps of a ray through the box. Points are in cells of the padded field, distances in cells from where the ray
// enters the box.
typedef struct Traversal {
    BrumeVec3 origin, direction, inverse; ///< of the ray from its entry on; 1 / direction by component
    float enter, length;                  ///< of the entry from the ray's own origin; of the ray inside the box
    float step, before_entry;             ///< length of a step, and the part of the first one before the entry
    int first, end;                       ///< steps that may contain smoke: first <= step < end
} Traversal;

// the lattice cell of the padded field in which a point lies, and the point's offsets in it
typedef struct SamplePoint {
    int i, j, k;
    float fx, fy, fz;
} SamplePoint;

// brume_ray_box without branches
static inline BrumeRayInterval ray_slab(float origin, float direction, float lower, float upper)
{
    const float inverse = 1.0f / direction;
    const float a = (lower - origin) * inverse;
    const float b = (upper - origin) * inverse;
    const bool across = direction != 0.0f;
    const float sign = origin >= lower && origin <= upper ? 1.0f : -1.0f;
    return (BrumeRayInterval){across ? brume_min(a, b) : -sign * INFINITY, across ? brume_max(a, b) : sign * INFINITY};
}

static inline BrumeRayInterval ray_box(BrumeVec3 origin, BrumeVec3 direction, BrumeVec3 lower, BrumeVec3 upper)
{
    const BrumeRayInterval x = ray_slab(origin.x, direction.x, lower.x, upper.x);
    const BrumeRayInterval y = ray_slab(origin.y, direction.y, lower.y, upper.y);
    const BrumeRayInterval z = ray_slab(origin.z, direction.z, lower.z, upper.z);
    return (BrumeRayInterval){brume_max(x.enter, brume_max(y.enter, z.enter)),
                              brume_min(x.leave, brume_min(y.leave, z.leave))};
}

// the box of a medium
typedef struct MediumBox {
    BrumeVec3 origin; ///< lower corner [m]
    BrumeVec3 extent; ///< [cells]
    float per_meter;  ///< cells
} MediumBox;

static inline MediumBox medium_box(const BrumeGridMedium *medium)
{
    return (MediumBox){medium->origin, brume_grid_extent(medium->grid), 1.0f / medium->dx};
}

// the steps within the box: none where the ray misses it
static inline Traversal enter_box(MediumBox box, BrumeVec3 from, BrumeVec3 along, float limit, float step, float jitter)
{
    const BrumeVec3 in_cells = brume_scale(brume_sub(from, box.origin), box.per_meter);
    const BrumeRayInterval inside = ray_box(in_cells, along, brume_vec3(0.0f, 0.0f, 0.0f), box.extent);
    const float enter = brume_max(inside.enter, 0.0f);
    const float leave = brume_min(inside.leave, limit * box.per_meter);
    const float length = leave - enter;
    const float before_entry = step * jitter;
    const BrumeVec3 direction = brume_add(along, brume_vec3(0.0f, 0.0f, 0.0f)); // no -0, whose inverse is -inf
    const float steps = enter < leave ? (length + before_entry) / step : 0.0f;
    const int whole = (int)steps;
    return (Traversal){
        .origin = brume_add(brume_add(in_cells, brume_scale(along, enter)), brume_vec3(0.5f, 0.5f, 0.5f)),
        .direction = direction,
        .inverse = brume_vec3(1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z),
        .enter = enter,
        .length = length,
        .step = step,
        .before_entry = before_entry,
        .end = whole + ((float)whole < steps),
    };
}

// the steps of a traversal between the first and the last that may contain smoke
static inline Traversal clip_to_smoke(Traversal traversal, BrumeVec3 lower, BrumeVec3 upper)
{
    // there is no smoke outside the occupied box; one more step on both sides covers rounding
    const float step = traversal.step;
    const BrumeRayInterval occupied = ray_box(traversal.origin, traversal.direction, lower, upper);
    const bool hits =
        (occupied.enter < occupied.leave) & !(occupied.leave < -step) & !(occupied.enter > traversal.length + step);
    const int first = (int)(hits ? brume_max(occupied.enter, 0.0f) / step : 0.0f) - 1;
    const float leave = (brume_min(occupied.leave, traversal.length) + traversal.before_entry) / step + 2.0f;
    const int end = (int)(hits ? leave : 0.0f);
    traversal.first = first > 0 ? first : 0;
    traversal.end = traversal.end < end ? traversal.end : end;
    return traversal;
}

// sets up the traversal of a ray; false where no step can contain smoke
static inline bool begin_traversal(Traversal *traversal, const BrumeGridMedium *medium, const BrumeRay *ray,
                                   float limit, float step, float jitter)
{
    *traversal = enter_box(medium_box(medium), ray->origin, ray->direction, limit, step, jitter);
    if (medium->skip_empty && traversal->end > 0) {
        *traversal = clip_to_smoke(*traversal, medium->occupied_lower, medium->occupied_upper);
    }
    return traversal->first < traversal->end;
}

// distance of the midpoint of a step, and the step's length within the box
static inline float step_midpoint(const Traversal *traversal, int step, float *length)
{
    const float from = brume_max((float)step * traversal->step - traversal->before_entry, 0.0f);
    const float to = brume_min((float)(step + 1) * traversal->step - traversal->before_entry, traversal->length);
    *length = to - from;
    return 0.5f * (from + to);
}

// rounding may move a point slightly outside the box
static inline float clamp_to_box(float x, int cells) { return brume_clamp(x, 0.5f, (float)cells + 0.5f); }

static inline SamplePoint sample_point(const Traversal *traversal, const BrumeGridMedium *medium, float distance)
{
    const float x = clamp_to_box(traversal->origin.x + distance * traversal->direction.x, medium->grid.nx);
    const float y = clamp_to_box(traversal->origin.y + distance * traversal->direction.y, medium->grid.ny);
    const float z = clamp_to_box(traversal->origin.z + distance * traversal->direction.z, medium->grid.nz);
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    return (SamplePoint){i, j, k, x - (float)i, y - (float)j, z - (float)k};
}

// moves a point to where its smoke is in the loaded volume; returns by how much [cells]
static inline BrumeVec3 follow_smoke(const BrumeGridMedium *medium, float time, SamplePoint *p)
{
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 at = brume_sub(brume_vec3((float)p->i + p->fx, (float)p->j + p->fy, (float)p->k + p->fz), half);
    const BrumeVec3 origin = brume_grid_medium_origin(medium, at, time);
    const BrumeVec3 padded = brume_add(origin, half);
    const int i = (int)padded.x;
    const int j = (int)padded.y;
    const int k = (int)padded.z;
    *p = (SamplePoint){i, j, k, padded.x - (float)i, padded.y - (float)j, padded.z - (float)k};
    return brume_sub(origin, at);
}

// whether the point lies in an empty macro-cell
static inline bool is_empty(const BrumeGridMedium *medium, const SamplePoint *p)
{
    const ptrdiff_t row = (ptrdiff_t)(p->k >> MACRO_SHIFT) * medium->macro_cells.ny + (p->j >> MACRO_SHIFT);
    return medium->majorant[row * medium->macro_cells.nx + (p->i >> MACRO_SHIFT)] <= 0.0f;
}

// distance at which the ray leaves, along one axis, the macro-cell that contains the cell of this index
static inline float distance_to_face(float origin, float inverse, int cell)
{
    const int face = (cell & ~(BRUME_MACRO_CELL_SIDE - 1)) + (inverse >= 0.0f ? BRUME_MACRO_CELL_SIDE : 0);
    return ((float)face - origin) * inverse;
}

// the first step whose midpoint may lie beyond the macro-cell of a point; rounding makes it too early, never too late
static inline int skip_macro_cell(const Traversal *traversal, const SamplePoint *p, int step)
{
    const float x = distance_to_face(traversal->origin.x, traversal->inverse.x, p->i);
    const float y = distance_to_face(traversal->origin.y, traversal->inverse.y, p->j);
    const float z = distance_to_face(traversal->origin.z, traversal->inverse.z, p->k);
    const float leave = brume_min(x, brume_min(y, z));
    const int next = (int)((leave + traversal->before_entry) / traversal->step - 0.6f);
    return next > step ? next : step + 1;
}

#endif
