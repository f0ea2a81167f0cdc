#include "raymarch/gl/gl_renderer.h"

#include "core/error.h"
#include "core/memory.h"
#include "raymarch/gl/gl_renderer_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void bind_blocks(const BrumeGlRenderer *renderer, GLuint scene)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BRUME_GL_SCENE, scene);
    glBindBufferBase(GL_UNIFORM_BUFFER, BRUME_GL_VIEW, renderer->blocks[BRUME_GL_VIEW]);
}

static void write_block(GLuint buffer, const void *data, size_t size)
{
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)size, data, GL_STREAM_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

static BrumeStatus make_varying_programs(GLuint programs[BRUME_GL_PROGRAMS], BrumeGlVariant variant, BrumeError *error)
{
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        if (brume_gl_program_varies((BrumeGlProgramKind)kind) &&
            brume_gl_program_create(&programs[kind], (BrumeGlProgramKind)kind, variant, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_gl_renderer_create(BrumeGlRenderer **renderer, BrumeError *error)
{
    *renderer = NULL;
    const int version = epoxy_gl_version();
    if (!epoxy_is_desktop_gl() || version < 33) {
        return brume_fail(error, BRUME_FAILED, "OpenGL 3.3 is needed, and the driver has %d.%d", version / 10,
                          version % 10);
    }
    BrumeGlRenderer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for a renderer");
    }
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &made->largest);
    glGenVertexArrays(1, &made->vertices);
    glGenBuffers(BRUME_GL_BLOCKS, made->blocks);
    glGenBuffers(1, &made->look_block);
    glGenFramebuffers(1, &made->framebuffer);
    const BrumeGlVariant none = {0};
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        if (brume_gl_program_create(&made->programs[kind], (BrumeGlProgramKind)kind, none, error) != BRUME_OK) {
            brume_gl_renderer_destroy(made);
            return BRUME_FAILED;
        }
    }
    *renderer = made;
    return BRUME_OK;
}

void brume_gl_renderer_destroy(BrumeGlRenderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        brume_gl_texture_destroy(&renderer->textures[slot]);
    }
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        glDeleteProgram(renderer->programs[kind]);
    }
    glDeleteVertexArrays(1, &renderer->vertices);
    glDeleteBuffers(BRUME_GL_BLOCKS, renderer->blocks);
    glDeleteBuffers(1, &renderer->look_block);
    glDeleteFramebuffers(1, &renderer->framebuffer);
    glDeleteTextures(1, &renderer->marched);
    brume_free(renderer->staging);
    free(renderer);
}

void brume_gl_renderer_limit(BrumeGlRenderer *renderer, int largest)
{
    assert(largest >= 16);
    renderer->largest = largest;
}

size_t brume_gl_renderer_bytes(const BrumeGlRenderer *renderer)
{
    size_t bytes = 2 * sizeof(BrumeGlScene) + sizeof(BrumeGlView) +
                   (size_t)renderer->marched_width * (size_t)renderer->marched_height * 4 * sizeof(uint16_t);
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        bytes += brume_gl_texture_bytes(&renderer->textures[slot]);
    }
    return bytes;
}

static BrumeGlTexture shape_of(const BrumeGlUpload *upload)
{
    const BrumeGlEntries *entries = &upload->entries;
    if (entries->data == NULL) {
        return (BrumeGlTexture){0};
    }
    const int factor = upload->factor;
    return (BrumeGlTexture){.nx = (entries->nx + factor - 1) / factor,
                            .ny = (entries->ny + factor - 1) / factor,
                            .nz = (entries->nz + factor - 1) / factor,
                            .channels = entries->channels};
}

static BrumeStatus take_staging(BrumeGlRenderer *renderer, const BrumeGlPlan *plan, BrumeError *error)
{
    size_t most = 0;
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        const BrumeGlTexture shape = shape_of(&plan->uploads[slot]);
        const size_t entries = brume_gl_texture_bytes(&shape) / sizeof(uint16_t);
        most = entries > most ? entries : most;
    }
    if (most <= renderer->staging_entries) {
        return BRUME_OK;
    }
    uint16_t *larger = brume_alloc_untouched(most, sizeof(uint16_t));
    if (larger == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for what is sent to the graphics device");
    }
    brume_free(renderer->staging);
    renderer->staging = larger;
    renderer->staging_entries = most;
    return BRUME_OK;
}

// textures of another shape than what is there, in `fresh`; the others there stay zeroed
static BrumeStatus take_textures(const BrumeGlRenderer *renderer, const BrumeGlPlan *plan,
                                 BrumeGlTexture fresh[BRUME_GL_SLOTS], BrumeError *error)
{
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        const BrumeGlTexture wanted = shape_of(&plan->uploads[slot]);
        if (wanted.nx == 0 || brume_gl_texture_same(&wanted, &renderer->textures[slot])) {
            continue;
        }
        fresh[slot] = wanted;
        if (brume_gl_texture_create(&fresh[slot], error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

static void upload(BrumeGlRenderer *renderer, const BrumeGlPlan *plan, BrumeGlTexture fresh[BRUME_GL_SLOTS])
{
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        const BrumeGlUpload *one = &plan->uploads[slot];
        BrumeGlTexture *texture = &renderer->textures[slot];
        if (one->entries.data == NULL || fresh[slot].name != 0) {
            brume_gl_texture_destroy(texture);
            *texture = fresh[slot];
            fresh[slot] = (BrumeGlTexture){0};
        }
        if (one->entries.data != NULL) {
            brume_pack_halves(renderer->staging, &one->entries, one->factor);
            brume_gl_texture_write(texture, renderer->staging);
        }
    }
}

static bool same_variant(BrumeGlVariant a, BrumeGlVariant b)
{
    return a.suns == b.suns && a.lamps == b.lamps && a.mixed == b.mixed;
}

// what may fail comes first, so that a failure leaves what was loaded before
BrumeStatus brume_gl_renderer_load(BrumeGlRenderer *renderer, const BrumeRenderer *lit, int *reduced, BrumeError *error)
{
    BrumeGlPlan plan;
    BrumeGlTexture fresh[BRUME_GL_SLOTS] = {0};
    GLuint programs[BRUME_GL_PROGRAMS] = {0};
    BrumeStatus status = brume_gl_plan_create(&plan, lit, renderer->largest, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const bool same_programs = same_variant(plan.variant, renderer->variant);
    if (!same_programs) {
        status = make_varying_programs(programs, plan.variant, error);
    }
    if (status == BRUME_OK) {
        status = take_staging(renderer, &plan, error);
    }
    if (status == BRUME_OK) {
        status = take_textures(renderer, &plan, fresh, error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    for (int kind = 0; kind < BRUME_GL_PROGRAMS && !same_programs; kind++) {
        if (programs[kind] != 0) {
            glDeleteProgram(renderer->programs[kind]);
            renderer->programs[kind] = programs[kind];
            programs[kind] = 0;
        }
    }
    renderer->variant = plan.variant;
    upload(renderer, &plan, fresh);
    BrumeGlScene scene;
    brume_gl_fill_scene(&scene, lit, &plan.scales);
    write_block(renderer->blocks[BRUME_GL_SCENE], &scene, sizeof scene);
    renderer->step = lit->look.step;
    if (reduced != NULL) {
        *reduced = plan.reduced;
    }
cleanup:
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        brume_gl_texture_destroy(&fresh[slot]);
    }
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        glDeleteProgram(programs[kind]);
    }
    brume_gl_plan_destroy(&plan);
    return status;
}

static void draw_triangle(const BrumeGlRenderer *renderer, BrumeGlProgramKind kind)
{
    glUseProgram(renderer->programs[kind]);
    glBindVertexArray(renderer->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
}

// fills the clipped part of the picture in the bound framebuffer, depth included
static void draw_picture(const BrumeGlRenderer *renderer, BrumeGlProgramKind kind, const BrumeGlDraw *draw)
{
    glViewport(draw->x, draw->y, draw->width, draw->height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(draw->x + draw->clip_left, draw->y, draw->clip_right - draw->clip_left, draw->height);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_ALWAYS);
    draw_triangle(renderer, kind);
    glDepthFunc(GL_LESS);
    glDisable(GL_SCISSOR_TEST);
}

// memory for a reduced picture; false where the device has none
static bool take_marched(BrumeGlRenderer *renderer, int width, int height)
{
    if (renderer->marched != 0 && width <= renderer->marched_width && height <= renderer->marched_height) {
        return true;
    }
    width = width > renderer->marched_width ? width : renderer->marched_width;
    height = height > renderer->marched_height ? height : renderer->marched_height;
    glDeleteTextures(1, &renderer->marched);
    renderer->marched_width = 0;
    renderer->marched_height = 0;
    brume_gl_clear_errors();
    glGenTextures(1, &renderer->marched);
    glBindTexture(GL_TEXTURE_2D, renderer->marched);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_HALF_FLOAT, NULL);
    const bool taken = glGetError() == GL_NO_ERROR;
    glBindTexture(GL_TEXTURE_2D, 0);
    if (taken) {
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->marched, 0);
    }
    if (!taken || glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        glDeleteTextures(1, &renderer->marched);
        renderer->marched = 0;
        return false;
    }
    renderer->marched_width = width;
    renderer->marched_height = height;
    return true;
}

// marches the pixels of a reduced picture; false where there is no memory for it
static bool march_reduced(BrumeGlRenderer *renderer, const BrumeGlDraw *draw, const BrumeGlView *view)
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->framebuffer);
    const int width = (draw->width + draw->shrink - 1) / draw->shrink;
    const int height = (draw->height + draw->shrink - 1) / draw->shrink;
    const bool taken = take_marched(renderer, width, height);
    if (taken) {
        const int left = view->marched[0];
        glViewport(0, 0, width, height);
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_SCISSOR_TEST);
        glScissor(left, 0, view->marched[1] - left + 1, height);
        draw_triangle(renderer, BRUME_GL_MARCH);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)target);
    return taken;
}

static void bind_textures(const BrumeGlRenderer *renderer)
{
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)slot);
        glBindSampler((GLuint)slot, 0);
        if (slot != BRUME_GL_MARCHED) {
            glBindTexture(GL_TEXTURE_3D, renderer->textures[slot].name);
        }
    }
    glActiveTexture(GL_TEXTURE0);
}

static void unbind_textures(void)
{
    for (int slot = 0; slot < BRUME_GL_SLOTS; slot++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)slot);
        glBindTexture(slot == BRUME_GL_MARCHED ? GL_TEXTURE_2D : GL_TEXTURE_3D, 0);
    }
    glActiveTexture(GL_TEXTURE0);
}

void brume_gl_renderer_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw)
{
    assert(renderer->step > 0.0f && draw->width > 0 && draw->height > 0);
    assert(draw->shrink >= 1 && draw->shrink <= 8 && draw->step >= 0.0f);
    if (draw->clip_left >= draw->clip_right) {
        return;
    }
    BrumeGlView view;
    brume_gl_fill_view(&view, camera, draw, draw->step > 0.0f ? draw->step : renderer->step);
    write_block(renderer->blocks[BRUME_GL_VIEW], &view, sizeof view);
    bind_blocks(renderer, renderer->blocks[BRUME_GL_SCENE]);
    bind_textures(renderer);
    glDisable(GL_BLEND);
    if (draw->shrink > 1 && march_reduced(renderer, draw, &view)) {
        glActiveTexture(GL_TEXTURE0 + BRUME_GL_MARCHED);
        glBindTexture(GL_TEXTURE_2D, renderer->marched);
        draw_picture(renderer, BRUME_GL_ENLARGE, draw);
    } else {
        draw_picture(renderer, BRUME_GL_PICTURE, draw);
    }
    unbind_textures();
}

void brume_gl_renderer_draw_depth(BrumeGlRenderer *renderer, const BrumeRenderSettings *look, const BrumeCamera *camera,
                                  const BrumeGlDraw *draw)
{
    assert(draw->width > 0 && draw->height > 0);
    if (draw->clip_left >= draw->clip_right) {
        return;
    }
    BrumeGlScene scene;
    memset(&scene, 0, sizeof scene);
    brume_gl_fill_look(&scene, look);
    write_block(renderer->look_block, &scene, sizeof scene);
    BrumeGlDraw whole = *draw;
    whole.shrink = 1;
    BrumeGlView view;
    brume_gl_fill_view(&view, camera, &whole, 1.0f);
    write_block(renderer->blocks[BRUME_GL_VIEW], &view, sizeof view);
    bind_blocks(renderer, renderer->look_block);
    glDisable(GL_BLEND);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_picture(renderer, BRUME_GL_DEPTH, draw);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
