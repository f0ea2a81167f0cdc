#include "core/archive.h"

#include "core/memory.h"

#include <string.h>

enum { MAX_NAME = 32 };

void brume_archive_bytes(BrumeArchive *archive, void *value, size_t size)
{
    if (size == 0) { // `value` may be NULL
        return;
    }
    if (archive->mode == BRUME_ARCHIVE_WRITE) {
        memcpy(archive->output + archive->position, value, size);
    } else if (archive->mode == BRUME_ARCHIVE_READ) {
        archive->ok = archive->ok && size <= archive->size - archive->position;
        if (!archive->ok) {
            return;
        }
        memcpy(value, archive->input + archive->position, size);
    }
    archive->position += size;
}

void brume_archive_float(BrumeArchive *archive, float *value) { brume_archive_bytes(archive, value, sizeof *value); }

void brume_archive_vec3(BrumeArchive *archive, BrumeVec3 *value)
{
    brume_archive_float(archive, &value->x);
    brume_archive_float(archive, &value->y);
    brume_archive_float(archive, &value->z);
}

void brume_archive_double(BrumeArchive *archive, double *value) { brume_archive_bytes(archive, value, sizeof *value); }

void brume_archive_uint(BrumeArchive *archive, uint32_t *value) { brume_archive_bytes(archive, value, sizeof *value); }

void brume_archive_uint64(BrumeArchive *archive, uint64_t *value)
{
    brume_archive_bytes(archive, value, sizeof *value);
}

void brume_archive_int(BrumeArchive *archive, int *value)
{
    int32_t saved = (int32_t)*value;
    brume_archive_bytes(archive, &saved, sizeof saved);
    *value = saved;
}

void brume_archive_count(BrumeArchive *archive, int *value, int most)
{
    brume_archive_int(archive, value);
    if (*value < 0 || *value > most) {
        archive->ok = false;
        *value = 0;
    }
}

void brume_archive_bool(BrumeArchive *archive, bool *value)
{
    uint8_t saved = *value;
    brume_archive_bytes(archive, &saved, sizeof saved);
    *value = saved != 0;
}

void brume_archive_name(BrumeArchive *archive, const char **name, const char *(*name_at)(int index))
{
    char text[MAX_NAME] = "";
    if (archive->mode != BRUME_ARCHIVE_READ) {
        strncpy(text, *name, sizeof text - 1);
    }
    brume_archive_bytes(archive, text, sizeof text);
    if (archive->mode == BRUME_ARCHIVE_READ) {
        text[sizeof text - 1] = '\0';
        int index = 0;
        while (name_at(index) && strcmp(name_at(index), text) != 0) {
            index++;
        }
        *name = name_at(index);
        archive->ok = archive->ok && *name;
    }
}

void brume_archive_text(BrumeArchive *archive, char **text)
{
    enum { MAX_TEXT = 1 << 12 };
    int length = *text ? (int)strlen(*text) : 0;
    brume_archive_count(archive, &length, MAX_TEXT);
    if (archive->mode == BRUME_ARCHIVE_READ) {
        *text = archive->ok ? brume_alloc((size_t)length + 1, 1) : NULL;
        archive->ok = archive->ok && *text;
    }
    if (length > 0 && *text) {
        brume_archive_bytes(archive, *text, (size_t)length);
    }
}
