// The section of the emitters.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float never_starts = 1e6f; // start of an emitter that is switched off: the latest that a scene allows [s]

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
    return emitter.noise > 0.0f || parameter.setting->offset == offsetof(BrumeEmitterDef, noise);
}

static void switch_emitter(BrumeEmitterDef &emitter, const BrumeEmitterDef *scene, bool on)
{
    emitter.start = !on ? never_starts : scene && scene->start < never_starts ? scene->start : 0.0f;
    emitter.end = on && scene ? scene->end : INFINITY;
}

static void draw_emitter(BrumePanel &panel, BrumeEmitterDef &emitter, const BrumeEmitterDef *scene, int number)
{
    static const char *const shapes[] = {"sphere", "box", "cylinder", "capsule"};
    char title[48];
    (void)snprintf(title, sizeof title, "%d, a %s###%d", number + 1, shapes[emitter.shape.kind], number);
    bool on = emitter.start < never_starts;
    ImGui::PushID(number);
    char label[32];
    (void)snprintf(label, sizeof label, "%d on", number + 1);
    if (ImGui::Checkbox("##on", &on)) {
        switch_emitter(emitter, scene, on);
        panel.commands->edited = true;
    }
    brume_note_spot(panel, label);
    brume_explain(panel, &emitter, "Whether the emitter is active.");
    ImGui::SameLine();
    const bool open = ImGui::TreeNodeEx(title, ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_FramePadding |
                                                   (number == 0 ? ImGuiTreeNodeFlags_DefaultOpen : 0));
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_EMITTER];
    for (int n = 0; open && n < table.count; n++) {
        if (is_emitted(emitter, table.parameters[n])) {
            (void)brume_parameter_row(panel, table.parameters[n], &emitter, scene);
        }
    }
    ImGui::PopID();
}

void brume_draw_emitters(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Emitters", false)) {
        return;
    }
    BrumeSimDef &sim = *brume_controls_sim(panel.controls);
    for (int n = 0; n < sim.emitter_count; n++) {
        const bool known = n < panel.scene->sim.emitter_count;
        draw_emitter(panel, sim.emitters[n], known ? &panel.scene->sim.emitters[n] : nullptr, n);
    }
    if (sim.emitter_count == 0) {
        ImGui::TextDisabled("none; add smoke with a left drag");
    }
}
