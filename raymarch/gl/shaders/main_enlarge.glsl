// The second pass of a reduced picture: bilinear interpolation of the marched pixels, in which pixels with another
// surface behind them have almost no weight, so that outlines of solids remain sharp.
uniform sampler2D marched_picture;
out vec4 color;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy, 1.0);
    vec3 origin = view_origin(point);
    vec3 direction = view_direction(point);
    SurfaceHit hit = intersect_surfaces(origin, direction);
    vec2 at = (gl_FragCoord.xy - picture.xy) / float(reduced.x) - 0.5;
    ivec2 lower = ivec2(floor(at));
    vec2 offset = at - vec2(lower);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int n = 0; n < 4; n++) {
        ivec2 corner_offset = ivec2(n & 1, n >> 1);
        vec4 neighbor = texelFetch(marched_picture, clamp(lower + corner_offset, marched.xz, marched.yw), 0);
        vec2 bilinear = mix(1.0 - offset, offset, vec2(corner_offset));
        float weight = bilinear.x * bilinear.y * (int(neighbor.a) == hit.id ? 1.0 : 1e-4) + 1e-9;
        sum += weight * neighbor.rgb;
        weights += weight;
    }
    color = displayed(sum / weights, ivec2(floor(point)));
    gl_FragDepth = depth_of(origin, direction, hit.distance);
}
