// The viewer's picture by OpenGL: drawn once for each content, at a reduced resolution at first on a slow device, and
// then in strips whose picture has the bytes of one that is drawn at once; a new content abandons them.
#include "core/vec3.h"
#include "gl_context.h"
#include "gl_picture.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"
#include "viewer/gl_picture.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 16, PIXELS = GL_WIDTH * GL_HEIGHT };

typedef struct Stage {
    BrumeRenderer *lit;
    BrumeGlRenderer *renderers[BRUME_MAX_VARIANTS];
    BrumeGlPictureContent content;
} Stage;

static uint8_t expected[GL_BYTES], found[GL_BYTES];
static float expected_depth[PIXELS], found_depth[PIXELS];

static int set_up(void **state)
{
    static Stage stage;
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(CELLS, 0);
    BrumeError error = {0};
    stage = (Stage){.content = {.camera = plume_camera,
                                .width = GL_WIDTH,
                                .height = GL_HEIGHT,
                                .variant_count = 1,
                                .divider = 0.5f,
                                .seed = 1,
                                .view_serial = {1, 1}}};
    assert_int_equal(brume_renderer_create(&stage.lit, volume.nx, volume.ny, volume.nz, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(stage.lit, &volume, &error), BRUME_OK);
    brume_renderer_light(stage.lit, NULL);
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        assert_int_equal(brume_gl_renderer_create(&stage.renderers[n], &error), BRUME_OK);
        assert_int_equal(brume_gl_renderer_load(stage.renderers[n], stage.lit, NULL, &error), BRUME_OK);
    }
    plume_destroy(&volume);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    Stage *stage = *state;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_gl_renderer_destroy(stage->renderers[n]);
    }
    brume_renderer_destroy(stage->lit);
    return 0;
}

static BrumeGlPicture make_picture(bool software)
{
    BrumeGlPicture picture;
    BrumeError error = {0};
    assert_int_equal(brume_gl_picture_create(&picture, software, &error), BRUME_OK);
    return picture;
}

// draws into a new target; returns whether the picture was drawn anew
static bool show(BrumeGlPicture *picture, const Stage *stage, bool at_full_size)
{
    const BrumeRect rect = {.width = GL_WIDTH, .height = GL_HEIGHT};
    gl_target(GL_WIDTH, GL_HEIGHT);
    const bool drawn = brume_gl_picture_draw(picture, stage->renderers, &stage->content, rect, true, at_full_size);
    gl_read_rgb(GL_WIDTH, GL_HEIGHT, found);
    gl_read_depth(GL_WIDTH, GL_HEIGHT, found_depth);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return drawn;
}

static void draw_at_once(const Stage *stage)
{
    const BrumeGlDraw draw = gl_whole_picture();
    gl_draw(stage->renderers[0], &stage->content.camera, &draw, expected);
    gl_read_depth(GL_WIDTH, GL_HEIGHT, expected_depth);
}

// refines until the picture is complete; returns the number of strips
static int refine(BrumeGlPicture *picture, const Stage *stage)
{
    int strips = 1;
    while (!brume_gl_picture_refine(picture, stage->renderers)) {
        strips++;
        assert_true(brume_gl_picture_is_reduced(picture, &stage->content));
        assert_true(strips <= GL_WIDTH);
    }
    return strips;
}

static void test_strips_give_the_whole_picture(void **state)
{
    Stage stage = *(const Stage *)*state;
    for (int variants = 1; variants <= BRUME_MAX_VARIANTS; variants++) { // two equal ones look like one
        stage.content.variant_count = variants;
        draw_at_once(&stage);
        BrumeGlPicture picture = make_picture(true);
        assert_false(brume_gl_picture_is_reduced(&picture, &stage.content));
        assert_true(show(&picture, &stage, false));
        assert_int_equal(picture.shrink, 4);
        assert_true(brume_gl_picture_is_reduced(&picture, &stage.content));
        assert_memory_not_equal(found, expected, sizeof found);
        picture.full_ms = 1e6; // strips are as narrow as possible
        assert_true(refine(&picture, &stage) > 10);
        assert_false(brume_gl_picture_is_reduced(&picture, &stage.content));
        assert_int_equal(picture.shrink, 1);
        assert_false(show(&picture, &stage, false));
        assert_memory_equal(found, expected, sizeof found);
        for (int n = 0; n < PIXELS; n++) {
            assert_near("depth", found_depth[n], expected_depth[n], 1e-6);
        }
        brume_gl_picture_destroy(&picture);
    }
}

static void test_drawn_once_for_each_content(void **state)
{
    Stage stage = *(const Stage *)*state;
    BrumeGlPicture picture = make_picture(true);
    assert_true(show(&picture, &stage, false));
    memcpy(expected, found, sizeof found);
    for (int n = 0; n < 3; n++) { // as for the panel, or another window above
        assert_false(show(&picture, &stage, false));
        assert_memory_equal(found, expected, sizeof found);
    }
    stage.content.view_serial[0]++;
    assert_true(show(&picture, &stage, false));
    stage.content.seed++;
    assert_true(show(&picture, &stage, false));
    stage.content.camera.position.x += 0.5f;
    assert_true(show(&picture, &stage, false));
    assert_memory_not_equal(found, expected, sizeof found);
    brume_gl_picture_destroy(&picture);
}

static void test_new_camera_abandons_strips(void **state)
{
    Stage stage = *(const Stage *)*state;
    BrumeGlPicture picture = make_picture(true);
    assert_true(show(&picture, &stage, false));
    picture.full_ms = 1e6;
    assert_false(brume_gl_picture_refine(&picture, stage.renderers));
    assert_false(brume_gl_picture_refine(&picture, stage.renderers));
    stage.content.camera.position.x += 0.5f;
    assert_false(brume_gl_picture_is_reduced(&picture, &stage.content)); // there is nothing to refine
    picture.full_ms = 1e6;
    assert_true(show(&picture, &stage, false));
    assert_int_equal(picture.shrink, 4);
    (void)refine(&picture, &stage);
    (void)show(&picture, &stage, false);
    const BrumeGlDraw draw = gl_whole_picture();
    gl_draw(stage.renderers[0], &stage.content.camera, &draw, expected);
    assert_memory_equal(found, expected, sizeof found);
    brume_gl_picture_destroy(&picture);
}

// for screenshots and recordings
static void test_full_size_at_once(void **state)
{
    const Stage stage = *(const Stage *)*state;
    draw_at_once(&stage);
    BrumeGlPicture picture = make_picture(true);
    assert_true(show(&picture, &stage, false));
    assert_true(show(&picture, &stage, true));
    assert_memory_equal(found, expected, sizeof found);
    assert_false(show(&picture, &stage, true));
    brume_gl_picture_destroy(&picture);
    picture = make_picture(false); // a device that is not known to be slow
    assert_true(show(&picture, &stage, false));
    assert_int_equal(picture.shrink, 1);
    assert_memory_equal(found, expected, sizeof found);
    brume_gl_picture_destroy(&picture);
}

int main(void)
{
    if (!gl_context_create()) {
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips_give_the_whole_picture),
        cmocka_unit_test(test_drawn_once_for_each_content),
        cmocka_unit_test(test_new_camera_abandons_strips),
        cmocka_unit_test(test_full_size_at_once),
    };
    const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    gl_context_destroy();
    return failed;
}
