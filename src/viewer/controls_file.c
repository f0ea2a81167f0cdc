#include "viewer/controls_file.h"

#include "core/text.h"
#include "io/file.h"
#include "viewer/viewer_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = sizeof((BrumeViewer){0}.controls_text) };

__attribute__((format(printf, 3, 4))) static size_t append(char *text, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
    return length > 0 && used + (size_t)length < TEXT_SIZE ? used + (size_t)length : used;
}

// appends a text in quotation marks, without the characters that would end it
static size_t append_quoted(char *text, size_t used, const char *quoted)
{
    used = append(text, used, "\"");
    for (; *quoted; quoted++) {
        used = append(text, used, "%c", strchr("\"\\\n", *quoted) ? ' ' : *quoted);
    }
    return append(text, used, "\"");
}

static size_t append_rectangle(char *text, size_t used, const float corners[4])
{
    return append(text, used, ": [%.0f, %.0f, %.0f, %.0f]\n", (double)corners[0], (double)corners[1],
                  (double)corners[2], (double)corners[3]);
}

void brume_viewer_write_controls(BrumeViewer *viewer)
{
    static char text[TEXT_SIZE]; // used by the window thread alone
    if (!viewer->def.controls_file) {
        return;
    }
    const BrumePictureArea *area = &viewer->readouts.area;
    size_t used =
        append(text, 0, "running: %s\nframe: %d\nrecorded: %d\nmessage: ", viewer->controls.running ? "true" : "false",
               viewer->snapshot.frame, viewer->readouts.recorded);
    used = append_quoted(text, used, viewer->readouts.message);
    used = append(text, used, "\npreparation: ");
    used = append_quoted(text, used, viewer->readouts.preparation);
    used = append(text, used, "\npicture");
    used = append_rectangle(text, used,
                            (float[4]){area->left, area->top, area->left + area->width, area->top + area->height});
    const char *name;
    float corners[4];
    used = append(text, used, "focus: ");
    used = append_quoted(text, used, brume_panel_focus(viewer->panel, corners));
    used = append(text, used, "\nfocused");
    used = append_rectangle(text, used, corners);
    used = append(text, used, "controls: # left, top, right, bottom\n");
    for (int n = 0; brume_panel_spot(viewer->panel, n, &name, corners); n++) {
        used = append(text, used, "  ");
        used = append_quoted(text, used, name);
        used = append_rectangle(text, used, corners);
    }
    if (strcmp(text, viewer->controls_text) == 0) {
        return;
    }
    memcpy(viewer->controls_text, text, used + 1);
    BrumeError error;
    if (brume_file_write(viewer->def.controls_file, text, used, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        viewer->def.controls_file = NULL;
    }
}
