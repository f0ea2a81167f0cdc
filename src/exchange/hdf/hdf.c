// The cache: HDF5 files that ParaView opens as image data (VTKHDF); docs/volumes.md describes the layout. The first 512
// bytes, which HDF5 leaves to the user, hold the size of the file and the hash of the rest. A file of Brume is checked
// against them before the library parses it; a file without them is one of another program.
#include "exchange/hdf/hdf_internal.h"

#include "core/hash.h"

#include <stddef.h>
#include <string.h>

BrumeStatus brume_hdf_start(const char *path, BrumeError *error)
{
    static bool started;
    started = started || (H5dont_atexit() >= 0 && H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0);
    return started ? BRUME_OK : brume_out_of_memory(error, "%s", path);
}

static bool failed;

void brume_hdf_note_failure(void) { failed = true; }

bool brume_hdf_has_failed(void) { return failed; }

/** The start of the user block, whose other bytes are 0. Numbers are little-endian. */
typedef struct UserBlock {
    char name[16];
    uint64_t size; // of the whole file
    uint64_t hash; // of all other bytes
} UserBlock;

static const char block_name[16] = "Brume volume 1\n";
static const uint8_t hdf_signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

static uint64_t hash_file(const uint8_t *bytes, size_t size)
{
    const uint64_t hash_before = brume_hash_bytes(bytes, offsetof(UserBlock, hash), 0);
    return brume_hash_bytes(bytes + sizeof(UserBlock), size - sizeof(UserBlock), hash_before);
}

void brume_hdf_seal(uint8_t *bytes, size_t size)
{
    UserBlock block = {.size = size};
    memcpy(block.name, block_name, sizeof block.name);
    memcpy(bytes, &block, sizeof block);
    block.hash = hash_file(bytes, size);
    memcpy(bytes, &block, sizeof block);
}

BrumeHdfSeal brume_hdf_check(const uint8_t *bytes, size_t size)
{
    UserBlock block = {0};
    memcpy(&block, bytes, size < sizeof block ? size : sizeof block);
    if (memcmp(block.name, block_name, sizeof block_name) != 0) {
        // the signature is at 0 or at a power of two from 512 on
        bool found = size >= sizeof hdf_signature && memcmp(bytes, hdf_signature, sizeof hdf_signature) == 0;
        for (size_t at = 512; !found && at <= size / 2; at *= 2) {
            found = memcmp(bytes + at, hdf_signature, sizeof hdf_signature) == 0;
        }
        return found ? BRUME_HDF_FOREIGN : BRUME_HDF_OTHER;
    }
    const bool intact = block.size == size && size > BRUME_HDF_USER_BLOCK && block.hash == hash_file(bytes, size);
    return intact ? BRUME_HDF_INTACT : BRUME_HDF_DAMAGED;
}

hid_t brume_hdf_half_type(void)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    (void)H5Tset_fields(type, 15, 10, 5, 0, 10); // sign, exponent from bit 10 on, fraction from bit 0 on
    (void)H5Tset_size(type, 2);
    (void)H5Tset_ebias(type, 15);
    return type;
}
