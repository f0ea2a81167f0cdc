/* The reference kernels give the same bits as the fast ones: equal state hashes after several frames of every scene in
 * scenes/ and of boxes with all kinds of sides, for every scheme, order of the trace and different numbers of threads.
 */
#include "scene_support.h"
#include "sim_support.h"

#include <dirent.h>
#include <stdlib.h>

static const char resolution[] = "solver.resolution=20";

static uint64_t hash_after(const BrumeScene *scene, int threads, int frames)
{
    const int before = brume_get_threads();
    brume_set_threads(threads);
    BrumeSim *sim = create(&scene->sim);
    BrumeError error = {0};
    for (int frame = 0; frame < frames; frame++) {
        for (int n = 0; n < scene->sim.body_count; n += 2) { // every second body moves
            brume_sim_move(sim, n, brume_vec3(0.4f, 0.1f, -0.3f));
        }
        if (brume_scene_frame(scene, sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(before);
    return hash;
}

static void compare_kernels(BrumeScene *scene, int frames)
{
    for (int scheme = 0; brume_advection_name(scheme); scheme++) {
        scene->sim.advection = brume_advection_name(scheme);
        for (int order = 2; order <= 3; order++) {
            const int threads = (scheme + order) % 2 ? 1 : 3;
            scene->sim.trace_order = order;
            scene->sim.kernels = "fast";
            const uint64_t fast = hash_after(scene, threads, frames);
            scene->sim.kernels = "reference";
            const uint64_t reference = hash_after(scene, 4 - threads, frames);
            if (fast != reference) {
                fail_msg("%s, %s, trace of order %d: hash %016llx, with reference kernels %016llx", scene->name,
                         scene->sim.advection, order, (unsigned long long)fast, (unsigned long long)reference);
            }
        }
    }
}

static void every_scene_has_the_same_bits(void **state)
{
    (void)state;
    DIR *folder = opendir(BRUME_SOURCE_DIR "/scenes");
    assert_non_null(folder);
    int scenes = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!strstr(entry->d_name, ".yaml")) {
            continue;
        }
        const char *const overrides[] = {resolution};
        char path[1024];
        BrumeScene *scene = NULL;
        BrumeError error = {0};
        (void)snprintf(path, sizeof path, "%s/scenes/%s", BRUME_SOURCE_DIR, entry->d_name);
        if (brume_scene_load(&scene, path, overrides, 1, &one_value_readers, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        compare_kernels(scene, 3);
        brume_scene_destroy(scene);
        scenes++;
    }
    (void)closedir(folder);
    assert_true(scenes >= 6);
}

// A box whose sides share no factor and in which every term of the equations acts. `sides`: 0 walls around, 1 all
// periodic, 2 open, periodic and inflow.
static BrumeScene *busy_scene(int sides)
{
    BrumeScene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    BrumeSimDef def = box_def(75, 17, 23, 0.04f, sides == 1 ? BRUME_PERIODIC : BRUME_WALL);
    if (sides == 2) {
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
        def.faces[BRUME_FACE_X_MIN] =
            (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.5f, 0.0f, 0.1f}, .smoke = {0.1f}};
    }
    def.vorticity_confinement = 2.0f;
    def.viscosity = sides == 0 ? 1e-3f : 0.0f;
    def.cooling = 0.2f;
    def.drag = 0.1f;
    def.color_count = 3;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        def.smoke[kind].dissipation = 0.1f * (float)kind;
    }
    def.body_count = 2;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.4f, 0.46f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.bodies[1].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {1.2f, 0.4f, 0.2f}, .b = {1.4f, 0.44f, 0.7f}, .radius = 0.0f};
    def.emitter_count = 2;
    for (int n = 0; n < def.emitter_count; n++) {
        BrumeEmitterDef *emitter = &def.emitters[n];
        *emitter = brume_default_emitter_def();
        emitter->shape = (BrumeShape){
            .kind = BRUME_SHAPE_SPHERE, .a = {0.4f + 0.4f * (float)n, 0.2f, 0.46f}, .b = {0, 0, 0}, .radius = 0.12f};
        emitter->smoke[n] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        emitter->smoke[2 + n] = (BrumeSource){BRUME_SOURCE_RATE, 0.5f};
        emitter->temperature = (BrumeSource){BRUME_SOURCE_RATE, 400.0f};
        emitter->velocity = (BrumeVectorSource){BRUME_SOURCE_SET, {0.3f, 1.0f, -0.8f}};
        emitter->noise = 0.7f;
        emitter->noise_speed = 4.0f;
    }
    scene->sim = def;
    (void)snprintf(scene->name, sizeof scene->name, "box with sides %d", sides);
    return scene;
}

// moving bodies, periodic sides, odd sizes and all kinds of smoke
static void busy_boxes_have_the_same_bits(void **state)
{
    (void)state;
    for (int sides = 0; sides < 3; sides++) {
        BrumeScene *scene = busy_scene(sides);
        compare_kernels(scene, 3);
        free(scene);
    }
}

// rows of so many cells that a mark of the transport stands for more of them than in a short row
static void long_rows_have_the_same_bits(void **state)
{
    (void)state;
    for (int sides = 1; sides < 3; sides++) {
        BrumeScene *scene = busy_scene(sides);
        scene->sim.nx = 1100;
        scene->sim.ny = 12;
        scene->sim.nz = 13;
        scene->sim.emitters[1].shape.a.x = 43.9f;
        const uint64_t fast = hash_after(scene, 2, 3);
        scene->sim.kernels = "reference";
        assert_true(hash_after(scene, 3, 3) == fast);
        free(scene);
    }
}

// kernels may change between frames: half of the frames with one set, half with the other
static void kernels_may_change_between_frames(void **state)
{
    (void)state;
    BrumeScene *scene = busy_scene(2);
    uint64_t hash[2];
    for (int n = 0; n < 2; n++) {
        scene->sim.kernels = "fast";
        BrumeSim *sim = create(&scene->sim);
        BrumeError error = {0};
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        if (n == 1) {
            scene->sim.kernels = "reference";
            assert_int_equal(brume_sim_change(sim, &scene->sim, &error), BRUME_OK);
            assert_string_equal(brume_sim_settings(sim)->kernels, "reference");
        }
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        hash[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_true(hash[0] == hash[1]);
    free(scene);
}

static void unknown_kernels_are_refused(void **state)
{
    (void)state;
    assert_string_equal(brume_kernels_name(0), "fast");
    assert_string_equal(brume_kernels_name(1), "reference");
    assert_null(brume_kernels_name(2));
    assert_null(brume_kernels_name(-1));
    BrumeSimDef def = box_def(8, 8, 8, 0.1f, BRUME_WALL);
    assert_string_equal(def.kernels, brume_kernels_name(0));
    const char *const names[] = {"quick", NULL};
    for (int n = 0; n < 2; n++) {
        BrumeSim *sim = NULL;
        BrumeError error = {0};
        def.kernels = names[n];
        assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
        assert_null(sim);
        assert_string_equal(error.text, n == 0 ? "'kernels' in 'solver' is 'quick', but must be one of fast, reference"
                                               : "'kernels' in 'solver' is NULL, but must be one of fast, reference");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_has_the_same_bits), cmocka_unit_test(busy_boxes_have_the_same_bits),
        cmocka_unit_test(long_rows_have_the_same_bits),  cmocka_unit_test(kernels_may_change_between_frames),
        cmocka_unit_test(unknown_kernels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
