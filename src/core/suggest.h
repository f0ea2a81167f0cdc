/**
 * @file suggest.h
 * Spelling suggestions ("did you mean ...?"): the known name with the smallest edit distance to a mistyped word.
 */
#ifndef BRUME_CORE_SUGGEST_H
#define BRUME_CORE_SUGGEST_H

/** The search for one word; the caller sets `word` and zeroes the rest. */
typedef struct BrumeSuggestion {
    const char *word; ///< the mistyped word
    const char *name; ///< the closest candidate so far, NULL while no candidate is close
    int distance;     ///< its edit distance
} BrumeSuggestion;

/**
 * The edit distance between `a` and `b`: the least number of insertions, deletions, replacements and swaps of adjacent
 * letters that transforms one into the other (optimal string alignment distance), ignoring case. It is 64 where a word
 * has more than 63 letters.
 */
int brume_edit_distance(const char *a, const char *b);

/** Makes `candidate` the suggestion if at most a third of the word's letters differ and no earlier one was closer. */
void brume_suggest(BrumeSuggestion *suggestion, const char *candidate);

/** The end of an error, or nothing. */
typedef struct BrumeHint {
    char text[96];
} BrumeHint;

/** " (did you mean 'name'?)", or "" without a suggestion. */
BrumeHint brume_suggestion_hint(const BrumeSuggestion *suggestion);

/** " (the decimal separator is a point: 1.5e-5)" for a number with a comma, as "1,5e-5"; "" for other texts. */
BrumeHint brume_point_hint(const char *text);

#endif
