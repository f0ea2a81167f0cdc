// The rays of a packet through the pixels of a block, with the bits of brume_picture_sample and brume_visible_surface:
// in vector loops where the camera is a pinhole without a shutter, and where a packet can hit only the ground.
#include "raymarch/cpu/packet_rays.h"

#include "core/parallel/simd.h"
#include "core/random.h"
#include "core/shape.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/drawn_solids.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { RAYS = BRUME_PACKET_RAYS };

// points of the picture and the jitters of a packet's rays
typedef struct PacketPoints {
    _Alignas(64) float x[RAYS];
    float y[RAYS];
    uint32_t column[RAYS], row[RAYS]; // of the pixels
} PacketPoints;

static double fractional_part(double x) { return x - floor(x); }

BRUME_STREAM_KERNEL static void set_jitters(BrumeMarchPacket *packet, const PacketPoints *points, uint32_t seed,
                                            int sample)
{
    const double shift = sample * 0.75487766624669276;
#pragma omp simd
    for (int n = 0; n < RAYS; n++) {
        const double hashed = (double)brume_unit_float(brume_hash3(points->column[n], points->row[n], seed));
        const double sum = hashed + shift;
        const float jitter = (float)(sum - (double)(int32_t)sum);
        packet->jitters[n] = brume_min(jitter, 0x1.fffffep-1f);
    }
}

// brume_picture_ray of all points
BRUME_STREAM_KERNEL static void set_pinhole_rays(BrumeMarchPacket *packet, const PacketPoints *points,
                                                 const BrumePictureRays *rays)
{
    const BrumeVec3 position = rays->position;
    const BrumeVec3 forward = rays->forward;
    const BrumeVec3 corner = rays->corner;
    const BrumeVec3 down = rays->down;
    const BrumeVec3 across = rays->across;
    if (rays->parallel) {
#pragma omp simd
        for (int n = 0; n < RAYS; n++) {
            const BrumeVec3 to_row = brume_add(corner, brume_scale(down, points->y[n]));
            const BrumeVec3 from = brume_add(position, brume_add(to_row, brume_scale(across, points->x[n])));
            packet->origin[0][n] = from.x;
            packet->origin[1][n] = from.y;
            packet->origin[2][n] = from.z;
            packet->direction[0][n] = forward.x;
            packet->direction[1][n] = forward.y;
            packet->direction[2][n] = forward.z;
        }
        return;
    }
#pragma omp simd
    for (int n = 0; n < RAYS; n++) {
        const BrumeVec3 to_row = brume_add(corner, brume_scale(down, points->y[n]));
        const BrumeVec3 to_point = brume_add(to_row, brume_scale(across, points->x[n]));
        const float inverse = 1.0f / brume_length(to_point); // the plane of the picture is at distance 1
        packet->origin[0][n] = position.x;
        packet->origin[1][n] = position.y;
        packet->origin[2][n] = position.z;
        packet->direction[0][n] = to_point.x * inverse;
        packet->direction[1][n] = to_point.y * inverse;
        packet->direction[2][n] = to_point.z * inverse;
    }
}

void brume_packet_rays(BrumeMarchPacket *packet, const BrumePictureRays *rays, const BrumeDrawDef *def,
                       const BrumePictureCrop *block, int sample)
{
    const double middle = 0.5 * (def->samples - 1);
    const double across = (sample + 0.5) / def->samples;
    const double down = fractional_part(0.5 + (sample - middle) * 0.61803398874989485);
    PacketPoints points = {0};
    int count = 0;
    for (int y = block->top; y < block->bottom; y++) {
        for (int x = block->left; x < block->right; x++) {
            points.x[count] = (float)(x + across);
            points.y[count] = (float)(y + down);
            points.column[count] = (uint32_t)x;
            points.row[count] = (uint32_t)y;
            count++;
        }
    }
    assert(count > 0);
    packet->count = count;
    for (int n = count; n < RAYS; n++) {
        points.x[n] = points.x[0];
        points.y[n] = points.y[0];
        points.column[n] = points.column[0];
        points.row[n] = points.row[0];
    }
    set_jitters(packet, &points, def->seed, sample);
    const bool pinhole = brume_dot(rays->lens_up, rays->lens_up) == 0.0f;
    if (pinhole && !(rays->shutter > 0.0f)) {
        set_pinhole_rays(packet, &points, rays);
        memset(packet->times, 0, sizeof packet->times);
        return;
    }
    for (int n = 0; n < RAYS; n++) {
        BrumePathSampler sampler = brume_path_sampler(points.column[n], points.row[n], def->seed, (uint32_t)sample);
        brume_set_packet_ray(packet, n, brume_picture_sample(rays, points.x[n], points.y[n], &sampler));
        packet->times[n] = sampler.time;
    }
}

// sets the hits of the rays that meet no solids and no walls: the ground or the sky
BRUME_STREAM_KERNEL static void hit_ground(BrumeMarchPacket *packet, bool ground, float height)
{
#pragma omp simd
    for (int n = 0; n < RAYS; n++) {
        const float distance = (height - packet->origin[1][n]) / packet->direction[1][n];
        const bool hits = (packet->direction[1][n] != 0.0f) & (distance > 0.0f) & (distance < INFINITY);
        packet->limits[n] = hits ? distance : INFINITY;
        packet->surfaces[n] = hits ? BRUME_HIT_GROUND : BRUME_HIT_SKY;
    }
    for (int n = 0; n < RAYS && !ground; n++) {
        packet->limits[n] = INFINITY;
        packet->surfaces[n] = BRUME_HIT_SKY;
    }
}

// Whether a line of the packet's rays meets a sphere around a shape. The tolerance covers rounding.
BRUME_STREAM_KERNEL static bool any_meets(const BrumeMarchPacket *packet, const BrumeShape *shape)
{
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(shape, &center, &radius);
    int32_t meets = 0;
#pragma omp simd reduction(| : meets)
    for (int n = 0; n < RAYS; n++) {
        const BrumeVec3 to = {center.x - packet->origin[0][n], center.y - packet->origin[1][n],
                              center.z - packet->origin[2][n]};
        const BrumeVec3 d = {packet->direction[0][n], packet->direction[1][n], packet->direction[2][n]};
        const BrumeVec3 across = {to.y * d.z - to.z * d.y, to.z * d.x - to.x * d.z, to.x * d.y - to.y * d.x};
        const float largest = radius + 1e-4f * (radius + fabsf(to.x) + fabsf(to.y) + fabsf(to.z));
        meets |= !(brume_dot(across, across) > largest * largest);
    }
    return meets != 0;
}

static bool may_hit_solids(const BrumeMarchPacket *packet, const BrumeRenderSettings *settings)
{
    bool may = false;
    for (int n = 0; n < brume_drawn_solid_count(settings) && !may; n++) {
        const bool moves = settings->shutter > 0.0f && brume_surface_moves(settings, n);
        may = moves || any_meets(packet, &brume_drawn_solid(settings, n)->shape);
    }
    return may;
}

void brume_packet_hits(BrumeMarchPacket *packet, const BrumeLitMedium *lit)
{
    const BrumeRenderSettings *settings = &lit->settings;
    if (brume_visible_walls(settings) == 0 && !may_hit_solids(packet, settings)) {
        hit_ground(packet, settings->ground, settings->ground_height);
        return;
    }
    BrumeRay rays[RAYS];
    BrumeSurfaceHit hits[RAYS];
    for (int n = 0; n < packet->count; n++) {
        rays[n] = brume_packet_ray(packet, n);
    }
    brume_visible_surfaces(lit, rays, packet->times, packet->count, hits);
    for (int n = 0; n < RAYS; n++) {
        const BrumeSurfaceHit *hit = &hits[n < packet->count ? n : 0];
        packet->limits[n] = hit->distance;
        packet->surfaces[n] = hit->surface;
        packet->places[n] = hit->place;
    }
}
