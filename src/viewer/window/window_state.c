#include "viewer/window/window_state.h"

#include "core/error.h"
#include "core/setting.h"
#include "core/text.h"
#include "io/file.h"
#include "yaml/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MIN_WIDTH = 320,
    MIN_HEIGHT = 240,
    MAX_SIZE = 16384,
    MAX_COORDINATE = 1 << 20,
    MAX_SAMPLES = 1 << 20,
    MAX_THREADS = 1024
};

BrumeWindowState brume_default_window_state(void)
{
    return (BrumeWindowState){.width = 1280,
                              .height = 720,
                              .panel = true,
                              .hud = true,
                              .ui_scale = 1.0f,
                              .picture = {.width = 1920, .height = 1080},
                              .exports = brume_default_exports(),
                              .panel_state = {.brush_size = 1.0f}};
}

bool brume_window_state_path(char *path, size_t size)
{
    // the specification requires that relative paths are ignored
    const char *const state_home = getenv("XDG_STATE_HOME");
    const char *const home = getenv("HOME");
    int length = -1;
    if (state_home && state_home[0] == '/') {
        length = snprintf(path, size, "%s/brume/viewer.yaml", state_home);
    } else if (home && home[0] == '/') {
        length = snprintf(path, size, "%s/.local/state/brume/viewer.yaml", home);
    }
    return length > 0 && (size_t)length < size;
}

bool brume_window_state_folder(const char *path, const char *name, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? snprintf(folder, size, "%.*s/%s", (int)(slash - path), path, name) : -1;
    return length > 0 && (size_t)length < size;
}

static const char *brush_word(int n) { return n < BRUME_BRUSH_MODES ? brume_brush_mode_name((BrumeBrushMode)n) : NULL; }

// returns the extension of a kind of files; "" where the kind is not valid for this key
static const char *kind_word(int n, bool fits)
{
    return n >= BRUME_FILE_KINDS ? NULL : fits ? brume_file_extension((BrumeFileKind)n) : "";
}

static const char *frame_word(int n) { return kind_word(n, !brume_file_is_video((BrumeFileKind)n)); }
static const char *picture_word(int n) { return kind_word(n, !brume_file_is_volume((BrumeFileKind)n)); }
static const char *volume_word(int n) { return kind_word(n, brume_file_is_volume((BrumeFileKind)n)); }

#define KEY(type_, name_, member_)                                                                                     \
    .path = (name_), .type = BRUME_VALUE_##type_, .offset = offsetof(BrumeWindowState, member_)
#define TEXT_KEY(name_, member_) KEY(TEXT, name_, member_), .max = sizeof((BrumeWindowState){0}.member_) - 1

// in the order of the file, without its lists
static const BrumeSetting keys[] = {
    {KEY(INT, "x", x), .min = -MAX_COORDINATE, .max = MAX_COORDINATE},
    {KEY(INT, "y", y), .min = -MAX_COORDINATE, .max = MAX_COORDINATE},
    {KEY(INT, "width", width), .min = MIN_WIDTH, .max = MAX_SIZE},
    {KEY(INT, "height", height), .min = MIN_HEIGHT, .max = MAX_SIZE},
    {KEY(BOOL, "fullscreen", fullscreen)},
    {KEY(BOOL, "panel", panel)},
    {KEY(BOOL, "hud", hud)},
    {KEY(FLOAT, "fly_speed", fly_speed), .max = 1e3},
    {KEY(BOOL, "picture_own_size", picture.own_size)},
    {KEY(INT, "picture_width", picture.width), .min = 1, .max = MAX_SIZE},
    {KEY(INT, "picture_height", picture.height), .min = 1, .max = MAX_SIZE},
    {KEY(INT, "picture_samples", picture.samples), .max = MAX_SAMPLES},
    {KEY(BOOL, "light", light)},
    {KEY(FLOAT, "ui_scale", ui_scale), .min = (double)BRUME_MIN_UI_SCALE, .max = (double)BRUME_MAX_UI_SCALE},
    {TEXT_KEY("folder", folder)},
    {TEXT_KEY("export_folder", exports.folder)},
    {KEY(WORD, "export_frame", exports.frame), .name_at = frame_word},
    {KEY(WORD, "export_recording", exports.recording), .name_at = picture_word},
    {KEY(WORD, "export_render", exports.render), .name_at = picture_word},
    {KEY(WORD, "export_cache", exports.cache), .name_at = volume_word},
    {KEY(INT, "export_integrator", exports.integrator), .max = BRUME_JOB_INTEGRATOR_PATH},
    {KEY(INT, "export_threads", exports.threads), .max = MAX_THREADS},
    {KEY(INT, "export_size", exports.size), .max = BRUME_JOB_SIZES - 1},
    {KEY(INT, "export_width", exports.width), .min = 1, .max = MAX_SIZE},
    {KEY(INT, "export_height", exports.height), .min = 1, .max = MAX_SIZE},
    {KEY(INT, "export_samples", exports.samples), .max = MAX_SAMPLES},
    {KEY(INT, "export_layers", exports.layers), .max = (1 << BRUME_JOB_LAYERS) - 1},
    {KEY(FLOAT, "panel_width", panel_state.width), .max = (double)BRUME_MAX_PANEL_POINTS},
    {KEY(WORD, "brush", panel_state.brush_mode), .name_at = brush_word},
    {KEY(INT, "brush_color", panel_state.brush_color), .max = BRUME_SMOKE_KINDS - 1},
    {KEY(FLOAT, "brush_size", panel_state.brush_size), .min = (double)BRUME_MIN_BRUSH_SIZE,
     .max = (double)BRUME_MAX_BRUSH_SIZE},
};
enum { KEY_X, KEY_Y, KEY_WIDTH, KEY_COUNT = sizeof keys / sizeof keys[0] };

/** The tree of the file, and its first invalid value; NULL: none. */
typedef struct StateReader {
    const BrumeYamlNode *root, *invalid;
} StateReader;

// keeps the first invalid entry for the warning
static void note_invalid(StateReader *reader, const BrumeYamlNode *node)
{
    reader->invalid = reader->invalid ? reader->invalid : node;
}

static bool parse_number(const BrumeSetting *key, const char *text, void *member)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !brume_setting_allows(key, value)) {
        return false;
    }
    if (key->type == BRUME_VALUE_FLOAT) {
        *(float *)member = (float)value;
    } else {
        *(int *)member = (int)lround(value);
    }
    return true;
}

// stores a valid value in the member of a key; otherwise returns false
static bool parse_value(const BrumeSetting *key, const char *text, void *member)
{
    if (key->type == BRUME_VALUE_BOOL) {
        const bool is_true = strcmp(text, "true") == 0;
        const bool valid = is_true || strcmp(text, "false") == 0;
        *(bool *)member = valid ? is_true : *(bool *)member;
        return valid;
    }
    if (key->type == BRUME_VALUE_TEXT) {
        const bool fits = strlen(text) <= (size_t)key->max;
        if (fits) {
            memcpy(member, text, strlen(text) + 1);
        }
        return fits;
    }
    if (key->type != BRUME_VALUE_WORD) {
        return parse_number(key, text, member);
    }
    const char *word;
    for (int n = 0; (word = key->name_at(n)) != NULL; n++) {
        if (word[0] && strcmp(word, text) == 0) {
            *(int *)member = n;
            return true;
        }
    }
    return false;
}

static bool read_key(StateReader *reader, const BrumeSetting *key, BrumeWindowState *state)
{
    const BrumeYamlNode *const node = brume_yaml_get(reader->root, key->path);
    const bool valid =
        node && node->kind == BRUME_YAML_SCALAR && parse_value(key, node->text, (char *)state + key->offset);
    if (!valid) {
        note_invalid(reader, node);
    }
    return valid;
}

static void read_recent(StateReader *reader, BrumeRecentFiles *recent)
{
    const BrumeYamlNode *list = brume_yaml_get(reader->root, "recent");
    const BrumeYamlNode *item = list && list->kind == BRUME_YAML_LIST ? list->first : NULL;
    for (; item && recent->count < BRUME_RECENT_FILES; item = item->next) {
        if (item->kind == BRUME_YAML_SCALAR && item->text[0] == '/' && strlen(item->text) < sizeof recent->paths[0]) {
            (void)snprintf(recent->paths[recent->count++], sizeof recent->paths[0], "%s", item->text);
        }
    }
}

static void read_sections(StateReader *reader, BrumePanelState *panel)
{
    const BrumeYamlNode *const list = brume_yaml_get(reader->root, "open_sections");
    panel->has_sections = list && list->kind == BRUME_YAML_LIST;
    if (!panel->has_sections) {
        note_invalid(reader, list);
    }
    for (const BrumeYamlNode *item = panel->has_sections ? list->first : NULL; item; item = item->next) {
        const bool is_name = item->kind == BRUME_YAML_SCALAR && strlen(item->text) < BRUME_SECTION_NAME;
        if (is_name && panel->open_count < BRUME_PANEL_SECTIONS) {
            (void)snprintf(panel->open_sections[panel->open_count++], BRUME_SECTION_NAME, "%s", item->text);
        } else {
            note_invalid(reader, list);
        }
    }
}

BrumeWindowState brume_window_state_load(const char *path, BrumeError *error)
{
    BrumeWindowState state = brume_default_window_state();
    BrumeYamlNode *root = NULL;
    if (error) {
        *error = (BrumeError){0};
    }
    if (access(path, F_OK) != 0 || brume_yaml_read(&root, path, error) != BRUME_OK) {
        return state;
    }
    StateReader file = {.root = root};
    StateReader *const reader = &file;
    bool valid[KEY_COUNT];
    for (int n = 0; n < KEY_COUNT; n++) {
        valid[n] = read_key(reader, &keys[n], &state);
    }
    state.has_position = valid[KEY_X] && valid[KEY_Y];
    read_recent(reader, &state.recent);
    BrumePanelState *const panel = &state.panel_state;
    panel->width = panel->width > 0.0f ? fmaxf(panel->width, BRUME_MIN_PANEL_POINTS) : 0.0f;
    read_sections(reader, panel);
    if (root->kind != BRUME_YAML_MAP) {
        (void)brume_fail(error, BRUME_BAD_INPUT, "%s: not a map: the window starts with its defaults", path);
    } else if (file.invalid) {
        (void)brume_fail(error, BRUME_BAD_INPUT, "%s:%d: '%s' has no valid value: its default is used", path,
                         file.invalid->key_line, file.invalid->key);
    }
    brume_yaml_free(root);
    return state;
}

// appends a text in YAML's double quotes; bytes outside ASCII are not escaped
static void add_quoted(BrumeText *file, const char *text)
{
    brume_text_add(file, "\"");
    for (const char *c = text; *c; c++) {
        const bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
        brume_text_add(file, *c == '"' || *c == '\\' ? "\\%c" : control ? "\\x%02x" : "%c", (unsigned char)*c);
    }
    brume_text_add(file, "\"");
}

static void add_key(BrumeText *file, const BrumeSetting *key, const BrumeWindowState *state)
{
    const void *const member = (const char *)state + key->offset;
    brume_text_add(file, "%s: ", key->path);
    if (key->type == BRUME_VALUE_BOOL) {
        brume_text_add(file, "%s", *(const bool *)member ? "true" : "false");
    } else if (key->type == BRUME_VALUE_FLOAT) {
        brume_text_add(file, "%.9g", (double)*(const float *)member);
    } else if (key->type == BRUME_VALUE_TEXT) {
        add_quoted(file, member);
    } else if (key->type == BRUME_VALUE_WORD) {
        brume_text_add(file, "%s", key->name_at(*(const int *)member));
    } else {
        brume_text_add(file, "%d", *(const int *)member);
    }
    brume_text_add(file, "\n");
}

BrumeStatus brume_window_state_save(const BrumeWindowState *state, const char *path, BrumeError *error)
{
    BrumeText file = {0};
    BrumeWindowState saved = *state;
    saved.width = state->width > MIN_WIDTH ? state->width : MIN_WIDTH;
    saved.height = state->height > MIN_HEIGHT ? state->height : MIN_HEIGHT;
    brume_text_add(&file, "# the window of brume view when it was closed last\n");
    for (int n = state->has_position ? KEY_X : KEY_WIDTH; n < KEY_COUNT; n++) {
        add_key(&file, &keys[n], &saved);
    }
    const BrumePanelState *const panel = &state->panel_state;
    if (panel->has_sections) {
        brume_text_add(&file, "open_sections: [");
        for (int n = 0; n < panel->open_count; n++) {
            brume_text_add(&file, "%s%s", n > 0 ? ", " : "", panel->open_sections[n]);
        }
        brume_text_add(&file, "]\n");
    }
    brume_text_add(&file, "recent: %s\n", state->recent.count > 0 ? "" : "[]");
    for (int n = 0; n < state->recent.count; n++) {
        brume_text_add(&file, "  - ");
        add_quoted(&file, state->recent.paths[n]);
        brume_text_add(&file, "\n");
    }
    BrumeStatus status = file.failed ? brume_out_of_memory(error, "%s", path) : brume_file_make_folder(path, error);
    if (status == BRUME_OK) {
        status = brume_file_write(path, file.data, file.size, error);
    }
    brume_text_destroy(&file);
    return status;
}

bool brume_window_state_is_reachable(const BrumeWindowState *state, const BrumeScreenArea *screens, int count)
{
    const int min_visible = 64; // [points]
    const int title_bar = 16;
    for (int n = 0; n < count; n++) {
        const BrumeScreenArea *const screen = &screens[n];
        const int left = state->x > screen->x ? state->x : screen->x;
        const int right_of_window = state->x + state->width;
        const int right_of_screen = screen->x + screen->width;
        const int right = right_of_window < right_of_screen ? right_of_window : right_of_screen;
        if (right - left >= min_visible && state->y >= screen->y &&
            state->y + title_bar <= screen->y + screen->height) {
            return true;
        }
    }
    return false;
}
