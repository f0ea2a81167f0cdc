#include "raymarch/gl/gl_renderer.h"

#include "core/error.h"
#include "core/memory.h"
#include "raymarch/gl/gl_renderer_internal.h"
#include "raymarch/gl/gl_upload.h"

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

static BrumeStatus create_variant_programs(GLuint programs[BRUME_GL_PROGRAMS], BrumeGlProgramVariant variant,
                                           BrumeError *error)
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
    BrumeGlRenderer *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return brume_out_of_memory(error, "a renderer");
    }
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &created->largest);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &created->largest_flat);
    glGenVertexArrays(1, &created->vertex_array);
    glGenBuffers(BRUME_GL_BLOCKS, created->blocks);
    glGenBuffers(1, &created->depth_scene);
    glGenFramebuffers(1, &created->framebuffer);
    const BrumeGlProgramVariant none = {0};
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        if (brume_gl_program_create(&created->programs[kind], (BrumeGlProgramKind)kind, none, error) != BRUME_OK) {
            brume_gl_renderer_destroy(created);
            return BRUME_FAILED;
        }
    }
    *renderer = created;
    return BRUME_OK;
}

void brume_gl_renderer_destroy(BrumeGlRenderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        brume_gl_texture_destroy(&renderer->textures[unit]);
    }
    brume_gl_solids_destroy(&renderer->solids);
    brume_gl_solids_destroy(&renderer->depth_solids);
    brume_gl_sprites_destroy(&renderer->sprites);
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        glDeleteProgram(renderer->programs[kind]);
    }
    glDeleteVertexArrays(1, &renderer->vertex_array);
    glDeleteBuffers(BRUME_GL_BLOCKS, renderer->blocks);
    glDeleteBuffers(1, &renderer->depth_scene);
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
    size_t bytes = 2 * sizeof(BrumeGlSceneBlock) + sizeof(BrumeGlViewBlock) +
                   (size_t)renderer->marched_width * (size_t)renderer->marched_height * 4 * sizeof(uint16_t) +
                   brume_gl_solids_bytes(&renderer->solids) + brume_gl_solids_bytes(&renderer->depth_solids);
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        bytes += brume_gl_texture_bytes(&renderer->textures[unit]);
    }
    return bytes;
}

static BrumeGlTexture texture_of_upload(const BrumeGlUpload *upload)
{
    const BrumeGlArrayView *entries = &upload->entries;
    if (entries->data == NULL) {
        return (BrumeGlTexture){0};
    }
    const int factor = upload->factor;
    return (BrumeGlTexture){.nx = (entries->nx + factor - 1) / factor,
                            .ny = (entries->ny + factor - 1) / factor,
                            .nz = (entries->nz + factor - 1) / factor,
                            .channels = entries->channels};
}

static BrumeStatus reserve_staging(BrumeGlRenderer *renderer, const BrumeGlUploadPlan *plan, BrumeError *error)
{
    size_t most = 0;
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        const BrumeGlTexture shape = texture_of_upload(&plan->uploads[unit]);
        const size_t entries = brume_gl_texture_bytes(&shape) / sizeof(uint16_t);
        most = entries > most ? entries : most;
    }
    if (most <= renderer->staging_entries) {
        return BRUME_OK;
    }
    uint16_t *larger = brume_alloc_untouched(most, sizeof(uint16_t));
    if (larger == NULL) {
        return brume_out_of_memory(error, "the upload to the graphics device");
    }
    brume_free(renderer->staging);
    renderer->staging = larger;
    renderer->staging_entries = most;
    return BRUME_OK;
}

// creates, in `fresh`, the textures whose shape differs from the present ones; the others remain zeroed
static BrumeStatus create_textures(const BrumeGlRenderer *renderer, const BrumeGlUploadPlan *plan,
                                   BrumeGlTexture fresh[BRUME_GL_TEXTURE_UNITS], BrumeError *error)
{
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        const BrumeGlTexture wanted = texture_of_upload(&plan->uploads[unit]);
        if (wanted.nx == 0 || brume_gl_texture_same_shape(&wanted, &renderer->textures[unit])) {
            continue;
        }
        fresh[unit] = wanted;
        if (brume_gl_texture_create(&fresh[unit], error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

static void upload_textures(BrumeGlRenderer *renderer, const BrumeGlUploadPlan *plan,
                            BrumeGlTexture fresh[BRUME_GL_TEXTURE_UNITS])
{
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        const BrumeGlUpload *one = &plan->uploads[unit];
        BrumeGlTexture *texture = &renderer->textures[unit];
        if (one->present) {
            continue;
        }
        if (one->entries.data == NULL || fresh[unit].name != 0) {
            brume_gl_texture_destroy(texture);
            *texture = fresh[unit];
            fresh[unit] = (BrumeGlTexture){0};
        }
        if (one->entries.data != NULL) {
            brume_pack_halves(renderer->staging, &one->entries, one->factor);
            brume_gl_texture_write(texture, renderer->staging);
        }
    }
}

static bool same_variant(BrumeGlProgramVariant a, BrumeGlProgramVariant b)
{
    return a.directional_lights == b.directional_lights && a.point_lights == b.point_lights && a.mixed == b.mixed &&
           a.glows == b.glows && a.cubic == b.cubic && a.particles == b.particles && a.sampled == b.sampled;
}

// everything that may fail is done first, so that a failure leaves the renderer unchanged
BrumeStatus brume_gl_renderer_load(BrumeGlRenderer *renderer, const BrumeRenderer *source, int *reduced,
                                   BrumeError *error)
{
    const BrumeLitMedium *lit = brume_renderer_lit_medium(source);
    assert(lit->state == BRUME_LIT_READY);
    BrumeGlUploadPlan plan;
    BrumeGlTexture fresh[BRUME_GL_TEXTURE_UNITS] = {0};
    GLuint programs[BRUME_GL_PROGRAMS] = {0};
    BrumeGlSolids solids = {0};
    BrumeStatus status = brume_gl_upload_plan_create(&plan, lit, renderer->largest, &renderer->sky_image, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const bool same_programs = same_variant(plan.variant, renderer->variant);
    if (!same_programs) {
        status = create_variant_programs(programs, plan.variant, error);
    }
    if (status == BRUME_OK) {
        status = reserve_staging(renderer, &plan, error);
    }
    if (status == BRUME_OK) {
        status = create_textures(renderer, &plan, fresh, error);
    }
    const bool same_solids = brume_gl_solids_match(&renderer->solids, &lit->settings);
    if (status == BRUME_OK && !same_solids) {
        status = brume_gl_solids_create(&solids, &lit->settings, renderer->largest_flat, error);
    }
    if (status == BRUME_OK) {
        status = brume_gl_sprites_load(&renderer->sprites, source, error);
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
    upload_textures(renderer, &plan, fresh);
    if (!same_solids) {
        brume_gl_solids_destroy(&renderer->solids);
        renderer->solids = solids;
    }
    renderer->sky_image = plan.sky_image;
    BrumeGlSceneBlock scene;
    brume_gl_fill_scene(&scene, lit, &plan.scales, &renderer->solids);
    write_block(renderer->blocks[BRUME_GL_SCENE], &scene, sizeof scene);
    renderer->step = lit->settings.step;
    if (reduced != NULL) {
        *reduced = plan.reduced;
    }
cleanup:
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        brume_gl_texture_destroy(&fresh[unit]);
    }
    for (int kind = 0; kind < BRUME_GL_PROGRAMS; kind++) {
        glDeleteProgram(programs[kind]);
    }
    brume_gl_upload_plan_destroy(&plan);
    return status;
}

static void draw_triangle(const BrumeGlRenderer *renderer, BrumeGlProgramKind kind)
{
    glUseProgram(renderer->programs[kind]);
    glBindVertexArray(renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
}

// draws the columns of the clip range, with depth, into the bound framebuffer
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

// grows the texture of reduced pictures; false where the device has no memory
static bool reserve_marched(BrumeGlRenderer *renderer, int width, int height)
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
    const bool allocated = glGetError() == GL_NO_ERROR;
    glBindTexture(GL_TEXTURE_2D, 0);
    if (allocated) {
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->marched, 0);
    }
    if (!allocated || glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        glDeleteTextures(1, &renderer->marched);
        renderer->marched = 0;
        return false;
    }
    renderer->marched_width = width;
    renderer->marched_height = height;
    return true;
}

// marches the rays of a reduced picture; false where the device has no memory for it
static bool march_reduced(BrumeGlRenderer *renderer, const BrumeGlDraw *draw, const BrumeGlViewBlock *view)
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->framebuffer);
    const int width = (draw->width + draw->shrink - 1) / draw->shrink;
    const int height = (draw->height + draw->shrink - 1) / draw->shrink;
    const bool allocated = reserve_marched(renderer, width, height);
    if (allocated) {
        const int left = view->marched[0];
        glViewport(0, 0, width, height);
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_SCISSOR_TEST);
        glScissor(left, 0, view->marched[1] - left + 1, height);
        draw_triangle(renderer, BRUME_GL_MARCH);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)target);
    return allocated;
}

static bool is_flat(int unit) { return unit == BRUME_GL_MARCHED || unit == BRUME_GL_SOLIDS; }

static void bind_textures(const BrumeGlRenderer *renderer, const BrumeGlSolids *solids)
{
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindSampler((GLuint)unit, 0);
        if (unit == BRUME_GL_SOLIDS) {
            glBindTexture(GL_TEXTURE_2D, solids->texture);
        } else if (!is_flat(unit)) {
            glBindTexture(GL_TEXTURE_3D, renderer->textures[unit].name);
        }
    }
    glActiveTexture(GL_TEXTURE0);
}

static void unbind_textures(void)
{
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(is_flat(unit) ? GL_TEXTURE_2D : GL_TEXTURE_3D, 0);
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
    BrumeGlViewBlock view;
    brume_gl_fill_view(&view, camera, draw, draw->step > 0.0f ? draw->step : renderer->step);
    write_block(renderer->blocks[BRUME_GL_VIEW], &view, sizeof view);
    bind_blocks(renderer, renderer->blocks[BRUME_GL_SCENE]);
    bind_textures(renderer, &renderer->solids);
    glDisable(GL_BLEND);
    if (draw->shrink > 1 && march_reduced(renderer, draw, &view)) {
        glActiveTexture(GL_TEXTURE0 + BRUME_GL_MARCHED);
        glBindTexture(GL_TEXTURE_2D, renderer->marched);
        draw_picture(renderer, BRUME_GL_ENLARGE, draw);
    } else {
        draw_picture(renderer, BRUME_GL_PICTURE, draw);
    }
    brume_gl_sprites_draw(&renderer->sprites, renderer->programs[BRUME_GL_SPRITES], camera, draw);
    unbind_textures();
}

// the loaded meshes and volumes, or others; without memory for them, they are left out
static const BrumeGlSolids *solids_of_depth(BrumeGlRenderer *renderer, const BrumeRenderSettings *settings)
{
    if (brume_gl_solids_match(&renderer->solids, settings)) {
        return &renderer->solids;
    }
    if (!brume_gl_solids_match(&renderer->depth_solids, settings)) {
        brume_gl_solids_destroy(&renderer->depth_solids);
        (void)brume_gl_solids_create(&renderer->depth_solids, settings, renderer->largest_flat, NULL);
    }
    return &renderer->depth_solids;
}

void brume_gl_renderer_draw_depth(BrumeGlRenderer *renderer, const BrumeRenderSettings *settings,
                                  const BrumeCamera *camera, const BrumeGlDraw *draw)
{
    assert(draw->width > 0 && draw->height > 0);
    if (draw->clip_left >= draw->clip_right) {
        return;
    }
    const BrumeGlSolids *solids = solids_of_depth(renderer, settings);
    BrumeGlSceneBlock scene;
    memset(&scene, 0, sizeof scene);
    brume_gl_fill_settings(&scene, settings, solids);
    write_block(renderer->depth_scene, &scene, sizeof scene);
    BrumeGlDraw whole = *draw;
    whole.shrink = 1;
    BrumeGlViewBlock view;
    brume_gl_fill_view(&view, camera, &whole, 1.0f);
    write_block(renderer->blocks[BRUME_GL_VIEW], &view, sizeof view);
    bind_blocks(renderer, renderer->depth_scene);
    bind_textures(renderer, solids);
    glDisable(GL_BLEND);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_picture(renderer, BRUME_GL_DEPTH, draw);
    unbind_textures();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
