#include "viewer/views/overlay.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>

enum { SLOTS = 2, CIRCLE_LINES = 64 };

static const char picture_vertex[] = "#version 330 core\n"
                                     "out vec2 place;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                     "    place = vec2(corner.x, 1.0 - corner.y);\n"
                                     "    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);\n"
                                     "}\n";

static const char picture_fragment[] = "#version 330 core\n"
                                       "uniform sampler2D picture;\n"
                                       "in vec2 place;\n"
                                       "out vec4 color;\n"
                                       "void main() { color = vec4(texture(picture, place).rgb, 1.0); }\n";

// lines have the length of `towards_light` set to 0: they are not lit
static const char mesh_vertex[] = "#version 330 core\n"
                                  "uniform mat4 to_clip;\n"
                                  "layout(location = 0) in vec3 position;\n"
                                  "layout(location = 1) in vec3 normal;\n"
                                  "layout(location = 2) in vec4 tint;\n"
                                  "out vec3 facing;\n"
                                  "out vec4 shade;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    facing = normal;\n"
                                  "    shade = tint;\n"
                                  "    gl_Position = to_clip * vec4(position, 1.0);\n"
                                  "}\n";

// half-Lambertian: soft towards the dark side, never black
static const char mesh_fragment[] = "#version 330 core\n"
                                    "uniform vec3 towards_light;\n"
                                    "in vec3 facing;\n"
                                    "in vec4 shade;\n"
                                    "out vec4 color;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    float lit = 1.0;\n"
                                    "    if (dot(towards_light, towards_light) > 0.0) {\n"
                                    "        vec3 normal = normalize(gl_FrontFacing ? facing : -facing);\n"
                                    "        float half_way = 0.5 + 0.5 * dot(normal, towards_light);\n"
                                    "        lit = 0.45 + 0.55 * half_way * half_way;\n"
                                    "    }\n"
                                    "    color = vec4(shade.rgb * lit, shade.a);\n"
                                    "}\n";

static const char slice_vertex[] =
    "#version 330 core\n"
    "uniform mat4 to_clip;\n"
    "uniform vec3 corner, along_u, along_v;\n"
    "out vec2 place;\n"
    "void main()\n"
    "{\n"
    "    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "    gl_Position = to_clip * vec4(corner + place.x * along_u + place.y * along_v, 1.0);\n"
    "}\n";

static const char slice_fragment[] = "#version 330 core\n"
                                     "uniform sampler2D picture;\n"
                                     "in vec2 place;\n"
                                     "out vec4 color;\n"
                                     "void main() { color = texture(picture, place); }\n";

/** Buffers of one drawing. */
typedef struct Slot {
    uint64_t serial;
    GLuint triangles, lines, slice;
    GLuint triangle_array, line_array;
} Slot;

struct BrumeOverlay {
    GLuint picture_program, mesh_program, slice_program;
    GLint mesh_matrix, mesh_light;
    GLint slice_matrix, slice_corner, slice_u, slice_v;
    GLuint empty_array; ///< for what is made of vertex numbers alone
    GLuint picture;
    uint64_t picture_serial;
    Slot slots[SLOTS];
    GLuint sketch, sketch_array; ///< lines made anew each time
};

static GLuint compile(GLenum kind, const char *text, BrumeError *error)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint done = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        char log[256] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        (void)brume_fail(error, BRUME_FAILED, "OpenGL does not compile a program of the overlay: %s", log);
    }
    return shader;
}

static BrumeStatus link_program(GLuint *program, const char *vertex, const char *fragment, BrumeError *error)
{
    error->status = BRUME_OK;
    const GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex, error), compile(GL_FRAGMENT_SHADER, fragment, error)};
    *program = glCreateProgram();
    for (int n = 0; n < 2; n++) {
        glAttachShader(*program, shaders[n]);
        glDeleteShader(shaders[n]);
    }
    glLinkProgram(*program);
    GLint done = GL_FALSE;
    glGetProgramiv(*program, GL_LINK_STATUS, &done);
    if (error->status == BRUME_OK && !done) {
        return brume_fail(error, BRUME_FAILED, "OpenGL does not link a program of the overlay");
    }
    return error->status;
}

static void make_array(GLuint *array, GLuint *buffer)
{
    glGenVertexArrays(1, array);
    glGenBuffers(1, buffer);
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    const GLsizei stride = sizeof(BrumeVertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(BrumeVertex, position));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(BrumeVertex, normal)); // NOLINT: OpenGL's offsets
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(BrumeVertex, color)); // NOLINT: OpenGL's offsets
    for (GLuint n = 0; n < 3; n++) {
        glEnableVertexAttribArray(n);
    }
}

static GLuint make_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

BrumeStatus brume_overlay_create(BrumeOverlay **overlay, BrumeError *error)
{
    BrumeOverlay *made = brume_alloc(1, sizeof *made);
    *overlay = NULL;
    if (!made) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeStatus status = link_program(&made->picture_program, picture_vertex, picture_fragment, error);
    if (status == BRUME_OK) {
        status = link_program(&made->mesh_program, mesh_vertex, mesh_fragment, error);
    }
    if (status == BRUME_OK) {
        status = link_program(&made->slice_program, slice_vertex, slice_fragment, error);
    }
    if (status != BRUME_OK) {
        brume_overlay_destroy(made);
        return status;
    }
    made->mesh_matrix = glGetUniformLocation(made->mesh_program, "to_clip");
    made->mesh_light = glGetUniformLocation(made->mesh_program, "towards_light");
    made->slice_matrix = glGetUniformLocation(made->slice_program, "to_clip");
    made->slice_corner = glGetUniformLocation(made->slice_program, "corner");
    made->slice_u = glGetUniformLocation(made->slice_program, "along_u");
    made->slice_v = glGetUniformLocation(made->slice_program, "along_v");
    glGenVertexArrays(1, &made->empty_array);
    made->picture = make_texture();
    for (int n = 0; n < SLOTS; n++) {
        make_array(&made->slots[n].triangle_array, &made->slots[n].triangles);
        make_array(&made->slots[n].line_array, &made->slots[n].lines);
        made->slots[n].slice = make_texture();
    }
    make_array(&made->sketch_array, &made->sketch);
    glBindVertexArray(0);
    *overlay = made;
    return BRUME_OK;
}

void brume_overlay_destroy(BrumeOverlay *overlay)
{
    if (!overlay) {
        return;
    }
    for (int n = 0; n < SLOTS; n++) {
        const Slot *slot = &overlay->slots[n];
        glDeleteBuffers(2, (const GLuint[]){slot->triangles, slot->lines});
        glDeleteVertexArrays(2, (const GLuint[]){slot->triangle_array, slot->line_array});
        glDeleteTextures(1, &slot->slice);
    }
    glDeleteBuffers(1, &overlay->sketch);
    glDeleteVertexArrays(2, (const GLuint[]){overlay->sketch_array, overlay->empty_array});
    glDeleteTextures(1, &overlay->picture);
    glDeleteProgram(overlay->picture_program);
    glDeleteProgram(overlay->mesh_program);
    glDeleteProgram(overlay->slice_program);
    brume_free(overlay);
}

void brume_overlay_picture(BrumeOverlay *overlay, BrumeRect rect, const uint8_t *rgb, int width, int height,
                           uint64_t serial)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, overlay->picture);
    if (serial != overlay->picture_serial) {
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
        overlay->picture_serial = serial;
    }
    glViewport(rect.x, rect.y, rect.width, rect.height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glUseProgram(overlay->picture_program);
    glBindVertexArray(overlay->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void upload(Slot *slot, const BrumeDrawing *drawing, uint64_t serial)
{
    if (slot->serial == serial) {
        return;
    }
    slot->serial = serial;
    const GLsizeiptr size = sizeof(BrumeVertex);
    glBindBuffer(GL_ARRAY_BUFFER, slot->triangles);
    glBufferData(GL_ARRAY_BUFFER, size * drawing->triangle_vertices, drawing->triangles, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, slot->lines);
    glBufferData(GL_ARRAY_BUFFER, size * drawing->line_vertices, drawing->lines, GL_STREAM_DRAW);
    if (drawing->has_slice) {
        glBindTexture(GL_TEXTURE_2D, slot->slice);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, drawing->slice_width, drawing->slice_height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, drawing->slice);
    }
}

static void set_vector(GLint location, BrumeVec3 a) { glUniform3f(location, a.x, a.y, a.z); }

static void draw_slice(const BrumeOverlay *overlay, const BrumeDrawing *drawing, const float matrix[16])
{
    glUseProgram(overlay->slice_program);
    glUniformMatrix4fv(overlay->slice_matrix, 1, GL_FALSE, matrix);
    set_vector(overlay->slice_corner, drawing->slice_corner);
    set_vector(overlay->slice_u, drawing->slice_u);
    set_vector(overlay->slice_v, drawing->slice_v);
    glBindVertexArray(overlay->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void brume_overlay_drawing(BrumeOverlay *overlay, int slot, const BrumeDrawing *drawing, uint64_t serial,
                           const float matrix[16], BrumeVec3 towards_light)
{
    Slot *mine = &overlay->slots[slot];
    glActiveTexture(GL_TEXTURE0);
    upload(mine, drawing, serial);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(overlay->mesh_program);
    glUniformMatrix4fv(overlay->mesh_matrix, 1, GL_FALSE, matrix);
    set_vector(overlay->mesh_light, towards_light);
    glBindVertexArray(mine->triangle_array);
    glDrawArrays(GL_TRIANGLES, 0, drawing->triangle_vertices);
    set_vector(overlay->mesh_light, (BrumeVec3){0});
    glBindVertexArray(mine->line_array);
    glDrawArrays(GL_LINES, 0, drawing->line_vertices);
    if (drawing->has_slice) {
        glBindTexture(GL_TEXTURE_2D, mine->slice);
        draw_slice(overlay, drawing, matrix);
    }
    glDisable(GL_BLEND);
}

static void draw_lines(const BrumeOverlay *overlay, const BrumeVertex *vertices, int count, const float matrix[16])
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(overlay->mesh_program);
    glUniformMatrix4fv(overlay->mesh_matrix, 1, GL_FALSE, matrix);
    set_vector(overlay->mesh_light, (BrumeVec3){0});
    glBindVertexArray(overlay->sketch_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->sketch);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof *vertices * count, vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_LINES, 0, count);
    glDisable(GL_BLEND);
}

void brume_overlay_box(BrumeOverlay *overlay, BrumeVec3 lower, BrumeVec3 upper, const float matrix[16])
{
    BrumeVertex vertices[24];
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int edge = 0; edge < 4; edge++) {
            for (int end = 0; end < 2; end++) {
                // the corner's bits: along the edge, then along the two other axes
                const int bits = end << axis | (edge & 1) << (axis + 1) % 3 | (edge >> 1) << (axis + 2) % 3;
                vertices[count++] = (BrumeVertex){
                    .position = brume_vec3(bits & 1 ? upper.x : lower.x, bits & 2 ? upper.y : lower.y,
                                           bits & 4 ? upper.z : lower.z),
                    .color = {200, 210, 225, 70},
                };
            }
        }
    }
    glEnable(GL_DEPTH_TEST);
    draw_lines(overlay, vertices, count, matrix);
}

void brume_overlay_circle(BrumeOverlay *overlay, BrumeVec3 center, BrumeVec3 normal, float radius,
                          const uint8_t color[4], const float matrix[16])
{
    const BrumeVec3 other = fabsf(normal.y) < 0.9f ? brume_vec3(0.0f, 1.0f, 0.0f) : brume_vec3(1.0f, 0.0f, 0.0f);
    const BrumeVec3 u = brume_scale(brume_normalize(brume_cross(normal, other)), radius);
    const BrumeVec3 v = brume_cross(normal, u);
    BrumeVertex vertices[2 * CIRCLE_LINES];
    for (int n = 0; n < 2 * CIRCLE_LINES; n++) {
        const int corner = (n + 1) / 2;
        const float angle = 6.2831853f * (float)corner / (float)CIRCLE_LINES;
        const BrumeVec3 spoke = brume_add(brume_scale(u, cosf(angle)), brume_scale(v, sinf(angle)));
        vertices[n] = (BrumeVertex){
            .position = brume_add(center, spoke),
            .color = {color[0], color[1], color[2], color[3]},
        };
    }
    glDisable(GL_DEPTH_TEST);
    draw_lines(overlay, vertices, 2 * CIRCLE_LINES, matrix);
    glEnable(GL_DEPTH_TEST);
}
