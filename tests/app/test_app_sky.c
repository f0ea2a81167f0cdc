// Images of skies: Radiance and OpenEXR files that this test writes, whole, cut off at every length and damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/volumes/ground_reader.h"
#include "app/volumes/sky_reader.h"
#include "brume/base.h"
#include "io/hdr_read.h"
#ifdef BRUME_HAS_OPENEXR
#include "io/exr_read.h"
#endif
#include "core/memory.h"
#include "io/png.h"
#include "program.h"

#include <math.h>

#include <stb_image.h>

enum { WIDTH = 16, HEIGHT = 8, MAX_BYTES = 8192 };

static ProgramRun run;

typedef struct File {
    uint8_t bytes[MAX_BYTES];
    size_t size;
} File;

static void add(File *file, const void *bytes, size_t size)
{
    assert_true(file->size + size <= MAX_BYTES);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void add_text(File *file, const char *text) { add(file, text, strlen(text)); }

static void add_int(File *file, int32_t value) { add(file, &value, sizeof value); }

static void save(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(size == 0 || fwrite(bytes, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

// the byte of a component: of rows that are runs, and of rows that are not
static uint8_t component(int x, int y, int c) { return (uint8_t)(c == 3 ? 130 : y % 2 ? 40 * c + 10 : 8 * x + y + c); }

static float expected_value(int x, int y, int c) { return ldexpf((float)component(x, y, c), 130 - 136); }

static File radiance_file(bool compressed)
{
    File file = {.size = 0};
    add_text(&file, "#?RADIANCE\n# made by a test\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1\n\n-Y 8 +X 16\n");
    for (int y = 0; y < HEIGHT; y++) {
        const uint8_t start[4] = {2, 2, 0, WIDTH};
        if (compressed) {
            add(&file, start, sizeof start);
        }
        for (int n = 0; n < 4 * WIDTH; n++) {
            const int c = compressed ? n / WIDTH : n % 4;
            const int x = compressed ? n % WIDTH : n / 4;
            const uint8_t value = component(x, y, c);
            const uint8_t count = y % 2 || c == 3 ? 128 + WIDTH : WIDTH;
            if (compressed && x == 0) {
                add(&file, &count, 1);
            }
            if (!compressed || x == 0 || count == WIDTH) {
                add(&file, &value, 1);
            }
        }
    }
    return file;
}

static void add_attribute(File *file, const char *name, const char *type, const void *value, int32_t size)
{
    add(file, name, strlen(name) + 1);
    add(file, type, strlen(type) + 1);
    add_int(file, size);
    add(file, value, (size_t)size);
}

// uncompressed rows of 32-bit floats, in the order of the names of the channels
static File exr_file(const char *channels)
{
    File file = {.size = 0};
    File list = {.size = 0};
    add_int(&file, 20000630);
    add_int(&file, 2);
    const int count = (int)strlen(channels);
    for (int n = 0; n < count; n++) {
        const char name[2] = {channels[n], '\0'};
        add(&list, name, 2);
        const int32_t rest[4] = {2, 0, 1, 1}; // floats, not linear, all columns and rows
        add(&list, rest, sizeof rest);
    }
    add(&list, "", 1);
    const int32_t window[4] = {0, 0, WIDTH - 1, HEIGHT - 1};
    const float center[2] = {0.0f, 0.0f};
    const float one = 1.0f;
    add_attribute(&file, "channels", "chlist", list.bytes, (int32_t)list.size);
    add_attribute(&file, "compression", "compression", "", 1);
    add_attribute(&file, "dataWindow", "box2i", window, sizeof window);
    add_attribute(&file, "displayWindow", "box2i", window, sizeof window);
    add_attribute(&file, "lineOrder", "lineOrder", "", 1);
    add_attribute(&file, "pixelAspectRatio", "float", &one, sizeof one);
    add_attribute(&file, "screenWindowCenter", "v2f", center, sizeof center);
    add_attribute(&file, "screenWindowWidth", "float", &one, sizeof one);
    add(&file, "", 1);
    const size_t row = sizeof(float) * (size_t)count * WIDTH;
    for (int y = 0; y < HEIGHT; y++) {
        const uint64_t offset = file.size + (size_t)(HEIGHT - y) * sizeof offset + (size_t)y * (8 + row);
        add(&file, &offset, sizeof offset);
    }
    for (int y = 0; y < HEIGHT; y++) {
        add_int(&file, y);
        add_int(&file, (int32_t)row);
        for (int n = 0; n < count * WIDTH; n++) {
            const int c = channels[n / WIDTH] == 'R' ? 0 : channels[n / WIDTH] == 'G' ? 1 : 2;
            const float value = expected_value(n % WIDTH, y, c);
            add(&file, &value, sizeof value);
        }
    }
    return file;
}

static BrumeStatus read_file(const File *file, size_t size, float **radiance, BrumeError *error)
{
    int width = 0;
    int height = 0;
    save("sky.bin", file->bytes, size);
    *error = (BrumeError){.status = BRUME_OK};
    const BrumeStatus status = brume_read_sky(NULL, "sky.bin", &width, &height, radiance, error);
    if (status == BRUME_OK) {
        assert_int_equal(width, WIDTH);
        assert_int_equal(height, HEIGHT);
    } else {
        assert_null(*radiance);
        assert_null(strchr(error->text, '\n'));
        assert_true(strncmp(error->text, "sky.bin: ", 9) == 0);
    }
    return status;
}

static void expect_values(const File *file, bool grey)
{
    BrumeError error;
    float *radiance = NULL;
    if (read_file(file, file->size, &radiance, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        const float expected = expected_value(n / 3 % WIDTH, n / 3 / WIDTH, grey ? 2 : n % 3);
        assert_true(radiance[n] == expected);
    }
    free(radiance);
}

static void expect_refusal(const File *file, size_t size, const char *text)
{
    BrumeError error;
    float *radiance = NULL;
    assert_int_equal(read_file(file, size, &radiance, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
}

typedef BrumeStatus Reader(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error);

// every shorter file is refused; one with a wrong byte is refused with one line, or read
static void damage(const File *file, Reader *read)
{
    for (size_t size = 0; size < file->size; size++) {
        BrumeFloatImage image;
        BrumeError error = {.status = BRUME_OK};
        uint8_t *exact = malloc(size + 1); // so that tools see reads behind the end
        assert_non_null(exact);
        memcpy(exact, file->bytes, size);
        assert_int_equal(read(&image, exact, size, "cut", &error), BRUME_BAD_INPUT);
        assert_true(image.rgb == NULL && strncmp(error.text, "cut: ", 5) == 0 && strchr(error.text, '\n') == NULL);
        free(exact);
    }
    for (size_t at = 0; at < file->size; at += at < 400 ? 1 : 13) {
        for (int value = 0; value < 3; value++) {
            File damaged = *file;
            damaged.bytes[at] = (uint8_t)(value == 0 ? 0xff : value == 1 ? 0 : damaged.bytes[at] ^ 0x41);
            BrumeFloatImage image;
            BrumeError error = {.status = BRUME_OK};
            const BrumeStatus status = read(&image, damaged.bytes, damaged.size, "damaged", &error);
            assert_true(status == BRUME_OK || (status == BRUME_BAD_INPUT && strchr(error.text, '\n') == NULL));
            free(image.rgb);
        }
    }
}

static void test_radiance_files(void **state)
{
    (void)state;
    for (int compressed = 0; compressed < 2; compressed++) {
        const File file = radiance_file(compressed == 1);
        expect_values(&file, false);
        damage(&file, brume_hdr_read);
    }
    File other = {.size = 0};
    add_text(&other, "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 8 +X 16\n");
    expect_refusal(&other, other.size, "sky.bin: is not of the format 32-bit_rle_rgbe (convert it to that)");
    other.size = 0;
    add_text(&other, "#?RADIANCE\n\n+Y 8 +X 16\n");
    expect_refusal(&other, other.size,
                   "sky.bin: does not store its rows from the top and from left to right (convert it to that)");
    other.size = 0;
    add_text(&other, "#?RADIANCE\n\n-Y 1 +X 2\n");
    add(&other, "\2\2\2\200\2\2\2\200", 8);
    BrumeFloatImage image;
    BrumeError error;
    assert_int_equal(brume_hdr_read(&image, other.bytes, other.size, "two", &error), BRUME_OK);
    assert_true(image.width == 2 && image.height == 1 && image.rgb[5] == 0x1p-7f);
    free(image.rgb);
    other.size = 0;
    add_text(&other, "#?RADIANCE\n\n-Y 1 +X 3\n");
    add(&other, "\2\2\2\200\2\2\2\200\2\2\2\200", 12);
    expect_refusal(&other, other.size,
                   "sky.bin: has 3 x 1 pixels, but an image of all directions is twice as wide as high");
    other.size = 0;
    add_text(&other, "a text");
    expect_refusal(&other, other.size,
                   "sky.bin: is neither a Radiance (.hdr) nor an OpenEXR (.exr) picture (convert it to one)");
}

static void test_exr_files(void **state)
{
    (void)state;
    const File color = exr_file("ABGR");
#ifdef BRUME_HAS_OPENEXR
    const File grey = exr_file("Y");
    expect_values(&color, false);
    expect_values(&grey, true);
    damage(&color, brume_exr_read);
    const File other = exr_file("BG");
    expect_refusal(&other, other.size, "sky.bin: has neither channels R, G and B, nor Y, RY and BY, nor Y (it has B, G)");
    File infinite = color;
    const float infinity = INFINITY;
    memcpy(infinite.bytes + infinite.size - sizeof infinity, &infinity, sizeof infinity);
    expect_refusal(&infinite, infinite.size, "sky.bin: the value at column 15 of row 7 is not finite (limit it)");
    const float negative = -1.0f;
    memcpy(infinite.bytes + infinite.size - sizeof negative, &negative, sizeof negative);
    BrumeError error;
    float *radiance = NULL;
    assert_int_equal(read_file(&infinite, infinite.size, &radiance, &error), BRUME_OK);
    assert_true(radiance[3 * WIDTH * HEIGHT - 3] == negative); // a scene cuts it at 0
    free(radiance);
#else
    expect_refusal(&color, color.size,
                   "sky.bin: this build of Brume does not read OpenEXR (convert the file to .hdr, or build Brume where "
                   "libopenexr-dev is installed)");
#endif
}

static const char scene[] = "domain: {size: 1}\n"
                            "solver: {resolution: 8}\n"
                            "time: {frames: 1}\n"
                            "image: {width: 32, height: 18, samples: 1}\n"
                            "render:\n"
                            "  sky: {kind: image, file: sky.hdr}\n";

static void test_program(void **state)
{
    (void)state;
    const File file = radiance_file(true);
    assert_int_equal(system("mkdir -p scenes out"), 0);
    make_file("scenes/scene.yaml", scene);
    save("scenes/sky.hdr", file.bytes, file.size);
    run_successfully(&run, "render scenes/scene.yaml -o out/a.png --frame 1");
    run_successfully(&run,
                     "render scenes/scene.yaml -o out/b.png --frame 1 -D image.integrator=path -D image.samples=4");
    // 16 x 8 texels of 12 bytes; the table of the path tracer has 9 + 9 + 8 x 17 numbers
    run_program(&run, "render scenes/scene.yaml -o out/c.png --frame 1 --max-memory 1k");
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, ", sky and ground 1.54 kB, "));
    run_program(&run, "render scenes/scene.yaml -o out/c.png --frame 1 --max-memory 1k --integrator path");
    assert_non_null(strstr(run.err, ", sky and ground 2.15 kB, "));
    save("scenes/sky.hdr", file.bytes, file.size - 9);
    run_program(&run, "render scenes/scene.yaml -o out/c.png --frame 1");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "scenes/scene.yaml:6:28: "));
    assert_non_null(
        strstr(run.err, "/scenes/sky.hdr: the picture is incomplete or damaged (copy or download it again)\n"));
    assert_true(strchr(run.err, '\n')[1] == '\0');
    assert_int_equal(remove("scenes/sky.hdr"), 0);
    run_program(&run, "render scenes/scene.yaml -o out/c.png --frame 1");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.err, "scenes/scene.yaml:6:28: scenes/sky.hdr: cannot open: No such file or directory (a "
                                 "relative path starts at the folder of the scene)\n");
}

// a picture of 8 bits is sRGB; the ground shows it, by both integrators
static void test_ground_image(void **state)
{
    (void)state;
    const uint8_t rgb[] = {0, 128, 255, 10, 188, 64};
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, 2, 1, &size);
    assert_non_null(png);
    save("floor.png", png, size);
    int width = 0;
    int height = 0;
    float *albedo = NULL;
    BrumeError error;
    assert_int_equal(brume_read_ground_image(NULL, "floor.png", &width, &height, &albedo, &error), BRUME_OK);
    assert_true(width == 2 && height == 1);
    const double expected[] = {0.0, 0.2158605, 1.0, 0.0030353, 0.5028865, 0.0512695};
    for (int n = 0; n < 6; n++) {
        assert_true(fabs((double)albedo[n] - expected[n]) < 1e-6);
    }
    free(albedo);
    albedo = NULL;
    save("floor.png", png, size - 20);
    assert_int_equal(brume_read_ground_image(NULL, "floor.png", &width, &height, &albedo, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "floor.png: the picture is incomplete or damaged ("));
    assert_null(albedo);
    save("floor.png", png, size);
    brume_free(png);
    const char *const path = "ground.yaml";
    make_file(path, "domain: {size: [1, 1, 1]}\nsolver: {resolution: 16}\ntime: {frames: 1}\n"
                    "camera: {position: [0, 4, 0.01], target: [0, 0, 0]}\n"
                    "image: {width: 32, height: 32, bits: 8, samples: 4}\n"
                    "render: {tone: linear, exposure: 0, ground: {image: {file: floor.png}}}\n");
    run_successfully(&run, "info ground.yaml");
    assert_non_null(strstr(run.out, "floor.png, 2 x 1, 4 m wide"));
    run_successfully(&run, "render ground.yaml -o march.png");
    run_successfully(&run, "render ground.yaml -o path.png --integrator path --samples 64");
    run_successfully(&run, "render ground.yaml -o plain.png -D render.ground.image.repeat=false "
                           "-D render.ground.image.size=0.01 -D render.ground.albedo=0.5");
    for (int picture = 0; picture < 3; picture++) {
        static const char *const pictures[] = {"march.png", "path.png", "plain.png"};
        int channels;
        uint8_t *pixels = stbi_load(pictures[picture], &width, &height, &channels, 3);
        assert_non_null(pixels);
        const uint8_t *left = pixels + 3 * (4 * 32 + 8);
        const uint8_t *right = pixels + 3 * (4 * 32 + 24);
        assert_int_equal(left[2] > right[2] + 40, picture < 2); // blue on the left
        assert_int_equal(right[1] > left[1] + 20, picture < 2);
        stbi_image_free(pixels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radiance_files),
        cmocka_unit_test(test_exr_files),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_ground_image),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
