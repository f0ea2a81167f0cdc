// The options that the fine frames depend on, in a text file beside them, `PATTERN.refine`: a run that goes on after
// frames of others would make a sequence that changes there.
#include "app/refine/refine_frames.h"
#include "core/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TEXT = 256 };

// the options, one in a line
static void describe(const BrumeRefineDef *def, char text[MOST_TEXT])
{
    const int length = snprintf(text, MOST_TEXT, "--method %s\n--factor %d\n--strength %.9g\n--scale %.9g\n",
                                def->method->name, def->factor, def->strength, def->scale);
    if (def->method->in_order) {
        (void)snprintf(text + length, (size_t)(MOST_TEXT - length), "--texture-period %.9g\n--fps %.9g\n",
                       def->texture_period, def->fps);
    }
}

// fails at the first line of `present` that is not in `before`
static BrumeStatus compare(const char *path, const char *before, const char *present, BrumeError *error)
{
    while (*present != '\0') {
        const int length = (int)strcspn(present, "\n");
        const int other = (int)strcspn(before, "\n");
        if (length != other || memcmp(present, before, (size_t)length) != 0) {
            return brume_fail(
                error, BRUME_BAD_INPUT,
                "%s: the frames that exist were refined with '%.*s', not '%.*s' (give the same options, or "
                "another --output)",
                path, other, before, length, present);
        }
        present += length + 1;
        before += before[other] == '\n' ? other + 1 : other;
    }
    return BRUME_OK;
}

// whether the run goes on after fine frames that exist
static bool goes_on(const BrumeRefineFrames *frames)
{
    bool found = frames->def->method->in_order && frames->next > 0;
    for (int n = 0; n < frames->files->found.count && frames->def->resume && !found; n++) {
        found = brume_fine_file_exists(frames, n);
    }
    return found;
}

BrumeStatus brume_refine_check_settings(const BrumeRefineFrames *frames, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    char present[MOST_TEXT];
    char before[MOST_TEXT] = "";
    uint8_t *bytes = NULL;
    size_t size = 0;
    describe(frames->def, present);
    if (snprintf(path, sizeof path, "%s.refine", frames->def->output) >= (int)sizeof path) {
        return brume_fail(error, BRUME_BAD_INPUT, "--output: the path is too long");
    }
    if (!goes_on(frames)) {
        return brume_file_write(path, present, strlen(present), error);
    }
    if (access(path, F_OK) != 0) { // the options of the frames that exist are not known
        return BRUME_OK;
    }
    const BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status != BRUME_OK) {
        return status;
    }
    memcpy(before, bytes, size < sizeof before - 1 ? size : sizeof before - 1);
    brume_free(bytes);
    return compare(path, before, present, error);
}
