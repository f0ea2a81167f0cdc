/**
 * @file exr_color.h
 * The colors of OpenEXR files: which channels they have, and their primaries, which are converted to ITU-R BT.709.
 */
#ifndef BRUME_IO_EXR_COLOR_H
#define BRUME_IO_EXR_COLOR_H

#include <stdbool.h>

/** The kinds of channels of a picture. */
typedef enum BrumeExrColor {
    BRUME_EXR_RGB,
    BRUME_EXR_CHROMA,    ///< luminance Y and the chroma RY = (R - Y) / Y and BY = (B - Y) / Y
    BRUME_EXR_LUMINANCE, ///< Y alone: gray
    BRUME_EXR_COLORS,
} BrumeExrColor;

/** The conversion of the numbers of a picture to BT.709. */
typedef struct BrumeExrPrimaries {
    double luminance[3]; ///< of the primaries of the file
    bool same;           ///< they are BT.709 already
    double to_bt709[3][3];
} BrumeExrPrimaries;

/** The names of its channels, ended by NULL. */
const char *const *brume_exr_channel_names(BrumeExrColor color);

/**
 * From the chromaticities x, y of red, green, blue and white; NULL: BT.709's. The white point is adapted by the method
 * of Bradford (Lindbloom, "Chromatic Adaptation"). False where they do not describe primaries.
 */
bool brume_exr_primaries_find(BrumeExrPrimaries *primaries, const float xy[8]);

/** Converts the values of the channels of a pixel in place. */
void brume_exr_convert(BrumeExrColor color, const BrumeExrPrimaries *primaries, float rgb[3]);

#endif
