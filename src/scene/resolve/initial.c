/*
 * Initial fields: defaults that depend on the kind, and the check that a field has the keys of its kind and no others.
 */
#include "core/vec3.h"
#include "scene/resolve/resolve.h"
#include "sim/initial/initial_settings.h"

#include <stdio.h>
#include <string.h>

static const char *key_of(int setting) { return brume_setting_name(&brume_initial_setting_table[setting]); }

static const char *kind_name(const BrumeInitialDef *def)
{
    return brume_setting_word(&brume_initial_setting_table[BRUME_INITIAL_SETTING_KIND], (int)def->kind);
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
            for (int other = 1; other < BRUME_INITIAL_SETTING_COUNT; other++) {
                if (brume_initial_use(def->kind, def->quantity, other) != BRUME_INITIAL_UNUSED) {
                    const size_t used = strlen(keys);
                    (void)snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? ", " : "", key_of(other));
                }
            }
            return brume_yaml_fail_key(node, error,
                                       "an 'initial field' of kind '%s' has no key '%s'; beside 'kind' its keys are %s",
                                       kind_name(def), key_of(n), keys);
        }
    }
    return BRUME_OK;
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

static BrumeStatus resolve_field(const BrumeYamlNode *map, const BrumeSimDef *sim, BrumeInitialDef *def,
                                 BrumeError *error)
{
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
    const BrumeStatus status = check_keys(def, map, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeInitialFault fault;
    BrumeError found;
    BrumeSimDef colors = {.color_count = BRUME_SMOKE_KINDS - 1}; // those that a scene has initially are in use
    return brume_initial_check(def, &colors, "'initial'", &fault, &found) == BRUME_OK
               ? BRUME_OK
               : fail_at(map, &fault, &found, error);
}

BrumeStatus brume_resolve_initial(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const list = brume_yaml_get(root, "initial");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->initial_count = parsed->initial_count;
    for (int i = 0; i < parsed->initial_count && item && status == BRUME_OK; i++, item = item->next) {
        sim->initial[i] = parsed->initials[i];
        status = resolve_field(item, sim, &sim->initial[i], error);
    }
    return status;
}
