#include "viewer/window/window_state.h"

#include "core/error.h"
#include "core/text.h"
#include "io/file.h"
#include "yaml/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                              .exports = {.cache = BRUME_FILE_HDF, .first = 1}};
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

static void read_flag(const BrumeYamlNode *root, const char *key, bool *flag)
{
    const BrumeYamlNode *const node = brume_yaml_get(root, key);
    if (node && node->kind == BRUME_YAML_SCALAR) {
        *flag = strcmp(node->text, "true") == 0 || (*flag && strcmp(node->text, "false") != 0);
    }
}

// reads a number within [min, max]; otherwise returns false and leaves `*number` unchanged
static bool read_number(const BrumeYamlNode *root, const char *key, double min, double max, double *number)
{
    const BrumeYamlNode *const node = brume_yaml_get(root, key);
    if (!node || node->kind != BRUME_YAML_SCALAR) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(node->text, &end);
    if (end == node->text || *end != '\0' || !(value >= min && value <= max)) {
        return false;
    }
    *number = value;
    return true;
}

static bool read_integer(const BrumeYamlNode *root, const char *key, int min, int max, int *number)
{
    double value = 0.0;
    if (!read_number(root, key, min, max, &value)) {
        return false;
    }
    *number = (int)lround(value);
    return true;
}

static void read_text(const BrumeYamlNode *root, const char *key, char *text, size_t size)
{
    const BrumeYamlNode *const node = brume_yaml_get(root, key);
    if (node && node->kind == BRUME_YAML_SCALAR && strlen(node->text) < size) {
        (void)snprintf(text, size, "%s", node->text);
    }
}

// reads a kind of files by its extension, of those that `fits` permits
static void read_kind(const BrumeYamlNode *root, const char *key, bool (*fits)(BrumeFileKind), BrumeFileKind *kind)
{
    char extension[16] = "";
    BrumeFileKind found;
    read_text(root, key, extension, sizeof extension);
    if (brume_file_kind_of(extension, &found) && fits(found)) {
        *kind = found;
    }
}

static bool is_frame_kind(BrumeFileKind kind) { return !brume_file_is_video(kind); }
static bool is_picture_kind(BrumeFileKind kind) { return !brume_file_is_volume(kind); }

static void read_exports(const BrumeYamlNode *root, BrumeExportControls *exports)
{
    int integrator = 0;
    read_text(root, "export_folder", exports->folder, sizeof exports->folder);
    read_kind(root, "export_frame", is_frame_kind, &exports->frame);
    read_kind(root, "export_recording", is_picture_kind, &exports->recording);
    read_kind(root, "export_render", is_picture_kind, &exports->render);
    read_kind(root, "export_cache", brume_file_is_volume, &exports->cache);
    read_integer(root, "export_integrator", BRUME_JOB_INTEGRATOR_OF_SCENE, BRUME_JOB_INTEGRATOR_PATH, &integrator);
    exports->integrator = (BrumeJobIntegrator)integrator;
    read_integer(root, "export_threads", 0, MAX_THREADS, &exports->threads);
}

static void read_recent(const BrumeYamlNode *root, BrumeRecentFiles *recent)
{
    const BrumeYamlNode *list = brume_yaml_get(root, "recent");
    const BrumeYamlNode *item = list && list->kind == BRUME_YAML_LIST ? list->first : NULL;
    for (; item && recent->count < BRUME_RECENT_FILES; item = item->next) {
        if (item->kind == BRUME_YAML_SCALAR && item->text[0] == '/' && strlen(item->text) < sizeof recent->paths[0]) {
            (void)snprintf(recent->paths[recent->count++], sizeof recent->paths[0], "%s", item->text);
        }
    }
}

BrumeWindowState brume_window_state_load(const char *path)
{
    BrumeWindowState state = brume_default_window_state();
    BrumeYamlNode *root = NULL;
    if (brume_yaml_read(&root, path, NULL) != BRUME_OK) {
        return state;
    }
    const bool has_x = read_integer(root, "x", -MAX_COORDINATE, MAX_COORDINATE, &state.x);
    const bool has_y = read_integer(root, "y", -MAX_COORDINATE, MAX_COORDINATE, &state.y);
    state.has_position = has_x && has_y;
    read_integer(root, "width", MIN_WIDTH, MAX_SIZE, &state.width);
    read_integer(root, "height", MIN_HEIGHT, MAX_SIZE, &state.height);
    read_flag(root, "fullscreen", &state.fullscreen);
    read_flag(root, "panel", &state.panel);
    read_flag(root, "hud", &state.hud);
    read_flag(root, "light", &state.light);
    double scale = 1.0;
    if (read_number(root, "ui_scale", (double)BRUME_MIN_UI_SCALE, (double)BRUME_MAX_UI_SCALE, &scale)) {
        state.ui_scale = (float)scale;
    }
    read_flag(root, "picture_own_size", &state.picture.own_size);
    read_integer(root, "picture_width", 1, MAX_SIZE, &state.picture.width);
    read_integer(root, "picture_height", 1, MAX_SIZE, &state.picture.height);
    read_integer(root, "picture_samples", 0, MAX_SAMPLES, &state.picture.samples);
    double speed = 0.0;
    if (read_number(root, "fly_speed", 1e-3, 1e3, &speed)) {
        state.fly_speed = (float)speed;
    }
    read_text(root, "folder", state.folder, sizeof state.folder);
    read_exports(root, &state.exports);
    read_recent(root, &state.recent);
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
        "export_integrator: %d\nexport_threads: %d\n",
        position, state->width, state->height, state->fullscreen ? "true" : "false", state->panel ? "true" : "false",
        state->hud ? "true" : "false", (double)state->fly_speed, state->picture.own_size ? "true" : "false",
        state->picture.width, state->picture.height, state->picture.samples, state->light ? "true" : "false",
        (double)state->ui_scale, folder, export_folder, brume_file_extension(exports->frame),
        brume_file_extension(exports->recording), brume_file_extension(exports->render),
        brume_file_extension(exports->cache), (int)exports->integrator, exports->threads);
    BrumeText whole = {0};
    brume_text_add(&whole, "%.*s", length, text);
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
