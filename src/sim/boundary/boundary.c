/*
 * Boundary conditions at the sides of the box and at obstacles. A ghost entry follows from its neighbour inside by
 *     ghost = scale * inside + offset,
 * which prescribes a value on the side itself (Dirichlet: scale -1, offset twice the value), prescribes it in the ghost
 * (scale 0), or prescribes a zero gradient (Neumann: scale 1, offset 0). The sides are set along x, then y, then z,
 * each over the whole plane with its ghosts, so that edges and corners are set too.
 */
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

typedef struct Rule {
    float scale;
    float offset;
} Rule;

static const Rule zero_gradient = {1.0f, 0.0f};

static Rule fixed_on_side(float value) { return (Rule){-1.0f, 2.0f * value}; }

static Rule fixed_in_ghost(float value) { return (Rule){0.0f, value}; }

// a plane of entries across an axis: on each line along the axis, entry `to` is set from entry `from` by the rule; at
// an open side it is `ambient` instead where the velocity `normal` at entry `face` has the sign of `inward`
typedef struct Plane {
    int to, from;
    Rule rule;
    const BrumeField *normal; // NULL at all other sides
    int face;
    float inward;
    float ambient;
} Plane;

// the planes to set across one axis, in this order; all of them are set line by line, because the last entry of a row
// and the first of the next share a cache line
typedef struct Planes {
    int count;
    Plane planes[4];
} Planes;

static void add_plane(Planes *list, Plane plane) { list->planes[list->count++] = plane; }

// sets a plane on `count` lines along an axis; `stride` leads from entry to entry and `next` from line to line
static void set_lines(float *data, const float *normal, ptrdiff_t stride, ptrdiff_t next, int count, Plane plane)
{
    for (int a = 0; a < count; a++) {
        const ptrdiff_t line = next * a;
        const float inside = data[line + stride * plane.from];
        const bool enters = normal && normal[line + stride * plane.face] * plane.inward > 0.0f;
        data[line + stride * plane.to] = enters ? plane.ambient : plane.rule.scale * inside + plane.rule.offset;
    }
}

static void set_planes(BrumeField *field, int axis, const Planes *list)
{
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const int inner_count = brume_cells_along(field->grid, inner) + 2;
    const int outer_count = brume_cells_along(field->grid, outer) + 2;
#pragma omp parallel for schedule(static)
    for (int b = 0; b < outer_count; b++) {
        for (int n = 0; n < list->count; n++) {
            const Plane *plane = &list->planes[n];
            const ptrdiff_t first = brume_stride(field, outer) * b;
            set_lines(field->data + first, plane->normal ? plane->normal->data + first : NULL,
                      brume_stride(field, axis), brume_stride(field, inner), inner_count, *plane);
        }
    }
}

static void add_periodic(Planes *list, int n)
{
    add_plane(list, (Plane){.to = n + 1, .from = 1, .rule = zero_gradient});
    add_plane(list, (Plane){.to = 0, .from = n, .rule = zero_gradient});
}

static Rule scalar_rule(const BrumeFaceDef *face, BrumeFieldId id)
{
    const float value = id == BRUME_FIELD_TEMPERATURE ? face->temperature : face->smoke[id - BRUME_FIELD_DENSITY];
    if (face->kind == BRUME_INFLOW) {
        return fixed_in_ghost(value);
    }
    if (face->kind == BRUME_WALL && face->fixed_temperature && id == BRUME_FIELD_TEMPERATURE) {
        return fixed_on_side(value);
    }
    return zero_gradient;
}

static Rule tangential_rule(const BrumeFaceDef *face, int component)
{
    const bool prescribed = face->kind == BRUME_INFLOW || (face->kind == BRUME_WALL && face->no_slip);
    return prescribed ? fixed_on_side(brume_component(face->velocity, component)) : zero_gradient;
}

// the normal velocity on the side itself is entry 1 or n+1; beyond the lower side there is one ghost, entry 0
static void add_normal(Planes *list, const BrumeFaceDef *face, int axis, int n, bool upper)
{
    if (face->kind != BRUME_OPEN) {
        const float value = face->kind == BRUME_INFLOW ? brume_component(face->velocity, axis) : 0.0f;
        add_plane(list, (Plane){.to = upper ? n + 1 : 1, .from = upper ? n : 2, .rule = fixed_in_ghost(value)});
    }
    if (!upper) {
        add_plane(list, (Plane){.to = 0, .from = 1, .rule = zero_gradient});
    }
}

static void add_side(Planes *list, const BrumeSim *sim, BrumeFieldId id, BrumeFace side, bool homogeneous)
{
    const BrumeFaceDef *face = &sim->def.faces[side];
    const int axis = (int)side / 2;
    const bool upper = side % 2 == 1;
    const int n = brume_cells_along(sim->geometry->cells.grid, axis);
    const int location = brume_location(id);
    if (location == axis) {
        if (!homogeneous) {
            add_normal(list, face, axis, n, upper);
        }
        return;
    }
    const bool at_center = location == BRUME_AT_CENTER;
    Plane plane = {
        .to = upper ? n + 1 : 0,
        .from = upper ? n : 1,
        .rule = at_center ? scalar_rule(face, id) : tangential_rule(face, location),
    };
    if (homogeneous) {
        plane.rule.offset = 0.0f;
    }
    if (face->kind == BRUME_OPEN) { // air that enters is clean and moves with the wind
        plane.normal = &sim->fields[axis];
        plane.face = upper ? n + 1 : 1;
        plane.inward = upper ? -1.0f : 1.0f;
        plane.ambient = at_center || homogeneous ? 0.0f : brume_component(sim->def.wind, location);
    }
    add_plane(list, plane);
}

static void set_all_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field, bool homogeneous)
{
    for (int axis = 0; axis < 3; axis++) {
        Planes list = {0};
        if (sim->geometry->cells.periodic[axis]) {
            add_periodic(&list, brume_cells_along(field->grid, axis));
        } else {
            add_side(&list, sim, id, (BrumeFace)(2 * axis), homogeneous);
            add_side(&list, sim, id, (BrumeFace)(2 * axis + 1), homogeneous);
        }
        set_planes(field, axis, &list);
    }
}

void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field) { set_all_sides(sim, id, field, false); }

void brume_set_sides_homogeneous(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_all_sides(sim, id, field, true);
}

void brume_set_ghosts_on_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const int location = brume_location(id);
    for (int axis = 0; axis < 3; axis++) {
        Planes list = {0};
        for (int upper = 0; upper < 2 && axis != location; upper++) {
            const BrumeFaceDef *face = &sim->def.faces[2 * axis + upper];
            const Rule rule = location == BRUME_AT_CENTER ? scalar_rule(face, id) : tangential_rule(face, location);
            if (rule.scale < 0.0f && !sim->geometry->cells.periodic[axis]) { // of fixed_on_side
                const int n = brume_cells_along(field->grid, axis);
                add_plane(&list, (Plane){.to = upper ? n + 1 : 0,
                                         .from = upper ? n : 1,
                                         .rule = fixed_in_ghost(0.5f * rule.offset)});
            }
        }
        if (list.count > 0) {
            set_planes(field, axis, &list);
        }
    }
}

void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const int location = brume_location(id);
    const bool no_slip = location != BRUME_AT_CENTER && sim->def.viscosity > 0.0f;
    brume_clear_solids(&sim->geometry->cells, location, field);
    if (location != BRUME_AT_CENTER) {
        brume_impose_obstacle_velocity(sim, location, field);
    }
    brume_set_sides(sim, id, field);
    if (sim->geometry->cells.obstacles && !no_slip) {
        brume_extrapolate(&sim->geometry->extrapolation, location, field);
    }
}

void brume_set_vector_boundary(const BrumeSim *sim, BrumeField velocity[3])
{
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_set_boundary(sim, (BrumeFieldId)id, &velocity[id]);
    }
}

void brume_set_velocity_boundary(BrumeSim *sim)
{
    brume_set_vector_boundary(sim, sim->fields);
    brume_establish(sim, BRUME_VALID_VELOCITY);
}

void brume_set_scalar_ghosts(BrumeSim *sim)
{
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[id]);
            brume_set_sides(sim, (BrumeFieldId)id, &sim->fields[id]);
        }
    }
    brume_establish(sim, BRUME_VALID_SCALAR_GHOSTS);
}
