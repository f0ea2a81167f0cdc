/*
 * Values put into a tree by dotted paths.
 */
#include "core/error.h"

#include "core/memory.h"
#include "yaml/yaml.h"

#include <stdlib.h>
#include <string.h>

/** The position of a path, for errors and for the nodes that it creates: line 0 for an override, which is `source`. */
typedef struct PathOrigin {
    const char *source;
    int line, column;
    BrumeError *error;
} PathOrigin;

static BrumeStatus fail(PathOrigin origin, const char *message)
{
    return brume_yaml_fail_at(origin.source, origin.line, origin.column, origin.error, "%s", message);
}

static BrumeStatus out_of_memory(PathOrigin origin) { return brume_out_of_memory(origin.error, "a scene"); }

bool brume_yaml_next_name(const char **path, const char *end, char name[BRUME_YAML_MAX_NAME + 1])
{
    const char *dot = memchr(*path, '.', (size_t)(end - *path));
    const size_t size = (size_t)((dot ? dot : end) - *path);
    if (size == 0 || size > BRUME_YAML_MAX_NAME) {
        return false;
    }
    memcpy(name, *path, size);
    name[size] = '\0';
    *path = dot ? dot + 1 : end;
    // a dot must be followed by another name
    return !dot || *path < end;
}

static bool is_index(const char *name) { return strspn(name, "0123456789") == strlen(name) && strlen(name) <= 6; }

// the link to the item with a key `name` of this value; NULL where the list has none
static BrumeYamlNode **find_named_item(BrumeYamlNode *list, const char *name)
{
    for (BrumeYamlNode **slot = &list->first; *slot; slot = &(*slot)->next) {
        const BrumeYamlNode *const found = (*slot)->kind == BRUME_YAML_MAP ? brume_yaml_get(*slot, "name") : NULL;
        if (found && found->kind == BRUME_YAML_SCALAR && strcmp(found->text, name) == 0) {
            return slot;
        }
    }
    return NULL;
}

/** The link to the child `name` of `parent`, or the one where it would be appended; NULL where it cannot exist. */
static BrumeYamlNode **find_slot(BrumeYamlNode *parent, const char *name)
{
    BrumeYamlNode **slot = &parent->first;
    if (parent->kind == BRUME_YAML_LIST) {
        if (!is_index(name)) {
            return find_named_item(parent, name);
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

/** A null value as the child `name` of `parent`. */
static BrumeYamlNode *new_child(BrumeYamlNode *parent, const char *name, PathOrigin origin)
{
    BrumeYamlNode *const node = brume_yaml_new_scalar("", false);
    if (!node) {
        return NULL;
    }
    node->source = origin.source;
    node->line = node->key_line = origin.line;
    node->column = node->key_column = origin.column;
    node->key = parent->kind == BRUME_YAML_MAP ? brume_copy_text(name) : NULL;
    if (parent->kind == BRUME_YAML_MAP && !node->key) {
        brume_yaml_free(node);
        return NULL;
    }
    parent->count++;
    return node;
}

static BrumeStatus fail_no_item(const BrumeYamlNode *list, PathOrigin origin, const char *name)
{
    const BrumeQuote owner = brume_quote(list->key ? list->key : "the file");
    if (!is_index(name)) {
        return brume_yaml_fail_at(
            origin.source, origin.line, origin.column, origin.error,
            "'%s' is a list; give the number of an item, or its 'name' where it has one, not '%s'", owner.text,
            brume_quote(name).text);
    }
    return brume_yaml_fail_at(origin.source, origin.line, origin.column, origin.error,
                              "'%s' has %d %s, counted from 0; there is no item %s", owner.text, list->count,
                              list->count == 1 ? "item" : "items", name);
}

/**
 * Finds or creates the child `name` of `parent`; a null `parent` becomes a list where the name is a number, otherwise a
 * map. NULL, with a failure in `*status`, where there can be no such child.
 */
static BrumeYamlNode **descend(BrumeYamlNode *parent, const char *name, PathOrigin origin, BrumeStatus *status)
{
    if (parent->kind == BRUME_YAML_SCALAR) {
        if (!brume_yaml_is_null(parent)) {
            *status = brume_yaml_fail_at(origin.source, origin.line, origin.column, origin.error,
                                         "'%s' is a single value, without keys or items",
                                         brume_quote(parent->key ? parent->key : "the file").text);
            return NULL;
        }
        parent->kind = is_index(name) ? BRUME_YAML_LIST : BRUME_YAML_MAP;
    }
    BrumeYamlNode **const slot = find_slot(parent, name);
    if (!slot) {
        *status = fail_no_item(parent, origin, name);
        return NULL;
    }
    if (!*slot) {
        *slot = new_child(parent, name, origin);
    }
    if (!*slot) {
        *status = out_of_memory(origin);
        return NULL;
    }
    return slot;
}

/** Puts `value` at the path from `path` to `end`, and owns it from the call on: it is freed after a failure. */
static BrumeStatus put(BrumeYamlNode *root, const char *path, const char *end, BrumeYamlNode *value, PathOrigin origin)
{
    BrumeStatus status = BRUME_OK;
    BrumeYamlNode **slot = &root;
    for (int depth = 0; path < end || depth == 0; depth++) {
        char name[BRUME_YAML_MAX_NAME + 1];
        if (!brume_yaml_next_name(&path, end, name)) {
            status = fail(origin, "not a dotted path; write it as in section.key=128");
            goto cleanup;
        }
        if (depth == BRUME_YAML_MAX_DEPTH) {
            status = fail(origin, "nested too deeply; a file has at most 16 levels");
            goto cleanup;
        }
        slot = descend(*slot, name, origin, &status);
        if (!slot) {
            goto cleanup;
        }
    }
    // the new value replaces the old one in the list and has its key
    BrumeYamlNode *const old = *slot;
    value->key = old->key;
    value->key_line = origin.line;
    value->key_column = origin.column;
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

/** Removes the key at the path from `path` to `end`; fails where there is none, and for items of a list. */
static BrumeStatus remove_key(BrumeYamlNode *root, const char *path, const char *end, PathOrigin origin)
{
    BrumeYamlNode *parent = NULL;
    BrumeYamlNode **slot = &root;
    char name[BRUME_YAML_MAX_NAME + 1];
    while (path < end) {
        if (!brume_yaml_next_name(&path, end, name)) {
            return fail(origin, "not a dotted path; write it as in section.key=128");
        }
        parent = *slot;
        slot = parent->kind == BRUME_YAML_SCALAR ? NULL : find_slot(parent, name);
        if (!slot || !*slot) {
            return fail(origin, "there is no such value to remove");
        }
    }
    if (!parent) {
        return fail(origin, "not a dotted path; write it as in section.key=128");
    }
    if (parent->kind == BRUME_YAML_LIST) {
        return fail(origin, "an item of a list cannot be removed; give the list");
    }
    BrumeYamlNode *const removed = *slot;
    *slot = removed->next;
    removed->next = NULL;
    parent->count--;
    brume_yaml_free(removed);
    return BRUME_OK;
}

BrumeStatus brume_yaml_override(BrumeYamlNode *root, const char *text, BrumeError *error)
{
    const PathOrigin origin = {.source = text, .error = error};
    const char *const equals = strchr(text, '=');
    if (!equals) {
        return fail(origin, "no value (give KEY=VALUE, for example section.key=128)");
    }
    BrumeYamlNode *value = NULL;
    const BrumeStatus status = brume_yaml_parse(&value, text, false, equals + 1, strlen(equals + 1), error);
    if (status == BRUME_OK && brume_yaml_is_null(value)) {
        brume_yaml_free(value);
        return remove_key(root, text, equals, origin);
    }
    return status == BRUME_OK ? put(root, text, equals, value, origin) : status;
}

BrumeStatus brume_yaml_put(BrumeYamlNode *root, const BrumeYamlNode *entry, BrumeError *error)
{
    const PathOrigin origin = {entry->source, entry->key_line, entry->key_column, error};
    BrumeYamlNode *const copy = brume_yaml_copy(entry);
    return copy ? put(root, entry->key, entry->key + strlen(entry->key), copy, origin) : out_of_memory(origin);
}
