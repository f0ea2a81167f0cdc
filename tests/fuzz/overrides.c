/*
 * Values of a scene set by `-D`: each line of the input is one override of a small scene. A scene that is accepted can
 * be written and read again, and its simulation advances by a frame, or fails with one line.
 */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OVERRIDES = 32 };

static const char base[] =
    "domain: {size: [1, 1, 0.125], boundaries: {z: periodic}}\n"
    "solver: {resolution: [8, 8, 1], max_steps: 2, max_iterations: 20}\n"
    "air: {thermal_diffusivity: 0.01}\n"
    "initial:\n"
    "  - {kind: formula, quantity: temperature, formula: x + 1}\n"
    "emitters:\n"
    "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.2, density: 1, color_1_rate: 2}\n"
    "bodies:\n"
    "  - {shape: box, from: [0.2, 0.5, -1], to: [0.4, 0.7, 1]}\n"
    "probes:\n"
    "  - {name: line, kind: line, from: [0, 0, 0], to: [0, 1, 0], counts: 4}\n"
    "timeline:\n"
    "  - frame: 0\n"
    "    set: {air.drag: 0.5}\n"
    "    strokes: [{start: 0, end: 0.02, from: [0, 0, 0], to: [0, 1, 0], radius: 0.2, push: 3}]\n"
    "    moves: [{body: 0, velocity: [-1, 0, 0]}]\n";

/** Splits a text at the ends of its lines; returns the number of lines, at most MAX_OVERRIDES. */
static int split(char *text, const char *lines[MAX_OVERRIDES])
{
    int count = 0;
    for (char *line = text; *line && count < MAX_OVERRIDES;) {
        char *const end = line + strcspn(line, "\n");
        const bool is_last = *end == '\0';
        *end = '\0';
        lines[count++] = line;
        line = is_last ? end : end + 1;
    }
    return count;
}

static void advance(const BrumeScene *scene)
{
    const BrumeTimeline *const timeline = &scene->timeline;
    const BrumeSimDef *const changed = timeline->count > 0 ? timeline->changes[0].settings : NULL;
    if (!fuzz_is_small(&scene->sim) || (changed && !fuzz_is_small(changed))) {
        return;
    }
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, &error);
    if (status == BRUME_OK) {
        status = brume_scene_frame(scene, sim, NULL, &error);
    }
    fuzz_require_status(status, &error);
    brume_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = fuzz_text(data, size);
    const char *lines[MAX_OVERRIDES];
    const int count = split(text, lines);
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    const BrumeStatus status = brume_scene_parse(&scene, base, "scene.yaml", lines, count, NULL, &error);
    fuzz_require_status(status, &error);
    FUZZ_REQUIRE((status == BRUME_OK) == (scene != NULL), error.text);
    if (scene) {
        fuzz_require_valid_scene(scene);
        advance(scene);
    }
    brume_scene_destroy(scene);
    free(text);
    return 0;
}
