#include "yaml/quote.h"

#include <stdbool.h>
#include <string.h>

BrumeQuote brume_quote(const char *text)
{
    BrumeQuote quote;
    const size_t room = sizeof quote.text - 4; // for "..." and the end
    size_t size = strlen(text);
    const bool cut = size > room;
    if (cut) {
        size = room;
        while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) {
            size--;
        }
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const unsigned char next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
        const bool c1_control = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        quote.text[i] = byte < 0x20 || byte == 0x7f ? '?' : text[i];
        if (c1_control) {
            quote.text[i] = '?';
            quote.text[++i] = '?';
        }
    }
    memcpy(quote.text + size, cut ? "..." : "", cut ? 4 : 1);
    return quote;
}
