/*
 * Fast transforms. Lines are transformed in pairs, line a as real and line b as imaginary part of one complex line; by
 * symmetry, the spectrum Z of the complex line gives both spectra:
 *     A_k = (Z_k + conj Z_{N-k}) / 2,    B_k = (Z_k - conj Z_{N-k}) / 2i.
 * Between walls, the points are reordered first (even ones ascending, then odd ones descending); one complex
 * multiplication of A_k by w = exp(-i pi k / 2N) then gives two coefficients of the cosine transform,
 *     X_k = Re(w A_k),    X_{N-k} = -Im(w A_k)
 * (Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28, 1980). For periodic ends, w = 1,
 * and the same two real numbers are the coefficients of cosine and sine of one angle. The backward transform inverts
 * each step; an inverse Fourier transform is a forward one whose result is in reverse order.
 */
#include "sim/spectral/axis.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "sim/spectral/lines.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// for shorter lines, the product with a matrix takes no longer
enum { SHORTEST_FAST = 24 };

// For shorter axes, the rounding errors of single precision leave a residual below 1e-4 without it.
enum { SHORTEST_WITH_LOW_MODES = 129 };

bool brume_axis_is_fast(BrumeEnds ends, int length)
{
    return (ends == BRUME_ENDS_WALLS || ends == BRUME_ENDS_PERIODIC) && length >= SHORTEST_FAST &&
           brume_fft_supports(length);
}

// Basis functions of the dense transforms. With equal conditions at both ends, the even functions are numbered first.
static int wave_number(int length, int k)
{
    const int even = (length + 1) / 2;
    return k < even ? 2 * k : 2 * (k - even) + 1;
}

static double walls_basis(int length, int k, int n)
{
    return brume_cos(PI * wave_number(length, k) * (n + 0.5) / length);
}

static double open_basis(int length, int k, int n)
{
    return brume_sin(PI * (wave_number(length, k) + 1) * (n + 1) / (length + 1));
}

static double wall_open_basis(int length, int k, int n)
{
    return brume_cos(PI * (2 * k + 1) * (n + 0.5) / (2 * length + 1));
}

static double open_wall_basis(int length, int k, int n) { return wall_open_basis(length, k, length - 1 - n); }

static double periodic_basis(int length, int k, int n)
{
    const int even = (length + 1) / 2;
    const double angle = 2.0 * PI * (n + 0.5) / length;
    return k < even ? brume_cos(angle * k) : brume_sin(angle * (k - even + 1));
}

static double eigenvalue_angle(BrumeEnds ends, bool fast, int length, int k)
{
    const int even = (length + 1) / 2;
    switch (ends) {
    case BRUME_ENDS_WALLS:
        return PI * (fast ? k : wave_number(length, k)) / length;
    case BRUME_ENDS_OPEN:
        return PI * (wave_number(length, k) + 1) / (length + 1);
    case BRUME_ENDS_WALL_OPEN:
    case BRUME_ENDS_OPEN_WALL:
        return PI * (2 * k + 1) / (2 * length + 1);
    case BRUME_ENDS_PERIODIC:
        break;
    }
    return 2.0 * PI * (fast || k < even ? k : k - even + 1) / length;
}

static void fill_fast(BrumeAxis *axis)
{
    const int length = axis->length;
    const bool walls = axis->ends == BRUME_ENDS_WALLS;
    for (int n = 0; n < length; n++) {
        axis->input_order[n] = !walls ? n : n % 2 == 0 ? n / 2 : length - 1 - n / 2;
        axis->output_order[n] = (length - axis->input_order[n]) % length;
    }
    for (int k = 0; k <= length / 2; k++) {
        const double angle = walls ? PI * k / (2.0 * length) : 0.0;
        axis->twiddles[2 * k] = (float)(0.5 * brume_cos(angle));
        axis->twiddles[2 * k + 1] = (float)(0.5 * brume_sin(angle));
    }
    axis->scale = 1.0f / (float)length;
}

// the point of a block that holds the coefficient of low mode `mode`; for periodic ends the modes are 1, and sine and
// cosine of each angle
static int low_mode_point(const BrumeAxis *axis, int mode)
{
    if (axis->ends == BRUME_ENDS_WALLS) {
        return mode;
    }
    return mode % 2 == 0 ? mode / 2 : axis->length - (mode + 1) / 2;
}

// the contribution of low mode `mode` with a coefficient of 1 to point n of a line
static double low_mode_at(const BrumeAxis *axis, int mode, int n)
{
    const double factor = mode == 0 ? 1.0 : 2.0;
    if (axis->ends == BRUME_ENDS_WALLS) {
        return factor * brume_cos(PI * mode * (n + 0.5) / axis->length);
    }
    const int waves = (mode + 1) / 2;
    const double angle = 2.0 * PI * waves * n / axis->length;
    return factor * (mode % 2 == 0 ? brume_cos(angle) : brume_sin(angle));
}

static BrumeStatus create_low_modes(BrumeAxis *axis, BrumeError *error)
{
    if (axis->length < SHORTEST_WITH_LOW_MODES) {
        return BRUME_OK;
    }
    axis->low_modes = brume_alloc((size_t)axis->length, BRUME_LOW_MODES * sizeof *axis->low_modes);
    if (!axis->low_modes) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    for (int n = 0; n < axis->length; n++) {
        for (int mode = 0; mode < BRUME_LOW_MODES; mode++) {
            axis->low_modes[n * BRUME_LOW_MODES + mode] = low_mode_at(axis, mode, n);
        }
    }
    return BRUME_OK;
}

static BrumeStatus create_dense(BrumeAxis *axis, BrumeError *error)
{
    static BrumeBasis *const bases[] = {
        [BRUME_ENDS_WALLS] = walls_basis,         [BRUME_ENDS_OPEN] = open_basis,
        [BRUME_ENDS_WALL_OPEN] = wall_open_basis, [BRUME_ENDS_OPEN_WALL] = open_wall_basis,
        [BRUME_ENDS_PERIODIC] = periodic_basis,
    };
    for (int n = 0; n < axis->length; n++) {
        axis->input_order[n] = n;
        axis->output_order[n] = n;
    }
    axis->scale = 1.0f;
    const bool folded = axis->ends != BRUME_ENDS_WALL_OPEN && axis->ends != BRUME_ENDS_OPEN_WALL;
    return brume_dense_create(&axis->dense, axis->length, bases[axis->ends], folded, error);
}

BrumeStatus brume_axis_create(BrumeAxis *axis, BrumeEnds ends, int length, BrumeError *error)
{
    const size_t count = (size_t)length;
    *axis = (BrumeAxis){
        .length = length,
        .ends = ends,
        .fast = brume_axis_is_fast(ends, length),
        .eigenvalues = brume_alloc(count, sizeof *axis->eigenvalues),
        .twiddles = brume_alloc(count + 2, sizeof *axis->twiddles),
        .input_order = brume_alloc(count, sizeof *axis->input_order),
        .output_order = brume_alloc(count, sizeof *axis->output_order),
    };
    BrumeStatus status = BRUME_OK;
    if (!axis->eigenvalues || !axis->twiddles || !axis->input_order || !axis->output_order) {
        status = brume_out_of_grid_memory(error, "the pressure solver");
    } else if (axis->fast) {
        fill_fast(axis);
        status = brume_fft_create(&axis->fft, length, error);
        status = status == BRUME_OK ? create_low_modes(axis, error) : status;
    } else {
        status = create_dense(axis, error);
    }
    if (status != BRUME_OK) {
        brume_axis_destroy(axis);
        return status;
    }
    for (int k = 0; k < length && axis->eigenvalues; k++) {
        // 2 - 2 cos theta without cancellation
        const double half = brume_sin(0.5 * eigenvalue_angle(ends, axis->fast, length, k));
        axis->eigenvalues[k] = (float)(4.0 * half * half);
    }
    return BRUME_OK;
}

void brume_axis_destroy(BrumeAxis *axis)
{
    brume_fft_destroy(&axis->fft);
    brume_dense_destroy(&axis->dense);
    brume_free(axis->low_modes);
    brume_free(axis->eigenvalues);
    brume_free(axis->twiddles);
    brume_free(axis->input_order);
    brume_free(axis->output_order);
    *axis = (BrumeAxis){0};
}

size_t brume_axis_bytes(const BrumeAxis *axis)
{
    return (size_t)axis->length * (2 * sizeof(float) + 2 * sizeof(int)) + 2 * sizeof(float) +
           (axis->low_modes ? (size_t)axis->length * BRUME_LOW_MODES * sizeof *axis->low_modes : 0) +
           brume_fft_bytes(&axis->fft) + brume_dense_bytes(&axis->dense);
}

// a point: the values of eight lines a, then of eight lines b
static inline __attribute__((always_inline)) void load_pair(BrumeFloat8 pair[2], const float *point)
{
    brume_load8(&pair[0], point);
    brume_load8(&pair[1], point + 8);
}

static inline __attribute__((always_inline)) void store_pair(float *point, const BrumeFloat8 pair[2])
{
    brume_store8(point, &pair[0]);
    brume_store8(point + 8, &pair[1]);
}

// from the spectra of complex lines to the real coefficients of lines a and b
BRUME_KERNEL static void axis_separate(float *z, const float *twiddles, int length)
{
    for (int k = 1; k < (length + 1) / 2; k++) {
        float *lower = z + brume_block_point(k);
        float *upper = z + brume_block_point(length - k);
        const float c = twiddles[(ptrdiff_t)2 * k];
        const float s = twiddles[(ptrdiff_t)2 * k + 1];
        BrumeFloat8 x[2];
        BrumeFloat8 y[2];
        load_pair(x, lower);
        load_pair(y, upper);
        const BrumeFloat8 a_re = x[0] + y[0];
        const BrumeFloat8 a_im = x[1] - y[1];
        const BrumeFloat8 b_re = x[1] + y[1];
        const BrumeFloat8 b_im = y[0] - x[0];
        const BrumeFloat8 first[2] = {c * a_re + s * a_im, c * b_re + s * b_im};
        const BrumeFloat8 second[2] = {s * a_re - c * a_im, s * b_re - c * b_im};
        store_pair(lower, first);
        store_pair(upper, second);
    }
}

// the inverse of axis_separate
BRUME_KERNEL static void axis_combine(float *z, const float *twiddles, int length)
{
    for (int k = 1; k < (length + 1) / 2; k++) {
        float *lower = z + brume_block_point(k);
        float *upper = z + brume_block_point(length - k);
        const float c = 2.0f * twiddles[(ptrdiff_t)2 * k];
        const float s = 2.0f * twiddles[(ptrdiff_t)2 * k + 1];
        BrumeFloat8 x[2];
        BrumeFloat8 y[2];
        load_pair(x, lower);
        load_pair(y, upper);
        const BrumeFloat8 a_re = c * x[0] + s * y[0];
        const BrumeFloat8 a_im = s * x[0] - c * y[0];
        const BrumeFloat8 b_re = c * x[1] + s * y[1];
        const BrumeFloat8 b_im = s * x[1] - c * y[1];
        const BrumeFloat8 first[2] = {a_re - b_im, a_im + b_re};
        const BrumeFloat8 second[2] = {a_re + b_im, b_re - a_im};
        store_pair(lower, first);
        store_pair(upper, second);
    }
}

// the middle coefficient of an even length has no partner; between walls, its factor w is a rotation by 45 degrees
static void scale_middle(const BrumeAxis *axis, float *z, double by)
{
    if (axis->length % 2 == 0 && axis->ends == BRUME_ENDS_WALLS) {
        float *middle = z + brume_block_point(axis->length / 2);
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            middle[lane] *= (float)by;
        }
    }
}

float *brume_axis_forward(const BrumeAxis *axis, float *x, float *y)
{
    if (!axis->fast) {
        return brume_dense_forward(&axis->dense, x, y);
    }
    float *z = brume_fft_run(&axis->fft, x, y);
    axis_separate(z, axis->twiddles, axis->length);
    scale_middle(axis, z, 0.70710678118654752);
    return z;
}

// moves the coefficients of the low modes from a block to `low`
static void take_low_modes(const BrumeAxis *axis, float *z, double low[BRUME_LOW_MODES * BRUME_LINE_BLOCK])
{
    for (int mode = 0; mode < BRUME_LOW_MODES; mode++) {
        float *point = z + brume_block_point(low_mode_point(axis, mode));
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            low[brume_block_point(mode) + lane] = (double)point[lane];
            point[lane] = 0.0f;
        }
    }
}

// adds the low modes to the points of a block after a backward transform
BRUME_KERNEL static void axis_add_low_modes(float *restrict z, const double *restrict low, const double *restrict modes,
                                            const int *output_order, int length)
{
    for (int n = 0; n < length; n++) {
        float *point = z + brume_block_point(output_order[n]);
        const double *values = modes + (ptrdiff_t)BRUME_LOW_MODES * n;
        double sums[BRUME_LINE_BLOCK];
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            sums[lane] = (double)point[lane];
        }
        for (int mode = 0; mode < BRUME_LOW_MODES; mode++) {
            for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
                sums[lane] += values[mode] * low[brume_block_point(mode) + lane];
            }
        }
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            point[lane] = (float)sums[lane];
        }
    }
}

float *brume_axis_backward(const BrumeAxis *axis, float *x, float *y)
{
    if (!axis->fast) {
        return brume_dense_backward(&axis->dense, x, y);
    }
    double low[BRUME_LOW_MODES * BRUME_LINE_BLOCK];
    if (axis->low_modes) {
        take_low_modes(axis, x, low);
    }
    axis_combine(x, axis->twiddles, axis->length);
    scale_middle(axis, x, 1.41421356237309505);
    float *result = brume_fft_run(&axis->fft, x, y);
    if (axis->low_modes) {
        axis_add_low_modes(result, low, axis->low_modes, axis->output_order, axis->length);
    }
    return result;
}
