#include "raymarch/gl/gl_texture.h"

#include "core/error.h"

static GLenum pixel_format(const BrumeGlTexture *texture) { return texture->channels == 4 ? GL_RGBA : GL_RED; }

bool brume_gl_texture_same_shape(const BrumeGlTexture *a, const BrumeGlTexture *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->channels == b->channels;
}

void brume_gl_clear_errors(void)
{
    // the number is limited because a lost context may report errors indefinitely
    for (int n = 0; n < 64 && glGetError() != GL_NO_ERROR; n++) {
    }
}

void brume_gl_set_packed_unpack_state(void)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, sizeof(uint16_t));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
}

BrumeStatus brume_gl_texture_create(BrumeGlTexture *texture, BrumeError *error)
{
    const GLint internal = texture->channels == 4 ? GL_RGBA16F : GL_R16F;
    brume_gl_clear_errors();
    brume_gl_set_packed_unpack_state();
    glGenTextures(1, &texture->name);
    glBindTexture(GL_TEXTURE_3D, texture->name);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_3D, 0, internal, texture->nx, texture->ny, texture->nz, 0, pixel_format(texture),
                 GL_HALF_FLOAT, NULL);
    const GLenum failure = glGetError();
    glBindTexture(GL_TEXTURE_3D, 0);
    if (failure == GL_NO_ERROR) {
        return BRUME_OK;
    }
    glDeleteTextures(1, &texture->name);
    texture->name = 0;
    return brume_fail(error, BRUME_FAILED, "the graphics device has no %.0f MiB for a texture of %d x %d x %d",
                      (double)brume_gl_texture_bytes(texture) / (1024.0 * 1024.0), texture->nx, texture->ny,
                      texture->nz);
}

void brume_gl_texture_write(const BrumeGlTexture *texture, const uint16_t *texels)
{
    brume_gl_set_packed_unpack_state();
    glBindTexture(GL_TEXTURE_3D, texture->name);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, texture->nx, texture->ny, texture->nz, pixel_format(texture),
                    GL_HALF_FLOAT, texels);
    glBindTexture(GL_TEXTURE_3D, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void brume_gl_texture_destroy(BrumeGlTexture *texture)
{
    glDeleteTextures(1, &texture->name);
    *texture = (BrumeGlTexture){0};
}
