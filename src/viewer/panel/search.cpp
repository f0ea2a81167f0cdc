// The search for rows: in place of the sections, the panel shows the rows of all sections whose name, section or path
// in a scene contains every word of the text.
#include "viewer/panel/panel_internal.h"

#include <cctype>
#include <cfloat>
#include <cstdio>
#include <cstring>

bool brume_is_searching(const BrumePanel &panel) { return panel.search.text[strspn(panel.search.text, " ")] != '\0'; }

static void to_lower(char *text)
{
    for (; *text; text++) {
        *text = (char)tolower((unsigned char)*text);
    }
}

bool brume_search_matches(BrumePanel &panel, const char *label, const char *path)
{
    BrumeRowSearch &search = panel.search;
    char names[384];
    char words[sizeof search.text];
    (void)snprintf(names, sizeof names, "%s %s %s", panel.section, label, path);
    (void)snprintf(words, sizeof words, "%s", search.text);
    to_lower(names);
    to_lower(words);
    char *rest = nullptr;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(nullptr, " ", &rest)) {
        if (!strstr(names, word)) {
            return false;
        }
    }
    if (!search.has_title) {
        ImGui::PushFont(panel.bold);
        ImGui::TextUnformatted(panel.section);
        ImGui::PopFont();
    }
    search.has_title = search.has_matches = true;
    return true;
}

void brume_draw_search(BrumePanel &panel)
{
    BrumeRowSearch &search = panel.search;
    panel.section = "";
    search.has_matches = false;
    if (search.opens) {
        ImGui::SetScrollY(0.0f);
        ImGui::SetKeyboardFocusHere();
        search.opens = false;
    }
    ImGui::SetNextItemWidth(-FLT_MIN);
    (void)brume_text_field(panel, "search (Ctrl + F)", search.text, sizeof search.text, false, "##search");
    search.active = ImGui::IsItemActive();
    brume_note_spot(panel, "search");
    brume_explain(panel, &search, "Shows the rows of all sections whose name or section has these words (Ctrl + F).",
                  "Enter goes to the first of them, Esc closes the search");
    if (search.closes && !search.active) {
        search.text[0] = '\0';
        search.closes = false;
    }
}

bool brume_search_takes_key(BrumePanel &panel, const SDL_Event &event)
{
    const SDL_Keysym &key = event.key.keysym;
    BrumeRowSearch &search = panel.search;
    if (event.type != SDL_KEYDOWN || !panel.controls || panel.controls->help ||
        panel.dialog.purpose != BRUME_CHOOSE_NOTHING) {
        return false;
    }
    if (key.sym == SDLK_f && (key.mod & KMOD_CTRL) != 0) {
        panel.controls->panel = search.opens = panel.has_change = true;
        return true;
    }
    const bool is_free = !ImGui::GetIO().WantTextInput && !panel.popup_open;
    if (key.sym == SDLK_ESCAPE && (search.active || (is_free && brume_is_searching(panel)))) {
        search.closes = panel.has_change = true;
        if (search.active) { // with this key ImGui ends the typing
            brume_pass_key(panel, SDL_SCANCODE_ESCAPE, true);
        }
        brume_focus_leave(panel);
        return true;
    }
    return false;
}

bool brume_search_is_entered(const BrumePanel &panel, const SDL_Event &event)
{
    const SDL_Keycode key = event.key.keysym.sym;
    return event.type == SDL_KEYDOWN && panel.search.active &&
           (key == SDLK_RETURN || key == SDLK_KP_ENTER || key == SDLK_DOWN);
}
