/* Several threads use the library at once, each with its own scene, simulation and renderer: the results equal those of
 * one thread after the other. Run under ThreadSanitizer too. */
#include "library_support.h"

#include <pthread.h>

enum { THREADS = 4, FRAMES = 3, WIDTH = 40, HEIGHT = 30 };

typedef struct Job {
    const char *path;
    int team; // threads of the solver's own
    bool ok;
    uint64_t hash;
    uint64_t loaded_hash; // of a state that went through memory
    uint8_t rgb[WIDTH * HEIGHT * 3];
    int progress;
} Job;

static bool count_progress(void *context, double fraction, BrumeStage stage)
{
    (void)fraction;
    (void)stage;
    ((Job *)context)->progress++;
    return true;
}

static bool simulate(Job *job, const BrumeScene *scene, BrumeSim *sim)
{
    BrumeError error = {0};
    brume_sim_set_hooks(sim, &(BrumeSimHooks){.context = job, .progress = count_progress});
    for (int frame = 0; frame < FRAMES; frame++) {
        if (brume_scene_frame(scene, sim, NULL, &error) != BRUME_OK) {
            return false;
        }
    }
    job->hash = brume_sim_hash(sim);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeSim *loaded = NULL;
    if (!bytes || brume_sim_save(sim, bytes, size, &error) != BRUME_OK ||
        brume_sim_create_saved(&loaded, bytes, size, &error) != BRUME_OK) {
        free(bytes);
        return false;
    }
    job->loaded_hash = brume_sim_hash(loaded);
    brume_sim_destroy(loaded);
    free(bytes);
    return true;
}

static bool draw(Job *job, const BrumeScene *scene, const BrumeSim *sim)
{
    BrumeError error = {0};
    BrumeRenderer *renderer;
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeRenderSettings settings = brume_scene_render_settings(scene, brume_sim_settings(sim));
    float *radiance = malloc(sizeof *radiance * WIDTH * HEIGHT * 3);
    if (!radiance || brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error) != BRUME_OK) {
        free(radiance);
        return false;
    }
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, brume_sim_time(sim));
    const BrumeDrawDef picture = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    bool ok = brume_renderer_load(renderer, &volume, &error) == BRUME_OK;
    if (ok) {
        brume_renderer_light(renderer, NULL);
        ok = brume_renderer_draw(renderer, &camera, &picture, radiance, NULL) == BRUME_OK;
        brume_tone_map(&settings, WIDTH, HEIGHT, radiance, job->rgb);
    }
    brume_renderer_destroy(renderer);
    free(radiance);
    return ok;
}

static void *run_job(void *argument)
{
    Job *job = argument;
    static const char *const overrides[] = {"solver.resolution=20"};
    BrumeError error = {0};
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    brume_set_threads(job->team);
    job->ok = brume_scene_load(&scene, job->path, overrides, 1, NULL, &error) == BRUME_OK &&
              brume_sim_create(&sim, &scene->sim, &error) == BRUME_OK && simulate(job, scene, sim) &&
              draw(job, scene, sim);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return NULL;
}

static void test_threads_do_not_disturb_one_another(void **state)
{
    (void)state;
    static const char *const paths[THREADS] = {
        BRUME_SOURCE_DIR "/scenes/plume.yaml",
        BRUME_SOURCE_DIR "/scenes/plume_sphere.yaml",
        BRUME_SOURCE_DIR "/scenes/colliding_jets.yaml",
        BRUME_SOURCE_DIR "/scenes/wind_tunnel.yaml",
    };
    static Job alone[THREADS];
    static Job together[THREADS];
    pthread_t threads[THREADS];
    for (int n = 0; n < THREADS; n++) {
        alone[n] = (Job){.path = paths[n], .team = 1};
        run_job(&alone[n]);
        assert_true(alone[n].ok);
        assert_true(alone[n].loaded_hash == alone[n].hash);
        together[n] = (Job){.path = paths[n], .team = 1 + n % 2};
    }
    for (int n = 0; n < THREADS; n++) {
        assert_int_equal(pthread_create(&threads[n], NULL, run_job, &together[n]), 0);
    }
    for (int n = 0; n < THREADS; n++) {
        assert_int_equal(pthread_join(threads[n], NULL), 0);
    }
    for (int n = 0; n < THREADS; n++) {
        assert_true(together[n].ok);
        assert_true(together[n].hash == alone[n].hash);
        assert_true(together[n].loaded_hash == alone[n].hash);
        assert_int_equal(together[n].progress, alone[n].progress);
        assert_memory_equal(together[n].rgb, alone[n].rgb, sizeof alone[n].rgb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_do_not_disturb_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
