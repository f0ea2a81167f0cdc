#include "exchange/raw/raw_header.h"

#include "core/hash.h"
#include "core/memory.h"
#include "yaml/numbers.h"
#include "yaml/yaml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_NAME "brume raw volume"

enum { VERSION = 1, HASH_DIGITS = 16 };

static const char hash_key[] = "header_hash: "; // of the last line, which has the hash of all bytes before it

static const char *const locations[] = {
    [BRUME_AT_CENTERS] = "centers",
    [BRUME_AT_X_FACES] = "x_faces",
    [BRUME_AT_Y_FACES] = "y_faces",
    [BRUME_AT_Z_FACES] = "z_faces",
};

// composing

static void add_quoted(BrumeText *text, const char *value)
{
    brume_text_add(text, "\"");
    for (; *value; value++) {
        if ((unsigned char)*value < 0x20 || *value == 0x7f) {
            brume_text_add(text, "\\x%02x", (unsigned)*value);
        } else {
            brume_text_add(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
        }
    }
    brume_text_add(text, "\"");
}

// adds exactly this text as a YAML block of lines, indented by two blanks
static void add_scene(BrumeText *text, const char *scene)
{
    const size_t size = strlen(scene);
    brume_text_add(text, "scene: |2%s\n", size > 0 && scene[size - 1] == '\n' ? "+" : "-");
    while (*scene) {
        const size_t length = strcspn(scene, "\n");
        brume_text_add(text, "  %.*s\n", (int)length, scene);
        scene += length + (scene[length] == '\n' ? 1 : 0);
    }
}

static void add_grids(BrumeText *text, const BrumeFrameGrids *frame)
{
    size_t offset = 0;
    brume_text_add(text, frame->count > 0 ? "grids:\n" : "grids: []\n");
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        brume_text_add(text, "  - {name: ");
        add_quoted(text, grid->name);
        brume_text_add(text, ", unit: ");
        add_quoted(text, grid->unit);
        brume_text_add(text, ", components: %d, location: %s, extents: [%d, %d, %d], offset: %zu}\n", grid->components,
                       locations[grid->location], brume_frame_grid_extent(frame->cells, grid->location, 0),
                       brume_frame_grid_extent(frame->cells, grid->location, 1),
                       brume_frame_grid_extent(frame->cells, grid->location, 2), offset);
        offset += brume_frame_grid_values(frame->cells, grid) * sizeof(float);
    }
}

// reads the header again, because YAML does not allow all characters
static BrumeStatus check_text(const BrumeText *text, const BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    BrumeRawLayout layout = {0};
    BrumeFrameGrids read = {0};
    const BrumeStatus status = brume_raw_header_parse(&layout, &read, path, text->data, text->size, error);
    if (status == BRUME_FAILED) {
        return status;
    }
    bool same = status == BRUME_OK && (frame->scene_text == NULL) == (read.scene_text == NULL) &&
                (!frame->scene_text || strcmp(frame->scene_text, read.scene_text) == 0);
    for (int n = 0; n < frame->count && same; n++) {
        same = strcmp(layout.grids[n].name, frame->grids[n].name) == 0;
    }
    brume_frame_grids_destroy(&read);
    return same ? BRUME_OK
                : brume_fail(error, BRUME_BAD_INPUT,
                             "%s: the scene, the name of a grid or a number cannot be represented", path);
}

BrumeStatus brume_raw_header_compose(BrumeText *text, const BrumeFrameGrids *frame, uint64_t bytes, uint64_t hash,
                                     const char *path, BrumeError *error)
{
    brume_text_add(text,
                   "# Values of NAME.raw, x fastest, then y, then z; the components of a vector are interleaved.\n"
                   "format: " FORMAT_NAME "\nversion: %d\nbytes: %" PRIu64 "\nhash: %016" PRIx64 "\n"
                   "type: float32\nendianness: little\norder: xyz\nup: y\ncells: [%d, %d, %d]\nspacing: ",
                   VERSION, bytes, hash, frame->cells.nx, frame->cells.ny, frame->cells.nz);
    brume_text_add_exact_number(text, frame->dx);
    brume_text_add(text, "\norigin: [");
    for (int axis = 0; axis < 3; axis++) {
        brume_text_add(text, axis > 0 ? ", " : "");
        brume_text_add_exact_number(text, frame->origin[axis]);
    }
    brume_text_add(text, "]\ntime: ");
    brume_text_add_exact_number(text, frame->time);
    brume_text_add(text, "\n");
    if (frame->has_frame) {
        brume_text_add(text, "frame: %d\n", frame->frame);
    }
    if (frame->scene_text) {
        add_scene(text, frame->scene_text);
    }
    add_grids(text, frame);
    if (!text->failed) {
        brume_text_add(text, "%s%016" PRIx64 "\n", hash_key, brume_hash_bytes(text->data, text->size, 0));
    }
    if (text->failed) {
        return brume_out_of_memory(error, "%s", path);
    }
    return check_text(text, frame, path, error);
}

// parsing

static const char *const known_keys[] = {"format", "version", "bytes", "hash",        "type",   "endianness",
                                         "order",  "up",      "cells", "spacing",     "origin", "time",
                                         "frame",  "scene",   "grids", "header_hash", NULL};
static const char *const known_grid_keys[] = {"name", "unit", "components", "location", "extents", "offset", NULL};

static BrumeStatus check_keys(const BrumeYamlNode *map, const char *const *known, BrumeError *error)
{
    if (map->kind != BRUME_YAML_MAP) {
        return brume_yaml_fail(map, error, "not a map (the header of a raw volume is one)");
    }
    for (const BrumeYamlNode *node = map->first; node; node = node->next) {
        const char *const *name = known;
        while (*name && strcmp(*name, node->key) != 0) {
            name++;
        }
        if (!*name) {
            return brume_yaml_fail_key(node, error, "unknown key '%s'", brume_quote(node->key).text);
        }
    }
    return BRUME_OK;
}

static BrumeStatus get_required(const BrumeYamlNode **node, const BrumeYamlNode *map, const char *key,
                                BrumeError *error)
{
    *node = brume_yaml_get(map, key);
    return *node ? BRUME_OK : brume_yaml_fail(map, error, "no '%s'", key);
}

static BrumeStatus read_number(double *value, const BrumeYamlNode *node, bool whole, double least, double most,
                               BrumeError *error)
{
    const BrumeNumberKind kind =
        node->kind == BRUME_YAML_SCALAR && !node->quoted ? brume_parse_number(node->text, value) : BRUME_NUMBER_NONE;
    const bool right = kind == BRUME_NUMBER_WHOLE || (kind == BRUME_NUMBER_REAL && !whole);
    if (!right || *value < least || *value > most) {
        return brume_yaml_fail(node, error, "not a %s from %g to %g", whole ? "whole number" : "number", least, most);
    }
    return BRUME_OK;
}

static BrumeStatus get_number(double *value, const BrumeYamlNode *map, const char *key, bool whole, double least,
                              double most, BrumeError *error)
{
    const BrumeYamlNode *node;
    const BrumeStatus status = get_required(&node, map, key, error);
    return status == BRUME_OK ? read_number(value, node, whole, least, most, error) : status;
}

static BrumeStatus get_three(double values[3], const BrumeYamlNode *map, const char *key, bool whole, double least,
                             double most, BrumeError *error)
{
    const BrumeYamlNode *node;
    BrumeStatus status = get_required(&node, map, key, error);
    if (status == BRUME_OK && (node->kind != BRUME_YAML_LIST || node->count != 3)) {
        return brume_yaml_fail(node, error, "not a list of three numbers");
    }
    const BrumeYamlNode *item = status == BRUME_OK ? node->first : NULL;
    for (int n = 0; item && status == BRUME_OK; n++, item = item->next) {
        status = read_number(&values[n], item, whole, least, most, error);
    }
    return status;
}

static BrumeStatus get_text(const char **text, const BrumeYamlNode *map, const char *key, BrumeError *error)
{
    const BrumeYamlNode *node;
    const BrumeStatus status = get_required(&node, map, key, error);
    if (status == BRUME_OK && node->kind != BRUME_YAML_SCALAR) {
        return brume_yaml_fail(node, error, "not a text");
    }
    *text = status == BRUME_OK ? node->text : "";
    return status;
}

static BrumeStatus expect_text(const BrumeYamlNode *map, const char *key, const char *expected, BrumeError *error)
{
    const char *text = "";
    const BrumeStatus status = get_text(&text, map, key, error);
    if (status == BRUME_OK && strcmp(text, expected) != 0) {
        return brume_yaml_fail(brume_yaml_get(map, key), error, "'%s' cannot be read (only '%s')",
                               brume_quote(text).text, expected);
    }
    return status;
}

static BrumeStatus read_hash(uint64_t *hash, const BrumeYamlNode *node, BrumeError *error)
{
    if (node->kind != BRUME_YAML_SCALAR || strlen(node->text) != HASH_DIGITS ||
        strspn(node->text, "0123456789abcdef") != HASH_DIGITS) {
        return brume_yaml_fail(node, error, "not a hash of 16 hexadecimal digits");
    }
    *hash = strtoull(node->text, NULL, 16);
    return BRUME_OK;
}

static BrumeStatus check_header_hash(const BrumeYamlNode *root, const char *text, size_t size, BrumeError *error)
{
    const BrumeYamlNode *node = brume_yaml_get(root, "header_hash");
    const size_t line = sizeof hash_key - 1 + HASH_DIGITS + 1;
    if (!node) {
        return BRUME_OK;
    }
    uint64_t hash = 0;
    const BrumeStatus status = read_hash(&hash, node, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (size < line || strncmp(text + size - line, hash_key, sizeof hash_key - 1) != 0 ||
        hash != brume_hash_bytes(text, size - line, 0)) {
        return brume_yaml_fail_key(node, error,
                                   "the header is damaged or was changed (remove this line to read it nevertheless)");
    }
    return BRUME_OK;
}

static BrumeStatus read_location(BrumeFrameGrid *grid, const BrumeYamlNode *map, BrumeError *error)
{
    const char *text = "";
    const BrumeStatus status = get_text(&text, map, "location", error);
    if (status != BRUME_OK) {
        return status;
    }
    for (int n = BRUME_AT_CENTERS; n <= BRUME_AT_Z_FACES; n++) {
        if (strcmp(text, locations[n]) == 0) {
            grid->location = (BrumeGridLocation)n;
            return BRUME_OK;
        }
    }
    return brume_yaml_fail(brume_yaml_get(map, "location"), error,
                           "unknown location '%s' (known: centers, x_faces, y_faces, z_faces)", brume_quote(text).text);
}

static BrumeStatus read_grid(BrumeRawLayout *layout, BrumeGrid cells, const BrumeYamlNode *map, BrumeError *error)
{
    if (layout->grid_count == BRUME_MAX_FRAME_GRIDS) {
        return brume_yaml_fail(map, error, "more than %d grids", BRUME_MAX_FRAME_GRIDS);
    }
    BrumeFrameGrid *grid = &layout->grids[layout->grid_count];
    uint64_t *offset_of = &layout->offsets[layout->grid_count];
    *grid = (BrumeFrameGrid){.name = ""};
    const char *name = "";
    const char *unit = "";
    double components = 0.0;
    double offset = 0.0;
    double extents[3] = {0.0, 0.0, 0.0};
    BrumeStatus status = check_keys(map, known_grid_keys, error);
    status = status == BRUME_OK ? get_text(&name, map, "name", error) : status;
    status = status == BRUME_OK ? get_text(&unit, map, "unit", error) : status;
    status = status == BRUME_OK ? get_number(&components, map, "components", true, 1.0, 3.0, error) : status;
    status = status == BRUME_OK ? get_number(&offset, map, "offset", true, 0.0, 0x1p53, error) : status;
    status = status == BRUME_OK ? get_three(extents, map, "extents", true, 1.0, 0x1p20 + 1.0, error) : status;
    status = status == BRUME_OK ? read_location(grid, map, error) : status;
    if (status != BRUME_OK) {
        return status;
    }
    grid->components = (int)components;
    *offset_of = (uint64_t)offset;
    if (grid->components == 2 || strlen(name) >= sizeof grid->name || strlen(unit) >= sizeof grid->unit) {
        return brume_yaml_fail(map, error, "its name or unit is too long, or it has two components");
    }
    memcpy(grid->name, name, strlen(name) + 1);
    memcpy(grid->unit, unit, strlen(unit) + 1);
    for (int axis = 0; axis < 3; axis++) {
        const int expected = brume_frame_grid_extent(cells, grid->location, axis);
        if ((int)extents[axis] != expected) {
            return brume_yaml_fail(brume_yaml_get(map, "extents"), error, "%d instead of %d along the %c axis",
                                   (int)extents[axis], expected, 'x' + axis);
        }
    }
    const uint64_t size = (uint64_t)brume_frame_grid_values(cells, grid) * sizeof(float);
    if (*offset_of > layout->bytes || size > layout->bytes - *offset_of) {
        return brume_yaml_fail(map, error, "its data end behind the file, which has %" PRIu64 " bytes", layout->bytes);
    }
    layout->grid_count++;
    return BRUME_OK;
}

// checks that no grid is missing, as it would be in a header whose end has been lost
static BrumeStatus check_size(const BrumeRawLayout *layout, BrumeGrid cells, const BrumeYamlNode *grids,
                              BrumeError *error)
{
    uint64_t bytes = 0;
    for (int n = 0; n < layout->grid_count; n++) {
        bytes += (uint64_t)brume_frame_grid_values(cells, &layout->grids[n]) * sizeof(float);
    }
    if (bytes != layout->bytes) {
        return brume_yaml_fail(grids, error, "its grids have %" PRIu64 " bytes instead of %" PRIu64, bytes,
                               layout->bytes);
    }
    return BRUME_OK;
}

// checks the format of the header and of the values, and reads their size and hash
static BrumeStatus read_form(BrumeRawLayout *layout, const BrumeYamlNode *root, BrumeError *error)
{
    double bytes = 0.0;
    double version = 0.0;
    BrumeStatus status = check_keys(root, known_keys, error);
    status = status == BRUME_OK ? expect_text(root, "format", FORMAT_NAME, error) : status;
    status = status == BRUME_OK ? get_number(&version, root, "version", true, VERSION, VERSION, error) : status;
    status = status == BRUME_OK ? expect_text(root, "type", "float32", error) : status;
    status = status == BRUME_OK ? expect_text(root, "endianness", "little", error) : status;
    status = status == BRUME_OK ? expect_text(root, "order", "xyz", error) : status;
    status = status == BRUME_OK ? expect_text(root, "up", "y", error) : status;
    status = status == BRUME_OK ? get_number(&bytes, root, "bytes", true, 0.0, 0x1p53, error) : status;
    const BrumeYamlNode *hash = brume_yaml_get(root, "hash");
    if (status == BRUME_OK && hash) {
        status = read_hash(&layout->hash, hash, error);
        layout->has_hash = true;
    }
    layout->bytes = (uint64_t)bytes;
    return status;
}

static BrumeStatus read_frame(BrumeFrameGrids *frame, const BrumeYamlNode *root, BrumeError *error)
{
    double cells[3] = {0.0, 0.0, 0.0};
    double number = 0.0;
    BrumeStatus status = get_three(cells, root, "cells", true, 1.0, 0x1p20, error);
    status = status == BRUME_OK ? get_number(&frame->dx, root, "spacing", false, 1e-9, 1e9, error) : status;
    status = status == BRUME_OK ? get_three(frame->origin, root, "origin", false, -1e9, 1e9, error) : status;
    if (status == BRUME_OK && brume_yaml_get(root, "time")) {
        status = get_number(&frame->time, root, "time", false, -1e15, 1e15, error);
    }
    if (status == BRUME_OK && brume_yaml_get(root, "frame")) {
        status = get_number(&number, root, "frame", true, -1e9, 1e9, error);
        frame->has_frame = true;
    }
    if (status == BRUME_OK && brume_yaml_get(root, "scene")) {
        const char *scene = "";
        status = get_text(&scene, root, "scene", error);
        frame->scene_text = status == BRUME_OK ? brume_copy_text(scene) : NULL;
        if (status == BRUME_OK && !frame->scene_text) {
            status = brume_out_of_memory(error, "the scene");
        }
    }
    frame->cells = brume_grid((int)cells[0], (int)cells[1], (int)cells[2]);
    frame->frame = (int)number;
    return status;
}

BrumeStatus brume_raw_header_parse(BrumeRawLayout *layout, BrumeFrameGrids *frame, const char *path, const char *text,
                                   size_t size, BrumeError *error)
{
    *layout = (BrumeRawLayout){0};
    BrumeYamlNode *root;
    const BrumeYamlNode *grids = NULL;
    BrumeStatus status = brume_yaml_parse(&root, path, true, text, size, error);
    if (status != BRUME_OK) {
        return status;
    }
    status = read_form(layout, root, error);
    status = status == BRUME_OK ? check_header_hash(root, text, size, error) : status;
    status = status == BRUME_OK ? read_frame(frame, root, error) : status;
    status = status == BRUME_OK ? get_required(&grids, root, "grids", error) : status;
    if (status == BRUME_OK && grids->kind != BRUME_YAML_LIST) {
        status = brume_yaml_fail(grids, error, "not a list of grids");
    }
    for (const BrumeYamlNode *grid = status == BRUME_OK ? grids->first : NULL; grid && status == BRUME_OK;
         grid = grid->next) {
        status = read_grid(layout, frame->cells, grid, error);
    }
    status = status == BRUME_OK ? check_size(layout, frame->cells, grids, error) : status;
    brume_yaml_free(root);
    return status;
}
