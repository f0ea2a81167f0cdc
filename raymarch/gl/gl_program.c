#include "raymarch/gl/gl_program.h"

#include "core/error.h"
#include "raymarch/gl/gl_texture.h"
#include "raymarch/particle_look.h"
#include "raymarch/tone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PARTS = 16, LOG = 256 };

static const char version[] = "#version 330 core\n";

// parts of the fragment shaders, after the version and the definitions of the variant
static const char *const marching_parts[] = {
    brume_glsl_uniforms, brume_glsl_intervals, brume_glsl_solids, brume_glsl_intersect, brume_glsl_camera,
    brume_glsl_medium,   brume_glsl_light,     brume_glsl_march,  brume_glsl_surfaces,
};
static const char *const intersecting_parts[] = {brume_glsl_uniforms, brume_glsl_intervals, brume_glsl_solids,
                                                 brume_glsl_intersect, brume_glsl_camera};

static int add_parts(const char **parts, int count, const char *const *more, size_t more_count)
{
    for (size_t n = 0; n < more_count; n++) {
        parts[count++] = more[n];
    }
    assert(count < MAX_PARTS);
    return count;
}

// the vertex shader of particles has their light
static int vertex_parts(const char **parts, const char *defines, BrumeGlProgramKind kind)
{
    parts[0] = version;
    parts[1] = defines;
    if (kind != BRUME_GL_SPRITES) {
        parts[2] = brume_glsl_triangle;
        return 3;
    }
    const int count = add_parts(parts, 2, marching_parts, sizeof marching_parts / sizeof *marching_parts);
    parts[count] = brume_glsl_sprite;
    return count + 1;
}

static int fragment_parts(const char **parts, const char *defines, BrumeGlProgramKind kind)
{
    parts[0] = version;
    parts[1] = defines;
    int count = 2;
    if (kind == BRUME_GL_SPRITES) {
        parts[count++] = brume_glsl_uniforms;
    } else if (brume_gl_program_varies(kind)) {
        count = add_parts(parts, count, marching_parts, sizeof marching_parts / sizeof *marching_parts);
    } else {
        count = add_parts(parts, count, intersecting_parts, sizeof intersecting_parts / sizeof *intersecting_parts);
    }
    if (kind == BRUME_GL_PICTURE || kind == BRUME_GL_ENLARGE || kind == BRUME_GL_SPRITES) {
        parts[count++] = brume_glsl_tone;
    }
    static const char *const mains[BRUME_GL_PROGRAMS] = {brume_glsl_main_picture, brume_glsl_main_march,
                                                         brume_glsl_main_sprite, brume_glsl_main_enlarge,
                                                         brume_glsl_main_depth};
    parts[count++] = mains[kind];
    return count;
}

static void cut_after_first_line(char *text) { text[strcspn(text, "\r\n")] = '\0'; }

static BrumeStatus compile_shader(GLuint *shader, GLenum stage, const char *const *parts, int count, BrumeError *error)
{
    *shader = glCreateShader(stage);
    glShaderSource(*shader, count, parts, NULL);
    glCompileShader(*shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) {
        return BRUME_OK;
    }
    char log[LOG] = "";
    glGetShaderInfoLog(*shader, LOG, NULL, log);
    cut_after_first_line(log);
    return brume_fail(error, BRUME_FAILED, "the OpenGL driver does not compile a shader: %s", log);
}

static void bind_sampler(GLuint program, const char *name, int unit)
{
    const GLint location = glGetUniformLocation(program, name);
    if (location >= 0) {
        glUniform1i(location, unit);
    }
}

// binds samplers to texture units and blocks to binding points; a program need not have all of them
static void bind_samplers_and_blocks(GLuint program)
{
    static const char *const samplers[BRUME_GL_LIGHTS] = {
        [BRUME_GL_EXTINCTION] = "extinction_map",
        [BRUME_GL_KINDS] = "kinds_map",
        [BRUME_GL_MAJORANT] = "majorant_map",
        [BRUME_GL_MOMENTS] = "moments_map",
        [BRUME_GL_GROUND_LIGHT] = "ground_light_map",
        [BRUME_GL_IRRADIANCE] = "irradiance_map",
        [BRUME_GL_SKY_IMAGE] = "sky_image_map",
        [BRUME_GL_MARCHED] = "marched_picture",
        [BRUME_GL_TEMPERATURE] = "temperature_map",
        [BRUME_GL_SMOKE_SHARE] = "smoke_share_map",
        [BRUME_GL_SOLIDS] = "solids_map",
    };
    static const char *const blocks[BRUME_GL_BLOCKS] = {"Scene", "View"};
    glUseProgram(program);
    for (int unit = 0; unit < BRUME_GL_LIGHTS; unit++) {
        bind_sampler(program, samplers[unit], unit);
    }
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        char name[32];
        (void)snprintf(name, sizeof name, "light_maps[%d]", n);
        bind_sampler(program, name, BRUME_GL_LIGHTS + n);
    }
    for (GLuint block = 0; block < BRUME_GL_BLOCKS; block++) {
        const GLuint index = glGetUniformBlockIndex(program, blocks[block]);
        if (index != GL_INVALID_INDEX) {
            glUniformBlockBinding(program, index, block);
        }
    }
    glUseProgram(0);
}

BrumeStatus brume_gl_program_create(GLuint *program, BrumeGlProgramKind kind, BrumeGlProgramVariant variant,
                                    BrumeError *error)
{
    char defines[384];
    (void)snprintf(defines, sizeof defines,
                   "#define DIRECTIONAL_LIGHTS %d\n#define POINT_LIGHTS %d\n#define LIGHTS %d\n"
                   "#define LEAST_RADIUS %.9f\n#define THINNEST %.9f\n#define SHIFT %.9f\n"
                   "#define WHITENING %.9f\n%s%s%s%s%s",
                   variant.directional_lights, variant.point_lights, variant.directional_lights + variant.point_lights,
                   (double)BRUME_SPRITE_LEAST_RADIUS, (double)BRUME_SPRITE_THINNEST, (double)BRUME_SPRITE_SHIFT,
                   (double)BRUME_TONE_WHITENING, variant.mixed ? "#define MIXED\n" : "",
                   variant.glows ? "#define GLOWS\n" : "", variant.cubic ? "#define CUBIC\n" : "",
                   variant.particles ? "#define PARTICLES\n" : "",
                   variant.sampled || !brume_gl_program_varies(kind) ? "#define SAMPLED\n" : "");
    const char *parts[MAX_PARTS];
    const int count = fragment_parts(parts, defines, kind);
    const char *of_vertex[MAX_PARTS];
    const int vertex_count = vertex_parts(of_vertex, defines, kind);
    GLuint vertex = 0;
    GLuint fragment = 0;
    *program = 0;
    BrumeStatus status = compile_shader(&vertex, GL_VERTEX_SHADER, of_vertex, vertex_count, error);
    if (status == BRUME_OK) {
        status = compile_shader(&fragment, GL_FRAGMENT_SHADER, parts, count, error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const GLuint created = glCreateProgram();
    glAttachShader(created, vertex);
    glAttachShader(created, fragment);
    glLinkProgram(created);
    glDetachShader(created, vertex);
    glDetachShader(created, fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(created, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[LOG] = "";
        glGetProgramInfoLog(created, LOG, NULL, log);
        cut_after_first_line(log);
        glDeleteProgram(created);
        status = brume_fail(error, BRUME_FAILED, "the OpenGL driver does not link a program: %s", log);
        goto cleanup;
    }
    bind_samplers_and_blocks(created);
    *program = created;
cleanup:
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return status;
}
