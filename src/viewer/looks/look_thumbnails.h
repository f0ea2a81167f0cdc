/**
 * @file look_thumbnails.h
 * Small pictures of the present smoke with each preset, drawn in the background by a thread of low priority: the smoke
 * on a grid of at most 32 cells along its longest side, whose light takes milliseconds.
 *
 * Which thread does what:
 * | thread             | functions                                                                        |
 * | ------------------ | -------------------------------------------------------------------------------- |
 * | thumbnail thread   | reading presets, drawing, `on_change`                                            |
 * | preparation thread | brume_look_thumbnails_offer, which copies the coarse smoke where it is requested |
 * | window thread      | all other functions                                                              |
 */
#ifndef BRUME_VIEWER_LOOKS_LOOK_THUMBNAILS_H
#define BRUME_VIEWER_LOOKS_LOOK_THUMBNAILS_H

#include "brume/camera.h"
#include "core/error.h"
#include "viewer/looks/look_catalog.h"
#include "viewer/simulation/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

enum { BRUME_THUMBNAIL_WIDTH = 96, BRUME_THUMBNAIL_HEIGHT = 72 };

typedef struct BrumeLookThumbnails BrumeLookThumbnails;

/** The look, box and camera that all thumbnails have in common. */
typedef struct BrumeThumbnailRequest {
    BrumeRenderSettings look; ///< each preset replaces a part of it
    BrumeLookBox box;         ///< box to which presets are applied
    BrumeCamera camera;
} BrumeThumbnailRequest;

/** Sets the solids of the look to the ones of `drawn`, which have their positions in the shown state. */
void brume_thumbnail_request_set_solids(BrumeThumbnailRequest *request, const BrumeRenderSettings *drawn);

/** The picture of a preset. */
typedef struct BrumeThumbnail {
    bool drawn;
    unsigned serial; ///< increases with every drawing
    uint8_t rgb[BRUME_THUMBNAIL_WIDTH * BRUME_THUMBNAIL_HEIGHT * 3];
} BrumeThumbnail;

/**
 * Starts the thread. `readers` read the images of skies and must be valid until it ends. The thread calls `on_change`
 * after each picture. BRUME_FAILED without memory or a thread.
 */
BrumeStatus brume_look_thumbnails_create(BrumeLookThumbnails **thumbnails, const BrumeSceneReaders *readers,
                                         void (*on_change)(void), BrumeError *error);

/** Ends the thread after its present picture, and frees everything; NULL is allowed. */
void brume_look_thumbnails_destroy(BrumeLookThumbnails *thumbnails);

/** Requests the smoke of the next snapshot that is offered. */
void brume_look_thumbnails_want_smoke(BrumeLookThumbnails *thumbnails);

/** Copies the smoke of the first variant, on a coarse grid, if it is requested. `context` is a BrumeLookThumbnails. */
void brume_look_thumbnails_offer(void *context, const BrumeSnapshot *snapshot);

/** Draws all presets of a catalog anew, once there is smoke; earlier pictures remain until then. */
void brume_look_thumbnails_request(BrumeLookThumbnails *thumbnails, const BrumeLookCatalog *catalog,
                                   const BrumeThumbnailRequest *request);

/** Whether pictures of the latest request are still to be drawn. */
bool brume_look_thumbnails_busy(BrumeLookThumbnails *thumbnails);

/** Copies the picture of an entry of the latest request and returns true if its serial is not `thumbnail->serial`. */
bool brume_look_thumbnails_get(BrumeLookThumbnails *thumbnails, int entry, BrumeThumbnail *thumbnail);

#endif
