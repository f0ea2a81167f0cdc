/*
 * There are no separate rules for the settings of a change: the values that it sets are put into the tree of the file,
 * and all settings are read and resolved from that tree again.
 */
#include "scene/timeline_reader.h"
#include "scene/format/defaults.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "scene/format/schema.h"
#include "scene/resolve/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The state of the reader between two items. */
typedef struct Reader {
    BrumeYamlNode *root;
    BrumeParsedScene *parsed;
    BrumeParsedScene *scratch;  // for reading changed settings
    const BrumeSimDef *current; // settings in effect
    double fps_time;            // time [s] of frame `fps_frame`, since which the current frame rate is in effect
    int fps_frame;
    int settings_changes; // so far
    BrumeError *error;
} Reader;

/** One item of the timeline. */
typedef struct Item {
    const BrumeYamlNode *map;
    int frame;
    double start, end; // of the coming frame [s]
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[BRUME_MAX_BODIES];
    BrumeChange change;
} Item;

int brume_stroke_color_count(const BrumeYamlNode *root)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "timeline");
    int colors = 0;
    for (const BrumeYamlNode *change = list ? list->first : NULL; change; change = change->next) {
        const BrumeYamlNode *const strokes = brume_yaml_get(change, "strokes");
        for (const BrumeYamlNode *stroke = strokes ? strokes->first : NULL; stroke; stroke = stroke->next) {
            for (int kind = colors + 1; kind < BRUME_SMOKE_KINDS; kind++) {
                colors = brume_yaml_get(stroke, brume_smoke_key_names[kind]) ? kind : colors;
            }
        }
    }
    return colors;
}

static BrumeStatus require(const BrumeYamlNode *map, const char *owner, const char *key, BrumeError *error)
{
    return brume_yaml_get(map, key) ? BRUME_OK : brume_yaml_fail(map, error, "this '%s' needs '%s'", owner, key);
}

static BrumeStatus fail_fixed(const BrumeYamlNode *node, const BrumeKey *key, BrumeError *error)
{
    return brume_yaml_fail_key(node, error, "'%s' holds for the whole scene and cannot be 'set'", brume_key_name(key));
}

/** Rejects keys that a timeline cannot change, in a value of `section`. */
static BrumeStatus check_value(const BrumeSection *section, const BrumeYamlNode *value, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (const BrumeYamlNode *child = value->first; child && status == BRUME_OK; child = child->next) {
        if (value->kind == BRUME_YAML_LIST) {
            status = check_value(section, child, error);
            continue;
        }
        BrumeKey key;
        const bool known = brume_section_find(section, child->key, &key);
        if (known && brume_key_is_fixed(&key)) {
            return fail_fixed(child, &key, error);
        }
        status = known && key.section ? check_value(key.section, child, error) : BRUME_OK;
    }
    return status;
}

/** Rejects paths to keys that a timeline cannot change. Other errors are found when the tree is read again. */
static BrumeStatus check_entry(const BrumeYamlNode *entry, BrumeError *error)
{
    const BrumeSection *section = &brume_scene_section;
    const char *path = entry->key;
    const char *const end = path + strlen(path);
    bool in_list = false;
    char name[BRUME_YAML_MAX_NAME + 1];
    while (path < end && section && brume_yaml_next_name(&path, end, name)) {
        if (in_list) {
            in_list = false;
            continue;
        }
        BrumeKey key;
        const bool known = brume_section_find(section, name, &key);
        if (known && brume_key_is_fixed(&key)) {
            return fail_fixed(entry, &key, error);
        }
        section = known ? key.section : NULL;
        in_list = known && key.kind == BRUME_KEY_LIST;
    }
    return section ? check_value(section, entry, error) : BRUME_OK;
}

/** Whether a value, a value below it or a key of these has the position of an error in a file. */
static bool has_position(const BrumeYamlNode *node, const BrumeError *error)
{
    bool found = (node->line == error->line && node->column == error->column) ||
                 (node->key && node->key_line == error->line && node->key_column == error->column);
    for (const BrumeYamlNode *child = node->first; child && !found; child = child->next) {
        found = has_position(child, error);
    }
    return found;
}

/** The length of the position at the start of an error's text: `source:line:column: ` or `-D path=value: `. */
static size_t position_length(const BrumeYamlNode *root, const BrumeYamlNode *set, const BrumeError *error)
{
    char position[sizeof error->text];
    if (error->line > 0) {
        (void)snprintf(position, sizeof position, "%s:%d:%d: ", root->source, error->line, error->column);
    } else {
        (void)snprintf(position, sizeof position, "-D %s: ", brume_quote(set->source).text);
    }
    const size_t length = strlen(position);
    return strncmp(error->text, position, length) == 0 ? length : 0;
}

/**
 * Moves an error that the settings after a change have elsewhere in the file, as where an emitter lies outside the new
 * box, to the change; the text names the other line.
 */
static BrumeStatus fail_after_set(BrumeStatus status, const BrumeYamlNode *root, const BrumeYamlNode *set,
                                  BrumeError *error)
{
    if (status != BRUME_BAD_INPUT || !error) {
        return status;
    }
    const size_t length = position_length(root, set, error);
    const bool is_here = set->line > 0 ? error->line > 0 && has_position(set, error) : error->line == 0 && length > 0;
    if (is_here) {
        return status;
    }
    char message[sizeof error->text];
    (void)snprintf(message, sizeof message, "%s", error->text + length);
    char other[32] = "";
    if (error->line > 0 && !(error->line == root->line && error->column == root->column)) {
        (void)snprintf(other, sizeof other, " (line %d)", error->line);
    }
    const BrumeYamlNode *const only = set->count == 1 ? set->first : set;
    return brume_yaml_fail_key(only, error, "after this 'set': %s%s", message, other);
}

/** The bodies that a `set` has values of, by their numbers or names: a bit for each. */
static uint64_t placed_bodies(const BrumeParsedScene *parsed, const BrumeYamlNode *set)
{
    static const char list[] = "bodies";
    uint64_t placed = 0;
    for (const BrumeYamlNode *entry = set->first; entry; entry = entry->next) {
        const size_t length = sizeof list - 1;
        if (strcmp(entry->key, list) == 0) {
            placed = UINT64_MAX;
        } else if (strncmp(entry->key, list, length) == 0 && entry->key[length] == '.') {
            const char *const name = entry->key + length + 1;
            const int named = brume_find_named_body(parsed, name, strcspn(name, "."));
            const long index = named >= 0 ? named : strtol(name, NULL, 10);
            placed |= index >= 0 && index < BRUME_MAX_BODIES ? (uint64_t)1 << index : 0;
        }
    }
    return placed;
}

/** Takes the bodies that a change places; the others stay as they are. */
static BrumeStatus resolve_bodies(Reader *reader, Item *item, const BrumeYamlNode *set)
{
    const int count = reader->parsed->scene.sim.body_count;
    BrumeSimDef *const settings = &item->settings;
    settings->body_count = count;
    memcpy(settings->bodies, reader->current->bodies, sizeof settings->bodies);
    item->change.placed = placed_bodies(reader->parsed, set);
    if (item->change.placed == 0) {
        return BRUME_OK;
    }
    const BrumeStatus status = brume_resolve_bodies(reader->scratch, reader->root, reader->error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeSimDef *const read = &reader->scratch->scene.sim;
    if (read->body_count != count) {
        return brume_yaml_fail(
            set, reader->error,
            "after this 'set' there are %d bodies instead of %d; 'enabled: false' lets one wait for a "
            "later 'set', or go",
            read->body_count, count);
    }
    for (int n = 0; n < count; n++) {
        if ((item->change.placed >> n & 1) != 0) { // what holds for the whole scene is not read again
            BrumeBodyDef *const body = &settings->bodies[n];
            body->shape = read->bodies[n].shape;
            body->parent = read->bodies[n].parent;
            body->passable = read->bodies[n].passable;
            body->disabled = read->bodies[n].disabled;
        }
    }
    item->change.placed &= count < BRUME_MAX_BODIES ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    return BRUME_OK;
}

/** Reads and checks the settings after a change, whose values are in the tree. */
static BrumeStatus resolve_settings(Reader *reader, Item *item, const BrumeYamlNode *set)
{
    BrumeParsedScene *const scratch = reader->scratch;
    brume_parsed_scene_defaults(scratch);
    scratch->files = reader->parsed->files;
    scratch->min_color_count = reader->current->color_count; // colors remain in use: the box may contain them
    BrumeStatus status = brume_section_read_changeable(&brume_scene_section, reader->root, scratch, reader->error);
    for (int n = 0; n < scratch->body_count && n < reader->parsed->body_count; n++) { // parents are found by name
        memcpy(scratch->bodies[n].def.name, reader->parsed->bodies[n].def.name, BRUME_BODY_NAME_SIZE);
    }
    if (status == BRUME_OK) {
        status = brume_resolve_settings(scratch, reader->root, reader->error);
    }
    item->settings = scratch->scene.sim;
    item->settings.initial_count = reader->parsed->scene.sim.initial_count;
    memcpy(item->settings.initial, reader->parsed->scene.sim.initial, sizeof item->settings.initial);
    item->change.settings = &item->settings;
    if (status == BRUME_OK) {
        status = resolve_bodies(reader, item, set);
    }
    if (status == BRUME_OK) {
        status = brume_check_bodies(&item->settings, reader->root, reader->error);
    }
    return status == BRUME_OK ? brume_check_pressure(&item->settings, reader->root, reader->error) : status;
}

static BrumeStatus read_settings(Reader *reader, Item *item)
{
    const BrumeYamlNode *const set = brume_yaml_get(item->map, "set");
    if (!set || set->count == 0) {
        return BRUME_OK;
    }
    if (++reader->settings_changes > BRUME_MAX_SETTINGS_CHANGES) {
        return brume_yaml_fail(set, reader->error, "too many changes of settings; a timeline has at most %d",
                               BRUME_MAX_SETTINGS_CHANGES);
    }
    for (const BrumeYamlNode *entry = set->first; entry; entry = entry->next) {
        BrumeStatus status = check_entry(entry, reader->error);
        if (status == BRUME_OK) {
            status = brume_yaml_put(reader->root, entry, reader->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    const BrumeStatus status = resolve_settings(reader, item, set);
    return fail_after_set(status, reader->root, set, reader->error);
}

/** The time at which a frame starts [s]. A changed frame rate is in effect from its change on. */
static double start_of(const Reader *reader, int frame)
{
    return reader->fps_time + (frame - reader->fps_frame) / (double)reader->current->fps;
}

static BrumeStatus check_stroke(const BrumeStroke *stroke, const BrumeYamlNode *map, const Item *item,
                                BrumeError *error)
{
    const double tolerance = 0.01 * (item->end - item->start);
    if (!(stroke->start < stroke->end)) {
        return brume_yaml_fail(map, error, "this 'stroke' ends at %.6g s, before it starts at %.6g s", stroke->end,
                               stroke->start);
    }
    if (stroke->start < item->start - tolerance || stroke->end > item->end + tolerance) {
        return brume_yaml_fail(map, error,
                               "this 'stroke' lasts from %.6g to %.6g s, but frame %d from %.6g to "
                               "%.6g s",
                               stroke->start, stroke->end, item->frame + 1, item->start, item->end);
    }
    return BRUME_OK;
}

/** Reads a segment. Absent values are taken from the previous segment, at whose end it starts. */
static BrumeStatus read_stroke(const BrumeYamlNode *map, const BrumeStroke *previous, BrumeStroke *stroke,
                               BrumeError *error)
{
    static const char *const required_first[] = {"start", "from", "radius"};
    BrumeStatus status = brume_section_read_item(&brume_scene_section, &brume_stroke_section, map, stroke, error);
    for (size_t i = 0; i < sizeof required_first / sizeof required_first[0] && status == BRUME_OK && !previous; i++) {
        status = require(map, "stroke", required_first[i], error);
    }
    if (status == BRUME_OK) {
        status = require(map, "stroke", "end", error);
    }
    if (status == BRUME_OK) {
        status = require(map, "stroke", "to", error);
    }
    if (previous && !brume_yaml_get(map, "start")) {
        stroke->start = previous->end;
    }
    if (previous && !brume_yaml_get(map, "from")) {
        stroke->from = previous->to;
    }
    const BrumeVec3 straight = brume_sub(stroke->to, stroke->from);
    if (!brume_yaml_get(map, "from_slope")) {
        stroke->from_slope = previous ? previous->to_slope : straight;
    }
    if (!brume_yaml_get(map, "to_slope")) {
        stroke->to_slope = straight;
    }
    return status;
}

/** Rejects a flow about an axis without direction. */
static BrumeStatus check_axis(const BrumeStroke *stroke, const BrumeYamlNode *map, BrumeError *error)
{
    const bool has_direction = !brume_is_zero(stroke->axis);
    if ((stroke->suck == 0.0f && stroke->twist == 0.0f) || has_direction) {
        return BRUME_OK;
    }
    return brume_yaml_fail(map, error, "this 'stroke' has '%s' and needs 'axis', a direction that is not [0, 0, 0]",
                           stroke->suck != 0.0f ? "suck" : "twist");
}

static BrumeStatus read_strokes(const Reader *reader, const BrumeSimDef *settings, Item *item)
{
    const BrumeYamlNode *const list = brume_yaml_get(item->map, "strokes");
    int count = 0;
    for (const BrumeYamlNode *map = list ? list->first : NULL; map; map = map->next) {
        const BrumeStroke *const previous = count > 0 ? &item->strokes[count - 1] : NULL;
        BrumeStroke *const stroke = &item->strokes[count++];
        *stroke = previous ? *previous : reader->parsed->change.stroke;
        BrumeStatus status = read_stroke(map, previous, stroke, reader->error);
        if (status == BRUME_OK) {
            status = check_stroke(stroke, map, item, reader->error);
        }
        if (status == BRUME_OK) {
            status = check_axis(stroke, map, reader->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
        if (stroke->fuel > 0.0f && !brume_has_fuel(settings)) {
            brume_scene_warn(&reader->parsed->scene, map, "this stroke has fuel, but 'model' in 'fire' is 'none'");
        }
    }
    item->change.strokes = item->strokes;
    item->change.stroke_count = count;
    return BRUME_OK;
}

static BrumeStatus read_move(const Reader *reader, const Item *item, const BrumeYamlNode *map, BrumeMove *move)
{
    const int bodies = reader->parsed->scene.sim.body_count;
    BrumeStatus status = brume_section_read_item(&brume_scene_section, &brume_move_section, map, move, reader->error);
    if (status == BRUME_OK) {
        status = require(map, "move", "body", reader->error);
    }
    if (status == BRUME_OK && !brume_yaml_get(map, "rotation_rate")) {
        status = require(map, "move", "velocity", reader->error);
    }
    const BrumeYamlNode *const index = brume_yaml_get(map, "body");
    if (status == BRUME_OK && move->body >= bodies) {
        return brume_yaml_fail(index, reader->error,
                               "'body' in 'move' is %d, but the scene has %d bodies, counted from 0", move->body,
                               bodies);
    }
    for (const BrumeMove *other = item->moves; other < move && status == BRUME_OK; other++) {
        if (other->body == move->body) {
            return brume_yaml_fail(index, reader->error, "body %d moves twice in this change", move->body);
        }
    }
    return status;
}

static BrumeStatus read_moves(const Reader *reader, Item *item)
{
    const BrumeYamlNode *const list = brume_yaml_get(item->map, "moves");
    int count = 0;
    for (const BrumeYamlNode *map = list ? list->first : NULL; map; map = map->next) {
        BrumeMove *const move = &item->moves[count++];
        *move = reader->parsed->change.move;
        const BrumeStatus status = read_move(reader, item, map, move);
        if (status != BRUME_OK) {
            return status;
        }
    }
    item->change.moves = item->moves;
    item->change.move_count = count;
    return BRUME_OK;
}

static BrumeStatus read_item(Reader *reader, Item *item, const BrumeTimeline *previous)
{
    BrumeParsedChange change = reader->parsed->change;
    BrumeStatus status =
        brume_section_read_item(&brume_scene_section, &brume_change_section, item->map, &change, reader->error);
    if (status == BRUME_OK) {
        status = require(item->map, "change", "frame", reader->error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    item->frame = item->change.frame = change.frame;
    if (previous->count > 0 && change.frame <= previous->changes[previous->count - 1].frame) {
        return brume_yaml_fail(brume_yaml_get(item->map, "frame"), reader->error,
                               "'frame' in 'change' is %d, but must be above that of the previous change, %d",
                               change.frame, previous->changes[previous->count - 1].frame);
    }
    item->start = start_of(reader, item->frame);
    status = read_settings(reader, item);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeSimDef *const settings = item->change.settings ? item->change.settings : reader->current;
    item->end = item->start + 1.0 / (double)settings->fps;
    status = read_strokes(reader, settings, item);
    if (status == BRUME_OK) {
        status = read_moves(reader, item);
    }
    if (status == BRUME_OK && !item->change.settings && item->change.stroke_count + item->change.move_count == 0) {
        return brume_yaml_fail(item->map, reader->error,
                               "this 'change' has no effect; it needs one of 'set', 'strokes' and 'moves'");
    }
    return status;
}

static BrumeStatus read_items(Reader *reader, Item *item, const BrumeYamlNode *list, BrumeTimeline *timeline)
{
    for (const BrumeYamlNode *map = list->first; map; map = map->next) {
        item->map = map;
        item->change = (BrumeChange){0};
        BrumeStatus status = read_item(reader, item, timeline);
        if (status == BRUME_OK) {
            status = brume_timeline_add(timeline, &item->change, reader->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
        if (item->change.settings) {
            reader->fps_time = item->start;
            reader->fps_frame = item->frame;
            reader->current = timeline->changes[timeline->count - 1].settings;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_read_timeline(BrumeParsedScene *parsed, BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "timeline");
    if (!list || !list->first) {
        return BRUME_OK;
    }
    Item *const item = brume_alloc_untouched(1, sizeof *item);
    BrumeParsedScene *const scratch = brume_alloc_untouched(1, sizeof *scratch);
    BrumeStatus status = BRUME_OK;
    if (!item || !scratch) {
        status = brume_out_of_memory(error, "%s", list->source);
        goto cleanup;
    }
    Reader reader = {.root = root, .parsed = parsed, .scratch = scratch, .current = &parsed->scene.sim, .error = error};
    status = read_items(&reader, item, list, &parsed->scene.timeline);
    if (status != BRUME_OK) {
        brume_timeline_clear(&parsed->scene.timeline);
    }
cleanup:
    brume_free(item);
    brume_free(scratch);
    return status;
}
