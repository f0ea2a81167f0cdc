// Linked into programs under a sanitizer that use a display: what libraries and drivers leak is not the program's.
#include <stddef.h>

// called by the sanitizer, by this name
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) { return "leak:libdbus-1.so\nleak:libgallium\nleak:_dri.so\n"; }

const char *__lsan_default_options(void);

const char *__lsan_default_options(void) { return "print_suppressions=0"; }

// In place of the C library's: a driver stays loaded to the end, so that the stack of what it leaked still has names.
int dlclose(void *module);

int dlclose(void *module)
{
    (void)module;
    return 0;
}
