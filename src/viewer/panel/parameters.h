/**
 * @file parameters.h
 * What the panel can turn: every value with its name, unit, range and one sentence, as tables that the panel lays out
 * and docs/viewer.md is held to. Ranges are those that a hand needs; a scene file may go beyond them.
 */
#ifndef BRUME_VIEWER_PANEL_PARAMETERS_H
#define BRUME_VIEWER_PANEL_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

/** What the value of a knob is in its struct. */
typedef enum BrumeParameterKind {
    BRUME_PARAMETER_FLOAT,
    BRUME_PARAMETER_INT,
    BRUME_PARAMETER_PERIOD,        ///< a float rate a second, shown as the milliseconds between
    BRUME_PARAMETER_SWITCH,        ///< bool
    BRUME_PARAMETER_VECTOR,        ///< BrumeVec3
    BRUME_PARAMETER_COLOR,         ///< BrumeVec3, linear RGB
    BRUME_PARAMETER_CHOICE,        ///< int or enum: `lower` plus the index of a name
    BRUME_PARAMETER_NAME,          ///< const char *, one of the names
    BRUME_PARAMETER_SOURCE,        ///< BrumeSource; its unit is a second's where it is a rate
    BRUME_PARAMETER_VECTOR_SOURCE, ///< BrumeVectorSource
} BrumeParameterKind;

typedef struct BrumeParameter {
    BrumeParameterKind kind;
    bool logarithmic; ///< the slider's way is in proportion to the value's logarithm; from 0 where lower is 0
    const char *label;
    const char *unit; ///< "" for a pure number
    size_t offset;    ///< in the group's struct
    float lower, upper;
    const char *(*name)(int n); ///< of the choices, NULL past the last
    const char *doc;            ///< one sentence
} BrumeParameter;

/** Knobs of one struct, in the order of the panel. */
typedef struct BrumeParameterGroups {
    const char *title;
    int count;
    const BrumeParameter *knobs;
} BrumeParameterGroups;

/** The groups, named after their places in the panel; in brackets the struct that they turn. */
typedef enum BrumeParameterGroup {
    BRUME_PARAMETERS_TIME,       ///< BrumeSimDef
    BRUME_PARAMETERS_BRUSH,      ///< BrumeBrush
    BRUME_PARAMETERS_AIR,        ///< BrumeSimDef
    BRUME_PARAMETERS_SMOKE,      ///< BrumeSmokeDef
    BRUME_PARAMETERS_SMOKE_LOOK, ///< BrumeSmokeMedium
    BRUME_PARAMETERS_EMITTER,    ///< BrumeEmitterDef
    BRUME_PARAMETERS_SOLVER,     ///< BrumeSimDef
    BRUME_PARAMETERS_LIGHT,      ///< BrumeLight
    BRUME_PARAMETERS_LOOK,       ///< BrumeRenderSettings
    BRUME_PARAMETERS_COUNT,
} BrumeParameterGroup;

extern const BrumeParameterGroups brume_parameters[BRUME_PARAMETERS_COUNT];

/** Whether the values of a knob are the same in two structs of its group. */
bool brume_parameter_is_equal(const BrumeParameter *knob, const void *a, const void *b);

/** Copies the value of a knob from one struct of its group to another. */
void brume_parameter_copy(const BrumeParameter *knob, void *to, const void *from);

#endif
