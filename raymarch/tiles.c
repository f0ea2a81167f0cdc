#include "raymarch/tiles.h"

#include "core/error.h"
#include "core/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { TILE = BRUME_TILE_SIDE };

// shared by the threads that draw tiles; the caller's functions are called by one thread at a time
typedef struct DrawProgress {
    const BrumeDrawDef *def;
    double share_before, per_tile; // fractions of the whole work
    atomic_int drawn;              // tiles
    atomic_bool canceled, paused;  // paused: for a partial picture
    pthread_mutex_t mutex;
    bool *complete; // of each tile, where partial pictures are possible; otherwise NULL
} DrawProgress;

static int tiles_across(const BrumePictureCrop *pixels) { return (pixels->right - pixels->left + TILE - 1) / TILE; }

static int tiles_down(const BrumePictureCrop *pixels) { return (pixels->bottom - pixels->top + TILE - 1) / TILE; }

// reports the progress; whether another tile is to be drawn, unless canceled or a partial picture is wanted
static bool may_draw_tile(DrawProgress *progress)
{
    const BrumeDrawDef *def = progress->def;
    if (def->progress == NULL && def->partial_wanted == NULL) {
        return true;
    }
    if (atomic_load_explicit(&progress->canceled, memory_order_relaxed) ||
        atomic_load_explicit(&progress->paused, memory_order_relaxed)) {
        return false;
    }
    (void)pthread_mutex_lock(&progress->mutex);
    bool stops = atomic_load(&progress->canceled) || atomic_load(&progress->paused);
    if (!stops && def->progress != NULL) {
        const double fraction = progress->share_before + progress->per_tile * atomic_load(&progress->drawn);
        stops = !def->progress(def->context, fraction);
        atomic_store(&progress->canceled, stops);
    }
    if (!stops && progress->complete != NULL && def->partial_wanted(def->context)) {
        stops = true;
        atomic_store(&progress->paused, true);
    }
    (void)pthread_mutex_unlock(&progress->mutex);
    return !stops;
}

// draws the tiles that are not complete, until a partial picture is wanted
static void draw_remaining(const BrumeTiles *tiles, DrawProgress *progress, BrumeDrawTile draw_tile, void *context)
{
    const BrumePictureCrop *pixels = &tiles->pixels;
    const int across = tiles_across(pixels);
    const int count = across * tiles_down(pixels);
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < count; tile++) {
        if ((progress->complete != NULL && progress->complete[tile]) || !may_draw_tile(progress)) {
            continue;
        }
        const int x0 = pixels->left + tile % across * TILE;
        const int y0 = pixels->top + tile / across * TILE;
        const BrumePictureCrop crop = {
            .left = x0,
            .top = y0,
            .right = x0 + TILE < pixels->right ? x0 + TILE : pixels->right,
            .bottom = y0 + TILE < pixels->bottom ? y0 + TILE : pixels->bottom,
        };
        draw_tile(context, &crop);
        if (progress->complete != NULL) {
            progress->complete[tile] = true;
        }
        atomic_fetch_add_explicit(&progress->drawn, 1, memory_order_relaxed);
    }
}

BrumeStatus brume_draw_whole_tiles(const BrumeTiles *tiles, const BrumeDrawDef *def, BrumeDrawTile draw_tile,
                                   void *context, BrumeError *error)
{
    const int count = tiles_across(&tiles->pixels) * tiles_down(&tiles->pixels);
    DrawProgress progress = {
        .def = def,
        .share_before = tiles->share_before,
        .per_tile = tiles->share / count,
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .complete = def->partial_wanted != NULL ? brume_alloc((size_t)count, sizeof(bool)) : NULL,
    };
    draw_remaining(tiles, &progress, draw_tile, context);
    while (atomic_load(&progress.paused)) {
        if (tiles->before_partial != NULL) {
            tiles->before_partial(context);
        }
        def->partial(def->context);
        atomic_store(&progress.paused, false);
        draw_remaining(tiles, &progress, draw_tile, context);
    }
    brume_free(progress.complete);
    return atomic_load(&progress.canceled) ? brume_fail(error, BRUME_INTERRUPTED, "the picture was stopped") : BRUME_OK;
}

// draws a tile pixel by pixel
typedef struct PixelDrawing {
    BrumeDrawPixel draw_pixel;
    void *context;
    const BrumeTiles *tiles;
} PixelDrawing;

static void draw_pixels(void *context, const BrumePictureCrop *tile)
{
    const PixelDrawing *drawing = context;
    for (int y = tile->top; y < tile->bottom; y++) {
        for (int x = tile->left; x < tile->right; x++) {
            drawing->draw_pixel(drawing->context, x, y);
        }
    }
}

// BrumeTiles.before_partial, for a caller that draws pixel by pixel
static void before_partial(void *context)
{
    const PixelDrawing *drawing = context;
    drawing->tiles->before_partial(drawing->context);
}

BrumeStatus brume_draw_tiles(const BrumeTiles *tiles, const BrumeDrawDef *def, BrumeDrawPixel draw_pixel, void *context,
                             BrumeError *error)
{
    PixelDrawing drawing = {draw_pixel, context, tiles};
    BrumeTiles whole = *tiles;
    whole.before_partial = tiles->before_partial != NULL ? before_partial : NULL;
    return brume_draw_whole_tiles(&whole, def, draw_pixels, &drawing, error);
}

void brume_draw_blocks(const BrumePictureCrop *tile, int side, BrumeDrawTile draw_block, void *context)
{
    for (int y = tile->top; y < tile->bottom; y += side) {
        for (int x = tile->left; x < tile->right; x += side) {
            const BrumePictureCrop block = {
                .left = x,
                .top = y,
                .right = x + side < tile->right ? x + side : tile->right,
                .bottom = y + side < tile->bottom ? y + side : tile->bottom,
            };
            draw_block(context, &block);
        }
    }
}
