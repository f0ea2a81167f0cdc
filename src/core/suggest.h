/**
 * @file suggest.h
 * "Did you mean ...?": the known name that a mistyped word comes closest to.
 */
#ifndef BRUME_CORE_SUGGEST_H
#define BRUME_CORE_SUGGEST_H

/** The search for one word; start with `word` set and the rest zero. */
typedef struct BrumeSuggestion {
    const char *word; ///< what was typed
    const char *name; ///< the closest candidate so far, NULL while none is close
    int distance;     ///< its edit distance
} BrumeSuggestion;

/**
 * Letters to insert, delete, replace or swap with their neighbour to turn `a` into `b` (optimal string alignment,
 * upper and lower case alike). Words beyond 63 letters are never close: their distance is 64.
 */
int brume_edit_distance(const char *a, const char *b);

/** Takes `candidate` as the suggestion where it is close (a third of the word's letters may differ) and closest. */
void brume_suggest(BrumeSuggestion *suggestion, const char *candidate);

#endif
