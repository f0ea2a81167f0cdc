/*
 * Random scenes and the properties that hold for all of them (support/scene_check.h). Without arguments the test runs
 * half of the scenes of the suite. `test_sim_random FIRST COUNT [FRAMES]` runs others (scripts/random-scenes), the
 * first frames of them, and `test_sim_random FILE` a scene file.
 */
#include "core/memory.h"
#include "random_scene.h"
#include "scene_check.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef BRUME_SANITIZED
enum { FIRST_SCENE = 1, SCENES = 15 }; // these builds are several times slower
#else
enum { FIRST_SCENE = 1, SCENES = 30 };
#endif

// prints the results and, if a property does not hold, the scene
static bool check_and_print(const BrumeScene *scene, int extra, const char *text)
{
    SceneCheck check;
    const bool holds = check_scene(scene, extra, &check);
    printf("%s: %d steps, %d frames unconverged, energy %.3g, speed %.3g, at the end %.3g, excess %.2g of %.2g, "
           "unaccounted %.2g: "
           "%s\n",
           scene->name, check.steps, check.unconverged, check.energy, check.speed, check.dissipation, check.excess,
           check.tolerance, check.budget, holds ? "ok" : "FAILED");
    if (!holds) {
        printf("%s: %s\n%s", scene->name, check.fault, text);
    }
    (void)fflush(stdout);
    return holds;
}

static bool run_random_scene(uint32_t seed, int frames)
{
    BrumeScene *scene = NULL;
    char *text = NULL;
    BrumeError error = {.status = BRUME_OK};
    if (random_scene(&scene, &text, seed, &error) != BRUME_OK) {
        printf("random-%u: not valid: %s\n", seed, error.text);
        return false;
    }
    scene->frames = frames;
    const bool holds = check_and_print(scene, (int)(seed % 3), text);
    brume_scene_destroy(scene);
    brume_free(text);
    return holds;
}

// a scene file, with all three of the third runs
static bool run_file(const char *path)
{
    BrumeScene *scene = NULL;
    BrumeError error = {.status = BRUME_OK};
    if (brume_scene_load(&scene, path, NULL, 0, NULL, &error) != BRUME_OK) {
        printf("%s\n", error.text);
        return false;
    }
    bool holds = true;
    for (int extra = 0; extra < 3 && holds; extra++) {
        holds = check_and_print(scene, extra, "");
    }
    brume_scene_destroy(scene);
    return holds;
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        return run_file(argv[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : FIRST_SCENE;
    const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : SCENES;
    const int frames = argc > 3 ? (int)strtol(argv[3], NULL, 10) : RANDOM_SCENE_FRAMES;
    uint32_t failed = 0;
    for (uint32_t n = 0; n < count; n++) {
        failed += !run_random_scene(first + n, frames);
    }
    printf("%u of %u random scenes failed\n", failed, count);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
