// The generated manual pages and the completions of the shells have every command and every option of the tables.
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

static ProgramRun run;

// the words offered for a command line have those of an option
static void assert_offers(const BrumeOption *option)
{
    char text[128];
    (void)snprintf(text, sizeof text, "\n--%s\t", option->name);
    assert_has(run.out, text, "the completion");
    if (option->letter) {
        (void)snprintf(text, sizeof text, "\n-%c\t", option->letter);
        assert_has(run.out, text, "the completion");
    }
}

static void test_completed_options(void **state)
{
    (void)state;
    const BrumeOption *option;
    run_program(&run, "complete -");
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        assert_offers(option);
    }
    run_program(&run, "complete r"); // commands
    assert_memory_equal(run.out, "words 0\n", 8);
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        char text[256];
        (void)snprintf(text, sizeof text, "\n%s\t%s\n", (*command)->name, (*command)->summary);
        assert_has(run.out, text, "the completion");
    }
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        char arguments[64];
        (void)snprintf(arguments, sizeof arguments, "complete %s -", (*command)->name);
        run_program(&run, arguments);
        assert_int_equal(run.status, 0);
        for (int n = 0; (option = brume_command_option(*command, n)) != NULL; n++) {
            assert_offers(option);
        }
        assert_offers(brume_program_option(0));
    }
}

static void assert_completion(const char *words, const char *expected)
{
    char arguments[128];
    (void)snprintf(arguments, sizeof arguments, "complete %s", words);
    run_program(&run, arguments);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, expected);
}

static void test_completed_values(void **state)
{
    (void)state;
    assert_completion("render --measures ro", "files 0 csv\n");
    assert_completion("render --measures=ro", "files 11 csv\n");
    assert_completion("render --log=", "files 6\n");
    assert_completion("render --probes-dir a", "folders 0\n");
    assert_completion("bench --steps 1", "nothing 0 N\n");
    assert_completion("view --renderer c", "words 0\nauto\ncpu\ngl\n");
    assert_completion("render --resume=f", "words 9\nforce\n");
    assert_completion("render --resume a",
                      "files 0 yaml yml hdf vtkhdf vdb vti raw ply\n"); // its value follows "=" alone
    assert_completion("render -o a.png b", "files 0 yaml yml hdf vtkhdf vdb vti raw ply\n");
    assert_completion("a.yaml sim b", "files 0 yaml yml\n");
    run_program(&run, "complete render -Dsolver.kernels=r");
    assert_memory_equal(run.out, "words 2\n", 8);
    assert_has(run.out, "\nsolver.kernels=reference\n", "the completion");
    run_program(&run, "complete render --define=s");
    assert_memory_equal(run.out, "words 9\n", 8);
    assert_has(run.out, "\nsolver.kernels=\n", "the completion");
    assert_has(run.out, "\ndomain.boundaries.y_max=\n", "the completion");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_page),
        cmocka_unit_test(test_command_pages),
        cmocka_unit_test(test_completed_options),
        cmocka_unit_test(test_completed_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
