/*
 * The six faces of the box, from the keys of single faces and the shorthands for several of them.
 */
#include "scene/resolve/resolve.h"

#include <math.h>
#include <string.h>

static const char *const face_names[BRUME_FACE_COUNT] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
static const char *const axis_names[3] = {"x", "y", "z"};
static const char *const kind_names[] = {"a wall", "open", "an inflow", "periodic"};

static bool has(const BrumeYamlNode *map, const char *key) { return brume_yaml_get(map, key) != NULL; }

/** The most specific key that applies to a face, and the parsed face that it set; NULL where none applies. */
static const BrumeYamlNode *find_key(const BrumeParsedScene *parsed, const BrumeYamlNode *boundaries, int face,
                                     const BrumeParsedFace **value)
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

/** Rejects keys that do not apply to a face of this kind. */
static BrumeStatus check_keys(const BrumeParsedFace *value, const BrumeYamlNode *node, BrumeError *error)
{
    if (node->kind != BRUME_YAML_MAP) {
        return BRUME_OK;
    }
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        const char *const key = child->key;
        const bool is_smoke =
            strcmp(key, "temperature") != 0 && strcmp(key, "velocity") != 0 && strcmp(key, "slip") != 0;
        const bool applies = strcmp(key, "kind") == 0 || (value->kind == BRUME_INFLOW && strcmp(key, "slip") != 0) ||
                             (value->kind == BRUME_WALL && !is_smoke);
        if (!applies) {
            return brume_yaml_fail_key(child, error, "'%s' in 'boundaries' is %s, which has no '%s'", node->key,
                                       kind_names[value->kind], key);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_velocity(const BrumeParsedFace *value, const BrumeYamlNode *node, int axis, BrumeError *error)
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

static BrumeStatus resolve_face(const BrumeParsedFace *value, const BrumeYamlNode *node, int axis, BrumeFaceDef *face,
                                BrumeError *error)
{
    BrumeStatus status = check_keys(value, node, error);
    if (status == BRUME_OK) {
        status = check_velocity(value, node, axis, error);
    }
    *face = (BrumeFaceDef){
        .kind = (BrumeFaceKind)value->kind,
        .no_slip = value->no_slip,
        .fixed_temperature = value->kind == BRUME_WALL && has(node, "temperature"),
        .velocity = value->velocity,
        .temperature = value->temperature,
    };
    memcpy(face->smoke, value->smoke, sizeof face->smoke);
    return status;
}

/** Rejects inflows with a net flux into or out of a box that has no open face. */
static BrumeStatus check_balance(const BrumeSimDef *sim, const BrumeYamlNode *nodes[BRUME_FACE_COUNT],
                                 BrumeError *error)
{
    const double sides[3] = {(double)sim->dx * sim->nx, (double)sim->dx * sim->ny, (double)sim->dx * sim->nz};
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
            const double flux = velocity[axis] * sides[(axis + 1) % 3] * sides[(axis + 2) % 3];
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
        const BrumeParsedFace *value = NULL;
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
    return check_balance(sim, nodes, error);
}
