// Along a ray through the smoke: emission-free radiative transfer, with the source held over each step.
//
//     L += T * J * (1 - exp(-sigma ds)),   T *= exp(-sigma ds)
//
// Steps end at the multiples of their length, moved by the jitter, and at the box; extinction and source are taken in
// the middle of each. Empty macro-cells are leapt over without moving any step, so leaping changes no bit.
#include "core/vec3.h"
#include "raymarch/cpu/fast_exp.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/scatter.h"

enum { LAST_MACRO_BIT = 3 };
_Static_assert(1 << LAST_MACRO_BIT == BRUME_MACRO, "a macro-cell's index is a shift");

// what is left behind the smoke is not worth another step below this
static const float opaque = 1e-4f;

// the steps of a ray through the box; places are in cells of the padded field, distances in cells from the entry
typedef struct Walk {
    BrumeVec3 origin, direction, inverse;
    float enter, length; ///< where the ray enters, from its own origin [cells], and how long it stays
    float step, before;  ///< a step, and how much of the first one lies before the entry
    int first, end;      ///< steps that may meet smoke
} Walk;

typedef struct Place {
    int i, j, k;
    float fx, fy, fz;
} Place;

static bool begin_walk(Walk *walk, const BrumeRenderer *renderer, const BrumeRay *ray, float limit, BrumeSteps steps)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    const float step = steps.length;
    const float per_metre = 1.0f / smoke->dx;
    BrumeRay in_cells = {brume_scale(brume_sub(ray->origin, smoke->origin), per_metre), ray->direction};
    const BrumeVec3 size = brume_vec3((float)smoke->grid.nx, (float)smoke->grid.ny, (float)smoke->grid.nz);
    const BrumeStretch inside = brume_ray_box(&in_cells, brume_vec3(0.0f, 0.0f, 0.0f), size);
    const float enter = brume_max(inside.enter, 0.0f);
    const float leave = brume_min(inside.leave, limit * per_metre);
    if (!(enter < leave)) {
        return false;
    }
    walk->origin = brume_add(brume_ray_at(&in_cells, enter), brume_vec3(0.5f, 0.5f, 0.5f));
    walk->direction = brume_add(ray->direction, brume_vec3(0.0f, 0.0f, 0.0f)); // no -0, whose inverse is -inf
    walk->inverse = brume_vec3(1.0f / walk->direction.x, 1.0f / walk->direction.y, 1.0f / walk->direction.z);
    walk->enter = enter;
    walk->length = leave - enter;
    walk->step = step;
    walk->before = step * steps.jitter;
    walk->first = 0;
    walk->end = (int)ceilf((walk->length + walk->before) / step);
    if (renderer->skip_empty) {
        // nothing is met outside of the box around the smoke; a step more on both sides for rounding
        const BrumeRay from_entry = {walk->origin, walk->direction};
        const BrumeStretch filled = brume_ray_box(&from_entry, smoke->filled_lower, smoke->filled_upper);
        if (!(filled.enter < filled.leave) || filled.leave < -step || filled.enter > walk->length + step) {
            return false;
        }
        const int first = (int)(brume_max(filled.enter, 0.0f) / step) - 1;
        const float end = (brume_min(filled.leave, walk->length) + walk->before) / step + 2.0f;
        walk->first = first > 0 ? first : 0;
        walk->end = walk->end < (int)end ? walk->end : (int)end;
    }
    return walk->first < walk->end;
}

// the middle of a step, and its length within the box
static float middle_of(const Walk *walk, int step, float *length)
{
    const float from = brume_max((float)step * walk->step - walk->before, 0.0f);
    const float to = brume_min((float)(step + 1) * walk->step - walk->before, walk->length);
    *length = to - from;
    return 0.5f * (from + to);
}

static float held(float at, int cells) { return brume_min(brume_max(at, 0.5f), (float)cells + 0.5f); }

// the cell whose value and upper neighbours' a place lies between
static Place place_at(const Walk *walk, const BrumeSmoke *smoke, float distance)
{
    const float x = held(walk->origin.x + distance * walk->direction.x, smoke->grid.nx);
    const float y = held(walk->origin.y + distance * walk->direction.y, smoke->grid.ny);
    const float z = held(walk->origin.z + distance * walk->direction.z, smoke->grid.nz);
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    return (Place){i, j, k, x - (float)i, y - (float)j, z - (float)k};
}

static bool is_empty(const BrumeSmoke *smoke, const Place *place)
{
    const ptrdiff_t row = (ptrdiff_t)(place->k >> LAST_MACRO_BIT) * smoke->macro_y + (place->j >> LAST_MACRO_BIT);
    return smoke->macro_max[row * smoke->macro_x + (place->i >> LAST_MACRO_BIT)] <= 0.0f;
}

// distance at which a coordinate leaves the macro-cell of index `cell`
static float to_face(float origin, float inverse, int cell)
{
    const int face = (cell & ~(BRUME_MACRO - 1)) + (inverse >= 0.0f ? BRUME_MACRO : 0);
    return ((float)face - origin) * inverse;
}

// the first step whose middle may lie beyond the macro-cell of a place; short by one rather than too far
static int leap(const Walk *walk, const Place *place, int step)
{
    const float x = to_face(walk->origin.x, walk->inverse.x, place->i);
    const float y = to_face(walk->origin.y, walk->inverse.y, place->j);
    const float z = to_face(walk->origin.z, walk->inverse.z, place->k);
    const float leave = brume_min(x, brume_min(y, z));
    const int next = (int)((leave + walk->before) / walk->step - 0.6f);
    return next > step ? next : step + 1;
}

static float extinction_at(const BrumeSmoke *smoke, const Place *p)
{
    const BrumeField *field = &smoke->extinction;
    const float *a = field->data + brume_field_index(field, p->i, p->j, p->k);
    return brume_trilinear(a, 1, field->sy, field->sz, p->fx, p->fy, p->fz);
}

// the kinds' albedo, each weighted by what it takes up
static BrumeVec3 albedo_at(const BrumeSmoke *smoke, const BrumeRenderSettings *look, const Place *p)
{
    if (!smoke->mixed) {
        return smoke->albedo;
    }
    const BrumeField *field = &smoke->extinction; // for its shape
    const float *a = smoke->kinds + BRUME_VOLUME_KINDS * brume_field_index(field, p->i, p->j, p->k);
    const ptrdiff_t sx = BRUME_VOLUME_KINDS;
    const ptrdiff_t sy = BRUME_VOLUME_KINDS * field->sy;
    const ptrdiff_t sz = BRUME_VOLUME_KINDS * field->sz;
    const BrumeFloat4 extinctions = brume_trilinear4(a, sx, sy, sz, p->fx, p->fy, p->fz);
    BrumeVec3 scattered = {0};
    float total = 0.0f;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        total += extinctions[kind];
        scattered = brume_add(scattered, brume_scale(look->smoke[kind].albedo, extinctions[kind]));
    }
    return total > 0.0f ? brume_scale(scattered, 1.0f / total) : scattered;
}

// a directional light's ray coordinates grow evenly along a view ray, and its angle stays
typedef struct SunOnRay {
    float u, v, n, du, dv, dn;
    float phases[BRUME_OCTAVES];
} SunOnRay;

static SunOnRay sun_on_ray(const BrumeSweep *sweep, const BrumeLight *light, const Walk *walk, float anisotropy)
{
    const BrumeVec3 origin = brume_sub(walk->origin, brume_vec3(0.5f, 0.5f, 0.5f));
    SunOnRay sun = {
        .u = brume_affine_at(sweep->u, origin),
        .v = brume_affine_at(sweep->v, origin),
        .n = brume_affine_at(sweep->n, origin),
        .du = brume_dot(sweep->u.slope, walk->direction),
        .dv = brume_dot(sweep->v.slope, walk->direction),
        .dn = brume_dot(sweep->n.slope, walk->direction),
    };
    brume_octave_phases(-brume_dot(light->direction, walk->direction), anisotropy, sun.phases);
    return sun;
}

// what a point light sends on along the ray
static BrumeVec3 lamp_source(const BrumeRenderer *renderer, int n, BrumeVec3 point, BrumeVec3 direction,
                             BrumeVec3 albedo)
{
    const BrumeLight *light = &renderer->look.lights[n];
    const BrumePointLight *lamp = &renderer->lamps[n];
    const BrumeVec3 away = brume_sub(point, lamp->position);
    const float cells = brume_length(away);
    const float cosine = cells > 0.0f ? -brume_dot(away, direction) / cells : 0.0f;
    // within half a cell of the lamp, its light is what it is at half a cell
    const float metres = renderer->smoke.dx * brume_max(cells, 0.5f);
    float phases[BRUME_OCTAVES];
    brume_octave_phases(cosine, renderer->look.anisotropy, phases);
    const BrumeVec3 scattered = brume_octave_sum(phases, brume_lamp_seen(lamp, point), albedo);
    return brume_mul(scattered, brume_scale(light->color, light->intensity / (metres * metres)));
}

BrumeMarch brume_march(const BrumeRenderer *renderer, const BrumeRay *ray, float limit, BrumeSteps steps)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    const BrumeRenderSettings *look = &renderer->look;
    BrumeMarch march = {{0.0f, 0.0f, 0.0f}, 1.0f};
    Walk walk;
    if (!begin_walk(&walk, renderer, ray, limit, steps)) {
        return march;
    }
    SunOnRay suns[BRUME_MAX_LIGHTS];
    bool prepared = false; // most rays meet nothing
    int step = walk.first;
    while (step < walk.end && march.transmittance > opaque) {
        float length;
        const float middle = middle_of(&walk, step, &length);
        const Place place = place_at(&walk, smoke, middle);
        if (renderer->skip_empty && is_empty(smoke, &place)) {
            step = leap(&walk, &place, step);
            continue;
        }
        step++;
        const float extinction = extinction_at(smoke, &place);
        if (extinction <= 0.0f) {
            continue;
        }
        if (!prepared) {
            for (int n = 0; n < look->light_count; n++) {
                suns[n] = sun_on_ray(&renderer->suns[n], &look->lights[n], &walk, look->anisotropy);
            }
            prepared = true;
        }
        const BrumeVec3 point = brume_vec3((float)place.i + place.fx - 0.5f, (float)place.j + place.fy - 0.5f,
                                           (float)place.k + place.fz - 0.5f);
        const BrumeVec3 albedo = albedo_at(smoke, look, &place);
        float around[BRUME_SKY_CHANNELS];
        brume_skylight_at(&renderer->sky, point, around);
        BrumeVec3 source = brume_mul(albedo, brume_vec3(around[0], around[1], around[2]));
        for (int n = 0; n < look->light_count; n++) {
            const BrumeLight *light = &look->lights[n];
            if (brume_light_hidden(look, light)) {
                continue;
            }
            if (light->kind == BRUME_LIGHT_POINT) {
                source = brume_add(source, lamp_source(renderer, n, point, walk.direction, albedo));
                continue;
            }
            const SunOnRay *sun = &suns[n];
            const float seen = brume_sweep_at(&renderer->suns[n], sun->u + middle * sun->du, sun->v + middle * sun->dv,
                                              sun->n + middle * sun->dn);
            const BrumeVec3 scattered = brume_octave_sum(sun->phases, seen, albedo);
            source = brume_add(source, brume_mul(scattered, brume_scale(light->color, light->intensity)));
        }
        const float left = brume_fast_exp(-extinction * length);
        const float taken = march.transmittance * (1.0f - left);
        march.radiance = brume_add(march.radiance, brume_scale(source, taken));
        march.transmittance *= left;
    }
    return march;
}

float brume_march_transmittance(const BrumeRenderer *renderer, const BrumeRay *ray, float limit)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    Walk walk;
    if (!begin_walk(&walk, renderer, ray, limit, (BrumeSteps){renderer->look.step, 0.5f})) {
        return 1.0f;
    }
    float depth = 0.0f;
    int step = walk.first;
    while (step < walk.end && depth < 16.0f) {
        float length;
        const float middle = middle_of(&walk, step, &length);
        const Place place = place_at(&walk, smoke, middle);
        if (renderer->skip_empty && is_empty(smoke, &place)) {
            step = leap(&walk, &place, step);
            continue;
        }
        step++;
        depth += length * extinction_at(smoke, &place);
    }
    return brume_fast_exp(-depth);
}

float brume_march_to_share(const BrumeRenderer *renderer, const BrumeRay *ray, float limit, float share)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    Walk walk;
    if (!begin_walk(&walk, renderer, ray, limit, (BrumeSteps){renderer->look.step, 0.0f})) {
        return INFINITY;
    }
    float left = -logf(share); // optical depth to go
    for (int step = walk.first; step < walk.end; step++) {
        float length;
        const float middle = middle_of(&walk, step, &length);
        const Place place = place_at(&walk, smoke, middle);
        const float extinction = extinction_at(smoke, &place);
        if (length > 0.0f && extinction * length >= left) {
            return smoke->dx * (walk.enter + middle - 0.5f * length + left / extinction);
        }
        left -= extinction * brume_max(length, 0.0f);
    }
    return INFINITY;
}
