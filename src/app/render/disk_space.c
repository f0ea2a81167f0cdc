#include "app/render/disk_space.h"

#include "app/cli/format.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { MAX_NEEDS = 16 };

static bool examine_folder(const char *folder, BrumeDisk *disk)
{
    struct stat about;
    struct statvfs space;
    if (stat(folder, &about) != 0 || statvfs(folder, &space) != 0 || space.f_blocks == 0) {
        return false;
    }
    *disk = (BrumeDisk){.device = about.st_dev, .free_bytes = (double)space.f_bavail * (double)space.f_frsize};
    (void)snprintf(disk->folder, sizeof disk->folder, "%s", folder);
    return true;
}

bool brume_disk_find(const char *path, BrumeDisk *disk)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        return false;
    }
    char folder[BRUME_MAX_PATH];
    (void)snprintf(folder, sizeof folder, "%s", path);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash != folder;) {
        *slash = '\0';
        if (stat(folder, &about) == 0) {
            return examine_folder(folder, disk);
        }
    }
    return examine_folder(path[0] == '/' ? "/" : ".", disk);
}

bool brume_disk_falls_short(const BrumeDiskNeed *needs, int count, bool upper, BrumeDiskShortage *shortage)
{
    BrumeDisk disks[MAX_NEEDS];
    bool known[MAX_NEEDS];
    bool falls_short = false;
    double worst = 0.0;
    for (int n = 0; n < count && n < MAX_NEEDS; n++) {
        known[n] = needs[n].path && brume_disk_find(needs[n].path, &disks[n]);
    }
    for (int n = 0; n < count && n < MAX_NEEDS; n++) {
        double needed = 0.0;
        for (int other = 0; known[n] && other < count && other < MAX_NEEDS; other++) {
            if (known[other] && disks[other].device == disks[n].device) {
                needed += upper ? needs[other].most : needs[other].least;
            }
        }
        if (known[n] && needed - disks[n].free_bytes > worst) {
            falls_short = true;
            worst = needed - disks[n].free_bytes;
            *shortage = (BrumeDiskShortage){.disk = disks[n], .needed = needed};
        }
    }
    return falls_short;
}

BrumeStatus brume_fail_disk_shortage(BrumeError *error, const BrumeDiskShortage *shortage, const char *what)
{
    return brume_fail(error, BRUME_FAILED, "%s has %s free, and %s %s", shortage->disk.folder,
                      brume_format_bytes(shortage->disk.free_bytes).text, what,
                      brume_format_bytes(shortage->needed).text);
}

BrumeStatus brume_disk_check(const BrumeDiskNeed *needs, int count, BrumeMessages *messages, BrumeError *error)
{
    BrumeDiskShortage shortage;
    if (brume_disk_falls_short(needs, count, false, &shortage)) {
        return brume_fail(
            error, BRUME_FAILED,
            "%s has %s free, and the outputs need at least %s (free some space, or write to another disk)",
            shortage.disk.folder, brume_format_bytes(shortage.disk.free_bytes).text,
            brume_format_bytes(shortage.needed).text);
    }
    if (brume_disk_falls_short(needs, count, true, &shortage)) {
        brume_messages_warning(messages,
                               "%s has %s free, and the outputs may need up to %s; the run stops where the next "
                               "frames do not fit",
                               shortage.disk.folder, brume_format_bytes(shortage.disk.free_bytes).text,
                               brume_format_bytes(shortage.needed).text);
    }
    return BRUME_OK;
}
