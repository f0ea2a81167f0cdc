/**
 * @file base64.h
 * Decoding of base64 (RFC 4648) as XML files of VTK have it.
 */
#ifndef BRUME_EXCHANGE_VTK_BASE64_H
#define BRUME_EXCHANGE_VTK_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Decodes a text that starts at `text` and has no blanks or line breaks inside: the bytes from `skip` to `skip` +
 * `count` of the decoded bytes, to `bytes`. False where the text of `size` characters ends before or has another
 * character.
 */
bool brume_base64_decode(const char *text, size_t size, size_t skip, uint8_t *bytes, size_t count);

/** Characters of the base64 text of `count` bytes, with padding. */
static inline size_t brume_base64_size(size_t count) { return (count + 2) / 3 * 4; }

#endif
