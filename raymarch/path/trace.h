/**
 * @file trace.h
 * The memory of the layers of the path tracer.
 */
#ifndef BRUME_RAYMARCH_PATH_TRACE_H
#define BRUME_RAYMARCH_PATH_TRACE_H

#include <stddef.h>

/** The bytes that brume_renderer_trace allocates for the layers of a picture, in addition to brume_trace_bytes. */
size_t brume_trace_layer_bytes(int width, int height, int lights);

#endif
