#include "viewer/threads/stroke_queue.h"
#include "core/vec3.h"

#include <stdbool.h>
#include <string.h>

// a piece is taken to be drawn for at least this, so that none has an empty share of a frame [s]
static const double least_time = 1e-4;

static double time_of(const BrumeDab *dab) { return dab->drawn_for > least_time ? dab->drawn_for : least_time; }

static bool same_point(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// whether two pieces belong to one stroke of one brush
static bool can_join(const BrumeStroke *a, const BrumeStroke *b)
{
    return same_point(a->to, b->from) && a->radius == b->radius && a->temperature == b->temperature &&
           a->push == b->push && memcmp(a->smoke, b->smoke, sizeof a->smoke) == 0;
}

// slopes are per piece: those of the whole are as much longer as it takes longer
static BrumeDab join(const BrumeDab *a, const BrumeDab *b)
{
    const double whole = time_of(a) + time_of(b);
    const float share = (float)(time_of(a) / whole);
    BrumeDab joined = *b;
    joined.drawn_for = whole;
    joined.stroke.from = a->stroke.from;
    joined.stroke.from_slope = brume_scale(a->stroke.from_slope, 1.0f / share);
    joined.stroke.to_slope = brume_scale(b->stroke.to_slope, (float)(whole / time_of(b)));
    joined.stroke.velocity =
        brume_add(brume_scale(a->stroke.velocity, share), brume_scale(b->stroke.velocity, 1.0f - share));
    return joined;
}

static float span(const BrumeStroke *stroke) { return brume_length(brume_sub(stroke->to, stroke->from)); }

// joins the neighbors that are shortest together; false where no two can be joined
static bool join_shortest(BrumeStrokeQueue *dabs)
{
    int best = -1;
    float best_length = 0.0f;
    for (int n = 0; n + 1 < dabs->count; n++) {
        const BrumeStroke *a = &dabs->dabs[n].stroke;
        const BrumeStroke *b = &dabs->dabs[n + 1].stroke;
        const float length = span(a) + span(b);
        if (can_join(a, b) && (best < 0 || length < best_length)) {
            best = n;
            best_length = length;
        }
    }
    if (best < 0) {
        return false;
    }
    dabs->dabs[best] = join(&dabs->dabs[best], &dabs->dabs[best + 1]);
    dabs->count--;
    memmove(&dabs->dabs[best + 1], &dabs->dabs[best + 2], (size_t)(dabs->count - best - 1) * sizeof(BrumeDab));
    return true;
}

static void drop_first(BrumeStrokeQueue *dabs, int count)
{
    dabs->count -= count;
    memmove(dabs->dabs, dabs->dabs + count, (size_t)dabs->count * sizeof(BrumeDab));
}

void brume_stroke_queue_add(BrumeStrokeQueue *dabs, const BrumeDab *dab)
{
    if (dabs->count == BRUME_MAX_DABS && !join_shortest(dabs)) {
        drop_first(dabs, 1);
    }
    dabs->dabs[dabs->count++] = *dab;
}

int brume_stroke_queue_take(BrumeStrokeQueue *dabs, double start, double end, int room, BrumeStroke *strokes)
{
    while (dabs->count > room && join_shortest(dabs)) {
    }
    const int count = dabs->count < room ? dabs->count : room;
    double total = 0.0;
    for (int n = 0; n < count; n++) {
        total += time_of(&dabs->dabs[n]);
    }
    double before = 0.0;
    for (int n = 0; n < count; n++) {
        strokes[n] = dabs->dabs[n].stroke;
        strokes[n].start = start + (end - start) * (before / total);
        before += time_of(&dabs->dabs[n]);
        strokes[n].end = n + 1 < count ? start + (end - start) * (before / total) : end;
    }
    drop_first(dabs, count);
    return count;
}
