// Writes the isosurface of one grid as a PLY mesh: binary little endian, vertices with normals, triangles by index.
#include "core/isosurface/surface_mesh.h"
#include "core/memory.h"
#include "core/text.h"
#include "exchange/particles_ply.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(BrumeSurfaceVertex) == 6 * sizeof(float), "vertices are written as they are in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vertices are written as they are in memory");

enum { FACE_BYTES = 1 + 3 * sizeof(int32_t) };

static bool is_usable(const BrumeFrameGrid *grid)
{
    return grid->components == 1 && grid->location == BRUME_AT_CENTERS;
}

static BrumeStatus find_grid(const BrumeFrameGrid **grid, const BrumeFrameGrids *frame, const char *name,
                             const char *path, BrumeError *error)
{
    *grid = brume_frame_grids_find(frame, name);
    if (*grid && is_usable(*grid)) {
        return BRUME_OK;
    }
    BrumeText list = {0};
    for (int n = 0; n < frame->count; n++) {
        if (is_usable(&frame->grids[n])) {
            brume_text_add(&list, "%s%s", list.size > 0 ? ", " : "", frame->grids[n].name);
        }
    }
    const BrumeStatus status = brume_fail(error, BRUME_BAD_INPUT,
                                          *grid ? "%s: the grid '%s' is not a scalar at the centers (those are: %s)"
                                                : "%s: the frame has no grid '%s' for a surface (its scalars: %s)",
                                          path, brume_quote(name).text, list.size > 0 ? list.data : "none");
    brume_text_destroy(&list);
    return status;
}

// turns the vertices from y up to z up
static void turn_up(BrumeSurfaceMesh *mesh)
{
    for (int n = 0; n < mesh->vertex_count; n++) {
        BrumeSurfaceVertex *vertex = &mesh->vertices[n];
        vertex->position = brume_turn_up(vertex->position, true);
        vertex->normal = brume_turn_up(vertex->normal, true);
    }
}

// packs the triangles: of each, the number of its vertices as one byte, and their indices
static uint8_t *pack_faces(const BrumeSurfaceMesh *mesh)
{
    uint8_t *const faces = brume_alloc_untouched((size_t)mesh->triangle_count + 1, FACE_BYTES);
    for (int n = 0; n < mesh->triangle_count && faces; n++) {
        uint8_t *face = faces + (size_t)n * FACE_BYTES;
        face[0] = 3;
        memcpy(face + 1, mesh->triangles + 3 * (ptrdiff_t)n, 3 * sizeof(int32_t));
    }
    return faces;
}

static BrumeStatus write_mesh(const BrumeSurfaceMesh *mesh, const char *name, double level, const char *path,
                              const BrumeVolumeWriteDef *def, BrumeError *error)
{
    char comment[BRUME_MAX_GRID_NAME];
    (void)snprintf(comment, sizeof comment, "%s", name);
    for (char *c = comment; *c; c++) { // a newline would end the comment
        *c = (unsigned char)*c < 0x20 ? '?' : *c;
    }
    BrumeText head = {0};
    brume_text_add(&head,
                   "ply\nformat binary_little_endian 1.0\n"
                   "comment Brume: isosurface of %s at %g, coordinates in metres, %c up\n"
                   "element vertex %d\n"
                   "property float x\nproperty float y\nproperty float z\n"
                   "property float nx\nproperty float ny\nproperty float nz\n"
                   "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                   comment, level, def->z_up ? 'z' : 'y', mesh->vertex_count, mesh->triangle_count);
    uint8_t *const faces = pack_faces(mesh);
    BrumeStatus status = BRUME_OK;
    if (head.failed || !faces) {
        status = brume_out_of_memory(error, "%s", path);
    } else {
        const BrumeBytes parts[] = {
            {head.data, head.size},
            {mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices},
            {faces, (size_t)mesh->triangle_count * FACE_BYTES},
        };
        status = brume_file_write_parts(path, parts, sizeof parts / sizeof parts[0], def->overwrite, error);
    }
    brume_free(faces);
    brume_text_destroy(&head);
    return status;
}

static BrumeStatus ply_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                             BrumeError *error)
{
    if (frame->count == 0 && frame->has_particles) {
        return brume_particles_ply_write(frame, path, def, error);
    }
    const char *name = def->iso_grid ? def->iso_grid : BRUME_GRID_DENSITY;
    if (def->iso == 0.0 && strcmp(name, BRUME_GRID_DENSITY) != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: no level for the surface of '%s' (give --iso)", path,
                          brume_quote(name).text);
    }
    const double level = def->iso == 0.0 ? BRUME_DEFAULT_ISO : def->iso;
    const BrumeFrameGrid *grid;
    BrumeStatus status = find_grid(&grid, frame, name, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeIsosurface surface = {
        .values = grid->values,
        .cells = frame->cells,
        .sy = frame->cells.nx,
        .sz = (ptrdiff_t)frame->cells.nx * frame->cells.ny,
        .level = (float)level,
        .dx = (float)frame->dx,
        .origin = {(float)frame->origin[0], (float)frame->origin[1], (float)frame->origin[2]},
    };
    BrumeSurfaceMesh mesh;
    status = brume_surface_mesh_create(&mesh, &surface, error);
    if (status == BRUME_OK) {
        if (def->z_up) {
            turn_up(&mesh);
        }
        status = write_mesh(&mesh, name, level, path, def, error);
        brume_surface_mesh_destroy(&mesh);
    }
    return status;
}

const BrumeVolumeFormat brume_ply_format = {
    .extension = ".ply",
    .description = "mesh of an isosurface, or particles",
    .read = brume_particles_ply_read,
    .write = ply_write,
    .write_options = BRUME_WRITE_ISO | BRUME_WRITE_UP,
    .particles = BRUME_PARTICLES_ALONE,
};
