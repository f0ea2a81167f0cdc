// Images of skies: Radiance and OpenEXR files that this test writes, whole, cut off at every length and damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/volumes/picture_reader.h"
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

/** An OpenEXR file of 32-bit numbers without compression. */
typedef struct ExrKind {
    const char *names[5]; // of its channels in the order of the alphabet
    int width, height;
    int sampling;                // of all channels but Y
    bool whole;                  // the numbers are whole ones
    int tile;                    // side of a tile; 0: rows
    const float *chromaticities; // eight; NULL: none
    const char *map;             // value of the attribute envmap; NULL: none
    float (*value)(int x, int y, const char *name);
} ExrKind;

static void add_header(File *file, const ExrKind *kind)
{
    File list = {.size = 0};
    add_int(file, 20000630);
    add_int(file, kind->tile > 0 ? 2 | 0x200 : 2);
    for (int n = 0; kind->names[n]; n++) {
        const int32_t step = strcmp(kind->names[n], "Y") == 0 ? 1 : kind->sampling;
        const int32_t rest[4] = {kind->whole ? 0 : 2, 0, step, step}; // not linear
        add(&list, kind->names[n], strlen(kind->names[n]) + 1);
        add(&list, rest, sizeof rest);
    }
    add(&list, "", 1);
    const int32_t window[4] = {0, 0, kind->width - 1, kind->height - 1};
    const float center[2] = {0.0f, 0.0f};
    const float one = 1.0f;
    if (kind->chromaticities) {
        add_attribute(file, "chromaticities", "chromaticities", kind->chromaticities, 8 * sizeof(float));
    }
    add_attribute(file, "channels", "chlist", list.bytes, (int32_t)list.size);
    add_attribute(file, "compression", "compression", "", 1);
    add_attribute(file, "dataWindow", "box2i", window, sizeof window);
    add_attribute(file, "displayWindow", "box2i", window, sizeof window);
    if (kind->map) {
        add_attribute(file, "envmap", "envmap", kind->map, 1);
    }
    add_attribute(file, "lineOrder", "lineOrder", "", 1);
    add_attribute(file, "pixelAspectRatio", "float", &one, sizeof one);
    add_attribute(file, "screenWindowCenter", "v2f", center, sizeof center);
    add_attribute(file, "screenWindowWidth", "float", &one, sizeof one);
    if (kind->tile > 0) {
        const uint8_t tiles[9] = {(uint8_t)kind->tile, 0, 0, 0, (uint8_t)kind->tile, 0, 0, 0, 0}; // one level
        add_attribute(file, "tiles", "tiledesc", tiles, sizeof tiles);
    }
    add(file, "", 1);
}

// the pixels of a block: row after row, and in each its channels
static File exr_block(const ExrKind *kind, int left, int top, int width, int height)
{
    File block = {.size = 0};
    for (int y = top; y < top + height; y++) {
        for (int n = 0; kind->names[n]; n++) {
            const int step = strcmp(kind->names[n], "Y") == 0 ? 1 : kind->sampling;
            for (int x = left; x < left + width && y % step == 0; x += step) {
                const float value = kind->value(x, y, kind->names[n]);
                const uint32_t whole = (uint32_t)value;
                add(&block, kind->whole ? (const void *)&whole : &value, 4);
            }
        }
    }
    return block;
}

static File exr_file_of(const ExrKind *kind)
{
    File file = {.size = 0};
    File blocks = {.size = 0};
    add_header(&file, kind);
    const int across = kind->tile > 0 ? kind->tile : kind->width;
    const int down = kind->tile > 0 ? kind->tile : 1;
    const size_t count = (size_t)(kind->width / across) * (size_t)(kind->height / down);
    const size_t start = file.size + count * sizeof(uint64_t);
    for (int top = 0; top < kind->height; top += down) {
        for (int left = 0; left < kind->width; left += across) {
            const File block = exr_block(kind, left, top, across, down);
            const uint64_t offset = start + blocks.size;
            const int32_t place[4] = {left / across, top / down, 0, 0}; // and the level
            add(&file, &offset, sizeof offset);
            add(&blocks, kind->tile > 0 ? place : &top, kind->tile > 0 ? sizeof place : sizeof top);
            add_int(&blocks, (int32_t)block.size);
            add(&blocks, block.bytes, block.size);
        }
    }
    add(&file, blocks.bytes, blocks.size);
    return file;
}

static float value_of_channel(int x, int y, const char *name)
{
    return expected_value(x, y, name[0] == 'R' ? 0 : name[0] == 'G' ? 1 : 2);
}

static File exr_file(const char *const *names)
{
    ExrKind kind = {.width = WIDTH, .height = HEIGHT, .sampling = 1, .value = value_of_channel};
    for (int n = 0; names[n]; n++) {
        kind.names[n] = names[n];
    }
    return exr_file_of(&kind);
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

static void expect_values(const File *file, bool gray)
{
    BrumeError error;
    float *radiance = NULL;
    if (read_file(file, file->size, &radiance, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        const float expected = expected_value(n / 3 % WIDTH, n / 3 / WIDTH, gray ? 2 : n % 3);
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
    const File color = exr_file((const char *const[]){"A", "B", "G", "R", NULL});
#ifdef BRUME_HAS_OPENEXR
    const File gray = exr_file((const char *const[]){"Y", NULL});
    expect_values(&color, false);
    expect_values(&gray, true);
    damage(&color, brume_exr_read);
    const File other = exr_file((const char *const[]){"B", "G", NULL});
    expect_refusal(&other, other.size,
                   "sky.bin: has neither channels R, G and B, nor Y, RY and BY, nor Y (it has B, G)");
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

#ifdef BRUME_HAS_OPENEXR
static float chroma_value(int x, int y, const char *name)
{
    (void)y;
    return name[0] == 'Y' ? 0.5f : name[0] == 'R' ? 0.02f * (float)x : -0.5f; // RY rises by .02 in a pixel
}

static float ap1_value(int x, int y, const char *name)
{
    (void)x;
    (void)y;
    return name[0] == 'G' ? 0.4f : 0.1f;
}

static float face_value(int x, int y, const char *name)
{
    (void)x;
    (void)name;
    const int face = y / 4;
    return (float)face;
}

// reads a file of this kind into `rgb`, which has room for WIDTH x HEIGHT pixels
static void read_kind(const ExrKind *kind, float rgb[3 * WIDTH * HEIGHT])
{
    const File file = exr_file_of(kind);
    BrumeError error;
    float *radiance = NULL;
    if (read_file(&file, file.size, &radiance, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    memcpy(rgb, radiance, (size_t)3 * WIDTH * HEIGHT * sizeof *rgb);
    free(radiance);
}

static void assert_color(const float *rgb, double red, double green, double blue, double tolerance)
{
    const double expected[3] = {red, green, blue};
    for (int n = 0; n < 3; n++) {
        if (!(fabs((double)rgb[n] - expected[n]) <= tolerance)) {
            fail_msg("%g %g %g instead of %g %g %g", (double)rgb[0], (double)rgb[1], (double)rgb[2], red, green, blue);
        }
    }
}

static void test_kinds_of_exr_files(void **state)
{
    (void)state;
    static float rgb[3 * WIDTH * HEIGHT];
    const ExrKind color = {{"B", "G", "R"}, WIDTH, HEIGHT, 1, false, 0, NULL, NULL, value_of_channel};
    ExrKind kind = color;
    kind.tile = 8;
    read_kind(&kind, rgb);
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        assert_true(rgb[n] == expected_value(n / 3 % WIDTH, n / 3 / WIDTH, n % 3));
    }
    kind = color;
    kind.whole = true;
    kind.value = face_value;
    read_kind(&kind, rgb);
    assert_true(rgb[0] == 0.0f && rgb[3 * WIDTH * 5 + 1] == 1.0f);

    // luminance with a fourth of the samples of chroma: R = (RY + 1) Y, B = (BY + 1) Y, and Y is .2126 R + .7152 G +
    // .0722 B
    kind = (ExrKind){{"BY", "RY", "Y"}, WIDTH, HEIGHT, 2, false, 0, NULL, NULL, chroma_value};
    read_kind(&kind, rgb);
    for (int x = 0; x < WIDTH - 1; x++) {
        const double red = 0.5 * (1.0 + 0.02 * x);
        const double green = (0.5 - 0.2126 * red - 0.0722 * 0.25) / 0.7152;
        assert_color(rgb + 3 * (3 * WIDTH + x), red, green, 0.25, 1e-4);
    }

    // the primaries of ACEScg, whose white is adapted
    static const float ap1[8] = {0.713f, 0.293f, 0.165f, 0.830f, 0.128f, 0.044f, 0.32168f, 0.33767f};
    kind = color;
    kind.chromaticities = ap1;
    kind.value = ap1_value;
    read_kind(&kind, rgb);
    assert_color(rgb, -0.0865, 0.4421, 0.0613, 2e-4);

    // a cube whose faces +x, -x, +y, -y, +z, -z have the values 0 to 5; the middle of the map is +z, a quarter to the
    // left of it +x
    kind = (ExrKind){{"B", "G", "R"}, 4, 24, 1, false, 0, NULL, "\1", face_value};
    read_kind(&kind, rgb);
    static const struct {
        int x, y, face;
    } places[] = {{4, 4, 0}, {11, 3, 1}, {5, 0, 2}, {9, 7, 3}, {8, 4, 4}, {0, 3, 5}, {15, 4, 5}};
    for (size_t n = 0; n < sizeof places / sizeof places[0]; n++) {
        const float face = (float)places[n].face;
        assert_true(rgb[3 * (WIDTH * places[n].y + places[n].x)] == face);
    }

    const File file = exr_file_of(&(ExrKind){{"BY", "RY", "Y"}, WIDTH, HEIGHT, 2, false, 0, NULL, NULL, chroma_value});
    damage(&file, brume_exr_read);
    static const float none[8] = {0};
    kind = color;
    kind.chromaticities = none;
    const File black = exr_file_of(&kind);
    expect_refusal(&black, black.size, "sky.bin: its attribute 'chromaticities' describes no colors");
}
#endif

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
    assert_int_equal(brume_read_picture(NULL, "floor.png", &width, &height, &albedo, &error), BRUME_OK);
    assert_true(width == 2 && height == 1);
    const double expected[] = {0.0, 0.2158605, 1.0, 0.0030353, 0.5028865, 0.0512695};
    for (int n = 0; n < 6; n++) {
        assert_true(fabs((double)albedo[n] - expected[n]) < 1e-6);
    }
    free(albedo);
    albedo = NULL;
    save("floor.png", png, size - 20);
    assert_int_equal(brume_read_picture(NULL, "floor.png", &width, &height, &albedo, &error), BRUME_BAD_INPUT);
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
#ifdef BRUME_HAS_OPENEXR
        cmocka_unit_test(test_kinds_of_exr_files),
#endif
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_ground_image),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
