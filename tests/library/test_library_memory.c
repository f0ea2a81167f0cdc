/*
 * The memory and the messages of the library: all of it comes from the allocator of the embedding program, nothing is
 * left after the destroy functions, and wherever an allocation fails the call fails with nothing changed.
 */
#include "library_support.h"

typedef struct Heap {
    long blocks, taken; // held now, taken since the start
    long fail_at;       // the allocation that fails, -1: none
} Heap;

static void *allocate(void *context, size_t bytes, size_t alignment)
{
    Heap *heap = context;
    if (heap->taken++ == heap->fail_at) {
        return NULL;
    }
    heap->blocks++;
    assert_true(bytes % alignment == 0); // as aligned_alloc requires
    return aligned_alloc(alignment, bytes);
}

static void release(void *context, void *memory)
{
    Heap *heap = context;
    assert_non_null(memory);
    heap->blocks--;
    free(memory);
}

static void use_heap(Heap *heap)
{
    BrumeError error = {0};
    const BrumeAllocator allocator = {allocate, release, heap};
    assert_status(brume_set_allocator(heap ? &allocator : NULL, &error), BRUME_OK, &error);
}

// calls `run` with the first, second, ... allocation failing until it succeeds; it returns a status and leaves nothing
static void fail_each_allocation(BrumeStatus (*run)(BrumeError *error), long least)
{
    BrumeStatus status = BRUME_FAILED;
    long at = 0;
    while (status != BRUME_OK) {
        Heap heap = {.fail_at = at++};
        use_heap(&heap);
        BrumeError error = {0};
        status = run(&error);
        if (heap.taken > heap.fail_at) {
            assert_status(status, BRUME_FAILED, &error);
            if (!strstr(error.text, "out of memory")) {
                fail_msg("allocation %ld failed, and the message is '%s'", heap.fail_at, error.text);
            }
        }
        assert_int_equal(heap.blocks, 0);
        use_heap(NULL);
    }
    assert_true(at > least);
}

static BrumeStatus make_sim(BrumeError *error)
{
    BrumeSimDef def = plume_def();
    BrumeSim *sim;
    const BrumeStatus status = brume_sim_create(&sim, &def, error);
    assert_true((sim != NULL) == (status == BRUME_OK));
    brume_sim_destroy(sim);
    return status;
}

// more colors: all fields are made anew
static BrumeStatus change_sim(BrumeError *error)
{
    BrumeSimDef def = plume_def();
    BrumeSim *sim;
    BrumeStatus status = brume_sim_create(&sim, &def, error);
    if (status == BRUME_OK) {
        const uint64_t hash = brume_sim_hash(sim);
        def.color_count = 3;
        status = brume_sim_change(sim, &def, error);
        assert_true(status == BRUME_OK || brume_sim_hash(sim) == hash);
    }
    brume_sim_destroy(sim);
    return status;
}

static BrumeStatus load_scene(BrumeError *error)
{
    static const char *const overrides[] = {"smoke.density.extinction=40"};
    BrumeScene *scene;
    BrumeStatus status =
        brume_scene_load(&scene, BRUME_SOURCE_DIR "/scenes/plume_sphere.yaml", overrides, 1, NULL, error);
    assert_true((scene != NULL) == (status == BRUME_OK));
    if (status == BRUME_OK) {
        char *text;
        status = brume_scene_write(scene, "a comment", &text, error);
        assert_true((text != NULL) == (status == BRUME_OK));
        brume_free(text);
    }
    brume_scene_destroy(scene);
    return status;
}

static BrumeStatus draw(BrumeError *error)
{
    enum { N = 16, WIDTH = 24, HEIGHT = 16 };
    static float density[N * N * N];
    density[N * N * N / 2] = 1.0f;
    const BrumeVolume volume = {.nx = N, .ny = N, .nz = N, .sy = N, .sz = N * N, .dx = 1.0f / N, .density = {density}};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.light_count = 2;
    settings.lights[1] = (BrumeLight){.kind = BRUME_LIGHT_POINT, .position = {2, 2, 2}, .color = {1, 1, 1}};
    BrumeRenderer *renderer;
    const BrumeStatus status = brume_renderer_create(&renderer, N, N, N, &settings, error);
    assert_true((renderer != NULL) == (status == BRUME_OK));
    if (status != BRUME_OK) {
        return status;
    }
    static float radiance[WIDTH * HEIGHT * 3];
    const BrumeCamera camera = {.position = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.5f}, .field_of_view = 30.0f};
    assert_int_equal(brume_renderer_load(renderer, &volume, error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    const BrumeDrawDef picture = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &picture, radiance, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
    return BRUME_OK;
}

static BrumeStatus write_image(BrumeError *error)
{
    enum { WIDTH = 200, HEIGHT = 100 };
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    for (size_t n = 0; n < sizeof rgb; n++) {
        rgb[n] = (uint8_t)(n * n >> 3);
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/brume-library-%p.png", (void *)error);
    const BrumeStatus status = brume_image_write(path, WIDTH, HEIGHT, rgb, error);
    assert_true((remove(path) == 0) == (status == BRUME_OK));
    return status;
}

static BrumeStatus make_timeline(BrumeError *error)
{
    const BrumeSimDef def = plume_def();
    const BrumeMove move = {.body = 0, .velocity = {1, 0, 0}};
    const BrumeStroke stroke = {.end = 1.0, .radius = 0.1f};
    BrumeTimeline timeline = {0};
    BrumeTimeline copy = {0};
    BrumeStatus status = BRUME_OK;
    for (int frame = 0; status == BRUME_OK && frame < 20; frame++) {
        status = brume_timeline_add(&timeline,
                                    &(BrumeChange){.frame = frame,
                                                   .stroke_count = 1,
                                                   .move_count = 1,
                                                   .settings = &def,
                                                   .strokes = &stroke,
                                                   .moves = &move},
                                    error);
        assert_int_equal(timeline.count, frame + (status == BRUME_OK));
    }
    if (status == BRUME_OK) {
        status = brume_timeline_copy(&copy, &timeline, error);
        assert_int_equal(copy.count, status == BRUME_OK ? 20 : 0);
    }
    brume_timeline_clear(&timeline);
    brume_timeline_clear(&copy);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fail_each_allocation(make_sim, 10);
    fail_each_allocation(change_sim, 20);
    fail_each_allocation(load_scene, 100);
    fail_each_allocation(draw, 3);
    fail_each_allocation(write_image, 2);
    fail_each_allocation(make_timeline, 100);
}

static void test_allocator_is_fixed_while_memory_is_held(void **state)
{
    (void)state;
    Heap heap = {.fail_at = -1};
    use_heap(&heap);
    const BrumeSimDef def = plume_def();
    BrumeSim *sim = create_sim(&def);
    assert_true(heap.blocks > 10);
    BrumeError error = {0};
    assert_status(brume_set_allocator(NULL, &error), BRUME_BAD_INPUT, &error);
    assert_status(brume_set_allocator(&(BrumeAllocator){.allocate = allocate}, &error), BRUME_BAD_INPUT, &error);
    const long taken = heap.taken;
    run_frames(sim, 2);
    assert_int_equal(heap.taken, taken); // steps take no memory
    brume_sim_destroy(sim);
    assert_int_equal(heap.blocks, 0);
    use_heap(NULL);
}

typedef struct Messages {
    int warnings;
    char text[512];
} Messages;

static void take_message(void *context, BrumeLogLevel level, const char *text)
{
    Messages *messages = context;
    messages->warnings += level == BRUME_LOG_WARNING;
    (void)snprintf(messages->text, sizeof messages->text, "%s", text);
    assert_null(strchr(text, '\n'));
}

static void test_messages(void **state)
{
    (void)state;
    Messages messages = {0};
    brume_set_log(take_message, &messages);
    BrumeSimDef def = plume_def();
    def.tolerance = 1e-7f;
    def.max_iterations = 1;
    BrumeSim *sim = create_sim(&def);
    run_frames(sim, 1);
    assert_int_equal(messages.warnings, 3); // one a step
    assert_non_null(strstr(messages.text, "pressure"));
    brume_sim_destroy(sim);

    messages = (Messages){0};
    def = plume_def();
    def.min_steps = 1;
    def.max_steps = 1;
    def.wind = (BrumeVec3){50.0f, 0.0f, 0.0f};
    def.faces[BRUME_FACE_X_MIN].kind = def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    sim = create_sim(&def);
    run_frames(sim, 1);
    assert_int_equal(messages.warnings, 1);
    assert_non_null(strstr(messages.text, "max_steps"));
    brume_set_log(NULL, NULL);
    run_frames(sim, 1);
    assert_int_equal(messages.warnings, 1);
    brume_sim_destroy(sim);
}

static void test_null_is_released(void **state)
{
    (void)state;
    brume_free(NULL);
    brume_sim_destroy(NULL);
    brume_renderer_destroy(NULL);
    brume_scene_destroy(NULL);
    BrumeTimeline timeline = {0};
    brume_timeline_clear(&timeline);
    // without a BrumeError, nothing is filled
    BrumeSimDef def = plume_def();
    def.nx = 3;
    BrumeSim *sim;
    BrumeError error = {0};
    assert_status(brume_sim_create(&sim, &def, NULL), BRUME_BAD_INPUT, &error);
    assert_null(sim);
}

static void test_version(void **state)
{
    (void)state;
    char text[32];
    (void)snprintf(text, sizeof text, "%d.%d.%d", BRUME_VERSION_MAJOR, BRUME_VERSION_MINOR, BRUME_VERSION_PATCH);
    assert_string_equal(text, BRUME_VERSION_STRING);
    assert_string_equal(text, brume_version());
    assert_true(BRUME_VERSION_NUMBER >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_allocator_is_fixed_while_memory_is_held),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_null_is_released),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
