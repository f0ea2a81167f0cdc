#include "sim/lifecycle/animated_bodies.h"

#include "core/shape.h"
#include "core/vec3.h"

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

uint64_t brume_move_animated_bodies(uint64_t animated, const BrumeSimDef *now, const BrumeSimDef *targets,
                                    BrumeSimDef *settings, BrumeChange *change, BrumeMove *moves)
{
    uint64_t following = 0;
    for (int n = 0; n < now->body_count; n++) {
        const uint64_t bit = (uint64_t)1 << n;
        const BrumeShape *target = &targets->bodies[n].shape;
        const BrumeShape *present = &now->bodies[n].shape;
        const bool is_placed = (change->placed & bit) != 0;
        const BrumeBodyDef next = is_placed ? settings->bodies[n] : now->bodies[n];
        if ((animated & bit) == 0 || next.disabled) {
            continue;
        }
        const bool comes = now->bodies[n].disabled; // at once, not from where it was before
        const BrumeVec3 by =
            comes ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(brume_shape_pivot(target), brume_shape_pivot(present));
        const BrumeVec3 turn = comes ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(target->rotation, present->rotation);
        // a move changes the ends of a shape, so that one with another `position` begins with its ends elsewhere
        const bool is_shifted = brume_length(brume_sub(target->position, present->position)) > 0.0f;
        if (is_placed || is_shifted || !same_size(target, present)) {
            settings->bodies[n] = next;
            settings->bodies[n].shape = brume_shape_moved(target, brume_scale(by, -1.0f));
            settings->bodies[n].shape.rotation = brume_sub(target->rotation, turn);
            change->placed |= bit;
            change->settings = settings;
        }
        const BrumeMove move = {n, brume_scale(by, settings->fps), brume_scale(turn, settings->fps)};
        set_move(change, moves, &move);
        following |= bit;
    }
    return following;
}
