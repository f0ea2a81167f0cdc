/*
 * Boundary conditions at the sides of the box and at bodies. A ghost entry follows from its neighbor inside by
 *     ghost = scale * inside + offset,
 * which prescribes a value on the side itself (Dirichlet: scale -1, offset twice the value), prescribes it in the ghost
 * (scale 0), or prescribes a zero gradient (Neumann: scale 1, offset 0). The sides are set along x, then y, then z,
 * each over the whole plane with its ghosts, so that edges and corners are set too.
 *
 * Transport and diffusion use different rules. A ghost that prescribes a value on the side by reflection, 2 value -
 * inside, is no value that the air has: transport would interpolate it, and a limiter would take it as a bound.
 * Transport therefore has a zero gradient at walls of a fixed temperature, and the value of the incoming air itself
 * beyond inflows; diffusion uses the reflection at both. At walls without slip both use the reflection, because paths
 * end at the wall, where it interpolates to the velocity of the wall.
 */
#include "sim/boundary/boundary.h"
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

#include <math.h>

typedef struct Rule {
    float scale;
    float offset;
} Rule;

// which rules apply: see the head of the file; a difference of two fields has every prescribed value 0
typedef enum RuleSet { FOR_TRANSPORT, FOR_DIFFUSION, FOR_DIFFERENCE } RuleSet;

static const Rule zero_gradient = {1.0f, 0.0f};

static Rule dirichlet_on_side(float value) { return (Rule){-1.0f, 2.0f * value}; }

static Rule dirichlet_in_ghost(float value) { return (Rule){0.0f, value}; }

// the entries at a side of the box that are set together: on each line across the side, entry `to` is set from entry
// `from` by the rule; at an open side it is `ambient` instead where the velocity `normal` at entry `face` has the sign
// of `inward`
typedef struct SidePlane {
    int to, from;
    Rule rule;
    const BrumeField *normal; // NULL at all other sides
    int face;
    float inward;
    float ambient;

    // an inflow with a profile, else NULL: the factors of its cells, `rule` where they are above 0, `zero_rule`
    // elsewhere
    const float *factors;
    bool scaled;           // whether the offset of `rule` is multiplied by the factor
    int on_lower_faces[2]; // along the inner and outer axis: 1 if the entries are on the lower faces of the cells
    Rule zero_rule;

    const float *values; // of all entries `to`, line by line, in place of the rule; else NULL
} SidePlane;

// the planes to set at both sides across one axis, in this order; all of them are set line by line, because the last
// entry of a row and the first of the next share a cache line
typedef struct SidePlanes {
    int count;
    SidePlane planes[4];
} SidePlanes;

static void add_plane(SidePlanes *list, SidePlane plane) { list->planes[list->count++] = plane; }

// Sets a plane on `count` lines along an axis; `stride` leads from entry to entry and `next` from line to line. `ends`
// are the lines in the box whose normal velocity decides for the first and the last line, which are outside.
static void set_lines(float *data, const float *normal, ptrdiff_t stride, ptrdiff_t next, int count, const int ends[2],
                      SidePlane plane)
{
    for (int a = 0; a < count; a++) {
        const ptrdiff_t line = next * a;
        const ptrdiff_t closest = next * (a == 0 ? ends[0] : a == count - 1 ? ends[1] : a);
        const float inside = data[line + stride * plane.from];
        const bool enters = normal && normal[closest + stride * plane.face] * plane.inward > 0.0f;
        data[line + stride * plane.to] = enters ? plane.ambient : plane.rule.scale * inside + plane.rule.offset;
    }
}

// the same for an inflow with a profile; b is the index of the lines along the outer axis
static void set_inflow_lines(float *data, ptrdiff_t stride, ptrdiff_t next, int count, int b, const SidePlane *plane)
{
    for (int a = 0; a < count; a++) {
        const float *factors = plane->factors + (ptrdiff_t)count * b + a;
        const ptrdiff_t to_lower_cell =
            (a > 0 ? plane->on_lower_faces[0] : 0) + (b > 0 ? (ptrdiff_t)count * plane->on_lower_faces[1] : 0);
        const float factor = 0.5f * (factors[0] + factors[-to_lower_cell]);
        const Rule rule = factor > 0.0f ? plane->rule : plane->zero_rule;
        const ptrdiff_t line = next * a;
        data[line + stride * plane->to] =
            rule.scale * data[line + stride * plane->from] + (plane->scaled ? factor * rule.offset : rule.offset);
    }
}

/*
 * Sets the planes of a list. The normal velocity at an edge of the box is taken on the closest line inside. Its own
 * ghosts are not read: ghosts of the component that is set last are not current while the first is set.
 */
static void set_planes(const BrumeSim *sim, BrumeField *field, int axis, const SidePlanes *list)
{
    const bool *periodic = sim->geometry->cells.periodic;
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const int inner_count = brume_cells_along(field->grid, inner) + 2;
    const int outer_count = brume_cells_along(field->grid, outer) + 2;
    const int inner_last = inner_count - 2;
    const int outer_last = outer_count - 2;
    const int inner_ends[2] = {periodic[inner] ? inner_last : 1, periodic[inner] ? 1 : inner_last};
    const int outer_ends[2] = {periodic[outer] ? outer_last : 1, periodic[outer] ? 1 : outer_last};
    // across x and y, the outer lines are planes along z
    const int from = axis < 2 ? brume_lowest_plane(field->grid) : 0;
    const int to = axis < 2 ? brume_highest_plane(field->grid) : outer_count - 1;
#pragma omp parallel for schedule(static)
    for (int b = from; b <= to; b++) {
        const int closest = b == 0 ? outer_ends[0] : b == outer_count - 1 ? outer_ends[1] : b;
        for (int n = 0; n < list->count; n++) {
            const SidePlane *plane = &list->planes[n];
            if (axis == 2 && !brume_has_plane(field->grid, plane->to)) {
                continue;
            }
            const ptrdiff_t first = brume_stride(field, outer) * b;
            if (plane->values) {
                for (int a = 0; a < inner_count; a++) {
                    field->data[first + brume_stride(field, axis) * plane->to + brume_stride(field, inner) * a] =
                        plane->values[(ptrdiff_t)inner_count * b + a];
                }
                continue;
            }
            if (plane->factors) {
                set_inflow_lines(field->data + first, brume_stride(field, axis), brume_stride(field, inner),
                                 inner_count, b, plane);
                continue;
            }
            const float *normal = plane->normal ? plane->normal->data + brume_stride(field, outer) * closest : NULL;
            set_lines(field->data + first, normal, brume_stride(field, axis), brume_stride(field, inner), inner_count,
                      inner_ends, *plane);
        }
    }
}

static void add_periodic(SidePlanes *list, int n)
{
    add_plane(list, (SidePlane){.to = n + 1, .from = 1, .rule = zero_gradient});
    add_plane(list, (SidePlane){.to = 0, .from = n, .rule = zero_gradient});
}

static Rule scalar_rule(const BrumeSim *sim, const BrumeFaceDef *face, BrumeFieldId id, RuleSet rules)
{
    const float value = brume_side_scalar(sim, face, id);
    const bool is_held = face->kind == BRUME_WALL && face->fixed_temperature && id == BRUME_FIELD_TEMPERATURE;
    if (rules == FOR_TRANSPORT) {
        return face->kind == BRUME_INFLOW ? dirichlet_in_ghost(value) : zero_gradient;
    }
    return face->kind == BRUME_INFLOW || is_held ? dirichlet_on_side(value) : zero_gradient;
}

static Rule tangential_rule(const BrumeFaceDef *face, int component, RuleSet rules)
{
    const float value = brume_component(face->velocity, component);
    if (face->kind == BRUME_INFLOW) {
        return rules == FOR_TRANSPORT ? dirichlet_in_ghost(value) : dirichlet_on_side(value);
    }
    return face->kind == BRUME_WALL && face->no_slip ? dirichlet_on_side(value) : zero_gradient;
}

// the factors of an inflow with a profile for entries at `location`, and the rule where these are 0
static void set_profile(SidePlane *plane, const BrumeSim *sim, BrumeFace side, int location)
{
    const int axis = (int)side / 2;
    if (sim->far && location != BRUME_AT_CENTER) {
        plane->values = sim->far->sides[side][location];
    }
    const bool tangential = location != axis && location != BRUME_AT_CENTER;
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    plane->factors = sim->geometry->inflows.factors[side];
    plane->scaled = location != BRUME_AT_CENTER;
    plane->on_lower_faces[0] = location == inner;
    plane->on_lower_faces[1] = location == outer;
    plane->zero_rule = tangential && sim->def.faces[side].no_slip ? dirichlet_on_side(0.0f)
                       : location == axis                         ? dirichlet_in_ghost(0.0f)
                                                                  : zero_gradient;
}

// the normal velocity on the side itself is entry 1 or n+1; beyond the lower side there is one ghost, entry 0
static void add_normal(SidePlanes *list, const BrumeSim *sim, BrumeFace side, int n)
{
    const BrumeFaceDef *face = &sim->def.faces[side];
    const int axis = (int)side / 2;
    const bool upper = side % 2 == 1;
    if (face->kind != BRUME_OPEN) {
        const float value = face->kind == BRUME_INFLOW ? brume_component(face->velocity, axis) : 0.0f;
        SidePlane plane = {.to = upper ? n + 1 : 1, .from = upper ? n : 2, .rule = dirichlet_in_ghost(value)};
        if (face->kind == BRUME_INFLOW) {
            set_profile(&plane, sim, side, axis);
        }
        add_plane(list, plane);
    }
    if (!upper) {
        add_plane(list, (SidePlane){.to = 0, .from = 1, .rule = zero_gradient});
    }
}

static void add_side(SidePlanes *list, const BrumeSim *sim, BrumeFieldId id, BrumeFace side, RuleSet rules)
{
    const BrumeFaceDef *face = &sim->def.faces[side];
    const int axis = (int)side / 2;
    const bool upper = side % 2 == 1;
    const int n = brume_cells_along(sim->geometry->cells.grid, axis);
    const int location = brume_location(id);
    if (location == axis) {
        if (rules != FOR_DIFFERENCE) {
            add_normal(list, sim, side, n);
        }
        return;
    }
    const bool at_center = location == BRUME_AT_CENTER;
    SidePlane plane = {
        .to = upper ? n + 1 : 0,
        .from = upper ? n : 1,
        .rule = at_center ? scalar_rule(sim, face, id, rules) : tangential_rule(face, location, rules),
    };
    if (rules == FOR_DIFFERENCE) {
        plane.rule.offset = 0.0f;
    }
    if (face->kind == BRUME_OPEN) { // air that enters is clean and moves with the wind
        plane.normal = &sim->fields[axis];
        plane.face = upper ? n + 1 : 1;
        plane.inward = upper ? -1.0f : 1.0f;
        plane.ambient = at_center || rules == FOR_DIFFERENCE ? 0.0f : brume_component(sim->def.wind, location);
    }
    if (face->kind == BRUME_INFLOW) {
        set_profile(&plane, sim, side, location);
    }
    if (plane.values && rules == FOR_DIFFERENCE) {
        plane.values = NULL;
        plane.rule = dirichlet_in_ghost(0.0f);
    }
    add_plane(list, plane);
}

// sets the sides of `count` fields of consecutive quantities from `first` on; planes of other ranks are not current
// then
static void set_all_sides(const BrumeSim *sim, BrumeFieldId first, BrumeField *fields, int count, RuleSet rules)
{
    const bool *periodic = sim->geometry->cells.periodic;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 2 && periodic[axis]) {
            brume_exchange_fields(fields, count, 1); // the planes that the ghosts repeat
        }
        for (int n = 0; n < count; n++) {
            const BrumeFieldId id = (BrumeFieldId)((int)first + n);
            SidePlanes list = {0};
            if (!fields[n].data) {
                continue;
            }
            if (periodic[axis]) {
                add_periodic(&list, brume_cells_along(fields[n].grid, axis));
            } else {
                add_side(&list, sim, id, (BrumeFace)(2 * axis), rules);
                add_side(&list, sim, id, (BrumeFace)(2 * axis + 1), rules);
            }
            set_planes(sim, &fields[n], axis, &list);
        }
    }
}

static void set_sides_by(const BrumeSim *sim, BrumeFieldId id, BrumeField *field, RuleSet rules, int depth)
{
    set_all_sides(sim, id, field, 1, rules);
    brume_exchange_field(field, depth);
}

void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_sides_by(sim, id, field, FOR_TRANSPORT, BRUME_HALO);
}

void brume_set_diffusion_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_sides_by(sim, id, field, FOR_DIFFUSION, 1);
}

void brume_set_difference_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_sides_by(sim, id, field, FOR_DIFFERENCE, 1);
}

double brume_max_side_speed(const BrumeSim *sim)
{
    double speed = 0.0;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &sim->def.faces[side];
        if (face->kind == BRUME_INFLOW || (face->kind == BRUME_WALL && face->no_slip)) {
            const double factor = (double)sim->geometry->inflows.largest[side];
            speed = brume_fmax(speed, factor * (double)brume_length(face->velocity));
        }
    }
    return speed;
}

bool brume_body_has_no_slip(const BrumeSimDef *def, int body)
{
    const BrumeSlip slip = def->bodies[body].slip;
    return slip == BRUME_SLIP_NO || (slip == BRUME_SLIP_AUTO && def->viscosity > 0.0f);
}

void brume_set_ghosts_on_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const int location = brume_location(id);
    for (int axis = 0; axis < 3; axis++) {
        SidePlanes list = {0};
        for (int upper = 0; upper < 2 && axis != location; upper++) {
            const BrumeFaceDef *face = &sim->def.faces[2 * axis + upper];
            const Rule rule = location == BRUME_AT_CENTER ? scalar_rule(sim, face, id, FOR_TRANSPORT)
                                                          : tangential_rule(face, location, FOR_TRANSPORT);
            if (rule.scale < 0.0f && !sim->geometry->cells.periodic[axis]) { // of dirichlet_on_side
                const int n = brume_cells_along(field->grid, axis);
                add_plane(&list, (SidePlane){.to = upper ? n + 1 : 0,
                                             .from = upper ? n : 1,
                                             .rule = dirichlet_in_ghost(0.5f * rule.offset)});
            }
        }
        if (list.count > 0) {
            set_planes(sim, field, axis, &list);
        }
    }
}

float brume_wall_velocity_in_cell(const BrumeSim *sim, int body, const int index[3], int axis)
{
    const BrumeVec3 relative = brume_deformation_velocity_in_cell(sim, body, index);
    return brume_rigid_velocity_at(sim, body, index, axis, axis) + brume_component(relative, axis);
}

// a row of faces across an axis, from (first, j, k) on, and the bodies of the cells above and below them
typedef struct FaceRow {
    float *velocity;
    const uint8_t *above, *below;
    int first, count, j, k;
} FaceRow;

BRUME_INLINE void impose_rigid(const BrumeSim *sim, const FaceRow *row, int body, int axis)
{
    float *restrict velocity = row->velocity;
    for (int n = 0; n < row->count; n++) {
        const int index[3] = {row->first + n, row->j, row->k};
        const float value = brume_rigid_velocity_at(sim, body, index, axis, axis);
        const bool holds = (row->above[n] == body + 1) | (row->below[n] == body + 1);
        velocity[n] = holds ? value : velocity[n];
    }
}

BRUME_KERNEL static void impose_rigid_row(const BrumeSim *sim, const FaceRow *row, int body, int axis)
{
    if (axis == 0) {
        impose_rigid(sim, row, body, 0);
    } else if (axis == 1) {
        impose_rigid(sim, row, body, 1);
    } else {
        impose_rigid(sim, row, body, 2);
    }
}

static void impose_deforming_row(const BrumeSim *sim, const FaceRow *row, int body, int axis)
{
    for (int n = 0; n < row->count; n++) {
        const int index[3] = {row->first + n, row->j, row->k};
        if (row->above[n] == body + 1 || row->below[n] == body + 1) {
            row->velocity[n] = brume_body_velocity_at(sim, body, index, axis);
        }
    }
}

// face n+1 across a periodic axis is face 1, where the body is in the last cell
static void repeat_last_faces(const BrumeCells *cells, const BrumeIndexBox *box, int body, int axis,
                              BrumeField *velocity)
{
    const ptrdiff_t stride = brume_stride(velocity, axis);
    const int last = brume_cells_along(cells->grid, axis);
    BrumeIndexBox side = *box;
    side.from[axis] = last;
    if (axis == 2) {
        brume_exchange_field(velocity, 1);
    }
    for (int k = side.from[2]; k <= side.to[2]; k++) {
        if (!brume_has_plane(velocity->grid, axis == 2 ? 1 : k)) {
            continue;
        }
        for (int j = side.from[1]; j <= side.to[1]; j++) {
            for (int i = side.from[0]; i <= side.to[0]; i++) {
                const ptrdiff_t c = brume_field_index(velocity, i, j, k);
                if (cells->body_ids[c] == body + 1) {
                    velocity->data[c + stride * (1 - last)] = velocity->data[c + stride];
                }
            }
        }
    }
}

// sets the component along `axis` on all faces of the cells of bodies to the velocity of their surfaces
static void impose_body_velocity(const BrumeSim *sim, int axis, BrumeField *velocity)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const ptrdiff_t stride = brume_stride(velocity, axis);
    for (int n = 0; n < sim->def.body_count; n++) {
        const BrumeRigidVelocity *rigid = &sim->surface_velocity[n];
        const bool deforms = brume_body_deforms(sim, n);
        if (brume_component(rigid->velocity, axis) == 0.0f && !(brume_length(rigid->spin) > 0.0f) && !deforms) {
            continue;
        }
        const BrumeShape shape = brume_present_shape(sim, n);
        const BrumeIndexBox box = brume_cells_overlapping(&sim->def, &shape);
        const int to[3] = {box.to[0] + (axis == 0), box.to[1] + (axis == 1),
                           brume_planes_to(velocity->grid, box.to[2] + (axis == 2))};
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(velocity->grid, box.from[2]); k <= to[2]; k++) {
            for (int j = box.from[1]; j <= to[1]; j++) {
                const ptrdiff_t c = brume_field_index(velocity, box.from[0], j, k);
                const FaceRow row = {.velocity = velocity->data + c,
                                     .above = cells->body_ids + c,
                                     .below = cells->body_ids + c - stride,
                                     .first = box.from[0],
                                     .count = to[0] - box.from[0] + 1,
                                     .j = j,
                                     .k = k};
                if (deforms) {
                    impose_deforming_row(sim, &row, n, axis);
                } else {
                    impose_rigid_row(sim, &row, n, axis);
                }
            }
        }
        if (cells->periodic[axis]) {
            repeat_last_faces(cells, &box, n, axis, velocity);
        }
    }
}

// which bodies the air sticks to, so that inside them it has their velocity
static void find_sticking(const BrumeSim *sim, bool sticks[BRUME_MAX_BODIES])
{
    for (int n = 0; n < sim->def.body_count; n++) {
        sticks[n] = brume_body_has_no_slip(&sim->def, n);
    }
}

// Sets the boundary of `count` fields of consecutive quantities from `first` on. Planes of other ranks are not current
// then.
static void set_boundaries(const BrumeSim *sim, BrumeFieldId first, BrumeField *fields, int count)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeExtrapolation *extrapolation = &sim->geometry->extrapolation;
    for (int n = 0; n < count; n++) {
        const int location = brume_location((BrumeFieldId)((int)first + n));
        if (location != BRUME_AT_CENTER && cells->fractions) {
            brume_set_covered_faces(sim, location, &fields[n]);
            continue;
        }
        brume_clear_solids(cells, location, &fields[n]);
        if (location != BRUME_AT_CENTER) {
            impose_body_velocity(sim, location, &fields[n]);
        }
    }
    set_all_sides(sim, first, fields, count, FOR_TRANSPORT);
    if (!cells->bodies) {
        return;
    }
    bool no_slip[BRUME_MAX_BODIES] = {false};
    find_sticking(sim, no_slip);
    for (int layer = 0; layer < BRUME_EXTRAPOLATION_LAYERS; layer++) {
        brume_exchange_fields(fields, count, brume_extrapolation_reach(cells));
        for (int n = 0; n < count; n++) {
            const int location = brume_location((BrumeFieldId)((int)first + n));
            brume_extrapolate(extrapolation, layer, cells, location, &fields[n],
                              location == BRUME_AT_CENTER ? NULL : no_slip);
        }
    }
    if (extrapolation->at_sides) { // the ghosts next to the entries that were extrapolated
        set_all_sides(sim, first, fields, count, FOR_TRANSPORT);
    }
}

// The components of a velocity are set together. Where a body is at an open side they are set one after the other: the
// ghosts of a component there follow from the normal component, as it is before or after its own boundary is set.
void brume_set_vector_boundary(const BrumeSim *sim, BrumeField velocity[3])
{
    bool any_open = false;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        any_open = any_open || sim->geometry->cells.open[side];
    }
    const int together = any_open && sim->geometry->extrapolation.at_sides ? 1 : 3;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id += together) {
        set_boundaries(sim, (BrumeFieldId)id, &velocity[id], together);
    }
}

static void set_path_boundary(const BrumeSim *sim, BrumeField velocity[3])
{
    brume_set_vector_boundary(sim, velocity);
    if (sim->geometry->cells.fractions) {
        brume_exchange_fields(velocity, 3, 1);
        brume_set_slip_faces(sim, velocity);
        if (sim->geometry->extrapolation.at_sides) {
            set_all_sides(sim, BRUME_FIELD_U, velocity, 3, FOR_TRANSPORT);
        }
    }
}

void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_boundaries(sim, id, field, 1);
    brume_exchange_field(field, BRUME_HALO);
}

void brume_set_path_boundary(const BrumeSim *sim, BrumeField velocity[3])
{
    set_path_boundary(sim, velocity);
    brume_exchange_fields(velocity, 3, BRUME_HALO);
}

void brume_set_carried_boundary(const BrumeSim *sim, BrumeField velocity[3])
{
    const BrumeCells *cells = &sim->geometry->cells;
    if (!cells->has_creases) {
        brume_set_vector_boundary(sim, velocity);
        return;
    }
    bool no_slip[BRUME_MAX_BODIES] = {false};
    find_sticking(sim, no_slip);
    brume_exchange_fields(velocity, 3, 1);
    for (int axis = 0; axis < 3; axis++) {
        brume_extrapolate_to_narrow_faces(&sim->geometry->extrapolation, cells, axis, &velocity[axis], no_slip);
    }
    set_path_boundary(sim, velocity);
}

void brume_set_velocity_boundary(BrumeSim *sim)
{
    brume_set_path_boundary(sim, sim->fields);
    brume_establish(sim, BRUME_VALID_VELOCITY);
}

void brume_set_scalar_ghosts(BrumeSim *sim)
{
    BrumeField *scalars = &sim->fields[BRUME_FIELD_TEMPERATURE];
    for (int n = 0; n < BRUME_SCALAR_COUNT; n++) {
        if (scalars[n].data) {
            brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &scalars[n]);
        }
    }
    set_all_sides(sim, BRUME_FIELD_TEMPERATURE, scalars, BRUME_SCALAR_COUNT, FOR_TRANSPORT);
    brume_exchange_fields(scalars, BRUME_SCALAR_COUNT, BRUME_HALO);
    brume_establish(sim, BRUME_VALID_SCALAR_GHOSTS);
}
