// Parents of bodies and emitters: each is a body of the scene, by its name or its number.
#include "core/suggest.h"
#include "core/text.h"
#include "scene/resolve/resolve.h"
#include "sim/settings/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool has_letter(const char *text)
{
    bool found = false;
    for (const char *c = text; *c; c++) {
        found = found || isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
    }
    return found;
}

int brume_find_named_body(const BrumeParsedScene *parsed, const char *name, size_t length)
{
    int n = parsed->body_count - 1;
    while (n >= 0 && (length == 0 || strlen(parsed->bodies[n].def.name) != length ||
                      strncmp(parsed->bodies[n].def.name, name, length) != 0)) {
        n--;
    }
    return n;
}

BrumeStatus brume_fail_body_name(const BrumeParsedScene *parsed, const char *name, const BrumeYamlNode *node,
                                 const char *key, BrumeError *error)
{
    BrumeSuggestion closest = {.word = name};
    for (int n = 0; n < parsed->body_count; n++) {
        brume_suggest(&closest, parsed->bodies[n].def.name);
    }
    return brume_yaml_fail(node, error, "'%s' names '%s', but no body has this 'name'%s", key, brume_quote(name).text,
                           brume_suggestion_hint(&closest).text);
}

BrumeStatus brume_resolve_body_reference(const BrumeParsedScene *parsed, const char *text, const BrumeYamlNode *map,
                                         const char *key, int *body, BrumeError *error)
{
    const BrumeYamlNode *const node = brume_yaml_get(map, key);
    *body = 0;
    if (text[0] == '\0' || strcmp(text, "none") == 0) {
        return BRUME_OK;
    }
    const bool is_number = strspn(text, "0123456789") == strlen(text);
    const long number = is_number ? strtol(text, NULL, 10) : brume_find_named_body(parsed, text, strlen(text));
    if (number < 0) {
        return brume_fail_body_name(parsed, text, node, key, error);
    }
    if (number >= parsed->body_count) {
        return brume_yaml_fail(node, error, "'%s' is %s, but the scene has %d bodies, counted from 0", key,
                               brume_quote(text).text, parsed->body_count);
    }
    *body = (int)number + 1;
    return BRUME_OK;
}

// the frame of a parent has equal factors along its axes
static BrumeStatus check_scale(const BrumeSimDef *sim, int parent, const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeVec3 scale = parent > 0 ? sim->bodies[parent - 1].shape.scale : (BrumeVec3){0};
    return scale.x == scale.y && scale.y == scale.z
               ? BRUME_OK
               : brume_yaml_fail(brume_yaml_get(map, "parent"), error,
                                 "the 'scale' of body %d differs along its axes, so that it cannot be a 'parent'",
                                 parent - 1);
}

static BrumeStatus check_body(const BrumeParsedScene *parsed, int body, const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeSimDef *const sim = &parsed->scene.sim;
    const char *const name = parsed->bodies[body].def.name;
    const BrumeYamlNode *const node = brume_yaml_get(map, "name");
    if (name[0] != '\0' && (!has_letter(name) || strcmp(name, "none") == 0)) {
        return brume_yaml_fail(node, error, "'name' is '%s', but must have a letter and not be 'none'",
                               brume_quote(name).text);
    }
    if (name[0] != '\0' && brume_find_named_body(parsed, name, strlen(name)) != body) { // the last one of the name
        return brume_yaml_fail(node, error, "two bodies have the 'name' '%s'", brume_quote(name).text);
    }
    if (brume_body_follows_itself(sim, body)) {
        return brume_yaml_fail(brume_yaml_get(map, "parent"), error,
                               "this 'body' follows itself by its parents; remove one 'parent' of them");
    }
    return check_scale(sim, sim->bodies[body].parent, map, error);
}

BrumeStatus brume_resolve_parents(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    BrumeStatus status = BRUME_OK;
    const BrumeYamlNode *const list = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *const emitters = brume_yaml_get(root, "emitters");
    const BrumeYamlNode *item = list ? list->first : NULL;
    for (int n = 0; item && n < sim->body_count && status == BRUME_OK; n++, item = item->next) {
        status = brume_resolve_body_reference(parsed, parsed->bodies[n].shape.parent, item, "parent",
                                              &sim->bodies[n].parent, error);
    }
    item = list ? list->first : NULL;
    for (int n = 0; item && n < sim->body_count && status == BRUME_OK; n++, item = item->next) {
        status = check_body(parsed, n, item, error);
    }
    item = emitters ? emitters->first : NULL;
    for (int n = 0; item && n < sim->emitter_count && status == BRUME_OK; n++, item = item->next) {
        status = check_scale(sim, sim->emitters[n].parent, item, error);
    }
    return status;
}
