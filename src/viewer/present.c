#include "viewer/viewer_internal.h"

#include "core/clock.h"
#include "core/vec3.h"

#include <epoxy/gl.h>
#include <math.h>

enum { MAX_SHRINK = 4 };

static const double still_after = 0.25; // without motion for this long [s], the picture is drawn in full
static const double budget_ms = 14.0;   // that a picture in motion may take [ms]

static int sides_of(const BrumeViewer *viewer) { return viewer->picture->sides; }

// columns of a picture of this width that belong to a side
static void columns(const BrumeViewer *viewer, int side, int width, int *left, int *right)
{
    const int middle = (int)lroundf(viewer->picture->wish.divider * (float)width);
    *left = side == 0 ? 0 : middle;
    *right = sides_of(viewer) == 2 && side == 0 ? middle : width;
}

// coarser while things move, so that the window keeps its rate
static int choose_shrink(BrumeViewer *viewer)
{
    if (viewer->film.recorder || brume_seconds() - viewer->moved > still_after) {
        return 1;
    }
    int shrink = 1;
    while (shrink < MAX_SHRINK && viewer->gl_ms / (shrink * shrink) > budget_ms) {
        shrink++;
    }
    // a coarser one than last time only where it is needed by far, so that it does not flicker
    return shrink == viewer->gl_shrink + 1 && viewer->gl_ms / (viewer->gl_shrink * viewer->gl_shrink) < 1.3 * budget_ms
               ? viewer->gl_shrink
               : shrink;
}

static void draw_smoke_gl(BrumeViewer *viewer, BrumeRect rect)
{
    BrumeError error;
    const int shrink = choose_shrink(viewer);
    const double start = brume_seconds();
    for (int side = 0; side < sides_of(viewer); side++) {
        int reduced = 1;
        const uint64_t before = viewer->gl_lit[side];
        if (brume_render_thread_upload(viewer->canvas, side, viewer->gl[side], &viewer->gl_lit[side], &reduced,
                                       &error) != BRUME_OK) {
            brume_viewer_say(viewer, true, "%s", error.text);
            continue;
        }
        if (reduced > 1 && before == 0) {
            brume_viewer_say(viewer, false, "the volume is larger than this device's textures: drawn at 1/%d", reduced);
        }
        BrumeGlDraw draw = {
            .x = rect.x,
            .y = rect.y,
            .width = rect.width,
            .height = rect.height,
            .shrink = shrink,
            .seed = (uint32_t)viewer->picture->frame,
        };
        columns(viewer, side, rect.width, &draw.clip_left, &draw.clip_right);
        brume_gl_renderer_draw(viewer->gl[side], &viewer->controls.camera, &draw);
    }
    glFinish();
    const double ms = 1e3 * (brume_seconds() - start) * shrink * shrink;
    viewer->gl_ms = viewer->gl_ms > 0.0 ? 0.8 * viewer->gl_ms + 0.2 * ms : ms;
    viewer->gl_shrink = shrink;
}

static BrumeVec3 towards_sun(const BrumeRenderSettings *look)
{
    for (int n = 0; n < look->light_count; n++) {
        if (look->lights[n].kind == BRUME_LIGHT_DIRECTIONAL) {
            return brume_scale(look->lights[n].direction, -1.0f);
        }
    }
    return brume_normalize(brume_vec3(-0.4f, 1.0f, 0.5f));
}

static void draw_brush(BrumeViewer *viewer, const float matrix[16], BrumeVec3 forward)
{
    if (viewer->input.drag != BRUME_DRAG_SMOKE && viewer->input.drag != BRUME_DRAG_PUSH) {
        return;
    }
    const uint8_t white[4] = {255, 255, 255, 150};
    brume_overlay_circle(viewer->overlay, viewer->input.trail.head, brume_scale(forward, -1.0f),
                         viewer->controls.brush.radius, white, matrix);
}

static bool has_drawing(const BrumeDrawing *drawing)
{
    return drawing && (drawing->triangle_vertices > 0 || drawing->line_vertices > 0 || drawing->has_slice);
}

static void draw_over(BrumeViewer *viewer, BrumeRect rect, const BrumeCamera *camera)
{
    const BrumeRenderedPicture *picture = viewer->picture;
    float matrix[16];
    brume_gl_projection(camera, (float)rect.width / (float)rect.height, matrix);
    glEnable(GL_SCISSOR_TEST);
    for (int side = 0; side < sides_of(viewer); side++) {
        int left;
        int right;
        columns(viewer, side, rect.width, &left, &right);
        glScissor(rect.x + left, rect.y, right - left, rect.height);
        const BrumeDrawing *drawing = picture->drawing[side];
        if (viewer->controls.box) {
            const BrumeSimDef *def = &viewer->snapshot.side[side].settings;
            const BrumeVec3 size = brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx);
            brume_overlay_box(viewer->overlay, def->origin, brume_add(def->origin, size), matrix);
        }
        if (has_drawing(drawing)) {
            brume_overlay_drawing(viewer->overlay, side, drawing, picture->lit, matrix,
                                  towards_sun(&picture->look[side]));
        }
    }
    glScissor(rect.x, rect.y, rect.width, rect.height);
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    draw_brush(viewer, matrix, forward);
    if (sides_of(viewer) == 2) {
        int left;
        int middle;
        columns(viewer, 0, rect.width, &left, &middle);
        glScissor(rect.x + middle - 1, rect.y, 2, rect.height);
        glClearColor(0.92f, 0.94f, 0.97f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
}

// whether something is drawn over the picture that solids may hide
static bool may_hide(const BrumeViewer *viewer)
{
    bool some = viewer->controls.box;
    for (int side = 0; side < sides_of(viewer); side++) {
        some = some || has_drawing(viewer->picture->drawing[side]);
    }
    return some;
}

void brume_viewer_draw_stage(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    const BrumeRenderedPicture *picture = viewer->picture;
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.06f, 0.065f, 0.075f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (!picture) {
        return;
    }
    if (picture->rgb) {
        // lines and surfaces move with the picture that they belong to
        const BrumeCamera *camera = &picture->wish.camera;
        brume_overlay_picture(viewer->overlay, rect, picture->rgb, picture->width, picture->height, picture->serial);
        if (may_hide(viewer)) {
            const BrumeGlDraw whole = {
                .x = rect.x,
                .y = rect.y,
                .width = rect.width,
                .height = rect.height,
                .clip_right = rect.width,
                .shrink = 1,
            };
            brume_gl_renderer_draw_depth(viewer->gl[0], &picture->look[0], camera, &whole);
        }
        draw_over(viewer, rect, camera);
    } else {
        draw_smoke_gl(viewer, rect);
        draw_over(viewer, rect, &viewer->controls.camera);
    }
}

BrumePick brume_viewer_pick(BrumeViewer *viewer, float x, float y)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    const int side = viewer->picture && sides_of(viewer) == 2 && x >= viewer->controls.divider ? 1 : 0;
    return brume_render_thread_pick(viewer->canvas, side, &viewer->controls.camera, rect.width, rect.height,
                                    x * (float)rect.width, y * (float)rect.height);
}
