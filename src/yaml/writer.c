/*
 * Trees as text: long maps and lists as block lines, short and deeply nested ones on one line.
 */
#include "yaml/yaml.h"

#include <stdio.h>
#include <string.h>

enum {
    LINE_WIDTH = 110,   // maps and lists that fit into it are written on one line
    ONE_LINE_DEPTH = 3, // maps at this depth and deeper are written on one line whatever their length
};

/** Appends a text in double quotes; quotes, backslashes and the characters that YAML takes as line breaks are escaped.
 */
static void add_quoted(BrumeText *text, const char *value)
{
    static const struct {
        const char *bytes, *escape;
    } escapes[] = {
        {"\"", "\\\""}, {"\\", "\\\\"}, {"\xe2\x80\xa8", "\\L"}, {"\xe2\x80\xa9", "\\P"}, {"\xef\xbb\xbf", "\\uFEFF"},
    };
    brume_text_add(text, "\"");
    while (*value) {
        size_t size = 1;
        const char *escape = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
            if (strncmp(value, escapes[i].bytes, strlen(escapes[i].bytes)) == 0) {
                size = strlen(escapes[i].bytes);
                escape = escapes[i].escape;
            }
        }
        brume_text_add(text, "%.*s", escape ? (int)strlen(escape) : 1, escape ? escape : value);
        value += size;
    }
    brume_text_add(text, "\"");
}

/** Appends a value on one line, in flow style. */
static void add_flow(BrumeText *text, const BrumeYamlNode *node)
{
    if (node->kind == BRUME_YAML_SCALAR) {
        if (node->quoted) {
            add_quoted(text, node->text);
        } else {
            brume_text_add(text, "%s", node->text);
        }
        return;
    }
    const bool map = node->kind == BRUME_YAML_MAP;
    brume_text_add(text, map ? "{" : "[");
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        if (map) {
            brume_text_add(text, "%s: ", child->key);
        }
        add_flow(text, child);
        brume_text_add(text, child->next ? ", " : "");
    }
    brume_text_add(text, map ? "}" : "]");
}

/** Bytes of a value in flow style, escapes not counted. */
static size_t flow_size(const BrumeYamlNode *node)
{
    size_t size = node->kind == BRUME_YAML_SCALAR ? strlen(node->text) : 2;
    for (const BrumeYamlNode *child = node->first; child; child = child->next) {
        size += (child->key ? strlen(child->key) + 2 : 0) + flow_size(child) + (child->next ? 2 : 0);
    }
    return size;
}

static bool fits_on_one_line(const BrumeYamlNode *node, int depth, size_t column)
{
    const bool items = node->kind == BRUME_YAML_LIST && node->first && node->first->kind == BRUME_YAML_MAP;
    if (items && depth == 1) {
        return false; // each item of a list of maps at the top gets a line of its own
    }
    return node->kind == BRUME_YAML_SCALAR || (depth >= ONE_LINE_DEPTH && !items) ||
           column + flow_size(node) <= LINE_WIDTH;
}

static void add_items(BrumeText *text, const BrumeYamlNode *list, int depth)
{
    for (const BrumeYamlNode *item = list->first; item; item = item->next) {
        char dash[64];
        (void)snprintf(dash, sizeof dash, "%*s- ", 2 * depth, "");
        if (item->kind == BRUME_YAML_MAP && !fits_on_one_line(item, depth + 1, 2 * (size_t)depth + 2)) {
            brume_yaml_write(text, item, depth + 1, dash);
        } else {
            brume_text_add(text, "%s", dash);
            add_flow(text, item);
            brume_text_add(text, "\n");
        }
    }
}

void brume_yaml_write(BrumeText *text, const BrumeYamlNode *map, int depth, const char *first)
{
    bool was_block = false; // at the top, a blank line separates entries of several lines
    for (const BrumeYamlNode *child = map->first; child; child = child->next) {
        const size_t column = 2 * (size_t)depth + strlen(child->key) + 2;
        const bool one_line = fits_on_one_line(child, depth + 1, column);
        if (depth == 0 && child != map->first && (was_block || !one_line)) {
            brume_text_add(text, "\n");
        }
        was_block = !one_line;
        if (child == map->first) {
            brume_text_add(text, "%s%s:", first, child->key);
        } else {
            brume_text_add(text, "%*s%s:", 2 * depth, "", child->key);
        }
        if (one_line) {
            brume_text_add(text, " ");
            add_flow(text, child);
            brume_text_add(text, "\n");
        } else if (child->kind == BRUME_YAML_MAP) {
            char blanks[64];
            (void)snprintf(blanks, sizeof blanks, "%*s", 2 * (depth + 1), "");
            brume_text_add(text, "\n");
            brume_yaml_write(text, child, depth + 1, blanks);
        } else {
            brume_text_add(text, "\n");
            add_items(text, child, depth + 1);
        }
    }
}
