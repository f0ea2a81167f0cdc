#include "io/hdr_read.h"

#include "io/resource_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The bytes that have not been read yet.
typedef struct HdrInput {
    const uint8_t *at, *end;
    const char *path;
} HdrInput;

BrumeStatus brume_float_image_create(BrumeFloatImage *image, long width, long height, const char *path,
                                     BrumeError *error)
{
    *image = (BrumeFloatImage){0};
    if (width < 1 || height < 1 || width > BRUME_MAX_IMAGE_SIDE || height > BRUME_MAX_IMAGE_SIDE) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has %ld x %ld pixels; 1 to %d are allowed along a side", path,
                          width, height, BRUME_MAX_IMAGE_SIDE);
    }
    const size_t bytes = (size_t)width * (size_t)height * 3 * sizeof(float);
    char what[64];
    (void)snprintf(what, sizeof what, "%ld x %ld pixels", width, height);
    const BrumeStatus status = brume_admit_values((double)bytes, path, what, error);
    if (status != BRUME_OK) {
        return status;
    }
    image->rgb = malloc(bytes);
    if (image->rgb == NULL) {
        return brume_out_of_memory(error, "%s", path);
    }
    image->width = (int)width;
    image->height = (int)height;
    return BRUME_OK;
}

bool brume_is_hdr(const uint8_t *bytes, size_t size) { return size >= 2 && bytes[0] == '#' && bytes[1] == '?'; }

static BrumeStatus fail_incomplete(const HdrInput *input, BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "%s: the picture is incomplete or damaged (copy or download it again)",
                      input->path);
}

// copies the next line, without its end; false where there is none of a sensible length
static bool read_line(HdrInput *input, char line[256])
{
    const uint8_t *end = memchr(input->at, '\n', (size_t)(input->end - input->at));
    if (end == NULL || end - input->at >= 256) {
        return false;
    }
    const size_t length = (size_t)(end - input->at);
    memcpy(line, input->at, length);
    line[length] = '\0';
    input->at = end + 1;
    return true;
}

static BrumeStatus read_header(HdrInput *input, long *width, long *height, BrumeError *error)
{
    char line[256] = "";
    bool is_rgbe = true;
    do {
        if (!read_line(input, line)) {
            return fail_incomplete(input, error);
        }
        is_rgbe = is_rgbe && (strncmp(line, "FORMAT=", 7) != 0 || strcmp(line, "FORMAT=32-bit_rle_rgbe") == 0);
    } while (line[0] != '\0');
    if (!is_rgbe) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: is not of the format 32-bit_rle_rgbe (convert it to that)",
                          input->path);
    }
    int used = 0;
    if (!read_line(input, line)) {
        return fail_incomplete(input, error);
    }
    if (sscanf(line, "-Y %ld +X %ld%n", height, width, &used) != 2 || line[used] != '\0') {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: does not store its rows from the top and from left to right (convert it to that)",
                          input->path);
    }
    return BRUME_OK;
}

// reads one component of a row, which consists of runs of equal bytes and of series of bytes
static bool read_component(HdrInput *input, uint8_t *to, int width)
{
    for (int x = 0; x < width;) {
        if (input->end - input->at < 2) {
            return false;
        }
        int count = *input->at++;
        const bool is_run = count > 128;
        count = is_run ? count - 128 : count;
        if (count == 0 || count > width - x || (!is_run && input->end - input->at < count)) {
            return false;
        }
        if (is_run) {
            memset(to + x, *input->at++, (size_t)count);
        } else {
            memcpy(to + x, input->at, (size_t)count);
            input->at += count;
        }
        x += count;
    }
    return true;
}

// Reads a row to `components` (4 x width). A row that is not compressed is stored pixel by pixel.
static bool read_row(HdrInput *input, uint8_t *components, int width)
{
    const uint8_t *at = input->at;
    const ptrdiff_t left = input->end - at;
    if (width >= 8 && width < 32768 && left >= 4 && at[0] == 2 && at[1] == 2 && at[2] < 128) {
        bool complete = (at[2] << 8 | at[3]) == width;
        input->at += 4;
        for (int c = 0; c < 4 && complete; c++) {
            complete = read_component(input, components + (size_t)c * (size_t)width, width);
        }
        return complete;
    }
    if (left < (ptrdiff_t)4 * width) {
        return false;
    }
    for (int x = 0; x < width; x++) {
        for (int c = 0; c < 4; c++) {
            components[(size_t)c * (size_t)width + (size_t)x] = at[4 * x + c];
        }
        if (at[4 * x] == 1 && at[4 * x + 1] == 1 && at[4 * x + 2] == 1) {
            return false; // a run of the earliest version of the format, which no program writes any more
        }
    }
    input->at += (ptrdiff_t)4 * width;
    return true;
}

// reads all rows; `components` is scratch of 4 x width
static BrumeStatus read_rows(HdrInput *input, const BrumeFloatImage *image, uint8_t *components, BrumeError *error)
{
    const size_t width = (size_t)image->width;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        if (!read_row(input, components, image->width)) {
            return fail_incomplete(input, error);
        }
        float *to = image->rgb + 3 * y * width;
        for (size_t x = 0; x < width; x++) {
            const int exponent = components[3 * width + x];
            const float scale = exponent > 0 ? ldexpf(1.0f, exponent - (128 + 8)) : 0.0f;
            for (size_t c = 0; c < 3; c++) {
                to[3 * x + c] = scale * (float)components[c * width + x];
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_hdr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error)
{
    HdrInput input = {bytes, bytes + size, path};
    long width = 0;
    long height = 0;
    *image = (BrumeFloatImage){0};
    BrumeStatus status = read_header(&input, &width, &height, error);
    if (status != BRUME_OK) {
        return status;
    }
    const double least = 4.0 * (double)height * ceil((double)width / 127.0); // a run has at most 127 pixels
    if (width > 0 && height > 0 && least > (double)size) {
        return fail_incomplete(&input, error);
    }
    status = brume_float_image_create(image, width, height, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    uint8_t *components = calloc((size_t)width, 4);
    status = components != NULL ? read_rows(&input, image, components, error) : brume_out_of_memory(error, "%s", path);
    free(components);
    if (status != BRUME_OK) {
        free(image->rgb);
        *image = (BrumeFloatImage){0};
    }
    return status;
}
