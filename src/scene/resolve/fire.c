// The fuel of a scene and how it burns.
#include "scene/resolve/resolve.h"
#include "sim/settings/settings.h"

/** Checks that the section has the keys of its model alone. */
static BrumeStatus check_keys(const BrumeSimDef *sim, const BrumeYamlNode *fire, BrumeError *error)
{
    for (int n = BRUME_SIM_FIRE_HEAT; fire && n <= BRUME_SIM_FIRE_RATE; n++) {
        const BrumeSetting *const setting = &brume_sim_setting_table[n];
        const BrumeYamlNode *const node = brume_yaml_get(fire, brume_setting_name(setting));
        if (node && !brume_setting_is_used(setting, sim)) {
            return brume_yaml_fail_key(
                node, error, "'%s' has no effect on the 'model' '%s' of 'fire'", brume_setting_name(setting),
                brume_setting_word(&brume_sim_setting_table[BRUME_SIM_FIRE_MODEL], (int)sim->fire.model));
        }
    }
    return BRUME_OK;
}

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
    return check_keys(sim, fire, error);
}
