// The section of the objects: a list of emitters, bodies and lights, and the values of the selected one.
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "sim/settings/settings.h"
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
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
static const float least_size = 1e-3f; // least radius or side [m]
static const float farthest = 1e5f;    // limit of coordinates [m]

static bool is_emitted(const BrumeEmitterDef &emitter, const BrumeParameter &parameter)
{
    const char *at = reinterpret_cast<const char *>(&emitter) + brume_parameter_offset(&parameter);
    if (parameter.kind == BRUME_PARAMETER_SOURCE) {
        BrumeSource source;
        memcpy(&source, at, sizeof source);
        return source.mode != BRUME_SOURCE_NONE;
    }
    if (parameter.kind == BRUME_PARAMETER_VECTOR_SOURCE) {
        BrumeVectorSource source;
        memcpy(&source, at, sizeof source);
        return source.mode != BRUME_SOURCE_NONE;
    }
    return true;
}

static const BrumeEmitterDef *scene_emitter(const BrumePanel &panel, int n)
{
    return n < panel.scene->sim.emitter_count ? &panel.scene->sim.emitters[n] : nullptr;
}

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

static void draw_menu(BrumePanel &panel)
{
    static const char *const shapes[] = {"sphere", "box", "cylinder", "capsule", "cone", "torus"};
    static const BrumeShapeKind shape_kinds[] = {BRUME_SHAPE_SPHERE,  BRUME_SHAPE_BOX,  BRUME_SHAPE_CYLINDER,
                                                 BRUME_SHAPE_CAPSULE, BRUME_SHAPE_CONE, BRUME_SHAPE_TORUS};
    static const char *const lights[] = {"sun", "point light", "spot", "rectangle"};
    static const char *const kinds[] = {"", "emitter", "body", "light", "rake"};
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
    brume_explain(panel, kind_titles, "Adds an emitter, a body, a light or a rake of streamlines, and selects it.");
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
    static const char *const kinds[] = {"", "emitter", "body", "light", "rake"};
    char name[48];
    char label[48];
    (void)snprintf(name, sizeof name, "%s %d", kinds[object.kind], object.index + 1);
    (void)snprintf(label, sizeof label, "%d  %s", object.index + 1, brume_object_shape_name(&controls, object));
    ImGui::PushID(name);
    bool on = brume_object_is_on(&controls, object);
    ImGui::BeginDisabled(!brume_objects_can_change(&controls, object.kind));
    if (ImGui::Checkbox("##on", &on)) {
        const bool is_emitter = object.kind == BRUME_OBJECT_EMITTER;
        brume_object_switch(&controls, object, on, is_emitter ? scene_emitter(panel, object.index) : nullptr);
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

static void draw_tree(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    int shown = 0;
    for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
        bool has_title = false;
        for (int n = 0; n < brume_object_count(&controls, (BrumeObjectKind)kind); n++) {
            const BrumeObject object = {(BrumeObjectKind)kind, n};
            if (!brume_object_exists(&controls, object)) {
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

// draws three numbers, typed after a double-click; a step of a drag is a thousandth of `range`
static bool draw_numbers(BrumePanel &panel, const char *label, BrumeVec3 &value, const BrumeVec3 *scene, float range,
                         const char *doc, float least = -farthest, const char *unit = "m")
{
    const bool changed = scene && memcmp(&value, scene, sizeof value) != 0;
    float xyz[3] = {value.x + 0.0f, value.y + 0.0f, value.z + 0.0f}; // not -0
    if (!brume_begin_row(panel, label, changed, brume_vector_width(), unit)) {
        return false;
    }
    const bool edited = brume_drag_numbers(panel, xyz, 3, 0.001f * range, least, farthest, "%.4g", unit);
    if (brume_end_row(panel, label, changed, doc, "drag sideways, double-click to type")) {
        value = *scene;
        return true;
    }
    if (edited) {
        value = brume_vec3(xyz[0], xyz[1], xyz[2]);
    }
    return edited;
}

static bool draw_number(BrumePanel &panel, const char *label, float &value, const float *scene, float range,
                        const char *doc)
{
    const bool changed = scene && (value < *scene || value > *scene);
    if (!brume_begin_row(panel, label, changed, brume_slider_width(panel))) {
        return false;
    }
    const bool edited = brume_drag_numbers(panel, &value, 1, 0.001f * range, least_size, 1e4f, "%.4g m", "m");
    if (brume_end_row(panel, label, changed, doc, "drag sideways, double-click to type")) {
        value = *scene;
        return true;
    }
    return edited;
}

static bool has_length(const BrumeShape &shape)
{
    return shape.kind == BRUME_SHAPE_CYLINDER || shape.kind == BRUME_SHAPE_CAPSULE || shape.kind == BRUME_SHAPE_CONE;
}

// Returns parts of the shape of an emitter or a body as a value that can be animated: a sphere has the middle `a`;
// other shapes have two ends.
static BrumeKeyedValue shape_value(const BrumePanel &panel, BrumeObject object, size_t part, size_t other)
{
    const BrumePose pose = brume_object_pose(panel.controls, object);
    const BrumeAnimatedOwner owner = object.kind == BRUME_OBJECT_BODY ? BRUME_ANIMATED_SOLID : BRUME_ANIMATED_SHAPE;
    BrumeKeyedValue keyed = {};
    for (int n = 0; n < (other == part ? 1 : 2); n++) {
        keyed.count += brume_animated_find_in_shape(owner, object.index, &pose.shape, n == 0 ? part : other,
                                                    &keyed.members[keyed.count])
                           ? 1
                           : 0;
    }
    return keyed;
}

static void begin_shape_row(BrumePanel &panel, const BrumeKeyedValue &keyed)
{
    ImGui::BeginDisabled(!brume_can_edit_value(panel, keyed.members, keyed.count));
}

static void end_shape_row(BrumePanel &panel, const BrumeKeyedValue &keyed, const char *label)
{
    ImGui::EndDisabled();
    if (!brume_is_searching(panel) || brume_search_matches(panel, label, "")) {
        brume_key_button(panel, label, keyed);
    }
}

// draws the rotation and the scale of an emitter or a body; returns whether one has changed
static bool draw_frame(BrumePanel &panel, BrumeObject object, BrumeShape &shape, const BrumeShape *scene)
{
    const BrumeKeyedValue rotation =
        shape_value(panel, object, offsetof(BrumeShape, rotation), offsetof(BrumeShape, rotation));
    const BrumeKeyedValue scale = shape_value(panel, object, offsetof(BrumeShape, scale), offsetof(BrumeShape, scale));
    const BrumeVec3 one = brume_vec3(1.0f, 1.0f, 1.0f);
    begin_shape_row(panel, rotation);
    bool changed =
        draw_numbers(panel, "rotation", shape.rotation, scene ? &scene->rotation : nullptr, 360.0f,
                     "Angles about x, then y, then z, by which it is turned about its pivot.", -farthest, "degrees");
    end_shape_row(panel, rotation, "rotation");
    BrumeVec3 factors = brume_length(shape.scale) > 0.0f ? shape.scale : one;
    const BrumeVec3 former = scene && brume_length(scene->scale) > 0.0f ? scene->scale : one;
    begin_shape_row(panel, scale);
    if (draw_numbers(panel, "scale", factors, scene ? &former : nullptr, 5.0f, "Factors along its own axes x, y and z.",
                     least_size, "1")) {
        shape.scale = factors;
        changed = true;
    }
    end_shape_row(panel, scale, "scale");
    return changed;
}

// the longest side of a mesh in its own frame, as it is scaled [m]
static float length_of_mesh(const BrumeShape &shape)
{
    const BrumeMeshInfo &info = *brume_mesh_info(shape.mesh);
    return brume_largest(brume_mul(brume_sub(info.upper, info.lower), brume_shape_scale(&shape)));
}

// draws the length of a mesh, which scales it along all axes alike; returns whether it has changed
static bool draw_length(BrumePanel &panel, BrumeObject object, BrumeShape &shape, const BrumeShape *scene, float range)
{
    const BrumeKeyedValue scale = shape_value(panel, object, offsetof(BrumeShape, scale), offsetof(BrumeShape, scale));
    const float before = length_of_mesh(shape);
    const float former = scene ? length_of_mesh(*scene) : before;
    float length = before;
    begin_shape_row(panel, scale);
    const bool changed = draw_number(panel, "length", length, scene ? &former : nullptr, range,
                                     "Longest side of a mesh, along its own axes. It is scaled as a whole.");
    end_shape_row(panel, scale, "length");
    if (changed) {
        shape.scale = brume_scale(brume_shape_scale(&shape), length / before);
    }
    return changed;
}

// draws position, size and direction of an emitter or a body; `scene`: its shape in the scene, or nullptr
static void draw_shape(BrumePanel &panel, BrumeObject object, const BrumeShape *scene)
{
    BrumeControls &controls = *panel.controls;
    BrumePose pose = brume_object_pose(&controls, object);
    BrumeShape &shape = pose.shape;
    const BrumePose former = {BRUME_OBJECT_EMITTER, scene ? *scene : shape, BrumeLight{}};
    const bool same_kind = scene && scene->kind == shape.kind;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(&controls, &lower, &upper);
    const float range = brume_length(brume_sub(upper, lower));
    const bool is_volume = shape.kind == BRUME_SHAPE_VOLUME;
    BrumeVec3 center = brume_pose_center(&controls, &pose);
    const BrumeVec3 former_center = brume_pose_center(&controls, &former);
    const BrumeVec3 before = center;
    const BrumeKeyedValue from_value = shape_value(panel, object, offsetof(BrumeShape, a), offsetof(BrumeShape, a));
    const BrumeKeyedValue to_value = shape_value(panel, object, offsetof(BrumeShape, b), offsetof(BrumeShape, b));
    const BrumeKeyedValue place = shape_value(panel, object, offsetof(BrumeShape, a), offsetof(BrumeShape, b));
    const BrumeKeyedValue radius =
        shape_value(panel, object, offsetof(BrumeShape, radius), offsetof(BrumeShape, radius));
    bool changed = false;
    begin_shape_row(panel, place);
    if (draw_numbers(panel, "position", center, same_kind ? &former_center : nullptr, range,
                     "Its pivot in the box, also on a parent: the middle, or of a mesh the origin of its file, where "
                     "its scene has "
                     "no other pivot. The middle stays in the box.")) {
        pose = brume_pose_moved(&pose, brume_sub(center, before));
        changed = true;
    }
    end_shape_row(panel, place, "position");
    const bool can_scale = brume_pose_can(&pose, BRUME_GIZMO_SCALE);
    if (can_scale && (shape.kind == BRUME_SHAPE_BOX || is_volume)) {
        BrumeVec3 size = brume_sub(shape.b, shape.a);
        const BrumeVec3 former_size = brume_sub(former.shape.b, former.shape.a);
        begin_shape_row(panel, place);
        if (draw_numbers(panel, "size", size, same_kind ? &former_size : nullptr, range, "Sides along x, y and z.")) {
            const BrumeVec3 half =
                brume_vec3(0.5f * std::fmax(size.x, least_size), 0.5f * std::fmax(size.y, least_size),
                           0.5f * std::fmax(size.z, least_size));
            const BrumeVec3 middle = brume_scale(brume_add(shape.a, shape.b), 0.5f); // in its own frame
            shape.a = brume_sub(middle, half);
            shape.b = brume_add(middle, half);
            changed = true;
        }
        end_shape_row(panel, place, "size");
    }
    if (radius.count > 0) {
        begin_shape_row(panel, radius);
        changed = draw_number(panel, "radius", shape.radius, same_kind ? &scene->radius : nullptr, range, "Radius.") ||
                  changed;
        end_shape_row(panel, radius, "radius");
    }
    if (shape.kind == BRUME_SHAPE_CONE || shape.kind == BRUME_SHAPE_TORUS) {
        const char *label = shape.kind == BRUME_SHAPE_CONE ? "radius to" : "tube radius";
        const BrumeKeyedValue second =
            shape_value(panel, object, offsetof(BrumeShape, second_radius), offsetof(BrumeShape, second_radius));
        begin_shape_row(panel, second);
        changed = draw_number(panel, label, shape.second_radius, same_kind ? &scene->second_radius : nullptr, range,
                              "Radius of a cone at the other end, of the tube of a torus.") ||
                  changed;
        end_shape_row(panel, second, label);
    }
    if (has_length(shape)) {
        BrumeVec3 from = shape.a;
        BrumeVec3 to = shape.b;
        begin_shape_row(panel, from_value);
        bool ends = draw_numbers(panel, "from", from, same_kind ? &scene->a : nullptr, range, "One end of its axis.");
        end_shape_row(panel, from_value, "from");
        begin_shape_row(panel, to_value);
        ends = draw_numbers(panel, "to", to, same_kind ? &scene->b : nullptr, range, "The other end.") || ends;
        end_shape_row(panel, to_value, "to");
        if (ends && brume_length(brume_sub(to, from)) > least_size) {
            shape.a = from;
            shape.b = to;
            changed = true;
        }
    }
    if (shape.kind == BRUME_SHAPE_MESH && can_scale) {
        changed = draw_length(panel, object, shape, same_kind ? scene : nullptr, range) || changed;
    }
    changed = draw_frame(panel, object, shape, same_kind ? scene : nullptr) || changed;
    if (changed) {
        brume_object_set_pose(&controls, object, &pose, false);
        brume_object_set_keys(&controls, object);
    }
}

// writes what an emitter has its shape of: the body 1 + index, or 0
static void source_label(const BrumeControls &controls, int body, char label[64])
{
    (void)snprintf(label, 64, "own shape");
    if (body > 0) {
        (void)snprintf(label, 64, "%d  %s", body, brume_object_shape_name(&controls, {BRUME_OBJECT_BODY, body - 1}));
    }
}

// draws the choice of the body that an emitter has its shape of
static void draw_emitting_body(BrumePanel &panel, int n)
{
    static const char doc[] = "The body from whose surface it emits, also while this moves; or a shape of its own.";
    BrumeControls &controls = *panel.controls;
    const int present = brume_controls_sim(&controls)->emitters[n].body;
    char label[64];
    source_label(controls, present, label);
    if (!brume_begin_row(panel, "emit from", false, brume_slider_width(panel))) {
        return;
    }
    ImGui::BeginDisabled(!brume_objects_can_change(&controls, BRUME_OBJECT_EMITTER));
    if (ImGui::BeginCombo("##value", label)) {
        for (int body = 0; body <= controls.present.count; body++) {
            if (!brume_object_can_emit_from(&controls, body)) {
                continue;
            }
            char entry[32];
            source_label(controls, body, label);
            (void)snprintf(entry, sizeof entry, "emit from body %d", body);
            ImGui::PushID(body);
            if (brume_selectable_text(label, body == present)) {
                brume_object_emit_from(&controls, n, body);
                panel.commands->edited = true;
            }
            brume_note_spot(panel, entry);
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    ImGui::EndDisabled();
    (void)brume_end_row(panel, "emit from", false, doc);
}

static void draw_emitter(BrumePanel &panel, int n)
{
    draw_emitting_body(panel, n);
    BrumeEmitterDef &emitter = brume_controls_sim(panel.controls)->emitters[n];
    const BrumeEmitterDef *scene = scene_emitter(panel, n);
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_EMITTER];
    if (emitter.body == 0) {
        draw_shape(panel, {BRUME_OBJECT_EMITTER, n}, scene && scene->body == 0 ? &scene->shape : nullptr);
    }
    for (int row = 0; row < table.count; row++) {
        if (is_emitted(emitter, table.parameters[row])) {
            (void)brume_parameter_row(panel, table.parameters[row], &emitter, scene);
        }
    }
}

// draws the coefficients of a body in a stream
static void draw_flow(BrumePanel &panel)
{
    const BrumeFlowReadouts &flow = panel.readouts->flow;
    if (!flow.known || brume_is_searching(panel)) {
        return;
    }
    ImGui::Text("C_d %.3f   C_l %.3f", (double)flow.drag, (double)flow.lift);
    char doc[256];
    (void)snprintf(
        doc, sizeof doc,
        "Drag and lift of the latest frame: the force over 1/2 U^2 A. U = %.4g m/s is the speed of the inflow, "
        "or of the wind; A = %.4g m^2 is the area of the body seen along it.",
        (double)flow.speed, (double)flow.area);
    brume_explain(panel, &kind_titles[0], doc);
}

static void draw_body(BrumePanel &panel, int n)
{
    const BrumeSimDef &sim = panel.scene->sim;
    const BrumeBodyDef *scene = n < sim.body_count ? &sim.bodies[n] : nullptr;
    BrumePresentBodies &present = panel.controls->present;
    BrumeRenderSettings &look = *brume_controls_look(panel.controls);
    const int surface = panel.controls->surface_of[n];
    draw_shape(panel, {BRUME_OBJECT_BODY, n}, scene ? &scene->shape : nullptr);
    if (present.bodies[n].fixed_temperature) {
        const BrumeParameter temperature = {BRUME_PARAMETER_FLOAT, &brume_body_setting_table[BRUME_BODY_TEMPERATURE],
                                            nullptr, nullptr};
        const bool changed = brume_parameter_row(panel, temperature, &present.bodies[n], scene);
        if (changed && !panel.keys_only) { // at an earlier frame only its keys change
            present.placed |= (uint64_t)1 << n;
        }
    }
    if (surface >= 0 && surface < look.surface_count) {
        const BrumeRenderSettings &former = panel.scene->render_settings;
        const BrumeParameter albedo = {BRUME_PARAMETER_COLOR, &brume_surface_setting_table[BRUME_SURFACE_ALBEDO],
                                       nullptr, nullptr};
        (void)brume_parameter_row(panel, albedo, &look.surfaces[surface],
                                  surface < former.surface_count ? &former.surfaces[surface] : nullptr);
    }
    draw_flow(panel);
}

static void draw_rake(BrumePanel &panel, int n)
{
    const BrumeRenderSettings &before = panel.scene->render_settings;
    brume_parameter_rows(panel, BRUME_PARAMETERS_RAKE, &brume_controls_look(panel.controls)->rakes[n],
                         n < before.rake_count ? &before.rakes[n] : nullptr);
}

static void draw_selected(BrumePanel &panel)
{
    const BrumeObject selected = panel.controls->select.selected;
    if (!brume_object_exists(panel.controls, selected)) {
        return;
    }
    if (!brume_is_searching(panel)) {
        char name[48];
        brume_object_name(panel.controls, selected, name, sizeof name);
        ImGui::Separator();
        ImGui::PushFont(panel.bold);
        ImGui::TextUnformatted(name);
        ImGui::PopFont();
    }
    ImGui::PushID(8 * selected.index + (int)selected.kind);
    panel.keys_only = !brume_objects_can_change(panel.controls, selected.kind);
    if (selected.kind == BRUME_OBJECT_EMITTER) {
        draw_emitter(panel, selected.index);
    } else if (selected.kind == BRUME_OBJECT_BODY) {
        draw_body(panel, selected.index);
    } else if (selected.kind == BRUME_OBJECT_RAKE) {
        draw_rake(panel, selected.index);
    } else {
        brume_draw_light(panel, selected.index);
    }
    panel.keys_only = false;
    ImGui::PopID();
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
    if (!brume_is_searching(panel) || brume_search_matches(panel, "add duplicate delete", "")) {
        draw_edit_buttons(panel);
    }
    if (!brume_is_searching(panel) || brume_search_matches(panel, "list", "")) {
        draw_tree(panel);
    }
    draw_selected(panel);
}
