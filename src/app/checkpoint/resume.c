#include "app/checkpoint/resume.h"

#include "brume/brume.h"
#include "core/text.h"
#include "scene/compare.h"

#include <string.h>

enum { MAX_DIFFERENCES = 240 }; // bytes of the text of an error that list keys

// the latest frame of which the folder has a checkpoint, up to `last`; 0: none
static int latest_frame(const BrumeCheckpointFolder *folder, int last)
{
    int latest = 0;
    for (int n = 0; n < folder->count; n++) {
        const int frame = folder->frames[n];
        latest = frame <= last && frame > latest ? frame : latest;
    }
    return latest;
}

// reads the latest checkpoint that is not damaged; its frame is 0 where there is none
static BrumeStatus read_latest(BrumeCheckpoint *checkpoint, const BrumeCheckpointFolder *folder, int last_frame,
                               BrumeMessages *messages, BrumeError *error)
{
    *checkpoint = (BrumeCheckpoint){0};
    for (int frame = last_frame; (frame = latest_frame(folder, frame)) > 0; frame--) {
        char path[BRUME_MAX_PATH];
        brume_checkpoint_path(folder, frame, path);
        BrumeStatus status = brume_checkpoint_read(checkpoint, path, error);
        if (status == BRUME_OK && checkpoint->frame != frame) {
            status = brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint is of frame %d", path, checkpoint->frame);
        }
        if (status != BRUME_BAD_INPUT) {
            return status;
        }
        brume_messages_warning(messages, "%s; going on from an earlier one", error->text);
        brume_checkpoint_free(checkpoint);
    }
    return BRUME_OK;
}

// appends the keys of the scene that differ from those of the checkpoint
static BrumeStatus compare_scene(const BrumeCheckpoint *checkpoint, const BrumeScene *scene, BrumeText *differences,
                                 BrumeError *error)
{
    BrumeScene *saved = NULL;
    BrumeStatus status = brume_scene_parse_written(&saved, checkpoint->scene_text, "checkpoint", NULL, 0,
                                                   BRUME_SCENE_FILES_NONE, NULL, error);
    if (status == BRUME_OK) {
        status = brume_scene_compare(saved, scene, checkpoint->frame, differences, error);
    }
    brume_scene_destroy(saved);
    return status;
}

static BrumeStatus check_origin(const BrumeCheckpoint *checkpoint, const BrumeScene *scene, BrumeResumeMode mode,
                                BrumeError *error)
{
    const char *restart = mode == BRUME_RESUME_KEPT ? "another --checkpoints to simulate from the first frame"
                                                    : "--overwrite to start again";
    if (strcmp(checkpoint->version, brume_version()) != 0) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "--resume: the checkpoint of frame %d is from version %s, this is %s, which may compute other "
            "bits (give --resume=force to go on nevertheless, or %s)",
            checkpoint->frame + scene->first_frame - 1, brume_quote(checkpoint->version).text, brume_version(),
            restart);
    }
    BrumeText differences = {0};
    BrumeStatus status = compare_scene(checkpoint, scene, &differences, error);
    if (status == BRUME_OK && differences.size > 0) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "--resume: the scene has changed since frame %d: %.*s%s (change it back, give "
                            "--resume=force to go on with the new values, or %s)",
                            checkpoint->frame + scene->first_frame - 1, MAX_DIFFERENCES, differences.data,
                            differences.size > MAX_DIFFERENCES ? "..." : "", restart);
    }
    brume_text_destroy(&differences);
    return status;
}

// gives a restored simulation the settings that the scene has after that frame, with the obstacles where they are
static BrumeStatus apply_scene(const BrumeScene *scene, BrumeSim *sim, BrumeError *error)
{
    const BrumeSimDef *settings = &scene->sim;
    const BrumeTimeline *timeline = &scene->timeline;
    for (int n = 0; n < timeline->count && timeline->changes[n].frame < brume_sim_frames(sim); n++) {
        settings = timeline->changes[n].settings ? timeline->changes[n].settings : settings;
    }
    const BrumeChange change = {.frame = brume_sim_frames(sim), .settings = settings};
    return brume_change_apply(&change, sim, error);
}

BrumeStatus brume_resume(const BrumeCheckpointFolder *folder, const BrumeScene *scene, BrumeResumeMode mode,
                         int last_frame, BrumeMessages *messages, BrumeRunRecord *record, BrumeProbeEnds *ends,
                         BrumeSim **sim, BrumeError *error)
{
    *sim = NULL;
    BrumeCheckpoint checkpoint;
    BrumeStatus status = read_latest(&checkpoint, folder, last_frame, messages, error);
    if (status != BRUME_OK || checkpoint.frame == 0) {
        brume_checkpoint_free(&checkpoint);
        return status;
    }
    if (mode != BRUME_RESUME_FORCE) {
        status = check_origin(&checkpoint, scene, mode, error);
    }
    if (status == BRUME_OK) {
        status = brume_checkpoint_restore(&checkpoint, record, ends, sim, error);
    }
    brume_checkpoint_free(&checkpoint);
    if (status == BRUME_OK && mode == BRUME_RESUME_FORCE) {
        status = apply_scene(scene, *sim, error);
    }
    if (status != BRUME_OK) {
        brume_sim_destroy(*sim);
        *sim = NULL;
    }
    return status;
}
