#include "raymarch/light/point_light.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lattice_fit.h"
#include "raymarch/light/scattering.h"

#include <assert.h>
#include <stdbool.h>

// coordinates along the axis of a pyramid and across it, in cyclic order
typedef struct PyramidCoordinates {
    float along, u, v;
} PyramidCoordinates;

static PyramidCoordinates pyramid_coordinates(BrumeVec3 p, int axis)
{
    const float c[3] = {p.x, p.y, p.z};
    return (PyramidCoordinates){c[axis], c[(axis + 1) % 3], c[(axis + 2) % 3]};
}

static BrumeVec3 from_pyramid_coordinates(PyramidCoordinates t, int axis)
{
    float c[3];
    c[axis] = t.along;
    c[(axis + 1) % 3] = t.u;
    c[(axis + 2) % 3] = t.v;
    return brume_vec3(c[0], c[1], c[2]);
}

size_t brume_point_light_entries(BrumeGrid capacity, int per_cell)
{
    // two opposite pyramids together have as many planes as there are cells along their axis, times `per_cell`, and up
    // to two more each
    const size_t rays = (size_t)(per_cell * brume_grid_longest_side(capacity)) + 1;
    const size_t sides = (size_t)capacity.nx + (size_t)capacity.ny + (size_t)capacity.nz;
    const size_t planes = (size_t)per_cell * sides + 4 * BRUME_CUBE_FACES / 2;
    return planes * rays * rays;
}

BrumeStatus brume_point_light_create(BrumePointLightVolume *volume, size_t entries, BrumeError *error)
{
    volume->entries = entries;
    volume->memory = brume_alloc_untouched(volume->entries, sizeof(float));
    return volume->memory != NULL ? BRUME_OK : brume_out_of_memory(error, "a point light");
}

void brume_point_light_destroy(BrumePointLightVolume *volume) { brume_free(volume->memory); }

// the range of slopes, within [-1, 1], of rays from the light that reach [lower, upper] at axial distances of start to
// end; false where it is empty
static bool slopes(float lower, float upper, float start, float end, float *from, float *to)
{
    const float nearest = brume_max(start, 1e-3f);
    *from = brume_max(lower / (lower < 0.0f ? nearest : end), -1.0f);
    *to = brume_min(upper / (upper > 0.0f ? nearest : end), 1.0f);
    return *from < *to;
}

// Restricts a pyramid to the entries that the shadow of a box of points [cells] may change; `sign` of its axis.
static void add_shadow(BrumeLightPyramid *f, const BrumePointLightVolume *volume, int axis, float sign, BrumeVec3 lower,
                       BrumeVec3 upper)
{
    const PyramidCoordinates a = pyramid_coordinates(brume_sub(lower, volume->position), axis);
    const PyramidCoordinates b = pyramid_coordinates(brume_sub(upper, volume->position), axis);
    const float near = brume_max(sign > 0.0f ? a.along : -b.along, 1e-3f);
    const float far = sign > 0.0f ? b.along : -a.along;
    if (far <= 0.0f) { // it is behind the light
        return;
    }
    // the slopes of rays that meet the box are largest at its near side
    const float u_from = a.u / (a.u < 0.0f ? near : far);
    const float u_to = b.u / (b.u > 0.0f ? near : far);
    const float v_from = a.v / (a.v < 0.0f ? near : far);
    const float v_to = b.v / (b.v > 0.0f ? near : far);
    brume_window_add(&f->stored, 0, (u_from - f->u_min) / f->u_step, (u_to - f->u_min) / f->u_step, volume->rays);
    brume_window_add(&f->stored, 1, (near - f->start) / f->length, (far - f->start) / f->length, f->planes);
    brume_window_add(&f->stored, 2, (v_from - f->v_min) / f->v_step, (v_to - f->v_min) / f->v_step, volume->rays);
}

// sets the planes and rays of one pyramid; no planes where it misses the box
static void compute_lattice(BrumePointLightVolume *volume, int face, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, int per_cell, size_t *used)
{
    const BrumeGrid grid = medium->grid;
    BrumeLightPyramid *f = &volume->faces[face];
    const int axis = face / 2;
    const float sign = face % 2 == 0 ? 1.0f : -1.0f;
    const PyramidCoordinates light = pyramid_coordinates(volume->position, axis);
    const PyramidCoordinates box = pyramid_coordinates(brume_grid_extent(grid), axis);
    const float a = sign * -light.along;
    const float b = sign * (box.along - light.along);
    const float start = brume_max(brume_min(a, b), 0.0f);
    const float end = brume_max(a, b);
    f->planes = 0;
    float u_max;
    float v_max;
    if (!(end - start > 1e-3f) || !slopes(-light.u, box.u - light.u, start, end, &f->u_min, &u_max) ||
        !slopes(-light.v, box.v - light.v, start, end, &f->v_min, &v_max)) {
        return;
    }
    const int layers = (int)ceilf((float)per_cell * (end - start) - 1e-3f);
    f->planes = layers + 1;
    f->start = start;
    f->length = (end - start) / (float)layers;
    f->u_step = (u_max - f->u_min) / (float)(volume->rays - 1);
    f->v_step = (v_max - f->v_min) / (float)(volume->rays - 1);
    f->stored = brume_no_entries;
    for (int n = 0; n <= settings->surface_count; n++) {
        BrumeVec3 lower;
        BrumeVec3 upper;
        const float reach = 3.0f; // [cells]; samples reach a cell beyond smoke, and shadows begin a cell inside solids
        if (brume_grid_medium_occluder(medium, settings, n, reach, &lower, &upper)) {
            add_shadow(f, volume, axis, sign, lower, upper);
        }
    }
    brume_window_close(&f->stored, 0, volume->rays);
    brume_window_close(&f->stored, 1, f->planes);
    brume_window_close(&f->stored, 2, volume->rays);
    f->transmittance = volume->memory + *used;
    *used += (size_t)f->stored.count[0] * (size_t)f->stored.count[1] * (size_t)f->stored.count[2];
    assert(*used <= volume->entries);
}

static bool is_inside(BrumeVec3 p, BrumeVec3 upper)
{
    return p.x >= 0.0f && p.y >= 0.0f && p.z >= 0.0f && p.x <= upper.x && p.y <= upper.y && p.z <= upper.z;
}

// the first plane on which a ray of the pyramid is in the shadow of a solid
static int first_shadowed(const BrumePointLightVolume *volume, int face, const BrumeGridMedium *medium,
                          const BrumeRenderSettings *settings, BrumeVec3 slope)
{
    const BrumeLightPyramid *f = &volume->faces[face];
    const float slope_length = brume_length(slope);
    const BrumeRay ray = {brume_add(medium->origin, brume_scale(volume->position, medium->dx)),
                          brume_scale(slope, 1.0f / slope_length)};
    const float distance = brume_intersect_solids(settings, &ray, 0.0f).distance / medium->dx + 1.0f; // [cells]
    const float plane = ceilf((distance / slope_length - f->start) / f->length);
    return plane < (float)f->planes ? (int)brume_max(plane, 0.0f) : f->planes;
}

// transmittance along one row of stored rays of a pyramid, plane by plane
static void fill_row(const BrumePointLightVolume *volume, int face, int stored_row, const BrumeGridMedium *medium,
                     const BrumeRenderSettings *settings)
{
    const BrumeLightPyramid *f = &volume->faces[face];
    const int axis = face / 2;
    const float sign = face % 2 == 0 ? 1.0f : -1.0f;
    const BrumeLatticeWindow *stored = &f->stored;
    const int first_plane = stored->first[1];
    const int planes = stored->count[1];
    const float length = f->length;
    const BrumeVec3 upper = brume_grid_extent(medium->grid);
    const ptrdiff_t rays = stored->count[0];
    float *row = f->transmittance + rays * planes * stored_row;
    const float v = f->v_min + f->v_step * (float)(stored->first[2] + stored_row);
    for (int iu = 0; iu < rays; iu++) {
        const float u = f->u_min + f->u_step * (float)(stored->first[0] + iu);
        const BrumeVec3 slope = from_pyramid_coordinates((PyramidCoordinates){sign, u, v}, axis);
        const float segment = length * sqrtf(1.0f + u * u + v * v);
        float depth = 0.0f;
        row[iu] = 0.0f;
        for (int plane = 1; plane < planes; plane++) {
            const float along = f->start + ((float)(first_plane + plane) - 0.5f) * length;
            const BrumeVec3 point = brume_add(volume->position, brume_scale(slope, along));
            if (is_inside(point, upper)) {
                depth += segment * brume_field_sample(&medium->extinction, point);
            }
            row[rays * plane + iu] = depth;
        }
    }
    brume_fast_exp_row(row, -1.0f / BRUME_TRANSMITTANCE_ROOT, rays * planes);
    for (int iu = 0; iu < rays && settings->surface_count > 0; iu++) {
        const float u = f->u_min + f->u_step * (float)(stored->first[0] + iu);
        const BrumeVec3 slope = from_pyramid_coordinates((PyramidCoordinates){sign, u, v}, axis);
        const int shadowed = first_shadowed(volume, face, medium, settings, slope) - first_plane;
        for (int plane = brume_max_int(shadowed, 0); plane < planes; plane++) {
            row[rays * plane + iu] = 0.0f;
        }
    }
}

void brume_point_light_fill(BrumePointLightVolume *volume, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, BrumeVec3 position, int per_cell)
{
    volume->position = position;
    volume->rays = per_cell * brume_grid_longest_side(medium->grid) + 1;
    size_t used = 0;
    for (int face = 0; face < BRUME_CUBE_FACES; face++) {
        compute_lattice(volume, face, medium, settings, per_cell, &used);
        const BrumeLightPyramid *f = &volume->faces[face];
        if (f->planes == 0) {
            continue;
        }
#pragma omp parallel for schedule(static)
        for (int row = 0; row < f->stored.count[2]; row++) {
            fill_row(volume, face, row, medium, settings);
        }
        brume_fit_lattice(f->transmittance, f->stored.count[0], f->stored.count[1], f->stored.count[2]);
    }
}

// index of the lattice interval that contains a coordinate, and the offset within it
static int interval(float at, int points, float *fraction)
{
    const float clamped = brume_clamp(at, 0.0f, (float)(points - 1));
    const int index = (int)clamped < points - 2 ? (int)clamped : points - 2;
    *fraction = clamped - (float)index;
    return index;
}

float brume_point_light_at(const BrumePointLightVolume *volume, BrumeVec3 point)
{
    const BrumeVec3 away = brume_sub(point, volume->position);
    const float x = fabsf(away.x);
    const float y = fabsf(away.y);
    const float z = fabsf(away.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const PyramidCoordinates t = pyramid_coordinates(away, axis);
    const BrumeLightPyramid *f = &volume->faces[2 * axis + (t.along < 0.0f)];
    if (f->planes == 0 || t.along == 0.0f) {
        return 1.0f;
    }
    const float along = fabsf(t.along);
    float fu;
    float fv;
    float fn;
    const int iu = interval((t.u / along - f->u_min) / f->u_step, volume->rays, &fu);
    const int iv = interval((t.v / along - f->v_min) / f->v_step, volume->rays, &fv);
    const int in = interval((along - f->start) / f->length, f->planes, &fn);
    const ptrdiff_t sn = f->stored.count[0];
    const ptrdiff_t sv = sn * f->stored.count[1];
    const float *a = f->transmittance + sv * brume_window_index(&f->stored, 2, iv) +
                     sn * brume_window_index(&f->stored, 1, in) + brume_window_index(&f->stored, 0, iu);
    return brume_trilinear(a, 1, sn, sv, fu, fn, fv);
}
