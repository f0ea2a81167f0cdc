/**
 * @file complete.h
 * What the completions of the shells (app/completions/) offer, from the tables of commands and options. `brume
 * complete` is no command of the tables: users do not call it.
 */
#ifndef BRUME_APP_COMPLETE_H
#define BRUME_APP_COMPLETE_H

/**
 * Prints what fits the last of `count` words behind the name of the program, which may be empty. The first line has the
 * kind, the bytes of the word that stay as they are ("--log=" of "--log=a"), and a list:
 *
 *     files 0 EXTENSION ...   files, of these extensions if there are some
 *     folders 0               folders
 *     words 0                 the words on the next lines, some with a tabulator and an explanation
 *     nothing 0 NAME          nothing: the value is a number or a text with this name
 *
 * Words are not selected by what is typed, because shells differ in how they select.
 */
void brume_complete(int count, char **words);

#endif
