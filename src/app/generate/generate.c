/*
 * generate MAN_FOLDER DATE: writes the manual pages of the program (brume.1, brume-render.1, ...) from the tables of
 * commands and options. The build runs it; it is not installed. DATE is that of the pages, YYYY-MM-DD.
 */
#include "app/commands.h"
#include "app/generate/roff.h"
#include "brume/base.h"
#include "core/error.h"
#include "io/file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

// "BRUME-RENDER", and without a command "BRUME"
static void add_title(BrumeText *page, const BrumeCommand *command, const char *date)
{
    brume_text_add(page, ".\\\" Generated from the tables of the commands and their options.\n.TH BRUME");
    if (command) {
        brume_text_add(page, "\\-");
        for (const char *c = command->name; *c; c++) {
            brume_text_add(page, "%c", toupper((unsigned char)*c));
        }
    }
    brume_text_add(page, " 1 %s \"brume %s\" \"User Commands\"\n", date, BRUME_VERSION_STRING);
}

static void add_option(BrumeText *page, const BrumeOption *option)
{
    brume_text_add(page, ".TP\n");
    if (option->letter) {
        brume_text_add(page, "\\fB\\-%c\\fR, ", option->letter);
    }
    brume_text_add(page, "\\fB\\-\\-");
    brume_roff_literal(page, option->name);
    brume_text_add(page, "\\fR");
    if (option->value) {
        brume_text_add(page, option->value_optional ? "[=\\fI" : " \\fI");
        brume_roff_literal(page, option->value);
        brume_text_add(page, option->value_optional ? "\\fR]" : "\\fR");
    }
    brume_text_add(page, "\n");
    brume_roff_paragraphs(page, option->help);
}

// a section with a list of names and explanations; nothing where there are none
static void add_entries(BrumeText *page, const char *section, const BrumeEntry *entries)
{
    if (!entries) {
        return;
    }
    brume_text_add(page, ".SH %s\n", section);
    for (; entries->name; entries++) {
        brume_text_add(page, ".TP\n\\fB");
        brume_roff_literal(page, entries->name);
        brume_text_add(page, "\\fR\n");
        brume_roff_paragraphs(page, entries->text);
    }
}

static void add_commands(BrumeText *page)
{
    brume_text_add(page, ".SH COMMANDS\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(page, ".TP\n.BR brume\\-%s (1)\n", (*command)->name);
        brume_roff_paragraphs(page, (*command)->summary);
    }
}

// the other pages, and the folder of the documents
static void add_see_also(BrumeText *page, const BrumeCommand *self)
{
    bool is_first = !self;
    brume_text_add(page, ".SH SEE ALSO\n");
    if (self) {
        brume_text_add(page, ".BR brume (1)");
    }
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        if (*command != self) {
            brume_text_add(page, "%s.BR brume\\-%s (1)", is_first ? "" : ",\n", (*command)->name);
            is_first = false;
        }
    }
    brume_text_add(page, "\n.PP\nThe scene format and all other documents are in\n\\fI");
    brume_roff_literal(page, BRUME_DOC_DIR);
    brume_text_add(page, "/\\fR.\n");
}

// the page of the program, brume(1)
static void add_program_page(BrumeText *page, const char *date)
{
    add_title(page, NULL, date);
    brume_text_add(page, ".SH NAME\nbrume \\- ");
    brume_roff_paragraphs(page, brume_program.summary);
    brume_text_add(page, ".SH SYNOPSIS\n.B brume\n");
    brume_roff_synopsis(page, "COMMAND [options]");
    brume_text_add(page, ".SH DESCRIPTION\n");
    brume_roff_paragraphs(page, brume_program.details);
    add_commands(page);
    brume_text_add(page, ".SH OPTIONS\n");
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        add_option(page, option);
    }
    add_entries(page, "EXIT STATUS", brume_program.exit_statuses);
    add_entries(page, "ENVIRONMENT", brume_program.variables);
    add_entries(page, "FILES", brume_program.files);
    brume_text_add(page, ".SH EXAMPLES\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        if ((*command)->examples) { // the first one of each command
            brume_text_add(page, ".TP\n\\fB");
            brume_roff_literal(page, (*command)->examples->name);
            brume_text_add(page, "\\fR\n");
            brume_roff_paragraphs(page, (*command)->examples->text);
        }
    }
    add_see_also(page, NULL);
}

// the page of a command, as brume-render(1)
static void add_command_page(BrumeText *page, const BrumeCommand *command, const char *date)
{
    add_title(page, command, date);
    brume_text_add(page, ".SH NAME\nbrume\\-%s \\- ", command->name);
    brume_roff_paragraphs(page, command->summary);
    brume_text_add(page, ".SH SYNOPSIS\n.B brume %s\n", command->name);
    brume_roff_synopsis(page, command->usage);
    brume_text_add(page, ".SH DESCRIPTION\n");
    brume_roff_paragraphs(page, command->details);
    brume_text_add(page, ".SH OPTIONS\n");
    const BrumeOption *option;
    for (int n = 0; (option = brume_command_option(command, n)) != NULL; n++) {
        add_option(page, option);
    }
    add_option(page, brume_program_option(0)); // --help
    add_entries(page, "EXIT STATUS", brume_program.exit_statuses);
    add_entries(page, "FILES", command->files);
    add_entries(page, "EXAMPLES", command->examples);
    add_see_also(page, command);
}

// writes the text to FOLDER/NAME and frees it
static BrumeStatus write_text(BrumeText *text, const char *folder, const char *name, BrumeError *error)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    BrumeStatus status = brume_file_make_folder(path, error);
    if (status == BRUME_OK) {
        status = brume_file_write_text(path, text, error);
    }
    brume_text_destroy(text);
    return status;
}

static BrumeStatus write_pages(const char *folder, const char *date, BrumeError *error)
{
    BrumeText page = {0};
    add_program_page(&page, date);
    BrumeStatus status = write_text(&page, folder, "brume.1", error);
    for (const BrumeCommand *const *command = brume_commands; *command && status == BRUME_OK; command++) {
        char name[64];
        (void)snprintf(name, sizeof name, "brume-%s.1", (*command)->name);
        add_command_page(&page, *command, date);
        status = write_text(&page, folder, name, error);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: generate MAN_FOLDER DATE\n");
        return BRUME_BAD_INPUT;
    }
    BrumeError error;
    const BrumeStatus status = write_pages(argv[1], argv[2], &error);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "generate: %s\n", error.text);
    }
    return (int)status;
}
