#include "scene/body_speed.h"

#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/animation.h"
#include "sim/boundary/boundary.h"

// the largest speed of the bodies of `start` that have these motions [m/s]
static double max_speed_by_motions(const BrumeSimDef *start, const BrumeMotion motions[BRUME_MAX_BODIES])
{
    double speed = 0.0;
    for (int n = 0; n < start->body_count; n++) {
        if (brume_body_is_solid(&start->bodies[n])) {
            const BrumeShape shape = brume_body_shape(start, n);
            speed = brume_fmax(speed, brume_speed_by_motions(start, motions, n, &shape));
        }
    }
    return speed;
}

double brume_scene_body_speed(const BrumeScene *scene)
{
    const BrumeTimeline *timeline = &scene->timeline;
    const double fps = (double)scene->sim.fps;
    double speed = 0.0;
    BrumeSimDef start = scene->sim;
    for (int frame = 0; frame < scene->frames && scene->animation.count > 0; frame++) {
        BrumeMotion motions[BRUME_MAX_BODIES] = {0};
        BrumeSimDef end = start;
        (void)brume_animation_apply_bodies(&scene->animation, (frame + 1) / fps, &end);
        for (int n = 0; n < start.body_count; n++) {
            const BrumeShape *const from = &start.bodies[n].shape;
            const BrumeShape *const to = &end.bodies[n].shape;
            motions[n].velocity =
                brume_scale(brume_sub(brume_shape_pivot(to), brume_shape_pivot(from)), scene->sim.fps);
            motions[n].rotation_rate = brume_scale(brume_sub(to->rotation, from->rotation), scene->sim.fps);
        }
        speed = brume_fmax(speed, max_speed_by_motions(&start, motions));
        start = end;
    }
    for (int n = 0; n < timeline->count; n++) {
        BrumeMotion motions[BRUME_MAX_BODIES] = {0};
        for (int m = 0; m < timeline->changes[n].move_count; m++) {
            const BrumeMove *const move = &timeline->changes[n].moves[m];
            motions[move->body].velocity = move->velocity;
            motions[move->body].rotation_rate = move->rotation_rate;
        }
        speed = brume_fmax(speed, max_speed_by_motions(&scene->sim, motions));
    }
    return speed;
}
