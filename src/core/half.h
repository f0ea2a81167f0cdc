/**
 * @file half.h
 * The 16-bit numbers of IEEE 754 (binary16, "halves") as they stand in files.
 */
#ifndef BRUME_CORE_HALF_H
#define BRUME_CORE_HALF_H

#include <stddef.h>
#include <stdint.h>

/** The half nearest to a number, ties to even; infinity from 65520 on, NaN for NaN. */
uint16_t brume_half_of_float(float value);

/** The value of a half, exactly. */
float brume_float_of_half(uint16_t half);

#endif
