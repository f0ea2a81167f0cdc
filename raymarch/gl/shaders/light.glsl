// Light that arrives in the smoke and what of it is scattered on: the octaves of raymarch/scatter.h, the light volumes
// of raymarch/cpu/sweep.h and lamp.c, the sky's of skylight.c. A light volume holds exp(-tau/8).
uniform sampler3D sky_map; // rgb mean radiance from all around, a share of all directions that is seen
#if LIGHTS > 0
uniform sampler3D light_maps[LIGHTS]; // of the suns, then of the lamps

// GLSL 3.30 wants a constant to choose a sampler by
#define LEFT_OF(n) textureLod(light_maps[min(n, LIGHTS - 1)], at, 0.0).r
float left_of_light(int light, vec3 at)
{
    switch (light) {
    case 0: return LEFT_OF(0);
    case 1: return LEFT_OF(1);
    case 2: return LEFT_OF(2);
    case 3: return LEFT_OF(3);
    case 4: return LEFT_OF(4);
    case 5: return LEFT_OF(5);
    case 6: return LEFT_OF(6);
    default: return LEFT_OF(7);
    }
}
#endif

// Henyey and Greenstein's phase function of every octave, times its contribution [1/sr]
vec4 octave_phases(float cosine)
{
    const vec4 scale = vec4(1.0, 0.5, 0.25, 0.125);
    vec4 g = zenith.w * scale;
    vec4 base = 1.0 + g * g - 2.0 * g * cosine;
    return scale * (1.0 - g * g) / (4.0 * PI * base * sqrt(base));
}

// scattered radiance per irradiance [1/sr], where `deepest` is exp(-tau/8)
vec3 octave_sum(vec4 phases, float deepest, vec3 share)
{
    float e2 = deepest * deepest;
    float e1 = e2 * e2;
    vec4 p = phases * vec4(e1 * e1, e1, e2, deepest);
    return share * (p.x + share * (p.y + share * (p.z + share * p.w)));
}

// a place or, with w = 0, a direction [cells] in the texture of a sun's light volume
vec3 in_sun(int n, vec4 at) { return vec3(dot(suns[n].row[0], at), dot(suns[n].row[1], at), dot(suns[n].row[2], at)); }

#if LAMPS > 0
vec3 lamp_source(int n, vec3 place, vec3 direction, vec3 share)
{
    vec3 away = box.xyz + place * box.w - lamps[n].position.xyz;
    float metres = length(away);
    float cosine = metres > 0.0 ? -dot(away, direction) / metres : 0.0;
    // within half a cell of the lamp, its light is what it is at half a cell
    float held = max(metres, 0.5 * box.w);
    float left = left_of_light(SUNS + n, place * lamps[n].per_cell.xyz);
    return octave_sum(octave_phases(cosine), left, share) * lamps[n].color.rgb / (held * held);
}
#endif

vec4 sky_at(vec3 place) { return sky.w * textureLod(sky_map, place * sky.xyz, 0.0); }
