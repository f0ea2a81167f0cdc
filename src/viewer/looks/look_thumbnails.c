#include "viewer/looks/look_thumbnails.h"

#include "brume/renderer.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/threads.h"
#include "core/parallel/triple_buffer.h"
#include "core/parallel/worker.h"
#include "core/vec3.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CELLS = 32, SAMPLES = 2, QUANTITIES = BRUME_VOLUME_KINDS + 1 };

/** Smoke on a coarse grid. Zeroed: none. */
typedef struct CoarseSmoke {
    BrumeGrid grid;
    float dx;
    BrumeVec3 origin;
    size_t capacity;           ///< floats of each array
    float *values[QUANTITIES]; ///< densities of each kind, temperature
    bool has[QUANTITIES];
} CoarseSmoke;

/** A preset to draw. */
typedef struct ThumbnailItem {
    BrumeLookPart part;
    char path[BRUME_LOOK_PATH];
    bool is_valid;
} ThumbnailItem;

struct BrumeLookThumbnails {
    const BrumeSceneReaders *readers; // for the images of skies
    void (*on_change)(void);
    BrumeWorker worker;
    atomic_bool wants_smoke;

    // guarded by the monitor, which is locked for copies only
    BrumeMonitor monitor;
    bool has_smoke;
    BrumeThumbnailRequest request;
    unsigned request_serial; // 0: there is none
    int count, next;         // number of items, and index of the first that is not drawn yet
    unsigned serial;
    ThumbnailItem items[BRUME_MAX_LOOKS];
    BrumeThumbnail pictures[BRUME_MAX_LOOKS];
    char drawn_path[BRUME_MAX_LOOKS][BRUME_LOOK_PATH]; // paths of the presets of the pictures

    // from the preparation thread to the thumbnail thread
    BrumeTripleBuffer buffer;
    CoarseSmoke smokes[BRUME_TRIPLE_BUFFER_SLOTS];

    // used by the thumbnail thread alone
    BrumeRenderer *renderer;
    BrumeGrid renderer_grid;
    float radiance[BRUME_THUMBNAIL_WIDTH * BRUME_THUMBNAIL_HEIGHT * 3];
    uint8_t rgb[BRUME_THUMBNAIL_WIDTH * BRUME_THUMBNAIL_HEIGHT * 3];
};

// copies all entries, unused ones too, because the bytes of requests are compared
void brume_thumbnail_request_set_solids(BrumeThumbnailRequest *request, const BrumeRenderSettings *drawn)
{
    memcpy(request->look.surfaces, drawn->surfaces, sizeof request->look.surfaces);
    request->look.surface_count = drawn->surface_count;
}

static void free_smoke(CoarseSmoke *smoke)
{
    for (int n = 0; n < QUANTITIES; n++) {
        brume_free(smoke->values[n]);
    }
    *smoke = (CoarseSmoke){0};
}

static bool reserve(CoarseSmoke *smoke, size_t entries)
{
    if (entries <= smoke->capacity) {
        return true;
    }
    free_smoke(smoke);
    for (int n = 0; n < QUANTITIES; n++) {
        smoke->values[n] = brume_alloc_untouched(entries, sizeof(float));
        if (!smoke->values[n]) {
            free_smoke(smoke);
            return false;
        }
    }
    smoke->capacity = entries;
    return true;
}

static int smaller(int a, int b) { return a < b ? a : b; }

// computes the means of blocks of factor^3 cells
static void average(float *coarse, BrumeGrid to, const BrumeField *field, int factor)
{
    const BrumeGrid from = field->grid;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < to.nz; k++) {
        for (int j = 0; j < to.ny; j++) {
            for (int i = 0; i < to.nx; i++) {
                float sum = 0.0f;
                for (int c = k * factor; c < smaller((k + 1) * factor, from.nz); c++) {
                    for (int b = j * factor; b < smaller((j + 1) * factor, from.ny); b++) {
                        for (int a = i * factor; a < smaller((i + 1) * factor, from.nx); a++) {
                            sum += field->data[brume_field_index(field, a + 1, b + 1, c + 1)];
                        }
                    }
                }
                coarse[((size_t)k * (size_t)to.ny + (size_t)j) * (size_t)to.nx + (size_t)i] =
                    sum / (float)(factor * factor * factor);
            }
        }
    }
}

void brume_look_thumbnails_want_smoke(BrumeLookThumbnails *thumbnails) { atomic_store(&thumbnails->wants_smoke, true); }

void brume_look_thumbnails_offer(void *context, const BrumeSnapshot *snapshot)
{
    BrumeLookThumbnails *thumbnails = context;
    const BrumeSnapshotVariant *variant = &snapshot->variants[0];
    if (!brume_snapshot_has_fields(variant) || !atomic_exchange(&thumbnails->wants_smoke, false)) {
        return;
    }
    const BrumeGrid from = variant->fields[BRUME_FIELD_DENSITY].grid;
    const int across = from.nx > from.nz ? from.nx : from.nz;
    const int factor = ((from.ny > across ? from.ny : across) + MAX_CELLS - 1) / MAX_CELLS;
    const BrumeGrid to =
        brume_grid((from.nx + factor - 1) / factor, (from.ny + factor - 1) / factor, (from.nz + factor - 1) / factor);
    CoarseSmoke *smoke = &thumbnails->smokes[brume_triple_buffer_write_slot(&thumbnails->buffer)];
    if (!reserve(smoke, (size_t)to.nx * (size_t)to.ny * (size_t)to.nz)) {
        return;
    }
    smoke->grid = to;
    smoke->dx = variant->settings.dx * (float)factor;
    smoke->origin = variant->origin;
    for (int n = 0; n < QUANTITIES; n++) {
        const BrumeField *field =
            &variant->fields[n < BRUME_VOLUME_KINDS ? BRUME_FIELD_DENSITY + n : BRUME_FIELD_TEMPERATURE];
        smoke->has[n] = field->data != NULL;
        if (smoke->has[n]) {
            average(smoke->values[n], to, field, factor);
        }
    }
    brume_triple_buffer_publish(&thumbnails->buffer);
    brume_monitor_lock(&thumbnails->monitor);
    thumbnails->has_smoke = true;
    thumbnails->request_serial++; // all pictures are drawn anew, also the one in progress
    thumbnails->next = 0;
    brume_monitor_signal_and_unlock(&thumbnails->monitor);
}

static BrumeVolume volume_of(const CoarseSmoke *smoke)
{
    BrumeVolume volume = brume_volume_from_array(smoke->values[0], smoke->grid.nx, smoke->grid.ny, smoke->grid.nz,
                                                 smoke->dx, smoke->origin);
    for (int kind = 1; kind < BRUME_VOLUME_KINDS; kind++) {
        volume.density[kind] = smoke->has[kind] ? smoke->values[kind] : NULL;
    }
    volume.temperature = smoke->has[BRUME_VOLUME_KINDS] ? smoke->values[BRUME_VOLUME_KINDS] : NULL;
    return volume;
}

// draws the smoke with a preset to `rgb`
static BrumeStatus draw(BrumeLookThumbnails *thumbnails, const ThumbnailItem *item,
                        const BrumeThumbnailRequest *request, BrumeError *error)
{
    BrumeLookPreset preset;
    BrumeStatus status = brume_look_read(&preset, item->part, item->path, thumbnails->readers, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeRenderSettings look = request->look;
    brume_look_preset_apply(&preset, &request->box, &look);
    look.shutter = 0.0f;
    look.detail.factor = 1;
    look.interpolation = BRUME_INTERPOLATION_LINEAR;
    look.ground_pattern = look.ground_pattern == BRUME_GROUND_IMAGE ? BRUME_GROUND_PLAIN : look.ground_pattern;
    (void)brume_triple_buffer_take(&thumbnails->buffer);
    const CoarseSmoke *smoke = &thumbnails->smokes[brume_triple_buffer_read_slot(&thumbnails->buffer)];
    const BrumeGrid grid = smoke->grid;
    if (thumbnails->renderer && brume_same_grid(thumbnails->renderer_grid, grid)) {
        status = brume_renderer_set_settings(thumbnails->renderer, &look, error);
    } else {
        brume_renderer_destroy(thumbnails->renderer);
        thumbnails->renderer_grid = grid;
        status = brume_renderer_create(&thumbnails->renderer, grid.nx, grid.ny, grid.nz, &look, error);
    }
    const BrumeVolume volume = volume_of(smoke);
    if (status == BRUME_OK) {
        status = brume_renderer_load(thumbnails->renderer, &volume, error);
    }
    if (status == BRUME_OK) {
        const BrumeDrawDef def = {.width = BRUME_THUMBNAIL_WIDTH, .height = BRUME_THUMBNAIL_HEIGHT, .samples = SAMPLES};
        (void)brume_renderer_light(thumbnails->renderer, NULL);
        status = brume_renderer_draw(thumbnails->renderer, &request->camera, &def, thumbnails->radiance, error);
    }
    if (status == BRUME_OK) {
        brume_tone_map(&look, BRUME_THUMBNAIL_WIDTH, BRUME_THUMBNAIL_HEIGHT, thumbnails->radiance, thumbnails->rgb);
    }
    brume_look_preset_destroy(&preset);
    return status;
}

// stores the picture unless the list has changed meanwhile; the monitor is locked
static void store(BrumeLookThumbnails *thumbnails, int n, unsigned request_serial, bool drawn)
{
    if (request_serial != thumbnails->request_serial) {
        return;
    }
    thumbnails->next = n + 1;
    if (drawn) {
        BrumeThumbnail *picture = &thumbnails->pictures[n];
        picture->drawn = true;
        picture->serial = ++thumbnails->serial;
        memcpy(picture->rgb, thumbnails->rgb, sizeof picture->rgb);
        memcpy(thumbnails->drawn_path[n], thumbnails->items[n].path, BRUME_LOOK_PATH);
    }
}

static void run(void *context)
{
    BrumeLookThumbnails *thumbnails = context;
    brume_lower_priority();
    brume_set_threads(1);
    brume_monitor_lock(&thumbnails->monitor);
    while (!brume_worker_quits(&thumbnails->worker)) {
        if (!thumbnails->has_smoke || thumbnails->next == thumbnails->count) {
            brume_monitor_wait(&thumbnails->monitor, INFINITY);
            continue;
        }
        const int n = thumbnails->next;
        const unsigned request_serial = thumbnails->request_serial;
        const ThumbnailItem item = thumbnails->items[n];
        const BrumeThumbnailRequest request = thumbnails->request;
        brume_monitor_unlock(&thumbnails->monitor);
        BrumeError error;
        const bool drawn = item.is_valid && draw(thumbnails, &item, &request, &error) == BRUME_OK;
        brume_monitor_lock(&thumbnails->monitor);
        store(thumbnails, n, request_serial, drawn);
        brume_monitor_unlock(&thumbnails->monitor);
        if (drawn && thumbnails->on_change) {
            thumbnails->on_change();
        }
        brume_monitor_lock(&thumbnails->monitor);
    }
    brume_monitor_unlock(&thumbnails->monitor);
}

BrumeStatus brume_look_thumbnails_create(BrumeLookThumbnails **thumbnails, const BrumeSceneReaders *readers,
                                         void (*on_change)(void), BrumeError *error)
{
    *thumbnails = NULL;
    BrumeLookThumbnails *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the pictures of presets");
    }
    brume_monitor_init(&created->monitor);
    brume_triple_buffer_init(&created->buffer);
    created->readers = readers;
    created->on_change = on_change;
    const BrumeStatus status =
        brume_worker_start(&created->worker, &created->monitor, "brume-thumbnail", run, created, error);
    if (status != BRUME_OK) {
        brume_look_thumbnails_destroy(created);
        return status;
    }
    *thumbnails = created;
    return BRUME_OK;
}

void brume_look_thumbnails_destroy(BrumeLookThumbnails *thumbnails)
{
    if (!thumbnails) {
        return;
    }
    brume_worker_join(&thumbnails->worker);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        free_smoke(&thumbnails->smokes[n]);
    }
    brume_renderer_destroy(thumbnails->renderer);
    brume_monitor_destroy(&thumbnails->monitor);
    brume_free(thumbnails);
}

void brume_look_thumbnails_request(BrumeLookThumbnails *thumbnails, const BrumeLookCatalog *catalog,
                                   const BrumeThumbnailRequest *request)
{
    brume_monitor_lock(&thumbnails->monitor);
    thumbnails->request = *request;
    thumbnails->request_serial++;
    thumbnails->count = catalog->count;
    thumbnails->next = 0;
    for (int n = 0; n < catalog->count; n++) {
        const BrumeLookEntry *entry = &catalog->entries[n];
        ThumbnailItem *item = &thumbnails->items[n];
        item->part = entry->part;
        item->is_valid = entry->error[0] == '\0';
        memcpy(item->path, entry->path, sizeof item->path);
        if (strcmp(thumbnails->drawn_path[n], item->path) != 0) {
            thumbnails->pictures[n].drawn = false; // it shows another preset
            thumbnails->pictures[n].serial = ++thumbnails->serial;
        }
    }
    brume_monitor_signal_and_unlock(&thumbnails->monitor);
}

bool brume_look_thumbnails_busy(BrumeLookThumbnails *thumbnails)
{
    brume_monitor_lock(&thumbnails->monitor);
    const bool busy = thumbnails->next < thumbnails->count;
    brume_monitor_unlock(&thumbnails->monitor);
    return busy;
}

bool brume_look_thumbnails_get(BrumeLookThumbnails *thumbnails, int entry, BrumeThumbnail *thumbnail)
{
    brume_monitor_lock(&thumbnails->monitor);
    const bool is_new = thumbnails->pictures[entry].serial != thumbnail->serial;
    if (is_new) {
        *thumbnail = thumbnails->pictures[entry];
    }
    brume_monitor_unlock(&thumbnails->monitor);
    return is_new;
}
