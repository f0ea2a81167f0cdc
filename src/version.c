#include "brume/base.h"

const char *brume_version(void) { return BRUME_VERSION_STRING; }
