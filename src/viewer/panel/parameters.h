/**
 * @file parameters.h
 * The rows of the panel that edit settings: which settings are shown in which order and by which control. Labels,
 * units, slider ranges and tooltips are those of the settings (core/setting.h), as are the tables in docs/viewer.md.
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
    const BrumeSetting *setting;             ///< of a source: the setting of its value
    const BrumeSetting *rate;                ///< of a source: the setting of its rate, otherwise NULL
    const char *(*idle)(const void *values); ///< as brume_parameter_idle; NULL: the value always has an effect
} BrumeParameter;

/** The parameters of one struct, in the order of the panel. */
typedef struct BrumeParameterTable {
    const char *title; ///< of the table in docs/viewer.md
    int count;
    const BrumeParameter *parameters;
} BrumeParameterTable;

/** The tables of parameters; the comments name the structs that they edit. */
typedef enum BrumeParameterGroup {
    BRUME_PARAMETERS_TIME,            ///< BrumeSimDef
    BRUME_PARAMETERS_BRUSH,           ///< BrumeBrush
    BRUME_PARAMETERS_AIR,             ///< BrumeSimDef
    BRUME_PARAMETERS_SMOKE,           ///< BrumeSmokeDef
    BRUME_PARAMETERS_MEDIUM,          ///< BrumeSmokeMedium
    BRUME_PARAMETERS_EMITTER,         ///< BrumeEmitterDef
    BRUME_PARAMETERS_SOLVER,          ///< BrumeSimDef
    BRUME_PARAMETERS_SOLVER_DETAILS,  ///< BrumeSimDef: what the numerical method is made of
    BRUME_PARAMETERS_LIGHT,           ///< BrumeLight of any kind
    BRUME_PARAMETERS_SUN,             ///< BrumeLight: additional parameters of a directional light
    BRUME_PARAMETERS_POINT_LIGHT,     ///< BrumeLight: additional parameters of a light with a position
    BRUME_PARAMETERS_SPOT,            ///< BrumeLight: additional parameters of a spot
    BRUME_PARAMETERS_RECTANGLE,       ///< BrumeLight: additional parameters of a rectangle
    BRUME_PARAMETERS_RENDER,          ///< BrumeRenderSettings
    BRUME_PARAMETERS_MEDIUM_SAMPLING, ///< BrumeRenderSettings: interpolation of the extinction
    BRUME_PARAMETERS_PHASE,           ///< BrumeRenderSettings
    BRUME_PARAMETERS_LOBES,           ///< BrumeRenderSettings: of the phase function with two lobes
    BRUME_PARAMETERS_DROPLETS,        ///< BrumeRenderSettings: of that of droplets
    BRUME_PARAMETERS_EMISSION,        ///< BrumeRenderSettings
    BRUME_PARAMETERS_DETAIL,          ///< BrumeRenderSettings
    BRUME_PARAMETERS_PERSPECTIVE,     ///< BrumeCamera: of a perspective one
    BRUME_PARAMETERS_ORTHOGRAPHIC,    ///< BrumeCamera: of an orthographic one
    BRUME_PARAMETERS_LENS,            ///< BrumeCamera
    BRUME_PARAMETERS_FOCUS,           ///< BrumeCamera: where it is not that of the target
    BRUME_PARAMETERS_COUNT,
} BrumeParameterGroup;

/** The parameters of BRUME_PARAMETERS_BRUSH, of which each mode of the brush has some. */
enum {
    BRUME_BRUSH_RADIUS,
    BRUME_BRUSH_DENSITY,
    BRUME_BRUSH_HEAT_OF_SMOKE,
    BRUME_BRUSH_TEMPERATURE,
    BRUME_BRUSH_SUCK_SPEED,
    BRUME_BRUSH_TWIST_SPEED,
    BRUME_BRUSH_RATE,
    BRUME_BRUSH_ERASE_TO,
};

extern const BrumeParameterTable brume_parameters[BRUME_PARAMETERS_COUNT];

enum { BRUME_PARAMETER_TEXT = 64 }; ///< bytes of a unit or a choice

/** The offset of the member in the struct that the parameter belongs to [bytes]. */
size_t brume_parameter_offset(const BrumeParameter *parameter);

/** The setting that describes the present value: for a source, that of its mode. */
const BrumeSetting *brume_parameter_setting(const BrumeParameter *parameter, const void *values);

/**
 * Why the value has no effect beside the others in the struct, as that of a constant sky where there is a gradient;
 * NULL where it has.
 */
const char *brume_parameter_idle(const BrumeParameter *parameter, const void *values);

/** The number that the control of a float shows, and the float of such a number. */
float brume_parameter_shown(const BrumeParameter *parameter, const BrumeSetting *setting, float value);
float brume_parameter_stored(const BrumeParameter *parameter, const BrumeSetting *setting, float shown);

/** The range of the control: that of the setting's slider, in the numbers that it shows. */
BrumeSliderRange brume_parameter_range(const BrumeParameter *parameter, const BrumeSetting *setting);

/**
 * Writes the unit of the control as the panel shows it, with symbols: "m²/s", "°", "ms" for a period, "× physical" for
 * a factor, "" for a pure number.
 */
void brume_parameter_unit(const BrumeParameter *parameter, const BrumeSetting *setting,
                          char unit[BRUME_PARAMETER_TEXT]);

/** Writes the unit as it follows a number: a word in the singular behind 1, "cell"; symbols as they are, "1/s". */
void brume_unit_of_number(const char *unit, double number, char text[BRUME_PARAMETER_TEXT]);

/** Writes the n-th choice of a list; false past the last. */
bool brume_parameter_choice(const BrumeParameter *parameter, int n, char text[BRUME_PARAMETER_TEXT]);

/** Writes how the panel shows a choice of a list: "MacCormack" for `maccormack`. */
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
