// The section of time: of a simulation, or of a sequence of frames that is played.
#include "viewer/panel/panel_internal.h"

// draws the controls of a sequence of frames
static void draw_playback(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    float speed = (float)controls.speed_limit;
    if (brume_slider_row(panel, "speed", &speed, 0.02f, 20.0f, "× real time", true,
                         "Time of the frames per second of real time.")) {
        controls.speed_limit = (double)speed;
    }
    (void)brume_switch_row(panel, "loop", &controls.loop, brume_loop_doc(controls));
    (void)brume_switch_row(panel, "backwards", &controls.backwards, "Plays backwards (J).");
}

void brume_draw_time(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Time", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    if (panel.readouts->timeline.shown) {
        draw_playback(panel);
        return;
    }
    bool unlimited = std::isinf(controls.speed_limit);
    if (brume_switch_row(panel, "unlimited", &unlimited, "Simulates as fast as the computer can.")) {
        controls.speed_limit = unlimited ? (double)INFINITY : 1.0;
    }
    if (!unlimited) {
        float speed_limit = (float)controls.speed_limit;
        if (brume_slider_row(panel, "speed limit", &speed_limit, 0.02f, 20.0f, "× real time", true,
                             "Largest simulated time per second of real time.")) {
            controls.speed_limit = (double)speed_limit;
        }
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_TIME, brume_controls_sim(panel.controls), &panel.scene->sim);
}
