// Input: synthetic key and mouse events change controls and commands; no window is needed.
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/window/input.h"

#include <string.h>

enum { WIDE = 800, HIGH = 400 };

static BrumeInput input;
static BrumeControls controls;
static BrumeCommands commands;
static BrumePictureArea area;
static Uint32 ticks;

static int set_up(void **state)
{
    (void)state;
    input = (BrumeInput){.surface = -1};
    controls = brume_default_controls();
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    commands = (BrumeCommands){0};
    ticks = 1000;
    area = (BrumePictureArea){.width = WIDE, .height = HIGH, .scale = 1.0f};
    return 0;
}

static void send(SDL_Event event, const BrumePick *pick)
{
    ticks += 10;
    event.common.timestamp = ticks;
    brume_input_note_modifiers(&input, &event);
    brume_input_event(&input, &event, &area, pick, &controls, &commands);
}

static void key_event(Uint32 type, SDL_Keycode sym, int mods, bool repeat)
{
    SDL_Event event = {.type = type};
    event.key.keysym.sym = sym;
    event.key.keysym.scancode = SDL_GetScancodeFromKey(sym);
    event.key.keysym.mod = (Uint16)mods;
    event.key.repeat = repeat ? 1 : 0;
    send(event, NULL);
}

static void press_key(SDL_Keycode sym, int mods)
{
    key_event(SDL_KEYDOWN, sym, mods, false);
    key_event(SDL_KEYUP, sym, mods, false);
}

static void button_event(Uint32 type, Uint8 button, int x, int y, const BrumePick *pick)
{
    SDL_Event event = {.type = type};
    event.button.button = button;
    event.button.x = x;
    event.button.y = y;
    send(event, pick);
}

static void move_to(int x, int y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.xrel = x - (int)input.x;
    event.motion.yrel = y - (int)input.y;
    event.motion.x = x;
    event.motion.y = y;
    send(event, NULL);
}

static void turn_wheel(float notches)
{
    SDL_Event event = {.type = SDL_MOUSEWHEEL};
    event.wheel.y = (Sint32)notches;
    event.wheel.preciseY = notches;
    send(event, NULL);
}

static BrumePick smoke_at(float z)
{
    return (BrumePick){
        .kind = BRUME_PICK_SMOKE, .distance = 4.0f - z, .point = {0.0f, 0.0f, z}, .enter = 3.0f, .leave = 5.0f};
}

static void test_switches(void **state)
{
    (void)state;
    const struct {
        SDL_Keycode key;
        int mods;
        bool *flag;
    } switches[] = {
        {SDLK_SPACE, 0, &controls.running},  {SDLK_t, 0, &controls.slice},
        {SDLK_v, 0, &controls.streamlines},  {SDLK_b, 0, &controls.compare},
        {SDLK_c, 0, &controls.cpu},          {SDLK_o, 0, &controls.box},
        {SDLK_l, 0, &controls.loop},         {SDLK_TAB, 0, &controls.panel},
        {SDLK_h, 0, &controls.hud},          {SDLK_F1, 0, &controls.help},
        {SDLK_F10, 0, &controls.fullscreen}, {SDLK_RETURN, KMOD_LALT, &controls.fullscreen},
    };
    for (size_t n = 0; n < sizeof switches / sizeof switches[0]; n++) {
        const bool before = *switches[n].flag;
        press_key(switches[n].key, switches[n].mods);
        assert_int_equal(*switches[n].flag, !before);
        key_event(SDL_KEYDOWN, switches[n].key, switches[n].mods, true); // held: nothing more
        assert_int_equal(*switches[n].flag, !before);
        press_key(switches[n].key, switches[n].mods);
        assert_int_equal(*switches[n].flag, before);
    }
}

static void test_commands(void **state)
{
    (void)state;
    const struct {
        SDL_Keycode key;
        int mods;
        const bool *flag;
    } keys[] = {
        {SDLK_r, 0, &commands.reset},
        {SDLK_f, 0, &commands.frame_smoke},
        {SDLK_HOME, 0, &commands.home},
        {SDLK_F12, 0, &commands.screenshot},
        {SDLK_F12, KMOD_LSHIFT, &commands.window_picture},
        {SDLK_F11, 0, &commands.record},
        {SDLK_b, KMOD_LSHIFT, &commands.toggle_looks},
        {SDLK_g, 0, &commands.save},
        {SDLK_s, KMOD_LCTRL, &commands.save},
        {SDLK_z, KMOD_LCTRL, &commands.undo},
        {SDLK_z, KMOD_RCTRL | KMOD_LSHIFT, &commands.redo},
        {SDLK_y, KMOD_LCTRL, &commands.redo},
        {SDLK_q, KMOD_LCTRL, &commands.quit},
    };
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        BrumeCommands expected = {0};
        memcpy((char *)&expected + ((const char *)keys[n].flag - (const char *)&commands), &(bool){true}, sizeof(bool));
        press_key(keys[n].key, keys[n].mods);
        assert_memory_equal(&commands, &expected, sizeof commands);
        commands = (BrumeCommands){0};
    }
    send((SDL_Event){.type = SDL_QUIT}, NULL);
    assert_true(commands.quit);
}

static void test_scale_keys(void **state)
{
    (void)state;
    press_key(SDLK_PLUS, KMOD_LCTRL);
    press_key(SDLK_KP_PLUS, KMOD_LCTRL);
    assert_near("larger", controls.ui_scale, 1.5, 1e-6);
    press_key(SDLK_MINUS, KMOD_LCTRL);
    assert_near("smaller", controls.ui_scale, 1.25, 1e-6);
    press_key(SDLK_0, KMOD_LCTRL);
    assert_near("as the display", controls.ui_scale, 1.0, 0.0);
    for (int n = 0; n < 9; n++) {
        press_key(SDLK_MINUS, KMOD_RCTRL);
    }
    assert_near("smallest", controls.ui_scale, 0.75, 0.0);
    for (int n = 0; n < 9; n++) {
        press_key(SDLK_EQUALS, KMOD_RCTRL);
    }
    assert_near("largest", controls.ui_scale, 2.0, 0.0);
    assert_near("the brush stays", controls.brush.radius, brume_default_controls().brush.radius, 0.0);
}

static void test_timeline_keys(void **state)
{
    (void)state;
    const struct {
        SDL_Keycode key;
        int mods, steps;
    } keys[] = {{SDLK_COMMA, 0, -1},       {SDLK_PERIOD, 0, 1}, {SDLK_LEFT, 0, -1}, {SDLK_RIGHT, 0, 1},
                {SDLK_n, KMOD_LSHIFT, -1}, {SDLK_n, 0, 0},      {SDLK_END, 0, 0},   {SDLK_LEFT, KMOD_LCTRL, 0}};
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        commands = (BrumeCommands){0};
        press_key(keys[n].key, keys[n].mods);
        assert_int_equal(commands.timeline_steps, keys[n].steps);
        assert_int_equal(commands.seek_last, keys[n].key == SDLK_END);
        assert_int_equal(commands.advance, keys[n].key == SDLK_n && keys[n].mods == 0 ? 1 : 0);
    }
    commands = (BrumeCommands){0};
    key_event(SDL_KEYDOWN, SDLK_PERIOD, 0, false);
    key_event(SDL_KEYDOWN, SDLK_PERIOD, 0, true); // held: it repeats
    key_event(SDL_KEYUP, SDLK_PERIOD, 0, false);
    assert_int_equal(commands.timeline_steps, 2);
    press_key(SDLK_n, 0);
    press_key(SDLK_n, 0); // both in one iteration of the loop
    assert_int_equal(commands.advance, 2);
}

static void test_keys_beside_text_fields(void **state)
{
    (void)state;
    const struct {
        SDL_Keycode key;
        int mods;
        bool expected;
    } keys[] = {
        {SDLK_q, KMOD_LCTRL, true}, {SDLK_s, KMOD_RCTRL, true},  {SDLK_F1, 0, true},      {SDLK_F12, 0, true},
        {SDLK_q, 0, false},         {SDLK_z, KMOD_LCTRL, false}, {SDLK_ESCAPE, 0, false}, {SDLK_TAB, 0, false},
    };
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        SDL_Event event = {.type = SDL_KEYDOWN};
        event.key.keysym.sym = keys[n].key;
        event.key.keysym.mod = (Uint16)keys[n].mods;
        assert_int_equal(brume_input_is_window_key(&event), keys[n].expected);
        event.type = SDL_KEYUP;
        assert_false(brume_input_is_window_key(&event));
    }
}

static void test_digits(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++) {
        controls.view = BRUME_VIEW_SMOKE;
        press_key(SDLK_0 + n, 0);
        assert_int_equal(controls.view, n <= 6 ? n - 1 : 0);
        press_key(SDLK_0 + n, KMOD_LCTRL);
        assert_int_equal(commands.bookmark_save, n);
        press_key(SDLK_0 + n, KMOD_LALT);
        assert_int_equal(commands.bookmark_recall, n);
        assert_int_equal(controls.view, n <= 6 ? n - 1 : 0);
    }
}

static void test_escape_never_quits(void **state)
{
    (void)state;
    controls.help = true;
    controls.fullscreen = true;
    press_key(SDLK_ESCAPE, 0);
    assert_false(controls.help);
    assert_true(controls.fullscreen);
    press_key(SDLK_ESCAPE, 0);
    assert_false(controls.fullscreen);
    press_key(SDLK_ESCAPE, 0);
    assert_false(commands.quit);
}

static void test_slice_and_brush_keys(void **state)
{
    (void)state;
    press_key(SDLK_RIGHTBRACKET, 0);
    key_event(SDL_KEYDOWN, SDLK_RIGHTBRACKET, 0, true);
    assert_true(controls.slice);
    assert_near("slice", controls.slice_at, 0.5 + 2.0 / 64.0, 1e-6);
    for (int n = 0; n < 100; n++) {
        press_key(SDLK_LEFTBRACKET, 0);
    }
    assert_near("slice", controls.slice_at, 0.0, 0.0);
    press_key(SDLK_x, 0);
    assert_int_equal(controls.slice_axis, 0);

    const float radius = controls.brush.radius;
    press_key(SDLK_PLUS, 0);
    assert_near("radius", controls.brush.radius, 1.15 * radius, 1e-6);
    key_event(SDL_KEYDOWN, SDLK_LSHIFT, KMOD_LSHIFT, false);
    turn_wheel(-2.0f);
    assert_near("radius", controls.brush.radius, radius / 1.15, 1e-6);
    for (int kind = 1; kind <= 4; kind++) {
        press_key(SDLK_k, 0);
        assert_int_equal(controls.brush.kind, kind % 4);
    }
    assert_int_equal(controls.sim[0].color_count, 3);
    press_key(SDLK_u, 0);
    assert_int_equal(controls.brush.mode, BRUME_BRUSH_ERASE);
    press_key(SDLK_u, 0);
    assert_int_equal(controls.brush.mode, BRUME_BRUSH_SMOKE);
    press_key(SDLK_u, 0);
    press_key(SDLK_k, 0); // a color is to be drawn
    assert_int_equal(controls.brush.mode, BRUME_BRUSH_SMOKE);
    assert_int_equal(controls.brush.kind, 1);
    for (int n = 1; n <= BRUME_BRUSH_MODES; n++) {
        press_key(SDLK_m, 0);
        assert_int_equal(controls.brush.mode, n % BRUME_BRUSH_MODES);
        if (controls.brush.mode == BRUME_BRUSH_TWIST) { // erasing goes back to any brush
            press_key(SDLK_u, 0);
            press_key(SDLK_u, 0);
            assert_int_equal(controls.brush.mode, BRUME_BRUSH_TWIST);
        }
    }
    press_key(SDLK_u, 0);
    assert_int_equal(controls.brush.mode, BRUME_BRUSH_ERASE);
}

static void test_fly(void **state)
{
    (void)state;
    controls.fly_speed = 2.0f;
    key_event(SDL_KEYDOWN, SDLK_w, 0, false);
    assert_false(brume_input_advance_camera(&input, 0.5, &controls)); // the right button is not held
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 10, 10, NULL);
    assert_true(brume_input_advance_camera(&input, 0.5, &controls));
    assert_near("z", controls.camera.position.z, 3.0, 1e-6);
    assert_near("target", controls.camera.target.z, -1.0, 1e-6);

    // the same motion in many short iterations, four times as fast, diagonally at the same speed
    BrumeCamera at_once = controls.camera;
    brume_camera_fly(&at_once, 4.0f * sqrtf(0.5f), 0.0f, 4.0f * sqrtf(0.5f));
    key_event(SDL_KEYDOWN, SDLK_d, 0, false);
    key_event(SDL_KEYDOWN, SDLK_LSHIFT, KMOD_LSHIFT, false);
    for (int n = 0; n < 64; n++) {
        assert_true(brume_input_advance_camera(&input, 0.5 / 64.0, &controls));
    }
    assert_near("x", controls.camera.position.x, at_once.position.x, 1e-5);
    assert_near("z", controls.camera.position.z, at_once.position.z, 1e-5);

    turn_wheel(1.0f);
    assert_near("speed", controls.fly_speed, 2.4, 1e-6);
    move_to(210, 10); // a radian to the right
    const BrumeVec3 ahead = brume_normalize(brume_sub(controls.camera.target, controls.camera.position));
    assert_near("yaw", atan2((double)ahead.x, -(double)ahead.z), 1.0, 1e-5);

    // losing the keyboard focus releases everything
    SDL_Event lost = {.type = SDL_WINDOWEVENT};
    lost.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
    send(lost, NULL);
    assert_int_equal(input.drag, BRUME_DRAG_NONE);
    assert_int_equal(input.held_keys, 0);
    assert_false(brume_input_advance_camera(&input, 0.5, &controls));
}

// press and release between two iterations of a slow loop
static void test_a_short_press_is_not_missed(void **state)
{
    (void)state;
    controls.fly_speed = 2.0f;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 10, 10, NULL);
    key_event(SDL_KEYDOWN, SDLK_w, 0, false);
    key_event(SDL_KEYUP, SDLK_w, 0, false);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT, 10, 10, NULL);
    assert_true(brume_input_advance_camera(&input, 0.5, &controls));
    assert_near("z", controls.camera.position.z, 3.0, 1e-6);
    assert_false(brume_input_advance_camera(&input, 0.5, &controls));
    assert_near("z", controls.camera.position.z, 3.0, 1e-6);
    key_event(SDL_KEYDOWN, SDLK_w, 0, false); // without the right button it does not fly
    key_event(SDL_KEYUP, SDLK_w, 0, false);
    assert_false(brume_input_advance_camera(&input, 0.5, &controls));
}

// the camera stays above the ground, whatever moves it; without a drawn ground it does not
static void test_camera_stays_above_the_ground(void **state)
{
    (void)state;
    controls.camera.position = (BrumeVec3){0.0f, 1.0f, 4.0f};
    controls.camera.target = (BrumeVec3){0.0f, 1.0f, 0.0f};
    const BrumeCamera start = controls.camera;
    const float height = controls.sim[0].dx * (float)controls.sim[0].ny;
    const double lowest = 0.01 * (double)height;
    controls.fly_speed = 2.0f;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 10, 10, NULL);
    key_event(SDL_KEYDOWN, SDLK_q, 0, false);
    for (int n = 0; n < 20; n++) {
        assert_true(brume_input_advance_camera(&input, 0.1, &controls));
    }
    key_event(SDL_KEYUP, SDLK_q, 0, false);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT, 10, 10, NULL);
    assert_near("fly", controls.camera.position.y, lowest, 1e-6);
    assert_near("it still looks ahead", controls.camera.target.y, lowest, 1e-6);

    controls.camera = start;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 100, 100, NULL);
    move_to(100, 300); // a radian and more upwards would be 3.4 m below the target
    move_to(100, 350);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 100, 350, NULL);
    assert_true(controls.camera.position.y > 1.0f); // dragged down, it goes up
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 100, 390, NULL);
    move_to(100, 10);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 100, 10, NULL);
    assert_near("orbit", controls.camera.position.y, lowest, 1e-5);
    assert_near("the target stays", controls.camera.target.y, 1.0, 1e-5);
    assert_near("so does the distance", brume_length(brume_sub(controls.camera.target, controls.camera.position)), 4.0,
                1e-4);
    for (int n = 0; n < 10; n++) {
        turn_wheel(-1.0f);
    }
    assert_near("dolly", controls.camera.position.y, lowest, 1e-4);
    key_event(SDL_KEYDOWN, SDLK_LSHIFT, KMOD_LSHIFT, false);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 100, 390, NULL);
    move_to(100, 10);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 100, 10, NULL);
    key_event(SDL_KEYUP, SDLK_LSHIFT, 0, false);
    assert_near("pan", controls.camera.position.y, lowest, 1e-5);

    controls.camera = start;
    controls.render_settings.ground = false;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 100, 390, NULL);
    move_to(100, 10);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 100, 10, NULL);
    assert_true(controls.camera.position.y < -2.0f);
}

// J plays backwards whatever was played before, Shift + J forwards, and Space pauses and plays on
static void test_keys_that_play(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) { // paused, playing forwards, playing backwards
        controls.running = n > 0;
        controls.backwards = n > 1;
        press_key(SDLK_j, 0);
        assert_true(controls.running && controls.backwards);
    }
    press_key(SDLK_SPACE, 0);
    assert_true(!controls.running && controls.backwards);
    press_key(SDLK_SPACE, 0);
    assert_true(controls.running && controls.backwards);
    press_key(SDLK_j, KMOD_LSHIFT);
    assert_true(controls.running && !controls.backwards);
}

// what is under the pointer, which may rest: nothing beside the picture or during a drag that moves nothing
static void test_hovered_objects(void **state)
{
    (void)state;
    controls.select.active = true;
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    controls.sim[0].nx = controls.sim[0].ny = controls.sim[0].nz = 20;
    controls.sim[0].dx = 0.1f;
    controls.sim[0].origin = brume_vec3(-1.0f, -1.0f, -1.0f);
    controls.sim[0].emitter_count = 1;
    controls.sim[0].emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.25f};
    const BrumeObject sphere = {BRUME_OBJECT_EMITTER, 0};
    move_to(WIDE / 2, HIGH / 2);
    brume_input_update_hover(&input, &area, true, &controls);
    assert_true(brume_same_object(controls.select.hovered, sphere));
    brume_input_update_hover(&input, &area, false, &controls); // a menu is over it
    assert_int_equal(controls.select.hovered.kind, BRUME_OBJECT_NONE);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 10, 10, NULL); // beside it, and over it
    assert_int_equal(input.drag, BRUME_DRAG_SELECT);
    move_to(WIDE / 2, HIGH / 2);
    brume_input_update_hover(&input, &area, true, &controls);
    assert_int_equal(controls.select.hovered.kind, BRUME_OBJECT_NONE);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, WIDE / 2, HIGH / 2, NULL);
    brume_input_update_hover(&input, &area, true, &controls);
    assert_true(brume_same_object(controls.select.hovered, sphere));
    controls.sim[0].emitters[0].shape.a.x = 1.0f; // it is moved away
    brume_input_update_hover(&input, &area, true, &controls);
    assert_int_equal(controls.select.hovered.kind, BRUME_OBJECT_NONE);
}

// the pointer is counted from the corner of the picture, which is beside the panel
static void test_pointer_in_a_part_of_the_window(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.5f);
    area = (BrumePictureArea){.left = 300.0f, .top = 20.0f, .width = WIDE, .height = HIGH, .scale = 1.0f};
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 700, 220, &pick);
    move_to(740, 220);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 740, 220, NULL);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    assert_int_equal(brume_input_drain_stroke(&input, 1e-3 * ticks, segments), 1);
    assert_near("x", segments[0].stroke.to.x, 0.7, 1e-5);
    assert_near("y", segments[0].stroke.to.y, 0.0, 1e-5);
    controls.compare = true;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 704, 50, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_DIVIDER);
    move_to(10, 50);
    assert_near("not below the panel", controls.divider, 0.02, 1e-6);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 10, 50, NULL);
}

static void test_animation_is_smooth_and_stops_at_a_drag(void **state)
{
    (void)state;
    BrumeCamera home = controls.camera;
    brume_camera_dolly(&home, 2.0f);
    brume_input_animate_camera(&input, &controls, &home);
    assert_true(brume_input_advance_camera(&input, 0.125, &controls));
    assert_near("half way", controls.camera.position.z, 6.0, 1e-5);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 10, 10, NULL);
    assert_false(brume_input_advance_camera(&input, 0.125, &controls));
    assert_near("stays", controls.camera.position.z, 6.0, 1e-5);
}

// a drag by 50 points, an eighth of the picture, which is 8 m high at the target
static void middle_drag_down(SDL_Keycode key, int mods, BrumeDrag expected)
{
    if (key) {
        key_event(SDL_KEYDOWN, key, mods, false);
    }
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 100, 100, NULL);
    assert_int_equal(input.drag, expected);
    move_to(100, 150);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 100, 150, NULL);
    if (key) {
        key_event(SDL_KEYUP, key, 0, false);
    }
}

static void test_orbit_pan_dolly(void **state)
{
    (void)state;
    key_event(SDL_KEYDOWN, SDLK_LALT, KMOD_LALT, false);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 100, 100, NULL);
    assert_int_equal(input.drag, BRUME_DRAG_ORBIT);
    key_event(SDL_KEYUP, SDLK_LALT, 0, false); // the modifiers at the press decide
    move_to(100 + 200, 100);
    assert_near("x", controls.camera.position.x, -4.0 * sin(1.0), 1e-5);
    assert_near("z", controls.camera.position.z, 4.0 * cos(1.0), 1e-5);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 300, 100, NULL); // changes nothing
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT, 300, 100, NULL);
    assert_int_equal(input.drag, BRUME_DRAG_ORBIT);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 300, 100, NULL);
    assert_int_equal(input.drag, BRUME_DRAG_NONE);
    key_event(SDL_KEYDOWN, SDLK_LALT, KMOD_LALT, false);
    brume_input_release_all(&input, 0.0); // the window loses the focus, Alt is released elsewhere
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 300, 100, NULL);
    assert_int_equal(input.drag, BRUME_DRAG_LOOK);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT, 300, 100, NULL);

    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    middle_drag_down(0, 0, BRUME_DRAG_ORBIT);
    assert_near("orbit", controls.camera.position.y, 4.0 * sin(0.25), 1e-5);
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    middle_drag_down(SDLK_LCTRL, KMOD_LCTRL, BRUME_DRAG_DOLLY);
    assert_near("dolly", controls.camera.position.z, 4.0 * exp(0.25), 1e-5);
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    middle_drag_down(SDLK_LALT, KMOD_LALT, BRUME_DRAG_PAN);
    assert_near("y", controls.camera.position.y, 1.0, 1e-5);
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    middle_drag_down(SDLK_LSHIFT, KMOD_LSHIFT, BRUME_DRAG_PAN);
    assert_near("y", controls.camera.position.y, 1.0, 1e-5);
    turn_wheel(1.0f);
    assert_near("z", controls.camera.position.z, 4.0 * 0.87, 1e-5);
    assert_near("newest", input.latest_event, 1e-3 * ticks, 1e-9);
}

static void test_stroke_on_the_plane_of_the_pick(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.5f);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_STROKE);
    move_to(440, 200);
    move_to(440, 160);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 440, 160, NULL);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    const int count = brume_input_drain_stroke(&input, 1e-3 * ticks, segments);
    assert_int_equal(count, 2);
    // 200 points are 3.5 m there
    assert_near("x", segments[0].stroke.to.x, 0.7, 1e-5);
    assert_near("y", segments[1].stroke.to.y, 0.7, 1e-5);
    assert_near("z", segments[1].stroke.to.z, 0.5, 1e-5);
    assert_near("seconds", segments[0].draw_time, 0.01, 1e-9);
    assert_int_equal(brume_input_drain_stroke(&input, 1e-3 * ticks, segments), 0);
}

static void test_drag_point(void **state)
{
    (void)state;
    // on the sky and on ground behind the box: the middle of the ray's path through the box; on ground in the box:
    // there
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = INFINITY, .enter = 3.0f, .leave = 5.0f};
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_near("sky", input.drag_point.z, 0.0, 1e-6);
    brume_input_release_all(&input, 0.0);
    pick =
        (BrumePick){.kind = BRUME_PICK_GROUND, .distance = 9.0f, .point = {0, 0, -5.0f}, .enter = -1.0f, .leave = 5.0f};
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_near("behind, from inside", input.drag_point.z, 1.5, 1e-6);
    brume_input_release_all(&input, 0.0);
    pick.distance = 5.0f;
    pick.point.z = -1.0f;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_near("ground", input.drag_point.z, -1.0, 1e-6);
    brume_input_release_all(&input, 0.0);
    // beside the box there is nothing to draw on
    pick = (BrumePick){.kind = BRUME_PICK_SKY, .distance = INFINITY, .enter = 1.0f, .leave = 0.0f};
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_NONE);
}

// a brush that turns the air does so about an axis towards the camera, for as long as the button is held
static void test_twist(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.0f);
    controls.brush.mode = BRUME_BRUSH_TWIST;
    controls.brush.twist = -3.0f;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    assert_int_equal(brume_input_drain_stroke(&input, 1e-3 * ticks + 0.25, segments), 1);
    const BrumeStroke *stroke = &segments[0].stroke;
    assert_near("seconds", segments[0].draw_time, 0.25, 1e-9);
    assert_near("twist", stroke->twist, -3.0, 0.0);
    assert_near("rate", stroke->push, controls.brush.push, 0.0);
    assert_near("velocity", stroke->velocity.x + stroke->velocity.y + stroke->velocity.z, 0.0, 0.0);
    assert_near("axis", stroke->axis.x, 0.0, 1e-6);
    assert_near("axis", stroke->axis.y, 0.0, 1e-6);
    assert_near("axis", stroke->axis.z, 1.0, 1e-6); // the camera looks along -z
    assert_near("smoke and heat", stroke->smoke[0] + stroke->temperature + stroke->erase, 0.0, 0.0);
}

// the first stroke of fuel makes it burn in both variants; where it cannot, there is no stroke
static void test_fuel(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.0f);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    controls.brush.mode = BRUME_BRUSH_FUEL;
    controls.compare = true;
    controls.divider = 0.0f;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_STROKE);
    assert_true(commands.edited);
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        assert_int_equal(controls.sim[n].fire.model, BRUME_FIRE_MIXING);
    }
    assert_true(controls.render_settings.emission.intensity > 0.0f);
    assert_int_equal(brume_input_drain_stroke(&input, 1e-3 * ticks + 0.25, segments), 1);
    assert_near("fuel", segments[0].stroke.fuel, controls.brush.fuel, 0.0);
    assert_near("temperature", segments[0].stroke.temperature, controls.brush.temperature, 0.0);
    brume_input_release_all(&input, 0.0);
    controls.compare = false;
    controls.sim[0] = brume_default_sim_def();
    controls.sim[0].faces[BRUME_FACE_Y_MAX].kind = BRUME_WALL;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_NONE);
    assert_non_null(strstr(commands.message, "needs an open side"));
}

static void test_push(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.0f);
    controls.brush.mode = BRUME_BRUSH_TWIST; // which Ctrl replaces
    key_event(SDL_KEYDOWN, SDLK_LCTRL, KMOD_LCTRL, false);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_STROKE);
    move_to(401, 200);
    move_to(400, 200);
    move_to(410, 200); // 0.2 m in 0.01 s, which is more than 40 radii a second
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 410, 200, NULL);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    assert_int_equal(brume_input_drain_stroke(&input, 1e-3 * ticks, segments), 3);
    assert_near("velocity", segments[2].stroke.velocity.x, 2.0, 1e-5);
    assert_near("velocity", segments[0].stroke.velocity.x, 2.0, 1e-2);
    assert_near("smoke", segments[0].stroke.smoke[0], 0.0, 0.0);
}

static void test_drag_an_body(void **state)
{
    (void)state;
    BrumePick pick = smoke_at(0.0f);
    pick.kind = BRUME_PICK_SURFACE;
    pick.surface = 3;
    int surface = -1;
    BrumeVec3 displacement;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 400, 200, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_BODY);
    assert_false(brume_input_drain_body_motion(&input, &surface, &displacement));
    move_to(410, 200);
    move_to(420, 190);
    assert_true(brume_input_drain_body_motion(&input, &surface, &displacement));
    assert_int_equal(surface, 3);
    assert_near("x", displacement.x, 0.4, 1e-5);
    assert_near("y", displacement.y, 0.2, 1e-5);
    assert_false(brume_input_drain_body_motion(&input, &surface, &displacement));
    move_to(400, 200);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 400, 200, NULL);
    assert_true(brume_input_drain_body_motion(&input, &surface, &displacement)); // the last motion is not lost
    assert_near("x", displacement.x, -0.4, 1e-5);
}

static void test_divider(void **state)
{
    (void)state;
    const BrumePick pick = smoke_at(0.0f);
    controls.compare = true;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 404, 50, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_DIVIDER);
    move_to(200, 90);
    assert_near("divider", controls.divider, 0.25, 1e-6);
    move_to(-50, 90);
    assert_near("divider", controls.divider, 0.02, 1e-6);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 0, 90, NULL);
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 404, 50, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_STROKE);
    button_event(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 404, 50, NULL);
    controls.compare = false; // between two looks, too
    controls.compare_looks = true;
    button_event(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 16, 50, &pick);
    assert_int_equal(input.drag, BRUME_DRAG_DIVIDER);
    move_to(400, 90);
    assert_near("divider", controls.divider, 0.5, 1e-6);
}

// SDL's key table requires its video subsystem, which needs no display here
static int start_keys(void **state)
{
    (void)state;
    return SDL_setenv("SDL_VIDEODRIVER", "dummy", 1) + SDL_Init(SDL_INIT_VIDEO);
}

static int stop_keys(void **state)
{
    (void)state;
    SDL_Quit();
    return 0;
}

#define EACH(test) cmocka_unit_test_setup(test, set_up)

// with the brush, Delete says what removes the object that is selected in the list
static void test_delete_with_the_brush(void **state)
{
    (void)state;
    press_key(SDLK_DELETE, 0);
    assert_string_equal(commands.message, ""); // nothing is selected
    controls.sim[0].emitter_count = 1;
    controls.sim[0].emitters[0] = brume_default_emitter_def();
    controls.select.selected = (BrumeObject){BRUME_OBJECT_EMITTER, 0};
    press_key(SDLK_DELETE, 0);
    assert_int_equal(controls.sim[0].emitter_count, 1);
    assert_non_null(strstr(commands.message, "press Q, then Delete removes emitter 1"));
    press_key(SDLK_q, 0);
    press_key(SDLK_DELETE, 0);
    assert_int_equal(controls.sim[0].emitter_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(test_delete_with_the_brush),
        EACH(test_switches),
        EACH(test_commands),
        EACH(test_scale_keys),
        EACH(test_timeline_keys),
        EACH(test_keys_beside_text_fields),
        EACH(test_digits),
        EACH(test_escape_never_quits),
        EACH(test_slice_and_brush_keys),
        EACH(test_fly),
        EACH(test_a_short_press_is_not_missed),
        EACH(test_camera_stays_above_the_ground),
        EACH(test_keys_that_play),
        EACH(test_hovered_objects),
        EACH(test_pointer_in_a_part_of_the_window),
        EACH(test_animation_is_smooth_and_stops_at_a_drag),
        EACH(test_orbit_pan_dolly),
        EACH(test_stroke_on_the_plane_of_the_pick),
        EACH(test_drag_point),
        EACH(test_fuel),
        EACH(test_push),
        EACH(test_twist),
        EACH(test_drag_an_body),
        EACH(test_divider),
    };
    return cmocka_run_group_tests(tests, start_keys, stop_keys);
}
