// The render thread: a picture at rest has the bits of brume_renderer_draw, one in motion keeps to the time budget, and
// the last picture always answers the latest request.
#include "brume/measures.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "viewer/threads/render_thread.h"
#include "viewer/threads/simulation_thread.h"
#include "viewer/views/adaptive_resolution.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CELLS = 16, WIDTH = 60, HEIGHT = 44, SAMPLES = 6 };

static const double max_wait = 240.0; // longest wait for anything [s]

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
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.2f, 1.1f, 0.0f}, .radius = 0.15f};
    return def;
}

static BrumeRenderSettings settings_with_solid(void)
{
    BrumeRenderSettings render_settings = brume_default_render_settings();
    render_settings.surface_count = 1;
    render_settings.surfaces[0] = (BrumeSurface){.shape = small_def().bodies[0].shape, {0.7f, 0.3f, 0.2f}};
    return render_settings;
}

static BrumeRenderRequest first_request(void)
{
    return (BrumeRenderRequest){
        .camera = {.position = {0.4f, 0.9f, 3.2f}, .target = {0.0f, 0.6f, 0.0f}, .field_of_view = 40.0f},
        .view = {.render_settings = settings_with_solid(), .iso_level = 0.3f, .slice_axis = 2, .slice_at = 0.5f},
        .width = WIDTH,
        .height = HEIGHT,
        .cpu = true,
        .samples = SAMPLES,
        .budget_ms = 20.0,
        .divider = 0.5f,
    };
}

static BrumeSimulationThread *create_simulation_thread(bool running)
{
    const BrumeSimulationThreadDef def = {.settings = small_def(), .threads = 1, .running = running};
    BrumeSimulationThread *simulation_thread = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&simulation_thread, &def, &error), BRUME_OK);
    brume_simulation_thread_set_speed_limit(simulation_thread, INFINITY);
    return simulation_thread;
}

// holds the thread that prepares views when it has acquired a frame
typedef struct Gate {
    int frame; // that is held
    atomic_bool held, open;
} Gate;

static void hold_state(void *context, const BrumeSnapshot *snapshot)
{
    Gate *gate = context;
    if (snapshot->frame == gate->frame) {
        atomic_store(&gate->held, true);
        while (!atomic_load(&gate->open)) {
            usleep(200);
        }
    }
}

static BrumeRenderThread *create_of(BrumeStateSource *source, Gate *gate)
{
    static BrumeStateSwitch states;
    states = (BrumeStateSwitch){.present = source};
    const BrumeRenderThreadDef def = {
        .states = &states, .threads = 2, .use = gate ? hold_state : NULL, .use_context = gate};
    BrumeRenderThread *render_thread = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_render_thread_create(&render_thread, &def, &error), BRUME_OK);
    return render_thread;
}

static BrumeRenderThread *create_render_thread(BrumeSimulationThread *simulation_thread)
{
    return create_of(brume_simulation_thread_source(simulation_thread), NULL);
}

static void advance(BrumeSimulationThread *simulation_thread, BrumeRenderThread *render_thread, int frames)
{
    const int wanted = brume_render_thread_snapshot_info(render_thread)->frame + frames;
    for (int n = 0; n < frames; n++) {
        brume_simulation_thread_request_frame(simulation_thread);
    }
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    } while (brume_render_thread_snapshot_info(render_thread)->frame < wanted);
    assert_int_equal(brume_render_thread_snapshot_info(render_thread)->frame, wanted);
}

// waits for a picture of that frame or a later one, and a finished one if `finished`
static const BrumeRenderedPicture *wait_for(BrumeRenderThread *render_thread, int frame, bool finished)
{
    const double start = brume_seconds();
    const BrumeRenderedPicture *picture = NULL;
    uint64_t serial = 0;
    for (;;) {
        const bool is_new = brume_render_thread_poll_picture(render_thread, &picture);
        assert_true(!picture || (is_new ? picture->serial > serial : picture->serial >= serial));
        serial = picture ? picture->serial : 0;
        if (picture && picture->frame >= frame && (picture->finished || !finished)) {
            assert_string_equal(picture->error.text, "");
            return picture;
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

static bool same_camera(const BrumeCamera *a, const BrumeCamera *b) { return memcmp(a, b, sizeof *a) == 0; }

static const BrumeRenderedPicture *wait_for_request(BrumeRenderThread *render_thread, const BrumeRenderRequest *request)
{
    const double start = brume_seconds();
    for (;;) {
        const BrumeRenderedPicture *picture = wait_for(render_thread, 0, true);
        if (same_camera(&picture->request.camera, &request->camera) &&
            picture->request.view.kind == request->view.kind && picture->request.view.slice == request->view.slice &&
            picture->request.view.streamlines == request->view.streamlines && picture->request.cpu == request->cpu) {
            return picture;
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

// the picture of `brume render` for a variant
static void draw_expected(const BrumeSnapshotVariant *variant, const BrumeRenderRequest *request,
                          const BrumeRenderSettings *render_settings, int frame, uint8_t *rgb)
{
    const BrumeVolume volume = brume_snapshot_volume(variant);
    BrumeRenderer *renderer = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, render_settings, &error),
                     BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    float *radiance = malloc((size_t)request->width * (size_t)request->height * 3 * sizeof *radiance);
    assert_non_null(radiance);
    const BrumeDrawDef def = {
        .width = request->width, .height = request->height, .samples = request->samples, .seed = (uint32_t)frame};
    assert_int_equal(brume_renderer_draw(renderer, &request->camera, &def, radiance, NULL), BRUME_OK);
    brume_tone_map(render_settings, request->width, request->height, radiance, rgb);
    free(radiance);
    brume_renderer_destroy(renderer);
}

static void test_picture_at_rest_equals_the_renderers(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    const BrumeRenderedPicture *picture = NULL;
    assert_false(brume_render_thread_poll_picture(render_thread, &picture));
    assert_null(picture);
    const BrumeRenderRequest request = first_request();
    (void)brume_render_thread_request(render_thread, &request);
    const BrumeBodyMotion motion = {.displacement = {-0.05f, 0.0f, 0.0f}};
    brume_simulation_thread_move_body(simulation_thread, &motion);
    advance(simulation_thread, render_thread, 4);
    picture = wait_for(render_thread, 4, true);
    assert_int_equal(picture->width, WIDTH);
    assert_int_equal(picture->height, HEIGHT);
    assert_int_equal(picture->samples, SAMPLES);
    assert_true(picture->view_serial > 0);

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
    BrumeSnapshot snapshot = {.variant_count = 1};
    assert_int_equal(brume_snapshot_capture(&snapshot.variants[0], sim, &stats, &error), BRUME_OK);
    BrumeMeasures measures;
    brume_sim_measure(sim, &measures); // the snapshot has the forces on the bodies
    assert_false(snapshot.variants[0].has_forces);
    brume_snapshot_measure_forces(&snapshot.variants[0], sim);
    assert_true(snapshot.variants[0].has_forces && snapshot.variants[0].forces[0].y > 0.0f);
    for (int axis = 0; axis < 3; axis++) {
        const double force = measures.bodies[0].pressure[axis] + measures.bodies[0].viscous[axis];
        assert_true(brume_component(snapshot.variants[0].forces[0], axis) == (float)force);
    }
    BrumeRenderSettings render_settings = request.view.render_settings;
    render_settings.surfaces[0].shape = snapshot.variants[0].settings.bodies[0].shape; // at its new position
    assert_true(render_settings.surfaces[0].shape.a.x < 0.17f);
    assert_true(picture->render_settings[0].surfaces[0].shape.a.x == render_settings.surfaces[0].shape.a.x);
    static uint8_t expected[WIDTH * HEIGHT * 3];
    draw_expected(&snapshot.variants[0], &request, &render_settings, 4, expected);
    assert_memory_equal(picture->rgb, expected, sizeof expected);

    // two equal variants give the same picture as one, wherever the divider is
    brume_simulation_thread_fork(simulation_thread, 0);
    brume_simulation_thread_reset(simulation_thread);
    const BrumeSnapshot *info;
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        info = brume_render_thread_snapshot_info(render_thread);
    } while (info->variant_count < 2 || info->frame > 0); // the restart may be published after the fork
    brume_simulation_thread_move_body(simulation_thread, &motion);
    advance(simulation_thread, render_thread, 4);
    do { // until then, the picture of frame 4 before the fork is the latest one
        picture = wait_for(render_thread, 4, true);
        assert_true(brume_seconds() - start < max_wait);
    } while (picture->variant_count < 2);
    assert_memory_equal(picture->rgb, expected, sizeof expected);

    brume_snapshot_destroy(&snapshot);
    brume_sim_destroy(sim);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

// two looks of one state: at rest, each side has the pixels of the picture with its look alone
static void test_two_looks_of_one_state(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.divider = 0.6f;
    (void)brume_render_thread_request(render_thread, &request);
    assert_int_equal(wait_for_request(render_thread, &request)->variant_count, 1);
    static uint8_t alone[2][WIDTH * HEIGHT * 3];
    BrumeRenderSettings looks[2] = {request.view.render_settings, request.view.render_settings};
    looks[1].exposure -= 1.0f;
    looks[1].tone = BRUME_TONE_LINEAR;
    looks[1].smoke[0].albedo = (BrumeVec3){0.1f, 0.2f, 0.4f};
    looks[1].sky_zenith = (BrumeVec3){0.9f, 0.5f, 0.1f};
    for (int n = 0; n < 2; n++) {
        request.view.render_settings = looks[n];
        request.camera.position.x += 0.1f; // another request than before
        (void)brume_render_thread_request(render_thread, &request);
        (void)wait_for_request(render_thread, &request);
        request.camera.position.x -= 0.1f;
        (void)brume_render_thread_request(render_thread, &request);
        memcpy(alone[n], wait_for_request(render_thread, &request)->rgb, sizeof alone[n]);
    }
    request.view.render_settings = looks[0];
    request.view.two_looks = true;
    request.view.other_look = looks[1];
    assert_true(brume_render_thread_request(render_thread, &request));
    const double start = brume_seconds();
    const BrumeRenderedPicture *picture = NULL;
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        (void)brume_render_thread_poll_picture(render_thread, &picture);
    } while (!picture->request.view.two_looks || !picture->finished);
    assert_int_equal(picture->variant_count, 2);
    assert_true(picture->render_settings[1].exposure == looks[1].exposure);
    const int split = (int)lroundf(WIDTH * request.divider);
    int differing = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const int side = n % WIDTH < split ? 0 : 1;
        assert_memory_equal(&picture->rgb[3 * n], &alone[side][3 * n], 3);
        differing += memcmp(&alone[0][3 * n], &alone[1][3 * n], 3) != 0;
    }
    assert_true(differing > WIDTH * HEIGHT / 4);
    BrumePick pick[2];
    for (int n = 0; n < 2; n++) { // both sides can be picked
        pick[n] =
            brume_render_thread_pick(render_thread, n, &request.camera, WIDTH, HEIGHT, 0.5f * WIDTH, 0.9f * HEIGHT);
    }
    assert_int_equal(pick[0].kind, pick[1].kind);
    assert_true(pick[0].distance == pick[1].distance);
    request.view.other_look.exposure += 0.5f; // the second look alone is another picture, too
    assert_true(brume_render_thread_request(render_thread, &request));
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_adaptive_resolution_keeps_the_budget(void **state)
{
    (void)state;
    const double pixels = 1200.0 * 600.0;
    BrumeAdaptiveResolution resolution = {0};
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 10.0, pixels, false), 4); // not measured yet
    // 1e-4 ms for each ray through the smoke, 1e-5 ms for each pixel: at full size 72 ms, and 25.2, 15.2, 11.7 ms
    brume_adaptive_resolution_record(&resolution, 1e-4 * 45000.0, 45000.0, 1e-5 * pixels, pixels);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 72.0, pixels, false), 2); // full size is too close
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 110.0, pixels, false), 1);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 65.0, pixels, false), 1); // tolerates a bit more
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 20.0, pixels, false), 3);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, pixels, false), 4);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-9, 2.0, false), 4);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, 1280.0 * 720.0, false), 4); // 320 x 180 rays
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, 1280.0 * 720.0, true), 6);  // 213 x 120
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, 1280.0 * 720.0, false), 4);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, 1920.0 * 1080.0, false), 6);
    assert_int_equal(brume_adaptive_resolution_choose(&resolution, 1e-3, 3840.0 * 2160.0, false), 8);
    // a picture whose smoke is at full size says nothing about the pixels of the others
    brume_adaptive_resolution_record(&resolution, 1e-4 * pixels, pixels, 0.0, 0.0);
    assert_true(fabs(resolution.ms_per_pixel - 1e-5) < 1e-12);
    // times that vary around a threshold change nothing
    resolution = (BrumeAdaptiveResolution){.shrink = 2, .ms_per_node = 1e-4, .ms_per_pixel = 1e-5};
    for (int n = 0; n < 20; n++) {
        const double factor = n % 2 ? 0.85 : 1.15;
        brume_adaptive_resolution_record(&resolution, factor * 1e-4 * 1e4, 1e4, factor * 1e-5 * 1e5, 1e5);
        assert_int_equal(brume_adaptive_resolution_choose(&resolution, 25.0, pixels, false), 2);
    }
}

static void test_budget_follows_what_moves(void **state)
{
    (void)state;
    BrumePictureMotion motion = {.camera_moves = true, .source_runs = true, .state_interval = 0.05};
    assert_float_equal(brume_picture_budget(12.0, &motion), 12.0, 1e-12);
    motion.source_is_late = true;
    assert_float_equal(brume_picture_budget(12.0, &motion), 6.0, 1e-12);
    motion.camera_moves = false; // two fifths of the time between two states
    assert_float_equal(brume_picture_budget(12.0, &motion), 10.0, 1e-12);
    motion.source_is_late = false;
    assert_float_equal(brume_picture_budget(12.0, &motion), 20.0, 1e-12);
    motion.state_interval = 0.01; // not less than while the camera moves, too
    assert_float_equal(brume_picture_budget(12.0, &motion), 12.0, 1e-12);
    motion.state_interval = 10.0;
    assert_float_equal(brume_picture_budget(12.0, &motion), 40.0, 1e-12);
    motion.source_runs = false;
    assert_float_equal(brume_picture_budget(12.0, &motion), 24.0, 1e-12);
}

// the divisor for OpenGL: enough to keep to the budget, and one step of hysteresis
static void test_shrink_keeps_the_budget(void **state)
{
    (void)state;
    assert_int_equal(brume_choose_shrink(0.0, 14.0, 1), 1); // not measured yet
    assert_int_equal(brume_choose_shrink(13.0, 14.0, 1), 1);
    assert_int_equal(brume_choose_shrink(18.0, 14.0, 1), 1); // less than 1.3 times the budget
    assert_int_equal(brume_choose_shrink(19.0, 14.0, 1), 2);
    assert_int_equal(brume_choose_shrink(19.0, 14.0, 2), 2);
    assert_int_equal(brume_choose_shrink(13.0, 14.0, 2), 1);
    assert_int_equal(brume_choose_shrink(60.0, 14.0, 2), 2);
    assert_int_equal(brume_choose_shrink(100.0, 14.0, 1), 3);
    assert_int_equal(brume_choose_shrink(1e6, 14.0, 1), 4);
}

static void test_motion_is_coarse_and_rest_is_fine(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.budget_ms = 1e-3; // impossible to keep
    uint64_t serial = 0;
    int coarse = 0;
    for (int n = 1; n <= 10; n++) {
        request.camera.position.x = 0.1f * (float)n;
        (void)brume_render_thread_request(render_thread, &request);
        const double start = brume_seconds();
        const BrumeRenderedPicture *picture = NULL;
        while (!brume_render_thread_poll_picture(render_thread, &picture) || picture->serial == serial ||
               !same_camera(&picture->request.camera, &request.camera)) {
            assert_true(brume_seconds() - start < max_wait);
            usleep(200);
        }
        serial = picture->serial;
        assert_int_equal(picture->width, WIDTH); // surfaces are drawn at full size
        assert_int_equal(picture->height, HEIGHT);
        if (picture->shrink > 1) {
            coarse++;
            assert_int_equal(picture->shrink, 4);
            assert_int_equal(picture->samples, 1);
            assert_false(picture->finished);
        }
    }
    const BrumeRenderedPicture *picture = wait_for_request(render_thread, &request);
    assert_true(coarse > 0); // of ten; the others may have been refined before they were seen
    assert_int_equal(picture->width, WIDTH);
    assert_int_equal(picture->shrink, 1);
    assert_int_equal(picture->samples, SAMPLES);
    serial = picture->serial;
    usleep(50000);
    assert_false(brume_render_thread_poll_picture(render_thread, &picture)); // nothing is left to refine
    assert_true(picture->serial == serial);

    // a budget that is never exceeded: smoke at full size at once
    request.budget_ms = 1e6;
    request.camera.position.x = -0.3f;
    (void)brume_render_thread_request(render_thread, &request);
    const double start = brume_seconds();
    do {
        (void)brume_render_thread_poll_picture(render_thread, &picture);
        assert_true(brume_seconds() - start < max_wait);
        assert_true(!same_camera(&picture->request.camera, &request.camera) || picture->shrink == 1);
        usleep(200);
    } while (!same_camera(&picture->request.camera, &request.camera) || !picture->finished);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

// waits for a picture of a camera, which may be one in motion
static const BrumeRenderedPicture *wait_for_camera(BrumeRenderThread *render_thread, const BrumeCamera *camera)
{
    const double start = brume_seconds();
    const BrumeRenderedPicture *picture = NULL;
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(200);
        (void)brume_render_thread_poll_picture(render_thread, &picture);
    } while (!picture || !same_camera(&picture->request.camera, camera));
    return picture;
}

// However long preparing a state takes, the camera has pictures of the state before, none of which is refined; the new
// one follows by itself.
static void test_pictures_go_on_while_a_state_is_prepared(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    Gate gate = {.frame = 1};
    atomic_init(&gate.held, false);
    atomic_init(&gate.open, false);
    BrumeRenderThread *render_thread = create_of(brume_simulation_thread_source(simulation_thread), &gate);
    BrumeRenderRequest request = first_request();
    request.budget_ms = 1e-3;
    (void)brume_render_thread_request(render_thread, &request);
    assert_int_equal(wait_for(render_thread, 0, true)->frame, 0);
    brume_simulation_thread_request_frame(simulation_thread);
    const double start = brume_seconds();
    while (!atomic_load(&gate.held)) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(200);
    }
    for (int n = 1; n <= 5; n++) {
        request.camera.position.x += 0.1f;
        (void)brume_render_thread_request(render_thread, &request);
        const BrumeRenderedPicture *picture = wait_for_camera(render_thread, &request.camera);
        assert_int_equal(picture->frame, 0);
        assert_false(picture->finished);
        assert_true(picture->shrink > 1);
    }
    request.view.iso_level += 0.1f; // has no effect on this view
    request.view.slice = true;      // waits, too: no picture says that it has the slice
    (void)brume_render_thread_request(render_thread, &request);
    const BrumeRenderedPicture *picture = NULL;
    usleep(20000);
    (void)brume_render_thread_poll_picture(render_thread, &picture);
    assert_false(picture->request.view.slice || picture->finished);
    atomic_store(&gate.open, true);
    picture = wait_for_request(render_thread, &request);
    assert_int_equal(picture->frame, 1);
    assert_true(picture->geometry[0]->has_slice);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

// publishes a state whose fields belong to the test
static void publish(BrumeStateSource *source, const BrumeSnapshot *snapshot)
{
    *brume_state_source_next(source) = *snapshot;
    brume_state_source_publish(source);
}

// A state that could not be copied leaves the view before it, with the reason; the next one replaces it.
static void test_state_without_fields(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeFrameStats stats = {0};
    BrumeSnapshot snapshot = {.variant_count = 1, .frame = 1};
    BrumeStateSource source = {0};
    brume_state_source_init(&source);
    assert_int_equal(brume_sim_create(&sim, &settings, &error), BRUME_OK);
    assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
    assert_int_equal(brume_snapshot_capture(&snapshot.variants[0], sim, &stats, &error), BRUME_OK);
    publish(&source, &snapshot);
    BrumeRenderThread *render_thread = create_of(&source, NULL);
    BrumeRenderRequest request = first_request();
    (void)brume_render_thread_request(render_thread, &request);
    assert_int_equal(wait_for(render_thread, 1, true)->frame, 1);
    const BrumeSnapshotVariant complete = snapshot.variants[0];
    for (int full = 0; full < 2; full++) {
        memset(snapshot.variants[0].fields, 0, sizeof complete.fields);
        (void)strcpy(snapshot.error.text, "out of memory");
        snapshot.frame++;
        publish(&source, &snapshot);
        const double start = brume_seconds();
        const BrumeRenderedPicture *picture = NULL;
        do {
            assert_true(brume_seconds() - start < max_wait);
            usleep(500);
            (void)brume_render_thread_poll_picture(render_thread, &picture);
        } while (picture->error.text[0] == '\0' || !picture->finished);
        assert_string_equal(picture->error.text, "out of memory");
        assert_int_equal(picture->frame, snapshot.frame - 1);
        assert_int_equal(picture->width, WIDTH);
        snapshot.variants[0] = complete;
        snapshot.error = (BrumeError){0};
        snapshot.frame++;
        publish(&source, &snapshot);
        do {
            assert_true(brume_seconds() - start < max_wait);
            usleep(500);
            (void)brume_render_thread_poll_picture(render_thread, &picture);
        } while (picture->frame != snapshot.frame || !picture->finished);
        assert_string_equal(picture->error.text, "");
        request.full = true; // the second time
        request.camera.position.x += 0.1f;
        (void)brume_render_thread_request(render_thread, &request);
        (void)wait_for_request(render_thread, &request);
    }
    brume_render_thread_destroy(render_thread);
    brume_state_source_destroy(&source);
    brume_snapshot_destroy(&snapshot);
    brume_sim_destroy(sim);
}

// While states and requests come, pictures never go back to an earlier state; after the last of both there is a
// finished picture of both.
static void test_latest_request_and_state_are_shown(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(true);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    const BrumeRenderedPicture *picture = NULL;
    int frame = 0;
    for (int n = 0; n < 50; n++) {
        request.camera.position.x = 0.02f * (float)n;
        request.view.kind = (BrumeViewKind)(n % BRUME_VIEW_COUNT);
        request.requested_at = (double)n;
        (void)brume_render_thread_request(render_thread, &request);
        usleep((useconds_t)(n * 37 % 3000));
        (void)brume_render_thread_poll_picture(render_thread, &picture);
        assert_true(!picture || picture->frame >= frame);
        frame = picture ? picture->frame : 0;
    }
    brume_simulation_thread_set_running(simulation_thread, false);
    const BrumeSnapshot *info;
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        info = brume_render_thread_snapshot_info(render_thread);
    } while (info->running);
    (void)wait_for(render_thread, info->frame, true);
    picture = wait_for_request(render_thread, &request);
    assert_true(picture->request.requested_at == 49.0);
    assert_int_equal(picture->frame, info->frame);
    assert_int_equal(picture->samples, SAMPLES);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_views_have_overlay_geometry(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.samples = 1;
    (void)brume_render_thread_request(render_thread, &request);
    advance(simulation_thread, render_thread, 5);
    const BrumeRenderedPicture *picture = wait_for(render_thread, 5, true);
    assert_int_equal(picture->geometry[0]->triangle_vertices, 0);
    assert_int_equal(picture->geometry[0]->line_vertices, 0);
    static uint8_t smoke[WIDTH * HEIGHT * 3];
    memcpy(smoke, picture->rgb, sizeof smoke);

    request.view.kind = BRUME_VIEW_VELOCITY;
    (void)brume_render_thread_request(render_thread, &request);
    picture = wait_for_request(render_thread, &request);
    const int arrows = picture->geometry[0]->line_vertices + picture->geometry[0]->triangle_vertices;
    assert_true(arrows > 0);
    assert_string_equal(picture->scale[0].unit, "m/s");
    request.view.streamlines = true;
    (void)brume_render_thread_request(render_thread, &request);
    picture = wait_for_request(render_thread, &request);
    assert_true(picture->geometry[0]->line_vertices > 0);
    assert_int_not_equal(picture->geometry[0]->line_vertices + picture->geometry[0]->triangle_vertices, arrows);

    request.view.kind = BRUME_VIEW_ISOSURFACE;
    (void)brume_render_thread_request(render_thread, &request);
    picture = wait_for_request(render_thread, &request);
    assert_true(picture->geometry[0]->triangle_vertices > 0);
    assert_int_equal(picture->geometry[0]->line_vertices, 0);

    const BrumeViewKind quantities[] = {BRUME_VIEW_TEMPERATURE, BRUME_VIEW_VORTICITY, BRUME_VIEW_PRESSURE};
    for (int n = 0; n < 3; n++) {
        request.view.kind = quantities[n];
        (void)brume_render_thread_request(render_thread, &request);
        picture = wait_for_request(render_thread, &request);
        assert_int_equal(picture->geometry[0]->triangle_vertices, 0);
        assert_true(picture->scale[0].upper > picture->scale[0].lower);
        assert_memory_not_equal(picture->rgb, smoke, sizeof smoke);
    }

    request.view.kind = BRUME_VIEW_SMOKE;
    request.view.slice = true;
    (void)brume_render_thread_request(render_thread, &request);
    picture = wait_for_request(render_thread, &request);
    assert_true(picture->geometry[0]->has_slice);
    assert_true(fabsf(picture->geometry[0]->slice_corner.z) < 1e-5f); // half way through the box
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_pick_finds_what_is_visible(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.view.render_settings.ground = false;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        request.view.render_settings.smoke[kind].extinction = 60.0f;
    }
    request.camera =
        (BrumeCamera){.position = {0.0f, 0.3f, 3.0f}, .target = {0.0f, 0.3f, 0.0f}, .field_of_view = 40.0f};
    BrumePick pick =
        brume_render_thread_pick(render_thread, 0, &request.camera, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SKY); // no view is prepared yet
    (void)brume_render_thread_request(render_thread, &request);
    advance(simulation_thread, render_thread, 3);
    (void)wait_for(render_thread, 3, true);
    pick = brume_render_thread_pick(render_thread, 0, &request.camera, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SMOKE);
    assert_true(fabsf(pick.point.x) < 0.1f && fabsf(pick.point.z - 0.2f) < 0.15f); // near side of the emitter
    const BrumeCamera at_solid = {.position = {0.2f, 1.1f, 3.0f}, .target = {0.2f, 1.1f, 0.0f}, .field_of_view = 40.0f};
    pick = brume_render_thread_pick(render_thread, 0, &at_solid, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SURFACE);
    assert_int_equal(pick.surface, 0);
    const BrumeCamera away = {.position = {0.0f, 0.5f, 3.0f}, .target = {0.0f, 3.0f, 6.0f}, .field_of_view = 40.0f};
    pick = brume_render_thread_pick(render_thread, 0, &away, WIDTH, HEIGHT, WIDTH / 2.0f, HEIGHT / 2.0f);
    assert_int_equal(pick.kind, BRUME_PICK_SKY);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

// as in a recording: a frame, its finished picture, the next frame
static void test_every_frame_is_drawn_when_full(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    brume_simulation_thread_set_frame_by_frame(simulation_thread, true);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.full = true;
    (void)brume_render_thread_request(render_thread, &request);
    (void)wait_for(render_thread, 0, true);
    brume_simulation_thread_set_running(simulation_thread, true);
    for (int frame = 1; frame <= 8; frame++) {
        brume_simulation_thread_permit_frame(simulation_thread);
        request.camera.position.x += 0.01f; // the camera moves meanwhile
        (void)brume_render_thread_request(render_thread, &request);
        const BrumeRenderedPicture *picture = wait_for(render_thread, frame, false);
        assert_int_equal(picture->frame, frame);
        assert_true(picture->finished);
        assert_int_equal(picture->samples, SAMPLES);
        assert_int_equal(picture->width, WIDTH);
    }
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_view_is_only_prepared_for_opengl(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(false);
    BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
    BrumeRenderRequest request = first_request();
    request.cpu = false;
    (void)brume_render_thread_request(render_thread, &request);
    const BrumeRenderedPicture *picture = wait_for_request(render_thread, &request);
    assert_null(picture->rgb);
    const uint64_t view_serial = picture->view_serial;
    assert_true(view_serial > 0);
    request.camera.position.x += 0.5f; // the camera does not change the prepared view
    (void)brume_render_thread_request(render_thread, &request);
    assert_true(wait_for_request(render_thread, &request)->view_serial == view_serial);
    request.view.render_settings.lights[0].intensity *= 0.5f;
    request.camera.position.x += 0.5f;
    (void)brume_render_thread_request(render_thread, &request);
    picture = wait_for_request(render_thread, &request);
    assert_true(picture->view_serial > view_serial);
    assert_true(picture->render_settings[0].lights[0].intensity == request.view.render_settings.lights[0].intensity);
    brume_render_thread_destroy(render_thread);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_destroy_at_any_time(void **state)
{
    (void)state;
    BrumeSimulationThread *simulation_thread = create_simulation_thread(true);
    for (int n = 0; n < 20; n++) {
        BrumeRenderThread *render_thread = create_render_thread(simulation_thread);
        BrumeRenderRequest request = first_request();
        request.samples = 64;
        request.view.kind = (BrumeViewKind)(n % BRUME_VIEW_COUNT);
        request.full = n % 3 == 0;
        if (n % 5 != 4) {
            (void)brume_render_thread_request(render_thread, &request);
        }
        if (n == 10) {
            brume_simulation_thread_fork(simulation_thread, 0);
        }
        usleep((useconds_t)(n * 1117 % 15000));
        const BrumeRenderedPicture *picture = NULL;
        (void)brume_render_thread_poll_picture(render_thread, &picture);
        brume_render_thread_destroy(render_thread);
    }
    brume_simulation_thread_destroy(simulation_thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adaptive_resolution_keeps_the_budget),
        cmocka_unit_test(test_budget_follows_what_moves),
        cmocka_unit_test(test_shrink_keeps_the_budget),
        cmocka_unit_test(test_picture_at_rest_equals_the_renderers),
        cmocka_unit_test(test_two_looks_of_one_state),
        cmocka_unit_test(test_motion_is_coarse_and_rest_is_fine),
        cmocka_unit_test(test_pictures_go_on_while_a_state_is_prepared),
        cmocka_unit_test(test_state_without_fields),
        cmocka_unit_test(test_latest_request_and_state_are_shown),
        cmocka_unit_test(test_views_have_overlay_geometry),
        cmocka_unit_test(test_pick_finds_what_is_visible),
        cmocka_unit_test(test_every_frame_is_drawn_when_full),
        cmocka_unit_test(test_view_is_only_prepared_for_opengl),
        cmocka_unit_test(test_destroy_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
