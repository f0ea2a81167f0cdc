#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "viewer/edit/add_presets.h"
#include "viewer/window/input_internal.h"

#include <stdio.h>

static const float radians_per_point = 0.005f; // rotation of the view per point of mouse motion
static const float dolly_per_notch = 0.87f;
static const float dolly_per_point = 0.005f;
static const float speed_per_notch = 1.2f;
static const float radius_per_notch = 1.15f;
static const float fast_factor = 4.0f;
static const float divider_tolerance = 6.0f; // [points]
static const float min_speed = 0.01f, max_speed = 100.0f;
static const float min_radius = 0.005f, max_radius = 100.0f;
static const float min_divider = 0.02f;

static float clamp(float value, float min, float max) { return fminf(fmaxf(value, min), max); }

static bool has_modifier(SDL_Keymod mods, int wanted) { return ((int)mods & wanted) != 0; }

double brume_input_event_clock(const BrumeInput *input, const SDL_Event *event)
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

bool brume_input_needs_pick(const BrumeInput *input, const BrumeControls *controls, const SDL_Event *event)
{
    return event->type == SDL_MOUSEBUTTONDOWN && event->button.button == SDL_BUTTON_LEFT &&
           !has_modifier(input->modifiers, KMOD_ALT) && !controls->select.active;
}

static BrumeScreen screen_of(const BrumeControls *controls, const BrumePictureArea *area)
{
    return (BrumeScreen){controls->camera, area->width, area->height, area->scale};
}

static BrumeSnap snap_of(SDL_Keymod mods)
{
    return has_modifier(mods, KMOD_CTRL)    ? BRUME_SNAP_COARSE
           : has_modifier(mods, KMOD_SHIFT) ? BRUME_SNAP_FINE
                                            : BRUME_SNAP_NONE;
}

static void press_with_select_tool(BrumeInput *input, const BrumePictureArea *area, BrumeControls *controls)
{
    const BrumeScreen screen = screen_of(controls, area);
    const BrumeScreenPoint at = {input->x, input->y};
    input->drag = brume_select_press(&input->gizmo, controls, &screen, at) ? BRUME_DRAG_GIZMO : BRUME_DRAG_SELECT;
}

void brume_input_cancel_gizmo(BrumeInput *input, BrumeControls *controls, BrumeCommands *commands)
{
    brume_select_cancel(&input->gizmo, controls);
    commands->cancel_edit = true;
    input->drag = BRUME_DRAG_SELECT; // until the release of the button
}

/** The intersection of the pointer's ray with the drag plane; false if it is behind the camera or nearly parallel. */
static bool point_on_plane(const BrumeInput *input, const BrumeCamera *camera, const BrumePictureArea *area,
                           BrumeVec3 *point)
{
    const BrumeRay ray = brume_camera_ray(camera, area->width, area->height, input->x, input->y);
    const float cosine = brume_dot(ray.direction, input->drag_normal);
    const float distance = brume_dot(brume_sub(input->drag_point, ray.origin), input->drag_normal) / cosine;
    if (!(fabsf(cosine) > 0.05f) || !(distance > 0.0f)) {
        return false;
    }
    *point = brume_ray_at(&ray, distance);
    return true;
}

bool brume_input_stroke_start(const BrumePick *pick, const BrumeRay *ray, BrumeVec3 *point)
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

static void press_left(BrumeInput *input, const SDL_Event *event, const BrumePictureArea *area, const BrumePick *pick,
                       BrumeControls *controls, BrumeCommands *commands)
{
    const SDL_Keymod mods = input->modifiers;
    if (has_modifier(mods, KMOD_ALT)) {
        input->drag = BRUME_DRAG_ORBIT;
        return;
    }
    if (brume_controls_have_sides(controls) && fabsf(input->x - controls->divider * area->width) <= divider_tolerance) {
        input->drag = BRUME_DRAG_DIVIDER;
        return;
    }
    if (controls->select.active) {
        press_with_select_tool(input, area, controls);
        return;
    }
    const BrumeCamera *const camera = &controls->camera;
    const BrumeRay ray = brume_camera_ray(camera, area->width, area->height, input->x, input->y);
    if (!pick || !brume_input_stroke_start(pick, &ray, &input->drag_point)) {
        return;
    }
    BrumeVec3 right;
    BrumeVec3 up;
    brume_camera_axes(camera, &right, &up, &input->drag_normal);
    const bool pushes = has_modifier(mods, KMOD_CTRL);
    input->edit++;
    if (pick->kind == BRUME_PICK_SURFACE && !pushes && !has_modifier(mods, KMOD_SHIFT)) {
        input->drag = BRUME_DRAG_BODY;
        input->surface = pick->surface;
        input->displacement = (BrumeVec3){0};
        return;
    }
    BrumeBrush brush = controls->brush;
    brush.mode = pushes ? BRUME_BRUSH_PUSH : brush.mode;
    BrumeError error;
    if (brush.mode == BRUME_BRUSH_FUEL && brume_fire_start(controls, &error) != BRUME_OK) {
        (void)snprintf(commands->message, sizeof commands->message, "%.255s", error.text);
        return;
    }
    commands->edited = commands->edited || brush.mode == BRUME_BRUSH_FUEL; // the settings come before the stroke
    input->drag = BRUME_DRAG_STROKE;
    brume_stroke_builder_begin(&input->stroke, input->edit, &brush, brume_scale(input->drag_normal, -1.0f),
                               input->drag_point, brume_input_event_clock(input, event));
}

void brume_input_note_fly_keys(BrumeInput *input)
{
    if (input->drag == BRUME_DRAG_LOOK) {
        input->pressed_keys |= input->held_keys;
    }
}

static BrumeDrag middle_drag(SDL_Keymod mods)
{
    return has_modifier(mods, KMOD_SHIFT | KMOD_ALT) ? BRUME_DRAG_PAN
           : has_modifier(mods, KMOD_CTRL)           ? BRUME_DRAG_DOLLY
                                                     : BRUME_DRAG_ORBIT;
}

static void press(BrumeInput *input, const SDL_Event *event, const BrumePictureArea *area, const BrumePick *pick,
                  BrumeControls *controls, BrumeCommands *commands)
{
    input->x = (float)event->button.x - area->left;
    input->y = (float)event->button.y - area->top;
    if (input->drag == BRUME_DRAG_GIZMO && event->button.button == SDL_BUTTON_RIGHT) {
        brume_input_cancel_gizmo(input, controls, commands);
        return;
    }
    if (input->drag != BRUME_DRAG_NONE) {
        return; // a second button does not end a drag
    }
    switch (event->button.button) {
    case SDL_BUTTON_LEFT:
        press_left(input, event, area, pick, controls, commands);
        break;
    case SDL_BUTTON_MIDDLE:
        input->drag = middle_drag(input->modifiers);
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
    brume_input_note_fly_keys(input);
}

static void end_drag(BrumeInput *input, double time)
{
    brume_stroke_builder_end(&input->stroke, time);
    input->drag = BRUME_DRAG_NONE;
}

// Corrects a motion of the camera: it stays above the ground, or does not go further down where the scene has it below.
static void keep_above_ground(const BrumeInput *input, float y_before, BrumeControls *controls)
{
    const float lowest = fminf(brume_controls_lowest_camera(controls), y_before);
    if (input->drag == BRUME_DRAG_ORBIT || input->drag == BRUME_DRAG_DOLLY || input->drag == BRUME_DRAG_NONE) {
        brume_camera_orbit_above(&controls->camera, lowest); // the target stays
    }
    brume_camera_raise(&controls->camera, lowest);
}

void brume_input_update_hover(const BrumeInput *input, const BrumePictureArea *area, bool over_picture,
                              BrumeControls *controls)
{
    const BrumeScreen screen = screen_of(controls, area);
    if (input->drag == BRUME_DRAG_GIZMO) {
        return; // the dragged handle is drawn as hovered
    }
    if (controls->select.active && over_picture && input->drag == BRUME_DRAG_NONE) {
        brume_select_hover(controls, &screen, (BrumeScreenPoint){input->x, input->y});
    } else {
        brume_select_hover_nothing(controls);
    }
}

static void drag_gizmo(BrumeInput *input, const BrumePictureArea *area, BrumeControls *controls)
{
    const BrumeScreen screen = screen_of(controls, area);
    brume_gizmo_drag_to(&input->gizmo, controls, &screen, (BrumeScreenPoint){input->x, input->y},
                        snap_of(input->modifiers));
}

static void move(BrumeInput *input, const SDL_Event *event, const BrumePictureArea *area, BrumeControls *controls)
{
    const SDL_MouseMotionEvent *const motion = &event->motion;
    const float dx = (float)motion->xrel;
    const float dy = (float)motion->yrel;
    BrumeCamera *const camera = &controls->camera;
    const float y_before = camera->position.y;
    BrumeVec3 point;
    input->x = (float)motion->x - area->left;
    input->y = (float)motion->y - area->top;
    switch (input->drag) {
    case BRUME_DRAG_NONE:
    case BRUME_DRAG_SELECT:
        return;
    case BRUME_DRAG_GIZMO:
        drag_gizmo(input, area, controls);
        break;
    case BRUME_DRAG_STROKE:
        if (point_on_plane(input, camera, area, &point)) {
            brume_stroke_builder_add_point(&input->stroke, point, brume_input_event_clock(input, event));
        }
        break;
    case BRUME_DRAG_BODY:
        if (point_on_plane(input, camera, area, &point)) {
            input->displacement = brume_add(input->displacement, brume_sub(point, input->drag_point));
            input->drag_point = point;
        }
        break;
    case BRUME_DRAG_DIVIDER:
        controls->divider = clamp(input->x / area->width, min_divider, 1.0f - min_divider);
        break;
    case BRUME_DRAG_LOOK:
        brume_camera_look(camera, radians_per_point * dx, -radians_per_point * dy);
        break;
    case BRUME_DRAG_ORBIT:
        brume_camera_orbit(camera, radians_per_point * dx, -radians_per_point * dy);
        break;
    case BRUME_DRAG_PAN:
        brume_camera_pan(camera, dx / area->height, dy / area->height);
        break;
    case BRUME_DRAG_DOLLY:
        brume_camera_dolly(camera, expf(-dolly_per_point * (dx - dy)));
        break;
    }
    if (input->drag >= BRUME_DRAG_LOOK) {
        keep_above_ground(input, y_before, controls);
    }
    input->latest_event = brume_input_event_clock(input, event);
}

void brume_input_resize_brush(BrumeBrush *brush, float notches)
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
        brume_input_resize_brush(&controls->brush, notches);
    } else {
        input->animation.active = false;
        const float y_before = controls->camera.position.y;
        brume_camera_dolly(&controls->camera, powf(dolly_per_notch, notches));
        keep_above_ground(input, y_before, controls);
        input->latest_event = brume_input_event_clock(input, event);
    }
}

void brume_input_release_gizmo(BrumeInput *input, BrumeControls *controls, BrumeCommands *commands)
{
    const bool changed = brume_select_release(&input->gizmo, controls);
    commands->edited = commands->edited || changed;
    commands->cancel_edit = !changed; // the object is back where it was
    input->drag = BRUME_DRAG_SELECT;  // until the release of the button
}

void brume_input_event(BrumeInput *input, const SDL_Event *event, const BrumePictureArea *area, const BrumePick *pick,
                       BrumeControls *controls, BrumeCommands *commands)
{
    switch (event->type) {
    case SDL_QUIT:
        commands->quit = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
        press(input, event, area, pick, controls, commands);
        break;
    case SDL_MOUSEBUTTONUP:
        if (input->drag != BRUME_DRAG_NONE && event->button.button == input->button) {
            if (input->drag == BRUME_DRAG_GIZMO) {
                brume_input_release_gizmo(input, controls, commands);
            }
            end_drag(input, brume_input_event_clock(input, event));
        }
        break;
    case SDL_MOUSEMOTION:
        move(input, event, area, controls);
        break;
    case SDL_MOUSEWHEEL:
        wheel(input, event, controls);
        break;
    case SDL_KEYDOWN:
        brume_input_press_key(input, event, controls, commands);
        break;
    case SDL_KEYUP:
        input->held_keys &= ~brume_input_fly_key(event->key.keysym.scancode);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            brume_input_release_all(input, brume_input_event_clock(input, event));
        }
        break;
    default:
        break;
    }
}

// returns 1, 0 or -1 for a pair of opposite keys
static int key_axis(unsigned keys, unsigned positive, unsigned negative)
{
    return ((keys & positive) != 0) - ((keys & negative) != 0);
}

bool brume_input_advance_camera(BrumeInput *input, double seconds, BrumeControls *controls)
{
    brume_input_note_fly_keys(input);
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
    const float y_before = controls->camera.position.y;
    brume_camera_fly(&controls->camera, step * (float)right, step * (float)up, step * (float)forward);
    brume_camera_raise(&controls->camera, fminf(brume_controls_lowest_camera(controls), y_before));
    return true;
}

void brume_input_animate_camera(BrumeInput *input, const BrumeControls *controls, const BrumeCamera *camera)
{
    brume_camera_animation_start(&input->animation, &controls->camera, camera);
}

bool brume_input_is_editing(const BrumeInput *input)
{
    return input->drag == BRUME_DRAG_STROKE || input->drag == BRUME_DRAG_BODY || input->drag == BRUME_DRAG_GIZMO;
}

void brume_input_restart_drag(BrumeInput *input, double now)
{
    brume_stroke_builder_restart(&input->stroke, now);
    input->displacement = (BrumeVec3){0};
}

int brume_input_drain_stroke(BrumeInput *input, double now, BrumeStrokeSegment segments[BRUME_MAX_STROKES])
{
    return brume_stroke_builder_drain(&input->stroke, now, segments);
}

bool brume_input_drain_body_motion(BrumeInput *input, int *surface, BrumeVec3 *displacement)
{
    if (brume_is_zero(input->displacement)) {
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
