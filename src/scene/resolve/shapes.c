/*
 * Shapes of emitters and bodies, from the keys of their kinds.
 */
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"

#include <math.h>
#include <string.h>

enum { MAX_KEYS = 4 };

/** The keys that a kind of shape needs. */
typedef struct Geometry {
    const char *name;
    const char *keys[MAX_KEYS];
    const char *other_keys[MAX_KEYS]; ///< an alternative set
    const char *needs;                ///< both sets, for errors
} Geometry;

static const Geometry geometries[] = {
    [BRUME_SHAPE_SPHERE] = {"a sphere", {"center", "radius"}, {0}, "'center' and 'radius'"},
    [BRUME_SHAPE_BOX] = {"a box", {"center", "size"}, {"from", "to"}, "'center' and 'size', or 'from' and 'to'"},
    [BRUME_SHAPE_CYLINDER] = {"a cylinder", {"from", "to", "radius"}, {0}, "'from', 'to' and 'radius'"},
    [BRUME_SHAPE_CAPSULE] = {"a capsule", {"from", "to", "radius"}, {0}, "'from', 'to' and 'radius'"},
    [BRUME_SHAPE_VOLUME] = {"a volume", {0}, {0}, "'file'"},
    [BRUME_SHAPE_CONE] = {"a cone",
                          {"from", "to", "radius", "radius_to"},
                          {0},
                          "'from', 'to', 'radius' and 'radius_to'"},
    [BRUME_SHAPE_TORUS] = {"a torus", {"center", "radius", "tube_radius"}, {0}, "'center', 'radius' and 'tube_radius'"},
    [BRUME_SHAPE_PLANE] = {"a plane", {"center"}, {0}, "'center'"},
    [BRUME_SHAPE_MESH] = {"a mesh",
                          {"file"},
                          {0},
                          "a 'file', and 'center' for another place, 'size' for another length"},
};

static bool is_one_of(const char *const keys[MAX_KEYS], const char *key)
{
    bool found = false;
    for (int i = 0; i < MAX_KEYS && keys[i]; i++) {
        found = found || strcmp(keys[i], key) == 0;
    }
    return found;
}

static bool has_all(const BrumeYamlNode *map, const char *const keys[MAX_KEYS])
{
    bool all = keys[0] != NULL;
    for (int i = 0; i < MAX_KEYS && keys[i]; i++) {
        all = all && brume_yaml_get(map, keys[i]);
    }
    return all;
}

/** Checks that a volume and a mesh have a file, and that no other shape has their keys. */
static BrumeStatus check_file_keys(const BrumeParsedShape *parsed, const BrumeYamlNode *map, const char *owner,
                                   BrumeError *error)
{
    static const struct {
        const char *key;
        bool of_volume, of_mesh;
        const char *shapes;
    } own[] = {{"file", true, true, "shapes 'volume' and 'mesh' have"},
               {"grid", true, false, "shape 'volume' has"},
               {"hash", true, true, "shapes 'volume' and 'mesh' have"},
               {"threshold", true, false, "shape 'volume' has"},
               {"unit", false, true, "shape 'mesh' has"},
               {"up", false, true, "shape 'mesh' has"},
               {"flip", false, true, "shape 'mesh' has"},
               {"file_animation", false, true, "shape 'mesh' has"}};
    const bool is_volume = parsed->kind == BRUME_SHAPE_VOLUME;
    const bool is_mesh = parsed->kind == BRUME_SHAPE_MESH;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const BrumeYamlNode *const node = brume_yaml_get(map, own[i].key);
        const bool is_default = (strcmp(own[i].key, "up") == 0 && parsed->read.up == 0) ||
                                (strcmp(own[i].key, "flip") == 0 && !parsed->read.flip);
        if (node && !is_default && !(is_volume && own[i].of_volume) && !(is_mesh && own[i].of_mesh)) {
            return brume_yaml_fail_key(node, error, "only the %s a '%s' in '%s'", own[i].shapes, own[i].key, owner);
        }
    }
    const BrumeYamlNode *const file = brume_yaml_get(map, "file");
    if ((is_volume || is_mesh) && (!file || file->text[0] == '\0')) {
        return brume_yaml_fail(file ? file : map, error, "a %s in '%s' needs a 'file'", is_mesh ? "mesh" : "volume",
                               owner);
    }
    return BRUME_OK;
}

/** Checks that a volume has either corners or a center and a size. */
static BrumeStatus check_volume_keys(const BrumeYamlNode *map, const char *owner, BrumeError *error)
{
    const BrumeYamlNode *const from = brume_yaml_get(map, "from");
    const BrumeYamlNode *const to = brume_yaml_get(map, "to");
    const BrumeYamlNode *const radius = brume_yaml_get(map, "radius");
    if (radius || (from != NULL) != (to != NULL) ||
        (from && (brume_yaml_get(map, "center") || brume_yaml_get(map, "size")))) {
        return brume_yaml_fail_key(radius ? radius
                                   : from ? from
                                          : to,
                                   error,
                                   "a volume in '%s' has the position of its file, or 'center' and 'size', or 'from' "
                                   "and 'to'",
                                   owner);
    }
    return BRUME_OK;
}

/** Checks that the map has all keys of one set, and no other keys of shapes. */
static BrumeStatus check_keys(const Geometry *geometry, const BrumeYamlNode *map, const char *owner, BrumeError *error)
{
    static const char *const all[] = {"center", "radius", "size", "from", "to", "radius_to", "tube_radius"};
    const bool is_mesh = geometry == &geometries[BRUME_SHAPE_MESH];
    const bool has_first = has_all(map, geometry->keys);
    const char *const *const used = has_first ? geometry->keys : geometry->other_keys;
    if (!has_first && !has_all(map, geometry->other_keys)) {
        return brume_yaml_fail(map, error, "%s in '%s' needs %s", geometry->name, owner, geometry->needs);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const BrumeYamlNode *const unused = brume_yaml_get(map, all[i]);
        const bool is_optional = is_mesh && (strcmp(all[i], "center") == 0 || strcmp(all[i], "size") == 0);
        if (unused && !is_optional && !is_one_of(used, all[i])) {
            return brume_yaml_fail_key(unused, error, "%s in '%s' has no key '%s'; its keys are %s", geometry->name,
                                       owner, all[i], geometry->needs);
        }
    }
    return BRUME_OK;
}

static BrumeShape make_shape(const BrumeParsedShape *parsed, bool by_center)
{
    BrumeShape shape = {
        .kind = (BrumeShapeKind)parsed->kind, .a = parsed->from, .b = parsed->to, .radius = parsed->radius};
    if (brume_shape_has_one_point(&shape)) {
        const bool is_mesh = shape.kind == BRUME_SHAPE_MESH;
        shape.a = shape.b = is_mesh && !by_center ? brume_vec3(0.0f, 0.0f, 0.0f) : parsed->center;
        shape.radius = is_mesh || shape.kind == BRUME_SHAPE_PLANE ? 0.0f : parsed->radius;
        shape.second_radius = shape.kind == BRUME_SHAPE_TORUS ? parsed->tube_radius : 0.0f;
    } else if (shape.kind == BRUME_SHAPE_CONE) {
        shape.second_radius = parsed->radius_to;
    } else if (shape.kind == BRUME_SHAPE_BOX) {
        const BrumeVec3 half = brume_scale(parsed->size, 0.5f);
        shape.a = by_center ? brume_sub(parsed->center, half) : brume_lower_corner(parsed->from, parsed->to);
        shape.b = by_center ? brume_add(parsed->center, half) : brume_upper_corner(parsed->from, parsed->to);
        shape.radius = 0.0f;
    }
    return shape;
}

/** The box of a volume: its corners in the scene, or the box of its samples with another center and another size. */
static void place_volume(const BrumeParsedShape *parsed, const BrumeYamlNode *map, BrumeShape *shape)
{
    const BrumeYamlNode *const size = brume_yaml_get(map, "size");
    if (brume_yaml_get(map, "from")) {
        shape->a = brume_lower_corner(parsed->from, parsed->to);
        shape->b = brume_upper_corner(parsed->from, parsed->to);
        return;
    }
    shape->a = shape->b = brume_vec3(0.0f, 0.0f, 0.0f);
    if (!brume_samples_have_values(shape->samples)) {
        return;
    }
    double from[3];
    double to[3];
    brume_samples_bounds(&shape->samples, 1, from, to);
    shape->a = brume_vec3((float)from[0], (float)from[1], (float)from[2]);
    shape->b = brume_vec3((float)to[0], (float)to[1], (float)to[2]);
    const BrumeVec3 own_sides = brume_sub(shape->b, shape->a);
    BrumeVec3 sides = own_sides;
    if (size && size->kind == BRUME_YAML_SCALAR) {
        sides = brume_scale(own_sides, parsed->size.x / brume_largest(own_sides));
    } else if (size) {
        sides = parsed->size;
    }
    if (size || brume_yaml_get(map, "center")) {
        const BrumeVec3 center =
            brume_yaml_get(map, "center") ? parsed->center : brume_scale(brume_add(shape->a, shape->b), 0.5f);
        shape->a = brume_sub(center, brume_scale(sides, 0.5f));
        shape->b = brume_add(center, brume_scale(sides, 0.5f));
    }
}

/** Whether a shape has no volume, because its axis or one of its sides has length 0. */
static bool is_flat(const BrumeShape *shape)
{
    const BrumeVec3 extent = brume_sub(shape->b, shape->a);
    const bool thin_box = !(extent.x > 0.0f && extent.y > 0.0f && extent.z > 0.0f);
    const bool is_box = shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME;
    const bool has_ends = shape->kind == BRUME_SHAPE_CYLINDER || shape->kind == BRUME_SHAPE_CONE;
    return (is_box && thin_box) || (has_ends && !(brume_length(extent) > 0.0f));
}

bool brume_shape_overlaps_box(const BrumeShape *shape, const BrumeSimDef *box)
{
    BrumeVec3 from;
    BrumeVec3 to;
    brume_shape_bounds(shape, &from, &to);
    const BrumeVec3 sides = brume_scale(brume_vec3((float)box->nx, (float)box->ny, (float)box->nz), box->dx);
    const BrumeVec3 end = brume_add(box->origin, sides);
    return from.x < end.x && from.y < end.y && from.z < end.z && to.x > box->origin.x && to.y > box->origin.y &&
           to.z > box->origin.z;
}

/** Reads the samples of a volume and places them. */
static BrumeStatus resolve_volume(const BrumeParsedShape *parsed, const BrumeYamlNode *map, bool is_surface,
                                  bool of_emitter, BrumeVolumeFiles *files, BrumeShape *shape, BrumeError *error)
{
    const BrumeSamples *samples[3] = {NULL, NULL, NULL};
    const BrumeVolumeRequest request = {.volume = &parsed->volume,
                                        .map = map,
                                        .default_grid = "density",
                                        .count = 1,
                                        .is_surface = is_surface,
                                        .may_vary = of_emitter};
    const BrumeStatus status = brume_volume_files_get(files, &request, samples, error);
    *shape = (BrumeShape){.kind = BRUME_SHAPE_VOLUME, .samples = samples[0], .threshold = parsed->threshold};
    place_volume(parsed, map, shape);
    return status;
}

/** Checks that only shapes with an axis have one, which is not 0, and no rotation too. */
static BrumeStatus check_axis(const BrumeParsedShape *parsed, const BrumeYamlNode *map, const char *owner,
                              const Geometry *geometry, BrumeError *error)
{
    const BrumeYamlNode *const axis = brume_yaml_get(map, "axis");
    const bool has_axis = parsed->kind == BRUME_SHAPE_TORUS || parsed->kind == BRUME_SHAPE_PLANE;
    if (axis && !has_axis) {
        return brume_yaml_fail_key(axis, error, "%s in '%s' has no key 'axis'; only a torus and a plane have it",
                                   geometry->name, owner);
    }
    if (axis && brume_yaml_get(map, "rotation")) {
        return brume_yaml_fail_key(axis, error, "%s in '%s' has either an 'axis' or a 'rotation'", geometry->name,
                                   owner);
    }
    if (axis && !(brume_length(parsed->axis) > 0.0f)) {
        return brume_yaml_fail(axis, error, "the 'axis' of %s in '%s' is 0; it must be a direction", geometry->name,
                               owner);
    }
    return BRUME_OK;
}

/** Scales a mesh so that its longest side has the length `size`, where its map has this key. */
static BrumeStatus fit_mesh(const BrumeParsedShape *parsed, const BrumeYamlNode *map, const char *owner,
                            BrumeShape *shape, BrumeError *error)
{
    const BrumeYamlNode *const size = brume_yaml_get(map, "size");
    if (!size) {
        return BRUME_OK;
    }
    if (size->kind != BRUME_YAML_SCALAR) {
        return brume_yaml_fail(
            size, error,
            "'size' of a mesh in '%s' must be one number [m], the length of its longest side; 'scale' "
            "has factors along its axes",
            owner);
    }
    if (brume_yaml_get(map, "scale")) {
        return brume_yaml_fail_key(size, error, "a mesh in '%s' has either a 'size' or a 'scale'", owner);
    }
    if (brume_mesh_has_triangles(shape->mesh)) {
        const BrumeMeshInfo *const info = brume_mesh_info(shape->mesh);
        const float factor = parsed->size.x / brume_largest(brume_sub(info->upper, info->lower));
        shape->scale = brume_vec3(factor, factor, factor);
    }
    return BRUME_OK;
}

static void set_frame(const BrumeParsedShape *parsed, const BrumeYamlNode *map, BrumeShape *shape)
{
    shape->position = parsed->position;
    shape->rotation = brume_yaml_get(map, "axis") ? brume_rotation_towards(parsed->axis) : parsed->rotation;
    shape->scale = parsed->scale;
    shape->pivot = parsed->pivot;
}

BrumeStatus brume_resolve_shape(const BrumeParsedShape *parsed, const BrumeYamlNode *map, const char *owner,
                                bool is_surface, const BrumeSimDef *box, BrumeVolumeFiles *files, BrumeShape *shape,
                                BrumeError *error)
{
    if (!brume_yaml_get(map, "shape")) {
        return brume_yaml_fail(
            map, error,
            "this '%s' needs a 'shape': sphere, box, cylinder, capsule, cone, torus, plane, volume or "
            "mesh",
            owner);
    }
    const bool is_volume = parsed->kind == BRUME_SHAPE_VOLUME;
    const Geometry *const geometry = &geometries[parsed->kind];
    const bool is_mesh = parsed->kind == BRUME_SHAPE_MESH;
    const bool is_body = strcmp(owner, "body") == 0;
    const BrumeMesh *mesh = NULL;
    BrumeStatus status = check_file_keys(parsed, map, owner, error);
    if (status == BRUME_OK) {
        status = is_volume ? check_volume_keys(map, owner, error) : check_keys(geometry, map, owner, error);
    }
    if (status == BRUME_OK && is_volume) {
        status = resolve_volume(parsed, map, is_surface, !is_body, files, shape, error);
    } else if (status == BRUME_OK && is_mesh) {
        status = brume_mesh_files_get(files, parsed, map, is_surface, is_body, &mesh, error);
    }
    if (status == BRUME_OK) {
        status = check_axis(parsed, map, owner, geometry, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    if (!is_volume) {
        *shape = make_shape(parsed, brume_yaml_get(map, "center") != NULL);
        shape->mesh = mesh;
    }
    set_frame(parsed, map, shape);
    status = is_mesh ? fit_mesh(parsed, map, owner, shape, error) : BRUME_OK;
    if (status != BRUME_OK) {
        return status;
    }
    if ((is_volume && !brume_samples_have_values(shape->samples)) || (is_mesh && !brume_mesh_has_triangles(mesh))) {
        return BRUME_OK; // its place is not known
    }
    if (is_flat(shape)) {
        return brume_yaml_fail(map, error, "%s in '%s' has no volume; move 'from' and 'to' apart", geometry->name,
                               owner);
    }
    const bool may_come = brume_yaml_get(map, "parent") || brume_samples_vary(shape->samples);
    if (!may_come && !brume_shape_overlaps_box(shape, box)) {
        const double x = (double)box->origin.x;
        const double y = (double)box->origin.y;
        const double z = (double)box->origin.z;
        const double dx = (double)box->dx;
        return brume_yaml_fail(map, error,
                               "%s in '%s' lies outside the box, which spans [%.4g, %.4g, %.4g] to "
                               "[%.4g, %.4g, %.4g] m",
                               geometry->name, owner, x, y, z, x + dx * box->nx, y + dx * box->ny, z + dx * box->nz);
    }
    return BRUME_OK;
}
