/**
 * @file picking.h
 * Finds the object of the scene at a point of the picture. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_PICKING_H
#define BRUME_VIEWER_EDIT_PICKING_H

#include "viewer/edit/objects.h"
#include "viewer/edit/screen.h"

/**
 * Returns the distance [m] along a ray to the surface of a shape, or to the box of a volume; 0 from inside; -1 where
 * the ray misses it. Exact to 1e-4 of the distance.
 */
float brume_pick_shape(const BrumeShape *shape, const BrumeRay *ray);

/** Returns the nearest object whose shape, or for a light whose symbol, is at this point of the picture; or none. */
BrumeObject brume_pick_object(const BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);

#endif
