#include "viewer/look_presets.h"

#include <stdio.h>
#include <string.h>

// While the state changes, thumbnails are drawn again after this time at the earliest [s].
static const double least_age = 10.0;
// Time without motion after which the camera is at rest [s].
static const double rest_after = 0.3;

void brume_viewer_start_looks(BrumeViewer *viewer, const char *folder, void (*wake)(void))
{
    BrumeLookCatalog *catalog = &viewer->looks.catalog;
    (void)snprintf(catalog->installed, sizeof catalog->installed, "%s", folder ? folder : "");
    if (!brume_own_looks_folder(catalog->own, sizeof catalog->own)) {
        catalog->own[0] = '\0';
    }
    brume_look_catalog_scan(catalog);
    viewer->readouts.looks = catalog;
    // otherwise swatches are shown
    if (brume_look_thumbnails_create(&viewer->looks.thumbnails, viewer->def.readers, wake, NULL) == BRUME_OK) {
        viewer->readouts.look_thumbnails = viewer->looks.thumbnails;
    }
}

// returns the box of the simulation that the panel edits, or of the shown volumes
static BrumeLookBox present_box(BrumeViewer *viewer)
{
    const BrumeSimDef *shown = &viewer->snapshot.variants[0].settings; // without cells before the first frame
    return brume_look_box(viewer->def.sequence && shown->nx > 0 ? shown : brume_controls_sim(&viewer->controls));
}

// the path of the image that a look has as its sky; NULL for other skies
static const char *sky_file(const BrumeViewer *viewer, const BrumeRenderSettings *look)
{
    if (look->sky.kind != BRUME_SKY_IMAGE) {
        return NULL;
    }
    const char *opened = brume_opened_skies_path(&viewer->skies, &look->sky.image);
    return opened ? opened : viewer->scene->sky_file;
}

// applies a preset to the present look, as one step of the undo history
static void apply_preset(BrumeViewer *viewer, const BrumeLookEntry *entry)
{
    BrumeLookPreset preset;
    BrumeError error;
    BrumeStatus status = brume_look_read(&preset, entry->part, entry->path, viewer->def.readers, &error);
    if (status == BRUME_OK && preset.sky_radiance) {
        float *radiance = preset.sky_radiance;
        preset.sky_radiance = NULL;
        status = brume_opened_skies_add(&viewer->skies, preset.sky_file, radiance, &preset.look.sky.image, &error);
    }
    if (status == BRUME_OK) {
        const BrumeLookBox box = present_box(viewer);
        brume_look_preset_apply(&preset, &box, brume_controls_look(&viewer->controls));
        brume_undo_history_add(viewer->history, &viewer->controls);
        brume_viewer_show_message(viewer, false, "%s: %s", preset.name,
                                  preset.description[0] ? preset.description : "applied");
    } else {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
    brume_look_preset_destroy(&preset);
}

// writes a part of the present look as a preset of this name
static void save_preset(BrumeViewer *viewer, BrumeLookPart part, const char *name)
{
    const BrumeRenderSettings *look = brume_controls_look(&viewer->controls);
    const BrumeLookBox box = present_box(viewer);
    char path[BRUME_LOOK_PATH];
    BrumeError error;
    if (brume_look_catalog_save(&viewer->looks.catalog, part, look, &box, name, sky_file(viewer, look), path, &error) ==
        BRUME_OK) {
        brume_viewer_show_message(viewer, false, "%s written", path);
    } else {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

void brume_viewer_change_looks(BrumeViewer *viewer, const BrumeCommands *commands)
{
    BrumeLookCatalog *catalog = &viewer->looks.catalog;
    if (commands->apply_look > 0 && commands->apply_look <= catalog->count) {
        apply_preset(viewer, &catalog->entries[commands->apply_look - 1]);
    }
    for (int part = 0; part < BRUME_LOOK_PARTS; part++) {
        if (commands->save_look[part][0]) {
            save_preset(viewer, (BrumeLookPart)part, commands->save_look[part]);
        }
    }
    if (commands->remove_look > 0 && commands->remove_look <= catalog->count) {
        const BrumeLookEntry removed = catalog->entries[commands->remove_look - 1];
        BrumeError error;
        if (brume_look_catalog_remove(catalog, commands->remove_look - 1, &error) == BRUME_OK) {
            brume_viewer_show_message(viewer, false, "%s deleted", removed.path);
        } else {
            brume_viewer_show_message(viewer, true, "%s", error.text);
        }
    }
}

static bool same_request(const BrumeThumbnailRequest *a, const BrumeThumbnailRequest *b)
{
    return memcmp(&a->look, &b->look, sizeof a->look) == 0 && memcmp(&a->box, &b->box, sizeof a->box) == 0 &&
           memcmp(&a->camera, &b->camera, sizeof a->camera) == 0;
}

void brume_viewer_update_looks(BrumeViewer *viewer, double now)
{
    BrumeLookPresets *looks = &viewer->looks;
    const BrumeRenderSettings *look = brume_controls_look(&viewer->controls);
    const BrumeLookBox box = present_box(viewer);
    viewer->readouts.sky_file = sky_file(viewer, look);
    viewer->readouts.look_floor = box.floor;
    viewer->readouts.look_side = box.side;
    if (!viewer->controls.looks_shown || viewer->window->hidden || !viewer->picture || !looks->thumbnails ||
        brume_look_thumbnails_busy(looks->thumbnails)) {
        return;
    }
    BrumeThumbnailRequest request = {.box = box, .camera = viewer->controls.camera};
    memcpy(&request.look, look, sizeof request.look); // padding included, because the bytes are compared
    brume_thumbnail_request_set_solids(&request, &viewer->picture->render_settings[0]);
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    const bool same_state = looks->frame == snapshot->frame && looks->epoch == snapshot->epoch &&
                            looks->shown_revision == snapshot->revision;
    const bool first = looks->requested_at <= 0.0;
    const bool changed = !same_request(&request, &looks->request) || looks->revision != looks->catalog.revision;
    const bool moves = now - viewer->last_motion < rest_after;
    const bool due = changed ? !moves || now - looks->requested_at > least_age
                             : !same_state && (!moves || now - looks->requested_at > least_age);
    if (!first && !due) {
        return;
    }
    if (first || !same_state) {
        brume_look_thumbnails_want_smoke(looks->thumbnails);
        brume_render_thread_offer_snapshot(viewer->render_thread);
    }
    looks->request = request;
    looks->revision = looks->catalog.revision;
    looks->frame = snapshot->frame;
    looks->epoch = snapshot->epoch;
    looks->shown_revision = snapshot->revision;
    looks->requested_at = now;
    brume_look_thumbnails_request(looks->thumbnails, &looks->catalog, &request);
}

void brume_viewer_offer_to_looks(BrumeViewer *viewer, const BrumeSnapshot *snapshot)
{
    BrumeLookThumbnails *thumbnails = viewer->looks.thumbnails;
    if (thumbnails) {
        brume_look_thumbnails_offer(thumbnails, snapshot);
    }
}

void brume_viewer_end_looks(BrumeViewer *viewer) { brume_look_thumbnails_destroy(viewer->looks.thumbnails); }
