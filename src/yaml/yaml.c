#include "yaml/yaml.h"
#include "core/error.h"
#include "yaml/quote.h"
#include "yaml/yaml_internal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/** A map or list whose end has not come yet. */
typedef struct Open {
    BrumeYamlNode *node;
    BrumeYamlNode **tail; // where its next child goes
    char *key;            // map: the key whose value comes next, or NULL
    int key_line, key_column;
} Open;

typedef struct Builder {
    const char *source;
    bool in_file;
    BrumeYamlNode *root;
    int nodes;
    int depth;
    Open open[BRUME_YAML_MAX_DEPTH];
    BrumeError *error;
} Builder;

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
    free(root->key);
    free(root->text);
    free(root);
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

bool brume_yaml_is_null(const BrumeYamlNode *node)
{
    return node->kind == BRUME_YAML_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

/** Code point at `text` and its bytes; 0 bytes where that is no UTF-8. */
static size_t decode(const unsigned char *text, size_t size, uint32_t *code)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000}; // shorter forms must be used below
    const unsigned char lead = text[0];
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
    if (bytes == 0 || bytes > size) {
        return 0;
    }
    *code = bytes == 1 ? lead : lead & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (text[i] & 0x3fu);
    }
    return *code < least[bytes] ? 0 : bytes;
}

static bool is_printable(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0x7f) || code == 0x85 ||
           (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe) || (code >= 0x10000 && code < 0x110000);
}

/** Checks that a text is UTF-8 without control characters: what YAML allows. */
static BrumeStatus check_text(const Builder *builder, const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    int line = 1;
    int column = 1;
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        const size_t length = decode(bytes + i, size - i, &code);
        if (length == 0 || !is_printable(code)) {
            return brume_yaml_fail_at(builder->source, builder->in_file ? line : 0, column, builder->error,
                                      "not a text in UTF-8: byte 0x%02x has no place in one", bytes[i]);
        }
        i += length;
        column = code == '\n' ? 1 : column + 1;
        line += code == '\n';
    }
    return BRUME_OK;
}

static BrumeStatus out_of_memory(const Builder *builder)
{
    return brume_fail(builder->error, BRUME_FAILED, "%s: out of memory", builder->source);
}

static int mark_line(const Builder *builder, yaml_mark_t mark) { return builder->in_file ? (int)mark.line + 1 : 0; }

static BrumeStatus fail_at_mark(const Builder *builder, yaml_mark_t mark, const char *message)
{
    return brume_yaml_fail_at(builder->source, mark_line(builder, mark), (int)mark.column + 1, builder->error, "%s",
                              message);
}

/** The place in the tree where the next value belongs: the root, an item, or the value of the last key. */
static void attach(Builder *builder, BrumeYamlNode *node)
{
    if (builder->depth <= 0) {
        builder->root = node;
        return;
    }
    Open *const parent = &builder->open[builder->depth - 1];
    node->key = parent->key;
    node->key_line = parent->key_line;
    node->key_column = parent->key_column;
    parent->key = NULL;
    *parent->tail = node;
    parent->tail = &node->next;
    parent->node->count++;
}

static BrumeStatus take_key(Builder *builder, const yaml_event_t *event)
{
    Open *const parent = &builder->open[builder->depth - 1];
    const char *text = (const char *)event->data.scalar.value;
    if (parent->node->count == BRUME_YAML_MAX_KEYS) {
        return fail_at_mark(builder, event->start_mark, "too many keys; a map has at most 1000");
    }
    const BrumeYamlNode *twin = brume_yaml_get(parent->node, text);
    if (twin) {
        char first[48] = "";
        if (builder->in_file) {
            (void)snprintf(first, sizeof first, " (the first is on line %d)", twin->key_line);
        }
        return brume_yaml_fail_at(builder->source, mark_line(builder, event->start_mark),
                                  (int)event->start_mark.column + 1, builder->error, "duplicate key '%s'%s",
                                  brume_quote(text).text, first);
    }
    parent->key = strdup(text);
    parent->key_line = mark_line(builder, event->start_mark);
    parent->key_column = (int)event->start_mark.column + 1;
    return parent->key ? BRUME_OK : out_of_memory(builder);
}

static BrumeStatus take_value(Builder *builder, const yaml_event_t *event)
{
    const bool scalar = event->type == YAML_SCALAR_EVENT;
    if (++builder->nodes > BRUME_YAML_MAX_NODES) {
        return fail_at_mark(builder, event->start_mark, "too many values; a scene has at most 1000000");
    }
    if (!scalar && builder->depth == BRUME_YAML_MAX_DEPTH) {
        return fail_at_mark(builder, event->start_mark, "nested too deeply; a scene has at most 16 levels");
    }
    BrumeYamlNode *node = calloc(1, sizeof *node);
    if (!node) {
        return out_of_memory(builder);
    }
    node->kind = scalar                                    ? BRUME_YAML_SCALAR
                 : event->type == YAML_MAPPING_START_EVENT ? BRUME_YAML_MAP
                                                           : BRUME_YAML_LIST;
    node->source = builder->source;
    node->line = mark_line(builder, event->start_mark);
    node->column = (int)event->start_mark.column + 1;
    attach(builder, node);
    if (scalar) {
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        node->text = strdup((const char *)event->data.scalar.value);
        return node->text ? BRUME_OK : out_of_memory(builder);
    }
    builder->open[builder->depth++] = (Open){.node = node, .tail = &node->first};
    return BRUME_OK;
}

/** What a scene has no use for, and what would let a small file grow large. */
static const char *refusal(const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return "aliases ('*name') are not supported; write the value out";
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        if (memchr(event->data.scalar.value, '\0', event->data.scalar.length)) {
            return "a zero byte inside a text";
        }
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        break;
    }
    return anchor ? "anchors ('&name') are not supported; write the value out"
           : tag  ? "tags ('!name') are not supported; write the plain value"
                  : NULL;
}

static BrumeStatus take_event(Builder *builder, const yaml_event_t *event)
{
    const char *refused = refusal(event);
    if (refused) {
        return fail_at_mark(builder, event->start_mark, refused);
    }
    const Open *const parent = builder->depth > 0 ? &builder->open[builder->depth - 1] : NULL;
    const bool key_next = parent && parent->node->kind == BRUME_YAML_MAP && !parent->key;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return builder->root ? fail_at_mark(builder, event->start_mark, "a second document; a scene is one") : BRUME_OK;
    case YAML_SCALAR_EVENT:
        return key_next ? take_key(builder, event) : take_value(builder, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return key_next ? fail_at_mark(builder, event->start_mark, "a key must be a single name")
                        : take_value(builder, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        builder->depth--;
        return BRUME_OK;
    default:
        return BRUME_OK;
    }
}

static BrumeStatus fail_syntax(const Builder *builder, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return out_of_memory(builder);
    }
    return brume_yaml_fail_at(builder->source, mark_line(builder, parser->problem_mark),
                              (int)parser->problem_mark.column + 1, builder->error, "not valid YAML: %s",
                              parser->problem ? parser->problem : "unreadable");
}

BrumeStatus brume_yaml_parse(BrumeYamlNode **root, const char *source, bool in_file, const char *text, size_t size,
                             BrumeError *error)
{
    *root = NULL;
    Builder builder = {.source = source, .in_file = in_file, .error = error};
    BrumeStatus status = check_text(&builder, text, size);
    if (status != BRUME_OK) {
        return status;
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return out_of_memory(&builder);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);

    for (bool done = false; !done && status == BRUME_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_syntax(&builder, &parser);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        status = take_event(&builder, &event);
        yaml_event_delete(&event);
    }
    if (status == BRUME_OK && !builder.root) {
        status =
            brume_yaml_fail_at(source, in_file ? 1 : 0, 1, error, "%s",
                               in_file ? "empty; a scene has sections such as 'domain' and 'emitters'" : "no value");
    }
    if (status == BRUME_OK) {
        *root = builder.root;
    } else {
        for (int i = 0; i < builder.depth; i++) {
            free(builder.open[i].key);
        }
        brume_yaml_free(builder.root);
    }
    yaml_parser_delete(&parser);
    return status;
}
