/**
 * @file panel_internal.h
 * What the C++ files behind panel.h share: the panel's state, its theme, and rows of one control each.
 */
#ifndef BRUME_VIEWER_PANEL_PANEL_INTERNAL_H
#define BRUME_VIEWER_PANEL_PANEL_INTERNAL_H

#include <SDL.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <imgui.h>

// C headers as C++ sees them: their compound literals are an extension there
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "raymarch/tone.h"
#include "viewer/panel/panel.h"
#include "viewer/panel/parameters.h"
#include "viewer/window/input.h"
}
#pragma GCC diagnostic pop

enum { BRUME_PANEL_SPOTS = 512, BRUME_PANEL_BUTTONS = 3 };

/** Where a control was drawn. */
struct BrumeSpot {
    char name[64];
    ImVec2 lower, upper;
};

struct BrumePanel {
    SDL_Window *window;
    ImGuiContext *context;
    const BrumePresets *presets;
    float unit; ///< a point of the theme in units of ImGui
    ImFont *text, *bold;

    // the mouse by its events, so that none is lost between two pictures
    ImVec2 pointer, pressed_at;
    bool down[BRUME_PANEL_BUTTONS], pressed[BRUME_PANEL_BUTTONS];
    bool any_pressed;
    bool owned; ///< the buttons that are held were pressed on the panel

    ImVec2 covered[4][2]; ///< what the panel and the help cover: lower and upper corners
    int covered_count;
    bool popup_open;

    BrumeSpot spots[BRUME_PANEL_SPOTS];
    int spot_count;

    const void *hovered; ///< what the pointer rests on, and since when
    double hovered_since;

    int resolution;       ///< while its slider is held
    bool resolution_held; ///< it is
    char open[BRUME_VIEWER_PATH], save[BRUME_VIEWER_PATH];

    // of the picture that is being laid out
    const char *section;
    const BrumeScene *scene;
    const BrumeFacts *facts;
    BrumeControls *controls;
    BrumeCommands *commands;
};

/** Pictograms, drawn as shapes so that no font must have them. */
enum class BrumeIcon { Play, Pause, Step, Restart, Undo, Redo, Camera, Record };

// theme.cpp
extern const ImU32 brume_dim_text, brume_bright_text, brume_accent, brume_changed, brume_alarm;

/** Sets ImGui's style and loads the fonts for a scale. */
void brume_theme_apply(BrumePanel &panel, float pixels_per_point, float pixels_per_unit);

void brume_draw_icon(BrumeIcon icon, ImVec2 middle, float radius, ImU32 color);

// rows.cpp
/** A collapsible section; whether it is open. Its name is part of the names of its controls. */
bool brume_begin_section(BrumePanel &panel, const char *name, bool open_at_first);

/** Remembers where the item drawn last is. */
void brume_note_spot(BrumePanel &panel, const char *label, const char *suffix = "");

/** What the pointer rests on is explained: `doc`, and below it in dim text what else there is to know. */
void brume_explain(BrumePanel &panel, const void *what, const char *doc, const char *more = nullptr);

/** Before and after a control of one's own: its label on the left, room for a reset button on the right. */
void brume_begin_row(BrumePanel &panel, const char *label, bool changed = false);
/** Whether the reset button, which is there where the value is `changed`, was pressed. */
bool brume_end_row(BrumePanel &panel, const char *label, bool changed, const char *doc, const char *more = nullptr);

/** A knob of the struct `values`, which goes back to that of `scene` (NULL: there is none). Whether it was turned. */
bool brume_parameter_row(BrumePanel &panel, const BrumeParameter &parameter, void *values, const void *scene);
/** All knobs of a group. */
void brume_parameter_rows(BrumePanel &panel, BrumeParameterGroup group, void *values, const void *scene);

/** A value that is not in the tables. Whether it was changed. */
bool brume_slider_row(BrumePanel &panel, const char *label, float *value, float lower, float upper, const char *unit,
                      bool logarithmic, const char *doc);
bool brume_switch_row(BrumePanel &panel, const char *label, bool *value, const char *doc);

/** A button with a pictogram. */
bool brume_icon_button(BrumePanel &panel, const char *label, BrumeIcon icon, const char *doc, bool enabled = true,
                       ImU32 color = 0);

/** One of several buttons of which one is chosen. */
bool brume_choice_button(BrumePanel &panel, const char *label, bool chosen, float width, const char *doc);

// sections.cpp
void brume_draw_sections(BrumePanel &panel);

// figures.cpp
void brume_draw_figures(BrumePanel &panel);
void brume_draw_help(BrumePanel &panel);

#endif
