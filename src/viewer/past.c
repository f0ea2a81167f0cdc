#include "viewer/past.h"

#include "viewer/edit/object_keys.h"
#include "viewer/undo.h"
#include "viewer/viewer_state.h"

#include <string.h>

// fractions of the memory: the rest is for full states, from which the simulation continues
static const double frames_share = 0.375;
static const double playback_share = 0.125;

BrumeStatus brume_viewer_create_history(BrumeViewer *viewer, BrumeError *error)
{
    const double memory = (double)viewer->def.memory;
    const BrumeFrameHistoryDef def = {
        .memory = (size_t)(frames_share * memory),
        .disk = viewer->def.disk,
        .playback = (size_t)(playback_share * memory),
    };
    return brume_frame_history_create(&viewer->past.history, &def, error);
}

BrumeStatus brume_viewer_start_player(BrumeViewer *viewer, void (*wake)(void), BrumeError *error)
{
    const BrumeViewerSequence *sequence = viewer->def.sequence;
    const BrumePlaybackDef def = {
        .frames = sequence ? sequence->frames
                           : brume_frame_history_frames(viewer->past.history, (double)viewer->controls.sim[0].fps),
        .running = sequence && viewer->controls.running,
        .loop = viewer->controls.loop,
        .inactive = !sequence,
        .on_change = wake,
    };
    const BrumeStatus status = brume_playback_thread_create(&viewer->player, &def, error);
    if (status == BRUME_OK) {
        BrumeStateSource *played = brume_playback_thread_source(viewer->player);
        viewer->states.present = sequence ? played : brume_simulation_thread_source(viewer->simulation_thread);
        viewer->states.past = sequence ? NULL : played;
    }
    return status;
}

static void pause_all(BrumeViewer *viewer)
{
    brume_simulation_thread_set_running(viewer->simulation_thread, false);
    brume_playback_thread_set_running(viewer->player, false);
    viewer->controls.running = false;
    viewer->applied.running = false;
}

// pauses, and shows a frame of the past in place of the present
static void show_past(BrumeViewer *viewer, int frame)
{
    BrumePast *past = &viewer->past;
    pause_all(viewer);
    brume_playback_thread_seek(viewer->player, frame);
    past->shown = true;
    brume_state_switch_show_past(&viewer->states, brume_playback_thread_set_active(viewer->player, true));
    viewer->needs_redraw = true;
}

void brume_viewer_show_present(BrumeViewer *viewer)
{
    BrumePast *past = &viewer->past;
    if (!past->shown) {
        return;
    }
    const bool running = past->going_back && viewer->applied.running; // it was requested to run
    if (!running) {
        pause_all(viewer);
    }
    past->shown = past->going_back = false;
    brume_state_switch_show_present(&viewer->states);
    (void)brume_playback_thread_set_active(viewer->player, false);
    viewer->needs_redraw = true;
}

/*
 * The shown states: of the simulation, its past, or a sequence.
 */

// returns the player of the shown frames, NULL while the simulation is shown; called by other threads, too
static BrumePlaybackThread *shown_player(const BrumeViewer *viewer)
{
    return viewer->def.sequence || brume_state_switch_shows_past(&viewer->states) ? viewer->player : NULL;
}

void brume_viewer_set_running(BrumeViewer *viewer, bool running)
{
    BrumePlaybackThread *player = viewer->past.going_back ? NULL : shown_player(viewer);
    if (player) {
        brume_playback_thread_set_running(player, running);
    } else {
        brume_simulation_thread_set_running(viewer->simulation_thread, running);
    }
}

void brume_viewer_step(BrumeViewer *viewer)
{
    BrumePlaybackThread *player = shown_player(viewer);
    if (player) {
        brume_playback_thread_step(player, 1);
    } else {
        brume_simulation_thread_request_frame(viewer->simulation_thread);
    }
}

void brume_viewer_set_frame_by_frame(BrumeViewer *viewer, bool enabled)
{
    brume_playback_thread_set_frame_by_frame(viewer->player, enabled);
    if (viewer->simulation_thread) {
        brume_simulation_thread_set_frame_by_frame(viewer->simulation_thread, enabled);
    }
}

void brume_viewer_permit_frame(void *context)
{
    BrumeViewer *viewer = context;
    BrumePlaybackThread *player = shown_player(viewer);
    if (player) {
        brume_playback_thread_permit_frame(player);
    } else {
        brume_simulation_thread_permit_frame(viewer->simulation_thread);
    }
}

/*
 * The past.
 */

// Sets the controls to the settings of a frame, except bodies, of which these have the initial positions.
static void take_settings(BrumeViewer *viewer, const BrumeKeptFrame *kept)
{
    BrumeControls *controls = &viewer->controls;
    BrumeSimDef present[BRUME_MAX_VARIANTS];
    memcpy(present, controls->sim, sizeof present);
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        BrumeSimDef settings;
        memcpy(&settings, &kept->settings[n < kept->variant_count ? n : 0], sizeof settings);
        const BrumeSimDef *before = &present[n];
        settings.body_count = before->body_count;
        memcpy(settings.bodies, before->bodies, sizeof settings.bodies);
        settings.initial_count = before->initial_count;
        memcpy(settings.initial, before->initial, sizeof settings.initial);
        memcpy(&controls->sim[n], &settings, sizeof settings);
    }
    memcpy(viewer->applied.sim, controls->sim, sizeof controls->sim); // the simulation has them
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_keep_keyed_emitters(&controls->sim[n], &present[n], &controls->animation, kept->time);
    }
    controls->compare = viewer->applied.compare = kept->variant_count > 1;
    controls->edited_variant = kept->variant_count > 1 ? controls->edited_variant : 0;
    if (controls->brush.kind > controls->sim[0].color_count) {
        controls->brush.kind = 0; // the frame does not have this color
    }
}

// makes the simulation go back to the shown frame and continue from there
static void continue_from_shown(BrumeViewer *viewer, bool paused)
{
    BrumePast *past = &viewer->past;
    BrumePlaybackStatus status;
    BrumeKeptFrame kept;
    brume_playback_thread_poll(viewer->player, &status);
    if (status.frame < 0 || !brume_frame_history_find(past->history, status.frame, &kept)) {
        return; // the frame is being dropped
    }
    pause_all(viewer);
    brume_playback_thread_seek(viewer->player, status.frame);
    const int edit = ++viewer->input.edit;
    take_settings(viewer, &kept);
    brume_viewer_go_on_from(viewer, edit, status.frame);
    past->going_back = true;
    viewer->controls.running = !paused;
    brume_viewer_show_message(
        viewer, false, "the simulation goes on from frame %d; Ctrl + Z brings back what came after", status.frame);
}

void brume_viewer_move_in_past(BrumeViewer *viewer, BrumeCommands *commands)
{
    BrumePast *past = &viewer->past;
    if (commands->reset || commands->seek_last) {
        brume_viewer_show_present(viewer);
    }
    if (past->going_back) { // the shown frame is the present one, or will be
        commands->timeline_steps = 0;
        commands->seek = commands->go_on = false;
    }
    if (past->shown) {
        commands->timeline_steps += past->going_back ? 0 : commands->advance;
        commands->advance = past->going_back ? commands->advance : 0;
    }
    const int present = past->status.last;
    const int wanted = commands->seek ? commands->seek_frame : present + commands->timeline_steps;
    if (!past->shown && past->status.count > 1 && wanted < present) {
        show_past(viewer, wanted);
    } else if (past->shown && (commands->seek || commands->timeline_steps != 0)) {
        if (!commands->seek) {
            pause_all(viewer);
            brume_playback_thread_step(viewer->player, commands->timeline_steps);
        } else {
            brume_playback_thread_seek(viewer->player, commands->seek_frame);
        }
        viewer->needs_redraw = true;
    }
    if (commands->go_on && past->shown) {
        continue_from_shown(viewer, commands->go_on_paused);
    }
    commands->timeline_steps = 0;
    commands->seek = commands->seek_last = commands->go_on = commands->go_on_paused = false;
    // at the present, playing backwards begins at the last frame
    if (!past->shown && viewer->controls.running && !viewer->applied.running && viewer->controls.backwards &&
        past->status.count > 1) {
        show_past(viewer, present);
        viewer->controls.running = true;
    }
}

bool brume_viewer_refuse_past_edit(BrumeViewer *viewer, const char *what)
{
    if (viewer->past.shown) {
        brume_viewer_show_message(
            viewer, false, "%s changes the present: Enter goes on from this frame, End goes to the present", what);
    }
    return viewer->past.shown;
}

void brume_viewer_update_past(BrumeViewer *viewer)
{
    BrumePast *past = &viewer->past;
    // read before the status, which has all frames once they are computed
    const bool computes = past->shown && brume_simulation_thread_recomputation(viewer->simulation_thread).active;
    const uint64_t changes = past->status.changes;
    brume_frame_history_status(past->history, &past->status);
    if (past->status.changes != changes) {
        brume_playback_thread_refresh(viewer->player);
        viewer->needs_redraw = true;
    }
    if (past->status.has_error) {
        brume_viewer_show_message(viewer, true, "%s", past->status.error.text);
    }
    const bool at_present =
        viewer->timeline.position >= past->status.last && !viewer->controls.running && !viewer->controls.scrubbing;
    if (past->shown && !computes && (past->going_back || at_present)) {
        brume_viewer_show_present(viewer);
    }
}
