#include "core/printable.h"

#include <stdio.h>
#include <string.h>

// bytes of the printable character at `text`; 0 for a control character and for a byte that is not UTF-8
static size_t printable_length(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return text[0] >= 0x20 && text[0] != 0x7f;
    }
    if (text[0] < 0xc2 || text[0] > 0xf4 || (text[0] == 0xc2 && text[1] < 0xa0)) { // c2 80 to c2 9f: C1 controls
        return 0;
    }
    const size_t length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    for (size_t n = 1; n < length; n++) {
        if ((text[n] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

static void escape(char *escaped, size_t size, unsigned char byte)
{
    static const char letters[] = "\n\t\r";
    static const char names[] = "ntr";
    const char *letter = strchr(letters, byte);
    if (letter) {
        (void)snprintf(escaped, size, "\\%c", names[letter - letters]);
    } else {
        (void)snprintf(escaped, size, "\\x%02x", byte);
    }
}

void brume_text_printable(char *result, size_t size, const char *text)
{
    size_t used = 0;
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        char escaped[8];
        const size_t printable = printable_length(c);
        const char *source = (const char *)c;
        if (printable == 0) {
            escape(escaped, sizeof escaped, *c);
            source = escaped;
        }
        const size_t length = printable > 0 ? printable : strlen(escaped);
        if (used + length >= size) {
            break;
        }
        memcpy(result + used, source, length);
        used += length;
        c += printable > 0 ? printable : 1;
    }
    result[used] = '\0';
}
