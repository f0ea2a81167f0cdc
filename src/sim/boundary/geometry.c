#include "sim/boundary/geometry.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/grid/cut_cells.h"

#include <float.h>
#include <string.h>

static bool same_text(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

BrumeStatus brume_geometry_from_cells(BrumeGeometry **geometry, BrumeCells *cells, const BrumeSimDef *def,
                                      const BrumeProjectionKernels *kernels, BrumeError *error)
{
    *geometry = NULL;
    BrumeGeometry *created = brume_alloc(1, sizeof *created);
    if (!created) {
        brume_cells_destroy(cells);
        return brume_out_of_memory(error, "the geometry of the box");
    }
    created->cells = *cells;
    created->kernels = kernels;
    *cells = (BrumeCells){0};
    BrumeStatus status = brume_extrapolation_create(&created->extrapolation, &created->cells, error);
    if (status == BRUME_OK) {
        status = brume_wall_faces_create(&created->wall_faces, &created->cells, error);
    }
    if (status == BRUME_OK) {
        status = brume_inflows_create(&created->inflows, def, error);
    }
    if (status == BRUME_OK) {
        const BrumePressureDef pressure = {
            .method = def->pressure,
            .tolerance = def->tolerance,
            .max_iterations = def->max_iterations,
            .over_relaxation = def->over_relaxation,
            .kernels = kernels ? kernels->cycle : NULL,
        };
        status = brume_pressure_create(&created->pressure, &pressure, &created->cells, error);
    }
    if (status != BRUME_OK) {
        brume_geometry_destroy(created);
        return status;
    }
    *geometry = created;
    return BRUME_OK;
}

BrumeStatus brume_geometry_create(BrumeGeometry **geometry, const BrumeSimDef *def,
                                  const BrumeProjectionKernels *kernels, BrumeError *error)
{
    *geometry = NULL;
    BrumeCells cells;
    const BrumeStatus status = brume_cells_create_by_solids(&cells, NULL, def, error);
    return status == BRUME_OK ? brume_geometry_from_cells(geometry, &cells, def, kernels, error) : status;
}

void brume_geometry_destroy(BrumeGeometry *geometry)
{
    if (!geometry) {
        return;
    }
    brume_pressure_destroy(geometry->pressure);
    brume_inflows_destroy(&geometry->inflows);
    brume_wall_faces_destroy(&geometry->wall_faces);
    brume_extrapolation_destroy(&geometry->extrapolation);
    brume_cells_destroy(&geometry->cells);
    brume_free(geometry);
}

size_t brume_geometry_bytes(const BrumeGeometry *geometry)
{
    return sizeof *geometry + brume_cells_bytes(&geometry->cells) +
           brume_extrapolation_bytes(&geometry->extrapolation) + brume_wall_faces_bytes(&geometry->wall_faces) +
           geometry->inflows.bytes + brume_pressure_bytes(geometry->pressure);
}

// whether two shapes differ at most in how their place is divided into `position` and the points of the shape, up to
// rounding
static bool same_place(const BrumeShape *x, const BrumeShape *y)
{
    BrumeShape moved = *y;
    moved.a = x->a;
    moved.b = x->b;
    moved.position = x->position;
    const float tolerance = 4.0f * FLT_EPSILON * (brume_length(x->position) + brume_length(x->a) + brume_length(x->b));
    const BrumeVec3 by = brume_sub(x->position, y->position);
    return brume_shape_equal(x, &moved) && brume_length(brume_add(brume_sub(x->a, y->a), by)) <= tolerance &&
           brume_length(brume_add(brume_sub(x->b, y->b), by)) <= tolerance;
}

bool brume_geometry_equal(const BrumeSimDef *a, const BrumeSimDef *b)
{
    bool same = a->body_count == b->body_count && brume_inflows_equal(a, b) && same_text(a->pressure, b->pressure) &&
                a->tolerance == b->tolerance && a->max_iterations == b->max_iterations &&
                a->over_relaxation == b->over_relaxation && same_text(a->kernels, b->kernels) &&
                same_text(a->solids, b->solids);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        same = same && a->faces[face].kind == b->faces[face].kind;
    }
    for (int n = 0; same && n < a->body_count; n++) {
        const BrumeShape shape = brume_body_shape(a, n);
        const BrumeShape other = brume_body_shape(b, n);
        // fractions that differ by rounding would cost the velocity before the step in each frame of an animation
        const bool is_cut = same_text(a->solids, "cut");
        same = (is_cut ? same_place(&shape, &other) : brume_shape_equal(&shape, &other)) &&
               brume_body_is_solid(&a->bodies[n]) == brume_body_is_solid(&b->bodies[n]);
    }
    return same;
}
