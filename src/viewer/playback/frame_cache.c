#include "viewer/playback/frame_cache.h"

#include "core/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// Frames that need memory besides the window: three in the triple buffer, and the one that is being read.
enum { FRAMES_IN_USE = 4 };

// returns the index of the first entry whose number is at least `number`
static int lower_bound(const BrumeFrameCache *cache, int number)
{
    int from = 0;
    int to = cache->count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (cache->entries[middle].number < number) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

int brume_frame_cache_find(const BrumeFrameCache *cache, int number)
{
    const int index = lower_bound(cache, number);
    return index < cache->count && cache->entries[index].number == number ? index : -1;
}

int brume_frame_cache_find_shown(const BrumeFrameCache *cache, int number)
{
    const int behind = number < INT_MAX ? lower_bound(cache, number + 1) : cache->count;
    for (int index = behind - 1; index >= 0; index--) {
        if (cache->entries[index].state != BRUME_FRAME_BROKEN) {
            return index;
        }
    }
    for (int index = behind; index < cache->count; index++) {
        if (cache->entries[index].state != BRUME_FRAME_BROKEN) {
            return index;
        }
    }
    return -1;
}

int brume_frame_cache_stride(const BrumeFrameCache *cache)
{
    int stride = 0;
    for (int n = 1; n < cache->count; n++) { // Euclid's algorithm
        int rest = cache->entries[n].number - cache->entries[n - 1].number;
        while (rest > 0) {
            const int next = stride % rest;
            stride = rest;
            rest = next;
        }
    }
    return stride > 0 ? stride : 1;
}

// frees the frame of an entry
static void drop(BrumeFrameCache *cache, BrumeFrameEntry *entry)
{
    cache->in_memory -= entry->cached != NULL;
    brume_frame_cache_release(cache, entry->cached);
    entry->cached = NULL;
    entry->state = BRUME_FRAME_UNREAD;
}

BrumeStatus brume_frame_cache_list(BrumeFrameCache *cache, const BrumeListedFrame *frames, int count, bool replaces,
                                   BrumeError *error)
{
    const size_t capacity = (size_t)count + (replaces ? 0 : (size_t)cache->count) + 1;
    BrumeFrameEntry *entries = brume_alloc(capacity, sizeof *entries);
    if (!entries) {
        return brume_out_of_memory(error, "the list of %d frames", count);
    }
    int merged = 0;
    int old = 0;
    for (int n = 0; n <= count; n++) { // merges both lists
        for (; old < cache->count && (n == count || cache->entries[old].number < frames[n].number); old++) {
            if (replaces) {
                drop(cache, &cache->entries[old]);
            } else {
                entries[merged++] = cache->entries[old];
            }
        }
        if (n == count) {
            break;
        }
        entries[merged].number = frames[n].number;
        if (old < cache->count && cache->entries[old].number == frames[n].number) {
            BrumeFrameEntry *before = &cache->entries[old++];
            if (!replaces || (before->state != BRUME_FRAME_UNREAD && before->stamp == frames[n].stamp)) {
                entries[merged] = *before;
            } else {
                drop(cache, before);
            }
        }
        entries[merged++].is_close = frames[n].is_close;
    }
    brume_free(cache->entries);
    cache->entries = entries;
    cache->count = merged;
    return BRUME_OK;
}

/*
 * The rank of an entry is its index in the order of reading: 0 for the present entry, then the entries ahead of it.
 * With a loop these are all others; otherwise the entries behind the present one follow, the nearest first.
 */

// number of entries that playback will reach from the present one
static int entries_ahead(const BrumeFrameCache *cache, const BrumeReadOrder *order)
{
    return order->loop ? cache->count - 1 : order->backwards ? order->present : cache->count - 1 - order->present;
}

// the place of an entry in the order of reading: 0 for the present one, then the entries ahead, then the ones behind
static int rank_of(const BrumeFrameCache *cache, const BrumeReadOrder *order, int index)
{
    const int distance = order->backwards ? order->present - index : index - order->present;
    if (distance >= 0) {
        return distance;
    }
    return order->loop ? distance + cache->count : entries_ahead(cache, order) - distance;
}

// the inverse of rank_of
static int index_at(const BrumeFrameCache *cache, const BrumeReadOrder *order, int rank)
{
    const int direction = order->backwards ? -1 : 1;
    const int ahead = entries_ahead(cache, order);
    if (rank > ahead) {
        return order->present - direction * (rank - ahead);
    }
    const int index = order->present + direction * rank;
    return index < 0 ? index + cache->count : index >= cache->count ? index - cache->count : index;
}

// returns the largest rank of an entry in the window
static int last_rank(const BrumeFrameCache *cache)
{
    if (cache->largest == 0) {
        return 0; // the size of a frame is not known yet
    }
    const size_t frames = cache->budget / cache->largest;
    if (frames >= (size_t)cache->count + FRAMES_IN_USE) {
        return cache->count - 1;
    }
    const int limit = (int)frames - FRAMES_IN_USE;
    return limit < 1 ? (cache->count > 1 ? 1 : 0) : limit < cache->count ? limit : cache->count - 1;
}

int brume_frame_cache_find_passed(const BrumeFrameCache *cache, const BrumeReadOrder *order, int shown)
{
    const BrumeReadOrder back = {.present = order->present, .backwards = !order->backwards, .loop = order->loop};
    const int end = shown >= 0 ? rank_of(cache, &back, shown) : cache->count;
    for (int rank = 0; rank < end && rank <= entries_ahead(cache, &back); rank++) {
        const int index = index_at(cache, &back, rank);
        if (cache->entries[index].state == BRUME_FRAME_IN_MEMORY) {
            return index;
        }
    }
    return -1;
}

int brume_frame_cache_next(const BrumeFrameCache *cache, const BrumeReadOrder *order)
{
    if (order->present < 0) {
        return -1;
    }
    const int last = last_rank(cache);
    const int lead = order->lead < last ? order->lead : last;
    for (int n = 0; n <= last; n++) {
        const int rank = n + lead <= last ? n + lead : n + lead - last - 1;
        const int index = index_at(cache, order, rank);
        if (cache->entries[index].state == BRUME_FRAME_UNREAD) {
            return index;
        }
    }
    return -1;
}

void brume_frame_cache_make_room(BrumeFrameCache *cache, const BrumeReadOrder *order)
{
    const int last = last_rank(cache);
    while (cache->bytes + cache->largest > cache->budget) {
        BrumeFrameEntry *oldest = NULL;
        for (int index = 0; index < cache->count; index++) {
            BrumeFrameEntry *entry = &cache->entries[index];
            if (entry->cached && entry->cached->users == 1 && rank_of(cache, order, index) > last &&
                (!oldest || entry->used < oldest->used)) {
                oldest = entry;
            }
        }
        if (!oldest) {
            return;
        }
        drop(cache, oldest);
    }
}

static void free_fields(BrumeStoredFrame *frame)
{
    brume_snapshot_free_fields(&frame->state);
    brume_snapshot_free_fields(&frame->second);
}

BrumeStatus brume_frame_cache_insert(BrumeFrameCache *cache, int index, BrumeStoredFrame *frame, BrumeError *error)
{
    BrumeFrameEntry *entry = &cache->entries[index];
    assert(!entry->cached);
    BrumeCachedFrame *cached = brume_alloc(1, sizeof *cached);
    if (!cached) {
        free_fields(frame);
        return brume_out_of_memory(error, "frame %d", entry->number);
    }
    *cached = (BrumeCachedFrame){.users = 1, .bytes = sizeof *cached, .frame = *frame};
    *frame = (BrumeStoredFrame){0};
    cached->bytes += brume_snapshot_bytes(&cached->frame.state) + brume_snapshot_bytes(&cached->frame.second);
    cache->bytes += cached->bytes;
    cache->largest = cached->bytes > cache->largest ? cached->bytes : cache->largest;
    cache->in_memory++;
    entry->cached = cached;
    entry->state = BRUME_FRAME_IN_MEMORY;
    entry->used = ++cache->uses;
    return BRUME_OK;
}

BrumeCachedFrame *brume_frame_cache_acquire(BrumeFrameCache *cache, int index)
{
    BrumeFrameEntry *entry = &cache->entries[index];
    entry->used = ++cache->uses;
    entry->cached->users++;
    return entry->cached;
}

void brume_frame_cache_release(BrumeFrameCache *cache, BrumeCachedFrame *cached)
{
    if (cached && --cached->users == 0) {
        cache->bytes -= cached->bytes;
        free_fields(&cached->frame);
        brume_free(cached);
    }
}

void brume_frame_cache_destroy(BrumeFrameCache *cache)
{
    for (int index = 0; index < cache->count; index++) {
        BrumeFrameEntry *entry = &cache->entries[index];
        if (entry->cached) {
            entry->cached->users = 1;
            brume_frame_cache_release(cache, entry->cached);
        }
    }
    brume_free(cache->entries);
    *cache = (BrumeFrameCache){0};
}
