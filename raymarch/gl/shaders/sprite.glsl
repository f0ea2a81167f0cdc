// The vertices of a particle's rectangle, with its light: raymarch/cpu/sprites.c.
layout(location = 0) in vec3 sprite_position;
layout(location = 1) in vec3 sprite_velocity;
layout(location = 2) in vec3 sprite_normal;
layout(location = 3) in vec3 sprite_along;
layout(location = 4) in vec3 sprite_outline; // x radius [m], y 1 of a leaf, z translucency
layout(location = 5) in vec3 sprite_albedo;
layout(location = 6) in vec3 sprite_glow;

uniform vec3 sprite_view; // xy width and height of the picture [pixels], z duration of the exposure [s]

flat out vec4 way;     // its middle when the shutter opens and closes [pixels]
flat out mat2 inverse_axes;
flat out float leaf;
flat out vec4 light;   // rgb radiance, a how much it covers
flat out vec3 ambient; // the mean radiance around it
out vec2 place;        // [pixels]

// the place of a point in the picture [pixels], and the pixels of a meter there; 0 behind the camera
vec3 project(vec3 point)
{
    vec3 offset = point - eye.xyz;
    float ahead = dot(offset, forward.xyz);
    float depth = forward.w > 0.0 ? 1.0 : ahead;
    vec3 on_plane = (forward.w > 0.0 ? offset - ahead * forward.xyz : offset / max(ahead, 1e-3)) - corner.xyz;
    float pixels = 1.0 / length(across.xyz);
    vec2 at = vec2(dot(on_plane, across.xyz), dot(on_plane, down.xyz)) * pixels * pixels;
    return vec3(at, ahead > 1e-3 ? pixels / depth : 0.0);
}

// the radiance towards the camera for an irradiance of 1 across the light
float share_of(vec3 view, vec3 towards)
{
    if (sprite_normal != vec3(0.0)) {
        float lit = dot(sprite_normal, towards);
        bool same_side = lit * dot(sprite_normal, view) > 0.0;
        return abs(lit) / PI * (same_side ? 1.0 - sprite_outline.z : sprite_outline.z);
    }
    float c = clamp(dot(view, towards), -1.0, 1.0);
    return 2.0 / (3.0 * PI * PI) * (sqrt(1.0 - c * c) + (PI - acos(c)) * c);
}

// the distance [m] at which a particle gets its light from a direction (light_distance of raymarch/cpu/sprites.c)
float light_distance()
{
#ifdef PARTICLES
    vec3 cells = (sprite_position - box.xyz) / box.w;
    if (all(greaterThanEqual(cells, vec3(0.0))) && all(lessThanEqual(cells, size.xyz))) {
        float extinction = extinction_at(cells);
        extinction -= seen_extinction(extinction, cells);
        return box.w * SHIFT * (1.0 - exp(-max(extinction, 0.0)));
    }
#endif
    return 0.0;
}

// the mean normal of what is seen (mean_normal of raymarch/cpu/sprites.c)
vec3 mean_normal(vec3 view)
{
    float side = dot(sprite_normal, view) < 0.0 ? -1.0 : 1.0;
    return sprite_normal != vec3(0.0) ? side * (1.0 - 2.0 * sprite_outline.z) * sprite_normal : 2.0 / 3.0 * view;
}

// the radiance for the light whose moments are stored, of one color (moments_radiance of raymarch/cpu/sprites.c)
float moments_radiance(int color, vec3 point, vec3 view, vec3 normal)
{
    vec4 other = moments_at(color, point);
    float radiance = max(other.x - 2.0 * dot(normal, other.yzw), 0.0);
#ifdef GLOWS
    vec3 direction;
    vec3 parts = beam_and_rest(moments_at(3 + color, point), direction);
    radiance += max(parts.y - 2.0 * parts.z * dot(normal, direction), 0.0) + 4.0 * PI * parts.x * share_of(view, -direction);
#endif
    return radiance;
}

vec3 radiance_towards(vec3 view)
{
    float to_lit = light_distance();
    vec3 cells = clamp((sprite_position + to_lit * view - box.xyz) / box.w, vec3(0.0), size.xyz);
    ambient = max(moments.w * vec3(moments_at(0, cells).x, moments_at(1, cells).x, moments_at(2, cells).x), 0.0);
    vec3 normal = mean_normal(view);
    vec3 received = moments.w * vec3(moments_radiance(0, cells, view, normal), moments_radiance(1, cells, view, normal),
                                     moments_radiance(2, cells, view, normal));
#if DIRECTIONAL_LIGHTS > 0
    for (int n = 0; n < DIRECTIONAL_LIGHTS; n++) {
        vec3 towards = -directional_lights[n].direction.xyz;
        received += PI * share_of(view, towards) * directional_irradiance(n, sprite_position + to_lit * towards, towards, 0.5);
    }
#endif
#if POINT_LIGHTS > 0
    for (int n = 0; n < POINT_LIGHTS; n++) {
        vec3 towards = normalize(point_lights[n].position.xyz - sprite_position);
        received += PI * share_of(view, towards) * point_irradiance(n, sprite_position + to_lit * towards, towards, 0.5);
    }
#endif
    return sprite_albedo * received + sprite_glow;
}

void main()
{
    vec3 half_way = 0.5 * sprite_view.z * sprite_velocity;
    vec3 first = project(sprite_position - half_way);
    vec3 last = project(sprite_position + half_way);
    float scale = 0.5 * (first.z + last.z);
    float radius = sprite_outline.x * scale;
    vec3 view = forward.w > 0.0 ? -forward.xyz : normalize(eye.xyz - sprite_position);
    way = vec4(first.xy, last.xy);
    leaf = 0.0;
    bool plate = sprite_normal != vec3(0.0);
    mat2 axes = mat2(max(radius, LEAST_RADIUS));
    float area = PI * radius * radius * (plate ? max(abs(dot(sprite_normal, view)), THINNEST) : 1.0);
    if (plate && radius >= LEAST_RADIUS) {
        vec3 right = normalize(across.xyz);
        vec3 below = normalize(down.xyz);
        vec3 a = radius * sprite_along;
        vec3 b = radius * cross(sprite_normal, sprite_along);
        axes = mat2(dot(a, right), dot(a, below), dot(b, right), dot(b, below));
        if (abs(determinant(axes)) < THINNEST * radius * radius) { // seen from its edge
            vec2 longer = dot(axes[0], axes[0]) > dot(axes[1], axes[1]) ? axes[0] : axes[1];
            axes = mat2(longer, THINNEST * vec2(-longer.y, longer.x));
        }
        leaf = sprite_outline.y;
        area = abs(determinant(axes)) * (leaf > 0.0 ? 4.0 / 3.0 : PI);
    }
    bool resolved = plate && radius >= LEAST_RADIUS;
    float reached = abs(determinant(axes)) * (leaf > 0.0 ? 4.0 / 3.0 : PI) + (resolved ? 0.0 : PI / 12.0);
    reached += 2.0 * sqrt(reached / PI) * length(last.xy - first.xy);
    inverse_axes = inverse(axes);
    float reach = sqrt(dot(axes[0], axes[0]) + dot(axes[1], axes[1])) + 1.0;
    vec2 lower = min(first.xy, last.xy) - reach;
    vec2 upper = max(first.xy, last.xy) + reach;
    place = mix(lower, upper, vec2(gl_VertexID & 1, gl_VertexID >> 1));
    bool inside = all(greaterThan(upper, vec2(0.0))) && all(lessThan(lower, sprite_view.xy));
    if (first.z <= 0.0 || last.z <= 0.0 || !inside) {
        light = vec4(0.0);
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    float distance = forward.w > 0.0 ? dot(sprite_position - eye.xyz, forward.xyz) : length(sprite_position - eye.xyz);
    vec3 origin = sprite_position + distance * view;
    light.a = area / reached * transmittance_along(origin, -view, distance, true);
    light.rgb = radiance_towards(view);
    vec2 ndc = vec2(2.0, -2.0) * place / sprite_view.xy + vec2(-1.0, 1.0);
    float w = dot(w_row, vec4(sprite_position, 1.0));
    gl_Position = vec4(ndc * w, dot(depth_row, vec4(sprite_position, 1.0)), w);
}
