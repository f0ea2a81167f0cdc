/**
 * @file interrupt.h
 * Ctrl-C (SIGINT), SIGTERM, SIGHUP and SIGUSR2, which mpirun sends on to its processes: the first signal requests that
 * the run stop after its frame; the second ends the process immediately, but not while a file is written, so that no
 * partial file remains. SIGUSR1 requests the picture in progress as it is.
 */
#ifndef BRUME_APP_CLI_INTERRUPT_H
#define BRUME_APP_CLI_INTERRUPT_H

#include "core/error.h"

#include <stdbool.h>

/**
 * Starts a thread that waits for the signals. To be called before any other thread exists. A signal that the process
 * ignores (as after `nohup`) is still ignored. The first signal prints `message`, which describes the effect and must
 * remain valid; NULL: nothing. BRUME_FAILED if the thread cannot be started.
 */
BrumeStatus brume_interrupt_start(const char *message, BrumeError *error);

/** From here on the first signal prints nothing: the work is done. Any thread. */
void brume_interrupt_silence(void);

/** Whether a signal has requested an end. Any thread. */
bool brume_interrupt_requested(void);

/** Whether SIGUSR1 has requested the picture in progress since brume_partial_clear. Any thread. */
bool brume_partial_requested(void);
void brume_partial_clear(void);

/** Delays the effect of a second signal until brume_interrupt_unblock; around the writing of a file. Any thread. */
void brume_interrupt_block(void);
void brume_interrupt_unblock(void);

/**
 * Sets the one file that a second signal removes before the process ends: a file that is written over a longer time.
 * The path is copied; NULL: none. Between brume_interrupt_block and brume_interrupt_unblock.
 */
void brume_interrupt_set_partial_file(const char *path);

#endif
