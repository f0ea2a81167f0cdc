/**
 * @file man_page.h
 * The manual pages of section 1, from the tables of commands and options: brume(1), and one for each command,
 * brume-render(1). Each writes a whole page to `page`, which is empty before. `date` is that of the page, YYYY-MM-DD.
 */
#ifndef BRUME_APP_GENERATE_MAN_PAGE_H
#define BRUME_APP_GENERATE_MAN_PAGE_H

#include "app/cli/args.h"
#include "core/text.h"

/** The page of the program. */
void brume_man_program(BrumeText *page, const char *date);

/** The page of a command. */
void brume_man_command(BrumeText *page, const BrumeCommand *command, const char *date);

#endif
