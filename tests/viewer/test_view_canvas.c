// Pictures made beside the window: the renderer's own bits at rest, in time while moving, and always of the newest
// wish.
#include "core/clock.h"
#include "core/vec3.h"
#include "viewer/detail.h"
#include "viewer/threads/render_thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CELLS = 16, WIDTH = 60, HEIGHT = 44, SAMPLES = 6 };

static const double patience = 60.0; // longest wait for anything [s]

static BrumeSimDef small_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.nz = CELLS;
    def.ny = CELLS + 8;
    def.dx = 1.0f / CELLS;
    def.origin = brume_vec3(-0.5f, 0.0f, -0.5f);
    def.max_steps = 2;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.3f, 0.0f}, .radius = 0.2f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    def.obstacle_count = 1;
    def.obstacles[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.2f, 1.1f, 0.0f}, .radius = 0.15f};
    return def;
}

static BrumeRenderSettings look_with_solid(void)
{
    BrumeRenderSettings look = brume_default_render_settings();
    look.surface_count = 1;
    look.surfaces[0] = (BrumeSurface){small_def().obstacles[0].shape, {0.7f, 0.3f, 0.2f}};
    return look;
}

static BrumeRenderRequest first_wish(void)
{
    return (BrumeRenderRequest){
        .camera = {.position = {0.4f, 0.9f, 3.2f}, .target = {0.0f, 0.6f, 0.0f}, .field_of_view = 40.0f},
        .look = look_with_solid(),
        .iso_level = 0.3f,
        .slice_axis = 2,
        .slice_at = 0.5f,
        .width = WIDTH,
        .height = HEIGHT,
        .cpu = true,
        .samples = SAMPLES,
        .budget_ms = 20.0,
        .divider = 0.5f,
    };
}

static BrumeSimulationThread *create_live(bool running)
{
    const BrumeSimulationThreadDef def = {.settings = small_def(), .threads = 1, .running = running};
    BrumeSimulationThread *live = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&live, &def, &error), BRUME_OK);
    brume_simulation_thread_set_pace(live, INFINITY);
    return live;
}

static BrumeRenderThread *create_canvas(BrumeSimulationThread *live)
{
    BrumeRenderThread *canvas = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_render_thread_create(&canvas, live, 2, NULL, &error), BRUME_OK);
    return canvas;
}

static void advance(BrumeSimulationThread *live, BrumeRenderThread *canvas, int frames)
{
    BrumeSnapshot facts;
    brume_render_thread_facts(canvas, &facts);
    const int wanted = facts.frame + frames;
    for (int n = 0; n < frames; n++) {
        brume_simulation_thread_advance(live);
    }
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < patience);
        usleep(500);
        brume_render_thread_facts(canvas, &facts);
    } while (facts.frame < wanted);
    assert_int_equal(facts.frame, wanted);
}

// the next picture of that frame or a later one, and that is finished where asked for
static const BrumeRenderedPicture *wait_for(BrumeRenderThread *canvas, int frame, bool finished)
{
    const double start = brume_seconds();
    const BrumeRenderedPicture *picture = NULL;
    uint64_t serial = 0;
    for (;;) {
        const bool fresh = brume_render_thread_take(canvas, &picture);
        assert_true(!picture || (fresh ? picture->serial > serial : picture->serial >= serial));
        serial = picture ? picture->serial : 0;
        if (picture && picture->frame >= frame && (picture->finished || !finished)) {
            assert_string_equal(picture->error.text, "");
            return picture;
        }
        assert_true(brume_seconds() - start < patience);
        usleep(500);
    }
}

static bool same_camera(const BrumeCamera *a, const BrumeCamera *b) { return memcmp(a, b, sizeof *a) == 0; }

static const BrumeRenderedPicture *wait_for_wish(BrumeRenderThread *canvas, const BrumeRenderRequest *wish)
{
    const double start = brume_seconds();
    for (;;) {
        const BrumeRenderedPicture *picture = wait_for(canvas, 0, true);
        if (same_camera(&picture->wish.camera, &wish->camera) && picture->wish.view == wish->view &&
            picture->wish.slice == wish->slice && picture->wish.streamlines == wish->streamlines &&
            picture->wish.cpu == wish->cpu) {
            return picture;
        }
        assert_true(brume_seconds() - start < patience);
        usleep(500);
    }
}

// what `brume render` makes of a side
static void draw_expected(const BrumeSnapshotSide *side, const BrumeRenderRequest *wish,
                          const BrumeRenderSettings *look, int frame, uint8_t *rgb)
{
    const BrumeVolume volume = brume_snapshot_smoke(side);
    BrumeRenderer *renderer = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, look, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer);
    float *radiance = malloc((size_t)wish->width * (size_t)wish->height * 3 * sizeof *radiance);
    assert_non_null(radiance);
    const BrumeDrawDef def = {
        .width = wish->width, .height = wish->height, .samples = wish->samples, .seed = (uint32_t)frame};
    assert_int_equal(brume_renderer_draw(renderer, &wish->camera, &def, radiance), BRUME_OK);
    brume_tone_map(look, wish->width, wish->height, radiance, rgb);
    free(radiance);
    brume_renderer_destroy(renderer);
}

static void test_picture_at_rest_is_the_renderers(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    BrumeRenderThread *canvas = create_canvas(live);
    const BrumeRenderedPicture *picture = NULL;
    assert_false(brume_render_thread_take(canvas, &picture));
    assert_null(picture);
    const BrumeRenderRequest wish = first_wish();
    (void)brume_render_thread_request(canvas, &wish);
    brume_simulation_thread_move(live, 0, brume_vec3(-0.05f, 0.0f, 0.0f));
    advance(live, canvas, 4);
    picture = wait_for(canvas, 4, true);
    assert_int_equal(picture->width, WIDTH);
    assert_int_equal(picture->height, HEIGHT);
    assert_int_equal(picture->samples, SAMPLES);
    assert_true(picture->lit > 0);

    // the same four frames without a viewer
    const BrumeSimDef settings = small_def();
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeFrameStats stats = {0};
    assert_int_equal(brume_sim_create(&sim, &settings, &error), BRUME_OK);
    brume_sim_move(sim, 0, brume_scale(brume_vec3(-0.05f, 0.0f, 0.0f), settings.fps));
    for (int n = 0; n < 4; n++) {
        assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
    }
    BrumeSnapshot snapshot = {.sides = 1};
    assert_int_equal(brume_snapshot_take(&snapshot.side[0], sim, &stats, &error), BRUME_OK);
    BrumeRenderSettings look = wish.look;
    look.surfaces[0].shape = snapshot.side[0].settings.obstacles[0].shape; // where it was moved to
    assert_true(look.surfaces[0].shape.a.x < 0.17f);
    assert_true(picture->look[0].surfaces[0].shape.a.x == look.surfaces[0].shape.a.x);
    static uint8_t expected[WIDTH * HEIGHT * 3];
    draw_expected(&snapshot.side[0], &wish, &look, 4, expected);
    assert_memory_equal(picture->rgb, expected, sizeof expected);

    // two equal sides are one picture, wherever the divider is
    brume_simulation_thread_compare(live, true);
    brume_simulation_thread_reset(live);
    BrumeSnapshot facts;
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < patience);
        usleep(500);
        brume_render_thread_facts(canvas, &facts);
    } while (facts.sides < 2);
    brume_simulation_thread_move(live, 0, brume_vec3(-0.05f, 0.0f, 0.0f));
    advance(live, canvas, 4);
    picture = wait_for(canvas, 4, true);
    assert_int_equal(picture->sides, 2);
    assert_memory_equal(picture->rgb, expected, sizeof expected);

    brume_snapshot_destroy(&snapshot);
    brume_sim_destroy(sim);
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_detail_keeps_the_budget(void **state)
{
    (void)state;
    BrumeDetail detail = {0};
    int width;
    int height;
    brume_detail_choose(&detail, 10.0, 1200, 600, &width, &height);
    assert_int_equal(width, 300); // nothing is known yet
    brume_detail_learn(&detail, 1e-4 * 300 * 150, 300.0 * 150.0);
    brume_detail_choose(&detail, 72.0, 1200, 600, &width, &height);
    assert_int_equal(width, 800); // the whole would take 72 ms: too near
    brume_detail_choose(&detail, 110.0, 1200, 600, &width, &height);
    assert_int_equal(width, 1200);
    assert_int_equal(height, 600);
    brume_detail_choose(&detail, 65.0, 1200, 600, &width, &height);
    assert_int_equal(width, 1200); // a little late is no reason
    brume_detail_choose(&detail, 20.0, 1200, 600, &width, &height);
    assert_int_equal(width, 600); // 18 ms
    brume_detail_choose(&detail, 1e-3, 1200, 600, &width, &height);
    assert_int_equal(width, 300);
    brume_detail_choose(&detail, 1e-9, 2, 1, &width, &height);
    assert_int_equal(width, 1);
    assert_int_equal(height, 1);
    // costs that waver about a threshold change nothing
    detail = (BrumeDetail){.level = 1, .ms_per_pixel = 1e-4};
    for (int n = 0; n < 20; n++) {
        brume_detail_learn(&detail, (n % 2 ? 0.85e-4 : 1.15e-4) * 1e4, 1e4);
        brume_detail_choose(&detail, 32.0, 1200, 600, &width, &height);
        assert_int_equal(width, 800);
    }
}

static void test_motion_is_coarse_and_rest_is_fine(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    wish.budget_ms = 1e-3; // nothing can keep it
    uint64_t serial = 0;
    for (int n = 1; n <= 10; n++) {
        wish.camera.position.x = 0.1f * (float)n;
        (void)brume_render_thread_request(canvas, &wish);
        const double start = brume_seconds();
        const BrumeRenderedPicture *picture = NULL;
        while (!brume_render_thread_take(canvas, &picture) || picture->serial == serial ||
               !same_camera(&picture->wish.camera, &wish.camera)) {
            assert_true(brume_seconds() - start < patience);
            usleep(200);
        }
        serial = picture->serial;
        if (!picture->finished && picture->samples == 1 && picture->width < WIDTH) {
            assert_int_equal(picture->width, WIDTH / 4);
            assert_int_equal(picture->height, HEIGHT / 4);
        }
    }
    const BrumeRenderedPicture *picture = wait_for_wish(canvas, &wish);
    assert_int_equal(picture->width, WIDTH);
    assert_int_equal(picture->samples, SAMPLES);
    serial = picture->serial;
    usleep(50000);
    assert_false(brume_render_thread_take(canvas, &picture)); // nothing is left to be done
    assert_true(picture->serial == serial);

    // as fast as anybody wants: at once of full size
    wish.budget_ms = 1e6;
    wish.camera.position.x = -0.3f;
    (void)brume_render_thread_request(canvas, &wish);
    const double start = brume_seconds();
    do {
        (void)brume_render_thread_take(canvas, &picture);
        assert_true(brume_seconds() - start < patience);
        assert_true(!same_camera(&picture->wish.camera, &wish.camera) || picture->width == WIDTH);
        usleep(200);
    } while (!same_camera(&picture->wish.camera, &wish.camera) || !picture->finished);
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_newest_wish_wins(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(true);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    for (int n = 0; n < 50; n++) {
        wish.camera.position.x = 0.02f * (float)n;
        wish.view = (BrumeViewKind)(n % BRUME_VIEW_COUNT);
        wish.wished_at = (double)n;
        (void)brume_render_thread_request(canvas, &wish);
        usleep((useconds_t)(n * 37 % 3000));
    }
    brume_simulation_thread_run(live, false);
    const BrumeRenderedPicture *picture = wait_for_wish(canvas, &wish);
    assert_true(picture->wish.wished_at == 49.0);
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_views_have_their_geometry(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    wish.samples = 1;
    (void)brume_render_thread_request(canvas, &wish);
    advance(live, canvas, 5);
    const BrumeRenderedPicture *picture = wait_for(canvas, 5, true);
    assert_int_equal(picture->drawing[0]->triangle_vertices, 0);
    assert_int_equal(picture->drawing[0]->line_vertices, 0);
    static uint8_t smoke[WIDTH * HEIGHT * 3];
    memcpy(smoke, picture->rgb, sizeof smoke);

    wish.view = BRUME_VIEW_VELOCITY;
    (void)brume_render_thread_request(canvas, &wish);
    picture = wait_for_wish(canvas, &wish);
    const int arrows = picture->drawing[0]->line_vertices + picture->drawing[0]->triangle_vertices;
    assert_true(arrows > 0);
    assert_string_equal(picture->scale[0].unit, "m/s");
    wish.streamlines = true;
    (void)brume_render_thread_request(canvas, &wish);
    picture = wait_for_wish(canvas, &wish);
    assert_true(picture->drawing[0]->line_vertices > 0);
    assert_int_not_equal(picture->drawing[0]->line_vertices + picture->drawing[0]->triangle_vertices, arrows);

    wish.view = BRUME_VIEW_ISOSURFACE;
    (void)brume_render_thread_request(canvas, &wish);
    picture = wait_for_wish(canvas, &wish);
    assert_true(picture->drawing[0]->triangle_vertices > 0);
    assert_int_equal(picture->drawing[0]->line_vertices, 0);

    const BrumeViewKind quantities[] = {BRUME_VIEW_TEMPERATURE, BRUME_VIEW_VORTICITY, BRUME_VIEW_PRESSURE};
    for (int n = 0; n < 3; n++) {
        wish.view = quantities[n];
        (void)brume_render_thread_request(canvas, &wish);
        picture = wait_for_wish(canvas, &wish);
        assert_int_equal(picture->drawing[0]->triangle_vertices, 0);
        assert_true(picture->scale[0].upper > picture->scale[0].lower);
        assert_memory_not_equal(picture->rgb, smoke, sizeof smoke);
    }

    wish.view = BRUME_VIEW_SMOKE;
    wish.slice = true;
    (void)brume_render_thread_request(canvas, &wish);
    picture = wait_for_wish(canvas, &wish);
    assert_true(picture->drawing[0]->has_slice);
    assert_true(fabsf(picture->drawing[0]->slice_corner.z) < 1e-5f); // half way through the box
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_pick_finds_what_is_seen(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    wish.look.ground = false;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        wish.look.smoke[kind].extinction = 60.0f;
    }
    wish.camera = (BrumeCamera){{0.0f, 0.3f, 3.0f}, {0.0f, 0.3f, 0.0f}, 40.0f};
    BrumePick pick = brume_render_thread_pick(canvas, 0, &wish.camera, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SKY); // nothing is lit yet
    (void)brume_render_thread_request(canvas, &wish);
    advance(live, canvas, 3);
    (void)wait_for(canvas, 3, true);
    pick = brume_render_thread_pick(canvas, 0, &wish.camera, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SMOKE);
    assert_true(fabsf(pick.point.x) < 0.1f && fabsf(pick.point.z - 0.2f) < 0.15f); // near side of the emitter
    const BrumeCamera at_solid = {{0.2f, 1.1f, 3.0f}, {0.2f, 1.1f, 0.0f}, 40.0f};
    pick = brume_render_thread_pick(canvas, 0, &at_solid, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SURFACE);
    assert_int_equal(pick.surface, 0);
    const BrumeCamera away = {{0.0f, 0.5f, 3.0f}, {0.0f, 3.0f, 6.0f}, 40.0f};
    pick = brume_render_thread_pick(canvas, 0, &away, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SKY);
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

// recording: a frame, its finished picture, the next frame
static void test_every_frame_is_drawn_when_full(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    brume_simulation_thread_hold(live, true);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    wish.full = true;
    (void)brume_render_thread_request(canvas, &wish);
    (void)wait_for(canvas, 0, true);
    brume_simulation_thread_run(live, true);
    for (int frame = 1; frame <= 8; frame++) {
        brume_simulation_thread_release(live);
        wish.camera.position.x += 0.01f; // flying meanwhile
        (void)brume_render_thread_request(canvas, &wish);
        const BrumeRenderedPicture *picture = wait_for(canvas, frame, false);
        assert_int_equal(picture->frame, frame);
        assert_true(picture->finished);
        assert_int_equal(picture->samples, SAMPLES);
        assert_int_equal(picture->width, WIDTH);
    }
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_only_lit_for_another_renderer(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(false);
    BrumeRenderThread *canvas = create_canvas(live);
    BrumeRenderRequest wish = first_wish();
    wish.cpu = false;
    (void)brume_render_thread_request(canvas, &wish);
    const BrumeRenderedPicture *picture = wait_for_wish(canvas, &wish);
    assert_null(picture->rgb);
    const uint64_t lit = picture->lit;
    assert_true(lit > 0);
    wish.camera.position.x += 0.5f; // is not the light's matter
    (void)brume_render_thread_request(canvas, &wish);
    assert_true(wait_for_wish(canvas, &wish)->lit == lit);
    wish.look.lights[0].intensity *= 0.5f;
    wish.camera.position.x += 0.5f;
    (void)brume_render_thread_request(canvas, &wish);
    picture = wait_for_wish(canvas, &wish);
    assert_true(picture->lit > lit);
    assert_true(picture->look[0].lights[0].intensity == wish.look.lights[0].intensity);
    brume_render_thread_destroy(canvas);
    brume_simulation_thread_destroy(live);
}

static void test_ends_at_any_time(void **state)
{
    (void)state;
    BrumeSimulationThread *live = create_live(true);
    for (int n = 0; n < 20; n++) {
        BrumeRenderThread *canvas = create_canvas(live);
        BrumeRenderRequest wish = first_wish();
        wish.samples = 64;
        wish.view = (BrumeViewKind)(n % BRUME_VIEW_COUNT);
        wish.full = n % 3 == 0;
        if (n % 5 != 4) {
            (void)brume_render_thread_request(canvas, &wish);
        }
        if (n == 10) {
            brume_simulation_thread_compare(live, true);
        }
        usleep((useconds_t)(n * 1117 % 15000));
        const BrumeRenderedPicture *picture = NULL;
        (void)brume_render_thread_take(canvas, &picture);
        brume_render_thread_destroy(canvas);
    }
    brume_simulation_thread_destroy(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detail_keeps_the_budget),
        cmocka_unit_test(test_picture_at_rest_is_the_renderers),
        cmocka_unit_test(test_motion_is_coarse_and_rest_is_fine),
        cmocka_unit_test(test_newest_wish_wins),
        cmocka_unit_test(test_views_have_their_geometry),
        cmocka_unit_test(test_pick_finds_what_is_seen),
        cmocka_unit_test(test_every_frame_is_drawn_when_full),
        cmocka_unit_test(test_only_lit_for_another_renderer),
        cmocka_unit_test(test_ends_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
