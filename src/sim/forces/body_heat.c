/*
 * Heat from the surfaces of bodies with a `heat_flux`. Faces see the projections of the surface along their axes: those
 * across an axis have |n_axis| times its area. So a face that is closed counts |n_axis| of its area, by which the faces
 * together have that of the surface: the sum of n_axis^2 is 1.
 *
 * With whole cells, these are the faces between air and solid cells, and the normal n is that of the distance to the
 * body in the center of the cell of air. In a cut cell, the projection along an axis is the difference of the closed
 * parts of both faces across it, and n is taken on the surface in the middle of that part: an edge of a body in the
 * cell then counts both of its sides. The parts of all cells fit together also where small cells and thin parts are
 * closed as a whole.
 */
#include "sim/forces/body_heat.h"

#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/sums.h"

// of differences of the distance [dx]
static const float STEP_AT_CENTER = 0.25f;
static const float STEP_ON_SURFACE = 0.1f;

static bool emits_heat(const BrumeBodyDef *body)
{
    return brume_body_is_solid(body) && !body->fixed_temperature && body->heat_flux != 0.0f;
}

// the faces of a cell across an axis
typedef struct FacePair {
    int owners[2];   // 1 + the solid body that closes the lower and the upper face, or 0
    float closed[2]; // the closed part of their areas
} FacePair;

static FacePair faces_across(const BrumeCells *cells, int axis, ptrdiff_t c)
{
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? cells->sy : cells->sz;
    FacePair pair;
    for (int side = 0; side < 2; side++) {
        const int beyond = cells->body_ids[side == 0 ? c - stride : c + stride];
        pair.owners[side] = beyond == 0 && cells->fractions ? cells->wall_ids[c] : beyond;
        pair.closed[side] = cells->fractions ? 1.0f - brume_open_fraction(cells, axis, c + side * stride)
                            : beyond > 0     ? 1.0f
                                             : 0.0f;
    }
    return pair;
}

// The middle of the part of the surface in a cut cell that is projected onto the faces across an axis, moved along the
// axis to the face that is open.
static BrumeVec3 middle_of_projection(const BrumeCells *cells, const BrumeSimDef *placed, const int index[3], int axis,
                                      const FacePair *pair)
{
    const BrumeField *distance = &cells->distance;
    int sides[2];
    brume_other_axes(axis, &sides[0], &sides[1]);
    const ptrdiff_t a = brume_stride(distance, sides[0]);
    const ptrdiff_t b = brume_stride(distance, sides[1]);
    float moments[2][2]; // of the closed parts of the lower and the upper face, about their middles
    for (int side = 0; side < 2; side++) {
        const float *d = distance->data + brume_field_index(distance, index[0], index[1], index[2]) +
                         side * brume_stride(distance, axis);
        float open[2];
        brume_open_centroid((const float[4]){d[0], d[a], d[a + b], d[b]}, open);
        for (int n = 0; n < 2; n++) {
            moments[side][n] = (1.0f - pair->closed[side]) * (0.5f - open[n]);
        }
    }
    const float closed = pair->closed[0] - pair->closed[1];
    BrumeVec3 at = brume_along(axis, closed > 0.0f ? 0.5f : -0.5f); // from the center [dx]
    for (int n = 0; n < 2; n++) {
        const float middle = (moments[0][n] - moments[1][n]) / closed;
        at = brume_add(at, brume_along(sides[n], brume_fminf(brume_fmaxf(middle, -0.5f), 0.5f)));
    }
    return brume_add(brume_cell_center(placed, index[0], index[1], index[2]), brume_scale(at, placed->dx));
}

// the point of the surface of a solid shape behind or before another along an axis, if it is about as near as that
static BrumeVec3 surface_along(const BrumeShape *shape, BrumeVec3 point, int axis, float outwards)
{
    enum { STEPS = 4 };
    for (int n = 0; n < STEPS; n++) { // sphere tracing
        point = brume_add(point, brume_along(axis, -outwards * brume_shape_distance(shape, point)));
    }
    return point;
}

// the heat that the cell of air c gets from the bodies at its faces [K m/s, of a whole face]
static double flux_into(const BrumeSim *sim, const BrumeSimDef *placed, const int index[3], ptrdiff_t c)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeVec3 center = brume_cell_center(placed, index[0], index[1], index[2]);
    double flux = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const FacePair pair = faces_across(cells, axis, c);
        const bool whole = !cells->fractions || (pair.closed[0] == 1.0f && pair.closed[1] == 1.0f);
        const float difference = pair.closed[0] - pair.closed[1];
        for (int side = 0; side < 2; side++) {
            const float area = whole ? pair.closed[side] : side == 0 ? difference : -difference;
            const BrumeBodyDef *body = pair.owners[side] > 0 ? &placed->bodies[pair.owners[side] - 1] : NULL;
            if (!body || !emits_heat(body) || !(area > 0.0f)) {
                continue;
            }
            const bool on_surface = !whole && brume_shape_is_solid(&body->shape);
            const BrumeVec3 point =
                on_surface ? surface_along(&body->shape, middle_of_projection(cells, placed, index, axis, &pair), axis,
                                           side == 0 ? 1.0f : -1.0f)
                           : center;
            const float step = (on_surface ? STEP_ON_SURFACE : STEP_AT_CENTER) * placed->dx;
            const BrumeVec3 normal = brume_shape_direction(&body->shape, point, step);
            flux += (double)(area * fabsf(brume_component(normal, axis))) * (double)body->heat_flux;
        }
    }
    return flux;
}

// whether a body may close a part of a face of a cell of air: with whole cells, not if all six are open
static bool has_wall(const BrumeCells *cells, ptrdiff_t c)
{
    return (cells->flags[c] & BRUME_CELL_FACES) != BRUME_CELL_FACES || (cells->wall_ids && cells->wall_ids[c] > 0);
}

bool brume_has_body_heat(const BrumeSim *sim)
{
    bool found = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        found = found || emits_heat(&sim->def.bodies[n]);
    }
    return found && sim->geometry->cells.bodies;
}

double brume_add_body_heat(const BrumeSim *sim, BrumeField *x, double dt)
{
    if (!brume_has_body_heat(sim)) {
        return 0.0;
    }
    const BrumeSimDef present = brume_deformed_settings(sim->deformed, &sim->def, sim->deformed_time.now);
    const BrumeSimDef placed = brume_placed_bodies(&present);
    const double rise_by_flux = dt / (double)sim->def.dx;
    const BrumeCells *cells = &sim->geometry->cells;
    const uint8_t *flags = cells->flags;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(x->grid); k <= brume_last_plane(x->grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= x->grid.ny; j++) {
            double *block = brume_sum_of_block(&sum, j);
            for (int i = 1; i <= x->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(x, i, j, k);
                if ((flags[c] & BRUME_CELL_FLUID) && has_wall(cells, c)) {
                    const double rise = flux_into(sim, &placed, (const int[]){i, j, k}, c) * rise_by_flux; // [K]
                    x->data[c] += (float)rise;
                    *block += rise;
                }
            }
        }
        sim->planes[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(x->grid, sim->planes);
}
