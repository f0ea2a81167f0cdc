#include "core/module.h"

#include "brume/base.h"
#include "core/program_path.h"

#include <dlfcn.h>
#include <string.h>

const void *brume_module_load(const BrumeModule *module, BrumeError *error)
{
    char path[PATH_MAX];
    if (!brume_find_beside_program(path, module->folders, module->file)) {
        (void)brume_fail(error, BRUME_FAILED, "%s is not installed, %s (%s)", module->file, module->effect,
                         module->built);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | module->flags);
    if (!library) {
        (void)brume_fail(error, BRUME_FAILED, "%s: %s (%s)", module->effect, dlerror(), module->cure);
        return NULL;
    }
    const char *const *version = dlsym(library, module->functions);
    if (!version || strcmp(*version, BRUME_VERSION_STRING) != 0) {
        (void)brume_fail(error, BRUME_FAILED, "%s is of another version of brume (install that of version %s)", path,
                         BRUME_VERSION_STRING);
        return NULL;
    }
    return version;
}
