#include "app/generate/completions.h"

#include "app/commands.h"
#include "app/generate/scene_paths.h"

#include <stdbool.h>
#include <string.h>

// a description between single quotes: line ends are blanks, characters with a meaning in a specification are escaped
static void add_description(BrumeText *file, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            brume_text_add(file, "'\\''");
        } else if (strchr("[]:\\", *c)) {
            brume_text_add(file, "\\%c", *c);
        } else {
            brume_text_add(file, "%c", *c == '\n' ? ' ' : *c);
        }
    }
}

// the pattern of files with one of these extensions; one extension in parentheses would be read as glob qualifiers
static void add_pattern(BrumeText *file, const char *extensions)
{
    const bool is_one = !strchr(extensions, ' ');
    brume_text_add(file, is_one ? " -g \"*." : " -g \"*.(");
    for (const char *c = extensions; *c; c++) {
        brume_text_add(file, "%c", *c == ' ' ? '|' : *c);
    }
    brume_text_add(file, is_one ? "\"" : ")\"");
}

// ":message:action" of a value
static void add_action(BrumeText *file, const char *name, BrumeCompletion complete)
{
    brume_text_add(file, ":");
    add_description(file, name);
    brume_text_add(file, ":");
    switch (complete.kind) {
    case BRUME_COMPLETE_FILES:
        brume_text_add(file, "_files");
        if (complete.list) {
            add_pattern(file, complete.list);
        }
        break;
    case BRUME_COMPLETE_FOLDERS:
        brume_text_add(file, "_files -/");
        break;
    case BRUME_COMPLETE_WORDS:
        brume_text_add(file, "(%s)", complete.list);
        break;
    case BRUME_COMPLETE_SETTINGS:
        brume_text_add(file, "_brume_settings");
        break;
    case BRUME_COMPLETE_COMMANDS:
        brume_text_add(file, "_brume_commands");
        break;
    case BRUME_COMPLETE_NOTHING:
        brume_text_add(file, " "); // shows the message alone
        break;
    }
}

// one specification of _arguments
static void add_option(BrumeText *file, const BrumeOption *option)
{
    const bool is_repeatable = option->kind == BRUME_OPTION_COUNT || option->kind == BRUME_OPTION_LIST;
    const char *form = !option->value ? "" : option->value_optional ? "=-" : "=";
    brume_text_add(file, " \\\n            ");
    if (option->letter) {
        brume_text_add(file, is_repeatable ? "'*'" : "'(-%c --%s)'", option->letter, option->name);
        brume_text_add(file, "{-%c%s,--%s%s}'[", option->letter, option->value ? "+" : "", option->name, form);
    } else {
        brume_text_add(file, "'%s--%s%s[", is_repeatable ? "*" : "", option->name, form);
    }
    add_description(file, option->help);
    brume_text_add(file, "]");
    if (option->value) {
        brume_text_add(file, option->value_optional ? ":" : "");
        add_action(file, option->value, brume_option_completion(option));
    }
    brume_text_add(file, "'");
}

static void add_command(BrumeText *file, const BrumeCommand *command)
{
    brume_text_add(file, "    (%s)\n        _arguments -s -S", command->name);
    const BrumeOption *option;
    for (int n = 0; (option = brume_command_option(command, n)) != NULL; n++) {
        add_option(file, option);
    }
    add_option(file, brume_program_option(0)); // --help
    if (command->operand) {
        brume_text_add(file, " \\\n            '*");
        add_action(file, command->operand, command->complete);
        brume_text_add(file, "'");
    }
    brume_text_add(file, "\n        ;;\n");
}

static void add_settings(BrumeText *file)
{
    brume_text_add(file, "_brume_settings() {\n    local -a settings\n    if [[ $PREFIX == *=* ]]; then\n"
                         "        settings=(\n");
    brume_scene_assignments(file);
    brume_text_add(file, "        )\n        compadd -a settings\n    else\n        settings=(\n");
    brume_scene_paths(file);
    brume_text_add(file, "        )\n        compadd -S '' -a settings\n    fi\n}\n\n");
}

void brume_completion_zsh(BrumeText *file)
{
    brume_text_add(file,
                   "#compdef brume\n"
                   "# Completion of brume for zsh. Generated from the tables of the commands and their options.\n\n");
    add_settings(file);
    brume_text_add(file, "_brume_commands() {\n    local -a commands=(\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(file, "        '%s:", (*command)->name);
        add_description(file, (*command)->summary);
        brume_text_add(file, "'\n");
    }
    brume_text_add(file, "    )\n    _describe command commands\n}\n\n"
                         "_brume() {\n    local word command=\n"
                         "    for word in ${words[2,CURRENT-1]}; do\n        case $word in\n        (");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(file, "%s%s", command == brume_commands ? "" : "|", (*command)->name);
    }
    brume_text_add(file, ")\n            command=$word\n            break\n            ;;\n        esac\n    done\n"
                         "    case $command in\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        add_command(file, *command);
    }
    brume_text_add(file, "    (*)\n        _arguments -s -S");
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        add_option(file, option);
    }
    brume_text_add(file, " \\\n            '*:command:_brume_commands'\n        ;;\n    esac\n}\n\n_brume \"$@\"\n");
}
