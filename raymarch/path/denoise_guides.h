/**
 * @file denoise_guides.h
 * The guides of the denoiser: the picture of the ray marcher, and the smoke and surfaces that its rays meet.
 */
#ifndef BRUME_RAYMARCH_PATH_DENOISE_GUIDES_H
#define BRUME_RAYMARCH_PATH_DENOISE_GUIDES_H

#include "brume/renderer.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/path/denoise.h"
#include "raymarch/picture_rays.h"

/**
 * Fills base, features and surface of `image` for the pixels from its corner, with `samples` rays through each. `rays`
 * belong to the picture. With `transparent`, a picture without the sky and with alpha. The medium must be lit.
 * BRUME_INTERRUPTED where `def->progress` returned false. Parallel over tiles.
 */
BrumeStatus brume_draw_denoise_guides(BrumeDenoiseImage *image, const BrumeLitMedium *lit, const BrumePictureRays *rays,
                                      const BrumeDrawDef *def, int samples, bool transparent, BrumeError *error);

#endif
