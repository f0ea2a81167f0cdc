#include "viewer/brush.h"
#include "core/vec3.h"

#include <string.h>

static const float merged_within = 0.02f;     // [radii]
static const float dab_length = 1.0f / 64.0f; // [radii]
static const float fastest_push = 40.0f;      // [radii/s]
static const double rest = 0.06;              // without an event [s]
static const double shortest = 1e-3;          // that a piece takes [s]: the events' clock ticks no finer

static float length_of(const BrumeStroke *piece) { return brume_length(brume_sub(piece->to, piece->from)); }

// two neighbors become one piece with their outer ends' directions
static void join(BrumeDab *first, const BrumeDab *second)
{
    BrumeStroke *const a = &first->stroke;
    const BrumeStroke *const b = &second->stroke;
    const float length_a = length_of(a);
    const float length_b = length_of(b);
    const float length = brume_length(brume_sub(b->to, a->from));
    const float share = (float)(first->drawn_for / (first->drawn_for + second->drawn_for));
    a->from_slope = brume_scale(a->from_slope, length / length_a);
    a->to_slope = brume_scale(b->to_slope, length / length_b);
    a->velocity = brume_add(brume_scale(a->velocity, share), brume_scale(b->velocity, 1.0f - share));
    a->to = b->to;
    first->drawn_for += second->drawn_for;
}

static bool are_neighbors(const BrumeStroke *a, const BrumeStroke *b)
{
    bool are = a->to.x == b->from.x && a->to.y == b->from.y && a->to.z == b->from.z && a->radius == b->radius &&
               a->push == b->push;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        are = are && a->smoke[kind] == b->smoke[kind];
    }
    return are;
}

// room for one piece more: joins the two neighbors that are shortest together, or gives up the oldest piece
static void make_room(BrumeTrail *trail)
{
    if (trail->count < BRUME_MAX_STROKES) {
        return;
    }
    int best = -1;
    float least = INFINITY;
    for (int n = 0; n + 1 < trail->count; n++) {
        const BrumeStroke *const a = &trail->dabs[n].stroke;
        const BrumeStroke *const b = &trail->dabs[n + 1].stroke;
        const float length = length_of(a) + length_of(b);
        if (are_neighbors(a, b) && length < least) {
            best = n;
            least = length;
        }
    }
    if (best >= 0) {
        join(&trail->dabs[best], &trail->dabs[best + 1]);
    }
    const int gone = best >= 0 ? best + 1 : 0;
    trail->count--;
    memmove(&trail->dabs[gone], &trail->dabs[gone + 1], (size_t)(trail->count - gone) * sizeof trail->dabs[0]);
}

static void add_piece(BrumeTrail *trail, BrumeVec3 to, BrumeVec3 from_slope, BrumeVec3 to_slope, double seconds)
{
    make_room(trail);
    const BrumeBrush *const brush = &trail->brush;
    BrumeDab *const dab = &trail->dabs[trail->count++];
    *dab = (BrumeDab){.drawn_for = fmax(seconds, shortest)};
    BrumeStroke *const piece = &dab->stroke;
    piece->from = trail->tail;
    piece->to = to;
    piece->from_slope = from_slope;
    piece->to_slope = to_slope;
    piece->radius = brush->radius;
    if (!trail->pushes) {
        piece->smoke[brush->kind] = brush->density;
        piece->temperature = brush->heat;
        return;
    }
    const BrumeVec3 velocity = brume_scale(brume_sub(to, trail->tail), (float)(1.0 / dab->drawn_for));
    const float limit = fastest_push * brush->radius;
    const float speed = brume_length(velocity);
    piece->push = brush->push;
    piece->velocity = speed > limit ? brume_scale(velocity, limit / speed) : velocity;
}

// a slope at one end of a chord that makes its arc symmetric with the slope at the other
static BrumeVec3 mirrored(BrumeVec3 slope, BrumeVec3 along)
{
    return brume_sub(brume_scale(along, 2.0f * brume_dot(slope, along)), slope);
}

// finishes the piece that is held back; `slope` at its head, NULL where no point follows
static void finish_piece(BrumeTrail *trail, const BrumeVec3 *slope)
{
    const BrumeVec3 chord = brume_sub(trail->head, trail->tail);
    const float length = brume_length(chord);
    const BrumeVec3 along = brume_scale(chord, 1.0f / length);
    const BrumeVec3 from = trail->has_slope ? trail->slope : slope ? mirrored(*slope, along) : along;
    const BrumeVec3 to = slope ? *slope : mirrored(from, along);
    add_piece(trail, trail->head, brume_scale(from, length), brume_scale(to, length),
              trail->head_time - trail->tail_time);
    trail->tail = trail->head;
    trail->tail_time = trail->head_time;
    trail->slope = to;
    trail->has_slope = true;
    trail->held = false;
}

// smoke where the pointer rests, since the tail's time
static void add_dab(BrumeTrail *trail, double now)
{
    const BrumeVec3 by = brume_vec3(0.0f, dab_length * trail->brush.radius, 0.0f);
    add_piece(trail, brume_add(trail->tail, by), by, by, now - trail->tail_time);
    trail->tail_time = now;
    trail->head_time = now;
}

void brume_trail_begin(BrumeTrail *trail, const BrumeBrush *brush, bool pushes, BrumeVec3 point, double time)
{
    trail->drawing = true;
    trail->pushes = pushes;
    trail->brush = *brush;
    trail->tail = point;
    trail->head = point;
    trail->tail_time = time;
    trail->head_time = time;
    trail->held = false;
    trail->has_slope = false;
}

void brume_trail_draw(BrumeTrail *trail, BrumeVec3 point, double time)
{
    const BrumeVec3 next = brume_sub(point, trail->head);
    const float next_length = brume_length(next);
    if (!trail->drawing || !(next_length > merged_within * trail->brush.radius)) {
        return;
    }
    if (trail->held) {
        // of the parabola through the three points, by lengths of chords
        const BrumeVec3 chord = brume_sub(trail->head, trail->tail);
        const float length = brume_length(chord);
        const float both = length + next_length;
        const BrumeVec3 slope = brume_add(brume_scale(chord, next_length / (length * both)),
                                          brume_scale(next, length / (next_length * both)));
        finish_piece(trail, &slope);
    }
    trail->head = point;
    trail->head_time = fmax(time, trail->tail_time);
    trail->held = true;
}

void brume_trail_end(BrumeTrail *trail, double time)
{
    if (!trail->drawing) {
        return;
    }
    if (trail->held) {
        finish_piece(trail, NULL);
    } else if (!trail->has_slope && !trail->pushes) {
        add_dab(trail, time);
    }
    trail->drawing = false;
}

int brume_trail_take(BrumeTrail *trail, double now, BrumeDab dabs[BRUME_MAX_STROKES])
{
    if (trail->drawing && now - trail->head_time > rest) {
        if (trail->held) {
            finish_piece(trail, NULL);
        }
        if (!trail->pushes) {
            add_dab(trail, now);
        }
    }
    const int count = trail->count;
    memcpy(dabs, trail->dabs, (size_t)count * sizeof dabs[0]);
    trail->count = 0;
    return count;
}
