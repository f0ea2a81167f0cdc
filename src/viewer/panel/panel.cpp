// The panel as a whole: Dear ImGui's context, events, and the drawing of one picture.
#include "core/error.h"
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstring>
#include <math.h>
#include <new>

static const float panel_points = 340.0f, narrow_panel_points = 200.0f;
static const float panel_share = 0.36f, narrow_panel_share = 0.5f; // of the window's width
static const float icon_points = 30.0f;

BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error)
{
    *panel = nullptr;
    BrumePanel *created = new (std::nothrow) BrumePanel();
    if (!created) {
        return brume_out_of_memory(error, "the panel");
    }
    created->window = static_cast<SDL_Window *>(window);
    created->presets = presets;
    brume_start_events(*created);
    created->section = "";
    IMGUI_CHECKVERSION();
    created->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(created->context);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    brume_take_all_events();
    int points = 1;
    int pixels = 1;
    SDL_GetWindowSize(created->window, &points, nullptr);
    SDL_GL_GetDrawableSize(created->window, &pixels, nullptr);
    created->pixels_per_unit = points > 0 && pixels > 0 ? (float)pixels / (float)points : 1.0f;
    created->pixels_per_point = scale;
    created->ui_scale = 1.0f;
    brume_theme_apply(*created);
    const bool has_window = ImGui_ImplSDL2_InitForOpenGL(created->window, context);
    const bool has_device = has_window && ImGui_ImplOpenGL3_Init("#version 330 core");
    if (!has_device) {
        if (has_window) {
            ImGui_ImplSDL2_Shutdown();
        }
        ImGui::DestroyContext(created->context);
        delete created;
        return brume_fail(error, BRUME_FAILED, "the panel cannot be drawn with this OpenGL");
    }
    *panel = created;
    return BRUME_OK;
}

void brume_panel_destroy(BrumePanel *panel)
{
    if (!panel) {
        return;
    }
    ImGui::SetCurrentContext(panel->context);
    brume_free_look(*panel);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(panel->context);
    brume_panel_close_dialog(*panel);
    delete panel;
}

// returns the panel's width for a window of this width [units of ImGui]
static float panel_width(const BrumePanel &panel, float window_width)
{
    const float by_window =
        std::fmin(std::fmax(panel_share * window_width, narrow_panel_points * panel.unit), panel_points * panel.unit);
    const float width = panel.width > 0.0f ? panel.width * panel.unit : by_window;
    return std::round(std::fmin(width, narrow_panel_share * window_width));
}

BrumePictureArea brume_panel_free_area(const BrumePanel *panel, const BrumeControls *controls,
                                       const BrumeReadouts *readouts, BrumePictureArea window)
{
    BrumePictureArea area = window;
    area.left += controls->panel ? panel_width(*panel, window.width) : 0.0f;
    area.width -= area.left - window.left;
    const float foot = brume_timeline_height(*panel, *controls, *readouts) +
                       brume_curve_editor_height(*panel, *controls, window.height);
    area.height -= std::fmin(foot, 0.85f * window.height);
    return area;
}

static void draw_panel(BrumePanel &panel)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0.0f, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(panel_width(panel, size.x), size.y - panel.foot));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                   ImGuiWindowFlags_AlwaysVerticalScrollbar;
    if (ImGui::Begin("##panel", nullptr, flags)) {
        const ImVec2 corner = ImGui::GetWindowPos();
        const ImVec2 extent = ImGui::GetWindowSize();
        panel.covered[panel.covered_count][0] = corner;
        panel.covered[panel.covered_count][1] = ImVec2(corner.x + extent.x, corner.y + extent.y);
        panel.covered_count++;
        brume_draw_sections(panel);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

// lays out one frame of ImGui, which the caller may draw
static void lay_out(BrumePanel &panel, double now)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    brume_pass_events(panel, now);
    ImGui::NewFrame();
    panel.types_text = false;
    panel.spot_count = 0;
    panel.covered_count = 0;
    panel.hovered_value.count = 0;
    panel.foot = brume_timeline_height(panel, *panel.controls, *panel.readouts);
    panel.icon_width = icon_points * panel.unit;
    if (panel.foot > 0.0f) {
        brume_draw_timeline(panel);
    } else {
        panel.controls->scrubbing = false;
    }
    brume_draw_selection(panel);
    brume_draw_brush_cursor(panel);
    if (panel.controls->curve_editor) {
        brume_draw_curve_editor(panel, panel.controls->panel ? panel_width(panel, ImGui::GetIO().DisplaySize.x) : 0.0f);
    } else {
        panel.curve_editor.hovered = false;
        panel.curve_editor.needs_frame = true; // once it is opened
    }
    brume_draw_hud(panel);
    panel.controls->looks_shown = false;
    if (panel.controls->panel) {
        draw_panel(panel);
    }
    if (panel.controls->help) {
        brume_draw_help(panel);
    }
    brume_draw_file_dialog(panel);
    panel.popup_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    brume_focus_after_layout(panel);
}

void brume_lay_out_once(BrumePanel &panel)
{
    lay_out(panel, panel.event_clock);
    ImGui::EndFrame();
}

// applies the chosen theme and scale
static void update_theme(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    if (controls.light == panel.light && std::fabs(controls.ui_scale - panel.ui_scale) < 1e-3f) {
        return;
    }
    panel.light = controls.light;
    panel.ui_scale = controls.ui_scale;
    brume_release_font_texture();
    ImGui::GetIO().Fonts->Clear();
    brume_theme_apply(panel);
    brume_make_font_texture();
}

// stores the arguments that the functions of the panel share during one call
static void begin_call(BrumePanel &panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                       BrumeControls *controls, BrumeCommands *commands)
{
    ImGui::SetCurrentContext(panel.context);
    panel.scene = scene;
    panel.readouts = readouts;
    panel.controls = controls;
    panel.commands = commands;
    update_theme(panel);
}

// lays out again: ImGui reports an active text field one frame later, and measures a list before it is visible
static void lay_out_changes(BrumePanel &panel)
{
    if (brume_focus_do_command(panel)) {
        return;
    }
    for (int n = 0; n < 2; n++) {
        brume_lay_out_once(panel);
    }
}

void brume_panel_lay_out(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                         BrumeControls *controls, BrumeCommands *commands)
{
    begin_call(*panel, scene, readouts, controls, commands);
    lay_out_changes(*panel);
    brume_update_text_input(*panel);
}

void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                      BrumeControls *controls, BrumeCommands *commands)
{
    begin_call(*panel, scene, readouts, controls, commands);
    if (panel->has_change) {
        lay_out_changes(*panel);
    }
    lay_out(*panel, 1e-3 * (double)SDL_GetTicks64());
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    brume_update_text_input(*panel);
}

void brume_panel_draw_line(BrumePanel *panel, const char *line)
{
    ImGui::SetCurrentContext(panel->context);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImVec2 text = ImGui::CalcTextSize(line);
    ImGui::SetNextWindowPos(ImVec2(0.0f, 0.0f));
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    if (ImGui::Begin("##line", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings)) {
        ImGui::SetCursorPos(ImVec2(0.5f * (size.x - text.x), 0.5f * (size.y - text.y)));
        ImGui::TextUnformatted(line);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

const char *brume_panel_focus(const BrumePanel *panel, float rectangle[4])
{
    const BrumeKeyboardFocus &focus = panel->focus;
    rectangle[0] = focus.is_alive ? focus.lower.x : 0.0f;
    rectangle[1] = focus.is_alive ? focus.lower.y : 0.0f;
    rectangle[2] = focus.is_alive ? focus.upper.x : 0.0f;
    rectangle[3] = focus.is_alive ? focus.upper.y : 0.0f;
    return focus.active ? focus.name : "";
}

bool brume_panel_spot(const BrumePanel *panel, int index, const char **name, float rectangle[4])
{
    int n = 0;
    for (int left = index; n < panel->spot_count && (left > 0 || !panel->spots[n].visible); n++) {
        left -= panel->spots[n].visible;
    }
    if (index < 0 || n >= panel->spot_count) {
        return false;
    }
    const BrumeSpot &spot = panel->spots[n];
    *name = spot.name;
    rectangle[0] = spot.lower.x;
    rectangle[1] = spot.lower.y;
    rectangle[2] = spot.upper.x;
    rectangle[3] = spot.upper.y;
    return true;
}

bool brume_panel_find(const BrumePanel *panel, const char *name, float rectangle[4])
{
    const char *spot = "";
    int index = 0;
    while (brume_panel_spot(panel, index, &spot, rectangle)) {
        if (strcmp(spot, name) == 0) {
            return true;
        }
        index++;
    }
    return false;
}
