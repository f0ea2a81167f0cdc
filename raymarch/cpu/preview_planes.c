// Blocks of a picture in motion that see one plane, or the sky. The colors of the nodes as they are shown are
// interpolated: a pixel costs neither a ray nor the tone curve. The pattern of the ground mixes two albedos; nodes have
// the colors for the first, the mean of both and the second, through which the color is a quadratic of the mixture.
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/cpu/packet_rays.h"
#include "raymarch/cpu/preview_internal.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/intersect.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = BRUME_PREVIEW_BLOCK,
    PIXELS = SIDE * SIDE,
};

// octaves of the ground's pattern are drawn from this variation on; dither varies as much [255 times shown values]
static const float least_shown = 1.0f;

_Static_assert(PIXELS == (int)BRUME_GROUND_POINTS, "the points of a block are computed at once");

// the surface that the corners of a block see, if only planes are there; BRUME_HIT_WALL if they differ
static int surface_of_corners(const BrumeDrawnPreview *drawn, const BrumePictureCrop *at)
{
    const BrumeRenderSettings *settings = &drawn->lit->settings;
    const BrumePictureRays *rays = &drawn->rays;
    int hits = 0;
    for (int corner = 0; corner < 4; corner++) {
        const float x = (float)(corner % 2 == 0 ? at->left : at->right);
        const float y = (float)(corner < 2 ? at->top : at->bottom);
        const BrumeVec3 to =
            brume_add(rays->corner, brume_add(brume_scale(rays->down, y), brume_scale(rays->across, x)));
        const float height = settings->ground_height - rays->position.y;
        const bool hit = rays->parallel ? rays->forward.y != 0.0f && (height - to.y) / rays->forward.y > 0.0f
                                        : to.y != 0.0f && height / to.y > 0.0f;
        hits += settings->ground && hit;
    }
    return hits == 0 ? BRUME_HIT_SKY : hits == 4 ? BRUME_HIT_GROUND : BRUME_HIT_WALL;
}

// Whether a solid may be visible in a block: its bounding sphere meets the cone around the block's rays, or, with
// parallel rays, the cylinder.
static bool may_see_solid(const BrumeDrawnPreview *drawn, const BrumePictureCrop *at)
{
    const BrumeRenderSettings *settings = &drawn->lit->settings;
    const BrumePictureRays *rays = &drawn->rays;
    const float x = 0.5f * (float)(at->left + at->right);
    const float y = 0.5f * (float)(at->top + at->bottom);
    const BrumeVec3 to = brume_add(rays->corner, brume_add(brume_scale(rays->down, y), brume_scale(rays->across, x)));
    // half of the diagonal of a block on the plane of the picture, which is at distance 1 or has the size of the world
    const float half = 0.5f * (float)SIDE * (brume_length(rays->across) + brume_length(rays->down));
    const BrumeRay ray = brume_picture_ray(rays, x, y);
    const float slope = rays->parallel ? 0.0f : half / brume_length(to); // above the sine of the cone's angle
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        BrumeVec3 center;
        float radius;
        brume_shape_sphere(&brume_drawn_solid(settings, n)->shape, &center, &radius);
        const BrumeVec3 offset = brume_sub(center, ray.origin);
        const float apart = brume_length(brume_cross(offset, ray.direction));
        const float widest = (rays->parallel ? half : slope * brume_length(offset)) + radius;
        if (!(apart > 1.01f * widest)) {
            return true;
        }
    }
    return false;
}

// what the nodes around a block see
typedef struct NodesAround {
    bool all_see; // the surface asked for
    bool has_shadow_edge;
} NodesAround;

// Whether an edge of a shadow may lie in a block follows from the irradiances at the nodes around it. Edges of the
// shadow of smoke count on the ground alone, which is mostly seen at a grazing angle.
static NodesAround see_nodes(const BrumeDrawnPreview *drawn, const BrumePreviewBlock *block, int surface)
{
    const bool exact = !drawn->def->coarse_shadows;
    NodesAround around = {.all_see = true};
    float darkest = INFINITY;
    float brightest = 0.0f;
    for (int y = block->rows[0].lower; y <= block->rows[block->down - 1].upper; y++) {
        const BrumePreviewNode *row = drawn->nodes + (size_t)y * (size_t)drawn->nodes_across;
        for (int x = block->columns[0].lower; x <= block->columns[block->across - 1].upper; x++) {
            around.all_see = around.all_see && row[x].surface == surface;
            const float irradiance = brume_plane_irradiance(&row[x]);
            const bool may_have_edge = drawn->casts_shadows || (exact && row[x].surface == BRUME_HIT_GROUND);
            const bool counts = may_have_edge && irradiance >= 0.0f;
            darkest = counts ? brume_min(darkest, irradiance) : darkest;
            brightest = counts ? brume_max(brightest, irradiance) : brightest;
        }
    }
    around.has_shadow_edge = brume_has_shadow_edge(darkest, brightest);
    return around;
}

// the plane (BRUME_HIT_...) that all pixels of a block and the nodes around them see; 0 where they do not see one plane
static int plane_of_block(const BrumeDrawnPreview *drawn, BrumePreviewBlock *block)
{
    int surface = 0;
    if (drawn->only_planes && !may_see_solid(drawn, &block->at)) {
        const int of_corners = surface_of_corners(drawn, &block->at);
        surface = of_corners == BRUME_HIT_WALL ? 0 : of_corners;
    } else if (!drawn->only_planes) {
        BrumeMarchPacket packet;
        brume_packet_rays(&packet, &drawn->rays, &drawn->draw, &block->at, 0);
        brume_packet_hits(&packet, drawn->lit);
        surface = packet.surfaces[0];
        for (int n = 1; n < packet.count; n++) {
            surface = packet.surfaces[n] == surface ? surface : 0;
        }
    }
    const bool smooth = drawn->smooth_horizon || (surface != BRUME_HIT_SKY && surface != BRUME_HIT_GROUND);
    const NodesAround around = see_nodes(drawn, block, surface);
    block->has_shadow_edge = around.has_shadow_edge;
    return surface < 0 && smooth && around.all_see && !around.has_shadow_edge ? surface : 0;
}

// interpolates a row of nodes at the columns of the pixels
BRUME_INLINE void widen_row(const float *nodes, const BrumeNodeWeights *weights, BrumeFloat8 *to)
{
    BrumeFloat8 sum = {0};
    for (int n = 0; n < weights->count; n++) {
        BrumeFloat8 node;
        brume_broadcast8(&node, nodes[n]);
        BrumeFloat8 at;
        brume_load8(&at, weights->weights[n]);
        sum += node * at;
    }
    *to = sum;
}

// interpolates `planes` planes of display values of the nodes to the pixels of a block
BRUME_KERNEL static void interpolate_shown(const float *shown, size_t plane, ptrdiff_t row, const BrumeNodePlace *rows,
                                           const BrumeNodeWeights *weights, int down, int planes, float (*to)[PIXELS])
{
    const int top = rows[0].lower;
    const int count = rows[down - 1].upper + 1 - top;
    for (int p = 0; p < planes; p++) {
        BrumeFloat8 wide[BRUME_PREVIEW_NODES];
        for (int y = 0; y < count; y++) {
            widen_row(shown + plane * (size_t)p + row * (top + y) + weights->first, weights, &wide[y]);
        }
        for (int y = 0; y < down; y++) {
            const BrumeFloat8 *lower = &wide[rows[y].lower - top];
            BrumeFloat8 step = wide[rows[y].upper - top] - *lower;
            brume_scale8(&step, rows[y].offset);
            step += *lower;
            brume_store8(to[p] + (ptrdiff_t)SIDE * y, &step);
        }
    }
}

// sets where the rays of the pixels of a block hit the ground
BRUME_STREAM_KERNEL static void set_ground_points(const BrumePictureRays *rays, const BrumePictureCrop *at,
                                                  float ground_height, BrumeGroundPoints *points)
{
    const BrumeVec3 corner = rays->corner;
    const BrumeVec3 across = rays->across;
    const BrumeVec3 down = rays->down;
    const BrumeVec3 position = rays->position;
    const float height = ground_height - position.y;
#pragma omp simd
    for (int n = 0; n < PIXELS; n++) {
        const int row = n / SIDE;
        const float x = (float)(at->left + n % SIDE) + 0.5f;
        const float y = (float)(at->top + row) + 0.5f;
        const BrumeVec3 to = brume_add(corner, brume_add(brume_scale(down, y), brume_scale(across, x)));
        const float length = brume_length(to);
        const float inverse = 1.0f / length;
        const float distance = height / to.y;
        points->x[n] = position.x + distance * to.x;
        points->z[n] = position.z + distance * to.z;
        points->direction[0][n] = to.x * inverse;
        points->direction[1][n] = to.y * inverse;
        points->direction[2][n] = to.z * inverse;
        points->distance[n] = distance * length;
    }
}

// largest difference between the shown colors of both albedos
BRUME_STREAM_KERNEL static float largest_contrast(float (*restrict shown)[PIXELS])
{
    float most = 0.0f;
    for (int c = 0; c < 3; c++) {
#pragma omp simd reduction(max : most)
        for (int n = 0; n < PIXELS; n++) {
            const float contrast = fabsf(shown[c][n] - shown[6 + c][n]);
            most = contrast > most ? contrast : most;
        }
    }
    return most;
}

// replaces the colors by the interpolated ones for the fraction (`parts`) of the first albedo at each pixel
BRUME_STREAM_KERNEL static void mix_shown(float (*restrict shown)[PIXELS], const float *restrict parts)
{
    for (int c = 0; c < 3; c++) {
#pragma omp simd
        for (int n = 0; n < PIXELS; n++) {
            const float first = shown[c][n];
            const float middle = shown[3 + c][n];
            const float second = shown[6 + c][n];
            const float t = parts[n];
            const float linear = second + t * (first - second);
            shown[c][n] = linear + 4.0f * t * (1.0f - t) * (middle - 0.5f * (first + second));
        }
    }
}

// bytes of three planes of shown colors with dither: red, green and blue in the lower bits of each value
BRUME_STREAM_KERNEL static void pack_bytes(float (*restrict shown)[PIXELS], const float *restrict dithers,
                                           uint32_t *restrict packed)
{
#pragma omp simd
    for (int n = 0; n < PIXELS; n++) {
        const float dither = dithers[n];
        const int32_t red = (int32_t)brume_clamp(shown[0][n] + dither, 0.0f, 255.0f);
        const int32_t green = (int32_t)brume_clamp(shown[1][n] + dither, 0.0f, 255.0f);
        const int32_t blue = (int32_t)brume_clamp(shown[2][n] + dither, 0.0f, 255.0f);
        packed[n] = (uint32_t)(red | green << 8 | blue << 16);
    }
}

// writes the display values of a block to the picture
static void store_block(const BrumeDrawnPreview *drawn, const BrumePreviewBlock *block, float (*shown)[PIXELS])
{
    _Alignas(64) uint32_t packed[PIXELS];
    pack_bytes(shown, drawn->dithers, packed);
    for (int y = 0; y < block->down; y++) {
        const size_t row = (size_t)(block->at.top + y) * (size_t)drawn->def->width;
        uint8_t *to = drawn->rgb + 3 * (row + (size_t)block->at.left);
        for (int x = 0; x < block->across; x++, to += 3) {
            const uint32_t value = packed[SIDE * y + x];
            if (x + 1 < block->across) {
                const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), 0};
                memcpy(to, bytes, sizeof bytes); // one store; the next pixel overwrites its last byte
            } else {
                to[0] = (uint8_t)value;
                to[1] = (uint8_t)(value >> 8);
                to[2] = (uint8_t)(value >> 16);
            }
        }
    }
}

bool brume_preview_draw_plane(const BrumeDrawnPreview *drawn, BrumePreviewBlock *block)
{
    const BrumeRenderSettings *settings = &drawn->lit->settings;
    const int surface = plane_of_block(drawn, block);
    const bool ground = surface == BRUME_HIT_GROUND;
    if (surface == 0 || (ground && settings->ground_pattern == BRUME_GROUND_IMAGE) ||
        (ground && drawn->patterned && drawn->rays.parallel)) {
        return false;
    }
    _Alignas(64) float shown[3 * BRUME_PREVIEW_SHOWN][PIXELS];
    if (block->down < SIDE) {
        memset(shown, 0, sizeof shown); // of rows that are not drawn
    }
    const bool mixed = ground && drawn->patterned;
    interpolate_shown(drawn->shown, drawn->shown_plane, drawn->nodes_across, block->rows, block->weights, block->down,
                      mixed ? 3 * BRUME_PREVIEW_SHOWN : 3, shown);
    if (mixed) {
        BrumeGroundPoints points;
        _Alignas(64) float parts[PIXELS];
        set_ground_points(&drawn->rays, &block->at, settings->ground_height, &points);
        brume_ground_mixtures(settings, &points, least_shown / largest_contrast(shown), parts);
        mix_shown(shown, parts);
    }
    store_block(drawn, block, shown);
    return true;
}
