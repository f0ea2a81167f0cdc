#include "viewer/prepare_view.h"
#include "core/field.h"

#include <math.h>
#include <string.h>

// share of the smoke's extinction that is left where something else is to be seen within it
static const float dimmed = 0.2f;

static const uint8_t iso_color[4] = {214, 220, 228, 255};

enum { ARROWS = 16, STREAMLINES = 10 }; // along the longest side

static bool is_quantity(BrumeViewKind view)
{
    return view == BRUME_VIEW_TEMPERATURE || view == BRUME_VIEW_VORTICITY || view == BRUME_VIEW_PRESSURE;
}

static bool needs_values(const BrumeRenderRequest *wish) { return wish->view != BRUME_VIEW_SMOKE || wish->slice; }

static bool same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

static BrumeStatus fit_field(BrumeField *field, BrumeGrid grid, BrumeError *error)
{
    if (field->data && same_grid(field->grid, grid)) {
        return BRUME_OK;
    }
    brume_field_destroy(field);
    *field = (BrumeField){0};
    return brume_field_create(field, grid, error);
}

static void place_solids(BrumeRenderSettings *look, const BrumeRenderRequest *wish, const BrumeSimDef *settings)
{
    for (int n = 0; n < settings->obstacle_count; n++) {
        const int surface = wish->surface_of[n];
        if (surface >= 0 && surface < look->surface_count) {
            look->surfaces[surface].shape = settings->obstacles[n].shape;
        }
    }
}

static void dim_smoke(BrumeRenderSettings *look, const BrumeRenderRequest *wish)
{
    const float share = wish->view == BRUME_VIEW_ISOSURFACE                ? 0.0f
                        : wish->view == BRUME_VIEW_VELOCITY || wish->slice ? dimmed
                                                                           : 1.0f;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        look->smoke[kind].extinction *= share;
    }
}

// the values of all sides, and scales that cover them all so that the sides can be compared
static BrumeStatus find_values(BrumeSightRoom *room, const BrumeSnapshot *snapshot, const BrumeRenderRequest *wish,
                               BrumeScale *scale, BrumeError *error)
{
    for (int n = 0; n < snapshot->sides; n++) {
        const BrumeSnapshotSide *side = &snapshot->side[n];
        const BrumeStatus status = fit_field(&room->values[n], side->fields[BRUME_FIELD_DENSITY].grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        const bool known = room->has_scale[n] && room->view == wish->view;
        room->scale[n] = brume_view_field(wish->view, side, known ? &room->scale[n] : NULL, &room->values[n]);
        room->has_scale[n] = true;
        if (n == 0) {
            *scale = room->scale[0];
        } else {
            scale->lower = fminf(scale->lower, room->scale[n].lower);
            scale->upper = fmaxf(scale->upper, room->scale[n].upper);
        }
    }
    room->view = wish->view;
    return BRUME_OK;
}

static BrumeStatus build_drawing(const BrumeSightRoom *room, int n, const BrumeSnapshotSide *side,
                                 const BrumeRenderRequest *wish, const BrumeScale *scale, BrumeDrawing *drawing,
                                 BrumeError *error)
{
    const float dx = side->settings.dx;
    const BrumeVec3 origin = side->settings.origin;
    const BrumeField *values = &room->values[n];
    BrumeStatus status = BRUME_OK;
    if (wish->view == BRUME_VIEW_ISOSURFACE) {
        status = brume_isosurface(drawing, values, wish->iso_level, dx, origin, iso_color, error);
    } else if (wish->view == BRUME_VIEW_VELOCITY) {
        status = wish->streamlines ? brume_streamlines(drawing, side, scale, STREAMLINES, error)
                                   : brume_arrows(drawing, side, scale, ARROWS, error);
    }
    if (status == BRUME_OK && wish->slice) {
        status = brume_slice(drawing, values, scale, wish->slice_axis, wish->slice_at, dx, origin, error);
    }
    return status;
}

static float longest_side(const BrumeSimDef *settings)
{
    const int across = settings->nx > settings->nz ? settings->nx : settings->nz;
    return settings->dx * (float)(settings->ny > across ? settings->ny : across);
}

// the volume of a side, and the look that it is drawn with
static BrumeStatus find_volume(BrumeSightRoom *room, int n, const BrumeSnapshotSide *side,
                               const BrumeRenderRequest *wish, const BrumeScale *scale, BrumeRenderSettings *look,
                               BrumeVolume *volume, BrumeError *error)
{
    *volume = brume_snapshot_smoke(side);
    *look = wish->look;
    place_solids(look, wish, &side->settings);
    if (!is_quantity(wish->view)) {
        dim_smoke(look, wish);
        return BRUME_OK;
    }
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeStatus status = fit_field(&room->kinds[kind], room->values[n].grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        volume->density[kind] = room->kinds[kind].data + brume_field_index(&room->kinds[kind], 1, 1, 1);
    }
    brume_view_as_smoke(&room->values[n], scale, longest_side(&side->settings), room->kinds, look);
    dim_smoke(look, wish);
    return BRUME_OK;
}

static BrumeStatus light(BrumeSightSide *side, const BrumeVolume *volume, BrumeError *error)
{
    const BrumeGrid grid = {volume->nx, volume->ny, volume->nz};
    BrumeStatus status;
    if (side->renderer && same_grid(side->grid, grid)) {
        status = brume_renderer_set_settings(side->renderer, &side->look, error);
    } else {
        brume_renderer_destroy(side->renderer);
        side->grid = grid;
        status = brume_renderer_create(&side->renderer, grid.nx, grid.ny, grid.nz, &side->look, error);
    }
    if (status == BRUME_OK) {
        status = brume_renderer_load(side->renderer, volume, error);
    }
    if (status == BRUME_OK) {
        brume_renderer_light(side->renderer);
    }
    return status;
}

BrumeStatus brume_sight_prepare(BrumeSight *sight, BrumeSightRoom *room, const BrumeSnapshot *snapshot,
                                const BrumeRenderRequest *wish, BrumeDrawing *drawing, BrumeError *error)
{
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        brume_drawing_clear(&drawing[n]);
    }
    BrumeScale scale = {0};
    BrumeStatus status = BRUME_OK;
    if (needs_values(wish)) {
        status = find_values(room, snapshot, wish, &scale, error);
    }
    for (int n = 0; n < snapshot->sides && status == BRUME_OK; n++) {
        const BrumeSnapshotSide *side = &snapshot->side[n];
        BrumeVolume volume;
        status = find_volume(room, n, side, wish, &scale, &sight->side[n].look, &volume, error);
        if (status == BRUME_OK) {
            status = light(&sight->side[n], &volume, error);
        }
        if (status == BRUME_OK) {
            status = build_drawing(room, n, side, wish, &scale, &drawing[n], error);
        }
        room->scale[n] = needs_values(wish) ? scale : (BrumeScale){0};
        room->has_scale[n] = needs_values(wish);
    }
    for (int n = snapshot->sides; n < BRUME_MAX_SIDES; n++) {
        brume_renderer_destroy(sight->side[n].renderer);
        sight->side[n] = (BrumeSightSide){0};
    }
    sight->sides = status == BRUME_OK ? snapshot->sides : 0;
    return status;
}

bool brume_sight_same(const BrumeRenderRequest *a, const BrumeRenderRequest *b)
{
    return memcmp(&a->look, &b->look, sizeof a->look) == 0 &&
           memcmp(a->surface_of, b->surface_of, sizeof a->surface_of) == 0 && a->view == b->view &&
           a->slice == b->slice && (!a->slice || (a->slice_axis == b->slice_axis && a->slice_at == b->slice_at)) &&
           (a->view != BRUME_VIEW_VELOCITY || a->streamlines == b->streamlines) &&
           (a->view != BRUME_VIEW_ISOSURFACE || a->iso_level == b->iso_level);
}

size_t brume_sight_bytes(const BrumeSight *sight)
{
    size_t bytes = 0;
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        bytes += sight->side[n].renderer ? brume_renderer_bytes(sight->side[n].renderer) : 0;
    }
    return bytes;
}

void brume_sight_destroy(BrumeSight *sight)
{
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        brume_renderer_destroy(sight->side[n].renderer);
    }
    *sight = (BrumeSight){0};
}

void brume_sight_room_destroy(BrumeSightRoom *room)
{
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        brume_field_destroy(&room->values[n]);
    }
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        brume_field_destroy(&room->kinds[kind]);
    }
    *room = (BrumeSightRoom){0};
}
