// Blocks of a picture in motion in which surfaces begin or end: each pixel has a ray to the surfaces, and smoke and
// light are interpolated between the nodes that see the same one. Pixels without such a node have rays of their own.
#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/packet_rays.h"
#include "raymarch/cpu/packet_shadows.h"
#include "raymarch/cpu/preview_internal.h"
#include "raymarch/cpu/surfaces.h"

#include <math.h>

// The light of two points of one solid is alike above this cosine of the angle between their normals, and below this
// difference of their distances from the camera, as a fraction.
static const float like_normals = 0.9f;
static const float like_distances = 0.1f;

// the interpolated values at a pixel, and whether they must be computed instead
typedef struct JoinedPixel {
    BrumeFloat4 smoke, light, background;
    bool needs_smoke, needs_light, needs_background;
} JoinedPixel;

// the pixels of a block
typedef struct JoinedBlock {
    BrumeMarchPacket packet;
    bool has_shadow_edge; // see BrumePreviewBlock
    JoinedPixel pixels[BRUME_PACKET_RAYS];
    BrumeGroundPoints ground;
} JoinedBlock;

// whether the light of a node is like the light of a point of the same solid
static bool has_similar_light(const BrumePreviewNode *node, BrumeVec3 normal, float distance)
{
    return brume_dot(node->normal, normal) > like_normals &&
           fabsf(node->light[3] - distance) < like_distances * distance;
}

// whether a surface, the sky included, is behind all smoke
static bool is_behind_smoke(const BrumeDrawnPreview *drawn, int surface, float distance)
{
    return surface == BRUME_HIT_SKY || (surface < 0 && distance > drawn->farthest_smoke);
}

// Interpolates the light at a pixel between those of the four nodes around it that see the same surface; the smoke also
// between nodes that see another surface behind it, as on both sides of the horizon.
static JoinedPixel join_pixel(const BrumeDrawnPreview *drawn, BrumeNodePlace x, BrumeNodePlace y, const BrumeRay *ray,
                              BrumeSurfaceHit hit)
{
    const BrumePreviewNode *lower = drawn->nodes + (size_t)y.lower * (size_t)drawn->nodes_across;
    const BrumePreviewNode *upper = drawn->nodes + (size_t)y.upper * (size_t)drawn->nodes_across;
    const BrumePreviewNode *nodes[4] = {lower + x.lower, lower + x.upper, upper + x.lower, upper + x.upper};
    const float weights[4] = {(1.0f - x.offset) * (1.0f - y.offset), x.offset * (1.0f - y.offset),
                              (1.0f - x.offset) * y.offset, x.offset * y.offset};
    const bool solid = hit.surface >= 0;
    const BrumeVec3 normal = solid ? brume_solid_normal(drawn->lit, ray, hit) : brume_vec3(0.0f, 0.0f, 0.0f);
    const bool behind_smoke = is_behind_smoke(drawn, hit.surface, hit.distance);
    JoinedPixel pixel = {0};
    float smoke_weights = 0.0f;
    float light_weights = 0.0f;
    float darkest = INFINITY;
    float brightest = 0.0f;
    for (int n = 0; n < 4; n++) {
        const BrumePreviewNode *node = nodes[n];
        const bool same_surface = node->surface == hit.surface;
        if (same_surface || (behind_smoke && is_behind_smoke(drawn, node->surface, node->light[3]))) {
            pixel.smoke += weights[n] * node->smoke;
            smoke_weights += weights[n];
        }
        if (!same_surface || (solid && !has_similar_light(node, normal, hit.distance))) {
            continue;
        }
        pixel.light += weights[n] * node->light;
        pixel.background += weights[n] * node->background;
        light_weights += weights[n];
        const float value = brume_luminance4(node->light);
        darkest = brume_min(darkest, value);
        brightest = brume_max(brightest, value);
    }
    pixel.needs_smoke = !(smoke_weights > 0.0f);
    pixel.needs_background = !(light_weights > 0.0f);
    pixel.needs_light = pixel.needs_background || (drawn->casts_shadows && brume_has_shadow_edge(darkest, brightest));
    pixel.smoke *= smoke_weights > 0.0f ? 1.0f / smoke_weights : 1.0f;
    pixel.light *= light_weights > 0.0f ? 1.0f / light_weights : 1.0f;
    pixel.background *= light_weights > 0.0f ? 1.0f / light_weights : 1.0f;
    return pixel;
}

// interpolates all pixels of a block
static void join_nodes(const BrumeDrawnPreview *drawn, const BrumePreviewBlock *from, JoinedBlock *block)
{
    int n = 0;
    for (int y = 0; y < from->down; y++) {
        for (int x = 0; x < from->across; x++) {
            const BrumeRay ray = brume_packet_ray(&block->packet, n);
            const BrumeSurfaceHit hit = brume_packet_hit(&block->packet, n);
            JoinedPixel *pixel = &block->pixels[n++];
            *pixel = join_pixel(drawn, from->columns[x], from->rows[y], &ray, hit);
            pixel->needs_light = pixel->needs_light || (block->has_shadow_edge && hit.surface == BRUME_HIT_GROUND);
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
        needed.places[n] = packet->places[from];
        needed.jitters[n] = packet->jitters[from];
        needed.times[n] = packet->times[from];
    }
    brume_march_packet(lit, &needed);
    for (int n = 0; n < needed.count; n++) {
        block->pixels[of[n]].smoke = brume_float4(needed.results[n].radiance, needed.results[n].transmittance);
    }
}

// computes the light and background of the pixels at which they are not interpolated
static void light_needed(const BrumeDrawnPreview *drawn, JoinedBlock *block)
{
    float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS];
    if (block->has_shadow_edge) {
        brume_packet_shadows(drawn->lit, &block->packet, smoke);
    }
    for (int n = 0; n < block->packet.count; n++) {
        JoinedPixel *pixel = &block->pixels[n];
        const BrumeRay ray = brume_packet_ray(&block->packet, n);
        const BrumeSurfaceHit hit = brume_packet_hit(&block->packet, n);
        if (pixel->needs_light) {
            BrumeVec3 normal;
            const float *transmittances = block->has_shadow_edge ? smoke[n] : NULL;
            pixel->light = brume_float4(
                brume_surface_light(drawn->lit, &ray, hit, BRUME_PREVIEW_JITTER, transmittances, &normal), 0.0f);
        }
        const bool has_background = hit.surface == BRUME_HIT_SKY || hit.surface == BRUME_HIT_GROUND;
        if (has_background && (pixel->needs_background || !drawn->smooth_horizon)) {
            pixel->background = brume_float4(brume_surface_background(drawn->lit, &ray, hit), 0.0f);
        }
    }
}

// computes the albedo of the ground at the pixels of a block that see it
static void set_ground_albedos(const BrumeLitMedium *lit, JoinedBlock *block)
{
    const BrumeMarchPacket *packet = &block->packet;
    BrumeGroundPoints *ground = &block->ground;
    bool any = false;
    for (int n = 0; n < BRUME_PACKET_RAYS; n++) {
        // where it has faded, it may be too far away for its pattern
        const bool visible = n < packet->count && packet->surfaces[n] == BRUME_HIT_GROUND &&
                             brume_luminance4(block->pixels[n].light) > 0.0f;
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

// the albedo of what the n-th pixel of a block sees, which is not the ground
static BrumeFloat4 albedo_of_hit(const BrumeDrawnPreview *drawn, const JoinedBlock *block, int n)
{
    const BrumeRay ray = brume_packet_ray(&block->packet, n);
    return brume_float4(brume_hit_albedo(drawn->lit, &ray, brume_packet_hit(&block->packet, n)), 0.0f);
}

static void store_pixels(const BrumeDrawnPreview *drawn, const JoinedBlock *block, const BrumePictureCrop *at)
{
    int n = 0;
    for (int y = at->top; y < at->bottom; y++) {
        uint8_t *to = drawn->rgb + 3 * ((size_t)y * (size_t)drawn->def->width + (size_t)at->left);
        for (int x = at->left; x < at->right; x++) {
            const JoinedPixel *pixel = &block->pixels[n];
            const int surface = block->packet.surfaces[n];
            const BrumeGroundPoints *ground = &block->ground;
            const BrumeFloat4 albedo =
                surface != BRUME_HIT_GROUND ? albedo_of_hit(drawn, block, n)
                : brume_luminance4(pixel->light) > 0.0f
                    ? (BrumeFloat4){ground->albedo[0][n], ground->albedo[1][n], ground->albedo[2][n], 0.0f}
                    : (BrumeFloat4){0.0f, 0.0f, 0.0f, 0.0f};
            const BrumeFloat4 behind = albedo * pixel->light + pixel->background;
            const BrumeFloat4 sum = drawn->exposure * (pixel->smoke + pixel->smoke[3] * behind);
            const float dither = brume_dither(x, y);
            float color[3] = {sum[0], sum[1], sum[2]};
            brume_tone_whiten(drawn->tone->curve, color);
            for (int c = 0; c < 3; c++) {
                *to++ = brume_tone_table_byte(drawn->tone, color[c], dither);
            }
            n++;
        }
    }
}

void brume_preview_draw_edges(const BrumeDrawnPreview *drawn, const BrumePreviewBlock *block)
{
    JoinedBlock joined;
    joined.packet.step = drawn->lit->settings.step;
    joined.packet.parts = NULL;
    brume_packet_rays(&joined.packet, &drawn->rays, &drawn->draw, &block->at, 0);
    brume_packet_hits(&joined.packet, drawn->lit);
    joined.has_shadow_edge = block->has_shadow_edge;
    join_nodes(drawn, block, &joined);
    march_needed(drawn->lit, &joined);
    light_needed(drawn, &joined);
    set_ground_albedos(drawn->lit, &joined);
    store_pixels(drawn, &joined, &block->at);
}
