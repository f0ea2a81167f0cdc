/**
 * @file video_library.h
 * Loading the module that encodes videos.
 */
#ifndef BRUME_VIDEO_VIDEO_LIBRARY_H
#define BRUME_VIDEO_VIDEO_LIBRARY_H

#include "video/video_encoder.h"

/**
 * Loads the module next to the program or from its installation; it stays loaded. BRUME_FAILED where it is not
 * installed, where libraries that it needs are missing, and where it belongs to another version of the program;
 * `*functions` is NULL then.
 */
BrumeStatus brume_video_load(const BrumeVideoFunctions **functions, BrumeError *error);

#endif
