/**
 * @file points_reader.h
 * Reads the points of files for scenes.
 */
#ifndef BRUME_APP_VOLUMES_POINTS_READER_H
#define BRUME_APP_VOLUMES_POINTS_READER_H

#include "brume/samples.h"

/** A BrumeSamplesReader for BrumeSceneReaders.points. */
BrumeStatus brume_read_points(void *context, const char *path, const char *grid, int count, int frame,
                              BrumeSamples *samples[3], BrumeError *error);

#endif
