#include "viewer/window/window_state.h"

#include "core/error.h"
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

/** The tree of the file, and the first value in it that is not valid; NULL: none. */
typedef struct StateReader {
    const BrumeYamlNode *root, *invalid;
} StateReader;

static void note_invalid(StateReader *reader, const BrumeYamlNode *node)
{
    reader->invalid = reader->invalid ? reader->invalid : node;
}

static void read_flag(StateReader *reader, const char *key, bool *flag)
{
    const BrumeYamlNode *const node = brume_yaml_get(reader->root, key);
    const char *const text = node && node->kind == BRUME_YAML_SCALAR ? node->text : "";
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *flag = text[0] == 't';
    } else {
        note_invalid(reader, node);
    }
}

// reads a number within [min, max]; otherwise returns false and leaves `*number` unchanged
static bool read_number(StateReader *reader, const char *key, double min, double max, double *number)
{
    const BrumeYamlNode *const node = brume_yaml_get(reader->root, key);
    if (!node || node->kind != BRUME_YAML_SCALAR) {
        note_invalid(reader, node);
        return false;
    }
    char *end = NULL;
    const double value = strtod(node->text, &end);
    if (end == node->text || *end != '\0' || !(value >= min && value <= max)) {
        note_invalid(reader, node);
        return false;
    }
    *number = value;
    return true;
}

static bool read_integer(StateReader *reader, const char *key, int min, int max, int *number)
{
    double value = 0.0;
    if (!read_number(reader, key, min, max, &value)) {
        return false;
    }
    *number = (int)lround(value);
    return true;
}

static void read_text(StateReader *reader, const char *key, char *text, size_t size)
{
    const BrumeYamlNode *const node = brume_yaml_get(reader->root, key);
    if (node && node->kind == BRUME_YAML_SCALAR && strlen(node->text) < size) {
        (void)snprintf(text, size, "%s", node->text);
    } else {
        note_invalid(reader, node);
    }
}

// reads a kind of files by its extension, of those that `fits` permits
static void read_kind(StateReader *reader, const char *key, bool (*fits)(BrumeFileKind), BrumeFileKind *kind)
{
    char extension[16] = "";
    BrumeFileKind found;
    read_text(reader, key, extension, sizeof extension);
    if (brume_file_kind_of(extension, &found) && fits(found)) {
        *kind = found;
    } else {
        note_invalid(reader, brume_yaml_get(reader->root, key));
    }
}

static bool is_frame_kind(BrumeFileKind kind) { return !brume_file_is_video(kind); }
static bool is_picture_kind(BrumeFileKind kind) { return !brume_file_is_volume(kind); }

static void read_exports(StateReader *reader, BrumeExportControls *exports)
{
    int integrator = 0;
    read_text(reader, "export_folder", exports->folder, sizeof exports->folder);
    read_kind(reader, "export_frame", is_frame_kind, &exports->frame);
    read_kind(reader, "export_recording", is_picture_kind, &exports->recording);
    read_kind(reader, "export_render", is_picture_kind, &exports->render);
    read_kind(reader, "export_cache", brume_file_is_volume, &exports->cache);
    read_integer(reader, "export_integrator", BRUME_JOB_INTEGRATOR_OF_SCENE, BRUME_JOB_INTEGRATOR_PATH, &integrator);
    exports->integrator = (BrumeJobIntegrator)integrator;
    read_integer(reader, "export_threads", 0, MAX_THREADS, &exports->threads);
    int size = 0;
    int layers = 0;
    read_integer(reader, "export_size", 0, BRUME_JOB_SIZES - 1, &size);
    exports->size = (BrumeJobSize)size;
    read_integer(reader, "export_width", 1, MAX_SIZE, &exports->width);
    read_integer(reader, "export_height", 1, MAX_SIZE, &exports->height);
    read_integer(reader, "export_samples", 0, MAX_SAMPLES, &exports->samples);
    read_integer(reader, "export_layers", 0, (1 << BRUME_JOB_LAYERS) - 1, &layers);
    exports->layers = (unsigned)layers;
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

static void read_panel(StateReader *reader, BrumePanelState *panel)
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
    double number = 0.0;
    if (read_number(reader, "panel_width", 0.0, (double)BRUME_MAX_PANEL_POINTS, &number)) {
        panel->width = number > 0.0 ? fmaxf((float)number, BRUME_MIN_PANEL_POINTS) : 0.0f;
    }
    char mode[16] = "smoke";
    read_text(reader, "brush", mode, sizeof mode);
    int found = 0;
    while (found < BRUME_BRUSH_MODES && strcmp(mode, brume_brush_mode_name((BrumeBrushMode)found)) != 0) {
        found++;
    }
    if (found < BRUME_BRUSH_MODES) {
        panel->brush_mode = found;
    } else {
        note_invalid(reader, brume_yaml_get(reader->root, "brush"));
    }
    read_integer(reader, "brush_color", 0, BRUME_SMOKE_KINDS - 1, &panel->brush_color);
    if (read_number(reader, "brush_size", (double)BRUME_MIN_BRUSH_SIZE, (double)BRUME_MAX_BRUSH_SIZE, &number)) {
        panel->brush_size = (float)number;
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
    const bool has_x = read_integer(reader, "x", -MAX_COORDINATE, MAX_COORDINATE, &state.x);
    const bool has_y = read_integer(reader, "y", -MAX_COORDINATE, MAX_COORDINATE, &state.y);
    state.has_position = has_x && has_y;
    read_integer(reader, "width", MIN_WIDTH, MAX_SIZE, &state.width);
    read_integer(reader, "height", MIN_HEIGHT, MAX_SIZE, &state.height);
    read_flag(reader, "fullscreen", &state.fullscreen);
    read_flag(reader, "panel", &state.panel);
    read_flag(reader, "hud", &state.hud);
    read_flag(reader, "light", &state.light);
    double scale = 1.0;
    if (read_number(reader, "ui_scale", (double)BRUME_MIN_UI_SCALE, (double)BRUME_MAX_UI_SCALE, &scale)) {
        state.ui_scale = (float)scale;
    }
    read_flag(reader, "picture_own_size", &state.picture.own_size);
    read_integer(reader, "picture_width", 1, MAX_SIZE, &state.picture.width);
    read_integer(reader, "picture_height", 1, MAX_SIZE, &state.picture.height);
    read_integer(reader, "picture_samples", 0, MAX_SAMPLES, &state.picture.samples);
    double speed = 0.0;
    if (read_number(reader, "fly_speed", 0.0, 1e3, &speed)) {
        state.fly_speed = (float)speed;
    }
    read_text(reader, "folder", state.folder, sizeof state.folder);
    read_exports(reader, &state.exports);
    read_recent(reader, &state.recent);
    read_panel(reader, &state.panel_state);
    if (root->kind != BRUME_YAML_MAP) {
        (void)brume_fail(error, BRUME_BAD_INPUT, "%s: not a map: the window starts with its defaults", path);
    } else if (file.invalid) {
        (void)brume_fail(error, BRUME_BAD_INPUT, "%s:%d: '%s' has no valid value: its default is used", path,
                         file.invalid->key_line, file.invalid->key);
    }
    brume_yaml_free(root);
    return state;
}

// a text in YAML's double quotes; bytes outside of ASCII are not escaped
static void quote(const char *text, char *quoted, size_t size)
{
    size_t used = 0;
    quoted[used++] = '"';
    for (const char *c = text; *c && used + 6 < size; c++) {
        if (*c == '"' || *c == '\\') {
            quoted[used++] = '\\';
            quoted[used++] = *c;
        } else if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            used += (size_t)snprintf(quoted + used, size - used, "\\x%02x", (unsigned)(unsigned char)*c);
        } else {
            quoted[used++] = *c;
        }
    }
    quoted[used++] = '"';
    quoted[used] = '\0';
}

BrumeStatus brume_window_state_save(const BrumeWindowState *state, const char *path, BrumeError *error)
{
    char folder[4 * BRUME_VIEWER_PATH + 8];
    quote(state->folder, folder, sizeof folder);
    char position[64] = "";
    if (state->has_position) {
        (void)snprintf(position, sizeof position, "x: %d\ny: %d\n", state->x, state->y);
    }
    const BrumeExportControls *const exports = &state->exports;
    char export_folder[sizeof folder];
    quote(exports->folder, export_folder, sizeof export_folder);
    char text[sizeof folder + sizeof export_folder + 1024];
    const int length = snprintf(
        text, sizeof text,
        "# the window of brume view when it was closed last\n%swidth: %d\nheight: %d\nfullscreen: %s\npanel: "
        "%s\nhud: %s\nfly_speed: %.9g\n"
        "picture_own_size: %s\npicture_width: %d\npicture_height: %d\npicture_samples: %d\nlight: %s\nui_scale: %.9g\n"
        "folder: %s\nexport_folder: %s\nexport_frame: %s\nexport_recording: %s\nexport_render: %s\nexport_cache: %s\n"
        "export_integrator: %d\nexport_threads: %d\n"
        "export_size: %d\nexport_width: %d\nexport_height: %d\nexport_samples: %d\nexport_layers: %u\n",
        position, state->width > MIN_WIDTH ? state->width : MIN_WIDTH,
        state->height > MIN_HEIGHT ? state->height : MIN_HEIGHT, state->fullscreen ? "true" : "false",
        state->panel ? "true" : "false", state->hud ? "true" : "false", (double)state->fly_speed,
        state->picture.own_size ? "true" : "false", state->picture.width, state->picture.height, state->picture.samples,
        state->light ? "true" : "false", (double)state->ui_scale, folder, export_folder,
        brume_file_extension(exports->frame), brume_file_extension(exports->recording),
        brume_file_extension(exports->render), brume_file_extension(exports->cache), (int)exports->integrator,
        exports->threads, (int)exports->size, exports->width, exports->height, exports->samples, exports->layers);
    BrumeText whole = {0};
    brume_text_add(&whole, "%.*s", length, text);
    const BrumePanelState *const panel = &state->panel_state;
    brume_text_add(&whole, "panel_width: %.9g\nbrush: %s\nbrush_color: %d\nbrush_size: %.9g\n", (double)panel->width,
                   brume_brush_mode_name((BrumeBrushMode)panel->brush_mode), panel->brush_color,
                   (double)panel->brush_size);
    if (panel->has_sections) {
        brume_text_add(&whole, "open_sections: [");
        for (int n = 0; n < panel->open_count; n++) {
            brume_text_add(&whole, "%s%s", n > 0 ? ", " : "", panel->open_sections[n]);
        }
        brume_text_add(&whole, "]\n");
    }
    brume_text_add(&whole, "recent: %s\n", state->recent.count > 0 ? "" : "[]");
    for (int n = 0; n < state->recent.count; n++) {
        quote(state->recent.paths[n], folder, sizeof folder);
        brume_text_add(&whole, "  - %s\n", folder);
    }
    BrumeStatus status = whole.failed ? brume_out_of_memory(error, "%s", path) : brume_file_make_folder(path, error);
    if (status == BRUME_OK) {
        status = brume_file_write(path, whole.data, whole.size, error);
    }
    brume_text_destroy(&whole);
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
