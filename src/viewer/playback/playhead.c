#include "viewer/playback/playhead.h"

#include <math.h>

static int last_index(const BrumePlayhead *playhead) { return (playhead->last - playhead->first) / playhead->stride; }

static int index_of(const BrumePlayhead *playhead, int number) { return (number - playhead->first) / playhead->stride; }

static int number_at(const BrumePlayhead *playhead, int index) { return playhead->first + index * playhead->stride; }

// whether the position changes as time passes
static bool moves(const BrumePlayhead *playhead)
{
    return playhead->running && playhead->started && !playhead->held && playhead->rate > 0.0;
}

void brume_playhead_set_range(BrumePlayhead *playhead, int first, int last, int stride)
{
    const bool same = first == playhead->first && stride == playhead->stride;
    playhead->first = first;
    playhead->last = last;
    playhead->stride = stride;
    const int position = brume_playhead_nearest(playhead, playhead->position);
    if (!same || position != playhead->position || playhead->loop) { // the position in a loop depends on its length
        playhead->started = false;
    }
    playhead->position = position;
}

int brume_playhead_nearest(const BrumePlayhead *playhead, double number)
{
    const double index = round((number - playhead->first) / playhead->stride);
    return number_at(playhead, (int)fmin(fmax(index, 0.0), last_index(playhead)));
}

void brume_playhead_seek(BrumePlayhead *playhead, int number)
{
    playhead->position = brume_playhead_nearest(playhead, number);
    playhead->started = false;
}

// returns the index `steps` after `from`, limited to the ends or in a loop; `*outside`: it is beyond an end
static int index_after(const BrumePlayhead *playhead, int from, double steps, bool *outside)
{
    const double count = (double)last_index(playhead) + 1.0;
    const double index = from + steps;
    *outside = index < 0.0 || index >= count;
    if (playhead->loop) {
        return (int)(index - count * floor(index / count));
    }
    return (int)fmin(fmax(index, 0.0), count - 1.0);
}

void brume_playhead_step(BrumePlayhead *playhead, int count)
{
    bool outside;
    playhead->position =
        number_at(playhead, index_after(playhead, index_of(playhead, playhead->position), count, &outside));
    playhead->started = false;
}

void brume_playhead_set_running(BrumePlayhead *playhead, bool running)
{
    const int end = playhead->backwards ? playhead->first : number_at(playhead, last_index(playhead));
    if (running && !playhead->running && !playhead->loop && playhead->position == end) {
        playhead->position = playhead->backwards ? number_at(playhead, last_index(playhead)) : playhead->first;
    }
    playhead->started = playhead->started && playhead->running == running;
    playhead->running = running;
}

void brume_playhead_start(BrumePlayhead *playhead, double now)
{
    if (!playhead->started) {
        playhead->started = true;
        playhead->start = now;
        playhead->start_number = playhead->position;
    }
}

void brume_playhead_restart_clock(BrumePlayhead *playhead) { playhead->started = false; }

bool brume_playhead_advance(BrumePlayhead *playhead, double now)
{
    if (!moves(playhead)) {
        return false;
    }
    const double steps = floor((now - playhead->start) * playhead->rate);
    bool outside;
    const int index = index_after(playhead, index_of(playhead, playhead->start_number),
                                  playhead->backwards ? -steps : steps, &outside);
    playhead->position = number_at(playhead, index);
    const bool stops = outside && !playhead->loop;
    playhead->running = !stops;
    return stops;
}

double brume_playhead_next_change(const BrumePlayhead *playhead, double now)
{
    if (!moves(playhead)) {
        return INFINITY;
    }
    const double steps = floor((now - playhead->start) * playhead->rate);
    return playhead->start + (steps + 1.0) / playhead->rate;
}
