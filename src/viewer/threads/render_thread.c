#include "viewer/threads/render_thread.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/parallel/triple_buffer.h"
#include "raymarch/cpu/preview.h"
#include "raymarch/tone.h"
#include "viewer/views/adaptive_resolution.h"
#include "viewer/views/prepare_view.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// sets of overlay geometry: one for each picture of the triple buffer, and one to build
enum { GEOMETRY_SETS = BRUME_TRIPLE_BUFFER_SLOTS + 1 };

// Without a new snapshot for this long, the smoke is at rest and the picture is refined; and without a new request for
// this long, the light of pictures in motion is replaced, which cannot be abandoned [s].
static const double rest_after = 0.15;
static const double still_after = 0.1;

// If the full light takes no longer than this, every view has it [ms].
static const double short_light_ms = 8.0;

// Pictures in motion start at most this often while the source runs: the rest of the time is for the solver [s].
static const double motion_interval = 1.0 / 66.0;

typedef struct PictureSlot {
    BrumeRenderedPicture picture;
    uint8_t *rgb;
    size_t capacity;  ///< of `rgb` [bytes]
    int geometry_set; ///< that the picture points to
} PictureSlot;

/** Facts about the prepared view that its pictures repeat. */
typedef struct ViewInfo {
    uint64_t serial; ///< 0: none is prepared yet
    int geometry_set;
    int variant_count, frame, epoch;
    uint32_t seed;
    unsigned snapshot_count;
    const char *missing;
    double time, prepare_ms;
    bool in_motion; ///< with the light of pictures in motion
    size_t bytes;
    BrumeColorScale scale[BRUME_MAX_VARIANTS];
} ViewInfo;

struct BrumeRenderThread {
    BrumeStateSource source;
    void (*on_picture)(void);
    pthread_t handle;
    bool started;

    // Guarded by `mutex`, which is held for copies only.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    BrumeRenderRequest request; // the latest
    bool has_request;
    int threads;
    bool ended;
    BrumeSnapshot info;

    pthread_mutex_t user_mutex; // held while `use` is called
    void (*use)(void *, const BrumeSnapshot *);
    void *use_context;
    atomic_bool offer;

    // Written with the mutex locked. The team reads them without it, once per tile, to abandon a picture.
    atomic_bool quit, new_snapshot, full;
    atomic_uint request_count;
    atomic_uint snapshot_count; // published

    pthread_mutex_t front_mutex; // held while `front` is read by the window thread or swapped
    BrumePreparedView *front;
    uint64_t front_serial;
    pthread_mutex_t light_mutex; // held while light volumes of `front` are computed anew, or read by the window thread

    // Used by the render thread alone.
    BrumePreparedView views[2], *back;
    BrumeViewScratch scratch;
    BrumeOverlayGeometry geometry[GEOMETRY_SETS][BRUME_MAX_VARIANTS];
    BrumeRenderRequest current; // request being handled
    unsigned current_count;     // value of `request_count` that it belongs to
    const BrumeSnapshot *snapshot;
    unsigned acquired_count;    // `snapshot_count` when it was acquired
    BrumeViewSettings prepared; // settings of the latest attempt to prepare a view, of the snapshot below
    bool has_prepared;
    int prepared_frame, prepared_epoch, prepared_revision, prepared_variants;
    BrumeError error; // of that attempt
    ViewInfo view;
    BrumeAdaptiveResolution resolution;
    BrumePreview preview;
    uint64_t drawn_view;    // serial of the view that the latest picture in motion shows
    double motion_ms;       // of the pictures in motion since that view was prepared
    double prepared_share;  // running mean: fraction of the pictures in motion that needed a new view
    bool drawn;             // there is a picture of the current request
    int shrink;             // divisor of the smoke's resolution in `sum`
    int samples_done;       // in `sum`, at full size
    bool finished;          // nothing is left to refine
    bool delivered;         // a finished picture of the snapshot has been published
    double new_snapshot_at; // clock when the latest snapshot came [s]
    double changed_at;      // clock when the latest different request came [s]
    double motion_at;       // clock when the latest picture in motion was started [s]
    double full_light_ms;   // time of the latest full light, 0: not measured
    double draw_ms;         // of the picture in progress
    float *sum, *mean;
    size_t capacity; // of each [floats]
    int team_size;
    uint64_t serial;

    // Written by the render thread, read by the window thread.
    BrumeTripleBuffer buffer;
    PictureSlot slots[BRUME_TRIPLE_BUFFER_SLOTS];
    bool has_picture; // used by the window thread alone
};

static void lock(BrumeRenderThread *thread) { (void)pthread_mutex_lock(&thread->mutex); }

static void unlock(BrumeRenderThread *thread) { (void)pthread_mutex_unlock(&thread->mutex); }

static void unlock_and_signal(BrumeRenderThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
}

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

// whether there is memory for sums and means of so many floats
static bool reserve_sums(BrumeRenderThread *thread, size_t floats)
{
    if (floats > thread->capacity) {
        brume_free(thread->sum);
        brume_free(thread->mean);
        thread->sum = brume_alloc_untouched(floats, sizeof(float));
        thread->mean = brume_alloc_untouched(floats, sizeof(float));
        thread->capacity = thread->sum && thread->mean ? floats : 0;
    }
    return thread->capacity > 0;
}

static bool reserve_slot(PictureSlot *slot, size_t bytes)
{
    if (bytes > slot->capacity) {
        brume_free(slot->rgb);
        slot->rgb = brume_alloc_untouched(bytes, 1);
        slot->capacity = slot->rgb ? bytes : 0;
    }
    return slot->rgb != NULL;
}

// the mean of the samples, with the same rounding as in brume_renderer_draw
static const float *mean_of(BrumeRenderThread *thread, int width, int height, int samples)
{
    if (samples == 1) {
        return thread->sum;
    }
    const float weight = 1.0f / (float)samples;
    const ptrdiff_t row = 3 * (ptrdiff_t)width;
    const float *sum = thread->sum;
    float *mean = thread->mean;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++) {
        for (ptrdiff_t n = row * y; n < row * (y + 1); n++) {
            mean[n] = sum[n] * weight;
        }
    }
    return mean;
}

// the columns of a picture of this width that show a side are ends[side] <= x < ends[side + 1]
static void variant_columns(const BrumeRenderThread *thread, int width, int ends[BRUME_MAX_VARIANTS + 1])
{
    const int split = thread->view.variant_count < 2 ? width : (int)lroundf((float)width * thread->current.divider);
    ends[0] = 0;
    ends[1] = split < 0 ? 0 : split > width ? width : split;
    ends[2] = width;
}

// each side has the exposure and the tone curve of its look
static void tone_map(const BrumeRenderThread *thread, int width, int height, const float *radiance, uint8_t *rgb)
{
    int ends[BRUME_MAX_VARIANTS + 1];
    variant_columns(thread, width, ends);
    for (int n = 0; n < thread->view.variant_count; n++) {
        const BrumeTonePicture tone = {
            .width = width, .height = height, .radiance = radiance, .bits = 8, .columns = {ends[n], ends[n + 1]}};
        if (ends[n] < ends[n + 1]) {
            brume_tone_map_picture(&thread->front->variants[n].render_settings, &tone, rgb);
        }
    }
}

// publishes a picture of width x height pixels from the sums; without pixels if `samples` is 0
static void publish(BrumeRenderThread *thread, int width, int height, int samples)
{
    PictureSlot *slot = &thread->slots[brume_triple_buffer_write_slot(&thread->buffer)];
    const BrumePreparedView *prepared = thread->front;
    const double start = brume_seconds();
    BrumeError error = thread->error;
    bool has_pixels = samples > 0;
    if (has_pixels && !reserve_slot(slot, 3 * (size_t)width * (size_t)height)) {
        (void)brume_out_of_memory(&error, "a picture of %d x %d", width, height);
        has_pixels = false;
    }
    if (has_pixels && thread->shrink == 1) { // otherwise draw_preview has set the bytes
        const float *radiance = mean_of(thread, width, height, samples);
        tone_map(thread, width, height, radiance, slot->rgb);
    }
    const ViewInfo *view = &thread->view;
    slot->geometry_set = view->geometry_set;
    slot->picture = (BrumeRenderedPicture){
        .serial = ++thread->serial,
        .view_serial = view->serial,
        .width = has_pixels ? width : 0,
        .height = has_pixels ? height : 0,
        .shrink = thread->shrink,
        .rgb = has_pixels ? slot->rgb : NULL,
        .finished = thread->finished,
        .samples = has_pixels ? samples : 0,
        .request = thread->current,
        .frame = view->frame,
        .epoch = view->epoch,
        .seed = view->seed,
        .snapshot_count = view->snapshot_count,
        .missing = view->missing,
        .variant_count = view->variant_count,
        .time = view->time,
        .prepare_ms = view->prepare_ms,
        .bytes = view->bytes,
        .draw_ms = thread->draw_ms + ms_since(start),
        .error = error,
    };
    for (int n = 0; n < view->variant_count; n++) {
        slot->picture.scale[n] = view->scale[n];
        slot->picture.geometry[n] = &thread->geometry[view->geometry_set][n];
        slot->picture.render_settings[n] = prepared->variants[n].render_settings;
    }
    brume_triple_buffer_publish(&thread->buffer);
    if (thread->on_picture) {
        thread->on_picture();
    }
}

// the index of a geometry set that no picture points to
static int free_geometry_set(const BrumeRenderThread *thread)
{
    int set = 0;
    for (bool used = true; used; set += used) {
        used = false;
        for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
            used = used || thread->slots[n].geometry_set == set;
        }
    }
    return set;
}

// publishes that the front view has changed; `front_mutex` is locked
static void count_view(BrumeRenderThread *thread) { thread->front_serial = ++thread->view.serial; }

// prepares the back view for the latest snapshot, then swaps it with the front view
static void prepare(BrumeRenderThread *thread)
{
    const double start = brume_seconds();
    const bool light_is_short = thread->full_light_ms > 0.0 && thread->full_light_ms <= short_light_ms;
    const bool in_motion = !thread->current.full && !light_is_short;
    const BrumeSnapshot *snapshot = thread->snapshot;
    thread->has_prepared = true;
    thread->prepared = thread->current.view;
    thread->prepared_frame = snapshot->frame;
    thread->prepared_epoch = snapshot->epoch;
    thread->prepared_revision = snapshot->revision;
    thread->prepared_variants = snapshot->variant_count;
    thread->error = (BrumeError){0};
    for (int n = 0; n < snapshot->variant_count; n++) {
        if (!brume_snapshot_has_fields(&snapshot->variants[n])) {
            thread->error = snapshot->error;
            return; // the previous view stays
        }
    }
    const int set = free_geometry_set(thread);
    if (brume_prepare_view(thread->back, &thread->scratch, snapshot, &thread->current.view, in_motion,
                           thread->geometry[set], &thread->error) != BRUME_OK) {
        return;
    }
    thread->motion_ms = 0.0;
    thread->view = (ViewInfo){
        .serial = thread->view.serial,
        .geometry_set = set,
        .in_motion = in_motion,
        .variant_count = thread->back->variant_count,
        .frame = snapshot->frame,
        .epoch = snapshot->epoch,
        .seed = snapshot->seed,
        .snapshot_count = thread->acquired_count,
        .missing = thread->back->missing,
        .time = snapshot->time,
        .prepare_ms = ms_since(start),
        .bytes = brume_prepared_view_bytes(thread->front) + brume_prepared_view_bytes(thread->back),
    };
    for (int n = 0; n < thread->view.variant_count; n++) {
        thread->view.scale[n] = thread->scratch.scale[n];
    }
    (void)pthread_mutex_lock(&thread->front_mutex);
    BrumePreparedView *view = thread->back;
    thread->back = thread->front;
    thread->front = view;
    count_view(thread);
    (void)pthread_mutex_unlock(&thread->front_mutex);
}

// Replaces the light of pictures in motion. Neither volumes nor geometry change.
static void light_fully(BrumeRenderThread *thread)
{
    const double start = brume_seconds();
    (void)pthread_mutex_lock(&thread->light_mutex);
    brume_light_view(thread->front);
    (void)pthread_mutex_unlock(&thread->light_mutex);
    (void)pthread_mutex_lock(&thread->front_mutex);
    count_view(thread);
    (void)pthread_mutex_unlock(&thread->front_mutex);
    thread->view.in_motion = false;
    thread->full_light_ms = ms_since(start);
}

// progress function of pictures at rest, called by the threads of the team: false once the picture is out of date
static bool is_current(void *context, double fraction)
{
    (void)fraction;
    BrumeRenderThread *thread = context;
    if (thread->current.full && atomic_load(&thread->full) && !thread->delivered) {
        return !atomic_load(&thread->quit); // one finished picture of every snapshot is required
    }
    return !atomic_load(&thread->quit) && !atomic_load(&thread->new_snapshot) &&
           atomic_load(&thread->request_count) == thread->current_count;
}

// adds samples of a picture to the sums; false if it was abandoned
static bool draw(BrumeRenderThread *thread, const BrumeDrawDef *def, int first, int end, bool at_rest)
{
    const double start = brume_seconds();
    const size_t floats = 3 * (size_t)def->width * (size_t)def->height;
    if (first == 0) {
        memset(thread->sum, 0, floats * sizeof(float));
        thread->draw_ms = 0.0;
    }
    int ends[BRUME_MAX_VARIANTS + 1];
    variant_columns(thread, def->width, ends);
    BrumeDrawDef interruptible = *def;
    interruptible.progress = at_rest ? is_current : NULL;
    interruptible.context = thread;
    bool complete = true;
    for (int n = 0; n < thread->view.variant_count && complete; n++) {
        const BrumeDrawPart part = {
            .left = ends[n],
            .right = ends[n + 1],
            .first_sample = first,
            .end_sample = end,
        };
        complete = brume_renderer_draw_part(thread->front->variants[n].renderer, &thread->current.camera,
                                            &interruptible, &part, thread->sum) == BRUME_OK;
    }
    thread->draw_ms += ms_since(start);
    return complete;
}

// Draws with the smoke at a reduced resolution into the slot that is published next, and records the times of both
// parts. False without memory for it.
static bool draw_preview(BrumeRenderThread *thread, int width, int height, int shrink)
{
    int ends[BRUME_MAX_VARIANTS + 1];
    variant_columns(thread, width, ends);
    PictureSlot *slot = &thread->slots[brume_triple_buffer_write_slot(&thread->buffer)];
    if (!reserve_slot(slot, 3 * (size_t)width * (size_t)height)) {
        return false;
    }
    double node_ms = 0.0;
    double pixel_ms = 0.0;
    for (int n = 0; n < thread->view.variant_count; n++) {
        const BrumePreviewDef def = {
            .width = width,
            .height = height,
            .left = ends[n],
            .right = ends[n + 1],
            .shrink = shrink,
            .seed = thread->view.seed,
            .display = &thread->front->variants[0].render_settings,
        };
        if (brume_preview_draw(&thread->preview, thread->front->variants[n].renderer, &thread->current.camera, &def,
                               slot->rgb, &thread->error) != BRUME_OK) {
            return false;
        }
        node_ms += thread->preview.node_ms;
        pixel_ms += thread->preview.pixel_ms;
    }
    thread->draw_ms = node_ms + pixel_ms;
    const double pixels = (double)width * height;
    brume_adaptive_resolution_record(&thread->resolution, node_ms, pixels / (shrink * shrink), pixel_ms, pixels);
    return true;
}

static void draw_in_motion(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    const bool is_new_view = thread->view.serial != thread->drawn_view;
    thread->prepared_share = 0.8 * thread->prepared_share + (is_new_view ? 0.2 : 0.0);
    thread->drawn_view = thread->view.serial;
    thread->motion_at = brume_seconds();
    const double remaining_ms = current->budget_ms - thread->prepared_share * thread->view.prepare_ms;
    const double pixels = (double)current->width * current->height;
    thread->shrink =
        brume_adaptive_resolution_choose(&thread->resolution, fmax(remaining_ms, 0.4 * current->budget_ms), pixels);
    if (thread->shrink == 1 || !draw_preview(thread, current->width, current->height, thread->shrink)) {
        const BrumeDrawDef def = {
            .width = current->width, .height = current->height, .samples = 1, .seed = thread->view.seed};
        thread->shrink = 1;
        (void)draw(thread, &def, 0, 1, false);
        brume_adaptive_resolution_record(&thread->resolution, thread->draw_ms, pixels, 0.0, 0.0);
    }
    thread->motion_ms += thread->draw_ms;
    thread->drawn = true;
    thread->samples_done = 0;
    thread->finished = current->samples == 1 && thread->shrink == 1 && !thread->view.in_motion;
    publish(thread, current->width, current->height, 1);
}

// Doubles the number of samples, or draws all of them at once if only a finished picture is requested. Abandoned on a
// new request or snapshot.
static void refine(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    const int done = thread->samples_done;
    const int doubled = done > 0 ? 2 * done : 1;
    const int end = current->full || doubled > current->samples ? current->samples : doubled;
    const BrumeDrawDef def = {
        .width = current->width, .height = current->height, .samples = current->samples, .seed = thread->view.seed};
    const bool complete = draw(thread, &def, done, end, true);
    thread->samples_done = complete ? end : 0; // the sums of an abandoned picture are incomplete
    thread->shrink = 1;
    if (complete) {
        thread->drawn = true;
        thread->finished = end == current->samples;
        thread->delivered = thread->delivered || thread->finished;
        publish(thread, current->width, current->height, end);
    }
}

// whether two requests lead to the same picture of one prepared view
static bool same_drawing(const BrumeRenderRequest *a, const BrumeRenderRequest *b)
{
    return memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 && a->width == b->width && a->height == b->height &&
           a->cpu == b->cpu && a->full == b->full && a->samples == b->samples && a->divider == b->divider;
}

static void acquire_snapshot(BrumeRenderThread *thread)
{
    thread->snapshot = thread->source.functions->latest_snapshot(thread->source.self);
    lock(thread);
    thread->info = *thread->snapshot;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        memset(thread->info.variants[n].fields, 0, sizeof thread->info.variants[n].fields);
    }
    unlock(thread);
}

static void offer_snapshot(BrumeRenderThread *thread)
{
    (void)pthread_mutex_lock(&thread->user_mutex);
    if (thread->use) {
        thread->use(thread->use_context, thread->snapshot);
    }
    (void)pthread_mutex_unlock(&thread->user_mutex);
}

// Whether a new snapshot is to wait because the camera moves: until pictures of the present view have taken as much
// time as its preparation, so that half of the time is for the camera, however long preparing takes.
static bool postpones_snapshot(const BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    return thread->has_prepared && thread->view.serial > 0 && request->cpu && !request->full &&
           thread->motion_ms < thread->view.prepare_ms && !same_drawing(request, &thread->current) &&
           brume_view_settings_equal(&request->view, &thread->prepared);
}

// copies the latest request and snapshot, and marks what is out of date
static void update(BrumeRenderThread *thread)
{
    lock(thread);
    const BrumeRenderRequest request = thread->request;
    thread->current_count = atomic_load(&thread->request_count);
    const bool new_snapshot = atomic_load(&thread->new_snapshot) && !postpones_snapshot(thread, &request);
    if (new_snapshot) {
        atomic_store(&thread->new_snapshot, false);
        thread->acquired_count = atomic_load(&thread->snapshot_count);
    }
    const int threads = thread->threads;
    unlock(thread);
    if (threads != thread->team_size) {
        brume_set_threads(threads);
        thread->team_size = threads;
    }
    const bool offered = atomic_exchange(&thread->offer, false);
    if (new_snapshot) {
        acquire_snapshot(thread);
    }
    if (new_snapshot || offered) {
        offer_snapshot(thread);
    }
    const BrumeSnapshot *snapshot = thread->snapshot;
    const bool same_state = thread->has_prepared && snapshot->frame == thread->prepared_frame &&
                            snapshot->epoch == thread->prepared_epoch &&
                            snapshot->revision == thread->prepared_revision &&
                            snapshot->variant_count == thread->prepared_variants;
    const bool same = same_state && same_drawing(&request, &thread->current);
    const bool same_view = same_state && brume_view_settings_equal(&request.view, &thread->prepared);
    if (!same || !same_view) {
        thread->changed_at = brume_seconds();
    }
    thread->current = request;
    if (!same_state) {
        thread->new_snapshot_at = brume_seconds();
        thread->delivered = false;
    }
    if (!same_view) {
        prepare(thread);
        thread->drawn = false;
    } else if (!same) {
        thread->drawn = false;
    }
    if (!thread->drawn) {
        thread->samples_done = 0;
        thread->finished = false;
    }
}

// the clock from which on the present picture may be replaced by a better one, 0: at once
static double rest_at(const BrumeRenderThread *thread)
{
    if (thread->current.full) {
        return 0.0;
    }
    const double smoke = thread->snapshot->running ? thread->new_snapshot_at + rest_after : 0.0;
    return thread->view.in_motion ? fmax(smoke, thread->changed_at + still_after) : smoke;
}

static void make_picture(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    const bool at_rest = brume_seconds() >= rest_at(thread);
    if (thread->view.in_motion && (current->full || (thread->drawn && !thread->finished && at_rest))) {
        light_fully(thread);
        thread->drawn = thread->drawn && current->cpu; // the OpenGL renderer loads it
    }
    const bool drawable = current->cpu && thread->view.serial > 0 && current->width > 0 && current->height > 0;
    if (drawable && !reserve_sums(thread, 3 * (size_t)current->width * (size_t)current->height)) {
        (void)brume_out_of_memory(&thread->error, "a picture of %d x %d", current->width, current->height);
    }
    if (!drawable || thread->capacity == 0) {
        if (!thread->drawn) {
            thread->drawn = true;
            thread->finished = !thread->view.in_motion;
            thread->draw_ms = 0.0;
            publish(thread, 0, 0, 0);
        }
    } else if (!thread->drawn && !current->full) {
        draw_in_motion(thread);
    } else if (!thread->finished && at_rest) {
        refine(thread);
    }
}

// The clock at which the next picture is to be drawn: 0 for at once, INFINITY for never. The mutex is locked.
static double next_picture_at(const BrumeRenderThread *thread)
{
    if (!thread->has_request) {
        return INFINITY;
    }
    if (atomic_load(&thread->offer)) {
        return 0.0;
    }
    if (atomic_load(&thread->new_snapshot) || atomic_load(&thread->request_count) != thread->current_count ||
        !thread->drawn) {
        const bool paced = thread->snapshot->running && !thread->request.full;
        return paced ? thread->motion_at + motion_interval : 0.0;
    }
    if (thread->finished) {
        return INFINITY;
    }
    return rest_at(thread);
}

// the render thread's main function
static void *run(void *context)
{
    BrumeRenderThread *thread = context;
    brume_name_threads("brume-render");
    lock(thread);
    while (!atomic_load(&thread->quit)) {
        const double due = next_picture_at(thread);
        if (due > brume_seconds()) {
            brume_wait_until(&thread->changed, &thread->mutex, due);
            continue;
        }
        unlock(thread);
        update(thread);
        make_picture(thread);
        lock(thread);
    }
    thread->ended = true;
    unlock_and_signal(thread);
    return NULL;
}

// called by the thread that publishes snapshots
static void on_snapshot(void *context)
{
    BrumeRenderThread *thread = context;
    lock(thread);
    atomic_store(&thread->new_snapshot, true);
    (void)atomic_fetch_add(&thread->snapshot_count, 1);
    unlock_and_signal(thread);
}

BrumeStatus brume_render_thread_create(BrumeRenderThread **thread, BrumeStateSource source, int threads,
                                       void (*on_picture)(void), BrumeError *error)
{
    *thread = NULL;
    BrumeRenderThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&created->changed);
    (void)pthread_mutex_init(&created->mutex, NULL);
    (void)pthread_mutex_init(&created->front_mutex, NULL);
    (void)pthread_mutex_init(&created->light_mutex, NULL);
    (void)pthread_mutex_init(&created->user_mutex, NULL);
    atomic_init(&created->offer, false);
    brume_triple_buffer_init(&created->buffer);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        created->slots[n].geometry_set = -1;
    }
    created->source = source;
    created->on_picture = on_picture;
    created->threads = threads;
    created->front = &created->views[0];
    created->back = &created->views[1];
    atomic_init(&created->quit, false);
    atomic_init(&created->full, false);
    atomic_init(&created->request_count, 0);
    atomic_init(&created->snapshot_count, 0);
    atomic_init(&created->new_snapshot, true); // there may be one before the callback is set
    acquire_snapshot(created);
    const int failure = pthread_create(&created->handle, NULL, run, created);
    if (failure != 0) {
        brume_render_thread_destroy(created);
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    created->started = true;
    source.functions->set_snapshot_callback(source.self, on_snapshot, created);
    *thread = created;
    return BRUME_OK;
}

bool brume_render_thread_stop(BrumeRenderThread *thread, double seconds)
{
    lock(thread);
    atomic_store(&thread->quit, true);
    (void)pthread_cond_broadcast(&thread->changed);
    const bool ended = !thread->started || brume_wait_for(&thread->ended, &thread->changed, &thread->mutex, seconds);
    unlock(thread);
    return ended;
}

void brume_render_thread_destroy(BrumeRenderThread *thread)
{
    if (!thread) {
        return;
    }
    if (thread->started) {
        thread->source.functions->set_snapshot_callback(thread->source.self, NULL, NULL);
        (void)brume_render_thread_stop(thread, INFINITY);
        (void)pthread_join(thread->handle, NULL);
    }
    for (int n = 0; n < 2; n++) {
        brume_prepared_view_destroy(&thread->views[n]);
    }
    brume_view_scratch_destroy(&thread->scratch);
    for (int set = 0; set < GEOMETRY_SETS; set++) {
        for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
            brume_overlay_geometry_free(&thread->geometry[set][n]);
        }
    }
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_free(thread->slots[n].rgb);
    }
    brume_preview_destroy(&thread->preview);
    brume_free(thread->sum);
    brume_free(thread->mean);
    (void)pthread_cond_destroy(&thread->changed);
    (void)pthread_mutex_destroy(&thread->front_mutex);
    (void)pthread_mutex_destroy(&thread->light_mutex);
    (void)pthread_mutex_destroy(&thread->user_mutex);
    (void)pthread_mutex_destroy(&thread->mutex);
    brume_free(thread);
}

bool brume_render_thread_request(BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    lock(thread);
    const bool differs = !thread->has_request || !same_drawing(request, &thread->request) ||
                         !brume_view_settings_equal(&request->view, &thread->request.view);
    thread->request = *request;
    thread->has_request = true;
    atomic_store(&thread->full, request->full);
    if (differs) {
        (void)atomic_fetch_add(&thread->request_count, 1);
        (void)pthread_cond_broadcast(&thread->changed);
    }
    unlock(thread);
    return differs;
}

void brume_render_thread_set_snapshot_user(BrumeRenderThread *thread, void (*use)(void *, const BrumeSnapshot *),
                                           void *context)
{
    (void)pthread_mutex_lock(&thread->user_mutex);
    thread->use = use;
    thread->use_context = context;
    (void)pthread_mutex_unlock(&thread->user_mutex);
}

void brume_render_thread_offer_snapshot(BrumeRenderThread *thread)
{
    lock(thread);
    atomic_store(&thread->offer, true);
    unlock_and_signal(thread);
}

void brume_render_thread_set_threads(BrumeRenderThread *thread, int threads)
{
    lock(thread);
    thread->threads = threads;
    unlock(thread);
}

bool brume_render_thread_poll_picture(BrumeRenderThread *thread, const BrumeRenderedPicture **picture)
{
    const bool is_new = brume_triple_buffer_take(&thread->buffer);
    thread->has_picture = thread->has_picture || is_new;
    *picture = thread->has_picture ? &thread->slots[brume_triple_buffer_read_slot(&thread->buffer)].picture : NULL;
    return is_new;
}

unsigned brume_render_thread_snapshot_count(const BrumeRenderThread *thread)
{
    return atomic_load(&thread->snapshot_count);
}

void brume_render_thread_snapshot_info(BrumeRenderThread *thread, BrumeSnapshot *info)
{
    lock(thread);
    *info = thread->info;
    unlock(thread);
}

bool brume_render_thread_smoke_bounds(BrumeRenderThread *thread, int variant, BrumeVec3 *lower, BrumeVec3 *upper)
{
    (void)pthread_mutex_lock(&thread->front_mutex);
    const bool found = variant < thread->front->variant_count &&
                       brume_renderer_bounds(thread->front->variants[variant].renderer, lower, upper);
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return found;
}

BrumePick brume_render_thread_pick(BrumeRenderThread *thread, int variant, const BrumeCamera *camera, int width,
                                   int height, float x, float y)
{
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = INFINITY, .surface = -1};
    (void)pthread_mutex_lock(&thread->front_mutex);
    if (variant < thread->front->variant_count) {
        pick = brume_renderer_pick(thread->front->variants[variant].renderer, camera, width, height, x, y);
    }
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return pick;
}

BrumeStatus brume_render_thread_upload_to_gl(BrumeRenderThread *thread, int variant, BrumeGlRenderer *renderer,
                                             uint64_t *view_serial, int *reduced, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    (void)pthread_mutex_lock(&thread->front_mutex);
    if (variant < thread->front->variant_count && *view_serial != thread->front_serial &&
        pthread_mutex_trylock(&thread->light_mutex) == 0) {
        status = brume_gl_renderer_load(renderer, thread->front->variants[variant].renderer, reduced, error);
        *view_serial = thread->front_serial;
        (void)pthread_mutex_unlock(&thread->light_mutex);
    }
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return status;
}
