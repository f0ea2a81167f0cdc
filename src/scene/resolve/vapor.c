// Water vapor and liquid water.
#include "scene/resolve/resolve.h"
#include "sim/settings/settings.h"

BrumeStatus brume_resolve_vapor(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const vapor = brume_yaml_get(root, "vapor");
    if (vapor && !brume_yaml_get(vapor, "kind")) {
        sim->vapor.kind = 2; // color_1; plain smoke is the liquid
    }
    const char *const fault = brume_has_vapor(sim) ? brume_vapor_fault(sim) : NULL;
    if (fault) {
        return brume_yaml_fail_key(vapor, error, "'vapor' %s", fault);
    }
    return brume_check_used_keys(sim, vapor, BRUME_SIM_VAPOR_KIND, BRUME_SIM_VAPOR_AMBIENT, error);
}
