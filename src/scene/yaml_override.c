#include "scene/quote.h"
#include "scene/yaml.h"
#include "scene/yaml_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_KEY = 63 };

static BrumeStatus fail(const char *text, BrumeError *error, const char *message)
{
    return brume_yaml_fail_at(text, 0, 0, error, "%s", message);
}

/** Takes the next name off a dotted path that ends at `end`; false where it is empty or too long. */
static bool next_name(const char **path, const char *end, char name[LONGEST_KEY + 1])
{
    const char *dot = memchr(*path, '.', (size_t)(end - *path));
    const size_t size = (size_t)((dot ? dot : end) - *path);
    if (size == 0 || size > LONGEST_KEY) {
        return false;
    }
    memcpy(name, *path, size);
    name[size] = '\0';
    *path = dot ? dot + 1 : end;
    // a dot at the end announces a name that does not come
    return !dot || *path < end;
}

static bool is_index(const char *name) { return strspn(name, "0123456789") == strlen(name) && strlen(name) <= 6; }

/** Where the child `name` of `parent` hangs, or would be appended; NULL where it cannot be one. */
static BrumeYamlNode **find_slot(BrumeYamlNode *parent, const char *name)
{
    BrumeYamlNode **slot = &parent->first;
    if (parent->kind == BRUME_YAML_LIST) {
        if (!is_index(name)) {
            return NULL;
        }
        int index = atoi(name);
        while (index > 0 && *slot) {
            slot = &(*slot)->next;
            index--;
        }
        return index > 0 ? NULL : slot;
    }
    while (*slot && strcmp((*slot)->key, name) != 0) {
        slot = &(*slot)->next;
    }
    return slot;
}

/** A value left out, as `name` of `parent`. */
static BrumeYamlNode *new_child(BrumeYamlNode *parent, const char *name, const char *text)
{
    BrumeYamlNode *node = calloc(1, sizeof *node);
    if (!node) {
        return NULL;
    }
    node->source = text;
    node->text = strdup("");
    node->key = parent->kind == BRUME_YAML_MAP ? strdup(name) : NULL;
    if (!node->text || (parent->kind == BRUME_YAML_MAP && !node->key)) {
        brume_yaml_free(node);
        return NULL;
    }
    parent->count++;
    return node;
}

static BrumeStatus fail_no_item(const BrumeYamlNode *list, const char *text, const char *name, BrumeError *error)
{
    const BrumeQuote owner = brume_quote(list->key ? list->key : "the scene");
    if (!is_index(name)) {
        return brume_yaml_fail_at(text, 0, 0, error, "'%s' is a list; give the number of an item, not '%s'", owner.text,
                                  brume_quote(name).text);
    }
    return brume_yaml_fail_at(text, 0, 0, error, "'%s' has %d items, counted from 0; there is no item %s", owner.text,
                              list->count, name);
}

/**
 * Finds or makes the child `name` of `parent`, which becomes the map or list that it must be where it was left out.
 * NULL, and `*status` says why, where there can be no such child.
 */
static BrumeYamlNode **descend(BrumeYamlNode *parent, const char *name, const char *text, BrumeStatus *status,
                               BrumeError *error)
{
    if (parent->kind == BRUME_YAML_SCALAR) {
        if (!brume_yaml_is_null(parent)) {
            *status = brume_yaml_fail_at(text, 0, 0, error, "'%s' is a single value; give it as a whole",
                                         brume_quote(parent->key ? parent->key : "the scene").text);
            return NULL;
        }
        parent->kind = is_index(name) ? BRUME_YAML_LIST : BRUME_YAML_MAP;
    }
    BrumeYamlNode **const slot = find_slot(parent, name);
    if (!slot) {
        *status = fail_no_item(parent, text, name, error);
        return NULL;
    }
    if (!*slot) {
        *slot = new_child(parent, name, text);
    }
    if (!*slot) {
        *status = brume_fail(error, BRUME_FAILED, "out of memory");
        return NULL;
    }
    return slot;
}

BrumeStatus brume_yaml_override(BrumeYamlNode *root, const char *text, BrumeError *error)
{
    const char *const equals = strchr(text, '=');
    if (!equals) {
        return fail(text, error, "no value; write it as path=value, for example solver.resolution=128");
    }
    BrumeYamlNode *value = NULL;
    BrumeStatus status = brume_yaml_parse(&value, text, false, equals + 1, strlen(equals + 1), error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeYamlNode **slot = &root;
    const char *path = text;
    for (int depth = 0; path < equals || depth == 0; depth++) {
        char name[LONGEST_KEY + 1];
        if (!next_name(&path, equals, name)) {
            status = fail(text, error, "not a dotted path; write it as in solver.resolution=128");
            goto cleanup;
        }
        if (depth == BRUME_YAML_MAX_DEPTH) {
            status = fail(text, error, "nested too deeply; a scene has at most 16 levels");
            goto cleanup;
        }
        slot = descend(*slot, name, text, &status, error);
        if (!slot) {
            goto cleanup;
        }
    }
    // the value takes the place and the name of what was there
    BrumeYamlNode *const old = *slot;
    value->key = old->key;
    value->next = old->next;
    old->key = NULL;
    old->next = NULL;
    *slot = value;
    value = NULL;
    brume_yaml_free(old);
cleanup:
    brume_yaml_free(value);
    return status;
}
