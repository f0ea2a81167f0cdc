#include "core/mesh.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/mesh/edges.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/moments.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle.h"
#include "core/minmax.h"
#include "core/texture.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 << 28 }; // of vertices and triangles

static const double LEAST_BEHIND = 0.99; // winding number behind the triangles of a solid that is not closed
static const float FARTHEST = 1e7f;      // moments of triangles at these coordinates are floats [m]

static bool all_finite(const float *values, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        if (!isfinite(values[n])) {
            return false;
        }
    }
    return true;
}

static bool is_position(BrumeVec3 p)
{
    return fabsf(p.x) <= FARTHEST && fabsf(p.y) <= FARTHEST && fabsf(p.z) <= FARTHEST; // not NaN
}

static BrumeStatus check_def(const BrumeMeshDef *def, BrumeError *error)
{
    if (def->vertex_count < 3 || def->vertex_count > MOST) {
        return brume_fail(error, BRUME_BAD_INPUT, "a mesh has %d vertices; 3 to %d are allowed", def->vertex_count,
                          MOST);
    }
    if (def->triangle_count < 1 || def->triangle_count > MOST) {
        return brume_fail(error, BRUME_BAD_INPUT, "a mesh has %d triangles; 1 to %d are allowed", def->triangle_count,
                          MOST);
    }
    const size_t memory = brume_physical_memory();
    const size_t per_triangle = sizeof(BrumeBvhTriangle) + sizeof(BrumeBvhNode) + sizeof(BrumeVec3[3]);
    if (memory > 0 && (size_t)def->triangle_count > memory / per_triangle) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d triangles do not fit into the memory of this machine",
                          def->triangle_count);
    }
    for (int n = 0; n < def->vertex_count; n++) {
        if (!is_position(def->positions[n])) {
            return brume_fail(error, BRUME_BAD_INPUT, "vertex %d of a mesh is not within %g m", n, (double)FARTHEST);
        }
    }
    const size_t corners = 3 * (size_t)def->triangle_count;
    for (size_t n = 0; n < corners; n++) {
        if (def->corners[n] < 0 || def->corners[n] >= def->vertex_count) {
            return brume_fail(error, BRUME_BAD_INPUT, "triangle %d of a mesh has vertex %d of %d", (int)(n / 3),
                              def->corners[n], def->vertex_count);
        }
    }
    if ((def->normals && !all_finite(&def->normals[0].x, 3 * corners)) ||
        (def->uvs && !all_finite(def->uvs, 2 * corners)) ||
        (def->colors && !all_finite(&def->colors[0].x, 3 * corners))) {
        return brume_fail(error, BRUME_BAD_INPUT, "a normal, texture coordinate or color of a mesh is not finite");
    }
    for (int n = 0; def->texture_of && n < def->triangle_count; n++) {
        if (def->texture_of[n] < -1 || def->texture_of[n] >= def->texture_count) {
            return brume_fail(error, BRUME_BAD_INPUT, "triangle %d of a mesh has texture %d of %d", n,
                              def->texture_of[n], def->texture_count);
        }
    }
    return BRUME_OK;
}

// bounds, area, and of a closed mesh the volume
static void measure(BrumeMeshInfo *info, const BrumeMeshVertices *mesh)
{
    info->lower = info->upper = mesh->positions[0];
    for (int n = 1; n < mesh->vertex_count; n++) {
        info->lower = brume_lower_corner(info->lower, mesh->positions[n]);
        info->upper = brume_upper_corner(info->upper, mesh->positions[n]);
    }
    info->area = 0.0;
    double volumes = 0.0; // 6 times the volume between the triangles and a point
    for (int n = 0; n < mesh->triangle_count; n++) {
        const int *v = mesh->corners + 3 * (size_t)n;
        const BrumeVec3 corners[3] = {mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]]};
        double area[3];
        brume_triangle_area(&corners[0], &corners[1], &corners[2], area);
        info->area += sqrt(brume_dot3(area, area));
        volumes += brume_triangle_side(corners, &info->lower);
    }
    info->volume = info->closed ? volumes / 6.0 : 0.0;
}

// values of `size` bytes of each triangle that was not left out; NULL without memory
static void *copy_values(const void *values, size_t size, const BrumeMeshVertices *mesh)
{
    char *copy = brume_alloc_untouched((size_t)mesh->triangle_count, size);
    for (int n = 0; copy && n < mesh->triangle_count; n++) {
        memcpy(copy + size * (size_t)n, (const char *)values + size * (size_t)mesh->origins[n], size);
    }
    return copy;
}

// the normals of the definition are of length 1 after this, those without a direction are of the triangle
static void correct_normals(BrumeVec3 *normals, const BrumeMeshVertices *mesh)
{
    for (int n = 0; n < 3 * mesh->triangle_count; n++) {
        const BrumeVec3 unit = brume_normalize(normals[n]);
        normals[n] =
            brume_length(unit) > 0.5f ? unit : brume_mesh_face_normal(mesh->positions, mesh->corners + 3 * (n / 3));
    }
}

// edges, and normals of the corners
static bool find_surface(BrumeMesh *mesh, const BrumeMeshDef *def)
{
    const BrumeMeshVertices *welded = &mesh->welded;
    if (def->normals) {
        mesh->normals = copy_values(def->normals, sizeof(BrumeVec3[3]), welded);
        if (!mesh->normals || !brume_mesh_find_edges(&mesh->info, welded, mesh->parts, NULL)) {
            return false;
        }
        correct_normals(mesh->normals, welded);
        return true;
    }
    int *smooth = brume_alloc_untouched(3 * (size_t)welded->triangle_count, sizeof *smooth);
    mesh->normals = brume_alloc_untouched((size_t)welded->triangle_count, sizeof(BrumeVec3[3]));
    const bool done = smooth && mesh->normals && brume_mesh_find_edges(&mesh->info, welded, mesh->parts, smooth);
    if (done) {
        brume_mesh_set_normals(mesh->normals, welded, smooth);
    }
    brume_free(smooth);
    return done;
}

void brume_mesh_destroy(BrumeMesh *mesh)
{
    brume_mesh_frames_destroy(mesh->frames);
    brume_bvh_free(&mesh->bvh);
    brume_free(mesh->file);
    brume_mesh_vertices_free(&mesh->welded);
    brume_free(mesh->parts);
    brume_free(mesh->normals);
    brume_free(mesh->uvs);
    brume_free(mesh->colors);
    for (int n = 0; n < mesh->texture_count; n++) {
        brume_texture_release(mesh->textures[n]);
    }
    brume_free(mesh->textures);
    brume_free(mesh->texture_of);
    brume_free(mesh);
}

static BrumeStatus fail_memory(const BrumeMeshDef *def, BrumeError *error)
{
    return brume_out_of_memory(error, "a mesh of %d triangles", def->triangle_count);
}

bool brume_mesh_finish(BrumeMesh *mesh)
{
    const BrumeMeshVertices *welded = &mesh->welded;
    if (!brume_bvh_create(&mesh->bvh, welded->positions, welded->corners, welded->triangle_count)) {
        return false;
    }
    brume_bvh_set_moments(&mesh->bvh);
    measure(&mesh->info, welded);
    const BrumeBytes parts[2] = {
        {welded->positions, (size_t)welded->vertex_count * sizeof *welded->positions},
        {welded->corners, (size_t)welded->triangle_count * 3 * sizeof *welded->corners},
    };
    mesh->hash = brume_hash_parts(parts, 2);
    return true;
}

bool brume_mesh_set_textures(BrumeMesh *mesh, int count, const BrumeTexture *const *textures, int *texture_of)
{
    mesh->textures = brume_alloc((size_t)count + 1, sizeof(BrumeTexture *));
    mesh->texture_of = texture_of;
    for (int n = 0; n < count && mesh->textures; n++) {
        brume_texture_retain(textures[n]);
        mesh->textures[mesh->texture_count++] = textures[n];
    }
    return mesh->textures && mesh->texture_of;
}

static bool copy_textures(BrumeMesh *mesh, const BrumeMeshDef *def)
{
    return !def->texture_of || !def->uvs ||
           brume_mesh_set_textures(mesh, def->texture_count, def->textures,
                                   copy_values(def->texture_of, sizeof(int), &mesh->welded));
}

static BrumeStatus fill_mesh(BrumeMesh *mesh, const BrumeMeshDef *def, BrumeError *error)
{
    BrumeMeshVertices *welded = &mesh->welded;
    if (!brume_mesh_weld(welded, def)) {
        return fail_memory(def, error);
    }
    if (welded->triangle_count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "no triangle of a mesh has an area");
    }
    mesh->info.vertices = welded->vertex_count;
    mesh->info.triangles = welded->triangle_count;
    mesh->info.degenerate = def->triangle_count - welded->triangle_count;
    mesh->file = def->file ? brume_copy_text(def->file) : NULL;
    mesh->parts = brume_alloc_untouched((size_t)welded->vertex_count, sizeof *mesh->parts);
    mesh->uvs = def->uvs ? copy_values(def->uvs, sizeof(float[6]), welded) : NULL;
    mesh->colors = def->colors ? copy_values(def->colors, sizeof(BrumeVec3[3]), welded) : NULL;
    if (!copy_textures(mesh, def) || (def->file && !mesh->file) || !mesh->parts || (def->uvs && !mesh->uvs) ||
        (def->colors && !mesh->colors) || !find_surface(mesh, def) || !brume_mesh_finish(mesh)) {
        return fail_memory(def, error);
    }
    mesh->info.solid = mesh->info.closed || brume_mesh_winding_behind(mesh) >= LEAST_BEHIND;
    if (mesh->info.closed && mesh->info.volume > 0.0 && mesh->info.parts > 1 && !brume_mesh_find_turned_parts(mesh)) {
        return fail_memory(def, error);
    }
    if (def->frames) {
        mesh->frames = brume_mesh_frames_create(def, welded, mesh->normals);
        mesh->deforms = true;
        if (!mesh->frames) {
            return fail_memory(def, error);
        }
    }
    brume_free(welded->origins);
    brume_free(welded->of_def);
    welded->origins = welded->of_def = NULL;
    return BRUME_OK;
}

BrumeStatus brume_mesh_create(BrumeMesh **mesh, const BrumeMeshDef *def, BrumeError *error)
{
    *mesh = NULL;
    BrumeStatus status = check_def(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeMesh *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return fail_memory(def, error);
    }
    created->references = 1;
    created->read = def->read;
    status = fill_mesh(created, def, error);
    if (status == BRUME_OK) {
        *mesh = created;
    } else {
        brume_mesh_destroy(created);
    }
    return status;
}

BrumeMesh *brume_mesh_create_unread(const char *file, const BrumeMeshReadDef *read, uint64_t hash)
{
    BrumeMesh *mesh = brume_alloc(1, sizeof *mesh);
    if (mesh) {
        mesh->references = 1;
        mesh->hash = hash;
        mesh->read = *read;
        mesh->file = brume_copy_text(file);
    }
    if (mesh && !mesh->file) {
        brume_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

bool brume_mesh_has_triangles(const BrumeMesh *mesh) { return mesh && mesh->info.triangles > 0; }

const char *brume_mesh_file(const BrumeMesh *mesh) { return mesh->file; }

const BrumeMeshReadDef *brume_mesh_read_def(const BrumeMesh *mesh) { return &mesh->read; }

void brume_mesh_retain(const BrumeMesh *mesh)
{
    if (mesh) {
        __atomic_add_fetch(&((BrumeMesh *)mesh)->references, 1, __ATOMIC_RELAXED);
    }
}

void brume_mesh_release(const BrumeMesh *mesh)
{
    if (mesh && __atomic_sub_fetch(&((BrumeMesh *)mesh)->references, 1, __ATOMIC_ACQ_REL) == 0) {
        brume_mesh_destroy((BrumeMesh *)mesh);
    }
}

const BrumeMeshInfo *brume_mesh_info(const BrumeMesh *mesh) { return &mesh->info; }

size_t brume_mesh_bytes(const BrumeMesh *mesh)
{
    const size_t of_corners = sizeof(int[3]) + sizeof(BrumeVec3[3]) + (mesh->uvs ? sizeof(float[6]) : 0) +
                              (mesh->colors ? sizeof(BrumeVec3[3]) : 0) + (mesh->texture_of ? sizeof(int) : 0);
    size_t of_textures = 0;
    for (int n = 0; n < mesh->texture_count; n++) {
        of_textures += mesh->textures[n] ? brume_texture_bytes(mesh->textures[n]) : 0;
    }
    return sizeof *mesh + of_textures + (size_t)mesh->info.vertices * (sizeof(BrumeVec3) + sizeof(int)) +
           (size_t)mesh->info.triangles * (of_corners + sizeof(BrumeBvhTriangle)) +
           (size_t)mesh->bvh.node_count * (sizeof(BrumeBvhNode) + sizeof(BrumeBvhMoments)) +
           (size_t)mesh->bvh.wide_count * sizeof(BrumeBvhWideNode) + brume_mesh_frames_bytes(mesh->frames);
}

uint64_t brume_mesh_hash(const BrumeMesh *mesh) { return mesh->hash; }

static BrumeVec3 interpolate(const BrumeVec3 corners[3], const double share[3])
{
    const BrumeVec3 ab = brume_add(brume_scale(corners[0], (float)share[0]), brume_scale(corners[1], (float)share[1]));
    return brume_add(ab, brume_scale(corners[2], (float)share[2]));
}

static BrumeVec3 face_normal(const BrumeMesh *mesh, int triangle)
{
    return brume_mesh_face_normal(mesh->welded.positions, mesh->welded.corners + 3 * (size_t)triangle);
}

BrumeVec3 brume_mesh_normal(const BrumeMesh *mesh, int triangle, const double share[3])
{
    const BrumeVec3 normal = brume_normalize(interpolate(mesh->normals + 3 * (size_t)triangle, share));
    return brume_length(normal) > 0.5f ? normal : face_normal(mesh, triangle);
}

bool brume_mesh_has_uvs(const BrumeMesh *mesh) { return mesh->uvs != NULL; }

void brume_mesh_uv(const BrumeMesh *mesh, int triangle, const double share[3], float uv[2])
{
    uv[0] = uv[1] = 0.0f;
    for (int n = 0; mesh->uvs && n < 2; n++) {
        const float *uvs = mesh->uvs + 6 * (size_t)triangle + n;
        uv[n] = uvs[0] * (float)share[0] + uvs[2] * (float)share[1] + uvs[4] * (float)share[2];
    }
}

BrumeVec3 brume_mesh_color(const BrumeMesh *mesh, int triangle, const double share[3])
{
    const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
    const BrumeVec3 color = mesh->colors ? interpolate(mesh->colors + 3 * (size_t)triangle, share) : white;
    const int texture = mesh->texture_of ? mesh->texture_of[triangle] : -1;
    if (texture < 0 || !mesh->textures[texture]) {
        return color;
    }
    float uv[2];
    brume_mesh_uv(mesh, triangle, share, uv);
    return brume_mul(color, brume_texture_color(mesh->textures[texture], 0, uv[0], uv[1]));
}

BrumeMeshAttributes brume_mesh_attributes(const BrumeMesh *mesh, int triangle, const double share[3])
{
    BrumeMeshAttributes at = {
        .normal = brume_mesh_normal(mesh, triangle, share),
        .face = face_normal(mesh, triangle),
        .color = brume_mesh_color(mesh, triangle, share),
    };
    brume_mesh_uv(mesh, triangle, share, at.uv);
    return at;
}
