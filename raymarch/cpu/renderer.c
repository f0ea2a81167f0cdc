#include "raymarch/renderer.h"

#include "core/memory.h"
#include "core/random.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/scatter.h"

#include <assert.h>
#include <stdlib.h>

static bool one_albedo(const BrumeLook *look)
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

static void *take(BrumeRenderer *renderer, size_t count, size_t size)
{
    renderer->bytes += count * size;
    return brume_alloc_untouched(count, size);
}

static BrumeStatus take_smoke(BrumeRenderer *renderer, BrumeError *error)
{
    const BrumeGrid grid = renderer->capacity;
    const size_t padded = brume_grid_entries(grid);
    BrumeSmoke *smoke = &renderer->smoke;
    if (brume_field_create(&smoke->extinction, grid, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    renderer->bytes += padded * sizeof(float);
    smoke->macro_max = take(
        renderer,
        brume_grid_cells((BrumeGrid){grid.nx / BRUME_MACRO + 1, grid.ny / BRUME_MACRO + 1, grid.nz / BRUME_MACRO + 1}),
        sizeof(float));
    if (!one_albedo(&renderer->look)) {
        smoke->kinds = brume_alloc_untouched(padded, BRUME_VOLUME_KINDS * sizeof(float));
    }
    if (smoke->macro_max == NULL || (smoke->kinds == NULL && !one_albedo(&renderer->look))) {
        return brume_fail(error, BRUME_FAILED, "out of memory for the smoke to draw");
    }
    return BRUME_OK;
}

static BrumeStatus take_lights(BrumeRenderer *renderer, BrumeError *error)
{
    const BrumeGrid grid = renderer->capacity;
    for (int n = 0; n < renderer->look.light_count; n++) {
        const BrumeLight *light = &renderer->look.lights[n];
        if (light->kind == BRUME_LIGHT_POINT) {
            if (brume_lamp_create(&renderer->lamps[n], grid, &renderer->bytes, error) != BRUME_OK) {
                return BRUME_FAILED;
            }
            continue;
        }
        BrumeSweep *sweep = &renderer->suns[n];
        sweep->entries = brume_sweep_entries(light->direction, grid);
        sweep->left = take(renderer, sweep->entries, sizeof(float));
        if (sweep->left == NULL) {
            return brume_fail(error, BRUME_FAILED, "out of memory for a light");
        }
        if (brume_sweep_axis(light->direction) == 0 && renderer->turned.data == NULL) {
            if (brume_field_create(&renderer->turned, grid, error) != BRUME_OK) {
                return BRUME_FAILED;
            }
            renderer->bytes += brume_grid_entries(grid) * sizeof(float);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz, const BrumeLook *look,
                                  BrumeError *error)
{
    assert(nx > 0 && ny > 0 && nz > 0 && look->step > 0.0f);
    assert(look->light_count <= BRUME_MAX_LIGHTS && look->surface_count <= BRUME_MAX_SURFACES);
    *renderer = NULL;
    BrumeRenderer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for a renderer");
    }
    made->bytes = sizeof *made;
    made->look = *look;
    made->capacity = (BrumeGrid){nx, ny, nz};
    made->skip_empty = true;
    for (int n = 0; n < look->light_count; n++) {
        assert(look->lights[n].kind == BRUME_LIGHT_POINT || brume_length(look->lights[n].direction) > 0.0f);
        made->look.lights[n].direction = brume_normalize(look->lights[n].direction);
    }

    BrumeStatus status = take_smoke(made, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = take_lights(made, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_skylight_create(&made->sky, made->capacity, &made->look, &made->bytes, error);
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

size_t brume_renderer_bytes(const BrumeRenderer *renderer)
{
    // pages that are never touched are not held
    const size_t kinds = brume_grid_entries(renderer->capacity) * BRUME_VOLUME_KINDS * sizeof(float);
    return renderer->bytes + (renderer->smoke.mixed ? kinds : 0);
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
    const BrumeLook *look = &renderer->look;
    assert(smoke->grid.nx > 0);
    if (renderer->turned.data != NULL) {
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

BrumeVec3 brume_see(const BrumeRenderer *renderer, const BrumeRay *ray, float jitter)
{
    const BrumeBackdrop backdrop = brume_backdrop(&renderer->look, ray);
    const BrumeMarch march = brume_march(renderer, ray, backdrop.distance, jitter);
    const BrumeVec3 behind = brume_backdrop_radiance(renderer, ray, backdrop);
    return brume_add(march.radiance, brume_scale(behind, march.transmittance));
}

static double fraction(double x) { return x - floor(x); }

// A pixel's samples lie on a lattice of the golden ratio, evenly spread and with their mean in the pixel's middle, the
// same in every pixel so that edges come out even. The march's jitter follows another irrational from a hashed start.
static BrumeVec3 draw_pixel(const BrumeRenderer *renderer, const BrumeView *view, const BrumeDrawDef *def, int x, int y)
{
    const double hashed = brume_unit_float(brume_hash3((uint32_t)x, (uint32_t)y, def->seed));
    const double middle = 0.5 * (def->samples - 1);
    BrumeVec3 sum = {0};
    for (int n = 0; n < def->samples; n++) {
        const double across = (n + 0.5) / def->samples;
        const double down = fraction(0.5 + (n - middle) * 0.61803398874989485);
        const float jitter = (float)fraction(hashed + n * 0.75487766624669276);
        const BrumeRay ray = brume_view_ray(view, (float)(x + across), (float)(y + down));
        sum = brume_add(sum, brume_see(renderer, &ray, brume_min(jitter, 0x1.fffffep-1f)));
    }
    return brume_scale(sum, 1.0f / (float)def->samples);
}

void brume_renderer_draw(BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def, float *radiance)
{
    enum { TILE = 16 };
    assert(def->width > 0 && def->height > 0 && def->samples > 0);
    const BrumeView view = brume_view(camera, def->width, def->height);
    const int across = (def->width + TILE - 1) / TILE;
    const int down = (def->height + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < across * down; tile++) {
        const int x0 = tile % across * TILE;
        const int y0 = tile / across * TILE;
        for (int y = y0; y < y0 + TILE && y < def->height; y++) {
            for (int x = x0; x < x0 + TILE && x < def->width; x++) {
                const BrumeVec3 color = draw_pixel(renderer, &view, def, x, y);
                float *pixel = radiance + 3 * ((size_t)y * (size_t)def->width + (size_t)x);
                pixel[0] = color.x;
                pixel[1] = color.y;
                pixel[2] = color.z;
            }
        }
    }
}
