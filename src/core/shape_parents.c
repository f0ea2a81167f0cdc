/*
 * Shapes in the frame of another shape. Rotations are composed as matrices, from which the Euler angles about x, then
 * y, then z follow: with M = Rz Ry Rx, z is the angle of the first column in the plane of x and y, y its angle to this
 * plane, and x is found from Rz^-1 M, so that an error of z, which is undefined where y is a right angle, is balanced.
 */
#include "core/elementary.h"
#include "core/shape.h"
#include "core/vec3.h"

static const double DEGREES = 180.0 / 3.14159265358979323846; // of a radian

// the angles of the rotation with these columns [degrees]
static BrumeVec3 euler_angles(const BrumeVec3 columns[3])
{
    const double m00 = (double)columns[0].x;
    const double m10 = (double)columns[0].y;
    const double m20 = (double)columns[0].z;
    const double level = sqrt(m00 * m00 + m10 * m10);
    const double z = brume_atan2(m10, m00);
    const double cosine = level > 0.0 ? m00 / level : 1.0;
    const double sine = level > 0.0 ? m10 / level : 0.0;
    const double m11 = cosine * (double)columns[1].y - sine * (double)columns[1].x;
    const double m12 = cosine * (double)columns[2].y - sine * (double)columns[2].x;
    return brume_vec3((float)(DEGREES * brume_atan2(-m12, m11)), (float)(DEGREES * brume_atan2(-m20, level)),
                      (float)(DEGREES * (level > 0.0 ? z : 0.0)));
}

// the frame that shapes with this parent have: with its pivot as the origin
static BrumeShapeFrame frame_of(const BrumeShape *parent)
{
    BrumeShapeFrame frame = brume_shape_frame(parent);
    frame.own_pivot = brume_vec3(0.0f, 0.0f, 0.0f);
    return frame;
}

// the same without its place and its scale
static BrumeShapeFrame rotation_of(const BrumeShape *parent)
{
    BrumeShapeFrame frame = frame_of(parent);
    frame.pivot = brume_vec3(0.0f, 0.0f, 0.0f);
    frame.scale = brume_vec3(1.0f, 1.0f, 1.0f);
    return frame;
}

// the rotation of a shape, after which that of its parent or the inverse of it follows
static BrumeVec3 turned(const BrumeShape *parent, const BrumeShape *shape, bool inverse)
{
    if (!brume_shape_is_turned(parent)) {
        return shape->rotation;
    }
    const BrumeShapeFrame outer = rotation_of(parent);
    const BrumeShapeFrame own = brume_shape_frame(shape);
    BrumeVec3 columns[3];
    for (int n = 0; n < 3; n++) {
        columns[n] = inverse ? brume_frame_own_vector(&outer, own.axes[n]) : brume_frame_point(&outer, own.axes[n]);
    }
    return euler_angles(columns);
}

// moves the pivot of a shape to `pivot`
static void place_pivot(BrumeShape *shape, BrumeVec3 pivot)
{
    shape->position = brume_add(shape->position, brume_sub(pivot, brume_shape_pivot(shape)));
}

BrumeShape brume_shape_out_of(const BrumeShape *parent, const BrumeShape *shape)
{
    const BrumeShapeFrame frame = frame_of(parent);
    const BrumeShapeFrame own = brume_shape_frame(shape);
    BrumeShape placed = *shape;
    place_pivot(&placed, brume_frame_point(&frame, own.pivot));
    placed.rotation = turned(parent, shape, false);
    placed.scale = brume_scale(own.scale, frame.scale.x);
    return placed;
}

BrumeShape brume_shape_into(const BrumeShape *parent, const BrumeShape *shape)
{
    const BrumeShapeFrame frame = frame_of(parent);
    const BrumeShapeFrame own = brume_shape_frame(shape);
    BrumeShape inner = *shape;
    place_pivot(&inner, brume_frame_own_point(&frame, own.pivot));
    inner.rotation = turned(parent, shape, true);
    inner.scale = brume_scale(own.scale, 1.0f / frame.scale.x);
    return inner;
}

BrumeVec3 brume_vector_out_of(const BrumeShape *parent, BrumeVec3 vector)
{
    BrumeShapeFrame frame = frame_of(parent);
    frame.pivot = brume_vec3(0.0f, 0.0f, 0.0f);
    return brume_frame_point(&frame, vector);
}

BrumeVec3 brume_vector_into(const BrumeShape *parent, BrumeVec3 vector)
{
    const BrumeShapeFrame frame = frame_of(parent);
    return brume_frame_own_vector(&frame, vector);
}

static float angle_near(float angle, float to) { return angle + 360.0f * floorf((to - angle) / 360.0f + 0.5f); }

static BrumeVec3 angles_near(BrumeVec3 angles, BrumeVec3 to)
{
    return brume_vec3(angle_near(angles.x, to.x), angle_near(angles.y, to.y), angle_near(angles.z, to.z));
}

BrumeVec3 brume_rotation_near(BrumeVec3 rotation, BrumeVec3 to)
{
    const BrumeVec3 same = angles_near(rotation, to);
    const BrumeVec3 other = // Rz(z) Ry(y) Rx(x) = Rz(z + 180) Ry(180 - y) Rx(x + 180)
        angles_near(brume_vec3(rotation.x + 180.0f, 180.0f - rotation.y, rotation.z + 180.0f), to);
    return brume_length(brume_sub(other, to)) < brume_length(brume_sub(same, to)) ? other : same;
}
