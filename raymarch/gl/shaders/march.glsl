// Through the smoke: emission-free radiative transfer, with the source held over each step (raymarch/cpu/march.c).
//
//     L += T * J * (1 - exp(-sigma ds)),   T *= exp(-sigma ds)
const float OPAQUE = 1e-4; // what is left behind the smoke is not worth another step below this

// rgb what the smoke adds, a what it leaves
vec4 march(vec3 origin, vec3 direction, float limit, float jitter)
{
    Walk walk = begin_walk(origin, direction, limit, jitter, picture.w);
#if SUNS > 0
    vec4 phases[SUNS];
    vec3 entry[SUNS]; // a sun's coordinates grow evenly along the ray
    vec3 speed[SUNS];
    for (int n = 0; n < SUNS; n++) {
        entry[n] = in_sun(n, vec4(walk.origin, 1.0));
        speed[n] = in_sun(n, vec4(direction, 0.0));
        phases[n] = octave_phases(-dot(suns[n].travel.xyz, direction));
    }
#endif
    vec3 radiance = vec3(0.0);
    float left = 1.0;
    int at = walk.first;
    while (at < walk.end && left > OPAQUE) {
        vec3 place;
        vec2 middle;
        float extinction = seek_smoke(walk, at, place, middle);
        if (extinction <= 0.0) {
            break;
        }
        vec3 share = albedo_at(place);
        vec3 source = share * sky_at(place).rgb;
#if SUNS > 0
        for (int n = 0; n < SUNS; n++) {
            float seen = left_of_light(n, entry[n] + middle.x * speed[n]);
            source += octave_sum(phases[n], seen, share) * suns[n].color.rgb;
        }
#endif
#if LAMPS > 0
        for (int n = 0; n < LAMPS; n++) {
            source += lamp_source(n, place, direction, share);
        }
#endif
        float behind = left * exp(-extinction * middle.y);
        radiance += source * (left - behind);
        left = behind;
    }
    return vec4(radiance, left);
}
