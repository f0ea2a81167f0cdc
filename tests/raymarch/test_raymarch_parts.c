// Pictures that come bit by bit, looks that change, and what lies under a point.
#include "brume/renderer.h"
#include "core/hash.h"
#include "core/threads.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 90, HEIGHT = 50, FLOATS = WIDTH * HEIGHT * 3, SAMPLES = 7 };

static const BrumeCamera camera = {
    .position = {0.3f, 0.8f, 3.2f}, .target = {0.0f, 0.65f, 0.0f}, .field_of_view = 34.0f};

static const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = SAMPLES, .seed = 5};

static BrumeRenderer *make(const BrumeRenderSettings *look, const BrumeVolume *volume)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, look, &error), BRUME_OK);
    return renderer;
}

static BrumeRenderer *make_lit(const BrumeRenderSettings *look, const BrumeVolume *volume)
{
    BrumeRenderer *renderer = make(look, volume);
    brume_renderer_load(renderer, volume);
    brume_renderer_light(renderer);
    return renderer;
}

static float *zeros(void)
{
    float *floats = calloc(FLOATS, sizeof *floats);
    assert_non_null(floats);
    return floats;
}

static void test_parts_make_the_whole(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings look = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&look, &volume);
    float *whole = zeros();
    brume_renderer_draw(renderer, &camera, &def, whole);

    float *sum = zeros();
    const int samples[] = {0, 1, 4, SAMPLES};
    const int columns[] = {0, 37, WIDTH};
    for (int half = 1; half >= 0; half--) { // columns in any order, samples in theirs
        for (int range = 0; range < 3; range++) {
            const BrumeDrawPart part = {.left = columns[half],
                                        .right = columns[half + 1],
                                        .first_sample = samples[range],
                                        .end_sample = samples[range + 1]};
            assert_true(brume_renderer_draw_part(renderer, &camera, &def, &part, sum));
        }
    }
    const float share = 1.0f / (float)SAMPLES;
    for (int n = 0; n < FLOATS; n++) {
        sum[n] *= share;
    }
    assert_memory_equal(sum, whole, FLOATS * sizeof(float));

    // columns and samples that there are none of
    const BrumeDrawPart nothing = {.left = 40, .right = 40, .end_sample = SAMPLES};
    const BrumeDrawPart no_samples = {.right = WIDTH, .first_sample = 2, .end_sample = 2};
    assert_true(brume_renderer_draw_part(renderer, &camera, &def, &nothing, sum));
    assert_true(brume_renderer_draw_part(renderer, &camera, &def, &no_samples, sum));
    assert_memory_equal(sum, whole, FLOATS * sizeof(float));
    free(sum);
    free(whole);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// a picture's own step is as good as the look's; shadows keep the look's
static void test_a_step_of_its_own(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings look = brume_default_render_settings();
    look.ground = false;
    BrumeRenderer *renderer = make_lit(&look, &volume);
    BrumeDrawDef coarse = def;
    coarse.step = 2.5f;
    float *wished = zeros();
    float *usual = zeros();
    brume_renderer_draw(renderer, &camera, &coarse, wished);
    brume_renderer_draw(renderer, &camera, &def, usual);
    assert_memory_not_equal(wished, usual, FLOATS * sizeof(float));
    brume_renderer_destroy(renderer);
    look.step = 2.5f;
    renderer = make_lit(&look, &volume);
    brume_renderer_draw(renderer, &camera, &def, usual);
    assert_memory_equal(wished, usual, FLOATS * sizeof(float));
    brume_renderer_destroy(renderer);
    free(wished);
    free(usual);
    plume_destroy(&volume);
}

static bool stop_after(void *context)
{
    atomic_int *left = context;
    return atomic_fetch_sub(left, 1) <= 0;
}

static void test_stop_leaves_the_rest(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings look = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&look, &volume);
    float *whole = zeros();
    const BrumeDrawDef once = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    brume_renderer_draw(renderer, &camera, &once, whole);
    for (int threads = 1; threads <= 3; threads += 2) {
        brume_set_threads(threads);
        for (int tiles = 0; tiles < 6; tiles += 5) {
            float *some = malloc(FLOATS * sizeof *some);
            assert_non_null(some);
            for (int n = 0; n < FLOATS; n++) {
                some[n] = -1.0f;
            }
            atomic_int left = tiles;
            const BrumeDrawPart part = {.right = WIDTH, .end_sample = 1, .stop = stop_after, .context = &left};
            assert_false(brume_renderer_draw_part(renderer, &camera, &once, &part, some));
            int drawn = 0;
            for (int n = 0; n < FLOATS; n += 3) {
                if (some[n] != -1.0f) {
                    assert_true(some[n] == -1.0f + whole[n]);
                    drawn++;
                }
            }
            // every tile of these is whole but for the last row's, 16 x 2 pixels, which come last
            assert_int_equal(drawn, tiles * 16 * 16);
            free(some);
        }
    }
    brume_set_threads(before);
    free(whole);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static uint64_t picture_of(BrumeRenderer *renderer, const BrumeVolume *volume)
{
    float *radiance = zeros();
    const BrumeDrawDef once = {.width = WIDTH, .height = HEIGHT, .samples = 1, .seed = 9};
    brume_renderer_load(renderer, volume);
    brume_renderer_light(renderer);
    brume_renderer_draw(renderer, &camera, &once, radiance);
    const uint64_t hash = brume_hash_bytes(radiance, FLOATS * sizeof(float), 0);
    free(radiance);
    return hash;
}

// one renderer through many looks, each like a renderer made for it
static void test_a_changed_look_is_a_fresh_one(void **state)
{
    (void)state;
    BrumeVolume plain = plume_create(24, 0);
    BrumeVolume colors = plume_create(24, 1);
    const BrumeLight lamp = {
        .kind = BRUME_LIGHT_POINT, .position = {0.4f, 0.5f, 0.45f}, .color = {1.0f, 0.5f, 0.2f}, .intensity = 0.5f};
    const BrumeLight along_x = {
        .direction = {2.0f, -0.4f, 0.1f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 2.0f}; // not of unit length
    const BrumeLight slanting = {.direction = {0.9f, -0.8f, 0.7f}, .color = {1.0f, 0.9f, 0.8f}, .intensity = 2.0f};

    BrumeRenderSettings looks[8];
    for (int n = 0; n < 8; n++) {
        looks[n] = brume_default_render_settings();
        looks[n].lights[0].direction = brume_vec3(0.2f, -0.9f, 0.1f);
        for (int kind = 1; kind < BRUME_VOLUME_KINDS; kind++) { // one albedo, until it is four
            looks[n].smoke[kind].albedo = looks[n].smoke[0].albedo;
        }
    }
    looks[1].lights[0] = lamp;
    looks[2].lights[0] = along_x;
    looks[3].light_count = 3;
    looks[3].lights[0] = slanting;
    looks[3].lights[1] = lamp;
    looks[3].lights[2] = along_x;
    looks[4].smoke[1].albedo = brume_vec3(0.9f, 0.2f, 0.1f);
    looks[4].smoke[2].albedo = brume_vec3(0.1f, 0.3f, 0.9f);
    looks[5].light_count = 0;
    looks[5].sky_zenith = brume_vec3(0.9f, 0.1f, 0.4f);
    looks[6].ground_albedo = brume_vec3(0.8f, 0.1f, 0.1f);
    looks[6].surface_count = 1;
    looks[6].surfaces[0] =
        (BrumeSurface){{BRUME_SHAPE_SPHERE, {0.3f, 0.2f, 0.2f}, {0.0f, 0.0f, 0.0f}, 0.15f}, {0.6f, 0.3f, 0.2f}};
    looks[7].step = 2.0f;
    looks[7].anisotropy = -0.3f;

    BrumeRenderer *changing = make(&looks[0], &plain);
    const size_t bytes = brume_renderer_bytes(changing);
    for (int n = 0; n <= 8; n++) {
        const BrumeRenderSettings *look = &looks[n % 8];
        const BrumeVolume *volume = n == 4 ? &colors : &plain;
        BrumeError error;
        assert_int_equal(brume_renderer_set_settings(changing, look, &error), BRUME_OK);
        BrumeRenderer *fresh = make(look, volume);
        assert_true(picture_of(changing, volume) == picture_of(fresh, volume));
        brume_renderer_destroy(fresh);
    }
    // back at the first look, only the field that is turned for lights along x is still held
    assert_int_equal(brume_renderer_bytes(changing), bytes + 26 * 38 * 26 * sizeof(float));
    brume_renderer_destroy(changing);
    plume_destroy(&plain);
    plume_destroy(&colors);
}

enum { SLAB = 16 };

// smoke of an even extinction [1/m] in a box from (-1, 0, -1) to (1, 2, 1)
static BrumeRenderer *even_slab(BrumeRenderSettings *look, float extinction)
{
    static float even[SLAB * SLAB * SLAB];
    for (int n = 0; n < SLAB * SLAB * SLAB; n++) {
        even[n] = 1.0f;
    }
    look->smoke[0].extinction = extinction;
    const BrumeVolume volume = {.nx = SLAB,
                                .ny = SLAB,
                                .nz = SLAB,
                                .sy = SLAB,
                                .sz = SLAB * SLAB,
                                .dx = 2.0f / SLAB,
                                .origin = {-1.0f, 0.0f, -1.0f},
                                .density = {even}};
    return make_lit(look, &volume);
}

static const BrumeCamera ahead = {.position = {0.0f, 1.0f, 5.0f}, .target = {0.0f, 1.0f, 0.0f}, .field_of_view = 40.0f};

static BrumePick pick_middle(const BrumeRenderer *renderer, const BrumeCamera *from)
{
    return brume_renderer_pick(renderer, from, 200, 100, 100.0f, 50.0f);
}

static void test_pick_in_smoke(void **state)
{
    (void)state;
    const float extinctions[] = {0.4f, 1.0f, 4.0f, 30.0f};
    for (size_t n = 0; n < sizeof extinctions / sizeof extinctions[0]; n++) {
        BrumeRenderSettings look = brume_default_render_settings();
        look.ground = false;
        BrumeRenderer *renderer = even_slab(&look, extinctions[n]);
        const BrumePick pick = pick_middle(renderer, &ahead);
        const double half = log(2.0) / (double)extinctions[n];
        assert_int_equal(pick.kind, BRUME_PICK_SMOKE);
        assert_near("distance to half of the light", pick.distance, 4.0 + half, 1e-4);
        assert_near("z where half of the light is left", pick.point.z, 1.0 - half, 1e-4);
        assert_near("y where half of the light is left", pick.point.y, 1.0, 1e-5);
        assert_near("where the box begins", pick.enter, 4.0, 1e-5);
        assert_near("where the box ends", pick.leave, 6.0, 1e-5);
        assert_int_equal(pick.surface, -1);

        // from inside, the box begins at once
        const BrumeCamera within = {.position = {0.0f, 1.0f, 0.9f}, .target = {0.0f, 1.0f, 0.0f}, .field_of_view = 40};
        const BrumePick near = pick_middle(renderer, &within);
        assert_near("where the box begins around the camera", near.enter, 0.0, 0.0);
        assert_near("where the box ends around the camera", near.leave, 1.9, 1e-5);
        if (half < 1.9) {
            assert_near("distance to half of the light from inside", near.distance, half, 1e-4);
        }
        brume_renderer_destroy(renderer);
    }
}

static void test_pick_behind_smoke(void **state)
{
    (void)state;
    // the smoke takes less than half on its 2 m
    BrumeRenderSettings look = brume_default_render_settings();
    look.surface_count = 2;
    look.surfaces[0] =
        (BrumeSurface){{BRUME_SHAPE_SPHERE, {5.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.5f}, {0.5f, 0.5f, 0.5f}};
    look.surfaces[1] =
        (BrumeSurface){{BRUME_SHAPE_SPHERE, {0.0f, 1.0f, -3.0f}, {0.0f, 0.0f, 0.0f}, 0.5f}, {0.5f, 0.5f, 0.5f}};
    BrumeRenderer *renderer = even_slab(&look, 0.3f);
    const BrumePick solid = pick_middle(renderer, &ahead);
    assert_int_equal(solid.kind, BRUME_PICK_SURFACE);
    assert_int_equal(solid.surface, 1);
    assert_near("distance to the sphere", solid.distance, 7.5, 1e-5);
    assert_near("z of the sphere", solid.point.z, -2.5, 1e-5);
    assert_true(solid.enter < solid.leave);

    const BrumeCamera down = {.position = {3.0f, 2.0f, 3.0f}, .target = {3.0f, 0.0f, 3.0f}, .field_of_view = 40.0f};
    const BrumePick ground = pick_middle(renderer, &down);
    assert_int_equal(ground.kind, BRUME_PICK_GROUND);
    assert_int_equal(ground.surface, -1);
    assert_near("distance to the ground", ground.distance, 2.0, 1e-5);
    assert_near("y of the ground", ground.point.y, 0.0, 1e-6);
    assert_true(ground.enter >= ground.leave);

    const BrumeCamera away = {.position = {0.0f, 1.0f, 5.0f}, .target = {0.0f, 1.1f, 6.0f}, .field_of_view = 40.0f};
    const BrumePick sky = pick_middle(renderer, &away);
    assert_int_equal(sky.kind, BRUME_PICK_SKY);
    assert_true(isinf(sky.distance));
    assert_true(sky.enter >= sky.leave); // the box lies behind

    // the corner of the picture looks past everything
    const BrumePick corner = brume_renderer_pick(renderer, &ahead, 200, 100, 0.5f, 0.5f);
    assert_int_equal(corner.kind, BRUME_PICK_SKY);
    brume_renderer_destroy(renderer);
}

// a solid in the smoke is picked only where the smoke before it takes less than half
static void test_pick_within_smoke(void **state)
{
    (void)state;
    BrumeRenderSettings look = brume_default_render_settings();
    look.surface_count = 1;
    look.surfaces[0] =
        (BrumeSurface){{BRUME_SHAPE_SPHERE, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.5f}, {0.5f, 0.5f, 0.5f}};
    BrumeRenderer *thin = even_slab(&look, 1.3f); // 0.65 before the sphere, and ln 2 is 0.693
    const BrumePick through = pick_middle(thin, &ahead);
    assert_int_equal(through.kind, BRUME_PICK_SURFACE);
    assert_near("distance to the sphere in the smoke", through.distance, 4.5, 1e-5);
    brume_renderer_destroy(thin);
    BrumeRenderer *thick = even_slab(&look, 1.5f);
    const BrumePick before = pick_middle(thick, &ahead);
    assert_int_equal(before.kind, BRUME_PICK_SMOKE);
    assert_near("distance to half before the sphere", before.distance, 4.0 + log(2.0) / 1.5, 1e-4);
    brume_renderer_destroy(thick);
}

static void test_pick_before_anything_is_loaded(void **state)
{
    (void)state;
    const BrumeRenderSettings look = brume_default_render_settings();
    const BrumeVolume size = {.nx = 8, .ny = 8, .nz = 8};
    BrumeRenderer *renderer = make(&look, &size);
    const BrumePick pick = brume_renderer_pick(renderer, &ahead, 200, 100, 100.0f, 100.0f);
    assert_int_equal(pick.kind, BRUME_PICK_GROUND);
    assert_near("distance to the ground", pick.distance, 1.0 / sin(20.0 * acos(-1.0) / 180.0), 1e-4);
    assert_true(pick.enter >= pick.leave);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_make_the_whole), cmocka_unit_test(test_a_step_of_its_own),
        cmocka_unit_test(test_stop_leaves_the_rest), cmocka_unit_test(test_a_changed_look_is_a_fresh_one),
        cmocka_unit_test(test_pick_in_smoke),        cmocka_unit_test(test_pick_behind_smoke),
        cmocka_unit_test(test_pick_within_smoke),    cmocka_unit_test(test_pick_before_anything_is_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
