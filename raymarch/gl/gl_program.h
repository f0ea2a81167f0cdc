/**
 * @file gl_program.h
 * The shader programs: which parts of shaders/ they consist of, and their compilation.
 */
#ifndef BRUME_RAYMARCH_GL_GL_PROGRAM_H
#define BRUME_RAYMARCH_GL_GL_PROGRAM_H

#include "core/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>

// shaders/*.glsl, embedded by embed.cmake
extern const char brume_glsl_uniforms[];
extern const char brume_glsl_intervals[];
extern const char brume_glsl_solids[];
extern const char brume_glsl_intersect[];
extern const char brume_glsl_camera[];
extern const char brume_glsl_medium[];
extern const char brume_glsl_light[];
extern const char brume_glsl_march[];
extern const char brume_glsl_surfaces[];
extern const char brume_glsl_tone[];
extern const char brume_glsl_main_picture[];
extern const char brume_glsl_main_march[];
extern const char brume_glsl_main_enlarge[];
extern const char brume_glsl_main_depth[];
extern const char brume_glsl_main_sprite[];
extern const char brume_glsl_sprite[];
extern const char brume_glsl_triangle[];

/** The properties of a lit medium on which the text of the programs depends. */
typedef struct BrumeGlProgramVariant {
    int directional_lights, point_lights; ///< that the ground does not block
    bool mixed;                           ///< whether kinds of smoke have different albedos
    bool cubic;                           ///< whether the extinction is interpolated by cubics
    bool glows;                           ///< whether the smoke emits light
    bool particles;                       ///< whether particles attenuate light
    bool sampled;                         ///< whether solids are meshes or volumes, or have textures
} BrumeGlProgramVariant;

/** Binding points of the uniform blocks. */
typedef enum BrumeGlBlockBinding { BRUME_GL_SCENE, BRUME_GL_VIEW, BRUME_GL_BLOCKS } BrumeGlBlockBinding;

typedef enum BrumeGlProgramKind {
    BRUME_GL_PICTURE, ///< a full-resolution picture
    BRUME_GL_MARCH,   ///< the radiance of a reduced picture
    BRUME_GL_SPRITES, ///< particles over a picture
    BRUME_GL_ENLARGE, ///< a full-resolution picture from a reduced one
    BRUME_GL_DEPTH,   ///< depth only
    BRUME_GL_PROGRAMS,
} BrumeGlProgramKind;

/** Whether the text of a program depends on the variant. */
static inline bool brume_gl_program_varies(BrumeGlProgramKind kind) { return kind <= BRUME_GL_SPRITES; }

/**
 * Compiles and links a program, and binds its uniform blocks and samplers by their
 * numbers here and in gl_texture.h. BRUME_FAILED, with the first line of the driver's log, where it does not compile or
 * link; `*program` is 0 then.
 */
BrumeStatus brume_gl_program_create(GLuint *program, BrumeGlProgramKind kind, BrumeGlProgramVariant variant,
                                    BrumeError *error);

#endif
