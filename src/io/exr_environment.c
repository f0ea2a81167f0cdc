// The faces are +x, -x, +y, -y, +z and -z, with y up. The centers of the pixels at the edges of a face lie on the edges
// of the cube.
#include "io/exr_environment.h"

#include "core/elementary.h"
#include "core/minmax.h"

#include <math.h>
#include <stdlib.h>

/** A position on the cube: a face, and the column and row on it from 0 to 1. */
typedef struct CubePosition {
    int face;
    double column, row;
} CubePosition;

// where a direction meets the cube: the face, and the position on it from 0 to 1
static CubePosition find_position(const double d[3])
{
    int axis = 0;
    for (int n = 1; n < 3; n++) {
        axis = fabs(d[n]) > fabs(d[axis]) ? n : axis;
    }
    const bool negative = d[axis] < 0.0;
    // from 0 to 1 along the positive direction of the two other axes
    const double a = 0.5 + 0.5 * d[axis == 0 ? 1 : 0] / fabs(d[axis]);
    const double b = 0.5 + 0.5 * d[axis == 2 ? 1 : 2] / fabs(d[axis]);
    CubePosition at = {.face = 2 * axis + negative};
    switch (at.face) {
    case 0:
        at.column = b;
        at.row = 1.0 - a;
        break;
    case 1:
        at.column = 1.0 - b;
        at.row = 1.0 - a;
        break;
    case 3:
        at.column = a;
        at.row = b;
        break;
    case 4:
        at.column = 1.0 - a;
        at.row = 1.0 - b;
        break;
    default:
        at.column = a;
        at.row = 1.0 - b;
    }
    return at;
}

// the value at a position, linear between pixels
static void sample_face(const BrumeFloatImage *cube, CubePosition at, float rgb[3])
{
    const int side = cube->width;
    const double x = at.column * (side - 1);
    const double y = at.row * (side - 1);
    const int left = brume_min_int((int)x, side - 1);
    const int top = brume_min_int((int)y, side - 1);
    const int right = brume_min_int(left + 1, side - 1);
    const int bottom = brume_min_int(top + 1, side - 1);
    const float fx = (float)(x - left);
    const float fy = (float)(y - top);
    const float *face = cube->rgb + (size_t)3 * (size_t)at.face * (size_t)side * (size_t)side;
    const float *upper = face + (size_t)3 * (size_t)top * (size_t)side;
    const float *lower = face + (size_t)3 * (size_t)bottom * (size_t)side;
    for (int n = 0; n < 3; n++) {
        const float above = upper[3 * left + n] + fx * (upper[3 * right + n] - upper[3 * left + n]);
        const float below = lower[3 * left + n] + fx * (lower[3 * right + n] - lower[3 * left + n]);
        rgb[n] = above + fy * (below - above);
    }
}

BrumeStatus brume_unfold_cube(BrumeFloatImage *image, const char *path, BrumeError *error)
{
    const double pi = 3.14159265358979323846;
    if (image->height != 6 * image->width) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has %d x %d pixels, but a cube map is six times as high as wide",
                          path, image->width, image->height);
    }
    BrumeFloatImage map;
    const BrumeStatus status = brume_float_image_create(&map, 4L * image->width, 2L * image->width, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    for (int y = 0; y < map.height; y++) {
        const double latitude = pi * (0.5 - (y + 0.5) / map.height);
        for (int x = 0; x < map.width; x++) {
            const double longitude = pi * (1.0 - 2.0 * (x + 0.5) / map.width);
            const double direction[3] = {brume_sin(longitude) * brume_cos(latitude), brume_sin(latitude),
                                         brume_cos(longitude) * brume_cos(latitude)};
            sample_face(image, find_position(direction), map.rgb + 3 * ((size_t)y * (size_t)map.width + (size_t)x));
        }
    }
    free(image->rgb);
    *image = map;
    return BRUME_OK;
}
