// The rays of a packet are marched in two stages that alternate. Stage 1 advances all rays by a step or over an empty
// macro-cell, interpolates the extinction, and appends the samples in smoke to a list with the weight of their source:
// the transmittance of a ray depends on no light. Stage 2 evaluates the light at all samples of the list. Vectors are
// thus full of samples in smoke, whichever rays they belong to. Each loop over rays or samples is a plain loop without
// branches on its values over the same functions as in march.c, so the compiler vectorizes it, and every width gives
// the bits of the scalar march. Samples of a ray are added up in the order of its steps.
#include "raymarch/cpu/march_packet.h"

#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_steps.h"
#include "raymarch/cpu/packet_light.h"
#include "raymarch/cpu/packet_state.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
    active->before_entry[to] = active->before_entry[from];
    active->transmittance[to] = active->transmittance[from];
    active->step[to] = active->step[from];
    active->end[to] = active->end[from];
    active->ray[to] = active->ray[from];
}

// the traversals of all rays of a packet
typedef struct Traversals {
    _Alignas(64) float origin[3][RAYS], direction[3][RAYS], inverse[3][RAYS];
    float length[RAYS], before_entry[RAYS];
    int32_t first[RAYS], end[RAYS];
} Traversals;

// the steps of all rays through the box, clipped to the bounds of the smoke
BRUME_INLINE void begin_traversals(const PacketMarch *march, Traversals *all)
{
    const BrumeMarchPacket *packet = march->packet;
    const BrumeGridMedium *medium = march->medium;
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
        all->before_entry[n] = whole.before_entry;
        all->first[n] = in_smoke.first;
        all->end[n] = in_smoke.end;
    }
}

// Whether no line of a packet's rays meets the box around all smoke: the axes x cross direction, y cross direction and
// z cross direction separate the line from the box. Most packets of a picture end here, before any division.
BRUME_INLINE bool all_miss_smoke(const PacketMarch *march)
{
    const BrumeMarchPacket *packet = march->packet;
    const BrumeGridMedium *medium = march->medium;
    if (!medium->skip_empty) {
        return false;
    }
    // from cells of the padded field to meters; one more cell on each side covers rounding near the box
    const BrumeVec3 one_and_half = brume_vec3(1.5f, 1.5f, 1.5f);
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 from = brume_scale(brume_sub(medium->occupied_lower, one_and_half), medium->dx);
    const BrumeVec3 to = brume_scale(brume_add(medium->occupied_upper, half), medium->dx);
    const BrumeVec3 center = brume_add(medium->origin, brume_scale(brume_add(from, to), 0.5f));
    const BrumeVec3 extent = brume_scale(brume_sub(to, from), 0.5f);
    int32_t meets = 0;
#pragma omp simd reduction(| : meets)
    for (int n = 0; n < RAYS; n++) {
        const BrumeVec3 a = {packet->origin[0][n] - center.x, packet->origin[1][n] - center.y,
                             packet->origin[2][n] - center.z};
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

// lists the rays that meet smoke as active, and pads the list to whole vectors
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
        active->before_entry[to] = all.before_entry[n];
        active->transmittance[to] = march->shadows ? 0.0f : 1.0f;
        active->step[to] = all.first[n];
        active->end[to] = all.end[n];
        active->ray[to] = n;
    }
    for (int n = active->count; n < padded(active->count); n++) {
        move_ray(active, n, 0);
    }
}

// sets the midpoint of each ray's step, and advances the ray to its next step: behind the macro-cell if that is empty
BRUME_INLINE void advance_rays(PacketMarch *march)
{
    const BrumeGridMedium *medium = march->medium;
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
            .before_entry = active->before_entry[n],
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
    const BrumeField *field = &march->medium->extinction;
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

// sample_extinction one ray at a time, for media that are moving or interpolated by cubics
static void sample_extinction_serially(PacketMarch *march, BrumeVec3 shift[RAYS])
{
    const BrumeGridMedium *medium = march->medium;
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
        const float transmittance_before = active->transmittance[n];
        const bool in_smoke = at->occupied[n] != 0 && extinction > 0.0f;
        at->weight[n] = transmittance_before * (1.0f - transmittance);
        at->extinction[n] = in_smoke ? extinction : 0.0f;
        active->transmittance[n] = in_smoke ? transmittance_before * transmittance : transmittance_before;
    }
}

// appends the samples in smoke to the list
static void append_samples(PacketMarch *march, const BrumeVec3 shift[RAYS])
{
    const bool moving = march->medium->moving;
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

// adds the optical depth of each step, which shadow rays have in place of the transmittance
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

// removes the rays that have ended, from the last to the first: the last active ray takes the place of a removed one
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

// marches all rays to their ends; the light at the listed samples is computed whenever the list is nearly full
BRUME_INLINE void march_packet(PacketMarch *march)
{
    const BrumeGridMedium *medium = march->medium;
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

// whether the entries of all arrays can be indexed by 32-bit integers
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

// marches the rays of a packet whose results are initialized
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
    march.medium = &lit->medium;
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
            packet->results[n].transmittance = brume_shadow_transmittance(lit, &ray, packet->limits[n]);
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
    march.medium = brume_lit_medium_shading(lit);
    march.packet = packet;
    march.shadows = true;
    march_in_vectors(&march, lanes);
    for (int n = 0; n < packet->count; n++) {
        packet->results[n].transmittance = brume_fast_exp(-packet->results[n].transmittance);
    }
}
