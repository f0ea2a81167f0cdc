#include "exchange/vtk/base64.h"

enum { PADDING = -1, INVALID = -2 };

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : c == '=' ? PADDING : INVALID;
}

// decodes four characters; returns the number of their bytes, or -1
static int decode_group(const char *text, uint8_t bytes[3])
{
    int digits[4];
    for (int n = 0; n < 4; n++) {
        digits[n] = digit_of(text[n]);
        if (digits[n] == INVALID || (digits[n] == PADDING && n < 2)) {
            return -1;
        }
    }
    if (digits[2] == PADDING && digits[3] != PADDING) {
        return -1;
    }
    const int length = digits[2] == PADDING ? 1 : digits[3] == PADDING ? 2 : 3;
    uint32_t bits = 0;
    for (int n = 0; n < 4; n++) {
        bits = bits << 6 | (uint32_t)(digits[n] == PADDING ? 0 : digits[n]);
    }
    bytes[0] = (uint8_t)(bits >> 16);
    bytes[1] = (uint8_t)(bits >> 8 & 0xff);
    bytes[2] = (uint8_t)(bits & 0xff);
    return length;
}

bool brume_base64_decode(const char *text, size_t size, size_t skip, uint8_t *bytes, size_t count)
{
    size_t done = 0;
    for (size_t group = skip / 3; done < count; group++) {
        if (group >= size / 4) {
            return false;
        }
        uint8_t decoded[3];
        const int length = decode_group(text + 4 * group, decoded);
        if (length < 0) {
            return false;
        }
        size_t first = done == 0 ? skip % 3 : 0;
        if (first >= (size_t)length) {
            return false;
        }
        while (first < (size_t)length && done < count) {
            bytes[done++] = decoded[first++];
        }
        if (length < 3 && done < count) { // padding ends the text
            return false;
        }
    }
    return true;
}
