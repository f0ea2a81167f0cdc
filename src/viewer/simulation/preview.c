#include "viewer/simulation/preview.h"

#include "core/field.h"
#include "core/shape.h"
#include "sim/forces/strokes.h"

// creates an empty density field for each color that the settings will add
static void add_colors(BrumeSnapshotVariant *variant, int count)
{
    for (int color = 1; color <= count; color++) {
        BrumeField *field = &variant->fields[BRUME_FIELD_DENSITY + color];
        if (!field->data) {
            (void)brume_field_create(field, variant->fields[BRUME_FIELD_DENSITY].grid, NULL);
        }
    }
}

static void move_bodies(BrumeSimDef *settings, const BrumeFrameEdits *edits)
{
    (void)brume_frame_edits_place(edits, settings);
    for (int n = 0; n < settings->body_count; n++) {
        if ((edits->moved >> n & 1) != 0) {
            BrumeShape *shape = &settings->bodies[n].shape;
            *shape = brume_shape_after_motion(shape, edits->displacements[n], edits->turns[n]);
        }
    }
}

void brume_preview_apply(BrumeSnapshotVariant *variant, int n, double time, const BrumeFrameEdits *edits)
{
    if (!brume_snapshot_has_fields(variant)) {
        return;
    }
    const double length = 1.0 / (double)variant->settings.fps; // of the frame; strokes change velocity at a rate
    if (edits->settings[n]) {
        add_colors(variant, edits->color_count[n]);
    }
    move_bodies(&variant->settings, edits);
    BrumeSimDef window = variant->settings;
    window.origin = variant->origin;
    BrumeStrokeQueue queue = edits->strokes;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    while (queue.count > 0) {
        const int count = brume_stroke_queue_pop_frame(&queue, time, time + length, BRUME_MAX_STROKES, strokes);
        for (int stroke = 0; stroke < count; stroke++) {
            (void)brume_apply_stroke(&strokes[stroke], &window, time, length, variant->fields);
        }
    }
}
