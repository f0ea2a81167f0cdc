#include "viewer/window/input.h"

#include "core/parallel/clock.h"
#include "core/vec3.h"

static const float radians_per_point = 0.005f; // rotation of the view per point of mouse motion
static const float dolly_per_notch = 0.87f;
static const float dolly_per_point = 0.005f;
static const float speed_per_notch = 1.2f;
static const float radius_per_notch = 1.15f;
static const float slice_per_key = 1.0f / 64.0f;
static const float fast_factor = 4.0f;
static const float divider_tolerance = 6.0f; // [points]
static const float min_speed = 0.01f, max_speed = 100.0f;
static const float min_radius = 0.005f, max_radius = 100.0f;
static const float min_divider = 0.02f;

static float clamp(float value, float min, float max) { return fminf(fmaxf(value, min), max); }

static bool has_modifier(SDL_Keymod mods, int wanted) { return ((int)mods & wanted) != 0; }

static double event_clock(const BrumeInput *input, const SDL_Event *event)
{
    return input->tick_zero + (double)event->common.timestamp * 1e-3;
}

BrumeInput brume_default_input(void)
{
    return (BrumeInput){.tick_zero = brume_seconds() - (double)SDL_GetTicks64() * 1e-3, .surface = -1};
}

void brume_input_note_modifiers(BrumeInput *input, const SDL_Event *event)
{
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
        input->modifiers = (SDL_Keymod)event->key.keysym.mod;
    }
}

bool brume_input_is_window_key(const SDL_Event *event)
{
    if (event->type != SDL_KEYDOWN) {
        return false;
    }
    const SDL_Keycode key = event->key.keysym.sym;
    const bool ctrl = has_modifier((SDL_Keymod)event->key.keysym.mod, KMOD_CTRL);
    return (ctrl && (key == SDLK_q || key == SDLK_s)) || (key >= SDLK_F1 && key <= SDLK_F12);
}

bool brume_input_needs_pick(const BrumeInput *input, const SDL_Event *event)
{
    return event->type == SDL_MOUSEBUTTONDOWN && event->button.button == SDL_BUTTON_LEFT &&
           !has_modifier(input->modifiers, KMOD_ALT);
}

/** The intersection of the pointer's ray with the drag plane; false if it is behind the camera or nearly parallel. */
static bool point_on_plane(const BrumeInput *input, const BrumeCamera *camera, int width, int height, BrumeVec3 *point)
{
    const BrumeRay ray = brume_camera_ray(camera, (float)width, (float)height, input->x, input->y);
    const float cosine = brume_dot(ray.direction, input->drag_normal);
    const float distance = brume_dot(brume_sub(input->drag_point, ray.origin), input->drag_normal) / cosine;
    if (!(fabsf(cosine) > 0.05f) || !(distance > 0.0f)) {
        return false;
    }
    *point = brume_ray_at(&ray, distance);
    return true;
}

/**
 * The point at which a drag starts: the picked point if it is a solid or lies in the box, otherwise the middle of the
 * ray's path through the box. False if the ray hits neither.
 */
static bool find_drag_point(const BrumePick *pick, const BrumeRay *ray, BrumeVec3 *point)
{
    const bool hits = pick->enter < pick->leave && pick->leave > 0.0f;
    const float tolerance = 1e-3f * pick->leave;
    const bool inside = hits && pick->distance >= pick->enter - tolerance && pick->distance <= pick->leave + tolerance;
    if (pick->kind == BRUME_PICK_SURFACE || (pick->kind != BRUME_PICK_SKY && inside)) {
        *point = pick->point;
        return true;
    }
    if (!hits) {
        return false;
    }
    const float middle = 0.5f * (fmaxf(pick->enter, 0.0f) + pick->leave);
    *point = brume_ray_at(ray, middle);
    return true;
}

static void press_left(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pick,
                       BrumeControls *controls)
{
    const SDL_Keymod mods = input->modifiers;
    if (has_modifier(mods, KMOD_ALT)) {
        input->drag = BRUME_DRAG_ORBIT;
        return;
    }
    if (controls->compare && fabsf(input->x - controls->divider * (float)width) <= divider_tolerance) {
        input->drag = BRUME_DRAG_DIVIDER;
        return;
    }
    const BrumeCamera *const camera = &controls->camera;
    const BrumeRay ray = brume_camera_ray(camera, (float)width, (float)height, input->x, input->y);
    if (!pick || !find_drag_point(pick, &ray, &input->drag_point)) {
        return;
    }
    BrumeVec3 right;
    BrumeVec3 up;
    brume_camera_axes(camera, &right, &up, &input->drag_normal);
    const bool pushes = has_modifier(mods, KMOD_CTRL);
    if (pick->kind == BRUME_PICK_SURFACE && !pushes && !has_modifier(mods, KMOD_SHIFT)) {
        input->drag = BRUME_DRAG_OBSTACLE;
        input->surface = pick->surface;
        input->displacement = (BrumeVec3){0};
        return;
    }
    input->drag = pushes ? BRUME_DRAG_PUSH : BRUME_DRAG_SMOKE;
    brume_stroke_builder_begin(&input->stroke, &controls->brush, pushes, input->drag_point, event_clock(input, event));
}

static void note_pressed_keys(BrumeInput *input)
{
    if (input->drag == BRUME_DRAG_LOOK) {
        input->pressed_keys |= input->held_keys;
    }
}

static void press(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pick,
                  BrumeControls *controls)
{
    input->x = (float)event->button.x;
    input->y = (float)event->button.y;
    if (input->drag != BRUME_DRAG_NONE) {
        return; // a second button does not end a drag
    }
    switch (event->button.button) {
    case SDL_BUTTON_LEFT:
        press_left(input, event, width, height, pick, controls);
        break;
    case SDL_BUTTON_MIDDLE:
        input->drag = BRUME_DRAG_PAN;
        break;
    case SDL_BUTTON_RIGHT:
        input->drag = has_modifier(input->modifiers, KMOD_ALT) ? BRUME_DRAG_DOLLY : BRUME_DRAG_LOOK;
        break;
    default:
        break;
    }
    if (input->drag >= BRUME_DRAG_LOOK) {
        input->animation.active = false;
    }
    input->button = event->button.button;
    note_pressed_keys(input);
}

static void end_drag(BrumeInput *input, double time)
{
    brume_stroke_builder_end(&input->stroke, time);
    input->drag = BRUME_DRAG_NONE;
}

static void move(BrumeInput *input, const SDL_Event *event, int width, int height, BrumeControls *controls)
{
    const SDL_MouseMotionEvent *const motion = &event->motion;
    const float dx = (float)motion->xrel;
    const float dy = (float)motion->yrel;
    BrumeCamera *const camera = &controls->camera;
    BrumeVec3 point;
    input->x = (float)motion->x;
    input->y = (float)motion->y;
    switch (input->drag) {
    case BRUME_DRAG_NONE:
        return;
    case BRUME_DRAG_SMOKE:
    case BRUME_DRAG_PUSH:
        if (point_on_plane(input, camera, width, height, &point)) {
            brume_stroke_builder_add_point(&input->stroke, point, event_clock(input, event));
        }
        break;
    case BRUME_DRAG_OBSTACLE:
        if (point_on_plane(input, camera, width, height, &point)) {
            input->displacement = brume_add(input->displacement, brume_sub(point, input->drag_point));
            input->drag_point = point;
        }
        break;
    case BRUME_DRAG_DIVIDER:
        controls->divider = clamp(input->x / (float)width, min_divider, 1.0f - min_divider);
        break;
    case BRUME_DRAG_LOOK:
        brume_camera_look(camera, radians_per_point * dx, -radians_per_point * dy);
        break;
    case BRUME_DRAG_ORBIT:
        brume_camera_orbit(camera, radians_per_point * dx, -radians_per_point * dy);
        break;
    case BRUME_DRAG_PAN:
        brume_camera_pan(camera, dx / (float)height, dy / (float)height);
        break;
    case BRUME_DRAG_DOLLY:
        brume_camera_dolly(camera, expf(-dolly_per_point * (dx - dy)));
        break;
    }
    input->latest_event = event_clock(input, event);
}

static void resize_brush(BrumeBrush *brush, float notches)
{
    brush->radius = clamp(brush->radius * powf(radius_per_notch, notches), min_radius, max_radius);
}

static void wheel(BrumeInput *input, const SDL_Event *event, BrumeControls *controls)
{
    const SDL_MouseWheelEvent *const wheel_event = &event->wheel;
    // with Shift, some systems report horizontal instead of vertical notches
    const float vertical = wheel_event->preciseY != 0.0f ? wheel_event->preciseY : wheel_event->preciseX;
    const float notches = wheel_event->direction == SDL_MOUSEWHEEL_FLIPPED ? -vertical : vertical;
    if (input->drag == BRUME_DRAG_LOOK) {
        controls->fly_speed = clamp(controls->fly_speed * powf(speed_per_notch, notches), min_speed, max_speed);
    } else if (has_modifier(input->modifiers, KMOD_SHIFT)) {
        resize_brush(&controls->brush, notches);
    } else {
        input->animation.active = false;
        brume_camera_dolly(&controls->camera, powf(dolly_per_notch, notches));
        input->latest_event = event_clock(input, event);
    }
}

/** Fly keys are identified by their position (scancode), which is the same on all keyboard layouts. */
static unsigned fly_key(SDL_Scancode code)
{
    switch (code) {
    case SDL_SCANCODE_W:
        return BRUME_FLY_FORWARD;
    case SDL_SCANCODE_S:
        return BRUME_FLY_BACK;
    case SDL_SCANCODE_A:
        return BRUME_FLY_LEFT;
    case SDL_SCANCODE_D:
        return BRUME_FLY_RIGHT;
    case SDL_SCANCODE_E:
        return BRUME_FLY_UP;
    case SDL_SCANCODE_Q:
        return BRUME_FLY_DOWN;
    case SDL_SCANCODE_LSHIFT:
    case SDL_SCANCODE_RSHIFT:
        return BRUME_FLY_FAST;
    default:
        return 0;
    }
}

/** 1 to 9 for the keys of the row above the letters, by position or by label; 0 for other keys. */
static int digit_of(const SDL_Keysym *key)
{
    if (key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9) {
        return (int)key->scancode - SDL_SCANCODE_1 + 1;
    }
    return key->sym >= SDLK_1 && key->sym <= SDLK_9 ? (int)(key->sym - SDLK_1) + 1 : 0;
}

static void press_digit(int digit, SDL_Keymod mods, BrumeControls *controls, BrumeCommands *commands)
{
    if (has_modifier(mods, KMOD_CTRL)) {
        commands->bookmark_save = digit;
    } else if (has_modifier(mods, KMOD_ALT)) {
        commands->bookmark_recall = digit;
    } else if (digit <= BRUME_VIEW_COUNT) {
        controls->view = (BrumeViewKind)(digit - 1);
    }
}

static void press_with_ctrl(SDL_Keycode key, bool shift, BrumeCommands *commands)
{
    commands->undo = commands->undo || (key == SDLK_z && !shift);
    commands->redo = commands->redo || (key == SDLK_z && shift) || key == SDLK_y;
    commands->save = commands->save || key == SDLK_s;
    commands->quit = commands->quit || key == SDLK_q;
}

static void move_slice(BrumeControls *controls, float amount)
{
    controls->slice = true;
    controls->slice_at = clamp(controls->slice_at + amount, 0.0f, 1.0f);
}

/** Handles the keys that repeat while they are held; returns whether this is one of them. */
static bool press_repeatable(const SDL_Keysym *key, BrumeControls *controls)
{
    switch (key->sym) {
    case SDLK_LEFTBRACKET:
        move_slice(controls, -slice_per_key);
        return true;
    case SDLK_RIGHTBRACKET:
        move_slice(controls, slice_per_key);
        return true;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        resize_brush(&controls->brush, 1.0f);
        return true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        resize_brush(&controls->brush, -1.0f);
        return true;
    default:
        return false;
    }
}

/** Handles the keys of the timeline, which repeat while they are held; returns whether this is one of them. */
static bool press_timeline(const SDL_Keysym *key, BrumeCommands *commands)
{
    switch (key->sym) {
    case SDLK_n:
        if (!has_modifier((SDL_Keymod)key->mod, KMOD_SHIFT)) {
            return false;
        }
        commands->timeline_steps--;
        return true;
    case SDLK_COMMA:
    case SDLK_LEFT:
        commands->timeline_steps--;
        return true;
    case SDLK_PERIOD:
    case SDLK_RIGHT:
        commands->timeline_steps++;
        return true;
    default:
        return false;
    }
}

static void press_plain(SDL_Keycode key, BrumeControls *controls, BrumeCommands *commands)
{
    switch (key) {
    case SDLK_SPACE:
        controls->running = !controls->running;
        break;
    case SDLK_n:
        commands->advance++;
        break;
    case SDLK_r:
        commands->reset = true;
        break;
    case SDLK_END:
        commands->seek_last = true;
        break;
    case SDLK_l:
        controls->loop = !controls->loop;
        break;
    case SDLK_j:
        controls->backwards = !controls->backwards;
        break;
    case SDLK_f:
        commands->frame_smoke = true;
        break;
    case SDLK_p:
        commands->change_projection = true;
        break;
    case SDLK_HOME:
        commands->home = true;
        break;
    case SDLK_t:
        controls->slice = !controls->slice;
        break;
    case SDLK_x:
        controls->slice = true;
        controls->slice_axis = (controls->slice_axis + 1) % 3;
        break;
    case SDLK_v:
        controls->streamlines = !controls->streamlines;
        break;
    case SDLK_b:
        controls->compare = !controls->compare;
        break;
    case SDLK_c:
        controls->cpu = !controls->cpu;
        break;
    case SDLK_o:
        controls->box = !controls->box;
        break;
    case SDLK_k:
        brume_controls_set_smoke_kind(controls, (controls->brush.kind + 1) % BRUME_SMOKE_KINDS);
        break;
    case SDLK_g:
        commands->save = true;
        break;
    case SDLK_TAB:
        controls->panel = !controls->panel;
        break;
    case SDLK_h:
        controls->hud = !controls->hud;
        break;
    case SDLK_F1:
        controls->help = !controls->help;
        break;
    case SDLK_F10:
        controls->fullscreen = !controls->fullscreen;
        break;
    case SDLK_F11:
        commands->record = true;
        break;
    case SDLK_F12:
        commands->screenshot = true;
        break;
    case SDLK_ESCAPE:
        controls->fullscreen = controls->fullscreen && controls->help;
        controls->help = false;
        break;
    default:
        break;
    }
}

static void press_key(BrumeInput *input, const SDL_Event *event, BrumeControls *controls, BrumeCommands *commands)
{
    const SDL_Keysym *const key = &event->key.keysym;
    const SDL_Keymod mods = (SDL_Keymod)key->mod;
    input->held_keys |= fly_key(key->scancode);
    note_pressed_keys(input);
    const bool ctrl = has_modifier(mods, KMOD_CTRL);
    const bool alt = has_modifier(mods, KMOD_ALT);
    input->latest_event = event_clock(input, event);
    if (!ctrl && !alt && (press_repeatable(key, controls) || press_timeline(key, commands))) {
        return;
    }
    if (event->key.repeat != 0) {
        return;
    }
    const int digit = digit_of(key);
    if (digit > 0) {
        press_digit(digit, mods, controls, commands);
    } else if (ctrl) {
        press_with_ctrl(key->sym, has_modifier(mods, KMOD_SHIFT), commands);
    } else if (!alt && key->sym == SDLK_F12 && has_modifier(mods, KMOD_SHIFT)) {
        commands->window_picture = true;
    } else if (!alt) {
        press_plain(key->sym, controls, commands);
    } else if (key->sym == SDLK_RETURN || key->sym == SDLK_KP_ENTER) {
        controls->fullscreen = !controls->fullscreen;
    }
}

void brume_input_event(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pick,
                       BrumeControls *controls, BrumeCommands *commands)
{
    switch (event->type) {
    case SDL_QUIT:
        commands->quit = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
        press(input, event, width, height, pick, controls);
        break;
    case SDL_MOUSEBUTTONUP:
        if (input->drag != BRUME_DRAG_NONE && event->button.button == input->button) {
            end_drag(input, event_clock(input, event));
        }
        break;
    case SDL_MOUSEMOTION:
        move(input, event, width, height, controls);
        break;
    case SDL_MOUSEWHEEL:
        wheel(input, event, controls);
        break;
    case SDL_KEYDOWN:
        press_key(input, event, controls, commands);
        break;
    case SDL_KEYUP:
        input->held_keys &= ~fly_key(event->key.keysym.scancode);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            brume_input_release_all(input, event_clock(input, event));
        }
        break;
    default:
        break;
    }
}

// 1, 0 or -1 for a pair of opposite keys
static int key_axis(unsigned keys, unsigned positive, unsigned negative)
{
    return ((keys & positive) != 0) - ((keys & negative) != 0);
}

bool brume_input_advance_camera(BrumeInput *input, double seconds, BrumeControls *controls)
{
    note_pressed_keys(input);
    const unsigned keys = input->pressed_keys;
    const int right = key_axis(keys, BRUME_FLY_RIGHT, BRUME_FLY_LEFT);
    const int up = key_axis(keys, BRUME_FLY_UP, BRUME_FLY_DOWN);
    const int forward = key_axis(keys, BRUME_FLY_FORWARD, BRUME_FLY_BACK);
    input->pressed_keys = 0;
    if (right == 0 && up == 0 && forward == 0) {
        return brume_camera_animation_advance(&input->animation, seconds, &controls->camera);
    }
    input->animation.active = false;
    const float length = sqrtf((float)(right * right + up * up + forward * forward));
    const float speed = controls->fly_speed * ((keys & BRUME_FLY_FAST) != 0 ? fast_factor : 1.0f);
    const float step = speed * (float)seconds / length;
    brume_camera_fly(&controls->camera, step * (float)right, step * (float)up, step * (float)forward);
    return true;
}

void brume_input_animate_camera(BrumeInput *input, const BrumeControls *controls, const BrumeCamera *camera)
{
    brume_camera_animation_start(&input->animation, &controls->camera, camera);
}

int brume_input_drain_stroke(BrumeInput *input, double now, BrumeStrokeSegment segments[BRUME_MAX_STROKES])
{
    return brume_stroke_builder_drain(&input->stroke, now, segments);
}

bool brume_input_drain_obstacle_motion(BrumeInput *input, int *surface, BrumeVec3 *displacement)
{
    if (input->displacement.x == 0.0f && input->displacement.y == 0.0f && input->displacement.z == 0.0f) {
        return false;
    }
    *surface = input->surface;
    *displacement = input->displacement;
    input->displacement = (BrumeVec3){0};
    return true;
}

void brume_input_release_all(BrumeInput *input, double time)
{
    end_drag(input, time);
    input->held_keys = 0;
    input->pressed_keys = 0;
    input->modifiers = KMOD_NONE;
}

const BrumeBinding brume_bindings[] = {
    {"Camera", "Right drag", "look around"},
    {"Camera", "Right + W A S D", "fly forward, left, back, right"},
    {"Camera", "Right + Q E", "fly down, up"},
    {"Camera", "Right + Shift", "fly four times as fast"},
    {"Camera", "Right + wheel", "change the flight speed"},
    {"Camera", "Alt + left drag", "orbit the target"},
    {"Camera", "Alt + middle drag", "pan; also without Alt"},
    {"Camera", "Wheel", "dolly; also Alt + right drag"},
    {"Camera", "F", "frame the smoke"},
    {"Camera", "P", "perspective, orthographic"},
    {"Camera", "Home", "the scene's camera"},
    {"Camera", "Ctrl + 1 to 9", "save a camera bookmark"},
    {"Camera", "Alt + 1 to 9", "go to a camera bookmark"},

    {"Brush", "Left drag", "add smoke and heat"},
    {"Brush", "Ctrl + left drag", "push the air"},
    {"Brush", "Left drag a solid", "move it; it displaces the smoke"},
    {"Brush", "K", "next color of smoke"},
    {"Brush", "+ -", "larger, smaller brush; also Shift + wheel"},

    {"Time", "Space", "run, pause"},
    {"Time", "N", "one frame"},
    {"Time", "R", "restart"},

    {"Sequence of frames", "Left drag the timeline", "go to a frame"},
    {"Sequence of frames", ", .", "one frame back, on; also Left, Right, Shift + N, N"},
    {"Sequence of frames", "R End", "first, last frame"},
    {"Sequence of frames", "L", "loop"},
    {"Sequence of frames", "J", "play backwards"},

    {"View", "1", "smoke"},
    {"View", "2", "temperature"},
    {"View", "3", "velocity"},
    {"View", "4", "vorticity"},
    {"View", "5", "pressure"},
    {"View", "6", "isosurface"},
    {"View", "V", "arrows, streamlines"},
    {"View", "T", "slice"},
    {"View", "X", "slice across x, y, z"},
    {"View", "[ ]", "move the slice"},
    {"View", "B", "two variants side by side; drag the divider"},
    {"View", "C", "renderer: OpenGL, CPU"},
    {"View", "O", "outline of the box"},

    {"File and edit", "F12", "picture; with Shift the window with its panel"},
    {"File and edit", "F11", "start, stop a recording"},
    {"File and edit", "G", "save as a scene; also Ctrl + S"},
    {"File and edit", "Ctrl + Z", "undo"},
    {"File and edit", "Ctrl + Shift + Z", "redo; also Ctrl + Y"},

    {"Window", "Tab", "panel"},
    {"Window", "H", "HUD"},
    {"Window", "F1", "this help"},
    {"Window", "F10", "full screen; also Alt + Enter"},
    {"Window", "Esc", "close the help, leave full screen; cancel a change of resolution"},
    {"Window", "Ctrl + Q", "quit"},
    {NULL, NULL, NULL},
};
