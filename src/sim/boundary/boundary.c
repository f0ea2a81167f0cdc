/*
 * What lies beyond the sides of the box. A ghost entry follows its neighbour inside by one rule,
 *     ghost = scale * inside + offset,
 * which holds a value on the side itself (scale -1, offset twice the value), holds it in the ghost (scale 0), or lets
 * it go on unchanged (scale 1). Sides are done along x, then y, then z, each over the whole plane with its ghosts, so
 * that edges and corners are filled as well.
 */
#include "sim/sim_internal.h"

typedef struct Rule {
    float scale;
    float offset;
} Rule;

static const Rule continues = {1.0f, 0.0f};

static Rule holds_on_side(float value) { return (Rule){-1.0f, 2.0f * value}; }

static Rule holds_in_ghost(float value) { return (Rule){0.0f, value}; }

// the two axes across `axis`, the one with the longer stride last
static void other_axes(int axis, int *inner, int *outer)
{
    *inner = axis == 0 ? 1 : 0;
    *outer = axis == 2 ? 1 : 2;
}

// entry `to` of every line along an axis follows its entry `from`; where `carried` (the normal velocity, may be NULL)
// at entry `face` blows into the box, which is along `inward`, it holds `ambient`
typedef struct Plane {
    int to, from;
    Rule rule;
    const BrumeField *carried;
    int face;
    float inward;
    float ambient;
} Plane;

// what is to be set along an axis, in this order; lines in reach of the cache at both ends, as a row ends where the
// next begins
typedef struct Planes {
    int count;
    Plane planes[4];
} Planes;

static void add_plane(Planes *list, Plane plane) { list->planes[list->count++] = plane; }

// `count` lines along an axis, `stride` from entry to entry and `next` from line to line
static void set_lines(float *data, const float *carried, ptrdiff_t stride, ptrdiff_t next, int count, Plane plane)
{
    for (int a = 0; a < count; a++) {
        const ptrdiff_t line = next * a;
        const float inside = data[line + stride * plane.from];
        const bool enters = carried && carried[line + stride * plane.face] * plane.inward > 0.0f;
        data[line + stride * plane.to] = enters ? plane.ambient : plane.rule.scale * inside + plane.rule.offset;
    }
}

static void set_planes(BrumeField *field, int axis, const Planes *list)
{
    int inner;
    int outer;
    other_axes(axis, &inner, &outer);
    const int inner_count = brume_cells_along(field->grid, inner) + 2;
    const int outer_count = brume_cells_along(field->grid, outer) + 2;
#pragma omp parallel for schedule(static)
    for (int b = 0; b < outer_count; b++) {
        for (int n = 0; n < list->count; n++) {
            const Plane *plane = &list->planes[n];
            const ptrdiff_t first = brume_stride(field, outer) * b;
            set_lines(field->data + first, plane->carried ? plane->carried->data + first : NULL,
                      brume_stride(field, axis), brume_stride(field, inner), inner_count, *plane);
        }
    }
}

static void add_periodic(Planes *list, int n)
{
    add_plane(list, (Plane){.to = n + 1, .from = 1, .rule = continues});
    add_plane(list, (Plane){.to = 0, .from = n, .rule = continues});
}

static Rule scalar_rule(const BrumeFaceDef *face, BrumeFieldId id)
{
    const float value = id == BRUME_FIELD_TEMPERATURE ? face->temperature : face->smoke[id - BRUME_FIELD_DENSITY];
    if (face->kind == BRUME_INFLOW) {
        return holds_in_ghost(value);
    }
    if (face->kind == BRUME_WALL && face->fixed_temperature && id == BRUME_FIELD_TEMPERATURE) {
        return holds_on_side(value);
    }
    return continues;
}

static Rule tangential_rule(const BrumeFaceDef *face, int component)
{
    const bool sticks = face->kind == BRUME_INFLOW || (face->kind == BRUME_WALL && face->no_slip);
    return sticks ? holds_on_side(brume_component(face->velocity, component)) : continues;
}

// the velocity through a side sits on the side itself; beyond it, the entry of the lower ghost goes on unchanged
static void add_normal(Planes *list, const BrumeFaceDef *face, int axis, int n, bool upper)
{
    if (face->kind != BRUME_OPEN) {
        const float value = face->kind == BRUME_INFLOW ? brume_component(face->velocity, axis) : 0.0f;
        add_plane(list, (Plane){.to = upper ? n + 1 : 1, .from = upper ? n : 2, .rule = holds_in_ghost(value)});
    }
    if (!upper) {
        add_plane(list, (Plane){.to = 0, .from = 1, .rule = continues});
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
    if (face->kind == BRUME_OPEN) { // what comes in through it is clean air that moves with the wind
        plane.carried = &sim->fields[axis];
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

/**
 * Sets the ghosts of a field that holds quantity `id` (it may be the state's or a work field), and for a velocity its
 * values on the sides of the box that are not open.
 */
void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field) { set_all_sides(sim, id, field, false); }

/** As brume_set_sides, with every prescribed value 0: the ghosts of a difference of two such fields. */
void brume_set_sides_homogeneous(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    set_all_sides(sim, id, field, true);
}

/**
 * Makes a field of quantity `id` ready to be read anywhere: sides as brume_set_sides; 0, or for velocity the obstacle's
 * own, on the surfaces of obstacles and inside, continued smoothly into their two outermost layers. Velocity is not
 * continued where the air is viscous, because it sticks to obstacles then.
 */
void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const int location = brume_location(id);
    const bool sticks = location != BRUME_AT_CENTER && sim->def.viscosity > 0.0f;
    brume_solids_clear(&sim->geometry->cells, location, field);
    if (location != BRUME_AT_CENTER) {
        brume_impose_motion(sim, location, field);
    }
    brume_set_sides(sim, id, field);
    if (sim->geometry->cells.obstacles && !sticks) {
        brume_solids_fill_rims(&sim->geometry->solids, location, field);
    }
}

/** Continues a work field at the centers into the ghosts: unchanged beyond the sides, periodic where they are. */
void brume_continue_sides(const BrumeSim *sim, BrumeField *field)
{
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(field->grid, axis);
        Planes list = {0};
        if (sim->geometry->cells.periodic[axis]) {
            add_periodic(&list, n);
        } else {
            add_plane(&list, (Plane){.to = 0, .from = 1, .rule = continues});
            add_plane(&list, (Plane){.to = n + 1, .from = n, .rule = continues});
        }
        set_planes(field, axis, &list);
    }
}

/** The boundary of the whole state: velocity ready to be read anywhere, nothing of temperature and smoke in obstacles.
 */
void brume_clean_boundary(BrumeSim *sim)
{
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_set_boundary(sim, (BrumeFieldId)id, &sim->fields[id]);
    }
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            brume_solids_clear(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[id]);
            brume_set_sides(sim, (BrumeFieldId)id, &sim->fields[id]);
        }
    }
}
