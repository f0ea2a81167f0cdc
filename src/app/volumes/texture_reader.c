#include "app/volumes/texture_reader.h"

#include "app/cli/sequence.h"
#include "app/volumes/picture_reader.h"
#include "core/error.h"

#include <stdlib.h>

BrumeStatus brume_decode_texture(const uint8_t *bytes, size_t size, const char *path, BrumeTexture **texture,
                                 BrumeError *error)
{
    BrumeTextureDef def = {.frames = 1, .file = path};
    float *rgb = NULL;
    *texture = NULL;
    BrumeStatus status = brume_decode_picture(bytes, size, path, &def.width, &def.height, &rgb, error);
    if (status == BRUME_OK) {
        status = brume_texture_create(texture, &def, error);
    }
    if (status == BRUME_OK) {
        brume_texture_fill(*texture, 0, rgb);
    }
    free(rgb);
    return status;
}

/** Reads the n-th picture of a sequence into `*texture`, which the first one creates. */
static BrumeStatus read_frame(BrumeTexture **texture, BrumeTextureDef *def, int n, const char *path, BrumeError *error)
{
    int width;
    int height;
    float *rgb = NULL;
    BrumeStatus status = brume_read_picture(NULL, path, &width, &height, &rgb, error);
    if (status == BRUME_OK && n == 0) {
        BrumeError found;
        def->width = width;
        def->height = height;
        status = brume_texture_create(texture, def, &found);
        (void)(status == BRUME_OK || brume_fail(error, status, "%s: %s", path, found.text));
    }
    if (status == BRUME_OK && (width != def->width || height != def->height)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has %d x %d pixels, but the first picture of %s has %d x %d",
                            path, width, height, def->file, def->width, def->height);
    }
    if (status == BRUME_OK) {
        brume_texture_fill(*texture, n, rgb);
    }
    free(rgb);
    return status;
}

static BrumeStatus read_sequence(const BrumeOutputPattern *pattern, const BrumeSequence *frames, BrumeTexture **texture,
                                 BrumeError *error)
{
    if (frames->count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such picture", pattern->text);
    }
    BrumeTextureDef def = {.frames = frames->count, .first = frames->frames[0], .file = pattern->text};
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < frames->count && status == BRUME_OK; n++) {
        char path[BRUME_MAX_PATH];
        if (frames->frames[n] != frames->frames[0] + n) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: number %d is missing between %d and %d", pattern->text,
                              frames->frames[0] + n, frames->frames[n - 1], frames->frames[n]);
        }
        brume_pattern_path(pattern, frames->frames[n], path);
        status = read_frame(texture, &def, n, path, error);
    }
    return status;
}

BrumeStatus brume_read_texture(void *context, const char *path, BrumeTexture **texture, BrumeError *error)
{
    (void)context;
    BrumeOutputPattern pattern;
    BrumeSequence frames = {0};
    *texture = NULL;
    BrumeStatus status = brume_pattern_parse(&pattern, path, "texture", error);
    if (status == BRUME_OK) {
        status = brume_sequence_find(&frames, &pattern, 0, error);
    }
    if (status == BRUME_OK) {
        status = read_sequence(&pattern, &frames, texture, error);
    }
    if (status != BRUME_OK) {
        brume_texture_release(*texture);
        *texture = NULL;
    }
    brume_sequence_destroy(&frames);
    return status;
}
