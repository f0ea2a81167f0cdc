#include "raymarch/path/denoise_guides.h"

#include "core/color.h"
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/tiles.h"

#include <math.h>

typedef struct Guides {
    BrumeDenoiseImage *image;
    const BrumeLitMedium *lit;
    const BrumePictureRays *rays;
    const BrumeDrawDef *def;
    int samples;
    bool transparent;
} Guides;

static double fractional_part(double x) { return x - floor(x); }

// draws the guides of a pixel: features and base, from rays that are placed as in brume_renderer_draw
static void draw_guides(void *context, int x, int y)
{
    const Guides *guides = context;
    const BrumeLitMedium *lit = guides->lit;
    const BrumeDrawDef *def = guides->def;
    BrumeDenoiseImage *image = guides->image;
    const double hashed = brume_unit_float(brume_hash3((uint32_t)x, (uint32_t)y, def->seed));
    const double middle = 0.5 * (guides->samples - 1);
    const float step = def->step > 0.0f ? def->step : lit->settings.step;
    BrumeVec3 radiance = {0};
    BrumeVec3 surface = {0};
    float transmittance = 0.0f;
    float alpha = 0.0f;
    for (int n = 0; n < guides->samples; n++) {
        const double across = (n + 0.5) / guides->samples;
        const double down = fractional_part(0.5 + (n - middle) * 0.61803398874989485);
        const float jitter = brume_min((float)fractional_part(hashed + n * 0.75487766624669276), 0x1.fffffep-1f);
        BrumePathSampler sampler = brume_path_sampler((uint32_t)x, (uint32_t)y, def->seed, (uint32_t)n);
        const BrumeRay ray = brume_picture_sample(guides->rays, (float)(x + across), (float)(y + down), &sampler);
        const BrumeMarchSteps steps = {step, jitter, sampler.time};
        const BrumeSurfaceHit hit = brume_visible_surface(lit, &ray, sampler.time);
        const BrumeMarchResult march = brume_march(lit, &ray, hit.distance, steps);
        BrumeRayParts parts = {0};
        const BrumeVec3 behind = brume_scale(
            brume_surface_parts(lit, &ray, hit, jitter, guides->transparent, NULL, guides->transparent ? &parts : NULL),
            march.transmittance);
        surface = brume_add(surface, behind);
        radiance = brume_add(radiance, brume_add(march.radiance, behind));
        transmittance += march.transmittance;
        alpha += 1.0f - march.transmittance * (1.0f - parts.alpha);
    }
    const size_t pixel = (size_t)(y - image->top) * (size_t)image->width + (size_t)(x - image->left);
    const float weight = 1.0f / (float)guides->samples;
    image->base[0][pixel] = weight * radiance.x;
    image->base[1][pixel] = weight * radiance.y;
    image->base[2][pixel] = weight * radiance.z;
    if (guides->transparent) {
        image->base[3][pixel] = brume_clamp(weight * alpha, 0.0f, 1.0f);
    }
    image->feature[0][pixel] = weight * brume_luminance(radiance);
    image->feature[1][pixel] = weight * transmittance;
    image->feature[2][pixel] = weight * brume_luminance(surface);
    const BrumeRay center = brume_picture_ray(guides->rays, (float)x + 0.5f, (float)y + 0.5f);
    image->surface[pixel] = (float)brume_visible_surface(lit, &center, 0.0f).surface;
}

BrumeStatus brume_draw_denoise_guides(BrumeDenoiseImage *image, const BrumeLitMedium *lit, const BrumePictureRays *rays,
                                      const BrumeDrawDef *def, int samples, bool transparent, BrumeError *error)
{
    Guides guides = {image, lit, rays, def, samples, transparent};
    const BrumeTiles tiles = {.pixels = {.left = image->left,
                                         .top = image->top,
                                         .right = image->left + image->width,
                                         .bottom = image->top + image->height},
                              .share_before = 1.0};
    BrumeDrawDef whole = *def;
    whole.partial_wanted = NULL;
    return brume_draw_tiles(&tiles, &whole, draw_guides, &guides, error);
}
