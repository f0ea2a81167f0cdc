/*
 * Intermediate results that need more than 53 bits are unevaluated sums of two doubles (Dekker, "A floating-point
 * technique for extending the available precision", 1971). Each function reduces its argument to a small interval,
 * where a Taylor polynomial in plain double precision is a small correction to a term that is known as such a sum; only
 * the last addition rounds by as much as half a unit. (Muller, "Elementary Functions", 2016, describes all methods.)
 *
 * - exp: x = k ln 2 + r with ln 2 in two parts (Cody and Waite, "Software Manual for the Elementary Functions", 1980)
 * - ln: x = 2^k m, and ln m = 2 artanh((m - 1) / (m + 1))
 * - pow: exp(y ln x), with the logarithm and the product as sums of two doubles
 * - sin, cos, tan: the remainder of x by pi/2 from an exact product with enough bits of 2/pi (Payne and Hanek, "Radian
 *   reduction for trigonometric functions", 1983)
 * - atan: the nearest arctangent of n/8, and the angle between the two
 * - erf: the Taylor series about the nearest n/4, whose coefficients follow from f' = -2 x f for f = erf'
 */
#include "core/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// the unevaluated sum hi + lo, lo being at most a few units in the last place of hi
typedef struct DoublePair {
    double hi, lo;
} DoublePair;

// ln(2): the product of the first part and an integer up to 2^11 is exact
static const double LN2_HI = 0.6931471805598903;
static const double LN2_LO = 5.497923018708371e-14;
static const double INVERSE_LN2 = 1.4426950408889634;
static const DoublePair PI = {3.141592653589793, 1.2246467991473532e-16};
static const DoublePair HALF_PI = {1.5707963267948966, 6.123233995736766e-17};
static const double QUARTER_PI = 0.7853981633974483;
static const DoublePair TWO_BY_ROOT_PI = {1.1283791670955126, 1.533545961316588e-17};

// the nearest integer for |x| < 2^51: the sum has no bits behind the point
static double round_to_integer(double x)
{
    const double shift = 6755399441055744.0; // 1.5 * 2^52
    return (x + shift) - shift;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^n, -1022 <= n <= 1023
static double power_of_two(int n) { return from_bits((uint64_t)(n + 1023) << 52); }

// x 2^n rounded once, for x near 1 and -2044 <= n <= 2046
static double scale(double x, int n)
{
    if (n >= -1021 && n <= 1023) {
        return x * power_of_two(n);
    }
    return x * power_of_two(n / 2) * power_of_two(n - n / 2);
}

// a + b for |a| >= |b| or a = 0
static DoublePair sum_ordered(double a, double b)
{
    const double hi = a + b;
    return (DoublePair){hi, b - (hi - a)};
}

// a + b (Knuth, "The Art of Computer Programming", 4.2.2)
static DoublePair sum(double a, double b)
{
    const double hi = a + b;
    const double b_part = hi - a;
    return (DoublePair){hi, (a - (hi - b_part)) + (b - b_part)};
}

// a b, from halves of 26 bits; |a| and |b| below 2^970
static DoublePair product(double a, double b)
{
    const double split = 134217729.0; // 2^27 + 1
    const double a_shifted = split * a;
    const double b_shifted = split * b;
    const double a_hi = a_shifted - (a_shifted - a);
    const double b_hi = b_shifted - (b_shifted - b);
    const double a_lo = a - a_hi;
    const double b_lo = b - b_hi;
    const double hi = a * b;
    return (DoublePair){hi, ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static DoublePair pair_negated(DoublePair a) { return (DoublePair){-a.hi, -a.lo}; }

static DoublePair pair_sum(DoublePair a, DoublePair b)
{
    const DoublePair hi = sum(a.hi, b.hi);
    return sum_ordered(hi.hi, hi.lo + (a.lo + b.lo));
}

static DoublePair pair_product(DoublePair a, DoublePair b)
{
    const DoublePair hi = product(a.hi, b.hi);
    return sum_ordered(hi.hi, hi.lo + (a.hi * b.lo + a.lo * b.hi));
}

static DoublePair pair_quotient(DoublePair a, DoublePair b)
{
    const double quotient = a.hi / b.hi;
    const DoublePair back = product(quotient, b.hi);
    return sum_ordered(quotient, ((a.hi - back.hi) - back.lo + a.lo - quotient * b.lo) / b.hi);
}

static DoublePair pair_sqrt(DoublePair a)
{
    if (!(a.hi > 0.0)) {
        return (DoublePair){0.0, 0.0};
    }
    const double root = sqrt(a.hi);
    const DoublePair back = product(root, root);
    return sum_ordered(root, ((a.hi - back.hi) - back.lo + a.lo) / (2.0 * root));
}

// exp(x) = 2^exponent (1 + the result), |x| < 2^11; the result is within [-0.3, 0.42]
static DoublePair reduced_exp(DoublePair x, int *exponent)
{
    const double k = round_to_integer(x.hi * INVERSE_LN2);
    const DoublePair reduced = sum(x.hi - k * LN2_HI, x.lo - k * LN2_LO);
    const double r = reduced.hi;
    const double s = r * r;
    // r^2/2! + r^3/3! + ..., even and odd powers apart, so that two chains of operations run at once
    const double even =
        0.5 + s * (1.0 / 24 + s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 + s * (1.0 / 479001600)))));
    const double odd =
        1.0 / 6 +
        s * (1.0 / 120 + s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800 + s * (1.0 / 6227020800)))));
    *exponent = (int)k;
    return (DoublePair){r, s * (even + r * odd) + (reduced.lo + reduced.lo * r)};
}

// exp(x), -750 < x < 750
static double exp_of_pair(DoublePair x)
{
    int exponent;
    const DoublePair less_one = reduced_exp(x, &exponent);
    const DoublePair head = sum_ordered(1.0, less_one.hi);
    return scale(head.hi + (head.lo + less_one.lo), exponent);
}

double brume_exp(double x)
{
    if (!(x > -746.0)) { // or NaN
        return x < 0.0 ? 0.0 : x;
    }
    return x > 710.0 ? (double)INFINITY : exp_of_pair((DoublePair){x, 0.0});
}

// exp(x) - 1, 0 <= x < 50; beyond 36 with an absolute error of 1
static DoublePair exp_less_one(double x)
{
    int exponent;
    const DoublePair reduced = reduced_exp((DoublePair){x, 0.0}, &exponent);
    const double power = power_of_two(exponent);
    const DoublePair head = sum(power - 1.0, reduced.hi * power);
    return sum_ordered(head.hi, head.lo + reduced.lo * power);
}

double brume_sinh(double x)
{
    const double a = fabs(x);
    if (a < 0x1p-28 || !(a < INFINITY)) {
        return x;
    }
    double result = (double)INFINITY;
    if (a < 22.0) { // (e - 1/e) / 2 with m = e - 1
        const DoublePair m = exp_less_one(a);
        const DoublePair both = pair_sum(m, pair_quotient(m, pair_sum((DoublePair){1.0, 0.0}, m)));
        result = 0.5 * (both.hi + both.lo);
    } else if (a < 712.0) {
        int exponent;
        const DoublePair m = reduced_exp((DoublePair){a, 0.0}, &exponent);
        const DoublePair head = sum_ordered(1.0, m.hi);
        result = scale(head.hi + (head.lo + m.lo), exponent - 1);
    }
    return copysign(result, x);
}

double brume_cosh(double x)
{
    const double a = fabs(x);
    if (a < 22.0) {
        const DoublePair e = pair_sum((DoublePair){1.0, 0.0}, exp_less_one(a));
        const DoublePair both = pair_sum(e, pair_quotient((DoublePair){1.0, 0.0}, e));
        return 0.5 * (both.hi + both.lo);
    }
    return a < INFINITY ? brume_sinh(a) : a; // also NaN
}

double brume_tanh(double x)
{
    const double a = fabs(x);
    if (a < 0x1p-28 || isnan(x)) {
        return x;
    }
    double result = 1.0;
    if (a < 22.0) {
        const DoublePair m = exp_less_one(2.0 * a);
        const DoublePair quotient = pair_quotient(m, pair_sum((DoublePair){2.0, 0.0}, m));
        result = quotient.hi + quotient.lo;
    }
    return copysign(result, x);
}

// x = 2^k m with m within [sqrt(1/2), sqrt(2)), 0 < x < infinity; returns m
static double reduced_mantissa(double x, double *k)
{
    const bool subnormal = x < 0x1p-1022;
    const uint64_t bits = bits_of(subnormal ? x * 0x1p54 : x);
    // k is the exponent of x divided by sqrt(1/2)
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const int64_t exponent = (int64_t)((bits - root_half + ((uint64_t)1023 << 52)) >> 52) - 1023;
    *k = (double)(exponent - (subnormal ? 54 : 0));
    return from_bits(bits - ((uint64_t)exponent << 52));
}

// ln(x), 0 < x < infinity
static DoublePair ln_as_pair(double x)
{
    double k;
    const double m = reduced_mantissa(x, &k);
    const DoublePair s = pair_quotient((DoublePair){m - 1.0, 0.0}, sum(m, 1.0));
    const DoublePair t = pair_product(s, s);
    const double u = t.hi;
    const double v = u * u;
    // artanh(s) = s (1 + t/3 + t^2/5 + ...)
    const double even = 1.0 / 7 + v * (1.0 / 11 + v * (1.0 / 15 + v * (1.0 / 19 + v * (1.0 / 23 + v * (1.0 / 27)))));
    const double odd = 1.0 / 9 + v * (1.0 / 13 + v * (1.0 / 17 + v * (1.0 / 21 + v * (1.0 / 25))));
    const DoublePair fifth = {0.2, -1.1102230246251566e-17};
    const DoublePair third = {0.3333333333333333, 1.850371707708594e-17};
    DoublePair series = pair_sum(fifth, (DoublePair){u * (even + u * odd), 0.0});
    series = pair_sum(third, pair_product(t, series));
    series = pair_product(s, pair_product(t, series));
    const DoublePair half = pair_sum(s, series);
    const DoublePair head = sum(k * LN2_HI, 2.0 * half.hi);
    return sum_ordered(head.hi, head.lo + (k * LN2_LO + 2.0 * half.lo));
}

double brume_ln(double x)
{
    if (!(x > 0.0)) {
        return x == 0.0 ? -(double)INFINITY : (double)NAN;
    }
    if (!(x < INFINITY)) {
        return x;
    }
    const DoublePair ln = ln_as_pair(x);
    return ln.hi + ln.lo;
}

// 0 where y is no integer, 1 where it is odd, 2 where it is even
static int parity(double y)
{
    if (fabs(y) >= 0x1p53) {
        return 2;
    }
    const int64_t integer = (int64_t)y;
    return (double)integer != y ? 0 : 2 - (int)(integer & 1);
}

// x^y, 0 < x < infinity, y finite
static double positive_power(double x, double y)
{
    const double limit = 0x1p66; // |ln x| >= 2^-53 for x != 1: beyond it the power is 0 or infinity in any case
    const double exponent = y > limit ? limit : y < -limit ? -limit : y;
    const DoublePair ln = ln_as_pair(x);
    const DoublePair head = product(exponent, ln.hi);
    const DoublePair power = sum_ordered(head.hi, head.lo + exponent * ln.lo);
    if (power.hi > 710.0) {
        return (double)INFINITY;
    }
    return power.hi > -746.0 ? exp_of_pair(power) : 0.0;
}

double brume_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    const double a = fabs(x);
    if (isinf(y)) {
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
    }
    const int y_parity = signbit(x) ? parity(y) : 2;
    double result;
    if (a == 0.0 || isinf(a)) {
        result = (a == 0.0) == (y > 0.0) ? 0.0 : (double)INFINITY;
    } else if (y_parity == 0) {
        return (double)NAN;
    } else {
        result = positive_power(a, y);
    }
    return y_parity == 1 ? -result : result;
}

float brume_powf(float x, float y)
{
    if (!(x > 0.0f && x < INFINITY && fabsf(y) < 0x1p40f)) {
        return (float)brume_pow((double)x, (double)y);
    }
    // the logarithm to a few units of 2^-53 is enough here
    double k;
    const double m = reduced_mantissa((double)x, &k);
    const double s = (m - 1.0) / (m + 1.0);
    const double u = s * s;
    const double v = u * u;
    const double even = 1.0 / 3 + v * (1.0 / 7 + v * (1.0 / 11 + v * (1.0 / 15 + v * (1.0 / 19))));
    const double odd = 1.0 / 5 + v * (1.0 / 9 + v * (1.0 / 13 + v * (1.0 / 17)));
    const double ln = k * 0.6931471805599453 + 2.0 * (s + s * (u * (even + u * odd)));
    return (float)brume_exp((double)y * ln);
}

// 2 / pi behind 64 zero bits
static const uint64_t two_by_pi[] = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u,
    0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
};

__extension__ typedef unsigned __int128 Wide;

static uint64_t shift_left_in(uint64_t upper, uint64_t lower, int shift)
{
    return shift == 0 ? upper : upper << shift | lower >> (64 - shift);
}

// x = n pi/2 + the result, within [-pi/4, pi/4], for finite x >= 0; `quadrant` is n modulo 4
static DoublePair reduced_angle(double x, unsigned *quadrant)
{
    if (x <= QUARTER_PI) {
        *quadrant = 0;
        return (DoublePair){x, 0.0};
    }
    // x = m 2^exponent; bits of 2/pi whose product with x is a multiple of 4 are left out, and of the others 192 used
    const int exponent = (int)(bits_of(x) >> 52) - 1075;
    const uint64_t m = (bits_of(x) & 0xfffffffffffffu) | 0x10000000000000u;
    const int first = exponent + 62;
    const uint64_t *const words = &two_by_pi[first / 64];
    const int shift = first % 64;
    const Wide low = (Wide)m * shift_left_in(words[2], words[3], shift);
    const Wide middle = (Wide)m * shift_left_in(words[1], words[2], shift) + (low >> 64);
    const uint64_t p0 = m * shift_left_in(words[0], words[1], shift) + (uint64_t)(middle >> 64);
    const uint64_t p1 = (uint64_t)middle;
    const uint64_t p2 = (uint64_t)low;
    // p is x 2/pi modulo 4 in units of 2^-190
    *quadrant = (unsigned)((p0 + ((uint64_t)1 << 61)) >> 62);
    uint64_t f0 = shift_left_in(p0, p1, 2);
    uint64_t f1 = shift_left_in(p1, p2, 2);
    uint64_t f2 = p2 << 2;
    const bool negative = f0 >> 63 != 0;
    if (negative) {
        f0 = ~f0;
        f1 = ~f1;
        f2 = ~f2;
    }
    // No double is closer to a multiple of pi/2 than 2^-62 (Muller, section 11.3.2), so f0 is not zero.
    const int zeros = __builtin_clzll(f0 | 1);
    f0 = shift_left_in(f0, f1, zeros);
    f1 = shift_left_in(f1, f2, zeros);
    const double unit = power_of_two(-zeros);
    const DoublePair fraction = {(double)(f0 >> 11) * (0x1p-53 * unit),
                                 (double)((f0 & 0x7ffu) << 42 | f1 >> 22) * (0x1p-106 * unit)};
    const DoublePair angle = pair_product(fraction, HALF_PI);
    return negative ? pair_negated(angle) : angle;
}

// |r| <= pi/4
static DoublePair reduced_sin(DoublePair r)
{
    const DoublePair square = product(r.hi, r.hi);
    const DoublePair cube = product(r.hi, square.hi);
    const double z = square.hi;
    const double series =
        1.0 / 120 +
        z * (-1.0 / 5040 +
             z * (1.0 / 362880 + z * (-1.0 / 39916800 + z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                                                     z * (1.0 / 355687428096000))))));
    // r^3/6 is divided, not multiplied by the rounded 1/6
    const DoublePair head = sum_ordered(r.hi, -cube.hi / 6.0);
    const double rest = cube.hi * (z * series) - (cube.lo + square.lo * r.hi) / 6.0 + r.lo * (1.0 - 0.5 * z);
    return sum_ordered(head.hi, head.lo + rest);
}

// |r| <= pi/4
static DoublePair reduced_cos(DoublePair r)
{
    const DoublePair square = product(r.hi, r.hi);
    const double z = square.hi;
    const double series =
        1.0 / 24 +
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600 +
                            z * (-1.0 / 87178291200 + z * (1.0 / 20922789888000 + z * (-1.0 / 6402373705728000)))))));
    const DoublePair head = sum_ordered(1.0, -0.5 * z);
    return sum_ordered(head.hi, head.lo + (z * z * series - (0.5 * square.lo + r.hi * r.lo)));
}

double brume_sin(double x)
{
    const double a = fabs(x);
    if (a < 0x1p-27 || !(a < INFINITY)) {
        return a < 1.0 ? x : (double)NAN;
    }
    unsigned quadrant;
    const DoublePair r = reduced_angle(a, &quadrant);
    const DoublePair value = quadrant & 1u ? reduced_cos(r) : reduced_sin(r);
    const bool negative = (quadrant & 2u) != 0;
    return negative != (x < 0.0) ? -(value.hi + value.lo) : value.hi + value.lo;
}

double brume_cos(double x)
{
    const double a = fabs(x);
    if (!(a < INFINITY)) {
        return (double)NAN;
    }
    unsigned quadrant;
    const DoublePair r = reduced_angle(a, &quadrant);
    const DoublePair value = quadrant & 1u ? reduced_sin(r) : reduced_cos(r);
    return (quadrant + 1u) & 2u ? -(value.hi + value.lo) : value.hi + value.lo;
}

double brume_tan(double x)
{
    const double a = fabs(x);
    if (a < 0x1p-27 || !(a < INFINITY)) {
        return a < 1.0 ? x : (double)NAN;
    }
    unsigned quadrant;
    const DoublePair r = reduced_angle(a, &quadrant);
    const DoublePair sine = reduced_sin(r);
    const DoublePair cosine = reduced_cos(r);
    const DoublePair value = quadrant & 1u ? pair_quotient(pair_negated(cosine), sine) : pair_quotient(sine, cosine);
    return x < 0.0 ? -(value.hi + value.lo) : value.hi + value.lo;
}

// arctangents of n / 8
static const DoublePair arctangents[] = {
    {0.0, 0.0},
    {0.12435499454676144, -3.1253241424539383e-18},
    {0.24497866312686414, 1.0698755618734451e-17},
    {0.35877067027057225, -2.4623815582638635e-17},
    {0.4636476090008061, 2.2698777452961687e-17},
    {0.5585993153435624, -5.4556305485916264e-18},
    {0.6435011087932844, 1.5834785051444286e-17},
    {0.7188299996216245, -2.1478388444456983e-17},
    {0.7853981633974483, 3.061616997868383e-17},
};

static DoublePair pair_scaled(DoublePair a, double factor)
{
    const DoublePair hi = product(a.hi, factor);
    return (DoublePair){hi.hi, hi.lo + a.lo * factor};
}

// the angle of the point (x, y); x and y >= 0, the larger near 1, the smaller 0 or above 2^-100
static DoublePair angle_of(DoublePair y, DoublePair x)
{
    const bool steep = y.hi > x.hi;
    const DoublePair opposite = steep ? x : y;
    const DoublePair adjacent = steep ? y : x;
    const int n = (int)(8.0 * (opposite.hi / adjacent.hi) + 0.5);
    const double c = 0.125 * n;
    // the tangent of the angle between the directions to the point and to (1, c)
    const DoublePair t = pair_quotient(pair_sum(opposite, pair_scaled(adjacent, -c)), //
                                       pair_sum(adjacent, pair_scaled(opposite, c)));
    const double z = t.hi * t.hi;
    const double series = -1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13)))));
    const DoublePair angle = pair_sum(arctangents[n], sum_ordered(t.hi, t.lo + t.hi * (z * series)));
    return steep ? pair_sum(HALF_PI, pair_negated(angle)) : angle;
}

// the angle of the point (x, y) for positive finite y and x > 0 or x < 0
static double angle_above_axis(double y, double x)
{
    const double a = fabs(x);
    const double ratio = y / a;
    if (ratio < 0x1p-60) {
        return x > 0.0 ? ratio : PI.hi;
    }
    if (ratio > 0x1p60) {
        return HALF_PI.hi;
    }
    const uint64_t larger = bits_of(y > a ? y : a);
    const int exponent = (int)(larger >> 52) - 1023;
    const DoublePair angle = angle_of((DoublePair){scale(y, -exponent), 0.0}, (DoublePair){scale(a, -exponent), 0.0});
    const DoublePair result = x > 0.0 ? angle : pair_sum(PI, pair_negated(angle));
    return result.hi + result.lo;
}

double brume_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    const double a = fabs(y);
    double angle;
    if (isinf(x) && isinf(y)) {
        angle = x > 0.0 ? QUARTER_PI : 3.0 * QUARTER_PI;
    } else if (a == 0.0 || isinf(x)) {
        angle = signbit(x) ? PI.hi : 0.0;
    } else if (x == 0.0 || isinf(y)) {
        angle = HALF_PI.hi;
    } else {
        angle = angle_above_axis(a, x);
    }
    return copysign(angle, y);
}

double brume_atan(double x) { return brume_atan2(x, 1.0); }

// sqrt(1 - a^2), 0 <= a <= 1
static DoublePair sqrt_one_minus_square(double a)
{
    return pair_sqrt(pair_product(sum_ordered(1.0, -a), sum_ordered(1.0, a)));
}

double brume_asin(double x)
{
    const double a = fabs(x);
    if (!(a <= 1.0)) {
        return (double)NAN;
    }
    if (a < 0x1p-27) {
        return x;
    }
    const DoublePair angle = angle_of((DoublePair){a, 0.0}, sqrt_one_minus_square(a));
    return copysign(angle.hi + angle.lo, x);
}

double brume_acos(double x)
{
    const double a = fabs(x);
    if (!(a <= 1.0)) {
        return (double)NAN;
    }
    if (a < 0x1p-60) {
        return HALF_PI.hi;
    }
    const DoublePair acute = angle_of(sqrt_one_minus_square(a), (DoublePair){a, 0.0});
    const DoublePair angle = x < 0.0 ? pair_sum(PI, pair_negated(acute)) : acute;
    return angle.hi + angle.lo;
}

// 1 - erf(n / 4) from n = 2
enum { FIRST_COMPLEMENT = 2, ERF_TERMS = 24 };
static const DoublePair erf_complements[] = {
    {0.4795001221869535, -1.900077467916287e-17},      {0.28884436634648486, 8.536743514828927e-18},
    {0.15729920705028513, -2.954563826510312e-18},     {0.07709987174354177, -3.3360693261863044e-19},
    {0.033894853524689274, -8.274380778554473e-19},    {0.013328328780817557, -6.145085778436527e-19},
    {0.004677734981047266, -3.8794238326641256e-19},   {0.0014627165866811518, -6.81920077729474e-20},
    {0.0004069520174449589, 2.080297158010754e-20},    {0.00010062192211963683, 6.262545538413354e-21},
    {2.209049699858544e-05, 1.5563377960343457e-22},   {4.302779463675122e-06, -1.1949933093530682e-22},
    {7.430983723414128e-07, -3.117067749063089e-23},   {1.1372725656979665e-07, -3.707590374501806e-25},
    {1.541725790028002e-08, -1.1417872168371026e-24},  {1.8505741373867425e-09, 6.25309128612603e-26},
    {1.9661604415428876e-10, -1.0512550512761318e-26}, {1.8485047721485312e-11, -8.90033088163163e-28},
    {1.537459794428035e-12, -8.569418222079096e-29},   {1.1310313266887154e-13, 2.9933240265582124e-30},
    {7.357847917974398e-15, -2.2410709375634793e-31},  {4.232136617425738e-16, -1.8599660417815564e-32},
    {2.1519736712498913e-17, 3.1898197253599377e-34},
};

// erf(x), |x| < 1/2: 2/sqrt(pi) (x - x^3/3 + x^5/10 - ... + (-1)^n x^(2n+1) / (n! (2n+1)))
static double erf_near_zero(double x)
{
    if (fabs(x) < 0x1p-60) {
        return x * TWO_BY_ROOT_PI.hi;
    }
    const double z = x * x;
    double series = 0.0;
    static const double coefficients[] = {-1.0 / 3,           1.0 / 10,       -1.0 / 42,        1.0 / 216,
                                          -1.0 / 1320,        1.0 / 9360,     -1.0 / 75600,     1.0 / 685440,
                                          -1.0 / 6894720,     1.0 / 76204800, -1.0 / 918086400, 1.0 / 11975040000,
                                          -1.0 / 168129561600};
    for (int n = (int)(sizeof coefficients / sizeof coefficients[0]) - 1; n >= 0; n--) {
        series = coefficients[n] + z * series;
    }
    const DoublePair first = product(x, TWO_BY_ROOT_PI.hi);
    return first.hi + (first.lo + x * TWO_BY_ROOT_PI.lo + first.hi * (z * series));
}

double brume_erf(double x)
{
    const double a = fabs(x);
    if (isnan(x)) {
        return x;
    }
    if (a < 0.5) {
        return erf_near_zero(x);
    }
    if (a >= 6.0) {
        return copysign(1.0, x);
    }
    const int n = (int)(4.0 * a + 0.5);
    const double c = 0.25 * n;
    const double h = a - c;
    // exp(-(c + h)^2) = exp(-c^2) (1 + g[1] h + g[2] h^2 + ...), integrated; the first term is added last
    double previous = 1.0;
    double g = -2.0 * c;
    double power = h;
    double rest = 0.0;
    for (int term = 2; term <= ERF_TERMS; term++) {
        power *= h;
        rest += g * power / term;
        const double next = -2.0 * (c * g + previous) / term;
        previous = g;
        g = next;
    }
    const double change = TWO_BY_ROOT_PI.hi * brume_exp(-c * c) * (h + rest);
    const DoublePair complement = erf_complements[n - FIRST_COMPLEMENT];
    const DoublePair head = sum_ordered(1.0, -complement.hi);
    return copysign(head.hi + (head.lo - complement.lo + change), x);
}
