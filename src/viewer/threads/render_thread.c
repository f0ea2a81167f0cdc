#include "viewer/threads/render_thread.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "core/triple_buffer.h"
#include "viewer/detail.h"
#include "viewer/prepare_view.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// sets of drawing: one for each picture that is handed over, and one to build
enum { DRAWING_SETS = BRUME_TRIPLE_BUFFER_SLOTS + 1 };

// the smoke rests when no snapshot has come for this long [s]
static const double rest = 0.15;

typedef struct Slot {
    BrumeRenderedPicture picture;
    uint8_t *rgb;
    size_t capacity; ///< of `rgb` [bytes]
    int drawing;     ///< set that the picture points to
} Slot;

/** What is lit, as it goes into pictures. */
typedef struct Lit {
    uint64_t serial; ///< 0: nothing
    int drawing;     ///< set
    int sides, frame, epoch;
    double time, light_ms;
    size_t bytes;
    BrumeScale scale[BRUME_MAX_SIDES];
} Lit;

struct BrumeRenderThread {
    BrumeSimulationThread *live;
    void (*wake)(void);
    pthread_t thread;
    bool started;

    pthread_mutex_t mutex; // of all to the next gap; held for copies only
    pthread_cond_t changed;
    BrumeRenderRequest wish;
    bool wished;
    int threads;
    BrumeSnapshot facts;

    // written with the mutex held; read without it, tile by tile, to leave a picture
    atomic_bool quit, news, full;
    atomic_uint wishes; // so far

    pthread_mutex_t exchange; // of `front`; held by its readers, and by the thread to put another there
    BrumeSight *front;
    uint64_t front_lit;

    // the thread's own
    BrumeSight sights[2], *back;
    BrumeSightRoom room;
    BrumeDrawing drawing[DRAWING_SETS][BRUME_MAX_SIDES];
    BrumeRenderRequest now; // wish being done
    unsigned seen;          // wishes that it contains
    const BrumeSnapshot *snapshot;
    BrumeRenderRequest shown; // wish that was lit last, of the snapshot below
    bool tried;               // `shown` and the next three tell something
    int tried_frame, tried_epoch, tried_sides;
    BrumeError error;
    Lit lit;
    BrumeDetail detail;
    uint64_t drawn_lit; // what was lit for the newest picture in motion
    double lit_share;   // of such pictures that were lit anew: how much of the light is part of a picture's time
    bool drawn;         // there is a picture of what is wished
    int samples_done;   // in `sum`, of the whole size
    bool finished;      // nothing is left to refine
    bool delivered;     // a finished picture of the snapshot has been handed over
    double news_at;     // clock when the newest snapshot came [s]
    double draw_ms;     // of the picture under way
    float *sum, *mean;
    size_t capacity; // of both [floats]
    int team;
    uint64_t serial;

    BrumeTripleBuffer handoff;
    Slot slots[BRUME_TRIPLE_BUFFER_SLOTS];
    bool taken; // by the window's thread, ever
};

static void lock(BrumeRenderThread *canvas) { (void)pthread_mutex_lock(&canvas->mutex); }

static void unlock(BrumeRenderThread *canvas) { (void)pthread_mutex_unlock(&canvas->mutex); }

static void unlock_and_signal(BrumeRenderThread *canvas)
{
    (void)pthread_cond_broadcast(&canvas->changed);
    unlock(canvas);
}

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

static bool fit_sums(BrumeRenderThread *canvas, size_t floats)
{
    if (floats > canvas->capacity) {
        brume_free(canvas->sum);
        brume_free(canvas->mean);
        canvas->sum = brume_alloc_untouched(floats, sizeof(float));
        canvas->mean = brume_alloc_untouched(floats, sizeof(float));
        canvas->capacity = canvas->sum && canvas->mean ? floats : 0;
    }
    return canvas->capacity > 0;
}

static bool fit_slot(Slot *slot, size_t bytes)
{
    if (bytes > slot->capacity) {
        brume_free(slot->rgb);
        slot->rgb = brume_alloc_untouched(bytes, 1);
        slot->capacity = slot->rgb ? bytes : 0;
    }
    return slot->rgb != NULL;
}

// the mean of so many samples, as brume_renderer_draw makes it
static const float *mean_of(BrumeRenderThread *canvas, int width, int height, int samples)
{
    if (samples == 1) {
        return canvas->sum;
    }
    const float share = 1.0f / (float)samples;
    const ptrdiff_t row = 3 * (ptrdiff_t)width;
    const float *sum = canvas->sum;
    float *mean = canvas->mean;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++) {
        for (ptrdiff_t n = row * y; n < row * (y + 1); n++) {
            mean[n] = sum[n] * share;
        }
    }
    return mean;
}

// hands over a picture of width x height pixels from the sums; without pixels where `samples` is 0
static void publish(BrumeRenderThread *canvas, int width, int height, int samples)
{
    Slot *slot = &canvas->slots[brume_triple_buffer_write_slot(&canvas->handoff)];
    const BrumeSight *sight = canvas->front;
    const double start = brume_seconds();
    BrumeError error = canvas->error;
    bool has_pixels = samples > 0;
    if (has_pixels && !fit_slot(slot, 3 * (size_t)width * (size_t)height)) {
        (void)brume_out_of_memory(&error, "a picture of %d x %d", width, height);
        has_pixels = false;
    }
    if (has_pixels) {
        const float *radiance = mean_of(canvas, width, height, samples);
        brume_tone_map(&sight->side[0].look, width, height, radiance, slot->rgb);
    }
    const Lit *lit = &canvas->lit;
    slot->drawing = lit->drawing;
    slot->picture = (BrumeRenderedPicture){
        .serial = ++canvas->serial,
        .lit = lit->serial,
        .width = has_pixels ? width : 0,
        .height = has_pixels ? height : 0,
        .rgb = has_pixels ? slot->rgb : NULL,
        .finished = canvas->finished,
        .samples = has_pixels ? samples : 0,
        .wish = canvas->now,
        .frame = lit->frame,
        .epoch = lit->epoch,
        .sides = lit->sides,
        .time = lit->time,
        .light_ms = lit->light_ms,
        .bytes = lit->bytes,
        .draw_ms = canvas->draw_ms + ms_since(start),
        .error = error,
    };
    for (int n = 0; n < lit->sides; n++) {
        slot->picture.scale[n] = lit->scale[n];
        slot->picture.drawing[n] = &canvas->drawing[lit->drawing][n];
        slot->picture.look[n] = sight->side[n].look;
    }
    brume_triple_buffer_publish(&canvas->handoff);
    if (canvas->wake) {
        canvas->wake();
    }
}

// a set that no picture points to
static int free_drawing(const BrumeRenderThread *canvas)
{
    int set = 0;
    for (bool used = true; used; set += used) {
        used = false;
        for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
            used = used || canvas->slots[n].drawing == set;
        }
    }
    return set;
}

// makes the back ready for the newest snapshot and brings it to the front
static void light(BrumeRenderThread *canvas)
{
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot = canvas->snapshot;
    canvas->tried = true;
    canvas->shown = canvas->now;
    canvas->tried_frame = snapshot->frame;
    canvas->tried_epoch = snapshot->epoch;
    canvas->tried_sides = snapshot->sides;
    canvas->error = (BrumeError){0};
    for (int n = 0; n < snapshot->sides; n++) {
        if (!brume_snapshot_is_whole(&snapshot->side[n])) {
            canvas->error = snapshot->error;
            return; // what was lit before stays
        }
    }
    const int set = free_drawing(canvas);
    if (brume_sight_prepare(canvas->back, &canvas->room, snapshot, &canvas->now, canvas->drawing[set],
                            &canvas->error) != BRUME_OK) {
        return;
    }
    canvas->lit = (Lit){
        .serial = canvas->lit.serial + 1,
        .drawing = set,
        .sides = snapshot->sides,
        .frame = snapshot->frame,
        .epoch = snapshot->epoch,
        .time = snapshot->time,
        .light_ms = ms_since(start),
        .bytes = brume_sight_bytes(canvas->front) + brume_sight_bytes(canvas->back),
    };
    for (int n = 0; n < snapshot->sides; n++) {
        canvas->lit.scale[n] = canvas->room.scale[n];
    }
    (void)pthread_mutex_lock(&canvas->exchange);
    BrumeSight *lit = canvas->back;
    canvas->back = canvas->front;
    canvas->front = lit;
    canvas->front_lit = canvas->lit.serial;
    (void)pthread_mutex_unlock(&canvas->exchange);
}

// the progress function of pictures at rest, called by any thread of the team: false once the picture is out of date
static bool is_current(void *context, double fraction)
{
    (void)fraction;
    BrumeRenderThread *canvas = context;
    if (canvas->now.full && atomic_load(&canvas->full) && !canvas->delivered) {
        return !atomic_load(&canvas->quit); // every snapshot is drawn to its end, once
    }
    return !atomic_load(&canvas->quit) && !atomic_load(&canvas->news) && atomic_load(&canvas->wishes) == canvas->seen;
}

// adds samples of a picture to the sums; false where it was left
static bool draw(BrumeRenderThread *canvas, const BrumeDrawDef *def, int first, int end, bool at_rest)
{
    const double start = brume_seconds();
    const size_t floats = 3 * (size_t)def->width * (size_t)def->height;
    if (first == 0) {
        memset(canvas->sum, 0, floats * sizeof(float));
        canvas->draw_ms = 0.0;
    }
    const int split = canvas->lit.sides < 2 ? def->width : (int)lroundf((float)def->width * canvas->now.divider);
    const int ends[3] = {0, split < 0 ? 0 : split > def->width ? def->width : split, def->width};
    BrumeDrawDef watched = *def;
    watched.progress = at_rest ? is_current : NULL;
    watched.context = canvas;
    bool whole = true;
    for (int n = 0; n < canvas->lit.sides && whole; n++) {
        const BrumeDrawPart part = {
            .left = ends[n],
            .right = ends[n + 1],
            .first_sample = first,
            .end_sample = end,
        };
        whole = brume_renderer_draw_part(canvas->front->side[n].renderer, &canvas->now.camera, &watched, &part,
                                         canvas->sum) == BRUME_OK;
    }
    canvas->draw_ms += ms_since(start);
    return whole;
}

static void draw_in_motion(BrumeRenderThread *canvas)
{
    const BrumeRenderRequest *now = &canvas->now;
    const bool relit = canvas->lit.serial != canvas->drawn_lit;
    canvas->lit_share = 0.8 * canvas->lit_share + (relit ? 0.2 : 0.0);
    canvas->drawn_lit = canvas->lit.serial;
    const double left = now->budget_ms - canvas->lit_share * canvas->lit.light_ms;
    BrumeDrawDef def = {.samples = 1, .seed = (uint32_t)canvas->lit.frame};
    brume_detail_choose(&canvas->detail, fmax(left, 0.4 * now->budget_ms), now->width, now->height, &def.width,
                        &def.height);
    (void)draw(canvas, &def, 0, 1, false);
    brume_detail_learn(&canvas->detail, canvas->draw_ms, (double)def.width * def.height);
    canvas->drawn = true;
    canvas->samples_done = 0;
    canvas->finished = now->samples == 1 && def.width == now->width && def.height == now->height;
    publish(canvas, def.width, def.height, 1);
}

// twice the samples, or all where nobody waits for less; left unfinished where what is wished has changed
static void refine(BrumeRenderThread *canvas)
{
    const BrumeRenderRequest *now = &canvas->now;
    const int done = canvas->samples_done;
    const int doubled = done > 0 ? 2 * done : 1;
    const int end = now->full || doubled > now->samples ? now->samples : doubled;
    const BrumeDrawDef def = {
        .width = now->width, .height = now->height, .samples = now->samples, .seed = (uint32_t)canvas->lit.frame};
    const bool whole = draw(canvas, &def, done, end, true);
    canvas->samples_done = whole ? end : 0; // sums that were left are of no use
    if (whole) {
        canvas->drawn = true;
        canvas->finished = end == now->samples;
        canvas->delivered = canvas->delivered || canvas->finished;
        publish(canvas, now->width, now->height, end);
    }
}

// whether two wishes come to the same picture of the same sight
static bool same_picture(const BrumeRenderRequest *a, const BrumeRenderRequest *b)
{
    return memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 && a->width == b->width && a->height == b->height &&
           a->cpu == b->cpu && a->full == b->full && a->samples == b->samples && a->divider == b->divider;
}

static void take_snapshot(BrumeRenderThread *canvas)
{
    canvas->snapshot = brume_simulation_thread_newest(canvas->live);
    lock(canvas);
    canvas->facts = *canvas->snapshot;
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        memset(canvas->facts.side[n].fields, 0, sizeof canvas->facts.side[n].fields);
    }
    unlock(canvas);
}

// takes the newest wish and snapshot; what is out of date is drawn anew
static void look_around(BrumeRenderThread *canvas)
{
    lock(canvas);
    const BrumeRenderRequest wish = canvas->wish;
    canvas->seen = atomic_load(&canvas->wishes);
    const bool news = atomic_exchange(&canvas->news, false);
    const int threads = canvas->threads;
    unlock(canvas);
    if (threads != canvas->team) {
        brume_set_threads(threads);
        canvas->team = threads;
    }
    if (news) {
        take_snapshot(canvas);
    }
    const BrumeSnapshot *snapshot = canvas->snapshot;
    const bool same_state = canvas->tried && snapshot->frame == canvas->tried_frame &&
                            snapshot->epoch == canvas->tried_epoch && snapshot->sides == canvas->tried_sides;
    const bool same = same_state && same_picture(&wish, &canvas->now);
    canvas->now = wish;
    if (!same_state) {
        canvas->news_at = brume_seconds();
        canvas->delivered = false;
    }
    if (!same_state || !brume_sight_same(&wish, &canvas->shown)) {
        light(canvas);
        canvas->drawn = false;
    } else if (!same) {
        canvas->drawn = false;
    }
    if (!canvas->drawn) {
        canvas->samples_done = 0;
        canvas->finished = false;
    }
}

static void make_picture(BrumeRenderThread *canvas)
{
    const BrumeRenderRequest *now = &canvas->now;
    const bool drawable = now->cpu && canvas->lit.serial > 0 && now->width > 0 && now->height > 0;
    if (drawable && !fit_sums(canvas, 3 * (size_t)now->width * (size_t)now->height)) {
        (void)brume_out_of_memory(&canvas->error, "a picture of %d x %d", now->width, now->height);
    }
    if (!drawable || canvas->capacity == 0) {
        if (!canvas->drawn) {
            canvas->drawn = true;
            canvas->finished = true;
            canvas->draw_ms = 0.0;
            publish(canvas, 0, 0, 0);
        }
    } else if (!canvas->drawn && !now->full) {
        draw_in_motion(canvas);
    } else if (!canvas->finished) {
        refine(canvas);
    }
}

// when the next picture is due: at once, later, or never; locked
static double next_due(const BrumeRenderThread *canvas)
{
    if (!canvas->wished) {
        return INFINITY;
    }
    if (atomic_load(&canvas->news) || atomic_load(&canvas->wishes) != canvas->seen || !canvas->drawn) {
        return 0.0;
    }
    if (canvas->finished) {
        return INFINITY;
    }
    return canvas->snapshot->running && !canvas->now.full ? canvas->news_at + rest : 0.0;
}

static void *work(void *context)
{
    BrumeRenderThread *canvas = context;
    brume_name_threads("brume-picture");
    lock(canvas);
    while (!atomic_load(&canvas->quit)) {
        const double due = next_due(canvas);
        if (due > brume_seconds()) {
            brume_wait_until(&canvas->changed, &canvas->mutex, due);
            continue;
        }
        unlock(canvas);
        look_around(canvas);
        make_picture(canvas);
        lock(canvas);
    }
    unlock(canvas);
    return NULL;
}

// called by the solver's thread
static void hear(void *context)
{
    BrumeRenderThread *canvas = context;
    lock(canvas);
    atomic_store(&canvas->news, true);
    unlock_and_signal(canvas);
}

BrumeStatus brume_render_thread_create(BrumeRenderThread **canvas, BrumeSimulationThread *live, int threads,
                                       void (*wake)(void), BrumeError *error)
{
    *canvas = NULL;
    BrumeRenderThread *made = brume_alloc(1, sizeof *made);
    if (!made) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&made->changed);
    (void)pthread_mutex_init(&made->mutex, NULL);
    (void)pthread_mutex_init(&made->exchange, NULL);
    brume_triple_buffer_init(&made->handoff);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        made->slots[n].drawing = -1;
    }
    made->live = live;
    made->wake = wake;
    made->threads = threads;
    made->front = &made->sights[0];
    made->back = &made->sights[1];
    atomic_init(&made->quit, false);
    atomic_init(&made->full, false);
    atomic_init(&made->wishes, 0);
    atomic_init(&made->news, true); // one may come before anybody listens
    take_snapshot(made);
    const int failure = pthread_create(&made->thread, NULL, work, made);
    if (failure != 0) {
        brume_render_thread_destroy(made);
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    made->started = true;
    brume_simulation_thread_listen(live, hear, made);
    *canvas = made;
    return BRUME_OK;
}

void brume_render_thread_destroy(BrumeRenderThread *canvas)
{
    if (!canvas) {
        return;
    }
    if (canvas->started) {
        brume_simulation_thread_listen(canvas->live, NULL, NULL);
        lock(canvas);
        atomic_store(&canvas->quit, true);
        unlock_and_signal(canvas);
        (void)pthread_join(canvas->thread, NULL);
    }
    for (int n = 0; n < 2; n++) {
        brume_sight_destroy(&canvas->sights[n]);
    }
    brume_sight_room_destroy(&canvas->room);
    for (int set = 0; set < DRAWING_SETS; set++) {
        for (int n = 0; n < BRUME_MAX_SIDES; n++) {
            brume_drawing_free(&canvas->drawing[set][n]);
        }
    }
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_free(canvas->slots[n].rgb);
    }
    brume_free(canvas->sum);
    brume_free(canvas->mean);
    (void)pthread_cond_destroy(&canvas->changed);
    (void)pthread_mutex_destroy(&canvas->exchange);
    (void)pthread_mutex_destroy(&canvas->mutex);
    brume_free(canvas);
}

bool brume_render_thread_request(BrumeRenderThread *canvas, const BrumeRenderRequest *wish)
{
    lock(canvas);
    const bool another =
        !canvas->wished || !same_picture(wish, &canvas->wish) || !brume_sight_same(wish, &canvas->wish);
    canvas->wish = *wish;
    canvas->wished = true;
    atomic_store(&canvas->full, wish->full);
    if (another) {
        (void)atomic_fetch_add(&canvas->wishes, 1);
        (void)pthread_cond_broadcast(&canvas->changed);
    }
    unlock(canvas);
    return another;
}

void brume_render_thread_set_threads(BrumeRenderThread *canvas, int threads)
{
    lock(canvas);
    canvas->threads = threads;
    unlock(canvas);
}

bool brume_render_thread_take(BrumeRenderThread *canvas, const BrumeRenderedPicture **picture)
{
    const bool fresh = brume_triple_buffer_take(&canvas->handoff);
    canvas->taken = canvas->taken || fresh;
    *picture = canvas->taken ? &canvas->slots[brume_triple_buffer_read_slot(&canvas->handoff)].picture : NULL;
    return fresh;
}

void brume_render_thread_facts(BrumeRenderThread *canvas, BrumeSnapshot *facts)
{
    lock(canvas);
    *facts = canvas->facts;
    unlock(canvas);
}

bool brume_render_thread_bounds(BrumeRenderThread *canvas, int side, BrumeVec3 *lower, BrumeVec3 *upper)
{
    (void)pthread_mutex_lock(&canvas->exchange);
    const bool found =
        side < canvas->front->sides && brume_renderer_bounds(canvas->front->side[side].renderer, lower, upper);
    (void)pthread_mutex_unlock(&canvas->exchange);
    return found;
}

BrumePick brume_render_thread_pick(BrumeRenderThread *canvas, int side, const BrumeCamera *camera, int width,
                                   int height, float x, float y)
{
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = INFINITY, .surface = -1};
    (void)pthread_mutex_lock(&canvas->exchange);
    if (side < canvas->front->sides) {
        pick = brume_renderer_pick(canvas->front->side[side].renderer, camera, width, height, x, y);
    }
    (void)pthread_mutex_unlock(&canvas->exchange);
    return pick;
}

BrumeStatus brume_render_thread_upload(BrumeRenderThread *canvas, int side, BrumeGlRenderer *renderer, uint64_t *lit,
                                       int *reduced, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    (void)pthread_mutex_lock(&canvas->exchange);
    if (side < canvas->front->sides && *lit != canvas->front_lit) {
        status = brume_gl_renderer_load(renderer, canvas->front->side[side].renderer, reduced, error);
        *lit = canvas->front_lit;
    }
    (void)pthread_mutex_unlock(&canvas->exchange);
    return status;
}
