// The section of what leaves the viewer as files: the present frame, recordings, and jobs.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

enum { MAX_THREADS = 256 };

// a list of the kinds of files, of which those that this program does not write are dimmed
static void draw_kinds(BrumePanel &panel, const char *label, const BrumeFileKind *kinds, int count,
                       BrumeFileKind &chosen, const char *doc)
{
    const BrumeExportReadouts &readouts = panel.readouts->exports;
    brume_begin_row(panel, label, false, brume_combo_width(ImGui::CalcTextSize("cache (HDF5)").x));
    ImGui::SetNextItemWidth(-1.0f); // without a reset button
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
    (void)brume_end_row(panel, label, false, doc);
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
    brume_begin_row(panel, label, false, brume_slider_width(panel));
    ImGui::SetNextItemWidth(-brume_browse_width());
    (void)ImGui::InputTextWithHint("##value", hint, text, size);
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
    draw_kinds(
        panel, "frame as", frames, 5, exports.frame,
        "Of the present frame: PNG for display, EXR with linear values, or the smoke, temperature and velocity as "
        "a volume. F12 writes a picture of this kind, too.");
    draw_kinds(panel, "record as", recordings, 4, exports.recording,
               "Of recordings (F11): an image of each frame, or one video.");
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

static void draw_frames(BrumePanel &panel)
{
    BrumeExportControls &exports = panel.controls->exports;
    brume_begin_row(panel, "first frame", false, brume_slider_width(panel));
    (void)brume_slider(panel, &exports.first, 1, BRUME_MOST_EXPORTED_FRAMES, "%d", true);
    (void)brume_end_row(panel, "first frame", false,
                        "The first frame that a job writes; those before are simulated only.", "Ctrl + click to type");
    brume_begin_row(panel, "last frame", false, brume_slider_width(panel));
    (void)brume_slider(panel, &exports.last, 0, BRUME_MOST_EXPORTED_FRAMES,
                       exports.last > 0 ? "%d" : "end of the scene", true);
    (void)brume_end_row(panel, "last frame", false,
                        "The last frame that a job writes, also beyond the end of the scene.",
                        "Ctrl + click to type; 0: the end of the scene");
    brume_begin_row(panel, "job threads", false, brume_slider_width(panel));
    (void)brume_slider(panel, &exports.threads, 0, SDL_GetCPUCount(), exports.threads > 0 ? "%d" : "all", false);
    (void)brume_end_row(panel, "job threads", false,
                        "Threads of a job. It has a lower priority than the window; fewer leave it more room.");
}

static void draw_integrator(BrumePanel &panel)
{
    static const char *const names[] = {"as in the scene", "ray marching", "path tracing"};
    BrumeExportControls &exports = panel.controls->exports;
    brume_begin_row(panel, "integrator", false, brume_combo_width(ImGui::CalcTextSize(names[0]).x));
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::BeginCombo("##value", names[exports.integrator])) {
        for (int n = 0; n < 3; n++) {
            if (ImGui::Selectable(names[n], (int)exports.integrator == n)) {
                exports.integrator = (BrumeJobIntegrator)n;
            }
            brume_note_spot(panel, names[n]);
        }
        ImGui::EndCombo();
    }
    (void)brume_end_row(panel, "integrator", false,
                        "How a job draws. Size and samples are those of the section Pictures.");
}

static void draw_new_job(BrumePanel &panel)
{
    static const BrumeFileKind pictures[] = {BRUME_FILE_PNG, BRUME_FILE_EXR, BRUME_FILE_MP4, BRUME_FILE_WEBM};
    static const BrumeFileKind volumes[] = {BRUME_FILE_HDF, BRUME_FILE_VDB, BRUME_FILE_VTI};
    BrumeExportControls &exports = panel.controls->exports;
    BrumeExportCommands &commands = panel.commands->exports;
    const bool plays = panel.readouts->timeline.shown;
    draw_frames(panel);
    draw_kinds(panel, "render as", pictures, 4, exports.render,
               "Of what a job draws: an image of each frame, or a video.");
    draw_integrator(panel);
    if (!plays) {
        draw_kinds(panel, "cache as", volumes, 3, exports.cache, "Of what a job simulates: a volume of each frame.");
    }
    const float width = brume_column_width(plays ? 1 : 2);
    if (draw_button(panel, "render", width,
                    plays ? "Draws the frames of the sequence with this look, in a process of its own."
                          : "Saves the scene with all strokes and draws it from its start, in a process of its own.")) {
        commands.render = true;
    }
    if (!plays) {
        ImGui::SameLine();
        if (draw_button(
                panel, "simulate and cache", width,
                "Saves the scene with all strokes and writes a volume of each frame, in a process of its own.")) {
            commands.simulate = true;
        }
    }
}

static const char *state_text(const BrumeJob &job)
{
    switch (job.state) {
    case BRUME_JOB_WAITS:
        return "waits";
    case BRUME_JOB_RUNS:
        return job.total > 0 ? "" : "starts";
    case BRUME_JOB_STOPS:
        return "stops after its frame";
    case BRUME_JOB_DONE:
        return "complete";
    case BRUME_JOB_STOPPED:
        return "stopped";
    default:
        return "failed";
    }
}

static void draw_job(BrumePanel &panel, const BrumeJob &job)
{
    char bar[96];
    char name[64];
    const bool ended = job.state >= BRUME_JOB_DONE;
    const bool runs = job.state == BRUME_JOB_RUNS && job.total > 0;
    (void)snprintf(bar, sizeof bar, "%d / %d%s%s", job.done, job.total, job.left[0] ? ", left " : "", job.left);
    (void)snprintf(name, sizeof name, "job %d", job.serial);
    ImGui::PushID(job.serial);
    ImGui::TextUnformatted(job.def.name);
    const float width = ImGui::CalcTextSize("remove").x + 2.0f * ImGui::GetStyle().FramePadding.x;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float fraction = job.total > 0 ? (float)job.done / (float)job.total : 0.0f;
    ImGui::ProgressBar(fraction, ImVec2(ImGui::GetContentRegionAvail().x - width - gap, 0.0f),
                       runs ? bar : state_text(job));
    brume_note_spot(panel, name);
    char more[BRUME_JOB_PATH + 640];
    (void)snprintf(more, sizeof more, "%s%s%s", job.def.output, job.text[0] ? "\n" : "", job.text);
    brume_explain(panel, &job, job.def.name, more);
    ImGui::SameLine();
    if (ImGui::Button(ended ? "remove" : job.state == BRUME_JOB_STOPS ? "now" : "cancel", ImVec2(width, 0.0f))) {
        panel.commands->exports.cancel_job = job.serial;
    }
    brume_note_spot(panel, name, " cancel");
    brume_explain(panel, &job.state,
                  ended
                      ? "Removes the line; files stay."
                      : "Stops the job after its present frame; once more stops it at once. What is written stays, and "
                        "--resume goes on with it.");
    if (job.state == BRUME_JOB_FAILED) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_alarm);
        ImGui::TextWrapped("%s", job.text);
        ImGui::PopStyleColor();
    }
    ImGui::PopID();
}

void brume_draw_export(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Export", false)) {
        return;
    }
    draw_text(panel, "folder", "working folder", panel.controls->exports.folder, sizeof panel.controls->exports.folder,
              "Where pictures, recordings, volumes, jobs and saved scenes are written that have no name of their own.");
    draw_present(panel);
    ImGui::Separator();
    draw_new_job(panel);
    const BrumeJobList *jobs = panel.readouts->exports.jobs;
    for (int n = 0; jobs && n < jobs->count; n++) {
        draw_job(panel, jobs->jobs[n]);
    }
}
