// The section of pictures and recordings: their size and the number of rays.
#include "viewer/panel/panel_internal.h"

enum { MAX_SIDE = 8192, MAX_SAMPLES = 4096 };

static void draw_number(BrumePanel &panel, const char *label, int *value, int least, int most, const char *format,
                        const char *doc)
{
    if (!brume_begin_row(panel, label, false, brume_slider_width(panel))) {
        return;
    }
    (void)brume_slider(panel, value, least, most, format, true);
    (void)brume_end_row(panel, label, false, doc, "double-click to type");
}

void brume_draw_pictures(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Pictures", false)) {
        return;
    }
    BrumePictureControls &picture = panel.controls->picture;
    (void)brume_switch_row(panel, "own size", &picture.own_size,
                           "Whether pictures and recordings have a size of their own, not that of the window.");
    if (picture.own_size) {
        draw_number(panel, "width", &picture.width, 16, MAX_SIDE, "%d pixels", "Width of pictures and recordings.");
        draw_number(panel, "height", &picture.height, 16, MAX_SIDE, "%d pixels", "Height of pictures and recordings.");
    }
    draw_number(panel, "samples", &picture.samples, 0, MAX_SAMPLES, picture.samples > 0 ? "%d" : "as in the scene",
                "Rays per pixel of pictures and recordings, or light paths where the scene is path traced.");
}
