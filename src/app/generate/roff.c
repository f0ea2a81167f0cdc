#include "app/generate/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_COLUMN = 78 };

// the source for one character; hyphens of literal texts are minus signs, others may be typeset as hyphens
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

void brume_roff_literal(BrumeText *page, const char *text)
{
    if (text[0] == '.') {
        brume_text_add(page, "\\&"); // a line that starts with a dot would be a request
    }
    add_characters(page, text, strlen(text), true);
}

// the part of a word without the punctuation around it
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

// `*in_code`: whether the word is inside a text between backticks
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

void brume_roff_paragraphs(BrumeText *page, const char *text)
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

void brume_roff_synopsis(BrumeText *page, const char *usage)
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
