// Light that arrives inside the medium, and its in-scattering: raymarch/light/scattering.h. A light volume stores
// the eighth root of the transmittance, exp(-tau/8).
uniform sampler3D sky_map; // rgb mean radiance from all directions, a unoccluded fraction of directions
#if LIGHTS > 0
uniform sampler3D light_maps[LIGHTS]; // of the directional lights, then of the point lights

// GLSL 3.30 indexes arrays of samplers by constants only
#define ROOT_OF(n) textureLod(light_maps[min(n, LIGHTS - 1)], at, 0.0).r
float transmittance_root(int light, vec3 at)
{
    switch (light) {
    case 0: return ROOT_OF(0);
    case 1: return ROOT_OF(1);
    case 2: return ROOT_OF(2);
    case 3: return ROOT_OF(3);
    case 4: return ROOT_OF(4);
    case 5: return ROOT_OF(5);
    case 6: return ROOT_OF(6);
    default: return ROOT_OF(7);
    }
}
#endif

// Draine's phase function [1/sr]: brume_phase_draine of raymarch/light/phase.h
float phase_draine(float cosine, float g, float alpha)
{
    float base = (1.0 - g) * (1.0 - g) + 2.0 * g * (1.0 - cosine);
    float lobe = (1.0 - g * g) / (4.0 * PI * base * sqrt(base));
    return lobe * (1.0 + alpha * cosine * cosine) / (1.0 + alpha * (1.0 + 2.0 * g * g) / 3.0);
}

// The phase function of every octave, times its contribution [1/sr]: that of the settings, and after it lobes of Henyey
// and Greenstein.
vec4 octave_phases(float cosine)
{
    const vec4 scale = vec4(1.0, 0.5, 0.25, 0.125);
    vec4 g = zenith.w * scale;
    vec4 base = 1.0 + g * g - 2.0 * g * cosine;
    vec4 phases = scale * (1.0 - g * g) / (4.0 * PI * base * sqrt(base));
    if (phase.z > 0.0) {
        phases.x = mix(phase_draine(cosine, phase.x, 0.0), phase_draine(cosine, phase.y, phase.w), phase.z);
    }
    return phases;
}

// scattered radiance per irradiance [1/sr], where `root` is exp(-tau/8)
vec3 octave_sum(vec4 phases, float root, vec3 albedo)
{
    float e2 = root * root;
    float e1 = e2 * e2;
    vec4 p = phases * vec4(e1 * e1, e1, e2, root);
    return albedo * (p.x + albedo * (p.y + albedo * (p.z + albedo * p.w)));
}

// a point or, with w = 0, a direction [cells] in texture coordinates of the light volume of a directional light
vec3 to_light_volume(int n, vec4 at)
{
    return vec3(dot(directional_lights[n].texture_row[0], at), dot(directional_lights[n].texture_row[1], at),
                dot(directional_lights[n].texture_row[2], at));
}

#if POINT_LIGHTS > 0
// in-scattered radiance from a point light
vec3 point_source(int n, vec3 point, vec3 direction, vec3 albedo)
{
    vec3 away = box.xyz + point * box.w - point_lights[n].position.xyz;
    float metres = length(away);
    float cosine = metres > 0.0 ? -dot(away, direction) / metres : 0.0;
    // closer than half a cell, the irradiance is that at half a cell
    float clamped = max(metres, 0.5 * box.w);
    float root = transmittance_root(DIRECTIONAL_LIGHTS + n, point * point_lights[n].per_cell.xyz);
    return octave_sum(octave_phases(cosine), root, albedo) * point_lights[n].color.rgb / (clamped * clamped);
}
#endif

vec4 sky_at(vec3 point) { return sky.w * textureLod(sky_map, point * sky.xyz, 0.0); }
