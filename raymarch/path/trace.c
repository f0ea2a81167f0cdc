// Passes of paths through all pixels: 4, then as many as there are, so that the number doubles with each. After each
// pass the error is estimated from the scatter of the paths of each pixel.
#include "brume/renderer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/path/light_path.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tiles.h"

#include <math.h>

enum { FIRST_PASS = 4 };

// the paths of a pixel so far; sums are in the order of the paths, whatever the passes
typedef struct PixelSum {
    double radiance[3];
    double squares; // of the mean of the three colors
    int paths;
} PixelSum;

typedef struct Pass {
    BrumePathScene scene;
    BrumePictureRays rays;
    const BrumeDrawDef *def;
    int end; // index after the last path
    PixelSum *pixels;
} Pass;

static void trace_pixel(void *context, int x, int y)
{
    const Pass *pass = context;
    PixelSum *pixel = &pass->pixels[(size_t)y * (size_t)pass->def->width + (size_t)x];
    for (; pixel->paths < pass->end; pixel->paths++) {
        BrumePathSampler sampler =
            brume_path_sampler((uint32_t)x, (uint32_t)y, pass->def->seed, (uint32_t)pixel->paths);
        const BrumePair place = brume_path_pair(&sampler);
        const BrumeRay ray = brume_picture_sample(&pass->rays, (float)x + place.u, (float)y + place.v, &sampler);
        const BrumeVec3 radiance = brume_path_radiance(&pass->scene, &ray, &sampler);
        const double mean = ((double)radiance.x + radiance.y + radiance.z) / 3.0;
        pixel->radiance[0] += radiance.x;
        pixel->radiance[1] += radiance.y;
        pixel->radiance[2] += radiance.z;
        pixel->squares += mean * mean;
    }
}

// Estimated root mean square error of the picture over its mean. The points of a pixel are spread more evenly than
// independent ones, so the true error is smaller.
static double relative_error(const PixelSum *pixels, size_t count)
{
    double variance = 0.0;
    double total = 0.0;
    for (size_t n = 0; n < count; n++) {
        const double paths = pixels[n].paths;
        const double mean = (pixels[n].radiance[0] + pixels[n].radiance[1] + pixels[n].radiance[2]) / (3.0 * paths);
        total += mean;
        if (paths > 1.0) {
            variance += brume_fmax(pixels[n].squares / paths - mean * mean, 0.0) / (paths - 1.0);
        }
    }
    return total > 0.0 ? sqrt(variance / (double)count) / (total / (double)count) : 0.0;
}

BrumeTraceDef brume_default_trace_def(void) { return (BrumeTraceDef){.bounces = 1000}; }

size_t brume_trace_bytes(int width, int height) { return (size_t)width * (size_t)height * sizeof(PixelSum); }

BrumeStatus brume_renderer_trace(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                                 const BrumeTraceDef *trace, float *radiance, BrumeTraceResult *result,
                                 BrumeError *error)
{
    if (renderer->lit.state == BRUME_LIT_EMPTY || def->width < 1 || def->height < 1 || def->samples < 1 ||
        trace->bounces < 0 || !(trace->noise >= 0.0f)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a picture to trace needs a loaded volume, a size and samples of at least 1, and bounces and "
                          "noise of at least 0");
    }
    const size_t count = (size_t)def->width * (size_t)def->height;
    PixelSum *pixels = brume_alloc(count, sizeof *pixels);
    if (pixels == NULL) {
        return brume_out_of_memory(error, "the paths of a picture");
    }
    BrumeSkyDistribution sky;
    BrumeStatus status = brume_sky_distribution_create(&sky, &renderer->lit.settings, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    Pass pass = {
        .scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, trace->bounces),
        .rays = brume_exposed_rays(camera, def, renderer->lit.settings.shutter),
        .def = def,
        .pixels = pixels,
    };
    *result = (BrumeTraceResult){0};
    bool done = false;
    while (!done && status == BRUME_OK) {
        const int begin = result->samples;
        const int next = begin > 0 ? 2 * begin : FIRST_PASS;
        pass.end = next < def->samples && next > 0 ? next : def->samples;
        const BrumeTiles tiles = {
            .right = def->width,
            .height = def->height,
            .before = (double)begin / def->samples,
            .share = (double)(pass.end - begin) / def->samples,
        };
        status = brume_draw_tiles(&tiles, def, trace_pixel, &pass);
        if (status == BRUME_OK) {
            result->samples = pass.end;
            result->error = relative_error(pixels, count);
            done = pass.end == def->samples || (pass.end > 1 && result->error <= (double)trace->noise);
        }
    }
    for (size_t n = 0; n < count; n++) {
        const double weight = pixels[n].paths > 0 ? 1.0 / pixels[n].paths : 0.0;
        for (int c = 0; c < 3; c++) {
            radiance[3 * n + (size_t)c] = (float)(pixels[n].radiance[c] * weight);
        }
    }
    if (status == BRUME_OK && def->progress != NULL) {
        (void)def->progress(def->context, 1.0);
    }
cleanup:
    brume_sky_distribution_destroy(&sky);
    brume_free(pixels);
    return status;
}
