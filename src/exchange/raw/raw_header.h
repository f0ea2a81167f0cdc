/**
 * @file raw_header.h
 * The header of a raw volume: a YAML file NAME.raw.yaml next to NAME.raw, which describes the bytes of that file.
 */
#ifndef BRUME_EXCHANGE_RAW_RAW_HEADER_H
#define BRUME_EXCHANGE_RAW_RAW_HEADER_H

#include "core/error.h"
#include "core/text.h"
#include "exchange/frame_grids.h"

#include <stdint.h>

/** The content of a header apart from the frame. */
typedef struct BrumeRawLayout {
    uint64_t bytes; ///< size of the data
    bool has_hash;
    uint64_t hash; ///< XXH3 of the data
    int grid_count;
    BrumeFrameGrid grids[BRUME_MAX_FRAME_GRIDS]; ///< without values
    uint64_t offsets[BRUME_MAX_FRAME_GRIDS];     ///< of each grid [bytes]
} BrumeRawLayout;

/**
 * Composes the header of the grids of a frame that lie one after the other in the data. BRUME_BAD_INPUT where a name or
 * the scene cannot be represented, BRUME_FAILED without memory. `text` is to be freed in any case.
 */
BrumeStatus brume_raw_header_compose(BrumeText *text, const BrumeFrameGrids *frame, uint64_t bytes, uint64_t hash,
                                     const char *path, BrumeError *error);

/**
 * Parses a header of `size` bytes; `path` names it in errors. Sets all members of `frame` but the grids.
 * BRUME_BAD_INPUT where it is not a valid header, BRUME_FAILED without memory; `frame` is to be freed in any case.
 */
BrumeStatus brume_raw_header_parse(BrumeRawLayout *layout, BrumeFrameGrids *frame, const char *path, const char *text,
                                   size_t size, BrumeError *error);

#endif
