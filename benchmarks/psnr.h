/**
 * @file psnr.h
 * The peak signal to noise ratio of pictures, for the benchmarks that compare them.
 */
#ifndef BRUME_BENCHMARKS_PSNR_H
#define BRUME_BENCHMARKS_PSNR_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/** The ratio of two pictures of `count` values of 8 bits [dB]; `of_equal` where they are equal. */
static inline double psnr_of_bytes(const uint8_t *a, const uint8_t *b, size_t count, double of_equal)
{
    double sum = 0.0;
    for (size_t n = 0; n < count; n++) {
        const double difference = (double)a[n] - (double)b[n];
        sum += difference * difference;
    }
    return sum > 0.0 ? 10.0 * log10(255.0 * 255.0 * (double)count / sum) : of_equal;
}

#endif
