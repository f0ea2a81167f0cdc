// Halves: every one of them, and the rounding between each two neighbors.
#include "core/half.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { INFINITE = 0x7c00, SIGN = 0x8000 };

static void test_values(void **state)
{
    (void)state;
    assert_float_equal(brume_float_of_half(0x0001), ldexp(1.0, -24), 0.0);
    assert_float_equal(brume_float_of_half(0x03ff), ldexp(1023.0, -24), 0.0);
    assert_float_equal(brume_float_of_half(0x0400), ldexp(1.0, -14), 0.0);
    assert_float_equal(brume_float_of_half(0x3c00), 1.0, 0.0);
    assert_float_equal(brume_float_of_half(0xc000), -2.0, 0.0);
    assert_float_equal(brume_float_of_half(0x7bff), 65504.0, 0.0);
    assert_true(isinf(brume_float_of_half(INFINITE)));
    assert_true(isnan(brume_float_of_half(0x7e00)));
    assert_true(isnan(brume_float_of_half(brume_half_of_float(NAN))));
    assert_int_equal(brume_half_of_float(-0.0f), SIGN);
    assert_int_equal(brume_half_of_float(INFINITY), INFINITE);
    assert_int_equal(brume_half_of_float(-1e30f), SIGN | INFINITE);
    assert_int_equal(brume_half_of_float(1e-41f), 0);
}

static void test_rounding(void **state)
{
    (void)state;
    for (unsigned half = 0; half < INFINITE; half++) {
        const float value = brume_float_of_half((uint16_t)half);
        assert_int_equal(brume_half_of_float(value), half);
        assert_int_equal(brume_half_of_float(-value), SIGN | half);
        const float next = half + 1 < INFINITE ? brume_float_of_half((uint16_t)(half + 1)) : 65536.0f;
        const float middle = 0.5f * (value + next); // exact
        assert_int_equal(brume_half_of_float(middle), half + half % 2);
        assert_int_equal(brume_half_of_float(nextafterf(middle, 0.0f)), half);
        assert_int_equal(brume_half_of_float(nextafterf(middle, INFINITY)), half + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
