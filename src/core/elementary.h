/**
 * @file elementary.h
 * Elementary functions whose result is the same on every machine. IEEE 754 fixes the result of + - * / and of the
 * square root, but not the results of exp, sin or pow, which differ between C libraries and between versions of one
 * library. The functions below use the fixed operations and integers alone; the state of a simulation and the pictures
 * of the CPU renderer depend on no others (scripts/lint-structure refuses the functions of <math.h>).
 *
 * The error is below one unit in the last place (ulp) of the exact result for all arguments, also where it is
 * subnormal. Special values follow C17, annex F: NaN gives NaN except in pow, f(-0) is -0 for odd f, poles give
 * infinities, and an argument outside the domain gives NaN. Neither errno nor exception flags are part of the
 * interface. The rounding mode must be to nearest, which is the default.
 */
#ifndef BRUME_CORE_ELEMENTARY_H
#define BRUME_CORE_ELEMENTARY_H

#include <stdint.h>
#include <string.h>

double brume_exp(double x);

/** The natural logarithm. */
double brume_ln(double x);

/** x to the power of y. pow(1, y) and pow(x, 0) are 1, also for NaN; pow(x, y) is NaN for x < 0 and y no integer. */
double brume_pow(double x, double y);

/** The arguments of sine, cosine and tangent are in radians and may have any size. */
double brume_sin(double x);
double brume_cos(double x);
double brume_tan(double x);

double brume_asin(double x);
double brume_acos(double x);
double brume_atan(double x);

/** The angle of the point (x, y) in [-pi, pi]; the signs of zeros select the side of the cut. */
double brume_atan2(double y, double x);

double brume_sinh(double x);
double brume_cosh(double x);
double brume_tanh(double x);

/** The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. */
double brume_erf(double x);

/** Single precision: the functions above, rounded. The error is below 0.5 + 2^-28 ulp. */
static inline float brume_expf(float x) { return (float)brume_exp((double)x); }
static inline float brume_lnf(float x) { return (float)brume_ln((double)x); }
static inline float brume_sinf(float x) { return (float)brume_sin((double)x); }
static inline float brume_cosf(float x) { return (float)brume_cos((double)x); }
static inline float brume_tanf(float x) { return (float)brume_tan((double)x); }
static inline float brume_asinf(float x) { return (float)brume_asin((double)x); }
static inline float brume_atan2f(float y, float x) { return (float)brume_atan2((double)y, (double)x); }

/** With a logarithm in plain double precision: the error is below 0.5 + 2^-20 ulp, special values follow
 * brume_pow. */
float brume_powf(float x, float y);

/**
 * exp(x) for x <= 0 in the renderer's inner loops, with a relative error below 2e-7; exactly 1 at 0, and exp(-87) below
 * -87. It neither branches nor reads a table, so loops over it vectorize with the bits of scalar code. Range reduction
 * to |r| <= ln(2)/2 with ln(2) in two parts (Cody and Waite, "Software Manual for the Elementary Functions", 1980),
 * then the Taylor polynomial of degree 6.
 */
static inline float brume_fast_exp(float x)
{
    const float clamped = x > -87.0f ? x : -87.0f;
    const float shifted = clamped * 1.44269504f + 12582912.0f; // 1.5 * 2^23: the sum's last bits are the integer
    const float n = shifted - 12582912.0f;
    const float r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    const float p =
        1.0f + r * (1.0f + r * (0.5f + r * (1.66666667e-1f +
                                            r * (4.16666667e-2f + r * (8.33333333e-3f + r * 1.38888889e-3f)))));
    int32_t bits;
    memcpy(&bits, &p, sizeof bits);
    bits += (int32_t)n * (1 << 23);
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/** Natural logarithm of x > 0 with an absolute error below 2e-7; about -88 at 0. */
static inline float brume_fast_ln(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t offset = bits - 0x3f3504f3; // of sqrt(1/2), so that the mantissa is in [sqrt(1/2), sqrt(2))
    const int32_t exponent = offset >> 23;
    bits -= exponent * (1 << 23);
    float mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    const float z = (mantissa - 1.0f) / (mantissa + 1.0f);
    const float zz = z * z;
    const float series =
        2.0f * z * (1.0f + zz * (0.333333333f + zz * (0.2f + zz * (0.142857143f + zz * 0.111111111f))));
    return (float)exponent * 0.693147181f + series;
}

#endif
