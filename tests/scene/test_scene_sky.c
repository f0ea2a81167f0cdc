/*
 * The section render.sky: its kinds and their keys, images by a reader of this test, errors and warnings, and the same
 * sky from the scene that is written.
 */
#include "scene_support.h"

#include "brume/base.h"
#include "scene/format/derived.h"

static int reads;

// 4 x 2 texels, whose first value is the number of the read
static BrumeStatus read_sky(void *context, const char *path, int *width, int *height, float **radiance,
                            BrumeError *error)
{
    assert_ptr_equal(context, &reads);
    if (strstr(path, "broken.hdr")) {
        error->status = BRUME_BAD_INPUT;
        (void)snprintf(error->text, sizeof error->text, "broken.hdr: is broken");
        return BRUME_BAD_INPUT;
    }
    *width = 4;
    *height = 2;
    *radiance = calloc(24, sizeof **radiance);
    assert_non_null(*radiance);
    (*radiance)[0] = (float)++reads;
    return BRUME_OK;
}

static const BrumeSceneReaders readers = {.sky = read_sky, .ground_image = read_sky, .context = &reads};

static int set_readers(void **state)
{
    (void)state;
    text_readers = &readers;
    return 0;
}

static BrumeSky sky_of(const char *text)
{
    BrumeScene *scene = load_text(text, NULL, 0);
    assert_int_equal(scene->warning_count, 0);
    const BrumeSky sky = scene->render_settings.sky;
    brume_scene_destroy(scene);
    return sky;
}

static void test_kinds(void **state)
{
    (void)state;
    BrumeSky sky = sky_of("{}");
    assert_int_equal(sky.kind, BRUME_SKY_GRADIENT);
    assert_true(sky.intensity == 1.0f && sky.turbidity == 2.5f && sky.rotation == 0.0f);
    sky = sky_of("render: {sky: {kind: constant, radiance: [1, 2, 3]}}");
    assert_int_equal(sky.kind, BRUME_SKY_CONSTANT);
    assert_true(sky.radiance.x == 1.0f && sky.radiance.y == 2.0f && sky.radiance.z == 3.0f);
    sky = sky_of("render: {sky: daylight}");
    assert_int_equal(sky.kind, BRUME_SKY_DAYLIGHT);
    assert_true(sky.sun.x == 0.0f && sky.sun.y == 0.0f && sky.sun.z == 0.0f); // the direction of the default light
    sky = sky_of("lights: []\nrender: {sky: {kind: daylight, turbidity: 4, sun_azimuth: 30, sun_elevation: 12, "
                 "intensity: 2}}");
    const BrumeVec3 sun = brume_sun_direction(30.0f, 12.0f);
    assert_true(sky.sun.x == sun.x && sky.sun.y == sun.y && sky.sun.z == sun.z);
    assert_true(sky.turbidity == 4.0f && sky.intensity == 2.0f);
}

static void test_sunlight(void **state)
{
    (void)state;
    BrumeScene *scene =
        load_text("lights:\n  - {kind: sun, daylight: true}\n  - {kind: sun, daylight: true, intensity: 2, "
                  "color: [1, 0.5, 1]}\n  - {kind: sun}\n",
                  NULL, 0);
    const BrumeLight *lights = scene->render_settings.lights;
    assert_true(lights[0].daylight && lights[0].intensity == 1.0f && lights[0].color.y == 1.0f);
    assert_true(lights[1].daylight && lights[1].intensity == 2.0f && lights[1].color.y == 0.5f);
    assert_true(!lights[2].daylight && lights[2].intensity == 5.2f && lights[2].color.y == 0.92f);
    brume_scene_destroy(scene);
}

static void test_images(void **state)
{
    (void)state;
    const int before = reads;
    BrumeScene *scene = load_text("render: {sky: {kind: image, file: 'sky.hdr', rotation: 20, intensity: 3}}", NULL, 0);
    const BrumeSky *sky = &scene->render_settings.sky;
    assert_int_equal(reads, before + 1);
    assert_int_equal(sky->kind, BRUME_SKY_IMAGE);
    assert_true(sky->image.width == 4 && sky->image.height == 2 && sky->image.radiance == scene->sky_radiance);
    assert_true(scene->sky_radiance[0] == (float)reads && sky->rotation == 20.0f && sky->intensity == 3.0f);
    assert_string_equal(scene->sky_file, "/tmp/sky.hdr"); // in the folder of the scene
    brume_scene_destroy(scene);
}

static bool same_sky(const BrumeScene *a, const BrumeScene *b)
{
    const BrumeSky *x = &a->render_settings.sky;
    const BrumeSky *y = &b->render_settings.sky;
    return x->kind == y->kind && memcmp(&x->radiance, &y->radiance, sizeof x->radiance) == 0 &&
           x->intensity == y->intensity && x->turbidity == y->turbidity &&
           memcmp(&x->sun, &y->sun, sizeof x->sun) == 0 && x->rotation == y->rotation &&
           x->image.width == y->image.width && strcmp(a->sky_file, b->sky_file) == 0 &&
           memcmp(a->render_settings.lights, b->render_settings.lights, sizeof a->render_settings.lights) == 0;
}

static void test_written_scenes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "render: {sky_zenith: 0.5}",
        "render: {sky: {kind: constant, radiance: [1, 2, 3]}}",
        "render: {sky: {kind: daylight, turbidity: 4, sun_azimuth: 30.25, sun_elevation: 12.125, intensity: 2}}",
        "render: {sky: daylight}",
        "lights: [{kind: sun, daylight: true}]",
        "lights: [{kind: sun, daylight: true, color: [1, 0.92, 0.8], intensity: 5.2}]",
        "lights: [{kind: sun, color: 1, intensity: 1}]",
        "{lights: [{kind: sun, daylight: true}], render: {sky: {turbidity: 6, intensity: 1.5}}}",
        "render: {sky: {kind: image, file: /tmp/sky.hdr, rotation: -20.5, intensity: 0.25}}",
    };
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        BrumeScene *scene = load_text(texts[n], NULL, 0);
        char *written = NULL;
        BrumeError error;
        assert_int_equal(brume_scene_write(scene, NULL, &written, &error), BRUME_OK);
        BrumeScene *again = load_text(written, NULL, 0);
        if (!same_sky(scene, again) || again->warning_count > 0) {
            fail_msg("%s was written as\n%s", texts[n], written);
        }
        // without its files, a scene keeps the name of the image
        BrumeScene *unread = NULL;
        const int before = reads;
        assert_int_equal(
            brume_scene_parse_written(&unread, written, "scene", NULL, 0, BRUME_SCENE_FILES_NONE, NULL, &error),
            BRUME_OK);
        assert_int_equal(reads, before);
        assert_null(unread->sky_radiance);
        assert_string_equal(unread->sky_file, scene->sky_file);
        brume_scene_destroy(unread);
        brume_scene_destroy(again);
        brume_scene_destroy(scene);
        brume_free(written);
    }
}

static void test_ground_image(void **state)
{
    (void)state;
    BrumeScene *scene =
        load_text("render: {ground: {image: {file: 'sky.hdr', size: 3, x: 1, repeat: false}}}", NULL, 0);
    const BrumeRenderSettings *render = &scene->render_settings;
    assert_int_equal(render->ground_pattern, BRUME_GROUND_IMAGE);
    assert_true(render->ground_image.width == 4 && render->ground_image.height == 2);
    assert_true(render->ground_image.size == 3.0f && render->ground_image.x == 1.0f && !render->ground_image.repeat);
    assert_ptr_equal(render->ground_image.albedo, scene->ground_image);
    const size_t entries = brume_ground_image_entries(4, 2);
    assert_int_equal(entries, 3 * (8 + 2 + 1));
    assert_true(scene->ground_image[0] == 1.0f && scene->ground_image[entries - 3] == 0.125f); // at most 1
    assert_string_equal(scene->ground_file, "/tmp/sky.hdr");
    char *written = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &written, &error), BRUME_OK);
    BrumeScene *again = load_text(written, NULL, 0);
    assert_string_equal(again->ground_file, scene->ground_file);
    assert_int_equal(again->render_settings.ground_pattern, BRUME_GROUND_IMAGE);
    assert_true(again->render_settings.ground_image.size == 3.0f && again->render_settings.ground_image.x == 1.0f &&
                !again->render_settings.ground_image.repeat);
    brume_free(written);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
    scene = load_text("render: {ground: {image: sky.hdr}}", NULL, 0); // a word is the file
    assert_true(scene->render_settings.ground_image.repeat && scene->render_settings.ground_image.size == 4.0f);
    brume_scene_destroy(scene);
}

static void expect(const char *text, const char *expected) { expect_failure(text, strlen(text), NULL, 0, expected); }

static void test_errors(void **state)
{
    (void)state;
    expect("render:\n  sky: image\n", "@:2:8: a sky of 'kind: image' needs a 'file'");
    expect("render: {sky: {kind: image, file: broken.hdr}}",
           "@:1:35: broken.hdr: is broken (a relative path starts at the folder of the scene)");
    expect("lights: []\nrender: {sky: daylight}\n",
           "@:2:15: a sky of 'kind: daylight' needs a sun in 'lights' or 'sun_elevation'");
    expect("render: {sky: {kind: daylight, sun_azimuth: 3}}", "@:1:32: 'sun_azimuth' in 'sky' needs 'sun_elevation'");
    expect("lights: [{kind: point, position: [0, 1, 0], daylight: true}]",
           "@:1:45: 'daylight' in 'light' is for a sun; a point light has a 'position'");
    text_readers = NULL;
    expect("render: {sky: {kind: image, file: sky.hdr}}",
           "@:1:35: this program does not read images, such as the 'file' of this sky");
    text_readers = &readers;
    // a later error does not leave the image behind (checked by the address sanitizer)
    expect("{render: {sky: {kind: image, file: sky.hdr}}, camera: {keys: []}}", "@:1:62: 'keys' in 'camera' is empty");
}

static void test_warnings(void **state)
{
    (void)state;
    BrumeScene *scene =
        load_text("render: {sky_zenith: 1, sky: {kind: constant, turbidity: 3, file: sky.hdr}}", NULL, 0);
    assert_int_equal(scene->warning_count, 3);
    assert_non_null(strstr(scene->warnings[0], ":1:58: 'turbidity' in 'sky' has no effect with 'kind: constant'"));
    assert_non_null(strstr(scene->warnings[1], ":1:67: 'file' in 'sky' has no effect with 'kind: constant'"));
    assert_non_null(
        strstr(scene->warnings[2], ":1:22: 'sky_zenith' in 'render' has no effect with a sky of 'kind: constant'"));
    brume_scene_destroy(scene);
    scene = load_text("lights: [{elevation: -4}]\nrender: {sky: daylight}", NULL, 0);
    assert_int_equal(scene->warning_count, 1);
    assert_non_null(strstr(scene->warnings[0], ":2:15: this sky is dark: its sun is below the horizon"));
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),        cmocka_unit_test(test_sunlight),       cmocka_unit_test(test_images),
        cmocka_unit_test(test_ground_image), cmocka_unit_test(test_written_scenes), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, set_readers, NULL);
}
