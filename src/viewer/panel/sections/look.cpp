// The section of looks: presets of media and of lights with thumbnails of the present smoke, and the image of the sky.
#include "core/path.h"
#include "viewer/panel/panel_internal.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <epoxy/gl.h>
#include <vector>

// tiles of the texture with all thumbnails
static constexpr int ATLAS_COLUMNS = 12;
static constexpr int ATLAS_ROWS = (BRUME_MAX_LOOKS + ATLAS_COLUMNS - 1) / ATLAS_COLUMNS;
static constexpr int MOST_COLUMNS = 4; // maximum columns of the grid in the panel

static const float tile_points = 88.0f; // least width of a tile

static void make_atlas(BrumePanel &panel)
{
    const std::vector<unsigned char> black((size_t)3 * ATLAS_COLUMNS * BRUME_THUMBNAIL_WIDTH * ATLAS_ROWS *
                                           BRUME_THUMBNAIL_HEIGHT);
    glGenTextures(1, &panel.look_atlas);
    glBindTexture(GL_TEXTURE_2D, panel.look_atlas);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, ATLAS_COLUMNS * BRUME_THUMBNAIL_WIDTH, ATLAS_ROWS * BRUME_THUMBNAIL_HEIGHT,
                 0, GL_RGB, GL_UNSIGNED_BYTE, black.data());
}

void brume_free_look(BrumePanel &panel)
{
    if (panel.look_atlas != 0) {
        glDeleteTextures(1, &panel.look_atlas);
        panel.look_atlas = 0;
    }
}

// copies new thumbnails to the texture
static void update_atlas(BrumePanel &panel)
{
    BrumeLookThumbnails *const thumbnails = panel.readouts->look_thumbnails;
    if (!thumbnails) {
        return;
    }
    if (panel.look_atlas == 0) {
        make_atlas(panel);
    }
    glBindTexture(GL_TEXTURE_2D, panel.look_atlas);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int n = 0; n < panel.readouts->looks->count; n++) {
        BrumeThumbnail thumbnail;
        thumbnail.serial = panel.look_serial[n];
        if (!brume_look_thumbnails_get(thumbnails, n, &thumbnail)) {
            continue;
        }
        panel.look_serial[n] = thumbnail.serial;
        panel.look_drawn[n] = thumbnail.drawn;
        if (thumbnail.drawn) {
            glTexSubImage2D(GL_TEXTURE_2D, 0, n % ATLAS_COLUMNS * BRUME_THUMBNAIL_WIDTH,
                            n / ATLAS_COLUMNS * BRUME_THUMBNAIL_HEIGHT, BRUME_THUMBNAIL_WIDTH, BRUME_THUMBNAIL_HEIGHT,
                            GL_RGB, GL_UNSIGNED_BYTE, thumbnail.rgb);
        }
    }
}

static void draw_picture(const BrumePanel &panel, int n, ImVec2 lower, ImVec2 upper)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float rounding = ImGui::GetStyle().FrameRounding;
    const BrumeLookEntry &entry = panel.readouts->looks->entries[n];
    if (entry.error[0]) {
        list->AddRectFilled(lower, upper, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
        list->AddText(ImVec2(0.5f * (lower.x + upper.x) - 2.0f * panel.unit, lower.y + 0.3f * (upper.y - lower.y)),
                      brume_alarm, "!");
    } else if (panel.look_drawn[n] && panel.look_atlas != 0) {
        const ImVec2 step(1.0f / (float)ATLAS_COLUMNS, 1.0f / (float)ATLAS_ROWS);
        const int column = n % ATLAS_COLUMNS;
        const int row = n / ATLAS_COLUMNS;
        const ImVec2 from(step.x * (float)column, step.y * (float)row);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): ImGui's backend names textures by pointers or numbers
        const ImTextureID texture = (ImTextureID)(intptr_t)panel.look_atlas;
        list->AddImageRounded(texture, lower, upper, from, ImVec2(from.x + step.x, from.y + step.y), IM_COL32_WHITE,
                              rounding);
    } else {
        const uint8_t *color = entry.swatch;
        list->AddRectFilled(lower, upper, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
        list->AddCircleFilled(ImVec2(0.5f * (lower.x + upper.x), 0.5f * (lower.y + upper.y)),
                              0.25f * (upper.y - lower.y), IM_COL32(color[0], color[1], color[2], 255));
    }
}

// draws the menu of an own preset, opened by the right button
static void draw_menu(BrumePanel &panel, int n)
{
    const BrumeLookEntry &entry = panel.readouts->looks->entries[n];
    if (entry.own && brume_menu_key(panel)) {
        ImGui::OpenPopup("menu");
    }
    if (!entry.own || !ImGui::BeginPopupContextItem("menu")) {
        return;
    }
    if (ImGui::Selectable("delete this preset")) {
        panel.commands->remove_look = n + 1;
    }
    brume_note_spot(panel, "delete this preset");
    ImGui::EndPopup();
}

// draws a tile with the thumbnail and the name of a preset
static void draw_tile(BrumePanel &panel, int n, float width)
{
    const BrumeLookEntry &entry = panel.readouts->looks->entries[n];
    const BrumeLookBox box = {panel.readouts->look_floor, panel.readouts->look_side};
    const bool present =
        brume_look_entry_is_present(&entry, &box, brume_controls_look(panel.controls), panel.readouts->sky_file);
    const float height = width * (float)BRUME_THUMBNAIL_HEIGHT / (float)BRUME_THUMBNAIL_WIDTH;
    const float line = ImGui::GetTextLineHeight();
    ImGui::PushID(n);
    const ImVec2 lower = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("preset", ImVec2(width, height + line))) {
        panel.commands->apply_look = n + 1;
    }
    brume_note_spot(panel, entry.name);
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 upper(lower.x + width, lower.y + height);
    draw_picture(panel, n, lower, upper);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (present || hovered) {
        list->AddRect(lower, upper, present ? brume_accent : brume_dim_text, ImGui::GetStyle().FrameRounding, 0,
                      (present ? 2.5f : 1.0f) * panel.unit);
    }
    const ImU32 color = entry.error[0] ? brume_alarm : present ? brume_bright_text : brume_dim_text;
    const ImVec4 clip(lower.x, upper.y, upper.x, upper.y + line + panel.unit);
    list->AddText(ImGui::GetFont(), ImGui::GetFontSize() * 0.86f, ImVec2(lower.x, upper.y + 1.0f * panel.unit), color,
                  entry.name, nullptr, 0.0f, &clip);
    char more[sizeof entry.path + 64];
    (void)snprintf(more, sizeof more, "%s%s", entry.path,
                   entry.own ? "\nright click, or the menu key, deletes it" : "");
    char what[sizeof entry.preset.description + sizeof entry.name + 8];
    (void)snprintf(what, sizeof what, "%s. %s", entry.name, entry.preset.description);
    brume_explain(panel, &entry, entry.error[0] ? entry.error : what, entry.error[0] ? nullptr : more);
    draw_menu(panel, n);
    ImGui::PopID();
}

static void draw_grid(BrumePanel &panel, BrumeLookPart part)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float available = ImGui::GetContentRegionAvail().x;
    const int fitting = (int)((available + gap) / (tile_points * panel.unit + gap));
    const int columns = std::min(std::max(fitting, 1), MOST_COLUMNS);
    const float width = std::floor((available - gap * (float)(columns - 1)) / (float)columns);
    const BrumeLookCatalog &catalog = *panel.readouts->looks;
    int column = 0;
    for (int n = 0; n < catalog.count; n++) {
        if (catalog.entries[n].part != part) {
            continue;
        }
        if (column > 0) {
            ImGui::SameLine();
        }
        draw_tile(panel, n, width);
        column = (column + 1) % columns;
    }
}

static void draw_part(BrumePanel &panel, BrumeLookPart part)
{
    static const char *const titles[] = {"media", "lights"};
    static const char *const labels[] = {"save medium", "save lights"};
    static const char *const docs[] = {
        "Writes the present medium - extinction, albedo, curves, phase function and glow - as a preset of this name.",
        "Writes the present lights, sky, exposure and tone curve as a preset of this name."};
    if (!brume_is_searching(panel)) {
        ImGui::PushFont(panel.bold);
        ImGui::TextUnformatted(titles[part]);
        ImGui::PopFont();
        draw_grid(panel, part);
    }
    char *name = panel.look_name[part];
    if (!brume_begin_row(panel, labels[part], false, brume_slider_width(panel))) {
        return;
    }
    if (brume_text_field(panel, "name, Enter", name, sizeof panel.look_name[part], true) && name[0]) {
        (void)snprintf(panel.commands->save_look[part], sizeof panel.commands->save_look[part], "%s", name);
        name[0] = '\0';
    }
    (void)brume_end_row(panel, labels[part], false, docs[part], panel.readouts->looks->own);
}

// draws the rows of the sky's image: its name, rotation and brightness, and a button that removes it
static void draw_environment(BrumePanel &panel)
{
    BrumeRenderSettings &look = *brume_controls_look(panel.controls);
    const BrumeRenderSettings &scene = panel.scene->render_settings;
    if (brume_is_searching(panel)) { // the section Light has the same rows
        return;
    }
    ImGui::PushFont(panel.bold);
    ImGui::TextUnformatted("environment");
    ImGui::PopFont();
    brume_sky_file_row(panel);
    const char *file = panel.readouts->sky_file;
    if (look.sky.kind != BRUME_SKY_IMAGE || !file) {
        return;
    }
    ImGui::TextWrapped("%s, %d x %d", brume_path_name(file), look.sky.image.width, look.sky.image.height);
    brume_note_spot(panel, "environment file");
    brume_explain(panel, &look.sky, file);
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_RENDER];
    for (int n = 0; n < table.count; n++) {
        const size_t offset = table.parameters[n].setting->offset;
        if (offset == offsetof(BrumeRenderSettings, sky.rotation) ||
            offset == offsetof(BrumeRenderSettings, sky.intensity)) {
            (void)brume_parameter_row(panel, table.parameters[n], &look, &scene);
        }
    }
    if (ImGui::Button("remove environment", ImVec2(brume_column_width(1), 0.0f))) {
        look.sky.kind = scene.sky.kind == BRUME_SKY_IMAGE ? BRUME_SKY_GRADIENT : scene.sky.kind;
        panel.commands->edited = true;
    }
    brume_note_spot(panel, "remove environment");
    brume_explain(panel, &look.sky.kind, "Draws the sky of the scene again, or a gradient where that is an image.",
                  "undo brings the image back");
}

void brume_draw_look(BrumePanel &panel)
{
    if (!panel.readouts->looks || !brume_begin_section(panel, "Look", false)) {
        return;
    }
    if (!brume_is_searching(panel)) {
        panel.controls->looks_shown = true;
        update_atlas(panel);
    }
    for (int part = 0; part < BRUME_LOOK_PARTS; part++) {
        draw_part(panel, static_cast<BrumeLookPart>(part));
    }
    draw_environment(panel);
}
