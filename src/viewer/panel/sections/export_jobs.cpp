// The list of jobs in the section of exports: the progress of each job, and buttons for it.
#include "viewer/panel/panel_internal.h"

#include <cstdio>

static const char *state_text(const BrumeJob &job)
{
    switch (job.state) {
    case BRUME_JOB_WAITS:
        return "waits";
    case BRUME_JOB_RUNS:
        return job.total > 0 ? "" : "starts";
    case BRUME_JOB_STOPS:
        return "stops";
    case BRUME_JOB_DONE:
        return "complete";
    case BRUME_JOB_STOPPED:
        return "stopped";
    default:
        return "failed";
    }
}

// draws the buttons of a job next to its name
static void draw_job_buttons(BrumePanel &panel, const BrumeJob &job, const char *name)
{
    ImGui::SameLine();
    if (ImGui::SmallButton("folder")) {
        panel.commands->exports.open_folder = job.serial;
    }
    brume_note_spot(panel, name, " folder");
    brume_explain(panel, &job.def, "Shows the folder of the files by the program of the desktop for that.",
                  job.def.output);
    if (!brume_job_can_run_again(&job)) {
        return;
    }
    ImGui::SameLine();
    if (ImGui::SmallButton(job.def.again == BRUME_JOB_STARTS_AGAIN ? "start again" : "resume")) {
        panel.commands->exports.resume_job = job.serial;
    }
    brume_note_spot(panel, name, " resume");
    brume_explain(panel, &job.def.again,
                  job.def.again == BRUME_JOB_STARTS_AGAIN
                      ? "Draws the video again from its first frame and replaces the file."
                      : "Goes on with the frames that are missing, from the latest checkpoint on.");
}

static void draw_job(BrumePanel &panel, const BrumeJob &job)
{
    char bar[96];
    char name[64];
    const bool ended = job.state >= BRUME_JOB_DONE;
    const bool runs = job.state == BRUME_JOB_RUNS;
    if (job.total > 0 && job.state != BRUME_JOB_DONE) {
        (void)snprintf(bar, sizeof bar, "%s%s%d / %d%s%s%s", state_text(job), runs ? "" : ", ", job.done, job.total,
                       job.left[0] ? ", " : "", job.left, job.left[0] ? " left" : "");
    } else {
        (void)snprintf(bar, sizeof bar, "%s", state_text(job));
    }
    (void)snprintf(name, sizeof name, "job %d", job.serial);
    ImGui::PushID(job.serial);
    ImGui::TextUnformatted(job.def.name);
    draw_job_buttons(panel, job, name);
    const float width = ImGui::CalcTextSize("remove").x + 2.0f * ImGui::GetStyle().FramePadding.x;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float fraction = job.total > 0 ? (float)job.done / (float)job.total : 0.0f;
    ImGui::ProgressBar(fraction, ImVec2(ImGui::GetContentRegionAvail().x - width - gap, 0.0f), bar);
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
                        "resume goes on with it.");
    if (job.state == BRUME_JOB_FAILED) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_alarm);
        ImGui::TextWrapped("%s", job.text);
        ImGui::PopStyleColor();
    }
    ImGui::PopID();
}

void brume_draw_jobs(BrumePanel &panel)
{
    const BrumeJobList *jobs = panel.readouts->exports.jobs;
    for (int n = 0; jobs && n < jobs->count; n++) {
        draw_job(panel, jobs->jobs[n]);
    }
}

const BrumeJob *brume_running_job(const BrumeJobList *jobs)
{
    for (int n = 0; jobs && n < jobs->count; n++) {
        if (jobs->jobs[n].state == BRUME_JOB_RUNS || jobs->jobs[n].state == BRUME_JOB_STOPS) {
            return &jobs->jobs[n];
        }
    }
    return nullptr;
}

void brume_describe_job(const BrumeJob &job, char *text, size_t size)
{
    if (job.state == BRUME_JOB_RUNS && job.total > 0) {
        (void)snprintf(text, size, "%s: %d of %d%s%s%s", job.def.name, job.done, job.total, job.left[0] ? ", " : "",
                       job.left, job.left[0] ? " left" : "");
    } else {
        (void)snprintf(text, size, "%s: %s", job.def.name, state_text(job));
    }
}

// draws the running job, or the latest one, below the buttons that start jobs; without a job the bar is empty
void brume_draw_present_job(BrumePanel &panel)
{
    const BrumeJobList *jobs = panel.readouts->exports.jobs;
    const BrumeJob *running = brume_running_job(jobs);
    const BrumeJob *job = running ? running : jobs && jobs->count > 0 ? &jobs->jobs[jobs->count - 1] : nullptr;
    char text[160] = "no job";
    if (job) {
        brume_describe_job(*job, text, sizeof text);
    }
    const float fraction = job && job->total > 0 ? (float)job->done / (float)job->total : 0.0f;
    ImGui::ProgressBar(fraction, ImVec2(-1.0f, 0.0f), text);
    panel.focus.next_kind = BrumeControlKind::None;
    brume_note_spot(panel, "job");
    brume_explain(panel, &panel.readouts->exports, "The job that runs, or the latest one; all jobs are below.");
}
