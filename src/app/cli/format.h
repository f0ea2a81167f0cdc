/**
 * @file format.h
 * Sizes and durations as people read them.
 */
#ifndef BRUME_APP_CLI_FORMAT_H
#define BRUME_APP_CLI_FORMAT_H

/** A short text by value, so that several fit into one printf. */
typedef struct BrumeShortText {
    char text[32];
} BrumeShortText;

/** Bytes in decimal units with three digits: "152 MB", "1.07 GB". */
BrumeShortText brume_format_bytes(double bytes);

/** A count with three digits: "262 k", "2.10 M"; whole below 1000. */
BrumeShortText brume_format_count(double count);

/** Seconds as a clock shows them: "0:07", "5:06", "1:02:03". */
BrumeShortText brume_format_duration(double seconds);

#endif
