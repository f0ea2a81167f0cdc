// The section of the objects: a list of emitters, bodies, lights and streamlines, and the values of the selected one.
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "sim/settings/settings.h"
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "viewer/edit/add_presets.h"
#include "viewer/edit/object_keys.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/edit/select_drag.h"
}
#pragma GCC diagnostic pop

#include <cfloat>
#include <cstddef>
#include <cstdio>
#include <cstring>

static const char *const kind_titles[] = {"", "Emitters", "Bodies", "Lights", "Streamlines"};

static void draw_modes(BrumePanel &panel)
{
    static const char *const names[] = {"move", "turn", "scale"};
    static const char *const docs[] = {"Handles that move the selected object (W).",
                                       "Handles that turn it (E), where it has a direction.",
                                       "Handles that scale it (S), where it has a size."};
    BrumeSelectTool &tool = panel.controls->select;
    const float width = brume_column_width(3);
    for (int mode = 0; mode < BRUME_GIZMO_MODES; mode++) {
        if (mode > 0) {
            ImGui::SameLine();
        }
        if (brume_choice_button(panel, names[mode], tool.active && tool.mode == (BrumeGizmoMode)mode, width,
                                docs[mode])) {
            tool.mode = (BrumeGizmoMode)mode;
            tool.active = true;
        }
    }
}

// draws an entry of the menu; its name for tests is "add emitter sphere"
static bool draw_entry(BrumePanel &panel, const char *kind, const char *what, bool enabled)
{
    char name[48];
    (void)snprintf(name, sizeof name, "add %s %s", kind, what);
    const bool chosen = ImGui::MenuItem(what, nullptr, false, enabled);
    brume_note_spot(panel, name);
    return chosen;
}

// draws the entries of the menu for forces that need no file
static void draw_forces(BrumePanel &panel, bool enabled)
{
    ImGui::TextDisabled("force");
    for (int kind = BRUME_FORCE_WIND; kind <= BRUME_FORCE_ATTRACTION; kind++) {
        const char *word = brume_force_name((BrumeForceKind)kind);
        if (kind != BRUME_FORCE_FLOW && draw_entry(panel, "force", word, enabled)) {
            panel.controls->select.active = true;
            panel.commands->edited = true;
            brume_object_add_force(panel.controls, (BrumeForceKind)kind);
        }
    }
}

// draws the entries of the menu for fires; where the box cannot have one, they are disabled and say why
static void draw_fires(BrumePanel &panel, bool enabled)
{
    BrumeError error;
    const bool can_burn = brume_fire_check(panel.controls, &error) == BRUME_OK;
    ImGui::TextDisabled("fire");
    for (int n = 0; brume_fire_name(n); n++) {
        if (draw_entry(panel, "fire", brume_fire_name(n), enabled && can_burn)) {
            panel.controls->select.active = true;
            panel.commands->edited = true;
            brume_object_add_fire(panel.controls, n);
        }
        if (!can_burn) {
            brume_explain(panel, brume_fire_name(n), error.text);
        }
    }
}

static const char *const shapes[] = {"sphere", "box", "cylinder", "capsule", "cone", "torus"};
static const char *const lights[] = {"sun", "point light", "spot", "rectangle"};
static const char *const kinds[] = {"", "emitter", "body", "light", "rake"};

// whether a search has the names of the buttons, or of what the menu adds
static bool finds_edit_buttons(BrumePanel &panel)
{
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof text, "emitter body mesh file streamlines force fire");
    const auto add = [&](const char *name) {
        used += used < sizeof text ? (size_t)snprintf(text + used, sizeof text - used, " %s", name) : 0;
    };
    for (const char *name : shapes) {
        add(name);
    }
    for (const char *name : lights) {
        add(name);
    }
    for (int kind = BRUME_FORCE_WIND; kind <= BRUME_FORCE_ATTRACTION; kind++) {
        add(brume_force_name((BrumeForceKind)kind));
    }
    for (int n = 0; brume_fire_name(n); n++) {
        add(brume_fire_name(n));
    }
    return brume_search_matches(panel, "add duplicate delete", text);
}

static void draw_menu(BrumePanel &panel)
{
    static const BrumeShapeKind shape_kinds[] = {BRUME_SHAPE_SPHERE,  BRUME_SHAPE_BOX,  BRUME_SHAPE_CYLINDER,
                                                 BRUME_SHAPE_CAPSULE, BRUME_SHAPE_CONE, BRUME_SHAPE_TORUS};
    BrumeControls &controls = *panel.controls;
    for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
        const bool is_light = kind == BRUME_OBJECT_LIGHT;
        const bool enabled = brume_object_has_room(&controls, (BrumeObjectKind)kind) &&
                             brume_objects_can_change(&controls, (BrumeObjectKind)kind);
        ImGui::TextDisabled("%s", kinds[kind]);
        const bool is_rake = kind == BRUME_OBJECT_RAKE;
        for (int n = 0; n < (is_rake ? 1 : is_light ? 4 : 6); n++) {
            ImGui::PushID(8 * kind + n);
            const char *what = is_rake ? "streamlines" : is_light ? lights[n] : shapes[n];
            if (draw_entry(panel, kinds[kind], what, enabled)) {
                controls.select.active = true;
                panel.commands->edited = true;
                if (is_rake) {
                    brume_object_add_rake(&controls);
                } else if (is_light) {
                    brume_object_add_light(&controls, (BrumeLightKind)n);
                } else {
                    brume_object_add_shape(&controls, (BrumeObjectKind)kind, shape_kinds[n]);
                }
            }
            ImGui::PopID();
        }
        if (kind == BRUME_OBJECT_EMITTER) {
            draw_forces(panel, enabled);
            draw_fires(panel, enabled);
        }
        if (kind == BRUME_OBJECT_BODY && draw_entry(panel, kinds[kind], "mesh file ...", enabled)) {
            panel.commands->choose = BRUME_CHOOSE_BODY;
        }
    }
}

static void draw_edit_buttons(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    const BrumeObject selected = controls.select.selected;
    const float width = brume_column_width(3);
    if (ImGui::Button("add", ImVec2(width, 0.0f))) {
        ImGui::OpenPopup("##add");
    }
    brume_note_spot(panel, "add");
    brume_explain(panel, kind_titles,
                  "Adds an emitter, a force, a fire, a body, a light or a rake of streamlines, and selects it.");
    if (ImGui::BeginPopup("##add")) {
        draw_menu(panel);
        ImGui::EndPopup();
    }
    ImGui::SameLine();
    ImGui::BeginDisabled(!brume_object_can_duplicate(&controls, selected));
    if (ImGui::Button("duplicate", ImVec2(width, 0.0f))) {
        brume_object_duplicate_selected(&controls);
        panel.commands->edited = true;
    }
    ImGui::EndDisabled();
    brume_note_spot(panel, "duplicate");
    brume_explain(panel, &kind_titles[1], "Adds a copy beside the selected object (Ctrl + D).");
    ImGui::SameLine();
    ImGui::BeginDisabled(!brume_object_exists(&controls, selected) ||
                         !brume_objects_can_change(&controls, selected.kind));
    if (ImGui::Button("delete", ImVec2(width, 0.0f))) {
        brume_object_delete_selected(&controls);
        panel.commands->edited = true;
    }
    ImGui::EndDisabled();
    brume_note_spot(panel, "delete");
    brume_explain(panel, &kind_titles[2], "Deletes the selected object (Delete); with a body, what emits from it.");
}

// draws the name of an object as a bar next to its switch; returns whether it was clicked
static bool draw_name(const char *label, bool selected, float width)
{
    const ImVec4 accent = ImGui::ColorConvertU32ToFloat4(brume_accent);
    ImGui::PushStyleColor(ImGuiCol_Button, selected ? accent : ImVec4());
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, selected ? accent : ImGui::GetStyleColorVec4(ImGuiCol_HeaderHovered));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, selected ? accent : ImGui::GetStyleColorVec4(ImGuiCol_HeaderActive));
    ImGui::PushStyleColor(ImGuiCol_Text, selected ? brume_on_accent : brume_bright_text);
    const bool clicked = brume_text_button(label, width);
    ImGui::PopStyleColor(4);
    return clicked;
}

// draws a pictogram that switches something on and off; returns whether it was pressed
static bool draw_switch(BrumePanel &panel, const char *name, const char *suffix, bool on, BrumeIcon icon,
                        BrumeIcon icon_off, const char *doc)
{
    const float side = ImGui::GetFrameHeight();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(suffix, ImVec2(0.9f * side, side));
    brume_draw_icon(on ? icon : icon_off, ImVec2(corner.x + 0.45f * side, corner.y + 0.5f * side), 6.0f * panel.unit,
                    ImGui::IsItemHovered() ? brume_bright_text
                    : on                   ? ImGui::GetColorU32(ImGuiCol_Text)
                                           : brume_dim_text);
    brume_note_spot(panel, name, suffix);
    brume_explain(panel, doc, doc);
    panel.commands->edited = panel.commands->edited || pressed;
    return pressed;
}

// draws the eye of a body, and the switch by which air flows around it or through it
static void draw_body_switches(BrumePanel &panel, const char *name, int n)
{
    BrumeControls &controls = *panel.controls;
    const bool visible = brume_body_is_visible(&controls, n);
    const bool collides = brume_body_collides(&controls, n);
    if (draw_switch(panel, name, " eye", visible, BrumeIcon::Eye, BrumeIcon::ClosedEye,
                    "Whether the body is drawn. The air flows around it either way.")) {
        brume_body_show(&controls, n, !visible);
    }
    ImGui::SameLine(0.0f, 0.0f);
    ImGui::BeginDisabled(!brume_objects_can_change(&controls, BRUME_OBJECT_BODY));
    if (draw_switch(panel, name, " collide", collides, BrumeIcon::Solid, BrumeIcon::Passable,
                    "Whether air and smoke flow around the body; otherwise they pass through it.")) {
        brume_body_collide(&controls, n, !collides);
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
}

// draws the list of parents of a body or an emitter, which is open
static void draw_parents(BrumePanel &panel, const char *name, BrumeObject object)
{
    BrumeControls &controls = *panel.controls;
    for (int parent = 0; parent <= controls.present.count; parent++) {
        const BrumeObject leader = {BRUME_OBJECT_BODY, parent - 1};
        if (parent > 0 && (!brume_object_exists(&controls, leader) || brume_same_object(leader, object))) {
            continue;
        }
        char label[64] = "none";
        char entry[80];
        if (parent > 0) {
            (void)snprintf(label, sizeof label, "%d  %s", parent, brume_object_shape_name(&controls, leader));
        }
        (void)snprintf(entry, sizeof entry, "%s parent %d", name, parent);
        ImGui::PushID(parent);
        ImGui::BeginDisabled(!brume_object_can_follow(&controls, object, parent));
        if (brume_selectable_text(label, brume_object_parent(&controls, object) == parent)) {
            brume_object_follow(&controls, object, parent);
            panel.commands->edited = true;
        }
        ImGui::EndDisabled();
        brume_note_spot(panel, entry);
        ImGui::PopID();
    }
}

// draws the button with the parent of a body or an emitter at the end of its row
static void draw_parent(BrumePanel &panel, const char *name, BrumeObject object)
{
    const int parent = brume_object_parent(panel.controls, object);
    char label[32];
    (void)snprintf(label, sizeof label, parent > 0 ? "on %d##parent" : "on -##parent", parent);
    ImGui::BeginDisabled(!brume_objects_can_change(panel.controls, object.kind) ||
                         !brume_object_can_follow(panel.controls, object, 0));
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4());
    ImGui::PushStyleColor(ImGuiCol_Text, parent > 0 ? ImGui::GetColorU32(ImGuiCol_Text) : brume_dim_text);
    if (ImGui::Button(label, ImVec2(-FLT_MIN, 0.0f))) {
        ImGui::OpenPopup("##parents");
    }
    ImGui::PopStyleColor(2);
    brume_note_spot(panel, name, " parent");
    static const char doc[] = "The body on which it is: it is moved, turned and scaled with this one.";
    brume_explain(panel, doc, doc);
    ImGui::EndDisabled();
    if (ImGui::BeginPopup("##parents")) {
        draw_parents(panel, name, object);
        ImGui::EndPopup();
    }
}

static void draw_item(BrumePanel &panel, BrumeObject object)
{
    BrumeControls &controls = *panel.controls;
    char name[48];
    char label[48];
    (void)snprintf(name, sizeof name, "%s %d", kinds[object.kind], object.index + 1);
    (void)snprintf(label, sizeof label, "%d  %s", object.index + 1, brume_object_shape_name(&controls, object));
    ImGui::PushID(name);
    bool on = brume_object_is_on(&controls, object);
    ImGui::BeginDisabled(!brume_objects_can_change(&controls, object.kind));
    if (ImGui::Checkbox("##on", &on)) {
        const bool is_emitter = object.kind == BRUME_OBJECT_EMITTER;
        brume_object_switch(&controls, object, on, is_emitter ? brume_scene_emitter(panel, object.index) : nullptr);
        panel.commands->edited = true;
    }
    ImGui::EndDisabled();
    brume_note_spot(panel, name, " on");
    brume_explain(panel, kinds,
                  "Whether the emitter emits, the body is there, the light shines, the streamlines are drawn.");
    ImGui::SameLine();
    if (object.kind == BRUME_OBJECT_BODY) {
        draw_body_switches(panel, name, object.index);
    }
    const bool selected = brume_same_object(object, controls.select.selected);
    const bool can_follow = object.kind == BRUME_OBJECT_EMITTER || object.kind == BRUME_OBJECT_BODY;
    const float end = can_follow ? ImGui::CalcTextSize("on 88").x + 2.0f * ImGui::GetStyle().FramePadding.x : 0.0f;
    if (draw_name(label, selected, can_follow ? ImGui::GetContentRegionAvail().x - end : -FLT_MIN)) {
        brume_select(&controls, object);
    }
    if (ImGui::IsItemHovered()) {
        controls.select.hovered = object;
    }
    BrumeAnimatedMember members[BRUME_POSE_MEMBERS];
    BrumeKeyedValue place = {brume_object_members(&controls, object, BRUME_GIZMO_MOVE, members), {}};
    memcpy(place.members, members, sizeof place.members);
    brume_note_hovered_value(panel, place, ImGui::GetItemRectMin().y, ImGui::GetItemRectMax().y);
    brume_note_spot(panel, name);
    if (can_follow) {
        ImGui::SameLine(0.0f, 0.0f);
        draw_parent(panel, name, object);
    }
    ImGui::PopID();
}

// whether the row of an object is shown: in a search where it has the words
static bool is_found(BrumePanel &panel, BrumeObject object)
{
    if (!brume_is_searching(panel)) {
        return true;
    }
    char name[80];
    brume_object_name(panel.controls, object, name, sizeof name);
    return brume_search_matches(panel, name, "list");
}

static void draw_tree(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    int shown = 0;
    for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
        bool has_title = false;
        for (int n = 0; n < brume_object_count(&controls, (BrumeObjectKind)kind); n++) {
            const BrumeObject object = {(BrumeObjectKind)kind, n};
            if (!brume_object_exists(&controls, object) || !is_found(panel, object)) {
                continue;
            }
            if (!has_title) {
                ImGui::TextDisabled("%s", kind_titles[kind]);
                has_title = true;
            }
            draw_item(panel, object);
            shown++;
        }
    }
    if (brume_is_searching(panel)) {
        return;
    }
    if (panel.readouts->timeline.past) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::TextWrapped(
            "At an earlier frame, emitters and bodies change by their keys (I): they act when these frames "
            "are computed again (R). Enter goes on from the frame shown.");
        ImGui::PopStyleColor();
    } else if (shown == 0) {
        ImGui::TextDisabled("none; add one, or smoke with the brush");
    }
}

void brume_draw_objects(BrumePanel &panel)
{
    BrumeSelectTool &tool = panel.controls->select;
    if (tool.active && !panel.tool_was_active) {
        ImGui::SetNextItemOpen(true);
    }
    panel.tool_was_active = tool.active;
    if (!brume_begin_section(panel, "Objects", false)) {
        return;
    }
    if (!brume_is_searching(panel)) {
        draw_modes(panel);
    }
    if (!brume_is_searching(panel) || finds_edit_buttons(panel)) {
        draw_edit_buttons(panel);
    }
    draw_tree(panel);
    brume_draw_selected_object(panel);
}
