/**
 * @file quote.h
 * Quotations of a scene's texts that are safe to print.
 */
#ifndef BRUME_YAML_QUOTE_H
#define BRUME_YAML_QUOTE_H

/** A text made fit for one line of a terminal. */
typedef struct BrumeQuote {
    char text[68];
} BrumeQuote;

/** `text` cut to 64 bytes at a whole character ("..." marks the cut), control characters replaced by '?'. */
BrumeQuote brume_quote(const char *text);

#endif
