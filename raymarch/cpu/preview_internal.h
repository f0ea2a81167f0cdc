/**
 * @file preview_internal.h
 * The parts of a picture in motion: nodes (preview_nodes.c), blocks of pixels that see one plane (preview_planes.c) and
 * all other blocks (preview_edges.c).
 */
#ifndef BRUME_RAYMARCH_CPU_PREVIEW_INTERNAL_H
#define BRUME_RAYMARCH_CPU_PREVIEW_INTERNAL_H

#include "raymarch/cpu/preview.h"
#include "raymarch/cpu/ray_packet.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tone.h"

enum {
    BRUME_PREVIEW_BLOCK = 8,                       ///< pixels along a side: a block is one packet
    BRUME_PREVIEW_SHOWN = 3,                       ///< albedos of the ground for which nodes have a shown color
    BRUME_PREVIEW_SKY = 4,                         ///< nodes from a point of the sky to the next
    BRUME_PREVIEW_NODES = BRUME_PREVIEW_BLOCK + 2, ///< most nodes along a side of a block
    BRUME_PREVIEW_PADDING = 16                     ///< floats behind the planes, which vector loops read
};

// Shadow rays towards a light that has a size go to the same places of it everywhere: interpolation between nodes would
// turn random places into blotches.
#define BRUME_PREVIEW_JITTER 0.5f

_Static_assert(BRUME_PREVIEW_BLOCK *BRUME_PREVIEW_BLOCK <= BRUME_PACKET_RAYS, "a block is one packet");

struct BrumePreviewNode {
    BrumeFloat4 smoke;      // radiance, and transmittance
    BrumeFloat4 light;      // brume_surface_light, and the distance of the surface [m]
    BrumeFloat4 background; // brume_surface_background, and the irradiance of a plane; see brume_plane_irradiance
    BrumeVec3 normal;       // of the surface
    int32_t surface;        // BrumeSurfaceHit.surface
};

/** The place of a pixel between nodes, along one side of the picture. */
struct BrumeNodePlace {
    int lower, upper; ///< nodes
    float offset;     ///< from the lower one, in [0, 1]
};

/** The weights of nodes at the pixels of a block, along its width. */
struct BrumeNodeWeights {
    _Alignas(32) float weights[BRUME_PREVIEW_NODES][BRUME_PREVIEW_BLOCK];
    int first, count; ///< nodes
};

/** A picture while it is drawn. */
typedef struct BrumeDrawnPreview {
    const BrumeLitMedium *lit;
    const BrumePreviewDef *def;
    BrumePictureRays rays, node_rays, even_rays; ///< of pixels, of nodes, and of every second node along each side
    BrumeDrawDef draw, node_draw, even_draw;
    BrumePreviewNode *nodes;
    int nodes_across, nodes_down;
    int node_left, node_right;            ///< the columns of nodes in use
    const BrumeNodePlace *columns, *rows; ///< of all pixels: `columns` from def->left on
    const BrumeNodeWeights *weights;      ///< of all columns of blocks
    /**
     * 255 times the shown values of the nodes, planes of nodes_across x nodes_down: red, green and blue with the first
     * albedo of the ground's pattern, then with the mean of both albedos, then with the second. Where no patterned
     * ground is visible only the first three are set.
     */
    float *shown;
    size_t shown_plane; ///< floats from a plane to the next
    /**
     * Radiance of the sky or, below it, of the horizon in the directions of every BRUME_PREVIEW_SKY-th node; NULL where
     * it is not smooth (sky_across x sky_down).
     */
    BrumeFloat4 *sky;
    int sky_across, sky_down;
    const BrumeToneTable *tone;
    float exposure;                                           ///< factor of the radiance
    bool casts_shadows;                                       ///< there are solids, whose shadows have edges
    bool smooth_horizon;                                      ///< sky and horizon change slowly from node to node
    bool patterned;                                           ///< the ground's albedo is a mixture of two by place
    float dithers[BRUME_PREVIEW_BLOCK * BRUME_PREVIEW_BLOCK]; ///< of the pixels of every block
    float farthest_smoke; ///< largest distance of a point of the box from the camera [m], INFINITY with parallel rays
    bool only_planes;     ///< the surface that a packet of rays hits follows from its corners, where no solid is
    uint8_t *rgb;
} BrumeDrawnPreview;

/** The pixels of a block. */
typedef struct BrumePreviewBlock {
    BrumePictureCrop at;
    const BrumeNodePlace *columns, *rows;
    const BrumeNodeWeights *weights;
    int across, down;     ///< pixels
    bool has_shadow_edge; ///< so that its ground has shadow rays; set by brume_preview_draw_plane where it refuses it
} BrumePreviewBlock;

/**
 * Relative irradiance of the plane that a node sees: the luminance of its light, on the ground without the share that
 * is lost where it fades into the horizon. -INFINITY where nearly all has faded, in the sky and on solids; so it is at
 * a node that is the mean of others, if it is at one of these.
 */
static inline float brume_plane_irradiance(const BrumePreviewNode *node) { return node->background[3]; }

/** Draws all nodes in use. */
void brume_preview_draw_nodes(BrumeDrawnPreview *drawn);

/**
 * Draws a block whose pixels and the nodes around them all see one plane, or the sky, by interpolating shown colors.
 * False, and nothing is drawn, for other blocks.
 */
bool brume_preview_draw_plane(const BrumeDrawnPreview *drawn, BrumePreviewBlock *block);

/** Draws any block, with a ray to the surfaces for each pixel. */
void brume_preview_draw_edges(const BrumeDrawnPreview *drawn, const BrumePreviewBlock *block);

/** Whether an edge of a shadow may lie between points with these irradiances. */
static inline bool brume_has_shadow_edge(float darkest, float brightest) { return brightest > 2.5f * darkest + 1e-6f; }

static inline BrumeFloat4 brume_float4(BrumeVec3 v, float w) { return (BrumeFloat4){v.x, v.y, v.z, w}; }

static inline float brume_luminance4(BrumeFloat4 color)
{
    return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
}

#endif
