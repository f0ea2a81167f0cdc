// Meshes whose vertices move: the triangles of the first frame. A mesh that deforms has the positions of its first
// frame; those of another frame are another mesh, which has no frames.
#include "core/error.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <math.h>

bool brume_mesh_deforms(const BrumeMesh *mesh) { return mesh && mesh->deforms; }

bool brume_mesh_has_frames(const BrumeMesh *mesh) { return mesh && mesh->frames; }

int brume_mesh_frame_range(const BrumeMesh *mesh, int *first, int *last)
{
    if (!brume_mesh_has_frames(mesh)) {
        return 0;
    }
    return brume_mesh_frames_range(mesh->frames, first, last);
}

double brume_mesh_clamp_frame(const BrumeMesh *deforming, double frame)
{
    int first = 0;
    int last = 0;
    (void)brume_mesh_frame_range(deforming, &first, &last);
    return brume_fmin(brume_fmax(frame, (double)first), (double)last);
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
               brume_mesh_copy_array(deforming->texture_of, (size_t)deforming->welded.triangle_count, sizeof(int)));
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
        .corners = brume_mesh_copy_array(first->corners, triangles, sizeof(int[3])),
    };
    created->parts = brume_mesh_copy_array(deforming->parts, vertices, sizeof *created->parts);
    created->normals = brume_alloc_untouched(triangles, sizeof(BrumeVec3[3]));
    created->uvs = deforming->uvs ? brume_mesh_copy_array(deforming->uvs, triangles, sizeof(float[6])) : NULL;
    created->colors =
        deforming->colors ? brume_mesh_copy_array(deforming->colors, triangles, sizeof(BrumeVec3[3])) : NULL;
    if ((deforming->file && !created->file) || !created->welded.positions || !created->welded.corners ||
        !created->parts || !created->normals || (deforming->uvs && !created->uvs) ||
        (deforming->colors && !created->colors) || !share_textures(created, deforming)) {
        status = fail_memory(deforming, error);
    }
    if (status == BRUME_OK) {
        status = brume_mesh_frames_read(deforming->frames, frame, created->welded.positions, error);
    }
    if (status == BRUME_OK) {
        brume_mesh_frames_set_normals(deforming->frames, created->normals, &created->welded);
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
    const size_t vertices = (size_t)deforming->welded.vertex_count;
    BrumeVec3 *a = brume_alloc_untouched(vertices, sizeof *a);
    BrumeVec3 *b = brume_alloc_untouched(vertices, sizeof *b);
    if (!a || !b) {
        status = fail_memory(deforming, error);
    } else {
        status = brume_mesh_frames_read(deforming->frames, from, a, error);
    }
    if (status == BRUME_OK) {
        status = brume_mesh_frames_read(deforming->frames, to, b, error);
    }
    double largest = 0.0;
    for (size_t n = 0; status == BRUME_OK && a && b && n < vertices; n++) {
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
