// The rays of a packet are marched in two stages that alternate. Stage 1 advances all rays by a step or over an empty
// macro-cell, interpolates the extinction, and appends the samples in smoke to a list with the weight of their source:
// the transmittance of a ray depends on no light. Stage 2 evaluates the light at all samples of the list. Vectors are
// thus full of samples in smoke, whichever rays they belong to. Each loop over rays or samples is a plain loop without
// branches on its values over the same functions as in march.c, so the compiler vectorises it, and every width gives
// the bits of the scalar march. Samples of a ray are added up in the order of its steps.
#include "raymarch/cpu/march_packet.h"

#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_light.h"
#include "raymarch/cpu/march_steps.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" // builds without optimisation do not vectorise
#endif

enum {
    RAYS = BRUME_PACKET_RAYS,
    SAMPLES = 512, // of the list
    LANES = 16,    // of the widest vectors: counts in loops are multiples of it
};

// The rays that are still on their way, in any order. Padding up to a multiple of LANES repeats valid rays.
typedef struct ActiveRays {
    _Alignas(64) float origin_x[RAYS];
    float origin_y[RAYS], origin_z[RAYS];
    float direction_x[RAYS], direction_y[RAYS], direction_z[RAYS];
    float inverse_x[RAYS], inverse_y[RAYS], inverse_z[RAYS];
    float length[RAYS], before[RAYS];
    float transmittance[RAYS]; // of shadow rays the optical depth
    int32_t step[RAYS], end[RAYS];
    int32_t ray[RAYS]; // in the packet
    int count;
} ActiveRays;

// the sample of each active ray at its step
typedef struct StepSamples {
    _Alignas(64) float x[RAYS]; // in the padded field
    float y[RAYS], z[RAYS];
    float distance[RAYS], length[RAYS];
    int32_t occupied[RAYS]; // whether the step is in a macro-cell that is not empty
    float extinction[RAYS], weight[RAYS];
} StepSamples;

// samples in smoke whose light is to be evaluated
typedef struct SmokeSamples {
    _Alignas(64) float x[SAMPLES]; // in the padded field
    float y[SAMPLES], z[SAMPLES];
    float shift_x[SAMPLES], shift_y[SAMPLES], shift_z[SAMPLES]; // by which a moving medium moved the point
    float distance[SAMPLES], weight[SAMPLES];
    int32_t ray[SAMPLES];
    float albedo[3][SAMPLES], source[3][SAMPLES], scattered[3][SAMPLES];
    int count;
} SmokeSamples;

// what all rays of the packet keep for the evaluation of light
typedef struct PacketRays {
    _Alignas(64) float direction_x[RAYS];
    float direction_y[RAYS], direction_z[RAYS];
    float origin_x[RAYS], origin_y[RAYS], origin_z[RAYS];
} PacketRays;

// a directional light on each ray of the packet
typedef struct DirectionalLightOnRays {
    _Alignas(64) float u[RAYS];
    float v[RAYS], n[RAYS], du[RAYS], dv[RAYS], dn[RAYS], direct[RAYS], forward[RAYS];
} DirectionalLightOnRays;

// lattice cells of an array of less than 2^31 entries: index of the lowest entry, and offsets in [0, 1]
typedef struct LatticePoints {
    _Alignas(64) int32_t entry[SAMPLES];
    float f1[SAMPLES], f2[SAMPLES], f3[SAMPLES], value[SAMPLES];
} LatticePoints;

// the march of a packet in progress
typedef struct PacketMarch {
    const BrumeLitMedium *lit;
    BrumeMarchPacket *packet;
    bool blocked[BRUME_MAX_LIGHTS]; // by the ground
    bool prepared;                  // the lights on the rays
    bool shadows;                   // only the transmittance is wanted
    PacketRays rays;
    ActiveRays active;
    StepSamples at;
    LatticePoints points;
    _Alignas(16) float moments[3][SAMPLES][BRUME_LIGHT_MOMENTS]; // of the light at the samples of the list
    SmokeSamples list;
    DirectionalLightOnRays lights[BRUME_MAX_LIGHTS];
    BrumeMarchCounts counts;
} PacketMarch;

static inline int padded(int count) { return (count + LANES - 1) / LANES * LANES; }

BRUME_INLINE void blend_pairs(BrumeFloat8 *value, const float *data, const int32_t *entry, const BrumeFloat8 *f)
{
    BrumeFloat8 lower;
    BrumeFloat8 upper;
    brume_load_pairs(data, entry, &lower, &upper);
    *value = lower + *f * (upper - lower);
}

// brume_trilinear at eight points from the n-th on, into `value`. Neighbours along the first axis are loaded as pairs:
// half the loads of a gather.
BRUME_INLINE void interpolate8(LatticePoints *at, int n, const float *data, ptrdiff_t s2, ptrdiff_t s3)
{
    const int32_t *entry = at->entry + n;
    BrumeFloat8 f1, f2, f3, a0, a1, b0, b1;
    brume_load8(&f1, at->f1 + n);
    brume_load8(&f2, at->f2 + n);
    brume_load8(&f3, at->f3 + n);
    blend_pairs(&a0, data, entry, &f1);
    blend_pairs(&a1, data + s2, entry, &f1);
    blend_pairs(&b0, data + s3, entry, &f1);
    blend_pairs(&b1, data + s3 + s2, entry, &f1);
    const BrumeFloat8 near = a0 + f2 * (a1 - a0);
    const BrumeFloat8 far = b0 + f2 * (b1 - b0);
    const BrumeFloat8 value = near + f3 * (far - near);
    brume_store8(at->value + n, &value);
}

static void move_ray(ActiveRays *active, int to, int from)
{
    active->origin_x[to] = active->origin_x[from];
    active->origin_y[to] = active->origin_y[from];
    active->origin_z[to] = active->origin_z[from];
    active->direction_x[to] = active->direction_x[from];
    active->direction_y[to] = active->direction_y[from];
    active->direction_z[to] = active->direction_z[from];
    active->inverse_x[to] = active->inverse_x[from];
    active->inverse_y[to] = active->inverse_y[from];
    active->inverse_z[to] = active->inverse_z[from];
    active->length[to] = active->length[from];
    active->before[to] = active->before[from];
    active->transmittance[to] = active->transmittance[from];
    active->step[to] = active->step[from];
    active->end[to] = active->end[from];
    active->ray[to] = active->ray[from];
}

// the traversals of all rays of a packet
typedef struct Traversals {
    _Alignas(64) float origin[3][RAYS], direction[3][RAYS], inverse[3][RAYS];
    float length[RAYS], before[RAYS];
    int32_t first[RAYS], end[RAYS];
} Traversals;

BRUME_INLINE void begin_traversals(const PacketMarch *march, Traversals *all)
{
    const BrumeMarchPacket *packet = march->packet;
    const BrumeGridMedium *medium = &march->lit->medium;
    const MediumBox box = medium_box(medium);
    const float far = 1e30f;
    const BrumeVec3 lower = medium->skip_empty ? medium->occupied_lower : brume_vec3(-far, -far, -far);
    const BrumeVec3 upper = medium->skip_empty ? medium->occupied_upper : brume_vec3(far, far, far);
    const float step = packet->step;
#pragma omp simd
    for (int n = 0; n < RAYS; n++) {
        const BrumeVec3 from = {packet->origin[0][n], packet->origin[1][n], packet->origin[2][n]};
        const BrumeVec3 along = {packet->direction[0][n], packet->direction[1][n], packet->direction[2][n]};
        const Traversal whole = enter_box(box, from, along, packet->limits[n], step, packet->jitters[n]);
        const Traversal in_smoke = clip_to_smoke(whole, lower, upper);
        all->origin[0][n] = whole.origin.x;
        all->origin[1][n] = whole.origin.y;
        all->origin[2][n] = whole.origin.z;
        all->direction[0][n] = whole.direction.x;
        all->direction[1][n] = whole.direction.y;
        all->direction[2][n] = whole.direction.z;
        all->inverse[0][n] = whole.inverse.x;
        all->inverse[1][n] = whole.inverse.y;
        all->inverse[2][n] = whole.inverse.z;
        all->length[n] = whole.length;
        all->before[n] = whole.before;
        all->first[n] = in_smoke.first;
        all->end[n] = in_smoke.end;
    }
}

// Whether no line of a packet's rays meets the box around all smoke: the axes x cross direction, y cross direction and
// z cross direction separate the line from the box. Most packets of a picture end here, before any division.
BRUME_INLINE bool all_miss_smoke(const PacketMarch *march)
{
    const BrumeMarchPacket *packet = march->packet;
    const BrumeGridMedium *medium = &march->lit->medium;
    if (!medium->skip_empty) {
        return false;
    }
    // from cells of the padded field to metres; one more cell on each side covers rounding near the box
    const BrumeVec3 one_and_half = brume_vec3(1.5f, 1.5f, 1.5f);
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 from = brume_scale(brume_sub(medium->occupied_lower, one_and_half), medium->dx);
    const BrumeVec3 to = brume_scale(brume_add(medium->occupied_upper, half), medium->dx);
    const BrumeVec3 centre = brume_add(medium->origin, brume_scale(brume_add(from, to), 0.5f));
    const BrumeVec3 extent = brume_scale(brume_sub(to, from), 0.5f);
    int32_t meets = 0;
#pragma omp simd reduction(| : meets)
    for (int n = 0; n < RAYS; n++) {
        const BrumeVec3 a = {packet->origin[0][n] - centre.x, packet->origin[1][n] - centre.y,
                             packet->origin[2][n] - centre.z};
        const BrumeVec3 d = {packet->direction[0][n], packet->direction[1][n], packet->direction[2][n]};
        const BrumeVec3 b = {fabsf(d.x), fabsf(d.y), fabsf(d.z)};
        const float rounding = 1e-5f * (fabsf(a.x) + fabsf(a.y) + fabsf(a.z));
        const float x = fabsf(a.y * d.z - a.z * d.y) - (extent.y * b.z + extent.z * b.y);
        const float y = fabsf(a.z * d.x - a.x * d.z) - (extent.z * b.x + extent.x * b.z);
        const float z = fabsf(a.x * d.y - a.y * d.x) - (extent.x * b.y + extent.y * b.x);
        const float apart = brume_max(x, brume_max(y, z));
        meets |= !(apart > rounding);
    }
    return meets == 0;
}

BRUME_INLINE void begin_rays(PacketMarch *march)
{
    const BrumeMarchPacket *packet = march->packet;
    ActiveRays *active = &march->active;
    Traversals all;
    active->count = 0;
    if (all_miss_smoke(march)) {
        return;
    }
    march->rays = (PacketRays){0};
    begin_traversals(march, &all);
    for (int n = 0; n < packet->count; n++) {
        if (all.first[n] >= all.end[n]) {
            continue;
        }
        const int to = active->count++;
        march->rays.origin_x[n] = active->origin_x[to] = all.origin[0][n];
        march->rays.origin_y[n] = active->origin_y[to] = all.origin[1][n];
        march->rays.origin_z[n] = active->origin_z[to] = all.origin[2][n];
        march->rays.direction_x[n] = active->direction_x[to] = all.direction[0][n];
        march->rays.direction_y[n] = active->direction_y[to] = all.direction[1][n];
        march->rays.direction_z[n] = active->direction_z[to] = all.direction[2][n];
        active->inverse_x[to] = all.inverse[0][n];
        active->inverse_y[to] = all.inverse[1][n];
        active->inverse_z[to] = all.inverse[2][n];
        active->length[to] = all.length[n];
        active->before[to] = all.before[n];
        active->transmittance[to] = march->shadows ? 0.0f : 1.0f;
        active->step[to] = all.first[n];
        active->end[to] = all.end[n];
        active->ray[to] = n;
    }
    for (int n = active->count; n < padded(active->count); n++) {
        move_ray(active, n, 0);
    }
}

// the midpoint of the step of each ray; the next step, behind the macro-cell where that is empty
BRUME_INLINE void advance_rays(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    const BrumeGrid grid = medium->grid;
    const float *majorant = medium->majorant;
    const int32_t macro_row = medium->macro_cells.nx;
    const int32_t macro_plane = medium->macro_cells.nx * medium->macro_cells.ny;
    const bool skip_empty = medium->skip_empty;
    const float step_length = march->packet->step;
    ActiveRays *active = &march->active;
    StepSamples *at = &march->at;
    const int count = padded(active->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int step = active->step[n];
        const Traversal traversal = {
            .origin = {active->origin_x[n], active->origin_y[n], active->origin_z[n]},
            .direction = {active->direction_x[n], active->direction_y[n], active->direction_z[n]},
            .inverse = {active->inverse_x[n], active->inverse_y[n], active->inverse_z[n]},
            .length = active->length[n],
            .step = step_length,
            .before = active->before[n],
        };
        float length;
        const float distance = step_midpoint(&traversal, step, &length);
        const float x = clamp_to_box(traversal.origin.x + distance * traversal.direction.x, grid.nx);
        const float y = clamp_to_box(traversal.origin.y + distance * traversal.direction.y, grid.ny);
        const float z = clamp_to_box(traversal.origin.z + distance * traversal.direction.z, grid.nz);
        const SamplePoint sample = {.i = (int)x, .j = (int)y, .k = (int)z};
        const int32_t macro =
            macro_plane * (sample.k >> MACRO_SHIFT) + macro_row * (sample.j >> MACRO_SHIFT) + (sample.i >> MACRO_SHIFT);
        const int32_t occupied = !skip_empty | !(majorant[macro] <= 0.0f);
        const int behind = skip_macro_cell(&traversal, &sample, step);
        active->step[n] = occupied ? step + 1 : behind;
        at->x[n] = x;
        at->y[n] = y;
        at->z[n] = z;
        at->distance[n] = distance;
        at->length[n] = length;
        at->occupied[n] = occupied;
    }
}

// the extinction at the steps of all rays
BRUME_INLINE void sample_extinction(PacketMarch *march)
{
    const BrumeField *field = &march->lit->medium.extinction;
    const int32_t sy = (int32_t)field->sy;
    const int32_t sz = (int32_t)field->sz;
    StepSamples *at = &march->at;
    LatticePoints *points = &march->points;
    const int count = padded(march->active.count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float x = at->x[n];
        const float y = at->y[n];
        const float z = at->z[n];
        const int32_t i = (int32_t)x;
        const int32_t j = (int32_t)y;
        const int32_t k = (int32_t)z;
        points->entry[n] = i + sy * j + sz * k;
        points->f1[n] = x - (float)i;
        points->f2[n] = y - (float)j;
        points->f3[n] = z - (float)k;
    }
    for (int n = 0; n < count; n += BRUME_LANES) {
        int32_t occupied = 0;
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            occupied |= at->occupied[n + lane];
        }
        if (occupied) {
            interpolate8(points, n, field->data, sy, sz);
            memcpy(at->extinction + n, points->value + n, BRUME_LANES * sizeof(float));
        } else {
            memset(at->extinction + n, 0, BRUME_LANES * sizeof(float));
        }
    }
}

// as sample_extinction, ray by ray, of media that are moving or interpolated by cubics
static void sample_extinction_serially(PacketMarch *march, BrumeVec3 shift[RAYS])
{
    const BrumeGridMedium *medium = &march->lit->medium;
    StepSamples *at = &march->at;
    for (int n = 0; n < march->active.count; n++) {
        shift[n] = brume_vec3(0.0f, 0.0f, 0.0f);
        if (!at->occupied[n]) {
            at->extinction[n] = 0.0f;
            continue;
        }
        const int i = (int)at->x[n];
        const int j = (int)at->y[n];
        const int k = (int)at->z[n];
        SamplePoint sample = {i, j, k, at->x[n] - (float)i, at->y[n] - (float)j, at->z[n] - (float)k};
        if (medium->moving && !march->shadows) {
            shift[n] = follow_smoke(medium, march->packet->times[march->active.ray[n]], &sample);
            at->x[n] = (float)sample.i + sample.fx;
            at->y[n] = (float)sample.j + sample.fy;
            at->z[n] = (float)sample.k + sample.fz;
        }
        at->extinction[n] =
            brume_grid_medium_extinction(medium, sample.i, sample.j, sample.k, sample.fx, sample.fy, sample.fz);
    }
}

// the weight of each sample's source, and the transmittance behind its step
BRUME_INLINE void absorb(PacketMarch *march)
{
    ActiveRays *active = &march->active;
    StepSamples *at = &march->at;
    const int count = padded(active->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float extinction = at->extinction[n];
        const float transmittance = brume_fast_exp(-extinction * at->length[n]);
        const float before = active->transmittance[n];
        const bool in_smoke = at->occupied[n] != 0 && extinction > 0.0f;
        at->weight[n] = before * (1.0f - transmittance);
        at->extinction[n] = in_smoke ? extinction : 0.0f;
        active->transmittance[n] = in_smoke ? before * transmittance : before;
    }
}

// appends the samples in smoke to the list
static void append_samples(PacketMarch *march, const BrumeVec3 shift[RAYS])
{
    const bool moving = march->lit->medium.moving;
    const ActiveRays *active = &march->active;
    const StepSamples *at = &march->at;
    SmokeSamples *list = &march->list;
    int to = list->count;
    int samples = 0;
    for (int first = 0; first < active->count; first += BRUME_LANES) {
        const int end = first + BRUME_LANES < active->count ? first + BRUME_LANES : active->count;
        int occupied = 0;
        for (int n = first; n < end; n++) {
            occupied += at->occupied[n];
        }
        samples += occupied;
        for (int n = first; n < end && occupied > 0; n++) {
            list->x[to] = at->x[n];
            list->y[to] = at->y[n];
            list->z[to] = at->z[n];
            list->distance[to] = at->distance[n];
            list->weight[to] = at->weight[n];
            list->ray[to] = active->ray[n];
            if (moving) {
                list->shift_x[to] = shift[n].x;
                list->shift_y[to] = shift[n].y;
                list->shift_z[to] = shift[n].z;
            }
            to += at->extinction[n] > 0.0f;
        }
    }
    march->counts.samples += samples;
    march->counts.in_smoke += to - list->count;
    list->count = to;
}

// adds the optical depth of each step
BRUME_INLINE void add_depths(PacketMarch *march)
{
    ActiveRays *active = &march->active;
    const StepSamples *at = &march->at;
    const int count = padded(active->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float depth = active->transmittance[n] + at->length[n] * at->extinction[n];
        active->transmittance[n] = at->occupied[n] != 0 ? depth : active->transmittance[n];
    }
}

// removes the rays that have ended, the last first: the one that takes its place goes on
BRUME_INLINE void remove_rays(PacketMarch *march)
{
    ActiveRays *active = &march->active;
    const bool shadows = march->shadows;
    _Alignas(64) uint8_t ended[RAYS];
    const int count = padded(active->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float reached = active->transmittance[n];
        const int32_t full = shadows ? !(reached < deepest) : !(reached > opaque);
        ended[n] = (uint8_t)(full | (active->step[n] >= active->end[n]));
    }
    for (int first = count - BRUME_LANES; first >= 0; first -= BRUME_LANES) {
        uint64_t any;
        memcpy(&any, ended + first, sizeof any);
        for (int n = first + BRUME_LANES - 1; n >= first && any != 0; n--) {
            if (ended[n] && n < active->count) {
                march->packet->results[active->ray[n]].transmittance = active->transmittance[n];
                active->count--;
                move_ray(active, n, active->count);
            }
        }
    }
}

BRUME_INLINE void prepare_lights(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const PacketRays *rays = &march->rays;
    for (int light = 0; light < lit->settings.light_count; light++) {
        if (march->blocked[light] || lit->settings.lights[light].kind != BRUME_LIGHT_DIRECTIONAL) {
            continue;
        }
        DirectionalLightOnRays *on_rays = &march->lights[light];
        const BrumeTransmittanceSweep sweep = lit->directional[light];
        const BrumeLightSource source = lit->sources[light];
        const BrumePhaseLobes phase = lit->phase;
#pragma omp simd
        for (int n = 0; n < RAYS; n++) {
            const Traversal traversal = {
                .origin = {rays->origin_x[n], rays->origin_y[n], rays->origin_z[n]},
                .direction = {rays->direction_x[n], rays->direction_y[n], rays->direction_z[n]},
            };
            const DirectionalLightOnRay on_ray = directional_light_on_ray(&sweep, &source, &traversal, &phase);
            on_rays->u[n] = on_ray.u;
            on_rays->v[n] = on_ray.v;
            on_rays->n[n] = on_ray.n;
            on_rays->du[n] = on_ray.du;
            on_rays->dv[n] = on_ray.dv;
            on_rays->dn[n] = on_ray.dn;
            on_rays->direct[n] = on_ray.phases.direct;
            on_rays->forward[n] = on_ray.phases.forward;
        }
    }
    march->prepared = true;
}

// a component of brume_scattered_once, where `direct` is its product of phases and transmittance
BRUME_INLINE float scattered_once(float albedo, float direct, float forward, float depth, float mean_cosine)
{
    return albedo * (direct + forward * brume_fast_exp(-depth * (1.0f - mean_cosine * albedo)));
}

// the light of a directional light that is scattered into the rays; `grey`: all albedos have equal components
BRUME_INLINE void scatter_directional(PacketMarch *march, int light, bool grey, bool moving)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeTransmittanceSweep sweep = lit->directional[light];
    const int32_t sn = sweep.nu;
    const int32_t sv = sn * sweep.planes;
    LatticePoints *points = &march->points;
    const DirectionalLightOnRays *on_rays = &march->lights[light];
    const BrumeVec3 irradiance = brume_scale(lit->sources[light].light.color, lit->sources[light].strength);
    const float mean_cosine = lit->phase.mean_cosine;
    SmokeSamples *list = &march->list;
    const int count = padded(list->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float distance = list->distance[n];
        float u = on_rays->u[ray] + distance * on_rays->du[ray];
        float v = on_rays->v[ray] + distance * on_rays->dv[ray];
        float layer = on_rays->n[ray] + distance * on_rays->dn[ray];
        if (moving) {
            const BrumeVec3 shift = {list->shift_x[n], list->shift_y[n], list->shift_z[n]};
            u += brume_dot(sweep.u.slope, shift);
            v += brume_dot(sweep.v.slope, shift);
            layer += brume_dot(sweep.n.slope, shift);
        }
        // brume_sweep_at
        int32_t iu = (int32_t)u;
        int32_t iv = (int32_t)v;
        int32_t in = (int32_t)layer;
        iu = iu < sweep.nu - 2 ? iu : sweep.nu - 2;
        iv = iv < sweep.nv - 2 ? iv : sweep.nv - 2;
        in = in < sweep.planes - 2 ? in : sweep.planes - 2;
        points->entry[n] = sv * iv + sn * in + iu;
        points->f1[n] = u - (float)iu;
        points->f2[n] = layer - (float)in;
        points->f3[n] = v - (float)iv;
    }
    for (int n = 0; n < count; n += BRUME_LANES) {
        interpolate8(points, n, sweep.transmittance, sn, sv);
    }
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float root = points->value[n];
        const float squared = root * root;
        const float fourth = squared * squared;
        const float forward = on_rays->forward[ray];
        const float direct = (on_rays->direct[ray] - forward) * (fourth * fourth);
        const float depth = brume_depth_of_root(root);
        const float red = scattered_once(list->albedo[0][n], direct, forward, depth, mean_cosine);
        const float green = grey ? red : scattered_once(list->albedo[1][n], direct, forward, depth, mean_cosine);
        const float blue = grey ? red : scattered_once(list->albedo[2][n], direct, forward, depth, mean_cosine);
        list->scattered[0][n] = red * irradiance.x;
        list->scattered[1][n] = green * irradiance.y;
        list->scattered[2][n] = blue * irradiance.z;
    }
}

static BrumeVec3 point_of(const SmokeSamples *list, int n)
{
    return brume_vec3(list->x[n] - 0.5f, list->y[n] - 0.5f, list->z[n] - 0.5f);
}

static BrumeVec3 direction_of(const PacketMarch *march, int ray)
{
    return brume_vec3(march->rays.direction_x[ray], march->rays.direction_y[ray], march->rays.direction_z[ray]);
}

static BrumeVec3 albedo_of(const SmokeSamples *list, int n)
{
    return brume_vec3(list->albedo[0][n], list->albedo[1][n], list->albedo[2][n]);
}

static void store3(float to[3][SAMPLES], int n, BrumeVec3 color)
{
    to[0][n] = color.x;
    to[1][n] = color.y;
    to[2][n] = color.z;
}

// as scatter_directional, of the light of a light with a position
static void scatter_placed(PacketMarch *march, int light)
{
    const BrumeLitMedium *lit = march->lit;
    SmokeSamples *list = &march->list;
    const bool is_rectangle = lit->settings.lights[light].kind == BRUME_LIGHT_RECTANGLE;
    for (int n = 0; n < list->count; n++) {
        const BrumeVec3 direction = direction_of(march, list->ray[n]);
        const BrumeVec3 albedo = albedo_of(list, n);
        store3(list->scattered, n,
               is_rectangle ? rectangle_source(lit, light, point_of(list, n), direction, albedo)
                            : point_source(lit, light, point_of(list, n), direction, albedo));
    }
}

BRUME_INLINE void add_scattered(SmokeSamples *list)
{
    const int count = padded(list->count);
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n < count; n++) {
            list->source[c][n] += list->scattered[c][n];
        }
    }
}

// adds radiance of the samples to one part of the radiance of their rays, which is at `offset` in BrumeRayParts
static void add_to_parts(const PacketMarch *march, float radiance[3][SAMPLES], size_t offset)
{
    BrumeRayParts *parts = march->packet->parts;
    const SmokeSamples *list = &march->list;
    for (int n = 0; n < list->count && parts != NULL; n++) {
        BrumeVec3 *part = (BrumeVec3 *)(void *)((char *)&parts[list->ray[n]] + offset);
        brume_add_part(part, brume_vec3(radiance[0][n], radiance[1][n], radiance[2][n]), list->weight[n]);
    }
}

BRUME_INLINE void set_albedos(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    SmokeSamples *list = &march->list;
    for (int c = 0; c < 3 && !medium->mixed; c++) {
        const float albedo = brume_component(medium->albedo, c);
        const int count = padded(list->count);
        for (int n = 0; n < count; n++) {
            list->albedo[c][n] = albedo;
        }
    }
    for (int n = 0; n < padded(list->count) && medium->mixed; n++) {
        const int i = (int)list->x[n];
        const int j = (int)list->y[n];
        const int k = (int)list->z[n];
        store3(list->albedo, n,
               brume_grid_medium_albedo(medium, &march->lit->settings, i, j, k, list->x[n] - (float)i,
                                        list->y[n] - (float)j, list->z[n] - (float)k));
    }
}

// Light from all directions: moments_source. The four moments of a color lie side by side and are interpolated as one
// vector, sample by sample; what is before and after that works on many samples.
BRUME_INLINE void scatter_moments(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeScatteredLight *light = &lit->scattered;
    const BrumeField *shape = &light->grids[0].albedo[0];
    const BrumeVec3 cell = light->grids[0].cell;
    const int32_t sy = (int32_t)shape->sy;
    const int32_t sz = (int32_t)shape->sz;
    const float backwards = -3.0f * lit->phase.mean_cosine;
    const PacketRays *rays = &march->rays;
    SmokeSamples *list = &march->list;
    LatticePoints *points = &march->points;
    const int count = padded(list->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float x = (list->x[n] - 0.5f) / cell.x + 0.5f;
        const float y = (list->y[n] - 0.5f) / cell.y + 0.5f;
        const float z = (list->z[n] - 0.5f) / cell.z + 0.5f;
        const int32_t i = (int32_t)x;
        const int32_t j = (int32_t)y;
        const int32_t k = (int32_t)z;
        points->entry[n] = i + sy * j + sz * k;
        points->f1[n] = x - (float)i;
        points->f2[n] = y - (float)j;
        points->f3[n] = z - (float)k;
    }
    enum { S = BRUME_LIGHT_MOMENTS };
    const ptrdiff_t color = S * (ptrdiff_t)brume_grid_entries(shape->grid);
    for (int n = 0; n < count; n++) {
        const float *a = light->moments + S * (ptrdiff_t)points->entry[n];
        for (int c = 0; c < 3; c++) {
            const BrumeFloat4 moments = brume_trilinear4(a + c * color, S, S * shape->sy, S * shape->sz, points->f1[n],
                                                         points->f2[n], points->f3[n]);
            memcpy(march->moments[c][n], &moments, sizeof moments);
        }
    }
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float x = rays->direction_x[ray] * backwards;
        const float y = rays->direction_y[ray] * backwards;
        const float z = rays->direction_z[ray] * backwards;
        for (int c = 0; c < 3; c++) {
            const float *m = march->moments[c][n];
            list->source[c][n] = list->albedo[c][n] * brume_max(m[0] + (x * m[1] + y * m[2] + z * m[3]), 0.0f);
        }
    }
}

static void add_emission(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    SmokeSamples *list = &march->list;
    for (int n = 0; n < list->count; n++) {
        const int i = (int)list->x[n];
        const int j = (int)list->y[n];
        const int k = (int)list->z[n];
        store3(list->scattered, n,
               brume_grid_medium_emission(medium, albedo_of(list, n), i, j, k, list->x[n] - (float)i,
                                          list->y[n] - (float)j, list->z[n] - (float)k));
    }
}

static void pad_list(SmokeSamples *list)
{
    for (int n = list->count; n < padded(list->count); n++) {
        list->ray[n] = list->ray[0];
        list->distance[n] = list->distance[0];
        list->shift_x[n] = list->shift_x[0];
        list->shift_y[n] = list->shift_y[0];
        list->shift_z[n] = list->shift_z[0];
        list->x[n] = list->x[0];
        list->y[n] = list->y[0];
        list->z[n] = list->z[0];
    }
}

// evaluates the light at the samples of the list, and empties it
BRUME_INLINE void shade(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeVec3 albedo = lit->medium.albedo;
    const bool grey = !lit->medium.mixed && albedo.y == albedo.x && albedo.z == albedo.x;
    SmokeSamples *list = &march->list;
    if (!march->prepared) {
        prepare_lights(march);
    }
    pad_list(list);
    set_albedos(march);
    scatter_moments(march);
    add_to_parts(march, list->source, offsetof(BrumeRayParts, sky));
    for (int light = 0; light < lit->settings.light_count; light++) {
        if (march->blocked[light]) {
            continue;
        }
        if (lit->settings.lights[light].kind != BRUME_LIGHT_DIRECTIONAL) {
            scatter_placed(march, light);
        } else if (lit->medium.moving) {
            scatter_directional(march, light, false, true);
        } else if (grey) {
            scatter_directional(march, light, true, false);
        } else {
            scatter_directional(march, light, false, false);
        }
        add_scattered(list);
        add_to_parts(march, list->scattered, offsetof(BrumeRayParts, lights) + (size_t)light * sizeof(BrumeVec3));
    }
    if (lit->medium.glows) {
        add_emission(march);
        add_scattered(list);
        add_to_parts(march, list->scattered, offsetof(BrumeRayParts, emission));
    }
    for (int n = 0; n < list->count; n++) {
        BrumeVec3 *radiance = &march->packet->results[list->ray[n]].radiance;
        const BrumeVec3 source = brume_vec3(list->source[0][n], list->source[1][n], list->source[2][n]);
        *radiance = brume_add(*radiance, brume_scale(source, list->weight[n]));
    }
    list->count = 0;
}

BRUME_INLINE void march_packet(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    const bool serial = medium->cubic || (medium->moving && !march->shadows);
    BrumeVec3 shift[RAYS] = {0};
    memset(march->at.extinction, 0, sizeof march->at.extinction); // of padding
    begin_rays(march);
    while (march->active.count > 0) {
        advance_rays(march);
        if (serial) {
            sample_extinction_serially(march, shift);
        } else {
            sample_extinction(march);
        }
        if (march->shadows) {
            add_depths(march);
        } else {
            absorb(march);
            append_samples(march, shift);
        }
        remove_rays(march);
        if (march->list.count > SAMPLES - RAYS) {
            shade(march);
        }
    }
    if (march->list.count > 0) {
        shade(march);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"), flatten)) static void march_16_lanes(PacketMarch *march)
{
    march_packet(march);
}

__attribute__((target("avx2"), flatten)) static void march_8_lanes(PacketMarch *march) { march_packet(march); }
#endif

__attribute__((flatten)) static void march_4_lanes(PacketMarch *march) { march_packet(march); }

static int lanes_of_processor(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl")) {
        return 16;
    }
    if (__builtin_cpu_supports("avx2")) {
        return 8;
    }
#endif
    return 4;
}

int brume_march_lanes(const BrumeLitMedium *lit)
{
    const int available = lanes_of_processor();
    return lit->march_lanes == 0 || lit->march_lanes > available ? available : lit->march_lanes;
}

// entries of all arrays are indexed by 32-bit integers
static bool fits_indices(const BrumeLitMedium *lit)
{
    bool fits = (int64_t)lit->medium.extinction.sz * (lit->medium.grid.nz + 2) < INT32_MAX;
    for (int n = 0; n < lit->settings.light_count; n++) {
        fits = fits && lit->directional[n].entries < INT32_MAX;
    }
    return fits;
}

static void march_serially(const BrumeLitMedium *lit, BrumeMarchPacket *packet)
{
    for (int n = 0; n < packet->count; n++) {
        const BrumeMarchSteps steps = {packet->step, packet->jitters[n], packet->times[n]};
        const BrumeRay ray = brume_packet_ray(packet, n);
        BrumeRayParts *parts = packet->parts != NULL ? &packet->parts[n] : NULL;
        packet->results[n] = brume_march_parts(lit, &ray, packet->limits[n], steps, parts);
    }
}

// marches the rays of a packet whose results are initialised
static void march_in_vectors(PacketMarch *march, int lanes)
{
    march->prepared = false;
    march->list.count = 0;
    march->counts = (BrumeMarchCounts){0};
    switch (lanes) {
#if defined(__x86_64__)
    case 16:
        march_16_lanes(march);
        break;
    case 8:
        march_8_lanes(march);
        break;
#endif
    default:
        march_4_lanes(march);
        break;
    }
}

void brume_march_packet(const BrumeLitMedium *lit, BrumeMarchPacket *packet)
{
    const int lanes = brume_march_lanes(lit);
    if (lanes == 1 || !fits_indices(lit)) {
        march_serially(lit, packet);
        return;
    }
    for (int n = 0; n < packet->count; n++) {
        packet->results[n] = (BrumeMarchResult){{0.0f, 0.0f, 0.0f}, 1.0f};
    }
    PacketMarch march;
    march.lit = lit;
    march.packet = packet;
    march.shadows = false;
    for (int n = 0; n < lit->settings.light_count; n++) {
        march.blocked[n] = brume_ground_blocks_light(&lit->settings, &lit->settings.lights[n]);
    }
    march_in_vectors(&march, lanes);
    if (lit->counts != NULL) {
#pragma omp atomic
        lit->counts->samples += march.counts.samples;
#pragma omp atomic
        lit->counts->in_smoke += march.counts.in_smoke;
    }
}

void brume_packet_transmittance(const BrumeLitMedium *lit, BrumeMarchPacket *packet)
{
    const int lanes = brume_march_lanes(lit);
    if (lanes == 1 || !fits_indices(lit)) {
        for (int n = 0; n < packet->count; n++) {
            const BrumeRay ray = brume_packet_ray(packet, n);
            packet->results[n].transmittance = brume_march_transmittance(lit, &ray, packet->limits[n]);
        }
        return;
    }
    for (int n = 0; n < packet->count; n++) {
        packet->results[n].transmittance = 0.0f; // the optical depth
        packet->jitters[n] = 0.5f;
    }
    packet->step = lit->settings.step;
    PacketMarch march;
    march.lit = lit;
    march.packet = packet;
    march.shadows = true;
    march_in_vectors(&march, lanes);
    for (int n = 0; n < packet->count; n++) {
        packet->results[n].transmittance = brume_fast_exp(-packet->results[n].transmittance);
    }
}
