#include "io/exr_read.h"

#include <openexr.h>

#include <stdlib.h>
#include <string.h>

// The bytes of a file, for the callbacks of OpenEXRCore.
typedef struct ExrInput {
    const uint8_t *bytes;
    size_t size;
} ExrInput;

bool brume_is_exr(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

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

// the texts of OpenEXRCore are not of one line; brume_exr_read says what failed
static void ignore_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context;
    (void)code;
    (void)message;
}

// directs the channels R, G and B, or Y, of a chunk of rows to the picture; returns how many of the three are filled
static int choose_channels(exr_decode_pipeline_t *decoder, BrumeFloatImage *image, int first_row)
{
    static const char *const names[3] = {"R", "G", "B"};
    int found = 0;
    for (int n = 0; n < decoder->channel_count; n++) {
        exr_coding_channel_info_t *channel = &decoder->channels[n];
        channel->decode_to_ptr = NULL;
        for (int c = 0; c < 3 && channel->x_samples == 1 && channel->y_samples == 1; c++) {
            const bool is_grey = strcmp(channel->channel_name, "Y") == 0;
            if (strcmp(channel->channel_name, names[c]) == 0 || (is_grey && c == 0)) {
                channel->decode_to_ptr =
                    (uint8_t *)(image->rgb + (size_t)3 * (size_t)first_row * (size_t)image->width + c);
                channel->user_pixel_stride = 3 * (int32_t)sizeof(float);
                channel->user_line_stride = 3 * (int32_t)sizeof(float) * image->width;
                channel->user_bytes_per_element = (int16_t)sizeof(float);
                channel->user_data_type = (uint16_t)EXR_PIXEL_FLOAT;
                found += is_grey ? 3 : 1;
            }
        }
    }
    return found;
}

static bool has_channel(const exr_attr_chlist_t *channels, const char *name)
{
    bool found = false;
    for (int n = 0; n < channels->num_channels; n++) {
        const exr_attr_chlist_entry_t *entry = &channels->entries[n];
        found = found || (strcmp(entry->name.str, name) == 0 && entry->x_sampling == 1 && entry->y_sampling == 1);
    }
    return found;
}

// decodes all chunks of rows
static bool read_rows(exr_context_t file, BrumeFloatImage *image, const exr_attr_box2i_t *window)
{
    int32_t rows = 0;
    if (exr_get_scanlines_per_chunk(file, 0, &rows) != EXR_ERR_SUCCESS || rows < 1) {
        return false;
    }
    bool complete = true;
    for (int first = 0; first < image->height && complete; first += rows) {
        exr_chunk_info_t chunk;
        exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
        complete = exr_read_scanline_chunk_info(file, 0, window->min.y + first, &chunk) == EXR_ERR_SUCCESS &&
                   chunk.start_y == window->min.y + first && chunk.height > 0 &&
                   chunk.height <= image->height - first && chunk.width == image->width &&
                   exr_decoding_initialize(file, 0, &chunk, &decoder) == EXR_ERR_SUCCESS;
        if (complete) {
            complete = choose_channels(&decoder, image, first) >= 3 &&
                       exr_decoding_choose_default_routines(file, 0, &decoder) == EXR_ERR_SUCCESS &&
                       exr_decoding_run(file, 0, &decoder) == EXR_ERR_SUCCESS;
        }
        (void)exr_decoding_destroy(file, &decoder);
    }
    return complete;
}

static BrumeStatus read_file(BrumeFloatImage *image, exr_context_t file, const char *path, BrumeError *error)
{
    exr_storage_t storage = EXR_STORAGE_DEEP_SCANLINE;
    exr_attr_box2i_t window;
    const exr_attr_chlist_t *channels = NULL;
    if (exr_get_storage(file, 0, &storage) != EXR_ERR_SUCCESS ||
        exr_get_data_window(file, 0, &window) != EXR_ERR_SUCCESS ||
        exr_get_channels(file, 0, &channels) != EXR_ERR_SUCCESS) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the header of this OpenEXR file is damaged", path);
    }
    if (storage != EXR_STORAGE_SCANLINE) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has tiles or deep pixels (save it with scan lines)", path);
    }
    const bool is_grey = has_channel(channels, "Y");
    if (!is_grey && !(has_channel(channels, "R") && has_channel(channels, "G") && has_channel(channels, "B"))) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has neither channels R, G and B nor a channel Y of full size",
                          path);
    }
    const BrumeStatus status = brume_float_image_create(image, (long)window.max.x - window.min.x + 1,
                                                        (long)window.max.y - window.min.y + 1, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (!read_rows(file, image, &window)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: the picture is incomplete or damaged (copy or download it again)", path);
    }
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t n = 0; n < count && is_grey && !has_channel(channels, "R"); n++) {
        image->rgb[3 * n + 1] = image->rgb[3 * n + 2] = image->rgb[3 * n];
    }
    return BRUME_OK;
}

BrumeStatus brume_exr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error)
{
    *image = (BrumeFloatImage){0};
    ExrInput input = {bytes, size};
    exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
    settings.error_handler_fn = ignore_message;
    settings.user_data = &input;
    settings.read_fn = read_bytes;
    settings.size_fn = byte_count;
    settings.max_image_width = BRUME_MAX_IMAGE_SIDE;
    settings.max_image_height = BRUME_MAX_IMAGE_SIDE;
    exr_context_t file = NULL;
    BrumeStatus status = BRUME_OK;
    if (exr_start_read(&file, path, &settings) != EXR_ERR_SUCCESS) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: the header of this OpenEXR file is damaged", path);
    } else {
        status = read_file(image, file, path, error);
    }
    (void)exr_finish(&file);
    if (status != BRUME_OK) {
        free(image->rgb);
        *image = (BrumeFloatImage){0};
    }
    return status;
}
