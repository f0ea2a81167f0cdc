#include "app/cli/sequence.h"

#include "core/memory.h"
#include "core/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_frames(const void *a, const void *b)
{
    const int *const first = a;
    const int *const second = b;
    return (*first > *second) - (*first < *second);
}

static BrumeStatus add(BrumeSequence *sequence, int *capacity, int frame, BrumeError *error)
{
    int *frames = brume_make_room(sequence->frames, sequence->count, capacity, sizeof *frames);
    if (!frames) {
        return brume_out_of_memory(error, "the list of %d frames", sequence->count);
    }
    sequence->frames = frames;
    sequence->frames[sequence->count++] = frame;
    return BRUME_OK;
}

BrumeStatus brume_pattern_visit(const BrumeOutputPattern *pattern,
                                BrumeStatus (*visit)(void *context, const char *name, BrumeError *error), void *context,
                                BrumeError *error)
{
    char folder[BRUME_MAX_PATH];
    (void)brume_path_folder(pattern->text, folder, sizeof folder);
    DIR *entries = opendir(folder);
    if (!entries) {
        return errno == ENOENT || errno == ENOTDIR
                   ? BRUME_OK
                   : brume_fail(error, BRUME_FAILED, "%s: cannot read the folder: %s", folder, strerror(errno));
    }
    BrumeStatus status = BRUME_OK;
    for (const struct dirent *entry; status == BRUME_OK && (errno = 0, entry = readdir(entries)) != NULL;) {
        status = visit(context, entry->d_name, error);
    }
    if (status == BRUME_OK && errno != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read the folder: %s", folder, strerror(errno));
    }
    (void)closedir(entries);
    return status;
}

// a sequence while its frames are found
typedef struct Search {
    BrumeSequence *sequence;
    int capacity;
    const BrumeOutputPattern *pattern;
} Search;

static BrumeStatus visit(void *context, const char *name, BrumeError *error)
{
    Search *search = context;
    int frame;
    return brume_pattern_match(search->pattern, name, &frame) ? add(search->sequence, &search->capacity, frame, error)
                                                              : BRUME_OK;
}

BrumeStatus brume_sequence_find(BrumeSequence *sequence, const BrumeOutputPattern *pattern, int single,
                                BrumeError *error)
{
    *sequence = (BrumeSequence){0};
    Search search = {sequence, 0, pattern};
    if (pattern->width < 0) {
        return access(pattern->text, F_OK) == 0 ? add(sequence, &search.capacity, single, error) : BRUME_OK;
    }
    const BrumeStatus status = brume_pattern_visit(pattern, visit, &search, error);
    if (status != BRUME_OK) {
        brume_sequence_destroy(sequence);
    } else if (sequence->count > 0) {
        qsort(sequence->frames, (size_t)sequence->count, sizeof(int), compare_frames);
    }
    return status;
}

// a pattern of which there is no file: the files that differ in the number of digits alone are named
static BrumeStatus fail_none(const BrumeOutputPattern *pattern, BrumeError *error)
{
    enum { MOST_DIGITS = 9 };
    for (int width = 1; width <= MOST_DIGITS; width++) {
        BrumeOutputPattern other = *pattern;
        BrumeSequence found = {0};
        BrumeError ignored;
        other.width = width;
        const bool exists = brume_sequence_find(&found, &other, 0, &ignored) == BRUME_OK && found.count > 0;
        char path[BRUME_MAX_PATH] = "";
        if (exists) {
            brume_pattern_path(&other, found.frames[0], path);
        }
        brume_sequence_destroy(&found);
        if (exists) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: no such file, but '%s' exists, whose number has %d digit%s: write '%.*s%.*s%s'",
                              pattern->text, path, width, width == 1 ? "" : "s", pattern->before, pattern->text, width,
                              "#########", pattern->text + pattern->after);
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: no such file", pattern->text);
}

BrumeStatus brume_sequence_find_some(BrumeSequence *sequence, const BrumeOutputPattern *pattern, BrumeError *error)
{
    const BrumeStatus status = brume_sequence_find(sequence, pattern, 0, error);
    return status == BRUME_OK && sequence->count == 0 ? fail_none(pattern, error) : status;
}

bool brume_is_sequence(const char *path)
{
    BrumeOutputPattern pattern;
    return brume_pattern_parse(&pattern, path, "", NULL) == BRUME_OK && pattern.width >= 0;
}

int brume_sequence_stride(const BrumeSequence *sequence)
{
    int stride = 0;
    for (int n = 1; n < sequence->count; n++) { // Euclid's algorithm
        int rest = sequence->frames[n] - sequence->frames[n - 1];
        while (rest > 0) {
            const int next = stride % rest;
            stride = rest;
            rest = next;
        }
    }
    return stride > 0 ? stride : 1;
}

bool brume_sequence_has(const BrumeSequence *sequence, int frame)
{
    return sequence->count > 0 &&
           bsearch(&frame, sequence->frames, (size_t)sequence->count, sizeof(int), compare_frames) != NULL;
}

void brume_sequence_destroy(BrumeSequence *sequence)
{
    brume_free(sequence->frames);
    *sequence = (BrumeSequence){0};
}
