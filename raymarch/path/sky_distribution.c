#include "raymarch/path/sky_distribution.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/sky_image.h"
#include "raymarch/light/skylight.h"

typedef struct TableShape {
    int rows, columns;
} TableShape;

static TableShape table_shape(const BrumeSky *sky)
{
    if (sky->kind != BRUME_SKY_IMAGE) {
        return (TableShape){BRUME_SKY_RINGS, 1};
    }
    return (TableShape){brume_min_int(sky->image.height, BRUME_SKY_MAX_TABLE_SIDE),
                        brume_min_int(sky->image.width, BRUME_SKY_MAX_TABLE_SIDE)};
}

// floats of a table: edges and distribution of the rows, then a distribution of the columns for each row
static size_t table_entries(TableShape shape)
{
    return (size_t)2 * ((size_t)shape.rows + 1) + (size_t)shape.rows * ((size_t)shape.columns + 1);
}

size_t brume_sky_distribution_bytes(const BrumeRenderSettings *settings)
{
    return table_entries(table_shape(&settings->sky)) * sizeof(float);
}

// The first texel of a cell along a side; cells have equal numbers of texels, up to one.
static int first_texel(int cell, int cells, int texels) { return (int)((long)cell * texels / cells); }

// Sets the edges of the rows, which rise from the lowest row. An image is stored from the zenith down.
static void set_heights(BrumeSkyDistribution *sky, const BrumeRenderSettings *settings)
{
    for (int row = 0; row <= sky->rows; row++) {
        if (settings->sky.kind != BRUME_SKY_IMAGE) {
            sky->heights[row] = (float)row * ((1.0f - sky->lowest) / (float)sky->rows);
        } else {
            const int height = settings->sky.image.height;
            const int edge = first_texel(sky->rows - row, sky->rows, height);
            sky->heights[row] = brume_max(brume_sky_row_edge(edge, height) - sky->lowest, 0.0f);
        }
    }
}

static double sum_of_colors(const BrumeSkyImage *image, int row, int column)
{
    const int clamped = brume_min_int(brume_max_int(row, 0), image->height - 1);
    const float *texel = image->radiance + 3 * ((size_t)clamped * (size_t)image->width + (size_t)column);
    return (double)texel[0] + (double)texel[1] + (double)texel[2];
}

// The mean of an interpolated image over the height of each texel of the rows of a table's row: linear interpolation
// between the centers gives weights of 1/8, 6/8 and 1/8.
static void sum_rows(double *sums, const BrumeSkyImage *image, TableShape shape, int row)
{
    const int first = first_texel(row, shape.rows, image->height);
    const int end = first_texel(row + 1, shape.rows, image->height);
    for (int i = 0; i < image->width; i++) {
        sums[i] = 0.0;
    }
    for (int j = first; j < end; j++) {
        for (int i = 0; i < image->width; i++) {
            sums[i] +=
                (sum_of_colors(image, j - 1, i) + 6.0 * sum_of_colors(image, j, i) + sum_of_colors(image, j + 1, i)) /
                (8.0 * (end - first));
        }
    }
}

// the mean of the rows of sum_rows over the texels of a cell, with the same weights of neighbors across the width
static double cell_radiance(const double *sums, const BrumeSkyImage *image, TableShape shape, int column)
{
    const int first = first_texel(column, shape.columns, image->width);
    const int end = first_texel(column + 1, shape.columns, image->width);
    double sum = 0.0;
    for (int i = first; i < end; i++) {
        const double left = sums[i > 0 ? i - 1 : image->width - 1];
        const double right = sums[i + 1 < image->width ? i + 1 : 0];
        sum += (left + 6.0 * sums[i] + right) / 8.0;
    }
    return sum / (end - first);
}

// the sum of the colors along the middle of a ring
static float ring_radiance(const BrumeSkyDistribution *sky, const BrumeRenderSettings *settings, int ring)
{
    const float y = sky->lowest + ((float)ring + 0.5f) * ((1.0f - sky->lowest) / (float)sky->rows);
    const BrumeVec3 radiance = brume_sky_radiance(settings, brume_vec3(0.0f, y, 0.0f));
    return radiance.x + radiance.y + radiance.z;
}

// fills the cumulative distribution of the columns of a row; returns the sum of their radiance
static double fill_columns(float *column_cdf, const double *sums, const BrumeSkyImage *image, TableShape shape)
{
    double sum = 0.0;
    for (int column = 0; column < shape.columns; column++) {
        sum += cell_radiance(sums, image, shape, column);
        column_cdf[column + 1] = (float)sum;
    }
    for (int column = 1; column <= shape.columns; column++) {
        column_cdf[column] = sum > 0.0 ? column_cdf[column] / (float)sum : (float)column / (float)shape.columns;
    }
    return sum;
}

// fills the rows and columns of an image; `sums` is scratch of its width
static void fill_table(BrumeSkyDistribution *sky, const BrumeSky *settings, TableShape shape, double *sums)
{
    double total = 0.0;
    for (int row = 0; row < sky->rows; row++) {
        float *column_cdf = sky->column_cdf + (size_t)row * ((size_t)sky->columns + 1);
        sum_rows(sums, &settings->image, shape, sky->rows - 1 - row);
        const double sum = fill_columns(column_cdf, sums, &settings->image, shape);
        total += sum * (double)(sky->heights[row + 1] - sky->heights[row]);
        sky->row_cdf[row + 1] = (float)total;
    }
    for (int row = 1; row <= sky->rows; row++) {
        sky->row_cdf[row] = total > 0.0 ? sky->row_cdf[row] / (float)total : 0.0f;
    }
}

// density of the directions of a cell [1/sr]
static float cell_density(const BrumeSkyDistribution *sky, int row, int column)
{
    const float *cumulative = sky->column_cdf + (size_t)row * ((size_t)sky->columns + 1);
    const float share = sky->row_cdf[row + 1] - sky->row_cdf[row];
    const float of_row = (cumulative[column + 1] - cumulative[column]) * (float)sky->columns;
    const float height = sky->heights[row + 1] - sky->heights[row];
    return height > 0.0f ? share * of_row / (2.0f * BRUME_PI * height) : 0.0f;
}

// the mean over the distribution of its density, times the solid angle of all directions
static float concentration(const BrumeSkyDistribution *sky)
{
    double mean = 0.0;
    for (int row = 0; row < sky->rows; row++) {
        const float *cumulative = sky->column_cdf + (size_t)row * ((size_t)sky->columns + 1);
        const float share = sky->row_cdf[row + 1] - sky->row_cdf[row];
        for (int column = 0; column < sky->columns; column++) {
            const float probability = share * (cumulative[column + 1] - cumulative[column]);
            mean += (double)probability * (double)cell_density(sky, row, column);
        }
    }
    return (float)mean * 2.0f * BRUME_PI * (1.0f - sky->lowest);
}

BrumeStatus brume_sky_distribution_create(BrumeSkyDistribution *sky, const BrumeRenderSettings *settings,
                                          BrumeError *error)
{
    const TableShape shape = table_shape(&settings->sky);
    *sky =
        (BrumeSkyDistribution){.rows = shape.rows, .columns = shape.columns, .lowest = settings->ground ? 0.0f : -1.0f};
    sky->heights = brume_alloc(table_entries(shape), sizeof(float));
    if (sky->heights == NULL) {
        return brume_out_of_memory(error, "the directions of the sky");
    }
    sky->row_cdf = sky->heights + shape.rows + 1;
    sky->column_cdf = sky->row_cdf + shape.rows + 1;
    set_heights(sky, settings);
    if (settings->sky.kind == BRUME_SKY_IMAGE) {
        sky->first_azimuth = brume_sky_first_azimuth(&settings->sky);
        double *sums = brume_alloc_untouched((size_t)settings->sky.image.width, sizeof *sums);
        if (sums == NULL) {
            return brume_out_of_memory(error, "the directions of the sky");
        }
        fill_table(sky, &settings->sky, shape, sums);
        brume_free(sums);
        sky->concentration = concentration(sky);
        return BRUME_OK;
    }
    for (int row = 0; row < sky->rows; row++) {
        sky->row_cdf[row + 1] = sky->row_cdf[row] + ring_radiance(sky, settings, row);
        sky->column_cdf[2 * row + 1] = 1.0f;
    }
    const float total = sky->row_cdf[sky->rows];
    for (int row = 1; row <= sky->rows && total > 0.0f; row++) {
        sky->row_cdf[row] /= total;
    }
    sky->concentration = concentration(sky);
    return BRUME_OK;
}

void brume_sky_distribution_destroy(BrumeSkyDistribution *sky)
{
    brume_free(sky->heights); // the other tables follow it
    *sky = (BrumeSkyDistribution){0};
}

// the last of `count` intervals that begins at or below `value`, of the intervals that are not empty where there is one
static int find_interval(const float *edges, int count, float value)
{
    int first = 0;
    for (int end = count; first + 1 < end;) {
        const int middle = first + (end - first) / 2;
        if (edges[middle] <= value) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return first;
}

// the position of a value in an interval, from 0 to 1
static float position_within(float lower, float upper, float value)
{
    const float share = upper - lower;
    return share > 0.0f ? brume_min((value - lower) / share, 1.0f) : 0.5f;
}

BrumeVec3 brume_sky_sample(const BrumeSkyDistribution *sky, BrumePair random, float *density)
{
    const int row = find_interval(sky->row_cdf, sky->rows, random.u);
    const float *cumulative = sky->column_cdf + (size_t)row * ((size_t)sky->columns + 1);
    const int column = find_interval(cumulative, sky->columns, random.v);
    const float up = position_within(sky->row_cdf[row], sky->row_cdf[row + 1], random.u);
    const float along = position_within(cumulative[column], cumulative[column + 1], random.v);
    const float height = sky->heights[row] + up * (sky->heights[row + 1] - sky->heights[row]);
    const float y = brume_clamp(sky->lowest + height, sky->lowest, 1.0f);
    const float radius = sqrtf(brume_max(0.0f, 1.0f - y * y));
    const float azimuth = sky->first_azimuth + 2.0f * BRUME_PI * (((float)column + along) / (float)sky->columns);
    *density = cell_density(sky, row, column);
    return brume_vec3(radius * brume_cosf(azimuth), y, radius * brume_sinf(azimuth));
}

float brume_sky_density(const BrumeSkyDistribution *sky, BrumeVec3 direction)
{
    const float height = direction.y - sky->lowest;
    if (!(height >= 0.0f)) {
        return 0.0f;
    }
    float turn = 0.0f;
    if (sky->columns > 1) {
        turn = (brume_atan2f(direction.z, direction.x) - sky->first_azimuth) / (2.0f * BRUME_PI);
        turn -= floorf(turn);
    }
    const int column = (int)(turn * (float)sky->columns);
    return cell_density(sky, find_interval(sky->heights, sky->rows, height), brume_min_int(column, sky->columns - 1));
}
