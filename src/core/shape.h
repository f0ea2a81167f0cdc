/**
 * @file shape.h
 * Signed distances to shapes and their bounding boxes.
 */
#ifndef BRUME_CORE_SHAPE_H
#define BRUME_CORE_SHAPE_H

#include "brume/shape.h"
#include "core/vec3.h"

#include <stdbool.h>

/** How the own frame of a shape lies in the world. */
typedef struct BrumeShapeFrame {
    BrumeVec3 own_pivot, pivot; ///< its pivot in its own frame and in the world [m]
    BrumeVec3 axes[3];          ///< its own axes in the world, of length 1
    BrumeVec3 scale;            ///< factors along them
} BrumeShapeFrame;

/** The factors of scale, where 0 for all of them stands for 1. */
static inline BrumeVec3 brume_shape_scale(const BrumeShape *shape)
{
    return brume_is_zero(shape->scale) ? brume_vec3(1.0f, 1.0f, 1.0f) : shape->scale;
}

/** Whether the axes of the own frame of a shape are not those of the world. */
static inline bool brume_shape_is_turned(const BrumeShape *shape) { return !brume_is_zero(shape->rotation); }

/** Whether the own frame of a shape is not the world. */
static inline bool brume_shape_is_placed(const BrumeShape *shape)
{
    const BrumeVec3 scale = brume_shape_scale(shape);
    return !brume_is_zero(shape->position) || brume_shape_is_turned(shape) || scale.x != 1.0f || scale.y != 1.0f ||
           scale.z != 1.0f;
}

/** Whether the place of a shape in its own frame is `a` alone, which is its center; else it is between `a` and `b`. */
static inline bool brume_shape_has_one_point(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_SPHERE || shape->kind == BRUME_SHAPE_TORUS || shape->kind == BRUME_SHAPE_PLANE ||
           shape->kind == BRUME_SHAPE_MESH;
}

/** The center in the own frame [m]. */
static inline BrumeVec3 brume_shape_own_center(const BrumeShape *shape)
{
    return brume_shape_has_one_point(shape) ? shape->a : brume_scale(brume_add(shape->a, shape->b), 0.5f);
}

/** The frame of a shape. */
BrumeShapeFrame brume_shape_frame(const BrumeShape *shape);

/** Whether a shape has an inside: a mesh may be a wall without thickness (BrumeMeshInfo). */
bool brume_shape_is_solid(const BrumeShape *shape);

/** The shape in its own frame: neither moved nor turned nor scaled. */
BrumeShape brume_shape_in_own_frame(const BrumeShape *shape);

/** A point, and a vector, of the world in the own frame [m]. */
BrumeVec3 brume_frame_own_point(const BrumeShapeFrame *frame, BrumeVec3 point);
BrumeVec3 brume_frame_own_vector(const BrumeShapeFrame *frame, BrumeVec3 vector);

/** A point of the own frame in the world [m]. */
BrumeVec3 brume_frame_point(const BrumeShapeFrame *frame, BrumeVec3 own_point);

/** The unit normal in the world of a surface whose normal in the own frame is `own_normal`. */
BrumeVec3 brume_frame_normal(const BrumeShapeFrame *frame, BrumeVec3 own_normal);

/** The center of a shape, which is the origin of a mesh, in the world, and the point that turning and scaling leave as
 * they are [m]. */
BrumeVec3 brume_shape_center(const BrumeShape *shape);
BrumeVec3 brume_shape_pivot(const BrumeShape *shape);

/**
 * A shape whose keys are in the frame of `parent`, as it is in the world. The origin of this frame is the pivot of the
 * parent, and its axes turn and scale with it: its factors of scale must be equal. Position, rotation and scale change.
 */
BrumeShape brume_shape_out_of(const BrumeShape *parent, const BrumeShape *shape);

/** The inverse: a shape of the world with keys in the frame of `parent`, up to rounding. */
BrumeShape brume_shape_into(const BrumeShape *parent, const BrumeShape *shape);

/** A vector of the frame of `parent` in the world, and the inverse. */
BrumeVec3 brume_vector_out_of(const BrumeShape *parent, BrumeVec3 vector);
BrumeVec3 brume_vector_into(const BrumeShape *parent, BrumeVec3 vector);

/** The angular velocity [radians/s] of a shape whose rotation changes at `rates` [degrees/s]. */
BrumeVec3 brume_shape_spin(const BrumeShape *shape, BrumeVec3 rates);

/** The rotation [degrees] by which the vertical axis points along `direction`, which is not 0. */
BrumeVec3 brume_rotation_towards(BrumeVec3 direction);

/** The angles [degrees] of the same rotation that are nearest to the angles `to`. */
BrumeVec3 brume_rotation_near(BrumeVec3 rotation, BrumeVec3 to);

/** A sphere that contains the shape, of infinite radius for a plane. */
void brume_shape_sphere(const BrumeShape *shape, BrumeVec3 *center, float *radius);

/**
 * Signed distance from `point` [m] to the surface of `shape` [m], negative inside. Of a volume, the sign is exact, and
 * the magnitude is at most the distance: the difference to the threshold over the largest possible slope of the values.
 * The same holds for a shape with unequal factors of scale: the magnitude is the distance in its own frame times the
 * least factor. A point is inside a mesh where the winding number of its triangles is above 1/2 (core/mesh.h).
 */
float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point);

/**
 * The distance of brume_shape_distance where that of a mesh is below `most` [m], otherwise `most` with its sign: a mesh
 * is searched no farther. Of other shapes, the distance.
 */
float brume_shape_distance_within(const BrumeShape *shape, BrumeVec3 point, float most);

/** Sets inside[n] to whether the n-th of `count` points [m], which are on a line one after the other, is inside. */
void brume_shape_contains(const BrumeShape *shape, const BrumeVec3 *points, int count, bool *inside);

/** A shape and its frame, for queries at many points. The shape must outlive it. */
typedef struct BrumePlacedShape {
    const BrumeShape *shape;
    float least_scale;     ///< the least factor of scale
    bool is_placed;        ///< whether its own frame is not the world; if so:
    BrumeShapeFrame frame; ///< its own frame
} BrumePlacedShape;

/** Prepares queries of a shape. */
BrumePlacedShape brume_shape_place(const BrumeShape *shape);

/** The value of brume_shape_distance_within, and of brume_shape_entry. */
float brume_placed_distance(const BrumePlacedShape *placed, BrumeVec3 point, float most);
float brume_placed_entry(const BrumePlacedShape *placed, BrumeVec3 from, BrumeVec3 to);

/**
 * The value of brume_placed_distance where it is `enough` [m] or more, or -`enough` or less; otherwise any value of the
 * same sign in between: the first triangle of a mesh that is as close ends the search.
 */
float brume_placed_rough_distance(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most);

/** The value of brume_placed_rough_distance at a point that is not inside: of a mesh, the sign is not looked for. */
float brume_placed_distance_outside(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most);

/** The distance of a point to a shape from that which brume_placed_distance_outside has found with `enough` 0: less
 * than 0 inside a mesh. */
float brume_placed_signed_distance(const BrumePlacedShape *placed, BrumeVec3 point, float outside);

/** brume_placed_distance_outside of `count` points, with `enough` 0. Of a mesh, takes less time where each is near the
 * one before. */
void brume_placed_distances_outside(const BrumePlacedShape *placed, const BrumeVec3 *points, int count, float most,
                                    float *distances);

/** A point of the world in the own frame of a shape, relative to its `a` [m]. */
BrumeVec3 brume_placed_own_point(const BrumePlacedShape *placed, BrumeVec3 point);

/** The value of brume_mesh_passes_corners of a mesh (core/mesh.h), where depths in its own frame count times the least
 * factor of scale; false of other shapes. */
bool brume_placed_passes_corners(const BrumePlacedShape *placed, BrumeVec3 from, BrumeVec3 to, float thickness);

/** The direction from the surface at `point`, of length 1: the gradient of the distance, by differences over `step`
 * [m]; all components 1 where it has none. */
BrumeVec3 brume_shape_direction(const BrumeShape *shape, BrumeVec3 point, float step);

/** The value of the samples of a volume at `point` [m]; false, and 0, outside its box and where they were not read. */
bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value);

/** The largest slope of the interpolated values of a volume in its own frame, along any direction [unit/m]. */
double brume_shape_slope(const BrumeShape *shape);

/** The smallest extent of a solid [m]: the distance of two parallel planes that it fits between, or less where factors
 * of scale are unequal; 0 for a volume and for a mesh, infinite for a plane. */
float brume_shape_thickness(const BrumeShape *shape);

/**
 * The first point inside `shape` on the way from `from` to `to`, as a fraction of the way; 2 if there is none. Exact
 * for a box; of a mesh, also where the way crosses its surface from inside; of the others, parts that are shorter than
 * 1e-4 of the way may be missed, but never a whole solid that is thinner.
 */
float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to);

/** Whether both are the same solid, of the same samples. */
bool brume_shape_equal(const BrumeShape *a, const BrumeShape *b);

/** The shape moved by a displacement [m], which its own frame follows. */
BrumeShape brume_shape_moved(const BrumeShape *shape, BrumeVec3 by);

/** The shape moved by a displacement [m], with its rotation changed by `turn` [degrees]. */
BrumeShape brume_shape_after_motion(const BrumeShape *shape, BrumeVec3 displacement, BrumeVec3 turn);

/**
 * An axis-aligned box around `shape`: lower and upper corner [m]. The smallest one of shapes that are not turned, and
 * of spheres; of a half space, finite but far.
 */
void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
