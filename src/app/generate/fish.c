#include "app/generate/completions.h"

#include "app/commands.h"
#include "app/generate/scene_paths.h"

#include <string.h>

// a text between single quotes; line ends are blanks
static void add_quoted(BrumeText *file, const char *text)
{
    brume_text_add(file, "'");
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\') {
            brume_text_add(file, "\\");
        }
        brume_text_add(file, "%c", *c == '\n' ? ' ' : *c);
    }
    brume_text_add(file, "'");
}

// the arguments of `complete` that select what is offered
static void add_action(BrumeText *file, BrumeCompletion complete)
{
    switch (complete.kind) {
    case BRUME_COMPLETE_FILES:
        if (!complete.list) {
            brume_text_add(file, " -F");
            break;
        }
        brume_text_add(file, " -k -f -a '(__fish_complete_suffix");
        for (const char *word = complete.list; *word; word += strspn(word, " ")) {
            const int length = (int)strcspn(word, " ");
            brume_text_add(file, " .%.*s", length, word);
            word += length;
        }
        brume_text_add(file, ")'");
        break;
    case BRUME_COMPLETE_FOLDERS:
        brume_text_add(file, " -f -a '(__fish_complete_directories)'");
        break;
    case BRUME_COMPLETE_WORDS:
        brume_text_add(file, " -f -a '%s'", complete.list);
        break;
    case BRUME_COMPLETE_SETTINGS:
        brume_text_add(file, " -f -a '(__brume_settings)'");
        break;
    case BRUME_COMPLETE_COMMANDS:
        brume_text_add(file, " -f -a '");
        for (const BrumeCommand *const *command = brume_commands; *command; command++) {
            brume_text_add(file, "%s%s", command == brume_commands ? "" : " ", (*command)->name);
        }
        brume_text_add(file, "'");
        break;
    case BRUME_COMPLETE_NOTHING:
        brume_text_add(file, " -f");
        break;
    }
}

// the start of a line for a command; NULL: where no command is given yet
static void add_condition(BrumeText *file, const BrumeCommand *command)
{
    if (command) {
        brume_text_add(file, "complete -c brume -n '__fish_seen_subcommand_from %s'", command->name);
    } else {
        brume_text_add(file, "complete -c brume -n __fish_use_subcommand");
    }
}

static void add_option(BrumeText *file, const BrumeCommand *command, const BrumeOption *option)
{
    add_condition(file, command);
    if (option->letter) {
        brume_text_add(file, " -s %c", option->letter);
    }
    brume_text_add(file, " -l %s", option->name);
    if (option->value) {
        brume_text_add(file, option->value_optional ? "" : " -r");
        add_action(file, brume_option_completion(option));
    }
    brume_text_add(file, " -d ");
    add_quoted(file, option->help);
    brume_text_add(file, "\n");
}

static void add_command(BrumeText *file, const BrumeCommand *command)
{
    brume_text_add(file, "\n");
    add_condition(file, NULL);
    brume_text_add(file, " -a %s -d ", command->name);
    add_quoted(file, command->summary);
    brume_text_add(file, "\n");
    if (command->operand) {
        add_condition(file, command);
        add_action(file, command->complete);
        brume_text_add(file, "\n");
    }
    const BrumeOption *option;
    for (int n = 0; (option = brume_command_option(command, n)) != NULL; n++) {
        add_option(file, command, option);
    }
    add_option(file, command, brume_program_option(0)); // --help
}

void brume_completion_fish(BrumeText *file)
{
    brume_text_add(file,
                   "# Completion of brume for fish. Generated from the tables of the commands and their options.\n\n"
                   "function __brume_settings\n    if string match -q -- '*=*' (commandline -ct)\n"
                   "        string split \\n '");
    brume_scene_assignments(file);
    brume_text_add(file, "'\n    else\n        string split \\n '");
    brume_scene_paths(file);
    brume_text_add(file, "'\n    end\nend\n\ncomplete -c brume -f\n");
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        add_option(file, NULL, option);
    }
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        add_command(file, *command);
    }
}
