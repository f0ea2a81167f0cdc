#include "raymarch/gl/gl_uniforms.h"

#include "core/elementary.h"
#include "core/mesh.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/color_map.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"
#include "raymarch/intersect.h"
#include "raymarch/light/sky_image.h"

#include <string.h>

BrumeGlProgramVariant brume_gl_active_lights(const BrumeLitMedium *lit, int order[BRUME_MAX_LIGHTS])
{
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeGlProgramVariant variant = {.mixed = lit->medium.mixed,
                                     .glows = lit->medium.glows,
                                     .cubic = lit->medium.cubic,
                                     .particles = brume_lit_medium_shading(lit)->smoke_alone != NULL};
    variant.sampled = settings->flow && settings->flow->pressure;
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        const BrumeShapeKind kind = brume_drawn_solid(settings, n)->shape.kind;
        variant.sampled = variant.sampled || kind == BRUME_SHAPE_MESH || kind == BRUME_SHAPE_VOLUME ||
                          brume_drawn_solid(settings, n)->texture;
    }
    for (int pass = 0; pass < 2; pass++) {
        int *count = pass == 0 ? &variant.directional_lights : &variant.point_lights;
        for (int n = 0; n < settings->light_count; n++) {
            const bool directional = settings->lights[n].kind == BRUME_LIGHT_DIRECTIONAL;
            if (directional == (pass == 0) && !brume_ground_blocks_light(settings, &settings->lights[n])) {
                order[variant.directional_lights + variant.point_lights] = n;
                (*count)++;
            }
        }
    }
    return variant;
}

// shaders/uniforms.glsl: what a kind of shape has beside its points and its radius
static BrumeGlVec4 more_of(const BrumeShape *shape, const BrumeGlSolids *solids)
{
    const float row = (float)brume_gl_solids_row(solids, shape);
    switch (shape->kind) {
    case BRUME_SHAPE_CONE:
    case BRUME_SHAPE_TORUS:
        return (BrumeGlVec4){shape->second_radius, brume_shape_detail(shape), 0.0f, 0.0f};
    case BRUME_SHAPE_VOLUME:
        return (BrumeGlVec4){row, row < 0.0f ? 0.0f : brume_shape_detail(shape),
                             row < 0.0f ? 0.0f : (float)brume_shape_slope(shape), 0.0f};
    case BRUME_SHAPE_MESH:
        return (BrumeGlVec4){row, 0.0f, 0.0f, row >= 0.0f && brume_mesh_info(shape->mesh)->closed ? 1.0f : 0.0f};
    default:
        return (BrumeGlVec4){0.0f, 0.0f, 0.0f, 0.0f};
    }
}

static BrumeGlSolid solid_of(const BrumeSurface *surface, const BrumeGlSolids *solids)
{
    const BrumeShape *shape = &surface->shape;
    const bool is_volume = shape->kind == BRUME_SHAPE_VOLUME;
    BrumeGlSolid solid = {brume_gl_vec4(shape->a, is_volume ? shape->threshold : shape->radius),
                          brume_gl_vec4(shape->b, (float)shape->kind),
                          brume_gl_vec4(surface->albedo, 0.0f),
                          more_of(shape, solids),
                          {(float)brume_gl_solids_texture_row(solids, surface), 0.0f, 0.0f, 0.0f},
                          {{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeVec3 start = brume_frame_own_point(&frame, brume_vec3(0.0f, 0.0f, 0.0f));
    for (int axis = 0; brume_shape_is_placed(shape) && axis < 3; axis++) {
        const float factor = 1.0f / brume_component(frame.scale, axis);
        solid.own[axis] = brume_gl_vec4(brume_scale(frame.axes[axis], factor), brume_component(start, axis));
    }
    return solid;
}

// the pressure on solids, as a volume behind all solids, and its colors
static void fill_pressure(BrumeGlSceneBlock *scene, const BrumeRenderSettings *settings, const BrumeGlSolids *solids)
{
    const BrumeSamples *pressure = settings->flow ? settings->flow->pressure : NULL;
    double lower[3];
    double upper[3];
    if (!pressure) {
        return;
    }
    brume_samples_bounds(&pressure, 1, lower, upper);
    const BrumeSurface volume = {
        .shape = {.kind = BRUME_SHAPE_VOLUME,
                  .a = brume_vec3((float)lower[0], (float)lower[1], (float)lower[2]),
                  .b = brume_vec3((float)upper[0], (float)upper[1], (float)upper[2]),
                  .samples = pressure},
    };
    scene->solids[BRUME_MAX_SURFACES + 1] = solid_of(&volume, solids);
    const BrumeFlowColors colors = brume_flow_colors_resolved(&settings->surface_colors, settings->reference_speed);
    const bool has_values = brume_gl_solids_row(solids, &volume.shape) >= 0;
    const float values[BRUME_VOLUME_KINDS] = {colors.lower, has_values ? 1.0f : 0.0f, 0.0f, colors.upper};
    for (int n = 0; n < BRUME_VOLUME_KINDS; n++) {
        scene->pressure_map[n] = brume_gl_vec4(brume_color_map_knots(colors.map)[n], values[n]);
    }
}

void brume_gl_fill_settings(BrumeGlSceneBlock *scene, const BrumeRenderSettings *settings, const BrumeGlSolids *solids)
{
    const BrumePhaseLobes phase = brume_phase_lobes(settings);
    const bool constant = settings->sky.kind == BRUME_SKY_CONSTANT;
    scene->zenith = brume_gl_vec4(constant ? settings->sky.radiance : settings->sky_zenith, phase.mean_cosine);
    scene->phase = (BrumeGlVec4){phase.g, phase.draine_g, phase.weight, phase.alpha};
    scene->horizon = brume_gl_vec4(constant ? settings->sky.radiance : settings->sky_horizon, settings->ground_height);
    // a picture on the ground has no texture unit: its mean is drawn
    const bool has_image = settings->ground_pattern == BRUME_GROUND_IMAGE;
    const BrumeVec3 albedo = has_image ? brume_ground_mean_albedo(settings) : settings->ground_albedo;
    scene->ground = brume_gl_vec4(albedo, settings->ground ? 1.0f : 0.0f);
    scene->display =
        (BrumeGlVec4){brume_powf(2.0f, settings->exposure), settings->tone == BRUME_TONE_FILMIC ? 1.0f : 0.0f,
                      (float)brume_drawn_solid_count(settings), has_image ? 0.0f : (float)settings->ground_pattern};
    scene->ground_2 = brume_gl_vec4(settings->ground_albedo_2, 1.0f / settings->ground_scale);
    scene->walls = brume_gl_vec4(settings->wall_albedo, (float)brume_visible_walls(settings));
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        scene->solids[n] = solid_of(brume_drawn_solid(settings, n), solids);
    }
    fill_pressure(scene, settings, solids);
}

// One texture coordinate of a sweep as an affine function of the point [cells]; the texture has the entries from
// `first` on, and the center of the first texel is at 1/2.
static BrumeGlVec4 texture_row(BrumeAffineCoordinate affine, int first, float per_entry)
{
    return brume_gl_vec4(brume_scale(affine.slope, per_entry), (affine.offset - (float)first + 0.5f) * per_entry);
}

static void fill_lights(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales)
{
    int order[BRUME_MAX_LIGHTS];
    const BrumeGlProgramVariant variant = brume_gl_active_lights(lit, order);
    const int directional = variant.directional_lights;
    for (int n = 0; n < directional; n++) {
        const BrumeLightSource *source = &lit->sources[order[n]];
        const BrumeTransmittanceSweep *sweep = &lit->directional[order[n]];
        const BrumeVec3 per_entry = scales->lights[n];
        scene->directional_lights[n] = (BrumeGlDirectionalLight){
            .direction = brume_gl_vec4(source->light.direction, source->cap_height),
            .color = brume_gl_vec4(brume_scale(source->light.color, source->strength), 0.0f),
            .texture_row = {texture_row(sweep->u, sweep->stored.first[0], per_entry.x),
                            texture_row(sweep->n, sweep->stored.first[1], per_entry.y),
                            texture_row(sweep->v, sweep->stored.first[2], per_entry.z)},
        };
    }
    for (int n = 0; n < variant.point_lights; n++) {
        const BrumeLightSource *source = &lit->sources[order[directional + n]];
        const bool spot = source->light.kind == BRUME_LIGHT_SPOT;
        scene->point_lights[n] = (BrumeGlPointLight){
            .position = brume_gl_vec4(source->light.position, spot ? source->cosine_in : -2.0f),
            .color = brume_gl_vec4(brume_scale(source->light.color, source->strength), 0.0f),
            .per_cell = brume_gl_vec4(scales->lights[directional + n], 0.0f),
            .axis = brume_gl_vec4(source->light.direction, spot ? source->cosine_edge : -2.0f),
            .across = brume_gl_vec4(source->across, source->area),
            .along = brume_gl_vec4(source->along, 0.0f),
        };
    }
}

void brume_gl_fill_scene(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales,
                         const BrumeGlSolids *solids)
{
    const BrumeGridMedium *medium = brume_lit_medium_shading(lit);
    const BrumeScatteredLight *light = &lit->scattered;
    memset(scene, 0, sizeof *scene);
    brume_gl_fill_settings(scene, &lit->settings, solids);
    const BrumeVec3 cells = brume_grid_extent(medium->grid);
    scene->box = brume_gl_vec4(medium->origin, medium->dx);
    scene->size = brume_gl_vec4(cells, medium->dx * brume_max(cells.x, brume_max(cells.y, cells.z)));
    // from cells of the padded field to cells of the box
    const BrumeVec3 ghost = brume_vec3(0.5f, 0.5f, 0.5f);
    const bool occupied = medium->occupied_lower.x < medium->occupied_upper.x;
    const float margin = occupied ? scales->spread : 0.0f;
    const BrumeVec3 margins = brume_vec3(margin, margin, margin);
    scene->occupied_lower = brume_gl_vec4(brume_sub(brume_sub(medium->occupied_lower, ghost), margins), 0.0f);
    scene->occupied_upper = brume_gl_vec4(brume_add(brume_sub(medium->occupied_upper, ghost), margins), 0.0f);
    scene->medium = brume_gl_vec4(scales->medium, scales->extinction);
    scene->medium_lower = brume_gl_vec4(scales->medium_lower, 0.0f);
    scene->moments = brume_gl_vec4(scales->moments, scales->radiance);
    scene->moments_layer = (BrumeGlVec4){scales->moments_layer, scales->moments_color,
                                         brume_distance_before_surface(light), (float)lit->settings.surface_count};
    for (int n = 0; n < lit->settings.surface_count; n++) {
        scene->solids[n].albedo.w = brume_convexity_excess(light, medium, &lit->settings.surfaces[n].shape);
    }
    for (int c = 0; c < 3; c++) {
        const BrumeFloat4 m = light->unoccluded.color[c];
        scene->unoccluded[c] = (BrumeGlVec4){m[0], m[1], m[2], m[3]};
    }
    scene->ground_light = brume_gl_vec4(light->ground_irradiance, 0.0f);
    const BrumeSky *settings = &lit->settings.sky;
    scene->sky_image =
        (BrumeGlVec4){scales->sky_image * settings->intensity, brume_sky_first_azimuth(settings) / (2.0f * BRUME_PI),
                      0.0f, lit->sky.is_image ? 1.0f : 0.0f};
    const BrumeVec3 map = brume_sub(light->ground_upper, light->ground_lower);
    scene->ground_map = (BrumeGlVec4){light->ground_lower.x, light->ground_lower.z, 1.0f / map.x, 1.0f / map.z};
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        scene->albedo[kind] = brume_gl_vec4(medium->mixed ? lit->settings.smoke[kind].albedo : medium->albedo, 0.0f);
    }
    if (medium->glows) {
        scene->glow = (BrumeGlVec4){scales->temperature, BRUME_BLACKBODY_COLDEST, BRUME_BLACKBODY_HOTTEST,
                                    BRUME_BLACKBODY_SPACING};
        for (int n = 0; n < BRUME_BLACKBODY_ENTRIES; n++) {
            scene->blackbody[n] = brume_gl_vec4(medium->blackbody.root[n], 0.0f);
        }
    }
    scene->glow_middle = brume_gl_vec4(light->glow_middle, 0.0f);
    fill_lights(scene, lit, scales);
}
