/**
 * @file yuv.h
 * Conversion of pictures to the form that video encoders take.
 */
#ifndef BRUME_VIDEO_YUV_H
#define BRUME_VIDEO_YUV_H

#include <stdint.h>

/** The three planes of a picture: luma Y', and the chroma Cb and Cr with half the width and height. */
typedef struct BrumeYuvPlanes {
    uint8_t *y, *cb, *cr;
    int y_stride, cb_stride, cr_stride; ///< bytes from one row to the next
} BrumeYuvPlanes;

/**
 * Converts R'G'B' (height x width x 3, top row first; both sides even) to Y'CbCr with the matrix of ITU-R BT.709 in
 * limited range: Y' is 16 for black and 235 for white, chroma is 16 to 240. A chroma sample lies in the middle between
 * two rows, at the left one of two columns (the siting of MPEG-2 and H.264). Values are dithered, not rounded.
 */
void brume_yuv_from_rgb(const uint8_t *rgb, int width, int height, const BrumeYuvPlanes *planes);

#endif
