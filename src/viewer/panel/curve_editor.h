/**
 * @file curve_editor.h
 * The curves of the curve editor, as channels with common functions, which the files of the editor share.
 */
#ifndef BRUME_VIEWER_PANEL_CURVE_EDITOR_H
#define BRUME_VIEWER_PANEL_CURVE_EDITOR_H

#include "viewer/panel/panel_internal.h"

/** A curve: an animated value, or where `value` is nullptr the number `component` of the camera's keys. */
struct BrumeChannel {
    BrumeControls *controls;
    BrumeAnimatedValue *value;
    int component;
};

int brume_channel_count(const BrumeControls &controls);
BrumeChannel brume_channel_at(BrumeControls &controls, int index);
void brume_channel_name(const BrumeChannel &channel, char *text, size_t size);
/** Writes the name as the panel shows it: the name of the row, after its section or its object. */
void brume_channel_title(const BrumeChannel &channel, char *text, size_t size);
/** Writes the unit of its numbers as the panel shows it. */
void brume_channel_unit(const BrumeChannel &channel, char unit[BRUME_PARAMETER_TEXT]);

/** The number of keys, and a key. */
int brume_channel_keys(const BrumeChannel &channel);
BrumeValueKey brume_channel_key(const BrumeChannel &channel, int index);

/** The number at `time` [s]. */
double brume_channel_evaluate(const BrumeChannel &channel, double time);

/** Moves a key between its neighbors; the number is limited to the range of its setting. */
void brume_channel_move(const BrumeChannel &channel, int index, double time, double number);

/** Adds a key; for the camera with all its numbers. False where there is no room. */
bool brume_channel_add(const BrumeChannel &channel, double time, double number);

/** Removes a key; for the camera with all its numbers. False where it was the last: the channel does not exist then. */
bool brume_channel_remove(const BrumeChannel &channel, int index);

// curve_plot.cpp
/** Draws the plot of the curve `active` in the rest of the window, -1 for none, and edits its keys. */
void brume_draw_curve_plot(BrumePanel &panel, int active);
/** Shows all keys of a curve, and the time `present` [s]. */
void brume_curve_frame_all(BrumeCurveEditor &view, const BrumeChannel &channel, double present);
void brume_curve_select_none(BrumeCurveEditor &view);
void brume_curve_remove_selected(BrumePanel &panel, const BrumeChannel &channel);
/** Returns the color of a curve, which does not change when others are added or removed. */
ImU32 brume_curve_color(BrumeCurveEditor &view, const BrumeChannel &channel);

#endif
