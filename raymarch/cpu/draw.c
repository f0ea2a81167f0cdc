// Pictures, pixel by pixel in tiles: all of one, or a part.
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

BrumeVec3 brume_see(const BrumeRenderer *renderer, const BrumeRay *ray, BrumeSteps steps)
{
    const BrumeBackdrop backdrop = brume_backdrop(&renderer->look, ray);
    const BrumeMarch march = brume_march(renderer, ray, backdrop.distance, steps);
    const BrumeVec3 behind = brume_backdrop_radiance(renderer, ray, backdrop);
    return brume_add(march.radiance, brume_scale(behind, march.transmittance));
}

static double fraction(double x) { return x - floor(x); }

// A pixel's samples lie on a lattice of the golden ratio, evenly spread and with their mean in the pixel's middle, the
// same in every pixel so that edges come out even. The march's jitter follows another irrational from a hashed start.
static void add_samples(const BrumeRenderer *renderer, const BrumeView *view, const BrumeDrawDef *def,
                        const BrumeDrawPart *part, int x, int y, float *pixel)
{
    const double hashed = brume_unit_float(brume_hash3((uint32_t)x, (uint32_t)y, def->seed));
    const double middle = 0.5 * (def->samples - 1);
    const float step = def->step > 0.0f ? def->step : renderer->look.step;
    BrumeVec3 sum = {pixel[0], pixel[1], pixel[2]};
    for (int n = part->first_sample; n < part->end_sample; n++) {
        const double across = (n + 0.5) / def->samples;
        const double down = fraction(0.5 + (n - middle) * 0.61803398874989485);
        const float jitter = (float)fraction(hashed + n * 0.75487766624669276);
        const BrumeRay ray = brume_view_ray(view, (float)(x + across), (float)(y + down));
        const BrumeSteps steps = {step, brume_min(jitter, 0x1.fffffep-1f)};
        sum = brume_add(sum, brume_see(renderer, &ray, steps));
    }
    pixel[0] = sum.x;
    pixel[1] = sum.y;
    pixel[2] = sum.z;
}

bool brume_renderer_draw_part(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                              const BrumeDrawPart *part, float *sum)
{
    enum { TILE = 16 };
    assert(def->width > 0 && def->height > 0 && def->samples > 0);
    assert(0 <= part->left && part->right <= def->width);
    assert(0 <= part->first_sample && part->end_sample <= def->samples);
    if (part->left >= part->right) {
        return true;
    }
    const BrumeView view = brume_view(camera, def->width, def->height);
    const int across = (part->right - part->left + TILE - 1) / TILE;
    const int down = (def->height + TILE - 1) / TILE;
    atomic_bool stopped = false;
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < across * down; tile++) {
        if (atomic_load_explicit(&stopped, memory_order_relaxed)) {
            continue;
        }
        if (part->stop != NULL && part->stop(part->context)) {
            atomic_store_explicit(&stopped, true, memory_order_relaxed);
            continue;
        }
        const int x0 = part->left + tile % across * TILE;
        const int y0 = tile / across * TILE;
        for (int y = y0; y < y0 + TILE && y < def->height; y++) {
            for (int x = x0; x < x0 + TILE && x < part->right; x++) {
                add_samples(renderer, &view, def, part, x, y, sum + 3 * ((size_t)y * (size_t)def->width + (size_t)x));
            }
        }
    }
    return !atomic_load_explicit(&stopped, memory_order_relaxed);
}

void brume_renderer_draw(BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def, float *radiance)
{
    const size_t floats = 3 * (size_t)def->width * (size_t)def->height;
    memset(radiance, 0, floats * sizeof *radiance);
    const BrumeDrawPart all = {.right = def->width, .end_sample = def->samples};
    (void)brume_renderer_draw_part(renderer, camera, def, &all, radiance);
    const float share = 1.0f / (float)def->samples;
    for (size_t n = 0; n < floats && def->samples > 1; n++) {
        radiance[n] *= share;
    }
}
