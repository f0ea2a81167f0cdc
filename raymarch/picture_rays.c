#include "raymarch/picture_rays.h"

#include "core/elementary.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

// pairs of random numbers that no light path reaches
enum { FIRST_CAMERA_DIMENSION = 1 << 30 };

BrumePictureRays brume_picture_rays(const BrumeCamera *camera, int width, int height)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    const bool parallel = camera->projection == BRUME_ORTHOGRAPHIC;
    const float half_height =
        parallel ? 0.5f * camera->height : brume_tanf(camera->field_of_view * (BRUME_PI / 360.0f));
    const float half_width = half_height * (float)width / (float)height;
    const BrumeVec3 center = parallel ? brume_vec3(0.0f, 0.0f, 0.0f) : forward;
    const BrumeVec3 left_edge = brume_sub(center, brume_scale(right, half_width));
    return (BrumePictureRays){
        .position = camera->position,
        .forward = forward,
        .corner = brume_add(left_edge, brume_scale(up, half_height)),
        .across = brume_scale(right, 2.0f * half_width / (float)width),
        .down = brume_scale(up, -2.0f * half_height / (float)height),
        .parallel = parallel,
        .lens_right = brume_scale(right, camera->lens_radius),
        .lens_up = brume_scale(up, camera->lens_radius),
        .focus = camera->focus > 0.0f ? camera->focus : brume_length(brume_sub(camera->target, camera->position)),
    };
}

BrumeRay brume_picture_ray(const BrumePictureRays *rays, float x, float y)
{
    const BrumeVec3 to_row = brume_add(rays->corner, brume_scale(rays->down, y));
    const BrumeVec3 to_point = brume_add(to_row, brume_scale(rays->across, x));
    if (rays->parallel) {
        return (BrumeRay){brume_add(rays->position, to_point), rays->forward};
    }
    return (BrumeRay){rays->position, brume_normalize(to_point)};
}

BrumeRay brume_picture_lens_ray(const BrumePictureRays *rays, float x, float y, float u, float v)
{
    const BrumeVec3 to_row = brume_add(rays->corner, brume_scale(rays->down, y));
    const BrumeVec3 to_point = brume_add(to_row, brume_scale(rays->across, x));
    const BrumeVec3 on_lens = brume_add(brume_scale(rays->lens_right, u), brume_scale(rays->lens_up, v));
    // a point of the picture is the image of one point in focus, on which the rays from the whole lens converge
    const BrumeVec3 center = rays->parallel ? brume_add(rays->position, to_point) : rays->position;
    const BrumeVec3 to_focus = brume_scale(rays->parallel ? rays->forward : to_point, rays->focus);
    return (BrumeRay){brume_add(center, on_lens), brume_normalize(brume_sub(to_focus, on_lens))};
}

// the point of the unit disk for two numbers in [0, 1): area-preserving, and concentric squares become circles (Shirley
// and Chiu, "A Low Distortion Map Between Disk and Square", Journal of Graphics Tools 2(3), 1997)
static BrumePair concentric_disk(BrumePair square)
{
    const float x = 2.0f * square.u - 1.0f;
    const float y = 2.0f * square.v - 1.0f;
    if (x == 0.0f && y == 0.0f) {
        return (BrumePair){0.0f, 0.0f};
    }
    const bool wide = x * x > y * y;
    const float radius = wide ? x : y;
    const float angle = wide ? 0.25f * BRUME_PI * (y / x) : 0.5f * BRUME_PI - 0.25f * BRUME_PI * (x / y);
    return (BrumePair){radius * brume_cosf(angle), radius * brume_sinf(angle)};
}

BrumePictureRays brume_exposed_rays(const BrumeCamera *camera, const BrumeDrawDef *def, float shutter)
{
    BrumePictureRays rays = brume_picture_rays(camera, def->width, def->height);
    rays.shutter = shutter;
    rays.def = def->camera_at != NULL ? def : NULL;
    return rays;
}

BrumeRay brume_picture_sample(const BrumePictureRays *rays, float x, float y, BrumePathSampler *sampler)
{
    BrumePathSampler numbers = *sampler;
    numbers.dimension = FIRST_CAMERA_DIMENSION;
    BrumePictureRays moved;
    if (rays->shutter > 0.0f) {
        sampler->time = (brume_path_pair(&numbers).u - 0.5f) * rays->shutter;
        if (rays->def != NULL) {
            const BrumeDrawDef *def = rays->def;
            const BrumeCamera camera = def->camera_at(def->camera_context, (double)sampler->time);
            moved = brume_picture_rays(&camera, def->width, def->height);
            rays = &moved;
        }
    }
    const bool pinhole = brume_dot(rays->lens_up, rays->lens_up) == 0.0f;
    if (pinhole) {
        return brume_picture_ray(rays, x, y);
    }
    numbers.dimension = FIRST_CAMERA_DIMENSION + 1;
    const BrumePair lens = concentric_disk(brume_path_pair(&numbers));
    return brume_picture_lens_ray(rays, x, y, lens.u, lens.v);
}
