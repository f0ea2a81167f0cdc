#include "viewer/window/window_state.h"

#include "io/file.h"
#include "yaml/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WIDTH = 320, LEAST_HEIGHT = 240, MOST_SIDE = 16384, FARTHEST = 1 << 20 };

BrumeWindowState brume_default_place(void)
{
    return (BrumeWindowState){.width = 1280, .height = 720, .panel = true, .hud = true};
}

bool brume_window_state_path(char *path, size_t room)
{
    // the specification has relative paths ignored
    const char *const state = getenv("XDG_STATE_HOME");
    const char *const home = getenv("HOME");
    int length = -1;
    if (state && state[0] == '/') {
        length = snprintf(path, room, "%s/brume/viewer.yaml", state);
    } else if (home && home[0] == '/') {
        length = snprintf(path, room, "%s/.local/state/brume/viewer.yaml", home);
    }
    return length > 0 && (size_t)length < room;
}

static void read_flag(const BrumeYamlNode *root, const char *key, bool *flag)
{
    const BrumeYamlNode *const node = brume_yaml_get(root, key);
    if (node && node->kind == BRUME_YAML_SCALAR) {
        *flag = strcmp(node->text, "true") == 0 || (*flag && strcmp(node->text, "false") != 0);
    }
}

// a number within its range; false, and it stays, otherwise
static bool read_number(const BrumeYamlNode *root, const char *key, double least, double most, double *number)
{
    const BrumeYamlNode *const node = brume_yaml_get(root, key);
    if (!node || node->kind != BRUME_YAML_SCALAR) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(node->text, &end);
    if (end == node->text || *end != '\0' || !(value >= least && value <= most)) {
        return false;
    }
    *number = value;
    return true;
}

static bool read_whole(const BrumeYamlNode *root, const char *key, int least, int most, int *number)
{
    double value = 0.0;
    if (!read_number(root, key, least, most, &value)) {
        return false;
    }
    *number = (int)lround(value);
    return true;
}

BrumeWindowState brume_window_state_load(const char *path)
{
    BrumeWindowState place = brume_default_place();
    BrumeYamlNode *root = NULL;
    if (brume_yaml_read(&root, path, NULL) != BRUME_OK) {
        return place;
    }
    const bool has_x = read_whole(root, "x", -FARTHEST, FARTHEST, &place.x);
    const bool has_y = read_whole(root, "y", -FARTHEST, FARTHEST, &place.y);
    place.has_position = has_x && has_y;
    read_whole(root, "width", LEAST_WIDTH, MOST_SIDE, &place.width);
    read_whole(root, "height", LEAST_HEIGHT, MOST_SIDE, &place.height);
    read_flag(root, "fullscreen", &place.fullscreen);
    read_flag(root, "panel", &place.panel);
    read_flag(root, "hud", &place.hud);
    double speed = 0.0;
    if (read_number(root, "fly_speed", 1e-3, 1e3, &speed)) {
        place.fly_speed = (float)speed;
    }
    const BrumeYamlNode *const folder = brume_yaml_get(root, "folder");
    if (folder && folder->kind == BRUME_YAML_SCALAR && strlen(folder->text) < sizeof place.folder) {
        (void)snprintf(place.folder, sizeof place.folder, "%s", folder->text);
    }
    brume_yaml_free(root);
    return place;
}

// a text in YAML's double quotes; bytes beyond ASCII stand for themselves
static void quote(const char *text, char *quoted, size_t room)
{
    size_t used = 0;
    quoted[used++] = '"';
    for (const char *c = text; *c && used + 6 < room; c++) {
        if (*c == '"' || *c == '\\') {
            quoted[used++] = '\\';
            quoted[used++] = *c;
        } else if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            used += (size_t)snprintf(quoted + used, room - used, "\\x%02x", (unsigned)(unsigned char)*c);
        } else {
            quoted[used++] = *c;
        }
    }
    quoted[used++] = '"';
    quoted[used] = '\0';
}

BrumeStatus brume_window_state_save(const BrumeWindowState *place, const char *path, BrumeError *error)
{
    char folder[4 * BRUME_VIEWER_PATH + 8];
    quote(place->folder, folder, sizeof folder);
    char position[64] = "";
    if (place->has_position) {
        (void)snprintf(position, sizeof position, "x: %d\ny: %d\n", place->x, place->y);
    }
    char text[sizeof folder + 512];
    const int length = snprintf(
        text, sizeof text,
        "# where brume view was left\n%swidth: %d\nheight: %d\nfullscreen: %s\npanel: %s\nhud: %s\nfly_speed: %.9g\n"
        "folder: %s\n",
        position, place->width, place->height, place->fullscreen ? "true" : "false", place->panel ? "true" : "false",
        place->hud ? "true" : "false", (double)place->fly_speed, folder);
    const BrumeStatus status = brume_file_make_folder(path, error);
    return status == BRUME_OK ? brume_file_write(path, text, (size_t)length, error) : status;
}

bool brume_window_state_is_reachable(const BrumeWindowState *place, const BrumeScreen *screens, int count)
{
    const int least_across = 64; // [points]
    const int bar = 16;
    for (int n = 0; n < count; n++) {
        const BrumeScreen *const screen = &screens[n];
        const int left = place->x > screen->x ? place->x : screen->x;
        const int right_of_window = place->x + place->width;
        const int right_of_screen = screen->x + screen->width;
        const int right = right_of_window < right_of_screen ? right_of_window : right_of_screen;
        if (right - left >= least_across && place->y >= screen->y && place->y + bar <= screen->y + screen->height) {
            return true;
        }
    }
    return false;
}
