/**
 * @file samples_reader.h
 * Reads the volume files that scenes name.
 */
#ifndef BRUME_APP_VOLUMES_SAMPLES_READER_H
#define BRUME_APP_VOLUMES_SAMPLES_READER_H

#include "brume/samples.h"

/**
 * A BrumeSamplesReader for all formats of volume files; `context` is not used. A velocity is taken from the faces where
 * the file has it there, otherwise from the centers of the cells.
 */
BrumeStatus brume_read_samples(void *context, const char *path, const char *grid, int count, BrumeSamples *samples[3],
                               BrumeError *error);

#endif
