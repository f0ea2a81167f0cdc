#include "app/convert/body_surface.h"

#include "app/cli/scene_readers.h"
#include "app/volumes/volume_look.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <math.h>

enum {
    MOST_CELLS = 256, ///< along the longest side
    MOST_PARTS = 4,   ///< of a cell of the frame, along each axis
};

static const float width = 4.0f; // over which the values fall from 1 to 0 [cells]

BrumeStatus brume_body_scene(BrumeScene **scene, const BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    *scene = NULL;
    if (!frame->scene_text || frame->body_count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--bodies: %s has no bodies (the cache, .hdf, of a scene has them)",
                          path);
    }
    return brume_scene_parse_written(scene, frame->scene_text, path, NULL, 0, BRUME_SCENE_FILES_OF_SURFACES,
                                     &brume_scene_readers, error);
}

// the union of the values with those of a shape
static void add_shape(BrumeFrameGrid *grid, const BrumeFrameGrids *frame, const BrumeShape *shape)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    int from[3]; // the cells that may have a value above 0
    int to[3];
    const BrumeGrid cells = frame->cells;
    const float dx = (float)frame->dx;
    brume_shape_bounds(shape, &lower, &upper);
    for (int axis = 0; axis < 3; axis++) {
        const double start = ((double)brume_component(lower, axis) - frame->origin[axis]) / frame->dx;
        const double end = ((double)brume_component(upper, axis) - frame->origin[axis]) / frame->dx;
        from[axis] = (int)brume_fmax(floor(start - (double)width), 0.0);
        to[axis] = (int)brume_fmin(ceil(end + (double)width), (double)(brume_cells_along(cells, axis) - 1));
    }
#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            float *row = grid->values + ((size_t)k * (size_t)cells.ny + (size_t)j) * (size_t)cells.nx;
            for (int i = from[0]; i <= to[0]; i++) {
                const BrumeVec3 center = {(float)(frame->origin[0] + ((double)i + 0.5) * frame->dx),
                                          (float)(frame->origin[1] + ((double)j + 0.5) * frame->dx),
                                          (float)(frame->origin[2] + ((double)k + 0.5) * frame->dx)};
                const float distance = brume_shape_distance_within(shape, center, width * dx);
                const float value = 0.5f - distance / (width * dx);
                row[i] = brume_fmaxf(row[i], brume_fminf(value, 1.0f));
            }
        }
    }
}

// the same for the shape of a body, `number` frames after the initial state
static BrumeStatus add_body(BrumeFrameGrid *grid, const BrumeFrameGrids *frame, const BrumeShape *shape, int number,
                            BrumeError *error)
{
    BrumeShape shown = *shape;
    BrumeMesh *mesh = NULL;
    if (brume_mesh_has_frames(shape->mesh)) {
        const BrumeStatus status = brume_mesh_create_at(&mesh, shape->mesh, number, error);
        if (status != BRUME_OK) {
            return status;
        }
        shown.mesh = mesh;
    }
    add_shape(grid, frame, &shown);
    brume_mesh_release(mesh);
    return BRUME_OK;
}

BrumeStatus brume_body_surface(BrumeFrameGrids *surface, BrumeScene *scene, const BrumeFrameGrids *frame,
                               BrumeError *error)
{
    const BrumeGrid cells = frame->cells;
    const int longest = brume_max_int(cells.nx, brume_max_int(cells.ny, cells.nz));
    const int parts = brume_max_int(1, brume_min_int(MOST_PARTS, MOST_CELLS / longest));
    BrumeFrameGrid *grid;
    surface->cells = brume_grid(parts * cells.nx, parts * cells.ny, parts * cells.nz);
    surface->dx = frame->dx / parts;
    for (int axis = 0; axis < 3; axis++) {
        surface->origin[axis] = frame->origin[axis];
    }
    const BrumeStatus status =
        brume_frame_grids_add(surface, BRUME_GRID_BODIES, "1", 1, BRUME_AT_CENTERS, &grid, error);
    if (status != BRUME_OK) {
        return status;
    }
    (void)brume_volume_look_place_bodies(&scene->sim, frame);
    BrumeStatus added = BRUME_OK;
    for (int n = 0; n < scene->sim.body_count && added == BRUME_OK; n++) {
        const int drawn = scene->surface_of[n];
        const bool is_visible = drawn >= 0 && !brume_surface_is_hidden(&scene->render_settings, drawn);
        if (!scene->sim.bodies[n].disabled && is_visible) {
            added = add_body(grid, surface, &scene->sim.bodies[n].shape, frame->frame - scene->first_frame + 1, error);
        }
    }
    return added;
}
