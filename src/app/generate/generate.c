/*
 * generate MAN_FOLDER DATE: writes the manual pages of the program (brume.1, brume-render.1, ...) from the tables of
 * commands and options. The build runs it; it is not installed. DATE is the date of the pages, YYYY-MM-DD.
 */
#include "app/commands.h"
#include "brume/base.h"
#include "core/error.h"
#include "core/text.h"
#include "io/file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * Text as roff source for a manual page (groff_man(7)): escapes, fonts and line breaks.
 */

enum { MAX_COLUMN = 78 };

// appends the source for one character; hyphens of literal texts are minus signs, others may be typeset as hyphens
static void add_character(BrumeText *page, char character, bool is_literal)
{
    switch (character) {
    case '\\':
        brume_text_add(page, "\\e");
        break;
    case '-':
        brume_text_add(page, is_literal ? "\\-" : "-");
        break;
    case '\'':
        brume_text_add(page, "\\(aq");
        break;
    case '`':
        brume_text_add(page, "\\(ga");
        break;
    case '^':
        brume_text_add(page, "\\(ha");
        break;
    case '~':
        brume_text_add(page, "\\(ti");
        break;
    default:
        brume_text_add(page, "%c", character);
    }
}

static void add_characters(BrumeText *page, const char *text, size_t length, bool is_literal)
{
    for (size_t n = 0; n < length; n++) {
        add_character(page, text[n], is_literal);
    }
}

// appends a literal text, as a command line: every hyphen is a minus sign, as it is typed
static void add_literal(BrumeText *page, const char *text)
{
    if (text[0] == '.') {
        brume_text_add(page, "\\&"); // a line that starts with a dot would be a request
    }
    add_characters(page, text, strlen(text), true);
}

// finds the part of a word without the punctuation around it
static size_t find_core(const char *word, size_t length, size_t *start)
{
    *start = 0;
    while (*start < length && strchr("(\"'", word[*start])) {
        (*start)++;
    }
    size_t end = length;
    while (end > *start && strchr(".,;:)\"'", word[end - 1])) {
        end--;
    }
    return end - *start;
}

// appends a word, bold if it is an option or code; `*in_code`: whether it is inside a text between backticks
static void add_word(BrumeText *page, const char *word, size_t length, bool *in_code)
{
    size_t start;
    const size_t core = find_core(word, length, &start);
    const bool is_option =
        core > 1 && word[start] == '-' && (word[start + 1] == '-' || isalpha((unsigned char)word[start + 1]));
    if (word[0] == '.') {
        brume_text_add(page, "\\&");
    }
    add_characters(page, word, start, false);
    if (is_option) {
        brume_text_add(page, "\\fB");
    }
    for (size_t n = start; n < start + core; n++) {
        if (word[n] == '`') {
            *in_code = !*in_code;
            brume_text_add(page, *in_code ? "\\fB" : "\\fR");
        } else {
            add_character(page, word[n], is_option || *in_code);
        }
    }
    if (is_option) {
        brume_text_add(page, "\\fR");
    }
    add_characters(page, word + start + core, length - start - core, false);
}

// Appends running text as lines of at most 80 characters. Words that are options, as "--frames", and texts between
// backticks are bold. Line ends of `text` are blanks; an empty line starts a paragraph.
static void add_paragraphs(BrumeText *page, const char *text)
{
    size_t line_start = page->size; // the text may continue a line
    while (line_start > 0 && page->data[line_start - 1] != '\n') {
        line_start--;
    }
    bool in_code = false;
    bool at_line_start = true;
    for (const char *word = text; *word;) {
        const size_t space = strspn(word, " \n");
        if (space > 0) {
            if (strncmp(word, "\n\n", 2) == 0) {
                brume_text_add(page, "\n.PP\n");
                line_start = page->size;
                at_line_start = true;
            }
            word += space;
            continue;
        }
        const size_t length = strcspn(word, " \n");
        if (!at_line_start && page->size - line_start + length > MAX_COLUMN - 8) { // room for escapes
            brume_text_add(page, "\n");
            line_start = page->size;
        } else if (!at_line_start) {
            brume_text_add(page, " ");
        }
        add_word(page, word, length, &in_code);
        at_line_start = false;
        word += length;
    }
    brume_text_add(page, "\n");
}

// Appends a line of a synopsis: options are bold; names of values, which are in upper case, and "options" are italic:
// "SCENE -o PATTERN [options]".
static void add_synopsis(BrumeText *page, const char *usage)
{
    while (*usage) {
        size_t length = strspn(usage, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
        if (length == 0) {
            add_character(page, *usage++, true);
            continue;
        }
        brume_text_add(page, usage[0] == '-' ? "\\fB" : "\\fI");
        add_characters(page, usage, length, true);
        brume_text_add(page, "\\fR");
        usage += length;
    }
    brume_text_add(page, "\n");
}

/*
 * Pages.
 */

// appends the title "BRUME-RENDER", without a command "BRUME"
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
    add_literal(page, option->name);
    brume_text_add(page, "\\fR");
    if (option->value) {
        brume_text_add(page, option->value_optional ? "[=\\fI" : " \\fI");
        add_literal(page, option->value);
        brume_text_add(page, option->value_optional ? "\\fR]" : "\\fR");
    }
    brume_text_add(page, "\n");
    add_paragraphs(page, option->help);
}

// appends a section with a list of names and explanations, if there are any
static void add_entries(BrumeText *page, const char *section, const BrumeEntry *entries)
{
    if (!entries) {
        return;
    }
    brume_text_add(page, ".SH %s\n", section);
    for (; entries->name; entries++) {
        brume_text_add(page, ".TP\n\\fB");
        add_literal(page, entries->name);
        brume_text_add(page, "\\fR\n");
        add_paragraphs(page, entries->text);
    }
}

static void add_commands(BrumeText *page)
{
    brume_text_add(page, ".SH COMMANDS\n");
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        brume_text_add(page, ".TP\n.BR brume\\-%s (1)\n", (*command)->name);
        add_paragraphs(page, (*command)->summary);
    }
}

// appends references to the other pages, and the folder of the documents
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
    add_literal(page, BRUME_DOC_DIR);
    brume_text_add(page, "/\\fR.\n");
}

// appends the page of the program, brume(1)
static void add_program_page(BrumeText *page, const char *date)
{
    add_title(page, NULL, date);
    brume_text_add(page, ".SH NAME\nbrume \\- ");
    add_paragraphs(page, brume_program.summary);
    brume_text_add(page, ".SH SYNOPSIS\n.B brume\n");
    add_synopsis(page, "COMMAND [options]");
    brume_text_add(page, ".SH DESCRIPTION\n");
    add_paragraphs(page, brume_program.details);
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
            add_literal(page, (*command)->examples->name);
            brume_text_add(page, "\\fR\n");
            add_paragraphs(page, (*command)->examples->text);
        }
    }
    add_see_also(page, NULL);
}

// appends the page of a command, such as brume-render(1)
static void add_command_page(BrumeText *page, const BrumeCommand *command, const char *date)
{
    add_title(page, command, date);
    brume_text_add(page, ".SH NAME\nbrume\\-%s \\- ", command->name);
    add_paragraphs(page, command->summary);
    brume_text_add(page, ".SH SYNOPSIS\n.B brume %s\n", command->name);
    add_synopsis(page, command->usage);
    brume_text_add(page, ".SH DESCRIPTION\n");
    add_paragraphs(page, command->details);
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
