#include "app/cli/messages.h"
#include "app/commands.h"

#include <stdio.h>
#include <string.h>

const BrumeCommand *const brume_commands[] = {
    &brume_render_command,  &brume_sim_command,   &brume_view_command, &brume_info_command,
    &brume_convert_command, &brume_bench_command, &brume_help_command, NULL,
};

enum { HELP_COLUMN = 28 };

// prints `text` in the help column, below `left` if that is too long
static void print_entry(const char *left, const char *text)
{
    int column = printf("  %s", left);
    if (column > HELP_COLUMN - 2) {
        printf("\n");
        column = 0;
    }
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        const int length = end ? (int)(end - line) : (int)strlen(line);
        printf("%*s%.*s\n", HELP_COLUMN - column, "", length, line);
        column = 0;
        line = end ? end + 1 : NULL;
    }
}

static void print_option(const BrumeOption *option)
{
    char left[64];
    char letter[8] = "    ";
    if (option->letter) {
        (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    (void)snprintf(left, sizeof left, "%s--%s%s%s%s", letter, option->name,
                   option->value_optional ? "[="
                   : option->value        ? " "
                                          : "",
                   option->value ? option->value : "", option->value_optional ? "]" : "");
    print_entry(left, option->help);
}

static void print_program_help(void)
{
    printf("usage: brume COMMAND [options]\n\n"
           "Simulates smoke in a box and draws it.\n\n"
           "commands:\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        print_entry((*command)->name, (*command)->summary);
    }
    printf("\noptions:\n");
    print_entry("-h, --help", "print this help, or that of a command");
    print_entry("    --version", "print the version");
    printf("\n'brume help COMMAND' explains a command.\n"
           "Exit status: 0 done, 1 failed, 2 bad arguments or scene, 130 interrupted.\n");
}

void brume_print_help(const BrumeCommand *command)
{
    if (!command) {
        print_program_help();
        return;
    }
    printf("usage: brume %s%s%s\n\n%s\n\noptions:\n", command->name, command->usage[0] ? " " : "", command->usage,
           command->details);
    const BrumeOption *option;
    for (int n = 0; (option = brume_command_option(command, n)) != NULL; n++) {
        print_option(option);
    }
    print_entry("-h, --help", "print this help");
}

static int run_help(const BrumeCommand *command, int argc, char **argv)
{
    BrumeError error;
    const char *name;
    if (brume_args_parse(command, brume_commands, argc, argv, &name, NULL, &error) != BRUME_OK) {
        goto failed;
    }
    const BrumeCommand *topic = name ? brume_find_command(brume_commands, name) : NULL;
    if (name && !topic) {
        (void)brume_fail_command(&error, brume_commands, name);
        goto failed;
    }
    brume_print_help(topic);
    return BRUME_OK;
failed:
    brume_print_error(&error);
    return (int)error.status;
}

const BrumeCommand brume_help_command = {
    .name = "help",
    .summary = "explain the program or a command",
    .details = "Prints the help of the program or of one command.",
    .usage = "[COMMAND]",
    .operand = "COMMAND",
    .run = run_help,
};
