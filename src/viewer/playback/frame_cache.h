/**
 * @file frame_cache.h
 * The frames of a sequence, and those of them that are in memory. A cache has no lock.
 *
 * Frames are read in the order in which playing shows them: the present one, those ahead of it, then those behind it.
 * So many of them as fit into the budget are the window of the cache; all others are dropped when memory is needed, the
 * least recently used first.
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
    uint64_t stamp;           ///< of the frame when it was read, or could not be
    bool is_close;            ///< it is in memory where the frames come from
} BrumeFrameEntry;

/** All zero but `budget`, it has no frames. */
typedef struct BrumeFrameCache {
    size_t budget; ///< [bytes]
    int count;
    BrumeFrameEntry *entries; ///< in ascending order of their numbers
    size_t bytes;             ///< of all frames in memory
    size_t largest;           ///< frame so far [bytes]
    int in_memory;            ///< entries of that state
    uint64_t uses;
} BrumeFrameCache;

/** In which order frames are wanted. */
typedef struct BrumeReadOrder {
    int present; ///< index of the entry that is to be shown
    bool backwards, loop;
    int lead; ///< entries ahead of the present one that reading starts at, because those before would come too late
} BrumeReadOrder;

/** A frame that exists. */
typedef struct BrumeListedFrame {
    int number;
    uint64_t stamp;
    bool is_close;
} BrumeListedFrame;

/**
 * Adds those of these `count` frames, in ascending order, that it does not have. With `replaces` they become the only
 * ones, and those with another stamp than before are to be read again. BRUME_FAILED without memory; nothing has changed
 * then.
 */
BrumeStatus brume_frame_cache_list(BrumeFrameCache *cache, const BrumeListedFrame *frames, int count, bool replaces,
                                   BrumeError *error);

/** The largest distance of which the distances of all frames are multiples; 1 where there are none. */
int brume_frame_cache_stride(const BrumeFrameCache *cache);

/** The index of the frame `number`; -1 if there is none. */
int brume_frame_cache_find(const BrumeFrameCache *cache, int number);

/**
 * The index of the frame that is shown for `number`: of those that are not broken the nearest one up to it, otherwise
 * the first one behind it; -1 if there is none.
 */
int brume_frame_cache_find_shown(const BrumeFrameCache *cache, int number);

/**
 * The index of the latest frame in memory that lies, in the direction of playing, behind the frame of the entry `shown`
 * and not behind the present one; -1 if there is none.
 */
int brume_frame_cache_find_passed(const BrumeFrameCache *cache, const BrumeReadOrder *order, int shown);

/** The index of the frame that is to be read next; -1 if no other frame fits into the budget. */
int brume_frame_cache_next(const BrumeFrameCache *cache, const BrumeReadOrder *order);

/** Drops frames until one more of the largest size fits into the budget, or none is left that may be dropped. */
void brume_frame_cache_make_room(BrumeFrameCache *cache, const BrumeReadOrder *order);

/** Moves a frame that was read into the cache. BRUME_FAILED without memory; the frame is freed then. */
BrumeStatus brume_frame_cache_insert(BrumeFrameCache *cache, int index, BrumeStoredFrame *frame, BrumeError *error);

/** Notes that an entry is shown, and returns its frame with one more user. */
BrumeCachedFrame *brume_frame_cache_acquire(BrumeFrameCache *cache, int index);

/** Ends a use of a frame; NULL is allowed. */
void brume_frame_cache_release(BrumeFrameCache *cache, BrumeCachedFrame *cached);

/** Frees all frames; those in use too. */
void brume_frame_cache_destroy(BrumeFrameCache *cache);

#endif
