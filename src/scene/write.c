/*
 * A scene as the text of a file. The file is written as a tree from the tables that it is read by; what a change of the
 * timeline sets is the difference between the trees of the settings before and after it.
 */
#include "core/error.h"
#include "core/memory.h"
#include "scene/draft.h"
#include "scene/schema.h"
#include "yaml/yaml_internal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_PATH = 256,
    MOST_SINGLE_ITEMS = 8, // of a list in which more items have changed, all are written
};

/** The writing of a scene under way. */
typedef struct Writer {
    const BrumeScene *scene;
    BrumeText text;
    BrumeSceneDraft *draft, *standard;
    BrumeError *error;
} Writer;

static BrumeStatus out_of_memory(const Writer *writer)
{
    return brume_fail(writer->error, BRUME_FAILED, "out of memory for a scene's text");
}

static bool sets_anything(const BrumeTimeline *timeline)
{
    bool any = false;
    for (int n = 0; n < timeline->count; n++) {
        any = any || timeline->changes[n].settings;
    }
    return any;
}

/** The last color takes part because it is brought or because it is named. */
static bool name_last_color(const Writer *writer, BrumeYamlNode *root)
{
    static const char *const names[BRUME_SMOKE_KINDS] = {"density", "color_1", "color_2", "color_3"};
    const int last = writer->scene->sim.color_count;
    if (last == 0 || brume_is_brought(&writer->scene->sim, last) ||
        brume_yaml_get(brume_yaml_get(root, "smoke"), names[last])) {
        return true;
    }
    BrumeYamlNode **slot = &root->first; // the section has its place before the emitters
    while (*slot && strcmp((*slot)->key, "smoke") != 0 && strcmp((*slot)->key, "emitters") != 0) {
        slot = &(*slot)->next;
    }
    if (!*slot || strcmp((*slot)->key, "smoke") != 0) {
        BrumeYamlNode *const smoke = brume_yaml_new(BRUME_YAML_MAP);
        if (!smoke || !(smoke->key = strdup("smoke"))) {
            brume_yaml_free(smoke);
            return false;
        }
        smoke->next = *slot;
        *slot = smoke;
    }
    return brume_yaml_add(*slot, names[last], brume_yaml_new(BRUME_YAML_MAP));
}

static BrumeStatus write_start(Writer *writer)
{
    brume_redraft(writer->draft, writer->scene, sets_anything(&writer->scene->timeline));
    BrumeYamlNode *const root =
        brume_section_write(&brume_scene_section, writer->draft, writer->standard, BRUME_WRITE_PARTICULAR);
    BrumeStatus status = BRUME_OK;
    if (!root || !name_last_color(writer, root)) {
        status = out_of_memory(writer);
    } else {
        brume_yaml_add_lines(&writer->text, root, 0, "");
    }
    brume_yaml_free(root);
    return status;
}

/** The child of a map or list that has a name, or its place where `key` is NULL; NULL where there is none. */
static BrumeYamlNode *find_child(BrumeYamlNode *parent, const char *key, int index)
{
    BrumeYamlNode **slot = parent ? &parent->first : NULL;
    for (int i = 0; slot && *slot && (key ? strcmp((*slot)->key, key) != 0 : i < index); i++) {
        slot = &(*slot)->next;
    }
    return slot ? *slot : NULL;
}

/** Puts a node of one tree into `set` by its path; the tree loses its contents. */
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

/** Three trees of the same settings or parts of them: before, after, and after without what is standard. */
typedef struct Trees {
    BrumeYamlNode *before, *after, *particular;
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

static int count_changed(const BrumeYamlNode *before, const BrumeYamlNode *after)
{
    int changed = 0;
    const BrumeYamlNode *x = before->first;
    for (const BrumeYamlNode *y = after->first; x && y; x = x->next, y = y->next) {
        changed += !is_same(x, y);
    }
    return changed;
}

/** Adds to `set` what turns `before` into `after`: single values where that does, otherwise the whole. */
static bool add_difference(BrumeYamlNode *set, const char *path, Trees trees)
{
    BrumeYamlNode *const before = trees.before;
    BrumeYamlNode *const after = trees.after;
    if (before && is_same(before, after)) {
        return true;
    }
    const bool maps = before && before->kind == BRUME_YAML_MAP && after->kind == BRUME_YAML_MAP;
    const bool lists = before && is_list_of_maps(before) && is_list_of_maps(after) && before->count == after->count &&
                       count_changed(before, after) <= MOST_SINGLE_ITEMS;
    if (!lists && !(maps && has_keys_of(after, before))) {
        return add_entry(set, path, trees.particular ? trees.particular : after);
    }
    bool whole = true;
    int index = 0;
    for (BrumeYamlNode *child = after->first; child && whole; child = child->next, index++) {
        char longer[LONGEST_PATH];
        char place[16];
        (void)snprintf(place, sizeof place, "%d", index);
        (void)snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", maps ? child->key : place);
        const Trees below = {
            .before = find_child(before, child->key, index),
            .after = child,
            .particular = find_child(trees.particular, child->key, index),
        };
        whole = add_difference(set, longer, below);
    }
    return whole;
}

/** What a change of settings sets; a map without entries where they are the same. NULL without memory. */
static BrumeYamlNode *write_set(const Writer *writer, const BrumeSimDef *before, const BrumeSimDef *after)
{
    BrumeYamlNode *const set = brume_yaml_new(BRUME_YAML_MAP);
    const BrumeSection *const section = &brume_scene_section;
    brume_redraft_settings(writer->draft, before);
    BrumeYamlNode *const old = brume_section_write(section, writer->draft, writer->standard, BRUME_WRITE_CHANGEABLE);
    brume_redraft_settings(writer->draft, after);
    const Trees trees = {
        .before = old,
        .after = brume_section_write(section, writer->draft, writer->standard, BRUME_WRITE_CHANGEABLE),
        .particular = brume_section_write(section, writer->draft, writer->standard, BRUME_WRITE_PARTICULAR),
    };
    const bool whole = set && old && trees.after && trees.particular && add_difference(set, "", trees);
    brume_yaml_free(old);
    brume_yaml_free(trees.after);
    brume_yaml_free(trees.particular);
    if (!whole) {
        brume_yaml_free(set);
        return NULL;
    }
    return set;
}

static bool add_strokes(BrumeYamlNode *map, const BrumeChange *change)
{
    static const BrumeStroke standard;
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool whole = list != NULL;
    for (int n = 0; n < change->stroke_count && whole; n++) {
        const BrumeStroke stroke = brume_redraft_stroke(&change->strokes[n], n > 0 ? &change->strokes[n - 1] : NULL);
        whole = brume_yaml_add(list, NULL,
                               brume_section_write(&brume_stroke_section, &stroke, &standard, BRUME_WRITE_PARTICULAR));
    }
    return brume_yaml_add(map, "strokes", list) && whole;
}

static bool add_moves(BrumeYamlNode *map, const BrumeChange *change)
{
    static const BrumeMove standard;
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool whole = list != NULL;
    for (int n = 0; n < change->move_count && whole; n++) {
        whole = brume_yaml_add(
            list, NULL, brume_section_write(&brume_move_section, &change->moves[n], &standard, BRUME_WRITE_PARTICULAR));
    }
    return brume_yaml_add(map, "moves", list) && whole;
}

/** One change; `before` are the settings that hold until then, and `set` what it sets, or NULL. */
static bool add_change(BrumeText *text, const BrumeChange *change, BrumeYamlNode *set)
{
    char frame[16];
    (void)snprintf(frame, sizeof frame, "%d", change->frame);
    BrumeYamlNode *const map = brume_yaml_new(BRUME_YAML_MAP);
    bool whole = brume_yaml_add(map, "frame", brume_yaml_new_scalar(frame, false));
    if (set) {
        whole = brume_yaml_add(map, "set", set) && whole;
    }
    if (whole && change->stroke_count > 0) {
        whole = add_strokes(map, change);
    }
    if (whole && change->move_count > 0) {
        whole = add_moves(map, change);
    }
    if (whole) {
        brume_yaml_add_lines(text, map, 2, "  - ");
    }
    brume_yaml_free(map);
    return whole;
}

static BrumeStatus write_timeline(Writer *writer)
{
    const BrumeTimeline *const timeline = &writer->scene->timeline;
    BrumeSimDef now = writer->scene->sim;
    bool begun = false;
    for (int n = 0; n < timeline->count; n++) {
        const BrumeChange *const change = &timeline->changes[n];
        BrumeYamlNode *set = NULL;
        if (change->settings) {
            BrumeSimDef next = *change->settings;
            if (next.obstacle_count != now.obstacle_count) {
                return brume_fail(writer->error, BRUME_BAD_INPUT,
                                  "a scene file cannot tell that obstacles come or go while it runs (after frame %d)",
                                  change->frame);
            }
            next.color_count = next.color_count > now.color_count ? next.color_count : now.color_count;
            set = write_set(writer, &now, &next);
            if (!set) {
                return out_of_memory(writer);
            }
            now = next;
        }
        if (set && set->count == 0) {
            brume_yaml_free(set);
            set = NULL;
        }
        if (!set && change->stroke_count + change->move_count == 0) {
            continue;
        }
        if (!begun) {
            brume_lines_add(&writer->text, "\ntimeline:\n");
            begun = true;
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
        brume_lines_add(text, size > 0 ? "# %.*s\n" : "#%.*s\n", size, comment);
        comment += size + (comment[size] == '\n');
    }
}

static BrumeStatus write_all(Writer *writer, const char *comment)
{
    write_comment(&writer->text, comment ? comment : "");
    BrumeStatus status = write_start(writer);
    if (status == BRUME_OK) {
        status = write_timeline(writer);
    }
    return status == BRUME_OK && writer->text.failed ? out_of_memory(writer) : status;
}

BrumeStatus brume_scene_write(const BrumeScene *scene, const char *comment, char **text, BrumeError *error)
{
    *text = NULL;
    Writer writer = {
        .scene = scene,
        .draft = malloc(sizeof *writer.draft),
        .standard = malloc(sizeof *writer.standard),
        .error = error,
    };
    // a decimal point is a point, whatever language the program speaks
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    BrumeStatus status = BRUME_OK;
    if (!writer.draft || !writer.standard || plain == (locale_t)0) {
        status = out_of_memory(&writer);
        goto cleanup;
    }
    brume_draft_defaults(writer.standard);
    const locale_t before = uselocale(plain);
    status = write_all(&writer, comment);
    (void)uselocale(before);
cleanup:
    if (status == BRUME_OK) {
        *text = writer.text.bytes;
    } else {
        brume_free(writer.text.bytes);
    }
    if (plain != (locale_t)0) {
        freelocale(plain);
    }
    free(writer.draft);
    free(writer.standard);
    return status;
}
