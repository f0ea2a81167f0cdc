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

// entry `to` of every line along `axis` from its entry `from`; where `carried` (the normal velocity, may be NULL) at
// entry `face` blows into the box, which is along `inward`, the ghost holds `ambient`
static void set_plane(BrumeField *field, int axis, int to, int from, Rule rule, const BrumeField *carried, int face,
                      float inward, float ambient)
{
    int inner;
    int outer;
    other_axes(axis, &inner, &outer);
    const ptrdiff_t stride = brume_stride(field, axis);
    const ptrdiff_t inner_stride = brume_stride(field, inner);
    const ptrdiff_t outer_stride = brume_stride(field, outer);
    const int inner_count = brume_cells_along(field->grid, inner) + 2;
    const int outer_count = brume_cells_along(field->grid, outer) + 2;
#pragma omp parallel for schedule(static)
    for (int b = 0; b < outer_count; b++) {
        for (int a = 0; a < inner_count; a++) {
            const ptrdiff_t line = inner_stride * a + outer_stride * b;
            const float inside = field->data[line + stride * from];
            const bool enters = carried && carried->data[line + stride * face] * inward > 0.0f;
            field->data[line + stride * to] = enters ? ambient : rule.scale * inside + rule.offset;
        }
    }
}

static void set_periodic(BrumeField *field, int axis)
{
    const int n = brume_cells_along(field->grid, axis);
    set_plane(field, axis, n + 1, 1, continues, NULL, 0, 0.0f, 0.0f);
    set_plane(field, axis, 0, n, continues, NULL, 0, 0.0f, 0.0f);
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
static void set_normal(BrumeField *field, const BrumeFaceDef *face, int axis, bool upper)
{
    const int n = brume_cells_along(field->grid, axis);
    if (face->kind != BRUME_OPEN) {
        const float value = face->kind == BRUME_INFLOW ? brume_component(face->velocity, axis) : 0.0f;
        set_plane(field, axis, upper ? n + 1 : 1, upper ? n : 2, holds_in_ghost(value), NULL, 0, 0.0f, 0.0f);
    }
    if (!upper) {
        set_plane(field, axis, 0, 1, continues, NULL, 0, 0.0f, 0.0f);
    }
}

static void set_side(const BrumeSim *sim, BrumeFieldId id, BrumeField *field, BrumeFace side, bool homogeneous)
{
    const BrumeFaceDef *face = &sim->def.faces[side];
    const int axis = (int)side / 2;
    const bool upper = side % 2 == 1;
    const int n = brume_cells_along(field->grid, axis);
    const int location = brume_location(id);
    if (location == axis) {
        if (!homogeneous) {
            set_normal(field, face, axis, upper);
        }
        return;
    }
    const bool at_center = location == BRUME_AT_CENTER;
    // what comes in through an open side is clean air that moves with the wind
    const bool carried = face->kind == BRUME_OPEN;
    const float ambient = at_center || homogeneous ? 0.0f : brume_component(sim->def.wind, location);
    Rule rule = at_center ? scalar_rule(face, id) : tangential_rule(face, location);
    if (homogeneous) {
        rule.offset = 0.0f;
    }
    set_plane(field, axis, upper ? n + 1 : 0, upper ? n : 1, rule, carried ? &sim->fields[axis] : NULL,
              upper ? n + 1 : 1, upper ? -1.0f : 1.0f, ambient);
}

static void set_all_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field, bool homogeneous)
{
    for (int axis = 0; axis < 3; axis++) {
        if (sim->geometry->cells.periodic[axis]) {
            set_periodic(field, axis);
            continue;
        }
        set_side(sim, id, field, (BrumeFace)(2 * axis), homogeneous);
        set_side(sim, id, field, (BrumeFace)(2 * axis + 1), homogeneous);
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
        if (sim->geometry->cells.periodic[axis]) {
            set_periodic(field, axis);
        } else {
            set_plane(field, axis, 0, 1, continues, NULL, 0, 0.0f, 0.0f);
            set_plane(field, axis, n + 1, n, continues, NULL, 0, 0.0f, 0.0f);
        }
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
