#include "app/generate/completions.h"

#include "app/commands.h"
#include "app/generate/scene_paths.h"

#include <stdbool.h>
#include <string.h>

// the statement that fills COMPREPLY; nothing where nothing is offered
static void add_action(BrumeText *file, BrumeCompletion complete)
{
    switch (complete.kind) {
    case BRUME_COMPLETE_FILES:
        if (complete.list) {
            brume_text_add(file, "_filedir '@(");
            for (const char *c = complete.list; *c; c++) {
                brume_text_add(file, "%c", *c == ' ' ? '|' : *c);
            }
            brume_text_add(file, ")'");
        } else {
            brume_text_add(file, "_filedir");
        }
        break;
    case BRUME_COMPLETE_FOLDERS:
        brume_text_add(file, "_filedir -d");
        break;
    case BRUME_COMPLETE_WORDS:
        brume_text_add(file, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", complete.list);
        break;
    case BRUME_COMPLETE_SETTINGS:
        brume_text_add(file, "_brume_settings");
        break;
    case BRUME_COMPLETE_COMMANDS:
        brume_text_add(file, "COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\"))");
        break;
    case BRUME_COMPLETE_NOTHING:
        break;
    }
}

// the patterns of `case` that match an option of a command
static void add_patterns(BrumeText *file, const BrumeCommand *command, const BrumeOption *option)
{
    if (option->letter) {
        brume_text_add(file, "%s:-%c | ", command->name, option->letter);
    }
    brume_text_add(file, "%s:--%s)", command->name, option->name);
}

// the completion of the values of options: "command:option" selects
static void add_values(BrumeText *file)
{
    brume_text_add(file, "    case $command:$prev in\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        const BrumeOption *option;
        for (int n = 0; (option = brume_command_option(*command, n)) != NULL; n++) {
            if (!option->value) {
                continue;
            }
            brume_text_add(file, "    ");
            add_patterns(file, *command, option);
            if (option->value_optional) { // only behind "="
                brume_text_add(file, "\n        if $split; then\n            ");
                add_action(file, brume_option_completion(option));
                brume_text_add(file, "\n            return\n        fi\n        ;;\n");
                continue;
            }
            const BrumeCompletion complete = brume_option_completion(option);
            if (complete.kind != BRUME_COMPLETE_NOTHING) {
                brume_text_add(file, "\n        ");
                add_action(file, complete);
            }
            brume_text_add(file, "\n        return\n        ;;\n");
        }
    }
    brume_text_add(file, "    esac\n    $split && return\n");
}

static void add_option_words(BrumeText *file, const BrumeOption *option)
{
    if (option->letter) {
        brume_text_add(file, "-%c ", option->letter);
    }
    brume_text_add(file, "--%s ", option->name);
}

// options and operands: the command selects
static void add_commands(BrumeText *file)
{
    brume_text_add(file, "    case $command in\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(file, "    %s)\n        options='", (*command)->name);
        const BrumeOption *option;
        for (int n = 0; (option = brume_command_option(*command, n)) != NULL; n++) {
            add_option_words(file, option);
        }
        brume_text_add(file, "-h --help'\n");
        if ((*command)->operand && (*command)->complete.kind != BRUME_COMPLETE_NOTHING) {
            brume_text_add(file, "        if [[ $cur != -* ]]; then\n            ");
            add_action(file, (*command)->complete);
            brume_text_add(file, "\n        fi\n");
        }
        brume_text_add(file, "        ;;\n");
    }
    brume_text_add(file, "    *)\n        options='");
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        add_option_words(file, option);
    }
    brume_text_add(file, "'\n        [[ $cur == -* ]] || COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\"))\n"
                         "        ;;\n    esac\n");
}

// `lines` as the value of a shell variable
static void add_variable(BrumeText *file, const char *name, void (*list)(BrumeText *lines))
{
    brume_text_add(file, "        %s='", name);
    list(file);
    brume_text_add(file, "'\n");
}

// readline replaces only what follows the last "=", so an assignment is offered without its key
static void add_settings(BrumeText *file)
{
    brume_text_add(file, "_brume_settings()\n{\n    local settings\n    if [[ $cur == *=* ]]; then\n");
    add_variable(file, "settings", brume_scene_assignments);
    brume_text_add(file, "        COMPREPLY=($(compgen -W \"$settings\" -- \"$cur\"))\n"
                         "        [[ $COMP_WORDBREAKS == *=* ]] && COMPREPLY=(\"${COMPREPLY[@]#*=}\")\n"
                         "    else\n");
    add_variable(file, "settings", brume_scene_paths);
    brume_text_add(file, "        COMPREPLY=($(compgen -W \"$settings\" -- \"$cur\"))\n"
                         "        compopt -o nospace\n"
                         "    fi\n}\n\n");
}

void brume_completion_bash(BrumeText *file)
{
    brume_text_add(file,
                   "# Completion of brume for bash. Generated from the tables of the commands and their options.\n\n");
    add_settings(file);
    brume_text_add(file, "_brume()\n{\n    local cur prev words cword split\n    _init_completion -s || return\n"
                         "    local commands='");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(file, "%s%s", command == brume_commands ? "" : " ", (*command)->name);
    }
    brume_text_add(file, "'\n    local command='' options='' word\n"
                         "    for word in \"${words[@]:1:cword-1}\"; do\n"
                         "        if [[ \" $commands \" == *\" $word \"* ]]; then\n"
                         "            command=$word\n            break\n        fi\n    done\n");
    add_values(file);
    add_commands(file);
    brume_text_add(file, "    if [[ $cur == -* ]]; then\n"
                         "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n    fi\n}\n\n"
                         "complete -F _brume brume\n");
}
