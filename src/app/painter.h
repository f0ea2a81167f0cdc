/**
 * @file painter.h
 * From a state of the simulation to a picture file. The state is copied, so that the simulation may go on while a
 * second team of threads draws; a third thread writes.
 */
#ifndef BRUME_APP_PAINTER_H
#define BRUME_APP_PAINTER_H

#include "app/run_stats.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"

typedef struct BrumePainter BrumePainter;

/**
 * Makes a painter for the scene, which must outlive it, and for all states of it. Obstacles are drawn where they are.
 * It draws beside the caller with `draw_threads` threads, or within brume_painter_paint, with the caller's team, where
 * that is 0; the pictures are the same. BRUME_FAILED without memory or a thread.
 */
BrumeStatus brume_painter_create(BrumePainter **painter, const BrumeScene *scene, int draw_threads,
                                 BrumeRunStats *stats, BrumeError *error);

/**
 * Draws the state as frame `frame` (which `stats` knows already) and writes it to `path`. Comes back as soon as the
 * simulation may go on. Fails as the first picture that could not be written.
 */
BrumeStatus brume_painter_paint(BrumePainter *painter, const BrumeSim *sim, int frame, const char *path,
                                BrumeError *error);

/** Waits until all pictures are on the disk. Fails as the first that could not be written. */
BrumeStatus brume_painter_finish(BrumePainter *painter, BrumeError *error);

/** Bytes of the renderer and of the pictures under way. */
size_t brume_painter_bytes(const BrumePainter *painter);

/** Ends the threads, with what was painted written. NULL is fine. */
void brume_painter_destroy(BrumePainter *painter);

#endif
