// The curves in the editor: of animated values, and of the numbers of the camera's keys.
#include "viewer/panel/curve_editor.h"

#include <cstdio>
#include <cstring>

static const char *const camera_names[] = {"camera x", "camera y", "camera z",     "target x",
                                           "target y", "target z", "field of view"};
enum { CAMERA_CHANNELS = 7 };

int brume_channel_count(const BrumeControls &controls)
{
    return controls.animation.count + (controls.camera_path.count > 0 ? CAMERA_CHANNELS : 0);
}

BrumeChannel brume_channel_at(BrumeControls &controls, int index)
{
    if (index < controls.animation.count) {
        return {&controls, &controls.animation.values[index], 0};
    }
    return {&controls, nullptr, index - controls.animation.count};
}

// a component of a camera: 0 to 2 position, 3 to 5 target, 6 height or field of view
static float *number_of(BrumeCamera &camera, int component)
{
    if (component < 3) {
        return &camera.position.x + component;
    }
    if (component < 6) {
        return &camera.target.x + (component - 3);
    }
    return camera.projection == BRUME_ORTHOGRAPHIC ? &camera.height : &camera.field_of_view;
}

void brume_channel_name(const BrumeChannel &channel, char *text, size_t size)
{
    const bool parallel = channel.controls->camera_path.keys[0].camera.projection == BRUME_ORTHOGRAPHIC;
    const char *camera = channel.component == 6 && parallel ? "height" : camera_names[channel.component];
    (void)snprintf(text, size, "%s", channel.value ? channel.value->path : camera);
}

// returns the section of the panel that has a setting
static const char *section_of(const BrumeSetting *setting)
{
    static const struct {
        BrumeParameterGroup group;
        const char *name;
    } sections[] = {{BRUME_PARAMETERS_AIR, "Air"},
                    {BRUME_PARAMETERS_SOLVER, "Solver"},
                    {BRUME_PARAMETERS_SOLVER_DETAILS, "Solver details"},
                    {BRUME_PARAMETERS_TIME, "Time"}};
    for (const auto &section : sections) {
        const BrumeParameterTable &table = brume_parameters[section.group];
        for (int n = 0; n < table.count; n++) {
            if (table.parameters[n].setting == setting) {
                return section.name;
            }
        }
    }
    return "Light";
}

// writes the owner of a setting: an object, a body with its name, a kind of smoke, or a section of the panel
static void owner_title(const BrumeChannel &channel, const BrumeAnimatedMember &member, char *text, size_t size)
{
    const BrumePresentBodies &present = channel.controls->present;
    static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};
    switch (member.owner) {
    case BRUME_ANIMATED_SMOKE:
    case BRUME_ANIMATED_MEDIUM:
        (void)snprintf(text, size, "Smoke %s", smoke_names[member.index]);
        break;
    case BRUME_ANIMATED_EMITTER:
    case BRUME_ANIMATED_SHAPE:
        (void)snprintf(text, size, "emitter %d", member.index + 1);
        break;
    case BRUME_ANIMATED_SOLID:
    case BRUME_ANIMATED_BODY:
    case BRUME_ANIMATED_SURFACE:
        if (member.index < present.count && present.bodies[member.index].name[0] != '\0') {
            (void)snprintf(text, size, "%s", present.bodies[member.index].name);
        } else {
            (void)snprintf(text, size, "body %d", member.index + 1);
        }
        break;
    case BRUME_ANIMATED_LIGHT:
        (void)snprintf(text, size, "light %d", member.index + 1);
        break;
    default:
        (void)snprintf(text, size, "%s", section_of(member.setting));
        break;
    }
}

void brume_channel_title(const BrumeChannel &channel, char *text, size_t size)
{
    static const char *const axes[] = {" x", " y", " z"};
    static const char *const colors[] = {" red", " green", " blue"};
    BrumeAnimatedMember member;
    if (!channel.value || !brume_animated_find(channel.value->path, &member)) {
        brume_channel_name(channel, text, size);
        return;
    }
    char owner[48];
    owner_title(channel, member, owner, sizeof owner);
    const BrumeSetting *setting = member.setting;
    const char *component = !member.is_vector                    ? ""
                            : setting->type == BRUME_VALUE_COLOR ? colors[member.component]
                                                                 : axes[member.component];
    (void)snprintf(text, size, "%s: %s%s", owner, setting->label ? setting->label : brume_setting_name(setting),
                   component);
}

void brume_channel_unit(const BrumeChannel &channel, char unit[BRUME_PARAMETER_TEXT])
{
    BrumeAnimatedMember member;
    unit[0] = '\0';
    if (!channel.value) {
        const bool parallel = channel.controls->camera_path.keys[0].camera.projection == BRUME_ORTHOGRAPHIC;
        (void)snprintf(unit, BRUME_PARAMETER_TEXT, "%s", channel.component < 6 || parallel ? "m" : "°");
    } else if (brume_animated_find(channel.value->path, &member)) {
        const BrumeParameter plain = {BRUME_PARAMETER_FLOAT, member.setting, nullptr, nullptr};
        brume_parameter_unit(&plain, member.setting, unit);
    }
}

int brume_channel_keys(const BrumeChannel &channel)
{
    return channel.value ? channel.value->key_count : channel.controls->camera_path.count;
}

BrumeValueKey brume_channel_key(const BrumeChannel &channel, int index)
{
    if (channel.value) {
        return channel.value->keys[index];
    }
    BrumeCameraKey &key = channel.controls->camera_path.keys[index];
    return {key.time, (double)*number_of(key.camera, channel.component)};
}

double brume_channel_evaluate(const BrumeChannel &channel, double time)
{
    if (channel.value) {
        return brume_animated_value_at(channel.value, time);
    }
    const BrumeCameraPath &path = channel.controls->camera_path;
    BrumeCamera camera = brume_camera_at(path.keys, path.count, time);
    return (double)*number_of(camera, channel.component);
}

// returns a number with few digits, within the limits of its setting
static double limited(const BrumeChannel &channel, double number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.5g", number);
    number = std::strtod(text, nullptr);
    BrumeAnimatedMember member;
    if (channel.value && brume_animated_find(channel.value->path, &member)) {
        return std::fmin(std::fmax(number, member.setting->min), member.setting->max);
    }
    const bool is_angle = channel.component == 6;
    return std::fmin(std::fmax(number, is_angle ? 1.0 : -1e5), is_angle ? 170.0 : 1e5);
}

void brume_channel_move(const BrumeChannel &channel, int index, double time, double number)
{
    if (channel.value) {
        brume_keys_move(channel.value, index, time, limited(channel, number));
        return;
    }
    BrumeCameraPath &path = channel.controls->camera_path;
    BrumeCamera &camera = path.keys[index].camera;
    const BrumeCamera before = camera;
    brume_camera_path_move(&path, index, time);
    *number_of(camera, channel.component) = (float)limited(channel, number);
    if (camera.position.x == camera.target.x && camera.position.y == camera.target.y &&
        camera.position.z == camera.target.z) { // the target is at the position
        camera = before;
    }
}

bool brume_channel_add(const BrumeChannel &channel, double time, double number)
{
    time = std::fmax(time, 0.0);
    if (channel.value) {
        return brume_keys_set(&channel.controls->animation, channel.value->path, time, limited(channel, number));
    }
    BrumeCameraPath &path = channel.controls->camera_path;
    BrumeCamera camera = brume_camera_at(path.keys, path.count, time);
    *number_of(camera, channel.component) = (float)limited(channel, number);
    return brume_camera_path_set(&path, time, &camera);
}

bool brume_channel_remove(const BrumeChannel &channel, int index)
{
    if (!channel.value) {
        brume_camera_path_remove(&channel.controls->camera_path, index);
        return channel.controls->camera_path.count > 0;
    }
    const bool is_last = channel.value->key_count == 1;
    brume_keys_remove(&channel.controls->animation, channel.value, index);
    return !is_last;
}
