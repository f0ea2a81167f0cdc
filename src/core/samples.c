// The values of a frame are read when they are needed; those of the last two that were read stay in memory.
#include "core/samples.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/minmax.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { MAX_SIDE = 1 << 17 }; // the product of three sides and the bytes of a value fits into a size_t

/** The samples of a frame. */
typedef struct FrameSlot {
    int index; ///< in the frames; 0, which is not read, stands for none
    BrumeSamples *samples[3];
} FrameSlot;

/** The frames of one or three samples, which share them. */
typedef struct BrumeSampleFrames {
    int references;            ///< changed atomically
    BrumeSamplesFramesDef def; ///< with a copy of its list
    int *numbers;              ///< the copy
    pthread_mutex_t guard;     ///< of the slots
    FrameSlot slots[2];
} BrumeSampleFrames;

static size_t value_count(const int n[3]) { return (size_t)n[0] * (size_t)n[1] * (size_t)n[2]; }

static BrumeStatus check_def(const BrumeSamplesDef *def, BrumeError *error)
{
    const int n[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++) {
        if (n[axis] < 1 || n[axis] > MAX_SIDE) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "samples have %d x %d x %d values; 1 to %d are allowed along an axis", def->nx, def->ny,
                              def->nz, MAX_SIDE);
        }
        if (!isfinite(def->first[axis])) {
            return brume_fail(error, BRUME_BAD_INPUT, "the position of samples is not finite");
        }
    }
    if (!(def->spacing > 0.0) || !isfinite(def->spacing)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the spacing of samples is %g m, but must be above 0", def->spacing);
    }
    const size_t memory = brume_physical_memory();
    if (memory > 0 && value_count(n) > memory / sizeof(float)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d x %d x %d values do not fit into the memory of this machine",
                          def->nx, def->ny, def->nz);
    }
    for (int k = 0; k < def->nz; k++) {
        for (int j = 0; j < def->ny; j++) {
            for (int i = 0; i < def->nx; i++) {
                const size_t at = (size_t)i + (size_t)def->nx * ((size_t)j + (size_t)def->ny * (size_t)k);
                if (!isfinite(def->values[at])) {
                    return brume_fail(error, BRUME_BAD_INPUT, "the value at (%d, %d, %d) is not finite", i, j, k);
                }
            }
        }
    }
    return BRUME_OK;
}

// the largest difference of two neighbors along any axis
static float largest_difference(const BrumeSamples *samples)
{
    const size_t stride[3] = {1, (size_t)samples->n[0], (size_t)samples->n[0] * (size_t)samples->n[1]};
    float largest = 0.0f;
    for (int k = 0; k < samples->n[2]; k++) {
        for (int j = 0; j < samples->n[1]; j++) {
            for (int i = 0; i < samples->n[0]; i++) {
                const int index[3] = {i, j, k};
                const float *at = samples->values + (size_t)i + stride[1] * (size_t)j + stride[2] * (size_t)k;
                for (int axis = 0; axis < 3; axis++) {
                    if (index[axis] + 1 < samples->n[axis]) {
                        largest = brume_fmaxf(largest, fabsf(at[stride[axis]] - at[0]));
                    }
                }
            }
        }
    }
    return largest;
}

static uint64_t hash_values(const BrumeSamples *samples)
{
    uint64_t hash = brume_hash_bytes(samples->n, sizeof samples->n, 0);
    hash = brume_hash_bytes(samples->first, sizeof samples->first, hash);
    hash = brume_hash_bytes(&samples->spacing, sizeof samples->spacing, hash);
    return brume_hash_bytes(samples->values, value_count(samples->n) * sizeof(float), hash);
}

static void empty_slot(FrameSlot *slot)
{
    for (int n = 0; n < 3; n++) {
        brume_samples_release(slot->samples[n]);
    }
    *slot = (FrameSlot){0};
}

static void release_frames(BrumeSampleFrames *frames)
{
    if (!frames || __atomic_sub_fetch(&frames->references, 1, __ATOMIC_ACQ_REL) > 0) {
        return;
    }
    for (int n = 0; n < 2; n++) {
        empty_slot(&frames->slots[n]);
    }
    (void)pthread_mutex_destroy(&frames->guard);
    if (frames->def.destroy) {
        frames->def.destroy(frames->def.context);
    }
    brume_free(frames->numbers);
    brume_free(frames);
}

static void destroy(BrumeSamples *samples)
{
    release_frames(samples->frames);
    brume_free(samples->values);
    brume_free(samples->file);
    brume_free(samples->grid);
    brume_free(samples);
}

BrumeSamples *brume_samples_create_unread(const char *file, const char *grid, uint64_t hash)
{
    BrumeSamples *samples = brume_alloc(1, sizeof *samples);
    if (!samples) {
        return NULL;
    }
    samples->references = 1;
    samples->hash = hash;
    samples->file = file ? brume_copy_text(file) : NULL;
    samples->grid = grid ? brume_copy_text(grid) : NULL;
    if ((file && !samples->file) || (grid && !samples->grid)) {
        destroy(samples);
        return NULL;
    }
    return samples;
}

BrumeStatus brume_samples_create(BrumeSamples **samples, const BrumeSamplesDef *def, BrumeError *error)
{
    *samples = NULL;
    const BrumeStatus status = check_def(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeSamples *created = brume_samples_create_unread(def->file, def->grid, 0);
    const int n[3] = {def->nx, def->ny, def->nz};
    float *values = created ? brume_alloc_untouched(value_count(n), sizeof *values) : NULL;
    if (!values) {
        brume_samples_release(created);
        return brume_out_of_memory(error, "%d x %d x %d samples", def->nx, def->ny, def->nz);
    }
    memcpy(values, def->values, value_count(n) * sizeof *values);
    memcpy(created->n, n, sizeof created->n);
    memcpy(created->first, def->first, sizeof created->first);
    created->spacing = def->spacing;
    created->values = values;
    created->steepness = largest_difference(created) / (float)def->spacing;
    created->hash = hash_values(created);
    *samples = created;
    return BRUME_OK;
}

void brume_samples_retain(const BrumeSamples *samples)
{
    if (samples) {
        __atomic_add_fetch(&((BrumeSamples *)samples)->references, 1, __ATOMIC_RELAXED);
    }
}

void brume_samples_release(const BrumeSamples *samples)
{
    if (samples && __atomic_sub_fetch(&((BrumeSamples *)samples)->references, 1, __ATOMIC_ACQ_REL) == 0) {
        destroy((BrumeSamples *)samples);
    }
}

size_t brume_samples_bytes(const BrumeSamples *samples)
{
    return samples->values ? value_count(samples->n) * sizeof(float) : 0;
}

bool brume_samples_have_values(const BrumeSamples *samples) { return samples && samples->values; }

void brume_samples_bounds(const BrumeSamples *const *samples, int count, double lower[3], double upper[3])
{
    for (int axis = 0; axis < 3; axis++) {
        lower[axis] = -INFINITY;
        upper[axis] = INFINITY;
        for (int n = 0; n < count; n++) {
            const double first = samples[n]->first[axis];
            lower[axis] = brume_fmax(lower[axis], first - 0.5 * samples[n]->spacing);
            upper[axis] = brume_fmin(upper[axis], first + (samples[n]->n[axis] - 0.5) * samples[n]->spacing);
        }
    }
}

uint64_t brume_samples_hash(const BrumeSamples *const *samples, int count)
{
    uint64_t hash = samples[0]->hash;
    for (int n = 1; n < count && samples[n]; n++) {
        hash = brume_hash_bytes(&samples[n]->hash, sizeof samples[n]->hash, hash);
    }
    return hash;
}

bool brume_samples_at(const BrumeSamples *samples, const double at[3], double *value)
{
    const double tolerance = 1e-6; // of the sides of the box [spacings]
    int lower[3];
    int upper[3];
    double share[3]; // of the upper value
    *value = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double x = (at[axis] - samples->first[axis]) / samples->spacing;
        const int last = samples->n[axis] - 1;
        if (!(x >= -0.5 - tolerance && x <= last + 0.5 + tolerance)) {
            return false;
        }
        const double inside = x < 0.0 ? 0.0 : x > last ? last : x;
        lower[axis] = (int)inside;
        upper[axis] = lower[axis] < last ? lower[axis] + 1 : last;
        share[axis] = inside - lower[axis];
    }
    const size_t row = (size_t)samples->n[0];
    const size_t plane = row * (size_t)samples->n[1];
    double along_z[2];
    for (int k = 0; k < 2; k++) {
        double along_y[2];
        for (int j = 0; j < 2; j++) {
            const float *values =
                samples->values + row * (size_t)(j ? upper[1] : lower[1]) + plane * (size_t)(k ? upper[2] : lower[2]);
            along_y[j] = (1.0 - share[0]) * (double)values[lower[0]] + share[0] * (double)values[upper[0]];
        }
        along_z[k] = (1.0 - share[1]) * along_y[0] + share[1] * along_y[1];
    }
    *value = (1.0 - share[2]) * along_z[0] + share[2] * along_z[1];
    return true;
}

bool brume_samples_vary(const BrumeSamples *samples) { return samples && samples->vary; }

bool brume_samples_have_frames(const BrumeSamples *samples) { return samples && samples->frames; }

int brume_samples_frame_range(const BrumeSamples *samples, int *first, int *last)
{
    if (!brume_samples_have_frames(samples)) {
        return 0;
    }
    const BrumeSampleFrames *frames = samples->frames;
    *first = frames->numbers[0];
    *last = frames->numbers[frames->def.count - 1];
    return frames->def.count;
}

BrumeStatus brume_samples_set_frames(BrumeSamples *const samples[3], int count, const BrumeSamplesFramesDef *def,
                                     BrumeError *error)
{
    BrumeSampleFrames *frames = brume_alloc(1, sizeof *frames);
    int *numbers = brume_alloc_untouched((size_t)def->count, sizeof *numbers);
    if (!frames || !numbers) {
        brume_free(numbers);
        brume_free(frames);
        return brume_out_of_memory(error, "samples at %d frames", def->count);
    }
    memcpy(numbers, def->frames, (size_t)def->count * sizeof *numbers);
    *frames = (BrumeSampleFrames){.references = count, .def = *def, .numbers = numbers};
    frames->def.frames = numbers;
    (void)pthread_mutex_init(&frames->guard, NULL);
    for (int n = 0; n < count; n++) {
        samples[n]->vary = true;
        samples[n]->component = n;
        samples[n]->frames = frames;
    }
    return BRUME_OK;
}

// The samples of a component at a frame other than the first, which are read into the slot other than that of `kept`
// where none has them. They stay until another frame is read.
static BrumeStatus get_frame(BrumeSampleFrames *frames, int index, int component, const BrumeSamples *kept,
                             const BrumeSamples **found, BrumeError *error)
{
    FrameSlot *slot = &frames->slots[kept && kept == frames->slots[0].samples[component] ? 1 : 0];
    for (int n = 0; n < 2; n++) {
        if (frames->slots[n].index == index) {
            *found = frames->slots[n].samples[component];
            return BRUME_OK;
        }
    }
    empty_slot(slot);
    const BrumeStatus status = frames->def.read(frames->def.context, index, slot->samples, error);
    if (status == BRUME_OK) {
        slot->index = index;
        *found = slot->samples[component];
    }
    return status;
}

static bool same_grid(const BrumeSamples *a, const BrumeSamples *b)
{
    return memcmp(a->n, b->n, sizeof a->n) == 0 && memcmp(a->first, b->first, sizeof a->first) == 0 &&
           a->spacing == b->spacing;
}

// linear between two samples of the same grid
static BrumeStatus interpolate(BrumeSamples **samples, const BrumeSamples *from, const BrumeSamples *to, double share,
                               BrumeError *error)
{
    const size_t count = value_count(from->n);
    float *values = brume_alloc_untouched(count, sizeof *values);
    if (!values) {
        return brume_out_of_memory(error, "%zu samples between two frames", count);
    }
    for (size_t n = 0; n < count; n++) {
        values[n] = (float)((double)from->values[n] + share * ((double)to->values[n] - (double)from->values[n]));
    }
    BrumeSamplesDef def = {.nx = from->n[0],
                           .ny = from->n[1],
                           .nz = from->n[2],
                           .spacing = from->spacing,
                           .values = values,
                           .file = from->file,
                           .grid = from->grid};
    memcpy(def.first, from->first, sizeof def.first);
    const BrumeStatus status = brume_samples_create(samples, &def, error);
    brume_free(values);
    return status;
}

// with the guard locked
static BrumeStatus find_at(const BrumeSamples **found, const BrumeSamples *samples, double frame, BrumeError *error)
{
    BrumeSampleFrames *frames = samples->frames;
    const int *numbers = frames->numbers;
    int lower = 0;
    while (lower + 1 < frames->def.count && (double)numbers[lower + 1] <= frame) {
        lower++;
    }
    const bool is_between = lower + 1 < frames->def.count && (double)numbers[lower] < frame;
    const BrumeSamples *from = samples;
    const BrumeSamples *to = NULL;
    BrumeStatus status = lower > 0 ? get_frame(frames, lower, samples->component, NULL, &from, error) : BRUME_OK;
    if (status == BRUME_OK && is_between) {
        status = get_frame(frames, lower + 1, samples->component, from, &to, error);
    }
    if (status == BRUME_OK && from && to && same_grid(from, to)) {
        const double length = (double)numbers[lower + 1] - (double)numbers[lower];
        BrumeSamples *created = NULL;
        status = interpolate(&created, from, to, (frame - (double)numbers[lower]) / length, error);
        *found = created;
    } else if (status == BRUME_OK) {
        brume_samples_retain(from);
        *found = from;
    }
    return status;
}

BrumeStatus brume_samples_find_at(const BrumeSamples **found, const BrumeSamples *samples, double frame,
                                  BrumeError *error)
{
    *found = NULL;
    if (!samples->frames) {
        return brume_fail(error, BRUME_FAILED,
                          "the frames of %s are not known: the state was restored without its scene",
                          samples->file ? samples->file : "the samples of an emitter");
    }
    (void)pthread_mutex_lock(&samples->frames->guard);
    const BrumeStatus status = find_at(found, samples, frame, error);
    (void)pthread_mutex_unlock(&samples->frames->guard);
    return status;
}
