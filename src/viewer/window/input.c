#include "viewer/window/input.h"

#include "core/clock.h"
#include "core/vec3.h"

static const float radians_a_point = 0.005f; // that the view turns with the mouse
static const float dolly_a_notch = 0.87f;
static const float dolly_a_point = 0.005f;
static const float speed_a_notch = 1.2f;
static const float radius_a_notch = 1.15f;
static const float slice_a_key = 1.0f / 64.0f;
static const float fast_factor = 4.0f;
static const float divider_grip = 6.0f; // [points]
static const float least_speed = 0.01f, most_speed = 100.0f;
static const float least_radius = 0.005f, most_radius = 100.0f;
static const float least_divider = 0.02f;

static float clamp(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

static bool has(SDL_Keymod mods, int wanted) { return ((int)mods & wanted) != 0; }

static double clock_of(const BrumeInput *input, const SDL_Event *event)
{
    return input->tick_zero + (double)event->common.timestamp * 1e-3;
}

BrumeInput brume_input_start(void)
{
    return (BrumeInput){.tick_zero = brume_seconds() - (double)SDL_GetTicks64() * 1e-3, .surface = -1};
}

bool brume_input_needs_pick(const SDL_Event *event)
{
    return event->type == SDL_MOUSEBUTTONDOWN && event->button.button == SDL_BUTTON_LEFT &&
           !has(SDL_GetModState(), KMOD_ALT);
}

/** Where the pointer's ray meets the plane that is drawn on; false where it does not, or all too far. */
static bool point_on_plane(const BrumeInput *input, const BrumeCamera *camera, int width, int height, BrumeVec3 *point)
{
    const BrumeVec3 ray = brume_camera_ray(camera, (float)width, (float)height, input->x, input->y);
    const float towards = brume_dot(ray, input->facing);
    const float distance = brume_dot(brume_sub(input->grip, camera->position), input->facing) / towards;
    if (!(fabsf(towards) > 0.05f) || !(distance > 0.0f)) {
        return false;
    }
    *point = brume_add(camera->position, brume_scale(ray, distance));
    return true;
}

/**
 * The point that a press takes hold of: what is seen there if it is in the box, else the middle of the way through the
 * box. False where the ray misses the box and nothing solid is there.
 */
static bool grip_of(const BrumePick *pick, BrumeVec3 position, BrumeVec3 ray, BrumeVec3 *grip)
{
    const bool hits = pick->enter < pick->leave && pick->leave > 0.0f;
    const float slack = 1e-3f * pick->leave;
    const bool inside = hits && pick->distance >= pick->enter - slack && pick->distance <= pick->leave + slack;
    if (pick->kind == BRUME_PICK_SURFACE || (pick->kind != BRUME_PICK_SKY && inside)) {
        *grip = pick->point;
        return true;
    }
    if (!hits) {
        return false;
    }
    const float middle = 0.5f * (fmaxf(pick->enter, 0.0f) + pick->leave);
    *grip = brume_add(position, brume_scale(ray, middle));
    return true;
}

static void press_left(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pressed,
                       BrumeControls *controls)
{
    const SDL_Keymod mods = SDL_GetModState();
    if (has(mods, KMOD_ALT)) {
        input->drag = BRUME_DRAG_ORBIT;
        return;
    }
    if (controls->compare && fabsf(input->x - controls->divider * (float)width) <= divider_grip) {
        input->drag = BRUME_DRAG_DIVIDER;
        return;
    }
    const BrumeCamera *const camera = &controls->camera;
    const BrumeVec3 ray = brume_camera_ray(camera, (float)width, (float)height, input->x, input->y);
    if (!pressed || !grip_of(pressed, camera->position, ray, &input->grip)) {
        return;
    }
    BrumeVec3 right;
    BrumeVec3 up;
    brume_camera_axes(camera, &right, &up, &input->facing);
    const bool pushes = has(mods, KMOD_CTRL);
    if (pressed->kind == BRUME_PICK_SURFACE && !pushes && !has(mods, KMOD_SHIFT)) {
        input->drag = BRUME_DRAG_OBSTACLE;
        input->surface = pressed->surface;
        input->moved = (BrumeVec3){0};
        return;
    }
    input->drag = pushes ? BRUME_DRAG_PUSH : BRUME_DRAG_SMOKE;
    brume_trail_begin(&input->trail, &controls->brush, pushes, input->grip, clock_of(input, event));
}

static void note_taps(BrumeInput *input)
{
    if (input->drag == BRUME_DRAG_LOOK) {
        input->tapped |= input->held;
    }
}

static void press(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pressed,
                  BrumeControls *controls)
{
    input->x = (float)event->button.x;
    input->y = (float)event->button.y;
    if (input->drag != BRUME_DRAG_NONE) {
        return; // a second button does not end what the first one does
    }
    switch (event->button.button) {
    case SDL_BUTTON_LEFT:
        press_left(input, event, width, height, pressed, controls);
        break;
    case SDL_BUTTON_MIDDLE:
        input->drag = BRUME_DRAG_PAN;
        break;
    case SDL_BUTTON_RIGHT:
        input->drag = has(SDL_GetModState(), KMOD_ALT) ? BRUME_DRAG_DOLLY : BRUME_DRAG_LOOK;
        break;
    default:
        break;
    }
    if (input->drag >= BRUME_DRAG_LOOK) {
        input->flight.under_way = false;
    }
    input->button = event->button.button;
    note_taps(input);
}

static void end_drag(BrumeInput *input, double time)
{
    brume_trail_end(&input->trail, time);
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
            brume_trail_draw(&input->trail, point, clock_of(input, event));
        }
        break;
    case BRUME_DRAG_OBSTACLE:
        if (point_on_plane(input, camera, width, height, &point)) {
            input->moved = brume_add(input->moved, brume_sub(point, input->grip));
            input->grip = point;
        }
        break;
    case BRUME_DRAG_DIVIDER:
        controls->divider = clamp(input->x / (float)width, least_divider, 1.0f - least_divider);
        break;
    case BRUME_DRAG_LOOK:
        brume_camera_look(camera, radians_a_point * dx, -radians_a_point * dy);
        break;
    case BRUME_DRAG_ORBIT:
        brume_camera_orbit(camera, radians_a_point * dx, -radians_a_point * dy);
        break;
    case BRUME_DRAG_PAN:
        brume_camera_pan(camera, dx / (float)height, dy / (float)height);
        break;
    case BRUME_DRAG_DOLLY:
        brume_camera_dolly(camera, expf(-dolly_a_point * (dx - dy)));
        break;
    }
    input->newest = clock_of(input, event);
}

static void resize_brush(BrumeBrush *brush, float notches)
{
    brush->radius = clamp(brush->radius * powf(radius_a_notch, notches), least_radius, most_radius);
}

static void wheel(BrumeInput *input, const SDL_Event *event, BrumeControls *controls)
{
    const SDL_MouseWheelEvent *const turned = &event->wheel;
    // with Shift, some systems turn the wheel's notches sideways
    const float upright = turned->preciseY != 0.0f ? turned->preciseY : turned->preciseX;
    const float notches = turned->direction == SDL_MOUSEWHEEL_FLIPPED ? -upright : upright;
    if (input->drag == BRUME_DRAG_LOOK) {
        controls->fly_speed = clamp(controls->fly_speed * powf(speed_a_notch, notches), least_speed, most_speed);
    } else if (has(SDL_GetModState(), KMOD_SHIFT)) {
        resize_brush(&controls->brush, notches);
    } else {
        input->flight.under_way = false;
        brume_camera_dolly(&controls->camera, powf(dolly_a_notch, notches));
        input->newest = clock_of(input, event);
    }
}

/** Keys that fly are held by their places, which are the same on all layouts. */
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

/** 1 to 9 of the row above the letters, by place or by sign; 0 for other keys. */
static int digit_of(const SDL_Keysym *key)
{
    if (key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9) {
        return (int)key->scancode - SDL_SCANCODE_1 + 1;
    }
    return key->sym >= SDLK_1 && key->sym <= SDLK_9 ? (int)(key->sym - SDLK_1) + 1 : 0;
}

static void press_digit(int digit, SDL_Keymod mods, BrumeControls *controls, BrumeCommands *commands)
{
    if (has(mods, KMOD_CTRL)) {
        commands->bookmark_save = digit;
    } else if (has(mods, KMOD_ALT)) {
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

static void move_slice(BrumeControls *controls, float by)
{
    controls->slice = true;
    controls->slice_at = clamp(controls->slice_at + by, 0.0f, 1.0f);
}

/** Keys that do the same again while they are held; whether this is one. */
static bool press_repeating(const SDL_Keysym *key, BrumeControls *controls)
{
    switch (key->sym) {
    case SDLK_LEFTBRACKET:
        move_slice(controls, -slice_a_key);
        return true;
    case SDLK_RIGHTBRACKET:
        move_slice(controls, slice_a_key);
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

static void press_plain(SDL_Keycode key, BrumeControls *controls, BrumeCommands *commands)
{
    switch (key) {
    case SDLK_SPACE:
        controls->running = !controls->running;
        break;
    case SDLK_n:
        commands->advance = true;
        break;
    case SDLK_r:
        commands->reset = true;
        break;
    case SDLK_f:
        commands->frame_smoke = true;
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
        brume_controls_set_kind(controls, (controls->brush.kind + 1) % BRUME_SMOKE_KINDS);
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
    input->held |= fly_key(key->scancode);
    note_taps(input);
    const bool ctrl = has(mods, KMOD_CTRL);
    const bool alt = has(mods, KMOD_ALT);
    input->newest = clock_of(input, event);
    if (!ctrl && !alt && press_repeating(key, controls)) {
        return;
    }
    if (event->key.repeat != 0) {
        return;
    }
    const int digit = digit_of(key);
    if (digit > 0) {
        press_digit(digit, mods, controls, commands);
    } else if (ctrl) {
        press_with_ctrl(key->sym, has(mods, KMOD_SHIFT), commands);
    } else if (!alt) {
        press_plain(key->sym, controls, commands);
    } else if (key->sym == SDLK_RETURN || key->sym == SDLK_KP_ENTER) {
        controls->fullscreen = !controls->fullscreen;
    }
}

void brume_input_event(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pressed,
                       BrumeControls *controls, BrumeCommands *commands)
{
    switch (event->type) {
    case SDL_QUIT:
        commands->quit = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
        press(input, event, width, height, pressed, controls);
        break;
    case SDL_MOUSEBUTTONUP:
        if (input->drag != BRUME_DRAG_NONE && event->button.button == input->button) {
            end_drag(input, clock_of(input, event));
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
        input->held &= ~fly_key(event->key.keysym.scancode);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            brume_input_let_go(input, clock_of(input, event));
        }
        break;
    default:
        break;
    }
}

// 1, 0 or -1 for two opposite keys
static int way(unsigned keys, unsigned there, unsigned back) { return ((keys & there) != 0) - ((keys & back) != 0); }

bool brume_input_fly(BrumeInput *input, double seconds, BrumeControls *controls)
{
    note_taps(input);
    const unsigned keys = input->tapped;
    const int right = way(keys, BRUME_FLY_RIGHT, BRUME_FLY_LEFT);
    const int up = way(keys, BRUME_FLY_UP, BRUME_FLY_DOWN);
    const int forward = way(keys, BRUME_FLY_FORWARD, BRUME_FLY_BACK);
    input->tapped = 0;
    if (right == 0 && up == 0 && forward == 0) {
        return brume_flight_go_on(&input->flight, seconds, &controls->camera);
    }
    input->flight.under_way = false;
    const float ways = sqrtf((float)(right * right + up * up + forward * forward));
    const float speed = controls->fly_speed * ((keys & BRUME_FLY_FAST) != 0 ? fast_factor : 1.0f);
    const float step = speed * (float)seconds / ways;
    brume_camera_fly(&controls->camera, step * (float)right, step * (float)up, step * (float)forward);
    return true;
}

void brume_input_fly_to(BrumeInput *input, const BrumeControls *controls, const BrumeCamera *camera)
{
    brume_flight_begin(&input->flight, &controls->camera, camera);
}

int brume_input_take_dabs(BrumeInput *input, double now, BrumeDab dabs[BRUME_MAX_STROKES])
{
    return brume_trail_take(&input->trail, now, dabs);
}

bool brume_input_take_move(BrumeInput *input, int *surface, BrumeVec3 *by)
{
    if (input->moved.x == 0.0f && input->moved.y == 0.0f && input->moved.z == 0.0f) {
        return false;
    }
    *surface = input->surface;
    *by = input->moved;
    input->moved = (BrumeVec3){0};
    return true;
}

void brume_input_let_go(BrumeInput *input, double time)
{
    end_drag(input, time);
    input->held = 0;
    input->tapped = 0;
}
