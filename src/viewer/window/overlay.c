#include "viewer/window/overlay.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>

enum { SLOTS = 2 };

static const float geometry_line_points = 1.5f, box_line_points = 1.0f;
static const float box_nearer = 5e-5f; // towards the camera, for edges on the ground [normalized device coordinates]

static const char picture_vertex[] = "#version 330 core\n"
                                     "out vec2 position;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                     "    position = vec2(corner.x, 1.0 - corner.y);\n"
                                     "    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);\n"
                                     "}\n";

static const char picture_fragment[] = "#version 330 core\n"
                                       "uniform sampler2D picture;\n"
                                       "in vec2 position;\n"
                                       "out vec4 color;\n"
                                       "void main() { color = vec4(texture(picture, position).rgb, 1.0); }\n";

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

// half-Lambert shading, which is brighter than Lambert's on the side away from the light
static const char mesh_fragment[] = "#version 330 core\n"
                                    "uniform vec3 towards_light;\n"
                                    "in vec3 facing;\n"
                                    "in vec4 shade;\n"
                                    "out vec4 color;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    vec3 normal = normalize(gl_FrontFacing ? facing : -facing);\n"
                                    "    float half_way = 0.5 + 0.5 * dot(normal, towards_light);\n"
                                    "    float lit = 0.45 + 0.55 * half_way * half_way;\n"
                                    "    color = vec4(shade.rgb * lit, shade.a);\n"
                                    "}\n";

// A line is an instance of a rectangle around the part of it that is in front of the near plane, larger than the line
// by a pixel on each side. Its ends are round, so that the lines of a curve have no gaps. `nearer` moves it towards the
// camera, in normalized device coordinates: over a pixel, the depth of the ground changes there by the same amount at
// any distance.
static const char line_vertex[] = "#version 330 core\n"
                                  "uniform mat4 to_clip;\n"
                                  "uniform vec2 half_size;\n"
                                  "uniform float half_width, nearer;\n"
                                  "layout(location = 0) in vec3 from;\n"
                                  "layout(location = 1) in vec3 to;\n"
                                  "layout(location = 2) in vec4 from_tint;\n"
                                  "layout(location = 3) in vec4 to_tint;\n"
                                  "noperspective out vec2 place;\n"
                                  "flat out float size;\n"
                                  "out vec4 shade;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    vec4 a = to_clip * vec4(from, 1.0);\n"
                                  "    vec4 b = to_clip * vec4(to, 1.0);\n"
                                  "    vec2 depth = vec2(a.z + a.w, b.z + b.w);\n"
                                  "    bool is_end = gl_VertexID >= 2;\n"
                                  "    float side = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;\n"
                                  "    size = 0.0;\n"
                                  "    place = vec2(0.0);\n"
                                  "    shade = is_end ? to_tint : from_tint;\n"
                                  "    if (depth.x <= 0.0 && depth.y <= 0.0) {\n"
                                  "        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);\n"
                                  "        return;\n"
                                  "    }\n"
                                  "    if (depth.x < 0.0) {\n"
                                  "        a = mix(a, b, depth.x / (depth.x - depth.y));\n"
                                  "    } else if (depth.y < 0.0) {\n"
                                  "        b = mix(b, a, depth.y / (depth.y - depth.x));\n"
                                  "    }\n"
                                  "    vec2 along = (b.xy / b.w - a.xy / a.w) * half_size;\n"
                                  "    size = length(along);\n"
                                  "    along = size > 0.0 ? along / size : vec2(1.0, 0.0);\n"
                                  "    float margin = half_width + 1.0;\n"
                                  "    place = vec2(is_end ? size + margin : -margin, side * margin);\n"
                                  "    vec2 outwards = (is_end ? along : -along) + side * vec2(-along.y, along.x);\n"
                                  "    vec4 point = is_end ? b : a;\n"
                                  "    point.xy += margin * outwards / half_size * point.w;\n"
                                  "    point.z -= nearer * point.w;\n"
                                  "    gl_Position = point;\n"
                                  "}\n";

static const char line_fragment[] = "#version 330 core\n"
                                    "uniform float half_width, least_coverage;\n"
                                    "noperspective in vec2 place;\n"
                                    "flat in float size;\n"
                                    "in vec4 shade;\n"
                                    "out vec4 color;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    float beyond = max(max(-place.x, place.x - size), 0.0);\n"
                                    "    float distance = length(vec2(beyond, place.y));\n"
                                    "    float coverage = clamp(half_width + 0.5 - distance, 0.0, 1.0);\n"
                                    "    if (coverage <= least_coverage) {\n"
                                    "        discard;\n"
                                    "    }\n"
                                    "    color = vec4(shade.rgb, shade.a * coverage);\n"
                                    "}\n";

static const char slice_vertex[] =
    "#version 330 core\n"
    "uniform mat4 to_clip;\n"
    "uniform vec3 corner, along_u, along_v;\n"
    "out vec2 position;\n"
    "void main()\n"
    "{\n"
    "    position = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "    gl_Position = to_clip * vec4(corner + position.x * along_u + position.y * along_v, 1.0);\n"
    "}\n";

static const char slice_fragment[] = "#version 330 core\n"
                                     "uniform sampler2D picture;\n"
                                     "in vec2 position;\n"
                                     "out vec4 color;\n"
                                     "void main() { color = texture(picture, position); }\n";

/** The OpenGL buffers of one variant's overlay geometry. */
typedef struct GeometryBuffers {
    uint64_t serial;
    GLuint triangles, lines, slice;
    GLuint triangle_array, line_array;
} GeometryBuffers;

struct BrumeOverlay {
    GLuint picture_program, mesh_program, line_program, slice_program;
    GLint mesh_matrix, mesh_light;
    GLint line_matrix, line_half_size, line_half_width, line_nearer, line_least_coverage;
    GLint slice_matrix, slice_corner, slice_u, slice_v;
    GLuint empty_vertex_array; ///< for shapes that the vertex shader computes from gl_VertexID
    GLuint picture;
    int picture_width, picture_height; ///< of the texture [pixels], 0: it has no memory
    uint64_t picture_serial;
    GeometryBuffers slots[SLOTS];
    GLuint line_buffer, line_buffer_array; ///< lines that are uploaded for every drawing
};

static GLuint compile(GLenum kind, const char *text, BrumeError *error)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint success = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &success);
    if (!success) {
        char log[256] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        (void)brume_fail(error, BRUME_FAILED, "OpenGL cannot compile a shader of the overlay: %s", log);
    }
    return shader;
}

BrumeStatus brume_overlay_link_program(unsigned *program, const char *vertex, const char *fragment, BrumeError *error)
{
    error->status = BRUME_OK;
    const GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex, error), compile(GL_FRAGMENT_SHADER, fragment, error)};
    *program = glCreateProgram();
    for (int n = 0; n < 2; n++) {
        glAttachShader(*program, shaders[n]);
        glDeleteShader(shaders[n]);
    }
    glLinkProgram(*program);
    GLint success = GL_FALSE;
    glGetProgramiv(*program, GL_LINK_STATUS, &success);
    if (error->status == BRUME_OK && !success) {
        return brume_fail(error, BRUME_FAILED, "OpenGL cannot link a program of the overlay");
    }
    return error->status;
}

// creates a vertex array and its buffer, and binds both
static void bind_new_array(GLuint *array, GLuint *buffer)
{
    glGenVertexArrays(1, array);
    glGenBuffers(1, buffer);
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
}

static void make_array(GLuint *array, GLuint *buffer)
{
    bind_new_array(array, buffer);
    const GLsizei stride = sizeof(BrumeOverlayVertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(BrumeOverlayVertex, position));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(BrumeOverlayVertex, normal)); // NOLINT: OpenGL's offsets
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(BrumeOverlayVertex, color)); // NOLINT: OpenGL's offsets
    for (GLuint n = 0; n < 3; n++) {
        glEnableVertexAttribArray(n);
    }
}

// creates a vertex array with one instance for every two vertices
static void make_line_array(GLuint *array, GLuint *buffer)
{
    bind_new_array(array, buffer);
    const GLsizei vertex = sizeof(BrumeOverlayVertex);
    for (int end = 0; end < 2; end++) {
        const size_t position = (size_t)(end * vertex) + offsetof(BrumeOverlayVertex, position);
        const size_t color = (size_t)(end * vertex) + offsetof(BrumeOverlayVertex, color);
        glVertexAttribPointer((GLuint)end, 3, GL_FLOAT, GL_FALSE, 2 * vertex,
                              (const void *)position); // NOLINT: OpenGL's offsets
        glVertexAttribPointer((GLuint)end + 2, 4, GL_UNSIGNED_BYTE, GL_TRUE, 2 * vertex,
                              (const void *)color); // NOLINT: OpenGL's offsets
    }
    for (GLuint n = 0; n < 4; n++) {
        glEnableVertexAttribArray(n);
        glVertexAttribDivisor(n, 1);
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
    BrumeOverlay *created = brume_alloc(1, sizeof *created);
    *overlay = NULL;
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeStatus status = brume_overlay_link_program(&created->picture_program, picture_vertex, picture_fragment, error);
    if (status == BRUME_OK) {
        status = brume_overlay_link_program(&created->mesh_program, mesh_vertex, mesh_fragment, error);
    }
    if (status == BRUME_OK) {
        status = brume_overlay_link_program(&created->line_program, line_vertex, line_fragment, error);
    }
    if (status == BRUME_OK) {
        status = brume_overlay_link_program(&created->slice_program, slice_vertex, slice_fragment, error);
    }
    if (status != BRUME_OK) {
        brume_overlay_destroy(created);
        return status;
    }
    created->mesh_matrix = glGetUniformLocation(created->mesh_program, "to_clip");
    created->mesh_light = glGetUniformLocation(created->mesh_program, "towards_light");
    created->line_matrix = glGetUniformLocation(created->line_program, "to_clip");
    created->line_half_size = glGetUniformLocation(created->line_program, "half_size");
    created->line_half_width = glGetUniformLocation(created->line_program, "half_width");
    created->line_nearer = glGetUniformLocation(created->line_program, "nearer");
    created->line_least_coverage = glGetUniformLocation(created->line_program, "least_coverage");
    created->slice_matrix = glGetUniformLocation(created->slice_program, "to_clip");
    created->slice_corner = glGetUniformLocation(created->slice_program, "corner");
    created->slice_u = glGetUniformLocation(created->slice_program, "along_u");
    created->slice_v = glGetUniformLocation(created->slice_program, "along_v");
    glGenVertexArrays(1, &created->empty_vertex_array);
    created->picture = make_texture();
    for (int n = 0; n < SLOTS; n++) {
        make_array(&created->slots[n].triangle_array, &created->slots[n].triangles);
        make_line_array(&created->slots[n].line_array, &created->slots[n].lines);
        created->slots[n].slice = make_texture();
    }
    make_line_array(&created->line_buffer_array, &created->line_buffer);
    glBindVertexArray(0);
    *overlay = created;
    return BRUME_OK;
}

void brume_overlay_destroy(BrumeOverlay *overlay)
{
    if (!overlay) {
        return;
    }
    for (int n = 0; n < SLOTS; n++) {
        const GeometryBuffers *slot = &overlay->slots[n];
        glDeleteBuffers(2, (const GLuint[]){slot->triangles, slot->lines});
        glDeleteVertexArrays(2, (const GLuint[]){slot->triangle_array, slot->line_array});
        glDeleteTextures(1, &slot->slice);
    }
    glDeleteBuffers(1, &overlay->line_buffer);
    glDeleteVertexArrays(2, (const GLuint[]){overlay->line_buffer_array, overlay->empty_vertex_array});
    glDeleteTextures(1, &overlay->picture);
    glDeleteProgram(overlay->picture_program);
    glDeleteProgram(overlay->mesh_program);
    glDeleteProgram(overlay->line_program);
    glDeleteProgram(overlay->slice_program);
    brume_free(overlay);
}

void brume_overlay_draw_picture(BrumeOverlay *overlay, BrumeRect rect, const uint8_t *rgb, int width, int height,
                                uint64_t serial)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, overlay->picture);
    if (serial != overlay->picture_serial) {
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        if (width == overlay->picture_width && height == overlay->picture_height) {
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
        } else {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
        }
        overlay->picture_width = width;
        overlay->picture_height = height;
        overlay->picture_serial = serial;
    }
    // copied pixels need no interpolation; it takes a software device a third of the time
    const GLint filter = width == rect.width && height == rect.height ? GL_NEAREST : GL_LINEAR;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glViewport(rect.x, rect.y, rect.width, rect.height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glUseProgram(overlay->picture_program);
    glBindVertexArray(overlay->empty_vertex_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void upload(GeometryBuffers *slot, const BrumeOverlayGeometry *geometry, uint64_t serial)
{
    if (slot->serial == serial) {
        return;
    }
    slot->serial = serial;
    const GLsizeiptr size = sizeof(BrumeOverlayVertex);
    glBindBuffer(GL_ARRAY_BUFFER, slot->triangles);
    glBufferData(GL_ARRAY_BUFFER, size * geometry->triangle_vertices, geometry->triangles, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, slot->lines);
    glBufferData(GL_ARRAY_BUFFER, size * geometry->line_vertices, geometry->lines, GL_STREAM_DRAW);
    if (geometry->has_slice) {
        glBindTexture(GL_TEXTURE_2D, slot->slice);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, geometry->slice_width, geometry->slice_height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, geometry->slice);
    }
}

static void set_vector(GLint location, BrumeVec3 a) { glUniform3f(location, a.x, a.y, a.z); }

static void draw_slice(const BrumeOverlay *overlay, const BrumeOverlayGeometry *geometry, const float matrix[16])
{
    glUseProgram(overlay->slice_program);
    glUniformMatrix4fv(overlay->slice_matrix, 1, GL_FALSE, matrix);
    set_vector(overlay->slice_corner, geometry->slice_corner);
    set_vector(overlay->slice_u, geometry->slice_u);
    set_vector(overlay->slice_v, geometry->slice_v);
    glBindVertexArray(overlay->empty_vertex_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Draws the lines of a vertex array: first their depth, where they cover most of a pixel, then their color. With one
// pass, the edge of a line, which covers little of its pixels, would hide another line behind it.
static void draw_lines(const BrumeOverlay *overlay, GLuint array, int vertices, float points, float nearer,
                       const BrumeOverlayView *view)
{
    glUseProgram(overlay->line_program);
    glUniformMatrix4fv(overlay->line_matrix, 1, GL_FALSE, view->matrix);
    glUniform2f(overlay->line_half_size, 0.5f * view->width, 0.5f * view->height);
    glUniform1f(overlay->line_half_width, 0.5f * fmaxf(points * view->pixels_per_point, 1.0f));
    glUniform1f(overlay->line_nearer, nearer);
    glBindVertexArray(array);
    glUniform1f(overlay->line_least_coverage, 0.5f);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, vertices / 2);
    glUniform1f(overlay->line_least_coverage, 0.0f);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_LEQUAL);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, vertices / 2);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
}

void brume_overlay_draw_geometry(BrumeOverlay *overlay, int slot, const BrumeOverlayGeometry *geometry, uint64_t serial,
                                 const BrumeOverlayView *view)
{
    GeometryBuffers *buffers = &overlay->slots[slot];
    glActiveTexture(GL_TEXTURE0);
    upload(buffers, geometry, serial);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(overlay->mesh_program);
    glUniformMatrix4fv(overlay->mesh_matrix, 1, GL_FALSE, view->matrix);
    set_vector(overlay->mesh_light, view->towards_light);
    glBindVertexArray(buffers->triangle_array);
    glDrawArrays(GL_TRIANGLES, 0, geometry->triangle_vertices);
    draw_lines(overlay, buffers->line_array, geometry->line_vertices, geometry_line_points, 0.0f, view);
    if (geometry->has_slice) {
        glBindTexture(GL_TEXTURE_2D, buffers->slice);
        draw_slice(overlay, geometry, view->matrix);
    }
    glDisable(GL_BLEND);
}

void brume_overlay_draw_box(BrumeOverlay *overlay, BrumeVec3 lower, BrumeVec3 upper, const BrumeOverlayView *view)
{
    BrumeOverlayVertex vertices[24];
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int edge = 0; edge < 4; edge++) {
            for (int end = 0; end < 2; end++) {
                // bits of the corner: one along the edge, two for the position of the edge along the other axes
                const int bits = end << axis | (edge & 1) << (axis + 1) % 3 | (edge >> 1) << (axis + 2) % 3;
                vertices[count++] = (BrumeOverlayVertex){
                    .position = brume_vec3(bits & 1 ? upper.x : lower.x, bits & 2 ? upper.y : lower.y,
                                           bits & 4 ? upper.z : lower.z),
                    .color = {200, 210, 225, 70},
                };
            }
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, overlay->line_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof vertices, vertices, GL_STREAM_DRAW);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_lines(overlay, overlay->line_buffer_array, count, box_line_points, box_nearer, view);
    glDisable(GL_BLEND);
}
