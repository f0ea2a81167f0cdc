// What lies under a point of the picture.
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"

#include <assert.h>

BrumePick brume_renderer_pick(const BrumeRenderer *renderer, const BrumeCamera *camera, int width, int height, float x,
                              float y)
{
    assert(width > 0 && height > 0);
    const BrumeSmoke *smoke = &renderer->smoke;
    const BrumeView view = brume_view(camera, width, height);
    const BrumeRay ray = brume_view_ray(&view, x, y);
    const BrumeBackdrop backdrop = brume_backdrop(&renderer->look, &ray);
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = backdrop.distance, .surface = -1};
    if (backdrop.surface >= 0) {
        pick.kind = BRUME_PICK_SURFACE;
        pick.surface = backdrop.surface;
    } else if (backdrop.surface == BRUME_GROUND) {
        pick.kind = BRUME_PICK_GROUND;
    }
    if (smoke->grid.nx > 0) { // something is loaded
        const BrumeVec3 cells = brume_vec3((float)smoke->grid.nx, (float)smoke->grid.ny, (float)smoke->grid.nz);
        const BrumeStretch inside =
            brume_ray_box(&ray, smoke->origin, brume_add(smoke->origin, brume_scale(cells, smoke->dx)));
        pick.enter = brume_max(inside.enter, 0.0f);
        pick.leave = inside.leave;
        const float half = brume_march_to_share(renderer, &ray, backdrop.distance, 0.5f);
        if (half < INFINITY) {
            pick.kind = BRUME_PICK_SMOKE;
            pick.distance = half;
            pick.surface = -1;
        }
    }
    if (pick.kind != BRUME_PICK_SKY) {
        pick.point = brume_ray_at(&ray, pick.distance);
    }
    return pick;
}

bool brume_renderer_bounds(const BrumeRenderer *renderer, BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    if (!(smoke->filled_lower.x <= smoke->filled_upper.x) || !(smoke->dx > 0.0f)) {
        return false;
    }
    // from cells of the padded field, within the box
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 from = brume_sub(smoke->filled_lower, half);
    const BrumeVec3 to = brume_sub(smoke->filled_upper, half);
    const BrumeGrid grid = smoke->grid;
    const BrumeVec3 first = brume_vec3(brume_max(from.x, 0.0f), brume_max(from.y, 0.0f), brume_max(from.z, 0.0f));
    const BrumeVec3 last =
        brume_vec3(brume_min(to.x, (float)grid.nx), brume_min(to.y, (float)grid.ny), brume_min(to.z, (float)grid.nz));
    *lower = brume_add(smoke->origin, brume_scale(first, smoke->dx));
    *upper = brume_add(smoke->origin, brume_scale(last, smoke->dx));
    return true;
}
