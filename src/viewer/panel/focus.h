/**
 * @file focus.h
 * The keyboard focus of the panel (focus_control.cpp): the control that receives keys in place of the picture.
 * focus_keys.cpp maps keys to commands.
 *
 * Dear ImGui 1.86, which Debian 12 has, stops with Tab at numbers and texts only. Since 1.89.4, Tab goes to all items
 * with ImGuiConfigFlags_NavEnableKeyboard. When Debian 12 is not supported any more, ImGui can replace the commands
 * Next, Previous and Press; the others, and one step for each press of an arrow, are still needed.
 */
#ifndef BRUME_VIEWER_PANEL_FOCUS_H
#define BRUME_VIEWER_PANEL_FOCUS_H

#include <SDL.h>
#include <imgui.h>

struct BrumePanel;

/** The action of a key on the focus, done in the layouts that follow the key. */
enum class BrumeFocusCommand {
    None,
    Next,     ///< to the next control
    Previous, ///< to the previous control
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
    Deliver,   ///< passes the key to the control (brume_focus_key)
    Reset,     ///< presses the reset button of the control's row
    SetKey,    ///< presses the key button of the control's row
};

/** The keys that a control accepts. */
enum class BrumeControlKind {
    None,   ///< none: it cannot have the focus
    Button, ///< Enter and Space press it
    Number, ///< arrows change it; typing replaces it
    Text,   ///< typing edits it
    Keys,   ///< it handles keys itself (brume_focus_key)
};

struct BrumeKeyboardFocus {
    bool active;         ///< keys go to the panel
    bool until_dialog;   ///< it became active in the dialog for files, and ends with it
    bool explains;       ///< the tooltip of the focused control is shown
    bool is_used;        ///< the latest input was a key for the panel
    char name[64];       ///< name of the control, as brume_note_spot stores it
    int spot;            ///< its index in the latest layout
    int number;          ///< of several numbers in a row
    char opener[64];     ///< control that had the focus before a list or dialog was opened; "": none is open
    int opener_number;   ///< of several numbers in a row
    int closed_for;      ///< layouts since the list or dialog was closed
    bool is_alive;       ///< the control was in the latest layout
    ImVec2 lower, upper; ///< its rectangle
    bool changes;        ///< an arrow that changes its number is held
    BrumeFocusCommand command;
    SDL_Keysym key; ///< of the command

    // the kind of the control that is noted next (brume_focus_numbers), and its number of numbers
    BrumeControlKind next_kind = BrumeControlKind::Button;
    int next_numbers;
    bool next_has_swatch; ///< it has a button after the numbers

    // of one layout
    float hundredths; ///< hundredths of the range by which an arrow changes the focused number
    bool ends_change; ///< the change by an arrow is complete
    bool scrolls;     ///< the focused control is scrolled into view
    bool types;       ///< the focused text field becomes active
    bool points;      ///< the pointer of ImGui is at `pointer`
    bool presses;     ///< with the left button down
    ImVec2 pointer;
    SDL_Keycode delivered; ///< the key of BrumeFocusCommand::Deliver, otherwise 0
};

/** Executes the command of the latest key, in as many layouts as it needs; false if there is none. */
bool brume_focus_do_command(BrumePanel &panel);

/** Removes the focus, so that the picture receives keys. */
void brume_focus_leave(BrumePanel &panel);

/** Updates the focus; to be called after everything is laid out. */
void brume_focus_after_layout(BrumePanel &panel);

/** Handles a press of a mouse button: outside the panel, the picture receives keys again. */
void brume_focus_note_press(BrumePanel &panel, bool on_panel);

/** Stores the data for the focus of the control drawn last, the newest of `panel.spots`. */
void brume_focus_note(BrumePanel &panel);

/** Whether the panel receives keys, and the item drawn last has the focus or contains the focused one. */
bool brume_has_focus(const BrumePanel &panel);

/** Whether the key of menus was pressed, and the item drawn last has the focus. */
bool brume_menu_key(const BrumePanel &panel);

/**
 * For the item drawn last, `count` numbers side by side and perhaps the button of a color, before it is noted: returns
 * the hundredths of its range by which an arrow changes the number `changed`; 0: none.
 */
float brume_focus_numbers(BrumePanel &panel, int count, int &changed, bool has_swatch = false);

/** Whether the item drawn last, which is not noted yet, is changed by ImGui or by an arrow of the keyboard. */
bool brume_item_is_changed(const BrumePanel &panel);
bool brume_item_was_changed(const BrumePanel &panel);

/** Draws a field of text with the name "##value", or `name`, as ImGui::InputTextWithHint does. */
bool brume_text_field(BrumePanel &panel, const char *hint, char *text, size_t size, bool with_enter,
                      const char *name = "##value");

/**
 * For the item noted last, which handles arrows, Home, End, Insert, Delete, Space and Enter: returns the pressed key, 0
 * for none; its modifiers are `panel.focus.key.mod`.
 */
SDL_Keycode brume_focus_key(BrumePanel &panel);

#endif
