#include "viewer/edit/gizmo.h"

#include "core/vec3.h"
#include "viewer/edit/object_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float pi = 3.14159265f;
static const float reach = 7.0f;       // from pointer to picked handle [points], times the scale of the screen
static const float near_reach = 20.0f; // a press within this distance does not change the selection [points]
static const float least_sine = 0.17f; // of the angle between axis and viewing direction where a handle can be dragged
static const float least_factor = 0.01f;
static const float most_degrees = 36000.0f; // of a turn

static BrumeVec3 at(const BrumeGizmo *gizmo, BrumeVec3 direction, float points)
{
    return brume_add(gizmo->center, brume_scale(direction, points * gizmo->unit));
}

static bool is_axis(BrumeGizmoHandle handle) { return handle >= BRUME_HANDLE_X && handle <= BRUME_HANDLE_Z; }

static bool is_plane(BrumeGizmoHandle handle) { return handle >= BRUME_HANDLE_YZ && handle <= BRUME_HANDLE_XY; }

static int axis_of(BrumeGizmoHandle handle)
{
    return (int)handle - (is_plane(handle) ? (int)BRUME_HANDLE_YZ : (int)BRUME_HANDLE_X);
}

static void find_handles(const BrumePose *pose, BrumeGizmo *gizmo)
{
    for (int axis = 0; axis < 3; axis++) {
        const float cosine = fabsf(brume_dot(gizmo->axes[axis], gizmo->towards));
        const bool across = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f)) > least_sine;
        const BrumeGizmoHandle along = (BrumeGizmoHandle)(BRUME_HANDLE_X + axis);
        gizmo->has[along] = gizmo->mode == BRUME_GIZMO_TURN    ? true
                            : gizmo->mode == BRUME_GIZMO_SCALE ? across && brume_pose_scales_along(pose, axis)
                                                               : across;
        gizmo->has[BRUME_HANDLE_YZ + axis] = gizmo->mode == BRUME_GIZMO_MOVE && cosine > least_sine;
    }
    gizmo->has[BRUME_HANDLE_VIEW] = true;
}

bool brume_gizmo_of(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode, const BrumeScreen *screen,
                    BrumeGizmo *gizmo)
{
    if (!brume_object_exists(controls, object) || !brume_object_can_change(controls, object, mode)) {
        return false;
    }
    const BrumePose pose = brume_object_pose(controls, object);
    BrumeScreenPoint middle;
    *gizmo = (BrumeGizmo){.mode = mode, .center = brume_pose_center(controls, &pose)};
    if (!brume_pose_can(&pose, mode) || !brume_screen_project(screen, gizmo->center, &middle)) {
        return false;
    }
    static const BrumeVec3 world[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int axis = 0; axis < 3; axis++) {
        gizmo->axes[axis] = mode == BRUME_GIZMO_SCALE ? brume_pose_axis(&pose, axis) : world[axis];
    }
    BrumeVec3 forward;
    brume_camera_axes(&screen->camera, &gizmo->view[0], &gizmo->view[1], &forward);
    gizmo->towards = brume_screen_towards_camera(screen, gizmo->center);
    gizmo->unit = brume_screen_scaled_point(screen, gizmo->center);
    find_handles(&pose, gizmo);
    return true;
}

static int circle(const BrumeGizmo *gizmo, BrumeVec3 u, BrumeVec3 v, float points, int lines,
                  BrumeVec3 out[BRUME_MAX_HANDLE_LINES][2])
{
    BrumeVec3 before = at(gizmo, u, points);
    for (int n = 0; n < lines; n++) {
        const float angle = 2.0f * pi * (float)(n + 1) / (float)lines;
        const BrumeVec3 out_there = brume_add(brume_scale(u, cosf(angle)), brume_scale(v, sinf(angle)));
        out[n][0] = before;
        out[n][1] = before = at(gizmo, out_there, points);
    }
    return lines;
}

static int plane_lines(const BrumeGizmo *gizmo, int axis, BrumeVec3 lines[BRUME_MAX_HANDLE_LINES][2])
{
    const BrumeVec3 u = gizmo->axes[(axis + 1) % 3];
    const BrumeVec3 v = gizmo->axes[(axis + 2) % 3];
    BrumeVec3 corners[4];
    for (int n = 0; n < 4; n++) {
        const float along_u = n == 1 || n == 2 ? BRUME_GIZMO_PLANE_TO : BRUME_GIZMO_PLANE_FROM;
        const float along_v = n >= 2 ? BRUME_GIZMO_PLANE_TO : BRUME_GIZMO_PLANE_FROM;
        corners[n] = at(gizmo, brume_add(brume_scale(u, along_u), brume_scale(v, along_v)), 1.0f);
    }
    for (int n = 0; n < 4; n++) {
        lines[n][0] = corners[n];
        lines[n][1] = corners[(n + 1) % 4];
    }
    return 4;
}

int brume_gizmo_lines(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, BrumeVec3 lines[BRUME_MAX_HANDLE_LINES][2])
{
    const bool turns = gizmo->mode == BRUME_GIZMO_TURN;
    if (!gizmo->has[handle]) {
        return 0;
    }
    if (is_axis(handle) && turns) {
        const int axis = axis_of(handle);
        return circle(gizmo, gizmo->axes[(axis + 1) % 3], gizmo->axes[(axis + 2) % 3], BRUME_GIZMO_LENGTH,
                      BRUME_MAX_HANDLE_LINES, lines);
    }
    if (is_axis(handle)) {
        lines[0][0] = at(gizmo, gizmo->axes[axis_of(handle)], BRUME_GIZMO_MIDDLE);
        lines[0][1] = at(gizmo, gizmo->axes[axis_of(handle)], BRUME_GIZMO_LENGTH);
        return 1;
    }
    if (is_plane(handle)) {
        return plane_lines(gizmo, axis_of(handle), lines);
    }
    return circle(gizmo, gizmo->view[0], gizmo->view[1], turns ? BRUME_GIZMO_VIEW_RING : BRUME_GIZMO_MIDDLE,
                  turns ? BRUME_MAX_HANDLE_LINES : 20, lines);
}

bool brume_gizmo_is_in_front(const BrumeGizmo *gizmo, BrumeVec3 point)
{
    return brume_dot(brume_sub(point, gizmo->center), gizmo->towards) >= -1e-3f * gizmo->unit;
}

int brume_gizmo_tip(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, const BrumeScreen *screen,
                    BrumeScreenPoint corners[4])
{
    BrumeScreenPoint base;
    BrumeScreenPoint tip;
    if (!is_axis(handle) || !gizmo->has[handle] || gizmo->mode == BRUME_GIZMO_TURN) {
        return 0;
    }
    const BrumeVec3 axis = gizmo->axes[axis_of(handle)];
    const float half = BRUME_GIZMO_TIP_RADIUS * screen->scale;
    if (!brume_screen_project(screen, at(gizmo, axis, BRUME_GIZMO_LENGTH), &base) ||
        !brume_screen_project(screen, at(gizmo, axis, BRUME_GIZMO_LENGTH + BRUME_GIZMO_TIP_LENGTH), &tip)) {
        return 0;
    }
    if (gizmo->mode == BRUME_GIZMO_SCALE) {
        for (int n = 0; n < 4; n++) {
            corners[n].x = base.x + (n == 1 || n == 2 ? half : -half);
            corners[n].y = base.y + (n >= 2 ? half : -half);
        }
        return 4;
    }
    const float length = hypotf(tip.x - base.x, tip.y - base.y);
    if (!(length > 0.0f)) {
        return 0;
    }
    const float across_x = half * (tip.y - base.y) / length;
    const float across_y = half * (base.x - tip.x) / length;
    corners[0] = (BrumeScreenPoint){base.x + across_x, base.y + across_y};
    corners[1] = tip;
    corners[2] = (BrumeScreenPoint){base.x - across_x, base.y - across_y};
    return 3;
}

static float distance_to_line(BrumeScreenPoint p, const BrumeScreenPoint ends[2])
{
    const float x = ends[1].x - ends[0].x;
    const float y = ends[1].y - ends[0].y;
    const float squared = x * x + y * y;
    const float along = squared > 0.0f ? ((p.x - ends[0].x) * x + (p.y - ends[0].y) * y) / squared : 0.0f;
    const float share = fminf(fmaxf(along, 0.0f), 1.0f);
    return hypotf(p.x - ends[0].x - share * x, p.y - ends[0].y - share * y);
}

// returns the distance of a point to lines; 0 within the enclosed area if it is `filled`
static float distance_to_lines(const BrumeScreenPoint lines[][2], int count, bool filled, BrumeScreenPoint p)
{
    float nearest = INFINITY;
    bool inside = false;
    for (int n = 0; n < count; n++) {
        const BrumeScreenPoint *ends = lines[n];
        nearest = fminf(nearest, distance_to_line(p, ends));
        if ((ends[0].y > p.y) != (ends[1].y > p.y)) { // a crossing of the line to the right of the point
            const float x = ends[0].x + (p.y - ends[0].y) / (ends[1].y - ends[0].y) * (ends[1].x - ends[0].x);
            inside = inside != (x > p.x);
        }
    }
    return filled && inside ? 0.0f : nearest;
}

static float distance_to_tip(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, const BrumeScreen *screen,
                             BrumeScreenPoint p)
{
    BrumeScreenPoint corners[4];
    BrumeScreenPoint edges[4][2];
    const int count = brume_gizmo_tip(gizmo, handle, screen, corners);
    for (int n = 0; n < count; n++) {
        edges[n][0] = corners[n];
        edges[n][1] = corners[(n + 1) % count];
    }
    return distance_to_lines((const BrumeScreenPoint(*)[2])edges, count, true, p);
}

// Returns the distance of the pointer to a handle [points], 0 within its area. If `complete`, the half of a ring behind
// the object is included.
static float distance_to_handle(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, const BrumeScreen *screen,
                                BrumeScreenPoint p, bool complete)
{
    const bool is_area = is_plane(handle) || (handle == BRUME_HANDLE_VIEW && gizmo->mode != BRUME_GIZMO_TURN);
    const bool has_back = is_axis(handle) && gizmo->mode == BRUME_GIZMO_TURN && !complete;
    BrumeVec3 lines[BRUME_MAX_HANDLE_LINES][2];
    BrumeScreenPoint seen[BRUME_MAX_HANDLE_LINES][2];
    const int count = brume_gizmo_lines(gizmo, handle, lines);
    int seen_count = 0;
    for (int n = 0; n < count; n++) {
        const bool hidden =
            has_back && !(brume_gizmo_is_in_front(gizmo, lines[n][0]) && brume_gizmo_is_in_front(gizmo, lines[n][1]));
        if (!hidden && brume_screen_project_line(screen, lines[n][0], lines[n][1], seen[seen_count])) {
            seen_count++;
        }
    }
    return fminf(distance_to_lines((const BrumeScreenPoint(*)[2])seen, seen_count, is_area, p),
                 distance_to_tip(gizmo, handle, screen, p));
}

BrumeGizmoHandle brume_gizmo_pick(const BrumeGizmo *gizmo, const BrumeScreen *screen, BrumeScreenPoint p)
{
    // at equal distances the first is chosen: handles are drawn in the opposite order
    static const BrumeGizmoHandle order[] = {BRUME_HANDLE_VIEW, BRUME_HANDLE_Z,  BRUME_HANDLE_Y, BRUME_HANDLE_X,
                                             BRUME_HANDLE_XY,   BRUME_HANDLE_ZX, BRUME_HANDLE_YZ};
    BrumeGizmoHandle best = BRUME_HANDLE_NONE;
    float least = reach * screen->scale;
    for (size_t n = 0; n < sizeof order / sizeof order[0]; n++) {
        const float distance = gizmo->has[order[n]] ? distance_to_handle(gizmo, order[n], screen, p, false) : INFINITY;
        if (distance < least) {
            best = order[n];
            least = distance;
        }
    }
    return best;
}

bool brume_gizmo_is_near(const BrumeGizmo *gizmo, const BrumeScreen *screen, BrumeScreenPoint p)
{
    for (int n = BRUME_HANDLE_NONE + 1; n < BRUME_HANDLE_COUNT; n++) {
        if (gizmo->has[n] &&
            distance_to_handle(gizmo, (BrumeGizmoHandle)n, screen, p, true) < near_reach * screen->scale) {
            return true;
        }
    }
    return false;
}

// returns the point on the projected line of an axis that is nearest to the pointer
static BrumeScreenPoint on_line(const BrumeGizmoDrag *drag, BrumeVec3 axis, const BrumeScreen *screen,
                                BrumeScreenPoint p)
{
    BrumeScreenPoint middle;
    BrumeScreenPoint end;
    if (!brume_screen_project(screen, drag->gizmo.center, &middle) ||
        !brume_screen_project(screen, at(&drag->gizmo, axis, 1.0f), &end)) {
        return p;
    }
    const float x = end.x - middle.x;
    const float y = end.y - middle.y;
    const float along = ((p.x - middle.x) * x + (p.y - middle.y) * y) / (x * x + y * y);
    return (BrumeScreenPoint){middle.x + along * x, middle.y + along * y};
}

// returns the position of the pointer along an axis through the middle [m]: where the axis is nearest to its ray
static float along_axis(const BrumeGizmoDrag *drag, BrumeVec3 axis, const BrumeScreen *screen, BrumeScreenPoint p)
{
    const BrumeRay ray = brume_screen_ray(screen, on_line(drag, axis, screen, p));
    const BrumeVec3 to_middle = brume_sub(drag->gizmo.center, ray.origin);
    const float cosine = brume_dot(axis, ray.direction);
    const float sine_squared = fmaxf(1.0f - cosine * cosine, 1e-4f);
    return (cosine * brume_dot(ray.direction, to_middle) - brume_dot(axis, to_middle)) / sine_squared;
}

// intersects the pointer's ray with the plane through the middle; the result is relative to the middle [m]
static bool on_plane(const BrumeGizmoDrag *drag, BrumeVec3 normal, const BrumeScreen *screen, BrumeScreenPoint p,
                     BrumeVec3 *from_middle)
{
    const BrumeRay ray = brume_screen_ray(screen, p);
    const float cosine = brume_dot(ray.direction, normal);
    const float distance = brume_dot(brume_sub(drag->gizmo.center, ray.origin), normal) / cosine;
    if (!(fabsf(cosine) > 1e-3f) || !(distance > 0.0f)) {
        return false;
    }
    *from_middle = brume_sub(brume_ray_at(&ray, distance), drag->gizmo.center);
    return true;
}

// returns the angle of the pointer around the middle in the picture, counterclockwise
static float screen_angle(const BrumeGizmoDrag *drag, const BrumeScreen *screen, BrumeScreenPoint p)
{
    BrumeScreenPoint middle = drag->from;
    (void)brume_screen_project(screen, drag->gizmo.center, &middle);
    return atan2f(middle.y - p.y, p.x - middle.x);
}

BrumeGizmoDrag brume_gizmo_begin_drag(const BrumeControls *controls, BrumeObject object, const BrumeGizmo *gizmo,
                                      BrumeGizmoHandle handle, const BrumeScreen *screen, BrumeScreenPoint p)
{
    BrumeGizmoDrag drag = {
        .object = object,
        .handle = handle,
        .gizmo = *gizmo,
        .start = brume_object_pose(controls, object),
        .from = p,
        .screen = *screen,
        .at = p,
    };
    drag.last_angle = screen_angle(&drag, screen, p);
    return drag;
}

float brume_snap_step(float side) { return 0.05f * powf(10.0f, floorf(log10f(side))); }

// returns the number that was typed during the drag, or otherwise `value`
static float typed_or(const BrumeControls *controls, float value)
{
    return controls->select.typed[0] ? strtof(controls->select.typed, NULL) : value;
}

static float snapped(float value, float step, BrumeSnap snap)
{
    const float by = snap == BRUME_SNAP_FINE ? 0.2f * step : step;
    return snap == BRUME_SNAP_NONE ? value : by * roundf(value / by);
}

static BrumeVec3 move_by(const BrumeGizmoDrag *drag, float step, const BrumeScreen *screen, BrumeScreenPoint p,
                         BrumeSnap snap)
{
    BrumeVec3 by = {0.0f, 0.0f, 0.0f};
    if (is_axis(drag->handle)) {
        const BrumeVec3 axis = drag->gizmo.axes[axis_of(drag->handle)];
        by = brume_scale(axis, along_axis(drag, axis, screen, p) - along_axis(drag, axis, screen, drag->from));
    } else {
        const BrumeVec3 normal = is_plane(drag->handle) ? drag->gizmo.axes[axis_of(drag->handle)]
                                                        : brume_cross(drag->gizmo.view[0], drag->gizmo.view[1]);
        BrumeVec3 from;
        BrumeVec3 to;
        if (on_plane(drag, normal, screen, drag->from, &from) && on_plane(drag, normal, screen, p, &to)) {
            by = brume_sub(to, from);
        }
    }
    return brume_vec3(snapped(by.x, step, snap), snapped(by.y, step, snap), snapped(by.z, step, snap));
}

static BrumePose drag_move(const BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen,
                           BrumeScreenPoint p, BrumeSnap snap)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    const BrumeVec3 sides = brume_sub(upper, lower);
    const float step = brume_snap_step(fmaxf(sides.x, fmaxf(sides.y, sides.z)));
    BrumeVec3 by = move_by(drag, step, screen, p, snap);
    if (controls->select.typed[0]) {
        const BrumeVec3 axis = drag->gizmo.axes[is_axis(drag->handle) ? axis_of(drag->handle) : 0];
        const bool has_way = !is_axis(drag->handle) && brume_length(by) > 0.0f;
        by = brume_scale(has_way ? brume_normalize(by) : axis, typed_or(controls, 0.0f));
    }
    char *text = controls->select.drag_text;
    const size_t size = sizeof controls->select.drag_text;
    if (is_axis(drag->handle)) {
        const int axis = axis_of(drag->handle);
        (void)snprintf(text, size, "%c %+.3f m", "xyz"[axis], (double)brume_component(by, axis));
    } else if (is_plane(drag->handle)) {
        const int u = (axis_of(drag->handle) + 1) % 3;
        const int v = (axis_of(drag->handle) + 2) % 3;
        (void)snprintf(text, size, "%c %+.3f  %c %+.3f m", "xyz"[u], (double)brume_component(by, u), "xyz"[v],
                       (double)brume_component(by, v));
    } else {
        (void)snprintf(text, size, "x %+.3f  y %+.3f  z %+.3f m", (double)by.x, (double)by.y, (double)by.z);
    }
    return brume_pose_moved(&drag->start, by);
}

static float wrapped(float angle) { return angle > pi ? angle - 2.0f * pi : angle < -pi ? angle + 2.0f * pi : angle; }

// turns by parts of at most an eighth of a turn, so that the angles of the rotation go on beyond a whole turn
static BrumePose turned_on(const BrumePose *start, BrumeVec3 axis, float angle)
{
    const int parts = (int)ceilf(fabsf(angle) / (0.25f * pi));
    BrumePose pose = *start;
    for (int n = 0; n < parts; n++) {
        pose = brume_pose_turned(&pose, axis, angle / (float)parts);
    }
    return pose;
}

static BrumePose drag_turn(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint p,
                           BrumeSnap snap)
{
    const BrumeVec3 axis = is_axis(drag->handle) ? drag->gizmo.axes[axis_of(drag->handle)] : drag->gizmo.towards;
    const float cosine = brume_dot(axis, drag->gizmo.towards);
    const float angle = screen_angle(drag, screen, p);
    drag->angle += wrapped(angle - drag->last_angle);
    drag->last_angle = angle;
    float turned_by = cosine < 0.0f ? -drag->angle : drag->angle;
    if (fabsf(cosine) < least_sine) { // the ring appears as a line: motion along it by one radius is one radian
        const BrumeVec3 along = brume_normalize(brume_cross(axis, drag->gizmo.towards));
        turned_by = ((p.x - drag->from.x) * brume_dot(along, drag->gizmo.view[0]) -
                     (p.y - drag->from.y) * brume_dot(along, drag->gizmo.view[1])) /
                    (BRUME_GIZMO_LENGTH * screen->scale);
    }
    const float dragged = snapped(turned_by * 180.0f / pi, 15.0f, snap);
    const float degrees = fminf(fmaxf(typed_or(controls, dragged), -most_degrees), most_degrees);
    (void)snprintf(controls->select.drag_text, sizeof controls->select.drag_text, "%s%+.1f°",
                   !is_axis(drag->handle)       ? ""
                   : axis_of(drag->handle) == 0 ? "x "
                   : axis_of(drag->handle) == 1 ? "y "
                                                : "z ",
                   (double)degrees);
    return turned_on(&drag->start, axis, degrees * pi / 180.0f);
}

static BrumePose drag_scale(const BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen,
                            BrumeScreenPoint p, BrumeSnap snap)
{
    BrumeVec3 factors = {1.0f, 1.0f, 1.0f};
    float factor = 1.0f;
    if (is_axis(drag->handle)) {
        const BrumeVec3 axis = drag->gizmo.axes[axis_of(drag->handle)];
        const float before = along_axis(drag, axis, screen, drag->from);
        factor = before > 0.0f ? along_axis(drag, axis, screen, p) / before : 1.0f;
    } else { // motion by the length of an axis to the right or up doubles the size
        factor = 1.0f + (p.x - drag->from.x + drag->from.y - p.y) / (BRUME_GIZMO_LENGTH * screen->scale);
    }
    factor = fmaxf(typed_or(controls, snapped(factor, 0.1f, snap)), least_factor);
    if (!is_axis(drag->handle)) {
        factors = brume_vec3(factor, factor, factor);
    } else {
        factors =
            brume_vec3(drag->handle == BRUME_HANDLE_X ? factor : 1.0f, drag->handle == BRUME_HANDLE_Y ? factor : 1.0f,
                       drag->handle == BRUME_HANDLE_Z ? factor : 1.0f);
    }
    (void)snprintf(controls->select.drag_text, sizeof controls->select.drag_text, "× %.3f", (double)factor);
    return brume_pose_scaled(&drag->start, factors);
}

void brume_gizmo_drag_to(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint p,
                         BrumeSnap snap)
{
    BrumeSelectTool *tool = &controls->select;
    tool->drag_x = p.x;
    tool->drag_y = p.y;
    drag->screen = *screen;
    drag->at = p;
    drag->snap = snap;
    if (!brume_object_exists(controls, drag->object)) {
        return;
    }
    const BrumeGizmoMode mode = drag->gizmo.mode;
    const BrumePose pose = mode == BRUME_GIZMO_MOVE   ? drag_move(drag, controls, screen, p, snap)
                           : mode == BRUME_GIZMO_TURN ? drag_turn(drag, controls, screen, p, snap)
                                                      : drag_scale(drag, controls, screen, p, snap);
    brume_object_set_pose(controls, drag->object, &pose, mode != BRUME_GIZMO_SCALE);
    if (tool->typed[0]) {
        const size_t used = strlen(tool->drag_text);
        (void)snprintf(tool->drag_text + used, sizeof tool->drag_text - used, "  [%s]", tool->typed);
    }
}

bool brume_gizmo_type(BrumeGizmoDrag *drag, BrumeControls *controls, int character)
{
    enum { BACKSPACE = 8 };
    char *typed = controls->select.typed;
    const size_t length = strlen(typed);
    const bool is_negative = typed[0] == '-';
    if (character == BACKSPACE) {
        typed[length > 0 ? length - 1 : 0] = '\0';
    } else if (character == '-' && length + 1 < sizeof controls->select.typed) { // changes the sign
        memmove(typed + !is_negative, typed + is_negative, length + 1 - is_negative);
        typed[0] = is_negative ? typed[0] : '-';
    } else if (((character >= '0' && character <= '9') || character == '.' || character == ',')) {
        const bool is_second_point = (character == '.' || character == ',') && strchr(typed, '.');
        if (!is_second_point && length + 1 < sizeof controls->select.typed) {
            typed[length] = (char)(character == ',' ? '.' : character);
            typed[length + 1] = '\0';
        }
    } else if (character != '-') {
        return false;
    }
    brume_gizmo_drag_to(drag, controls, &drag->screen, drag->at, drag->snap);
    return true;
}
