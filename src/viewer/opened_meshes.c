#include "viewer/opened_meshes.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/path.h"
#include "core/text.h"
#include "core/vec3.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/files/file_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool brume_is_mesh_file(const char *path)
{
    return brume_has_extension(path, brume_file_purposes[BRUME_CHOOSE_BODY].extensions);
}

BrumeStatus brume_opened_mesh_read(const BrumeSceneReaders *readers, const char *path, BrumeMesh **mesh,
                                   BrumeError *error)
{
    *mesh = NULL;
    if (!readers->mesh) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: this program does not read mesh files", path);
    }
    char *const found = realpath(path, NULL); // a saved scene may be in another folder
    const BrumeMeshReadDef def = {0};
    const BrumeStatus status = readers->mesh(readers->context, found ? found : path, &def, mesh, error);
    free(found);
    return status;
}

BrumeStatus brume_opened_meshes_add(BrumeOpenedMeshes *opened, BrumeMesh *mesh, const char *path, BrumeError *error)
{
    BrumeOpenedMesh *const meshes = brume_make_room(opened->meshes, opened->count, &opened->capacity, sizeof *meshes);
    if (!meshes) {
        brume_mesh_release(mesh);
        return brume_out_of_memory(error, "%s", path);
    }
    opened->meshes = meshes;
    meshes[opened->count++].mesh = mesh;
    return BRUME_OK;
}

void brume_opened_meshes_destroy(BrumeOpenedMeshes *opened)
{
    for (int n = 0; n < opened->count; n++) {
        brume_mesh_release(opened->meshes[n].mesh);
    }
    brume_free(opened->meshes);
    *opened = (BrumeOpenedMeshes){0};
}

/*
 * Scenes whose files are noted, and the scene of a mesh.
 */

/** The readers of a scene. */
typedef struct SceneFiles {
    const BrumeSceneReaders *readers;
    const BrumeFileNote *note;
    const char *path; ///< of the mesh that was read already; NULL: none
    BrumeMesh *mesh;
} SceneFiles;

static const BrumeSceneReaders *begin_file(const SceneFiles *files, const char *path)
{
    files->note->on_file(files->note->context, path);
    return files->readers;
}

static BrumeStatus read_samples(void *context, const char *path, const char *grid, int count, int frame,
                                BrumeSamples *samples[3], BrumeError *error)
{
    const BrumeSceneReaders *readers = begin_file(context, path);
    return readers->samples(readers->context, path, grid, count, frame, samples, error);
}

static BrumeStatus read_points(void *context, const char *path, const char *grid, int count, int frame,
                               BrumeSamples *samples[3], BrumeError *error)
{
    const BrumeSceneReaders *readers = begin_file(context, path);
    return readers->points(readers->context, path, grid, count, frame, samples, error);
}

static BrumeStatus read_sky(void *context, const char *path, int *width, int *height, float **radiance,
                            BrumeError *error)
{
    const BrumeSceneReaders *readers = begin_file(context, path);
    return readers->sky(readers->context, path, width, height, radiance, error);
}

static BrumeStatus read_ground(void *context, const char *path, int *width, int *height, float **levels,
                               BrumeError *error)
{
    const BrumeSceneReaders *readers = begin_file(context, path);
    return readers->ground_image(readers->context, path, width, height, levels, error);
}

static BrumeStatus read_texture(void *context, const char *path, BrumeTexture **texture, BrumeError *error)
{
    const BrumeSceneReaders *readers = begin_file(context, path);
    return readers->texture(readers->context, path, texture, error);
}

static BrumeStatus read_mesh(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                             BrumeError *error)
{
    const SceneFiles *files = context;
    if (files->path && strcmp(path, files->path) == 0 && def->unit == 0.0f && def->up == 0) {
        brume_mesh_retain(files->mesh);
        *mesh = files->mesh;
        return BRUME_OK;
    }
    const BrumeSceneReaders *readers = begin_file(files, path);
    return readers->mesh(readers->context, path, def, mesh, error);
}

static void add_vector(BrumeText *text, const char *before, BrumeVec3 v, const char *after)
{
    brume_text_add(text, "%s[%.9g, %.9g, %.9g]%s", before, (double)v.x, (double)v.y, (double)v.z, after);
}

// Composes the scene. All lengths, and what depends on them, are in proportion to the longest side of the mesh.
static void compose(BrumeText *text, const char *path, const BrumeMesh *mesh)
{
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    const BrumeVec3 middle = brume_scale(brume_add(info->lower, info->upper), 0.5f);
    BrumeVec3 extent = brume_sub(info->upper, info->lower);
    float longest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    const float factor = longest > 20.0f || longest < 0.05f ? brume_round_factor(1.0f / longest) : 1.0f;
    extent = brume_scale(extent, factor);
    longest *= factor;
    const BrumeVec3 sides = {fmaxf(extent.x + 0.8f * longest, 1.4f * longest), extent.y + 1.5f * longest,
                             fmaxf(extent.z + 0.8f * longest, 1.4f * longest)};
    const float floor = middle.y - 0.5f * extent.y - 0.6f * longest;
    const BrumeVec3 center = {middle.x, floor + 0.5f * sides.y, middle.z};
    const BrumeVec3 eye = brume_add(center, brume_scale(brume_vec3(0.42f, 0.1f, 0.9f), 2.1f * sides.y));
    const double unit = (double)longest;
    brume_text_add(text, "name: ");
    brume_text_add_json_string(text, brume_quote(brume_path_name(path)).text);
    brume_text_add(text, "\ndescription: Smoke rises around the body of a mesh file.\ndomain:\n");
    add_vector(text, "  size: ", sides, "\n");
    add_vector(text, "  origin: ", brume_sub(center, brume_scale(sides, 0.5f)), "\n");
    brume_text_add(text,
                   "  boundaries: {all: open, y_min: wall}\n"
                   "solver: {resolution: 96}\n"
                   "air: {vorticity_confinement: 0.3}\n"
                   "smoke: {density: {extinction: %.6g, dissipation: 0.05}}\n"
                   "emitters:\n",
                   28.0 / unit);
    add_vector(text, "  - {shape: sphere, center: ", brume_vec3(middle.x, floor + 0.1f * longest, middle.z), ", ");
    brume_text_add(text,
                   "radius: %.6g, softness: %.6g, density: 1, temperature: 70,\n"
                   "     noise: {amount: 0.6, scale: %.6g, speed: 4}}\n"
                   "bodies:\n"
                   "  - {shape: mesh, file: ",
                   0.18 * unit, 0.1 * unit, 0.12 * unit);
    brume_text_add_json_string(text, path);
    add_vector(text, ", pivot: ", middle, "");
    brume_text_add(text, ", scale: %.6g}\n", (double)factor);
    add_vector(text, "camera: {position: ", eye, "");
    add_vector(text, ", target: ", center, ", field_of_view: 30}\n");
    brume_text_add(text,
                   "lights:\n"
                   "  - {kind: sun, azimuth: -75, elevation: 38, daylight: true, angle: 1.5}\n"
                   "render: {sky: daylight, exposure: -0.4, edge_fade: %.6g}\n",
                   0.08 * unit);
}

BrumeStatus brume_load_scene_or_mesh(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                                     const BrumeSceneReaders *readers, const BrumeFileNote *note, BrumeError *error)
{
    SceneFiles files = {.readers = readers, .note = note};
    const BrumeSceneReaders noted = {
        .samples = readers->samples ? read_samples : NULL,
        .points = readers->points ? read_points : NULL,
        .sky = readers->sky ? read_sky : NULL,
        .ground_image = readers->ground_image ? read_ground : NULL,
        .mesh = readers->mesh ? read_mesh : NULL,
        .texture = readers->texture ? read_texture : NULL,
        .context = &files,
    };
    if (!brume_is_mesh_file(path)) {
        return brume_scene_load(scene, path, overrides, count, &noted, error);
    }
    *scene = NULL;
    BrumeStatus status = brume_opened_mesh_read(readers, path, &files.mesh, error);
    if (status != BRUME_OK) {
        return status;
    }
    char *const absolute = realpath(path, NULL);
    files.path = absolute ? absolute : path;
    BrumeText text = {0};
    compose(&text, files.path, files.mesh);
    status = text.failed ? brume_out_of_memory(error, "%s", path)
                         : brume_scene_parse(scene, text.data, path, overrides, count, &noted, error);
    brume_text_destroy(&text);
    brume_mesh_release(files.mesh);
    free(absolute);
    return status;
}
