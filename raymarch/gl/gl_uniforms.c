#include "raymarch/gl/gl_uniforms.h"

#include "core/vec3.h"
#include "raymarch/intersect.h"

#include <cglm/cglm.h>
#include <string.h>

// clip planes: the near one for a camera inside the smoke, the far one for the ground
static const float near_plane = 0.01f; // [m]
static const float far_plane = 1e3f;   // [m]

static BrumeGlVec4 vec4_of(BrumeVec3 v, float w) { return (BrumeGlVec4){v.x, v.y, v.z, w}; }

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
    glm_perspective(glm_rad(camera->field_of_view), aspect, near_plane, far_plane, projection);
    glm_mat4_mul(projection, view, product);
    memcpy(matrix, product, sizeof product);
}

BrumeGlProgramVariant brume_gl_active_lights(const BrumeLitMedium *lit, int order[BRUME_MAX_LIGHTS])
{
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeGlProgramVariant variant = {.mixed = lit->medium.mixed};
    for (int pass = 0; pass < 2; pass++) {
        const BrumeLightKind kind = pass == 0 ? BRUME_LIGHT_DIRECTIONAL : BRUME_LIGHT_POINT;
        int *count = pass == 0 ? &variant.directional_lights : &variant.point_lights;
        for (int n = 0; n < settings->light_count; n++) {
            if (settings->lights[n].kind == kind && !brume_ground_blocks_light(settings, &settings->lights[n])) {
                order[variant.directional_lights + variant.point_lights] = n;
                (*count)++;
            }
        }
    }
    return variant;
}

void brume_gl_fill_settings(BrumeGlSceneBlock *scene, const BrumeRenderSettings *settings)
{
    scene->zenith = vec4_of(settings->sky_zenith, settings->anisotropy);
    scene->horizon = vec4_of(settings->sky_horizon, settings->ground_height);
    scene->ground = vec4_of(settings->ground_albedo, settings->ground ? 1.0f : 0.0f);
    scene->display = (BrumeGlVec4){exp2f(settings->exposure), settings->tone == BRUME_TONE_FILMIC ? 1.0f : 0.0f,
                                   (float)settings->surface_count, 0.0f};
    for (int n = 0; n < settings->surface_count; n++) {
        const BrumeShape *shape = &settings->surfaces[n].shape;
        scene->solids[n] = (BrumeGlSolid){vec4_of(shape->a, shape->radius), vec4_of(shape->b, (float)shape->kind),
                                          vec4_of(settings->surfaces[n].albedo, 0.0f)};
    }
}

// one texture coordinate of a sweep as an affine function of the point [cells]; the centre of the first texel is at 1/2
static BrumeGlVec4 texture_row(BrumeAffineCoordinate affine, float per_entry)
{
    return vec4_of(brume_scale(affine.slope, per_entry), (affine.offset + 0.5f) * per_entry);
}

static void fill_lights(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales)
{
    int order[BRUME_MAX_LIGHTS];
    const BrumeGlProgramVariant variant = brume_gl_active_lights(lit, order);
    const int directional = variant.directional_lights;
    for (int n = 0; n < directional; n++) {
        const BrumeLight *light = &lit->settings.lights[order[n]];
        const BrumeTransmittanceSweep *sweep = &lit->directional[order[n]];
        const BrumeVec3 per_entry = scales->lights[n];
        scene->directional_lights[n] = (BrumeGlDirectionalLight){
            .direction = vec4_of(light->direction, 0.0f),
            .color = vec4_of(brume_scale(light->color, light->intensity), 0.0f),
            .texture_row = {texture_row(sweep->u, per_entry.x), texture_row(sweep->n, per_entry.y),
                            texture_row(sweep->v, per_entry.z)},
        };
    }
    for (int n = 0; n < variant.point_lights; n++) {
        const BrumeLight *light = &lit->settings.lights[order[directional + n]];
        scene->point_lights[n] = (BrumeGlPointLight){
            .position = vec4_of(light->position, 0.0f),
            .color = vec4_of(brume_scale(light->color, light->intensity), 0.0f),
            .per_cell = vec4_of(scales->lights[directional + n], 0.0f),
        };
    }
}

void brume_gl_fill_scene(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales)
{
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeSkylight *sky = &lit->sky;
    memset(scene, 0, sizeof *scene);
    brume_gl_fill_settings(scene, &lit->settings);
    const BrumeVec3 cells = brume_grid_extent(medium->grid);
    scene->box = vec4_of(medium->origin, medium->dx);
    scene->size = vec4_of(cells, medium->dx * brume_max(cells.x, brume_max(cells.y, cells.z)));
    // from cells of the padded field to cells of the box
    const BrumeVec3 ghost = brume_vec3(0.5f, 0.5f, 0.5f);
    const bool occupied = medium->occupied_lower.x < medium->occupied_upper.x;
    const float margin = occupied ? scales->spread : 0.0f;
    const BrumeVec3 margins = brume_vec3(margin, margin, margin);
    scene->occupied_lower = vec4_of(brume_sub(brume_sub(medium->occupied_lower, ghost), margins), 0.0f);
    scene->occupied_upper = vec4_of(brume_add(brume_sub(medium->occupied_upper, ghost), margins), 0.0f);
    scene->medium = vec4_of(scales->medium, scales->extinction);
    scene->sky = vec4_of(scales->sky, scales->radiance);
    const BrumeVec3 map = brume_sub(sky->ground_upper, sky->ground_lower);
    scene->ground_map = (BrumeGlVec4){sky->ground_lower.x, sky->ground_lower.z, 1.0f / map.x, 1.0f / map.z};
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        scene->albedo[kind] = vec4_of(medium->mixed ? lit->settings.smoke[kind].albedo : medium->albedo, 0.0f);
    }
    fill_lights(scene, lit, scales);
}

void brume_gl_fill_view(BrumeGlViewBlock *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step)
{
    const BrumePictureRays rays = brume_picture_rays(camera, draw->width, draw->height);
    float matrix[16];
    brume_gl_projection(camera, (float)draw->width / (float)draw->height, matrix);
    const int shrink = draw->shrink;
    *view = (BrumeGlViewBlock){
        .eye = vec4_of(rays.position, 0.0f),
        .corner = vec4_of(rays.corner, 0.0f),
        .across = vec4_of(rays.across, 0.0f),
        .down = vec4_of(rays.down, 0.0f),
        .depth_row = {matrix[2], matrix[6], matrix[10], matrix[14]},
        .w_row = {matrix[3], matrix[7], matrix[11], matrix[15]},
        .picture = {(float)draw->x, (float)draw->y, (float)draw->height, step},
        .reduced = {shrink, (int32_t)draw->seed, 0, 0},
        .marched = {draw->clip_left / shrink, (draw->clip_right - 1) / shrink, 0, (draw->height - 1) / shrink},
    };
}
