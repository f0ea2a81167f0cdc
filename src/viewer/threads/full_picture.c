#include "viewer/threads/full_picture.h"

#include "core/half.h"
#include "core/memory.h"

#include <string.h>

BrumeStatus brume_full_picture_load(BrumeFullPicture *picture, const BrumeSnapshot *snapshot,
                                    const BrumePictureLook *look, BrumeError *error)
{
    BrumeViewScratch none = {0}; // smoke needs no values, and color scales go on from the latest picture that has one
    BrumeOverlayGeometry geometry[BRUME_MAX_VARIANTS] = {0}; // without slices, arrows and isosurfaces it remains empty
    BrumeViewSettings view = look->view;
    picture->seed = snapshot->seed;
    picture->quantity = brume_view_shows_quantity(&view, snapshot);
    view.slice = false;
    if (!picture->quantity) {
        view.kind = BRUME_VIEW_SMOKE;
        // the path tracer computes light along its paths; the ray marcher draws the picture that guides the denoiser
        view.unlit = look->integrator != BRUME_INTEGRATOR_MARCH && !look->denoise;
    }
    return brume_prepare_view(&picture->prepared, picture->quantity ? &picture->scratch : &none, snapshot, &view, false,
                              geometry, error);
}

// makes the buffers large enough; false without memory
static bool reserve(BrumeFullPicture *picture, size_t pixels, size_t bytes)
{
    if (pixels > picture->capacity) {
        float **const buffers[] = {&picture->radiance, &picture->alpha, &picture->part_radiance, &picture->part_alpha};
        bool all = true;
        for (size_t n = 0; n < sizeof buffers / sizeof buffers[0]; n++) {
            brume_free(*buffers[n]);
            *buffers[n] = brume_alloc_untouched(pixels, (n % 2 == 0 ? 3 : 1) * sizeof(float));
            all = all && *buffers[n];
        }
        picture->capacity = all ? pixels : 0;
    }
    if (bytes > picture->pixel_capacity) {
        brume_free(picture->pixels);
        picture->pixels = brume_alloc_untouched(bytes, 1);
        picture->pixel_capacity = picture->pixels ? bytes : 0;
    }
    return pixels <= picture->capacity && bytes <= picture->pixel_capacity;
}

// Converts the picture to the planes R, G, B and A; without transparency A is 1.
static void convert_to_planes(BrumeFullPicture *picture, const BrumePictureLook *look, size_t pixels)
{
    const float largest_half = 65504.0f;
    for (size_t c = 0; c < 4; c++) {
        float *floats = (float *)picture->pixels + c * pixels;
        uint16_t *halves = (uint16_t *)picture->pixels + c * pixels;
#pragma omp parallel for schedule(static)
        for (size_t n = 0; n < pixels; n++) {
            const float value = c < 3 ? picture->radiance[3 * n + c] : look->transparent ? picture->alpha[n] : 1.0f;
            if (look->single) {
                floats[n] = value < 1e10f ? value : 1e10f; // as in files of `brume render`
            } else {
                halves[n] = brume_half_of_float(value < largest_half ? value : largest_half);
            }
        }
    }
}

// maps the progress of one variant to the progress of the whole picture
typedef struct PartProgress {
    bool (*progress)(void *context, double fraction);
    void *context;
    double start, share;
} PartProgress;

static bool report_part(void *context, double fraction)
{
    const PartProgress *part = context;
    return part->progress(part->context, part->start + part->share * fraction);
}

// draws the n-th side of the picture; quantities are always drawn by the ray marcher
static BrumeStatus draw_part(BrumeFullPicture *picture, int n, const BrumePictureLook *look, const BrumeDrawDef *def,
                             BrumeError *error)
{
    const BrumeRenderer *renderer = picture->prepared.variants[n].renderer;
    if (look->integrator == BRUME_INTEGRATOR_MARCH || picture->quantity) {
        return brume_renderer_draw(renderer, &look->camera, def, picture->part_radiance, error);
    }
    const BrumeTraceDef trace = {.bounces = look->bounces, .noise = look->noise, .denoise = look->denoise};
    BrumeTraceResult result;
    return brume_renderer_trace(renderer, &look->camera, def, &trace, picture->part_radiance, &result, error);
}

// copies a part of `channels` floats for each pixel to the columns from `left` on
static void copy_part(float *whole, const float *part, int left, int part_width, int width, int height, int channels)
{
    const size_t row = (size_t)part_width * (size_t)channels;
    for (int y = 0; y < height; y++) {
        memcpy(whole + ((size_t)width * (size_t)y + (size_t)left) * (size_t)channels, part + row * (size_t)y,
               row * sizeof(float));
    }
}

BrumeStatus brume_full_picture_draw(BrumeFullPicture *picture, const BrumePictureLook *look,
                                    bool (*progress)(void *context, double fraction), void *context,
                                    BrumePixelFormat *format, BrumeError *error)
{
    const size_t pixels = (size_t)look->width * (size_t)look->height;
    *format = look->linear ? (BrumePixelFormat){.planes = 4 * (look->single ? sizeof(float) : sizeof(uint16_t))}
                           : (BrumePixelFormat){.bits = look->deep ? 16 : 8, .channels = look->transparent ? 4 : 3};
    if (!reserve(picture, pixels, pixels * brume_pixel_bytes(*format))) {
        return brume_out_of_memory(error, "a picture of %d x %d", look->width, look->height);
    }
    int ends[BRUME_MAX_VARIANTS + 1];
    const int count = brume_view_columns(&picture->prepared, look->divider, look->width, ends);
    for (int n = 0; n < count; n++) {
        const int width = ends[n + 1] - ends[n];
        if (width == 0) {
            continue;
        }
        const double share = (double)width / look->width;
        PartProgress part = {progress, context, (double)ends[n] / look->width, share};
        const BrumePictureLayers layers = {.alpha = picture->part_alpha};
        const BrumeDrawDef def = {
            .width = look->width,
            .height = look->height,
            .samples = look->samples,
            .seed = picture->seed,
            .progress = report_part,
            .context = &part,
            .crop = {.left = ends[n], .right = ends[n + 1], .bottom = look->height},
            .layers = look->transparent ? &layers : NULL,
        };
        const BrumeStatus status = draw_part(picture, n, look, &def, error);
        if (status != BRUME_OK) {
            return status;
        }
        copy_part(picture->radiance, picture->part_radiance, ends[n], width, look->width, look->height, 3);
        if (look->transparent) {
            copy_part(picture->alpha, picture->part_alpha, ends[n], width, look->width, look->height, 1);
        }
    }
    if (look->linear) {
        convert_to_planes(picture, look, pixels);
        return BRUME_OK;
    }
    const BrumeTonePicture tone = {.width = look->width,
                                   .height = look->height,
                                   .radiance = picture->radiance,
                                   .alpha = look->transparent ? picture->alpha : NULL,
                                   .bits = format->bits};
    brume_tone_map_view(&picture->prepared, ends, tone, picture->pixels);
    return BRUME_OK;
}

void brume_full_picture_destroy(BrumeFullPicture *picture)
{
    brume_prepared_view_destroy(&picture->prepared);
    brume_view_scratch_destroy(&picture->scratch);
    brume_free(picture->radiance);
    brume_free(picture->alpha);
    brume_free(picture->part_radiance);
    brume_free(picture->part_alpha);
    brume_free(picture->pixels);
    *picture = (BrumeFullPicture){0};
}
