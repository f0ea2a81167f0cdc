// The timeline at the foot of the window: the frames of a sequence, or the stored frames of the simulation; marks for
// the frames in memory; and the playhead.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <math.h>

static const float height_points = 46.0f;
static const float label_gap_points = 56.0f; // least distance of two frame numbers below the track

static const ImU32 missing_color = IM_COL32(36, 40, 47, 255);
static const ImU32 unread_color = IM_COL32(78, 86, 98, 255);
static const ImU32 in_memory_color = IM_COL32(70, 132, 156, 255);

float brume_timeline_height(const BrumePanel &panel, const BrumeControls &controls, const BrumeReadouts &readouts)
{
    const bool shown = (readouts.timeline.shown || readouts.timeline.kept) && (controls.panel || controls.hud);
    return shown ? std::round(height_points * panel.unit) : 0.0f;
}

/** The track: its rectangle, and the number of positions, each of which has an equal part of it. */
struct Track {
    float left, right, top, bottom;
    int last_index;
    float position_width;
    const BrumeTimelineReadouts *timeline;
};

// returns the left edge of a position's part
static float track_at(const Track &track, int number)
{
    const BrumeTimelineReadouts &timeline = *track.timeline;
    return track.left + track.position_width * ((float)number - (float)timeline.first) / (float)timeline.stride;
}

// the number of the frame at a position in the window
static int number_at(const Track &track, float x)
{
    const BrumeTimelineReadouts &timeline = *track.timeline;
    const double index = std::floor((double)(x - track.left) / (double)track.position_width);
    return timeline.first + timeline.stride * (int)std::fmin(std::fmax(index, 0.0), (double)track.last_index);
}

// by BrumeFrameState: in memory, broken, or not read yet
static ImU32 color_of(unsigned char state)
{
    return state == 1 ? in_memory_color : state == 2 ? brume_alarm : unread_color;
}

// draws the frames: neighbors in the same state as one rectangle
static void draw_frames(const Track &track, ImDrawList *list)
{
    const BrumeTimelineReadouts &timeline = *track.timeline;
    list->AddRectFilled(ImVec2(track.left, track.top), ImVec2(track.right, track.bottom), missing_color, 3.0f);
    for (int first = 0; first < timeline.count;) {
        int last = first;
        while (last + 1 < timeline.count && timeline.states[last + 1] == timeline.states[first] &&
               timeline.numbers[last + 1] - timeline.numbers[last] == timeline.stride) {
            last++;
        }
        const float from = track_at(track, timeline.numbers[first]);
        const float to = track_at(track, timeline.numbers[last]) + track.position_width;
        const float gap = track.position_width > 4.0f ? 0.5f : 0.0f;
        list->AddRectFilled(ImVec2(from + gap, track.top), ImVec2(std::fmax(to - gap, from + 1.0f), track.bottom),
                            color_of(timeline.states[first]), 2.0f);
        first = last + 1;
    }
}

// returns the smallest of 1, 2, 5, 10, 20, 50, ... strides at which the numbers do not overlap
static int label_distance(const Track &track, float least)
{
    static const int factors[] = {1, 2, 5};
    for (int power = 1; power <= 100000000; power *= 10) {
        for (const int factor : factors) {
            if (track.position_width * (float)(factor * power) >= least) {
                return factor * power;
            }
        }
    }
    return 1000000000;
}

static void draw_numbers(const BrumePanel &panel, const Track &track, ImDrawList *list)
{
    const BrumeTimelineReadouts &timeline = *track.timeline;
    const int distance = label_distance(track, label_gap_points * panel.unit);
    const float size = 0.85f * ImGui::GetFontSize();
    const int last = track.last_index;
    int first = 0; // a round number, if there is one
    while (first < distance && first <= last && (timeline.first / timeline.stride + first) % distance != 0) {
        first++;
    }
    for (int index = first <= last ? first : 0; index <= last; index += distance) {
        const int number = timeline.first + index * timeline.stride;
        const float x = track_at(track, number) + 0.5f * track.position_width;
        char text[16];
        (void)snprintf(text, sizeof text, "%d", number);
        const float width = ImGui::CalcTextSize(text).x * 0.85f;
        const float left = std::fmin(std::fmax(x - 0.5f * width, track.left), track.right - width);
        list->AddLine(ImVec2(x, track.bottom), ImVec2(x, track.bottom + 3.0f * panel.unit), brume_dim_text);
        list->AddText(ImGui::GetFont(), size, ImVec2(left, track.bottom + 3.0f * panel.unit), brume_dim_text, text);
        if (index > last - distance) {
            break; // the next index may not fit into an int
        }
    }
}

double brume_frame_rate(const BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    return panel.readouts->timeline.shown ? panel.readouts->timeline.fps / controls.speed_limit
                                          : (double)brume_controls_sim(panel.controls)->fps;
}

// draws a small diamond above the track, at a key of this time [s]
static void draw_key(const BrumePanel &panel, const Track &track, ImDrawList *list, double time, ImU32 color)
{
    const BrumeTimelineReadouts &timeline = *track.timeline;
    const double frame = (double)timeline.position + (time - panel.readouts->time) * brume_frame_rate(panel);
    if (!(frame > (double)timeline.first - 0.5 && frame < (double)timeline.last + 0.5)) {
        return;
    }
    const float radius = 3.0f * panel.unit;
    const double index = (frame - (double)timeline.first) / (double)timeline.stride;
    const ImVec2 at(track.left + track.position_width * ((float)index + 0.5f), track.top - radius - 1.0f * panel.unit);
    list->AddQuadFilled(ImVec2(at.x, at.y - radius), ImVec2(at.x + radius, at.y), ImVec2(at.x, at.y + radius),
                        ImVec2(at.x - radius, at.y), color);
}

// draws the keys of values, and the camera's keys in the accent color
static void draw_keys(const BrumePanel &panel, const Track &track, ImDrawList *list)
{
    const BrumeAnimation &animation = panel.controls->animation;
    for (int n = 0; n < animation.count; n++) {
        for (int key = 0; key < animation.values[n].key_count; key++) {
            draw_key(panel, track, list, animation.values[n].keys[key].time, brume_dim_text);
        }
    }
    const BrumeCameraPath &path = panel.controls->camera_path;
    for (int key = 0; key < path.count; key++) {
        draw_key(panel, track, list, path.keys[key].time, brume_accent);
    }
}

// draws the playhead in the color of text, with an edge in the color of the window, visible on frames of any color
static void draw_playhead(const BrumePanel &panel, const Track &track, ImDrawList *list)
{
    const float x = track_at(track, track.timeline->position) + 0.5f * track.position_width;
    const float unit = panel.unit;
    const float half = std::fmax(1.25f * unit, std::fmin(0.5f * track.position_width, 3.0f * unit));
    const ImVec2 lower(x - half, track.top - 3.0f * unit);
    const ImVec2 upper(x + half, track.bottom + 3.0f * unit);
    list->AddRectFilled(ImVec2(lower.x - unit, lower.y - unit), ImVec2(upper.x + unit, upper.y + unit),
                        ImGui::GetColorU32(ImGuiCol_WindowBg), 2.5f * unit);
    list->AddRectFilled(lower, upper, brume_bright_text, 1.5f * unit);
}

static void draw_track(BrumePanel &panel, float width)
{
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float unit = panel.unit;
    (void)ImGui::InvisibleButton("##track", ImVec2(std::fmax(width, 1.0f), 30.0f * unit));
    brume_note_spot(panel, "track");
    const BrumeTimelineReadouts &timeline = panel.readouts->timeline;
    const SDL_Keycode key = brume_focus_key(panel);
    commands.timeline_steps += (key == SDLK_RIGHT ? 1 : 0) - (key == SDLK_LEFT ? 1 : 0);
    if (key == SDLK_HOME || key == SDLK_END) {
        commands.seek = true;
        commands.seek_frame = key == SDLK_HOME ? timeline.first : timeline.last;
    }
    if (timeline.count == 0) {
        return;
    }
    const int last_index = (timeline.last - timeline.first) / timeline.stride;
    const Track track = {corner.x,
                         corner.x + width,
                         corner.y + 3.0f * unit,
                         corner.y + 15.0f * unit,
                         last_index,
                         width / ((float)last_index + 1.0f),
                         &timeline};
    controls.scrubbing = ImGui::IsItemActive();
    if (controls.scrubbing) {
        const int number = number_at(track, ImGui::GetIO().MousePos.x);
        commands.seek = number != timeline.position;
        commands.seek_frame = number;
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    draw_frames(track, list);
    draw_numbers(panel, track, list);
    draw_keys(panel, track, list);
    draw_playhead(panel, track, list);
    if (ImGui::IsItemHovered() && !controls.scrubbing && !panel.focus.is_used) {
        char text[32];
        (void)snprintf(text, sizeof text, "frame %d", number_at(track, ImGui::GetIO().MousePos.x));
        const float x = ImGui::GetIO().MousePos.x;
        brume_show_tooltip(panel, ImVec2(x, corner.y), ImVec2(x, ImGui::GetIO().DisplaySize.y), text);
    }
}

const char *brume_loop_doc(const BrumeControls &controls)
{
    return controls.backwards ? "Starts again at the last frame after the first one (L)."
                              : "Starts again at the first frame after the last one (L).";
}

// draws the buttons that leave the past of a simulation; their space is always reserved, so that the track does not
// move while it is dragged
static void draw_returns(BrumePanel &panel)
{
    BrumeCommands &commands = *panel.commands;
    const BrumeTimelineReadouts &timeline = panel.readouts->timeline;
    const bool is_past = timeline.past && !timeline.going_back;
    ImGui::SameLine();
    if (brume_icon_button(panel, "go on", BrumeIcon::GoOn,
                          "Goes on from here (Enter; with Shift paused): the simulation runs from the frame shown, and "
                          "what came after it is discarded. Undo brings it back (Ctrl + Z).",
                          is_past, is_past ? brume_accent : 0)) {
        commands.go_on = true;
    }
    ImGui::SameLine();
    if (brume_icon_button(panel, "present", BrumeIcon::ToEnd, "To the present (End), where Space runs the simulation.",
                          is_past)) {
        commands.seek_last = true;
    }
}

static void draw_buttons(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    if (brume_icon_button(panel, "step back", BrumeIcon::StepBack, "Goes one frame back (,).")) {
        commands.timeline_steps--;
    }
    ImGui::SameLine();
    const BrumeTimelineReadouts &timeline = panel.readouts->timeline;
    const bool is_present = timeline.kept && !timeline.past;
    if (brume_icon_button(panel, "play", controls.running ? BrumeIcon::Pause : BrumeIcon::Play,
                          is_present ? "Runs or pauses the simulation (Space)." : "Plays or pauses (Space).")) {
        controls.running = !controls.running;
    }
    ImGui::SameLine();
    if (brume_icon_button(panel, "step on", BrumeIcon::Step, "Goes one frame on (.).")) {
        commands.timeline_steps++;
    }
    ImGui::SameLine();
    if (brume_icon_button(panel, "backwards", BrumeIcon::Backwards, "Plays backwards (J).", true,
                          controls.backwards ? brume_accent : brume_dim_text)) {
        controls.backwards = !controls.backwards;
    }
    ImGui::SameLine();
    if (brume_icon_button(panel, "loop", BrumeIcon::Loop, brume_loop_doc(controls), true,
                          controls.loop ? brume_accent : brume_dim_text)) {
        controls.loop = !controls.loop;
    }
    if (timeline.kept) {
        draw_returns(panel);
    }
}

// draws the number of the position, with room for the largest number
static void draw_position(const BrumePanel &panel, float width)
{
    const BrumeTimelineReadouts &timeline = panel.readouts->timeline;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    char text[32];
    (void)snprintf(text, sizeof text, "%d", timeline.position);
    ImGui::PushFont(panel.bold);
    const float text_width = ImGui::CalcTextSize(text).x;
    ImGui::GetWindowDrawList()->AddText(ImVec2(corner.x + width - text_width, corner.y), brume_bright_text, text);
    ImGui::PopFont();
    (void)snprintf(text, sizeof text, timeline.is_reading ? "reading" : "/ %d", timeline.last);
    const float size = 0.85f * ImGui::GetFontSize();
    ImGui::GetWindowDrawList()->AddText(
        ImGui::GetFont(), size,
        ImVec2(corner.x + width - 0.85f * ImGui::CalcTextSize(text).x, corner.y + 16.0f * panel.unit),
        timeline.is_reading ? brume_changed : brume_dim_text, text);
    ImGui::Dummy(ImVec2(width, 0.0f));
}

void brume_draw_timeline(BrumePanel &panel)
{
    const float unit = panel.unit;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImVec2 corner(0.0f, size.y - panel.foot);
    const ImVec2 extent(size.x, panel.foot);
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize(extent);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10.0f * unit, 8.0f * unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
    panel.section = "Timeline";
    if (ImGui::Begin("##timeline", nullptr, flags)) {
        panel.covered[panel.covered_count][0] = corner;
        panel.covered[panel.covered_count][1] = ImVec2(corner.x + extent.x, corner.y + extent.y);
        panel.covered_count++;
        draw_buttons(panel);
        ImGui::SameLine(0.0f, 14.0f * unit);
        char widest[32];
        (void)snprintf(widest, sizeof widest, "/ %d", panel.readouts->timeline.last);
        const float number_width = std::fmax(ImGui::CalcTextSize(widest).x, ImGui::CalcTextSize("reading").x);
        const float gap = 12.0f * unit;
        draw_track(panel, std::fmax(ImGui::GetContentRegionAvail().x - number_width - gap, 32.0f * unit));
        ImGui::SameLine(0.0f, gap);
        draw_position(panel, number_width);
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    panel.section = "";
}
