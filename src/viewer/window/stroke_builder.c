#include "viewer/window/stroke_builder.h"
#include "core/vec3.h"

#include <string.h>

static const float min_point_distance = 0.02f;         // [radii]
static const float rest_segment_length = 1.0f / 64.0f; // [radii]
static const float max_push_speed = 40.0f;             // [radii/s]
static const double rest_after = 0.06;                 // the pointer rests without an event for this long [s]
static const double min_draw_time = 1e-3;              // of a segment [s]; the resolution of the events' clock

static float chord_length(const BrumeStroke *stroke) { return brume_length(brume_sub(stroke->to, stroke->from)); }

// merges two consecutive segments into the first; the directions at their outer ends do not change
static void merge(BrumeStrokeSegment *first, const BrumeStrokeSegment *second)
{
    BrumeStroke *const a = &first->stroke;
    const BrumeStroke *const b = &second->stroke;
    const float length_a = chord_length(a);
    const float length_b = chord_length(b);
    const float length = brume_length(brume_sub(b->to, a->from));
    const float share = (float)(first->draw_time / (first->draw_time + second->draw_time));
    a->from_slope = brume_scale(a->from_slope, length / length_a);
    a->to_slope = brume_scale(b->to_slope, length / length_b);
    a->velocity = brume_add(brume_scale(a->velocity, share), brume_scale(b->velocity, 1.0f - share));
    a->to = b->to;
    first->draw_time += second->draw_time;
}

static bool are_consecutive(const BrumeStroke *a, const BrumeStroke *b)
{
    bool same = a->to.x == b->from.x && a->to.y == b->from.y && a->to.z == b->from.z && a->radius == b->radius &&
                a->temperature == b->temperature && a->fuel == b->fuel && a->erase == b->erase && a->push == b->push &&
                a->suck == b->suck && a->twist == b->twist && a->axis.x == b->axis.x && a->axis.y == b->axis.y &&
                a->axis.z == b->axis.z;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        same = same && a->smoke[kind] == b->smoke[kind];
    }
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        same = same && a->particles[kind] == b->particles[kind];
    }
    return same;
}

// Makes space for one more segment: merges the two consecutive segments with the smallest total length, or discards the
// oldest segment if no two can be merged.
static void make_space(BrumeStrokeBuilder *builder)
{
    if (builder->count < BRUME_MAX_STROKES) {
        return;
    }
    int best = -1;
    float least = INFINITY;
    for (int n = 0; n + 1 < builder->count; n++) {
        const BrumeStroke *const a = &builder->segments[n].stroke;
        const BrumeStroke *const b = &builder->segments[n + 1].stroke;
        const float length = chord_length(a) + chord_length(b);
        const bool one_stroke = builder->segments[n].edit == builder->segments[n + 1].edit;
        if (one_stroke && are_consecutive(a, b) && length < least) {
            best = n;
            least = length;
        }
    }
    if (best >= 0) {
        merge(&builder->segments[best], &builder->segments[best + 1]);
    }
    const int removed = best >= 0 ? best + 1 : 0;
    builder->count--;
    memmove(&builder->segments[removed], &builder->segments[removed + 1],
            (size_t)(builder->count - removed) * sizeof builder->segments[0]);
}

// sets the effect of the brush along a segment, but not its shape
static void set_effect(const BrumeStrokeBuilder *builder, double seconds, BrumeStroke *stroke)
{
    const BrumeBrush *const brush = &builder->brush;
    switch (brush->mode) {
    case BRUME_BRUSH_HEAT:
        stroke->temperature = brush->temperature;
        break;
    case BRUME_BRUSH_FUEL:
        stroke->fuel = brush->fuel;
        stroke->temperature = brush->temperature;
        break;
    case BRUME_BRUSH_PARTICLES:
        stroke->particles[brush->particles] = brush->births;
        break;
    case BRUME_BRUSH_PUSH: {
        const BrumeVec3 velocity = brume_scale(brume_sub(stroke->to, stroke->from), (float)(1.0 / seconds));
        const float limit = max_push_speed * brush->radius;
        const float speed = brume_length(velocity);
        stroke->push = brush->push;
        stroke->velocity = speed > limit ? brume_scale(velocity, limit / speed) : velocity;
        break;
    }
    case BRUME_BRUSH_SUCK:
        stroke->push = brush->push;
        stroke->suck = brush->suck;
        stroke->axis = builder->axis;
        break;
    case BRUME_BRUSH_TWIST:
        stroke->push = brush->push;
        stroke->twist = brush->twist;
        stroke->axis = builder->axis;
        break;
    case BRUME_BRUSH_ERASE:
        stroke->erase = brush->erase;
        break;
    default:
        stroke->smoke[brush->kind] = brush->density;
        stroke->temperature = brush->heat;
        break;
    }
}

static void add_segment(BrumeStrokeBuilder *builder, BrumeVec3 to, BrumeVec3 from_slope, BrumeVec3 to_slope,
                        double seconds)
{
    make_space(builder);
    BrumeStrokeSegment *const segment = &builder->segments[builder->count++];
    *segment = (BrumeStrokeSegment){.draw_time = fmax(seconds, min_draw_time), .edit = builder->edit};
    BrumeStroke *const stroke = &segment->stroke;
    stroke->from = builder->start;
    stroke->to = to;
    stroke->from_slope = from_slope;
    stroke->to_slope = to_slope;
    stroke->radius = builder->brush.radius;
    set_effect(builder, segment->draw_time, stroke);
}

// returns the slope at one end of a chord that makes the segment symmetric to the slope at the other end
static BrumeVec3 reflected(BrumeVec3 slope, BrumeVec3 direction)
{
    return brume_sub(brume_scale(direction, 2.0f * brume_dot(slope, direction)), slope);
}

// completes the open segment; `slope` is the slope at its end, NULL if no point follows
static void complete_segment(BrumeStrokeBuilder *builder, const BrumeVec3 *slope)
{
    const BrumeVec3 chord = brume_sub(builder->end, builder->start);
    const float length = brume_length(chord);
    const BrumeVec3 direction = brume_scale(chord, 1.0f / length);
    const BrumeVec3 from = builder->has_slope ? builder->slope : slope ? reflected(*slope, direction) : direction;
    const BrumeVec3 to = slope ? *slope : reflected(from, direction);
    add_segment(builder, builder->end, brume_scale(from, length), brume_scale(to, length),
                builder->end_time - builder->start_time);
    builder->start = builder->end;
    builder->start_time = builder->end_time;
    builder->slope = to;
    builder->has_slope = true;
    builder->has_open_segment = false;
}

// adds a short segment where the pointer rests, for the time since `start_time`
static void add_rest_segment(BrumeStrokeBuilder *builder, double now)
{
    const BrumeVec3 offset = brume_vec3(0.0f, rest_segment_length * builder->brush.radius, 0.0f);
    add_segment(builder, brume_add(builder->start, offset), offset, offset, now - builder->start_time);
    builder->start_time = now;
    builder->end_time = now;
}

void brume_stroke_builder_begin(BrumeStrokeBuilder *builder, int edit, const BrumeBrush *brush, BrumeVec3 axis,
                                BrumeVec3 point, double time)
{
    builder->edit = edit;
    builder->drawing = true;
    builder->brush = *brush;
    builder->axis = axis;
    builder->start = point;
    builder->end = point;
    builder->start_time = time;
    builder->end_time = time;
    builder->has_open_segment = false;
    builder->has_slope = false;
}

void brume_stroke_builder_add_point(BrumeStrokeBuilder *builder, BrumeVec3 point, double time)
{
    const BrumeVec3 next = brume_sub(point, builder->end);
    const float next_length = brume_length(next);
    if (!builder->drawing || !(next_length > min_point_distance * builder->brush.radius)) {
        return;
    }
    if (builder->has_open_segment) {
        // the derivative of the parabola through the three points, parametrized by chord length
        const BrumeVec3 chord = brume_sub(builder->end, builder->start);
        const float length = brume_length(chord);
        const float total = length + next_length;
        const BrumeVec3 slope = brume_add(brume_scale(chord, next_length / (length * total)),
                                          brume_scale(next, length / (next_length * total)));
        complete_segment(builder, &slope);
    }
    builder->end = point;
    builder->end_time = fmax(time, builder->start_time);
    builder->has_open_segment = true;
}

void brume_stroke_builder_end(BrumeStrokeBuilder *builder, double time)
{
    if (!builder->drawing) {
        return;
    }
    if (builder->has_open_segment) {
        complete_segment(builder, NULL);
    } else if (!builder->has_slope && builder->brush.mode != BRUME_BRUSH_PUSH) {
        add_rest_segment(builder, time);
    }
    builder->drawing = false;
}

void brume_stroke_builder_restart(BrumeStrokeBuilder *builder, double now)
{
    builder->count = 0;
    builder->start = builder->end;
    builder->start_time = builder->end_time = now;
    builder->has_open_segment = builder->has_slope = false;
}

int brume_stroke_builder_drain(BrumeStrokeBuilder *builder, double now, BrumeStrokeSegment segments[BRUME_MAX_STROKES])
{
    if (builder->drawing && now - builder->end_time > rest_after) {
        if (builder->has_open_segment) {
            complete_segment(builder, NULL);
        }
        if (builder->brush.mode != BRUME_BRUSH_PUSH) {
            add_rest_segment(builder, now);
        }
    }
    const int count = builder->count;
    memcpy(segments, builder->segments, (size_t)count * sizeof segments[0]);
    builder->count = 0;
    return count;
}
