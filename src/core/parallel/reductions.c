#include "core/parallel/reductions.h"

BRUME_KERNEL static int32_t largest_bits_of_row(const float *row, int count, int32_t max)
{
    return brume_max_bits_row(row, count, max);
}

int32_t brume_largest_bits(const float *row, int count, int32_t max) { return largest_bits_of_row(row, count, max); }

BRUME_KERNEL static uint32_t any_bits_of_row(const float *row, int count) { return brume_any_bits_row(row, count); }

uint32_t brume_any_bits(const float *row, int count) { return any_bits_of_row(row, count); }
