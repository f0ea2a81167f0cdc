#include "viewer/viewer_state.h"

#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "viewer/threads/numbered_files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double max_message_age = 6.0; // [s]

bool brume_viewer_reads_framebuffer(const BrumeViewer *viewer)
{
    return viewer->capture.awaits_framebuffer ||
           (viewer->capture.recording.active && viewer->capture.recording.def.of_pixels);
}

BrumePictureArea brume_viewer_area(const BrumeViewer *viewer)
{
    const BrumeWindow *window = viewer->window;
    const float points_per_pixel = (float)window->width / (float)window->pixels_wide;
    const BrumePictureArea whole = {
        .width = (float)window->width,
        .height = (float)window->height,
        .scale = window->scale * viewer->controls.ui_scale * points_per_pixel,
    };
    return brume_viewer_reads_framebuffer(viewer)
               ? whole
               : brume_panel_free_area(viewer->panel, &viewer->controls, &viewer->readouts, whole);
}

BrumeRect brume_viewer_rect(const BrumeViewer *viewer)
{
    const BrumeWindow *window = viewer->window;
    const BrumePictureArea area = brume_viewer_area(viewer);
    const float pixels = (float)window->pixels_wide / (float)window->width; // per point
    // at least a pixel, because the panel may cover a tiny window
    const int left = brume_min_int((int)lroundf(area.left * pixels), window->pixels_wide - 1);
    const int top = brume_min_int((int)lroundf(area.top * pixels), window->pixels_high - 1);
    const int right = brume_max_int((int)lroundf((area.left + area.width) * pixels), left + 1);
    const int bottom = brume_max_int((int)lroundf((area.top + area.height) * pixels), top + 1);
    return (BrumeRect){left, window->pixels_high - bottom, right - left, bottom - top};
}

void brume_viewer_picture_size(const BrumeViewer *viewer, int *width, int *height)
{
    const BrumePictureControls *picture = &viewer->controls.picture;
    *width = picture->own_size ? picture->width : viewer->window->pixels_wide;
    *height = picture->own_size ? picture->height : viewer->window->pixels_high;
}

int brume_viewer_numbered_path(const BrumeViewer *viewer, const char *stem, const char *extension, int least,
                               char *path)
{
    const char *folder = viewer->controls.exports.folder;
    const char *slash = folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "";
    const int number = brume_max_int(brume_next_file_number(folder[0] ? folder : ".", stem, extension), least);
    (void)snprintf(path, BRUME_VIEWER_PATH, "%s%s%s-%04d%s", folder, slash, stem, number, extension);
    return number;
}

void brume_viewer_show_message(BrumeViewer *viewer, bool is_error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(viewer->readouts.message, sizeof viewer->readouts.message, format, args);
    va_end(args);
    viewer->readouts.message_is_error = is_error;
    viewer->readouts.message_at = brume_seconds();
    viewer->needs_redraw = true;
}

static void update_picture_readouts(BrumeViewer *viewer)
{
    BrumeReadouts *readouts = &viewer->readouts;
    const BrumeRenderedPicture *picture = viewer->picture;
    readouts->prepare_ms = picture->prepare_ms;
    readouts->picture_bytes = picture->bytes;
    for (int n = 0; n < BRUME_MAX_VARIANTS && !viewer->controls.cpu; n++) {
        readouts->picture_bytes += brume_gl_renderer_bytes(viewer->gl.renderers[n]);
    }
    readouts->draw_ms = picture->rgb ? picture->draw_ms : viewer->gl.picture.ms;
    const BrumeRect rect = brume_viewer_rect(viewer);
    const int gl_shrink = viewer->gl.picture.shrink > 0 ? viewer->gl.picture.shrink : 1;
    readouts->width = picture->rgb ? picture->width / picture->shrink : rect.width / gl_shrink;
    readouts->height = picture->rgb ? picture->height / picture->shrink : rect.height / gl_shrink;
    readouts->samples = picture->rgb ? picture->samples : 1;
    readouts->scale = picture->scale[0];
    readouts->missing = picture->missing;
}

void brume_viewer_update_readouts(BrumeViewer *viewer, double now)
{
    BrumeReadouts *readouts = &viewer->readouts;
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    const BrumeSnapshotVariant *variant =
        &snapshot->variants[snapshot->variant_count > 1 ? viewer->controls.edited_variant : 0];
    const BrumeFrameStats *stats = &variant->stats;
    readouts->pictures_per_second = brume_measurements_rate(&viewer->counters.presented, now);
    readouts->renders_per_second = brume_measurements_rate(&viewer->counters.drawn, now);
    readouts->latency_ms = brume_measurements_quantile(&viewer->counters.latency, 0.5);
    readouts->sim_steps = stats->steps;
    readouts->sim_ms = stats->steps > 0 ? stats->total_ms / stats->steps : 0.0;
    readouts->grid = brume_grid(variant->settings.nx, variant->settings.ny, variant->settings.nz);
    readouts->mcells_per_second =
        readouts->sim_ms > 0.0 ? 1e-3 * (double)brume_grid_cells(readouts->grid) / readouts->sim_ms : 0.0;
    readouts->sim_bytes = variant->sim_bytes;
    readouts->threads = snapshot->threads > 0 ? snapshot->threads : viewer->controls.threads;
    readouts->iterations = stats->max_iterations;
    readouts->converged = stats->frame == 0 || stats->converged;
    readouts->frame = snapshot->frame;
    readouts->time = snapshot->time;
    readouts->renderer = viewer->controls.cpu ? "CPU" : viewer->window->renderer;
    readouts->area = brume_viewer_area(viewer);
    readouts->camera =
        viewer->picture && viewer->picture->rgb ? viewer->picture->request.camera : viewer->controls.camera;
    readouts->message_age = now - viewer->readouts.message_at;
    if (readouts->message_age > max_message_age || viewer->commands.window_picture) { // such pictures have no message
        readouts->message[0] = '\0';
    }
    readouts->screenshot = viewer->commands.window_picture;
    const BrumeRecomputation recomputation = viewer->simulation_thread
                                                 ? brume_simulation_thread_recomputation(viewer->simulation_thread)
                                                 : (BrumeRecomputation){0};
    readouts->recomputed = recomputation.active ? recomputation.done : 0;
    readouts->to_recompute = recomputation.active ? recomputation.total : 0;
    if (viewer->picture) {
        update_picture_readouts(viewer);
    }
}
