/**
 * @file control_group.h
 * The resources that the control groups of Linux allow this process, as in a container or a job of a batch system.
 */
#ifndef BRUME_CORE_CONTROL_GROUP_H
#define BRUME_CORE_CONTROL_GROUP_H

#include <stddef.h>

/** The strictest limits of the groups that the process is in, and of the groups that contain these. */
typedef struct BrumeGroupLimits {
    double processors; /**< processor time per time; HUGE_VAL: no limit */
    size_t memory;     /**< [bytes]; SIZE_MAX: no limit */
} BrumeGroupLimits;

/** The limits of this process. */
BrumeGroupLimits brume_group_limits(void);

/**
 * The limits of the groups in `membership`, a file as /proc/self/cgroup, below `mount`, a folder as /sys/fs/cgroup, in
 * version 1 or 2. A file that cannot be read sets no limit.
 */
BrumeGroupLimits brume_group_limits_of(const char *membership, const char *mount);

#endif
