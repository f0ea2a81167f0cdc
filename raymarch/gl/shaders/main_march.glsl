// The first pass of a reduced picture: linear radiance, and the id of the surface behind it.
out vec4 radiance_and_id;

void main()
{
    vec3 direction = view_direction(picture_point(gl_FragCoord.xy + picture.xy, float(reduced.x)));
    SurfaceHit hit = intersect_surfaces(eye.xyz, direction);
    vec4 smoke = march(eye.xyz, direction, hit.distance, jitter_of(ivec2(gl_FragCoord.xy)));
    vec3 radiance = smoke.rgb + smoke.a * surface_radiance(eye.xyz, direction, hit);
    radiance_and_id = vec4(min(radiance, 6e4), float(hit.id));
}
