/**
 * @file knobs.h
 * What the panel can turn: every value with its name, unit, range and one sentence, as tables that the panel lays out
 * and docs/viewer.md is held to. Ranges are those that a hand needs; a scene file may go beyond them.
 */
#ifndef BRUME_VIEWER_KNOBS_H
#define BRUME_VIEWER_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

/** What the value of a knob is in its struct. */
typedef enum BrumeKnobKind {
    BRUME_KNOB_FLOAT,
    BRUME_KNOB_INT,
    BRUME_KNOB_PERIOD,        ///< a float rate a second, shown as the milliseconds between
    BRUME_KNOB_SWITCH,        ///< bool
    BRUME_KNOB_VECTOR,        ///< BrumeVec3
    BRUME_KNOB_COLOR,         ///< BrumeVec3, linear RGB
    BRUME_KNOB_CHOICE,        ///< int or enum: `lower` plus the index of a name
    BRUME_KNOB_NAME,          ///< const char *, one of the names
    BRUME_KNOB_SOURCE,        ///< BrumeSource; its unit is a second's where it is a rate
    BRUME_KNOB_VECTOR_SOURCE, ///< BrumeVectorSource
} BrumeKnobKind;

typedef struct BrumeKnob {
    BrumeKnobKind kind;
    bool logarithmic; ///< the slider's way is in proportion to the value's logarithm; from 0 where lower is 0
    const char *label;
    const char *unit; ///< "" for a pure number
    size_t offset;    ///< in the group's struct
    float lower, upper;
    const char *(*name)(int n); ///< of the choices, NULL past the last
    const char *doc;            ///< one sentence
} BrumeKnob;

/** Knobs of one struct, in the order of the panel. */
typedef struct BrumeKnobs {
    const char *title;
    int count;
    const BrumeKnob *knobs;
} BrumeKnobs;

/** The groups, named after their places in the panel; in brackets the struct that they turn. */
typedef enum BrumeKnobGroup {
    BRUME_KNOBS_TIME,       ///< BrumeSimDef
    BRUME_KNOBS_BRUSH,      ///< BrumeBrush
    BRUME_KNOBS_AIR,        ///< BrumeSimDef
    BRUME_KNOBS_SMOKE,      ///< BrumeSmokeDef
    BRUME_KNOBS_SMOKE_LOOK, ///< BrumeSmokeLook
    BRUME_KNOBS_EMITTER,    ///< BrumeEmitterDef
    BRUME_KNOBS_SOLVER,     ///< BrumeSimDef
    BRUME_KNOBS_LIGHT,      ///< BrumeLight
    BRUME_KNOBS_LOOK,       ///< BrumeLook
    BRUME_KNOBS_COUNT,
} BrumeKnobGroup;

extern const BrumeKnobs brume_knobs[BRUME_KNOBS_COUNT];

/** Whether the values of a knob are the same in two structs of its group. */
bool brume_knob_is_equal(const BrumeKnob *knob, const void *a, const void *b);

/** Copies the value of a knob from one struct of its group to another. */
void brume_knob_copy(const BrumeKnob *knob, void *to, const void *from);

#endif
