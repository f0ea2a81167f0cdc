#include "raymarch/gl/gl_view.h"

#include "raymarch/picture_rays.h"

#include <cglm/cglm.h>
#include <string.h>

// clip planes: the near one for a camera inside the smoke, the far one for the ground
static const float near_plane = 0.01f; // [m]
static const float far_plane = 1e3f;   // [m]

void brume_gl_projection(const BrumeCamera *camera, float aspect, float matrix[16])
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    vec3 eye = {camera->position.x, camera->position.y, camera->position.z};
    vec3 ahead = {forward.x, forward.y, forward.z};
    vec3 above = {up.x, up.y, up.z};
    mat4 view;
    mat4 projection;
    mat4 product;
    glm_look(eye, ahead, above, view);
    if (camera->projection == BRUME_ORTHOGRAPHIC) {
        const float half = 0.5f * camera->height;
        glm_ortho(-half * aspect, half * aspect, -half, half, near_plane, far_plane, projection);
    } else {
        glm_perspective(glm_rad(camera->field_of_view), aspect, near_plane, far_plane, projection);
    }
    glm_mat4_mul(projection, view, product);
    memcpy(matrix, product, sizeof product);
}

void brume_gl_fill_view(BrumeGlViewBlock *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step)
{
    const BrumePictureRays rays = brume_picture_rays(camera, draw->width, draw->height);
    float matrix[16];
    brume_gl_projection(camera, (float)draw->width / (float)draw->height, matrix);
    const int shrink = draw->shrink;
    *view = (BrumeGlViewBlock){
        .eye = brume_gl_vec4(rays.position, 0.0f),
        .corner = brume_gl_vec4(rays.corner, 0.0f),
        .across = brume_gl_vec4(rays.across, 0.0f),
        .down = brume_gl_vec4(rays.down, 0.0f),
        .depth_row = {matrix[2], matrix[6], matrix[10], matrix[14]},
        .w_row = {matrix[3], matrix[7], matrix[11], matrix[15]},
        .picture = {(float)draw->x, (float)draw->y, (float)draw->height, step},
        .reduced = {shrink, (int32_t)draw->seed, 0, 0},
        .marched = {draw->clip_left / shrink, (draw->clip_right - 1) / shrink, 0, (draw->height - 1) / shrink},
        .forward = brume_gl_vec4(rays.forward, rays.parallel ? 1.0f : 0.0f),
    };
}
