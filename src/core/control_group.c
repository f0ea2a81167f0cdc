// A group's processor quota is the processor time that its processes may use in each period. Version 2 has one tree of
// groups; in version 1 each controller has a tree of its own.
#include "core/control_group.h"

#include "core/minmax.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

// reads one or two numbers of a file of a group; the words "max" and a number below 0 are no numbers
static int read_numbers(const char *folder, const char *name, double numbers[2])
{
    char path[PATH + 64];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    const int count = fscanf(file, "%lf %lf", &numbers[0], &numbers[1]);
    (void)fclose(file);
    return count > 0 && numbers[0] >= 0.0 ? count : 0;
}

// applies the limits that one group has
static void apply_group(const char *folder, BrumeGroupLimits *limits)
{
    double quota[2] = {0.0, 0.0};
    double period[2] = {0.0, 0.0};
    double bytes[2] = {0.0, 0.0};
    if (read_numbers(folder, "cpu.max", quota) == 2) { // version 2
        limits->processors = brume_fmin(limits->processors, quota[0] / brume_fmax(quota[1], 1.0));
    }
    if (read_numbers(folder, "cpu.cfs_quota_us", quota) && read_numbers(folder, "cpu.cfs_period_us", period)) {
        limits->processors = brume_fmin(limits->processors, quota[0] / brume_fmax(period[0], 1.0));
    }
    if ((read_numbers(folder, "memory.max", bytes) || read_numbers(folder, "memory.limit_in_bytes", bytes)) &&
        bytes[0] < (double)limits->memory) {
        limits->memory = (size_t)bytes[0];
    }
}

// applies the limits of a group and of the groups that contain it, up to the root of the tree
static void apply_groups(const char *root, const char *group, BrumeGroupLimits *limits)
{
    char folder[PATH];
    const int length = snprintf(folder, sizeof folder, "%s%s", root, group);
    const size_t root_length = strlen(root);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return;
    }
    apply_group(folder, limits);
    while (strlen(folder) > root_length) {
        *strrchr(folder, '/') = '\0';
        apply_group(folder, limits);
    }
}

static int has_controller(const char *list, const char *controller)
{
    const size_t length = strlen(controller);
    while (list) {
        if (strncmp(list, controller, length) == 0 && (list[length] == ',' || list[length] == '\0')) {
            return 1;
        }
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    return 0;
}

BrumeGroupLimits brume_group_limits_of(const char *membership, const char *mount)
{
    BrumeGroupLimits limits = {HUGE_VAL, SIZE_MAX};
    FILE *file = fopen(membership, "r");
    char line[PATH];
    while (file && fgets(line, sizeof line, file)) { // "number:controllers:/group"; version 2 names no controllers
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/') {
            continue;
        }
        *group++ = '\0';
        controllers++;
        static const char *const names[] = {"cpu", "memory"};
        if (!controllers[0]) {
            apply_groups(mount, group, &limits);
        }
        for (int n = 0; n < 2; n++) {
            char root[PATH];
            if (has_controller(controllers, names[n]) &&
                snprintf(root, sizeof root, "%s/%s", mount, names[n]) < (int)sizeof root) {
                apply_groups(root, group, &limits);
            }
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return limits;
}

BrumeGroupLimits brume_group_limits(void) { return brume_group_limits_of("/proc/self/cgroup", "/sys/fs/cgroup"); }
