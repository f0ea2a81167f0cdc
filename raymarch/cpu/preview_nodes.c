// The nodes of a picture in motion. Every second node along each side is drawn first. The others are interpolated where
// the nodes around them see the same plane in nearly the same color, so that most rays are marched at edges.
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/packet_rays.h"
#include "raymarch/cpu/packet_shadows.h"
#include "raymarch/cpu/preview_internal.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/light/skylight.h"
#include "raymarch/tiles.h"

#include <math.h>
#include <string.h>

// largest differences of nodes between which one is interpolated: of 255 times display values, of transmittance
static const float alike_shown = 6.0f;
static const float alike_transmittance = 0.06f;

// where less of the ground's light is left, edges of shadows are not visible
static const float least_share = 0.05f;

// 255 times the display value of color `c` of a node: on the first albedo of the ground, on the mean, on the second
static float *shown_value(const BrumeDrawnPreview *drawn, size_t node, int albedo, int c)
{
    return drawn->shown + drawn->shown_plane * (size_t)(BRUME_PREVIEW_SHOWN * albedo + c) + node;
}

// sets the display values of a node, tone-mapped
static void set_shown(const BrumeDrawnPreview *drawn, size_t index)
{
    const BrumePreviewNode *node = &drawn->nodes[index];
    const BrumeRenderSettings *settings = &drawn->lit->settings;
    const bool patterned = drawn->patterned && node->surface == BRUME_HIT_GROUND;
    for (int n = 0; n < (patterned ? BRUME_PREVIEW_SHOWN : 1); n++) {
        BrumeFloat4 albedo = brume_float4(brume_plane_albedo(drawn->lit, node->surface), 0.0f);
        if (node->surface == BRUME_HIT_GROUND) {
            const float first = 1.0f - 0.5f * (float)n;
            const BrumeFloat4 a = brume_float4(settings->ground_albedo, 0.0f);
            const BrumeFloat4 b = brume_float4(settings->ground_albedo_2, 0.0f);
            albedo = patterned ? first * a + (1.0f - first) * b : a;
        }
        const BrumeFloat4 sum =
            drawn->exposure * (node->smoke + node->smoke[3] * (albedo * node->light + node->background));
        float color[3] = {sum[0], sum[1], sum[2]};
        brume_tone_whiten(drawn->tone->curve, color);
        for (int c = 0; c < 3; c++) {
            *shown_value(drawn, index, n, c) = brume_tone_table_value(drawn->tone, color[c]);
        }
    }
}

// sets a row of the radiance of the sky; below the horizon, the radiance of the horizon
static void set_sky_row(const BrumeDrawnPreview *drawn, int row)
{
    const BrumePictureRays *rays = &drawn->node_rays;
    for (int column = 0; column < drawn->sky_across; column++) {
        const float x = (float)(BRUME_PREVIEW_SKY * column) + 0.5f;
        const float y = (float)(BRUME_PREVIEW_SKY * row) + 0.5f;
        const BrumeVec3 direction = brume_picture_ray(rays, x, y).direction;
        const BrumeVec3 above =
            direction.y > 0.0f ? direction : brume_normalize(brume_vec3(direction.x, 0.0f, direction.z));
        drawn->sky[(ptrdiff_t)drawn->sky_across * row + column] =
            brume_float4(brume_sky_radiance(&drawn->lit->settings, above), 0.0f);
    }
}

// brume_surface_background of a node
static BrumeFloat4 background_of(const BrumeDrawnPreview *drawn, size_t node, const BrumeRay *ray, BrumeSurfaceHit hit)
{
    if (drawn->sky == NULL || (hit.surface != BRUME_HIT_SKY && hit.surface != BRUME_HIT_GROUND)) {
        return brume_float4(brume_surface_background(drawn->lit, ray, hit), 0.0f);
    }
    const int x = (int)(node % (size_t)drawn->nodes_across);
    const int y = (int)(node / (size_t)drawn->nodes_across);
    const BrumeFloat4 *a = drawn->sky + (ptrdiff_t)drawn->sky_across * (y / BRUME_PREVIEW_SKY) + x / BRUME_PREVIEW_SKY;
    const int fx = x % BRUME_PREVIEW_SKY; // 0 in the last column and row
    const int fy = y % BRUME_PREVIEW_SKY;
    const ptrdiff_t right = fx > 0 ? 1 : 0;
    const ptrdiff_t below = fy > 0 ? drawn->sky_across : 0;
    const float u = (float)fx / BRUME_PREVIEW_SKY;
    const float v = (float)fy / BRUME_PREVIEW_SKY;
    const BrumeFloat4 upper = a[0] + u * (a[right] - a[0]);
    const BrumeFloat4 lower = a[below] + u * (a[below + right] - a[below]);
    const BrumeFloat4 radiance = upper + v * (lower - upper);
    const float weight = hit.surface == BRUME_HIT_SKY ? 1.0f : 1.0f - brume_ground_share(drawn->lit, hit.distance);
    return weight * radiance;
}

// brume_plane_irradiance of a node with the light `light`
static float plane_irradiance(const BrumeLitMedium *lit, BrumeSurfaceHit hit, BrumeVec3 light)
{
    if (hit.surface >= 0 || hit.surface == BRUME_HIT_SKY) {
        return -INFINITY;
    }
    const float share = hit.surface == BRUME_HIT_GROUND ? brume_ground_share(lit, hit.distance) : 1.0f;
    return share < least_share ? -INFINITY : brume_luminance4(brume_float4(light, 0.0f)) / share;
}

// marches the rays of a packet with hits, and sets the nodes of its rays
static void set_nodes(const BrumeDrawnPreview *drawn, BrumeMarchPacket *packet, const size_t *nodes)
{
    const BrumeLitMedium *lit = drawn->lit;
    float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS];
    packet->step = lit->settings.step;
    packet->parts = NULL;
    brume_march_packet(lit, packet);
    brume_packet_shadows(lit, packet, smoke);
    for (int n = 0; n < packet->count; n++) {
        const BrumeSurfaceHit hit = brume_packet_hit(packet, n);
        const BrumeRay ray = brume_packet_ray(packet, n);
        BrumeVec3 normal;
        const BrumeVec3 light = brume_surface_light(lit, &ray, hit, BRUME_PREVIEW_JITTER, smoke[n], &normal);
        drawn->nodes[nodes[n]] = (BrumePreviewNode){
            .smoke = brume_float4(packet->results[n].radiance, packet->results[n].transmittance),
            .light = brume_float4(light, hit.surface == BRUME_HIT_SKY ? 0.0f : hit.distance),
            .background = background_of(drawn, nodes[n], &ray, hit),
            .normal = normal,
            .surface = hit.surface,
        };
        drawn->nodes[nodes[n]].background[3] = plane_irradiance(lit, hit, light);
        set_shown(drawn, nodes[n]);
    }
}

// marches the rays of a block of nodes with even columns and rows
static void draw_even_nodes(void *context, const BrumePictureCrop *block)
{
    const BrumeDrawnPreview *drawn = context;
    BrumeMarchPacket packet;
    size_t nodes[BRUME_PACKET_RAYS] = {0};
    int count = 0;
    for (int y = block->top; y < block->bottom; y++) {
        for (int x = block->left; x < block->right; x++) {
            nodes[count++] = (size_t)(2 * y) * (size_t)drawn->nodes_across + (size_t)(2 * x);
        }
    }
    brume_packet_rays(&packet, &drawn->even_rays, &drawn->even_draw, block, 0);
    brume_packet_hits(&packet, drawn->lit);
    set_nodes(drawn, &packet, nodes);
}

// whether two nodes see the same plane in nearly the same color
static bool are_similar(const BrumeDrawnPreview *drawn, size_t a, size_t b)
{
    const BrumePreviewNode *first = &drawn->nodes[a];
    const BrumePreviewNode *second = &drawn->nodes[b];
    bool alike = first->surface == second->surface && first->surface < 0 &&
                 fabsf(first->smoke[3] - second->smoke[3]) < alike_transmittance;
    const int albedos = drawn->patterned && first->surface == BRUME_HIT_GROUND ? BRUME_PREVIEW_SHOWN : 1;
    for (int n = 0; n < albedos && alike; n++) {
        for (int c = 0; c < 3; c++) {
            alike = alike && fabsf(*shown_value(drawn, a, n, c) - *shown_value(drawn, b, n, c)) < alike_shown;
        }
    }
    return alike;
}

// Sets a node to the mean of `count` nodes around it, if they are alike; false otherwise.
static bool interpolate_node(const BrumeDrawnPreview *drawn, size_t index, const size_t around[4], int count)
{
    for (int n = 1; n < count; n++) {
        if (!are_similar(drawn, around[0], around[n])) {
            return false;
        }
    }
    const float weight = 1.0f / (float)count;
    const int albedos =
        drawn->patterned && drawn->nodes[around[0]].surface == BRUME_HIT_GROUND ? BRUME_PREVIEW_SHOWN : 1;
    BrumePreviewNode mean = {.normal = drawn->nodes[around[0]].normal, .surface = drawn->nodes[around[0]].surface};
    for (int n = 0; n < count; n++) {
        mean.smoke += weight * drawn->nodes[around[n]].smoke;
        mean.light += weight * drawn->nodes[around[n]].light;
        mean.background += weight * drawn->nodes[around[n]].background;
    }
    drawn->nodes[index] = mean;
    for (int albedo = 0; albedo < albedos; albedo++) {
        for (int c = 0; c < 3; c++) {
            float sum = 0.0f;
            for (int n = 0; n < count; n++) {
                sum += *shown_value(drawn, around[n], albedo, c);
            }
            *shown_value(drawn, index, albedo, c) = weight * sum;
        }
    }
    return true;
}

// Interpolates the node (x, y), of which a coordinate is odd, if there are nodes on both sides of it and they are
// alike.
static bool is_interpolated(const BrumeDrawnPreview *drawn, int x, int y)
{
    const int left = x - x % 2;
    const int right = x + x % 2;
    const int top = y - y % 2;
    const int bottom = y + y % 2;
    if (right >= drawn->node_right || bottom >= drawn->nodes_down) {
        return false;
    }
    const size_t row = (size_t)drawn->nodes_across;
    const size_t upper = (size_t)top * row;
    const size_t lower = (size_t)bottom * row;
    const size_t around[4] = {upper + (size_t)left, lower + (size_t)right, upper + (size_t)right, lower + (size_t)left};
    // the first two are all where a coordinate is even
    return interpolate_node(drawn, (size_t)y * row + (size_t)x, around, x % 2 == 1 && y % 2 == 1 ? 4 : 2);
}

// rays of nodes that are not neighbors
typedef struct NodeList {
    BrumeMarchPacket packet;
    size_t nodes[BRUME_PACKET_RAYS];
} NodeList;

// marches the rays of the nodes in the list, and empties the list
static void draw_list(const BrumeDrawnPreview *drawn, NodeList *list)
{
    BrumeMarchPacket *packet = &list->packet;
    if (packet->count == 0) {
        return;
    }
    for (int n = packet->count; n < BRUME_PACKET_RAYS; n++) { // all lanes of vectors have valid rays
        brume_set_packet_ray(packet, n, brume_packet_ray(packet, 0));
        packet->jitters[n] = packet->jitters[0];
    }
    brume_packet_hits(packet, drawn->lit);
    set_nodes(drawn, packet, list->nodes);
    packet->count = 0;
}

// marches the rays of the nodes of a tile with an odd column or row that are not interpolated
static void draw_odd_nodes(void *context, const BrumePictureCrop *tile)
{
    const BrumeDrawnPreview *drawn = context;
    NodeList list;
    list.packet.count = 0;
    memset(list.packet.times, 0, sizeof list.packet.times);
    for (int y = tile->top; y < tile->bottom; y++) {
        for (int x = tile->left; x < tile->right; x++) {
            if ((x % 2 == 0 && y % 2 == 0) || is_interpolated(drawn, x, y)) {
                continue;
            }
            const int n = list.packet.count++;
            const uint32_t hash = brume_hash3((uint32_t)x, (uint32_t)y, drawn->def->seed);
            brume_set_packet_ray(&list.packet, n,
                                 brume_picture_ray(&drawn->node_rays, (float)x + 0.5f, (float)y + 0.5f));
            list.packet.jitters[n] = brume_unit_float(hash);
            list.nodes[n] = (size_t)y * (size_t)drawn->nodes_across + (size_t)x;
            if (list.packet.count == BRUME_PACKET_RAYS) {
                draw_list(drawn, &list);
            }
        }
    }
    draw_list(drawn, &list);
}

static void draw_even_tile(void *context, const BrumePictureCrop *tile)
{
    brume_draw_blocks(tile, BRUME_PREVIEW_BLOCK, draw_even_nodes, context);
}

void brume_preview_draw_nodes(BrumeDrawnPreview *drawn)
{
    const BrumeDrawDef uninterrupted = {0};
#pragma omp parallel for schedule(static)
    for (int row = 0; row < drawn->sky_down; row++) {
        if (drawn->sky != NULL) {
            set_sky_row(drawn, row);
        }
    }
    const BrumeTiles even = {.pixels = {.left = drawn->node_left / 2,
                                        .right = (drawn->node_right + 1) / 2,
                                        .bottom = (drawn->nodes_down + 1) / 2},
                             .share = 1.0};
    (void)brume_draw_whole_tiles(&even, &uninterrupted, draw_even_tile, drawn, NULL);
    const BrumeTiles all = {
        .pixels = {.left = drawn->node_left, .right = drawn->node_right, .bottom = drawn->nodes_down}, .share = 1.0};
    (void)brume_draw_whole_tiles(&all, &uninterrupted, draw_odd_nodes, drawn, NULL);
}
