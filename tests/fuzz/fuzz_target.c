#include "fuzz_target.h"

#include "core/hash.h"
#include "core/memory.h"
#include "same_scene.h"
#include "sim/settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int argument_count;
static char **arguments;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    argument_count = *argc;
    arguments = *argv;
    brume_set_threads(1);
    return 0;
}

void fuzz_fail(const char *file, int line, const char *condition, const char *text)
{
    (void)fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", file, line, condition, text);
    abort();
}

const char *fuzz_argument(const char *prefix)
{
    const size_t size = strlen(prefix);
    for (int n = 1; n < argument_count; n++) {
        if (strncmp(arguments[n], prefix, size) == 0) {
            return arguments[n] + size;
        }
    }
    return NULL;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1);
    FUZZ_REQUIRE(text, "no memory for the input");
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

uint8_t *fuzz_bytes(const uint8_t *data, size_t size)
{
    uint8_t *const bytes = brume_alloc_untouched(size, 1);
    FUZZ_REQUIRE(bytes, "no memory for the input");
    if (size > 0) {
        memcpy(bytes, data, size);
    }
    return bytes;
}

void fuzz_require_status(BrumeStatus status, const BrumeError *error)
{
    if (status == BRUME_OK) {
        return;
    }
    FUZZ_REQUIRE(status == error->status, error->text);
    FUZZ_REQUIRE(status == BRUME_BAD_INPUT || status == BRUME_FAILED, error->text);
    FUZZ_REQUIRE(error->text[0] != '\0' && memchr(error->text, '\0', sizeof error->text), "an error without a text");
    FUZZ_REQUIRE(!strpbrk(error->text, "\n\r\x1b"), error->text);
}

void fuzz_require_valid_scene(const BrumeScene *scene)
{
    BrumeError error = {0};
    FUZZ_REQUIRE(brume_sim_check(&scene->sim, &error) == BRUME_OK, error.text);
    for (int n = 0; n < scene->timeline.count; n++) {
        const BrumeSimDef *const settings = scene->timeline.changes[n].settings;
        FUZZ_REQUIRE(!settings || brume_sim_check(settings, &error) == BRUME_OK, error.text);
    }
    FUZZ_REQUIRE(brume_scene_bytes_needed(scene) > 0, "a scene that needs no memory");
    char *text = NULL;
    char *second = NULL;
    BrumeScene *again = NULL;
    FUZZ_REQUIRE(brume_scene_write(scene, NULL, &text, &error) == BRUME_OK, error.text);
    const BrumeStatus status = brume_scene_parse(&again, text, "written", NULL, 0, NULL, &error);
    if (status != BRUME_OK) {
        (void)fputs(text, stderr);
    }
    FUZZ_REQUIRE(status == BRUME_OK, error.text);
    const char *const difference = scene_difference(scene, again);
    FUZZ_REQUIRE(!difference, difference);
    FUZZ_REQUIRE(brume_scene_write(again, NULL, &second, &error) == BRUME_OK, error.text);
    // changes without an effect are not written, and the origin only where the timeline has settings
    const bool same_changes = scene->timeline.count == again->timeline.count;
    FUZZ_REQUIRE(!same_changes || strcmp(text, second) == 0, second);
    brume_scene_destroy(again);
    brume_free(second);
    brume_free(text);
}

bool fuzz_is_small(const BrumeSimDef *def)
{
    enum { MAX_CELLS = 2048, MAX_STEPS = 4, MAX_ITERATIONS = 50 };
    return (size_t)def->nx * (size_t)def->ny * (size_t)def->nz <= MAX_CELLS && def->max_steps <= MAX_STEPS &&
           def->max_iterations <= MAX_ITERATIONS;
}

void fuzz_repair_header(uint8_t *bytes, size_t size)
{
    uint64_t header[4]; // magic number, format, size and hash of the content
    if (size < sizeof header) {
        return;
    }
    memcpy(header, bytes, sizeof header);
    header[2] = size - sizeof header;
    header[3] = brume_hash_blocks(bytes + sizeof header, size - sizeof header, header[1]);
    memcpy(bytes, header, sizeof header);
}
