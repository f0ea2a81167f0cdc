/**
 * @file focus.h
 * The keyboard focus of the panel (focus_layout.cpp): the control to which keys go instead of to the picture. What keys
 * do with it is in focus_keys.cpp and focus_commands.cpp.
 */
#ifndef BRUME_VIEWER_PANEL_FOCUS_H
#define BRUME_VIEWER_PANEL_FOCUS_H

#include <SDL.h>
#include <imgui.h>

struct BrumePanel;
struct ImGuiWindow;

enum { BRUME_PANEL_PARTS = 3 }; ///< panel, curve editor and timeline

/** What a key does with the focus; it is done in the layout that follows the key. */
enum class BrumeFocusCommand {
    None,
    Next,     ///< to the next control
    Previous, ///< to the control before
    NextPart, ///< to the next part of the window: panel, curve editor, timeline, picture
    PreviousPart,
    Enter,     ///< from the picture into the panel
    Leave,     ///< back to the picture
    Press,     ///< presses the control
    Type,      ///< starts to type in the control
    Change,    ///< changes the value of the control by an arrow
    EndChange, ///< the arrow was released
    Close,     ///< closes the list or menu that is open
    Pass,      ///< the key is one of Dear ImGui's: it moves the focus, or closes a list
    Deliver,   ///< the key is one of the control's own (brume_focus_key)
    Reset,     ///< presses the reset button of the control's row
    SetKey,    ///< presses the key button of the control's row
};

struct BrumeKeyboardFocus {
    bool active;         ///< keys go to the panel
    bool until_dialog;   ///< it became active in the dialog for files, and ends with it
    bool explains;       ///< the tooltip of the focused control is shown
    ImGuiID window;      ///< of ImGui, with the focused control; 0: none yet
    ImGuiID control;     ///< the control of which the following are known
    bool takes_value;    ///< a number or a text can be typed
    bool is_text;        ///< it is a field of text
    bool has_keys;       ///< it has keys of its own
    bool is_alive;       ///< it was in the latest layout
    ImVec2 lower, upper; ///< its rectangle
    char name[64];       ///< as brume_note_spot has it
    ImGuiID changed;     ///< control that an arrow changes until it is released; 0: none
    BrumeFocusCommand command;
    SDL_Keysym key; ///< of the command

    // of one layout
    int direction;         ///< of the request for another control: 1, -1, or 0 for the first
    bool requests;         ///< there is such a request
    bool releases;         ///< the active control is to be released
    SDL_Keycode delivered; ///< the key of BrumeFocusCommand::Deliver, otherwise 0
};

// focus_commands.cpp
/** Does the command of the latest key, in as many layouts as it needs; false if there is none. */
bool brume_focus_do_command(BrumePanel &panel);

// focus_layout.cpp
/** The window of ImGui of a part; nullptr where it is not shown. */
ImGuiWindow *brume_find_part(int part);
bool brume_is_part(const ImGuiWindow *window);
/** The window in which a child window lies, or the window itself. */
ImGuiWindow *brume_root_window(ImGuiWindow *window);

/** Gives the keys back to the picture. */
void brume_focus_leave(BrumePanel &panel);

/** To be called before and after ImGui::NewFrame, and after everything is laid out. */
void brume_focus_before_frame(BrumePanel &panel);
void brume_focus_after_new_frame(BrumePanel &panel);
void brume_focus_after_layout(BrumePanel &panel);

/** A press of a button of the mouse: beside the panel, the keys belong to the picture again. */
void brume_focus_note_press(BrumePanel &panel, bool on_panel);

/** Whether keys go to the panel, and the item drawn last has the focus or contains the one that has. */
bool brume_has_focus(const BrumePanel &panel);

/**
 * Whether the latest input was a key for the panel: the pointer rests anywhere then, and ImGui::IsItemHovered tells
 * which item has the focus.
 */
bool brume_focus_is_used(const BrumePanel &panel);

/** Identifies the item drawn last and its window; the item is 0 for several controls in a row. */
void brume_identify_item(ImGuiID &item, ImGuiID &window);

/** Whether the key of menus was pressed, and the item drawn last has the focus. */
bool brume_menu_key(const BrumePanel &panel);

/** Draws a field of text with the name "##value", or `name`, as ImGui::InputTextWithHint does. */
bool brume_text_field(BrumePanel &panel, const char *hint, char *text, size_t size, bool with_enter,
                      const char *name = "##value");

/**
 * For the item drawn last, which has keys of its own: arrows, Home, End, Insert, Delete, Space and Enter. The key that
 * was pressed, 0 for none; its modifiers are `panel.focus.key.mod`.
 */
SDL_Keycode brume_focus_key(BrumePanel &panel);

#endif
