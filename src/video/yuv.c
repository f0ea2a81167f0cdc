/*
 * Dither. The levels of limited range are 1.16 times as far apart as the levels of R'G'B', and rounding a slow gradient
 * to them would make bands, above all in chroma. So the ordered dither of an 8 x 8 matrix is added before values are
 * cut to whole numbers. The renderer has dithered R'G'B' with the same matrix (raymarch/tone.c); its complement is used
 * here, because values that were rounded up there are then likely to be rounded down: of all shifts and reflections of
 * the matrix this adds the least noise; the mean over a matrix deviates by less than 0.12 levels instead of 0.47.
 */
#include "video/yuv.h"

#include <assert.h>
#include <stddef.h>

enum { MATRIX_SIZE = 8 };

// weights of red, green and blue in Y', from the primaries of BT.709
static const float red = 0.2126f;
static const float green = 0.7152f;
static const float blue = 0.0722f;

// one minus the entry of the matrix: the bits of x ^ y and y interleaved, most significant last
static float dither(int x, int y)
{
    const unsigned a = (unsigned)(x ^ y);
    const unsigned b = (unsigned)y;
    unsigned entry = 0;
    for (unsigned bit = 0; bit < 3; bit++) {
        entry = entry << 2 | (a >> bit & 1u) << 1 | (b >> bit & 1u);
    }
    return 1.0f - ((float)entry + 0.5f) / (MATRIX_SIZE * MATRIX_SIZE);
}

static float luma(const float rgb[3]) { return red * rgb[0] + green * rgb[1] + blue * rgb[2]; }

static void convert_luma(const uint8_t *rgb, int width, int y, uint8_t *row)
{
    const float scale = 219.0f / 255.0f;
    for (int x = 0; x < width; x++) {
        const float pixel[3] = {(float)rgb[3 * x], (float)rgb[3 * x + 1], (float)rgb[3 * x + 2]};
        row[x] = (uint8_t)(16.0f + scale * luma(pixel) + dither(x, y));
    }
}

// Computes one row of chroma from the two rows of pixels that it covers. Columns have the weights 1, 2, 1 about the
// column of the sample; the left column is repeated beyond the edge.
static void convert_chroma(const uint8_t *upper, const uint8_t *lower, int width, int y, uint8_t *cb, uint8_t *cr)
{
    const float cb_scale = 224.0f / 255.0f / (2.0f * (1.0f - blue));
    const float cr_scale = 224.0f / 255.0f / (2.0f * (1.0f - red));
    for (int x = 0; x < width / 2; x++) {
        const ptrdiff_t middle = (ptrdiff_t)6 * x;
        const ptrdiff_t left = x > 0 ? middle - 3 : middle;
        const ptrdiff_t right = middle + 3;
        float mean[3];
        for (int c = 0; c < 3; c++) {
            const int sum = upper[left + c] + 2 * upper[middle + c] + upper[right + c] + lower[left + c] +
                            2 * lower[middle + c] + lower[right + c];
            mean[c] = (float)sum / 8.0f;
        }
        const float threshold = dither(x, y);
        cb[x] = (uint8_t)(128.0f + cb_scale * (mean[2] - luma(mean)) + threshold);
        cr[x] = (uint8_t)(128.0f + cr_scale * (mean[0] - luma(mean)) + threshold);
    }
}

void brume_yuv_from_rgb(const uint8_t *rgb, int width, int height, const BrumeYuvPlanes *planes)
{
    assert(width % 2 == 0 && height % 2 == 0);
    const ptrdiff_t stride = (ptrdiff_t)3 * width;
    for (int y = 0; y < height; y++) {
        convert_luma(rgb + stride * y, width, y, planes->y + (ptrdiff_t)planes->y_stride * y);
    }
    for (int y = 0; y < height / 2; y++) {
        const uint8_t *upper = rgb + 2 * stride * y;
        convert_chroma(upper, upper + stride, width, y, planes->cb + (ptrdiff_t)planes->cb_stride * y,
                       planes->cr + (ptrdiff_t)planes->cr_stride * y);
    }
}
