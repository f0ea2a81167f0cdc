// A full-resolution picture.
out vec4 color;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy, 1.0);
    ivec2 pixel = ivec2(floor(point));
    vec3 direction = view_direction(point);
    SurfaceHit hit = intersect_surfaces(eye.xyz, direction);
    vec4 smoke = march(eye.xyz, direction, hit.distance, jitter_of(pixel));
    vec3 radiance = smoke.rgb + smoke.a * surface_radiance(eye.xyz, direction, hit);
    color = displayed(radiance, pixel);
    gl_FragDepth = depth_of(eye.xyz, direction, hit.distance);
}
