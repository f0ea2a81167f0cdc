#include "viewer/views/prepare_view.h"

#include "brume/scene.h"
#include "core/field.h"
#include "core/minmax.h"
#include "raymarch/cpu/preview.h"

#include <math.h>
#include <string.h>

// factor of the smoke's extinction where geometry within the smoke must be visible
static const float dimmed_extinction = 0.2f;

static const uint8_t iso_color[4] = {214, 220, 228, 255};

enum { ARROWS = 16, STREAMLINES = 15 }; // along the longest side of the box

// whether a view shows a quantity as colored smoke instead of the smoke
static bool is_quantity(BrumeViewKind view)
{
    return view == BRUME_VIEW_TEMPERATURE || view == BRUME_VIEW_VORTICITY || view == BRUME_VIEW_PRESSURE;
}

static const char *missing_quantity(const BrumeSnapshot *snapshot, BrumeViewKind kind)
{
    const char *missing = NULL;
    for (int n = 0; n < snapshot->variant_count && !missing; n++) {
        missing = brume_view_missing_quantity(kind, &snapshot->variants[n]);
    }
    return missing;
}

bool brume_view_shows_quantity(const BrumeViewSettings *settings, const BrumeSnapshot *snapshot)
{
    return is_quantity(settings->kind) && !missing_quantity(snapshot, settings->kind);
}

static bool needs_values(const BrumeViewSettings *settings)
{
    return settings->kind != BRUME_VIEW_SMOKE || settings->slice;
}

int brume_view_sides(const BrumeViewSettings *settings, const BrumeSnapshot *snapshot)
{
    return settings->two_looks || snapshot->variant_count == 2 ? 2 : 1;
}

const BrumeSnapshotVariant *brume_side_variant(const BrumeSnapshot *snapshot, int side)
{
    return &snapshot->variants[side < snapshot->variant_count ? side : 0];
}

const BrumeRenderSettings *brume_side_look(const BrumeViewSettings *settings, int side)
{
    return settings->two_looks && side == 1 ? &settings->other_look : &settings->render_settings;
}

// reallocates a field if its grid is not `grid`
static BrumeStatus fit_field(BrumeField *field, BrumeGrid grid, BrumeError *error)
{
    if (field->data && brume_same_grid(field->grid, grid)) {
        return BRUME_OK;
    }
    brume_field_destroy(field);
    *field = (BrumeField){0};
    return brume_field_create(field, grid, error);
}

static void dim_smoke(BrumeRenderSettings *render_settings, const BrumeViewSettings *settings)
{
    const float factor = settings->kind == BRUME_VIEW_ISOSURFACE                    ? 0.0f
                         : settings->kind == BRUME_VIEW_VELOCITY || settings->slice ? dimmed_extinction
                                                                                    : 1.0f;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        render_settings->smoke[kind].extinction *= factor;
    }
}

// Evaluates the quantity of all variants, and one scale that covers all of them, so that they can be compared.
static BrumeStatus evaluate_values(BrumeViewScratch *scratch, const BrumeSnapshot *snapshot,
                                   const BrumeViewSettings *settings, BrumeColorScale *scale, BrumeError *error)
{
    for (int n = 0; n < brume_view_sides(settings, snapshot); n++) {
        const BrumeSnapshotVariant *variant = brume_side_variant(snapshot, n);
        const BrumeStatus status = fit_field(&scratch->values[n], variant->fields[BRUME_FIELD_DENSITY].grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        const bool known = scratch->has_scale[n] && scratch->kind == settings->kind;
        scratch->scale[n] =
            brume_evaluate_view(settings->kind, variant, known ? &scratch->scale[n] : NULL, &scratch->values[n]);
        scratch->has_scale[n] = true;
        *scale = n == 0 ? scratch->scale[0] : brume_color_scale_of_both(scale, &scratch->scale[n]);
    }
    scratch->kind = settings->kind;
    return BRUME_OK;
}

static BrumeStatus build_geometry(const BrumeViewScratch *scratch, int n, const BrumeSnapshotVariant *variant,
                                  const BrumeViewSettings *settings, const BrumeColorScale *scale,
                                  BrumeOverlayGeometry *geometry, BrumeError *error)
{
    const float dx = variant->settings.dx;
    const BrumeVec3 origin = variant->origin;
    const BrumeField *values = &scratch->values[n];
    BrumeStatus status = BRUME_OK;
    if (settings->kind == BRUME_VIEW_ISOSURFACE) {
        status = brume_build_isosurface(geometry, values, settings->iso_level, dx, origin, iso_color, error);
    } else if (settings->kind == BRUME_VIEW_VELOCITY) {
        status = settings->streamlines ? brume_build_streamlines(geometry, variant, scale, STREAMLINES, error)
                                       : brume_build_arrows(geometry, variant, scale, ARROWS, error);
    }
    if (status == BRUME_OK && settings->slice) {
        status =
            brume_build_slice(geometry, values, scale, settings->slice_axis, settings->slice_at, dx, origin, error);
    }
    return status;
}

static float longest_side(const BrumeSimDef *sim_def)
{
    const int across = sim_def->nx > sim_def->nz ? sim_def->nx : sim_def->nz;
    return sim_def->dx * (float)(sim_def->ny > across ? sim_def->ny : across);
}

// computes the volume of a variant, and the render settings for it
static BrumeStatus make_volume(BrumeViewScratch *scratch, int n, const BrumeSnapshotVariant *variant,
                               const BrumeViewSettings *settings, const BrumeColorScale *scale,
                               BrumeRenderSettings *render_settings, BrumeVolume *volume, BrumeError *error)
{
    *volume = brume_snapshot_volume(variant);
    *render_settings = *brume_side_look(settings, n);
    render_settings->shutter = is_quantity(settings->kind) ? 0.0f : settings->shutter / variant->settings.fps;
    brume_place_surfaces(render_settings, settings->surface_of, &variant->settings);
    if (!is_quantity(settings->kind)) {
        dim_smoke(render_settings, settings);
        return BRUME_OK;
    }
    render_settings->edge_fade = 0.0f; // values up to the faces are visible
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeStatus status = fit_field(&scratch->densities[kind], scratch->values[n].grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        volume->density[kind] = scratch->densities[kind].data + brume_field_index(&scratch->densities[kind], 1, 1, 1);
    }
    render_settings->detail.factor = 1;         // the values of the cells are visible
    render_settings->emission.intensity = 0.0f; // colors alone show the quantity
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        render_settings->density_curve[kind] = (BrumeCurve){.count = 0};
    }
    brume_apply_transfer_function(&scratch->values[n], scale, longest_side(&variant->settings), scratch->densities,
                                  render_settings);
    dim_smoke(render_settings, settings);
    return BRUME_OK;
}

// loads a volume into the renderer of a variant and computes its light
static BrumeStatus load_and_light(BrumePreparedVariant *variant, const BrumeVolume *volume,
                                  const BrumeViewSettings *settings, bool in_motion, BrumeError *error)
{
    const BrumeGrid grid = brume_grid(volume->nx, volume->ny, volume->nz);
    BrumeStatus status;
    if (variant->renderer && brume_same_grid(variant->grid, grid)) {
        status = brume_renderer_set_settings(variant->renderer, &variant->render_settings, error);
    } else {
        brume_renderer_destroy(variant->renderer);
        variant->grid = grid;
        status = brume_renderer_create(&variant->renderer, grid.nx, grid.ny, grid.nz, &variant->render_settings, error);
    }
    if (status == BRUME_OK) {
        status = brume_renderer_load(variant->renderer, volume, error);
    }
    if (status == BRUME_OK && in_motion) {
        brume_light_in_motion(variant->renderer);
    } else if (status == BRUME_OK && !settings->unlit) {
        (void)brume_renderer_light(variant->renderer, NULL);
    }
    return status;
}

BrumeStatus brume_prepare_view(BrumePreparedView *view, BrumeViewScratch *scratch, const BrumeSnapshot *snapshot,
                               const BrumeViewSettings *settings, bool in_motion, BrumeOverlayGeometry *geometry,
                               BrumeError *error)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_overlay_geometry_clear(&geometry[n]);
    }
    view->missing = missing_quantity(snapshot, settings->kind);
    BrumeViewSettings smoke;
    if (view->missing) {
        smoke = *settings;
        smoke.kind = BRUME_VIEW_SMOKE;
        settings = &smoke;
    }
    BrumeColorScale scale = {0};
    BrumeStatus status = BRUME_OK;
    if (needs_values(settings)) {
        status = evaluate_values(scratch, snapshot, settings, &scale, error);
    }
    const int sides = brume_view_sides(settings, snapshot);
    for (int n = 0; n < sides && status == BRUME_OK; n++) {
        const BrumeSnapshotVariant *variant = brume_side_variant(snapshot, n);
        BrumeVolume volume;
        status = make_volume(scratch, n, variant, settings, &scale, &view->variants[n].render_settings, &volume, error);
        if (status == BRUME_OK) {
            view->variants[n].render_settings.frame = (float)(snapshot->time * (double)variant->settings.fps);
            status = load_and_light(&view->variants[n], &volume, settings, in_motion, error);
        }
        if (status == BRUME_OK) {
            status = build_geometry(scratch, n, variant, settings, &scale, &geometry[n], error);
        }
        scratch->scale[n] = needs_values(settings) ? scale : (BrumeColorScale){0};
        scratch->has_scale[n] = needs_values(settings);
    }
    for (int n = sides; n < BRUME_MAX_VARIANTS; n++) {
        brume_renderer_destroy(view->variants[n].renderer);
        view->variants[n] = (BrumePreparedVariant){0};
    }
    view->variant_count = status == BRUME_OK ? sides : 0;
    return status;
}

int brume_view_columns(const BrumePreparedView *view, float divider, int width, int ends[BRUME_MAX_VARIANTS + 1])
{
    const int middle = view->variant_count < 2 ? width : (int)lroundf((float)width * divider);
    ends[0] = 0;
    ends[1] = brume_min_int(brume_max_int(middle, 0), width);
    ends[2] = width;
    return view->variant_count;
}

void brume_tone_map_view(const BrumePreparedView *view, const int ends[BRUME_MAX_VARIANTS + 1], BrumeTonePicture tone,
                         void *pixels)
{
    for (int n = 0; n < view->variant_count; n++) {
        tone.columns[0] = ends[n];
        tone.columns[1] = ends[n + 1];
        if (ends[n] < ends[n + 1]) {
            brume_tone_map_picture(&view->variants[n].render_settings, &tone, pixels);
        }
    }
}

void brume_light_view(BrumePreparedView *view)
{
    for (int n = 0; n < view->variant_count; n++) {
        (void)brume_renderer_light(view->variants[n].renderer, NULL);
    }
}

bool brume_view_settings_equal(const BrumeViewSettings *a, const BrumeViewSettings *b)
{
    return memcmp(&a->render_settings, &b->render_settings, sizeof a->render_settings) == 0 &&
           a->two_looks == b->two_looks &&
           (!a->two_looks || memcmp(&a->other_look, &b->other_look, sizeof a->other_look) == 0) &&
           memcmp(a->surface_of, b->surface_of, sizeof a->surface_of) == 0 && a->kind == b->kind &&
           a->slice == b->slice && (!a->slice || (a->slice_axis == b->slice_axis && a->slice_at == b->slice_at)) &&
           (a->kind != BRUME_VIEW_VELOCITY || a->streamlines == b->streamlines) &&
           (a->kind != BRUME_VIEW_ISOSURFACE || a->iso_level == b->iso_level);
}

size_t brume_prepared_view_bytes(const BrumePreparedView *view)
{
    size_t bytes = 0;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        bytes += view->variants[n].renderer ? brume_renderer_bytes(view->variants[n].renderer) : 0;
    }
    return bytes;
}

void brume_prepared_view_destroy(BrumePreparedView *view)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_renderer_destroy(view->variants[n].renderer);
    }
    *view = (BrumePreparedView){0};
}

void brume_view_scratch_destroy(BrumeViewScratch *scratch)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_field_destroy(&scratch->values[n]);
    }
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        brume_field_destroy(&scratch->densities[kind]);
    }
    *scratch = (BrumeViewScratch){0};
}
