// The cache: HDF5 files that ParaView opens as image data (VTKHDF); docs/volumes.md describes the layout. The first 512
// bytes, which HDF5 leaves to the user, hold the size of the file and the hash of the rest. A file of Brume is checked
// against them before the library parses it; a file without them is one of another program.
#include "exchange/hdf/hdf_internal.h"

#include "core/hash.h"
#include "exchange/child_process.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/*
 * Where an allocation fails in its initialization, the library crashes or does not return; where one fails in a
 * function, all later calls may crash or not return, and so may its exit handler, which a library that ends the process
 * would run. So the initialization is tried in a child process first, there is no exit handler, and after its first
 * failure on a valid file the library is not called again.
 */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;
static bool initialized; // the variables are guarded by `library`
static bool failed;

static bool initialize(void)
{
    return H5dont_atexit() >= 0 && H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0;
}

static BrumeStatus try_initialization(const void *path, int result, BrumeError *error)
{
    (void)result;
    return initialize() ? BRUME_OK : brume_out_of_memory(error, "%s", (const char *)path);
}

static BrumeStatus make_ready(const char *path, BrumeError *error)
{
    if (!initialized && !failed) {
        enum { LIMIT_SECONDS = 1 }; // it takes milliseconds, or does not end
        const BrumeChildDef trial = {
            .function = try_initialization,
            .context = path,
            .path = path,
            .action = "processed",
            .library = "HDF5",
            .crash = BRUME_FAILED,
            .seconds = LIMIT_SECONDS,
        };
        int result;
        const BrumeStatus status = brume_child_run(&result, &trial, error);
        if (status != BRUME_OK) {
            return status;
        }
        (void)close(result);
        initialized = initialize();
        failed = !initialized;
    }
    return failed ? brume_out_of_memory(error, "%s", path) : BRUME_OK;
}

BrumeStatus brume_hdf_lock(const char *path, BrumeError *error)
{
    (void)pthread_mutex_lock(&library);
    const BrumeStatus status = make_ready(path, error);
    if (status != BRUME_OK) {
        (void)pthread_mutex_unlock(&library);
    }
    return status;
}

void brume_hdf_unlock(bool ok)
{
    failed = failed || !ok;
    (void)pthread_mutex_unlock(&library);
}

static BrumeStatus prepare(const char *path, BrumeError *error)
{
    const BrumeStatus status = brume_hdf_lock(path, error);
    if (status == BRUME_OK) {
        brume_hdf_unlock(true);
    }
    return status;
}

/** The start of the user block, whose other bytes are 0. Numbers are little-endian. */
typedef struct UserBlock {
    char name[16];
    uint64_t size; // of the whole file
    uint64_t hash; // of all other bytes
} UserBlock;

static const char block_name[16] = "Brume volume 1\n";
static const uint8_t hdf_signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    const uint64_t before = brume_hash_bytes(bytes, offsetof(UserBlock, hash), 0);
    return brume_hash_bytes(bytes + sizeof(UserBlock), size - sizeof(UserBlock), before);
}

void brume_hdf_seal(uint8_t *bytes, size_t size)
{
    UserBlock block = {.size = size};
    memcpy(block.name, block_name, sizeof block.name);
    memcpy(bytes, &block, sizeof block);
    block.hash = hash_of(bytes, size);
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
    const bool intact = block.size == size && size > BRUME_HDF_USER_BLOCK && block.hash == hash_of(bytes, size);
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

#define HDF_FORMAT(extension_)                                                                                         \
    {                                                                                                                  \
        .extension = (extension_), .description = "HDF5, which ParaView opens (VTKHDF)", .read = brume_hdf_read,       \
        .prepare = prepare, .compose = brume_hdf_compose, .write = brume_hdf_write, .write_options = BRUME_WRITE_HALF, \
    }

const BrumeVolumeFormat brume_hdf_format = HDF_FORMAT(".hdf");
const BrumeVolumeFormat brume_vtkhdf_format = HDF_FORMAT(".vtkhdf");
