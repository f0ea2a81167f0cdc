/**
 * @file frame_support.h
 * Frames of grids with known values, for tests of volume files.
 */
#ifndef BRUME_TESTS_SUPPORT_FRAME_SUPPORT_H
#define BRUME_TESTS_SUPPORT_FRAME_SUPPORT_H

#include "core/field.h"
#include "core/memory.h"
#include "exchange/volume_format.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline BrumeFrameGrid *frame_add(BrumeFrameGrids *frame, const char *name, const char *unit, int components,
                                        BrumeGridLocation location)
{
    BrumeFrameGrid *grid;
    BrumeError error;
    assert_int_equal(brume_frame_grids_add(frame, name, unit, components, location, &grid, &error), BRUME_OK);
    return grid;
}

/**
 * A frame with a grid of every kind: scalars, a vector, and scalars on the faces. The values differ from each other,
 * and special ones are among them, where a grid has room: both zeros, a subnormal number and the largest one. It has
 * two bodies.
 */
static inline BrumeFrameGrids frame_of_all_kinds(BrumeGrid cells)
{
    static const struct {
        const char *name, *unit;
        int components;
        BrumeGridLocation location;
    } grids[] = {
        {BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS},          {BRUME_GRID_TEMPERATURE, "K", 1, BRUME_AT_CENTERS},
        {BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS},       {BRUME_GRID_FACES "x", "m/s", 1, BRUME_AT_X_FACES},
        {BRUME_GRID_FACES "y", "m/s", 1, BRUME_AT_Y_FACES},      {BRUME_GRID_FACES "z", "m/s", 1, BRUME_AT_Z_FACES},
        {"a <grid> & \"its\" \\ name", "", 1, BRUME_AT_CENTERS},
    };
    static const char scene[] = "# a comment\nname: \"Smoke & <fire>\"\n\ntext: |\n  two   \n\n  lines\n";
    BrumeFrameGrids frame = {
        .cells = cells, .dx = 0.1, .origin = {-0.3, 1e-9, 2.0 / 3.0}, .has_frame = true, .frame = 12, .time = 0.1};
    frame.body_count = 2;
    frame.bodies[0] = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.1f, 0.2f, 0.3f}, .radius = 0.4f};
    frame.bodies[1] = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.1f, 0.2f, 0.3f}, .b = {1.1f, 1.2f, 1.3f}};
    frame.scene_text = brume_copy_text(scene);
    assert_non_null(frame.scene_text);
    for (size_t n = 0; n < sizeof grids / sizeof grids[0]; n++) {
        BrumeFrameGrid *grid = frame_add(&frame, grids[n].name, grids[n].unit, grids[n].components, grids[n].location);
        const size_t count = brume_frame_grid_values(cells, grid);
        for (size_t i = 0; i < count; i++) {
            grid->values[i] = ((float)i + 0.37f) / (float)(n + 3) - 1.0f;
        }
        const float special[] = {-0.0f, 0.0f, FLT_TRUE_MIN, -FLT_MAX};
        memcpy(grid->values, special, (count < 4 ? count : 4) * sizeof(float));
    }
    return frame;
}

/** Sets the values of all grids to 0 in the cells from (0, 0, 0) to (side, side, side), exclusive. */
static inline void frame_clear_corner(BrumeFrameGrids *frame, int side)
{
    for (int n = 0; n < frame->count; n++) {
        BrumeFrameGrid *grid = &frame->grids[n];
        const int nx = brume_frame_grid_extent(frame->cells, grid->location, 0);
        const int ny = brume_frame_grid_extent(frame->cells, grid->location, 1);
        const int nz = brume_frame_grid_extent(frame->cells, grid->location, 2);
        for (int k = 0; k < nz && k < side; k++) {
            for (int j = 0; j < ny && j < side; j++) {
                const size_t row = (size_t)nx * ((size_t)k * (size_t)ny + (size_t)j);
                const size_t cells = (size_t)(nx < side ? nx : side);
                memset(grid->values + row * (size_t)grid->components, 0,
                       cells * (size_t)grid->components * sizeof(float));
            }
        }
    }
}

/** Whether the v-th value of a grid is in a box of entries. */
static inline bool frame_value_is_inside(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid, int v,
                                         BrumeCellBox box)
{
    const int nx = brume_frame_grid_extent(frame->cells, grid->location, 0);
    const int ny = brume_frame_grid_extent(frame->cells, grid->location, 1);
    const int entry = v / grid->components;
    const int index[3] = {entry % nx, entry / nx % ny, entry / nx / ny};
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        inside = inside && index[axis] >= box.lower[axis] && index[axis] < box.upper[axis];
    }
    return inside;
}

/** Sets the values of all grids to 0 outside of a box of entries, which is their filled box then. */
static inline void frame_keep_few(BrumeFrameGrids *frame, BrumeCellBox box)
{
    for (int n = 0; n < frame->count; n++) {
        BrumeFrameGrid *grid = &frame->grids[n];
        const int values = (int)brume_frame_grid_values(frame->cells, grid);
        for (int v = 0; v < values; v++) {
            grid->values[v] = frame_value_is_inside(frame, grid, v, box) ? grid->values[v] : 0.0f;
        }
        grid->filled = box;
    }
}

/** Whether the filled boxes of all grids have all values that are not 0, and nothing further than `by` from a box. */
static inline bool frame_is_filled_around(const BrumeFrameGrids *frame, BrumeCellBox box, int by)
{
    bool right = true;
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        const int values = (int)brume_frame_grid_values(frame->cells, grid);
        for (int axis = 0; axis < 3; axis++) {
            right = right && grid->filled.lower[axis] >= box.lower[axis] - by &&
                    grid->filled.upper[axis] <= box.upper[axis] + by;
        }
        for (int v = 0; v < values; v++) {
            right = right && (grid->values[v] == 0.0f || frame_value_is_inside(frame, grid, v, grid->filled));
        }
    }
    return right;
}

/** Whether two frames have the same bodies, to the last bit. */
static inline bool bodies_are_equal(const BrumeFrameGrids *a, const BrumeFrameGrids *b)
{
    bool equal = a->body_count == b->body_count;
    for (int n = 0; n < a->body_count && equal; n++) {
        const BrumeShape *one = &a->bodies[n];
        const BrumeShape *other = &b->bodies[n];
        equal = one->kind == other->kind && memcmp(&one->a, &other->a, sizeof one->a) == 0 &&
                memcmp(&one->b, &other->b, sizeof one->b) == 0 &&
                memcmp(&one->radius, &other->radius, sizeof one->radius) == 0;
    }
    return equal;
}

/** Whether two frames are equal to the last bit, units included; bodies, which not all formats have, are left out.
 */
static inline bool frames_are_equal(const BrumeFrameGrids *a, const BrumeFrameGrids *b)
{
    bool equal = brume_same_grid(a->cells, b->cells) && a->dx == b->dx &&
                 memcmp(a->origin, b->origin, sizeof a->origin) == 0 && a->frame == b->frame && a->time == b->time &&
                 a->count == b->count && (a->scene_text == NULL) == (b->scene_text == NULL) &&
                 (!a->scene_text || strcmp(a->scene_text, b->scene_text) == 0);
    for (int n = 0; n < a->count && equal; n++) {
        const BrumeFrameGrid *one = &a->grids[n];
        const BrumeFrameGrid *other = brume_frame_grids_find(b, one->name);
        equal = other && strcmp(one->unit, other->unit) == 0 && one->components == other->components &&
                one->location == other->location &&
                memcmp(one->values, other->values, brume_frame_grid_values(a->cells, one) * sizeof(float)) == 0;
    }
    return equal;
}

#endif
