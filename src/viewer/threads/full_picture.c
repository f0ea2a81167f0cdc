#include "viewer/threads/full_picture.h"

#include "brume/scene.h"

#include "core/half.h"
#include "core/memory.h"
#include "raymarch/tone.h"

#include <math.h>
#include <string.h>

// whether the view shows a quantity as colored smoke instead of the smoke
static bool is_quantity(const BrumeSnapshot *snapshot, BrumeViewKind kind)
{
    bool shown = kind == BRUME_VIEW_TEMPERATURE || kind == BRUME_VIEW_VORTICITY || kind == BRUME_VIEW_PRESSURE;
    for (int n = 0; n < snapshot->variant_count; n++) {
        shown = shown && !brume_view_missing_quantity(kind, &snapshot->variants[n]);
    }
    return shown;
}

// the fields of a variant as a volume, with the velocity for motion blur
static BrumeVolume volume_of(const BrumeSnapshotVariant *variant)
{
    BrumeVolume volume = brume_snapshot_volume(variant);
    for (int axis = 0; axis < 3 && variant->fields[BRUME_FIELD_U].data; axis++) {
        const BrumeField *component = &variant->fields[BRUME_FIELD_U + axis];
        volume.velocity[axis] = component->data + brume_field_index(component, 1, 1, 1);
        volume.velocity_sx = 1;
        volume.velocity_sy = component->sy;
        volume.velocity_sz = component->sz;
        volume.velocity_on_faces = true;
    }
    return volume;
}

// the render settings of a side of the picture, as brume_scene_render_settings computes them
static BrumeRenderSettings settings_of(const BrumeSnapshotVariant *variant, const BrumePictureLook *look, int side)
{
    BrumeRenderSettings settings = *brume_side_look(&look->view, side);
    settings.shutter = look->shutter / variant->settings.fps;
    brume_place_surfaces(&settings, look->view.surface_of, &variant->settings);
    return settings;
}

static bool same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

static BrumeStatus load_smoke(BrumePreparedVariant *to, const BrumeSnapshotVariant *variant,
                              const BrumePictureLook *look, int side, BrumeError *error)
{
    const BrumeVolume volume = volume_of(variant);
    const BrumeGrid grid = {volume.nx, volume.ny, volume.nz};
    to->render_settings = settings_of(variant, look, side);
    BrumeStatus status;
    if (to->renderer && same_grid(to->grid, grid)) {
        status = brume_renderer_set_settings(to->renderer, &to->render_settings, error);
    } else {
        brume_renderer_destroy(to->renderer);
        to->grid = grid;
        status = brume_renderer_create(&to->renderer, grid.nx, grid.ny, grid.nz, &to->render_settings, error);
    }
    if (status == BRUME_OK) {
        status = brume_renderer_load(to->renderer, &volume, error);
    }
    // the path tracer computes light along its paths; the ray marcher draws the picture that guides the denoiser
    if (status == BRUME_OK && (look->integrator == BRUME_INTEGRATOR_MARCH || look->denoise)) {
        (void)brume_renderer_light(to->renderer, NULL);
    }
    return status;
}

BrumeStatus brume_full_picture_load(BrumeFullPicture *picture, const BrumeSnapshot *snapshot,
                                    const BrumePictureLook *look, BrumeError *error)
{
    picture->seed = snapshot->seed;
    picture->quantity = is_quantity(snapshot, look->view.kind);
    if (picture->quantity) {
        BrumeViewSettings view = look->view;
        view.slice = false;
        return brume_prepare_view(&picture->prepared, &picture->scratch, snapshot, &view, false, picture->geometry,
                                  error);
    }
    BrumeStatus status = BRUME_OK;
    picture->prepared.variant_count = 0;
    const int sides = brume_view_sides(&look->view, snapshot);
    for (int n = 0; n < sides && status == BRUME_OK; n++) {
        status = load_smoke(&picture->prepared.variants[n], brume_side_variant(snapshot, n), look, n, error);
        picture->prepared.variant_count += status == BRUME_OK;
    }
    return status;
}

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
    const int count = picture->prepared.variant_count;
    const int split = count < 2 ? look->width : (int)lroundf((float)look->width * look->divider);
    const int ends[3] = {0, split < 0 ? 0 : split > look->width ? look->width : split, look->width};
    for (int n = 0; n < count && n < BRUME_MAX_VARIANTS; n++) {
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
    for (int n = 0; n < count && n < BRUME_MAX_VARIANTS; n++) { // each side has the exposure and the tone of its look
        const BrumeTonePicture tone = {.width = look->width,
                                       .height = look->height,
                                       .radiance = picture->radiance,
                                       .alpha = look->transparent ? picture->alpha : NULL,
                                       .bits = format->bits,
                                       .columns = {ends[n], ends[n + 1]}};
        if (ends[n] < ends[n + 1]) {
            brume_tone_map_picture(&picture->prepared.variants[n].render_settings, &tone, picture->pixels);
        }
    }
    return BRUME_OK;
}

void brume_full_picture_destroy(BrumeFullPicture *picture)
{
    brume_prepared_view_destroy(&picture->prepared);
    brume_view_scratch_destroy(&picture->scratch);
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_overlay_geometry_free(&picture->geometry[n]);
    }
    brume_free(picture->radiance);
    brume_free(picture->alpha);
    brume_free(picture->part_radiance);
    brume_free(picture->part_alpha);
    brume_free(picture->pixels);
    *picture = (BrumeFullPicture){0};
}
