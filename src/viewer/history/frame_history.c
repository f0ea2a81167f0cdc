/*
 * One mutex guards the list of frames. Only the simulation thread changes it; it unlocks the mutex while it compresses
 * a frame or writes to the file. Bytes in memory have a count of users: the list, and a thread that reads them.
 */
#include "viewer/history/frame_history.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/settings/references.h"
#include "viewer/history/compact_state.h"
#include "viewer/history/frame_file.h"

#include <pthread.h>
#include <string.h>

// free pages are not returned to the system before this many bytes of frames have been freed
static const size_t least_returned = (size_t)16 << 20;

/** Settings that consecutive frames share. */
typedef struct SharedSettings {
    int users;
    BrumeSimDef settings;
} SharedSettings;

/** The compact states of all variants, one after the other. */
typedef struct FrameBytes {
    int users;
    size_t size; // size of `bytes`
    uint8_t *bytes;
} FrameBytes;

typedef struct KeptVariant {
    SharedSettings *settings;
    BrumeFrameStats stats;
    size_t sim_bytes;
    size_t offset; // offset in the bytes of the frame
    uint64_t hash; // hash of the full state
} KeptVariant;

typedef struct KeptFrame {
    int number;
    uint64_t key; // brume_edit_log_key of the state
    double time;
    uint64_t stamp;
    int variant_count;
    KeptVariant variants[BRUME_MAX_VARIANTS];
    size_t size;            // size of the frame's bytes
    FrameBytes *in_memory;  // NULL: the bytes are in the file
    BrumeFileExtent extent; // position in the file, if not in memory
} KeptFrame;

/** A list of frames. Zeroed, it is empty. */
typedef struct FrameList {
    int count, capacity;
    KeptFrame *frames;
} FrameList;

struct BrumeFrameHistory {
    pthread_mutex_t mutex;
    size_t memory, playback;
    FrameList listed; // in the order of their numbers
    FrameList aside;  // in the order in which they were set aside
    size_t bytes;     // memory of the frames in both lists, with their settings
    BrumeFrameFile file;
    uint64_t changes, stamps;
    int epoch;
    bool has_error;
    BrumeError error;

    // used by the simulation thread alone
    size_t freed;     // bytes of frames freed since free pages were returned to the system
    uint8_t *scratch; // buffer for compressing a frame
    size_t scratch_size;
};

static void lock(BrumeFrameHistory *history) { (void)pthread_mutex_lock(&history->mutex); }

static void unlock(BrumeFrameHistory *history) { (void)pthread_mutex_unlock(&history->mutex); }

/*
 * Memory and file space of frames. The mutex is locked.
 */

static void release_settings(BrumeFrameHistory *history, SharedSettings *settings)
{
    if (settings && --settings->users == 0) {
        brume_settings_release(&settings->settings);
        brume_free(settings);
        history->bytes -= sizeof *settings;
    }
}

static void release_bytes(FrameBytes *bytes)
{
    if (bytes && --bytes->users == 0) {
        brume_free(bytes->bytes);
        brume_free(bytes);
    }
}

static size_t memory_of(const KeptFrame *frame) { return sizeof *frame + (frame->in_memory ? frame->size : 0); }

// frees the memory and the file space of a frame
static void free_frame(BrumeFrameHistory *history, KeptFrame *frame)
{
    history->bytes -= memory_of(frame);
    history->freed += frame->in_memory ? frame->size : 0;
    for (int n = 0; n < frame->variant_count; n++) {
        release_settings(history, frame->variants[n].settings);
    }
    release_bytes(frame->in_memory);
    brume_frame_file_free(&history->file, &frame->extent);
}

// removes a frame from a list, without freeing its memory
static KeptFrame take_out(BrumeFrameHistory *history, FrameList *list, int index)
{
    const KeptFrame frame = list->frames[index];
    memmove(&list->frames[index], &list->frames[index + 1], (size_t)(list->count - index - 1) * sizeof *list->frames);
    list->count--;
    history->changes++;
    return frame;
}

static void remove_at(BrumeFrameHistory *history, FrameList *list, int index)
{
    KeptFrame frame = take_out(history, list, index);
    free_frame(history, &frame);
}

// reserves room in a list for one more frame
static bool reserve_frame(FrameList *list)
{
    KeptFrame *frames = brume_make_room(list->frames, list->count, &list->capacity, sizeof *frames);
    list->frames = frames ? frames : list->frames;
    return frames != NULL;
}

// returns the index of the first listed frame whose number is at least `number`
static int lower_bound(const BrumeFrameHistory *history, int number)
{
    int from = 0;
    int to = history->listed.count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (history->listed.frames[middle].number < number) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

static KeptFrame *find(const BrumeFrameHistory *history, int number)
{
    const FrameList *listed = &history->listed;
    const int index = lower_bound(history, number);
    return index < listed->count && listed->frames[index].number == number ? &listed->frames[index] : NULL;
}

// inserts a frame into the list; there is room, and no frame has this number
static void list_frame(BrumeFrameHistory *history, const KeptFrame *frame)
{
    FrameList *listed = &history->listed;
    const int index = lower_bound(history, frame->number);
    memmove(&listed->frames[index + 1], &listed->frames[index],
            (size_t)(listed->count - index) * sizeof *listed->frames);
    listed->frames[index] = *frame;
    listed->count++;
    history->changes++;
}

/*
 * Making room.
 */

static int oldest_in_memory(const BrumeFrameHistory *history)
{
    for (int n = 0; n < history->listed.count; n++) {
        if (history->listed.frames[n].in_memory) {
            return n;
        }
    }
    return -1;
}

// Returns the frame to drop: in the older half the one whose removal leaves the smallest gap, the oldest of several.
// Where the file is not used, only frames in memory are considered.
static int least_useful(const BrumeFrameHistory *history)
{
    const bool in_memory = history->file.budget == 0;
    const int oldest = in_memory ? oldest_in_memory(history) : 0;
    const int first = oldest > 0 ? oldest : 0;
    const KeptFrame *frames = history->listed.frames;
    const int half = first + (history->listed.count - first) / 2;
    const int end = half > first + 1 ? half : history->listed.count - 1;
    int best = -1;
    int least = 0;
    for (int n = first > 0 ? first : 1; n < end; n++) {
        const int gap = frames[n + 1].number - frames[n - 1].number;
        if ((!in_memory || frames[n].in_memory) && (best < 0 || gap < least)) {
            best = n;
            least = gap;
        }
    }
    return best >= 0 ? best : first;
}

// Writes a frame from memory to the file. The mutex is locked, and is unlocked during the writing.
static void move_to_file(BrumeFrameHistory *history, int index)
{
    FrameBytes *bytes = history->listed.frames[index].in_memory;
    BrumeFileExtent extent;
    BrumeError error;
    BrumeStatus status = brume_frame_file_take(&history->file, bytes->size, &extent, &error);
    if (status == BRUME_OK) {
        unlock(history);
        status = brume_frame_file_write(&history->file, &extent, bytes->bytes, bytes->size, &error);
        lock(history);
    }
    if (status != BRUME_OK) { // no further frame is written; frames in the file stay
        brume_frame_file_free(&history->file, &extent);
        history->file.budget = 0;
        history->error = error;
        history->has_error = true;
        return;
    }
    KeptFrame *frame = &history->listed.frames[index];
    history->bytes -= frame->size;
    history->freed += frame->size;
    frame->in_memory = NULL;
    frame->extent = extent;
    release_bytes(bytes);
    history->changes++;
}

// reduces the memory to its budget: frames set aside are removed first, then frames in memory move to the file
static void make_room(BrumeFrameHistory *history)
{
    while (history->listed.count + history->aside.count > 0 && history->bytes > history->memory) {
        const int oldest = oldest_in_memory(history);
        if (history->aside.count > 0) {
            remove_at(history, &history->aside, 0);
        } else if (oldest >= 0 && brume_frame_file_has_room(&history->file, history->listed.frames[oldest].size)) {
            move_to_file(history, oldest);
        } else {
            remove_at(history, &history->listed, least_useful(history));
        }
    }
}

/*
 * The simulation thread.
 */

// returns the settings of a simulation, shared with a frame that has the same; NULL without memory
static SharedSettings *share_settings(BrumeFrameHistory *history, const BrumeSimDef *settings, int variant)
{
    const FrameList *listed = &history->listed;
    for (int n = listed->count - 1; n >= 0 && n >= listed->count - 2; n--) {
        const KeptFrame *frame = &listed->frames[n];
        SharedSettings *shared = variant < frame->variant_count ? frame->variants[variant].settings : NULL;
        if (shared && memcmp(&shared->settings, settings, sizeof *settings) == 0) {
            shared->users++;
            return shared;
        }
    }
    SharedSettings *created = brume_alloc(1, sizeof *created);
    if (created) {
        created->users = 1;
        memcpy(&created->settings, settings, sizeof *settings); // padding included, because memcmp compares them
        brume_settings_retain(&created->settings);
        history->bytes += sizeof *created;
    }
    return created;
}

static bool reserve_scratch(BrumeFrameHistory *history, size_t size)
{
    if (size > history->scratch_size) {
        brume_free(history->scratch);
        history->scratch = brume_alloc_untouched(size, 1);
        history->scratch_size = history->scratch ? size : 0;
    }
    return history->scratch != NULL;
}

// returns the compact states of all variants; NULL without memory
static FrameBytes *compress(BrumeFrameHistory *history, const BrumeSession *session, size_t offsets[BRUME_MAX_VARIANTS])
{
    size_t bound = 0;
    for (int n = 0; n < session->variant_count; n++) {
        bound += brume_compact_state_bound(session->variants[n].sim);
    }
    FrameBytes *created = reserve_scratch(history, bound) ? brume_alloc(1, sizeof *created) : NULL;
    if (!created) {
        return NULL;
    }
    for (int n = 0; n < session->variant_count; n++) {
        offsets[n] = created->size;
        created->size += brume_compact_state_write(session->variants[n].sim, history->scratch + created->size);
    }
    created->users = 1;
    created->bytes = brume_alloc_untouched(created->size, 1);
    if (!created->bytes) {
        brume_free(created);
        return NULL;
    }
    memcpy(created->bytes, history->scratch, created->size);
    return created;
}

// returns the index of the frame with a number and a key among the ones set aside; -1: none
static int find_aside(const BrumeFrameHistory *history, int number, uint64_t key)
{
    for (int n = 0; n < history->aside.count; n++) {
        if (history->aside.frames[n].number == number && history->aside.frames[n].key == key) {
            return n;
        }
    }
    return -1;
}

// inserts a new frame into the list, in place of one with the same number; the mutex is locked
static void insert(BrumeFrameHistory *history, const KeptFrame *frame)
{
    const KeptFrame *former = find(history, frame->number);
    const int same = find_aside(history, frame->number, frame->key);
    if (former) {
        remove_at(history, &history->listed, (int)(former - history->listed.frames));
    }
    if (same >= 0) {
        remove_at(history, &history->aside, same);
    }
    list_frame(history, frame);
    history->bytes += memory_of(frame);
}

static bool has_frame(BrumeFrameHistory *history, int number, uint64_t key)
{
    lock(history);
    const KeptFrame *frame = find(history, number);
    const bool has = frame && frame->key == key;
    unlock(history);
    return has;
}

// Returns free pages to the system. Frames differ in size, so that freed ones leave gaps: without this the memory of
// the process would exceed the budget twofold.
static void return_free_pages(BrumeFrameHistory *history)
{
    const size_t quarter = history->memory / 4;
    if (history->freed > (quarter > least_returned ? quarter : least_returned)) {
        brume_return_free_pages();
        history->freed = 0;
    }
}

void brume_frame_history_keep(BrumeFrameHistory *history, const BrumeSession *session, uint64_t key)
{
    size_t offsets[BRUME_MAX_VARIANTS] = {0};
    const bool keeps = !session->failed && !has_frame(history, session->frame, key);
    FrameBytes *bytes = keeps ? compress(history, session, offsets) : NULL;
    if (!bytes) {
        return;
    }
    KeptFrame frame = {.number = session->frame,
                       .key = key,
                       .time = brume_sim_time(session->variants[0].sim),
                       .variant_count = session->variant_count,
                       .size = bytes->size,
                       .in_memory = bytes};
    uint64_t hashes[BRUME_MAX_VARIANTS] = {0};
    for (int n = 0; n < session->variant_count; n++) {
        hashes[n] = brume_sim_hash(session->variants[n].sim);
    }
    lock(history);
    bool complete = reserve_frame(&history->listed);
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSessionVariant *variant = &session->variants[n];
        frame.variants[n] = (KeptVariant){
            .settings = share_settings(history, brume_sim_settings(variant->sim), n),
            .stats = variant->stats,
            .sim_bytes = brume_sim_bytes(variant->sim),
            .offset = offsets[n],
            .hash = hashes[n],
        };
        complete = complete && frame.variants[n].settings;
    }
    frame.stamp = ++history->stamps;
    if (complete) {
        insert(history, &frame);
        make_room(history);
    } else {
        for (int n = 0; n < session->variant_count; n++) {
            release_settings(history, frame.variants[n].settings);
        }
        release_bytes(bytes);
    }
    unlock(history);
    return_free_pages(history);
}

// whether the run of the log contains a frame, up to `last`
static bool is_on_way(const KeptFrame *frame, BrumeEditLog *log, int last)
{
    return frame->number <= last && brume_edit_log_key(log, brume_edit_log_position(log, frame->number)) == frame->key;
}

void brume_frame_history_follow(BrumeFrameHistory *history, BrumeEditLog *log, int last)
{
    lock(history);
    int left = history->aside.count;
    for (int n = 0; n < history->listed.count;) {
        if (is_on_way(&history->listed.frames[n], log, last)) {
            n++;
        } else if (reserve_frame(&history->aside)) {
            const KeptFrame frame = take_out(history, &history->listed, n);
            history->aside.frames[history->aside.count++] = frame;
        } else {
            remove_at(history, &history->listed, n);
        }
    }
    for (int n = 0; n < left;) { // frames that were set aside earlier
        const KeptFrame *frame = &history->aside.frames[n];
        if (is_on_way(frame, log, last) && !find(history, frame->number) && reserve_frame(&history->listed)) {
            const KeptFrame taken = take_out(history, &history->aside, n);
            list_frame(history, &taken);
            left--;
        } else {
            n++;
        }
    }
    unlock(history);
}

static void clear_list(BrumeFrameHistory *history, FrameList *list)
{
    while (list->count > 0) {
        remove_at(history, list, list->count - 1);
    }
}

void brume_frame_history_clear(BrumeFrameHistory *history, int epoch)
{
    lock(history);
    clear_list(history, &history->listed);
    clear_list(history, &history->aside);
    history->epoch = epoch;
    history->changes++;
    unlock(history);
}

/*
 * The reader.
 */

// BrumeStoredFrames.list
static BrumeStatus list_frames(void *context, int **numbers, int *count, BrumeError *error)
{
    BrumeFrameHistory *history = context;
    lock(history);
    *count = history->listed.count;
    *numbers = brume_alloc_untouched((size_t)*count + 1, sizeof **numbers);
    for (int n = 0; n < *count && *numbers; n++) {
        (*numbers)[n] = history->listed.frames[n].number;
    }
    unlock(history);
    return *numbers ? BRUME_OK : brume_out_of_memory(error, "the list of frames");
}

// BrumeStoredFrames.stamp
static uint64_t stamp_of(void *context, int number)
{
    BrumeFrameHistory *history = context;
    lock(history);
    const KeptFrame *frame = find(history, number);
    const uint64_t stamp = frame ? frame->stamp : 0;
    unlock(history);
    return stamp;
}

// BrumeStoredFrames.is_close: whether the frame is in memory
static bool is_close(void *context, int number)
{
    BrumeFrameHistory *history = context;
    lock(history);
    const KeptFrame *frame = find(history, number);
    const bool close = frame && frame->in_memory;
    unlock(history);
    return close;
}

// Reads the bytes of a frame from the file into new memory. Meanwhile the simulation thread may have removed the frame
// and written another one in its place.
static BrumeStatus read_bytes(BrumeFrameHistory *history, const KeptFrame *frame, FrameBytes **bytes, BrumeError *error)
{
    FrameBytes *created = brume_alloc(1, sizeof *created);
    uint8_t *values = brume_alloc_untouched(frame->size, 1);
    if (!created || !values) {
        brume_free(created);
        brume_free(values);
        return brume_out_of_memory(error, "frame %d", frame->number);
    }
    *created = (FrameBytes){.users = 1, .size = frame->size, .bytes = values};
    BrumeStatus status = brume_frame_file_read(&history->file, &frame->extent, values, frame->size, error);
    lock(history);
    const KeptFrame *now = find(history, frame->number);
    if (!now || now->stamp != frame->stamp) {
        status = BRUME_FAILED;
        error->text[0] = '\0'; // no defect: the list of frames is out of date
    }
    if (status == BRUME_OK) {
        *bytes = created;
    } else {
        release_bytes(created);
    }
    unlock(history);
    return status;
}

// decompresses the variants of a frame
static BrumeStatus read_variants(const KeptFrame *frame, const FrameBytes *bytes, BrumeSnapshotVariant *const states[],
                                 BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < BRUME_MAX_VARIANTS && n < frame->variant_count && status == BRUME_OK; n++) {
        status = brume_compact_state_read(bytes->bytes + frame->variants[n].offset, states[n], error);
    }
    return status;
}

// BrumeStoredFrames.read
static BrumeStatus read_frame(void *context, int number, BrumeStoredFrame *stored, BrumeError *error)
{
    BrumeFrameHistory *history = context;
    *error = (BrumeError){.status = BRUME_FAILED};
    lock(history);
    const KeptFrame *found = find(history, number);
    if (!found) {
        unlock(history);
        return BRUME_FAILED; // no defect: the list of frames is out of date
    }
    const KeptFrame frame = *found;
    FrameBytes *bytes = frame.in_memory;
    BrumeSnapshotVariant *const states[BRUME_MAX_VARIANTS] = {&stored->state, &stored->second};
    for (int n = 0; n < BRUME_MAX_VARIANTS && n < found->variant_count; n++) {
        states[n]->settings = found->variants[n].settings->settings;
        states[n]->stats = found->variants[n].stats;
        states[n]->sim_bytes = found->variants[n].sim_bytes;
    }
    if (bytes) {
        bytes->users++;
    }
    stored->epoch = history->epoch;
    unlock(history);
    BrumeStatus status = BRUME_OK;
    if (!bytes) {
        status = read_bytes(history, &frame, &bytes, error);
    }
    if (status == BRUME_OK && bytes) {
        status = read_variants(&frame, bytes, states, error);
    }
    if (status == BRUME_OK) {
        stored->time = frame.time;
        stored->seed = (uint32_t)number;
        stored->revision = -1 - (int)(frame.stamp & 0x3fffffffu);
    } else {
        brume_snapshot_free_fields(&stored->state);
        brume_snapshot_free_fields(&stored->second);
        *stored = (BrumeStoredFrame){0};
    }
    lock(history);
    release_bytes(bytes);
    unlock(history);
    return status;
}

BrumeStoredFrames brume_frame_history_frames(BrumeFrameHistory *history, double fps)
{
    return (BrumeStoredFrames){
        .context = history,
        .list = list_frames,
        .read = read_frame,
        .stamp = stamp_of,
        .is_close = is_close,
        .fps = fps,
        .budget = history->playback,
        .replaces = true,
    };
}

/*
 * The other functions.
 */

BrumeStatus brume_frame_history_create(BrumeFrameHistory **history, const BrumeFrameHistoryDef *def, BrumeError *error)
{
    *history = brume_alloc(1, sizeof **history);
    if (!*history) {
        return brume_out_of_memory(error, "the frames of the timeline");
    }
    (void)pthread_mutex_init(&(*history)->mutex, NULL);
    (*history)->memory = def->memory;
    (*history)->playback = def->playback;
    (*history)->file.budget = def->disk;
    return BRUME_OK;
}

void brume_frame_history_destroy(BrumeFrameHistory *history)
{
    if (history) {
        brume_frame_history_clear(history, 0);
        brume_frame_file_close(&history->file);
        (void)pthread_mutex_destroy(&history->mutex);
        brume_free(history->listed.frames);
        brume_free(history->aside.frames);
        brume_free(history->scratch);
        brume_free(history);
    }
}

void brume_frame_history_status(BrumeFrameHistory *history, BrumeFrameHistoryStatus *status)
{
    lock(history);
    const FrameList *listed = &history->listed;
    int in_memory = 0;
    for (int n = 0; n < listed->count; n++) {
        in_memory += listed->frames[n].in_memory != NULL;
    }
    *status = (BrumeFrameHistoryStatus){
        .count = listed->count,
        .in_memory = in_memory,
        .first = listed->count > 0 ? listed->frames[0].number : 0,
        .last = listed->count > 0 ? listed->frames[listed->count - 1].number : 0,
        .bytes = history->bytes,
        .memory = history->memory,
        .file_bytes = history->file.used,
        .disk = history->file.budget,
        .changes = history->changes,
        .epoch = history->epoch,
        .has_error = history->has_error,
        .error = history->error,
    };
    history->has_error = false;
    unlock(history);
}

bool brume_frame_history_find(BrumeFrameHistory *history, int frame, BrumeKeptFrame *kept)
{
    lock(history);
    const KeptFrame *found = find(history, frame);
    *kept = (BrumeKeptFrame){0};
    if (found) {
        kept->time = found->time;
        kept->variant_count = found->variant_count;
    }
    for (int n = 0; n < kept->variant_count; n++) {
        kept->hash[n] = found->variants[n].hash;
        kept->settings[n] = found->variants[n].settings->settings;
    }
    unlock(history);
    return found != NULL;
}
