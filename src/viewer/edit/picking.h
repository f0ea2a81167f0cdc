/**
 * @file picking.h
 * Which object of the scene is at a point of the picture. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_PICKING_H
#define BRUME_VIEWER_EDIT_PICKING_H

#include "viewer/edit/objects.h"
#include "viewer/edit/screen.h"

/**
 * The distance [m] along a ray to the surface of a shape, of a volume to its box; 0 from inside of it; -1 where the ray
 * misses it. Exact to 1e-4 of the distance.
 */
float brume_pick_shape(const BrumeShape *shape, const BrumeRay *ray);

/**
 * The nearest object whose shape, or whose symbol for a light, is at this point of the picture; none where there is
 * none.
 */
BrumeObject brume_pick_object(const BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);

#endif
