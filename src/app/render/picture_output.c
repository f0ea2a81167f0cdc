#include "app/render/picture_output.h"

#include "brume/brume.h"
#include "core/half.h"
#include "core/hash.h"
#include "core/memory.h"
#include "raymarch/path/trace.h"
#include "raymarch/tone.h"

#include <stdio.h>
#include <string.h>

static BrumeStatus check_video(const BrumeScene *scene, BrumeError *error)
{
    if (scene->bits == BRUME_IMAGE_BITS_16 || scene->bits == BRUME_IMAGE_BITS_32) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video has 8 bits, but image.bits is %d (give images, or -D image.bits=8)",
                          scene->bits == BRUME_IMAGE_BITS_16 ? 16 : 32);
    }
    if (scene->transparent) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video has no transparent background (give images, or -D image.background=sky)");
    }
    return BRUME_OK;
}

static BrumeStatus check_png(const BrumeScene *scene, BrumeError *error)
{
    if (scene->bits == BRUME_IMAGE_BITS_32) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "images .png have 8 or 16 bits, but image.bits is 32 (give images .exr, or --bits 16)");
    }
    return BRUME_OK;
}

static BrumeStatus set_crop(BrumePictureOutput *output, const BrumePictureCrop *crop, bool video, BrumeError *error)
{
    if (crop->right == 0) { // not given
        return BRUME_OK;
    }
    if (video) {
        return brume_fail(error, BRUME_BAD_INPUT, "--crop: a video has whole pictures (give images)");
    }
    if (crop->right > output->width || crop->bottom > output->height) {
        return brume_fail(error, BRUME_BAD_INPUT, "--crop: %d,%d,%d,%d is not within the picture of %d x %d pixels",
                          crop->left, crop->top, crop->right, crop->bottom, output->width, output->height);
    }
    output->crop = *crop;
    output->width = crop->right - crop->left;
    output->height = crop->bottom - crop->top;
    return BRUME_OK;
}

static void add_channel(BrumeExrHeader *exr, const char *layer, const char *name, bool single)
{
    BrumeExrChannel *channel = &exr->channels[exr->channel_count++];
    (void)snprintf(channel->name, sizeof channel->name, "%.20s%s%.8s", layer, layer[0] ? "." : "", name);
    channel->single = single;
}

static void add_color(BrumeExrHeader *exr, const char *layer, bool single)
{
    add_channel(exr, layer, "R", single);
    add_channel(exr, layer, "G", single);
    add_channel(exr, layer, "B", single);
}

// adds the channels in the order in which brume_drawn_picture_convert writes their planes
static void set_channels(BrumePictureOutput *output, bool single)
{
    BrumeExrHeader *exr = &output->exr;
    add_color(exr, "", single);
    add_channel(exr, "", "A", single);
    if (output->layers & BRUME_LAYER_DEPTH) {
        add_channel(exr, "depth", "Z", true);
    }
    if (output->layers & BRUME_LAYER_TRANSMITTANCE) {
        add_channel(exr, "transmittance", "Y", single);
    }
    for (int n = 0; n < output->lights && output->layers & BRUME_LAYER_LIGHTS; n++) {
        char layer[20];
        (void)snprintf(layer, sizeof layer, "light.%d", n + 1);
        add_color(exr, layer, single);
    }
    if (output->layers & BRUME_LAYER_SKY) {
        add_color(exr, "sky", single);
    }
    if (output->layers & BRUME_LAYER_EMISSION) {
        add_color(exr, "emission", single);
    }
    if (output->layers & BRUME_LAYER_MOTION) {
        add_channel(exr, "forward", "u", true);
        add_channel(exr, "forward", "v", true);
    }
    if (output->layers & BRUME_LAYER_NOISY) {
        add_color(exr, "noisy", single);
    }
}

static BrumeStatus set_metadata(BrumeExrMetadata *metadata, const BrumeScene *scene, BrumeError *error)
{
    char *text;
    const BrumeStatus status = brume_scene_write(scene, NULL, &text, error);
    if (status != BRUME_OK) {
        return status;
    }
    metadata->software = "Brume " BRUME_VERSION_STRING;
    metadata->fps = scene->sim.fps;
    (void)snprintf(metadata->scene_hash, sizeof metadata->scene_hash, "%016llx",
                   (unsigned long long)brume_hash_bytes(text, strlen(text), 0));
    brume_free(text);
    return BRUME_OK;
}

static BrumeStatus resolve_exr(BrumePictureOutput *output, const BrumeScene *scene, const BrumePictureOptions *options,
                               BrumeError *error)
{
    if (scene->bits == BRUME_IMAGE_BITS_8) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "images .exr have 16 or 32 bits, but image.bits is 8 (give --bits 16, or images .png)");
    }
    const bool glows = scene->render_settings.emission.intensity > 0.0f;
    output->layers = options->layers;
    if (options->layers == BRUME_LAYERS_ALL) { // all that there are
        output->layers &= ~(unsigned)(glows ? 0 : BRUME_LAYER_EMISSION);
        output->layers &= ~(unsigned)(options->no_velocity ? BRUME_LAYER_MOTION : 0);
        output->layers &= ~(unsigned)(scene->denoise ? 0 : BRUME_LAYER_NOISY);
    }
    if (output->layers & BRUME_LAYER_NOISY && !scene->denoise) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--layers: 'noisy' is the picture before --denoise (give both, or leave it out)");
    }
    output->exr.left = output->crop.left;
    output->exr.top = output->crop.top;
    output->exr.whole_width = scene->width;
    output->exr.whole_height = scene->height;
    set_channels(output, scene->bits == BRUME_IMAGE_BITS_32);
    output->format = (BrumePixelFormat){.planes = brume_exr_pixel_bytes(&output->exr)};
    return BRUME_OK;
}

// Sets the rectangle of a tile. With the path tracer's limit of noise each tile would end when its own error is small
// enough, so tiles of one picture would differ.
static BrumeStatus set_tile(BrumePictureOutput *output, const BrumeScene *scene, const BrumePictureOptions *options,
                            bool video, BrumeError *error)
{
    const BrumeChunk *tile = &options->tile;
    if (tile->count == 0) {
        return BRUME_OK;
    }
    if (video) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--tile: a video has whole pictures (give images, join them, and make a video of them with "
                          "brume convert)");
    }
    if (options->crop.right > 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--tile and --crop exclude each other (give one)");
    }
    if (tile->count > brume_tile_limit(scene->height)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--tile: a picture of %d rows has %d tiles of at least %d rows at most, not %d",
                          scene->height, brume_tile_limit(scene->height), BRUME_TILE_ROWS, tile->count);
    }
    if (scene->integrator == BRUME_INTEGRATOR_PATH && scene->noise > 0.0f) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--tile: with image.noise above 0 the tiles of a picture would have different numbers of "
                          "light paths (give --noise 0, and --samples)");
    }
    output->crop = brume_tile_pixels(tile, scene->width, scene->height);
    output->height = output->crop.bottom - output->crop.top;
    output->tile =
        (BrumeTileRecord){.tile = *tile, .width = scene->width, .height = scene->height, .samples = scene->samples};
    (void)snprintf(output->tile.scene_hash, sizeof output->tile.scene_hash, "%s", output->exr.metadata.scene_hash);
    (void)snprintf(output->tile.version, sizeof output->tile.version, "%s", output->exr.metadata.software);
    return BRUME_OK;
}

BrumeStatus brume_picture_output_resolve(BrumePictureOutput *output, const BrumeScene *scene,
                                         const BrumeOutputPattern *pattern, const BrumePictureOptions *options,
                                         BrumeError *error)
{
    *output = (BrumePictureOutput){
        .width = scene->width,
        .height = scene->height,
        .format = {.bits = scene->bits == BRUME_IMAGE_BITS_16 ? 16 : 8, .channels = scene->transparent ? 4 : 3},
        .transparent = scene->transparent,
        .lights = scene->render_settings.light_count,
    };
    const bool has_metadata = brume_pattern_is_exr(pattern) || options->tile.count > 0;
    if ((has_metadata && set_metadata(&output->exr.metadata, scene, error) != BRUME_OK) ||
        set_tile(output, scene, options, pattern->video != NULL, error) != BRUME_OK ||
        set_crop(output, &options->crop, pattern->video != NULL, error) != BRUME_OK) {
        return error->status;
    }
    if (brume_pattern_is_exr(pattern)) {
        return resolve_exr(output, scene, options, error);
    }
    if (options->layers != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--layers: only images .exr have layers (give -o PATTERN with .exr)");
    }
    return pattern->video ? check_video(scene, error) : check_png(scene, error);
}

void brume_picture_output_warn(const BrumePictureOutput *output, const BrumeScene *scene, BrumeMessages *messages)
{
    if (output->layers & BRUME_LAYER_EMISSION && !(scene->render_settings.emission.intensity > 0.0f)) {
        brume_messages_warning(messages, "--layers: 'emission' is black, because nothing glows ('render.emission')");
    }
}

static size_t pixels_of(const BrumePictureOutput *output) { return (size_t)output->width * (size_t)output->height; }

// returns the number of floats of a pixel before the conversion
static size_t drawn_floats(const BrumePictureOutput *output)
{
    const bool depth = output->layers & BRUME_LAYER_DEPTH;
    const bool transmittance = output->layers & BRUME_LAYER_TRANSMITTANCE;
    const bool sky = output->layers & BRUME_LAYER_SKY;
    const int lights = output->layers & BRUME_LAYER_LIGHTS ? output->lights : 0;
    const bool emission = output->layers & BRUME_LAYER_EMISSION;
    const bool motion = output->layers & BRUME_LAYER_MOTION;
    const bool noisy = output->layers & BRUME_LAYER_NOISY;
    const int colors = 1 + sky + emission + lights + noisy;
    const int floats = 3 * colors + output->transparent + depth + transmittance + 2 * motion;
    return (size_t)floats;
}

// returns the next plane of `numbers` floats for each pixel, and advances `*next`
static float *take_plane(float **next, const BrumePictureOutput *output, size_t numbers)
{
    float *plane = *next;
    *next += numbers * pixels_of(output);
    return plane;
}

BrumeStatus brume_drawn_picture_create(BrumeDrawnPicture *picture, const BrumePictureOutput *output, BrumeError *error)
{
    *picture = (BrumeDrawnPicture){.has_layers = output->layers != 0 || output->transparent};
    picture->memory = brume_alloc_untouched(pixels_of(output), drawn_floats(output) * sizeof(float));
    if (!picture->memory) {
        return brume_out_of_memory(error, "an image of %d x %d pixels", output->width, output->height);
    }
    float *next = picture->memory;
    picture->radiance = take_plane(&next, output, 3);
    if (output->transparent) {
        picture->layers.alpha = take_plane(&next, output, 1);
    }
    if (output->layers & BRUME_LAYER_DEPTH) {
        picture->layers.depth = take_plane(&next, output, 1);
    }
    if (output->layers & BRUME_LAYER_TRANSMITTANCE) {
        picture->layers.transmittance = take_plane(&next, output, 1);
    }
    for (int n = 0; n < output->lights && output->layers & BRUME_LAYER_LIGHTS; n++) {
        picture->layers.lights[n] = take_plane(&next, output, 3);
    }
    if (output->layers & BRUME_LAYER_SKY) {
        picture->layers.sky = take_plane(&next, output, 3);
    }
    if (output->layers & BRUME_LAYER_EMISSION) {
        picture->layers.emission = take_plane(&next, output, 3);
    }
    if (output->layers & BRUME_LAYER_MOTION) {
        picture->layers.motion = take_plane(&next, output, 2);
    }
    if (output->layers & BRUME_LAYER_NOISY) {
        picture->layers.noisy = take_plane(&next, output, 3);
    }
    return BRUME_OK;
}

void brume_drawn_picture_destroy(BrumeDrawnPicture *picture)
{
    brume_free(picture->memory);
    *picture = (BrumeDrawnPicture){0};
}

// the planes of an EXR file while they are filled
typedef struct ImagePlanes {
    const BrumePictureOutput *output;
    uint8_t *next;
    int channel; // of `next`
} ImagePlanes;

static const float farthest = 1e10f; // depth of the sky, instead of infinity, with which no program computes well
static const float largest_half = 65504.0f;

// converts one number of each pixel; with `source` NULL all numbers are 1
static void put_plane(ImagePlanes *planes, const float *source, size_t stride)
{
    const size_t pixels = pixels_of(planes->output);
    const bool single = planes->output->exr.channels[planes->channel++].single;
    float *floats = (float *)(void *)planes->next;
    uint16_t *halves = (uint16_t *)(void *)planes->next;
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < pixels; n++) {
        const float value = source ? source[stride * n] : 1.0f;
        if (single) {
            floats[n] = value < farthest ? value : farthest;
        } else {
            halves[n] = brume_half_of_float(value < largest_half ? value : largest_half);
        }
    }
    planes->next += pixels * (single ? sizeof(float) : sizeof(uint16_t));
}

static void put_color(ImagePlanes *planes, const float *source)
{
    for (size_t c = 0; c < 3; c++) {
        put_plane(planes, source + c, 3);
    }
}

static void convert_to_planes(const BrumeDrawnPicture *picture, const BrumePictureOutput *output, void *pixels)
{
    const BrumePictureLayers *layers = &picture->layers;
    ImagePlanes planes = {.output = output, .next = pixels};
    put_color(&planes, picture->radiance);
    put_plane(&planes, layers->alpha, 1);
    if (layers->depth) {
        put_plane(&planes, layers->depth, 1);
    }
    if (layers->transmittance) {
        put_plane(&planes, layers->transmittance, 1);
    }
    for (int n = 0; n < output->lights && layers->lights[n]; n++) {
        put_color(&planes, layers->lights[n]);
    }
    if (layers->sky) {
        put_color(&planes, layers->sky);
    }
    if (layers->emission) {
        put_color(&planes, layers->emission);
    }
    if (layers->motion) {
        put_plane(&planes, layers->motion, 2);
        put_plane(&planes, layers->motion + 1, 2);
    }
    if (layers->noisy) {
        put_color(&planes, layers->noisy);
    }
}

void brume_drawn_picture_convert(const BrumeDrawnPicture *picture, const BrumePictureOutput *output,
                                 const BrumeRenderSettings *settings, void *pixels)
{
    if (output->format.planes > 0) {
        convert_to_planes(picture, output, pixels);
        return;
    }
    const BrumeTonePicture tone = {.width = output->width,
                                   .height = output->height,
                                   .left = output->crop.left,
                                   .top = output->crop.top,
                                   .radiance = picture->radiance,
                                   .alpha = picture->layers.alpha,
                                   .bits = output->format.bits};
    brume_tone_map_picture(settings, &tone, pixels);
}

enum { MOST_HEADER = 4096, BLOCK_ROWS = 16, BLOCK_OVERHEAD = 16 }; // of an EXR file [bytes]

// bytes of all rows; in a PNG file, each row begins with the number of its filter
static double row_bytes(const BrumePictureOutput *output)
{
    const double filter = output->format.planes > 0 ? 0.0 : 1.0;
    return ((double)brume_pixel_bytes(output->format) * output->width + filter) * output->height;
}

// deflate encodes at most 1032 bytes in one; signature, header and end of a PNG file are 57 bytes
double brume_least_image_bytes(const BrumePictureOutput *output) { return row_bytes(output) / 1032.0 + 57.0; }

double brume_most_image_bytes(const BrumePictureOutput *output)
{
    if (output->format.planes > 0) { // a block that does not compress is stored as it is
        return row_bytes(output) + ((double)output->height / BLOCK_ROWS + 1.0) * BLOCK_OVERHEAD + MOST_HEADER;
    }
    // incompressible data is stored in blocks of 32767 bytes with 5 bytes before each
    return row_bytes(output) * (1.0 + 5.0 / 32767.0) + 100.0;
}

size_t brume_picture_buffer_bytes(const BrumePictureOutput *output, const BrumeScene *scene)
{
    const size_t bytes = brume_pixel_bytes(output->format);
    const size_t drawn = drawn_floats(output) * sizeof(float);
    const size_t queue = 2 * bytes;
    // the compressed bytes while their buffer grows; in the encoder of PNG the filtered rows, too
    const size_t encoder =
        output->format.planes > 0 ? 3 * bytes : bytes + 3 * bytes + (output->format.bits == 16 ? bytes : 0);
    size_t sums = 0;
    if (scene->integrator == BRUME_INTEGRATOR_PATH) {
        sums = brume_trace_bytes(output->width, output->height);
        sums += output->layers || output->transparent
                    ? brume_trace_layer_bytes(output->width, output->height, output->lights)
                    : 0;
        sums += scene->denoise ? brume_trace_denoise_bytes(output->width, output->height, output->transparent) : 0;
    }
    return pixels_of(output) * (drawn + queue + encoder) + sums;
}
