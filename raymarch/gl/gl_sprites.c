#include "raymarch/gl/gl_sprites.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/particle_look.h"

#include <stdlib.h>

static BrumeGlSprite sprite_of(const BrumeParticle *particle, const BrumeRenderSettings *settings)
{
    const BrumeParticleLook *look = &settings->particles[particle->kind];
    const bool plate = !brume_is_zero(particle->normal);
    return (BrumeGlSprite){
        .position = particle->position,
        .velocity = particle->velocity,
        .normal = particle->normal,
        .along = plate ? brume_plate_axis(particle) : particle->normal,
        .radius = 0.5f * particle->diameter,
        .leaf = plate && look->outline == BRUME_OUTLINE_LEAF ? 1.0f : 0.0f,
        .translucency = look->translucency,
        .albedo = brume_particle_albedo(look, particle->id),
        .glow = brume_particle_glow(look, particle->age, settings->emission.ambient),
    };
}

BrumeStatus brume_gl_sprites_load(BrumeGlSprites *sprites, const BrumeRenderer *source, BrumeError *error)
{
    int count;
    const BrumeParticle *particles = brume_renderer_particles(source, &count);
    const BrumeRenderSettings *settings = &brume_renderer_lit_medium(source)->settings;
    sprites->count = 0;
    if (count > sprites->capacity) {
        brume_free(sprites->items);
        sprites->capacity = 0;
        sprites->items = brume_alloc_untouched((size_t)count + (size_t)count / 2, sizeof *sprites->items);
        if (sprites->items == NULL) {
            return brume_out_of_memory(error, "the particles of a picture");
        }
        sprites->capacity = count + count / 2;
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < count; n++) {
        sprites->items[n] = sprite_of(&particles[n], settings);
    }
    sprites->count = count;
    sprites->shutter = settings->shutter;
    return BRUME_OK;
}

void brume_gl_sprites_destroy(BrumeGlSprites *sprites)
{
    glDeleteVertexArrays(1, &sprites->array);
    glDeleteBuffers(1, &sprites->buffer);
    brume_free(sprites->items);
    *sprites = (BrumeGlSprites){0};
}

// the attributes of an instance
static void create_array(BrumeGlSprites *sprites)
{
    static const struct {
        GLint components;
        size_t offset;
    } attributes[] = {
        {3, offsetof(BrumeGlSprite, position)}, {3, offsetof(BrumeGlSprite, velocity)},
        {3, offsetof(BrumeGlSprite, normal)},   {3, offsetof(BrumeGlSprite, along)},
        {3, offsetof(BrumeGlSprite, radius)},   {3, offsetof(BrumeGlSprite, albedo)},
        {3, offsetof(BrumeGlSprite, glow)},
    };
    glGenVertexArrays(1, &sprites->array);
    glGenBuffers(1, &sprites->buffer);
    glBindVertexArray(sprites->array);
    glBindBuffer(GL_ARRAY_BUFFER, sprites->buffer);
    for (GLuint n = 0; n < sizeof attributes / sizeof attributes[0]; n++) {
        glEnableVertexAttribArray(n);
        glVertexAttribPointer(n, attributes[n].components, GL_FLOAT, GL_FALSE, sizeof(BrumeGlSprite),
                              (const void *)attributes[n].offset); // NOLINT(performance-no-int-to-ptr)
        glVertexAttribDivisor(n, 1);
    }
    glBindVertexArray(0);
}

static int compare(const void *a, const void *b)
{
    const float left = ((const BrumeGlSprite *)a)->depth;
    const float right = ((const BrumeGlSprite *)b)->depth;
    return left < right ? 1 : left > right ? -1 : 0;
}

void brume_gl_sprites_draw(BrumeGlSprites *sprites, GLuint program, const BrumeCamera *camera, const BrumeGlDraw *draw)
{
    if (sprites->count == 0) {
        return;
    }
    if (sprites->array == 0) {
        create_array(sprites);
    }
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    for (int n = 0; n < sprites->count; n++) {
        sprites->items[n].depth = brume_dot(sprites->items[n].position, forward);
    }
    qsort(sprites->items, (size_t)sprites->count, sizeof *sprites->items, compare);
    glBindBuffer(GL_ARRAY_BUFFER, sprites->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)sprites->count * sizeof *sprites->items), sprites->items,
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(program);
    glUniform3f(glGetUniformLocation(program, "sprite_view"), (float)draw->width, (float)draw->height,
                sprites->shutter);
    glViewport(draw->x, draw->y, draw->width, draw->height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(draw->x + draw->clip_left, draw->y, draw->clip_right - draw->clip_left, draw->height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC1_COLOR);
    glBindVertexArray(sprites->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, sprites->count);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_SCISSOR_TEST);
    glUseProgram(0);
}
