#include "app/cli/standard_streams.h"

#include "app/cli/scene_readers.h"
#include "core/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SIZE = 1 << 16, MAX_SIZE = 1 << 26 }; // bytes; more is no scene, and brume_scene_parse has a lower limit

static const char input_name[] = "stdin";

bool brume_is_standard_stream(const char *path) { return path && strcmp(path, "-") == 0; }

// reads standard input to its end, with a terminating 0; `*text` is freed with brume_free, also after a failure
static BrumeStatus read_input(char **text, size_t *size, BrumeError *error)
{
    size_t capacity = FIRST_SIZE;
    *size = 0;
    *text = brume_alloc_untouched(capacity, 1);
    while (*text) {
        const ssize_t got = read(STDIN_FILENO, *text + *size, capacity - *size - 1);
        if (got < 0 && errno != EINTR) {
            return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", input_name, strerror(errno));
        }
        *size += got > 0 ? (size_t)got : 0;
        if (*size + 1 == MAX_SIZE) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: too large for a scene", input_name);
        }
        if (*size + 1 == capacity) {
            char *grown = brume_realloc(*text, capacity, 2 * capacity);
            if (!grown) {
                break;
            }
            *text = grown;
            capacity *= 2;
        }
        (*text)[*size] = '\0';
        if (got == 0) {
            return BRUME_OK;
        }
    }
    return brume_out_of_memory(error, "%s", input_name);
}

static BrumeStatus parse_input(BrumeScene **scene, const BrumeTextList *overrides, const BrumeSceneReaders *readers,
                               BrumeError *error)
{
    char *text;
    size_t size;
    BrumeStatus status = read_input(&text, &size, error);
    if (status == BRUME_OK && strlen(text) != size) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: not a text in UTF-8: byte 0x00 is not allowed", input_name);
    }
    if (status == BRUME_OK) {
        status = brume_scene_parse(scene, text, input_name, overrides->texts, overrides->count, readers, error);
    }
    brume_free(text);
    return status;
}

BrumeStatus brume_load_scene_argument(BrumeScene **scene, const char **path, const BrumeTextList *overrides,
                                      BrumeText *notes, BrumeError *error)
{
    BrumeSceneReaders readers = brume_scene_readers;
    readers.context = notes;
    if (!brume_is_standard_stream(*path)) {
        return brume_scene_load(scene, *path, overrides->texts, overrides->count, &readers, error);
    }
    *path = "/dev/stdin";
    return parse_input(scene, overrides, &readers, error);
}
