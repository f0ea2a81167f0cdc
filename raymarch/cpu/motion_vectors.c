// A point moves from its place in the picture of this frame to its place in the picture of the next one. The vector of
// a pixel is the mean over the points on the ray through its center, weighted by the light that is lost at each of
// them: the vectors of the smoke, and the surface or the sky behind it.
#include "raymarch/cpu/motion_vectors.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/intersect.h"

// a place in a picture [pixels], x to the right and y down
typedef struct PicturePoint {
    double x, y;
    bool visible; // false: it is behind the camera
} PicturePoint;

// The place in the picture of a point at `offset` from the camera. The plane of the picture is orthogonal to the
// viewing direction, and its axes to each other.
static PicturePoint place_of(const BrumePictureRays *rays, BrumeVec3 offset)
{
    const float depth = brume_dot(offset, rays->forward);
    if (!rays->parallel && !(depth > 0.0f)) {
        return (PicturePoint){0};
    }
    const double scale = rays->parallel ? 1.0 : (double)depth;
    const double right = (double)brume_dot(offset, rays->across) / scale;
    const double below = (double)brume_dot(offset, rays->down) / scale;
    return (PicturePoint){
        .x = (right - (double)brume_dot(rays->corner, rays->across)) / (double)brume_dot(rays->across, rays->across),
        .y = (below - (double)brume_dot(rays->corner, rays->down)) / (double)brume_dot(rays->down, rays->down),
        .visible = true,
    };
}

// sums over the points of a ray
typedef struct MotionSum {
    const BrumeMotionView *view;
    const BrumeRay *ray;
    double right, down; // [pixels]
} MotionSum;

static void add_motion(MotionSum *sum, PicturePoint now, PicturePoint next, float weight)
{
    if (now.visible && next.visible) {
        sum->right += (double)weight * (next.x - now.x);
        sum->down += (double)weight * (next.y - now.y);
    }
}

// adds the motion of a point [m] with a velocity [m/s]
static void add_point(MotionSum *sum, BrumeVec3 point, BrumeVec3 velocity, float weight)
{
    const BrumeMotionView *view = sum->view;
    const BrumeVec3 moved = brume_add(point, brume_scale(velocity, view->seconds));
    add_motion(sum, place_of(&view->now, brume_sub(point, view->now.position)),
               place_of(&view->next, brume_sub(moved, view->next.position)), weight);
}

// the callback of brume_march_weights: adds the motion of the smoke at a distance [m] along the ray
static void add_smoke(void *context, float distance, float weight)
{
    MotionSum *sum = context;
    const BrumeGridMedium *medium = &sum->view->lit->medium;
    const BrumeVec3 point = brume_ray_at(sum->ray, distance);
    BrumeVec3 velocity = {0};
    if (medium->has_velocity) {
        const BrumeVec3 cells = brume_scale(brume_sub(point, medium->origin), 1.0f / medium->dx);
        velocity = brume_scale(brume_grid_medium_velocity(medium, cells), medium->dx);
    }
    add_point(sum, point, velocity, weight);
}

BrumeMotionView brume_motion_view(const BrumeLitMedium *lit, const BrumeCamera *camera, const BrumeDrawDef *def)
{
    const BrumeCamera next = def->camera_at != NULL ? def->camera_at(def->camera_context, def->frame_seconds) : *camera;
    return (BrumeMotionView){
        .lit = lit,
        .now = brume_picture_rays(camera, def->width, def->height),
        .next = brume_picture_rays(&next, def->width, def->height),
        .seconds = (float)def->frame_seconds,
    };
}

void brume_motion_vector(const BrumeMotionView *view, int x, int y, float motion[2])
{
    const BrumeRenderSettings *settings = &view->lit->settings;
    const BrumeRay ray = brume_picture_ray(&view->now, (float)x + 0.5f, (float)y + 0.5f);
    const BrumeGridMedium *medium = &view->lit->medium;
    const BrumeVec3 extent = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    const BrumeSurfaceHit hit =
        brume_intersect_visible(settings, medium->origin, brume_add(medium->origin, extent), &ray, 0.0f);
    MotionSum sum = {.view = view, .ray = &ray};
    const float behind = brume_march_weights(view->lit, &ray, hit.distance, add_smoke, &sum);
    if (hit.surface != BRUME_HIT_SKY) {
        const BrumeVec3 at = brume_ray_at(&ray, hit.distance);
        BrumeVec3 velocity = {0};
        if (hit.surface >= 0 && brume_surface_moves(settings, hit.surface)) {
            const BrumeShape *shape = &settings->surfaces[hit.surface].shape;
            const BrumeVec3 spin = brume_shape_spin(shape, settings->surface_rotation_rates[hit.surface]);
            velocity = brume_add(settings->surface_velocities[hit.surface],
                                 brume_cross(spin, brume_sub(at, brume_shape_pivot(shape))));
        }
        add_point(&sum, at, velocity, behind);
    } else if (!view->now.parallel) { // infinitely far: only a turn of the camera moves it
        add_motion(&sum, place_of(&view->now, ray.direction), place_of(&view->next, ray.direction), behind);
    }
    motion[0] = (float)sum.right;
    motion[1] = (float)-sum.down;
}
