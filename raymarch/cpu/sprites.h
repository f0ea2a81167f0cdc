/**
 * @file sprites.h
 * Particles as they appear in a picture: discs with the light of the medium around them, ellipses where they are
 * plates, drawn out to streaks along the way that they move while the shutter is open. The CPU composes them into a
 * picture that is complete but for them, and the OpenGL renderer draws the same ones.
 */
#ifndef BRUME_RAYMARCH_CPU_SPRITES_H
#define BRUME_RAYMARCH_CPU_SPRITES_H

#include "brume/camera.h"
#include "brume/renderer.h"
#include "raymarch/light/lit_medium.h"

/**
 * A particle in a picture; lengths in pixels, (0, 0) is the upper left corner. The offset p of a pixel from the nearest
 * point of its way has the coordinates (u, v) = `inverse` p in the plane of the particle, in which it is the disc of
 * radius 1, or a leaf, |v| <= (1 - u^2) / 2.
 */
typedef struct BrumeSprite {
    float from[2], to[2]; ///< its middle when the shutter opens and closes
    float reach;          ///< of its outline from there
    float inverse[2][2];
    bool leaf;
    float alpha;        ///< by how much it covers what is behind, times the transmittance in front of it, 0 to 1
    BrumeVec3 radiance; ///< times `alpha` is what it adds
    BrumeVec3 glow;     ///< the part of it that it emits
    BrumeVec3 ambient;  ///< the mean radiance around it
    float distance;     ///< from the camera [m]
    uint32_t id;        ///< of the particle
} BrumeSprite;

/**
 * The sprites of `count` particles in a picture of width x height pixels, from the farthest to the nearest: `*sprites`
 * is to be freed with brume_free. The medium must be lit. Parallel. BRUME_FAILED without memory; `*sprites` is NULL
 * then, and where there are none.
 */
BrumeStatus brume_sprites_create(BrumeSprite **sprites, int *sprite_count, const BrumeLitMedium *lit,
                                 const BrumeParticle *particles, int count, const BrumeCamera *camera,
                                 const BrumeDrawDef *def, BrumeError *error);

/** The part of a pixel with the center (x, y) that a sprite covers, 0 to 1; its alpha is not in it. */
float brume_sprite_cover(const BrumeSprite *sprite, float x, float y);

/** A picture in memory. */
typedef struct BrumeSpriteTarget {
    BrumePictureCrop pixels;          ///< that it has
    BrumePictureCrop drawn;           ///< that are drawn, a part of these
    float *radiance;                  ///< height x width x 3
    const BrumePictureLayers *layers; ///< NULL: none
    int lights;                       ///< number of layers of lights
} BrumeSpriteTarget;

/** Composes sprites into a picture and its layers. Parallel. */
void brume_sprites_draw(const BrumeSprite *sprites, int count, const BrumeSpriteTarget *target);

/**
 * The same for a picture of `width` pixels with its tone curve, height x width x 3 bytes, approximately: exact where
 * the radiance behind a particle is the mean radiance around it.
 */
void brume_sprites_draw_shown(const BrumeSprite *sprites, int count, const BrumePictureCrop *drawn,
                              const BrumeRenderSettings *display, int width, uint8_t *rgb);

/** Composes the particles of the loaded volume into a part of a picture, as brume_renderer_draw_particles. */
BrumeStatus brume_renderer_add_sprites(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                       const BrumeDrawDef *def, const BrumeSpriteTarget *target, BrumeError *error);

#endif
