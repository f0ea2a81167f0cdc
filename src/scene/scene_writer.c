/*
 * A scene as the text of a file: a tree is made from the tables of keys and written. The values that a change of the
 * timeline sets are the difference between the trees of the settings before and after it.
 */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/format/defaults.h"
#include "scene/format/derived.h"
#include "scene/format/schema.h"
#include "scene/serialize.h"
#include "sim/settings/settings.h"
#include "yaml/yaml.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_PATH = 256,
    MAX_SINGLE_ITEMS = 8, // a list with more changed items is written as a whole
};

/** The text so far, and scratch memory. */
typedef struct Writer {
    const BrumeScene *scene;
    BrumeText text;
    BrumeParsedScene *parsed, *defaults; // the keys that are written, and the defaults
    BrumeError *error;
} Writer;

static BrumeStatus out_of_memory(const Writer *writer) { return brume_out_of_memory(writer->error, "a scene's text"); }

static bool has_settings(const BrumeTimeline *timeline)
{
    bool any = false;
    for (int n = 0; n < timeline->count; n++) {
        any = any || timeline->changes[n].settings;
    }
    return any;
}

/** Lists the last color in use in `smoke` where nothing emits it, because it is in use only if it is listed. */
static bool list_last_color(const Writer *writer, BrumeYamlNode *root)
{
    const int last = writer->scene->sim.color_count;
    if (last == 0 || brume_emits_smoke(&writer->scene->sim, last) ||
        brume_yaml_get(brume_yaml_get(root, "smoke"), brume_smoke_key_names[last])) {
        return true;
    }
    BrumeYamlNode **slot = &root->first; // `smoke` is written before `emitters`
    while (*slot && strcmp((*slot)->key, "smoke") != 0 && strcmp((*slot)->key, "emitters") != 0) {
        slot = &(*slot)->next;
    }
    if (!*slot || strcmp((*slot)->key, "smoke") != 0) {
        BrumeYamlNode *const smoke = brume_yaml_new(BRUME_YAML_MAP);
        if (!smoke || !(smoke->key = brume_copy_text("smoke"))) {
            brume_yaml_free(smoke);
            return false;
        }
        smoke->next = *slot;
        *slot = smoke;
    }
    return brume_yaml_add(*slot, brume_smoke_key_names[last], brume_yaml_new(BRUME_YAML_MAP));
}

static BrumeStatus write_start(Writer *writer)
{
    brume_serialize_scene(writer->parsed, writer->scene, has_settings(&writer->scene->timeline));
    brume_mark_needed_keys(writer->defaults, &writer->scene->sim);
    BrumeYamlNode *const root =
        brume_section_write(&brume_scene_section, writer->parsed, writer->defaults, BRUME_WRITE_NON_DEFAULT);
    BrumeStatus status = BRUME_OK;
    if (!root || !list_last_color(writer, root)) {
        status = out_of_memory(writer);
    } else {
        brume_yaml_write(&writer->text, root, 0, "");
    }
    brume_yaml_free(root);
    return status;
}

/** The child of a map with a key, or of a list with an index where `key` is NULL; NULL where there is none. */
static BrumeYamlNode *find_child(BrumeYamlNode *parent, const char *key, int index)
{
    BrumeYamlNode **slot = parent ? &parent->first : NULL;
    for (int i = 0; slot && *slot && (key ? strcmp((*slot)->key, key) != 0 : i < index); i++) {
        slot = &(*slot)->next;
    }
    return slot ? *slot : NULL;
}

/** Moves the contents of a node of another tree to a new entry `path` of `set`. */
static bool add_entry(BrumeYamlNode *set, const char *path, BrumeYamlNode *node)
{
    BrumeYamlNode *const entry = brume_yaml_new(node->kind);
    if (!entry) {
        return false;
    }
    entry->quoted = node->quoted;
    entry->count = node->count;
    entry->first = node->first;
    entry->text = node->text;
    node->first = NULL;
    node->text = NULL;
    node->count = 0;
    return brume_yaml_add(set, path, entry);
}

/** The same part of three trees of settings: before a change, after it, and after it without default values. */
typedef struct Trees {
    BrumeYamlNode *old_node, *new_node, *non_default;
} Trees;

static bool has_keys_of(const BrumeYamlNode *map, const BrumeYamlNode *other)
{
    bool all = true;
    for (const BrumeYamlNode *child = other->first; child && all; child = child->next) {
        all = brume_yaml_get(map, child->key) != NULL;
    }
    return all;
}

static bool is_same(const BrumeYamlNode *a, const BrumeYamlNode *b)
{
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    if (a->kind == BRUME_YAML_SCALAR) {
        return strcmp(a->text, b->text) == 0;
    }
    const BrumeYamlNode *x = a->first;
    const BrumeYamlNode *y = b->first;
    while (x && y && (!x->key || strcmp(x->key, y->key) == 0) && is_same(x, y)) {
        x = x->next;
        y = y->next;
    }
    return !x && !y;
}

static bool is_list_of_maps(const BrumeYamlNode *node)
{
    return node->kind == BRUME_YAML_LIST && node->first && node->first->kind == BRUME_YAML_MAP;
}

static int count_changed(const BrumeYamlNode *old_node, const BrumeYamlNode *new_node)
{
    int changed = 0;
    const BrumeYamlNode *x = old_node->first;
    for (const BrumeYamlNode *y = new_node->first; x && y; x = x->next, y = y->next) {
        changed += !is_same(x, y);
    }
    return changed;
}

/** Adds to `set` the entries that change the old node to the new: single values where possible, else whole nodes. */
static bool add_difference(BrumeYamlNode *set, const char *path, Trees trees)
{
    BrumeYamlNode *const old_node = trees.old_node;
    BrumeYamlNode *const new_node = trees.new_node;
    if (old_node && is_same(old_node, new_node)) {
        return true;
    }
    const bool maps = old_node && old_node->kind == BRUME_YAML_MAP && new_node->kind == BRUME_YAML_MAP;
    const bool lists = old_node && is_list_of_maps(old_node) && is_list_of_maps(new_node) &&
                       old_node->count == new_node->count && count_changed(old_node, new_node) <= MAX_SINGLE_ITEMS;
    if (!lists && !(maps && has_keys_of(new_node, old_node))) {
        return add_entry(set, path, trees.non_default ? trees.non_default : new_node);
    }
    bool complete = true;
    int index = 0;
    for (BrumeYamlNode *child = new_node->first; child && complete; child = child->next, index++) {
        char longer[MAX_PATH];
        char place[16];
        (void)snprintf(place, sizeof place, "%d", index);
        (void)snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", maps ? child->key : place);
        const Trees below = {
            .old_node = find_child(old_node, child->key, index),
            .new_node = child,
            .non_default = find_child(trees.non_default, child->key, index),
        };
        complete = add_difference(set, longer, below);
    }
    return complete;
}

/** The entries of `set` for a change of settings, an empty map where they are equal. NULL without memory. */
static BrumeYamlNode *write_set(const Writer *writer, const BrumeSimDef *old_settings, const BrumeSimDef *new_settings)
{
    BrumeYamlNode *const set = brume_yaml_new(BRUME_YAML_MAP);
    const BrumeSection *const section = &brume_scene_section;
    brume_serialize_settings(writer->parsed, old_settings);
    BrumeYamlNode *const old_node =
        brume_section_write(section, writer->parsed, writer->defaults, BRUME_WRITE_CHANGEABLE);
    brume_serialize_settings(writer->parsed, new_settings);
    const Trees trees = {
        .old_node = old_node,
        .new_node = brume_section_write(section, writer->parsed, writer->defaults, BRUME_WRITE_CHANGEABLE),
        .non_default = brume_section_write(section, writer->parsed, writer->defaults, BRUME_WRITE_NON_DEFAULT),
    };
    const bool complete = set && old_node && trees.new_node && trees.non_default && add_difference(set, "", trees);
    brume_yaml_free(old_node);
    brume_yaml_free(trees.new_node);
    brume_yaml_free(trees.non_default);
    if (!complete) {
        brume_yaml_free(set);
        return NULL;
    }
    return set;
}

/** Adds to `set` the bodies of `settings` that a change replaces, each as a whole. */
static bool add_placed(const Writer *writer, const BrumeSimDef *settings, uint64_t placed, BrumeYamlNode *set)
{
    brume_parsed_scene_defaults(writer->parsed);
    brume_serialize_bodies(writer->parsed, settings);
    BrumeYamlNode *const tree =
        brume_section_write(&brume_scene_section, writer->parsed, writer->defaults, BRUME_WRITE_CHANGEABLE);
    BrumeYamlNode *const list = tree ? find_child(tree, "bodies", 0) : NULL;
    bool complete = list != NULL;
    for (int n = 0; n < settings->body_count && complete; n++) {
        char path[32];
        (void)snprintf(path, sizeof path, "bodies.%d", n);
        complete = (placed >> n & 1) == 0 || add_entry(set, path, find_child(list, NULL, n));
    }
    brume_yaml_free(tree);
    return complete;
}

static bool add_strokes(BrumeYamlNode *map, const BrumeChange *change)
{
    static const BrumeStroke defaults;
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool complete = list != NULL;
    for (int n = 0; n < change->stroke_count && complete; n++) {
        const BrumeStroke stroke = brume_serialize_stroke(&change->strokes[n], n > 0 ? &change->strokes[n - 1] : NULL);
        complete = brume_yaml_add(
            list, NULL, brume_section_write(&brume_stroke_section, &stroke, &defaults, BRUME_WRITE_NON_DEFAULT));
    }
    return brume_yaml_add(map, "strokes", list) && complete;
}

static bool add_moves(BrumeYamlNode *map, const BrumeChange *change)
{
    static const BrumeMove defaults;
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool complete = list != NULL;
    for (int n = 0; n < change->move_count && complete; n++) {
        complete = brume_yaml_add(
            list, NULL,
            brume_section_write(&brume_move_section, &change->moves[n], &defaults, BRUME_WRITE_NON_DEFAULT));
    }
    return brume_yaml_add(map, "moves", list) && complete;
}

/** Writes one change; `set` (or NULL) is owned by this function. */
static bool add_change(BrumeText *text, const BrumeChange *change, BrumeYamlNode *set)
{
    char frame[16];
    (void)snprintf(frame, sizeof frame, "%d", change->frame);
    BrumeYamlNode *const map = brume_yaml_new(BRUME_YAML_MAP);
    bool complete = brume_yaml_add(map, "frame", brume_yaml_new_scalar(frame, false));
    if (set) {
        complete = brume_yaml_add(map, "set", set) && complete;
    }
    if (complete && change->stroke_count > 0) {
        complete = add_strokes(map, change);
    }
    if (complete && change->move_count > 0) {
        complete = add_moves(map, change);
    }
    if (complete) {
        brume_yaml_write(text, map, 2, "  - ");
    }
    brume_yaml_free(map);
    return complete;
}

static BrumeStatus write_timeline(Writer *writer)
{
    const BrumeTimeline *const timeline = &writer->scene->timeline;
    const BrumeAnimation *const animation = &writer->scene->animation;
    BrumeSimDef current = writer->scene->sim;
    bool has_section = false;
    (void)brume_animation_apply_sim(animation, 0.0, &current); // animated values are not written as changes
    for (int n = 0; n < timeline->count; n++) {
        const BrumeChange *const change = &timeline->changes[n];
        BrumeYamlNode *set = NULL;
        if (change->settings) {
            BrumeSimDef next = *change->settings;
            (void)brume_animation_apply_sim(animation, 0.0, &next);
            if (next.body_count != current.body_count) {
                return brume_fail(writer->error, BRUME_BAD_INPUT,
                                  "the number of bodies changes after frame %d, which a scene file cannot express",
                                  change->frame);
            }
            next.color_count = next.color_count > current.color_count ? next.color_count : current.color_count;
            set = write_set(writer, &current, &next);
            if (!set || (change->placed != 0 && !add_placed(writer, &next, change->placed, set))) {
                brume_yaml_free(set);
                return out_of_memory(writer);
            }
            current = next;
        }
        if (set && set->count == 0) {
            brume_yaml_free(set);
            set = NULL;
        }
        if (!set && change->stroke_count + change->move_count == 0) {
            continue;
        }
        if (!has_section) {
            brume_text_add(&writer->text, "\ntimeline:\n");
            has_section = true;
        }
        if (!add_change(&writer->text, change, set)) {
            return out_of_memory(writer);
        }
    }
    return BRUME_OK;
}

static void write_comment(BrumeText *text, const char *comment)
{
    while (*comment) {
        const int size = (int)strcspn(comment, "\n");
        brume_text_add(text, size > 0 ? "# %.*s\n" : "#%.*s\n", size, comment);
        comment += size + (comment[size] == '\n');
    }
}

static BrumeStatus write_all(Writer *writer, const char *comment)
{
    write_comment(&writer->text, comment ? comment : "");
    const size_t start = writer->text.size;
    BrumeStatus status = write_start(writer);
    if (status == BRUME_OK) {
        status = write_timeline(writer);
    }
    if (writer->text.size == start) {
        brume_text_add(&writer->text, "{}\n"); // a file without a value is not a scene
    }
    return status == BRUME_OK && writer->text.failed ? out_of_memory(writer) : status;
}

BrumeStatus brume_scene_write(const BrumeScene *scene, const char *comment, char **text, BrumeError *error)
{
    *text = NULL;
    Writer writer = {
        .scene = scene,
        .parsed = brume_alloc_untouched(1, sizeof *writer.parsed),
        .defaults = brume_alloc_untouched(1, sizeof *writer.defaults),
        .error = error,
    };
    // numbers are written with a decimal point in every locale
    const locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    BrumeStatus status = BRUME_OK;
    if (!writer.parsed || !writer.defaults || c_locale == (locale_t)0) {
        status = out_of_memory(&writer);
        goto cleanup;
    }
    brume_parsed_scene_defaults(writer.defaults);
    const locale_t old_locale = uselocale(c_locale);
    status = write_all(&writer, comment);
    (void)uselocale(old_locale);
cleanup:
    if (status == BRUME_OK) {
        *text = writer.text.data;
    } else {
        brume_text_destroy(&writer.text);
    }
    if (c_locale != (locale_t)0) {
        freelocale(c_locale);
    }
    brume_free(writer.parsed);
    brume_free(writer.defaults);
    return status;
}
