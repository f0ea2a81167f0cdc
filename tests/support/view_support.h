/**
 * @file view_support.h
 * Snapshots whose fields are given by formulas.
 */
#ifndef BRUME_TESTS_SUPPORT_VIEW_SUPPORT_H
#define BRUME_TESTS_SUPPORT_VIEW_SUPPORT_H

#include "core/field.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/simulation/snapshot.h"

/** A value as a function of the position [m]. */
typedef float (*ViewFormula)(BrumeVec3 position);

static inline BrumeField view_field(BrumeGrid grid)
{
    BrumeField field = {0};
    BrumeError error;
    assert_int_equal(brume_field_create(&field, grid, &error), BRUME_OK);
    return field;
}

/** Sets entries 1..n+1 along each axis; `at` is an entry's position in its cell, in cells from the lower corner. */
static inline void view_set(BrumeField *field, BrumeVec3 origin, float dx, BrumeVec3 at, ViewFormula formula)
{
    for (int k = 1; k <= field->grid.nz + 1; k++) {
        for (int j = 1; j <= field->grid.ny + 1; j++) {
            for (int i = 1; i <= field->grid.nx + 1; i++) {
                const BrumeVec3 cell = brume_vec3((float)(i - 1), (float)(j - 1), (float)(k - 1));
                field->data[brume_field_index(field, i, j, k)] =
                    formula(brume_add(origin, brume_scale(brume_add(cell, at), dx)));
            }
        }
    }
}

/** A snapshot variant with air at rest, no smoke and no colors. */
static inline BrumeSnapshotVariant view_variant(BrumeGrid grid, float dx, BrumeVec3 origin)
{
    BrumeSnapshotVariant variant = {.settings = brume_default_sim_def(), .origin = origin};
    variant.settings.nx = grid.nx;
    variant.settings.ny = grid.ny;
    variant.settings.nz = grid.nz;
    variant.settings.dx = dx;
    variant.settings.origin = origin;
    for (int id = 0; id <= BRUME_FIELD_DENSITY; id++) {
        variant.fields[id] = view_field(grid);
    }
    return variant;
}

/** Sets the velocity on the faces. */
static inline void view_set_flow(BrumeSnapshotVariant *variant, ViewFormula u, ViewFormula v, ViewFormula w)
{
    const BrumeVec3 origin = variant->settings.origin;
    const float dx = variant->settings.dx;
    view_set(&variant->fields[BRUME_FIELD_U], origin, dx, brume_vec3(0.0f, 0.5f, 0.5f), u);
    view_set(&variant->fields[BRUME_FIELD_V], origin, dx, brume_vec3(0.5f, 0.0f, 0.5f), v);
    view_set(&variant->fields[BRUME_FIELD_W], origin, dx, brume_vec3(0.5f, 0.5f, 0.0f), w);
}

static inline void view_variant_destroy(BrumeSnapshotVariant *variant)
{
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        brume_field_destroy(&variant->fields[id]);
    }
}

#endif
