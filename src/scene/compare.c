/*
 * Two scenes are compared as the texts of their files, because the writer leaves out defaults and gives each value one
 * notation. Before that, one gets the picture's settings of the other.
 */
#include "scene/compare.h"

#include "core/memory.h"
#include "scene/format/animation.h"
#include "yaml/yaml.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PATH = 256 };

/** Sets `animation` to the values of `from` that the simulation depends on. */
static void keep_simulated_values(BrumeAnimation *animation, const BrumeAnimation *from)
{
    animation->count = 0;
    for (int n = 0; n < from->count; n++) {
        BrumeAnimatedMember member;
        if (brume_animated_find(from->values[n].path, &member) && !brume_animated_is_look(&member)) {
            animation->values[animation->count++] = from->values[n];
        }
    }
}

/** `scene` with the picture, the camera, the probes and the length of `other`, and only the changes before `frame`
 * ends. */
static BrumeScene simulated_part(const BrumeScene *scene, const BrumeScene *other, int frame)
{
    BrumeScene part = *other;
    part.sim = scene->sim;
    part.timeline = scene->timeline;
    keep_simulated_values(&part.animation, &scene->animation);
    while (part.timeline.count > 0 && part.timeline.changes[part.timeline.count - 1].frame >= frame) {
        part.timeline.count--;
    }
    return part;
}

static BrumeStatus read_part(BrumeYamlNode **root, const BrumeScene *scene, const BrumeScene *other, int frame,
                             BrumeError *error)
{
    BrumeScene *part = brume_alloc_untouched(1, sizeof *part);
    if (!part) {
        return brume_out_of_memory(error, "the comparison of scenes");
    }
    *part = simulated_part(scene, other, frame);
    char *text = NULL;
    BrumeStatus status = brume_scene_write(part, NULL, &text, error);
    if (status == BRUME_OK) {
        status = brume_yaml_parse(root, "the scene", true, text, strlen(text), error);
    }
    brume_free(text);
    brume_free(part);
    return status;
}

static const char *value_text(const BrumeYamlNode *node)
{
    if (!node) {
        return "default";
    }
    return node->kind == BRUME_YAML_SCALAR ? node->text : "others";
}

static void add_difference(BrumeText *differences, const char *path, const BrumeYamlNode *old_node,
                           const BrumeYamlNode *new_node)
{
    brume_text_add(differences, "%s%s (%s, now %s)", differences->size > 0 ? ", " : "", path,
                   brume_quote(value_text(old_node)).text, brume_quote(value_text(new_node)).text);
}

static void compare(BrumeText *differences, const char *path, const BrumeYamlNode *old_node,
                    const BrumeYamlNode *new_node);

// the child `key` of a map, or the child at `index` of a list, in both trees
static void compare_children(BrumeText *differences, const char *path, const char *key, int index,
                             const BrumeYamlNode *old_node, const BrumeYamlNode *new_node)
{
    char place[16];
    (void)snprintf(place, sizeof place, "%d", index);
    char longer[MAX_PATH];
    (void)snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", key ? key : place);
    compare(differences, longer, old_node, new_node);
}

// whether a value is the path of a volume file; the hash next to it says whether the values are the same
static bool is_path(const BrumeYamlNode *node) { return strcmp(node->key, "file") == 0; }

static void compare_maps(BrumeText *differences, const char *path, const BrumeYamlNode *old_node,
                         const BrumeYamlNode *new_node)
{
    for (const BrumeYamlNode *child = old_node->first; child; child = child->next) {
        if (!is_path(child)) {
            compare_children(differences, path, child->key, 0, child, brume_yaml_get(new_node, child->key));
        }
    }
    for (const BrumeYamlNode *child = new_node->first; child; child = child->next) {
        if (!is_path(child) && !brume_yaml_get(old_node, child->key)) {
            compare_children(differences, path, child->key, 0, NULL, child);
        }
    }
}

static void compare_lists(BrumeText *differences, const char *path, const BrumeYamlNode *old_node,
                          const BrumeYamlNode *new_node)
{
    const BrumeYamlNode *x = old_node->first;
    const BrumeYamlNode *y = new_node->first;
    for (int index = 0; x && y; index++, x = x->next, y = y->next) {
        compare_children(differences, path, NULL, index, x, y);
    }
}

// one of `old_node` and `new_node` may be NULL: a value that equals its default is not written
static void compare(BrumeText *differences, const char *path, const BrumeYamlNode *old_node,
                    const BrumeYamlNode *new_node)
{
    static const BrumeYamlNode no_entries = {.kind = BRUME_YAML_MAP};
    const BrumeYamlNode *const x = old_node ? old_node : &no_entries;
    const BrumeYamlNode *const y = new_node ? new_node : &no_entries;
    if (x->kind == BRUME_YAML_MAP && y->kind == BRUME_YAML_MAP && x->count + y->count > 0) {
        compare_maps(differences, path, x, y);
        return;
    }
    const bool alike = old_node && new_node && x->kind == y->kind && x->count == y->count;
    if (alike && x->kind == BRUME_YAML_LIST) {
        compare_lists(differences, path, x, y);
    } else if (!alike || (x->kind == BRUME_YAML_SCALAR && strcmp(x->text, y->text) != 0)) {
        add_difference(differences, path, old_node, new_node);
    }
}

BrumeStatus brume_scene_compare(const BrumeScene *old_scene, const BrumeScene *new_scene, int frame,
                                BrumeText *differences, BrumeError *error)
{
    if (old_scene->sim.body_count != new_scene->sim.body_count) { // each has a surface in the picture
        brume_text_add(differences, "bodies (%d, now %d)", old_scene->sim.body_count, new_scene->sim.body_count);
        return BRUME_OK;
    }
    BrumeYamlNode *old_node = NULL;
    BrumeYamlNode *new_node = NULL;
    BrumeStatus status = read_part(&old_node, old_scene, new_scene, frame, error);
    if (status == BRUME_OK) {
        status = read_part(&new_node, new_scene, new_scene, frame, error);
    }
    if (status == BRUME_OK) {
        compare(differences, "", old_node, new_node);
        status = differences->failed ? brume_out_of_memory(error, "the comparison of scenes") : BRUME_OK;
    }
    brume_yaml_free(old_node);
    brume_yaml_free(new_node);
    return status;
}
