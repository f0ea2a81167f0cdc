#include "app/info/mesh_info.h"

#include "app/cli/format.h"
#include "app/cli/sequence.h"
#include "core/mesh.h"
#include "core/text.h"
#include "core/vec3.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static void print_units(const BrumeMeshFileInfo *file)
{
    char unit[48] = "meters";
    if (file->unit != 1.0) {
        (void)snprintf(unit, sizeof unit, "1 unit is %.7g m", file->unit);
    }
    const char *known = file->unit_known && file->up_known ? "as the file says"
                        : file->unit_known                 ? "the axis is assumed: the file does not say it"
                        : file->up_known                   ? "the unit is assumed: the file does not say it"
                                                           : "both assumed: the file does not say them";
    brume_print_labeled("units", "%s, %c up; %s", unit, 'x' + file->up, known);
}

static void print_size(const BrumeMeshFileInfo *file, const BrumeMeshInfo *mesh)
{
    brume_print_labeled("triangles", "%d, of %d polygon%s in %d mesh%s; %d vertices; %d part%s", mesh->triangles,
                        file->polygons, plural(file->polygons), file->meshes, file->meshes == 1 ? "" : "es",
                        mesh->vertices, mesh->parts, plural(mesh->parts));
    brume_print_labeled("extent", "%g x %g x %g m, lower corner at (%g, %g, %g) m, y up",
                        (double)mesh->upper.x - (double)mesh->lower.x, (double)mesh->upper.y - (double)mesh->lower.y,
                        (double)mesh->upper.z - (double)mesh->lower.z, (double)mesh->lower.x, (double)mesh->lower.y,
                        (double)mesh->lower.z);
    brume_print_labeled("area", "%.6g m^2", mesh->area);
    if (mesh->closed) {
        brume_print_labeled("volume", "%.6g m^3, closed", mesh->volume);
    } else {
        brume_print_labeled("volume", "not closed");
    }
}

static void print_animation(const BrumeMeshFileInfo *file)
{
    if (file->animations > 0) {
        brume_print_labeled("animation", "%d, of which the first is played: %s%s%s%.4g s", file->animations,
                            file->animation[0] ? "'" : "", file->animation, file->animation[0] ? "', " : "",
                            file->duration);
    }
}

// the problems to print, of which only the first line has a label
static const char *next_label(int *problems) { return (*problems)++ == 0 ? "problems" : ""; }

static void print_problems(const BrumeMeshInfo *mesh)
{
    int count = 0;
    if (mesh->open_edges > 0) {
        char holes[48] = "";
        if (mesh->holes > 0) {
            (void)snprintf(holes, sizeof holes, ", around %d hole%s", mesh->holes, plural(mesh->holes));
        }
        brume_print_labeled(next_label(&count),
                            "%d edge%s of one triangle only%s: fill the hole%s for a solid, or leave %s for a wall "
                            "without thickness",
                            mesh->open_edges, plural(mesh->open_edges), holes, plural(mesh->holes),
                            mesh->holes == 1 ? "it" : "them");
    }
    if (mesh->shared_edges > 0) {
        brume_print_labeled(next_label(&count),
                            "%d edge%s of more than two triangles: delete faces inside, or separate the parts",
                            mesh->shared_edges, plural(mesh->shared_edges));
    }
    if (mesh->turned_edges > 0) {
        brume_print_labeled(next_label(&count),
                            "%d edge%s between triangles of which one is turned over: recalculate the normals to the "
                            "outside",
                            mesh->turned_edges, plural(mesh->turned_edges));
    }
    if (mesh->closed && mesh->volume < 0.0) {
        brume_print_labeled(next_label(&count), "inside out: give it 'flip: true' in a scene, or flip the normals");
    }
    if (mesh->turned_parts > 0) {
        brume_print_labeled(next_label(&count), "%d of %d parts %s inside out: flip the normals of %s",
                            mesh->turned_parts, mesh->parts, mesh->turned_parts == 1 ? "is" : "are",
                            mesh->turned_parts == 1 ? "it" : "them");
    }
    if (mesh->degenerate > 0) {
        brume_print_labeled(next_label(&count),
                            "%d triangle%s without area, left out: merge vertices that are close, if holes come of it",
                            mesh->degenerate, plural(mesh->degenerate));
    }
    if (count == 0) {
        brume_print_labeled(next_label(&count), "none found");
    }
}

// reads all files of a sequence, which have the triangles of the first, and prints their numbers and extent
static BrumeStatus print_frames(const char *path, const BrumeMesh *sequence, BrumeError *error)
{
    int first = 0;
    int last = 0;
    const int count = brume_mesh_frame_range(sequence, &first, &last);
    BrumeVec3 lower = brume_mesh_info(sequence)->lower;
    BrumeVec3 upper = brume_mesh_info(sequence)->upper;
    BrumeOutputPattern pattern;
    BrumeSequence files = {0};
    BrumeStatus status = brume_pattern_parse(&pattern, path, path, error);
    if (status == BRUME_OK) {
        status = brume_sequence_find(&files, &pattern, 0, error);
    }
    for (int n = 0; n < files.count && count > 0 && status == BRUME_OK; n++) {
        BrumeMesh *mesh = NULL;
        status = brume_mesh_create_at(&mesh, sequence, files.frames[n], error);
        if (status == BRUME_OK) {
            lower = brume_lower_corner(lower, brume_mesh_info(mesh)->lower);
            upper = brume_upper_corner(upper, brume_mesh_info(mesh)->upper);
        }
        brume_mesh_release(mesh);
    }
    if (status == BRUME_OK) {
        const int missing = files.frames[files.count - 1] - files.frames[0] + 1 - files.count;
        brume_print_labeled("frames", "%d, with the numbers %d to %d%s; all with the triangles of the first",
                            files.count, files.frames[0], files.frames[files.count - 1],
                            missing > 0 ? ", not all of them" : "");
        const BrumeVec3 sides = brume_sub(upper, lower);
        brume_print_labeled("", "extent of all: %g x %g x %g m, lower corner at (%g, %g, %g) m", (double)sides.x,
                            (double)sides.y, (double)sides.z, (double)lower.x, (double)lower.y, (double)lower.z);
    }
    brume_sequence_destroy(&files);
    return status;
}

BrumeStatus brume_print_mesh_sequence(const char *path, const BrumeMesh *sequence, const BrumeMeshFileInfo *first,
                                      BrumeError *error)
{
    const BrumeStatus status = print_frames(path, sequence, error);
    if (status == BRUME_OK) {
        brume_print_labeled("file", "%s, the first of the sequence", first->format);
        print_units(first);
        print_size(first, brume_mesh_info(sequence));
        print_problems(brume_mesh_info(sequence));
    }
    return status;
}

static void print_mesh(const BrumeMeshFile *file, const BrumeMeshInfo *mesh, double bytes)
{
    brume_print_labeled("file", "%s, %s", file->info.format, brume_format_bytes(bytes).text);
    print_units(&file->info);
    print_size(&file->info, mesh);
    print_animation(&file->info);
    for (int n = 0; n < file->texture_count; n++) {
        brume_print_labeled(n == 0 ? "textures" : "", "%s%s", brume_quote(file->textures[n].name).text,
                            file->textures[n].is_embedded ? ", in the file" : "");
    }
    for (int n = 0; n < file->info.note_count; n++) {
        brume_print_labeled("note", "%s", file->info.notes[n]);
    }
    print_problems(mesh);
}

BrumeStatus brume_print_mesh_info(const char *path, BrumeError *error)
{
    static const BrumeMeshReadDef as_it_is;
    BrumeMeshFile file;
    BrumeMesh *mesh = NULL;
    struct stat about;
    BrumeStatus status = brume_mesh_file_read(&file, path, &as_it_is, error);
    if (status == BRUME_OK) {
        status = brume_mesh_file_create(&mesh, &file, path, error);
    }
    if (status == BRUME_OK && stat(path, &about) != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    if (status == BRUME_OK) {
        print_mesh(&file, brume_mesh_info(mesh), (double)about.st_size);
    }
    brume_mesh_release(mesh);
    brume_mesh_file_destroy(&file);
    return status;
}
