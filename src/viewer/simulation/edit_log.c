#include "viewer/simulation/edit_log.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/settings/references.h"

#include <string.h>

static void free_entry(BrumeLogEntry *entry)
{
    if (entry->kind == BRUME_LOG_SETTINGS) {
        brume_settings_release(entry->settings);
        brume_free(entry->settings);
    } else if (entry->kind == BRUME_LOG_ANIMATION) {
        brume_free(entry->animation);
    }
}

static void clear_entries(BrumeLogEntries *entries)
{
    for (int n = 0; n < entries->count; n++) {
        free_entry(&entries->items[n]);
    }
    brume_free(entries->items);
    *entries = (BrumeLogEntries){0};
}

static BrumeStatus out_of_memory(BrumeError *error)
{
    return brume_out_of_memory(error, "the edits that can be undone");
}

// makes room for `count` more entries
static BrumeStatus reserve(BrumeLogEntries *entries, int count, BrumeError *error)
{
    int capacity = entries->capacity > 0 ? entries->capacity : 64;
    while (capacity < entries->count + count) {
        capacity *= 2;
    }
    if (capacity > entries->capacity) {
        const size_t size = sizeof *entries->items;
        BrumeLogEntry *items = brume_realloc(entries->items, (size_t)entries->capacity * size, (size_t)capacity * size);
        if (!items) {
            return out_of_memory(error);
        }
        entries->items = items;
        entries->capacity = capacity;
    }
    return BRUME_OK;
}

// moves the entries from `index` on to the end of another list, which has room
static void move_entries(BrumeLogEntries *to, BrumeLogEntries *from, int index)
{
    const int count = from->count - index;
    if (count > 0 && to->items) {
        memcpy(&to->items[to->count], &from->items[index], (size_t)count * sizeof *to->items);
        to->count += count;
        from->count = index;
    }
}

static void set_start(BrumeEditLog *log, const BrumeSimDef *settings, int count)
{
    log->start_count = log->variants.count = count;
    for (int n = 0; n < count; n++) {
        log->start_settings[n] = settings[n];
        log->variants.ids[n] = (uint64_t)n;
    }
}

BrumeStatus brume_edit_log_create(BrumeEditLog **log, const BrumeSimDef *settings, int count,
                                  const BrumeAnimation *animation, BrumeError *error)
{
    *log = brume_alloc(1, sizeof **log);
    if (!*log) {
        return out_of_memory(error);
    }
    set_start(*log, settings, count);
    (*log)->serials = BRUME_MAX_VARIANTS;
    if (animation) {
        memcpy(&(*log)->start_animation, animation, sizeof *animation); // padding included
    }
    return BRUME_OK;
}

void brume_edit_log_destroy(BrumeEditLog *log)
{
    if (log) {
        clear_entries(&log->entries);
        for (int n = 0; n < log->branch_count; n++) {
            clear_entries(&log->branches[n].tail);
        }
        brume_free(log->branches);
        brume_timeline_clear(&log->scene_timeline);
        brume_free(log);
    }
}

// the index of the variant with this identity; -1: none
static int index_of(const BrumeLogVariants *variants, uint64_t id)
{
    int n = variants->count - 1;
    while (n >= 0 && variants->ids[n] != id) {
        n--;
    }
    return n;
}

// applies the beginning or the end of a comparison to the variants; returns the index of the kept variant, or -1
static int apply_comparison(BrumeLogVariants *variants, const BrumeLogEntry *entry)
{
    if (!brume_log_entry_has_effect(entry)) {
        return -1;
    }
    const int kept = entry->kind == BRUME_LOG_KEEP ? index_of(variants, entry->variant) : -1;
    if (entry->kind == BRUME_LOG_FORK && variants->count < BRUME_MAX_VARIANTS) {
        variants->ids[variants->count++] = entry->variant;
    } else if (kept >= 0) {
        variants->ids[0] = variants->ids[kept];
        variants->count = 1;
    }
    return kept;
}

static BrumeLogVariants start_variants(const BrumeEditLog *log)
{
    BrumeLogVariants variants = {.count = log->start_count};
    for (int n = 0; n < log->start_count; n++) {
        variants.ids[n] = (uint64_t)n;
    }
    return variants;
}

// updates keys and variants after a change of the entries from `index` on
static void update_after_change(BrumeEditLog *log, int index)
{
    log->keyed = index < log->keyed ? index : log->keyed;
    log->variants = start_variants(log);
    for (int n = 0; n < log->entries.count; n++) {
        (void)apply_comparison(&log->variants, &log->entries.items[n]);
    }
}

// inserts an entry, which waits for the next frame
static BrumeStatus insert(BrumeEditLog *log, int index, const BrumeLogEntry *entry, BrumeError *error)
{
    BrumeLogEntries *entries = &log->entries;
    const BrumeStatus status = reserve(entries, 1, error);
    if (status == BRUME_OK) {
        BrumeLogEntry *at = &entries->items[index];
        memmove(at + 1, at, (size_t)(entries->count - index) * sizeof *at);
        *at = *entry;
        at->serial = ++log->serials;
        at->frame = BRUME_LOG_WAITS;
        entries->count++;
    }
    return status;
}

BrumeStatus brume_edit_log_add_stroke(BrumeEditLog *log, const BrumeStrokeSegment *segment, BrumeError *error)
{
    const BrumeLogEntry entry = {.kind = BRUME_LOG_STROKE, .edit = segment->edit, .segment = *segment};
    return insert(log, log->entries.count, &entry, error);
}

// returns the latest waiting motion of a body; NULL: none
static BrumeLogEntry *waiting_motion(const BrumeEditLog *log, int body)
{
    for (int n = log->entries.count - 1; n >= log->taken; n--) {
        BrumeLogEntry *entry = &log->entries.items[n];
        if (entry->kind == BRUME_LOG_MOTION && entry->motion.body == body) {
            return entry;
        }
    }
    return NULL;
}

BrumeStatus brume_edit_log_move(BrumeEditLog *log, const BrumeBodyMotion *motion, BrumeError *error)
{
    BrumeLogEntry *latest = waiting_motion(log, motion->body);
    if (latest && latest->edit == motion->edit && latest->motion.replaces == motion->replaces &&
        latest->motion.survives_restart == motion->survives_restart) {
        latest->motion.def = motion->def;
        latest->motion.displacement = brume_add(latest->motion.displacement, motion->displacement);
        latest->motion.turn = brume_add(latest->motion.turn, motion->turn);
        return BRUME_OK;
    }
    const BrumeLogEntry entry = {.kind = BRUME_LOG_MOTION, .edit = motion->edit, .motion = *motion};
    return insert(log, log->entries.count, &entry, error);
}

// returns the latest entry of a kind and a variant from index `from` on; NULL: none
static BrumeLogEntry *find_latest(const BrumeEditLog *log, int from, BrumeLogKind kind, uint64_t variant)
{
    for (int n = log->entries.count - 1; n >= from; n--) {
        BrumeLogEntry *entry = &log->entries.items[n];
        if (entry->kind == kind && entry->variant == variant) {
            return entry;
        }
    }
    return NULL;
}

const BrumeSimDef *brume_edit_log_waiting_settings(const BrumeEditLog *log, uint64_t variant)
{
    const BrumeLogEntry *entry = find_latest(log, log->taken, BRUME_LOG_SETTINGS, variant);
    return entry ? entry->settings : NULL;
}

BrumeStatus brume_edit_log_set_settings(BrumeEditLog *log, uint64_t variant, const BrumeSimDef *settings,
                                        BrumeError *error)
{
    BrumeLogEntry *latest = find_latest(log, log->taken, BRUME_LOG_SETTINGS, variant);
    BrumeLogEntry entry = {.kind = BRUME_LOG_SETTINGS, .variant = variant};
    entry.settings = latest ? latest->settings : brume_alloc(1, sizeof *settings);
    if (!entry.settings) {
        return out_of_memory(error);
    }
    brume_settings_retain(settings);
    if (latest) {
        brume_settings_release(entry.settings);
    }
    memcpy(entry.settings, settings,
           sizeof *settings); // padding included, because settings are compared by their bytes
    const BrumeStatus status = latest ? BRUME_OK : insert(log, log->entries.count, &entry, error);
    if (status != BRUME_OK) {
        free_entry(&entry);
    }
    return status;
}

BrumeStatus brume_edit_log_set_animation(BrumeEditLog *log, const BrumeAnimation *animation, BrumeError *error)
{
    const BrumeLogEntry *latest = find_latest(log, 0, BRUME_LOG_ANIMATION, 0);
    if (memcmp(latest ? latest->animation : &log->start_animation, animation, sizeof *animation) == 0) {
        return BRUME_OK;
    }
    const bool waits = latest && latest->frame == BRUME_LOG_WAITS;
    BrumeLogEntry entry = {.kind = BRUME_LOG_ANIMATION};
    entry.animation = waits ? latest->animation : brume_alloc(1, sizeof *animation);
    if (!entry.animation) {
        return out_of_memory(error);
    }
    memcpy(entry.animation, animation, sizeof *animation); // padding included
    const BrumeStatus status = waits ? BRUME_OK : insert(log, log->entries.count, &entry, error);
    if (status != BRUME_OK) {
        free_entry(&entry);
    }
    return status;
}

// inserts a beginning or an end of a comparison after the ones that wait, before all other waiting entries
static BrumeStatus add_comparison(BrumeEditLog *log, const BrumeLogEntry *entry, BrumeError *error)
{
    int index = log->taken;
    while (index < log->entries.count && brume_log_entry_compares(&log->entries.items[index])) {
        index++;
    }
    const BrumeStatus status = insert(log, index, entry, error);
    if (status == BRUME_OK) {
        BrumeLogEntry *added = &log->entries.items[index];
        added->variant = entry->kind == BRUME_LOG_FORK ? added->serial : added->variant;
        update_after_change(log, log->entries.count);
    }
    return status;
}

BrumeStatus brume_edit_log_fork(BrumeEditLog *log, int edit, BrumeError *error)
{
    if (log->variants.count == BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    const BrumeSimDef *waiting = brume_edit_log_waiting_settings(log, log->variants.ids[0]);
    const BrumeLogEntry entry = {.kind = BRUME_LOG_FORK, .edit = edit};
    const BrumeStatus status = add_comparison(log, &entry, error);
    return status == BRUME_OK && waiting ? brume_edit_log_set_settings(log, log->variants.ids[1], waiting, error)
                                         : status;
}

BrumeStatus brume_edit_log_keep(BrumeEditLog *log, int kept, int edit, BrumeError *error)
{
    if (log->variants.count < BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    const BrumeLogEntry entry = {.kind = BRUME_LOG_KEEP, .edit = edit, .variant = log->variants.ids[kept]};
    return add_comparison(log, &entry, error);
}

bool brume_place_body(BrumeSimDef *settings, int n, const BrumeBodyDef *def)
{
    if (n > settings->body_count || n >= BRUME_MAX_BODIES) {
        return false;
    }
    settings->bodies[n] = *def;
    settings->body_count += n == settings->body_count;
    return true;
}

// applies a motion to the body of a restart, if the motion persists
static void keep_motion(const BrumeBodyMotion *motion, BrumeSimDef *settings)
{
    const int n = motion->body;
    if (motion->survives_restart && motion->replaces) {
        (void)brume_place_body(settings, n, &motion->def);
    } else if (motion->survives_restart && n < settings->body_count) {
        BrumeShape *shape = &settings->bodies[n].shape;
        *shape = brume_shape_after_motion(shape, motion->displacement, motion->turn);
    }
}

// applies an entry to the variants and the settings of a restart
static void apply_to_restart(const BrumeLogEntry *entry, BrumeLogVariants *variants, BrumeSimDef *settings)
{
    if (brume_log_entry_compares(entry)) {
        const int before = variants->count;
        const int kept = apply_comparison(variants, entry);
        settings[0] = kept >= 0 ? settings[kept] : settings[0];
        settings[1] = variants->count > before ? settings[0] : settings[1];
    } else if (entry->kind == BRUME_LOG_SETTINGS) {
        const int n = index_of(variants, entry->variant);
        if (n >= 0) {
            const BrumeSimDef before = settings[n];
            settings[n] = *entry->settings;
            settings[n].body_count = before.body_count;
            memcpy(settings[n].bodies, before.bodies, sizeof before.bodies);
        }
    } else if (entry->kind == BRUME_LOG_MOTION) {
        for (int n = 0; n < variants->count; n++) {
            keep_motion(&entry->motion, &settings[n]);
        }
    }
}

BrumeStatus brume_edit_log_restart(BrumeEditLog **next, const BrumeEditLog *log, BrumeError *error)
{
    const BrumeLogEntry *animated = find_latest(log, 0, BRUME_LOG_ANIMATION, 0);
    const BrumeAnimation *animation = animated ? animated->animation : &log->start_animation;
    *next = NULL;
    BrumeEditLog *created;
    const BrumeStatus status = brume_edit_log_create(&created, log->start_settings, log->start_count, animation, error);
    if (!created) {
        return status;
    }
    BrumeSimDef *settings = created->start_settings;
    BrumeLogVariants variants = start_variants(log);
    for (int n = 0; n < log->entries.count; n++) {
        if (brume_log_entry_has_effect(&log->entries.items[n])) {
            apply_to_restart(&log->entries.items[n], &variants, settings);
        }
    }
    for (int n = 0; n < variants.count; n++) {
        (void)brume_animation_apply_sim(animation, 0.0, &settings[n]);
        (void)brume_animation_apply_bodies(animation, 0.0, &settings[n]);
    }
    set_start(created, settings, variants.count);
    created->is_restart = true;
    *next = created;
    return BRUME_OK;
}

void brume_edit_log_take_timeline(BrumeEditLog *log, BrumeEditLog *before)
{
    if (log->is_restart && !before->is_restart) {
        log->scene_timeline = before->scene_timeline;
        before->scene_timeline = (BrumeTimeline){0};
        log->is_restart = false;
    }
}

// marks the entries of an edit as undone or not; returns the index of the first changed one, INT_MAX: none
static int mark_undone(BrumeLogEntries *entries, int edit, bool undone)
{
    int first = INT_MAX;
    for (int n = entries->count - 1; n >= 0; n--) {
        if (entries->items[n].edit == edit && entries->items[n].undone != undone) {
            entries->items[n].undone = undone;
            first = n;
        }
    }
    return first;
}

// sets the number of entries that frames have applied, which are all before the waiting ones
static void count_taken(BrumeEditLog *log)
{
    log->taken = log->entries.count;
    while (log->taken > 0 && log->entries.items[log->taken - 1].frame == BRUME_LOG_WAITS) {
        log->taken--;
    }
}

// exchanges the entries of the log from `branch->position` on with the tail of the branch, which may be empty
static BrumeStatus exchange_with_branch(BrumeEditLog *log, BrumeLogBranch *branch, BrumeError *error)
{
    BrumeLogEntries tail = {0};
    BrumeStatus status = reserve(&tail, log->entries.count - branch->position, error);
    if (status == BRUME_OK) {
        status = reserve(&log->entries, branch->tail.count, error);
    }
    if (status != BRUME_OK) {
        clear_entries(&tail);
        return status;
    }
    const int frames = log->frames;
    move_entries(&tail, &log->entries, branch->position);
    move_entries(&log->entries, &branch->tail, 0);
    clear_entries(&branch->tail);
    branch->tail = tail;
    log->frames = branch->frames;
    branch->frames = frames;
    count_taken(log);
    update_after_change(log, branch->position);
    log->changes++;
    return BRUME_OK;
}

BrumeStatus brume_edit_log_set_undone(BrumeEditLog *log, int edit, bool undone, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < log->branch_count && edit > 0; n++) {
        BrumeLogBranch *branch = &log->branches[n];
        if (branch->edit != edit) {
            (void)mark_undone(&branch->tail, edit, undone); // an edit of the other branch
        } else if (branch->undone != undone) {
            status = exchange_with_branch(log, branch, error);
            branch->undone = status == BRUME_OK ? undone : branch->undone;
        }
    }
    const int first = edit > 0 ? mark_undone(&log->entries, edit, undone) : INT_MAX;
    if (first < log->entries.count) {
        update_after_change(log, first);
        log->changes++;
    }
    return status;
}

BrumeStatus brume_edit_log_go_back(BrumeEditLog *log, int edit, int frame, BrumeError *error)
{
    BrumeLogBranch *branches =
        brume_make_room(log->branches, log->branch_count, &log->branch_capacity, sizeof *branches);
    if (!branches) {
        return out_of_memory(error);
    }
    log->branches = branches;
    BrumeLogBranch branch = {.edit = edit, .frames = frame < log->frames ? frame : log->frames};
    branch.position = brume_edit_log_position(log, branch.frames);
    const BrumeStatus status = exchange_with_branch(log, &branch, error);
    if (status == BRUME_OK) {
        log->branches[log->branch_count++] = branch;
    }
    return status;
}

int brume_edit_log_frame_end(const BrumeEditLog *log, int position, int max_strokes)
{
    const BrumeStrokeSegment *before = NULL;
    int strokes = 0;
    int end = position;
    for (; end < log->entries.count; end++) {
        const BrumeLogEntry *entry = &log->entries.items[end];
        if (entry->kind == BRUME_LOG_STROKE) {
            strokes += !before || !brume_stroke_segments_join(before, &entry->segment);
            before = &entry->segment;
        }
        if (strokes > max_strokes) {
            break;
        }
    }
    return end;
}

void brume_edit_log_take_frame(BrumeEditLog *log)
{
    const BrumeChange *scheduled = brume_timeline_find(&log->scene_timeline, log->frames);
    int first = log->taken; // a failed frame may have taken some entries
    while (first > 0 && log->entries.items[first - 1].frame == log->frames) {
        first--;
    }
    const int end = brume_edit_log_frame_end(log, first, BRUME_MAX_STROKES - (scheduled ? scheduled->stroke_count : 0));
    for (; log->taken < end; log->taken++) {
        log->entries.items[log->taken].frame = log->frames;
    }
    log->frames++;
}

void brume_edit_log_remove_frame(BrumeEditLog *log)
{
    log->frames--;
    while (log->taken > brume_edit_log_position(log, log->frames)) {
        log->entries.items[--log->taken].frame = BRUME_LOG_WAITS;
    }
    log->keyed = log->taken < log->keyed ? log->taken : log->keyed;
}

int brume_edit_log_position(const BrumeEditLog *log, int frame)
{
    int from = 0;
    int to = log->entries.count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (log->entries.items[middle].frame < frame) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    while (from < log->entries.count && log->entries.items[from].frame == frame &&
           brume_log_entry_compares(&log->entries.items[from])) {
        from++;
    }
    return from;
}

uint64_t brume_edit_log_key(BrumeEditLog *log, int position)
{
    BrumeLogEntry *entries = log->entries.items;
    for (; log->keyed < position; log->keyed++) {
        const BrumeLogEntry *entry = &entries[log->keyed];
        const uint64_t before = log->keyed > 0 ? entries[log->keyed - 1].key : 0;
        entries[log->keyed].key =
            entry->undone ? before : brume_hash_bytes(&entry->serial, sizeof entry->serial, before);
    }
    return position > 0 ? entries[position - 1].key : 0;
}

bool brume_edit_log_leads_to(BrumeEditLog *log, int frame, int position, uint64_t key)
{
    return frame <= log->frames && position <= log->taken &&
           (position == log->taken || log->entries.items[position].frame >= frame) &&
           brume_edit_log_key(log, position) == key;
}

void brume_edit_log_reject(BrumeEditLog *log, int index)
{
    log->entries.items[index].rejected = true;
    update_after_change(log, log->entries.count);
}

bool brume_edit_log_ends_comparison(const BrumeEditLog *log, int frame)
{
    bool ends = false;
    for (int n = brume_edit_log_position(log, frame); n < log->entries.count; n++) {
        const BrumeLogEntry *entry = &log->entries.items[n];
        ends = ends || (entry->kind == BRUME_LOG_KEEP && brume_log_entry_has_effect(entry));
    }
    return ends;
}
