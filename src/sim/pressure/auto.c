// The fastest solver for a box, by a rule that sees the box alone, so that it is the same on every machine.
#include "sim/pressure/pressure_internal.h"

static const BrumePressureMethod *choose(bool obstacles, bool all_periodic)
{
    if (obstacles) {
        return &brume_pressure_mgpcg;
    }
    return all_periodic ? &brume_pressure_fft : &brume_pressure_dct;
}

const BrumePressureMethod brume_pressure_auto = {.name = "auto", .choose = choose};
