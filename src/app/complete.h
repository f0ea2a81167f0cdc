/**
 * @file complete.h
 * The completions for the shells (app/completions/), from the tables of commands and options. `brume complete` is not
 * in these tables, because users do not call it.
 */
#ifndef BRUME_APP_COMPLETE_H
#define BRUME_APP_COMPLETE_H

/**
 * Prints the completions of the last of `count` words after the name of the program; it may be empty. The first line
 * has the kind, the number of unchanged first bytes of the word ("--log=" of "--log=a"), and a list:
 *
 *     files 0 EXTENSION ...   files, of these extensions if there are some
 *     folders 0               folders
 *     words 0                 the words on the next lines, some with a tabulator and an explanation
 *     nothing 0 NAME          nothing: the value is a number or a text with this name
 *
 * Words are not selected by the typed text, because shells select in different ways.
 */
void brume_complete(int count, char **words);

#endif
