/**
 * @file vti.h
 * Reading and writing of VTK XML ImageData (.vti), behind the entry brume_vti_format.
 */
#ifndef BRUME_EXCHANGE_VTK_VTI_H
#define BRUME_EXCHANGE_VTK_VTI_H

#include "exchange/volume_format.h"

/** As BrumeVolumeFormat.read. */
BrumeStatus brume_vti_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error);

#endif
