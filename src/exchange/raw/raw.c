// Raw volumes: NAME.raw has the values as 32-bit floats, grid after grid, and NAME.raw.yaml describes them. The values
// are written to a temporary file, then the header, and then the values get their name: a program that waits for
// NAME.raw finds a complete volume as soon as that file exists, and a full disk leaves an older volume unchanged. A
// writer that was killed before the last step leaves a header without values; the next write replaces it.
#include "core/hash.h"
#include "core/memory.h"
#include "exchange/raw/raw_header.h"
#include "exchange/volume_format.h"
#include "io/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are written as they are in memory");

static BrumeStatus make_header_path(char header[PATH_MAX], const char *path, BrumeError *error)
{
    if (snprintf(header, PATH_MAX, "%s.yaml", path) >= PATH_MAX) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the path is too long", path);
    }
    return BRUME_OK;
}

// adds the grids that the header names, with their values from the data
static BrumeStatus add_grids(BrumeFrameGrids *frame, const BrumeRawLayout *layout, const char *header,
                             const uint8_t *data, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < layout->grid_count && status == BRUME_OK; n++) {
        const BrumeFrameGrid *shape = &layout->grids[n];
        BrumeFrameGrid *grid;
        BrumeError reason;
        status =
            brume_frame_grids_add(frame, shape->name, shape->unit, shape->components, shape->location, &grid, &reason);
        if (status != BRUME_OK) {
            (void)brume_fail(error, status, "%s: %s", header, reason.text);
        } else {
            memcpy(grid->values, data + layout->offsets[n],
                   brume_frame_grid_values(frame->cells, grid) * sizeof(float));
        }
    }
    return status;
}

static BrumeStatus read_header(BrumeRawLayout *layout, BrumeFrameGrids *frame, const char *path, const char *header,
                               BrumeError *error)
{
    struct stat about;
    uint8_t *text;
    size_t size;
    if (stat(path, &about) == 0 && stat(header, &about) != 0 && errno == ENOENT) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: it has no header %s (it was not written completely, or moved alone)", path, header);
    }
    BrumeStatus status = brume_file_read(header, &text, &size, error);
    if (status == BRUME_OK) {
        status = brume_raw_header_parse(layout, frame, header, (const char *)text, size, error);
        brume_free(text);
    }
    return status;
}

static BrumeStatus raw_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    (void)def;
    BrumeRawLayout layout = {0};
    char header[PATH_MAX];
    uint8_t *data = NULL;
    size_t size = 0;
    BrumeStatus status = make_header_path(header, path, error);
    status = status == BRUME_OK ? read_header(&layout, frame, path, header, error) : status;
    status = status == BRUME_OK ? brume_file_read(path, &data, &size, error) : status;
    if (status == BRUME_OK && size != layout.bytes) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: it has %zu bytes instead of the %llu of its header", path,
                            size, (unsigned long long)layout.bytes);
    }
    if (status == BRUME_OK && layout.has_hash && brume_hash_bytes(data, size, 0) != layout.hash) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: damaged: its hash is not that of %s", path, header);
    }
    status = status == BRUME_OK ? add_grids(frame, &layout, header, data, error) : status;
    brume_free(data);
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}

// whether the file is a header, so that its values were not written
static bool is_header(const char *path)
{
    BrumeRawLayout layout = {0};
    BrumeFrameGrids frame = {0};
    BrumeError error;
    uint8_t *text;
    size_t size;
    if (brume_file_read(path, &text, &size, &error) != BRUME_OK) {
        return false;
    }
    const bool valid = brume_raw_header_parse(&layout, &frame, path, (const char *)text, size, &error) == BRUME_OK;
    brume_frame_grids_destroy(&frame);
    brume_free(text);
    return valid;
}

// fails for a header that another program has written, perhaps for values elsewhere: it is not replaced
static BrumeStatus check_header_free(const char *header, BrumeError *error)
{
    struct stat existing;
    return lstat(header, &existing) != 0 || is_header(header)
               ? BRUME_OK
               : brume_fail(error, BRUME_FAILED, "%s: cannot write: it exists (remove it)", header);
}

static BrumeStatus raw_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                             BrumeError *error)
{
    char header[PATH_MAX];
    BrumeBytes parts[BRUME_MAX_FRAME_GRIDS];
    uint64_t bytes = 0;
    for (int n = 0; n < frame->count; n++) {
        const size_t size = brume_frame_grid_values(frame->cells, &frame->grids[n]) * sizeof(float);
        parts[n] = (BrumeBytes){frame->grids[n].values, size};
        bytes += size;
    }
    BrumeText text = {0};
    BrumePartFile values = {0};
    BrumeStatus status = make_header_path(header, path, error);
    if (status == BRUME_OK) {
        status = brume_raw_header_compose(&text, frame, bytes, brume_hash_parts(parts, frame->count), header, error);
    }
    if (status == BRUME_OK) {
        status = brume_file_open_part(&values, path, def->overwrite, error);
    }
    if (status == BRUME_OK) {
        status = brume_file_fill_part(&values, parts, frame->count, error);
    }
    if (status == BRUME_OK && !def->overwrite) {
        status = check_header_free(header, error);
    }
    if (status == BRUME_OK) {
        const BrumeBytes part = {text.data, text.size};
        status = brume_file_write_parts(header, &part, 1, true, error);
    }
    if (status == BRUME_OK) {
        status = brume_file_commit_part(&values, error);
        if (status != BRUME_OK && !def->overwrite) {
            (void)unlink(header); // this call has created it
        }
    }
    brume_file_abandon_part(&values);
    brume_text_destroy(&text);
    return status;
}

const BrumeVolumeFormat brume_raw_format = {
    .extension = ".raw",
    .description = "raw floats with a YAML header",
    .read = raw_read,
    .write = raw_write,
    .uncompressed = true,
};
