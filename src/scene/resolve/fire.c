// The fuel of a scene and how it burns.
#include "scene/resolve/resolve.h"
#include "sim/settings/settings.h"

BrumeStatus brume_resolve_fire(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const fire = brume_yaml_get(root, "fire");
    const BrumeYamlNode *const model = brume_yaml_get(fire, "model");
    const int fueled = brume_first_fueled_emitter(sim);
    if (!model && (fire || fueled >= 0)) {
        sim->fire.model = BRUME_FIRE_MIXING;
    }
    if (!brume_has_fuel(sim) && fueled >= 0) {
        return brume_yaml_fail(model, error, "emitter %d has fuel, which needs another 'model' in 'fire' than 'none'",
                               fueled);
    }
    const char *const fault = brume_has_fuel(sim) ? brume_fire_fault(sim) : NULL;
    if (fault) {
        const BrumeYamlNode *const place = fire ? fire : brume_yaml_get(root, "emitters");
        return brume_yaml_fail_key(place, error, "%s %s", fire ? "'fire'" : "the fuel of an emitter", fault);
    }
    return brume_check_used_keys(sim, fire, BRUME_SIM_FIRE_MODEL, BRUME_SIM_FIRE_RATE, error);
}
