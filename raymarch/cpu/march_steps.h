/**
 * @file march_steps.h
 * The steps of a ray through the box of a medium, and the empty macro-cells between them: what the march of one ray and
 * that of many rays at once (march_packet.c) have in common. Nothing here branches in a way that depends on the lane of
 * a vector, so that loops over rays vectorise with the bits of scalar code.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_STEPS_H
#define BRUME_RAYMARCH_CPU_MARCH_STEPS_H

#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"

enum { MACRO_SHIFT = 3 };
_Static_assert(1 << MACRO_SHIFT == BRUME_MACRO_CELL_SIDE, "the index of a macro-cell is computed by a shift");

// a march ends where the transmittance is below this
static const float opaque = 1e-4f;

// The steps of a ray through the box. Points are in cells of the padded field, distances in cells from where the ray
// enters the box.
typedef struct Traversal {
    BrumeVec3 origin, direction, inverse; ///< of the ray from its entry on; 1 / direction by component
    float enter, length;                  ///< of the entry from the ray's own origin; of the ray inside the box
    float step, before;                   ///< length of a step, and the part of the first one before the entry
    int first, end;                       ///< steps that may contain smoke: first <= step < end
} Traversal;

// the lattice cell of the padded field in which a point lies, and the point's offsets in it
typedef struct SamplePoint {
    int i, j, k;
    float fx, fy, fz;
} SamplePoint;

// false where no step can contain smoke
static inline bool begin_traversal(Traversal *traversal, const BrumeGridMedium *medium, const BrumeRay *ray,
                                   float limit, BrumeMarchSteps steps)
{
    const float step = steps.length;
    const float per_metre = 1.0f / medium->dx;
    BrumeRay in_cells = {brume_scale(brume_sub(ray->origin, medium->origin), per_metre), ray->direction};
    const BrumeRayInterval inside =
        brume_ray_box(&in_cells, brume_vec3(0.0f, 0.0f, 0.0f), brume_grid_extent(medium->grid));
    const float enter = brume_max(inside.enter, 0.0f);
    const float leave = brume_min(inside.leave, limit * per_metre);
    if (!(enter < leave)) {
        return false;
    }
    const BrumeVec3 direction = brume_add(ray->direction, brume_vec3(0.0f, 0.0f, 0.0f)); // no -0, whose inverse is -inf
    traversal->origin = brume_add(brume_ray_at(&in_cells, enter), brume_vec3(0.5f, 0.5f, 0.5f));
    traversal->direction = direction;
    traversal->inverse = brume_vec3(1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z);
    traversal->enter = enter;
    traversal->length = leave - enter;
    traversal->step = step;
    traversal->before = step * steps.jitter;
    traversal->first = 0;
    traversal->end = (int)ceilf((traversal->length + traversal->before) / step);
    if (medium->skip_empty) {
        // there is no smoke outside the occupied box; one more step on both sides covers rounding
        const BrumeRay from_entry = {traversal->origin, traversal->direction};
        const BrumeRayInterval occupied = brume_ray_box(&from_entry, medium->occupied_lower, medium->occupied_upper);
        if (!(occupied.enter < occupied.leave) || occupied.leave < -step || occupied.enter > traversal->length + step) {
            return false;
        }
        const int first = (int)(brume_max(occupied.enter, 0.0f) / step) - 1;
        const float end = (brume_min(occupied.leave, traversal->length) + traversal->before) / step + 2.0f;
        traversal->first = first > 0 ? first : 0;
        traversal->end = traversal->end < (int)end ? traversal->end : (int)end;
    }
    return traversal->first < traversal->end;
}

// distance of the midpoint of a step, and the step's length within the box
static inline float step_midpoint(const Traversal *traversal, int step, float *length)
{
    const float from = brume_max((float)step * traversal->step - traversal->before, 0.0f);
    const float to = brume_min((float)(step + 1) * traversal->step - traversal->before, traversal->length);
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
    const int next = (int)((leave + traversal->before) / traversal->step - 0.6f);
    return next > step ? next : step + 1;
}

#endif
