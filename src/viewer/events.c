// Events of the window, handled in order: the command of each is executed before the next event.
#include "viewer/events.h"

#include "core/parallel/clock.h"
#include "core/shape.h"
#include "sim/settings/settings.h"
#include "viewer/apply_controls.h"
#include "viewer/body_edits.h"
#include "viewer/brush_cursor.h"
#include "viewer/past.h"
#include "viewer/preparation.h"
#include "viewer/present.h"
#include "viewer/scene_saver.h"
#include "viewer/sequence.h"
#include "viewer/undo.h"
#include "viewer/window/x_errors.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Whether SDL's queue has an event that wakes the loop; one is enough. Any thread may set it.
static atomic_bool wake_event_is_queued;
static Uint32 wake_event;

static void push_wake_event(void)
{
    SDL_Event event = {.type = wake_event};
    (void)SDL_PushEvent(&event);
}

void brume_viewer_register_wake_event(void) { wake_event = SDL_RegisterEvents(1); }

void brume_viewer_wake_loop(void)
{
    if (!atomic_exchange(&wake_event_is_queued, true)) {
        brume_x_errors_guard(push_wake_event);
    }
}

static bool is_pointer_event(Uint32 type)
{
    return type == SDL_MOUSEMOTION || type == SDL_MOUSEBUTTONDOWN || type == SDL_MOUSEWHEEL;
}

// whether the panel alone handles an event
static bool is_for_panel(const BrumeViewer *viewer, const SDL_Event *event)
{
    if (viewer->input.drag != BRUME_DRAG_NONE) {
        return false;
    }
    return is_pointer_event(event->type) ? brume_panel_wants_mouse(viewer->panel)
                                         : event->type == SDL_KEYDOWN && brume_panel_wants_keys(viewer->panel) &&
                                               !brume_input_is_window_key(event);
}

static void handle_event(BrumeViewer *viewer, const SDL_Event *event)
{
    if (event->type == wake_event) {
        atomic_store(&wake_event_is_queued, false);
        return;
    }
    viewer->needs_redraw = true;
    if (event->type == SDL_QUIT) {
        viewer->commands.quit = true;
        return;
    }
    if (event->type == SDL_WINDOWEVENT) {
        viewer->window->hidden = !brume_window_update_size(viewer->window);
        viewer->readouts.area = brume_viewer_area(viewer);
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            viewer->commands.edited = viewer->commands.edited || viewer->input.drag == BRUME_DRAG_GIZMO;
            brume_input_release_all(&viewer->input, brume_seconds());
        }
    }
    if (event->type == SDL_DROPFILE) {
        char *const path = brume_is_sky_file(event->drop.file) ? viewer->commands.open_sky : viewer->commands.open;
        (void)snprintf(path, BRUME_VIEWER_PATH, "%s", event->drop.file);
        SDL_free(event->drop.file);
        return;
    }
    if (event->type == SDL_KEYDOWN && event->key.keysym.sym == SDLK_ESCAPE && !viewer->controls.help &&
        (brume_viewer_cancel_preparation(viewer) || brume_viewer_cancel_recomputation(viewer))) {
        return;
    }
    brume_input_note_modifiers(&viewer->input, event);
    if (viewer->input.drag == BRUME_DRAG_NONE && brume_panel_takes_key(viewer->panel, event)) {
        return;
    }
    brume_panel_event(viewer->panel, event);
    const bool for_panel = is_for_panel(viewer, event);
    brume_viewer_note_pointer(viewer, event);
    if (for_panel) {
        return;
    }
    const BrumePictureArea *area = &viewer->readouts.area;
    BrumePick pick;
    const BrumePick *pressed = NULL;
    if (brume_input_needs_pick(&viewer->input, &viewer->controls, event) && viewer->def.sequence) {
        brume_viewer_refuse_edit(viewer, "the brush"); // without a pick, the press starts no stroke
    } else if (brume_input_needs_pick(&viewer->input, &viewer->controls, event) &&
               !brume_viewer_refuse_past_edit(viewer, "the brush")) {
        pick = brume_viewer_pick(viewer, ((float)event->button.x - area->left) / area->width,
                                 ((float)event->button.y - area->top) / area->height);
        pressed = &pick;
    }
    brume_input_event(&viewer->input, event, area, pressed, &viewer->controls, &viewer->commands);
}

void brume_viewer_send_strokes_and_moves(BrumeViewer *viewer, double now)
{
    if (!viewer->simulation_thread) {
        return;
    }
    brume_viewer_send_body_edits(viewer);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    const int count = brume_input_drain_stroke(&viewer->input, now, segments);
    for (int n = 0; n < count; n++) {
        brume_undo_history_add_edit(viewer->history, &viewer->controls, segments[n].edit);
        brume_simulation_thread_add_stroke(viewer->simulation_thread, &segments[n]);
    }
    int surface;
    BrumeVec3 displacement;
    if (brume_input_drain_body_motion(&viewer->input, &surface, &displacement)) {
        for (int n = 0; n < viewer->controls.sim[0].body_count; n++) {
            if (viewer->controls.surface_of[n] == surface) {
                const BrumeBodyDef *bodies = viewer->controls.present.bodies;
                const int parent = bodies[n].parent;
                BrumeBodyMotion motion = {.edit = viewer->input.edit, .body = n, .displacement = displacement};
                if (parent > 0) {
                    const BrumeShape outer =
                        brume_placed_shape(bodies, bodies[parent - 1].parent, &bodies[parent - 1].shape);
                    motion.displacement = brume_vector_into(&outer, displacement);
                }
                brume_undo_history_add_edit(viewer->history, &viewer->controls, motion.edit);
                brume_simulation_thread_move_body(viewer->simulation_thread, &motion);
            }
        }
    }
}

bool brume_viewer_has_commands(const BrumeViewer *viewer)
{
    BrumeCommands commands = viewer->commands;
    commands.quit = commands.window_picture = false; // the loop executes these
    static const BrumeCommands none;
    return memcmp(&commands, &none, sizeof commands) != 0;
}

// whether a command must wait: until the window is drawn, or an earlier requested picture or scene is complete
static bool must_wait(const BrumeViewer *viewer)
{
    const BrumeCommands *commands = &viewer->commands;
    return (commands->window_picture && !viewer->window->hidden) ||
           (commands->save && brume_viewer_is_saving(viewer)) ||
           (commands->screenshot && viewer->capture.awaits_framebuffer && !viewer->window->hidden);
}

void brume_viewer_execute(BrumeViewer *viewer)
{
    const BrumeCommands commands = viewer->commands;
    const bool saves_later = commands.save && brume_viewer_is_saving(viewer);
    const bool draws_later = commands.screenshot && viewer->capture.awaits_framebuffer;
    viewer->commands.save = commands.save && !saves_later;
    viewer->commands.screenshot = commands.screenshot && !draws_later;
    brume_viewer_apply_controls(viewer);
    viewer->commands = (BrumeCommands){.quit = viewer->commands.quit,
                                       .window_picture = commands.window_picture,
                                       .save = saves_later,
                                       .screenshot = draws_later};
    if (saves_later) {
        memcpy(viewer->commands.save_as, commands.save_as, sizeof commands.save_as);
    }
    viewer->readouts.area = brume_viewer_area(viewer);
    viewer->readouts.can_undo = brume_undo_history_can_undo(viewer->history);
    viewer->readouts.can_redo = brume_undo_history_can_redo(viewer->history);
}

static void apply_commands(BrumeViewer *viewer)
{
    if (brume_viewer_has_commands(viewer) && !must_wait(viewer)) {
        brume_viewer_execute(viewer);
    }
}

static void lay_out_panel(BrumeViewer *viewer)
{
    brume_panel_lay_out(viewer->panel, viewer->scene, &viewer->readouts, &viewer->controls, &viewer->commands);
    apply_commands(viewer);
}

// Handles one event and executes its command, so that two equal commands between two pictures are executed twice.
static void handle_event_at_once(BrumeViewer *viewer, const SDL_Event *event)
{
    handle_event(viewer, event);
    if (event->type == SDL_MOUSEBUTTONUP) {
        brume_viewer_send_strokes_and_moves(viewer, brume_seconds()); // the next drag may be another stroke or body
    }
    apply_commands(viewer);
}

// A layout may also request a command that must wait: then the event waits in SDL's queue.
void brume_viewer_handle_events(BrumeViewer *viewer, bool wait)
{
    SDL_Event event;
    if (must_wait(viewer)) {
        SDL_Delay(1);
    } else if (wait) {
        (void)SDL_WaitEventTimeout(NULL, (int)(1e3 * BRUME_VIEWER_MAX_EVENT_WAIT));
    }
    const double read_at = 1e-3 * (double)SDL_GetTicks64();
    SDL_PumpEvents();
    while (!viewer->commands.quit && !must_wait(viewer) &&
           SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0) {
        if (brume_panel_needs_layout(viewer->panel, &event)) {
            lay_out_panel(viewer);
        } else if (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0) {
            handle_event_at_once(viewer, &event);
        }
    }
    if (SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 0) {
        brume_panel_note_no_events(viewer->panel, read_at);
    }
    if (brume_panel_has_input(viewer->panel) && !must_wait(viewer)) {
        lay_out_panel(viewer);
    }
}
