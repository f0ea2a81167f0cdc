#include "exr_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openexr.h>

static void check(exr_result_t result) { assert_int_equal(result, EXR_ERR_SUCCESS); }

static void read_text(exr_context_t file, const char *name, char *text, size_t size)
{
    int32_t length = 0;
    const char *value = NULL;
    check(exr_attr_get_string(file, 0, name, &length, &value));
    (void)snprintf(text, size, "%.*s", (int)length, value);
}

static void read_windows(ExrFile *read, exr_context_t file)
{
    exr_attr_box2i_t data;
    exr_attr_box2i_t display;
    check(exr_get_data_window(file, 0, &data));
    check(exr_get_display_window(file, 0, &display));
    assert_int_equal(display.min.x, 0);
    assert_int_equal(display.min.y, 0);
    read->left = data.min.x;
    read->top = data.min.y;
    read->width = data.max.x - data.min.x + 1;
    read->height = data.max.y - data.min.y + 1;
    read->whole_width = display.max.x + 1;
    read->whole_height = display.max.y + 1;
}

static void read_pixels(ExrFile *read, exr_context_t file)
{
    int32_t rows;
    check(exr_get_scanlines_per_chunk(file, 0, &rows));
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    for (int y = 0; y < read->height; y += rows) {
        exr_chunk_info_t block;
        check(exr_read_scanline_chunk_info(file, 0, read->top + y, &block));
        check(y == 0 ? exr_decoding_initialize(file, 0, &block, &decoder)
                     : exr_decoding_update(file, 0, &block, &decoder));
        assert_in_range(decoder.channel_count, 1, EXR_FILE_CHANNELS);
        read->channel_count = decoder.channel_count;
        for (int c = 0; c < decoder.channel_count; c++) {
            exr_coding_channel_info_t *from = &decoder.channels[c];
            ExrChannel *channel = &read->channels[c];
            if (y == 0) {
                (void)snprintf(channel->name, sizeof channel->name, "%s", from->channel_name);
                channel->single = from->data_type == EXR_PIXEL_FLOAT;
                channel->values = malloc((size_t)read->width * (size_t)read->height * sizeof(float));
                assert_non_null(channel->values);
            }
            from->user_bytes_per_element = sizeof(float);
            from->user_data_type = EXR_PIXEL_FLOAT;
            from->user_pixel_stride = sizeof(float);
            from->user_line_stride = (int32_t)sizeof(float) * read->width;
            from->decode_to_ptr = (uint8_t *)(channel->values + (size_t)y * (size_t)read->width);
        }
        if (y == 0) {
            check(exr_decoding_choose_default_routines(file, 0, &decoder));
        }
        check(exr_decoding_run(file, 0, &decoder));
    }
    check(exr_decoding_destroy(file, &decoder));
}

ExrFile *read_exr(const char *path)
{
    ExrFile *read = calloc(1, sizeof *read);
    assert_non_null(read);
    exr_context_t file;
    const exr_context_initializer_t functions = EXR_DEFAULT_CONTEXT_INITIALIZER;
    check(exr_start_read(&file, path, &functions));
    int parts;
    check(exr_get_count(file, &parts));
    assert_int_equal(parts, 1);
    exr_storage_t storage;
    check(exr_get_storage(file, 0, &storage));
    assert_int_equal(storage, EXR_STORAGE_SCANLINE);
    exr_compression_t compression;
    check(exr_get_compression(file, 0, &compression));
    assert_int_equal(compression, EXR_COMPRESSION_ZIP);
    read_windows(read, file);
    read_text(file, "software", read->software, sizeof read->software);
    read_text(file, "brume:sceneHash", read->scene_hash, sizeof read->scene_hash);
    int32_t frame;
    check(exr_attr_get_int(file, 0, "brume:frame", &frame));
    read->frame = frame;
    check(exr_attr_get_double(file, 0, "brume:time", &read->time));
    read_pixels(read, file);
    check(exr_finish(&file));
    return read;
}

const float *exr_values(const ExrFile *file, const char *name)
{
    for (int n = 0; n < file->channel_count; n++) {
        if (strcmp(file->channels[n].name, name) == 0) {
            return file->channels[n].values;
        }
    }
    fail_msg("there is no channel %s", name);
    return NULL;
}

void free_exr(ExrFile *file)
{
    for (int n = 0; n < file->channel_count; n++) {
        free(file->channels[n].values);
    }
    free(file);
}
