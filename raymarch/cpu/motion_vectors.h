/**
 * @file motion_vectors.h
 * The motion of visible points from a frame to the next, in pixels of the picture.
 */
#ifndef BRUME_RAYMARCH_CPU_MOTION_VECTORS_H
#define BRUME_RAYMARCH_CPU_MOTION_VECTORS_H

#include "brume/renderer.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/picture_rays.h"

/** Shared by the motion vectors of one picture. */
typedef struct BrumeMotionView {
    const BrumeLitMedium *lit;
    BrumePictureRays now, next; ///< the rays of this frame and of the next one, without lens and shutter
    float seconds;              ///< between both
} BrumeMotionView;

/** The view of a picture: `def->camera_at` has the camera of the next frame, `def->frame_seconds` after this one. */
BrumeMotionView brume_motion_view(const BrumeLitMedium *lit, const BrumeCamera *camera, const BrumeDrawDef *def);

/** BrumePictureLayers.motion of the pixel (x, y). The medium need not be lit. */
void brume_motion_vector(const BrumeMotionView *view, int x, int y, float motion[2]);

#endif
