#include "viewer/lost_display.h"

#include "viewer/exports.h"
#include "viewer/past.h"
#include "viewer/scene_saver.h"
#include "viewer/window/x_errors.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static BrumeViewer *viewer_of_display;
static bool (*interrupted)(void);

/** The failure, and the job that has stopped; "" where there is none. */
typedef struct Outcome {
    char failure[768];
    char job[BRUME_JOB_PATH + 192];
} Outcome;

// stores for the last message how a job has ended
static void record_ended_job(const BrumeJob *job, Outcome *outcome)
{
    if (job->serial > 0 && job->state == BRUME_JOB_FAILED) {
        (void)snprintf(outcome->failure, sizeof outcome->failure, "%s: %s", job->def.name, job->text);
    } else if (job->serial > 0 && job->state == BRUME_JOB_STOPPED) {
        memcpy(outcome->job, "; ", 2);
        brume_describe_stopped_job(job, outcome->job + 2, sizeof outcome->job - 2);
    }
}

// Continues the writing of files in place of the window's loop; returns the number of files that are left.
static int continue_writing(BrumeViewer *viewer, Outcome *outcome)
{
    BrumePictureStatus status;
    brume_picture_thread_poll(viewer->picture_thread, &status);
    if (status.failed) {
        (void)snprintf(outcome->failure, sizeof outcome->failure, "a picture was not written: %s", status.error.text);
    }
    if (brume_viewer_is_saving(viewer)) {
        brume_viewer_finish_save(viewer);
        if (!brume_viewer_is_saving(viewer) && viewer->readouts.message_is_error) {
            (void)snprintf(outcome->failure, sizeof outcome->failure, "%s", viewer->readouts.message);
        }
    }
    BrumeJob ended;
    (void)brume_job_list_update(&viewer->exports.jobs, &ended);
    record_ended_job(&ended, outcome);
    return status.waiting + brume_viewer_is_saving(viewer) + brume_viewer_jobs_left(viewer);
}

// Completes all files after the connection to the display was lost. Called in a function of Xlib of the window thread,
// or by another thread while the window thread waits in one.
static void finish_files(void)
{
    BrumeViewer *viewer = viewer_of_display;
    Outcome outcome = {{0}, {0}};
    int left;
    brume_picture_thread_stop_recording(viewer->picture_thread);
    if (!viewer->closing) { // a second call would stop a job within its frame
        brume_viewer_stop_jobs(viewer);
    }
    brume_viewer_set_running(viewer, false); // the processors are for the pictures
    while ((left = continue_writing(viewer, &outcome)) > 0 && !(interrupted && interrupted())) {
        (void)usleep(10000);
    }
    brume_viewer_end_saving(viewer);
    brume_job_list_destroy(&viewer->exports.jobs);
    (void)fprintf(stderr, "brume: the connection to the X server was lost; %s%s\n",
                  outcome.failure[0] ? outcome.failure
                  : left > 0         ? "interrupted before all files were written"
                                     : "pictures, recordings and scenes until then are written",
                  outcome.job);
}

void brume_viewer_expect_lost_display(BrumeViewer *viewer, bool (*is_interrupted)(void))
{
    viewer_of_display = viewer;
    interrupted = is_interrupted;
    brume_x_errors_on_lost_display(finish_files);
}
