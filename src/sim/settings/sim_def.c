#include "brume/sim_def.h"

#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"

#include <stddef.h>

static const BrumeParticleDef particle_defaults[BRUME_PARTICLE_KINDS] = {
    [BRUME_PARTICLE_DUST] = {BRUME_PARTICLE_TRACER, 2e-4f, 0.5f, 1e-4f, 2650.0f, 0.0f, 0.2f, 0.5f, false},
    [BRUME_PARTICLE_EMBERS] = {BRUME_PARTICLE_SPHERE, 0.003f, 0.6f, 1e-4f, 40.0f, 3.0f, 0.3f, 0.5f, false},
    [BRUME_PARTICLE_LEAVES] = {BRUME_PARTICLE_PLATE, 0.05f, 0.4f, 3e-4f, 400.0f, 0.0f, 0.1f, 0.6f, false},
    [BRUME_PARTICLE_FLAKES] = {BRUME_PARTICLE_PLATE, 0.005f, 0.6f, 1e-4f, 100.0f, 0.0f, 0.0f, 0.8f, false},
};

BrumeSimDef brume_default_sim_def(void)
{
    BrumeSimDef def = {.nx = 0};
    brume_settings_set_defaults(brume_sim_setting_table, BRUME_SIM_SETTING_COUNT, &def);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        brume_settings_set_defaults(brume_smoke_setting_table, BRUME_SMOKE_SETTING_COUNT, &def.smoke[kind]);
    }
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        def.particles[kind] = particle_defaults[kind];
    }
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    return def;
}

BrumeEmitterDef brume_default_emitter_def(void)
{
    BrumeEmitterDef def = {.start = 0.0f};
    brume_settings_set_defaults(brume_emitter_setting_table, BRUME_EMITTER_SETTING_COUNT, &def);
    return def;
}

bool brume_body_is_solid(const BrumeBodyDef *body) { return !body->disabled && !body->passable; }

bool brume_has_bodies(const BrumeSimDef *def)
{
    for (int n = 0; n < def->body_count; n++) {
        if (brume_body_is_solid(&def->bodies[n])) {
            return true;
        }
    }
    return false;
}

BrumeShape brume_placed_shape(const BrumeBodyDef *bodies, int parent, const BrumeShape *shape)
{
    BrumeShape placed = *shape;
    for (int next = parent; next > 0; next = bodies[next - 1].parent) {
        placed = brume_shape_out_of(&bodies[next - 1].shape, &placed);
    }
    return placed;
}

BrumeShape brume_body_shape(const BrumeSimDef *def, int body)
{
    return brume_placed_shape(def->bodies, def->bodies[body].parent, &def->bodies[body].shape);
}

BrumeShape brume_emitter_shape(const BrumeSimDef *def, int emitter)
{
    const BrumeEmitterDef *const own = &def->emitters[emitter];
    return own->body > 0 ? brume_body_shape(def, own->body - 1)
                         : brume_placed_shape(def->bodies, own->parent, &own->shape);
}

const char *brume_force_name(BrumeForceKind kind)
{
    return brume_setting_word(&brume_emitter_setting_table[BRUME_EMITTER_FORCE_KIND], (int)kind);
}

bool brume_has_vapor(const BrumeSimDef *def) { return def->vapor.kind > 0; }

bool brume_box_contains(const BrumeSimDef *def, BrumeVec3 place)
{
    const BrumeVec3 size = brume_vec3((float)def->nx, (float)def->ny, (float)def->nz);
    const BrumeVec3 upper = brume_add(def->origin, brume_scale(size, def->dx));
    return brume_least(brume_sub(place, def->origin)) >= 0.0f && brume_least(brume_sub(upper, place)) >= 0.0f;
}

bool brume_has_fuel(const BrumeSimDef *def) { return def->fire.model != BRUME_FIRE_NONE; }

bool brume_emits_fuel(const BrumeEmitterDef *emitter)
{
    return emitter->fuel.mode != BRUME_SOURCE_NONE || emitter->power.mode != BRUME_SOURCE_NONE;
}

int brume_first_fueled_emitter(const BrumeSimDef *def)
{
    int n = 0;
    while (n < def->emitter_count && !brume_emits_fuel(&def->emitters[n])) {
        n++;
    }
    return n < def->emitter_count ? n : -1;
}

bool brume_emitter_has_scalars(const BrumeEmitterDef *emitter)
{
    bool found = emitter->temperature.mode != BRUME_SOURCE_NONE || brume_emits_fuel(emitter);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        found = found || emitter->smoke[kind].mode != BRUME_SOURCE_NONE;
    }
    return found;
}

const char *brume_particle_kind_name(BrumeParticleKind kind) { return brume_particle_kind_words[kind]; }

bool brume_emits_particles(const BrumeEmitterDef *emitter)
{
    bool emits = false;
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        emits = emits || emitter->particles[kind] > 0.0f;
    }
    return emits;
}

bool brume_emitter_has_source(const BrumeEmitterDef *emitter)
{
    return brume_emits_particles(emitter) || brume_emitter_has_scalars(emitter) ||
           emitter->velocity.mode != BRUME_SOURCE_NONE || emitter->force.kind != BRUME_FORCE_NONE;
}

float brume_emitter_reach(const BrumeEmitterDef *emitter)
{
    const float of_sources = emitter->from == BRUME_EMIT_VOLUME ? 0.0f : emitter->thickness;
    return brume_fmaxf(of_sources, emitter->force.kind == BRUME_FORCE_ATTRACTION ? emitter->force.range : 0.0f);
}

bool brume_all_periodic(const BrumeSimDef *def)
{
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (def->faces[face].kind != BRUME_PERIODIC) {
            return false;
        }
    }
    return true;
}

bool brume_emits_smoke(const BrumeSimDef *def, int kind)
{
    bool emits = brume_has_fuel(def) && def->fire.soot_kind == kind && def->fire.soot > 0.0f;
    emits = emits || (brume_has_vapor(def) && (def->vapor.kind == kind + 1 || def->vapor.liquid == kind));
    for (int n = 0; n < def->emitter_count; n++) {
        emits = emits || def->emitters[n].smoke[kind].mode != BRUME_SOURCE_NONE;
    }
    for (int n = 0; n < def->initial_count; n++) {
        emits = emits || def->initial[n].quantity == BRUME_INITIAL_DENSITY + kind;
    }
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        emits = emits || (def->faces[side].kind == BRUME_INFLOW && def->faces[side].smoke[kind] > 0.0f);
    }
    return emits;
}
