// The values of the selected object, for the section of the objects.
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
    return brume_parameter_is_used(&parameter, &emitter);
}

const BrumeEmitterDef *brume_scene_emitter(const BrumePanel &panel, int n)
{
    return n < panel.scene->sim.emitter_count ? &panel.scene->sim.emitters[n] : nullptr;
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
    const BrumeEmitterDef *scene = brume_scene_emitter(panel, n);
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
    static const char what[] = "coefficients";
    char doc[256];
    (void)snprintf(
        doc, sizeof doc,
        "Drag and lift of the latest frame: the force over 1/2 U^2 A. U = %.4g m/s is the speed of the inflow, "
        "or of the wind; A = %.4g m^2 is the area of the body seen along it.",
        (double)flow.speed, (double)flow.area);
    brume_explain(panel, what, doc);
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

void brume_draw_selected_object(BrumePanel &panel)
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
