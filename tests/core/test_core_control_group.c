// The limits of control groups, read from trees of files that the test makes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/control_group.h"

static char folder[] = "/tmp/brume-groups-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(strrchr(folder, '-') + 1, sizeof "XXXXXX", "XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

// writes a file of the tree, and the folders that it is in
static void make(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + sizeof folder, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect(double processors, size_t memory)
{
    char membership[64];
    char mount[64];
    (void)snprintf(membership, sizeof membership, "%s/membership", folder);
    (void)snprintf(mount, sizeof mount, "%s/mount", folder);
    const BrumeGroupLimits limits = brume_group_limits_of(membership, mount);
    if (!(limits.processors >= processors && limits.processors <= processors) || limits.memory != memory) {
        fail_msg("%g processors and %zu bytes, expected %g and %zu", limits.processors, limits.memory, processors,
                 memory);
    }
}

static void test_without_groups(void **state)
{
    (void)state;
    expect(HUGE_VAL, SIZE_MAX);
    make("membership", "0::/user.slice\n");
    expect(HUGE_VAL, SIZE_MAX);
    make("mount/user.slice/cpu.max", "max 100000\n");
    make("mount/user.slice/memory.max", "max\n");
    expect(HUGE_VAL, SIZE_MAX);
}

static void test_version_2(void **state)
{
    (void)state;
    make("membership", "0::/box/job/step\n");
    make("mount/box/job/step/cpu.max", "max 100000\n");
    make("mount/box/job/step/memory.max", "3000000000\n");
    make("mount/box/job/cpu.max", "150000 100000\n");
    make("mount/box/cpu.max", "400000 100000\n");
    make("mount/box/memory.max", "2000000000\n"); // the group around it has less
    expect(1.5, 2000000000);
    // in a namespace of its own, the group of the container is the root
    make("membership", "0::/\n");
    make("mount/cpu.max", "50000 100000\n");
    make("mount/memory.max", "536870912\n");
    expect(0.5, 536870912);
    // the membership names a group that the container does not see
    make("membership", "0::/system.slice/docker-1.scope\n");
    expect(0.5, 536870912);
}

static void test_version_1(void **state)
{
    (void)state;
    make("membership", "12:blkio:/box\n4:memory:/box/job\n3:cpu,cpuacct:/box/job\n1:name=systemd:/box\n0::/box\n");
    make("mount/cpu/box/job/cpu.cfs_quota_us", "-1\n");
    make("mount/cpu/box/job/cpu.cfs_period_us", "100000\n");
    make("mount/cpu/box/cpu.cfs_quota_us", "300000\n");
    make("mount/cpu/box/cpu.cfs_period_us", "100000\n");
    make("mount/memory/box/job/memory.limit_in_bytes", "1073741824\n");
    make("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
    expect(3.0, 1073741824);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_groups, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_version_2, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_version_1, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
