/**
 * @file gl_sprites.h
 * The particles of a loaded volume on the graphics device: one instance of a rectangle for each, which is lit and
 * placed in the vertex shader (shaders/sprite.glsl), as raymarch/cpu/sprites.h has it.
 */
#ifndef BRUME_RAYMARCH_GL_GL_SPRITES_H
#define BRUME_RAYMARCH_GL_GL_SPRITES_H

#include "brume/renderer.h"
#include "raymarch/gl/gl_view.h"

#include <epoxy/gl.h>
#include <stddef.h>

/** What the vertex shader reads of a particle, in the order of its attributes. */
typedef struct BrumeGlSprite {
    BrumeVec3 position, velocity; ///< [m], [m/s]
    BrumeVec3 normal, along;      ///< of a plate, and the direction in which it is long; 0 of others
    float radius;                 ///< [m]
    float leaf;                   ///< 1 for the outline of a leaf
    float translucency;
    BrumeVec3 albedo, glow;
    float depth; ///< along the view [m], by which they are sorted
} BrumeGlSprite;

/** All zero: there are none. */
typedef struct BrumeGlSprites {
    GLuint array, buffer;
    BrumeGlSprite *items;
    int count, capacity;
    float shutter; ///< [s]
} BrumeGlSprites;

/** Copies the particles of a renderer. BRUME_FAILED without memory; there are none then. */
BrumeStatus brume_gl_sprites_load(BrumeGlSprites *sprites, const BrumeRenderer *source, BrumeError *error);

void brume_gl_sprites_destroy(BrumeGlSprites *sprites);

/**
 * Draws them over a picture with its depth in the bound framebuffer, from the farthest to the nearest, by a program of
 * the kind BRUME_GL_SPRITES whose blocks and textures are bound.
 */
void brume_gl_sprites_draw(BrumeGlSprites *sprites, GLuint program, const BrumeCamera *camera, const BrumeGlDraw *draw);

#endif
