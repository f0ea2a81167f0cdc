// The picture thread: its files have the bytes of the offline renderer, a recording misses no frame, and what fails is
// told once and ends only what fails.
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "raymarch/tone.h"
#include "viewer/threads/numbered_files.h"
#include "viewer/threads/picture_thread.h"
#include "viewer/threads/render_thread.h"
#include "viewer/threads/simulation_thread.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

enum { CELLS = 12, WIDTH = 24, HEIGHT = 18, SAMPLES = 2, FRAMES = 4 };

static const double max_wait = 240.0; // longest wait for anything [s]

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/brume-pictures-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static BrumeSimDef small_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.nz = CELLS;
    def.ny = CELLS + 4;
    def.dx = 1.0f / CELLS;
    def.origin = brume_vec3(-0.5f, 0.0f, -0.5f);
    def.max_steps = 2;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.3f, 0.0f}, .radius = 0.25f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 2.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 200.0f};
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.2f, 1.0f, 0.0f}, .radius = 0.15f};
    return def;
}

static BrumePictureLook first_look(void)
{
    BrumePictureLook look = {
        .camera = {.position = {0.4f, 0.9f, 3.2f}, .target = {0.0f, 0.6f, 0.0f}, .field_of_view = 40.0f},
        .view = {.render_settings = brume_default_render_settings(), .shutter = 0.5f},
        .width = WIDTH,
        .height = HEIGHT,
        .samples = SAMPLES,
        .divider = 0.5f,
        .integrator = BRUME_INTEGRATOR_MARCH,
    };
    look.view.render_settings.surface_count = 1; // its shape is that of the body
    look.view.render_settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_SPHERE, .radius = 0.1f}, {0.7f, 0.3f, 0.2f}};
    return look;
}

// the threads of a viewer
typedef struct Parts {
    BrumeSimulationThread *simulation;
    BrumeRenderThread *rendering;
    BrumePictureThread *pictures;
} Parts;

static void permit_frame(void *simulation) { brume_simulation_thread_permit_frame(simulation); }

// the picture thread waits after every picture while a test holds it
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void wait_while_held(void)
{
    (void)pthread_mutex_lock(&held);
    (void)pthread_mutex_unlock(&held);
}

static Parts create_parts(size_t budget)
{
    Parts parts;
    BrumeError error;
    const BrumeSimulationThreadDef def = {.settings = small_def(), .threads = 1};
    assert_int_equal(brume_simulation_thread_create(&parts.simulation, &def, &error), BRUME_OK);
    brume_simulation_thread_set_speed_limit(parts.simulation, INFINITY);
    const BrumePictureThreadDef pictures = {.threads = 2,
                                            .budget = budget,
                                            .on_change = wait_while_held,
                                            .permit = permit_frame,
                                            .source = parts.simulation};
    assert_int_equal(brume_picture_thread_create(&parts.pictures, &pictures, &error), BRUME_OK);
    static BrumeStateSwitch states;
    states = (BrumeStateSwitch){.present = brume_simulation_thread_source(parts.simulation)};
    const BrumeRenderThreadDef rendering = {
        .states = &states, .threads = 1, .use = brume_picture_thread_offer, .use_context = parts.pictures};
    assert_int_equal(brume_render_thread_create(&parts.rendering, &rendering, &error), BRUME_OK);
    const BrumeRenderRequest request = {.view = {.render_settings = brume_default_render_settings()}};
    (void)brume_render_thread_request(parts.rendering, &request);
    return parts;
}

static void destroy_parts(const Parts *parts)
{
    brume_render_thread_destroy(parts->rendering);
    brume_picture_thread_destroy(parts->pictures);
    brume_simulation_thread_destroy(parts->simulation);
}

// waits until nothing is left to do; returns whether a picture has failed meanwhile, with its error in `status`
static bool finish(const Parts *parts, BrumePictureStatus *status)
{
    const double start = brume_seconds();
    BrumeError error = {0};
    bool failed = false;
    for (;;) {
        brume_picture_thread_poll(parts->pictures, status);
        failed = failed || status->failed;
        error = status->failed ? status->error : error;
        if (status->waiting == 0 && status->requested == 0) {
            status->error = error;
            return failed;
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(1000);
    }
}

static void take_picture(const Parts *parts, const BrumePictureLook *look, const char *path)
{
    BrumePictureRequest request = {.look = *look};
    BrumeError error;
    (void)snprintf(request.path, sizeof request.path, "%s", path);
    assert_int_equal(brume_picture_thread_request(parts->pictures, &request, &error), BRUME_OK);
    brume_render_thread_offer_snapshot(parts->rendering);
}

// pixels of 2 x 2, bottom row first
static const uint8_t rgb[12] = {1, 2, 3, 4, 5, 6, 250, 251, 252, 253, 254, 255};

// requests the file `path` of these pixels, or where it is NULL a frame of the recording at a time
static BrumeStatus add_pixels(const Parts *parts, const char *path, double time)
{
    BrumePictureRequest request = {.contents = BRUME_PICTURE_PIXELS,
                                   .look = {.width = 2, .height = 2},
                                   .pixels = brume_alloc_untouched(4, 3),
                                   .is_frame = !path,
                                   .snapshot = {.epoch = 1, .time = time}};
    BrumeError error;
    assert_non_null(request.pixels);
    memcpy(request.pixels, rgb, sizeof rgb);
    (void)snprintf(request.path, sizeof request.path, "%s", path ? path : "");
    return brume_picture_thread_request(parts->pictures, &request, &error);
}

// starts a recording to the folder `path`, of pixels or of the states
static BrumeStatus add_recording(const Parts *parts, const char *path, bool of_pixels)
{
    BrumeRecordingDef def = {.of_pixels = of_pixels};
    BrumeError error;
    (void)snprintf(def.path, sizeof def.path, "%s", path);
    return brume_picture_thread_start_recording(parts->pictures, &def, &error);
}

// the state after `frames` frames, without a viewer; to be destroyed
static BrumeSim *simulate(int frames)
{
    const BrumeSimDef def = small_def();
    BrumeSim *sim;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_OK);
    for (int n = 0; n < frames; n++) {
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    return sim;
}

// the picture that `brume render` draws of a state, of `channels` for each pixel; to be freed
static uint8_t *draw_expected(const BrumeSim *sim, const BrumePictureLook *look, int channels)
{
    BrumeRenderSettings settings = look->view.render_settings;
    settings.shutter = look->view.shutter / small_def().fps;
    settings.surfaces[0].shape = small_def().bodies[0].shape;
    const BrumeVolume volume = brume_sim_volume(sim);
    const size_t pixels = (size_t)look->width * (size_t)look->height;
    float *radiance = malloc(pixels * 3 * sizeof *radiance);
    float *alpha = malloc(pixels * sizeof *alpha);
    uint8_t *bytes = malloc(pixels * (size_t)channels);
    assert_true(radiance && alpha && bytes);
    const BrumePictureLayers layers = {.alpha = alpha};
    const BrumeDrawDef def = {
        .width = look->width,
        .height = look->height,
        .samples = look->samples,
        .seed = (uint32_t)brume_sim_frames(sim),
        .layers = channels == 4 ? &layers : NULL,
    };
    BrumeRenderer *renderer;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    if (look->integrator == BRUME_INTEGRATOR_MARCH) {
        brume_renderer_light(renderer, NULL);
        assert_int_equal(brume_renderer_draw(renderer, &look->camera, &def, radiance, NULL), BRUME_OK);
    } else {
        const BrumeTraceDef trace = {.bounces = look->bounces};
        BrumeTraceResult result;
        assert_int_equal(brume_renderer_trace(renderer, &look->camera, &def, &trace, radiance, &result, &error),
                         BRUME_OK);
    }
    const BrumeTonePicture tone = {.width = look->width,
                                   .height = look->height,
                                   .radiance = radiance,
                                   .alpha = channels == 4 ? alpha : NULL,
                                   .bits = 8};
    brume_tone_map_picture(&settings, &tone, bytes);
    brume_renderer_destroy(renderer);
    free(radiance);
    free(alpha);
    return bytes;
}

static void expect_file(const char *path, const BrumeSim *sim, const BrumePictureLook *look, int channels)
{
    int width = 0;
    int height = 0;
    int found = 0;
    uint8_t *read = stbi_load(path, &width, &height, &found, channels);
    if (!read || width != look->width || height != look->height || found != channels) {
        fail_msg("%s: %d x %d pixels of %d channels, expected %d x %d of %d", path, width, height, found, look->width,
                 look->height, channels);
    }
    uint8_t *expected = draw_expected(sim, look, channels);
    if (memcmp(read, expected, (size_t)width * (size_t)height * (size_t)channels) != 0) {
        fail_msg("%s is not the picture of the offline renderer", path);
    }
    free(expected);
    stbi_image_free(read);
}

static void test_pictures_equal_the_renderers(void **state)
{
    (void)state;
    const Parts parts = create_parts(0);
    const BrumeSnapshot *info;
    brume_simulation_thread_request_frame(parts.simulation);
    brume_simulation_thread_request_frame(parts.simulation);
    do {
        usleep(1000);
        info = brume_render_thread_snapshot_info(parts.rendering);
    } while (info->frame < 2);
    BrumeSim *sim = simulate(2);
    BrumePictureLook looks[3] = {first_look(), first_look(), first_look()};
    looks[1].transparent = true;
    looks[1].width = 33; // another size than before
    looks[1].camera.position.x = -1.0f;
    looks[2].integrator = BRUME_INTEGRATOR_PATH;
    looks[2].bounces = 3;
    looks[2].samples = 4;
    char path[3][128];
    for (int n = 0; n < 3; n++) { // all at once
        (void)snprintf(path[n], sizeof path[n], "%s/look-%d.png", folder, n);
        take_picture(&parts, &looks[n], path[n]);
    }
    BrumePictureStatus status;
    if (finish(&parts, &status)) {
        fail_msg("%s", status.error.text);
    }
    assert_int_equal(status.written, 3);
    for (int n = 0; n < 3; n++) {
        expect_file(path[n], sim, &looks[n], n == 1 ? 4 : 3);
    }
    char result[160];
    (void)snprintf(result, sizeof result, "%s written", path[2]);
    assert_string_equal(status.result, result);
    brume_sim_destroy(sim);
    destroy_parts(&parts);
}

// two variants: the columns of each are those of its own picture
static void test_variants_share_a_picture(void **state)
{
    (void)state;
    const Parts parts = create_parts(0);
    brume_simulation_thread_fork(parts.simulation, 0);
    const BrumeSnapshot *info;
    do {
        usleep(1000);
        info = brume_render_thread_snapshot_info(parts.rendering);
    } while (info->variant_count < 2);
    BrumePictureLook look = first_look();
    look.divider = 0.3f;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/both.png", folder);
    take_picture(&parts, &look, path);
    BrumePictureStatus status;
    assert_false(finish(&parts, &status));
    BrumeSim *sim = simulate(0); // of equal variants the picture is that of one
    expect_file(path, sim, &look, 3);
    brume_sim_destroy(sim);
    destroy_parts(&parts);
}

// the part of a picture left (side 0) or right of a column
static bool same_side(const uint8_t *a, const uint8_t *b, int width, int height, int split, int side)
{
    const int from = side == 0 ? 0 : split;
    const int to = side == 0 ? split : width;
    bool same = true;
    for (int y = 0; y < height; y++) {
        same = same && memcmp(a + 3 * (y * width + from), b + 3 * (y * width + from), 3 * (size_t)(to - from)) == 0;
    }
    return same;
}

// two looks of one state: each side has the pixels of the picture with its look alone, exposure and tone included
static void test_looks_share_a_picture(void **state)
{
    (void)state;
    const Parts parts = create_parts(0);
    BrumePictureLook look = first_look();
    look.divider = 0.4f;
    look.view.two_looks = true;
    look.view.other_look = look.view.render_settings;
    look.view.other_look.smoke[0] = (BrumeSmokeMedium){.extinction = 90.0f, .albedo = {0.2f, 0.3f, 0.6f}};
    look.view.other_look.exposure += 1.0f;
    look.view.other_look.tone = BRUME_TONE_LINEAR;
    look.view.other_look.lights[0].intensity *= 0.5f;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/looks.png", folder);
    take_picture(&parts, &look, path);
    BrumePictureStatus status;
    assert_false(finish(&parts, &status));
    int width = 0;
    int height = 0;
    int channels = 0;
    uint8_t *read = stbi_load(path, &width, &height, &channels, 3);
    assert_non_null(read);
    assert_int_equal(width, look.width);
    assert_int_equal(height, look.height);
    const int split = (int)lroundf((float)width * look.divider);
    BrumeSim *sim = simulate(0);
    BrumePictureLook alone = look;
    for (int side = 0; side < 2; side++) {
        alone.view.render_settings = side == 0 ? look.view.render_settings : look.view.other_look;
        uint8_t *expected = draw_expected(sim, &alone, 3);
        assert_true(same_side(read, expected, width, height, split, side));
        assert_false(same_side(read, expected, width, height, split, 1 - side)); // the looks differ
        free(expected);
    }
    stbi_image_free(read);
    brume_sim_destroy(sim);
    destroy_parts(&parts);
}

static void wait_for_recorded(const Parts *parts, int count)
{
    BrumePictureStatus status;
    const double start = brume_seconds();
    do {
        brume_picture_thread_poll(parts->pictures, &status);
        if (status.failed) {
            fail_msg("%s", status.error.text);
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(1000);
    } while (status.recorded < count);
}

static void start_recording(const Parts *parts, const BrumeRecordedLook *look, const char *path)
{
    brume_picture_thread_set_look(parts->pictures, look);
    assert_int_equal(add_recording(parts, path, false), BRUME_OK);
    brume_simulation_thread_set_frame_by_frame(parts->simulation, true);
}

static void stop_recording(const Parts *parts)
{
    brume_picture_thread_stop_recording(parts->pictures);
    brume_simulation_thread_set_frame_by_frame(parts->simulation, false);
}

// with memory for one state, and for some: every frame is in its file, however fast the simulation is
static void test_recording_misses_no_frame(void **state)
{
    (void)state;
    static const size_t budgets[] = {1, 1 << 19};
    for (int n = 0; n < 2; n++) {
        const Parts parts = create_parts(budgets[n]);
        char path[128];
        (void)snprintf(path, sizeof path, "%s/deep/recording-%d", folder, n);
        const BrumePictureLook look = first_look();
        static BrumeRecordedLook keys; // each frame has the values and the camera at its time
        keys = (BrumeRecordedLook){.look = look};
        BrumeCamera moved = look.camera;
        moved.position.x += 0.5f;
        keys.follows = true;
        assert_true(brume_keys_set(&keys.animation, "render.exposure", 0.0, 0.0));
        assert_true(brume_keys_set(&keys.animation, "render.exposure", 0.2, 2.0));
        assert_true(brume_camera_path_set(&keys.camera_path, 0.0, &look.camera));
        assert_true(brume_camera_path_set(&keys.camera_path, 0.2, &moved));
        start_recording(&parts, &keys, path);
        wait_for_recorded(&parts, 1); // the state of the start, although the simulation is paused
        brume_simulation_thread_set_running(parts.simulation, true);
        wait_for_recorded(&parts, FRAMES);
        stop_recording(&parts);
        BrumePictureStatus status;
        assert_false(finish(&parts, &status)); // also those that waited
        assert_false(status.recording);
        assert_int_equal(status.left, 0);
        BrumeSim *sim = simulate(0);
        for (int frame = 1; frame <= status.recorded; frame++) {
            char file[160];
            (void)snprintf(file, sizeof file, "%s/frame-%04d.png", path, frame);
            if (frame <= FRAMES) {
                BrumePictureLook expected = look;
                const double time = brume_sim_time(sim);
                (void)brume_animation_apply_look(&keys.animation, time, expected.view.surface_of,
                                                 &expected.view.render_settings);
                expected.camera = brume_camera_at(keys.camera_path.keys, keys.camera_path.count, time);
                expect_file(file, sim, &expected, 3);
            }
            assert_int_equal(access(file, R_OK), 0);
            BrumeError error;
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        }
        brume_sim_destroy(sim);
        static BrumeRecordedPath recorded;
        brume_picture_thread_path(parts.pictures, &recorded);
        assert_int_equal(recorded.key_count, status.recorded);
        assert_true(recorded.keys[1].time > recorded.keys[0].time);
        destroy_parts(&parts);
    }
}

// A recording starts while frames of the former one wait: each has its frames in its own folder, and the status counts
// the waiting frames of both.
static void test_recording_starts_at_once(void **state)
{
    (void)state;
    enum { WAITING = 10 };
    const Parts parts = create_parts(1 << 19);
    char path[2][128];
    int left[2];
    BrumePictureStatus status;
    char file[320];
    assert_int_equal(pthread_mutex_lock(&held), 0);
    (void)snprintf(file, sizeof file, "%s/before.png", folder);
    assert_int_equal(add_pixels(&parts, file, 0.0), BRUME_OK);
    do {
        usleep(1000);
        brume_picture_thread_poll(parts.pictures, &status);
    } while (status.written < 1);
    for (int n = 0; n < 2; n++) {
        (void)snprintf(path[n], sizeof path[n], "%s/former-%d", folder, n);
        assert_int_equal(add_recording(&parts, path[n], true), BRUME_OK);
        for (int frame = 0; frame < WAITING + n; frame++) {
            assert_int_equal(add_pixels(&parts, NULL, 0.1 * frame), BRUME_OK);
        }
        brume_picture_thread_stop_recording(parts.pictures);
        brume_picture_thread_poll(parts.pictures, &status);
        left[n] = status.left;
    }
    assert_int_equal(pthread_mutex_unlock(&held), 0);
    assert_false(finish(&parts, &status));
    assert_int_equal(left[0], WAITING);
    assert_int_equal(left[1], WAITING + WAITING + 1);
    assert_int_equal(status.recorded, WAITING + 1);
    assert_int_equal(status.completed, 2);
    assert_int_equal(status.left, 0);
    (void)snprintf(file, sizeof file, "%d frames recorded in %s; G saves a scene with this camera path", WAITING + 1,
                   path[1]);
    assert_string_equal(status.result, file);
    for (int n = 0; n < 2; n++) {
        (void)snprintf(file, sizeof file, "%s/frame-%04d.png", path[n], WAITING + n);
        assert_int_equal(access(file, R_OK), 0);
        (void)snprintf(file, sizeof file, "%s/frame-%04d.png", path[n], WAITING + n + 1);
        assert_int_not_equal(access(file, R_OK), 0);
    }
    destroy_parts(&parts);
}

// a picture that cannot be written is named in one line; the recording before it stays, and later pictures are written
static void test_what_fails_is_told(void **state)
{
    (void)state;
    const Parts parts = create_parts(0);
    const BrumePictureLook look = first_look();
    static BrumeRecordedLook recorded;
    char path[128];
    char file[160];
    BrumePictureStatus status;
    (void)snprintf(path, sizeof path, "%s/full", folder);
    recorded.look = look;
    start_recording(&parts, &recorded, path);
    wait_for_recorded(&parts, 1);

    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct rlimit full = {.rlim_cur = 64, .rlim_max = before.rlim_max}; // as on a disk that is full
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    brume_simulation_thread_set_running(parts.simulation, true);
    do {
        brume_picture_thread_poll(parts.pictures, &status);
        usleep(1000);
    } while (!status.failed);
    assert_false(status.recording);
    assert_non_null(strstr(status.error.text, "frame-0002.png: cannot write: File too large"));
    assert_non_null(strstr(status.error.text, "; the recording has ended after 1 frame"));
    stop_recording(&parts);
    (void)finish(&parts, &status);
    assert_int_equal(status.recorded, 1);
    assert_int_equal(status.completed, 0);
    assert_int_equal(status.left, 0);
    (void)snprintf(file, sizeof file, "%s/single.png", folder);
    take_picture(&parts, &look, file);
    assert_true(finish(&parts, &status));
    assert_non_null(strstr(status.error.text, "single.png: cannot write: File too large"));
    assert_int_equal(status.written, 0);
    assert_int_equal(access(file, F_OK), -1);

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    BrumeSim *sim = simulate(0);
    (void)snprintf(file, sizeof file, "%s/frame-0001.png", path);
    expect_file(file, sim, &look, 3); // what was written is complete
    brume_sim_destroy(sim);
    (void)snprintf(file, sizeof file, "%s/single.png", folder);
    take_picture(&parts, &look, file);
    assert_false(finish(&parts, &status));
    assert_int_equal(status.written, 1);
    take_picture(&parts, &look, file); // never replaced
    assert_true(finish(&parts, &status));
    assert_non_null(strstr(status.error.text, "single.png: cannot write"));

    (void)snprintf(path, sizeof path, "%s/single.png/folder", folder);
    assert_int_equal(add_recording(&parts, path, false), BRUME_FAILED);
    brume_picture_thread_poll(parts.pictures, &status);
    assert_false(status.recording);
    destroy_parts(&parts);
}

static void test_pixels_are_the_right_way_up(void **state)
{
    (void)state;
    const Parts parts = create_parts(0);
    char file[160];
    char path[128];
    BrumePictureStatus status;
    (void)snprintf(file, sizeof file, "%s/pixels.png", folder);
    assert_int_equal(add_pixels(&parts, file, 0.0), BRUME_OK);
    (void)snprintf(path, sizeof path, "%s/pixels", folder);
    assert_int_equal(add_recording(&parts, path, true), BRUME_OK);
    for (int n = 0; n < 40; n++) { // more than single files can wait
        assert_int_equal(add_pixels(&parts, NULL, 0.1 * n), BRUME_OK);
    }
    brume_picture_thread_stop_recording(parts.pictures);
    assert_false(finish(&parts, &status));
    assert_int_equal(status.written, 1);
    assert_int_equal(status.recorded, 40);
    (void)snprintf(path, sizeof path, "%s/pixels/frame-0040.png", folder);
    const char *const files[] = {file, path};
    for (int n = 0; n < 2; n++) {
        int width;
        int height;
        int channels;
        uint8_t *read = stbi_load(files[n], &width, &height, &channels, 3);
        assert_non_null(read);
        assert_true(width == 2 && height == 2);
        assert_memory_equal(read, rgb + 6, 6);
        assert_memory_equal(read + 6, rgb, 6);
        stbi_image_free(read);
    }
    destroy_parts(&parts);
}

// 32 files wait at a time; a request that is refused leaves nothing behind
static void test_single_files_are_limited(void **state)
{
    (void)state;
    enum { LIMIT = 32 };
    const Parts parts = create_parts(0);
    char file[160];
    BrumePictureStatus status;
    BrumeStatus last = BRUME_OK;
    assert_int_equal(pthread_mutex_lock(&held), 0);
    int added = 0;
    do { // the first one is written
        (void)snprintf(file, sizeof file, "%s/limited-%04d.png", folder, ++added);
        last = add_pixels(&parts, file, 0.0);
        brume_picture_thread_poll(parts.pictures, &status);
        while (last == BRUME_OK && status.written < 1) {
            usleep(1000);
            brume_picture_thread_poll(parts.pictures, &status);
        }
    } while (last == BRUME_OK && added < 2 * LIMIT);
    const int waiting = status.waiting;
    assert_int_equal(pthread_mutex_unlock(&held), 0);
    assert_int_equal(last, BRUME_FAILED);
    assert_int_equal(waiting, LIMIT);
    assert_false(finish(&parts, &status));
    assert_int_equal(status.written, LIMIT + 1);
    assert_int_equal(brume_next_file_number(folder, "limited", ".png"), LIMIT + 2);
    destroy_parts(&parts);
}

static void touch(const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void test_numbers_go_on_after_the_highest(void **state)
{
    (void)state;
    touch("shot-0041.png");
    touch("shot-0007.png");
    touch("shots-0099.png");
    assert_int_equal(brume_next_file_number(folder, "shot", ".png"), 42);
    assert_int_equal(brume_next_file_number(folder, "shot", ".yaml"), 1);
    assert_int_equal(brume_next_file_number(folder, "sho", ".png"), 1);
    assert_int_equal(brume_next_file_number("/nowhere", "shot", ".png"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_go_on_after_the_highest), cmocka_unit_test(test_pixels_are_the_right_way_up),
        cmocka_unit_test(test_pictures_equal_the_renderers),    cmocka_unit_test(test_variants_share_a_picture),
        cmocka_unit_test(test_looks_share_a_picture),           cmocka_unit_test(test_recording_misses_no_frame),
        cmocka_unit_test(test_recording_starts_at_once),        cmocka_unit_test(test_what_fails_is_told),
        cmocka_unit_test(test_single_files_are_limited),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
