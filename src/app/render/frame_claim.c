#include "app/render/frame_claim.h"

#include "core/descriptor.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char extension[] = ".lock";

/* The content of a lock file identifies its worker: "host process boot-identifier time\n". */
enum { MAX_OWNER = 512, MAX_BOOT = 64, MAX_ATTEMPTS = 100 };

// reads the identifier of the running kernel, which is unique among machines and restarts; "" where unknown
static void read_boot(char boot[MAX_BOOT])
{
    boot[0] = '\0';
    const int file = brume_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    const ssize_t size = brume_read_up_to(file, boot, MAX_BOOT - 1);
    (void)close(file);
    boot[size > 0 ? size : 0] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
}

static void describe_owner(char owner[MAX_OWNER])
{
    char host[256] = "";
    char boot[MAX_BOOT];
    (void)gethostname(host, sizeof host - 1);
    read_boot(boot);
    (void)snprintf(owner, MAX_OWNER, "%s %ld %s %lld\n", host[0] ? host : "-", (long)getpid(), boot[0] ? boot : "-",
                   (long long)time(NULL));
}

static bool is_same_file(int file, const char *path)
{
    struct stat open_file;
    struct stat named;
    return fstat(file, &open_file) == 0 && lstat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino;
}

// Whether the worker of a lock file that this process has locked may still draw. An empty file belongs to a killed
// worker, or to one that is about to find its file locked.
static bool may_have_owner(int file, bool locked, double timeout)
{
    char text[MAX_OWNER];
    char boot[MAX_BOOT];
    char own_boot[MAX_BOOT];
    const ssize_t size = lseek(file, 0, SEEK_SET) == 0 ? brume_read_up_to(file, text, sizeof text - 1) : -1;
    text[size > 0 ? size : 0] = '\0';
    if (locked && size == 0) {
        return false;
    }
    read_boot(own_boot);
    const bool is_known = sscanf(text, "%*255s %*d %63s", boot) == 1 && own_boot[0];
    if (locked && is_known && strcmp(boot, own_boot) == 0) {
        return false;
    }
    struct stat about;
    return fstat(file, &about) != 0 || difftime(time(NULL), about.st_mtime) < timeout;
}

// writes this process into its lock file, which sets its time to the time of the claim; empty on a full disk
static void write_owner(int file)
{
    char owner[MAX_OWNER];
    describe_owner(owner);
    if (lseek(file, 0, SEEK_SET) == 0 && brume_ftruncate(file, 0) == 0 &&
        !brume_write_all(file, owner, strlen(owner))) {
        (void)brume_ftruncate(file, 0);
    }
}

typedef enum LockResult {
    LOCK_TAKEN,
    LOCK_BUSY,    // another worker has it
    LOCK_CHANGED, // it was created or removed meanwhile
    LOCK_FAILED,  // errno has the reason
} LockResult;

static LockResult open_lock(const char *lock_path, bool create, int *file, bool *created)
{
    *file = create ? brume_open(lock_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC) : -1;
    *created = *file >= 0;
    if (*created) {
        return LOCK_TAKEN;
    }
    if (create && errno != EEXIST) {
        return LOCK_FAILED;
    }
    *file = brume_open(lock_path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return *file >= 0 ? LOCK_TAKEN : create && errno == ENOENT ? LOCK_CHANGED : LOCK_FAILED;
}

// takes over the lock file of a worker that has ended, or with `create` creates one, and locks it
static LockResult take_lock(const char *lock_path, bool create, double timeout, int *file)
{
    bool created;
    LockResult result = open_lock(lock_path, create, file, &created);
    if (result != LOCK_TAKEN) {
        return result;
    }
    const bool locked = flock(*file, LOCK_EX | LOCK_NB) == 0;
    const bool is_refused = !locked && errno == EWOULDBLOCK;
    if (!is_refused && !is_same_file(*file, lock_path)) {
        result = LOCK_CHANGED;
    } else if (is_refused || (!created && may_have_owner(*file, locked, timeout))) {
        result = LOCK_BUSY;
    }
    if (result != LOCK_TAKEN) {
        (void)close(*file);
        *file = -1;
    }
    return result;
}

static bool image_exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static void release_file(const char *lock_path, int file)
{
    (void)unlink(lock_path); // while it is locked, so that no other worker has taken it over
    (void)close(file);
}

static bool make_lock_path(char lock_path[PATH_MAX], const char *path)
{
    return snprintf(lock_path, PATH_MAX, "%s%s", path, extension) < PATH_MAX;
}

BrumeStatus brume_frame_claim_take(BrumeFrameClaim *claim, const char *path, double timeout, BrumeClaimResult *result,
                                   BrumeError *error)
{
    *claim = (BrumeFrameClaim){0};
    *result = BRUME_CLAIM_BUSY;
    char lock_path[PATH_MAX];
    if (!make_lock_path(lock_path, path)) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot make a lock file: %s", path, strerror(ENAMETOOLONG));
    }
    if (image_exists(path)) {
        *result = BRUME_CLAIM_EXISTS;
        return BRUME_OK;
    }
    int file = -1;
    LockResult lock = LOCK_CHANGED;
    for (int attempt = 0; lock == LOCK_CHANGED && attempt < MAX_ATTEMPTS; attempt++) {
        lock = take_lock(lock_path, true, timeout, &file);
    }
    if (lock != LOCK_TAKEN) {
        // a file that changes all the time is in use
        return lock == LOCK_FAILED
                   ? brume_fail(error, BRUME_FAILED, "%s: cannot make the lock file: %s", lock_path, strerror(errno))
                   : BRUME_OK;
    }
    // the worker that had the lock may have written the image since the first look
    if (image_exists(path)) {
        *result = BRUME_CLAIM_EXISTS;
        release_file(lock_path, file);
        return BRUME_OK;
    }
    char *const copy = brume_copy_text(lock_path);
    if (!copy) {
        release_file(lock_path, file);
        return brume_out_of_memory(error, "%s", lock_path);
    }
    write_owner(file);
    *claim = (BrumeFrameClaim){.lock_path = copy, .file = file};
    *result = BRUME_CLAIM_TAKEN;
    return BRUME_OK;
}

void brume_frame_claim_remove_abandoned(const char *path, double timeout)
{
    char lock_path[PATH_MAX];
    int file;
    if (make_lock_path(lock_path, path) && image_exists(path) &&
        take_lock(lock_path, false, timeout, &file) == LOCK_TAKEN) {
        release_file(lock_path, file);
    }
}

void brume_frame_claim_release(BrumeFrameClaim *claim)
{
    if (claim->lock_path) {
        release_file(claim->lock_path, claim->file);
        brume_free(claim->lock_path);
    }
    *claim = (BrumeFrameClaim){0};
}
