#include "viewer/preparation.h"

#include "viewer/viewer_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double frame_share = 0.9; // of the progress; the rest is the light of the new picture

// whether the latest snapshot of the n-th variant has this grid already
static bool is_shown(const BrumeViewer *viewer, int n, BrumeGrid grid)
{
    const BrumeSimDef *shown = &viewer->snapshot.variants[n].settings;
    return viewer->snapshot.variant_count <= n ||
           (shown->nx == grid.nx && shown->ny == grid.ny && shown->nz == grid.nz);
}

// describes the waiting step of a paused simulation: another grid, or its first frame
static void describe_pause(const BrumeViewer *viewer, char *line, size_t size)
{
    if (viewer->controls.running || viewer->past.shown || !viewer->picture) {
        return;
    }
    for (int n = 0; n < (viewer->controls.compare ? BRUME_MAX_VARIANTS : 1); n++) {
        const BrumeSimDef *set = &viewer->controls.sim[n];
        if (!is_shown(viewer, n, brume_grid(set->nx, set->ny, set->nz))) {
            (void)snprintf(line, size, "%d × %d × %d cells from the next frame on (N, or Space)", set->nx, set->ny,
                           set->nz);
        }
    }
    if (!line[0] && viewer->snapshot.frame == 0) {
        (void)snprintf(line, size, "paused before the first frame: Space runs the simulation");
    }
}

void brume_viewer_update_preparation(BrumeViewer *viewer)
{
    char *line = viewer->readouts.preparation;
    char before[sizeof viewer->readouts.preparation];
    memcpy(before, line, sizeof before);
    char name[72];
    line[0] = '\0';
    if (brume_file_queue_describe(&viewer->file_queue, name, sizeof name)) {
        (void)snprintf(line, sizeof viewer->readouts.preparation, "reading %s (Esc cancels)", name);
        viewer->needs_redraw = viewer->needs_redraw || strcmp(before, line) != 0;
        return;
    }
    if (!viewer->picture && !viewer->opened.awaits_picture) {
        const BrumeSimDef *set = &viewer->controls.sim[0];
        if (viewer->simulation_thread) {
            (void)snprintf(line, sizeof viewer->readouts.preparation, "preparing the first picture: %d × %d × %d cells",
                           set->nx, set->ny, set->nz);
        } else {
            (void)snprintf(line, sizeof viewer->readouts.preparation, "reading the first frame");
        }
    }
    if (!viewer->simulation_thread) {
        viewer->needs_redraw = viewer->needs_redraw || strcmp(before, line) != 0;
        return;
    }
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(viewer->simulation_thread, &progress);
    if (viewer->opened.awaits_picture) {
        const BrumeSimDef *set = &viewer->controls.sim[0];
        (void)snprintf(line, sizeof viewer->readouts.preparation, "opening %.60s: %d × %d × %d cells",
                       viewer->readouts.scene, set->nx, set->ny, set->nz);
    }
    for (int n = BRUME_MAX_VARIANTS - 1; n >= 0 && !viewer->opened.awaits_picture; n--) {
        const BrumeGrid *grid = &progress.grid[n];
        const size_t size = sizeof viewer->readouts.preparation;
        const BrumeSimDef *set = &viewer->controls.sim[n];
        if (progress.preparing && !is_shown(viewer, n, *grid) &&
            is_shown(viewer, n, brume_grid(set->nx, set->ny, set->nz))) {
            (void)snprintf(line, size, "canceling %d × %d × %d cells after the present step", grid->nx, grid->ny,
                           grid->nz);
        } else if (progress.preparing && !is_shown(viewer, n, *grid)) {
            (void)snprintf(line, size, "preparing %d × %d × %d cells: %d %% (Esc cancels)", grid->nx, grid->ny,
                           grid->nz, (int)floor(100.0 * frame_share * progress.fraction));
        } else if (!progress.preparing && !is_shown(viewer, n, progress.published[n])) {
            grid = &progress.published[n];
            (void)snprintf(line, size, "preparing %d × %d × %d cells: %d %%, light", grid->nx, grid->ny, grid->nz,
                           (int)(100.0 * frame_share));
        }
    }
    if (!line[0]) {
        describe_pause(viewer, line, sizeof viewer->readouts.preparation);
    }
    viewer->needs_redraw = viewer->needs_redraw || strcmp(before, line) != 0;
}

bool brume_viewer_cancel_preparation(BrumeViewer *viewer)
{
    BrumeSimulationProgress progress;
    if (brume_file_queue_cancel(&viewer->file_queue)) {
        brume_viewer_show_message(viewer, false, "the scene stays as it is: reading the file is canceled");
        return true;
    }
    if (!viewer->simulation_thread) {
        return false;
    }
    brume_simulation_thread_progress(viewer->simulation_thread, &progress);
    if (!progress.preparing) {
        return false;
    }
    for (int n = 0; n < viewer->snapshot.variant_count; n++) {
        const BrumeSimDef *shown = &viewer->snapshot.variants[n].settings;
        BrumeSimDef *set = &viewer->controls.sim[n];
        set->nx = shown->nx;
        set->ny = shown->ny;
        set->nz = shown->nz;
        set->dx = shown->dx;
    }
    brume_undo_history_add(viewer->history, &viewer->controls);
    brume_viewer_show_message(viewer, false, "the change of the resolution is canceled");
    return true;
}
