// Passes of paths through all pixels: 4, then as many as there are, so that the number doubles with each. After each
// pass the error is estimated from the scatter of the paths of each pixel.
#include "brume/renderer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/cpu/motion_vectors.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/path/denoise.h"
#include "raymarch/path/denoise_guides.h"
#include "raymarch/path/light_path.h"
#include "raymarch/path/trace.h"
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

// the sums of a pixel's layers: alpha, transmittance, sky, emission, and each light
enum {
    SUM_OF_ALPHA,
    SUM_OF_TRANSMITTANCE,
    SUM_OF_SKY,
    SUM_OF_EMISSION = SUM_OF_SKY + 3,
    SUM_OF_LIGHTS = SUM_OF_EMISSION + 3
};

typedef struct Pass {
    BrumePathScene scene;
    const BrumeLitMedium *lit;
    BrumePictureRays rays;
    const BrumeDrawDef *def;
    BrumePictureCrop drawn; // the pixels of the result
    BrumePictureCrop paths; // the traced pixels: with `denoise` some around the crop, too
    int end;                // index after the last path
    PixelSum *pixels;
    float *radiance;        // of the caller
    double *layers;         // sums of each pixel, layer_sums(lights) of them; NULL without layers
    BrumeMotionView motion; // with that layer
} Pass;

static size_t layer_sums(int lights) { return SUM_OF_LIGHTS + 3 * (size_t)lights; }

// the index of a pixel among the pixels that are traced
static size_t sum_index(const BrumePictureCrop *paths, int x, int y)
{
    return (size_t)(y - paths->top) * (size_t)(paths->right - paths->left) + (size_t)(x - paths->left);
}

static void add_color(double sum[3], BrumeVec3 color)
{
    sum[0] += color.x;
    sum[1] += color.y;
    sum[2] += color.z;
}

static void add_layers(const Pass *pass, size_t pixel, const BrumeRay *ray, float time, const BrumeRayParts *parts)
{
    const int lights = pass->scene.settings->light_count;
    double *sums = pass->layers + pixel * layer_sums(lights);
    if (pass->def->layers->transmittance != NULL) {
        const BrumeSurfaceHit hit = brume_visible_surface(pass->lit, ray, time);
        sums[SUM_OF_TRANSMITTANCE] += brume_march_transmittance(pass->lit, ray, hit.distance);
    }
    sums[SUM_OF_ALPHA] += parts->alpha;
    add_color(sums + SUM_OF_SKY, parts->sky);
    add_color(sums + SUM_OF_EMISSION, parts->emission);
    for (int n = 0; n < lights; n++) {
        add_color(sums + SUM_OF_LIGHTS + 3 * n, parts->lights[n]);
    }
}

// the shadow on the ground at the end of a camera ray, where `received` estimates its irradiance / pi
static float shadow_estimate(const BrumeLitMedium *lit, const BrumeRay *ray, float time, BrumeVec3 received)
{
    const BrumeSurfaceHit hit = brume_visible_surface(lit, ray, time);
    BrumeVec3 point = brume_ray_at(ray, hit.distance);
    point.y = lit->settings.ground_height;
    const BrumeVec3 normal = brume_vec3(0.0f, ray->direction.y < 0.0f ? 1.0f : -1.0f, 0.0f);
    return brume_ground_shadow(lit, point, normal, received);
}

// the radiance of one path; sets `parts` for a picture with layers
static BrumeVec3 path_radiance(const Pass *pass, const BrumeRay *ray, BrumePathSampler *sampler, BrumeRayParts *parts)
{
    const bool transparent = pass->layers != NULL && pass->def->layers->alpha != NULL;
    BrumeFirstVertex first;
    const BrumeVec3 radiance =
        brume_path_parts(&pass->scene, ray, sampler, transparent ? &first : NULL, pass->layers != NULL ? parts : NULL);
    if (!transparent) {
        return radiance;
    }
    if (!first.catches) {
        parts->alpha = first.alpha;
        return radiance;
    }
    *parts = (BrumeRayParts){.alpha = first.alpha * shadow_estimate(pass->lit, ray, sampler->time, radiance)};
    return brume_vec3(0.0f, 0.0f, 0.0f);
}

static void trace_pixel(void *context, int x, int y)
{
    const Pass *pass = context;
    const size_t index = sum_index(&pass->paths, x, y);
    PixelSum *pixel = &pass->pixels[index];
    for (; pixel->paths < pass->end; pixel->paths++) {
        BrumePathSampler sampler =
            brume_path_sampler((uint32_t)x, (uint32_t)y, pass->def->seed, (uint32_t)pixel->paths);
        const BrumePair place = brume_path_pair(&sampler);
        const BrumeRay ray = brume_picture_sample(&pass->rays, (float)x + place.u, (float)y + place.v, &sampler);
        BrumeRayParts parts = {0};
        const BrumeVec3 radiance = path_radiance(pass, &ray, &sampler, &parts);
        if (pass->layers != NULL) {
            add_layers(pass, index, &ray, sampler.time, &parts);
        }
        const double mean = ((double)radiance.x + radiance.y + radiance.z) / 3.0;
        pixel->radiance[0] += radiance.x;
        pixel->radiance[1] += radiance.y;
        pixel->radiance[2] += radiance.z;
        pixel->squares += mean * mean;
    }
}

static double mean_radiance(const PixelSum *pixel)
{
    return (pixel->radiance[0] + pixel->radiance[1] + pixel->radiance[2]) / (3.0 * pixel->paths);
}

// the variance of the mean of the paths, as if they were independent
static double variance_of(const PixelSum *pixel)
{
    const double paths = pixel->paths;
    const double mean = mean_radiance(pixel);
    return paths > 1.0 ? brume_fmax(pixel->squares / paths - mean * mean, 0.0) / (paths - 1.0) : 0.0;
}

// Estimated root mean square error of the picture over its mean. The points of a pixel are spread more evenly than
// independent ones, so the true error is smaller.
static double relative_error(const Pass *pass)
{
    const BrumePictureCrop *drawn = &pass->drawn;
    const size_t count = (size_t)(drawn->right - drawn->left) * (size_t)(drawn->bottom - drawn->top);
    double variance = 0.0;
    double total = 0.0;
    for (int y = drawn->top; y < drawn->bottom; y++) {
        for (int x = drawn->left; x < drawn->right; x++) {
            const PixelSum *pixel = &pass->pixels[sum_index(&pass->paths, x, y)];
            total += mean_radiance(pixel);
            variance += variance_of(pixel);
        }
    }
    return total > 0.0 ? sqrt(variance / (double)count) / (total / (double)count) : 0.0;
}

static void store_color(float *plane, size_t pixel, const double sum[3], double weight)
{
    for (size_t c = 0; c < 3 && plane != NULL; c++) {
        plane[3 * pixel + c] = (float)(sum[c] * weight);
    }
}

// stores the means of the paths so far
static void store_picture(void *context)
{
    const Pass *pass = context;
    const BrumePictureCrop *drawn = &pass->drawn;
    const BrumePictureLayers *layers = pass->def->layers;
    const int width = drawn->right - drawn->left;
    const int lights = pass->scene.settings->light_count;
#pragma omp parallel for schedule(static)
    for (int y = drawn->top; y < drawn->bottom; y++) {
        for (int x = drawn->left; x < drawn->right; x++) {
            const size_t pixel = (size_t)(y - drawn->top) * (size_t)width + (size_t)(x - drawn->left);
            const size_t index = sum_index(&pass->paths, x, y);
            const PixelSum *sum = &pass->pixels[index];
            const double weight = sum->paths > 0 ? 1.0 / sum->paths : 0.0;
            store_color(pass->radiance, pixel, sum->radiance, weight);
            if (layers == NULL) {
                continue;
            }
            const double *sums = pass->layers + index * layer_sums(lights);
            store_color(layers->noisy, pixel, sum->radiance, weight);
            if (layers->alpha != NULL) { // noise may exceed the range
                layers->alpha[pixel] = brume_clamp((float)(sums[SUM_OF_ALPHA] * weight), 0.0f, 1.0f);
            }
            if (layers->transmittance != NULL) {
                layers->transmittance[pixel] = (float)(sums[SUM_OF_TRANSMITTANCE] * weight);
            }
            if (layers->depth != NULL) {
                const BrumeRay center = brume_picture_ray(&pass->rays, (float)x + 0.5f, (float)y + 0.5f);
                layers->depth[pixel] = brume_ray_depth(pass->lit, &center);
            }
            if (layers->motion != NULL) {
                brume_motion_vector(&pass->motion, x, y, layers->motion + 2 * pixel);
            }
            store_color(layers->sky, pixel, sums + SUM_OF_SKY, weight);
            store_color(layers->emission, pixel, sums + SUM_OF_EMISSION, weight);
            for (int n = 0; n < lights; n++) {
                store_color(layers->lights[n], pixel, sums + SUM_OF_LIGHTS + 3 * n, weight);
            }
        }
    }
}

// the pixels for which paths are traced: with `denoise`, also those around the drawn ones within its windows
static BrumePictureCrop traced_pixels(const BrumeDrawDef *def, const BrumePictureCrop *drawn, bool denoise)
{
    const int reach = denoise ? BRUME_DENOISE_REACH : 0;
    return (BrumePictureCrop){.left = brume_max_int(drawn->left - reach, 0),
                              .top = brume_max_int(drawn->top - reach, 0),
                              .right = brume_min_int(drawn->right + reach, def->width),
                              .bottom = brume_min_int(drawn->bottom + reach, def->height)};
}

// Number of rays through each pixel of the guides. The result has their noise where the noise of the paths is larger;
// places on a lens and times have more noise than points in the pixel.
static int guide_samples(const BrumeLitMedium *lit, const BrumeCamera *camera, int paths)
{
    enum { LEAST = 4, SHARP = 16, BLURRED = 32 };
    const bool blurred = camera->lens_radius > 0.0f || lit->settings.shutter > 0.0f;
    return blurred ? BLURRED : brume_min_int(brume_max_int(paths / 2, LEAST), SHARP);
}

// The variance of few paths is often far below the true one; of one path it is unknown.
static double variance_upper_estimate(const PixelSum *sum)
{
    const double paths = sum->paths;
    const double mean = mean_radiance(sum);
    return paths > 1.0 ? variance_of(sum) * (paths + 3.0) / (paths - 1.0) : mean * mean;
}

static void fill_denoise_image(const Pass *pass, const BrumeDenoiseImage *image)
{
    const BrumePictureCrop *paths = &pass->paths;
    const size_t sums_of_layers = layer_sums(pass->scene.settings->light_count);
#pragma omp parallel for schedule(static)
    for (int y = paths->top; y < paths->bottom; y++) {
        for (int x = paths->left; x < paths->right; x++) {
            const size_t pixel = sum_index(paths, x, y);
            const PixelSum *sum = &pass->pixels[pixel];
            for (int c = 0; c < 3; c++) {
                image->picture[c][pixel] = (float)(sum->radiance[c] / sum->paths);
            }
            image->variance[0][pixel] = (float)variance_upper_estimate(sum);
            if (image->channels > 3 && pass->layers != NULL) { // the alpha of most paths is 0 or 1
                const double alpha = pass->layers[pixel * sums_of_layers + SUM_OF_ALPHA] / sum->paths;
                image->picture[3][pixel] = (float)alpha;
                image->variance[1][pixel] = (float)(brume_fmax(alpha * (1.0 - alpha), 0.0) / sum->paths);
            }
        }
    }
}

// copies the denoised radiance and alpha to the result
static void store_denoised(const Pass *pass, const BrumeDenoiseImage *image)
{
    const BrumePictureCrop *drawn = &pass->drawn;
#pragma omp parallel for schedule(static)
    for (int y = drawn->top; y < drawn->bottom; y++) {
        for (int x = drawn->left; x < drawn->right; x++) {
            const size_t pixel = sum_index(drawn, x, y);
            const size_t index = sum_index(&pass->paths, x, y);
            for (size_t c = 0; c < 3; c++) {
                pass->radiance[3 * pixel + c] = image->picture[c][index];
            }
            if (image->channels > 3) {
                pass->def->layers->alpha[pixel] = brume_clamp(image->picture[3][index], 0.0f, 1.0f);
            }
        }
    }
}

static BrumeStatus denoise(const Pass *pass, const BrumeCamera *camera, BrumeError *error)
{
    const BrumePictureCrop *paths = &pass->paths;
    const bool transparent = pass->layers != NULL && pass->def->layers->alpha != NULL;
    BrumeDenoiseImage image;
    BrumeStatus status = brume_denoise_image_create(&image, paths->right - paths->left, paths->bottom - paths->top,
                                                    transparent ? 4 : 3, error);
    if (status == BRUME_OK) {
        image.left = paths->left;
        image.top = paths->top;
        fill_denoise_image(pass, &image);
        status = brume_draw_denoise_guides(&image, pass->lit, &pass->rays, pass->def,
                                           guide_samples(pass->lit, camera, pass->end), transparent, error);
    }
    if (status == BRUME_OK) {
        status = brume_denoise(&image, error);
    }
    if (status == BRUME_OK) {
        store_denoised(pass, &image);
    }
    brume_denoise_image_destroy(&image);
    return status;
}

BrumeTraceDef brume_default_trace_def(void) { return (BrumeTraceDef){.bounces = 1000}; }

size_t brume_trace_bytes(int width, int height) { return (size_t)width * (size_t)height * sizeof(PixelSum); }

size_t brume_trace_denoise_bytes(int width, int height, bool alpha)
{
    enum { AROUND = 2 * BRUME_DENOISE_REACH };
    const size_t sums = brume_trace_bytes(width + AROUND, height + AROUND) - brume_trace_bytes(width, height);
    return sums + brume_denoise_bytes(width + AROUND, height + AROUND, alpha ? 4 : 3);
}

size_t brume_trace_layer_bytes(int width, int height, int lights)
{
    return (size_t)width * (size_t)height * layer_sums(lights) * sizeof(double);
}

BrumeStatus brume_renderer_trace(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                                 const BrumeTraceDef *trace, float *radiance, BrumeTraceResult *result,
                                 BrumeError *error)
{
    BrumePictureCrop drawn;
    if (renderer->lit.state == BRUME_LIT_EMPTY || def->width < 1 || def->height < 1 || def->samples < 1 ||
        trace->bounces < 0 || !(trace->noise >= 0.0f) || !brume_drawn_pixels(def, &drawn)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a picture to trace needs a loaded volume, a size and samples of at least 1, a crop within "
                          "the picture, and bounces and noise of at least 0");
    }
    if (trace->denoise && renderer->lit.state != BRUME_LIT_READY) {
        return brume_fail(error, BRUME_BAD_INPUT, "a picture to denoise needs the light of its volume");
    }
    const BrumePictureCrop paths = traced_pixels(def, &drawn, trace->denoise);
    const size_t count = (size_t)(paths.right - paths.left) * (size_t)(paths.bottom - paths.top);
    PixelSum *pixels = brume_alloc(count, sizeof *pixels);
    double *layers = def->layers != NULL
                         ? brume_alloc(count * layer_sums(renderer->lit.settings.light_count), sizeof *layers)
                         : NULL;
    if (pixels == NULL || (def->layers != NULL && layers == NULL)) {
        brume_free(pixels);
        brume_free(layers);
        return brume_out_of_memory(error, "the paths of a picture");
    }
    BrumeSkyDistribution sky;
    BrumeStatus status = brume_sky_distribution_create(&sky, &renderer->lit.settings, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    Pass pass = {
        .scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, trace->bounces),
        .lit = &renderer->lit,
        .rays = brume_exposed_rays(camera, def, renderer->lit.settings.shutter),
        .def = def,
        .drawn = drawn,
        .paths = paths,
        .pixels = pixels,
        .radiance = radiance,
        .layers = layers,
    };
    pass.scene.shading = brume_lit_medium_shading(&renderer->lit);
    if (def->layers != NULL && def->layers->motion != NULL) {
        pass.motion = brume_motion_view(&renderer->lit, camera, def);
    }
    *result = (BrumeTraceResult){0};
    bool done = false;
    while (!done && status == BRUME_OK) {
        const int begin = result->samples;
        const int next = begin > 0 ? 2 * begin : FIRST_PASS;
        pass.end = next < def->samples && next > 0 ? next : def->samples;
        const BrumeTiles tiles = {
            .pixels = paths,
            .share_before = (double)begin / def->samples,
            .share = (double)(pass.end - begin) / def->samples,
            .before_partial = store_picture,
        };
        status = brume_draw_tiles(&tiles, def, trace_pixel, &pass, error);
        if (status == BRUME_OK) {
            result->samples = pass.end;
            result->error = relative_error(&pass);
            if (trace->pass != NULL) {
                trace->pass(def->context, result);
            }
            done = pass.end == def->samples || (pass.end > 1 && result->error <= (double)trace->noise);
        }
    }
    store_picture(&pass);
    if (status == BRUME_OK && trace->denoise) {
        status = denoise(&pass, camera, error);
    }
    if (status == BRUME_OK) {
        status = brume_renderer_draw_particles(renderer, camera, def, radiance, error);
    }
    if (status == BRUME_OK && def->progress != NULL) {
        (void)def->progress(def->context, 1.0);
    }
cleanup:
    brume_sky_distribution_destroy(&sky);
    brume_free(pixels);
    brume_free(layers);
    return status;
}
