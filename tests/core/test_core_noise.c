// Value noise: the points of a row have the bits of single points.
#include "core/noise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { POINTS = 203 };

static void rows_have_the_bits_of_points(void **state)
{
    (void)state;
    static const int periods[2][4] = {{3, 0, 2, 0}, {1, 5, 4, 2}};
    static const float spacings[4] = {0.013f, 0.25f, 0.71f, 3.0f}; // from 76 points in a spacing to none
    static const float across[3][3] = {{0.3f, -7.6f, 0.0f}, {2.0f, 0.1f, 4.75f}, {-1.0f, 3.0f, 5.0f}};
    for (int n = 0; n < 3 * 4 * 3; n++) {
        const int *period = n < 12 ? NULL : periods[n / 12 - 1];
        const float *rest = across[n % 3];
        float x[POINTS];
        float row[POINTS];
        for (int i = 0; i < POINTS; i++) {
            x[i] = -2.0f + spacings[n / 3 % 4] * (float)i; // also on planes of the lattice
        }
        brume_lattice_noise_row(x, POINTS, rest, period, 77u + (uint32_t)n, row);
        for (int i = 0; i < POINTS; i++) {
            const float at[4] = {x[i], rest[0], rest[1], rest[2]};
            const float expected = brume_lattice_noise(at, period, 77u + (uint32_t)n);
            assert_memory_equal(&row[i], &expected, sizeof expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_have_the_bits_of_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
