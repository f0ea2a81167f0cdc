// The second half of a reduced picture: marched pixels are blended, those that met what is met here before others, so
// that outlines stay sharp.
uniform sampler2D marched_picture;
out vec4 color;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy, 1.0);
    vec3 direction = view_direction(point);
    Hit hit = first_hit(eye.xyz, direction);
    vec2 at = (gl_FragCoord.xy - picture.xy) / float(reduced.x) - 0.5;
    ivec2 lower = ivec2(floor(at));
    vec2 beyond = at - vec2(lower);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int n = 0; n < 4; n++) {
        ivec2 corner_at = ivec2(n & 1, n >> 1);
        vec4 near = texelFetch(marched_picture, clamp(lower + corner_at, marched.xz, marched.yw), 0);
        vec2 share = mix(1.0 - beyond, beyond, vec2(corner_at));
        float weight = share.x * share.y * (int(near.a) == hit.id ? 1.0 : 1e-4) + 1e-9;
        sum += weight * near.rgb;
        weights += weight;
    }
    color = displayed(sum / weights, ivec2(floor(point)));
    gl_FragDepth = depth_of(eye.xyz, direction, hit.distance);
}
