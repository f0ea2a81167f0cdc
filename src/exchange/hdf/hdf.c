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

static void *image_malloc(size_t size, H5FD_file_image_op_t operation, void *image)
{
    (void)size;
    (void)operation;
    return ((BrumeHdfImage *)image)->bytes;
}

static void *image_memcpy(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *image)
{
    (void)from;
    (void)size;
    (void)operation;
    (void)image;
    return to;
}

static void *image_realloc(void *bytes, size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)bytes;
    (void)operation;
    BrumeHdfImage *image = context;
    uint8_t *resized = NULL;
    if (image->memory && image->bytes) {
        resized = brume_shared_memory_resize(image->memory, image->bytes, size, &image->block);
    } else if (image->memory) {
        resized = brume_shared_memory_add(image->memory, size, &image->block);
    }
    image->bytes = resized ? resized : image->bytes;
    return resized;
}

static herr_t image_free(void *bytes, H5FD_file_image_op_t operation, void *image)
{
    (void)bytes;
    (void)operation;
    (void)image;
    return 0;
}

static void *copy_image(void *image) { return image; }

static herr_t free_image(void *image)
{
    (void)image;
    return 0;
}

hid_t brume_hdf_image_access(BrumeHdfImage *image)
{
    enum { INCREMENT = 4 << 20 };
    H5FD_file_image_callbacks_t callbacks = {image_malloc, image_memcpy, image_realloc, image_free,
                                             copy_image,   free_image,   image};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    return access >= 0 && H5Pset_fapl_core(access, INCREMENT, false) >= 0 &&
                   H5Pset_file_image_callbacks(access, &callbacks) >= 0
               ? access
               : H5I_INVALID_HID;
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
