#include "viewer/present.h"

#include "core/vec3.h"
#include "viewer/capture.h"
#include "viewer/viewer_state.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

// without motion for this long, the picture by OpenGL is drawn at full size [s]
static const double rest_after = 0.25;

static int variant_count(const BrumeViewer *viewer) { return viewer->picture->variant_count; }

// finds the columns of a picture of this width that show a variant
static void variant_columns(const BrumeViewer *viewer, int variant, int width, int *left, int *right)
{
    const int middle = (int)lroundf(viewer->picture->request.divider * (float)width);
    *left = variant == 0 ? 0 : middle;
    *right = variant_count(viewer) == 2 && variant == 0 ? middle : width;
}

// returns the content of the picture by OpenGL: the latest camera and state
static BrumeGlPictureContent gl_content(const BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeGlPictureContent content = {
        .camera = viewer->controls.camera,
        .width = rect.width,
        .height = rect.height,
        .variant_count = variant_count(viewer),
        .divider = viewer->picture->request.divider,
        .seed = viewer->picture->seed,
    };
    memcpy(content.view_serial, viewer->gl.view_serial, sizeof content.view_serial);
    return content;
}

static void draw_smoke_gl(BrumeViewer *viewer, BrumeRect rect, bool with_depth)
{
    BrumeError error;
    for (int variant = 0; variant < variant_count(viewer); variant++) {
        int reduced = 1;
        const uint64_t previous = viewer->gl.view_serial[variant];
        if (brume_render_thread_upload_to_gl(viewer->render_thread, variant, viewer->gl.renderers[variant],
                                             &viewer->gl.view_serial[variant], &reduced, &error) != BRUME_OK) {
            brume_viewer_show_message(viewer, true, "%s", error.text);
        } else if (reduced > 1 && previous == 0) {
            brume_viewer_show_message(
                viewer, false, "the volume is larger than the device's textures: drawn at 1/%d of its resolution",
                reduced);
        }
    }
    const BrumeGlPictureContent content = gl_content(viewer);
    const bool at_full_size = brume_viewer_reads_framebuffer(viewer);
    if (brume_gl_picture_draw(&viewer->gl.picture, viewer->gl.renderers, &content, rect, with_depth, at_full_size)) {
        viewer->has_new_picture = true;
    }
}

bool brume_viewer_can_refine(const BrumeViewer *viewer, double now)
{
    if (viewer->controls.cpu || viewer->window->hidden || !viewer->picture || now - viewer->last_motion <= rest_after) {
        return false;
    }
    const BrumeGlPictureContent content = gl_content(viewer);
    return brume_gl_picture_is_reduced(&viewer->gl.picture, &content);
}

void brume_viewer_refine(BrumeViewer *viewer)
{
    if (brume_gl_picture_refine(&viewer->gl.picture, viewer->gl.renderers)) {
        viewer->needs_redraw = true;
    }
}

// returns the direction towards the first directional light, or a default
static BrumeVec3 towards_sun(const BrumeRenderSettings *render_settings)
{
    for (int n = 0; n < render_settings->light_count; n++) {
        if (render_settings->lights[n].kind == BRUME_LIGHT_DIRECTIONAL) {
            return brume_scale(render_settings->lights[n].direction, -1.0f);
        }
    }
    return brume_normalize(brume_vec3(-0.4f, 1.0f, 0.5f));
}

static bool has_geometry(const BrumeOverlayGeometry *geometry)
{
    return geometry && (geometry->triangle_vertices > 0 || geometry->line_vertices > 0 || geometry->has_slice);
}

static void draw_overlay(BrumeViewer *viewer, BrumeRect rect, const BrumeCamera *camera)
{
    const BrumeRenderedPicture *picture = viewer->picture;
    BrumeOverlayView view = {
        .width = (float)rect.width,
        .height = (float)rect.height,
        .pixels_per_point = viewer->window->scale * viewer->controls.ui_scale,
    };
    brume_gl_projection(camera, view.width / view.height, view.matrix);
    glEnable(GL_SCISSOR_TEST);
    for (int variant = 0; variant < variant_count(viewer); variant++) {
        int left;
        int right;
        variant_columns(viewer, variant, rect.width, &left, &right);
        glScissor(rect.x + left, rect.y, right - left, rect.height);
        const BrumeOverlayGeometry *geometry = picture->geometry[variant];
        if (viewer->controls.box && !brume_viewer_reads_framebuffer(viewer)) {
            const BrumeSimDef *def = &brume_side_variant(&viewer->snapshot, variant)->settings;
            const BrumeVec3 size = brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx);
            brume_overlay_draw_box(viewer->gl.overlay, def->origin, brume_add(def->origin, size), &view);
        }
        if (has_geometry(geometry)) {
            view.towards_light = towards_sun(&picture->render_settings[variant]);
            brume_overlay_draw_geometry(viewer->gl.overlay, variant, geometry, picture->view_serial, &view);
        }
    }
    glScissor(rect.x, rect.y, rect.width, rect.height);
    if (brume_viewer_reads_framebuffer(viewer)) { // no divider
        glDisable(GL_SCISSOR_TEST);
        return;
    }
    if (variant_count(viewer) == 2) {
        int left;
        int middle;
        variant_columns(viewer, 0, rect.width, &left, &middle);
        glScissor(rect.x + middle - 1, rect.y, 2, rect.height);
        glClearColor(0.92f, 0.94f, 0.97f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
}

// whether the overlay needs the depth of the solids
static bool needs_depth(const BrumeViewer *viewer)
{
    bool needs = viewer->controls.box;
    for (int variant = 0; variant < variant_count(viewer); variant++) {
        needs = needs || has_geometry(viewer->picture->geometry[variant]);
    }
    return needs;
}

// clears the framebuffer outside the picture, and the depth if overlays are drawn with it
static void clear(const BrumeViewer *viewer, BrumeRect rect)
{
    const BrumeWindow *window = viewer->window;
    const BrumeRenderedPicture *picture = viewer->picture;
    const bool covers_all = picture && picture->rgb && rect.x == 0 && rect.y == 0 &&
                            rect.width == window->pixels_wide && rect.height == window->pixels_high;
    const GLbitfield color = covers_all ? 0 : GL_COLOR_BUFFER_BIT;
    const GLbitfield depth = picture && picture->rgb && !needs_depth(viewer) ? 0 : GL_DEPTH_BUFFER_BIT;
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.06f, 0.065f, 0.075f, 1.0f);
    if ((color | depth) != 0) {
        glClear(color | depth);
    }
}

void brume_viewer_draw_picture(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    const BrumeRenderedPicture *picture = viewer->picture;
    clear(viewer, rect);
    if (!picture) {
        return;
    }
    if (picture->rgb) {
        // the overlay uses the camera of the picture, which may be older than the current one
        const BrumeCamera *camera = &picture->request.camera;
        brume_overlay_draw_picture(viewer->gl.overlay, rect, picture->rgb, picture->width, picture->height,
                                   picture->serial);
        if (needs_depth(viewer)) {
            const BrumeGlDraw whole = {
                .x = rect.x,
                .y = rect.y,
                .width = rect.width,
                .height = rect.height,
                .clip_right = rect.width,
                .shrink = 1,
            };
            brume_gl_renderer_draw_depth(viewer->gl.renderers[0], &picture->render_settings[0], camera, &whole);
        }
        draw_overlay(viewer, rect, camera);
    } else {
        draw_smoke_gl(viewer, rect, needs_depth(viewer));
        draw_overlay(viewer, rect, &viewer->controls.camera);
    }
}

BrumePick brume_viewer_pick(BrumeViewer *viewer, float x, float y)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    const int variant = viewer->picture && variant_count(viewer) == 2 && x >= viewer->controls.divider ? 1 : 0;
    return brume_render_thread_pick(viewer->render_thread, variant, &viewer->controls.camera, rect.width, rect.height,
                                    x * (float)rect.width, y * (float)rect.height);
}
