/*
 * Trees made and written by the program: block lines for what is long, one line for what is short or lies deep.
 */
#include "core/memory.h"
#include "yaml/yaml_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_WIDTH = 110,   // maps and lists that fit into it are written on one line
    ONE_LINE_DEPTH = 3, // from here on maps are, however long
};

static bool make_room(BrumeText *text, size_t more)
{
    if (text->size + more < text->room) {
        return true;
    }
    const size_t room = 2 * (text->size + more) + 1024;
    char *const bytes = brume_alloc_untouched(room, 1);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    if (text->bytes) {
        memcpy(bytes, text->bytes, text->size + 1);
    }
    brume_free(text->bytes);
    text->bytes = bytes;
    text->room = room;
    return true;
}

void brume_lines_add(BrumeText *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || text->failed || !make_room(text, (size_t)size)) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    (void)vsnprintf(text->bytes + text->size, text->room - text->size, format, args);
    va_end(args);
    text->size += (size_t)size;
}

BrumeYamlNode *brume_yaml_new(BrumeYamlKind kind)
{
    BrumeYamlNode *const node = calloc(1, sizeof *node);
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
    node->text = strdup(text);
    if (!node->text) {
        brume_yaml_free(node);
        return NULL;
    }
    return node;
}

bool brume_yaml_add(BrumeYamlNode *parent, const char *key, BrumeYamlNode *child)
{
    if (child && key) {
        child->key = strdup(key);
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

/** Characters that break a line of YAML or mean something to it are escaped. */
static void add_quoted(BrumeText *text, const char *value)
{
    static const struct {
        const char *bytes, *escape;
    } escapes[] = {
        {"\"", "\\\""}, {"\\", "\\\\"}, {"\xe2\x80\xa8", "\\L"}, {"\xe2\x80\xa9", "\\P"}, {"\xef\xbb\xbf", "\\uFEFF"},
    };
    brume_lines_add(text, "\"");
    while (*value) {
        size_t size = 1;
        const char *escape = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
            if (strncmp(value, escapes[i].bytes, strlen(escapes[i].bytes)) == 0) {
                size = strlen(escapes[i].bytes);
                escape = escapes[i].escape;
            }
        }
        brume_lines_add(text, "%.*s", escape ? (int)strlen(escape) : 1, escape ? escape : value);
        value += size;
    }
    brume_lines_add(text, "\"");
}

/** A value on one line. */
static void add_flow(BrumeText *text, const BrumeYamlNode *node)
{
    if (node->kind == BRUME_YAML_SCALAR) {
        if (node->quoted) {
            add_quoted(text, node->text);
        } else {
            brume_lines_add(text, "%s", node->text);
        }
        return;
    }
    const bool map = node->kind == BRUME_YAML_MAP;
    brume_lines_add(text, map ? "{" : "[");
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        if (map) {
            brume_lines_add(text, "%s: ", child->key);
        }
        add_flow(text, child);
        brume_lines_add(text, child->next ? ", " : "");
    }
    brume_lines_add(text, map ? "}" : "]");
}

/** Bytes of a value on one line, but for escapes. */
static size_t flow_size(const BrumeYamlNode *node)
{
    size_t size = node->kind == BRUME_YAML_SCALAR ? strlen(node->text) : 2;
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        size += (child->key ? strlen(child->key) + 2 : 0) + flow_size(child) + (child->next ? 2 : 0);
    }
    return size;
}

static bool on_one_line(const BrumeYamlNode *node, int depth, size_t before)
{
    const bool items = node->kind == BRUME_YAML_LIST && node->first && node->first->kind == BRUME_YAML_MAP;
    if (items && depth == 1) {
        return false; // emitters and the like have a line each
    }
    return node->kind == BRUME_YAML_SCALAR || (depth >= ONE_LINE_DEPTH && !items) ||
           before + flow_size(node) <= LINE_WIDTH;
}

static void add_items(BrumeText *text, const BrumeYamlNode *list, int depth)
{
    for (const BrumeYamlNode *item = list->first; item; item = item->next) {
        char dash[64];
        (void)snprintf(dash, sizeof dash, "%*s- ", 2 * depth, "");
        if (item->kind == BRUME_YAML_MAP && !on_one_line(item, depth + 1, 2 * (size_t)depth + 2)) {
            brume_yaml_add_lines(text, item, depth + 1, dash);
        } else {
            brume_lines_add(text, "%s", dash);
            add_flow(text, item);
            brume_lines_add(text, "\n");
        }
    }
}

void brume_yaml_add_lines(BrumeText *text, const BrumeYamlNode *map, int depth, const char *first)
{
    bool broken = false; // whether the last entry took several lines, after which the whole file has a blank one
    for (const BrumeYamlNode *child = map->first; child; child = child->next) {
        const size_t before = 2 * (size_t)depth + strlen(child->key) + 2;
        const bool short_one = on_one_line(child, depth + 1, before);
        if (depth == 0 && child != map->first && (broken || !short_one)) {
            brume_lines_add(text, "\n");
        }
        broken = !short_one;
        if (child == map->first) {
            brume_lines_add(text, "%s%s:", first, child->key);
        } else {
            brume_lines_add(text, "%*s%s:", 2 * depth, "", child->key);
        }
        if (short_one) {
            brume_lines_add(text, " ");
            add_flow(text, child);
            brume_lines_add(text, "\n");
        } else if (child->kind == BRUME_YAML_MAP) {
            char blanks[64];
            (void)snprintf(blanks, sizeof blanks, "%*s", 2 * (depth + 1), "");
            brume_lines_add(text, "\n");
            brume_yaml_add_lines(text, child, depth + 1, blanks);
        } else {
            brume_lines_add(text, "\n");
            add_items(text, child, depth + 1);
        }
    }
}
