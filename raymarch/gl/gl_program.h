/**
 * @file gl_program.h
 * The shaders, and programs made of them.
 */
#ifndef BRUME_RAYMARCH_GL_GL_PROGRAM_H
#define BRUME_RAYMARCH_GL_GL_PROGRAM_H

#include "core/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>

// shaders/*.glsl, embedded by embed.cmake
extern const char brume_glsl_blocks[];
extern const char brume_glsl_rays[];
extern const char brume_glsl_hit[];
extern const char brume_glsl_camera[];
extern const char brume_glsl_smoke[];
extern const char brume_glsl_light[];
extern const char brume_glsl_march[];
extern const char brume_glsl_backdrop[];
extern const char brume_glsl_tone[];
extern const char brume_glsl_main_picture[];
extern const char brume_glsl_main_march[];
extern const char brume_glsl_main_enlarge[];
extern const char brume_glsl_main_depth[];
extern const char brume_glsl_triangle[];

/** What of a volume and a look decides over the text of a program. */
typedef struct BrumeGlVariant {
    int suns, lamps; ///< lights that shine on the smoke
    bool mixed;      ///< kinds of smoke of different albedo
} BrumeGlVariant;

typedef enum BrumeGlProgramKind {
    BRUME_GL_PICTURE, ///< a picture in one go
    BRUME_GL_MARCH,   ///< a reduced picture's radiance
    BRUME_GL_ENLARGE, ///< from there to a picture
    BRUME_GL_DEPTH,   ///< depth alone
    BRUME_GL_PROGRAMS,
} BrumeGlProgramKind;

/** Whether a program's text depends on the variant. */
static inline bool brume_gl_program_varies(BrumeGlProgramKind kind) { return kind <= BRUME_GL_MARCH; }

/**
 * Compiles and links a program, with its blocks and samplers bound to the places that gl_blocks.h and gl_texture.h
 * give them. BRUME_FAILED, with the driver's first complaint, where it does not compile; `*program` is 0 then.
 */
BrumeStatus brume_gl_program_create(GLuint *program, BrumeGlProgramKind kind, BrumeGlVariant variant,
                                    BrumeError *error);

#endif
