#define _GNU_SOURCE // memmem

#include "exchange/mesh/mesh_import.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/text.h"
#include "exchange/mesh/mesh_pose.h"
#include "exchange/mesh/mesh_streams.h"
#include "exchange/mesh/mesh_textures.h"
#include "exchange/mesh/polygon.h"
#include "io/resource_limits.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/mesh.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST = 1 << 28 }; // vertices and triangles, as brume_mesh_create

/** A mesh of the file, before nodes place it. */
typedef struct PartMesh {
    int *triangles; ///< (triangle_count x 3) numbers of its vertices
    size_t triangle_count, polygon_count;
    uint64_t topology;
    BrumeVec3 color; ///< of its material
    int texture;     ///< of its material; -1: none
    unsigned uv;     ///< the set of texture coordinates that is used
} PartMesh;

/** A file that is read. */
typedef struct Import {
    const struct aiScene *scene;
    const char *path;
    BrumeMeshFileInfo *info;
    PartMesh *meshes; ///< (scene->mNumMeshes)
    BrumeMeshPose pose;
    size_t vertices, triangles; ///< of all instances
    size_t skipped;             ///< points and lines
    const char *missing;        ///< a file beside the mesh file; NULL: none
    bool has_normals, has_uvs, has_colors, has_textures;
} Import;

/** Where the arrays of the result are filled. */
typedef struct Output {
    BrumeVec3 *positions;
    int *corners;
    BrumeVec3 *normals; ///< NULL: none, as the next three
    float *uvs;
    BrumeVec3 *colors;
    int *texture_of;
    size_t vertices, triangles; ///< so far
    bool flip;                  ///< as in BrumeMeshReadDef
} Output;

static void add_note(BrumeMeshFileInfo *info, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_note(BrumeMeshFileInfo *info, const char *format, ...)
{
    if (info->note_count < BRUME_MESH_NOTES) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(info->notes[info->note_count++], BRUME_MESH_NOTE_SIZE, format, args);
        va_end(args);
    }
}

static BrumeStatus fail_damaged(const char *path, const char *what, BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: %s", path, what);
}

/*
 * Reading.
 */

// The first file beside the mesh file that is missing; NULL: none, or one was found: assimp tries several names.
static const char *find_missing(const BrumeMeshParts *parts)
{
    const char *missing = NULL;
    for (int n = parts->count - 1; n > 0; n--) {
        if (!parts->parts[n].missing) {
            return NULL;
        }
        missing = parts->parts[n].name;
    }
    return missing;
}

static BrumeStatus fail_import(const char *path, const BrumeMeshParts *parts, BrumeError *error)
{
    const char *reason = aiGetErrorString();
    const bool recognized = reason[0] && !strstr(reason, "No suitable reader");
    const char *missing = NULL;
    for (int n = parts->count - 1; n > 0; n--) {
        missing = parts->parts[n].missing ? parts->parts[n].name : missing;
    }
    if (strstr(reason, "bad_alloc") || strstr(reason, "length_error")) {
        return brume_fail_reading_memory(path, error);
    }
    if (missing) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: cannot be read without its file '%s', which is missing", path,
                          brume_quote(missing).text);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged, or has another format than its extension says (%s)",
                      path, recognized ? brume_quote(reason).text : "it is not recognized");
}

static void set_format(Import *import)
{
    static const char ending[] = " Importer";
    const struct aiMetadata *metadata = import->scene->mMetaData;
    BrumeMeshFileInfo *info = import->info;
    for (unsigned n = 0; metadata && n < metadata->mNumProperties; n++) {
        if (strcmp(metadata->mKeys[n].data, "SourceAsset_Format") == 0 && metadata->mValues[n].mType == AI_AISTRING) {
            const struct aiString *name = metadata->mValues[n].mData;
            (void)snprintf(info->format, sizeof info->format, "%s", brume_quote(name->data).text);
        }
    }
    char *end = strstr(info->format, ending);
    if (end) {
        *end = '\0';
    }
}

// whether a PLY file has no line "end_header": assimp 5.2 reads on without end then
static bool is_endless(const char *name, const uint8_t *bytes, size_t size)
{
    static const char end[] = "end_header";
    const size_t length = strlen(end);
    const char *dot = strrchr(name, '.');
    if (!dot || strcasecmp(dot, ".ply") != 0) {
        return false;
    }
    const uint8_t *at = bytes;
    while ((at = memmem(at, size - (size_t)(at - bytes), end, length)) != NULL) {
        const bool begins = at > bytes && (at[-1] == '\n' || at[-1] == '\r');
        at += length;
        if (begins && at < bytes + size && (*at == '\n' || *at == '\r')) {
            return false;
        }
    }
    return true;
}

/*
 * Materials.
 */

// the base color of a material; white for the one that assimp makes where the file has none
static BrumeVec3 material_color(const struct aiMaterial *material)
{
    const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
    struct aiString name = {0};
    struct aiColor4D color;
    (void)aiGetMaterialString(material, AI_MATKEY_NAME, &name);
    if (strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0 ||
        (aiGetMaterialColor(material, AI_MATKEY_BASE_COLOR, &color) != aiReturn_SUCCESS &&
         aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &color) != aiReturn_SUCCESS)) {
        return white;
    }
    const bool finite = isfinite(color.r) && isfinite(color.g) && isfinite(color.b);
    return finite ? (BrumeVec3){color.r, color.g, color.b} : white;
}

static bool is_white(BrumeVec3 color) { return color.x == 1.0f && color.y == 1.0f && color.z == 1.0f; }

/*
 * Triangles of the meshes.
 */

static bool has_valid_corners(const struct aiMesh *mesh)
{
    for (unsigned face = 0; face < mesh->mNumFaces; face++) {
        for (unsigned n = 0; n < mesh->mFaces[face].mNumIndices; n++) {
            if (mesh->mFaces[face].mIndices[n] >= mesh->mNumVertices) {
                return false;
            }
        }
    }
    return true;
}

// counts polygons, triangles, and points and lines; returns the corners of the largest polygon
static unsigned count_polygons(PartMesh *part, const struct aiMesh *mesh, size_t *skipped)
{
    unsigned largest = 0;
    part->topology = brume_hash_bytes(&mesh->mNumVertices, sizeof mesh->mNumVertices, 0);
    for (unsigned n = 0; n < mesh->mNumFaces; n++) {
        const struct aiFace *face = &mesh->mFaces[n];
        if (face->mNumIndices < 3) {
            (*skipped)++;
            continue;
        }
        part->polygon_count++;
        part->triangle_count += face->mNumIndices - 2;
        part->topology = brume_hash_bytes(face->mIndices, face->mNumIndices * sizeof *face->mIndices, part->topology);
        largest = face->mNumIndices > largest ? face->mNumIndices : largest;
    }
    return largest;
}

static BrumeStatus cut_polygons(Import *import, PartMesh *part, const struct aiMesh *mesh, BrumeError *error)
{
    if (!has_valid_corners(mesh)) {
        return fail_damaged(import->path, "a polygon has a corner that there is not", error);
    }
    const unsigned largest = count_polygons(part, mesh, &import->skipped);
    if (part->triangle_count == 0) {
        return BRUME_OK;
    }
    if (part->triangle_count > MOST || mesh->mNumVertices > MOST) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has more than %d triangles", import->path, MOST);
    }
    BrumePolygonCorner *scratch = brume_alloc_untouched(largest, sizeof *scratch);
    part->triangles = brume_alloc_untouched(part->triangle_count, 3 * sizeof *part->triangles);
    if (!scratch || !part->triangles) {
        brume_free(scratch);
        return brume_fail_reading_memory(import->path, error);
    }
    // positions of three floats, as BrumeVec3
    _Static_assert(sizeof(struct aiVector3D) == sizeof(BrumeVec3), "assimp in double precision");
    const BrumeVec3 *positions = (const BrumeVec3 *)(const void *)mesh->mVertices;
    int *triangles = part->triangles;
    for (unsigned n = 0; n < mesh->mNumFaces; n++) {
        const struct aiFace *face = &mesh->mFaces[n];
        if (face->mNumIndices >= 3) {
            brume_cut_polygon(positions, face->mIndices, (int)face->mNumIndices, scratch, triangles);
            triangles += (size_t)3 * (face->mNumIndices - 2);
        }
    }
    brume_free(scratch);
    return BRUME_OK;
}

static BrumeStatus prepare_meshes(Import *import, BrumeMeshFile *file, BrumeError *error)
{
    const struct aiScene *scene = import->scene;
    bool morphs = false;
    const bool are_flat = strstr(import->info->format, "STL"); // normals of the triangles themselves
    import->meshes = brume_alloc(scene->mNumMeshes + 1U, sizeof *import->meshes);
    if (!import->meshes) {
        return brume_fail_reading_memory(import->path, error);
    }
    for (unsigned n = 0; n < scene->mNumMeshes; n++) {
        const struct aiMesh *mesh = scene->mMeshes[n];
        PartMesh *part = &import->meshes[n];
        const BrumeStatus status = cut_polygons(import, part, mesh, error);
        if (status != BRUME_OK) {
            return status;
        }
        part->color = (BrumeVec3){1.0f, 1.0f, 1.0f};
        part->texture = -1;
        if (mesh->mMaterialIndex < scene->mNumMaterials && !import->missing) {
            part->color = material_color(scene->mMaterials[mesh->mMaterialIndex]);
            part->texture = brume_mesh_texture_of(file, scene, scene->mMaterials[mesh->mMaterialIndex], &part->uv);
        }
        morphs = morphs || mesh->mNumAnimMeshes > 0;
        import->has_normals = import->has_normals || (mesh->mNormals && !are_flat);
        const bool has_uvs = mesh->mTextureCoords[part->uv] && mesh->mNumUVComponents[part->uv] >= 2;
        part->texture = has_uvs ? part->texture : -1;
        import->has_uvs = import->has_uvs || has_uvs;
        import->has_textures = import->has_textures || part->texture >= 0;
        import->has_colors = import->has_colors || mesh->mColors[0] || !is_white(part->color);
    }
    if (morphs) {
        add_note(import->info, "its morph targets are ignored");
    }
    if (import->skipped > 0) {
        add_note(import->info, "points and lines are ignored (%zu)", import->skipped);
    }
    return BRUME_OK;
}

/*
 * Instances.
 */

static BrumeStatus count_instances(Import *import, BrumeError *error)
{
    BrumeMeshFileInfo *info = import->info;
    size_t polygons = 0;
    for (int n = 0; n < import->pose.count; n++) {
        const struct aiNode *node = import->pose.nodes[n].node;
        for (unsigned m = 0; m < node->mNumMeshes; m++) {
            if (node->mMeshes[m] >= import->scene->mNumMeshes) {
                return fail_damaged(import->path, "a node has a mesh that there is not", error);
            }
            const PartMesh *part = &import->meshes[node->mMeshes[m]];
            if (part->triangle_count > 0) {
                info->meshes++;
                polygons += part->polygon_count;
                info->topology = brume_hash_bytes(&part->topology, sizeof part->topology, info->topology);
                import->vertices += import->scene->mMeshes[node->mMeshes[m]]->mNumVertices;
                import->triangles += part->triangle_count;
            }
            if (import->vertices > MOST || import->triangles > MOST) {
                return brume_fail(error, BRUME_BAD_INPUT, "%s: has more than %d triangles", import->path, MOST);
            }
        }
    }
    info->polygons = (int)polygons;
    if (import->triangles == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has no triangles%s", import->path,
                          import->skipped > 0 ? ", only points and lines (make a surface of them)" : "");
    }
    return BRUME_OK;
}

static double determinant(const BrumeAffine *a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
           a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

// the unit vector along v; false where it has no length
static bool unit_vector(const double v[3], BrumeVec3 *unit)
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return false;
    }
    *unit = (BrumeVec3){(float)(v[0] / length), (float)(v[1] / length), (float)(v[2] / length)};
    return true;
}

// a normal after the transform: times the matrix of cofactors, the inverse transpose without its size
static bool transform_normal(const BrumeAffine *a, const struct aiVector3D *normal, BrumeVec3 *result)
{
    const double n[3] = {(double)normal->x, (double)normal->y, (double)normal->z};
    const double sign = determinant(a) < 0.0 ? -1.0 : 1.0;
    double v[3];
    for (int row = 0; row < 3; row++) {
        const double *p = a->m[(row + 1) % 3];
        const double *q = a->m[(row + 2) % 3];
        v[row] = sign * ((p[1] * q[2] - p[2] * q[1]) * n[0] + (p[2] * q[0] - p[0] * q[2]) * n[1] +
                         (p[0] * q[1] - p[1] * q[0]) * n[2]);
    }
    return unit_vector(v, result);
}

// the normal of the triangle itself
static BrumeVec3 flat_normal(const BrumeVec3 *positions, const int corners[3])
{
    const BrumeVec3 a = positions[corners[0]];
    const BrumeVec3 b = positions[corners[1]];
    const BrumeVec3 c = positions[corners[2]];
    const double p[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    const double q[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    const double v[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    BrumeVec3 normal = {0.0f, 1.0f, 0.0f};
    (void)unit_vector(v, &normal);
    return normal;
}

static void add_weighted(BrumeAffine *sum, const BrumeAffine *a, double weight)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            sum->m[row][column] += weight * a->m[row][column];
        }
    }
}

// The transforms of the vertices of a mesh with bones (mNumVertices), to be freed with brume_free: the mean of those of
// their bones, weighted (linear blend skinning). NULL without memory.
static BrumeAffine *blend_bones(const BrumeMeshPose *pose, const struct aiMesh *mesh, const BrumeAffine *unbound)
{
    BrumeAffine *blended = brume_alloc(mesh->mNumVertices, sizeof *blended);
    double *weights = brume_alloc(mesh->mNumVertices, sizeof *weights);
    for (unsigned n = 0; n < mesh->mNumBones && blended && weights; n++) {
        const struct aiBone *bone = mesh->mBones[n];
        const BrumeAffine offset = brume_affine_of(&bone->mOffsetMatrix);
        BrumeAffine transform = *unbound;
        for (int node = 0; node < pose->count; node++) {
            if (strcmp(pose->nodes[node].node->mName.data, bone->mName.data) == 0) {
                transform = brume_affine_product(&pose->nodes[node].transform, &offset);
                break;
            }
        }
        for (unsigned w = 0; w < bone->mNumWeights; w++) {
            const unsigned vertex = bone->mWeights[w].mVertexId;
            const double weight = (double)bone->mWeights[w].mWeight;
            if (vertex < mesh->mNumVertices && weight > 0.0) {
                add_weighted(&blended[vertex], &transform, weight);
                weights[vertex] += weight;
            }
        }
    }
    for (unsigned n = 0; n < mesh->mNumVertices && blended && weights; n++) {
        const BrumeAffine sum = weights[n] > 0.0 ? blended[n] : *unbound;
        blended[n] = (BrumeAffine){{{0.0}}};
        add_weighted(&blended[n], &sum, weights[n] > 0.0 ? 1.0 / weights[n] : 1.0);
    }
    if (!weights) {
        brume_free(blended);
        blended = NULL;
    }
    brume_free(weights);
    return blended;
}

static BrumeVec3 on_side_of(BrumeVec3 normal, BrumeVec3 side)
{
    const bool is_there = normal.x * side.x + normal.y * side.y + normal.z * side.z >= 0.0f;
    return is_there ? normal : (BrumeVec3){-normal.x, -normal.y, -normal.z};
}

static void fill_corner(Output *output, size_t corner, const struct aiMesh *mesh, int vertex,
                        const BrumeAffine *transform, const PartMesh *part)
{
    if (output->normals) {
        const int *corners = output->corners + corner / 3 * 3;
        if (!mesh->mNormals || !transform_normal(transform, &mesh->mNormals[vertex], &output->normals[corner])) {
            output->normals[corner] = flat_normal(output->positions, corners);
        }
        if (output->flip) { // the normals of the file may be those of the triangles, or right
            output->normals[corner] = on_side_of(output->normals[corner], flat_normal(output->positions, corners));
        }
    }
    if (output->uvs && mesh->mTextureCoords[part->uv]) {
        const struct aiVector3D uv = mesh->mTextureCoords[part->uv][vertex];
        output->uvs[2 * corner] = isfinite(uv.x) ? uv.x : 0.0f;
        output->uvs[2 * corner + 1] = isfinite(uv.y) ? uv.y : 0.0f;
    }
    if (output->colors) {
        BrumeVec3 color = part->color;
        if (mesh->mColors[0]) {
            const struct aiColor4D own = mesh->mColors[0][vertex];
            color = (BrumeVec3){color.x * own.r, color.y * own.g, color.z * own.b};
        }
        output->colors[corner] = color;
    }
}

static BrumeStatus fill_instance(Import *import, Output *output, const BrumeMeshNode *node, unsigned number,
                                 BrumeError *error)
{
    const struct aiMesh *mesh = import->scene->mMeshes[number];
    const PartMesh *part = &import->meshes[number];
    BrumeAffine *blended = NULL; // transforms of the vertices; NULL: that of the node
    if (part->triangle_count == 0) {
        return BRUME_OK;
    }
    if (mesh->mNumBones > 0) {
        blended = blend_bones(&import->pose, mesh, &node->transform);
        if (!blended) {
            return brume_fail_reading_memory(import->path, error);
        }
    }
    BrumeVec3 *positions = output->positions + output->vertices;
    bool finite = true;
    for (unsigned n = 0; n < mesh->mNumVertices; n++) {
        double p[3];
        brume_affine_point(blended ? &blended[n] : &node->transform, &mesh->mVertices[n], p);
        positions[n] = (BrumeVec3){(float)p[0], (float)p[1], (float)p[2]};
        finite = finite && isfinite(positions[n].x) && isfinite(positions[n].y) && isfinite(positions[n].z);
    }
    const double volume = determinant(blended ? &blended[part->triangles[0]] : &node->transform); // of a unit cube
    const bool reversed = (volume < 0.0) != output->flip;
    for (size_t n = 0; n < part->triangle_count && finite; n++) {
        const int *triangle = part->triangles + 3 * n;
        const int vertices[3] = {triangle[0], triangle[reversed ? 2 : 1], triangle[reversed ? 1 : 2]};
        const size_t first = 3 * (output->triangles + n);
        if (output->texture_of) {
            output->texture_of[first / 3] = part->texture;
        }
        for (size_t k = 0; k < 3; k++) {
            output->corners[first + k] = (int)output->vertices + vertices[k];
        }
        for (size_t k = 0; k < 3; k++) {
            fill_corner(output, first + k, mesh, vertices[k], blended ? &blended[vertices[k]] : &node->transform, part);
        }
    }
    output->vertices += mesh->mNumVertices;
    output->triangles += part->triangle_count;
    brume_free(blended);
    return finite ? BRUME_OK : fail_damaged(import->path, "a position is not finite", error);
}

static BrumeStatus fill(Import *import, BrumeMeshFile *file, bool flip, BrumeError *error)
{
    const bool wanted[BRUME_MESH_ARRAYS] = {
        true, true, import->has_normals, import->has_uvs, import->has_colors, import->has_textures};
    void *arrays[BRUME_MESH_ARRAYS] = {NULL};
    size_t bytes = 0;
    char what[64];
    file->def.vertex_count = (int)import->vertices;
    file->def.triangle_count = (int)import->triangles;
    for (int n = 0; n < BRUME_MESH_ARRAYS; n++) {
        bytes +=
            wanted[n] ? brume_mesh_array_bytes((BrumeMeshArray)n, file->def.vertex_count, file->def.triangle_count) : 0;
    }
    (void)snprintf(what, sizeof what, "%d triangles", file->def.triangle_count);
    BrumeStatus status = brume_admit_values((double)bytes, import->path, what, error);
    for (int n = 0; n < BRUME_MESH_ARRAYS && status == BRUME_OK; n++) {
        const size_t size = brume_mesh_array_bytes((BrumeMeshArray)n, file->def.vertex_count, file->def.triangle_count);
        arrays[n] = wanted[n] ? brume_shared_memory_add(&file->memory, size, &file->blocks[n]) : NULL;
        status = arrays[n] || !wanted[n] ? status : brume_out_of_memory(error, "%s", import->path);
    }
    Output output = {
        .flip = flip,
        .positions = arrays[BRUME_MESH_POSITIONS],
        .corners = arrays[BRUME_MESH_CORNERS],
        .normals = arrays[BRUME_MESH_NORMALS],
        .uvs = arrays[BRUME_MESH_UVS],
        .colors = arrays[BRUME_MESH_COLORS],
        .texture_of = arrays[BRUME_MESH_TEXTURE_OF],
    };
    for (int n = 0; n < import->pose.count && status == BRUME_OK; n++) {
        const BrumeMeshNode *node = &import->pose.nodes[n];
        for (unsigned m = 0; m < node->node->mNumMeshes && status == BRUME_OK; m++) {
            status = fill_instance(import, &output, node, node->node->mMeshes[m], error);
        }
    }
    for (int n = 0; n < BRUME_MESH_ARRAYS; n++) {
        brume_shared_memory_unmap(arrays[n], file->blocks[n].size);
    }
    return status;
}

/*
 * Animations.
 */

// The animation of a name, or else of a number from 1; the first for "". NULL where there is none.
static const struct aiAnimation *named_animation(const struct aiScene *scene, const char *name)
{
    for (unsigned n = 0; n < scene->mNumAnimations; n++) {
        if (name[0] == '\0' || strcmp(scene->mAnimations[n]->mName.data, name) == 0) {
            return scene->mAnimations[n];
        }
    }
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    return *end == '\0' && number >= 1 && number <= scene->mNumAnimations ? scene->mAnimations[number - 1] : NULL;
}

// finds the animation that is played; NULL: none
static BrumeStatus find_animation(Import *import, const uint8_t *bytes, size_t size, const BrumeMeshReadDef *def,
                                  const struct aiAnimation **played, BrumeError *error)
{
    static const char *const keys[] = {"\"STEP\"", "\"CUBICSPLINE\""};
    const struct aiScene *scene = import->scene;
    BrumeMeshFileInfo *info = import->info;
    *played = NULL;
    if (scene->mNumAnimations == 0) {
        return BRUME_OK;
    }
    const bool plays = def->fps > 0.0f;
    const struct aiAnimation *found = named_animation(scene, plays ? def->animation : "");
    if (!found) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has no animation '%s' (of its %u, the first is '%s')",
                          import->path, brume_quote(def->animation).text, scene->mNumAnimations,
                          brume_quote(scene->mAnimations[0]->mName.data).text);
    }
    info->animations = (int)scene->mNumAnimations;
    info->duration = found->mDuration / brume_mesh_ticks(found);
    (void)snprintf(info->animation, sizeof info->animation, "%s", brume_quote(found->mName.data).text);
    for (size_t n = 0; n < 2 && strstr(info->format, "glTF"); n++) { // assimp 5 drops the kind of interpolation
        if (memmem(bytes, size, keys[n], strlen(keys[n]))) {
            add_note(info, "its keys of interpolation %s are connected linearly", keys[n]);
        }
    }
    *played = plays ? found : NULL;
    return BRUME_OK;
}

static BrumeStatus convert(Import *import, BrumeMeshFile *file, const uint8_t *bytes, size_t size,
                           const BrumeMeshReadDef *def, BrumeError *error)
{
    set_format(import);
    const BrumeMeshAxes axes = brume_mesh_axes(import->scene, bytes, size, def, import->info);
    const struct aiAnimation *animation;
    BrumeStatus status = find_animation(import, bytes, size, def, &animation, error);
    if (status != BRUME_OK) {
        return status;
    }
    const double seconds = animation ? (double)def->frame / (double)def->fps : 0.0;
    if (!brume_mesh_pose(&import->pose, import->scene, &axes, animation, seconds)) {
        return brume_fail_reading_memory(import->path, error);
    }
    status = prepare_meshes(import, file, error);
    if (status == BRUME_OK) {
        status = count_instances(import, error);
    }
    return status == BRUME_OK ? fill(import, file, def->flip, error) : status;
}

BrumeStatus brume_mesh_import(BrumeMeshFile *file, const char *path, BrumeMeshParts *parts,
                              const uint8_t *const contents[BRUME_MESH_PARTS], const BrumeMeshReadDef *def,
                              bool *complete, BrumeError *error)
{
    BrumeMeshStreams streams = {.parts = parts, .contents = contents};
    struct aiFileIO io = brume_mesh_file_io(&streams);
    const int known = parts->count;
    *complete = true;
    if (is_endless(parts->parts[0].name, contents[0], parts->parts[0].block.size)) {
        return fail_damaged(path, "its header has no end", error);
    }
    const struct aiScene *scene = aiImportFileEx(parts->parts[0].name, 0, &io);
    BrumeStatus status = BRUME_OK;
    *complete = parts->count == known;
    if (*complete && (!scene || !scene->mRootNode)) {
        status = fail_import(path, parts, error);
    } else if (*complete) {
        Import import = {.scene = scene, .path = path, .info = &file->info, .missing = find_missing(parts)};
        status = convert(&import, file, contents[0], parts->parts[0].block.size, def, error);
        if (import.missing) {
            add_note(import.info, "its file '%s' is missing: what it describes is left out",
                     brume_quote(import.missing).text);
        }
        for (unsigned n = 0; n < scene->mNumMeshes && import.meshes; n++) {
            brume_free(import.meshes[n].triangles);
        }
        brume_free(import.meshes);
        brume_free(import.pose.nodes);
    }
    aiReleaseImport(scene);
    return status;
}
