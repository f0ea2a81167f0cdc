/**
 * @file setting.h
 * The description of a setting: name, unit, limits, slider range, default, document text, and whether a timeline may
 * change it. Each settings struct has one table of these in its folder (sim/settings/settings.h, raymarch/settings.h,
 * scene/format/settings.h). The check of a simulation, the scene schema, the panel and docs/scene.md all read these
 * tables.
 */
#ifndef BRUME_CORE_SETTING_H
#define BRUME_CORE_SETTING_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The type of the member that a setting describes. */
typedef enum BrumeValueType {
    BRUME_VALUE_FLOAT,   ///< float
    BRUME_VALUE_DOUBLE,  ///< double
    BRUME_VALUE_INT,     ///< int
    BRUME_VALUE_UINT32,  ///< uint32_t
    BRUME_VALUE_BOOL,    ///< bool: true or false, or one of the two words of the setting
    BRUME_VALUE_WORD,    ///< an int or enum that counts the words of the setting from 0
    BRUME_VALUE_NAME,    ///< const char *: one of the texts that `name_at` returns
    BRUME_VALUE_TEXT,    ///< char[max + 1]
    BRUME_VALUE_TEXTS,   ///< char[3][max + 1], in a scene a text or a list of three
    BRUME_VALUE_VECTOR,  ///< BrumeVec3
    BRUME_VALUE_COLOR,   ///< BrumeVec3, in a scene a list of three numbers or one number for all three
    BRUME_VALUE_LENGTHS, ///< double[3], in a scene as a color
    BRUME_VALUE_COUNTS,  ///< int[3], in a scene a list of three whole numbers or one number
    BRUME_VALUE_POINTER, ///< a pointer, which no scene sets and no saved state has
} BrumeValueType;

/** The range of a slider, within the hard limits; min = max = 0 where the panel shows no slider. */
typedef struct BrumeSliderRange {
    double min, max;
    bool logarithmic; ///< the position is proportional to the logarithm of the value; `min` of 0 or more
} BrumeSliderRange;

/** One setting, or a member of a struct of settings that is none: without path, and with type, offset and words alone.
 */
typedef struct BrumeSetting {
    const char *path;  ///< dotted path in a scene, "emitters[].density"; the last name is the name of the setting
    const char *label; ///< in the panel; NULL where the panel does not show it
    BrumeValueType type;
    size_t offset;    ///< of the member in the struct that the table describes [bytes]
    const char *unit; ///< "1" for pure numbers, NULL for values that are not numbers
    double min, max;  ///< hard limits of a number and of each component, both included; of a text: bytes, in `max`
    BrumeSliderRange slider;
    double physical;               ///< the value of real air, of which the panel shows the factor; 0: none
    double defaults[3];            ///< the default, or its components
    const char *default_name;      ///< BRUME_VALUE_NAME, BRUME_VALUE_TEXT: the default
    const char *fallback;          ///< for documents: the value of an absent key, where that is not `defaults`
    bool infinity_allowed;         ///< +infinity is valid too
    bool one_allowed;              ///< 1 is valid too, although it is below `min`
    bool animated;                 ///< keyframes can change it (scene/format/animation.h)
    unsigned kinds;                ///< used only where the enum at `kind_offset` has a value of these bits; 0: always
    size_t kind_offset;            ///< in the struct that the table describes [bytes]
    bool fixed;                    ///< holds for the whole scene: a timeline cannot change it
    const char *const *words;      ///< BRUME_VALUE_WORD, BRUME_VALUE_BOOL: in the order of the values, NULL at the end
    const char *(*name_at)(int n); ///< BRUME_VALUE_NAME: the n-th name, NULL past the last
    const char *doc;               ///< document text: one or two sentences
} BrumeSetting;

/** The last name of the setting's path, "density" of "emitters[].density". */
const char *brume_setting_name(const BrumeSetting *setting);

/** Whether the values of a setting are words. */
bool brume_setting_has_words(const BrumeSetting *setting);

/** The n-th word of a setting that has words; NULL past the last. */
const char *brume_setting_word(const BrumeSetting *setting, int n);

/** Bytes of the member. */
size_t brume_setting_size(const BrumeSetting *setting);

/** The form of the setting's value in a scene: "a number", "a list of three numbers". */
const char *brume_setting_type(const BrumeSetting *setting);

/** Writes the valid values as text: "from 0 to 1", "one of wall, open". A text that is too long is cut. */
void brume_setting_range(const BrumeSetting *setting, char *text, size_t size);

/** Writes the unit as it follows a range: " [1/m]"; "" for pure numbers and values without a unit. */
void brume_setting_unit(const BrumeSetting *setting, char *text, size_t size);

/** Whether a struct with this setting uses it, by the kind that it depends on. */
bool brume_setting_is_used(const BrumeSetting *setting, const void *object);

/** The number or the components at `member`; returns how many there are, 0 for a value without numbers. */
int brume_setting_numbers(const BrumeSetting *setting, const void *member, double numbers[3]);

/** Stores as many numbers as brume_setting_numbers reads; values without numbers are left as they are. */
void brume_setting_set_numbers(const BrumeSetting *setting, void *member, const double numbers[3]);

/** Writes the value at `member` as text, numbers with up to 7 digits. */
void brume_setting_value(const BrumeSetting *setting, const void *member, char *text, size_t size);

/** Whether a number is within the hard limits, compared in the precision of the member, or is the index of a word. */
bool brume_setting_allows(const BrumeSetting *setting, double value);

/**
 * Fails with BRUME_BAD_INPUT: `'name' in 'owner' is VALUE, but must be RANGE [UNIT]`. `owner` includes its quotes.
 * Scene files and brume_sim_create name a setting and its range with this text alone.
 */
BrumeStatus brume_setting_fail(const BrumeSetting *setting, const char *owner, const char *value, BrumeError *error);

/** Checks the member of `object` that a setting describes; fails as brume_setting_fail does. */
BrumeStatus brume_setting_check(const BrumeSetting *setting, const void *object, const char *owner, BrumeError *error);

/** Stores the defaults of `count` settings in the members of `object`; texts are not stored. */
void brume_settings_set_defaults(const BrumeSetting *settings, int count, void *object);

#endif
