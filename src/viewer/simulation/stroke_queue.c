#include "viewer/simulation/stroke_queue.h"
#include "core/vec3.h"

#include <string.h>

// lower limit of draw times, so that no segment gets an empty share of a frame [s]
static const double min_draw_time = 1e-4;

static double draw_time_of(const BrumeStrokeSegment *segment)
{
    return segment->draw_time > min_draw_time ? segment->draw_time : min_draw_time;
}

static bool same_point(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool brume_stroke_segments_join(const BrumeStrokeSegment *first, const BrumeStrokeSegment *second)
{
    const BrumeStroke *a = &first->stroke;
    const BrumeStroke *b = &second->stroke;
    return first->edit == second->edit && same_point(a->to, b->from) && a->radius == b->radius &&
           a->temperature == b->temperature && a->erase == b->erase && a->push == b->push && a->suck == b->suck &&
           a->twist == b->twist && same_point(a->axis, b->axis) && memcmp(a->smoke, b->smoke, sizeof a->smoke) == 0;
}

// Joins two segments into one. Slopes are derivatives by the segment's own parameter (0 to 1), so they scale with the
// merged segment's draw time.
static BrumeStrokeSegment merge(const BrumeStrokeSegment *a, const BrumeStrokeSegment *b)
{
    const double whole = draw_time_of(a) + draw_time_of(b);
    const float share = (float)(draw_time_of(a) / whole);
    BrumeStrokeSegment merged = *b;
    merged.draw_time = whole;
    merged.stroke.from = a->stroke.from;
    merged.stroke.from_slope = brume_scale(a->stroke.from_slope, 1.0f / share);
    merged.stroke.to_slope = brume_scale(b->stroke.to_slope, (float)(whole / draw_time_of(b)));
    merged.stroke.velocity =
        brume_add(brume_scale(a->stroke.velocity, share), brume_scale(b->stroke.velocity, 1.0f - share));
    return merged;
}

static float chord_length(const BrumeStroke *stroke) { return brume_length(brume_sub(stroke->to, stroke->from)); }

// merges the two consecutive segments with the smallest total length; false if no two can be merged
static bool merge_shortest(BrumeStrokeQueue *queue)
{
    int best = -1;
    float best_length = 0.0f;
    for (int n = 0; n + 1 < queue->count; n++) {
        const BrumeStroke *a = &queue->segments[n].stroke;
        const BrumeStroke *b = &queue->segments[n + 1].stroke;
        const float length = chord_length(a) + chord_length(b);
        if (brume_stroke_segments_join(&queue->segments[n], &queue->segments[n + 1]) &&
            (best < 0 || length < best_length)) {
            best = n;
            best_length = length;
        }
    }
    if (best < 0) {
        return false;
    }
    queue->segments[best] = merge(&queue->segments[best], &queue->segments[best + 1]);
    queue->count--;
    memmove(&queue->segments[best + 1], &queue->segments[best + 2],
            (size_t)(queue->count - best - 1) * sizeof(BrumeStrokeSegment));
    return true;
}

static void drop_first(BrumeStrokeQueue *queue, int count)
{
    queue->count -= count;
    memmove(queue->segments, queue->segments + count, (size_t)queue->count * sizeof(BrumeStrokeSegment));
}

void brume_stroke_queue_add(BrumeStrokeQueue *queue, const BrumeStrokeSegment *segment)
{
    if (queue->count == BRUME_MAX_QUEUED_SEGMENTS && !merge_shortest(queue)) {
        drop_first(queue, 1);
    }
    queue->segments[queue->count++] = *segment;
}

int brume_stroke_queue_pop_frame(BrumeStrokeQueue *queue, double start, double end, int max_count, BrumeStroke *strokes)
{
    while (queue->count > max_count && merge_shortest(queue)) {
    }
    const int count = queue->count < max_count ? queue->count : max_count;
    double total = 0.0;
    for (int n = 0; n < count; n++) {
        total += draw_time_of(&queue->segments[n]);
    }
    double elapsed = 0.0;
    for (int n = 0; n < count; n++) {
        strokes[n] = queue->segments[n].stroke;
        strokes[n].start = start + (end - start) * (elapsed / total);
        elapsed += draw_time_of(&queue->segments[n]);
        strokes[n].end = n + 1 < count ? start + (end - start) * (elapsed / total) : end;
    }
    drop_first(queue, count);
    return count;
}
