#include "raymarch/cpu/preview.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "raymarch/cpu/preview_internal.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/sprites.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/intersect.h"
#include "raymarch/tiles.h"

#include <assert.h>
#include <math.h>

void brume_light_in_motion(BrumeRenderer *renderer) { brume_lit_medium_light(&renderer->lit, BRUME_LIGHT_IN_MOTION); }

// the two nodes around a pixel, along one side of the picture; nodes are `shrink` pixels apart
static BrumeNodePlace node_place(int pixel, int shrink, int nodes)
{
    const float at = ((float)pixel + 0.5f) / (float)shrink - 0.5f;
    const float lower = floorf(at);
    const int first = (int)lower;
    const int last = nodes - 1;
    return (BrumeNodePlace){
        .lower = first < 0      ? 0
                 : first > last ? last
                                : first,
        .upper = first + 1 > last ? last : first + 1,
        .offset = at - lower,
    };
}

// sets the weights of the nodes at so many columns of pixels
static void set_weights(BrumeNodeWeights *weights, const BrumeNodePlace *columns, int count)
{
    *weights = (BrumeNodeWeights){.first = columns[0].lower, .count = columns[count - 1].upper + 1 - columns[0].lower};
    for (int x = 0; x < count; x++) {
        weights->weights[columns[x].lower - weights->first][x] += 1.0f - columns[x].offset;
        weights->weights[columns[x].upper - weights->first][x] += columns[x].offset;
    }
}

// sets where the pixels are between the nodes
static void set_places(BrumePreview *preview, const BrumePreviewDef *def, int across, int down)
{
    const int width = def->right - def->left;
    for (int x = 0; x < width; x++) {
        preview->places[x] = node_place(def->left + x, def->shrink, across);
    }
    for (int y = 0; y < def->height; y++) {
        preview->places[width + y] = node_place(y, def->shrink, down);
    }
    for (int x = 0; x < width; x += BRUME_PREVIEW_BLOCK) {
        const int count = width - x < BRUME_PREVIEW_BLOCK ? width - x : BRUME_PREVIEW_BLOCK;
        set_weights(&preview->weights[x / BRUME_PREVIEW_BLOCK], preview->places + x, count);
    }
}

// draws a block of pixels from the nodes around it
static void draw_block(void *context, const BrumePictureCrop *at)
{
    const BrumeDrawnPreview *drawn = context;
    const int column = at->left - drawn->def->left;
    BrumePreviewBlock block = {
        .at = *at,
        .columns = drawn->columns + column,
        .rows = drawn->rows + at->top,
        .weights = drawn->weights + column / BRUME_PREVIEW_BLOCK,
        .across = at->right - at->left,
        .down = at->bottom - at->top,
    };
    if (!brume_preview_draw_plane(drawn, &block)) {
        brume_preview_draw_edges(drawn, &block);
    }
}

static void draw_tile(void *context, const BrumePictureCrop *tile)
{
    brume_draw_blocks(tile, BRUME_PREVIEW_BLOCK, draw_block, context);
}

void brume_preview_destroy(BrumePreview *preview)
{
    brume_free(preview->nodes);
    brume_free(preview->shown);
    brume_free(preview->sky);
    brume_free(preview->lit);
    brume_free(preview->tone);
    brume_free(preview->places);
    brume_free(preview->weights);
    *preview = (BrumePreview){0};
}

// allocates memory for `nodes` nodes, and for `pixels` columns and rows of pixels
static BrumeStatus reserve(BrumePreview *preview, size_t nodes, size_t pixels, BrumeError *error)
{
    if (nodes > preview->capacity || pixels > preview->pixel_capacity) {
        brume_preview_destroy(preview);
        const size_t planes = (size_t)3 * BRUME_PREVIEW_SHOWN;
        preview->nodes = brume_alloc_untouched(nodes, sizeof *preview->nodes);
        preview->shown = brume_alloc(planes * nodes + BRUME_PREVIEW_PADDING, sizeof *preview->shown);
        preview->sky = brume_alloc_untouched(4 * nodes + 4 * BRUME_PREVIEW_PADDING, sizeof *preview->sky);
        preview->lit = brume_alloc_untouched(1, sizeof *preview->lit);
        preview->tone = brume_alloc_untouched(1, sizeof *preview->tone);
        preview->places = brume_alloc_untouched(pixels, sizeof *preview->places);
        preview->weights = brume_alloc_untouched(pixels / BRUME_PREVIEW_BLOCK + 1, sizeof *preview->weights);
        preview->capacity = nodes;
        preview->pixel_capacity = pixels;
        if (preview->nodes == NULL || preview->shown == NULL || preview->sky == NULL || preview->lit == NULL ||
            preview->tone == NULL || preview->places == NULL || preview->weights == NULL) {
            brume_preview_destroy(preview);
        }
    }
    return preview->capacity > 0 ? BRUME_OK : brume_out_of_memory(error, "a picture of %zu nodes", nodes);
}

// Whether nodes are closer to each other than the texels of an image of the sky. Daylight is smooth without its disc;
// other skies cost no time.
static bool is_smooth_horizon(const BrumeLitMedium *lit, const BrumeCamera *camera, const BrumePreviewDef *def)
{
    const BrumeSky *sky = &lit->settings.sky;
    if (sky->kind != BRUME_SKY_IMAGE || sky->image.radiance == lit->daylight.radiance) {
        return true;
    }
    if (camera->projection == BRUME_ORTHOGRAPHIC) {
        return false;
    }
    const float between_nodes = camera->field_of_view * (float)def->shrink / (float)def->height; // [degrees]
    const int texels = sky->image.height > sky->image.width / 2 ? sky->image.height : sky->image.width / 2;
    return between_nodes * (float)texels < 180.0f;
}

// copies the medium; small suns light from their middle, so that each needs one shadow ray instead of four
static void set_lit(BrumeLitMedium *lit, const BrumeLitMedium *from)
{
    *lit = *from;
    for (int n = 0; n < lit->settings.light_count; n++) {
        lit->sources[n].soft = lit->sources[n].soft && !brume_is_small_disc(&lit->settings.lights[n]);
    }
}

// the largest distance of a corner of the box from the camera [m]
static float farthest_smoke(const BrumeGridMedium *medium, const BrumeCamera *camera)
{
    if (camera->projection == BRUME_ORTHOGRAPHIC) {
        return INFINITY;
    }
    const BrumeVec3 size = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    const BrumeVec3 to = brume_sub(medium->origin, camera->position);
    return brume_length(brume_vec3(brume_max(fabsf(to.x), fabsf(to.x + size.x)),
                                   brume_max(fabsf(to.y), fabsf(to.y + size.y)),
                                   brume_max(fabsf(to.z), fabsf(to.z + size.z))));
}

// the rays of every `shrink`-th point along each side of `rays`, through the middle of the first shrink x shrink ones
static BrumePictureRays sparse_rays(const BrumePictureRays *rays, float shrink)
{
    BrumePictureRays sparse = *rays;
    sparse.across = brume_scale(rays->across, shrink);
    sparse.down = brume_scale(rays->down, shrink);
    return sparse;
}

BrumeStatus brume_preview_draw(BrumePreview *preview, const BrumeRenderer *renderer, const BrumeCamera *camera,
                               const BrumePreviewDef *def, uint8_t *rgb, BrumeError *error)
{
    const BrumeRenderSettings *settings = &renderer->lit.settings;
    const BrumeRenderSettings *display = def->display != NULL ? def->display : settings;
    assert(renderer->lit.state == BRUME_LIT_READY);
    assert(def->width > 0 && def->height > 0 && 0 <= def->left && def->right <= def->width);
    assert(def->shrink >= 1 && def->shrink <= BRUME_PREVIEW_MAX_SHRINK);
    preview->node_ms = 0.0;
    preview->pixel_ms = 0.0;
    if (def->left >= def->right) {
        return BRUME_OK;
    }
    const int shrink = def->shrink;
    const int across = (def->width + shrink - 1) / shrink;
    const int down = (def->height + shrink - 1) / shrink;
    const size_t pixels = (size_t)def->width + (size_t)def->height;
    const BrumeStatus status = reserve(preview, (size_t)across * (size_t)down, pixels, error);
    if (status != BRUME_OK) {
        return status;
    }
    const double start = brume_seconds();
    if (!preview->has_tone || preview->tone->curve != display->tone) {
        brume_tone_table_fill(preview->tone, display->tone);
        preview->has_tone = true;
    }
    set_lit(preview->lit, &renderer->lit);
    set_places(preview, def, across, down);
    const BrumeNodePlace *columns = preview->places;
    const int width = def->right - def->left;
    BrumeCamera pinhole = *camera;
    pinhole.lens_radius = 0.0f;
    BrumeDrawnPreview drawn = {
        .lit = preview->lit,
        .def = def,
        .rays = brume_picture_rays(&pinhole, def->width, def->height),
        .draw = {.width = def->width, .height = def->height, .samples = 1, .seed = def->seed},
        .even_draw = {.width = (across + 1) / 2, .height = (down + 1) / 2, .samples = 1, .seed = def->seed},
        .nodes = preview->nodes,
        .nodes_across = across,
        .nodes_down = down,
        .node_left = columns[0].lower,
        .node_right = columns[width - 1].upper + 1,
        .columns = columns,
        .rows = columns + width,
        .weights = preview->weights,
        .shown = preview->shown,
        .shown_plane = preview->capacity,
        .sky = settings->sky.kind == BRUME_SKY_IMAGE && settings->sky.image.radiance == renderer->lit.daylight.radiance
                   ? (BrumeFloat4 *)preview->sky
                   : NULL,
        .sky_across = (across + BRUME_PREVIEW_SKY - 2) / BRUME_PREVIEW_SKY + 1,
        .sky_down = (down + BRUME_PREVIEW_SKY - 2) / BRUME_PREVIEW_SKY + 1,
        .tone = preview->tone,
        .exposure = brume_powf(2.0f, display->exposure),
        .casts_shadows = brume_drawn_solid_count(settings) > 0,
        .smooth_horizon = is_smooth_horizon(&renderer->lit, &pinhole, def),
        .patterned = settings->ground && (settings->ground_pattern == BRUME_GROUND_CHECKER ||
                                          settings->ground_pattern == BRUME_GROUND_NOISE),
        .farthest_smoke = farthest_smoke(&renderer->lit.medium, &pinhole),
        .only_planes = brume_visible_walls(settings) == 0,
        .rgb = rgb,
    };
    for (int n = 0; n < BRUME_PREVIEW_BLOCK * BRUME_PREVIEW_BLOCK; n++) {
        drawn.dithers[n] = brume_dither(def->left + n % BRUME_PREVIEW_BLOCK, n / BRUME_PREVIEW_BLOCK);
    }
    drawn.node_left -= drawn.node_left % 2;
    drawn.node_rays = sparse_rays(&drawn.rays, (float)shrink);
    // the ray of an even node passes through the middle of its own shrink x shrink pixels
    drawn.even_rays = sparse_rays(&drawn.node_rays, 2.0f);
    const BrumeVec3 diagonal = brume_add(drawn.node_rays.across, drawn.node_rays.down);
    drawn.even_rays.corner = brume_sub(drawn.even_rays.corner, brume_scale(diagonal, 0.5f));
    brume_preview_draw_nodes(&drawn);
    const double nodes_drawn = brume_seconds();
    const BrumeTiles tiles = {.pixels = {.left = def->left, .right = def->right, .bottom = def->height}, .share = 1.0};
    const BrumeDrawDef uninterrupted = {0};
    (void)brume_draw_whole_tiles(&tiles, &uninterrupted, draw_tile, &drawn, NULL);
    if (renderer->particles.count > 0) {
        BrumeSprite *sprites;
        int count;
        if (brume_sprites_create(&sprites, &count, preview->lit, renderer->particles.items, renderer->particles.count,
                                 &pinhole, &drawn.draw, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        brume_sprites_draw_shown(sprites, count, &tiles.pixels, display, def->width, rgb);
        brume_free(sprites);
    }
    preview->node_ms = 1e3 * (nodes_drawn - start);
    preview->pixel_ms = 1e3 * (brume_seconds() - nodes_drawn);
    return BRUME_OK;
}
