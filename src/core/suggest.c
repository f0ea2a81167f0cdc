#include "core/suggest.h"

#include "core/minmax.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LETTERS = 63 };

static int same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

int brume_edit_distance(const char *a, const char *b)
{
    const size_t rows = strlen(a);
    const size_t columns = strlen(b);
    if (rows > MAX_LETTERS || columns > MAX_LETTERS) {
        return MAX_LETTERS + 1;
    }
    int d[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (size_t r = 0; r <= rows; r++) {
        d[r][0] = (int)r;
    }
    for (size_t c = 0; c <= columns; c++) {
        d[0][c] = (int)c;
    }
    for (size_t r = 1; r <= rows; r++) {
        for (size_t c = 1; c <= columns; c++) {
            const int replaced = d[r - 1][c - 1] + !same_letter(a[r - 1], b[c - 1]);
            d[r][c] = brume_min_int(replaced, 1 + brume_min_int(d[r - 1][c], d[r][c - 1]));
            const int swapped = r > 1 && c > 1 && same_letter(a[r - 1], b[c - 2]) && same_letter(a[r - 2], b[c - 1]);
            if (swapped) {
                d[r][c] = brume_min_int(d[r][c], d[r - 2][c - 2] + 1);
            }
        }
    }
    return d[rows][columns];
}

// whether a word consists of another and more behind an underscore, as dust_rate of dust
static bool extends(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0 && word[strlen(start)] == '_';
}

void brume_suggest(BrumeSuggestion *suggestion, const char *candidate)
{
    const char *word = suggestion->word;
    const int edits = brume_edit_distance(word, candidate);
    const int distance = extends(word, candidate) || extends(candidate, word) ? brume_min_int(edits, 2) : edits;
    const int allowed = brume_max_int(((int)strlen(word) + 1) / 3, 1);
    if (distance <= allowed && (!suggestion->name || distance < suggestion->distance)) {
        suggestion->name = candidate;
        suggestion->distance = distance;
    }
}

BrumeHint brume_suggestion_hint(const BrumeSuggestion *suggestion)
{
    BrumeHint hint = {""};
    if (suggestion->name) {
        (void)snprintf(hint.text, sizeof hint.text, " (did you mean '%s'?)", suggestion->name);
    }
    return hint;
}

BrumeHint brume_point_hint(const char *text)
{
    BrumeHint hint = {""};
    const char *comma = strchr(text, ',');
    const bool is_number = comma && comma > text && isdigit((unsigned char)comma[-1]) &&
                           isdigit((unsigned char)comma[1]) && !strchr(comma + 1, ',') && strlen(text) < 32 &&
                           strspn(text, "+-0123456789,eEkKMGTiB") == strlen(text);
    if (is_number) {
        (void)snprintf(hint.text, sizeof hint.text, " (the decimal separator is a point: %.*s.%s)", (int)(comma - text),
                       text, comma + 1);
    }
    return hint;
}
