#include "raymarch/gl/gl_renderer.h"

#include <cglm/cglm.h>
#include <string.h>

// near enough for a camera inside of the smoke, far enough for the ground
static const float nearest = 0.01f; // [m]
static const float farthest = 1e3f; // [m]

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
    mat4 lens;
    mat4 both;
    glm_look(eye, ahead, above, view);
    glm_perspective(glm_rad(camera->field_of_view), aspect, nearest, farthest, lens);
    glm_mat4_mul(lens, view, both);
    memcpy(matrix, both, sizeof both);
}
