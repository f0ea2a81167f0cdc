/**
 * @file interrupt.h
 * Ctrl-C (SIGINT) and SIGTERM: the first asks the run to stop after its frame, the second stops the process at once,
 * but never within the writing of a file, so that no partial one is left.
 */
#ifndef BRUME_APP_CLI_INTERRUPT_H
#define BRUME_APP_CLI_INTERRUPT_H

#include "core/error.h"

#include <stdbool.h>

/**
 * Starts to watch, on a thread of its own. Call it before any other thread exists. A signal that the process was
 * started to ignore stays ignored. Fails with BRUME_FAILED where no thread can be had.
 */
BrumeStatus brume_interrupt_start(BrumeError *error);

/** Whether to stop after the present frame. Any thread. */
bool brume_interrupt_requested(void);

/** From here to brume_interrupt_release, a second signal waits. Any thread; around the writing of a file. */
void brume_interrupt_hold(void);
void brume_interrupt_release(void);

#endif
