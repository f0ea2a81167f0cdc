#include "gl_picture.h"

#include "brume/image.h"
#include "gl_context.h"
#include "raymarch_check.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BrumeGlDraw gl_whole_picture(void)
{
    return (BrumeGlDraw){.width = GL_WIDTH, .height = GL_HEIGHT, .clip_right = GL_WIDTH, .shrink = 1, .seed = 1};
}

void gl_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw, uint8_t *rgb)
{
    gl_target(GL_WIDTH, GL_HEIGHT);
    brume_gl_renderer_draw(renderer, camera, draw);
    gl_read_rgb(GL_WIDTH, GL_HEIGHT, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

void cpu_draw(BrumeRenderer *lit, const BrumeRenderSettings *settings, const BrumeCamera *camera, int samples,
              uint8_t *rgb)
{
    float *radiance = malloc(GL_BYTES * sizeof *radiance);
    assert_non_null(radiance);
    const BrumeDrawDef def = {.width = GL_WIDTH, .height = GL_HEIGHT, .samples = samples, .seed = 1};
    assert_int_equal(brume_renderer_draw(lit, camera, &def, radiance, NULL), BRUME_OK);
    brume_tone_map(settings, GL_WIDTH, GL_HEIGHT, radiance, rgb);
    free(radiance);
}

static void write_pair(const char *folder, const char *name, const uint8_t *a, const uint8_t *b)
{
    static uint8_t pair[2 * GL_BYTES];
    const size_t row = 3 * (size_t)GL_WIDTH;
    for (size_t y = 0; y < GL_HEIGHT; y++) {
        memcpy(pair + 2 * row * y, a + row * y, row);
        memcpy(pair + 2 * row * y + row, b + row * y, row);
    }
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_int_equal(brume_image_write(path, 2 * GL_WIDTH, GL_HEIGHT, pair, NULL), BRUME_OK);
}

double psnr(const char *name, const uint8_t *a, const uint8_t *b)
{
    const char *folder = getenv("BRUME_TEST_PICTURES");
    if (folder != NULL) {
        write_pair(folder, name, a, b);
    }
    double squares = 0.0;
    for (size_t n = 0; n < GL_BYTES; n++) {
        const double apart = (double)a[n] - (double)b[n];
        squares += apart * apart;
    }
    const double decibels = 10.0 * log10(255.0 * 255.0 * GL_BYTES / fmax(squares, 1e-9));
    print_message("%s: %.1f dB\n", name, decibels);
    return decibels;
}
