/*
 * A command line, one argument on each line of the input, parsed with the options of every command. No command runs.
 */
#include "fuzz_target.h"

#include "app/commands.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 300, SETTINGS_BYTES = 1 << 14 };

/** The arguments behind the name of the program, and NULL. */
static int split(char *text, char *argv[MAX_ARGUMENTS + 1])
{
    static char program[] = "brume";
    int argc = 0;
    argv[argc++] = program;
    for (char *line = text; *line && argc < MAX_ARGUMENTS;) {
        char *const end = line + strcspn(line, "\n");
        const bool is_last = *end == '\0';
        *end = '\0';
        argv[argc++] = line;
        line = is_last ? end : end + 1;
    }
    argv[argc] = NULL;
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = fuzz_text(data, size);
    char *argv[MAX_ARGUMENTS + 1];
    const int argc = split(text, argv);
    BrumeRequest request;
    BrumeError error = {0};
    fuzz_require_status(brume_args_request(&request, brume_commands, argc, argv, &error), &error);
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        // the settings of a command are a struct of its own; all are smaller than this
        void *const settings = calloc(1, SETTINGS_BYTES);
        FUZZ_REQUIRE(settings, "no memory for the settings");
        const char *operands[BRUME_MAX_OPERANDS];
        fuzz_require_status(brume_args_parse(*command, brume_commands, argc, argv, operands, settings, &error), &error);
        free(settings);
    }
    free(text);
    return 0;
}
