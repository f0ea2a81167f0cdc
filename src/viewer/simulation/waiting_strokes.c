#include "viewer/simulation/waiting_strokes.h"

#include "core/memory.h"

#include <string.h>

static bool reserve(BrumeWaitingStrokes *waiting)
{
    if (waiting->count < waiting->capacity) {
        return true;
    }
    const int capacity = waiting->capacity > 0 ? 2 * waiting->capacity : 256;
    const size_t size = sizeof *waiting->segments;
    BrumeStrokeSegment *segments =
        brume_realloc(waiting->segments, (size_t)waiting->capacity * size, (size_t)capacity * size);
    if (segments) {
        waiting->segments = segments;
        waiting->capacity = capacity;
    }
    return segments;
}

void brume_waiting_strokes_add(BrumeWaitingStrokes *waiting, BrumeStrokeQueue *queue, const BrumeStrokeSegment *segment)
{
    const bool waits = waiting->count > 0 || !brume_stroke_queue_has_room(queue);
    if (waits && reserve(waiting)) {
        waiting->segments[waiting->count++] = *segment;
    } else {
        brume_stroke_queue_add(queue, segment);
    }
}

void brume_waiting_strokes_refill(BrumeWaitingStrokes *waiting, BrumeStrokeQueue *queue)
{
    int moved = 0;
    while (moved < waiting->count && queue->count < BRUME_MAX_QUEUED_SEGMENTS) {
        brume_stroke_queue_add(queue, &waiting->segments[moved++]);
    }
    waiting->count -= moved;
    if (waiting->count == 0) {
        brume_waiting_strokes_clear(waiting);
    } else if (moved > 0) {
        memmove(waiting->segments, waiting->segments + moved, (size_t)waiting->count * sizeof *waiting->segments);
    }
}

void brume_waiting_strokes_set_undone(BrumeWaitingStrokes *waiting, int edit, bool undone)
{
    for (int n = 0; n < waiting->count; n++) {
        BrumeStrokeSegment *segment = &waiting->segments[n];
        segment->undone = segment->edit == edit ? undone : segment->undone;
    }
}

void brume_waiting_strokes_clear(BrumeWaitingStrokes *waiting)
{
    brume_free(waiting->segments);
    *waiting = (BrumeWaitingStrokes){0};
}
