/**
 * @file measure_columns.h
 * The columns of a table of measures, which has a line for each state of a run: their names and their values.
 */
#ifndef BRUME_APP_RENDER_MEASURE_COLUMNS_H
#define BRUME_APP_RENDER_MEASURE_COLUMNS_H

#include "brume/measures.h"
#include "brume/scene.h"

/** The counts that determine the columns of a run. */
typedef struct BrumeMeasureColumns {
    int colors; ///< of the scene and its timeline
    bool fuel;  ///< whether there is fuel
    int bodies; ///< bodies of the scene
} BrumeMeasureColumns;

/** The name of a column. */
typedef struct BrumeColumnName {
    char text[48];
} BrumeColumnName;

/** Returns the columns of a scene. */
BrumeMeasureColumns brume_measure_columns(const BrumeScene *scene);

/** Returns the number of columns. */
int brume_measure_column_count(const BrumeMeasureColumns *columns);

/** Sets the names of all columns, and their values for one state; `names` or `values` may be NULL. */
void brume_measure_columns_get(const BrumeMeasureColumns *columns, const BrumeMeasures *measures,
                               BrumeColumnName *names, double *values);

#endif
