#include "app/scene_info.h"

#include "app/cli/format.h"
#include "app/cli/scene_summary.h"
#include "app/cli/sequence.h"
#include "app/cli/values.h"
#include "brume/brume.h"
#include "core/elementary.h"
#include "core/mesh.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/texture.h"
#include "core/vec3.h"
#include "raymarch/light/daylight.h"
#include "sim/boundary/boundary.h"
#include "sim/integrators/integrator.h"
#include "sim/settings/settings.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"density", "color_1", "color_2", "color_3"};

/** A line of text that add() extends. */
typedef struct InfoLine {
    char text[512];
} InfoLine;

static void add(InfoLine *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(InfoLine *line, const char *format, ...)
{
    const size_t used = strlen(line->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line->text + used, sizeof line->text - used, format, args);
    va_end(args);
}

static void add_vector(InfoLine *line, BrumeVec3 v)
{
    const float rounding = 1e-6f * brume_length(v); // components below it are 0
    const float shown[3] = {fabsf(v.x) < rounding ? 0.0f : v.x, fabsf(v.y) < rounding ? 0.0f : v.y,
                            fabsf(v.z) < rounding ? 0.0f : v.z};
    add(line, "(%g, %g, %g)", (double)shown[0], (double)shown[1], (double)shown[2]);
}

static void add_shape(InfoLine *line, const BrumeShape *shape)
{
    const bool has_one_point = brume_shape_has_one_point(shape);
    add(line, "%s ", brume_shape_setting_table[BRUME_SHAPE_KIND].words[shape->kind]);
    if (shape->kind == BRUME_SHAPE_MESH) {
        add(line, "of %d triangles in %s, its origin ", brume_mesh_info(shape->mesh)->triangles,
            brume_mesh_file(shape->mesh));
    }
    add(line, "%s ", has_one_point ? "at" : "from");
    add_vector(line, shape->a);
    if (!has_one_point) {
        add(line, " to ");
        add_vector(line, shape->b);
    }
    add(line, " m");
    if (shape->kind == BRUME_SHAPE_VOLUME) {
        add(line, ", threshold %g", (double)shape->threshold);
    } else if (shape->kind == BRUME_SHAPE_CONE) {
        add(line, ", radius %g to %g m", (double)shape->radius, (double)shape->second_radius);
    } else if (shape->kind != BRUME_SHAPE_BOX && shape->kind != BRUME_SHAPE_PLANE && shape->kind != BRUME_SHAPE_MESH) {
        add(line, ", radius %g m", (double)shape->radius);
    }
    if (shape->kind == BRUME_SHAPE_TORUS) {
        add(line, ", of its tube %g m", (double)shape->second_radius);
    }
    if (brume_length(shape->position) > 0.0f) {
        add(line, ", moved by ");
        add_vector(line, shape->position);
        add(line, " m");
    }
    if (brume_length(shape->rotation) > 0.0f) {
        add(line, ", turned by ");
        add_vector(line, shape->rotation);
        add(line, " degrees");
    }
    if (brume_length(brume_sub(shape->scale, brume_vec3(1.0f, 1.0f, 1.0f))) > 0.0f) {
        add(line, ", scaled by ");
        add_vector(line, shape->scale);
    }
}

static void add_inflow(InfoLine *line, const BrumeFaceDef *face)
{
    static const char *const profiles[] = {"", ", parabolic profile", ", tanh profile"};
    add(line, "%s", profiles[face->profile]);
    if (face->profile == BRUME_INFLOW_TANH) {
        add(line, " of thickness %g m", (double)face->thickness);
    }
    if (face->opening.kind == BRUME_OPENING_FACE) {
        return;
    }
    add(line, ", opening at ");
    add_vector(line, face->opening.center);
    if (face->opening.kind == BRUME_OPENING_ROUND) {
        add(line, " m of radius %g m", (double)face->opening.radius);
    } else {
        add(line, " m of size ");
        add_vector(line, face->opening.size);
        add(line, " m");
    }
}

static void add_face(InfoLine *line, const BrumeFaceDef *face)
{
    switch (face->kind) {
    case BRUME_WALL:
        add(line, "wall, %s", face->no_slip ? "no slip" : "free slip");
        if (face->no_slip && brume_length(face->velocity) > 0.0f) {
            add(line, ", moving at ");
            add_vector(line, face->velocity);
            add(line, " m/s");
        }
        if (face->fixed_temperature) {
            add(line, ", temperature %+g K", (double)face->temperature);
        } else if (face->heat_flux != 0.0f) {
            add(line, ", heat flux %+g K m/s", (double)face->heat_flux);
        }
        break;
    case BRUME_OPEN:
        add(line, "open");
        break;
    case BRUME_INFLOW:
        add(line, "inflow at ");
        add_vector(line, face->velocity);
        add(line, " m/s, %+g K", (double)face->temperature);
        add_inflow(line, face);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            if (face->smoke[kind] != 0.0f) {
                add(line, ", %s %g", smoke_names[kind], (double)face->smoke[kind]);
            }
        }
        break;
    case BRUME_PERIODIC:
        add(line, "periodic");
        break;
    }
}

static void print_faces(const BrumeSimDef *def)
{
    static const char *const names[BRUME_FACE_COUNT] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        InfoLine line = {""};
        add_face(&line, &def->faces[face]);
        brume_print_labeled(face == 0 ? "boundaries" : "", "%s %s", names[face], line.text);
    }
}

static void add_source(InfoLine *line, const char *name, const BrumeSource *source, const char *unit)
{
    if (source->mode == BRUME_SOURCE_SET) {
        add(line, ", %s %g%s", name, (double)source->value, unit);
    } else if (source->mode == BRUME_SOURCE_RATE) {
        add(line, ", %s %+g%s per second", name, (double)source->value, unit);
    }
}

// "body 2", or "body 2 (rotor)"
static void add_body(InfoLine *line, const BrumeSimDef *def, int body)
{
    const char *name = def->bodies[body].name;
    add(line, "body %d", body);
    if (name[0]) {
        add(line, " (%s)", name);
    }
}

static void add_velocity(InfoLine *line, const BrumeEmitterDef *emitter)
{
    const bool is_set = emitter->velocity.mode == BRUME_SOURCE_SET;
    if (emitter->velocity.mode != BRUME_SOURCE_NONE) {
        add(line, ", %s ", is_set ? "velocity" : "acceleration");
        add_vector(line, emitter->velocity.value);
        add(line, is_set ? " m/s" : " m/s^2");
    }
    if (emitter->source_velocity != 0.0f) {
        add(line, ", with %g of the velocity of its surface", (double)emitter->source_velocity);
    }
    if (emitter->normal_velocity != 0.0f) {
        add(line, ", %g m/s along its normal", (double)emitter->normal_velocity);
    }
}

// the settings of a table from `first` to `last` that the object of its kind has
static void add_settings(InfoLine *line, const BrumeSetting *table, int first, int last, const void *object)
{
    for (int n = first; n <= last; n++) {
        const BrumeSetting *setting = &table[n];
        if (brume_setting_is_used(setting, object)) {
            char value[64];
            brume_setting_value(setting, (const char *)object + setting->offset, value, sizeof value);
            const bool has_unit = setting->unit && strcmp(setting->unit, "1") != 0;
            add(line, ", %s %s%s%s", brume_setting_name(setting), value, has_unit ? " " : "",
                has_unit ? setting->unit : "");
        }
    }
}

// the frames of samples that vary; `offset` is the number of their file at time 0
static void add_frames(InfoLine *line, const BrumeSamples *samples, int offset)
{
    int first = 0;
    int last = 0;
    const int frames = brume_samples_frame_range(samples, &first, &last);
    if (frames > 0) {
        add(line, ", %d files %s from number %d to %d", frames, samples->file, first + offset, last + offset);
    }
}

static void add_force(InfoLine *line, const BrumeEmitterDef *emitter)
{
    if (emitter->force.kind != BRUME_FORCE_NONE) {
        add(line, ", %s", brume_force_name(emitter->force.kind));
        add_settings(line, brume_emitter_setting_table, BRUME_EMITTER_FORCE_KIND + 1, BRUME_EMITTER_SETTING_COUNT - 1,
                     emitter);
    }
}

// prints a word, and the settings from `first` to `last` that are used
static void print_settings(const char *label, const BrumeSimDef *def, int setting, int word, int first, int last)
{
    InfoLine line = {""};
    add(&line, "%s", brume_setting_word(&brume_sim_setting_table[setting], word));
    add_settings(&line, brume_sim_setting_table, first, last, def);
    brume_print_labeled(label, "%s", line.text);
}

static void print_emitters(const BrumeSimDef *def, int offset)
{
    if (def->emitter_count == 0) {
        brume_print_labeled("emitters", "none");
    }
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeEmitterDef *emitter = &def->emitters[n];
        InfoLine line = {""};
        if (emitter->body > 0) {
            add_body(&line, def, emitter->body - 1);
        } else {
            add_shape(&line, &emitter->shape);
            add_frames(&line, emitter->shape.samples, offset);
        }
        if (emitter->from == BRUME_EMIT_SURFACE) {
            add(&line, ", %g m around its surface", (double)emitter->thickness);
        }
        if (emitter->from == BRUME_EMIT_VERTICES) {
            add(&line, ", %g m around its vertices", (double)emitter->thickness);
        }
        if (emitter->parent > 0) {
            add(&line, ", follows ");
            add_body(&line, def, emitter->parent - 1);
        }
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            add_source(&line, smoke_names[kind], &emitter->smoke[kind], "");
        }
        add_source(&line, "temperature", &emitter->temperature, " K");
        add_settings(&line, brume_emitter_setting_table, BRUME_EMITTER_FUEL, BRUME_EMITTER_FUEL, emitter);
        add_settings(&line, brume_emitter_setting_table, BRUME_EMITTER_FUEL_RATE, BRUME_EMITTER_POWER, emitter);
        for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
            if (emitter->particles[kind] > 0.0f) {
                add(&line, ", %g %s/s", (double)emitter->particles[kind],
                    brume_particle_kind_name((BrumeParticleKind)kind));
            }
        }
        add_velocity(&line, emitter);
        add_force(&line, emitter);
        add_frames(&line, emitter->force.samples[0], offset);
        add(&line, "%s", emitter->mesh_color ? ", in the colors of its mesh" : "");
        if (emitter->start > 0.0f) {
            add(&line, ", from %g s", (double)emitter->start);
        }
        if (isfinite(emitter->end)) {
            add(&line, ", to %g s", (double)emitter->end);
        }
        if (emitter->noise > 0.0f) {
            add(&line, ", noise %g of %g m", (double)emitter->noise, (double)emitter->noise_scale);
        }
        brume_print_labeled(n == 0 ? "emitters" : "", "%s", line.text);
    }
}

// how large a mesh is in the world, what it is, and what it is taken as
static void add_mesh(InfoLine *line, const BrumeSimDef *def, int body)
{
    const BrumeShape shape = brume_body_shape(def, body);
    const BrumeMesh *mesh = shape.mesh;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(&shape, &lower, &upper);
    add(line, ", %.3g x %.3g x %.3g m", (double)(upper.x - lower.x), (double)(upper.y - lower.y),
        (double)(upper.z - lower.z));
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    const bool is_inside_out = info->closed && info->volume < 0.0;
    const bool is_simple = info->closed && !brume_mesh_intersects_itself(mesh);
    add(line, "%s", is_inside_out ? ", inside out" : info->closed ? ", closed" : info->open_edges > 0 ? ", open" : "");
    add(line, "%s", info->closed && !is_simple ? ", intersects itself" : "");
    if (info->turned_edges + info->shared_edges > 0) {
        add(line, ", %d turned or shared edges", info->turned_edges + info->shared_edges);
    }
    add(line, "%s",
        !info->solid || is_inside_out ? ": a wall without thickness"
        : is_simple                   ? ": solid"
                                      : ": solid where its winding number is above 1/2");
    int first = 0;
    int last = 0;
    const int frames = brume_mesh_frame_range(mesh, &first, &last);
    if (frames > 0 && brume_is_sequence(brume_mesh_file(mesh))) {
        const int offset = brume_mesh_read_def(mesh)->frame;
        add(line, ", deforms: %d files from number %d to %d", frames, first + offset, last + offset);
    } else if (frames > 0) {
        const char *animation = brume_mesh_read_def(mesh)->animation;
        add(line, ", deforms: %s animation of %d frames", animation[0] ? "an" : "the first", last - first);
    }
}

static void print_bodies(const BrumeSimDef *def)
{
    if (def->body_count == 0) {
        brume_print_labeled("bodies", "none");
    }
    for (int n = 0; n < def->body_count; n++) {
        InfoLine line = {""};
        const BrumeBodyDef *body = &def->bodies[n];
        add(&line, "%s%s", body->name, body->name[0] ? ": " : "");
        add_shape(&line, &body->shape);
        if (body->shape.kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(body->shape.mesh)) {
            add_mesh(&line, def, n);
        }
        add(&line, "%s", brume_body_has_no_slip(def, n) ? ", no slip" : ", free slip");
        if (body->fixed_temperature) {
            add(&line, ", temperature %+g K", (double)body->temperature);
        }
        if (body->heat_flux != 0.0f) {
            add(&line, ", heat flux %+g K m/s", (double)body->heat_flux);
        }
        if (body->parent > 0) {
            add(&line, ", follows ");
            add_body(&line, def, body->parent - 1);
        }
        add(&line, "%s", body->passable ? ", does not collide" : "");
        add(&line, "%s", body->disabled ? ", not enabled at first" : "");
        brume_print_labeled(n == 0 ? "bodies" : "", "%s", line.text);
    }
}

static void print_smoke(const BrumeSimDef *def, const BrumeRenderSettings *look)
{
    for (int kind = 0; kind <= def->color_count; kind++) {
        const BrumeSmokeDef *smoke = &def->smoke[kind];
        brume_print_labeled(kind == 0 ? "smoke" : "", "%s: extinction %g 1/m, weight %g, dissipation %g 1/s",
                            smoke_names[kind], (double)look->smoke[kind].extinction, (double)smoke->weight,
                            (double)smoke->dissipation);
    }
}

static void print_air(const BrumeSimDef *def)
{
    InfoLine line = {""};
    add(&line, "gravity ");
    add_vector(&line, def->gravity);
    add(&line, " m/s^2, expansion %g 1/K, viscosity %g m^2/s", (double)def->thermal_expansion, (double)def->viscosity);
    brume_print_labeled("air", "%s", line.text);
    line = (InfoLine){""};
    add(&line, "wind ");
    add_vector(&line, def->wind);
    add(&line, " m/s, drag %g 1/s, cooling %g 1/s, confinement %g", (double)def->drag, (double)def->cooling,
        (double)def->vorticity_confinement);
    brume_print_labeled("", "%s", line.text);
    if (def->quadratic_drag > 0.0f || def->dry_friction > 0.0f) {
        brume_print_labeled("", "quadratic drag %g 1/m, dry friction %g m/s^2", (double)def->quadratic_drag,
                            (double)def->dry_friction);
    }
}

static void print_sky(const BrumeScene *scene)
{
    const BrumeSky *sky = &scene->render_settings.sky;
    switch (sky->kind) {
    case BRUME_SKY_CONSTANT:
        brume_print_labeled("sky", "constant, %g %g %g W/(m^2 sr)", (double)sky->radiance.x, (double)sky->radiance.y,
                            (double)sky->radiance.z);
        break;
    case BRUME_SKY_DAYLIGHT:
        brume_print_labeled("sky", "daylight, turbidity %g", (double)sky->turbidity);
        break;
    case BRUME_SKY_IMAGE:
        brume_print_labeled("sky", "%s, %d x %d", scene->sky_file, sky->image.width, sky->image.height);
        break;
    default:
        break;
    }
}

static void print_textures(const BrumeScene *scene)
{
    for (int n = 0; n < scene->sim.body_count; n++) {
        const BrumeTexture *texture = scene->surface_of[n] >= 0 ? scene->textures[scene->surface_of[n]] : NULL;
        InfoLine line = {""};
        if (texture && texture->frames > 1) {
            add(&line, ", %d pictures from number %d on", texture->frames, texture->first);
        }
        if (texture) {
            brume_print_labeled("texture", "body %d: %s, %d x %d%s", n, brume_texture_file(texture), texture->width,
                                texture->height, line.text);
        }
    }
}

static void print_ground_image(const BrumeScene *scene)
{
    const BrumeGroundImage *image = &scene->render_settings.ground_image;
    if (scene->render_settings.ground && scene->render_settings.ground_pattern == BRUME_GROUND_IMAGE) {
        brume_print_labeled("ground", "%s, %d x %d, %g m wide", scene->ground_file, image->width, image->height,
                            (double)image->size);
    }
}

// prints the sunlight after attenuation by the air of the sky, times the factors of the light
static void add_daylight(InfoLine *line, const BrumeLight *light, const BrumeSky *sky)
{
    const BrumeVec3 sunlight = brume_sunlight(sky->turbidity, -light->direction.y);
    const BrumeVec3 factor = brume_scale(light->color, light->intensity * sky->intensity);
    const double degrees = brume_asin((double)-light->direction.y) * 57.29577951308232;
    add(line, ", daylight at an elevation of %.3g degrees: %.3g %.3g %.3g W/m^2 of red, green and blue", degrees,
        (double)(factor.x * sunlight.x), (double)(factor.y * sunlight.y), (double)(factor.z * sunlight.z));
}

static void print_lights(const BrumeRenderSettings *look)
{
    if (look->light_count == 0) {
        brume_print_labeled("lights", "the sky alone");
    }
    for (int n = 0; n < look->light_count; n++) {
        const BrumeLight *light = &look->lights[n];
        InfoLine line = {""};
        if (light->kind == BRUME_LIGHT_DIRECTIONAL) {
            add(&line, "sun along ");
            add_vector(&line, light->direction);
            if (light->daylight) {
                add_daylight(&line, light, &look->sky);
            } else {
                add(&line, ", %g W/m^2", (double)light->intensity);
            }
            if (light->angle > 0.0f) {
                add(&line, ", disc of %g degrees", (double)light->angle);
            }
        } else {
            static const char *const names[] = {"sun", "point", "spot", "rectangle"};
            const bool rectangle = light->kind == BRUME_LIGHT_RECTANGLE;
            add(&line, "%s at ", names[light->kind]);
            add_vector(&line, light->position);
            add(&line, " m, %g %s", (double)light->intensity, rectangle ? "W" : "W/sr");
            if (light->kind != BRUME_LIGHT_POINT) {
                add(&line, ", along ");
                add_vector(&line, light->direction);
            }
            if (light->kind == BRUME_LIGHT_SPOT) {
                add(&line, " within %g degrees", (double)light->angle);
            }
            if (rectangle) {
                add(&line, ", %g x %g m", (double)light->width, (double)light->height);
            }
        }
        brume_print_labeled(n == 0 ? "lights" : "", "%s", line.text);
    }
}

static void print_detail(const BrumeScene *scene)
{
    const BrumeDetail *detail = &scene->render_settings.detail;
    const double period = (double)scene->sim.texture_period;
    if (detail->factor > 1) {
        InfoLine line = {""};
        add(&line, "cells divided by %d, strength %g, waves of up to %g cells, ", detail->factor,
            (double)detail->strength, (double)detail->scale);
        if (!(detail->strength > 0.0f)) {
            add(&line, "interpolated only");
        } else if (period > 0.0) {
            add(&line, "follows the flow for %g s", period);
        } else {
            add(&line, "stays in place");
        }
        brume_print_labeled("detail", "%s", line.text);
    } else if (period > 0.0) {
        brume_print_labeled("detail", "none; texture coordinates of %g s", period);
    }
}

static void print_camera(const BrumeScene *scene)
{
    const BrumeCameraKey *first = &scene->camera_keys[0];
    InfoLine line = {""};
    add(&line, "at ");
    add_vector(&line, first->camera.position);
    add(&line, " m, looking at ");
    add_vector(&line, first->camera.target);
    if (first->camera.projection == BRUME_ORTHOGRAPHIC) {
        add(&line, " m, orthographic, %g m high", (double)first->camera.height);
    } else {
        add(&line, " m, vertical field of view %g degrees", (double)first->camera.field_of_view);
    }
    if (first->camera.lens_radius > 0.0f) {
        add(&line, ", lens of radius %g m", (double)first->camera.lens_radius);
    }
    if (scene->shutter > 0.0f) {
        add(&line, ", shutter open for %g of a frame", (double)scene->shutter);
    }
    if (scene->turntable != 0.0f) {
        add(&line, ", turning once in %g s", (double)scene->turntable);
    }
    if (scene->camera_key_count > 1) {
        add(&line, "; %d keyframes to %g s", scene->camera_key_count,
            scene->camera_keys[scene->camera_key_count - 1].time);
    }
    brume_print_labeled("camera", "%s", line.text);
}

static void print_animation(const BrumeAnimation *animation)
{
    for (int n = 0; n < animation->count; n++) {
        static const char *const words[] = {"smooth", "linear", "held"};
        const BrumeAnimatedValue *value = &animation->values[n];
        brume_print_labeled(n == 0 ? "animation" : "", "%s by %d %s from %g to %g s, %s", value->path, value->key_count,
                            value->key_count == 1 ? "key" : "keys", value->keys[0].time,
                            value->keys[value->key_count - 1].time, words[value->interpolation]);
    }
}

static void print_timeline(const BrumeTimeline *timeline)
{
    int settings = 0;
    int strokes = 0;
    int moves = 0;
    if (timeline->count == 0) {
        return;
    }
    for (int n = 0; n < timeline->count; n++) {
        settings += timeline->changes[n].settings != NULL;
        strokes += timeline->changes[n].stroke_count;
        moves += timeline->changes[n].move_count;
    }
    brume_print_labeled("timeline", "%d %s after %d to %d frames: %d of settings, %d stroke %s, %d body %s",
                        timeline->count, timeline->count == 1 ? "change" : "changes", timeline->changes[0].frame,
                        timeline->changes[timeline->count - 1].frame, settings, strokes,
                        strokes == 1 ? "segment" : "segments", moves, moves == 1 ? "move" : "moves");
}

static void print_image(const BrumeScene *scene)
{
    if (scene->integrator == BRUME_INTEGRATOR_MARCH) {
        brume_print_labeled("image", "%d x %d pixels, %d %s per pixel", scene->width, scene->height, scene->samples,
                            scene->samples == 1 ? "ray" : "rays");
        return;
    }
    char noise[48] = "";
    if (scene->noise > 0.0f) {
        (void)snprintf(noise, sizeof noise, ", fewer where the error is at most %g", (double)scene->noise);
    }
    brume_print_labeled("image", "%d x %d pixels, %d light %s per pixel%s", scene->width, scene->height, scene->samples,
                        scene->samples == 1 ? "path" : "paths", noise);
}

static void print_solver(const BrumeSimDef *def)
{
    if (strcmp(def->integrator, brume_integrator_collocated.name) == 0 && def->fraction_bits > 0) {
        brume_print_labeled("solver", "collocated, in fixed point of %d bits after the point", def->fraction_bits);
        return;
    }
    if (strcmp(def->integrator, brume_integrator_collocated.name) == 0) {
        brume_print_labeled("solver", "collocated, in floats");
        return;
    }
    if (strcmp(def->integrator, brume_integrator_practical.name) == 0) {
        brume_print_labeled("solver", "practical, accounting %s, waves of %g m/s",
                            brume_setting_word(&brume_sim_setting_table[BRUME_SIM_ACCOUNTING], (int)def->accounting),
                            (double)def->wave_speed);
        return;
    }
    const char *method = brume_pressure_resolve(def->pressure, brume_has_bodies(def), brume_all_periodic(def));
    const bool is_auto = strcmp(method, def->pressure) != 0;
    brume_print_labeled("solver", "%s (Runge-Kutta %d), %s%s%s to %g in at most %d iterations", def->advection,
                        def->trace_order, def->pressure, is_auto ? ": " : "", is_auto ? method : "",
                        (double)def->tolerance, def->max_iterations);
}

void brume_print_scene_info(const BrumeScene *scene)
{
    const BrumeSimDef *def = &scene->sim;
    brume_print_scene_summary(scene);
    print_solver(def);
    const char *reason = brume_all_blocks_reason(def);
    const bool may_move = def->body_count > 0 && (scene->animation.count > 0 || scene->timeline.count > 0);
    brume_print_labeled("", "velocity carried in %s%s",
                        reason     ? "all blocks, because "
                        : may_move ? "active blocks, in all while bodies move"
                                   : "active blocks",
                        reason ? reason : "");
    print_air(def);
    if (brume_has_fuel(def)) {
        print_settings("fire", def, BRUME_SIM_FIRE_MODEL, (int)def->fire.model, BRUME_SIM_FIRE_HEAT,
                       BRUME_SIM_FIRE_RATE);
    }
    if (brume_has_vapor(def)) {
        print_settings("vapor", def, BRUME_SIM_VAPOR_KIND, def->vapor.kind, BRUME_SIM_VAPOR_LIQUID,
                       BRUME_SIM_VAPOR_AMBIENT);
    }
    print_faces(def);
    print_smoke(def, &scene->render_settings);
    print_emitters(def, scene->first_frame - 1);
    print_bodies(def);
    print_animation(&scene->animation);
    print_timeline(&scene->timeline);
    print_lights(&scene->render_settings);
    print_sky(scene);
    print_ground_image(scene);
    print_textures(scene);
    print_detail(scene);
    print_camera(scene);
    print_image(scene);
    brume_print_labeled("units",
                        "SI; temperatures in kelvin above ambient; densities relative to the value 1 of emitters");
}
