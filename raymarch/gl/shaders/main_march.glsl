// The first half of a reduced picture: linear radiance, and what it was met on.
out vec4 radiance_and_id;

void main()
{
    vec3 direction = view_direction(picture_point(gl_FragCoord.xy + picture.xy, float(reduced.x)));
    Hit hit = first_hit(eye.xyz, direction);
    vec4 smoke_on_ray = march(eye.xyz, direction, hit.distance, jitter_of(ivec2(gl_FragCoord.xy)));
    vec3 radiance = smoke_on_ray.rgb + smoke_on_ray.a * backdrop_radiance(eye.xyz, direction, hit);
    radiance_and_id = vec4(min(radiance, 6e4), float(hit.id));
}
