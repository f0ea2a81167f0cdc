// The values of a light, and the section of sky and media.
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float degrees_per_radian = 57.29577951f;

// draws the key button of the direction, to which both angles of the sun belong
static void draw_direction_key(BrumePanel &panel, const char *label, const BrumeLight &light)
{
    BrumeAnimatedMember member;
    if (brume_find_member(panel, &light.direction, member)) {
        brume_key_button(panel, label, member);
    }
}

// draws the position of the sun [degrees] as in a scene file: azimuth from +z towards +x, elevation above the horizon
static void draw_sun(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    const BrumeVec3 direction = light.direction;
    float azimuth = degrees_per_radian * std::atan2(-direction.x, -direction.z);
    float elevation = degrees_per_radian * std::atan2(-direction.y, std::hypot(direction.x, direction.z));
    const bool changed = scene && memcmp(&direction, &scene->direction, sizeof direction) != 0;
    bool dragged = false;
    bool reset = false;
    if (brume_begin_row(panel, "azimuth", changed, brume_slider_width(panel))) {
        dragged = brume_slider(panel, &azimuth, -180.0f, 180.0f, 4, "°", false);
        reset =
            brume_end_row(panel, "azimuth", changed, "Horizontal direction of the sun: 0 towards +z, 90 towards +x.",
                          "-180 to 180 °; double-click to type");
        draw_direction_key(panel, "azimuth", light);
    }
    if (brume_begin_row(panel, "elevation", changed, brume_slider_width(panel))) {
        dragged = brume_slider(panel, &elevation, -10.0f, 89.0f, 4, "°", false) || dragged;
        reset = brume_end_row(panel, "elevation", changed, "Angle of the sun above the horizon.",
                              "-10 to 89 °; double-click to type") ||
                reset;
        draw_direction_key(panel, "elevation", light);
    }
    if (reset && scene) {
        light.direction = scene->direction;
    } else if (dragged) {
        const float a = azimuth / degrees_per_radian;
        const float e = elevation / degrees_per_radian;
        light.direction = brume_vec3(-std::cos(e) * std::sin(a), -std::sin(e), -std::cos(e) * std::cos(a));
    }
    BrumeAnimatedMember member;
    if ((reset || dragged) && panel.controls->auto_key && brume_find_member(panel, &light.direction, member) &&
        brume_is_animated(panel, member)) {
        brume_set_keys(*panel.controls, member, panel.readouts->time);
    }
}

// draws a light with a position; a change that would remove its direction or a spot's cone is not applied
static void draw_placed_light(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    brume_parameter_rows(panel, BRUME_PARAMETERS_POINT_LIGHT, &light, scene);
    const BrumeLight before = light;
    if (light.kind == BRUME_LIGHT_SPOT) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_SPOT, &light, scene);
        light.angle = light.angle > 0.0f ? light.angle : before.angle;
    } else if (light.kind == BRUME_LIGHT_RECTANGLE) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_RECTANGLE, &light, scene);
    }
    light.direction = brume_length(light.direction) > 0.0f ? light.direction : before.direction;
}

// draws intensity and color; the color is a separate value or follows from a temperature
static void draw_intensity_and_color(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    bool by_temperature = light.temperature > 0.0f;
    if (brume_switch_row(panel, "by temperature", &by_temperature,
                         "Whether the color is that of a black body of a temperature.")) {
        const float before = scene && scene->temperature > 0.0f ? scene->temperature : 5600.0f;
        light.temperature = by_temperature ? before : 0.0f;
    }
    const size_t hidden = by_temperature ? offsetof(BrumeLight, color) : offsetof(BrumeLight, temperature);
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_LIGHT];
    for (int n = 0; n < table.count; n++) {
        if (table.parameters[n].setting->offset != hidden) {
            (void)brume_parameter_row(panel, table.parameters[n], &light, scene);
        }
    }
}

void brume_sky_file_row(BrumePanel &panel)
{
    if (!brume_begin_row(panel, "sky file", false, brume_slider_width(panel))) {
        return;
    }
    ImGui::SetNextItemWidth(-brume_browse_width());
    if (brume_text_field(panel, ".hdr or .exr, Enter", panel.sky, sizeof panel.sky, true) && panel.sky[0]) {
        (void)snprintf(panel.commands->open_sky, sizeof panel.commands->open_sky, "%s", panel.sky);
    }
    (void)brume_end_row(panel, "sky file", false,
                        "Shows a picture of all directions as the sky; so does dropping the file on the window.");
    brume_browse_button(panel, "sky file", BRUME_CHOOSE_SKY);
}

// Draws the rows of a sky with an image. It needs a file: until one is open, the previous sky is drawn.
static void draw_picture(BrumePanel &panel, BrumeRenderSettings &render_settings, const BrumeRenderSettings &scene)
{
    const BrumeSkyKind former = render_settings.sky.kind;
    panel.sky_wanted = panel.sky_wanted && former == panel.sky_before;
    render_settings.sky.kind = panel.sky_wanted ? BRUME_SKY_IMAGE : former;
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_RENDER];
    for (int n = 0; n < table.count; n++) {
        (void)brume_parameter_row(panel, table.parameters[n], &render_settings, &scene);
        if (table.parameters[n].setting == &brume_render_setting_table[BRUME_RENDER_SKY_KIND] &&
            render_settings.sky.kind == BRUME_SKY_IMAGE) {
            brume_sky_file_row(panel);
        }
    }
    panel.sky_wanted = render_settings.sky.kind == BRUME_SKY_IMAGE && !render_settings.sky.image.radiance;
    panel.sky_before = former;
    render_settings.sky.kind = panel.sky_wanted ? former : render_settings.sky.kind;
}

void brume_draw_light(BrumePanel &panel, int n)
{
    const BrumeRenderSettings &before = panel.scene->render_settings;
    BrumeLight &light = brume_controls_look(panel.controls)->lights[n];
    const BrumeLight *scene =
        n < before.light_count && before.lights[n].kind == light.kind ? &before.lights[n] : nullptr;
    if (light.kind == BRUME_LIGHT_DIRECTIONAL) {
        draw_sun(panel, light, scene);
        brume_parameter_rows(panel, BRUME_PARAMETERS_SUN, &light, scene);
    } else {
        draw_placed_light(panel, light, scene);
    }
    draw_intensity_and_color(panel, light, scene);
}

void brume_draw_lights(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Light", false)) {
        return;
    }
    BrumeRenderSettings &render_settings = *brume_controls_look(panel.controls);
    const BrumeRenderSettings &before = panel.scene->render_settings;
    draw_picture(panel, render_settings, before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM_SAMPLING, &render_settings, &before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_PHASE, &render_settings, &before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_LOBES, &render_settings, &before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_DROPLETS, &render_settings, &before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_EMISSION, &render_settings, &before);
    static const BrumeCurve constant = {BRUME_CURVE_LINEAR, 2, {{500.0f, 1.0f}, {2000.0f, 1.0f}}};
    if (render_settings.emission.intensity > 0.0f) {
        brume_curve_rows(panel, "glow curve", render_settings.emission.curve, before.emission.curve, constant,
                         "A factor of the glow by the absolute temperature [K].");
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_DETAIL, &render_settings, &before);
}
