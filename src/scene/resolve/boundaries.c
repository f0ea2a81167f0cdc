/*
 * The six faces of the box, from the keys of single faces and the shorthands for several of them.
 */
#include "scene/resolve/resolve.h"
#include "sim/boundary/inflow.h"

#include <math.h>
#include <string.h>

static const char *const face_names[BRUME_FACE_COUNT] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
static const char *const axis_names[3] = {"x", "y", "z"};
static const char *const kind_names[] = {"a wall", "open", "an inflow", "periodic"};

static bool has_key(const BrumeYamlNode *map, const char *key) { return brume_yaml_get(map, key) != NULL; }

/** The most specific key that applies to a face, and the parsed face that it set; NULL where none applies. */
static const BrumeYamlNode *find_key(const BrumeParsedScene *parsed, const BrumeYamlNode *boundaries, int face,
                                     const BrumeFaceDef **value)
{
    const BrumeYamlNode *node = brume_yaml_get(boundaries, face_names[face]);
    *value = &parsed->boundaries[BRUME_BOUNDARY_FACES + face];
    if (!node) {
        node = brume_yaml_get(boundaries, axis_names[face / 2]);
        *value = &parsed->boundaries[BRUME_BOUNDARY_AXES + face / 2];
    }
    if (!node) {
        node = brume_yaml_get(boundaries, "all");
        *value = &parsed->boundaries[BRUME_BOUNDARY_ALL];
    }
    return node;
}

/** Whether a key applies to a face of this kind. */
static bool applies(const char *key, const BrumeFaceDef *value, const BrumeYamlNode *node)
{
    static const char *const wall_keys[] = {"slip", "velocity", "temperature", "heat_flux"};
    bool is_wall_key = false;
    for (size_t n = 0; n < sizeof wall_keys / sizeof wall_keys[0]; n++) {
        is_wall_key = is_wall_key || strcmp(key, wall_keys[n]) == 0;
    }
    if (value->kind == BRUME_INFLOW) {
        return strcmp(key, "heat_flux") != 0 && (strcmp(key, "slip") != 0 || has_key(node, "opening"));
    }
    return strcmp(key, "kind") == 0 || (value->kind == BRUME_WALL && is_wall_key);
}

/** Rejects keys that do not apply to a face of this kind. */
static BrumeStatus check_keys(const BrumeFaceDef *value, const BrumeYamlNode *node, BrumeError *error)
{
    if (node->kind != BRUME_YAML_MAP) {
        return BRUME_OK;
    }
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        if (!applies(child->key, value, node)) {
            return brume_yaml_fail_key(child, error, "'%s' in 'boundaries' is %s, which has no '%s'", node->key,
                                       kind_names[value->kind], child->key);
        }
    }
    if (has_key(node, "temperature") && has_key(node, "heat_flux")) {
        return brume_yaml_fail_key(
            brume_yaml_get(node, "heat_flux"), error,
            "'%s' in 'boundaries' has both a 'temperature' and a 'heat_flux'; a wall has at most "
            "one of them",
            node->key);
    }
    return BRUME_OK;
}

/** Checks that the keys of the profile and the opening of an inflow are complete. */
static BrumeStatus check_profile(const BrumeFaceDef *value, const BrumeYamlNode *node, BrumeError *error)
{
    const BrumeYamlNode *const thickness = brume_yaml_get(node, "thickness");
    const BrumeYamlNode *const opening = brume_yaml_get(node, "opening");
    const bool has_layers = value->kind == BRUME_INFLOW && value->profile == BRUME_INFLOW_TANH;
    if (has_layers && !thickness) {
        return brume_yaml_fail(node, error, "'%s' in 'boundaries' has the profile 'tanh', so it needs a 'thickness'",
                               node->key);
    }
    if (thickness && !has_layers) {
        return brume_yaml_fail_key(thickness, error, "a 'thickness' needs 'profile: tanh'");
    }
    if (opening && (!has_key(opening, "center") || has_key(opening, "radius") == has_key(opening, "size"))) {
        return brume_yaml_fail_key(opening, error, "an 'opening' needs a 'center', and either a 'radius' or a 'size'");
    }
    return BRUME_OK;
}

static BrumeOpeningKind opening_kind(const BrumeYamlNode *opening)
{
    if (!opening) {
        return BRUME_OPENING_FACE;
    }
    return has_key(opening, "radius") ? BRUME_OPENING_ROUND : BRUME_OPENING_RECTANGLE;
}

static BrumeStatus check_velocity(const BrumeFaceDef *value, const BrumeYamlNode *node, int axis, BrumeError *error)
{
    const BrumeYamlNode *const velocity = brume_yaml_get(node, "velocity");
    if (value->kind == BRUME_INFLOW && !velocity) {
        return brume_yaml_fail(node, error, "'%s' in 'boundaries' is an inflow, so it needs a 'velocity'", node->key);
    }
    if (value->kind != BRUME_WALL || !velocity) {
        return BRUME_OK;
    }
    if (!value->no_slip) {
        return brume_yaml_fail_key(
            velocity, error,
            "'%s' is a wall with free slip, whose velocity has no effect; a 'velocity' needs 'slip: no'", node->key);
    }
    const float components[3] = {value->velocity.x, value->velocity.y, value->velocity.z};
    if (components[axis] != 0.0f) {
        return brume_yaml_fail(velocity, error,
                               "the velocity of a wall is tangential; the %s component of this 'velocity' must be 0",
                               axis_names[axis]);
    }
    return BRUME_OK;
}

static BrumeStatus resolve_face(const BrumeFaceDef *value, const BrumeYamlNode *node, int axis, BrumeFaceDef *face,
                                BrumeError *error)
{
    BrumeStatus status = check_keys(value, node, error);
    if (status == BRUME_OK) {
        status = check_velocity(value, node, axis, error);
    }
    if (status == BRUME_OK) {
        status = check_profile(value, node, error);
    }
    *face = *value;
    face->fixed_temperature = value->kind == BRUME_WALL && has_key(node, "temperature");
    face->opening.kind = opening_kind(brume_yaml_get(node, "opening"));
    return status;
}

/** Rejects inflows with a net flux into or out of a box that has no open face. */
static BrumeStatus check_balance(const BrumeSimDef *sim, const BrumeYamlNode *nodes[BRUME_FACE_COUNT],
                                 BrumeError *error)
{
    const BrumeYamlNode *inflow = NULL;
    double net = 0.0;   // [m^3/s], into the box
    double gross = 0.0; // [m^3/s]
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *const def = &sim->faces[face];
        if (def->kind == BRUME_OPEN) {
            return BRUME_OK;
        }
        if (def->kind == BRUME_INFLOW) {
            const int axis = face / 2;
            const double velocity[3] = {(double)def->velocity.x, (double)def->velocity.y, (double)def->velocity.z};
            const double flux = velocity[axis] * brume_inflow_area(sim, (BrumeFace)face);
            net += face % 2 == 0 ? flux : -flux;
            gross += fabs(flux);
            inflow = inflow ? inflow : nodes[face];
        }
    }
    if (fabs(net) > 1e-4 * gross) {
        return brume_yaml_fail(
            inflow, error,
            "the inflows have a net flux of %.4g m^3/s into the box, but no face is 'open' to balance it", net);
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_boundaries(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const boundaries = brume_yaml_get(brume_yaml_get(root, "domain"), "boundaries");
    const BrumeYamlNode *nodes[BRUME_FACE_COUNT];
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *value = NULL;
        nodes[face] = find_key(parsed, boundaries, face, &value);
        const BrumeStatus status =
            nodes[face] ? resolve_face(value, nodes[face], face / 2, &sim->faces[face], error) : BRUME_OK;
        if (status != BRUME_OK) {
            return status;
        }
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (sim->faces[face].kind == BRUME_PERIODIC && sim->faces[face ^ 1].kind != BRUME_PERIODIC) {
            return brume_yaml_fail(nodes[face], error,
                                   "'%s' in 'boundaries' is periodic, so '%s' must be too; '%s: periodic' says both",
                                   face_names[face], face_names[face ^ 1], axis_names[face / 2]);
        }
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const char *const fault = brume_inflow_fault(sim, (BrumeFace)face);
        if (fault) {
            const BrumeYamlNode *const opening = brume_yaml_get(nodes[face], "opening");
            return brume_yaml_fail(opening ? opening : nodes[face], error, "the 'opening' of '%s' %s", face_names[face],
                                   fault);
        }
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        BrumeRenderSettings *const render = &parsed->scene.render_settings;
        render->fading_faces |= sim->faces[face].kind == BRUME_OPEN ? 1u << face : 0u;
        render->wall_faces |= sim->faces[face].kind == BRUME_WALL ? 1u << face : 0u;
    }
    return check_balance(sim, nodes, error);
}
