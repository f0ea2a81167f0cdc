/*
 * Fast transforms. Lanes are transformed in pairs, line a as real and line b as imaginary part of one complex line; the
 * spectra come apart by symmetry:
 *     A_k = (Z_k + conj Z_{N-k}) / 2,    B_k = (Z_k - conj Z_{N-k}) / 2i.
 * Between walls, the points are reordered first (even ones up, odd ones down), so that the cosine transform is one
 * complex turn away (Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28, 1980):
 *     X_k = Re(w A_k),  X_{N-k} = -Im(w A_k),  w = exp(-i pi k / 2N).
 * Periodic ends take w = 1 and keep the same two real numbers, which go with cos and sin of one angle. The way back is
 * the inverse of each step; an inverse Fourier transform is a forward one that is read in reverse.
 */
#include "sim/spectral/axis.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/spectral/block.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// shorter lines are as soon multiplied by a matrix
enum { SHORTEST_FAST = 24 };

bool brume_axis_is_fast(BrumeEnds ends, int length)
{
    return (ends == BRUME_ENDS_WALLS || ends == BRUME_ENDS_PERIODIC) && length >= SHORTEST_FAST &&
           brume_fft_suits(length);
}

// Bases of the matrices: those that look the same from both ends count the even functions first.
static int wave(int length, int k)
{
    const int even = (length + 1) / 2;
    return k < even ? 2 * k : 2 * (k - even) + 1;
}

static double walls_basis(int length, int k, int n) { return cos(PI * wave(length, k) * (n + 0.5) / length); }

static double open_basis(int length, int k, int n) { return sin(PI * (wave(length, k) + 1) * (n + 1) / (length + 1)); }

static double wall_open_basis(int length, int k, int n) { return cos(PI * (2 * k + 1) * (n + 0.5) / (2 * length + 1)); }

static double open_wall_basis(int length, int k, int n) { return wall_open_basis(length, k, length - 1 - n); }

static double periodic_basis(int length, int k, int n)
{
    const int even = (length + 1) / 2;
    const double angle = 2.0 * PI * (n + 0.5) / length;
    return k < even ? cos(angle * k) : sin(angle * (k - even + 1));
}

static double angle_of(BrumeEnds ends, bool fast, int length, int k)
{
    const int even = (length + 1) / 2;
    switch (ends) {
    case BRUME_ENDS_WALLS:
        return PI * (fast ? k : wave(length, k)) / length;
    case BRUME_ENDS_OPEN:
        return PI * (wave(length, k) + 1) / (length + 1);
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
        axis->slots[n] = !walls ? n : n % 2 == 0 ? n / 2 : length - 1 - n / 2;
        axis->back_slots[n] = (length - axis->slots[n]) % length;
    }
    for (int k = 0; k <= length / 2; k++) {
        const double angle = walls ? PI * k / (2.0 * length) : 0.0;
        axis->turns[2 * k] = (float)(0.5 * cos(angle));
        axis->turns[2 * k + 1] = (float)(0.5 * sin(angle));
    }
    axis->scale = 1.0f / (float)length;
}

static BrumeStatus create_dense(BrumeAxis *axis, BrumeError *error)
{
    static BrumeBasis *const bases[] = {
        [BRUME_ENDS_WALLS] = walls_basis,         [BRUME_ENDS_OPEN] = open_basis,
        [BRUME_ENDS_WALL_OPEN] = wall_open_basis, [BRUME_ENDS_OPEN_WALL] = open_wall_basis,
        [BRUME_ENDS_PERIODIC] = periodic_basis,
    };
    for (int n = 0; n < axis->length; n++) {
        axis->slots[n] = n;
        axis->back_slots[n] = n;
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
        .turns = brume_alloc(count + 2, sizeof *axis->turns),
        .slots = brume_alloc(count, sizeof *axis->slots),
        .back_slots = brume_alloc(count, sizeof *axis->back_slots),
    };
    BrumeStatus status = BRUME_OK;
    if (!axis->eigenvalues || !axis->turns || !axis->slots || !axis->back_slots) {
        status = brume_out_of_grid_memory(error, "the pressure solver");
    } else if (axis->fast) {
        fill_fast(axis);
        status = brume_fft_create(&axis->fft, length, error);
    } else {
        status = create_dense(axis, error);
    }
    if (status != BRUME_OK) {
        brume_axis_destroy(axis);
        return status;
    }
    for (int k = 0; k < length && axis->eigenvalues; k++) {
        // 2 - 2 cos theta without cancellation
        const double half = sin(0.5 * angle_of(ends, axis->fast, length, k));
        axis->eigenvalues[k] = (float)(4.0 * half * half);
    }
    return BRUME_OK;
}

void brume_axis_destroy(BrumeAxis *axis)
{
    brume_fft_destroy(&axis->fft);
    brume_dense_destroy(&axis->dense);
    brume_free(axis->eigenvalues);
    brume_free(axis->turns);
    brume_free(axis->slots);
    brume_free(axis->back_slots);
    *axis = (BrumeAxis){0};
}

size_t brume_axis_bytes(const BrumeAxis *axis)
{
    return (size_t)axis->length * (2 * sizeof(float) + 2 * sizeof(int)) + 2 * sizeof(float) +
           brume_fft_bytes(&axis->fft) + brume_dense_bytes(&axis->dense);
}

// a point: the value of eight lines a, then of eight lines b
static inline __attribute__((always_inline)) void load_pair(BrumeFloat8 pair[2], const float *point)
{
    brume_load_8(&pair[0], point);
    brume_load_8(&pair[1], point + 8);
}

static inline __attribute__((always_inline)) void store_pair(float *point, const BrumeFloat8 pair[2])
{
    brume_store_8(point, &pair[0]);
    brume_store_8(point + 8, &pair[1]);
}

// from spectra of complex lines to real coefficients of both halves
BRUME_KERNEL static void axis_part(float *z, const float *turns, int length)
{
    for (int k = 1; k < (length + 1) / 2; k++) {
        float *lower = z + brume_point(k);
        float *upper = z + brume_point(length - k);
        const float c = turns[(ptrdiff_t)2 * k];
        const float s = turns[(ptrdiff_t)2 * k + 1];
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

// the way back
BRUME_KERNEL static void axis_join(float *z, const float *turns, int length)
{
    for (int k = 1; k < (length + 1) / 2; k++) {
        float *lower = z + brume_point(k);
        float *upper = z + brume_point(length - k);
        const float c = 2.0f * turns[(ptrdiff_t)2 * k];
        const float s = 2.0f * turns[(ptrdiff_t)2 * k + 1];
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

// the coefficient half-way up an even length stands alone: between walls its turn is by 45 degrees
static void scale_middle(const BrumeAxis *axis, float *z, double by)
{
    if (axis->length % 2 == 0 && axis->ends == BRUME_ENDS_WALLS) {
        float *middle = z + brume_point(axis->length / 2);
        for (int lane = 0; lane < BRUME_BLOCK; lane++) {
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
    axis_part(z, axis->turns, axis->length);
    scale_middle(axis, z, 0.70710678118654752);
    return z;
}

float *brume_axis_backward(const BrumeAxis *axis, float *x, float *y)
{
    if (!axis->fast) {
        return brume_dense_backward(&axis->dense, x, y);
    }
    axis_join(x, axis->turns, axis->length);
    scale_middle(axis, x, 1.41421356237309505);
    return brume_fft_run(&axis->fft, x, y);
}
