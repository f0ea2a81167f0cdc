#include "viewer/viewer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "viewer/body_edits.h"
#include "viewer/brush_cursor.h"
#include "viewer/capture.h"
#include "viewer/controls_file.h"
#include "viewer/events.h"
#include "viewer/exports.h"
#include "viewer/lifetime.h"
#include "viewer/look_presets.h"
#include "viewer/lost_display.h"
#include "viewer/opened_files.h"
#include "viewer/past.h"
#include "viewer/preparation.h"
#include "viewer/present.h"
#include "viewer/scene_saver.h"
#include "viewer/sequence.h"
#include "viewer/viewer_state.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double min_present_interval = 1.0 / 120.0; // [s]
// With software OpenGL, a change is shown together with the next picture of the smoke if it is ready within this time,
// because presenting twice would be slow [s].
static const double max_present_delay = 1.0 / 30.0;

// Whether a picture shows the opened scene: while another scene is opened, the render thread still draws states of the
// previous one with the camera and the look of the new one.
static bool shows_opened_scene(BrumeViewer *viewer, const BrumeRenderedPicture *picture)
{
    if (!viewer->opened.awaits_picture) {
        return true;
    }
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(viewer->simulation_thread, &progress);
    const bool failed = !progress.opening && progress.epoch == viewer->opened.former_epoch;
    viewer->opened.awaits_picture = !failed && (!picture || picture->epoch <= viewer->opened.former_epoch);
    return !viewer->opened.awaits_picture;
}

// acquires the latest picture from the render thread, with the state and the errors that belong to it
static void acquire_picture(BrumeViewer *viewer, double now)
{
    const bool was_opening = viewer->opened.awaits_picture;
    const bool is_new = brume_render_thread_poll_picture(viewer->render_thread, &viewer->picture);
    if (!shows_opened_scene(viewer, viewer->picture)) {
        viewer->picture = NULL;
        return;
    }
    if (!viewer->picture || !(is_new || was_opening)) {
        return;
    }
    const BrumeRenderedPicture *picture = viewer->picture;
    viewer->needs_redraw = true;
    viewer->has_new_picture = true;
    const int frame = viewer->snapshot.frame;
    const BrumeError reported = viewer->snapshot.error;
    viewer->snapshot = *brume_render_thread_snapshot_info(viewer->render_thread);
    if (viewer->snapshot.frame != frame) {
        viewer->last_motion = now;
        brume_measurements_add(&viewer->counters.frames, now);
    }
    if (picture->error.text[0]) {
        brume_viewer_show_message(viewer, true, "%s", picture->error.text);
    }
    const BrumeError *error = &viewer->snapshot.error;
    if (error->text[0] && strcmp(error->text, reported.text) != 0) {
        brume_viewer_show_message(viewer, true, "%s", error->text);
        viewer->controls.running = viewer->snapshot.running;
        viewer->applied.running = viewer->snapshot.running;
    }
}

// records the latency of the pending input if its picture is on the screen
static void record_latency(BrumeViewer *viewer, double now)
{
    const double answered = viewer->picture && viewer->picture->rgb ? viewer->picture->request.requested_at
                                                                    : viewer->counters.pending_input;
    if (viewer->counters.pending_input > 0.0 && answered >= viewer->counters.pending_input) {
        brume_measurements_add(&viewer->counters.latency, 1e3 * (now - viewer->counters.pending_input));
        viewer->counters.pending_input = 0.0;
    }
}

// reads the pixels of a picture for the log, before panel and HUD cover them
static void log_pixels(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    uint8_t *pixels = viewer->picture && viewer->has_new_picture
                          ? brume_shown_pictures_pixels(&viewer->shown, rect.width, rect.height)
                          : NULL;
    if (pixels) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    }
}

static void log_picture(BrumeViewer *viewer, double now)
{
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!picture || !viewer->has_new_picture) {
        return;
    }
    const BrumeRect rect = brume_viewer_rect(viewer);
    const bool by_cpu = picture->rgb != NULL;
    const BrumeShownPicture shown = {
        .shown_at = now,
        .frame = picture->frame,
        .epoch = picture->epoch,
        .newer_states = brume_render_thread_snapshot_count(viewer->render_thread) - picture->snapshot_count,
        .shrink = by_cpu ? picture->shrink : viewer->gl.picture.shrink,
        .samples = by_cpu ? picture->samples : 1,
        .prepare_ms = picture->prepare_ms,
        .draw_ms = by_cpu ? picture->draw_ms : viewer->gl.picture.ms,
        .camera = by_cpu ? picture->request.camera : viewer->controls.camera,
        .width = rect.width,
        .height = rect.height,
    };
    brume_shown_pictures_add(&viewer->shown, &shown);
}

static void present(BrumeViewer *viewer)
{
    double now = brume_seconds();
    brume_viewer_update_readouts(viewer, now);
    brume_viewer_update_hover(viewer);
    brume_viewer_update_brush_cursor(viewer);
    brume_viewer_draw_picture(viewer);
    brume_viewer_read_framebuffer(viewer);
    log_pixels(viewer);
    brume_panel_draw(viewer->panel, viewer->scene, &viewer->readouts, &viewer->controls, &viewer->commands);
    if (viewer->commands.window_picture) {
        brume_viewer_take_window(viewer);
        viewer->commands.window_picture = false;
    }
    brume_window_swap_buffers(viewer->window);
    brume_viewer_write_controls(viewer);
    now = brume_seconds();
    record_latency(viewer, now);
    log_picture(viewer, now);
    BrumePerformanceCounters *counters = &viewer->counters;
    counters->started = counters->presented.count > 0 ? counters->started : now;
    counters->latest_present = now;
    brume_measurements_add(&counters->presented, now);
    if (viewer->has_new_picture) {
        brume_measurements_add(&counters->drawn, now);
    }
    viewer->has_new_picture = false;
    viewer->needs_redraw = false;
}

// Whether the window can only change with the next picture: the camera is dragged, so that the panel has no input, and
// the render thread draws. On a software device presenting takes as long as half a picture.
static bool awaits_picture(const BrumeViewer *viewer)
{
    return viewer->window->software && viewer->controls.cpu && viewer->input.drag >= BRUME_DRAG_LOOK &&
           viewer->picture && viewer->picture->rgb && !viewer->has_new_picture;
}

// Whether to present now: at once after a change, at a low rate without one, because messages fade, the cursor of text
// fields blinks and rates change.
static bool is_due(const BrumeViewer *viewer, double now)
{
    const double since = now - viewer->counters.latest_present;
    if (viewer->window->hidden) {
        return false;
    }
    const double min_interval =
        viewer->has_new_picture || !viewer->window->software ? min_present_interval : max_present_delay;
    const bool has_changed = viewer->needs_redraw && !awaits_picture(viewer);
    return viewer->commands.window_picture || since >= (has_changed ? min_interval : 2.0 * BRUME_VIEWER_MAX_EVENT_WAIT);
}

// one iteration of the loop: handles events, applies controls, and presents a picture if one is due
static BrumeStatus run_iteration(BrumeViewer *viewer, double *clock, BrumeError *error)
{
    const bool draws =
        !viewer->window->hidden && ((viewer->needs_redraw && !awaits_picture(viewer)) ||
                                    viewer->input.animation.active || brume_viewer_can_refine(viewer, brume_seconds()));
    const bool busy = draws || brume_viewer_has_commands(viewer);
    brume_viewer_handle_events(viewer, !busy);
    const double now = brume_seconds();
    if (brume_input_advance_camera(&viewer->input, fmin(now - *clock, 0.1), &viewer->controls)) {
        viewer->input.latest_event = viewer->input.latest_event > 0.0 ? viewer->input.latest_event : now;
    }
    *clock = now;
    viewer->counters.has_new_input = viewer->input.latest_event > 0.0 && viewer->counters.pending_input <= 0.0;
    if (viewer->counters.has_new_input) {
        viewer->counters.pending_input = viewer->input.latest_event;
    }
    viewer->input.latest_event = 0.0;
    brume_viewer_send_strokes_and_moves(viewer, now);
    brume_viewer_execute(viewer);
    brume_viewer_finish_save(viewer);
    acquire_picture(viewer, now);
    brume_viewer_follow_bodies(viewer);
    brume_viewer_update_flow(viewer);
    brume_viewer_update_timeline(viewer);
    if (viewer->past.history) {
        brume_viewer_update_past(viewer);
    }
    brume_viewer_update_pictures(viewer);
    brume_viewer_update_jobs(viewer);
    brume_viewer_update_dialog(viewer);
    brume_viewer_update_preparation(viewer);
    brume_viewer_update_looks(viewer, now);
    brume_viewer_keep_scene(viewer, now);
    if (is_due(viewer, now)) {
        present(viewer);
        brume_measurements_add(&viewer->counters.iteration, 1e3 * (brume_seconds() - now));
    } else if (viewer->needs_redraw && !viewer->window->hidden && !awaits_picture(viewer)) {
        SDL_Delay(1);
    } else if (brume_viewer_can_refine(viewer, now)) {
        brume_viewer_refine(viewer);
    }
    return brume_window_context_is_lost(viewer->window)
               ? brume_fail(error, BRUME_FAILED,
                            "the graphics driver has lost the window's context (start brume view again; "
                            "--renderer cpu depends less on the driver)")
               : BRUME_OK;
}

// returns the number of files and jobs that must be completed before the window closes
static int left_to_close(const BrumeViewer *viewer)
{
    return brume_viewer_pictures_left(viewer) + brume_viewer_jobs_left(viewer) + brume_viewer_is_saving(viewer);
}

// Whether the window closes now. Waiting pictures and the scene are written first, and the running job completes its
// frame; a second request discards them.
static bool is_over(BrumeViewer *viewer, bool interrupted)
{
    const bool requested = viewer->commands.quit;
    viewer->commands.quit = false;
    if (!viewer->closing && (requested || interrupted)) {
        viewer->closing = true;
        brume_viewer_stop_recording(viewer);
        brume_viewer_update_pictures(viewer); // the end of a recorded video also counts
        brume_viewer_stop_jobs(viewer);
        brume_viewer_set_running(viewer, false); // the processors are for the pictures
        return left_to_close(viewer) == 0;
    }
    if (viewer->closing && brume_viewer_jobs_left(viewer) > 0) {
        brume_viewer_show_message(viewer, false,
                                  "closing after the present frame of the job; once more closes at once");
    } else if (viewer->closing && viewer->capture.status.left > 0) {
        brume_viewer_show_message(viewer, false, "closing when %s is complete; once more closes without it",
                                  viewer->capture.recording.def.path);
    } else if (viewer->closing && brume_viewer_is_saving(viewer)) {
        brume_viewer_show_message(viewer, false, "closing when %s is written; once more closes without it",
                                  viewer->saver.path);
    } else if (viewer->closing) {
        const int left = brume_viewer_pictures_left(viewer);
        brume_viewer_show_message(viewer, false, "closing after %d picture%s; once more closes without %s", left,
                                  left == 1 ? "" : "s", left == 1 ? "it" : "them");
    }
    return viewer->closing && (requested || left_to_close(viewer) == 0);
}

// returns the resident memory of the program on Linux; 0 on other systems
static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*d %ld", &pages) != 1) {
            pages = 0;
        }
        (void)fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static BrumeStatus write_stats(BrumeViewer *viewer, const char *path, BrumeError *error)
{
    brume_viewer_update_readouts(viewer, brume_seconds());
    const BrumeReadouts *facts = &viewer->readouts;
    const BrumeRect rect = brume_viewer_rect(viewer);
    const BrumePerformanceContext context = {
        .renderer = facts->renderer,
        .scene = facts->scene,
        .width = rect.width,
        .height = rect.height,
        .threads = facts->threads,
        .cells = {facts->grid.nx, facts->grid.ny, facts->grid.nz},
        .frames = facts->frame,
        .sim_ms = viewer->snapshot.frame_ms,
        .time = facts->time,
        .bytes = resident_bytes(),
    };
    return brume_performance_counters_write(&viewer->counters, &context, path, error);
}

BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error)
{
    BrumeViewer *viewer = brume_alloc(1, sizeof *viewer);
    if (!viewer) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeStatus status = brume_viewer_create(viewer, def, error);
    const bool shows_scene = viewer->scene != NULL;
    if (status == BRUME_OK && shows_scene) {
        brume_viewer_expect_lost_display(viewer, def->is_interrupted);
    }
    double clock = brume_seconds();
    bool interrupted = false;
    while (status == BRUME_OK && shows_scene && !is_over(viewer, interrupted)) {
        status = run_iteration(viewer, &clock, error);
        interrupted = def->is_interrupted && def->is_interrupted();
    }
    if (status == BRUME_OK && shows_scene) {
        if (!def->plain) {
            brume_viewer_save_window_state(viewer);
        }
        status = def->stats ? write_stats(viewer, def->stats, error) : BRUME_OK;
        status = status == BRUME_OK ? brume_shown_pictures_write(&viewer->shown, error) : status;
    }
    if (status == BRUME_OK && interrupted) {
        status = brume_fail(error, BRUME_INTERRUPTED, "interrupted");
    }
    brume_viewer_hide(viewer); // at once, also if files are left
    brume_viewer_end_saving(viewer);
    brume_job_list_destroy(&viewer->exports.jobs);
    brume_system_dialog_close(&viewer->dialog);
    const bool ended = brume_viewer_stop_threads(viewer);
    if (ended || !def->unfinished) {
        brume_viewer_destroy(viewer);
    } else {
        *def->unfinished = true; // the threads use the memory
    }
    return status;
}
