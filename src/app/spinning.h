/**
 * @file spinning.h
 * How long threads that wait for others keep a core busy.
 */
#ifndef BRUME_APP_SPINNING_H
#define BRUME_APP_SPINNING_H

/**
 * Has waiting threads sleep after some microseconds. GCC's OpenMP lets them spin for far longer, which gains nothing on
 * an idle machine and loses a tenfold on a busy one: the core that a spinning thread holds is the one on which the
 * thread that it waits for could run. The runtime reads its settings when it is loaded, so the program replaces itself
 * by itself once; where the environment has a say already, nothing is done. To be called first in main.
 */
void brume_limit_spinning(char **argv);

#endif
