// The section of exported files: the present frame, recordings, and jobs.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

enum { LEAST_SIDE = 16, MOST_SIDE = 8192, MOST_SAMPLES = 4096, NOISY_LAYER = 7 };

// draws a list of the kinds of files; kinds that this program does not write are dimmed
static void draw_kinds(BrumePanel &panel, const char *label, const BrumeFileKind *kinds, int count,
                       BrumeFileKind &chosen, BrumeFileKind reset, const char *doc)
{
    const BrumeExportReadouts &readouts = panel.readouts->exports;
    if (!brume_begin_row(panel, label, chosen != reset, brume_combo_width(ImGui::CalcTextSize("cache (HDF5)").x))) {
        return;
    }
    if (ImGui::BeginCombo("##value", brume_file_kind_name(chosen))) {
        for (int n = 0; n < count; n++) {
            const ImGuiSelectableFlags flags = readouts.available[kinds[n]] ? 0 : ImGuiSelectableFlags_Disabled;
            if (ImGui::Selectable(brume_file_kind_name(kinds[n]), chosen == kinds[n], flags)) {
                chosen = kinds[n];
            }
            brume_note_spot(panel, label, brume_file_extension(kinds[n]));
        }
        ImGui::EndCombo();
    }
    if (brume_end_row(panel, label, chosen != reset, doc)) {
        chosen = reset;
    }
}

static bool draw_button(BrumePanel &panel, const char *label, float width, const char *doc, bool enabled = true)
{
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    brume_note_spot(panel, label);
    ImGui::EndDisabled();
    brume_explain(panel, label, doc);
    return pressed && enabled;
}

static void draw_text(BrumePanel &panel, const char *label, const char *hint, char *text, size_t size, const char *doc)
{
    if (!brume_begin_row(panel, label, false, brume_slider_width(panel))) {
        return;
    }
    ImGui::SetNextItemWidth(-brume_browse_width());
    (void)brume_text_field(panel, hint, text, size, false);
    (void)brume_end_row(panel, label, false, doc);
    brume_browse_button(panel, label, BRUME_CHOOSE_FOLDER);
}

static void draw_present(BrumePanel &panel)
{
    static const BrumeFileKind frames[] = {BRUME_FILE_PNG, BRUME_FILE_EXR, BRUME_FILE_VDB, BRUME_FILE_HDF,
                                           BRUME_FILE_VTI};
    static const BrumeFileKind recordings[] = {BRUME_FILE_PNG, BRUME_FILE_EXR, BRUME_FILE_MP4, BRUME_FILE_WEBM};
    BrumeExportControls &exports = panel.controls->exports;
    BrumeExportCommands &commands = panel.commands->exports;
    const BrumeExportControls reset = brume_default_exports();
    draw_kinds(panel, "frame as", frames, 5, exports.frame, reset.frame,
               "The present frame: PNG for display, EXR with linear values, or the smoke, temperature and velocity as "
               "a volume. F12 writes a picture of this kind, too.");
    draw_kinds(panel, "record as", recordings, 4, exports.recording, reset.recording,
               "A recording (F11): an image of each frame, or one video.");
    if (brume_is_searching(panel)) {
        return;
    }
    const float width = brume_column_width(3);
    if (draw_button(panel, "write frame", width, "Writes the present frame to the next free number (Ctrl + E).")) {
        commands.frame = true;
    }
    ImGui::SameLine();
    if (draw_button(panel, "write as ...", width,
                    "Writes the present frame to a file of this name; its extension chooses the format.")) {
        panel.commands->choose = BRUME_CHOOSE_FRAME;
    }
    ImGui::SameLine();
    const bool records = panel.readouts->recording;
    if (ImGui::Button(records ? "stop###record" : "record###record", ImVec2(width, 0.0f))) {
        panel.commands->record = true;
    }
    brume_note_spot(panel, "record");
    brume_explain(panel, &commands.frame, "Starts or stops a recording of every frame (F11).");
}

// draws a row for a number of a job; `word` is the longest text in place of a number
static void draw_number(BrumePanel &panel, const char *label, int &value, int reset, int least, int most,
                        const char *format, bool logarithmic, const char *doc, const char *more, const char *word = "")
{
    const float width = ImGui::CalcTextSize(word).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    if (!brume_begin_row(panel, label, value != reset, std::fmax(width, brume_slider_width(panel)))) {
        return;
    }
    (void)brume_slider(panel, &value, least, most, format, logarithmic);
    if (brume_end_row(panel, label, value != reset, doc, more)) {
        value = reset;
    }
}

static void draw_frames(BrumePanel &panel, const BrumeExportControls &reset)
{
    BrumeExportControls &exports = panel.controls->exports;
    draw_number(panel, "first frame", exports.first, reset.first, 1, BRUME_MOST_EXPORTED_FRAMES, "%d", true,
                "The first frame that a job writes; those before are simulated only.", "double-click to type");
    const int present = panel.readouts->frame;
    char end[48] = "end of the scene";
    if (!panel.readouts->timeline.shown && present > panel.scene->frames) {
        (void)snprintf(end, sizeof end, "present frame (%d)", present);
    }
    draw_number(panel, "last frame", exports.last, reset.last, 0, BRUME_MOST_EXPORTED_FRAMES,
                exports.last > 0 ? "%d" : end, true,
                "The last frame that a job writes, also beyond the end of the scene.",
                "double-click to type; 0: the end of the scene, or the present frame where that is later",
                "present frame (9999)");
    draw_number(panel, "frame step", exports.stride, reset.stride, 1, BRUME_MAX_JOB_STRIDE,
                exports.stride > 1 ? "every %d frames" : "every frame", true,
                "A job writes the first frame and then every frame at this distance; those between are simulated only.",
                "double-click to type", "every 9999 frames");
    draw_number(panel, "job threads", exports.threads, reset.threads, 0, SDL_GetCPUCount(),
                exports.threads > 0 ? "%d" : "all", false,
                "Threads of a job. It has a lower priority than the window; fewer leave it more room.",
                "0: as many as brume render takes by itself");
}

static void draw_integrator(BrumePanel &panel, BrumeJobIntegrator reset)
{
    static const char *const names[] = {"as in the scene", "ray marching", "path tracing"};
    BrumeExportControls &exports = panel.controls->exports;
    if (!brume_begin_row(panel, "integrator", exports.integrator != reset,
                         brume_combo_width(ImGui::CalcTextSize(names[0]).x))) {
        return;
    }
    if (ImGui::BeginCombo("##value", names[exports.integrator])) {
        for (int n = 0; n < 3; n++) {
            if (ImGui::Selectable(names[n], (int)exports.integrator == n)) {
                exports.integrator = (BrumeJobIntegrator)n;
            }
            brume_note_spot(panel, names[n]);
        }
        ImGui::EndCombo();
    }
    if (brume_end_row(panel, "integrator", exports.integrator != reset, "How a job draws.")) {
        exports.integrator = reset;
    }
}

static void draw_kind_of_size(BrumePanel &panel, const BrumeExportControls &reset)
{
    BrumeExportControls &exports = panel.controls->exports;
    if (!brume_begin_row(panel, "job size", exports.size != reset.size,
                         brume_combo_width(ImGui::CalcTextSize("as pictures").x))) {
        return;
    }
    if (ImGui::BeginCombo("##value", brume_job_size_name(exports.size))) {
        for (int n = 0; n < BRUME_JOB_SIZES; n++) {
            BrumeExportControls of = reset;
            of.size = (BrumeJobSize)n;
            char name[64];
            int width = 0;
            int height = 0;
            if (brume_job_size(&of, &width, &height) && of.size != BRUME_JOB_SIZE_OWN) {
                (void)snprintf(name, sizeof name, "%s, %d x %d", brume_job_size_name(of.size), width, height);
            } else {
                (void)snprintf(name, sizeof name, "%s", brume_job_size_name(of.size));
            }
            if (ImGui::Selectable(name, exports.size == of.size)) {
                exports.size = of.size;
            }
            brume_note_spot(panel, "job size ", brume_job_size_name(of.size));
        }
        ImGui::EndCombo();
    }
    if (brume_end_row(panel, "job size", exports.size != reset.size,
                      "Size of the pictures of a job [pixels]: that of the section Pictures, or its own.",
                      "The field of view is that of the height; a wider picture shows more at its sides.")) {
        exports.size = reset.size;
    }
}

static void draw_size(BrumePanel &panel, const BrumeExportControls &reset)
{
    BrumeExportControls &exports = panel.controls->exports;
    draw_kind_of_size(panel, reset);
    if (exports.size == BRUME_JOB_SIZE_OWN) {
        draw_number(panel, "job width", exports.width, reset.width, LEAST_SIDE, MOST_SIDE, "%d pixels", true,
                    "Width of the pictures of a job; of a video an even number.", "double-click to type");
        draw_number(panel, "job height", exports.height, reset.height, LEAST_SIDE, MOST_SIDE, "%d pixels", true,
                    "Height of the pictures of a job; of a video an even number.", "double-click to type");
    }
    draw_number(panel, "job samples", exports.samples, reset.samples, 0, MOST_SAMPLES,
                exports.samples > 0 ? "%d" : "as pictures", true,
                "Rays per pixel of the pictures of a job, or light paths of path tracing.",
                "double-click to type; 0: those of the section Pictures");
}

// returns the reason why the scene has no such layer; nullptr where it has
static const char *missing_layer(const BrumePanel &panel, int n)
{
    return n == NOISY_LAYER && !panel.scene->denoise ? "The picture before its noise is removed: the scene does not "
                                                       "ask for that (image.denoise)."
                                                     : nullptr;
}

static void draw_layers(BrumePanel &panel, unsigned reset)
{
    unsigned &layers = panel.controls->exports.layers;
    char chosen[128];
    brume_job_layers(layers, chosen, sizeof chosen);
    if (!brume_begin_row(panel, "layers", layers != reset, brume_combo_width(ImGui::CalcTextSize("transmittance").x))) {
        return;
    }
    if (ImGui::BeginCombo("##value", layers == 0 ? "none" : chosen)) {
        for (int n = 0; n < BRUME_JOB_LAYERS; n++) {
            const char *missing = missing_layer(panel, n);
            const bool on = (layers >> n & 1U) != 0;
            const bool disabled = (missing && !on) || (n > 0 && (layers & 1U) != 0);
            const ImGuiSelectableFlags flags = ImGuiSelectableFlags_DontClosePopups;
            if (ImGui::Selectable(n == 0 ? "all that the scene has" : brume_job_layer_name(n), on,
                                  flags | (disabled ? ImGuiSelectableFlags_Disabled : 0))) {
                layers ^= 1U << n;
            }
            brume_note_spot(panel, "layer ", brume_job_layer_name(n));
            if (missing) {
                brume_explain(panel, missing, missing);
            }
        }
        ImGui::EndCombo();
    }
    if (brume_end_row(
            panel, "layers", layers != reset,
            "Layers of the EXR images beside the picture, for compositing: depth, light of each kind, motion.",
            "Several can be chosen.")) {
        layers = reset;
    }
}

static void draw_new_job(BrumePanel &panel)
{
    static const BrumeFileKind pictures[] = {BRUME_FILE_PNG, BRUME_FILE_EXR, BRUME_FILE_MP4, BRUME_FILE_WEBM};
    static const BrumeFileKind volumes[] = {BRUME_FILE_HDF, BRUME_FILE_VDB, BRUME_FILE_VTI};
    BrumeExportControls &exports = panel.controls->exports;
    BrumeExportCommands &commands = panel.commands->exports;
    const bool plays = panel.readouts->timeline.shown;
    const BrumeExportControls reset = brume_default_exports();
    draw_frames(panel, reset);
    draw_kinds(panel, "render as", pictures, 4, exports.render, reset.render,
               "What a job draws: an image of each frame, or a video.");
    draw_integrator(panel, reset.integrator);
    draw_size(panel, reset);
    if (exports.render == BRUME_FILE_EXR) {
        draw_layers(panel, reset.layers);
    }
    if (!plays) {
        draw_kinds(panel, "cache as", volumes, 3, exports.cache, reset.cache,
                   "What a job simulates: a volume of each frame.");
    }
    if (brume_is_searching(panel)) {
        return;
    }
    brume_draw_present_job(panel);
    static const char *const labels[] = {"simulate and cache", "render"};
    const int columns = plays ? 1 : brume_fitting_columns(labels, 2, 2);
    const float width = brume_column_width(columns);
    if (draw_button(panel, "render", width,
                    plays ? "Draws the frames of the sequence with this look, in a process of its own."
                          : "Saves the scene with all strokes and draws it from its start, in a process of its own.")) {
        commands.render = true;
    }
    if (!plays) {
        if (columns == 2) {
            ImGui::SameLine();
        }
        if (draw_button(
                panel, "simulate and cache", width,
                "Saves the scene with all strokes and writes a volume of each frame, in a process of its own.")) {
            commands.simulate = true;
        }
    }
}

void brume_draw_export(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Export", false)) {
        return;
    }
    panel.reset_doc = "Back to the default.";
    draw_text(panel, "folder", "working folder", panel.controls->exports.folder, sizeof panel.controls->exports.folder,
              "Where pictures, recordings, volumes, jobs and saved scenes are written that have no name of their own.");
    draw_present(panel);
    if (!brume_is_searching(panel)) {
        ImGui::Separator();
    }
    draw_new_job(panel);
    panel.reset_doc = nullptr;
    if (!brume_is_searching(panel)) {
        brume_draw_jobs(panel);
    }
}
