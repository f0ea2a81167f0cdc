#include "same_scene.h"

#include "core/mesh.h"
#include "core/setting.h"
#include "core/shape.h"
#include "sim/initial/initial_settings.h"

#include <string.h>

#define SAME(a, b)                                                                                                     \
    do {                                                                                                               \
        if (memcmp(&(a), &(b), sizeof(a)) != 0) {                                                                      \
            return #a;                                                                                                 \
        }                                                                                                              \
    } while (0)
#define SAME_TEXT(a, b)                                                                                                \
    do {                                                                                                               \
        if (strcmp((a), (b)) != 0) {                                                                                   \
            return #a;                                                                                                 \
        }                                                                                                              \
    } while (0)
#define SAME_PART(call)                                                                                                \
    do {                                                                                                               \
        const char *const difference = (call);                                                                         \
        if (difference) {                                                                                              \
            return difference;                                                                                         \
        }                                                                                                              \
    } while (0)

static const char *shape_difference(const BrumeShape *a, const BrumeShape *b)
{
    SAME(a->kind, b->kind);
    SAME(a->a, b->a);
    SAME(a->b, b->b);
    SAME(a->radius, b->radius);
    BrumeShape of_same_file = *b; // each scene reads its own
    if (a->mesh && b->mesh) {
        if (brume_mesh_hash(a->mesh) != brume_mesh_hash(b->mesh)) {
            return "the triangles of a mesh";
        }
        of_same_file.mesh = a->mesh;
    }
    return brume_shape_equal(a, &of_same_file) ? NULL : "place, rotation or scale of a shape";
}

static const char *source_difference(const BrumeSource *a, const BrumeSource *b)
{
    SAME(a->mode, b->mode);
    SAME(a->value, b->value);
    return NULL;
}

static const char *emitter_difference(const BrumeEmitterDef *a, const BrumeEmitterDef *b)
{
    SAME_PART(shape_difference(&a->shape, &b->shape));
    SAME(a->parent, b->parent);
    SAME(a->body, b->body);
    SAME(a->from, b->from);
    SAME(a->thickness, b->thickness);
    SAME(a->source_velocity, b->source_velocity);
    SAME(a->normal_velocity, b->normal_velocity);
    SAME(a->mesh_color, b->mesh_color);
    SAME(a->start, b->start);
    SAME(a->end, b->end);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        SAME_PART(source_difference(&a->smoke[kind], &b->smoke[kind]));
    }
    SAME_PART(source_difference(&a->temperature, &b->temperature));
    SAME(a->velocity.mode, b->velocity.mode);
    SAME(a->velocity.value, b->velocity.value);
    SAME(a->softness, b->softness);
    SAME(a->noise, b->noise);
    SAME(a->noise_scale, b->noise_scale);
    SAME(a->noise_speed, b->noise_speed);
    return NULL;
}

static const char *face_difference(const BrumeFaceDef *a, const BrumeFaceDef *b)
{
    SAME(a->kind, b->kind);
    SAME(a->no_slip, b->no_slip);
    SAME(a->fixed_temperature, b->fixed_temperature);
    SAME(a->velocity, b->velocity);
    SAME(a->temperature, b->temperature);
    SAME(a->smoke, b->smoke);
    SAME(a->heat_flux, b->heat_flux);
    SAME(a->profile, b->profile);
    SAME(a->opening.kind, b->opening.kind);
    if (a->profile == BRUME_INFLOW_TANH) {
        SAME(a->thickness, b->thickness);
    }
    if (a->opening.kind != BRUME_OPENING_FACE) {
        SAME(a->opening.center, b->opening.center);
    }
    if (a->opening.kind == BRUME_OPENING_ROUND) {
        SAME(a->opening.radius, b->opening.radius);
    } else if (a->opening.kind == BRUME_OPENING_RECTANGLE) {
        SAME(a->opening.size, b->opening.size);
    }
    return NULL;
}

static const char *initial_difference(const BrumeInitialDef *a, const BrumeInitialDef *b)
{
    for (int n = 0; n < BRUME_INITIAL_SETTING_COUNT; n++) {
        const BrumeSetting *const setting = &brume_initial_setting_table[n];
        const size_t size = setting->type == BRUME_VALUE_TEXTS ? sizeof a->formula : brume_setting_size(setting);
        if (brume_initial_use(a->kind, a->quantity, n) != BRUME_INITIAL_UNUSED &&
            memcmp((const char *)a + setting->offset, (const char *)b + setting->offset, size) != 0) {
            return setting->path;
        }
    }
    return NULL;
}

static const char *settings_difference(const BrumeSimDef *a, const BrumeSimDef *b)
{
    SAME(a->nx, b->nx);
    SAME(a->ny, b->ny);
    SAME(a->nz, b->nz);
    SAME(a->dx, b->dx);
    SAME(a->origin, b->origin);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        SAME_PART(face_difference(&a->faces[face], &b->faces[face]));
    }
    SAME(a->body_count, b->body_count);
    for (int n = 0; n < a->body_count; n++) {
        SAME_PART(shape_difference(&a->bodies[n].shape, &b->bodies[n].shape));
        SAME(a->bodies[n].slip, b->bodies[n].slip);
        SAME(a->bodies[n].parent, b->bodies[n].parent);
        SAME(a->bodies[n].name, b->bodies[n].name);
        SAME(a->bodies[n].heat_flux, b->bodies[n].heat_flux);
        SAME(a->bodies[n].passable, b->bodies[n].passable);
        SAME(a->bodies[n].disabled, b->bodies[n].disabled);
        SAME(a->bodies[n].fixed_temperature, b->bodies[n].fixed_temperature);
        if (a->bodies[n].fixed_temperature) {
            SAME(a->bodies[n].temperature, b->bodies[n].temperature);
        }
    }
    SAME(a->initial_count, b->initial_count);
    for (int n = 0; n < a->initial_count; n++) {
        SAME_PART(initial_difference(&a->initial[n], &b->initial[n]));
    }
    SAME(a->emitter_count, b->emitter_count);
    for (int n = 0; n < a->emitter_count; n++) {
        SAME_PART(emitter_difference(&a->emitters[n], &b->emitters[n]));
    }
    SAME(a->gravity, b->gravity);
    SAME(a->thermal_expansion, b->thermal_expansion);
    SAME(a->vorticity_confinement, b->vorticity_confinement);
    SAME(a->wind, b->wind);
    SAME(a->drag, b->drag);
    SAME(a->viscosity, b->viscosity);
    SAME(a->thermal_diffusivity, b->thermal_diffusivity);
    SAME(a->cooling, b->cooling);
    SAME(a->color_count, b->color_count);
    SAME(a->smoke, b->smoke);
    SAME(a->fps, b->fps);
    SAME(a->cfl, b->cfl);
    SAME(a->min_steps, b->min_steps);
    SAME(a->max_steps, b->max_steps);
    SAME_TEXT(a->integrator, b->integrator);
    SAME(a->reversal_time, b->reversal_time);
    SAME_TEXT(a->advection, b->advection);
    SAME(a->active_blocks, b->active_blocks);
    SAME(a->texture_period, b->texture_period);
    SAME_TEXT(a->transport, b->transport);
    SAME(a->trace_order, b->trace_order);
    SAME_TEXT(a->pressure, b->pressure);
    SAME(a->tolerance, b->tolerance);
    SAME(a->max_iterations, b->max_iterations);
    SAME(a->over_relaxation, b->over_relaxation);
    SAME(a->seed, b->seed);
    SAME_TEXT(a->kernels, b->kernels);
    return NULL;
}

static const char *render_settings_difference(const BrumeRenderSettings *a, const BrumeRenderSettings *b)
{
    SAME(a->smoke, b->smoke);
    SAME(a->anisotropy, b->anisotropy);
    SAME(a->density_curve, b->density_curve);
    SAME(a->interpolation, b->interpolation);
    SAME(a->phase, b->phase);
    SAME(a->emission, b->emission);
    SAME(a->detail, b->detail);
    SAME(a->light_count, b->light_count);
    for (int n = 0; n < a->light_count; n++) {
        SAME(a->lights[n].kind, b->lights[n].kind);
        SAME(a->lights[n].direction, b->lights[n].direction);
        SAME(a->lights[n].position, b->lights[n].position);
        SAME(a->lights[n].color, b->lights[n].color);
        SAME(a->lights[n].intensity, b->lights[n].intensity);
        SAME(a->lights[n].angle, b->lights[n].angle);
        SAME(a->lights[n].blend, b->lights[n].blend);
        SAME(a->lights[n].width, b->lights[n].width);
        SAME(a->lights[n].height, b->lights[n].height);
        SAME(a->lights[n].up, b->lights[n].up);
        SAME(a->lights[n].temperature, b->lights[n].temperature);
        SAME(a->lights[n].daylight, b->lights[n].daylight);
    }
    SAME(a->sky.kind, b->sky.kind);
    if (a->sky.kind == BRUME_SKY_GRADIENT) {
        SAME(a->sky_zenith, b->sky_zenith);
        SAME(a->sky_horizon, b->sky_horizon);
    } else if (a->sky.kind == BRUME_SKY_CONSTANT) {
        SAME(a->sky.radiance, b->sky.radiance);
    } else {
        SAME(a->sky.intensity, b->sky.intensity);
    }
    if (a->sky.kind == BRUME_SKY_DAYLIGHT) {
        SAME(a->sky.turbidity, b->sky.turbidity);
        SAME(a->sky.sun, b->sky.sun);
    } else if (a->sky.kind == BRUME_SKY_IMAGE) {
        SAME(a->sky.rotation, b->sky.rotation);
        SAME(a->sky.image.width, b->sky.image.width);
        SAME(a->sky.image.height, b->sky.image.height);
    }
    SAME(a->reference_speed, b->reference_speed);
    SAME(a->surface_colors, b->surface_colors);
    SAME(a->rake_count, b->rake_count);
    for (int n = 0; n < a->rake_count; n++) {
        SAME(a->rakes[n], b->rakes[n]);
    }
    SAME(a->ground, b->ground);
    SAME(a->ground_height, b->ground_height);
    SAME(a->ground_albedo, b->ground_albedo);
    SAME(a->ground_pattern, b->ground_pattern);
    SAME(a->ground_albedo_2, b->ground_albedo_2);
    SAME(a->ground_scale, b->ground_scale);
    SAME(a->walls, b->walls);
    SAME(a->wall_faces, b->wall_faces);
    SAME(a->wall_albedo, b->wall_albedo);
    SAME(a->ground_catcher, b->ground_catcher);
    SAME(a->surface_count, b->surface_count);
    SAME(a->hidden_surfaces, b->hidden_surfaces);
    for (int n = 0; n < a->surface_count; n++) {
        SAME_PART(shape_difference(&a->surfaces[n].shape, &b->surfaces[n].shape));
        SAME(a->surfaces[n].albedo, b->surfaces[n].albedo);
    }
    SAME(a->exposure, b->exposure);
    SAME(a->tone, b->tone);
    SAME(a->step, b->step);
    SAME(a->edge_fade, b->edge_fade);
    SAME(a->fading_faces, b->fading_faces);
    SAME(a->shutter, b->shutter);
    return NULL;
}

static const char *stroke_difference(const BrumeStroke *a, const BrumeStroke *b)
{
    SAME(a->start, b->start);
    SAME(a->end, b->end);
    SAME(a->from, b->from);
    SAME(a->to, b->to);
    SAME(a->from_slope, b->from_slope);
    SAME(a->to_slope, b->to_slope);
    SAME(a->radius, b->radius);
    SAME(a->smoke, b->smoke);
    SAME(a->temperature, b->temperature);
    SAME(a->erase, b->erase);
    SAME(a->push, b->push);
    SAME(a->velocity, b->velocity);
    SAME(a->suck, b->suck);
    SAME(a->twist, b->twist);
    SAME(a->axis, b->axis);
    return NULL;
}

/** The next change from `*n` on that has an effect, after which `*n` and the settings in effect are set. */
static const BrumeChange *next_change(const BrumeTimeline *timeline, int *n, const BrumeSimDef **settings)
{
    while (*n < timeline->count) {
        const BrumeChange *const change = &timeline->changes[(*n)++];
        const bool is_new =
            change->settings && (change->placed != 0 || settings_difference(*settings, change->settings));
        *settings = is_new ? change->settings : *settings;
        if (is_new || change->stroke_count + change->move_count > 0) {
            return change;
        }
    }
    return NULL;
}

static const char *change_difference(const BrumeChange *a, const BrumeChange *b)
{
    SAME(a->frame, b->frame);
    SAME(a->placed, b->placed);
    SAME(a->stroke_count, b->stroke_count);
    for (int i = 0; i < a->stroke_count; i++) {
        SAME_PART(stroke_difference(&a->strokes[i], &b->strokes[i]));
    }
    SAME(a->move_count, b->move_count);
    for (int i = 0; i < a->move_count; i++) {
        SAME(a->moves[i].body, b->moves[i].body);
        SAME(a->moves[i].velocity, b->moves[i].velocity);
    }
    return NULL;
}

static const char *timeline_difference(const BrumeScene *a, const BrumeScene *b)
{
    int next_a = 0;
    int next_b = 0;
    const BrumeSimDef *settings_a = &a->sim;
    const BrumeSimDef *settings_b = &b->sim;
    for (;;) {
        const BrumeChange *const x = next_change(&a->timeline, &next_a, &settings_a);
        const BrumeChange *const y = next_change(&b->timeline, &next_b, &settings_b);
        if (!x || !y) {
            return x || y ? "a->timeline.count" : NULL;
        }
        SAME_PART(change_difference(x, y));
        SAME_PART(settings_difference(settings_a, settings_b));
    }
}

static const char *probe_difference(const BrumeProbe *a, const BrumeProbe *b)
{
    SAME_TEXT(a->name, b->name);
    SAME(a->kind, b->kind);
    SAME(a->quantities, b->quantities);
    SAME(a->every, b->every);
    SAME(a->last, b->last);
    if (a->kind == BRUME_PROBE_POINTS) {
        SAME(a->point_count, b->point_count);
        for (int n = 0; n < a->point_count; n++) {
            SAME(a->points[n], b->points[n]);
        }
        return NULL;
    }
    SAME(a->whole, b->whole);
    if (!a->whole) {
        SAME(a->from, b->from);
        SAME(a->to, b->to);
    }
    if (a->kind == BRUME_PROBE_PLANE) {
        SAME(a->axis, b->axis);
        SAME(a->position, b->position);
    }
    if (a->kind == BRUME_PROBE_LINE) {
        SAME(a->counts[0], b->counts[0]);
    } else if (a->kind == BRUME_PROBE_PLANE) {
        SAME(a->counts, b->counts);
    }
    return NULL;
}

const char *scene_difference(const BrumeScene *a, const BrumeScene *b)
{
    SAME_TEXT(a->name, b->name);
    SAME_TEXT(a->description, b->description);
    SAME_PART(settings_difference(&a->sim, &b->sim));
    SAME_PART(timeline_difference(a, b));
    SAME_PART(render_settings_difference(&a->render_settings, &b->render_settings));
    SAME(a->surface_of, b->surface_of);
    SAME(a->camera_key_count, b->camera_key_count);
    for (int n = 0; n < a->camera_key_count; n++) {
        SAME(a->camera_keys[n].time, b->camera_keys[n].time);
        SAME(a->camera_keys[n].camera, b->camera_keys[n].camera);
    }
    SAME(a->probe_count, b->probe_count);
    for (int n = 0; n < a->probe_count; n++) {
        SAME_PART(probe_difference(&a->probes[n], &b->probes[n]));
    }
    SAME(a->frames, b->frames);
    SAME(a->width, b->width);
    SAME(a->height, b->height);
    SAME(a->integrator, b->integrator);
    SAME(a->samples, b->samples);
    SAME(a->noise, b->noise);
    SAME(a->bounces, b->bounces);
    SAME(a->bits, b->bits);
    SAME(a->transparent, b->transparent);
    SAME(a->turntable, b->turntable);
    SAME(a->shutter, b->shutter);
    return NULL;
}
