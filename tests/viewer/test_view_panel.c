// The panel in a window with synthetic events: dragging and resetting controls. Skipped (77) without a display.
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/animation/keys.h"
#include "viewer/looks/look_catalog.h"
#include "viewer/panel/panel.h"
#include "viewer/window/input.h"
#include "viewer/window/window.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const paths[] = {"/scenes/one.yaml", "/scenes/two.yaml"};
static const char *const names[] = {"One", "Two"};
static const BrumePresets presets = {2, paths, names};

static BrumeWindow *window;
static BrumePanel *panel;
static BrumeScene *scene;
static BrumeReadouts facts;
static BrumeControls controls;
static BrumeCommands commands, given;

static void draw_frame(void)
{
    glViewport(0, 0, window->pixels_wide, window->pixels_high);
    glClearColor(0.5f, 0.5f, 0.5f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    brume_panel_note_no_events(panel, 1e-3 * (double)SDL_GetTicks64());
    brume_panel_draw(panel, scene, &facts, &controls, &commands);
    given = commands;
    commands = (BrumeCommands){0};
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void draw_frames(int count)
{
    for (int n = 0; n < count; n++) {
        draw_frame();
    }
}

static void send_at(const SDL_Event *event, Uint32 milliseconds)
{
    SDL_Event timed = *event;
    timed.common.timestamp = milliseconds;
    if (brume_panel_needs_layout(panel, &timed)) {
        brume_panel_lay_out(panel, scene, &facts, &controls, &commands);
    }
    brume_panel_event(panel, &timed);
}

static void send(const SDL_Event *event) { send_at(event, SDL_GetTicks()); }

static void point_at(float x, float y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = (int)x;
    event.motion.y = (int)y;
    send(&event);
}

static void button(Uint32 type, float x, float y)
{
    SDL_Event event = {.type = type};
    event.button.button = SDL_BUTTON_LEFT;
    event.button.x = (int)x;
    event.button.y = (int)y;
    send(&event);
}

typedef struct ControlRect {
    float left, top, right, bottom, x, y;
} ControlRect;

static ControlRect find_control(const char *name)
{
    float place[4];
    if (!brume_panel_find(panel, name, place)) {
        fail_msg("'%s' is not visible", name);
    }
    return (ControlRect){
        place[0], place[1], place[2], place[3], 0.5f * (place[0] + place[2]), 0.5f * (place[1] + place[3])};
}

static void click(const char *name)
{
    const ControlRect rect = find_control(name);
    point_at(rect.x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, rect.x, rect.y);
    button(SDL_MOUSEBUTTONUP, rect.x, rect.y); // both events between two frames
    draw_frame();
    const BrumeCommands pressed = given;
    draw_frame();
    given.edited = given.edited || pressed.edited;
    given.toggle_looks = given.toggle_looks || pressed.toggle_looks;
    given.choose = pressed.choose != BRUME_CHOOSE_NOTHING ? pressed.choose : given.choose;
    given.apply_look += pressed.apply_look;
    given.remove_look += pressed.remove_look;
}

// with frames between the press and the release
static void click_slowly(ControlRect rect)
{
    point_at(rect.x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, rect.x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONUP, rect.x, rect.y);
    draw_frame();
}

static bool is_visible(const char *name)
{
    float place[4];
    return brume_panel_find(panel, name, place);
}

/** Opens a section after it has closed the open sections above it, so that its controls are visible. */
static void open_section(const char *name, const char *inside)
{
    const char *const sections[] = {"Air",  "Smoke",  "Scene", "Brush", "Objects", "View",
                                    "Look", "Camera", "Time",  "Light", "Solver",  "Solver details"};
    const char *const insides[] = {"Air.wind",       "Smoke.weight",         "Scene.preset",
                                   "Brush.radius",   "Objects.emitter 1 on", "View.smoke",
                                   "Look.Cloud",     "Camera.position",      "Time.frame",
                                   "Light.exposure", "Solver.resolution",    "Solver details.integrator"};
    draw_frame();
    for (size_t n = 0; n < sizeof sections / sizeof sections[0] && strcmp(sections[n], name) != 0; n++) {
        if (is_visible(insides[n])) {
            click(sections[n]);
        }
    }
    if (!is_visible(inside)) {
        click(name);
    }
    draw_frame();
    assert_true(is_visible(inside));
}

static int set_up(void **state)
{
    (void)state;
    controls = brume_default_controls();
    brume_controls_load_scene(&controls, scene);
    facts = (BrumeReadouts){.grid = {77, 96, 64, NULL}, .converged = true, .renderer = "test", .scene = "Plume"};
    facts.area = (BrumePictureArea){.width = (float)window->width, .height = (float)window->height, .scale = 1.0f};
    point_at(-100.0f, -100.0f);
    draw_frames(2);
    return 0;
}

static void test_drag_a_slider_and_reset_it(void **state)
{
    (void)state;
    open_section("Air", "Air.vorticity");
    assert_false(is_visible("Air.vorticity reset"));
    const ControlRect rect = find_control("Air.vorticity");
    const float before = controls.sim[0].vorticity_confinement;
    assert_near("scene's", before, 0.4, 1e-6);
    point_at(rect.x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, rect.x, rect.y);
    draw_frame();
    assert_near("where it was pressed", controls.sim[0].vorticity_confinement, 1.5, 0.05);
    for (int n = 1; n <= 10; n++) {
        point_at(rect.x + (rect.right - rect.x) * 0.1f * (float)n + 5.0f, rect.y);
        draw_frame();
        assert_false(given.edited); // only when the button is released
    }
    assert_near("at the end", controls.sim[0].vorticity_confinement, 3.0, 0.0);
    button(SDL_MOUSEBUTTONUP, rect.right + 5.0f, rect.y);
    draw_frame();
    assert_true(given.edited);
    draw_frame();
    assert_false(given.edited);
    assert_near("the other side", controls.sim[1].vorticity_confinement, before, 0.0);

    click("Air.vorticity reset");
    assert_true(given.edited);
    assert_true(controls.sim[0].vorticity_confinement == before);
    draw_frame();
    assert_false(is_visible("Air.vorticity reset"));
    assert_memory_equal(&controls.sim[0].gravity, &scene->sim.gravity, sizeof(BrumeVec3));
}

static void test_drawing_changes_nothing(void **state)
{
    (void)state;
    const BrumeControls before = controls;
    const char *const sections[] = {"Air", "Smoke", "Objects", "Light", "Solver"};
    const char *const inside[] = {"Air.wind", "Smoke.weight", "Objects.emitter 1 on", "Light.exposure",
                                  "Solver.resolution"};
    for (int n = 0; n < 5; n++) {
        open_section(sections[n], inside[n]);
        draw_frames(2);
    }
    controls.help = true;
    draw_frames(2);
    controls.help = false;
    const BrumeCommands none = {0};
    assert_memory_equal(&given, &none, sizeof none);
    assert_memory_equal(&controls, &before, sizeof before);
}

static void test_mouse_capture(void **state)
{
    (void)state;
    const float beside = (float)window->width - 100.0f;
    point_at(60.0f, 300.0f);
    assert_true(brume_panel_wants_mouse(panel));
    point_at(beside, 300.0f);
    assert_false(brume_panel_wants_mouse(panel));
    // a drag that starts in the picture is not captured by the panel when it moves over it, and vice versa
    button(SDL_MOUSEBUTTONDOWN, beside, 300.0f);
    point_at(60.0f, 300.0f);
    assert_false(brume_panel_wants_mouse(panel));
    draw_frame();
    assert_false(brume_panel_wants_mouse(panel));
    button(SDL_MOUSEBUTTONUP, 60.0f, 300.0f);
    assert_true(brume_panel_wants_mouse(panel));
    const ControlRect empty = find_control("run");
    button(SDL_MOUSEBUTTONDOWN, empty.right + 3.0f, empty.bottom + 1.0f);
    point_at(beside, 300.0f);
    assert_true(brume_panel_wants_mouse(panel));
    button(SDL_MOUSEBUTTONUP, beside, 300.0f);
    assert_false(brume_panel_wants_mouse(panel));
    draw_frame();

    controls.panel = false;
    draw_frame();
    point_at(60.0f, 300.0f);
    assert_false(brume_panel_wants_mouse(panel));
    controls.help = true;
    draw_frames(2);
    point_at(0.5f * (float)window->width, 0.5f * (float)window->height);
    assert_true(brume_panel_wants_mouse(panel));
}

static void test_buttons(void **state)
{
    (void)state;
    click("run");
    assert_false(controls.running);
    const ControlRect undo = find_control("undo");
    button(SDL_MOUSEBUTTONDOWN, undo.x, undo.y);
    button(SDL_MOUSEBUTTONUP, undo.x, undo.y);
    draw_frames(3);
    assert_false(given.undo); // there is no edit to undo
    open_section("View", "View.pressure");
    click("View.pressure");
    assert_int_equal(controls.view, BRUME_VIEW_PRESSURE);
    click("View.slice");
    assert_true(controls.slice);
    click("View.x");
    assert_int_equal(controls.slice_axis, 0);
    click("View.OpenGL");
    assert_true(controls.cpu);
}

// Clicks that leave the control at once, all before the next picture: each counts.
static void test_clicks_between_two_pictures(void **state)
{
    (void)state;
    const ControlRect step = find_control("step");
    const ControlRect run = find_control("run");
    const bool running = controls.running;
    for (int n = 0; n < 25; n++) {
        point_at(step.x, step.y);
        button(SDL_MOUSEBUTTONDOWN, step.x, step.y);
        button(SDL_MOUSEBUTTONUP, step.x, step.y);
        point_at(run.x, run.y);
        button(SDL_MOUSEBUTTONDOWN, run.x, run.y);
        button(SDL_MOUSEBUTTONUP, run.x, run.y);
        point_at(600.0f, 500.0f);
    }
    draw_frame();
    assert_int_equal(given.advance, 25);
    assert_int_equal(controls.running, !running);

    // a slider that is dragged and left: the position at the release counts
    open_section("Air", "Air.vorticity");
    const ControlRect slider = find_control("Air.vorticity");
    point_at(slider.x, slider.y);
    button(SDL_MOUSEBUTTONDOWN, slider.x, slider.y);
    point_at(slider.right + 20.0f, slider.y);
    button(SDL_MOUSEBUTTONUP, slider.right + 20.0f, slider.y);
    point_at(slider.left, slider.y);
    draw_frame();
    assert_true(given.edited);
    assert_near("at the release", controls.sim[0].vorticity_confinement, 3.0, 0.0);
    click("Air.vorticity reset");
    click("Air");
}

// the layout in windows from 320 x 240 to 3840 x 2160: the panel takes at most half of the width
static void test_free_area(void **state)
{
    (void)state;
    static const float sizes[][2] = {{320, 240}, {800, 600}, {1280, 720}, {1920, 1080}, {3840, 2160}};
    static const float panel_widths[] = {160, 288, 340, 340, 340};
    for (int n = 0; n < 5; n++) {
        const BrumePictureArea whole = {.width = sizes[n][0], .height = sizes[n][1]};
        controls.panel = true;
        facts.timeline.shown = false;
        BrumePictureArea area = brume_panel_free_area(panel, &controls, &facts, whole);
        assert_near("left", area.left, panel_widths[n], 0.5);
        assert_near("right", area.left + area.width, sizes[n][0], 0.0);
        assert_near("height", area.height, sizes[n][1], 0.0);
        facts.timeline.shown = true;
        area = brume_panel_free_area(panel, &controls, &facts, whole);
        assert_near("above the timeline", area.height, sizes[n][1] - 46.0f, 0.0);
        controls.panel = controls.hud = false;
        area = brume_panel_free_area(panel, &controls, &facts, whole);
        assert_memory_equal(&area, &whole, sizeof whole);
        controls.hud = true;
    }
}

// the timeline of a sequence of frames: without one there is none, and the sections of the simulation can be opened
static void test_timeline(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2, 4, 5};
    static const unsigned char states[] = {1, 0, 2, 1};
    assert_false(is_visible("Timeline.track"));
    facts.timeline = (BrumeTimelineReadouts){
        .shown = true,
        .first = 1,
        .last = 5,
        .stride = 1,
        .position = 3,
        .frame = 2,
        .is_missing = true,
        .count = 4,
        .numbers = numbers,
        .states = states,
        .fps = 24.0,
    };
    draw_frames(2);
    const ControlRect track = find_control("Timeline.track");
    const float width = (track.right - track.left) / 5.0f; // of each frame
    for (int frame = 5; frame >= 1; frame--) {
        const float x = track.left + ((float)frame - 0.5f) * width;
        point_at(x, track.y);
        draw_frame();
        assert_true(brume_panel_wants_mouse(panel));
        button(SDL_MOUSEBUTTONDOWN, x, track.y);
        draw_frame();
        assert_true(controls.scrubbing);
        assert_int_equal(given.seek, frame != 3); // where it is already
        assert_int_equal(given.seek_frame, frame);
        button(SDL_MOUSEBUTTONUP, x, track.y);
        draw_frame();
        assert_false(controls.scrubbing);
    }
    // a drag beyond the ends stays at them
    button(SDL_MOUSEBUTTONDOWN, track.x, track.y);
    draw_frame();
    point_at(track.right + 300.0f, 0.0f);
    draw_frame();
    assert_int_equal(given.seek_frame, 5);
    point_at(0.0f, 0.0f);
    draw_frame();
    assert_int_equal(given.seek_frame, 1);
    button(SDL_MOUSEBUTTONUP, 0.0f, 0.0f);
    draw_frame();

    const bool running = controls.running;
    click("Timeline.play");
    assert_int_equal(controls.running, !running);
    click("Timeline.loop");
    assert_false(controls.loop);
    click("Timeline.backwards");
    assert_true(controls.backwards);
    const ControlRect back = find_control("Timeline.step back");
    button(SDL_MOUSEBUTTONDOWN, back.x, back.y);
    button(SDL_MOUSEBUTTONUP, back.x, back.y);
    int steps = 0;
    for (int n = 0; n < 3; n++) {
        draw_frame();
        steps += given.timeline_steps;
    }
    assert_int_equal(steps, -1);
    click("Brush"); // needs a simulation
    draw_frame();
    assert_false(is_visible("Brush.radius"));

    controls.panel = controls.hud = false;
    draw_frame();
    assert_false(is_visible("Timeline.track"));
}

static void test_new_color_is_in_use(void **state)
{
    (void)state;
    open_section("Brush", "Brush.color 2");
    click("Brush.color 2");
    assert_int_equal(controls.brush.kind, 2);
    assert_int_equal(controls.sim[0].color_count, 2);
    assert_int_equal(controls.sim[1].color_count, 2);
}

static void drag(float from_x, float from_y, float to_x, float to_y)
{
    point_at(from_x, from_y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, from_x, from_y);
    draw_frame();
    point_at(to_x, to_y);
    draw_frame();
    draw_frame();
    assert_false(given.edited); // only when the button is released
    button(SDL_MOUSEBUTTONUP, to_x, to_y);
    draw_frame();
}

static void double_click(float x, float y)
{
    point_at(x, y);
    SDL_Delay(350); // no click before belongs to it
    draw_frame();
    for (int n = 0; n < 2; n++) {
        button(SDL_MOUSEBUTTONDOWN, x, y);
        draw_frame();
        button(SDL_MOUSEBUTTONUP, x, y);
        draw_frame();
    }
    draw_frame();
}

// a curve is switched on, its points are dragged, added and removed, and it is reset
static void test_curve(void **state)
{
    (void)state;
    open_section("Smoke", "Smoke.curve");
    BrumeCurve *const curve = &controls.render_settings.density_curve[0];
    assert_int_equal(curve->count, 0);
    assert_false(is_visible("Smoke.curve plot"));
    click("Smoke.curve");
    assert_true(given.edited);
    assert_int_equal(curve->count, 2);
    draw_frame();
    // the axes end at 1.25 times the last position and the largest value, which are both 1
    const ControlRect plot = find_control("Smoke.curve plot");
    const float wide = plot.right - plot.left;
    const float high = plot.bottom - plot.top;
    const float x = floorf(plot.left + 0.8f * wide);
    const float y = floorf(plot.top + 0.2f * high);
    drag(x, y, floorf(plot.left + 0.4f * wide), floorf(plot.top + 0.6f * high));
    assert_true(given.edited);
    assert_near("position", curve->points[1].at, 0.5, 0.01);
    assert_near("value", curve->points[1].value, 0.5, 0.02);
    assert_near("the first point", curve->points[0].at, 0.0, 0.0);
    draw_frame();
    // the axes end at 0.625 now; a double click adds a point
    const float middle_x = floorf(plot.left + 0.4f * wide);
    const float middle_y = floorf(plot.top + 0.3f * high);
    double_click(middle_x, middle_y);
    assert_int_equal(curve->count, 3);
    assert_near("position", curve->points[1].at, 0.25, 0.01);
    assert_near("value", curve->points[1].value, 0.7 * 0.625, 0.02);
    assert_true(curve->points[2].at > 0.48f);
    // a point cannot pass its neighbor
    drag(middle_x, middle_y, plot.right - 2.0f, middle_y);
    assert_true(curve->points[1].at < curve->points[2].at);
    click("Smoke.curve smooth");
    assert_int_equal(curve->kind, BRUME_CURVE_SMOOTH);
    click("Smoke.curve reset");
    assert_memory_equal(curve, &scene->render_settings.density_curve[0], sizeof *curve);
}

static void test_emitter_switches(void **state)
{
    (void)state;
    open_section("Objects", "Objects.emitter 1 on");
    click("Objects.emitter 1 on");
    assert_true(given.edited);
    assert_true(controls.sim[0].emitters[0].start >= 1e6f);
    assert_true(controls.sim[0].emitters[0].end > controls.sim[0].emitters[0].start);
    click("Objects.emitter 1 on");
    assert_memory_equal(&controls.sim[0].emitters[0], &scene->sim.emitters[0], sizeof(BrumeEmitterDef));
}

static void test_resolution_changes_on_release(void **state)
{
    (void)state;
    open_section("Solver", "Solver.resolution");
    const ControlRect rect = find_control("Solver.resolution");
    point_at(rect.x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, rect.x, rect.y);
    draw_frames(2);
    point_at(rect.left + 1.0f, rect.y);
    draw_frames(2);
    assert_int_equal(controls.sim[0].ny, scene->sim.ny);
    button(SDL_MOUSEBUTTONUP, rect.left + 1.0f, rect.y);
    draw_frame();
    assert_int_equal(controls.sim[0].ny, 16);
    assert_near("height", controls.sim[0].dx * 16.0f, 3.0, 1e-5);
    assert_true(given.edited);
    draw_frame();
    click("Solver.resolution reset");
    assert_int_equal(controls.sim[0].nx, scene->sim.nx);
    assert_true(controls.sim[0].dx == scene->sim.dx);
}

static void test_choices(void **state)
{
    (void)state;
    open_section("Solver details", "Solver details.pressure");
    click("Solver details.pressure");
    assert_true(brume_panel_wants_mouse(panel)); // also beside the panel, where a click closes the list
    draw_frame();                                // ImGui measures a list in the frame before it is visible
    click("Solver details.fft");                 // not available between walls
    assert_string_equal(controls.sim[0].pressure, scene->sim.pressure);
    click("Solver details.relaxation");
    assert_string_equal(controls.sim[0].pressure, "relaxation");
    open_section("Scene", "Scene.preset");
    click("Scene.preset");
    draw_frame();
    const ControlRect rect = find_control("Scene.Two");
    click_slowly(rect);
    assert_string_equal(given.open, "/scenes/two.yaml");
    draw_frames(2);
}

static void test_text_input(void **state)
{
    (void)state;
    open_section("Scene", "Scene.open");
    assert_false(brume_panel_wants_keys(panel));
    click("Scene.open");
    assert_true(brume_panel_wants_keys(panel));
    SDL_Event text = {.type = SDL_TEXTINPUT};
    (void)snprintf(text.text.text, sizeof text.text.text, "a b.yaml");
    send(&text);
    draw_frame();
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.scancode = SDL_SCANCODE_RETURN;
    key.key.keysym.sym = SDLK_RETURN;
    send(&key);
    draw_frame();
    assert_string_equal(given.open, "a b.yaml");
    key.type = SDL_KEYUP;
    send(&key);
    draw_frames(2);
    assert_false(brume_panel_wants_keys(panel));
}

static void enter(const char *line)
{
    SDL_Event text = {.type = SDL_TEXTINPUT};
    (void)snprintf(text.text.text, sizeof text.text.text, "%s", line);
    send(&text);
    draw_frame();
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.scancode = SDL_SCANCODE_RETURN;
    key.key.keysym.sym = SDLK_RETURN;
    send(&key);
    draw_frame();
    key.type = SDL_KEYUP;
    send(&key);
}

static void test_camera(void **state)
{
    (void)state;
    open_section("Camera", "Camera.position");
    const BrumeCamera before = controls.camera;
    assert_true(is_visible("Camera.field of view"));
    assert_false(is_visible("Camera.height"));
    assert_false(is_visible("Camera.focus on target")); // of a pinhole
    assert_false(is_visible("Camera.position reset"));
    // a drag of x to the right; the target stays
    const ControlRect rect = find_control("Camera.position");
    const float x = rect.left + 0.15f * (rect.right - rect.left);
    point_at(x, rect.y);
    draw_frame();
    button(SDL_MOUSEBUTTONDOWN, x, rect.y);
    draw_frame();
    point_at(x + 60.0f, rect.y);
    draw_frames(2);
    button(SDL_MOUSEBUTTONUP, x + 60.0f, rect.y);
    draw_frames(2);
    assert_true(controls.camera.position.x > before.position.x + 0.1f);
    assert_true(controls.camera.position.y == before.position.y && controls.camera.target.x == before.target.x);
    click("Camera.position reset");
    assert_true(controls.camera.position.x == before.position.x);
    // the middle of the slider of the radius
    click("Camera.lens radius");
    assert_near("lens", (double)controls.camera.lens_radius, 0.25, 0.02);
    draw_frames(2);
    click("Camera.focus on target");
    assert_near("focus", (double)controls.camera.focus, (double)brume_length(brume_sub(before.target, before.position)),
                1e-6);
    assert_true(is_visible("Camera.focus"));
    click("Camera.orthographic"); // a command of the viewer
    controls.camera.projection = BRUME_ORTHOGRAPHIC;
    draw_frames(2);
    assert_true(is_visible("Camera.height"));
    assert_false(is_visible("Camera.field of view"));
    click("Camera"); // closed again for the other tests
}

static void press_key(SDL_Keycode sym, SDL_Scancode scancode)
{
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.sym = sym;
    key.key.keysym.scancode = scancode;
    if (!brume_panel_takes_key(panel, &key)) {
        send(&key);
    }
    draw_frames(2);
    key.type = SDL_KEYUP;
    send(&key);
    draw_frames(2);
}

// The second press of a double click types the value, which is that before the first one; a comma is a decimal point.
static void test_double_click_types(void **state)
{
    (void)state;
    open_section("Air", "Air.vorticity");
    const float before = controls.sim[0].vorticity_confinement;
    const ControlRect rect = find_control("Air.vorticity");
    click_slowly(rect);
    assert_true(given.edited);
    assert_near("after a click", controls.sim[0].vorticity_confinement, 1.5, 0.05);
    button(SDL_MOUSEBUTTONDOWN, rect.x, rect.y);
    draw_frame();
    assert_true(given.edit_is_dropped);
    button(SDL_MOUSEBUTTONUP, rect.x, rect.y);
    draw_frames(2);
    assert_true(controls.sim[0].vorticity_confinement == before);
    assert_true(brume_panel_wants_keys(panel));
    enter("0,25");
    draw_frames(2);
    assert_false(brume_panel_wants_keys(panel));
    assert_near("typed", controls.sim[0].vorticity_confinement, 0.25, 1e-6);
    double_click(rect.x, rect.y);
    double_click(rect.x, rect.y); // in the text
    assert_true(brume_panel_wants_keys(panel));
    press_key(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE);
    assert_false(brume_panel_wants_keys(panel));
    assert_near("not typed", controls.sim[0].vorticity_confinement, 0.25, 1e-6);
    draw_frames(60); // no later click is the second one of a double click
    click("Air.vorticity reset");
    assert_true(controls.sim[0].vorticity_confinement == before);
    click("Air");
}

// The presses of a double click can be read late, between drawings that take long: what counts is the least time that
// can be between them.
static void test_double_click_between_slow_pictures(void **state)
{
    (void)state;
    open_section("Air", "Air.vorticity");
    const ControlRect rect = find_control("Air.vorticity");
    static const struct {
        double emptied, pressed; // no event was left then [s], and when the second press was read
        bool types;
    } cases[] = {{100.0, 102.0, true}, {100.25, 100.9, true}, {100.35, 100.4, false}};
    for (int n = 0; n < 3; n++) {
        SDL_Event event = {.type = SDL_MOUSEBUTTONDOWN};
        event.button.button = SDL_BUTTON_LEFT;
        event.button.x = (int)rect.x;
        event.button.y = (int)rect.y;
        const Uint32 begin = SDL_GetTicks() + 10000 * ((Uint32)n + 1);
        point_at(rect.x, rect.y);
        draw_frame();
        brume_panel_note_no_events(panel, 1e-3 * (double)begin);
        send_at(&event, begin);
        event.type = SDL_MOUSEBUTTONUP;
        send_at(&event, begin);
        draw_frames(2);
        brume_panel_note_no_events(panel, 1e-3 * (double)begin + cases[n].emptied - 100.0);
        const Uint32 later = begin + (Uint32)(1e3 * (cases[n].pressed - 100.0));
        event.type = SDL_MOUSEBUTTONDOWN;
        send_at(&event, later);
        event.type = SDL_MOUSEBUTTONUP;
        send_at(&event, later);
        draw_frames(2);
        assert_int_equal(brume_panel_wants_keys(panel), cases[n].types);
        if (cases[n].types) {
            enter("0.5");
            draw_frames(2);
            assert_near("typed", controls.sim[0].vorticity_confinement, 0.5, 1e-6);
        }
    }
    click_slowly((ControlRect){.x = 700.0f, .y = 300.0f}); // beside the panel, so that no later press follows in time
    click("Air.vorticity reset");
}

static void type_into(const char *name, float across, const char *line)
{
    const ControlRect rect = find_control(name);
    double_click(rect.left + across * (rect.right - rect.left), rect.y);
    assert_true(brume_panel_wants_keys(panel));
    enter(line);
    draw_frames(2);
    assert_false(brume_panel_wants_keys(panel));
}

static void send_text(const char *line)
{
    SDL_Event text = {.type = SDL_TEXTINPUT};
    (void)snprintf(text.text.text, sizeof text.text.text, "%s", line);
    send(&text);
    draw_frame();
}

// Typed numbers act when typing ends, by Enter or a click elsewhere, not with each character; the other numbers of a
// vector may change meanwhile. After Escape nothing has changed.
static void test_typed_numbers_act_at_the_end(void **state)
{
    (void)state;
    open_section("Air", "Air.vorticity");
    const float vorticity = controls.sim[0].vorticity_confinement;
    const ControlRect rect = find_control("Air.vorticity");
    double_click(rect.x, rect.y);
    send_text("0.7");
    send_text("5");
    assert_true(controls.sim[0].vorticity_confinement == vorticity);
    assert_false(given.edited);
    enter("");
    assert_true(given.edited);
    assert_near("entered", controls.sim[0].vorticity_confinement, 0.75, 1e-6);
    click("Air.vorticity reset");

    const ControlRect wind = find_control("Air.wind");
    const float middle = 0.5f * (wind.left + wind.right);
    controls.sim[0].wind = brume_vec3(0.1f, 0.123456f, 0.3f);
    draw_frames(60);
    double_click(middle, wind.y);
    send_text("0");
    send_text(".9");
    controls.sim[0].wind.x = 0.2f; // as a body that its parent moves
    draw_frame();
    assert_true(controls.sim[0].wind.y == 0.123456f);
    click_slowly((ControlRect){.x = 700.0f, .y = 300.0f}); // beside the panel
    draw_frames(2);
    assert_near("left", controls.sim[0].wind.y, 0.9, 1e-6);
    assert_near("x", controls.sim[0].wind.x, 0.2, 1e-6);
    assert_near("z", controls.sim[0].wind.z, 0.3, 1e-6);
    controls.sim[0].wind.y = 0.123456f;
    draw_frames(60);
    double_click(middle, wind.y);
    send_text("0.5");
    press_key(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE);
    assert_false(brume_panel_wants_keys(panel));
    assert_true(controls.sim[0].wind.y == 0.123456f);
    draw_frames(60);
    click("Air.wind reset");
    click("Air");
}

// A typed number beyond the range is not taken, and a message says so; the value is that before, also where its first
// digits are in the range.
static void test_typed_numbers_beyond_the_range(void **state)
{
    (void)state;
    open_section("Air", "Air.vorticity");
    const BrumeSimDef before = controls.sim[0];
    given.message[0] = '\0';
    const ControlRect rect = find_control("Air.vorticity");
    double_click(rect.x, rect.y);
    enter("100000");
    assert_string_equal(given.message, "vorticity: 100000 is not from 0 to 3 1/s; it stays as it was");
    assert_true(controls.sim[0].vorticity_confinement == before.vorticity_confinement);
    const ControlRect wind = find_control("Air.wind"); // a number of a vector
    double_click(wind.left + 10.0f, wind.y);
    enter("2500");
    assert_string_equal(given.message, "wind: 2500 is not from -10 to 10 m/s; it stays as it was");
    assert_memory_equal(&controls.sim[0].wind, &before.wind, sizeof before.wind);
    type_into("Air.wind", 0.05f, "2.5");
    assert_near("x", controls.sim[0].wind.x, 2.5, 1e-6);
    click("Air.wind reset");

    open_section("Solver", "Solver.resolution");
    const ControlRect cells = find_control("Solver.resolution");
    double_click(cells.x, cells.y);
    enter("100000");
    assert_string_equal(given.message, "resolution: 100000 is not from 16 to 256 cells; it stays as it was");
    draw_frames(2);
    assert_int_equal(controls.sim[0].nx, before.nx);

    open_section("Smoke", "Smoke.albedo");
    const ControlRect albedo = find_control("Smoke.albedo");
    const BrumeVec3 color = controls.render_settings.smoke[0].albedo;
    double_click(albedo.left + 10.0f, albedo.y);
    enter("300");
    assert_string_equal(given.message, "albedo: 300 is not from 0 to 255; it stays as it was");
    assert_near("red", controls.render_settings.smoke[0].albedo.x, color.x, 0.01);
}

// the buoyancy is a factor of that of real air
static void test_buoyancy_is_a_factor(void **state)
{
    (void)state;
    open_section("Air", "Air.buoyancy");
    given.message[0] = '\0';
    const ControlRect rect = find_control("Air.buoyancy");
    double_click(rect.x, rect.y);
    enter("50");
    assert_string_equal(given.message, "buoyancy: 50 is not from 0 to 6; it stays as it was");
    type_into("Air.buoyancy", 0.5f, "2");
    assert_near("1/K", controls.sim[0].thermal_expansion, 2.0 / 300.0, 1e-8);
    click("Air.buoyancy reset");
    assert_true(controls.sim[0].thermal_expansion == scene->sim.thermal_expansion);
}

static void press_with(SDL_Keycode sym, SDL_Scancode scancode, Uint16 modifiers)
{
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.sym = sym;
    key.key.keysym.scancode = scancode;
    key.key.keysym.mod = modifiers;
    if (!brume_panel_takes_key(panel, &key)) {
        send(&key);
    }
    draw_frames(2);
    key.type = SDL_KEYUP;
    key.key.keysym.mod = 0;
    send(&key);
    draw_frames(2);
}

static void type(const char *line)
{
    SDL_Event text = {.type = SDL_TEXTINPUT};
    (void)snprintf(text.text.text, sizeof text.text.text, "%s", line);
    send(&text);
    draw_frames(2);
}

static const char *focused(void)
{
    float place[4];
    return brume_panel_focus(panel, place);
}

// Ctrl + F, a part of a name, Enter, a number, Escape: a row of a closed section is found and edited by keys alone
static void test_search(void **state)
{
    (void)state;
    draw_frame();
    if (is_visible("Air.viscosity")) {
        click("Air");
    }
    const bool shown = is_visible("Scene.preset");
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    assert_true(brume_panel_wants_keys(panel));
    type("VISC air");
    assert_true(is_visible("Air.viscosity"));
    assert_false(is_visible("Air.buoyancy") || is_visible("Scene.preset") || is_visible("Brush.radius"));
    press_with(SDLK_RETURN, SDL_SCANCODE_RETURN, 0);
    assert_string_equal(focused(), "Air.viscosity");
    press_with(SDLK_0, SDL_SCANCODE_0, 0);
    enter("0.25");
    draw_frames(2);
    assert_near("typed", controls.sim[0].viscosity, 0.25, 1e-6);
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    assert_false(is_visible("Air.viscosity"));
    assert_int_equal(is_visible("Scene.preset"), shown);
    assert_string_equal(focused(), "");

    // the name in a scene is found, too, and a row without effect, which is disabled
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("over_relax");
    assert_true(is_visible("Solver details.over-relaxation"));
    const float before = controls.sim[0].over_relaxation;
    click("Solver details.over-relaxation");
    assert_true(controls.sim[0].over_relaxation == before);
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    // a number of a brush that is not selected
    assert_int_equal(controls.brush.mode, BRUME_BRUSH_SMOKE);
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("twist");
    assert_true(is_visible("Brush.twist speed"));
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    assert_false(is_visible("Brush.twist speed"));
    // the buttons and the list of the objects
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("add");
    assert_true(is_visible("Objects.add") && !is_visible("Objects.emitter 1"));
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("object");
    assert_true(is_visible("Objects.add") && is_visible("Objects.emitter 1"));
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    // an object by its kind, and the button that adds what has this name
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("light 1");
    assert_true(is_visible("Objects.light 1") && !is_visible("Objects.emitter 1") && !is_visible("Objects.add"));
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    type("wood fire");
    assert_true(is_visible("Objects.add") && !is_visible("Objects.emitter 1"));
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0);
    press_with(SDLK_f, SDL_SCANCODE_F, KMOD_LCTRL);
    press_with(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0); // nothing was typed
    assert_false(brume_panel_wants_keys(panel));
    assert_int_equal(is_visible("Scene.preset"), shown);
}

// how far a job is stands beside the button that starts it, which stays where it is
static void test_job_is_in_view(void **state)
{
    (void)state;
    static BrumeJobList jobs;
    open_section("Solver", "Solver.resolution");
    click("Solver");
    SDL_Event wheel = {.type = SDL_MOUSEWHEEL};
    wheel.wheel.y = -1;
    wheel.wheel.preciseY = -1.0f;
    if (!is_visible("Export.render")) {
        click("Export");
    }
    point_at(60.0f, 400.0f);
    for (int n = 0; n < 40 && !is_visible("Export.render"); n++) {
        send(&wheel);
        draw_frames(2);
    }
    facts.exports.jobs = &jobs;
    click("Export.render");
    const ControlRect before = find_control("Export.render");
    jobs.count = 8;
    for (int n = 0; n < jobs.count; n++) {
        jobs.jobs[n] = (BrumeJob){.serial = n + 1, .state = BRUME_JOB_WAITS, .total = 10};
    }
    draw_frames(3);
    const ControlRect after = find_control("Export.render");
    assert_near("the button", after.y, before.y, 0.0);
    const ControlRect bar = find_control("Export.job");
    assert_true(bar.bottom <= after.top && after.top - bar.bottom < 10.0f);
    facts.exports.jobs = NULL;
    wheel.wheel.y = 1;
    wheel.wheel.preciseY = 1.0f;
    point_at(60.0f, 400.0f);
    for (int n = 0; n < 60; n++) { // back to the top
        send(&wheel);
        draw_frame();
    }
    click("Export");
}

// the name of a saved scene gets its extension; a file is replaced by Enter once more, and not after another name
static void test_save_field(void **state)
{
    (void)state;
    char name[24]; // an event has 31 bytes of text
    char path[32];
    (void)snprintf(name, sizeof name, "panel-%d", (int)getpid());
    (void)snprintf(path, sizeof path, "%s.yaml", name);
    open_section("Scene", "Scene.save");
    click("Scene.save");
    enter(name);
    assert_true(given.save);
    assert_string_equal(given.save_as, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
    draw_frames(2);
    click("Scene.save");
    enter("");
    draw_frames(2);
    assert_true(is_visible("Scene.save asks"));
    assert_true(brume_panel_wants_keys(panel)); // the field is still active
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.scancode = SDL_SCANCODE_RETURN;
    key.key.keysym.sym = SDLK_RETURN;
    send(&key);
    draw_frame();
    const BrumeCommands replaced = given;
    key.type = SDL_KEYUP;
    send(&key);
    draw_frames(2);
    (void)remove(path);
    assert_true(replaced.save);
    assert_string_equal(replaced.save_as, path);
    assert_false(is_visible("Scene.save asks"));
}

// Escape closes a list and a menu that the pointer has opened; a click on an object selects it, also once more
static void test_escape_closes_menus(void **state)
{
    (void)state;
    open_section("Scene", "Scene.preset");
    click("Scene.preset");
    draw_frame();
    assert_true(is_visible("Scene.Two"));
    press_key(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE);
    assert_false(is_visible("Scene.Two"));
    open_section("Objects", "Objects.add");
    click("Objects.add");
    draw_frame();
    assert_true(is_visible("Objects.add light sun"));
    press_key(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE);
    assert_false(is_visible("Objects.add light sun"));
    point_at(-100.0f, -100.0f);
    draw_frame();
    assert_false(brume_panel_wants_mouse(panel));
    for (int n = 0; n < 2; n++) {
        click("Objects.emitter 1");
        assert_int_equal(controls.select.selected.kind, BRUME_OBJECT_EMITTER);
    }
    click("Objects");
}

// the first and only key of a path
static void expect_key(const char *path, double number)
{
    const BrumeAnimatedValue *value = brume_keys_find(&controls.animation, path);
    if (!value) {
        fail_msg("'%s' has no key", path);
        return;
    }
    assert_int_equal(value->key_count, 1);
    assert_near(path, value->keys[0].time, 0.5, 0.0);
    assert_near(path, value->keys[0].value, number, 1e-6);
}

// the temperature and the color of a body have key buttons, and curves; its temperature changes by its row
static void test_keys_of_an_body(void **state)
{
    (void)state;
    const BrumeBodyDef hot = {
        .shape = {.kind = BRUME_SHAPE_SPHERE, .radius = 0.2f}, .fixed_temperature = true, .temperature = 80.0f};
    controls.present.count = controls.sim[0].body_count = 1;
    controls.present.bodies[0] = controls.sim[0].bodies[0] = hot;
    controls.surface_of[0] = 0;
    controls.render_settings.surface_count = 1;
    controls.render_settings.surfaces[0] = (BrumeSurface){.shape = hot.shape, {0.25f, 0.5f, 0.75f}};
    controls.select.selected = (BrumeObject){BRUME_OBJECT_BODY, 0};
    facts.time = 0.5;
    open_section("Objects", "Objects.add");
    assert_int_equal(controls.animation.count, 0);
    click("Objects.temperature key");
    expect_key("bodies.0.temperature", 80.0);
    click("Objects.albedo key");
    expect_key("bodies.0.albedo.0", 0.25);
    expect_key("bodies.0.albedo.1", 0.5);
    expect_key("bodies.0.albedo.2", 0.75);
    assert_int_equal(controls.animation.count, 4);

    controls.curve_editor = true;
    draw_frames(3);
    assert_true(is_visible("Curves.bodies.0.temperature"));
    assert_true(is_visible("Curves.bodies.0.albedo.2"));
    controls.curve_editor = false;

    controls.present.bodies[0].temperature = 120.0f; // a new value, with its key
    draw_frame();
    click("Objects.temperature key");
    expect_key("bodies.0.temperature", 120.0);
    click("Objects.temperature key"); // and without
    assert_null(brume_keys_find(&controls.animation, "bodies.0.temperature"));
    assert_true(controls.present.placed == 0);
    const ControlRect row = find_control("Objects.temperature");
    click_slowly(row); // the middle of its range, from 0 to 500
    assert_near("temperature", (double)controls.present.bodies[0].temperature, 250.0, 10.0);
    assert_true(controls.present.placed == 1);
    click("Objects");
}

// an image of the sky is chosen by its file; the former sky stays until then
static void test_sky_file(void **state)
{
    (void)state;
    open_section("Light", "Light.exposure");
    const BrumeSkyKind before = controls.render_settings.sky.kind;
    SDL_Event wheel = {.type = SDL_MOUSEWHEEL};
    wheel.wheel.y = -1;
    wheel.wheel.preciseY = -1.0f;
    point_at(60.0f, 400.0f);
    for (int n = 0; n < 40 && !is_visible("Light.sky"); n++) {
        send(&wheel);
        draw_frames(2);
    }
    assert_false(is_visible("Light.sky file"));
    assert_false(is_visible("Light.sky rotation")); // it has no effect
    send(&wheel);                                   // wholly into view
    draw_frames(4);
    click("Light.sky");
    draw_frames(2);
    click("Light.image");
    assert_int_equal(controls.render_settings.sky.kind, before);
    draw_frames(2);
    assert_true(is_visible("Light.sky rotation")); // the rows are those of an image, as the list says
    point_at(60.0f, 400.0f);
    for (int n = 0; n < 40 && !is_visible("Light.sky file"); n++) {
        send(&wheel);
        draw_frames(2);
    }
    send(&wheel);
    draw_frames(4);
    click("Light.sky file");
    enter("studio.hdr");
    assert_string_equal(given.open_sky, "studio.hdr");
    draw_frames(2);
    assert_int_equal(controls.render_settings.sky.kind, before); // the viewer reads it
    for (int n = 0; n < 60; n++) {                               // back to the top
        wheel.wheel.y = 1;
        wheel.wheel.preciseY = 1.0f;
        send(&wheel);
        draw_frame();
    }
}

// presets of looks: one click applies one, a typed name saves one, an own one is deleted by its menu
static void test_looks(void **state)
{
    (void)state;
    static BrumeLookCatalog catalog = {.installed = BRUME_SOURCE_DIR "/scenes/looks"};
    brume_look_catalog_scan(&catalog);
    const BrumeLookBox box = brume_look_box(&controls.sim[0]);
    facts.looks = &catalog;
    facts.look_floor = box.floor;
    facts.look_side = box.side;
    assert_false(controls.looks_shown);
    open_section("Look", "Look.Cloud");
    assert_true(controls.looks_shown);
    int ink = 0;
    while (strcmp(catalog.entries[ink].name, "Ink") != 0) {
        ink++;
    }
    click("Look.Ink");
    assert_int_equal(given.apply_look, ink + 1);
    assert_false(given.edited); // the viewer applies it
    click("Look.save medium");
    enter("gray");
    assert_string_equal(given.save_look[BRUME_LOOK_MEDIUM], "gray");
    assert_string_equal(given.save_look[BRUME_LOOK_LIGHTS], "");

    // only an own preset has a menu
    SDL_Event event = {.type = SDL_MOUSEBUTTONDOWN};
    for (int own = 0; own < 2; own++) {
        catalog.entries[ink].own = own == 1;
        const ControlRect rect = find_control("Look.Ink");
        point_at(rect.x, rect.y);
        draw_frames(2);
        event.type = SDL_MOUSEBUTTONDOWN;
        event.button.button = SDL_BUTTON_RIGHT;
        event.button.x = (Sint32)rect.x;
        event.button.y = (Sint32)rect.y;
        send(&event);
        draw_frames(2);
        event.type = SDL_MOUSEBUTTONUP;
        send(&event);
        draw_frames(3);
        assert_int_equal(is_visible("Look.delete this preset"), own == 1);
    }
    click("Look.delete this preset");
    assert_int_equal(given.remove_look, ink + 1);

    // hidden, or with the section closed, no thumbnails are drawn
    click("Look");
    draw_frames(2);
    assert_false(controls.looks_shown);
    facts.looks = NULL;
}

// the image of the sky has its name, rotation and brightness, and is removed
static void test_environment(void **state)
{
    (void)state;
    static BrumeLookCatalog catalog; // without presets
    static const float radiance[3] = {1.0f, 1.0f, 1.0f};
    facts.looks = &catalog;
    open_section("Look", "Look.save medium");
    assert_false(is_visible("Look.environment file"));
    assert_true(is_visible("Look.sky file"));
    click("Look.sky file ...");
    assert_int_equal(given.choose, BRUME_CHOOSE_SKY);
    controls.render_settings.sky.kind = BRUME_SKY_IMAGE;
    controls.render_settings.sky.image = (BrumeSkyImage){1, 1, radiance};
    facts.sky_file = "/skies/studio.hdr";
    draw_frames(2);
    assert_true(is_visible("Look.environment file"));
    assert_true(is_visible("Look.sky rotation") && is_visible("Look.sky intensity"));
    click("Look.remove environment");
    assert_true(given.edited);
    assert_int_equal(controls.render_settings.sky.kind, scene->render_settings.sky.kind);
    facts.sky_file = NULL;
    draw_frames(2);
    assert_false(is_visible("Look.environment file"));
    click("Look");
    facts.looks = NULL;
}

// two looks: the panel edits the selected side; copies, and ends with one of them
static void test_two_looks(void **state)
{
    (void)state;
    assert_false(is_visible("A (left)"));
    brume_controls_toggle_looks(&controls);
    draw_frames(2);
    assert_int_equal(controls.edited_variant, 1);
    controls.other_look.exposure = 1.5f;
    const float first = controls.render_settings.exposure;
    click("A (left)");
    assert_int_equal(controls.edited_variant, 0);
    assert_ptr_equal(brume_controls_look(&controls), &controls.render_settings);
    click("B (right)");
    assert_near("look A", controls.render_settings.exposure, first, 0.0);
    click("copy to other");
    assert_true(given.edited);
    assert_near("look A", controls.render_settings.exposure, 1.5, 0.0);
    assert_memory_equal(&controls.sim[0], &controls.sim[1], sizeof controls.sim[0]);
    click("keep A alone");
    assert_int_equal(controls.edited_variant, 0);
    assert_true(given.toggle_looks);
    brume_controls_toggle_looks(&controls); // the viewer does
    draw_frames(2);
    assert_false(is_visible("A (left)"));
}

// Tab hides and shows the panel; it does not activate a control as a text field, which would take the following keys
static void test_tab(void **state)
{
    (void)state;
    open_section("Air", "Air.viscosity");
    click("Air.viscosity"); // so that the panel has ImGui's focus
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.scancode = SDL_SCANCODE_TAB;
    key.key.keysym.sym = SDLK_TAB;
    send(&key);
    draw_frame();
    key.type = SDL_KEYUP;
    send(&key);
    draw_frames(2);
    assert_false(brume_panel_wants_keys(panel));
}

static double mean_of_corner(int x, int y)
{
    enum { SIDE = 24 };
    uint8_t rgb[SIDE * SIDE * 3];
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, window->pixels_high - y - SIDE, SIDE, SIDE, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    double sum = 0.0;
    for (size_t n = 0; n < sizeof rgb; n++) {
        sum += rgb[n];
    }
    return sum / (double)sizeof rgb;
}

static void test_hidden_parts_are_not_drawn(void **state)
{
    (void)state;
    const int right = window->pixels_wide - 48;
    draw_frame();
    assert_below("panel", mean_of_corner(20, 400), 80.0);
    assert_below("figures", mean_of_corner(right, 30), 80.0);
    controls.panel = false;
    controls.hud = false;
    draw_frames(2);
    assert_near("picture", mean_of_corner(20, 400), 127.5, 1.0);
    assert_near("picture", mean_of_corner(right, 30), 127.5, 1.0);

    // a message fades
    const int x = window->pixels_wide / 2 - 12;
    const int y = window->pixels_high - 44;
    (void)snprintf(facts.message, sizeof facts.message, "a message of some length");
    draw_frames(2);
    assert_below("message", mean_of_corner(x, y), 110.0);
    facts.message_age = 30.0;
    draw_frame();
    assert_near("message gone", mean_of_corner(x, y), 127.5, 1.0);
}

// the color scale is inside of the picture with its padding, also where that is narrow
static void test_color_scale_in_a_narrow_picture(void **state)
{
    (void)state;
    const int left = window->pixels_wide - 200;
    const int y = window->pixels_high - 60;
    facts.area.left = (float)left;
    facts.area.width = 200.0f;
    facts.scale = (BrumeColorScale){.name = "temperature", .unit = "K", .upper = 20.0f};
    controls.view = BRUME_VIEW_TEMPERATURE;
    draw_frames(2);
    assert_below("color scale", mean_of_corner(left + 20, y), 110.0);
    assert_near("beside the picture", mean_of_corner(left - 24, y), 127.5, 1.0);
}

// the light theme and another scale take effect in the next picture
static void test_theme_and_scale(void **state)
{
    (void)state;
    draw_frame();
    const ControlRect before = find_control("run");
    assert_below("dark", mean_of_corner(20, 700), 80.0);
    controls.light = true;
    draw_frames(2);
    assert_true(mean_of_corner(20, 700) > 200.0);
    controls.ui_scale = 1.5f;
    draw_frames(2);
    const ControlRect after = find_control("run");
    assert_near("height", after.bottom - after.top, 1.5 * (before.bottom - before.top), 1.0);
    const BrumePictureArea whole = {.width = 1920.0f, .height = 1080.0f};
    assert_near("width of the panel", brume_panel_free_area(panel, &controls, &facts, whole).left, 510.0, 0.5);
    controls.light = false;
    controls.ui_scale = 1.0f;
    draw_frames(2);
    assert_below("dark again", mean_of_corner(20, 700), 80.0);
    assert_near("size again", find_control("run").bottom, before.bottom, 0.01);
}

#define EACH(test) cmocka_unit_test_setup(test, set_up)

// whether a control is a part of the panel, which the timeline, the curve editor and the dialog are not
static bool is_in_panel(const char *name)
{
    return strncmp(name, "Timeline.", 9) != 0 && strncmp(name, "Curves.", 7) != 0;
}

static void expect_no_overlap(BrumePanel *sized, int size, float scale)
{
    const char *name;
    const char *other;
    float a[4];
    float b[4];
    for (int n = 0; brume_panel_spot(sized, n, &name, a); n++) {
        for (int m = 0; m < n; m++) {
            (void)brume_panel_spot(sized, m, &other, b);
            const float wide = fminf(a[2], b[2]) - fmaxf(a[0], b[0]);
            const float high = fminf(a[3], b[3]) - fmaxf(a[1], b[1]);
            const bool is_key = strncmp(name, "Curves.key ", 11) == 0;          // a part of the plot
            const bool is_one_window = is_in_panel(name) == is_in_panel(other); // a control can be cut off at the foot
            if (wide > 0.5f && high > 0.5f && !is_key && is_one_window) {
                fail_msg("width %d, scale %g: '%s' and '%s' overlap by %g x %g", size, (double)scale, name, other,
                         (double)wide, (double)high);
            }
        }
    }
}

// all sections at one size of the window: no control is beyond the edge of the panel or of the window, and none covers
// another one
static void expect_controls_inside(BrumePanel *sized, int width, int height, float scale)
{
    SDL_SetWindowSize(window->handle, width, height);
    SDL_PumpEvents();
    facts.area = (BrumePictureArea){.width = (float)width, .height = (float)height, .scale = 1.0f};
    controls.ui_scale = scale;
    brume_panel_lay_out(sized, scene, &facts, &controls, &commands);
    brume_panel_lay_out(sized, scene, &facts, &controls, &commands);
    const BrumePictureArea whole = {.width = (float)width, .height = (float)height};
    const BrumePictureArea area = brume_panel_free_area(sized, &controls, &facts, whole);
    const char *name;
    float place[4];
    int count = 0;
    for (; brume_panel_spot(sized, count, &name, place); count++) {
        const bool in_panel = is_in_panel(name);
        const float right = in_panel ? area.left : (float)width;
        const bool is_below = !in_panel && place[3] > (float)height;
        if (place[0] < 0.0f || place[2] > right || is_below || !(place[2] - place[0] >= 4.0f)) {
            fail_msg("%d x %d, scale %g: '%s' is at %g to %g, %g to %g, and its window ends at %g", width, height,
                     (double)scale, name, (double)place[0], (double)place[2], (double)place[1], (double)place[3],
                     (double)right);
        }
    }
    assert_true(count > (height > 5000 ? 200 : 20));
    expect_no_overlap(sized, width, scale);
}

static void test_controls_are_inside_of_their_windows(void **state)
{
    (void)state;
    static const int sizes[][2] = {{800, 600}, {1280, 720}, {1920, 1080}};
    static const char *const sections[] = {"Scene",     "Brush",    "Objects", "View",  "Look",   "Camera",
                                           "Time",      "Air",      "Smoke",   "Light", "Solver", "Solver details",
                                           "Keyframes", "Pictures", "Export",  "Window"};
    static const int numbers[] = {1, 2};
    static const unsigned char states[] = {1, 1};
    static BrumeLookCatalog catalog = {.installed = BRUME_SOURCE_DIR "/scenes/looks"};
    brume_look_catalog_scan(&catalog);
    BrumePanelState open = {.has_sections = true};
    for (size_t n = 0; n < sizeof sections / sizeof sections[0]; n++) {
        (void)snprintf(open.open_sections[open.open_count++], BRUME_SECTION_NAME, "%s", sections[n]);
    }
    const int width = window->width;
    const int height = window->height;
    BrumePanel *sized = NULL;
    BrumeError error;
    assert_int_equal(brume_panel_create(&sized, window->handle, window->context, 1.0f, &presets, &error), BRUME_OK);
    brume_panel_restore(sized, &open);
    facts.looks = &catalog;
    facts.timeline = (BrumeTimelineReadouts){.kept = true,
                                             .first = 1,
                                             .last = 2,
                                             .stride = 1,
                                             .position = 1,
                                             .count = 2,
                                             .numbers = numbers,
                                             .states = states};
    controls.curve_editor = true;
    controls.slice = true;
    controls.select.selected = (BrumeObject){BRUME_OBJECT_EMITTER, 0};
    for (int n = 0; n < 3; n++) {
        for (int twice = 0; twice < 2; twice++) {
            const float scale = twice ? 2.0f : 1.0f;
            expect_controls_inside(sized, sizes[n][0], 24000, scale); // without scrolling
            expect_controls_inside(sized, sizes[n][0], sizes[n][1], scale);
        }
    }
    brume_panel_destroy(sized);
    SDL_SetWindowSize(window->handle, width, height);
    SDL_PumpEvents();
    facts.looks = NULL;
}

int main(void)
{
    BrumeError error;
    BrumeWindowState place = brume_default_window_state();
    place.width = 900;
    place.height = 800;
    if (brume_window_create(&window, "panel", &place, &error) != BRUME_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return getenv("DISPLAY") ? 1 : 77;
    }
    int failed = 1;
    if (brume_scene_load(&scene, BRUME_SOURCE_DIR "/scenes/plume.yaml", NULL, 0, NULL, &error) == BRUME_OK &&
        brume_panel_create(&panel, window->handle, window->context, 1.0f, &presets, &error) == BRUME_OK) {
        scene->render_settings.density_curve[0].count = 0; // `test_curve` begins without one
        const struct CMUnitTest tests[] = {
            EACH(test_drag_a_slider_and_reset_it),
            EACH(test_drawing_changes_nothing),
            EACH(test_mouse_capture),
            EACH(test_buttons),
            EACH(test_clicks_between_two_pictures),
            EACH(test_free_area),
            EACH(test_timeline),
            EACH(test_new_color_is_in_use),
            EACH(test_curve),
            EACH(test_emitter_switches),
            EACH(test_resolution_changes_on_release),
            EACH(test_choices),
            EACH(test_text_input),
            EACH(test_camera),
            EACH(test_keys_of_an_body),
            EACH(test_sky_file),
            EACH(test_double_click_types),
            EACH(test_double_click_between_slow_pictures),
            EACH(test_typed_numbers_act_at_the_end),
            EACH(test_typed_numbers_beyond_the_range),
            EACH(test_buoyancy_is_a_factor),
            EACH(test_search),
            EACH(test_job_is_in_view),
            EACH(test_save_field),
            EACH(test_escape_closes_menus),
            EACH(test_looks),
            EACH(test_environment),
            EACH(test_two_looks),
            EACH(test_tab),
            EACH(test_hidden_parts_are_not_drawn),
            EACH(test_color_scale_in_a_narrow_picture),
            EACH(test_theme_and_scale),
            EACH(test_controls_are_inside_of_their_windows),
        };
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    brume_panel_destroy(panel);
    brume_scene_destroy(scene);
    brume_window_destroy(window);
    return failed;
}
