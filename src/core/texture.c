#include "core/texture.h"

#include "core/error.h"
#include "core/half.h"
#include "core/memory.h"
#include "core/minmax.h"

#include <math.h>

enum { MOST_TEXELS = 1 << 15, MOST_FRAMES = 100000 };

static size_t texels_of(int width, int height, int frames) { return (size_t)width * (size_t)height * (size_t)frames; }

BrumeStatus brume_texture_create(BrumeTexture **texture, const BrumeTextureDef *def, BrumeError *error)
{
    *texture = NULL;
    if (def->width < 1 || def->width > MOST_TEXELS || def->height < 1 || def->height > MOST_TEXELS || def->frames < 1 ||
        def->frames > MOST_FRAMES) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a texture has %d pictures of %d x %d texels; 1 to %d of up to %d x %d are allowed",
                          def->frames, def->width, def->height, MOST_FRAMES, MOST_TEXELS, MOST_TEXELS);
    }
    const size_t memory = brume_physical_memory();
    const size_t texels = texels_of(def->width, def->height, def->frames);
    if (memory > 0 && texels > memory / 2 / sizeof *(*texture)->texels) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%d pictures of %d x %d texels take more than half of the memory of this machine (make them "
                          "smaller)",
                          def->frames, def->width, def->height);
    }
    BrumeTexture *created = brume_alloc(1, sizeof *created);
    if (created) {
        created->references = 1;
        created->width = def->width;
        created->height = def->height;
        created->frames = def->frames;
        created->first = created->start = def->first;
        created->texels = brume_alloc(texels, sizeof *created->texels);
        created->file = def->file ? brume_copy_text(def->file) : NULL;
    }
    if (!created || !created->texels || (def->file && !created->file)) {
        brume_texture_release(created);
        return brume_out_of_memory(error, "a texture of %d pictures of %d x %d texels", def->frames, def->width,
                                   def->height);
    }
    *texture = created;
    return BRUME_OK;
}

BrumeTexture *brume_texture_create_unread(const char *file)
{
    BrumeTexture *texture = brume_alloc(1, sizeof *texture);
    if (texture) {
        texture->references = 1;
        texture->file = brume_copy_text(file);
    }
    if (texture && !texture->file) {
        brume_texture_release(texture);
        return NULL;
    }
    return texture;
}

void brume_texture_fill(BrumeTexture *texture, int frame, const float *rgb)
{
    const size_t count = texels_of(texture->width, texture->height, 1);
    uint16_t(*texels)[3] = texture->texels + count * (size_t)frame;
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; n++) {
        for (size_t c = 0; c < 3; c++) {
            texels[n][c] = brume_half_of_float(brume_fminf(brume_fmaxf(rgb[3 * n + c], 0.0f), 1.0f));
        }
    }
}

void brume_texture_retain(const BrumeTexture *texture)
{
    if (texture) {
        __atomic_add_fetch(&((BrumeTexture *)texture)->references, 1, __ATOMIC_RELAXED);
    }
}

void brume_texture_release(const BrumeTexture *texture)
{
    if (texture && __atomic_sub_fetch(&((BrumeTexture *)texture)->references, 1, __ATOMIC_ACQ_REL) == 0) {
        brume_free(texture->texels);
        brume_free(texture->file);
        brume_free((BrumeTexture *)texture);
    }
}

const char *brume_texture_file(const BrumeTexture *texture) { return texture->file; }

size_t brume_texture_bytes(const BrumeTexture *texture)
{
    return sizeof *texture + texels_of(texture->width, texture->height, texture->frames) * sizeof *texture->texels;
}

void brume_texture_set_rate(BrumeTexture *texture, int start, double fps)
{
    texture->start = start;
    texture->fps = fps;
}

int brume_texture_frame(const BrumeTexture *texture, double time)
{
    if (texture->frames < 2) {
        return 0;
    }
    const double frames = (double)texture->frames;
    const double number = (double)texture->start - (double)texture->first + floor(time * texture->fps + 0.5);
    return (int)(number - frames * floor(number / frames));
}

static int wrapped(int index, int side)
{
    const int rest = index % side;
    return rest < 0 ? rest + side : rest;
}

BrumeVec3 brume_texture_color(const BrumeTexture *texture, int frame, float u, float v)
{
    if (texture->frames == 0) {
        return (BrumeVec3){1.0f, 1.0f, 1.0f};
    }
    const size_t width = (size_t)texture->width;
    const uint16_t(*texels)[3] =
        (const uint16_t(*)[3])texture->texels + width * (size_t)texture->height * (size_t)frame;
    const float x = (u - floorf(u)) * (float)texture->width - 0.5f;
    const float y = (1.0f - (v - floorf(v))) * (float)texture->height - 0.5f;
    const float left = floorf(x);
    const float top = floorf(y);
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int corner = 0; corner < 4; corner++) {
        const size_t column = (size_t)wrapped((int)left + corner % 2, texture->width);
        const size_t row = (size_t)wrapped((int)top + corner / 2, texture->height);
        const float across = corner % 2 ? x - left : 1.0f - (x - left);
        const float weight = across * (corner / 2 ? y - top : 1.0f - (y - top));
        for (int c = 0; c < 3; c++) {
            sum[c] += weight * brume_float_of_half(texels[row * width + column][c]);
        }
    }
    return (BrumeVec3){sum[0], sum[1], sum[2]};
}
