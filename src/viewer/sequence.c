#include "viewer/sequence.h"

#include "core/parallel/clock.h"
#include "viewer/past.h"
#include "viewer/viewer_state.h"

#include <limits.h>

// returns the frames of the timeline per second of wall time
static double frames_per_second(const BrumeViewer *viewer)
{
    const double fps = viewer->def.sequence ? viewer->def.sequence->frames.fps : (double)viewer->controls.sim[0].fps;
    return fps * viewer->controls.speed_limit;
}

void brume_viewer_move_playhead(BrumeViewer *viewer, const BrumeCommands *commands)
{
    if (commands->timeline_steps != 0) {
        brume_playback_thread_step(viewer->player, commands->timeline_steps);
    }
    if (commands->seek) {
        brume_playback_thread_seek(viewer->player, commands->seek_frame);
    }
    if (commands->seek_last) {
        brume_playback_thread_seek(viewer->player, INT_MAX);
    }
    viewer->needs_redraw =
        viewer->needs_redraw || commands->timeline_steps != 0 || commands->seek || commands->seek_last;
}

void brume_viewer_refuse_edit(BrumeViewer *viewer, const char *what)
{
    brume_viewer_show_message(viewer, false, "%s needs a simulation, but these frames were computed before", what);
}

void brume_viewer_apply_playback(BrumeViewer *viewer)
{
    BrumeControls *now = &viewer->controls;
    const BrumeControls *before = &viewer->applied;
    if (now->compare && viewer->def.sequence) {
        now->compare = false;
        brume_viewer_refuse_edit(viewer, "side by side");
    }
    const bool turns = now->backwards && !before->backwards;
    if (!viewer->def.sequence && !viewer->past.shown && turns && now->running && before->running) {
        brume_viewer_set_running(viewer, false); // the simulation runs: playing its past starts as from a pause
        viewer->applied.running = false;
    }
    brume_playback_thread_set_mode(viewer->player, &(BrumePlaybackMode){
                                                       .loop = now->loop,
                                                       .backwards = now->backwards,
                                                       .held = now->scrubbing,
                                                       .fps = frames_per_second(viewer),
                                                   });
}

// sets the timeline of a simulation: it ends at the present, which is the position unless the past is shown
static void describe_past(BrumeViewer *viewer)
{
    const BrumePast *past = &viewer->past;
    BrumeTimelineReadouts *timeline = &viewer->readouts.timeline;
    timeline->kept = true;
    timeline->past = past->shown;
    timeline->going_back = past->going_back;
    timeline->kept_count = past->status.count;
    timeline->bytes = past->status.bytes;
    timeline->budget = past->status.memory;
    timeline->file_bytes = past->status.file_bytes;
    timeline->disk = past->status.disk;
    const int last = timeline->count > 0 ? timeline->numbers[timeline->count - 1] : 0;
    timeline->last = past->status.last > last ? past->status.last : last;
    timeline->stride = 1;
    if (!past->shown) {
        timeline->position = timeline->last;
        timeline->is_missing = timeline->is_broken = timeline->is_reading = false;
    }
}

void brume_viewer_update_timeline(BrumeViewer *viewer)
{
    const BrumePlaybackStatus before = viewer->timeline;
    BrumePlaybackStatus *status = &viewer->timeline;
    if (!viewer->player) { // the window could not be opened
        return;
    }
    brume_playback_thread_poll(viewer->player, status);
    if (status->stopped && (viewer->def.sequence || viewer->past.shown)) {
        viewer->controls.running = false;
        viewer->applied.running = false;
    }
    if (status->has_error) {
        brume_viewer_show_message(viewer, true, "%s", status->error.text);
    }
    viewer->needs_redraw = viewer->needs_redraw || status->position != before.position ||
                           status->in_memory != before.in_memory || status->count != before.count ||
                           status->is_reading != before.is_reading || status->stopped;
    const double now = brume_seconds();
    const bool was_past = viewer->readouts.timeline.past;
    viewer->readouts.timeline = (BrumeTimelineReadouts){
        .shown = viewer->def.sequence != NULL,
        .first = status->first,
        .last = status->last,
        .stride = status->stride,
        .position = status->position,
        .frame = status->shown,
        .is_missing = status->is_missing,
        .is_broken = status->is_broken,
        .is_reading = status->is_reading,
        .count = status->count,
        .numbers = status->numbers,
        .states = status->states,
        .in_memory = status->in_memory,
        .bytes = status->bytes,
        .budget = status->budget,
        .fps = frames_per_second(viewer),
        .shown_per_second = brume_measurements_rate(&viewer->counters.frames, now),
        .read_ms = status->read_ms,
    };
    if (!viewer->def.sequence) {
        describe_past(viewer);
        // Space at the present runs the simulation, also after playing backwards
        viewer->controls.backwards = viewer->controls.backwards && !(was_past && !viewer->past.shown);
    }
}
