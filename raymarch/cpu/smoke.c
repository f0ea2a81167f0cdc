// What the raymarcher takes of a volume: extinction, the kinds' shares, and macro-cells that tell where nothing is.
#include "core/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"

#include <assert.h>
#include <string.h>

// extinction += per_density * density where that is above 0; NaN counts as none
BRUME_KERNEL static void add_kind(float *restrict extinction, const float *restrict density, float per_density,
                                  int count)
{
    for (int i = 0; i < count; i++) {
        const float value = per_density * density[i];
        extinction[i] += value > 0.0f ? value : 0.0f;
    }
}

BRUME_KERNEL static void drop_faint(float *extinction, float faint, int count)
{
    for (int i = 0; i < count; i++) {
        extinction[i] = extinction[i] < faint ? 0.0f : extinction[i];
    }
}

static void put_kind(float *restrict kinds, const float *restrict density, const float *restrict extinction,
                     float per_density, int count)
{
    for (int i = 0; i < count; i++) {
        const float value = per_density * density[i];
        kinds[(ptrdiff_t)BRUME_VOLUME_KINDS * i] = value > 0.0f && extinction[i] > 0.0f ? value : 0.0f;
    }
}

// repeats the first and last of `count` items of `size` floats that lie `stride` items apart, one before and after
static void hold_ends(float *data, ptrdiff_t stride, int count, size_t size)
{
    float *before = data;
    float *after = data + stride * (count + 1);
    memcpy(before, data + stride, size * sizeof *data);
    memcpy(after, after - stride, size * sizeof *data);
}

// rows in every plane, planes last
void brume_hold_edges(float *data, BrumeGrid grid, int size)
{
    const ptrdiff_t sy = (ptrdiff_t)size * (grid.nx + 2);
    const ptrdiff_t sz = sy * (grid.ny + 2);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            hold_ends(data + sz * k + sy * j, size, grid.nx, (size_t)size);
        }
        hold_ends(data + sz * k, sy, grid.ny, (size_t)sy);
    }
    hold_ends(data, sz, grid.nz, (size_t)sz);
}

static bool same_albedo(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// a sample reads the entries i and i + 1 of the padded field, so a macro-cell covers one entry more than its side
static void find_macro_cells(BrumeSmoke *smoke)
{
    const BrumeField *field = &smoke->extinction;
    smoke->macro_x = smoke->grid.nx / BRUME_MACRO + 1;
    smoke->macro_y = smoke->grid.ny / BRUME_MACRO + 1;
    smoke->macro_z = smoke->grid.nz / BRUME_MACRO + 1;
#pragma omp parallel for schedule(static)
    for (int mk = 0; mk < smoke->macro_z; mk++) {
        float *plane = smoke->macro_max + (ptrdiff_t)mk * smoke->macro_y * smoke->macro_x;
        memset(plane, 0, (size_t)smoke->macro_x * (size_t)smoke->macro_y * sizeof *plane);
        for (int k = mk * BRUME_MACRO; k <= (mk + 1) * BRUME_MACRO && k < smoke->grid.nz + 2; k++) {
            for (int j = 0; j < smoke->grid.ny + 2; j++) {
                const float *row = field->data + brume_field_index(field, 0, j, k);
                // the entry between two macro-cells belongs to both
                const int upper = j / BRUME_MACRO < smoke->macro_y ? j / BRUME_MACRO : smoke->macro_y - 1;
                const int lower = j > 0 ? (j - 1) / BRUME_MACRO : 0;
                for (int mi = 0; mi < smoke->macro_x; mi++) {
                    float largest = 0.0f;
                    for (int i = mi * BRUME_MACRO; i <= (mi + 1) * BRUME_MACRO && i < smoke->grid.nx + 2; i++) {
                        largest = row[i] > largest ? row[i] : largest;
                    }
                    float *at_lower = plane + (ptrdiff_t)lower * smoke->macro_x + mi;
                    float *at_upper = plane + (ptrdiff_t)upper * smoke->macro_x + mi;
                    *at_lower = largest > *at_lower ? largest : *at_lower;
                    *at_upper = largest > *at_upper ? largest : *at_upper;
                }
            }
        }
    }
}

// the smallest box around what is not empty, as corners in the padded field; without volume where all is empty
static void find_filled(BrumeSmoke *smoke)
{
    BrumeVec3 lower = brume_vec3(INFINITY, INFINITY, INFINITY);
    BrumeVec3 upper = brume_scale(lower, -1.0f);
    const float *macro = smoke->macro_max;
    for (int k = 0; k < smoke->macro_z; k++) {
        for (int j = 0; j < smoke->macro_y; j++) {
            for (int i = 0; i < smoke->macro_x; i++, macro++) {
                if (*macro > 0.0f) {
                    lower = brume_vec3(fminf(lower.x, (float)i), fminf(lower.y, (float)j), fminf(lower.z, (float)k));
                    upper = brume_vec3(fmaxf(upper.x, (float)i), fmaxf(upper.y, (float)j), fmaxf(upper.z, (float)k));
                }
            }
        }
    }
    if (!(lower.x <= upper.x)) {
        lower = brume_vec3(0.0f, 0.0f, 0.0f);
        upper = brume_vec3(-1.0f, -1.0f, -1.0f);
    }
    smoke->filled_lower = brume_scale(lower, BRUME_MACRO);
    smoke->filled_upper = brume_scale(brume_add(upper, brume_vec3(1.0f, 1.0f, 1.0f)), BRUME_MACRO);
}

void brume_load_smoke(BrumeSmoke *smoke, const BrumeRenderSettings *look, const BrumeVolume *volume)
{
    smoke->grid = (BrumeGrid){volume->nx, volume->ny, volume->nz};
    smoke->dx = volume->dx;
    smoke->origin = volume->origin;
    BrumeField *field = &smoke->extinction;
    field->grid = smoke->grid;
    field->sy = volume->nx + 2;
    field->sz = field->sy * (volume->ny + 2);

    smoke->mixed = false;
    int present = -1;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (volume->density[kind] == NULL) {
            continue;
        }
        smoke->mixed |= present >= 0 && !same_albedo(look->smoke[present].albedo, look->smoke[kind].albedo);
        present = present >= 0 ? present : kind;
    }
    smoke->albedo = look->smoke[present >= 0 ? present : 0].albedo;
    assert(!smoke->mixed || smoke->kinds != NULL);

    // smoke so thin that all of it across the box would take up less than 1e-4 of the light is none
    const float nx = (float)volume->nx;
    const float ny = (float)volume->ny;
    const float nz = (float)volume->nz;
    const float faint = 1e-4f / sqrtf(nx * nx + ny * ny + nz * nz);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            const ptrdiff_t from = volume->sz * k + volume->sy * j;
            const ptrdiff_t to = brume_field_index(field, 1, j + 1, k + 1);
            memset(field->data + to, 0, (size_t)volume->nx * sizeof(float));
            for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
                if (volume->density[kind] != NULL) {
                    add_kind(field->data + to, volume->density[kind] + from, look->smoke[kind].extinction * volume->dx,
                             volume->nx);
                }
            }
            drop_faint(field->data + to, faint, volume->nx);
            if (!smoke->mixed) {
                continue;
            }
            float *kinds = smoke->kinds + BRUME_VOLUME_KINDS * to;
            memset(kinds, 0, BRUME_VOLUME_KINDS * (size_t)volume->nx * sizeof(float));
            for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
                if (volume->density[kind] != NULL) {
                    put_kind(kinds + kind, volume->density[kind] + from, field->data + to,
                             look->smoke[kind].extinction * volume->dx, volume->nx);
                }
            }
        }
    }
    brume_hold_edges(field->data, smoke->grid, 1);
    if (smoke->mixed) {
        brume_hold_edges(smoke->kinds, smoke->grid, BRUME_VOLUME_KINDS);
    }
    find_macro_cells(smoke);
    find_filled(smoke);
}
