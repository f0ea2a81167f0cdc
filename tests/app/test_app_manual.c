// The generated manual pages and completions have every command and every option of the tables.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/commands.h"
#include "program.h"

static char *read_generated(const char *name)
{
    char path[1024];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/%s", BRUME_GENERATED_FOLDER, name);
    return read_whole_file(path, &size);
}

static char *read_page(const BrumeCommand *command)
{
    char name[64];
    (void)snprintf(name, sizeof name, "man/brume%s%s.1", command ? "-" : "", command ? command->name : "");
    return read_generated(name);
}

static void assert_has(const char *file, const char *text, const char *what)
{
    if (!strstr(file, text)) {
        fail_msg("%s lacks '%s'", what, text);
    }
}

// "--dry-run" as roff source
static void roff_option(char *text, size_t size, const BrumeOption *option)
{
    (void)snprintf(text, size, "\\fB\\-\\-");
    for (const char *c = option->name; *c; c++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%c", *c == '-' ? "\\" : "", *c);
    }
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "\\fR");
}

static void assert_sections(const char *page, const char *what, const char *const *sections)
{
    const char *last = page;
    for (; *sections; sections++) {
        char line[64];
        (void)snprintf(line, sizeof line, "\n.SH %s\n", *sections);
        assert_has(page, line, what);
        const char *position = strstr(page, line);
        assert_true(position > last || last == page); // in the order of man-pages(7)
        last = position;
    }
}

static void test_program_page(void **state)
{
    (void)state;
    static const char *const sections[] = {"NAME",     "SYNOPSIS",    "DESCRIPTION", "COMMANDS",
                                           "OPTIONS",  "EXIT STATUS", "ENVIRONMENT", "FILES",
                                           "EXAMPLES", "SEE ALSO",    NULL};
    char *page = read_page(NULL);
    assert_sections(page, "brume.1", sections);
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        char entry[128];
        (void)snprintf(entry, sizeof entry, ".TP\n.BR brume\\-%s (1)\n", (*command)->name);
        assert_has(page, entry, "brume.1");
    }
    for (const BrumeEntry *status = brume_program.exit_statuses; status->name; status++) {
        char entry[128];
        (void)snprintf(entry, sizeof entry, ".TP\n\\fB%s\\fR\n", status->name);
        assert_has(page, entry, "brume.1");
    }
    free(page);
}

static void test_command_pages(void **state)
{
    (void)state;
    static const char *const sections[] = {"NAME",        "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                                           "EXIT STATUS", "SEE ALSO", NULL};
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        char *page = read_page(*command);
        assert_sections(page, (*command)->name, sections);
        assert_true((strstr(page, "\n.SH FILES\n") != NULL) == ((*command)->files != NULL));
        assert_true((strstr(page, "\n.SH EXAMPLES\n") != NULL) == ((*command)->examples != NULL));
        const BrumeOption *option;
        for (int n = 0; (option = brume_command_option(*command, n)) != NULL; n++) {
            char entry[128];
            roff_option(entry, sizeof entry, option);
            assert_has(page, entry, (*command)->name);
        }
        free(page);
    }
}

// what a file of a shell has for an option of a command
typedef void (*DescribeOption)(char *text, size_t size, const BrumeCommand *command, const BrumeOption *option);

// the case that completes its value, or the word in a list of options
static void bash_option(char *text, size_t size, const BrumeCommand *command, const BrumeOption *option)
{
    if (option->value) {
        (void)snprintf(text, size, "%s:--%s)\n", command->name, option->name);
    } else {
        (void)snprintf(text, size, "--%s ", option->name);
    }
}

static void zsh_option(char *text, size_t size, const BrumeCommand *command, const BrumeOption *option)
{
    (void)command;
    (void)snprintf(text, size, "--%s%s", option->name, option->value ? "=" : "");
}

static void fish_option(char *text, size_t size, const BrumeCommand *command, const BrumeOption *option)
{
    char letter[8] = "";
    if (option->letter) {
        (void)snprintf(letter, sizeof letter, " -s %c", option->letter);
    }
    (void)snprintf(text, size, "'__fish_seen_subcommand_from %s'%s -l %s ", command->name, letter, option->name);
}

static void test_completions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *before_command, *behind_command; // what a command has
        DescribeOption describe;
    } shells[] = {
        {"completions/brume.bash", "\n    ", ")\n        options='", bash_option},
        {"completions/_brume", "\n    (", ")\n        _arguments", zsh_option},
        {"completions/brume.fish", "\ncomplete -c brume -n __fish_use_subcommand -a ", " -d ", fish_option},
    };
    for (size_t n = 0; n < sizeof shells / sizeof shells[0]; n++) {
        char *file = read_generated(shells[n].name);
        for (const BrumeCommand *const *command = brume_commands; *command; command++) {
            char text[256];
            (void)snprintf(text, sizeof text, "%s%s%s", shells[n].before_command, (*command)->name,
                           shells[n].behind_command);
            assert_has(file, text, shells[n].name);
            const BrumeOption *option;
            for (int index = 0; (option = brume_command_option(*command, index)) != NULL; index++) {
                shells[n].describe(text, sizeof text, *command, option);
                assert_has(file, text, shells[n].name);
            }
        }
        assert_has(file, "solver.kernels=reference\n", shells[n].name);
        free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_page),
        cmocka_unit_test(test_command_pages),
        cmocka_unit_test(test_completions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
