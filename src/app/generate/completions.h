/**
 * @file completions.h
 * The completions of the program's command line for the shells, from the tables of commands and options. Each function
 * writes a whole file to `file`, which is empty before.
 */
#ifndef BRUME_APP_GENERATE_COMPLETIONS_H
#define BRUME_APP_GENERATE_COMPLETIONS_H

#include "core/text.h"

/** For bash with the package bash-completion; the file `brume` in its folder of completions. */
void brume_completion_bash(BrumeText *file);

/** For zsh; the file `_brume` in its folder of functions. */
void brume_completion_zsh(BrumeText *file);

/** For fish; the file `brume.fish` in its folder of completions. */
void brume_completion_fish(BrumeText *file);

#endif
