#include "sim/pressure/pressure.h"
