/*
 * Regression on features without noise (as Bitterli, Rousselle, Moon, Iglesias-Guitian, Adler, Mitchell, Jarosz and
 * Novak, "Nonlinearly Weighted First-order Regression for Denoising Monte Carlo Renderings", Eurographics Symposium on
 * Rendering 2016), where the picture of the ray marcher, the base, is the first feature:
 *
 *     1. A wide window: difference = picture - base is fitted by a linear function of the features, with weights by
 *        their similarity. This is done at half the resolution, and the coefficients are applied to the features of the
 *        full one (He and Sun, "Fast Guided Filter", 2015), so that every edge of the features stays.
 *     2. A narrow window: the mean of the remainder is added.
 *     3. A pixel: the remainder is added.
 *
 * The results of 2 and 3 are multiplied by 1 - (expected square of noise) / (mean square nearby), 0 or more (as James
 * and Stein 1961). With many paths the noise vanishes, the factors tend to 1, and the result to the picture.
 *
 * No sum runs over more than a window, and each has the order of the window, so that a part of a picture has the bits
 * of the whole one.
 */
#include "raymarch/path/denoise.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"

#include <stdbool.h>
#include <string.h>

enum {
    CHANNELS = BRUME_DENOISE_CHANNELS,
    FEATURES = BRUME_DENOISE_FEATURES,
    WIDE = 7,   // radius of the wide window [blocks of 2 x 2 pixels]
    NARROW = 3, // radius of the narrow window [pixels]
    NEAR = 4,   // radius of the window of the mean squares [pixels]
    STRIP = 64, // pixels that a kernel computes together
    SQUARES = FEATURES * (FEATURES + 1) / 2,
    COEFFICIENTS = 1 + FEATURES, // of a channel: constant and slopes
};

// Scales of the differences of features beyond which pixels are dissimilar.
static const float luminance_scale = 0.35f; // of the sum of both
static const float transmittance_scale = 0.3f;
static const float surface_distance = 24.0f; // square of the distance of different surfaces

// Standard deviation of the slopes of the regression that is expected without data.
static const float slope_deviation = 0.5f;

// The noise counts as this much more than its estimate, which differs from the true one.
static const float noise_of_means = 2.0f;
static const float noise_of_pixels = 1.5f;

static const float tiny = 1e-15f;

// PaddedPlanes with a border of 0, so that windows need no test for the edge of the picture.
typedef struct PaddedPlanes {
    int width, height, border;
    size_t stride, size; // of a row, of a plane
    float *memory;
} PaddedPlanes;

static size_t plane_floats(int width, int height, int border)
{
    const size_t stride = (size_t)width + 2 * (size_t)border + STRIP; // the last strip may end beyond the row
    return stride * ((size_t)height + 2 * (size_t)border);
}

static bool create_planes(PaddedPlanes *planes, int width, int height, int border, int count)
{
    *planes = (PaddedPlanes){.width = width,
                             .height = height,
                             .border = border,
                             .stride = (size_t)width + 2 * (size_t)border + STRIP,
                             .size = plane_floats(width, height, border)};
    planes->memory = brume_alloc(planes->size * (size_t)count, sizeof(float));
    return planes->memory != NULL;
}

// the first value of a row of a plane, which may lie in the border
static float *row_of(const PaddedPlanes *planes, int plane, int y)
{
    return planes->memory + (size_t)plane * planes->size + (size_t)(y + planes->border) * planes->stride +
           (size_t)planes->border;
}

// the planes of blocks
enum {
    BLOCK_COUNT,    // 1 within the picture
    BLOCK_VARIANCE, // of the mean of the block
    BLOCK_ALPHA_VARIANCE,
    BLOCK_SURFACE,
    BLOCK_FEATURE, // three
    BLOCK_DIFFERENCE = BLOCK_FEATURE + FEATURES,
    BLOCK_PLANES = BLOCK_DIFFERENCE + CHANNELS
};

// the planes of pixels
enum {
    PIXEL_COUNT,    // 1 within the picture
    PIXEL_VARIANCE, // two: of the mean of the colors, of alpha
    PIXEL_SURFACE = PIXEL_VARIANCE + 2,
    PIXEL_FEATURE,
    PIXEL_REMAINDER = PIXEL_FEATURE + FEATURES,  // picture - result so far, of each channel
    PIXEL_MEAN = PIXEL_REMAINDER + CHANNELS,     // of the remainder in the narrow window, of each channel
    PIXEL_MEAN_VARIANCE = PIXEL_MEAN + CHANNELS, // two
    PIXEL_SHARE = PIXEL_MEAN_VARIANCE + 2,       // by which the mean or the remainder is multiplied: two
    PIXEL_PLANES = PIXEL_SHARE + 2
};

typedef struct Denoiser {
    BrumeDenoiseImage *image;
    int odd_left, odd_top; // 1 where the first block begins a pixel before the planes
    PaddedPlanes blocks;
    PaddedPlanes pixels;
    PaddedPlanes coefficients; // of blocks: COEFFICIENTS of each channel
} Denoiser;

static int block_columns(int begin, int count) { return (begin + count + 1) / 2 - begin / 2; }

// ---- blocks

// sets a block of 2 x 2 pixels to the mean of those within the picture that show the surface of the first
static void fill_block(const Denoiser *denoiser, int column, int row)
{
    const BrumeDenoiseImage *image = denoiser->image;
    float sums[BLOCK_PLANES] = {0};
    float count = 0.0f;
    for (int n = 0; n < 4; n++) {
        const int x = 2 * column - denoiser->odd_left + n % 2;
        const int y = 2 * row - denoiser->odd_top + n / 2;
        if (x < 0 || y < 0 || x >= image->width || y >= image->height) {
            continue;
        }
        const size_t pixel = (size_t)y * (size_t)image->width + (size_t)x;
        if (count > 0.0f && image->surface[pixel] != sums[BLOCK_SURFACE]) {
            continue;
        }
        count += 1.0f;
        sums[BLOCK_VARIANCE] += image->variance[0][pixel];
        sums[BLOCK_ALPHA_VARIANCE] += image->channels > 3 ? image->variance[1][pixel] : 0.0f;
        sums[BLOCK_SURFACE] = image->surface[pixel];
        for (int k = 0; k < FEATURES; k++) {
            sums[BLOCK_FEATURE + k] += image->feature[k][pixel];
        }
        for (int c = 0; c < image->channels; c++) {
            sums[BLOCK_DIFFERENCE + c] += image->picture[c][pixel] - image->base[c][pixel];
        }
    }
    const float share = 1.0f / count;
    for (int plane = 0; plane < BLOCK_PLANES; plane++) {
        float value = sums[plane] * share;
        if (plane == BLOCK_COUNT) {
            value = 1.0f;
        } else if (plane == BLOCK_SURFACE) {
            value = sums[plane];
        } else if (plane == BLOCK_VARIANCE || plane == BLOCK_ALPHA_VARIANCE) {
            value *= share;
        }
        row_of(&denoiser->blocks, plane, row)[column] = value;
    }
}

static void fill_blocks(const Denoiser *denoiser)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < denoiser->blocks.height; row++) {
        for (int column = 0; column < denoiser->blocks.width; column++) {
            fill_block(denoiser, column, row);
        }
    }
}

// ---- similarity

// rows of the features and of the surface of a plane, from some column
typedef struct FeatureRow {
    const float *feature[FEATURES];
    const float *surface;
    const float *count;
} FeatureRow;

// pointers to a pixel of the planes of features, of the surface and of the count
static FeatureRow feature_row(const PaddedPlanes *planes, int first_feature, int surface, int y, int x)
{
    return (FeatureRow){.feature = {row_of(planes, first_feature, y) + x, row_of(planes, first_feature + 1, y) + x,
                                    row_of(planes, first_feature + 2, y) + x},
                        .surface = row_of(planes, surface, y) + x,
                        .count = row_of(planes, 0, y) + x};
}

// 1 / (1 + d^2)^2 for the distance d of the features, times `scale`
BRUME_INLINE float similarity(const FeatureRow *a, int n, const FeatureRow *b, int m, float scale)
{
    const float light = a->feature[0][n] - b->feature[0][m];
    const float light_scale = luminance_scale * (a->feature[0][n] + b->feature[0][m]) + tiny;
    const float smoke = a->feature[1][n] - b->feature[1][m];
    const float behind = a->feature[2][n] - b->feature[2][m];
    const float behind_scale = luminance_scale * (a->feature[2][n] + b->feature[2][m]) + light_scale;
    const float other = a->surface[n] != b->surface[m] ? surface_distance * a->feature[1][n] : 0.0f;
    const float distance = (light * light) / (light_scale * light_scale) +
                           smoke * smoke * (1.0f / (transmittance_scale * transmittance_scale)) +
                           (behind * behind) / (behind_scale * behind_scale) + other;
    const float root = 1.0f / (1.0f + distance);
    return scale * root * root * b->count[m];
}

// ---- the wide window

// weighted sums over the windows of a strip of blocks
typedef struct Moments {
    float weight[STRIP];
    float feature[FEATURES][STRIP]; // relative to the feature of the block
    float square[SQUARES][STRIP];
    float difference[CHANNELS][STRIP];
    float product[CHANNELS][FEATURES][STRIP]; // difference times feature
    float variance[2][STRIP];
} Moments;

// (1 - r^2)^2 of the distance from the center of a window, r = 1 beyond its edge
static float window_weight(int dx, int dy, int radius)
{
    const float reach = (float)(radius + 1);
    const float r2 = (float)(dx * dx + dy * dy) / (reach * reach);
    return r2 < 1.0f ? (1.0f - r2) * (1.0f - r2) : 0.0f;
}

// adds the blocks at the offset (dx, dy) from the blocks of a strip
BRUME_KERNEL static void add_denoise_moments(Moments *restrict sums, const PaddedPlanes *planes, int x0, int y, int dx,
                                             int dy, float scale, int channels)
{
    const FeatureRow here = feature_row(planes, BLOCK_FEATURE, BLOCK_SURFACE, y, x0);
    const FeatureRow there = feature_row(planes, BLOCK_FEATURE, BLOCK_SURFACE, y + dy, x0 + dx);
    float weight[STRIP];
    float relative[FEATURES][STRIP];
    for (int n = 0; n < STRIP; n++) {
        weight[n] = similarity(&here, n, &there, n, scale);
        sums->weight[n] += weight[n];
    }
    for (int k = 0; k < FEATURES; k++) {
        for (int n = 0; n < STRIP; n++) {
            relative[k][n] = there.feature[k][n] - here.feature[k][n];
            sums->feature[k][n] += weight[n] * relative[k][n];
        }
    }
    int square = 0;
    for (int k = 0; k < FEATURES; k++) {
        for (int l = k; l < FEATURES; l++, square++) {
            for (int n = 0; n < STRIP; n++) {
                sums->square[square][n] += weight[n] * relative[k][n] * relative[l][n];
            }
        }
    }
    for (int v = 0; v < (channels > 3 ? 2 : 1); v++) {
        const float *variance = row_of(planes, BLOCK_VARIANCE + v, y + dy) + x0 + dx;
        for (int n = 0; n < STRIP; n++) {
            sums->variance[v][n] += weight[n] * variance[n];
        }
    }
    for (int c = 0; c < channels; c++) {
        const float *difference = row_of(planes, BLOCK_DIFFERENCE + c, y + dy) + x0 + dx;
        for (int n = 0; n < STRIP; n++) {
            const float weighted = weight[n] * difference[n];
            sums->difference[c][n] += weighted;
            sums->product[c][0][n] += weighted * relative[0][n];
            sums->product[c][1][n] += weighted * relative[1][n];
            sums->product[c][2][n] += weighted * relative[2][n];
        }
    }
}

// solves the symmetric positive definite matrix (a, b, c; b, d, e; c, e, f) by Cholesky's method
typedef struct Cholesky {
    float l00, l10, l11, l20, l21, l22; // the diagonal is inverted
} Cholesky;

static Cholesky factorize_cholesky(float a, float b, float c, float d, float e, float f)
{
    Cholesky l;
    l.l00 = 1.0f / sqrtf(a);
    l.l10 = b * l.l00;
    l.l20 = c * l.l00;
    l.l11 = 1.0f / sqrtf(brume_fmaxf(d - l.l10 * l.l10, 1e-5f * d));
    l.l21 = (e - l.l20 * l.l10) * l.l11;
    l.l22 = 1.0f / sqrtf(brume_fmaxf(f - l.l20 * l.l20 - l.l21 * l.l21, 1e-5f * f));
    return l;
}

static void solve_cholesky(const Cholesky *l, const float right[FEATURES], float solution[FEATURES])
{
    const float y0 = right[0] * l->l00;
    const float y1 = (right[1] - l->l10 * y0) * l->l11;
    const float y2 = (right[2] - l->l20 * y0 - l->l21 * y1) * l->l22;
    solution[2] = y2 * l->l22;
    solution[1] = (y1 - l->l21 * solution[2]) * l->l11;
    solution[0] = (y0 - l->l10 * solution[1] - l->l20 * solution[2]) * l->l00;
}

// Coefficients of one block from its sums. The slopes follow from ridge regression: with less data than noise they tend
// to 0, which is the base plus a constant. `base` has the features of the block.
static void fit_block(const Denoiser *denoiser, const Moments *sums, int n, int column, int row)
{
    const float weight = sums->weight[n]; // of the block itself at least
    const float share = 1.0f / weight;
    float base[FEATURES];
    float mean[FEATURES];
    for (int k = 0; k < FEATURES; k++) {
        base[k] = row_of(&denoiser->blocks, BLOCK_FEATURE + k, row)[column];
        mean[k] = sums->feature[k][n] * share;
    }
    float square[SQUARES];
    for (int k = 0, s = 0; k < FEATURES; k++) {
        for (int l = k; l < FEATURES; l++, s++) {
            square[s] = sums->square[s][n] - weight * mean[k] * mean[l];
        }
    }
    // a slope of 1 of the transmittance is a radiance, of the other features a factor
    const float light = brume_fmaxf(base[0] + mean[0], tiny);
    for (int group = 0; group < (denoiser->image->channels > 3 ? 2 : 1); group++) {
        const float noise = sums->variance[group][n] * share / (slope_deviation * slope_deviation);
        const float of_alpha = group == 1 ? light * light : 1.0f; // whose slopes are per radiance
        const float of_light = noise * of_alpha;
        const float smoke_variance = group == 1 ? noise : noise / (light * light);
        const Cholesky factors =
            factorize_cholesky(brume_fmaxf(square[0], 0.0f) * 1.001f + of_light + tiny, square[1], square[2],
                               brume_fmaxf(square[3], 0.0f) * 1.001f + smoke_variance + tiny, square[4],
                               brume_fmaxf(square[5], 0.0f) * 1.001f + of_light + tiny);
        const int first = group == 0 ? 0 : 3;
        const int end = group == 0 ? 3 : 4;
        for (int c = first; c < end; c++) {
            const float difference = sums->difference[c][n] * share;
            float right[FEATURES];
            float slope[FEATURES];
            for (int k = 0; k < FEATURES; k++) {
                right[k] = sums->product[c][k][n] - sums->difference[c][n] * mean[k];
            }
            solve_cholesky(&factors, right, slope);
            float constant = difference;
            for (int k = 0; k < FEATURES; k++) {
                constant -= slope[k] * (base[k] + mean[k]);
                row_of(&denoiser->coefficients, COEFFICIENTS * c + 1 + k, row)[column] = slope[k];
            }
            row_of(&denoiser->coefficients, COEFFICIENTS * c, row)[column] = constant;
        }
    }
}

static void fit_blocks(const Denoiser *denoiser)
{
    const PaddedPlanes *blocks = &denoiser->blocks;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < blocks->height; row++) {
        Moments sums;
        for (int x0 = 0; x0 < blocks->width; x0 += STRIP) {
            memset(&sums, 0, sizeof sums);
            for (int dy = -WIDE; dy <= WIDE; dy++) {
                for (int dx = -WIDE; dx <= WIDE; dx++) {
                    const float scale = window_weight(dx, dy, WIDE);
                    if (scale > 0.0f) {
                        add_denoise_moments(&sums, blocks, x0, row, dx, dy, scale, denoiser->image->channels);
                    }
                }
            }
            for (int n = 0; n < STRIP && x0 + n < blocks->width; n++) {
                fit_block(denoiser, &sums, n, x0 + n, row);
            }
        }
    }
}

// ---- pixels

// base + regression: interpolated linearly between the four nearest blocks, by their similarity to the pixel
static void apply_fit(const Denoiser *denoiser, int x, int y, float fitted[CHANNELS])
{
    const BrumeDenoiseImage *image = denoiser->image;
    const int column = (x + denoiser->odd_left) / 2;
    const int row = (y + denoiser->odd_top) / 2;
    const int next_column = (x + denoiser->odd_left) % 2 == 0 ? column - 1 : column + 1;
    const int next_row = (y + denoiser->odd_top) % 2 == 0 ? row - 1 : row + 1;
    const FeatureRow here = feature_row(&denoiser->pixels, PIXEL_FEATURE, PIXEL_SURFACE, y, x);
    const size_t pixel = (size_t)y * (size_t)image->width + (size_t)x;
    float total = 0.0f;
    float sums[CHANNELS] = {0};
    for (int n = 0; n < 4; n++) {
        const int bx = n % 2 == 0 ? column : next_column;
        const int by = n / 2 == 0 ? row : next_row;
        const float scale = (n % 2 == 0 ? 0.75f : 0.25f) * (n / 2 == 0 ? 0.75f : 0.25f);
        const FeatureRow there = feature_row(&denoiser->blocks, BLOCK_FEATURE, BLOCK_SURFACE, by, bx);
        const float weight = similarity(&here, 0, &there, 0, scale);
        if (!(weight > 0.0f)) {
            continue;
        }
        total += weight;
        for (int c = 0; c < image->channels; c++) {
            float value = row_of(&denoiser->coefficients, COEFFICIENTS * c, by)[bx];
            for (int k = 0; k < FEATURES; k++) {
                value += row_of(&denoiser->coefficients, COEFFICIENTS * c + 1 + k, by)[bx] * image->feature[k][pixel];
            }
            sums[c] += weight * value;
        }
    }
    for (int c = 0; c < image->channels; c++) {
        fitted[c] = image->base[c][pixel] + (total > 0.0f ? sums[c] / total : 0.0f);
    }
}

static void fill_pixels(const Denoiser *denoiser)
{
    const BrumeDenoiseImage *image = denoiser->image;
    const PaddedPlanes *pixels = &denoiser->pixels;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < image->height; y++) {
        const size_t start = (size_t)y * (size_t)image->width;
        const size_t bytes = (size_t)image->width * sizeof(float);
        for (int x = 0; x < image->width; x++) {
            row_of(pixels, PIXEL_COUNT, y)[x] = 1.0f;
        }
        memcpy(row_of(pixels, PIXEL_VARIANCE, y), image->variance[0] + start, bytes);
        if (image->channels > 3) {
            memcpy(row_of(pixels, PIXEL_VARIANCE + 1, y), image->variance[1] + start, bytes);
        }
        memcpy(row_of(pixels, PIXEL_SURFACE, y), image->surface + start, bytes);
        for (int k = 0; k < FEATURES; k++) {
            memcpy(row_of(pixels, PIXEL_FEATURE + k, y), image->feature[k] + start, bytes);
        }
        for (int x = 0; x < image->width; x++) {
            float fitted[CHANNELS];
            apply_fit(denoiser, x, y, fitted);
            for (int c = 0; c < image->channels; c++) {
                row_of(pixels, PIXEL_REMAINDER + c, y)[x] = image->picture[c][start + (size_t)x] - fitted[c];
            }
        }
    }
}

// adds the pixels at the offset (dx, dy) from the pixels of a strip
BRUME_KERNEL static void add_denoise_remainder(float weights[STRIP], float sums[CHANNELS + 2][STRIP],
                                               const PaddedPlanes *planes, int x0, int y, int dx, int dy, float scale,
                                               int channels)
{
    const FeatureRow here = feature_row(planes, PIXEL_FEATURE, PIXEL_SURFACE, y, x0);
    const FeatureRow there = feature_row(planes, PIXEL_FEATURE, PIXEL_SURFACE, y + dy, x0 + dx);
    float weight[STRIP];
    for (int n = 0; n < STRIP; n++) {
        weight[n] = similarity(&here, n, &there, n, scale);
        weights[n] += weight[n];
    }
    for (int c = 0; c < channels; c++) {
        const float *remainder = row_of(planes, PIXEL_REMAINDER + c, y + dy) + x0 + dx;
        for (int n = 0; n < STRIP; n++) {
            sums[c][n] += weight[n] * remainder[n];
        }
    }
    for (int v = 0; v < (channels > 3 ? 2 : 1); v++) {
        const float *variance = row_of(planes, PIXEL_VARIANCE + v, y + dy) + x0 + dx;
        for (int n = 0; n < STRIP; n++) {
            sums[CHANNELS + v][n] += weight[n] * weight[n] * variance[n];
        }
    }
}

// the weighted means of the remainder in the narrow window, and their variance
static void average_remainder(const Denoiser *denoiser)
{
    const PaddedPlanes *pixels = &denoiser->pixels;
    const int channels = denoiser->image->channels;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < pixels->height; y++) {
        float weights[STRIP];
        float sums[CHANNELS + 2][STRIP];
        for (int x0 = 0; x0 < pixels->width; x0 += STRIP) {
            memset(weights, 0, sizeof weights);
            memset(sums, 0, sizeof sums);
            for (int dy = -NARROW; dy <= NARROW; dy++) {
                for (int dx = -NARROW; dx <= NARROW; dx++) {
                    add_denoise_remainder(weights, sums, pixels, x0, y, dx, dy, window_weight(dx, dy, NARROW),
                                          channels);
                }
            }
            for (int n = 0; n < STRIP && x0 + n < pixels->width; n++) {
                const float share = 1.0f / weights[n];
                for (int c = 0; c < channels; c++) {
                    row_of(pixels, PIXEL_MEAN + c, y)[x0 + n] = share * sums[c][n];
                }
                for (int v = 0; v < 2; v++) {
                    row_of(pixels, PIXEL_MEAN_VARIANCE + v, y)[x0 + n] = share * share * sums[CHANNELS + v][n];
                }
            }
        }
    }
}

// adds the squares of `first` and the variances at the offset (dx, dy) from the pixels of a strip
BRUME_KERNEL static void add_denoise_squares(float squares[STRIP], float variances[STRIP], const PaddedPlanes *planes,
                                             const int plane[3], int variance_plane, int x0, int y, float scale)
{
    const float *red = row_of(planes, plane[0], y) + x0;
    const float *green = row_of(planes, plane[1], y) + x0;
    const float *blue = row_of(planes, plane[2], y) + x0;
    const float *variance = row_of(planes, variance_plane, y) + x0;
    for (int n = 0; n < STRIP; n++) {
        const float mean = (red[n] + green[n] + blue[n]) * (1.0f / 3.0f);
        squares[n] += scale * mean * mean;
        variances[n] += scale * variance[n];
    }
}

// sets PIXEL_SHARE, the fraction of the values of three planes that is not noise, from their variance and mean square
static void find_shares(const Denoiser *denoiser, int first, int variance, float noise)
{
    const PaddedPlanes *pixels = &denoiser->pixels;
    for (int group = 0; group < (denoiser->image->channels > 3 ? 2 : 1); group++) {
        const int plane[3] = {group == 0 ? first : first + 3, group == 0 ? first + 1 : first + 3,
                              group == 0 ? first + 2 : first + 3};
#pragma omp parallel for schedule(static)
        for (int y = 0; y < pixels->height; y++) {
            float squares[STRIP];
            float variances[STRIP];
            for (int x0 = 0; x0 < pixels->width; x0 += STRIP) {
                memset(squares, 0, sizeof squares);
                memset(variances, 0, sizeof variances);
                for (int dy = -NEAR; dy <= NEAR; dy++) {
                    for (int dx = -NEAR; dx <= NEAR; dx++) {
                        add_denoise_squares(squares, variances, pixels, plane, variance + group, x0 + dx, y + dy,
                                            window_weight(dx, dy, NEAR));
                    }
                }
                float *share = row_of(pixels, PIXEL_SHARE + group, y) + x0;
                for (int n = 0; n < STRIP && x0 + n < pixels->width; n++) {
                    const float left = squares[n] - noise * variances[n];
                    share[n] = left > 0.0f ? left / squares[n] : 0.0f;
                }
            }
        }
    }
}

// subtracts from the remainder the planes from `first` on, times their share
static void subtract_share(const Denoiser *denoiser, int first)
{
    const PaddedPlanes *pixels = &denoiser->pixels;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < pixels->height; y++) {
        for (int c = 0; c < denoiser->image->channels; c++) {
            const float *share = row_of(pixels, PIXEL_SHARE + (c < 3 ? 0 : 1), y);
            const float *value = row_of(pixels, first + c, y);
            float *remainder = row_of(pixels, PIXEL_REMAINDER + c, y);
            for (int x = 0; x < pixels->width; x++) {
                remainder[x] -= share[x] * value[x];
            }
        }
    }
}

// the result: the picture less the remainder, which is noise
static void subtract_remainder(const Denoiser *denoiser)
{
    BrumeDenoiseImage *image = denoiser->image;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < image->height; y++) {
        for (int c = 0; c < image->channels; c++) {
            const float *remainder = row_of(&denoiser->pixels, PIXEL_REMAINDER + c, y);
            float *value = image->picture[c] + (size_t)y * (size_t)image->width;
            for (int x = 0; x < image->width; x++) {
                value[x] = brume_fmaxf(value[x] - remainder[x], 0.0f);
            }
        }
    }
}

BrumeStatus brume_denoise(BrumeDenoiseImage *image, BrumeError *error)
{
    Denoiser denoiser = {.image = image, .odd_left = image->left % 2, .odd_top = image->top % 2};
    const int columns = block_columns(image->left, image->width);
    const int rows = block_columns(image->top, image->height);
    BrumeStatus status = BRUME_OK;
    if (!create_planes(&denoiser.blocks, columns, rows, WIDE, BLOCK_PLANES) ||
        !create_planes(&denoiser.coefficients, columns, rows, 0, COEFFICIENTS * image->channels) ||
        !create_planes(&denoiser.pixels, image->width, image->height, NEAR, PIXEL_PLANES)) {
        status = brume_out_of_memory(error, "a picture of %d x %d pixels without noise", image->width, image->height);
        goto cleanup;
    }
    fill_blocks(&denoiser);
    fit_blocks(&denoiser);
    fill_pixels(&denoiser);
    average_remainder(&denoiser);
    find_shares(&denoiser, PIXEL_MEAN, PIXEL_MEAN_VARIANCE, noise_of_means);
    subtract_share(&denoiser, PIXEL_MEAN);
    find_shares(&denoiser, PIXEL_REMAINDER, PIXEL_VARIANCE, noise_of_pixels);
    subtract_share(&denoiser, PIXEL_REMAINDER);
    subtract_remainder(&denoiser);
cleanup:
    brume_free(denoiser.blocks.memory);
    brume_free(denoiser.coefficients.memory);
    brume_free(denoiser.pixels.memory);
    return status;
}

static int image_planes(int channels) { return 2 * channels + 2 + FEATURES + 1; }

BrumeStatus brume_denoise_image_create(BrumeDenoiseImage *image, int width, int height, int channels, BrumeError *error)
{
    const size_t pixels = (size_t)width * (size_t)height;
    *image = (BrumeDenoiseImage){.width = width, .height = height, .channels = channels};
    image->memory = brume_alloc_untouched(pixels, (size_t)image_planes(channels) * sizeof(float));
    if (image->memory == NULL) {
        return brume_out_of_memory(error, "a picture of %d x %d pixels without noise", width, height);
    }
    float *next = image->memory;
    for (int c = 0; c < channels; c++, next += 2 * pixels) {
        image->picture[c] = next;
        image->base[c] = next + pixels;
    }
    for (int n = 0; n < 2; n++, next += pixels) {
        image->variance[n] = next;
    }
    for (int k = 0; k < FEATURES; k++, next += pixels) {
        image->feature[k] = next;
    }
    image->surface = next;
    return BRUME_OK;
}

void brume_denoise_image_destroy(BrumeDenoiseImage *image)
{
    brume_free(image->memory);
    *image = (BrumeDenoiseImage){0};
}

size_t brume_denoise_bytes(int width, int height, int channels)
{
    const size_t image = (size_t)width * (size_t)height * (size_t)image_planes(channels);
    const int columns = width / 2 + 1; // of blocks, at any place
    const int rows = height / 2 + 1;
    return sizeof(float) * (image + BLOCK_PLANES * plane_floats(columns, rows, WIDE) +
                            (size_t)(COEFFICIENTS * channels) * plane_floats(columns, rows, 0) +
                            PIXEL_PLANES * plane_floats(width, height, NEAR));
}
