// A point light's rays through the smoke: six pyramids, marched plane by plane away from the light.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/cpu/fast_exp.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/trilinear.h"
#include "raymarch/scatter.h"

#include <assert.h>

// a point's coordinates in an order that begins with a pyramid's axis
typedef struct Turned {
    float along, u, v;
} Turned;

static Turned turned(BrumeVec3 p, int axis)
{
    const float c[3] = {p.x, p.y, p.z};
    return (Turned){c[axis], c[(axis + 1) % 3], c[(axis + 2) % 3]};
}

static BrumeVec3 turned_back(Turned t, int axis)
{
    float c[3];
    c[axis] = t.along;
    c[(axis + 1) % 3] = t.u;
    c[(axis + 2) % 3] = t.v;
    return brume_vec3(c[0], c[1], c[2]);
}

static BrumeVec3 extent(BrumeGrid grid) { return brume_vec3((float)grid.nx, (float)grid.ny, (float)grid.nz); }

static int largest_side(BrumeGrid grid)
{
    const int larger = grid.nx > grid.ny ? grid.nx : grid.ny;
    return larger > grid.nz ? larger : grid.nz;
}

BrumeStatus brume_lamp_create(BrumePointLight *lamp, BrumeGrid capacity, BrumeError *error)
{
    // the planes of two opposite pyramids together are the cells between them, and up to two more each
    const size_t rays = (size_t)largest_side(capacity) + 1;
    const size_t planes = (size_t)capacity.nx + (size_t)capacity.ny + (size_t)capacity.nz + 4 * BRUME_LAMP_SIDES / 2;
    lamp->entries = planes * rays * rays;
    lamp->memory = brume_alloc_untouched(lamp->entries, sizeof(float));
    return lamp->memory != NULL ? BRUME_OK : brume_fail(error, BRUME_FAILED, "out of memory for a point light");
}

void brume_lamp_destroy(BrumePointLight *lamp) { brume_free(lamp->memory); }

// slopes of rays from the light that reach [lower, upper] at distances of start to end; false where none is in -1..1
static bool slopes(float lower, float upper, float start, float end, float *from, float *to)
{
    const float nearest = brume_max(start, 1e-3f);
    *from = brume_max(lower / (lower < 0.0f ? nearest : end), -1.0f);
    *to = brume_min(upper / (upper > 0.0f ? nearest : end), 1.0f);
    return *from < *to;
}

// where a pyramid begins and ends, and its rays; its planes stay 0 where it misses the box
static void lay_out(BrumePointLight *lamp, int side, BrumeGrid grid, size_t *used)
{
    const int axis = side / 2;
    const float sign = side % 2 == 0 ? 1.0f : -1.0f;
    const Turned light = turned(lamp->position, axis);
    const Turned box = turned(extent(grid), axis);
    const float a = sign * -light.along;
    const float b = sign * (box.along - light.along);
    const float start = brume_max(brume_min(a, b), 0.0f);
    const float end = brume_max(a, b);
    lamp->sides[side].planes = 0;
    float u_max;
    float v_max;
    if (!(end - start > 1e-3f) || !slopes(-light.u, box.u - light.u, start, end, &lamp->sides[side].u_min, &u_max) ||
        !slopes(-light.v, box.v - light.v, start, end, &lamp->sides[side].v_min, &v_max)) {
        return;
    }
    const int layers = (int)ceilf(end - start - 1e-3f);
    lamp->sides[side].planes = layers + 1;
    lamp->sides[side].start = start;
    lamp->sides[side].length = (end - start) / (float)layers;
    lamp->sides[side].u_step = (u_max - lamp->sides[side].u_min) / (float)(lamp->rays - 1);
    lamp->sides[side].v_step = (v_max - lamp->sides[side].v_min) / (float)(lamp->rays - 1);
    lamp->sides[side].seen = lamp->memory + *used;
    *used += (size_t)(layers + 1) * (size_t)lamp->rays * (size_t)lamp->rays;
    assert(*used <= lamp->entries);
}

static bool inside(BrumeVec3 p, BrumeVec3 upper)
{
    return p.x >= 0.0f && p.y >= 0.0f && p.z >= 0.0f && p.x <= upper.x && p.y <= upper.y && p.z <= upper.z;
}

// the plane from which on a ray of the pyramid is in a solid's shadow
static int dark_from(const BrumePointLight *lamp, int side, const BrumeSmoke *smoke, const BrumeRenderSettings *look,
                     BrumeVec3 slope)
{
    const float stretched = brume_length(slope);
    const BrumeRay ray = {brume_add(smoke->origin, brume_scale(lamp->position, smoke->dx)),
                          brume_scale(slope, 1.0f / stretched)};
    const float distance = brume_first_solid(look, &ray, NULL) / smoke->dx + 1.0f; // [cells]
    const float plane = ceilf((distance / stretched - lamp->sides[side].start) / lamp->sides[side].length);
    return plane < (float)lamp->sides[side].planes ? (int)brume_max(plane, 0.0f) : lamp->sides[side].planes;
}

static void fill_row(BrumePointLight *lamp, int side, int iv, const BrumeSmoke *smoke, const BrumeRenderSettings *look)
{
    const int axis = side / 2;
    const float sign = side % 2 == 0 ? 1.0f : -1.0f;
    const int planes = lamp->sides[side].planes;
    const float length = lamp->sides[side].length;
    const BrumeVec3 upper = extent(smoke->grid);
    const ptrdiff_t rays = lamp->rays;
    float *row = lamp->sides[side].seen + rays * planes * iv;
    const float v = lamp->sides[side].v_min + lamp->sides[side].v_step * (float)iv;
    for (int iu = 0; iu < lamp->rays; iu++) {
        const float u = lamp->sides[side].u_min + lamp->sides[side].u_step * (float)iu;
        const BrumeVec3 slope = turned_back((Turned){sign, u, v}, axis);
        const float travel = length * sqrtf(1.0f + u * u + v * v);
        float depth = 0.0f;
        row[iu] = 0.0f;
        for (int plane = 1; plane < planes; plane++) {
            const float along = lamp->sides[side].start + ((float)plane - 0.5f) * length;
            const BrumeVec3 point = brume_add(lamp->position, brume_scale(slope, along));
            if (inside(point, upper)) {
                depth += travel * brume_field_sample(&smoke->extinction, point);
            }
            row[rays * plane + iu] = depth;
        }
    }
    brume_fast_exp_row(row, -1.0f / BRUME_DEEPEST, rays * planes);
    for (int iu = 0; iu < lamp->rays && look->surface_count > 0; iu++) {
        const float u = lamp->sides[side].u_min + lamp->sides[side].u_step * (float)iu;
        const BrumeVec3 slope = turned_back((Turned){sign, u, v}, axis);
        for (int plane = dark_from(lamp, side, smoke, look, slope); plane < planes; plane++) {
            row[rays * plane + iu] = 0.0f;
        }
    }
}

void brume_lamp_fill(BrumePointLight *lamp, const BrumeSmoke *smoke, const BrumeRenderSettings *look,
                     BrumeVec3 position)
{
    lamp->position = position;
    lamp->rays = largest_side(smoke->grid) + 1;
    size_t used = 0;
    for (int side = 0; side < BRUME_LAMP_SIDES; side++) {
        lay_out(lamp, side, smoke->grid, &used);
        if (lamp->sides[side].planes == 0) {
            continue;
        }
#pragma omp parallel for schedule(static)
        for (int iv = 0; iv < lamp->rays; iv++) {
            fill_row(lamp, side, iv, smoke, look);
        }
    }
}

// index of the lattice interval that a coordinate falls into, and how far it is along
static int interval(float at, int points, float *fraction)
{
    const float held = brume_min(brume_max(at, 0.0f), (float)(points - 1));
    const int index = (int)held < points - 2 ? (int)held : points - 2;
    *fraction = held - (float)index;
    return index;
}

float brume_lamp_seen(const BrumePointLight *lamp, BrumeVec3 point)
{
    const BrumeVec3 away = brume_sub(point, lamp->position);
    const float x = fabsf(away.x);
    const float y = fabsf(away.y);
    const float z = fabsf(away.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const Turned t = turned(away, axis);
    const int side = 2 * axis + (t.along < 0.0f);
    if (lamp->sides[side].planes == 0 || t.along == 0.0f) {
        return 1.0f;
    }
    const float along = fabsf(t.along);
    float fu;
    float fv;
    float fn;
    const int iu = interval((t.u / along - lamp->sides[side].u_min) / lamp->sides[side].u_step, lamp->rays, &fu);
    const int iv = interval((t.v / along - lamp->sides[side].v_min) / lamp->sides[side].v_step, lamp->rays, &fv);
    const int in =
        interval((along - lamp->sides[side].start) / lamp->sides[side].length, lamp->sides[side].planes, &fn);
    const ptrdiff_t sn = lamp->rays;
    const ptrdiff_t sv = sn * lamp->sides[side].planes;
    const float *a = lamp->sides[side].seen + sv * iv + sn * in + iu;
    return brume_trilinear(a, 1, sn, sv, fu, fn, fv);
}
