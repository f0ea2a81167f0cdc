/**
 * @file volume_frame.h
 * The frame of a volume file that is given without a sequence.
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_FRAME_H
#define BRUME_APP_VOLUMES_VOLUME_FRAME_H

#include "exchange/frame_grids.h"

/** The frame that a volume has, otherwise the number before the extension of its path; 1 where both are no frame. */
int brume_volume_frame(const BrumeFrameGrids *volume, const char *path);

#endif
