// The first pass of a reduced picture: linear radiance, and the id of the surface behind it.
out vec4 radiance_and_id;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy + picture.xy, float(reduced.x));
    vec3 origin = view_origin(point);
    vec3 direction = view_direction(point);
    SurfaceHit hit = intersect_surfaces(origin, direction);
    vec4 smoke = march(origin, direction, hit.distance, jitter_of(ivec2(gl_FragCoord.xy)));
    vec3 radiance = smoke.rgb + smoke.a * surface_radiance(origin, direction, hit);
    radiance_and_id = vec4(min(radiance, 6e4), float(hit.id));
}
