// What stands behind the smoke: Lambertian solids and ground under the lights and the sky, and the sky itself
// (raymarch/cpu/surfaces.c, raymarch/sky.h).
uniform sampler3D ground_map_texture; // share of the sky that the ground sees
uniform sampler3D normals_map;        // irradiance over pi on a surface whose normal's y goes from -1 to 1

const float GROUND_FADE = 7.0; // sides of the box
const float GROUND_POINTS = 64.0;
const float NORMALS = 33.0;

vec3 sky_radiance(vec3 direction)
{
    float missing = 1.0 - clamp(direction.y, 0.0, 1.0);
    return mix(zenith.rgb, horizon.rgb, missing * missing * missing);
}

bool solid_on_ray(vec3 origin, vec3 direction, float limit)
{
    bool met = false;
    int count = int(display.z);
    for (int n = 0; n < count; n++) {
        vec2 inside = ray_solid(origin, direction, solids[n]);
        met = met || (inside.x < inside.y && inside.y > 0.0 && inside.x < limit);
    }
    return met;
}

// share of the sky that solids near a place leave free (Evans 2006)
float openness(vec3 point, vec3 normal, int own)
{
    int count = int(display.z);
    if (count == 0) {
        return 1.0;
    }
    float closed = 0.0;
    float weight = 0.5;
    for (int tap = 1; tap <= 4; tap++) {
        float height = 0.25 * size.w * float(tap * tap) / 16.0;
        float nearest = height;
        for (int n = 0; n < count; n++) {
            float apart = solid_distance(point + height * normal, solids[n]);
            nearest = n == own ? nearest : min(nearest, apart);
        }
        closed += weight * (height - max(nearest, 0.0)) / height;
        weight *= 0.6;
    }
    return 1.0 - 0.8 * closed / 1.088;
}

// share of the light from all around that the smoke leaves to a solid
float smoke_openness(vec3 point)
{
    vec3 place = (point - box.xyz) / box.w;
    vec3 held = clamp(place, vec3(0.0), size.xyz);
    float apart = length(place - held) * box.w / size.w;
    return 1.0 + (sky_at(held).a - 1.0) / (1.0 + 4.0 * apart * apart);
}

// share of the sky that a place of the ground sees
float ground_openness(vec3 point)
{
    vec2 at = (point.xz - ground_map.xy) * ground_map.zw;
    // the map ends in full view of the sky
    float to_edge = 10.0 * min(min(at.x, 1.0 - at.x), min(at.y, 1.0 - at.y));
    float held = clamp(to_edge, 0.0, 1.0);
    vec2 texel = (clamp(at, 0.0, 1.0) * (GROUND_POINTS - 1.0) + 0.5) / GROUND_POINTS;
    float share = textureLod(ground_map_texture, vec3(texel, 0.5), 0.0).r;
    return 1.0 + (share - 1.0) * held * held * (3.0 - 2.0 * held);
}

vec3 light_on_normal(vec3 normal)
{
    float at = (clamp(normal.y, -1.0, 1.0) + 1.0) * (0.5 * (NORMALS - 1.0));
    return sky.w * textureLod(normals_map, vec3((at + 0.5) / NORMALS, 0.5, 0.5), 0.0).rgb;
}

// irradiance over pi from one light, in the shadow of solids and smoke
vec3 lit_by(vec3 point, vec3 normal, vec3 towards, float apart, vec3 irradiance)
{
    float cosine = dot(towards, normal);
    if (cosine <= 0.0 || solid_on_ray(point, towards, apart)) {
        return vec3(0.0);
    }
    return irradiance * (cosine * transmittance_along(point, towards, apart) / PI);
}

vec3 surface_radiance(vec3 point, vec3 normal, vec3 share, int own)
{
    float clear = own == GROUND ? ground_openness(point) : smoke_openness(point);
    vec3 light = light_on_normal(normal) * openness(point, normal, own) * clear;
    // off the surface by far more than rounding and far less than what is seen
    vec3 start = point + 1e-4 * size.w * normal;
#if SUNS > 0
    for (int n = 0; n < SUNS; n++) {
        light += lit_by(start, normal, -suns[n].travel.xyz, FAR, suns[n].color.rgb);
    }
#endif
#if LAMPS > 0
    for (int n = 0; n < LAMPS; n++) {
        vec3 to_lamp = lamps[n].position.xyz - start;
        float apart = max(length(to_lamp), 1e-9);
        light += lit_by(start, normal, to_lamp / apart, apart, lamps[n].color.rgb / (apart * apart));
    }
#endif
    return share * light;
}

vec3 backdrop_radiance(vec3 origin, vec3 direction, Hit hit)
{
    if (hit.id == SKY) {
        return sky_radiance(direction);
    }
    vec3 point = origin + hit.distance * direction;
    vec3 normal = vec3(0.0, direction.y < 0.0 ? 1.0 : -1.0, 0.0);
    vec3 share = ground.rgb;
    float seen = 1.0;
    if (hit.id == GROUND) {
        point.y = horizon.w;
        float faded = hit.distance / size.w / GROUND_FADE;
        seen = exp(-faded * faded);
        if (seen < 1e-4) { // shading what cannot be seen
            return horizon.rgb;
        }
    } else {
        share = solids[hit.id].albedo.rgb;
        normal = solid_normal(point, solids[hit.id]);
        normal = dot(normal, direction) > 0.0 ? -normal : normal; // seen from inside
    }
    return mix(horizon.rgb, surface_radiance(point, normal, share, hit.id), seen);
}
