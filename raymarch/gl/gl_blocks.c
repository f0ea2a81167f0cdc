#include "raymarch/gl/gl_blocks.h"
#include "core/vec3.h"

#include <string.h>

static BrumeGlVec4 with(BrumeVec3 v, float w) { return (BrumeGlVec4){v.x, v.y, v.z, w}; }

BrumeGlVariant brume_gl_shining(const BrumeRenderer *lit, int order[BRUME_MAX_LIGHTS])
{
    const BrumeRenderSettings *look = &lit->look;
    BrumeGlVariant variant = {.mixed = lit->smoke.mixed};
    for (int pass = 0; pass < 2; pass++) {
        const BrumeLightKind kind = pass == 0 ? BRUME_LIGHT_DIRECTIONAL : BRUME_LIGHT_POINT;
        int *count = pass == 0 ? &variant.suns : &variant.lamps;
        for (int n = 0; n < look->light_count; n++) {
            if (look->lights[n].kind == kind && !brume_light_hidden(look, &look->lights[n])) {
                order[variant.suns + variant.lamps] = n;
                (*count)++;
            }
        }
    }
    return variant;
}

void brume_gl_fill_look(BrumeGlScene *scene, const BrumeRenderSettings *look)
{
    scene->zenith = with(look->sky_zenith, look->anisotropy);
    scene->horizon = with(look->sky_horizon, look->ground_height);
    scene->ground = with(look->ground_albedo, look->ground ? 1.0f : 0.0f);
    scene->display = (BrumeGlVec4){exp2f(look->exposure), look->tone == BRUME_TONE_FILMIC ? 1.0f : 0.0f,
                                   (float)look->surface_count, 0.0f};
    for (int n = 0; n < look->surface_count; n++) {
        const BrumeShape *shape = &look->surfaces[n].shape;
        scene->solids[n] = (BrumeGlSolid){with(shape->a, shape->radius), with(shape->b, (float)shape->kind),
                                          with(look->surfaces[n].albedo, 0.0f)};
    }
}

// from a place [cells] to one of a sweep's three texture coordinates: the middle of its first texel is 1/2
static BrumeGlVec4 texture_row(BrumeAffine affine, float per_entry)
{
    return with(brume_scale(affine.slope, per_entry), (affine.offset + 0.5f) * per_entry);
}

static void fill_lights(BrumeGlScene *scene, const BrumeRenderer *lit, const BrumeGlScales *scales)
{
    int order[BRUME_MAX_LIGHTS];
    const BrumeGlVariant variant = brume_gl_shining(lit, order);
    for (int n = 0; n < variant.suns; n++) {
        const BrumeLight *light = &lit->look.lights[order[n]];
        const BrumeSweep *sweep = &lit->suns[order[n]];
        const BrumeVec3 per_entry = scales->lights[n];
        scene->suns[n] = (BrumeGlSun){
            .travel = with(light->direction, 0.0f),
            .color = with(brume_scale(light->color, light->intensity), 0.0f),
            .row = {texture_row(sweep->u, per_entry.x), texture_row(sweep->n, per_entry.y),
                    texture_row(sweep->v, per_entry.z)},
        };
    }
    for (int n = 0; n < variant.lamps; n++) {
        const BrumeLight *light = &lit->look.lights[order[variant.suns + n]];
        scene->lamps[n] = (BrumeGlLamp){
            .position = with(light->position, 0.0f),
            .color = with(brume_scale(light->color, light->intensity), 0.0f),
            .per_cell = with(scales->lights[variant.suns + n], 0.0f),
        };
    }
}

void brume_gl_fill_scene(BrumeGlScene *scene, const BrumeRenderer *lit, const BrumeGlScales *scales)
{
    const BrumeSmoke *smoke = &lit->smoke;
    const BrumeSkylight *sky = &lit->sky;
    memset(scene, 0, sizeof *scene);
    brume_gl_fill_look(scene, &lit->look);
    const BrumeVec3 cells = brume_vec3((float)smoke->grid.nx, (float)smoke->grid.ny, (float)smoke->grid.nz);
    scene->box = with(smoke->origin, smoke->dx);
    scene->size = with(cells, smoke->dx * brume_max(cells.x, brume_max(cells.y, cells.z)));
    // from the padded field's cells to the box's
    const BrumeVec3 beyond = brume_vec3(scales->spread, scales->spread, scales->spread);
    const BrumeVec3 ghost = brume_vec3(0.5f, 0.5f, 0.5f);
    const bool filled = smoke->filled_lower.x < smoke->filled_upper.x;
    const BrumeVec3 wider = filled ? beyond : brume_vec3(0.0f, 0.0f, 0.0f);
    scene->filled_lower = with(brume_sub(brume_sub(smoke->filled_lower, ghost), wider), 0.0f);
    scene->filled_upper = with(brume_add(brume_sub(smoke->filled_upper, ghost), wider), 0.0f);
    scene->smoke = with(scales->smoke, scales->extinction);
    scene->sky = with(scales->sky, scales->light);
    const BrumeVec3 map = brume_sub(sky->ground_upper, sky->ground_lower);
    scene->ground_map = (BrumeGlVec4){sky->ground_lower.x, sky->ground_lower.z, 1.0f / map.x, 1.0f / map.z};
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        scene->albedo[kind] = with(smoke->mixed ? lit->look.smoke[kind].albedo : smoke->albedo, 0.0f);
    }
    fill_lights(scene, lit, scales);
}

void brume_gl_fill_view(BrumeGlView *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step)
{
    const BrumeView rays = brume_view(camera, draw->width, draw->height);
    float matrix[16];
    brume_gl_projection(camera, (float)draw->width / (float)draw->height, matrix);
    const int shrink = draw->shrink;
    *view = (BrumeGlView){
        .eye = with(rays.position, 0.0f),
        .corner = with(rays.corner, 0.0f),
        .across = with(rays.across, 0.0f),
        .down = with(rays.down, 0.0f),
        .depth_row = {matrix[2], matrix[6], matrix[10], matrix[14]},
        .w_row = {matrix[3], matrix[7], matrix[11], matrix[15]},
        .picture = {(float)draw->x, (float)draw->y, (float)draw->height, step},
        .reduced = {shrink, (int32_t)draw->seed, 0, 0},
        .marched = {draw->clip_left / shrink, (draw->clip_right - 1) / shrink, 0, (draw->height - 1) / shrink},
    };
}
