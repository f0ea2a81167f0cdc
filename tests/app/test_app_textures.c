// Textures of bodies from files: one picture, sequences that repeat, and pictures that cannot be used.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "io/png.h"
#include "program.h"
#include <stb_image.h>

#include <sys/stat.h>
#include <unistd.h>

static ProgramRun run;

// a picture of width x height pixels, of one color but for the black pixel in the lower left corner
static void make_picture(const char *path, int width, int height, const uint8_t color[3])
{
    uint8_t rgb[3 * 16 * 16];
    for (int n = 0; n < width * height; n++) {
        memcpy(rgb + 3 * n, color, 3);
    }
    memset(rgb + 3 * (height - 1) * width, 0, 3);
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, width, height, &size);
    assert_non_null(png);
    make_binary_file(path, png, size);
    brume_free(png);
}

static void make_scene(const char *texture)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\ntime: {frames: 5, fps: 25}\n"
                   "bodies: [{shape: box, center: [0, 0.1, 0], size: 0.15, texture: %s, albedo: 1}]\n"
                   "camera: {position: [0, 2, 0.01], target: [0, 0.1, 0], field_of_view: 6}\n"
                   "image: {width: 40, height: 40, bits: 8}\nrender: {tone: linear, exposure: -2}\n",
                   texture);
    make_file("scenes/box.yaml", text);
}

static void read_pixel(const char *path, int x, int y, uint8_t rgb[3])
{
    int width;
    int height;
    int channels;
    uint8_t *pixels = stbi_load(path, &width, &height, &channels, 3);
    assert_non_null(pixels);
    memcpy(rgb, pixels + 3 * (y * width + x), 3);
    stbi_image_free(pixels);
}

static const uint8_t red[3] = {255, 0, 0};
static const uint8_t green[3] = {0, 255, 0};
static const uint8_t blue[3] = {0, 0, 255};

static void test_one_picture(void **state)
{
    (void)state;
    assert_int_equal(mkdir("scenes", 0777), 0);
    make_picture("scenes/red.png", 8, 8, red);
    make_scene("red.png");
    run_successfully(&run, "info scenes/box.yaml");
    assert_non_null(strstr(run.out, "red.png, 8 x 8\n"));
    run_successfully(&run, "render scenes/box.yaml -o march.png --frame 1 --threads 1");
    run_successfully(&run, "render scenes/box.yaml -o three.png --frame 1 --threads 3");
    assert_same_files("march.png", "three.png");
    run_successfully(&run, "render scenes/box.yaml -o path.png --frame 1 --integrator path --samples 64");
    static const char *const pictures[] = {"march.png", "path.png"};
    for (int n = 0; n < 2; n++) {
        uint8_t middle[3];
        uint8_t corner[3]; // of the box, at the left and the front
        read_pixel(pictures[n], 20, 20, middle);
        read_pixel(pictures[n], 6, 33, corner);
        assert_true(middle[0] > 60 && middle[1] < 3 && middle[2] < 3);
        assert_true(corner[0] < middle[0] / 2 && corner[1] < 3);
    }
}

// numbers 4 to 6 are red, green and blue; frame 1 has number 1, which is number 4
static void test_sequence(void **state)
{
    (void)state;
    const uint8_t *const colors[] = {red, green, blue};
    assert_int_equal(mkdir("scenes/wall", 0777), 0);
    for (int n = 0; n < 3; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "scenes/wall/a.%03d.png", n + 4);
        make_picture(path, 8, 8, colors[n]);
    }
    make_scene("wall/a.###.png");
    run_successfully(&run, "info scenes/box.yaml");
    assert_non_null(strstr(run.out, "a.###.png, 8 x 8, 3 pictures from number 4 on\n"));
    run_successfully(&run, "render scenes/box.yaml -o out/f.#.png");
    for (int frame = 1; frame <= 5; frame++) {
        char path[64];
        uint8_t middle[3];
        (void)snprintf(path, sizeof path, "out/f.%d.png", frame);
        read_pixel(path, 20, 20, middle);
        for (int c = 0; c < 3; c++) {
            assert_int_equal(middle[c] > 60, c == (frame - 1) % 3);
        }
    }
    assert_same_files("out/f.1.png", "out/f.4.png");
}

#ifdef BRUME_HAS_ASSIMP
// an emitter has the colors of the file of its mesh
static void test_emitter(void **state)
{
    (void)state;
    make_picture("scenes/red.png", 8, 8, red);
    make_file("scenes/tip.obj", "v 0 0 0\nv 0.4 0 0\nv 0 0 0.4\nv 0 0.4 0\nvt 0 0\n"
                                "f 1/1 2/1 3/1\nf 1/1 4/1 2/1\nf 2/1 4/1 3/1\nf 3/1 4/1 1/1\n");
    make_file("scenes/tip.yaml",
              "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\n"
              "bodies: [{shape: mesh, file: tip.obj, unit: 1, up: y, texture: red.png}]\n"
              "emitters: [{body: 0, emit_from: surface, thickness: 0.1, color_1: 1, mesh_color: true}]\n");
    run_with_error(
        &run, 0, "info scenes/tip.yaml",
        "warning: scenes/tip.yaml:4:82: 'mesh_color' emits the colors of the mesh file, not the 'texture' of "
        "its 'body' (give the material in the file this texture)");
    run_successfully(&run, "info scenes/tip.yaml -D bodies.0.texture=null");
    run_successfully(&run, "info scenes/tip.yaml -D emitters.0.mesh_color=false");
}

// The materials of mesh files: a square of 0.3 m at a height of 0.1 m, seen from above.

static const char mesh_scene[] = "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\ntime: {frames: 1}\n"
                                 "bodies: [{shape: mesh, file: %s, albedo: 1}]\n"
                                 "camera: {position: [0, 2, 0.01], target: [0, 0.1, 0], field_of_view: 6}\n"
                                 "image: {width: 40, height: 40, bits: 8}\nrender: {tone: linear, exposure: -2}\n";

static void render_mesh(const char *file)
{
    char text[1024];
    (void)snprintf(text, sizeof text, mesh_scene, file);
    make_file("scenes/mesh.yaml", text);
    run_program(&run, "render scenes/mesh.yaml -o mesh.png --overwrite");
    assert_int_equal(run.status, 0);
}

static void expect_middle(const uint8_t color[3])
{
    uint8_t middle[3];
    read_pixel("mesh.png", 20, 20, middle);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(middle[c] > 20, color[c] > 0);
    }
}

static void test_material_beside_the_mesh(void **state)
{
    (void)state;
    make_picture("scenes/a wall.png", 8, 8, green);
    make_file("scenes/m.mtl", "newmtl m\nKd 1 1 1\nmap_Kd c:\\pictures\\a%20wall.png\n");
    make_file("scenes/m.obj", "mtllib m.mtl\nv -0.15 0.1 -0.15\nv 0.15 0.1 -0.15\nv 0.15 0.1 0.15\nv -0.15 0.1 0.15\n"
                              "vt 0 1\nvt 1 1\nvt 1 0\nvt 0 0\nusemtl m\nf 4/4 3/3 2/2 1/1\n");
    run_successfully(&run, "info scenes/m.obj");
    assert_non_null(strstr(run.out, "textures"));
    render_mesh("m.obj");
    expect_middle(green);
    assert_int_equal(unlink("scenes/a wall.png"), 0);
    render_mesh("m.obj");
    assert_non_null(strstr(run.out, "a%20wall.png' is not read: it is missing\n"));
    const uint8_t white[3] = {255, 255, 255};
    expect_middle(white);
}

static void add_bytes(uint8_t *bytes, size_t *size, const void *more, size_t count)
{
    memcpy(bytes + *size, more, count);
    *size += count;
    while (*size % 4 > 0) {
        bytes[(*size)++] = ' ';
    }
}

// a .glb with its picture in it, whose factor makes it blue
static void test_material_in_the_mesh(void **state)
{
    (void)state;
    static const float positions[12] = {-.15f, .1f, -.15f, .15f, .1f, -.15f, .15f, .1f, .15f, -.15f, .1f, .15f};
    static const float uvs[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    static const uint16_t corners[6] = {3, 2, 1, 3, 1, 0};
    static uint8_t binary[4096];
    static uint8_t file[8192];
    const uint8_t turquoise[3] = {0, 255, 255};
    make_picture("picture.png", 8, 8, turquoise);
    size_t picture_size;
    char *picture = read_whole_file("picture.png", &picture_size);
    size_t size = 0;
    add_bytes(binary, &size, positions, sizeof positions);
    add_bytes(binary, &size, uvs, sizeof uvs);
    add_bytes(binary, &size, corners, sizeof corners);
    add_bytes(binary, &size, picture, picture_size);
    free(picture);
    char json[2048];
    (void)snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"indices\":2,"
        "\"material\":0}]}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,1,1],"
        "\"baseColorTexture\":{\"index\":0}}}],\"textures\":[{\"source\":0}],"
        "\"images\":[{\"bufferView\":3,\"mimeType\":\"image/png\"}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[-0.15,0.1,-0.15],"
        "\"max\":[0.15,0.1,0.15]},{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},"
        "{\"bufferView\":2,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":32},"
        "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":92,\"byteLength\":%zu}],"
        "\"buffers\":[{\"byteLength\":%zu}]}",
        picture_size, size);
    const size_t json_size = (strlen(json) + 3) / 4 * 4;
    const uint32_t header[] = {0x46546c67, 2, (uint32_t)(12 + 8 + json_size + 8 + size), (uint32_t)json_size,
                               0x4e4f534a};
    const uint32_t of_binary[] = {(uint32_t)size, 0x004e4942};
    size_t total = 0;
    add_bytes(file, &total, header, sizeof header);
    add_bytes(file, &total, json, strlen(json));
    add_bytes(file, &total, of_binary, sizeof of_binary);
    add_bytes(file, &total, binary, size);
    FILE *out = fopen("scenes/m.glb", "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, total, out), total);
    assert_int_equal(fclose(out), 0);
    render_mesh("m.glb");
    expect_middle(blue);
    // a 'texture' takes the place of both
    make_picture("scenes/red.png", 8, 8, red);
    render_mesh("m.glb, texture: red.png");
    expect_middle(red);
}
#endif

static void expect_error(const char *line)
{
    run_program(&run, "render scenes/box.yaml -o bad.png --frame 1");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, line));
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    assert_false(exists("bad.png"));
}

static void test_errors(void **state)
{
    (void)state;
    make_scene("none.png");
    expect_error(
        "scenes/box.yaml:4:65: scenes/none.png: there is no such picture (a relative path starts at the folder "
        "of the scene)\n");
    make_scene("none/a.##.png");
    expect_error("/a.##.png: there is no such picture\n");
    make_scene("box.yaml");
    expect_error("box.yaml: is not a PNG, JPEG, Radiance (.hdr) or OpenEXR (.exr) picture (convert it to one)\n");
    make_scene("wall/a.###.png");
    assert_int_equal(rename("scenes/wall/a.005.png", "scenes/wall/a.007.png"), 0);
    expect_error("a.###.png: number 5 is missing between 4 and 6\n");
    make_picture("scenes/wall/a.005.png", 8, 4, green);
    expect_error("a.005.png: has 8 x 4 pixels, but the first picture of ");
    make_scene("a.#.%d.png");
    expect_error("has two frame numbers\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_picture),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_errors),
#ifdef BRUME_HAS_ASSIMP
        cmocka_unit_test(test_emitter),
        cmocka_unit_test(test_material_beside_the_mesh),
        cmocka_unit_test(test_material_in_the_mesh),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
