/*
 * A particle of diameter d and radius r = d / 2 reflects light as a Lambertian sphere: lit by the irradiance E from a
 * direction at the angle a from the camera, its mean radiance is
 *
 *     albedo E 2 / (3 pi^2) (sin a + (pi - a) cos a)                                 (Schoenberg 1929)
 *
 * A plate reflects as a Lambertian disc, on the side that the camera sees; of the light on its other side it lets the
 * part `translucency` through, equally to all directions. Light from all other directions counts by its mean radiance.
 * Transmittances are those of the light volumes of the medium, so that particles are in the shadow of smoke, solids
 * and, where they are dense, of each other (particle_medium.h).
 *
 * In the picture it covers the area of its disc. Where that is less than about a pixel, or where it moves, the same
 * amount of cover is spread over the pixels that it reaches. What is behind it is the picture without particles, of
 * which the transmittance T of the smoke in front of it and its cover take the part T x cover; this neglects that a
 * particle within smoke does not cover the smoke in front of it.
 */
#include "raymarch/cpu/sprites.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/intersect.h"
#include "raymarch/light/glow_light.h"
#include "raymarch/light/light_source.h"
#include "raymarch/particle_look.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tone.h"

#include <math.h>
#include <stdlib.h>

static const float LEAST_ALPHA = 1.0f / 4096.0f; // that is drawn
static const float NEAREST = 1e-3f;              // place before the camera [m]
enum { BAND = 16 };                              // rows that a thread composes

// what the sprites of a picture need
typedef struct SpriteView {
    const BrumeLitMedium *lit;
    const BrumeDrawDef *def;
    float shutter;            // [s]
    BrumePictureRays rays[2]; // when the shutter opens and closes
} SpriteView;

// Projects a point to the picture; `*scale` becomes the pixels of a meter there. Returns its depth [m].
static float project(const BrumePictureRays *rays, BrumeVec3 point, float place[2], float *scale)
{
    const BrumeVec3 offset = brume_sub(point, rays->position);
    const float depth = brume_dot(offset, rays->forward);
    const float distance = rays->parallel ? 1.0f : brume_fmaxf(depth, NEAREST);
    const BrumeVec3 from_corner = brume_sub(brume_scale(offset, 1.0f / distance), rays->corner);
    const float squared = brume_dot(rays->across, rays->across);
    *scale = 1.0f / (sqrtf(squared) * distance);
    place[0] = brume_dot(from_corner, rays->across) / squared;
    place[1] = brume_dot(from_corner, rays->down) / squared;
    return depth;
}

// The distance [cells] of a particle at `cells` from the point in the direction of a light at which it gets its light.
// Those that are seen in a dense medium are at the side of it, where its extinction, which is spread over cells, hides
// less light.
static float light_distance(const BrumeLitMedium *lit, BrumeVec3 cells)
{
    const BrumeGridMedium *medium = brume_lit_medium_shading(lit);
    const BrumeVec3 extent = brume_grid_extent(medium->grid);
    const bool inside = brume_least(cells) >= 0.0f && brume_least(brume_sub(extent, cells)) >= 0.0f;
    if (medium->smoke_alone == NULL || !inside) {
        return 0.0f;
    }
    const float extinction =
        brume_field_sample(&medium->extinction, cells) - brume_field_sample(medium->smoke_alone, cells);
    return BRUME_SPRITE_SHIFT * (1.0f - brume_fast_exp(-brume_fmaxf(extinction, 0.0f)));
}

// the irradiance across the light of the n-th light at a point [m], which gets its light at a `distance` [cells] from
// `cells`, and the direction towards it
static BrumeVec3 light_at(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 cells, float distance,
                          BrumeVec3 *towards)
{
    const BrumeLightSource *source = &lit->sources[n];
    BrumeLightRay ray;
    if (brume_ground_blocks_light(&lit->settings, &source->light) ||
        !brume_light_ray(source, point, 0.5f, 0.5f, 0.0f, &ray)) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const BrumeVec3 at = brume_add(cells, brume_scale(ray.towards, distance));
    const float root = source->light.kind == BRUME_LIGHT_DIRECTIONAL
                           ? brume_sweep_at_any_point(&lit->directional[n], at)
                           : brume_placed_light_at(lit, n, at);
    const float square = root * root;
    const float fourth = square * square;
    *towards = ray.towards;
    return brume_scale(source->light.color, ray.irradiance * fourth * fourth);
}

// the mean radiance of a Lambertian sphere over its disc, for an irradiance of 1
static float sphere_share(float cosine)
{
    const float c = brume_clamp(cosine, -1.0f, 1.0f);
    const float angle = 0.5f * BRUME_PI - brume_asinf(c);
    const float sine = sqrtf(brume_fmaxf(1.0f - c * c, 0.0f));
    return 2.0f / (3.0f * BRUME_PI * BRUME_PI) * (sine + (BRUME_PI - angle) * c);
}

// the radiance of a plate for an irradiance of 1 across the light
static float plate_share(BrumeVec3 normal, BrumeVec3 view, BrumeVec3 towards, float translucency)
{
    const float lit = brume_dot(normal, towards);
    const bool same_side = lit * brume_dot(normal, view) > 0.0f;
    return fabsf(lit) / BRUME_PI * (same_side ? 1.0f - translucency : translucency);
}

// the nearest point of the box
static BrumeVec3 inside_box(const BrumeLitMedium *lit, BrumeVec3 cells)
{
    const BrumeVec3 extent = brume_grid_extent(lit->medium.grid);
    return brume_vec3(brume_clamp(cells.x, 0.0f, extent.x), brume_clamp(cells.y, 0.0f, extent.y),
                      brume_clamp(cells.z, 0.0f, extent.z));
}

// the radiance of a particle for an irradiance of 1 across the light
static float share_of(const BrumeParticle *particle, BrumeVec3 view, BrumeVec3 towards, float translucency)
{
    return brume_is_zero(particle->normal) ? sphere_share(brume_dot(view, towards))
                                           : plate_share(particle->normal, view, towards, translucency);
}

// The mean normal of what is seen of a particle; of a plate the lower side takes part by its translucency.
static BrumeVec3 mean_normal(const BrumeParticle *particle, BrumeVec3 view, float translucency)
{
    const float side = brume_dot(particle->normal, view) < 0.0f ? -1.0f : 1.0f;
    return brume_is_zero(particle->normal) ? brume_scale(view, 2.0f / 3.0f)
                                           : brume_scale(particle->normal, side * (1.0f - 2.0f * translucency));
}

// The radiance of a particle for the light with these moments, of which the part that has a direction is a beam
// where it is from in and around the glow (glow_light.h); the radiance of the rest is linear in its direction.
static BrumeVec3 moments_radiance(const BrumeLightMoments *moments, bool is_glow, const BrumeParticle *particle,
                                  BrumeVec3 view, BrumeVec3 normal, float translucency)
{
    float radiance[3];
    for (int c = 0; c < 3; c++) {
        const BrumeFloat4 all = moments->color[c];
        float mean = all[0];
        BrumeVec3 flux = brume_vec3(all[1], all[2], all[3]);
        float beam = 0.0f;
        if (is_glow) {
            const BrumeBeamAndRest light = brume_beam_and_rest(all);
            mean = light.mean;
            flux = brume_scale(light.direction, light.flux);
            beam = 4.0f * BRUME_PI * light.beam *
                   share_of(particle, view, brume_scale(light.direction, -1.0f), translucency);
        }
        radiance[c] = brume_fmaxf(mean - 2.0f * brume_dot(normal, flux), 0.0f) + beam;
    }
    return brume_vec3(radiance[0], radiance[1], radiance[2]);
}

static void shade(const BrumeLitMedium *lit, const BrumeParticle *particle, BrumeVec3 view, BrumeSprite *sprite)
{
    const BrumeParticleLook *look = &lit->settings.particles[particle->kind];
    const BrumeVec3 cells = brume_scale(brume_sub(particle->position, lit->medium.origin), 1.0f / lit->medium.dx);
    const float distance = light_distance(lit, cells);
    const BrumeVec3 point = inside_box(lit, brume_add(cells, brume_scale(view, distance)));
    const BrumeLightMoments other = brume_scattered_light_at(&lit->scattered, point);
    sprite->ambient = brume_vec3(brume_fmaxf(other.color[0][0], 0.0f), brume_fmaxf(other.color[1][0], 0.0f),
                                 brume_fmaxf(other.color[2][0], 0.0f));
    const BrumeVec3 normal = mean_normal(particle, view, look->translucency);
    BrumeVec3 light = moments_radiance(&other, false, particle, view, normal, look->translucency);
    if (lit->scattered.glows) {
        const BrumeLightMoments glow = brume_glow_light_at(&lit->scattered, point);
        light = brume_add(light, moments_radiance(&glow, true, particle, view, normal, look->translucency));
    }
    for (int n = 0; n < lit->settings.light_count; n++) {
        BrumeVec3 towards = view;
        const BrumeVec3 irradiance = light_at(lit, n, particle->position, cells, distance, &towards);
        light = brume_add(light, brume_scale(irradiance, share_of(particle, view, towards, look->translucency)));
    }
    sprite->glow = brume_particle_glow(look, particle->age, lit->settings.emission.ambient);
    const BrumeVec3 albedo = brume_particle_albedo(look, particle->id);
    sprite->radiance = brume_add(brume_mul(albedo, light), sprite->glow);
}

// Sets the outline of a sprite by its half axes [pixels]. Returns its area.
static float set_outline(BrumeSprite *sprite, const float a[2], const float b[2])
{
    const float area = a[0] * b[1] - a[1] * b[0];
    sprite->inverse[0][0] = b[1] / area;
    sprite->inverse[0][1] = -b[0] / area;
    sprite->inverse[1][0] = -a[1] / area;
    sprite->inverse[1][1] = a[0] / area;
    const float lengths[2] = {a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1]};
    sprite->reach = sqrtf(sprite->leaf ? brume_fmaxf(lengths[0], lengths[1]) : lengths[0] + lengths[1]);
    return fabsf(area) * brume_plate_area(sprite->leaf ? BRUME_OUTLINE_LEAF : BRUME_OUTLINE_DISC);
}

// The outline of a plate, which is at least BRUME_SPRITE_THINNEST of its length wide. Returns its area.
static float set_plate_outline(const BrumePictureRays *rays, const BrumeParticle *particle, float scale, bool leaf,
                               BrumeSprite *sprite)
{
    BrumeVec3 axes[2];
    float seen[2][2];
    axes[0] = brume_scale(brume_plate_axis(particle), 0.5f * particle->diameter);
    axes[1] = brume_cross(particle->normal, axes[0]);
    const float per_length = scale / brume_length(rays->across); // pixels are squares
    for (int n = 0; n < 2; n++) {
        seen[n][0] = per_length * brume_dot(axes[n], rays->across);
        seen[n][1] = per_length * brume_dot(axes[n], rays->down);
    }
    const float radius = 0.5f * scale * particle->diameter;
    const float area = seen[0][0] * seen[1][1] - seen[0][1] * seen[1][0];
    const float least = BRUME_SPRITE_THINNEST * radius * radius;
    if (fabsf(area) < least) { // seen from its edge: the axes are almost parallel
        const float *longer =
            seen[0][0] * seen[0][0] + seen[0][1] * seen[0][1] > seen[1][0] * seen[1][0] + seen[1][1] * seen[1][1]
                ? seen[0]
                : seen[1];
        const float a[2] = {longer[0], longer[1]};
        const float b[2] = {-BRUME_SPRITE_THINNEST * a[1], BRUME_SPRITE_THINNEST * a[0]};
        sprite->leaf = leaf;
        return set_outline(sprite, a, b);
    }
    sprite->leaf = leaf;
    return set_outline(sprite, seen[0], seen[1]);
}

// the sprite of a particle; its alpha is 0 where it is not seen
static BrumeSprite make_sprite(const SpriteView *view, const BrumeParticle *particle)
{
    BrumeSprite sprite = {.id = particle->id};
    const BrumeVec3 half_way = brume_scale(particle->velocity, 0.5f * view->shutter);
    float scales[2];
    const float first = project(&view->rays[0], brume_sub(particle->position, half_way), sprite.from, &scales[0]);
    const float last = project(&view->rays[1], brume_add(particle->position, half_way), sprite.to, &scales[1]);
    const BrumePictureRays *rays = &view->rays[0];
    const BrumeVec3 offset = brume_sub(rays->position, particle->position);
    BrumeRay ray = {.origin = rays->position};
    sprite.distance = rays->parallel ? -brume_dot(offset, rays->forward) : brume_length(offset);
    const BrumeVec3 towards = rays->parallel ? brume_scale(rays->forward, -1.0f) : brume_normalize(offset);
    ray.direction = brume_scale(towards, -1.0f);
    if (rays->parallel) {
        ray.origin = brume_add(particle->position, brume_scale(towards, sprite.distance));
    }
    if (!(first > NEAREST && last > NEAREST)) {
        return sprite;
    }
    const BrumeParticleLook *look = &view->lit->settings.particles[particle->kind];
    const float scale = 0.5f * (scales[0] + scales[1]);
    const float radius = 0.5f * particle->diameter * scale;
    const bool plate = !brume_is_zero(particle->normal);
    float area = BRUME_PI * radius * radius;
    float reached;
    if (plate && radius >= BRUME_SPRITE_LEAST_RADIUS) {
        area = reached = set_plate_outline(rays, particle, scale, look->outline == BRUME_OUTLINE_LEAF, &sprite);
    } else {
        const float drawn = brume_fmaxf(radius, BRUME_SPRITE_LEAST_RADIUS);
        area *= plate ? brume_fmaxf(fabsf(brume_dot(particle->normal, towards)), BRUME_SPRITE_THINNEST) : 1.0f;
        // the mean sum of brume_sprite_cover over the pixels
        reached = set_outline(&sprite, (const float[]){drawn, 0.0f}, (const float[]){0.0f, drawn}) + BRUME_PI / 12.0f;
    }
    const float way[2] = {sprite.to[0] - sprite.from[0], sprite.to[1] - sprite.from[1]};
    const float length = sqrtf(way[0] * way[0] + way[1] * way[1]);
    const float share = area / (reached + 2.0f * sqrtf(reached / BRUME_PI) * length);
    const float left = brume_fminf(sprite.from[0], sprite.to[0]) - sprite.reach;
    const float right = brume_fmaxf(sprite.from[0], sprite.to[0]) + sprite.reach;
    const float top = brume_fminf(sprite.from[1], sprite.to[1]) - sprite.reach;
    const float bottom = brume_fmaxf(sprite.from[1], sprite.to[1]) + sprite.reach;
    const bool inside =
        right > 0.0f && left < (float)view->def->width && bottom > 0.0f && top < (float)view->def->height;
    const bool glows = look->glow > 0.0f;
    if (!inside || (share < LEAST_ALPHA && !glows) ||
        brume_surface_before(&view->lit->settings, &ray, sprite.distance - 0.5f * particle->diameter, 0.0f)) {
        return sprite;
    }
    sprite.alpha = share * brume_march_transmittance(view->lit, &ray, sprite.distance);
    if (sprite.alpha > 0.0f) {
        shade(view->lit, particle, towards, &sprite);
    }
    return sprite;
}

static int compare(const void *a, const void *b)
{
    const BrumeSprite *left = a;
    const BrumeSprite *right = b;
    return left->distance != right->distance ? (left->distance < right->distance ? 1 : -1)
           : left->id != right->id           ? (left->id < right->id ? -1 : 1)
                                             : 0;
}

BrumeStatus brume_sprites_create(BrumeSprite **sprites, int *sprite_count, const BrumeLitMedium *lit,
                                 const BrumeParticle *particles, int count, const BrumeCamera *camera,
                                 const BrumeDrawDef *def, BrumeError *error)
{
    *sprites = NULL;
    *sprite_count = 0;
    if (count == 0) {
        return BRUME_OK;
    }
    BrumeSprite *made = brume_alloc_untouched((size_t)count, sizeof *made);
    if (!made) {
        return brume_out_of_memory(error, "the particles of a picture");
    }
    SpriteView view = {.lit = lit, .def = def, .shutter = lit->settings.shutter};
    for (int end = 0; end < 2; end++) {
        const bool moves = view.shutter > 0.0f && def->camera_at != NULL;
        const BrumeCamera at_end =
            moves ? def->camera_at(def->camera_context, (double)view.shutter * (end - 0.5)) : *camera;
        view.rays[end] = brume_picture_rays(&at_end, def->width, def->height);
    }
#pragma omp parallel for schedule(dynamic, 256)
    for (int n = 0; n < count; n++) {
        made[n] = make_sprite(&view, &particles[n]);
    }
    int kept = 0;
    for (int n = 0; n < count; n++) {
        if (made[n].alpha > 0.0f) {
            made[kept++] = made[n];
        }
    }
    qsort(made, (size_t)kept, sizeof *made, compare);
    *sprites = made;
    *sprite_count = kept;
    return BRUME_OK;
}

float brume_sprite_cover(const BrumeSprite *sprite, float x, float y)
{
    const float way[2] = {sprite->to[0] - sprite->from[0], sprite->to[1] - sprite->from[1]};
    const float squared = way[0] * way[0] + way[1] * way[1];
    float offset[2] = {x - sprite->from[0], y - sprite->from[1]};
    const float share = squared > 0.0f ? (offset[0] * way[0] + offset[1] * way[1]) / squared : 0.0f;
    const float nearest = brume_clamp(share, 0.0f, 1.0f);
    offset[0] -= nearest * way[0];
    offset[1] -= nearest * way[1];
    const float u = sprite->inverse[0][0] * offset[0] + sprite->inverse[0][1] * offset[1];
    const float v = sprite->inverse[1][0] * offset[0] + sprite->inverse[1][1] * offset[1];
    const float radius = sqrtf(u * u + v * v);
    // a function that is 0 on the outline, and its derivatives by u and v
    const float inside = sprite->leaf ? 0.5f * (1.0f - u * u) - fabsf(v) : 1.0f - radius;
    const float du = sprite->leaf ? -u : radius > 0.0f ? -u / radius : 0.0f;
    const float dv = sprite->leaf ? (v < 0.0f ? 1.0f : -1.0f) : radius > 0.0f ? -v / radius : -1.0f;
    const float dx = du * sprite->inverse[0][0] + dv * sprite->inverse[1][0];
    const float dy = du * sprite->inverse[0][1] + dv * sprite->inverse[1][1];
    const float pixels = inside / sqrtf(brume_fmaxf(dx * dx + dy * dy, 1e-12f));
    return brume_clamp(pixels + 0.5f, 0.0f, 1.0f);
}

// (1 - part) x the value + part x `color`, in a plane of colors that may be NULL
static void blend(float *plane, size_t pixel, float part, BrumeVec3 color)
{
    if (plane) {
        plane[3 * pixel] += part * (color.x - plane[3 * pixel]);
        plane[3 * pixel + 1] += part * (color.y - plane[3 * pixel + 1]);
        plane[3 * pixel + 2] += part * (color.z - plane[3 * pixel + 2]);
    }
}

static void blend_layers(const BrumePictureLayers *layers, int lights, size_t pixel, float part,
                         const BrumeSprite *sprite)
{
    const BrumeVec3 none = {0};
    if (layers->alpha) {
        layers->alpha[pixel] += part * (1.0f - layers->alpha[pixel]);
    }
    if (layers->transmittance) {
        layers->transmittance[pixel] *= 1.0f - part;
    }
    blend(layers->emission, pixel, part, sprite->glow);
    blend(layers->sky, pixel, part, brume_sub(sprite->radiance, sprite->glow));
    blend(layers->noisy, pixel, part, sprite->radiance);
    for (int n = 0; n < lights; n++) {
        blend(layers->lights[n], pixel, part, none);
    }
}

// the pixels that a sprite reaches, of the rows from `top` to before `bottom` and of some columns
static BrumePictureCrop reached_pixels(const BrumeSprite *sprite, const BrumePictureCrop *drawn, int top, int bottom)
{
    const float reach = sprite->reach + 0.5f;
    const float last = 1e6f; // larger than any picture
    const float left = brume_fmaxf(brume_fminf(sprite->from[0], sprite->to[0]) - reach, 0.0f);
    const float right = brume_fminf(brume_fmaxf(sprite->from[0], sprite->to[0]) + reach, last);
    const float upper = brume_fmaxf(brume_fminf(sprite->from[1], sprite->to[1]) - reach, 0.0f);
    const float lower = brume_fminf(brume_fmaxf(sprite->from[1], sprite->to[1]) + reach, last);
    return (BrumePictureCrop){.left = brume_max_int((int)brume_fminf(left, last), drawn->left),
                              .right = brume_min_int((int)ceilf(brume_fmaxf(right, 0.0f)), drawn->right),
                              .top = brume_max_int((int)brume_fminf(upper, last), top),
                              .bottom = brume_min_int((int)ceilf(brume_fmaxf(lower, 0.0f)), bottom)};
}

void brume_sprites_draw(const BrumeSprite *sprites, int count, const BrumeSpriteTarget *target)
{
    const BrumePictureCrop *pixels = &target->pixels;
    const size_t width = (size_t)(pixels->right - pixels->left);
#pragma omp parallel for schedule(dynamic, 1)
    for (int top = target->drawn.top; top < target->drawn.bottom; top += BAND) {
        const int bottom = brume_min_int(top + BAND, target->drawn.bottom);
        for (int n = 0; n < count; n++) {
            const BrumeSprite *sprite = &sprites[n];
            const BrumePictureCrop reached = reached_pixels(sprite, &target->drawn, top, bottom);
            for (int y = reached.top; y < reached.bottom; y++) {
                for (int x = reached.left; x < reached.right; x++) {
                    const float part = sprite->alpha * brume_sprite_cover(sprite, (float)x + 0.5f, (float)y + 0.5f);
                    const size_t pixel = (size_t)(y - pixels->top) * width + (size_t)(x - pixels->left);
                    blend(target->radiance, pixel, part, sprite->radiance);
                    if (target->layers) {
                        blend_layers(target->layers, target->lights, pixel, part, sprite);
                    }
                }
            }
        }
    }
}

static float shown(BrumeToneCurve curve, float value)
{
    return 255.0f * brume_srgb_from_linear(brume_tone_curve(curve, value));
}

// what a sprite adds to the display values, of which it leaves the part 1 - alpha
static void add_values(const BrumeSprite *sprite, BrumeToneCurve curve, float exposure, float added[3])
{
    const float left = 1.0f - sprite->alpha;
    float behind[3];
    float together[3];
    for (int c = 0; c < 3; c++) {
        behind[c] = exposure * brume_component(sprite->ambient, c);
        together[c] = left * behind[c] + sprite->alpha * exposure * brume_component(sprite->radiance, c);
    }
    brume_tone_whiten(curve, behind);
    brume_tone_whiten(curve, together);
    for (int c = 0; c < 3; c++) {
        added[c] = shown(curve, together[c]) - left * shown(curve, behind[c]);
    }
}

void brume_sprites_draw_shown(const BrumeSprite *sprites, int count, const BrumePictureCrop *drawn,
                              const BrumeRenderSettings *display, int width, uint8_t *rgb)
{
    const float exposure = brume_powf(2.0f, display->exposure);
#pragma omp parallel for schedule(dynamic, 1)
    for (int top = drawn->top; top < drawn->bottom; top += BAND) {
        const int bottom = brume_min_int(top + BAND, drawn->bottom);
        for (int n = 0; n < count; n++) {
            const BrumeSprite *sprite = &sprites[n];
            const BrumePictureCrop reached = reached_pixels(sprite, drawn, top, bottom);
            if (reached.left >= reached.right || reached.top >= reached.bottom) {
                continue;
            }
            float added[3];
            add_values(sprite, display->tone, exposure, added);
            for (int y = reached.top; y < reached.bottom; y++) {
                for (int x = reached.left; x < reached.right; x++) {
                    const float cover = brume_sprite_cover(sprite, (float)x + 0.5f, (float)y + 0.5f);
                    uint8_t *pixel = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
                    for (int c = 0; c < 3; c++) {
                        const float value = (float)pixel[c] * (1.0f - sprite->alpha * cover) + cover * added[c];
                        pixel[c] = (uint8_t)brume_clamp(value + 0.5f, 0.0f, 255.0f);
                    }
                }
            }
        }
    }
}
