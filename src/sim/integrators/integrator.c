#include "sim/integrators/integrator.h"

#include <string.h>

#define ENTRY(integrator) &brume_integrator_##integrator,
static const BrumeIntegrator *const integrators[] = {BRUME_INTEGRATORS(ENTRY)};

enum { INTEGRATOR_COUNT = sizeof integrators / sizeof integrators[0] };

const char *brume_integrator_name(int index)
{
    return index >= 0 && index < (int)INTEGRATOR_COUNT ? integrators[index]->name : NULL;
}

double brume_integrator_speed(const BrumeSimDef *def)
{
    const BrumeIntegrator *const integrator = brume_integrator_find(def->integrator);
    return integrator->least_speed ? integrator->least_speed(def) : 0.0;
}

const BrumeIntegrator *brume_integrator_find(const char *name)
{
    for (int n = 0; name && n < (int)INTEGRATOR_COUNT; n++) {
        if (strcmp(name, integrators[n]->name) == 0) {
            return integrators[n];
        }
    }
    return NULL;
}
