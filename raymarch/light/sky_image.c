// The integrals are computed from a coarse copy of the image. Each of its cells has the integral of radiance over its
// solid angle, and the integral of radiance times direction, from which the irradiance on every surface that has the
// whole cell above its horizon follows without error: small bright sources keep their position.
#include "raymarch/light/sky_image.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"

#include <math.h>

enum {
    MAX_SIDE = 32768,         // [texels]
    COLUMNS = 64,             // of the coarse copy
    ROWS = 32,                //
    MIN_COLUMNS = 4 * COLUMNS // of the parts that an image is divided into
};

// A cell of the coarse copy: integrals over its solid angle.
typedef struct SkyCell {
    double radiance[3];    // by color
    double moment[3][3];   // of radiance times direction, by color
    double solid_angle;    // [sr]
    double unit_moment[3]; // of the direction
} SkyCell;

float brume_sky_row_edge(int row, int height) { return (float)brume_cos(M_PI * row / height); }

float brume_sky_first_azimuth(const BrumeSky *sky)
{
    // the middle column lies at -z, whose azimuth is -pi/2; azimuths of lights grow from +z to +x, those here to +z
    return BRUME_PI * (0.5f - sky->rotation / 180.0f);
}

static BrumeVec3 texel(const BrumeSkyImage *image, int column, int row)
{
    const float *at = image->radiance + 3 * ((size_t)row * (size_t)image->width + (size_t)column);
    return brume_vec3(at[0], at[1], at[2]);
}

static BrumeVec3 blend(BrumeVec3 a, BrumeVec3 b, float share)
{
    return brume_add(a, brume_scale(brume_sub(b, a), share));
}

// the azimuth of a direction as a share of the turn from the left edge of the image [0, 1)
static float turn_of(const BrumeSky *sky, BrumeVec3 direction)
{
    const float turn = (brume_atan2f(direction.z, direction.x) - brume_sky_first_azimuth(sky)) / (2.0f * BRUME_PI);
    return brume_clamp(turn - floorf(turn), 0.0f, 0x1.fffffep-1f);
}

BrumeVec3 brume_sky_image_radiance(const BrumeSky *sky, BrumeVec3 direction)
{
    const BrumeSkyImage *image = &sky->image;
    const float x = turn_of(sky, direction) * (float)image->width - 0.5f;
    const float polar = (float)brume_acos((double)brume_clamp(direction.y, -1.0f, 1.0f)) / BRUME_PI;
    const float y = brume_clamp(polar * (float)image->height - 0.5f, 0.0f, (float)(image->height - 1));
    const int left = (int)floorf(x);
    const int upper = brume_min_int((int)y, brume_max_int(image->height - 2, 0));
    const int lower = brume_min_int(upper + 1, image->height - 1);
    const int column = left < 0 ? image->width - 1 : left;
    const int next = column + 1 < image->width ? column + 1 : 0;
    const float fx = x - (float)left;
    const float fy = y - (float)upper;
    const BrumeVec3 above = blend(texel(image, column, upper), texel(image, next, upper), fx);
    const BrumeVec3 below = blend(texel(image, column, lower), texel(image, next, lower), fx);
    return brume_scale(blend(above, below, fy), sky->intensity);
}

// the integral of sqrt(1 - y^2)
static double half_disc(double y) { return 0.5 * (y * sqrt(brume_fmax(1.0 - y * y, 0.0)) + brume_asin(y)); }

// How an image is divided: texels of small images into equal parts, so that every cell has a share of one.
typedef struct Division {
    int split_x, split_y; // parts of a texel
    int columns, rows;    // of parts
    double *cosines;      // of the azimuths of the edges of columns (columns + 1)
    double *sines;
} Division;

// integrals over the heights y of a row of parts
typedef struct RowIntegrals {
    double height;     // of 1
    double horizontal; // of sqrt(1 - y^2)
    double vertical;   // of y
} RowIntegrals;

// integrals over one row, without the part below the horizon where there is a `ground`
static RowIntegrals row_integrals(const Division *division, int row, bool ground)
{
    double upper = brume_cos(M_PI * row / division->rows);
    double lower = brume_cos(M_PI * (row + 1) / division->rows);
    upper = ground ? brume_fmax(upper, 0.0) : upper;
    lower = ground ? brume_fmax(lower, 0.0) : lower;
    return (RowIntegrals){upper - lower, half_disc(upper) - half_disc(lower), 0.5 * (upper * upper - lower * lower)};
}

// adds a part of a texel of this radiance to a cell
static void add_part(SkyCell *cell, const BrumeVec3 radiance, const Division *division, const RowIntegrals *row,
                     int column)
{
    const double width = 2.0 * M_PI / division->columns;
    const double moment[3] = {row->horizontal * (division->sines[column + 1] - division->sines[column]),
                              row->vertical * width,
                              row->horizontal * (division->cosines[column] - division->cosines[column + 1])};
    const double values[3] = {(double)radiance.x, (double)radiance.y, (double)radiance.z};
    cell->solid_angle += row->height * width;
    for (int axis = 0; axis < 3; axis++) {
        cell->unit_moment[axis] += moment[axis];
    }
    for (int c = 0; c < 3; c++) {
        cell->radiance[c] += values[c] * row->height * width;
        for (int axis = 0; axis < 3; axis++) {
            cell->moment[c][axis] += values[c] * moment[axis];
        }
    }
}

// fills one row of the coarse copy
static void fill_row(SkyCell *cells, const BrumeSky *sky, bool ground, const Division *division, int coarse_row)
{
    const int first = (coarse_row * division->rows + ROWS - 1) / ROWS;
    const int end = ((coarse_row + 1) * division->rows + ROWS - 1) / ROWS;
    for (int row = first; row < end; row++) {
        const RowIntegrals heights = row_integrals(division, row, ground);
        for (int column = 0; column < division->columns && heights.height > 0.0; column++) {
            const BrumeVec3 radiance = texel(&sky->image, column / division->split_x, row / division->split_y);
            add_part(&cells[(int)((long)column * COLUMNS / division->columns)], brume_scale(radiance, sky->intensity),
                     division, &heights, column);
        }
    }
}

// allocates the azimuths and divides the image into at least MIN_COLUMNS columns
static bool create_division(Division *division, const BrumeSky *sky)
{
    division->split_x = (MIN_COLUMNS + sky->image.width - 1) / sky->image.width;
    division->split_y = (MIN_COLUMNS / 2 + sky->image.height - 1) / sky->image.height;
    division->columns = division->split_x * sky->image.width;
    division->rows = division->split_y * sky->image.height;
    division->cosines = brume_alloc((size_t)division->columns + 1, sizeof(double));
    division->sines = brume_alloc((size_t)division->columns + 1, sizeof(double));
    for (int n = 0; n <= division->columns && division->cosines != NULL && division->sines != NULL; n++) {
        const double azimuth = (double)brume_sky_first_azimuth(sky) + 2.0 * M_PI * n / division->columns;
        division->cosines[n] = brume_cos(azimuth);
        division->sines[n] = brume_sin(azimuth);
    }
    return division->cosines != NULL && division->sines != NULL;
}

static double positive_dot(const double a[3], const double b[3])
{
    return brume_fmax(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 0.0);
}

// Irradiance / pi on a surface. Cells across its horizon count with too little; the same error of a constant sky, of
// which the irradiance is known, corrects it.
static BrumeVec3 integrate_irradiance(const SkyCell *cells, bool ground, const double normal[3])
{
    double sums[3] = {0.0};
    double of_constant = 0.0;
    for (int n = 0; n < COLUMNS * ROWS; n++) {
        of_constant += positive_dot(cells[n].unit_moment, normal);
        for (int c = 0; c < 3; c++) {
            sums[c] += positive_dot(cells[n].moment[c], normal);
        }
    }
    const double exact = M_PI * (ground ? 0.5 * (1.0 + normal[1]) : 1.0);
    const double factor = of_constant > 1e-3 ? exact / of_constant : 1.0;
    return brume_vec3((float)(sums[0] * factor / M_PI), (float)(sums[1] * factor / M_PI),
                      (float)(sums[2] * factor / M_PI));
}

// the index of the unit vector closest to the middle of a cell's light
static int closest(const SkyCell *cell, bool ground, const BrumeVec3 *towards, int count)
{
    double middle[3];
    for (int axis = 0; axis < 3; axis++) {
        const double light = cell->moment[0][axis] + cell->moment[1][axis] + cell->moment[2][axis];
        const bool dark = !(cell->radiance[0] + cell->radiance[1] + cell->radiance[2] > 0.0);
        middle[axis] = dark ? cell->unit_moment[axis] : light;
    }
    int found = 0;
    double best = -INFINITY;
    for (int n = 0; n < count; n++) {
        const double along =
            middle[0] * (double)towards[n].x + middle[1] * (double)towards[n].y + middle[2] * (double)towards[n].z;
        if (along > best && !(ground && towards[n].y < 0.0f)) {
            best = along;
            found = n;
        }
    }
    return found;
}

// the mean radiance of the cells closest to each of the unit vectors `towards`
static void integrate_means(const SkyCell *cells, bool ground, const BrumeVec3 *towards, int count, BrumeVec3 *means)
{
    double total[3] = {0.0};
    double sum_of_means[3] = {0.0};
    int lit = 0;
    int owner[COLUMNS * ROWS];
    for (int m = 0; m < COLUMNS * ROWS; m++) {
        owner[m] = cells[m].solid_angle > 0.0 ? closest(&cells[m], ground, towards, count) : -1;
    }
    for (int n = 0; n < count; n++) {
        means[n] = brume_vec3(0.0f, 0.0f, 0.0f);
        lit += !(ground && towards[n].y < 0.0f);
    }
    for (int n = 0; n < count; n++) {
        double sums[3] = {0.0};
        double solid_angle = 0.0;
        for (int m = 0; m < COLUMNS * ROWS; m++) {
            if (owner[m] == n) {
                solid_angle += cells[m].solid_angle;
                for (int c = 0; c < 3; c++) {
                    sums[c] += cells[m].radiance[c];
                }
            }
        }
        for (int c = 0; c < 3 && solid_angle > 0.0; c++) {
            total[c] += sums[c];
            sum_of_means[c] += sums[c] / solid_angle;
        }
        if (solid_angle > 0.0) {
            means[n] = brume_vec3((float)(sums[0] / solid_angle), (float)(sums[1] / solid_angle),
                                  (float)(sums[2] / solid_angle));
        }
    }
    // the solid angles are not exactly equal; all means are scaled so that no light is lost or added
    float factor[3];
    for (int c = 0; c < 3; c++) {
        const double exact = total[c] / ((ground ? 2.0 : 4.0) * M_PI) * lit;
        factor[c] = sum_of_means[c] > 0.0 ? (float)(exact / sum_of_means[c]) : 1.0f;
    }
    for (int n = 0; n < count; n++) {
        means[n] = brume_mul(means[n], brume_vec3(factor[0], factor[1], factor[2]));
    }
}

BrumeStatus brume_sky_integrate(BrumeSkyIntegrals *integrals, const BrumeRenderSettings *settings,
                                const BrumeVec3 *towards, int count, BrumeVec3 *means, BrumeError *error)
{
    SkyCell *cells = brume_alloc((size_t)COLUMNS * ROWS, sizeof *cells);
    Division division = {0};
    BrumeStatus status = BRUME_OK;
    if (cells == NULL || !create_division(&division, &settings->sky)) {
        status = brume_out_of_memory(error, "the light of the sky");
        goto cleanup;
    }
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < ROWS; row++) {
        fill_row(cells + (size_t)row * COLUMNS, &settings->sky, settings->ground, &division, row);
    }
#pragma omp parallel for schedule(dynamic)
    for (int azimuth = 0; azimuth < BRUME_SKY_AZIMUTHS; azimuth++) {
        const double turn = 2.0 * M_PI * azimuth / BRUME_SKY_AZIMUTHS;
        for (int n = 0; n < BRUME_SKY_POLAR_ANGLES; n++) {
            const double up = M_PI * n / (BRUME_SKY_POLAR_ANGLES - 1); // from straight down
            const double normal[3] = {brume_sin(up) * brume_cos(turn), -brume_cos(up), brume_sin(up) * brume_sin(turn)};
            integrals->irradiance[azimuth][n] = integrate_irradiance(cells, settings->ground, normal);
        }
    }
    for (int n = 0; n < BRUME_SKY_POLAR_ANGLES; n++) {
        integrals->irradiance[BRUME_SKY_AZIMUTHS][n] = integrals->irradiance[0][n];
    }
    integrate_means(cells, settings->ground, towards, count, means);
cleanup:
    brume_free(division.cosines);
    brume_free(division.sines);
    brume_free(cells);
    return status;
}

BrumeVec3 brume_sky_irradiance(const BrumeSkyIntegrals *integrals, BrumeVec3 normal)
{
    const float polar = 1.0f - (float)brume_acos((double)brume_clamp(normal.y, -1.0f, 1.0f)) / BRUME_PI;
    const float turn = brume_atan2f(normal.z, normal.x) / (2.0f * BRUME_PI);
    const float x = polar * (BRUME_SKY_POLAR_ANGLES - 1);
    const float y = brume_clamp(turn - floorf(turn), 0.0f, 1.0f) * BRUME_SKY_AZIMUTHS;
    const int i = brume_min_int((int)x, BRUME_SKY_POLAR_ANGLES - 2);
    const int j = brume_min_int((int)y, BRUME_SKY_AZIMUTHS - 1);
    const BrumeVec3 *a = &integrals->irradiance[j][i];
    const BrumeVec3 *b = &integrals->irradiance[j + 1][i];
    return blend(blend(a[0], a[1], x - (float)i), blend(b[0], b[1], x - (float)i), y - (float)j);
}

BrumeStatus brume_sky_image_check(const BrumeSkyImage *image, BrumeError *error)
{
    if (image->width < 1 || image->height < 1 || image->width > MAX_SIDE || image->height > MAX_SIDE ||
        image->radiance == NULL) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "a sky of kind 'image' needs an image of 1 to %d texels along a side (a scene names its file)", MAX_SIDE);
    }
    const size_t count = 3 * (size_t)image->width * (size_t)image->height;
    for (size_t n = 0; n < count; n++) {
        if (!(image->radiance[n] >= 0.0f && image->radiance[n] < INFINITY)) {
            return brume_fail(error, BRUME_BAD_INPUT, "the image of the sky has a value of %g at column %d of row %d",
                              (double)image->radiance[n], (int)(n / 3 % (size_t)image->width),
                              (int)(n / 3 / (size_t)image->width));
        }
    }
    return BRUME_OK;
}
