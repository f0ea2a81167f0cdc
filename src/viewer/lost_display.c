#include "viewer/lost_display.h"

#include "viewer/window/x_errors.h"

#include <stdio.h>
#include <unistd.h>

static BrumeViewer *viewer_of_display;
static bool (*interrupted)(void);

// in the window thread, within a function of Xlib
static void finish_pictures(void)
{
    BrumeViewer *viewer = viewer_of_display;
    BrumeError error = {0};
    BrumePictureStatus status;
    brume_picture_thread_stop_recording(viewer->picture_thread);
    viewer->source.functions->set_running(viewer->source.self, false); // the processors are for the pictures
    do {
        brume_picture_thread_poll(viewer->picture_thread, &status);
        error = status.failed || status.recording_failed ? status.error : error;
        (void)usleep(10000);
    } while ((status.waiting > 0 || status.left > 0) && !(interrupted && interrupted()));
    (void)fprintf(stderr, "brume: the connection to the X server was lost; %s%s\n",
                  error.text[0]     ? "a picture was not written: "
                  : status.left > 0 ? "interrupted before all pictures were written"
                                    : "pictures and recordings until then are written",
                  error.text);
}

void brume_viewer_expect_lost_display(BrumeViewer *viewer, bool (*is_interrupted)(void))
{
    viewer_of_display = viewer;
    interrupted = is_interrupted;
    brume_x_errors_on_lost_display(finish_pictures);
}
