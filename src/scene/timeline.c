/*
 * The timeline of a scene. Its settings are not read by rules of their own: what a change sets is put into the tree of
 * the file, and the settings are read from that tree anew.
 */
#include "core/error.h"
#include "core/vec3.h"
#include "scene/draft.h"
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The reading of a timeline under way. */
typedef struct Story {
    BrumeYamlNode *root;
    const BrumeSceneDraft *draft;
    BrumeSceneDraft *again; // in which changed settings are worked out
    const BrumeSimDef *now; // settings that hold
    double since;           // time [s] of the frame `since_frame`, from which on its present rate of frames holds
    int since_frame;
    int settings; // changes of settings so far
    BrumeError *error;
} Story;

/** One item of the timeline as it is read. */
typedef struct Item {
    const BrumeYamlNode *map;
    int frame;
    double start, end; // of the coming frame [s]
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[BRUME_MAX_OBSTACLES];
    BrumeChange change;
} Item;

static BrumeStatus need(const BrumeYamlNode *map, const char *owner, const char *key, BrumeError *error)
{
    return brume_yaml_get(map, key) ? BRUME_OK : brume_yaml_fail(map, error, "this '%s' needs '%s'", owner, key);
}

static BrumeStatus fail_fixed(const BrumeYamlNode *node, const BrumeKey *key, BrumeError *error)
{
    return brume_yaml_fail_key(node, error,
                               "'%s' holds for the whole scene; 'set' takes what the flow is computed from%s",
                               key->name, strcmp(key->name, "obstacles") == 0 ? ", and 'moves' moves obstacles" : "");
}

/** Refuses keys that hold for the whole scene, in a value for `section`. */
static BrumeStatus check_value(const BrumeSection *section, const BrumeYamlNode *value, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (const BrumeYamlNode *child = value->first; child && status == BRUME_OK; child = child->next) {
        if (value->kind == BRUME_YAML_LIST) {
            status = check_value(section, child, error);
            continue;
        }
        const BrumeKey *const key = brume_section_find(section, child->key);
        if (key && key->fixed) {
            return fail_fixed(child, key, error);
        }
        status = key && key->section ? check_value(key->section, child, error) : BRUME_OK;
    }
    return status;
}

/** Refuses paths to keys that hold for the whole scene. What makes no sense otherwise is found where it is read. */
static BrumeStatus check_entry(const BrumeYamlNode *entry, BrumeError *error)
{
    const BrumeSection *section = &brume_scene_section;
    const char *path = entry->key;
    const char *const end = path + strlen(path);
    bool in_list = false;
    char name[BRUME_YAML_LONGEST_NAME + 1];
    while (path < end && section && brume_yaml_next_name(&path, end, name)) {
        if (in_list) {
            in_list = false;
            continue;
        }
        const BrumeKey *const key = brume_section_find(section, name);
        if (key && key->fixed) {
            return fail_fixed(entry, key, error);
        }
        section = key ? key->section : NULL;
        in_list = key && key->type == BRUME_KEY_LIST;
    }
    return section ? check_value(section, entry, error) : BRUME_OK;
}

static BrumeStatus read_settings(Story *story, Item *item)
{
    const BrumeYamlNode *const set = brume_yaml_get(item->map, "set");
    if (!set || set->count == 0) {
        return BRUME_OK;
    }
    if (++story->settings > BRUME_MOST_SETTINGS) {
        return brume_yaml_fail(set, story->error, "too many changes of settings; a timeline has at most %d",
                               BRUME_MOST_SETTINGS);
    }
    for (const BrumeYamlNode *entry = set->first; entry; entry = entry->next) {
        BrumeStatus status = check_entry(entry, story->error);
        if (status == BRUME_OK) {
            status = brume_yaml_put(story->root, entry, story->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    BrumeSceneDraft *const again = story->again;
    brume_draft_defaults(again);
    again->least_colors = story->now->color_count; // smoke that is there does not vanish
    BrumeStatus status = brume_section_reread(&brume_scene_section, story->root, again, story->error);
    if (status == BRUME_OK) {
        status = brume_finish_settings(again, story->root, story->error);
    }
    item->settings = again->scene.sim;
    item->settings.obstacle_count = story->draft->scene.sim.obstacle_count;
    memcpy(item->settings.obstacles, story->draft->scene.sim.obstacles, sizeof item->settings.obstacles);
    item->change.settings = &item->settings;
    return status == BRUME_OK ? brume_check_solver(&item->settings, story->root, story->error) : status;
}

/** When a frame begins [s]; a changed rate of frames counts from its change. */
static double time_of(const Story *story, int frame)
{
    return story->since + (frame - story->since_frame) / (double)story->now->fps;
}

static BrumeStatus check_stroke(const BrumeStroke *stroke, const BrumeYamlNode *map, const Item *item,
                                BrumeError *error)
{
    const double slack = 0.01 * (item->end - item->start);
    if (!(stroke->start < stroke->end)) {
        return brume_yaml_fail(map, error, "this 'stroke' ends at %.6g s, but starts only at %.6g s", stroke->end,
                               stroke->start);
    }
    if (stroke->start < item->start - slack || stroke->end > item->end + slack) {
        return brume_yaml_fail(map, error,
                               "this 'stroke' lasts from %.6g to %.6g s, but frame %d from %.6g to "
                               "%.6g s",
                               stroke->start, stroke->end, item->frame + 1, item->start, item->end);
    }
    return BRUME_OK;
}

/** A piece: what it leaves out is as the piece before has it, from whose end it goes on. */
static BrumeStatus read_stroke(const BrumeYamlNode *map, const BrumeStroke *before, BrumeStroke *stroke,
                               BrumeError *error)
{
    static const char *const firsts[] = {"start", "from", "radius"};
    BrumeStatus status = brume_item_read(&brume_scene_section, &brume_stroke_section, map, stroke, error);
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0] && status == BRUME_OK && !before; i++) {
        status = need(map, "stroke", firsts[i], error);
    }
    if (status == BRUME_OK) {
        status = need(map, "stroke", "end", error);
    }
    if (status == BRUME_OK) {
        status = need(map, "stroke", "to", error);
    }
    if (before && !brume_yaml_get(map, "start")) {
        stroke->start = before->end;
    }
    if (before && !brume_yaml_get(map, "from")) {
        stroke->from = before->to;
    }
    const BrumeVec3 straight = brume_sub(stroke->to, stroke->from);
    if (!brume_yaml_get(map, "from_slope")) {
        stroke->from_slope = before ? before->to_slope : straight;
    }
    if (!brume_yaml_get(map, "to_slope")) {
        stroke->to_slope = straight;
    }
    return status;
}

static BrumeStatus read_strokes(const Story *story, Item *item)
{
    const BrumeYamlNode *const list = brume_yaml_get(item->map, "strokes");
    int count = 0;
    for (const BrumeYamlNode *map = list ? list->first : NULL; map; map = map->next) {
        const BrumeStroke *const before = count > 0 ? &item->strokes[count - 1] : NULL;
        BrumeStroke *const stroke = &item->strokes[count++];
        *stroke = before ? *before : story->draft->change.stroke;
        BrumeStatus status = read_stroke(map, before, stroke, story->error);
        if (status == BRUME_OK) {
            status = check_stroke(stroke, map, item, story->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    item->change.strokes = item->strokes;
    item->change.stroke_count = count;
    return BRUME_OK;
}

static BrumeStatus read_move(const Story *story, const Item *item, const BrumeYamlNode *map, BrumeMove *move)
{
    const int obstacles = story->draft->scene.sim.obstacle_count;
    BrumeStatus status = brume_item_read(&brume_scene_section, &brume_move_section, map, move, story->error);
    if (status == BRUME_OK) {
        status = need(map, "move", "obstacle", story->error);
    }
    if (status == BRUME_OK) {
        status = need(map, "move", "velocity", story->error);
    }
    const BrumeYamlNode *const place = brume_yaml_get(map, "obstacle");
    if (status == BRUME_OK && move->obstacle >= obstacles) {
        return brume_yaml_fail(place, story->error,
                               "'obstacle' in 'move' is %d, but the scene has %d of them, counted from 0",
                               move->obstacle, obstacles);
    }
    for (const BrumeMove *other = item->moves; other < move && status == BRUME_OK; other++) {
        if (other->obstacle == move->obstacle) {
            return brume_yaml_fail(place, story->error, "obstacle %d moves twice in this change", move->obstacle);
        }
    }
    return status;
}

static BrumeStatus read_moves(const Story *story, Item *item)
{
    const BrumeYamlNode *const list = brume_yaml_get(item->map, "moves");
    int count = 0;
    for (const BrumeYamlNode *map = list ? list->first : NULL; map; map = map->next) {
        BrumeMove *const move = &item->moves[count++];
        *move = story->draft->change.move;
        const BrumeStatus status = read_move(story, item, map, move);
        if (status != BRUME_OK) {
            return status;
        }
    }
    item->change.moves = item->moves;
    item->change.move_count = count;
    return BRUME_OK;
}

static BrumeStatus read_item(Story *story, Item *item, const BrumeTimeline *before)
{
    BrumeChangeDraft draft = story->draft->change;
    BrumeStatus status = brume_item_read(&brume_scene_section, &brume_change_section, item->map, &draft, story->error);
    if (status == BRUME_OK) {
        status = need(item->map, "change", "frame", story->error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    item->frame = item->change.frame = draft.frame;
    if (before->count > 0 && draft.frame <= before->changes[before->count - 1].frame) {
        return brume_yaml_fail(brume_yaml_get(item->map, "frame"), story->error,
                               "'frame' in 'change' is %d, but must be above that of the change before, %d",
                               draft.frame, before->changes[before->count - 1].frame);
    }
    item->start = time_of(story, item->frame);
    status = read_settings(story, item);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeSimDef *const holding = item->change.settings ? item->change.settings : story->now;
    item->end = item->start + 1.0 / (double)holding->fps;
    status = read_strokes(story, item);
    if (status == BRUME_OK) {
        status = read_moves(story, item);
    }
    if (status == BRUME_OK && !item->change.settings && item->change.stroke_count + item->change.move_count == 0) {
        return brume_yaml_fail(item->map, story->error,
                               "this 'change' does nothing; it needs one of 'set', 'strokes' and 'moves'");
    }
    return status;
}

static BrumeStatus read_items(Story *story, Item *item, const BrumeYamlNode *list, BrumeTimeline *timeline)
{
    for (const BrumeYamlNode *map = list->first; map; map = map->next) {
        item->map = map;
        item->change = (BrumeChange){0};
        BrumeStatus status = read_item(story, item, timeline);
        if (status == BRUME_OK) {
            status = brume_timeline_add(timeline, &item->change, story->error);
        }
        if (status != BRUME_OK) {
            return status;
        }
        if (item->change.settings) {
            story->since = item->start;
            story->since_frame = item->frame;
            story->now = timeline->changes[timeline->count - 1].settings;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_finish_timeline(BrumeSceneDraft *draft, BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "timeline");
    if (!list || !list->first) {
        return BRUME_OK;
    }
    Item *const item = malloc(sizeof *item);
    BrumeSceneDraft *const again = malloc(sizeof *again);
    BrumeStatus status = BRUME_OK;
    if (!item || !again) {
        status = brume_fail(error, BRUME_FAILED, "%s: out of memory", list->source);
        goto cleanup;
    }
    Story story = {.root = root, .draft = draft, .again = again, .now = &draft->scene.sim, .error = error};
    status = read_items(&story, item, list, &draft->scene.timeline);
    if (status != BRUME_OK) {
        brume_timeline_clear(&draft->scene.timeline);
    }
cleanup:
    free(item);
    free(again);
    return status;
}
