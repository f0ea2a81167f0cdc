#include "mpi/mpi_library.h"

#include "core/module.h"

#include <dlfcn.h>
#include <stddef.h>

BrumeStatus brume_mpi_load(const BrumeMpiFunctions **functions, BrumeError *error)
{
    // relative to the folder of the program: in a build tree, and installed
    static const char *const folders[] = {"", BRUME_MPI_FOLDER "/", NULL};
    const BrumeModule module = {
        .file = "brume-mpi.so",
        .folders = folders,
        .flags = RTLD_GLOBAL, // parts that MPI loads itself need its symbols
        .functions = "brume_mpi_functions",
        .effect = "processes cannot share a simulation",
        .built = "it is built where libopenmpi-dev is; or start one process",
        .cure = "install it, or start one process",
    };
    *functions = brume_module_load(&module, error);
    return *functions ? BRUME_OK : BRUME_FAILED;
}
