// The state of the panel that is saved between two runs: the open sections and the width.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static bool was_open(const BrumePanelState &state, const char *name)
{
    for (int n = 0; n < state.open_count; n++) {
        if (strcmp(state.open_sections[n], name) == 0) {
            return true;
        }
    }
    return false;
}

bool brume_section_is_open_at_first(const BrumePanel &panel, const char *name, bool open_at_first)
{
    return panel.restored.has_sections ? was_open(panel.restored, name) : open_at_first;
}

static int find_section(const BrumeOpenSections &sections, const char *name)
{
    int n = 0;
    while (n < sections.count && strcmp(sections.names[n], name) != 0) {
        n++;
    }
    return n;
}

void brume_note_section(BrumePanel &panel, const char *name, bool open)
{
    BrumeOpenSections &sections = panel.sections;
    const int n = find_section(sections, name);
    if (n < BRUME_PANEL_SECTIONS) {
        sections.names[n] = name;
        sections.open[n] = open;
        sections.count = n == sections.count ? n + 1 : sections.count;
    }
}

void brume_panel_restore(BrumePanel *panel, const BrumePanelState *state)
{
    panel->restored = *state;
    panel->width = state->width;
}

static void add_open(BrumePanelState &state, const char *name)
{
    if (state.open_count < BRUME_PANEL_SECTIONS) {
        (void)snprintf(state.open_sections[state.open_count++], BRUME_SECTION_NAME, "%s", name);
    }
}

void brume_panel_store(const BrumePanel *panel, BrumePanelState *state)
{
    const BrumeOpenSections &sections = panel->sections;
    state->width = panel->width;
    state->has_sections = panel->restored.has_sections || sections.count > 0;
    state->open_count = 0;
    for (int n = 0; n < sections.count; n++) {
        if (sections.open[n]) {
            add_open(*state, sections.names[n]);
        }
    }
    // sections that could not be opened in this run, such as simulation sections while a sequence is played
    const BrumePanelState &restored = panel->restored;
    for (int n = 0; n < restored.open_count; n++) {
        if (find_section(sections, restored.open_sections[n]) == sections.count) {
            add_open(*state, restored.open_sections[n]);
        }
    }
}
