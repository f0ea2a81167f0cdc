#include "app/cli/messages.h"
#include "app/commands.h"

#include <stdio.h>
#include <string.h>

const BrumeCommand *const brume_commands[] = {
    &brume_render_command, &brume_sim_command,  &brume_view_command,  &brume_info_command, &brume_convert_command,
    &brume_refine_command, &brume_join_command, &brume_bench_command, &brume_help_command, NULL,
};

static const BrumeEntry exit_statuses[] = {
    {"0", "done"},
    {"1", "failed: not enough memory, a file that cannot be written, or values that are not finite"},
    {"2", "bad arguments or a bad scene; nothing was computed or written"},
    {"130", "interrupted"},
    {NULL, NULL},
};

static const BrumeEntry variables[] = {
    {"OMP_NUM_THREADS", "number of threads where --threads is not given"},
    {"GOMP_SPINCOUNT, OMP_WAIT_POLICY, KMP_BLOCKTIME",
     "how long threads wait actively; if one of them is set, the program does not adapt it to the load of the machine"},
    {NULL, NULL},
};

static const BrumeEntry files[] = {
    {BRUME_DATA_DIR "/scenes/", "the included scenes"},
    {NULL, NULL},
};

const BrumeProgram brume_program = {
    .summary = "simulate smoke in three dimensions and draw it",
    .details = "Simulates smoke in a box and draws it. A scene file in YAML describes the box, emitters,\n"
               "bodies, lights and the camera. The results have the same bits with any number of\n"
               "threads.\n"
               "\n"
               "Options and operands may come in any order. Long options may be abbreviated as long as\n"
               "they are unambiguous. If an option is given several times, the last value applies.",
    .exit_statuses = exit_statuses,
    .variables = variables,
    .files = files,
};

enum { HELP_COLUMN = 28 };

// prints `text` in the help column, below `left` if `left` is too long
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

// prints the text of each entry on a line below its name
static void print_examples(const BrumeEntry *examples)
{
    if (!examples) {
        return;
    }
    printf("\nexamples:\n");
    for (; examples->name; examples++) {
        printf("  %s\n      %s\n", examples->name, examples->text);
    }
}

static void print_program_help(void)
{
    printf("usage: brume COMMAND [options]\n\n%s\n\ncommands:\n", brume_program.details);
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        print_entry((*command)->name, (*command)->summary);
    }
    printf("\noptions:\n");
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        print_option(option);
    }
    printf("\nexit status:\n");
    for (const BrumeEntry *status = exit_statuses; status->name; status++) {
        printf("  %-4s%s\n", status->name, status->text);
    }
    printf("\n'brume help COMMAND' explains a command.\n");
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
    print_option(brume_program_option(0)); // --help
    print_examples(command->examples);
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
    .complete = {BRUME_COMPLETE_COMMANDS, NULL},
    .run = run_help,
};
