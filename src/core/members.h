/**
 * @file members.h
 * All members of a struct of settings: one list, by which structs are compared, saved and restored.
 */
#ifndef BRUME_CORE_MEMBERS_H
#define BRUME_CORE_MEMBERS_H

#include "core/archive.h"
#include "core/setting.h"

typedef struct BrumeMembers BrumeMembers;

/** A struct within a struct, or an array of them. */
typedef struct BrumeMemberArray {
    const BrumeMembers *items;
    size_t offset, stride;
    int length;          ///< of the array
    bool counted;        ///< whether an int has the number of items in use; otherwise all are
    size_t count_offset; ///< of this int, the member before the array [bytes]
} BrumeMemberArray;

/** The members of a struct. Settings with the same offset describe the same member. */
struct BrumeMembers {
    int setting_count, array_count;
    const BrumeSetting *settings;
    const BrumeMemberArray *arrays;
};

/** Whether the members of two structs that a setting describes have the same bits, names the same text. */
bool brume_setting_equal(const BrumeSetting *setting, const void *a, const void *b);

/** Whether all members of two structs have the same bits, names the same text; padding does not count. */
bool brume_members_equal(const BrumeMembers *members, const void *a, const void *b);

/**
 * Counts, writes or reads all members but pointers, in the order in which the struct declares them. Whole numbers and
 * words outside their ranges clear `ok`.
 */
void brume_members_archive(BrumeArchive *archive, const BrumeMembers *members, void *object);

/** Whether all numbers of a struct without arrays are finite. */
bool brume_members_are_finite(const BrumeMembers *members, const void *object);

#endif
