/*
 * Initial fields: defaults that depend on the kind, and the check that a field has the keys of its kind and no others.
 */
#include "core/minmax.h"
#include "core/samples.h"
#include "core/vec3.h"
#include "scene/format/settings.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"

#include <stdio.h>
#include <string.h>

static const char *key_of(int setting) { return brume_setting_name(&brume_initial_setting_table[setting]); }

static const char *kind_name(const BrumeInitialDef *def)
{
    return brume_setting_word(&brume_initial_setting_table[BRUME_INITIAL_SETTING_KIND], (int)def->kind);
}

static bool has_file(const BrumeInitialDef *def)
{
    return def->kind == BRUME_INITIAL_VOLUME || def->kind == BRUME_INITIAL_POINTS;
}

/** Fails where a volume or points have no file, or another kind has a key of a file. */
static BrumeStatus check_file_keys(const BrumeInitialDef *def, const BrumeYamlNode *map, BrumeError *error)
{
    for (int n = 0; n < BRUME_SCENE_VOLUME_SETTING_COUNT; n++) {
        const char *const name = brume_setting_name(&brume_scene_volume_setting_table[n]);
        const BrumeYamlNode *const node = brume_yaml_get(map, name);
        const bool is_used =
            def->kind == BRUME_INITIAL_VOLUME || (def->kind == BRUME_INITIAL_POINTS && n != BRUME_SCENE_VOLUME_GRID);
        if (node && !is_used) {
            return brume_yaml_fail_key(node, error, "an 'initial field' of kind '%s' has no key '%s'; 'volume' has it",
                                       kind_name(def), name);
        }
    }
    const BrumeYamlNode *const file = brume_yaml_get(map, "file");
    return has_file(def) && (!file || file->text[0] == '\0')
               ? brume_yaml_fail(file ? file : map, error, "this 'initial field' of kind '%s' needs a 'file'",
                                 kind_name(def))
               : BRUME_OK;
}

/** Fails where a key that the kind needs is absent, or a key is present that it does not use. */
static BrumeStatus check_keys(const BrumeInitialDef *def, const BrumeYamlNode *map, BrumeError *error)
{
    for (int n = 0; n < BRUME_INITIAL_SETTING_COUNT; n++) {
        const BrumeYamlNode *const node = brume_yaml_get(map, key_of(n));
        const BrumeInitialUse use = brume_initial_use(def->kind, def->quantity, n);
        if (use == BRUME_INITIAL_REQUIRED && !node) {
            return brume_yaml_fail(map, error, "this 'initial field' of kind '%s' needs '%s'", kind_name(def),
                                   key_of(n));
        }
        if (use == BRUME_INITIAL_UNUSED && node) {
            char keys[256] = "";
            const char *const of_file = def->kind == BRUME_INITIAL_VOLUME   ? "file, grid, hash, "
                                        : def->kind == BRUME_INITIAL_POINTS ? "file, hash, "
                                                                            : "";
            for (int other = 1; other < BRUME_INITIAL_SETTING_COUNT; other++) {
                if (brume_initial_use(def->kind, def->quantity, other) != BRUME_INITIAL_UNUSED) {
                    const size_t used = strlen(keys);
                    (void)snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? ", " : "", key_of(other));
                }
            }
            return brume_yaml_fail_key(
                node, error, "an 'initial field' of kind '%s' has no key '%s'; beside 'kind' its keys are %s%s",
                kind_name(def), key_of(n), of_file, keys);
        }
    }
    return check_file_keys(def, map, error);
}

/** Reports a failed check at the value that it refuses; in a formula, at the character. */
static BrumeStatus fail_at(const BrumeYamlNode *map, const BrumeInitialFault *fault, const BrumeError *found,
                           BrumeError *error)
{
    const BrumeYamlNode *node = NULL;
    if (fault->setting < BRUME_INITIAL_SETTING_COUNT) {
        node = brume_yaml_get(map, key_of(fault->setting));
    }
    if (!node) {
        return brume_yaml_fail(map, error, "%s", found->text);
    }
    if (node->kind == BRUME_YAML_LIST && fault->setting == BRUME_INITIAL_SETTING_FORMULA && fault->column > 0) {
        node = node->first;
        for (int n = 0; n < fault->component && node->next; n++) {
            node = node->next;
        }
    }
    BrumeYamlNode place = *node;
    if (fault->column > 0 && place.line > 0) {
        place.column += fault->column - 1 + place.quoted;
    }
    return brume_yaml_fail(&place, error, "%s", found->text);
}

/** The default grid of a quantity. */
static const char *grid_of(int quantity)
{
    return brume_setting_word(&brume_initial_setting_table[BRUME_INITIAL_SETTING_QUANTITY], quantity);
}

/** Sets the place of a volume from its keys and the box of its samples, and checks that it is not outside the box. */
static BrumeStatus place_volume(const BrumeYamlNode *map, const BrumeSimDef *sim, int count, BrumeInitialDef *def,
                                BrumeError *error)
{
    const BrumeYamlNode *const center = brume_yaml_get(map, "center");
    const BrumeYamlNode *const size = brume_yaml_get(map, "size");
    double lower[3];
    double upper[3];
    brume_samples_bounds(def->samples, count, lower, upper);
    double sides[3];
    double longest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = upper[axis] - lower[axis];
        longest = brume_fmax(longest, sides[axis]);
    }
    if (!center) {
        def->center = brume_vec3((float)(0.5 * (lower[0] + upper[0])), (float)(0.5 * (lower[1] + upper[1])),
                                 (float)(0.5 * (lower[2] + upper[2])));
    }
    if (!size || size->kind == BRUME_YAML_SCALAR) {
        const double scale = size ? (double)def->size.x / longest : 1.0;
        def->size = brume_vec3((float)(scale * sides[0]), (float)(scale * sides[1]), (float)(scale * sides[2]));
    }
    const double dx = (double)sim->dx;
    const int cells[3] = {sim->nx, sim->ny, sim->nz};
    for (int axis = 0; axis < 3; axis++) {
        const double middle = (double)brume_component(def->center, axis);
        const double half = 0.5 * (double)brume_component(def->size, axis);
        const double origin = (double)brume_component(sim->origin, axis);
        if (middle + half <= origin || middle - half >= origin + dx * cells[axis]) {
            return brume_yaml_fail(center ? center : map, error,
                                   "this volume spans %.4g to %.4g m along %c, outside the box, which spans %.4g to "
                                   "%.4g m (move it with 'center')",
                                   middle - half, middle + half, 'x' + axis, origin, origin + dx * cells[axis]);
        }
    }
    return BRUME_OK;
}

/** Reads the samples of a volume and places them. */
static BrumeStatus resolve_volume(const BrumeParsedVolume *volume, const BrumeYamlNode *map, const BrumeSimDef *sim,
                                  BrumeVolumeFiles *files, BrumeInitialDef *def, BrumeError *error)
{
    const int count = brume_initial_has_components(def->quantity) ? 3 : 1;
    const BrumeVolumeRequest request = {
        .volume = volume, .map = map, .default_grid = grid_of(def->quantity), .count = count};
    const BrumeStatus status = brume_volume_files_get(files, &request, def->samples, error);
    def->placed = brume_yaml_get(map, "center") || brume_yaml_get(map, "size");
    return status == BRUME_OK && brume_samples_have_values(def->samples[0]) ? place_volume(map, sim, count, def, error)
                                                                            : status;
}

/** Reads points, and warns of those that are outside the box. */
static BrumeStatus resolve_points(const BrumeParsedVolume *volume, const BrumeYamlNode *map, BrumeScene *scene,
                                  BrumeVolumeFiles *files, BrumeInitialDef *def, BrumeError *error)
{
    const BrumeVolumeRequest request = {.volume = volume, .map = map, .are_points = true, .count = 1};
    const BrumeStatus status = brume_volume_files_get(files, &request, def->samples, error);
    if (status != BRUME_OK || !brume_samples_have_values(def->samples[0])) {
        return status;
    }
    const int rows = def->samples[0]->n[1] * def->samples[0]->n[2];
    int points = 0;
    int outside = 0;
    for (int n = 0; n < rows; n++) {
        const float *const point = def->samples[0]->values + (ptrdiff_t)n * BRUME_POINT_NUMBERS;
        const bool exists = point[BRUME_POINT_DIAMETER] >= 0.0f;
        points += exists;
        outside += exists && !brume_box_contains(&scene->sim, brume_vec3(point[0], point[1], point[2]));
    }
    if (outside > 0) {
        brume_scene_warn(scene, map, "%d of %d points are outside the box and left out", outside, points);
    }
    return BRUME_OK;
}

static BrumeStatus resolve_field(const BrumeParsedInitial *parsed, const BrumeYamlNode *map, BrumeScene *scene,
                                 BrumeVolumeFiles *files, BrumeInitialDef *def, BrumeError *error)
{
    const BrumeSimDef *const sim = &scene->sim;
    *def = parsed->def;
    if (!brume_yaml_get(map, "kind")) {
        return brume_yaml_fail(map, error, "this 'initial field' needs a 'kind', such as vortex, layer or formula");
    }
    if (!brume_yaml_get(map, "quantity")) {
        def->quantity = brume_initial_default_quantity(def->kind);
    }
    if (!brume_yaml_get(map, "profile")) {
        def->profile = brume_initial_default_profile(def->kind);
    }
    if (!brume_yaml_get(map, "center")) {
        const BrumeVec3 sides = brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz);
        def->center = brume_add(sim->origin, brume_scale(sides, 0.5f * sim->dx));
    }
    BrumeStatus status = check_keys(def, map, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeInitialFault fault;
    BrumeError found;
    BrumeSimDef colors = {.color_count = BRUME_SMOKE_KINDS - 1}; // colors that a scene has initially are in use
    if (brume_initial_check(def, &colors, "'initial'", &fault, &found) != BRUME_OK) {
        return fail_at(map, &fault, &found, error);
    }
    return def->kind == BRUME_INITIAL_VOLUME   ? resolve_volume(&parsed->volume, map, sim, files, def, error)
           : def->kind == BRUME_INITIAL_POINTS ? resolve_points(&parsed->volume, map, scene, files, def, error)
                                               : status;
}

BrumeStatus brume_resolve_initial(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const list = brume_yaml_get(root, "initial");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->initial_count = parsed->initial_count;
    for (int i = 0; i < parsed->initial_count && item && status == BRUME_OK; i++, item = item->next) {
        status = resolve_field(&parsed->initials[i], item, &parsed->scene, parsed->files, &sim->initial[i], error);
    }
    return status;
}
