#include "brume/renderer.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/scatter.h"

#include <assert.h>
#include <stdlib.h>

static bool one_albedo(const BrumeRenderSettings *look)
{
    const BrumeVec3 first = look->smoke[0].albedo;
    for (int kind = 1; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeVec3 other = look->smoke[kind].albedo;
        if (other.x != first.x || other.y != first.y || other.z != first.z) {
            return false;
        }
    }
    return true;
}

static BrumeGrid macro_grid(BrumeGrid grid)
{
    return (BrumeGrid){grid.nx / BRUME_MACRO + 1, grid.ny / BRUME_MACRO + 1, grid.nz / BRUME_MACRO + 1};
}

static BrumeStatus take_smoke(BrumeSmoke *smoke, BrumeGrid grid, BrumeError *error)
{
    if (brume_field_create(&smoke->extinction, grid, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    smoke->macro_max = brume_alloc_untouched(brume_grid_cells(macro_grid(grid)), sizeof(float));
    if (smoke->macro_max == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for the smoke to draw");
    }
    return BRUME_OK;
}

BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz, const BrumeRenderSettings *look,
                                  BrumeError *error)
{
    assert(nx > 0 && ny > 0 && nz > 0);
    *renderer = NULL;
    BrumeRenderer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for a renderer");
    }
    made->capacity = (BrumeGrid){nx, ny, nz};
    made->skip_empty = true;

    BrumeStatus status = take_smoke(&made->smoke, made->capacity, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_skylight_create(&made->sky, made->capacity, &made->sky_bytes, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_renderer_set_settings(made, look, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    *renderer = made;
    made = NULL;
cleanup:
    brume_renderer_destroy(made);
    return status;
}

void brume_renderer_destroy(BrumeRenderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    brume_field_destroy(&renderer->smoke.extinction);
    brume_free(renderer->smoke.kinds);
    brume_free(renderer->smoke.macro_max);
    brume_field_destroy(&renderer->turned);
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        brume_free(renderer->suns[n].left);
        brume_lamp_destroy(&renderer->lamps[n]);
    }
    brume_skylight_destroy(&renderer->sky);
    free(renderer);
}

// what a look needs beyond what is held; `suns` and `lamps` have memory where they replace what is there
typedef struct Addition {
    BrumeSweep suns[BRUME_MAX_LIGHTS];
    BrumePointLight lamps[BRUME_MAX_LIGHTS];
    BrumeField turned;
    float *kinds;
} Addition;

static bool goes_along_x(const BrumeLight *light)
{
    return light->kind == BRUME_LIGHT_DIRECTIONAL && brume_sweep_axis(light->direction) == 0;
}

static BrumeStatus take_light(Addition *addition, const BrumeRenderer *renderer, const BrumeLight *light, int n,
                              BrumeError *error)
{
    const BrumeGrid grid = renderer->capacity;
    if (light->kind == BRUME_LIGHT_POINT) {
        const bool held = renderer->lamps[n].memory != NULL;
        return held ? BRUME_OK : brume_lamp_create(&addition->lamps[n], grid, error);
    }
    const size_t entries = brume_sweep_entries(light->direction, grid);
    if (entries > renderer->suns[n].entries) {
        addition->suns[n].entries = entries;
        addition->suns[n].left = brume_alloc_untouched(entries, sizeof(float));
        if (addition->suns[n].left == NULL) {
            return brume_fail(error, BRUME_FAILED, "out of memory for a light");
        }
    }
    if (goes_along_x(light) && renderer->turned.data == NULL && addition->turned.data == NULL) {
        return brume_field_create(&addition->turned, grid, error);
    }
    return BRUME_OK;
}

// puts additions in their places, and gives back what lights that are no more held
static void keep(BrumeRenderer *renderer, Addition *addition, const BrumeRenderSettings *look)
{
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        const bool lit = n < look->light_count;
        const bool is_lamp = lit && look->lights[n].kind == BRUME_LIGHT_POINT;
        const bool is_sun = lit && look->lights[n].kind == BRUME_LIGHT_DIRECTIONAL;
        if (!is_sun || addition->suns[n].left != NULL) {
            brume_free(renderer->suns[n].left);
            renderer->suns[n] = addition->suns[n];
        }
        if (!is_lamp || addition->lamps[n].memory != NULL) {
            brume_lamp_destroy(&renderer->lamps[n]);
            renderer->lamps[n] = addition->lamps[n];
        }
    }
    if (addition->turned.data != NULL) {
        renderer->turned = addition->turned;
    }
    if (addition->kinds != NULL) {
        renderer->smoke.kinds = addition->kinds;
    }
    *addition = (Addition){0};
}

BrumeStatus brume_renderer_set_settings(BrumeRenderer *renderer, const BrumeRenderSettings *look, BrumeError *error)
{
    assert(look->step > 0.0f);
    assert(look->light_count <= BRUME_MAX_LIGHTS && look->surface_count <= BRUME_MAX_SURFACES);
    BrumeRenderSettings wanted = *look;
    for (int n = 0; n < look->light_count; n++) {
        assert(look->lights[n].kind == BRUME_LIGHT_POINT || brume_length(look->lights[n].direction) > 0.0f);
        wanted.lights[n].direction = brume_normalize(look->lights[n].direction);
    }

    BrumeStatus status = BRUME_OK;
    Addition addition = {0};
    if (!one_albedo(&wanted) && renderer->smoke.kinds == NULL) {
        addition.kinds =
            brume_alloc_untouched(brume_grid_entries(renderer->capacity), BRUME_VOLUME_KINDS * sizeof(float));
        if (addition.kinds == NULL) {
            status = brume_fail(error, BRUME_FAILED, "out of memory for the smoke to draw");
            goto cleanup;
        }
    }
    for (int n = 0; n < wanted.light_count; n++) {
        status = take_light(&addition, renderer, &wanted.lights[n], n, error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
    }
    keep(renderer, &addition, &wanted);
    renderer->look = wanted;
    brume_skylight_set_look(&renderer->sky, &wanted);
cleanup:
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        brume_free(addition.suns[n].left);
        brume_lamp_destroy(&addition.lamps[n]);
    }
    brume_field_destroy(&addition.turned);
    brume_free(addition.kinds);
    return status;
}

size_t brume_renderer_bytes(const BrumeRenderer *renderer)
{
    // kinds' pages that are never touched are not held
    const size_t padded = brume_grid_entries(renderer->capacity);
    size_t floats = padded + brume_grid_cells(macro_grid(renderer->capacity));
    floats += renderer->smoke.mixed ? BRUME_VOLUME_KINDS * padded : 0;
    floats += renderer->turned.data != NULL ? padded : 0;
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        floats += renderer->suns[n].entries + renderer->lamps[n].entries;
    }
    return sizeof *renderer + renderer->sky_bytes + floats * sizeof(float);
}

void brume_renderer_load(BrumeRenderer *renderer, const BrumeVolume *volume)
{
    assert(volume->nx > 0 && volume->nx <= renderer->capacity.nx);
    assert(volume->ny > 0 && volume->ny <= renderer->capacity.ny);
    assert(volume->nz > 0 && volume->nz <= renderer->capacity.nz);
    assert(volume->dx > 0.0f);
    brume_load_smoke(&renderer->smoke, &renderer->look, volume);
}

void brume_renderer_light(BrumeRenderer *renderer)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    const BrumeRenderSettings *look = &renderer->look;
    assert(smoke->grid.nx > 0);
    bool along_x = false;
    for (int n = 0; n < look->light_count; n++) {
        along_x |= goes_along_x(&look->lights[n]);
    }
    if (along_x) {
        brume_turn_field(&renderer->turned, &smoke->extinction);
    }
    for (int n = 0; n < look->light_count; n++) {
        const BrumeLight *light = &look->lights[n];
        if (brume_light_hidden(look, light)) {
            continue;
        }
        if (light->kind == BRUME_LIGHT_POINT) {
            const BrumeVec3 from_corner = brume_sub(light->position, smoke->origin);
            brume_lamp_fill(&renderer->lamps[n], smoke, look, brume_scale(from_corner, 1.0f / smoke->dx));
            continue;
        }
        BrumeSweep *sweep = &renderer->suns[n];
        brume_sweep_fill(sweep, light->direction, &smoke->extinction, &renderer->turned, 1.0f / BRUME_DEEPEST);
        brume_sweep_solids(sweep, light->direction, look, smoke->origin, smoke->dx);
    }
    brume_skylight_fill(&renderer->sky, smoke, look);
}
