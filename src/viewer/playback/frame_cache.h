/**
 * @file frame_cache.h
 * The list of the frames of a sequence, some of which are in memory. A cache has no lock.
 *
 * Frames are read in the order in which playback shows them: the present frame, the frames ahead of it, then the frames
 * behind it. The first of them that fit into the budget are the window of the cache; other frames are dropped when
 * memory is needed, the least recently used first.
 */
#ifndef BRUME_VIEWER_PLAYBACK_FRAME_CACHE_H
#define BRUME_VIEWER_PLAYBACK_FRAME_CACHE_H

#include "viewer/playback/stored_frames.h"

typedef enum BrumeFrameState {
    BRUME_FRAME_UNREAD,
    BRUME_FRAME_IN_MEMORY,
    BRUME_FRAME_BROKEN, ///< reading it has failed
} BrumeFrameState;

/** A frame in memory, which is freed when its last user releases it. */
typedef struct BrumeCachedFrame {
    int users;
    size_t bytes;
    BrumeStoredFrame frame;
} BrumeCachedFrame;

typedef struct BrumeFrameEntry {
    int number;
    BrumeFrameState state;
    BrumeCachedFrame *cached; ///< BRUME_FRAME_IN_MEMORY: the cache is one of its users; otherwise NULL
    uint64_t used;            ///< BrumeFrameCache.uses when it was read or shown last
    uint64_t stamp;           ///< stamp of the frame when it was read, or when reading failed
    bool is_close;            ///< the source has it in memory (BrumeStoredFrames.is_close)
} BrumeFrameEntry;

/** The cache. Zeroed except for `budget`, it has no frames. */
typedef struct BrumeFrameCache {
    size_t budget; ///< [bytes]
    int count;
    BrumeFrameEntry *entries; ///< in ascending order of their numbers
    size_t bytes;             ///< size of all frames in memory
    size_t largest;           ///< size of the largest frame so far [bytes]
    int in_memory;            ///< number of entries with BRUME_FRAME_IN_MEMORY
    uint64_t uses;
} BrumeFrameCache;

/** The order in which frames are needed. */
typedef struct BrumeReadOrder {
    int present; ///< index of the entry to be shown
    bool backwards, loop;
    int lead; ///< reading starts this many entries ahead of the present one; nearer ones would be read too late
} BrumeReadOrder;

/** An existing frame. */
typedef struct BrumeListedFrame {
    int number;
    uint64_t stamp;
    bool is_close;
} BrumeListedFrame;

/**
 * Adds the new ones of these `count` frames, which are in ascending order. With `replaces` they replace the list, and
 * frames with a changed stamp are read again. BRUME_FAILED without memory; the cache is unchanged then.
 */
BrumeStatus brume_frame_cache_list(BrumeFrameCache *cache, const BrumeListedFrame *frames, int count, bool replaces,
                                   BrumeError *error);

/** Returns the greatest common divisor of the distances between frames; 1 where there are none. */
int brume_frame_cache_stride(const BrumeFrameCache *cache);

/** The index of the frame `number`; -1 if there is none. */
int brume_frame_cache_find(const BrumeFrameCache *cache, int number);

/**
 * Returns the index of the frame that is shown for `number`: the last readable frame up to it, otherwise the first
 * readable frame after it; -1: none.
 */
int brume_frame_cache_find_shown(const BrumeFrameCache *cache, int number);

/**
 * Returns the index of the last frame in memory, in the direction of playback, after the entry `shown` and up to the
 * present one; -1: none.
 */
int brume_frame_cache_find_passed(const BrumeFrameCache *cache, const BrumeReadOrder *order, int shown);

/** The index of the frame that is to be read next; -1 if no other frame fits into the budget. */
int brume_frame_cache_next(const BrumeFrameCache *cache, const BrumeReadOrder *order);

/** Drops frames until one more of the largest size fits into the budget, or none is left that may be dropped. */
void brume_frame_cache_make_room(BrumeFrameCache *cache, const BrumeReadOrder *order);

/** Moves a frame that was read into the cache. BRUME_FAILED without memory; the frame is freed then. */
BrumeStatus brume_frame_cache_insert(BrumeFrameCache *cache, int index, BrumeStoredFrame *frame, BrumeError *error);

/** Marks an entry as shown now, and returns its frame with one more user. */
BrumeCachedFrame *brume_frame_cache_acquire(BrumeFrameCache *cache, int index);

/** Ends a use of a frame; NULL is allowed. */
void brume_frame_cache_release(BrumeFrameCache *cache, BrumeCachedFrame *cached);

/** Frees all frames, also the ones in use. */
void brume_frame_cache_destroy(BrumeFrameCache *cache);

#endif
