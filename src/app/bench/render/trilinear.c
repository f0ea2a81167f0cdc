#include "app/bench/render/trilinear.h"

#include "core/parallel/clock.h"
#include "core/parallel/simd.h"
#include "core/random.h"
#include "core/vec3.h"

#include <omp.h>

enum { SIDE = BRUME_TRILINEAR_SIDE, PASSES = 128 };

// a coordinate in [0, SIDE - 1)
static float coordinate(int line, int axis)
{
    return (float)(SIDE - 1) * 0.9999f * brume_unit_float(brume_hash3((uint32_t)line, (uint32_t)axis, 1u));
}

void brume_trilinear_kernel_init(BrumeTrilinearKernel *kernel)
{
    float *entry = kernel->field;
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                *entry++ = (float)(i + 2 * j + 4 * k);
            }
        }
    }
    for (int n = 0; n < BRUME_TRILINEAR_LINES; n++) {
        const BrumeVec3 from = brume_vec3(coordinate(n, 0), coordinate(n, 1), coordinate(n, 2));
        const BrumeVec3 to = brume_vec3(coordinate(n, 3), coordinate(n, 4), coordinate(n, 5));
        kernel->from[n] = from;
        kernel->by[n] = brume_sub(to, from);
    }
}

// from + t * by in each lane, as the lower entry of the lattice's interval and the offset in it
BRUME_INLINE void split8(BrumeInt8 *entry, BrumeFloat8 *offset, const BrumeFloat8 *t, float from, float by)
{
    BrumeFloat8 start;
    BrumeFloat8 slope;
    brume_broadcast8(&start, from);
    brume_broadcast8(&slope, by);
    const BrumeFloat8 x = start + slope * *t;
    *entry = __builtin_convertvector(x, BrumeInt8);
    *offset = x - __builtin_convertvector(*entry, BrumeFloat8);
}

// interpolates between two adjacent entries along x, in each lane
BRUME_INLINE void blend8(BrumeFloat8 *value, const float *data, const int32_t *base, const BrumeFloat8 *f)
{
    BrumeFloat8 lower;
    BrumeFloat8 upper;
    brume_load_pairs(data, base, &lower, &upper);
    *value = lower + *f * (upper - lower);
}

// the sum over all lines and points by lane, eight points of a line at a time
BRUME_KERNEL static void trilinear_sums(float sums[BRUME_LANES], const BrumeTrilinearKernel *kernel)
{
    const BrumeFloat8 lanes = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
    BrumeFloat8 sum = {0};
    for (int line = 0; line < BRUME_TRILINEAR_LINES; line++) {
        const BrumeVec3 from = kernel->from[line];
        const BrumeVec3 by = kernel->by[line];
        for (int first = 0; first < BRUME_TRILINEAR_POINTS; first += BRUME_LANES) {
            const BrumeFloat8 t = (lanes + (float)first) * (1.0f / BRUME_TRILINEAR_POINTS);
            BrumeInt8 i, j, k;
            BrumeFloat8 fx, fy, fz;
            split8(&i, &fx, &t, from.x, by.x);
            split8(&j, &fy, &t, from.y, by.y);
            split8(&k, &fz, &t, from.z, by.z);
            const BrumeInt8 entries = i + SIDE * (j + SIDE * k);
            int32_t base[BRUME_LANES];
            brume_store_ints8(base, &entries);
            BrumeFloat8 a0, a1, b0, b1;
            blend8(&a0, kernel->field, base, &fx);
            blend8(&a1, kernel->field + SIDE, base, &fx);
            blend8(&b0, kernel->field + SIDE * SIDE, base, &fx);
            blend8(&b1, kernel->field + SIDE * SIDE + SIDE, base, &fx);
            const BrumeFloat8 near = a0 + fy * (a1 - a0);
            const BrumeFloat8 far = b0 + fy * (b1 - b0);
            sum += near + fz * (far - near);
        }
    }
    brume_store8(sums, &sum);
}

float brume_trilinear_kernel_sum(const BrumeTrilinearKernel *kernel)
{
    float sums[BRUME_LANES];
    trilinear_sums(sums, kernel);
    float sum = 0.0f;
    for (int lane = 0; lane < BRUME_LANES; lane++) {
        sum += sums[lane];
    }
    return sum;
}

double brume_measure_trilinear(const BrumeTrilinearKernel *kernel)
{
    int threads = 1;
    const double start = brume_seconds();
#pragma omp parallel
    {
#pragma omp single nowait
        threads = omp_get_num_threads();
        volatile float sum = 0.0f; // so that the compiler removes no pass
        for (int pass = 0; pass < PASSES; pass++) {
            sum = brume_trilinear_kernel_sum(kernel);
        }
        (void)sum;
    }
    const double points = (double)threads * PASSES * BRUME_TRILINEAR_LINES * BRUME_TRILINEAR_POINTS;
    return points / (brume_seconds() - start);
}
