// The radiance behind the smoke: Lambertian solids and ground, and the sky (raymarch/cpu/surfaces.c,
// raymarch/light/skylight.h).
uniform sampler3D ground_light_map; // rgb irradiance / pi of the ground from all directions
uniform sampler3D irradiance_map; // irradiance / pi by the y of the normal; under an image, by its angle and azimuth
uniform sampler3D sky_image_map;  // by longitude and latitude, with a column more at each side

const float GROUND_FADE = 7.0; // [longest sides of the box]
const float GROUND_POINTS = 64.0;
const float IRRADIANCE_ENTRIES = 33.0;
const int SHADOW_RAYS = 4;               // towards a light that has a size
const float AZIMUTHS = 32.0; // of the table of irradiance under an image, the first one repeated at the end

vec3 sky_radiance(vec3 direction)
{
    if (sky_image.w > 0.0) {
        float columns = float(textureSize(sky_image_map, 0).x);
        float turn = fract(atan(direction.z, direction.x) / (2.0 * PI) - sky_image.y);
        vec2 at = vec2((turn * (columns - 2.0) + 1.0) / columns, acos(clamp(direction.y, -1.0, 1.0)) / PI);
        return sky_image.x * textureLod(sky_image_map, vec3(at, 0.5), 0.0).rgb;
    }
    float below_zenith = 1.0 - clamp(direction.y, 0.0, 1.0);
    return mix(zenith.rgb, horizon.rgb, below_zenith * below_zenith * below_zenith);
}

// The pattern of the ground: raymarch/ground.c.
const float PIXEL_ANGLE = 1e-3; // [rad]

vec2 square_wave_mean(vec2 at, vec2 width)
{
    vec2 from = 0.5 * (at - 0.5 * width);
    vec2 to = 0.5 * (at + 0.5 * width);
    return (abs(1.0 - 2.0 * fract(from)) - abs(1.0 - 2.0 * fract(to))) / width;
}

float lattice_value(ivec2 at, int seed)
{
    uint hash = hashed(uint(at.x) ^ hashed(uint(at.y) ^ hashed(uint(seed))));
    return float(hash >> 8) * (1.0 / 16777216.0);
}

float value_noise(vec2 at, int seed)
{
    ivec2 cell = ivec2(floor(at));
    vec2 t = at - floor(at);
    vec2 w = t * t * (3.0 - 2.0 * t);
    float near_row = mix(lattice_value(cell, seed), lattice_value(cell + ivec2(1, 0), seed), w.x);
    float far_row = mix(lattice_value(cell + ivec2(0, 1), seed), lattice_value(cell + ivec2(1, 1), seed), w.x);
    return mix(near_row, far_row, w.y);
}

float ground_noise(vec2 at, float width)
{
    float sum = 0.0;
    float amplitude = 8.0 / 15.0;
    float frequency = 1.0;
    for (int octave = 0; octave < 4; octave++) {
        float resolved = clamp(1.0 / (width * frequency) - 1.0, 0.0, 1.0);
        sum += amplitude * (0.5 + resolved * (value_noise(at * frequency, octave) - 0.5));
        amplitude *= 0.5;
        frequency *= 2.0;
    }
    return sum;
}

vec3 ground_albedo(vec3 point, vec3 direction, float distance)
{
    if (display.w < 0.5) {
        return ground.rgb;
    }
    vec2 at = point.xz * ground_2.w;
    float across = max(distance * PIXEL_ANGLE * ground_2.w, 1e-4);
    vec2 along = abs(direction.xz) / max(length(direction.xz), 1e-6);
    vec2 width = across * max(along / max(abs(direction.y), 1e-6) + along.yx, 1.0);
    vec2 waves = square_wave_mean(at, width);
    float first = display.w < 1.5 ? 0.5 + 0.5 * waves.x * waves.y : ground_noise(at, max(width.x, width.y));
    return mix(ground_2.rgb, ground.rgb, first);
}

// of the sky at the horizon below or above a direction
vec3 horizon_radiance(vec3 direction)
{
    return sky_image.w > 0.0 ? sky_radiance(normalize(vec3(direction.x + 1e-9, 0.0, direction.z))) : horizon.rgb;
}

bool occluded(vec3 origin, vec3 direction, float limit)
{
    bool hit = false;
    int count = int(display.z);
    for (int n = 0; n < count; n++) {
        MeshHit on_mesh;
        vec2 inside = hit ? EMPTY_INTERVAL : ray_solid(origin, direction, solids[n], limit, true, on_mesh);
        hit = hit || (inside.x < inside.y && inside.y > 0.0 && inside.x < limit);
    }
    return hit;
}

// fraction of the sky that solids near a point leave unoccluded (Evans 2006)
float ambient_visibility(vec3 point, vec3 normal, int own)
{
    int count = int(moments_layer.w);
    if (count == 0) {
        return 1.0;
    }
    float occlusion = 0.0;
    float weight = 0.5;
    for (int tap = 1; tap <= 4; tap++) {
        float height = 0.25 * size.w * float(tap * tap) / 16.0;
        float nearest = height;
        for (int n = 0; n < count; n++) {
            nearest = n == own ? nearest : min(nearest, solid_distance(point + height * normal, solids[n], height));
        }
        occlusion += weight * (height - max(nearest, 0.0)) / height;
        weight *= 0.6;
    }
    return 1.0 - 0.8 * occlusion / 1.088;
}

vec3 unoccluded_irradiance(vec3 normal)
{
    if (sky_image.w > 0.0) {
        float angle = (1.0 - acos(clamp(normal.y, -1.0, 1.0)) / PI) * (IRRADIANCE_ENTRIES - 1.0);
        float turn = abs(normal.y) < 1.0 ? fract(atan(normal.z, normal.x) / (2.0 * PI)) : 0.0;
        vec2 texel = vec2((angle + 0.5) / IRRADIANCE_ENTRIES, (turn * AZIMUTHS + 0.5) / (AZIMUTHS + 1.0));
        return moments.w * textureLod(irradiance_map, vec3(texel, 0.5), 0.0).rgb;
    }
    float at = (clamp(normal.y, -1.0, 1.0) + 1.0) * (0.5 * (IRRADIANCE_ENTRIES - 1.0));
    return moments.w * textureLod(irradiance_map, vec3((at + 0.5) / IRRADIANCE_ENTRIES, 0.5, 0.5), 0.0).rgb;
}

// irradiance / pi of a point of a solid or a wall from all directions
vec3 irradiance_of_solid(vec3 point, vec3 normal, int own)
{
    vec3 in_cells = (point - box.xyz) / box.w;
    bool is_solid = own >= 0 && own < int(moments_layer.w); // streamlines are not in the moments
    vec3 at = in_cells + (is_solid ? normal * moments_layer.z : vec3(0.0));
    vec3 in_box = clamp(at, vec3(0.0), size.xyz);
    vec3 nearest = clamp(in_cells, vec3(0.0), size.xyz);
    float distance = length(in_cells - nearest) * box.w / size.w;
    float share = 1.0 / (1.0 + 4.0 * distance * distance);
    vec4 into = vec4(1.0, -2.0 * normal);
    vec3 change = vec3(dot(moments.w * moments_at(0, in_box) - unoccluded[0], into),
                       dot(moments.w * moments_at(1, in_box) - unoccluded[1], into),
                       dot(moments.w * moments_at(2, in_box) - unoccluded[2], into));
    vec3 without = unoccluded_irradiance(normal);
#ifdef GLOWS
    without += share * vec3(glow_irradiance(0, nearest, normal), glow_irradiance(1, nearest, normal),
                            glow_irradiance(2, nearest, normal));
#endif
    vec3 with_smoke = max(without + change * share, vec3(0.0));
    float visible = share < 1.0 ? mix(ambient_visibility(point, normal, own), 1.0, share) : 1.0;
    vec4 solid = is_solid ? solids[own].albedo : vec4(0.0);
    return visible * with_smoke / (1.0 + share * solid.w * (1.0 - solid.rgb));
}

// irradiance / pi of a point of the ground from all directions
vec3 irradiance_of_ground(vec3 point)
{
    vec2 at = (point.xz - ground_map.xy) * ground_map.zw;
    vec2 texel = (clamp(at, 0.0, 1.0) * (GROUND_POINTS - 1.0) + 0.5) / GROUND_POINTS;
    vec3 of_map = moments.w * textureLod(ground_light_map, vec3(texel, 0.5), 0.0).rgb;
#ifdef GLOWS
    // beyond the map, the light of glowing smoke is as the light of a point light
    vec2 nearest = ground_map.xy + clamp(at, 0.0, 1.0) / ground_map.zw;
    vec3 from_edge = vec3(nearest.x, horizon.w, nearest.y) - glow_middle.xyz;
    vec3 from_point = vec3(point.x, horizon.w, point.z) - glow_middle.xyz;
    float nearer = dot(from_edge, from_edge) / max(dot(from_point, from_point), 1e-12);
    return mix(ground_light.rgb, of_map, nearer * sqrt(nearer));
#else
    // the irradiance changes to the irradiance without smoke at the edges of the map
    float to_edge = 10.0 * min(min(at.x, 1.0 - at.x), min(at.y, 1.0 - at.y));
    float weight = clamp(to_edge, 0.0, 1.0);
    return mix(ground_light.rgb, of_map, weight * weight * (3.0 - 2.0 * weight));
#endif
}

// irradiance / pi from one light, shadowed by solids and smoke
vec3 direct_light(vec3 point, vec3 normal, vec3 towards, float distance, vec3 irradiance)
{
    float cosine = dot(towards, normal);
    if (cosine <= 0.0 || occluded(point, towards, distance)) {
        return vec3(0.0);
    }
    return irradiance * (cosine * transmittance_along(point, towards, distance, false) / PI);
}

// the place of a shadow ray towards a light that has a size (brume_shadow_place)
vec2 shadow_place(float jitter, int ray)
{
    float u = min((float(ray) + jitter) / float(SHADOW_RAYS), 0.99999994);
    return vec2(u, fract(109.0 * u));
}

// a direction of the cap around the unit vector `axis` (brume_cap_direction)
vec3 cap_direction(vec3 axis, float height, vec2 place)
{
    float side = axis.z < 0.0 ? -1.0 : 1.0;
    float a = -1.0 / (side + axis.z);
    float b = axis.x * axis.y * a;
    vec3 s = vec3(1.0 + side * axis.x * axis.x * a, side * b, -side * axis.x);
    vec3 t = vec3(b, side + axis.y * axis.y * a, -axis.y);
    float below = place.x * height;
    float azimuth = 2.0 * PI * place.y;
    return (1.0 - below) * axis + sqrt(max(0.0, below * (2.0 - below))) * (cos(azimuth) * s + sin(azimuth) * t);
}

#if DIRECTIONAL_LIGHTS > 0
vec3 directional_irradiance(int n, vec3 point, vec3 normal, float jitter)
{
    vec3 middle = -directional_lights[n].direction.xyz;
    float height = directional_lights[n].direction.w;
    vec3 irradiance = vec3(0.0);
    int rays = height > 0.0 ? SHADOW_RAYS : 1;
    for (int i = 0; i < rays; i++) {
        vec3 towards = height > 0.0 ? cap_direction(middle, height, shadow_place(jitter, i)) : middle;
        if (towards.y > 0.0 || ground.w == 0.0) {
            irradiance += direct_light(point, normal, towards, FAR, directional_lights[n].color.rgb);
        }
    }
    return irradiance / float(rays);
}
#endif

#if POINT_LIGHTS > 0
// from a light with a position; a rectangle by shadow rays to places on it
vec3 point_irradiance(int n, vec3 point, vec3 normal, float jitter)
{
    bool is_rectangle = point_lights[n].across.w > 0.0;
    vec3 irradiance = vec3(0.0);
    int rays = is_rectangle ? SHADOW_RAYS : 1;
    for (int i = 0; i < rays; i++) {
        vec2 place = 2.0 * shadow_place(jitter, i) - 1.0;
        vec3 light = point_lights[n].position.xyz + place.x * point_lights[n].across.xyz + place.y * point_lights[n].along.xyz;
        vec3 to_light = light - point;
        float distance = max(length(to_light), 1e-9);
        vec3 away = -to_light / distance;
        float share = is_rectangle ? max(dot(away, point_lights[n].axis.xyz), 0.0) : spot_share(n, away);
        if (light.y > horizon.w || ground.w == 0.0) {
            vec3 at_distance = point_lights[n].color.rgb * (share / (distance * distance));
            irradiance += direct_light(point, normal, -away, distance, at_distance);
        }
    }
    return irradiance / float(rays);
}
#endif

vec3 lambertian_radiance(vec3 point, vec3 normal, vec3 reflectance, int own, float jitter)
{
    vec3 irradiance; // / pi, from all directions
    if (own == GROUND) {
        irradiance = normal.y > 0.0 ? irradiance_of_ground(point) : unoccluded_irradiance(normal);
    } else {
        irradiance = irradiance_of_solid(point, normal, own);
    }
    // shadow rays start off the surface by far more than rounding errors and far less than a visible detail
    vec3 start = point + 1e-4 * size.w * normal;
#if DIRECTIONAL_LIGHTS > 0
    for (int n = 0; n < DIRECTIONAL_LIGHTS; n++) {
        irradiance += directional_irradiance(n, start, normal, jitter);
    }
#endif
#if POINT_LIGHTS > 0
    for (int n = 0; n < POINT_LIGHTS; n++) {
        irradiance += point_irradiance(n, start, normal, jitter);
    }
#endif
    return reflectance * irradiance;
}

#ifdef SAMPLED
float pressure_in_box(vec3 point)
{
    float value;
    value_at(clamp(point, solids[PRESSURE].a.xyz, solids[PRESSURE].b.xyz), solids[PRESSURE], value);
    return value;
}

// the color of the pressure coefficient at a surface (raymarch/flow_view.c)
vec3 pressure_color(vec3 point, vec3 normal)
{
    float near = pressure_in_box(point + 0.75 * box.w * normal);
    float far = pressure_in_box(point + 1.75 * box.w * normal);
    float value = near + 0.75 * (near - far);
    float at = 3.0 * clamp((value - pressure_map[0].w) / (pressure_map[3].w - pressure_map[0].w), 0.0, 1.0);
    int knot = min(int(at), 2);
    return mix(pressure_map[knot].rgb, pressure_map[knot + 1].rgb, at - float(knot));
}
#endif

#ifdef SAMPLED
float turns(float y, float x) { return 0.5 + atan(y, x) / (2.0 * PI); }

// on a cylinder, a cone or a capsule
vec2 axis_uv(vec3 point, Solid solid)
{
    bool is_round = int(solid.b.w) == CAPSULE;
    vec3 axis = solid.b.xyz - solid.a.xyz;
    float axis_length = length(axis);
    vec3 unit = axis_length > 0.0 ? axis / axis_length : vec3(0.0, 1.0, 0.0);
    vec3 from_a = point - solid.a.xyz;
    float along = dot(from_a, unit);
    float share = unit.y > -0.999999 ? 1.0 / (1.0 + unit.y) : 0.0;
    vec3 front = vec3(-unit.x * unit.z * share, -unit.z, 1.0 - unit.z * unit.z * share);
    vec2 across = vec2(dot(from_a, cross(unit, front)), dot(from_a, front));
    bool at_b = along > 0.5 * axis_length;
    float widening = int(solid.b.w) == CONE ? solid.more.x - solid.a.w : 0.0;
    float beyond_end = (at_b ? along : axis_length - along) - axis_length;
    float beyond_side = ((length(across) - solid.a.w) * axis_length - widening * along) / length(vec2(axis_length, widening));
    if (!is_round && beyond_end > beyond_side) {
        return 0.5 + vec2(across.x, at_b ? -across.y : across.y) / (2.0 * (at_b ? solid.a.w + widening : solid.a.w));
    }
    float round_end = is_round ? solid.a.w : 0.0;
    return vec2(turns(across.x, across.y), (along + round_end) / (axis_length + 2.0 * round_end));
}

// on the side of a box
vec2 box_uv(vec3 at)
{
    vec3 outside = abs(at - 0.5);
    if (outside.y > outside.x && outside.y > outside.z) {
        return vec2(at.x, at.y > 0.5 ? 1.0 - at.z : at.z);
    }
    return outside.x > outside.z ? vec2(at.x > 0.5 ? 1.0 - at.z : at.z, at.y) : vec2(at.z > 0.5 ? at.x : 1.0 - at.x, at.y);
}

// the coordinates of a point of the own frame in the texture of a solid (raymarch/surface_albedo.c)
vec2 solid_uv(vec3 point, Solid solid, MeshHit on_mesh)
{
    int kind = int(solid.b.w);
    vec3 p = point - solid.a.xyz;
    if (kind == MESH) {
        return mesh_uv(solid, on_mesh);
    }
    if (kind == SPHERE) {
        return vec2(turns(p.x, p.z), 0.5 + asin(clamp(normalize(p).y, -1.0, 1.0)) / PI);
    }
    if (kind == TORUS) {
        return vec2(turns(p.x, p.z), turns(p.y, length(p.xz) - solid.a.w));
    }
    if (kind == PLANE) {
        return vec2(p.x, -p.z);
    }
    return kind == BOX ? box_uv(p / (solid.b.xyz - solid.a.xyz)) : axis_uv(point, solid);
}
#endif

vec3 surface_radiance(vec3 origin, vec3 direction, SurfaceHit hit, float jitter)
{
    if (hit.id == SKY) {
        return sky_radiance(direction);
    }
    vec3 point = origin + hit.distance * direction;
    vec3 normal = vec3(0.0, direction.y < 0.0 ? 1.0 : -1.0, 0.0);
    vec3 reflectance = walls.rgb;
    float weight = 1.0;
    if (hit.id == GROUND) {
        point.y = horizon.w;
        float scaled = hit.distance / size.w / GROUND_FADE;
        weight = exp(-scaled * scaled);
        if (weight < 1e-4) { // invisible: not shaded
            return horizon_radiance(direction);
        }
        reflectance = ground_albedo(point, direction, hit.distance);
    } else if (hit.id <= WALL) {
        normal = wall_normal(hit.id);
    } else {
        reflectance = solids[hit.id].albedo.rgb;
#ifdef SAMPLED
        if (solids[hit.id].picture.x >= 0.0) {
            vec2 uv = solid_uv(own_point(point, solids[hit.id]), solids[hit.id], hit.on_mesh);
            reflectance *= texture_color(solids[hit.id].picture.x, uv);
        } else if (hit.on_mesh.triangle >= 0 && int(solids[hit.id].b.w) == MESH) {
            reflectance *= mesh_color(solids[hit.id], hit.on_mesh);
        }
#endif
        normal = seen_normal(point, solids[hit.id], hit.on_mesh, direction);
#ifdef SAMPLED
        if (pressure_map[1].w > 0.0 && hit.id < int(moments_layer.w)) {
            reflectance = pressure_color(point, normal);
        }
#endif
    }
    vec3 reflected = lambertian_radiance(point, normal, reflectance, hit.id, jitter);
    return weight < 1.0 ? mix(horizon_radiance(direction), reflected, weight) : reflected;
}
