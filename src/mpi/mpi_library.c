#include "mpi/mpi_library.h"

#include "brume/base.h"
#include "core/program_path.h"

#include <dlfcn.h>
#include <string.h>

// relative to the folder of the program: in a build tree, and installed
static const char *const folders[] = {"", BRUME_MPI_FOLDER "/", NULL};

BrumeStatus brume_mpi_load(const BrumeMpiFunctions **functions, BrumeError *error)
{
    *functions = NULL;
    char path[PATH_MAX];
    if (!brume_find_beside_program(path, folders, "brume-mpi.so")) {
        return brume_fail(error, BRUME_FAILED,
                          "brume-mpi.so is not installed, processes cannot share a simulation (it is built where "
                          "libopenmpi-dev is; or start one process)");
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); // parts that MPI loads itself need its symbols
    if (!module) {
        return brume_fail(error, BRUME_FAILED,
                          "processes cannot share a simulation: %s (install it, or start one process)", dlerror());
    }
    const BrumeMpiFunctions *found = dlsym(module, "brume_mpi_functions");
    if (!found || strcmp(found->version, BRUME_VERSION_STRING) != 0) {
        return brume_fail(error, BRUME_FAILED, "%s is of another version of brume (install that of version %s)", path,
                          BRUME_VERSION_STRING);
    }
    *functions = found;
    return BRUME_OK;
}
