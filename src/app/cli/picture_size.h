/**
 * @file picture_size.h
 * WIDTHxHEIGHT on the command line.
 */
#ifndef BRUME_APP_CLI_PICTURE_SIZE_H
#define BRUME_APP_CLI_PICTURE_SIZE_H

#include "core/error.h"

/** [pixels]; 0: not given */
typedef struct BrumePictureSize {
    int width, height;
} BrumePictureSize;

/** The `parse` of an option whose member is a BrumePictureSize. */
BrumeStatus brume_parse_size(void *member, const char *option, const char *value, BrumeError *error);

#endif
