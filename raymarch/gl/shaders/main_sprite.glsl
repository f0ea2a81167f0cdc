// The pixels of a particle: how much of each it covers, brume_sprite_cover.
flat in vec4 way;
flat in mat2 inverse_axes;
flat in float leaf;
flat in vec4 light;
flat in vec3 ambient;
in vec2 place;
layout(location = 0, index = 0) out vec4 color;   // is added
layout(location = 0, index = 1) out vec4 covered; // the part of what is there that is taken away

void main()
{
    vec2 moved = way.zw - way.xy;
    vec2 offset = place - way.xy;
    float squared = dot(moved, moved);
    offset -= moved * (squared > 0.0 ? clamp(dot(offset, moved) / squared, 0.0, 1.0) : 0.0);
    vec2 at = inverse_axes * offset;
    float radius = length(at);
    float inside = leaf > 0.0 ? 0.5 * (1.0 - at.x * at.x) - abs(at.y) : 1.0 - radius;
    vec2 slope = leaf > 0.0 ? vec2(-at.x, at.y < 0.0 ? 1.0 : -1.0) : radius > 0.0 ? -at / radius : vec2(0.0, -1.0);
    float pixels = inside / max(length(slope * inverse_axes), 1e-6);
    float cover = clamp(pixels + 0.5, 0.0, 1.0);
    // exact where the radiance behind the particle is the mean radiance around it
    vec3 together = srgb_from_linear(tone_curve((1.0 - light.a) * ambient + light.a * light.rgb));
    vec3 alone = srgb_from_linear(tone_curve(ambient));
    vec3 added = together - (1.0 - light.a) * alone;
    // a framebuffer takes no value below 0: a particle that is darker than its cover lets less through
    vec3 kept = mix(vec3(1.0 - light.a), together / max(alone, 1e-6), lessThan(added, vec3(0.0)));
    color = vec4(max(added, 0.0) * cover, 1.0);
    covered = vec4((1.0 - kept) * cover, 1.0);
}
