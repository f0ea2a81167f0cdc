/**
 * @file field.h
 * Making, filling and exchanging fields; brume/field.h has their layout.
 */
#ifndef BRUME_CORE_FIELD_H
#define BRUME_CORE_FIELD_H

#include "brume/field.h"
#include "core/error.h"

/**
 * Allocates a field of zeros. Every z-plane is first touched by the thread that the kernels later give it to.
 * Returns BRUME_FAILED without memory, with `field->data` NULL.
 */
BrumeStatus brume_field_create(BrumeField *field, BrumeGrid grid, BrumeError *error);

/** Frees the data; a zeroed field is fine. */
void brume_field_destroy(BrumeField *field);

/** Sets every entry, ghosts included, in the slabs of the kernels. */
void brume_field_fill(BrumeField *field, float value);

/** Exchanges the data of two fields of one shape, so that a finished result takes its place without a copy. */
static inline void brume_field_swap(BrumeField *a, BrumeField *b)
{
    float *data = a->data;
    a->data = b->data;
    b->data = data;
}

#endif
