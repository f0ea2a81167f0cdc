/**
 * @file raymarch_check.h
 * cmocka, and comparisons of numbers that print value, expectation and tolerance where they fail.
 */
#ifndef BRUME_TESTS_SUPPORT_RAYMARCH_CHECK_H
#define BRUME_TESTS_SUPPORT_RAYMARCH_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(what, value, expected, tolerance)                                                                  \
    do {                                                                                                               \
        const double value_ = (value);                                                                                 \
        const double expected_ = (expected);                                                                           \
        if (!(fabs(value_ - expected_) <= (tolerance))) {                                                              \
            fail_msg("%s is %.9g, expected %.9g within %.3g", what, value_, expected_, (double)(tolerance));           \
        }                                                                                                              \
    } while (0)

#define assert_below(what, value, limit)                                                                               \
    do {                                                                                                               \
        const double value_ = (value);                                                                                 \
        if (!(value_ < (limit))) {                                                                                     \
            fail_msg("%s is %.9g, expected below %.9g", what, value_, (double)(limit));                                \
        }                                                                                                              \
    } while (0)

#endif
