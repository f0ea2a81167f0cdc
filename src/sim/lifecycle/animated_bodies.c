#include "sim/lifecycle/animated_bodies.h"

#include "core/shape.h"
#include "core/vec3.h"

// differences of sizes below this fraction are rounding
static const float size_tolerance = 1e-5f;

static BrumeVec3 shape_center(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_SPHERE ? shape->a : brume_scale(brume_add(shape->a, shape->b), 0.5f);
}

// whether two shapes differ by their places alone, up to rounding
static bool same_size(const BrumeShape *a, const BrumeShape *b)
{
    const BrumeVec3 sides = brume_sub(a->b, a->a);
    const BrumeVec3 others = brume_sub(b->b, b->a);
    const bool has_sides = a->kind != BRUME_SHAPE_SPHERE;
    return a->kind == b->kind && fabsf(a->radius - b->radius) <= size_tolerance * fabsf(a->radius) &&
           (!has_sides || brume_length(brume_sub(sides, others)) <= size_tolerance * brume_length(sides));
}

static void set_move(BrumeChange *change, BrumeMove *moves, int body, BrumeVec3 velocity)
{
    int count = 0;
    for (int n = 0; n < change->move_count; n++) {
        if (moves[n].body != body) {
            moves[count++] = moves[n];
        }
    }
    if (brume_length(velocity) > 0.0f) {
        moves[count++] = (BrumeMove){body, velocity};
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
            comes ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(shape_center(target), shape_center(present));
        if (is_placed || !same_size(target, present)) {
            settings->bodies[n] = next;
            settings->bodies[n].shape = brume_shape_moved(target, brume_scale(by, -1.0f));
            change->placed |= bit;
            change->settings = settings;
        }
        set_move(change, moves, n, brume_scale(by, settings->fps));
        following |= bit;
    }
    return following;
}
