/**
 * @file panel_internal.h
 * Declarations that the C++ files of the panel share: its state, its theme, and rows with one control each.
 */
#ifndef BRUME_VIEWER_PANEL_PANEL_INTERNAL_H
#define BRUME_VIEWER_PANEL_PANEL_INTERNAL_H

#include <SDL.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <imgui.h>

// the compound literals of C headers are an extension in C++
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "raymarch/color_map.h"
#include "raymarch/tone.h"
#include "scene/format/animation.h"
#include "scene/format/derived.h"
#include "viewer/controls/chosen_file.h"
#include "viewer/files/folder_list.h"
#include "viewer/looks/look_catalog.h"
#include "viewer/looks/look_thumbnails.h"
#include "viewer/panel/panel.h"
#include "viewer/panel/parameters.h"
#include "viewer/window/input.h"
}
#pragma GCC diagnostic pop

#include "viewer/panel/focus.h"

enum { BRUME_PANEL_SPOTS = 512, BRUME_PANEL_BUTTONS = 3 };

/** Widths at the end of each row, for its reset button and its key button. */
#define BRUME_RESET_POINTS 20.0f
#define BRUME_KEY_POINTS 14.0f

/** The rectangle where a control was drawn. */
struct BrumeSpot {
    char name[64];
    ImVec2 lower, upper;
    bool visible; ///< it is not scrolled out of view
    // for the keyboard focus (focus_control.cpp)
    BrumeControlKind kind;
    int numbers;                   ///< numbers side by side
    bool has_swatch;               ///< a button of the same height follows them
    bool in_focused_window;        ///< ImGui's focus is in its window
    bool is_default;               ///< ImGui's focus is at the control itself
    ImVec2 margin;                 ///< a point of its window without controls
    ImVec2 clip_lower, clip_upper; ///< visible part of its window
};

enum { BRUME_COLORED_CURVES = 64 };

/** The state of the curve editor (curve_editor.cpp). */
struct BrumeCurveEditor {
    char colored[BRUME_COLORED_CURVES][BRUME_ANIMATION_PATH]; ///< names of curves in the order of their colors
    int colored_count;
    char active[BRUME_ANIMATION_PATH];           ///< name of the curve whose keys are edited
    double start, end, bottom, top;              ///< times [s] and numbers at the edges of the plot
    bool needs_frame, deletes;                   ///< requests for the next layout
    bool hovered;                                ///< the pointer is over the editor
    bool drags_keys, drags_box, pans;            ///< action of the drag
    bool has_moved;                              ///< the drag has moved keys
    ImVec2 drag_from;                            ///< start of the drag
    bool selected[BRUME_MAX_CAMERA_KEYS];        ///< keys of the active curve
    BrumeValueKey before[BRUME_MAX_CAMERA_KEYS]; ///< keys of the active curve at the beginning of the drag
};

/** The value of a row that can be animated: the ends of a box move together. */
struct BrumeKeyedValue {
    int count;
    BrumeAnimatedMember members[2];
};

/** The sections that were drawn, and which of them are open. */
struct BrumeOpenSections {
    const char *names[BRUME_PANEL_SECTIONS];
    bool open[BRUME_PANEL_SECTIONS];
    int count;
};

/** The message before a scene replaces a file; a second Enter replaces it. */
#define BRUME_FILE_EXISTS "this file exists: once more replaces it"

/** The field of the section Scene in which the name of a saved scene is typed. */
struct BrumeSaveField {
    char name[BRUME_VIEWER_PATH];
    bool replaces; ///< a second Enter replaces the file of this name
    bool focus;    ///< the field gets the focus
};

/** The slider, or the row of numbers, that was pressed last, and its values before. */
struct BrumePressedSlider {
    ImGuiID id; ///< of ImGui
    double before[3];
    bool restored;     ///< the slider that was drawn last has its earlier value again
    char refused[160]; ///< reason why the typed number is rejected; "": none
};

/** The numbers of the row in which one is typed: they take effect when typing ends, not with each character. */
struct BrumeTypedNumbers {
    ImGuiID id; ///< of ImGui
    int layout; ///< number of ImGui's layout in which they were typed last
    double numbers[3];
    double before[3]; ///< the numbers when typing began
};

/** The search in the panel: while there is a text, the panel has the matching rows of all sections. */
struct BrumeRowSearch {
    char text[48];
    bool opens, closes; ///< in the next layout
    bool active;        ///< the field is active
    bool has_matches;   ///< in the present layout
    bool has_title;     ///< the name of the present section is drawn
};

/** The dialog for files. */
struct BrumeFileDialog {
    BrumeFilePurpose purpose; ///< BRUME_CHOOSE_NOTHING: it is closed
    bool opens;               ///< in the next layout
    char folder[BRUME_CHOSEN_PATH], name[BRUME_CHOSEN_PATH];
    BrumeFolderList list;
    int selected;      ///< entry; -1: none
    bool focus;        ///< the field of the name gets the focus
    bool renamed;      ///< the name was set to an entry's
    bool scrolls;      ///< the selected entry is scrolled into view
    bool replaces;     ///< a second confirmation replaces a file
    int edition;       ///< counts replacements of the text field
    char message[600]; ///< reason why the name is not accepted
};

struct BrumePanel {
    SDL_Window *window;
    ImGuiContext *context;
    const BrumePresets *presets;
    float pixels_per_point; ///< at a scale of 1
    float pixels_per_unit;  ///< of ImGui
    bool light;             ///< the present theme
    float ui_scale;         ///< present scale relative to the display's
    float unit;             ///< size of a point in units of ImGui
    ImFont *text, *bold;

    // the input that was not passed to ImGui yet (events.cpp)
    ImVec2 pointer;
    bool down[BRUME_PANEL_BUTTONS];
    bool owned;         ///< the held buttons were pressed on the panel
    bool has_motion;    ///< the pointer moved since the last layout
    bool has_change;    ///< a button, a key that ImGui knows or the wheel changed since the last layout
    bool has_key;       ///< a key was pressed since the last layout
    bool has_text;      ///< text was typed since the last layout
    double event_clock; ///< SDL's clock at the latest event [s]
    double clock;       ///< SDL's clock at the latest layout [s]
    bool second_press;  ///< the latest press of the left button is the second one of a double click
    double pressed_at;  ///< SDL's clock at the latest press of the left button [s]
    double emptied_at;  ///< SDL's clock when all events were handled [s]
    bool types_text;    ///< the typed characters are text, not a number
    bool always_text;   ///< SDL reports typed text also while no text field is active

    ImVec2 covered[8][2]; ///< rectangles that panel and help cover: lower and upper corners
    int covered_count;
    bool popup_open;

    BrumeSpot spots[BRUME_PANEL_SPOTS];
    int spot_count;

    BrumeKeyboardFocus focus;

    BrumePanelState restored; ///< state of the previous run (panel_state.cpp)
    BrumeOpenSections sections;
    float width;        ///< width of the panel [points]; 0: in proportion to the window
    float chosen_width; ///< value of its slider while it is dragged
    bool width_held;    ///< the slider is being dragged
    BrumePressedSlider pressed_slider;
    BrumeTypedNumbers typed;

    const void *hovered; ///< identifies the control under the pointer
    double hovered_since;

    BrumeCurveEditor curve_editor;
    BrumeKeyedValue hovered_value; ///< value of the row under the pointer; count 0: none that can be animated
    bool keys_only;                ///< only keys change values of the section: an earlier frame is shown

    int resolution;       ///< value of the resolution slider while it is dragged
    bool resolution_held; ///< the resolution slider is being dragged
    char open[BRUME_VIEWER_PATH], sky[BRUME_VIEWER_PATH];
    BrumeSaveField save;
    BrumeRowSearch search;
    bool tool_was_active; ///< the select tool was active in the previous layout
    BrumeFileDialog dialog;
    char chosen_folder[BRUME_FILE_PURPOSES][BRUME_CHOSEN_PATH]; ///< folder of the latest chosen file; "": none
    char look_name[2][64];                                      ///< typed name of a new preset of media, of lights
    unsigned look_atlas;                                        ///< texture with the thumbnails of looks; 0: none
    unsigned look_serial[BRUME_MAX_LOOKS];                      ///< serial of each thumbnail in it
    bool look_drawn[BRUME_MAX_LOOKS];                           ///< there is a thumbnail
    bool sky_wanted;                                            ///< an image of the sky was chosen before there is one
    BrumeSkyKind sky_before;                                    ///< kind of sky until there is an image

    float icon_width;        ///< width of the buttons with pictograms
    float foot;              ///< height of the timeline at the foot of the window, 0 without one
    const char *unavailable; ///< reason why the present controls cannot be used; nullptr: they can
    const char *reset_doc;   ///< action of the present reset buttons; nullptr: they reset to the scene's values

    // of the current call of brume_panel_draw or brume_panel_lay_out
    const char *section;
    const BrumeScene *scene;
    const BrumeReadouts *readouts;
    BrumeControls *controls;
    BrumeCommands *commands;
};

/** Pictograms, drawn as shapes because fonts may not have them. */
enum class BrumeIcon {
    Play,
    Pause,
    Step,
    StepBack,
    Restart,
    Undo,
    Redo,
    Camera,
    Record,
    Loop,
    Backwards,
    GoOn,
    ToEnd,
    Select,
    Eye,
    ClosedEye,
    Solid,
    Passable
};

// panel.cpp
/** One frame of ImGui, which is not drawn. */
void brume_lay_out_once(BrumePanel &panel);

// events.cpp
void brume_start_events(BrumePanel &panel);
/** Passes pointer, buttons and the time to ImGui, after the backend's and before ImGui's NewFrame. */
void brume_pass_events(BrumePanel &panel, double now);
/** Presses or releases a key that ImGui knows. */
void brume_pass_key(const BrumePanel &panel, SDL_Scancode scancode, bool down);
/** Makes SDL report typed text if a text field is active. */
void brume_update_text_input(BrumePanel &panel);

// theme.cpp
/** The colors of the present theme; `brume_on_accent` is the color of text on brume_accent. */
extern ImU32 brume_dim_text, brume_bright_text, brume_accent, brume_on_accent, brume_changed, brume_alarm;

/** Sets ImGui's style, the colors, and the fonts for the scales of `panel`. */
void brume_theme_apply(BrumePanel &panel);

void brume_draw_icon(BrumeIcon icon, ImVec2 middle, float radius, ImU32 color);

// rows.cpp
/** Draws the header of a collapsible section; returns whether it is open. Its name qualifies its controls' names. */
bool brume_begin_section(BrumePanel &panel, const char *name, bool open_at_first);

/**
 * As brume_begin_section, for controls that need a simulation: where a sequence is played, the section is closed and
 * the tooltip of its header has the reason.
 */
bool brume_begin_simulation_section(BrumePanel &panel, const char *name, bool open_at_first);

/** Controls that need a simulation: disabled between these calls where a sequence is played. */
void brume_begin_simulation_controls(BrumePanel &panel);
void brume_end_simulation_controls(BrumePanel &panel);

/** Stores the rectangle of the item drawn last, for brume_panel_find. */
void brume_note_spot(BrumePanel &panel, const char *label, const char *suffix = "");

/** Shows a tooltip now, below or above the rectangle with these corners: `text`, and `more` below it in dim text. */
void brume_show_tooltip(BrumePanel &panel, ImVec2 lower, ImVec2 upper, const char *text, const char *more = nullptr);

/** Shows a tooltip if the pointer rests on the item drawn last: `doc`, and `more` below it in dim text. */
void brume_explain(BrumePanel &panel, const void *what, const char *doc, const char *more = nullptr);

/**
 * To be called before and after a control: draws its label on the left, or above it where the panel is too narrow for
 * both the label and a control of this `width`, and a reset button on the right. `unit` follows the label. Returns
 * false where a search does not match the section, the label or the `path` of a setting: nothing must be drawn then.
 */
bool brume_begin_row(BrumePanel &panel, const char *label, bool changed, float width, const char *unit = "",
                     const char *path = "");
/** The reset button is drawn if the value is `changed`. Returns whether it was pressed. */
bool brume_end_row(BrumePanel &panel, const char *label, bool changed, const char *doc, const char *more = nullptr);

/** The widths in which sliders, vectors and lists with a text of this width are readable [units of ImGui]. */
float brume_slider_width(const BrumePanel &panel);
float brume_vector_width();
float brume_combo_width(float text_width);

/** Draws a switch that is not in the parameter tables. Returns whether it was changed. */
bool brume_switch_row(BrumePanel &panel, const char *label, bool *value, const char *doc);

// parameter_rows.cpp
/**
 * Draws a parameter of the struct `values`; its reset button restores the value in `scene` (NULL: no reset button).
 * Returns whether the value was changed.
 */
bool brume_parameter_row(BrumePanel &panel, const BrumeParameter &parameter, void *values, const void *scene);
/** Draws all parameters of a group. */
void brume_parameter_rows(BrumePanel &panel, BrumeParameterGroup group, void *values, const void *scene);

// numbers.cpp
/**
 * For the item drawn last, whose `count` numbers were changed: accepts them if they are in the range. Otherwise
 * restores the numbers from before it was pressed, and a message reports it once typing ends (brume_end_row).
 */
bool brume_take_typed(BrumePanel &panel, double *numbers, int count, double lower, double upper, const char *unit);

/**
 * Whether numbers with the name "##value" were being typed in the layout before; sets `edited`, which has the present
 * ones, to those that are typed.
 */
bool brume_typing_goes_on(const BrumePanel &panel, double *edited, int count);

/**
 * For these numbers, drawn last: keeps `edited` while typing goes on, and returns true; the numbers stay then. When it
 * has ended, sets those of `edited` that were not typed to the `present` ones, all of them after Escape.
 */
bool brume_hold_typed(BrumePanel &panel, double *edited, const double *present, int count);

/**
 * Draws up to three numbers with the name "##value" that are dragged and typed; returns whether one was changed. For
 * the keyboard focus, a hundredth of the range is ten steps of `speed`.
 */
bool brume_drag_numbers(BrumePanel &panel, float *numbers, int count, float speed, float lower, float upper,
                        const char *format, const char *unit);

/** Draws a slider with the name "##value", whose values have three digits unless they are typed. */
bool brume_slide_number(BrumePanel &panel, float *value, float lower, float upper, const char *unit, bool logarithmic);

/** Stores the numbers of the item drawn last from before it was pressed. */
void brume_note_pressed(BrumePanel &panel, const float *before, int count);

/** Draws a row with a slider that is not in the parameter tables. Returns whether it was changed. */
bool brume_slider_row(BrumePanel &panel, const char *label, float *value, float lower, float upper, const char *unit,
                      bool logarithmic, const char *doc);

// buttons.cpp
/** Draws a button with a pictogram; returns whether it was pressed. */
bool brume_icon_button(BrumePanel &panel, const char *label, BrumeIcon icon, const char *doc, bool enabled = true,
                       ImU32 color = 0);

/** ImGui::Selectable with the whole text. ImGui alone would hide the text after ##, as in names of sequences. */
bool brume_selectable_text(const char *text, bool selected = false, ImGuiSelectableFlags flags = 0);

/** ImGui::BeginCombo with the whole text as the selected entry. Uses the width of the next item. */
bool brume_begin_text_combo(const char *text, ImGuiComboFlags flags);

/** A button with the whole text, at its left. */
bool brume_text_button(const char *text, float width);

/** Draws one button of a group with one chosen button; returns whether it was pressed and not chosen before. */
bool brume_choice_button(BrumePanel &panel, const char *label, bool chosen, float width, const char *doc);

/** The width of each of `count` columns that fill the panel [units of ImGui]. */
float brume_column_width(int count);

/** Returns the number of columns of equal width for buttons with these labels, at most `most`. */
int brume_fitting_columns(const char *const *labels, int count, int most);

// search.cpp
/** Draws the field in which the name of a row is searched. */
void brume_draw_search(BrumePanel &panel);
/** Whether rows are searched: then the sections draw only matching rows. */
bool brume_is_searching(const BrumePanel &panel);
/** Whether a row of the present section is to be drawn; draws the name of the section before the first one. */
bool brume_search_matches(BrumePanel &panel, const char *label, const char *path);
/** Handles the press of a key that opens or closes the search; returns whether it is for the search alone. */
bool brume_search_takes_key(BrumePanel &panel, const SDL_Event &event);
/** Whether a key moves the focus from the field to the first row. */
bool brume_search_is_entered(const BrumePanel &panel, const SDL_Event &event);

// panel_state.cpp
/** Whether a section is initially open: as in the previous run, or `open_at_first`. */
bool brume_section_is_open_at_first(const BrumePanel &panel, const char *name, bool open_at_first);
/** Stores whether a section is open; `name` must be valid for the rest of the program. */
void brume_note_section(BrumePanel &panel, const char *name, bool open);

// key_button.cpp
/** Finds the value that can be animated at an address within the settings that the panel edits. */
bool brume_find_member(BrumePanel &panel, const void *address, BrumeAnimatedMember &member);
/** Whether a member has keys. */
bool brume_is_animated(BrumePanel &panel, const BrumeAnimatedMember &member);
/** Sets keys of all components of a member at `time` [s] with their present values. */
void brume_set_keys(BrumeControls &controls, const BrumeAnimatedMember &member, double time);
/** Draws the key button of the row that was drawn last. */
void brume_key_button(BrumePanel &panel, const char *label, const BrumeAnimatedMember &member);
void brume_key_button(BrumePanel &panel, const char *label, const BrumeKeyedValue &keyed);
/** Sets the hovered value if the pointer is over the row from `top` to `bottom` [points]. */
void brume_note_hovered_value(BrumePanel &panel, const BrumeKeyedValue &keyed, float top, float bottom);
/** Whether a row may change a value with these members: at an earlier frame only if they have keys. */
bool brume_can_edit_value(BrumePanel &panel, const BrumeAnimatedMember *members, int count);
/** Draws a key as a diamond: faint without keys, outlined with keys, filled with a key at this time. */
void brume_draw_diamond(ImVec2 middle, float radius, bool animated, bool has_key, bool hovered);

// slider.cpp
/** Draws a slider with the name "##value"; returns whether the value was changed. */
bool brume_slider(BrumePanel &panel, float *value, float lower, float upper, int digits, const char *unit,
                  bool logarithmic);
bool brume_slider(BrumePanel &panel, int *value, int lower, int upper, const char *format, bool logarithmic);

// curves.cpp
/**
 * Draws a switch for a curve and, where it is on, the plot that edits its points. Switching on sets the points of the
 * scene, or of `first` where the scene has none.
 */
void brume_curve_rows(BrumePanel &panel, const char *label, BrumeCurve &curve, const BrumeCurve &scene,
                      const BrumeCurve &first, const char *doc);

// sections/: one file each
void brume_draw_buttons(BrumePanel &panel);
void brume_draw_variants(BrumePanel &panel);
void brume_draw_scene(BrumePanel &panel);
void brume_draw_time(BrumePanel &panel);
void brume_draw_brush(BrumePanel &panel);
void brume_draw_objects(BrumePanel &panel);
/** Draws the values of the selected object, for the section of the objects. */
void brume_draw_selected_object(BrumePanel &panel);
/** Emitter n as in the scene; nullptr where the scene has fewer. */
const BrumeEmitterDef *brume_scene_emitter(const BrumePanel &panel, int n);
void brume_draw_view(BrumePanel &panel);
void brume_draw_camera(BrumePanel &panel);
void brume_draw_air(BrumePanel &panel);
void brume_draw_smoke(BrumePanel &panel);
void brume_draw_particles(BrumePanel &panel);
void brume_draw_look(BrumePanel &panel);
void brume_free_look(BrumePanel &panel);
void brume_draw_lights(BrumePanel &panel);
/** Draws the row in which an image of the sky is opened. */
void brume_sky_file_row(BrumePanel &panel);
/** Draws the values of the n-th light, for the section of the objects. */
void brume_draw_light(BrumePanel &panel, int n);
void brume_draw_solver(BrumePanel &panel);
void brume_draw_solver_details(BrumePanel &panel);
void brume_draw_keyframes(BrumePanel &panel);
void brume_draw_pictures(BrumePanel &panel);
void brume_draw_export(BrumePanel &panel);
/** Draws the list of jobs, for the section of exports. */
void brume_draw_jobs(BrumePanel &panel);
/** Draws the progress of the running job, or of the latest one. */
void brume_draw_present_job(BrumePanel &panel);
/** The running job or nullptr; and a text on the progress of a job: "render 1 to 48: 3 of 48, 2 min left". */
const BrumeJob *brume_running_job(const BrumeJobList *jobs);
void brume_describe_job(const BrumeJob &job, char *text, size_t size);
void brume_draw_window_section(BrumePanel &panel);

// sections/sections.cpp
/** Draws all sections, in the order of the panel. */
void brume_draw_sections(BrumePanel &panel);

// file_dialog.cpp
void brume_draw_file_dialog(BrumePanel &panel);

/** Returns the width that a text field leaves for the button of brume_browse_button [units of ImGui]. */
float brume_browse_width();

/** Draws a button next to a text field, after brume_end_row, that opens a dialog for files. */
void brume_browse_button(BrumePanel &panel, const char *label, BrumeFilePurpose purpose);
void brume_panel_close_dialog(BrumePanel &panel);

// selection.cpp
/** Draws outlines, handles and numbers of the select tool over the picture. */
void brume_draw_selection(BrumePanel &panel);

// timeline.cpp
/** The height of the timeline [units of ImGui]; 0 where none is shown. */
float brume_timeline_height(const BrumePanel &panel, const BrumeControls &controls, const BrumeReadouts &readouts);
void brume_draw_timeline(BrumePanel &panel);
/** Returns the frames per second of the time of keys [1/s]. */
double brume_frame_rate(const BrumePanel &panel);
/** Returns the tooltip of the loop button. */
const char *brume_loop_doc(const BrumeControls &controls);

// curve_editor.cpp
/** The height of the curve editor in a window of this height [units of ImGui]; 0 where it is not shown. */
float brume_curve_editor_height(const BrumePanel &panel, const BrumeControls &controls, float window_height);
/** Draws the curve editor above the timeline, from `left` to the right edge of the window. */
void brume_draw_curve_editor(BrumePanel &panel, float left);
/** Handles the press of a key of the curve editor while the pointer is over it; returns whether it is one. */
bool brume_curve_editor_takes_key(BrumePanel &panel, const SDL_Keysym &key);

// brush_cursor.cpp
void brume_draw_brush_cursor(BrumePanel &panel);

// hud.cpp
void brume_draw_hud(BrumePanel &panel);

// help.cpp
void brume_draw_help(BrumePanel &panel);

#endif
