// OpenEXRCore, the C library of OpenEXR. The file is composed in memory and written as all other files are.
#include "io/exr_codec.h"

#include "core/error.h"
#include "core/memory.h"

#include <openexr.h>

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// the bytes of a file while the library writes them
typedef struct Composed {
    uint8_t *bytes;
    size_t size, capacity;
} Composed;

// The text of the library's first error. The library calls the error handler while it holds the lock of the file, so
// that the handler must not ask it for the user data.
static char reason[256];

static bool grow(Composed *file, size_t size)
{
    if (size > file->capacity) {
        const size_t capacity = size > 2 * file->capacity ? size : 2 * file->capacity;
        uint8_t *bytes = brume_realloc(file->bytes, file->size, capacity);
        if (bytes == NULL) {
            return false;
        }
        file->bytes = bytes;
        file->capacity = capacity;
    }
    return true;
}

// the library's write function; it returns to the table of offsets at the end
static int64_t write_bytes(exr_const_context_t context, void *user, const void *bytes, uint64_t size, uint64_t offset,
                           exr_stream_error_func_ptr_t fail)
{
    Composed *file = user;
    const size_t end = (size_t)(offset + size);
    if (!grow(file, end)) {
        (void)fail(context, EXR_ERR_OUT_OF_MEMORY, "out of memory");
        return -1;
    }
    if (offset > file->size) {
        memset(file->bytes + file->size, 0, (size_t)offset - file->size);
    }
    memcpy(file->bytes + offset, bytes, (size_t)size);
    file->size = end > file->size ? end : file->size;
    return (int64_t)size;
}

static void store_error(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context;
    (void)code;
    if (reason[0] == '\0' && text != NULL) {
        (void)strncpy(reason, text, sizeof reason - 1);
    }
}

static void *allocate(size_t bytes) { return brume_alloc_untouched(bytes, 1); }

static void release(void *memory) { brume_free(memory); }

static exr_result_t set_camera(exr_context_t file, const BrumeCamera *camera)
{
    const exr_attr_v3f_t position = {.x = camera->position.x, .y = camera->position.y, .z = camera->position.z};
    const exr_attr_v3f_t target = {.x = camera->target.x, .y = camera->target.y, .z = camera->target.z};
    exr_result_t result = exr_attr_set_v3f(file, 0, "brume:cameraPosition", &position);
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_v3f(file, 0, "brume:cameraTarget", &target);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_float(file, 0, "brume:cameraFieldOfView", camera->field_of_view);
    }
    return result;
}

// sets the attributes of the frame; no date, so that a picture has the same bytes whenever it is drawn
static exr_result_t set_metadata(exr_context_t file, const BrumeExrMetadata *metadata)
{
    // of ITU-R BT.709 and sRGB
    static const exr_attr_chromaticities_t primaries = {0.64f, 0.33f, 0.30f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    exr_result_t result = exr_attr_set_chromaticities(file, 0, "chromaticities", &primaries);
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_string(file, 0, "software", metadata->software);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_string(file, 0, "brume:sceneHash", metadata->scene_hash);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_int(file, 0, "brume:frame", metadata->frame);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_double(file, 0, "brume:time", metadata->time);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = exr_attr_set_float(file, 0, "brume:framesPerSecond", metadata->fps);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = set_camera(file, &metadata->camera);
    }
    if (result == EXR_ERR_SUCCESS && metadata->tile[0] != '\0') {
        result = exr_attr_set_string(file, 0, BRUME_TILE_KEY, metadata->tile);
    }
    return result;
}

static exr_attr_box2i_t box(int left, int top, int width, int height)
{
    return (exr_attr_box2i_t){.min = {.x = left, .y = top}, .max = {.x = left + width - 1, .y = top + height - 1}};
}

static exr_result_t write_header(exr_context_t file, int width, int height, const BrumeExrHeader *header)
{
    int part;
    exr_result_t result = exr_add_part(file, NULL, EXR_STORAGE_SCANLINE, &part);
    if (result != EXR_ERR_SUCCESS) {
        return result;
    }
    const exr_attr_box2i_t display = box(0, 0, header->whole_width, header->whole_height);
    const exr_attr_box2i_t data = box(header->left, header->top, width, height);
    const exr_attr_v2f_t center = {.x = 0.0f, .y = 0.0f};
    result = exr_initialize_required_attr(file, part, &display, &data, 1.0f, &center, 1.0f, EXR_LINEORDER_INCREASING_Y,
                                          EXR_COMPRESSION_ZIP);
    for (int n = 0; n < header->channel_count && result == EXR_ERR_SUCCESS; n++) {
        const BrumeExrChannel *channel = &header->channels[n];
        result = exr_add_channel(file, part, channel->name, channel->single ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    }
    if (result == EXR_ERR_SUCCESS) {
        result = set_metadata(file, &header->metadata);
    }
    return result == EXR_ERR_SUCCESS ? exr_write_header(file) : result;
}

// the plane of the channel of this name
static const uint8_t *plane_of(const BrumeExrHeader *header, const uint8_t *planes, size_t pixels, const char *name)
{
    const uint8_t *plane = planes;
    for (int n = 0; n < header->channel_count; n++) {
        if (strcmp(header->channels[n].name, name) == 0) {
            return plane;
        }
        plane += pixels * brume_exr_channel_bytes(&header->channels[n]);
    }
    assert(false && "a channel of the file is one of the header");
    return planes;
}

// writes blocks of some rows each, with the channels in the library's order, which is by name
static exr_result_t write_pixels(exr_context_t file, int width, int height, const BrumeExrHeader *header,
                                 const uint8_t *planes)
{
    const size_t pixels = (size_t)width * (size_t)height;
    int32_t rows = 1;
    exr_result_t result = exr_get_scanlines_per_chunk(file, 0, &rows);
    exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
    for (int y = 0; y < height && result == EXR_ERR_SUCCESS; y += rows) {
        exr_chunk_info_t block;
        result = exr_write_scanline_chunk_info(file, 0, header->top + y, &block);
        if (result == EXR_ERR_SUCCESS) {
            result = y == 0 ? exr_encoding_initialize(file, 0, &block, &encoder)
                            : exr_encoding_update(file, 0, &block, &encoder);
        }
        for (int c = 0; c < encoder.channel_count && result == EXR_ERR_SUCCESS; c++) {
            exr_coding_channel_info_t *channel = &encoder.channels[c];
            const size_t bytes = (size_t)channel->bytes_per_element;
            channel->user_bytes_per_element = (int16_t)bytes;
            channel->user_data_type = channel->data_type;
            channel->user_pixel_stride = (int32_t)bytes;
            channel->user_line_stride = (int32_t)(bytes * (size_t)width);
            channel->encode_from_ptr =
                plane_of(header, planes, pixels, channel->channel_name) + bytes * (size_t)y * (size_t)width;
        }
        if (result == EXR_ERR_SUCCESS && y == 0) {
            result = exr_encoding_choose_default_routines(file, 0, &encoder);
        }
        if (result == EXR_ERR_SUCCESS) {
            result = exr_encoding_run(file, 0, &encoder);
        }
    }
    (void)exr_encoding_destroy(file, &encoder);
    return result;
}

static exr_result_t compose(Composed *composed, const char *path, int width, int height, const BrumeExrHeader *header,
                            const void *planes)
{
    exr_context_initializer_t functions = EXR_DEFAULT_CONTEXT_INITIALIZER;
    functions.error_handler_fn = store_error;
    functions.alloc_fn = allocate;
    functions.free_fn = release;
    functions.user_data = composed;
    functions.write_fn = write_bytes;
    exr_context_t file;
    exr_result_t result = exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &functions);
    if (result != EXR_ERR_SUCCESS) {
        return result;
    }
    result = write_header(file, width, height, header);
    if (result == EXR_ERR_SUCCESS) {
        result = write_pixels(file, width, height, header, planes);
    }
    const exr_result_t finished = exr_finish(&file); // writes the table of offsets
    return result == EXR_ERR_SUCCESS ? finished : result;
}

BrumeStatus brume_exr_encode(uint8_t **bytes, size_t *size, const char *path, int width, int height,
                             const BrumeExrHeader *header, const void *planes, BrumeError *error)
{
    assert(width > 0 && height > 0 && header->channel_count > 0);
    Composed composed = {0};
    *bytes = NULL;
    *size = 0;
    reason[0] = '\0';
    const exr_result_t result = compose(&composed, path, width, height, header, planes);
    if (result == EXR_ERR_SUCCESS) {
        *bytes = composed.bytes;
        *size = composed.size;
        return BRUME_OK;
    }
    brume_free(composed.bytes);
    return result == EXR_ERR_OUT_OF_MEMORY
               ? brume_out_of_memory(error, "the image %s", path)
               : brume_fail(error, BRUME_FAILED, "%s: cannot write: OpenEXR: %s", path,
                            reason[0] != '\0' ? reason : exr_get_default_error_message(result));
}
