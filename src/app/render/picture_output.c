#include "app/render/picture_output.h"

#include "brume/renderer.h"

static BrumeStatus check_video(const BrumeScene *scene, BrumeError *error)
{
    if (scene->bits == BRUME_IMAGE_BITS_16) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a video has 8 bits, but image.bits is 16 (give images, or -D image.bits=8)");
    }
    return BRUME_OK;
}

BrumeStatus brume_picture_output_resolve(BrumePictureOutput *output, const BrumeScene *scene,
                                         const BrumeOutputPattern *pattern, BrumeError *error)
{
    *output = (BrumePictureOutput){
        .width = scene->width,
        .height = scene->height,
        .format = {.bits = scene->bits == BRUME_IMAGE_BITS_16 ? 16 : 8, .channels = 3},
    };
    return pattern->video ? check_video(scene, error) : BRUME_OK;
}

// bytes of the rows of a PNG file with the number of their filter
static double row_bytes(const BrumePictureOutput *output)
{
    return ((double)brume_pixel_bytes(output->format) * output->width + 1.0) * output->height;
}

// deflate encodes at most 1032 bytes in one; signature, header and end of the file are 57 bytes
double brume_least_image_bytes(const BrumePictureOutput *output) { return row_bytes(output) / 1032.0 + 57.0; }

// what does not compress is stored in blocks of 32767 bytes with 5 bytes before each
double brume_most_image_bytes(const BrumePictureOutput *output)
{
    return row_bytes(output) * (1.0 + 5.0 / 32767.0) + 100.0;
}

size_t brume_picture_buffer_bytes(const BrumePictureOutput *output, const BrumeScene *scene)
{
    const size_t pixels = (size_t)output->width * (size_t)output->height;
    const size_t bytes = brume_pixel_bytes(output->format);
    const size_t radiance = 3 * sizeof(float);
    const size_t queue = 2 * bytes;
    // the filtered rows and, of noise that does not compress, the compressed bytes while their buffer grows
    const size_t encoder = bytes + 3 * bytes + (output->format.bits == 16 ? bytes : 0);
    const size_t sums = scene->integrator == BRUME_INTEGRATOR_PATH ? brume_trace_bytes(scene->width, scene->height) : 0;
    return pixels * (radiance + queue + encoder) + sums;
}
