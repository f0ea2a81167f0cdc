/*
 * Builds a tree from libyaml's events, under the limits of yaml.h.
 */
#include "core/descriptor.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "core/suggest.h"
#include "yaml/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

/** A map or list whose end event is still to come. */
typedef struct OpenNode {
    BrumeYamlNode *node;
    BrumeYamlNode **tail; // link that the next child is stored in
    char *key;            // map: the key whose value is expected next; NULL where a key is expected
    int key_line, key_column;
} OpenNode;

typedef struct Builder {
    const char *source;
    bool has_lines; // otherwise all lines are 0
    BrumeYamlNode *root;
    int nodes;
    int depth;
    OpenNode open[BRUME_YAML_MAX_DEPTH];
    BrumeError *error;
} Builder;

/** Decodes the UTF-8 character at `text`: returns its bytes and sets its code point; 0 where it is not valid UTF-8. */
static size_t decode(const unsigned char *text, size_t size, uint32_t *code)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000}; // smaller code points have a shorter encoding
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

/** Whether libyaml starts a new line after a character. */
static bool is_break(uint32_t code)
{
    return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/** The name of a kind of file other than YAML; NULL where its first bytes do not tell. */
static const char *kind_of_file(const char *bytes, size_t size)
{
    static const struct {
        const char *start;
        size_t size;
        const char *name;
    } kinds[] = {
        {"\x89PNG", 4, "a PNG image"},  {"\xff\xd8\xff", 3, "a JPEG image"}, {"\x76\x2f\x31\x01", 4, "an EXR image"},
        {"\x89HDF", 4, "an HDF5 file"}, {"\x1a\x45\xdf\xa3", 4, "a video"},  {"\x1f\x8b", 2, "a compressed file"},
        {" BDV", 4, "an OpenVDB file"},
    };
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        if (size >= kinds[n].size && memcmp(bytes, kinds[n].start, kinds[n].size) == 0) {
            return kinds[n].name;
        }
    }
    return NULL;
}

static BrumeStatus fail_text(const Builder *builder, const char *text, size_t size, size_t at, int line, int column)
{
    const char *const kind = builder->has_lines ? kind_of_file(text, size) : NULL;
    if (kind) {
        return brume_yaml_fail_at(builder->source, 1, 1, builder->error, "this is %s, and a text in YAML is expected",
                                  kind);
    }
    return brume_yaml_fail_at(builder->source, builder->has_lines ? line : 0, column, builder->error,
                              "not a text in UTF-8: byte 0x%02x is not allowed here", (unsigned char)text[at]);
}

/** Checks that a text is UTF-8 without control characters, as YAML requires, and the number of directives. */
static BrumeStatus check_text(const Builder *builder, const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    int line = 1;
    int column = 1;
    int directives = 0;
    uint32_t previous = '\n';
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        const size_t length = decode(bytes + i, size - i, &code);
        if (length == 0 || !is_printable(code)) {
            return fail_text(builder, text, size, i, line, column);
        }
        if (code == '%' && is_break(previous) && ++directives > BRUME_YAML_MAX_DIRECTIVES) {
            return brume_yaml_fail_at(builder->source, builder->has_lines ? line : 0, column, builder->error,
                                      "too many directives; a file has at most %d lines that start with '%%'",
                                      BRUME_YAML_MAX_DIRECTIVES);
        }
        previous = code;
        i += length;
        column = code == '\n' ? 1 : column + 1;
        line += code == '\n';
    }
    return BRUME_OK;
}

static BrumeStatus out_of_memory(const Builder *builder)
{
    return brume_out_of_memory(builder->error, "%s", builder->source);
}

static int mark_line(const Builder *builder, yaml_mark_t mark) { return builder->has_lines ? (int)mark.line + 1 : 0; }

static BrumeStatus fail_at_mark(const Builder *builder, yaml_mark_t mark, const char *message)
{
    return brume_yaml_fail_at(builder->source, mark_line(builder, mark), (int)mark.column + 1, builder->error, "%s",
                              message);
}

/** Stores a node as the root, as the next item of the innermost list, or as the value of the last key. */
static void attach(Builder *builder, BrumeYamlNode *node)
{
    if (builder->depth <= 0) {
        builder->root = node;
        return;
    }
    OpenNode *const parent = &builder->open[builder->depth - 1];
    node->key = parent->key;
    node->key_line = parent->key_line;
    node->key_column = parent->key_column;
    parent->key = NULL;
    *parent->tail = node;
    parent->tail = &node->next;
    parent->node->count++;
}

/** The hint for a key that is the second part of a number, as in {viscosity: 1,5e-5}. */
static BrumeHint point_hint_of_key(const OpenNode *parent, const char *text, yaml_mark_t mark)
{
    const BrumeYamlNode *last = parent->node->first;
    while (last && last->next) {
        last = last->next;
    }
    if (!last || last->kind != BRUME_YAML_SCALAR || (int)mark.column != last->column + (int)strlen(last->text)) {
        return (BrumeHint){""};
    }
    char number[64];
    (void)snprintf(number, sizeof number, "%.30s,%.30s", last->text, text);
    return brume_point_hint(number);
}

static BrumeStatus add_key(Builder *builder, const yaml_event_t *event)
{
    OpenNode *const parent = &builder->open[builder->depth - 1];
    const char *text = (const char *)event->data.scalar.value;
    if (isdigit((unsigned char)text[0])) {
        const BrumeHint hint = point_hint_of_key(parent, text, event->start_mark);
        if (hint.text[0]) {
            return brume_yaml_fail_at(builder->source, mark_line(builder, event->start_mark),
                                      (int)event->start_mark.column + 1, builder->error,
                                      "a comma ends the value before '%s'%s", brume_quote(text).text, hint.text);
        }
    }
    if (parent->node->count == BRUME_YAML_MAX_KEYS) {
        return fail_at_mark(builder, event->start_mark, "too many keys; a map has at most 1000");
    }
    const BrumeYamlNode *earlier = brume_yaml_get(parent->node, text);
    if (earlier) {
        char first[48] = "";
        if (builder->has_lines) {
            (void)snprintf(first, sizeof first, " (the first is on line %d)", earlier->key_line);
        }
        return brume_yaml_fail_at(builder->source, mark_line(builder, event->start_mark),
                                  (int)event->start_mark.column + 1, builder->error, "duplicate key '%s'%s",
                                  brume_quote(text).text, first);
    }
    parent->key = brume_copy_text(text);
    parent->key_line = mark_line(builder, event->start_mark);
    parent->key_column = (int)event->start_mark.column + 1;
    return parent->key ? BRUME_OK : out_of_memory(builder);
}

static BrumeStatus add_value(Builder *builder, const yaml_event_t *event)
{
    const bool scalar = event->type == YAML_SCALAR_EVENT;
    if (++builder->nodes > BRUME_YAML_MAX_NODES) {
        return fail_at_mark(builder, event->start_mark, "too many values; a file has at most 1000000");
    }
    if (!scalar && builder->depth == BRUME_YAML_MAX_DEPTH) {
        return fail_at_mark(builder, event->start_mark, "nested too deeply; a file has at most 16 levels");
    }
    BrumeYamlNode *const node = brume_yaml_new(BRUME_YAML_SCALAR);
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
        node->text = brume_copy_text((const char *)event->data.scalar.value);
        return node->text ? BRUME_OK : out_of_memory(builder);
    }
    builder->open[builder->depth++] = (OpenNode){.node = node, .tail = &node->first};
    return BRUME_OK;
}

/** Why an event is refused, NULL where it is not: aliases let a small file expand into a large tree. */
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

static BrumeStatus handle_event(Builder *builder, const yaml_event_t *event)
{
    const char *const refused = refusal(event);
    if (refused) {
        return fail_at_mark(builder, event->start_mark, refused);
    }
    const OpenNode *const parent = builder->depth > 0 ? &builder->open[builder->depth - 1] : NULL;
    const bool key_next = parent && parent->node->kind == BRUME_YAML_MAP && !parent->key;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return builder->root ? fail_at_mark(builder, event->start_mark, "a second document; a file has one") : BRUME_OK;
    case YAML_SCALAR_EVENT:
        return key_next ? add_key(builder, event) : add_value(builder, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return key_next ? fail_at_mark(builder, event->start_mark, "a key must be a single name")
                        : add_value(builder, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        builder->depth--;
        return BRUME_OK;
    default:
        return BRUME_OK;
    }
}

/** The column, from 1, of a tab among the blanks at the start of a line, counted from 0; 0 where there is none. */
static int tab_column(const char *text, size_t size, size_t line)
{
    const char *const end = text + size;
    for (; line > 0 && text; line--) {
        const char *const next = memchr(text, '\n', (size_t)(end - text));
        text = next ? next + 1 : NULL;
    }
    const char *at = text;
    while (at && at < end && *at == ' ') {
        at++;
    }
    return at && at < end && *at == '\t' ? (int)(at - text) + 1 : 0;
}

static BrumeStatus fail_syntax(const Builder *builder, const yaml_parser_t *parser, const char *text, size_t size)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return out_of_memory(builder);
    }
    const int tab = tab_column(text, size, parser->problem_mark.line);
    if (tab > 0) {
        return brume_yaml_fail_at(builder->source, mark_line(builder, parser->problem_mark), tab, builder->error,
                                  "not valid YAML: a tab at the start of the line (indent with spaces)");
    }
    return brume_yaml_fail_at(builder->source, mark_line(builder, parser->problem_mark),
                              (int)parser->problem_mark.column + 1, builder->error, "not valid YAML: %s",
                              parser->problem ? parser->problem : "cannot be parsed");
}

/** The size of the byte order mark at the start of a text; 0 where there is none. */
static size_t byte_order_mark_size(const char *text, size_t size)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'}; // U+FEFF in UTF-8
    return size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

static BrumeStatus fail_too_large(const char *path, BrumeError *error)
{
    return brume_fail_at(error, BRUME_BAD_INPUT, path, 1, 1, "too large (at most %d bytes)", BRUME_YAML_MAX_BYTES);
}

BrumeStatus brume_yaml_parse(BrumeYamlNode **root, const char *source, bool has_lines, const char *text, size_t size,
                             BrumeError *error)
{
    *root = NULL;
    Builder builder = {.source = source, .has_lines = has_lines, .error = error};
    if (size > BRUME_YAML_MAX_BYTES) {
        return fail_too_large(source, error);
    }
    // some editors write the mark; it is no character of the text, and libyaml refuses it where the encoding is given
    const size_t mark_size = has_lines ? byte_order_mark_size(text, size) : 0;
    text += mark_size;
    size -= mark_size;
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
            status = fail_syntax(&builder, &parser, text, size);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        status = handle_event(&builder, &event);
        yaml_event_delete(&event);
    }
    if (status == BRUME_OK && !builder.root) {
        status =
            brume_yaml_fail_at(source, has_lines ? 1 : 0, 1, error, "%s", has_lines ? "the file is empty" : "no value");
    }
    if (status == BRUME_OK) {
        *root = builder.root;
    } else {
        for (int i = 0; i < builder.depth; i++) {
            brume_free(builder.open[i].key);
        }
        brume_yaml_free(builder.root);
    }
    yaml_parser_delete(&parser);
    return status;
}

BrumeStatus brume_yaml_read(BrumeYamlNode **root, const char *path, BrumeError *error)
{
    *root = NULL;
    char *text = NULL;
    int file;
    BrumeStatus status = brume_open_input(&file, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    struct stat info;
    if (fstat(file, &info) != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: %s, not a regular file", path,
                            S_ISDIR(info.st_mode) ? "a directory" : "a device or pipe");
        goto cleanup;
    }
    if (info.st_size > BRUME_YAML_MAX_BYTES) {
        status = fail_too_large(path, error);
        goto cleanup;
    }
    // one byte more than allowed: the file may have grown since fstat
    text = brume_alloc_untouched(BRUME_YAML_MAX_BYTES + 1, 1);
    if (!text) {
        status = brume_out_of_memory(error, "%s", path);
        goto cleanup;
    }
    const ssize_t size = brume_read_up_to(file, text, BRUME_YAML_MAX_BYTES + 1);
    if (size < 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
        goto cleanup;
    }
    if (size > BRUME_YAML_MAX_BYTES) {
        status = fail_too_large(path, error);
        goto cleanup;
    }
    status = brume_yaml_parse(root, path, true, text, (size_t)size, error);
cleanup:
    brume_free(text);
    (void)close(file);
    return status;
}
