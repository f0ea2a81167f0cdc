/**
 * @file log.h
 * Messages to the function that brume_set_log chose.
 */
#ifndef BRUME_CORE_LOG_H
#define BRUME_CORE_LOG_H

#include "brume/base.h"

/**
 * Passes a printf-style message to the log function, if there is one. Called outside parallel regions only. A text that
 * is longer than a BrumeError's is cut.
 */
void brume_log(BrumeLogLevel level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
