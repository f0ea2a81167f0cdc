#include "app/cli/launcher.h"

#include <stddef.h>
#include <stdlib.h>

// variables of the environment that launchers set to the number of processes; mpirun may use srun to start its own
static const struct {
    const char *variable, *launcher;
} counts[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun"}, {"PMI_SIZE", "mpirun"}, {"SLURM_STEP_NUM_TASKS", "srun"}};

int brume_launched_processes(const char **name)
{
    *name = NULL;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        const char *const value = getenv(counts[n].variable);
        const long processes = value ? strtol(value, NULL, 10) : 0;
        if (processes > 0) {
            *name = processes > 1 ? counts[n].launcher : NULL;
            return (int)(processes < 1000000 ? processes : 1000000);
        }
    }
    return 1;
}
