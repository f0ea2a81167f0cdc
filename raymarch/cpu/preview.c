#include "raymarch/cpu/preview.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/packet_rays.h"
#include "raymarch/cpu/packet_shadows.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tiles.h"

#include <assert.h>
#include <math.h>

void brume_light_in_motion(BrumeRenderer *renderer) { brume_lit_medium_light(&renderer->lit, BRUME_LIGHT_IN_MOTION); }

enum { BLOCK = 8 };
_Static_assert(BLOCK *BLOCK <= BRUME_PACKET_RAYS, "a block is one packet");

// The light of two points of one solid is alike above this cosine of the angle between their normals, and below this
// difference of their distances from the camera, as a fraction.
static const float like_normals = 0.9f;
static const float like_distances = 0.1f;

// ratio of irradiances of neighbouring nodes above which a shadow ends between them
static const float shadow_contrast = 2.5f;

struct BrumePreviewNode {
    BrumeFloat4 smoke;      // radiance, and transmittance
    BrumeFloat4 light;      // brume_surface_light, and the distance of the surface [m]
    BrumeFloat4 background; // brume_surface_background
    BrumeVec3 normal;       // of the surface
    int32_t surface;        // BrumeSurfaceHit.surface
};

// a picture while it is drawn
typedef struct DrawnPreview {
    const BrumeLitMedium *lit;
    const BrumePreviewDef *def;
    BrumePictureRays rays, node_rays;
    BrumeDrawDef draw, node_draw;
    BrumePreviewNode *nodes;
    int nodes_across, nodes_down;
    bool casts_shadows;  // there are solids, whose shadows have edges
    bool smooth_horizon; // sky and horizon change slowly from node to node
    float *radiance;
} DrawnPreview;

static BrumeFloat4 float4(BrumeVec3 v, float w) { return (BrumeFloat4){v.x, v.y, v.z, w}; }

static float luminance(BrumeFloat4 color) { return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2]; }

static BrumeSurfaceHit packet_hit(const BrumeMarchPacket *packet, int n)
{
    return (BrumeSurfaceHit){packet->limits[n], packet->surfaces[n]};
}

static void draw_nodes(void *context, const BrumePictureCrop *block)
{
    const DrawnPreview *drawn = context;
    const BrumeLitMedium *lit = drawn->lit;
    float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS];
    BrumeMarchPacket packet;
    packet.step = lit->settings.step;
    packet.parts = NULL;
    brume_packet_rays(&packet, &drawn->node_rays, &drawn->node_draw, block, 0);
    brume_packet_hits(&packet, lit);
    brume_march_packet(lit, &packet);
    brume_packet_shadows(lit, &packet, smoke);
    int n = 0;
    for (int y = block->top; y < block->bottom; y++) {
        for (int x = block->left; x < block->right; x++) {
            const BrumeSurfaceHit hit = packet_hit(&packet, n);
            const BrumeRay ray = brume_packet_ray(&packet, n);
            BrumePreviewNode *node = &drawn->nodes[(size_t)y * (size_t)drawn->nodes_across + (size_t)x];
            BrumeVec3 normal;
            const BrumeVec3 light = brume_surface_light(lit, &ray, hit, packet.jitters[n], smoke[n], &normal);
            *node = (BrumePreviewNode){
                .smoke = float4(packet.results[n].radiance, packet.results[n].transmittance),
                .light = float4(light, hit.surface == BRUME_HIT_SKY ? 0.0f : hit.distance),
                .background = float4(brume_surface_background(lit, &ray, hit), 0.0f),
                .normal = normal,
                .surface = hit.surface,
            };
            n++;
        }
    }
}

// the place of a pixel between nodes, along one side of the picture
typedef struct NodePlace {
    int lower, upper; // nodes
    float offset;     // from the lower one, in [0, 1]
} NodePlace;

static NodePlace node_place(int pixel, int shrink, int nodes)
{
    const float at = ((float)pixel + 0.5f) / (float)shrink - 0.5f;
    const float lower = floorf(at);
    const int first = (int)lower;
    const int last = nodes - 1;
    return (NodePlace){
        .lower = first < 0      ? 0
                 : first > last ? last
                                : first,
        .upper = first + 1 > last ? last : first + 1,
        .offset = at - lower,
    };
}

// what is interpolated at a pixel, and whether it must be computed instead
typedef struct JoinedPixel {
    BrumeFloat4 smoke, light, background;
    bool needs_smoke, needs_light, needs_background;
} JoinedPixel;

// the pixels of a block
typedef struct JoinedBlock {
    NodePlace columns[BLOCK], rows[BLOCK];
    int across, down; // pixels
    BrumeMarchPacket packet;
    JoinedPixel pixels[BRUME_PACKET_RAYS];
    BrumeGroundPoints ground;
} JoinedBlock;

static bool has_contrast(float darkest, float brightest) { return brightest > shadow_contrast * darkest + 1e-6f; }

// Whether all pixels of a block and all nodes around them see one plane, or the sky, on which no shadow ends.
static bool is_one_plane(const DrawnPreview *drawn, const JoinedBlock *block)
{
    const int surface = block->packet.surfaces[0];
    bool same = surface < 0;
    for (int n = 0; n < block->packet.count; n++) {
        same = same && block->packet.surfaces[n] == surface;
    }
    float darkest = INFINITY;
    float brightest = 0.0f;
    for (int y = block->rows[0].lower; y <= block->rows[block->down - 1].upper && same; y++) {
        for (int x = block->columns[0].lower; x <= block->columns[block->across - 1].upper; x++) {
            const BrumePreviewNode *node = &drawn->nodes[(size_t)y * (size_t)drawn->nodes_across + (size_t)x];
            const float value = luminance(node->light);
            same = same && node->surface == surface;
            darkest = brume_min(darkest, value);
            brightest = brume_max(brightest, value);
        }
    }
    return same && !(drawn->casts_shadows && has_contrast(darkest, brightest));
}

static BrumeFloat4 mix4(BrumeFloat4 a, BrumeFloat4 b, float t) { return a + t * (b - a); }

// bilinear interpolation of all pixels of a block: of each row between two rows of nodes first
static void join_plane(const DrawnPreview *drawn, JoinedBlock *block)
{
    enum { MOST_NODES = BLOCK + 2 };
    const int first = block->columns[0].lower;
    const int count = block->columns[block->across - 1].upper + 1 - first;
    assert(count <= MOST_NODES);
    JoinedPixel *pixel = block->pixels;
    for (int y = 0; y < block->down; y++) {
        const NodePlace row = block->rows[y];
        const BrumePreviewNode *lower = drawn->nodes + (size_t)row.lower * (size_t)drawn->nodes_across + first;
        const BrumePreviewNode *upper = drawn->nodes + (size_t)row.upper * (size_t)drawn->nodes_across + first;
        BrumePreviewNode between[MOST_NODES];
        for (int n = 0; n < count; n++) {
            between[n].smoke = mix4(lower[n].smoke, upper[n].smoke, row.offset);
            between[n].light = mix4(lower[n].light, upper[n].light, row.offset);
            between[n].background = mix4(lower[n].background, upper[n].background, row.offset);
        }
        for (int x = 0; x < block->across; x++) {
            const NodePlace column = block->columns[x];
            const BrumePreviewNode *a = &between[column.lower - first];
            const BrumePreviewNode *b = &between[column.upper - first];
            pixel->smoke = mix4(a->smoke, b->smoke, column.offset);
            pixel->light = mix4(a->light, b->light, column.offset);
            pixel->background = mix4(a->background, b->background, column.offset);
            pixel->needs_smoke = false;
            pixel->needs_light = false;
            pixel->needs_background = false;
            pixel++;
        }
    }
}

// whether the light of a node is like that of a point of the same solid
static bool is_like(const BrumePreviewNode *node, BrumeVec3 normal, float distance)
{
    return brume_dot(node->normal, normal) > like_normals &&
           fabsf(node->light[3] - distance) < like_distances * distance;
}

// interpolation between those of the four nodes that see the same surface as the pixel
static JoinedPixel join_edge(const DrawnPreview *drawn, NodePlace x, NodePlace y, const BrumeRay *ray,
                             BrumeSurfaceHit hit)
{
    const BrumePreviewNode *lower = drawn->nodes + (size_t)y.lower * (size_t)drawn->nodes_across;
    const BrumePreviewNode *upper = drawn->nodes + (size_t)y.upper * (size_t)drawn->nodes_across;
    const BrumePreviewNode *nodes[4] = {lower + x.lower, lower + x.upper, upper + x.lower, upper + x.upper};
    const float weights[4] = {(1.0f - x.offset) * (1.0f - y.offset), x.offset * (1.0f - y.offset),
                              (1.0f - x.offset) * y.offset, x.offset * y.offset};
    const bool solid = hit.surface >= 0;
    const BrumeVec3 normal = solid ? brume_solid_normal(drawn->lit, ray, hit) : brume_vec3(0.0f, 0.0f, 0.0f);
    JoinedPixel pixel = {0};
    float smoke_weights = 0.0f;
    float light_weights = 0.0f;
    float darkest = INFINITY;
    float brightest = 0.0f;
    for (int n = 0; n < 4; n++) {
        const BrumePreviewNode *node = nodes[n];
        if (node->surface != hit.surface) {
            continue;
        }
        pixel.smoke += weights[n] * node->smoke;
        smoke_weights += weights[n];
        if (solid && !is_like(node, normal, hit.distance)) {
            continue;
        }
        pixel.light += weights[n] * node->light;
        pixel.background += weights[n] * node->background;
        light_weights += weights[n];
        const float value = luminance(node->light);
        darkest = brume_min(darkest, value);
        brightest = brume_max(brightest, value);
    }
    pixel.needs_smoke = !(smoke_weights > 0.0f);
    pixel.needs_background = !(light_weights > 0.0f);
    pixel.needs_light = pixel.needs_background || (drawn->casts_shadows && has_contrast(darkest, brightest));
    pixel.smoke *= smoke_weights > 0.0f ? 1.0f / smoke_weights : 1.0f;
    pixel.light *= light_weights > 0.0f ? 1.0f / light_weights : 1.0f;
    pixel.background *= light_weights > 0.0f ? 1.0f / light_weights : 1.0f;
    return pixel;
}

static void join_edges(const DrawnPreview *drawn, JoinedBlock *block)
{
    int n = 0;
    for (int y = 0; y < block->down; y++) {
        for (int x = 0; x < block->across; x++) {
            const BrumeRay ray = brume_packet_ray(&block->packet, n);
            block->pixels[n] = join_edge(drawn, block->columns[x], block->rows[y], &ray, packet_hit(&block->packet, n));
            n++;
        }
    }
}

// marches the rays of the pixels between whose nodes nothing can be interpolated
static void march_needed(const BrumeLitMedium *lit, JoinedBlock *block)
{
    const BrumeMarchPacket *packet = &block->packet;
    BrumeMarchPacket needed;
    int of[BRUME_PACKET_RAYS];
    needed.count = 0;
    for (int n = 0; n < packet->count; n++) {
        if (block->pixels[n].needs_smoke) {
            of[needed.count++] = n;
        }
    }
    if (needed.count == 0) {
        return;
    }
    needed.step = packet->step;
    needed.parts = NULL;
    for (int n = 0; n < BRUME_PACKET_RAYS; n++) { // all lanes of vectors have valid rays
        const int from = of[n < needed.count ? n : 0];
        brume_set_packet_ray(&needed, n, brume_packet_ray(packet, from));
        needed.limits[n] = packet->limits[from];
        needed.surfaces[n] = packet->surfaces[from];
        needed.jitters[n] = packet->jitters[from];
        needed.times[n] = packet->times[from];
    }
    brume_march_packet(lit, &needed);
    for (int n = 0; n < needed.count; n++) {
        block->pixels[of[n]].smoke = float4(needed.results[n].radiance, needed.results[n].transmittance);
    }
}

// light and background of the pixels at which they are not interpolated
static void light_needed(const DrawnPreview *drawn, JoinedBlock *block)
{
    for (int n = 0; n < block->packet.count; n++) {
        JoinedPixel *pixel = &block->pixels[n];
        const BrumeRay ray = brume_packet_ray(&block->packet, n);
        const BrumeSurfaceHit hit = packet_hit(&block->packet, n);
        if (pixel->needs_light) {
            BrumeVec3 normal;
            pixel->light =
                float4(brume_surface_light(drawn->lit, &ray, hit, block->packet.jitters[n], NULL, &normal), 0.0f);
        }
        const bool has_background = hit.surface == BRUME_HIT_SKY || hit.surface == BRUME_HIT_GROUND;
        if (has_background && (pixel->needs_background || !drawn->smooth_horizon)) {
            pixel->background = float4(brume_surface_background(drawn->lit, &ray, hit), 0.0f);
        }
    }
}

// the albedo of the ground at those pixels of a block that see it
static void set_ground_albedos(const BrumeLitMedium *lit, JoinedBlock *block)
{
    const BrumeMarchPacket *packet = &block->packet;
    BrumeGroundPoints *ground = &block->ground;
    bool any = false;
    for (int n = 0; n < BRUME_PACKET_RAYS; n++) {
        // where it has faded, it may be too far away for its pattern
        const bool visible =
            n < packet->count && packet->surfaces[n] == BRUME_HIT_GROUND && luminance(block->pixels[n].light) > 0.0f;
        const BrumeRay ray = brume_packet_ray(packet, n);
        const BrumeVec3 point = brume_ray_at(&ray, visible ? packet->limits[n] : 0.0f);
        ground->x[n] = point.x;
        ground->z[n] = point.z;
        ground->direction[0][n] = ray.direction.x;
        ground->direction[1][n] = ray.direction.y;
        ground->direction[2][n] = ray.direction.z;
        ground->distance[n] = visible ? packet->limits[n] : 0.0f;
        any = any || visible;
    }
    if (any) {
        brume_ground_albedos(&lit->settings, ground);
    }
}

static void store_pixels(const DrawnPreview *drawn, const JoinedBlock *block, const BrumePictureCrop *at)
{
    int n = 0;
    for (int y = at->top; y < at->bottom; y++) {
        float *to = drawn->radiance + 3 * ((size_t)y * (size_t)drawn->def->width + (size_t)at->left);
        for (int x = 0; x < block->across; x++) {
            const JoinedPixel *pixel = &block->pixels[n];
            const int surface = block->packet.surfaces[n];
            const BrumeGroundPoints *ground = &block->ground;
            const BrumeFloat4 albedo =
                surface != BRUME_HIT_GROUND ? float4(brume_plain_albedo(drawn->lit, surface), 0.0f)
                : luminance(pixel->light) > 0.0f
                    ? (BrumeFloat4){ground->albedo[0][n], ground->albedo[1][n], ground->albedo[2][n], 0.0f}
                    : (BrumeFloat4){0.0f, 0.0f, 0.0f, 0.0f};
            const BrumeFloat4 behind = albedo * pixel->light + pixel->background;
            const BrumeFloat4 sum = pixel->smoke + pixel->smoke[3] * behind;
            to[3 * x] = sum[0];
            to[3 * x + 1] = sum[1];
            to[3 * x + 2] = sum[2];
            n++;
        }
    }
}

static void draw_pixels(void *context, const BrumePictureCrop *at)
{
    const DrawnPreview *drawn = context;
    const BrumePreviewDef *def = drawn->def;
    JoinedBlock block;
    block.across = at->right - at->left;
    block.down = at->bottom - at->top;
    for (int x = 0; x < block.across; x++) {
        block.columns[x] = node_place(at->left + x, def->shrink, drawn->nodes_across);
    }
    for (int y = 0; y < block.down; y++) {
        block.rows[y] = node_place(at->top + y, def->shrink, drawn->nodes_down);
    }
    block.packet.step = drawn->lit->settings.step;
    block.packet.parts = NULL;
    brume_packet_rays(&block.packet, &drawn->rays, &drawn->draw, at, 0);
    brume_packet_hits(&block.packet, drawn->lit);
    const bool one_plane = is_one_plane(drawn, &block);
    if (one_plane) {
        join_plane(drawn, &block);
    } else {
        join_edges(drawn, &block);
        march_needed(drawn->lit, &block);
    }
    if (!one_plane || !drawn->smooth_horizon) {
        light_needed(drawn, &block);
    }
    if (block.packet.surfaces[0] == BRUME_HIT_GROUND || !one_plane) {
        set_ground_albedos(drawn->lit, &block);
    }
    store_pixels(drawn, &block, at);
}

// a function of blocks, called for the blocks of each tile
typedef struct BlockDrawing {
    BrumeDrawTile draw_block;
    void *context;
} BlockDrawing;

static void draw_blocks(void *context, const BrumePictureCrop *tile)
{
    const BlockDrawing *drawing = context;
    brume_draw_blocks(tile, BLOCK, drawing->draw_block, drawing->context);
}

// draws the blocks of `pixels`; returns the wall time [ms]
static double draw_all(BrumeDrawTile draw_block, DrawnPreview *drawn, BrumePictureCrop pixels)
{
    const double start = brume_seconds();
    const BrumeTiles tiles = {.pixels = pixels, .share = 1.0};
    const BrumeDrawDef uninterrupted = {0};
    BlockDrawing drawing = {draw_block, drawn};
    (void)brume_draw_whole_tiles(&tiles, &uninterrupted, draw_blocks, &drawing);
    return 1e3 * (brume_seconds() - start);
}

void brume_preview_destroy(BrumePreview *preview)
{
    brume_free(preview->nodes);
    *preview = (BrumePreview){0};
}

static BrumeStatus reserve_nodes(BrumePreview *preview, size_t count, BrumeError *error)
{
    if (count > preview->capacity) {
        brume_preview_destroy(preview);
        preview->nodes = brume_alloc_untouched(count, sizeof *preview->nodes);
        preview->capacity = preview->nodes != NULL ? count : 0;
    }
    return preview->capacity > 0 ? BRUME_OK : brume_out_of_memory(error, "a picture of %zu nodes", count);
}

// Whether nodes are closer to each other than the texels of an image of the sky. Other skies cost no time.
static bool is_smooth_horizon(const BrumeSky *sky, const BrumeCamera *camera, const BrumePreviewDef *def)
{
    if (sky->kind != BRUME_SKY_IMAGE || camera->projection == BRUME_ORTHOGRAPHIC) {
        return false;
    }
    const float between_nodes = camera->field_of_view * (float)def->shrink / (float)def->height; // [degrees]
    const int texels = sky->image.height > sky->image.width / 2 ? sky->image.height : sky->image.width / 2;
    return between_nodes * (float)texels < 180.0f;
}

BrumeStatus brume_preview_draw(BrumePreview *preview, const BrumeRenderer *renderer, const BrumeCamera *camera,
                               const BrumePreviewDef *def, float *radiance, BrumeError *error)
{
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
    const BrumeStatus status = reserve_nodes(preview, (size_t)across * (size_t)down, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeCamera pinhole = *camera;
    pinhole.lens_radius = 0.0f;
    DrawnPreview drawn = {
        .lit = &renderer->lit,
        .def = def,
        .rays = brume_picture_rays(&pinhole, def->width, def->height),
        .draw = {.width = def->width, .height = def->height, .samples = 1, .seed = def->seed},
        .node_draw = {.width = across, .height = down, .samples = 1, .seed = def->seed},
        .nodes = preview->nodes,
        .nodes_across = across,
        .nodes_down = down,
        .casts_shadows = renderer->lit.settings.surface_count > 0,
        .smooth_horizon = is_smooth_horizon(&renderer->lit.settings.sky, &pinhole, def),
        .radiance = radiance,
    };
    // the ray of a node passes through the middle of its shrink x shrink pixels
    drawn.node_rays = drawn.rays;
    drawn.node_rays.across = brume_scale(drawn.rays.across, (float)shrink);
    drawn.node_rays.down = brume_scale(drawn.rays.down, (float)shrink);
    const BrumePictureCrop nodes = {
        .left = node_place(def->left, shrink, across).lower,
        .right = node_place(def->right - 1, shrink, across).upper + 1,
        .bottom = down,
    };
    preview->node_ms = draw_all(draw_nodes, &drawn, nodes);
    preview->pixel_ms = draw_all(draw_pixels, &drawn,
                                 (BrumePictureCrop){.left = def->left, .right = def->right, .bottom = def->height});
    return BRUME_OK;
}
