#include "core/error.h"
#include "core/memory.h"
#include "yaml/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

BrumeYamlNode *brume_yaml_new(BrumeYamlKind kind)
{
    BrumeYamlNode *const node = brume_alloc(1, sizeof *node);
    if (node) {
        node->kind = kind;
    }
    return node;
}

BrumeYamlNode *brume_yaml_new_scalar(const char *text, bool quoted)
{
    BrumeYamlNode *const node = brume_yaml_new(BRUME_YAML_SCALAR);
    if (!node) {
        return NULL;
    }
    node->quoted = quoted;
    node->text = brume_copy_text(text);
    if (!node->text) {
        brume_yaml_free(node);
        return NULL;
    }
    return node;
}

BrumeYamlNode *brume_yaml_copy(const BrumeYamlNode *node)
{
    BrumeYamlNode *const copy = brume_yaml_new(node->kind);
    if (!copy) {
        return NULL;
    }
    *copy = *node;
    copy->key = NULL;
    copy->next = NULL;
    copy->first = NULL;
    copy->text = node->text ? brume_copy_text(node->text) : NULL;
    bool complete = !node->text || copy->text;
    BrumeYamlNode **tail = &copy->first;
    for (const BrumeYamlNode *child = node->first; child && complete; child = child->next) {
        *tail = brume_yaml_copy(child);
        if (*tail && child->key) {
            (*tail)->key = brume_copy_text(child->key);
        }
        complete = *tail && (!child->key || (*tail)->key);
        tail = *tail ? &(*tail)->next : tail;
    }
    if (!complete) {
        brume_yaml_free(copy);
        return NULL;
    }
    return copy;
}

bool brume_yaml_add(BrumeYamlNode *parent, const char *key, BrumeYamlNode *child)
{
    if (child && key) {
        child->key = brume_copy_text(key);
    }
    if (!parent || !child || (key && !child->key)) {
        brume_yaml_free(child);
        return false;
    }
    BrumeYamlNode **tail = &parent->first;
    while (*tail) {
        tail = &(*tail)->next;
    }
    *tail = child;
    parent->count++;
    return true;
}

void brume_yaml_free(BrumeYamlNode *root)
{
    if (!root) {
        return;
    }
    for (BrumeYamlNode *child = root->first; child;) {
        BrumeYamlNode *const next = child->next;
        brume_yaml_free(child);
        child = next;
    }
    brume_free(root->key);
    brume_free(root->text);
    brume_free(root);
}

const BrumeYamlNode *brume_yaml_get(const BrumeYamlNode *map, const char *key)
{
    if (!map || map->kind != BRUME_YAML_MAP) {
        return NULL;
    }
    const BrumeYamlNode *child = map->first;
    while (child && strcmp(child->key, key) != 0) {
        child = child->next;
    }
    return child;
}

bool brume_yaml_is_override(const BrumeYamlNode *node) { return node && node->line == 0; }

bool brume_yaml_is_null(const BrumeYamlNode *node)
{
    return node->kind == BRUME_YAML_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

static BrumeStatus fail_at(const char *source, int line, int column, BrumeError *error, const char *format,
                           va_list args)
{
    char message[sizeof error->text];
    (void)vsnprintf(message, sizeof message, format, args);
    if (line > 0) {
        return brume_fail_at(error, BRUME_BAD_INPUT, source, line, column, "%s", message);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "-D %s: %s", brume_quote(source).text, message);
}

BrumeStatus brume_yaml_fail_at(const char *source, int line, int column, BrumeError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const BrumeStatus status = fail_at(source, line, column, error, format, args);
    va_end(args);
    return status;
}

BrumeStatus brume_yaml_fail(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const BrumeStatus status = fail_at(node->source, node->line, node->column, error, format, args);
    va_end(args);
    return status;
}

BrumeStatus brume_yaml_fail_key(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const BrumeStatus status = fail_at(node->source, node->key_line, node->key_column, error, format, args);
    va_end(args);
    return status;
}
