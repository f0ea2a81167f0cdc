#include "brume/brume.h"

const char *brume_version(void) { return BRUME_VERSION; }
