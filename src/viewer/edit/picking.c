#include "viewer/edit/picking.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"

enum { MAX_STEPS = 256 };

static const float symbol_reach = 12.0f; // radius of the symbol of a light [points], times the scale of the screen

// of a mesh by its triangles; otherwise sphere tracing (Hart 1996): no point of the shape is nearer than the distance
float brume_pick_shape(const BrumeShape *shape, const BrumeRay *ray)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        const BrumeRayInterval inside = brume_ray_shape(ray, shape, 0.0f);
        return inside.enter < inside.leave ? inside.enter : -1.0f;
    }
    BrumeShape solid = *shape;
    solid.kind = shape->kind == BRUME_SHAPE_VOLUME ? BRUME_SHAPE_BOX : shape->kind;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(&solid, &lower, &upper);
    const BrumeVec3 middle = brume_scale(brume_add(lower, upper), 0.5f);
    const float reach = brume_length(brume_sub(middle, ray->origin)) + brume_length(brume_sub(upper, lower));
    float traveled = 0.0f;
    for (int n = 0; n < MAX_STEPS && traveled < reach; n++) {
        const float distance = brume_shape_distance(&solid, brume_ray_at(ray, traveled));
        if (distance <= 2e-5f * reach) {
            return traveled;
        }
        traveled += distance;
    }
    return -1.0f;
}

// returns the distance to a light if its symbol is at this point of the picture, otherwise -1
static float pick_light(const BrumeControls *controls, const BrumeLight *light, const BrumeScreen *screen,
                        BrumeScreenPoint at)
{
    const BrumeVec3 place = brume_light_place(controls, light);
    BrumeScreenPoint symbol;
    if (!brume_screen_project(screen, place, &symbol) ||
        hypotf(symbol.x - at.x, symbol.y - at.y) > symbol_reach * screen->scale) {
        return -1.0f;
    }
    return brume_length(brume_sub(place, screen->camera.position));
}

BrumeObject brume_pick_object(const BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at)
{
    const BrumeRay ray = brume_screen_ray(screen, at);
    BrumeObject best = {BRUME_OBJECT_NONE, 0};
    float best_distance = INFINITY;
    for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
        for (int n = 0; n < brume_object_count(controls, (BrumeObjectKind)kind); n++) {
            const BrumeObject object = {(BrumeObjectKind)kind, n};
            if (!brume_object_exists(controls, object)) {
                continue;
            }
            const BrumePose pose = brume_object_pose(controls, object);
            const BrumeShape shape = brume_shown_shape(controls, &pose.shape);
            const float distance = kind == BRUME_OBJECT_LIGHT ? pick_light(controls, &pose.light, screen, at)
                                                              : brume_pick_shape(&shape, &ray);
            if (distance >= 0.0f && distance < best_distance) {
                best = object;
                best_distance = distance;
            }
        }
    }
    return best;
}
