#include "viewer/gl_picture.h"

#include "core/parallel/clock.h"
#include "viewer/views/adaptive_resolution.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

enum { SLOWEST_SHRINK = 4, NARROWEST_STRIP = 8 }; // [pixels]

static const double budget_ms = 14.0; // time for a picture in motion, and for a strip

static const char copy_vertex[] = "#version 330 core\n"
                                  "void main()\n"
                                  "{\n"
                                  "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                  "    gl_Position = vec4(4.0 * corner - 1.0, 0.0, 1.0);\n"
                                  "}\n";

static const char copy_fragment[] = "#version 330 core\n"
                                    "uniform sampler2D colors, depths;\n"
                                    "uniform ivec2 lower;\n"
                                    "out vec4 color;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    ivec2 at = ivec2(gl_FragCoord.xy) - lower;\n"
                                    "    color = vec4(texelFetch(colors, at, 0).rgb, 1.0);\n"
                                    "    gl_FragDepth = texelFetch(depths, at, 0).r;\n"
                                    "}\n";

BrumeStatus brume_gl_picture_create(BrumeGlPicture *picture, bool software, BrumeError *error)
{
    *picture = (BrumeGlPicture){.first_shrink = software ? SLOWEST_SHRINK : 1};
    const BrumeStatus status = brume_overlay_link_program(&picture->program, copy_vertex, copy_fragment, error);
    if (status == BRUME_OK) {
        glUseProgram(picture->program);
        glUniform1i(glGetUniformLocation(picture->program, "colors"), 0);
        glUniform1i(glGetUniformLocation(picture->program, "depths"), 1);
        glUseProgram(0);
        glGenVertexArrays(1, &picture->vertex_array);
    }
    return status;
}

static void destroy_target(BrumeGlPictureTarget *target)
{
    if (target->framebuffer != 0) {
        glDeleteFramebuffers(1, &target->framebuffer);
        glDeleteTextures(2, (const GLuint[]){target->color, target->depth});
    }
    *target = (BrumeGlPictureTarget){0};
}

void brume_gl_picture_destroy(BrumeGlPicture *picture)
{
    destroy_target(&picture->shown);
    destroy_target(&picture->next);
    if (picture->program != 0) {
        glDeleteProgram(picture->program);
        glDeleteVertexArrays(1, &picture->vertex_array);
    }
    *picture = (BrumeGlPicture){0};
}

static GLuint make_texture(GLint internal, GLenum format, GLenum type, int width, int height)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, type, NULL);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

static GLuint bound_framebuffer(void)
{
    GLint bound = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    return (GLuint)bound;
}

// binds a framebuffer of this size; without memory binds none and returns false
static bool bind_target(BrumeGlPictureTarget *target, int width, int height)
{
    const GLuint window = bound_framebuffer();
    if (target->width != width || target->height != height) {
        destroy_target(target);
        glActiveTexture(GL_TEXTURE0);
        target->color = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
        target->depth = make_texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height);
        glGenFramebuffers(1, &target->framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            glBindFramebuffer(GL_FRAMEBUFFER, window);
            destroy_target(target);
            return false;
        }
        target->width = width;
        target->height = height;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    return true;
}

static bool same_content(const BrumeGlPictureContent *a, const BrumeGlPictureContent *b)
{
    return memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 && a->width == b->width && a->height == b->height &&
           a->variant_count == b->variant_count && a->divider == b->divider && a->seed == b->seed &&
           memcmp(a->view_serial, b->view_serial, sizeof a->view_serial) == 0;
}

// draws the columns left <= x < right of a picture into the bound framebuffer, and waits for it; returns the time [ms]
static double draw_columns(BrumeGlRenderer *const renderers[BRUME_MAX_VARIANTS], const BrumeGlPictureContent *content,
                           BrumeRect rect, int left, int right, int shrink)
{
    const double start = brume_seconds();
    const int middle = (int)lroundf(content->divider * (float)content->width);
    for (int variant = 0; variant < content->variant_count; variant++) {
        const int first = variant == 0 ? 0 : middle;
        const int end = content->variant_count == 2 && variant == 0 ? middle : content->width;
        if (content->view_serial[variant] == 0) {
            continue; // nothing was uploaded
        }
        const BrumeGlDraw draw = {
            .x = rect.x,
            .y = rect.y,
            .width = content->width,
            .height = content->height,
            .clip_left = left > first ? left : first,
            .clip_right = right < end ? right : end,
            .shrink = shrink,
            .seed = content->seed,
        };
        brume_gl_renderer_draw(renderers[variant], &content->camera, &draw);
    }
    glFinish();
    return 1e3 * (brume_seconds() - start);
}

// by how much the sides of the picture are reduced, so that drawing takes about `budget_ms`
static int choose_shrink(const BrumeGlPicture *picture)
{
    return picture->full_ms <= 0.0 ? picture->first_shrink
                                   : brume_choose_shrink(picture->full_ms, budget_ms, picture->shrink);
}

// updates the moving average of the time that a picture of full size would take [ms]
static void record_time(BrumeGlPicture *picture, double ms, int shrink)
{
    const double full_ms = ms * shrink * shrink;
    picture->full_ms = picture->full_ms > 0.0 ? 0.8 * picture->full_ms + 0.2 * full_ms : full_ms;
    picture->ms = ms;
    picture->shrink = shrink;
}

// copies the picture to the window
static void copy_to_window(const BrumeGlPicture *picture, BrumeRect rect, bool with_depth)
{
    const BrumeGlPictureTarget *shown = &picture->shown;
    if (!with_depth) {
        const GLuint window = bound_framebuffer();
        glBindFramebuffer(GL_READ_FRAMEBUFFER, shown->framebuffer);
        glBlitFramebuffer(0, 0, rect.width, rect.height, rect.x, rect.y, rect.x + rect.width, rect.y + rect.height,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, window);
        return;
    }
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, shown->depth);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shown->color);
    glViewport(rect.x, rect.y, rect.width, rect.height);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_ALWAYS);
    glUseProgram(picture->program);
    glUniform2i(glGetUniformLocation(picture->program, "lower"), rect.x, rect.y);
    glBindVertexArray(picture->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDepthFunc(GL_LESS);
}

bool brume_gl_picture_draw(BrumeGlPicture *picture, BrumeGlRenderer *const renderers[BRUME_MAX_VARIANTS],
                           const BrumeGlPictureContent *content, BrumeRect rect, bool with_depth, bool at_full_size)
{
    BrumeGlPictureTarget *shown = &picture->shown;
    const bool is_shown = shown->shrink > 0 && same_content(&shown->content, content);
    const bool draws = !is_shown || (at_full_size && shown->shrink > 1);
    if (draws) {
        const int shrink = at_full_size ? 1 : choose_shrink(picture);
        const GLuint window = bound_framebuffer();
        const bool bound = bind_target(shown, content->width, content->height);
        const BrumeRect whole = {.width = content->width, .height = content->height};
        const double ms = draw_columns(renderers, content, bound ? whole : rect, 0, content->width, shrink);
        record_time(picture, ms, shrink);
        glBindFramebuffer(GL_FRAMEBUFFER, window);
        if (!bound) {
            return true; // the picture is in the window
        }
        shown->content = *content;
        shown->shrink = shrink;
    }
    copy_to_window(picture, rect, with_depth);
    return draws;
}

bool brume_gl_picture_is_reduced(const BrumeGlPicture *picture, const BrumeGlPictureContent *content)
{
    return picture->shown.shrink > 1 && same_content(&picture->shown.content, content);
}

bool brume_gl_picture_refine(BrumeGlPicture *picture, BrumeGlRenderer *const renderers[BRUME_MAX_VARIANTS])
{
    BrumeGlPictureTarget *next = &picture->next;
    const BrumeGlPictureContent content = picture->shown.content;
    const bool continues = next->shrink == 1 && same_content(&next->content, &content);
    const int left = continues ? next->columns : 0;
    const double columns = content.width * budget_ms / fmax(picture->full_ms, budget_ms);
    const int end = left + (int)fmax(columns, NARROWEST_STRIP);
    const int right = end < content.width ? end : content.width;
    const GLuint window = bound_framebuffer();
    if (!bind_target(next, content.width, content.height)) {
        picture->shown.shrink = 1; // without memory the picture at full size is not drawn
        return false;
    }
    next->content = content;
    next->shrink = 1;
    next->columns = right;
    const double ms = draw_columns(renderers, &content, (BrumeRect){0}, left, right, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, window);
    picture->full_ms = 0.8 * picture->full_ms + 0.2 * ms * content.width / (right - left);
    if (right < content.width) {
        return false;
    }
    const BrumeGlPictureTarget complete = *next;
    *next = picture->shown;
    next->shrink = 0;
    picture->shown = complete;
    picture->shrink = 1;
    return true;
}
