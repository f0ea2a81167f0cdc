// Pictures drawn in parts, progress and interruption, changed settings, volumes that are refused, and picking.
#include "brume/renderer.h"
#include "core/hash.h"
#include "core/parallel/threads.h"
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

static BrumeRenderer *make(const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    return renderer;
}

static BrumeRenderer *make_lit(const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    BrumeRenderer *renderer = make(settings, volume);
    BrumeError error;
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
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
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    float *whole = zeros();
    brume_renderer_draw(renderer, &camera, &def, whole, NULL);

    float *sum = zeros();
    const int samples[] = {0, 1, 4, SAMPLES};
    const int columns[] = {0, 37, WIDTH};
    for (int half = 1; half >= 0; half--) { // columns in any order, samples in theirs
        for (int range = 0; range < 3; range++) {
            const BrumeDrawPart part = {.left = columns[half],
                                        .right = columns[half + 1],
                                        .first_sample = samples[range],
                                        .end_sample = samples[range + 1]};
            assert_int_equal(brume_renderer_draw_part(renderer, &camera, &def, &part, sum, NULL), BRUME_OK);
        }
    }
    const float share = 1.0f / (float)SAMPLES;
    for (int n = 0; n < FLOATS; n++) {
        sum[n] *= share;
    }
    assert_memory_equal(sum, whole, FLOATS * sizeof(float));

    // no columns, and no samples
    const BrumeDrawPart nothing = {.left = 40, .right = 40, .end_sample = SAMPLES};
    const BrumeDrawPart no_samples = {.right = WIDTH, .first_sample = 2, .end_sample = 2};
    assert_int_equal(brume_renderer_draw_part(renderer, &camera, &def, &nothing, sum, NULL), BRUME_OK);
    assert_int_equal(brume_renderer_draw_part(renderer, &camera, &def, &no_samples, sum, NULL), BRUME_OK);
    assert_memory_equal(sum, whole, FLOATS * sizeof(float));
    free(sum);
    free(whole);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// the step of a picture replaces the step of the settings for camera rays, but not for shadow rays
static void test_the_step_of_a_picture(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    BrumeDrawDef coarse = def;
    coarse.step = 2.5f;
    float *own = zeros();
    float *usual = zeros();
    brume_renderer_draw(renderer, &camera, &coarse, own, NULL);
    brume_renderer_draw(renderer, &camera, &def, usual, NULL);
    assert_memory_not_equal(own, usual, FLOATS * sizeof(float));
    brume_renderer_destroy(renderer);
    settings.step = 2.5f;
    renderer = make_lit(&settings, &volume);
    brume_renderer_draw(renderer, &camera, &def, usual, NULL);
    assert_memory_equal(own, usual, FLOATS * sizeof(float));
    brume_renderer_destroy(renderer);
    free(own);
    free(usual);
    plume_destroy(&volume);
}

static bool continue_for(void *context, double fraction)
{
    (void)fraction;
    atomic_int *left = context;
    return atomic_fetch_sub(left, 1) > 0;
}

// The number of tiles of 16 x 16 pixels (the last of rows and columns are smaller) that one sample has been added to,
// where all pixels were -1 before. The others must be unchanged.
static int whole_tiles(const float *sum, const float *sample)
{
    int count = 0;
    for (int y0 = 0; y0 < HEIGHT; y0 += 16) {
        for (int x0 = 0; x0 < WIDTH; x0 += 16) {
            int drawn = 0;
            int pixels = 0;
            for (int y = y0; y < y0 + 16 && y < HEIGHT; y++) {
                for (int x = x0; x < x0 + 16 && x < WIDTH; x++) {
                    const int n = 3 * (y * WIDTH + x);
                    assert_true(sum[n] == -1.0f || sum[n] == -1.0f + sample[n]);
                    drawn += sum[n] != -1.0f;
                    pixels++;
                }
            }
            assert_true(drawn == 0 || drawn == pixels);
            count += drawn > 0;
        }
    }
    return count;
}

static void test_interruption_leaves_the_rest(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    float *whole = zeros();
    const BrumeDrawDef once = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    brume_renderer_draw(renderer, &camera, &once, whole, NULL);
    for (int threads = 1; threads <= 3; threads += 2) {
        brume_set_threads(threads);
        for (int tiles = 0; tiles < 6; tiles += 5) {
            float *some = malloc(FLOATS * sizeof *some);
            assert_non_null(some);
            for (int n = 0; n < FLOATS; n++) {
                some[n] = -1.0f;
            }
            atomic_int left = tiles;
            const BrumeDrawPart part = {.right = WIDTH, .end_sample = 1};
            BrumeDrawDef stopped = once;
            stopped.progress = continue_for;
            stopped.context = &left;
            BrumeError error = {0};
            assert_int_equal(brume_renderer_draw_part(renderer, &camera, &stopped, &part, some, &error),
                             BRUME_INTERRUPTED);
            assert_int_equal(error.status, BRUME_INTERRUPTED);
            assert_int_equal(whole_tiles(some, whole), tiles);
            free(some);
        }
    }
    brume_set_threads(before);
    free(whole);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// the arguments that the progress function of a picture received
typedef struct ProgressLog {
    atomic_int running; // calls at this moment
    bool concurrent;
    int calls;
    double last;
    bool rising;
} ProgressLog;

static bool log_progress(void *context, double fraction)
{
    ProgressLog *log = context;
    log->concurrent |= atomic_fetch_add(&log->running, 1) != 0;
    log->calls++;
    log->rising &= fraction >= log->last;
    log->last = fraction;
    (void)atomic_fetch_sub(&log->running, 1);
    return true;
}

static void test_progress_rises_to_1(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    float *plain = zeros();
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, plain, NULL), BRUME_OK);
    for (int threads = 1; threads <= 3; threads++) {
        brume_set_threads(threads);
        ProgressLog log = {.rising = true};
        BrumeDrawDef watched = def;
        watched.progress = log_progress;
        watched.context = &log;
        float *radiance = zeros();
        assert_int_equal(brume_renderer_draw(renderer, &camera, &watched, radiance, NULL), BRUME_OK);
        assert_memory_equal(radiance, plain, FLOATS * sizeof(float));
        assert_int_equal(log.calls, 6 * 4 + 1); // tiles, and the end
        assert_false(log.concurrent);
        assert_true(log.rising);
        assert_near("fraction at the end", log.last, 1.0, 0.0);
        free(radiance);
    }
    brume_set_threads(before);
    free(plain);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// tiles that are drawn before the interruption are final, the others 0
static void test_interrupted_picture(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    float *whole = zeros();
    float *some = zeros();
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, whole, NULL), BRUME_OK);
    atomic_int left = 7;
    BrumeDrawDef stopped = def;
    stopped.progress = continue_for;
    stopped.context = &left;
    some[0] = 5.0f;
    const int before = brume_get_threads();
    brume_set_threads(1); // draws tiles in their order
    BrumeError error = {0};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &stopped, some, &error), BRUME_INTERRUPTED);
    assert_int_equal(error.status, BRUME_INTERRUPTED);
    assert_string_equal(error.text, "the picture was stopped");
    brume_set_threads(before);
    int drawn = 0;
    for (int n = 0; n < FLOATS; n += 3) {
        drawn += some[n] != 0.0f;
        assert_true(some[n] == 0.0f || memcmp(some + n, whole + n, 3 * sizeof(float)) == 0);
    }
    assert_int_equal(drawn, WIDTH * 16 + 16 * 16); // a row of tiles and one more
    free(some);
    free(whole);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void assert_load_refused(BrumeRenderer *renderer, BrumeVolume volume, const char *reason)
{
    BrumeError error = {0};
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_BAD_INPUT);
    assert_int_equal(error.status, BRUME_BAD_INPUT);
    if (strstr(error.text, reason) == NULL) {
        fail_msg("'%s' does not mention '%s'", error.text, reason);
    }
}

static void test_bad_volumes_are_refused(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    float *expected = zeros();
    float *radiance = zeros();
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, expected, NULL), BRUME_OK);

    BrumeVolume bad = volume;
    bad.nx = 25;
    assert_load_refused(renderer, bad, "25 x 36 x 24 cells");
    bad = volume;
    bad.nz = 0;
    assert_load_refused(renderer, bad, "24 x 36 x 0 cells");
    bad = volume;
    bad.sy = 0;
    assert_load_refused(renderer, bad, "entries apart");
    bad = volume;
    bad.sz = 23;
    assert_load_refused(renderer, bad, "entries apart");
    const float sizes[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        bad = volume;
        bad.dx = sizes[n];
        assert_load_refused(renderer, bad, "sides of");
    }
    bad = volume;
    bad.origin.y = NAN;
    assert_load_refused(renderer, bad, "sides of");

    // the volume that was loaded before is still there
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, radiance, NULL), BRUME_OK);
    assert_memory_equal(radiance, expected, FLOATS * sizeof(float));
    free(radiance);
    free(expected);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void test_bad_settings_are_refused(void **state)
{
    (void)state;
    BrumeRenderSettings bad[6];
    for (int n = 0; n < 6; n++) {
        bad[n] = brume_default_render_settings();
    }
    bad[0].step = 0.0f;
    bad[1].step = NAN;
    bad[2].light_count = BRUME_MAX_LIGHTS + 1;
    bad[3].surface_count = -1;
    bad[4].lights[0].direction = brume_vec3(0.0f, 0.0f, 0.0f);
    bad[5].lights[0] = (BrumeLight){.kind = BRUME_LIGHT_POINT, .position = {NAN, 0.0f, 0.0f}};
    const BrumeRenderSettings good = brume_default_render_settings();
    BrumeError error = {0};
    BrumeRenderer *existing = NULL;
    assert_int_equal(brume_renderer_create(&existing, 8, 8, 8, &good, &error), BRUME_OK);
    for (int n = 0; n < 6; n++) {
        BrumeRenderer *renderer = existing;
        assert_int_equal(brume_renderer_create(&renderer, 8, 8, 8, &bad[n], &error), BRUME_BAD_INPUT);
        assert_null(renderer);
        assert_int_equal(brume_renderer_set_settings(existing, &bad[n], &error), BRUME_BAD_INPUT);
    }
    BrumeRenderer *renderer = existing;
    assert_int_equal(brume_renderer_create(&renderer, 8, 0, 8, &good, &error), BRUME_BAD_INPUT);
    assert_null(renderer);

    // nothing has been lit, and no picture without pixels
    float pixel[3] = {1.0f, 2.0f, 3.0f};
    BrumeDrawDef small = brume_default_draw_def();
    assert_true(small.width > 0 && small.height > 0 && small.samples > 0);
    small.width = small.height = 1;
    assert_int_equal(brume_renderer_light(existing, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "the light of a volume needs a volume that was loaded");
    assert_int_equal(brume_renderer_draw(existing, &camera, &small, pixel, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "a picture needs the light of a loaded volume"));
    static const float nothing[8 * 8 * 8];
    const BrumeVolume volume = brume_volume_from_array(nothing, 8, 8, 8, 0.125f, brume_vec3(0.0f, 0.0f, 0.0f));
    assert_int_equal(brume_renderer_load(existing, &volume, &error), BRUME_OK);
    assert_int_equal(brume_renderer_draw(existing, &camera, &small, pixel, NULL), BRUME_BAD_INPUT);
    assert_int_equal(brume_renderer_light(existing, &error), BRUME_OK);
    small.samples = 0;
    assert_int_equal(brume_renderer_draw(existing, &camera, &small, pixel, NULL), BRUME_BAD_INPUT);
    assert_true(pixel[0] == 1.0f && pixel[1] == 2.0f && pixel[2] == 3.0f);
    small.samples = 1;
    assert_int_equal(brume_renderer_draw(existing, &camera, &small, pixel, NULL), BRUME_OK);
    assert_null(brume_renderer_user_data(existing));
    brume_renderer_set_user_data(existing, pixel);
    assert_int_equal(brume_renderer_set_settings(existing, &good, &error), BRUME_OK);
    assert_ptr_equal(brume_renderer_user_data(existing), pixel);
    brume_renderer_destroy(existing);
}

// an array without gaps, and the box around its smoke
static void test_volume_from_an_array(void **state)
{
    (void)state;
    enum { NX = 20, NY = 18, NZ = 33 };
    static float density[NZ][NY][NX];
    const BrumeVec3 origin = {1.0f, 2.0f, 3.0f};
    const BrumeVolume volume = brume_volume_from_array(&density[0][0][0], NX, NY, NZ, 0.5f, origin);
    assert_true(volume.nx == NX && volume.ny == NY && volume.nz == NZ && volume.sy == NX && volume.sz == NX * NY);
    assert_true(volume.density[0] == &density[0][0][0] && volume.density[1] == NULL && volume.density[3] == NULL);

    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeRenderer *renderer = make_lit(&settings, &volume);
    BrumeVec3 lower = {7.0f, 7.0f, 7.0f};
    BrumeVec3 upper = {8.0f, 8.0f, 8.0f};
    assert_false(brume_renderer_bounds(renderer, &lower, &upper));
    assert_true(lower.x == 7.0f && upper.z == 8.0f);
    brume_renderer_destroy(renderer);

    density[20][4][10] = 1.0f; // its macro-cell is (1, 0, 2), of entries 8 to 16, 0 to 8 and 16 to 24 with ghosts
    renderer = make_lit(&settings, &volume);
    assert_true(brume_renderer_bounds(renderer, &lower, &upper));
    assert_near("lower x", lower.x, 1.0 + 0.5 * 7.5, 1e-6);
    assert_near("upper x", upper.x, 1.0 + 0.5 * 15.5, 1e-6);
    assert_near("lower y", lower.y, 2.0, 1e-6);
    assert_near("upper y", upper.y, 2.0 + 0.5 * 7.5, 1e-6);
    assert_near("lower z", lower.z, 3.0 + 0.5 * 15.5, 1e-6);
    assert_near("upper z", upper.z, 3.0 + 0.5 * 23.5, 1e-6);
    density[20][4][10] = 0.0f;
    brume_renderer_destroy(renderer);
}

static uint64_t picture_of(BrumeRenderer *renderer, const BrumeVolume *volume)
{
    float *radiance = zeros();
    const BrumeDrawDef once = {.width = WIDTH, .height = HEIGHT, .samples = 1, .seed = 9};
    BrumeError error;
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    assert_int_equal(brume_renderer_draw(renderer, &camera, &once, radiance, NULL), BRUME_OK);
    const uint64_t hash = brume_hash_bytes(radiance, FLOATS * sizeof(float), 0);
    free(radiance);
    return hash;
}

// one renderer through many settings gives the pictures of renderers that are created with them
static void test_changed_settings_equal_a_new_renderer(void **state)
{
    (void)state;
    BrumeVolume plain = plume_create(24, 0);
    BrumeVolume colors = plume_create(24, 1);
    const BrumeLight light = {
        .kind = BRUME_LIGHT_POINT, .position = {0.4f, 0.5f, 0.45f}, .color = {1.0f, 0.5f, 0.2f}, .intensity = 0.5f};
    const BrumeLight along_x = {
        .direction = {2.0f, -0.4f, 0.1f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 2.0f}; // not of unit length
    const BrumeLight slanting = {.direction = {0.9f, -0.8f, 0.7f}, .color = {1.0f, 0.9f, 0.8f}, .intensity = 2.0f};

    BrumeRenderSettings settings_list[8];
    for (int n = 0; n < 8; n++) {
        settings_list[n] = brume_default_render_settings();
        settings_list[n].lights[0].direction = brume_vec3(0.2f, -0.9f, 0.1f);
        for (int kind = 1; kind < BRUME_VOLUME_KINDS; kind++) { // one albedo for all kinds
            settings_list[n].smoke[kind].albedo = settings_list[n].smoke[0].albedo;
        }
    }
    settings_list[1].lights[0] = light;
    settings_list[2].lights[0] = along_x;
    settings_list[3].light_count = 3;
    settings_list[3].lights[0] = slanting;
    settings_list[3].lights[1] = light;
    settings_list[3].lights[2] = along_x;
    settings_list[4].smoke[1].albedo = brume_vec3(0.9f, 0.2f, 0.1f);
    settings_list[4].smoke[2].albedo = brume_vec3(0.1f, 0.3f, 0.9f);
    settings_list[5].light_count = 0;
    settings_list[5].sky_zenith = brume_vec3(0.9f, 0.1f, 0.4f);
    settings_list[6].ground_albedo = brume_vec3(0.8f, 0.1f, 0.1f);
    settings_list[6].surface_count = 1;
    settings_list[6].surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 0.2f, 0.2f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.15f},
        {0.6f, 0.3f, 0.2f}};
    settings_list[7].step = 2.0f;
    settings_list[7].anisotropy = -0.3f;

    BrumeRenderer *changing = make(&settings_list[0], &plain);
    const size_t bytes = brume_renderer_bytes(changing);
    for (int n = 0; n <= 8; n++) {
        const BrumeRenderSettings *settings = &settings_list[n % 8];
        const BrumeVolume *volume = n == 4 ? &colors : &plain;
        BrumeError error;
        assert_int_equal(brume_renderer_set_settings(changing, settings, &error), BRUME_OK);
        BrumeRenderer *fresh = make(settings, volume);
        assert_true(picture_of(changing, volume) == picture_of(fresh, volume));
        // the memory is known before it is allocated
        assert_int_equal(brume_renderer_bytes_needed(plain.nx, plain.ny, plain.nz, settings,
                                                     volume == &colors ? BRUME_VOLUME_KINDS : 1),
                         brume_renderer_bytes(fresh));
        brume_renderer_destroy(fresh);
    }
    // back at the first settings, only the transposed field of lights along x is still allocated
    assert_int_equal(brume_renderer_bytes(changing), bytes + 26 * 38 * 26 * sizeof(float));
    brume_renderer_destroy(changing);
    plume_destroy(&plain);
    plume_destroy(&colors);
}

enum { SLAB = 16 };

// smoke of uniform extinction [1/m] in a box from (-1, 0, -1) to (1, 2, 1)
static BrumeRenderer *uniform_slab(BrumeRenderSettings *settings, float extinction)
{
    static float uniform[SLAB * SLAB * SLAB];
    for (int n = 0; n < SLAB * SLAB * SLAB; n++) {
        uniform[n] = 1.0f;
    }
    settings->smoke[0].extinction = extinction;
    const BrumeVolume volume = {.nx = SLAB,
                                .ny = SLAB,
                                .nz = SLAB,
                                .sy = SLAB,
                                .sz = SLAB * SLAB,
                                .dx = 2.0f / SLAB,
                                .origin = {-1.0f, 0.0f, -1.0f},
                                .density = {uniform}};
    return make_lit(settings, &volume);
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
        BrumeRenderSettings settings = brume_default_render_settings();
        settings.ground = false;
        BrumeRenderer *renderer = uniform_slab(&settings, extinctions[n]);
        const BrumePick pick = pick_middle(renderer, &ahead);
        const double half = log(2.0) / (double)extinctions[n];
        assert_int_equal(pick.kind, BRUME_PICK_SMOKE);
        assert_near("distance to half of the light", pick.distance, 4.0 + half, 1e-4);
        assert_near("z where half of the light is left", pick.point.z, 1.0 - half, 1e-4);
        assert_near("y where half of the light is left", pick.point.y, 1.0, 1e-5);
        assert_near("where the box begins", pick.enter, 4.0, 1e-5);
        assert_near("where the box ends", pick.leave, 6.0, 1e-5);
        assert_int_equal(pick.surface, -1);

        // from inside, the interval begins at the camera
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
    // the transmittance of the 2 m of smoke is above 1/2
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.surface_count = 2;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {5.0f, 1.0f, 0.0f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.5f},
        {0.5f, 0.5f, 0.5f}};
    settings.surfaces[1] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 1.0f, -3.0f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.5f},
        {0.5f, 0.5f, 0.5f}};
    BrumeRenderer *renderer = uniform_slab(&settings, 0.3f);
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

    // parallel rays: 1.5 m to the right of the middle of a picture of 8 m x 4 m, no perspective moves the sphere at 5 m
    const BrumeCamera parallel = {
        .position = {3.6f, 1.0f, 5.0f}, .target = {3.6f, 1.0f, 0.0f}, .projection = BRUME_ORTHOGRAPHIC, .height = 4.0f};
    const BrumePick side = brume_renderer_pick(renderer, &parallel, 200, 100, 135.0f, 50.0f);
    assert_int_equal(side.kind, BRUME_PICK_SURFACE);
    assert_int_equal(side.surface, 0);
    assert_near("distance to the sphere at the side", side.distance, 4.5, 1e-5);
    assert_near("x of the sphere at the side", side.point.x, 5.0, 1e-5);

    // nothing is visible in the corner of the picture
    const BrumePick corner = brume_renderer_pick(renderer, &ahead, 200, 100, 0.5f, 0.5f);
    assert_int_equal(corner.kind, BRUME_PICK_SKY);
    brume_renderer_destroy(renderer);
}

// a solid inside the smoke is picked only where the transmittance in front of it is above 1/2
static void test_pick_within_smoke(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 1.0f, 0.0f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.5f},
        {0.5f, 0.5f, 0.5f}};
    BrumeRenderer *thin = uniform_slab(&settings, 1.3f); // 0.65 before the sphere, and ln 2 is 0.693
    const BrumePick through = pick_middle(thin, &ahead);
    assert_int_equal(through.kind, BRUME_PICK_SURFACE);
    assert_near("distance to the sphere in the smoke", through.distance, 4.5, 1e-5);
    brume_renderer_destroy(thin);
    BrumeRenderer *thick = uniform_slab(&settings, 1.5f);
    const BrumePick before = pick_middle(thick, &ahead);
    assert_int_equal(before.kind, BRUME_PICK_SMOKE);
    assert_near("distance to half before the sphere", before.distance, 4.0 + log(2.0) / 1.5, 1e-4);
    brume_renderer_destroy(thick);
}

static void test_pick_before_anything_is_loaded(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeVolume size = {.nx = 8, .ny = 8, .nz = 8};
    BrumeRenderer *renderer = make(&settings, &size);
    const BrumePick pick = brume_renderer_pick(renderer, &ahead, 200, 100, 100.0f, 100.0f);
    assert_int_equal(pick.kind, BRUME_PICK_GROUND);
    assert_near("distance to the ground", pick.distance, 1.0 / sin(20.0 * acos(-1.0) / 180.0), 1e-4);
    assert_true(pick.enter >= pick.leave);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_make_the_whole),
        cmocka_unit_test(test_the_step_of_a_picture),
        cmocka_unit_test(test_interruption_leaves_the_rest),
        cmocka_unit_test(test_changed_settings_equal_a_new_renderer),
        cmocka_unit_test(test_progress_rises_to_1),
        cmocka_unit_test(test_interrupted_picture),
        cmocka_unit_test(test_bad_volumes_are_refused),
        cmocka_unit_test(test_bad_settings_are_refused),
        cmocka_unit_test(test_volume_from_an_array),
        cmocka_unit_test(test_pick_in_smoke),
        cmocka_unit_test(test_pick_behind_smoke),
        cmocka_unit_test(test_pick_within_smoke),
        cmocka_unit_test(test_pick_before_anything_is_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
