#include "sim/lifecycle/kernels.h"

#include "sim/advection/fast_kernels.h"
#include "sim/reference/advection.h"
#include "sim/reference/kernels.h"

#include <string.h>

static const BrumeKernels sets[] = {
    {"fast", &brume_fast_advection, NULL, brume_flux_substep_fast},
    {"reference", &brume_reference_advection, &brume_reference_projection, brume_flux_substep_reference},
};

enum { SET_COUNT = sizeof sets / sizeof sets[0] };

const char *brume_kernels_name(int index) { return index >= 0 && index < SET_COUNT ? sets[index].name : NULL; }

const BrumeKernels *brume_kernels_find(const char *name)
{
    for (int n = 0; n < SET_COUNT; n++) {
        if (name && strcmp(name, sets[n].name) == 0) {
            return &sets[n];
        }
    }
    return NULL;
}
