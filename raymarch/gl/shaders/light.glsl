// Light that arrives inside the medium, and its in-scattering: raymarch/light/scattering.h. A light volume stores
// the eighth root of the transmittance, exp(-tau/8).
uniform sampler3D moments_map; // of the radiance of each color, one above the other: its mean, and those times x, y, z; with GLOWS then those from in and around the glow
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

float phase_hg(float cosine, float g)
{
    float base = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (4.0 * PI * base * sqrt(base));
}

// The mean of phase_draine over a cap of directions of this height: brume_phase_draine_of_cap of raymarch/light/phase.h
float phase_draine_of_cap(float cosine, float g, float alpha, float height)
{
    float blurred = g * (1.0 - 0.5 * height);
    float lobe = phase_draine(cosine, blurred, alpha);
    if (height <= 0.0) {
        return lobe;
    }
    float apart = 1.0 - blurred;
    float edge = sqrt(apart * apart + 2.0 * blurred * height);
    float henyey = (1.0 - blurred * blurred) / (2.0 * PI * apart * edge * (edge + apart));
    float mean = henyey * (1.0 + alpha * cosine * cosine) / (1.0 + alpha * (1.0 + 2.0 * blurred * blurred) / 3.0);
    return mix(lobe, mean, clamp(1.5 - (1.0 - cosine) / height, 0.0, 1.0));
}

// The phase functions of direct and of forward-scattered light [1/sr], for light from a cap of directions of this
// height: brume_phases_of_cap
vec2 phases_of(float cosine, float height)
{
    float g = (1.0 - 0.5 * height) * zenith.w;
    float isotropic = 1.0 / (4.0 * PI);
    float forward = abs(g) < 0.01 ? isotropic * (1.0 + 3.0 * g * cosine)
                                  : isotropic + (phase_hg(cosine, g * g) - isotropic) / g;
    float direct = mix(phase_draine_of_cap(cosine, phase.x, 0.0, height),
                       phase.z > 0.0 ? phase_draine_of_cap(cosine, phase.y, phase.w, height) : 0.0, phase.z);
    return vec2(direct, forward);
}

// scattered radiance per irradiance [1/sr], where `root` is exp(-tau/8)
vec3 scattered_once(vec2 phases, float root, vec3 albedo)
{
    float squared = root * root;
    float fourth = squared * squared;
    float depth = -8.0 * log(max(root, 1e-30));
    vec3 reduced = exp(-depth * (1.0 - zenith.w * albedo));
    return albedo * ((phases.x - phases.y) * (fourth * fourth) + phases.y * reduced);
}

// a point or, with w = 0, a direction [cells] in texture coordinates of the light volume of a directional light
vec3 to_light_volume(int n, vec4 at)
{
    return vec3(dot(directional_lights[n].texture_row[0], at), dot(directional_lights[n].texture_row[1], at),
                dot(directional_lights[n].texture_row[2], at));
}

#if POINT_LIGHTS > 0
// the share of a spot's intensity in a direction from it (brume_spot_share); of other point lights 1
float spot_share(int n, vec3 away)
{
    float cosine = dot(away, point_lights[n].axis.xyz);
    float edge = point_lights[n].axis.w;
    float inside = point_lights[n].position.w;
    float t = clamp((cosine - edge) / max(inside - edge, 1e-9), 0.0, 1.0);
    return cosine >= inside ? 1.0 : t * t * (3.0 - 2.0 * t);
}

// solid angle of a triangle (brume_triangle_angle)
float triangle_angle(vec3 a, vec3 b, vec3 c, float product)
{
    float la = length(a);
    float lb = length(b);
    float lc = length(c);
    return 2.0 * atan(product, la * lb * lc + dot(a, b) * lc + dot(a, c) * lb + dot(b, c) * la);
}

// the light of a rectangle at a point [m] (brume_rectangle_light): xyz mean direction towards it, w its solid angle
vec4 rectangle_light(int n, vec3 at)
{
    vec3 across = point_lights[n].across.xyz;
    vec3 along = point_lights[n].along.xyz;
    vec3 from = point_lights[n].position.xyz - at;
    float height = -dot(from, point_lights[n].axis.xyz);
    if (height <= 0.0) {
        return vec4(-point_lights[n].axis.xyz, 0.0);
    }
    vec3 a = from - along - across;
    vec3 c = from + along + across;
    float product = height * point_lights[n].across.w;
    float angle = triangle_angle(a, from - along + across, c, product) + triangle_angle(a, c, from + along - across, product);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        vec3 to = from + (i % 2 == 0 ? -0.57735 : 0.57735) * across + (i < 2 ? -0.57735 : 0.57735) * along;
        float square = dot(to, to);
        sum += to / (square * square);
    }
    return vec4(normalize(sum), angle);
}

// in-scattered radiance from a light with a position
vec3 point_source(int n, vec3 point, vec3 direction, vec3 albedo)
{
    vec3 at = box.xyz + point * box.w;
    float root = transmittance_root(DIRECTIONAL_LIGHTS + n, point * point_lights[n].per_cell.xyz);
    if (point_lights[n].across.w > 0.0) {
        vec4 light = rectangle_light(n, at);
        vec3 irradiance = point_lights[n].color.rgb * (light.w / point_lights[n].across.w);
        return scattered_once(phases_of(dot(light.xyz, direction), light.w / (2.0 * PI)), root, albedo) * irradiance;
    }
    vec3 away = at - point_lights[n].position.xyz;
    float meters = length(away);
    float cosine = meters > 0.0 ? -dot(away, direction) / meters : 0.0;
    // closer than half a cell, the irradiance is taken at half a cell
    float clamped = max(meters, 0.5 * box.w);
    float share = spot_share(n, away / max(meters, 1e-9));
    return scattered_once(phases_of(cosine, 0.0), root, albedo) *
           point_lights[n].color.rgb * (share / (clamped * clamped));
}
#endif

// moments of one color [texels] at a point [cells] of the box
vec4 moments_at(int color, vec3 point)
{
    vec3 at = point * moments.xyz;
    return textureLod(moments_map, vec3(at.xy, at.z + moments_layer.x + float(color) * moments_layer.y), 0.0);
}

#ifdef GLOWS
// Light with these moments, divided into a beam and the rest (brume_beam_and_rest of raymarch/light/glow_light.h): mean
// radiance of the beam, mean and flux of the rest; both have this `direction`.
vec3 beam_and_rest(vec4 first_moments, out vec3 direction)
{
    float flux = length(first_moments.yzw);
    direction = vec3(0.0);
    if (first_moments.x <= 0.0 || flux <= 0.0) {
        return vec3(0.0, max(first_moments.x, 0.0), 0.0);
    }
    direction = first_moments.yzw / flux;
    float s = min(flux / first_moments.x, 1.0);
    float share = s * s * s;
    return first_moments.x * vec3(share, 1.0 - share, s - share);
}

// scattered radiance of light with these moments (brume_beam_source)
float beam_source(vec4 first_moments, vec3 direction)
{
    vec3 towards;
    vec3 light = beam_and_rest(first_moments, towards);
    float cosine = -dot(towards, direction);
    float beam = light.x > 0.0 ? 4.0 * PI * light.x * phases_of(cosine, 0.0).x : 0.0;
    return max(light.y + 3.0 * zenith.w * light.z * cosine + beam, 0.0);
}

// irradiance / pi of a surface, of one color (brume_glow_irradiance)
float glow_irradiance(int color, vec3 point, vec3 normal)
{
    vec3 towards;
    vec3 light = beam_and_rest(moments.w * moments_at(3 + color, point), towards);
    float cosine = -dot(towards, normal);
    return max(light.y + 2.0 * light.z * cosine, 0.0) + 4.0 * light.x * max(cosine, 0.0);
}

float glow_source(int color, vec3 point, vec3 direction)
{
    return beam_source(moments_at(color, point), direction) + beam_source(moments_at(3 + color, point), direction);
}

// radiance scattered into a view ray, per albedo, of the light whose moments are stored
vec3 moments_source(vec3 point, vec3 direction)
{
    return moments.w * vec3(glow_source(0, point, direction), glow_source(1, point, direction), glow_source(2, point, direction));
}
#else
// radiance scattered into a view ray, per albedo, of the light whose moments are stored
vec3 moments_source(vec3 point, vec3 direction)
{
    vec4 first_moments = vec4(1.0, -3.0 * zenith.w * direction);
    return moments.w * max(vec3(dot(moments_at(0, point), first_moments), dot(moments_at(1, point), first_moments),
                                dot(moments_at(2, point), first_moments)), vec3(0.0));
}
#endif
