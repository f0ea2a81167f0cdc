#include "raymarch/tiles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { TILE = 16 }; // side [pixels]

// calls of the caller's progress function, one at a time
typedef struct DrawProgress {
    const BrumeDrawDef *def;
    double before, per_tile; // fractions of the whole work
    atomic_int drawn;        // tiles
    atomic_bool cancelled;
    pthread_mutex_t mutex;
} DrawProgress;

// before a tile is drawn: whether it is to be drawn
static bool may_draw_tile(DrawProgress *progress)
{
    if (progress->def->progress == NULL) {
        return true;
    }
    if (atomic_load_explicit(&progress->cancelled, memory_order_relaxed)) {
        return false;
    }
    (void)pthread_mutex_lock(&progress->mutex);
    bool cancelled = atomic_load(&progress->cancelled);
    if (!cancelled) {
        const double fraction = progress->before + progress->per_tile * atomic_load(&progress->drawn);
        cancelled = !progress->def->progress(progress->def->context, fraction);
        atomic_store(&progress->cancelled, cancelled);
    }
    (void)pthread_mutex_unlock(&progress->mutex);
    return !cancelled;
}

BrumeStatus brume_draw_tiles(const BrumeTiles *tiles, const BrumeDrawDef *def, BrumeDrawPixel draw_pixel, void *context)
{
    const BrumePictureCrop *pixels = &tiles->pixels;
    const int across = (pixels->right - pixels->left + TILE - 1) / TILE;
    const int down = (pixels->bottom - pixels->top + TILE - 1) / TILE;
    DrawProgress progress = {
        .def = def,
        .before = tiles->before,
        .per_tile = tiles->share / ((double)across * down),
        .mutex = PTHREAD_MUTEX_INITIALIZER,
    };
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < across * down; tile++) {
        if (!may_draw_tile(&progress)) {
            continue;
        }
        const int x0 = pixels->left + tile % across * TILE;
        const int y0 = pixels->top + tile / across * TILE;
        for (int y = y0; y < y0 + TILE && y < pixels->bottom; y++) {
            for (int x = x0; x < x0 + TILE && x < pixels->right; x++) {
                draw_pixel(context, x, y);
            }
        }
        atomic_fetch_add_explicit(&progress.drawn, 1, memory_order_relaxed);
    }
    return atomic_load(&progress.cancelled) ? BRUME_INTERRUPTED : BRUME_OK;
}
