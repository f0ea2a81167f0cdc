#include "raymarch/particle_look.h"

#include "core/elementary.h"
#include "core/random.h"
#include "raymarch/blackbody.h"

#include <math.h>

// a number in [-1, 1) of the particle with this id
static float number_of(uint32_t id, uint32_t n) { return 2.0f * brume_unit_float(brume_hash3(id, n, 0)) - 1.0f; }

BrumeVec3 brume_particle_albedo(const BrumeParticleLook *look, uint32_t id)
{
    const float power = 1.0f + look->variation * number_of(id, 4);
    return brume_vec3(brume_powf(look->albedo.x, power), brume_powf(look->albedo.y, power),
                      brume_powf(look->albedo.z, power));
}

BrumeVec3 brume_particle_glow(const BrumeParticleLook *look, float age, float ambient)
{
    const float cooled = brume_expf(-fabsf(age) / look->cooling);
    const float kelvin = ambient + (look->glow - ambient) * cooled;
    return look->glow > 0.0f && kelvin > BRUME_BLACKBODY_COLDEST
               ? brume_scale(brume_blackbody_radiance((double)kelvin), look->glow_intensity)
               : brume_vec3(0.0f, 0.0f, 0.0f);
}

BrumeVec3 brume_plate_axis(const BrumeParticle *particle)
{
    const BrumeVec3 random =
        brume_vec3(number_of(particle->id, 1), number_of(particle->id, 2), number_of(particle->id, 3));
    const BrumeVec3 across = brume_cross(particle->normal, random);
    const bool parallel = !(brume_dot(across, across) > 1e-6f);
    const bool along_x = fabsf(particle->normal.x) > 0.9f;
    return brume_normalize(
        parallel ? brume_cross(particle->normal, brume_vec3(along_x ? 0.0f : 1.0f, along_x ? 1.0f : 0.0f, 0.0f))
                 : across);
}
