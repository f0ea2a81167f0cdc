/**
 * @file roff.h
 * Text as roff source for a manual page (groff_man(7)): escapes, fonts and line breaks.
 */
#ifndef BRUME_APP_GENERATE_ROFF_H
#define BRUME_APP_GENERATE_ROFF_H

#include "core/text.h"

/**
 * Appends running text as lines of at most 80 characters. Words that are options, as "--frames", and texts between
 * backticks are bold. Line ends of `text` are blanks; an empty line starts a paragraph.
 */
void brume_roff_paragraphs(BrumeText *page, const char *text);

/** Appends a literal text, as a command line: every hyphen is a minus sign, as it is typed. */
void brume_roff_literal(BrumeText *page, const char *text);

/**
 * Appends a line of a synopsis: options are bold; names of values, which are in upper case, and "options" are italic:
 * "SCENE -o PATTERN [options]".
 */
void brume_roff_synopsis(BrumeText *page, const char *usage);

#endif
