#include "io/exr_color.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef double Matrix[3][3];

const char *const *brume_exr_channel_names(BrumeExrColor color)
{
    static const char *const names[BRUME_EXR_COLORS][4] = {
        {"R", "G", "B", NULL}, {"RY", "Y", "BY", NULL}, {"Y", NULL, NULL, NULL}};
    return names[color];
}

static void multiply(Matrix product, Matrix a, Matrix b)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

static void transform(double result[3], Matrix m, const double v[3])
{
    for (int i = 0; i < 3; i++) {
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

// false where the matrix has no inverse, or one of numbers that are not finite
static bool invert(Matrix inverse, Matrix m)
{
    double determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3;
            const int s = (j + 2) % 3;
            const int p = (i + 1) % 3;
            const int q = (i + 2) % 3;
            inverse[i][j] = m[r][p] * m[s][q] - m[r][q] * m[s][p]; // adjugate
        }
        determinant += m[0][i] * inverse[i][0];
    }
    if (!(fabs(determinant) > 1e-9) || !isfinite(determinant)) {
        return false;
    }
    for (int n = 0; n < 9; n++) {
        inverse[n / 3][n % 3] /= determinant;
    }
    return true;
}

// the XYZ color of a chromaticity, with Y = 1; false where it has none
static bool xyz_of(const float xy[2], double xyz[3])
{
    const double x = (double)xy[0];
    const double y = (double)xy[1];
    xyz[0] = x / y;
    xyz[1] = 1.0;
    xyz[2] = (1.0 - x - y) / y;
    return isfinite(xyz[0]) && isfinite(xyz[2]);
}

// the matrix from RGB to XYZ that scales the primaries so that they add up to the white point
static bool find_xyz_matrix(const float xy[8], Matrix to_xyz, double white[3])
{
    Matrix columns;
    Matrix inverse;
    double amounts[3];
    for (int n = 0; n < 3; n++) {
        const double x = (double)xy[2 * n];
        const double y = (double)xy[2 * n + 1];
        columns[0][n] = x;
        columns[1][n] = y;
        columns[2][n] = 1.0 - x - y;
    }
    if (!xyz_of(xy + 6, white) || !invert(inverse, columns)) {
        return false;
    }
    transform(amounts, inverse, white);
    for (int n = 0; n < 9; n++) {
        to_xyz[n / 3][n % 3] = columns[n / 3][n % 3] * amounts[n % 3];
    }
    return true;
}

bool brume_exr_primaries_find(BrumeExrPrimaries *primaries, const float xy[8])
{
    static const float bt709[8] = {0.64f, 0.33f, 0.30f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    Matrix bradford = {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}};
    Matrix from_cone;
    Matrix to_xyz;
    Matrix bt709_xyz;
    Matrix to_bt709;
    Matrix adaptation;
    Matrix product;
    double white[3];
    double bt709_white[3];
    double cone[3];
    double bt709_cone[3];
    const float *used = xy ? xy : bt709;
    if (!find_xyz_matrix(used, to_xyz, white) || !find_xyz_matrix(bt709, bt709_xyz, bt709_white) ||
        !invert(to_bt709, bt709_xyz) || !invert(from_cone, bradford)) {
        return false;
    }
    primaries->same = true;
    for (int n = 0; n < 8; n++) {
        primaries->same = primaries->same && fabsf(used[n] - bt709[n]) < 1e-3f; // as files round them
    }
    memcpy(primaries->luminance, to_xyz[1], sizeof primaries->luminance);
    // gains of the responses of the cones, so that the white of the file becomes the white of BT.709
    transform(cone, bradford, white);
    transform(bt709_cone, bradford, bt709_white);
    bool finite = true;
    for (int n = 0; n < 9; n++) {
        adaptation[n / 3][n % 3] = bradford[n / 3][n % 3] * bt709_cone[n / 3] / cone[n / 3];
    }
    multiply(product, from_cone, adaptation);
    multiply(adaptation, product, to_xyz);
    multiply(primaries->to_bt709, to_bt709, adaptation);
    for (int n = 0; n < 9; n++) {
        finite = finite && isfinite(primaries->to_bt709[n / 3][n % 3]);
    }
    return finite && primaries->luminance[1] > 1e-6; // by which green is found
}

void brume_exr_convert(BrumeExrColor color, const BrumeExrPrimaries *primaries, float rgb[3])
{
    if (color == BRUME_EXR_LUMINANCE) {
        rgb[1] = rgb[2] = rgb[0];
        return;
    }
    double value[3] = {(double)rgb[0], (double)rgb[1], (double)rgb[2]};
    if (color == BRUME_EXR_CHROMA) {
        const double y = value[1];
        value[0] = (value[0] + 1.0) * y;
        value[2] = (value[2] + 1.0) * y;
        value[1] =
            (y - value[0] * primaries->luminance[0] - value[2] * primaries->luminance[2]) / primaries->luminance[1];
    } else if (primaries->same) {
        return;
    }
    if (!primaries->same) {
        double converted[3];
        transform(converted, (double(*)[3])primaries->to_bt709, value);
        memcpy(value, converted, sizeof value);
    }
    for (int n = 0; n < 3; n++) {
        rgb[n] = (float)value[n];
    }
}
