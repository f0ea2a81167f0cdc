// The positions of a frame are read when it is needed; those of the last two stay in memory.
#include "core/mesh/frames.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/mesh/normals.h"
#include "core/mesh/union_find.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <pthread.h>

static const float SAME_NORMAL = 0.99f; // cosine of the angle of two normals that are one in the first frame

/** The positions of a frame. */
typedef struct Slot {
    int index;            ///< in the frames; -1: none
    BrumeVec3 *positions; ///< (vertices of the mesh)
} Slot;

struct BrumeMeshFrames {
    BrumeMeshFramesDef def; ///< with a copy of its list
    int *numbers;           ///< the copy
    int vertex_count, def_vertex_count, triangle_count;
    int *of_def;           ///< (vertex_count)
    int *smooth;           ///< (triangle_count x 3) the corners that share a normal (core/mesh/union_find.h)
    BrumeVec3 *read;       ///< (def_vertex_count) scratch
    pthread_mutex_t guard; ///< of all that changes
    Slot slots[2];
};

// unites the corners of each vertex at which the normals are equal; false without memory
static bool find_smooth_corners(int *smooth, const BrumeMeshVertices *welded, const BrumeVec3 *normals)
{
    const int corners = 3 * welded->triangle_count;
    int *last = brume_alloc_untouched((size_t)welded->vertex_count, sizeof *last); // corner of each vertex so far
    int *earlier = brume_alloc_untouched((size_t)corners, sizeof *earlier);        // corner of the same vertex
    if (last && earlier) {
        brume_make_sets(smooth, corners);
        for (int n = 0; n < welded->vertex_count; n++) {
            last[n] = -1;
        }
        for (int n = 0; n < corners; n++) {
            const int vertex = welded->corners[n];
            int other = last[vertex];
            while (other >= 0 && !(brume_dot(normals[n], normals[other]) > SAME_NORMAL)) {
                other = earlier[other];
            }
            if (other >= 0) {
                brume_unite_sets(smooth, n, other);
            }
            earlier[n] = last[vertex];
            last[vertex] = n;
        }
    }
    const bool done = last && earlier;
    brume_free(last);
    brume_free(earlier);
    return done;
}

BrumeMeshFrames *brume_mesh_frames_create(const BrumeMeshDef *def, const BrumeMeshVertices *welded,
                                          const BrumeVec3 *normals)
{
    BrumeMeshFrames *frames = brume_alloc(1, sizeof *frames);
    if (!frames) {
        return NULL;
    }
    const size_t vertices = (size_t)welded->vertex_count;
    frames->vertex_count = welded->vertex_count;
    frames->def_vertex_count = def->vertex_count;
    frames->triangle_count = welded->triangle_count;
    frames->numbers = brume_mesh_copy_array(def->frames->frames, (size_t)def->frames->count, sizeof *frames->numbers);
    frames->of_def = brume_mesh_copy_array(welded->of_def, vertices, sizeof *frames->of_def);
    frames->smooth = brume_alloc_untouched((size_t)welded->triangle_count, sizeof(int[3]));
    frames->read = brume_alloc_untouched((size_t)def->vertex_count, sizeof *frames->read);
    bool done = frames->numbers && frames->of_def && frames->smooth && frames->read &&
                find_smooth_corners(frames->smooth, welded, normals);
    for (int n = 0; n < 2; n++) {
        frames->slots[n] = (Slot){.index = -1, .positions = brume_alloc_untouched(vertices, sizeof(BrumeVec3))};
        done = done && frames->slots[n].positions;
    }
    (void)pthread_mutex_init(&frames->guard, NULL);
    if (!done) { // without its context, which is the caller's
        brume_mesh_frames_destroy(frames);
        return NULL;
    }
    frames->def = *def->frames;
    frames->def.frames = frames->numbers;
    return frames;
}

void brume_mesh_frames_destroy(BrumeMeshFrames *frames)
{
    if (!frames) {
        return;
    }
    if (frames->def.destroy) {
        frames->def.destroy(frames->def.context);
    }
    (void)pthread_mutex_destroy(&frames->guard);
    for (int n = 0; n < 2; n++) {
        brume_free(frames->slots[n].positions);
    }
    brume_free(frames->numbers);
    brume_free(frames->of_def);
    brume_free(frames->smooth);
    brume_free(frames->read);
    brume_free(frames);
}

size_t brume_mesh_frames_bytes(const BrumeMeshFrames *frames)
{
    return frames ? sizeof *frames + (size_t)frames->def.count * sizeof(int) +
                        (size_t)frames->vertex_count * (sizeof(int) + 2 * sizeof(BrumeVec3)) +
                        (size_t)frames->def_vertex_count * sizeof(BrumeVec3) +
                        (size_t)frames->triangle_count * sizeof(int[3])
                  : 0;
}

// The slot with a frame, which is read into the one other than `kept` where none has it.
static BrumeStatus get_slot(BrumeMeshFrames *frames, int index, const Slot *kept, const Slot **found, BrumeError *error)
{
    Slot *slot = &frames->slots[kept == &frames->slots[0] ? 1 : 0];
    for (int n = 0; n < 2; n++) {
        if (frames->slots[n].index == index) {
            *found = &frames->slots[n];
            return BRUME_OK;
        }
    }
    const BrumeStatus status = frames->def.read(frames->def.context, index, frames->read, error);
    if (status != BRUME_OK) {
        return status;
    }
    slot->index = index;
    for (int n = 0; n < frames->vertex_count; n++) {
        const BrumeVec3 read = frames->read[frames->of_def[n]];
        slot->positions[n] = brume_vec3(read.x + 0.0f, read.y + 0.0f, read.z + 0.0f); // no zero is negative
    }
    *found = slot;
    return BRUME_OK;
}

static float between(float from, float to, double share)
{
    return (float)((double)from + share * ((double)to - (double)from));
}

// the positions at a frame, with the guard locked
static BrumeStatus find_positions(BrumeMeshFrames *frames, double frame, BrumeVec3 *positions, BrumeError *error)
{
    const int count = frames->def.count;
    const int *numbers = frames->numbers;
    int upper = 0; // the first frame after it
    while (upper < count && (double)numbers[upper] <= frame) {
        upper++;
    }
    const int lower = brume_max_int(upper - 1, 0);
    upper = brume_min_int(upper, count - 1);
    const double length = (double)numbers[upper] - (double)numbers[lower];
    const double share = length > 0.0 ? (frame - (double)numbers[lower]) / length : 0.0;
    const Slot *from = NULL;
    const Slot *to = NULL;
    BrumeStatus status = get_slot(frames, lower, NULL, &from, error);
    if (status == BRUME_OK && share > 0.0) {
        status = get_slot(frames, upper, from, &to, error);
    }
    for (int n = 0; status == BRUME_OK && n < frames->vertex_count; n++) {
        const BrumeVec3 a = from->positions[n];
        const BrumeVec3 b = to ? to->positions[n] : a;
        positions[n] = brume_vec3(between(a.x, b.x, share), between(a.y, b.y, share), between(a.z, b.z, share));
    }
    return status;
}

BrumeStatus brume_mesh_frames_read(BrumeMeshFrames *frames, double frame, BrumeVec3 *positions, BrumeError *error)
{
    (void)pthread_mutex_lock(&frames->guard);
    const BrumeStatus status = find_positions(frames, frame, positions, error);
    (void)pthread_mutex_unlock(&frames->guard);
    return status;
}

void brume_mesh_frames_set_normals(BrumeMeshFrames *frames, BrumeVec3 *normals, const BrumeMeshVertices *welded)
{
    (void)pthread_mutex_lock(&frames->guard);
    brume_mesh_set_normals(normals, welded, frames->smooth);
    (void)pthread_mutex_unlock(&frames->guard);
}

int brume_mesh_frames_range(const BrumeMeshFrames *frames, int *first, int *last)
{
    *first = frames->numbers[0];
    *last = frames->numbers[frames->def.count - 1];
    return frames->def.count;
}
