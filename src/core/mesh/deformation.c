// The positions of a frame are read when it is needed; those of the last two stay in memory.
#include "core/mesh/deformation.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle.h"
#include "core/mesh/union_find.h"
#include "core/minmax.h"
#include "core/parallel/worker.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

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
    int *of_def;        ///< (vertex_count)
    int *smooth;        ///< (triangle_count x 3) the corners that share a normal (core/mesh/union_find.h)
    BrumeVec3 *read;    ///< (def_vertex_count) scratch
    BrumeMonitor guard; ///< of all that changes
    Slot slots[2];
};

static void *copy_array(const void *array, size_t count, size_t size)
{
    void *copy = brume_alloc_untouched(count, size);
    if (copy) {
        memcpy(copy, array, count * size);
    }
    return copy;
}

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
    frames->numbers = copy_array(def->frames->frames, (size_t)def->frames->count, sizeof *frames->numbers);
    frames->of_def = copy_array(welded->of_def, vertices, sizeof *frames->of_def);
    frames->smooth = brume_alloc_untouched((size_t)welded->triangle_count, sizeof(int[3]));
    frames->read = brume_alloc_untouched((size_t)def->vertex_count, sizeof *frames->read);
    bool done = frames->numbers && frames->of_def && frames->smooth && frames->read &&
                find_smooth_corners(frames->smooth, welded, normals);
    for (int n = 0; n < 2; n++) {
        frames->slots[n] = (Slot){.index = -1, .positions = brume_alloc_untouched(vertices, sizeof(BrumeVec3))};
        done = done && frames->slots[n].positions;
    }
    brume_monitor_init(&frames->guard);
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
    brume_monitor_destroy(&frames->guard);
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

bool brume_mesh_deforms(const BrumeMesh *mesh) { return mesh && mesh->deforms; }

bool brume_mesh_has_frames(const BrumeMesh *mesh) { return mesh && mesh->frames; }

double brume_mesh_clamp_frame(const BrumeMesh *deforming, double frame)
{
    const BrumeMeshFrames *frames = deforming->frames;
    const double last = frames ? (double)frames->numbers[frames->def.count - 1] : 0.0;
    return frames ? brume_fmin(brume_fmax(frame, (double)frames->numbers[0]), last) : 0.0;
}

static BrumeStatus check_frames(const BrumeMesh *mesh, BrumeError *error)
{
    return mesh->frames ? BRUME_OK
                        : brume_fail(error, BRUME_FAILED,
                                     "the frames of the mesh %s are not known: the state was restored without its "
                                     "scene",
                                     mesh->file ? mesh->file : "of a body");
}

static BrumeStatus fail_memory(const BrumeMesh *mesh, BrumeError *error)
{
    return brume_out_of_memory(error, "a mesh of %d triangles", mesh->info.triangles);
}

static bool share_textures(BrumeMesh *mesh, const BrumeMesh *deforming)
{
    return !deforming->texture_of ||
           brume_mesh_set_textures(
               mesh, deforming->texture_count, deforming->textures,
               copy_array(deforming->texture_of, (size_t)deforming->welded.triangle_count, sizeof(int)));
}

BrumeStatus brume_mesh_create_at(BrumeMesh **mesh, const BrumeMesh *deforming, double frame, BrumeError *error)
{
    *mesh = NULL;
    BrumeStatus status = check_frames(deforming, error);
    BrumeMesh *created = status == BRUME_OK ? brume_alloc(1, sizeof *created) : NULL;
    if (!created) {
        return status == BRUME_OK ? fail_memory(deforming, error) : status;
    }
    const BrumeMeshVertices *first = &deforming->welded;
    const size_t triangles = (size_t)first->triangle_count;
    const size_t vertices = (size_t)first->vertex_count;
    created->references = 1;
    created->info = deforming->info;
    created->read = deforming->read;
    created->file = deforming->file ? brume_copy_text(deforming->file) : NULL;
    created->welded = (BrumeMeshVertices){
        .vertex_count = first->vertex_count,
        .triangle_count = first->triangle_count,
        .positions = brume_alloc_untouched(vertices, sizeof(BrumeVec3)),
        .corners = copy_array(first->corners, triangles, sizeof(int[3])),
    };
    created->parts = copy_array(deforming->parts, vertices, sizeof *created->parts);
    created->normals = brume_alloc_untouched(triangles, sizeof(BrumeVec3[3]));
    created->uvs = deforming->uvs ? copy_array(deforming->uvs, triangles, sizeof(float[6])) : NULL;
    created->colors = deforming->colors ? copy_array(deforming->colors, triangles, sizeof(BrumeVec3[3])) : NULL;
    if ((deforming->file && !created->file) || !created->welded.positions || !created->welded.corners ||
        !created->parts || !created->normals || (deforming->uvs && !created->uvs) ||
        (deforming->colors && !created->colors) || !share_textures(created, deforming)) {
        status = fail_memory(deforming, error);
    }
    if (status == BRUME_OK) {
        BrumeMeshFrames *frames = deforming->frames;
        brume_monitor_lock(&frames->guard);
        status = find_positions(frames, frame, created->welded.positions, error);
        if (status == BRUME_OK) {
            brume_mesh_set_normals(created->normals, &created->welded, frames->smooth);
        }
        brume_monitor_unlock(&frames->guard);
    }
    if (status == BRUME_OK && !brume_mesh_finish(created)) {
        status = fail_memory(deforming, error);
    }
    if (status == BRUME_OK) {
        *mesh = created;
    } else {
        brume_mesh_destroy(created);
    }
    return status;
}

BrumeStatus brume_mesh_largest_way(const BrumeMesh *deforming, double from, double to, double *way, BrumeError *error)
{
    BrumeStatus status = check_frames(deforming, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeMeshFrames *frames = deforming->frames;
    const size_t vertices = (size_t)frames->vertex_count;
    BrumeVec3 *a = brume_alloc_untouched(vertices, sizeof *a);
    BrumeVec3 *b = brume_alloc_untouched(vertices, sizeof *b);
    if (!a || !b) {
        status = fail_memory(deforming, error);
    } else {
        brume_monitor_lock(&frames->guard);
        status = find_positions(frames, from, a, error);
        if (status == BRUME_OK) {
            status = find_positions(frames, to, b, error);
        }
        brume_monitor_unlock(&frames->guard);
    }
    double largest = 0.0;
    for (size_t n = 0; status == BRUME_OK && n < vertices; n++) {
        double offset[3];
        brume_between3(&a[n], &b[n], offset);
        largest = brume_fmax(largest, brume_dot3(offset, offset));
    }
    brume_free(a);
    brume_free(b);
    *way = sqrt(largest);
    return status;
}

BrumeVec3 brume_mesh_way(const BrumeMesh *from, const BrumeMesh *to, int triangle, const double share[3])
{
    const int *v = to->welded.corners + 3 * (size_t)triangle;
    double way[3] = {0.0, 0.0, 0.0};
    for (int corner = 0; corner < 3; corner++) {
        double offset[3];
        brume_between3(&from->welded.positions[v[corner]], &to->welded.positions[v[corner]], offset);
        for (int axis = 0; axis < 3; axis++) {
            way[axis] += share[corner] * offset[axis];
        }
    }
    return brume_vec3((float)way[0], (float)way[1], (float)way[2]);
}
