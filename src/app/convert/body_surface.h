/**
 * @file body_surface.h
 * The bodies of a frame as a grid whose isosurface is their surface.
 */
#ifndef BRUME_APP_CONVERT_BODY_SURFACE_H
#define BRUME_APP_CONVERT_BODY_SURFACE_H

#include "brume/scene.h"
#include "core/error.h"
#include "exchange/frame_grids.h"

/** The grid of a surface of bodies, and the value at the surface. */
#define BRUME_GRID_BODIES "bodies"
#define BRUME_BODIES_ISO 0.5

/**
 * Reads the scene of a frame from the file `path`, with the files of the bodies that are drawn. BRUME_BAD_INPUT where
 * the frame has no scene, or no body. Otherwise the caller frees `*scene`.
 */
BrumeStatus brume_body_scene(BrumeScene **scene, const BrumeFrameGrids *frame, const char *path, BrumeError *error);

/**
 * Fills `surface`, which is all zero, with the bodies of `scene` that are drawn, at their positions in `frame`: one
 * grid of the box of the frame, with up to four cells along a cell of the frame, where these are up to 256 along the
 * longest side. It has the value 1/2 at the surface and falls by 1 over four of its cells. Changes the shapes of
 * `scene`. Fails as brume_frame_grids_add does; the caller frees `surface` otherwise.
 */
BrumeStatus brume_body_surface(BrumeFrameGrids *surface, BrumeScene *scene, const BrumeFrameGrids *frame,
                               BrumeError *error);

#endif
