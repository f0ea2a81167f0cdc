#include "core/members.h"

#include <math.h>
#include <string.h>

static int items_in_use(const BrumeMemberArray *array, const void *object)
{
    return array->counted ? *(const int *)(const void *)((const char *)object + array->count_offset) : array->length;
}

bool brume_setting_equal(const BrumeSetting *setting, const void *a, const void *b)
{
    const char *const x = (const char *)a + setting->offset;
    const char *const y = (const char *)b + setting->offset;
    if (setting->type == BRUME_VALUE_NAME) {
        const char *const name = *(const char *const *)(const void *)x;
        const char *const other = *(const char *const *)(const void *)y;
        return name == other || (name && other && strcmp(name, other) == 0);
    }
    return memcmp(x, y, brume_setting_size(setting)) == 0;
}

bool brume_members_equal(const BrumeMembers *members, const void *a, const void *b)
{
    bool same = true;
    for (int n = 0; n < members->setting_count && same; n++) {
        same = brume_setting_equal(&members->settings[n], a, b);
    }
    for (int n = 0; n < members->array_count && same; n++) {
        const BrumeMemberArray *const array = &members->arrays[n];
        const int count = items_in_use(array, a);
        same = count == items_in_use(array, b);
        for (int i = 0; i < count && same; i++) {
            const size_t offset = array->offset + (size_t)i * array->stride;
            same = brume_members_equal(array->items, (const char *)a + offset, (const char *)b + offset);
        }
    }
    return same;
}

static void archive_value(BrumeArchive *archive, const BrumeSetting *setting, void *object)
{
    char *const member = (char *)object + setting->offset;
    const bool whole =
        setting->type == BRUME_VALUE_INT || setting->type == BRUME_VALUE_COUNTS || setting->type == BRUME_VALUE_WORD;
    const bool text = setting->type == BRUME_VALUE_TEXT || setting->type == BRUME_VALUE_TEXTS;
    if (setting->type == BRUME_VALUE_NAME) {
        brume_archive_name(archive, (const char **)(void *)member, setting->name_at);
    } else if (setting->type == BRUME_VALUE_BOOL) {
        brume_archive_bool(archive, (bool *)member);
    } else if (setting->type != BRUME_VALUE_POINTER) {
        brume_archive_bytes(archive, member, brume_setting_size(setting));
    }
    if (archive->mode != BRUME_ARCHIVE_READ) {
        return;
    }
    for (size_t end = (size_t)setting->max; text && end < brume_setting_size(setting);
         end += (size_t)setting->max + 1) {
        member[end] = '\0';
    }
    double numbers[3];
    const int count = whole ? brume_setting_numbers(setting, member, numbers) : 0;
    for (int n = 0; n < count; n++) {
        archive->ok = archive->ok && brume_setting_allows(setting, numbers[n]);
    }
}

static void archive_array(BrumeArchive *archive, const BrumeMemberArray *array, void *object)
{
    if (array->counted) {
        brume_archive_count(archive, (int *)(void *)((char *)object + array->count_offset), array->length);
    }
    for (int i = 0; i < items_in_use(array, object); i++) {
        brume_members_archive(archive, array->items, (char *)object + array->offset + (size_t)i * array->stride);
    }
}

void brume_members_archive(BrumeArchive *archive, const BrumeMembers *members, void *object)
{
    const BrumeSetting *setting = NULL;
    const BrumeMemberArray *array = NULL;
    size_t position = 0; // behind the offset of the member before
    do {
        size_t least = SIZE_MAX;
        setting = NULL;
        array = NULL;
        for (int n = 0; n < members->setting_count; n++) {
            const size_t offset = members->settings[n].offset;
            setting = offset >= position && offset < least ? &members->settings[n] : setting;
            least = setting ? setting->offset : least;
        }
        for (int n = 0; n < members->array_count; n++) {
            const size_t offset = members->arrays[n].offset;
            array = offset >= position && offset < least ? &members->arrays[n] : array;
            least = array ? array->offset : least;
        }
        if (array) {
            archive_array(archive, array, object);
        } else if (setting) {
            archive_value(archive, setting, object);
        }
        position = least + 1;
    } while (setting || array);
}

bool brume_members_are_finite(const BrumeMembers *members, const void *object)
{
    bool finite = true;
    for (int n = 0; n < members->setting_count; n++) {
        const BrumeSetting *const setting = &members->settings[n];
        double numbers[3];
        const int count = brume_setting_numbers(setting, (const char *)object + setting->offset, numbers);
        for (int i = 0; i < count; i++) {
            finite = finite && isfinite(numbers[i]);
        }
    }
    return finite;
}
