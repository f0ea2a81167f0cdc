#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"

/** Checks the curve that `map` was read to, of whose points `key` is the position; NULL for no map. */
static BrumeStatus check_curve(const BrumeCurve *curve, const BrumeYamlNode *map, const char *key, BrumeError *error)
{
    if (!map) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const list = brume_yaml_get(map, "points");
    if (curve->count < 2) {
        return brume_yaml_fail(list ? list : map, error, "a 'curve' needs two 'points' or more");
    }
    int n = 0;
    for (const BrumeYamlNode *item = list->first; item && n < curve->count; item = item->next, n++) {
        const BrumeYamlNode *const at = brume_yaml_get(item, key);
        if (!at || !brume_yaml_get(item, "factor")) {
            return brume_yaml_fail(item, error, "this 'point' needs '%s' and 'factor'", key);
        }
        if (n > 0 && !(curve->points[n].at > curve->points[n - 1].at)) {
            return brume_yaml_fail(at, error,
                                   "'%s' in 'point' is %.7g, but must be above that of the previous point, %.7g", key,
                                   (double)curve->points[n].at, (double)curve->points[n - 1].at);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_curves(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    const BrumeYamlNode *const smoke = brume_yaml_get(root, "smoke");
    BrumeStatus status = BRUME_OK;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS && status == BRUME_OK; kind++) {
        const BrumeYamlNode *const map = brume_yaml_get(smoke, brume_smoke_key_names[kind]);
        render->density_curve[kind] = parsed->smoke[kind].curve;
        status = check_curve(&render->density_curve[kind], brume_yaml_get(map, "curve"), "density", error);
    }
    const BrumeYamlNode *const emission = brume_yaml_get(brume_yaml_get(root, "render"), "emission");
    return status == BRUME_OK
               ? check_curve(&render->emission.curve, brume_yaml_get(emission, "curve"), "temperature", error)
               : status;
}
