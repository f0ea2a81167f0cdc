/*
 * The check of BrumeSimDef: each value against the hard limits in its table of settings, which the scene reader applies
 * too, and the values against each other.
 */
#include "core/domain.h"
#include "core/error.h"
#include "core/mesh.h"
#include "core/samples.h"
#include "core/vec3.h"
#include "sim/boundary/inflow.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"
#include "sim/state/state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Count {
    const char *name;
    int value, max;
} Count;

static BrumeStatus check_counts(const BrumeSimDef *def, BrumeError *error)
{
    const Count counts[] = {
        {"body_count", def->body_count, BRUME_MAX_BODIES},
        {"initial_count", def->initial_count, BRUME_MAX_INITIAL},
        {"emitter_count", def->emitter_count, BRUME_MAX_EMITTERS},
        {"color_count", def->color_count, BRUME_SMOKE_KINDS - 1},
    };
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        if (counts[n].value < 0 || counts[n].value > counts[n].max) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s is %d, but must be from 0 to %d", counts[n].name,
                              counts[n].value, counts[n].max);
        }
    }
    return BRUME_OK;
}

/** Names the section of a setting as the scene reader does: 'solver' of "solver.cfl". */
static const char *name_section(const BrumeSetting *setting, char owner[32])
{
    const char *const dot = strrchr(setting->path, '.');
    (void)snprintf(owner, 32, dot ? "'%.*s'" : "the settings", (int)(dot ? dot - setting->path : 0), setting->path);
    return owner;
}

static BrumeStatus check_settings(const BrumeSimDef *def, BrumeError *error)
{
    for (int n = 0; n < BRUME_SIM_SETTING_COUNT; n++) {
        char owner[32];
        const BrumeSetting *const setting = &brume_sim_setting_table[n];
        const BrumeStatus status = brume_setting_check(setting, def, name_section(setting, owner), error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    if (def->min_steps > def->max_steps) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "'min_steps' in 'solver' is %d, but must be at most 'max_steps', which is %d", def->min_steps,
                          def->max_steps);
    }
    const int sides[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; def->far_factor > 1 && axis < 3; axis++) {
        if (def->far_factor == 3 || sides[axis] % def->far_factor != 0 || sides[axis] < 8 * def->far_factor) {
            return brume_fail(
                error, BRUME_BAD_INPUT,
                "'factor' in 'domain.far' is %d, but must be 1, 2 or 4, and the box must have a multiple of "
                "it and at least %d cells along each axis, not %d",
                def->far_factor, 8 * def->far_factor, sides[axis]);
        }
    }
    // traces store the offset of an entry in 32 bits
    if (brume_grid_entries(brume_grid(def->nx, def->ny, def->nz)) > INT32_MAX) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d x %d x %d cells are more than 2^31 (lower the resolution)",
                          def->nx, def->ny, def->nz);
    }
    return BRUME_OK;
}

BrumeStatus brume_sim_check_thin_axis(const BrumeSimDef *def, BrumeError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (cells[axis] > 1) {
            continue;
        }
        if (axis == 0 || ++count > 1) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "'resolution' in 'solver' is 1 along %s; a box may be one cell thick along y or z",
                              axis == 0 ? "x" : "two axes");
        }
        if (def->faces[2 * axis].kind != BRUME_PERIODIC) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "'resolution' in 'solver' is 1 along %c, whose faces must then be periodic "
                              "('boundaries: {%c: periodic}')",
                              "xyz"[axis], "xyz"[axis]);
        }
    }
    return BRUME_OK;
}

/** Whether a face uses a setting; only the members of its profile and opening need valid values. */
static bool face_uses(const BrumeFaceDef *face, int setting)
{
    const bool inflow = face->kind == BRUME_INFLOW;
    switch (setting) {
    case BRUME_FACE_THICKNESS:
        return inflow && face->profile == BRUME_INFLOW_TANH;
    case BRUME_FACE_OPENING_CENTER:
        return inflow && face->opening.kind != BRUME_OPENING_FACE;
    case BRUME_FACE_OPENING_RADIUS:
        return inflow && face->opening.kind == BRUME_OPENING_ROUND;
    case BRUME_FACE_OPENING_SIZE:
        return inflow && face->opening.kind == BRUME_OPENING_RECTANGLE;
    default:
        return true;
    }
}

static BrumeStatus check_faces(const BrumeSimDef *def, BrumeError *error)
{
    static const char *const names[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        char owner[32];
        (void)snprintf(owner, sizeof owner, "face '%s'", names[face]);
        for (int n = 0; n < BRUME_FACE_SETTING_COUNT; n++) {
            const BrumeStatus status =
                face_uses(&def->faces[face], n)
                    ? brume_setting_check(&brume_face_setting_table[n], &def->faces[face], owner, error)
                    : BRUME_OK;
            if (status != BRUME_OK) {
                return status;
            }
        }
        const char *const fault = brume_inflow_fault(def, (BrumeFace)face);
        if (fault) {
            return brume_fail(error, BRUME_BAD_INPUT, "the opening of face '%s' %s", names[face], fault);
        }
        const bool periodic = def->faces[face].kind == BRUME_PERIODIC;
        if (periodic != (def->faces[face ^ 1].kind == BRUME_PERIODIC)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "face '%s' is %speriodic but '%s' is%s; opposite faces are both periodic or neither is",
                              names[face], periodic ? "" : "not ", names[face ^ 1], periodic ? " not" : "");
        }
    }
    return BRUME_OK;
}

/** Checks the settings of a table that a struct uses. */
static BrumeStatus check_used(const BrumeSetting *table, int count, const void *object, const char *owner,
                              BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status =
            brume_setting_is_used(&table[n], object) ? brume_setting_check(&table[n], object, owner, error) : BRUME_OK;
    }
    return status;
}

/** Checks the members that a shape of its kind uses. `size` is not a member. */
static BrumeStatus check_shape(const BrumeShape *shape, const char *owner, BrumeError *error)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const BrumeSetting *const table = brume_shape_setting_table;
    const bool is_volume = shape->kind == BRUME_SHAPE_VOLUME;
    BrumeStatus status = check_used(table, BRUME_SHAPE_SIZE, shape, owner, error);
    if (status == BRUME_OK) {
        status = check_used(&table[BRUME_SHAPE_FROM], BRUME_SHAPE_THRESHOLD - BRUME_SHAPE_FROM, shape, owner, error);
    }
    if (status == BRUME_OK && shape->kind == BRUME_SHAPE_MESH && !brume_mesh_has_triangles(shape->mesh)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s is a mesh without triangles", owner);
    }
    if (status == BRUME_OK && is_volume && !brume_samples_have_values(shape->samples)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s is a volume without samples", owner);
    }
    if (status == BRUME_OK && is_volume && !(sides.x > 0.0f && sides.y > 0.0f && sides.z > 0.0f)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s is a volume whose upper corner is not above the lower one",
                          owner);
    }
    const bool is_scaled = !brume_is_zero(shape->scale);
    for (int n = BRUME_SHAPE_THRESHOLD; n < BRUME_SHAPE_SETTING_COUNT && status == BRUME_OK; n++) {
        status = n == BRUME_SHAPE_SCALE && !is_scaled ? BRUME_OK : check_used(&table[n], 1, shape, owner, error);
    }
    return status;
}

/** Checks that the parent of a body or emitter exists and has equal factors of scale. */
static BrumeStatus check_parent(const BrumeSimDef *def, int parent, const char *owner, BrumeError *error)
{
    if (parent < 0 || parent > def->body_count) {
        return brume_fail(error, BRUME_BAD_INPUT, "the parent of %s is body %d, but there are %d", owner, parent - 1,
                          def->body_count);
    }
    const BrumeVec3 scale = parent > 0 ? def->bodies[parent - 1].shape.scale : (BrumeVec3){0};
    return scale.x == scale.y && scale.y == scale.z
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "the parent of %s, body %d, has the unequal factors of scale %g, %g and %g", owner,
                            parent - 1, (double)scale.x, (double)scale.y, (double)scale.z);
}

bool brume_body_follows_itself(const BrumeSimDef *def, int body)
{
    int next = def->bodies[body].parent;
    for (int levels = 0; levels < def->body_count && next > 0 && next != body + 1; levels++) {
        next = def->bodies[next - 1].parent;
    }
    return next == body + 1;
}

const char *brume_emitter_fault(const BrumeEmitterDef *emitter, const BrumeBodyDef *bodies)
{
    const BrumeShapeKind kind = emitter->body > 0 ? bodies[emitter->body - 1].shape.kind : emitter->shape.kind;
    const bool is_surface = emitter->from == BRUME_EMIT_SURFACE;
    const bool adds_velocity = emitter->source_velocity != 0.0f || emitter->normal_velocity != 0.0f;
    if (kind == BRUME_SHAPE_VOLUME && (is_surface || emitter->normal_velocity != 0.0f || emitter->body > 0)) {
        return "a volume has no surface to emit from, because its values are what it emits";
    }
    if (emitter->from != BRUME_EMIT_VOLUME && emitter->softness > 0.0f) {
        return is_surface ? "'softness' has no effect with 'emit_from: surface'"
                          : "'softness' has no effect with 'emit_from: vertices'";
    }
    if (emitter->from == BRUME_EMIT_VERTICES && kind != BRUME_SHAPE_MESH) {
        return "'emit_from: vertices' needs the shape 'mesh'";
    }
    if (emitter->mesh_color && kind != BRUME_SHAPE_MESH) {
        return "'mesh_color' needs the shape 'mesh'";
    }
    if (adds_velocity && emitter->velocity.mode != BRUME_SOURCE_SET) {
        return "'source_velocity' and 'normal_velocity' exclude 'acceleration'";
    }
    if (emitter->body == 0 && brume_mesh_deforms(emitter->shape.mesh)) {
        return "a mesh that deforms is the shape of a body, which an emitter has by its 'body'";
    }
    const BrumeForceKind force = emitter->force.kind;
    if (force == BRUME_FORCE_ATTRACTION && (kind == BRUME_SHAPE_VOLUME || emitter->from != BRUME_EMIT_VOLUME)) {
        return "an attraction needs a shape other than a volume, and no 'emit_from'";
    }
    return emitter->body > 0 && emitter->parent > 0 ? "an emitter has either a 'body' or a 'parent'" : NULL;
}

static BrumeStatus check_emitter(const BrumeSimDef *def, int index, BrumeError *error)
{
    const BrumeEmitterDef *const emitter = &def->emitters[index];
    char owner[32];
    (void)snprintf(owner, sizeof owner, "'emitter' %d", index);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (kind > def->color_count && emitter->smoke[kind].mode != BRUME_SOURCE_NONE) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s emits color_%d, but color_count is %d", owner, kind,
                              def->color_count);
        }
    }
    BrumeStatus status = check_used(brume_emitter_setting_table, BRUME_EMITTER_SETTING_COUNT, emitter, owner, error);
    if (status == BRUME_OK && emitter->shape.kind == BRUME_SHAPE_VOLUME && !(emitter->shape.threshold > 0.0f)) {
        return brume_fail(error, BRUME_BAD_INPUT, "'threshold' in %s is %g, but must be above 0", owner,
                          (double)emitter->shape.threshold);
    }
    if (status == BRUME_OK && emitter->shape.kind == BRUME_SHAPE_VOLUME && emitter->softness != 0.0f) {
        return brume_fail(error, BRUME_BAD_INPUT, "'softness' in %s is %g, but must be 0 for a volume", owner,
                          (double)emitter->softness);
    }
    for (int n = 0; n < 3 && emitter->force.kind == BRUME_FORCE_FLOW; n++) {
        if (!brume_samples_have_values(emitter->force.samples[n])) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s has the force 'flow' without samples", owner);
        }
    }
    const bool has_body = emitter->body > 0 && emitter->body <= def->body_count;
    if (status == BRUME_OK && emitter->body != 0 && !has_body) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s has the shape of body %d, but there are %d", owner,
                          emitter->body - 1, def->body_count);
    }
    if (status == BRUME_OK) {
        const char *const fault = brume_emitter_fault(emitter, def->bodies);
        status = fault ? brume_fail(error, BRUME_BAD_INPUT, "%s: %s", owner, fault)
                       : check_parent(def, emitter->parent, owner, error);
    }
    return status == BRUME_OK && brume_emitter_has_source(emitter) && !has_body
               ? check_shape(&emitter->shape, owner, error)
               : status;
}

static BrumeStatus check_shapes(const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < def->emitter_count && status == BRUME_OK; n++) {
        status = check_emitter(def, n, error);
    }
    for (int n = 0; n < def->body_count && status == BRUME_OK; n++) {
        char owner[32];
        (void)snprintf(owner, sizeof owner, "'body' %d", n);
        status = check_shape(&def->bodies[n].shape, owner, error);
        if (status == BRUME_OK) {
            status = check_used(brume_body_setting_table, BRUME_BODY_SETTING_COUNT, &def->bodies[n], owner, error);
        }
        if (status == BRUME_OK) {
            status = check_parent(def, def->bodies[n].parent, owner, error);
        }
        if (status == BRUME_OK && def->bodies[n].fixed_temperature && !(def->thermal_diffusivity > 0.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s has a temperature, which has no effect because 'thermal_diffusivity' is 0", owner);
        }
        if (status == BRUME_OK && def->bodies[n].fixed_temperature && def->bodies[n].heat_flux != 0.0f) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s has both a temperature and a heat flux", owner);
        }
    }
    for (int n = 0; n < def->body_count && status == BRUME_OK; n++) {
        if (brume_body_follows_itself(def, n)) {
            return brume_fail(error, BRUME_BAD_INPUT, "body %d follows itself by its parents", n);
        }
    }
    return status;
}

static BrumeStatus check_initial(const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < def->initial_count && status == BRUME_OK; n++) {
        char owner[32];
        BrumeInitialFault fault;
        (void)snprintf(owner, sizeof owner, "'initial' %d", n);
        status = brume_initial_check(&def->initial[n], def, owner, &fault, error);
    }
    return status;
}

static BrumeStatus check_smoke(const BrumeSimDef *def, BrumeError *error)
{
    static const char *const owners[BRUME_SMOKE_KINDS] = {"'smoke.density'", "'smoke.color_1'", "'smoke.color_2'",
                                                          "'smoke.color_3'"};
    BrumeStatus status = BRUME_OK;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (status == BRUME_OK) {
            status = check_used(brume_smoke_setting_table, BRUME_SMOKE_SETTING_COUNT, &def->smoke[kind], owners[kind],
                                error);
        }
    }
    return status;
}

const char *brume_fire_fault(const BrumeSimDef *def)
{
    bool opens = false;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        opens = opens || def->faces[face].kind == BRUME_OPEN;
    }
    if (!opens) {
        return "needs an open side of the box ('domain.boundaries'), because burning gas expands";
    }
    return strcmp(def->integrator, "second-order") != 0 ? "needs 'integrator: second-order' in 'solver'"
           : strcmp(def->transport, "ppm") != 0         ? "needs 'transport: ppm' in 'solver'"
                                                        : NULL;
}

static BrumeStatus check_fire(const BrumeSimDef *def, BrumeError *error)
{
    const int fueled = brume_first_fueled_emitter(def);
    if (fueled >= 0 && !brume_has_fuel(def)) {
        return brume_fail(error, BRUME_BAD_INPUT, "'emitter' %d has fuel, but 'model' in 'fire' is 'none'", fueled);
    }
    const char *const fault = brume_has_fuel(def) ? brume_fire_fault(def) : NULL;
    if (fault) {
        return brume_fail(error, BRUME_BAD_INPUT, "'fire' %s", fault);
    }
    return !brume_has_fuel(def) || def->fire.soot_kind <= def->color_count
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "'soot_kind' in 'fire' is color_%d, but color_count is %d",
                            def->fire.soot_kind, def->color_count);
}

const char *brume_vapor_fault(const BrumeSimDef *def)
{
    return def->vapor.liquid == def->vapor.kind - 1 ? "has the same smoke for vapor ('kind') and 'liquid'"
           : brume_has_fuel(def) ? "cannot be in a scene with fuel, whose gas has another heat than moist air"
                                 : NULL;
}

static BrumeStatus check_vapor(const BrumeSimDef *def, BrumeError *error)
{
    const char *const fault = brume_has_vapor(def) ? brume_vapor_fault(def) : NULL;
    if (fault) {
        return brume_fail(error, BRUME_BAD_INPUT, "'vapor' %s", fault);
    }
    const int last = brume_max_int(def->vapor.kind - 1, def->vapor.liquid);
    return !brume_has_vapor(def) || last <= def->color_count
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "'vapor' has color_%d, but color_count is %d", last,
                            def->color_count);
}

static BrumeStatus check_particles(const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS && status == BRUME_OK; kind++) {
        status = check_used(brume_particle_setting_table, BRUME_PARTICLE_SETTING_COUNT, &def->particles[kind],
                            brume_particle_kind_name((BrumeParticleKind)kind), error);
    }
    return status;
}

static BrumeStatus check_pressure(const BrumeSimDef *def, BrumeError *error)
{
    const bool classic = strcmp(def->integrator, "classic") == 0;
    if (brume_has_bodies(def) && strcmp(def->solids, "cut") == 0 &&
        (classic || strcmp(def->pressure, "relaxation") == 0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "'solids' in 'solver' is 'cut', but %s needs whole cells ('cells')",
                          classic ? "the integrator 'classic'" : "the pressure solver 'relaxation'");
    }
    const char *const unmet = brume_pressure_unmet_need(def->pressure, brume_has_bodies(def), brume_all_periodic(def));
    return unmet ? brume_fail(error, BRUME_BAD_INPUT,
                              "'pressure' in 'solver' is '%s', which %s; 'auto' selects a solver that fits",
                              def->pressure, unmet)
                 : BRUME_OK;
}

/** What the integrator cannot do in these settings, as in "needs a box without bodies"; NULL where it can all. */
static const char *integrator_fault(const BrumeSimDef *def)
{
    const bool collocated = strcmp(def->integrator, "collocated") == 0;
    if (!collocated && strcmp(def->integrator, "practical") != 0) {
        return NULL;
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *const side = &def->faces[face];
        const bool plain =
            side->kind == BRUME_WALL && !side->no_slip && !side->fixed_temperature && side->heat_flux == 0.0f;
        if (!plain && (collocated || side->kind != BRUME_PERIODIC)) {
            return collocated ? "needs walls on all sides ('domain.boundaries'), with 'slip: free' and without heat"
                              : "needs sides ('domain.boundaries') that are periodic, or walls with 'slip: free' and "
                                "without heat";
        }
    }
    return brume_has_bodies(def)               ? "needs a box without bodies"
           : def->far_factor > 1               ? "needs 'factor: 1' in 'domain.far'"
           : def->texture_period > 0.0f        ? "needs 'texture_period: 0'"
           : def->team && def->team->ranks > 1 ? "needs one process"
                                               : NULL;
}

BrumeStatus brume_sim_check_integrator(const BrumeSimDef *def, BrumeError *error)
{
    const char *const fault = integrator_fault(def);
    const BrumeSetting *const bits = &brume_sim_setting_table[BRUME_SIM_FRACTION_BITS];
    if (fault) {
        return brume_fail(error, BRUME_BAD_INPUT, "the integrator '%s' %s", def->integrator, fault);
    }
    if (def->fraction_bits > 0 && strcmp(def->integrator, "collocated") != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "'%s' in 'solver' is %d, but only the integrator 'collocated' has it",
                          brume_setting_name(bits), def->fraction_bits);
    }
    return def->fraction_bits == 0 || def->fraction_bits >= 4
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "'%s' in 'solver' is %d, but must be 0 or from 4 to 20",
                            brume_setting_name(bits), def->fraction_bits);
}

/** Checks all settings; BRUME_BAD_INPUT names the first that is not valid. */
BrumeStatus brume_sim_check(const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus (*const checks[])(const BrumeSimDef *, BrumeError *) = {
        check_counts, check_settings,  check_faces,    brume_sim_check_thin_axis,
        check_shapes, check_initial,   check_smoke,    check_fire,
        check_vapor,  check_particles, check_pressure, brume_sim_check_integrator,
    };
    BrumeStatus status = BRUME_OK;
    for (size_t n = 0; n < sizeof checks / sizeof checks[0] && status == BRUME_OK; n++) {
        status = checks[n](def, error);
    }
    return status;
}
