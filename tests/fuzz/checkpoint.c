/*
 * The bytes of a checkpoint, with the hashes of its content and of the state inside as they are. It is read as --resume
 * does: the scene, then statistics, measures and state, for a run with and without measures.
 */
#include "fuzz_target.h"

#include "app/checkpoint/checkpoint.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/compare.h"

#include <string.h>

static void repair_headers(uint8_t *bytes, size_t size)
{
    static const char state_mark[] = "BRME_MST"; // at the start of the state, which is the end of a checkpoint
    uint8_t *const state = memmem(bytes, size, state_mark, sizeof state_mark - 1);
    if (state) {
        fuzz_repair_header(state, size - (size_t)(state - bytes));
    }
    fuzz_repair_header(bytes, size);
}

static void restore(const uint8_t *data, size_t size, const BrumeScene *scene, bool measured)
{
    enum { MAX_FRAMES = 240 };
    const int frames = scene->frames < MAX_FRAMES ? scene->frames : MAX_FRAMES;
    BrumeCheckpoint checkpoint;
    BrumeRunStats stats = {0};
    BrumeMeasureLog measures = {0};
    BrumeProbeFiles probes = {0};
    BrumeProbeEnds ends;
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    FUZZ_REQUIRE(brume_checkpoint_open(&checkpoint, fuzz_bytes(data, size), size, "input", &error) == BRUME_OK,
                 error.text);
    FUZZ_REQUIRE(brume_run_stats_create(&stats, frames, &error) == BRUME_OK, error.text);
    FUZZ_REQUIRE(!measured || brume_measure_log_create(&measures, scene, frames, &error) == BRUME_OK, error.text);
    BrumeRunRecord record = {checkpoint.scene_text, &stats, &measures, &probes};
    const BrumeStatus status = brume_checkpoint_restore(&checkpoint, &record, &ends, NULL, &sim, &error);
    fuzz_require_status(status, &error);
    FUZZ_REQUIRE((status == BRUME_OK) == (sim != NULL), error.text);
    if (sim) {
        FUZZ_REQUIRE(brume_sim_frames(sim) == checkpoint.frame, "a state of another frame");
        FUZZ_REQUIRE(stats.frames <= frames && measures.states <= measures.capacity, "too many frames");
    }
    brume_sim_destroy(sim);
    brume_measure_log_destroy(&measures);
    brume_run_stats_destroy(&stats);
    brume_checkpoint_free(&checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *const bytes = fuzz_bytes(data, size);
    repair_headers(bytes, size);
    BrumeCheckpoint checkpoint;
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_checkpoint_open(&checkpoint, fuzz_bytes(bytes, size), size, "input", &error);
    fuzz_require_status(status, &error);
    if (status == BRUME_OK) {
        status = brume_scene_parse_written(&scene, checkpoint.scene_text, "checkpoint", NULL, 0, BRUME_SCENE_FILES_NONE,
                                           NULL, &error);
        fuzz_require_status(status, &error);
    }
    if (scene) {
        BrumeText differences = {0};
        status = brume_scene_compare(scene, scene, checkpoint.frame, &differences, &error);
        FUZZ_REQUIRE(status == BRUME_OK && differences.size == 0, "a scene that differs from itself");
        brume_text_destroy(&differences);
        restore(bytes, size, scene, false);
        restore(bytes, size, scene, true);
    }
    brume_scene_destroy(scene);
    brume_checkpoint_free(&checkpoint);
    brume_free(bytes);
    return 0;
}
