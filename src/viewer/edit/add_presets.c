/*
 * Forces and fires with sensible values in a box of any size. The power Q [kW] of a fire of the diameter D follows from
 * the height of its flames [m] (Heskestad, "Luminous heights of turbulent diffusion flames", 1983):
 *
 *     L = 0.235 Q^(2/5) - 1.02 D.
 */
#include "viewer/edit/add_presets.h"

#include "core/vec3.h"
#include "sim/settings/settings.h"
#include "viewer/edit/objects.h"
#include "viewer/edit/scene_edits.h"

#include <math.h>

typedef struct FirePreset {
    const char *name;
    BrumeShapeKind shape;
    float radius;                                          // over the size of the box
    float flames;                                          // their height over the size of the box; 0: a fireball
    float noise;                                           // amplitude
    float heat, air, radiated, absorption, capacity, soot; // as in BrumeFireDef
} FirePreset;

static const FirePreset fires[] = {
    {"gas burner", BRUME_SHAPE_CYLINDER, 0.07f, 0.5f, 0.2f, 50000.0f, 17.2f, 0.2f, 0.5f, 2.8f, 15.0f}, // methane
    {"wood fire", BRUME_SHAPE_CYLINDER, 0.12f, 0.5f, 0.7f, 16000.0f, 5.7f, 0.3f, 2.0f, 0.8f, 20.0f},
    {"candle", BRUME_SHAPE_CYLINDER, 0.035f, 0.35f, 0.0f, 43000.0f, 14.9f, 0.2f, 0.5f, 1.9f, 30.0f}, // 0.08 kW in 0.2 m
    {"fireball", BRUME_SHAPE_SPHERE, 0.06f, 0.0f, 0.0f, 46300.0f, 15.7f, 0.3f, 2.0f, 2.2f, 15.0f},   // propane
};
enum { FIRES = sizeof fires / sizeof fires[0], FIREBALL = FIRES - 1 };

static const float fireball_seconds = 0.3f;                 // in which it emits
static const BrumeVec3 soot_albedo = {0.28f, 0.26f, 0.24f}; // Bond and Bergstrom, "Light absorption by carbonaceous
                                                            // particles", 2006

static BrumeVec3 box_sides(const BrumeControls *controls)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    return brume_sub(upper, lower);
}

void brume_object_add_force(BrumeControls *controls, BrumeForceKind kind)
{
    if (!brume_object_has_room(controls, BRUME_OBJECT_EMITTER) || kind == BRUME_FORCE_FLOW) {
        return;
    }
    const float side = brume_largest(box_sides(controls));
    const bool attracts = kind == BRUME_FORCE_ATTRACTION;
    const float radius = (attracts ? 0.08f : 0.2f) * side;
    BrumeEmitterDef *emitter = brume_add_emitter_at(controls, BRUME_SHAPE_SPHERE, brume_vec3(0.5f, 0.5f, 0.5f), radius);
    emitter->softness = attracts ? 0.0f : 0.5f * radius;
    emitter->force.kind = kind;
    emitter->force.velocity = brume_vec3(side, 0.0f, 0.0f); // through the box in a second
    emitter->force.strength = 4.0f * side;
    emitter->force.scale = 0.1f * side;
    emitter->force.range = 0.5f * side;
    BrumeSimDef *sim = brume_controls_sim(controls);
    if (kind == BRUME_FORCE_TURBULENCE && !(sim->texture_period > 0.0f)) {
        sim->texture_period = 1.0f;
    }
}

const char *brume_fire_name(int index) { return index < FIRES ? fires[index].name : NULL; }

// checks a variant as if it had fuel
static BrumeStatus check(const BrumeSimDef *sim, BrumeError *error)
{
    BrumeSimDef burning = *sim;
    burning.fire.model = BRUME_FIRE_MIXING;
    return brume_sim_check(&burning, error);
}

BrumeStatus brume_fire_check(const BrumeControls *controls, BrumeError *error)
{
    const BrumeSimDef present = brume_present_settings(controls);
    return check(&present, error);
}

// Makes the fuel of a preset burn in a variant, unless there is fuel already. Soot is the first kind of smoke that
// nothing emits, or plain smoke.
static void start(BrumeControls *controls, BrumeSimDef *sim, const FirePreset *preset)
{
    if (brume_has_fuel(sim)) {
        return;
    }
    int kind = 0;
    while (kind < BRUME_SMOKE_KINDS && brume_emits_smoke(sim, kind)) {
        kind++;
    }
    kind %= BRUME_SMOKE_KINDS;
    sim->fire.model = BRUME_FIRE_MIXING;
    sim->fire.heat = preset->heat;
    sim->fire.air = preset->air;
    sim->fire.radiated = preset->radiated;
    sim->fire.absorption = preset->absorption;
    sim->fire.heat_capacity = preset->capacity;
    sim->fire.soot = preset->soot;
    sim->fire.soot_kind = kind;
    sim->color_count = sim->color_count > kind ? sim->color_count : kind;
    BrumeRenderSettings *looks[] = {&controls->render_settings, &controls->other_look};
    for (int n = 0; n < 2; n++) {
        looks[n]->smoke[kind].albedo = soot_albedo;
        looks[n]->emission.intensity = looks[n]->emission.intensity > 0.0f ? looks[n]->emission.intensity : 1.0f;
    }
}

BrumeStatus brume_fire_start(BrumeControls *controls, BrumeError *error)
{
    const BrumeStatus status = brume_fire_check(controls, error);
    for (int n = 0; status == BRUME_OK && n <= (int)controls->compare; n++) {
        if (check(&controls->sim[n], NULL) == BRUME_OK) {
            start(controls, &controls->sim[n], &fires[FIREBALL]);
        }
    }
    return status;
}

void brume_object_add_fire(BrumeControls *controls, int index)
{
    const FirePreset *preset = &fires[index];
    if (!brume_object_has_room(controls, BRUME_OBJECT_EMITTER) || brume_fire_check(controls, NULL) != BRUME_OK) {
        return;
    }
    BrumeSimDef *sim = brume_controls_sim(controls);
    start(controls, sim, preset);
    const BrumeVec3 sides = box_sides(controls);
    const float size = fminf(sides.y, fmaxf(sides.x, sides.z));
    const float radius = fmaxf(preset->radius * size, 1.5f * sim->dx); // some cells have their middle inside
    const bool explodes = !(preset->flames > 0.0f);
    const float height = fmaxf(0.02f * size, 2.0f * sim->dx); // of the emitter
    const float middle = explodes ? 0.25f : 0.5f * height / sides.y;
    BrumeEmitterDef *emitter = brume_add_emitter_at(controls, preset->shape, brume_vec3(0.5f, middle, 0.5f), radius);
    if (explodes) {
        emitter->fuel = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        emitter->start = (float)controls->select.time;
        emitter->end = emitter->start + fireball_seconds;
        return;
    }
    const float root = (preset->flames * size + 1.02f * 2.0f * radius) / 0.235f; // Q^(2/5)
    emitter->power = (BrumeSource){BRUME_SOURCE_RATE, root * root * sqrtf(root)};
    emitter->shape.a.y = sim->origin.y;
    emitter->shape.b.y = sim->origin.y + height;
    emitter->shape.radius = radius;
    emitter->noise = preset->noise;
    emitter->noise_scale = fmaxf(0.5f * radius, 1e-3f);
    emitter->noise_speed = 5.0f;
}
