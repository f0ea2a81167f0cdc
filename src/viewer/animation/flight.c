#include "viewer/animation/flight.h"

#include "core/memory.h"
#include "core/vec3.h"

#include <assert.h>
#include <math.h>

static const float degrees_per_radian = 57.29577951f;

BrumeFlightBound brume_flight_bound(float longest_side)
{
    return (BrumeFlightBound){.distance = longest_side / 500.0f, .angle = 0.25f, .height = 1.0f / 500.0f};
}

BrumeStatus brume_flight_add(BrumeFlight *flight, double time, const BrumeCamera *camera, BrumeError *error)
{
    if (flight->count > 0 && !(time > flight->samples[flight->count - 1].time)) {
        return BRUME_OK;
    }
    BrumeCameraKey *samples =
        brume_make_room(flight->samples, flight->count, &flight->capacity, sizeof flight->samples[0]);
    if (!samples) {
        return brume_out_of_memory(error, "the recorded flight");
    }
    flight->samples = samples;
    flight->samples[flight->count++] = (BrumeCameraKey){.time = time, .camera = *camera};
    return BRUME_OK;
}

void brume_flight_clear(BrumeFlight *flight)
{
    brume_free(flight->samples);
    *flight = (BrumeFlight){0};
}

// returns the difference of two cameras as a multiple of the bound
static double difference(const BrumeCamera *a, const BrumeCamera *b, const BrumeFlightBound *bound)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward_a;
    BrumeVec3 forward_b;
    brume_camera_axes(a, &right, &up, &forward_a);
    brume_camera_axes(b, &right, &up, &forward_b);
    const float chord = brume_length(brume_sub(forward_a, forward_b));
    const float angle = 2.0f * asinf(fminf(0.5f * chord, 1.0f)) * degrees_per_radian;
    float largest = brume_length(brume_sub(a->position, b->position)) / bound->distance;
    largest = fmaxf(largest, angle / bound->angle);
    if (a->projection == BRUME_PERSPECTIVE) {
        largest = fmaxf(largest, fabsf(a->field_of_view - b->field_of_view) / bound->angle);
    } else {
        largest = fmaxf(largest, fabsf(a->height - b->height) / (bound->height * a->height));
    }
    return (double)largest;
}

// the distance of the path from a recorded camera, as a multiple of the bound
static double error_at(const BrumeCameraKey *sample, const BrumeFlightBound *bound, const BrumeCameraPath *path)
{
    const BrumeCamera camera = brume_camera_at(path->keys, path->count, sample->time);
    return difference(&sample->camera, &camera, bound);
}

double brume_flight_error(const BrumeFlight *flight, const BrumeFlightBound *bound, const BrumeCameraPath *path)
{
    double largest = 0.0;
    for (int n = 0; n < flight->count && path->count > 0; n++) {
        largest = fmax(largest, error_at(&flight->samples[n], bound, path));
    }
    return largest;
}

static void remove_keys_between(BrumeCameraPath *path, double from, double to)
{
    for (int n = path->count - 1; n >= 0; n--) {
        const double time = path->keys[n].time;
        if (time > from - BRUME_KEY_DISTANCE && time < to + BRUME_KEY_DISTANCE) {
            brume_camera_path_remove(path, n);
        }
    }
}

// Divides the segments between keys that exceed the bound at their middle sample, because a spline through uneven times
// is less accurate. Returns the number of added keys.
static int divide(const BrumeFlight *flight, const BrumeFlightBound *bound, BrumeCameraPath *path)
{
    const BrumeCameraPath before = *path;
    int added = 0;
    int from = 0; // first sample of the segment
    for (int key = 0; key + 1 < before.count; key++) {
        int to = from;
        bool within = true;
        for (; to < flight->count && flight->samples[to].time < before.keys[key + 1].time; to++) {
            within = within && error_at(&flight->samples[to], bound, &before) <= 1.0;
        }
        if (!within) {
            const BrumeCameraKey *middle = &flight->samples[from + (to - from) / 2];
            added += brume_camera_path_at(path, middle->time) < 0 &&
                     brume_camera_path_set(path, middle->time, &middle->camera);
        }
        from = to;
    }
    return added;
}

// whether a path without one of its keys is within the bound at the samples around it
static bool can_do_without(const BrumeFlight *flight, const BrumeFlightBound *bound, const BrumeCameraPath *path,
                           int key)
{
    enum { NEIGHBORS = 3 }; // a key affects the spline up to the second key on each side, whose slope needs a third key
    BrumeCameraKey keys[2 * NEIGHBORS];
    int count = 0;
    for (int n = key - NEIGHBORS; n <= key + NEIGHBORS; n++) {
        if (n >= 0 && n < path->count && n != key) {
            keys[count++] = path->keys[n];
        }
    }
    const double from = path->keys[key > 2 ? key - 2 : 0].time;
    const double to = path->keys[key + 2 < path->count ? key + 2 : path->count - 1].time;
    bool within = true;
    for (int n = 0; n < flight->count && within; n++) {
        const BrumeCameraKey *sample = &flight->samples[n];
        if (sample->time > from && sample->time < to) {
            const BrumeCamera camera = brume_camera_at(keys, count, sample->time);
            within = difference(&sample->camera, &camera, bound) <= 1.0;
        }
    }
    return within;
}

// removes keys between the first and the last sample where the path stays within the bound without them
static void remove_needless(const BrumeFlight *flight, const BrumeFlightBound *bound, BrumeCameraPath *path)
{
    const double first = flight->samples[0].time + BRUME_KEY_DISTANCE;
    const double last = flight->samples[flight->count - 1].time - BRUME_KEY_DISTANCE;
    int before;
    do {
        before = path->count;
        for (int key = path->count - 2; key > 0; key--) {
            const double time = path->keys[key].time;
            if (time > first && time < last && can_do_without(flight, bound, path, key)) {
                brume_camera_path_remove(path, key--); // skips the next key in this pass
            }
        }
    } while (path->count < before);
}

double brume_flight_reduce(const BrumeFlight *flight, const BrumeFlightBound *bound, BrumeCameraPath *path)
{
    assert(flight->count > 0);
    const BrumeCameraKey *first = &flight->samples[0];
    const BrumeCameraKey *last = &flight->samples[flight->count - 1];
    remove_keys_between(path, first->time, last->time);
    (void)brume_camera_path_set(path, first->time, &first->camera);
    (void)brume_camera_path_set(path, last->time, &last->camera);
    while (path->count < BRUME_MAX_CAMERA_KEYS && divide(flight, bound, path) > 0) {
    }
    remove_needless(flight, bound, path);
    return brume_flight_error(flight, bound, path);
}
