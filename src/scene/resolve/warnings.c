/*
 * Warnings: valid scenes that probably contain a mistake.
 */
#include "core/coverage.h"
#include "core/elementary.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"
#include "sim/grid/cells.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void brume_scene_warn(BrumeScene *scene, const BrumeYamlNode *node, const char *format, ...)
{
    if (scene->warning_count == BRUME_MAX_SCENE_WARNINGS) {
        return;
    }
    char message[sizeof scene->warnings[0]];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    BrumeError positioned;
    (void)brume_yaml_fail(node, &positioned, "%s", message);
    (void)snprintf(scene->warnings[scene->warning_count++], sizeof scene->warnings[0], "%s", positioned.text);
}

/** Whether an emitter contains centers of cells, and all of them, or of a sample of them, are inside bodies. */
static bool is_covered(const BrumeSimDef *settings, const BrumeShape *emitter)
{
    const BrumeSimDef placed = brume_placed_bodies(settings);
    const BrumeSimDef *const sim = &placed;
    enum { MOST_SAMPLES = 128 }; // along an axis
    const BrumeIndexBox box = brume_cells_overlapping(sim, emitter);
    int stride[3];
    for (int axis = 0; axis < 3; axis++) {
        stride[axis] = brume_max_int((box.to[axis] - box.from[axis]) / MOST_SAMPLES, 1);
    }
    const BrumeCoverage coverage = brume_coverage_of(emitter, brume_cell_center(sim, 1, 1, 1), sim->dx);
    bool is_inside = false;
    for (int k = box.from[2]; k <= box.to[2]; k += stride[2]) {
        for (int j = box.from[1]; j <= box.to[1]; j += stride[1]) {
            for (int i = box.from[0]; i <= box.to[0]; i += stride[0]) {
                const BrumeVec3 center = brume_cell_center(sim, i, j, k);
                if (!(brume_coverage_at(&coverage, center) > 0.0f)) {
                    continue;
                }
                bool is_solid = false;
                for (int n = 0; n < sim->body_count && !is_solid; n++) {
                    is_solid = brume_body_is_solid(&sim->bodies[n]) &&
                               brume_shape_distance(&sim->bodies[n].shape, center) < 0.0f;
                }
                if (!is_solid) {
                    return false;
                }
                is_inside = true;
            }
        }
    }
    return is_inside;
}

static bool has_moves(const BrumeYamlNode *root)
{
    const BrumeYamlNode *const timeline = brume_yaml_get(root, "timeline");
    bool found = false;
    for (const BrumeYamlNode *change = timeline ? timeline->first : NULL; change; change = change->next) {
        found = found || brume_yaml_get(change, "moves") != NULL;
    }
    return found;
}

// whether the soft edge of an emitter is wider than its inside
static bool is_too_soft(const BrumeEmitterDef *emitter)
{
    BrumeVec3 from;
    BrumeVec3 to;
    brume_shape_bounds(&emitter->shape, &from, &to);
    const BrumeVec3 middle = {0.5f * (from.x + to.x), 0.5f * (from.y + to.y), 0.5f * (from.z + to.z)};
    const float depth = -brume_shape_distance(&emitter->shape, middle);
    return emitter->softness > 0.0f && depth > 0.0f && emitter->softness > 1.001f * depth;
}

static void warn_if_outside(BrumeScene *scene, const BrumeYamlNode *map, const BrumeShape *shape)
{
    if (!brume_shape_overlaps_box(shape, &scene->sim)) {
        brume_scene_warn(scene, brume_yaml_get(map, "parent"),
                         "this shape is outside the box: its keys are in the frame of its 'parent', from the pivot of "
                         "that body");
    }
}

// shapes with a parent, which may bring them into the box
static void warn_of_followers(BrumeScene *scene, const BrumeYamlNode *root)
{
    const BrumeSimDef *const sim = &scene->sim;
    const BrumeYamlNode *const bodies = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *const emitters = brume_yaml_get(root, "emitters");
    const BrumeYamlNode *item = bodies ? bodies->first : NULL;
    for (int n = 0; item && n < sim->body_count; n++, item = item->next) {
        if (sim->bodies[n].parent > 0) {
            const BrumeShape shape = brume_body_shape(sim, n);
            warn_if_outside(scene, item, &shape);
        }
    }
    item = emitters ? emitters->first : NULL;
    for (int n = 0; item && n < sim->emitter_count; n++, item = item->next) {
        if (sim->emitters[n].parent > 0) { // one with a body is where that is
            const BrumeShape shape = brume_emitter_shape(sim, n);
            warn_if_outside(scene, item, &shape);
        }
    }
}

// heat of bodies that air passes through, unless the timeline may change that
static void warn_of_heat(BrumeScene *scene, const BrumeYamlNode *root)
{
    const BrumeYamlNode *const bodies = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *item = brume_yaml_get(root, "timeline") || !bodies ? NULL : bodies->first;
    for (int n = 0; item && n < scene->sim.body_count; n++, item = item->next) {
        const char *const key = brume_yaml_get(item, "temperature") ? "temperature" : "heat_flux";
        const BrumeYamlNode *const node = brume_yaml_get(item, key);
        if (node && scene->sim.bodies[n].passable) {
            brume_scene_warn(scene, node,
                             "'%s' has no effect: air passes through this 'body' (remove 'collide: false', or emit "
                             "heat from an emitter that has it as its 'body')",
                             key);
        }
    }
}

static bool has_triangles(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(shape->mesh);
}

// A mesh of another unit or at another place than meant: smaller than a cell, or without a triangle in the box.
static void warn_of_extent(BrumeScene *scene, const BrumeYamlNode *item, const BrumeShape *shape, bool may_move)
{
    const BrumeSimDef *const sim = &scene->sim;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const BrumeVec3 extent = brume_sub(upper, lower);
    char text[96];
    (void)snprintf(text, sizeof text, "this mesh is %.3g x %.3g x %.3g m", (double)extent.x, (double)extent.y,
                   (double)extent.z);
    if (brume_fmaxf(extent.x, brume_fmaxf(extent.y, extent.z)) < sim->dx) {
        brume_scene_warn(scene, item, "%s, less than a cell of %.3g m along each axis (set its 'unit' or 'scale')",
                         text, (double)sim->dx);
        return;
    }
    const BrumeVec3 half = brume_scale(brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz), 0.5f * sim->dx);
    const float radius = brume_length(half);
    const BrumePlacedShape placed = brume_shape_place(shape);
    const bool is_far =
        brume_placed_distance_outside(&placed, brume_add(sim->origin, half), 0.99f * radius, 1.01f * radius) > radius;
    if (!may_move && (is_far || !brume_shape_overlaps_box(shape, sim))) {
        brume_scene_warn(scene, item,
                         "%s, and all of its surface is outside the box (set its 'unit', 'scale' or 'position')", text);
    }
}

static void warn_of_body_meshes(BrumeScene *scene, const BrumeYamlNode *root, bool may_move)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *item = list ? list->first : NULL;
    for (int n = 0; item && n < scene->sim.body_count; n++, item = item->next) {
        const BrumeShape shape = brume_body_shape(&scene->sim, n);
        if (!has_triangles(&shape)) {
            continue;
        }
        warn_of_extent(scene, item, &shape, may_move || scene->sim.bodies[n].parent > 0);
        const BrumeMeshInfo *info = brume_mesh_info(shape.mesh);
        if (info->closed && info->volume < 0.0) {
            brume_scene_warn(scene, item, "this mesh is inside out: a wall without thickness (%s)",
                             brume_mesh_read_def(shape.mesh)->flip ? "remove its 'flip'" : "give it 'flip: true'");
        } else if (info->turned_parts > 0) {
            brume_scene_warn(scene, item,
                             "%d of the %d parts of this mesh %s inside out: hollow for the air (flip %s normals)",
                             info->turned_parts, info->parts, info->turned_parts == 1 ? "is" : "are",
                             info->turned_parts == 1 ? "its" : "their");
        }
    }
}

// of an emitter that acts inside its shape
static void warn_of_emitter_inside(BrumeScene *scene, const BrumeYamlNode *item, int n, const BrumeShape *shape)
{
    const int body = scene->sim.emitters[n].body;
    if (body > 0 && brume_body_is_solid(&scene->sim.bodies[body - 1]) && brume_shape_is_solid(shape)) {
        brume_scene_warn(scene, item,
                         "this 'emitter' has almost no effect: it is inside its 'body' (give it 'emit_from: surface', "
                         "or the body 'collide: false')");
    } else if (has_triangles(shape) && !brume_shape_is_solid(shape)) {
        brume_scene_warn(scene, item,
                         "this 'emitter' acts in a skin of a cell: its mesh is open and has no inside (close it, or "
                         "give the emitter 'emit_from: surface')");
    }
}

// of an emitter with the colors of its mesh, where its body is drawn with others
static void warn_of_colors(BrumeScene *scene, const BrumeYamlNode *item, const BrumeEmitterDef *emitter)
{
    const int surface = emitter->mesh_color && emitter->body > 0 ? scene->surface_of[emitter->body - 1] : -1;
    if (surface >= 0 && scene->textures[surface]) {
        brume_scene_warn(scene, brume_yaml_get(item, "mesh_color"),
                         "'mesh_color' emits the colors of the mesh file, not the 'texture' of its 'body' (give the "
                         "material in the file this texture)");
    }
    const BrumeRenderSettings defaults = brume_default_render_settings();
    const bool emits = emitter->smoke[1].mode != BRUME_SOURCE_NONE && emitter->smoke[2].mode != BRUME_SOURCE_NONE &&
                       emitter->smoke[3].mode != BRUME_SOURCE_NONE;
    if (emitter->mesh_color && emits &&
        memcmp(&scene->render_settings.smoke[1].albedo, &defaults.smoke[1].albedo, sizeof defaults.smoke[1].albedo) ==
            0) {
        brume_scene_warn(scene, brume_yaml_get(item, "mesh_color"),
                         "'mesh_color' emits red as 'color_1', green as 'color_2' and blue as 'color_3', which have "
                         "other colors (give 'smoke.color_1' the 'albedo: [1, 0, 0]', and so on)");
    }
}

static void warn_of_vapor(BrumeScene *scene, const BrumeYamlNode *root)
{
    const int kind = scene->sim.vapor.kind - 1;
    if (kind >= 0 && scene->render_settings.smoke[kind].extinction > 0.0f) {
        brume_scene_warn(scene, brume_yaml_get(root, "vapor"),
                         "the vapor is drawn as smoke (give '%s' in 'smoke' the 'extinction: 0')",
                         brume_smoke_key_names[kind]);
    }
}

// Flames in cells of more than a fifth of D* = (Q / 1110 kW)^(2/5) m, the characteristic length of a fire of the power
// Q, which are too coarse to mix its fuel with air (McGrattan et al., FDS User's Guide: a tenth is fine enough).
static void warn_of_coarse_flames(BrumeScene *scene, const BrumeYamlNode *root)
{
    const BrumeSimDef *const sim = &scene->sim;
    const BrumeYamlNode *const emitters = brume_yaml_get(root, "emitters");
    const BrumeYamlNode *item = emitters ? emitters->first : NULL;
    for (int n = 0; item && n < sim->emitter_count; n++, item = item->next) {
        const double power = (double)sim->emitters[n].power.value;
        const double wanted = 0.1 * brume_pow(power / 1110.0, 0.4);
        if (power > 0.0 && (double)sim->dx > 2.0 * wanted) {
            const int most = brume_max_int(sim->nx, brume_max_int(sim->ny, sim->nz));
            brume_scene_warn(scene, brume_yaml_get(item, "power"),
                             "cells of %.3g m are too coarse for flames of %.3g kW, which need %.2g m (a 'resolution' "
                             "of %.0f)",
                             (double)sim->dx, power, wanted, ceil(most * (double)sim->dx / wanted));
        }
    }
}

static void warn_of_fire(BrumeScene *scene, const BrumeYamlNode *root)
{
    warn_of_coarse_flames(scene, root);
    const BrumeYamlNode *fire = brume_yaml_get(root, "fire");
    const bool glows = scene->render_settings.emission.intensity > 0.0f || brume_yaml_get(root, "animation");
    if (brume_has_fuel(&scene->sim) && !glows) {
        brume_scene_warn(scene, fire ? fire : brume_yaml_get(root, "emitters"),
                         "the fire has no light (give 'render' an 'emission: {intensity: 1}')");
    }
}

void brume_warn_of_shapes(BrumeScene *scene, const BrumeYamlNode *root)
{
    warn_of_heat(scene, root);
    warn_of_followers(scene, root);
    warn_of_vapor(scene, root);
    warn_of_fire(scene, root);
    const bool may_come = brume_yaml_get(root, "timeline") || brume_yaml_get(root, "animation");
    warn_of_body_meshes(scene, root, may_come);
    const BrumeYamlNode *const list = brume_yaml_get(root, "emitters");
    const bool may_move = has_moves(root);
    const BrumeYamlNode *item = list ? list->first : NULL;
    for (int n = 0; item && n < scene->sim.emitter_count; n++, item = item->next) {
        if (scene->sim.emitters[n].force.kind == BRUME_FORCE_TURBULENCE && !(scene->sim.texture_period > 0.0f)) {
            brume_scene_warn(scene, item,
                             "this turbulence stays in place while the air moves: 'texture_period' in 'solver' lets it "
                             "follow");
        }
        if (is_too_soft(&scene->sim.emitters[n])) {
            brume_scene_warn(scene, brume_yaml_get(item, "softness"),
                             "'softness' is wider than the emitter, which is thin everywhere (make it smaller)");
        }
        warn_of_colors(scene, item, &scene->sim.emitters[n]);
        const BrumeShape shape = brume_emitter_shape(&scene->sim, n);
        const bool is_inside = scene->sim.emitters[n].from == BRUME_EMIT_VOLUME;
        const bool has_body = scene->sim.emitters[n].body > 0;
        if (has_triangles(&shape) && !has_body) { // that of a body has its warning
            warn_of_extent(scene, item, &shape, may_come || scene->sim.emitters[n].parent > 0);
        }
        if (is_inside && !brume_yaml_get(root, "timeline")) {
            warn_of_emitter_inside(scene, item, n, &shape);
        }
        if (!may_move && is_inside && !has_body && is_covered(&scene->sim, &shape)) {
            brume_scene_warn(scene, item, "this 'emitter' has no effect: it is inside a body");
        }
    }
}
