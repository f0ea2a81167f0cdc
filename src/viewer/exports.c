#include "viewer/exports.h"

#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/program_path.h"
#include "core/text.h"
#include "io/file.h"
#include "scene/format/derived.h"
#include "viewer/capture.h"
#include "viewer/scene_saver.h"
#include "viewer/viewer_state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void brume_viewer_start_exports(BrumeViewer *viewer)
{
    BrumeExportReadouts *readouts = &viewer->readouts.exports;
    readouts->jobs = &viewer->exports.jobs;
    for (int kind = 0; kind < BRUME_FILE_KINDS; kind++) {
        const char *extension = brume_file_extension((BrumeFileKind)kind);
        readouts->available[kind] = brume_file_is_image((BrumeFileKind)kind) ||
                                    (viewer->def.writers && viewer->def.writers->can_write(extension));
    }
#ifndef BRUME_HAS_OPENEXR
    readouts->available[BRUME_FILE_EXR] = false;
#endif
}

/*
 * The present frame.
 */

static void write_frame(BrumeViewer *viewer, const char *path)
{
    BrumeFileKind kind = viewer->controls.exports.frame;
    if (path[0] && (!brume_file_kind_of(path, &kind) || brume_file_is_video(kind))) {
        brume_viewer_show_message(viewer, true, "%s: a frame is written as .png, .exr, .vdb, .hdf or .vti", path);
        return;
    }
    if (!viewer->readouts.exports.available[kind]) {
        brume_viewer_show_message(viewer, true, "this program was built without %s", brume_file_kind_name(kind));
        return;
    }
    if (path[0] && access(path, F_OK) == 0) {
        brume_viewer_show_message(viewer, true, "%s exists (give another name)", path);
        return;
    }
    brume_viewer_write_frame(viewer, kind, path);
}

/*
 * Jobs.
 */

// adds this program, which has all commands, and one of them
static void add_program(BrumeJobDef *def, const char *command)
{
    char program[PATH_MAX];
    brume_program_path(program);
    brume_job_add_argument(def, "%s", program);
    brume_job_add_argument(def, "%s", command);
}

// Finds the first and the last frame of a job, and the step, a multiple of the distance of frames in a sequence. By
// default the last frame of a simulation is the scene's last frame, or the present one if it is later.
static BrumeStatus find_range(const BrumeViewer *viewer, int range[3], BrumeError *error)
{
    const BrumeExportControls *exports = &viewer->controls.exports;
    const int frames = viewer->scene->frames;
    const int present = viewer->snapshot.frame;
    const int most = viewer->def.sequence ? viewer->timeline.last : present > frames ? present : frames;
    const int distance = viewer->def.sequence && viewer->timeline.stride > 1 ? viewer->timeline.stride : 1;
    range[0] = exports->first > 1 ? exports->first : viewer->def.sequence ? viewer->timeline.first : 1;
    range[1] = exports->last > 0 ? exports->last : most;
    range[2] = distance * (exports->stride > 1 ? exports->stride : 1);
    return range[1] < range[0]
               ? brume_fail(error, BRUME_BAD_INPUT, "the first frame of the job, %d, is after its last one, %d",
                            range[0], range[1])
               : BRUME_OK;
}

static void add_picture_arguments(const BrumeViewer *viewer, BrumeJobDef *def)
{
    const BrumeExportControls *exports = &viewer->controls.exports;
    const bool traces = exports->integrator == BRUME_JOB_INTEGRATOR_PATH;
    const BrumeImageIntegrator integrator = traces ? BRUME_INTEGRATOR_PATH : BRUME_INTEGRATOR_MARCH;
    if (exports->integrator != BRUME_JOB_INTEGRATOR_OF_SCENE) {
        brume_job_add_argument(def, "--integrator");
        brume_job_add_argument(def, "%s", traces ? "path" : "march");
    }
    if (exports->integrator != BRUME_JOB_INTEGRATOR_OF_SCENE && integrator != viewer->scene->integrator &&
        viewer->controls.picture.samples == 0 && exports->samples == 0) { // the scene's is for the other integrator
        brume_job_add_argument(def, "--samples");
        brume_job_add_argument(def, "%d", brume_default_samples(integrator));
    }
    if (exports->samples > 0) {
        brume_job_add_argument(def, "--samples");
        brume_job_add_argument(def, "%d", exports->samples);
    }
    int width;
    int height;
    const bool has_size = brume_job_size(exports, &width, &height);
    const bool video = brume_file_is_video(exports->render); // a video has even sides and no alpha
    if (!has_size) {
        brume_viewer_picture_size(viewer, &width, &height);
    }
    if (has_size || video) {
        brume_job_add_argument(def, "--size");
        brume_job_add_argument(def, "%dx%d", video ? width & ~1 : width, video ? height & ~1 : height);
    }
    if (video) {
        brume_job_add_argument(def, "--bits");
        brume_job_add_argument(def, "8");
    }
    if (exports->render == BRUME_FILE_EXR && exports->layers != 0) {
        char layers[128];
        brume_job_layers(exports->layers, layers, sizeof layers);
        brume_job_add_argument(def, "--layers");
        brume_job_add_argument(def, "%s", layers);
    }
}

// composes the job: its scene is `stem.yaml`, its output the folder or the video with this stem
static void compose_job(const BrumeViewer *viewer, bool draws, const char *stem, const int range[3], BrumeJobDef *def)
{
    const BrumeExportControls *exports = &viewer->controls.exports;
    const BrumeFileKind kind = draws ? exports->render : exports->cache;
    // a video cannot be continued
    *def = (BrumeJobDef){.again = brume_file_is_video(kind) ? BRUME_JOB_STARTS_AGAIN : BRUME_JOB_RESUMES};
    char every[32] = "";
    if (range[2] > 1) {
        (void)snprintf(every, sizeof every, " by %d", range[2]);
    }
    (void)snprintf(def->name, sizeof def->name, "%s %d to %d%s", draws ? "render" : "simulate", range[0], range[1],
                   every);
    (void)snprintf(def->output, sizeof def->output, "%s%s%s", stem, brume_file_is_video(kind) ? "" : "/frame.####",
                   brume_file_extension(kind));
    add_program(def, draws ? "render" : "sim");
    if (viewer->def.sequence) {
        brume_job_add_argument(def, "%s", viewer->def.sequence->name);
        brume_job_add_argument(def, "--look");
    }
    (void)snprintf(def->scene, sizeof def->scene, "%s.yaml", stem);
    brume_job_add_argument(def, "%s", def->scene);
    brume_job_add_argument(def, "--output");
    brume_job_add_argument(def, "%s", def->output);
    brume_job_add_argument(def, "--frames");
    // numbers of files; those of the window count from 1
    const int offset = viewer->def.sequence ? 0 : viewer->scene->first_frame - 1;
    brume_job_add_argument(def, "%d:%d:%d", range[0] + offset, range[1] + offset, range[2]);
    if (exports->threads > 0) {
        brume_job_add_argument(def, "--threads");
        brume_job_add_argument(def, "%d", exports->threads);
    }
    if (draws) {
        add_picture_arguments(viewer, def);
    }
}

// finds the folder of the files of incomplete jobs, and the absolute path of the scene or sequence
static bool find_records(const BrumeViewer *viewer, char folder[BRUME_JOB_PATH], char opened[BRUME_RECENT_PATH])
{
    return brume_window_state_folder(viewer->window_state_path, "jobs", folder, BRUME_JOB_PATH) &&
           brume_absolute_path(viewer->readouts.scene_path, opened);
}

// adds the job whose scene has been saved to the list
static void start_saved_job(BrumeViewer *viewer)
{
    BrumeError error;
    int serial;
    char folder[BRUME_JOB_PATH];
    char opened[BRUME_RECENT_PATH];
    if (brume_job_list_add(&viewer->exports.jobs, &viewer->exports.saved_job, &serial, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    } else {
        brume_viewer_show_message(viewer, false, "%s %s", viewer->exports.saved_job_text,
                                  brume_job_list_left(&viewer->exports.jobs) > 1 ? "queued" : "started");
        if (find_records(viewer, folder, opened)) {
            // a failure is ignored: the job is only not offered again
            (void)brume_job_list_keep(&viewer->exports.jobs, serial, folder, opened, &error);
        }
    }
}

// saves the scene of a job, which is added to the list afterwards
static void request_job(BrumeViewer *viewer, bool draws)
{
    BrumeError error;
    int range[3];
    if (viewer->def.sequence && !draws) {
        brume_viewer_show_message(
            viewer, false, "simulating needs a scene, but these frames were computed before (render draws them)");
        return;
    }
    if (find_range(viewer, range, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    char name[80];
    char scene[BRUME_VIEWER_PATH];
    char stem[BRUME_VIEWER_PATH];
    (void)snprintf(name, sizeof name, "%s-%s", viewer->opened.file_stem, draws ? "render" : "cache");
    (void)brume_viewer_numbered_path(viewer, name, ".yaml", 0, scene);
    (void)snprintf(stem, sizeof stem, "%.*s", (int)(strlen(scene) - strlen(".yaml")), scene);
    if (brume_file_make_folder(scene, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    compose_job(viewer, draws, stem, range, &viewer->exports.saved_job);
    (void)snprintf(viewer->exports.saved_job_text, sizeof viewer->exports.saved_job_text, "%s of frames %d to %d",
                   draws ? "render" : "simulation", range[0], range[1]);
    brume_viewer_save_job_scene(viewer, scene, range[1], start_saved_job);
}

void brume_viewer_find_jobs(BrumeViewer *viewer)
{
    char folder[BRUME_JOB_PATH];
    char opened[BRUME_RECENT_PATH];
    char program[PATH_MAX];
    brume_program_path(program);
    if (!find_records(viewer, folder, opened)) {
        return;
    }
    const int count = brume_job_list_load(&viewer->exports.jobs, folder, opened, program);
    if (count == 1) {
        brume_viewer_show_message(viewer, false, "%s was not completed (section Export: resume)",
                                  viewer->exports.jobs.jobs[viewer->exports.jobs.count - 1].def.name);
    } else if (count > 1) {
        brume_viewer_show_message(viewer, false, "%d jobs were not completed (section Export: resume)", count);
    }
}

static void run_again(BrumeViewer *viewer, int serial)
{
    const BrumeJob *job = brume_job_list_find(&viewer->exports.jobs, serial);
    if (job && brume_job_list_run_again(&viewer->exports.jobs, serial)) {
        job = brume_job_list_find(&viewer->exports.jobs, serial); // it is the last job of the list now
        brume_viewer_show_message(viewer, false, "%s %s", job->def.name,
                                  job->def.again == BRUME_JOB_STARTS_AGAIN ? "starts again" : "goes on");
    }
}

// shows the folder of the files of a job by the desktop's program for folders
static void open_folder(BrumeViewer *viewer, int serial)
{
    const BrumeJob *job = brume_job_list_find(&viewer->exports.jobs, serial);
    if (!job) {
        return;
    }
    char folder[BRUME_JOB_PATH];
    if (!brume_job_path(&job->def, job->def.output, folder)) {
        return;
    }
    char *slash = strrchr(folder, '/');
    (void)snprintf(slash ? slash : folder, sizeof folder - (size_t)(slash ? slash - folder : 0), "%s",
                   slash ? "" : ".");
    BrumeError error;
    const char *const arguments[] = {"xdg-open", folder, NULL};
    if (access(folder, F_OK) != 0) {
        brume_viewer_show_message(viewer, false, "%s is not there yet", brume_quote(folder).text);
    } else if (viewer->exports.folder_opener.pid > 0) {
        brume_viewer_show_message(viewer, false, "a folder is being opened");
    } else if (brume_process_start(&viewer->exports.folder_opener, arguments, "", 0, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s (the files are in %s)", error.text, brume_quote(folder).text);
    }
}

// the messages of the program that opens the folder are not shown
static void ignore_line(void *context, bool is_error, const char *line)
{
    (void)context;
    (void)is_error;
    (void)line;
}

void brume_viewer_execute_exports(BrumeViewer *viewer, const BrumeExportCommands *commands)
{
    if (commands->frame) {
        write_frame(viewer, commands->frame_as);
    }
    if (commands->cancel_job > 0) {
        brume_job_list_cancel(&viewer->exports.jobs, commands->cancel_job);
        viewer->needs_redraw = true;
    }
    if (commands->resume_job > 0) {
        run_again(viewer, commands->resume_job);
    }
    if (commands->open_folder > 0) {
        open_folder(viewer, commands->open_folder);
    }
    viewer->exports.wants_render = viewer->exports.wants_render || commands->render;
    viewer->exports.wants_simulation = viewer->exports.wants_simulation || commands->simulate;
}

// shows in a message how a job has ended
static void report(BrumeViewer *viewer, const BrumeJob *job)
{
    if (job->state == BRUME_JOB_DONE) {
        brume_viewer_show_message(viewer, false, "%s: %s is complete", job->def.name,
                                  brume_quote(job->def.output).text);
    } else if (job->state == BRUME_JOB_STOPPED) {
        char text[BRUME_JOB_PATH + 192];
        brume_describe_stopped_job(job, text, sizeof text);
        brume_viewer_show_message(viewer, false, "%s", text);
    } else {
        brume_viewer_show_message(viewer, true, "%s: %s", job->def.name, job->text);
    }
}

void brume_viewer_update_jobs(BrumeViewer *viewer)
{
    if (!brume_viewer_is_saving(viewer) && (viewer->exports.wants_render || viewer->exports.wants_simulation)) {
        const bool draws = viewer->exports.wants_render;
        viewer->exports.wants_render = false;
        viewer->exports.wants_simulation = viewer->exports.wants_simulation && draws;
        request_job(viewer, draws);
    }
    BrumeJob ended;
    if (brume_job_list_update(&viewer->exports.jobs, &ended)) {
        viewer->needs_redraw = true;
    }
    if (ended.serial > 0) {
        report(viewer, &ended);
    }
    if (viewer->exports.folder_opener.pid > 0 &&
        !brume_process_poll(&viewer->exports.folder_opener, ignore_line, NULL) &&
        viewer->exports.folder_opener.ending != 0) {
        brume_viewer_show_message(viewer, true, "xdg-open: the folder was not opened");
    }
    viewer->readouts.exports.now = brume_seconds();
}

void brume_viewer_stop_jobs(BrumeViewer *viewer)
{
    viewer->exports.wants_render = viewer->exports.wants_simulation = false;
    if (viewer->saver.destination == BRUME_SAVE_JOB) {
        viewer->saver.destination = BRUME_SAVE_FILE; // without its job
    }
    brume_job_list_stop(&viewer->exports.jobs);
    if (viewer->exports.folder_opener.pid > 0) {
        brume_process_close(&viewer->exports.folder_opener);
        viewer->exports.folder_opener.pid = 0; // the program continues without the viewer
    }
}

int brume_viewer_jobs_left(const BrumeViewer *viewer) { return brume_job_list_left(&viewer->exports.jobs); }
