/**
 * @file prepare_view.h
 * Converts a snapshot to the input of the renderers: smoke, or a quantity as colored smoke, loaded and lit; solids at
 * the positions of the bodies; and the overlay geometry of the view. Runs in the preparation thread.
 */
#ifndef BRUME_VIEWER_VIEWS_PREPARE_VIEW_H
#define BRUME_VIEWER_VIEWS_PREPARE_VIEW_H

#include "brume/renderer.h"
#include "raymarch/tone.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/views/overlay_geometry.h"

/** The settings of the view of a snapshot. */
typedef struct BrumeViewSettings {
    BrumeRenderSettings render_settings; ///< of the smoke; bodies replace the shapes of its solids (`surface_of`)
    bool two_looks;                      ///< the second side has the render settings `other_look`
    BrumeRenderSettings other_look;
    int surface_of[BRUME_MAX_BODIES]; ///< index of the surface that shows a body, -1: it is not drawn
    BrumeViewKind kind;
    bool streamlines; ///< for the velocity: streamlines, otherwise arrows
    float iso_level;  ///< density of the isosurface [1]
    bool slice;
    int slice_axis; ///< 0 to 2
    float slice_at; ///< position of the slice as a fraction of the box, 0 to 1
    float shutter;  ///< of the smoke, as BrumeScene.shutter; 0 in the window
    bool unlit;     ///< no light is computed, for the path tracer; false in the window
} BrumeViewSettings;

/** One side of the picture that can be drawn: a variant with its render settings. */
typedef struct BrumePreparedVariant {
    BrumeRenderer *renderer;             ///< NULL before the first load
    BrumeGrid grid;                      ///< grid for which the renderer was created
    BrumeRenderSettings render_settings; ///< settings that the renderer uses
} BrumePreparedVariant;

/** A view that is ready to be drawn. Zeroed, it is empty. */
typedef struct BrumePreparedView {
    int variant_count;   ///< sides: as brume_view_sides
    const char *missing; ///< quantity that the view needs and the snapshot lacks: smoke was prepared; NULL: none
    BrumePreparedVariant variants[BRUME_MAX_VARIANTS];
} BrumePreparedView;

/**
 * Temporary fields of brume_prepare_view, and the latest color scales, which brume_evaluate_view needs to keep them
 * from changing with every frame. Zeroed, it is empty.
 */
typedef struct BrumeViewScratch {
    BrumeField values[BRUME_MAX_VARIANTS];
    BrumeField densities[BRUME_VOLUME_KINDS];
    BrumeColorScale scale[BRUME_MAX_VARIANTS];
    bool has_scale[BRUME_MAX_VARIANTS];
    BrumeViewKind kind; ///< view to which the scales belong
} BrumeViewScratch;

/** Returns the number of sides of the picture: 2 with two variants or two looks, otherwise 1. */
int brume_view_sides(const BrumeViewSettings *settings, const BrumeSnapshot *snapshot);

/** Whether the view of a snapshot shows a quantity as colored smoke instead of the smoke. */
bool brume_view_shows_quantity(const BrumeViewSettings *settings, const BrumeSnapshot *snapshot);

/** Returns the variant of a snapshot that a side shows: both sides show the same one where there is only one. */
const BrumeSnapshotVariant *brume_side_variant(const BrumeSnapshot *snapshot, int side);

/** The render settings of a side. */
const BrumeRenderSettings *brume_side_look(const BrumeViewSettings *settings, int side);

/**
 * Prepares a snapshot for drawing, as smoke where it lacks the quantity of the view (`view->missing`), and builds the
 * overlay geometry of each side (`geometry[BRUME_MAX_VARIANTS]`, cleared first). The light is computed for pictures in
 * motion or for pictures at rest (raymarch/cpu/preview.h). Reallocates where a grid has changed. BRUME_FAILED without
 * memory; the view cannot be drawn then.
 */
BrumeStatus brume_prepare_view(BrumePreparedView *view, BrumeViewScratch *scratch, const BrumeSnapshot *snapshot,
                               const BrumeViewSettings *settings, bool in_motion, BrumeOverlayGeometry *geometry,
                               BrumeError *error);

/**
 * Computes the columns of a picture that show each side, ends[side] <= x < ends[side + 1]; the first side ends at
 * `divider`, a fraction of the width. Returns the number of sides.
 */
int brume_view_columns(const BrumePreparedView *view, float divider, int width, int ends[BRUME_MAX_VARIANTS + 1]);

/** Converts a picture of these columns, each side with the exposure and the tone curve of its look. */
void brume_tone_map_view(const BrumePreparedView *view, const int ends[BRUME_MAX_VARIANTS + 1], BrumeTonePicture tone,
                         void *pixels);

/** Replaces the light of a view that was prepared in motion by the light of pictures at rest. */
void brume_light_view(BrumePreparedView *view);

/** Whether brume_prepare_view gives the same result for both settings. */
bool brume_view_settings_equal(const BrumeViewSettings *a, const BrumeViewSettings *b);

/** Memory of a prepared view [bytes]. */
size_t brume_prepared_view_bytes(const BrumePreparedView *view);

void brume_prepared_view_destroy(BrumePreparedView *view);
void brume_view_scratch_destroy(BrumeViewScratch *scratch);

#endif
