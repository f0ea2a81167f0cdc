#include "app/render/measure_columns.h"

#include <stdarg.h>
#include <stdio.h>

// the names or the values of the columns that were added so far
typedef struct ColumnList {
    int count;
    BrumeColumnName *names; // NULL: not wanted
    double *values;         // NULL: not wanted
} ColumnList;

// adds a column; the format is of its name
static void __attribute__((format(printf, 3, 4))) add(ColumnList *list, double value, const char *format, ...)
{
    if (list->names) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(list->names[list->count].text, sizeof list->names[list->count].text, format, args);
        va_end(args);
    }
    if (list->values) {
        list->values[list->count] = value;
    }
    list->count++;
}

static void add_budget(ColumnList *list, const char *scalar, const BrumeBudget *budget)
{
    add(list, budget->initial, "%s_initial", scalar);
    add(list, budget->emitted, "%s_emitted", scalar);
    add(list, budget->dissipated, "%s_dissipated", scalar);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        add(list, budget->left[face], "%s_left_%s", scalar, brume_face_name((BrumeFace)face));
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        add(list, budget->diffused[face], "%s_diffused_%s", scalar, brume_face_name((BrumeFace)face));
    }
    add(list, budget->bodies, "%s_bodies", scalar);
    add(list, budget->changed, "%s_changed", scalar);
    add(list, budget->unaccounted, "%s_unaccounted", scalar);
}

static void add_face(ColumnList *list, const BrumeFaceMeasures *face, const char *name)
{
    add(list, face->volume_flux, "volume_flux_%s", name);
    add(list, face->advected_heat, "advected_heat_%s", name);
    add(list, face->diffused_heat, "diffused_heat_%s", name);
    add(list, face->nusselt, "nusselt_%s", name);
}

static const char axis_names[3] = {'x', 'y', 'z'};

static void add_vector(ColumnList *list, const double values[3], int body, const char *name)
{
    for (int axis = 0; axis < 3; axis++) {
        add(list, values[axis], "body_%d_%s_%c", body, name, axis_names[axis]);
    }
}

static void add_body(ColumnList *list, const BrumeBodyForce *force, int body)
{
    add_vector(list, force->pressure, body, "pressure_force");
    add_vector(list, force->viscous, body, "viscous_force");
    add_vector(list, force->pressure_torque, body, "pressure_torque");
    add_vector(list, force->viscous_torque, body, "viscous_torque");
}

static void add_all(ColumnList *list, const BrumeMeasureColumns *columns, const BrumeMeasures *measures)
{
    add(list, measures->frame, "frame");
    add(list, measures->time, "time");
    add(list, measures->volume, "volume");
    add(list, measures->kinetic_energy, "kinetic_energy");
    for (int axis = 0; axis < 3; axis++) {
        add(list, measures->kinetic_energy_along[axis], "kinetic_energy_%c", axis_names[axis]);
    }
    add(list, measures->mean_kinetic_energy, "mean_kinetic_energy");
    add(list, measures->enstrophy, "enstrophy");
    add(list, measures->max_speed, "max_speed");
    add(list, measures->max_divergence, "max_divergence");
    for (int axis = 0; axis < 3; axis++) {
        add(list, measures->momentum[axis], "momentum_%c", axis_names[axis]);
    }
    for (int n = 0; n < BRUME_SCALAR_COUNT; n++) {
        if (n <= BRUME_SMOKE_KINDS ? n > 1 + columns->colors : !columns->fuel) {
            continue;
        }
        const char *scalar = brume_scalar_name(n);
        add(list, measures->scalars[n].total, "%s_total", scalar);
        add(list, measures->scalars[n].min, "%s_min", scalar);
        add(list, measures->scalars[n].max, "%s_max", scalar);
        add_budget(list, scalar, &measures->scalars[n].budget);
    }
    if (columns->fuel) {
        add(list, measures->fire.released, "heat_released");
        add(list, measures->fire.radiated, "heat_radiated");
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        add_face(list, &measures->faces[face], brume_face_name((BrumeFace)face));
    }
    for (int n = 0; n < columns->bodies; n++) {
        add_body(list, &measures->bodies[n], n);
    }
}

BrumeMeasureColumns brume_measure_columns(const BrumeScene *scene)
{
    BrumeMeasureColumns columns = {.bodies = scene->sim.body_count};
    for (int n = -1; n < scene->timeline.count; n++) {
        const BrumeSimDef *settings = n < 0 ? &scene->sim : scene->timeline.changes[n].settings;
        if (settings) {
            columns.colors = settings->color_count > columns.colors ? settings->color_count : columns.colors;
            columns.fuel = columns.fuel || brume_has_fuel(settings);
        }
    }
    return columns;
}

int brume_measure_column_count(const BrumeMeasureColumns *columns)
{
    static const BrumeMeasures none;
    ColumnList list = {0};
    add_all(&list, columns, &none);
    return list.count;
}

void brume_measure_columns_get(const BrumeMeasureColumns *columns, const BrumeMeasures *measures,
                               BrumeColumnName *names, double *values)
{
    ColumnList list = {.names = names, .values = values};
    add_all(&list, columns, measures);
}
