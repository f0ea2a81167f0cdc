/*
 * What the six faces of the box do, from single faces and the shorthands for several of them.
 */
#include "scene/draft.h"

#include <math.h>
#include <string.h>

static const char *const face_names[BRUME_FACE_COUNT] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
static const char *const axis_names[3] = {"x", "y", "z"};
static const char *const kind_names[] = {"a wall", "open", "an inflow", "periodic"};

static bool has(const BrumeYamlNode *map, const char *key) { return brume_yaml_get(map, key) != NULL; }

/** The most specific key that speaks of a face, and the draft that it filled; NULL where none does. */
static const BrumeYamlNode *find_side(const BrumeSceneDraft *draft, const BrumeYamlNode *boundaries, int face,
                                      const BrumeFaceDraft **side)
{
    const BrumeYamlNode *node = brume_yaml_get(boundaries, face_names[face]);
    *side = &draft->sides[BRUME_SIDE_FACES + face];
    if (!node) {
        node = brume_yaml_get(boundaries, axis_names[face / 2]);
        *side = &draft->sides[BRUME_SIDE_AXES + face / 2];
    }
    if (!node) {
        node = brume_yaml_get(boundaries, "all");
        *side = &draft->sides[BRUME_SIDE_ALL];
    }
    return node;
}

/** Refuses keys that a face of this kind has no use for. */
static BrumeStatus check_keys(const BrumeFaceDraft *side, const BrumeYamlNode *node, BrumeError *error)
{
    if (node->kind != BRUME_YAML_MAP) {
        return BRUME_OK;
    }
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        const char *const key = child->key;
        const bool smoke = strcmp(key, "temperature") != 0 && strcmp(key, "velocity") != 0 && strcmp(key, "slip") != 0;
        const bool useful = strcmp(key, "kind") == 0 || (side->kind == BRUME_INFLOW && strcmp(key, "slip") != 0) ||
                            (side->kind == BRUME_WALL && !smoke);
        if (!useful) {
            return brume_yaml_fail_key(child, error, "'%s' in 'boundaries' is %s, which has no '%s'", node->key,
                                       kind_names[side->kind], key);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_velocity(const BrumeFaceDraft *side, const BrumeYamlNode *node, int axis, BrumeError *error)
{
    const BrumeYamlNode *const velocity = brume_yaml_get(node, "velocity");
    if (side->kind == BRUME_INFLOW && !velocity) {
        return brume_yaml_fail(node, error, "'%s' in 'boundaries' is an inflow, so it needs a 'velocity'", node->key);
    }
    if (side->kind != BRUME_WALL || !velocity) {
        return BRUME_OK;
    }
    if (side->slip == 0) {
        return brume_yaml_fail_key(velocity, error,
                                   "a wall that air glides along moves nothing; '%s' needs 'slip: no' for a 'velocity'",
                                   node->key);
    }
    const float along[3] = {side->velocity.x, side->velocity.y, side->velocity.z};
    if (along[axis] != 0.0f) {
        return brume_yaml_fail(velocity, error, "a wall moves along itself only; the %s of this 'velocity' must be 0",
                               axis_names[axis]);
    }
    return BRUME_OK;
}

static BrumeStatus finish_face(const BrumeFaceDraft *side, const BrumeYamlNode *node, int axis, BrumeFaceDef *face,
                               BrumeError *error)
{
    BrumeStatus status = check_keys(side, node, error);
    if (status == BRUME_OK) {
        status = check_velocity(side, node, axis, error);
    }
    *face = (BrumeFaceDef){
        .kind = (BrumeFaceKind)side->kind,
        .no_slip = side->slip != 0,
        .fixed_temperature = side->kind == BRUME_WALL && has(node, "temperature"),
        .velocity = side->velocity,
        .temperature = side->temperature,
    };
    memcpy(face->smoke, side->smoke, sizeof face->smoke);
    return status;
}

/** Refuses inflows that bring more air than they take away into a box that it cannot leave. */
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
        return brume_yaml_fail(inflow, error,
                               "inflows bring %.4g m^3/s more than they take away, but no face is 'open' to let it out",
                               net);
    }
    return BRUME_OK;
}

BrumeStatus brume_finish_boundaries(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &draft->scene.sim;
    const BrumeYamlNode *const boundaries = brume_yaml_get(brume_yaml_get(root, "domain"), "boundaries");
    const BrumeYamlNode *nodes[BRUME_FACE_COUNT];
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDraft *side = NULL;
        nodes[face] = find_side(draft, boundaries, face, &side);
        const BrumeStatus status =
            nodes[face] ? finish_face(side, nodes[face], face / 2, &sim->faces[face], error) : BRUME_OK;
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
