/*
 * The own frames of shapes. Rotations are by Euler angles: about x, then y, then z, so that the matrix is Rz Ry Rx and
 * its columns are the own axes.
 */
#include "core/elementary.h"
#include "core/shape.h"
#include "core/vec3.h"

static const double PI = 3.14159265358979323846;

BrumeShape brume_shape_in_own_frame(const BrumeShape *shape)
{
    BrumeShape own = *shape;
    own.position = own.rotation = own.scale = brume_vec3(0.0f, 0.0f, 0.0f);
    return own;
}

// sine and cosine of an angle [degrees], exact at multiples of 90; else Taylor polynomials of degree 15 and 14, because
// frames are computed for each ray: brume_sin makes a picture of seven bodies take 1.3 times as long
static void sine_cosine(float degrees, double *sine, double *cosine)
{
    if (degrees == 0.0f) { // most often; the polynomials have these values too
        *sine = 0.0;
        *cosine = 1.0;
        return;
    }
    const double quarters = floor((double)degrees / 90.0 + 0.5);
    const double x = ((double)degrees - 90.0 * quarters) * (PI / 180.0);
    const double y = x * x;
    const double s =
        x * (1.0 -
             y * (1.0 / 6.0) *
                 (1.0 - y * (1.0 / 20.0) *
                            (1.0 - y * (1.0 / 42.0) *
                                       (1.0 - y * (1.0 / 72.0) *
                                                  (1.0 - y * (1.0 / 110.0) *
                                                             (1.0 - y * (1.0 / 156.0) * (1.0 - y * (1.0 / 210.0))))))));
    const double c =
        1.0 - y * 0.5 *
                  (1.0 - y * (1.0 / 12.0) *
                             (1.0 - y * (1.0 / 30.0) *
                                        (1.0 - y * (1.0 / 56.0) *
                                                   (1.0 - y * (1.0 / 90.0) *
                                                              (1.0 - y * (1.0 / 132.0) * (1.0 - y * (1.0 / 182.0)))))));
    const int turns = (int)quarters & 3;
    *sine = turns == 0 ? s : turns == 1 ? c : turns == 2 ? -s : -c;
    *cosine = turns == 0 ? c : turns == 1 ? -s : turns == 2 ? -c : s;
}

BrumeShapeFrame brume_shape_frame(const BrumeShape *shape)
{
    const BrumeVec3 own_pivot = brume_add(brume_shape_own_center(shape), shape->pivot);
    double sx;
    double cx;
    double sy;
    double cy;
    double sz;
    double cz;
    sine_cosine(shape->rotation.x, &sx, &cx);
    sine_cosine(shape->rotation.y, &sy, &cy);
    sine_cosine(shape->rotation.z, &sz, &cz);
    return (BrumeShapeFrame){
        .own_pivot = own_pivot,
        .pivot = brume_add(own_pivot, shape->position),
        .axes = {{(float)(cz * cy), (float)(sz * cy), (float)-sy},
                 {(float)(cz * sy * sx - sz * cx), (float)(sz * sy * sx + cz * cx), (float)(cy * sx)},
                 {(float)(cz * sy * cx + sz * sx), (float)(sz * sy * cx - cz * sx), (float)(cy * cx)}},
        .scale = brume_shape_scale(shape),
    };
}

BrumeVec3 brume_frame_own_vector(const BrumeShapeFrame *frame, BrumeVec3 vector)
{
    return brume_vec3(brume_dot(frame->axes[0], vector) / frame->scale.x,
                      brume_dot(frame->axes[1], vector) / frame->scale.y,
                      brume_dot(frame->axes[2], vector) / frame->scale.z);
}

BrumeVec3 brume_frame_own_point(const BrumeShapeFrame *frame, BrumeVec3 point)
{
    return brume_add(frame->own_pivot, brume_frame_own_vector(frame, brume_sub(point, frame->pivot)));
}

// the sum of the own axes with these components
static BrumeVec3 along_axes(const BrumeShapeFrame *frame, BrumeVec3 components)
{
    return brume_add(brume_add(brume_scale(frame->axes[0], components.x), brume_scale(frame->axes[1], components.y)),
                     brume_scale(frame->axes[2], components.z));
}

BrumeVec3 brume_frame_point(const BrumeShapeFrame *frame, BrumeVec3 own_point)
{
    return brume_add(frame->pivot, along_axes(frame, brume_mul(brume_sub(own_point, frame->own_pivot), frame->scale)));
}

BrumeVec3 brume_frame_normal(const BrumeShapeFrame *frame, BrumeVec3 own_normal)
{
    const BrumeVec3 components = {own_normal.x / frame->scale.x, own_normal.y / frame->scale.y,
                                  own_normal.z / frame->scale.z};
    return brume_normalize(along_axes(frame, components));
}

BrumeVec3 brume_shape_center(const BrumeShape *shape)
{
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeVec3 center = brume_shape_own_center(shape);
    return brume_shape_is_placed(shape) ? brume_frame_point(&frame, center) : center;
}

BrumeVec3 brume_shape_pivot(const BrumeShape *shape)
{
    return brume_add(brume_add(brume_shape_own_center(shape), shape->pivot), shape->position);
}

BrumeVec3 brume_shape_spin(const BrumeShape *shape, BrumeVec3 rates)
{
    const float radians = (float)(PI / 180.0);
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    double sine;
    double cosine;
    sine_cosine(shape->rotation.z, &sine, &cosine);
    const BrumeVec3 about_x = brume_scale(frame.axes[0], rates.x);
    const BrumeVec3 about_y = brume_scale(brume_vec3((float)-sine, (float)cosine, 0.0f), rates.y);
    return brume_scale(brume_add(brume_add(about_x, about_y), brume_vec3(0.0f, 0.0f, rates.z)), radians);
}

BrumeVec3 brume_rotation_towards(BrumeVec3 direction)
{
    const float degrees = (float)(180.0 / PI);
    const float level = sqrtf(direction.x * direction.x + direction.y * direction.y);
    return brume_vec3(degrees * brume_atan2f(direction.z, level), 0.0f,
                      level > 0.0f ? degrees * brume_atan2f(-direction.x, direction.y) : 0.0f);
}

static bool same_point(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

BrumeShape brume_shape_moved(const BrumeShape *shape, BrumeVec3 by)
{
    BrumeShape moved = *shape;
    moved.a = brume_add(shape->a, by);
    moved.b = brume_add(shape->b, by);
    return moved;
}

BrumeShape brume_shape_after_motion(const BrumeShape *shape, BrumeVec3 displacement, BrumeVec3 turn)
{
    BrumeShape after = brume_shape_moved(shape, displacement);
    after.rotation = brume_add(after.rotation, turn);
    return after;
}

bool brume_shape_equal(const BrumeShape *a, const BrumeShape *b)
{
    return a->kind == b->kind && same_point(a->a, b->a) && same_point(a->b, b->b) && a->radius == b->radius &&
           a->second_radius == b->second_radius && same_point(a->position, b->position) &&
           same_point(a->rotation, b->rotation) && same_point(brume_shape_scale(a), brume_shape_scale(b)) &&
           same_point(a->pivot, b->pivot) && a->samples == b->samples && a->mesh == b->mesh &&
           a->threshold == b->threshold;
}
