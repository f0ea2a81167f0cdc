#include "viewer/simulation/edit_log.h"

#include "core/hash.h"
#include "core/memory.h"
#include "sim/settings/references.h"

#include <string.h>

static void free_entry(BrumeLogEntry *entry)
{
    if (entry->settings) {
        brume_settings_release(entry->settings);
        brume_free(entry->settings);
    }
    brume_free(entry->animation);
}

// removes the entries from `count` on
static void truncate_log(BrumeEditLog *log, int count)
{
    while (log->count > count) {
        free_entry(&log->entries[--log->count]);
    }
}

void brume_edit_log_clear(BrumeEditLog *log)
{
    truncate_log(log, 0);
    brume_free(log->entries);
    *log = (BrumeEditLog){0};
}

static BrumeStatus reserve(BrumeEditLog *log, BrumeError *error)
{
    if (log->count < log->capacity) {
        return BRUME_OK;
    }
    const int capacity = log->capacity > 0 ? 2 * log->capacity : 64;
    BrumeLogEntry *entries =
        brume_realloc(log->entries, (size_t)log->capacity * sizeof *entries, (size_t)capacity * sizeof *entries);
    if (!entries) {
        return brume_out_of_memory(error, "the edits that can be undone");
    }
    log->entries = entries;
    log->capacity = capacity;
    return BRUME_OK;
}

BrumeStatus brume_edit_log_insert(BrumeEditLog *log, int index, const BrumeLogEntry *entry, BrumeError *error)
{
    const BrumeStatus status = reserve(log, error);
    if (status == BRUME_OK) {
        memmove(&log->entries[index + 1], &log->entries[index], (size_t)(log->count - index) * sizeof *entry);
        log->entries[index] = *entry;
        log->entries[index].serial = ++log->serials;
        log->count++;
    }
    return status;
}

static BrumeStatus append_settings(BrumeEditLog *log, int frame, int variant, const BrumePendingEdits *edits,
                                   BrumeError *error)
{
    const BrumeSimDef *settings = &edits->settings[variant];
    BrumeSimDef *copy = brume_alloc(1, sizeof *copy);
    if (!copy) {
        return brume_out_of_memory(error, "the edits that can be undone");
    }
    memcpy(copy, settings, sizeof *copy); // padding included, because settings are compared by their bytes
    brume_settings_retain(copy);
    BrumeLogEntry entry = {.kind = BRUME_LOG_SETTINGS, .frame = frame, .variant = variant, .settings = copy};
    const BrumeStatus status = brume_edit_log_insert(log, log->count, &entry, error);
    if (status != BRUME_OK) {
        free_entry(&entry);
    }
    return status;
}

const BrumeAnimation *brume_edit_log_animation(const BrumeEditLog *log, int position)
{
    int n = position - 1;
    while (n >= 0 && log->entries[n].kind != BRUME_LOG_ANIMATION) {
        n--;
    }
    return n >= 0 ? log->entries[n].animation : NULL;
}

// where it is another one than that of the log
static BrumeStatus append_animation(BrumeEditLog *log, int frame, const BrumeAnimation *animation, BrumeError *error)
{
    const BrumeAnimation *latest = brume_edit_log_animation(log, log->count);
    if (!animation || (latest ? memcmp(latest, animation, sizeof *latest) == 0 : animation->count == 0)) {
        return BRUME_OK;
    }
    BrumeLogEntry entry = {.kind = BRUME_LOG_ANIMATION, .frame = frame, .animation = brume_alloc(1, sizeof *animation)};
    if (!entry.animation) {
        return brume_out_of_memory(error, "the edits that can be undone");
    }
    memcpy(entry.animation, animation, sizeof *animation); // padding included
    const BrumeStatus status = brume_edit_log_insert(log, log->count, &entry, error);
    if (status != BRUME_OK) {
        free_entry(&entry);
    }
    return status;
}

BrumeStatus brume_edit_log_append(BrumeEditLog *log, int frame, const BrumePendingEdits *edits, BrumeError *error)
{
    const int before = log->count;
    BrumeStatus status = append_animation(log, frame, edits->animation, error);
    for (int n = 0; n < BRUME_MAX_VARIANTS && status == BRUME_OK; n++) {
        if (edits->settings_changed[n]) {
            status = append_settings(log, frame, n, edits, error);
        }
    }
    for (int n = 0; n < edits->strokes.count && status == BRUME_OK; n++) {
        const BrumeStrokeSegment *segment = &edits->strokes.segments[n];
        const BrumeLogEntry entry = {.kind = BRUME_LOG_STROKE,
                                     .frame = frame,
                                     .edit = segment->edit,
                                     .undone = segment->undone,
                                     .segment = *segment};
        status = brume_edit_log_insert(log, log->count, &entry, error);
    }
    for (int n = 0; n < edits->motion_count && status == BRUME_OK; n++) {
        const BrumeObstacleMotion *motion = &edits->motions[n];
        const BrumeLogEntry entry = {.kind = BRUME_LOG_MOTION,
                                     .frame = frame,
                                     .edit = motion->edit,
                                     .undone = motion->undone,
                                     .motion = *motion};
        status = brume_edit_log_insert(log, log->count, &entry, error);
    }
    if (status != BRUME_OK) {
        truncate_log(log, before);
    }
    return status;
}

void brume_edit_log_take_back(BrumeEditLog *log, int count, BrumePendingEdits *edits)
{
    for (int n = count; n < log->count; n++) {
        const BrumeLogEntry *entry = &log->entries[n];
        if (entry->kind == BRUME_LOG_STROKE) {
            BrumeStrokeSegment segment = entry->segment;
            segment.undone = entry->undone;
            brume_stroke_queue_add(&edits->strokes, &segment);
        } else if (entry->kind == BRUME_LOG_MOTION) {
            BrumeObstacleMotion motion = entry->motion;
            motion.undone = entry->undone;
            brume_pending_edits_move(edits, &motion);
        }
    }
    truncate_log(log, count);
}

// moves the entries of one log from `index` on to the end of another
static BrumeStatus move_entries(BrumeEditLog *to, BrumeEditLog *from, int index, BrumeError *error)
{
    const int count = from->count - index;
    BrumeStatus status = BRUME_OK;
    while (to->capacity < to->count + count && status == BRUME_OK) {
        const int present = to->count;
        to->count = to->capacity; // makes reserve() enlarge it
        status = reserve(to, error);
        to->count = present;
    }
    if (status == BRUME_OK && count > 0) {
        memcpy(&to->entries[to->count], &from->entries[index], (size_t)count * sizeof *to->entries);
        to->count += count;
        from->count = index;
    }
    return status;
}

BrumeStatus brume_edit_log_split(BrumeEditLog *log, int index, BrumeEditLog *tail, BrumeError *error)
{
    return move_entries(tail, log, index, error);
}

BrumeStatus brume_edit_log_join(BrumeEditLog *log, BrumeEditLog *tail, BrumeError *error)
{
    return move_entries(log, tail, 0, error);
}

static uint64_t extended_key(uint64_t key, const BrumeLogEntry *entry)
{
    const uint64_t next[] = {entry->serial, entry->undone};
    return brume_hash_bytes(next, sizeof next, key);
}

uint64_t brume_edit_log_key(const BrumeEditLog *log, int position)
{
    uint64_t key = 0;
    for (int n = 0; n < position; n++) {
        key = extended_key(key, &log->entries[n]);
    }
    return key;
}

void brume_log_cursor_go_to(BrumeLogCursor *cursor, int frame)
{
    const BrumeEditLog *log = cursor->log;
    while (cursor->position < log->count) {
        const BrumeLogEntry *entry = &log->entries[cursor->position];
        const bool is_comparison = entry->kind == BRUME_LOG_FORK || entry->kind == BRUME_LOG_KEEP;
        if (entry->frame > frame || (entry->frame == frame && !is_comparison)) {
            break;
        }
        cursor->key = extended_key(cursor->key, entry);
        cursor->position++;
    }
}

int brume_edit_log_set_undone(BrumeEditLog *log, int edit, bool undone)
{
    int first = -1;
    for (int n = log->count - 1; n >= 0; n--) {
        if (log->entries[n].edit == edit && log->entries[n].undone != undone) {
            log->entries[n].undone = undone;
            first = n;
        }
    }
    return first;
}
