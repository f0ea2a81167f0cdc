/**
 * @file outlines.h
 * The outlines of emitters and bodies, and the symbols of lights, as lines in world space. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_OUTLINES_H
#define BRUME_VIEWER_EDIT_OUTLINES_H

#include "viewer/edit/objects.h"
#include "viewer/edit/screen.h"

enum { BRUME_MAX_OUTLINE = 4 * BRUME_MAX_CIRCLE_LINES + 32 }; // a sphere has four circles, a capsule as many lines

/** Lines from point to point [m]. */
typedef struct BrumeOutline {
    int count;
    BrumeVec3 ends[BRUME_MAX_OUTLINE][2];
} BrumeOutline;

/**
 * Computes the outline of an object: the edges of a shape and circles around it, or the box of a volume; for a light a
 * symbol of constant size on the screen, with its cone or its rectangle.
 */
void brume_object_outline(const BrumeControls *controls, const BrumePose *pose, const BrumeScreen *screen,
                          BrumeOutline *outline);

#endif
