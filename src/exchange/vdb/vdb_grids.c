#include "exchange/vdb/vdb_grids.h"

#include "brume/scene.h"
#include "core/field.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { COLORS = BRUME_VOLUME_KINDS - 1 };

// The densities and the velocity of a frame; NULL where the frame does not have one.
typedef struct FrameParts {
    const BrumeFrameGrid *density[BRUME_VOLUME_KINDS]; // plain smoke, then the colors
    const BrumeFrameGrid *velocity;
    const BrumeFrameGrid *faces[3];
} FrameParts;

static const BrumeFrameGrid *find_numbered(const BrumeFrameGrids *frame, const char *name, char suffix,
                                           BrumeGridLocation location)
{
    char full[BRUME_MAX_GRID_NAME];
    (void)snprintf(full, sizeof full, "%s%c", name, suffix);
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, full);
    return grid && grid->components == 1 && grid->location == location ? grid : NULL;
}

static FrameParts find_parts(const BrumeFrameGrids *frame)
{
    FrameParts parts = {0};
    for (int n = 0; n < COLORS; n++) {
        parts.density[1 + n] = find_numbered(frame, BRUME_GRID_COLOR, (char)('1' + n), BRUME_AT_CENTERS);
    }
    for (int axis = 0; axis < 3; axis++) {
        parts.faces[axis] = find_numbered(frame, BRUME_GRID_FACES, (char)('x' + axis),
                                          (BrumeGridLocation)((int)BRUME_AT_X_FACES + axis));
    }
    const BrumeFrameGrid *density = brume_frame_grids_find(frame, BRUME_GRID_DENSITY);
    parts.density[0] = density && density->components == 1 && density->location == BRUME_AT_CENTERS ? density : NULL;
    const BrumeFrameGrid *velocity = brume_frame_grids_find(frame, BRUME_GRID_VELOCITY);
    parts.velocity = velocity && velocity->components == 3 ? velocity : NULL;
    return parts;
}

static BrumeVdbGrid *add_grid(BrumeVdbGrids *grids, const char *name, const char *unit, int components)
{
    BrumeVdbGrid *grid = &grids->grids[grids->count++];
    *grid = (BrumeVdbGrid){.name = name, .unit = unit, .components = components, .scale = 1.0};
    return grid;
}

// sets values at the centers, which are interleaved
static void set_values(BrumeVdbGrid *grid, const float *values, const BrumeCellBox *filled)
{
    for (int n = 0; n < grid->components; n++) {
        grid->component[n] = (BrumeVdbComponent){
            .values = values + n, .stride = grid->components, .location = BRUME_AT_CENTERS, .filled = *filled};
    }
}

// allocates values to be computed, which the grid owns
static BrumeStatus allocate_values(BrumeVdbGrid *grid, const BrumeFrameGrids *frame, BrumeError *error)
{
    grid->computed = brume_alloc(brume_grid_cells(frame->cells) * (size_t)grid->components, sizeof(float));
    if (!grid->computed) {
        return brume_out_of_memory(error, "the grid '%s' of an OpenVDB file", grid->name);
    }
    const BrumeCellBox all = brume_whole_box(frame->cells);
    set_values(grid, grid->computed, &all);
    return BRUME_OK;
}

/*
 * Densities.
 */

// the media of the frame's scene, or the default ones without a scene
static void find_media(const BrumeFrameGrids *frame, BrumeSmokeMedium media[BRUME_VOLUME_KINDS])
{
    BrumeScene *scene = NULL;
    BrumeRenderSettings settings = brume_default_render_settings();
    if (frame->scene_text && brume_scene_parse_written(&scene, frame->scene_text, "scene", NULL, 0,
                                                       BRUME_SCENE_FILES_NONE, NULL, NULL) == BRUME_OK) {
        settings = scene->render_settings;
    }
    brume_scene_destroy(scene);
    memcpy(media, settings.smoke, sizeof settings.smoke);
}

// Extinction is the sum over all kinds of smoke, and albedo their mean weighted by extinction, as the renderers do. The
// density is the extinction times `density_per_extinction`.
static void mix_kinds(const FrameParts *parts, const BrumeSmokeMedium media[BRUME_VOLUME_KINDS], size_t cells,
                      float density_per_extinction, float *density, float *albedo)
{
    for (size_t cell = 0; cell < cells; cell++) {
        float sum = 0.0f;
        float scattering[3] = {0.0f, 0.0f, 0.0f};
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            const float amount = parts->density[kind] ? parts->density[kind]->values[cell] * media[kind].extinction : 0;
            sum += amount;
            scattering[0] += amount * media[kind].albedo.x;
            scattering[1] += amount * media[kind].albedo.y;
            scattering[2] += amount * media[kind].albedo.z;
        }
        density[cell] = density_per_extinction * sum;
        for (int n = 0; n < 3; n++) {
            albedo[3 * cell + (size_t)n] = sum != 0.0f ? scattering[n] / sum : 0.0f;
        }
    }
}

static bool has_colors(const FrameParts *parts) { return parts->density[1] || parts->density[2] || parts->density[3]; }

// One density and one color, for programs without kinds of smoke.
static BrumeStatus add_mixed_densities(BrumeVdbGrids *grids, const BrumeFrameGrids *frame, const FrameParts *parts,
                                       const BrumeVdbConvention *convention, BrumeError *error)
{
    BrumeSmokeMedium media[BRUME_VOLUME_KINDS];
    find_media(frame, media);
    BrumeVdbGrid *density = add_grid(grids, BRUME_GRID_DENSITY, convention->density_is_extinction ? "1/m" : "1", 1);
    BrumeVdbGrid *color = add_grid(grids, convention->color, "1", 3);
    density->fog_volume = color->fog_volume = true;
    if (allocate_values(density, frame, error) != BRUME_OK || allocate_values(color, frame, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    const float unit_density = media[0].extinction > 0.0f ? media[0].extinction : 1.0f; // [1/m]
    mix_kinds(parts, media, brume_grid_cells(frame->cells), 1.0f / unit_density, density->computed, color->computed);
    density->scale = convention->density_is_extinction ? (double)unit_density : 1.0;
    return BRUME_OK;
}

static void add_densities(BrumeVdbGrids *grids, const BrumeFrameGrids *frame, const FrameParts *parts,
                          const BrumeVdbConvention *convention)
{
    if (parts->density[0]) {
        BrumeVdbGrid *density = add_grid(grids, BRUME_GRID_DENSITY, "1", 1);
        set_values(density, parts->density[0]->values, &parts->density[0]->filled);
        density->fog_volume = true;
        if (convention->density_is_extinction) {
            BrumeSmokeMedium media[BRUME_VOLUME_KINDS];
            find_media(frame, media);
            density->unit = "1/m";
            density->scale = (double)media[0].extinction;
        }
    }
    if (has_colors(parts)) {
        BrumeVdbGrid *color = add_grid(grids, convention->color, "1", 3);
        color->fog_volume = true;
        for (int n = 0; n < COLORS; n++) {
            const BrumeFrameGrid *source = parts->density[1 + n];
            color->component[n] = source ? (BrumeVdbComponent){source->values, 1, BRUME_AT_CENTERS, source->filled}
                                         : (BrumeVdbComponent){.stride = 1};
            color->colors |= source ? 1 << n : 0;
        }
    }
}

/*
 * Velocity.
 */

static bool has_faces(const FrameParts *parts) { return parts->faces[0] && parts->faces[1] && parts->faces[2]; }

static void average_faces(const BrumeFrameGrids *frame, const FrameParts *parts, float *velocity)
{
    const BrumeGrid cells = frame->cells;
    for (int axis = 0; axis < 3; axis++) {
        const float *faces = parts->faces[axis]->values;
        const ptrdiff_t row = cells.nx + (axis == 0);
        const ptrdiff_t plane = row * (cells.ny + (axis == 1));
        const ptrdiff_t next = axis == 0 ? 1 : axis == 1 ? row : plane;
        float *value = velocity + axis;
        for (int k = 0; k < cells.nz; k++) {
            for (int j = 0; j < cells.ny; j++) {
                const float *lower = faces + plane * k + row * j;
                for (int i = 0; i < cells.nx; i++, value += 3) {
                    *value = 0.5f * (lower[i] + lower[i + next]);
                }
            }
        }
    }
}

static BrumeStatus add_velocity(BrumeVdbGrids *grids, const BrumeFrameGrids *frame, const FrameParts *parts,
                                const BrumeVdbConvention *convention, bool staggered, BrumeError *error)
{
    if (!parts->velocity && !has_faces(parts)) {
        return BRUME_OK;
    }
    BrumeVdbGrid *velocity = add_grid(grids, convention->velocity, "m/s", 3);
    velocity->is_direction = true;
    if (staggered && has_faces(parts)) {
        velocity->staggered = true;
        for (int axis = 0; axis < 3; axis++) {
            velocity->component[axis] = (BrumeVdbComponent){parts->faces[axis]->values, 1, parts->faces[axis]->location,
                                                            parts->faces[axis]->filled};
        }
    } else if (parts->velocity) {
        set_values(velocity, parts->velocity->values, &parts->velocity->filled);
    } else {
        if (allocate_values(velocity, frame, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        average_faces(frame, parts, velocity->computed);
    }
    return BRUME_OK;
}

/*
 * All other grids.
 */

static bool is_part(const FrameParts *parts, const BrumeFrameGrid *grid)
{
    bool found = grid == parts->velocity;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        found = found || grid == parts->density[kind];
    }
    for (int axis = 0; axis < 3; axis++) {
        found = found || (has_faces(parts) && grid == parts->faces[axis]);
    }
    return found;
}

// adds a grid that is no density and no velocity
static BrumeStatus add_other(BrumeVdbGrids *grids, const BrumeFrameGrid *grid, const BrumeVdbConvention *convention,
                             BrumeError *error)
{
    if (grid->location != BRUME_AT_CENTERS) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "the grid '%s' is on the faces of cells; OpenVDB files can have faces only of a velocity "
                          "with velocity_x, velocity_y and velocity_z",
                          grid->name);
    }
    const bool is_color = grid->components == 3 && strcmp(grid->name, "color") == 0;
    BrumeVdbGrid *added = add_grid(grids, is_color ? convention->color : grid->name, grid->unit, grid->components);
    set_values(added, grid->values, &grid->filled);
    added->is_direction = grid->components == 3 && !is_color;
    added->fog_volume = is_color || strcmp(grid->name, "flame") == 0;
    if (grid->components == 1 && strcmp(grid->name, BRUME_GRID_TEMPERATURE) == 0) {
        added->unit = convention->temperature_unit;
        added->scale = 1.0 / convention->kelvin;
        added->offset = convention->temperature_is_absolute ? BRUME_VDB_AMBIENT_KELVIN / convention->kelvin : 0.0;
        added->fog_volume = true;
    }
    return BRUME_OK;
}

// Programs use only one of two grids of one name.
static BrumeStatus check_names(const BrumeVdbGrids *grids, BrumeError *error)
{
    for (int n = 0; n < grids->count; n++) {
        for (int other = 0; other < n; other++) {
            if (strcmp(grids->grids[n].name, grids->grids[other].name) == 0) {
                return brume_fail(error, BRUME_BAD_INPUT, "two grids of the OpenVDB file would be named '%s'",
                                  grids->grids[n].name);
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_vdb_grids_create(BrumeVdbGrids *grids, const BrumeFrameGrids *frame,
                                   const BrumeVdbConvention *convention, bool staggered, BrumeError *error)
{
    *grids = (BrumeVdbGrids){0};
    const FrameParts parts = find_parts(frame);
    BrumeStatus status = BRUME_OK;
    if (convention->name && has_colors(&parts)) {
        status = add_mixed_densities(grids, frame, &parts, convention, error);
    } else {
        add_densities(grids, frame, &parts, convention);
    }
    for (int n = 0; status == BRUME_OK && n < frame->count; n++) {
        if (!is_part(&parts, &frame->grids[n])) {
            status = add_other(grids, &frame->grids[n], convention, error);
        }
    }
    if (status == BRUME_OK) {
        status = add_velocity(grids, frame, &parts, convention, staggered, error);
    }
    if (status == BRUME_OK) {
        status = check_names(grids, error);
    }
    if (status != BRUME_OK) {
        brume_vdb_grids_destroy(grids);
    }
    return status;
}

void brume_vdb_grids_destroy(BrumeVdbGrids *grids)
{
    for (int n = 0; n < grids->count; n++) {
        brume_free(grids->grids[n].computed);
    }
    *grids = (BrumeVdbGrids){0};
}
