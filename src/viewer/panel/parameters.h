/**
 * @file parameters.h
 * The rows of the panel that edit settings: their order and their controls. Labels, units, slider ranges and tooltips
 * come from the settings (core/setting.h), as do the tables in docs/viewer.md.
 */
#ifndef BRUME_VIEWER_PANEL_PARAMETERS_H
#define BRUME_VIEWER_PANEL_PARAMETERS_H

#include "core/setting.h"

#include <stdbool.h>
#include <stddef.h>

/** The control of a parameter, and the type of its member. */
typedef enum BrumeParameterKind {
    BRUME_PARAMETER_FLOAT,         ///< float, by a slider
    BRUME_PARAMETER_INT,           ///< int, by a slider
    BRUME_PARAMETER_PERIOD,        ///< float frequency [1/s], by a slider of its period [ms]
    BRUME_PARAMETER_FACTOR,        ///< float, by a slider of its factor of the physical value
    BRUME_PARAMETER_SWITCH,        ///< bool, by a check box
    BRUME_PARAMETER_VECTOR,        ///< BrumeVec3, by three draggable numbers
    BRUME_PARAMETER_COLOR,         ///< BrumeVec3, linear RGB, by a color picker
    BRUME_PARAMETER_CHOICE,        ///< int of few values or enum, by a list
    BRUME_PARAMETER_NAME,          ///< const char *, by a list
    BRUME_PARAMETER_SOURCE,        ///< BrumeSource, by a slider of its value or rate, as its mode selects
    BRUME_PARAMETER_VECTOR_SOURCE, ///< BrumeVectorSource, by three draggable numbers
} BrumeParameterKind;

/** A row of the panel. */
typedef struct BrumeParameter {
    BrumeParameterKind kind;
    const BrumeSetting *setting;             ///< for a source, the setting of its value
    const BrumeSetting *rate;                ///< for a source, the setting of its rate; otherwise NULL
    const char *(*idle)(const void *values); ///< as brume_parameter_idle; NULL: the value always has an effect
} BrumeParameter;

/** The parameters of one struct, in the order of the panel. */
typedef struct BrumeParameterTable {
    const char *title; ///< title of the table in docs/viewer.md
    int count;
    const BrumeParameter *parameters;
} BrumeParameterTable;

/** The tables of parameters; the comments name the structs that they edit. */
typedef enum BrumeParameterGroup {
    BRUME_PARAMETERS_TIME,            ///< BrumeSimDef
    BRUME_PARAMETERS_BRUSH,           ///< BrumeBrush
    BRUME_PARAMETERS_AIR,             ///< BrumeSimDef
    BRUME_PARAMETERS_FIRE,            ///< BrumeSimDef: fuel and how it burns
    BRUME_PARAMETERS_VAPOR,           ///< BrumeSimDef: water vapor
    BRUME_PARAMETERS_SMOKE,           ///< BrumeSmokeDef
    BRUME_PARAMETERS_MEDIUM,          ///< BrumeSmokeMedium
    BRUME_PARAMETERS_PARTICLE,        ///< BrumeParticleDef
    BRUME_PARAMETERS_PARTICLE_LOOK,   ///< BrumeParticleLook
    BRUME_PARAMETERS_EMITTER,         ///< BrumeEmitterDef
    BRUME_PARAMETERS_SOLVER,          ///< BrumeSimDef
    BRUME_PARAMETERS_SOLVER_DETAILS,  ///< BrumeSimDef: parts of the numerical method
    BRUME_PARAMETERS_LIGHT,           ///< BrumeLight of any kind
    BRUME_PARAMETERS_SUN,             ///< BrumeLight: additional parameters of a directional light
    BRUME_PARAMETERS_POINT_LIGHT,     ///< BrumeLight: additional parameters of a light with a position
    BRUME_PARAMETERS_SPOT,            ///< BrumeLight: additional parameters of a spot
    BRUME_PARAMETERS_RECTANGLE,       ///< BrumeLight: additional parameters of a rectangle
    BRUME_PARAMETERS_RENDER,          ///< BrumeRenderSettings
    BRUME_PARAMETERS_MEDIUM_SAMPLING, ///< BrumeRenderSettings: interpolation of the extinction
    BRUME_PARAMETERS_PHASE,           ///< BrumeRenderSettings
    BRUME_PARAMETERS_LOBES,           ///< BrumeRenderSettings: phase function with two lobes
    BRUME_PARAMETERS_DROPLETS,        ///< BrumeRenderSettings: phase function of droplets
    BRUME_PARAMETERS_EMISSION,        ///< BrumeRenderSettings
    BRUME_PARAMETERS_DETAIL,          ///< BrumeRenderSettings
    BRUME_PARAMETERS_FLOW,            ///< BrumeRenderSettings: the pressure on bodies as colors
    BRUME_PARAMETERS_RAKE,            ///< BrumeRake
    BRUME_PARAMETERS_PERSPECTIVE,     ///< BrumeCamera: perspective
    BRUME_PARAMETERS_ORTHOGRAPHIC,    ///< BrumeCamera: orthographic
    BRUME_PARAMETERS_LENS,            ///< BrumeCamera
    BRUME_PARAMETERS_FOCUS,           ///< BrumeCamera: focus distance that is not the target's
    BRUME_PARAMETERS_COUNT,
} BrumeParameterGroup;

/** The parameters of BRUME_PARAMETERS_BRUSH. Each mode of the brush uses some of them. */
enum {
    BRUME_BRUSH_RADIUS,
    BRUME_BRUSH_DENSITY,
    BRUME_BRUSH_HEAT_OF_SMOKE,
    BRUME_BRUSH_TEMPERATURE,
    BRUME_BRUSH_FUEL_PART,
    BRUME_BRUSH_BIRTHS,
    BRUME_BRUSH_SUCK_SPEED,
    BRUME_BRUSH_TWIST_SPEED,
    BRUME_BRUSH_RATE,
    BRUME_BRUSH_ERASE_TO,
};

extern const BrumeParameterTable brume_parameters[BRUME_PARAMETERS_COUNT];

enum { BRUME_PARAMETER_TEXT = 64 }; ///< bytes of a unit or a choice

/** Returns the offset of the parameter's member in its struct [bytes]. */
size_t brume_parameter_offset(const BrumeParameter *parameter);

/** Returns the setting that describes the present value: for a source, the setting of its mode. */
const BrumeSetting *brume_parameter_setting(const BrumeParameter *parameter, const void *values);

/**
 * Returns the reason why the value has no effect with the other values of the struct, such as the color of a constant
 * sky where the sky is a gradient; NULL: it has an effect.
 */
const char *brume_parameter_idle(const BrumeParameter *parameter, const void *values);

/** Whether settings of this kind have the parameter: another kind of force has others. */
bool brume_parameter_is_used(const BrumeParameter *parameter, const void *values);

/** Convert a float to the number that its control shows, and back. */
float brume_parameter_shown(const BrumeParameter *parameter, const BrumeSetting *setting, float value);
float brume_parameter_stored(const BrumeParameter *parameter, const BrumeSetting *setting, float shown);

/** Returns the range of the control: the slider range of the setting, in the numbers that the control shows. */
BrumeSliderRange brume_parameter_range(const BrumeParameter *parameter, const BrumeSetting *setting);

/**
 * Writes the unit of the control as the panel shows it, with symbols: "m²/s", "°", "ms" for a period, "× physical" for
 * a factor, "" for a pure number.
 */
void brume_parameter_unit(const BrumeParameter *parameter, const BrumeSetting *setting,
                          char unit[BRUME_PARAMETER_TEXT]);

/** Writes the unit as it follows a number: a word in the singular after 1, "cell"; symbols unchanged, "1/s". */
void brume_unit_of_number(const char *unit, double number, char text[BRUME_PARAMETER_TEXT]);

/** Writes the n-th choice of a list; false past the last. */
bool brume_parameter_choice(const BrumeParameter *parameter, int n, char text[BRUME_PARAMETER_TEXT]);

/** Writes the text of a choice in the panel: "MacCormack" for `maccormack`. */
void brume_choice_label(const char *choice, char text[BRUME_PARAMETER_TEXT]);

/** The index of the present choice of a list; -1 where it is none of them. */
int brume_parameter_chosen(const BrumeParameter *parameter, const void *values);

/** Stores the n-th choice of a list. */
void brume_parameter_choose(const BrumeParameter *parameter, void *values, int n);

/** Whether the values of a parameter are equal in two structs. */
bool brume_parameter_is_equal(const BrumeParameter *parameter, const void *a, const void *b);

/** Copies the value of a parameter from one struct to another. */
void brume_parameter_copy(const BrumeParameter *parameter, void *to, const void *from);

#endif
