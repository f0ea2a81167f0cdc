// Radiative transfer, with extinction and source constant over each step: raymarch/cpu/march.c.
//
//     L += T * J * (1 - exp(-sigma ds)),   T *= exp(-sigma ds)
const float OPAQUE = 1e-4; // a march ends where the transmittance is below this

// rgb radiance of the smoke, a its transmittance
vec4 march(vec3 origin, vec3 direction, float limit, float jitter)
{
    Traversal traversal = begin_traversal(origin, direction, limit, jitter, picture.w);
#if DIRECTIONAL_LIGHTS > 0
    vec2 phases[DIRECTIONAL_LIGHTS];
    vec3 entry[DIRECTIONAL_LIGHTS]; // coordinates in a light volume are affine in the distance along the ray
    vec3 per_length[DIRECTIONAL_LIGHTS];
    for (int n = 0; n < DIRECTIONAL_LIGHTS; n++) {
        entry[n] = to_light_volume(n, vec4(traversal.origin, 1.0));
        per_length[n] = to_light_volume(n, vec4(direction, 0.0));
        phases[n] = phases_of(-dot(directional_lights[n].direction.xyz, direction), directional_lights[n].direction.w);
    }
#endif
    vec3 radiance = vec3(0.0);
    float transmittance = 1.0;
    int at = traversal.first;
    while (at < traversal.end && transmittance > OPAQUE) {
        vec3 point;
        vec2 midpoint;
        float extinction = next_smoke(traversal, at, point, midpoint);
        if (extinction <= 0.0) {
            break;
        }
        extinction = seen_extinction(extinction, point);
        vec3 albedo_here = albedo_at(point);
        vec3 source = albedo_here * moments_source(point, direction);
#if DIRECTIONAL_LIGHTS > 0
        for (int n = 0; n < DIRECTIONAL_LIGHTS; n++) {
            float root = transmittance_root(n, entry[n] + midpoint.x * per_length[n]);
            source += scattered_once(phases[n], root, albedo_here) * directional_lights[n].color.rgb;
        }
#endif
#if POINT_LIGHTS > 0
        for (int n = 0; n < POINT_LIGHTS; n++) {
            source += point_source(n, point, direction, albedo_here);
        }
#endif
#ifdef GLOWS
        source += emission_at(point, albedo_here);
#endif
        float behind = transmittance * exp(-extinction * midpoint.y);
        radiance += source * (transmittance - behind);
        transmittance = behind;
    }
    return vec4(radiance, transmittance);
}
