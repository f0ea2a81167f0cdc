#include "raymarch/picture_rays.h"

#include "core/elementary.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

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
    const BrumeVec3 centre = parallel ? brume_vec3(0.0f, 0.0f, 0.0f) : forward;
    const BrumeVec3 left_edge = brume_sub(centre, brume_scale(right, half_width));
    return (BrumePictureRays){
        .position = camera->position,
        .forward = forward,
        .corner = brume_add(left_edge, brume_scale(up, half_height)),
        .across = brume_scale(right, 2.0f * half_width / (float)width),
        .down = brume_scale(up, -2.0f * half_height / (float)height),
        .parallel = parallel,
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
