#include "viewer/brush_cursor.h"

#include "core/vec3.h"
#include "viewer/present.h"

#include <math.h>

void brume_viewer_note_pointer(BrumeViewer *viewer, const SDL_Event *event)
{
    if (event->type == SDL_MOUSEMOTION) {
        viewer->input.pointer_in_window = true;
        viewer->input.x = (float)event->motion.x - viewer->readouts.area.left;
        viewer->input.y = (float)event->motion.y - viewer->readouts.area.top;
    } else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE) {
        viewer->input.pointer_in_window = false;
    }
}

// whether a press would be on the picture: no part of the panel covers it, which may change without a motion
static bool is_over_picture(const BrumeViewer *viewer)
{
    const BrumePictureArea *area = &viewer->readouts.area;
    const float x = viewer->input.x;
    const float y = viewer->input.y;
    return viewer->input.pointer_in_window && x >= 0.0f && x < area->width && y >= 0.0f && y < area->height &&
           !brume_panel_wants_mouse(viewer->panel);
}

void brume_viewer_update_hover(BrumeViewer *viewer)
{
    brume_input_update_hover(&viewer->input, &viewer->readouts.area, is_over_picture(viewer), &viewer->controls);
}

// finds the point at which a left drag would start a stroke; false where it would not
static bool find_start(BrumeViewer *viewer, BrumeVec3 *point)
{
    const BrumePictureArea *area = &viewer->readouts.area;
    const float x = viewer->input.x;
    const float y = viewer->input.y;
    if (!is_over_picture(viewer) || !viewer->controls.hud || viewer->controls.help || viewer->controls.select.active) {
        return false;
    }
    const BrumePick pick = brume_viewer_pick(viewer, x / area->width, y / area->height);
    const bool moves_solid =
        pick.kind == BRUME_PICK_SURFACE && ((int)viewer->input.modifiers & (KMOD_CTRL | KMOD_SHIFT)) == 0;
    const BrumeRay ray = brume_camera_ray(&viewer->controls.camera, area->width, area->height, x, y);
    return !moves_solid && brume_input_stroke_start(&pick, &ray, point);
}

// projects a point to the window [points]; false behind the camera
static bool project(const float matrix[16], const BrumePictureArea *area, BrumeVec3 point, float *x, float *y)
{
    const float clip_x = matrix[0] * point.x + matrix[4] * point.y + matrix[8] * point.z + matrix[12];
    const float clip_y = matrix[1] * point.x + matrix[5] * point.y + matrix[9] * point.z + matrix[13];
    const float w = matrix[3] * point.x + matrix[7] * point.y + matrix[11] * point.z + matrix[15];
    *x = area->left + (0.5f + 0.5f * clip_x / w) * area->width;
    *y = area->top + (0.5f - 0.5f * clip_y / w) * area->height;
    return w > 0.0f;
}

void brume_viewer_update_brush_cursor(BrumeViewer *viewer)
{
    BrumeBrushCursor *cursor = &viewer->readouts.brush;
    const BrumeDrag drag = viewer->input.drag;
    BrumeVec3 middle = viewer->input.stroke.end;
    cursor->shown = viewer->simulation_thread && viewer->picture && !brume_viewer_reads_framebuffer(viewer) &&
                    (drag == BRUME_DRAG_STROKE || (drag == BRUME_DRAG_NONE && find_start(viewer, &middle)));
    if (!cursor->shown) {
        return;
    }
    const BrumePictureArea *area = &viewer->readouts.area;
    const BrumeCamera *camera = &viewer->controls.camera;
    float matrix[16];
    brume_gl_projection(camera, area->width / area->height, matrix);
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    float x = 0.0f;
    float y = 0.0f;
    const BrumeVec3 rim = brume_add(middle, brume_scale(up, viewer->controls.brush.radius));
    cursor->shown = project(matrix, area, middle, &cursor->x, &cursor->y) && project(matrix, area, rim, &x, &y);
    cursor->radius = hypotf(x - cursor->x, y - cursor->y);
}
