// Which of the CPU renderer's arrays become which textures, how far they are sampled down, and how the shaders find
// their way in them.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/gl/gl_renderer_internal.h"

#include <assert.h>

static int up_divided(int a, int b) { return (a + b - 1) / b; }

static float one_over(int entries, int factor) { return 1.0f / (float)(factor * up_divided(entries, factor)); }

// adds an upload; texture coordinates from one entry to the next
static BrumeVec3 add_upload(BrumeGlPlan *plan, int slot, BrumeGlEntries entries, int largest)
{
    const int longer = entries.nx > entries.ny ? entries.nx : entries.ny;
    const int longest = longer > entries.nz ? longer : entries.nz;
    const int factor = up_divided(longest, largest);
    plan->uploads[slot].entries = entries;
    plan->uploads[slot].factor = factor;
    plan->reduced = factor > plan->reduced ? factor : plan->reduced;
    return brume_vec3(one_over(entries.nx, factor), one_over(entries.ny, factor), one_over(entries.nz, factor));
}

// entries (nz x ny x nx x channels) that the plan owns
static float *take_entries(BrumeGlPlan *plan, int slot, BrumeGlEntries *entries, BrumeError *error)
{
    const size_t count = (size_t)entries->nx * (size_t)entries->ny * (size_t)entries->nz;
    float *data = brume_alloc_untouched(count, (size_t)entries->channels * sizeof(float));
    if (data == NULL) {
        (void)brume_fail(error, BRUME_FAILED, "out of memory for what is sent to the graphics device");
        return NULL;
    }
    plan->uploads[slot].owned = data;
    entries->data = data;
    entries->sy = (ptrdiff_t)entries->channels * entries->nx;
    entries->sz = entries->sy * entries->ny;
    entries->scale = 1.0f;
    return data;
}

static float largest_of(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t n = 0; n < count; n++) {
        largest = values[n] > largest ? values[n] : largest;
    }
    return largest;
}

// 1 where one of the macro-cells within `spread` of this one is filled
static float filled_near(const BrumeSmoke *smoke, int i, int j, int k, int spread)
{
    for (int mk = k - spread; mk <= k + spread; mk++) {
        for (int mj = j - spread; mj <= j + spread; mj++) {
            for (int mi = i - spread; mi <= i + spread; mi++) {
                const bool inside =
                    mi >= 0 && mj >= 0 && mk >= 0 && mi < smoke->macro_x && mj < smoke->macro_y && mk < smoke->macro_z;
                if (inside && smoke->macro_max[((ptrdiff_t)mk * smoke->macro_y + mj) * smoke->macro_x + mi] > 0.0f) {
                    return 1.0f;
                }
            }
        }
    }
    return 0.0f;
}

// smoke that is sampled down reaches into macro-cells that were empty, as far as a coarse cell is wide
static BrumeStatus plan_macro_cells(BrumeGlPlan *plan, const BrumeSmoke *smoke, int largest, BrumeError *error)
{
    const int factor = plan->uploads[BRUME_GL_EXTINCTION].factor;
    const int spread = factor > 1 ? up_divided(factor, BRUME_MACRO) : 0;
    BrumeGlEntries entries = {.nx = smoke->macro_x, .ny = smoke->macro_y, .nz = smoke->macro_z, .channels = 1};
    float *filled = take_entries(plan, BRUME_GL_MACRO, &entries, error);
    if (filled == NULL) {
        return BRUME_FAILED;
    }
    for (int k = 0; k < smoke->macro_z; k++) {
        for (int j = 0; j < smoke->macro_y; j++) {
            for (int i = 0; i < smoke->macro_x; i++) {
                *filled++ = filled_near(smoke, i, j, k, spread);
            }
        }
    }
    plan->scales.spread = (float)(BRUME_MACRO * spread);
    (void)add_upload(plan, BRUME_GL_MACRO, entries, largest);
    assert(plan->uploads[BRUME_GL_MACRO].factor == 1);
    return BRUME_OK;
}

static BrumeStatus plan_smoke(BrumeGlPlan *plan, const BrumeSmoke *smoke, int largest, BrumeError *error)
{
    const BrumeField *field = &smoke->extinction;
    const size_t macro_cells = (size_t)smoke->macro_x * (size_t)smoke->macro_y * (size_t)smoke->macro_z;
    const float scale = brume_half_scale(largest_of(smoke->macro_max, macro_cells));
    const ptrdiff_t first = brume_field_index(field, 1, 1, 1);
    plan->scales.extinction = 1.0f / scale;
    BrumeGlEntries entries = {.data = field->data + first,
                              .nx = smoke->grid.nx,
                              .ny = smoke->grid.ny,
                              .nz = smoke->grid.nz,
                              .channels = 1,
                              .sy = field->sy,
                              .sz = field->sz,
                              .scale = scale};
    plan->scales.smoke = add_upload(plan, BRUME_GL_EXTINCTION, entries, largest);
    if (smoke->mixed) {
        entries.data = smoke->kinds + BRUME_VOLUME_KINDS * first;
        entries.channels = BRUME_VOLUME_KINDS;
        entries.sy *= BRUME_VOLUME_KINDS;
        entries.sz *= BRUME_VOLUME_KINDS;
        (void)add_upload(plan, BRUME_GL_KINDS, entries, largest);
    }
    return plan_macro_cells(plan, smoke, largest, error);
}

// the light from all around, on a coarse grid, on the ground and over the slope of surfaces
static BrumeStatus plan_sky(BrumeGlPlan *plan, const BrumeSkylight *sky, int largest, BrumeError *error)
{
    const BrumeField *shape = &sky->depth[0];
    BrumeGlEntries normals = {.nx = BRUME_NORMALS, .ny = 1, .nz = 1, .channels = 4};
    float *by_normal = take_entries(plan, BRUME_GL_NORMALS, &normals, error);
    if (by_normal == NULL) {
        return BRUME_FAILED;
    }
    float most = largest_of(sky->radiance, BRUME_SKY_CHANNELS * brume_grid_entries(shape->grid));
    for (int n = 0; n < BRUME_NORMALS; n++) {
        const BrumeVec3 light = sky->by_normal[n];
        most = brume_max(most, brume_max(light.x, brume_max(light.y, light.z)));
        by_normal[4 * n] = light.x;
        by_normal[4 * n + 1] = light.y;
        by_normal[4 * n + 2] = light.z;
        by_normal[4 * n + 3] = 0.0f;
    }
    const float scale = brume_half_scale(most);
    plan->scales.light = 1.0f / scale;
    normals.scale = scale;
    (void)add_upload(plan, BRUME_GL_NORMALS, normals, BRUME_NORMALS);

    const BrumeGlEntries around = {.data = sky->radiance + BRUME_SKY_CHANNELS * brume_field_index(shape, 1, 1, 1),
                                   .nx = shape->grid.nx,
                                   .ny = shape->grid.ny,
                                   .nz = shape->grid.nz,
                                   .channels = BRUME_SKY_CHANNELS,
                                   .sy = BRUME_SKY_CHANNELS * shape->sy,
                                   .sz = BRUME_SKY_CHANNELS * shape->sz,
                                   .scale = scale};
    const BrumeVec3 per_coarse = add_upload(plan, BRUME_GL_SKY, around, largest);
    plan->scales.sky = brume_scale(per_coarse, 1.0f / (float)sky->factor);
    const BrumeGlEntries ground = {.data = sky->ground,
                                   .nx = BRUME_GROUND_MAP,
                                   .ny = BRUME_GROUND_MAP,
                                   .nz = 1,
                                   .channels = 1,
                                   .sy = BRUME_GROUND_MAP,
                                   .sz = BRUME_GROUND_MAP * BRUME_GROUND_MAP,
                                   .scale = 1.0f};
    (void)add_upload(plan, BRUME_GL_GROUND, ground, BRUME_GROUND_MAP);
    return BRUME_OK;
}

// a lamp's six pyramids on one grid: every cell, or in large boxes every other
static BrumeStatus plan_lamp(BrumeGlPlan *plan, int n, const BrumePointLight *lamp, BrumeGrid grid, int largest,
                             BrumeError *error)
{
    const int longer = grid.nx > grid.ny ? grid.nx : grid.ny;
    const int apart = (longer > grid.nz ? longer : grid.nz) > 64 ? 2 : 1;
    BrumeGlEntries entries = {
        .nx = up_divided(grid.nx, apart), .ny = up_divided(grid.ny, apart), .nz = up_divided(grid.nz, apart)};
    entries.channels = 1;
    float *seen = take_entries(plan, BRUME_GL_LIGHTS + n, &entries, error);
    if (seen == NULL) {
        return BRUME_FAILED;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < entries.nz; k++) {
        for (int j = 0; j < entries.ny; j++) {
            for (int i = 0; i < entries.nx; i++) {
                const BrumeVec3 middle = brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f);
                seen[entries.sz * k + entries.sy * j + i] = brume_lamp_seen(lamp, brume_scale(middle, (float)apart));
            }
        }
    }
    const BrumeVec3 per_entry = add_upload(plan, BRUME_GL_LIGHTS + n, entries, largest);
    plan->scales.lights[n] = brume_scale(per_entry, 1.0f / (float)apart);
    return BRUME_OK;
}

static BrumeStatus plan_lights(BrumeGlPlan *plan, const BrumeRenderer *lit, int largest, BrumeError *error)
{
    int order[BRUME_MAX_LIGHTS];
    plan->variant = brume_gl_shining(lit, order);
    for (int n = 0; n < plan->variant.suns; n++) {
        const BrumeSweep *sweep = &lit->suns[order[n]];
        const BrumeGlEntries left = {.data = sweep->left,
                                     .nx = sweep->nu,
                                     .ny = sweep->planes,
                                     .nz = sweep->nv,
                                     .channels = 1,
                                     .sy = sweep->nu,
                                     .sz = (ptrdiff_t)sweep->nu * sweep->planes,
                                     .scale = 1.0f};
        plan->scales.lights[n] = add_upload(plan, BRUME_GL_LIGHTS + n, left, largest);
    }
    for (int n = plan->variant.suns; n < plan->variant.suns + plan->variant.lamps; n++) {
        if (plan_lamp(plan, n, &lit->lamps[order[n]], lit->smoke.grid, largest, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_gl_plan_create(BrumeGlPlan *plan, const BrumeRenderer *lit, int largest, BrumeError *error)
{
    *plan = (BrumeGlPlan){.reduced = 1};
    if (plan_smoke(plan, &lit->smoke, largest, error) != BRUME_OK ||
        plan_sky(plan, &lit->sky, largest, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    return plan_lights(plan, lit, largest, error);
}

void brume_gl_plan_destroy(BrumeGlPlan *plan)
{
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        brume_free(plan->uploads[slot].owned);
    }
}
