#include "scene/format/animated_bodies.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/animation.h"

#include <stddef.h>

// differences of sizes below this fraction are rounding
static const float size_tolerance = 1e-5f;

static bool same_vector(BrumeVec3 a, BrumeVec3 b)
{
    return brume_length(brume_sub(a, b)) <= size_tolerance * brume_length(a);
}

// whether two shapes differ by their places and rotations alone, up to rounding
static bool same_size(const BrumeShape *a, const BrumeShape *b)
{
    const BrumeVec3 sides = brume_sub(a->b, a->a);
    const BrumeVec3 others = brume_sub(b->b, b->a);
    return a->kind == b->kind && fabsf(a->radius - b->radius) <= size_tolerance * fabsf(a->radius) &&
           fabsf(a->second_radius - b->second_radius) <= size_tolerance * fabsf(a->second_radius) &&
           same_vector(a->scale, b->scale) && same_vector(a->pivot, b->pivot) &&
           (brume_shape_has_one_point(a) ||
            brume_length(brume_sub(sides, others)) <= size_tolerance * brume_length(sides));
}

static void set_move(BrumeChange *change, BrumeMove *moves, const BrumeMove *move)
{
    int count = 0;
    for (int n = 0; n < change->move_count; n++) {
        if (moves[n].body != move->body) {
            moves[count++] = moves[n];
        }
    }
    if (brume_length(move->velocity) > 0.0f || brume_length(move->rotation_rate) > 0.0f) {
        moves[count++] = *move;
    }
    change->moves = moves;
    change->move_count = count;
}

BrumeVec3 brume_displacement_without_keys(const BrumeAnimation *animation, int body, BrumeVec3 displacement)
{
    for (int n = 0; n < animation->count; n++) {
        BrumeAnimatedMember member;
        if (brume_animated_find(animation->values[n].path, &member) && member.owner == BRUME_ANIMATED_SOLID &&
            member.index == body && member.setting->offset == offsetof(BrumeShape, position)) {
            *(&displacement.x + member.component) = 0.0f;
        }
    }
    return displacement;
}

// the bodies at the start of the frame: those of `now`, or as the change places them
static BrumeSimDef bodies_at_start(const BrumeAnimation *animation, double time, const BrumeSimDef *now,
                                   const BrumeSimDef *settings, uint64_t placed)
{
    BrumeSimDef start = *settings;
    start.body_count = now->body_count;
    (void)brume_animation_apply_bodies(animation, time, &start);
    for (int n = 0; n < now->body_count; n++) {
        if ((placed >> n & 1) == 0) {
            start.bodies[n] = now->bodies[n];
        }
    }
    return start;
}

// the bodies at the end of the frame, and a bit for each that has keys
static uint64_t bodies_at_end(const BrumeAnimation *animation, double time, const BrumeChange *change,
                              const BrumeMove *moves, BrumeSimDef *bodies)
{
    for (int n = 0; n < change->move_count; n++) {
        const int body = moves[n].body;
        if (body >= 0 && body < bodies->body_count) {
            BrumeShape *shape = &bodies->bodies[body].shape;
            const BrumeVec3 by = brume_scale(moves[n].velocity, 1.0f / bodies->fps);
            *shape = brume_shape_after_motion(shape, brume_displacement_without_keys(animation, body, by),
                                              brume_scale(moves[n].rotation_rate, 1.0f / bodies->fps));
        }
    }
    return brume_animation_apply_bodies(animation, time + 1.0 / (double)bodies->fps, bodies);
}

void brume_move_animated_bodies(const BrumeAnimation *animation, double time, const BrumeSimDef *now,
                                BrumeSimDef *settings, BrumeChange *change, BrumeMove *moves)
{
    if (animation->count == 0) {
        return;
    }
    const BrumeSimDef start = bodies_at_start(animation, time, now, settings, change->placed);
    BrumeSimDef end = start;
    const uint64_t animated = bodies_at_end(animation, time, change, moves, &end);
    for (int n = 0; n < now->body_count; n++) {
        const uint64_t bit = (uint64_t)1 << n;
        const BrumeShape *target = &end.bodies[n].shape;
        const BrumeShape *present = &start.bodies[n].shape;
        if ((animated & bit) == 0 || start.bodies[n].disabled) {
            continue;
        }
        const bool comes = now->bodies[n].disabled; // at once, not from where it was before
        const BrumeVec3 by =
            comes ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(brume_shape_pivot(target), brume_shape_pivot(present));
        const BrumeVec3 turn = comes ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(target->rotation, present->rotation);
        // a move changes the ends of a shape, so that one with another `position` begins with its ends elsewhere
        const bool is_shifted = brume_length(brume_sub(target->position, present->position)) > 0.0f;
        if ((change->placed & bit) != 0 || is_shifted || !same_size(target, present)) {
            settings->bodies[n] = start.bodies[n];
            settings->bodies[n].shape = brume_shape_moved(target, brume_scale(by, -1.0f));
            settings->bodies[n].shape.rotation = brume_sub(target->rotation, turn);
            change->placed |= bit;
            change->settings = settings;
        }
        const BrumeMove move = {n, brume_scale(by, settings->fps), brume_scale(turn, settings->fps)};
        set_move(change, moves, &move);
    }
}
