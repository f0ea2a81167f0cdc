/**
 * @file playhead.h
 * A position in a sequence of frames that moves with time. Positions are the numbers from the first to the last frame,
 * a stride apart; the frame of a position may be missing. Plain data, without a lock.
 */
#ifndef BRUME_VIEWER_PLAYBACK_PLAYHEAD_H
#define BRUME_VIEWER_PLAYBACK_PLAYHEAD_H

#include <stdbool.h>

typedef struct BrumePlayhead {
    int first, last, stride; ///< range of the positions; `stride` is at least 1
    int position;
    bool running, backwards, loop;
    bool held;        ///< the position is dragged: time does not move it
    double rate;      ///< positions per second
    bool started;     ///< the time since `start` moves the position; false until its frame can be shown
    double start;     ///< clock [s]
    int start_number; ///< position at that time
} BrumePlayhead;

/** Sets the range of the positions; the position is moved into it. */
void brume_playhead_set_range(BrumePlayhead *playhead, int first, int last, int stride);

/** The position that is nearest to a number. */
int brume_playhead_nearest(const BrumePlayhead *playhead, double number);

/** Goes to the position that is nearest to a number. */
void brume_playhead_seek(BrumePlayhead *playhead, int number);

/** Goes forward by `count` positions, or back where it is negative; with a loop from one end to the other. */
void brume_playhead_step(BrumePlayhead *playhead, int count);

/** Runs or pauses. Running from the end at which playback has stopped starts at the other end. */
void brume_playhead_set_running(BrumePlayhead *playhead, bool running);

/** Lets time move the position from the clock `now` [s] on, if it does not do so yet. */
void brume_playhead_start(BrumePlayhead *playhead, double now);

/** Stops the clock until the next brume_playhead_start; to be called after a change of rate or direction. */
void brume_playhead_restart_clock(BrumePlayhead *playhead);

/**
 * Moves the position according to the clock `now` [s]. Without a loop it stops at the end: `running` is false then, and
 * the function returns true.
 */
bool brume_playhead_advance(BrumePlayhead *playhead, double now);

/** The clock at which the position changes next [s]; INFINITY while time does not move it. */
double brume_playhead_next_change(const BrumePlayhead *playhead, double now);

#endif
