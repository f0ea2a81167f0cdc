#include "exchange/frame_grids.h"

#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/text.h"
#include "core/vec3.h"
#include "io/resource_limits.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 1 << 17 }; // cells; the product of three sides, three components and their bytes fits into a size_t

int brume_frame_grid_extent(BrumeGrid cells, BrumeGridLocation location, int axis)
{
    return brume_cells_along(cells, axis) + ((int)location - (int)BRUME_AT_X_FACES == axis ? 1 : 0);
}

size_t brume_frame_grid_values(BrumeGrid cells, const BrumeFrameGrid *grid)
{
    size_t values = (size_t)grid->components;
    for (int axis = 0; axis < 3; axis++) {
        values *= (size_t)brume_frame_grid_extent(cells, grid->location, axis);
    }
    return values;
}

static size_t grid_bytes(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid)
{
    return brume_frame_grid_values(frame->cells, grid) * sizeof(float);
}

BrumeStatus brume_frame_grids_check_memory(const BrumeFrameGrids *frame, double values, const char *path,
                                           BrumeError *error)
{
    char what[64];
    (void)snprintf(what, sizeof what, "grids of %d x %d x %d cells", frame->cells.nx, frame->cells.ny, frame->cells.nz);
    return brume_admit_values(values * sizeof(float), path, what, error);
}

// whether the number of bytes of a grid of these cells can be computed
static bool has_possible_sides(BrumeGrid cells)
{
    for (int axis = 0; axis < 3; axis++) {
        if (brume_cells_along(cells, axis) < 1 || brume_cells_along(cells, axis) > MAX_SIDE) {
            return false;
        }
    }
    return true;
}

BrumeStatus brume_frame_grids_add(BrumeFrameGrids *frame, const char *name, const char *unit, int components,
                                  BrumeGridLocation location, BrumeFrameGrid **grid, BrumeError *error)
{
    assert(components == 1 || components == 3);
    *grid = NULL;
    if (name[0] == '\0' || strlen(name) >= BRUME_MAX_GRID_NAME) {
        return brume_fail(error, BRUME_BAD_INPUT, "the name of a grid has %zu characters; 1 to %d are allowed",
                          strlen(name), BRUME_MAX_GRID_NAME - 1);
    }
    if (brume_frame_grids_find(frame, name)) {
        return brume_fail(error, BRUME_BAD_INPUT, "two grids are named '%s'", name);
    }
    if (frame->count == BRUME_MAX_FRAME_GRIDS) {
        return brume_fail(error, BRUME_BAD_INPUT, "more than %d grids", BRUME_MAX_FRAME_GRIDS);
    }
    BrumeFrameGrid *added = &frame->grids[frame->count];
    *added = (BrumeFrameGrid){.components = components, .location = location};
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    (void)snprintf(added->unit, sizeof added->unit, "%s", unit);
    if (!has_possible_sides(frame->cells)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "the grid '%s' has %d x %d x %d cells, but must have from 1 to %d along each axis", name,
                          frame->cells.nx, frame->cells.ny, frame->cells.nz, MAX_SIDE);
    }
    const bool has_memory = frame->memory.open || brume_shared_memory_create(&frame->memory);
    added->values =
        has_memory ? brume_shared_memory_add(&frame->memory, grid_bytes(frame, added), &added->block) : NULL;
    if (!added->values) {
        return brume_out_of_memory(error, "the grid '%s' of %d x %d x %d cells", name, frame->cells.nx, frame->cells.ny,
                                   frame->cells.nz);
    }
    for (int axis = 0; axis < 3; axis++) {
        added->filled.upper[axis] = brume_frame_grid_extent(frame->cells, location, axis);
    }
    frame->count++;
    *grid = added;
    return BRUME_OK;
}

BrumeStatus brume_frame_grids_add_particles(BrumeFrameGrids *frame, int capacity, BrumeError *error)
{
    assert(frame->particle_block.size == 0);
    const bool has_memory = frame->memory.open || brume_shared_memory_create(&frame->memory);
    const size_t bytes = (size_t)capacity * sizeof *frame->particles;
    frame->particles = has_memory ? brume_shared_memory_add(&frame->memory, bytes, &frame->particle_block) : NULL;
    return frame->particles || capacity == 0 ? BRUME_OK : brume_out_of_memory(error, "%d particles", capacity);
}

BrumeStatus brume_frame_grids_copy_particles(BrumeFrameGrids *frame, const BrumeFrameGrids *from, BrumeError *error)
{
    const BrumeStatus status = brume_frame_grids_add_particles(frame, from->particle_count, error);
    if (frame->particles) {
        memcpy(frame->particles, from->particles, (size_t)from->particle_count * sizeof *frame->particles);
    }
    frame->has_particles = status == BRUME_OK;
    frame->particle_count = status == BRUME_OK ? from->particle_count : 0;
    return status;
}

void brume_frame_grids_fit_particles(BrumeFrameGrids *frame)
{
    enum { CELLS = 60 }; // along the longest side, and one beyond on each end
    BrumeVec3 lower = brume_vec3(INFINITY, INFINITY, INFINITY);
    BrumeVec3 upper = brume_scale(lower, -1.0f);
    for (int n = 0; n < frame->particle_count; n++) {
        const BrumeVec3 place = frame->particles[n].position;
        if (isfinite(brume_dot(place, place))) {
            lower = brume_lower_corner(lower, place);
            upper = brume_upper_corner(upper, place);
        }
    }
    const BrumeVec3 nothing = {0};
    const bool any = lower.x <= upper.x;
    lower = any ? lower : nothing;
    upper = any ? upper : nothing;
    double sides[3];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = (double)brume_component(upper, axis) - (double)brume_component(lower, axis);
    }
    const double longest = brume_fmax(brume_fmax(sides[0], sides[1]), sides[2]);
    int cells[3];
    frame->dx = longest > 0.0 ? longest / CELLS : 0.01;
    for (int axis = 0; axis < 3; axis++) {
        cells[axis] = (int)(sides[axis] / frame->dx) + 3;
        frame->origin[axis] = (double)brume_component(lower, axis) - frame->dx;
    }
    frame->cells = brume_grid(cells[0], cells[1], cells[2]);
}

void brume_frame_grids_unmap(BrumeFrameGrids *frame)
{
    for (int n = 0; n < frame->count; n++) {
        brume_shared_memory_unmap(frame->grids[n].values, frame->grids[n].block.size);
        frame->grids[n].values = NULL;
    }
    brume_shared_memory_unmap(frame->particles, frame->particle_block.size);
    frame->particles = NULL;
}

bool brume_frame_grids_map(BrumeFrameGrids *frame)
{
    const size_t particle_bytes = (size_t)frame->particle_count * sizeof *frame->particles;
    frame->particles = brume_shared_memory_map(&frame->memory, frame->particle_block);
    bool mapped = frame->particle_count >= 0 && frame->particle_block.size >= particle_bytes &&
                  (frame->particles || frame->particle_block.size == 0);
    for (int n = 0; n < frame->count; n++) {
        BrumeFrameGrid *grid = &frame->grids[n];
        grid->values = has_possible_sides(frame->cells) && grid->block.size == grid_bytes(frame, grid)
                           ? brume_shared_memory_map(&frame->memory, grid->block)
                           : NULL;
        mapped = mapped && grid->values;
    }
    if (!mapped) {
        brume_frame_grids_unmap(frame);
    }
    return mapped;
}

const BrumeFrameGrid *brume_frame_grids_find(const BrumeFrameGrids *frame, const char *name)
{
    for (int n = 0; n < frame->count; n++) {
        if (strcmp(frame->grids[n].name, name) == 0) {
            return &frame->grids[n];
        }
    }
    return NULL;
}

BrumeGridNames brume_frame_grids_list(const BrumeFrameGrids *frame)
{
    BrumeGridNames names = {"none"};
    size_t used = 0;
    for (int n = 0; n < frame->count && used < sizeof names.text; n++) {
        used += (size_t)snprintf(names.text + used, sizeof names.text - used, "%s%s", n > 0 ? ", " : "",
                                 brume_quote(frame->grids[n].name).text);
    }
    return names;
}

bool brume_frame_grids_name_density(BrumeFrameGrids *frame, const char *name)
{
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, name);
    const BrumeFrameGrid *former = brume_frame_grids_find(frame, BRUME_GRID_DENSITY);
    if (!found || found->components != 1 || found->location != BRUME_AT_CENTERS) {
        return false;
    }
    const bool is_named = found == former;
    const int index = (int)(found - frame->grids) - (former && former < found ? 1 : 0);
    if (former && !is_named) {
        brume_frame_grids_remove(frame, (int)(former - frame->grids));
    }
    if (!is_named) {
        (void)snprintf(frame->grids[index].name, sizeof frame->grids[index].name, "%s", BRUME_GRID_DENSITY);
    }
    return true;
}

void brume_frame_grids_remove(BrumeFrameGrids *frame, int index)
{
    assert(index >= 0 && index < frame->count);
    BrumeFrameGrid *grid = &frame->grids[index];
    brume_shared_memory_unmap(grid->values, grid_bytes(frame, grid));
    frame->count--;
    memmove(grid, grid + 1, (size_t)(frame->count - index) * sizeof *grid);
    frame->grids[frame->count] = (BrumeFrameGrid){0};
}

BrumeVolume brume_frame_grids_volume(const BrumeFrameGrids *frame)
{
    static const char *const names[BRUME_VOLUME_KINDS] = {BRUME_GRID_DENSITY, BRUME_GRID_COLOR "1",
                                                          BRUME_GRID_COLOR "2", BRUME_GRID_COLOR "3"};
    const BrumeVec3 origin = {(float)frame->origin[0], (float)frame->origin[1], (float)frame->origin[2]};
    BrumeVolume volume =
        brume_volume_from_array(NULL, frame->cells.nx, frame->cells.ny, frame->cells.nz, (float)frame->dx, origin);
    BrumeCellBox filled = brume_no_cells;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeFrameGrid *grid = brume_frame_grids_find(frame, names[kind]);
        if (grid && grid->components == 1 && grid->location == BRUME_AT_CENTERS) {
            volume.density[kind] = grid->values;
            brume_box_add(&filled, &grid->filled);
        }
    }
    if (!brume_box_is_empty(filled)) {
        volume.filled = filled;
    }
    const BrumeFrameGrid *temperature = brume_frame_grids_find(frame, BRUME_GRID_TEMPERATURE);
    if (temperature && temperature->components == 1 && temperature->location == BRUME_AT_CENTERS) {
        volume.temperature = temperature->values;
    }
    const BrumeFrameGrid *pressure = brume_frame_grids_find(frame, BRUME_GRID_PRESSURE);
    if (pressure && pressure->components == 1 && pressure->location == BRUME_AT_CENTERS) {
        volume.pressure = pressure->values;
    }
    const BrumeFrameGrid *velocity = brume_frame_grids_find(frame, BRUME_GRID_VELOCITY);
    if (velocity && velocity->components == 3 && velocity->location == BRUME_AT_CENTERS) {
        for (int axis = 0; axis < 3; axis++) {
            volume.velocity[axis] = velocity->values + axis;
        }
        volume.velocity_sx = 3;
        volume.velocity_sy = 3 * volume.sy;
        volume.velocity_sz = 3 * volume.sz;
    }
    static const char *const layers[BRUME_TEXTURE_LAYERS] = {BRUME_GRID_TEXTURE "1", BRUME_GRID_TEXTURE "2"};
    const BrumeFrameGrid *texture[BRUME_TEXTURE_LAYERS];
    bool has_texture = true;
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        texture[n] = brume_frame_grids_find(frame, layers[n]);
        has_texture =
            has_texture && texture[n] && texture[n]->components == 3 && texture[n]->location == BRUME_AT_CENTERS;
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && has_texture; n++) {
        volume.texture[n / 3][n % 3] = texture[n / 3]->values + n % 3;
        volume.texture_sx = 3;
        volume.texture_sy = 3 * volume.sy;
        volume.texture_sz = 3 * volume.sz;
        volume.texture_time = frame->time;
    }
    volume.particles = frame->particles;
    volume.particle_count = frame->particle_count;
    return volume;
}

void brume_frame_grids_destroy(BrumeFrameGrids *frame)
{
    brume_frame_grids_unmap(frame);
    brume_shared_memory_close(&frame->memory);
    brume_free(frame->scene_text);
    *frame = (BrumeFrameGrids){0};
}
