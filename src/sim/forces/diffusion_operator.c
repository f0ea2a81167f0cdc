/*
 * The 7-point operator of diffusion. The sides of the box have the boundary conditions of the quantity. Values that
 * walls, inflows and the surfaces of bodies prescribe hold on the side or surface itself, half a cell from the next
 * value: the difference to it has the weight 2. This is of second order. Rows without a solid cell in them or next to
 * them use a vectorized kernel.
 *
 * Where solids cut the cells, a face has the velocity of the surface at the distance theta dx along an axis, and the
 * weight 1 / theta: symmetric, and of second order (Gibou, Fedkiw, Cheng, Kang 2002, "A second-order-accurate symmetric
 * discretization of the Poisson equation on irregular domains"). The faces in a layer of half a cell at the surface,
 * those whose centers are inside the solid among them, are no unknowns: theta leads from the first face outside the
 * layer to the surface, and is between 1/2 and 3/2 along the normal.
 *
 * What passes a face in the layer is its velocity times its open part. Its velocity is the mean over that part, at the
 * centroid, delta dx from the surface. It approaches a linear profile between the wall and a neighbor outside, which is
 * delta over 1 + delta times the velocity of a neighbor along the normal. The rate is that of the second difference
 * between wall, centroid and neighbor, 2 nu / (delta dx^2). Such a profile at a plane wall passes cells without a
 * residual. With the profile at the center of the face the residual is g dx, where g is the slope of the velocity: a
 * stiff binding to it raises the pressure of these cells in each step, and a weak one leaves the air at the wall to the
 * gradient of the pressure, as if it slipped. At the rate nu / dx^2 the wake of a cylinder at Reynolds number 40 was 6
 * to 11 % too long (docs/validation.md).
 *
 * Where the air slips, the flux passes the open part of the area between two control volumes.
 */
#include "sim/forces/diffusion_operator.h"
#include "sim/state/heat.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/seven_point.h"

#include <math.h>

static bool body_has_value(const BrumeSimDef *def, int body, BrumeFieldId id)
{
    return brume_location(id) != BRUME_AT_CENTER ? brume_body_has_no_slip(def, body)
                                                 : id == BRUME_FIELD_TEMPERATURE && def->bodies[body].fixed_temperature;
}

BrumeDiffusionOperator brume_diffusion_operator(const BrumeSim *sim, BrumeFieldId id)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeField *field = &sim->fields[id];
    const int location = brume_location(id);
    BrumeDiffusionOperator op = {
        .sim = sim,
        .id = id,
        .below = location == BRUME_AT_CENTER ? 0 : brume_stride(field, location),
        .flags = cells->bodies ? cells->flags : NULL,
        .ids = cells->body_ids,
    };
    if (cells->fractions && location != BRUME_AT_CENTER) {
        op.open = cells->fractions->face[location].data;
        op.walls = &cells->friction_faces[location];
    }
    for (int axis = 0; axis < 3; axis++) {
        // faces on the sides of the box have given values
        op.from[axis] = location == axis && !cells->periodic[axis] ? 2 : 1;
        op.to[axis] = brume_cells_along(field->grid, axis);
    }
    op.count = op.to[0] - op.from[0] + 1;
    for (int n = 0; cells->bodies && n < sim->def.body_count; n++) {
        op.weights[n + 1] = body_has_value(&sim->def, n, id) ? 2.0f : 0.0f;
        op.holds_surfaces = op.holds_surfaces || op.weights[n + 1] > 0.0f;
    }
    return op;
}

float brume_surface_weight(const BrumeDiffusionOperator *op, ptrdiff_t c)
{
    const BrumeCells *cells = &op->sim->geometry->cells;
    const float weight = op->weights[cells->wall_ids[c]];
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    float squared = 0.0f; // of the area of the surface, the sum of the areas of the faces as vectors
    for (int axis = 0; weight > 0.0f && axis < 3; axis++) {
        const float *open = cells->fractions->face[axis].data + c;
        squared += (open[strides[axis]] - open[0]) * (open[strides[axis]] - open[0]);
    }
    return weight * sqrtf(squared);
}

float brume_surface_temperature(const BrumeDiffusionOperator *op, ptrdiff_t c)
{
    return brume_held_temperature(op->sim, op->sim->def.bodies[op->sim->geometry->cells.wall_ids[c] - 1].temperature);
}

BRUME_KERNEL static void diffusion_row(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = brume_seven_point(x[i], x[i - 1], x[i + 1], x[i - sy], x[i + sy], x[i - sz], x[i + sz]);
    }
}

// Weight of the difference to a neighboring entry. An entry between two solid cells, or at the center of one, is
// beyond the surface, which is half as far away; a face of which one cell is solid is on the surface and has its value.
static inline float weight_to(const BrumeDiffusionOperator *op, ptrdiff_t neighbor)
{
    const ptrdiff_t below = neighbor - op->below;
    const bool inside = (op->flags[neighbor] & op->flags[below] & BRUME_CELL_SOLID) != 0;
    return inside ? brume_fmaxf(op->weights[op->ids[neighbor]], op->weights[op->ids[below]]) : 1.0f;
}

// The entry before c along an axis. The lowest face of a periodic axis is preceded by the last one of its line: the
// cells on both sides of its ghost are not all within the flags.
static inline ptrdiff_t entry_before(const BrumeDiffusionOperator *op, ptrdiff_t c, int axis, ptrdiff_t sy,
                                     ptrdiff_t sz)
{
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? sy : sz;
    const ptrdiff_t index = axis == 0 ? c % sy : axis == 1 ? c % sz / sy : c / sz;
    return op->below == stride && index == 1 ? c + stride * (op->to[axis] - 1) : c - stride;
}

static void diffusion_row_near_solids(const BrumeDiffusionOperator *op, float *restrict out, const float *data,
                                      ptrdiff_t c, ptrdiff_t sy, ptrdiff_t sz)
{
    for (int i = 0; i < op->count; i++, c++) {
        out[i] = 0.0f;
        if (brume_is_diffused(op, c)) {
            const BrumeFaceWeights weights = {
                .x_lower = weight_to(op, entry_before(op, c, 0, sy, sz)),
                .x_upper = weight_to(op, c + 1),
                .y_lower = weight_to(op, entry_before(op, c, 1, sy, sz)),
                .y_upper = weight_to(op, c + sy),
                .z_lower = weight_to(op, entry_before(op, c, 2, sy, sz)),
                .z_upper = weight_to(op, c + sz),
            };
            out[i] = brume_seven_point_weighted(data + c, sy, sz, &weights);
        }
    }
}

BRUME_KERNEL static uint8_t diffusion_flags_of_row(const uint8_t *flags, int count)
{
    uint8_t bits = 0;
    for (int i = 0; i < count; i++) {
        bits |= flags[i];
    }
    return bits;
}

// whether a row that starts at entry c or one of the eight rows around it has a solid cell
static bool is_near_solids(const BrumeDiffusionOperator *op, ptrdiff_t c, ptrdiff_t sy, ptrdiff_t sz)
{
    uint8_t bits = 0;
    for (int n = 0; n < 9; n++) {
        bits |= diffusion_flags_of_row(op->flags + c - 1 + sy * (n % 3 - 1) + sz * (n / 3 - 1), op->count + 2);
    }
    return (bits & BRUME_CELL_SOLID) != 0;
}

typedef const BrumeFrictionFace FrictionFace;

// the faces near walls in the row of entry c, from `*first` on; returns the end; none with whole cells
static FrictionFace *find_walls(const BrumeDiffusionOperator *op, ptrdiff_t c, FrictionFace **first)
{
    const BrumeCells *cells = &op->sim->geometry->cells;
    const ptrdiff_t row = (c / cells->sz - 1) * cells->grid.ny + c % cells->sz / cells->sy - 1;
    *first = op->walls ? op->walls->entries + op->walls->rows[row] : NULL;
    return op->walls ? op->walls->entries + op->walls->rows[row + 1] : NULL;
}

// whether a face is no unknown because it is in the layer at a wall without slip
static bool is_in_layer(const BrumeDiffusionOperator *op, FrictionFace *face)
{
    return face->in_layer && op->weights[face->id] > 0.0f;
}

// the velocity of solid `id` at a distance [dx] from a face on the way to a neighbor
static float wall_velocity(const BrumeDiffusionOperator *op, FrictionFace *face, int id, int side, float distance)
{
    return id > 0 ? brume_wall_velocity_beside(op->sim, id - 1, (int)op->id, face->index, side, distance) : 0.0f;
}

static float neighbor_of(FrictionFace *face, const BrumeField *x, int side)
{
    const ptrdiff_t stride = brume_stride(x, side / 2);
    return x->data[face->index + (side % 2 ? stride : -stride)];
}

// the term of a face near a wall and a neighbor in A x
static float term_near_wall(const BrumeDiffusionOperator *op, FrictionFace *face, const BrumeField *x, int side,
                            bool difference)
{
    const int id = face->ids[side];
    const float here = x->data[face->index];
    if (id > 0 && op->weights[id] == 0.0f) {
        return face->open[side] * (here - neighbor_of(face, x, side));
    }
    if (id > 0 && face->in_layer) {
        return 0.0f; // of a solid beside one along which the air slips
    }
    const float weight = face->weight[side];
    if (weight > 0.0f) {
        return weight * (here - (difference ? 0.0f : wall_velocity(op, face, id, side, 1.0f / weight)));
    }
    return here - neighbor_of(face, x, side);
}

// a row with faces near walls, or near solid cells, where solids cut the cells
static void diffusion_row_near_walls(const BrumeDiffusionOperator *op, float *restrict out, const BrumeField *x,
                                     ptrdiff_t c, bool difference)
{
    FrictionFace *face;
    FrictionFace *end = find_walls(op, c, &face);
    diffusion_row(out, x->data + c, x->sy, x->sz, op->count);
    for (int i = 0; i < op->count; i++) {
        out[i] = brume_is_diffused(op, c + i) ? out[i] : 0.0f;
    }
    for (; face < end; face++) {
        float along[3];
        for (int axis = 0; axis < 3; axis++) {
            along[axis] = term_near_wall(op, face, x, 2 * axis, difference) +
                          term_near_wall(op, face, x, 2 * axis + 1, difference);
        }
        out[face->index - c] = is_in_layer(op, face) ? 0.0f : along[0] + along[1] + along[2];
    }
}

// whether the row of cell c, at which a scalar is diffused, has a cell that a solid cuts
static bool has_cut_cells(const BrumeDiffusionOperator *op, ptrdiff_t c)
{
    const BrumeCells *cells = &op->sim->geometry->cells;
    return brume_location(op->id) == BRUME_AT_CENTER &&
           brume_cells_row_is_cut(cells, (int)(c % cells->sz / cells->sy), (int)(c / cells->sz));
}

// a row of a scalar where solids cut the cells: a face has its open part as weight, a surface with a temperature twice
// its area, as if it were half a cell away
static void diffusion_row_of_cut_cells(const BrumeDiffusionOperator *op, float *restrict out, const BrumeField *x,
                                       ptrdiff_t c, bool difference)
{
    for (int i = 0; i < op->count; i++, c++) {
        out[i] = 0.0f;
        if (!brume_is_diffused(op, c)) {
            continue;
        }
        const BrumeField *open = op->sim->geometry->cells.fractions->face;
        const BrumeFaceWeights weights = {open[0].data[c],         open[0].data[c + 1], open[1].data[c],
                                          open[1].data[c + x->sy], open[2].data[c],     open[2].data[c + x->sz]};
        const float surface = brume_surface_weight(op, c);
        out[i] = brume_seven_point_weighted(x->data + c, x->sy, x->sz, &weights);
        out[i] +=
            surface > 0.0f ? surface * (x->data[c] - (difference ? 0.0f : brume_surface_temperature(op, c))) : 0.0f;
    }
}

static void apply(const BrumeDiffusionOperator *op, float *out, const BrumeField *x, ptrdiff_t c, bool difference)
{
    FrictionFace *first;
    if (op->flags && has_cut_cells(op, c)) {
        diffusion_row_of_cut_cells(op, out, x, c, difference);
        return;
    }
    const bool has_walls = find_walls(op, c, &first) > first;
    if (!op->flags || !(has_walls || is_near_solids(op, c, x->sy, x->sz))) {
        diffusion_row(out, x->data + c, x->sy, x->sz, op->count);
    } else if (op->walls) {
        diffusion_row_near_walls(op, out, x, c, difference);
    } else {
        diffusion_row_near_solids(op, out, x->data, c, x->sy, x->sz);
    }
}

void brume_apply_diffusion(const BrumeDiffusionOperator *op, float *out, const BrumeField *x, ptrdiff_t c)
{
    apply(op, out, x, c, false);
}

void brume_apply_diffusion_to_difference(const BrumeDiffusionOperator *op, float *out, const BrumeField *x, ptrdiff_t c)
{
    apply(op, out, x, c, true);
}

// the friction of a face in the layer
static void approach_profile(const BrumeDiffusionOperator *op, FrictionFace *face, BrumeField *x, float alpha)
{
    const float weight = alpha * face->rate;
    float value = wall_velocity(op, face, face->id, 0, 0.0f);
    for (int side = 0; side < 6; side++) {
        if (face->weight[side] != 0.0f) {
            value += face->weight[side] * (neighbor_of(face, x, side) - wall_velocity(op, face, face->id, side, 1.0f));
        }
    }
    x->data[face->index] = (x->data[face->index] + weight * value) / (1.0f + weight);
}

void brume_diffuse_wall_layer(const BrumeDiffusionOperator *op, BrumeField *x, float alpha)
{
    for (int inner = 0; inner < 2 && op->walls; inner++) { // inner faces read the others in the layer
        brume_set_operator_sides(op, x);
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(x->grid, op->from[2]); k <= brume_planes_to(x->grid, op->to[2]); k++) {
            for (int j = op->from[1]; j <= op->to[1]; j++) {
                FrictionFace *face;
                FrictionFace *end = find_walls(op, brume_field_index(x, op->from[0], j, k), &face);
                for (; face < end; face++) {
                    if (is_in_layer(op, face) && (int)face->is_inner == inner) {
                        approach_profile(op, face, x, alpha);
                    }
                }
            }
        }
    }
}

// sets the scalar entries inside bodies to the temperatures of their surfaces
static void fill_bodies(const BrumeDiffusionOperator *op, BrumeField *x)
{
    if (brume_location(op->id) != BRUME_AT_CENTER || !op->holds_surfaces || op->sim->geometry->cells.fractions) {
        return;
    }
    const BrumeSimDef *def = &op->sim->def;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(x->grid); k <= brume_last_plane(x->grid); k++) {
        for (int j = 1; j <= x->grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(x, 0, j, k);
            for (int i = 1; i <= x->grid.nx; i++) {
                const int id = op->ids[row + i];
                x->data[row + i] =
                    id > 0 ? brume_held_temperature(op->sim, def->bodies[id - 1].temperature) : x->data[row + i];
            }
        }
    }
}

void brume_set_operator_sides(const BrumeDiffusionOperator *op, BrumeField *x)
{
    brume_set_diffusion_sides(op->sim, op->id, x);
}

void brume_set_operator_difference_sides(const BrumeDiffusionOperator *op, BrumeField *x)
{
    brume_set_difference_sides(op->sim, op->id, x);
}

void brume_set_operator_boundary(const BrumeDiffusionOperator *op, BrumeField *x)
{
    fill_bodies(op, x);
    brume_set_operator_sides(op, x);
}

bool brume_side_has_value(const BrumeFaceDef *face, int axis, BrumeFieldId id)
{
    const int location = brume_location(id);
    if (face->kind == BRUME_INFLOW) {
        return location != axis;
    }
    return face->kind == BRUME_WALL &&
           (location == BRUME_AT_CENTER ? id == BRUME_FIELD_TEMPERATURE && face->fixed_temperature
                                        : location != axis && face->no_slip);
}

float brume_largest_diagonal(const BrumeDiffusionOperator *op)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeFaceDef *faces = &op->sim->def.faces[2 * axis];
        const bool lower = brume_side_has_value(&faces[0], axis, op->id);
        const bool upper = brume_side_has_value(&faces[1], axis, op->id);
        const bool thin = op->to[axis] == 1; // both sides belong to the same cell
        if (op->holds_surfaces || (thin && lower && upper)) {
            sum += 4.0f;
        } else if (!thin || !op->sim->geometry->cells.periodic[axis]) {
            sum += lower || upper ? 3.0f : 2.0f;
        }
    }
    return sum;
}
