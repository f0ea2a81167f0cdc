/*
 * Probes, from the keys of their kinds.
 */
#include "core/field.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_POSITIONS = 10000000 };

/** The keys of a kind of probe: the required ones, and the ones that it may have. */
typedef struct ProbeKeys {
    const char *name;
    const char *needed[3];
    const char *optional[3];
    const char *list; ///< all of them, for errors
} ProbeKeys;

static const ProbeKeys probe_keys[] = {
    [BRUME_PROBE_POINTS] = {"a probe of points", {"points"}, {0}, "'points'"},
    [BRUME_PROBE_LINE] = {"a line", {"from", "to", "counts"}, {0}, "'from', 'to' and 'counts'"},
    [BRUME_PROBE_PLANE] = {"a plane",
                           {"axis", "position"},
                           {"from", "to", "counts"},
                           "'axis' and 'position', and optionally 'from', 'to' and 'counts'"},
    [BRUME_PROBE_BOX] = {"a box", {0}, {"from", "to"}, "'from' and 'to', or none for the whole box"},
};

static bool is_listed(const char *const keys[3], const char *key)
{
    bool found = false;
    for (int n = 0; n < 3 && keys[n]; n++) {
        found = found || strcmp(keys[n], key) == 0;
    }
    return found;
}

static BrumeStatus check_keys(const ProbeKeys *keys, const BrumeYamlNode *map, BrumeError *error)
{
    static const char *const all[] = {"points", "from", "to", "axis", "position", "counts"};
    for (int n = 0; n < 3 && keys->needed[n]; n++) {
        if (!brume_yaml_get(map, keys->needed[n])) {
            return brume_yaml_fail(map, error, "%s in 'probe' needs '%s'; its keys are %s", keys->name, keys->needed[n],
                                   keys->list);
        }
    }
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        const BrumeYamlNode *const node = brume_yaml_get(map, all[n]);
        if (node && !is_listed(keys->needed, all[n]) && !is_listed(keys->optional, all[n])) {
            return brume_yaml_fail_key(node, error, "%s in 'probe' has no key '%s'; its keys are %s", keys->name,
                                       all[n], keys->list);
        }
    }
    if ((brume_yaml_get(map, "from") == NULL) != (brume_yaml_get(map, "to") == NULL)) {
        return brume_yaml_fail(map, error, "'from' and 'to' in 'probe' need each other");
    }
    return BRUME_OK;
}

/** Checks that a name is a safe name of a file, and unlike the names of the `count` probes before it. */
static BrumeStatus check_name(const BrumeProbe *probes, int count, const BrumeYamlNode *map, BrumeError *error)
{
    const char *const name = probes[count].name;
    const BrumeYamlNode *const node = brume_yaml_get(map, "name");
    if (!node || name[0] == '\0') {
        return brume_yaml_fail(node ? node : map, error, "this 'probe' needs a 'name', which is that of its file");
    }
    bool valid = name[0] != '.';
    for (const char *c = name; *c; c++) {
        valid = valid && (isalnum((unsigned char)*c) || strchr("_-.", *c));
    }
    if (!valid) {
        return brume_yaml_fail(node, error,
                               "'name' in 'probe' is '%s', but must have letters, digits, '_', '-' and '.' only, and "
                               "not start with '.'",
                               name);
    }
    for (int n = 0; n < count; n++) {
        if (strcmp(probes[n].name, name) == 0) {
            return brume_yaml_fail(node, error, "'name' in 'probe' is '%s', as that of another probe", name);
        }
    }
    return BRUME_OK;
}

static float upper_side(const BrumeSimDef *sim, int axis)
{
    const BrumeGrid grid = brume_grid(sim->nx, sim->ny, sim->nz);
    return (float)((double)brume_component(sim->origin, axis) + (double)sim->dx * brume_cells_along(grid, axis));
}

/** Whether a coordinate is within the sides of the box, up to the rounding of the numbers. */
static bool is_inside(const BrumeSimDef *sim, int axis, float coordinate)
{
    const float low = brume_component(sim->origin, axis);
    const float high = upper_side(sim, axis);
    const float rounding = 4.0f * FLT_EPSILON * (fabsf(low) + fabsf(high));
    return coordinate >= low - rounding && coordinate <= high + rounding;
}

static BrumeStatus fail_outside(const BrumeSimDef *sim, const BrumeYamlNode *node, const char *key, BrumeError *error)
{
    return brume_yaml_fail(node, error,
                           "'%s' in 'probe' lies outside the box, which spans [%.4g, %.4g, %.4g] to [%.4g, %.4g, %.4g] "
                           "m",
                           key, (double)sim->origin.x, (double)sim->origin.y, (double)sim->origin.z,
                           (double)upper_side(sim, 0), (double)upper_side(sim, 1), (double)upper_side(sim, 2));
}

/** Checks that a point is in the box; along `ignored` (-1: none) it may be anywhere. */
static BrumeStatus check_point(const BrumeSimDef *sim, BrumeVec3 point, int ignored, const BrumeYamlNode *node,
                               const char *key, BrumeError *error)
{
    for (int axis = 0; axis < 3; axis++) {
        if (axis != ignored && !is_inside(sim, axis, brume_component(point, axis))) {
            return fail_outside(sim, node, key, error);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_points(const BrumeProbe *probe, const BrumeSimDef *sim, const BrumeYamlNode *map,
                                BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(map, "points");
    if (probe->point_count == 0) {
        return brume_yaml_fail(list, error, "'points' in 'probe' is empty");
    }
    const BrumeYamlNode *item = list->first;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < probe->point_count && item && status == BRUME_OK; n++, item = item->next) {
        status = check_point(sim, probe->points[n], -1, item, "points", error);
    }
    return status;
}

static BrumeStatus check_corners(const BrumeProbe *probe, const BrumeSimDef *sim, const BrumeYamlNode *map,
                                 BrumeError *error)
{
    const int ignored = probe->kind == BRUME_PROBE_PLANE ? probe->axis : -1;
    const BrumeYamlNode *const from = brume_yaml_get(map, "from");
    const BrumeYamlNode *const to = brume_yaml_get(map, "to");
    BrumeStatus status = from ? check_point(sim, probe->from, ignored, from, "from", error) : BRUME_OK;
    if (status == BRUME_OK && to) {
        status = check_point(sim, probe->to, ignored, to, "to", error);
    }
    for (int axis = 0; axis < 3 && status == BRUME_OK && probe->kind != BRUME_PROBE_LINE && from; axis++) {
        if (axis != ignored && brume_component(probe->to, axis) < brume_component(probe->from, axis)) {
            status = brume_yaml_fail(to, error, "'to' in 'probe' must not be below 'from' along any axis");
        }
    }
    return status;
}

static BrumeStatus resolve_line(BrumeProbe *probe, const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeYamlNode *const counts = brume_yaml_get(map, "counts");
    if (counts->kind == BRUME_YAML_LIST || probe->counts[0] < 2) {
        return brume_yaml_fail(counts, error, "'counts' of a line in 'probe' must be one whole number of at least 2");
    }
    return BRUME_OK;
}

static BrumeStatus resolve_plane(BrumeProbe *probe, const BrumeSimDef *sim, const BrumeYamlNode *map, BrumeError *error)
{
    if (!is_inside(sim, probe->axis, probe->position)) {
        return fail_outside(sim, brume_yaml_get(map, "position"), "position", error);
    }
    const BrumeYamlNode *const counts = brume_yaml_get(map, "counts");
    if (counts && counts->kind != BRUME_YAML_LIST) {
        for (int axis = 2; axis >= 0; axis--) {
            probe->counts[axis] = axis == probe->axis ? 1 : probe->counts[0];
        }
    }
    if (counts && probe->counts[probe->axis] != 1) {
        return brume_yaml_fail(counts, error, "'counts' of a plane in 'probe' must be 1 along its axis, not %d",
                               probe->counts[probe->axis]);
    }
    return BRUME_OK;
}

static unsigned find_quantities(const BrumeParsedProbe *parsed)
{
    unsigned quantities = parsed->quantity_count < 0 ? BRUME_DEFAULT_PROBE_QUANTITIES : 0U;
    for (int n = 0; n < parsed->quantity_count; n++) {
        quantities |= 1U << parsed->quantities[n];
    }
    return quantities;
}

/** Resolves the probe after the `count` ones before it. */
static BrumeStatus resolve_probe(BrumeProbe *probes, int count, const BrumeParsedProbe *parsed, const BrumeSimDef *sim,
                                 const BrumeYamlNode *map, BrumeError *error)
{
    BrumeProbe *const probe = &probes[count];
    *probe = parsed->def;
    BrumeStatus status = check_name(probes, count, map, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (parsed->kind < 0) {
        return brume_yaml_fail(map, error, "this 'probe' needs a 'kind': points, line, plane or box");
    }
    probe->kind = (BrumeProbeKind)parsed->kind;
    probe->quantities = find_quantities(parsed);
    probe->whole = !brume_yaml_get(map, "from");
    if (probe->quantities == 0U) {
        return brume_yaml_fail(brume_yaml_get(map, "quantities"), error, "'quantities' in 'probe' is empty");
    }
    if (probe->last && brume_yaml_get(map, "every")) {
        return brume_yaml_fail_key(brume_yaml_get(map, "every"), error,
                                   "'every' and 'frames: last' exclude each other");
    }
    status = check_keys(&probe_keys[parsed->kind], map, error);
    if (status == BRUME_OK) {
        status = check_corners(probe, sim, map, error);
    }
    if (status == BRUME_OK && probe->kind == BRUME_PROBE_POINTS) {
        status = check_points(probe, sim, map, error);
    } else if (status == BRUME_OK && probe->kind == BRUME_PROBE_LINE) {
        status = resolve_line(probe, map, error);
    } else if (status == BRUME_OK && probe->kind == BRUME_PROBE_PLANE) {
        status = resolve_plane(probe, sim, map, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    const size_t size = brume_probe_size(probe, sim);
    if (size == 0 || size > MAX_POSITIONS) {
        return brume_yaml_fail(map, error, "this 'probe' has %zu positions, but must have from 1 to %d", size,
                               MAX_POSITIONS);
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_probes(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    const BrumeYamlNode *const list = brume_yaml_get(root, "probes");
    if (!list) {
        return BRUME_OK;
    }
    const BrumeYamlNode *item = list->first;
    for (int n = 0; n < parsed->probe_count && item; n++, item = item->next) {
        const BrumeStatus status = resolve_probe(scene->probes, n, &parsed->probes[n], &scene->sim, item, error);
        if (status != BRUME_OK) {
            return status;
        }
        scene->probe_count = n + 1;
    }
    return BRUME_OK;
}
