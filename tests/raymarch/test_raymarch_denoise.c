// The denoiser of the path tracer: removed noise, preserved features, and bits.
#include "brume/renderer.h"
#include "brume/threads.h"
#include "core/memory.h"
#include "core/random.h"
#include "raymarch/path/denoise.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HEIGHT = 60 };

static BrumeDenoiseImage create_image(void)
{
    BrumeDenoiseImage image;
    BrumeError error;
    assert_int_equal(brume_denoise_image_create(&image, WIDTH, HEIGHT, 3, &error), BRUME_OK);
    return image;
}

// in [-0.5, 0.5), variance 1/12
static float noise_at(int x, int y) { return brume_unit_float(brume_hash3((uint32_t)x, (uint32_t)y, 5)) - 0.5f; }

// sets a pixel: the value without noise, the base, the number of its surface, and the amplitude of the noise
static void set_pixel(BrumeDenoiseImage *image, int x, int y, float exact, float base, int surface, float noise)
{
    const int pixel = y * WIDTH + x;
    for (int c = 0; c < 3; c++) {
        image->picture[c][pixel] = exact + noise * noise_at(x, y);
        image->base[c][pixel] = base;
    }
    image->variance[0][pixel] = noise * noise / 12.0f;
    image->feature[0][pixel] = base;
    image->feature[1][pixel] = 1.0f;
    image->feature[2][pixel] = base;
    image->surface[pixel] = (float)surface;
}

static void denoise(BrumeDenoiseImage *image)
{
    BrumeError error;
    assert_int_equal(brume_denoise(image, &error), BRUME_OK);
}

static void test_constant_picture(void **state)
{
    (void)state;
    BrumeDenoiseImage image = create_image();
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        set_pixel(&image, n % WIDTH, n / WIDTH, 2.0f, 1.5f, 0, 0.0f);
        image.variance[0][n] = 0.3f; // as much as the picture may have, though it has none
    }
    denoise(&image);
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        assert_near("value", (double)image.picture[n % 3][n], 2.0, 2e-6);
    }
    brume_denoise_image_destroy(&image);
}

static void test_noise(void **state)
{
    (void)state;
    BrumeDenoiseImage image = create_image();
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const float base = 1.0f + 0.5f * (float)(n % WIDTH) / WIDTH;
        set_pixel(&image, n % WIDTH, n / WIDTH, 1.3f * base, base, 0, 1.0f);
    }
    denoise(&image);
    double squares = 0.0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const double error = (double)image.picture[0][n] - 1.3 * (1.0 + 0.5 * (n % WIDTH) / WIDTH);
        squares += error * error;
    }
    const double before = sqrt(1.0 / 12.0);
    assert_below("noise left", sqrt(squares / (WIDTH * HEIGHT)) / before, 0.1);
    brume_denoise_image_destroy(&image);
}

// features that the guides do not have stay where the picture has no noise
static void test_picture_without_noise(void **state)
{
    (void)state;
    BrumeDenoiseImage image = create_image();
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const float texture = noise_at(n % WIDTH + 1000, n / WIDTH);
        set_pixel(&image, n % WIDTH, n / WIDTH, 1.0f + texture, 1.0f, 0, 0.0f);
        image.variance[0][n] = 1e-6f;
    }
    denoise(&image);
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        assert_near("value", (double)image.picture[0][n], 1.0 + (double)noise_at(n % WIDTH + 1000, n / WIDTH), 1e-3);
    }
    brume_denoise_image_destroy(&image);
}

// an edge of the base, and one between two surfaces of the same radiance
static void test_edges(void **state)
{
    (void)state;
    enum { EDGE = 41 };
    for (int by_surface = 0; by_surface < 2; by_surface++) {
        BrumeDenoiseImage image = create_image();
        for (int n = 0; n < WIDTH * HEIGHT; n++) {
            const bool right = n % WIDTH >= EDGE;
            const float exact = right ? 0.5f : 1.0f;
            set_pixel(&image, n % WIDTH, n / WIDTH, exact, by_surface ? 0.8f : 0.7f * exact, by_surface && right, 0.6f);
        }
        denoise(&image);
        for (int side = 0; side < 2; side++) {
            double mean = 0.0;
            for (int y = 0; y < HEIGHT; y++) {
                mean += (double)image.picture[0][y * WIDTH + EDGE - 1 + side] / HEIGHT;
            }
            // the mean of the noise of this column: 0.6 / sqrt(12 x 60) = 0.022
            assert_near("mean beside the edge", mean, side == 0 ? 1.0 : 0.5, by_surface ? 0.06 : 0.02);
        }
        brume_denoise_image_destroy(&image);
    }
}

// ---- pictures of the path tracer

enum { PICTURE_WIDTH = 96, PICTURE_HEIGHT = 72, FLOATS = 3 * PICTURE_WIDTH * PICTURE_HEIGHT };

typedef struct Plume {
    BrumeVolume volume;
    BrumeRenderer *renderer;
} Plume;

static Plume create_plume(void)
{
    Plume plume = {.volume = plume_create(32, 0)};
    const BrumeRenderSettings settings = plume_settings();
    const BrumeVolume *volume = &plume.volume;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&plume.renderer, volume->nx, volume->ny, volume->nz, &settings, &error),
                     BRUME_OK);
    assert_int_equal(brume_renderer_load(plume.renderer, volume, &error), BRUME_OK);
    brume_renderer_light(plume.renderer, NULL);
    return plume;
}

static void destroy_plume(Plume *plume)
{
    brume_renderer_destroy(plume->renderer);
    plume_destroy(&plume->volume);
}

static BrumeDrawDef picture_of(int samples, uint32_t seed)
{
    return (BrumeDrawDef){.width = PICTURE_WIDTH, .height = PICTURE_HEIGHT, .samples = samples, .seed = seed};
}

static double trace(const Plume *plume, const BrumeDrawDef *def, bool denoise, float *radiance)
{
    BrumeTraceDef trace = brume_default_trace_def();
    BrumeTraceResult result;
    BrumeError error;
    trace.denoise = denoise;
    assert_int_equal(brume_renderer_trace(plume->renderer, &plume_camera, def, &trace, radiance, &result, &error),
                     BRUME_OK);
    return result.error;
}

// relative to the mean of the reference, whose own error is `of_reference`
static double relative_error(const float *picture, const float *reference, double of_reference)
{
    double squares = 0.0;
    double sum = 0.0;
    for (int n = 0; n < FLOATS; n++) {
        const double difference = (double)picture[n] - (double)reference[n];
        squares += difference * difference;
        sum += (double)reference[n];
    }
    return sqrt(fmax(squares * FLOATS / (sum * sum) - of_reference * of_reference, 0.0));
}

static void test_error_of_pictures(void **state)
{
    (void)state;
    static float reference[FLOATS];
    static float noisy[FLOATS];
    static float clean[FLOATS];
    Plume plume = create_plume();
    const BrumeDrawDef many = picture_of(160, 9);
    const double of_reference = trace(&plume, &many, false, reference);
    double before_last = INFINITY;
    for (int samples = 4; samples <= 16; samples *= 4) {
        const BrumeDrawDef def = picture_of(samples, 1);
        (void)trace(&plume, &def, false, noisy);
        (void)trace(&plume, &def, true, clean);
        const double before = relative_error(noisy, reference, of_reference);
        const double after = relative_error(clean, reference, of_reference);
        print_message("%d paths: error %.4f, denoised %.4f, reference %.4f\n", samples, before, after, of_reference);
        assert_below("error after / before", after / before, 1.0 / 3.0);
        assert_below("error", after, before_last); // falls with the number of paths
        before_last = after;
    }
    destroy_plume(&plume);
}

// radiance and alpha with any number of threads, and of a part of the picture; the noisy picture is a layer
static void test_bits(void **state)
{
    (void)state;
    static float picture[3][FLOATS];
    static float alpha[3][FLOATS];
    static float noisy[2][FLOATS];
    Plume plume = create_plume();
    BrumePictureLayers layers = {.noisy = noisy[0]};
    BrumeDrawDef def = picture_of(6, 1);
    def.layers = &layers;
    const int threads[] = {1, 2, 4};
    for (int n = 0; n < 3; n++) {
        layers.alpha = alpha[n];
        brume_set_threads(threads[n]);
        (void)trace(&plume, &def, true, picture[n]);
        assert_memory_equal(picture[n], picture[0], sizeof picture[0]);
        assert_memory_equal(alpha[n], alpha[0], sizeof alpha[0]);
    }
    layers = (BrumePictureLayers){.alpha = alpha[1]};
    (void)trace(&plume, &def, false, noisy[1]);
    assert_memory_equal(noisy[0], noisy[1], sizeof noisy[0]);
    double change = 0.0;
    for (int n = 0; n < PICTURE_WIDTH * PICTURE_HEIGHT; n++) {
        assert_true(alpha[0][n] >= 0.0f && alpha[0][n] <= 1.0f);
        change += fabs((double)alpha[0][n] - (double)alpha[1][n]);
    }
    assert_below("change of alpha", change / (PICTURE_WIDTH * PICTURE_HEIGHT), 0.05);
    assert_true(change / (PICTURE_WIDTH * PICTURE_HEIGHT) > 0.002); // alpha had noise

    const BrumePictureCrop crop = {.left = 37, .top = 35, .right = 60, .bottom = 72};
    def.crop = crop;
    layers = (BrumePictureLayers){.alpha = alpha[1]};
    (void)trace(&plume, &def, true, picture[1]);
    const size_t width = (size_t)(crop.right - crop.left);
    for (int y = crop.top; y < crop.bottom; y++) {
        const size_t whole = (size_t)y * PICTURE_WIDTH + (size_t)crop.left;
        const size_t part = (size_t)(y - crop.top) * width;
        assert_memory_equal(picture[1] + 3 * part, picture[0] + 3 * whole, 3 * width * sizeof(float));
        assert_memory_equal(alpha[1] + part, alpha[0] + whole, width * sizeof(float));
    }
    destroy_plume(&plume);
}

static void test_light_is_needed(void **state)
{
    (void)state;
    static float picture[FLOATS];
    Plume plume = create_plume();
    BrumeError error;
    assert_int_equal(brume_renderer_load(plume.renderer, &plume.volume, &error), BRUME_OK); // not lit any more
    const BrumeDrawDef def = picture_of(4, 1);
    const BrumeTraceDef trace_def = {.denoise = true};
    BrumeTraceResult result;
    assert_int_equal(brume_renderer_trace(plume.renderer, &plume_camera, &def, &trace_def, picture, &result, &error),
                     BRUME_BAD_INPUT);
    assert_string_equal(error.text, "a picture to denoise needs the light of its volume");
    destroy_plume(&plume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_picture),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_picture_without_noise),
        cmocka_unit_test(test_error_of_pictures),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_light_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
