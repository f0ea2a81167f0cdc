// Each level has half the sides of the level before it, rounded down. Where a side is odd, three texels with weights
// that shift along the side make one (Guthe and Heitbrink 2005, "Non-power-of-two mipmapping"), so that every level has
// the mean of the picture.
#include "raymarch/ground_image.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <math.h>

enum { MOST_SAMPLES = 16 }; // along a footprint

static int half_side(int side) { return side > 1 ? side / 2 : 1; }

size_t brume_ground_image_entries(int width, int height)
{
    size_t entries = 0;
    while (width > 1 || height > 1) {
        entries += (size_t)3 * (size_t)width * (size_t)height;
        width = half_side(width);
        height = half_side(height);
    }
    return entries + 3;
}

// the weights of the texels 2 n, 2 n + 1 and 2 n + 2 of a side in texel n of the halved side
static void halving_weights(int side, int n, float weights[3])
{
    const int below = side / 2;
    const float half = (float)below;
    if (side == 1) {
        weights[0] = 1.0f;
        weights[1] = weights[2] = 0.0f;
    } else if (side % 2 == 0) {
        weights[0] = weights[1] = 0.5f;
        weights[2] = 0.0f;
    } else {
        weights[0] = (half - (float)n) / (float)side;
        weights[1] = half / (float)side;
        weights[2] = ((float)n + 1.0f) / (float)side;
    }
}

static void halve_image(const float *from, int width, int height, float *to)
{
    const int columns = half_side(width);
    const int rows = half_side(height);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < rows; y++) {
        float of_rows[3];
        halving_weights(height, y, of_rows);
        for (int x = 0; x < columns; x++) {
            float of_columns[3];
            halving_weights(width, x, of_columns);
            float sum[3] = {0.0f, 0.0f, 0.0f};
            for (int j = 0; j < 3; j++) {
                for (int i = 0; i < 3; i++) {
                    const float weight = of_rows[j] * of_columns[i];
                    if (weight > 0.0f) {
                        const size_t texel = (size_t)(2 * y + j) * (size_t)width + (size_t)(2 * x + i);
                        for (size_t c = 0; c < 3; c++) {
                            sum[c] += weight * from[3 * texel + c];
                        }
                    }
                }
            }
            float *texel = to + 3 * ((size_t)y * (size_t)columns + (size_t)x);
            texel[0] = sum[0];
            texel[1] = sum[1];
            texel[2] = sum[2];
        }
    }
}

void brume_ground_image_fill_levels(float *albedo, int width, int height)
{
    while (width > 1 || height > 1) {
        float *next = albedo + (size_t)3 * (size_t)width * (size_t)height;
        halve_image(albedo, width, height, next);
        albedo = next;
        width = half_side(width);
        height = half_side(height);
    }
}

static int wrap_or_clamp(int index, int side, bool repeat)
{
    if (!repeat) {
        return brume_max_int(0, brume_min_int(index, side - 1));
    }
    const int rest = index % side;
    return rest < 0 ? rest + side : rest;
}

// the albedo at (u, v) [sides of the image], bilinear between the centers of the texels of a level
static BrumeVec3 sample_level(const float *texels, int width, int height, float u, float v, bool repeat)
{
    const float x = u * (float)width - 0.5f;
    const float y = v * (float)height - 0.5f;
    const float left = floorf(x);
    const float top = floorf(y);
    const float fx = x - left;
    const float fy = y - top;
    BrumeVec3 sum = {0};
    for (int corner = 0; corner < 4; corner++) {
        const int column = wrap_or_clamp((int)left + corner % 2, width, repeat);
        const int row = wrap_or_clamp((int)top + corner / 2, height, repeat);
        const float weight = (corner % 2 ? fx : 1.0f - fx) * (corner / 2 ? fy : 1.0f - fy);
        const float *texel = texels + 3 * ((size_t)row * (size_t)width + (size_t)column);
        sum = brume_add(sum, brume_scale(brume_vec3(texel[0], texel[1], texel[2]), weight));
    }
    return sum;
}

// the albedo, linear between two levels; `level` is log2 of the side of the sample in texels, at least 0
static BrumeVec3 sample_levels(const BrumeGroundImage *image, float level, float u, float v)
{
    const float *texels = image->albedo;
    int width = image->width;
    int height = image->height;
    int whole = (int)level;
    for (; whole > 0 && (width > 1 || height > 1); whole--) {
        texels += (size_t)3 * (size_t)width * (size_t)height;
        width = half_side(width);
        height = half_side(height);
    }
    const BrumeVec3 fine = sample_level(texels, width, height, u, v, image->repeat);
    if (width == 1 && height == 1) {
        return fine;
    }
    const float *next = texels + (size_t)3 * (size_t)width * (size_t)height;
    const BrumeVec3 coarse = sample_level(next, half_side(width), half_side(height), u, v, image->repeat);
    const float share = level - floorf(level);
    return brume_add(brume_scale(fine, 1.0f - share), brume_scale(coarse, share));
}

// the part of a sample of this width [m] that is within `half` [m] of the center
static float share_within(float from_center, float half, float width)
{
    return brume_clamp(0.5f + (half - fabsf(from_center)) / width, 0.0f, 1.0f);
}

BrumeVec3 brume_ground_image_albedo(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 direction,
                                    float width, float length)
{
    const BrumeGroundImage *image = &settings->ground_image;
    const float size_z = image->size * (float)image->height / (float)image->width;
    const float horizontal = brume_max(sqrtf(direction.x * direction.x + direction.z * direction.z), 1e-6f);
    const int samples = (int)brume_clamp(ceilf(length / width), 1.0f, (float)MOST_SAMPLES);
    const float side = brume_max(width, length / (float)samples); // of a sample [m]
    const float texels = side * (float)image->width / image->size;
    const float level = texels > 1.0f ? brume_min(brume_lnf(texels) * 1.44269504f, 30.0f) : 0.0f;
    BrumeVec3 sum = {0};
    for (int n = 0; n < samples; n++) {
        const float along = (((float)n + 0.5f) / (float)samples - 0.5f) * length / horizontal;
        const float x = point.x + along * direction.x - image->x;
        const float z = point.z + along * direction.z - image->z;
        float u = x / image->size + 0.5f;
        float v = z / size_z + 0.5f;
        if (image->repeat) {
            u -= floorf(u);
            v -= floorf(v);
        } else {
            u = brume_clamp(u, -1.0f, 2.0f);
            v = brume_clamp(v, -1.0f, 2.0f);
        }
        BrumeVec3 albedo = sample_levels(image, level, u, v);
        if (!image->repeat) {
            const float share = share_within(x, 0.5f * image->size, side) * share_within(z, 0.5f * size_z, side);
            albedo = brume_add(brume_scale(albedo, share), brume_scale(settings->ground_albedo, 1.0f - share));
        }
        sum = brume_add(sum, albedo);
    }
    return brume_scale(sum, 1.0f / (float)samples);
}

BrumeVec3 brume_ground_image_mean(const BrumeGroundImage *image)
{
    const float *last = image->albedo + brume_ground_image_entries(image->width, image->height) - 3;
    return brume_vec3(last[0], last[1], last[2]);
}

BrumeStatus brume_ground_image_check(const BrumeGroundImage *image, BrumeError *error)
{
    const bool has_size = image->width >= 1 && image->width <= 32768 && image->height >= 1 && image->height <= 32768;
    if (!has_size || image->albedo == NULL || !(image->size > 0.0f && image->size < INFINITY) || !isfinite(image->x) ||
        !isfinite(image->z)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the image of the ground has %d x %d texels and a side of %g m%s",
                          image->width, image->height, (double)image->size,
                          image->albedo == NULL ? ", and no values" : "");
    }
    return BRUME_OK;
}
