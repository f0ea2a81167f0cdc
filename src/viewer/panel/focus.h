/**
 * @file focus.h
 * The keyboard focus of the panel (focus_control.cpp): the control to which keys go instead of to the picture. Which
 * key does what with it is in focus_keys.cpp.
 *
 * Dear ImGui 1.86, which Debian 12 has, stops with Tab at numbers and texts only. Since 1.89.4, Tab goes to all items
 * with ImGuiConfigFlags_NavEnableKeyboard. When Debian 12 is not supported any more, it can do the commands Next,
 * Previous and Press; the others, and one step for each press of an arrow, are needed further.
 */
#ifndef BRUME_VIEWER_PANEL_FOCUS_H
#define BRUME_VIEWER_PANEL_FOCUS_H

#include <SDL.h>
#include <imgui.h>

struct BrumePanel;

/** What a key does with the focus; it is done in the layouts that follow the key. */
enum class BrumeFocusCommand {
    None,
    Next,     ///< to the next control
    Previous, ///< to the control before
    First,    ///< to the first control of the window of ImGui
    Last,
    NextPart, ///< to the next part of the window: panel, curve editor, timeline, picture
    PreviousPart,
    Enter,     ///< from the picture into the panel
    Leave,     ///< back to the picture
    Press,     ///< presses the control
    Type,      ///< starts to type in the control
    Arrow,     ///< changes the number of the control, or goes to the nearest control on that side
    EndChange, ///< the arrow was released
    Close,     ///< closes the list or menu that is open
    Deliver,   ///< the key is one of the control's own (brume_focus_key)
    Reset,     ///< presses the reset button of the control's row
    SetKey,    ///< presses the key button of the control's row
};

/** What keys do with a control. */
enum class BrumeControlKind {
    None,   ///< nothing: it has no focus
    Button, ///< Enter and Space press it
    Number, ///< arrows change it; it is typed
    Text,   ///< it is typed
    Keys,   ///< it has keys of its own (brume_focus_key)
};

struct BrumeKeyboardFocus {
    bool active;         ///< keys go to the panel
    bool until_dialog;   ///< it became active in the dialog for files, and ends with it
    bool explains;       ///< the tooltip of the focused control is shown
    bool is_used;        ///< the latest input was a key for the panel
    char name[64];       ///< of the control, as brume_note_spot has it
    int spot;            ///< its index in the latest layout
    int number;          ///< of several numbers in a row
    char opener[64];     ///< what had the focus before a list or dialog was opened; "": none is open
    int opener_number;   ///< of several numbers in a row
    int closed_for;      ///< layouts since it was closed
    bool is_alive;       ///< the control was in the latest layout
    ImVec2 lower, upper; ///< its rectangle
    bool changes;        ///< an arrow that changes its number is held
    BrumeFocusCommand command;
    SDL_Keysym key; ///< of the command

    // the kind of the control that is noted next (brume_focus_numbers), and how many numbers
    BrumeControlKind next_kind = BrumeControlKind::Button;
    int next_numbers;
    bool next_has_swatch; ///< and a button behind them

    // of one layout
    float hundredths; ///< of its range by which an arrow changes the focused number
    bool ends_change; ///< that change is complete
    bool scrolls;     ///< the focused control is scrolled into view
    bool types;       ///< the focused text field becomes active
    bool points;      ///< the pointer of ImGui is at `pointer`
    bool presses;     ///< with the left button down
    ImVec2 pointer;
    SDL_Keycode delivered; ///< the key of BrumeFocusCommand::Deliver, otherwise 0
};

/** Does the command of the latest key, in as many layouts as it needs; false if there is none. */
bool brume_focus_do_command(BrumePanel &panel);

/** Gives the keys back to the picture. */
void brume_focus_leave(BrumePanel &panel);

/** To be called after everything is laid out. */
void brume_focus_after_layout(BrumePanel &panel);

/** A press of a button of the mouse: beside the panel, the keys belong to the picture again. */
void brume_focus_note_press(BrumePanel &panel, bool on_panel);

/** Fills in what the focus needs of the control drawn last, which is the newest of `panel.spots`. */
void brume_focus_note(BrumePanel &panel);

/** Whether keys go to the panel, and the item drawn last has the focus or contains the one that has. */
bool brume_has_focus(const BrumePanel &panel);

/** Whether the key of menus was pressed, and the item drawn last has the focus. */
bool brume_menu_key(const BrumePanel &panel);

/**
 * For the item drawn last, which is `count` numbers side by side and perhaps the button of a color, before it is noted:
 * by how many hundredths of its range an arrow changes the number `changed`; 0 for none.
 */
float brume_focus_numbers(BrumePanel &panel, int count, int &changed, bool has_swatch = false);

/** As ImGui's, of the item drawn last before it is noted, also where an arrow of the keyboard changes it. */
bool brume_item_is_changed(const BrumePanel &panel);
bool brume_item_was_changed(const BrumePanel &panel);

/** Draws a field of text with the name "##value", or `name`, as ImGui::InputTextWithHint does. */
bool brume_text_field(BrumePanel &panel, const char *hint, char *text, size_t size, bool with_enter,
                      const char *name = "##value");

/**
 * For the item noted last, which has keys of its own: arrows, Home, End, Insert, Delete, Space and Enter. The key that
 * was pressed, 0 for none; its modifiers are `panel.focus.key.mod`.
 */
SDL_Keycode brume_focus_key(BrumePanel &panel);

#endif
