// A full-resolution picture.
out vec4 color;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy, 1.0);
    ivec2 pixel = ivec2(floor(point));
    vec3 origin = view_origin(point);
    vec3 direction = view_direction(point);
    SurfaceHit hit = intersect_surfaces(origin, direction);
    vec4 smoke = march(origin, direction, hit.distance, jitter_of(pixel));
    vec3 radiance = smoke.rgb + smoke.a * surface_radiance(origin, direction, hit);
    color = displayed(radiance, pixel);
    gl_FragDepth = depth_of(origin, direction, hit.distance);
}
