// The renderer of brume/renderer.h: loads a volume, computes the light in it, and marches the rays of a picture, tile
// by tile (raymarch/tiles.h).
#include "brume/renderer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/waiting.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/motion_vectors.h"
#include "raymarch/cpu/packet_rays.h"
#include "raymarch/cpu/packet_shadows.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/sprites.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tiles.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static BrumeStatus check_detail(const BrumeDetail *detail, BrumeError *error)
{
    if (detail->factor >= 1 && detail->factor <= BRUME_MAX_DETAIL_FACTOR && detail->strength >= 0.0f &&
        detail->strength < INFINITY && detail->scale > 0.0f && detail->scale < INFINITY) {
        return BRUME_OK;
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "detail has the factor %d, the strength %g and the scale %g; factors are 1 to %d, strengths 0 or "
                      "more, scales above 0",
                      detail->factor, (double)detail->strength, (double)detail->scale, BRUME_MAX_DETAIL_FACTOR);
}

// creates a lit medium for volumes of up to `volumes`, with the finer cells; to be destroyed even if this fails
static BrumeStatus create_lit_medium(BrumeLitMedium *lit, BrumeGrid volumes, const BrumeRenderSettings *settings,
                                     BrumeError *error)
{
    *lit = (BrumeLitMedium){0};
    const BrumeStatus status = check_detail(&settings->detail, error);
    return status == BRUME_OK
               ? brume_lit_medium_create(lit, brume_detail_grid(&settings->detail, volumes), settings, error)
               : status;
}

BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz, const BrumeRenderSettings *settings,
                                  BrumeError *error)
{
    *renderer = NULL;
    BrumeRenderer *self = brume_alloc(1, sizeof *self);
    if (self == NULL) {
        return brume_out_of_memory(error, "a renderer");
    }
    self->volumes = brume_grid(nx, ny, nz);
    const BrumeStatus status = create_lit_medium(&self->lit, self->volumes, settings, error);
    if (status != BRUME_OK) {
        brume_renderer_destroy(self);
        return status;
    }
    *renderer = self;
    return BRUME_OK;
}

void brume_renderer_destroy(BrumeRenderer *renderer)
{
    if (renderer != NULL) {
        brume_lit_medium_destroy(&renderer->lit);
        brume_detail_destroy(&renderer->detail);
        brume_flow_view_destroy(&renderer->flow);
        brume_particle_copy_destroy(&renderer->particles);
        brume_free(renderer);
    }
}

const BrumeLitMedium *brume_renderer_lit_medium(const BrumeRenderer *renderer) { return &renderer->lit; }

size_t brume_renderer_bytes_needed(int nx, int ny, int nz, const BrumeRenderSettings *settings, int kinds)
{
    const BrumeGrid volumes = brume_grid(nx, ny, nz);
    return sizeof(BrumeRenderer) +
           brume_lit_medium_bytes_needed(brume_detail_grid(&settings->detail, volumes), settings, kinds) +
           brume_detail_bytes_needed(settings, volumes, kinds);
}

size_t brume_renderer_bytes(const BrumeRenderer *renderer)
{
    return sizeof *renderer + brume_lit_medium_bytes(&renderer->lit) + brume_detail_bytes(&renderer->detail) +
           brume_flow_view_bytes(&renderer->flow) + brume_particle_copy_bytes(&renderer->particles);
}

BrumeStatus brume_renderer_set_settings(BrumeRenderer *renderer, const BrumeRenderSettings *settings, BrumeError *error)
{
    BrumeStatus status = check_detail(&settings->detail, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (settings->detail.factor == renderer->lit.settings.detail.factor) {
        return brume_lit_medium_set_settings(&renderer->lit, settings, error);
    }
    BrumeLitMedium lit; // cells of another size
    status = create_lit_medium(&lit, renderer->volumes, settings, error);
    if (status != BRUME_OK) {
        brume_lit_medium_destroy(&lit);
        return status;
    }
    brume_lit_medium_destroy(&renderer->lit);
    brume_detail_destroy(&renderer->detail);
    renderer->lit = lit;
    return BRUME_OK;
}

BrumeStatus brume_renderer_load(BrumeRenderer *renderer, const BrumeVolume *volume, BrumeError *error)
{
    brume_adapt_waiting(); // the light of a volume has some twenty barriers
    BrumeRenderSettings *settings = &renderer->lit.settings;
    BrumeStatus status = brume_volume_check(volume, renderer->volumes, error);
    if (status != BRUME_OK) {
        return status;
    }
    settings->flow = NULL;
    status = brume_flow_view_load(&renderer->flow, settings, volume, error);
    if (status == BRUME_OK) {
        status = brume_particle_copy_set(&renderer->particles, volume->particles, volume->particle_count, error);
    }
    BrumeVolume fine = *volume;
    if (status == BRUME_OK && brume_detail_is_on(&settings->detail)) {
        status = brume_detail_refine(&renderer->detail, settings, volume, &fine, error);
    }
    if (status == BRUME_OK) {
        status = brume_lit_medium_load(&renderer->lit, &fine, error);
    }
    if (status == BRUME_OK) {
        settings->flow = &renderer->flow;
    }
    return status;
}

BrumeStatus brume_renderer_light(BrumeRenderer *renderer, BrumeError *error)
{
    if (renderer->lit.state == BRUME_LIT_EMPTY) {
        return brume_fail(error, BRUME_BAD_INPUT, "the light of a volume needs a volume that was loaded");
    }
    brume_lit_medium_light(&renderer->lit, BRUME_LIGHT_FULL);
    return BRUME_OK;
}

void brume_renderer_set_user_data(BrumeRenderer *renderer, void *user_data) { renderer->user_data = user_data; }

void *brume_renderer_user_data(const BrumeRenderer *renderer) { return renderer->user_data; }

BrumeDrawDef brume_default_draw_def(void) { return (BrumeDrawDef){.width = 960, .height = 540, .samples = 4}; }

BrumeVec3 brume_ray_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeMarchSteps steps)
{
    const BrumeSurfaceHit hit = brume_visible_surface(lit, ray, steps.time);
    const BrumeMarchResult march = brume_march(lit, ray, hit.distance, steps);
    const BrumeVec3 behind = brume_surface_radiance(lit, ray, hit, steps.jitter);
    return brume_add(march.radiance, brume_scale(behind, march.transmittance));
}

float brume_ray_depth(const BrumeLitMedium *lit, const BrumeRay *ray)
{
    const BrumeSurfaceHit hit = brume_visible_surface(lit, ray, 0.0f);
    return brume_min(hit.distance, brume_march_to_transmittance(lit, ray, hit.distance, 0.5f));
}

bool brume_drawn_pixels(const BrumeDrawDef *def, BrumePictureCrop *pixels)
{
    const BrumePictureCrop *crop = &def->crop;
    const bool whole = crop->left == 0 && crop->top == 0 && crop->right == 0 && crop->bottom == 0;
    *pixels = whole ? (BrumePictureCrop){.right = def->width, .bottom = def->height} : *crop;
    return 0 <= pixels->left && pixels->left < pixels->right && pixels->right <= def->width && 0 <= pixels->top &&
           pixels->top < pixels->bottom && pixels->bottom <= def->height;
}

// the pixels that are drawn as one packet of rays
enum { BLOCK = 8 };
_Static_assert(BLOCK *BLOCK <= BRUME_PACKET_RAYS, "a block is one packet");

// a picture, or a part of it, while it is drawn
typedef struct DrawnPicture {
    const BrumeLitMedium *lit;
    BrumePictureRays rays;
    const BrumeDrawDef *def;
    BrumePictureCrop pixels; // of `radiance`
    int first_sample, end_sample;
    float weight;           // by which the sum over the samples is multiplied
    float *radiance;        // the sum over the samples is added
    BrumeMotionView motion; // with that layer
} DrawnPicture;

// the radiance of the n-th ray of a packet that was marched; adds to its parts, unless these are NULL
static BrumeVec3 finish_ray(const DrawnPicture *drawn, const BrumeMarchPacket *packet, int n, const float *smoke)
{
    const BrumeSurfaceHit hit = brume_packet_hit(packet, n);
    const BrumeLitMedium *lit = drawn->lit;
    const BrumeMarchResult *march = &packet->results[n];
    const BrumeRay ray = brume_packet_ray(packet, n);
    if (packet->parts == NULL) {
        const BrumeVec3 behind = brume_surface_parts(lit, &ray, hit, packet->jitters[n], false, smoke, NULL);
        return brume_add(march->radiance, brume_scale(behind, march->transmittance));
    }
    BrumeRayParts *parts = &packet->parts[n];
    BrumeRayParts behind = {0};
    const bool transparent = drawn->def->layers->alpha != NULL;
    const BrumeVec3 radiance = brume_surface_parts(lit, &ray, hit, packet->jitters[n], transparent, smoke, &behind);
    brume_add_parts(parts, &behind, march->transmittance, lit->settings.light_count);
    parts->transmittance += march->transmittance;
    parts->alpha += 1.0f - march->transmittance * (1.0f - behind.alpha);
    return brume_add(march->radiance, brume_scale(radiance, march->transmittance));
}

static size_t pixel_index(const DrawnPicture *drawn, int x, int y)
{
    const BrumePictureCrop *pixels = &drawn->pixels;
    const size_t width = (size_t)(pixels->right - pixels->left);
    return (size_t)(y - pixels->top) * width + (size_t)(x - pixels->left);
}

static void store_color(float *plane, size_t pixel, BrumeVec3 color)
{
    if (plane != NULL) {
        plane[3 * pixel] = color.x;
        plane[3 * pixel + 1] = color.y;
        plane[3 * pixel + 2] = color.z;
    }
}

static void store_layers(const DrawnPicture *drawn, size_t pixel, const BrumeRayParts *parts, const BrumeRay *center)
{
    const BrumePictureLayers *layers = drawn->def->layers;
    const float weight = 1.0f / (float)drawn->def->samples;
    if (layers->alpha != NULL) {
        layers->alpha[pixel] = brume_clamp(weight * parts->alpha, 0.0f, 1.0f);
    }
    if (layers->transmittance != NULL) {
        layers->transmittance[pixel] = weight * parts->transmittance;
    }
    if (layers->depth != NULL) {
        layers->depth[pixel] = brume_ray_depth(drawn->lit, center);
    }
    store_color(layers->emission, pixel, brume_scale(parts->emission, weight));
    store_color(layers->sky, pixel, brume_scale(parts->sky, weight));
    for (int n = 0; n < drawn->lit->settings.light_count; n++) {
        store_color(layers->lights[n], pixel, brume_scale(parts->lights[n], weight));
    }
}

static void draw_block(void *context, const BrumePictureCrop *block)
{
    const DrawnPicture *drawn = context;
    const bool layers = drawn->def->layers != NULL;
    BrumeRayParts parts[BRUME_PACKET_RAYS];
    BrumeVec3 sums[BRUME_PACKET_RAYS];
    float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS];
    BrumeMarchPacket packet;
    packet.step = drawn->def->step > 0.0f ? drawn->def->step : drawn->lit->settings.step;
    packet.parts = layers ? parts : NULL;
    if (layers) {
        memset(parts, 0, sizeof parts);
    }
    int ray = 0;
    for (int y = block->top; y < block->bottom; y++) {
        for (int x = block->left; x < block->right; x++) {
            const float *pixel = drawn->radiance + 3 * pixel_index(drawn, x, y);
            sums[ray++] = brume_vec3(pixel[0], pixel[1], pixel[2]);
        }
    }
    for (int n = drawn->first_sample; n < drawn->end_sample; n++) {
        brume_packet_rays(&packet, &drawn->rays, drawn->def, block, n);
        brume_packet_hits(&packet, drawn->lit);
        brume_march_packet(drawn->lit, &packet);
        brume_packet_shadows(drawn->lit, &packet, smoke);
        for (ray = 0; ray < packet.count; ray++) {
            sums[ray] = brume_add(sums[ray], finish_ray(drawn, &packet, ray, smoke[ray]));
        }
    }
    ray = 0;
    for (int y = block->top; y < block->bottom; y++) {
        for (int x = block->left; x < block->right; x++) {
            const size_t pixel = pixel_index(drawn, x, y);
            store_color(drawn->radiance, pixel, brume_scale(sums[ray], drawn->weight));
            if (layers) {
                const BrumeRay center = brume_picture_ray(&drawn->rays, (float)x + 0.5f, (float)y + 0.5f);
                store_layers(drawn, pixel, &parts[ray], &center);
                if (drawn->def->layers->motion != NULL) {
                    brume_motion_vector(&drawn->motion, x, y, drawn->def->layers->motion + 2 * pixel);
                }
            }
            ray++;
        }
    }
}

static void draw_tile(void *context, const BrumePictureCrop *tile)
{
    brume_draw_blocks(tile, BLOCK, draw_block, context);
}

BrumeStatus brume_renderer_draw_part(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                                     const BrumeDrawPart *part, float *sum, BrumeError *error)
{
    assert(renderer->lit.state == BRUME_LIT_READY);
    assert(def->width > 0 && def->height > 0 && def->samples > 0);
    assert(0 <= part->left && part->right <= def->width);
    assert(0 <= part->first_sample && part->end_sample <= def->samples);
    if (part->left >= part->right) {
        return BRUME_OK;
    }
    BrumeDrawDef whole = *def;
    whole.partial_wanted = NULL;
    whole.layers = NULL;
    DrawnPicture drawn = {
        .lit = &renderer->lit,
        .rays = brume_exposed_rays(camera, def, renderer->lit.settings.shutter),
        .def = &whole,
        .pixels = {.right = def->width, .bottom = def->height},
        .first_sample = part->first_sample,
        .end_sample = part->end_sample,
        .weight = 1.0f,
        .radiance = sum,
    };
    const BrumeTiles tiles = {.pixels = {.left = part->left, .right = part->right, .bottom = def->height},
                              .share = 1.0};
    const BrumeStatus status = brume_draw_whole_tiles(&tiles, &whole, draw_tile, &drawn, error);
    if (status == BRUME_OK && def->progress != NULL) {
        (void)def->progress(def->context, 1.0);
    }
    return status;
}

static void clear_plane(float *plane, size_t floats)
{
    if (plane != NULL) {
        memset(plane, 0, floats * sizeof *plane);
    }
}

static void clear_layers(const BrumePictureLayers *layers, size_t pixels)
{
    clear_plane(layers->alpha, pixels);
    clear_plane(layers->transmittance, pixels);
    clear_plane(layers->depth, pixels);
    clear_plane(layers->motion, 2 * pixels);
    clear_plane(layers->sky, 3 * pixels);
    clear_plane(layers->emission, 3 * pixels);
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        clear_plane(layers->lights[n], 3 * pixels);
    }
}

BrumeStatus brume_renderer_draw(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                                float *radiance, BrumeError *error)
{
    BrumePictureCrop pixels;
    if (renderer->lit.state != BRUME_LIT_READY || def->width < 1 || def->height < 1 || def->samples < 1 ||
        !brume_drawn_pixels(def, &pixels)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a picture needs the light of a loaded volume, a size and samples of at least 1, and a crop "
                          "within the picture");
    }
    const size_t count = (size_t)(pixels.right - pixels.left) * (size_t)(pixels.bottom - pixels.top);
    clear_plane(radiance, 3 * count);
    if (def->layers != NULL) {
        clear_layers(def->layers, count);
    }
    DrawnPicture drawn = {
        .lit = &renderer->lit,
        .rays = brume_exposed_rays(camera, def, renderer->lit.settings.shutter),
        .def = def,
        .pixels = pixels,
        .end_sample = def->samples,
        .weight = 1.0f / (float)def->samples,
        .radiance = radiance,
    };
    if (def->layers != NULL && def->layers->motion != NULL) {
        drawn.motion = brume_motion_view(&renderer->lit, camera, def);
    }
    const BrumeTiles tiles = {.pixels = pixels, .share = 1.0};
    BrumeStatus status = brume_draw_whole_tiles(&tiles, def, draw_tile, &drawn, error);
    if (status == BRUME_OK) {
        status = brume_renderer_draw_particles(renderer, camera, def, radiance, error);
    }
    if (status == BRUME_OK && def->progress != NULL) {
        (void)def->progress(def->context, 1.0);
    }
    return status;
}

const BrumeParticle *brume_renderer_particles(const BrumeRenderer *renderer, int *count)
{
    *count = renderer->particles.count;
    return renderer->particles.items;
}

BrumeStatus brume_renderer_add_sprites(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                       const BrumeDrawDef *def, const BrumeSpriteTarget *target, BrumeError *error)
{
    if (renderer->particles.count == 0) {
        return BRUME_OK;
    }
    if (renderer->lit.state != BRUME_LIT_READY) {
        return brume_fail(error, BRUME_BAD_INPUT, "particles need the light of a loaded volume");
    }
    BrumeSprite *sprites;
    int count;
    const BrumeStatus status = brume_sprites_create(&sprites, &count, &renderer->lit, renderer->particles.items,
                                                    renderer->particles.count, camera, def, error);
    brume_sprites_draw(sprites, count, target);
    brume_free(sprites);
    return status;
}

BrumeStatus brume_renderer_draw_particles(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                          const BrumeDrawDef *def, float *radiance, BrumeError *error)
{
    BrumeSpriteTarget target = {
        .radiance = radiance, .layers = def->layers, .lights = renderer->lit.settings.light_count};
    if (!brume_drawn_pixels(def, &target.pixels)) {
        return brume_fail(error, BRUME_BAD_INPUT, "a picture needs a crop within the picture");
    }
    target.drawn = target.pixels;
    return brume_renderer_add_sprites(renderer, camera, def, &target, error);
}

BrumePick brume_renderer_pick(const BrumeRenderer *renderer, const BrumeCamera *camera, int width, int height, float x,
                              float y)
{
    assert(width > 0 && height > 0);
    const BrumeGridMedium *medium = &renderer->lit.medium;
    const BrumePictureRays rays = brume_picture_rays(camera, width, height);
    const BrumeRay ray = brume_picture_ray(&rays, x, y);
    const BrumeSurfaceHit hit = brume_visible_surface(&renderer->lit, &ray, 0.0f);
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = hit.distance, .surface = -1};
    if (hit.surface >= 0) {
        pick.kind = BRUME_PICK_SURFACE;
        pick.surface = hit.surface;
    } else if (hit.surface == BRUME_HIT_GROUND) {
        pick.kind = BRUME_PICK_GROUND;
    } else if (hit.surface <= BRUME_HIT_WALL) {
        pick.kind = BRUME_PICK_WALL;
    }
    if (medium->grid.nx > 0) { // a volume was loaded
        const BrumeVec3 extent = brume_scale(brume_grid_extent(medium->grid), medium->dx);
        const BrumeRayInterval inside = brume_ray_box(&ray, medium->origin, brume_add(medium->origin, extent));
        pick.enter = brume_max(inside.enter, 0.0f);
        pick.leave = inside.leave;
        const float half = brume_march_to_transmittance(&renderer->lit, &ray, hit.distance, 0.5f);
        if (half < INFINITY) {
            pick.kind = BRUME_PICK_SMOKE;
            pick.distance = half;
            pick.surface = -1;
        }
    }
    if (pick.kind != BRUME_PICK_SKY) {
        pick.point = brume_ray_at(&ray, pick.distance);
    }
    return pick;
}

bool brume_renderer_bounds(const BrumeRenderer *renderer, BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeGridMedium *medium = &renderer->lit.medium;
    if (!(medium->occupied_lower.x < medium->occupied_upper.x)) {
        return false;
    }
    // from cells of the padded field to cells of the box, and within it
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 from = brume_sub(medium->occupied_lower, half);
    const BrumeVec3 to = brume_sub(medium->occupied_upper, half);
    const BrumeVec3 extent = brume_grid_extent(medium->grid);
    const BrumeVec3 first = brume_vec3(brume_max(from.x, 0.0f), brume_max(from.y, 0.0f), brume_max(from.z, 0.0f));
    const BrumeVec3 last = brume_vec3(brume_min(to.x, extent.x), brume_min(to.y, extent.y), brume_min(to.z, extent.z));
    *lower = brume_add(medium->origin, brume_scale(first, medium->dx));
    *upper = brume_add(medium->origin, brume_scale(last, medium->dx));
    return true;
}
