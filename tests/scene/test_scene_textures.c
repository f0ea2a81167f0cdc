/*
 * Textures of bodies by a reader of this test: each file is read once, sequences follow the time of the scene, a
 * written scene has the same ones, and what is refused.
 */
#include "scene_support.h"

#include "brume/base.h"
#include "brume/sim.h"

static int reads;
static char last_path[1024];

// pictures of one texel, or 6 of them from number 10 on where the name has the place of a number
static BrumeStatus read_texture(void *context, const char *path, BrumeTexture **texture, BrumeError *error)
{
    assert_ptr_equal(context, &reads);
    (void)snprintf(last_path, sizeof last_path, "%s", path);
    if (strstr(path, "broken")) {
        error->status = BRUME_BAD_INPUT;
        (void)snprintf(error->text, sizeof error->text, "broken.png: is broken");
        return BRUME_BAD_INPUT;
    }
    reads++;
    const BrumeTextureDef def = {
        .width = 1, .height = 1, .frames = strchr(path, '#') ? 6 : 1, .first = 10, .file = path};
    return brume_texture_create(texture, &def, error);
}

static const BrumeSceneReaders readers = {
    .samples = read_one_value, .mesh = read_tetrahedron, .texture = read_texture, .context = &reads};

static int set_readers(void **state)
{
    (void)state;
    text_readers = &readers;
    return 0;
}

#define BOX "shape: box, center: [0, 0.5, 0], size: 0.3"

static void test_files(void **state)
{
    (void)state;
    reads = 0;
    BrumeScene *scene = load_text("bodies:\n"
                                  "  - {" BOX ", texture: a.png}\n"
                                  "  - {" BOX ", texture: nowhere/a.png, visible: false}\n"
                                  "  - {" BOX "}\n"
                                  "  - {" BOX ", texture: ./b.png}\n"
                                  "  - {" BOX ", texture: a.png}\n",
                                  NULL, 0);
    const BrumeSurface *surfaces = scene->render_settings.surfaces;
    assert_int_equal(scene->render_settings.surface_count, 5);
    assert_int_equal(reads, 3); // also that of a hidden body, which the window may show
    assert_non_null(surfaces[0].texture);
    assert_non_null(surfaces[1].texture);
    assert_null(surfaces[2].texture);
    assert_non_null(surfaces[3].texture);
    assert_ptr_equal(surfaces[4].texture, surfaces[0].texture);
    assert_ptr_not_equal(surfaces[3].texture, surfaces[0].texture);
    assert_int_equal(surfaces[4].texture_frame, 0);
    brume_scene_destroy(scene);
}

// the picture of a time, which repeats: number 11 at time 0 with this number of the first frame
static void test_sequences(void **state)
{
    (void)state;
    const char *const text = "time: {fps: 50, first_frame: 12, frames: 20}\n"
                             "bodies: [{" BOX ", texture: smoke.####.png}]\n";
    BrumeScene *scene = load_text(text, NULL, 0);
    assert_string_equal(last_path, "/tmp/smoke.####.png");
    assert_int_equal(scene->render_settings.surfaces[0].texture_frame, 1);
    for (int frame = 0; frame <= 20; frame++) {
        const BrumeRenderSettings look = brume_scene_render_settings_at(scene, &scene->sim, 0.02 * frame);
        assert_int_equal(look.surfaces[0].texture_frame, (frame + 1) % 6);
    }
    // the written scene has it, also where no file is read
    char *again = written(scene);
    assert_non_null(strstr(again, "texture: \"/tmp/smoke.####.png\""));
    BrumeScene *read = NULL;
    BrumeError error;
    reads = 0;
    assert_int_equal(
        brume_scene_parse_written(&read, again, "again", NULL, 0, BRUME_SCENE_FILES_OF_SURFACES, &readers, &error),
        BRUME_OK);
    assert_int_equal(reads, 1);
    assert_int_equal(read->render_settings.surfaces[0].texture_frame, 1);
    brume_scene_destroy(read);
    assert_int_equal(brume_scene_parse_written(&read, again, "again", NULL, 0, BRUME_SCENE_FILES_NONE, NULL, &error),
                     BRUME_OK);
    assert_int_equal(reads, 1);
    char *unread = written(read);
    assert_string_equal(unread, again);
    free(unread);
    free(again);
    brume_scene_destroy(read);
    brume_scene_destroy(scene);
}

static void expect(const char *text, const char *error) { expect_failure(text, strlen(text), NULL, 0, error); }

static void test_errors(void **state)
{
    (void)state;
    expect("bodies: [{shape: volume, file: a.vdb, texture: a.png}]",
           "@:1:39: a volume has no texture coordinates for a 'texture' (convert its surface to a mesh)");
    expect("bodies: [{shape: mesh, file: a.obj, center: [0, 0.2, 0], texture: a.png}]",
           "@:1:58: /tmp/a.obj has no texture coordinates for a 'texture' (unwrap it where it was made)");
    expect("bodies: [{" BOX ", texture: broken.png}]",
           "@:1:64: broken.png: is broken (a relative path starts at the folder of the scene)");
    expect("bodies: [{" BOX ", texture: broken.##.png}]", "@:1:64: broken.png: is broken");
    // a later error does not leave textures behind (checked by the address sanitizer)
    expect("bodies: [{" BOX ", texture: a.png}]\ncamera: {keys: []}", "@:2:16: 'keys' in 'camera' is empty");
    expect("bodies: [{" BOX ", texture: a.png}]\ntimeline: [{frame: 2, set: {bodies.0.texture: b.png}}]",
           "@:2:29: 'texture' holds for the whole scene and cannot be 'set'");
    static const BrumeSceneReaders others = {.samples = read_one_value};
    text_readers = &others;
    expect("bodies: [{" BOX ", texture: a.png}]",
           "@:1:64: this program does not read images, such as the 'texture' of this body");
    text_readers = &readers;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_sequences),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, set_readers, NULL);
}
