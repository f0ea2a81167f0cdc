#include "app/volumes/volume_options.h"

#include "app/volumes/capture.h"

#include <stdbool.h>
#include <string.h>

BrumeStatus brume_parse_fields(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {"smoke", "temperature", "velocity", "faces"}; // in the order of the bits
    unsigned *fields = member;
    *fields = 0;
    for (const char *word = value; word;) {
        const size_t length = strcspn(word, ",");
        bool known = false;
        for (unsigned n = 0; n < sizeof words / sizeof words[0] && !known; n++) {
            known = length == strlen(words[n]) && strncmp(word, words[n], length) == 0;
            *fields |= known ? 1u << n : 0;
        }
        if (!known) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: unknown field '%.*s' (known: smoke, temperature, velocity, faces)", option,
                              (int)(length < 64 ? length : 64), word);
        }
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return BRUME_OK;
}
