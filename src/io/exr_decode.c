// Flat pictures with scan lines or tiles, of one or several parts: the first part with channels of a color. Each
// channel is decoded to a plane of its own, because chroma has fewer samples than luminance; the planes then become RGB
// of the primaries of BT.709, in the directions of a latitude-longitude map.
#include "io/exr_codec.h"

#include "core/half.h"
#include "core/minmax.h"
#include "io/exr_color.h"
#include "io/exr_environment.h"
#include "io/resource_limits.h"

#include <openexr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The bytes of a file, for the callbacks of OpenEXRCore.
typedef struct ExrInput {
    const uint8_t *bytes;
    size_t size;
} ExrInput;

// the library's read function: copies bytes from the file in memory
static int64_t read_bytes(exr_const_context_t context, void *data, void *buffer, uint64_t size, uint64_t offset,
                          exr_stream_error_func_ptr_t fail)
{
    const ExrInput *input = data;
    (void)context;
    (void)fail;
    if (offset >= input->size) {
        return 0;
    }
    const uint64_t left = input->size - offset;
    const uint64_t count = size < left ? size : left;
    memcpy(buffer, input->bytes + offset, (size_t)count);
    return (int64_t)count;
}

static int64_t byte_count(exr_const_context_t context, void *data)
{
    (void)context;
    return (int64_t)((const ExrInput *)data)->size;
}

static bool out_of_memory; // since the file was opened
static bool unsupported;

// the texts of OpenEXRCore are not of one line; brume_exr_decode reports the failure
static void note_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context;
    (void)message;
    out_of_memory = out_of_memory || code == EXR_ERR_OUT_OF_MEMORY;
    unsupported = unsupported || code == EXR_ERR_FEATURE_NOT_IMPLEMENTED;
}

static BrumeStatus fail_damaged(const char *path, const char *text, BrumeError *error)
{
    return out_of_memory ? brume_fail_reading_memory(path, error)
           : unsupported
               ? brume_fail(error, BRUME_BAD_INPUT,
                            "%s: is compressed in a way that OpenEXRCore does not read (save it with ZIP)", path)
               : brume_fail(error, BRUME_BAD_INPUT, "%s: %s", path, text);
}

static const char damaged_header[] = "the header of this OpenEXR file is damaged";
static const char damaged_picture[] = "the picture is incomplete or damaged (copy or download it again)";

/** A channel in full: every `sx`-th sample of every `sy`-th row. */
typedef struct ChannelPlane {
    const char *name;
    int sx, sy;
    int width, height; // samples
    float *samples;    // (height x width)
} ChannelPlane;

/** The part of a file that is read. */
typedef struct ExrPart {
    exr_context_t file;
    const char *path;
    int index;
    bool tiled;
    exr_attr_box2i_t window;
    int width, height;
    BrumeExrColor color;
    ChannelPlane planes[3]; // in the order of brume_exr_channel_names
} ExrPart;

/*
 * Choosing the part and its channels.
 */

static const exr_attr_chlist_entry_t *find_channel(const exr_attr_chlist_t *channels, const char *name)
{
    for (int n = 0; n < channels->num_channels; n++) {
        if (strcmp(channels->entries[n].name.str, name) == 0) {
            return &channels->entries[n];
        }
    }
    return NULL;
}

// whether the part has all channels of a color; describes it then
static bool has_color(const exr_attr_chlist_t *channels, ExrPart *part)
{
    for (int color = 0; color < BRUME_EXR_COLORS; color++) {
        int found = 0;
        const char *const *names = brume_exr_channel_names((BrumeExrColor)color);
        for (int n = 0; n < 3 && names[n]; n++) {
            const exr_attr_chlist_entry_t *channel = find_channel(channels, names[n]);
            if (channel) {
                part->planes[n] =
                    (ChannelPlane){.name = names[n], .sx = channel->x_sampling, .sy = channel->y_sampling};
                found++;
            }
        }
        if (names[found] == NULL) {
            part->color = (BrumeExrColor)color;
            return true;
        }
        memset(part->planes, 0, sizeof part->planes);
    }
    return false;
}

static void add_names(const exr_attr_chlist_t *channels, char *list, size_t size)
{
    for (int n = 0; n < channels->num_channels; n++) {
        const size_t used = strlen(list);
        (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", channels->entries[n].name.str);
    }
}

static BrumeStatus choose_part(ExrPart *part, BrumeError *error)
{
    char names[160] = "";
    bool has_deep = false;
    int count = 0;
    if (exr_get_count(part->file, &count) != EXR_ERR_SUCCESS) {
        return fail_damaged(part->path, damaged_header, error);
    }
    for (int n = 0; n < count; n++) {
        exr_storage_t storage = EXR_STORAGE_DEEP_SCANLINE;
        const exr_attr_chlist_t *channels = NULL;
        if (exr_get_storage(part->file, n, &storage) != EXR_ERR_SUCCESS ||
            exr_get_channels(part->file, n, &channels) != EXR_ERR_SUCCESS || !channels) {
            return fail_damaged(part->path, damaged_header, error);
        }
        const bool deep = storage == EXR_STORAGE_DEEP_SCANLINE || storage == EXR_STORAGE_DEEP_TILED;
        has_deep = has_deep || deep;
        if (!deep && has_color(channels, part)) {
            part->index = n;
            part->tiled = storage == EXR_STORAGE_TILED;
            return exr_get_data_window(part->file, n, &part->window) == EXR_ERR_SUCCESS
                       ? BRUME_OK
                       : fail_damaged(part->path, damaged_header, error);
        }
        add_names(channels, names, sizeof names);
    }
    return has_deep ? brume_fail(error, BRUME_BAD_INPUT, "%s: has deep pixels (save it with flat ones)", part->path)
                    : brume_fail(error, BRUME_BAD_INPUT,
                                 "%s: has neither channels R, G and B, nor Y, RY and BY, nor Y (it has %s)", part->path,
                                 names);
}

static BrumeStatus allocate_planes(ExrPart *part, BrumeError *error)
{
    for (int n = 0; n < 3 && part->planes[n].name; n++) {
        ChannelPlane *plane = &part->planes[n];
        if (plane->sx < 1 || plane->sy < 1 || part->window.min.x % plane->sx != 0 ||
            part->window.min.y % plane->sy != 0 || (part->tiled && (plane->sx > 1 || plane->sy > 1))) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the samples of the channel '%s' (every %d x %d pixels) do not fit its pixels",
                              part->path, plane->name, plane->sx, plane->sy);
        }
        plane->width = (part->width + plane->sx - 1) / plane->sx;
        plane->height = (part->height + plane->sy - 1) / plane->sy;
        plane->samples = calloc((size_t)plane->width * (size_t)plane->height, sizeof(float));
        if (!plane->samples) {
            return brume_fail_reading_memory(part->path, error);
        }
    }
    return BRUME_OK;
}

/*
 * Decoding.
 */

static float value_of(const uint8_t *bytes, uint16_t type)
{
    uint16_t half;
    uint32_t whole;
    float value;
    switch (type) {
    case EXR_PIXEL_HALF:
        memcpy(&half, bytes, sizeof half);
        return brume_float_of_half(half);
    case EXR_PIXEL_UINT:
        memcpy(&whole, bytes, sizeof whole);
        return (float)whole;
    default:
        memcpy(&value, bytes, sizeof value);
        return value;
    }
}

// the plane of this channel; NULL where the channel is not read
static const ChannelPlane *plane_of(const ExrPart *part, const char *name)
{
    for (int n = 0; n < 3 && part->planes[n].name; n++) {
        if (strcmp(part->planes[n].name, name) == 0) {
            return &part->planes[n];
        }
    }
    return NULL;
}

// Copies the samples of a chunk, whose first pixel is (left, top), to the planes. A chunk has row after row, and of
// each row its channels. False where it is smaller than that. The library's own function writes behind the planes of
// channels with fewer samples than pixels (OpenEXR 3.1).
static bool unpack(const ExrPart *part, const exr_decode_pipeline_t *decoder, int left, int top)
{
    const uint8_t *from = decoder->unpacked_buffer ? decoder->unpacked_buffer : decoder->packed_buffer;
    uint64_t remaining = decoder->chunk.unpacked_size;
    for (int y = top; y < top + decoder->chunk.height; y++) {
        for (int n = 0; n < decoder->channel_count; n++) {
            const exr_coding_channel_info_t *channel = &decoder->channels[n];
            if (channel->y_samples > 1 && (part->window.min.y + y) % channel->y_samples != 0) {
                continue;
            }
            const uint64_t step = (uint64_t)channel->bytes_per_element;
            const uint64_t size = step * (uint64_t)channel->width;
            if (!from || channel->width < 0 || size > remaining) {
                return false;
            }
            const ChannelPlane *plane = plane_of(part, channel->channel_name);
            if (plane && (channel->width > plane->width - left / plane->sx || y / plane->sy >= plane->height)) {
                return false;
            }
            for (int x = 0; plane && x < channel->width; x++) {
                plane->samples[(size_t)(y / plane->sy) * (size_t)plane->width + (size_t)(left / plane->sx + x)] =
                    value_of(from + step * (uint64_t)x, channel->data_type);
            }
            from += size;
            remaining -= size;
        }
    }
    return true;
}

// OpenEXR 3.1.5 reads up to two bytes beyond a damaged chunk of B44A, so its buffers are longer than requested
static void *allocate_longer(exr_transcoding_pipeline_buffer_id_t buffer, size_t size)
{
    (void)buffer;
    enum { MORE = 64 };
    return size < SIZE_MAX - MORE ? calloc(1, size + MORE) : NULL;
}

static void release_buffer(exr_transcoding_pipeline_buffer_id_t buffer, void *memory)
{
    (void)buffer;
    free(memory);
}

static bool decode_chunk(const ExrPart *part, const exr_chunk_info_t *chunk, int left, int top)
{
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    bool complete = exr_decoding_initialize(part->file, part->index, chunk, &decoder) == EXR_ERR_SUCCESS &&
                    exr_decoding_choose_default_routines(part->file, part->index, &decoder) == EXR_ERR_SUCCESS;
    if (complete) {
        decoder.alloc_fn = allocate_longer;
        decoder.free_fn = release_buffer;
        decoder.unpack_and_convert_fn = NULL;
        complete =
            exr_decoding_run(part->file, part->index, &decoder) == EXR_ERR_SUCCESS && unpack(part, &decoder, left, top);
    }
    (void)exr_decoding_destroy(part->file, &decoder);
    return complete;
}

static bool read_rows(const ExrPart *part)
{
    int32_t rows = 0;
    bool complete = exr_get_scanlines_per_chunk(part->file, part->index, &rows) == EXR_ERR_SUCCESS && rows >= 1;
    for (int first = 0; first < part->height && complete; first += rows) {
        exr_chunk_info_t chunk;
        const int y = part->window.min.y + first;
        complete = exr_read_scanline_chunk_info(part->file, part->index, y, &chunk) == EXR_ERR_SUCCESS &&
                   chunk.start_y == y && chunk.height > 0 && chunk.height <= part->height - first &&
                   chunk.width == part->width && decode_chunk(part, &chunk, 0, first);
    }
    return complete;
}

// decodes the tiles of the largest level of the picture
static bool read_tiles(const ExrPart *part)
{
    int32_t across = 0;
    int32_t down = 0;
    bool complete = exr_get_tile_sizes(part->file, part->index, 0, 0, &across, &down) == EXR_ERR_SUCCESS &&
                    across >= 1 && down >= 1;
    for (int top = 0; top < part->height && complete; top += down) {
        for (int left = 0; left < part->width && complete; left += across) {
            exr_chunk_info_t chunk;
            complete = exr_read_tile_chunk_info(part->file, part->index, left / across, top / down, 0, 0, &chunk) ==
                           EXR_ERR_SUCCESS &&
                       chunk.width == brume_min_int(across, part->width - left) &&
                       chunk.height == brume_min_int(down, part->height - top) && decode_chunk(part, &chunk, left, top);
        }
    }
    return complete;
}

/*
 * Pixels.
 */

// the value of a plane at a pixel, linear between its samples
static float sample_plane(const ChannelPlane *plane, int x, int y)
{
    const int i = x / plane->sx;
    const int j = y / plane->sy;
    const float *row = plane->samples + (size_t)j * (size_t)plane->width;
    if (plane->sx == 1 && plane->sy == 1) {
        return row[i];
    }
    const int right = brume_min_int(i + 1, plane->width - 1);
    const float *below = plane->samples + (size_t)brume_min_int(j + 1, plane->height - 1) * (size_t)plane->width;
    const float fx = (float)(x % plane->sx) / (float)plane->sx;
    const float fy = (float)(y % plane->sy) / (float)plane->sy;
    const float upper = row[i] + fx * (row[right] - row[i]);
    const float lower = below[i] + fx * (below[right] - below[i]);
    return upper + fy * (lower - upper);
}

static void fill_picture(const ExrPart *part, const BrumeExrPrimaries *primaries, BrumeFloatImage *image)
{
    const ChannelPlane *planes = part->planes;
    const int count = planes[1].name ? 3 : 1;
    for (int y = 0; y < part->height; y++) {
        float *rgb = image->rgb + (size_t)3 * (size_t)y * (size_t)part->width;
        for (int x = 0; x < part->width; x++, rgb += 3) {
            for (int n = 0; n < count; n++) {
                rgb[n] = sample_plane(&planes[n], x, y);
            }
            brume_exr_convert(part->color, primaries, rgb);
        }
    }
}

static bool read_primaries(const ExrPart *part, BrumeExrPrimaries *primaries)
{
    exr_attr_chromaticities_t c;
    if (exr_attr_get_chromaticities(part->file, part->index, "chromaticities", &c) != EXR_ERR_SUCCESS) {
        return brume_exr_primaries_find(primaries, NULL);
    }
    const float xy[8] = {c.red_x, c.red_y, c.green_x, c.green_y, c.blue_x, c.blue_y, c.white_x, c.white_y};
    return brume_exr_primaries_find(primaries, xy);
}

static BrumeStatus read_picture(BrumeFloatImage *image, ExrPart *part, BrumeError *error)
{
    BrumeExrPrimaries primaries;
    const long width = (long)part->window.max.x - part->window.min.x + 1;
    const long height = (long)part->window.max.y - part->window.min.y + 1;
    if (!read_primaries(part, &primaries)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: its attribute 'chromaticities' describes no colors", part->path);
    }
    BrumeStatus status = brume_float_image_create(image, width, height, part->path, error);
    if (status != BRUME_OK) {
        return status;
    }
    part->width = (int)width;
    part->height = (int)height;
    status = allocate_planes(part, error);
    if (status == BRUME_OK && !(part->tiled ? read_tiles(part) : read_rows(part))) {
        status = fail_damaged(part->path, damaged_picture, error);
    }
    if (status == BRUME_OK) {
        fill_picture(part, &primaries, image);
        exr_envmap_t map = EXR_ENVMAP_LATLONG;
        if (exr_attr_get_envmap(part->file, part->index, "envmap", &map) == EXR_ERR_SUCCESS && map == EXR_ENVMAP_CUBE) {
            status = brume_unfold_cube(image, part->path, error);
        }
    }
    return status;
}

BrumeStatus brume_exr_decode(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                             BrumeError *error)
{
    *image = (BrumeFloatImage){0};
    ExrInput input = {bytes, size};
    ExrPart part = {.path = path};
    exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
    settings.error_handler_fn = note_error;
    settings.user_data = &input;
    settings.read_fn = read_bytes;
    settings.size_fn = byte_count;
    settings.max_image_width = BRUME_MAX_IMAGE_SIDE;
    settings.max_image_height = BRUME_MAX_IMAGE_SIDE;
    out_of_memory = unsupported = false;
    BrumeStatus status = exr_start_read(&part.file, path, &settings) == EXR_ERR_SUCCESS
                             ? choose_part(&part, error)
                             : fail_damaged(path, damaged_header, error);
    if (status == BRUME_OK) {
        status = read_picture(image, &part, error);
    }
    for (int n = 0; n < 3; n++) {
        free(part.planes[n].samples);
    }
    (void)exr_finish(&part.file);
    if (status != BRUME_OK) {
        free(image->rgb);
        *image = (BrumeFloatImage){0};
    }
    return status;
}
