// Linked into sanitizer builds of programs that use a display: suppresses leaks in libraries and drivers.
#include <stddef.h>

// the sanitizer's runtime and drivers, which are shared libraries, call these functions
#pragma GCC visibility push(default)

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) { return "leak:libdbus-1.so\nleak:libgallium\nleak:_dri.so\n"; }

const char *__lsan_default_options(void);

const char *__lsan_default_options(void) { return "print_suppressions=0"; }

// Replaces the function of the C library: a driver stays loaded, so that the stacks of its leaks have symbol names.
int dlclose(void *module);

int dlclose(void *module)
{
    (void)module;
    return 0;
}

#pragma GCC visibility pop
