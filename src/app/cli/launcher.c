#include "app/cli/launcher.h"

#include <stddef.h>
#include <stdlib.h>

static long number(const char *variable)
{
    const char *const value = getenv(variable);
    return value ? strtol(value, NULL, 10) : 0;
}

BrumeLaunch brume_launch(void)
{
    // mpirun of MPICH may use srun to start its processes
    static const struct {
        const char *processes, *rank, *launcher;
    } launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun"},
                     {"PMI_SIZE", "PMI_RANK", "mpirun"},
                     {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"}};
    for (size_t n = 0; n < sizeof launchers / sizeof launchers[0]; n++) {
        const long processes = number(launchers[n].processes);
        if (processes > 0) {
            return (BrumeLaunch){launchers[n].launcher, processes, number(launchers[n].rank)};
        }
    }
    return (BrumeLaunch){.processes = 1};
}
