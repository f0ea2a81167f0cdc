/**
 * @file texture.h
 * The texels of a texture.
 */
#ifndef BRUME_CORE_TEXTURE_H
#define BRUME_CORE_TEXTURE_H

#include "brume/texture.h"

#include <stdint.h>

struct BrumeTexture {
    int references;        ///< changed atomically
    int width, height;     ///< [texels]
    int frames;            ///< 0: the file was not read
    int first;             ///< number of the first picture
    double fps;            ///< pictures a second; 0: the first one is shown
    int start;             ///< number of the picture at time 0
    char *file;            ///< NULL: none
    uint16_t (*texels)[3]; ///< (frames x height x width) linear RGB in [0, 1] as halves, the first row at the top
};

/** A texture of a file that was not read, which is white. NULL without memory. */
BrumeTexture *brume_texture_create_unread(const char *file);

/** Sets which picture is shown: number `start` at time 0, and `fps` a second; before other threads use the texture. */
void brume_texture_set_rate(BrumeTexture *texture, int start, double fps);

/** The picture at a time [s], counted from 0: that of the nearest frame, where the sequence repeats without end. */
int brume_texture_frame(const BrumeTexture *texture, double time);

/**
 * The linear RGB of a picture at (u, v) [sides of the picture], u to the right and v up from its lower left corner:
 * bilinear between the centers of the texels, and repeated beyond its edges. White where the file was not read.
 */
BrumeVec3 brume_texture_color(const BrumeTexture *texture, int frame, float u, float v);

#endif
